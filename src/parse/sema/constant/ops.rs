//! Operators on constants, as the program would compute them: integers checked for overflow, reals
//! rounded to their kind after each operation.

use crate::constant::exact;
use crate::constant::value;
use crate::constant::{MAX_LENGTH, Scalar, convert, int_in};
use crate::types::kinds::{Category, common_type, type_name};
use std::cmp::Ordering;
use trueline_ir::Real::{self, Double};
use trueline_ir::{BinaryOp as Ir, Type, scalar};
use trueline_syntax::ast::{BinaryOp, UnaryOp};

/// A mistake in an operation, as the sentence of a diagnostic.
pub type Wrong = String;

type Parts = (Real, Real);

/// `op a`
pub fn unary(op: UnaryOp, a: &Scalar) -> Result<Scalar, Wrong> {
    match (op, a) {
        (UnaryOp::Plus, Scalar::Int(..) | Scalar::Real(..) | Scalar::Complex(..)) => Ok(a.clone()),
        (UnaryOp::Minus, Scalar::Int(ty, v)) => int_in(*ty, -i128::from(*v)).ok_or_else(|| overflow(*ty)),
        (UnaryOp::Minus, Scalar::Real(ty, v)) => Ok(Scalar::Real(*ty, -*v)),
        (UnaryOp::Minus, Scalar::Complex(ty, re, im)) => Ok(Scalar::Complex(*ty, -*re, -*im)),
        (UnaryOp::Not, Scalar::Logical(ty, v)) => Ok(Scalar::Logical(*ty, !v)),
        _ => Err(format!("Operand of a unary operator is {}", type_name(a.ty()))),
    }
}

/// `a op b`
pub fn binary(op: BinaryOp, a: &Scalar, b: &Scalar) -> Result<Scalar, Wrong> {
    match op {
        BinaryOp::Concat => concat(a, b),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => logical(op, a, b),
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => compare(op, a, b),
        BinaryOp::Pow => power(a, b),
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => arithmetic(op, a, b),
        BinaryOp::Defined(_) => Err("A defined operator is not allowed in a constant expression".to_owned()),
    }
}

/// `v` in the bits of the integer type.
pub fn wrapped(v: i128, ty: Type) -> i64 {
    scalar::wrap(ty, v as i64)
}

/// `.not. a` of the bits of an integer (`-fdec`).
pub fn bitwise_unary(op: UnaryOp, a: &Scalar) -> Option<Scalar> {
    match (op, a) {
        (UnaryOp::Not, Scalar::Int(ty, v)) => Some(Scalar::Int(*ty, !v)),
        _ => None,
    }
}

/// A logical operation on the bits of integers (`-fdec`).
pub fn bitwise(op: BinaryOp, a: &Scalar, b: &Scalar) -> Option<Scalar> {
    let (Scalar::Int(p, x), Scalar::Int(q, y)) = (a, b) else { return None };
    let v = match op {
        BinaryOp::And => x & y,
        BinaryOp::Or => x | y,
        BinaryOp::Eqv => !(x ^ y),
        BinaryOp::Neqv => x ^ y,
        _ => return None,
    };
    Some(Scalar::Int(common_type(*p, *q)?, v))
}

/// `op a` without regard to ranges (`-fno-range-check`).
pub fn unchecked_unary(op: UnaryOp, a: &Scalar) -> Option<Scalar> {
    match (op, a) {
        (UnaryOp::Minus, Scalar::Int(ty, v)) => Some(Scalar::Int(*ty, wrapped(-i128::from(*v), *ty))),
        _ => None,
    }
}

