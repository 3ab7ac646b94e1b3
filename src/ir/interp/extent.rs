//! Shapes and addresses of arrays.

use super::setup::{Frame, Machine};
use super::{Failure, wrong};
use crate::Type;
use crate::entities::{Expr, Sym};
use crate::symbol::Storage;
use crate::unit::Unit;
use cranelift_entity::EntityRef;
use smallvec::SmallVec;

/// One dimension: lower bound, number of elements, distance of neighbours in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) lower: i64,
    pub(super) extent: i64,
    pub(super) stride: i64,
}

/// The dimensions of an array; the last one of an assumed-size array has no end.
pub(super) type Shape = SmallVec<[Axis; 2]>;

/// The shape of `s`, if its bounds are constants.
pub(super) fn constant_shape(u: &Unit, s: Sym) -> Option<Shape> {
    if u.sym(s).dims.is_empty() {
        return None;
    }
    shape(u, s, |e| u.pool().as_int(e).ok_or(())).ok()
}

fn shape<E>(u: &Unit, s: Sym, mut value: impl FnMut(Expr) -> Result<i64, E>) -> Result<Shape, E> {
    let data = u.sym(s);
    let mut stride = data.ty.size() as i64;
    if let Some(len) = data.len.expand() {
        stride = stride.wrapping_mul(value(len)?.max(0));
    }
    let mut out = Shape::new();
    for d in &data.dims {
        let lower = value(d.lower)?;
        let extent = match d.upper.expand() {
            Some(upper) => value(upper)?.saturating_sub(lower).saturating_add(1).max(0),
            None => i64::MAX,
        };
        stride = d.stride.expand().map_or(Ok(stride), &mut value)?;
        out.push(Axis { lower, extent, stride });
        stride = stride.wrapping_mul(extent);
    }
    Ok(out)
}

impl Machine<'_> {
    /// The shape of the array `s` now.
    pub(super) fn shape(&self, s: Sym) -> Result<Shape, Failure> {
        match &self.code[self.frame.code].shapes[s.index()] {
            Some(shape) => Ok(shape.clone()),
            None => shape(self.unit(), s, |e| self.int(e)),
        }
    }

    /// The address of the first byte of `s`.
    pub(super) fn address(&self, s: Sym) -> Result<i64, Failure> {
        let place = |f: &Frame| self.code[f.code].places[s.index()];
        Ok(match self.unit().sym(s).storage {
            Storage::Static { .. } => place(&self.frame),
            Storage::Frame => self.frame.base + place(&self.frame),
            Storage::Dummy { index } => match self.frame.args.get(index as usize) {
                Some(v) => v.int(),
                None => return Err(wrong(format!("'{}' was not passed", self.unit().sym(s).name))),
            },
            Storage::Pointer { base } => self.frame.registers[base.index()].int(),
            Storage::Within { root, offset } => self.address(root)?.wrapping_add(offset as i64),
            Storage::Register | Storage::Value { .. } => {
                return Err(wrong(format!("the register '{}' has no address", self.unit().sym(s).name)));
            }
        })
    }

    /// The address of an element.
    pub(super) fn element(&self, s: Sym, subscripts: &[Expr]) -> Result<i64, Failure> {
        let base = self.address(s)?;
        if let Some(shape) = &self.code[self.frame.code].shapes[s.index()] {
            return self.offset(s, shape, subscripts).map(|offset| base.wrapping_add(offset));
        }
        let shape = self.shape(s)?;
        self.offset(s, &shape, subscripts).map(|offset| base.wrapping_add(offset))
    }

    fn offset(&self, s: Sym, shape: &Shape, subscripts: &[Expr]) -> Result<i64, Failure> {
        let mut offset = 0_i64;
        for (k, (axis, &e)) in shape.iter().zip(subscripts).enumerate() {
            let index = self.int(e)?;
            let from_lower = index.wrapping_sub(axis.lower);
            if self.options.bounds && !self.inside(s, axis, from_lower) {
                return Err(self.out_of_bounds(s, k, index, axis));
            }
            offset = offset.wrapping_add(from_lower.wrapping_mul(axis.stride));
        }
        Ok(offset)
    }

    /// Whether an element exists. A dummy declared with one element is an old way to say assumed size.
    pub(super) fn inside(&self, s: Sym, axis: &Axis, from_lower: i64) -> bool {
        let old_style = axis.extent == 1 && matches!(self.unit().sym(s).storage, Storage::Dummy { .. });
        (0..axis.extent).contains(&from_lower) || old_style
    }

    pub(super) fn out_of_bounds(&self, s: Sym, dim: usize, index: i64, axis: &Axis) -> Failure {
        let upper = axis.lower.saturating_add(axis.extent).saturating_sub(1);
        let name = &self.unit().sym(s).name;
        wrong(format!("subscript {} of '{name}' is {index}, outside {}:{upper}", dim + 1, axis.lower))
    }

    /// The bytes from `address` in `s` to the end of `s`, if that is known; else one element.
    pub(super) fn room(&self, s: Sym, address: i64, ty: Type) -> i64 {
        let one = ty.size() as i64;
        match (self.unit().constant_size(s), self.address(s)) {
            (Some(size), Ok(base)) => (base + size as i64 - address).max(one),
            _ => one,
        }
    }
}
