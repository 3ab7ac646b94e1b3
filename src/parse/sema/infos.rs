//! Source statements: every executable statement and construct of the compilation gets its
//! [`StmtInfo`], in source order over all files, here and nowhere else.
//!
//! | statement | kind | parent |
//! |---|---|---|
//! | program, procedure | `program`, `procedure` | none |
//! | ENTRY, and the header of a procedure with ENTRY as one of its entries | `procedure` | none |
//! | module, BLOCK DATA | `other` | none |
//! | construct, simple statement | by its form | the construct, arm or procedure around |
//! | ELSE IF, ELSE, CASE, ELSEWHERE | by its form | its construct |
//! | statement of a logical IF, WHERE, FORALL statement | by its form | that statement |
//!
//! FORMAT, DATA and other declarations, statement functions, END and CONTAINS have none. An assignment
//! is an `array_assign` if its target is an array; inside WHERE and FORALL it is an `assign`,
//! because there the construct is the region.

pub mod open_blocks;
pub(crate) mod text;

use crate::scope::symbol::SymbolKind;
use crate::scope::{Declarations, ScopeId};
use crate::visit;
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use trueline_diag::{SourceMap, Span};
use trueline_provenance::{FileInfo, Serial, StmtInfo, StmtInfos, StmtKind};
use trueline_syntax::Name;
use trueline_syntax::ast::{
    ArgValue, Arm, Ast, BlockId, DoControl, ExprId, ExprKind, StmtId, StmtKind as Form, UnitId, UnitKind,
};

/// From statements of the ASTs to source statements.
#[derive(Default, Debug)]
pub struct Serials {
    units: Vec<SecondaryMap<UnitId, PackedOption<Serial>>>,
    stmts: Vec<SecondaryMap<StmtId, PackedOption<Serial>>>,
    /// The header of a procedure with ENTRY statements, as one of its entries.
    headers: Vec<SecondaryMap<UnitId, PackedOption<Serial>>>,
    /// The FORALL and WHERE constructs around the statements in them.
    regions: FxHashMap<Serial, Vec<Serial>>,
}

impl Serials {
    /// The source statement that a unit is.
    pub fn of_unit(&self, ast: usize, unit: UnitId) -> Option<Serial> {
        self.units.get(ast)?[unit].expand()
    }

    /// The header of a procedure with ENTRY statements as one of the places it begins at: how often it is called by
    /// this name. The unit itself counts its calls by all names.
    pub fn of_header(&self, ast: usize, unit: UnitId) -> Option<Serial> {
        self.headers.get(ast)?[unit].expand()
    }

    /// The FORALL and WHERE constructs around a source statement.
    pub fn regions_around(&self, serial: Serial) -> &[Serial] {
        self.regions.get(&serial).map_or(&[], Vec::as_slice)
    }

    /// The source statement of a statement; none for declarations and END statements.
    pub fn of_stmt(&self, ast: usize, stmt: StmtId) -> Option<Serial> {
        self.stmts.get(ast)?[stmt].expand()
    }
}

/// Makes the source statements of all files.
pub fn collect(decls: &Declarations<'_>, map: &SourceMap) -> (StmtInfos, Serials) {
    let files = map.files().map(|(_, f)| FileInfo { path: f.name().to_owned(), text: f.written().to_vec() }).collect();
    let mut infos = StmtInfos { files, ..StmtInfos::default() };
    let mut serials = Serials::default();
    let mut work: Vec<(usize, UnitId, ScopeId)> = Vec::new();
    for (index, ast) in decls.asts.iter().enumerate() {
        serials.units.push(SecondaryMap::new());
        serials.stmts.push(SecondaryMap::new());
        serials.headers.push(SecondaryMap::new());
        if ast.external {
            continue;
        }
        let mut todo: Vec<UnitId> = ast.program.iter().rev().copied().collect();
        while let Some(id) = todo.pop() {
            todo.extend(ast.units[id].contained.iter().rev());
            work.extend(decls.unit_scope(index, id).map(|scope| (index, id, scope)));
        }
    }
    // In batches, so that the results do not take the memory twice.
    for some in work.chunks(BATCH) {
        let one = |&(index, id, scope): &(usize, UnitId, ScopeId)| Collect::of(decls, map, index, id, scope);
        let found: Vec<Found> = match some.len() < MANY {
            true => some.iter().map(one).collect(),
            false => some.par_iter().map(one).collect(),
        };
        for (&(index, id, _), found) in some.iter().zip(found) {
            append(&mut infos, &mut serials, index, id, found);
        }
    }
    for (s, info) in infos.stmts.iter() {
        // A construct stands before the statements in it.
        let Some(parent) = info.parent.expand() else { continue };
        let mut around = serials.regions_around(parent).to_vec();
        around.extend(infos.stmts[parent].kind.is_region().then_some(parent));
        if !around.is_empty() {
            serials.regions.insert(s, around);
        }
    }
    (infos, serials)
}

