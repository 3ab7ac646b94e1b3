//! Warnings that the declarations and the syntax tree give: names nobody uses, variables nobody sets, loops that never run.
//!
//! A name is looked up in the innermost program unit around it, which is found by its position: a name in an
//! included file belongs to whatever unit its INCLUDE line stands in.

pub(crate) mod flags;
mod values;

use crate::check::warnings::flags::{Warning, Warnings};
use crate::scope::symbol::{Home, ProcedureClass, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::visit;
use crate::{Const, Scalar, const_eval};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use trueline_syntax::ast::{
    ArgValue, Ast, BinaryOp, BlockId, DoControl, ExprId, ExprKind, IoKind, IoValue, KindParam, StmtId, StmtKind, UnitId,
};
use trueline_syntax::{Name, SourceForm};

/// Looks through all files of the compilation for the warnings asked for.
pub fn warn(decls: &Declarations<'_>, map: &SourceMap, on: Warnings, diags: &mut Diagnostics) {
    if on.is_empty() {
        return;
    }
    for (index, ast) in decls.asts.iter().enumerate().filter(|(_, a)| !a.external && !a.provided) {
        let mut w = Warn { decls, ast, index, on, uses: Uses::default(), diags };
        w.names(map);
        w.text(map);
        for (id, _) in ast.units.iter() {
            if let Some(scope) = decls.unit_scope(index, id) {
                w.unit(scope, id);
            }
        }
    }
}

/// A warning with its flag.
pub fn warning(which: Warning, span: Span, message: &str) -> Diagnostic {
    Diagnostic::warning("T0700", span, format!("{message} [-W{}]", which.name()))
}

/// The uses of names.
#[derive(Default)]
struct Uses {
    /// The value is asked for, at this place first.
    read: FxHashMap<SymbolId, Span>,
    /// It is given one, or may be.
    set: FxHashSet<SymbolId>,
    /// The name is seen from a scope.
    seen: FxHashSet<(ScopeId, SymbolId)>,
}

struct Warn<'w, 'a> {
    decls: &'w Declarations<'a>,
    ast: &'a Ast,
    index: usize,
    on: Warnings,
    uses: Uses,
    diags: &'w mut Diagnostics,
}

/// The effect of a mention of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Read,
    Set,
    Both,
}

impl Warn<'_, '_> {
    fn push(&mut self, which: Warning, span: Span, message: &str) {
        if self.on.has(which) {
            self.diags.push(warning(which, span, message));
        }
    }

    /// Notes every mention of a name in the file, and its effect.
    fn names(&mut self, map: &SourceMap) {
        let ast = self.ast;
        let (targets, passed) = self.special();
        let mut mentions: Vec<(Span, Name, Use)> = Vec::new();
        for (x, expr) in ast.exprs.iter() {
            let how = if targets.contains(&x) {
                Use::Set
            } else if passed.contains(&x) {
                Use::Both
            } else {
                Use::Read
            };
            match &expr.kind {
                ExprKind::Name(name) => mentions.push((expr.span, *name, how)),
                ExprKind::ImpliedDo(d) => mentions.push((d.var.span, d.var.name, Use::Both)),
                ExprKind::Int { kind: KindParam::Name(name), .. }
                | ExprKind::Real { kind: KindParam::Name(name), .. }
                | ExprKind::Logical { kind: KindParam::Name(name), .. }
                | ExprKind::Char { kind: KindParam::Name(name), .. } => mentions.push((expr.span, *name, Use::Read)),
                _ => {}
            }
        }
        for stmt in ast.stmts.values() {
            match &stmt.kind {
                StmtKind::Do(d) => match &d.control {
                    DoControl::Count { var, .. } => mentions.push((var.span, var.name, Use::Both)),
                    DoControl::Concurrent(h) => {
                        mentions.extend(h.triplets.iter().map(|t| (t.index.span, t.index.name, Use::Both)));
                    }
                    _ => {}
                },
                StmtKind::Forall(f) => {
                    mentions.extend(f.header.triplets.iter().map(|t| (t.index.span, t.index.name, Use::Both)));
                }
                StmtKind::ForallStmt { header, .. } => {
                    mentions.extend(header.triplets.iter().map(|t| (t.index.span, t.index.name, Use::Both)));
                }
                StmtKind::Namelist(groups) => {
                    for group in groups {
                        mentions.extend(group.items.iter().map(|i| (i.span, i.name, Use::Both)));
                    }
                }
                _ => {}
            }
        }
        let places = Places::of(ast);
        for (span, name, how) in mentions {
            if let Some(unit) = places.unit_at(map, ast, span)
                && let Some(scope) = self.decls.unit_scope(self.index, unit)
            {
                self.mention(scope, name, span, how);
            }
        }
    }

