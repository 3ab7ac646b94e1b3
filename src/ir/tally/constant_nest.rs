//! Hoisting of counts over loops whose iterations may end early (laws H and Hs where CYCLE stands between).
//!
//! ```text
//! do i = 1, 5                          tally evaluations += 5
//!   tally evaluations += 1             tally taken += sum of merge(1, 0, i == p)
//!   if i == p                          tally runs += sum of merge(0, 1, i == p)
//!     tally taken += 1           =>    do i = 1, 5
//!     goto next                          if i == p
//!   end                                    goto next
//!   tally runs += 1                      end
//!   a(i) = b(i)                          a(i) = b(i)
//!   label next                           label next
//! end                                  end
//! ```
//!
//! Applied only if the sums become constants, for computing them in the program would take longer than counting: the
//! conditions depend only on the variables of loops with constant bounds and few iterations.

use crate::Unit;
use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr, Label, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::{Intrinsic, Type};
use rustc_hash::FxHashSet;
use trueline_provenance::{Serial, Stmt};

/// A condition, and whether it has to hold.
type Test = (Expr, bool);

impl Editor<'_> {
    /// Moves the tallies out of the loop `s`, whose body `b` has iterations that end early, if their sums are
    /// constants.
    pub(crate) fn hoist_past_cycles(&mut self, s: Stmt, b: Block) {
        let Some(counted) = self.unit.counted_in_cycles(s, b) else { return };
        let changed = self.defined_below(s);
        // Iterations that are counted in the bracket of their loop stay in it.
        let inside = self.walk_stmt(s);
        let bracketed: FxHashSet<Serial> = inside.into_iter().filter_map(|x| Some(self.bracket(x)?.0)).collect();
        for (t, tests) in counted {
            let Head::Tally { counter, mut amount } = self.head(t) else { continue };
            if self.adds_iterations(t).is_some_and(|of| bracketed.contains(&of)) {
                continue;
            }
            let zero = self.int(Type::I8, 0);
            for &(cond, holds) in tests.iter().rev() {
                let arms =
                    if holds != crate::fault("cycle_other_arm") { [amount, zero, cond] } else { [zero, amount, cond] };
                amount = self.intrinsic(Intrinsic::Merge, &arms);
            }
            if let Some(total) = self.total(s, 0, amount, &changed) {
                self.unit.unlink(t);
                self.tally(counter, total, Place::Before(s));
            }
        }
    }
}

impl Unit {
    /// Whether a block that is entered runs to its end. Jumps within one of its statements do not matter.
    pub(crate) fn runs_through(&self, b: Block) -> bool {
        self.stmts(b).all(|s| !matches!(self.head(s), Head::Label(_)) && !self.may_leave(s))
    }

    /// Whether control may go from `s` to a statement other than the next.
    fn may_leave(&self, s: Stmt) -> bool {
        let inside = self.walk_stmt(s);
        let label = |&x: &Stmt| if let Head::Label(l) = self.head(x) { Some(l) } else { None };
        let labels: FxHashSet<Label> = inside.iter().filter_map(label).collect();
        inside.iter().any(|&x| {
            let head = self.head(x);
            head == Head::Return || !self.always_returns(head) || self.targets(head).iter().any(|l| !labels.contains(l))
        })
    }

    /// The tallies in the body `b` of the loop `s`, each with the conditions under which control reaches it; none if an
    /// iteration may end otherwise than by a jump to its end.
    fn counted_in_cycles(&self, s: Stmt, b: Block) -> Option<Vec<(Stmt, Vec<Test>)>> {
        let Head::Do { .. } = self.head(s) else { return None };
        let end = self.real_stmts(b).next_back()?;
        let Head::Label(next) = self.head(end) else { return None };
        let changed = self.defined_below_loop(s);
        // No tests behind an unknown condition.
        let (mut out, mut tests) = (Vec::new(), Some(Vec::new()));
        for x in self.stmts(b) {
            match self.head(x) {
                Head::Tally { .. } => out.extend(tests.clone().map(|tests| (x, tests))),
                Head::If { cond } if self.may_leave(x) => {
                    let arm = self.ends_iteration(x, next)?;
                    let is_known = self.is_constant_in_nest(s, cond, &changed);
                    let Some(before) = tests.take().filter(|_| is_known) else { continue };
                    for (k, &block) in self.blocks(x).iter().enumerate() {
                        let here = [before.as_slice(), &[(cond, k == 0)]].concat();
                        let tallies = self.stmts(block).filter(|&t| matches!(self.head(t), Head::Tally { .. }));
                        out.extend(tallies.map(|t| (t, here.clone())));
                    }
                    tests = Some([before.as_slice(), &[(cond, arm != 0)]].concat());
                }
                // Counted after the end: in every iteration.
                Head::Label(l) if l == next => tests = Some(Vec::new()),
                _ if matches!(self.head(x), Head::Label(_)) || self.may_leave(x) => return None,
                _ => {}
            }
        }
        Some(out)
    }

