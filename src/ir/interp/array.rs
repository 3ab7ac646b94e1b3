//! Arrays as values, and array assignment (level VH).

use super::extent::Shape;
use super::setup::{Halt, Machine};
use super::{Failure, Value, beyond, limit, wrong};
use crate::Type;
use crate::entities::{Expr, List, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::scalar;
use smallvec::SmallVec;
use trueline_provenance::Stmt;

/// More elements than this are refused.
const MOST: usize = 1 << 26;

pub(super) type Extents = SmallVec<[i64; 4]>;

/// An array: extents, elements in array element order.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) extents: Extents,
    pub(super) data: Vec<Value>,
}

impl Array {
    pub(super) fn scalar(v: Value) -> Array {
        Array { extents: Extents::new(), data: vec![v] }
    }

    pub(super) fn vector(data: Vec<Value>) -> Array {
        Array { extents: SmallVec::from_slice(&[data.len() as i64]), data }
    }

    pub(super) fn is_scalar(&self) -> bool {
        self.extents.is_empty()
    }

    /// Element `k`; a scalar is all elements.
    pub(super) fn at(&self, k: usize) -> Value {
        if self.is_scalar() { self.data[0] } else { self.data[k] }
    }
}

/// The number of elements of an array with these extents.
pub(super) fn size(extents: &[i64]) -> Result<usize, Failure> {
    let mut n = 1_usize;
    for &e in extents {
        n = n.saturating_mul(usize::try_from(e.max(0)).unwrap_or(usize::MAX));
    }
    if n > MOST { Err(limit("an array has too many elements")) } else { Ok(n) }
}

/// The elements that take part; none means all.
pub(super) type Mask<'m> = Option<&'m [bool]>;

fn counts(mask: Mask<'_>, k: usize) -> bool {
    mask.is_none_or(|m| m.get(k).copied().unwrap_or(false))
}

