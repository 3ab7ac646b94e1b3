//! WHERE in a FORALL that is written out.
//!
//! The elements of all index values are numbered one after the other. Each mask is saved for all of them before the
//! first assignment under it, and so is the mask that is left for later branches.

use crate::control::Body;
use crate::control::forall::indices::IndexSet;
use crate::values::{Failed, Lowered, Val};
use trueline_ir::{BinaryOp, Expr, ExprData, Sym, Type, UnaryOp};
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{ExprId, StmtId};

/// A branch: its ELSEWHERE statement, its mask, its statements.
type Branch<'s> = (Option<StmtId>, Option<ExprId>, &'s [StmtId]);

impl Body<'_> {
    /// The branches of a WHERE, for the elements that `around` selects.
    pub(crate) fn forall_where(&mut self, set: &IndexSet, around: Option<Sym>, branches: &[Branch<'_>]) -> Lowered<()> {
        let mut rest = around;
        for &(head, x, body) in branches {
            if let Some(head) = head {
                self.set_source_stmt(head);
            }
            let active = match x {
                Some(x) => {
                    let (here, left) = self.split_mask(set, rest, x)?;
                    rest = Some(left);
                    Some(here)
                }
                None => rest,
            };
            body.iter().try_for_each(|&s| self.forall_written_out(set, active, s))?;
        }
        Ok(())
    }

    /// Saves for every element whether `before` selects it and `x` holds, and whether `before` selects it and `x` does not.
    fn split_mask(&mut self, set: &IndexSet, before: Option<Sym>, x: ExprId) -> Lowered<(Sym, Sym)> {
        let n = self.mask_elements(set, x)?;
        let (here, left) = (self.memory(Type::L4, None, &[n]), self.memory(Type::L4, None, &[n]));
        let at = self.register("at", Type::I8);
        let zero = self.int8(0);
        self.e.set(at, zero);
        self.for_indices(set, |l, k| {
            let value = Val::plain(l.where_mask(x)?);
            l.each_element(value, value, Some(at), k, |l, _, holds, k| {
                let holds = l.convert(Type::L4, holds.e);
                let not = l.make(ExprData::Unary(UnaryOp::Not, holds));
                for (to, cond) in [(here, holds), (left, not)] {
                    let cond = match before {
                        Some(before) => {
                            let selected = l.elem(before, &[k]);
                            l.make(ExprData::Binary(BinaryOp::And, selected, cond))
                        }
                        None => cond,
                    };
                    let to = l.elem(to, &[k]);
                    l.assign(to, cond);
                }
            });
            Ok(())
        })?;
        Ok((here, left))
    }

    /// The number of elements of a mask, for all index values.
    fn mask_elements(&mut self, set: &IndexSet, x: ExprId) -> Lowered<Expr> {
        self.sum_of_sizes(set, |l| l.where_mask(x))
    }

    /// The mask for one index value: a LOGICAL array whose elements can be taken one by one.
    fn where_mask(&mut self, x: ExprId) -> Lowered<Expr> {
        let e = self.value(x)?;
        self.must_be(e, Category::Logical)?;
        if self.rank(e) == 0 {
            return Err(Failed);
        }
        Ok(if self.has_elements(e) { e } else { self.in_memory(e) })
    }

    /// Goes on only if `active` selects the element `k`.
    pub(crate) fn only_where(&mut self, active: Option<Sym>, k: Expr) {
        if let Some(active) = active {
            let cond = self.elem(active, &[k]);
            self.open_if(cond);
        }
    }
}