/// The fewest units that are worth the threads.
const MANY: usize = 32;

/// The most units done before their results are put together.
const BATCH: usize = 4096;

/// The source statements of one unit, numbered from 0: the unit itself comes first.
#[derive(Default)]
struct Found {
    infos: PrimaryMap<Serial, StmtInfo>,
    stmts: Vec<(StmtId, Serial)>,
    header: Option<Serial>,
}

/// Numbers the source statements of a unit after the statements that are numbered already.
fn append(infos: &mut StmtInfos, serials: &mut Serials, index: usize, id: UnitId, found: Found) {
    let base = infos.stmts.len() as u32;
    let moved = |s: Serial| Serial::from_u32(base + s.as_u32());
    serials.units[index][id] = moved(Serial::from_u32(0)).into();
    if let Some(header) = found.header {
        serials.headers[index][id] = moved(header).into();
    }
    for (s, serial) in found.stmts {
        serials.stmts[index][s] = moved(serial).into();
    }
    for (_, info) in found.infos {
        let parent = info.parent.expand().map(moved).into();
        infos.stmts.push(StmtInfo { parent, ..info });
    }
}

struct Collect<'c, 'a> {
    decls: &'c Declarations<'a>,
    map: &'c SourceMap,
    ast: &'a Ast,
    index: usize,
    scope: ScopeId,
    found: Found,
    /// The blocks of the unit that jumps enter: their constructs are none that is profiled.
    open: crate::infos::open_blocks::Open,
}

/// The surroundings of a statement.
#[derive(Clone, Copy)]
struct Around {
    parent: Serial,
    /// Inside WHERE or FORALL.
    masked: bool,
}

impl<'c, 'a> Collect<'c, 'a> {
    fn of(decls: &'c Declarations<'a>, map: &'c SourceMap, index: usize, id: UnitId, scope: ScopeId) -> Found {
        let ast: &'a Ast = &decls.asts[index];
        let open = crate::infos::open_blocks::find(ast, id);
        let mut c = Collect { decls, map, ast, index, scope, found: Found::default(), open };
        c.unit(id);
        c.found
    }

    fn unit(&mut self, id: UnitId) {
        let ast = self.ast;
        let unit = &ast.units[id];
        let kind = match unit.kind {
            UnitKind::Program => StmtKind::Program,
            UnitKind::Subroutine | UnitKind::Function => StmtKind::Procedure,
            UnitKind::Module | UnitKind::BlockData => StmtKind::Other,
        };
        let name = self.decls.scopes[self.scope].symbol.map_or("", |s| &self.decls.symbols[s].name);
        let span = unit.header.map_or(unit.span, |h| ast.stmt(h).span);
        let start = self.map.start(span);
        let end = unit.end.map_or(unit.span, |e| ast.stmt(e).span);
        let end_line = if end.file == span.file { self.map.end(end).line } else { start.line };
        let serial = self.found.infos.push(StmtInfo {
            file: span.file.index() as u32,
            line: start.line,
            end_line: end_line.max(start.line),
            column: start.column,
            parent: None.into(),
            kind,
            is_array_expr: false,
            text: name.to_owned(),
        });
        if !self.decls.scopes[self.scope].entries.is_empty() {
            let header = self.entry(span, format!("entry {name}"));
            self.found.header = Some(header);
        }
        let around = Around { parent: serial, masked: false };
        for &s in &unit.spec {
            match &ast.stmt(s).kind {
                Form::Directive(_) => {
                    self.simple(s, StmtKind::Directive, around);
                }
                Form::Entry(_) => {
                    self.stmt(s, around);
                }
                _ => {}
            }
        }
        self.block(unit.body, around);
    }

