//! Thinned timers: if the timer of a construct costs too much, only one in 2^k of its invocations is timed.
//!
//! Compiled code counts a cell of the thread's block down, the *countdown*, and calls the runtime only when the cell
//! gets negative; a timed invocation stands for all since the timed one before. The gaps are random, since every 2^k-th
//! invocation may be of one kind: with a program of period two, the error was 98 %, and none was stated. The sums are
//! kept by stratum, one for each mean gap, because the mean over a gap that grows was off by up to 69 % where the work
//! grows, too (`convert/thinned.rs` makes times of them).
//!
//! A thinned measurement stands beside the others: its frame has no record, so the stack, the contexts, and the sums of
//! the constructs around it are those of a program in which the construct has no timer.
//!
//! **Invariants:** while an invocation is timed its countdown is zero, so an invocation inside it is noticed; all invocations between
//! two changes of the mean gap have the same chance to be timed.

use super::{arena, records};
use trueline_abi::raw::{Header, MOST_THINNING, RECURSIVE, Slot, Stratum, THROTTLED, Thread};

/// The gap of a construct that is not timed at all.
const REST: i64 = 1 << 16;
/// The timed invocations that are looked at together before the mean gap may grow.
const PERIOD: u64 = 256;
/// This many invocations of a construct are timed in any case, so that recursion is mostly seen before.
const FIRST: u64 = 32;
/// The thinning of a construct in a new thread is less than that of others by this.
const LESS: u64 = 2;
/// The cost that all timers of a thread may always have, in pairs of probes: less than half a millisecond.
const FREE_PAIRS: u64 = 10_000;
/// A construct may cost the budget divided by this while all timers together exceed the budget.
const PART: u128 = 64;
/// An invocation was mostly interrupted if it takes more than this number of pairs of probes (a tenth of a millisecond)
/// and this many times as long as others.
const INTERRUPTED: (u64, u64) = (2500, 64);

/// Thins a construct as little as possible, for calibration. Returns whether there is memory for it.
pub(super) fn begin(s: &mut Slot) -> bool {
    let strata: *mut Stratum = arena::make(MOST_THINNING);
    if strata.is_null() {
        return false;
    }
    (s.strata, s.thinning) = (arena::offset(strata), 1);
    true
}

/// The ticks of all invocations of such a construct that were timed.
pub(super) fn ticks_of(s: &Slot) -> u64 {
    // SAFETY: a thinned slot has strata.
    unsafe { (*arena::at::<Stratum>(s.strata)).ticks }
}

fn header() -> &'static Header {
    // SAFETY: a slot exists only in mapped memory; the fields read here are not written after the beginning.
    unsafe { &*arena::header() }
}

/// Makes compiled code not call for a while.
///
/// # Safety
/// `countdown` is null or that of the calling thread.
#[inline]
pub(super) unsafe fn rest(countdown: *mut i64) {
    // SAFETY: the countdown is null or that of the calling thread.
    unsafe { store(countdown, REST) };
}

/// Passes over an invocation during which timing is switched off, and the invocations that it stands for.
pub(super) fn pass_over(t: &mut Thread, s: &mut Slot) {
    if s.thinning > 0 && s.is_open == 0 {
        draw(t, s);
    }
}

/// Begins to time a thinned construct; whether it is to be timed. One that is being timed already is recursive: of the others that
/// were timed nobody knows whether they were outermost activations, so there are no more.
pub(super) fn enter(s: &mut Slot) -> bool {
    if s.is_open != 0 {
        s.flags |= RECURSIVE | THROTTLED;
        return false;
    }
    s.is_open = 1;
    set(s, 0);
    true
}

/// Ends a timed invocation, which took `spent` ticks.
pub(super) fn leave(t: &mut Thread, s: &mut Slot, spent: u64, now: u64) {
    s.is_open = 0;
    let h = header();
    t.pairs += h.aside_pairs;
    if s.flags & THROTTLED != 0 {
        return set(s, REST);
    }
    let spent = spent.saturating_sub(h.span_milliticks.div_ceil(1000));
    // SAFETY: a thinned slot has all strata.
    let stratum = unsafe { &mut *arena::at::<Stratum>(s.strata).add(s.thinning as usize - 1) };
    let mean = s.inclusive.wrapping_add(stratum.ticks) / (s.timed + stratum.timed).max(1);
    stratum.invocations += s.gap;
    if spent > h.probe_milliticks / 1000 * INTERRUPTED.0 && spent > mean.saturating_mul(INTERRUPTED.1) {
        stratum.tail += 1;
        stratum.tail_ticks = stratum.tail_ticks.saturating_add(spent);
    } else {
        stratum.timed += 1;
        stratum.ticks = stratum.ticks.saturating_add(spent);
        stratum.squares = stratum.squares.saturating_add(spent.saturating_mul(spent));
    }
    s.lately += 1;
    if s.lately >= PERIOD {
        let next = s.thinning + more(t, s, now);
        reconsider(s, next, now);
    }
    draw(t, s);
}

