//! OPEN and CLOSE.

use super::error::{IoError, Result, code, strerror};
use super::statement::{Specs, Statement};
use super::stream::Stream;
use super::table::{self, Taken};
use super::transfer::{checked_number, recursive};
use super::unit::{Access, Action, Carriage, DEFAULT_RECL, Delim, End, Last, Medium, Rounding, Sign, Unit};
use std::ffi::CString;
use std::sync::atomic::{AtomicBool, Ordering};
use trueline_abi::io::IoSpec;

/// The values of the specifiers that a data transfer may change, too.
pub(crate) const SIGNS: &[(&str, Sign)] =
    &[("PLUS", Sign::Plus), ("SUPPRESS", Sign::Suppress), ("PROCESSOR_DEFINED", Sign::Suppress)];
pub(crate) const BLANKS: &[(&str, bool)] = &[("NULL", false), ("ZERO", true)];
pub(crate) const DELIMS: &[(&str, Delim)] =
    &[("NONE", Delim::None), ("APOSTROPHE", Delim::Apostrophe), ("QUOTE", Delim::Quote)];
pub(crate) const CARRIAGES: &[(&str, Carriage)] =
    &[("LIST", Carriage::List), ("FORTRAN", Carriage::Fortran), ("NONE", Carriage::None)];
const SHARES: &[(&str, &str)] = &[("DENYRW", "DENYRW"), ("DENYNONE", "DENYNONE")];
pub(crate) const YES_NO: &[(&str, bool)] = &[("YES", true), ("NO", false)];
pub(crate) const ROUNDINGS: &[(&str, Rounding)] = &[
    ("UP", Rounding::Up),
    ("DOWN", Rounding::Down),
    ("ZERO", Rounding::Zero),
    ("NEAREST", Rounding::Nearest),
    ("COMPATIBLE", Rounding::Compatible),
    ("PROCESSOR_DEFINED", Rounding::Unspecified),
];

/// `STATUS=` of OPEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Old,
    New,
    Scratch,
    Replace,
    Unknown,
}

/// `POSITION=` of OPEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Position {
    AsIs,
    Rewind,
    Append,
}

const ACCESSES: &[(&str, (Access, bool))] = &[
    ("SEQUENTIAL", (Access::Sequential, false)),
    ("DIRECT", (Access::Direct, false)),
    ("STREAM", (Access::Stream, false)),
    ("APPEND", (Access::Sequential, true)),
];
const FORMS: &[(&str, bool)] = &[("FORMATTED", true), ("UNFORMATTED", false)];
const STATUSES: &[(&str, Status)] = &[
    ("OLD", Status::Old),
    ("NEW", Status::New),
    ("SCRATCH", Status::Scratch),
    ("REPLACE", Status::Replace),
    ("UNKNOWN", Status::Unknown),
];
const ACTIONS: &[(&str, Action)] =
    &[("READ", Action::Read), ("WRITE", Action::Write), ("READWRITE", Action::ReadWrite)];
const POSITIONS: &[(&str, Position)] =
    &[("ASIS", Position::AsIs), ("REWIND", Position::Rewind), ("APPEND", Position::Append)];

/// The value that `text` names, in whatever case.
pub(crate) fn choice<T: Copy>(text: &[u8], values: &[(&str, T)], specifier: &str) -> Result<T> {
    values
        .iter()
        .find(|(name, _)| text.eq_ignore_ascii_case(name.as_bytes()))
        .map(|(_, value)| *value)
        .ok_or_else(|| IoError::new(code::BAD_OPTION, format!("Bad {specifier} parameter in OPEN statement")))
}

/// OPEN.
pub(crate) fn open(statement: &mut Statement) -> Result<()> {
    let wants_new = statement.specs.out(IoSpec::Newunit).is_some();
    let number = if wants_new { table::new_number() } else { checked_number(statement)? };
    if number < 0 && !wants_new && !table::numbers().contains(&number) {
        return Err(IoError::fixed(code::BAD_OPTION, "Bad unit number in OPEN statement"));
    }
    // Another thread that connects the unit, too, waits until this statement ends.
    let old = match table::reserve(number) {
        Taken::Recursive => return Err(recursive()),
        Taken::Unit(unit) => Some(unit),
        Taken::Absent => None,
    };
    match old {
        Some(unit) if is_same_file(&unit, &statement.specs) => {
            // Only the modes may change.
            let unit = statement.unit.insert(unit);
            check_unchanged(unit, &statement.specs)?;
            set_modes(unit, &statement.specs)?;
            reposition(unit, &statement.specs)
        }
        Some(unit) => {
            close_unit(unit, None).and_then(|()| connect(statement, number)).inspect_err(|_| table::remove(number))
        }
        None => connect(statement, number).inspect_err(|_| table::remove(number)),
    }
}

