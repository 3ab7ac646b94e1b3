//! Numbers that are given once, at the first use, beside a flag that may be set at any time.

use super::lock::Lock;
use crate::atoms::{AtomicU32, Ordering};

/// The number with its flag; none if it has not been given.
#[inline]
pub(crate) fn known(cell: &AtomicU32, flag: u32) -> Option<u32> {
    Some(cell.load(Ordering::Acquire)).filter(|word| word & !flag != 0)
}

/// Gives the number, unless another thread has. `make` gets the word, which has at most the flag, and returns a number with the flag or without;
/// 0 if there is none.
pub(crate) fn give(cell: &AtomicU32, flag: u32, lock: &Lock, make: impl FnOnce(u32) -> u32) -> u32 {
    lock.with(|| {
        let word = cell.load(Ordering::Relaxed);
        if word & !flag != 0 {
            return word;
        }
        let made = make(word);
        if made & !flag == 0 {
            return made;
        }
        // The flag may have been set since.
        cell.fetch_or(made, Ordering::Release) | made
    })
}

/// Sets the flag or takes it away.
pub(crate) fn set(cell: &AtomicU32, flag: u32, wanted: bool) {
    if wanted {
        cell.fetch_or(flag, Ordering::Relaxed);
    } else {
        cell.fetch_and(!flag, Ordering::Relaxed);
    }
}
