//! The procedures of IEEE_ARITHMETIC and IEEE_EXCEPTIONS that are more than an operation. The compiler's
//! `src/parse/sema/declare/intrinsic_modules` declares them; derived types of these modules are one integer each.

use std::ffi::c_int;

unsafe extern "C" {
    pub(crate) fn fegetround() -> c_int;
    pub(crate) fn fesetround(mode: c_int) -> c_int;
    pub(crate) fn fetestexcept(flags: c_int) -> c_int;
    pub(crate) fn feclearexcept(flags: c_int) -> c_int;
    fn feraiseexcept(flags: c_int) -> c_int;
    fn fegetexcept() -> c_int;
    fn feenableexcept(flags: c_int) -> c_int;
    fn fedisableexcept(flags: c_int) -> c_int;
    fn fegetenv(to: *mut u8) -> c_int;
    fn fesetenv(from: *const u8) -> c_int;
    fn rint(x: f64) -> f64;
    fn rintf(x: f32) -> f32;
    fn logb(x: f64) -> f64;
    fn logbf(x: f32) -> f32;
    fn scalbn(x: f64, n: c_int) -> f64;
    fn scalbnf(x: f32, n: c_int) -> f32;
    fn remainder(x: f64, y: f64) -> f64;
    fn remainderf(x: f32, y: f32) -> f32;
}

/// The flags of the C library, in the order of the values of IEEE_FLAG_TYPE from 1: invalid, overflow, division by zero,
/// underflow, inexact.
#[cfg(target_arch = "x86_64")]
const FLAGS: [c_int; 5] = [1, 8, 4, 16, 32];
#[cfg(target_arch = "aarch64")]
const FLAGS: [c_int; 5] = [1, 4, 2, 8, 16];

/// Its rounding modes, in the order of the values of IEEE_ROUND_TYPE from 1: nearest, to zero, up, down.
#[cfg(target_arch = "x86_64")]
const MODES: [c_int; 4] = [0, 0xc00, 0x800, 0x400];
#[cfg(target_arch = "aarch64")]
const MODES: [c_int; 4] = [0, 0xc0_0000, 0x40_0000, 0x80_0000];

fn flag(number: i32) -> c_int {
    usize::try_from(number - 1).ok().and_then(|k| FLAGS.get(k)).copied().unwrap_or(0)
}

macro_rules! exported {
    ($(fn $symbol:literal $name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(
            /// # Safety
            /// The arguments are addresses of variables of the declared types.
            #[unsafe(export_name = $symbol)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $result)? {
                // SAFETY: the compiler passes addresses of variables; the functions of the C library have no conditions.
                unsafe { $body }
            }
        )*
    };
}

