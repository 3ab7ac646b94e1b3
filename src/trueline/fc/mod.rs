//! `trueline fc`: a compiler driver with gfortran's command line.
//!
//! [`args`] reads the line, [`compile`] brings each source to an object in the order in which their modules need each
//! other, [`link`] hands everything else to `cc`.

pub mod args;
mod compile;
mod depend;
mod directories;
mod link;

use crate::commands::select::USUAL_BUDGET;
use crate::commands::{self, complain, print, tell};
use crate::flags::{self, Effect};
use crate::options::{self, Color, Format, Info, Options};
use crate::{exit, target};
use args::{Input, Line, Question, Stage};
use std::ffi::OsString;
use std::path::PathBuf;
use target_lexicon::Triple;
use trueline_cpp::Definition;
use trueline_instrument::TimeMode;
use trueline_ir::OptLevel;
use trueline_sema::Standard;

/// The gfortran that programs and build systems may take this compiler for: they ask for its version to find out
/// the features of the language and the flags.
pub const GNU_VERSION: &str = "12.2.0";

/// The name that messages about the command line bear.
const FC: &str = "trueline fc";

/// Runs `trueline fc`; returns the exit code.
pub fn main(args: Vec<OsString>) -> i32 {
    let line = match args::parse(args) {
        Ok(line) => line,
        Err(text) => return fatal(&text),
    };
    if let Some(question) = &line.question {
        return match triple(&line) {
            Ok(triple) => answer(question, &triple),
            Err(text) => fatal(&text),
        };
    }
    for remark in &line.remarks {
        tell(&format!("trueline fc: warning: {remark}\n"));
    }
    let options = match options(&line) {
        Ok(options) => options,
        Err(text) => return fatal(&text),
    };
    if line.verbose {
        tell(&version());
    }
    // Libraries and words for the linker are inputs of it: `-Wl,--version` alone asks it.
    let is_input = |i: &Input| match i {
        Input::Word(word) => ["-l", "-Wl,", "-Xlinker"].iter().any(|p| word.to_string_lossy().starts_with(p)),
        _ => true,
    };
    if !line.inputs.iter().any(is_input) {
        return if line.verbose { exit::OK } else { fatal("no input files") };
    }
    let files = line.inputs.iter().filter(|i| !matches!(i, Input::Word(_))).count();
    if line.output.is_some() && files > 1 && line.stage != Stage::Link {
        return fatal("cannot specify '-o' with '-c', '-S' or '-E' with multiple files");
    }
    if line.dependencies.only || line.stage == Stage::Preprocess {
        return depend::preprocess(&line, &options);
    }
    compile::run(&line, &options)
}

fn fatal(text: &str) -> i32 {
    complain(text);
    exit::SOURCE
}

fn version() -> String {
    format!("GNU Fortran (trueline {}) {GNU_VERSION}\n", env!("CARGO_PKG_VERSION"))
}

/// The target: that of `--target`, or this machine's.
fn triple(line: &Line) -> Result<Triple, String> {
    line.target.as_deref().map_or_else(|| Ok(Triple::host()), target::parse)
}

fn answer(question: &Question, triple: &Triple) -> i32 {
    match question {
        Question::Version => print(&version()),
        Question::Answer(text) => print(&format!("{text}\n")),
        Question::Help => print(&flags::docs::fc_help()),
        Question::Ask(word) if word.as_encoded_bytes().ends_with(b"-print-search-dirs") => {
            return directories::answer(word, triple);
        }
        Question::Ask(word) => {
            let status = link::cc(triple).arg(word).status();
            return status.ok().and_then(|s| s.code()).unwrap_or(exit::SOURCE);
        }
    }
    exit::OK
}

