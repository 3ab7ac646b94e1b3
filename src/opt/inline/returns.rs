//! Procedures that are left early, without a jump.
//!
//! ```text
//! if x <= 0     @5         left = 0           @2
//!   f = 0       @6         if x <= 0          @5
//!   return      @7           f = 0            @6
//! end                =>      left = 1         @7
//! f = sqrt(x)   @9         end
//!                          if left == 0       @2
//!                            f = sqrt(x)      @9
//!                          end
//! ```
//!
//! The conditional around the rest belongs to the call, so the rest is in no construct of the source that it was not in.

use super::before;
use super::copy::Copier;
use trueline_ir::{BinaryOp, ExpandKind, Expr, ExprData, Head, Place, Stmt, Type, Unit};

/// Whether each RETURN stands in conditionals alone, and statements follow these, if anything does, that are there without counting code, too.
pub(super) fn are_structured(callee: &Unit) -> bool {
    let may_follow = |s: Stmt| {
        let rest = std::iter::successors(callee.next(s), |&x| callee.next(x));
        rest.clone().next().is_none() || rest.into_iter().any(|x| !callee.head(x).is_invisible())
    };
    let returns = callee.walk().into_iter().filter(|&s| callee.head(s) == Head::Return);
    returns.into_iter().all(|r| {
        callee.ancestors(r).all(|a| matches!(callee.head(a), Head::If { .. } | Head::Select { .. }) && may_follow(a))
    })
}

impl Copier<'_, '_, '_> {
    /// All statements of a procedure of which [`are_structured`] is true.
    pub(super) fn body_without_jumps(&mut self) {
        let callee = self.callee;
        let stmts: Vec<Stmt> = callee.stmts(callee.body()).collect();
        self.name_all(&callee.walk());
        if stmts.iter().any(|&s| has_return(callee, s)) {
            let left = self.ed.new_register("left", Type::I4);
            let zero = self.ed.int(Type::I4, 0);
            self.assign_for_call(left, zero);
            let left = self.ed.var(left);
            self.sequence(&stmts, Some(left), false, before(self.call));
        } else {
            self.sequence(&stmts, None, false, before(self.call));
        }
    }

    /// Statements in their order, up to a RETURN; `is_followed` by others.
    fn sequence(&mut self, stmts: &[Stmt], left: Option<Expr>, is_followed: bool, at: Place) {
        let callee = self.callee;
        for (n, &s) in stmts.iter().enumerate() {
            if callee.head(s) == Head::Return {
                if let Some(place) = left.filter(|_| is_followed) {
                    let value = self.ed.int(Type::I4, 1);
                    self.made(s, Head::Assign { place, value }, 0, at);
                }
                return;
            }
            let Some(left) = left.filter(|_| has_return(callee, s)) else {
                self.stmt(s, at);
                continue;
            };
            let new = self.without_blocks(s, at);
            let rest = &stmts[n + 1..];
            for (number, &b) in callee.blocks(s).iter().enumerate() {
                let into = self.ed.blocks(new)[number];
                let inside: Vec<Stmt> = callee.stmts(b).collect();
                self.sequence(&inside, Some(left), is_followed || !rest.is_empty(), Place::End(into));
            }
            if !rest.is_empty() {
                let zero = self.ed.int(Type::I4, 0);
                let cond = self.ed.make(ExprData::Binary(BinaryOp::Eq, left, zero));
                let guard = self.ed.expand(self.call, Head::If { cond }, at, ExpandKind::Lower);
                let into = self.ed.blocks(guard)[0];
                self.sequence(rest, Some(left), is_followed, Place::End(into));
            }
            return;
        }
    }
}

/// Whether there is a RETURN in the blocks of the statement.
fn has_return(u: &Unit, s: Stmt) -> bool {
    u.walk_stmt(s).into_iter().skip(1).any(|x| u.head(x) == Head::Return)
}
