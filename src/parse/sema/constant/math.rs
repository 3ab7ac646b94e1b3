//! Numeric intrinsic functions of constants.

use crate::constant::exact;
use crate::constant::ops::{binary, compare_text, finite, unary};
use crate::constant::value;
use crate::constant::{Scalar, convert, int_in};
use crate::intrinsic::{Model, ShiftOp};
use crate::types::kinds::{Category, common_type, int_range, kind_of, type_name};
use smallvec::SmallVec;
use trueline_ir::Real;
use trueline_ir::scalar::{self, Value};
use trueline_ir::{Intrinsic as Ir, Quad, Type};
use trueline_syntax::ast::{BinaryOp, UnaryOp};

type Outcome = Result<Scalar, String>;

/// `s` as a value of type `ty`.
pub fn to(s: &Scalar, ty: Type) -> Outcome {
    convert(s, ty).ok_or_else(|| format!("The value does not fit into {}", type_name(ty)))
}

/// The arguments in their common type.
fn balanced(s: &[Scalar]) -> Result<Vec<Scalar>, String> {
    let ty = s.iter().skip(1).try_fold(s[0].ty(), |t, x| common_type(t, x.ty()));
    let ty = ty.ok_or_else(|| "The types of the arguments differ".to_owned())?;
    s.iter().map(|x| to(x, ty)).collect()
}

/// An elemental function of the table.
pub fn apply(op: Ir, s: &[Scalar]) -> Outcome {
    match (op, s) {
        (Ir::Abs, [Scalar::Int(ty, v)]) => int_pair(op, *ty, *v, 0),
        (Ir::Abs, [Scalar::Real(ty, v)]) => Ok(Scalar::Real(*ty, v.abs())),
        (Ir::Abs, [Scalar::Complex(ty, a, b)]) => real_pair(Ir::Hypot, ty.part(), *a, *b),
        (Ir::RealPart, [Scalar::Complex(ty, a, _)]) => Ok(Scalar::Real(ty.part(), *a)),
        (Ir::ImagPart, [Scalar::Complex(ty, _, b)]) => Ok(Scalar::Real(ty.part(), *b)),
        (Ir::Conjg, [Scalar::Complex(ty, a, b)]) => Ok(Scalar::Complex(*ty, *a, -*b)),
        (_, [Scalar::Real(ty, v)]) => real_function(op, *ty, *v),
        (_, [Scalar::Complex(ty, a, b)]) => complex_function(op, *ty, *a, *b),
        (_, [Scalar::Int(ty, v)]) => bits_of_one(op, *ty, *v),
        (Ir::Ishft | Ir::Btest | Ir::Ibset | Ir::Ibclr | Ir::Ibits, _) => bit_function(op, s),
        (Ir::BesselJn | Ir::BesselYn, [Scalar::Int(_, n), Scalar::Real(ty, x)]) => bessel(op, *ty, *n, *x),
        (Ir::Scale | Ir::SetExponent | Ir::Nearest, [Scalar::Real(ty, v), second]) => {
            model_function(op, *ty, *v, second)
        }
        (_, [_, _]) => match &balanced(s)?[..] {
            [Scalar::Int(ty, a), Scalar::Int(_, b)] => int_pair(op, *ty, *a, *b),
            [Scalar::Real(ty, a), Scalar::Real(_, b)] => real_pair(op, *ty, *a, *b),
            _ => Err(wrong_type(op, s)),
        },
        _ => Err(wrong_type(op, s)),
    }
}

fn overflow(ty: Type) -> String {
    format!("Arithmetic overflow: the result does not fit into {}", type_name(ty))
}

fn wrong_type(op: Ir, s: &[Scalar]) -> String {
    let ty = s.first().map_or(String::new(), |x| type_name(x.ty()));
    format!("'{}' is not defined for {ty}", op.name())
}

fn domain(op: Ir) -> String {
    format!("The argument of '{}' is outside of its domain", op.name())
}

fn only_at_run_time(op: Ir) -> String {
    format!("'{}' of REAL(16) has a value at run time only", op.name())
}

