//! Comparisons, conditions, and branches on them.

use crate::expr::Translator;
use crate::types::{clif_type, is_complex, is_real};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Block as ClifBlock, InstBuilder, Value};
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic, Type, UnaryOp};

impl Translator<'_, '_> {
    /// A comparison as CLIF makes it: one byte, 0 or 1.
    pub(super) fn compare(&mut self, op: BinaryOp, ty: Type, x: Value, y: Value) -> Value {
        if is_real(ty) {
            let cc = match op {
                BinaryOp::Eq => FloatCC::Equal,
                BinaryOp::Ne => FloatCC::NotEqual,
                BinaryOp::Lt => FloatCC::LessThan,
                BinaryOp::Le => FloatCC::LessThanOrEqual,
                BinaryOp::Gt => FloatCC::GreaterThan,
                _ => FloatCC::GreaterThanOrEqual,
            };
            return self.fcmp(cc, x, y);
        }
        let cc = match op {
            BinaryOp::Eq => IntCC::Equal,
            BinaryOp::Ne => IntCC::NotEqual,
            BinaryOp::Lt => IntCC::SignedLessThan,
            BinaryOp::Le => IntCC::SignedLessThanOrEqual,
            BinaryOp::Gt => IntCC::SignedGreaterThan,
            _ => IntCC::SignedGreaterThanOrEqual,
        };
        self.b.ins().icmp(cc, x, y)
    }

    /// A condition for a branch, without making a Fortran truth value of it.
    pub(crate) fn condition(&mut self, e: Expr) -> Value {
        if let ExprData::Binary(op, a, b) = self.unit.expr(e)
            && op.is_comparison()
            && !is_complex(self.unit.ty(a))
        {
            if let Some((x, divisor)) = self.divided(op, a, b) {
                return self.is_multiple(x, divisor, op == BinaryOp::Eq);
            }
            let ty = self.unit.ty(a);
            let (x, y) = (self.expr(a).one(), self.expr(b).one());
            return self.compare(op, ty, x, y);
        }
        self.expr(e).one()
    }

    /// Whether [`Translator::truth`] can have the value of a condition: its operands need no jumps.
    pub(crate) fn is_jumpless(&self, cond: Expr) -> bool {
        match self.unit.expr(cond) {
            ExprData::Unary(UnaryOp::Not, a) => self.is_jumpless(a),
            ExprData::Binary(BinaryOp::And, a, b) => self.range_of(a, b).is_some(),
            ExprData::Binary(BinaryOp::Or, ..) => false,
            _ => true,
        }
    }

    /// The value of a condition without jumps: a byte, 0 or 1.
    pub(crate) fn truth(&mut self, cond: Expr) -> Value {
        match self.unit.expr(cond) {
            ExprData::Unary(UnaryOp::Not, a) => {
                let value = self.truth(a);
                return self.b.ins().icmp_imm_u(IntCC::Equal, value, 0);
            }
            ExprData::Binary(BinaryOp::And, a, b) if let Some((x, low, high)) = self.range_of(a, b) => {
                return self.in_range(x, low, high);
            }
            ExprData::Binary(op, a, _) if op.is_comparison() && !is_complex(self.unit.ty(a)) => {
                return self.condition(cond);
            }
            _ => {}
        }
        let value = self.condition(cond);
        self.b.ins().icmp_imm_u(IntCC::NotEqual, value, 0)
    }

    /// The integer and the constant divisor, above two and no power of two, whose remainder is compared with zero.
    fn divided(&self, op: BinaryOp, a: Expr, b: Expr) -> Option<(Expr, i64)> {
        let unit = self.unit;
        let ExprData::Intrinsic(Intrinsic::Mod | Intrinsic::Modulo, args) = unit.expr(a) else { return None };
        let &[x, divisor] = unit.list(args) else { return None };
        let divisor = unit.pool().as_int(divisor).filter(|&d| d > 2 && !d.unsigned_abs().is_power_of_two())?;
        let is_zero = matches!(op, BinaryOp::Eq | BinaryOp::Ne) && unit.pool().as_int(b) == Some(0);
        (is_zero && matches!(unit.ty(x), Type::I4 | Type::I8)).then_some((x, divisor))
    }

    /// Whether `x` is (or is not) a multiple of a constant, by one product instead of two (Warren, Hacker's Delight, section 10-17).
    ///
    /// With `divisor = m * 2^s` and `m` odd, the product of `k * divisor` with the inverse of `m` modulo the number of integers is `k * 2^s`.
    /// The factors `k` are from `-most` to `most`; rotated by `s`, the product of no other integer is in this range.
    fn is_multiple(&mut self, x: Expr, divisor: i64, wanted: bool) -> Value {
        let ty = clif_type(self.unit.ty(x));
        let x = self.expr(x).one();
        let shift = i64::from(divisor.trailing_zeros());
        let greatest = i64::MAX >> (64 - ty.bits());
        let most = greatest / divisor;
        let inverse = inverse(divisor >> shift);
        let factor = self.int(ty, inverse << (64 - ty.bits()) >> (64 - ty.bits()));
        let product = self.b.ins().imul(x, factor);
        let offset = self.int(ty, most << shift);
        let from_zero = self.b.ins().iadd(product, offset);
        let rotated = if shift == 0 { from_zero } else { self.b.ins().rotr_imm_u(from_zero, shift) };
        let last = self.int(ty, 2 * most);
        let cc = if wanted { IntCC::UnsignedLessThanOrEqual } else { IntCC::UnsignedGreaterThan };
        self.b.ins().icmp(cc, rotated, last)
    }

