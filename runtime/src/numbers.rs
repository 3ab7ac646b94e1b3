//! Integer powers.

/// `base ** exponent` for integers. A negative exponent gives the truncated reciprocal; `0 ** -1`, which
/// has no value, gives 0 and does not trap: the optimizer may evaluate a pure function early.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pow_i64(base: i64, exponent: i64) -> i64 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut square, mut rest, mut product) = (base, exponent as u64, 1i64);
    while rest != 0 {
        if rest % 2 == 1 {
            product = product.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        rest /= 2;
    }
    product
}

/// Binary powering in the order of `libgcc`: the result differs from the true power in the same bits
/// as gfortran's.
macro_rules! powi {
    ($base:expr, $count:expr) => {{
        let (mut square, mut rest) = ($base, $count);
        let mut product = if rest % 2 == 1 { square } else { 1.0 };
        rest /= 2;
        while rest != 0 {
            square *= square;
            if rest % 2 == 1 {
                product *= square;
            }
            rest /= 2;
        }
        product
    }};
}

/// `base ** exponent` with an integer exponent, multiplied as libgcc's `__powidf2` does.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_powi_f64(base: f64, exponent: i32) -> f64 {
    let product = powi!(base, exponent.unsigned_abs());
    if exponent < 0 { 1.0 / product } else { product }
}

/// `base ** exponent` with an integer exponent, multiplied as libgcc's `__powisf2` does.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_powi_f32(base: f32, exponent: i32) -> f32 {
    let product = powi!(base, exponent.unsigned_abs());
    if exponent < 0 { 1.0 / product } else { product }
}

/// `base ** exponent` with an `INTEGER(8)` exponent, multiplied as libgfortran does: a negative one takes powers of
/// the reciprocal.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pow_long_f64(base: f64, exponent: i64) -> f64 {
    powi!(if exponent < 0 { 1.0 / base } else { base }, exponent.unsigned_abs())
}

/// `base ** exponent` with an `INTEGER(8)` exponent, multiplied as libgfortran does.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pow_long_f32(base: f32, exponent: i64) -> f32 {
    powi!(if exponent < 0 { 1.0 / base } else { base }, exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_powers() {
        // SAFETY: any arguments are allowed.
        let pow = |b, e| unsafe { trueline_pow_i64(b, e) };
        assert_eq!((pow(2, 10), pow(-3, 3), pow(0, 0), pow(7, 0)), (1024, -27, 1, 1));
        assert_eq!((pow(2, -1), pow(1, -5), pow(-1, -5), pow(-1, -4), pow(0, -1)), (0, 1, -1, 1, 0));
        assert_eq!(pow(3, 64), 3i64.wrapping_pow(64));
        assert_eq!(pow(-1, i64::MIN), 1);
    }

    #[test]
    fn real_powers_follow_libgcc() {
        unsafe extern "C" {
            fn __powidf2(base: f64, exponent: i32) -> f64;
            fn __powisf2(base: f32, exponent: i32) -> f32;
        }
        for exponent in [0, 1, -1, 2, 3, 7, 10, 31, -31, 100, i32::MAX, i32::MIN] {
            for base in [1.1f64, -0.9, 1.0, 0.0, 3.7, -2.0] {
                // SAFETY: functions of numbers.
                let (ours, theirs) = unsafe { (trueline_powi_f64(base, exponent), __powidf2(base, exponent)) };
                assert_eq!(ours.to_bits(), theirs.to_bits(), "{base} ** {exponent}");
                let base = base as f32;
                // SAFETY: functions of numbers.
                let (ours, theirs) = unsafe { (trueline_powi_f32(base, exponent), __powisf2(base, exponent)) };
                assert_eq!(ours.to_bits(), theirs.to_bits(), "{base} ** {exponent}");
            }
        }
    }
}
