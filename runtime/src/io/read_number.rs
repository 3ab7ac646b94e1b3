//! Numbers from characters: the fields of formatted input and the values of list-directed input.

use super::unit::Modes;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use trueline_abi::Quad;

/// Whether an exponent may lack its digits, and is zero then (`-fdec`).
static BARE_EXPONENTS: AtomicBool = AtomicBool::new(false);

/// Sets whether an exponent may lack its digits.
pub(crate) fn set_bare_exponents(bare: bool) {
    BARE_EXPONENTS.store(bare, Ordering::Relaxed);
}

/// Why a field has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bad {
    /// It is not written like a number.
    Form,
    /// It does not fit the variable.
    Overflow,
}

type Parsed<T> = std::result::Result<T, Bad>;

/// A real number of the kind that was asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Real {
    Single(f32),
    Double(f64),
    Quad(Quad),
}

impl Real {
    /// `value` in the kind with `size` bytes.
    fn of(value: f32, size: usize) -> Real {
        match size {
            4 => Real::Single(value),
            16 => Real::Quad(value.into()),
            _ => Real::Double(value.into()),
        }
    }

    /// Stores the number into a variable of its kind.
    pub fn store(self, to: &mut [u8]) {
        match self {
            Real::Single(value) if to.len() == 4 => to.copy_from_slice(&value.to_ne_bytes()),
            Real::Double(value) if to.len() == 8 => to.copy_from_slice(&value.to_ne_bytes()),
            Real::Quad(value) if to.len() == 16 => to.copy_from_slice(&value.to_bits().to_ne_bytes()),
            _ => {}
        }
    }
}

/// The characters of a numeric field that count: without leading blanks, and with the others as zeros or
/// left out.
pub(crate) fn significant_characters(field: &[u8], blank_zero: bool) -> Vec<u8> {
    let start = field.iter().position(|&b| !is_blank(b)).unwrap_or(field.len());
    let blank = |b: u8| if !is_blank(b) { Some(b) } else { blank_zero.then_some(b'0') };
    field[start..].iter().filter_map(|&b| blank(b)).collect()
}

fn is_blank(b: u8) -> bool {
    b == b' ' || b == b'\t'
}

/// An optionally signed integer that fits into `size` bytes. No characters: zero.
pub(crate) fn integer(text: &[u8], size: usize) -> Parsed<i64> {
    if text.is_empty() {
        return Ok(0);
    }
    let (negative, digits) = sign(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Bad::Form);
    }
    let most = (1u128 << (size * 8 - 1)) - u128::from(!negative);
    let value = accumulate(digits, 10, most)?;
    Ok(if negative { (value as i64).wrapping_neg() } else { value as i64 })
}

/// The bits that digits to base 2, 8 or 16 stand for, in at most `size` bytes.
pub(crate) fn bits(text: &[u8], base: u32, size: usize) -> Parsed<u128> {
    let (negative, digits) = sign(text);
    if !text.is_empty() && digits.is_empty() {
        return Err(Bad::Form);
    }
    if !digits.iter().all(|&b| char::from(b).is_digit(base)) {
        return Err(Bad::Form);
    }
    let most = u128::MAX >> (128 - 8 * size.clamp(1, 16));
    let value = accumulate(digits, base, most)?;
    Ok(if negative { value.wrapping_neg() } else { value })
}

fn accumulate(digits: &[u8], base: u32, most: u128) -> Parsed<u128> {
    digits.iter().try_fold(0u128, |value, &digit| {
        let digit = char::from(digit).to_digit(base).ok_or(Bad::Form)?;
        let more = value.checked_mul(base.into()).and_then(|v| v.checked_add(digit.into()));
        more.filter(|&v| v <= most).ok_or(Bad::Overflow)
    })
}

/// The real number in a field. Without a decimal symbol, its last `places` digits are a fraction; without an exponent,
/// it is divided by `10^scale`. No characters: zero.
pub(crate) fn real(field: &[u8], size: usize, places: i64, scale: i64, modes: &Modes) -> Parsed<Real> {
    /// libgfortran takes a longer exponent for a mistake, such as blanks that have become zeros.
    const MOST: i64 = 9999;
    let field = field.trim_ascii_start();
    let (_, unsigned) = sign(field);
    if unsigned.trim_ascii_start().is_empty() {
        return Ok(Real::of(0.0, size));
    }
    let last = unsigned.trim_ascii_end().last();
    if modes.blank_zero && last.is_some_and(|b| matches!(b.to_ascii_uppercase(), b'E' | b'D' | b'Q')) {
        return Err(Bad::Form);
    }
    let text = significant_characters(field, modes.blank_zero);
    number(&text, size, Shape { places, scale, most: MOST }, modes)
}

/// The real number that a list-directed value is: a digit is needed before an exponent.
pub(crate) fn list_real(text: &[u8], size: usize, modes: &Modes) -> Parsed<Real> {
    let (_, rest) = sign(text);
    let mut mantissa = rest.iter().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    if special(rest).is_none() && !mantissa.any(u8::is_ascii_digit) {
        return Err(Bad::Form);
    }
    number(text, size, Shape { places: 0, scale: 0, most: i64::MAX }, modes)
}

/// The part of a descriptor about a number: see [`real`]. `most` is the largest exponent.
struct Shape {
    places: i64,
    scale: i64,
    most: i64,
}

