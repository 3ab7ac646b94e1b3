//! The data transfer statements, READ, WRITE and PRINT, from their beginning to their end.

use super::cursor::Cursor;
use super::error::{IoError, Result, code};
use super::item::{Item, ItemMut};
use super::statement::{Specs, Statement, Transfer};
use super::table::{self, STDERR, STDIN, STDOUT, Taken};
use super::unit::{Access, Action, End, Last, Medium, Memory, Modes, Unit};
use super::{inquire, list_read, namelist, namelist_read, open, position, read, unformatted, write};
use trueline_abi::io::{DEFAULT_UNIT, IoOp, IoSpec};

/// Begins a statement, all of whose specifiers are known. Statements without items are done here.
pub(crate) fn start(statement: &mut Statement) -> Result<()> {
    match statement.op {
        IoOp::Read | IoOp::Write => start_transfer(statement),
        IoOp::Open => open::open(statement),
        IoOp::Close => open::close(statement),
        IoOp::Inquire if statement.specs.out(IoSpec::Iolength).is_some() => {
            statement.transfer = Transfer::Length(0);
            Ok(())
        }
        IoOp::Inquire => inquire::inquire(statement),
        IoOp::Rewind => position::rewind(statement),
        IoOp::Backspace => position::backspace(statement),
        IoOp::Endfile => position::endfile(statement),
        IoOp::Flush => position::flush(statement),
        IoOp::Wait => position::wait(statement),
    }
}

/// Whether several adjacent items may be passed as one.
pub(crate) fn takes_blocks(statement: &Statement) -> bool {
    matches!(statement.transfer, Transfer::UnformattedInput(_) | Transfer::UnformattedOutput(_) | Transfer::Length(_))
}

/// Writes an item.
pub(crate) fn put(statement: &mut Statement, item: Item<'_>) -> Result<()> {
    statement.items = statement.items.saturating_add(1);
    if let Transfer::Length(length) = &mut statement.transfer {
        *length += item.bytes.len() as u64;
        return Ok(());
    }
    let Some(unit) = &mut statement.unit else { return Ok(()) };
    match &mut statement.transfer {
        Transfer::FormattedOutput(cursor) => write::put(cursor, unit, item, statement.items),
        Transfer::ListOutput(list, modes) => write::put_list(list, unit, item, modes),
        Transfer::UnformattedOutput(output) => unformatted::put(output, unit, item),
        _ => Ok(()),
    }
}

/// Reads an item.
pub(crate) fn get(statement: &mut Statement, item: ItemMut<'_>) -> Result<()> {
    statement.items = statement.items.saturating_add(1);
    if let Transfer::Length(length) = &mut statement.transfer {
        *length += item.bytes.len() as u64;
        return Ok(());
    }
    let Some(unit) = &mut statement.unit else { return Ok(()) };
    match &mut statement.transfer {
        Transfer::FormattedInput(cursor) => {
            read::get(cursor, unit, item, statement.items, statement.stays, &mut statement.size)
        }
        Transfer::ListInput(list, modes) => list_read::get(list, unit, item, statement.items, modes),
        Transfer::UnformattedInput(input) => unformatted::get(input, unit, item),
        _ => Ok(()),
    }
}

