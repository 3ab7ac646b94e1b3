//! Module files: the interface of a module, for files that are compiled without its source.
//!
//! A module file is called `NAME.mod`, as with other compilers. It holds the *text* of the module, with the execution parts
//! of its procedures blanked, so that lines and therefore messages stay true; a file that uses the module parses and declares it
//! like its own, but gets no code from it. Everything the language can say in an interface needs no format of its own this way.
//!
//! ```text
//! trueline module 1 SHA256
//! zlib({ "module": …, "source": { "name", "text", "includes" }, "uses": […] })
//! ```
//!
//! The file contains the modules that its module uses, so that it can be read alone. It is written atomically, and only if its
//! content is new: then `make` sees no change.

pub mod interface;

use crate::driver::Session;
use crate::options::Options;
use crate::output;
use interface::{Interface, Store, from_json, to_json};
use miniz_oxide::{deflate::compress_to_vec_zlib, inflate::decompress_to_vec_zlib_with_limit};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use trueline_diag::{Diagnostic, FileId, Prepared, SourceMap, Span};
use trueline_syntax::SourceForm;
use trueline_syntax::ast::{Ast, BlockId, StmtKind, UnitId, UnitKind};

const MAGIC: &str = "trueline module 1 ";

/// The largest module file, unpacked, in bytes.
const LIMIT: usize = 256 << 20;

impl Interface {
    /// A module without anything in it.
    fn empty(name: &str, options: &Options) -> Interface {
        Interface::of_text(name, &format!("module {name}\nend module\n"), options)
    }

    /// A module of that text, in free form.
    fn of_text(name: &str, text: &str, options: &Options) -> Interface {
        let text = text.as_bytes().to_vec();
        Interface {
            name: name.to_owned(),
            source: Prepared { name: format!("{name}.mod"), text, original: None, includes: Vec::new() },
            form: SourceForm::Free,
            line_length: None,
            d_lines: false,
            defaults: defaults(options),
            uses: Vec::new(),
        }
    }
}

/// The modules that statements of the file use, each with the place of its first use.
pub fn used(ast: &Ast) -> BTreeMap<String, Span> {
    let mut out = BTreeMap::new();
    for stmt in ast.stmts.values() {
        if let StmtKind::Use(u) = &stmt.kind {
            out.entry(ast.name(u.module.name).to_owned()).or_insert(u.module.span);
        }
    }
    out
}

/// The modules that the file defines.
pub fn defined(ast: &Ast) -> impl Iterator<Item = (&str, UnitId)> {
    ast.program.iter().filter_map(|&id| {
        let unit = &ast.units[id];
        let name = unit.name.filter(|_| unit.kind == UnitKind::Module)?;
        Some((ast.name(name.name), id))
    })
}

/// Adds to the trees the interfaces of all modules that they use and do not define: from the store, or from module files.
/// A module that cannot be found is left to the analysis to report.
pub fn load(session: &mut Session, asts: &mut Vec<Ast>, options: &Options) {
    let mut known: BTreeMap<String, ()> =
        asts.iter().flat_map(|a| defined(a).map(|(n, _)| (n.to_owned(), ())).collect::<Vec<_>>()).collect();
    let mut embedded = Store::new();
    let mut next = 0;
    while next < asts.len() {
        for (name, span) in used(&asts[next]) {
            if known.contains_key(&name) {
                continue;
            }
            if name == "hpf_library" {
                let named = |word: &str| asts.iter().any(|ast| !ast.provided && ast.names.lookup(word).is_some());
                let found = Interface::of_text(&name, &trueline_sema::hpf_library_text(&named), options);
                known.insert(name, ());
                let ast = parse(session, &found, options);
                asts.push(Ast { external: false, provided: true, ..ast });
                continue;
            }
            if let Some(text) = trueline_sema::intrinsic_text(&name) {
                let found = Interface::of_text(&name, text, options);
                known.insert(name, ());
                asts.push(parse(session, &found, options));
                continue;
            }
            if trueline_sema::is_intrinsic_module(&name) {
                continue;
            }
            let found = match options.store.get(&name) {
                Some(found) => Some(found.clone()),
                None => match find(&name, options) {
                    None => embedded.get(&name).cloned(),
                    Some(Ok(found)) => Some(Arc::new(found)),
                    Some(Err(why)) => {
                        session.diagnostics.push(Diagnostic::error("T0247", span, why));
                        // That is enough said about it: it is taken for an empty one.
                        Some(Arc::new(Interface::empty(&name, options)))
                    }
                },
            };
            let Some(found) = found else { continue };
            if found.defaults != defaults(options) {
                let message = format!("The module '{name}' was compiled with other default kinds");
                let help = format!("Compile both with {}", flags_of(&found.defaults));
                session.diagnostics.push(Diagnostic::error("T0248", span, message).help(help));
            }
            for inner in &found.uses {
                embedded.entry(inner.name.clone()).or_insert_with(|| inner.clone());
            }
            known.insert(name, ());
            asts.push(parse(session, &found, options));
        }
        next += 1;
    }
}

