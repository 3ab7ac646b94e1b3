//! INDEPENDENT against the loop that it stands before: no iteration uses an element that another one writes.
//!
//! Only a proven conflict is an error: two iterations that certainly run write an element that one of them uses, as the distance of linear
//! subscripts tells. A proof that hangs on a conditional is a warning. Subscripts that are no linear functions of the loop's variable are
//! the reason for INDEPENDENT, so they are not reported.

mod accesses;
mod reductions;

use super::extents::number;
use crate::scope::symbol::{SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::visit;
use accesses::{Access, accesses};
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_syntax::ast::{Ast, Clauses, Directive, DoControl, ExprKind, Hpf, StmtId, StmtKind};

pub(super) fn check(decls: &Declarations<'_>, diags: &mut Diagnostics) {
    for (scope, data) in decls.scopes.iter() {
        let Some(unit) = data.unit.filter(|_| data.kind != ScopeKind::Interface) else { continue };
        let ast = decls.ast(scope);
        if !ast.has_directives || ast.external {
            continue;
        }
        // The last directive of the specification part may stand before the first statement.
        let mut all: Vec<StmtId> = ast.units[unit].spec.to_vec();
        all.retain(|&s| matches!(ast.stmt(s).kind, StmtKind::Directive(_)));
        all.extend(super::on::statements(ast, ast.units[unit].body));
        let mut found: Option<(&Clauses, Span)> = None;
        for (k, &s) in all.iter().enumerate() {
            match &ast.stmt(s).kind {
                StmtKind::Directive(d) => {
                    if let Directive::Hpf(Hpf::Independent(clauses)) = d.as_ref() {
                        found = Some((clauses, ast.stmt(s).span));
                    }
                }
                _ => {
                    if let Some((clauses, span)) = found.take() {
                        let mut c = Check { decls, scope, ast, clauses, span, diags, after: &all[k + 1..] };
                        c.statement(s);
                    }
                }
            }
        }
    }
}

struct Check<'c, 'a> {
    decls: &'c Declarations<'a>,
    scope: ScopeId,
    ast: &'a Ast,
    clauses: &'c Clauses,
    /// The directive.
    span: Span,
    diags: &'c mut Diagnostics,
    /// All statements behind the loop's head.
    after: &'c [StmtId],
}

/// A loop: its variable and the number of its iterations, if that is a constant.
struct Loop {
    stmt: StmtId,
    var: SymbolId,
    name: trueline_syntax::Name,
    trips: Option<i64>,
    /// The step of its variable, if that is a constant.
    step: Option<i64>,
}

impl Check<'_, '_> {
    fn statement(&mut self, s: StmtId) {
        let (var, from, to, step) = match &self.ast.stmt(s).kind {
            StmtKind::Do(d) => match &d.control {
                DoControl::Count { var, from, to, step } => (*var, *from, *to, *step),
                _ => return,
            },
            StmtKind::ForallStmt { header, .. } => return self.forall(s, header),
            StmtKind::Forall(f) => return self.forall(s, &f.header),
            _ => return,
        };
        let Some(id) = self.decls.named(self.scope, var.name) else { return };
        let value = |x| number(self.decls, self.scope, x);
        let step = step.map_or(Some(1), value).filter(|n| *n != 0);
        let trips = (|| {
            let (from, to, step) = (value(from)?, value(to)?, step?);
            to.checked_sub(from)?.checked_add(step).map(|n| (n / step).max(0))
        })();
        let l = Loop { stmt: s, var: id, name: var.name, trips, step };
        self.named_loops(&l, var.span);
        self.both_clauses();
        self.exits(&l);
        self.private(&l);
        if trips.is_some_and(|n| n <= 1) {
            return;
        }
        let all = accesses(self.decls, self.scope, self.ast, s, &l);
        let reduced = self.reductions(&l, &all);
        self.dependences(&l, &all, &reduced);
    }

    fn because(&mut self, code: &'static str, at: Span, message: String, text: &str, help: &str) {
        self.diags.push(Diagnostic::error(code, at, message).because(self.span, text).help(help));
    }

    /// `INDEPENDENT (i)` names the variable of the loop.
    fn named_loops(&mut self, l: &Loop, at: Span) {
        let Some(first) = self.clauses.loops.first() else { return };
        if self.decls.named(self.scope, first.name) != Some(l.var) {
            let message =
                format!("INDEPENDENT names '{}', which is not the variable of the loop", self.ast.name(first.name));
            let d = Diagnostic::error("T0453", first.span, message).because(at, "this is the loop's variable");
            self.diags.push(d.help("Write INDEPENDENT alone before each loop"));
        }
    }

    fn both_clauses(&mut self) {
        for new in &self.clauses.new {
            let id = self.decls.named(self.scope, new.name);
            let same = self
                .clauses
                .reduction
                .iter()
                .find(|&&(_, x)| id.is_some() && accesses::root(self.decls, self.scope, self.ast, x) == id);
            if let Some(&(_, x)) = same {
                let message = format!("'{}' is NEW and a REDUCTION at once", self.ast.name(new.name));
                let d = Diagnostic::error("T0454", new.span, message).because(self.ast.span(x), "the REDUCTION");
                self.diags.push(d.help("Remove it from one of the two clauses"));
            }
        }
    }

    /// No statement leaves the loop.
    fn exits(&mut self, l: &Loop) {
        let name = match &self.ast.stmt(l.stmt).kind {
            StmtKind::Do(d) => d.name.map(|n| n.name),
            _ => None,
        };
        let inside = inner(self.ast, l.stmt);
        let labels: Vec<u32> = inside.iter().filter_map(|(s, _)| self.ast.stmt(*s).label.map(|x| x.label)).collect();
        for &(s, depth) in &inside {
            let word = match &self.ast.stmt(s).kind {
                StmtKind::Exit(None) if depth == 0 => "EXIT",
                StmtKind::Exit(Some(n)) if Some(n.name) == name => "EXIT",
                StmtKind::Return(_) => "RETURN",
                _ => {
                    let mut out = false;
                    visit::jump_labels(self.ast, s, &mut |label| out |= !labels.contains(&label.label));
                    if !out || matches!(self.ast.stmt(s).kind, StmtKind::AssignLabel { .. } | StmtKind::Io(_)) {
                        continue;
                    }
                    "a jump out of it"
                }
            };
            let message = format!("The loop is INDEPENDENT, but {word} ends it early");
            let at = self.ast.stmt(s).span;
            self.because(
                "T0432",
                at,
                message,
                "declared INDEPENDENT here",
                "Remove INDEPENDENT, or let all iterations run",
            );
            return;
        }
    }

    /// A NEW variable has no value before an iteration and none after the loop.
    fn private(&mut self, l: &Loop) {
        for new in &self.clauses.new {
            let Some(id) = self.decls.named(self.scope, new.name) else { continue };
            let s = &self.decls.symbols[id];
            let own = self.decls.scopes[self.scope].symbol.and_then(|p| self.decls.symbols[p].procedure());
            let is_dummy = own.is_some_and(|p| p.dummies.contains(&Some(id)));
            let kept = [
                (is_dummy, "a dummy argument"),
                (s.attrs.common, "in a COMMON block"),
                (s.attrs.save, "SAVEd"),
                (s.attrs.pointer, "a POINTER"),
            ];
            if let Some((_, what)) = kept.iter().find(|k| k.0) {
                let message = format!("'{}' is NEW, but it is {what}", s.name);
                let d = Diagnostic::error("T0452", new.span, message).because(s.span, "declared here");
                self.diags.push(d.help("Use a local variable that is not kept"));
                continue;
            }
            self.read_after(l, id, new.span);
        }
    }

    fn read_after(&mut self, l: &Loop, id: SymbolId, at: Span) {
        let inside: Vec<StmtId> = inner(self.ast, l.stmt).into_iter().map(|(s, _)| s).collect();
        let name = self.decls.symbols[id].name.clone();
        for &s in self.after.iter().filter(|s| !inside.contains(s)) {
            match accesses::first_use(self.decls, self.scope, self.ast, s, id) {
                accesses::Use::None => {}
                accesses::Use::Written => return,
                accesses::Use::Read(span) => {
                    let message = format!("'{name}' is read after the loop in which it is NEW");
                    let d =
                        Diagnostic::error("T0434", span, message).because(at, "NEW: it has no value after the loop");
                    self.diags.push(d.help(format!("Remove '{name}' from NEW, or give it a value after the loop")));
                    return;
                }
            }
        }
    }

    /// Every index of a FORALL that assigns stands in the subscripts of its targets.
    fn forall(&mut self, s: StmtId, header: &trueline_syntax::ast::ForallHeader) {
        for (body, _) in inner(self.ast, s) {
            let StmtKind::Assign { target, .. } = self.ast.stmt(body).kind else { continue };
            for t in &header.triplets {
                let value = |x| number(self.decls, self.scope, x);
                let one = value(t.lo).is_some() && value(t.lo) == value(t.hi);
                let mut mentioned = false;
                visit::expressions(self.ast, target, &mut |x| {
                    mentioned |= matches!(self.ast.expr(x).kind, ExprKind::Name(n) if n == t.index.name);
                });
                if !mentioned && !one {
                    let index = self.ast.name(t.index.name).to_owned();
                    let message = format!("Every '{index}' of the INDEPENDENT FORALL assigns the same element");
                    let help = format!("Use '{index}' in a subscript of the target, or remove INDEPENDENT");
                    self.because("T0430", self.ast.span(target), message, "declared INDEPENDENT here", &help);
                }
            }
        }
    }

    /// Pairs of a write and another use of the same array, and scalars that are assigned.
    fn dependences(&mut self, l: &Loop, all: &[Access], reduced: &[SymbolId]) {
        let mut told: Vec<SymbolId> = Vec::new();
        let private: Vec<SymbolId> =
            self.clauses.new.iter().filter_map(|n| self.decls.named(self.scope, n.name)).collect();
        for w in all.iter().filter(|a| a.write) {
            let s = &self.decls.symbols[w.id];
            let skip = told.contains(&w.id) || private.contains(&w.id) || reduced.contains(&w.id) || w.id == l.var;
            if skip || s.kind != SymbolKind::Variable || w.is_loop_variable {
                continue;
            }
            if s.rank() == 0 {
                told.push(w.id);
                self.shared_scalar(w, all);
                continue;
            }
            let clash = all.iter().filter(|r| r.id == w.id).find_map(|r| {
                let distance = accesses::clash(self.decls, self.scope, self.ast, l, w, r)?;
                Some((r, distance))
            });
            if let Some((r, distance)) = clash {
                told.push(w.id);
                self.carried(w, r, distance);
            }
        }
    }

    fn shared_scalar(&mut self, w: &Access, all: &[Access]) {
        let s = &self.decls.symbols[w.id];
        let name = s.name.clone();
        let is_sum = all.iter().any(|r| r.id == w.id && !r.write && r.stmt == w.stmt);
        let help = if is_sum {
            format!("Add REDUCTION({name}) to the directive")
        } else {
            format!("Add NEW({name}) to the directive if no iteration needs the value of another")
        };
        let message = format!("Every iteration of the INDEPENDENT loop assigns '{name}'");
        if w.certain {
            self.because("T0431", w.span, message, "declared INDEPENDENT here", &help);
        } else {
            let message = format!("Several iterations of the INDEPENDENT loop may assign '{name}'");
            let d = Diagnostic::warning("T0431", w.span, message).because(self.span, "declared INDEPENDENT here");
            self.diags.push(d.help(help));
        }
    }

    fn carried(&mut self, w: &Access, r: &Access, distance: i64) {
        let name = &self.decls.symbols[w.id].name;
        let use_ = if r.write { "assigned" } else { "used" };
        let message = match distance {
            0 => format!("Every iteration of the INDEPENDENT loop assigns the same element of '{name}'"),
            1 => format!("An element of '{name}' that one iteration assigns is {use_} in the next or the one before"),
            n => format!("An element of '{name}' that one iteration assigns is {use_} {n} iterations apart"),
        };
        let certain = w.certain && r.certain;
        let new = |code, at, text| {
            if certain { Diagnostic::error(code, at, text) } else { Diagnostic::warning(code, at, text) }
        };
        let mut d = new("T0430", if distance == 0 { w.span } else { r.span }, message);
        if distance != 0 {
            d = d.because(w.span, "assigned here");
        }
        self.diags.push(
            d.because(self.span, "declared INDEPENDENT here")
                .help("Remove INDEPENDENT: the iterations depend on each other"),
        );
    }
}

/// The statements in a loop or FORALL, each with the number of loops around it in there.
pub(super) fn inner(ast: &Ast, s: StmtId) -> Vec<(StmtId, usize)> {
    let mut out = Vec::new();
    let mut todo = Vec::new();
    visit::stmt_children(ast, s, &mut |child, _| todo.push((child, 0)));
    todo.reverse();
    while let Some((s, depth)) = todo.pop() {
        out.push((s, depth));
        let below = depth + usize::from(matches!(ast.stmt(s).kind, StmtKind::Do(_)));
        let at = todo.len();
        visit::stmt_children(ast, s, &mut |child, _| todo.push((child, below)));
        todo[at..].reverse();
    }
    out
}
