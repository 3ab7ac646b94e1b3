//! Intrinsic functions of COMPLEX and CHARACTER arguments under addresses of their own, and those of the C library
//! that Rust has no exact counterpart of ([`crate::specifics`]).
//!
//! A structure of two floats is passed and returned as C passes its complex numbers, and gfortran those of Fortran.

use std::ffi::c_uchar;

macro_rules! complex {
    ($($number:ident { $part:ty } $($symbol:ident = $function:ident;)*;)*) => {$(
        /// A complex number.
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $number {
            re: $part,
            im: $part,
        }

        unsafe extern "C" {
            $(fn $function(z: $number) -> $number;)*
        }

        $(
            /// The intrinsic function of that name.
            ///
            /// # Safety
            /// The argument is the address of a value of its type.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $symbol(z: *const $number) -> $number {
                // SAFETY: the arguments are addresses of values of their types; the function of the C library has no other conditions.
                unsafe { $function(*z) }
            }
        )*
    )*};
}

complex! {
    C4 { f32 }
        trueline_specific_sqrt_c4 = csqrtf;
        trueline_specific_exp_c4 = cexpf;
        trueline_specific_log_c4 = clogf;
        trueline_specific_sin_c4 = csinf;
        trueline_specific_cos_c4 = ccosf;
        trueline_specific_conjg_c4 = conjf;
    ;
    C8 { f64 }
        trueline_specific_sqrt_c8 = csqrt;
        trueline_specific_exp_c8 = cexp;
        trueline_specific_log_c8 = clog;
        trueline_specific_sin_c8 = csin;
        trueline_specific_cos_c8 = ccos;
        trueline_specific_conjg_c8 = conj;
    ;
}

macro_rules! real {
    ($($symbol:ident $ty:ty = $function:ident;)*) => {
        unsafe extern "C" {
            $(fn $function(x: $ty) -> $ty;)*
        }

        $(
            /// The intrinsic function of that name.
            ///
            /// # Safety
            /// The argument is the address of a value of its type.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $symbol(x: *const $ty) -> $ty {
                // SAFETY: the arguments are addresses of values of their types; the function of the C library has no other conditions.
                unsafe { $function(*x) }
            }
        )*
    };
}

real! {
    trueline_specific_acosh_r4 f32 = acoshf;
    trueline_specific_acosh_r8 f64 = acosh;
    trueline_specific_asinh_r4 f32 = asinhf;
    trueline_specific_asinh_r8 f64 = asinh;
    trueline_specific_atanh_r4 f32 = atanhf;
    trueline_specific_atanh_r8 f64 = atanh;
}

macro_rules! part {
    ($($symbol:ident $number:ty => $part:ty, $z:ident => $value:expr;)*) => {$(
        /// The intrinsic function of that name.
        ///
        /// # Safety
        /// The argument is the address of a value of its type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(z: *const $number) -> $part {
            // SAFETY: arguments of specific intrinsic functions are addresses of values of their types.
            let $z = unsafe { *z };
            $value
        }
    )*};
}

part! {
    trueline_specific_abs_c4 C4 => f32, z => z.re.hypot(z.im);
    trueline_specific_abs_c8 C8 => f64, z => z.re.hypot(z.im);
    trueline_specific_imag_c4 C4 => f32, z => z.im;
    trueline_specific_imag_c8 C8 => f64, z => z.im;
}

/// DPROD as an argument.
///
/// # Safety
/// The arguments are addresses of `REAL(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_specific_dprod(a: *const f32, b: *const f32) -> f64 {
    // SAFETY: arguments of specific intrinsic functions are addresses of values of their types.
    unsafe { f64::from(*a) * f64::from(*b) }
}

/// LEN as an argument.
#[unsafe(no_mangle)]
pub extern "C" fn trueline_specific_len(_: *const c_uchar, len: i64) -> i32 {
    len as i32
}

/// ICHAR as an argument.
///
/// # Safety
/// `text` is the address of a character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_specific_ichar(text: *const c_uchar, _: i64) -> i32 {
    // SAFETY: arguments of specific intrinsic functions are addresses of values of their types.
    i32::from(unsafe { *text })
}

/// INDEX as an argument.
///
/// # Safety
/// Each text is the address of as many characters as its length says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_specific_index(
    text: *const c_uchar,
    part: *const c_uchar,
    len: i64,
    part_len: i64,
) -> i32 {
    let bytes = |at: *const c_uchar, n: i64| {
        let n = usize::try_from(n).unwrap_or(0);
        // SAFETY: the text has `n` bytes; without any its address is not used.
        if n == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(at, n) } }
    };
    let (text, part) = (bytes(text, len), bytes(part, part_len));
    if part.is_empty() {
        return 1;
    }
    text.windows(part.len()).position(|w| w == part).map_or(0, |at| at as i32 + 1)
}