/// `a op b` without regard to ranges (`-fno-range-check`): integers wrap around, reals become infinite or no number.
pub fn unchecked(op: BinaryOp, a: &Scalar, b: &Scalar) -> Option<Scalar> {
    match balance(a, b).ok()? {
        (Scalar::Int(ty, x), Scalar::Int(_, y)) => {
            let v = arithmetic_op(op).and_then(|op| scalar::exact_integer(op, x, y))?;
            (op != BinaryOp::Div).then(|| Scalar::Int(ty, wrapped(v, ty)))
        }
        (Scalar::Real(ty, x), Scalar::Real(_, y)) => Some(Scalar::real(ty, real_operation(ty, op, x, y)?)),
        (Scalar::Complex(ty, a, b), Scalar::Complex(_, c, d)) => {
            let (re, im) = match op {
                BinaryOp::Add => (a + c, b + d),
                BinaryOp::Sub => (a - c, b - d),
                BinaryOp::Mul => (a * c - b * d, a * d + b * c),
                BinaryOp::Div => {
                    let by = c * c + d * d;
                    ((a * c + b * d) / by, (b * c - a * d) / by)
                }
                _ => return None,
            };
            Some(Scalar::complex(ty, re, im))
        }
        _ => None,
    }
}

/// The beginning of messages about results that are too large.
pub const OVERFLOW: &str = "Arithmetic overflow";

fn overflow(ty: Type) -> Wrong {
    format!("{OVERFLOW}: the result does not fit into {}", type_name(ty))
}

fn mismatch(a: &Scalar, b: &Scalar) -> Wrong {
    format!("Operands of a binary operator are {} and {}", type_name(a.ty()), type_name(b.ty()))
}

/// Both operands in their common numeric type.
fn balance(a: &Scalar, b: &Scalar) -> Result<(Scalar, Scalar), Wrong> {
    let numeric = |s: &Scalar| Category::of(s.ty()).is_numeric();
    let ty = common_type(a.ty(), b.ty()).filter(|_| numeric(a) && numeric(b)).ok_or_else(|| mismatch(a, b))?;
    match (convert(a, ty), convert(b, ty)) {
        (Some(x), Some(y)) => Ok((x, y)),
        _ => Err(overflow(ty)),
    }
}

fn arithmetic(op: BinaryOp, a: &Scalar, b: &Scalar) -> Result<Scalar, Wrong> {
    match balance(a, b)? {
        (Scalar::Int(ty, x), Scalar::Int(_, y)) => {
            let v = arithmetic_op(op).and_then(|op| scalar::exact_integer(op, x, y));
            let v = v.ok_or_else(|| "Division by zero".to_owned())?;
            int_in(ty, v).ok_or_else(|| overflow(ty))
        }
        (Scalar::Real(ty, x), Scalar::Real(_, y)) => {
            let v = real_arithmetic(ty, op, x, y)?;
            finite(ty, v, &[x, y])
        }
        (Scalar::Complex(ty, a, b), Scalar::Complex(_, c, d)) => complex_arithmetic(ty, op, (a, b), (c, d)),
        _ => Err(mismatch(a, b)),
    }
}

fn real_arithmetic(ty: Type, op: BinaryOp, x: Real, y: Real) -> Result<Real, Wrong> {
    if op == BinaryOp::Div && y == 0.0 {
        return Err("Division by zero".to_owned());
    }
    real_operation(ty, op, x, y).ok_or_else(|| overflow(ty))
}

/// An operation on real numbers as compiled code does it; kind 16 is done in software, as there.
fn real_operation(ty: Type, op: BinaryOp, x: Real, y: Real) -> Option<Real> {
    let own = arithmetic_op(op)?;
    let in_software = || match own {
        Ir::Add => x + y,
        Ir::Sub => x - y,
        Ir::Mul => x * y,
        _ => x / y,
    };
    Some(value::real_operation(own, ty, x, y).unwrap_or_else(in_software))
}

/// The operation of the IR for an arithmetic operator.
fn arithmetic_op(op: BinaryOp) -> Option<Ir> {
    Some(match op {
        BinaryOp::Add => Ir::Add,
        BinaryOp::Sub => Ir::Sub,
        BinaryOp::Mul => Ir::Mul,
        BinaryOp::Div => Ir::Div,
        _ => return None,
    })
}

/// The operation of the IR for a comparison.
fn comparison_op(op: BinaryOp) -> Ir {
    match op {
        BinaryOp::Eq => Ir::Eq,
        BinaryOp::Ne => Ir::Ne,
        BinaryOp::Lt => Ir::Lt,
        BinaryOp::Le => Ir::Le,
        BinaryOp::Gt => Ir::Gt,
        _ => Ir::Ge,
    }
}