/// Specifiers that an OPEN of a connected unit repeats must agree with the connection.
fn check_unchanged(unit: &Unit, specs: &Specs) -> Result<()> {
    let access: &[u8] = match unit.access {
        Access::Sequential => b"SEQUENTIAL",
        Access::Direct => b"DIRECT",
        Access::Stream => b"STREAM",
    };
    let action: &[u8] = match unit.action {
        Action::Read => b"READ",
        Action::Write => b"WRITE",
        Action::ReadWrite => b"READWRITE",
    };
    let form: &[u8] = if unit.formatted { b"FORMATTED" } else { b"UNFORMATTED" };
    let stated = [(IoSpec::Access, access, "ACCESS"), (IoSpec::Form, form, "FORM"), (IoSpec::Action, action, "ACTION")];
    let changed =
        stated.iter().find(|(spec, is, _)| specs.text(*spec).is_some_and(|text| !text.eq_ignore_ascii_case(is)));
    let recl = specs.int(IoSpec::Recl).is_some_and(|recl| recl as u64 != unit.recl);
    match changed.map(|(_, _, name)| *name).or(recl.then_some("RECL")) {
        None => Ok(()),
        Some(name) => Err(IoError::new(code::BAD_OPTION, format!("Cannot change {name} parameter in OPEN statement"))),
    }
}

/// `POSITION=` in an OPEN of a connected unit.
fn reposition(unit: &mut Unit, specs: &Specs) -> Result<()> {
    let Some(text) = specs.text(IoSpec::Position) else { return Ok(()) };
    let position = choice(text, POSITIONS, "POSITION")?;
    if position == Position::AsIs {
        return Ok(());
    }
    unit.finish_output_record()?;
    unit.record.clear();
    unit.last = Last::Nothing;
    unit.end = End::Before;
    let Some(stream) = unit.stream().filter(|stream| stream.is_seekable()) else { return Ok(()) };
    let offset = if position == Position::Append { stream.size()? } else { 0 };
    Ok(stream.seek(offset)?)
}

fn connect(statement: &mut Statement, number: i32) -> Result<()> {
    check_free(&statement.specs)?;
    let mut unit = new_unit(number, &statement.specs)?;
    set_modes(&mut unit, &statement.specs)?;
    statement.specs.set_int(IoSpec::Newunit, number.into());
    statement.unit = Some(Box::new(unit));
    Ok(())
}

/// Connects unit `number` to `fort.N`, for a data transfer without an OPEN.
pub(crate) fn implicit(number: i32, formatted: bool) -> Result<Box<Unit>> {
    let name = format!("fort.{number}").into_bytes();
    let (stream, action) = open_file(&name, Status::Unknown, None)?;
    let mut unit = Unit::new(number, Some(name), Medium::File(stream));
    unit.action = action;
    unit.formatted = formatted;
    unit.swap = SWAP.load(Ordering::Relaxed);
    Ok(Box::new(unit))
}

const PROTECTED: &str =
    "Fortran runtime warning: STATUS set to DELETE on CLOSE but file protected by READONLY specifier\n";

/// CLOSE. A unit that is not connected is closed already.
pub(crate) fn close(statement: &mut Statement) -> Result<()> {
    let status = match statement.specs.text(IoSpec::Status) {
        None => None,
        Some(text) => match text.to_ascii_uppercase().as_slice() {
            b"KEEP" => Some(true),
            b"DELETE" => Some(false),
            _ => return Err(IoError::fixed(code::BAD_OPTION, "Bad STATUS parameter in CLOSE statement")),
        },
    };
    let number = checked_number(statement)?;
    match table::take(number) {
        Taken::Absent => Ok(()),
        Taken::Recursive => Err(recursive()),
        Taken::Unit(unit) if unit.scratch && status == Some(true) => {
            table::put(unit);
            Err(IoError::fixed(code::OPTION_CONFLICT, "CLOSE status conflicts with scratch file"))
        }
        Taken::Unit(unit) => {
            let protected = unit.read_only && status == Some(false);
            if protected {
                crate::exit::tell(PROTECTED.as_bytes());
            }
            let closed = close_unit(unit, status.filter(|_| !protected));
            table::remove(number);
            closed
        }
    }
}

