//! The command line: the subcommands and their options.

use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use trueline_ir::OptLevel;

/// The version with the commit it was built from, if that is known, and the target.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("TRUELINE_BUILD"), ")");

/// The file that `profile` leaves, unless `--out` names another; programs leave their profiles there, too.
pub const PROFILE: &str = "trueline-profile.json";

/// A Fortran/HPF compiler that profiles the optimized program on its true source lines.
#[derive(Parser, Debug)]
#[command(
    name = "trueline",
    version = VERSION,
    disable_help_subcommand = true,
    infer_subcommands = false,
    after_help = "trueline --print WHAT prints a part of the installation: header (of the profile library, for C), runtime (the place of the\nlibrary), man (the man page), completions-bash, completions-zsh, completions-fish"
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Compile and link
    Build(Build),
    /// Compile, link and run
    Run(Run),
    /// Compile with profiling, run, and show the profile on the source
    Profile(Profile),
    /// Compile and link as gfortran does, with its options: `trueline fc --help`
    Fc(Fc),
    /// Show which optimized code belongs to which source statement, and the other way
    Map(Map),
    /// Tell the story of a source line: every edit that touched it; or explain the code of a message
    Explain(Explain),
    /// Print the program at some level
    Dump(Dump),
    /// Show a profile, or the sum of several
    Report(Report),
    /// Give advice on the hottest loops of a profile, or of a program that is compiled and run
    Advise(Advise),
    /// Add up profiles of several runs or processes
    Merge(Merge),
    /// Show which procedures are worth a timer, and why
    Score(Score),
    /// Compare two profiles
    Diff(Diff),
    /// Write a profile, or the sum of several, in the format of another tool
    Export(Export),
    /// Make or install the runtime library for another target
    Runtime(Runtime),
}

/// The inputs, and how to compile them.
#[derive(Args, Debug, Clone)]
pub struct Compile {
    /// Source files, objects and archives
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The options of compiling.
    #[command(flatten)]
    pub how: How,
}

impl std::ops::Deref for Compile {
    type Target = How;
    fn deref(&self) -> &How {
        &self.how
    }
}

