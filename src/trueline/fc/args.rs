//! The command line of `trueline fc`: gfortran's.
//!
//! Options of gfortran without use here are accepted; an unknown one is a warning if it begins with `-f`, `-m` or `-W`.

use crate::language::Language;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use trueline_cpp::Definition;
use trueline_ir::OptLevel;

/// The last stage of a compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stage {
    /// `-E`: print the preprocessed source.
    Preprocess,
    /// `-fsyntax-only`
    Check,
    /// `-S`: write assembly.
    Assemble,
    /// `-c`: write an object.
    Compile,
    /// Write an executable or shared library.
    #[default]
    Link,
}

/// An input of the linker, in the order of the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// Source for us.
    Fortran(PathBuf),
    /// A file for `cc`: an object, an archive, source in C.
    Other(PathBuf),
    /// A word for `cc`: `-l`, `-Wl,`…
    Word(OsString),
}

/// `-M` and its kind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dependencies {
    /// `-M`, `-MM`: instead of anything else.
    pub only: bool,
    /// `-MD`, `-MMD`: beside the output.
    pub beside: bool,
    /// `-MP`
    pub phony: bool,
    /// `-MF`
    pub file: Option<PathBuf>,
    /// `-MT`, `-MQ`
    pub targets: Vec<String>,
}

/// A question to be answered instead of compiling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// `--version`
    Version,
    /// `-dumpversion` and others, with the answer.
    Answer(String),
    /// `-print-…`: `cc` knows.
    Ask(OsString),
    /// `--help`
    Help,
}

/// The command line.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The command, for messages.
    pub by: &'static str,
    /// The last stage.
    pub stage: Stage,
    /// The question to be answered instead.
    pub question: Option<Question>,
    /// The files and the words between them.
    pub inputs: Vec<Input>,
    /// `-o`
    pub output: Option<PathBuf>,
    /// `--target`
    pub target: Option<String>,
    /// `-Ofast`
    pub fast: bool,
    /// `-m` options about the processor, without `-m`
    pub machine: Vec<String>,
    /// `-I`
    pub include_dirs: Vec<PathBuf>,
    /// `-J`, `-module`
    pub module_dir: Option<PathBuf>,
    /// `-D`, `-U`
    pub definitions: Vec<Definition>,
    /// `-cpp`, `-nocpp`
    pub preprocess: Option<bool>,
    /// `-dM`: the macros, not the text.
    pub dump_macros: bool,
    /// `-P`: no line markers.
    pub no_markers: bool,
    /// `-M…`
    pub dependencies: Dependencies,
    /// `-O`
    pub level: OptLevel,
    /// `-g`
    pub debug: bool,
    /// `-f`, without it.
    pub flags: Vec<String>,
    /// `-W` (without it), `-pedantic`, `-w`
    pub warnings: Vec<String>,
    /// `-std=`
    pub standard: Option<String>,
    /// `-shared`
    pub shared: bool,
    /// `-v`
    pub verbose: bool,
    /// `-###`
    pub dry: bool,
    /// Words for `cc` wherever it is run: `-m64`, `-pthread`, `-static`.
    pub for_cc: Vec<OsString>,
    /// Things to say, which are no errors.
    pub remarks: Vec<String>,
    /// `--json`: diagnostics as JSON.
    pub json: bool,
}

/// Deepest nesting of `@file`.
const MAX_RESPONSE: usize = 64;

/// Reads the command line.
///
/// # Errors
/// A sentence.
pub fn parse(args: Vec<OsString>) -> Result<Line, String> {
    // As gfortran does, without -O nothing is optimized.
    let mut line = Line { by: super::FC, level: OptLevel::O0, ..Line::default() };
    let mut words = Vec::new();
    respond(args, 0, &mut words)?;
    let mut words = words.into_iter();
    let mut language = None;
    while let Some(word) = words.next() {
        let Some(text) = word.to_str().map(str::to_owned) else {
            line.file(PathBuf::from(word), language);
            continue;
        };
        if text == "-" || !text.starts_with('-') {
            line.file(PathBuf::from(text), language);
        } else if let Some(name) = text.strip_prefix("-x") {
            let name = value(name, "-x", &mut words)?;
            language = Language::named(&name)?;
        } else {
            line.option(&text, &mut words)?;
        }
    }
    Ok(line)
}

