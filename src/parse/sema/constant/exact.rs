//! Functions of constants, correctly rounded: worked out in many digits and rounded once, as gfortran does by
//! MPFR and MPC, so that a program prints the same last digit wherever a value is known at compile time.

use crate::constant::special;
use astro_float_num::{BigFloat, Consts, RoundingMode, Sign};
use std::cell::RefCell;
use trueline_ir::Real::{self, Double};
use trueline_ir::{Intrinsic as Ir, Quad, Type};

/// The precision, in bits, of functions of one real, and of everything that may cancel.
pub const REAL: usize = 192;
pub const WIDE: usize = 512;
/// A part of a complex power that is this many binary orders below the other is the rounding of an exact zero.
const EXACT_ZERO: i32 = 300;

const RM: RoundingMode = RoundingMode::ToEven;

thread_local! {
    static CONSTANTS: RefCell<Option<Consts>> = const { RefCell::new(None) };
}

/// Calls `f` with the cache of pi, e and logarithms; none if there is no memory for it.
pub fn with_constants<T>(f: impl FnOnce(&mut Consts) -> T) -> Option<T> {
    CONSTANTS.with_borrow_mut(|slot| {
        if slot.is_none() {
            *slot = Consts::new().ok();
        }
        slot.as_mut().map(f)
    })
}

/// A number with a precision that all its operations keep.
#[derive(Clone)]
pub struct Big {
    v: BigFloat,
    p: usize,
}

macro_rules! functions {
    ($($name:ident)*) => {$(
        pub fn $name(&self) -> Big {
            let v = with_constants(|c| self.v.$name(self.p, RM, c)).unwrap_or_else(|| BigFloat::nan(None));
            Big { v, p: self.p }
        }
    )*};
}

macro_rules! operations {
    ($($name:ident)*) => {$(
        pub fn $name(&self, other: &Big) -> Big {
            Big { v: self.v.$name(&other.v, self.p, RM), p: self.p }
        }
    )*};
}

impl Big {
    pub fn new(x: f64, p: usize) -> Big {
        // The conversion of subnormal numbers is off by a factor of two.
        const LIFT: f64 = (1u64 << 60) as f64;
        if x.is_subnormal() {
            let v = BigFloat::from_f64(x * LIFT, p).mul(&BigFloat::from_f64(1.0 / LIFT, p), p, RM);
            return Big { v, p };
        }
        Big { v: BigFloat::from_f64(x, p), p }
    }

    /// A finite number.
    pub fn of(x: Real, p: usize) -> Big {
        let Real::Quad(q) = x else { return Big::new(x.double(), p) };
        let (whole, exponent) = q.parts();
        let mut v = BigFloat::from_u128(whole, p);
        if let Some(own) = v.exponent().filter(|_| whole != 0) {
            v.set_exponent(own + exponent);
        }
        Big { v: if q.is_negative() { v.neg() } else { v }, p }
    }

    pub fn pi(p: usize) -> Big {
        let v = with_constants(|c| c.pi(p, RM)).unwrap_or_else(|| BigFloat::nan(None));
        Big { v, p }
    }

    functions! { exp ln log10 sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh }
    operations! { add sub mul div }

    pub fn like(&self, x: f64) -> Big {
        Big::new(x, self.p)
    }
    pub fn sqrt(&self) -> Big {
        Big { v: self.v.sqrt(self.p, RM), p: self.p }
    }
    pub fn neg(&self) -> Big {
        Big { v: self.v.neg(), p: self.p }
    }
    pub fn abs(&self) -> Big {
        if self.is_negative() { self.neg() } else { self.clone() }
    }
    pub fn is_negative(&self) -> bool {
        self.v.is_negative() && !self.v.is_zero()
    }
    pub fn is_zero(&self) -> bool {
        self.v.is_zero()
    }
    /// The binary exponent; that of zero is the smallest.
    pub fn order(&self) -> i32 {
        if self.is_zero() { i32::MIN } else { self.v.exponent().unwrap_or(i32::MAX) }
    }
    /// `self` to a whole power.
    fn power(&self, n: u64) -> Big {
        by_squaring(self.like(1.0), self.clone(), n, Big::mul)
    }
    /// `self` to a real power; `self` is positive.
    fn real_power(&self, y: &Big) -> Big {
        self.ln().mul(y).exp()
    }

