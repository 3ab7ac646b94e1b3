//! Array functions in constant expressions: functions that move, select and locate elements.
//!
//! A constant array is walked in *lines* along one dimension: elements of the dimensions before it
//! stand side by side, so element `k` of a line is `stride` elements from the one before.

use crate::constant::exact;
use crate::constant::math;
use crate::constant::ops::binary;
use crate::constant::{Const, ConstArray, Scalar};
use std::sync::Arc;
use trueline_ir::Real;
use trueline_ir::{Intrinsic as Ir, Type};
use trueline_syntax::ast::BinaryOp;

/// The value of a function, none if it is not folded, or why it has none.
pub type Value = Option<Result<Const, String>>;

/// The lines of an array along a dimension.
struct Lines {
    /// Elements of a line.
    n: usize,
    /// From one to the next.
    stride: usize,
    /// The start of each line, in array element order.
    starts: Vec<usize>,
}

impl Lines {
    fn of(shape: &[(i64, i64)], d: usize) -> Lines {
        let extent = |k: usize| shape[k].1.max(0) as usize;
        let stride: usize = (0..d).map(extent).product();
        let n = extent(d);
        let outer: usize = (d + 1..shape.len()).map(extent).product();
        let starts = (0..outer).flat_map(|o| (0..stride).map(move |i| o * n * stride + i)).collect();
        Lines { n, stride, starts }
    }

    fn at(&self, line: usize, k: usize) -> usize {
        self.starts[line] + k * self.stride
    }
}

fn make(like: &Const, shape: Vec<(i64, i64)>, values: Vec<Scalar>) -> Const {
    Const::Array(Arc::new(ConstArray { ty: like.ty(), len: like.char_len(), shape, values }))
}

/// Extents with lower bounds of 1, without dimension `d` if it is given.
fn extents(array: &ConstArray, without: Option<usize>) -> Vec<(i64, i64)> {
    array.shape.iter().enumerate().filter(|(k, _)| Some(*k) != without).map(|(_, s)| (1, s.1)).collect()
}

/// The dimension that DIM means, from 0.
fn dimension(dim: Option<&Const>, rank: usize) -> Option<Result<usize, String>> {
    let d = dim?.as_int().unwrap_or(0);
    let fine = usize::try_from(d).ok().filter(|d| (1..=rank).contains(d));
    Some(fine.map(|d| d - 1).ok_or_else(|| format!("DIM is {d}, but the array has rank {rank}")))
}

/// Element `k` of an argument that may be a scalar.
fn nth(c: &Const, k: usize) -> Option<&Scalar> {
    c.elements().get(if c.rank() == 0 { 0 } else { k })
}

/// The function `op` of these arguments, in the order of the table.
pub fn fold(op: Ir, args: &[Option<Const>]) -> Value {
    let arg = |k: usize| args.get(k).and_then(Option::as_ref);
    let first = arg(0)?;
    match op {
        Ir::Cshift => shift(first, arg(1)?, None, arg(2), true),
        Ir::Eoshift => shift(first, arg(1)?, arg(2), arg(3), false),
        Ir::Spread => spread(first, arg(1)?, arg(2)?),
        Ir::Pack => pack(first, arg(1)?, arg(2)),
        Ir::Unpack => unpack(first, arg(1)?, arg(2)?),
        Ir::Matmul => matmul(first, arg(1)?),
        Ir::Norm2 if arg(1).is_none() => {
            Some(Ok(Const::Scalar(norm(first.ty(), &first.elements().iter().collect::<Vec<_>>())?)))
        }
        Ir::Norm2 => along(op, first, arg(1), None),
        Ir::Count | Ir::Any | Ir::All | Ir::Parity => along(op, first, arg(1), None),
        _ => None,
    }
}

fn shift(array: &Const, by: &Const, boundary: Option<&Const>, dim: Option<&Const>, circular: bool) -> Value {
    let a = array.array()?;
    let d = match dimension(dim, a.shape.len()) {
        Some(Ok(d)) => d,
        Some(Err(why)) => return Some(Err(why)),
        None => 0,
    };
    let zero = match array.ty() {
        Type::Char => Scalar::text(&vec![b' '; array.char_len()]),
        ty if crate::types::kinds::Category::of(ty) == crate::types::kinds::Category::Logical => {
            Scalar::Logical(ty, false)
        }
        ty => math::to(&Scalar::int(0), ty).ok()?,
    };
    let lines = Lines::of(&a.shape, d);
    let mut values = a.values.clone();
    for line in 0..lines.starts.len() {
        let by = nth(by, line)?.as_int()?;
        for k in 0..lines.n {
            let from = k as i64 + by;
            let n = lines.n as i64;
            values[lines.at(line, k)] = match () {
                () if circular => a.values[lines.at(line, from.rem_euclid(n) as usize)].clone(),
                () if (0..n).contains(&from) => a.values[lines.at(line, from as usize)].clone(),
                () => boundary.map_or(Some(&zero), |b| nth(b, line))?.clone(),
            };
        }
    }
    Some(Ok(make(array, extents(a, None), values)))
}

