//! Fortran input/output: the functions that compiled code calls. The protocol is in `trueline_abi::io`.
//!
//! A statement is data ([`statement`]); [`transfer`], [`open`], [`inquire`] and [`position`] execute it. This file
//! turns addresses into slices, keeps the stack of statements, and decides about errors: the program handles an error,
//! or ends.

mod cursor;
mod decimal;
mod edit;
mod error;
mod format;
mod inquire;
mod item;
mod list_read;
mod namelist;
mod namelist_name;
mod namelist_read;
mod open;
mod position;
pub(crate) mod ranks;
mod read;
mod read_number;
mod real;
mod record;
mod record_in;
pub(crate) mod single;
mod statement;
mod stream;
mod table;
#[cfg(test)]
mod tests;
mod transfer;
mod unformatted;
mod unit;
mod write;

use crate::exit::{ERROR_CODE, at_line, leave, tell, tell_error};
use crate::memory::{bytes, bytes_mut, c_text};
use error::{IoError, Result};
use item::{Item, ItemMut};
use statement::{Out, Statement};
use std::cell::RefCell;
use trueline_abi::TypeCode;
use trueline_abi::io::{BARE_EXPONENTS, DEFAULT_WIDTHS, LEGACY, ONE_UNIT, UNSIGNED_ZERO};
use trueline_abi::io::{IO_END, IO_EOR, IO_ERR, IO_OK, IoOp, IoSpec};

thread_local! {
    /// The statements that are under way, innermost last.
    static STATEMENTS: RefCell<Vec<Statement>> = const { RefCell::new(Vec::new()) };
}

/// Opens an input/output statement. `location` is `file:line`, NUL-terminated.
///
/// # Safety
/// `location` is null or NUL-terminated, and lives as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_begin(op: i32, location: *const u8) {
    let ops = [
        IoOp::Read,
        IoOp::Write,
        IoOp::Open,
        IoOp::Close,
        IoOp::Inquire,
        IoOp::Rewind,
        IoOp::Backspace,
        IoOp::Endfile,
        IoOp::Flush,
        IoOp::Wait,
    ];
    let op = ops.into_iter().find(|known| *known as i32 == op).unwrap_or(IoOp::Flush);
    // SAFETY: the caller passes a literal location.
    let location = unsafe { c_text(location) };
    STATEMENTS.with_borrow_mut(|stack| stack.push(Statement::new(op, location)));
}

/// Sets the defaults of statements, as the main program was compiled: see the flags of the same names.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_defaults(swap: i32, marker: i32, subrecord: i64, flags: i32) {
    open::set_swap(swap != 0);
    open::set_one_unit(flags & ONE_UNIT != 0);
    unformatted::set_markers(marker, subrecord);
    real::set_unsigned_zero(flags & UNSIGNED_ZERO != 0);
    read::set_legacy(flags & LEGACY != 0);
    format::set_default_widths(flags & DEFAULT_WIDTHS != 0);
    read_number::set_bare_exponents(flags & BARE_EXPONENTS != 0);
}

/// Passes an integer specifier.
///
/// # Safety
/// Called between `io_begin` and `io_start`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_int(spec: i32, value: i64) {
    with_statement(|statement| {
        statement.specs.ints.push((spec, value));
        Ok(())
    });
}

/// Passes a character specifier.
///
/// # Safety
/// `text` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_str(spec: i32, text: *const u8, len: i64) {
    // SAFETY: the caller passes a character value and its length.
    let text = unsafe { bytes(text, len) };
    with_statement(|statement| {
        if spec == IoSpec::Fmt as i32 {
            statement.specs.format = Some(cursor::parsed(text));
        } else {
            statement.specs.texts.push((spec, text.to_vec()));
        }
        Ok(())
    });
}

