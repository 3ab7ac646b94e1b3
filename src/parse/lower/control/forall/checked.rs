//! The checks of a FORALL with one assignment, made for all index values before anything is assigned. The FORALL behind them has none, so it is
//! one statement that the optimizer treats as any other.
//!
//! ```text
//! forall (i = 1:n, m(i)) a(i) = b(k(i))   =>   do i = 1, n
//!                                                if (m(i)) then
//!                                                  if (k(i) < 1 .or. k(i) > ub) call fault(…)
//!                                              forall (i = 1:n, m(i)) a(i) = b(k(i))
//! ```
//!
//! All values and subscripts are those from before the first assignment, here and there. A FORALL that calls functions is not evaluated twice.

use crate::control::Body;
use crate::control::forall::indices::Index;
use trueline_ir::{Expr, Sym};
use trueline_sema::scope::symbol::SymbolId;
use trueline_sema::typed::needs::Needs;
use trueline_syntax::ast::{ExprId, ForallHeader, StmtId, StmtKind};

impl Body<'_> {
    /// The two sides of the assignment that is all of a FORALL, if its checks can be made before.
    pub(super) fn checked_before(&mut self, h: &ForallHeader, body: &[StmtId]) -> Option<(StmtId, ExprId, ExprId)> {
        let &[s] = body else { return None };
        let StmtKind::Assign { target, value } = self.ast.stmt(s).kind else { return None };
        if self.forall_depth > 0 || !self.checks_expressions() || self.masking.is_some() {
            return None;
        }
        let mask = h.mask.map_or(Needs::Nothing, |x| self.site().needs(x, false));
        let is_evaluated_twice = mask == Needs::Nothing && self.site().forall_needs_nothing(h, target, value);
        is_evaluated_twice.then_some((s, target, value))
    }

    /// Makes the checks of the assignment for all index values for which the mask holds.
    pub(super) fn check_forall(
        &mut self,
        h: &ForallHeader,
        indices: &[(SymbolId, Sym, [Expr; 3])],
        (s, target, value): (StmtId, ExprId, ExprId),
    ) {
        let loops: Vec<Index> = indices
            .iter()
            .map(|&(id, var, bounds)| {
                let data = self.sym(var);
                let (name, ty) = (data.name.clone(), data.ty);
                Index { id, var: self.register(&name, ty), bounds }
            })
            .collect();
        let (serial, span) = (self.serial, self.statement());
        let set = self.rectangle(loops);
        self.forall_depth += 1;
        self.for_indices(&set, |l, _| {
            if let Some(x) = h.mask {
                let cond = l.condition(x);
                l.open_if(cond);
            }
            l.set_source_stmt(s);
            let (place, v) = l.assignment_parts(target, value);
            l.check_conform(value, place.e, v.e);
        });
        self.forall_depth -= 1;
        if let Some(span) = span {
            self.set_source_at(serial, span);
        }
    }
}
