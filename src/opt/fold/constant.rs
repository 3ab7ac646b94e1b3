//! Folding one operation, exactly as the program would compute it.

use crate::rewrite::rebuild;
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, ExprMap, Intrinsic, List, Sym, Type, UnaryOp, Unit};

use crate::forward::Scoped;

/// A scalar constant.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Int(i64),
    R4(f32),
    R8(f64),
    Logical(bool),
}

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
        ExprData::Logical(_, b) => Value::Logical(b),
        _ => return None,
    })
}

/// A constant of type `ty`; none for a NaN, whose sign and payload the processor decides, and none for an infinity: what makes one
/// raises an exception that the program tells of when it stops, or that ends it.
fn constant(ed: &mut Editor<'_>, ty: Type, v: Value) -> Option<Expr> {
    let data = match v {
        Value::Int(v) => ExprData::Int(ty, wrap(ty, v)),
        Value::R4(x) if x.is_finite() => ExprData::Real(ty, u64::from(x.to_bits())),
        Value::R8(x) if x.is_finite() => ExprData::Real(ty, x.to_bits()),
        Value::Logical(b) => ExprData::Logical(ty, b),
        _ => return None,
    };
    Some(ed.make(data))
}

/// `v` in the range of an integer type, two's complement.
pub(crate) fn wrap(ty: Type, v: i64) -> i64 {
    match ty {
        Type::I1 => i64::from(v as i8),
        Type::I2 => i64::from(v as i16),
        Type::I4 => i64::from(v as i32),
        _ => v,
    }
}

/// Whether `v` is a value of the integer type `ty`.
pub(crate) fn fits(ty: Type, v: i64) -> bool {
    wrap(ty, v) == v
}

fn is_int(ty: Type) -> bool {
    matches!(ty, Type::I1 | Type::I2 | Type::I4 | Type::I8)
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
    let v = match (op, value(ed, a)?) {
        (UnaryOp::Neg, Value::Int(v)) => Value::Int(v.wrapping_neg()),
        (UnaryOp::Neg, Value::R4(x)) => Value::R4(-x),
        (UnaryOp::Neg, Value::R8(x)) => Value::R8(-x),
        (UnaryOp::Not, Value::Logical(b)) => Value::Logical(!b),
        _ => return None,
    };
    constant(ed, ty, v)
}

fn binary(ed: &mut Editor<'_>, op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    if let (Some(x), Some(y)) = (value(ed, a), value(ed, b)) {
        let ty = if op.is_comparison() { Type::L4 } else { ed.ty(a) };
        let v = match (x, y) {
            (Value::Int(x), Value::Int(y)) => int_op(op, ed.ty(a), x, y)?,
            (Value::R4(x), Value::R4(y)) => real_op(op, x, y, Value::R4)?,
            (Value::R8(x), Value::R8(y)) => real_op(op, x, y, Value::R8)?,
            (Value::Logical(x), Value::Logical(y)) => Value::Logical(match op {
                BinaryOp::And => x && y,
                BinaryOp::Or => x || y,
                BinaryOp::Eqv => x == y,
                BinaryOp::Neqv => x != y,
                _ => return None,
            }),
            _ => return None,
        };
        return constant(ed, ty, v);
    }
    match ed.ty(a) {
        ty if is_int(ty) => int_identity(ed, op, a, b),
        Type::R4 | Type::R8 => real_identity(ed, op, a, b),
        Type::L1 | Type::L2 | Type::L4 | Type::L8 => logical_identity(ed, op, a, b),
        _ => None,
    }
}

fn int_op(op: BinaryOp, ty: Type, x: i64, y: i64) -> Option<Value> {
    let least = match ty {
        Type::I8 => i64::MIN,
        _ => -(1i64 << (8 * ty.size() - 1)),
    };
    Some(match op {
        BinaryOp::Add => Value::Int(x.wrapping_add(y)),
        BinaryOp::Sub if trueline_ir::fault("fold_sign") => Value::Int(y.wrapping_sub(x)),
        BinaryOp::Sub => Value::Int(x.wrapping_sub(y)),
        BinaryOp::Mul => Value::Int(x.wrapping_mul(y)),
        BinaryOp::Div if y != 0 && (y != -1 || x != least) => Value::Int(x / y),
        _ => Value::Logical(compare(op, x, y)?),
    })
}

