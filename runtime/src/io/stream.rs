//! A buffered file descriptor.
//!
//! Regular files are read and written at an offset of our own (`pread`, `pwrite`), so that repositioning costs nothing.
//! Everything else (terminals, pipes, the standard units) is a plain sequence of bytes. Interrupted calls are repeated
//! and short writes completed; a failed write is an error of the statement that wrote, or of the end of the program,
//! and never silent.

use std::io;
use std::os::fd::RawFd;

const CAPACITY: usize = 64 * 1024;

/// A file, pipe or terminal with a read and a write buffer. If the stream is seekable, at most one of them is in use.
#[derive(Debug)]
pub(crate) struct Stream {
    fd: RawFd,
    seekable: bool,
    terminal: bool,
    /// Read but not yet consumed is `input[taken..]`.
    input: Vec<u8>,
    taken: usize,
    /// Written but not yet given to the system.
    output: Vec<u8>,
    /// Offset of the next byte to be read or written, seen from the program.
    offset: u64,
    /// While set, `output` is only given to the system if it can be patched there.
    held: bool,
    /// Whether the descriptor is ours to close.
    owned: bool,
}

impl Stream {
    /// A stream on a descriptor. A standard unit is not `owned`, and written where the descriptor stands
    /// rather than at an offset: other processes may share it.
    pub fn new(fd: RawFd, owned: bool, writes: bool) -> Stream {
        // SAFETY: `fstat` fills a `stat` of zeros, which is valid; `isatty` and `lseek` take any descriptor.
        let (regular, terminal, offset) = unsafe {
            let mut stat: libc::stat = std::mem::zeroed();
            // Miri knows nothing about the standard streams.
            let known = !(cfg!(miri) && fd <= 2) && libc::fstat(fd, &mut stat) == 0;
            let regular = known && stat.st_mode & libc::S_IFMT == libc::S_IFREG;
            (regular, libc::isatty(fd) == 1, if regular { libc::lseek(fd, 0, libc::SEEK_CUR) } else { 0 })
        };
        let seekable = regular && (owned || !writes);
        Stream {
            fd,
            seekable,
            terminal,
            input: Vec::new(),
            taken: 0,
            output: Vec::new(),
            offset: if seekable { offset.max(0) as u64 } else { 0 },
            held: false,
            owned,
        }
    }

    /// The file descriptor.
    pub fn descriptor(&self) -> RawFd {
        self.fd
    }

    /// Whether a person may be waiting for the output.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether the position can be changed.
    pub fn is_seekable(&self) -> bool {
        self.seekable
    }

    /// Offset of the next byte that is read or written.
    pub fn position(&self) -> u64 {
        self.offset
    }