exported! {
    fn "__ieee_exceptions_MOD_ieee_get_flag" get_flag(number: *const i32, value: *mut i32) {
        *value = i32::from(fetestexcept(flag(*number)) != 0);
    }
    fn "__ieee_exceptions_MOD_ieee_set_flag" set_flag(number: *const i32, value: *const i32) {
        if *value == 0 {
            feclearexcept(flag(*number));
        } else {
            feraiseexcept(flag(*number));
        }
    }
    fn "__ieee_exceptions_MOD_ieee_get_halting_mode" get_halting(number: *const i32, value: *mut i32) {
        *value = i32::from(fegetexcept() & flag(*number) != 0);
    }
    fn "__ieee_exceptions_MOD_ieee_set_halting_mode" set_halting(number: *const i32, value: *const i32) {
        if *value == 0 {
            fedisableexcept(flag(*number));
        } else {
            // Exceptions raised before do not count.
            feclearexcept(flag(*number));
            feenableexcept(flag(*number));
        }
    }
    fn "__ieee_exceptions_MOD_ieee_get_status" get_status(to: *mut u8) {
        fegetenv(to);
    }
    fn "__ieee_exceptions_MOD_ieee_set_status" set_status(from: *const u8) {
        fesetenv(from);
    }
    fn "__ieee_exceptions_MOD_ieee_same_flag" same_flag(a: *const i32, b: *const i32) -> i32 {
        i32::from(*a == *b)
    }
    fn "__ieee_exceptions_MOD_ieee_other_flag" other_flag(a: *const i32, b: *const i32) -> i32 {
        i32::from(*a != *b)
    }
    fn "__ieee_arithmetic_MOD_ieee_same_class" same_class(a: *const i32, b: *const i32) -> i32 {
        i32::from(*a == *b)
    }
    fn "__ieee_arithmetic_MOD_ieee_other_class" other_class(a: *const i32, b: *const i32) -> i32 {
        i32::from(*a != *b)
    }
    fn "__ieee_arithmetic_MOD_ieee_same_round" same_round(a: *const i32, b: *const i32) -> i32 {
        i32::from(*a == *b)
    }
    fn "__ieee_arithmetic_MOD_ieee_other_round" other_round(a: *const i32, b: *const i32) -> i32 {
        i32::from(*a != *b)
    }
    fn "__ieee_arithmetic_MOD_ieee_class_4" class_4(to: *mut i32, x: *const f32) {
        let bits = (*x).to_bits();
        *to = class_of(bits >> 31 != 0, (*x).classify(), bits >> 22 & 1 != 0);
    }
    fn "__ieee_arithmetic_MOD_ieee_class_8" class_8(to: *mut i32, x: *const f64) {
        let bits = (*x).to_bits();
        *to = class_of(bits >> 63 != 0, (*x).classify(), bits >> 51 & 1 != 0);
    }
    fn "__ieee_arithmetic_MOD_ieee_value_4" value_4(_x: *const f32, class: *const i32) -> f32 {
        match *class {
            1 => f32::from_bits(0x7fa0_0000),
            5 => -f32::from_bits(0x0040_0000),
            8 => f32::from_bits(0x0040_0000),
            class => value_of(class) as f32,
        }
    }
    fn "__ieee_arithmetic_MOD_ieee_value_8" value_8(_x: *const f64, class: *const i32) -> f64 {
        value_of(*class)
    }
    fn "__ieee_arithmetic_MOD_ieee_logb_4" logb_4(x: *const f32) -> f32 {
        logbf(*x)
    }
    fn "__ieee_arithmetic_MOD_ieee_logb_8" logb_8(x: *const f64) -> f64 {
        logb(*x)
    }
    fn "__ieee_arithmetic_MOD_ieee_rint_4" rint_4(x: *const f32) -> f32 {
        rintf(*x)
    }
    fn "__ieee_arithmetic_MOD_ieee_rint_8" rint_8(x: *const f64) -> f64 {
        rint(*x)
    }
    fn "__ieee_arithmetic_MOD_ieee_scalb_4_1" scalb_4_1(x: *const f32, n: *const i8) -> f32 {
        scalbnf(*x, i32::from(*n))
    }
    fn "__ieee_arithmetic_MOD_ieee_scalb_4_2" scalb_4_2(x: *const f32, n: *const i16) -> f32 {
        scalbnf(*x, i32::from(*n))
    }
    fn "__ieee_arithmetic_MOD_ieee_scalb_4_4" scalb_4_4(x: *const f32, n: *const i32) -> f32 {
        scalbnf(*x, *n)
    }
    fn "__ieee_arithmetic_MOD_ieee_scalb_4_8" scalb_4_8(x: *const f32, n: *const i64) -> f32 {
        scalbnf(*x, (*n).clamp(-9999, 9999) as c_int)
    }
    fn "__ieee_arithmetic_MOD_ieee_scalb_8_1" scalb_8_1(x: *const f64, n: *const i8) -> f64 {
        scalbn(*x, i32::from(*n))
    }
    fn "__ieee_arithmetic_MOD_ieee_scalb_8_2" scalb_8_2(x: *const f64, n: *const i16) -> f64 {
        scalbn(*x, i32::from(*n))
    }
    fn "__ieee_arithmetic_MOD_ieee_scalb_8_4" scalb_8_4(x: *const f64, n: *const i32) -> f64 {
        scalbn(*x, *n)
    }
    fn "__ieee_arithmetic_MOD_ieee_scalb_8_8" scalb_8_8(x: *const f64, n: *const i64) -> f64 {
        scalbn(*x, (*n).clamp(-9999, 9999) as c_int)
    }
    fn "__ieee_arithmetic_MOD_ieee_rem_4_4" rem_4_4(x: *const f32, y: *const f32) -> f32 {
        remainderf(*x, *y)
    }
    fn "__ieee_arithmetic_MOD_ieee_rem_4_8" rem_4_8(x: *const f32, y: *const f64) -> f64 {
        remainder(f64::from(*x), *y)
    }
    fn "__ieee_arithmetic_MOD_ieee_rem_8_4" rem_8_4(x: *const f64, y: *const f32) -> f64 {
        remainder(*x, f64::from(*y))
    }
    fn "__ieee_arithmetic_MOD_ieee_rem_8_8" rem_8_8(x: *const f64, y: *const f64) -> f64 {
        remainder(*x, *y)
    }
    fn "__ieee_arithmetic_MOD_ieee_get_rounding_mode" get_rounding(to: *mut i32) {
        let mode = fegetround();
        *to = MODES.iter().position(|&m| m == mode).map_or(0, |k| k as i32 + 1);
    }
    fn "__ieee_arithmetic_MOD_ieee_set_rounding_mode" set_rounding(mode: *const i32) {
        if let Some(&mode) = usize::try_from(*mode - 1).ok().and_then(|k| MODES.get(k)) {
            fesetround(mode);
        }
    }
    fn "__ieee_arithmetic_MOD_ieee_get_underflow_mode" get_underflow(gradual: *mut i32) {
        *gradual = i32::from(is_gradual());
    }
    fn "__ieee_arithmetic_MOD_ieee_set_underflow_mode" set_underflow(gradual: *const i32) {
        set_gradual(*gradual != 0);
    }
}

