//! The direction between the floors of the front end.

use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there").map(|e| e.expect("an entry can be read").path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|p| p.is_dir());
    let deeper = folders.iter().flat_map(|f| self::files(f));
    files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "rs")).chain(deeper).collect()
}

/// No code of semantic analysis mentions the builder of the IR's statements; comments may.
#[test]
fn semantic_analysis_makes_no_ir() {
    let sema = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../sema"));
    assert!(sema.len() > 40, "the floor is there");
    for file in sema {
        let text = fs::read_to_string(&file).expect("source is text");
        for (n, line) in text.lines().enumerate().filter(|(_, l)| !l.trim_start().starts_with("//")) {
            let wrong = line.contains("Builder") || line.contains("Editor");
            assert!(!wrong, "{}:{}: {line}", file.display(), n + 1);
        }
    }
}

/// No folder has more files than one can take in.
#[test]
fn folders_are_small() {
    fn check(folder: &Path) {
        let entries: Vec<PathBuf> = fs::read_dir(folder)
            .expect("the folder is there")
            .map(|e| e.expect("an entry can be read").path())
            .collect();
        assert!(entries.len() <= 40, "{} has {} entries", folder.display(), entries.len());
        entries.iter().filter(|e| e.is_dir()).for_each(|e| check(e));
    }
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
}