fn real_function(op: Ir, ty: Type, x: Real) -> Outcome {
    let bad = match op {
        Ir::Sqrt => x < 0.0,
        Ir::Log | Ir::Log10 => x <= 0.0,
        Ir::Asin | Ir::Acos => x.abs() > 1.0,
        Ir::Acosh => x < 1.0,
        Ir::Atanh => x.abs() >= 1.0,
        Ir::BesselY0 | Ir::BesselY1 => x <= 0.0,
        Ir::Gamma => x <= 0.0 && x.trunc() == x,
        _ => false,
    };
    if bad {
        return Err(domain(op));
    }
    if ty == Type::R16 && matches!(op, Ir::BesselJ0 | Ir::BesselJ1 | Ir::BesselY0 | Ir::BesselY1) {
        return Err(only_at_run_time(op));
    }
    if let Some(v) = exact::real(op, ty, x) {
        return finite(ty, v, &[x]);
    }
    // Operations that are exact anyway; zeros, whose signs stay; infinities and NaN.
    let v = match op {
        Ir::Sqrt => x.sqrt(),
        Ir::Exp => x.through(f64::exp),
        Ir::Log => x.through(f64::ln),
        Ir::Log10 => x.through(f64::log10),
        Ir::Sin => x.through(f64::sin),
        Ir::Cos => x.through(f64::cos),
        Ir::Tan => x.through(f64::tan),
        Ir::Asin => x.through(f64::asin),
        Ir::Acos => x.through(f64::acos),
        Ir::Atan => x.through(f64::atan),
        Ir::Sinh => x.through(f64::sinh),
        Ir::Cosh => x.through(f64::cosh),
        Ir::Tanh => x.through(f64::tanh),
        Ir::Asinh => x.through(f64::asinh),
        Ir::Acosh => x.through(f64::acosh),
        Ir::Atanh => x.through(f64::atanh),
        Ir::Aint => x.trunc(),
        Ir::Anint => x.round(),
        Ir::BesselJ0 => x.through(libm::j0),
        Ir::BesselJ1 => x.through(libm::j1),
        Ir::BesselY0 => x.through(libm::y0),
        Ir::BesselY1 => x.through(libm::y1),
        Ir::IsNan => return Ok(Scalar::logical(x.is_nan())),
        _ => return real_model(op, ty, x),
    };
    finite(ty, v, &[x])
}

/// ERFC_SCALED(x).
pub fn erfc_scaled(s: &[Scalar]) -> Outcome {
    let [Scalar::Real(ty, x)] = *s else { return Err("The argument of 'erfc_scaled' must be REAL".to_owned()) };
    finite(ty, exact::erfc_scaled(ty, x), &[x])
}

/// BESSEL_JN and BESSEL_YN of one order.
fn bessel(op: Ir, ty: Type, n: i64, x: Real) -> Outcome {
    // The recurrence takes as many steps.
    const MOST: i64 = 10_000;
    if n.abs() > MOST {
        return Err(domain(op));
    }
    if ty == Type::R16 {
        return Err(only_at_run_time(op));
    }
    let n = n as i32;
    let v = match op {
        Ir::BesselJn => x.through(|x| libm::jn(n, x)),
        _ if x <= 0.0 => return Err(domain(op)),
        _ => x.through(|x| libm::yn(n, x)),
    };
    finite(ty, v, &[x])
}

/// The exponent of the model number: `x = f * 2**e` with `0.5 <= |f| < 1`.
fn exponent(x: Real) -> i64 {
    x.quad().exponent().into()
}

/// `x * 2**n`, rounded to the kind of `ty`.
fn scale(ty: Type, x: Real, n: i64) -> Real {
    Real::Quad(x.quad().scale(n)).round_to(ty)
}

fn digits(ty: Type) -> i64 {
    match ty {
        Type::R4 => 24,
        Type::R16 => Quad::DIGITS.into(),
        _ => 53,
    }
}

fn min_exponent(ty: Type) -> i64 {
    match ty {
        Type::R4 => -125,
        Type::R16 => Quad::MIN_EXPONENT.into(),
        _ => -1021,
    }
}