/// Evaluation of arrays.
impl Machine<'_> {
    /// The value of `e`, array or scalar. Elements that `mask` leaves out are not computed.
    pub(super) fn array(&self, e: Expr, mask: Mask<'_>) -> Result<Array, Failure> {
        let u = self.unit();
        if u.pool().rank(e) == 0 {
            // A scalar that no element needs may well not exist.
            return match mask.is_some_and(|m| !m.contains(&true)) {
                true => Ok(Array::scalar(Value::zero(u.ty(e)))),
                false => self.value(e).map(Array::scalar),
            };
        }
        match u.expr(e) {
            ExprData::Var(_) | ExprData::Section(..) => {
                let (extents, addresses) = self.elements(e)?;
                let ty = u.ty(e);
                let load = |&a: &i64| self.memory.load(ty, a);
                Ok(Array { extents, data: addresses.iter().map(load).collect::<Result<_, _>>()? })
            }
            ExprData::Unary(op, a) => {
                let ty = u.ty(a);
                let mut a = self.array(a, mask)?;
                a.data.iter_mut().for_each(|v| *v = scalar::unary(op, ty, *v));
                Ok(a)
            }
            ExprData::Binary(op, a, b) => self.array_binary(op, a, b, mask),
            ExprData::Convert(to, a) => self.map(a, mask, |from, v| scalar::convert(from, to, v)),
            ExprData::Bitcast(to, a) => self.map(a, mask, |from, v| scalar::bitcast(from, to, v)),
            ExprData::Constructor(_, l) => {
                let mut data = Vec::new();
                for &item in u.list(l) {
                    data.extend(self.array(item, None)?.data);
                }
                Ok(Array::vector(data))
            }
            ExprData::Intrinsic(i, l) if i.is_transformational() => self.transform(e, i, u.list(l), mask),
            ExprData::Intrinsic(..) => self.array_intrinsic(e, mask),
            other => Err(beyond(format!("{other:?} as an array"))),
        }
    }

    fn map(&self, a: Expr, mask: Mask<'_>, f: impl Fn(Type, Value) -> Value) -> Result<Array, Failure> {
        let from = self.unit().ty(a);
        let mut a = self.array(a, mask)?;
        a.data.iter_mut().for_each(|v| *v = f(from, *v));
        Ok(a)
    }

    fn array_binary(&self, op: BinaryOp, a: Expr, b: Expr, mask: Mask<'_>) -> Result<Array, Failure> {
        let ty = self.unit().ty(a);
        let x = self.array(a, mask)?;
        // The right side of .AND. and .OR. is evaluated only where the left does not decide.
        let open: Option<Vec<bool>> = match op {
            BinaryOp::And | BinaryOp::Or if !x.is_scalar() => {
                let decides = op == BinaryOp::Or;
                Some(x.data.iter().enumerate().map(|(k, v)| counts(mask, k) && v.truth() != decides).collect())
            }
            BinaryOp::And | BinaryOp::Or if x.data[0].truth() == (op == BinaryOp::Or) => {
                let (extents, n) = self.extents_of(b)?;
                return Ok(Array { extents, data: vec![x.data[0]; n] });
            }
            _ => None,
        };
        let inner = open.as_deref().or(mask);
        let y = self.array(b, inner)?;
        let extents = common_extents(&[&x, &y])?;
        let zero = Value::zero(if op.is_comparison() { Type::L4 } else { ty });
        let mut data = Vec::with_capacity(size(&extents)?);
        for k in 0..size(&extents)? {
            data.push(if counts(inner, k) {
                scalar::binary(op, ty, x.at(k), y.at(k))?
            } else if open.is_some() && counts(mask, k) {
                x.at(k)
            } else {
                zero
            });
        }
        Ok(Array { extents, data })
    }

    fn array_intrinsic(&self, e: Expr, mask: Mask<'_>) -> Result<Array, Failure> {
        let u = self.unit();
        let ExprData::Intrinsic(i, l) = u.expr(e) else { return Err(beyond("an intrinsic")) };
        let list = u.list(l);
        let mut args: SmallVec<[Array; 4]> = SmallVec::new();
        for &a in list {
            args.push(self.array(a, mask)?);
        }
        let extents = common_extents(&args.iter().collect::<SmallVec<[&Array; 4]>>())?;
        let (ty, of) = (u.ty(e), u.ty(list[0]));
        let mut data = Vec::with_capacity(size(&extents)?);
        for k in 0..size(&extents)? {
            let values: SmallVec<[Value; 4]> = args.iter().map(|a| a.at(k)).collect();
            data.push(match counts(mask, k) {
                true => scalar::intrinsic(i, ty, of, &values)?,
                false => Value::zero(ty),
            });
        }
        Ok(Array { extents, data })
    }

    /// The extents of `e` and their product.
    fn extents_of(&self, e: Expr) -> Result<(Extents, usize), Failure> {
        let none = vec![false; 0];
        let extents = self.array(e, Some(&none))?.extents;
        let n = size(&extents)?;
        Ok((extents, n))
    }

    /// Extents of a whole array or section, and the address of each element.
    pub(super) fn elements(&self, place: Expr) -> Result<(Extents, Vec<i64>), Failure> {
        let u = self.unit();
        match u.expr(place) {
            ExprData::Var(s) => {
                let shape = self.shape(s)?;
                let ranges = shape.iter().map(|a| (0..a.extent.min(MOST as i64 + 1)).collect()).collect();
                self.addresses(s, &shape, ranges)
            }
            ExprData::Section(s, l) => self.section(s, l),
            _ => Ok((Extents::new(), vec![self.place(place)?])),
        }
    }

    fn section(&self, s: Sym, l: List) -> Result<(Extents, Vec<i64>), Failure> {
        let u = self.unit();
        let shape = self.shape(s)?;
        let mut ranges: Vec<Vec<i64>> = Vec::new();
        let mut kept = Extents::new();
        for (k, (&e, axis)) in u.list(l).iter().zip(&shape).enumerate() {
            let indices: Vec<i64> = match u.expr(e) {
                ExprData::Triplet(lo, hi, step) => {
                    let (lo, step) = (self.int(lo)?, self.int(step)?);
                    let n = crate::tally::trip_count(lo, self.int(hi)?, step);
                    if step == 0 {
                        return Err(wrong("the stride of a section is zero"));
                    }
                    size(&[n])?;
                    (0..n).map(|j| lo.wrapping_add(j.wrapping_mul(step))).collect()
                }
                _ => self.array(e, None)?.data.iter().map(|v| v.int()).collect(),
            };
            if self.options.bounds
                && let Some(&bad) = indices.iter().find(|&&i| !self.inside(s, axis, i.wrapping_sub(axis.lower)))
            {
                return Err(self.out_of_bounds(s, k, bad, axis));
            }
            if u.pool().rank(e) > 0 {
                kept.push(indices.len() as i64);
            }
            ranges.push(indices.into_iter().map(|i| i.wrapping_sub(axis.lower)).collect());
        }
        let (_, addresses) = self.addresses(s, &shape, ranges)?;
        Ok((kept, addresses))
    }

    /// The addresses of all combinations of indices (from 0), the first varying fastest.
    fn addresses(&self, s: Sym, shape: &Shape, ranges: Vec<Vec<i64>>) -> Result<(Extents, Vec<i64>), Failure> {
        let extents: Extents = ranges.iter().map(|r| r.len() as i64).collect();
        let n = size(&extents)?;
        let mut out = vec![self.address(s)?];
        if n == 0 {
            return Ok((extents, Vec::new()));
        }
        // Each dimension multiplies the list so far, so that the first varies fastest in the end.
        for (axis, indices) in shape.iter().zip(&ranges) {
            let inner = std::mem::take(&mut out);
            out.reserve(inner.len() * indices.len());
            for &i in indices {
                let offset = i.wrapping_mul(axis.stride);
                out.extend(inner.iter().map(|a| a.wrapping_add(offset)));
            }
        }
        Ok((extents, out))
    }
}

