//! Amounts of tallies whose parts are constants.

use crate::edit::Editor;
use crate::entities::{Expr, Sym};
use crate::expr::{BinaryOp, ExprData, UnaryOp};
use crate::head::Head;
use crate::tally::trip_count;
use crate::{Intrinsic, Type, Unit};
use trueline_provenance::Stmt;

/// The longest loop whose sums are evaluated here; longer ones are left to the program.
const LONGEST: i64 = 4096;
/// The longest loop over which any constant amount is summed up.
const MOST_SUMMED: i64 = 256;

impl Editor<'_> {
    /// Evaluates the constant parts of the amount of the tally `s`: also sums over loops with constant bounds.
    pub fn fold_amount(&mut self, s: Stmt) {
        if let Head::Trips { counter, trips, times, spread } = self.head(s) {
            let trips = if spread { trips } else { self.folded(trips) };
            let times = self.folded(times);
            self.unit.stmts[s].head = Head::Trips { counter, trips, times, spread };
        }
        let Head::Tally { counter, amount } = self.head(s) else { return };
        let folded = self.folded(amount);
        if folded != amount {
            self.unit.stmts[s].head = Head::Tally { counter, amount: folded };
        }
    }

    /// Adds up the equal terms in the amount of the tally `s`: the copies of the body of an unrolled loop count by the same variable.
    ///
    /// ```text
    /// tally @3 += (i - 1) / 4 + 1 + (i - 1) / 4 + (i - 1) / 4 + (i - 1) / 4   =>   tally @3 += i - 1 + 1
    /// ```
    pub fn gather_amount(&mut self, s: Stmt) {
        let Head::Tally { counter, amount } = self.head(s) else { return };
        let mut terms: indexmap::IndexMap<Expr, i64> = indexmap::IndexMap::new();
        let mut number = 0;
        self.terms(amount, 1, &mut terms, &mut number);
        if !terms.values().any(|&k| k != 1) {
            return;
        }
        let mut sum = self.int(Type::I8, 0);
        for (term, k) in terms {
            let (term, k) = match self.expr(term) {
                ExprData::Binary(BinaryOp::Div, whole, by) if self.unit.exact.contains(term) => {
                    match self.pool.as_int(by).filter(|&by| by != 0 && k % by == 0) {
                        Some(by) => (whole, k / by),
                        None => (term, k),
                    }
                }
                _ => (term, k),
            };
            let k = self.int(Type::I8, k);
            let part = self.multiply(term, k);
            sum = self.add(sum, part);
        }
        let number = self.int(Type::I8, number);
        let amount = self.add(sum, number);
        self.unit.stmts[s].head = Head::Tally { counter, amount };
    }

    /// Adds `times` the terms of the sum `e` to `terms`, and its constants to `number`.
    fn terms(&self, e: Expr, times: i64, terms: &mut indexmap::IndexMap<Expr, i64>, number: &mut i64) {
        if let Some(k) = self.pool.as_int(e) {
            *number = number.wrapping_add(k.wrapping_mul(times));
            return;
        }
        match self.expr(e) {
            ExprData::Binary(BinaryOp::Add, a, b) if self.ty(e) == Type::I8 => {
                self.terms(a, times, terms, number);
                self.terms(b, times, terms, number);
            }
            ExprData::Binary(BinaryOp::Mul, a, b) if self.ty(e) == Type::I8 => {
                match (self.pool.as_int(a), self.pool.as_int(b)) {
                    (Some(k), _) => self.terms(b, times.wrapping_mul(k), terms, number),
                    (_, Some(k)) => self.terms(a, times.wrapping_mul(k), terms, number),
                    _ => {
                        let n = terms.entry(e).or_default();
                        *n = n.wrapping_add(times);
                    }
                }
            }
            _ => {
                let n = terms.entry(e).or_default();
                *n = n.wrapping_add(times);
            }
        }
    }

    fn folded(&mut self, e: Expr) -> Expr {
        match self.expr(e) {
            ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) if self.ty(e) == Type::I8 => {
                let (x, y) = (self.folded(a), self.folded(b));
                match (op, self.pool.as_int(x), self.pool.as_int(y)) {
                    (BinaryOp::Sub, Some(x), Some(y)) => self.int(Type::I8, x.wrapping_sub(y)),
                    (BinaryOp::Sub, _, Some(0)) => x,
                    (BinaryOp::Add, ..) => self.add(x, y),
                    (BinaryOp::Mul, ..) => self.multiply(x, y),
                    _ => self.binary(op, x, y),
                }
            }
            ExprData::Unary(UnaryOp::Neg, a) if self.ty(e) == Type::I8 => {
                let x = self.folded(a);
                match self.pool.as_int(x) {
                    Some(k) => self.int(Type::I8, k.wrapping_neg()),
                    None => e,
                }
            }
            ExprData::Convert(Type::I8, a) => match self.pool.as_int(a) {
                Some(k) => self.int(Type::I8, k),
                None => e,
            },
            ExprData::Intrinsic(i @ (Intrinsic::Trip | Intrinsic::SumTrips), list) => {
                let args: Vec<Expr> = self.list(list).to_vec();
                let args: Vec<Expr> = args.into_iter().map(|a| self.folded(a)).collect();
                let known: Option<Vec<i64>> = args.iter().map(|&a| self.pool.as_int(a)).collect();
                match known.and_then(|k| trips(&k)) {
                    Some(n) => self.int(Type::I8, n),
                    None => self.intrinsic(i, &args),
                }
            }
            _ => e,
        }
    }
}

