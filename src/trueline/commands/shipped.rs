//! `--print PART`: the parts of an installation that the compiler has inside.

use super::{complain, print};
use crate::flags::docs;
use crate::{exit, runtime};
use std::ffi::OsString;
use target_lexicon::Triple;

/// The header for C of the profile library.
const HEADER: &str = include_str!("../../../include/trueline.h");

/// Serves `trueline --print PART`; `None` if the command line is another. The header goes to standard output as it is;
/// of the library, which is a file, the path is printed.
pub fn print_shipped(args: &[OsString]) -> Option<i32> {
    let what = match args {
        [_, flag, what] if flag == "--print" => what.to_string_lossy().into_owned(),
        [_, both] => both.to_string_lossy().strip_prefix("--print=")?.to_owned(),
        _ => return None,
    };
    Some(match what.as_str() {
        "header" => {
            print(HEADER);
            exit::OK
        }
        "runtime" => match runtime::archive(&Triple::host(), None) {
            Ok(path) => {
                print(&format!("{}\n", path.display()));
                exit::OK
            }
            Err(text) => {
                complain(&text);
                exit::SOURCE
            }
        },
        "man" => {
            print(&docs::man());
            exit::OK
        }
        other => {
            if let Some(script) = other.strip_prefix("completions-").and_then(docs::completions) {
                print(&script);
                return Some(exit::OK);
            }
            let there = "header, runtime, man, completions-bash, completions-zsh and completions-fish";
            complain(&format!("--print {other}: there are {there}"));
            exit::USAGE
        }
    })
}
