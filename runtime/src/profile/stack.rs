//! The internal stack of constructs being timed: one a thread, in pages that are made when needed (HPF profiling
//! paper, 4.3), so that entering a construct costs the same every time but once in some hundred.
//!
//! **Invariants:** a frame is complete before the depth counts it; a construct that is not timed has a frame all the
//! same, so that starts and ends match although timing is switched on or off between them; no frame is read through an
//! address that another process may write: a forked child has a stack of its own.

use super::clock::{ticks, ticks_in_order};
use super::{arena, off, pair, records, table, thin, trace};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence};
use trueline_abi::raw::{
    FRAME_PAGES, FRAMES_IN_PAGE, Frame, Header, Kind, NO_TREE, Node, RECURSIVE, SLOT_PAGES, SLOTS_IN_PAGE, Slot,
    THROTTLED, Thread,
};
use trueline_abi::record::{MASKED, Record};

thread_local! {
    static CURRENT: Cell<*mut Thread> = const { Cell::new(std::ptr::null_mut()) };
}

/// [`Frame::trips`] of a frame that does not count its trips.
pub(super) const NO_TRIPS: u64 = u64::MAX;

/// The calling thread's state; `None` if there is no memory for it or nothing is measured.
#[inline]
pub(super) fn current() -> Option<&'static mut Thread> {
    let t = CURRENT.get();
    if t.is_null() {
        return first();
    }
    // SAFETY: set by `first` or `adopt`; only the thread itself writes through it.
    Some(unsafe { &mut *t })
}

#[cold]
fn first() -> Option<&'static mut Thread> {
    if arena::base().is_null() {
        super::begin();
    }
    if arena::base().is_null() {
        return None;
    }
    if let Some(host) = super::host::host() {
        CURRENT.set(host.thread());
        // SAFETY: null, or the state that the host has made for this thread.
        return unsafe { CURRENT.get().as_mut() };
    }
    // The beginning may have been this thread's.
    let t = if CURRENT.get().is_null() { create()? } else { CURRENT.get() };
    CURRENT.set(t);
    // SAFETY: `create` has made it.
    Some(unsafe { &mut *t })
}

/// The state of the calling thread, for runtimes of other files; null if there is none.
pub(crate) extern "C" fn thread_for_guests() -> *mut Thread {
    current().map_or(std::ptr::null_mut(), std::ptr::from_mut)
}

/// In a forked child with another runtime as its host: the state is in the memory of the parent.
pub(crate) fn forget() {
    CURRENT.set(std::ptr::null_mut());
}

/// A new thread's state, in the list of all.
fn create() -> Option<*mut Thread> {
    let t: *mut Thread = arena::make(1);
    let frames: *mut u64 = arena::make(FRAME_PAGES);
    let slots: *mut u64 = arena::make(SLOT_PAGES);
    if t.is_null() || frames.is_null() || slots.is_null() {
        return None;
    }
    // SAFETY: new memory; the header is valid, its fields are shared as atomics.
    unsafe {
        let header = arena::header();
        let number = AtomicU64::from_ptr(&raw mut (*header).thread_count).fetch_add(1, Ordering::Relaxed);
        let now = ticks();
        *t = Thread {
            number,
            first: now,
            last: now,
            // The first thread is measured from the beginning of the run.
            outside_since: if number == 0 { (*header).start_ticks } else { now },
            frames: arena::offset(frames),
            slots: arena::offset(slots),
            contexts: if (*header).tree_depth == NO_TREE { 0 } else { table::create() },
            ..Thread::default()
        };
        trace::begin(&mut *t);
        let list = AtomicU64::from_ptr(&raw mut (*header).threads);
        crate::shared::list::push(list, arena::offset(t), |newest| (*t).next = newest);
    }
    super::sample::begin_thread();
    Some(t)
}

/// Makes the first thread's state at the beginning of a run.
pub(crate) fn begin_thread() {
    CURRENT.set(create().unwrap_or(std::ptr::null_mut()));
}