    /// The nearest number of type `ty`, ties to even; an infinity after an overflow.
    pub fn round(&self, ty: Type) -> Real {
        let (digits, lowest, highest) = match ty {
            Type::R4 => (24, -149, 128),
            Type::R16 => (Quad::DIGITS, Quad::MIN_EXPONENT - Quad::DIGITS, Quad::MAX_EXPONENT),
            _ => (53, -1074, 1024),
        };
        let of_kind = |v: f64| Double(v).round_to(ty);
        let Some((words, _, sign, exponent, _)) = self.v.as_raw_parts() else {
            return of_kind(if self.v.is_inf_pos() {
                f64::INFINITY
            } else if self.v.is_inf_neg() {
                f64::NEG_INFINITY
            } else {
                f64::NAN
            });
        };
        let negative = sign == Sign::Neg;
        let signed = |v: Real| if negative { -v } else { v };
        if self.is_zero() {
            return signed(of_kind(0.0));
        }
        if exponent > highest {
            return signed(of_kind(f64::INFINITY));
        }
        // The value is 0.mantissa * 2**exponent; the last digit that can be kept weighs 2**last.
        let last = (exponent - digits).max(lowest);
        let kept = exponent - last;
        if kept < 0 {
            return signed(of_kind(0.0));
        }
        let bit = |k: i32| {
            // Bit k from the top.
            let word = words.len() as i64 - 1 - i64::from(k) / 64;
            usize::try_from(word).ok().is_some_and(|w| words[w] >> (63 - k % 64) & 1 == 1)
        };
        let mut whole = (0..kept).fold(0u128, |n, k| n << 1 | u128::from(bit(k)));
        let total = 64 * words.len() as i32;
        let is_above_half = || (kept + 1..total).any(bit);
        if bit(kept) && (whole & 1 == 1 || is_above_half()) {
            whole += 1;
        }
        // Exact, but that a carry may have gone beyond the largest number.
        let v = Quad::from_int(whole as i128).scale(last.into());
        signed(Real::Quad(v).round_to(ty))
    }
}

/// `square` to the power `n`, times `result`.
fn by_squaring<T>(mut result: T, mut square: T, n: u64, mul: impl Fn(&T, &T) -> T) -> T {
    let mut left = n;
    while left > 0 {
        if left & 1 == 1 {
            result = mul(&result, &square);
        }
        left >>= 1;
        if left > 0 {
            square = mul(&square, &square);
        }
    }
    result
}

/// An elemental function of one real in its domain; none for one that is not worked out here.
pub fn real(op: Ir, ty: Type, x: Real) -> Option<Real> {
    if !x.is_finite() {
        return None;
    }
    let big = Big::of(x, REAL);
    let v = match op {
        Ir::Gamma => special::gamma(x),
        Ir::LogGamma => special::log_gamma(x),
        Ir::Erf => special::erf(x),
        Ir::Erfc => special::erfc(x),
        Ir::Acos if x == 0.0 => Big::pi(REAL).div(&big.like(2.0)),
        // A zero keeps its sign.
        _ if x == 0.0 => return None,
        Ir::Exp => big.exp(),
        Ir::Log => big.ln(),
        Ir::Log10 => big.log10(),
        Ir::Sin => big.sin(),
        Ir::Cos => big.cos(),
        Ir::Tan => big.tan(),
        Ir::Asin => big.asin(),
        Ir::Acos => big.acos(),
        Ir::Atan => big.atan(),
        Ir::Sinh => big.sinh(),
        Ir::Cosh => big.cosh(),
        Ir::Tanh => big.tanh(),
        Ir::Asinh => big.asinh(),
        Ir::Acosh => big.acosh(),
        Ir::Atanh => big.atanh(),
        _ => return None,
    };
    Some(v.round(ty))
}

