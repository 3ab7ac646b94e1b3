//! From the raw profile to a [`Profile`].
//!
//! The file may have been cut or changed by anybody, so every offset is checked and every walk is bounded by the length
//! of the file.

mod agree;
mod contexts;
mod cost;
mod counters;
mod foreign;
mod joint;
mod objects;
mod samples;
mod thinned;
mod threads;

use super::{ENDED, Header, RAW_MAGIC, RECORD_PAGES, RECORDS_IN_PAGE, RUNNING, RecordEntry, word};
use crate::profile::{Clock, Communicates, Edge, Moment, Processor, Profile, SCHEMA, Trace};
use counters::Counters;
pub use objects::shares;
use objects::{Found, OfCall};
use std::collections::HashMap;
use threads::Measured;

/// Why a raw profile cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawError(pub String);

impl std::fmt::Display for RawError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RawError {}

fn broken(what: &str) -> RawError {
    RawError(format!("the raw profile is damaged: {what}"))
}

/// Whether `bytes` begin as a raw profile does.
pub fn is_raw(bytes: &[u8]) -> bool {
    word(bytes, 0).is_some_and(|magic| magic.to_ne_bytes()[..5] == RAW_MAGIC.to_ne_bytes()[..5])
}

/// The profile that `bytes` hold. The profile of a killed program is marked incomplete, and constructs that were being
/// timed then are counted up to their last probe.
///
/// # Errors
/// If the bytes are no raw profile, one of another version, or damaged.
pub fn profile(bytes: &[u8]) -> Result<Profile, RawError> {
    profile_of_rank(bytes, &[])
}

/// The profile of one of several ranks, which has slept in these statements. Samples are taken of a thread that runs, so the times of constructs that
/// rest on them get that of the sleep.
///
/// # Errors
/// As [`profile`].
pub fn profile_of_rank(bytes: &[u8], statements: &[Communicates]) -> Result<Profile, RawError> {
    let header = Header::read(bytes, 0).ok_or_else(|| broken("it is too short"))?;
    if header.magic != RAW_MAGIC {
        return Err(RawError("a raw profile of another version".to_owned()));
    }
    let records = records(bytes, &header)?;
    let measured = threads::measure(bytes, &header, samples::last_seen(bytes, &header))?;
    let clock = clock(&header, &measured);
    let mut out = Profile {
        schema: SCHEMA.to_owned(),
        program: text(bytes, header.program, header.program_len)?,
        incomplete: header.state == RUNNING,
        rank: (header.apart != 0).then_some(header.rank as u32),
        ended_by: (header.state > ENDED).then(|| signal_name(header.signal)),
        unattributed_ns: measured.threads.iter().find(|t| t.number == 0).map(|t| ns(t.outside, &clock)),
        clock,
        ..Profile::default()
    };
    let found = objects::collect(bytes, &header, &records, &measured, &mut out)?;
    let taken = samples::take(bytes, &header, &found);
    let places = samples::places(&taken, out.constructs.len());
    samples::vectors(&taken, &mut out.constructs);
    joint::share(&mut out.constructs, &out.groups, &places);
    objects::part_unentered(&mut out.constructs, &out.groups);
    let serials = foreign::collect(bytes, &records, &measured, found.serials.clone(), &mut out)?;
    edges(&found, &mut out);
    processors(header.rank, &serials, &measured, &mut out);
    traces(&header, &serials, &measured, &mut out);
    let sampled = samples::collect(taken, &found, statements, &mut out);
    agree::errors_of_groups(&mut out.constructs, &out.groups);
    agree::foreign(&mut out.constructs);
    contexts::collect(bytes, &header, &found, &serials, (&measured, &sampled), &mut out);
    cost::state(&header, &measured, &found, &sampled, &mut out);
    Ok(out)
}

/// The records by number; the first has number 1.
fn records(bytes: &[u8], header: &Header) -> Result<Vec<RecordEntry>, RawError> {
    if header.record_count > RECORD_PAGES * RECORDS_IN_PAGE {
        return Err(broken("too many records"));
    }
    let mut out = Vec::new();
    for n in 0..header.record_count {
        // A record is numbered before its page may be there; the file then ends before it.
        let Some(page) = word(bytes, header.records + 8 * (n / RECORDS_IN_PAGE)).filter(|&p| p != 0) else { break };
        let at = page.checked_add(n % RECORDS_IN_PAGE * RecordEntry::SIZE).ok_or_else(|| broken("a record"))?;
        out.push(RecordEntry::read(bytes, at).ok_or_else(|| broken("a record"))?);
    }
    Ok(out)
}

