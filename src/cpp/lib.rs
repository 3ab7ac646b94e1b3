//! The preprocessor: `#if`, `#define`, `#include`, as `cpp -traditional` treats Fortran.
//!
//! The output has a line for each line of the input, so that every position stays true: directives and skipped text become
//! empty lines, and a file named by `#include` hangs below its line ([`Prepared::includes`]) in place of being copied in.
//!
//! As in the traditional preprocessor, a directive has its `#` in column 1, names in character constants are not replaced (but
//! arguments inside the constants of a macro's body are), and a removed comment joins the text on both sides. Beyond it, `##` joins, too.
//! `//` begins no comment: in Fortran it concatenates.

mod condition;
mod expand;
mod file;

pub use expand::Macros;

use std::path::{Path, PathBuf};
use trueline_diag::Prepared;

/// `-D` or `-U`, in the order of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Definition {
    /// `NAME`, `NAME=TEXT` or `NAME(ARGUMENTS)=TEXT`.
    Define(String),
    /// `NAME`
    Undefine(String),
}

/// The macros and directories of the command line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Macros that are defined before the first line.
    pub definitions: Vec<Definition>,
    /// The directories of `#include` after that of the including file.
    pub include_dirs: Vec<PathBuf>,
}

/// Something wrong, or worth a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// Whether there is no result.
    pub is_error: bool,
    /// The sentence.
    pub message: String,
}

/// A preprocessed file.
#[derive(Clone, Debug)]
pub struct Output {
    /// The text.
    pub prepared: Prepared,
    /// The files that were included, in the order of their first inclusion.
    pub dependencies: Vec<PathBuf>,
    /// Its mistakes.
    pub problems: Vec<Problem>,
}

/// Reads a file; the error is a sentence.
pub type Read<'r> = &'r mut dyn FnMut(&Path) -> Result<Vec<u8>, String>;

/// Preprocesses `bytes`, the content of the file `path`.
pub fn preprocess(path: &Path, bytes: Vec<u8>, options: &Options, read: Read<'_>) -> Output {
    file::preprocess(path, bytes, options, read)
}

/// The text with everything included in its place, with lines `# LINE "FILE"` between.
pub fn flatten(prepared: &Prepared) -> Vec<u8> {
    let mut out = Vec::new();
    marker(&mut out, 1, &prepared.name);
    flatten_into(prepared, &mut out);
    out
}

fn marker(out: &mut Vec<u8>, line: usize, name: &str) {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    out.extend_from_slice(format!("# {line} \"{name}\"\n").as_bytes());
}

/// As deep as files include each other, which is bounded.
fn flatten_into(prepared: &Prepared, out: &mut Vec<u8>) {
    let mut includes = prepared.includes.iter().peekable();
    for (k, line) in prepared.text.split_inclusive(|&b| b == b'\n').enumerate() {
        if let Some((_, inner)) = includes.next_if(|(at, _)| *at as usize == k + 1) {
            marker(out, 1, &inner.name);
            flatten_into(inner, out);
            if out.last() != Some(&b'\n') {
                out.push(b'\n');
            }
            marker(out, k + 2, &prepared.name);
        } else {
            out.extend_from_slice(line);
        }
    }
}

#[cfg(test)]
mod tests;
