//! The work of `cc`: C and assembler sources, and the link.

use super::args::{Input, Line, Stage};
use crate::commands::{show_diagnostics, tell};
use crate::driver::{Failure, Session};
use crate::options::Options;
use crate::{linking, output, runtime};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use trueline_codegen::link;
use trueline_ir::OptLevel;

/// The C compiler for a target.
pub fn cc(triple: &target_lexicon::Triple) -> Command {
    link::driver(triple)
}

/// The command as a shell would read it.
fn shown(command: &Command) -> String {
    let quoted = |word: &OsStr| {
        let text = word.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:%@".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    std::iter::once(command.get_program()).chain(command.get_args()).map(quoted).collect::<Vec<_>>().join(" ")
}

/// Runs `cc`, or prints its command line.
fn run(line: &Line, command: &mut Command) -> Result<(), Failure> {
    if line.verbose {
        tell(&format!(" {}\n", shown(command)));
    }
    if line.dry {
        return Ok(());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|e| Failure::Link(format!("Cannot run '{program}': {e}")))?;
    match status.code() {
        Some(0) => Ok(()),
        Some(code) => Err(Failure::Link(format!("{program} returned {code} exit status"))),
        None => Err(Failure::Link(format!("{program} was interrupted"))),
    }
}

/// Runs the link, or prints its command line. Undefined symbols are shown with the lines that need them.
fn run_link(line: &Line, options: &Options, command: &mut Command) -> Result<(), Failure> {
    if line.dry || line.verbose {
        return run(line, command);
    }
    link::check_driver(&options.triple).map_err(|e| Failure::Link(e.to_string()))?;
    let program = command.get_program().to_string_lossy().into_owned();
    let mut session = Session { display: options.display, ..Session::default() };
    session.diagnostics.set_policy(options.policy);
    let outcome = linking::run(command, &mut session, options.semantics.checks != Default::default());
    show_diagnostics(session, line.json);
    let outcome = outcome.map_err(|e| Failure::Link(link::start(&options.triple, command, e).to_string()))?;
    match outcome.code {
        Some(0) => Ok(()),
        _ if outcome.refused => Err(Failure::Source),
        Some(code) => Err(Failure::Link(format!("{program} returned {code} exit status"))),
        None => Err(Failure::Link(format!("{program} was interrupted"))),
    }
}

/// `-c` and `-S` of sources that are not Fortran.
pub fn compile_others(line: &Line, options: &Options) -> Result<(), Failure> {
    let words: Vec<&OsString> = line.inputs.iter().filter_map(word).collect();
    for input in &line.inputs {
        let Input::Other(path) = input else { continue };
        if !is_source(path) && !words.iter().any(|w| *w == "-x") {
            tell(&format!(
                "trueline fc: warning: {}: linker input file unused because linking not done\n",
                path.display()
            ));
            continue;
        }
        let mut command = cc(&options.triple);
        command.arg(if line.stage == Stage::Assemble { "-S" } else { "-c" });
        command.args(for_c(line)).arg(protected(path));
        if let Some(output) = &line.output {
            command.arg("-o").arg(protected(output));
        }
        run(line, &mut command)?;
    }
    Ok(())
}

fn word(input: &Input) -> Option<&OsString> {
    match input {
        Input::Word(word) => Some(word),
        _ => None,
    }
}

fn is_source(path: &Path) -> bool {
    let suffix = crate::language::suffix(path);
    ["c", "cc", "cpp", "cxx", "C", "s", "S", "sx", "i"].contains(&suffix.as_str())
}

/// Options that C sources are compiled with, too.
fn for_c(line: &Line) -> Vec<OsString> {
    let mut out = line.for_cc.clone();
    for dir in &line.include_dirs {
        out.extend([OsString::from("-I"), dir.clone().into_os_string()]);
    }
    out.extend(line.definitions.iter().map(|d| match d {
        trueline_cpp::Definition::Define(text) => OsString::from(format!("-D{text}")),
        trueline_cpp::Definition::Undefine(name) => OsString::from(format!("-U{name}")),
    }));
    if line.debug {
        out.push("-g".into());
    }
    if line.level > OptLevel::O0 {
        out.push(format!("-{}", line.level).into());
    }
    out.push("-fPIC".into());
    out
}

/// Links everything, our objects in the places of their sources.
pub fn link(line: &Line, options: &Options, objects: &[PathBuf]) -> Result<(), Failure> {
    let mut words: Vec<OsString> = Vec::new();
    let mut objects = objects.iter();
    for input in &line.inputs {
        match input {
            Input::Fortran(_) => words.extend(objects.next().map(|o| o.clone().into_os_string())),
            Input::Other(path) => words.push(protected(path)),
            Input::Word(word) => words.push(word.clone()),
        }
    }
    if line.inputs.iter().any(|i| matches!(i, Input::Other(p) if is_source(p))) {
        words.extend(for_c(line));
    } else {
        words.extend(line.for_cc.iter().cloned());
    }
    if line.shared {
        words.push("-shared".into());
    }
    if line.verbose && !line.dry {
        words.push("-v".into());
    }
    let target = line.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
    let directory =
        output::temporary_directory().map_err(|e| Failure::User(format!("Cannot make a temporary directory: {e}")))?;
    // Beside the place where it will be, a link that fails would leave something behind.
    let linked = directory.path().join(target.file_name().unwrap_or(OsStr::new("a.out")));
    let archive = runtime::archive(&options.triple, None).map_err(Failure::User)?;
    let inputs =
        link::Inputs { objects: Vec::new(), runtime: archive, extra: words, output: &linked, triple: &options.triple };
    run_link(line, options, &mut link::command(&inputs))?;
    // `-Wl,--version` asks the linker, which links nothing then.
    if line.dry || !linked.exists() {
        return Ok(());
    }
    let cannot = |e| Failure::User(format!("Cannot write '{}': {e}", target.display()));
    let bytes = runtime::read(&linked).map_err(cannot)?;
    output::write_atomically(&target, &bytes, output::Mode::Program).map_err(cannot)
}

/// A path that `cc` takes for no option.
fn protected(path: &Path) -> OsString {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(path).into_os_string(),
        _ => path.as_os_str().to_owned(),
    }
}
