//! Constants as the values of [`trueline_ir::scalar`], whose operations are those of compiled code.

use crate::constant::Scalar;
use trueline_ir::scalar::{self, Value};
use trueline_ir::{BinaryOp, Intrinsic, Real, Type};

impl Scalar {
    /// The value; none of characters, BOZ constants, and numbers of kind 16.
    pub fn value(&self) -> Option<Value> {
        Some(match *self {
            Scalar::Int(_, v) => Value::Int(v),
            Scalar::Logical(_, v) => Value::logical(v),
            Scalar::Real(Type::R4, x) => Value::R4(x.double() as f32),
            Scalar::Real(Type::R8, x) => Value::R8(x.double()),
            Scalar::Complex(Type::C4, re, im) => Value::C4(re.double() as f32, im.double() as f32),
            Scalar::Complex(Type::C8, re, im) => Value::C8(re.double(), im.double()),
            _ => return None,
        })
    }

    /// A value of type `ty`.
    pub fn of_value(ty: Type, v: Value) -> Scalar {
        match v {
            Value::Int(v) if matches!(ty, Type::L1 | Type::L2 | Type::L4 | Type::L8) => Scalar::Logical(ty, v != 0),
            Value::Int(v) => Scalar::Int(ty, v),
            Value::R4(x) => Scalar::Real(ty, Real::Double(x.into())),
            Value::R8(x) => Scalar::Real(ty, Real::Double(x)),
            Value::C4(re, im) => Scalar::Complex(ty, Real::Double(re.into()), Real::Double(im.into())),
            Value::C8(re, im) => Scalar::Complex(ty, Real::Double(re), Real::Double(im)),
            Value::Lanes(_) => unreachable!("constant expressions have no vectors"),
        }
    }
}

/// `x op y` of type `ty`, as the program computes it; none of numbers of kind 16.
pub fn real_operation(op: BinaryOp, ty: Type, x: Real, y: Real) -> Option<Real> {
    let [x, y] = [x, y].map(|v| Scalar::Real(ty, v).value());
    real(scalar::binary(op, ty, x?, y?).ok()?)
}

/// A function of one or two real numbers of type `ty`, as the program computes it; none of numbers of kind 16.
pub fn real_function(i: Intrinsic, ty: Type, x: Real, y: Option<Value>) -> Option<Value> {
    let x = Scalar::Real(ty, x).value()?;
    let args: smallvec::SmallVec<[Value; 2]> = [Some(x), y].into_iter().flatten().collect();
    scalar::intrinsic(i, i.result(ty), ty, &args).ok()
}

/// A real number.
pub fn real(v: Value) -> Option<Real> {
    match v {
        Value::R4(x) => Some(Real::Double(x.into())),
        Value::R8(x) => Some(Real::Double(x)),
        _ => None,
    }
}
