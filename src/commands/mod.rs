//! The subcommands.

mod advise;
mod build;
mod cost;
mod export;
mod inspect;
mod lesson;
pub(crate) mod remarks;
mod report;
mod score;
pub(crate) mod select;
mod shipped;
mod story;

pub use advise::advise;
pub use build::{build, profile, run};
pub(crate) use build::{civil, write};
pub use export::export;
pub use inspect::{dump, map};
pub use report::{diff, merge, report};
pub use score::score;
pub use shipped::print_shipped;
pub use story::explain;

use crate::cli::Compile;
use crate::driver::{Failure, Options, Session};
use crate::flags::{self, Effect};
use crate::{driver, exit};
use remarks::{Info, Remarks};
use std::io::Write;
use std::path::{Path, PathBuf};
use target_lexicon::Triple;
use trueline_instrument::TimeMode;

pub(crate) use crate::output::print;
use trueline_report::printable_json;

/// Prints JSON.
pub(crate) fn print_json(json: &str) {
    print(&printable_json(json));
}

/// Writes to standard error.
pub(crate) fn tell(text: &str) {
    // Nobody is left to be told when standard error fails.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// One line of an error without a place in a source.
pub(crate) fn complain(text: &str) {
    tell(&format!("trueline: error: {}\n", printable(text)));
}

/// The text without what would command a terminal; it keeps its lines.
pub(crate) fn printable(text: &str) -> String {
    text.split('\n').map(trueline_diag::safe).collect::<Vec<_>>().join("\n")
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
    let mut syntax = driver::syntax_options(c.include.clone());
    let mut semantics = trueline_parse::Options::default();
    apply_flags(&c.flag, &mut syntax, &mut semantics)?;
    let (mut policy, mut named) = (trueline_diag::Policy::Tell, Vec::new());
    for word in &c.warning {
        if flags::warn(word, &mut semantics, &mut policy, &mut named) == Effect::Unknown {
            tell(&format!("trueline: warning: option '-W{word}' is not known and has no effect\n"));
        }
    }
    if let Some(unknown) = c.passes.iter().flatten().find(|p| trueline_opt::pass_named(p).is_none()) {
        let known: Vec<&str> = trueline_opt::PASSES.iter().map(|p| p.name).collect();
        return Err(format!("There is no pass '{unknown}'; there are {}", known.join(", ")));
    }
    let triple = match &c.target {
        Some(t) => t.parse().map_err(|e| format!("Target '{t}': {e}"))?,
        None => Triple::host(),
    };
    let files = c.files.iter().filter(|f| !is_linker_input(f)).cloned().collect();
    let defaults = driver::default_options(files, c.level);
    let mut options = Options {
        module_dirs: module_dirs(&c.include),
        cpp: trueline_cpp::Options { definitions: crate::fc::predefined(c.level), include_dirs: c.include.clone() },
        syntax,
        semantics,
        optimize: trueline_opt::Options {
            passes: c.passes.clone(),
            bisect: c.opt_bisect,
            verify: c.verify || cfg!(debug_assertions),
            dump: c.dump.clone(),
            ..defaults.optimize.clone()
        },
        triple,
        policy,
        named_policies: named,
        debug: c.debug,
        profile_use: c.profile_use.clone(),
        remarks: Remarks { info: c.opt_info.as_deref().map(opt_info).transpose()?, record: None },
        ..defaults
    };
    flags::settle(&mut options);
    Ok(options)
}

fn opt_info(text: &str) -> Result<Info, String> {
    Info::parse(text).ok_or_else(|| format!("--opt-info={text}: optimized, missed or all, and =FILE"))
}

/// Module files are looked for in the directories of `-I`, and here.
pub(crate) fn module_dirs(include: &[PathBuf]) -> Vec<PathBuf> {
    include.iter().cloned().chain([PathBuf::from(".")]).collect()
}

/// The `-f` flags.
pub(crate) fn apply_flags(
    flags: &[String],
    syntax: &mut trueline_syntax::Options,
    semantics: &mut trueline_parse::Options,
) -> Result<(), String> {
    for flag in flags {
        if flags::apply(flag, syntax, semantics)? == Effect::Unknown {
            tell(&format!("trueline: warning: option '-f{flag}' is not known and has no effect\n"));
        }
    }
    Ok(())
}

/// What `--time` says.
pub(crate) fn time_mode(word: &str) -> TimeMode {
    match word {
        "all" => TimeMode::All,
        "none" => TimeMode::None,
        "selective" => TimeMode::Selective,
        _ => TimeMode::Outer,
    }
}

/// Prints the diagnostics of a session.
pub(crate) fn show_diagnostics(session: Session, json: bool) {
    let Session { map, diagnostics, .. } = session;
    let suppressed = diagnostics.suppressed();
    let list = diagnostics.finish(&map);
    if json {
        if !list.is_empty() {
            tell(&printable_json(&trueline_diag::to_json(&list, &map)));
            tell("\n");
        }
        return;
    }
    let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr()) && std::env::var_os("NO_COLOR").is_none();
    for d in &list {
        let text = if terminal { trueline_diag::render(d, &map) } else { trueline_diag::render_plain(d, &map) };
        tell(&text);
        tell("\n");
    }
    if suppressed > 0 {
        tell(&format!("trueline: {suppressed} further errors are not shown\n"));
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
