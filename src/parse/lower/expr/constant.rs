//! Operations on constants whose last digit depends on who works them out, and powers.
//!
//! Sums and products of reals are the same bits at compile time and at run time. Functions, powers and operations on
//! complex numbers are not: as in gfortran they are evaluated here, correctly rounded, where their operands are
//! constants of the source, at every level of optimization.

use crate::emit::Emit;
use crate::source::Source;
use crate::values::{Val, refused};
use trueline_ir::Real;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic, Type, UnaryOp};
use trueline_sema::constant::math::apply;
use trueline_sema::constant::ops::{binary, unary};
use trueline_sema::constant::{Scalar, convert};
use trueline_sema::types::kinds::{Category, common_type};
use trueline_syntax::ast;

impl Emit<'_> {
    /// The number that `e` is, if it is a constant.
    fn constant_number(&self, e: Expr) -> Option<Scalar> {
        let real = |ty: Type, bits: u64| Real::from_bits(ty, bits.into());
        match self.expr(e) {
            ExprData::Int(ty, v) => Some(Scalar::Int(ty, v)),
            ExprData::Real(ty, bits) => Some(Scalar::Real(ty, real(ty, bits))),
            ExprData::Complex(ty, re, im) => Some(Scalar::Complex(ty, real(ty, re), real(ty, im))),
            ExprData::Quad(v) => Some(Scalar::Real(Type::R16, Real::Quad(v))),
            ExprData::Intrinsic(Intrinsic::Cmplx, parts) => match self.list(parts) {
                &[re, im] => match (self.constant_number(re)?, self.constant_number(im)?) {
                    (Scalar::Real(_, a), Scalar::Real(_, b)) => Some(Scalar::Complex(self.ty(e), a, b)),
                    _ => None,
                },
                _ => None,
            },
            ExprData::Unary(UnaryOp::Neg, of) => unary(ast::UnaryOp::Minus, &self.constant_number(of)?).ok(),
            ExprData::Convert(ty, from) => convert(&self.constant_number(from)?, ty),
            _ => None,
        }
    }

    /// An elemental function of one type; evaluated if its arguments are constants and it has a value.
    pub(crate) fn evaluated(&mut self, ir: Intrinsic, args: &[Expr]) -> Expr {
        let is_inexact = |c: Category| matches!(c, Category::Real | Category::Complex);
        if args.first().is_some_and(|&a| is_inexact(Category::of(self.ty(a))))
            && let Some(numbers) = args.iter().map(|&a| self.constant_number(a)).collect::<Option<Vec<Scalar>>>()
            && let Ok(value) = apply(ir, &numbers)
        {
            return self.scalar_value(&value).e;
        }
        self.intrinsic(ir, args)
    }

    /// An arithmetic operation on two values of one type. Sums and products of reals are evaluated for the sake of the
    /// functions they are arguments of.
    pub(crate) fn evaluated_binary(&mut self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let written = match op {
            BinaryOp::Add => ast::BinaryOp::Add,
            BinaryOp::Sub => ast::BinaryOp::Sub,
            BinaryOp::Mul => ast::BinaryOp::Mul,
            BinaryOp::Div => ast::BinaryOp::Div,
            _ => return self.binary(op, a, b),
        };
        if Category::of(self.ty(a)) != Category::Integer
            && let (Some(x), Some(y)) = (self.constant_number(a), self.constant_number(b))
            && let Ok(value) = binary(written, &x, &y)
        {
            return self.scalar_value(&value).e;
        }
        self.binary(op, a, b)
    }

    /// A power of constants with a value of type `ty`, which is not an integer.
    fn constant_power(&mut self, ty: Type, a: Expr, b: Expr) -> Option<Expr> {
        if Category::of(ty) == Category::Integer {
            return None;
        }
        let value = binary(ast::BinaryOp::Pow, &self.constant_number(a)?, &self.constant_number(b)?).ok()?;
        Some(self.scalar_value(&value).e)
    }

    /// A power with an integer exponent. Squares and reciprocals of complex numbers are operations, as in gfortran:
    /// a multiplication by 1 would lose the sign of a zero.
    fn whole_power(&mut self, base: Expr, exponent: Expr) -> Expr {
        let of = self.ty(base);
        if let Some(value) = self.constant_power(of, base, exponent) {
            return value;
        }
        if Category::of(of) == Category::Complex {
            match self.known(exponent) {
                Some(1) => return base,
                Some(2) => return self.make(ExprData::Binary(BinaryOp::Mul, base, base)),
                Some(-1) => {
                    let one = self.int(Type::I4, 1);
                    let one = self.convert(of, one);
                    return self.make(ExprData::Binary(BinaryOp::Div, one, base));
                }
                _ => {}
            }
        }
        if self.ty(exponent) == Type::I8 {
            return self.intrinsic(Intrinsic::PowLong, &[base, exponent]);
        }
        let exponent = self.convert(Type::I4, exponent);
        self.intrinsic(Intrinsic::PowInt, &[base, exponent])
    }
}

impl Source<'_> {
    pub(crate) fn power(&mut self, a: Val, b: Val) -> Val {
        let (ta, tb) = (self.ty(a.e), self.ty(b.e));
        let Some(ty) = common_type(ta, tb) else { refused() };
        if !Category::of(ty).is_numeric() {
            refused();
        }
        if Category::of(tb) == Category::Integer && Category::of(ta) != Category::Integer {
            return Val::plain(self.whole_power(a.e, b.e));
        }
        let (l, r) = (self.convert(ty, a.e), self.convert(ty, b.e));
        let value = self.constant_power(ty, l, r);
        Val::plain(value.unwrap_or_else(|| self.intrinsic(Intrinsic::Pow, &[l, r])))
    }
}