/// Passes a variable to be defined by the statement; `code` is a `TypeCode`, `len` its character length.
///
/// # Safety
/// `variable` is the address of such a variable, and lives until the statement ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_out(spec: i32, variable: *mut u8, code: i32, len: i64) {
    let Some(code) = TypeCode::from_number(code) else { return };
    with_statement(|statement| {
        statement.specs.outs.push((spec, Out { at: variable, code, len }));
        Ok(())
    });
}

/// All specifiers are known: the statement begins.
///
/// # Safety
/// Called once between `io_begin` and `io_finish`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_start() {
    with_statement(|statement| if ranks::is_elsewhere(statement) { Ok(()) } else { transfer::start(statement) });
}

/// Names an object of a NAMELIST group. `dims` holds the lower bound, the number of elements and their distance in
/// bytes of each of `rank` dimensions. The next item call passes its first element; an object of derived type has none,
/// but is followed by its components, whose names are `object%component`.
///
/// # Safety
/// `name` is the address of `len` bytes, `dims` of three 8-byte integers a dimension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_object(name: *const u8, len: i64, dims: *const u8, rank: i32) {
    // SAFETY: the caller passes a name and its length.
    let name = unsafe { bytes(name, len) };
    let rank = if dims.is_null() { 0 } else { usize::try_from(rank).unwrap_or(0) };
    let dims = (0..rank)
        .map(|k| {
            // SAFETY: the caller passes three integers a dimension.
            let [lower, extent, stride] = unsafe { dims.cast::<[i64; 3]>().add(k).read_unaligned() };
            namelist::Dim { lower, extent: extent.max(0), stride }
        })
        .collect();
    with_statement(|statement| {
        namelist::add(&mut statement.objects, name, dims);
        Ok(())
    });
}

/// Gives the object of a NAMELIST group that was named last its memory; false when the statement has no group.
fn is_object(statement: &mut Statement, at: *mut u8, code: TypeCode, size: i64) -> bool {
    if !matches!(statement.transfer, statement::Transfer::Namelist(_)) && !ranks::is_group_elsewhere(statement) {
        return false;
    }
    if let Some(object) = namelist::last(&mut statement.objects) {
        (object.at, object.code, object.size) = (at, code, size.max(0) as usize);
    }
    true
}

/// Writes one item.
///
/// # Safety
/// `item` is the address of an item of type `code` and, of characters, length `len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_put(item: *const u8, code: i32, len: i64) {
    // SAFETY: one item is an array of one element, whatever the stride.
    unsafe { trueline_io_put_array(item, code, len, 1, 0) };
}

/// Writes `count` items, `stride` bytes apart.
///
/// # Safety
/// `items` is the address of `count` items of type `code` and, of characters, length `len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_put_array(items: *const u8, code: i32, len: i64, count: i64, stride: i64) {
    let Some(code) = TypeCode::from_number(code) else { return };
    let size = item_size(code, len);
    with_statement(|statement| {
        if is_object(statement, items.cast_mut(), code, size) || ranks::is_elsewhere(statement) {
            return Ok(());
        }
        if stride == size && code != TypeCode::Char && transfer::takes_blocks(statement) {
            // SAFETY: the items are adjacent.
            let all = unsafe { bytes(items, size.saturating_mul(count)) };
            return transfer::put(statement, Item { code, bytes: all });
        }
        for i in 0..count.max(0) {
            // SAFETY: item `i` is one of the caller's.
            let item = unsafe { bytes(items.offset((i * stride) as isize), size) };
            transfer::put(statement, Item { code, bytes: item })?;
        }
        Ok(())
    });
}

/// Reads one item.
///
/// # Safety
/// `item` is the address of a variable of type `code` and, of characters, length `len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_get(item: *mut u8, code: i32, len: i64) {
    // SAFETY: one item is an array of one element, whatever the stride.
    unsafe { trueline_io_get_array(item, code, len, 1, 0) };
}

