//! Scalars that go from owner to owner: sums in loops that owners do not share.

use super::exchange::note_sent;
use super::ledger::{self, Category};
use super::mapped::{all, array};
use super::placement::Ranks;
use super::{fault, rank, receive, rehearsal, send, set_place, size};
use crate::memory::{bytes_mut, c_text};

/// Gives a scalar to those of `wanted` that have not got it, and notes that these have it.
///
/// # Safety
/// `holders` is the address of the bits of the ranks that have its value, `value` of `bytes` bytes; `name` and `location` are null or NUL-terminated.
unsafe fn give(holders: *mut u8, (value, bytes): (*mut u8, i64), wanted: Ranks, [name, location]: [*const u8; 2]) {
    // SAFETY: the caller passes the address of the bits, which need not be aligned.
    let have = unsafe { holders.cast::<Ranks>().read_unaligned() } & all();
    let missing = wanted & !have;
    if missing != 0 && have != 0 && !fault("ranks_turn_stays") {
        // SAFETY: the caller passes literal texts, and the value.
        let (name, value) = unsafe {
            set_place(c_text(location));
            (c_text(name), bytes_mut(value, bytes))
        };
        let _part = ledger::begin(Category::Communication);
        let from = have.trailing_zeros() as usize;
        if rehearsal::is_on() {
            rehearsal::exchange(&rehearsal::to_all(from, missing, &[(name, value.len())]));
        } else if rank() == from {
            for to in (0..size()).filter(|to| missing >> to & 1 != 0) {
                note_sent(std::iter::once((name, value.len())));
                send(to, value);
            }
        } else if missing >> rank() & 1 != 0 {
            receive(from, value);
        }
    }
    // SAFETY: as above.
    unsafe { holders.cast::<Ranks>().write_unaligned(wanted) };
}

/// Gives a scalar to the owners of an element, who compute it next; whether this rank is one of them.
///
/// # Safety
/// As for [`give`]; `handle` is 0 or that of the array of the element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_turn(
    holders: *mut u8,
    value: *mut u8,
    bytes: i64,
    handle: i64,
    element: *const u8,
    name: *const u8,
    location: *const u8,
) -> i32 {
    if size() == 1 {
        return 1;
    }
    // SAFETY: the caller passes a handle that is in use, and the rest is passed on.
    unsafe {
        let wanted = array(handle).and_then(|a| a.owners_at(element)).unwrap_or(all());
        give(holders, (value, bytes), wanted, [name, location]);
        i32::from(rehearsal::is_on() || wanted >> rank() & 1 != 0)
    }
}

/// Gives a scalar to all ranks.
///
/// # Safety
/// As for [`give`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_all(
    holders: *mut u8,
    value: *mut u8,
    bytes: i64,
    name: *const u8,
    location: *const u8,
) {
    if size() > 1 {
        // SAFETY: passed on.
        unsafe { give(holders, (value, bytes), all(), [name, location]) };
    }
}
