//! INQUIRE by unit and by file.

use super::error::{IoError, Result, code};
use super::open::{CARRIAGES, ROUNDINGS, before_nul, file_id};
use super::statement::{Specs, Statement};
use super::table::{self, Taken};
use super::transfer::checked_number;
use super::unit::{Access, Action, DEFAULT_RECL, Delim, End, Last, Rounding, Sign, Unit};
use std::ffi::CString;
use trueline_abi::TypeCode;
use trueline_abi::io::IoSpec;

/// `RECL=` of a connection without one, where it fits.
const LONGEST: i64 = i64::MAX - i32::MAX as i64 - 1;

/// INQUIRE.
pub(crate) fn inquire(statement: &mut Statement) -> Result<()> {
    if statement.specs.out(IoSpec::InternalUnit).is_some() {
        return Err(internal_unit());
    }
    let Some(file) = statement.specs.text(IoSpec::File).map(|name| before_nul(name).to_vec()) else {
        return by_unit(statement);
    };
    let number = table::find(|unit| is_connected_to(unit, &file).then_some(unit.number));
    let unit = number.and_then(|number| match table::take(number) {
        Taken::Unit(unit) => Some(unit),
        _ => None,
    });
    statement.unit = unit;
    statement.specs.set_logical(IoSpec::Exist, exists(&file));
    report(statement, Some(&file));
    Ok(())
}

/// The numbers that a procedure for input/output of derived types gets instead of an internal unit, and those of no unit
/// at all.
const INTERNAL_UNIT: i32 = -1;
const NO_UNIT: i32 = -2;

fn internal_unit() -> IoError {
    IoError::fixed(code::INQUIRE_INTERNAL_UNIT, "Inquire statement identifies an internal file")
}

fn by_unit(statement: &mut Statement) -> Result<()> {
    // A number that no unit has is that of no unit.
    let number = checked_number(statement).unwrap_or(NO_UNIT);
    if number == INTERNAL_UNIT {
        statement.specs.set_logical(IoSpec::Exist, false);
        return Err(internal_unit());
    }
    match table::take(number) {
        Taken::Unit(unit) => statement.unit = Some(unit),
        Taken::Absent => {}
        Taken::Recursive => return Err(super::transfer::recursive()),
    }
    statement.specs.set_logical(IoSpec::Exist, statement.unit.is_some() || number >= 0);
    report(statement, None);
    Ok(())
}

/// Whether the unit is connected to the file.
pub(crate) fn is_connected_to(unit: &Unit, file: &[u8]) -> bool {
    match unit.name.as_deref() {
        Some(name) if !unit.standard => name == file || file_id(name).is_some_and(|id| file_id(file) == Some(id)),
        _ => false,
    }
}

fn exists(file: &[u8]) -> bool {
    // SAFETY: a C string is passed.
    CString::new(file).is_ok_and(|path| unsafe { libc::access(path.as_ptr(), libc::F_OK) } == 0)
}

/// Defines every variable of the statement. Without a unit, `file` may still tell something.
fn report(statement: &mut Statement, file: Option<&[u8]>) {
    let Statement { specs, unit, .. } = statement;
    let unit = unit.as_deref_mut();
    specs.set_logical(IoSpec::Opened, unit.is_some());
    specs.set_int(IoSpec::Number, unit.as_ref().map_or(-1, |unit| unit.number.into()));
    let name = unit.as_ref().and_then(|unit| unit.name.as_deref());
    specs.set_logical(IoSpec::Named, name.or(file).is_some());
    if let Some(name) = name.or(file) {
        specs.set_text(IoSpec::Name, name);
    }
    match unit {
        Some(unit) => {
            let size = unit.stream().and_then(|stream| stream.size().ok());
            specs.set_int(IoSpec::Size, size.map_or(-1, |size| size as i64));
            report_unit(specs, unit);
        }
        None => {
            specs.set_int(IoSpec::Size, file.and_then(size_of).unwrap_or(-1));
            report_unconnected(specs, file);
            if file.is_none() {
                specs.set_int(IoSpec::Pos, 0);
            }
        }
    }
}

/// The bytes of a file.
fn size_of(name: &[u8]) -> Option<i64> {
    use std::os::unix::ffi::OsStrExt;
    Some(std::fs::metadata(std::ffi::OsStr::from_bytes(name)).ok()?.len() as i64)
}

fn report_unit(specs: &Specs, unit: &mut Unit) {
    let yes = |it: bool| if it { "YES" } else { "NO" };
    let text = |spec, value: &str| specs.set_text(spec, value.as_bytes());
    text(
        IoSpec::Access,
        match unit.access {
            Access::Sequential => "SEQUENTIAL",
            Access::Direct => "DIRECT",
            Access::Stream => "STREAM",
        },
    );
    text(IoSpec::Stream, yes(unit.access == Access::Stream));
    specs.set_logical(IoSpec::Pending, false);
    text(IoSpec::Asynchronous, yes(unit.asynchronous));
    text(IoSpec::Sequential, yes(unit.access == Access::Sequential));
    text(IoSpec::Direct, yes(unit.access == Access::Direct));
    text(IoSpec::Form, if unit.formatted { "FORMATTED" } else { "UNFORMATTED" });
    text(IoSpec::Formatted, yes(unit.formatted));
    text(IoSpec::Unformatted, yes(!unit.formatted));
    text(
        IoSpec::Action,
        match unit.action {
            Action::Read => "READ",
            Action::Write => "WRITE",
            Action::ReadWrite => "READWRITE",
        },
    );
    text(IoSpec::ReadAllowed, yes(unit.action != Action::Write));
    text(IoSpec::WriteAllowed, yes(unit.action != Action::Read));
    text(IoSpec::ReadwriteAllowed, yes(unit.action == Action::ReadWrite));
    report_modes(specs, unit);
    specs.set_int(
        IoSpec::Recl,
        match unit.recl {
            _ if unit.access == Access::Stream => -2,
            DEFAULT_RECL if specs.out(IoSpec::Recl).is_some_and(|out| out.code == TypeCode::I8) => LONGEST,
            DEFAULT_RECL => i32::MAX.into(),
            recl => recl as i64,
        },
    );
    let next = if unit.access == Access::Direct { unit.next_record as i64 } else { 0 };
    specs.set_int(IoSpec::Nextrec, next);
    text(IoSpec::Position, position(unit));
    if specs.out(IoSpec::Pos).is_some() {
        let at = if unit.access == Access::Stream { place(unit) } else { None };
        specs.set_int(IoSpec::Pos, at.map_or(0, |offset| offset as i64 + 1));
    }
}

