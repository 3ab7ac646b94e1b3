//! Arrays that a nest of loops certainly gives values to, each element of them.
//!
//! ```text
//! real :: a(n, m)
//! do j = 1, m
//!   do i = 1, n
//!     a(i, j) = …
//!   end do
//! end do               =>   defined.a = 1
//! ```
//!
//! The loops run over all of the array's bounds, the assignment is under no condition, and nothing jumps. From there on elements need
//! not be asked one by one.

use crate::control::Body;
use trueline_ir::Intent;
use trueline_sema::scope::symbol::{Extent, SymbolId};
use trueline_syntax::ast::{ArgValue, BlockId, DoConstruct, DoControl, ExprId, ExprKind, StmtId, StmtKind};

/// A loop of the nest: its variable and its bounds.
type Loop = (SymbolId, ExprId, ExprId);

impl Body<'_> {
    /// Behind the loop `d`: the arrays that it fills have all their values.
    pub(crate) fn note_filled(&mut self, d: &DoConstruct) {
        if self.in_forall || !self.checks().undefined || self.shadows.is_empty() || self.jumps(d.body) {
            return;
        }
        let mut filled = Vec::new();
        self.filled_by(d, &mut Vec::new(), &mut filled);
        filled.sort_unstable();
        filled.dedup();
        for id in filled {
            if let Some(&all) = self.defined.get(&id) {
                self.e.set_flag(all);
            }
        }
    }

    /// Whether a statement may be left out.
    fn jumps(&self, block: BlockId) -> bool {
        self.ast.block(block).iter().any(|&s| self.may_jump(s))
    }

    fn may_jump(&self, s: StmtId) -> bool {
        let mut jumps = matches!(
            self.ast.stmt(s).kind,
            StmtKind::Cycle(_) | StmtKind::Exit(_) | StmtKind::AssignedGoto(_) | StmtKind::Entry(_)
        );
        trueline_sema::visit::jump_labels(self.ast, s, &mut |_| jumps = true);
        let mut inside = Vec::new();
        trueline_sema::visit::stmt_children(self.ast, s, &mut |child, _| inside.push(child));
        jumps || inside.into_iter().any(|child| self.may_jump(child))
    }

    fn filled_by(&mut self, d: &DoConstruct, around: &mut Vec<Loop>, out: &mut Vec<SymbolId>) {
        let DoControl::Count { var, from, to, step: None } = d.control else { return };
        if self.labels.open.contains_key(&d.body) {
            return;
        }
        let Some(id) = self.resolve(var.name) else { return };
        around.push((id, from, to));
        for &s in self.ast.block(d.body) {
            match &self.ast.stmt(s).kind {
                StmtKind::Assign { target, .. } => out.extend(self.filled_at(*target, around)),
                StmtKind::Do(inner) => self.filled_by(inner, around, out),
                _ => {}
            }
        }
        around.pop();
    }

    /// The array of which `target` is each element in turn.
    fn filled_at(&mut self, target: ExprId, loops: &[Loop]) -> Option<SymbolId> {
        let ExprKind::Call { base, args } = self.ast.expr(target).kind else { return None };
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return None };
        let id = self.resolve(name).filter(|&id| self.has_shadow(id) && !self.associates.contains_key(&id))?;
        let shape = self.symbol(id).shape.clone();
        let mut used: Vec<SymbolId> = Vec::new();
        for (arg, bounds) in self.ast.args(args).iter().zip(&shape) {
            let ArgValue::Expr(x) = arg.value else { return None };
            let ExprKind::Name(index) = self.ast.expr(x).kind else { return None };
            let index = self.resolve(index)?;
            let &(_, from, to) = loops.iter().find(|l| l.0 == index && !used.contains(&index))?;
            used.push(index);
            if !self.is_bound(&bounds.lower, from) || !self.is_bound(&bounds.upper, to) {
                return None;
            }
        }
        (used.len() == shape.len()).then_some(id)
    }

    /// Whether `x` is the bound of an array: the same constant, or an argument that nobody changes.
    fn is_bound(&mut self, bound: &Extent, x: ExprId) -> bool {
        if let Some(n) = bound.known() {
            return self.typing().integer(x) == Some(n);
        }
        let (Extent::Entry(own), ExprKind::Name(name)) = (bound, &self.ast.expr(x).kind) else { return false };
        let ExprKind::Name(declared) = self.ast.expr(*own).kind else { return false };
        let id = self.resolve(*name);
        id.is_some() && id == self.resolve(declared) && id.is_some_and(|id| self.symbol(id).intent == Intent::In)
    }
}
