//! Time in which timing is switched off: a region of its own, `measurement off`, so that the constructs around a pause have their own time
//! only. Score-P shows such time in the same way.
//!
//! The region has a frame on the stack of the thread that switched timing off, and of each other thread from the first construct that it
//! enters or leaves. If the construct around ends in the pause, the region goes on in the one around that; if timing is switched on in a
//! procedure that was entered in the pause, the region ends below that procedure's frame, which stays where it is: the procedure, and
//! whatever else was entered in the pause, is timed from then on.
//!
//! **Invariant:** [`Thread::off`] is 0, or the place of the frame, whose kind is [`KIND`]; frames above it are not timed.

use super::clock::ticks;
use super::stack::{self, NO_TRIPS};
use super::{arena, has_ended, is_paused, records, run, table, trace};
use std::cell::UnsafeCell;
use trueline_abi::profile::OFF;
use trueline_abi::raw::{Frame, Kind, Node, RECURSIVE, Thread};
use trueline_abi::record::{MASKED, Record};

/// The kind of the frame. It is no [`Kind`], since no end that the program calls belongs to it.
pub(super) const KIND: u64 = u64::MAX;

/// The record of the region.
struct Region(UnsafeCell<Record>);

// SAFETY: its number is accessed as an atomic only, its name never changes.
unsafe impl Sync for Region {}

static REGION: Region = Region(UnsafeCell::new(Record { name: std::ptr::null(), construct: 0, id: 0 }));

/// Begins or ends the region in the calling thread after timing was switched off or on.
pub(super) fn switched() {
    if arena::base().is_null() || has_ended() {
        return;
    }
    if let Some(t) = stack::current() {
        look(t);
    }
}

/// Begins or ends the region if another thread has switched timing off or on.
#[inline]
pub(super) fn look(t: &mut Thread) {
    match (is_paused(), t.off) {
        (false, 0) | (true, 1..) => {}
        (true, 0) => begin(t, 1),
        (false, 1..) => end(t),
    }
}

/// Begins the region anew in the construct around the one that was left in the pause.
pub(super) fn go_on(t: &mut Thread) {
    t.off = 0;
    if is_paused() {
        begin(t, 0);
    }
}

#[cold]
fn begin(t: &mut Thread, pauses: u64) {
    // SAFETY: the record lives as long as the program, and the name ends with a NUL.
    let id = unsafe { records::bind(REGION.0.get(), OFF.as_ptr().cast(), Kind::Region) };
    let number = u64::from(id);
    if id & MASKED != 0 || number == 0 || t.overflow > 0 {
        return;
    }
    let (slot, Some(new)) = (stack::slot(t, number), stack::frame(t, t.depth)) else { return };
    if slot.is_null() {
        return;
    }
    let outer = if t.depth == 0 { 0 } else { stack::top(t).context };
    // Nothing that the program enters stands so high up the stack that the region was left by a jump.
    let mut f = Frame {
        record: number,
        kind: KIND,
        slot: arena::offset(slot),
        stack: u64::MAX,
        trips: NO_TRIPS,
        ..Frame::default()
    };
    // SAFETY: slot, frame and contexts are of this thread.
    unsafe {
        (f.node, f.context) = table::enter(t, outer, number, 0, false);
        if f.node != 0 {
            (*arena::at::<Node>(f.node)).calls += pauses;
        }
        (*slot).invocations += pauses;
        (*slot).depth += 1;
        f.start = ticks();
        *new = f;
    }
    stack::entered(t, f.start, number);
    t.off = t.depth;
}

#[cold]
fn end(t: &mut Thread) {
    let at = t.off - 1;
    t.off = 0;
    let Some(frame) = stack::frame(t, at) else { return };
    // SAFETY: the frame is on the stack of this thread.
    let f = unsafe { *frame };
    // Another thread may have switched timing on some time ago.
    let now = run::resumed().max(f.start);
    if at + 1 == t.depth {
        return stack::leave(t, now);
    }
    let outer = if at == 0 { 0 } else { context(t, at - 1) };
    stack::add(&f, now);
    trace::event(t, now, 0);
    stack::left(t, now);
    // The frame has no time from now on; the constructs above it have, each in the one below.
    // SAFETY: as above.
    unsafe { *frame = Frame { record: 0, start: 0, inner: now.wrapping_sub(f.start), context: outer, ..f } };
    let mut below = outer;
    for i in at + 1..t.depth {
        if let Some(above) = stack::frame(t, i) {
            // SAFETY: as above.
            below = unsafe { begin_late(t, &mut *above, below, now) };
        }
    }
}

/// Begins to time a construct that was entered in the pause, and returns its context; that of one which is never timed is `outer`.
///
/// # Safety
/// `f` is on the stack of the calling thread.
unsafe fn begin_late(t: &mut Thread, f: &mut Frame, outer: u64, now: u64) -> u64 {
    let number = std::mem::take(&mut f.paused);
    f.context = outer;
    let slot = if number == 0 { std::ptr::null_mut() } else { stack::slot(t, number) };
    if slot.is_null() {
        return outer;
    }
    // SAFETY: slot and contexts are of this thread.
    unsafe {
        (f.node, f.context) = table::enter(t, outer, number, f.site, f.kind == Kind::Procedure as u64);
        if f.node != 0 {
            (*arena::at::<Node>(f.node)).calls += 1;
        }
        if (*slot).depth > 0 {
            (*slot).flags |= RECURSIVE;
        }
        (*slot).depth += 1;
    }
    (f.record, f.slot, f.start, f.inner) = (number, arena::offset(slot), now, 0);
    stack::began(t, now, number);
    f.context
}

/// The context of frame `i`, which is on the stack.
fn context(t: &Thread, i: u64) -> u64 {
    // SAFETY: the frame is on the stack of this thread.
    stack::frame(t, i).map_or(0, |f| unsafe { (*f).context })
}
