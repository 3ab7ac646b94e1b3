//! The waits of a rank, and those who end them.
//!
//! **Invariant:** a rank looks at its bell before it looks for what it waits for, and sleeps only while the bell has not been rung since.

use crate::atoms::{AtomicU32, Ordering, sleep_on, wake};
use std::time::Duration;

/// A rank that sleeps looks at the others after this time.
const PATIENCE: Duration = Duration::from_millis(50);

/// In [`Waiter::waits`]: for room in a ring.
pub(crate) const FOR_ROOM: u32 = 1 << 16;

/// The state of a rank that may wait.
#[repr(C)]
pub(crate) struct Waiter {
    /// Rung by whoever gives this rank bytes or room.
    pub(crate) bell: AtomicU32,
    /// Whether it sleeps, so that ringing has to wake it.
    pub(crate) sleeps: AtomicU32,
    /// 0, or the rank that it waits for plus 1; with [`FOR_ROOM`] for room to send to it.
    pub(crate) waits: AtomicU32,
    /// Changes whenever a wait ends.
    pub(crate) progress: AtomicU32,
}

impl Waiter {
    /// Rings the bell.
    pub(crate) fn ring(&self) {
        self.bell.fetch_add(1, Ordering::SeqCst);
        if self.sleeps.load(Ordering::SeqCst) != 0 {
            wake(&self.bell);
        }
    }

    /// Rings the bell if the rank waits for this, as in [`Waiter::waits`].
    pub(crate) fn ring_for(&self, what: u32) {
        if self.waits.load(Ordering::SeqCst) == what {
            self.ring();
        }
    }

    /// Waits until `is_there`; `look` is called when it has slept in vain.
    pub(crate) fn wait(&self, what: u32, is_there: impl Fn() -> bool, mut look: impl FnMut()) {
        self.waits.store(what, Ordering::SeqCst);
        loop {
            let bell = self.bell.load(Ordering::SeqCst);
            if is_there() {
                break;
            }
            self.sleeps.store(1, Ordering::SeqCst);
            let is_awake = is_there() || sleep_on(&self.bell, bell, PATIENCE);
            self.sleeps.store(0, Ordering::SeqCst);
            if !is_awake && !is_there() {
                look();
            }
        }
        self.waits.store(0, Ordering::SeqCst);
        self.progress.fetch_add(1, Ordering::SeqCst);
    }
}
