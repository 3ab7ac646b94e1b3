//! Exact decimal digits of binary numbers, rounded once.
//!
//! Most numbers, times the power of ten of their last digit, are a product or quotient of integers of 128 bits, which is rounded to a whole number
//! ([`scaled`]); of most of the others the first 128 bits of a power of five are enough ([`powers`]). `core::fmt` rounds correctly to any number of digits, ties to even, but takes ten
//! times as long where the exact expansion is short, and a hundred times where it is long; the
//! other rounding modes, and rounding left of the decimal point (a negative scale factor), work on the exact expansion.

mod powers;

use super::unit::Rounding;
use std::cmp::Ordering;
use std::io::Write;
use trueline_abi::{Quad, Real};

/// A decimal number `0.d1 d2 d3 … * 10^point`. No digits: zero. The first digit is not zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decimal {
    pub negative: bool,
    pub digits: Vec<u8>,
    pub point: i32,
}

/// More digits than the exact expansion of any `REAL(8)` has, before or after the point.
const EXACT: usize = 1100;

/// The same of a `REAL(16)`.
const LONGEST: usize = 17_000;

/// `x`, finite, rounded to `count` significant digits (at least one). Trailing zeros are kept up to the
/// length of an exact expansion.
pub(crate) fn significant(x: Real, count: usize, rounding: Rounding) -> Decimal {
    match x {
        Real::Double(x) => significant_double(x, count, rounding),
        Real::Quad(x) => round(digits_of(x), count.clamp(1, LONGEST) as i64, rounding),
    }
}

/// `x`, finite, rounded to a multiple of `10^-places`.
pub(crate) fn fixed(x: Real, places: i64, rounding: Rounding) -> Decimal {
    match x {
        Real::Double(x) => fixed_double(x, places, rounding),
        Real::Quad(x) => {
            let exact = digits_of(x);
            let keep = i64::from(exact.point).saturating_add(places);
            round(exact, keep, rounding)
        }
    }
}

