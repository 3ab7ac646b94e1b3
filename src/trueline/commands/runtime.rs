//! `trueline runtime`: the runtime library for another target.

use super::build::usage;
use super::{fail, print, printable};
use crate::cli::{Runtime, RuntimeAction, RuntimeOf};
use crate::driver::Failure;
use crate::runtime::cross;
use crate::{exit, output, target};
use std::path::{Path, PathBuf};
use target_lexicon::Triple;

/// `trueline runtime`.
pub fn runtime(args: &Runtime) -> i32 {
    let (RuntimeAction::Build { of, .. } | RuntimeAction::Install { of, .. }) = &args.action;
    let triple = match target::parse(&of.target) {
        Ok(triple) => triple,
        Err(text) => return usage(&text),
    };
    match act(&args.action, &triple) {
        Ok(path) => {
            print(&format!("{}\n", printable(&path.display().to_string())));
            exit::OK
        }
        Err(text) => fail(&Failure::User(text)),
    }
}

/// Does it; gives the path of the archive.
fn act(action: &RuntimeAction, triple: &Triple) -> Result<PathBuf, String> {
    let build = |of: &RuntimeOf| cross::build(triple, of.std.as_deref());
    match action {
        RuntimeAction::Build { of, output } => {
            let cannot = |e| format!("Cannot write '{}': {e}", output.display());
            output::write_atomically(output, &build(of)?, output::Mode::Data).map_err(cannot)?;
            Ok(output.clone())
        }
        RuntimeAction::Install { file: Some(file), .. } => {
            let bytes = crate::runtime::read(file).map_err(|e| format!("Cannot read '{}': {e}", file.display()))?;
            cross::install(triple, &bytes, file)
        }
        RuntimeAction::Install { of, file: None } => cross::install(triple, &build(of)?, Path::new("the new archive")),
    }
}
