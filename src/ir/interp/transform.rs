//! The intrinsics that work on whole arrays. Reductions go through the elements in array element order,
//! so that sums round as in compiled code.

use super::array::{Array, Extents, Mask, size};
use super::setup::Machine;
use super::{Failure, Value, beyond, wrong};
use crate::entities::Expr;
use crate::expr::{BinaryOp, ExprData};
use crate::scalar;
use crate::scalar::wrap;
use crate::{Intrinsic, Type};

/// The arguments of an intrinsic, evaluated.
struct Args {
    values: Vec<Option<Array>>,
    ty: Type,
}

impl Args {
    fn array(&self, k: usize) -> Result<&Array, Failure> {
        self.optional(k).ok_or_else(|| wrong("an argument is missing"))
    }

    fn optional(&self, k: usize) -> Option<&Array> {
        self.values.get(k).and_then(Option::as_ref)
    }

    fn int(&self, k: usize) -> Option<i64> {
        self.optional(k).and_then(|a| a.data.first()).map(|v| v.int())
    }

    /// The dimension (from 0) that argument `k` names.
    fn dim(&self, k: usize, rank: usize) -> Result<Option<usize>, Failure> {
        match self.int(k) {
            None => Ok(None),
            Some(d) if (1..=rank as i64).contains(&d) => Ok(Some(d as usize - 1)),
            Some(d) => Err(wrong(format!("DIM={d} of an array of rank {rank}"))),
        }
    }
}

/// An array seen along one dimension: the element `k` of line (`b`, `a`) has index `b + before*(k + n*a)`.
#[derive(Clone, Copy)]
struct Lines {
    before: usize,
    n: usize,
    after: usize,
}

impl Lines {
    fn along(extents: &[i64], d: usize) -> Result<Lines, Failure> {
        let n = size(&extents[d..=d])?;
        Ok(Lines { before: size(&extents[..d])?, n, after: size(&extents[d + 1..])? })
    }

    fn all(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.after).flat_map(move |a| (0..self.before).map(move |b| (b, a)))
    }

    fn index(self, (b, a): (usize, usize), k: usize) -> usize {
        b + self.before * (k + self.n * a)
    }
}

impl Machine<'_> {
    /// The value of the transformational intrinsic `e`.
    pub(super) fn transform(&self, e: Expr, i: Intrinsic, list: &[Expr], _: Mask<'_>) -> Result<Array, Failure> {
        use Intrinsic as I;
        let u = self.unit();
        let mut args = Args { values: Vec::new(), ty: u.ty(list[0]) };
        for &a in list {
            args.values.push(match u.expr(a) {
                ExprData::None => None,
                _ => Some(self.array(a, None)?),
            });
        }
        match i {
            I::DotProduct => dot_product(&args),
            I::Matmul => matmul(&args),
            I::Transpose => transpose(args.array(0)?),
            I::Cshift => cshift(&args),
            I::Eoshift => eoshift(&args),
            I::Spread => spread(&args),
            I::Reshape => reshape(&args),
            I::Pack => pack(&args),
            I::Unpack => unpack(&args),
            _ => reduction(i, u.ty(e), u.pool().rank(e), &args),
        }
    }
}

fn reduction(i: Intrinsic, ty: Type, rank: u8, args: &Args) -> Result<Array, Failure> {
    use Intrinsic as I;
    let array = args.array(0)?;
    let has_mask = !matches!(i, I::Count | I::Any | I::All | I::Parity | I::Norm2);
    let mask = if has_mask { args.optional(2) } else { None };
    if mask.is_some_and(|m| !m.is_scalar() && m.extents != array.extents) {
        return Err(wrong("the shape of MASK differs"));
    }
    let chosen = |k: usize| mask.is_none_or(|m| m.at(k).truth());
    let locates = matches!(i, I::Maxloc | I::Minloc);
    if let Some(d) = args.dim(1, array.extents.len())? {
        let lines = Lines::along(&array.extents, d)?;
        let mut data = Vec::new();
        for line in lines.all() {
            let items = (0..lines.n).map(|k| lines.index(line, k)).filter(|&x| chosen(x));
            data.push(if locates {
                let found = locate(i, array, items).map_or(0, |x| x / lines.before % lines.n + 1);
                Value::Int(found as i64)
            } else {
                fold(i, args.ty, ty, items.map(|x| array.at(x)))?
            });
        }
        let mut extents: Extents = array.extents.clone();
        extents.remove(d);
        // Along the only dimension, the result of all but MAXLOC is a scalar.
        return Ok(Array { extents: if rank == 0 { Extents::new() } else { extents }, data });
    }
    let items = (0..array.data.len()).filter(|&x| chosen(x));
    if locates {
        let mut rest = locate(i, array, items);
        let mut data = Vec::new();
        for &extent in &array.extents {
            let n = extent.max(1) as usize;
            data.push(Value::Int(rest.map_or(0, |x| x % n + 1) as i64));
            rest = rest.map(|x| x / n);
        }
        return Ok(Array::vector(data));
    }
    Ok(Array::scalar(fold(i, args.ty, ty, items.map(|x| array.at(x)))?))
}