/// Ends a statement whose items have all been transferred.
pub(crate) fn finish(statement: &mut Statement) -> Result<()> {
    let transfer = std::mem::replace(&mut statement.transfer, Transfer::None);
    if let Transfer::Length(length) = transfer {
        statement.specs.set_int(IoSpec::Iolength, length as i64);
        return Ok(());
    }
    let Some(unit) = &mut statement.unit else { return Ok(()) };
    match transfer {
        Transfer::FormattedOutput(mut cursor) => {
            write::finish(&mut cursor, unit)?;
            let dollar = cursor.dollar && !unit.is_internal();
            if dollar || statement.stays { unit.keep_output_record()? } else { unit.end_output_record()? }
        }
        Transfer::ListOutput(..) => {
            if statement.stays {
                unit.keep_output_record()?
            } else {
                unit.end_output_record()?
            }
        }
        Transfer::UnformattedOutput(mut output) => unformatted::finish_output(&mut output, unit)?,
        Transfer::FormattedInput(mut cursor) => read::finish(&mut cursor, unit, statement.stays)?,
        Transfer::ListInput(..) => list_read::finish(unit)?,
        Transfer::UnformattedInput(mut input) => unformatted::finish_input(&mut input, unit)?,
        Transfer::Namelist(modes) => {
            let group = statement.specs.text(IoSpec::Nml).unwrap_or_default();
            match statement.op {
                IoOp::Write => namelist::write(unit, group, &statement.objects, &modes)?,
                _ => namelist_read::read(unit, group, &statement.objects, &modes)?,
            }
        }
        Transfer::None | Transfer::Length(_) => {}
    }
    if statement.op == IoOp::Read {
        statement.specs.set_int(IoSpec::Size, statement.size as i64);
    }
    if matches!(statement.op, IoOp::Read | IoOp::Write) && statement.specs.out(IoSpec::Id).is_some() {
        unit.transfers += 1;
        statement.specs.set_int(IoSpec::Id, unit.transfers);
    }
    show(unit)
}

/// Leaves the unit fit for use after an error: the record at hand is given up.
pub(crate) fn abandon(statement: &mut Statement) {
    if statement.op == IoOp::Read {
        statement.specs.set_int(IoSpec::Size, statement.size as i64);
    }
    let transfer = std::mem::replace(&mut statement.transfer, Transfer::None);
    let Some(unit) = &mut statement.unit else { return };
    match transfer {
        Transfer::UnformattedOutput(mut output) => {
            // The written part stays a well-formed record.
            if unformatted::finish_output(&mut output, unit).is_err()
                && let Some(stream) = unit.stream()
            {
                stream.hold(false);
            }
        }
        Transfer::UnformattedInput(mut input) => {
            // Reports the first error, not that the rest of the record is unreadable too.
            let _ = unformatted::finish_input(&mut input, unit);
        }
        Transfer::None | Transfer::Length(_) => {}
        _ => unit.record.clear(),
    }
}

/// The number of the statement's unit, if it has one.
pub(crate) fn unit_number(statement: &Statement) -> Option<i64> {
    match statement.specs.int(IoSpec::Unit) {
        Some(DEFAULT_UNIT) if statement.op == IoOp::Read => Some(STDIN.into()),
        Some(DEFAULT_UNIT) => Some(STDOUT.into()),
        Some(number) => Some(number),
        None => statement.unit.as_ref().map(|unit| unit.number.into()),
    }
}

/// The number as the table has it.
pub(crate) fn checked_number(statement: &Statement) -> Result<i32> {
    let number = unit_number(statement).ok_or_else(|| IoError::fixed(code::BAD_UNIT, "Unattached unit"))?;
    i32::try_from(number).map_err(|_| IoError::fixed(code::BAD_UNIT, "Unit number in I/O statement too large"))
}

fn start_transfer(statement: &mut Statement) -> Result<()> {
    let writes = statement.op == IoOp::Write;
    let list = statement.specs.int(IoSpec::ListDirected).is_some();
    let namelist = statement.specs.text(IoSpec::Nml).is_some();
    let format = statement.specs.format.take();
    let formatted = list || namelist || format.is_some();
    statement.unit = Some(connected(statement, formatted)?);
    if let Some(unit) = statement.unit.as_mut()
        && std::mem::take(&mut unit.form_is_open)
    {
        unit.formatted = formatted;
    }
    statement.stays = advance_is_no(statement)?;
    check(statement, formatted)?;
    let Some(unit) = &statement.unit else { return Ok(()) };
    let modes = modes(unit.modes, &statement.specs)?;
    let Some(unit) = &mut statement.unit else { return Ok(()) };
    locate(unit, statement.specs.int(IoSpec::Rec), statement.specs.int(IoSpec::Pos), writes)?;
    let format = format.transpose()?;
    if writes {
        unit.begin_output()?;
    } else {
        unit.begin_input()?;
    }
    if namelist {
        statement.transfer = Transfer::Namelist(modes);
        return Ok(());
    }
    statement.transfer = match (format, list, writes) {
        (_, true, true) => Transfer::ListOutput(write::ListOutput::default(), modes),
        (_, true, false) => Transfer::ListInput(list_read::ListInput::default(), modes),
        (Some(format), _, true) => Transfer::FormattedOutput(Cursor::new(format, modes, statement.stays)),
        (Some(format), _, false) => Transfer::FormattedInput(Cursor::new(format, modes, statement.stays)),
        (None, _, true) => Transfer::UnformattedOutput(unformatted::begin_output(unit)?),
        (None, _, false) => Transfer::UnformattedInput(unformatted::begin_input(unit)?),
    };
    Ok(())
}

