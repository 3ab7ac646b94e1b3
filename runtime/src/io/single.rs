//! Single bytes of a unit, outside of records: FGETC, FPUTC, FSEEK and FTELL.

use super::error::{Result, code};
use super::position::settle;
use super::table::{self, Taken};
use super::unit::{Action, End, Unit};

/// The result of `act` on a connected unit whose last transfer has been ended.
fn with_unit<T>(number: i32, act: impl FnOnce(&mut Unit) -> Result<T>) -> std::result::Result<T, i32> {
    match table::take(number) {
        Taken::Unit(mut unit) => {
            let result = settle(&mut unit).and_then(|()| act(&mut unit));
            table::put(unit);
            result.map_err(|e| e.code)
        }
        // As libgfortran has it.
        Taken::Absent => Err(code::END),
        Taken::Recursive => Err(code::INTERNAL_UNIT),
    }
}

/// The next byte; none at the end of the file.
pub(crate) fn get(number: i32) -> std::result::Result<Option<u8>, i32> {
    with_unit(number, |unit| {
        let mut byte = [0];
        let got = match unit.stream() {
            Some(stream) => stream.read(&mut byte)?,
            None => 0,
        };
        Ok((got == 1).then_some(byte[0]))
    })
}

/// Writes a byte where the unit is.
pub(crate) fn put(number: i32, byte: u8) -> std::result::Result<(), i32> {
    with_unit(number, |unit| {
        if unit.action == Action::Read {
            return Err(super::error::IoError::fixed(code::BAD_ACTION, "Cannot write to file opened for READ"));
        }
        match unit.stream() {
            Some(stream) => Ok(stream.write(&[byte])?),
            None => Ok(()),
        }
    })
}

/// The offset of the next byte.
pub(crate) fn tell(number: i32) -> std::result::Result<u64, i32> {
    with_unit(number, |unit| Ok(unit.stream().map_or(0, |stream| stream.position())))
}

/// Moves to `offset` from the beginning (0), from where the unit is (1), or from the end (2).
pub(crate) fn seek(number: i32, offset: i64, whence: i32) -> std::result::Result<(), i32> {
    with_unit(number, |unit| {
        unit.end = End::Before;
        let Some(stream) = unit.stream() else { return Ok(()) };
        let from = match whence {
            0 => 0,
            1 => stream.position(),
            2 => stream.size()?,
            _ => return Err(std::io::Error::from_raw_os_error(libc::EINVAL).into()),
        };
        match from.checked_add_signed(offset) {
            Some(to) => Ok(stream.seek(to)?),
            None => Err(std::io::Error::from_raw_os_error(libc::EINVAL).into()),
        }
    })
}