/// The index of the extreme element: of equals the first; NaNs lose, and are found only if there is
/// nothing else.
fn locate(i: Intrinsic, array: &Array, items: impl Iterator<Item = usize>) -> Option<usize> {
    let mut best: Option<usize> = None;
    for x in items {
        let better = match best {
            None => true,
            Some(b) => {
                let (new, old) = (array.at(x), array.at(b));
                beats(i, new, old) || (is_nan(old) && !is_nan(new))
            }
        };
        if better {
            best = Some(x);
        }
    }
    best
}

fn beats(i: Intrinsic, new: Value, old: Value) -> bool {
    let highest = matches!(i, Intrinsic::Maxloc | Intrinsic::Maxval);
    match (new, old) {
        (Value::Int(x), Value::Int(y)) => {
            if highest {
                x > y
            } else {
                x < y
            }
        }
        (Value::R4(x), Value::R4(y)) => {
            if highest {
                x > y
            } else {
                x < y
            }
        }
        (Value::R8(x), Value::R8(y)) => {
            if highest {
                x > y
            } else {
                x < y
            }
        }
        _ => false,
    }
}

fn is_nan(v: Value) -> bool {
    match v {
        Value::R4(x) => x.is_nan(),
        Value::R8(x) => x.is_nan(),
        _ => false,
    }
}

fn fold(i: Intrinsic, of: Type, ty: Type, items: impl Iterator<Item = Value>) -> Result<Value, Failure> {
    use Intrinsic as I;
    let one = scalar::convert(Type::I4, ty, Value::Int(1));
    match i {
        I::Maxval | I::Minval => {
            let mut best: Option<Value> = None;
            for v in items {
                if best.is_none_or(|b| beats(i, v, b) || is_nan(b)) {
                    best = Some(v);
                }
            }
            Ok(best.unwrap_or_else(|| least(ty, i == I::Minval)))
        }
        I::Count => Ok(Value::Int(items.filter(|v| v.truth()).count() as i64)),
        I::Norm2 => Ok(norm(of, items)),
        _ => {
            let (first, op) = match i {
                I::Sum => (Value::zero(ty), Some(BinaryOp::Add)),
                I::Product => (one, Some(BinaryOp::Mul)),
                I::Any => (Value::logical(false), Some(BinaryOp::Or)),
                I::All => (Value::logical(true), Some(BinaryOp::And)),
                I::Parity => (Value::logical(false), Some(BinaryOp::Neqv)),
                I::Iall => (Value::Int(-1), None),
                I::Iany | I::Iparity => (Value::Int(0), None),
                other => return Err(beyond(format!("'{}'", other.name()))),
            };
            let bitwise = match i {
                I::Iall => I::Iand,
                I::Iany => I::Ior,
                _ => I::Ieor,
            };
            let mut result = first;
            for v in items {
                result = match op {
                    Some(op) => scalar::binary(op, ty, result, v)?,
                    None => scalar::intrinsic(bitwise, ty, of, &[result, v])?,
                };
            }
            Ok(result)
        }
    }
}

/// MAXVAL (MINVAL if `high`) of nothing.
fn least(ty: Type, high: bool) -> Value {
    match ty {
        Type::R4 => Value::R4(if high { f32::MAX } else { f32::MIN }),
        Type::R8 => Value::R8(if high { f64::MAX } else { f64::MIN }),
        _ => {
            let max = i64::MAX >> (64 - 8 * ty.size());
            Value::Int(if high { max } else { wrap(ty, !max) })
        }
    }
}

