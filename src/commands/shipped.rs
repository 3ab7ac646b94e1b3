//! `--print header|runtime`: what is shipped inside the compiler.

use super::{complain, print};
use crate::{exit, runtime};
use std::ffi::OsString;
use target_lexicon::Triple;

/// The header for C of the profile library.
const HEADER: &str = include_str!("../../include/trueline.h");

/// Serves `trueline --print WHAT`; `None` if the command line is another. The header goes to standard output as it is;
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
        other => {
            complain(&format!("--print {other}: there are 'header' and 'runtime'"));
            exit::USAGE
        }
    })
}
