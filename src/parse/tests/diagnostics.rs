//! What the front end says: the programs with mistakes of `tests/bad` get their errors and no others, and
//! the sources of `tests/declare` exactly the text beside them (`BLESS=1` rewrites it): diagnostics with
//! their secondary places, source statements, static memory with its content, directives.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use trueline_diag::{Diagnostic, Diagnostics, Severity, SourceMap};
use trueline_ir::Program;

/// What a file becomes, what is said about it, and the files.
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
    let program = trueline_parse::analyze(&[ast], &map, &Default::default(), &mut diags);
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

/// A line of an `.err` file.
struct Expected {
    file: Option<String>,
    first: u32,
    last: u32,
    text: String,
}

fn expected(text: &str) -> (Vec<Expected>, bool) {
    let mut out = Vec::new();
    let mut more = false;
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        if line == "..." {
            more = true;
            continue;
        }
        let mut parts = line.splitn(2, ':');
        let mut head = parts.next().unwrap_or_default();
        let mut rest = parts.next().unwrap_or_default();
        let mut file = None;
        if !head.starts_with(|c: char| c.is_ascii_digit()) {
            file = Some(head.to_owned());
            (head, rest) = rest.split_once(':').unwrap_or((rest, ""));
        }
        let (first, last) = head.split_once('-').unwrap_or((head, head));
        let number = |t: &str| t.trim().parse().unwrap_or(0);
        out.push(Expected { file, first: number(first), last: number(last), text: rest.trim().to_lowercase() });
    }
    (out, more)
}

#[test]
fn mistakes_are_reported_and_nothing_else() {
    on_large_stack(|| {
        let mut wrong = String::new();
        for path in sources("../../tests/bad") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Ok(text) = std::fs::read_to_string(path.with_extension("err")) else { continue };
            check_mistakes(&path, &name, &text, &mut wrong);
        }
        assert!(wrong.is_empty(), "{wrong}");
    });
}

fn check_mistakes(path: &Path, name: &str, text: &str, wrong: &mut String) {
    let (expected, more) = expected(text);
    let (_, diags, map) = analyze(path);
    let errors: Vec<(String, u32, String)> = diags
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| match &d.primary {
            Some(p) => (map.file(p.span.file).name().to_owned(), map.start(p.span).line, d.message.to_lowercase()),
            None => (String::new(), 0, d.message.to_lowercase()),
        })
        .collect();
    let main = path.to_string_lossy();
    let fits = |e: &Expected, (file, line, _): &(String, u32, String)| {
        let file_fits = match &e.file {
            Some(f) => file.ends_with(f.as_str()),
            None => *file == *main || file.is_empty(),
        };
        file_fits && (e.first..=e.last).contains(line)
    };
    for e in &expected {
        if !errors.iter().any(|x| fits(e, x) && x.2.contains(&e.text)) {
            let _ = writeln!(wrong, "{name}:{}: missing: {}", e.first, e.text);
        }
    }
    for x in &errors {
        if !more && !expected.iter().any(|e| fits(e, x)) {
            let _ = writeln!(wrong, "{name}:{}: not expected: {}", x.1, x.2);
        }
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