/// With scaling, so that squares do not overflow (gfortran's inline code).
fn norm(ty: Type, items: impl Iterator<Item = Value>) -> Value {
    macro_rules! norm {
        ($value:ident) => {{
            let (mut sum, mut scale) = (0.0, 1.0);
            for v in items {
                let Value::$value(x) = v else { continue };
                if x != 0.0 {
                    let abs = x.abs();
                    if abs > scale {
                        let ratio = scale / abs;
                        sum = 1.0 + sum * ratio * ratio;
                        scale = abs;
                    } else {
                        let ratio = abs / scale;
                        sum += ratio * ratio;
                    }
                }
            }
            Value::$value(scale * sum.sqrt())
        }};
    }
    match ty {
        Type::R4 => norm!(R4),
        _ => norm!(R8),
    }
}

/// The operations of DOT_PRODUCT and MATMUL.
fn ring(ty: Type) -> (BinaryOp, BinaryOp) {
    match ty {
        Type::L1 | Type::L2 | Type::L4 | Type::L8 => (BinaryOp::And, BinaryOp::Or),
        _ => (BinaryOp::Mul, BinaryOp::Add),
    }
}

fn dot_product(args: &Args) -> Result<Array, Failure> {
    let (a, b) = (args.array(0)?, args.array(1)?);
    if a.extents != b.extents {
        return Err(wrong("the vectors of DOT_PRODUCT differ in size"));
    }
    let (times, plus) = ring(args.ty);
    let mut sum = Value::zero(args.ty);
    for (&x, &y) in a.data.iter().zip(&b.data) {
        let x = match x {
            Value::C4(re, im) => Value::C4(re, -im),
            Value::C8(re, im) => Value::C8(re, -im),
            x => x,
        };
        let term = scalar::binary(times, args.ty, x, y)?;
        sum = scalar::binary(plus, args.ty, sum, term)?;
    }
    Ok(Array::scalar(sum))
}

fn matmul(args: &Args) -> Result<Array, Failure> {
    let (a, b) = (args.array(0)?, args.array(1)?);
    let (rows, inner) = match a.extents[..] {
        [n] => (None, n),
        [m, n] => (Some(m), n),
        _ => return Err(wrong("the first matrix of MATMUL has the wrong rank")),
    };
    let columns = match b.extents[..] {
        [n] if n == inner => None,
        [n, k] if n == inner => Some(k),
        _ => return Err(wrong("the matrices of MATMUL do not fit each other")),
    };
    let (m, n, k) = (rows.unwrap_or(1) as usize, inner as usize, columns.unwrap_or(1) as usize);
    let (times, plus) = ring(args.ty);
    let mut data = Vec::with_capacity(size(&[m as i64, k as i64])?);
    for j in 0..k {
        for i in 0..m {
            let mut sum = Value::zero(args.ty);
            for l in 0..n {
                let term = scalar::binary(times, args.ty, a.data[i + m * l], b.data[l + n * j])?;
                sum = scalar::binary(plus, args.ty, sum, term)?;
            }
            data.push(sum);
        }
    }
    Ok(Array { extents: rows.into_iter().chain(columns).collect(), data })
}

fn transpose(a: &Array) -> Result<Array, Failure> {
    let [m, n] = a.extents[..] else { return Err(wrong("TRANSPOSE of something else than a matrix")) };
    let (rows, columns) = (m as usize, n as usize);
    let data = (0..rows).flat_map(|i| (0..columns).map(move |j| i + rows * j)).map(|x| a.data[x]).collect();
    Ok(Array { extents: [n, m].into_iter().collect(), data })
}

fn cshift(args: &Args) -> Result<Array, Failure> {
    let a = args.array(0)?;
    let d = args.dim(2, a.extents.len())?.unwrap_or(0);
    let lines = Lines::along(&a.extents, d)?;
    let shifts = args.array(1)?;
    let mut data = a.data.clone();
    for (number, line) in lines.all().enumerate() {
        let shift = per_line(shifts, number)?.int();
        for k in 0..lines.n {
            let from = (k as i64).wrapping_add(shift).rem_euclid(lines.n as i64) as usize;
            data[lines.index(line, k)] = a.data[lines.index(line, from)];
        }
    }
    Ok(Array { extents: a.extents.clone(), data })
}