/// All digits of a finite number of kind 16: for `whole * 2^n` those of the product, for `whole * 2^-n` those of `whole * 5^n`, which
/// is it times `10^n`.
fn digits_of(x: Quad) -> Decimal {
    const BASE: u64 = 1_000_000_000;
    const PLACES: usize = 9;
    let (whole, exponent) = x.parts();
    let mut limbs: Vec<u32> = Vec::new();
    let mut rest = whole;
    while rest > 0 {
        limbs.push((rest % u128::from(BASE)) as u32);
        rest /= u128::from(BASE);
    }
    // The largest powers that fit a limb's product.
    let (factor, most) = if exponent >= 0 { (2u64, 29) } else { (5u64, 12) };
    let mut left = if limbs.is_empty() { 0 } else { exponent.unsigned_abs() };
    while left > 0 {
        let step = left.min(most);
        let by = factor.pow(step);
        let mut carry = 0;
        for limb in &mut limbs {
            let product = u64::from(*limb) * by + carry;
            *limb = (product % BASE) as u32;
            carry = product / BASE;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
        left -= step;
    }
    let mut digits = Vec::with_capacity(limbs.len() * PLACES);
    for limb in limbs.iter().rev() {
        // Writing to a vector does not fail.
        let _ = write!(digits, "{limb:09}");
    }
    let zeros = digits.iter().take_while(|&&b| b == b'0').count();
    digits.drain(..zeros);
    let point = if digits.is_empty() { 0 } else { digits.len() as i32 + exponent.min(0) };
    let len = digits.iter().rposition(|&b| b != b'0').map_or(0, |last| last + 1);
    digits.truncate(len);
    Decimal { negative: x.is_negative(), digits, point }
}

/// The place of the decimal point of `x`, finite and not zero, as it is: not rounded.
pub(crate) fn point(x: Real) -> i32 {
    if let Real::Double(x) = x {
        let near = scientific(x, 20);
        // Only to a power of ten may the number have been rounded up.
        if near.digits[0] != b'1' || near.digits[1..].iter().any(|&d| d != b'0') {
            return near.point;
        }
    }
    significant(x, 1, Rounding::Zero).point
}

fn significant_double(x: f64, count: usize, rounding: Rounding) -> Decimal {
    let count = count.clamp(1, EXACT);
    if x == 0.0 {
        return Decimal { negative: x.is_sign_negative(), digits: Vec::new(), point: 0 };
    }
    match rounding {
        Rounding::Unspecified | Rounding::Nearest => scientific(x, count),
        _ => round(exact(x), count as i64, rounding),
    }
}

fn fixed_double(x: f64, places: i64, rounding: Rounding) -> Decimal {
    let default = matches!(rounding, Rounding::Unspecified | Rounding::Nearest);
    if x == 0.0 || !default || places < 0 {
        let exact = exact(x);
        let keep = i64::from(exact.point).saturating_add(places);
        return round(exact, keep, rounding);
    }
    if let Some(whole) = i32::try_from(places).ok().and_then(|p| rounded(x, p)) {
        let digits = if whole == 0 { Vec::new() } else { digits(whole) };
        let point = if whole == 0 { 0 } else { digits.len() as i32 - places as i32 };
        return Decimal { negative: x.is_sign_negative(), digits, point };
    }
    let places = places.min(EXACT as i64) as usize;
    let mut text = Vec::with_capacity(places + 24);
    // Writing to a vector does not fail.
    let _ = write!(text, "{:.*}", places, x.abs());
    let whole = text.iter().position(|&b| b == b'.').unwrap_or(text.len());
    if whole < text.len() {
        text.remove(whole);
    }
    let zeros = text.iter().take_while(|&&b| b == b'0').count();
    text.drain(..zeros);
    let point = if text.is_empty() { 0 } else { whole as i32 - zeros as i32 };
    Decimal { negative: x.is_sign_negative(), digits: text, point }
}

/// The digits of `x`, not zero, to `count` places, ties to even.
fn scientific(x: f64, count: usize) -> Decimal {
    if let Some((whole, point)) = leading(x, count) {
        return Decimal { negative: x.is_sign_negative(), digits: digits(whole), point };
    }
    let mut text = Vec::with_capacity(count + 8);
    // Writing to a vector does not fail.
    let _ = write!(text, "{:.*e}", count - 1, x.abs());
    let e = text.iter().rposition(|&b| b == b'e').unwrap_or(text.len());
    let exponent = std::str::from_utf8(&text[(e + 1).min(text.len())..]).ok().and_then(|s| s.parse::<i32>().ok());
    text.truncate(e);
    if text.len() > 1 {
        text.remove(1);
    }
    Decimal { negative: x.is_sign_negative(), digits: text, point: exponent.unwrap_or(0) + 1 }
}

/// The digits of a whole number.
fn digits(whole: u128) -> Vec<u8> {
    let text = if let Ok(whole) = u64::try_from(whole) { whole.to_string() } else { whole.to_string() };
    text.into_bytes()
}

/// The first `count` digits of `x`, not zero, as a whole number, and its decimal point; none if integers of 128 bits are too short.
fn leading(x: f64, count: usize) -> Option<(u128, i32)> {
    let count = i32::try_from(count).ok().filter(|&n| n <= MOST_DIGITS)?;
    let (whole, exponent) = parts(x);
    // The place of the first digit, or one less.
    let least = (exponent + (u64::BITS - whole.leading_zeros()) as i32 - 1) * 30103;
    let first = least.div_euclid(100_000);
    let most = 10u128.pow(count as u32);
    let whole = rounded(x, count - 1 - first)?;
    if whole < most {
        return Some((whole, first + 1));
    }
    // One place higher, or rounded up to there.
    Some((rounded(x, count - 2 - first)?, first + 2))
}

/// The most digits that are looked for in integers of 128 bits.
const MOST_DIGITS: i32 = 22;

/// The powers of five that fit 128 bits.
const FIVES: [u128; 56] = {
    let mut all = [1; 56];
    let mut n = 1;
    while n < all.len() {
        all[n] = 5 * all[n - 1];
        n += 1;
    }
    all
};

/// `whole * 2^exponent`, the absolute value of a finite number.
fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) }
}

