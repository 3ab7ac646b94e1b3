//! The table of options that the compiling commands share with gfortran: one row an option.
//!
//! Parsing of `-f` flags, the help of `fc`, docs/flags.md, the man page, the completions and the tests are made from these
//! rows. A row without an action is parsed by the command line (`fc::args`, `cli`) or applied by the driver (`fc::apply`).

use trueline_syntax::SourceForm;

/// The options of the front end that a `-f` flag may change.
pub struct Settings<'a> {
    /// The options of reading source text.
    pub syntax: &'a mut trueline_syntax::Options,
    /// The options of analysing it.
    pub semantics: &'a mut trueline_sema::Options,
}

/// The work of a flag.
#[derive(Clone, Copy)]
pub enum Action {
    /// `-fNAME` and `-fno-NAME`.
    Switch(fn(&mut Settings<'_>, bool)),
    /// `-fNAME` alone.
    Once(fn(&mut Settings<'_>)),
    /// `-fNAME` followed by a value. An error is a sentence about the value.
    Value(fn(&mut Settings<'_>, &str) -> Result<(), String>),
    /// Never right: the sentence says why.
    Refused(&'static str),
    /// The command line or the driver applies it.
    Driver,
}

/// A heading of the documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Group {
    Stages,
    Directories,
    Preprocessor,
    Dependencies,
    Language,
    Kinds,
    Extensions,
    Checks,
    Warnings,
    Code,
    Profiling,
    Linking,
    Questions,
}

impl Group {
    /// All groups in the order of the documentation, with their headings.
    pub const ALL: [(Group, &'static str); 13] = [
        (Group::Stages, "How far to go"),
        (Group::Directories, "Files and directories"),
        (Group::Preprocessor, "Preprocessor"),
        (Group::Dependencies, "Dependencies for make"),
        (Group::Language, "Language"),
        (Group::Kinds, "Default kinds"),
        (Group::Extensions, "Extensions"),
        (Group::Checks, "Checks and values at run time"),
        (Group::Warnings, "Warnings and messages"),
        (Group::Code, "Code generation"),
        (Group::Profiling, "Profiling and remarks"),
        (Group::Linking, "Linking"),
        (Group::Questions, "Questions of build systems"),
    ];
}

/// The commands that take an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// `fc` alone: it is about files that only `fc` writes, or a question.
    ByFc,
    /// `fc` and all commands that compile: `build`, `run`, `profile`, `explain`, `map`, `dump`, `score`, `advise`.
    ByAll,
}

/// One option.
#[derive(Clone, Copy)]
pub struct Flag {
    /// The option as it is typed, up to its value: `-fcheck=`, `-I`.
    pub name: &'static str,
    /// The value, as documentation writes it; empty if there is none.
    pub value: &'static str,
    /// One phrase, without a full stop.
    pub summary: &'static str,
    /// The heading it stands under.
    pub group: Group,
    /// The commands that take it.
    pub taken: Taken,
    /// The work of a `-f` flag.
    pub action: Action,
}

const fn row(group: Group, taken: Taken, name: &'static str, value: &'static str, summary: &'static str) -> Flag {
    Flag { name, value, summary, group, taken, action: Action::Driver }
}

const fn all(group: Group, name: &'static str, value: &'static str, summary: &'static str) -> Flag {
    row(group, Taken::ByAll, name, value, summary)
}

const fn fc(group: Group, name: &'static str, value: &'static str, summary: &'static str) -> Flag {
    row(group, Taken::ByFc, name, value, summary)
}

const fn does(flag: Flag, action: Action) -> Flag {
    Flag { action, ..flag }
}

const fn switch(group: Group, name: &'static str, summary: &'static str, set: fn(&mut Settings<'_>, bool)) -> Flag {
    does(all(group, name, "", summary), Action::Switch(set))
}

const fn once(group: Group, name: &'static str, summary: &'static str, set: fn(&mut Settings<'_>)) -> Flag {
    does(all(group, name, "", summary), Action::Once(set))
}

const fn value(
    group: Group,
    name: &'static str,
    value: &'static str,
    summary: &'static str,
    set: fn(&mut Settings<'_>, &str) -> Result<(), String>,
) -> Flag {
    does(all(group, name, value, summary), Action::Value(set))
}

use Group::*;

/// The options, group by group.
pub const FLAGS: &[Flag] = &[
    fc(Stages, "-c", "", "compile to objects, do not link (`build` has it, too)"),
    fc(Stages, "-S", "", "write assembly"),
    fc(Stages, "-E", "", "print the preprocessed source"),
    all(Stages, "-fsyntax-only", "", "check the source, write nothing"),
    fc(Stages, "-v", "", "print the commands that are run"),
    fc(Stages, "-###", "", "print the commands that would be run"),
    fc(Directories, "-o", "FILE", "the output (`build` has it, too)"),
    all(Directories, "-I", "DIR", "look here for INCLUDE files and module files"),
    all(Directories, "-J", "DIR", "put module files here, and look for them here first; also `-module DIR`"),
    all(Directories, "-isystem", "DIR", "as `-I`; also `-idirafter` and `-iquote`"),
    fc(Directories, "-x", "LANGUAGE", "the language of the files that follow: `f95`, `f95-cpp-input`, `f77`, `none`"),
    all(Preprocessor, "-cpp", "", "preprocess; on by itself for `.F`, `.F90` and other suffixes in upper case"),
    all(Preprocessor, "-nocpp", "", "do not preprocess"),
    all(Preprocessor, "-D", "NAME[=VALUE]", "define a macro"),
    all(Preprocessor, "-U", "NAME", "undefine a macro"),
    fc(Preprocessor, "-P", "", "no line markers in the output of `-E`"),
    fc(Preprocessor, "-dM", "", "print the macros instead of the text"),
    fc(Dependencies, "-M", "", "print the files that the source depends on; also `-MM`"),
    fc(Dependencies, "-MD", "", "write them beside the object; also `-MMD`"),
    fc(Dependencies, "-MF", "FILE", "write them to this file"),
    fc(Dependencies, "-MT", "TARGET", "the target of the rule; also `-MQ`"),
    fc(Dependencies, "-MP", "", "add a rule without prerequisites for each file"),
    all(Language, "-std=", "STANDARD", "f77, f95, f2003, f2008, f2018, gnu or legacy"),
    all(Language, "-ansi", "", "as `-std=f95`"),
    once(Language, "-ffree-form", "the source has free form", |s| s.syntax.form = SourceForm::Free),
    once(Language, "-fno-free-form", "the source has fixed form", |s| s.syntax.form = SourceForm::Fixed),
    once(Language, "-ffixed-form", "the source has fixed form", |s| s.syntax.form = SourceForm::Fixed),
    once(Language, "-fno-fixed-form", "the source has free form", |s| s.syntax.form = SourceForm::Free),
    once(Language, "-fd-lines-as-code", "a `d` in column 1 of fixed form is a blank", |s| s.syntax.d_lines = true),
    once(Language, "-fd-lines-as-comments", "it begins a comment, as it does without a flag", |s| {
        s.syntax.d_lines = false
    }),
    value(Language, "-ffixed-line-length-", "N|none", "the last column of fixed form; 72 without", line_length),
    value(
        Language,
        "-ffree-line-length-",
        "N|none",
        "accepted: lines of free form may be of any length",
        |_, _| Ok(()),
    ),
    switch(Language, "-fimplicit-none", "every scope begins with IMPLICIT NONE", |s, on| {
        s.semantics.implicit_none = on
    }),
    switch(Language, "-fpad-source", "lines of fixed form are padded with blanks in character constants", |s, on| {
        s.syntax.pad = on;
    }),
    switch(Language, "-fbackslash", "backslashes in character constants are escapes", |s, on| s.syntax.backslash = on),
    switch(Language, "-frange-check", "constants that do not fit are errors; without, they wrap around", |s, on| {
        s.semantics.no_range_check = !on;
    }),
    switch(Language, "-fautomatic", "local variables are not saved; `-fno-automatic` saves them", |s, on| {
        s.semantics.no_automatic = !on;
    }),
    switch(Language, "-frecursive", "every procedure is RECURSIVE", |s, on| s.semantics.recursive = on),
    switch(
        Language,
        "-frealloc-lhs",
        "an allocatable takes the shape of what is assigned to it; without, it keeps its own",
        |s, on| {
            s.semantics.no_realloc_lhs = !on;
        },
    ),
    switch(Language, "-fall-intrinsics", "intrinsic procedures of all standards, whatever `-std` says", |s, on| {
        s.semantics.rules.all_intrinsics = on;
    }),
    once(Kinds, "-fdefault-integer-8", "default INTEGER and LOGICAL have kind 8", |s| s.semantics.integer_8 = true),
    once(Kinds, "-fdefault-real-8", "default REAL has kind 8, DOUBLE PRECISION 16", |s| s.semantics.real_8 = true),
    once(Kinds, "-fdefault-real-16", "default REAL has kind 16", |s| s.semantics.real_16 = true),
    once(Kinds, "-fdefault-double-8", "DOUBLE PRECISION keeps kind 8", |s| s.semantics.double_8 = true),
    once(Kinds, "-finteger-4-integer-8", "each INTEGER(4) is INTEGER(8)", |s| s.semantics.integer_4_is_8 = true),
    once(Kinds, "-freal-4-real-8", "each REAL(4) is REAL(8)", |s| s.semantics.real_4_is_8 = true),
    once(Kinds, "-freal-4-real-16", "each REAL(4) is REAL(16)", |s| s.semantics.real_4_is_16 = true),
    once(Kinds, "-freal-8-real-4", "each REAL(8) is REAL(4)", |s| s.semantics.real_8_is_4 = true),
    once(Kinds, "-freal-8-real-16", "each REAL(8) is REAL(16)", |s| s.semantics.real_8_is_16 = true),
    no_kind_10("-fdefault-real-10"),
    no_kind_10("-freal-4-real-10"),
    no_kind_10("-freal-8-real-10"),
    once(Extensions, "-fdec", "all extensions of DEC compilers that there are", dec),
    switch(Extensions, "-fdec-structure", "STRUCTURE, RECORD, UNION and MAP", |s, on| s.syntax.structures = on),
    switch(Extensions, "-fdec-static", "STATIC and AUTOMATIC", |s, on| s.syntax.storage_classes = on),
    switch(Extensions, "-fdec-char-conversions", "character constants may be numbers", |s, on| {
        s.semantics.text_numbers = on;
    }),
    switch(Extensions, "-fdec-blank-format-item", "empty items in format specifications", |s, on| {
        s.semantics.io.blank_items = on;
    }),
    once(Extensions, "-fdec-format-defaults", "default widths of edit descriptors", |s| s.semantics.io.widths = true),
    switch(
        Extensions,
        "-fhpf",
        "compile for several ranks: `TRUELINE_NP` says how many when the program runs",
        |s, on| {
            s.semantics.hpf = on;
        },
    ),
    value(
        Extensions,
        "-fhpf-strip=",
        "N",
        "ranks that wait for one another in a loop nest go on after N iterations; 0: the number is chosen when the program runs",
        |s, v| {
            s.semantics.hpf_strip = v.parse().map_err(|_| "a number of iterations is wanted")?;
            Ok(())
        },
    ),
    switch(
        Extensions,
        "-fhpf-overlap",
        "ranks execute those iterations of a loop nest first that need no elements which are on their way; this is the default",
        |s, on| {
            s.semantics.hpf_in_order = !on;
        },
    ),
    switch(Extensions, "-fcray-pointer", "Cray pointers", |s, on| {
        (s.syntax.cray_pointers, s.semantics.cray_pointers) = (on, on);
    }),
    switch(Extensions, "-fallow-invalid-boz", "BOZ constants wherever a number may stand", |s, on| {
        s.semantics.any_boz = on;
    }),
    switch(Extensions, "-fallow-argument-mismatch", "arguments that do not match are warnings", |s, on| {
        s.semantics.argument_mismatch = on;
    }),
    value(
        Checks,
        "-fcheck=",
        "CHECK,...",
        "all (but alias, leaks, overflow, undefined), none, alias, bits, bounds, do, leaks, overflow, pointer, recursion, results, undefined; mem, array-temps change nothing",
        checks,
    ),
    switch(Checks, "-fbounds-check", "as `-fcheck=bounds`", |s, on| s.semantics.checks.bounds = on),
    value(
        Checks,
        "-finit-",
        "WHAT",
        "initial values: local-zero, derived, integer=N, real=zero|inf|-inf|nan|snan, logical=true|false, character=N",
        initial,
    ),
    value(
        Checks,
        "-ffpe-trap=",
        "LIST",
        "exceptions that end the program: invalid, zero, overflow, underflow, inexact, denormal; nothing is optimized then",
        |s, v| exceptions(s, "trap", v),
    ),
    value(
        Checks,
        "-ffpe-summary=",
        "LIST",
        "exceptions that are reported at the end: the same, all or none",
        |s, v| exceptions(s, "summary", v),
    ),
    value(
        Checks,
        "-fconvert=",
        "ORDER",
        "byte order of unformatted files: native, swap, big-endian, little-endian",
        |s, v| io(s, "convert", v),
    ),
    value(Checks, "-frecord-marker=", "4|8", "size of the record markers of unformatted files", |s, v| {
        io(s, "record-marker", v)
    }),
    value(Checks, "-fmax-subrecord-length=", "N", "the longest subrecord of unformatted files", |s, v| {
        io(s, "max-subrecord-length", v)
    }),
    switch(Checks, "-fsign-zero", "the sign of zero is written and kept", |s, on| s.semantics.io.unsigned_zero = !on),
    all(Warnings, "-W", "NAME", "a warning or a group of them: all, extra; `-Wno-NAME` switches it off"),
    all(Warnings, "-Werror", "", "warnings are errors; `-Werror=NAME` one of them"),
    all(Warnings, "-w", "", "no warnings"),
    all(Warnings, "-pedantic", "", "warn of extensions; `-pedantic-errors` refuses them"),
    all(Warnings, "-fmax-errors=", "N", "show at most N errors"),
    all(Warnings, "-fdiagnostics-format=", "FORMAT", "text, gcc (as gfortran writes, for editors) or json"),
    all(
        Warnings,
        "-fdiagnostics-color=",
        "WHEN",
        "auto, always or never; without a value always. NO_COLOR and CLICOLOR_FORCE are heeded",
    ),
    all(Warnings, "--json", "", "diagnostics as JSON"),
    all(
        Code,
        "-O",
        "LEVEL",
        "0 to 3; g is 1, s and z are 2, fast is 3 with `-ffast-math`. `fc` has 0 without, the other commands 3",
    ),
    all(Code, "-g", "", "debug information (DWARF); `-g0` none"),
    all(
        Code,
        "-m",
        "OPTION",
        "arch= (on AArch64 also cpu=) and avx2, fma, popcnt, no-avx …: the instructions that code may use; with AVX2 vectors have 256 bits and with AVX-512 512, or those that prefer-vector-width= gives. tune= changes nothing, 64 and cmodel= go to the linker",
    ),
    all(
        Code,
        "-ffp-contract=",
        "WHEN",
        "fast or on: a product is added without being rounded before, within a statement and where the processor can; off (as without): it is rounded",
    ),
    all(
        Code,
        "-ffast-math",
        "",
        "as `-ffp-contract=fast` and the following six; also `-funsafe-math-optimizations`, which leaves `-ffinite-math-only` out",
    ),
    all(
        Code,
        "-fassociative-math",
        "",
        "sums and products of reals over a loop may be in any order, so that vectors take them; only with `-fno-signed-zeros` and `-fno-trapping-math`",
    ),
    all(Code, "-freciprocal-math", "", "`x / y` may be `x * (1 / y)` where `y` does not change in a loop"),
    all(
        Code,
        "-ffinite-math-only",
        "",
        "no infinities and no NaNs: with `-fno-signed-zeros` vectors take the greatest and least reals of a loop",
    ),
    all(Code, "-fno-signed-zeros", "", "the sign of a zero makes no difference"),
    all(Code, "-fno-trapping-math", "", "nobody looks at the exceptions of real arithmetic"),
    all(
        Code,
        "-fexternal-blas",
        "",
        "large products of real matrices (MATMUL, and nests that compute the same) are computed by SGEMM and DGEMM of the BLAS, which is linked with `-lblas`, say; sums may differ in last bits",
    ),
    all(
        Code,
        "-fblas-matmul-limit=",
        "N",
        "products of matrices are large for `-fexternal-blas` if they have as many products as a cube with sides of N (30)",
    ),
    all(
        Code,
        "-fapprox-func",
        "",
        "EXP, LOG and powers of REAL(8) in loops may be off by a unit of the last place, SIN and COS by two, which takes half the time",
    ),
    all(
        Code,
        "-finline",
        "",
        "this and each of the following has a `-fno-` form, and works from -O1 on; without, from the level given: small procedures take the place of their calls (-O3); `-fno-inline` none do",
    ),
    all(
        Code,
        "-fipa-modref",
        "",
        "arguments that no statement of a procedure writes are passed for reading only, whatever their INTENT (-O2)",
    ),
    all(Code, "-fipa-sra", "", "calls in the same file pass scalars that a procedure only reads in registers (-O2)"),
    all(Code, "-funroll-loops", "", "innermost loops are unrolled (-O3); also `-funroll-all-loops`"),
    all(Code, "-fpeel-loops", "", "iterations that a conditional singles out are split off (-O3)"),
    all(Code, "-fsplit-loops", "", "loops are split where a comparison of their variable changes (-O3)"),
    all(Code, "-funswitch-loops", "", "conditionals that are fixed in a loop leave it (-O3)"),
    all(
        Code,
        "-ftree-vectorize",
        "",
        "neighbouring iterations and operations run in vectors (-O3): both of the following",
    ),
    all(Code, "-ftree-loop-vectorize", "", "neighbouring iterations run in vectors (-O3)"),
    all(Code, "-ftree-slp-vectorize", "", "operations on neighbouring elements run in vectors (-O3)"),
    all(Code, "-floop-interchange", "", "the loop that runs along memory becomes the innermost (-O2)"),
    all(Code, "-ftree-loop-distribution", "", "loops are split so that their nests can be interchanged (-O2)"),
    all(
        Code,
        "-ftree-loop-distribute-patterns",
        "",
        "loops that copy or set elements become operations on blocks (-O2)",
    ),
    all(Code, "-fversion-loops-for-strides", "", "loops with variable strides have a version for stride 1 (-O3)"),
    all(Code, "-ftree-loop-ivcanon", "", "loops with a step of run time count their iterations (-O3)"),
    all(Code, "-fpredictive-commoning", "", "elements that iterations share stay in registers (-O2)"),
    all(
        Code,
        "-fmove-loop-invariants",
        "",
        "values that are fixed in a loop are computed before it (-O2); also `-ftree-loop-im`",
    ),
    all(Code, "-fivopts", "", "addresses that advance with a loop become pointers (-O2)"),
    all(Code, "-fgcse", "", "common subexpressions are computed once (-O1)"),
    all(Code, "-ftree-sra", "", "elements of small arrays and structures stay in registers (-O2)"),
    all(Code, "-ftree-ccp", "", "constants are propagated (-O1)"),
    all(Code, "-ftree-copy-prop", "", "copies are read from the original (-O1)"),
    all(Code, "-ftree-dce", "", "statements that nothing needs are removed (-O1)"),
    all(Code, "-fopenmp", "", "warns: the program runs on one processor; also `-fopenmp-simd`, `-fopenacc`"),
    all(Profiling, "-fprofile-trueline", "[=all|outer|none]", "exact counts, and times, of the optimized program"),
    all(Profiling, "-fno-profile-trueline", "", "no profile"),
    all(Profiling, "-fprofile-samples=", "HZ|off", "samples a second of processor time"),
    all(Profiling, "-fprofile-use=", "FILE.json", "decide by the counts of an earlier run"),
    all(Profiling, "-fopt-info", "[-missed|-all][=FILE]", "report the optimizer's decisions, and the obstacles"),
    all(Profiling, "-fsave-optimization-record", "", "write them as YAML beside the output"),
    all(Linking, "-l", "LIBRARY", "a library"),
    all(Linking, "-L", "DIR", "look here for libraries"),
    all(Linking, "-shared", "", "make a shared library"),
    all(
        Linking,
        "-static",
        "",
        "link statically; `-pthread`, `-pie`, `-no-pie`, `-rdynamic`, `-s`, `-r` and others go to the linker, too",
    ),
    fc(
        Linking,
        "--target=",
        "TRIPLE",
        "compile and link for another target, such as `aarch64-unknown-linux-gnu`; `trueline runtime install` brings its library",
    ),
    all(Linking, "-Wl,", "WORD,...", "words for the linker; also `-Xlinker WORD`, and `-Wa,` for the assembler"),
    fc(
        Questions,
        "--version",
        "",
        "the version, as gfortran writes it; `-dumpversion` and `-dumpfullversion` give the number",
    ),
    fc(Questions, "-dumpmachine", "", "the target; `-print-...` are answered by cc"),
];

const fn no_kind_10(name: &'static str) -> Flag {
    does(
        all(Kinds, name, "", "refused: the kinds of REAL are 4, 8 and 16"),
        Action::Refused("the kinds of REAL are 4, 8 and 16"),
    )
}

fn line_length(s: &mut Settings<'_>, length: &str) -> Result<(), String> {
    s.syntax.line_length = match length {
        "none" | "0" => None,
        n => Some(n.parse().map_err(|_| "a number of columns or 'none'")?),
    };
    Ok(())
}

fn dec(s: &mut Settings<'_>) {
    (s.semantics.text_numbers, s.semantics.io.widths, s.semantics.io.exponents) = (true, true, true);
    (s.syntax.storage_classes, s.syntax.structures, s.syntax.bare_exponents) = (true, true, true);
    (s.semantics.bitwise, s.semantics.io.blank_items) = (true, true);
}

fn checks(s: &mut Settings<'_>, list: &str) -> Result<(), String> {
    for word in list.split(',') {
        let (name, on) = word.strip_prefix("no-").map_or((word, true), |name| (name, false));
        if !s.semantics.checks.apply(name, on) {
            return Err(format!("there is no such check: '{word}'"));
        }
    }
    Ok(())
}

fn initial(s: &mut Settings<'_>, text: &str) -> Result<(), String> {
    if s.semantics.initial.apply(text) { Ok(()) } else { Err("there is no such value".to_owned()) }
}

fn exceptions(s: &mut Settings<'_>, name: &str, list: &str) -> Result<(), String> {
    s.semantics.exceptions.apply(name, list).map_err(|word| format!("there is no exception '{word}'"))
}

fn io(s: &mut Settings<'_>, name: &str, text: &str) -> Result<(), String> {
    match s.semantics.io.apply(name, text) {
        Some(true) => Ok(()),
        _ => Err("there is no such value".to_owned()),
    }
}
