//! Input records: loading one, taking fields from it, and leaving it.

use super::error::{IoError, Result};
use super::record::reserve;
use super::stream::Stream;
use super::unit::{Access, End, Last, Medium, Memory, Unit};

/// A field of an input record.
pub(crate) struct Field {
    /// Its place in the record.
    pub start: usize,
    pub end: usize,
    /// The record ended before the field did.
    pub short: bool,
}

impl Unit {
    /// Prepares for input.
    pub fn begin_input(&mut self) -> Result<()> {
        if self.last == Last::Write {
            self.finish_output_record()?;
            self.record.clear();
        }
        self.last = Last::Read;
        self.record.left = self.record.at;
        Ok(())
    }

    /// Leaves a record that may have been read in part, for output after it.
    pub fn leave_input(&mut self) {
        self.record.clear();
        self.last = Last::Nothing;
    }

    /// Makes sure that the record at hand is there.
    pub fn load(&mut self) -> Result<()> {
        if self.record.open {
            return Ok(());
        }
        self.record.clear();
        let found = match &mut self.medium {
            Medium::Memory(memory) => load_memory(memory, &mut self.record.bytes)?,
            Medium::File(stream) => {
                self.record.start = stream.position();
                match self.access {
                    Access::Direct => load_direct(stream, &mut self.record.bytes, self.recl as usize)?,
                    _ => {
                        let found = load_line(stream, &mut self.record.bytes)?;
                        self.record.cut = found == Some(LineEnd::File);
                        found.is_some()
                    }
                }
            }
        };
        if !found {
            self.end = End::After;
            return Err(IoError::end());
        }
        self.record.open = true;
        Ok(())
    }

    /// The next `width` characters of the record, or those up to a `stop`, which is skipped.
    pub fn take_field(&mut self, width: usize, stop: Option<u8>) -> Result<Field> {
        self.load()?;
        let record = &mut self.record;
        let start = record.at.min(record.bytes.len());
        let wanted = record.at.saturating_add(width);
        let end = wanted.min(record.bytes.len()).max(start);
        if let Some(stop) = stop
            && let Some(found) = record.bytes[start..end].iter().position(|&b| b == stop)
        {
            record.at = start + found + 1;
            return Ok(Field { start, end: start + found, short: false });
        }
        record.at = wanted;
        Ok(Field { start, end, short: wanted > record.bytes.len() })
    }

    /// Moves the cursor, but not to the left of where the statement began.
    pub fn move_input_to(&mut self, at: usize) -> Result<()> {
        self.load()?;
        self.record.at = at;
        Ok(())
    }

    /// Appends the next record to the current one, as if a blank were between; false if there is none.
    pub fn join_next_record(&mut self) -> Result<bool> {
        self.load()?;
        let (mut bytes, at, start) = (std::mem::take(&mut self.record.bytes), self.record.at, self.record.start);
        // The text behind an exclamation mark is a comment.
        if let Some(comment) = bytes[at.min(bytes.len())..].iter().position(|&b| b == b'!') {
            bytes.truncate(at + comment);
        }
        self.record.open = false;
        let end = self.end;
        let found = match self.load() {
            Ok(()) => true,
            Err(error) if error.code == super::error::code::END => false,
            Err(error) => return Err(error),
        };
        bytes.push(b' ');
        bytes.extend_from_slice(&self.record.bytes);
        // The end of the file is met when something is wanted from behind it.
        self.end = end;
        self.next_record += u64::from(found);
        (self.record.bytes, self.record.at, self.record.start, self.record.open) = (bytes, at, start, true);
        Ok(found)
    }

    /// As [`Unit::end_input_record`], by a format. A line that the end of the file cuts off is the end of the file, too, if
    /// it cannot be padded or nothing was read of it, and for stream access always (libgfortran's rule).
    pub fn end_formatted_record(&mut self, pad: bool) -> Result<()> {
        self.load()?;
        let is_end = self.record.cut && (self.access == Access::Stream || !pad || self.record.at == 0);
        self.end_input_record()?;
        if is_end {
            self.end = End::After;
            return Err(IoError::end());
        }
        Ok(())
    }

    /// Passes over the rest of the record, or over a whole one if none is at hand.
    pub fn end_input_record(&mut self) -> Result<()> {
        self.load()?;
        self.record.clear();
        self.next_record += 1;
        Ok(())
    }
}

/// The end of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Mark,
    File,
}

fn load_memory(memory: &mut Memory, bytes: &mut Vec<u8>) -> Result<bool> {
    if memory.next >= memory.count {
        return Ok(false);
    }
    reserve(bytes, memory.len)?;
    // SAFETY: the unit has `count` records of `len` bytes, and `next` is one of them.
    bytes.extend_from_slice(unsafe {
        crate::memory::bytes(memory.base.add(memory.next * memory.len), memory.len as i64)
    });
    memory.next += 1;
    Ok(true)
}

/// Reads a record of fixed length; at the end of the file, the rest of the file and blanks.
fn load_direct(stream: &mut Stream, bytes: &mut Vec<u8>, recl: usize) -> Result<bool> {
    reserve(bytes, recl)?;
    bytes.resize(recl, b' ');
    let got = stream.read(bytes)?;
    bytes[got..].fill(b' ');
    Ok(got > 0)
}

/// A line without its end, which is a newline, a carriage return, one after the other, or the end of the file.
fn load_line(stream: &mut Stream, bytes: &mut Vec<u8>) -> Result<Option<LineEnd>> {
    loop {
        let available = stream.fill()?;
        if available.is_empty() {
            return Ok((!bytes.is_empty()).then_some(LineEnd::File));
        }
        let end = available.iter().position(|&b| matches!(b, b'\n' | b'\r'));
        let count = end.unwrap_or(available.len());
        reserve(bytes, count)?;
        bytes.extend_from_slice(&available[..count]);
        let ends_early = end.is_some_and(|end| available[end] == b'\r');
        stream.consume(count + usize::from(end.is_some()));
        if ends_early && stream.fill()?.first() == Some(&b'\n') {
            stream.consume(1);
        }
        if end.is_some() {
            return Ok(Some(LineEnd::Mark));
        }
    }
}
