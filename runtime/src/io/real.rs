//! Output editing of real numbers: `F`, `E`, `D`, `EN`, `ES`, `G` and the list-directed form.

use super::decimal::{Decimal, fixed, point, significant};
use super::format::{Data, Letter};
use super::unit::{Modes, Rounding, Sign};
use std::sync::atomic::{AtomicBool, Ordering};
use trueline_abi::{Real, TypeCode};

/// The properties of a `REAL` that its size decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RealKind {
    /// Digits that tell any two numbers apart.
    digits: usize,
    /// Width of a list-directed item.
    list_width: usize,
    /// Digits of the exponent in list-directed output.
    list_exponent: usize,
    /// Digits behind the last place that decide on rounding up or down.
    seen: i64,
}

/// The kind of a real item of `size` bytes.
pub(crate) fn kind(size: usize) -> RealKind {
    match size {
        4 => RealKind { digits: 9, list_width: 16, list_exponent: 2, seen: 12 },
        16 => RealKind { digits: 36, list_width: 45, list_exponent: 4, seen: 36 },
        _ => RealKind { digits: 17, list_width: 25, list_exponent: 3, seen: 20 },
    }
}

/// `kPEw.d` is not defined for this `k`: it has to be greater than `-d` and less than `d + 2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScaleOutOfRange;

type Edited = Result<(), ScaleOutOfRange>;

/// Appends `x` edited with descriptor `data` under scale factor `scale`.
pub(crate) fn edit(out: &mut Vec<u8>, x: Real, kind: RealKind, data: Data, scale: i32, modes: &Modes) -> Edited {
    let width = data.width.unwrap_or(0) as usize;
    let mut digits = data.digits.unwrap_or(0) as usize;
    if width == 0 && digits == 0 && !matches!(data.letter, Letter::F | Letter::G) {
        digits = kind.digits;
    }
    if !x.is_finite() {
        special(out, x, width, modes);
        return Ok(());
    }
    // Without a width the exponent has no more digits than it needs, and none if it is zero.
    let minimal = width == 0;
    let exponent = data.exponent.or(minimal.then_some(0));
    let room = kind.list_width;
    match data.letter {
        Letter::F => {
            edit_fixed(out, x, kind, data, scale, modes);
            Ok(())
        }
        Letter::En => {
            let form = Exponential { letter: b'E', width, digits, exponent, omit_zero: minimal, scale: 1, room };
            edit_engineering(out, x, kind, form, modes);
            Ok(())
        }
        Letter::Es => {
            let form = Exponential { letter: b'E', width, digits, exponent, omit_zero: minimal, scale: 1, room };
            edit_exponent(out, x, &form, modes)
        }
        Letter::G if width == 0 => edit_g0(out, x, kind, data.digits.unwrap_or(0) as usize, scale, modes),
        Letter::G => {
            let form =
                Exponential { letter: b'E', width, digits, exponent: data.exponent, omit_zero: false, scale, room };
            edit_general(out, x, kind, &form, modes)
        }
        letter => {
            let letter = if letter == Letter::D { b'D' } else { b'E' };
            let form = Exponential { letter, width, digits, exponent, omit_zero: minimal, scale, room };
            edit_exponent(out, x, &form, modes)
        }
    }
}

/// Appends `x` as a list-directed item, in a field of the kind's width.
pub(crate) fn list(out: &mut Vec<u8>, x: Real, kind: RealKind, modes: &Modes) {
    if !x.is_finite() {
        return special(out, x, kind.list_width, modes);
    }
    let decimal = significant(x, kind.digits, modes.rounding);
    let gap = kind.list_exponent + 2;
    if is_short(x, &decimal, kind.digits, modes) {
        let places = if x == 0.0 { kind.digits - 1 } else { kind.digits - decimal.point as usize };
        put_fixed(out, &decimal, kind.list_width - gap, places, kind.list_width, modes);
        out.resize(out.len() + gap, b' ');
    } else {
        let form = Exponential {
            letter: b'E',
            width: kind.list_width,
            digits: kind.digits - 1,
            exponent: Some(kind.list_exponent as u32),
            omit_zero: false,
            scale: 1,
            room: kind.list_width,
        };
        put_exponent(out, &decimal, &form, modes);
    }
}