/// ERFC_SCALED.
pub fn erfc_scaled(ty: Type, x: Real) -> Real {
    special::erfc_scaled(x).round(ty)
}

/// A positive real to a real power; none in simple cases.
pub fn power(ty: Type, x: Real, y: Real) -> Option<Real> {
    let is_simple = !x.is_finite() || !y.is_finite() || x <= 0.0 || y == 0.0;
    (!is_simple).then(|| Big::of(x, REAL).real_power(&Big::of(y, REAL)).round(ty))
}

/// A real to a whole power.
pub fn whole_power(ty: Type, x: Real, n: i64) -> Option<Real> {
    if !x.is_finite() || x == 0.0 {
        return None;
    }
    let big = Big::of(x, WIDE).power(n.unsigned_abs());
    Some(if n < 0 { big.like(1.0).div(&big) } else { big }.round(ty))
}

/// ATAN2.
pub fn atan2(ty: Type, y: Real, x: Real) -> Option<Real> {
    let is_simple = !x.is_finite() || !y.is_finite() || x == 0.0 || y == 0.0;
    (!is_simple).then(|| angle(&Big::of(x, REAL), &Big::of(y, REAL)).round(ty))
}

/// HYPOT.
pub fn hypot(ty: Type, x: Real, y: Real) -> Option<Real> {
    (x.is_finite() && y.is_finite()).then(|| Pair::new((x, y)).norm().sqrt().round(ty))
}

/// NORM2.
pub fn norm(ty: Type, values: &[Real]) -> Real {
    let sum = values.iter().fold(Big::new(0.0, WIDE), |sum, &v| {
        let big = Big::of(v, WIDE);
        sum.add(&big.mul(&big))
    });
    sum.sqrt().round(ty)
}

/// The angle of the point `(x, y)`.
pub fn angle(x: &Big, y: &Big) -> Big {
    if x.is_zero() {
        let quarter = Big::pi(x.p).div(&x.like(2.0));
        return if y.is_negative() { quarter.neg() } else { quarter };
    }
    let near = y.div(x).atan();
    match (x.is_negative(), y.is_negative()) {
        (false, _) => near,
        (true, false) => near.add(&Big::pi(x.p)),
        (true, true) => near.sub(&Big::pi(x.p)),
    }
}

/// A complex number.
#[derive(Clone)]
struct Pair {
    re: Big,
    im: Big,
}