    /// Expressions that are only assigned to, and expressions that a procedure or READ may set.
    fn special(&self) -> (FxHashSet<ExprId>, FxHashSet<ExprId>) {
        let ast = self.ast;
        let (mut targets, mut passed) = (FxHashSet::default(), FxHashSet::default());
        for (x, expr) in ast.exprs.iter() {
            if let ExprKind::Call { args, .. } = &expr.kind {
                passed.extend(arguments(ast, *args));
                // A substring or element that is passed passes its base.
                if let Some(root) = root(ast, x)
                    && root != x
                {
                    passed.remove(&root);
                }
            }
        }
        for stmt in ast.stmts.values() {
            match &stmt.kind {
                StmtKind::Assign { target, .. } | StmtKind::PointerAssign { target, .. } => {
                    targets.extend(root(ast, *target));
                }
                StmtKind::Call { args, .. } => passed.extend(arguments(ast, *args)),
                StmtKind::Allocate(a) | StmtKind::Deallocate(a) => {
                    passed.extend(ast.list(a.objects).iter().filter_map(|&x| root(ast, x)));
                    passed.extend(a.options.iter().filter_map(|o| root(ast, o.2)));
                }
                StmtKind::Nullify(list) => passed.extend(ast.list(*list).iter().filter_map(|&x| root(ast, x))),
                StmtKind::Associate(a) => passed.extend(a.associations.iter().filter_map(|x| root(ast, x.1))),
                StmtKind::Data(groups) => {
                    passed.extend(groups.iter().flat_map(|g| ast.list(g.targets)).filter_map(|&x| root(ast, x)));
                }
                StmtKind::Equivalence(sets) => {
                    passed.extend(sets.iter().flat_map(|&s| ast.list(s)).filter_map(|&x| root(ast, x)));
                }
                StmtKind::Io(io) => {
                    for c in &io.controls {
                        if let IoValue::Expr(x) = c.value {
                            passed.extend(root(ast, x));
                        }
                    }
                    if io.kind == IoKind::Read || io.kind == IoKind::Inquire {
                        let mut todo: Vec<ExprId> = ast.list(io.items).to_vec();
                        while let Some(x) = todo.pop() {
                            match &ast.expr(x).kind {
                                ExprKind::ImpliedDo(d) => todo.extend(ast.list(d.items)),
                                _ => passed.extend(root(ast, x)),
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        (targets, passed)
    }

    fn mention(&mut self, scope: ScopeId, name: Name, span: Span, how: Use) {
        let spelling = self.decls.spellings.of(self.decls.scopes[scope].ast, name);
        let mut at = Some(scope);
        while let Some(s) = at {
            if let Some(&id) = self.decls.scopes[s].names.get(&spelling) {
                let mut up = Some(scope);
                while let Some(u) = up {
                    self.uses.seen.insert((u, id));
                    up = self.decls.scopes[u].parent.filter(|_| u != s);
                }
                if how != Use::Set {
                    self.uses.read.entry(id).or_insert(span);
                }
                if how != Use::Read {
                    self.uses.set.insert(id);
                }
                return;
            }
            at = self.decls.scopes[s].parent;
        }
    }

    /// Warnings about the characters of the file.
    fn text(&mut self, map: &SourceMap) {
        if self.ast.start > 0 {
            return;
        }
        let file = map.file(self.ast.file);
        if self.on.has(Warning::Tabs)
            && let Some(at) = file.bytes().iter().position(|&b| b == b'\t')
        {
            let span = Span::new(self.ast.file, at as u32, at as u32 + 1);
            self.push(Warning::Tabs, span, "Nonconforming tab character");
        }
        let options = self.decls.options;
        let is_fixed = trueline_syntax::form_of(file.name(), options.form) == SourceForm::Fixed;
        if let Some(columns) = options.columns.filter(|_| is_fixed && self.on.has(Warning::LineTruncation)) {
            for (start, line) in lines(file.bytes()).filter(|(_, line)| is_truncated(line, columns)) {
                let span = Span::new(self.ast.file, (start + columns) as u32, (start + line.len()) as u32);
                self.push(Warning::LineTruncation, span, "Line truncated");
            }
        }
    }

    fn unit(&mut self, scope: ScopeId, id: UnitId) {
        if self.decls.scopes[scope].kind == ScopeKind::Interface {
            return;
        }
        for &own in &self.decls.scopes[scope].own {
            self.symbol(scope, own);
        }
        self.imports(scope, id);
        self.labels(id);
        let ast = self.ast;
        let mut all = Vec::new();
        statements(ast, ast.units[id].body, &mut |s| all.push(s));
        for s in all {
            self.statement(scope, s);
        }
    }

    fn symbol(&mut self, scope: ScopeId, id: SymbolId) {
        let decls = self.decls;
        let s = &decls.symbols[id];
        let (read, set) = (self.uses.read.get(&id).copied(), self.uses.set.contains(&id));
        let kind = decls.scopes[scope].kind;
        let name = &s.name;
        match &s.kind {
            SymbolKind::Procedure(p) if p.scope.is_some_and(|p| decls.scopes[p].unit.is_some()) => {
                let private = p.class == ProcedureClass::Internal
                    || (p.class == ProcedureClass::Module && decls.scopes[scope].hidden.contains(name.as_str()));
                if private && read.is_none() && !set {
                    self.push(Warning::UnusedFunction, s.span, &format!("'{name}' is defined but not used"));
                }
                if p.class != ProcedureClass::External && crate::intrinsic::lookup(name).is_some() {
                    let text = format!("'{name}' hides the intrinsic procedure of the same name");
                    self.push(Warning::IntrinsicShadow, s.span, &text);
                }
            }
            SymbolKind::Variable if s.home != Home::None || s.attrs.result => {
                if s.attrs.result && !set && !s.attrs.equivalenced && !self.has_entry(scope) {
                    let text = format!("Return value '{name}' of the function is not set");
                    self.push(Warning::ReturnType, s.span, &text);
                }
                let shared = s.attrs.common || s.attrs.equivalenced || kind == ScopeKind::Module;
                if !shared && !s.attrs.result {
                    self.variable(s, read, set);
                }
                self.shadow(scope, s);
            }
            SymbolKind::Parameter if kind != ScopeKind::Module && read.is_none() => {
                self.push(Warning::UnusedParameter, s.span, &format!("Unused parameter '{name}'"));
            }
            _ => {}
        }
    }

    /// Whether the procedure has further entries, whose results share its memory.
    fn has_entry(&self, scope: ScopeId) -> bool {
        let Some(unit) = self.decls.scopes[scope].unit else { return false };
        let unit = &self.ast.units[unit];
        let mut found = unit.spec.iter().any(|&s| matches!(self.ast.stmt(s).kind, StmtKind::Entry(_)));
        statements(self.ast, unit.body, &mut |s| found |= matches!(self.ast.stmt(s).kind, StmtKind::Entry(_)));
        found
    }

    fn variable(&mut self, s: &Symbol, read: Option<Span>, set: bool) {
        let name = &s.name;
        if let Home::Dummy { .. } = s.home {
            let out = s.intent == trueline_ir::Intent::Out && !set;
            match read {
                _ if out => {
                    let text = format!("Dummy argument '{name}' with INTENT(OUT) is not set");
                    self.push(Warning::UnusedDummyArgument, s.span, &text);
                }
                None if !set => {
                    self.push(Warning::UnusedDummyArgument, s.span, &format!("Unused dummy argument '{name}'"));
                }
                _ => {}
            }
            return;
        }
        match read {
            None if !set => self.push(Warning::UnusedVariable, s.span, &format!("Unused variable '{name}'")),
            Some(at) if !set && !s.attrs.initialised && !s.attrs.allocatable && !s.attrs.pointer => {
                self.unset(s, at);
            }
            _ => {}
        }
    }

    fn unset(&mut self, s: &Symbol, at: Span) {
        if self.on.has(Warning::Uninitialized) {
            let d = warning(Warning::Uninitialized, at, &format!("'{}' is used but never set", s.name));
            self.diags.push(d.because(s.span, "declared here"));
        }
    }

    /// A variable that hides one of the host.
    fn shadow(&mut self, scope: ScopeId, s: &Symbol) {
        let Some(parent) = self.decls.scopes[scope].parent.filter(|_| self.on.has(Warning::Shadow)) else { return };
        let Some(hidden) = self.decls.lookup(parent, &s.name) else { return };
        let hidden = &self.decls.symbols[hidden];
        if hidden.kind == SymbolKind::Variable {
            let d = warning(Warning::Shadow, s.span, &format!("'{}' hides the variable of the host", s.name));
            self.diags.push(d.because(hidden.span, "declared here"));
        }
    }

    /// Names that USE, ONLY brings and nobody uses.
    fn imports(&mut self, scope: ScopeId, id: UnitId) {
        let ast = self.ast;
        for &s in &ast.units[id].spec {
            let StmtKind::Use(u) = &ast.stmt(s).kind else { continue };
            if !u.only {
                self.push(Warning::UseWithoutOnly, ast.stmt(s).span, "USE statement has no ONLY qualifier");
            }
            for item in u.items.iter().filter(|_| u.only) {
                let trueline_syntax::ast::GenericSpec::Name(ident) = item.local.unwrap_or(item.name) else { continue };
                let text = ast.name(ident.name);
                let Some(symbol) = self.decls.lookup_local(scope, text) else { continue };
                let kind = &self.decls.symbols[symbol].kind;
                let counts = matches!(kind, SymbolKind::Variable | SymbolKind::Parameter);
                // A module hands on its imported names.
                let handed_on = self.decls.scopes[scope].kind == ScopeKind::Module
                    && !self.decls.scopes[scope].hidden.contains(text);
                if counts && !handed_on && !self.uses.seen.contains(&(scope, symbol)) {
                    let which =
                        if *kind == SymbolKind::Parameter { Warning::UnusedParameter } else { Warning::UnusedVariable };
                    self.push(which, ident.span, &format!("'{text}' is imported but not used"));
                }
            }
        }
    }

    /// Labels that nothing refers to.
    fn labels(&mut self, id: UnitId) {
        if !self.on.has(Warning::UnusedLabel) {
            return;
        }
        let ast = self.ast;
        let mut used: FxHashSet<u32> = FxHashSet::default();
        let mut defined = Vec::new();
        let mut note = |s: StmtId| {
            let stmt = ast.stmt(s);
            defined.extend(stmt.label);
            visit::jump_labels(ast, s, &mut |l| {
                used.insert(l.label);
            });
            match &stmt.kind {
                StmtKind::Do(d) => used.extend(d.label.map(|l| l.label)),
                StmtKind::Io(io) => {
                    for c in &io.controls {
                        if let IoValue::Label(l) = c.value {
                            used.insert(l.label);
                        }
                    }
                }
                _ => {}
            }
            let mut calls = Vec::new();
            visit::stmt_exprs(ast, s, &mut |x| calls.push(x));
            for x in calls {
                if let ExprKind::Call { args, .. } = ast.expr(x).kind {
                    for a in ast.args(args) {
                        if let ArgValue::AltReturn(l) = a.value {
                            used.insert(l.label);
                        }
                    }
                }
            }
        };
        statements(ast, ast.units[id].body, &mut note);
        ast.units[id].spec.iter().for_each(|&s| note(s));
        for label in defined {
            if !used.contains(&label.label) {
                self.push(Warning::UnusedLabel, label.span, &format!("Label {} is defined but not used", label.label));
            }
        }
    }

    fn statement(&mut self, scope: ScopeId, s: StmtId) {
        let ast = self.ast;
        if let StmtKind::Do(d) = &ast.stmt(s).kind
            && let DoControl::Count { from, to, step, .. } = &d.control
        {
            let known = |x: ExprId| match const_eval(self.decls, scope, x) {
                Ok(Const::Scalar(Scalar::Int(_, v))) => Some(v),
                _ => None,
            };
            let step = step.map_or(Some(1), known);
            if let (Some(from), Some(to), Some(step)) = (known(*from), known(*to), step)
                && ((step > 0 && from > to) || (step < 0 && from < to))
            {
                let text = "The body of this loop is never executed";
                self.push(Warning::Zerotrip, ast.stmt(s).span, text);
            }
        }
        if !self.on.has(Warning::IntegerDivision) {
            return;
        }
        let mut divisions = Vec::new();
        visit::stmt_exprs(ast, s, &mut |x| {
            visit::expressions(ast, x, &mut |x| {
                if let ExprKind::Binary { op: BinaryOp::Div, left, right } = ast.expr(x).kind {
                    divisions.push((x, left, right));
                }
            });
        });
        for (x, left, right) in divisions {
            let known = |x: ExprId| match const_eval(self.decls, scope, x) {
                Ok(Const::Scalar(Scalar::Int(_, v))) => Some(v),
                _ => None,
            };
            if let (Some(a), Some(b)) = (known(left), known(right))
                && b != 0
                && a.wrapping_rem(b) != 0
            {
                let text = format!("The integer division is truncated to {}", a.wrapping_div(b));
                self.push(Warning::IntegerDivision, ast.span(x), &text);
            }
        }
    }
}

/// Each line and where it begins.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes.split(|&b| b == b'\n').scan(0, |next, line| {
        let start = std::mem::replace(next, *next + line.len() + 1);
        Some((start, line))
    })
}

/// Whether a line of fixed form has text beyond its last column that is not part of a comment.
fn is_truncated(line: &[u8], columns: usize) -> bool {
    let comment = matches!(line.first(), None | Some(b'c' | b'C' | b'*' | b'!' | b'#' | b'd' | b'D'));
    let Some((kept, rest)) = line.split_at_checked(columns).filter(|_| !comment) else { return false };
    let rest = rest.trim_ascii();
    !rest.is_empty() && !rest.starts_with(b"!") && !kept.contains(&b'!')
}

/// Every statement of `body` and below, in source order.
fn statements(ast: &Ast, body: BlockId, each: &mut dyn FnMut(StmtId)) {
    let mut todo: Vec<StmtId> = ast.block(body).iter().rev().copied().collect();
    while let Some(s) = todo.pop() {
        each(s);
        let at = todo.len();
        visit::stmt_children(ast, s, &mut |child, _| todo.push(child));
        todo[at..].reverse();
    }
}

/// The arguments that a procedure may set: the names at their roots.
fn arguments(ast: &Ast, args: trueline_syntax::ast::ArgList) -> impl Iterator<Item = ExprId> + '_ {
    ast.args(args).iter().filter_map(|a| match a.value {
        ArgValue::Expr(x) => root(ast, x),
        _ => None,
    })
}

/// The name that an element, a section, a substring or a component is of.
fn root(ast: &Ast, mut x: ExprId) -> Option<ExprId> {
    loop {
        match &ast.expr(x).kind {
            ExprKind::Name(_) => return Some(x),
            ExprKind::Call { base, .. } | ExprKind::Component { base, .. } => x = *base,
            _ => return None,
        }
    }
}

/// The unit around each place.
struct Places {
    /// The start of each unit and the end of each, ascending, with the innermost unit from there on.
    starts: Vec<(u32, Option<UnitId>)>,
}

impl Places {
    fn of(ast: &Ast) -> Places {
        let mut events: Vec<(u32, bool, UnitId)> = Vec::new();
        for (id, unit) in ast.units.iter() {
            if unit.span.file == ast.file {
                events.push((unit.span.start, true, id));
                events.push((unit.span.end, false, id));
            }
        }
        events.sort_by_key(|e| (e.0, e.1));
        let mut open: Vec<UnitId> = Vec::new();
        let mut starts = Vec::with_capacity(events.len());
        for (at, opens, id) in events {
            if opens {
                open.push(id);
            } else {
                open.retain(|o| *o != id);
            }
            starts.push((at, open.last().copied()));
        }
        Places { starts }
    }

    fn unit_at(&self, map: &SourceMap, ast: &Ast, span: Span) -> Option<UnitId> {
        let at = position_in(map, span, ast.file)?;
        let k = self.starts.partition_point(|s| s.0 <= at);
        self.starts.get(k.checked_sub(1)?)?.1
    }
}

/// The offset in `main` of a place there, or of the INCLUDE line by which it came there.
fn position_in(map: &SourceMap, mut span: Span, main: FileId) -> Option<u32> {
    while span.file != main {
        span = map.file(span.file).included_at()?;
    }
    Some(span.start)
}