/// Writes buffered output and closes the file; removes it if `keep` is false. A scratch file has no name any more.
pub(crate) fn close_unit(mut unit: Box<Unit>, keep: Option<bool>) -> Result<()> {
    let finished = unit.finish_output_record();
    let name = unit.name.take();
    let lost = unit.lost.take();
    let closed = match unit.medium {
        Medium::File(stream) => stream.close().map_err(IoError::from),
        Medium::Memory(_) => Ok(()),
    };
    let mut removed = Ok(());
    if keep == Some(false)
        && !unit.scratch
        && let Some(name) = name.and_then(|name| CString::new(name).ok())
    {
        // SAFETY: a C string is passed.
        if unsafe { libc::remove(name.as_ptr()) } != 0 {
            removed = Err(std::io::Error::last_os_error().into());
        }
    }
    lost.map_or(Ok(()), Err).and(finished).and(closed).and(removed)
}

/// Whether OPEN names the file that the unit is connected to, or none.
fn is_same_file(unit: &Unit, specs: &Specs) -> bool {
    match specs.text(IoSpec::File) {
        None => specs.text(IoSpec::Status).is_none_or(|status| !status.eq_ignore_ascii_case(b"SCRATCH")),
        Some(file) => unit.name.as_deref() == Some(before_nul(file)),
    }
}

/// The requests of the specifiers of an OPEN.
struct Request {
    access: Access,
    formatted: bool,
    status: Status,
    action: Option<Action>,
    position: Position,
    recl: u64,
    swap: bool,
}

/// Reads the specifiers: before the file is touched, so that a mistake leaves nothing behind.
fn request(specs: &Specs) -> Result<Request> {
    let get = |spec| specs.text(spec);
    let (access, append) =
        get(IoSpec::Access).map_or(Ok((Access::Sequential, false)), |text| choice(text, ACCESSES, "ACCESS"))?;
    let formatted = get(IoSpec::Form).map_or(Ok(access == Access::Sequential), |text| choice(text, FORMS, "FORM"))?;
    let status = get(IoSpec::Status).map_or(Ok(Status::Unknown), |text| choice(text, STATUSES, "STATUS"))?;
    let action = get(IoSpec::Action).map(|text| choice(text, ACTIONS, "ACTION")).transpose()?;
    let position = match get(IoSpec::Position) {
        None if append => Position::Append,
        None => Position::AsIs,
        Some(text) => choice(text, POSITIONS, "POSITION")?,
    };
    if append && position != Position::Append {
        let message = "Conflicting ACCESS and POSITION flags in OPEN statement";
        return Err(IoError::fixed(code::BAD_OPTION, message));
    }
    let recl = checked_recl(specs.int(IoSpec::Recl), access)?;
    if access == Access::Direct && position != Position::AsIs {
        return Err(IoError::fixed(code::OPTION_CONFLICT, "Cannot use POSITION with direct access files"));
    }
    let swap = must_swap(get(IoSpec::Convert))?;
    Ok(Request { access, formatted, status, action, position, recl, swap })
}

/// Opens the file that the specifiers ask for.
fn new_unit(number: i32, specs: &Specs) -> Result<Unit> {
    let request = request(specs)?;
    let (name, scratch) = file_name(number, specs, request.status)?;
    let (stream, action) = if scratch {
        (scratch_file()?, request.action.unwrap_or(Action::ReadWrite))
    } else {
        open_file(&name, request.status, request.action)?
    };
    let mut unit = Unit::new(number, (!scratch).then_some(name), Medium::File(stream));
    unit.access = request.access;
    unit.formatted = request.formatted;
    unit.action = action;
    unit.recl = request.recl;
    unit.has_recl = specs.int(IoSpec::Recl).is_some();
    unit.scratch = scratch;
    unit.swap = request.swap;
    if request.position == Position::Append
        && let Some(stream) = unit.stream()
    {
        let end = stream.size()?;
        stream.seek(end)?;
    }
    unit.position = match request.position {
        Position::AsIs => "ASIS",
        Position::Rewind => "REWIND",
        Position::Append => "APPEND",
    };
    Ok(unit)
}