fn clock(header: &Header, measured: &Measured) -> Clock {
    let (end_ticks, end_ns) = if header.end_ticks == 0 {
        (header.calibrated_ticks, header.calibrated_ns)
    } else {
        (header.end_ticks, header.end_ns)
    };
    let ticks = end_ticks.wrapping_sub(header.start_ticks) as f64;
    let nanoseconds = end_ns.wrapping_sub(header.start_ns) as f64;
    let ticks_per_second = if ticks > 0.0 && nanoseconds > 0.0 { ticks * 1e9 / nanoseconds } else { 1e9 };
    let last = if header.end_ticks == 0 { measured.last.max(header.calibrated_ticks) } else { header.end_ticks };
    Clock {
        source: ["tsc", "cntvct"].get(header.clock as usize).unwrap_or(&"monotonic").to_string(),
        ticks_per_second,
        elapsed_ns: (last.saturating_sub(header.start_ticks) as f64 * 1e9 / ticks_per_second).round() as u64,
        ..Clock::default()
    }
}

/// Converts ticks to nanoseconds.
fn ns(ticks: u64, clock: &Clock) -> u64 {
    (ticks as f64 * 1e9 / clock.ticks_per_second).round() as u64
}

fn text(bytes: &[u8], offset: u64, len: u64) -> Result<String, RawError> {
    Ok(String::from_utf8_lossy(slice(bytes, offset, len)?).into_owned())
}

fn slice(bytes: &[u8], offset: u64, len: u64) -> Result<&[u8], RawError> {
    let end = offset.checked_add(len).ok_or_else(|| broken("an offset"))?;
    usize::try_from(offset)
        .ok()
        .zip(usize::try_from(end).ok())
        .and_then(|(start, end)| bytes.get(start..end))
        .ok_or_else(|| broken("it is cut"))
}

/// Edges by line from the counters: several calls at one line are one edge.
fn edges(found: &Found, out: &mut Profile) {
    let mut place: HashMap<(u32, u32, u32), usize> = HashMap::new();
    for OfCall { caller, symbol, line, calls, at_most, may_be_low, .. } in &found.calls {
        let Some(&callee) = found.symbols.get(symbol) else { continue };
        let at = *place.entry((*caller, callee, *line)).or_insert(out.edges.len());
        if at == out.edges.len() {
            out.edges.push(Edge { caller: *caller, callee, line: *line, ..Edge::default() });
        }
        let edge = &mut out.edges[at];
        edge.calls = edge.calls.saturating_add(*calls);
        edge.at_most |= at_most;
        edge.may_be_low |= may_be_low;
    }
}

fn processors(rank: u64, serials: &HashMap<u64, u32>, measured: &Measured, out: &mut Profile) {
    for t in &measured.threads {
        let mut p = Processor {
            rank: rank as u32,
            thread: t.number as u32,
            elapsed_ns: Some(ns(t.elapsed, &out.clock)),
            outside_ns: Some(ns(t.between, &out.clock)),
            ..Processor::default()
        };
        for (record, slot) in &t.slots {
            let Some(&serial) = serials.get(record) else { continue };
            if slot.timed == 0 && slot.inclusive == 0 {
                continue;
            }
            let time = ns(slot.inclusive, &out.clock);
            let categories = p.constructs.entry(serial).or_default();
            categories.elapsed += time;
            categories.user += time;
        }
        // A thread that only waits for others, such as the first one of a program in C, is no processor.
        if !p.constructs.is_empty() {
            out.processors.push(p);
        }
    }
}

/// The traces of the threads that have one. A record that is in no report is left out, with its end.
fn traces(header: &Header, serials: &HashMap<u64, u32>, measured: &Measured, out: &mut Profile) {
    for t in measured.threads.iter().filter(|t| !t.events.is_empty()) {
        let mut known: Vec<bool> = Vec::new();
        let moments = t.events.iter().filter_map(|e| {
            let ns = ns(e.ticks.saturating_sub(header.start_ticks), &out.clock);
            if e.record == 0 {
                return known.pop()?.then_some(Moment { ns, entered: None });
            }
            let entered = serials.get(&e.record).copied();
            known.push(entered.is_some());
            Some(Moment { ns, entered: Some(entered?) })
        });
        let mut trace = Trace { rank: header.rank as u32, thread: t.number as u32, lost: t.lost, ..Trace::default() };
        trace.set_moments(moments);
        out.traces.push(trace);
    }
}

/// `SIGTERM` and its like.
fn signal_name(signal: u64) -> String {
    const NAMES: [(u64, &str); 16] = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (10, "SIGUSR1"),
        (11, "SIGSEGV"),
        (12, "SIGUSR2"),
        (13, "SIGPIPE"),
        (14, "SIGALRM"),
        (15, "SIGTERM"),
        (24, "SIGXCPU"),
        (25, "SIGXFSZ"),
        (26, "SIGVTALRM"),
    ];
    let known = NAMES.iter().find(|(n, _)| *n == signal).map(|(_, name)| (*name).to_owned());
    known.unwrap_or_else(|| format!("signal {signal}"))
}
