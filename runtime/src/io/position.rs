//! REWIND, BACKSPACE, ENDFILE and FLUSH.

use super::error::{IoError, Result, code};
use super::open;
use super::statement::Statement;
use super::table::{self, Taken};
use super::transfer::{checked_number, recursive};
use super::unformatted;
use super::unit::{Access, Action, End, Last, Medium, Unit};

/// REWIND. Does nothing for a unit that is not connected.
pub(crate) fn rewind(statement: &mut Statement) -> Result<()> {
    let Some(unit) = take(statement)? else { return Ok(()) };
    if unit.access == Access::Direct {
        return Err(conflict("Cannot REWIND a file opened for DIRECT access"));
    }
    settle(unit)?;
    if let Some(stream) = unit.stream()
        && stream.is_seekable()
    {
        stream.seek(0)?;
    }
    unit.end = End::Before;
    unit.next_record = 1;
    unit.position = "REWIND";
    Ok(())
}

/// BACKSPACE: over the endfile record if that has been passed, else over one record.
pub(crate) fn backspace(statement: &mut Statement) -> Result<()> {
    let Some(unit) = take(statement)? else { return Err(IoError::fixed(code::BAD_UNIT, "Unattached unit")) };
    if unit.access == Access::Direct {
        return Err(conflict("Cannot BACKSPACE a file opened for DIRECT access"));
    }
    if unit.access == Access::Stream && !unit.formatted {
        return Err(conflict("Cannot BACKSPACE an unformatted stream file"));
    }
    let partial = unit.last == Last::Read && unit.record.open;
    let start = unit.record.start;
    settle(unit)?;
    unit.position = "UNSPECIFIED";
    if std::mem::replace(&mut unit.end, End::Before) == End::After {
        return Ok(());
    }
    unit.next_record = unit.next_record.saturating_sub(1).max(1);
    if !unit.formatted {
        return unformatted::backspace(unit);
    }
    let Some(stream) = unit.stream() else { return Ok(()) };
    if partial {
        // In the middle of a record, back to its beginning.
        return Ok(stream.seek(start)?);
    }
    previous_line(unit)
}

/// Moves back to the beginning of the line before the position.
fn previous_line(unit: &mut Unit) -> Result<()> {
    const CHUNK: u64 = 4096;
    let Some(stream) = unit.stream() else { return Ok(()) };
    // The newline that ends the line does not begin it.
    let mut end = stream.position().saturating_sub(1);
    let mut chunk = [0u8; CHUNK as usize];
    while end > 0 {
        let start = end.saturating_sub(CHUNK);
        let bytes = &mut chunk[..(end - start) as usize];
        stream.seek(start)?;
        let got = stream.read(bytes)?;
        if let Some(newline) = bytes[..got].iter().rposition(|&b| b == b'\n') {
            return Ok(stream.seek(start + newline as u64 + 1)?);
        }
        end = start;
    }
    Ok(stream.seek(0)?)
}

/// ENDFILE: the file ends here.
pub(crate) fn endfile(statement: &mut Statement) -> Result<()> {
    if take(statement)?.is_none() {
        let number = checked_number(statement)?;
        let mut unit = open::implicit(number, true)?;
        unit.form_is_open = true;
        statement.unit = Some(unit);
    }
    let Some(unit) = &mut statement.unit else { return Ok(()) };
    if unit.access == Access::Direct {
        return Err(conflict("Cannot perform ENDFILE on a file opened for DIRECT access"));
    }
    if unit.access == Access::Sequential && unit.end == End::After {
        return Err(conflict("Cannot perform ENDFILE on a file already positioned after the EOF marker"));
    }
    if unit.action == Action::Read {
        return Err(IoError::fixed(code::BAD_ACTION, "Cannot write to file opened for READ"));
    }
    settle(unit)?;
    if let Some(stream) = unit.stream() {
        stream.truncate()?;
    }
    unit.end = End::After;
    unit.position = "APPEND";
    Ok(())
}

/// WAIT: every transfer is complete when its statement is, so there is nothing to wait for.
pub(crate) fn wait(statement: &mut Statement) -> Result<()> {
    let id = statement.specs.int(trueline_abi::io::IoSpec::Id);
    match (take(statement)?, id) {
        (Some(unit), Some(id)) if id < 1 || id > unit.transfers => {
            Err(IoError::fixed(code::BAD_WAIT_ID, "Bad ID in WAIT statement"))
        }
        _ => Ok(()),
    }
}

/// FLUSH.
pub(crate) fn flush(statement: &mut Statement) -> Result<()> {
    if statement.specs.ints.iter().all(|(spec, _)| *spec != trueline_abi::io::IoSpec::Unit as i32) {
        return flush_all();
    }
    match take(statement)? {
        Some(unit) => unit.flush(),
        None => Err(IoError::fixed(code::FLUSH_UNIT, "Specified UNIT in FLUSH is not connected")),
    }
}

fn flush_all() -> Result<()> {
    table::find(|unit| unit.flush().err()).map_or(Ok(()), Err)
}

/// The statement's unit, if it is connected.
fn take(statement: &mut Statement) -> Result<Option<&mut Unit>> {
    match table::take(checked_number(statement)?) {
        Taken::Absent => Ok(None),
        Taken::Recursive => Err(recursive()),
        Taken::Unit(unit) => Ok(Some(statement.unit.insert(unit))),
    }
}

/// Ends the record that the last data transfer left open.
pub(crate) fn settle(unit: &mut Unit) -> Result<()> {
    unit.finish_output_record()?;
    unit.record.clear();
    unit.last = Last::Nothing;
    match &mut unit.medium {
        Medium::File(stream) => Ok(stream.flush()?),
        Medium::Memory(_) => Ok(()),
    }
}

fn conflict(message: &'static str) -> IoError {
    IoError::fixed(code::OPTION_CONFLICT, message)
}
