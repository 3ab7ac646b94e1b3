//! Counters of innermost loops that a variable of the program counts along with: no code in the loop counts them.
//!
//! ```text
//! do i = 1, n                    ghost start = k
//!   if a(i) > 0                  do i = 1, n
//!     tally taken += 1     =>      if a(i) > 0
//!     k = k + 1                      k = k + 1
//!   end                            end
//! end                            end
//!                                tally taken += k - start
//! ```
//!
//! The variable is a register, and nothing else in the loop defines it. Wherever it changes there is a tally of the counter, and the
//! other way round, in the same proportion. A 4-byte variable may wrap; so the loop must be one that adds to it fewer than 2^32 times.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::{Intrinsic, Type, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::Stmt;

/// A variable that a counter follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Followed {
    pub(crate) var: Sym,
    /// The change of the variable for each `amount` of the counter.
    step: i64,
    amount: i64,
}

/// A stretch of statements of a block that control passes all of, or none.
pub(super) type Stretch = (Block, usize);

impl Unit {
    /// The variable that `tallies` follow, all those of one counter among the statements `inside` of the loop `of`.
    pub(crate) fn followed(&self, of: Option<Stmt>, inside: &[Stmt], tallies: &[Stmt]) -> Option<Followed> {
        let stretches = self.stretches(inside);
        let mut amounts: FxHashMap<Stretch, i64> = FxHashMap::default();
        for t in tallies {
            let Head::Tally { amount, .. } = self.head(*t) else { return None };
            let sum = amounts.entry(*stretches.get(t)?).or_default();
            *sum = sum.checked_add(self.pool.as_int(amount).filter(|&k| k > 0)?)?;
        }
        let here = *stretches.get(tallies.first()?)?;
        let beside = inside.iter().filter(|x| stretches.get(x) == Some(&here));
        let variables = beside.filter_map(|&x| self.increment(x)).map(|(var, _)| var);
        for var in variables {
            let Some(steps) = self.steps(inside, &stretches, var) else { continue };
            let Some(&step) = steps.get(&here) else { continue };
            let amount = amounts[&here];
            let is_along = |(at, k): (&Stretch, &i64)| {
                let (n, m) = (amounts.get(at).and_then(|n| n.checked_mul(step)), k.checked_mul(amount));
                n.is_some() && n == m
            };
            let counts = steps.len() == amounts.len() && steps.iter().all(is_along) || crate::fault("follow_some");
            if counts && step != 0 && self.cannot_wrap(of, var, step, &steps) {
                return Some(Followed { var, step, amount });
            }
        }
        None
    }

    /// The change of `var` in each stretch where it changes; none if it also changes otherwise.
    fn steps(
        &self,
        inside: &[Stmt],
        stretches: &FxHashMap<Stmt, Stretch>,
        var: Sym,
    ) -> Option<FxHashMap<Stretch, i64>> {
        let mut steps: FxHashMap<Stretch, i64> = FxHashMap::default();
        for &x in inside.iter().filter(|&&x| self.may_define(self.head(x)).contains(&var)) {
            let (_, k) = self.increment(x)?;
            let sum = steps.entry(*stretches.get(&x)?).or_default();
            *sum = sum.checked_add(k)?;
        }
        Some(steps)
    }

    /// Whether `var` tells how often `step` was added to it in one execution of the loop `of`, in which it changes by `steps`.
    fn cannot_wrap(&self, of: Option<Stmt>, var: Sym, step: i64, steps: &FxHashMap<Stretch, i64>) -> bool {
        if self.sym(var).ty == Type::I8 {
            return steps.values().all(|k| k.unsigned_abs() < 1 << 16);
        }
        let Some(Head::Do { var: own, step: by, .. }) = of.map(|s| self.head(s)) else { return false };
        let by = self.pool.as_int(by).map_or(1, i64::unsigned_abs);
        // An iteration adds at most the sum, and there are fewer than 2^32 / by iterations.
        let most = steps.values().fold(0u64, |sum, k| sum.saturating_add(k.unsigned_abs()));
        self.sym(own).ty == Type::I4 && step.unsigned_abs() == 1 && most <= by
    }

    /// The variable and the constant that `x` adds to it.
    fn increment(&self, x: Stmt) -> Option<(Sym, i64)> {
        let Head::Assign { place, value } = self.head(x) else { return None };
        let ExprData::Var(var) = self.expr(place) else { return None };
        let fits = self.sym(var).is_register() && matches!(self.sym(var).ty, Type::I4 | Type::I8);
        let ExprData::Binary(op, a, b) = self.expr(value) else { return None };
        let step = match (op, self.pool.as_int(a), self.pool.as_int(b)) {
            (BinaryOp::Add, None, Some(k)) if a == place => k,
            (BinaryOp::Add, Some(k), None) if b == place => k,
            (BinaryOp::Sub, None, Some(k)) if a == place => k.checked_neg()?,
            _ => return None,
        };
        fits.then_some((var, step))
    }