/// The tree of an interface.
fn parse(session: &mut Session, interface: &Interface, options: &Options) -> Ast {
    let &Interface { form, line_length, d_lines, .. } = interface;
    let syntax = trueline_syntax::Options { form, line_length, d_lines, ..options.syntax.clone() };
    let file = session.map.add_prepared(interface.source.clone(), None);
    let mut ast = trueline_syntax::parse(&mut session.map, file, &syntax, &mut session.diagnostics);
    let wanted: Vec<UnitId> = defined(&ast).filter(|(name, _)| *name == interface.name).map(|(_, id)| id).collect();
    ast.program.retain(|id| wanted.contains(id));
    ast.external = true;
    ast
}

/// The interfaces of the modules that a file defines. `asts` are all trees of its compilation.
pub fn interfaces(ast: &Ast, asts: &[Ast], map: &SourceMap, options: &Options) -> Vec<Arc<Interface>> {
    let all: BTreeMap<&str, (&Ast, UnitId)> =
        asts.iter().flat_map(|a| defined(a).map(move |(name, id)| (name, (a, id)))).collect();
    let uses: BTreeMap<&str, Vec<&str>> = all.iter().map(|(&n, &(a, id))| (n, uses_of(a, id))).collect();
    let mut made: BTreeMap<&str, Arc<Interface>> = BTreeMap::new();
    let mut out = Vec::new();
    for (name, _) in defined(ast) {
        // Modules that are used directly or by way of others, each once.
        let mut needed: BTreeMap<&str, ()> = BTreeMap::new();
        let mut todo = vec![name];
        while let Some(at) = todo.pop() {
            for &used in uses.get(at).into_iter().flatten() {
                if used != name && needed.insert(used, ()).is_none() {
                    todo.push(used);
                }
            }
        }
        let one = |n: &str| all.get(n).map(|&(a, id)| interface(a, id, map, options));
        for &n in needed.keys() {
            if !made.contains_key(n)
                && let Some(i) = one(n)
            {
                made.insert(n, Arc::new(i));
            }
        }
        let uses = needed.keys().filter_map(|n| made.get(n).cloned()).collect();
        let Some(own) = one(name) else { return Vec::new() };
        out.push(Arc::new(Interface { uses, ..own }));
    }
    out
}

/// The modules that a unit and the units in it use.
fn uses_of(ast: &Ast, id: UnitId) -> Vec<&str> {
    let range = ast.units[id].span;
    let mut out: Vec<&str> = Vec::new();
    for stmt in ast.stmts.values() {
        if let StmtKind::Use(u) = &stmt.kind
            && (stmt.span.file != range.file || (range.start..=range.end).contains(&stmt.span.start))
        {
            out.push(ast.name(u.module.name));
        }
    }
    out
}

