//! `build`, `run`, `profile`: from source to figures.

use super::{
    complain, cost, finish, is_linker_input, options, print, printable, ranks, remarks, stem, tell, time_mode,
};
use crate::cli::{Build, Compile, How, PROFILE, Profile, Run};
use crate::driver::{Failure, Session};
use crate::options::{Options, Remarks};
use crate::progress::Progress;
use crate::{exit, linking, modules, output, pipeline, runtime, target};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use trueline_abi::profile::sealed;
use trueline_codegen::link;
use trueline_report::FlatOptions;

/// `trueline build`.
pub fn build(args: &Build) -> i32 {
    let selected = options(&args.compile).and_then(|o| args.select.select(o, &args.compile));
    let mut options = match selected {
        Ok(options) => options,
        Err(text) => return usage(&text),
    };
    if args.profile {
        options.profile = Some(time_mode(&args.compile.time));
    }
    if options.semantics.only_check {
        let mut session = Session::default();
        let result = pipeline::analyze(&mut session, &options).map(|_| exit::OK);
        return finish(session, args.compile.json, result);
    }
    if args.object && args.select.profile_update == "auto" {
        // The objects that it will be linked with are not known.
        options.selection.atomic = true;
    }
    if args.emit.is_some() {
        let first = options.files.first().map_or_else(|| PathBuf::from("a"), |f| stem(f));
        let output = args.output.clone().unwrap_or(if args.object { first } else { PathBuf::from("a.out") });
        options.remarks.record = Some(remarks::record_of(&output));
    }
    let mut session = Session::default();
    let result = if args.certify {
        certify(&mut session, &options)
    } else if args.object {
        object(&mut session, &options, args)
    } else {
        let output = args.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
        executable(&mut session, &options, &args.compile, &output).map(|()| exit::OK)
    };
    finish(session, args.compile.json, result)
}

/// T1 on the command line.
fn certify(session: &mut Session, options: &Options) -> Result<i32, Failure> {
    let (plain, profiled) = pipeline::certify(session, options)?;
    if plain == profiled {
        print("identical\n");
        return Ok(exit::OK);
    }
    let first = plain.lines().zip(profiled.lines()).position(|(a, b)| a != b).unwrap_or(0);
    print(&format!("different from line {} on\n", first + 1));
    for (name, text) in [("plain", &plain), ("profiled", &profiled)] {
        let around: Vec<&str> = text.lines().skip(first.saturating_sub(2)).take(6).collect();
        print(&format!("{name}:\n  {}\n", around.join("\n  ")));
    }
    Err(Failure::Bug("profiling changed the optimized program".to_owned()))
}

fn object(session: &mut Session, options: &Options, args: &Build) -> Result<i32, Failure> {
    let progress = Progress::new(2);
    progress.step("analysing");
    let mut asts = pipeline::parse(session, options)?;
    let program = pipeline::analyze_trees(session, &mut asts, options)?;
    for ast in asts.iter().filter(|a| !a.external && !a.provided) {
        for interface in modules::interfaces(ast, &asts, &session.map, options) {
            let directory = args.compile.module_dir.as_deref().unwrap_or(Path::new("."));
            modules::write(directory, &interface).map_err(Failure::User)?;
        }
    }
    pipeline::forget(asts);
    progress.step("optimizing");
    let mut compiled = pipeline::optimize_for_object(program, options)?;
    drop(progress);
    let bytes = pipeline::object(&mut compiled, options)?;
    report_passes(&compiled, &args.compile);
    remarks::write(&compiled, &options.remarks)?;
    let first = options.files.first().map_or_else(|| PathBuf::from("a"), |f| stem(f));
    let path = args.output.clone().unwrap_or_else(|| first.with_extension("o"));
    write(&path, &bytes)?;
    Ok(exit::OK)
}

/// Writes an output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    output::write_atomically(path, bytes, output::Mode::Data)
        .map_err(|e| Failure::User(format!("Cannot write '{}': {e}", path.display())))
}