/// In a forked child: the constructs that this thread was in go on, in new memory and from now on. The `records` of the
/// child have the same numbers.
///
/// # Safety
/// `parent` is the memory of the parent, which is still mapped.
pub(crate) unsafe fn adopt(parent: *mut u8) {
    let old = CURRENT.replace(std::ptr::null_mut());
    begin_thread();
    let t = CURRENT.get();
    if old.is_null() || t.is_null() {
        return;
    }
    // SAFETY: both are states of threads, the old one in the parent's memory.
    unsafe {
        let (t, old) = (&mut *t, &*old);
        for i in 0..old.depth {
            let pages = parent.wrapping_add(old.frames as usize).cast::<u64>();
            let page = parent.wrapping_add(*pages.add((i / FRAMES_IN_PAGE) as usize) as usize).cast::<Frame>();
            let f = *page.add((i % FRAMES_IN_PAGE) as usize);
            let node = parent.wrapping_add(f.node as usize).cast::<Node>();
            resume(t, &f, if f.node == 0 { 0 } else { (*node).site });
        }
        t.overflow = old.overflow;
    }
}

/// A frame of the parent's as one of ours; `site` is where it returns to.
fn resume(t: &mut Thread, old: &Frame, site: u64) {
    let Some(frame) = frame(t, t.depth) else { return };
    let now = ticks();
    let outer = if t.depth == 0 { 0 } else { top(t).context };
    // Constructs that were not timed, or thinned, are not: they have no slot here.
    let mut f = Frame { start: 0, inner: 0, node: 0, context: outer, slot: 0, trips: NO_TRIPS, ..*old };
    if f.record != 0 {
        (f.start, f.trips) = (now, old.trips);
        let slot = slot(t, f.record);
        if slot.is_null() {
            return;
        }
        f.slot = arena::offset(slot);
        // SAFETY: the slot was just made; contexts are those of this thread.
        unsafe {
            (*slot).depth += 1;
            (f.node, f.context) = table::enter(t, outer, f.record, site, f.kind == Kind::Procedure as u64);
        }
        if t.timed == 0 {
            t.outside = now.wrapping_sub(t.outside_since);
        }
        t.timed += 1;
        trace::event(t, now, f.record);
    }
    if f.kind == off::KIND && f.record != 0 {
        t.off = t.depth + 1;
    }
    // SAFETY: just made.
    unsafe { *frame = f };
    t.depth += 1;
}

/// The address of frame `i`, with its page; `None` if there is no memory.
#[inline]
pub(super) fn frame(t: &Thread, i: u64) -> Option<*mut Frame> {
    let page = i / FRAMES_IN_PAGE;
    if page >= FRAME_PAGES {
        return None;
    }
    let root = arena::at::<u64>(t.frames);
    // SAFETY: the root has `FRAME_PAGES` entries; pages have `FRAMES_IN_PAGE` frames.
    unsafe {
        let entry = root.add(page as usize);
        if *entry == 0 {
            let new: *mut Frame = arena::make(FRAMES_IN_PAGE);
            if new.is_null() {
                return None;
            }
            *entry = arena::offset(new);
        }
        Some(arena::at::<Frame>(*entry).add((i % FRAMES_IN_PAGE) as usize))
    }
}

/// The frame on top of the stack, which is not empty.
#[inline]
pub(super) fn top(t: &Thread) -> &'static mut Frame {
    let i = t.depth - 1;
    // SAFETY: pages up to the depth are there.
    unsafe {
        let page = *arena::at::<u64>(t.frames).add((i / FRAMES_IN_PAGE) as usize);
        &mut *arena::at::<Frame>(page).add((i % FRAMES_IN_PAGE) as usize)
    }
}

/// The sums that `t` keeps of a record; null if there is no memory.
#[inline]
pub(super) fn slot(t: &Thread, record: u64) -> *mut Slot {
    let page = record / SLOTS_IN_PAGE;
    if page >= SLOT_PAGES {
        return std::ptr::null_mut();
    }
    // SAFETY: the root has `SLOT_PAGES` entries; pages have `SLOTS_IN_PAGE` slots.
    unsafe {
        let entry = arena::at::<u64>(t.slots).add(page as usize);
        if *entry == 0 {
            let new: *mut Slot = arena::make(SLOTS_IN_PAGE);
            if new.is_null() {
                return std::ptr::null_mut();
            }
            *entry = arena::offset(new);
        }
        arena::at::<Slot>(*entry).add((record % SLOTS_IN_PAGE) as usize)
    }
}

