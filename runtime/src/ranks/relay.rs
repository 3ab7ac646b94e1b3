//! Scalars that ranks compute one after the other in a nest: sums in the order of the source.

use super::exchange::note_sent;
use super::ledger::Category;
use super::mapped::all;
use super::nest::Plan;
use super::{begin_at, fault, rank, receive, rehearsal, send, size};
use crate::memory::{bytes_mut, c_text};
use std::sync::{Arc, Mutex, PoisonError};

/// The plan of the nest that this rank is in, if it is known which ranks execute a statement after which.
static NEST: Mutex<Option<Arc<Plan>>> = Mutex::new(None);

/// Notes the nest that this rank is in from now on.
pub(super) fn enter(plan: &Arc<Plan>) {
    if !plan.orders.is_empty() {
        *NEST.lock().unwrap_or_else(PoisonError::into_inner) = Some(plan.clone());
    }
}

/// Notes that every rank runs through all of a nest.
pub(super) fn leave() {
    if size() > 1 {
        *NEST.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The ranks that execute the statement, one after the other.
fn order(statement: i64) -> Option<Vec<usize>> {
    let nest = NEST.lock().unwrap_or_else(PoisonError::into_inner);
    let mut orders = nest.as_ref()?.orders.iter();
    let found = orders.find(|(k, _)| *k as i64 == statement)?;
    Some(found.1.clone()).filter(|order| !order.is_empty())
}

/// Before the nest: waits for the value of the scalar from the rank before.
///
/// # Safety
/// `value` is the address of `bytes` bytes; `name` and `location` are null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_relay(
    statement: i64,
    value: *mut u8,
    bytes: i64,
    name: *const u8,
    location: *const u8,
) {
    let _ = name;
    if size() == 1 || rehearsal::is_on() {
        return;
    }
    let Some(order) = order(statement) else { return };
    // SAFETY: the caller passes a literal location, and the value.
    let (location, value) = unsafe { (c_text(location), bytes_mut(value, bytes)) };
    let _part = begin_at(location, Category::Communication);
    if let Some(k) = order.iter().position(|&r| r == rank()).filter(|&k| k > 0 && !fault("ranks_relay_alone")) {
        receive(order[k - 1], value);
    }
}

/// Behind the nest: sends the value of the scalar to the next rank, and that of the last one to all.
///
/// # Safety
/// As for [`trueline_ranks_relay`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_relayed(
    statement: i64,
    value: *mut u8,
    bytes: i64,
    name: *const u8,
    location: *const u8,
) {
    if size() == 1 {
        return;
    }
    let Some(order) = order(statement) else { return };
    // SAFETY: the caller passes literal texts, and the value.
    let (name, location, value) = unsafe { (c_text(name), c_text(location), bytes_mut(value, bytes)) };
    let _part = begin_at(location, Category::Communication);
    let last = order[order.len() - 1];
    let others = all() & !(1 << last);
    if rehearsal::is_on() {
        let steps = order.windows(2).map(|w| rehearsal::to_all(w[0], 1 << w[1], name, value.len()));
        steps.chain([rehearsal::to_all(last, others, name, value.len())]).for_each(|step| rehearsal::exchange(&step));
        return;
    }
    let to = |to: usize| {
        note_sent(std::iter::once((name, value.len())));
        send(to, value);
    };
    if rank() == last {
        (0..size()).filter(|r| others >> r & 1 != 0).for_each(to);
        return;
    }
    if let Some(k) = order.iter().position(|&r| r == rank()).filter(|_| !fault("ranks_relay_alone")) {
        to(order[k + 1]);
    }
    receive(last, value);
}
