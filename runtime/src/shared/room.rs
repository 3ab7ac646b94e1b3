//! Memory that is handed out once, from its beginning to its end, and grows while threads take it.

use super::lock::Lock;
use crate::atoms::{AtomicU64, AtomicUsize, Ordering};

/// Takes `size` bytes: the offset behind them, or none if `grow` cannot make memory until there.
#[inline]
pub(crate) fn take(used: &AtomicU64, mapped: &AtomicUsize, size: u64, grow: impl FnOnce(usize) -> bool) -> Option<u64> {
    let start = used.fetch_add(size, Ordering::Relaxed);
    let end = start.checked_add(size).and_then(|end| usize::try_from(end).ok())?;
    if end > mapped.load(Ordering::Acquire) && !grow(end) {
        return None;
    }
    Some(start)
}

/// Maps further multiples of `step` until `need` bytes are there, `most` at most: `map` gets the beginning and the size.
pub(crate) fn grow(
    lock: &Lock,
    mapped: &AtomicUsize,
    (need, step, most): (usize, usize, usize),
    map: impl FnOnce(usize, usize) -> bool,
) -> bool {
    lock.with(|| {
        let now = mapped.load(Ordering::Relaxed);
        if need <= now {
            return true;
        }
        let size = (need - now).next_multiple_of(step);
        if now + size > most || !map(now, size) {
            return false;
        }
        mapped.store(now + size, Ordering::Release);
        true
    })
}
