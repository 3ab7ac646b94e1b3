//! Evaluation of scalar expressions.

use super::setup::Machine;
use super::{Failure, Value, beyond, wrong};
use crate::entities::{Expr, List};
use crate::expr::{BinaryOp, ExprData};
use crate::scalar;
use crate::scalar::wrap;
use crate::{Intrinsic, Type};
use cranelift_entity::EntityRef;
use smallvec::SmallVec;

impl Machine<'_> {
    /// The value of the scalar `e`.
    pub(super) fn value(&self, e: Expr) -> Result<Value, Failure> {
        let u = self.unit();
        match u.expr(e) {
            ExprData::Int(_, v) => Ok(Value::Int(v)),
            ExprData::Real(ty, bits) => Ok(Value::from_bytes(ty, &bits.to_le_bytes())),
            ExprData::Logical(_, v) => Ok(Value::logical(v)),
            ExprData::Var(s) if u.sym(s).is_register() => Ok(self.frame.registers[s.index()]),
            ExprData::Var(s) => self.memory.load(u.ty(e), self.address(s)?),
            ExprData::Elem(s, l) | ExprData::Wide(_, s, l) => self.memory.load(u.ty(e), self.element(s, u.list(l))?),
            ExprData::Load { ty, addr, offset, .. } => {
                self.memory.load(ty, self.int(addr)?.wrapping_add(i64::from(offset)))
            }
            ExprData::Addr(s) => Ok(Value::Int(self.address(s)?)),
            ExprData::Null => Ok(Value::Int(0)),
            ExprData::Unary(op, a) => Ok(scalar::unary(op, u.ty(a), self.value(a)?)),
            ExprData::Binary(op, a, b) => {
                let x = self.value(a)?;
                match op {
                    BinaryOp::And if !x.truth() && !u.ty(a).is_vector() => Ok(x),
                    BinaryOp::Or if x.truth() && !u.ty(a).is_vector() => Ok(x),
                    _ => Ok(scalar::binary(op, u.ty(a), x, self.value(b)?)?),
                }
            }
            ExprData::Convert(to, a) => Ok(scalar::convert(u.ty(a), to, self.value(a)?)),
            ExprData::Intrinsic(i, l) => self.intrinsic(e, i, l),
            _ => self.rare(e),
        }
    }

    // The recursion of `value` is the inner loop of the interpreter; rare cases stay out of its frame.
    #[inline(never)]
    fn rare(&self, e: Expr) -> Result<Value, Failure> {
        let u = self.unit();
        match u.expr(e) {
            ExprData::Complex(ty, re, im) => Ok(complex(ty, re, im)),
            ExprData::AddrOf(_, place) => Ok(Value::Int(self.place(place)?)),
            ExprData::Bitcast(to, a) => Ok(scalar::bitcast(u.ty(a), to, self.value(a)?)),
            other => Err(beyond(format!("{other:?} as a scalar"))),
        }
    }

    /// The value of the integer scalar `e`: subscripts and addresses, so worth a short way.
    pub(super) fn int(&self, e: Expr) -> Result<i64, Failure> {
        let u = self.unit();
        match u.expr(e) {
            ExprData::Int(_, v) => Ok(v),
            ExprData::Var(s) if u.sym(s).is_register() => Ok(self.frame.registers[s.index()].int()),
            ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) if is_integer(u.ty(a)) => {
                let (x, y) = (self.int(a)?, self.int(b)?);
                let v = match op {
                    BinaryOp::Add => x.wrapping_add(y),
                    BinaryOp::Sub => x.wrapping_sub(y),
                    _ => x.wrapping_mul(y),
                };
                Ok(wrap(u.ty(a), v))
            }
            ExprData::Convert(to, a) if is_integer(to) && is_integer(u.ty(a)) => Ok(wrap(to, self.int(a)?)),
            ExprData::Addr(s) => self.address(s),
            _ => self.value(e).map(Value::int),
        }
    }

    #[inline(never)]
    fn intrinsic(&self, e: Expr, i: Intrinsic, l: List) -> Result<Value, Failure> {
        let u = self.unit();
        let list = u.list(l);
        if i.is_transformational() {
            return match self.transform(e, i, list, None)?.data.first() {
                Some(&v) => Ok(v),
                None => Err(wrong(format!("'{}' has no value", i.name()))),
            };
        }
        if i == Intrinsic::Ichar {
            return self.ichar(list[0]);
        }
        let mut args: SmallVec<[Value; 4]> = SmallVec::new();
        for &a in list {
            args.push(self.value(a)?);
        }
        Ok(scalar::intrinsic(i, u.ty(e), u.ty(list[0]), &args)?)
    }

    fn ichar(&self, place: Expr) -> Result<Value, Failure> {
        let u = self.unit();
        let byte = match u.expr(place) {
            ExprData::Text(t) => u.pool().text(t).first().copied().unwrap_or(b' '),
            ExprData::Substr(base, lo, _) if matches!(u.expr(base), ExprData::Text(_)) => {
                let ExprData::Text(t) = u.expr(base) else { return Err(beyond("ICHAR")) };
                let at = usize::try_from(self.int(lo)?.wrapping_sub(1)).unwrap_or(usize::MAX);
                *u.pool().text(t).get(at).ok_or_else(|| wrong("a substring is out of bounds"))?
            }
            _ => self.memory.slice(self.place(place)?, 1)?[0],
        };
        Ok(Value::Int(byte.into()))
    }

    /// The address of a place in memory. (A character constant has one only as the argument of a call.)
    pub(super) fn place(&self, place: Expr) -> Result<i64, Failure> {
        let u = self.unit();
        match u.expr(place) {
            ExprData::Var(s) => self.address(s),
            ExprData::Elem(s, l) | ExprData::Wide(_, s, l) => self.element(s, u.list(l)),
            ExprData::Substr(base, lo, _) => Ok(self.place(base)?.wrapping_add(self.int(lo)?).wrapping_sub(1)),
            ExprData::Load { addr, offset, .. } => Ok(self.int(addr)?.wrapping_add(i64::from(offset))),
            ExprData::Text(t) => match self.texts.get(&(self.frame.code, t)) {
                Some(&address) => Ok(address),
                None => Err(beyond("a character constant in an expression")),
            },
            other => Err(beyond(format!("the address of {other:?}"))),
        }
    }
}

fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8)
}

fn complex(ty: Type, re: u64, im: u64) -> Value {
    match ty {
        Type::C4 => Value::C4(f32::from_bits(re as u32), f32::from_bits(im as u32)),
        _ => Value::C8(f64::from_bits(re), f64::from_bits(im)),
    }
}
