//! Constants of the front end.

pub(crate) mod arrays;
pub(crate) mod bits;
pub(crate) mod degrees;
pub(crate) mod designator;
pub mod eval;
pub(crate) mod exact;
pub(crate) mod intrinsics;
pub mod math;
pub mod ops;
pub(crate) mod special;
pub(crate) mod text;
pub(crate) mod value;

use crate::types::kinds::{Category, int_range};
use std::sync::Arc;
use trueline_ir::Real;
use trueline_ir::Type;

/// A scalar constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Scalar {
    /// An integer, in the range of its type.
    Int(Type, i64),
    /// A real; the value of an `R4` is exact in kind 4.
    Real(Type, Real),
    /// A complex; both parts of a `C4` are exact in kind 4.
    Complex(Type, Real, Real),
    /// A logical.
    Logical(Type, bool),
    /// Characters.
    Char(Arc<[u8]>),
    /// A BOZ constant: bits without a type.
    Boz(u64),
}

/// A constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(Arc<ConstArray>),
}

/// An array constant in array element order.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstArray {
    /// The type of the elements.
    pub ty: Type,
    /// The length of each element if they are characters.
    pub len: usize,
    /// Lower bound and extent of each dimension.
    pub shape: Vec<(i64, i64)>,
    /// The elements.
    pub values: Vec<Scalar>,
}

/// The most elements of a constant array, so that the compiler's memory stays bounded.
pub const MAX_ELEMENTS: usize = 1 << 22;

/// The most bytes of all elements of a character array constant.
pub const MAX_BYTES: usize = 1 << 26;

/// The most bytes of a character constant.
pub const MAX_LENGTH: usize = 1 << 20;

impl Scalar {
    /// An integer of default kind.
    pub fn int(v: i64) -> Scalar {
        Scalar::Int(Type::I4, v)
    }

    /// A logical of default kind.
    pub fn logical(v: bool) -> Scalar {
        Scalar::Logical(Type::L4, v)
    }

    /// Characters.
    pub fn text(bytes: &[u8]) -> Scalar {
        Scalar::Char(bytes.into())
    }

    /// A real of type `ty`: rounded to its kind.
    pub fn real(ty: Type, v: impl Into<Real>) -> Scalar {
        Scalar::Real(ty, v.into().round_to(ty))
    }

    /// A complex of type `ty`.
    pub fn complex(ty: Type, re: impl Into<Real>, im: impl Into<Real>) -> Scalar {
        Scalar::Complex(ty, re.into().round_to(ty), im.into().round_to(ty))
    }

    /// Its type; a BOZ constant counts as the widest integer.
    pub fn ty(&self) -> Type {
        match *self {
            Scalar::Int(ty, _) | Scalar::Real(ty, _) | Scalar::Complex(ty, ..) | Scalar::Logical(ty, _) => ty,
            Scalar::Char(_) => Type::Char,
            Scalar::Boz(_) => Type::I8,
        }
    }

    /// The value of an integer.
    pub fn as_int(&self) -> Option<i64> {
        match *self {
            Scalar::Int(_, v) => Some(v),
            _ => None,
        }
    }

    /// The value of a logical.
    pub fn as_logical(&self) -> Option<bool> {
        match *self {
            Scalar::Logical(_, v) => Some(v),
            _ => None,
        }
    }

    /// The bytes of characters.
    pub fn as_text(&self) -> Option<&[u8]> {
        match self {
            Scalar::Char(t) => Some(t),
            _ => None,
        }
    }

    /// The value of an integer or real, the real part of a complex.
    pub fn as_real(&self) -> Option<Real> {
        match *self {
            Scalar::Int(_, v) => Some(Real::from_int(Type::R16, v)),
            Scalar::Real(_, v) | Scalar::Complex(_, v, _) => Some(v),
            _ => None,
        }
    }

