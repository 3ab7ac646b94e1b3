//! No bytes that a user can write make the analysis panic or hang: prefixes of the corpora and programs
//! with a word taken out, doubled or replaced, a sample of them within seconds.

use std::path::{Path, PathBuf};
use trueline_diag::{Diagnostics, SourceMap};

fn analyze(name: &str, bytes: Vec<u8>) {
    let mut map = SourceMap::new();
    let mut diags = Diagnostics::new();
    let file = map.add(name, bytes);
    let ast = trueline_syntax::parse(&mut map, file, &Default::default(), &mut diags);
    let program = trueline_lower::compile(&[ast], &map, &Default::default(), &mut diags);
    if !diags.has_errors() {
        let wrong = trueline_ir::verify_program(&program);
        assert!(wrong.is_empty(), "{name} became units that do not verify: {wrong:?}");
    }
}

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = Vec::new();
    for dir in ["../../../tests/run", "../../../tests/bad", "../../../examples/hpf", "tests/declare", "tests/lower"] {
        out.extend(
            files(&root.join(dir))
                .into_iter()
                .filter(|p| p.extension().is_some_and(|e| ["f", "f90", "hpf"].iter().any(|x| e == *x))),
        );
    }
    out.sort();
    assert!(out.len() > 500, "the programs are there");
    out
}

/// The files of a folder and of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    entries.flat_map(|p| if p.is_dir() { files(&p) } else { vec![p] }).collect()
}

/// A small generator of numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Words that are wrong in most places.
const WORDS: [&str; 24] = [
    "integer",
    "real(3)",
    "(",
    ")",
    "=",
    "1",
    "0",
    "-1",
    "'x'",
    "call",
    "a",
    "n",
    "::",
    ":",
    "*",
    "end",
    "common /c/",
    "parameter",
    "use m",
    "allocatable",
    "2.5",
    "save",
    "character(*)",
    "data",
];

/// A program with one word of its own taken out, doubled or replaced.
fn mutated(text: &[u8], random: &mut Random) -> Vec<u8> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let at = random.below(text.len());
    let start = text[..at].iter().rposition(|&b| !is_word(b)).map_or(0, |k| k + 1);
    let end = text[at..].iter().position(|&b| !is_word(b)).map_or(text.len(), |k| at + k).max(start);
    let own = &text[start..end];
    let word = WORDS[random.below(WORDS.len())].as_bytes();
    let middle: Vec<u8> = match random.below(4) {
        0 => Vec::new(),
        1 => [own, b" ", own].concat(),
        2 => word.to_vec(),
        _ => [own, b" ", word, b" "].concat(),
    };
    [&text[..start], &middle, &text[end..]].concat()
}

#[test]
fn nothing_makes_it_panic() {
    let rounds = std::env::var("TRUELINE_ROUNDS").ok().and_then(|r| r.parse().ok()).unwrap_or(1usize);
    let work = move || {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for path in corpus() {
            let text = std::fs::read(&path).unwrap_or_default();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if text.is_empty() || text.len() > 20_000 {
                continue;
            }
            for _ in 0..rounds {
                analyze(&name, text[..random.below(text.len())].to_vec());
                analyze(&name, mutated(&text, &mut random));
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}