impl Unit {
    /// Whether the loop `s` has constant bounds and at most [`MOST_SUMMED`] iterations.
    pub(crate) fn has_few_trips(&self, s: Stmt) -> bool {
        let Head::Do { lo, hi, step, .. } = self.head(s) else { return false };
        let [lo, hi, step] = [lo, hi, step].map(|e| self.pool.as_int(e));
        lo.zip(hi).zip(step).is_some_and(|((lo, hi), step)| trip_count(lo, hi, step) <= MOST_SUMMED)
    }

    /// The sum of `amount`, `INTEGER(8)`, over the iterations of a loop of `var`, if both depend on nothing else.
    pub(crate) fn constant_sum(&self, var: Sym, bounds: [Expr; 3], amount: Expr) -> Option<i64> {
        let [lo, hi, step] = bounds.map(|e| self.pool.as_int(e));
        let (lo, step) = (lo?, step?);
        let trips = trip_count(lo, hi?, step);
        if trips > MOST_SUMMED {
            return None;
        }
        let trips = if crate::fault("constant_sum") { (trips - 1).max(0) } else { trips };
        let each = |k: i64| self.value_at(amount, var, lo.checked_add(k.checked_mul(step)?)?);
        (0..trips).try_fold(0i64, |sum, k| Some(sum.wrapping_add(each(k)?)))
    }

