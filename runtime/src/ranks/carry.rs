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

/// The message whose parts are coming together, or are taken out.
static MESSAGE: Mutex<Message> = Mutex::new(Message { bytes: Vec::new(), parts: Vec::new() });

/// Several variables that go from rank to rank at once.
struct Message {
    bytes: Vec<u8>,
    /// The name of each, and its bytes.
    parts: Vec<(&'static [u8], usize)>,
}

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
    offset: i64,
    whole: i64,
    phase: i64,
    name: *const u8,
    location: *const u8,
) {
    // A variable without bytes has no part in the message.
    if size() == 1 || bytes <= 0 {
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
    let length = |n: i64| usize::try_from(n).unwrap_or(0);
    let part = (length(offset), length(whole));
    let mut message = MESSAGE.lock().unwrap_or_else(PoisonError::into_inner);
    if rehearsal::is_on() {
        if phase != CARRY_IN && message.add(name, value, part) {
            rehearse(&order, phase, &message.parts);
        }
        return;
    }
    let own = order.iter().position(|&r| r == rank());
    match (phase, own) {
        (CARRY_IN, Some(k)) if k > 0 => {
            message.take(order[k - 1], value, part);
            if fault("ranks_carry_anew") {
                value.fill(0);
            }
        }
        (CARRY_IN, _) => {}
        (CARRY_ALL, _) if rank() == last => {
            let is_whole = message.add(name, value, part);
            (0..size()).filter(|&to| is_whole && to != last).for_each(|to| message.give(to));
        }
        (CARRY_ALL, _) => message.take(last, value, part),
        (_, Some(k)) if k + 1 < order.len() => {
            let is_whole = message.add(name, value, part);
            if is_whole {
                message.give(order[k + 1]);
            }
        }
        _ => {}
    }
}

impl Message {
    /// Adds a variable that stands at `offset` in a message of `whole` bytes; whether it is the last one.
    fn add(&mut self, name: &'static [u8], value: &[u8], (offset, whole): (usize, usize)) -> bool {
        if offset == 0 {
            self.bytes.clear();
            self.parts.clear();
        }
        self.bytes.extend_from_slice(value);
        self.parts.push((name, value.len()));
        self.bytes.len() >= whole
    }

    /// Takes a variable out, after the message of `whole` bytes has come.
    fn take(&mut self, from: usize, value: &mut [u8], (offset, whole): (usize, usize)) {
        if offset == 0 {
            self.bytes.resize(whole, 0);
            receive(from, &mut self.bytes);
        }
        let from = if fault("ranks_carry_first") { 0 } else { offset };
        if let Some(part) = self.bytes.get(from..from + value.len()) {
            value.copy_from_slice(part);
        }
    }

    fn give(&self, to: usize) {
        note_sent(self.parts.iter().copied());
        send(to, &self.bytes);
    }
}

/// Notes the messages of all ranks.
fn rehearse(order: &[usize], phase: i64, parts: &[(&'static [u8], usize)]) {
    let Some(&last) = order.last() else { return };
    match phase {
        CARRY_ALL => rehearsal::exchange(&rehearsal::to_all(last, all() & !(1 << last), parts)),
        _ => order.windows(2).for_each(|w| rehearsal::exchange(&rehearsal::to_all(w[0], 1 << w[1], parts))),
    }
}