impl Pair {
    fn new((re, im): Parts) -> Pair {
        Pair { re: Big::of(re, WIDE), im: Big::of(im, WIDE) }
    }
    fn norm(&self) -> Big {
        self.re.mul(&self.re).add(&self.im.mul(&self.im))
    }
    fn add(&self, o: &Pair) -> Pair {
        Pair { re: self.re.add(&o.re), im: self.im.add(&o.im) }
    }
    fn sub(&self, o: &Pair) -> Pair {
        Pair { re: self.re.sub(&o.re), im: self.im.sub(&o.im) }
    }
    fn mul(&self, o: &Pair) -> Pair {
        Pair { re: self.re.mul(&o.re).sub(&self.im.mul(&o.im)), im: self.re.mul(&o.im).add(&self.im.mul(&o.re)) }
    }
    fn div(&self, o: &Pair) -> Pair {
        let conjugate = Pair { re: o.re.clone(), im: o.im.neg() };
        let (top, norm) = (self.mul(&conjugate), o.norm());
        Pair { re: top.re.div(&norm), im: top.im.div(&norm) }
    }
    fn one(&self) -> Pair {
        Pair { re: self.re.like(1.0), im: self.re.like(0.0) }
    }
    fn times_i(&self) -> Pair {
        Pair { re: self.im.neg(), im: self.re.clone() }
    }
    fn over_i(&self) -> Pair {
        Pair { re: self.im.clone(), im: self.re.neg() }
    }
    fn exp(&self) -> Pair {
        let radius = self.re.exp();
        Pair { re: radius.mul(&self.im.cos()), im: radius.mul(&self.im.sin()) }
    }
    fn ln(&self) -> Pair {
        Pair { re: self.norm().ln().div(&self.re.like(2.0)), im: angle(&self.re, &self.im) }
    }
    fn sqrt(&self) -> Pair {
        let two = self.re.like(2.0);
        let t = self.norm().sqrt().add(&self.re.abs()).div(&two).sqrt();
        if t.is_zero() {
            return Pair { re: t.clone(), im: t };
        }
        let other = self.im.div(&t.mul(&two));
        if self.re.is_negative() {
            let im = if self.im.is_negative() { t.neg() } else { t };
            Pair { re: other.abs(), im }
        } else {
            Pair { re: t, im: other }
        }
    }
    fn sinh(&self) -> Pair {
        Pair { re: self.re.sinh().mul(&self.im.cos()), im: self.re.cosh().mul(&self.im.sin()) }
    }
    fn cosh(&self) -> Pair {
        Pair { re: self.re.cosh().mul(&self.im.cos()), im: self.re.sinh().mul(&self.im.sin()) }
    }
    /// `ln(z + sqrt(z*z + 1))`, with the sign of the real part taken out so that nothing cancels.
    fn asinh(&self) -> Pair {
        let flip = self.re.is_negative();
        let z = if flip { self.negated() } else { self.clone() };
        let v = z.mul(&z).add(&z.one()).sqrt().add(&z).ln();
        if flip { v.negated() } else { v }
    }
    fn atanh(&self) -> Pair {
        let v = self.one().add(self).ln().sub(&self.one().sub(self).ln());
        let two = self.re.like(2.0);
        Pair { re: v.re.div(&two), im: v.im.div(&two) }
    }
    fn asin(&self) -> Pair {
        self.times_i().asinh().over_i()
    }
    fn acos(&self) -> Pair {
        let quarter = Big::pi(WIDE).div(&self.re.like(2.0));
        let v = self.asin();
        Pair { re: quarter.sub(&v.re), im: v.im.neg() }
    }
    fn negated(&self) -> Pair {
        Pair { re: self.re.neg(), im: self.im.neg() }
    }
    fn power(&self, n: u64) -> Pair {
        by_squaring(self.one(), self.clone(), n, Pair::mul)
    }
    /// The nearest complex number whose parts have the type `ty`.
    fn round(&self, ty: Type) -> Parts {
        let part = |a: &Big, b: &Big| {
            let is_noise = a.order() < b.order().saturating_sub(EXACT_ZERO);
            if is_noise && !b.is_zero() { Double(0.0).round_to(ty) } else { a.round(ty) }
        };
        (part(&self.re, &self.im), part(&self.im, &self.re))
    }
}

type Parts = (Real, Real);

fn is_finite(z: Parts) -> bool {
    z.0.is_finite() && z.1.is_finite()
}

pub fn is_zero(z: Parts) -> bool {
    z.0 == 0.0 && z.1 == 0.0
}

/// `exact`, whose zeros take the signs that the operation gives them in the arithmetic of the machine.
fn with_zeros_of(machine: Parts, exact: Parts) -> Parts {
    let zero = |m: Real, v: Real| if v == 0.0 && m == 0.0 { m } else { v };
    (zero(machine.0, exact.0), zero(machine.1, exact.1))
}

/// Products, quotients and powers of complex numbers. None where a zero, an infinity or a NaN asks for the rules of
/// the machine.
pub fn complex_product(ty: Type, x: Parts, y: Parts) -> Option<Parts> {
    let exact = (is_finite(x) && is_finite(y)).then(|| Pair::new(x).mul(&Pair::new(y)).round(ty.part()))?;
    Some(with_zeros_of((x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0), exact))
}