/// Compiles and links to `output`, which appears whole or not at all.
fn executable(session: &mut Session, options: &Options, args: &Compile, output: &Path) -> Result<(), Failure> {
    let progress = Progress::new(2);
    progress.step("analysing");
    let program = pipeline::analyze(session, options)?;
    progress.step("optimizing");
    let mut compiled = pipeline::optimize_for_object(program, options)?;
    progress.step("generating code");
    let bytes = pipeline::object(&mut compiled, options)?;
    drop(progress);
    report_passes(&compiled, args);
    remarks::write(&compiled, &options.remarks)?;
    let progress = Progress::new(2);
    let directory =
        output::temporary_directory().map_err(|e| Failure::User(format!("Cannot make a temporary directory: {e}")))?;
    let object = directory.path().join("program.o");
    write(&object, &bytes)?;
    let archive = runtime::archive(&options.triple, args.rt_dir.as_deref()).map_err(Failure::User)?;
    let linked = directory.path().join("program");
    let mut objects = vec![object];
    objects.extend(args.files.iter().filter(|f| is_linker_input(f)).cloned());
    let mut extra: Vec<OsString> = Vec::new();
    for dir in &args.library_dir {
        extra.extend([OsString::from("-L"), dir.clone().into_os_string()]);
    }
    extra.extend(args.library.iter().map(|l| OsString::from(format!("-l{l}"))));
    extra.extend(args.link_word.iter().map(OsString::from));
    extra.extend(
        args.machine.iter().filter(|m| *m == "64" || m.starts_with("cmodel=")).map(|m| format!("-m{m}").into()),
    );
    let inputs = link::Inputs { objects, runtime: archive, extra, output: &linked, triple: &options.triple };
    progress.step("linking");
    link_all(session, options, &mut link::command(&inputs))?;
    drop(progress);
    let cannot = |e| Failure::User(format!("Cannot write '{}': {e}", output.display()));
    let bytes = runtime::read(&linked).map_err(cannot)?;
    output::write_atomically(output, &bytes, output::Mode::Program).map_err(cannot)
}

/// Runs the link; undefined symbols become diagnostics of the session.
fn link_all(session: &mut Session, options: &Options, command: &mut Command) -> Result<(), Failure> {
    link::check_driver(&options.triple).map_err(|e| Failure::Link(e.to_string()))?;
    let outcome = linking::run(command, session, options.semantics.checks != Default::default())
        .map_err(|error| Failure::Link(link::start(&options.triple, command, error).to_string()))?;
    match outcome.code {
        Some(0) => Ok(()),
        _ if outcome.explained > 0 && !outcome.has_other_messages => Err(Failure::Link("Linking failed".to_owned())),
        code => {
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            let words: Vec<String> = words.map(|w| w.to_string_lossy().into_owned()).collect();
            Err(Failure::Link(link::Error::Failed { command: words.join(" "), code }.to_string()))
        }
    }
}

/// `--dump` and `--time-passes`.
fn report_passes(compiled: &pipeline::Compiled, args: &Compile) {
    for text in &compiled.stale {
        tell(&format!("trueline: warning: {}\n", printable(text)));
    }
    for d in &compiled.stats.dumps {
        tell(&super::inspect::difference(d));
    }
    if args.time_passes {
        for p in &compiled.stats.passes {
            tell(&format!("{:>10.3} ms  {:>8} edits  {}\n", p.time.as_secs_f64() * 1e3, p.edits, p.pass));
        }
    }
}

/// `trueline run`.
pub fn run(args: &Run) -> i32 {
    let options = match options(&args.compile) {
        Ok(options) => options,
        Err(text) => return usage(&text),
    };
    let mut session = Session::default();
    let result = with_executable(&mut session, &options, &args.compile, |program| {
        execute(on_ranks(start(&options, program)?, &args.compile)?.args(&args.args))
    });
    finish(session, args.compile.json, result)
}

