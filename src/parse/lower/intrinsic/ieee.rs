//! The functions of IEEE_ARITHMETIC, in terms of comparisons and signs.

use crate::intrinsic::Intrinsics;
use crate::values::{Checked, Val, refused};
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic as Ir, Quad, Type};
use trueline_sema::intrinsic::Actuals;
use trueline_sema::intrinsic::{Ieee, Intrinsic as Row};
use trueline_syntax::ast::ExprId;

impl Intrinsics<'_, '_> {
    pub(crate) fn ieee(&mut self, x: ExprId, row: &'static Row, f: Ieee, args: &Actuals) -> Val {
        if f == Ieee::Support {
            return Val::plain(self.logical(true));
        }
        let values = self.operands_of(x, row, args);
        let a = values.first().checked().e;
        let ty = self.ty(a);
        let b = values.get(1).map(|v| self.convert(ty, v.e));
        let nan = self.intrinsic(Ir::IsNan, &[a]);
        let size = self.intrinsic(Ir::Abs, &[a]);
        let (huge, tiny) = match ty {
            Type::R4 => (self.real(ty, f32::MAX.into()), self.real(ty, f32::MIN_POSITIVE.into())),
            Type::R16 => (self.make(ExprData::Quad(Quad::MAX)), self.make(ExprData::Quad(Quad::MIN_POSITIVE))),
            _ => (self.real(ty, f64::MAX), self.real(ty, f64::MIN_POSITIVE)),
        };
        let zero = self.real(ty, 0.0);
        let finite = self.make(ExprData::Binary(BinaryOp::Le, size, huge));
        Val::plain(match (f, b) {
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
            _ => refused(),
        })
    }

    /// The neighbour of `a` in the direction of `b`; `b` itself where they are equal.
    fn next_after(&mut self, a: Expr, b: Expr) -> Expr {
        let towards = self.binary(BinaryOp::Sub, b, a);
        let next = self.intrinsic(Ir::Nearest, &[a, towards]);
        let same = self.make(ExprData::Binary(BinaryOp::Eq, a, b));
        self.intrinsic(Ir::Merge, &[b, next, same])
    }
}
