//! Unformatted records: bytes as they are.
//!
//! A sequential record stands between two markers of four bytes with its length. One longer than
//! [`MOST`] is cut into subrecords, as gfortran does: a negative leading marker says that another follows,
//! a negative trailing marker that one precedes.

use super::error::{IoError, Result, code};
use super::item::{Class, Item, ItemMut, class, part_code};
use super::stream::Stream;
use super::unit::{Access, End, Medium, Unit};
use std::sync::atomic::{AtomicU64, Ordering};

use trueline_abi::TypeCode;

/// The longest subrecord: the largest length that fits in a signed marker, less the two markers. Tests have shorter
/// ones.
const MOST: u64 = if cfg!(test) { 1000 } else { 2_147_483_639 };

/// The bytes of a marker and the longest subrecord as the program was compiled.
static MARKER: AtomicU64 = AtomicU64::new(4);
static SUBRECORD: AtomicU64 = AtomicU64::new(MOST);

/// Sets the size of markers and the longest subrecord.
pub(crate) fn set_markers(bytes: i32, subrecord: i64) {
    MARKER.store(if bytes == 8 { 8 } else { 4 }, Ordering::Relaxed);
    SUBRECORD.store(subrecord.clamp(1, MOST as i64) as u64, Ordering::Relaxed);
}

fn marker_size() -> usize {
    MARKER.load(Ordering::Relaxed) as usize
}

fn most() -> u64 {
    SUBRECORD.load(Ordering::Relaxed)
}

/// A record that is being written.
#[derive(Default, Debug)]
pub(crate) struct Output {
    /// The place of the leading marker of the subrecord, and the length so far.
    marker: u64,
    len: u64,
    /// The length of the whole record so far.
    total: u64,
    /// A subrecord precedes.
    continues: bool,
}

/// A record that is being read.
#[derive(Default, Debug)]
pub(crate) struct Input {
    /// Length of the subrecord, and how much of it has not been read.
    len: u64,
    left: u64,
    /// A subrecord follows.
    more: bool,
}

/// Begins a record.
pub(crate) fn begin_output(unit: &mut Unit) -> Result<Output> {
    let (sequential, Medium::File(stream)) = (unit.access == Access::Sequential, &mut unit.medium) else {
        return Err(no_stream());
    };
    let output = Output { marker: stream.position(), ..Output::default() };
    if sequential {
        stream.hold(true);
        stream.write(&[0; 8][..marker_size()])?;
    }
    Ok(output)
}

/// Writes an item.
pub(crate) fn put(output: &mut Output, unit: &mut Unit, item: Item<'_>) -> Result<()> {
    let mut swapped = Vec::new();
    let mut bytes = item.bytes;
    if unit.swap {
        swapped.extend_from_slice(bytes);
        swap_items(&mut swapped, item.code);
        bytes = &swapped;
    }
    match (unit.access, &mut unit.medium) {
        (Access::Direct, _) => unit.put(bytes),
        (Access::Stream, Medium::File(stream)) => Ok(stream.write(bytes)?),
        (Access::Sequential, Medium::File(stream)) => {
            output.total = output.total.saturating_add(bytes.len() as u64);
            if unit.has_recl && output.total > unit.recl {
                return Err(short_record());
            }
            put_sequential(output, stream, bytes, unit.swap)
        }
        _ => Err(no_stream()),
    }
}

fn put_sequential(output: &mut Output, stream: &mut Stream, mut bytes: &[u8], swap: bool) -> Result<()> {
    while !bytes.is_empty() {
        if output.len == most() {
            end_subrecord(output, stream, true, swap)?;
            *output = Output { marker: stream.position(), len: 0, continues: true, ..*output };
            stream.write(&[0; 8][..marker_size()])?;
        }
        let count = (most() - output.len).min(bytes.len() as u64) as usize;
        stream.write(&bytes[..count])?;
        output.len += count as u64;
        bytes = &bytes[count..];
    }
    Ok(())
}

/// Ends the record.
pub(crate) fn finish_output(output: &mut Output, unit: &mut Unit) -> Result<()> {
    match (unit.access, &mut unit.medium) {
        (Access::Direct, _) => unit.end_output_record(),
        (Access::Sequential, Medium::File(stream)) => {
            unit.next_record += 1;
            let ended = end_subrecord(output, stream, false, unit.swap);
            stream.hold(false);
            ended
        }
        _ => Ok(()),
    }
}

fn end_subrecord(output: &Output, stream: &mut Stream, more: bool, swap: bool) -> Result<()> {
    let (len, size) = (output.len as i64, marker_size());
    stream.write(&marker(if output.continues { -len } else { len }, swap)[..size])?;
    Ok(stream.patch(output.marker, &marker(if more { -len } else { len }, swap)[..size])?)
}

/// Begins to read a record.
pub(crate) fn begin_input(unit: &mut Unit) -> Result<Input> {
    let mut input = Input::default();
    let swap = unit.swap;
    match (unit.access, &mut unit.medium) {
        (Access::Direct, Medium::File(_)) => {
            input.left = unit.recl;
            input.len = unit.recl;
        }
        (Access::Sequential, Medium::File(stream)) => match read_marker(stream, swap)? {
            Some(marker) => input.set(marker),
            None => {
                unit.end = End::After;
                return Err(IoError::end());
            }
        },
        (_, Medium::Memory(_)) => return Err(no_stream()),
        _ => {}
    }
    Ok(input)
}

impl Input {
    fn set(&mut self, marker: i64) {
        self.len = marker.unsigned_abs();
        self.left = self.len;
        self.more = marker < 0;
    }
}