/// The registers of the code that enters a construct.
#[derive(Clone, Copy)]
pub(crate) struct Caller {
    /// The stack pointer.
    pub(crate) stack: u64,
    /// The frame pointer; 0 if it is not that of a procedure which is entered.
    pub(crate) frame: u64,
    /// The address of the countdown of the construct; null if it has none.
    pub(crate) countdown: *mut i64,
}

impl Caller {
    /// A caller with only the stack pointer known.
    pub(crate) fn at(stack: u64) -> Caller {
        Caller { stack, frame: 0, countdown: std::ptr::null_mut() }
    }
}

/// Enters a construct.
///
/// # Safety
/// `record` is valid as long as the program runs; `name` is null or NUL-terminated; the countdown is null or in the calling
/// thread's block.
pub(crate) unsafe fn push(name: *const u8, record: *mut Record, kind: Kind, entry: bool, caller: Caller) {
    let Some(t) = current().filter(|_| !super::has_ended()) else {
        // SAFETY: the countdown is null or in the calling thread's block.
        return unsafe { thin::rest(caller.countdown) };
    };
    off::look(t);
    while t.depth > 0 && top(t).stack < caller.stack {
        // Procedures that were left by a jump to another one (`longjmp`): ours runs higher up the stack.
        t.unbalanced += 1;
        leave(t, ticks());
    }
    // SAFETY: `record` lives as long as the program, and the name is null or ends with a NUL.
    let id = unsafe { records::bind(record, name, kind) };
    let number = u64::from(id & !MASKED);
    let (slot, new) = (slot(t, number), frame(t, t.depth));
    let (Some(new), false) = (new.filter(|_| t.overflow == 0), slot.is_null() || number == 0) else {
        t.overflow += 1;
        return;
    };
    let outer = if t.depth == 0 { 0 } else { top(t).context };
    // SAFETY: slot and frame are of this thread.
    unsafe {
        if kind == Kind::Procedure && (*slot).invocations == 0 {
            (*slot).compiled = u64::from(records::is_compiled(number));
        }
        (*slot).invocations += u64::from(entry);
        let mut f = Frame {
            kind: kind as u64,
            slot: arena::offset(slot),
            context: outer,
            stack: caller.stack,
            trips: if entry && kind == Kind::Loop { 0 } else { NO_TRIPS },
            ..Frame::default()
        };
        let throttled = (*slot).flags & THROTTLED != 0;
        if throttled {
            // Compiled probes read this, and do not call any more.
            records::mask(record, true);
            records::note_throttled(number as u32);
        }
        let is_masked = id & MASKED != 0 || throttled;
        let is_procedure = kind == Kind::Procedure;
        let has_site = is_procedure && (*slot).compiled != 0;
        let site = || if has_site { site(caller.frame) } else { 0 };
        if is_masked {
            *new = f;
            t.depth += 1;
            return thin::rest(caller.countdown);
        }
        if super::is_paused() {
            if (*slot).thinning == 0 {
                (f.paused, f.site) = (number, site());
            }
            *new = f;
            t.depth += 1;
            return thin::pass_over(t, &mut *slot);
        }
        (*slot).countdown = caller.countdown as u64;
        if (*slot).thinning > 0 {
            *new = f;
            t.depth += 1;
            if thin::enter(&mut *slot) {
                start_aside(new);
            } else {
                records::mask(record, true);
                records::note_throttled(number as u32);
            }
            return;
        }
        if (*slot).depth > 0 {
            (*slot).flags |= RECURSIVE;
        }
        f.record = number;
        (f.node, f.context) = table::enter(t, outer, number, site(), is_procedure);
        if f.node != 0 {
            (*arena::at::<Node>(f.node)).calls += 1;
        }
        (*slot).depth += 1;
        // The clock is read last, so that entering is charged to the caller.
        f.start = ticks();
        *new = f;
        entered(t, f.start, number);
    }
}

