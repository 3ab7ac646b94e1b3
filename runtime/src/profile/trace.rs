//! The trace of a thread (`TRUELINE_TRACE`): the instants at which constructs were entered and left, as far as there is
//! room.
//!
//! **Invariants:** an event is complete before the count includes it; a page is there before an event is in it. When
//! the room is full no further event is kept, so the kept events have no gap.

use super::arena;
use std::sync::atomic::{Ordering, compiler_fence};
use trueline_abi::raw::{CALIBRATION_RECORD, EVENTS_IN_PAGE, Event, TRACE_PAGE, Thread};

/// The number of events of a thread that are kept if the environment gives none.
const USUAL: u64 = 1_000_000;

/// The number of events that the environment wants to be kept.
pub(super) fn wanted() -> u64 {
    super::settings::trace(USUAL)
}

/// Readies the trace of a new thread.
pub(super) fn begin(t: &mut Thread) {
    // SAFETY: there is memory, which begins with a valid header.
    if unsafe { (*arena::header()).trace_most } > 0 {
        let page = arena::allocate(TRACE_PAGE, 64);
        t.trace = if page.is_null() { 0 } else { arena::offset(page) };
        t.trace_page = t.trace;
    }
}

/// Something was entered at `now`, or left if `record` is 0.
#[inline]
pub(super) fn event(t: &mut Thread, now: u64, record: u64) {
    if t.trace != 0 && record != CALIBRATION_RECORD {
        keep(t, Event { ticks: now, record });
    }
}

fn keep(t: &mut Thread, event: Event) {
    let at = t.trace_count % EVENTS_IN_PAGE;
    // SAFETY: there is memory, which begins with a valid header.
    let is_full = t.trace_lost > 0 || t.trace_count >= unsafe { (*arena::header()).trace_most };
    if is_full || (at == 0 && t.trace_count > 0 && !turn(t)) {
        t.trace_lost += 1;
        return;
    }
    let page: *mut u8 = arena::at(t.trace_page);
    // SAFETY: the page has room for all events below `EVENTS_IN_PAGE`.
    unsafe { *page.wrapping_add((8 + at * Event::SIZE) as usize).cast() = event };
    compiler_fence(Ordering::Release);
    t.trace_count += 1;
}

/// Begins a page; whether there was memory for it.
#[cold]
fn turn(t: &mut Thread) -> bool {
    let page = arena::allocate(TRACE_PAGE, 64);
    if page.is_null() {
        return false;
    }
    let offset = arena::offset(page);
    // SAFETY: a page begins with the offset of the next one.
    unsafe { *arena::at::<u64>(t.trace_page) = offset };
    t.trace_page = offset;
    true
}