    /// The arm of the conditional `x` that ends with a jump to `next`, if nothing else in it may leave it.
    fn ends_iteration(&self, x: Stmt, next: Label) -> Option<usize> {
        let jumps = |b: Block| self.stmts(b).next_back().is_some_and(|last| self.head(last) == Head::Goto(next));
        let blocks = self.blocks(x);
        let arm = blocks.iter().position(|&b| jumps(b))?;
        let stays = |(k, &b): (usize, &Block)| {
            let jump = if k == arm { self.stmts(b).next_back() } else { None };
            self.stmts(b).all(|y| Some(y) == jump || (!matches!(self.head(y), Head::Label(_)) && !self.may_leave(y)))
        };
        blocks.iter().enumerate().all(stays).then_some(arm)
    }

    /// Whether the sum of the decisions of `cond` over the nest that `s` is in is a constant.
    pub(crate) fn is_constant_in_nest(&self, s: Stmt, cond: Expr, changed: &FxHashSet<Sym>) -> bool {
        let ExprData::Binary(op, a, b) = self.expr(cond) else { return false };
        if !op.is_comparison() || !self.is_line(a) || !self.is_line(b) {
            return false;
        }
        let around: Vec<Stmt> = std::iter::once(s).chain(self.ancestors(s)).collect();
        self.registers_in(cond).iter().all(|v| {
            let own = |&x: &Stmt| matches!(self.head(x), Head::Do { var, .. } if var == *v);
            let Some(at) = around.iter().position(own) else { return false };
            let through = |x: &Stmt| self.has_few_trips(*x) && (*x == s || self.runs_through(self.blocks(*x)[0]));
            !changed.contains(v) && around[..=at].iter().all(through)
        })
    }

    /// Whether `e` is an `INTEGER(4)` made of variables by addition and subtraction.
    fn is_line(&self, e: Expr) -> bool {
        match self.expr(e) {
            _ if self.ty(e) != Type::I4 => false,
            ExprData::Var(v) => self.sym(v).is_register(),
            ExprData::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => self.is_line(a) && self.is_line(b),
            _ => self.pool.as_int(e).is_some(),
        }
    }

    /// The registers that an iteration of the loop `s` may define.
    pub(crate) fn defined_below_loop(&self, s: Stmt) -> FxHashSet<Sym> {
        self.walk_stmt(s).into_iter().skip(1).flat_map(|x| self.may_define(self.head(x))).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn what_a_cycle_passes_by_is_a_constant() {
        check(
            "hoist_tallies",
            &|ed| {
                let s = ed.real_stmts(ed.body()).next().expect("a loop");
                ed.hoist_tallies(s);
            },
            "
integer p, i
real a(9)
do p = 1, 5 @1
  do i = 1, 5 @2
    tally @3 evaluations += 1
    if i == p @3
      tally @3 taken.0 += 1
      goto L1 @4
    end
    tally @6 invocations += 1
    a(i) = 1.0 @5
    L1: @7
  end
end",
            "
tally @3 evaluations += 25
tally @3 taken.0 += 5
tally @6 invocations += 20
do p = 1, 5 @1
  do i = 1, 5 @2
    if i == p @3
      goto L1 @4
    end
    a(i) = 1.0 @5
    L1: @7
  end
end",
        );
    }

    #[test]
    fn where_the_bounds_are_not_constant_it_is_counted() {
        check(
            "hoist_tallies",
            &|ed| {
                let s = ed.real_stmts(ed.body()).next().expect("a loop");
                ed.hoist_tallies(s);
            },
            "
integer n, i
real a(9)
do i = 1, n @2
  if i == 3 @3
    tally @3 taken.0 += 1
    goto L1 @4
  end
  a(i) = 1.0 @5
  L1: @7
end",
            "
do i = 1, n @2
  if i == 3 @3
    tally @3 taken.0 += 1
    goto L1 @4
  end
  a(i) = 1.0 @5
  L1: @7
end",
        );
    }
}