    /// A name that a procedure is called by.
    fn entry(&mut self, span: Span, text: String) -> Serial {
        let start = self.map.start(span);
        self.found.infos.push(StmtInfo {
            file: span.file.index() as u32,
            line: start.line,
            end_line: self.map.end(span).line.max(start.line),
            column: start.column,
            parent: None.into(),
            kind: StmtKind::Procedure,
            is_array_expr: false,
            text,
        })
    }

    /// Gives the source statement of the last statement.
    fn block(&mut self, block: BlockId, around: Around) -> Option<Serial> {
        let ast = self.ast;
        ast.block(block).iter().fold(None, |_, &s| self.stmt(s, around))
    }

    /// A statement with the statements nested in it. Recursion is bounded by the depth of blocks in the AST.
    fn stmt(&mut self, s: StmtId, around: Around) -> Option<Serial> {
        let ast = self.ast;
        if let Form::Entry(entry) = &ast.stmt(s).kind {
            let serial = self.entry(ast.stmt(s).span, ast.name(entry.name.name).to_owned());
            self.found.stmts.push((s, serial));
            return Some(serial);
        }
        let kind = self.kind(s, around)?;
        let serial = self.simple(s, kind, around);
        let inner = Around { parent: serial, ..around };
        let masked = Around { parent: serial, masked: true };
        let outer = self.scope;
        self.scope = self.decls.construct_scope(self.index, s).unwrap_or(outer);
        let end = match &ast.stmt(s).kind {
            Form::IfLogical { body, .. } => {
                self.stmt(*body, inner);
                None
            }
            Form::WhereStmt { body, .. } | Form::ForallStmt { body, .. } => {
                self.stmt(*body, masked);
                None
            }
            Form::If(c) => {
                self.block(c.then, inner);
                let open = crate::infos::open_blocks::is_open(&self.open, c.then, &c.arms);
                self.arms(&c.arms, inner, open);
                c.end
            }
            Form::Select(c) => {
                self.arms(&c.arms, inner, false);
                c.end
            }
            Form::Do(c) => {
                self.block(c.body, inner);
                c.end.or(c.terminal)
            }
            Form::Where(c) => {
                self.block(c.body, masked);
                self.arms(&c.arms, masked, false);
                c.end
            }
            Form::Forall(c) => {
                self.block(c.body, masked);
                c.end
            }
            Form::Associate(c) => {
                self.block(c.body, inner);
                c.end
            }
            Form::Block(c) => {
                self.block(c.body, inner);
                c.end
            }
            _ => None,
        };
        self.scope = outer;
        if let Some(end) = end {
            self.extend(serial, ast.stmt(end).span);
        }
        Some(serial)
    }

    /// The further arms of a construct. An arm ends with the last statement in it.
    fn arms(&mut self, arms: &[Arm], around: Around, open: bool) {
        let ast = self.ast;
        for arm in arms {
            let kind = match ast.stmt(arm.head).kind {
                _ if open => StmtKind::Goto,
                Form::ElseIf { .. } => StmtKind::ElseIf,
                Form::Else => StmtKind::Else,
                Form::Case(_) => StmtKind::Case,
                Form::Elsewhere { .. } => StmtKind::Elsewhere,
                // An arm whose head could not be parsed.
                _ => StmtKind::Other,
            };
            let serial = self.simple(arm.head, kind, around);
            let last = self.block(arm.body, Around { parent: serial, ..around });
            let infos = &mut self.found.infos;
            if let Some(last) = last
                && infos[last].file == infos[serial].file
            {
                let end = infos[last].end_line;
                let own = &mut infos[serial];
                own.end_line = own.end_line.max(end);
            }
        }
    }

