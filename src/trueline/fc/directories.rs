//! The directories of libraries: the answer to `-print-search-dirs`.
//!
//! Build systems that link C and Fortran by the C compiler (Meson) ask the Fortran compiler for its directories and
//! link `-lgfortran` from there, whatever compiler it is. So the first directory of the answer has a `libgfortran.a` that
//! stands for the runtime library of ours, in words for the linker.

use super::link;
use crate::commands::{complain, print};
use crate::{cache, exit, runtime};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use target_lexicon::Triple;

/// Prints `cc`'s answer to `question`, with the directory of ours before the others.
pub(super) fn answer(question: &OsStr, triple: &Triple) -> i32 {
    let known = match link::cc(triple).arg(question).output() {
        Ok(out) if out.status.success() => String::from_utf8_lossy(&out.stdout).into_owned(),
        Ok(out) => return out.status.code().unwrap_or(exit::SOURCE),
        Err(e) => {
            complain(&trueline_codegen::link::start(triple, &link::cc(triple), e).to_string());
            return exit::SOURCE;
        }
    };
    match stand_in(triple) {
        Ok(directory) => {
            print(&known.replacen("\nlibraries: =", &format!("\nlibraries: ={}:", directory.display()), 1))
        }
        Err(why) => {
            complain(&why);
            return exit::SOURCE;
        }
    }
    exit::OK
}

/// The directory with the `libgfortran.a` that is the runtime library with its dependencies.
fn stand_in(triple: &Triple) -> Result<PathBuf, String> {
    let archive = runtime::archive(triple, None)?;
    let text = format!("/* trueline */\nINPUT(-lm {} -ldl -lpthread -lm)\n", quoted(&archive));
    let folder = format!("link-{}", &runtime::sha256(text.as_bytes())[..16]);
    let path =
        cache::keep(&folder, "libgfortran.a", |there| there == text.as_bytes(), || Ok(text.clone().into_bytes()))?;
    Ok(path.parent().map_or_else(PathBuf::new, Path::to_owned))
}

/// A file name as the linker's language has it.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}
