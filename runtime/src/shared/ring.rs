//! A ring of bytes from one sender to one receiver.
//!
//! **Invariants:** only the sender moves `written`, only the receiver `read`; both count bytes and wrap around. The bytes between them
//! are the receiver's, the others the sender's.

use crate::atoms::{AtomicU32, Ordering};

/// The words of a ring; its bytes are elsewhere.
#[repr(C, align(64))]
pub(crate) struct Ring {
    pub(crate) written: AtomicU32,
    pub(crate) read: AtomicU32,
}

impl Ring {
    /// The bytes that have been sent and not received.
    pub(crate) fn filled(&self) -> usize {
        self.written.load(Ordering::SeqCst).wrapping_sub(self.read.load(Ordering::SeqCst)) as usize
    }

    /// Sends up to `wanted` bytes into a ring of `capacity`, a power of two: `copy` writes as many as it is told at the offset it is told. Returns how
    /// many; 0 if the ring is full.
    pub(crate) fn put(&self, capacity: usize, wanted: usize, copy: impl FnOnce(usize, usize)) -> usize {
        let room = capacity - self.filled();
        if room == 0 {
            return 0;
        }
        let written = self.written.load(Ordering::Relaxed);
        let at = written as usize & (capacity - 1);
        let count = wanted.min(room).min(capacity - at);
        copy(at, count);
        self.written.store(written.wrapping_add(count as u32), Ordering::SeqCst);
        count
    }

    /// Receives up to `wanted` bytes, as [`Ring::put`] sends them: `copy` reads them.
    pub(crate) fn take(&self, capacity: usize, wanted: usize, copy: impl FnOnce(usize, usize)) -> usize {
        let there = self.filled();
        if there == 0 {
            return 0;
        }
        let read = self.read.load(Ordering::Relaxed);
        let at = read as usize & (capacity - 1);
        let count = wanted.min(there).min(capacity - at);
        copy(at, count);
        self.read.store(read.wrapping_add(count as u32), Ordering::SeqCst);
        count
    }
}