/// The number of a class, as the constants of IEEE_ARITHMETIC have it.
fn class_of(negative: bool, class: std::num::FpCategory, is_quiet: bool) -> i32 {
    use std::num::FpCategory::*;
    match (class, negative) {
        (Nan, _) if is_quiet => 2,
        (Nan, _) => 1,
        (Infinite, true) => 3,
        (Normal, true) => 4,
        (Subnormal, true) => 5,
        (Zero, true) => 6,
        (Zero, false) => 7,
        (Subnormal, false) => 8,
        (Normal, false) => 9,
        (Infinite, false) => 10,
    }
}

/// A value of a class, as gfortran gives it.
fn value_of(class: i32) -> f64 {
    match class {
        1 => f64::from_bits(0x7ff4_0000_0000_0000),
        3 => f64::NEG_INFINITY,
        4 => -42.0,
        5 => -f64::from_bits(0x0008_0000_0000_0000),
        6 => -0.0,
        7 => 0.0,
        8 => f64::from_bits(0x0008_0000_0000_0000),
        9 => 42.0,
        10 => f64::INFINITY,
        _ => f64::NAN,
    }
}

/// The bit that has results too small for a normal number become zero.
#[cfg(target_arch = "x86_64")]
const FLUSH: u32 = 1 << 15;
#[cfg(target_arch = "aarch64")]
const FLUSH: u64 = 1 << 24;

#[cfg(target_arch = "x86_64")]
fn is_gradual() -> bool {
    let mut mxcsr = 0u32;
    // SAFETY: stores the SSE control and status register into a variable of its size.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack)) };
    mxcsr & FLUSH == 0
}

#[cfg(target_arch = "x86_64")]
fn set_gradual(on: bool) {
    let mut mxcsr = 0u32;
    // SAFETY: as above.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack)) };
    let mxcsr = if on { mxcsr & !FLUSH } else { mxcsr | FLUSH };
    // SAFETY: loads the register with its old value but for one bit, which is defined.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack)) };
}

#[cfg(target_arch = "aarch64")]
fn is_gradual() -> bool {
    let fpcr: u64;
    // SAFETY: reads the floating-point control register.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) fpcr, options(nomem, nostack)) };
    fpcr & FLUSH == 0
}

#[cfg(target_arch = "aarch64")]
fn set_gradual(on: bool) {
    let fpcr: u64;
    // SAFETY: as above.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) fpcr, options(nomem, nostack)) };
    let fpcr = if on { fpcr & !FLUSH } else { fpcr | FLUSH };
    // SAFETY: writes the register with its old value but for one bit, which is defined.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) fpcr, options(nostack)) };
}