/// `@file` stands for the words in the file.
fn respond(args: Vec<OsString>, depth: usize, out: &mut Vec<OsString>) -> Result<(), String> {
    for arg in args {
        let file = arg.to_str().and_then(|a| a.strip_prefix('@')).map(PathBuf::from);
        match file {
            // As gcc does: the name of a file that cannot be read is a word like any other.
            Some(path) if path.is_file() => {
                if depth >= MAX_RESPONSE {
                    return Err(format!("'@{}': files name each other too deeply", path.display()));
                }
                let text = std::fs::read_to_string(&path).map_err(|e| format!("'@{}': {e}", path.display()))?;
                respond(split(&text), depth + 1, out)?;
            }
            _ => out.push(arg),
        }
    }
    Ok(())
}

/// Words between blanks; quotes keep blanks, a backslash the next character.
fn split(text: &str) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => word.get_or_insert_default().extend(chars.next()),
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => word.get_or_insert_default().push(c),
            '\'' | '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            _ if c.is_whitespace() => out.extend(word.take().map(OsString::from)),
            _ => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word.map(OsString::from));
    out
}

/// The value of an option: in the same word, or the next one.
fn value(joined: &str, option: &str, words: &mut impl Iterator<Item = OsString>) -> Result<String, String> {
    if !joined.is_empty() {
        return Ok(joined.to_owned());
    }
    let next = words.next().ok_or_else(|| format!("missing argument to '{option}'"))?;
    next.into_string().map_err(|w| format!("the argument of '{option}' is not UTF-8: {}", w.to_string_lossy()))
}

/// Options whose value is the next word, all for the linker.
const LINK_PAIRS: [&str; 6] = ["-Xlinker", "-u", "-z", "-T", "-e", "-B"];

/// Options of preprocessors, assemblers and compilers of C with a value; they have no effect.
const OTHER_PAIRS: [&str; 6] = ["-Xpreprocessor", "-Xassembler", "--param", "-aux-info", "-imacros", "-include"];

/// Words for the linker.
const LINK_WORDS: [&str; 12] = [
    "-r",
    "-s",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-static-libgcc",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "-symbolic",
    "-static-pie",
    "-shared-libgcc",
];

impl Line {
    fn file(&mut self, path: PathBuf, language: Option<Language>) {
        // Standard input is for us, named or not: build systems ask `-E -dM -`.
        let is_input = path == Path::new("-");
        let own = || if is_input { Language::Fortran } else { Language::of(&path) };
        let input = match language.unwrap_or_else(own) {
            Language::Fortran => Input::Fortran(path),
            Language::Other(None) => Input::Other(path),
            Language::Other(Some(name)) => {
                for word in ["-x", name] {
                    self.inputs.push(Input::Word(word.into()));
                }
                self.inputs.push(Input::Other(path));
                for word in ["-x", "none"] {
                    self.inputs.push(Input::Word(word.into()));
                }
                return;
            }
        };
        self.inputs.push(input);
    }

    fn option(&mut self, text: &str, words: &mut impl Iterator<Item = OsString>) -> Result<(), String> {
        if self.exact(text) || self.dependency(text, words)? || self.asks(text) {
            return Ok(());
        }
        for option in LINK_PAIRS {
            if text == option {
                let next = value("", option, words)?;
                self.inputs.extend([Input::Word(option.into()), Input::Word(next.into())]);
                return Ok(());
            }
        }
        if OTHER_PAIRS.contains(&text) {
            value("", text, words)?;
            return Ok(());
        }
        self.prefixed(text, words)
    }