    /// The size of a regular file, including buffered output; 0 for any other.
    pub fn size(&mut self) -> io::Result<u64> {
        self.flush()?;
        if !self.seekable {
            return Ok(0);
        }
        // SAFETY: `fstat` fills a `stat` of zeros, which is valid.
        let (result, size) = unsafe {
            let mut stat: libc::stat = std::mem::zeroed();
            (libc::fstat(self.fd, &mut stat), stat.st_size)
        };
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(size.max(0) as u64) }
    }

    /// Moves to `offset`.
    pub fn seek(&mut self, offset: u64) -> io::Result<()> {
        if offset == self.offset {
            return Ok(());
        }
        if !self.seekable {
            return Err(io::Error::from_raw_os_error(libc::ESPIPE));
        }
        self.flush()?;
        // Moving backwards or forwards within the buffered input costs nothing.
        let start = self.offset - self.taken as u64;
        match usize::try_from(offset.wrapping_sub(start)) {
            Ok(within) if offset >= start && within <= self.input.len() => self.taken = within,
            _ => self.drop_input(),
        }
        self.offset = offset;
        Ok(())
    }

    /// The bytes that can be read without waiting, at least one unless at the end of the file.
    pub fn fill(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.input.len() {
            if self.seekable {
                self.flush()?;
            }
            self.drop_input();
            self.input.resize(CAPACITY, 0);
            let got = self.read_system();
            self.input.truncate(*got.as_ref().unwrap_or(&0));
            got?;
        }
        Ok(&self.input[self.taken..])
    }

    /// Marks `count` bytes of [`Stream::fill`] as read.
    pub fn consume(&mut self, count: usize) {
        self.taken += count;
        self.offset += count as u64;
    }

    /// Reads exactly as many bytes as `to` has, or fewer at the end of the file; returns how many.
    pub fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < to.len() {
            let available = self.fill()?;
            if available.is_empty() {
                break;
            }
            let count = available.len().min(to.len() - done);
            to[done..done + count].copy_from_slice(&available[..count]);
            self.consume(count);
            done += count;
        }
        Ok(done)
    }

    /// Writes `bytes`.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.seekable {
            self.drop_input();
        }
        if self.output.len() + bytes.len() > CAPACITY && (self.seekable || !self.held) {
            self.flush()?;
        }
        self.offset += bytes.len() as u64;
        if bytes.len() >= CAPACITY && (self.seekable || !self.held) {
            let start = self.offset - bytes.len() as u64;
            return self.write_system(bytes, start);
        }
        self.output.extend_from_slice(bytes);
        Ok(())
    }

    /// Keeps output from now on in the buffer, where [`Stream::patch`] can change it, or stops doing so.
    pub fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Overwrites bytes that have been written at `offset`, without moving.
    pub fn patch(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let start = self.offset - self.output.len() as u64;
        if offset >= start {
            let at = (offset - start) as usize;
            self.output[at..at + bytes.len()].copy_from_slice(bytes);
            return Ok(());
        }
        self.flush()?;
        self.write_system(bytes, offset)
    }

    /// Gives the output to the system. After a failure the buffer is empty: the same bytes are not
    /// written twice, and the error is reported once.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.output.is_empty() {
            return Ok(());
        }
        let mut output = std::mem::take(&mut self.output);
        let result = self.write_system(&output, self.offset - output.len() as u64);
        output.clear();
        self.output = output;
        result
    }

    /// Cuts the file at the position.
    pub fn truncate(&mut self) -> io::Result<()> {
        self.flush()?;
        if !self.seekable {
            return Ok(());
        }
        self.drop_input();
        // SAFETY: takes any descriptor.
        check(|| unsafe { libc::ftruncate(self.fd, self.offset as i64) } as isize).map(|_| ())
    }

    /// Writes buffered output and closes the descriptor.
    pub fn close(mut self) -> io::Result<()> {
        let flushed = self.flush();
        let closed = self.close_descriptor();
        flushed.and(closed)
    }

    fn close_descriptor(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.owned) {
            return Ok(());
        }
        // SAFETY: the descriptor is ours and not used again. It is closed even if this is interrupted.
        match unsafe { libc::close(self.fd) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error())
                .or_else(|e| if e.kind() == io::ErrorKind::Interrupted { Ok(()) } else { Err(e) }),
        }
    }

    fn drop_input(&mut self) {
        self.input.clear();
        self.taken = 0;
    }

    fn read_system(&mut self) -> io::Result<usize> {
        let (fd, offset, seekable) = (self.fd, self.offset as i64, self.seekable);
        let (to, len) = (self.input.as_mut_ptr().cast(), self.input.len());
        loop {
            // SAFETY: `to` is the address of `len` writable bytes.
            match check(|| unsafe { if seekable { libc::pread(fd, to, len, offset) } else { libc::read(fd, to, len) } })
            {
                Ok(got) => return Ok(got as usize),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => wait(fd, libc::POLLIN),
                Err(e) => return Err(e),
            }
        }
    }

    fn write_system(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let (from, len) = (bytes.as_ptr().cast(), bytes.len());
            // SAFETY: `from` is the address of `len` readable bytes.
            let count = check(|| unsafe {
                if self.seekable {
                    libc::pwrite(self.fd, from, len, offset as i64)
                } else {
                    libc::write(self.fd, from, len)
                }
            });
            match count {
                Ok(0) => return Err(io::Error::from_raw_os_error(libc::ENOSPC)),
                Ok(count) => {
                    bytes = &bytes[count as usize..];
                    offset += count as u64;
                }
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => wait(self.fd, libc::POLLOUT),
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Reached only after `close` or when opening failed half-way: nothing is left to be written.
        let _ = self.close_descriptor();
    }
}

/// Repeats a system call while it is interrupted.
fn check(mut call: impl FnMut() -> isize) -> io::Result<isize> {
    loop {
        let result = call();
        if result >= 0 {
            return Ok(result);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Waits until a non-blocking descriptor is ready for `events`.
fn wait(fd: RawFd, events: libc::c_short) {
    let mut poll = libc::pollfd { fd, events, revents: 0 };
    // SAFETY: one descriptor is passed. Whatever it returns, the call is tried again and reports the error.
    unsafe { libc::poll(&mut poll, 1, -1) };
}