fn number(text: &[u8], size: usize, shape: Shape, modes: &Modes) -> Parsed<Real> {
    let (negative, rest) = sign(text);
    if let Some(special) = special(rest) {
        return Ok(Real::of(if negative { -special } else { special }, size));
    }
    let symbol = if modes.comma { b',' } else { b'.' };
    let whole = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let (whole, rest) = rest.split_at(whole);
    let (fraction, rest, has_symbol) = match rest.split_first() {
        Some((&first, rest)) if first == symbol => {
            let (fraction, rest) = rest.split_at(rest.iter().take_while(|b| b.is_ascii_digit()).count());
            (fraction, rest, true)
        }
        _ => (&b""[..], rest, false),
    };
    let mut power = exponent(rest)?.unwrap_or(-shape.scale);
    if !has_symbol {
        power -= shape.places;
    }
    if power.abs() > shape.most {
        return Err(Bad::Form);
    }
    Ok(assemble(negative, whole, fraction, power, size))
}

/// The number `whole.fraction * 10^power`, which is rounded once, and correctly.
fn assemble(negative: bool, whole: &[u8], fraction: &[u8], power: i64, size: usize) -> Real {
    let mut text = String::with_capacity(whole.len() + fraction.len() + 24);
    if negative {
        text.push('-');
    }
    text.push('0');
    text.extend(whole.iter().map(|&b| char::from(b)));
    text.push('.');
    text.extend(fraction.iter().map(|&b| char::from(b)));
    text.push('0');
    if power != 0 {
        // Writing to a string does not fail.
        let _ = write!(text, "e{power}");
    }
    match size {
        4 => Real::Single(text.parse().unwrap_or(f32::NAN)),
        16 => Real::Quad(Quad::parse(&text).unwrap_or(Quad::NAN)),
        _ => Real::Double(text.parse().unwrap_or(f64::NAN)),
    }
}

/// The exponent that `text` is: a letter, a sign, or both, and digits. `None` for no text.
fn exponent(text: &[u8]) -> Parsed<Option<i64>> {
    let Some((&first, rest)) = text.split_first() else { return Ok(None) };
    let with_letter = matches!(first.to_ascii_uppercase(), b'E' | b'D' | b'Q');
    if !with_letter && first != b'+' && first != b'-' {
        return Err(Bad::Form);
    }
    let (negative, digits) = sign(if with_letter { rest } else { text });
    if digits.is_empty() && with_letter && BARE_EXPONENTS.load(Ordering::Relaxed) {
        return Ok(Some(0));
    }
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Bad::Form);
    }
    // Beyond this every number is zero or infinite, unless it has as many digits.
    const MOST: i64 = 10_000_000_000;
    let value = digits.iter().fold(0i64, |value, b| (value * 10 + i64::from(b - b'0')).min(MOST));
    Ok(Some(if negative { -value } else { value }))
}

/// Infinity and NaN, in all their spellings.
fn special(text: &[u8]) -> Option<f32> {
    if text.eq_ignore_ascii_case(b"INF") || text.eq_ignore_ascii_case(b"INFINITY") {
        return Some(f32::INFINITY);
    }
    let (head, tail) = text.split_at_checked(3)?;
    let payload = tail.is_empty() || tail.starts_with(b"(") && tail.ends_with(b")");
    (head.eq_ignore_ascii_case(b"NAN") && payload).then_some(f32::NAN)
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        _ => (false, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, places: i64, scale: i64) -> Parsed<f64> {
        real(text.as_bytes(), 8, places, scale, &Modes::DEFAULT).map(|real| match real {
            Real::Single(value) => value.into(),
            Real::Double(value) => value,
            Real::Quad(value) => value.to_f64(),
        })
    }

    #[test]
    fn real_forms() {
        let cases = [
            ("1.5", 0, 0, 1.5),
            ("15", 1, 0, 1.5),
            ("1.5+3", 0, 0, 1500.0),
            ("1.5D3", 4, 0, 1500.0),
            ("1.5e-3", 4, 7, 1.5e-3),
            ("15", 0, 1, 1.5),
            ("-.5", 0, 0, -0.5),
            ("5.", 0, 0, 5.0),
            ("", 3, 3, 0.0),
            ("+infinity", 0, 0, f64::INFINITY),
            ("1e9999", 0, 0, f64::INFINITY),
            ("-", 0, 0, 0.0),
            ("e5", 0, 0, 0.0),
        ];
        for (text, places, scale, expected) in cases {
            assert_eq!(value(text, places, scale), Ok(expected), "{text}");
        }
        for text in ["x", "1.5e", "1.5e+", "+x", "1.2.3", "1e99999"] {
            assert_eq!(value(text, 0, 0), Err(Bad::Form), "{text}");
        }
        assert!(value("nan(12)", 0, 0).unwrap().is_nan());
    }

    #[test]
    fn integers_to_their_limits() {
        assert_eq!(integer(b"-128", 1), Ok(-128));
        assert_eq!(integer(b"128", 1), Err(Bad::Overflow));
        assert_eq!(integer(b"-9223372036854775808", 8), Ok(i64::MIN));
        assert_eq!(integer(b"9223372036854775808", 8), Err(Bad::Overflow));
        assert_eq!(integer(b"1x", 4), Err(Bad::Form));
        assert_eq!(bits(b"fF", 16, 1), Ok(255));
        assert_eq!(bits(b"100", 16, 1), Err(Bad::Overflow));
    }

    #[test]
    fn blanks_in_fields() {
        assert_eq!(significant_characters(b"  1 2 ", false), b"12");
        assert_eq!(significant_characters(b"  1 2 ", true), b"1020");
    }
}