/// The options of compiling: gfortran's, which docs/flags.md lists, and our own.
#[derive(Args, Debug, Clone)]
pub struct How {
    /// Optimization level: 0 to 3
    #[arg(short = 'O', value_name = "LEVEL", default_value = "3")]
    pub level: OptLevel,
    /// Directory to search for INCLUDE files and module files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Directory for module files
    #[arg(short = 'J', value_name = "DIR")]
    pub module_dir: Option<PathBuf>,
    /// Define a macro of the preprocessor
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Preprocess; gfortran's -cpp
    #[arg(long, overrides_with = "nocpp")]
    pub cpp: bool,
    /// Do not preprocess; gfortran's -nocpp
    #[arg(long)]
    pub nocpp: bool,
    /// Standard: f77, f95, f2003, f2008, f2018, gnu, legacy; gfortran's -std=
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,
    /// Write debug information (DWARF)
    #[arg(short = 'g')]
    pub debug: bool,
    /// gfortran's -f flags: -ffree-form, -fcheck=bounds, ... (docs/flags.md)
    #[arg(short = 'f', value_name = "FLAG")]
    pub flag: Vec<String>,
    /// -Wall, -Wextra, -WNAME, -Wno-NAME, -Werror
    #[arg(short = 'W', value_name = "WARNING")]
    pub warning: Vec<String>,
    /// gfortran's -m options
    #[arg(short = 'm', value_name = "OPTION")]
    pub machine: Vec<String>,
    /// Compile HPF for several ranks, as -fhpf; `run` and `profile` start so many
    #[arg(long = "np", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub ranks: Option<u32>,
    /// Another distribution of an array or template than its directives say: 'mesh(*,BLOCK)', with the formats *, BLOCK, BLOCK(n), CYCLIC, CYCLIC(n)
    #[arg(long, value_name = "NAME(FORMAT,...)")]
    pub distribute: Vec<trueline_syntax::Distribute>,
    /// The way between ranks: processes of this machine, or an MPI whose mpirun starts them (TRUELINE_MPIRUN names another command)
    #[arg(long, value_name = "local|mpi", value_parser = ["local", "mpi"], default_value = "local", hide_default_value = true)]
    pub transport: String,
    /// Library to link
    #[arg(short = 'l', value_name = "LIBRARY")]
    pub library: Vec<String>,
    /// Directory to search for libraries
    #[arg(short = 'L', value_name = "DIR")]
    pub library_dir: Vec<PathBuf>,
    /// A word for the linker: -static, -pthread, -Wl,...
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    pub link_word: Vec<String>,
    /// Target: aarch64-unknown-linux-gnu or x86_64-unknown-linux-gnu (this machine's)
    #[arg(long, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// The command that runs programs for another target: "qemu-aarch64 -L DIR"
    #[arg(long, value_name = "COMMAND")]
    pub runner: Option<String>,
    /// Directory of the runtime library
    #[arg(long, value_name = "DIR")]
    pub rt_dir: Option<PathBuf>,
    /// Check every unit after every pass
    #[arg(long)]
    pub verify: bool,
    /// Run only the first N applications of passes
    #[arg(long, value_name = "N")]
    pub opt_bisect: Option<u64>,
    /// Make functions of at most about N operations, of which long procedures take several
    #[arg(long, value_name = "N")]
    pub stretch: Option<usize>,
    /// Run these passes, in this order
    #[arg(long, value_name = "PASS,...", value_delimiter = ',')]
    pub passes: Option<Vec<String>>,
    /// Print the program before and after a pass, or after all of them
    #[arg(long, value_name = "PASS")]
    pub dump: Vec<String>,
    /// Print the time that each pass took
    #[arg(long)]
    pub time_passes: bool,
    /// Report the optimizer's decisions, or its obstacles: optimized, missed, all; and the file
    #[arg(long, value_name = "WHAT[=FILE]", num_args = 0..=1, require_equals = true, default_missing_value = "optimized")]
    pub opt_info: Option<String>,
    /// Decide by the counts of an earlier run: unrolling, inlining, versions, layout
    #[arg(long, value_name = "PROFILE.json")]
    pub profile_use: Option<PathBuf>,
    /// The constructs that get timers in profiled builds
    #[arg(long, value_name = "WHAT", default_value = "outer", value_parser = ["all", "outer", "selective", "none"])]
    pub time: String,
    /// Diagnostics and other reports as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `build`.
#[derive(Args, Debug)]
pub struct Build {
    /// The options of compiling.
    #[command(flatten)]
    pub compile: Compile,
    /// The output
    #[arg(short = 'o', value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Compile only, do not link
    #[arg(short = 'c')]
    pub object: bool,
    /// Build with profiling
    #[arg(long)]
    pub profile: bool,
    /// Also write `remarks`, the optimizer's decisions and obstacles, beside the output as YAML
    #[arg(long, value_name = "WHAT", value_parser = ["remarks"])]
    pub emit: Option<String>,
    /// Check that profiling does not change the optimized program (T1)
    #[arg(long)]
    pub certify: bool,
    /// The selection of a profiled build.
    #[command(flatten)]
    pub select: crate::commands::select::Select,
}

/// Arguments of `runtime`.
#[derive(Args, Debug)]
pub struct Runtime {
    /// The action.
    #[command(subcommand)]
    pub action: RuntimeAction,
}

/// The actions of `runtime`.
#[derive(Subcommand, Debug)]
pub enum RuntimeAction {
    /// Make the archive by cargo
    Build {
        /// The target and the toolchain.
        #[command(flatten)]
        of: RuntimeOf,
        /// The archive
        #[arg(short = 'o', value_name = "FILE", default_value = "libtruelinert.a")]
        output: PathBuf,
    },
    /// Make the archive by cargo, or take one, and install it where this compiler finds it
    Install {
        /// The target and the toolchain.
        #[command(flatten)]
        of: RuntimeOf,
        /// An archive that `runtime build` made with the same compiler
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
}

/// The target of a runtime library, and the toolchain that makes it.
#[derive(Args, Debug)]
pub struct RuntimeOf {
    /// The target: aarch64-unknown-linux-gnu or x86_64-unknown-linux-gnu
    #[arg(long, value_name = "TRIPLE")]
    pub target: String,
    /// A Rust toolchain's directory with lib/rustlib/TRIPLE, and bin/rustc if its version is another one
    #[arg(long, value_name = "DIR")]
    pub std: Option<PathBuf>,
}

/// Arguments of `fc`.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub struct Fc {
    /// As gfortran's
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

/// Arguments of `score`.
#[derive(Args, Debug)]
pub struct Score {
    /// The options of compiling.
    #[command(flatten)]
    pub compile: Compile,
    /// The selection of a profiled build.
    #[command(flatten)]
    pub select: crate::commands::select::Select,
    /// Write a filter that leaves out procedures not worth a timer
    #[arg(long, value_name = "FILE")]
    pub write_filter: Option<PathBuf>,
}

/// Arguments of `run`.
#[derive(Args, Debug)]
pub struct Run {
    /// The options of compiling.
    #[command(flatten)]
    pub compile: Compile,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

/// Arguments of `profile`.
#[derive(Args, Debug)]
pub struct Profile {
    /// The options of compiling.
    #[command(flatten)]
    pub compile: Compile,
    /// The file for the profile as JSON (trueline-profile.json)
    #[arg(long, value_name = "FILE.json")]
    pub out: Option<PathBuf>,
    /// Print the program's output alone
    #[arg(long)]
    pub quiet: bool,
    /// Build the plain program, too, run both in turn, and say how much longer the profiled one takes. Changes of files by the
    /// program are made again each time
    #[arg(long)]
    pub cost: bool,
    /// The selection of a profiled build.
    #[command(flatten)]
    pub select: crate::commands::select::Select,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

/// Arguments of `map`.
#[derive(Args, Debug)]
pub struct Map {
    /// The options of compiling.
    #[command(flatten)]
    pub compile: Compile,
}

/// Arguments of `explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// The line, or the code of a message such as T0576
    #[arg(value_name = "FILE:LINE|CODE")]
    pub place: String,
    /// As a page for a browser: the code of the line at every level, and the changes of each pass
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// Every edit that touched the line, in the terms of docs/provenance.md, with rewritten operands
    #[arg(long)]
    pub theory: bool,
    /// The options of compiling the file.
    #[command(flatten)]
    pub compile: How,
}

/// Arguments of `dump`.
#[derive(Args, Debug)]
pub struct Dump {
    /// The options of compiling.
    #[command(flatten)]
    pub compile: Compile,
    /// The level
    #[arg(id = "ir_level", long = "level", value_name = "LEVEL")]
    #[arg(value_parser = ["ast", "vh", "h", "m", "l", "clif", "asm"], default_value = "vh")]
    pub level: String,
    /// Keep the column of sets
    #[arg(long)]
    pub sets: bool,
    /// Print the edits made so far
    #[arg(long)]
    pub edits: bool,
    /// With the tallies of a profiled build
    #[arg(long)]
    pub profile: bool,
    /// Instead: which processor owns which part of the arrays that HPF directives map
    #[arg(long, conflicts_with_all = ["ir_level", "sets", "edits", "profile"])]
    pub mappings: bool,
}

/// Arguments of `report`.
#[derive(Args, Debug)]
pub struct Report {
    /// The profile, or several to add up
    #[arg(value_name = "PROFILE.json", default_value = PROFILE)]
    pub profiles: Vec<PathBuf>,
    /// The view to show
    #[arg(long, value_name = "VIEW", default_value = "brief", value_parser = ["brief", "all", "statements", "procedures", "loops", "tree", "calls", "processors", "memory", "source"])]
    pub view: String,
    /// Sort by
    #[arg(long, default_value = "exclusive", value_parser = ["exclusive", "inclusive", "count", "line"])]
    pub sort: String,
    /// At most N rows
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Only constructs that contain TEXT
    #[arg(long = "match", value_name = "TEXT")]
    pub matching: Option<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
    /// As comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// As a page to open in a browser, in one file
    #[arg(long, value_name = "FILE.html", conflicts_with_all = ["json", "csv"])]
    pub html: Option<PathBuf>,
}

/// Arguments of `advise`.
#[derive(Args, Debug)]
pub struct Advise {
    /// A profile, or several to add up; or sources to compile and run
    #[command(flatten)]
    pub compile: Compile,
    /// The number of constructs, or of distributions, to give advice for
    #[arg(long, value_name = "N", default_value = "10")]
    pub limit: usize,
    /// With -np: the link between ranks, as seconds from sending to arriving and bytes a second
    #[arg(long, value_name = "LATENCY:BANDWIDTH", requires = "ranks")]
    pub link: Option<String>,
    /// Arguments of the program
    #[arg(last = true)]
    pub args: Vec<OsString>,
}

/// Arguments of `merge`.
#[derive(Args, Debug)]
pub struct Merge {
    /// The profiles
    #[arg(required = true, value_name = "PROFILE.json")]
    pub profiles: Vec<PathBuf>,
    /// The output
    #[arg(short = 'o', long = "output", value_name = "FILE.json")]
    pub output: PathBuf,
}

/// Arguments of `export`.
#[derive(Args, Debug)]
pub struct Export {
    /// The profile, or several to add up
    #[arg(value_name = "PROFILE.json", default_value = PROFILE)]
    pub profiles: Vec<PathBuf>,
    /// The format
    #[arg(long, value_name = "FORMAT", value_parser = clap::builder::PossibleValuesParser::new(trueline_report::Format::ALL.iter().map(|(_, name, reader)| clap::builder::PossibleValue::new(*name).help(*reader))))]
    pub format: String,
    /// The output; standard output without
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The executable that was profiled, for gmon
    #[arg(long, value_name = "FILE")]
    pub exe: Option<PathBuf>,
}

/// Arguments of `diff`.
#[derive(Args, Debug)]
pub struct Diff {
    /// The profile before
    #[arg(value_name = "OLD.json")]
    pub old: PathBuf,
    /// The profile after
    #[arg(value_name = "NEW.json")]
    pub new: PathBuf,
    /// Exit with 1 if a time or a count grew by more than this
    #[arg(long, value_name = "PERCENT", allow_hyphen_values = true)]
    pub fail_over: Option<String>,
    /// Show equal constructs as well
    #[arg(long)]
    pub all: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    /// Two arguments of one name, a default that is no value: clap finds them when asked.
    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        super::Cli::command().debug_assert();
    }
}
