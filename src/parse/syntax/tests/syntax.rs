//! Every program of `tests/data` has its tree and its diagnostics beside it, in `NAME.txt`. `BLESS=1 cargo test` rewrites them.

use std::fs;
use std::path::{Path, PathBuf};

use trueline_diag::{Diagnostics, SourceMap, render_plain};
use trueline_syntax::{Options, dump, parse};

/// The tree and the diagnostics of a file, as they are compared.
fn outcome(path: &Path) -> String {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = map.load_main(path, &mut diags).expect("the test file is readable");
    let ast = parse(&mut map, file, &Options::default(), &mut diags);
    let mut out = dump(&ast, &map);
    for diagnostic in diags.finish(&map) {
        out.push('\n');
        out.push_str(&render_plain(&diagnostic, &map));
    }
    // Files are named as they are seen from the folder.
    out.replace(&format!("{}/", folder().display()), "")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder is readable").path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "f" || suffix == "f90"))
        .collect();
    all.sort();
    all
}

#[test]
fn trees_and_diagnostics() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for path in programs(&folder()) {
        let expected = path.with_extension(format!("{}.txt", path.extension().unwrap_or_default().display()));
        let got = outcome(&path);
        if bless {
            fs::write(&expected, got).expect("the folder is writable");
        } else if fs::read_to_string(&expected).unwrap_or_default() != got {
            wrong.push(format!("{}:\n{got}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "not as expected (BLESS=1 accepts):\n{}", wrong.join("\n"));
}
