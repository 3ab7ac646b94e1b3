//! Integers in lanes of one byte.
//!
//! In a loop over bytes, whatever the kind of an integer, its vector has the lowest byte of it in each lane: sums, differences and
//! combinations of bits need no more. A comparison needs the whole integers, so it is done only where these are between -128 and 127, or
//! between 0 and 255: as bytes with a sign, or without one.

use rustc_hash::FxHashMap;
use trueline_ir::{BinaryOp, Expr, ExprData, ExprMap, Intrinsic, Sym, Type, UnaryOp, Unit};

/// The meaning of a byte as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// From -128 to 127.
    Signed,
    /// From 0 to 255.
    Unsigned,
}

/// The least value of an integer, and the greatest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range(i64, i64);

impl Range {
    /// The range of all integers of the type.
    fn all(ty: Type) -> Range {
        match ty {
            Type::I1 => Range(i8::MIN.into(), i8::MAX.into()),
            Type::I2 => Range(i16::MIN.into(), i16::MAX.into()),
            Type::I4 => Range(i32::MIN.into(), i32::MAX.into()),
            _ => Range(i64::MIN, i64::MAX),
        }
    }

    fn is_in(self, other: Range) -> bool {
        other.0 <= self.0 && self.1 <= other.1
    }

    fn join(self, other: Range) -> Range {
        Range(self.0.min(other.0), self.1.max(other.1))
    }

    fn meet(self, other: Range) -> Range {
        Range(self.0.max(other.0), self.1.min(other.1))
    }

    /// How the lowest byte tells the integer, if it does.
    pub(super) fn sign(self) -> Option<Sign> {
        if self.is_in(Range::all(Type::I1)) {
            Some(Sign::Signed)
        } else {
            self.is_in(Range(0, 255)).then_some(Sign::Unsigned)
        }
    }
}

/// The values of registers at some place of an iteration.
#[derive(Clone, Default)]
pub(super) struct Ranges(FxHashMap<Sym, Range>);

impl Ranges {
    /// The values that `e`, an integer, may have.
    pub(super) fn of(&self, u: &Unit, e: Expr) -> Range {
        self.find(u, e, &mut ExprMap::default())
    }

    fn find(&self, u: &Unit, e: Expr, known: &mut ExprMap<Range>) -> Range {
        if let Some(range) = known.get(e) {
            return range;
        }
        let all = Range::all(u.ty(e));
        let mut of = |x: Expr| self.find(u, x, known);
        let exact = match u.expr(e) {
            ExprData::Int(_, k) => Some(Range(k, k)),
            ExprData::Var(v) => self.0.get(&v).copied(),
            ExprData::Unary(UnaryOp::Neg, a) => {
                let a = of(a);
                a.1.checked_neg().zip(a.0.checked_neg()).map(|(least, most)| Range(least, most))
            }
            ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (a, mut b) = (of(a), of(b));
                if op == BinaryOp::Sub {
                    b = b.1.checked_neg().zip(b.0.checked_neg()).map_or(all, |(least, most)| Range(least, most));
                }
                a.0.checked_add(b.0).zip(a.1.checked_add(b.1)).map(|(least, most)| Range(least, most))
            }
            ExprData::Convert(_, a) if is_integer(u.ty(a)) => Some(of(a)),
            ExprData::Intrinsic(Intrinsic::Merge, args) => {
                let args = u.list(args);
                Some(of(args[0]).join(of(args[1])))
            }
            ExprData::Intrinsic(Intrinsic::Iand, args) => {
                let (a, b) = (of(u.list(args)[0]), of(u.list(args)[1]));
                match (a.0 >= 0, b.0 >= 0) {
                    (true, true) => Some(Range(0, a.1.min(b.1))),
                    (true, false) => Some(Range(0, a.1)),
                    (false, true) => Some(Range(0, b.1)),
                    (false, false) => None,
                }
            }
            _ => None,
        };
        // A sum that does not fit has overflowed.
        let range = exact.filter(|r| r.is_in(all)).unwrap_or(all);
        known.insert(e, range);
        range
    }

    /// The values of a register.
    pub(super) fn of_register(&self, u: &Unit, v: Sym) -> Range {
        self.0.get(&v).copied().unwrap_or_else(|| Range::all(u.sym(v).ty))
    }

    /// The register has a value of `range` from here on.
    pub(super) fn set(&mut self, v: Sym, range: Range) {
        self.0.insert(v, range);
    }

    /// From here on `cond` is true, or false if `yes` is not.
    pub(super) fn assume(&mut self, u: &Unit, cond: Expr, yes: bool) {
        match u.expr(cond) {
            ExprData::Binary(BinaryOp::And, a, b) if yes => [a, b].into_iter().for_each(|x| self.assume(u, x, yes)),
            ExprData::Binary(BinaryOp::Or, a, b) if !yes => [a, b].into_iter().for_each(|x| self.assume(u, x, yes)),
            ExprData::Unary(UnaryOp::Not, a) => self.assume(u, a, !yes),
            ExprData::Binary(op, a, b) => {
                if let (ExprData::Var(v), Some(k)) = (u.expr(a), u.pool().as_int(b))
                    && let Some(range) = compared(op, yes, k)
                {
                    let range = self.of_register(u, v).meet(range);
                    self.set(v, range);
                }
            }
            _ => {}
        }
    }

    /// The facts behind a conditional, if `other` is known behind its other arm.
    pub(super) fn join(&mut self, other: &Ranges) {
        self.0.retain(|v, range| {
            let other = other.0.get(v);
            if let Some(&other) = other {
                *range = range.join(other);
            }
            other.is_some()
        });
    }

    /// The kind of numbers as which the bytes of `a` and `b` have to be compared.
    pub(super) fn compares(&self, u: &Unit, a: Expr, b: Expr) -> Option<Sign> {
        self.of(u, a).join(self.of(u, b)).sign()
    }
}

/// The integers of which `op` with `k` is true, or false if `yes` is not.
fn compared(op: BinaryOp, yes: bool, k: i64) -> Option<Range> {
    let (below, above) = (Range(i64::MIN, k.checked_sub(1)?), Range(k.checked_add(1)?, i64::MAX));
    let (most, least) = (Range(i64::MIN, k), Range(k, i64::MAX));
    match (op, yes) {
        (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => Some(Range(k, k)),
        (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => Some(below),
        (BinaryOp::Le, true) | (BinaryOp::Gt, false) => Some(most),
        (BinaryOp::Gt, true) | (BinaryOp::Le, false) => Some(above),
        (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => Some(least),
        _ => None,
    }
}

/// Whether it is the type of an integer.
pub(super) fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8)
}

/// The lowest byte of `k`, as an integer with a sign.
pub(super) fn lowest_byte(k: i64) -> i64 {
    i64::from(k as i8)
}
