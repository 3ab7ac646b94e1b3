//! The representation of values of the IR in CLIF.

use cranelift_codegen::ir::{Type as ClifType, Value, types};
use trueline_ir::Type;

/// A value of the IR: one CLIF value, the two parts of a complex number, or the parts of a vector that has several registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Val {
    /// A number, truth value or address.
    One(Value),
    /// Real and imaginary part, or the two halves of a vector.
    Two(Value, Value),
    /// The quarters of a vector of 64 bytes.
    Four([Value; 4]),
}

impl Val {
    /// The value of anything but a pair; of that its first part.
    pub(crate) fn one(self) -> Value {
        match self {
            Val::One(v) | Val::Two(v, _) | Val::Four([v, ..]) => v,
        }
    }

    /// Both parts of a pair. A real value twice is never right, so code for reals asks for `one`; a scalar for all lanes of a vector may be.
    pub(crate) fn two(self) -> (Value, Value) {
        match self {
            Val::Two(re, im) | Val::Four([re, im, ..]) => (re, im),
            Val::One(v) => (v, v),
        }
    }

    /// Part `k`; of one value, which all parts have in common, this.
    pub(crate) fn part(self, k: usize) -> Value {
        match self {
            Val::One(v) => v,
            Val::Two(a, b) => [a, b][k & 1],
            Val::Four(parts) => parts[k & 3],
        }
    }

    /// The value with these parts: one, two or four.
    pub(crate) fn of(parts: &[Value]) -> Val {
        match *parts {
            [a, b, c, d] => Val::Four([a, b, c, d]),
            [a, b] => Val::Two(a, b),
            _ => Val::One(parts[0]),
        }
    }

    /// The same of other values.
    pub(crate) fn map(self, mut f: impl FnMut(Value) -> Value) -> Val {
        match self {
            Val::One(v) => Val::One(f(v)),
            Val::Two(a, b) => Val::Two(f(a), f(b)),
            Val::Four(parts) => Val::Four(parts.map(f)),
        }
    }
}

/// The CLIF type of a value; for a complex number, that of its parts; for a longer vector, that of 16 of its bytes.
pub(crate) fn clif_type(ty: Type) -> ClifType {
    match ty {
        Type::I1 | Type::L1 | Type::Char => types::I8,
        Type::I2 | Type::L2 => types::I16,
        Type::I4 | Type::L4 => types::I32,
        Type::I8 | Type::L8 => types::I64,
        Type::R4 | Type::C4 => types::F32,
        Type::R8 | Type::C8 => types::F64,
        Type::R16 | Type::C16 => types::F128,
        Type::I4x4 | Type::L4x4 | Type::I4x8 | Type::L4x8 | Type::I4x16 | Type::L4x16 => types::I32X4,
        Type::I8x2 | Type::L8x2 | Type::I8x4 | Type::L8x4 | Type::I8x8 | Type::L8x8 => types::I64X2,
        Type::R4x4 | Type::R4x8 | Type::R4x16 | Type::C4x4 => types::F32X4,
        Type::R8x2 | Type::R8x4 | Type::R8x8 | Type::C8x2 => types::F64X2,
        Type::I1x16 | Type::L1x16 => types::I8X16,
    }
}

pub(crate) fn is_complex(ty: Type) -> bool {
    ty.is_complex()
}

pub(crate) fn is_real(ty: Type) -> bool {
    ty.is_real()
}

pub(crate) fn is_logical(ty: Type) -> bool {
    matches!(ty, Type::L1 | Type::L2 | Type::L4 | Type::L8)
}

/// The type of the parts of a complex number.
pub(crate) fn part(ty: Type) -> Type {
    ty.part()
}
