//! Bounds and lengths that a procedure computes at its entry: the functions that they may use, and sizes that need themselves.

use crate::check::statements::Statements;
use crate::scope::ScopeId;
use crate::scope::symbol::{Extent, ProcedureClass, Symbol, SymbolId, SymbolKind};
use crate::visit;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use trueline_diag::Diagnostic;
use trueline_syntax::ast::{ExprId, ExprKind};

impl Statements<'_, '_> {
    /// The bounds and lengths of the variables of a scope.
    pub(super) fn extents(&mut self, scope: ScopeId) {
        let decls = self.decls;
        let outer = std::mem::replace(&mut self.scope, scope);
        for &id in &decls.scopes[scope].own {
            for x in computed(&decls.symbols[id]) {
                self.expression(x);
                let checked = self.site().must_be_integer(x);
                self.passes(checked);
                self.functions_of_a_size(x);
            }
        }
        self.circles(scope);
        self.scope = outer;
    }

    /// Reports functions that the procedure has to be entered for (Fortran 95, 7.1.6.2).
    fn functions_of_a_size(&mut self, x: ExprId) {
        let (decls, ast) = (self.decls, self.ast);
        let mut wrong: SmallVec<[Diagnostic; 1]> = SmallVec::new();
        visit::expressions(ast, x, &mut |x| {
            let ExprKind::Call { base, .. } = ast.expr(x).kind else { return };
            let ExprKind::Name(name) = ast.expr(base).kind else { return };
            let Some(id) = decls.visible(self.scope, name) else { return };
            let what = match &decls.symbols[id].kind {
                SymbolKind::StatementFunction { .. } => "a statement function",
                SymbolKind::Procedure(p) if p.class == ProcedureClass::Internal => "an internal function",
                _ => return,
            };
            let message = format!("'{}' is {what}, which cannot give a bound or a length", ast.name(name));
            wrong.push(Diagnostic::error("T0304", ast.span(base), message));
        });
        wrong.into_iter().for_each(|d| self.diags.push(d));
    }

    /// Reports a variable whose bounds or length need themselves, perhaps through those of others.
    fn circles(&mut self, scope: ScopeId) {
        let mut done: FxHashSet<Size> = FxHashSet::default();
        for &id in &self.decls.scopes[scope].own {
            for size in [Size::Length(id), Size::Bounds(id)] {
                let mut reached: FxHashSet<Size> = FxHashSet::default();
                let mut todo = vec![size];
                while let Some(from) = todo.pop() {
                    let needed = self.needed_for(scope, from);
                    todo.extend(needed.into_iter().filter(|to| !done.contains(to) && reached.insert(*to)));
                }
                // Another circle through this one would be this circle.
                done.insert(size);
                if reached.contains(&size) {
                    let s = &self.decls.symbols[id];
                    let message = format!("The size of '{}' depends on itself", s.name);
                    self.diags.push(Diagnostic::error("T0305", s.span, message));
                    break;
                }
            }
        }
    }

    /// The sizes of variables of the scope that the computation of one needs.
    fn needed_for(&self, scope: ScopeId, size: Size) -> SmallVec<[Size; 4]> {
        let mut out = SmallVec::new();
        let s = &self.decls.symbols[match size {
            Size::Length(id) | Size::Bounds(id) => id,
        }];
        match size {
            Size::Length(_) => expressions([s.len]).for_each(|x| self.sizes_in(scope, x, &mut out)),
            Size::Bounds(_) => bounds(s).for_each(|x| self.sizes_in(scope, x, &mut out)),
        }
        out
    }

    fn sizes_in(&self, scope: ScopeId, x: ExprId, out: &mut SmallVec<[Size; 4]>) {
        let variable = |x: ExprId| match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.decls.named(scope, name).filter(|&id| self.decls.symbols[id].scope == scope),
            _ => None,
        };
        if let Some(id) = variable(x) {
            out.extend([Size::Length(id), Size::Bounds(id)]);
            return;
        }
        let mut operands: SmallVec<[ExprId; 4]> = SmallVec::new();
        visit::operands(self.ast, x, &mut |o| operands.push(o));
        // An inquiry needs one of the two alone.
        if let (ExprKind::Call { .. }, &[function, of, ..]) = (&self.ast.expr(x).kind, &*operands)
            && let (ExprKind::Name(name), Some(id)) = (self.ast.expr(function).kind.clone(), variable(of))
            && self.decls.visible(scope, name).is_none_or(|f| is_intrinsic(&self.decls.symbols[f]))
        {
            let size = match self.ast.name(name) {
                "len" => Some(Size::Length(id)),
                "size" | "shape" | "lbound" | "ubound" => Some(Size::Bounds(id)),
                _ => None,
            };
            if let Some(size) = size {
                out.push(size);
                operands.drain(..2);
            }
        }
        operands.into_iter().for_each(|o| self.sizes_in(scope, o, out));
    }
}

/// A part of a variable's declaration that may be computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Size {
    /// The length of a string.
    Length(SymbolId),
    /// The bounds of an array.
    Bounds(SymbolId),
}

fn is_intrinsic(s: &Symbol) -> bool {
    s.procedure().is_some_and(|p| p.class == ProcedureClass::Intrinsic)
}

/// The expressions of bounds and of the length that are evaluated at entry.
fn computed(s: &Symbol) -> impl Iterator<Item = ExprId> {
    bounds(s).chain(expressions([s.len]))
}

fn bounds(s: &Symbol) -> impl Iterator<Item = ExprId> {
    expressions(s.shape.iter().flat_map(|b| [b.lower, b.upper]))
}

fn expressions(extents: impl IntoIterator<Item = Extent>) -> impl Iterator<Item = ExprId> {
    extents.into_iter().filter_map(|extent| if let Extent::Entry(x) = extent { Some(x) } else { None })
}