/// Begins to time a thinned construct. It first goes once through the end of a probe up to its reading of the clock:
/// that code was not executed for long, and the time that the processor takes to fetch it is not the construct's.
///
/// # Safety
/// `frame` is on top of the calling thread's stack, and no state of the thread is borrowed.
unsafe fn start_aside(frame: *mut Frame) {
    if let Some(t) = current() {
        // An end that belongs to a construct that there was no room for returns early.
        t.overflow += 1;
    }
    // SAFETY: the pair of the number just raised.
    unsafe { pair::end() };
    // SAFETY: the frame is the thread's own, and nobody else accesses it.
    unsafe { (*frame).start = ticks_in_order() };
}

/// The address that a compiled procedure returns to.
///
/// # Safety
/// `frame` is the frame pointer of a procedure that our compiler made, which has called; or 0.
#[inline]
unsafe fn site(frame: u64) -> u64 {
    if frame == 0 {
        return 0;
    }
    // SAFETY: whatever calls begins by saving the frame pointer of its caller below the address that it returns to, and has
    // its own point there (x86-64: `push rbp; mov rbp, rsp`; AArch64: `stp x29, x30, [sp, #-16]!; mov x29, sp`). The record
    // of a procedure is passed by the code of that procedure alone, and it stands in an object that our compiler made.
    unsafe { *(frame as *const u64).add(1) }
}

/// Leaves the construct on top of the stack, which should be of `kind`.
pub(crate) fn pop(kind: Kind) {
    let Some(t) = current() else { return };
    if super::has_ended() {
        return;
    }
    if t.overflow > 0 {
        t.overflow -= 1;
        return;
    }
    if t.depth == 0 {
        t.unbalanced += 1;
        return;
    }
    let f = top(t);
    if f.kind == kind as u64 && f.record == 0 && f.start == 0 {
        return leave(t, 0);
    }
    off::look(t);
    if t.depth == 0 {
        t.unbalanced += 1;
        return;
    }
    let f = top(t);
    let now = if f.record == 0 { ticks_in_order() } else { ticks() };
    // A jump out of a construct that was not closed: the construct ends with the one around it. An end without a
    // beginning in this procedure is ignored.
    let open = (0..t.depth)
        .rev()
        .map(|i| kind_at(t, i))
        .take_while(|&k| kind == Kind::Procedure || k != Kind::Procedure as u64);
    let Some(inside) = open.take(LOOK_BACK).position(|k| k == kind as u64) else {
        t.unbalanced += 1;
        return;
    };
    let was_off = t.off;
    for _ in 0..inside {
        t.unbalanced += u64::from(top(t).kind != off::KIND);
        leave(t, now);
    }
    leave(t, now);
    if was_off > t.depth {
        // The construct around a pause has ended in it.
        off::go_on(t);
    }
}

/// The most frames that are searched for the one that an end belongs to.
const LOOK_BACK: usize = 4096;

/// The kind of frame `i`, which is on the stack.
fn kind_at(t: &Thread, i: u64) -> u64 {
    // SAFETY: pages up to the depth are there.
    unsafe {
        let page = *arena::at::<u64>(t.frames).add((i / FRAMES_IN_PAGE) as usize);
        (*arena::at::<Frame>(page).add((i % FRAMES_IN_PAGE) as usize)).kind
    }
}

pub(super) fn leave(t: &mut Thread, now: u64) {
    let f = *top(t);
    t.depth -= 1;
    let slot = arena::at::<Slot>(f.slot);
    if f.trips != NO_TRIPS {
        // SAFETY: frames lead to slots.
        trips(unsafe { &mut *slot }, f.trips);
    }
    let spent = now.wrapping_sub(f.start);
    if f.record == 0 {
        if t.depth > 0 {
            top(t).inner += f.inner;
        }
        if f.start != 0 {
            // SAFETY: frames lead to slots.
            thin::leave(t, unsafe { &mut *slot }, spent, now);
        }
        return;
    }
    add(&f, now);
    // SAFETY: frames lead to slots.
    let s = unsafe { &mut *slot };
    if f.kind != off::KIND && !thin::judge(t, s, f.record, f.start, now) {
        throttle(s);
    }
    if f.record != trueline_abi::raw::CALIBRATION_RECORD {
        trace::event(t, now, 0);
    }
    left(t, now);
    if t.depth > 0 {
        let below = top(t);
        below.inner = below.inner.wrapping_add(spent);
    }
}

