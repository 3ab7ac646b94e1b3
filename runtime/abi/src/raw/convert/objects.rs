//! The constructs of our own objects: metadata, counters and times.

use super::{Measured, RawError, broken, ns, slice};
use crate::profile::{Clock, Construct, ConstructMeta, CountSource, Counts, ObjectMeta, Profile, Time};
use crate::raw::{FILTERED, Header, ObjectEntry, RecordEntry, THROTTLED, word};
use std::collections::HashMap;

/// The most bytes that the metadata of an object may have.
const META_LIMIT: usize = 1 << 28;

/// What the objects hold beside constructs.
#[derive(Default)]
pub(super) struct Found {
    /// The serial of the procedure, loop or region behind the number of a record.
    pub(super) serials: HashMap<u64, u32>,
    /// The serial of the procedure behind a linker symbol.
    pub(super) symbols: HashMap<String, u32>,
    /// Caller, linker symbol of the callee, line, calls.
    pub(super) calls: Vec<(u32, String, u32, u64)>,
}

/// Adds the constructs of all objects to `out`.
pub(super) fn collect(
    bytes: &[u8],
    header: &Header,
    records: &[RecordEntry],
    measured: &Measured,
    out: &mut Profile,
) -> Result<Found, RawError> {
    if header.object_count > bytes.len() as u64 / ObjectEntry::SIZE {
        return Err(broken("too many objects"));
    }
    let mut numbers: HashMap<(u64, u64), u64> = HashMap::new();
    for (i, r) in records.iter().enumerate().filter(|(_, r)| r.object != 0) {
        numbers.insert((r.object, r.index), i as u64 + 1);
    }
    let mut found = Found::default();
    for n in 0..header.object_count {
        let at = header.objects.checked_add(n * ObjectEntry::SIZE);
        let entry = at.and_then(|at| ObjectEntry::read(bytes, at)).ok_or_else(|| broken("an object"))?;
        let packed = slice(bytes, entry.meta, entry.meta_len)?;
        let json = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, META_LIMIT)
            .map_err(|_| broken("the metadata of an object"))?;
        let meta: ObjectMeta = serde_json::from_slice(&json).map_err(|_| broken("the metadata of an object"))?;
        let object = Object {
            bytes,
            counters: header.counters.saturating_add(entry.counters),
            count: entry.counter_count,
            number: n + 1,
            // Serials are unique in an object; those of the next one follow.
            base: out.constructs.iter().map(|c| c.serial.saturating_add(1)).max().unwrap_or(0),
            numbers: &numbers,
            records,
            measured,
        };
        object.add(meta, &mut found, out);
    }
    Ok(found)
}

struct Object<'a> {
    bytes: &'a [u8],
    /// Offset of its counters.
    counters: u64,
    count: u64,
    number: u64,
    base: u32,
    numbers: &'a HashMap<(u64, u64), u64>,
    records: &'a [RecordEntry],
    measured: &'a Measured,
}

impl Object<'_> {
    fn add(&self, meta: ObjectMeta, found: &mut Found, out: &mut Profile) {
        out.opt_level = meta.opt_level;
        out.instrument_at = meta.instrument_at;
        out.overhead.predicted = [out.overhead.predicted, meta.predicted].into_iter().flatten().reduce(f64::max);
        out.files.extend(meta.files);
        for c in meta.constructs {
            let c = self.construct(c, found, &out.clock);
            out.constructs.push(c);
        }
        for e in meta.edges {
            if let Some(calls) = self.evaluate(&e.calls) {
                found.calls.push((self.base.saturating_add(e.caller), e.callee, e.line, calls));
            }
        }
    }

    fn construct(&self, meta: ConstructMeta, found: &mut Found, clock: &Clock) -> Construct {
        let mut c = meta.construct;
        let shift = |serial: u32| serial.saturating_add(self.base);
        c.serial = shift(c.serial);
        c.parent = c.parent.map(shift);
        for m in &mut c.merged_with {
            *m = shift(*m);
        }
        for count in &meta.counts {
            let value = self.evaluate(&count.source);
            put(&mut c.counts, &count.measure, value);
        }
        complete(&mut c.counts, &c.kind);
        if let Some(record) = meta.record {
            self.time(u64::from(record), &mut c, found, clock);
        }
        if let Some(symbol) = meta.symbol {
            found.symbols.insert(symbol, c.serial);
        }
        c
    }

    /// The time of a construct, from the record that measures it. A record that was never used has no time
    /// to tell of: the construct was not entered.
    fn time(&self, record: u64, c: &mut Construct, found: &mut Found, clock: &Clock) {
        let Some(&number) = self.numbers.get(&(self.number, record)) else {
            c.time = Some(Time::default());
            return;
        };
        let slot = self.measured.slots.get(&number).copied().unwrap_or_default();
        let filtered = self.records[number as usize - 1].flags & FILTERED != 0;
        if filtered {
            c.untimed = Some("filtered".to_owned());
        } else {
            c.untimed = (slot.flags & THROTTLED != 0).then(|| "throttled".to_owned());
            c.time = Some(Time { inclusive_ns: ns(slot.inclusive, clock), exclusive_ns: ns(slot.exclusive, clock) });
        }
        // Constructs that are timed together share a record: its owner is the first in the source.
        found.serials.entry(number).or_insert(c.serial);
    }

    fn evaluate(&self, source: &CountSource) -> Option<u64> {
        match source {
            CountSource::Unavailable { .. } => None,
            CountSource::Sum { terms } => terms.iter().try_fold(0u64, |sum, &(factor, cell)| {
                let cell = u64::from(cell);
                if cell >= self.count {
                    return None;
                }
                let value = word(self.bytes, self.counters.checked_add(8 * cell)?)?;
                Some(sum.wrapping_add(factor.wrapping_mul(value)))
            }),
        }
    }
}

/// Arms that follow from the others: of a logical IF the second, of an arithmetic IF the third. And trips
/// that follow from the sums.
fn complete(counts: &mut Counts, kind: &str) {
    if let (Some(invocations), Some(iterations)) = (counts.invocations, counts.iterations)
        && (invocations == 1 || (iterations == 0 && invocations > 0))
    {
        counts.min_trips = Some(iterations);
        counts.max_trips = Some(iterations);
        counts.zero_trips = Some(if iterations == 0 { invocations } else { 0 });
    }
    let (Some(evaluations), Some(taken)) = (counts.evaluations, counts.taken.as_mut()) else { return };
    let arms = match kind {
        "if_arith" => 3,
        "select" => return,
        _ => 2,
    };
    if taken.len() + 1 == arms {
        taken.push(evaluations.saturating_sub(taken.iter().fold(0, |a, &b| a.saturating_add(b))));
    }
}

fn put(counts: &mut Counts, measure: &str, value: Option<u64>) {
    match measure {
        "invocations" => counts.invocations = value,
        "iterations" => counts.iterations = value,
        "evaluations" => counts.evaluations = value,
        "elements" => counts.elements = value,
        _ => {
            let arm = measure.strip_prefix("taken.").and_then(|k| k.parse::<usize>().ok());
            if let (Some(arm), Some(value)) = (arm.filter(|&k| k <= usize::from(u16::MAX)), value) {
                let taken = counts.taken.get_or_insert_default();
                taken.resize(taken.len().max(arm + 1), 0);
                taken[arm] = value;
            }
        }
    }
}
