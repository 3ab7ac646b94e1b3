//! Functions beyond the standard in constants: trigonometric functions of degrees, the cotangent, and the old names of the Bessel
//! functions.
//!
//! An angle is reduced to the first quadrant, which is exact, and its function is rounded once.

use crate::constant::Scalar;
use crate::constant::exact::{self, Big, REAL};
use crate::constant::math;
use crate::constant::ops::finite;
use trueline_ir::{Intrinsic as Ir, Real, Type};

/// The value of the function `name`; none if it has a value at run time only.
pub fn apply(name: &str, args: &[Scalar]) -> Option<Result<Scalar, String>> {
    let bessel = match name.strip_prefix('d').unwrap_or(name) {
        "besj0" => Some(Ir::BesselJ0),
        "besj1" => Some(Ir::BesselJ1),
        "besjn" => Some(Ir::BesselJn),
        "besy0" => Some(Ir::BesselY0),
        "besy1" => Some(Ir::BesselY1),
        "besyn" => Some(Ir::BesselYn),
        _ => None,
    };
    if let Some(op) = bessel {
        return Some(math::apply(op, args));
    }
    let (ty, x) = real(args.first()?)?;
    let short = if args[0].ty() == Type::R8 { name.strip_prefix('d').unwrap_or(name) } else { name };
    let value = match (short, args.get(1)) {
        ("sind", None) => sine(ty, x),
        ("cosd", None) => cosine(ty, x),
        ("tand", None) => tangent(ty, x)?,
        ("cotand", None) => cotangent(ty, x)?,
        ("cotan", None) if x != 0.0 => Big::of(x, REAL).like(1.0).div(&Big::of(x, REAL).tan()).round(ty),
        ("asind", None) => inverse(Ir::Asin, ty, x)?,
        ("acosd", None) => inverse(Ir::Acos, ty, x)?,
        ("atand", None) => inverse(Ir::Atan, ty, x)?,
        ("atan2d", Some(second)) => angle(ty, x, real(second)?.1),
        _ => return None,
    };
    Some(finite(ty, value, &[x]))
}

fn real(s: &Scalar) -> Option<(Type, Real)> {
    match s {
        Scalar::Real(ty, x) if x.is_finite() => Some((*ty, *x)),
        _ => None,
    }
}

fn in_degrees(radians: &Big) -> Big {
    radians.mul(&radians.like(180.0)).div(&Big::pi(REAL))
}

fn in_radians(degrees: Real) -> Big {
    let degrees = Big::of(degrees, REAL);
    degrees.mul(&Big::pi(REAL)).div(&degrees.like(180.0))
}

/// The angle between 0 and 90 degrees that has the sine of `x` but for its sign, and whether its cosine and its sine have another sign.
fn first_quadrant(x: Real) -> (Real, bool, bool) {
    let turn = x.abs() % x.like(360.0);
    let half: Real = x.like(180.0);
    let (lower, turn) = if turn >= 180.0 { (true, turn - half) } else { (false, turn) };
    let (left, turn) = if turn > 90.0 { (true, half - turn) } else { (false, turn) };
    (turn, left != lower, lower != x.is_sign_negative())
}

fn signed(value: Real, negative: bool) -> Real {
    if negative { -value } else { value }
}

fn sine(ty: Type, x: Real) -> Real {
    let (angle, _, negative) = first_quadrant(x);
    let value = match () {
        () if angle == 0.0 => x.like(0.0),
        () if angle == 30.0 => x.like(0.5),
        () if angle == 90.0 => x.like(1.0),
        () => in_radians(angle).sin().round(ty),
    };
    signed(value, negative)
}

fn cosine(ty: Type, x: Real) -> Real {
    let (angle, negative, _) = first_quadrant(x);
    match () {
        () if angle == 90.0 => x.like(0.0),
        () if angle == 60.0 => signed(x.like(0.5), negative),
        () if angle == 0.0 => signed(x.like(1.0), negative),
        () => signed(in_radians(angle).cos().round(ty), negative),
    }
}

/// None at a pole.
fn tangent(ty: Type, x: Real) -> Option<Real> {
    let (angle, left, lower) = first_quadrant(x);
    let value = match () {
        () if angle == 90.0 => return None,
        () if angle == 0.0 => x.like(0.0),
        () if angle == 45.0 => x.like(1.0),
        () => in_radians(angle).tan().round(ty),
    };
    Some(signed(value, left != lower))
}

/// None at a pole.
fn cotangent(ty: Type, x: Real) -> Option<Real> {
    let (angle, left, lower) = first_quadrant(x);
    let value = match () {
        () if angle == 0.0 => return None,
        () if angle == 90.0 => x.like(0.0),
        () if angle == 45.0 => x.like(1.0),
        () => {
            let tangent = in_radians(angle).tan();
            tangent.like(1.0).div(&tangent).round(ty)
        }
    };
    Some(signed(value, left != lower))
}

/// None outside of the domain.
fn inverse(op: Ir, ty: Type, x: Real) -> Option<Real> {
    if op != Ir::Atan && x.abs() > 1.0 {
        return None;
    }
    if x == 0.0 {
        // A zero keeps its sign.
        return Some(if op == Ir::Acos { x.like(90.0) } else { x });
    }
    let big = Big::of(x, REAL);
    let radians = match op {
        Ir::Asin => big.asin(),
        Ir::Acos => big.acos(),
        _ => big.atan(),
    };
    Some(in_degrees(&radians).round(ty))
}

/// ATAN2D.
fn angle(ty: Type, y: Real, x: Real) -> Real {
    if x == 0.0 || y == 0.0 {
        // Whole quadrants, with the signs of zeros.
        return y.like(y.double().atan2(x.double()).to_degrees());
    }
    in_degrees(&exact::angle(&Big::of(x, REAL), &Big::of(y, REAL))).round(ty)
}