fn real_model(op: Ir, ty: Type, x: Real) -> Outcome {
    if !x.is_finite() && matches!(op, Ir::Exponent | Ir::Fraction | Ir::Spacing | Ir::Rrspacing) {
        return Ok(if op == Ir::Exponent { Scalar::int(i32::MAX.into()) } else { Scalar::real(ty, f64::NAN) });
    }
    let e = exponent(x);
    Ok(match op {
        Ir::Fraction => Scalar::real(ty, scale(ty, x, -e)),
        Ir::Exponent => Scalar::int(e),
        Ir::Spacing => {
            let tiny = scale(ty, Real::Double(1.0), min_exponent(ty) - 1);
            let v = if x == 0.0 { tiny } else { scale(ty, Real::Double(1.0), e - digits(ty)).max(tiny) };
            Scalar::real(ty, v)
        }
        Ir::Rrspacing => Scalar::real(ty, scale(ty, scale(ty, x, -e).abs(), digits(ty))),
        _ => return Err(wrong_type(op, &[Scalar::Real(ty, x)])),
    })
}

fn model_function(op: Ir, ty: Type, x: Real, second: &Scalar) -> Outcome {
    match (op, second) {
        (Ir::Scale, Scalar::Int(_, n)) => finite(ty, scale(ty, x, *n), &[x]),
        (Ir::SetExponent, Scalar::Int(..)) if !x.is_finite() => Ok(Scalar::real(ty, f64::NAN)),
        (Ir::SetExponent, Scalar::Int(_, n)) => finite(ty, scale(ty, x, n.saturating_sub(exponent(x))), &[x]),
        (Ir::Nearest, Scalar::Real(_, s)) if *s != 0.0 => Ok(Scalar::Real(ty, x.next(ty, *s > 0.0))),
        _ => Err(wrong_type(op, std::slice::from_ref(second))),
    }
}

fn complex_function(op: Ir, ty: Type, a: Real, b: Real) -> Outcome {
    if op == Ir::Log && a == 0.0 && b == 0.0 {
        return Err(domain(op));
    }
    match exact::complex(op, ty, (a, b)) {
        Some((re, im)) => Ok(Scalar::complex(ty, re, im)),
        None => Err(wrong_type(op, &[Scalar::Complex(ty, a, b)])),
    }
}

fn int_pair(op: Ir, ty: Type, a: i64, b: i64) -> Outcome {
    if matches!(op, Ir::Mod | Ir::Modulo) && b == 0 {
        return Err("Division by zero".to_owned());
    }
    let v = scalar::exact_function(op, a, b).ok_or_else(|| wrong_type(op, &[Scalar::Int(ty, a)]))?;
    int_in(ty, v).ok_or_else(|| overflow(ty))
}

fn real_pair(op: Ir, ty: Type, a: Real, b: Real) -> Outcome {
    let v = match op {
        Ir::Mod | Ir::Modulo if b == 0.0 => return Err("Division by zero".to_owned()),
        Ir::Mod | Ir::Modulo | Ir::Sign | Ir::Dim => {
            let own = Scalar::Real(ty, b).value().and_then(|b| value::real_function(op, ty, a, Some(b)));
            own.and_then(value::real).unwrap_or_else(|| quad_pair(op, a, b))
        }
        Ir::Atan2 if a == 0.0 && b == 0.0 => return Err(domain(op)),
        Ir::Atan2 => exact::atan2(ty, a, b).unwrap_or_else(|| a.through(|a| a.atan2(b.double()))),
        Ir::Hypot => exact::hypot(ty, a, b).unwrap_or_else(|| a.through(|a| a.hypot(b.double()))),
        _ => return Err(wrong_type(op, &[Scalar::Real(ty, a)])),
    };
    finite(ty, v, &[a, b])
}

/// MOD, MODULO, SIGN and DIM of numbers of kind 16.
fn quad_pair(op: Ir, a: Real, b: Real) -> Real {
    let r = a % b;
    match op {
        Ir::Mod => r,
        Ir::Modulo if r == 0.0 => r.copysign(b),
        Ir::Modulo if (r < 0.0) != (b < 0.0) => r + b,
        Ir::Modulo => r,
        Ir::Sign => a.abs().copysign(b),
        _ if a > b => a - b,
        _ => a.like(0.0),
    }
}

