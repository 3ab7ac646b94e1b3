//! Law Hs: closed sums, over the iterations of a loop, of amounts that depend on its variable.
//!
//! ```text
//! do i = 1, n                          tally += sumtrips(1, n, 1, 0, 1, n, 0, 1)
//!   tally += trip(i, n, 1)        =>   do i = 1, n
//!   if i == k                          tally += sumtrips([i >= k]) - sumtrips([i >= k + 1])
//!     tally += 1
//! ```
//!
//! A comparison `x >= y` is itself a trip count, that of a loop from `y` to `x` with a step larger than any distance: 1
//! or 0. So the number of times that it holds is a sum of trip counts, and the other comparisons follow.

use crate::edit::Editor;
use crate::entities::{Expr, Sym};
use crate::expr::{BinaryOp, ExprData, UnaryOp};
use crate::{Intrinsic, Type, Unit};

/// More than the distance of two `INTEGER(4)`, and of expressions that are affine in them with small factors.
const FAR: i64 = 1 << 48;

/// The most cases of a sum, one in the other: with two halves for each case, the number of sums is this power of two.
const MOST_CASES: u32 = 8;

/// A loop: its variable and its bounds as `INTEGER(8)`.
type Loop = (Sym, [Expr; 3]);

impl Editor<'_> {
    /// The sum of `amount` over the iterations of a loop of `var`, whose other registers are fixed in it.
    pub(crate) fn sum(&mut self, var: Sym, bounds: [Expr; 3], amount: Expr) -> Option<Expr> {
        self.sum_to((var, bounds), amount, MOST_CASES)
    }

    /// The same with at most `most` cases, one in the other.
    fn sum_to(&mut self, l: Loop, amount: Expr, most: u32) -> Option<Expr> {
        let (var, bounds) = l;
        if !self.mentions(amount, var) {
            let trips = self.trips(bounds);
            return Some(self.multiply(amount, trips));
        }
        if let Some(n) = self.constant_sum(var, bounds, amount) {
            return Some(self.int(Type::I8, n));
        }
        match self.expr(amount) {
            ExprData::Intrinsic(Intrinsic::Merge, args) if most > 0 => {
                let [yes, no, cond] = *self.list(args) else { return None };
                self.sum_of_cases(l, yes, no, cond, most - 1)
            }
            _ => self.triangular(var, bounds, amount),
        }
    }

    /// The sum of `yes` over the iterations in which `cond` holds, plus that of `no` over the others.
    fn sum_of_cases(&mut self, l: Loop, yes: Expr, no: Expr, cond: Expr, most: u32) -> Option<Expr> {
        let (var, bounds) = l;
        if !self.mentions(cond, var) {
            let (yes, no) = (self.sum_to(l, yes, most)?, self.sum_to(l, no, most)?);
            return Some(self.intrinsic(Intrinsic::Merge, &[yes, no, cond]));
        }
        if !self.mentions(yes, var)
            && !self.mentions(no, var)
            && let Some(holds) = self.times(l, cond)
        {
            let trips = self.trips(bounds);
            let fails = self.binary(BinaryOp::Sub, trips, holds);
            let (a, b) = (self.multiply(yes, holds), self.multiply(no, fails));
            return Some(self.add(a, b));
        }
        match self.expr(cond) {
            ExprData::Unary(UnaryOp::Not, c) => self.sum_of_cases(l, no, yes, c, most),
            ExprData::Binary(BinaryOp::And, a, b) if most > 0 => {
                let inner = self.intrinsic(Intrinsic::Merge, &[yes, no, b]);
                self.sum_of_cases(l, inner, no, a, most - 1)
            }
            ExprData::Binary(BinaryOp::Or, a, b) if most > 0 => {
                let inner = self.intrinsic(Intrinsic::Merge, &[yes, no, b]);
                self.sum_of_cases(l, yes, inner, a, most - 1)
            }
            ExprData::Binary(op, a, b) if op.is_comparison() && self.ty(a) == Type::I4 && self.ty(b) == Type::I4 => {
                let (op, e) = self.isolated(op, a, b, var)?;
                match op {
                    BinaryOp::Eq => self.sum_with_one(l, yes, no, cond, e, most),
                    BinaryOp::Ne => {
                        let equal = self.binary(BinaryOp::Eq, a, b);
                        self.sum_with_one(l, no, yes, equal, e, most)
                    }
                    BinaryOp::Ge => self.sum_of_halves(l, yes, no, e, 0, most),
                    BinaryOp::Gt => self.sum_of_halves(l, yes, no, e, 1, most),
                    BinaryOp::Lt => self.sum_of_halves(l, no, yes, e, 0, most),
                    _ => self.sum_of_halves(l, no, yes, e, 1, most),
                }
            }
            _ => None,
        }
    }

    /// `a op b` as `var op e`, with `e` as `INTEGER(8)`, if `var` stands in it once.
    fn isolated(&mut self, op: BinaryOp, a: Expr, b: Expr, var: Sym) -> Option<(BinaryOp, Expr)> {
        let (x, y) = (self.line(a, var)?, self.line(b, var)?);
        let flipped = match op {
            BinaryOp::Ge => BinaryOp::Le,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Lt => BinaryOp::Gt,
            op => op,
        };
        match x.1 - y.1 {
            1 => Some((op, self.binary(BinaryOp::Sub, y.0, x.0))),
            -1 => Some((flipped, self.binary(BinaryOp::Sub, x.0, y.0))),
            _ => None,
        }
    }

    /// The sum of `no`, with `yes` in its place where `var` is `e`; `equal` is that condition.
    fn sum_with_one(&mut self, l: Loop, yes: Expr, no: Expr, equal: Expr, e: Expr, most: u32) -> Option<Expr> {
        let (var, _) = l;
        let all = self.sum_to(l, no, most)?;
        let once = self.times(l, equal)?;
        let (old, ty) = (self.var(var), self.sym(var).ty);
        let value = if ty == Type::I8 { e } else { self.make(ExprData::Convert(ty, e)) };
        let [yes, no] = [yes, no].map(|x| self.map_expr(x, &mut |_, y| (y == old).then_some(value)));
        let more = self.binary(BinaryOp::Sub, yes, no);
        let more = self.multiply(more, once);
        Some(self.add(all, more))
    }

    /// The sum of `yes` where `var` is at least `e + by` plus that of `no` elsewhere: the loop is cut in two.
    fn sum_of_halves(&mut self, l: Loop, yes: Expr, no: Expr, e: Expr, by: i64, most: u32) -> Option<Expr> {
        let (var, [lo, hi, step]) = l;
        let rises = self.pool().as_int(step).filter(|s| *s != 0)? > 0;
        let by = self.int(Type::I8, if rises { by - 1 } else { by });
        let cut = self.add(e, by);
        let limit = self.intrinsic(if rises { Intrinsic::Min } else { Intrinsic::Max }, &[hi, cut]);
        let first = self.trips([lo, limit, step]);
        let done = self.multiply(first, step);
        let next = self.add(lo, done);
        let (one, other) = if rises { (no, yes) } else { (yes, no) };
        let one = self.sum_to((var, [lo, limit, step]), one, most)?;
        let other = self.sum_to((var, [next, hi, step]), other, most)?;
        Some(self.add(one, other))
    }

    /// The number of iterations of a loop in which `cond` holds.
    fn times(&mut self, l: Loop, cond: Expr) -> Option<Expr> {
        let (var, bounds) = l;
        let trips = self.trips(bounds);
        if !self.mentions(cond, var) {
            let zero = self.int(Type::I8, 0);
            return Some(self.intrinsic(Intrinsic::Merge, &[trips, zero, cond]));
        }
        match self.expr(cond) {
            ExprData::Unary(UnaryOp::Not, c) => {
                let holds = self.times(l, c)?;
                Some(self.binary(BinaryOp::Sub, trips, holds))
            }
            ExprData::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let (fixed, other) = if self.mentions(a, var) { (b, a) } else { (a, b) };
                if self.mentions(fixed, var) {
                    return None;
                }
                let holds = self.times(l, other)?;
                let zero = self.int(Type::I8, 0);
                let arms = if op == BinaryOp::And { [holds, zero, fixed] } else { [trips, holds, fixed] };
                Some(self.intrinsic(Intrinsic::Merge, &arms))
            }
            ExprData::Binary(op, a, b) if op.is_comparison() && self.ty(a) == Type::I4 && self.ty(b) == Type::I4 => {
                let (x, y) = (self.line(a, var)?, self.line(b, var)?);
                match op {
                    BinaryOp::Ge => Some(self.at_least(l, x, y, 0)),
                    BinaryOp::Gt => Some(self.at_least(l, x, y, 1)),
                    BinaryOp::Le => Some(self.at_least(l, y, x, 0)),
                    BinaryOp::Lt => Some(self.at_least(l, y, x, 1)),
                    _ => {
                        let (from, past) = (self.at_least(l, x, y, 0), self.at_least(l, x, y, 1));
                        let equal = self.binary(BinaryOp::Sub, from, past);
                        Some(if op == BinaryOp::Eq { equal } else { self.binary(BinaryOp::Sub, trips, equal) })
                    }
                }
            }
            _ => None,
        }
    }

    /// `e` as constant plus slope times `var`, as `INTEGER(8)`; the slope is small.
    fn line(&mut self, e: Expr, var: Sym) -> Option<(Expr, i64)> {
        let (rest, slope) = self.affine(e, var)?;
        (slope.abs() <= 1 << 12).then(|| (self.widen(rest), slope))
    }

    /// The number of iterations in which `x >= y + by`.
    fn at_least(&mut self, (_, bounds): Loop, x: (Expr, i64), y: (Expr, i64), by: i64) -> Expr {
        let [lo, hi, step] = bounds;
        let by = self.int(Type::I8, if crate::fault("comparison_sum") { 0 } else { by });
        let from = self.add(y.0, by);
        let [y1, x1, far] = [y.1, x.1, FAR].map(|k| self.int(Type::I8, k));
        self.intrinsic(Intrinsic::SumTrips, &[lo, hi, step, from, y1, x.0, x1, far])
    }

    /// Law Hs: `trip(a0 + a1*i, b0 + b1*i, c)`, possibly times something fixed, summed over `i`.
    pub(crate) fn triangular(&mut self, var: Sym, bounds: [Expr; 3], amount: Expr) -> Option<Expr> {
        match self.expr(amount) {
            ExprData::Intrinsic(Intrinsic::Trip, l) => {
                let [a, b, c] = *self.list(l) else {
                    return None;
                };
                if self.mentions(c, var) {
                    return None;
                }
                let (a0, a1) = self.affine(a, var)?;
                let (b0, b1) = self.affine(b, var)?;
                let [lo, hi, step] = bounds;
                let (a1, b1) = (self.int(Type::I8, a1), self.int(Type::I8, b1));
                let b1 = if crate::fault("triangular_slope") { a1 } else { b1 };
                Some(self.intrinsic(Intrinsic::SumTrips, &[lo, hi, step, a0, a1, b0, b1, c]))
            }
            ExprData::Binary(BinaryOp::Mul, x, y) => {
                let (free, bound) = if self.mentions(x, var) { (y, x) } else { (x, y) };
                if self.mentions(free, var) {
                    return None;
                }
                let sum = self.triangular(var, bounds, bound)?;
                Some(self.multiply(sum, free))
            }
            _ => None,
        }
    }

    /// `e` as `rest + k*var` with a constant `k`.
    fn affine(&mut self, e: Expr, var: Sym) -> Option<(Expr, i64)> {
        if !self.mentions(e, var) {
            return Some((e, 0));
        }
        let zero = self.int(Type::I8, 0);
        match self.expr(e) {
            ExprData::Var(_) => Some((zero, 1)),
            ExprData::Convert(Type::I8, x) if self.ty(x) == Type::I4 => {
                let (rest, k) = self.affine(x, var)?;
                Some((self.widen(rest), k))
            }
            ExprData::Unary(UnaryOp::Neg, x) => {
                let (rest, k) = self.affine(x, var)?;
                let rest = self.make(ExprData::Unary(UnaryOp::Neg, rest));
                Some((rest, k.checked_neg()?))
            }
            ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), x, y) => {
                let (r1, k1) = self.affine(x, var)?;
                let (r2, k2) = self.affine(y, var)?;
                let (r1, r2) = (self.widen(r1), self.widen(r2));
                let k = if op == BinaryOp::Add { k1.checked_add(k2)? } else { k1.checked_sub(k2)? };
                Some((self.binary(op, r1, r2), k))
            }
            ExprData::Binary(BinaryOp::Mul, x, y) => {
                let (k, other) = match (self.pool.as_int(x), self.pool.as_int(y)) {
                    (Some(k), _) => (k, y),
                    (_, Some(k)) => (k, x),
                    _ => return None,
                };
                let (rest, inner) = self.affine(other, var)?;
                let rest = self.widen(rest);
                let factor = self.int(Type::I8, k);
                Some((self.binary(BinaryOp::Mul, factor, rest), k.checked_mul(inner)?))
            }
            _ => None,
        }
    }
}

/// The most that an easy sum multiplies the number of inner loops with.
const SMALL: i64 = 1 << 20;

impl Unit {
    /// The fewest trips of an inner loop and the difference from one to the next, if `args`, those of a [`Intrinsic::SumTrips`], tell that
    /// the steps are one, and that the trips rise by a constant from a known number, or fall to one by a constant.
    pub fn easy_nest(&self, args: &[Expr]) -> Option<(i64, i64)> {
        let &[lo, hi, step, a0, a1, b0, b1, inner] = args else { return None };
        let int = |e: Expr| self.pool().as_int(e).filter(|n| n.abs() < SMALL);
        let (1, 1, a0, a1, b1) = (int(step)?, int(inner)?, int(a0)?, int(a1)?, int(b1)?) else { return None };
        let (fewest, change) = match int(b0) {
            // The first inner loop has the fewest trips.
            Some(b0) => {
                let lo = int(lo)?;
                (b0 + b1 * lo - a0 - a1 * lo + 1, b1 - a1)
            }
            // The last one, from `a0 + hi` to `hi`.
            None if b0 == hi && (a1, b1) == (1, 0) => (1 - a0, 1),
            None => return None,
        };
        (fewest >= 0 && change >= 0).then_some((fewest, change))
    }
}
