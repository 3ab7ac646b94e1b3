//! Inputs to begin with: the tests of the project, and small files in `seeds/`.

use std::fs;
use std::path::{Path, PathBuf};
use trueline::driver::Session;
use trueline::options::default_options;
use trueline::{driver, modules, pipeline};
use trueline_ir::OptLevel;

/// Words of Fortran.
pub const FORTRAN: &[&str] = &[
    "do i = 1, n\n",
    "end do\n",
    "if (a > b) then\n",
    "else if (",
    "end if\n",
    "where (a > 0)\n",
    "forall (i = 1:n)",
    "select case (k)\n",
    "case default\n",
    "call s(",
    "integer ",
    "real(8) ",
    "character(*) ",
    "complex ",
    "logical ",
    "type(t) ",
    "::",
    "dimension(:)",
    ", pointer",
    ", allocatable",
    ", optional",
    ", intent(in)",
    ", parameter",
    "=> null()",
    "allocate (",
    "common /c/ ",
    "equivalence (a, b)",
    "data x / 3*1 /",
    "namelist /g/ a",
    "interface\n",
    "contains\n",
    "module m\n",
    "use m, only: a => b\n",
    "function f(x)\n",
    "subroutine s\n",
    "end\n",
    "return\n",
    "stop\n",
    "goto 10\n",
    "10 continue\n",
    "entry e(x)\n",
    "read (*, *) ",
    "write (10, '(i5)') ",
    "(/ (i, i = 1, 3) /)",
    "**",
    "//",
    ".and.",
    ".not.",
    "matmul(",
    "reshape(",
    "merge(",
    "sum(a, 2)",
    "a(:, ::2)",
    "x%y%z",
    "1_8",
    "z'ff'",
    "&\n  &",
    "! comment\n",
    "include 'a.inc'\n",
    "format (2(1x, i3))\n",
];

/// Words of the preprocessor.
pub const MACROS: &[&str] = &[
    "#define X 1\n",
    "#define F(a, b) a##b\n",
    "#ifdef X\n",
    "#if defined(X) && X > 1\n",
    "#elif 0\n",
    "#else\n",
    "#endif\n",
    "#undef X\n",
    "#include <x>\n",
    "#line 7 \"f\"\n",
    "#error e\n",
    "F(F(1, 2), X)",
    "__FILE__",
    "__LINE__",
    "\\\n",
    "#",
    "##",
];

/// Words of directives.
pub const HPF: &[&str] = &[
    "processors p(2, 2)",
    "processors q",
    "template t(8, 8)",
    "distribute a(block, *) onto p",
    "distribute (cyclic(3)) :: c",
    "align b(i, j) with a(j, i)",
    "align c(:) with t(*, :)",
    "align d(i) with a(2 * i - 1, 1)",
    "dynamic a",
    "redistribute a(*, block)",
    "realign c(i) with d(i)",
    "independent",
    "independent, new(i), reduction(x)",
    "inherit a",
    "shadow a(1:2)",
    "on home(a(i, 1)) begin",
    "end on",
    "resident(a)",
    "sequence",
    "task_region",
    "block",
    "cyclic",
    "gen_block(m)",
    "indirect(m)",
    "onto *",
    "\n",
];

/// Words of the text of the IR.
pub const IR: &[&str] = &[
    "do ",
    "loop ",
    "if ",
    "else {\n",
    "}\n",
    "store ",
    "load ",
    "call ",
    "tally ",
    "goto L1\n",
    "L1:\n",
    "return\n",
    "unit ",
    "sym ",
    "i4",
    "r8x2",
    "b1",
    "(",
    ")",
    "#1",
    "@1",
    ":",
    "block",
];

/// Numbers and the words that input has for some.
pub const NUMBERS: &[&str] = &[
    "nan",
    "inf",
    "-Infinity",
    "1e308",
    "-0.0",
    "3*",
    "(1,2)",
    "'it''s'",
    "T",
    ".false.",
    "null",
    "[]",
    "{}",
    "[[",
    ",",
    ";",
    "/",
];

/// Edit descriptors.
pub const EDITING: &[&str] = &[
    "(",
    ")",
    ",",
    "/",
    ":",
    "I5",
    "I0.3",
    "F8.3",
    "F0.0",
    "E12.4E3",
    "ES9.2",
    "EN15.6",
    "G10.3",
    "G0",
    "D9.2",
    "A",
    "A300",
    "L2",
    "3X",
    "T5",
    "TL2",
    "TR9",
    "1P",
    "-2P",
    "SP",
    "SS",
    "BN",
    "BZ",
    "3HAB",
    "B8",
    "O0",
    "Z4.2",
    "*(",
    "2(",
    "99999999999",
    "'it''s'",
    "$",
    "\\",
    "DC",
    "RU",
    "\n",
];

/// Pieces of NAMELIST input.
pub const GROUPS: &[&str] = &[
    "&g ",
    "$g ",
    "&end",
    "/",
    "n = ",
    "a(2) = ",
    "a(1:3:2) = ",
    "c(2)(1:2) = ",
    "3*1.5",
    "2*",
    "'ab'",
    "!x\n",
    "%",
    "(:)",
    "1,,2",
    "nan",
    "T",
    "\t",
];