    /// The end of a construct.
    fn extend(&mut self, serial: Serial, end: Span) {
        let line = self.map.end(end).line;
        let info = &mut self.found.infos[serial];
        if info.file == end.file.index() as u32 {
            info.end_line = info.end_line.max(line);
        }
    }

    /// Makes the source statement of `s` alone.
    fn simple(&mut self, s: StmtId, kind: StmtKind, around: Around) -> Serial {
        let span = self.ast.stmt(s).span;
        let start = self.map.start(span);
        let serial = self.found.infos.push(StmtInfo {
            file: span.file.index() as u32,
            line: start.line,
            end_line: self.map.end(span).line.max(start.line),
            column: start.column,
            parent: around.parent.into(),
            kind,
            is_array_expr: self.has_array_expr(s),
            text: match kind {
                StmtKind::Directive => text::directive(self.map, span),
                _ => text::normalised(self.map, span),
            },
        });
        self.found.stmts.push((s, serial));
        serial
    }

    /// The kind of a statement; none if it does not execute.
    fn kind(&self, s: StmtId, around: Around) -> Option<StmtKind> {
        Some(match &self.ast.stmt(s).kind {
            Form::Assign { target, value } => {
                if self.defines_statement_function(*target, *value) {
                    return None;
                }
                if !around.masked && self.is_array(*target) { StmtKind::ArrayAssign } else { StmtKind::Assign }
            }
            Form::PointerAssign { .. } | Form::AssignLabel { .. } => StmtKind::Assign,
            Form::Call { .. } => StmtKind::Call,
            Form::Goto(_) | Form::ComputedGoto(_) | Form::AssignedGoto(_) | Form::Cycle(_) | Form::Exit(_) => {
                StmtKind::Goto
            }
            Form::IfLogical { .. } => StmtKind::IfLog,
            Form::IfArith { .. } => StmtKind::IfArith,
            Form::If(c) if crate::infos::open_blocks::is_open(&self.open, c.then, &c.arms) => StmtKind::Goto,
            Form::Do(d) if self.open.contains_key(&d.body) => StmtKind::Goto,
            Form::If(_) => StmtKind::IfBlock,
            Form::Select(_) => StmtKind::Select,
            Form::Do(d) => match d.control {
                DoControl::Forever | DoControl::While(_) => StmtKind::DoWhile,
                DoControl::Count { .. } => StmtKind::Do,
                DoControl::Concurrent(_) => StmtKind::Forall,
            },
            Form::WhereStmt { .. } | Form::Where(_) => StmtKind::Where,
            Form::ForallStmt { .. } | Form::Forall(_) => StmtKind::Forall,
            Form::Return(_) => StmtKind::Return,
            Form::Stop { .. } | Form::Pause(_) => StmtKind::Stop,
            Form::Io(_) => StmtKind::Io,
            Form::Directive(_) => StmtKind::Directive,
            Form::Continue
            | Form::Associate(_)
            | Form::Block(_)
            | Form::Allocate(_)
            | Form::Deallocate(_)
            | Form::Nullify(_) => StmtKind::Other,
            _ => return None,
        })
    }