    /// The bytes of the value in memory, as an item of type `ty` (and length `len` of characters).
    /// `None` when it must be converted first.
    pub fn bytes(&self, ty: Type, len: usize) -> Option<Vec<u8>> {
        if let Scalar::Char(text) = self {
            let mut out = text.to_vec();
            out.resize(len, b' ');
            return (ty == Type::Char).then_some(out);
        }
        if self.ty() != ty {
            return None;
        }
        Some(match *self {
            Scalar::Int(_, v) => v.to_le_bytes()[..ty.size()].to_vec(),
            Scalar::Logical(_, v) => i64::from(v).to_le_bytes()[..ty.size()].to_vec(),
            Scalar::Real(_, v) => real_bytes(ty, v),
            Scalar::Complex(_, re, im) => [real_bytes(ty.part(), re), real_bytes(ty.part(), im)].concat(),
            Scalar::Boz(v) => v.to_le_bytes().to_vec(),
            Scalar::Char(_) => return None,
        })
    }
}

fn real_bytes(ty: Type, v: Real) -> Vec<u8> {
    v.bits(ty).to_le_bytes()[..ty.size()].to_vec()
}

impl From<Scalar> for Const {
    fn from(s: Scalar) -> Const {
        Const::Scalar(s)
    }
}

impl Const {
    /// An array of rank one with lower bound 1.
    pub fn vector(ty: Type, len: usize, values: Vec<Scalar>) -> Const {
        let shape = vec![(1, values.len() as i64)];
        Const::Array(Arc::new(ConstArray { ty, len, shape, values }))
    }

    /// The type of the scalar or of the elements.
    pub fn ty(&self) -> Type {
        match self {
            Const::Scalar(s) => s.ty(),
            Const::Array(a) => a.ty,
        }
    }

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<&Scalar> {
        match self {
            Const::Scalar(s) => Some(s),
            Const::Array(_) => None,
        }
    }

    /// The array, if it is one.
    pub fn array(&self) -> Option<&ConstArray> {
        match self {
            Const::Array(a) => Some(a),
            Const::Scalar(_) => None,
        }
    }

    /// The value of a scalar integer.
    pub fn as_int(&self) -> Option<i64> {
        self.scalar()?.as_int()
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.array().map_or(0, |a| a.shape.len())
    }

    /// The extents.
    pub fn extents(&self) -> Vec<i64> {
        self.array().map_or(Vec::new(), |a| a.shape.iter().map(|d| d.1).collect())
    }

    /// The length of characters.
    pub fn char_len(&self) -> usize {
        match self {
            Const::Scalar(Scalar::Char(t)) => t.len(),
            Const::Scalar(_) => 0,
            Const::Array(a) => a.len,
        }
    }

    /// The elements in array element order; the value itself for a scalar.
    pub fn elements(&self) -> &[Scalar] {
        match self {
            Const::Scalar(s) => std::slice::from_ref(s),
            Const::Array(a) => &a.values,
        }
    }

    /// `f` of each element: same shape, lower bounds 1.
    pub fn map<E>(&self, mut f: impl FnMut(&Scalar) -> Result<Scalar, E>) -> Result<Const, E> {
        match self {
            Const::Scalar(s) => Ok(Const::Scalar(f(s)?)),
            Const::Array(a) => {
                let values: Vec<Scalar> = a.values.iter().map(f).collect::<Result<_, E>>()?;
                Ok(rebuild(a, values))
            }
        }
    }
}

/// An array of new elements with the extents of `like`.
pub fn rebuild(like: &ConstArray, values: Vec<Scalar>) -> Const {
    let ty = values.first().map_or(like.ty, Scalar::ty);
    let len = values.first().map_or(like.len, |v| v.as_text().map_or(0, <[u8]>::len));
    let shape = like.shape.iter().map(|d| (1, d.1)).collect();
    Const::Array(Arc::new(ConstArray { ty, len, shape, values }))
}