/// The statement's unit: internal, taken from the table, or connected to `fort.N` now.
fn connected(statement: &Statement, formatted: bool) -> Result<Box<Unit>> {
    if let Some(out) = statement.specs.out(IoSpec::InternalUnit) {
        let count = statement.specs.int(IoSpec::InternalCount).unwrap_or(1);
        let memory = Memory { base: out.at, len: out.len.max(0) as usize, count: count.max(0) as usize, next: 0 };
        return Ok(Box::new(Unit::new(-1, None, Medium::Memory(memory))));
    }
    let number = checked_number(statement)?;
    // A function in the list of this statement, and another thread, must find the place taken.
    match if number < 0 { table::take(number) } else { table::reserve(number) } {
        Taken::Unit(unit) => Ok(unit),
        Taken::Recursive => Err(recursive()),
        Taken::Absent if number < 0 => {
            let message = "Unit number is negative and unit was not already opened with OPEN(NEWUNIT=...)";
            Err(IoError::fixed(code::BAD_OPTION, message))
        }
        Taken::Absent => open::implicit(number, formatted).inspect_err(|_| table::remove(number)),
    }
}

/// A function in the list of a statement uses the statement's own unit.
pub(crate) fn recursive() -> IoError {
    IoError::fixed(code::BAD_UNIT, "Recursive I/O attempted on the unit of an input/output statement that is under way")
}

fn advance_is_no(statement: &Statement) -> Result<bool> {
    let Some(advance) = statement.specs.text(IoSpec::Advance) else { return Ok(false) };
    match advance.to_ascii_uppercase().as_slice() {
        b"YES" => Ok(false),
        b"NO" => Ok(true),
        _ => Err(IoError::fixed(code::BAD_OPTION, "Bad ADVANCE parameter in data transfer statement")),
    }
}

/// Combinations that do not go together.
fn check(statement: &Statement, formatted: bool) -> Result<()> {
    let Some(unit) = &statement.unit else { return Ok(()) };
    let conflict = |message| Err(IoError::fixed(code::OPTION_CONFLICT, message));
    let writes = statement.op == IoOp::Write;
    if unit.action == Action::Write && !writes {
        return Err(IoError::fixed(code::BAD_ACTION, "Cannot read from file opened for WRITE"));
    }
    if unit.action == Action::Read && writes {
        return Err(IoError::fixed(code::BAD_ACTION, "Cannot write to file opened for READ"));
    }
    if !unit.formatted && statement.specs.text(IoSpec::Nml).is_some() {
        return conflict("Namelist formatting for unit connected with FORM='UNFORMATTED'");
    }
    if formatted && !unit.formatted {
        return conflict("Format present for UNFORMATTED data transfer");
    }
    if !formatted && unit.formatted {
        return conflict("Missing format for FORMATTED data transfer");
    }
    let rec = statement.specs.int(IoSpec::Rec);
    match (unit.access, rec) {
        (Access::Direct, None) => {
            return Err(IoError::fixed(code::MISSING_OPTION, "Direct access data transfer requires record number"));
        }
        (Access::Direct, Some(rec)) if rec < 1 => {
            return Err(IoError::fixed(code::BAD_OPTION, "Record number must be positive"));
        }
        (Access::Sequential, Some(_)) => {
            return conflict("Record number not allowed for sequential access data transfer");
        }
        (Access::Stream, Some(_)) => return conflict("Record number not allowed for stream access data transfer"),
        _ => {}
    }
    match statement.specs.int(IoSpec::Pos) {
        Some(_) if unit.access != Access::Stream => {
            return conflict("POS= specifier not allowed with REC= specifier or without stream access");
        }
        Some(pos) if pos < 1 => return Err(IoError::fixed(code::BAD_OPTION, "POS=specifier must be positive")),
        _ => {}
    }
    if statement.stays && (unit.access == Access::Direct || !formatted) {
        return conflict("ADVANCE specification conflicts with direct access or unformatted transfer");
    }
    // In legacy mode a WRITE behind the end of the file is allowed, and a READ there ends with the end-of-file
    // condition.
    match (unit.access, unit.end, super::read::is_legacy()) {
        (Access::Sequential, End::After, true) if !writes => {
            return Err(IoError::fixed(code::ENDFILE, "Read past ENDFILE record"));
        }
        (Access::Sequential, End::After, false) => {
            return conflict("Sequential READ or WRITE not allowed after EOF marker, possibly use REWIND or BACKSPACE");
        }
        _ => {}
    }
    Ok(())
}

