//! Plain English in comments: no opening that a stranger stumbles over, and few sentences with "what".
//!
//! Folders that are finished obey the limits of [`LIMIT`]. The others have a ceiling of their own in [`CEILINGS`], which is
//! lowered when their comments are rewritten, and never raised.

use std::path::{Path, PathBuf};

/// At most this many "what" in a thousand words of comments.
const LIMIT: f64 = 1.5;

/// Folders that are not finished: openings, and "what" in ten thousand words.
const CEILINGS: &[(&str, usize, usize)] = &[
    ("runtime/abi", 0, 34),
    ("runtime/src", 0, 37),
    ("src/codegen", 0, 50),
    ("src/opt", 67, 121),
    ("src/parse", 216, 88),
    ("tests/all", 0, 86),
    ("tests/campaign", 0, 106),
];

/// The beginnings of comments that hide their subject.
const OPENINGS: [&str; 5] = ["What ", "Of ", "Those ", "So many ", "Whose "];

/// Phrases that are nowhere in comments of finished folders.
const PHRASES: [&str; 2] = [" of what ", "so many of"];

/// One folder's figures.
#[derive(Default)]
struct Figures {
    words: usize,
    whats: usize,
    /// The places of openings and phrases.
    found: Vec<String>,
}

/// The text of a line's comment, if it is one.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).or_else(|| line.strip_prefix("//"))?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

fn measure(file: &Path, name: &str, figures: &mut Figures) {
    let text = std::fs::read_to_string(file).expect("a source");
    let mut before = false;
    for (line, number) in text.lines().zip(1..) {
        let Some(text) = comment(line) else {
            before = false;
            continue;
        };
        let words = text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty());
        for word in words {
            figures.words += 1;
            figures.whats += usize::from(word.eq_ignore_ascii_case("what"));
        }
        let opens = !before && OPENINGS.iter().any(|o| text.starts_with(o));
        if opens || PHRASES.iter().any(|p| text.contains(p)) {
            figures.found.push(format!("{name}:{number}: {text}"));
        }
        before = true;
    }
}

fn walk(folder: &Path, root: &Path, out: &mut Vec<(String, PathBuf)>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").filter_map(|e| Some(e.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, root, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            out.push((name, path));
        }
    }
}

/// The folder that a file is counted in: two names of its path.
fn folder(name: &str) -> String {
    name.split('/').take(2).collect::<Vec<_>>().join("/")
}

#[test]
fn comments_are_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for top in ["src", "runtime", "tests", "benches"] {
        walk(&root.join(top), root, &mut files);
    }
    let mut by_folder: std::collections::BTreeMap<String, Figures> = std::collections::BTreeMap::new();
    for (name, path) in &files {
        measure(path, name, by_folder.entry(folder(name)).or_default());
    }
    let mut wrong = Vec::new();
    for (name, figures) in &by_folder {
        let rate = figures.whats as f64 * 10_000.0 / figures.words.max(1) as f64;
        match CEILINGS.iter().find(|c| c.0 == name) {
            Some(&(_, openings, whats)) => {
                if figures.found.len() > openings || rate > whats as f64 {
                    wrong.push(format!(
                        "{name}: {} openings (at most {openings}), {rate:.0} \"what\" in 10,000 words (at most {whats})",
                        figures.found.len()
                    ));
                }
            }
            None => {
                wrong.extend(figures.found.iter().cloned());
                // A short file may have one.
                if figures.whats > 1 && rate > LIMIT * 10.0 {
                    wrong.push(format!("{name}: {rate:.0} \"what\" in 10,000 words"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "see CONTRIBUTING.md, Plain English:\n{}", wrong.join("\n"));
}
