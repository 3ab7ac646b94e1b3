//! The programs of tests/run.

use crate::build::files;
use std::path::{Path, PathBuf};

/// The corpus; with `TRUELINE_TEST_RUN=word,word` the programs whose names contain one of the words.
pub fn programs() -> Vec<PathBuf> {
    let mut all = files("tests/run", &["f", "f90"]);
    if let Ok(words) = std::env::var("TRUELINE_TEST_RUN") {
        all.retain(|f| words.split(',').any(|w| name(f).contains(w)));
    }
    all
}

/// The folder and the file name: `io/list.f90`.
pub fn name(path: &Path) -> String {
    let text = |part: Option<&std::ffi::OsStr>| part.map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    format!("{}/{}", text(path.parent().and_then(Path::file_name)), text(path.file_name()))
}

/// A number that the name alone decides: samples are taken by it, so that a new program changes no other choice.
pub fn order_of(path: &Path) -> u64 {
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    // The low bits of the product tell little of the first letters.
    name(path).bytes().fold(0xcbf2_9ce4_8422_2325, fnv).rotate_left(32)
}

/// About one in `every` of the programs, by their names.
pub fn one_in(every: u64, mut all: Vec<PathBuf>) -> Vec<PathBuf> {
    all.retain(|path| order_of(path).is_multiple_of(every));
    all
}
