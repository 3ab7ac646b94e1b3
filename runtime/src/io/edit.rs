//! Output editing of integers, logicals and characters.

use super::format::{Data, Letter};
use super::item::Item;
use super::unit::{Modes, Sign};

/// `Iw.m`.
pub(crate) fn integer(out: &mut Vec<u8>, value: i64, width: usize, least: Option<u32>, modes: &Modes) {
    let mut text = [0u8; 20];
    let digits = decimal(value.unsigned_abs(), &mut text);
    // `Iw.0` writes a zero as blanks, `I0.0` as one.
    let width = if width == 0 && value == 0 && least == Some(0) { 1 } else { width };
    let digits = if value == 0 && least == Some(0) { b"" } else { digits };
    let sign = match modes.sign {
        _ if value < 0 => Some(b'-'),
        Sign::Plus if !digits.is_empty() => Some(b'+'),
        _ => None,
    };
    number(out, sign, digits, width, least.unwrap_or(0) as usize);
}

/// A list-directed integer in the width of its kind, or wider if need be.
pub(crate) fn list_integer(out: &mut Vec<u8>, value: i64, size: usize, modes: &Modes) {
    let width = match size {
        1 => 4,
        2 => 6,
        4 => 11,
        _ => 20,
    };
    integer(out, value, width, None, modes);
}

/// `B`, `O` and `Z` of the bits of any item.
pub(crate) fn bits(out: &mut Vec<u8>, item: Item<'_>, data: Data) {
    let per_digit = match data.letter {
        Letter::B => 1,
        Letter::O => 3,
        _ => 4,
    };
    let total = item.bytes.len() * 8;
    let bit = |n: usize| n < total && item.bytes[byte_of(n, item.bytes.len())] >> (n % 8) & 1 == 1;
    let digits: Vec<u8> = (0..total.div_ceil(per_digit))
        .rev()
        .map(|place| (0..per_digit).map(|i| u8::from(bit(place * per_digit + i)) << i).sum())
        .skip_while(|&digit: &u8| digit == 0)
        .map(|digit| b"0123456789ABCDEF"[usize::from(digit)])
        .collect();
    let is_blank = digits.is_empty() && data.digits == Some(0);
    let digits = if digits.is_empty() && !is_blank { b"0" } else { digits.as_slice() };
    // As in `I0.0`, a zero without digits is one blank at least.
    let width = (data.width.unwrap_or(0) as usize).max(usize::from(is_blank));
    number(out, None, digits, width, data.digits.unwrap_or(0) as usize);
}

/// The byte that holds bit `n` of an item of `size` bytes.
fn byte_of(n: usize, size: usize) -> usize {
    if cfg!(target_endian = "little") { n / 8 } else { size - 1 - n / 8 }
}

/// `Lw`.
pub(crate) fn logical(out: &mut Vec<u8>, value: bool, width: usize) {
    out.resize(out.len() + width.max(1) - 1, b' ');
    out.push(if value { b'T' } else { b'F' });
}

/// `Aw`: the leftmost characters, or blanks before them.
pub(crate) fn characters(out: &mut Vec<u8>, text: &[u8], width: Option<u32>) {
    let width = width.map_or(text.len(), |w| w as usize);
    out.resize(out.len() + width.saturating_sub(text.len()), b' ');
    out.extend_from_slice(&text[..text.len().min(width)]);
}

/// Sign and digits, with zeros to `least` digits, at the right of a field; stars if they do not fit.
fn number(out: &mut Vec<u8>, sign: Option<u8>, digits: &[u8], width: usize, least: usize) {
    let zeros = least.saturating_sub(digits.len());
    let len = usize::from(sign.is_some()) + zeros + digits.len();
    if width != 0 && len > width {
        out.resize(out.len() + width, b'*');
        return;
    }
    out.resize(out.len() + width.saturating_sub(len), b' ');
    out.extend(sign);
    out.resize(out.len() + zeros, b'0');
    out.extend_from_slice(digits);
}

fn decimal(mut value: u64, text: &mut [u8; 20]) -> &[u8] {
    let mut at = text.len();
    loop {
        at -= 1;
        text[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            return &text[at..];
        }
    }
}