/// The macros that are there before the first line: gfortran's, and our own.
pub fn predefined(level: OptLevel) -> Vec<Definition> {
    let mut numbers = GNU_VERSION.split('.');
    let mut number = || numbers.next().unwrap_or("0").to_owned();
    let (date, time) = build_time();
    let list = [
        ("__GNUC__", number()),
        ("__GNUC_MINOR__", number()),
        ("__GNUC_PATCHLEVEL__", number()),
        ("__GFORTRAN__", "1".to_owned()),
        ("__TRUELINE__", "1".to_owned()),
        ("__VERSION__", format!("\"{GNU_VERSION}\"")),
        ("_LANGUAGE_FORTRAN", "1".to_owned()),
        ("__DATE__", format!("\"{date}\"")),
        ("__TIME__", format!("\"{time}\"")),
    ];
    let mut out: Vec<Definition> = list.into_iter().map(|(n, v)| Definition::Define(format!("{n}={v}"))).collect();
    let optimize: &[&str] = if level > OptLevel::O0 { &["__OPTIMIZE__"] } else { &[] };
    let flags = optimize.iter().chain(&["_LP64", "__LP64__", "__GFC_INT_1__", "__GFC_INT_2__", "__GFC_INT_8__"]);
    out.extend(flags.map(|name| Definition::Define((*name).to_owned())));
    let sizes = [("SHORT", 2), ("INT", 4), ("LONG", 8), ("LONG_LONG", 8), ("POINTER", 8), ("SIZE_T", 8), ("DOUBLE", 8)];
    out.extend(sizes.map(|(name, size)| Definition::Define(format!("__SIZEOF_{name}__={size}"))));
    let orders = [("LITTLE_ENDIAN", "1234"), ("BIG_ENDIAN", "4321"), ("PDP_ENDIAN", "3412")];
    out.extend(orders.map(|(name, value)| Definition::Define(format!("__ORDER_{name}__={value}"))));
    for order in ["__BYTE_ORDER__", "__FLOAT_WORD_ORDER__"] {
        out.push(Definition::Define(format!("{order}=__ORDER_LITTLE_ENDIAN__")));
    }
    out.push(Definition::Define("__CHAR_BIT__=8".to_owned()));
    out
}

/// `__DATE__` and `__TIME__`: those of `SOURCE_DATE_EPOCH`, else of 1970, so that the same source gives the same object.
fn build_time() -> (String, String) {
    let seconds = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|s| s.parse::<u64>().ok()).unwrap_or(0);
    let stamp = commands::civil(seconds);
    let part = |a: usize, b: usize| stamp.get(a..b).unwrap_or("01");
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = part(4, 6).parse::<usize>().ok().and_then(|m| names.get(m.wrapping_sub(1))).unwrap_or(&"Jan");
    let day = part(6, 8).parse::<u32>().unwrap_or(1);
    let date = format!("{month} {day:2} {}", part(0, 4));
    (date, format!("{}:{}:{}", part(9, 11), part(11, 13), part(13, 15)))
}

/// The driver's options for a command line, without files.
pub fn options(line: &Line) -> Result<Options, String> {
    let mut options = options::default_options(Vec::new(), line.level);
    options::set_target(&mut options, triple(line)?);
    for word in &line.machine {
        if !options.processor.take(word, &options.triple)? {
            tell(&format!("{}: warning: unrecognized command-line option '-m{word}' has no effect\n", line.by));
        }
    }
    options.debug = line.debug;
    options.preprocess = line.preprocess;
    options.syntax.include_dirs = line.include_dirs.clone();
    options.syntax.may_be_empty = line.by == FC;
    let definitions = predefined(line.level).into_iter().chain(line.definitions.iter().cloned()).collect();
    options.cpp = trueline_cpp::Options { definitions, include_dirs: line.include_dirs.clone() };
    let own = line.module_dir.clone().unwrap_or_else(|| PathBuf::from("."));
    options.module_dirs = std::iter::once(own).chain(line.include_dirs.iter().cloned()).collect();
    if line.fast {
        options.contract = true;
        options.optimize.arithmetic = trueline_opt::Arithmetic::FAST;
    }
    for flag in &line.flags {
        apply(flag, line.by, &mut options)?;
    }
    options.semantics.rules.standard = standard(line)?;
    options.semantics.rules.deleted = options.semantics.rules.standard == Standard::Gnu;
    if options.semantics.rules.standard < Standard::Gnu {
        options.semantics.warnings.apply("tabs");
    }
    for word in &line.warnings {
        let effect = flags::warn(word, &mut options.semantics, &mut options.policy, &mut options.named_policies);
        if effect == Effect::Unknown {
            tell(&format!("{}: warning: unrecognized command-line option '-W{word}' has no effect\n", line.by));
        }
    }
    options.semantics.only_check |= line.stage == Stage::Check;
    options.semantics.io.legacy = options.semantics.rules.standard == Standard::Legacy;
    options.semantics.argument_mismatch |= options.semantics.rules.standard == Standard::Legacy;
    flags::settle(&mut options);
    // Objects may be linked with anything, so threads may run them.
    options.selection.atomic = options.profile.is_some();
    Ok(options)
}

