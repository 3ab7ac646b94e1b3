//! Folding one operation, exactly as the program would compute it.

use crate::rewrite::rebuild;
pub(crate) use trueline_ir::scalar::wrap;
use trueline_ir::scalar::{self, Value};
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, ExprMap, Intrinsic, List, Sym, Type, UnaryOp, Unit};

use crate::forward::Scoped;

/// `e` with the registers that hold constants replaced, folded.
pub(super) fn fold_expr(ed: &mut Editor<'_>, e: Expr, values: &Scoped<Sym, Expr>, memo: &mut ExprMap<Expr>) -> Expr {
    if ed.pool().is_constant(e) {
        return e;
    }
    if let ExprData::Var(v) = ed.expr(e) {
        return values.get(v).copied().unwrap_or(e);
    }
    if let Some(done) = memo.get(e) {
        return done;
    }
    let inner = rebuild(ed, e, &mut |ed, x| fold_expr(ed, x, values, memo));
    let new = fold_one(ed, inner);
    memo.insert(e, new);
    new
}

/// `e`, whose operands are folded, folded.
fn fold_one(ed: &mut Editor<'_>, e: Expr) -> Expr {
    let folded = match ed.expr(e) {
        ExprData::Unary(op, a) => unary(ed, op, a),
        ExprData::Binary(op, a, b) => binary(ed, op, a, b),
        ExprData::Convert(ty, a) => convert(ed, ty, a),
        ExprData::Intrinsic(i, l) => intrinsic(ed, i, l),
        _ => None,
    };
    folded.unwrap_or(e)
}

fn value(u: &Unit, e: Expr) -> Option<Value> {
    Some(match u.expr(e) {
        ExprData::Int(_, v) => Value::Int(v),
        ExprData::Real(Type::R4, bits) => Value::R4(f32::from_bits(bits as u32)),
        ExprData::Real(_, bits) => Value::R8(f64::from_bits(bits)),
        ExprData::Logical(_, b) => Value::logical(b),
        _ => return None,
    })
}

/// A constant of type `ty`. None for a NaN, whose sign and payload the processor decides, and none for an infinity: the
/// operation that makes one raises an exception that ends the program, or that the program reports when it stops.
fn constant(ed: &mut Editor<'_>, ty: Type, v: Value) -> Option<Expr> {
    let data = match v {
        Value::Int(v) if is_logical(ty) => ExprData::Logical(ty, v != 0),
        Value::Int(v) => ExprData::Int(ty, wrap(ty, v)),
        Value::R4(x) if x.is_finite() => ExprData::Real(ty, u64::from(x.to_bits())),
        Value::R8(x) if x.is_finite() => ExprData::Real(ty, x.to_bits()),
        _ => return None,
    };
    Some(ed.make(data))
}

/// Whether `v` is a value of the integer type `ty`.
pub(crate) fn fits(ty: Type, v: i64) -> bool {
    wrap(ty, v) == v
}

fn is_int(ty: Type) -> bool {
    matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8)
}

fn is_logical(ty: Type) -> bool {
    matches!(ty, Type::L1 | Type::L2 | Type::L4 | Type::L8)
}

fn unary(ed: &mut Editor<'_>, op: UnaryOp, a: Expr) -> Option<Expr> {
    let ty = ed.ty(a);
    match (op, ed.expr(a)) {
        (UnaryOp::Neg, ExprData::Unary(UnaryOp::Neg, inner)) => return Some(inner),
        (UnaryOp::Not, ExprData::Unary(UnaryOp::Not, inner)) => return Some(inner),
        (UnaryOp::Not, ExprData::Binary(cmp, x, y)) => {
            // The complement of an order is another order only where there are no NaNs.
            let negated = match cmp {
                BinaryOp::Eq => BinaryOp::Ne,
                BinaryOp::Ne => BinaryOp::Eq,
                BinaryOp::Lt if is_int(ed.ty(x)) => BinaryOp::Ge,
                BinaryOp::Le if is_int(ed.ty(x)) => BinaryOp::Gt,
                BinaryOp::Gt if is_int(ed.ty(x)) => BinaryOp::Le,
                BinaryOp::Ge if is_int(ed.ty(x)) => BinaryOp::Lt,
                _ => return None,
            };
            return Some(ed.binary(negated, x, y));
        }
        _ => {}
    }
    let v = scalar::unary(op, ty, value(ed, a)?);
    constant(ed, ty, v)
}

fn binary(ed: &mut Editor<'_>, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    if let (Some(x), Some(y)) = (value(ed, a), value(ed, b)) {
        let ty = if op.is_comparison() { Type::L4 } else { ed.ty(a) };
        let (x, y) = if op == BinaryOp::Sub && is_int(ty) && trueline_ir::fault("fold_sign") { (y, x) } else { (x, y) };
        let v = scalar::binary(op, ed.ty(a), x, y).ok()?;
        return constant(ed, ty, v);
    }
    match ed.ty(a) {
        ty if is_int(ty) => int_identity(ed, op, a, b),
        Type::R4 | Type::R8 => real_identity(ed, op, a, b),
        ty if is_logical(ty) => logical_identity(ed, op, a, b),
        _ => None,
    }
}

