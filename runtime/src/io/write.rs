//! Formatted and list-directed output of items.

use super::cursor::{Cursor, Step};
use super::edit;
use super::error::{IoError, Result, code};
use super::format::{Data, Letter, OpKind};
use super::item::{Class, Item, class};
use super::real;
use super::record::reserve;
use super::unit::{Delim, Modes, Unit};
use trueline_abi::Real;

/// The state of list-directed output in a statement.
#[derive(Default, Debug)]
pub(crate) struct ListOutput {
    started: bool,
    /// The last item was characters without delimiters: the next such item follows without a blank.
    after_characters: bool,
}

/// Writes an item by the format.
pub(crate) fn put(cursor: &mut Cursor, unit: &mut Unit, item: Item<'_>, number: u32) -> Result<()> {
    let (first, second) = item.parts();
    put_scalar(cursor, unit, first, number)?;
    second.map_or(Ok(()), |item| put_scalar(cursor, unit, item, number))
}

/// Executes the edit descriptors after the last item.
pub(crate) fn finish(cursor: &mut Cursor, unit: &mut Unit) -> Result<()> {
    loop {
        match cursor.next(false)? {
            Step::Control(op) => control(cursor, unit, op)?,
            _ => return Ok(()),
        }
    }
}

fn put_scalar(cursor: &mut Cursor, unit: &mut Unit, item: Item<'_>, number: u32) -> Result<()> {
    loop {
        match cursor.next(true)? {
            Step::Data(data) => return put_data(cursor, unit, item, data, number),
            Step::Control(op) => control(cursor, unit, op)?,
            // A `$` keeps all of the statement in one record.
            Step::Revert if cursor.dollar => {}
            Step::Revert => unit.end_output_record()?,
            Step::Done => return Ok(()),
        }
    }
}

/// One control descriptor.
fn control(cursor: &mut Cursor, unit: &mut Unit, op: usize) -> Result<()> {
    match &cursor.format.ops[op].kind {
        OpKind::Text(text) => unit.put(text)?,
        OpKind::Tab(column) => unit.move_to(unit.record.left + (*column as usize - 1)),
        OpKind::Move(by) => {
            unit.move_to(unit.record.at.saturating_add_signed(*by as isize));
            // A non-advancing statement writes the blanks that it moves over, even before the end of a
            // record, as libgfortran has it.
            if cursor.stays && *by > 0 {
                unit.fill()?;
            }
        }
        OpKind::Slash => unit.end_output_record()?,
        OpKind::Dollar => cursor.dollar = true,
        _ => {}
    }
    Ok(())
}

fn put_data(cursor: &Cursor, unit: &mut Unit, item: Item<'_>, data: Data, number: u32) -> Result<()> {
    let of = class(item.code);
    let data = data.with_default_width(of, item.bytes.len());
    check_type(cursor, data.letter, of, number)?;
    if data.letter == Letter::A && of == Class::Character && data.width.is_none() {
        return unit.put(item.bytes);
    }
    let least = least_length(&item, data);
    unit.check_room(least)?;
    let mut field = Vec::new();
    reserve(&mut field, least)?;
    edit_field(&mut field, cursor, item, data)?;
    unit.put(&field)
}

/// The least number of characters that `data` makes of an item: a format may ask for more than there is memory.
fn least_length(item: &Item<'_>, data: Data) -> usize {
    let (width, digits) = (data.width.unwrap_or(0) as usize, data.digits.unwrap_or(0) as usize);
    match (data.letter, class(item.code)) {
        _ if width > 0 => width,
        (Letter::I | Letter::B | Letter::O | Letter::Z, _) => digits,
        (_, Class::Real) if item.real().is_finite() => digits,
        _ => 0,
    }
}