/// Reads `count` items, `stride` bytes apart.
///
/// # Safety
/// `items` is the address of `count` variables of type `code` and, of characters, length `len`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_get_array(items: *mut u8, code: i32, len: i64, count: i64, stride: i64) {
    let Some(code) = TypeCode::from_number(code) else { return };
    let size = item_size(code, len);
    with_statement(|statement| {
        if is_object(statement, items, code, size) || ranks::is_elsewhere(statement) {
            return Ok(());
        }
        if stride == size && code != TypeCode::Char && transfer::takes_blocks(statement) {
            // SAFETY: the items are adjacent.
            let all = unsafe { bytes_mut(items, size.saturating_mul(count)) };
            return transfer::get(statement, ItemMut { code, bytes: all });
        }
        for i in 0..count.max(0) {
            // SAFETY: item `i` is one of the caller's.
            let item = unsafe { bytes_mut(items.offset((i * stride) as isize), size) };
            transfer::get(statement, ItemMut { code, bytes: item })?;
        }
        Ok(())
    });
    if crate::ranks::size() > 1 {
        // SAFETY: the caller passes `count` items.
        unsafe { ranks::share_items(items, size, count, stride) };
    }
}

/// 1 if an error or the end of the file has kept items of the statement from being read, else 0. The end of a record keeps none: they are blanks.
#[unsafe(no_mangle)]
pub extern "C" fn trueline_io_fails() -> i32 {
    let fails = |statement: &Statement| statement.error.as_ref().is_some_and(|e| e.code != error::code::EOR);
    STATEMENTS.with_borrow(|all| i32::from(all.last().is_some_and(fails)))
}

/// Ends the statement; returns one of `IO_OK`, `IO_ERR`, `IO_END`, `IO_EOR`.
///
/// # Safety
/// Called once after `io_begin`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_io_finish() -> i32 {
    with_statement(|statement| if ranks::is_elsewhere(statement) { Ok(()) } else { transfer::finish(statement) });
    let Some(mut statement) = STATEMENTS.with_borrow_mut(Vec::pop) else { return IO_OK };
    give_back(&mut statement);
    let own = if ranks::is_elsewhere(&statement) { IO_OK } else { conclude(&statement) };
    ranks::share_result(&statement, own)
}

/// Tells the program how the statement ended, by its variables and the result.
fn conclude(statement: &Statement) -> i32 {
    let error = statement.error.as_ref();
    statement.specs.set_int(IoSpec::Iostat, error.map_or(0, |e| e.code.into()));
    match error {
        None => IO_OK,
        Some(error) => {
            statement.specs.set_text(IoSpec::Iomsg, &error.message);
            match error.code {
                error::code::END => IO_END,
                error::code::EOR => IO_EOR,
                _ => IO_ERR,
            }
        }
    }
}

fn item_size(code: TypeCode, len: i64) -> i64 {
    if code == TypeCode::Char { len.max(0) } else { code.size() as i64 }
}

/// Runs one step of the innermost statement. After an error the rest of the statement does nothing; an
/// error that the program does not handle ends it here.
fn with_statement(step: impl FnOnce(&mut Statement) -> Result<()>) {
    let fatal = STATEMENTS.with_borrow_mut(|stack| {
        let statement = stack.last_mut()?;
        if statement.error.is_some() {
            return None;
        }
        let error = step(statement).err()?;
        let handled = statement.handles(&error);
        statement.error = Some(error.clone());
        let record = record_number(statement);
        transfer::abandon(statement);
        if handled { None } else { Some(fatal_message(statement, record, &error)) }
    });
    if let Some(message) = fatal {
        give_back_all();
        flush_standard();
        tell_error(&[message, crate::exit::termination()].concat());
        leave(ERROR_CODE);
    }
}

/// Looks at the innermost statement.
fn with_top<T>(look: impl FnOnce(&Statement) -> T) -> Option<T> {
    STATEMENTS.with_borrow(|stack| stack.last().map(look))
}