fn checked_recl(recl: Option<i64>, access: Access) -> Result<u64> {
    match recl {
        Some(recl) if recl > 0 => Ok(recl as u64),
        Some(_) => Err(IoError::fixed(code::BAD_OPTION, "RECL parameter is non-positive in OPEN statement")),
        None if access == Access::Direct => {
            Err(IoError::fixed(code::MISSING_OPTION, "Missing RECL parameter in OPEN statement"))
        }
        None => Ok(DEFAULT_RECL),
    }
}

fn file_name(number: i32, specs: &Specs, status: Status) -> Result<(Vec<u8>, bool)> {
    match (specs.text(IoSpec::File), status) {
        (Some(_), Status::Scratch) => {
            Err(IoError::fixed(code::BAD_OPTION, "FILE parameter must not be present in OPEN statement"))
        }
        (None, Status::Scratch) => Ok((Vec::new(), true)),
        (Some(name), _) => Ok((before_nul(name).to_vec(), false)),
        (None, _) => Ok((format!("fort.{number}").into_bytes(), false)),
    }
}

/// The system's names of files end at a NUL character.
pub(crate) fn before_nul(name: &[u8]) -> &[u8] {
    &name[..name.iter().position(|&b| b == 0).unwrap_or(name.len())]
}

/// Device and inode of a regular file.
pub(crate) fn file_id(name: &[u8]) -> Option<(u64, u64)> {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::MetadataExt;
    let data = std::fs::metadata(std::ffi::OsStr::from_bytes(name)).ok()?;
    data.is_file().then(|| (data.dev(), data.ino()))
}

/// Whether unformatted data are swapped when OPEN does not say.
static SWAP: AtomicBool = AtomicBool::new(false);

/// Sets the byte order of OPEN without CONVERT=.
pub(crate) fn set_swap(swap: bool) {
    SWAP.store(swap, Ordering::Relaxed);
}

/// Whether a file may be connected to one unit alone, as all standards before Fortran 2023 have it.
static ONE_UNIT: AtomicBool = AtomicBool::new(false);

/// Makes OPEN refuse files that are connected to another unit.
pub(crate) fn set_one_unit(one: bool) {
    ONE_UNIT.store(one, Ordering::Relaxed);
}

/// The regular file of an OPEN must not be connected to a unit.
fn check_free(specs: &Specs) -> Result<()> {
    let Some(file) = specs.text(IoSpec::File).map(before_nul).filter(|_| ONE_UNIT.load(Ordering::Relaxed)) else {
        return Ok(());
    };
    let is_taken = || table::find(|unit| super::inquire::is_connected_to(unit, file).then_some(())).is_some();
    match file_id(file).is_some() && is_taken() {
        true => Err(IoError::fixed(code::ALREADY_OPEN, "File already opened in another unit")),
        false => Ok(()),
    }
}

fn must_swap(convert: Option<&[u8]>) -> Result<bool> {
    let Some(text) = convert else { return Ok(SWAP.load(Ordering::Relaxed)) };
    let little = cfg!(target_endian = "little");
    choice(text, &[("NATIVE", false), ("SWAP", true), ("BIG_ENDIAN", little), ("LITTLE_ENDIAN", !little)], "CONVERT")
}

