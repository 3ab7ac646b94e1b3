//! A table of addresses with open addressing: slots are filled once and never emptied.

use super::lock::Lock;
use crate::atoms::{AtomicU64, Ordering};

/// The slot of an address, which is not 0: one that has it, or an empty one that `fill` fills. None if `most` are filled.
pub(crate) fn find<'a, S>(
    slots: &'a [S],
    (first, address): (usize, u64),
    word: impl Fn(&S) -> &AtomicU64,
    (lock, used, most): (&Lock, &AtomicU64, u64),
    mut fill: impl FnMut(&S),
) -> Option<&'a S> {
    let mut i = first;
    loop {
        let slot = &slots[i];
        let mut found = word(slot).load(Ordering::Acquire);
        if found == 0 {
            found = lock.with(|| claim(word(slot), address, (used, most), || fill(slot)))?;
        }
        if found == address {
            return Some(slot);
        }
        i = (i + 1) % slots.len();
    }
}

/// Fills an empty slot: the address that it has now, none if the table is full.
#[cold]
fn claim(word: &AtomicU64, address: u64, (used, most): (&AtomicU64, u64), fill: impl FnOnce()) -> Option<u64> {
    let found = word.load(Ordering::Relaxed);
    if found != 0 {
        return Some(found);
    }
    if used.fetch_add(1, Ordering::Relaxed) >= most {
        return None;
    }
    fill();
    word.store(address, Ordering::Release);
    Some(address)
}