/// Reads an item.
pub(crate) fn get(input: &mut Input, unit: &mut Unit, item: ItemMut<'_>) -> Result<()> {
    let swap = unit.swap;
    let access = unit.access;
    let Medium::File(stream) = &mut unit.medium else { return Err(no_stream()) };
    match access {
        Access::Stream => {
            if stream.read(item.bytes)? < item.bytes.len() {
                return Err(IoError::end());
            }
        }
        Access::Direct => get_direct(input, stream, item.bytes)?,
        Access::Sequential => get_sequential(input, stream, item.bytes, swap)?,
    }
    if swap {
        swap_items(item.bytes, item.code);
    }
    Ok(())
}

fn get_direct(input: &mut Input, stream: &mut Stream, to: &mut [u8]) -> Result<()> {
    let wanted = (to.len() as u64).min(input.left) as usize;
    let (now, beyond) = to.split_at_mut(wanted);
    let got = stream.read(now)?;
    input.left -= got as u64;
    if !beyond.is_empty() || got < wanted {
        return Err(short_record());
    }
    Ok(())
}

fn get_sequential(input: &mut Input, stream: &mut Stream, mut to: &mut [u8], swap: bool) -> Result<()> {
    while !to.is_empty() {
        if input.left == 0 {
            if !input.more {
                return Err(short_record());
            }
            next_subrecord(input, stream, swap)?;
            continue;
        }
        let count = (to.len() as u64).min(input.left) as usize;
        let (now, rest) = to.split_at_mut(count);
        if stream.read(now)? < count {
            return Err(corrupt());
        }
        input.left -= count as u64;
        to = rest;
    }
    Ok(())
}

/// Skips the rest of the record.
pub(crate) fn finish_input(input: &mut Input, unit: &mut Unit) -> Result<()> {
    let swap = unit.swap;
    let access = unit.access;
    unit.next_record += 1;
    let Medium::File(stream) = &mut unit.medium else { return Ok(()) };
    if access != Access::Sequential {
        return Ok(());
    }
    while input.more {
        next_subrecord(input, stream, swap)?;
    }
    end_of_subrecord(input, stream, swap)
}

fn next_subrecord(input: &mut Input, stream: &mut Stream, swap: bool) -> Result<()> {
    end_of_subrecord(input, stream, swap)?;
    let marker = read_marker(stream, swap)?.ok_or_else(corrupt)?;
    input.set(marker);
    Ok(())
}

/// Skips to the trailing marker and checks it.
fn end_of_subrecord(input: &mut Input, stream: &mut Stream, swap: bool) -> Result<()> {
    skip(stream, input.left)?;
    input.left = 0;
    let marker = read_marker(stream, swap)?.ok_or_else(corrupt)?;
    if marker.unsigned_abs() == input.len { Ok(()) } else { Err(corrupt()) }
}

/// Moves the position of a sequential file back over one record.
pub(crate) fn backspace(unit: &mut Unit) -> Result<()> {
    let swap = unit.swap;
    let Medium::File(stream) = &mut unit.medium else { return Err(no_stream()) };
    loop {
        let end = stream.position();
        if end == 0 {
            return Ok(());
        }
        let size = marker_size() as u64;
        let trailing = end.checked_sub(size).ok_or_else(corrupt)?;
        stream.seek(trailing)?;
        let marker = read_marker(stream, swap)?.ok_or_else(corrupt)?;
        let length = marker.unsigned_abs().checked_add(size).ok_or_else(corrupt)?;
        let start = trailing.checked_sub(length).ok_or_else(corrupt)?;
        stream.seek(start)?;
        if marker >= 0 {
            return Ok(());
        }
    }
}

/// The marker at the position; `None` at the end of the file.
fn read_marker(stream: &mut Stream, swap: bool) -> Result<Option<i64>> {
    let (mut bytes, size) = ([0; 8], marker_size());
    let got = stream.read(&mut bytes[..size])?;
    if got == 0 {
        return Ok(None);
    }
    if got < size {
        return Err(corrupt());
    }
    if swap {
        bytes[..size].reverse();
    }
    let [a, b, c, d, ..] = bytes;
    Ok(Some(if size == 8 { i64::from_ne_bytes(bytes) } else { i32::from_ne_bytes([a, b, c, d]).into() }))
}

/// A marker, in the first bytes.
fn marker(len: i64, swap: bool) -> [u8; 8] {
    let (mut bytes, size) = ([0; 8], marker_size());
    match size {
        8 => bytes = len.to_ne_bytes(),
        _ => bytes[..4].copy_from_slice(&(len as i32).to_ne_bytes()),
    }
    if swap {
        bytes[..size].reverse();
    }
    bytes
}

fn skip(stream: &mut Stream, count: u64) -> Result<()> {
    if stream.is_seekable() {
        return Ok(
            stream.seek(stream.position().checked_add(count).filter(|&p| p <= i64::MAX as u64).ok_or_else(corrupt)?)?
        );
    }
    let mut left = count;
    while left > 0 {
        let available = stream.fill()?.len() as u64;
        if available == 0 {
            return Err(corrupt());
        }
        let now = available.min(left);
        stream.consume(now as usize);
        left -= now;
    }
    Ok(())
}

/// Reverses the bytes of each item.
fn swap_items(bytes: &mut [u8], code: TypeCode) {
    let size = if class(code) == Class::Complex { part_code(code).size() } else { code.size() };
    bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
}

fn short_record() -> IoError {
    IoError::fixed(code::SHORT_RECORD, "I/O past end of record on unformatted file")
}

fn corrupt() -> IoError {
    IoError::fixed(code::CORRUPT_FILE, "Unformatted file structure has been corrupted")
}

fn no_stream() -> IoError {
    IoError::fixed(code::INTERNAL_UNIT, "Internal unit I/O error")
}