/// The number of the record that `statement` reads or writes in its file, the first being 1.
fn record_number(statement: &Statement) -> Option<u64> {
    let transfers = matches!(statement.op, IoOp::Read | IoOp::Write);
    let unit = statement.unit.as_deref().filter(|unit| transfers && !unit.is_internal())?;
    (unit.access != unit::Access::Stream).then_some(unit.next_record)
}

/// As libgfortran has it: where, which unit, which file; which record; then the error.
fn fatal_message(statement: &Statement, record: Option<u64>, error: &IoError) -> Vec<u8> {
    let mut text = at_line(statement.location);
    let internal = statement.specs.out(IoSpec::InternalUnit).is_some();
    if !text.is_empty() {
        if let Some(number) = transfer::unit_number(statement).filter(|_| !internal) {
            text.extend_from_slice(format!(" (unit = {number}").as_bytes());
            if let Some(name) = statement.unit.as_ref().and_then(|unit| unit.name.as_deref()) {
                text.extend_from_slice(&[b", file = '", name, b"'"].concat());
            }
            if let Some(record) = record {
                text.extend_from_slice(format!(", record = {record}").as_bytes());
            }
            text.push(b')');
        }
        text.push(b'\n');
    }
    text.extend_from_slice(b"Fortran runtime error: ");
    text.extend_from_slice(&error.message);
    text.push(b'\n');
    text.extend_from_slice(&crate::exit::column_line(statement.location, ""));
    text
}

/// Puts the unit of a statement back into the table.
fn give_back(statement: &mut Statement) {
    if let Some(unit) = statement.unit.take()
        && !unit.is_internal()
    {
        table::put(unit);
    }
}

/// Ends all statements of this thread, because the program ends within them.
fn give_back_all() {
    // When the C library ends a program of another language, the thread's own storage has gone before.
    let _ = STATEMENTS.try_with(|stack| {
        let Ok(mut stack) = stack.try_borrow_mut() else { return };
        while let Some(mut statement) = stack.pop() {
            transfer::abandon(&mut statement);
            give_back(&mut statement);
        }
    });
}

/// Writes the buffered output of the standard units, before a message goes to standard error.
pub(crate) fn flush_standard() {
    table::find(|unit| {
        if unit.standard
            && let Err(error) = unit.flush()
        {
            // It is reported when the units are closed.
            unit.lost = Some(error);
        }
        None::<()>
    });
}

/// Writes the buffered output of all units to the system, for another program that may look at it.
pub(crate) fn flush_all() {
    table::find(|unit| {
        if let Err(error) = unit.flush() {
            // It is reported when the units are closed.
            unit.lost = Some(error);
        }
        None::<()>
    });
}

/// The file descriptor of a unit that is connected.
pub(crate) fn descriptor(number: i32) -> Option<i32> {
    table::find(|unit| if unit.number == number { unit.stream().map(|stream| stream.descriptor()) } else { None })
}

/// The text of an error number of the system.
pub(crate) fn system_text(number: i32) -> String {
    error::strerror(number)
}

/// The next line of standard input, through the unit that reads it.
pub(crate) fn line_of_input() -> Option<Vec<u8>> {
    let table::Taken::Unit(mut unit) = table::take(table::STDIN) else { return None };
    let line = unit.begin_input().and_then(|()| {
        unit.load()?;
        let line = unit.record.bytes.clone();
        unit.end_input_record().map(|()| line)
    });
    table::put(unit);
    line.ok()
}

/// Closes all units at the end of the program; false if output was lost, which has been reported.
pub(crate) fn close_all() -> bool {
    give_back_all();
    let mut ok = true;
    for number in table::numbers() {
        // A unit that another thread is using is left to it: waiting could last for ever.
        let Some(unit) = table::take_free(number) else { continue };
        let name = unit.name.clone().unwrap_or_default();
        if let Err(error) = open::close_unit(unit, None) {
            ok = false;
            let text: &[&[u8]] = &[b"Fortran runtime error: Cannot write to '", &name, b"': ", &error.message, b"\n"];
            tell(&text.concat());
        }
    }
    ok
}
