//! A real number of any kind: double precision, which holds the numbers of kinds 4 and 8, or binary128.

use crate::{Quad, TypeCode as Type};
use std::cmp::Ordering;

/// A real number. Operations on two are in the wider arithmetic of both.
#[derive(Clone, Copy, Debug)]
pub enum Real {
    /// A value of kind 4 or 8.
    Double(f64),
    /// A value of kind 16.
    Quad(Quad),
}

use Real::Double;

impl Real {
    /// `v` rounded to the kind of `ty`, a real or complex type.
    pub fn round_to(self, ty: Type) -> Real {
        match (ty, self) {
            (Type::R16 | Type::C16, v) => Real::Quad(v.quad()),
            (Type::R4 | Type::C4, v) => Double(f64::from(v.single())),
            (_, v) => Double(v.double()),
        }
    }

    /// The integer as a number of type `ty`, rounded once.
    pub fn from_int(ty: Type, v: i64) -> Real {
        match ty {
            Type::R16 | Type::C16 => Real::Quad(Quad::from_int(v.into())),
            Type::R4 | Type::C4 => Double(f64::from(v as f32)),
            _ => Double(v as f64),
        }
    }

    /// The number that `text` is in decimal, rounded once to the kind of `ty`.
    pub fn parse(ty: Type, text: &str) -> Option<Real> {
        match ty {
            Type::R16 | Type::C16 => Quad::parse(text).map(Real::Quad),
            Type::R4 | Type::C4 => text.parse::<f32>().ok().map(|v| Double(v.into())),
            _ => text.parse().ok().map(Double),
        }
    }

    /// The number with these bits of type `ty`; for an `R4` the low 32.
    pub fn from_bits(ty: Type, bits: u128) -> Real {
        match ty {
            Type::R16 | Type::C16 => Real::Quad(Quad::from_bits(bits)),
            Type::R4 | Type::C4 => Double(f32::from_bits(bits as u32).into()),
            _ => Double(f64::from_bits(bits as u64)),
        }
    }

    /// Its bits as a number of type `ty`.
    pub fn bits(self, ty: Type) -> u128 {
        match ty {
            Type::R16 | Type::C16 => self.quad().to_bits(),
            Type::R4 | Type::C4 => self.single().to_bits().into(),
            _ => self.double().to_bits().into(),
        }
    }

    /// As a number of kind 16, which is exact.
    pub fn quad(self) -> Quad {
        match self {
            Double(v) => v.into(),
            Real::Quad(v) => v,
        }
    }

    /// The nearest number of kind 8.
    pub fn double(self) -> f64 {
        match self {
            Double(v) => v,
            Real::Quad(v) => v.to_f64(),
        }
    }

    fn single(self) -> f32 {
        match self {
            Double(v) => v as f32,
            Real::Quad(v) => v.to_f32(),
        }
    }

    /// The value without its fraction as an integer; if the value is too large, an integer that is too large for any kind.
    pub fn to_int(self) -> i128 {
        match self {
            Double(v) => v as i128,
            Real::Quad(v) => v.to_int(),
        }
    }

    /// A function that is exact, in the arithmetic of the number.
    fn map(self, double: impl FnOnce(f64) -> f64, quad: impl FnOnce(Quad) -> Quad) -> Real {
        match self {
            Double(v) => Double(double(v)),
            Real::Quad(v) => Real::Quad(quad(v)),
        }
    }

    /// Applies a function by way of double precision, for zeros and for values that are not finite, for which this is
    /// exact.
    pub fn through(self, f: impl FnOnce(f64) -> f64) -> Real {
        self.like(f(self.double()))
    }

    /// `v` as wide as `self`.
    pub fn like(self, v: f64) -> Real {
        match self {
            Double(_) => Double(v),
            Real::Quad(_) => Real::Quad(v.into()),
        }
    }

    /// Whether it is not a number.
    pub fn is_nan(self) -> bool {
        self.double().is_nan()
    }
    /// Whether it is a number, and not infinite.
    pub fn is_finite(self) -> bool {
        match self {
            Double(v) => v.is_finite(),
            Real::Quad(v) => v.is_finite(),
        }
    }
    /// Whether the sign bit is set.
    pub fn is_sign_negative(self) -> bool {
        match self {
            Double(v) => v.is_sign_negative(),
            Real::Quad(v) => v.is_negative(),
        }
    }
    /// The magnitude.
    pub fn abs(self) -> Real {
        self.map(f64::abs, Quad::abs)
    }
    /// Without its fraction.
    pub fn trunc(self) -> Real {
        self.map(f64::trunc, Quad::trunc)
    }
    /// The nearest whole number, of two the larger in magnitude.
    pub fn round(self) -> Real {
        self.map(f64::round, Quad::round)
    }
    /// The largest whole number that is not larger.
    pub fn floor(self) -> Real {
        self.map(f64::floor, Quad::floor)
    }
    /// The smallest whole number that is not smaller.
    pub fn ceil(self) -> Real {
        self.map(f64::ceil, Quad::ceil)
    }
    /// The square root, correctly rounded.
    pub fn sqrt(self) -> Real {
        self.map(f64::sqrt, Quad::sqrt)
    }
    /// The magnitude with the sign of `sign`.
    pub fn copysign(self, sign: Real) -> Real {
        if self.is_sign_negative() == sign.is_sign_negative() { self } else { -self }
    }
    /// The next number of kind of `ty`, above or below.
    pub fn next(self, ty: Type, up: bool) -> Real {
        match self {
            Double(v) if ty == Type::R4 => {
                let v = v as f32;
                Double(if up { v.next_up() } else { v.next_down() }.into())
            }
            v => v.map(
                |v| if up { v.next_up() } else { v.next_down() },
                |v| if up { v.next_up() } else { v.next_down() },
            ),
        }
    }
    /// The larger of two numbers.
    pub fn max(self, other: Real) -> Real {
        if other > self { other } else { self }
    }
}

impl From<f64> for Real {
    fn from(v: f64) -> Real {
        Double(v)
    }
}

impl std::ops::Neg for Real {
    type Output = Real;
    fn neg(self) -> Real {
        self.map(|v| -v, |v| -v)
    }
}

macro_rules! operators {
    ($($name:ident $method:ident $quad:expr)*) => {$(
        impl std::ops::$name for Real {
            type Output = Real;
            fn $method(self, other: Real) -> Real {
                match (self, other) {
                    (Double(a), Double(b)) => Double(std::ops::$name::$method(a, b)),
                    (a, b) => Real::Quad($quad(a.quad(), b.quad())),
                }
            }
        }
    )*};
}

operators! {
    Add add std::ops::Add::add
    Sub sub std::ops::Sub::sub
    Mul mul std::ops::Mul::mul
    Div div std::ops::Div::div
    Rem rem Quad::remainder
}

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        match (self, other) {
            (Double(a), Double(b)) => a.partial_cmp(b),
            (a, b) => a.quad().compare(b.quad()),
        }
    }
}

impl PartialEq<f64> for Real {
    fn eq(&self, other: &f64) -> bool {
        *self == Double(*other)
    }
}

impl PartialOrd<f64> for Real {
    fn partial_cmp(&self, other: &f64) -> Option<Ordering> {
        self.partial_cmp(&Double(*other))
    }
}