/// Options.
pub const FLAGS: &[&str] = &[
    "-O3",
    "-Ofast",
    "-c",
    "-o",
    "x",
    "-I.",
    "-J.",
    "-fcheck=",
    "-fcheck=all",
    "-fcheck=bounds,no-do",
    "-fno-",
    "-W",
    "-Wno-error=",
    "-std=f95",
    "-m",
    "-march=native",
    "-mtune=",
    "-fopt-info-vec-missed=",
    "-ffixed-line-length-",
    "-fdefault-real-8",
    "-fprofile-trueline=",
    "-x",
    "f95",
    "-D",
    "A=1",
    "-l",
    "-Wl,",
    "-g3",
    "--help",
    "build",
    "profile",
    "--out",
    "report",
    "--np",
    "4",
    "--distribute",
    "a(block)",
    "\n",
    "\n-",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files with one of the suffixes in a folder and those in it, by name.
fn files(folder: &str, suffixes: &[&str]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut todo = vec![root().join(folder)];
    while let Some(at) = todo.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| suffixes.iter().any(|s| e == *s)) {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

fn contents(folders: &[&str], suffixes: &[&str]) -> Vec<Vec<u8>> {
    let all = folders.iter().flat_map(|f| files(f, suffixes));
    all.filter_map(|f| fs::read(f).ok()).filter(|text| text.len() < 20_000).collect()
}

/// Programs in free form.
pub fn free() -> Vec<Vec<u8>> {
    contents(&["tests/run", "tests/bad", "tests/faults", "examples"], &["f90"])
}

/// Programs in fixed form.
pub fn fixed() -> Vec<Vec<u8>> {
    contents(&["tests/run", "tests/bad"], &["f"])
}

/// Programs for the preprocessor.
pub fn preprocessed() -> Vec<Vec<u8>> {
    let mut all = contents(&["tests"], &["F90", "F"]);
    all.extend(lines("macros"));
    all
}

/// The directives of programs, without their sentinels.
pub fn directives() -> Vec<Vec<u8>> {
    let programs = contents(&["examples", "tests/hpf"], &["f90", "hpf"]);
    let directive = |line: &[u8]| line.to_ascii_lowercase().strip_prefix(b"!hpf$").map(<[u8]>::to_vec);
    let of = |text: &Vec<u8>| {
        text.split(|&b| b == b'\n').filter_map(|l| directive(l.trim_ascii_start())).collect::<Vec<_>>()
    };
    let mut all: Vec<Vec<u8>> = programs.iter().map(|p| of(p).join(&b'\n')).filter(|d| !d.is_empty()).collect();
    all.extend(lines("directives"));
    all
}

/// Programs as IR, before and after optimization.
pub fn ir_text() -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    for file in files("tests/run/optimizer", &["f90"]).into_iter().step_by(8) {
        for level in [OptLevel::O0, OptLevel::O3] {
            let options = default_options(vec![file.clone()], level);
            if let Ok(compiled) = pipeline::compile(&mut Session::default(), &options) {
                out.push(compiled.program.to_string().into_bytes());
            }
        }
    }
    out
}

/// The contents of module files; each module is called m.
pub fn modules() -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    for file in files("tests/run", &["f90"]) {
        let options = default_options(vec![file], OptLevel::O0);
        let mut session = Session::default();
        let asts = driver::parse(&mut session, &options);
        let made = asts.iter().flat_map(|ast| modules::interfaces(ast, &asts, &session.map, &options));
        let renamed = |i: &modules::interface::Interface| {
            let text = modules::json(i);
            let at = text.to_ascii_lowercase().find(&format!("module {}", i.name))?;
            let end = at + "module ".len();
            let text = format!("{}m{}", &text[..end], &text[end + i.name.len()..]);
            Some(text.replace(&format!("\"module\":\"{}\"", i.name), "\"module\":\"m\"").into_bytes())
        };
        out.extend(made.filter_map(|i| renamed(&i)).filter(|text| text.len() < 20_000));
        if out.len() > 60 {
            break;
        }
    }
    out
}

/// Profiles as JSON.
pub fn profiles() -> Vec<Vec<u8>> {
    contents(&["fuzz/seeds/profiles", "tests/report"], &["json"])
}

/// Profiles as programs leave them that are killed.
pub fn raw_profiles() -> Vec<Vec<u8>> {
    let packed = contents(&["fuzz/seeds/profiles"], &["zlib"]);
    let files = packed.iter().filter_map(|p| miniz_oxide::inflate::decompress_to_vec_zlib(p).ok());
    files.map(|f| crate::data::lines_of(&f)).collect()
}

/// The inputs of `seeds/NAME.txt`, which lines of `----` part.
fn lines(name: &str) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(root().join(format!("fuzz/seeds/{name}.txt"))).unwrap_or_default();
    text.split("----\n").map(|one| one.trim_end_matches('\n').as_bytes().to_vec()).collect()
}

/// Formats, each with input.
pub fn formats() -> Vec<Vec<u8>> {
    lines("formats")
}

/// List-directed input.
pub fn lists() -> Vec<Vec<u8>> {
    lines("lists")
}

/// NAMELIST input.
pub fn namelists() -> Vec<Vec<u8>> {
    lines("namelists")
}

/// Command lines.
pub fn flags() -> Vec<Vec<u8>> {
    lines("flags")
}
