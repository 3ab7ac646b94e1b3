//! Results of nests that go from rank to rank, in the order of the iterations: sums over a distributed dimension.

use super::exchange::note_sent;
use super::ledger::{self, Category};
use super::mapped::all;
use super::{fault, rank, receive, rehearsal, send, set_place, size};
use crate::memory::{bytes_mut, c_text};
use std::sync::{Mutex, PoisonError};
use trueline_abi::nest::{CARRY_ALL, CARRY_IN};

/// The ranks with iterations of the nest that was reached last, in order.
static ORDER: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Notes the ranks that have iterations of the nest that follows, in order.
pub(super) fn begin(order: &[usize]) {
    order.clone_into(&mut ORDER.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Before a nest gets a variable from the rank before, behind it sends the variable to the rank behind, or gets it from the last rank.
///
/// # Safety
/// `place` is the address of `bytes` bytes; `name` and `location` are null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_carry(
    place: *mut u8,
    bytes: i64,
    phase: i64,
    name: *const u8,
    location: *const u8,
) {
    if size() == 1 {
        return;
    }
    // SAFETY: the caller passes literal texts, and the variable.
    let (name, value) = unsafe {
        set_place(c_text(location));
        (c_text(name), bytes_mut(place, bytes))
    };
    let order = ORDER.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(&last) = order.last() else { return };
    let _part = ledger::begin(Category::Communication);
    if rehearsal::is_on() {
        return rehearse(&order, phase, (name, value.len()));
    }
    let own = order.iter().position(|&r| r == rank());
    let give = |to: usize, value: &[u8]| {
        note_sent(std::iter::once((name, value.len())));
        send(to, value);
    };
    match (phase, own) {
        (CARRY_IN, Some(k)) if k > 0 => {
            receive(order[k - 1], value);
            if fault("ranks_carry_anew") {
                value.fill(0);
            }
        }
        (CARRY_IN, _) => {}
        (CARRY_ALL, _) if rank() == last => (0..size()).filter(|&to| to != last).for_each(|to| give(to, value)),
        (CARRY_ALL, _) => receive(last, value),
        (_, Some(k)) if k + 1 < order.len() => give(order[k + 1], value),
        _ => {}
    }
}

/// Notes the messages of all ranks.
fn rehearse(order: &[usize], phase: i64, (name, bytes): (&'static [u8], usize)) {
    let Some(&last) = order.last() else { return };
    match phase {
        CARRY_IN => {}
        CARRY_ALL => rehearsal::exchange(&rehearsal::to_all(last, all() & !(1 << last), name, bytes)),
        _ => order.windows(2).for_each(|w| rehearsal::exchange(&rehearsal::to_all(w[0], 1 << w[1], name, bytes))),
    }
}