fn int_identity(ed: &mut Editor<'_>, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    let (x, y) = (ed.pool().as_int(a), ed.pool().as_int(b));
    let ty = ed.ty(a);
    match (op, x, y) {
        (BinaryOp::Add, Some(0), _) | (BinaryOp::Mul, Some(1), _) => Some(b),
        (BinaryOp::Add | BinaryOp::Sub, _, Some(0)) | (BinaryOp::Mul | BinaryOp::Div, _, Some(1)) => Some(a),
        (BinaryOp::Mul, Some(0), _) => Some(a),
        (BinaryOp::Mul, _, Some(0)) => Some(b),
        (BinaryOp::Sub, ..) if a == b => Some(ed.int(ty, 0)),
        (BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge, ..) if a == b => Some(ed.make(ExprData::Logical(Type::L4, true))),
        (BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt, ..) if a == b => Some(ed.make(ExprData::Logical(Type::L4, false))),
        (BinaryOp::Eq | BinaryOp::Ne, _, Some(c)) => {
            let bits = last_bits(ed, a, c)?;
            Some(ed.binary(op, bits, b))
        }
        (BinaryOp::Add | BinaryOp::Sub, _, Some(c)) => {
            // (x + d) + c is x + (d + c). The sum must not wrap: an address is computed of wider integers.
            let c = if op == BinaryOp::Add || trueline_ir::fault("fold_associate") { c } else { c.checked_neg()? };
            let (x, d) = match ed.expr(a) {
                ExprData::Binary(BinaryOp::Add, x, d) => (x, ed.pool().as_int(d)?),
                ExprData::Binary(BinaryOp::Sub, x, d) => (x, ed.pool().as_int(d)?.checked_neg()?),
                _ => return None,
            };
            let sum = c.checked_add(d).filter(|&sum| fits(ty, sum))?;
            Some(plus_constant(ed, x, ty, sum))
        }
        _ => None,
    }
}

/// The bits of `x` that are equal to `c` if and only if `remainder`, its MOD or MODULO with a power of two, is `c`. MOD has the sign of `x`,
/// which counts if `c` is above zero.
fn last_bits(ed: &mut Editor<'_>, remainder: Expr, c: i64) -> Option<Expr> {
    let ExprData::Intrinsic(i @ (Intrinsic::Mod | Intrinsic::Modulo), args) = ed.expr(remainder) else { return None };
    let &[x, p] = ed.list(args) else { return None };
    let ty = ed.ty(x);
    let last = ed.pool().as_int(p).filter(|&p| p > 1 && p & (p - 1) == 0)? - 1;
    let mask = match (i, c) {
        (Intrinsic::Modulo, _) | (_, 0) => last,
        (_, 1..) => last | least(ty),
        _ => return None,
    };
    let mask = ed.int(ty, mask);
    Some(ed.intrinsic(Intrinsic::Iand, &[x, mask]))
}

/// The least integer of a type, of which only the sign is set.
fn least(ty: Type) -> i64 {
    wrap(ty, 1_i64 << (8 * ty.size() - 1))
}

fn plus_constant(ed: &mut Editor<'_>, x: Expr, ty: Type, c: i64) -> Expr {
    match c {
        0 => x,
        c if c < 0 && wrap(ty, c.wrapping_neg()) > 0 => {
            let c = ed.int(ty, -c);
            ed.binary(BinaryOp::Sub, x, c)
        }
        c => {
            let c = ed.int(ty, c);
            ed.binary(BinaryOp::Add, x, c)
        }
    }
}

/// Simplifies operations on reals where the result is the same for every value, signed zeros, infinities and NaNs
/// included.
fn real_identity(ed: &mut Editor<'_>, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    let number = |e: Expr| match value(ed, e) {
        Some(Value::R4(x)) => Some(f64::from(x)),
        Some(Value::R8(x)) => Some(x),
        _ => None,
    };
    let (x, y) = (number(a), number(b));
    match (op, x, y) {
        (BinaryOp::Mul, Some(1.0), _) => Some(b),
        (BinaryOp::Mul | BinaryOp::Div, _, Some(1.0)) => Some(a),
        (BinaryOp::Sub, _, Some(0.0)) if y.is_some_and(f64::is_sign_positive) => Some(a),
        (BinaryOp::Add, _, Some(0.0)) if y.is_some_and(f64::is_sign_negative) || trueline_ir::fault("fold_zero") => {
            Some(a)
        }
        (BinaryOp::Div, _, Some(y)) => {
            // Division by a power of two is multiplication by its reciprocal, if that is normal.
            let inverse = 1.0 / y;
            let power = y.is_normal() && y.to_bits() & ((1 << 52) - 1) == 0;
            let ty = ed.ty(a);
            let normal = if ty == Type::R4 { (inverse as f32).is_normal() } else { inverse.is_normal() };
            if !(power && normal) {
                return None;
            }
            let v = if ty == Type::R4 { Value::R4(inverse as f32) } else { Value::R8(inverse) };
            let inverse = constant(ed, ty, v)?;
            Some(ed.binary(BinaryOp::Mul, a, inverse))
        }
        _ => None,
    }
}