/// Whether `x`, which is `decimal` to `digits` digits, is written without an exponent. For kind 16 libgfortran decides
/// before it rounds, by a limit of double precision.
fn is_short(x: Real, decimal: &Decimal, digits: usize, modes: &Modes) -> bool {
    match x {
        Real::Double(_) => x == 0.0 || (0..=digits as i32).contains(&decimal.point),
        Real::Quad(_) => general_places(x, kind(16), digits, modes.rounding).is_some(),
    }
}

/// Appends a part of a list-directed complex number: without blanks, and with a digit more in the
/// exponential form, as libgfortran has it.
pub(crate) fn list_part(out: &mut Vec<u8>, x: Real, kind: RealKind, modes: &Modes) {
    if !x.is_finite() {
        return special(out, x, 0, modes);
    }
    let form = Exponential {
        letter: b'E',
        width: 0,
        digits: kind.digits,
        exponent: Some(kind.list_exponent as u32),
        omit_zero: false,
        scale: 1,
        room: kind.list_width,
    };
    // One digit before the point is always defined.
    let _ = unpadded(out, x, &form, modes);
}

/// The width of a list-directed complex item.
pub(crate) fn list_complex_width(kind: RealKind) -> usize {
    2 * kind.list_width + 3
}

/// Infinity and NaN.
fn special(out: &mut Vec<u8>, x: Real, width: usize, modes: &Modes) {
    let sign: &[u8] = match () {
        () if x.is_nan() => b"",
        () if x < 0.0 => b"-",
        () if modes.sign == Sign::Plus && width != 3 => b"+",
        () => b"",
    };
    let word: &[u8] = match width {
        _ if x.is_nan() => b"NaN",
        _ if width < 8 + sign.len() => b"Inf",
        _ => b"Infinity",
    };
    pad(out, width, &[sign, word].concat());
}

/// Appends `text` at the right of a field, or stars when it does not fit.
fn pad(out: &mut Vec<u8>, width: usize, text: &[u8]) {
    if width != 0 && text.len() > width {
        out.resize(out.len() + width, b'*');
        return;
    }
    out.resize(out.len() + width.saturating_sub(text.len()), b' ');
    out.extend_from_slice(text);
}

/// `Fw.d`.
fn edit_fixed(out: &mut Vec<u8>, x: Real, kind: RealKind, data: Data, scale: i32, modes: &Modes) {
    let (width, places) = (data.width.unwrap_or(0) as usize, data.digits.unwrap_or(0) as usize);
    let mut decimal = rounded_to(x, kind, places as i64 + i64::from(scale), modes.rounding);
    decimal.point = decimal.point.saturating_add(scale);
    // Asks last for the digits behind the last place: they take longer than all the rest.
    let cut_off = || decimal.digits.iter().all(|&d| d == b'0') && is_seen(x, kind, places as i64 + i64::from(scale));
    let directed = || match modes.rounding {
        Rounding::Zero | Rounding::Up | Rounding::Down => true,
        // A tie that goes to the even digit.
        Rounding::Nearest => {
            let away = fixed(x, places as i64 + i64::from(scale), Rounding::Compatible);
            away.digits.iter().any(|&d| d != b'0')
        }
        Rounding::Unspecified | Rounding::Compatible => false,
    };
    if width == 0 && places == 0 && sign_of(&decimal, modes).is_some() && directed() && cut_off() {
        // libgfortran's field is too narrow for a signed zero that was none before it was rounded.
        out.extend_from_slice(b"**");
        return;
    }
    put_fixed(out, &decimal, width, places, 0, modes);
}

/// `x` rounded to `places` behind the point.
fn rounded_to(x: Real, kind: RealKind, places: i64, rounding: Rounding) -> Decimal {
    // libgfortran rounds up or down only by the digits that it sees.
    let unseen = matches!(rounding, Rounding::Up | Rounding::Down) && !is_seen(x, kind, places);
    fixed(x, places, if unseen { Rounding::Zero } else { rounding })
}

/// Whether `x` is more than zero to libgfortran, which does not see far behind the last of `places`.
fn is_seen(x: Real, kind: RealKind, places: i64) -> bool {
    fixed(x, places + kind.seen, Rounding::Nearest).digits.iter().any(|&d| d != b'0')
}