pub fn complex_quotient(ty: Type, x: Parts, y: Parts) -> Option<Parts> {
    let has_value = is_finite(x) && is_finite(y) && !is_zero(y);
    let exact = has_value.then(|| Pair::new(x).div(&Pair::new(y)).round(ty.part()))?;
    Some(with_zeros_of((x.0 * y.0 + x.1 * y.1, x.1 * y.0 - x.0 * y.1), exact))
}

pub fn complex_power(ty: Type, x: Parts, y: Parts) -> Option<Parts> {
    if !is_finite(x) || !is_finite(y) || is_zero(x) {
        return None;
    }
    mirrored(x, |x, below| {
        let y = if below { (y.0, -y.1) } else { y };
        Some(Pair::new(x).ln().mul(&Pair::new(y)).exp().round(ty.part()))
    })
}

pub fn complex_whole_power(ty: Type, x: Parts, n: i64) -> Option<Parts> {
    if !is_finite(x) || is_zero(x) {
        return None;
    }
    mirrored(x, |x, _| {
        let power = Pair::new(x).power(n.unsigned_abs());
        Some(if n < 0 { power.one().div(&power) } else { power }.round(ty.part()))
    })
}

/// `f`, whose values at conjugate numbers are conjugate, from its values on and above the real axis: at a branch cut
/// the sign of a zero says on which side of it a number is. `f` is told if the number was below.
fn mirrored(z: Parts, f: impl FnOnce(Parts, bool) -> Option<Parts>) -> Option<Parts> {
    let below = z.1.is_sign_negative();
    let (re, im) = f((z.0, z.1.abs()), below)?;
    Some((re, if below { -im } else { im }))
}

/// An elemental function of one complex number; none for one that has no such function, or at a pole.
pub fn complex(op: Ir, ty: Type, z: Parts) -> Option<Parts> {
    is_finite(z).then(|| mirrored(z, |z, _| above_the_axis(op, ty, z)))?
}

fn above_the_axis(op: Ir, ty: Type, z: Parts) -> Option<Parts> {
    let v = Pair::new(z);
    let result = match op {
        Ir::Sqrt => v.sqrt(),
        Ir::Exp => v.exp(),
        Ir::Log => v.ln(),
        Ir::Sin => v.times_i().sinh().over_i(),
        Ir::Cos => v.times_i().cosh(),
        Ir::Tan => v.times_i().sinh().div(&v.times_i().cosh()).over_i(),
        Ir::Sinh => v.sinh(),
        Ir::Cosh => v.cosh(),
        Ir::Tanh => v.sinh().div(&v.cosh()),
        Ir::Asin => v.asin(),
        Ir::Acos => v.acos(),
        Ir::Atan => v.times_i().atanh().over_i(),
        Ir::Asinh => v.asinh(),
        // `i*acos(z)`, whose real part is not negative here.
        Ir::Acosh => v.acos().times_i(),
        Ir::Atanh => v.atanh(),
        _ => return None,
    };
    let (re, im) = result.round(ty.part());
    (!re.is_nan() && !im.is_nan()).then(|| with_zeros_of(zeros(op, z), (re, im)))
}

/// Numbers with the signs of the parts of a function's value, where they are zeros.
fn zeros(op: Ir, (x, y): Parts) -> Parts {
    let (a, b) = (x.double(), y.double());
    let (re, im) = match op {
        Ir::Sin => (a.sin(), a.cos() * b),
        Ir::Sinh => (a * b.cos(), b.sin()),
        Ir::Cos => (a.cos(), -(a.sin() * b)),
        Ir::Cosh => (b.cos(), a * b.sin()),
        Ir::Acos => (0.0, -b),
        Ir::Sqrt | Ir::Exp | Ir::Log | Ir::Acosh => (0.0, b),
        _ => (a, b),
    };
    (x.like(re), y.like(im))
}