fn real_op<F>(op: BinaryOp, x: F, y: F, make: fn(F) -> Value) -> Option<Value>
where
    F: Copy
        + PartialOrd
        + std::ops::Add<Output = F>
        + std::ops::Sub<Output = F>
        + std::ops::Mul<Output = F>
        + std::ops::Div<Output = F>,
{
    Some(match op {
        BinaryOp::Add => make(x + y),
        BinaryOp::Sub => make(x - y),
        BinaryOp::Mul => make(x * y),
        BinaryOp::Div => make(x / y),
        _ => Value::Logical(compare(op, x, y)?),
    })
}

fn compare<T: PartialOrd>(op: BinaryOp, x: T, y: T) -> Option<bool> {
    Some(match op {
        BinaryOp::Eq => x == y,
        BinaryOp::Ne => x != y,
        BinaryOp::Lt => x < y,
        BinaryOp::Le => x <= y,
        BinaryOp::Gt => x > y,
        BinaryOp::Ge => x >= y,
        _ => return None,
    })
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
        (BinaryOp::Add | BinaryOp::Sub, _, Some(c)) => {
            // (x + d) + c is x + (d + c): integers wrap, so this is exact.
            let c = if op == BinaryOp::Add || trueline_ir::fault("fold_associate") { c } else { c.wrapping_neg() };
            let (x, d) = match ed.expr(a) {
                ExprData::Binary(BinaryOp::Add, x, d) => (x, ed.pool().as_int(d)?),
                ExprData::Binary(BinaryOp::Sub, x, d) => (x, ed.pool().as_int(d)?.wrapping_neg()),
                _ => return None,
            };
            Some(plus_constant(ed, x, ty, wrap(ty, c.wrapping_add(d))))
        }
        _ => None,
    }
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

/// What is exact for every value, signed zeros, infinities and NaNs included.
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
        Value::Logical(_) => None,
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
        return complex_of(ed, ty, v);
    }
    let v = match (value(ed, a)?, ty) {
        (Value::Int(v), Type::R4) => Value::R4(v as f32),
        (Value::Int(v), Type::R8) => Value::R8(v as f64),
        (Value::Int(v), _) if is_int(ty) => Value::Int(v),
        (Value::R4(x), Type::R8) => Value::R8(f64::from(x)),
        (Value::R8(x), Type::R4) => Value::R4(x as f32),
        (Value::R4(x), _) if is_int(ty) => Value::Int(truncated(ty, f64::from(x))?),
        (Value::R8(x), _) if is_int(ty) => Value::Int(truncated(ty, x)?),
        (Value::Logical(b), Type::L1 | Type::L2 | Type::L4 | Type::L8) => Value::Logical(b),
        _ => return None,
    };
    constant(ed, ty, v)
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

