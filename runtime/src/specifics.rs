//! Intrinsic functions under addresses of their own, as `CALL INTEGRATE(SIN, …)` passes them.
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
            // SAFETY: arguments of specific intrinsic functions are addresses of values of their types.
            let $x = unsafe { *x };
            $value
        }
    )*};
}
pub(crate) use unary;

macro_rules! binary {
    ($($symbol:ident $ty:ty, $a:ident $b:ident => $value:expr;)*) => {$(
        /// The intrinsic function of that name.
        ///
        /// # Safety
        /// The arguments are addresses of values of their type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(a: *const $ty, b: *const $ty) -> $ty {
            // SAFETY: arguments of specific intrinsic functions are addresses of values of their types.
            let ($a, $b) = unsafe { (*a, *b) };
            $value
        }
    )*};
}

unary! {
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
    // SAFETY: arguments of specific intrinsic functions are addresses of values of their types.
    unsafe { *x }.round() as i32
}

/// IDNINT as an argument.
///
/// # Safety
/// `x` is the address of a `REAL(8)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_specific_nint_r8(x: *const f64) -> i32 {
    // SAFETY: arguments of specific intrinsic functions are addresses of values of their types.
    unsafe { *x }.round() as i32
}