    /// Options that are one word.
    fn exact(&mut self, text: &str) -> bool {
        match text {
            "-c" => self.stage = Stage::Compile,
            "-S" => self.stage = Stage::Assemble,
            "-E" => self.stage = Stage::Preprocess,
            "-fsyntax-only" => self.stage = Stage::Check,
            "-cpp" => self.preprocess = Some(true),
            "-nocpp" => self.preprocess = Some(false),
            "-P" => self.no_markers = true,
            "-dM" => (self.dump_macros, self.stage) = (true, Stage::Preprocess),
            "-v" | "--verbose" => self.verbose = true,
            "-###" => (self.verbose, self.dry) = (true, true),
            "-g0" => self.debug = false,
            "-w" | "-pedantic" | "-pedantic-errors" => self.warnings.push(text[1..].to_owned()),
            "--pedantic" => self.warnings.push("pedantic".to_owned()),
            "-ansi" => self.standard = Some("f95".to_owned()),
            "--json" => self.json = true,
            "-shared" => self.shared = true,
            "-static" | "-pthread" => self.for_cc.push(text.into()),
            // Everything is position independent; gfortran's own library is not used.
            "-static-libgfortran" | "-pipe" | "-undef" | "-C" | "-CC" | "-H" | "-save-temps" | "-no-integrated-cpp" => {
            }
            "-nostdinc" | "-traditional-cpp" | "-traditional" | "-p" | "-time" => {}
            "-pg" => self.remarks.push("'-pg' has no effect; '-fprofile-trueline' profiles".to_owned()),
            "--coverage" | "-coverage" => {
                self.remarks.push(format!("'{text}' has no effect; '-fprofile-trueline' counts"));
            }
            _ if LINK_WORDS.contains(&text) || text.starts_with("-fuse-ld=") => {
                self.inputs.push(Input::Word(text.into()))
            }
            _ => return false,
        }
        true
    }