/// The modes of a formatted connection.
fn report_modes(specs: &Specs, unit: &Unit) {
    let text = |spec, value: &str| {
        let value = if unit.formatted { value } else { "UNDEFINED" };
        specs.set_text(spec, value.as_bytes());
    };
    let modes = &unit.modes;
    text(IoSpec::Blank, if modes.blank_zero { "ZERO" } else { "NULL" });
    text(
        IoSpec::Delim,
        match modes.delim {
            Delim::None | Delim::Unspecified => "NONE",
            Delim::Apostrophe => "APOSTROPHE",
            Delim::Quote => "QUOTE",
        },
    );
    text(IoSpec::Pad, if modes.pad { "YES" } else { "NO" });
    text(IoSpec::Sign, if modes.sign == Sign::Plus { "PLUS" } else { "PROCESSOR_DEFINED" });
    text(IoSpec::Decimal, if modes.comma { "COMMA" } else { "POINT" });
    text(IoSpec::Encoding, if unit.utf8 { "UTF-8" } else { "UNKNOWN" });
    let named = |(_, rounding): &&(&str, Rounding)| *rounding == modes.rounding;
    let rounding = ROUNDINGS.iter().find(named).map_or("UNDEFINED", |(name, _)| name);
    // As libgfortran says it of unformatted connections.
    specs.set_text(IoSpec::Round, if unit.formatted { rounding.as_bytes() } else { b"PROCESSOR_DEFINED" });
    let carriage = CARRIAGES.iter().find(|(_, carriage)| *carriage == unit.carriage && unit.formatted);
    text(IoSpec::CarriageControl, carriage.map_or("NONE", |(name, _)| name));
    text(IoSpec::Share, unit.share);
    // As libgfortran: the order itself.
    let little = cfg!(target_endian = "little") != unit.swap;
    specs.set_text(IoSpec::Convert, if little { b"LITTLE_ENDIAN" } else { b"BIG_ENDIAN" });
}

/// The place of the next character; in a record that is under way, within the record.
fn place(unit: &mut Unit) -> Option<u64> {
    let (last, is_open, start, at) = (unit.last, unit.record.open, unit.record.start, unit.record.at as u64);
    let stream = unit.stream()?;
    Some(match (last, is_open) {
        (Last::Write, true) => stream.position() + at,
        (Last::Read, true) => start + at,
        _ => stream.position(),
    })
}

fn position(unit: &mut Unit) -> &'static str {
    if unit.access == Access::Direct {
        return "UNDEFINED";
    }
    if unit.end == End::After {
        return "APPEND";
    }
    let (last, stated) = (unit.last, unit.position);
    let Some(stream) = unit.stream() else { return "UNDEFINED" };
    match stream.position() {
        _ if !stream.is_seekable() => "ASIS",
        0 if last == Last::Nothing && stated != "APPEND" => stated,
        offset if stream.size().is_ok_and(|size| size == offset) => "APPEND",
        0 => "REWIND",
        _ if last == Last::Nothing && stated == "UNSPECIFIED" => stated,
        _ => "ASIS",
    }
}

/// The facts about a file or a unit that is not connected.
fn report_unconnected(specs: &Specs, file: Option<&[u8]>) {
    let undefined = [
        IoSpec::Access,
        IoSpec::Form,
        IoSpec::Blank,
        IoSpec::Delim,
        IoSpec::Pad,
        IoSpec::Position,
        IoSpec::Action,
        IoSpec::Sign,
        IoSpec::Decimal,
        IoSpec::Encoding,
        IoSpec::Asynchronous,
        IoSpec::Round,
    ];
    for spec in undefined {
        specs.set_text(spec, b"UNDEFINED");
    }
    specs.set_logical(IoSpec::Pending, false);
    for spec in [IoSpec::Sequential, IoSpec::Direct, IoSpec::Stream, IoSpec::Formatted, IoSpec::Unformatted] {
        specs.set_text(spec, b"UNKNOWN");
    }
    let allowed = |mode| {
        let Some(path) = file.and_then(|file| CString::new(file).ok()) else { return "NO" };
        // SAFETY: a C string is passed.
        if unsafe { libc::access(path.as_ptr(), mode) } == 0 { "YES" } else { "NO" }
    };
    specs.set_text(IoSpec::ReadAllowed, allowed(libc::R_OK).as_bytes());
    specs.set_text(IoSpec::WriteAllowed, allowed(libc::W_OK).as_bytes());
    specs.set_text(IoSpec::ReadwriteAllowed, allowed(libc::R_OK | libc::W_OK).as_bytes());
    specs.set_int(IoSpec::Recl, -1);
    specs.set_int(IoSpec::Nextrec, 0);
}
