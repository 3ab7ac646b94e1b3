//! Counters of innermost vector loops that a vector of the program counts along with: no code in the loop counts them.
//!
//! ```text
//! h = 0                                       do i = 1, n, 2
//! do i = 1, n, 2                                m = a(i:i+1) > 0
//!   m = a(i:i+1) > 0                            h = h + merge(1, 0, m)
//!   tally taken += ones(m)              =>    end
//!   h = h + merge(1, 0, m)                    tally taken += lane(h, 0) + lane(h, 1)
//! end
//! ```
//!
//! The vector is a register, or there are several that take turns, and every definition of them in the loop adds 1 where a mask is
//! true. Beside each of these, with nothing in between that changes the mask, there is a tally of its true lanes, and the
//! other way round. As for scalars, see [`crate::tally::follow`].

use crate::edit::{Editor, Place};
use crate::entities::{Expr, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::tally::follow::Stretch;
use crate::{Intrinsic, Unit};
use trueline_provenance::Stmt;

/// A statement in a stretch of control that counts the true lanes of a mask.
type Counts = (Stretch, Expr, Stmt);

impl Unit {
    /// The vector registers that `tallies` follow together, all those of one counter among the statements `inside` of the loop `of`.
    pub(crate) fn followed_lanes(&self, of: Option<Stmt>, inside: &[Stmt], tallies: &[Stmt]) -> Option<Vec<Sym>> {
        let mut counted: Vec<(Expr, Stmt)> = Vec::new();
        for &t in tallies {
            let Head::Tally { amount, .. } = self.head(t) else { return None };
            let sum = self.mask_sum(amount, of).filter(|sum| sum.number == 0)?;
            if sum.masks.iter().any(|m| m.1 != BinaryOp::Add) {
                return None;
            }
            counted.extend(sum.masks.into_iter().map(|(mask, _)| (mask, t)));
        }
        let stretches = self.stretches(inside);
        let wanted: Option<Vec<Counts>> =
            counted.into_iter().map(|(mask, t)| Some((*stretches.get(&t)?, mask, t))).collect();
        let wanted = wanted?;
        let mut adding: Vec<(Counts, Sym)> = Vec::new();
        for &x in inside {
            if let (Some((var, mask)), Some(&at)) = (self.lanes_added(x), stretches.get(&x)) {
                adding.push(((at, mask, x), var));
            }
        }
        let mut vars: Vec<Sym> = Vec::new();
        let any = crate::fault("follow_any_mask");
        for w in &wanted {
            let same = |(c, _): &(Counts, Sym)| c.0 == w.0 && (any || c.1 == w.1);
            let ((_, mask, x), var) = adding.remove(adding.iter().position(same)?);
            if !any && !self.is_same_mask(mask, x, w.2) {
                return None;
            }
            vars.push(var);
        }
        vars.sort_unstable();
        vars.dedup();
        let changes = |x: Stmt| self.may_define(self.head(x)).into_iter().filter(|v| vars.contains(v)).count();
        let all: usize = inside.iter().map(|&x| changes(x)).sum();
        (all == wanted.len()).then_some(vars)
    }

    /// Whether the mask has the same lanes at two statements of a stretch of control.
    fn is_same_mask(&self, mask: Expr, x: Stmt, y: Stmt) -> bool {
        let registers = self.registers_in(mask);
        let Some(b) = self.parent(x) else { return false };
        let is_end = |&z: &Stmt| z == x || z == y;
        let between = self.stmts(b).skip_while(|z| !is_end(z)).skip(1).take_while(|z| !is_end(z));
        let changes = |z: Stmt| self.may_define(self.head(z)).iter().any(|v| registers.contains(v));
        !self.reads_memory(mask) && between.flat_map(|z| self.walk_stmt(z)).all(|z| !changes(z))
    }

    /// The vector register to whose lanes `x` adds 1 where a mask is true, and the mask.
    fn lanes_added(&self, x: Stmt) -> Option<(Sym, Expr)> {
        let Head::Assign { place, value } = self.head(x) else { return None };
        let ExprData::Var(var) = self.expr(place) else { return None };
        let ExprData::Binary(BinaryOp::Add, a, b) = self.expr(value) else { return None };
        let each = if a == place { b } else { a };
        let ExprData::Intrinsic(Intrinsic::Merge, args) = self.expr(each) else { return None };
        let &[one, zero, mask] = self.list(args) else { return None };
        let is = |e: Expr, k: i64| matches!(self.expr(e), ExprData::Convert(_, e) if self.pool.as_int(e) == Some(k));
        let fits = (a == place || b == place) && self.sym(var).is_register();
        (fits && self.sym(var).ty == self.type_of_lanes(mask) && is(one, 1) && is(zero, 0)).then_some((var, mask))
    }
}

impl Editor<'_> {
    /// Keeps the values that the vectors have where a loop begins; the amount that a counter grows by until it is left.
    pub(crate) fn follow_lanes(&mut self, vectors: &[Sym], begins: &[Place]) -> Expr {
        let mut all: Option<Expr> = None;
        for &var in vectors {
            let now = self.var(var);
            let start = match begins {
                &[Place::Before(s)] => self.constant_before(s, var),
                _ => None,
            };
            let start = start.unwrap_or_else(|| {
                let start = self.new_register("start", self.sym(var).ty);
                self.unit.tallied.insert(start);
                for &at in begins {
                    self.ghost(start, now, at);
                }
                self.var(start)
            });
            let is_zero = matches!(self.expr(start), ExprData::Convert(_, e) if self.pool.as_int(e) == Some(0));
            let grown = if is_zero { now } else { self.binary(BinaryOp::Sub, now, start) };
            let sum = self.sum_of_lanes(grown);
            all = Some(all.map_or(sum, |a| self.binary(BinaryOp::Add, a, sum)));
        }
        all.expect("a counter follows a vector at least")
    }

    /// The constant that a statement before `s` in the same block gives `var`, if no other one does after it.
    fn constant_before(&self, s: Stmt, var: Sym) -> Option<Expr> {
        let defines = |&x: &Stmt| self.walk_stmt(x).into_iter().any(|y| self.may_define(self.head(y)).contains(&var));
        let stays = |&x: &Stmt| !matches!(self.head(x), Head::Label(_));
        let before = std::iter::successors(self.prev(s), |&x| self.prev(x)).take_while(stays);
        let Head::Assign { value, .. } = self.head(before.into_iter().find(defines)?) else { return None };
        matches!(self.expr(value), ExprData::Convert(_, e) if self.pool.as_int(e).is_some()).then_some(value)
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
    fn a_vector_that_counts_the_same_lanes_is_the_counter() {
        check(
            "discharge",
            &promote,
            "
integer i
i8x2 h
l8x2 m
r8x2 a
h = i8x2(0_i8) @1
do i = 1, 9 @1
  m = a > r8x2(3.0) @2
  tally @2 taken.0 += ones(m)
  h = h + merge(i8x2(1_i8), i8x2(0_i8), m) @3
end",
            "
h = i8x2(0_i8) @1
do i = 1, 9 @1
  m = a > r8x2(3.0) @2
  h = h + merge(i8x2(1_i8), i8x2(0_i8), m) @3
end
tally @2 taken.0 += lane(h, 0_i4) + lane(h, 1_i4)
",
        );
    }

    #[test]
    fn a_mask_that_changes_in_between_is_another_one() {
        check(
            "discharge",
            &promote,
            "
integer i
i8x2 h
l8x2 m
r8x2 a
m = a < r8x2(0.0) @1
do i = 1, 9 @1
  tally @2 taken.0 += ones(m)
  m = a > r8x2(3.0) @2
  h = h + merge(i8x2(1_i8), i8x2(0_i8), m) @3
end",
            "
i8x2 count.1
m = a < r8x2(0.0) @1
ghost count.1 = i8x2(0_i8)
do i = 1, 9 @1
  ghost count.1 = count.1 + merge(i8x2(1_i8), i8x2(0_i8), m)
  m = a > r8x2(3.0) @2
  h = h + merge(i8x2(1_i8), i8x2(0_i8), m) @3
end
tally @2 taken.0 += lane(count.1, 0_i4) + lane(count.1, 1_i4)
",
        );
    }
}