fn spread(source: &Const, dim: &Const, copies: &Const) -> Value {
    let copies = usize::try_from(copies.as_int()?).unwrap_or(0);
    let mut shape = source.array().map_or(Vec::new(), |a| extents(a, None));
    let d = match dimension(Some(dim), shape.len() + 1)? {
        Ok(d) => d,
        Err(why) => return Some(Err(why)),
    };
    if source.elements().len().checked_mul(copies).is_none_or(|n| n > crate::constant::MAX_ELEMENTS) {
        return Some(Err("The array constant is too large".to_owned()));
    }
    shape.insert(d, (1, copies as i64));
    let lines = Lines::of(&shape, d);
    let mut values = vec![source.elements().first()?.clone(); source.elements().len() * copies];
    for (line, v) in source.elements().iter().enumerate() {
        (0..copies).for_each(|k| values[lines.at(line, k)] = v.clone());
    }
    Some(Ok(make(source, shape, values)))
}

fn pack(array: &Const, mask: &Const, vector: Option<&Const>) -> Value {
    let mut values = Vec::new();
    for (k, v) in array.elements().iter().enumerate() {
        if nth(mask, k)?.as_logical()? {
            values.push(v.clone());
        }
    }
    if let Some(vector) = vector {
        values.extend(vector.elements().iter().skip(values.len()).cloned());
    }
    Some(Ok(make(array, vec![(1, values.len() as i64)], values)))
}

fn unpack(vector: &Const, mask: &Const, field: &Const) -> Value {
    let mut next = vector.elements().iter();
    let mut values = Vec::new();
    for (k, m) in mask.elements().iter().enumerate() {
        let v = if m.as_logical()? { next.next() } else { nth(field, k) };
        values.push(v?.clone());
    }
    Some(Ok(make(vector, extents(mask.array()?, None), values)))
}

fn matmul(a: &Const, b: &Const) -> Value {
    let (x, y) = (a.array()?, b.array()?);
    let (m, n) = (x.shape.len(), y.shape.len());
    let inner = x.shape[m - 1].1;
    if m + n < 3 || m > 2 || n > 2 || inner != y.shape[0].1 {
        return Some(Err("The shapes of the arguments of MATMUL do not fit".to_owned()));
    }
    let (rows, columns) = (if m == 2 { x.shape[0].1 } else { 1 }, if n == 2 { y.shape[1].1 } else { 1 });
    let mut values = Vec::new();
    for j in 0..columns {
        for i in 0..rows {
            let mut products = Vec::new();
            for k in 0..inner {
                let (p, q) = (&x.values[(k * rows + i) as usize], &y.values[(j * inner + k) as usize]);
                match binary(BinaryOp::Mul, p, q) {
                    Ok(v) => products.push(v),
                    Err(why) => return Some(Err(why)),
                }
            }
            let ty = crate::types::kinds::common_type(x.ty, y.ty)?;
            match math::reduce(Ir::Sum, ty, products.iter())? {
                Ok(v) => values.push(v),
                Err(why) => return Some(Err(why)),
            }
        }
    }
    let mut shape = Vec::new();
    if m == 2 {
        shape.push((1, rows));
    }
    if n == 2 {
        shape.push((1, columns));
    }
    let ty = crate::types::kinds::common_type(x.ty, y.ty)?;
    Some(Ok(Const::Array(Arc::new(ConstArray { ty, len: 0, shape, values }))))
}

/// The Euclidean norm.
fn norm(ty: Type, items: &[&Scalar]) -> Option<Scalar> {
    let value = |s: &&Scalar| match s {
        Scalar::Real(_, v) => Some(*v),
        _ => None,
    };
    let values = items.iter().map(value).collect::<Option<Vec<Real>>>()?;
    Some(Scalar::real(ty, exact::norm(ty, &values)))
}

/// FINDLOC; the result has type `ty`.
pub fn find(array: &Const, value: &Const, dim: Option<&Const>, mask: Option<&Const>, back: bool, ty: Type) -> Value {
    let a = array.array()?;
    let value = value.scalar()?;
    let is_logical = matches!(value, Scalar::Logical(..));
    let equal = if is_logical { BinaryOp::Eqv } else { BinaryOp::Eq };
    let mut fits = Vec::with_capacity(a.values.len());
    for (k, v) in a.values.iter().enumerate() {
        let counts = mask.is_none_or(|m| nth(m, k).and_then(Scalar::as_logical) == Some(true));
        fits.push(counts && binary(equal, v, value).ok()?.as_logical()?);
    }
    places(a, dim, ty, |line| {
        let mut found = line.filter(|&k| fits[k]);
        Some(if back { found.last() } else { found.next() })
    })
}

