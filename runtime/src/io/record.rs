//! Output records: the place of characters in them, and their ends.

use super::error::{IoError, Result, code};
use super::unit::{Access, End, Last, Medium, Unit};

impl Unit {
    /// Prepares for output, which in a sequential file will replace everything behind the position.
    pub fn begin_output(&mut self) -> Result<()> {
        if self.last == Last::Write {
            return Ok(());
        }
        if self.last == Last::Read {
            self.leave_input();
        }
        self.last = Last::Write;
        self.record.clear();
        self.end = End::Before;
        let (access, formatted) = (self.access, self.formatted);
        let Some(stream) = self.stream().filter(|stream| stream.is_seekable()) else { return Ok(()) };
        if (access == Access::Sequential || access == Access::Stream && formatted)
            && stream.position() < stream.size()?
        {
            // A formatted stream is cut when the record ends: part of one may be written over.
            if access == Access::Sequential { stream.truncate()? } else { self.cuts = true }
        }
        Ok(())
    }

    /// The longest record.
    fn limit(&self) -> usize {
        match &self.medium {
            Medium::Memory(memory) => memory.len,
            Medium::File(_) => usize::try_from(self.recl).unwrap_or(usize::MAX),
        }
    }

    /// Refuses `len` bytes at the cursor that the record or the memory has no room for, before they are made.
    pub fn check_room(&self, len: usize) -> Result<()> {
        self.reach()?;
        if self.record.at.saturating_add(len) > self.limit() {
            return Err(self.too_long());
        }
        // The field, and its copy in the record.
        if crate::memory::has_room(2 * len as u64) { Ok(()) } else { Err(no_memory()) }
    }

    /// Writes `text` at the cursor of the record, over any characters there. An empty text still makes the blanks
    /// before it part of the record.
    pub fn put(&mut self, text: &[u8]) -> Result<()> {
        self.reach()?;
        let end = self.record.at.saturating_add(text.len());
        if end > self.limit() {
            return Err(self.too_long());
        }
        self.fill()?;
        let (bytes, at) = (&mut self.record.bytes, self.record.at);
        reserve(bytes, end.saturating_sub(bytes.len()))?;
        let over = (bytes.len() - at).min(text.len());
        bytes[at..at + over].copy_from_slice(&text[..over]);
        bytes.extend_from_slice(&text[over..]);
        self.record.at = end;
        self.record.resume = 0;
        Ok(())
    }

    /// Moves the cursor to column `at`, which need not have been written.
    pub fn move_to(&mut self, at: usize) {
        let before = self.record.at;
        self.record.at = at.max(self.record.left);
        self.record.resume = self.record.resume.max(before);
    }

    /// Writes blanks up to the cursor, where nothing has been written.
    pub fn fill(&mut self) -> Result<()> {
        let (at, limit) = (self.record.at, self.limit());
        if at > limit {
            return Err(self.too_long());
        }
        let bytes = &mut self.record.bytes;
        if bytes.len() < at {
            let missing = at - bytes.len();
            reserve(bytes, missing)?;
            bytes.resize(at, b' ');
        }
        Ok(())
    }

    /// Ends the output record and begins the next one.
    pub fn end_output_record(&mut self) -> Result<()> {
        self.reach()?;
        let (access, formatted, limit) = (self.access, self.formatted, self.limit());
        let bytes = &mut self.record.bytes;
        match &mut self.medium {
            Medium::Memory(memory) => {
                let len = memory.len;
                // SAFETY: `reach` made sure that there is a record `next`.
                let to = unsafe { std::slice::from_raw_parts_mut(memory.base.add(memory.next * len), len) };
                crate::chars::assign(to, bytes);
                memory.next += 1;
            }
            Medium::File(stream) => {
                if access == Access::Direct {
                    bytes.resize(limit, if formatted { b' ' } else { 0 });
                } else {
                    self.carriage.apply(bytes);
                }
                let mut written = stream.write(bytes);
                self.record.clear();
                if std::mem::take(&mut self.cuts) {
                    written = written.and_then(|()| stream.truncate());
                }
                written?;
            }
        }
        self.record.clear();
        self.next_record += 1;
        Ok(())
    }

    /// Whether there is a record to be written: the internal ones are finite.
    fn reach(&self) -> Result<()> {
        match &self.medium {
            Medium::Memory(memory) if memory.next >= memory.count => Err(IoError::end()),
            _ => Ok(()),
        }
    }

    fn too_long(&self) -> IoError {
        if self.access == Access::Direct && !self.formatted {
            return IoError::fixed(code::DIRECT_EOR, "Write exceeds length of DIRECT access record");
        }
        IoError::eor()
    }

    /// Ends a non-advancing output statement: the next one goes on where the cursor is, with the blanks that have
    /// only been moved over.
    pub fn keep_output_record(&mut self) -> Result<()> {
        self.record.open = true;
        // A move to the left without output behind it has no effect.
        self.record.at = self.record.at.max(std::mem::take(&mut self.record.resume));
        self.fill()?;
        self.record.left = self.record.at;
        Ok(())
    }

    /// Gives an unfinished record to the stream, for somebody waits for it; it can still be continued.
    pub fn show_output_record(&mut self) -> Result<()> {
        if self.last != Last::Write || !self.record.open || self.access == Access::Direct {
            return Ok(());
        }
        let bytes = std::mem::take(&mut self.record.bytes);
        self.record.at = 0;
        self.record.left = 0;
        match &mut self.medium {
            Medium::File(stream) => Ok(stream.write(&bytes)?),
            Medium::Memory(_) => Ok(()),
        }
    }

    /// Ends an unfinished record before the file is left or repositioned. The standard units are not
    /// given a newline that the program did not write.
    pub fn finish_output_record(&mut self) -> Result<()> {
        if self.last != Last::Write || !self.record.open {
            return Ok(());
        }
        if self.standard { self.show_output_record() } else { self.end_output_record() }
    }

    /// Writes everything to the system.
    pub fn flush(&mut self) -> Result<()> {
        self.show_output_record()?;
        match &mut self.medium {
            Medium::File(stream) => Ok(stream.flush()?),
            Medium::Memory(_) => Ok(()),
        }
    }
}

/// Room for `more` bytes, or an error instead of the end of the process.
pub(crate) fn reserve(bytes: &mut Vec<u8>, more: usize) -> Result<()> {
    if bytes.capacity() - bytes.len() >= more {
        return Ok(());
    }
    if !crate::memory::has_room(more as u64) {
        return Err(no_memory());
    }
    // Where memory is short there may be none for growth in advance.
    bytes.try_reserve(more).or_else(|_| bytes.try_reserve_exact(more)).map_err(|_| no_memory())
}

fn no_memory() -> IoError {
    IoError::fixed(code::ALLOCATION, "Memory allocation failed")
}
