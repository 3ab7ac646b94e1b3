//! The measurements of the threads, with everything still open closed at the end.

use super::{RawError, broken};
use crate::raw::{
    CALIBRATION_RECORD, EVENTS_IN_PAGE, Event, FRAME_PAGES, FRAMES_IN_PAGE, Frame, Header, MOST_THINNING, Node,
    SLOT_PAGES, SLOTS_IN_PAGE, Slot, Stratum, TRACE_PAGE, Table, Thread, word,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// All threads.
#[derive(Default)]
pub(super) struct Measured {
    /// In the order of their numbers.
    pub(super) threads: Vec<OfThread>,
    /// Sums over the threads by record.
    pub(super) slots: BTreeMap<u64, Slot>,
    /// The strata of each record that was thinned, added up over the threads.
    pub(super) strata: BTreeMap<u64, Vec<Stratum>>,
    /// The records of the constructs being timed at the end; none if a thread's are unknown.
    pub(super) open: Option<BTreeSet<u64>>,
    /// The clock at the last probe of any thread.
    pub(super) last: u64,
    /// Completed pairs of probes.
    pub(super) pairs: u64,
}

/// One thread.
pub(super) struct OfThread {
    pub(super) number: u64,
    /// Ticks outside of all timed constructs.
    pub(super) outside: u64,
    /// Ticks from the first timed construct to the end of the last one; for the first thread, those of the run.
    pub(super) elapsed: u64,
    /// Ticks of [`OfThread::elapsed`] outside of all timed constructs.
    pub(super) between: u64,
    pub(super) slots: BTreeMap<u64, Slot>,
    /// In the order of their numbers; each context stands after the one around it.
    pub(super) contexts: Vec<Node>,
    /// The trace, and the number of events missing at its end.
    pub(super) events: Vec<Event>,
    pub(super) lost: u64,
}

/// The rest of the file: its parts do not overlap, so together they are not longer than it is, and reading all
/// of them takes linear time.
struct Room(u64);

impl Room {
    fn take(&mut self, count: u64, size: u64) -> Result<(), RawError> {
        let left = count.checked_mul(size).and_then(|n| self.0.checked_sub(n));
        self.0 = left.ok_or_else(|| broken("parts of it overlap"))?;
        Ok(())
    }
}

/// Reads all threads. For a program that was killed, `alive` is the clock at an instant at which it still ran.
pub(super) fn measure(bytes: &[u8], header: &Header, alive: u64) -> Result<Measured, RawError> {
    let mut out = Measured { open: Some(BTreeSet::new()), ..Measured::default() };
    let mut room = Room(bytes.len() as u64);
    let mut at = header.threads;
    let mut seen = BTreeSet::new();
    while at != 0 {
        if !seen.insert(at) {
            return Err(broken("a ring of threads"));
        }
        let mut thread = Thread::read(bytes, at).ok_or_else(|| broken("a thread"))?;
        if header.end_ticks == 0 && (thread.depth > 0 || thread.number == 0) {
            thread.last = thread.last.max(alive);
        }
        out.last = out.last.max(thread.last);
        out.pairs = out.pairs.wrapping_add(thread.pairs);
        let (measured, running) = of_thread(bytes, header, &thread, &mut room)?;
        out.threads.push(measured);
        // A construct that is entered while timing is switched off has a frame without a record.
        let known = thread.overflow == 0 && !running.contains(&0);
        out.open = out.open.filter(|_| known).map(|mut open| {
            open.extend(running);
            open
        });
        at = thread.next;
    }
    out.threads.sort_by_key(|t| t.number);
    for t in &out.threads {
        for (&record, slot) in &t.slots {
            add(out.slots.entry(record).or_default(), slot);
            if slot.strata != 0 {
                room.take(MOST_THINNING, Stratum::SIZE)?;
                add_strata(bytes, slot.strata, out.strata.entry(record).or_default())?;
            }
        }
    }
    Ok(out)
}

fn of_thread(
    bytes: &[u8],
    header: &Header,
    thread: &Thread,
    room: &mut Room,
) -> Result<(OfThread, Vec<u64>), RawError> {
    room.take(thread.depth, Frame::SIZE)?;
    let mut out = OfThread {
        number: thread.number,
        outside: thread.outside,
        elapsed: thread.last.saturating_sub(thread.first),
        between: thread.outside,
        slots: slots(bytes, thread, room)?,
        contexts: Vec::new(),
        events: events(bytes, thread, room)?,
        lost: thread.trace_lost,
    };
    let mut contexts = nodes(bytes, thread.contexts, room)?;
    let end = if header.end_ticks == 0 { thread.last } else { header.end_ticks };
    if thread.timed == 0 {
        out.outside = out.outside.wrapping_add(end.saturating_sub(thread.outside_since));
    }
    if thread.number == 0 {
        (out.elapsed, out.between) = (end.saturating_sub(header.start_ticks), out.outside);
    } else if thread.timed > 0 {
        out.elapsed = end.saturating_sub(thread.first);
    }
    let frames = frames(bytes, thread)?;
    close(&frames, end, &mut out, &mut contexts);
    let mut list: Vec<Node> = contexts.into_values().filter(|n| n.record != CALIBRATION_RECORD).collect();
    list.sort_by_key(|n| n.number);
    out.contexts = list;
    Ok((out, frames.iter().map(|f| f.record).collect()))
}

/// Adds the time that the open frames have measured until `end`.
fn close(frames: &[Frame], end: u64, out: &mut OfThread, contexts: &mut BTreeMap<u64, Node>) {
    let mut lowest: HashMap<u64, usize> = HashMap::new();
    for (i, f) in frames.iter().enumerate() {
        lowest.entry(f.record).or_insert(i);
    }
    let mut inner: u64 = 0;
    for (i, f) in frames.iter().enumerate().rev() {
        if f.record == 0 {
            // Its time is charged to the construct around it.
            inner = inner.saturating_add(f.inner);
            continue;
        }
        let spent = end.saturating_sub(f.start);
        let exclusive = spent.saturating_sub(f.inner.saturating_add(inner));
        let outermost = lowest.get(&f.record) == Some(&i);
        let slot = out.slots.entry(f.record).or_default();
        slot.exclusive = slot.exclusive.wrapping_add(exclusive);
        slot.inclusive = slot.inclusive.wrapping_add(if outermost { spent } else { 0 });
        if let Some(node) = contexts.get_mut(&f.context) {
            node.exclusive = node.exclusive.wrapping_add(exclusive);
        }
        inner = spent;
    }
}

fn frames(bytes: &[u8], thread: &Thread) -> Result<Vec<Frame>, RawError> {
    if thread.depth > FRAME_PAGES * FRAMES_IN_PAGE || thread.depth > bytes.len() as u64 / Frame::SIZE {
        return Err(broken("a stack"));
    }
    (0..thread.depth)
        .map(|i| {
            let page = word(bytes, thread.frames.checked_add(8 * (i / FRAMES_IN_PAGE))?).filter(|&p| p != 0)?;
            Frame::read(bytes, page.checked_add(i % FRAMES_IN_PAGE * Frame::SIZE)?)
        })
        .collect::<Option<Vec<Frame>>>()
        .ok_or_else(|| broken("a stack"))
}

fn slots(bytes: &[u8], thread: &Thread, room: &mut Room) -> Result<BTreeMap<u64, Slot>, RawError> {
    let mut out = BTreeMap::new();
    for p in 0..SLOT_PAGES {
        let page = thread.slots.checked_add(8 * p).and_then(|at| word(bytes, at));
        match page.ok_or_else(|| broken("a table"))? {
            0 => continue,
            page => {
                room.take(SLOTS_IN_PAGE, Slot::SIZE)?;
                for i in 0..SLOTS_IN_PAGE {
                    let slot = page.checked_add(i * Slot::SIZE).and_then(|at| Slot::read(bytes, at));
                    let slot = slot.ok_or_else(|| broken("a slot"))?;
                    let record = p * SLOTS_IN_PAGE + i;
                    if slot != Slot::default() && record != CALIBRATION_RECORD {
                        out.insert(record, slot);
                    }
                }
            }
        }
    }
    Ok(out)
}

/// The events of the trace.
fn events(bytes: &[u8], thread: &Thread, room: &mut Room) -> Result<Vec<Event>, RawError> {
    let mut out = Vec::new();
    let mut page = thread.trace;
    let mut left = thread.trace_count;
    while page != 0 && left > 0 {
        room.take(1, TRACE_PAGE)?;
        let first = page.checked_add(8).ok_or_else(|| broken("a trace"))?;
        for i in 0..left.min(EVENTS_IN_PAGE) {
            let event = first.checked_add(i * Event::SIZE).and_then(|at| Event::read(bytes, at));
            out.push(event.ok_or_else(|| broken("a trace"))?);
        }
        left = left.saturating_sub(EVENTS_IN_PAGE);
        page = word(bytes, page).ok_or_else(|| broken("a trace"))?;
    }
    Ok(out)
}

/// The nodes of a table by their offsets.
fn nodes(bytes: &[u8], table: u64, room: &mut Room) -> Result<BTreeMap<u64, Node>, RawError> {
    let mut out = BTreeMap::new();
    if table == 0 {
        return Ok(out);
    }
    let table = Table::read(bytes, table).ok_or_else(|| broken("a table"))?;
    room.take(table.capacity, 8)?;
    for i in 0..table.capacity {
        let at = table.entries.checked_add(8 * i).and_then(|at| word(bytes, at)).ok_or_else(|| broken("a table"))?;
        if at != 0 {
            out.insert(at, Node::read(bytes, at).ok_or_else(|| broken("a node"))?);
        }
    }
    Ok(out)
}

fn add(sum: &mut Slot, s: &Slot) {
    let min = [sum.min_trips, s.min_trips].into_iter().filter(|&m| m > 0).min();
    sum.min_trips = min.unwrap_or(0);
    sum.max_trips = sum.max_trips.max(s.max_trips);
    sum.flags |= s.flags;
    sum.thinning = sum.thinning.max(s.thinning);
    for (to, from) in [
        (&mut sum.inclusive, s.inclusive),
        (&mut sum.exclusive, s.exclusive),
        (&mut sum.invocations, s.invocations),
        (&mut sum.iterations, s.iterations),
        (&mut sum.evaluations, s.evaluations),
        (&mut sum.taken_0, s.taken_0),
        (&mut sum.taken_1, s.taken_1),
        (&mut sum.taken_2, s.taken_2),
        (&mut sum.zero_trips, s.zero_trips),
        (&mut sum.timed, s.timed),
    ] {
        *to = to.wrapping_add(from);
    }
}

fn add_strata(bytes: &[u8], at: u64, sums: &mut Vec<Stratum>) -> Result<(), RawError> {
    sums.resize(MOST_THINNING as usize, Stratum::default());
    for (sum, i) in sums.iter_mut().zip(0..) {
        let s = at.checked_add(i * Stratum::SIZE).and_then(|at| Stratum::read(bytes, at));
        let s = s.ok_or_else(|| broken("a stratum"))?;
        for (to, from) in [
            (&mut sum.timed, s.timed),
            (&mut sum.invocations, s.invocations),
            (&mut sum.ticks, s.ticks),
            (&mut sum.squares, s.squares),
            (&mut sum.tail, s.tail),
            (&mut sum.tail_ticks, s.tail_ticks),
        ] {
            *to = to.saturating_add(from);
        }
    }
    Ok(())
}