/// The extents that conformable arrays share.
pub(super) fn common_extents(arrays: &[&Array]) -> Result<Extents, Failure> {
    let mut found: Option<&Extents> = None;
    for a in arrays.iter().filter(|a| !a.is_scalar()) {
        match found {
            Some(e) if *e != a.extents => return Err(wrong("the shapes of arrays differ")),
            _ => found = Some(&a.extents),
        }
    }
    Ok(found.cloned().unwrap_or_default())
}

/// Statements about arrays.
impl Machine<'_> {
    pub(super) fn array_assign(&mut self, place: Expr, value: Expr, mask: Mask<'_>) -> Result<(), Failure> {
        let stores = self.evaluated(place, value, mask)?;
        self.step(stores.len() as u64)?;
        let ty = self.unit().ty(place);
        for (address, v) in stores {
            self.memory.store(ty, address, v)?;
        }
        Ok(())
    }

    /// The elements that an array assignment stores, and where: the right side is evaluated completely before that.
    pub(super) fn evaluated(&self, place: Expr, value: Expr, mask: Mask<'_>) -> Result<Vec<(i64, Value)>, Failure> {
        let (extents, addresses) = self.elements(place)?;
        let from = self.array(value, mask)?;
        if !from.is_scalar() && from.extents != extents {
            return Err(wrong("the shapes of both sides of an array assignment differ"));
        }
        if mask.is_some_and(|m| m.len() != addresses.len()) {
            return Err(wrong("the shapes of a mask and of the masked array differ"));
        }
        let chosen = addresses.into_iter().enumerate().filter(|&(k, _)| counts(mask, k));
        Ok(chosen.map(|(k, address)| (address, from.at(k))).collect())
    }

    /// The mask of a WHERE for true, and for false, within the elements that `outer` leaves.
    pub(super) fn masks(&self, mask: Expr, outer: Mask<'_>) -> Result<[Vec<bool>; 2], Failure> {
        let value = self.array(mask, outer)?;
        if outer.is_some_and(|m| m.len() != value.data.len()) {
            return Err(wrong("the shapes of nested masks differ"));
        }
        let pick = |wanted: bool| {
            value.data.iter().enumerate().map(|(k, v)| counts(outer, k) && v.truth() == wanted).collect()
        };
        Ok([pick(true), pick(false)])
    }

    pub(super) fn where_statement(&mut self, s: Stmt, outer: Mask<'_>) -> Result<(), Halt> {
        let u = self.unit();
        let Head::Where { mask } = u.head(s) else { return Ok(()) };
        let masks = self.masks(mask, outer)?;
        for (&b, mask) in u.blocks(s).iter().zip(&masks) {
            for inner in u.stmts(b).collect::<Vec<_>>() {
                match u.head(inner) {
                    Head::ArrayAssign { place, value } => {
                        self.count(inner)?;
                        self.array_assign(place, value, Some(mask))?;
                    }
                    Head::Where { .. } => {
                        self.count(inner)?;
                        self.where_statement(inner, Some(mask))?;
                    }
                    head if head.is_invisible() => {
                        self.stmt(inner)?;
                    }
                    _ => return Err(wrong("a WHERE contains something else than array assignments").into()),
                }
            }
        }
        Ok(())
    }

    /// Counts one execution of a statement that is not run by [`Machine::stmt`].
    pub(super) fn count(&mut self, s: Stmt) -> Result<(), Failure> {
        use cranelift_entity::EntityRef;
        self.code[self.frame.code].counts[s.index()] += 1;
        self.step(1)
    }
}