/// A command that runs a program for the target.
pub(super) fn start(options: &Options, program: &Path) -> Result<Command, Failure> {
    target::command(&options.triple, options.runner.as_deref(), program).map_err(Failure::User)
}

/// Has the program start on as many ranks as `-np` says.
fn on_ranks(mut command: Command, how: &How) -> Result<Command, Failure> {
    let is_mpi = how.transport == "mpi";
    let Some(ranks) = how.ranks.map(|ranks| ranks.to_string()) else {
        return if is_mpi {
            Err(Failure::User("--transport mpi needs the number of ranks: -np N".to_owned()))
        } else {
            Ok(command)
        };
    };
    command.env("TRUELINE_NP", &ranks);
    if !is_mpi {
        return Ok(command);
    }
    let words = std::env::var("TRUELINE_MPIRUN").unwrap_or_default();
    let mut words = words.split_whitespace();
    let launcher = words.next().unwrap_or("mpirun");
    if let Err(e) = Command::new(launcher).arg("--version").output() {
        let text = format!(
            "Cannot run '{launcher}': {e}; install Open MPI or MPICH, or name another command by TRUELINE_MPIRUN"
        );
        return Err(Failure::User(text));
    }
    let mut outer = Command::new(launcher);
    outer.args(words).args(["-np", &ranks]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    Ok(outer)
}

/// Compiles to a temporary directory and does something with the executable; with `-fsyntax-only` only checks the source.
pub(super) fn with_executable(
    session: &mut Session,
    options: &Options,
    args: &Compile,
    f: impl FnOnce(&Path) -> Result<i32, Failure>,
) -> Result<i32, Failure> {
    if options.semantics.only_check {
        return pipeline::analyze(session, options).map(|_| exit::OK);
    }
    let directory =
        output::temporary_directory().map_err(|e| Failure::User(format!("Cannot make a temporary directory: {e}")))?;
    let name = options.files.first().map_or_else(|| PathBuf::from("program"), |f| stem(f));
    let program = directory.path().join(name);
    executable(session, options, args, &program)?;
    f(&program)
}

/// Runs the program; its exit code is ours, of a signal 128 and its number.
fn execute(command: &mut Command) -> Result<i32, Failure> {
    let status =
        crate::interrupt::status(command).map_err(|e| Failure::User(format!("Cannot run the program: {e}")))?;
    Ok(code(status))
}

fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            tell(&format!("trueline: the program was ended by signal {signal}\n"));
            return 128 + signal;
        }
    }
    status.code().unwrap_or(exit::BUG)
}

/// Runs the profiled program, and then it and the plain one in turn; adds the times of both to the profile at `path`.
fn with_cost(
    args: &Profile,
    options: &Options,
    program: &Path,
    mut command: Command,
    path: &Path,
) -> Result<i32, Failure> {
    let directory = cost::directory()?;
    let (mut child, input) = cost::first_run(&mut command, directory.path())?;
    let first = child.wait().map_err(|e| Failure::User(format!("Cannot run the program: {e}")))?;
    let mut plain = options.clone();
    plain.profile = None;
    plain.remarks = Remarks::default();
    let how = How { time_passes: false, ..args.compile.how.clone() };
    let compile = Compile { how, ..args.compile.clone() };
    with_executable(&mut Session::default(), &plain, &compile, |plain| {
        let profile = directory.path().join("profile.json");
        let environment = vec![("TRUELINE_PROFILE_FILE", profile.as_os_str().to_owned())];
        let profiled = cost::Version { program: start(options, program)?, environment };
        let plain = cost::Version { program: start(options, plain)?, environment: vec![] };
        let notes = cost::notes(&args.compile.files, &args.compile.library);
        let compared = cost::compare(&plain, &profiled, &args.args, &input, first, notes)?;
        let mut profile = read_profile(path)?;
        profile.overhead.compared = Some(compared);
        let json = sealed(&profile).map_err(|e| Failure::Bug(e.to_string()))?;
        write(path, &json)?;
        Ok(code(first))
    })
}

