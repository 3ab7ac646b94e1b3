//! The ranks together: whether all wait and none can go on.

use super::ring::Ring;
use super::waiter::{FOR_ROOM, Waiter};
use crate::atoms::{AtomicU32, Ordering};

/// The shared memory of the ranks.
pub(crate) trait Net {
    /// The number of ranks.
    fn ranks(&self) -> usize;
    /// The bytes of a ring.
    fn capacity(&self) -> usize;
    /// The waits of a rank.
    fn waiter(&self, rank: usize) -> &Waiter;
    /// 1 when a rank has come to its end in order.
    fn ended(&self, rank: usize) -> &AtomicU32;
    /// The ring between two ranks.
    fn ring(&self, from: usize, to: usize) -> &Ring;
}

/// Whether a rank has come to its end in order.
pub(crate) fn has_ended(net: &impl Net, rank: usize) -> bool {
    net.ended(rank).load(Ordering::SeqCst) != 0
}

/// Notes the end of a rank, which wakes every other one.
pub(crate) fn leave(net: &impl Net, rank: usize) {
    net.ended(rank).store(1, Ordering::SeqCst);
    (0..net.ranks()).for_each(|other| net.waiter(other).ring());
}

/// Sends `count` bytes: `copy` writes, from the first one that it is told, at the offset in the ring, as many as it is told. `wait` waits until its condition
/// holds; its first argument is for [`Waiter::wait`].
pub(crate) fn send(
    net: &impl Net,
    (from, to, count): (usize, usize, usize),
    mut copy: impl FnMut(usize, usize, usize),
    wait: impl Fn(u32, &dyn Fn() -> bool),
) {
    let (ring, capacity) = (net.ring(from, to), net.capacity());
    let mut done = 0;
    while done < count {
        let sent = ring.put(capacity, count - done, |at, n| copy(done, at, n));
        if sent == 0 {
            wait(FOR_ROOM | (to as u32 + 1), &|| ring.filled() < capacity);
            continue;
        }
        net.waiter(to).ring();
        done += sent;
    }
}

/// Receives `count` bytes, as [`send`] sends them.
pub(crate) fn receive(
    net: &impl Net,
    (from, to, count): (usize, usize, usize),
    mut copy: impl FnMut(usize, usize, usize),
    wait: impl Fn(u32, &dyn Fn() -> bool),
) {
    let (ring, capacity) = (net.ring(from, to), net.capacity());
    let mut done = 0;
    while done < count {
        let received = ring.take(capacity, count - done, |at, n| copy(done, at, n));
        if received == 0 {
            wait(from as u32 + 1, &|| ring.filled() > 0);
            continue;
        }
        net.waiter(from).ring_for(FOR_ROOM | (to as u32 + 1));
        done += received;
    }
}

/// Whether a rank cannot go on by itself.
pub(crate) fn is_blocked(net: &impl Net, rank: usize) -> bool {
    if has_ended(net, rank) {
        return true;
    }
    let waits = net.waiter(rank).waits.load(Ordering::SeqCst);
    let peer = (waits & (FOR_ROOM - 1)) as usize;
    match waits {
        0 => false,
        _ if waits & FOR_ROOM != 0 => net.ring(rank, peer - 1).filled() == net.capacity(),
        _ => net.ring(peer - 1, rank).filled() == 0,
    }
}

/// A look at all ranks that found every one blocked, each in the same wait from the beginning of the look to its end: the number of waits that had
/// ended until then.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standstill(u64);

/// Looks at all ranks. Two looks with the same result say that no rank can go on: none has ended a wait from the first look to the second, so each
/// was in one wait between them, and nobody was left to send.
pub(crate) fn look(net: &impl Net) -> Option<Standstill> {
    let progress = || {
        let of = |rank| u64::from(net.waiter(rank).progress.load(Ordering::SeqCst));
        (0..net.ranks()).map(of).fold(0, u64::wrapping_add)
    };
    let before = progress();
    let all = (0..net.ranks()).all(|rank| is_blocked(net, rank));
    (all && before == progress()).then_some(Standstill(before))
}
