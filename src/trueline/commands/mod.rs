//! The subcommands.

mod advise;
mod build;
mod cost;
mod export;
mod inspect;
mod lesson;
mod mappings;
mod ranks;
pub(crate) mod remarks;
mod report;
mod runtime;
mod score;
pub(crate) mod select;
mod shipped;
mod story;
mod what_if;

pub use advise::advise;
pub use build::{build, profile, run};
pub(crate) use build::{civil, write};
pub use export::export;
pub use inspect::{dump, map};
pub use report::{diff, merge, report};
pub use runtime::runtime;
pub use score::score;
pub use shipped::print_shipped;
pub use story::explain;

use crate::cli::{Compile, How};
pub(crate) use crate::display::show as show_diagnostics;
use crate::driver::{Failure, Session};
use crate::fc::args::Line;
use crate::options::{self, Info, Options};
use crate::{exit, fc};
use std::path::{Path, PathBuf};
use trueline_cpp::Definition;
use trueline_instrument::TimeMode;

pub(crate) use crate::output::{complain, print, printable, tell};
use trueline_report::printable_json;

/// Prints JSON.
pub(crate) fn print_json(json: &str) {
    print(&printable_json(json));
}

/// Whether a file is for the linker, not for us.
pub(crate) fn is_linker_input(path: &Path) -> bool {
    matches!(path.extension().and_then(|e| e.to_str()), Some("o" | "a" | "so" | "c" | "s" | "S"))
}

/// The driver's options for a command line.
///
/// # Errors
/// A sentence about the command line.
pub(crate) fn options(c: &Compile) -> Result<Options, String> {
    let files = c.files.iter().filter(|f| !is_linker_input(f)).cloned().collect();
    options_of(&c.how, files)
}

/// The driver's options for these files: those of gfortran as `fc` understands them, then our own.
///
/// # Errors
/// A sentence about the command line.
pub(crate) fn options_of(how: &How, files: Vec<PathBuf>) -> Result<Options, String> {
    let line = line(how);
    for remark in &line.remarks {
        tell(&format!("trueline: warning: {remark}\n"));
    }
    let mut options = fc::options(&line)?;
    options.semantics.hpf |= how.ranks.is_some();
    options.distribute = how.distribute.clone();
    if let Some(unknown) = how.passes.iter().flatten().find(|p| trueline_opt::pass_named(p).is_none()) {
        let known: Vec<&str> = trueline_opt::PASSES.iter().map(|p| p.name).collect();
        return Err(format!("There is no pass '{unknown}'; there are {}", known.join(", ")));
    }
    let steps = trueline_opt::step_names();
    if let Some(unknown) = how.dump.iter().find(|d| *d != "all" && !steps.contains(&d.as_str())) {
        return Err(format!("There is no step '{unknown}' to dump; there are all, {}", steps.join(", ")));
    }
    options.files = files;
    options.runner = how.runner.clone();
    options.optimize.passes = how.passes.clone();
    options.optimize.bisect = how.opt_bisect;
    options.stretch = how.stretch;
    options.optimize.verify = how.verify || cfg!(debug_assertions);
    options.optimize.dump = how.dump.clone();
    if how.profile_use.is_some() {
        options.profile_use = how.profile_use.clone();
    }
    if let Some(text) = &how.opt_info {
        options.remarks.info = Some(opt_info(text)?);
    }
    Ok(options)
}

/// The same command line as `fc` has it.
fn line(how: &How) -> Line {
    let mut line = Line {
        by: "trueline",
        level: how.level,
        debug: how.debug,
        include_dirs: how.include.clone(),
        module_dir: how.module_dir.clone(),
        flags: how.flag.clone(),
        warnings: how.warning.clone(),
        standard: how.std.clone(),
        target: how.target.clone(),
        preprocess: if how.nocpp { Some(false) } else { how.cpp.then_some(true) },
        ..Line::default()
    };
    line.definitions.extend(how.define.iter().cloned().map(Definition::Define));
    line.definitions.extend(how.undefine.iter().cloned().map(Definition::Undefine));
    for option in &how.machine {
        line.of_machine(&format!("-m{option}"), option);
    }
    line
}

fn opt_info(text: &str) -> Result<Info, String> {
    Info::parse(text).ok_or_else(|| format!("--opt-info={text}: optimized, missed or all, and =FILE"))
}

/// The mode that `--time` names.
pub(crate) fn time_mode(word: &str) -> TimeMode {
    match word {
        "all" => TimeMode::All,
        "none" => TimeMode::None,
        "selective" => TimeMode::Selective,
        _ => TimeMode::Outer,
    }
}

/// Reports a failure; returns the exit code.
pub(crate) fn fail(failure: &Failure) -> i32 {
    match failure {
        Failure::Source => exit::SOURCE,
        Failure::User(text) => {
            complain(text);
            exit::SOURCE
        }
        Failure::Link(text) => {
            complain(text);
            exit::LINK
        }
        Failure::Bug(text) => {
            complain(&format!("internal error: {text}"));
            tell("trueline: this is a bug of the compiler; please report it with the source\n");
            exit::BUG
        }
    }
}

/// The session's diagnostics and the result of a command.
pub(crate) fn finish(session: Session, json: bool, result: Result<i32, Failure>) -> i32 {
    show_diagnostics(session, json);
    result.unwrap_or_else(|f| fail(&f))
}

/// The name of a source file without directory and suffix.
pub(crate) fn stem(path: &Path) -> PathBuf {
    path.file_stem().map_or_else(|| PathBuf::from("a"), PathBuf::from)
}