/// Writes `x`, already rounded to `places`, in a field. Without a width, a number shorter than `room` has a zero
/// before the point.
fn put_fixed(out: &mut Vec<u8>, x: &Decimal, width: usize, places: usize, room: usize, modes: &Modes) {
    let whole_len = x.point.max(0) as usize;
    let whole_len = if x.digits.is_empty() { 0 } else { whole_len };
    let sign = sign_of(x, modes);
    let least = usize::from(sign.is_some()) + whole_len + 1 + places;
    // A lonely point stands for nothing: without a digit on either side there is a zero.
    let zero = whole_len == 0 && ((if width == 0 { room } else { width }) > least || places == 0);
    let len = least + usize::from(zero);
    if width != 0 && len > width {
        out.resize(out.len() + width, b'*');
        return;
    }
    out.resize(out.len() + width.saturating_sub(len), b' ');
    out.extend(sign);
    if zero {
        out.push(b'0');
    }
    let from_digits = whole_len.min(x.digits.len());
    out.extend_from_slice(&x.digits[..from_digits]);
    out.resize(out.len() + whole_len - from_digits, b'0');
    out.push(if modes.comma { b',' } else { b'.' });
    let end = out.len() + places;
    if !x.digits.is_empty() {
        out.resize((out.len() + x.point.min(0).unsigned_abs() as usize).min(end), b'0');
        let rest = &x.digits[from_digits..];
        let room = end - out.len();
        out.extend_from_slice(&rest[..rest.len().min(room)]);
    }
    out.resize(end, b'0');
}

/// An exponential form.
struct Exponential {
    letter: u8,
    width: usize,
    digits: usize,
    exponent: Option<u32>,
    /// An exponent of zero is not written.
    omit_zero: bool,
    /// The scale factor: how many digits are before the point, or, not positive, how many zeros follow it.
    scale: i32,
    /// Without a width: a number shorter than this has a zero before the point, as libgfortran has it.
    room: usize,
}

/// `Ew.dEe` under a scale factor.
fn edit_exponent(out: &mut Vec<u8>, x: Real, form: &Exponential, modes: &Modes) -> Edited {
    let (digits, scale) = (form.digits as i64, i64::from(form.scale));
    if scale <= -digits || scale >= digits + 2 {
        return Err(ScaleOutOfRange);
    }
    let count = if scale > 0 { digits + 1 } else { digits + scale };
    let decimal = if x == 0.0 || count <= 0 {
        Decimal { negative: x.is_sign_negative(), digits: Vec::new(), point: 0 }
    } else {
        significant(x, count as usize, modes.rounding)
    };
    put_exponent(out, &decimal, form, modes);
    Ok(())
}

/// Writes `x`, already rounded, in an exponential form.
fn put_exponent(out: &mut Vec<u8>, x: &Decimal, form: &Exponential, modes: &Modes) {
    let exponent = if x.digits.is_empty() { 0 } else { i64::from(x.point) - i64::from(form.scale) };
    let whole_len = form.scale.max(0) as usize;
    let places = if form.scale > 0 { (form.digits + 1).saturating_sub(whole_len) } else { form.digits };
    let Some(exponent) = exponent_text(exponent, form) else {
        // Without a width, as many stars as the number is long but for its point and exponent.
        let own = usize::from(sign_of(x, modes).is_some()) + whole_len + places;
        out.resize(out.len() + if form.width == 0 { own } else { form.width }, b'*');
        return;
    };
    let zeros = form.scale.min(0).unsigned_abs() as usize;
    let sign = sign_of(x, modes);
    let least = usize::from(sign.is_some()) + whole_len + 1 + places + exponent.len();
    let zero = whole_len == 0 && (if form.width == 0 { form.room } else { form.width }) > least;
    let len = least + usize::from(zero);
    if form.width != 0 && len > form.width {
        out.resize(out.len() + form.width, b'*');
        return;
    }
    out.resize(out.len() + form.width.saturating_sub(len), b' ');
    out.extend(sign);
    if zero {
        out.push(b'0');
    }
    let from_digits = whole_len.min(x.digits.len());
    out.extend_from_slice(&x.digits[..from_digits]);
    out.resize(out.len() + whole_len - from_digits, b'0');
    out.push(if modes.comma { b',' } else { b'.' });
    let end = out.len() + places;
    out.resize((out.len() + zeros).min(end), b'0');
    let rest = &x.digits[from_digits..];
    let room = end - out.len();
    out.extend_from_slice(&rest[..rest.len().min(room)]);
    out.resize(end, b'0');
    out.extend_from_slice(exponent.as_bytes());
}