/// `-std=`
fn standard(line: &Line) -> Result<Standard, String> {
    let Some(name) = line.standard.as_deref() else { return Ok(Standard::default()) };
    Standard::named(name).ok_or_else(|| format!("unrecognized command-line option '-std={name}'"))
}

fn apply(flag: &str, by: &str, options: &mut Options) -> Result<(), String> {
    match flag {
        "profile-trueline" | "profile-trueline=outer" => {
            options.profile = Some(TimeMode::Outer);
            options.selection.overhead = Some(USUAL_BUDGET);
        }
        "profile-trueline=all" => options.profile = Some(TimeMode::All),
        "profile-trueline=none" => {
            options.profile = Some(TimeMode::None);
            options.selection.overhead = Some(USUAL_BUDGET);
        }
        _ if options.optimize.arithmetic.take(flag) => match flag {
            "fast-math" | "unsafe-math-optimizations" => options.contract = true,
            "no-fast-math" | "no-unsafe-math-optimizations" => options.contract = false,
            _ => {}
        },
        _ if options.optimize.switches.take(flag) => {}
        _ if flag.starts_with("blas-matmul-limit=") => return Err(format!("'-f{flag}': a number is wanted")),
        "fp-contract=fast" | "fp-contract=on" => options.contract = true,
        "fp-contract=off" => options.contract = false,
        _ if flag.starts_with("fp-contract=") => return Err(format!("'-f{flag}': fast, on or off")),
        "syntax-only" => options.semantics.only_check = true,
        "diagnostics-color" => options.display.color = Color::Always,
        "no-diagnostics-color" => options.display.color = Color::Never,
        _ if flag.starts_with("diagnostics-color=") => {
            options.display.color = match &flag["diagnostics-color=".len()..] {
                "auto" => Color::Auto,
                "always" => Color::Always,
                "never" => Color::Never,
                _ => return Err(format!("'-f{flag}': auto, always or never")),
            };
        }
        _ if flag.starts_with("diagnostics-format=") => {
            options.display.format = match &flag["diagnostics-format=".len()..] {
                "text" => Format::Text,
                "gcc" => Format::Gcc,
                "json" => Format::Json,
                _ => return Err(format!("'-f{flag}': text, gcc or json")),
            };
        }
        "save-optimization-record" => options.remarks.record = Some(PathBuf::new()),
        _ if flag.strip_prefix("opt-info").is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '='])) => {
            let what = &flag["opt-info".len()..];
            let info = Info::parse(what.strip_prefix('-').unwrap_or(what));
            options.remarks.info = Some(info.ok_or_else(|| format!("unrecognized command-line option '-f{flag}'"))?);
        }
        "no-profile-trueline" => options.profile = None,
        _ if flag.starts_with("profile-samples=") => {
            options.selection.samples = Some(crate::commands::select::samples(&flag["profile-samples=".len()..])?);
        }
        _ if flag.starts_with("profile-use=") && flag.ends_with(".json") => {
            options.profile_use = Some(std::path::PathBuf::from(&flag["profile-use=".len()..]));
        }
        _ if flag.starts_with("max-errors=") => {
            let n = flag["max-errors=".len()..].parse().map_err(|_| format!("'-f{flag}': a number"))?;
            options.most_errors = (n > 0).then_some(n);
        }
        "openmp" | "openmp-simd" | "openacc" => {
            tell(&format!("{by}: warning: '-f{flag}' has no effect: the program runs on one processor\n"));
        }
        _ => {
            if flags::apply(flag, &mut options.syntax, &mut options.semantics)? == Effect::Unknown {
                tell(&format!("{by}: warning: unrecognized command-line option '-f{flag}' has no effect\n"));
            }
        }
    }
    Ok(())
}