fn edit_field(field: &mut Vec<u8>, cursor: &Cursor, item: Item<'_>, data: Data) -> Result<()> {
    let width = data.width.unwrap_or(0) as usize;
    match (data.letter, class(item.code)) {
        (Letter::I, _) => edit::integer(field, item.integer(), width, data.digits, &cursor.modes),
        (Letter::G, Class::Integer) => edit::integer(field, item.integer(), width, None, &cursor.modes),
        (Letter::L, _) | (Letter::G, Class::Logical) => edit::logical(field, item.logical(), width),
        (Letter::A, _) => edit::characters(field, item.bytes, data.width),
        (Letter::G, Class::Character) => edit::characters(field, item.bytes, data.width.filter(|&w| w > 0)),
        (Letter::B | Letter::O | Letter::Z, _) => edit::bits(field, item, data),
        _ => real::edit(field, item.real(), real::kind(item.bytes.len()), data, cursor.scale, &cursor.modes)
            .map_err(|_| IoError::fixed(code::FORMAT, "Scale factor out of range in format specifier 'E' or 'D'"))?,
    }
    Ok(())
}

/// Whether descriptor `letter` can edit an item of this class.
pub(crate) fn check_type(cursor: &Cursor, letter: Letter, of: Class, number: u32) -> Result<()> {
    let wanted = match letter {
        Letter::I if of != Class::Integer => Class::Integer,
        Letter::F | Letter::E | Letter::En | Letter::Es | Letter::D if of != Class::Real => Class::Real,
        Letter::L if of == Class::Character => Class::Logical,
        _ => return Ok(()),
    };
    let (wanted, got) = (wanted.name(), of.name());
    Err(cursor.error(&format!("Expected {wanted} for item {number} in formatted transfer, got {got}")))
}

/// Writes an item in list-directed form.
pub(crate) fn put_list(list: &mut ListOutput, unit: &mut Unit, item: Item<'_>, modes: &Modes) -> Result<()> {
    let of = class(item.code);
    let bare = of == Class::Character && matches!(modes.delim, Delim::None | Delim::Unspecified);
    if !(list.started && bare && list.after_characters) {
        unit.put(b" ")?;
    }
    list.started = true;
    list.after_characters = bare;
    let mut field = Vec::with_capacity(64);
    match of {
        Class::Integer => edit::list_integer(&mut field, item.integer(), item.bytes.len(), modes),
        Class::Logical => edit::logical(&mut field, item.logical(), 1),
        Class::Real => real::list(&mut field, item.real(), real::kind(item.bytes.len()), modes),
        Class::Complex => list_complex(&mut field, item, modes),
        Class::Character if bare => return unit.put(item.bytes),
        Class::Character => quote(&mut field, item.bytes, if modes.delim == Delim::Quote { b'"' } else { b'\'' }),
    }
    unit.put(&field)
}

/// A complex value as list-directed output has it, without blanks before it.
pub(crate) fn list_complex_parts(item: Item<'_>, modes: &Modes) -> Vec<u8> {
    let (re, im) = item.parts();
    let kind = real::kind(re.bytes.len());
    let mut text = vec![b'('];
    real::list_part(&mut text, re.real(), kind, modes);
    text.push(if modes.comma { b';' } else { b',' });
    real::list_part(&mut text, im.map_or(Real::Double(0.0), |im| im.real()), kind, modes);
    text.push(b')');
    text
}

fn list_complex(field: &mut Vec<u8>, item: Item<'_>, modes: &Modes) {
    let kind = real::kind(item.bytes.len() / 2);
    let text = list_complex_parts(item, modes);
    field.resize(real::list_complex_width(kind).saturating_sub(text.len()), b' ');
    field.extend_from_slice(&text);
}

/// Characters between delimiters, which are doubled within.
pub(crate) fn quote(field: &mut Vec<u8>, text: &[u8], delimiter: u8) {
    field.push(delimiter);
    for &c in text {
        field.push(c);
        if c == delimiter {
            field.push(c);
        }
    }
    field.push(delimiter);
}