/// Decides after an invocation of a record, which began at `start`, whether the construct is thinned from now on. False if it cannot be.
#[inline]
pub(super) fn judge(t: &mut Thread, s: &mut Slot, record: u64, start: u64, now: u64) -> bool {
    let h = header();
    if s.countdown == 0 || (h.budget == 0 && h.least_thinning == 0) || s.flags & RECURSIVE != 0 {
        return false;
    }
    s.lately += 1;
    if s.depth == 0 && (s.since == 0 || s.lately >= PERIOD || (h.least_thinning > 0 && s.timed >= FIRST)) {
        judge_now(t, s, record, start, now);
    }
    true
}

#[cold]
fn judge_now(t: &mut Thread, s: &mut Slot, record: u64, start: u64, now: u64) {
    let next = if s.since == 0 {
        (s.since, s.record) = (start, record);
        // SAFETY: a record that was timed has an entry.
        unsafe { records::share_thinning(record, 0) }.saturating_sub(LESS)
    } else {
        more(t, s, now).max(header().least_thinning)
    };
    if next == 0 && s.lately < PERIOD {
        return;
    }
    reconsider(s, next, now);
    if s.thinning > 0 {
        draw(t, s);
    }
}

/// Thins a construct by `next`, if there is memory.
fn reconsider(s: &mut Slot, next: u64, now: u64) {
    (s.lately, s.since) = (0, now);
    if next > s.thinning && (s.strata != 0 || begin(s)) {
        s.thinning = next.min(MOST_THINNING);
        // SAFETY: it is set before the first growth, and a record that was timed has an entry.
        unsafe { records::share_thinning(s.record, s.thinning) };
    }
}

/// The number of powers of two by which the mean gap grows: 0 while all timers of the thread are within the budget, or
/// if this construct does not make them too costly.
fn more(t: &Thread, s: &Slot, now: u64) -> u64 {
    let h = header();
    let elapsed = now.saturating_sub(t.first);
    let budget = |ticks: u64| u128::from(ticks) * u128::from(h.budget);
    let cost = |pairs: u64| u128::from(pairs) * u128::from(h.probe_milliticks) * 1000;
    if h.budget == 0 || cost(t.pairs.saturating_sub(FREE_PAIRS)) <= budget(elapsed) {
        return 0;
    }
    let pairs = if s.thinning > 0 { h.aside_pairs } else { 1 };
    let (own, allowed) = (cost(s.lately.saturating_mul(pairs)) * PART, budget(now.saturating_sub(s.since)));
    u64::from(own > allowed) + u64::from(own / 4 > allowed)
}

/// Draws the next gap: uniform, with a mean of 2^thinning.
fn draw(t: &mut Thread, s: &mut Slot) {
    if t.random == 0 {
        t.random = t.number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    // Marsaglia's xorshift with Vigna's multiplication (ACM TOMS 42, 2016).
    t.random ^= t.random >> 12;
    t.random ^= t.random << 25;
    t.random ^= t.random >> 27;
    let gap = t.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32 & ((2 << s.thinning) - 1);
    s.gap = gap.max(1);
    set(s, s.gap as i64 - 1);
}

fn set(s: &Slot, n: i64) {
    // SAFETY: the countdown of the calling thread: compiled code has passed its address, and a block stays where it is.
    unsafe { store(s.countdown as *mut i64, n) };
}

/// # Safety
/// As [`rest`].
unsafe fn store(countdown: *mut i64, n: i64) {
    // SAFETY: the countdown is null or a word of the thread's block, which only this thread and compiled code on it
    // access.
    if let Some(cell) = unsafe { countdown.as_mut() } {
        *cell = n;
    }
}