fn logical_identity(ed: &mut Editor<'_>, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    match (op, truth(ed, a), truth(ed, b)) {
        (BinaryOp::And, Some(true), _) | (BinaryOp::Or, Some(false), _) => Some(b),
        (BinaryOp::And, Some(false), _) | (BinaryOp::Or, Some(true), _) => Some(a),
        (BinaryOp::And, _, Some(true)) | (BinaryOp::Or, _, Some(false)) => Some(a),
        (BinaryOp::And, _, Some(false)) | (BinaryOp::Or, _, Some(true)) => Some(b),
        (BinaryOp::Eqv, Some(true), _) | (BinaryOp::Neqv, Some(false), _) => Some(b),
        (BinaryOp::Eqv, _, Some(true)) | (BinaryOp::Neqv, _, Some(false)) => Some(a),
        _ => None,
    }
}

/// The value of a logical constant.
pub(super) fn truth(u: &Unit, e: Expr) -> Option<bool> {
    match u.expr(e) {
        ExprData::Logical(_, b) => Some(b),
        _ => None,
    }
}

/// 0, 1 or 2 for a negative, zero or positive constant.
pub(super) fn sign(u: &Unit, e: Expr) -> Option<usize> {
    let place = |order: Option<std::cmp::Ordering>| order.map(|o| (o as i8 + 1) as usize);
    match value(u, e)? {
        Value::Int(v) => place(v.partial_cmp(&0)),
        Value::R4(x) => place(x.partial_cmp(&0.0)),
        Value::R8(x) => place(x.partial_cmp(&0.0)),
        Value::C4(..) | Value::C8(..) | Value::Lanes(_) => None,
    }
}

/// The block of a SELECT CASE that `v` selects, if any range has it.
pub(super) fn case_of(u: &Unit, ranges: List, v: i64) -> Option<usize> {
    u.list(ranges).chunks_exact(3).find_map(|r| {
        let inside = u.pool().as_int(r[1]).is_none_or(|lo| lo <= v) && u.pool().as_int(r[2]).is_none_or(|hi| v <= hi);
        let number = u.pool().as_int(r[0])?;
        inside.then_some(number as usize)
    })
}

fn convert(ed: &mut Editor<'_>, ty: Type, a: Expr) -> Option<Expr> {
    if ed.ty(a) == ty {
        return Some(a);
    }
    if let ExprData::Convert(wide, inner) = ed.expr(a)
        && ed.ty(inner) == ty
        && widens(ty, wide)
    {
        return Some(inner);
    }
    if let (Type::C4 | Type::C8, Some(v)) = (ty, value(ed, a)) {
        let of = ed.ty(a);
        return if is_logical(of) { None } else { complex_of(ed, of, ty, v) };
    }
    let (v, from) = (value(ed, a)?, ed.ty(a));
    let folds = match v {
        Value::R4(x) if is_int(ty) => truncated(ty, f64::from(x)).is_some(),
        Value::R8(x) if is_int(ty) => truncated(ty, x).is_some(),
        Value::Int(_) if is_logical(from) => is_logical(ty),
        Value::Int(_) => is_int(ty) || matches!(ty, Type::R4 | Type::R8),
        _ => matches!(ty, Type::R4 | Type::R8),
    };
    if !folds {
        return None;
    }
    constant(ed, ty, scalar::convert(from, ty, v))
}

/// Whether every value of `from` survives a conversion to `to` and back.
fn widens(from: Type, to: Type) -> bool {
    match (from, to) {
        _ if is_int(from) && is_int(to) => from.size() <= to.size(),
        (Type::I1 | Type::I2, Type::R4) | (Type::I1 | Type::I2 | Type::I4, Type::R8) => true,
        (Type::R4, Type::R8) | (Type::C4, Type::C8) => true,
        _ => false,
    }
}

/// `x` truncated, if it fits the integer type.
fn truncated(ty: Type, x: f64) -> Option<i64> {
    let limit = 2f64.powi(8 * ty.size() as i32 - 1);
    let t = x.trunc();
    (t >= -limit && t < limit).then_some(t as i64)
}

