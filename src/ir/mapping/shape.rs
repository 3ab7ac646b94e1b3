//! Shapes of arrays as numbers, where the unit knows them.

use super::Extents;
use crate::{Sym, Unit};

/// The declared bounds of an array, as far as they are constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Lower and upper bound of each dimension.
    pub bounds: Vec<Option<(i64, i64)>>,
    /// The bytes of an element; none for characters of a length that is known at run time.
    pub element: Option<u64>,
}

impl Unit {
    /// The shape of `s`.
    pub fn shape(&self, s: Sym) -> Shape {
        let data = self.sym(s);
        let bounds = (0..data.dims.len()).map(|d| self.constant_bounds(s, d)).collect();
        let len = match data.len.expand() {
            Some(e) => self.pool().as_int(e).and_then(|n| u64::try_from(n).ok()),
            None => Some(1),
        };
        let element = len.and_then(|n| n.checked_mul(data.ty.size() as u64));
        Shape { bounds, element }
    }

    fn constant_bounds(&self, s: Sym, dim: usize) -> Option<(i64, i64)> {
        let d = self.sym(s).dims.get(dim)?;
        Some((self.pool().as_int(d.lower)?, self.pool().as_int(d.upper.expand()?)?))
    }

    /// The bounds of a template's dimension, if they are constant.
    pub fn constant_extents(&self, x: Extents) -> Option<(i64, i64)> {
        match x {
            Extents::Known(lo, hi) => Some((lo, hi)),
            Extents::Of(s, d) => self.constant_bounds(s, d.into()),
            Extents::Unknown => None,
        }
    }
}