    /// The value of `e` where `var` is `i`; logical values are 0 and 1.
    fn value_at(&self, e: Expr, var: Sym, i: i64) -> Option<i64> {
        if let Some(k) = self.pool.as_int(e) {
            return Some(k);
        }
        let at = |x: Expr| self.value_at(x, var, i);
        let n = match self.expr(e) {
            ExprData::Logical(_, b) => i64::from(b),
            ExprData::Var(v) if v == var => i,
            ExprData::Convert(Type::I8, x) if matches!(self.ty(x), Type::I1 | Type::I2 | Type::I4) => at(x)?,
            ExprData::Unary(UnaryOp::Neg, x) => at(x)?.checked_neg()?,
            ExprData::Unary(UnaryOp::Not, x) => 1 - at(x)?,
            ExprData::Binary(op, a, b) => {
                let whole = |x: Expr| matches!(self.ty(x), Type::I1 | Type::I2 | Type::I4 | Type::I8);
                let (x, y) = (at(a)?, at(b)?);
                match op {
                    BinaryOp::Add => x.checked_add(y)?,
                    BinaryOp::Sub => x.checked_sub(y)?,
                    BinaryOp::Mul => x.checked_mul(y)?,
                    BinaryOp::And => x & y,
                    BinaryOp::Or => x | y,
                    _ if !whole(a) || !whole(b) => return None,
                    BinaryOp::Eq => i64::from(x == y),
                    BinaryOp::Ne => i64::from(x != y),
                    BinaryOp::Lt => i64::from(x < y),
                    BinaryOp::Le => i64::from(x <= y),
                    BinaryOp::Gt => i64::from(x > y),
                    BinaryOp::Ge => i64::from(x >= y),
                    _ => return None,
                }
            }
            ExprData::Intrinsic(Intrinsic::Merge, list) => {
                let [yes, no, cond] = *self.list(list) else { return None };
                if at(cond)? != 0 { at(yes)? } else { at(no)? }
            }
            ExprData::Intrinsic(Intrinsic::Trip | Intrinsic::SumTrips, list) => {
                let args: Option<Vec<i64>> = self.list(list).iter().map(|&a| at(a)).collect();
                trips(&args?)?
            }
            _ => return None,
        };
        // A value that would wrap in the program is not reliable.
        let fits = match self.ty(e) {
            Type::I1 => i8::try_from(n).is_ok(),
            Type::I2 => i16::try_from(n).is_ok(),
            Type::I4 => i32::try_from(n).is_ok(),
            _ => true,
        };
        fits.then_some(n)
    }
}

/// The trip count of these bounds, or the sum of those of an inner loop.
fn trips(args: &[i64]) -> Option<i64> {
    match *args {
        [lo, hi, step] => Some(trip_count(lo, hi, step)),
        [lo, hi, step, a0, a1, b0, b1, inner] => {
            let outer = trip_count(lo, hi, step);
            let value = |i: i64, c0: i64, c1: i64| c0.wrapping_add(c1.wrapping_mul(i));
            let each = |k: i64| {
                let i = lo.wrapping_add(k.wrapping_mul(step));
                trip_count(value(i, a0, a1), value(i, b0, b1), inner)
            };
            (outer <= LONGEST).then(|| (0..outer).map(each).fold(0, i64::wrapping_add))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::trips;
    use crate::Editor;
    use crate::testing::check;

    fn count(ed: &mut Editor<'_>) {
        for s in ed.walk() {
            ed.count_exits(s);
        }
        for b in ed.all_blocks() {
            ed.merge_tallies(b);
        }
        for s in ed.walk() {
            ed.gather_amount(s);
        }
    }

    #[test]
    fn copies_of_a_body_count_by_one_difference() {
        check(
            "discharge",
            &count,
            "
integer i, n
real x, a(99)
do i = 1, n, 2 @1
  tally @1 iterations += 1
  if a(i) > x @2
    goto L1 @3
  end
  tally @1 iterations += 1
  if a(i + 1) > x @4
    goto L1 @5
  end
end
L1: @6",
            "
do i = 1, n, 2 @1
  if a(i) > x @2
    tally @1 iterations += iand(i8(i - 1), 4294967295) + 1
    goto L1 @3
  end
  if a(i + 1) > x @4
    tally @1 iterations += iand(i8(i - 1), 4294967295) + 2
    goto L1 @5
  end
end
tally @1 iterations += iand(i8(i - 1), 4294967295)
L1: @6
",
        );
    }

    #[test]
    fn sums_over_constant_bounds_are_known() {
        // do k = 1, 5; do i = k + 1, 5
        assert_eq!(trips(&[1, 5, 1, 1, 1, 5, 0, 1]), Some(10));
        assert_eq!(trips(&[5, 1, 1, 1, 1, 5, 0, 1]), Some(0));
        assert_eq!(trips(&[1, 10, 3]), Some(4));
        assert_eq!(trips(&[1, i64::MAX, 1, 1, 1, 5, 0, 1]), None);
        assert_eq!(trips(&[1, 5, 0, 1, 1, 5, 0, 1]), Some(0));
    }
}