fn interface(ast: &Ast, id: UnitId, map: &SourceMap, options: &Options) -> Interface {
    let unit = &ast.units[id];
    let main = map.file(ast.file);
    let form = trueline_syntax::form_of(main.name(), options.syntax.form);
    Interface {
        name: unit.name.map_or(String::new(), |n| ast.name(n.name).to_owned()),
        source: blanked(ast, id, map),
        form,
        line_length: options.syntax.line_length,
        d_lines: options.syntax.d_lines,
        defaults: defaults(options),
        uses: Vec::new(),
    }
}

/// The flags that decide the sizes of default kinds.
fn defaults(options: &Options) -> String {
    let s = &options.semantics;
    let all = [
        ("i8", s.integer_8),
        ("r8", s.real_8),
        ("i4i8", s.integer_4_is_8),
        ("r4r8", s.real_4_is_8),
        ("r8r4", s.real_8_is_4),
        ("r16", s.real_16),
        ("d8", s.double_8),
        ("r4r16", s.real_4_is_16),
        ("r8r16", s.real_8_is_16),
    ];
    all.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect()
}

fn flags_of(defaults: &str) -> &'static str {
    match defaults {
        "i8r8" => "-fdefault-integer-8 -fdefault-real-8",
        "i8" => "-fdefault-integer-8",
        "r8" => "-fdefault-real-8",
        "" => "the usual default kinds",
        "i4i8" => "-finteger-4-integer-8",
        "r4r8" => "-freal-4-real-8",
        "r8r4" => "-freal-8-real-4",
        "r16" => "-fdefault-real-16",
        "d8" => "-fdefault-double-8",
        "r8d8" => "-fdefault-real-8 -fdefault-double-8",
        "r4r16" => "-freal-4-real-16",
        "r8r16" => "-freal-8-real-16",
        _ => "several options for kinds",
    }
}

/// The text of a module: its lines, without the execution parts of its procedures.
fn blanked(ast: &Ast, id: UnitId, map: &SourceMap) -> Prepared {
    let file = map.file(ast.file);
    let line = |span: Span| line_of(map, span, ast.file);
    let unit = &ast.units[id];
    let first = unit.header.map_or(1, |h| line(ast.stmt(h).span));
    let last = unit.end.map_or(file.line_count(), |e| line(ast.stmt(e).span));
    let mut kept = vec![false; file.line_count() as usize + 1];
    kept[first as usize..=last as usize].fill(true);
    for &procedure in &unit.contained {
        let p = &ast.units[procedure];
        let Some(end) = p.end.map(|e| line(ast.stmt(e).span)) else { continue };
        let from =
            body_start(ast, p.body).map(line).into_iter().chain(p.contains.map(|c| line(ast.stmt(c).span))).min();
        let Some(from) = from else { continue };
        let said = p.spec.iter().chain(&p.header).map(|&s| map_end(map, ast.stmt(s).span, ast.file));
        // DATA and FORMAT may stand anywhere; other declarations are in front of the body.
        let said = said.filter(|&l| l <= from).max().unwrap_or(0);
        let from = from.max(said + 1);
        if from < end {
            kept[from as usize..end as usize].fill(false);
        }
    }
    for stmt in ast.stmts.values() {
        if matches!(stmt.kind, StmtKind::Entry(_)) && stmt.span.file == ast.file {
            let (from, to) = (map.start(stmt.span).line, map.end(stmt.span).line);
            if (first..=last).contains(&from) {
                kept[from as usize..=to as usize].fill(true);
            }
        }
    }
    let mut text = Vec::new();
    for at in 1..=last {
        if kept[at as usize] {
            text.extend_from_slice(file.line_text(at));
        }
        text.push(b'\n');
    }
    let includes = included(map, ast.file).filter(|(line, _)| kept.get(*line as usize) == Some(&true));
    Prepared { name: file.name().to_owned(), text, original: None, includes: includes.collect() }
}

/// The first statement of a block.
fn body_start(ast: &Ast, block: BlockId) -> Option<Span> {
    ast.block(block).first().map(|&s| ast.stmt(s).span)
}