fn complex_of(ed: &mut Editor<'_>, of: Type, ty: Type, v: Value) -> Option<Expr> {
    let bits = match scalar::convert(of, ty, v) {
        Value::C4(x, _) if x.is_finite() => u64::from(x.to_bits()),
        Value::C8(x, _) if x.is_finite() => x.to_bits(),
        _ => return None,
    };
    Some(ed.make(ExprData::Complex(ty, bits, 0)))
}

fn intrinsic(ed: &mut Editor<'_>, i: Intrinsic, l: List) -> Option<Expr> {
    let args: Vec<Expr> = ed.list(l).to_vec();
    match (i, &args[..]) {
        (Intrinsic::Merge, &[yes, no, cond]) => {
            return match truth(ed, cond) {
                Some(true) => Some(yes),
                Some(false) => Some(no),
                None => (yes == no).then_some(yes),
            };
        }
        (Intrinsic::Trip, &[lo, hi, step]) => {
            let trips = ed.trips([lo, hi, step]);
            return ed.pool().is_constant(trips).then_some(trips);
        }
        (Intrinsic::RealPart | Intrinsic::ImagPart, &[z]) => return part(ed, i, z),
        (Intrinsic::Max | Intrinsic::Min, &[a, b]) if a == b => return Some(a),
        _ => {}
    }
    let of = ed.ty(args[0]);
    let ty = i.result(of);
    if is_logical(of) {
        return None;
    }
    let values: Vec<Value> = args.iter().map(|&e| value(ed, e)).collect::<Option<_>>()?;
    let folds = match values[..] {
        [Value::Int(_)] => folds_integer(i),
        [Value::Int(_), Value::Int(y)] => folds_integers(i, of, y),
        [Value::R4(x)] => folds_real(i, f64::from(x), ty),
        [Value::R8(x)] => folds_real(i, x, ty),
        [Value::R4(x), Value::R4(y)] => folds_reals(i, f64::from(x), f64::from(y)),
        [Value::R8(x), Value::R8(y)] => folds_reals(i, x, y),
        _ => false,
    };
    if !folds {
        return None;
    }
    let v = scalar::intrinsic(i, ty, of, &values).ok()?;
    constant(ed, ty, v)
}

fn part(ed: &mut Editor<'_>, i: Intrinsic, z: Expr) -> Option<Expr> {
    let real = i == Intrinsic::RealPart;
    match ed.expr(z) {
        ExprData::Complex(ty, re, im) => {
            let part = if ty == Type::C4 { Type::R4 } else { Type::R8 };
            Some(ed.make(ExprData::Real(part, if real { re } else { im })))
        }
        ExprData::Intrinsic(Intrinsic::Cmplx, l) => Some(ed.list(l)[usize::from(!real)]),
        _ => None,
    }
}

fn folds_integer(i: Intrinsic) -> bool {
    matches!(i, Intrinsic::Abs | Intrinsic::Not | Intrinsic::Popcnt | Intrinsic::Leadz | Intrinsic::Trailz)
}

fn folds_integers(i: Intrinsic, ty: Type, y: i64) -> bool {
    match i {
        Intrinsic::Mod | Intrinsic::Modulo => y != 0 && y != -1,
        Intrinsic::Max | Intrinsic::Min | Intrinsic::Dim | Intrinsic::Sign => true,
        Intrinsic::Iand | Intrinsic::Ior | Intrinsic::Ieor => true,
        Intrinsic::Btest | Intrinsic::Ibset | Intrinsic::Ibclr | Intrinsic::Ishft => {
            (0..8 * ty.size() as i64).contains(&y)
        }
        Intrinsic::Pow => y >= 0,
        _ => false,
    }
}

/// Functions whose result is exact, or correctly rounded by IEEE 754. Those with a result of an integer type `ty` have one
/// that fits.
fn folds_real(i: Intrinsic, x: f64, ty: Type) -> bool {
    let most = 2f64.powi(8 * ty.size() as i32 - 1) - 1.0;
    match i {
        Intrinsic::Abs | Intrinsic::Aint | Intrinsic::Anint | Intrinsic::IsNan => true,
        Intrinsic::Sqrt => x >= 0.0,
        Intrinsic::Nint | Intrinsic::Nint8 | Intrinsic::Floor | Intrinsic::Floor8 => x.abs() < most,
        Intrinsic::Ceiling | Intrinsic::Ceiling8 => x.abs() < most,
        _ => false,
    }
}

fn folds_reals(i: Intrinsic, x: f64, y: f64) -> bool {
    match i {
        _ if x.is_nan() || y.is_nan() => false,
        Intrinsic::Max | Intrinsic::Min => x != y,
        Intrinsic::Sign => true,
        Intrinsic::Mod => y != 0.0 && x.is_finite() && y.is_finite(),
        _ => false,
    }
}