/// The absolute value of `x`, finite and not zero, times `10^power`, rounded to a whole number, ties to even; none if that takes longer integers.
fn rounded(x: f64, power: i32) -> Option<u128> {
    scaled(x, power).or_else(|| {
        let (whole, exponent) = parts(x);
        powers::scaled(whole, exponent, power)
    })
}

/// [`rounded`] by exact integers of 128 bits; none if they are too short. Zeros at the
/// end of the binary digits, of which a number of kind 4 has many, and the twos of the power of ten take no room.
fn scaled(x: f64, power: i32) -> Option<u128> {
    let (whole, exponent) = parts(x);
    let zeros = whole.trailing_zeros() % u64::BITS;
    let (whole, exponent) = (u128::from(whole >> zeros), exponent + zeros as i32);
    let fives = *FIVES.get(power.unsigned_abs() as usize)?;
    let shift = exponent + power;
    let shifted = |n: u128, by: u32| (by < n.leading_zeros()).then(|| n << by);
    let (quotient, rest, divisor) = if power >= 0 {
        let number = whole.checked_mul(fives).filter(|n| n.leading_zeros() > 0)?;
        let by = shift.unsigned_abs();
        if shift >= 0 {
            return shifted(number, by);
        }
        if by >= u128::BITS {
            // The number is shorter than 128 bits: less than half.
            return Some(0);
        }
        (number >> by, number & ((1 << by) - 1), 1 << by)
    } else {
        let by = shift.unsigned_abs();
        let (number, divisor) = if shift >= 0 { (shifted(whole, by)?, fives) } else { (whole, shifted(fives, by)?) };
        (number / divisor, number % divisor, divisor)
    };
    let up = match rest.cmp(&(divisor - rest)) {
        Ordering::Less => false,
        Ordering::Equal => quotient % 2 == 1,
        Ordering::Greater => true,
    };
    Some(quotient + u128::from(up))
}

/// All digits of `x`.
fn exact(x: f64) -> Decimal {
    if x == 0.0 {
        return Decimal { negative: x.is_sign_negative(), digits: Vec::new(), point: 0 };
    }
    let mut decimal = scientific(x, EXACT);
    let len = decimal.digits.iter().rposition(|&b| b != b'0').map_or(0, |last| last + 1);
    decimal.digits.truncate(len);
    decimal
}

/// Rounds an exact expansion to its first `keep` digits, which may be none or even less.
fn round(mut x: Decimal, keep: i64, rounding: Rounding) -> Decimal {
    if keep >= x.digits.len() as i64 {
        if !x.digits.is_empty() {
            x.digits.resize((keep as usize).min(LONGEST), b'0');
        }
        return x;
    }
    if keep < 0 {
        // Less than a tenth of the last place.
        let away = rounds_up(&x, 0, b"0", rounding);
        x.point = x.point.saturating_sub(keep.max(i32::MIN.into()) as i32);
        x.digits = if away { vec![b'1'] } else { Vec::new() };
        x.point = if away { x.point + 1 } else { 0 };
        return x;
    }
    let keep = keep as usize;
    let last = if keep > 0 { x.digits[keep - 1] } else { b'0' };
    let up = rounds_up(&x, last, &x.digits[keep..], rounding);
    x.digits.truncate(keep);
    if up {
        increment(&mut x);
    } else if keep == 0 {
        x.point = 0;
    }
    x
}

/// Whether cutting off `rest`, which is not all zeros, after digit `last` rounds away from zero.
fn rounds_up(x: &Decimal, last: u8, rest: &[u8], rounding: Rounding) -> bool {
    let first = rest[0];
    let beyond_half = first > b'5' || first == b'5' && rest.len() > 1;
    match rounding {
        Rounding::Up => !x.negative,
        Rounding::Down => x.negative,
        Rounding::Zero => false,
        Rounding::Compatible => first >= b'5',
        Rounding::Unspecified | Rounding::Nearest => beyond_half || first == b'5' && last % 2 == 1,
    }
}

