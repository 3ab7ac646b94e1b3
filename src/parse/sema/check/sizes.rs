//! Bounds and lengths that a procedure computes at its entry: their types, and sizes that need themselves.

use crate::check::statements::Statements;
use crate::scope::ScopeId;
use crate::scope::symbol::{ProcedureClass, Symbol, SymbolId};
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
            for x in decls.symbols[id].computed_extents() {
                self.expression(x);
                let checked = self.site().must_be_integer(x);
                self.passes(checked);
            }
        }
        self.circles(scope);
        self.scope = outer;
    }

    /// Reports variables whose bounds or length need themselves, perhaps through those of others: the first of each circle.
    fn circles(&mut self, scope: ScopeId) {
        let decls = self.decls;
        let (mut closed, mut open, mut told) = (FxHashSet::default(), FxHashSet::default(), FxHashSet::default());
        let all = decls.scopes[scope].own.iter().flat_map(|&id| [Size::Length(id), Size::Bounds(id)]);
        for first in all.filter(|&size| decls.symbols[size.variable()].computed_extents().next().is_some()) {
            let mut path: Vec<(Size, SmallVec<[Size; 4]>)> = Vec::new();
            let mut next = Some(first).filter(|size| !closed.contains(size));
            loop {
                if let Some(size) = next.take() {
                    open.insert(size);
                    path.push((size, self.needed_for(scope, size)));
                }
                let Some((size, needed)) = path.last_mut() else { break };
                match needed.pop() {
                    None => {
                        open.remove(size);
                        closed.insert(*size);
                        path.pop();
                    }
                    Some(to) if open.contains(&to) => {
                        let k = path.iter().position(|p| p.0 == to);
                        let through = k.and_then(|k| path.get(k + 1)).map_or(to, |p| p.0);
                        if told.insert(to.variable()) {
                            self.depends_on_itself(to.variable(), through.variable());
                        }
                    }
                    Some(to) => next = Some(to).filter(|size| !closed.contains(size)),
                }
            }
        }
    }

    fn depends_on_itself(&mut self, id: SymbolId, through: SymbolId) {
        let [s, other] = [id, through].map(|id| &self.decls.symbols[id]);
        let d = Diagnostic::error("T0305", s.span, format!("The size of '{}' depends on itself", s.name));
        self.diags.push(if id == through { d } else { d.because(other.span, "through the size of this") });
    }

    /// The sizes of variables of the scope that the computation of one needs.
    fn needed_for(&self, scope: ScopeId, size: Size) -> SmallVec<[Size; 4]> {
        let mut out = SmallVec::new();
        let s = &self.decls.symbols[size.variable()];
        match size {
            Size::Length(_) => s.len.computed().into_iter().for_each(|x| self.sizes_in(scope, x, &mut out)),
            Size::Bounds(_) => s.computed_bounds().for_each(|x| self.sizes_in(scope, x, &mut out)),
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

impl Size {
    fn variable(self) -> SymbolId {
        match self {
            Size::Length(id) | Size::Bounds(id) => id,
        }
    }
}

fn is_intrinsic(s: &Symbol) -> bool {
    s.procedure().is_some_and(|p| p.class == ProcedureClass::Intrinsic)
}