/// The exponent with its letter; the letter gives way to a third digit when no width is asked for.
fn exponent_text(exponent: i64, form: &Exponential) -> Option<String> {
    let letter = char::from(form.letter);
    let sign = if exponent < 0 { '-' } else { '+' };
    let value = exponent.abs();
    match form.exponent {
        _ if value == 0 && form.omit_zero => Some(String::new()),
        None if value > 999 => None,
        None if value > 99 => Some(format!("{sign}{value:03}")),
        None => Some(format!("{letter}{sign}{value:02}")),
        Some(width) => {
            let width = width as usize;
            let digits = format!("{value:0width$}", width = width.min(1000));
            if width != 0 && digits.len() > width { None } else { Some(format!("{letter}{sign}{digits}")) }
        }
    }
}

/// `ENw.dEe`: the exponent is a multiple of three.
fn edit_engineering(out: &mut Vec<u8>, x: Real, kind: RealKind, form: Exponential, modes: &Modes) {
    let places = form.digits;
    let mut whole = 1;
    let mut decimal = significant(x, places + 1, modes.rounding);
    if x != 0.0 {
        whole = (point(x) - 1).rem_euclid(3) as usize + 1;
        if modes.rounding == Rounding::Unspecified {
            whole = assumed_exponent(x, kind).rem_euclid(3) as usize + 1;
        }
        decimal = significant(x, places + whole, modes.rounding);
        // Rounding may have carried into the next power of ten: the digits are then 1 and zeros.
        whole = (decimal.point - 1).rem_euclid(3) as usize + 1;
    }
    let form = Exponential { digits: places + whole - 1, scale: whole as i32, ..form };
    put_exponent(out, &decimal, &form, modes);
}

/// The decimal exponent from which `EN` takes how many digits it needs. As libgfortran finds it, in the arithmetic of the number's
/// own kind: near powers of ten it can be off by one, and then a digit is cut off or a zero added.
fn assumed_exponent(x: Real, kind: RealKind) -> i32 {
    let own = |v: Real| if kind.digits == 9 { v.round_to(TypeCode::R4) } else { v };
    let decimal = significant(x, 1, Rounding::Unspecified);
    let exponent = decimal.point - 1;
    if decimal.digits.first() != Some(&b'1') {
        return exponent;
    }
    let power = (0..exponent.unsigned_abs()).fold(x.like(1.0), |p, _| own(p * x.like(10.0)));
    let power = if exponent > 0 { own(x.like(1.0) / power) } else { power };
    if own(x.like(1.0) - own(power * x.abs())) > 0.0 { exponent - 1 } else { exponent }
}

/// `Gw.dEe`, `w` not zero.
fn edit_general(out: &mut Vec<u8>, x: Real, kind: RealKind, form: &Exponential, modes: &Modes) -> Edited {
    let (width, digits) = (form.width, form.digits);
    let gap = form.exponent.map_or(4, |e| e as usize + 2);
    let places = general_places(x, kind, digits, modes.rounding);
    if places.is_some() && width <= gap {
        out.resize(out.len() + width, b'*');
        return Ok(());
    }
    if let Some(places) = places {
        let start = out.len();
        let decimal = rounded_to(x, kind, places as i64, modes.rounding);
        put_fixed(out, &decimal, width - gap, places, form.room, modes);
        // Stars fill the whole field.
        let fill = if out[start..].contains(&b'*') { b'*' } else { b' ' };
        out.resize(out.len() + gap, fill);
        return Ok(());
    }
    edit_exponent(out, x, form, modes)
}