/// `trueline profile`.
pub fn profile(args: &Profile) -> i32 {
    let selected = options(&args.compile).and_then(|o| args.select.select(o, &args.compile));
    let mut options = match selected {
        Ok(options) => options,
        Err(text) => return usage(&text),
    };
    options.profile = Some(time_mode(&args.compile.time));
    if args.cost && args.compile.ranks.is_some_and(|ranks| ranks > 1) {
        return usage("--cost compares single processes; leave -np out");
    }
    let mut session = Session::default();
    let result = with_executable(&mut session, &options, &args.compile, |program| {
        let path = args.out.clone().unwrap_or_else(|| PathBuf::from(PROFILE));
        let mut ledger = None;
        let code = if args.cost {
            with_cost(args, &options, program, profiled(start(&options, program)?, &args.args, &path), &path)?
        } else {
            let mut command = profiled(on_ranks(start(&options, program)?, &args.compile)?, &args.args, &path);
            ledger = ranks::keep(&mut command, &args.compile, program);
            execute(&mut command)?
        };
        if !args.quiet {
            show(&path, &args.compile, &FlatOptions::default())?;
            ledger.iter().for_each(|path| ranks::show(path));
            tell(&format!("profile written to {}\n", printable(&path.display().to_string())));
        }
        Ok(code)
    });
    finish(session, args.compile.json, result)
}

/// A program that writes its profile to `path`.
fn profiled(mut command: Command, args: &[OsString], path: &Path) -> Command {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    // The runtime replaces `%` patterns; this path is meant as it stands.
    let pattern = absolute.to_string_lossy().replace('%', "%%");
    command.args(args).env("TRUELINE_PROFILE_FILE", pattern);
    command
}

/// Compiles and runs a program, and gives its exit code and profile to `f`.
///
/// # Errors
/// A failure of the build, or of reading the profile.
pub(crate) fn measured(
    session: &mut Session,
    options: &Options,
    compile: &Compile,
    args: &[OsString],
    f: impl FnOnce(i32, trueline_abi::profile::Profile) -> Result<i32, Failure>,
) -> Result<i32, Failure> {
    with_executable(session, options, compile, |program| {
        let path = program.with_extension("profile.json");
        let code = execute(&mut profiled(start(options, program)?, args, &path))?;
        f(code, read_profile(&path)?)
    })
}

/// The profile that a program has left.
fn read_profile(path: &Path) -> Result<trueline_abi::profile::Profile, Failure> {
    let bytes = runtime::read(path)
        .map_err(|e| Failure::User(format!("The program left no profile in '{}': {e}", path.display())))?;
    trueline_report::read(&bytes).map_err(|e| Failure::User(format!("'{}': {e}", path.display())))
}

/// `YYYYMMDD-HHMMSS` in UTC.
pub(crate) fn civil(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March 0000, in eras of 400 years (H. Hinnant, "chrono-compatible date algorithms").
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}{month:02}{day:02}-{:02}{:02}{:02}", rest / 3600, rest / 60 % 60, rest % 60)
}

fn show(path: &Path, args: &Compile, options: &FlatOptions) -> Result<(), Failure> {
    let profile = read_profile(path)?;
    if args.json {
        super::print_json(&(serde_json::to_string_pretty(&profile).unwrap_or_default() + "\n"));
    } else {
        print("\n");
        let index = trueline_report::Index::new(&profile);
        print(&trueline_report::brief(&index, options, super::report::style()));
    }
    Ok(())
}

pub(super) fn usage(text: &str) -> i32 {
    complain(text);
    exit::USAGE
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn dates() {
        assert_eq!(civil(0), "19700101-000000");
        assert_eq!(civil(951_782_399), "20000228-235959");
        assert_eq!(civil(951_782_400), "20000229-000000");
    }
}
