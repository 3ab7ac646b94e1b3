//! Declarations in the front end: the sources of `tests/declare` give exactly the text beside
//! them (`BLESS=1` rewrites it): diagnostics with their secondary places, source statements, static
//! memory with its content, directives.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use trueline_diag::{Diagnostic, Diagnostics, Severity, SourceMap};
use trueline_ir::Program;

/// The program made of a file, the diagnostics, and the files.
fn analyze(path: &Path) -> (Program, Vec<Diagnostic>, SourceMap) {
    let mut map = SourceMap::new();
    let mut diags = Diagnostics::new();
    let Some(file) = map.load_main(path, &mut diags) else {
        let diags = diags.finish(&map);
        return (Program::default(), diags, map);
    };
    let mut options = trueline_syntax::Options::default();
    options.include_dirs.extend(path.parent().map(|p| p.join("include")));
    let ast = trueline_syntax::parse(&mut map, file, &options, &mut diags);
    let program = trueline_lower::compile(&[ast], &map, &Default::default(), &mut diags);
    let diags = diags.finish(&map);
    (program, diags, map)
}

fn sources(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    let entries = std::fs::read_dir(&dir).into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    let mut out: Vec<PathBuf> =
        entries.filter(|p| p.extension().is_some_and(|e| ["f", "f90", "hpf"].iter().any(|x| e == *x))).collect();
    out.sort();
    out
}

/// The largest stack that the compiler gives its threads.
fn on_large_stack(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(f);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn declarations_say_exactly_this() {
    on_large_stack(|| {
        let mut wrong = String::new();
        for path in sources("tests/declare") {
            let text = dump(&path);
            let golden = path.with_extension("out");
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&golden, &text).expect("the golden file can be written");
                continue;
            }
            let want = std::fs::read_to_string(&golden).unwrap_or_default();
            if want != text {
                let _ = writeln!(wrong, "{} differs from its .out (BLESS=1 rewrites it):\n{text}", path.display());
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    });
}

fn dump(path: &Path) -> String {
    let (program, diags, map) = analyze(path);
    let mut out = String::new();
    for d in &diags {
        diagnostic(d, &map, &mut out);
    }
    if diags.iter().any(|d| d.severity == Severity::Error) {
        return out;
    }
    for (serial, info) in program.infos.stmts.iter() {
        let parent = info.parent.expand().map_or("-".to_owned(), |p| format!("{p:?}"));
        let array = if info.is_array_expr { " array" } else { "" };
        let (kind, text) = (info.kind.name(), &info.text);
        let _ = writeln!(
            out,
            "{serial:?} {}-{}:{} in {parent} {kind}{array}: {text}",
            info.line, info.end_line, info.column
        );
    }
    for unit in &program.units {
        memory(unit, &mut out);
    }
    out
}

fn diagnostic(d: &Diagnostic, map: &SourceMap, out: &mut String) {
    let place = |span| {
        let at = map.start(span);
        format!("{}:{}", at.line, at.column)
    };
    let at = d.primary.as_ref().map_or(String::new(), |p| place(p.span));
    let _ = writeln!(out, "{at}: {} [{}]: {}", d.severity.word(), d.code, d.message);
    if let Some(p) = d.primary.as_ref().filter(|p| !p.text.is_empty()) {
        let _ = writeln!(out, "  here: {}", p.text);
    }
    for s in &d.secondary {
        let _ = writeln!(out, "  {}: {}", place(s.span), s.text);
    }
    for n in d.notes.iter() {
        let _ = writeln!(out, "  note: {n}");
    }
    if let Some(h) = &d.help {
        let _ = writeln!(out, "  help: {h}");
    }
}

/// The static memory of a unit with its content, where each variable is, and the directives.
fn memory(unit: &trueline_ir::Unit, out: &mut String) {
    let _ = writeln!(out, "unit {} {}", unit.name(), unit.symbol());
    for (_, sym) in unit.syms().filter(|(_, s)| s.from_source) {
        let home = match sym.storage {
            trueline_ir::Storage::Static { area, offset } => format!("{}+{offset}", unit.area(area).symbol),
            other => format!("{other:?}"),
        };
        let _ = writeln!(out, "  {} {:?} rank {}: {home}", sym.name, sym.ty, sym.dims.len());
    }
    for (_, area) in unit.areas() {
        let hex: String = area.init.iter().take(256).map(|b| format!("{b:02x}")).collect();
        let _ = writeln!(out, "  {} {:?} size {} align {} {hex}", area.symbol, area.linkage, area.size, area.align);
    }
    for d in unit.directives() {
        let names: Vec<&str> = d.syms.iter().map(|&s| unit.sym(s).name.as_str()).collect();
        let _ = writeln!(out, "  directive {} {:?} of {:?}: {}", d.kind, names, d.of_loop, d.text);
    }
}