    /// The symbol kind of the name that `x` starts with.
    fn root_kind(&self, x: ExprId) -> Option<&SymbolKind> {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let id = self.decls.named(self.scope, name)?;
                Some(&self.decls.symbols[id].kind)
            }
            ExprKind::Call { base, .. } => self.root_kind(base),
            _ => None,
        }
    }

    fn defines_statement_function(&self, target: ExprId, value: ExprId) -> bool {
        matches!(self.ast.expr(target).kind, ExprKind::Call { .. })
            && matches!(self.root_kind(target), Some(SymbolKind::StatementFunction { body, .. }) if *body == value)
    }

    fn has_array_expr(&self, s: StmtId) -> bool {
        let mut found = false;
        let kind = &self.ast.stmt(s).kind;
        visit::stmt_exprs(self.ast, s, &mut |x| {
            // A whole array that is read, written or passed on is no expression: nothing is computed.
            let is_item = matches!(kind, Form::Io(_) | Form::Call { .. } | Form::Allocate(_) | Form::Deallocate(_))
                && !matches!(self.ast.expr(x).kind, ExprKind::Unary { .. } | ExprKind::Binary { .. });
            found |= self.contains_array(x, is_item);
        });
        found
    }

    /// Whether an operand in `x` is an array that takes part in a computation.
    fn contains_array(&self, x: ExprId, is_item: bool) -> bool {
        let mut todo: SmallVec<[(ExprId, bool); 16]> = smallvec![(x, is_item)];
        while let Some((x, is_item)) = todo.pop() {
            if !is_item && self.is_array(x) {
                return true;
            }
            let passes_on = self.passes_on(x);
            visit::operands(self.ast, x, &mut |o| match self.ast.expr(o).kind {
                ExprKind::Name(_) if passes_on => {}
                ExprKind::Int { .. } | ExprKind::Real { .. } => {}
                _ => todo.push((o, false)),
            });
        }
        false
    }

    /// Whether bare names that `x` has as arguments or subscripts are not computed with.
    fn passes_on(&self, x: ExprId) -> bool {
        matches!(self.ast.expr(x).kind, ExprKind::Call { .. }) && (self.is_call_of_user(x) || self.is_inquiry(x))
    }

    fn base_name(&self, x: ExprId) -> Option<Name> {
        match self.ast.expr(x).kind {
            ExprKind::Call { base, .. } => match self.ast.expr(base).kind {
                ExprKind::Name(name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether `x` subscripts an array, or calls a procedure that is not an intrinsic: bare names in it are no operands.
    fn is_call_of_user(&self, x: ExprId) -> bool {
        let Some(name) = self.base_name(x) else { return false };
        match self.decls.named(self.scope, name) {
            // The base itself of a subscripted array is not a whole array.
            Some(id) if self.decls.symbols[id].is_array() => true,
            Some(id) => !self.decls.is_intrinsic_name(id),
            None => crate::intrinsic::lookup(self.ast.name(name)).is_none(),
        }
    }

    /// Inquiry functions do not look at the values of an array.
    fn is_inquiry(&self, x: ExprId) -> bool {
        let row = self.base_name(x).and_then(|name| crate::intrinsic::lookup(self.ast.name(name)));
        row.is_some_and(|r| matches!(r.rule, crate::intrinsic::Rule::Inquiry(_) | crate::intrinsic::Rule::Model(_)))
    }

    /// Whether the value of a variable, section or constructor is an array.
    fn is_array(&self, x: ExprId) -> bool {
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let id = self.decls.named(self.scope, name);
                id.is_some_and(|id| {
                    self.decls.symbols[id].is_array()
                        && !matches!(self.decls.symbols[id].kind, SymbolKind::Processors | SymbolKind::Template)
                })
            }
            ExprKind::Call { base, args } => {
                if !matches!(self.ast.expr(base).kind, ExprKind::Name(_)) {
                    return self.is_array(base);
                }
                self.is_array(base)
                    && self.ast.args(args).iter().any(|a| match a.value {
                        ArgValue::Section { .. } => true,
                        ArgValue::Expr(x) => self.is_vector(x),
                        _ => false,
                    })
            }
            ExprKind::ArrayConstructor { .. } => true,
            ExprKind::Paren(inner) => self.is_array(inner),
            _ => false,
        }
    }

    /// Whether a subscript is itself an array.
    fn is_vector(&self, x: ExprId) -> bool {
        match self.ast.expr(x).kind {
            ExprKind::Unary { operand, .. } => self.is_vector(operand),
            ExprKind::Binary { left, right, .. } => self.is_vector(left) || self.is_vector(right),
            _ => self.is_array(x),
        }
    }
}
