//! The options of a compilation.

use crate::modules::interface::Store;
use std::path::PathBuf;
use std::sync::Arc;
use target_lexicon::Triple;
use trueline_diag::Policy;
use trueline_instrument::{Selection, TimeMode};
use trueline_opt::OptLevel;

/// The files to compile, and the options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Source files, in order.
    pub files: Vec<PathBuf>,
    /// The options of reading them.
    pub syntax: trueline_syntax::Options,
    /// Whether they are preprocessed; none: as their suffixes say.
    pub preprocess: Option<bool>,
    /// Macros and directories of the preprocessor.
    pub cpp: trueline_cpp::Options,
    /// The directories of module files.
    pub module_dirs: Vec<PathBuf>,
    /// Modules that are at hand without their files.
    pub store: Arc<Store>,
    /// Distributions of arrays and templates in place of those of their directives.
    pub distribute: Vec<trueline_syntax::Distribute>,
    /// The options of analysing them.
    pub semantics: trueline_sema::Options,
    /// The options of the optimizer.
    pub optimize: trueline_opt::Options,
    /// The constructs that get timers; none for a plain build.
    pub profile: Option<TimeMode>,
    /// The measurements of a profiled build.
    pub selection: Selection,
    /// The target.
    pub triple: Triple,
    /// The extensions of its instruction set that code may use.
    pub processor: trueline_codegen::Processor,
    /// Whether products that are added need not be rounded before (`-ffp-contract=fast`).
    pub contract: bool,
    /// The most operations of a function, if fewer than the code generator can do.
    pub stretch: Option<usize>,
    /// The command that runs programs for the target, if they are not run directly.
    pub runner: Option<String>,
    /// Whether to write a line table.
    pub debug: bool,
    /// The treatment of warnings.
    pub policy: Policy,
    /// The treatment of the warnings of some names.
    pub named_policies: Vec<(String, Policy)>,
    /// The remarks that are asked for.
    pub remarks: Remarks,
    /// A profile of an earlier run, for the optimizer's decisions.
    pub profile_use: Option<PathBuf>,
    /// At most this many errors are shown.
    pub most_errors: Option<usize>,
    /// The display of diagnostics.
    pub display: Display,
}

/// The remarks that are asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remarks {
    /// Lines as gfortran's `-fopt-info` writes them.
    pub info: Option<Info>,
    /// The file for all remarks as YAML.
    pub record: Option<PathBuf>,
}

/// `-fopt-info`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The changes that were made.
    pub optimized: bool,
    /// The changes that were not made, and why.
    pub missed: bool,
    /// The file; standard error without.
    pub to: Option<PathBuf>,
}

impl Info {
    /// Reads `KIND=FILE`, where `KIND` is `optimized`, `missed` or `all`, and `optimized` if it is empty. None for other words.
    pub fn parse(text: &str) -> Option<Info> {
        let (what, to) = match text.split_once('=') {
            Some((what, to)) => (what, Some(PathBuf::from(to))),
            None => (text, None),
        };
        let mut info = Info { optimized: what.is_empty(), missed: false, to };
        for word in what.split('-').filter(|w| !w.is_empty()) {
            match word {
                "optimized" => info.optimized = true,
                "missed" => info.missed = true,
                "all" | "optall" => (info.optimized, info.missed) = (true, true),
                // Kinds of transformations and of remarks: ours are printed whatever their kind.
                "note" | "ipa" | "loop" | "inline" | "vec" | "omp" => {}
                _ => return None,
            }
        }
        info.optimized |= !info.missed;
        Some(info)
    }
}

/// The display of diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Display {
    /// The layout (`-fdiagnostics-format=`).
    pub format: Format,
    /// The colours (`-fdiagnostics-color=`).
    pub color: Color,
}

/// The layout of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// The source with its labels.
    #[default]
    Text,
    /// gfortran's, which editors and build tools read.
    Gcc,
    /// One JSON array.
    Json,
}

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// If standard error is a terminal; NO_COLOR switches them off, CLICOLOR_FORCE on.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The options for some files with everything as a user who says nothing has it.
pub fn default_options(files: Vec<PathBuf>, level: OptLevel) -> Options {
    Options {
        files,
        syntax: syntax_options(Vec::new()),
        preprocess: None,
        cpp: trueline_cpp::Options::default(),
        module_dirs: Vec::new(),
        store: Arc::default(),
        distribute: Vec::new(),
        semantics: trueline_sema::Options::default(),
        optimize: trueline_opt::Options { level, ..trueline_opt::Options::default() },
        profile: None,
        selection: Selection::default(),
        triple: Triple::host(),
        processor: trueline_codegen::Processor::default(),
        contract: false,
        stretch: None,
        runner: None,
        debug: false,
        policy: Policy::Tell,
        named_policies: Vec::new(),
        remarks: Remarks::default(),
        profile_use: None,
        most_errors: None,
        display: Display::default(),
    }
}

/// Compiles for `triple`.
pub fn set_target(options: &mut Options, triple: Triple) {
    options.semantics.convention = match triple.architecture {
        target_lexicon::Architecture::Aarch64(_) => trueline_sema::Convention::Aapcs64,
        _ => trueline_sema::Convention::SystemV,
    };
    options.triple = triple;
}

/// The options of reading source unless the command line says otherwise.
pub fn syntax_options(include_dirs: Vec<PathBuf>) -> trueline_syntax::Options {
    let provided = trueline_sema::provided_includes();
    trueline_syntax::Options { include_dirs, provided, ..trueline_syntax::Options::default() }
}

#[cfg(test)]
mod tests {
    use super::Info;

    #[test]
    fn words_of_opt_info() {
        let words = |text| Info::parse(text).map(|i| (i.optimized, i.missed));
        assert_eq!(words(""), Some((true, false)));
        assert_eq!(words("missed"), Some((false, true)));
        assert_eq!(words("optimized-missed"), Some((true, true)));
        assert_eq!(words("loop-all"), Some((true, true)));
        assert_eq!(words("lop"), None);
        assert_eq!(Info::parse("all=x.txt").unwrap().to.unwrap().to_str(), Some("x.txt"));
    }
}