/// The modes of this statement: the unit's, changed by specifiers.
fn modes(mut modes: Modes, specs: &Specs) -> Result<Modes> {
    if let Some(text) = specs.text(IoSpec::Decimal) {
        modes.comma = open::choice(text, &[("POINT", false), ("COMMA", true)], "DECIMAL")?;
    }
    if let Some(text) = specs.text(IoSpec::Sign) {
        modes.sign = open::choice(text, open::SIGNS, "SIGN")?;
    }
    if let Some(text) = specs.text(IoSpec::Blank) {
        modes.blank_zero = open::choice(text, open::BLANKS, "BLANK")?;
    }
    if let Some(text) = specs.text(IoSpec::Delim) {
        modes.delim = open::choice(text, open::DELIMS, "DELIM")?;
    }
    if let Some(text) = specs.text(IoSpec::Pad) {
        modes.pad = open::choice(text, open::YES_NO, "PAD")?;
    }
    if let Some(text) = specs.text(IoSpec::Round) {
        modes.rounding = open::choice(text, open::ROUNDINGS, "ROUND")?;
    }
    Ok(modes)
}

/// Moves to the record or position that the statement names.
fn locate(unit: &mut Unit, rec: Option<i64>, pos: Option<i64>, writes: bool) -> Result<()> {
    let (access, recl) = (unit.access, unit.recl);
    let mut record = unit.next_record;
    let Medium::File(stream) = &mut unit.medium else { return Ok(()) };
    match (access, rec, pos) {
        (Access::Direct, Some(rec), _) => {
            record = rec as u64;
            let offset = (record - 1)
                .checked_mul(recl)
                .filter(|&offset| offset <= i64::MAX as u64)
                .ok_or_else(|| IoError::fixed(code::BAD_OPTION, "Record number not allowed"))?;
            if !writes && offset >= stream.size()? {
                return Err(IoError::fixed(code::BAD_OPTION, "Non-existing record number"));
            }
            stream.seek(offset)?;
            unit.record.clear();
            unit.last = Last::Nothing;
        }
        (Access::Stream, _, Some(pos)) => {
            unit.finish_output_record()?;
            unit.record.clear();
            unit.last = Last::Nothing;
            unit.end = End::Before;
            if let Medium::File(stream) = &mut unit.medium {
                stream.seek(pos as u64 - 1)?;
            }
        }
        _ => {}
    }
    unit.next_record = record;
    Ok(())
}

/// Output that somebody may be waiting for is not kept back.
fn show(unit: &mut Unit) -> Result<()> {
    let number = unit.number;
    let waits = unit.standard && number == STDERR || unit.stream().is_some_and(|stream| stream.is_terminal());
    if waits && unit.last == Last::Write { unit.flush() } else { Ok(()) }
}
