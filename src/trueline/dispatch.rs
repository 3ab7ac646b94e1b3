//! Runs the subcommand that a command line names.

use crate::cli::{Cli, Command};
use crate::{commands, exit, output};
use clap::{CommandFactory, Parser};
use std::ffi::OsString;
use std::path::Path;

/// Runs the command line; returns the exit code.
pub fn main(args: impl IntoIterator<Item = OsString>) -> i32 {
    let args: Vec<OsString> = args.into_iter().collect();
    if is_gfortran(&args) {
        return told(crate::fc::main(args.into_iter().skip(1).collect()));
    }
    if let Some(code) = commands::print_shipped(&args) {
        return code;
    }
    let cli = match Cli::try_parse_from(crate::flags::words::translated(args)) {
        Ok(cli) => cli,
        Err(e) => {
            // There is no place to report a failure of standard error.
            let _ = e.print();
            return if e.use_stderr() { exit::USAGE } else { exit::OK };
        }
    };
    told(dispatch(cli))
}

/// Whether the command line is gfortran's: the program is called by the name of the link `trueline-gfortran`, or it names a
/// Fortran source and no command, as `trueline -O2 prog.f90`.
fn is_gfortran(args: &[OsString]) -> bool {
    let name = args.first().map(|a| Path::new(a).file_stem().unwrap_or_default().to_string_lossy().into_owned());
    if name.is_some_and(|n| n.ends_with("gfortran")) {
        return true;
    }
    let is_source = |a: &OsString| crate::language::is_fortran(Path::new(a));
    let is_command = |a: &OsString| Cli::command().get_subcommands().any(|c| a == c.get_name());
    !args.get(1).is_none_or(is_command) && args.iter().skip(1).any(is_source)
}

/// The exit code, unless output was lost.
fn told(code: i32) -> i32 {
    match output::lost() {
        Some(error) => {
            commands::complain(&format!("Cannot write the output: {error}"));
            code.max(exit::SOURCE)
        }
        None => code,
    }
}

fn dispatch(cli: Cli) -> i32 {
    match cli.command {
        Command::Build(a) => commands::build(&a),
        Command::Fc(a) => crate::fc::main(a.args),
        Command::Run(a) => commands::run(&a),
        Command::Profile(a) => commands::profile(&a),
        Command::Map(a) => commands::map(&a),
        Command::Explain(a) => commands::explain(&a),
        Command::Dump(a) => commands::dump(&a),
        Command::Report(a) => commands::report(&a),
        Command::Advise(a) => commands::advise(&a),
        Command::Merge(a) => commands::merge(&a),
        Command::Score(a) => commands::score(&a),
        Command::Runtime(a) => commands::runtime(&a),
        Command::Diff(a) => commands::diff(&a),
        Command::Export(a) => commands::export(&a),
    }
}
