//! Formatted input.

use super::cursor::{Cursor, Step};
use super::error::{IoError, Result, code};
use super::format::{Data, Letter, OpKind};
use super::item::{Class, ItemMut, class};
use super::read_number::{Bad, bits, integer, real, significant_characters};
use super::unit::Unit;
use super::write::check_type;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a comma ends a numeric field of an internal unit, too.
static LEGACY: AtomicBool = AtomicBool::new(false);

/// Whether the program is one of `-std=legacy`.
pub(crate) fn is_legacy() -> bool {
    LEGACY.load(Ordering::Relaxed)
}

/// Sets whether a comma ends a numeric field of an internal unit, too (`-std=legacy`).
pub(crate) fn set_legacy(legacy: bool) {
    LEGACY.store(legacy, Ordering::Relaxed);
}

/// Reads an item by the format. `size` counts the characters for `SIZE=`.
pub(crate) fn get(
    cursor: &mut Cursor,
    unit: &mut Unit,
    mut item: ItemMut<'_>,
    number: u32,
    stays: bool,
    size: &mut u64,
) -> Result<()> {
    let (first, second) = item.parts();
    get_scalar(cursor, unit, first, number, stays, size)?;
    second.map_or(Ok(()), |item| get_scalar(cursor, unit, item, number, stays, size))
}

/// Executes the edit descriptors after the last item, and ends the record unless the statement is non-advancing.
pub(crate) fn finish(cursor: &mut Cursor, unit: &mut Unit, stays: bool) -> Result<()> {
    let mut dollar = false;
    while let Step::Control(op) = cursor.next(false)? {
        dollar |= control(cursor, unit, op)?;
    }
    if stays || dollar { Ok(()) } else { unit.end_formatted_record(cursor.modes.pad) }
}

fn get_scalar(
    cursor: &mut Cursor,
    unit: &mut Unit,
    item: ItemMut<'_>,
    number: u32,
    stays: bool,
    size: &mut u64,
) -> Result<()> {
    loop {
        match cursor.next(true)? {
            Step::Data(data) => {
                check_type(cursor, data.letter, class(item.code), number)?;
                return get_data(cursor, unit, item, data, stays, size);
            }
            Step::Control(op) => {
                control(cursor, unit, op)?;
            }
            Step::Revert => unit.end_formatted_record(cursor.modes.pad)?,
            Step::Done => return Ok(()),
        }
    }
}

/// One control descriptor; true for `$`.
fn control(cursor: &Cursor, unit: &mut Unit, op: usize) -> Result<bool> {
    match &cursor.format.ops[op].kind {
        OpKind::Text(_) => return Err(cursor.error("Constant string in input format")),
        OpKind::Tab(column) => unit.move_input_to(unit.record.left + (*column as usize - 1))?,
        OpKind::Move(by) => {
            unit.load()?;
            let at = unit.record.at.saturating_add_signed(*by as isize);
            unit.move_input_to(at.max(unit.record.left.min(unit.record.at)))?;
        }
        OpKind::Slash => unit.end_formatted_record(cursor.modes.pad)?,
        OpKind::Dollar => return Ok(true),
        _ => {}
    }
    Ok(false)
}

fn get_data(
    cursor: &Cursor,
    unit: &mut Unit,
    mut item: ItemMut<'_>,
    data: Data,
    stays: bool,
    size: &mut u64,
) -> Result<()> {
    let of = class(item.code);
    let data = data.with_default_width(of, item.bytes.len());
    let character = data.letter == Letter::A || data.letter == Letter::G && of == Class::Character;
    let width = match data.width {
        Some(0) if character => item.bytes.len(),
        Some(0) if matches!(data.letter, Letter::I | Letter::B | Letter::O | Letter::Z | Letter::L) => {
            return Err(cursor.error("Positive integer required in format"));
        }
        Some(0) => return Err(cursor.error("Zero width in format descriptor")),
        Some(width) => width as usize,
        None if character => item.bytes.len(),
        None => 1,
    };
    let comma = if cursor.modes.comma { b';' } else { b',' };
    let stop = (!character && (!unit.is_internal() || LEGACY.load(Ordering::Relaxed))).then_some(comma);
    let field = unit.take_field(width, stop)?;
    *size += (field.end - field.start) as u64;
    if field.short && unit.is_internal() && unit.record.bytes.is_empty() && !cursor.modes.pad {
        return Err(IoError::end());
    }
    if field.short && !cursor.modes.pad && unit.record.cut {
        return Err(IoError::end());
    }
    if field.short && !cursor.modes.pad {
        return Err(IoError::eor());
    }
    let text = &unit.record.bytes[field.start..field.end];
    match (data.letter, of) {
        _ if character => characters(&mut item, text, width),
        (Letter::L, _) | (Letter::G, Class::Logical) => item.set_logical(logical(text)?),
        (Letter::B | Letter::O | Letter::Z, _) => store_bits(&mut item, text, data.letter, cursor)?,
        (Letter::I, _) | (Letter::G, Class::Integer) => {
            let digits = significant_characters(text, cursor.modes.blank_zero);
            item.set_integer(integer(&digits, item.bytes.len()).map_err(bad_integer)?);
        }
        _ => {
            let places = data.digits.unwrap_or(0).into();
            real(text, item.bytes.len(), places, cursor.scale.into(), &cursor.modes)
                .map_err(bad_real)?
                .store(item.bytes);
        }
    }
    // The value is there; that the record is missing must be reported nevertheless.
    if field.short && stays { Err(IoError::eor()) } else { Ok(()) }
}

/// `Aw`: takes the rightmost characters of a field that is too wide, and pads a short one.
fn characters(item: &mut ItemMut<'_>, text: &[u8], width: usize) {
    let skipped = width.saturating_sub(item.bytes.len()).min(text.len());
    crate::chars::assign(item.bytes, &text[skipped..]);
}

fn logical(text: &[u8]) -> Result<bool> {
    let rest = text.trim_ascii_start();
    match rest.strip_prefix(b".").unwrap_or(rest).first() {
        Some(b'T' | b't') => Ok(true),
        Some(b'F' | b'f') => Ok(false),
        _ => Err(IoError::fixed(code::READ_VALUE, "Bad value on logical read")),
    }
}

fn store_bits(item: &mut ItemMut<'_>, text: &[u8], letter: Letter, cursor: &Cursor) -> Result<()> {
    let base = match letter {
        Letter::B => 2,
        Letter::O => 8,
        _ => 16,
    };
    let digits = significant_characters(text, cursor.modes.blank_zero);
    let size = item.bytes.len();
    let value = bits(&digits, base, size).map_err(bad_integer)?;
    match size {
        1 | 2 | 4 | 8 => item.set_integer(value as i64),
        16 => item.bytes.copy_from_slice(&value.to_ne_bytes()),
        _ => return Err(cursor.error("Expected numeric type for B, O or Z edit descriptor")),
    }
    Ok(())
}

fn bad_integer(bad: Bad) -> IoError {
    match bad {
        Bad::Form => IoError::fixed(code::READ_VALUE, "Bad value during integer read"),
        Bad::Overflow => IoError::fixed(code::READ_OVERFLOW, "Value overflowed during integer read"),
    }
}

fn bad_real(_: Bad) -> IoError {
    IoError::fixed(code::READ_VALUE, "Bad value during floating point read")
}
