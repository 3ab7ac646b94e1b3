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