/// The subscripts, of type `ty`, of the element that `pick` chooses from the whole array, or from each line along DIM; 0 for nothing.
fn places(
    a: &ConstArray,
    dim: Option<&Const>,
    ty: Type,
    pick: impl Fn(&mut dyn Iterator<Item = usize>) -> Option<Option<usize>>,
) -> Value {
    let Some(d) = dimension(dim, a.shape.len()) else {
        let found = pick(&mut (0..a.values.len()))?;
        let mut rest = found.unwrap_or(0) as i64;
        let values = a.shape.iter().map(|&(_, n)| {
            let at = rest % n.max(1);
            rest /= n.max(1);
            Scalar::Int(ty, if found.is_some() { at + 1 } else { 0 })
        });
        return Some(Ok(Const::vector(ty, 0, values.collect())));
    };
    let d = match d {
        Ok(d) => d,
        Err(why) => return Some(Err(why)),
    };
    let lines = Lines::of(&a.shape, d);
    let mut values = Vec::new();
    for line in 0..lines.starts.len() {
        let found = pick(&mut (0..lines.n).map(|k| lines.at(line, k)))?;
        let at = found.map_or(0, |k| (k - lines.starts[line]) / lines.stride + 1);
        values.push(Scalar::Int(ty, at as i64));
    }
    if a.shape.len() == 1 {
        return values.pop().map(|v| Ok(Const::Scalar(v)));
    }
    Some(Ok(Const::Array(Arc::new(ConstArray { ty, len: 0, shape: extents(a, Some(d)), values }))))
}

/// A reduction along DIM; none without one.
pub fn along(op: Ir, array: &Const, dim: Option<&Const>, mask: Option<&Const>) -> Value {
    let a = array.array()?;
    let d = match dimension(dim, a.shape.len())? {
        Ok(d) => d,
        Err(why) => return Some(Err(why)),
    };
    let lines = Lines::of(&a.shape, d);
    let mut values = Vec::new();
    for line in 0..lines.starts.len() {
        let kept = (0..lines.n)
            .map(|k| lines.at(line, k))
            .filter(|&k| mask.is_none_or(|m| nth(m, k).and_then(Scalar::as_logical) == Some(true)));
        let items: Vec<&Scalar> = kept.map(|k| &a.values[k]).collect();
        let truths = || items.iter().filter(|s| s.as_logical() == Some(true)).count();
        values.push(match op {
            Ir::Count => Scalar::int(truths() as i64),
            Ir::Any => Scalar::logical(truths() > 0),
            Ir::All => Scalar::logical(truths() == items.len()),
            Ir::Parity => Scalar::logical(truths() % 2 == 1),
            // Without elements the extremes are the last and the first character.
            Ir::Maxval if a.ty == Type::Char && items.is_empty() => Scalar::text(&vec![0; a.len]),
            Ir::Minval if a.ty == Type::Char && items.is_empty() => Scalar::text(&vec![255; a.len]),
            Ir::Norm2 => norm(a.ty, &items)?,
            _ => match math::reduce(op, a.ty, items.into_iter())? {
                Ok(v) => v,
                Err(why) => return Some(Err(why)),
            },
        });
    }
    let ty = values.first().map_or(a.ty, Scalar::ty);
    if a.shape.len() == 1 {
        return values.pop().map(|v| Ok(Const::Scalar(v)));
    }
    let len = if ty == Type::Char { a.len } else { 0 };
    Some(Ok(Const::Array(Arc::new(ConstArray { ty, len, shape: extents(a, Some(d)), values }))))
}

/// MAXLOC and MINLOC; the result has type `ty`.
pub fn locate(op: Ir, array: &Const, dim: Option<&Const>, mask: Option<&Const>, back: bool, ty: Type) -> Value {
    let a = array.array()?;
    let better = if op == Ir::Maxloc { BinaryOp::Gt } else { BinaryOp::Lt };
    places(a, dim, ty, |line| {
        let mut best: Option<usize> = None;
        for k in line {
            if mask.is_some_and(|m| nth(m, k).and_then(Scalar::as_logical) != Some(true)) {
                continue;
            }
            let wins = match best {
                None => true,
                Some(b) => {
                    let compare = |op| binary(op, &a.values[k], &a.values[b]).ok().and_then(|v| v.as_logical());
                    compare(better)? || (back && compare(BinaryOp::Eq)?)
                }
            };
            if wins {
                best = Some(k);
            }
        }
        Some(best)
    })
}
