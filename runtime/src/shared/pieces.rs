//! Memory in pieces, that is handed out once and never given back.

use crate::atoms::{AtomicUsize, Ordering};

/// The beginning of a piece.
pub(crate) struct Piece {
    /// The address behind what has been handed out.
    pub(crate) next: AtomicUsize,
    /// The address behind the piece.
    pub(crate) end: usize,
}

/// Hands out `size` bytes at a multiple of `align` from the newest piece, or from a new one that `more` makes and `give_back` takes back if
/// another thread was faster; none if there are no more. `piece` is the beginning of the piece at an address.
pub(crate) fn take<'a>(
    newest: &AtomicUsize,
    (size, align): (usize, usize),
    piece: impl Fn(usize) -> &'a Piece,
    more: impl Fn() -> Option<usize>,
    give_back: impl Fn(usize),
) -> Option<usize> {
    loop {
        let at = newest.load(Ordering::Acquire);
        if at != 0 {
            let piece = piece(at);
            let next = piece.next.load(Ordering::Relaxed);
            let start = next.checked_next_multiple_of(align)?;
            let end = start.checked_add(size)?;
            if end <= piece.end {
                if piece.next.compare_exchange(next, end, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                    return Some(start);
                }
                continue;
            }
        }
        let new = more()?;
        if newest.compare_exchange(at, new, Ordering::Release, Ordering::Relaxed).is_err() {
            give_back(new);
        }
    }
}
