//! List-directed input.
//!
//! A value is first cut out as text, by the rules that are the same for all types, and then read as the
//! type of the item. So a repeated value is cut out once and read for each item.

use super::error::{IoError, Result, code};
use super::item::{Class, ItemMut, class, part_code};
use super::read_number::{Bad, integer, list_real};
use super::unit::{Modes, Unit};

/// A value that has been cut out of the record.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// Nothing between separators: the item keeps its value.
    Null,
    /// Characters up to a separator.
    Plain(Vec<u8>),
    /// Between quotes, which have been taken off.
    Quoted(Vec<u8>),
    /// Between parentheses.
    Complex(Vec<u8>),
}

/// The state of list-directed input in a statement.
#[derive(Debug)]
pub(crate) struct ListInput {
    value: Value,
    /// The number of further items that have `value`.
    repeats: u32,
    /// A slash was met: the other items keep their values.
    complete: bool,
    /// The separator before the next value has been passed.
    separated: bool,
}

impl Default for ListInput {
    fn default() -> ListInput {
        ListInput { value: Value::Null, repeats: 0, complete: false, separated: true }
    }
}

/// Reads an item.
pub(crate) fn get(
    list: &mut ListInput,
    unit: &mut Unit,
    mut item: ItemMut<'_>,
    number: u32,
    modes: &Modes,
) -> Result<()> {
    if list.repeats == 0 && !list.complete {
        next_value(list, unit, class(item.code), number, modes)?;
    }
    if list.complete {
        return Ok(());
    }
    list.repeats -= 1;
    store(&list.value, &mut item, number, modes)
}

/// Passes over the rest of the record.
pub(crate) fn finish(unit: &mut Unit) -> Result<()> {
    unit.end_input_record()
}

fn next_value(list: &mut ListInput, unit: &mut Unit, of: Class, number: u32, modes: &Modes) -> Result<()> {
    list.repeats = 1;
    let mut first = skip_blanks(unit)?;
    if !list.separated && is_comma(first, modes) {
        unit.record.at += 1;
        first = skip_blanks(unit)?;
    }
    list.separated = true;
    if is_comma(first, modes) {
        unit.record.at += 1;
        list.value = Value::Null;
        return Ok(());
    }
    if first == b'/' {
        list.complete = true;
        return Ok(());
    }
    list.separated = false;
    if let Some(repeats) = repeat_count(unit, number)? {
        list.repeats = repeats;
        let next = peek(unit);
        if next.is_none_or(|b| is_separator(b, modes)) {
            list.value = Value::Null;
            return Ok(());
        }
    }
    list.value = cut(unit, of, number, modes, false)?;
    Ok(())
}

/// The next character that is not blank, in this record or a later one.
fn skip_blanks(unit: &mut Unit) -> Result<u8> {
    loop {
        unit.load()?;
        match peek(unit) {
            Some(b' ' | b'\t' | b'\r') => unit.record.at += 1,
            Some(other) => return Ok(other),
            None => unit.end_input_record()?,
        }
    }
}

fn peek(unit: &Unit) -> Option<u8> {
    unit.record.bytes.get(unit.record.at).copied()
}

pub(crate) fn is_comma(b: u8, modes: &Modes) -> bool {
    b == b';' || b == b',' && !modes.comma
}

pub(crate) fn is_separator(b: u8, modes: &Modes) -> bool {
    matches!(b, b' ' | b'\t' | b'\r' | b'/') || is_comma(b, modes)
}

/// Takes `r*` off, if it is there.
pub(crate) fn repeat_count(unit: &mut Unit, number: u32) -> Result<Option<u32>> {
    let rest = &unit.record.bytes[unit.record.at..];
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || rest.get(digits) != Some(&b'*') {
        return Ok(None);
    }
    let count = integer(&rest[..digits], 4)
        .map_err(|_| bad(format!("Repeat count overflow in item {number} of list input")))?;
    if count == 0 {
        return Err(bad(format!("Zero repeat count in item {number} of list input")));
    }
    unit.record.at += digits + 1;
    Ok(Some(count as u32))
}

/// Cuts a value out. In a NAMELIST `group` an exclamation mark ends one.
pub(crate) fn cut(unit: &mut Unit, of: Class, number: u32, modes: &Modes, group: bool) -> Result<Value> {
    let is_separator = |b: u8, modes| is_separator(b, modes) || group && b == b'!';
    match (peek(unit), of) {
        (Some(delimiter @ (b'\'' | b'"')), Class::Character) => quoted(unit, delimiter).map(Value::Quoted),
        (Some(b'('), Class::Complex) => {
            let text = parenthesized(unit, number)?;
            match peek(unit) {
                Some(b) if !is_separator(b, modes) => Err(bad_value(of, number)),
                _ => Ok(Value::Complex(text)),
            }
        }
        _ => {
            let rest = &unit.record.bytes[unit.record.at..];
            let len = rest.iter().position(|&b| is_separator(b, modes)).unwrap_or(rest.len());
            let text = rest[..len].to_vec();
            unit.record.at += len;
            Ok(Value::Plain(text))
        }
    }
}

