//! RAND and IRAND, Bessel functions, and functions of degrees.

use crate::specifics::unary;
use std::sync::atomic::{AtomicU64, Ordering};

/// The state of RAND, which SRAND sets: a multiplicative generator of 31 bits.
static SEED: AtomicU64 = AtomicU64::new(1);
const MULTIPLIER: u64 = 16807;
const MODULUS: u64 = 2_147_483_647;

fn seed(value: i32) {
    // A generator of this kind stays at 0 for ever.
    SEED.store(if value == 0 { 123_459_876 } else { value as i64 as u64 }, Ordering::Relaxed);
}

fn next(flag: *const i32) -> i32 {
    // SAFETY: the argument is absent or the address of an INTEGER.
    match unsafe { flag.as_ref() }.copied().unwrap_or(0) {
        0 => {}
        value => seed(value),
    }
    let value = MULTIPLIER.wrapping_mul(SEED.load(Ordering::Relaxed)) % MODULUS;
    SEED.store(value, Ordering::Relaxed);
    value as i32
}

/// IRAND(flag): 0 goes on, 1 begins anew, other values are the seed.
///
/// # Safety
/// `flag` is null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_irand(flag: *const i32) -> i32 {
    next(flag)
}

/// RAND(flag), from 0 up to 1.
///
/// # Safety
/// `flag` is null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_rand(flag: *const i32) -> f32 {
    // No more bits than a REAL(4) holds, so that no value is rounded up to 1.
    let bits = (next(flag) - 1) & !0x1ff;
    bits as f32 * (-31f32).exp2()
}

/// RAN(flag): RAND under another name.
///
/// # Safety
/// `flag` is null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ran(flag: *const i32) -> f32 {
    // SAFETY: `flag` is null or the address of an INTEGER, as for the function.
    unsafe { trueline_lib_rand(flag) }
}

/// RANDOM_INIT(repeatable, image_distinct): there is one image.
///
/// # Safety
/// The arguments are addresses of `LOGICAL(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_random_init_sub(repeatable: *const i32, _distinct: *const i32) {
    // SAFETY: a scalar argument is the address of a value of its type.
    crate::random::start(unsafe { *repeatable } != 0);
}

/// SRAND(seed)
///
/// # Safety
/// `value` is the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_srand_sub(value: *const i32) {
    // SAFETY: a scalar argument is the address of a value of its type.
    seed(unsafe { *value });
}

#[link(name = "m")]
unsafe extern "C" {
    safe fn j0(x: f64) -> f64;
    safe fn j1(x: f64) -> f64;
    safe fn jn(n: i32, x: f64) -> f64;
    safe fn y0(x: f64) -> f64;
    safe fn y1(x: f64) -> f64;
    safe fn yn(n: i32, x: f64) -> f64;
    safe fn j0f(x: f32) -> f32;
    safe fn j1f(x: f32) -> f32;
    safe fn jnf(n: i32, x: f32) -> f32;
    safe fn y0f(x: f32) -> f32;
    safe fn y1f(x: f32) -> f32;
    safe fn ynf(n: i32, x: f32) -> f32;
}

macro_rules! order {
    ($($symbol:ident $ty:ty, $f:ident;)*) => {$(
        /// The Bessel function of that name and a whole order.
        ///
        /// # Safety
        /// The arguments are addresses of values of their types.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(n: *const i32, x: *const $ty) -> $ty {
            // SAFETY: both arguments are addresses of values of their types.
            unsafe { $f(*n, *x) }
        }
    )*};
}

/// Sine and cosine of degrees, exact at multiples of 30 where they are rational.
fn sine(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (sign, x) = if x < 0.0 { (-1.0, -x % 360.0) } else { (1.0, x % 360.0) };
    let (sign, x) = if x >= 180.0 { (-sign, x - 180.0) } else { (sign, x) };
    let x = if x > 90.0 { 180.0 - x } else { x };
    let value = match x {
        30.0 => 0.5,
        90.0 => 1.0,
        _ => x.to_radians().sin(),
    };
    sign * value
}

fn cosine(x: f64) -> f64 {
    let x = x.abs() % 360.0;
    // Exact below 360: a multiple of 90 has no rounding.
    // A zero of the cosine has no sign.
    sine(if x > 270.0 { x - 270.0 } else { x + 90.0 }) + 0.0
}

fn tangent(x: f64) -> f64 {
    match x % 180.0 {
        45.0 | -135.0 => 1.0,
        -45.0 | 135.0 => -1.0,
        _ => sine(x) / cosine(x),
    }
}

unary! {
    trueline_lib_besj0_r4 f32, x => j0f(x);
    trueline_lib_besj1_r4 f32, x => j1f(x);
    trueline_lib_besy0_r4 f32, x => y0f(x);
    trueline_lib_besy1_r4 f32, x => y1f(x);
    trueline_lib_besj0_r8 f64, x => j0(x);
    trueline_lib_besj1_r8 f64, x => j1(x);
    trueline_lib_besy0_r8 f64, x => y0(x);
    trueline_lib_besy1_r8 f64, x => y1(x);
    trueline_lib_sind_r4 f32, x => sine(x.into()) as f32;
    trueline_lib_sind_r8 f64, x => sine(x);
    trueline_lib_cosd_r4 f32, x => cosine(x.into()) as f32;
    trueline_lib_cosd_r8 f64, x => cosine(x);
    trueline_lib_tand_r4 f32, x => tangent(x.into()) as f32;
    trueline_lib_tand_r8 f64, x => tangent(x);
    trueline_lib_cotan_r4 f32, x => (1.0 / f64::from(x).tan()) as f32;
    trueline_lib_cotan_r8 f64, x => 1.0 / x.tan();
    trueline_lib_cotand_r4 f32, x => (1.0 / tangent(x.into())) as f32;
    trueline_lib_cotand_r8 f64, x => 1.0 / tangent(x);
    trueline_lib_asind_r4 f32, x => f64::from(x).asin().to_degrees() as f32;
    trueline_lib_asind_r8 f64, x => x.asin().to_degrees();
    trueline_lib_acosd_r4 f32, x => f64::from(x).acos().to_degrees() as f32;
    trueline_lib_acosd_r8 f64, x => x.acos().to_degrees();
    trueline_lib_atand_r4 f32, x => f64::from(x).atan().to_degrees() as f32;
    trueline_lib_atand_r8 f64, x => x.atan().to_degrees();
}

order! {
    trueline_lib_besjn_r4 f32, jnf;
    trueline_lib_besjn_r8 f64, jn;
    trueline_lib_besyn_r4 f32, ynf;
    trueline_lib_besyn_r8 f64, yn;
}

/// ATAN2D(y, x)
///
/// # Safety
/// The arguments are addresses of values of their types.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_atan2d_r4(y: *const f32, x: *const f32) -> f32 {
    // SAFETY: a scalar argument is the address of a value of its type.
    let (y, x) = unsafe { (f64::from(*y), f64::from(*x)) };
    y.atan2(x).to_degrees() as f32
}

/// ATAN2D(y, x)
///
/// # Safety
/// The arguments are addresses of values of their types.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_atan2d_r8(y: *const f64, x: *const f64) -> f64 {
    // SAFETY: a scalar argument is the address of a value of its type.
    unsafe { (*y).atan2(*x).to_degrees() }
}