/// Adds the time of a frame that is left to its slot and its context.
pub(super) fn add(f: &Frame, now: u64) {
    let spent = now.wrapping_sub(f.start);
    let own = spent.wrapping_sub(f.inner);
    // SAFETY: frames lead to slots and nodes of the calling thread.
    unsafe {
        let s = &mut *arena::at::<Slot>(f.slot);
        s.depth = s.depth.saturating_sub(1);
        s.exclusive = s.exclusive.wrapping_add(own);
        s.timed += 1;
        let outermost = if s.depth == 0 { spent } else { 0 };
        s.inclusive = s.inclusive.wrapping_add(outermost);
        if f.context != 0 {
            let n = &mut *arena::at::<Node>(f.context);
            n.exclusive = n.exclusive.wrapping_add(own);
        }
    }
}

/// Notes that a timed construct was left.
pub(super) fn left(t: &mut Thread, now: u64) {
    t.timed -= 1;
    if t.timed == 0 {
        t.outside_since = now;
    }
    t.last = now;
    t.pairs += 1;
}

/// Notes that a timed construct was entered, whose frame is complete.
#[inline]
pub(super) fn entered(t: &mut Thread, now: u64, record: u64) {
    began(t, now, record);
    compiler_fence(Ordering::Release);
    t.depth += 1;
}

/// Notes that a construct is timed from now on.
#[inline]
pub(super) fn began(t: &mut Thread, now: u64, record: u64) {
    if t.timed == 0 {
        t.outside = t.outside.wrapping_add(now.wrapping_sub(t.outside_since));
    }
    t.timed += 1;
    t.last = now;
    trace::event(t, now, record);
}

/// The second line of defence against a costly profile: stops timing constructs that are entered too often for too
/// short a time.
#[inline]
fn throttle(s: &mut Slot) {
    // SAFETY: the header is valid; the two are not written after the beginning.
    let Header { throttle_calls, throttle_ticks, .. } = unsafe { &*arena::header() };
    if *throttle_calls > 0 && s.timed > *throttle_calls && s.inclusive / s.timed < *throttle_ticks {
        s.flags |= THROTTLED;
    }
}

/// Notes that one invocation of a loop had `n` iterations.
fn trips(s: &mut Slot, n: u64) {
    s.min_trips = if s.min_trips == 0 { n + 1 } else { s.min_trips.min(n + 1) };
    s.max_trips = s.max_trips.max(n);
    s.zero_trips += u64::from(n == 0);
}

/// Counts an iteration of the loop on top of the stack.
pub(crate) fn iterate() {
    let Some(t) = current() else { return };
    if t.depth == 0 || t.overflow > 0 || super::has_ended() {
        return;
    }
    let f = top(t);
    if f.trips != NO_TRIPS {
        f.trips += 1;
    }
    if f.slot != 0 {
        // SAFETY: frames lead to slots, except frames of constructs that the parent of a forked child did not time.
        unsafe { (*arena::at::<Slot>(f.slot)).iterations += 1 };
    }
}

/// Applies `f` to this thread's slot of a record that is only counted.
///
/// # Safety
/// As [`push`].
pub(crate) unsafe fn count(name: *const u8, record: *mut Record, kind: Kind, f: impl FnOnce(&mut Slot)) {
    let Some(t) = current() else { return };
    if super::has_ended() {
        return;
    }
    // SAFETY: `record` lives as long as the program, and the name is null or ends with a NUL.
    let number = u64::from(unsafe { records::bind(record, name, kind) } & !MASKED);
    let slot = slot(t, number);
    if number != 0 && !slot.is_null() {
        // SAFETY: of this thread.
        f(unsafe { &mut *slot });
    }
}