/// Between quotes; a doubled one stands for one, and a record's end for nothing.
fn quoted(unit: &mut Unit, delimiter: u8) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    unit.record.at += 1;
    loop {
        match peek(unit) {
            None => {
                unit.end_input_record()?;
                unit.load()?;
                continue;
            }
            Some(b) if b == delimiter => {
                unit.record.at += 1;
                if peek(unit) != Some(delimiter) {
                    return Ok(text);
                }
            }
            Some(_) => {}
        }
        text.extend(peek(unit));
        unit.record.at += 1;
    }
}

/// Between parentheses, without blanks; a record may end around the comma.
fn parenthesized(unit: &mut Unit, number: u32) -> Result<Vec<u8>> {
    /// No two numbers are longer: an unclosed parenthesis must not swallow a file.
    const MOST: usize = 10_000;
    let mut text = Vec::new();
    // Within are those of `NaN(…)`.
    let mut depth = 0;
    unit.record.at += 1;
    loop {
        match peek(unit) {
            None => {
                unit.end_input_record()?;
                unit.load()?;
                continue;
            }
            Some(b')') if depth == 0 => {
                unit.record.at += 1;
                return Ok(text);
            }
            Some(b @ (b'(' | b')')) => {
                depth = if b == b'(' { depth + 1 } else { depth - 1 };
                text.push(b);
            }
            Some(b' ' | b'\t') => {}
            Some(b) => text.push(b),
        }
        unit.record.at += 1;
        if text.len() > MOST {
            return Err(bad(format!("Bad complex value in item {number} of list input")));
        }
    }
}

pub(crate) fn store(value: &Value, item: &mut ItemMut<'_>, number: u32, modes: &Modes) -> Result<()> {
    let text: &[u8] = match value {
        Value::Null => return Ok(()),
        Value::Plain(text) | Value::Quoted(text) | Value::Complex(text) => text,
    };
    let of = class(item.code);
    let fits = match value {
        Value::Quoted(_) => of == Class::Character,
        Value::Complex(_) => of == Class::Complex,
        _ => of != Class::Complex,
    };
    match of {
        _ if !fits => Err(bad_value(of, number)),
        Class::Character => {
            crate::chars::assign(item.bytes, text);
            Ok(())
        }
        Class::Integer => {
            let value = integer(text, item.bytes.len()).map_err(|problem| match problem {
                Bad::Form => bad_value(of, number),
                Bad::Overflow => bad(format!("Integer overflow while reading item {number}")),
            })?;
            item.set_integer(value);
            Ok(())
        }
        Class::Real => {
            list_real(text, item.bytes.len(), modes).map_err(|_| bad_value(of, number))?.store(item.bytes);
            Ok(())
        }
        Class::Logical => {
            item.set_logical(logical(text).ok_or_else(|| bad_logical(text, number))?);
            Ok(())
        }
        Class::Complex => store_complex(text, item, number, modes),
    }
}

fn store_complex(text: &[u8], item: &mut ItemMut<'_>, number: u32, modes: &Modes) -> Result<()> {
    let problem = || bad_value(Class::Complex, number);
    let comma = text.iter().position(|&b| is_comma(b, modes)).ok_or_else(problem)?;
    let (re, im) = (&text[..comma], &text[comma + 1..]);
    if re.is_empty() || im.is_empty() {
        return Err(problem());
    }
    let size = part_code(item.code).size();
    let number = |_| bad(format!("Bad complex floating point number for item {number}"));
    let re = list_real(re, size, modes).map_err(number)?;
    let im = list_real(im, size, modes).map_err(number)?;
    let (first, second) = item.parts();
    re.store(first.bytes);
    if let Some(second) = second {
        im.store(second.bytes);
    }
    Ok(())
}

fn logical(text: &[u8]) -> Option<bool> {
    match text.strip_prefix(b".").unwrap_or(text).first()? {
        b'T' | b't' => Some(true),
        b'F' | b'f' => Some(false),
        _ => None,
    }
}

/// Digits that no `*` follows look like a repeat count.
fn bad_logical(text: &[u8], number: u32) -> IoError {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits > 0 && digits < text.len() {
        return bad(format!("Bad repeat count in item {number} of list input"));
    }
    bad_value(Class::Logical, number)
}

fn bad_value(of: Class, number: u32) -> IoError {
    bad(match of {
        Class::Integer => format!("Bad integer for item {number} in list input"),
        Class::Real => format!("Bad real number in item {number} of list input"),
        Class::Complex => format!("Bad complex value in item {number} of list input"),
        Class::Logical => format!("Bad logical value while reading item {number}"),
        Class::Character => format!("Bad character value in item {number} of list input"),
    })
}

fn bad(message: String) -> IoError {
    IoError::new(code::READ_VALUE, message)
}
