//! Entries that are added one after the other and read at any time.

use crate::atoms::{AtomicPtr, AtomicUsize, Ordering};

/// Adds an entry, if there is a place; nobody else does. `ready` makes it complete.
pub(crate) fn add<T>(entries: &[AtomicPtr<T>], count: &AtomicUsize, entry: *const T, ready: impl FnOnce()) -> bool {
    let n = count.load(Ordering::Relaxed);
    if n >= entries.len() {
        return false;
    }
    ready();
    entries[n].store(entry.cast_mut(), Ordering::Relaxed);
    count.store(n + 1, Ordering::Release);
    true
}

/// The entries in the order in which they were added.
pub(crate) fn all<T>(entries: &[AtomicPtr<T>], count: &AtomicUsize) -> impl Iterator<Item = *mut T> {
    let count = count.load(Ordering::Acquire).min(entries.len());
    entries[..count].iter().map(|entry| entry.load(Ordering::Relaxed))
}
