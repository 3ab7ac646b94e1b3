//! Plain English in comments: no opening that a stranger stumbles over, and few uses of the word [`WORD`].
//!
//! The test prints the figures of all crates.

use std::path::{Path, PathBuf};

/// The word that stands for a missing noun.
const WORD: &str = "what";

/// The most uses of [`WORD`] in ten thousand words of a crate.
const RATE: usize = 5;

/// The beginnings of comments that hide their subject.
const OPENINGS: [&str; 5] = ["What ", "Of ", "Those ", "So many ", "Whose "];

/// A phrase that hides its subject as well.
const PHRASE: &str = " of what ";

/// Phrases that no crate has.
const PHRASES: [&str; 2] = [" so many ", "hose that "];

/// The beginnings of doc comments that stand for a noun, such as a number or a place.
const QUESTIONS: [&str; 5] = ["How ", "Where ", "Which ", "Who ", "Has "];

/// The most such beginnings in a crate.
const MOST_QUESTIONS: usize = 10;

/// The figures of a crate.
#[derive(Default)]
struct Figures {
    words: usize,
    /// Uses of [`WORD`].
    uses: usize,
    /// The places of openings and of [`PHRASE`].
    found: Vec<String>,
    /// The places of phrases that no finished crate has.
    phrases: Vec<String>,
    /// The places of [`QUESTIONS`].
    questions: Vec<String>,
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
            figures.uses += usize::from(word.eq_ignore_ascii_case(WORD));
        }
        let opens = !before && OPENINGS.iter().any(|o| text.starts_with(o));
        let place = || format!("{name}:{number}: {text}");
        let is_doc = ["///", "//!"].iter().any(|d| line.trim_start().starts_with(d));
        if is_doc && !before && QUESTIONS.iter().any(|q| text.starts_with(q)) {
            figures.questions.push(place());
        }
        if opens || text.contains(PHRASE) {
            figures.found.push(place());
        }
        if PHRASES.iter().any(|p| text.contains(p)) {
            figures.phrases.push(place());
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

/// The folder of the crate that a file belongs to; empty for the package itself.
fn crate_of(path: &Path, root: &Path) -> String {
    let folder = path.ancestors().skip(1).find(|f| f.join("Cargo.toml").is_file()).unwrap_or(root);
    folder.strip_prefix(root).unwrap_or(root).to_string_lossy().into_owned()
}

/// Judges the figures of a crate.
#[allow(clippy::print_stdout, reason = "the figures are a measurement")]
fn judge(name: &str, figures: &Figures, wrong: &mut Vec<String>) {
    let rate = (figures.uses * 10_000).div_ceil(figures.words.max(1));
    println!("{:6.2} in 1,000 words, {:3} openings  {name}", rate as f64 / 10.0, figures.found.len());
    wrong.extend(figures.phrases.iter().cloned());
    wrong.extend(figures.found.iter().cloned());
    if figures.questions.len() > MOST_QUESTIONS {
        wrong.extend(figures.questions.iter().cloned());
        wrong.push(format!("{name}: {} of these (at most {MOST_QUESTIONS})", figures.questions.len()));
    }
    // A small crate may have one.
    if figures.uses > 1 && rate > RATE {
        wrong.push(format!("{name}: {rate} \"{WORD}\" in 10,000 words (at most {RATE})"));
    }
}

#[test]
fn comments_are_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for top in ["src", "runtime", "tests", "benches"] {
        walk(&root.join(top), root, &mut files);
    }
    let mut crates: std::collections::BTreeMap<String, Figures> = std::collections::BTreeMap::new();
    for (name, path) in &files {
        measure(path, name, crates.entry(crate_of(path, root)).or_default());
    }
    let mut wrong = Vec::new();
    for (name, figures) in &crates {
        judge(if name.is_empty() { "trueline" } else { name }, figures, &mut wrong);
    }
    assert!(wrong.is_empty(), "see CONTRIBUTING.md, Plain English:\n{}", wrong.join("\n"));
}
