//! Lists that grow at their beginning and never shrink: threads, blocks, lanes.

use crate::atoms::{AtomicU64, Ordering};

/// Puts a node in front of a list. `lead` writes the node that follows into the new one.
pub(crate) fn push(list: &AtomicU64, node: u64, mut lead: impl FnMut(u64)) {
    let mut newest = list.load(Ordering::Relaxed);
    loop {
        lead(newest);
        match list.compare_exchange_weak(newest, node, Ordering::Release, Ordering::Relaxed) {
            Ok(_) => return,
            Err(other) => newest = other,
        }
    }
}

/// The first node, whose content and followers are complete; 0 if there is none.
pub(crate) fn first(list: &AtomicU64) -> u64 {
    list.load(Ordering::Acquire)
}
