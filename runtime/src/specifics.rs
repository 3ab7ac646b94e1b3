//! Intrinsic functions under addresses of their own: what `CALL INTEGRATE(SIN, …)` passes.
//!
//! They take their arguments by reference, as any procedure of the program does. The results are those
//! of the compiler's own code for the function: both end in the C library.

macro_rules! unary {
    ($($symbol:ident $ty:ty, $x:ident => $value:expr;)*) => {$(
        /// The intrinsic function of that name.
        ///
        /// # Safety
        /// The argument is the address of a value of its type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(x: *const $ty) -> $ty {
            // SAFETY: as the caller promises.
            let $x = unsafe { *x };
            $value
        }
    )*};
}

macro_rules! binary {
    ($($symbol:ident $ty:ty, $a:ident $b:ident => $value:expr;)*) => {$(
        /// The intrinsic function of that name.
        ///
        /// # Safety
        /// The arguments are addresses of values of their type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(a: *const $ty, b: *const $ty) -> $ty {
            // SAFETY: as the caller promises.
            let ($a, $b) = unsafe { (*a, *b) };
            $value
        }
    )*};
}

unary! {
    trueline_specific_asinh_r4 f32, x => asinhf(x);
    trueline_specific_asinh_r8 f64, x => asinh(x);
    trueline_specific_acosh_r4 f32, x => acoshf(x);
    trueline_specific_acosh_r8 f64, x => acosh(x);
    trueline_specific_atanh_r4 f32, x => atanhf(x);
    trueline_specific_atanh_r8 f64, x => atanh(x);
    trueline_specific_abs_i4 i32, x => x.wrapping_abs();
    trueline_specific_abs_r4 f32, x => x.abs();
    trueline_specific_abs_r8 f64, x => x.abs();
    trueline_specific_sqrt_r4 f32, x => x.sqrt();
    trueline_specific_sqrt_r8 f64, x => x.sqrt();
    trueline_specific_exp_r4 f32, x => x.exp();
    trueline_specific_exp_r8 f64, x => x.exp();
    trueline_specific_log_r4 f32, x => x.ln();
    trueline_specific_log_r8 f64, x => x.ln();
    trueline_specific_log10_r4 f32, x => x.log10();
    trueline_specific_log10_r8 f64, x => x.log10();
    trueline_specific_sin_r4 f32, x => x.sin();
    trueline_specific_sin_r8 f64, x => x.sin();
    trueline_specific_cos_r4 f32, x => x.cos();
    trueline_specific_cos_r8 f64, x => x.cos();
    trueline_specific_tan_r4 f32, x => x.tan();
    trueline_specific_tan_r8 f64, x => x.tan();
    trueline_specific_asin_r4 f32, x => x.asin();
    trueline_specific_asin_r8 f64, x => x.asin();
    trueline_specific_acos_r4 f32, x => x.acos();
    trueline_specific_acos_r8 f64, x => x.acos();
    trueline_specific_atan_r4 f32, x => x.atan();
    trueline_specific_atan_r8 f64, x => x.atan();
    trueline_specific_sinh_r4 f32, x => x.sinh();
    trueline_specific_sinh_r8 f64, x => x.sinh();
    trueline_specific_cosh_r4 f32, x => x.cosh();
    trueline_specific_cosh_r8 f64, x => x.cosh();
    trueline_specific_tanh_r4 f32, x => x.tanh();
    trueline_specific_tanh_r8 f64, x => x.tanh();
    trueline_specific_aint_r4 f32, x => x.trunc();
    trueline_specific_aint_r8 f64, x => x.trunc();
    trueline_specific_anint_r4 f32, x => x.round();
    trueline_specific_anint_r8 f64, x => x.round();
}

binary! {
    trueline_specific_atan2_r4 f32, a b => a.atan2(b);
    trueline_specific_atan2_r8 f64, a b => a.atan2(b);
    trueline_specific_mod_i4 i32, a b => if b == 0 { 0 } else { a.wrapping_rem(b) };
    trueline_specific_mod_r4 f32, a b => a % b;
    trueline_specific_mod_r8 f64, a b => a % b;
    trueline_specific_sign_i4 i32, a b => if b < 0 { a.wrapping_abs().wrapping_neg() } else { a.wrapping_abs() };
    trueline_specific_sign_r4 f32, a b => a.copysign(b);
    trueline_specific_sign_r8 f64, a b => a.copysign(b);
    trueline_specific_dim_i4 i32, a b => if a > b { a.wrapping_sub(b) } else { 0 };
    trueline_specific_dim_r4 f32, a b => if a > b { a - b } else { 0.0 };
    trueline_specific_dim_r8 f64, a b => if a > b { a - b } else { 0.0 };
}

