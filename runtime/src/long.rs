//! Procedures of `REAL(16)`: those of IEEE_ARITHMETIC, functions of degrees, and ERFC_SCALED.
//!
//! Rust has no such type. In C's convention it travels as a vector register of 16 bytes does, for which there is one.
#![allow(improper_ctypes_definitions, reason = "vectors are passed alike on both targets, whatever features are on")]

use std::ffi::c_int;
use trueline_abi::Quad;

#[cfg(target_arch = "aarch64")]
type Register = core::arch::aarch64::uint8x16_t;
#[cfg(target_arch = "x86_64")]
type Register = core::arch::x86_64::__m128i;

fn pack(v: Quad) -> Register {
    // SAFETY: 16 bytes of any content are a vector of bytes.
    unsafe { std::mem::transmute::<u128, Register>(v.to_bits()) }
}

/// A number of the program.
///
/// # Safety
/// `at` is the address of a `REAL(16)`.
unsafe fn load(at: *const u8) -> Quad {
    // SAFETY: the address is that of a value of this type, which is read unaligned.
    Quad::from_bits(u128::from_ne_bytes(unsafe { at.cast::<[u8; 16]>().read_unaligned() }))
}

macro_rules! libm {
    ($($name:ident)*) => {
        /// Functions of the C library.
        mod c {
            #[link(name = "m")]
            unsafe extern "C" {
                $(pub(super) fn $name();)*
            }
        }

        $(fn $name(x: Quad) -> Quad {
            let address = c::$name as *const ();
            // SAFETY: this is how the C library has it; the declaration above cannot name a vector.
            let f = unsafe { std::mem::transmute::<*const (), extern "C" fn(Register) -> Register>(address) };
            // SAFETY: as in `pack`.
            Quad::from_bits(unsafe { std::mem::transmute::<Register, u128>(f(pack(x))) })
        })*
    };
}

libm! { sinf128 tanf128 asinf128 acosf128 atanf128 expf128 erfcf128 j0f128 j1f128 y0f128 y1f128 rintf128 logbf128 }

fn whole(n: i32) -> Quad {
    Quad::from_int(n.into())
}

fn pi() -> Quad {
    Quad::from_bits(0x4000_921f_b544_42d1_8469_898c_c517_01b8)
}

fn to_degrees(x: Quad) -> Quad {
    x * whole(180) / pi()
}

fn is_less(x: Quad, y: Quad) -> bool {
    x.compare(y).is_some_and(std::cmp::Ordering::is_lt)
}

/// Sine of degrees, exact at multiples of 30 where it is rational.
fn sine(x: Quad) -> Quad {
    if !x.is_finite() {
        return Quad::NAN;
    }
    let turn = x.abs().remainder(whole(360));
    let (negative, x) = (x.is_negative(), turn);
    let (flipped, x) = if is_less(x, whole(180)) { (negative, x) } else { (!negative, x - whole(180)) };
    let x = if is_less(whole(90), x) { whole(180) - x } else { x };
    let value = match x {
        x if x == whole(30) => Quad::ONE.scale(-1),
        x if x == whole(90) => Quad::ONE,
        x => sinf128(x * pi() / whole(180)),
    };
    if flipped { -value } else { value }
}

fn cosine(x: Quad) -> Quad {
    let x = x.abs().remainder(whole(360));
    // Exact below 360: a multiple of 90 has no rounding.
    sine(if is_less(whole(270), x) { x - whole(270) } else { x + whole(90) })
}

fn tangent(x: Quad) -> Quad {
    let turn = x.remainder(whole(180));
    match turn {
        t if t == whole(45) || t == whole(-135) => Quad::ONE,
        t if t == whole(-45) || t == whole(135) => -Quad::ONE,
        _ => sine(x) / cosine(x),
    }
}

/// The angle of the point `(x, y)` in degrees.
fn angle(y: Quad, x: Quad) -> Quad {
    if x.is_zero() && y.is_zero() {
        return if x.is_negative() { whole(180).copysign(y) } else { y };
    }
    let near = to_degrees(atanf128(y / x));
    if x.is_negative() { near + whole(180).copysign(y) } else { near }
}