/// Sets the modes that OPEN names.
fn set_modes(unit: &mut Unit, specs: &Specs) -> Result<()> {
    let get = |spec| specs.text(spec);
    let modes = &mut unit.modes;
    if let Some(text) = get(IoSpec::Blank) {
        modes.blank_zero = choice(text, BLANKS, "BLANK")?;
    }
    if let Some(text) = get(IoSpec::Delim) {
        modes.delim = choice(text, DELIMS, "DELIM")?;
    }
    if let Some(text) = get(IoSpec::Pad) {
        modes.pad = choice(text, YES_NO, "PAD")?;
    }
    if let Some(text) = get(IoSpec::Decimal) {
        modes.comma = choice(text, &[("POINT", false), ("COMMA", true)], "DECIMAL")?;
    }
    if let Some(text) = get(IoSpec::Sign) {
        modes.sign = choice(text, SIGNS, "SIGN")?;
    }
    if let Some(text) = get(IoSpec::Round) {
        modes.rounding = choice(text, ROUNDINGS, "ROUND")?;
    }
    if let Some(text) = get(IoSpec::CarriageControl) {
        unit.carriage = choice(text, CARRIAGES, "CARRIAGECONTROL")?;
    }
    if let Some(text) = get(IoSpec::Share) {
        unit.share = choice(text, SHARES, "SHARE")?;
    }
    unit.read_only |= specs.int(IoSpec::Readonly).is_some();
    if let Some(text) = get(IoSpec::Asynchronous) {
        unit.asynchronous = choice(text, YES_NO, "ASYNCHRONOUS")?;
    }
    if let Some(text) = get(IoSpec::Encoding) {
        unit.utf8 = choice(text, &[("DEFAULT", false), ("UTF-8", true)], "ENCODING")?;
    }
    Ok(())
}

/// Opens `name`. Without an action it tries reading and writing, then reading, then writing.
fn open_file(name: &[u8], status: Status, action: Option<Action>) -> Result<(Stream, Action)> {
    let path =
        CString::new(name).map_err(|_| IoError::fixed(code::BAD_OPTION, "File name contains a NUL character"))?;
    let create = match status {
        Status::Old => 0,
        Status::New => libc::O_CREAT | libc::O_EXCL,
        Status::Replace => libc::O_CREAT | libc::O_TRUNC,
        Status::Unknown | Status::Scratch => libc::O_CREAT,
    };
    let candidates: &[Action] = match &action {
        Some(action) => std::slice::from_ref(action),
        None => &[Action::ReadWrite, Action::Read, Action::Write],
    };
    let mut first_error = None;
    for &action in candidates {
        let mode = match action {
            Action::Read if status == Status::Unknown => libc::O_RDONLY,
            Action::Read => libc::O_RDONLY | create,
            Action::Write => libc::O_WRONLY | create,
            Action::ReadWrite => libc::O_RDWR | create,
        };
        match open_descriptor(&path, mode) {
            Ok(fd) => return Ok((Stream::new(fd, true, action != Action::Read), action)),
            Err(error) => {
                let other_action_may_do =
                    matches!(error.raw_os_error(), Some(libc::EACCES | libc::EPERM | libc::EROFS));
                first_error.get_or_insert(error);
                if !other_action_may_do {
                    break;
                }
            }
        }
    }
    let error = first_error.unwrap_or_else(|| std::io::Error::from_raw_os_error(libc::EIO));
    Err(open_error(name, &error))
}

fn open_descriptor(path: &CString, mode: i32) -> std::io::Result<i32> {
    loop {
        // SAFETY: a C string is passed; the mode of a new file is subject to the umask.
        let fd = unsafe { libc::open(path.as_ptr(), mode | libc::O_CLOEXEC, 0o666) };
        if fd < 0 {
            let error = std::io::Error::last_os_error();
            if error.kind() == std::io::ErrorKind::Interrupted {
                continue;
            }
            return Err(error);
        }
        return Ok(fd);
    }
}

fn open_error(name: &[u8], error: &std::io::Error) -> IoError {
    let number = error.raw_os_error().unwrap_or(libc::EIO);
    let message = [b"Cannot open file '".as_slice(), name, b"': ", strerror(number).as_bytes()].concat();
    IoError::new(number, message)
}

/// A file without a name.
fn scratch_file() -> Result<Stream> {
    use std::os::unix::ffi::OsStringExt;
    let mut path = std::env::temp_dir().into_os_string().into_vec();
    path.extend_from_slice(b"/truelineXXXXXX\0");
    // SAFETY: the template is NUL-terminated and writable.
    let fd = unsafe { libc::mkstemp(path.as_mut_ptr().cast()) };
    if fd < 0 {
        return Err(IoError::system(b"Cannot open a scratch file: ", &std::io::Error::last_os_error()));
    }
    // SAFETY: `mkstemp` completed the name. Removed now, it is gone however the program ends.
    unsafe { libc::unlink(path.as_ptr().cast()) };
    Ok(Stream::new(fd, true, true))
}