    /// The stretch of each statement that is no label, jump or construct with jumps in it.
    pub(super) fn stretches(&self, inside: &[Stmt]) -> FxHashMap<Stmt, Stretch> {
        let ends = |x: Stmt| {
            let head = self.head(x);
            matches!(head, Head::Label(_))
                || head.is_jump()
                || !self.targets(head).is_empty()
                || !self.always_returns(head)
        };
        let blocks: FxHashSet<Block> = inside.iter().filter_map(|&x| self.parent(x)).collect();
        let mut out = FxHashMap::default();
        for b in blocks {
            let mut number = 0;
            for x in self.stmts(b) {
                if self.walk_stmt(x).into_iter().any(ends) {
                    number += 1;
                } else {
                    out.insert(x, (b, number));
                }
            }
        }
        out
    }

    /// The tallies of innermost loops that follow a variable of the program, if each counter that is there keeps its code.
    pub fn following_tallies(&self) -> FxHashSet<Stmt> {
        let mut out = FxHashSet::default();
        for s in self.walk().into_iter().filter(|&s| matches!(self.head(s), Head::Do { .. })) {
            let inside: Vec<Stmt> = self.walk_stmt(s).into_iter().skip(1).collect();
            if inside.iter().any(|&x| self.head(x).is_loop()) {
                continue;
            }
            let mut tallies: FxHashMap<_, Vec<Stmt>> = FxHashMap::default();
            for &x in &inside {
                if let Head::Tally { counter, .. } = self.head(x) {
                    tallies.entry(counter).or_default().push(x);
                }
            }
            let is_along = |all: &Vec<Stmt>| {
                self.followed(Some(s), &inside, all).is_some() || self.followed_lanes(Some(s), &inside, all).is_some()
            };
            let following = tallies.into_values().filter(is_along);
            out.extend(following.flatten());
        }
        out
    }
}

impl Editor<'_> {
    /// Keeps the value that the variable has where a loop begins; the amount that a counter grows by until it is left.
    pub(crate) fn follow(&mut self, along: Followed, begins: &[Place]) -> Expr {
        let ty = self.sym(along.var).ty;
        // As 8 bytes: a copy would have the register of the variable, and be moved in the loop.
        let start = self.new_register("start", Type::I8);
        self.unit.tallied.insert(start);
        let now = self.var(along.var);
        let now = self.widen(now);
        for &at in begins {
            self.ghost(start, now, at);
        }
        let start = self.var(start);
        let (a, b) = if along.step < 0 { (start, now) } else { (now, start) };
        let change = self.binary(BinaryOp::Sub, a, b);
        let number = if ty == Type::I8 {
            let step = self.int(Type::I8, along.step.abs());
            if along.step.abs() == 1 { change } else { self.binary(BinaryOp::Div, change, step) }
        } else {
            // As a number without a sign.
            let low = self.int(Type::I8, i64::from(u32::MAX));
            self.intrinsic(Intrinsic::Iand, &[change, low])
        };
        let amount = self.int(Type::I8, along.amount);
        if along.amount == 1 { number } else { self.multiply(number, amount) }
    }
}

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::check;

    fn promote(ed: &mut Editor<'_>) {
        ed.promote_tallies();
    }

    #[test]
    fn a_variable_that_counts_along_is_the_counter() {
        check(
            "discharge",
            &promote,
            "
integer i, k
i8 m
real a(9)
do i = 1, 9 @1
  if a(i) > 3.0 @2
    tally @2 taken.0 += 1
    k = k + 1 @3
  else
    tally @2 taken.1 += 2
    m = m - 3 @4
  end
end",
            "
i8 start.1, start.2
ghost start.1 = i8(k)
ghost start.2 = m
do i = 1, 9 @1
  if a(i) > 3.0 @2
    k = k + 1 @3
  else
    m = m - 3 @4
  end
end
tally @2 taken.1 += (start.2 - m) / 3 * 2
tally @2 taken.0 += iand(i8(k) - start.1, 4294967295)
",
        );
    }

    #[test]
    fn one_that_changes_elsewhere_or_may_wrap_is_not() {
        check(
            "discharge",
            &promote,
            "
integer i, k, m
real a(9)
do i = 1, 9 @1
  if a(i) > 3.0 @2
    tally @2 taken.0 += 1
    k = k + 1 @3
    m = m + 2 @4
  end
  k = k + 1 @5
end",
            "
i8 count.1
ghost count.1 = 0
do i = 1, 9 @1
  if a(i) > 3.0 @2
    ghost count.1 = count.1 + 1
    k = k + 1 @3
    m = m + 2 @4
  end
  k = k + 1 @5
end
tally @2 taken.0 += count.1
",
        );
    }
}
