//! The functions of IEEE_ARITHMETIC, in terms of comparisons and signs.

use crate::expr::{Failed, Lowered, Val};
use crate::intrinsics::{Ieee, Intrinsic as Row};
use crate::intrinsics_lower::Actuals;
use crate::lower::Lower;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic as Ir, Type};
use trueline_syntax::ast::ExprId;

impl Lower<'_, '_> {
    pub(crate) fn ieee(&mut self, x: ExprId, row: &'static Row, f: Ieee, args: &Actuals) -> Lowered<Val> {
        if f == Ieee::Support {
            return Ok(Val::plain(self.logical(true)));
        }
        if f == Ieee::Value {
            return self.ieee_value(x, row, args);
        }
        let values = self.operands_of(x, row, args)?;
        let a = values.first().ok_or(Failed)?.e;
        let b = values.get(1).map(|v| self.e.convert(self.e.ty(a), v.e));
        let ty = self.ty(a);
        let nan = self.intrinsic(Ir::IsNan, &[a]);
        let (huge, tiny) = if ty == Type::R4 {
            (f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE))
        } else {
            (f64::MAX, f64::MIN_POSITIVE)
        };
        let size = self.intrinsic(Ir::Abs, &[a]);
        let (huge, tiny, zero) = (self.real(ty, huge), self.real(ty, tiny), self.real(ty, 0.0));
        let finite = self.make(ExprData::Binary(BinaryOp::Le, size, huge));
        Ok(Val::plain(match (f, b) {
            (Ieee::IsNan, _) => nan,
            (Ieee::IsFinite, _) => finite,
            (Ieee::IsNormal, _) => {
                let large = self.make(ExprData::Binary(BinaryOp::Ge, size, tiny));
                let nothing = self.make(ExprData::Binary(BinaryOp::Eq, size, zero));
                let either = self.make(ExprData::Binary(BinaryOp::Or, large, nothing));
                self.make(ExprData::Binary(BinaryOp::And, finite, either))
            }
            (Ieee::IsNegative, _) => {
                let one = self.real(ty, 1.0);
                let sign = self.intrinsic(Ir::Sign, &[one, a]);
                let negative = self.make(ExprData::Binary(BinaryOp::Lt, sign, zero));
                let number = self.not(nan);
                self.make(ExprData::Binary(BinaryOp::And, negative, number))
            }
            (Ieee::Unordered, Some(b)) => {
                let other = self.intrinsic(Ir::IsNan, &[b]);
                self.make(ExprData::Binary(BinaryOp::Or, nan, other))
            }
            (Ieee::CopySign, Some(b)) => self.intrinsic(Ir::Sign, &[a, b]),
            (Ieee::NextAfter, Some(b)) => self.next_after(a, b),
            _ => return Err(Failed),
        }))
    }

    /// The neighbour of `a` in the direction of `b`; `b` itself where they are equal.
    fn next_after(&mut self, a: Expr, b: Expr) -> Expr {
        let towards = self.binary(BinaryOp::Sub, b, a);
        let next = self.intrinsic(Ir::Nearest, &[a, towards]);
        let same = self.make(ExprData::Binary(BinaryOp::Eq, a, b));
        self.intrinsic(Ir::Merge, &[b, next, same])
    }

    /// IEEE_VALUE: a number of the kind of `x` and of the class.
    fn ieee_value(&mut self, x: ExprId, row: &'static Row, args: &Actuals) -> Lowered<Val> {
        let like = self.designator(args[0].ok_or(Failed)?)?;
        let ty = self.ty(like.e);
        if !matches!(ty, Type::R4 | Type::R8) {
            return Err(self.error("T0556", self.ast.span(x), "The argument 'x' of 'ieee_value' must be REAL"));
        }
        let class = self.needed(row, args, 1)?;
        let class = self.convert(Type::I4, class);
        // Bits, since no arithmetic makes some of these.
        let bits = |n: i64| -> u64 {
            let value = match n {
                1 | 2 => f64::NAN,
                3 => f64::NEG_INFINITY,
                4 => -1.0,
                6 => -0.0,
                7 => 0.0,
                9 => 1.0,
                10 => f64::INFINITY,
                _ if ty == Type::R4 => f64::from(f32::from_bits(1)).copysign(if n == 5 { -1.0 } else { 1.0 }),
                _ => f64::from_bits(1).copysign(if n == 5 { -1.0 } else { 1.0 }),
            };
            if ty == Type::R4 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
        };
        if let Some(n) = self.known(class) {
            return Ok(Val::plain(self.make(ExprData::Real(ty, bits(n)))));
        }
        let class = if self.rank(class) == 0 { self.in_register(class) } else { class };
        let mut value = self.make(ExprData::Real(ty, bits(2)));
        for n in 3..=10 {
            let this = self.make(ExprData::Real(ty, bits(n)));
            let number = self.int4(n);
            let is = self.make(ExprData::Binary(BinaryOp::Eq, class, number));
            value = self.intrinsic(Ir::Merge, &[this, value, is]);
        }
        Ok(Val::plain(value))
    }
}