/// The number of bits of an integer type.
fn width(ty: Type) -> i64 {
    8 * ty.size() as i64
}

/// The integer of type `ty` with these bits.
fn cooked(ty: Type, bits: u64) -> Scalar {
    Scalar::Int(ty, scalar::wrap(ty, bits as i64))
}

fn bits_of_one(op: Ir, ty: Type, v: i64) -> Outcome {
    if !matches!(op, Ir::Not | Ir::Popcnt | Ir::Leadz | Ir::Trailz) {
        return Err(wrong_type(op, &[Scalar::Int(ty, v)]));
    }
    integers(op, ty, &[v])
}

/// A function of integers, the first of type `ty`, with arguments in its domain.
fn integers(op: Ir, ty: Type, args: &[i64]) -> Outcome {
    let values: SmallVec<[Value; 3]> = args.iter().map(|&v| Value::Int(v)).collect();
    let result = op.result(ty);
    match scalar::intrinsic(op, result, ty, &values) {
        Ok(v) => Ok(Scalar::of_value(result, v)),
        Err(_) => Err(wrong_type(op, &[Scalar::Int(ty, args[0])])),
    }
}

fn bit_function(op: Ir, s: &[Scalar]) -> Outcome {
    let (Some(v), Some(n)) = (s[0].as_int(), s[1].as_int()) else { return Err(wrong_type(op, s)) };
    let ty = s[0].ty();
    let wide = width(ty);
    let limit = if op == Ir::Ishft { -wide..=wide } else { 0..=wide - 1 };
    if !limit.contains(&n) {
        return Err(format!("The bit position or shift {n} is outside of the {wide} bits of {}", type_name(ty)));
    }
    if op != Ir::Ibits {
        return integers(op, ty, &[v, n]);
    }
    let len = s.get(2).and_then(Scalar::as_int).unwrap_or(0);
    if len < 0 || n + len > wide {
        return Err(format!("The bits are outside of the {wide} bits of {}", type_name(ty)));
    }
    integers(op, ty, &[v, n, len])
}

/// SHIFTL, SHIFTR, SHIFTA.
pub fn shift(what: ShiftOp, s: &[Scalar]) -> Outcome {
    let (Some(v), Some(n)) = (s[0].as_int(), s[1].as_int()) else { return Err(wrong_type(Ir::Ishft, s)) };
    let ty = s[0].ty();
    if !(0..=width(ty)).contains(&n) {
        return Err(format!("The shift {n} is outside of the {} bits of {}", width(ty), type_name(ty)));
    }
    match what {
        ShiftOp::Left => integers(Ir::Ishft, ty, &[v, n]),
        ShiftOp::Right => integers(Ir::Ishft, ty, &[v, -n]),
        // Hardware takes the shift modulo the width.
        ShiftOp::Arithmetic => integers(Ir::Shifta, ty, &[v, n.min(width(ty) - 1)]),
    }
}

/// ISHFTC(i, shift, size).
pub fn ishftc(s: &[Scalar]) -> Outcome {
    let (Some(v), Some(n)) = (s[0].as_int(), s[1].as_int()) else { return Err(wrong_type(Ir::Ishftc, s)) };
    let ty = s[0].ty();
    let size = s.get(2).and_then(Scalar::as_int).unwrap_or(width(ty));
    if !(1..=width(ty)).contains(&size) || n.abs() > size {
        return Err(format!("The shift {n} is outside of the {size} bits that are shifted"));
    }
    integers(Ir::Ishftc, ty, &[v, n, size])
}

/// CMPLX: one or two parts to a complex of type `ty`.
pub fn cmplx(s: &[Scalar], ty: Type) -> Outcome {
    match s {
        [one] => to(one, ty),
        [re, im] => match (to(re, ty.part())?, to(im, ty.part())?) {
            (Scalar::Real(_, a), Scalar::Real(_, b)) => Ok(Scalar::complex(ty, a, b)),
            _ => Err("The parts of a COMPLEX value must be numbers".to_owned()),
        },
        _ => Err("CMPLX takes one or two numbers".to_owned()),
    }
}