    fn dependency(&mut self, text: &str, words: &mut impl Iterator<Item = OsString>) -> Result<bool, String> {
        let d = &mut self.dependencies;
        match text {
            "-M" | "-MM" => d.only = true,
            "-MD" | "-MMD" => d.beside = true,
            "-MP" => d.phony = true,
            "-MG" => {}
            _ if text.starts_with("-MF") => d.file = Some(value(&text[3..], "-MF", words)?.into()),
            _ if text.starts_with("-MT") || text.starts_with("-MQ") => {
                let target = value(&text[3..], &text[..3], words)?;
                d.targets.push(if text.starts_with("-MQ") { target.replace('$', "$$") } else { target });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Notes a question of a build system.
    fn asks(&mut self, text: &str) -> bool {
        let question = match text {
            "--version" => Question::Version,
            "--help" => Question::Help,
            "-dumpversion" => {
                let major = super::GNU_VERSION.split('.').next().unwrap_or_default();
                Question::Answer(major.to_owned())
            }
            "-dumpfullversion" => Question::Answer(super::GNU_VERSION.to_owned()),
            "-dumpmachine" | "-print-multiarch" | "-print-sysroot" => Question::Ask(text.into()),
            _ if text.starts_with("-print-") || text.starts_with("--print-") => Question::Ask(text.into()),
            _ => return false,
        };
        self.question = Some(question);
        true
    }

    fn prefixed(&mut self, text: &str, words: &mut impl Iterator<Item = OsString>) -> Result<(), String> {
        let long = |name: &str| text.strip_prefix(name);
        if let Some(rest) = long("-module") {
            self.module_dir = Some(value(rest.trim_start_matches('='), "-module", words)?.into());
        } else if let Some(rest) = long("-isystem").or(long("-idirafter")).or(long("-iquote")) {
            self.include_dirs.push(value(rest, "-isystem", words)?.into());
        } else if let Some(rest) = long("-std=") {
            self.standard = Some(rest.to_owned());
        } else if let Some(rest) = long("-Wl,").or(long("-Wa,")) {
            let _ = rest;
            self.inputs.push(Input::Word(text.into()));
        } else if long("-Wp,").is_some() {
            self.remarks.push(format!("'{text}' has no effect"));
        } else if text == "--target" || text.starts_with("--target=") {
            let rest = text.strip_prefix("--target=").unwrap_or_default();
            self.target = Some(value(rest, "--target", words)?);
        } else if let Some(rest) = long("-W") {
            self.warnings.push(rest.to_owned());
        } else if let Some(rest) = long("-f") {
            self.flags.push(rest.to_owned());
        } else if let Some(rest) = long("-m") {
            self.of_machine(text, rest);
        } else {
            self.letter(text, words)?;
        }
        Ok(())
    }

    /// An option that begins with `-m`.
    pub fn of_machine(&mut self, text: &str, rest: &str) {
        if matches!(rest, "64") || rest.starts_with("cmodel=") {
            self.for_cc.push(text.into());
        } else {
            self.machine.push(rest.to_owned());
        }
    }

    /// Options of one letter with a value.
    fn letter(&mut self, text: &str, words: &mut impl Iterator<Item = OsString>) -> Result<(), String> {
        let (option, rest) = text.split_at_checked(2).unwrap_or((text, ""));
        match option {
            "-o" => self.output = Some(value(rest, option, words)?.into()),
            "-I" => self.include_dirs.push(value(rest, option, words)?.into()),
            "-J" => self.module_dir = Some(value(rest, option, words)?.into()),
            "-D" => self.definitions.push(Definition::Define(value(rest, option, words)?)),
            "-U" => self.definitions.push(Definition::Undefine(value(rest, option, words)?)),
            "-L" | "-l" => {
                let word = format!("{option}{}", value(rest, option, words)?);
                self.inputs.push(Input::Word(word.into()));
            }
            "-O" => {
                self.level = rest.parse()?;
                self.fast = rest == "fast";
            }
            "-g" => self.debug = true,
            "-A" | "-d" => {}
            _ => return Err(format!("unrecognized command-line option '{text}'")),
        }
        Ok(())
    }

    /// The Fortran sources, in order.
    pub fn sources(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().filter_map(|i| match i {
            Input::Fortran(path) => Some(path.as_path()),
            _ => None,
        })
    }

    /// Whether the last of `-fNAME` and `-fno-NAME` says yes.
    pub fn has(&self, name: &str) -> bool {
        let last = self.flags.iter().rev().find(|f| f.strip_prefix("no-").unwrap_or(f) == name);
        last.is_some_and(|f| f == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        parse(split(text)).expect("it is right")
    }

    #[test]
    fn words_are_split_as_a_shell_does() {
        assert_eq!(split(" a 'b c'\t\"d'\"e \\ f ''\n"), ["a", "b c", "d'e", " f", ""]);
    }

    #[test]
    fn options_with_values_in_the_same_word_or_the_next() {
        let l =
            line("-c -o x.o -Jmods -I inc -Iinc2 -DA=1 -U B a.f90 -O2 -g -fcheck=all -Wall -std=f95 -MMD -MF d -MTt");
        assert_eq!(l.stage, Stage::Compile);
        assert_eq!(l.output, Some("x.o".into()));
        assert_eq!(l.module_dir, Some("mods".into()));
        assert_eq!(l.include_dirs, [PathBuf::from("inc"), PathBuf::from("inc2")]);
        assert_eq!(l.definitions, [Definition::Define("A=1".into()), Definition::Undefine("B".into())]);
        assert_eq!(
            (l.level, l.debug, &l.flags[..], &l.warnings[..]),
            (OptLevel::O2, true, &["check=all".into()][..], &["all".into()][..])
        );
        assert_eq!(l.standard.as_deref(), Some("f95"));
        assert_eq!(l.dependencies.targets, ["t"]);
        assert_eq!(l.sources().collect::<Vec<_>>(), [Path::new("a.f90")]);
    }

    #[test]
    fn what_is_for_the_linker_keeps_its_place() {
        let l = line("a.o -lfoo b.f -Wl,-rpath,x -L y c.c -Xlinker z -fuse-ld=gold");
        let words: Vec<String> = l
            .inputs
            .iter()
            .map(|i| match i {
                Input::Fortran(p) => format!("F {}", p.display()),
                Input::Other(p) => format!("O {}", p.display()),
                Input::Word(w) => w.to_string_lossy().into_owned(),
            })
            .collect();
        assert_eq!(
            words,
            ["O a.o", "-lfoo", "F b.f", "-Wl,-rpath,x", "-Ly", "O c.c", "-Xlinker", "z", "-fuse-ld=gold"]
        );
    }

    #[test]
    fn flags_that_only_others_count_by_are_remarks() {
        for word in ["--coverage", "-coverage", "-pg"] {
            assert!(line(&format!("a.f90 {word}")).remarks[0].contains("-fprofile-trueline"), "{word}");
        }
    }

    #[test]
    fn mistakes() {
        assert!(parse(split("-o")).is_err());
        assert!(parse(split("-Q")).is_err());
        assert!(parse(split("-x cobol a")).is_err());
    }
}