/// An element-wise operation on two constants; `None` when they do not conform.
pub fn zip<E>(
    a: &Const,
    b: &Const,
    mut f: impl FnMut(&Scalar, &Scalar) -> Result<Scalar, E>,
) -> Option<Result<Const, E>> {
    let like = match (a.array(), b.array()) {
        (Some(x), Some(y)) if a.extents() != b.extents() || x.values.len() != y.values.len() => return None,
        (Some(x), _) => x,
        (None, Some(y)) => y,
        (None, None) => return Some(f(&a.elements()[0], &b.elements()[0]).map(Const::Scalar)),
    };
    let pick = |c: &Const, k: usize| if c.rank() == 0 { c.elements()[0].clone() } else { c.elements()[k].clone() };
    let values: Result<Vec<Scalar>, E> = (0..like.values.len()).map(|k| f(&pick(a, k), &pick(b, k))).collect();
    Some(values.map(|v| rebuild(like, v)))
}

/// An integer of type `ty`, if the value is in its range.
pub fn int_in(ty: Type, v: i128) -> Option<Scalar> {
    let (lo, hi) = int_range(ty);
    (v >= i128::from(lo) && v <= i128::from(hi)).then_some(Scalar::Int(ty, v as i64))
}

/// `s` as a value of type `ty` by the rules of assignment; `None` when there is no such conversion or
/// an integer does not fit.
pub fn convert(s: &Scalar, ty: Type) -> Option<Scalar> {
    let to = Category::of(ty);
    match (s, to) {
        (Scalar::Int(_, v), Category::Integer) => int_in(ty, i128::from(*v)),
        (Scalar::Int(_, v), Category::Real) => Some(Scalar::Real(ty, Real::from_int(ty, *v))),
        (Scalar::Int(_, v), Category::Complex) => Some(Scalar::complex(ty, Real::from_int(ty, *v), 0.0)),
        (Scalar::Real(_, v) | Scalar::Complex(_, v, _), Category::Integer) => {
            (v.abs() < 1.8e19).then(|| int_in(ty, v.to_int())).flatten()
        }
        (Scalar::Real(_, v) | Scalar::Complex(_, v, _), Category::Real) => Some(Scalar::real(ty, *v)),
        (Scalar::Real(_, v), Category::Complex) => Some(Scalar::complex(ty, *v, 0.0)),
        (Scalar::Complex(_, re, im), Category::Complex) => Some(Scalar::complex(ty, *re, *im)),
        (Scalar::Logical(_, v), Category::Logical) => Some(Scalar::Logical(ty, *v)),
        // Extensions of gfortran: .TRUE. is 1, and a nonzero integer is .TRUE.
        (Scalar::Logical(_, v), Category::Integer) => Some(Scalar::Int(ty, i64::from(*v))),
        (Scalar::Int(_, v), Category::Logical) => Some(Scalar::Logical(ty, *v != 0)),
        (Scalar::Char(_), Category::Character) => Some(s.clone()),
        (Scalar::Boz(v), _) => boz_as(*v, ty),
        _ => None,
    }
}

/// The bits of a BOZ constant as a value of type `ty`.
fn boz_as(v: u64, ty: Type) -> Option<Scalar> {
    let fits = ty.size() >= 8 || v >> (8 * ty.size()) == 0;
    if !fits {
        return None;
    }
    Some(match Category::of(ty) {
        Category::Integer => {
            let shift = 64 - 8 * ty.size() as u32;
            Scalar::Int(ty, ((v << shift) as i64) >> shift)
        }
        Category::Real => Scalar::Real(ty, Real::from_bits(ty, v.into())),
        Category::Logical => Scalar::Logical(ty, v & 1 == 1),
        Category::Complex | Category::Character => return None,
    })
}

/// Characters of length `len`: padded with blanks or cut.
pub fn resize_text(s: &Scalar, len: usize) -> Scalar {
    match s {
        Scalar::Char(t) if t.len() != len => {
            let mut bytes = t.to_vec();
            bytes.resize(len, b' ');
            Scalar::Char(bytes.into())
        }
        other => other.clone(),
    }
}