fn complex_of(ed: &mut Editor<'_>, ty: Type, v: Value) -> Option<Expr> {
    let x = match v {
        Value::Int(v) if ty == Type::C4 => Value::R4(v as f32),
        Value::Int(v) => Value::R8(v as f64),
        Value::R4(x) if ty == Type::C8 => Value::R8(f64::from(x)),
        Value::R8(x) if ty == Type::C4 => Value::R4(x as f32),
        other => other,
    };
    let bits = match x {
        Value::R4(x) if x.is_finite() => u64::from(x.to_bits()),
        Value::R8(x) if x.is_finite() => x.to_bits(),
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
    let ty = i.result(ed.ty(args[0]));
    let first = value(ed, args[0])?;
    let second = args.get(1).map(|&e| value(ed, e));
    let v = match (first, second) {
        (Value::Int(x), None) => int_function(i, ed.ty(args[0]), x)?,
        (Value::Int(x), Some(Some(Value::Int(y)))) if args.len() == 2 => int_function_2(i, ed.ty(args[0]), x, y)?,
        (Value::R4(x), None) => match real_function(i, f64::from(x), ty)? {
            Value::R8(y) => Value::R4(y as f32),
            other => other,
        },
        (Value::R8(x), None) => real_function(i, x, ty)?,
        (Value::R4(x), Some(Some(Value::R4(y)))) => match real_function_2(i, f64::from(x), f64::from(y))? {
            Value::R8(z) => Value::R4(z as f32),
            other => other,
        },
        (Value::R8(x), Some(Some(Value::R8(y)))) => real_function_2(i, x, y)?,
        _ => return None,
    };
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

fn int_function(i: Intrinsic, ty: Type, x: i64) -> Option<Value> {
    let bits = 8 * ty.size() as u32;
    let unsigned = (x as u64) & (u64::MAX >> (64 - bits));
    Some(match i {
        Intrinsic::Abs => Value::Int(x.wrapping_abs()),
        Intrinsic::Not => Value::Int(!x),
        Intrinsic::Popcnt => Value::Int(i64::from(unsigned.count_ones())),
        Intrinsic::Leadz => Value::Int(i64::from(unsigned.leading_zeros() + bits) - 64),
        Intrinsic::Trailz => Value::Int(i64::from(unsigned.trailing_zeros().min(bits))),
        _ => return None,
    })
}

fn int_function_2(i: Intrinsic, ty: Type, x: i64, y: i64) -> Option<Value> {
    let bits = 8 * ty.size() as i64;
    let divides = y != 0 && y != -1;
    Some(match i {
        Intrinsic::Mod if divides => Value::Int(x % y),
        Intrinsic::Modulo if divides => Value::Int(if x % y != 0 && (x < 0) != (y < 0) { x % y + y } else { x % y }),
        Intrinsic::Max => Value::Int(x.max(y)),
        Intrinsic::Min => Value::Int(x.min(y)),
        Intrinsic::Dim => Value::Int(if x > y { x.wrapping_sub(y) } else { 0 }),
        Intrinsic::Sign => {
            let a = x.wrapping_abs();
            Value::Int(if y < 0 { a.wrapping_neg() } else { a })
        }
        Intrinsic::Iand => Value::Int(x & y),
        Intrinsic::Ior => Value::Int(x | y),
        Intrinsic::Ieor => Value::Int(x ^ y),
        Intrinsic::Btest if (0..bits).contains(&y) => Value::Logical(x >> y & 1 == 1),
        Intrinsic::Ibset if (0..bits).contains(&y) => Value::Int(x | 1i64.wrapping_shl(y as u32)),
        Intrinsic::Ibclr if (0..bits).contains(&y) => Value::Int(x & !1i64.wrapping_shl(y as u32)),
        Intrinsic::Ishft if (0..bits).contains(&y) => Value::Int(x.wrapping_shl(y as u32)),
        Intrinsic::Pow if y >= 0 => Value::Int(power(x, y)),
        _ => return None,
    })
}

/// `x ** y` modulo 2**64, whose low bits are the result in any kind.
fn power(x: i64, mut y: i64) -> i64 {
    let (mut base, mut result) = (x, 1i64);
    while y > 0 {
        if y & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        y >>= 1;
    }
    result
}

/// Functions whose result is exact, or correctly rounded by IEEE 754 in either kind (a square root
/// computed in double and rounded to single is: 53 >= 2*24 + 2).
fn real_function(i: Intrinsic, x: f64, ty: Type) -> Option<Value> {
    let whole = |y: f64| truncated(ty, y).map(Value::Int);
    match i {
        Intrinsic::Abs => Some(Value::R8(x.abs())),
        Intrinsic::Sqrt if x >= 0.0 => Some(Value::R8(x.sqrt())),
        Intrinsic::Aint => Some(Value::R8(x.trunc())),
        Intrinsic::Anint => Some(Value::R8(x.round())),
        Intrinsic::Nint | Intrinsic::Nint8 => whole(x.round()),
        Intrinsic::Floor | Intrinsic::Floor8 => whole(x.floor()),
        Intrinsic::Ceiling | Intrinsic::Ceiling8 => whole(x.ceil()),
        Intrinsic::IsNan => Some(Value::Logical(x.is_nan())),
        _ => None,
    }
}

fn real_function_2(i: Intrinsic, x: f64, y: f64) -> Option<Value> {
    if x.is_nan() || y.is_nan() {
        return None;
    }
    match i {
        Intrinsic::Max if x != y => Some(Value::R8(x.max(y))),
        Intrinsic::Min if x != y => Some(Value::R8(x.min(y))),
        Intrinsic::Sign => Some(Value::R8(x.copysign(y))),
        Intrinsic::Mod if y != 0.0 && x.is_finite() && y.is_finite() => Some(Value::R8(x % y)),
        _ => None,
    }
}