/// `exp(x*x) * erfc(x)`: directly, or by its asymptotic series.
fn erfc_scaled(x: Quad) -> Quad {
    if is_less(x, whole(12)) {
        return erfcf128(x) * expf128(x * x);
    }
    let square = x * x * whole(2);
    let (mut sum, mut term) = (Quad::ONE, Quad::ONE);
    for n in 0..200 {
        let next = -(term * whole(2 * n + 1) / square);
        if !is_less(next.abs(), term.abs()) || (sum + next) == sum {
            break;
        }
        term = next;
        sum = sum + term;
    }
    // The reciprocal of the square root of pi.
    let factor = Quad::ONE / pi().sqrt();
    sum / x * factor
}

macro_rules! functions {
    ($($symbol:literal $name:ident($x:ident) => $value:expr;)*) => {$(
        /// The function of that name.
        ///
        /// # Safety
        /// The argument is the address of a `REAL(16)`.
        #[unsafe(export_name = $symbol)]
        pub unsafe extern "C" fn $name(x: *const u8) -> Register {
            // SAFETY: each argument is the address of a value of its type, which need not be aligned.
            let $x = unsafe { load(x) };
            pack($value)
        }
    )*};
}

functions! {
    "trueline_lib_sind_r16" sind(x) => sine(x);
    "trueline_lib_cosd_r16" cosd(x) => cosine(x);
    "trueline_lib_tand_r16" tand(x) => tangent(x);
    "trueline_lib_cotan_r16" cotan(x) => Quad::ONE / tanf128(x);
    "trueline_lib_cotand_r16" cotand(x) => Quad::ONE / tangent(x);
    "trueline_lib_asind_r16" asind(x) => to_degrees(asinf128(x));
    "trueline_lib_acosd_r16" acosd(x) => to_degrees(acosf128(x));
    "trueline_lib_atand_r16" atand(x) => to_degrees(atanf128(x));
    "trueline_lib_besj0_r16" besj0(x) => j0f128(x);
    "trueline_lib_besj1_r16" besj1(x) => j1f128(x);
    "trueline_lib_besy0_r16" besy0(x) => y0f128(x);
    "trueline_lib_besy1_r16" besy1(x) => y1f128(x);
    "trueline_lib_erfc_scaled_r16" erfc_scaled_r16(x) => erfc_scaled(x);
    "__ieee_arithmetic_MOD_ieee_logb_16" logb_16(x) => logbf128(x);
    "__ieee_arithmetic_MOD_ieee_rint_16" rint_16(x) => rintf128(x);
}

macro_rules! with_second {
    ($($symbol:literal $name:ident($x:ident, $y:ident: $ty:ty) => $value:expr;)*) => {$(
        /// The function of that name.
        ///
        /// # Safety
        /// The arguments are addresses of a `REAL(16)` and of a value of their type.
        #[unsafe(export_name = $symbol)]
        pub unsafe extern "C" fn $name(x: *const u8, y: *const $ty) -> Register {
            // SAFETY: each argument is the address of a value of its type, which need not be aligned.
            let ($x, $y) = unsafe { (load(x), y.read_unaligned()) };
            pack($value)
        }
    )*};
}

with_second! {
    "__ieee_arithmetic_MOD_ieee_scalb_16_1" scalb_16_1(x, n: i8) => x.scale(n.into());
    "__ieee_arithmetic_MOD_ieee_scalb_16_2" scalb_16_2(x, n: i16) => x.scale(n.into());
    "__ieee_arithmetic_MOD_ieee_scalb_16_4" scalb_16_4(x, n: i32) => x.scale(n.into());
    "__ieee_arithmetic_MOD_ieee_scalb_16_8" scalb_16_8(x, n: i64) => x.scale(n);
    "__ieee_arithmetic_MOD_ieee_rem_16_4" rem_16_4(x, y: f32) => x.nearest_remainder(y.into());
    "__ieee_arithmetic_MOD_ieee_rem_16_8" rem_16_8(x, y: f64) => x.nearest_remainder(y.into());
    "__ieee_arithmetic_MOD_ieee_rem_16_16" rem_16_16(x, y: [u8; 16]) => x.nearest_remainder(Quad::from_bits(u128::from_ne_bytes(y)));
    "__ieee_arithmetic_MOD_ieee_value_16" value_16(_x, class: i32) => value_of(class);
    "trueline_lib_atan2d_r16" atan2d(y, x: [u8; 16]) => angle(y, Quad::from_bits(u128::from_ne_bytes(x)));
}