/// NINT as an argument.
///
/// # Safety
/// `x` is the address of a `REAL(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_specific_nint_r4(x: *const f32) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { *x }.round() as i32
}

/// IDNINT as an argument.
///
/// # Safety
/// `x` is the address of a `REAL(8)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_specific_nint_r8(x: *const f64) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { *x }.round() as i32
}

/// A complex number: C passes it and gives it back as this structure.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Complex<T> {
    re: T,
    im: T,
}

type C4 = Complex<f32>;
type C8 = Complex<f64>;

// Of the C library: Rust has no complex numbers, and inverse hyperbolic functions of its own that differ.
unsafe extern "C" {
    safe fn asinhf(x: f32) -> f32;
    safe fn asinh(x: f64) -> f64;
    safe fn acoshf(x: f32) -> f32;
    safe fn acosh(x: f64) -> f64;
    safe fn atanhf(x: f32) -> f32;
    safe fn atanh(x: f64) -> f64;
    safe fn csqrtf(z: C4) -> C4;
    safe fn csqrt(z: C8) -> C8;
    safe fn cexpf(z: C4) -> C4;
    safe fn cexp(z: C8) -> C8;
    safe fn clogf(z: C4) -> C4;
    safe fn clog(z: C8) -> C8;
    safe fn csinf(z: C4) -> C4;
    safe fn csin(z: C8) -> C8;
    safe fn ccosf(z: C4) -> C4;
    safe fn ccos(z: C8) -> C8;
}

macro_rules! complex {
    ($($symbol:ident $from:ty => $to:ty, $z:ident => $value:expr;)*) => {$(
        /// The intrinsic function of that name.
        ///
        /// # Safety
        /// The argument is the address of a value of its type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(z: *const $from) -> $to {
            // SAFETY: as the caller promises.
            let $z = unsafe { *z };
            $value
        }
    )*};
}

complex! {
    trueline_specific_abs_c4 C4 => f32, z => z.re.hypot(z.im);
    trueline_specific_abs_c8 C8 => f64, z => z.re.hypot(z.im);
    trueline_specific_imag_c4 C4 => f32, z => z.im;
    trueline_specific_imag_c8 C8 => f64, z => z.im;
    trueline_specific_conjg_c4 C4 => C4, z => Complex { re: z.re, im: -z.im };
    trueline_specific_conjg_c8 C8 => C8, z => Complex { re: z.re, im: -z.im };
    trueline_specific_sqrt_c4 C4 => C4, z => csqrtf(z);
    trueline_specific_sqrt_c8 C8 => C8, z => csqrt(z);
    trueline_specific_exp_c4 C4 => C4, z => cexpf(z);
    trueline_specific_exp_c8 C8 => C8, z => cexp(z);
    trueline_specific_log_c4 C4 => C4, z => clogf(z);
    trueline_specific_log_c8 C8 => C8, z => clog(z);
    trueline_specific_sin_c4 C4 => C4, z => csinf(z);
    trueline_specific_sin_c8 C8 => C8, z => csin(z);
    trueline_specific_cos_c4 C4 => C4, z => ccosf(z);
    trueline_specific_cos_c8 C8 => C8, z => ccos(z);
}

/// DPROD as an argument.
///
/// # Safety
/// The arguments are addresses of `REAL(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_specific_dprod(a: *const f32, b: *const f32) -> f64 {
    // SAFETY: as the caller promises.
    unsafe { f64::from(*a) * f64::from(*b) }
}

/// LEN as an argument. The length of a character argument follows the arguments.
#[unsafe(no_mangle)]
pub extern "C" fn trueline_specific_len(_text: *const u8, len: i64) -> i32 {
    len as i32
}

/// INDEX as an argument.
///
/// # Safety
/// The addresses are those of so many characters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_specific_index(text: *const u8, sub: *const u8, len: i64, sub_len: i64) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { crate::chars::trueline_char_index(text, len, sub, sub_len, 0) as i32 }
}
