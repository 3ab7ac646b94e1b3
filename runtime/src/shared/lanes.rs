//! Lanes of samples, which go from a thread that ends to one that begins, and whose timers are deleted once.

use crate::atoms::{AtomicU64, Ordering};

/// Takes a lane, unless a thread has it.
pub(crate) fn take(busy: &AtomicU64) -> bool {
    busy.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_ok()
}

/// Gives a lane back with all that its thread has written.
pub(crate) fn give(busy: &AtomicU64) {
    busy.store(0, Ordering::Release);
}

/// Whether a thread has the lane.
pub(crate) fn is_taken(busy: &AtomicU64) -> bool {
    busy.load(Ordering::Acquire) == 1
}

/// The timer of a lane, for the one who deletes it; 0 if another thread does, or there is none.
pub(crate) fn take_timer(timer: &AtomicU64) -> u64 {
    timer.swap(0, Ordering::AcqRel)
}