macro_rules! short_first {
    ($($symbol:literal $name:ident($ty:ty);)*) => {$(
        /// IEEE_REM of a shorter number by one of kind 16.
        ///
        /// # Safety
        /// The arguments are addresses of values of their types.
        #[unsafe(export_name = $symbol)]
        pub unsafe extern "C" fn $name(x: *const $ty, y: *const u8) -> Register {
            // SAFETY: each argument is the address of a value of its type, which need not be aligned.
            let (x, y) = unsafe { (Quad::from(x.read_unaligned()), load(y)) };
            pack(x.nearest_remainder(y))
        }
    )*};
}

short_first! {
    "__ieee_arithmetic_MOD_ieee_rem_4_16" rem_4_16(f32);
    "__ieee_arithmetic_MOD_ieee_rem_8_16" rem_8_16(f64);
}

/// IEEE_CLASS
///
/// # Safety
/// `x` is the address of a `REAL(16)`, `to` that of an IEEE_CLASS_TYPE.
#[unsafe(export_name = "__ieee_arithmetic_MOD_ieee_class_16")]
pub unsafe extern "C" fn class_16(to: *mut c_int, x: *const u8) {
    // SAFETY: each argument is the address of a value of its type, which need not be aligned.
    unsafe { *to = class_of(load(x)) };
}

/// The number of a class, as the constants of IEEE_ARITHMETIC have it.
fn class_of(x: Quad) -> c_int {
    let is_quiet = x.to_bits() >> 111 & 1 == 1;
    let is_normal = !is_less(x.abs(), Quad::MIN_POSITIVE);
    match (x.is_nan(), x.is_negative()) {
        (true, _) => 1 + c_int::from(is_quiet),
        (_, true) if !x.is_finite() => 3,
        (_, true) if is_normal => 4,
        (_, true) if !x.is_zero() => 5,
        (_, true) => 6,
        _ if x.is_zero() => 7,
        _ if !is_normal => 8,
        _ if x.is_finite() => 9,
        _ => 10,
    }
}

/// A value of a class, as gfortran gives it.
fn value_of(class: c_int) -> Quad {
    let subnormal = Quad::MIN_POSITIVE.scale(-1);
    match class {
        1 => Quad::from_bits(0x7fff_4000_0000_0000_0000_0000_0000_0000),
        3 => -Quad::INFINITY,
        4 => whole(-42),
        5 => -subnormal,
        6 => -Quad::ZERO,
        7 => Quad::ZERO,
        8 => subnormal,
        9 => whole(42),
        10 => Quad::INFINITY,
        _ => Quad::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quad(text: &str) -> Quad {
        Quad::parse(text).unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "calls functions of the C library for binary128")]
    fn degrees_are_exact_where_they_can_be() {
        assert_eq!(sine(whole(-750)), quad("-0.5"));
        assert_eq!(cosine(whole(60)), quad("0.5"));
        assert_eq!(tangent(whole(405)), Quad::ONE);
        assert_eq!(angle(whole(-1), whole(-1)), whole(-135));
        let error = sine(whole(45)) * sine(whole(45)) - quad("0.5");
        assert!(is_less(error.abs(), Quad::EPSILON));
    }

    #[test]
    #[cfg_attr(miri, ignore = "calls functions of the C library for binary128")]
    fn erfc_scaled_is_continuous() {
        let (below, above) = (erfc_scaled(whole(12).next_down()), erfc_scaled(whole(12)));
        assert!(is_less((below - above).abs(), below * quad("1e-30")));
        assert!(is_less((erfc_scaled(whole(20)) - quad("2.817434874105131931864915453e-2")).abs(), quad("1e-28")));
    }

    #[test]
    fn every_class_has_a_value_of_it() {
        for class in (1..=10).filter(|&c| c != 0) {
            assert_eq!(class_of(value_of(class)), class);
        }
    }
}
