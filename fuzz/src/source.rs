//! The compiler, from text to machine code.

use std::path::Path;
use std::sync::Arc;
use trueline::driver::{Failure, Session};
use trueline::options::{Options, default_options};
use trueline::{modules, pipeline};
use trueline_diag::{Diagnostics, SourceMap};
use trueline_ir::OptLevel;

/// The largest source that is tried: any fault shows in a small one.
const LIMIT: usize = 64 << 10;

/// The text stands in one statement.
pub fn tokens(text: &[u8]) {
    let line: Vec<u8> = text.iter().map(|&b| if b == b'\n' { b' ' } else { b }).collect();
    parse("a.f90", [b"program p\nx = ", line.as_slice(), b"\nend program\n"].concat());
}

pub fn free_form(text: &[u8]) {
    parse("a.f90", text.to_vec());
}

pub fn fixed_form(text: &[u8]) {
    parse("a.f", text.to_vec());
}

/// Parses, prints the tree, and shows each message in every form.
fn parse(name: &str, mut text: Vec<u8>) {
    text.truncate(LIMIT);
    let (mut map, mut diagnostics) = (SourceMap::default(), Diagnostics::new());
    let file = map.add(name, text);
    let ast = trueline_syntax::parse(&mut map, file, &trueline_syntax::Options::default(), &mut diagnostics);
    trueline_syntax::dump(&ast, &map);
    show(diagnostics, &map);
}

/// Each message is shown in every form.
fn show(diagnostics: Diagnostics, map: &SourceMap) {
    let all = diagnostics.finish(map);
    for d in &all {
        assert!(!trueline_diag::render_plain(d, map).is_empty() && !trueline_diag::render_gcc(d, map).is_empty());
    }
    trueline_diag::to_json(&all, map);
}

pub fn preprocessor(text: &[u8]) {
    let options = default_options(Vec::new(), OptLevel::O0).cpp;
    let mut none = |_: &Path| Err("there are no other files".to_owned());
    let out = trueline_cpp::preprocess(Path::new("a.F90"), text[..text.len().min(LIMIT)].to_vec(), &options, &mut none);
    trueline_cpp::flatten(&out.prepared);
}

/// Parses and analyses, with all warnings.
pub fn analysis(text: &[u8]) {
    let mut options = default_options(Vec::new(), OptLevel::O0);
    options.semantics.warnings.apply("all");
    options.semantics.warnings.apply("extra");
    compile(text, &options, false);
}

/// Compiles to an object; the length of the text chooses level, checks and profile.
pub fn pipeline(text: &[u8]) {
    let levels = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];
    let mut options = default_options(Vec::new(), levels[text.len() % 4]);
    if text.len() / 4 % 2 == 1 {
        options.profile = Some(trueline_instrument::TimeMode::Outer);
    }
    if text.len() / 8 % 2 == 1 {
        options.semantics.checks.apply("all", true);
    }
    compile(text, &options, true);
}

/// Declarations that directives can name, and the text as directives.
pub fn directives(text: &[u8]) {
    let mut source =
        b"program p\n  integer, parameter :: n = 8\n  integer :: i, j\n  real :: a(n, n), b(n, n), c(n), d(n)\n"
            .to_vec();
    for line in text[..text.len().min(LIMIT)].split(|&b| b == b'\n') {
        source.extend([b"!hpf$ ", line, b"\n"].concat());
    }
    source.extend(b"  do i = 1, n\n    c(i) = d(i) + a(i, 1)\n  end do\n  print *, c\nend program\n");
    for hpf in [false, true] {
        let mut options = default_options(Vec::new(), OptLevel::O1);
        options.semantics.hpf = hpf;
        compile(&source, &options, true);
    }
}

/// # Panics
/// If there is a bug of ours, or an error without a message.
fn compile(text: &[u8], options: &Options, whole: bool) {
    let mut session = Session::default();
    let file = session.map.add("a.f90", text[..text.len().min(LIMIT)].to_vec());
    let mut trees = Vec::new();
    if session.map.check(file, &mut session.diagnostics) {
        trees = trueline_syntax::parse_parts(&mut session.map, file, &options.syntax, &mut session.diagnostics);
    }
    let ended = pipeline::analyze_trees(&mut session, &mut trees, options).and_then(|program| {
        if !whole {
            return Ok(());
        }
        let mut compiled = pipeline::optimize_for_object(program, options)?;
        pipeline::object(&mut compiled, options).map(|_| ())
    });
    match ended {
        Ok(()) => {}
        Err(Failure::Source) => assert!(session.diagnostics.has_errors(), "it fails without a message"),
        Err(Failure::User(text) | Failure::Link(text)) => assert!(!text.is_empty(), "it fails without a message"),
        Err(Failure::Bug(text)) => panic!("{text}"),
    }
    show(session.diagnostics, &session.map);
}

/// Text that is read is printed as text that means the same.
pub fn ir_text(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    if let Ok(program) = trueline_ir::parse_program(text)
        && trueline_ir::verify_program(&program).is_empty()
    {
        let printed = program.to_string();
        let again = trueline_ir::parse_program(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
        assert_eq!(again.to_string(), printed);
    }
}

/// The bytes are the content of a module file, and of one with a right checksum; a module that is read is used.
pub fn module_file(content: &[u8]) {
    assert!(modules::unpack(content, "m").err().is_none_or(|e| !e.is_empty()), "it is refused without a reason");
    let Ok(found) = modules::unpack(&modules::pack(content), "m") else { return };
    let mut options = default_options(Vec::new(), OptLevel::O1);
    options.store = Arc::new([("m".to_owned(), Arc::new(found))].into());
    compile(b"program p\n  use m\n  print *, 1\nend program\n", &options, true);
}