/// The line in `main` of a place there or in a file that it includes.
fn line_of(map: &SourceMap, mut span: Span, main: FileId) -> u32 {
    while span.file != main {
        match map.file(span.file).included_at() {
            Some(at) => span = at,
            None => break,
        }
    }
    map.start(span).line
}

fn map_end(map: &SourceMap, span: Span, main: FileId) -> u32 {
    if span.file == main { map.end(span).line } else { line_of(map, span, main) }
}

/// The files that a file includes, with the lines of the INCLUDEs.
fn included(map: &SourceMap, file: FileId) -> impl Iterator<Item = (u32, Prepared)> {
    map.files().filter_map(move |(id, inner)| {
        let at = inner.included_at().filter(|at| at.file == file)?;
        let text = inner.bytes().to_vec();
        let includes = included(map, id).collect();
        Some((map.start(at).line, Prepared { name: inner.name().to_owned(), text, original: None, includes }))
    })
}

/// Looks for the module's file; the error is a sentence.
fn find(name: &str, options: &Options) -> Option<Result<Interface, String>> {
    let file = format!("{name}.mod");
    let path = options.module_dirs.iter().map(|d| d.join(&file)).find(|p| p.is_file())?;
    Some(read(&path, name).map_err(|why| format!("Cannot use the module file '{}': {why}", path.display())))
}

fn read(path: &Path, name: &str) -> Result<Interface, String> {
    unpack(&crate::runtime::read(path).map_err(|e| e.to_string())?, name)
}

/// The module `name` that the bytes of a module file hold.
///
/// # Errors
/// The second half of a sentence: the bytes are of something else, or damaged.
pub fn unpack(bytes: &[u8], name: &str) -> Result<Interface, String> {
    let foreign = "it is not of this compiler; compile the module with it";
    let end = bytes.iter().position(|&b| b == b'\n').ok_or(foreign)?;
    let head = std::str::from_utf8(&bytes[..end]).map_err(|_| foreign)?;
    let Some(sum) = head.strip_prefix(MAGIC) else {
        let ours = head.starts_with("trueline module ");
        let other = "it is of another version of this compiler; compile the module again";
        return Err(if ours { other } else { foreign }.to_owned());
    };
    let damaged = || "it is damaged; compile the module again".to_owned();
    let packed = &bytes[end + 1..];
    if crate::runtime::sha256(packed) != sum {
        return Err(damaged());
    }
    let json = decompress_to_vec_zlib_with_limit(packed, LIMIT).map_err(|_| damaged())?;
    let value: Value = serde_json::from_slice(&json).map_err(|_| damaged())?;
    let interface = from_json(&value, 0).ok_or_else(damaged)?;
    if interface.name != name {
        return Err(format!("it holds the module '{}'", interface.name));
    }
    Ok(interface)
}

/// Writes `NAME.mod` into a directory, unless it is there already with this content.
///
/// # Errors
/// A sentence.
pub fn write(directory: &Path, interface: &Interface) -> Result<PathBuf, String> {
    let path = directory.join(format!("{}.mod", interface.name));
    let content = pack(json(interface).as_bytes());
    if crate::runtime::read(&path).is_ok_and(|old| old == content) {
        return Ok(path);
    }
    output::write_atomically(&path, &content, output::Mode::Data)
        .map_err(|e| format!("Cannot write '{}': {e}", path.display()))?;
    Ok(path)
}

/// The interface as JSON, which [`pack`] makes a module file of.
pub fn json(interface: &Interface) -> String {
    to_json(interface).to_string()
}

/// A module file with that content, which should be the JSON of an interface.
pub fn pack(json: &[u8]) -> Vec<u8> {
    let packed = compress_to_vec_zlib(json, 6);
    let mut out = format!("{MAGIC}{}\n", crate::runtime::sha256(&packed)).into_bytes();
    out.extend(packed);
    out
}
