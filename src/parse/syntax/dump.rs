//! The tree as text, for `trueline dump --level ast` and for tests.
//!
//! One statement a line, with its line and column, its label, and every grouping written out: operations stand in
//! parentheses, parentheses of the source as `paren(…)`. The walk keeps its own stack, so any tree prints.

use trueline_diag::SourceMap;

use crate::ast::*;

mod decl;
mod directive;
mod expr;
mod stmt;

/// The tree as indented text. The same tree gives the same text, always.
pub fn dump(ast: &Ast, map: &SourceMap) -> String {
    let mut dump = Dump { ast, map, out: String::new(), work: Vec::new() };
    for &unit in ast.program.iter().rev() {
        dump.work.push(Work::Unit(unit, 0));
    }
    while let Some(work) = dump.work.pop() {
        match work {
            Work::Unit(unit, indent) => dump.unit(unit, indent),
            Work::Stmt(stmt, indent) => dump.stmt(stmt, indent),
            Work::Line(stmt, indent, text) => dump.line(stmt, indent, &text),
            Work::Text(text, indent) => dump.text(&text, indent),
        }
    }
    dump.out
}

/// A part still to be printed, at an indentation.
enum Work {
    Unit(UnitId, usize),
    Stmt(StmtId, usize),
    /// A statement of which only the text remains to be printed.
    Line(StmtId, usize, String),
    Text(String, usize),
}

struct Dump<'a> {
    ast: &'a Ast,
    map: &'a SourceMap,
    out: String,
    work: Vec<Work>,
}

impl Dump<'_> {
    fn text(&mut self, text: &str, indent: usize) {
        self.out.extend(std::iter::repeat_n(' ', 2 * indent.min(100)));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn line(&mut self, id: StmtId, indent: usize, text: &str) {
        let stmt = self.ast.stmt(id);
        let at = self.map.start(stmt.span);
        let label = stmt.label.map_or(String::new(), |label| format!("{} ", label.label));
        self.text(&format!("{label}{text}  @{}:{}", at.line, at.column), indent);
    }

    fn name(&self, ident: Ident) -> &str {
        self.ast.name(ident.name)
    }

    fn unit(&mut self, id: UnitId, indent: usize) {
        let unit = &self.ast.units[id];
        let at = self.map.start(unit.span);
        let head = self.unit_head(unit);
        self.text(&format!("{head}  @{}:{}", at.line, at.column), indent);
        let mut work: Vec<Work> = Vec::new();
        let mut part = |title: &str, stmts: &[StmtId]| {
            if !stmts.is_empty() {
                work.push(Work::Text(title.to_string(), indent));
                work.extend(stmts.iter().map(|&stmt| Work::Stmt(stmt, indent + 1)));
            }
        };
        part("specification", &unit.spec);
        part("body", self.ast.block(unit.body));
        if let Some(contains) = unit.contains {
            work.push(Work::Line(contains, indent, "contains".into()));
            work.extend(unit.contained.iter().map(|&unit| Work::Unit(unit, indent + 1)));
        }
        match unit.end {
            Some(end) => work.push(Work::Line(end, indent, "end".into())),
            None => work.push(Work::Text("end missing".into(), indent)),
        }
        self.work.extend(work.into_iter().rev());
    }

    fn unit_head(&self, unit: &Unit) -> String {
        let mut head = String::new();
        for (on, word) in [
            (unit.prefix.extrinsic.is_some_and(|e| e.model == Model::Global), "extrinsic(hpf) "),
            (unit.prefix.extrinsic.is_some_and(|e| e.model == Model::Local), "extrinsic(hpf_local) "),
            (unit.prefix.extrinsic.is_some_and(|e| e.model == Model::Serial), "extrinsic(hpf_serial) "),
            (unit.prefix.recursive, "recursive "),
            (unit.prefix.pure, "pure "),
            (unit.prefix.elemental, "elemental "),
            (unit.prefix.impure, "impure "),
        ] {
            if on {
                head.push_str(word);
            }
        }
        if let Some(ty) = &unit.prefix.ty {
            head.push_str(&self.type_spec(ty));
            head.push(' ');
        }
        head.push_str(match unit.kind {
            UnitKind::Program => "program",
            UnitKind::Subroutine => "subroutine",
            UnitKind::Function => "function",
            UnitKind::Module => "module",
            UnitKind::BlockData => "block data",
        });
        if let Some(name) = unit.name {
            head.push(' ');
            head.push_str(self.name(name));
        }
        if matches!(unit.kind, UnitKind::Subroutine | UnitKind::Function) {
            head.push_str(&self.params(&unit.params));
        }
        head.push_str(&self.result_and_bind(unit.result, unit.bind));
        head
    }

    fn params(&self, params: &[Param]) -> String {
        let params: Vec<&str> = params
            .iter()
            .map(|param| match param {
                Param::Name(name) => self.name(*name),
                Param::Star(_) => "*",
            })
            .collect();
        format!("({})", params.join(", "))
    }

    fn result_and_bind(&self, result: Option<Ident>, bind: Option<Bind>) -> String {
        let mut out = result.map_or(String::new(), |result| format!(" result({})", self.name(result)));
        if let Some(bind) = bind {
            out.push(' ');
            out.push_str(&self.bind(bind));
        }
        out
    }
}
