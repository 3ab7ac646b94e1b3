//! Constants of the front end.

use std::sync::Arc;
use trueline_ir::Type;

/// A scalar constant.
#[derive(Clone, PartialEq, Debug)]
pub enum Scalar {
    /// An integer, in the range of its type.
    Int(Type, i64),
    /// A real; of an `R4` the value is one of that kind.
    Real(Type, f64),
    /// A complex; of a `C4` both parts are of kind 4.
    Complex(Type, f64, f64),
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