/// The number of digits that `Gw.d` writes behind the point; none: in exponential form. This is decided as libgfortran
/// does, in the arithmetic of the number's own kind.
fn general_places(x: Real, kind: RealKind, digits: usize, rounding: Rounding) -> Option<usize> {
    if digits == 0 {
        return None;
    }
    if x == 0.0 {
        return Some(digits - 1);
    }
    let own = |v: Real| if kind.digits == 9 { v.round_to(TypeCode::R4) } else { v };
    let power = |n: usize| (0..n.min(5000)).fold(x.like(1.0), |p, _| own(p * x.like(10.0)));
    let magnitude = x.abs();
    let half = match rounding {
        Rounding::Zero => 0.0,
        Rounding::Up => f64::from(x > 0.0),
        Rounding::Down => f64::from(x < 0.0),
        Rounding::Unspecified | Rounding::Nearest | Rounding::Compatible => 0.5,
    };
    let limit = power(digits);
    let half = x.like(half);
    let scale = own(x.like(1.0) - own(half / limit));
    let rest = own(limit - magnitude);
    // Rounding away from zero leaves the largest whole number of that number of digits unchanged.
    if magnitude < own(x.like(0.1) * scale) || if half < x.like(1.0) { half >= rest } else { half > rest } {
        return None;
    }
    let whole = (0..digits).find(|&n| magnitude < own(power(n) * scale)).unwrap_or(digits);
    Some(digits - whole)
}

/// `G0` and `G0.d`: no blanks.
fn edit_g0(out: &mut Vec<u8>, x: Real, kind: RealKind, digits: usize, scale: i32, modes: &Modes) -> Edited {
    let digits = match digits {
        // Enough digits to tell any two numbers apart; a scale factor moves one of them before the point.
        0 if scale > 0 && x != 0.0 => return edit_g0_shortest(out, x, kind, scale, modes),
        0 => kind.digits,
        _ => digits,
    };
    let room = kind.list_width;
    let form = Exponential { letter: b'E', width: 0, digits, exponent: Some(0), omit_zero: true, scale, room };
    if let Some(places) = general_places(x, kind, digits, modes.rounding) {
        put_fixed(out, &rounded_to(x, kind, places as i64, modes.rounding), 0, places, room, modes);
        return Ok(());
    }
    edit_exponent(out, x, &form, modes)
}

fn edit_g0_shortest(out: &mut Vec<u8>, x: Real, kind: RealKind, scale: i32, modes: &Modes) -> Edited {
    let decimal = significant(x, kind.digits, modes.rounding);
    let fits = is_short(x, &decimal, kind.digits, modes);
    let digits = if fits { kind.digits } else { kind.digits - 1 };
    let room = kind.list_width;
    let form = Exponential { letter: b'E', width: 0, digits, exponent: Some(0), omit_zero: true, scale, room };
    if fits { unpadded(out, x, &form, modes) } else { edit_exponent(out, x, &form, modes) }
}

/// In fixed form with as many significant digits as `form` has, if they reach the point; else as `form`.
fn unpadded(out: &mut Vec<u8>, x: Real, form: &Exponential, modes: &Modes) -> Edited {
    let digits = form.digits;
    let decimal = significant(x, digits, modes.rounding);
    if is_short(x, &decimal, digits, modes) {
        let places = if x == 0.0 { digits - 1 } else { digits - decimal.point as usize };
        put_fixed(out, &decimal, 0, places, form.room, modes);
        return Ok(());
    }
    edit_exponent(out, x, form, modes)
}

/// Whether a value that is written as zero has no minus sign.
static UNSIGNED_ZERO: AtomicBool = AtomicBool::new(false);

/// Sets whether a negative zero is written without its sign (`-fno-sign-zero`).
pub(crate) fn set_unsigned_zero(unsigned: bool) {
    UNSIGNED_ZERO.store(unsigned, Ordering::Relaxed);
}

/// The sign of a number that has been rounded.
fn sign_of(x: &Decimal, modes: &Modes) -> Option<u8> {
    let zero = || x.digits.iter().all(|&d| d == b'0');
    sign(x.negative && !(UNSIGNED_ZERO.load(Ordering::Relaxed) && zero()), modes)
}

fn sign(negative: bool, modes: &Modes) -> Option<u8> {
    match (negative, modes.sign) {
        (true, _) => Some(b'-'),
        (false, Sign::Plus) => Some(b'+'),
        (false, Sign::Suppress) => None,
    }
}