/// NINT, FLOOR, CEILING, AINT, ANINT to type `ty`.
pub fn round(op: Ir, s: &Scalar, ty: Type) -> Outcome {
    let Scalar::Real(from, x) = *s else { return Err(wrong_type(op, std::slice::from_ref(s))) };
    let whole = match op {
        Ir::Aint => x.trunc(),
        Ir::Nint | Ir::Anint => x.round(),
        Ir::Floor => x.floor(),
        _ => x.ceil(),
    };
    to(&Scalar::Real(from, whole), ty)
}

/// MAX and MIN of two or more, converted to `ty` if given.
pub fn extreme(op: Ir, s: &[Scalar], ty: Option<Type>) -> Outcome {
    let all = if s[0].ty() == Type::Char { s.to_vec() } else { balanced(s)? };
    let len = all.iter().filter_map(Scalar::as_text).map(<[u8]>::len).max().unwrap_or(0);
    let mut best = all[0].clone();
    for x in &all[1..] {
        let order = match (x, &best) {
            (Scalar::Int(_, a), Scalar::Int(_, b)) => a.partial_cmp(b),
            (Scalar::Real(_, a), Scalar::Real(_, b)) => a.partial_cmp(b),
            (Scalar::Char(a), Scalar::Char(b)) => Some(compare_text(a, b)),
            _ => return Err(wrong_type(op, s)),
        };
        let no_number = |s: &Scalar| matches!(s, Scalar::Real(_, v) if v.is_nan());
        let better = match order {
            Some(o) => (op == Ir::Max && o.is_gt()) || (op == Ir::Min && o.is_lt()),
            None => no_number(&best) && !no_number(x),
        };
        if better {
            best = x.clone();
        }
    }
    if best.ty() == Type::Char {
        best = crate::constant::resize_text(&best, len);
    }
    ty.map_or(Ok(best.clone()), |ty| to(&best, ty))
}

/// SUM, PRODUCT, MAXVAL, MINVAL, IALL, IANY, IPARITY; none for other reductions.
pub fn reduce<'c>(op: Ir, ty: Type, values: impl Iterator<Item = &'c Scalar>) -> Option<Outcome> {
    let start = match op {
        // MAXVAL and MINVAL of characters start with the first value: no extreme value has a known length.
        Ir::Maxval | Ir::Minval if ty == Type::Char => return reduce_text(op, values),
        Ir::Sum => to(&Scalar::int(0), ty),
        Ir::Product => to(&Scalar::int(1), ty),
        Ir::Maxval => match model(Model::Huge, ty) {
            // The most negative integer is beyond -HUGE, and an empty array of integers gives it.
            Some(Scalar::Int(ty, _)) => Ok(Scalar::Int(ty, int_range(ty).0)),
            Some(huge) => unary(UnaryOp::Minus, &huge),
            None => return None,
        },
        Ir::Minval => Ok(model(Model::Huge, ty)?),
        Ir::Iall => Ok(Scalar::Int(ty, -1)),
        Ir::Iany | Ir::Iparity => Ok(Scalar::Int(ty, 0)),
        _ => return None,
    };
    let step = |a: &Scalar, b: &Scalar| match op {
        Ir::Sum => binary(BinaryOp::Add, a, b),
        Ir::Product => binary(BinaryOp::Mul, a, b),
        Ir::Maxval => extreme(Ir::Max, &[a.clone(), b.clone()], None),
        Ir::Minval => extreme(Ir::Min, &[a.clone(), b.clone()], None),
        Ir::Iall => apply(Ir::Iand, &[a.clone(), b.clone()]),
        Ir::Iany => apply(Ir::Ior, &[a.clone(), b.clone()]),
        _ => apply(Ir::Ieor, &[a.clone(), b.clone()]),
    };
    Some(start.and_then(|first| values.into_iter().try_fold(first, |a, b| step(&a, b))))
}

/// MAXVAL and MINVAL of characters; none of no elements.
fn reduce_text<'c>(op: Ir, mut values: impl Iterator<Item = &'c Scalar>) -> Option<Outcome> {
    let first = values.next()?.clone();
    let step = if op == Ir::Maxval { Ir::Max } else { Ir::Min };
    Some(values.try_fold(first, |a, b| extreme(step, &[a, b.clone()], None)))
}