/// A real result, refused when it overflowed.
pub fn finite(ty: Type, v: Real, operands: &[Real]) -> Result<Scalar, Wrong> {
    if !v.is_finite() && operands.iter().all(|x| x.is_finite()) {
        return Err(overflow(ty));
    }
    Ok(Scalar::real(ty, v))
}

/// Complex arithmetic; kind 4 is done in double and rounded once at the end.
fn complex_arithmetic(ty: Type, op: BinaryOp, x: Parts, y: Parts) -> Result<Scalar, Wrong> {
    let (re, im) = match op {
        BinaryOp::Add => (x.0 + y.0, x.1 + y.1),
        BinaryOp::Sub => (x.0 - y.0, x.1 - y.1),
        BinaryOp::Mul => complex_product(ty, x, y),
        _ => complex_quotient(ty, x, y)?,
    };
    Ok(Scalar::complex(ty, re, im))
}

/// The product; infinities and NaN follow the rules of the hardware.
fn complex_product(ty: Type, x: Parts, y: Parts) -> Parts {
    exact::complex_product(ty, x, y).unwrap_or((x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0))
}

fn complex_quotient(ty: Type, x: Parts, y: Parts) -> Result<Parts, Wrong> {
    let why = || if exact::is_zero(y) { "Division by zero".to_owned() } else { overflow(ty) };
    exact::complex_quotient(ty, x, y).ok_or_else(why)
}

fn power(a: &Scalar, b: &Scalar) -> Result<Scalar, Wrong> {
    match (a, b) {
        (Scalar::Int(..), Scalar::Int(_, n)) => {
            let ty = common_type(a.ty(), b.ty()).ok_or_else(|| mismatch(a, b))?;
            let Scalar::Int(_, x) = *a else { return Err(mismatch(a, b)) };
            int_power(ty, x, *n)
        }
        (Scalar::Real(ty, x), Scalar::Int(_, n)) => {
            if *n < 0 && *x == 0.0 {
                return Err("Division by zero".to_owned());
            }
            // Only the sign of zeros, infinities and NaN is in question.
            let v = exact::whole_power(*ty, *x, *n).unwrap_or_else(|| x.through(|x| x.powf(*n as f64)));
            finite(*ty, v.round_to(*ty), &[*x])
        }
        (Scalar::Complex(ty, re, im), Scalar::Int(_, n)) => complex_powi(*ty, (*re, *im), *n),
        _ => match balance(a, b)? {
            (Scalar::Real(ty, x), Scalar::Real(_, y)) if x >= 0.0 => {
                let v = exact::power(ty, x, y).unwrap_or_else(|| x.through(|x| x.powf(y.double())));
                finite(ty, v.round_to(ty), &[x, y])
            }
            (Scalar::Real(..), Scalar::Real(..)) => Err("A negative number is raised to a REAL power".to_owned()),
            (Scalar::Complex(ty, a, b), Scalar::Complex(_, c, d)) => {
                let power = exact::complex_power(ty, (a, b), (c, d));
                let (re, im) = power.map_or_else(|| power_of_zero(ty, (a, b), (c, d)), Ok)?;
                Ok(Scalar::complex(ty, re, im))
            }
            _ => Err(mismatch(a, b)),
        },
    }
}

fn int_power(ty: Type, base: i64, n: i64) -> Result<Scalar, Wrong> {
    let v = match (base, n) {
        (_, 0) | (1, _) => 1,
        (0, n) if n < 0 => return Err("Division by zero".to_owned()),
        (-1, n) => {
            if n % 2 == 0 {
                1
            } else {
                -1
            }
        }
        (_, n) if n < 0 => 0,
        (0, _) => 0,
        (b, n) => {
            let n = u32::try_from(n).map_err(|_| overflow(ty))?;
            i128::from(b).checked_pow(n).ok_or_else(|| overflow(ty))?
        }
    };
    int_in(ty, v).ok_or_else(|| overflow(ty))
}

fn complex_powi(ty: Type, x: Parts, n: i64) -> Result<Scalar, Wrong> {
    let power = exact::complex_whole_power(ty, x, n);
    let (re, im) = power.map_or_else(|| power_of_zero(ty, x, (Double(n as f64), Double(0.0))), Ok)?;
    Ok(Scalar::complex(ty, re, im))
}