    /// Branches on `cond`; the operands of .AND., .OR. and .NOT. become branches of their own, so that the right
    /// operand is not evaluated if the left decides.
    pub(crate) fn branch(&mut self, cond: Expr, yes: ClifBlock, no: ClifBlock) {
        let mut todo = vec![(cond, yes, no, None)];
        while let Some((e, yes, no, start)) = todo.pop() {
            if let Some(block) = start {
                // The left operand is translated completely: nothing else leads here.
                self.b.seal_block(block);
                self.b.switch_to_block(block);
                self.forget();
            }
            match self.unit.expr(e) {
                ExprData::Unary(UnaryOp::Not, a) => todo.push((a, no, yes, None)),
                ExprData::Binary(BinaryOp::And, a, b) if let Some((x, low, high)) = self.range_of(a, b) => {
                    let value = self.in_range(x, low, high);
                    self.b.ins().brif(value, yes, &[], no, &[]);
                }
                ExprData::Binary(BinaryOp::Or, a, b) if let Some((x, upper)) = self.outside_of(a, b) => {
                    let value = self.is_outside(x, upper);
                    self.b.ins().brif(value, yes, &[], no, &[]);
                }
                ExprData::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                    let second = self.b.create_block();
                    todo.push((b, yes, no, Some(second)));
                    match op {
                        BinaryOp::And => todo.push((a, second, no, None)),
                        _ => todo.push((a, yes, second, None)),
                    }
                }
                _ => {
                    let value = self.condition(e);
                    self.b.ins().brif(value, yes, &[], no, &[]);
                }
            }
        }
    }

    /// The value, the least and the greatest of two conditions that are true between two constants.
    pub(super) fn range_of(&self, a: Expr, b: Expr) -> Option<(Expr, i64, i64)> {
        let bound = |e: Expr| {
            let ExprData::Binary(op, x, k) = self.unit.expr(e) else { return None };
            let k = self.unit.pool().as_int(k).filter(|_| matches!(self.unit.ty(x), Type::I4 | Type::I8))?;
            match op {
                BinaryOp::Ge => Some((x, Some(k), None)),
                BinaryOp::Gt => Some((x, Some(k.checked_add(1)?), None)),
                BinaryOp::Le => Some((x, None, Some(k))),
                BinaryOp::Lt => Some((x, None, Some(k.checked_sub(1)?))),
                _ => None,
            }
        };
        let ((x, low, high), (y, other_low, other_high)) = (bound(a)?, bound(b)?);
        let (low, high) = (low.or(other_low)?, high.or(other_high)?);
        let width = high.checked_sub(low).filter(|w| (0..=i64::from(i32::MAX)).contains(w));
        (x == y && width.is_some()).then_some((x, low, high))
    }

    /// The value and the bound of `x < 1 .or. x > upper`, as it stands in checks of subscripts.
    fn outside_of(&self, a: Expr, b: Expr) -> Option<(Expr, Expr)> {
        let (ExprData::Binary(BinaryOp::Lt, x, lower), ExprData::Binary(BinaryOp::Gt, same, upper)) =
            (self.unit.expr(a), self.unit.expr(b))
        else {
            return None;
        };
        let is_integer = matches!(self.unit.ty(x), Type::I4 | Type::I8);
        let is_range = x == same && is_integer && self.unit.pool().as_int(lower) == Some(1);
        (is_range && !self.unit.may_trap(upper)).then_some((x, upper))
    }

    /// Whether `x < 1 .or. x > upper`, in one comparison without signs: `x - 1 >= max(upper, 0)`. Below 1 the difference is a large
    /// number, and the greatest of the bound, which a loop does not change, is found before it. A subscript that is widened for the comparison with
    /// a constant is compared as it is, so `k(i) + 1` costs no more than `k(i)`.
    fn is_outside(&mut self, x: Expr, upper: Expr) -> Value {
        let known = self.unit.pool().as_int(upper);
        let is_short = known.is_some_and(|k| k <= i64::from(i32::MAX));
        let x = match self.unit.expr(x) {
            ExprData::Convert(Type::I8, narrow) if is_short && self.unit.ty(narrow) == Type::I4 => narrow,
            _ => x,
        };
        let x = self.expr(x).one();
        let ty = self.b.func.dfg.value_type(x);
        let (back, zero) = (self.int(ty, -1), self.int(ty, 0));
        let distance = self.b.ins().iadd(x, back);
        let count = match known {
            Some(upper) => self.int(ty, upper.max(0)),
            None => {
                let upper = self.expr(upper).one();
                self.b.ins().smax(upper, zero)
            }
        };
        self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, distance, count)
    }

    /// Whether `low <= x <= high`, in one comparison: below `low` the difference is a large number without sign.
    pub(super) fn in_range(&mut self, x: Expr, low: i64, high: i64) -> Value {
        let x = self.expr(x).one();
        let ty = self.b.func.dfg.value_type(x);
        let least = self.int(ty, low);
        let above = self.b.ins().isub(x, least);
        let width = self.int(ty, high - low);
        self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, above, width)
    }
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the number of right bits, of which an odd number has three.
fn inverse(odd: i64) -> i64 {
    (0..5).fold(odd, |x, _| x.wrapping_mul(2_i64.wrapping_sub(odd.wrapping_mul(x))))
}