fn eoshift(args: &Args) -> Result<Array, Failure> {
    let a = args.array(0)?;
    let d = args.dim(3, a.extents.len())?.unwrap_or(0);
    let lines = Lines::along(&a.extents, d)?;
    let shifts = args.array(1)?;
    let mut data = a.data.clone();
    for (number, line) in lines.all().enumerate() {
        let shift = per_line(shifts, number)?.int();
        let boundary = match args.optional(2) {
            Some(b) => per_line(b, number)?,
            None => Value::zero(args.ty),
        };
        for k in 0..lines.n {
            let from = (k as i64).wrapping_add(shift);
            data[lines.index(line, k)] = match usize::try_from(from) {
                Ok(from) if from < lines.n => a.data[lines.index(line, from)],
                _ => boundary,
            };
        }
    }
    Ok(Array { extents: a.extents.clone(), data })
}

/// The value of line `number` of an argument that is a scalar or has one element for each line.
fn per_line(a: &Array, number: usize) -> Result<Value, Failure> {
    if a.is_scalar() {
        return Ok(a.data[0]);
    }
    a.data.get(number).copied().ok_or_else(|| wrong("SHIFT or BOUNDARY has too few elements"))
}

fn spread(args: &Args) -> Result<Array, Failure> {
    let a = args.array(0)?;
    let d = args.dim(1, a.extents.len() + 1)?.ok_or_else(|| wrong("SPREAD without DIM"))?;
    let copies = args.int(2).unwrap_or(0).max(0);
    let mut extents: Extents = a.extents.clone();
    extents.insert(d, copies);
    let lines = Lines::along(&extents, d)?;
    let mut data = vec![Value::Int(0); size(&extents)?];
    for (b, after) in lines.all() {
        for k in 0..lines.n {
            data[lines.index((b, after), k)] = a.data[b + lines.before * after];
        }
    }
    Ok(Array { extents, data })
}

fn reshape(args: &Args) -> Result<Array, Failure> {
    let source = args.array(0)?;
    let extents: Extents = args.array(1)?.data.iter().map(|v| v.int().max(0)).collect();
    let n = size(&extents)?;
    let pad = args.optional(2).map_or(&[][..], |p| &p.data);
    let order: Vec<usize> = match args.optional(3) {
        Some(o) => o.data.iter().map(|v| v.int().wrapping_sub(1) as usize).collect(),
        None => (0..extents.len()).collect(),
    };
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..extents.len()) {
        return Err(wrong("ORDER of RESHAPE is no permutation"));
    }
    let strides: Vec<usize> = (0..extents.len()).map(|d| size(&extents[..d])).collect::<Result<_, _>>()?;
    let mut data = vec![Value::Int(0); n];
    let mut at = vec![0_i64; extents.len()];
    for k in 0..n {
        let v = match source.data.get(k) {
            Some(&v) => v,
            None if pad.is_empty() => return Err(wrong("RESHAPE has too few elements")),
            None => pad[(k - source.data.len()) % pad.len()],
        };
        data[at.iter().zip(&strides).map(|(&i, s)| i as usize * s).sum::<usize>()] = v;
        for &d in &order {
            at[d] += 1;
            if at[d] < extents[d] {
                break;
            }
            at[d] = 0;
        }
    }
    Ok(Array { extents, data })
}

fn pack(args: &Args) -> Result<Array, Failure> {
    let (a, mask) = (args.array(0)?, args.array(1)?);
    if !mask.is_scalar() && mask.extents != a.extents {
        return Err(wrong("the shape of MASK differs"));
    }
    let mut data: Vec<Value> = (0..a.data.len()).filter(|&k| mask.at(k).truth()).map(|k| a.data[k]).collect();
    if let Some(vector) = args.optional(2) {
        if vector.data.len() < data.len() {
            return Err(wrong("VECTOR of PACK has too few elements"));
        }
        data.extend_from_slice(&vector.data[data.len()..]);
    }
    Ok(Array::vector(data))
}

fn unpack(args: &Args) -> Result<Array, Failure> {
    let (vector, mask, field) = (args.array(0)?, args.array(1)?, args.array(2)?);
    if !field.is_scalar() && field.extents != mask.extents {
        return Err(wrong("the shape of FIELD differs"));
    }
    let mut next = vector.data.iter();
    let mut data = Vec::with_capacity(mask.data.len());
    for k in 0..mask.data.len() {
        data.push(match mask.at(k).truth() {
            true => *next.next().ok_or_else(|| wrong("VECTOR of UNPACK has too few elements"))?,
            false => field.at(k),
        });
    }
    Ok(Array { extents: mask.extents.clone(), data })
}