/// The numeric inquiry functions.
pub fn model(m: Model, ty: Type) -> Option<Scalar> {
    let category = Category::of(ty);
    let real = matches!(category, Category::Real | Category::Complex);
    let of_kind = |values: [i64; 3]| match kind_of(ty) {
        4 => values[0],
        8 => values[1],
        _ => values[2],
    };
    let pick = |values: [i64; 3]| real.then(|| Scalar::int(of_kind(values)));
    let pick_real = |four: f32, eight: f64, sixteen: Quad| {
        let v = match kind_of(ty) {
            4 => Real::Double(four.into()),
            8 => Real::Double(eight),
            _ => Real::Quad(sixteen),
        };
        (category == Category::Real).then_some(Scalar::Real(ty, v))
    };
    let integer = category == Category::Integer;
    match m {
        Model::Kind => Some(Scalar::int(kind_of(ty))),
        Model::BitSize => integer.then(|| Scalar::Int(ty, width(ty))),
        Model::Digits if integer => Some(Scalar::int(width(ty) - 1)),
        Model::Digits => pick([24, 53, Quad::DIGITS.into()]),
        Model::Epsilon => pick_real(f32::EPSILON, f64::EPSILON, Quad::EPSILON),
        Model::Huge if integer => Some(Scalar::Int(ty, int_range(ty).1)),
        Model::Huge => pick_real(f32::MAX, f64::MAX, Quad::MAX),
        Model::Tiny => pick_real(f32::MIN_POSITIVE, f64::MIN_POSITIVE, Quad::MIN_POSITIVE),
        Model::MaxExponent => pick([128, 1024, Quad::MAX_EXPONENT.into()]),
        Model::MinExponent => pick([-125, -1021, Quad::MIN_EXPONENT.into()]),
        Model::Precision => pick([6, 15, 33]),
        Model::Radix => (integer || real).then(|| Scalar::int(2)),
        Model::Range if integer => Some(Scalar::int(match ty.size() {
            1 => 2,
            2 => 4,
            4 => 9,
            _ => 18,
        })),
        Model::Range => pick([37, 307, 4931]),
    }
}

/// SELECTED_REAL_KIND(p, r), with the standard's negative answers.
pub fn selected_real_kind(p: i64, r: i64) -> i64 {
    match (p, r) {
        (..=6, ..=37) => 4,
        (..=15, ..=307) => 8,
        (..=33, ..=4931) => 16,
        (34.., 4932..) => -3,
        (34.., _) => -1,
        _ => -2,
    }
}

/// The value of type `ty` in memory that starts with `bytes`.
pub fn from_bytes(bytes: &[u8], ty: Type) -> Option<Scalar> {
    let word = |at: usize, n: usize| -> Option<u64> {
        let mut w = [0u8; 8];
        w[..n].copy_from_slice(bytes.get(at..at + n)?);
        Some(u64::from_le_bytes(w))
    };
    let real = |at: usize| -> Option<Real> {
        let mut w = [0u8; 16];
        let n = ty.part().size();
        w[..n].copy_from_slice(bytes.get(at..at + n)?);
        Some(Real::from_bits(ty, u128::from_le_bytes(w)))
    };
    let size = ty.size();
    Some(match Category::of(ty) {
        Category::Integer => cooked(ty, word(0, size)?),
        Category::Real => Scalar::Real(ty, real(0)?),
        Category::Complex => Scalar::Complex(ty, real(0)?, real(size / 2)?),
        Category::Logical => Scalar::Logical(ty, word(0, size)? & 1 == 1),
        Category::Character => return None,
    })
}

/// The bytes of a Hollerith constant, padded with blanks, as a number; characters are left alone.
pub fn text_as(s: &Scalar, ty: Type) -> Option<Scalar> {
    if ty == Type::Char {
        return Some(s.clone());
    }
    let mut bytes = s.as_text()?.to_vec();
    bytes.resize(ty.size(), b' ');
    from_bytes(&bytes, ty)
}