/// Adds one to the last digit.
fn increment(x: &mut Decimal) {
    for digit in x.digits.iter_mut().rev() {
        if *digit != b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
    // All were nines, or there were none: 1 and as many zeros, one place higher.
    x.digits.insert(0, b'1');
    if x.digits.len() > 1 {
        x.digits.pop();
    }
    x.point += 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(x: &Decimal) -> String {
        format!("{}{}e{}", if x.negative { "-" } else { "" }, String::from_utf8_lossy(&x.digits), x.point)
    }

    /// The digits without trailing zeros, whose number a carry changes.
    fn value(x: &Decimal) -> (Vec<u8>, i32) {
        let end = x.digits.iter().rposition(|&b| b != b'0').map_or(0, |last| last + 1);
        (x.digits[..end].to_vec(), x.point)
    }

    #[test]
    fn ties_go_to_even_and_modes_differ() {
        let modes = [
            (Rounding::Nearest, "2e1", "-2e1"),
            (Rounding::Compatible, "3e1", "-3e1"),
            (Rounding::Up, "3e1", "-2e1"),
            (Rounding::Down, "2e1", "-3e1"),
            (Rounding::Zero, "2e1", "-2e1"),
        ];
        for (mode, plus, minus) in modes {
            assert_eq!(show(&fixed(2.5.into(), 0, mode)), plus, "{mode:?}");
            assert_eq!(show(&fixed((-2.5).into(), 0, mode)), minus, "{mode:?}");
        }
    }

    #[test]
    fn slow_and_fast_paths_agree() {
        for x in [1.0, 0.1, 9.995, 0.5, 123456.789, 1e-7, 1e22, 5e-324, f64::MAX, 1e23, 1.0 - f64::EPSILON / 2.0] {
            // The many digits of the others take Miri long.
            if cfg!(miri) && !(1e-9..1e9).contains(&x) {
                continue;
            }
            assert_eq!(point(x.into()), exact(x).point, "{x}");
            for n in (1..20).step_by(if cfg!(miri) { 9 } else { 1 }) {
                let slow = round(exact(x), n, Rounding::Nearest);
                assert_eq!(significant(x.into(), n as usize, Rounding::Nearest), slow, "{x} to {n}");
                let keep = i64::from(exact(x).point) + n;
                let (a, b) = (fixed(x.into(), n, Rounding::Nearest), round(exact(x), keep, Rounding::Nearest));
                assert_eq!(value(&a), value(&b), "{x} to {n} places");
            }
        }
    }

    #[test]
    fn integers_of_128_bits_round_as_the_exact_expansion() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for k in 0..if cfg!(miri) { 6 } else { 20_000 } {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // All exponents, those of everyday numbers, and short expansions with ties.
            let x = match k % 3 {
                0 => f64::from_bits(bits >> 1),
                1 => (bits >> 11) as f64 * 10f64.powi((bits % 40) as i32 - 30),
                _ => (bits >> 40) as f64 / f64::from(1u32 << (bits % 24)),
            };
            if !x.is_finite() || x == 0.0 {
                continue;
            }
            let all = exact(x);
            let n = (bits >> 33) as i64 % 22 + 1;
            let slow = round(all.clone(), n, Rounding::Nearest);
            assert_eq!(value(&scientific(x, n as usize)), value(&slow), "{x:e} to {n}");
            assert_eq!(point(x.into()), all.point, "{x:e}");
            let places = round(all.clone(), i64::from(all.point) + n, Rounding::Nearest);
            assert_eq!(value(&fixed(x.into(), n, Rounding::Nearest)), value(&places), "{x:e} to {n} places");
        }
    }

    #[test]
    fn rounding_left_of_the_point() {
        assert_eq!(show(&fixed(1250.0.into(), -2, Rounding::Nearest)), "12e4");
        assert_eq!(show(&fixed(951.0.into(), -2, Rounding::Nearest)), "1e4");
        assert_eq!(show(&fixed(95.0.into(), -2, Rounding::Nearest)), "1e3");
        assert_eq!(show(&fixed(951.0.into(), -1, Rounding::Nearest)), "95e3");
        assert_eq!(show(&fixed(5.0.into(), -3, Rounding::Up)), "1e4");
        assert_eq!(show(&fixed(5.0.into(), -3, Rounding::Nearest)), "e0");
    }
}