/// A complex zero to a power; an error if the base is infinite or NaN.
fn power_of_zero(ty: Type, base: Parts, exponent: Parts) -> Result<Parts, Wrong> {
    if !exact::is_zero(base) {
        return Err(overflow(ty));
    }
    match exponent {
        exponent if exact::is_zero(exponent) => Ok((Double(1.0), Double(0.0))),
        (re, _) if re > 0.0 => Ok((Double(0.0), Double(0.0))),
        _ => Err("Division by zero".to_owned()),
    }
}

fn concat(a: &Scalar, b: &Scalar) -> Result<Scalar, Wrong> {
    let (Some(x), Some(y)) = (a.as_text(), b.as_text()) else { return Err(mismatch(a, b)) };
    if x.len() + y.len() > MAX_LENGTH {
        return Err("The character constant is too long".to_owned());
    }
    Ok(Scalar::text(&[x, y].concat()))
}

fn logical(op: BinaryOp, a: &Scalar, b: &Scalar) -> Result<Scalar, Wrong> {
    let (Some(x), Some(y)) = (a.as_logical(), b.as_logical()) else { return Err(mismatch(a, b)) };
    let ty = common_type(a.ty(), b.ty()).ok_or_else(|| mismatch(a, b))?;
    Ok(Scalar::Logical(
        ty,
        match op {
            BinaryOp::And => x && y,
            BinaryOp::Or => x || y,
            BinaryOp::Eqv => x == y,
            _ => x != y,
        },
    ))
}

fn compare(op: BinaryOp, a: &Scalar, b: &Scalar) -> Result<Scalar, Wrong> {
    let order = if let (Some(x), Some(y)) = (a.as_text(), b.as_text()) {
        Some(compare_text(x, y))
    } else {
        match balance(a, b)? {
            (Scalar::Int(_, x), Scalar::Int(_, y)) => Some(x.cmp(&y)),
            (Scalar::Real(_, x), Scalar::Real(_, y)) => x.partial_cmp(&y),
            (Scalar::Complex(_, a, b), Scalar::Complex(_, c, d)) => match op {
                BinaryOp::Eq => return Ok(Scalar::logical(a == c && b == d)),
                BinaryOp::Ne => return Ok(Scalar::logical(a != c || b != d)),
                _ => return Err("COMPLEX values have no order".to_owned()),
            },
            _ => return Err(mismatch(a, b)),
        }
    };
    Ok(Scalar::logical(scalar::compare(comparison_op(op), order)))
}

/// Fortran's comparison of characters: the shorter is padded with blanks.
pub fn compare_text(a: &[u8], b: &[u8]) -> Ordering {
    let n = a.len().max(b.len());
    let at = |t: &[u8], k: usize| t.get(k).copied().unwrap_or(b' ');
    (0..n).map(|k| at(a, k).cmp(&at(b, k))).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
}

/// Whether a number is in the range of another type of numbers; true for other types.
pub fn fits(s: &Scalar, ty: Type) -> bool {
    let finite = |parts: &[Real]| parts.iter().all(|v| v.is_finite());
    match (s, Category::of(ty)) {
        (Scalar::Int(..) | Scalar::Real(..) | Scalar::Complex(..), Category::Integer) => {
            !matches!(s, Scalar::Real(_, v) | Scalar::Complex(_, v, _) if !v.is_finite()) && convert(s, ty).is_some()
        }
        (Scalar::Real(_, v), Category::Real | Category::Complex) => !finite(&[*v]) || still_finite(s, ty),
        (Scalar::Complex(_, re, im), Category::Real | Category::Complex) => !finite(&[*re, *im]) || still_finite(s, ty),
        _ => true,
    }
}

fn still_finite(s: &Scalar, ty: Type) -> bool {
    match convert(s, ty) {
        Some(Scalar::Real(_, v)) => v.is_finite(),
        Some(Scalar::Complex(_, re, im)) => re.is_finite() && im.is_finite(),
        _ => true,
    }
}
