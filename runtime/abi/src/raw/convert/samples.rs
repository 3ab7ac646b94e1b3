//! Samples: from addresses to constructs.
//!
//! Each address is looked up in the map of its object. A sample in foreign code belongs to the construct whose call led
//! there, and is shown under the name of the called function, which the map knows. Samples that several merged
//! constructs share are divided in proportion to the samples that belong to one of them alone.

mod estimate;
mod reconcile;

use super::objects::Found;
use super::{RawError, broken, slice};
use crate::address_map::AddressMap;
use crate::profile::{Communicates, Construct, ConstructSamples, Foreign, Profile, Samples, ThreadTime};
use crate::raw::samples::{BY_PROCESS, Cell, IN_CALL, Lane, NO_SIGNAL, OUTSIDE, ObjectMap, REFUSED, Sampling};
use crate::raw::{Header, ObjectEntry};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The name of waiting for other ranks, where a construct names foreign code.
const ASLEEP: &str = "waiting for other ranks";

/// The samples at one place: how many, and the processor time in nanoseconds that they stand for.
#[derive(Clone, Copy, Default, Debug)]
struct Sum {
    count: f64,
    weight: f64,
}

impl Sum {
    fn add(&mut self, other: Sum, part: f64) {
        self.count += other.count * part;
        self.weight += other.weight * part;
    }
}

/// Calls that code was inlined through, innermost first: the position of the construct around each, and its line.
pub(super) type Calls = Vec<(usize, u32)>;

/// Samples of one construct, by its position.
struct Part {
    owner: usize,
    /// The calls that this code was inlined through, innermost first.
    calls: Calls,
    /// The constructs around them, the innermost of each procedure: the constructs in it are counted once.
    hosts: Vec<usize>,
    sum: Sum,
}

/// An address map, and the position of the first construct of its object.
struct Map {
    code: u64,
    map: AddressMap,
    first: usize,
}

/// The samples of a raw profile.
#[derive(Default)]
struct Read {
    maps: Vec<Map>,
    cells: BTreeMap<u64, Sum>,
    lost: u64,
    notes: Vec<String>,
    threads: Vec<ThreadTime>,
    handling: u64,
}

/// The number of samples on each construct, by the calls that the code was inlined through.
pub(super) type ByCalls = HashMap<usize, Vec<(Calls, f64)>>;

/// Results of sampling beside the times of constructs.
#[derive(Clone, Default, Debug)]
pub(super) struct Sampled {
    /// The samples in each construct with inlined code.
    pub(super) by_calls: ByCalls,
    /// The number of samples taken.
    pub(super) count: f64,
    /// Nanoseconds in the handler.
    pub(super) handling: f64,
}

/// The samples as they were taken; none if there was no sampling, an error if they are damaged.
pub(super) struct Taken(Option<Result<(u64, Read), RawError>>);

/// Reads the samples.
pub(super) fn take(bytes: &[u8], header: &Header, found: &Found) -> Taken {
    Taken((header.sampling != 0).then(|| read(bytes, header, found)))
}

/// The numbers of samples on instructions that belong to the same constructs, which are named by their positions.
pub(super) fn places(taken: &Taken, constructs: usize) -> Vec<(Vec<usize>, f64)> {
    let Taken(Some(Ok((_, read)))) = taken else { return vec![] };
    attribute(read, constructs).places.into_iter().map(|((members, _), sum)| (members, sum.count)).collect()
}

/// Notes the constructs with operations on vectors, as the address maps show them.
pub(super) fn vectors(taken: &Taken, constructs: &mut [Construct]) {
    let Taken(Some(Ok((_, read)))) = taken else { return };
    for map in &read.maps {
        for &(construct, lanes) in &map.map.lanes {
            if let Some(c) = constructs.get_mut(map.first.saturating_add(construct as usize)) {
                c.lanes = u64::from(lanes);
            }
        }
    }
}

/// Adds the samples, and the times that rest on them, to `out`. Damaged samples are reported, and the rest stands.
pub(super) fn collect(taken: Taken, found: &Found, waits: &[Communicates], out: &mut Profile) -> Sampled {
    let (state, read) = match taken.0 {
        None => (crate::raw::samples::OFF, Read::default()),
        Some(Ok(read)) => read,
        Some(Err(_)) => {
            let notes = vec!["The samples are damaged: times are those of timers alone".to_owned()];
            out.samples = Some(Samples { notes, ..Samples::default() });
            (crate::raw::samples::OFF, Read::default())
        }
    };
    out.threads = read.threads.clone();
    if state == crate::raw::samples::OFF {
        timers_alone(found, out);
        return Sampled::default();
    }
    let total = read.cells.values().fold(Sum::default(), |mut sum, s| {
        sum.add(*s, 1.0);
        sum
    });
    let mut sampled = Sampled { count: total.count, handling: read.handling as f64, ..Sampled::default() };
    let mut all = attribute(&read, out.constructs.len());
    let mut samples = Samples {
        count: total.count as u64,
        rate_hz: if total.weight > 0.0 { (total.count * 1e11 / total.weight).round() / 100.0 } else { 0.0 },
        period_ns: if total.count > 0.0 { (total.weight / total.count).round() as u64 } else { 0 },
        lost: read.lost,
        outside_ns: all.outside.round() as u64,
        measuring_ns: all.measuring.round() as u64,
        notes: read.notes,
    };
    if total.count > 0.0 || waits.iter().any(|s| s.asleep > 0) {
        let stretch = stretch(&read.threads);
        all.leave_out(&out.constructs);
        let mut parts = part_groups(&mut all, &out.constructs);
        parts.iter_mut().for_each(|p| p.sum.weight *= stretch);
        sampled.by_calls = by_calls(&parts);
        all.foreign.values_mut().for_each(|weight| *weight *= stretch);
        for ((members, _), sum) in slept(waits, &out.constructs).places {
            *all.foreign.entry((members.clone(), ASLEEP.to_owned())).or_default() += sum.weight;
            parts.extend(members.into_iter().map(|owner| Part { owner, calls: Vec::new(), hosts: Vec::new(), sum }));
        }
        foreign(all.foreign, &mut out.constructs);
        let total = Sum { count: total.count, weight: total.weight * stretch };
        samples.notes.extend(estimate::estimate(parts, total, stretch, found, out));
    } else {
        timers_alone(found, out);
    }
    out.samples = Some(samples);
    sampled
}

/// The time in which a rank slept, by the constructs that are shown.
fn slept(waits: &[Communicates], constructs: &[Construct]) -> Attributed {
    let mut out = Attributed::default();
    for s in waits.iter().filter(|s| s.asleep > 0) {
        if let Some(owner) = s.innermost(constructs) {
            let sum = Sum { count: 0.0, weight: s.asleep as f64 };
            out.places.entry((vec![owner], Calls::new())).or_default().add(sum, 1.0);
        }
    }
    out.leave_out(constructs);
    out
}

/// Sums up samples by construct and calls, of constructs with inlined code.
fn by_calls(parts: &[Part]) -> ByCalls {
    let mut out = ByCalls::new();
    for p in parts {
        let list = out.entry(p.owner).or_default();
        match list.iter_mut().find(|(calls, _)| *calls == p.calls) {
            Some((_, count)) => *count += p.sum.count,
            None => list.push((p.calls.clone(), p.sum.count)),
        }
    }
    out.retain(|_, list| list.iter().any(|(calls, _)| !calls.is_empty()));
    out
}

/// Sets times of thinned timers if there are no samples to compare them with.
fn timers_alone(found: &Found, out: &mut Profile) {
    if !found.thinned.is_empty() {
        let stretch = stretch(&out.threads);
        estimate::estimate(Vec::new(), Sum::default(), stretch, found, out);
    }
}

/// The clock at the last sample of a program that was killed; 0 if that is not known.
pub(super) fn last_seen(bytes: &[u8], header: &Header) -> u64 {
    if header.end_ticks != 0 || header.sampling == 0 {
        return 0;
    }
    let Some(sampling) = Sampling::read(bytes, header.sampling) else { return 0 };
    let (mut at, mut seen, mut last) = (sampling.lanes, BTreeSet::new(), 0);
    while let Some(lane) = Lane::read(bytes, at).filter(|_| at != 0 && seen.insert(at)) {
        last = last.max(lane.wall_last);
        at = lane.next;
    }
    let ticks = header.calibrated_ticks.saturating_sub(header.start_ticks) as f64;
    let ns = header.calibrated_ns.saturating_sub(header.start_ns) as f64;
    let later = last.saturating_sub(header.start_ns) as f64;
    // A rate faster than any clock, or a run of more than a year, comes from a damaged file.
    let rate = ticks / ns;
    if ns > 0.0 && rate < 1e3 && later < 3.2e16 { header.start_ticks.saturating_add((later * rate) as u64) } else { 0 }
}

/// The ratio of elapsed time to processor time: others had the processors in between, at any instant alike. Timers
/// measure elapsed time, so shares estimated from samples are multiplied by this ratio.
fn stretch(threads: &[ThreadTime]) -> f64 {
    let (cpu, delay) = threads.iter().fold((0.0, 0.0), |(c, d), t| (c + t.cpu_ns as f64, d + t.delay_ns as f64));
    if cpu > 0.0 { (cpu + delay) / cpu } else { 1.0 }
}

fn read(bytes: &[u8], header: &Header, found: &Found) -> Result<(u64, Read), RawError> {
    let sampling = Sampling::read(bytes, header.sampling).ok_or_else(|| broken("the samples"))?;
    let mut out = Read::default();
    match sampling.state {
        BY_PROCESS => out.notes.push(
            "Threads have no timers here: samples are those of the process's timer, as far as the program leaves it alone"
                .to_owned(),
        ),
        REFUSED => out.notes.push(format!(
            "No samples: the system refuses timers (error {}); constructs without a timer in the code have no time",
            sampling.error
        )),
        NO_SIGNAL => out.notes.push("No samples: the program uses all real-time signals itself".to_owned()),
        _ => {}
    }
    if sampling.threads_without > 0 {
        out.notes.push(format!("{} threads could not be sampled", sampling.threads_without));
    }
    lanes(bytes, &sampling, &mut out)?;
    maps(bytes, &sampling, found, &mut out)?;
    Ok((sampling.state, out))
}

/// The lanes and their cells, which do not overlap, so together they are not longer than the file.
fn lanes(bytes: &[u8], sampling: &Sampling, out: &mut Read) -> Result<(), RawError> {
    let mut room = bytes.len() as u64;
    let (mut at, mut seen) = (sampling.lanes, BTreeSet::new());
    while at != 0 {
        let lane = Lane::read(bytes, at).filter(|_| seen.insert(at)).ok_or_else(|| broken("a lane"))?;
        let size = lane.capacity.checked_mul(Cell::SIZE).filter(|&n| n <= room).ok_or_else(|| broken("a lane"))?;
        room -= size;
        for i in 0..lane.capacity {
            let cell = lane.cells.checked_add(i * Cell::SIZE).and_then(|at| Cell::read(bytes, at));
            let cell = cell.ok_or_else(|| broken("a sample"))?;
            if cell.key != 0 {
                let sum = Sum { count: cell.count as f64, weight: cell.weight as f64 };
                out.cells.entry(cell.key).or_default().add(sum, 1.0);
            }
        }
        out.lost = out.lost.saturating_add(lane.lost);
        out.handling = out.handling.saturating_add(lane.handling);
        if lane.threads > 0 {
            let spent = |sum: u64, from: u64, to: u64| sum.saturating_add(to.saturating_sub(from));
            out.threads.push(ThreadTime {
                thread: lane.number as u32,
                threads: lane.threads,
                wall_ns: spent(lane.wall, lane.wall_start, lane.wall_last),
                cpu_ns: spent(lane.cpu, lane.cpu_start, lane.cpu_last),
                delay_ns: spent(lane.delay, lane.delay_start, lane.delay_last),
            });
        }
        at = lane.next;
    }
    out.threads.sort_by_key(|t| t.thread);
    Ok(())
}

fn maps(bytes: &[u8], sampling: &Sampling, found: &Found, out: &mut Read) -> Result<(), RawError> {
    if sampling.map_count > bytes.len() as u64 / ObjectEntry::SIZE {
        return Err(broken("the address maps"));
    }
    let mut damaged = 0;
    for i in 0..sampling.map_count {
        let entry = sampling.maps.checked_add(i * ObjectMap::SIZE).and_then(|at| ObjectMap::read(bytes, at));
        let entry = entry.ok_or_else(|| broken("the address maps"))?;
        let number = entry.object.checked_sub(1).and_then(|n| usize::try_from(n).ok());
        let first = number.and_then(|n| found.firsts.get(n));
        if entry.map_len == 0 && number.and_then(|n| found.has_constructs.get(n)) == Some(&false) {
            continue;
        }
        let map = slice(bytes, entry.map, entry.map_len).ok().and_then(AddressMap::decode);
        match (map, first) {
            (Some(map), Some(&first)) => out.maps.push(Map { code: entry.code, map, first }),
            _ => damaged += 1,
        }
    }
    if damaged > 0 {
        out.notes.push(format!(
            "The address maps of {damaged} of {} objects are damaged or missing: their code has no samples",
            sampling.map_count
        ));
    }
    out.maps.sort_by_key(|m| m.code);
    Ok(())
}

/// The samples by the constructs that the maps name for their addresses. Constructs are named by their positions.
#[derive(Default)]
struct Attributed {
    places: BTreeMap<(Vec<usize>, Calls), Sum>,
    foreign: BTreeMap<(Vec<usize>, String), f64>,
    outside: f64,
    measuring: f64,
}

impl Attributed {
    /// Charges constructs that are filtered, or only entered in pauses, to the constructs around them, as timers do; such procedures to their
    /// callers.
    fn leave_out(&mut self, constructs: &[Construct]) {
        let is_out = |i: &usize| matches!(constructs[*i].untimed.as_deref(), Some("filtered" | "paused"));
        let at: HashMap<u32, usize> = constructs.iter().enumerate().map(|(i, c)| (c.serial, i)).collect();
        let around = |i: &usize| constructs[*i].parent.and_then(|p| at.get(&p).copied()).filter(|p| p < i);
        let shown = |i: usize| std::iter::successors(Some(i), around).find(|i| !is_out(i));
        let all_shown = |members: Vec<usize>| -> Vec<usize> {
            let shown: BTreeSet<usize> = members.into_iter().filter_map(shown).collect();
            shown.into_iter().collect()
        };
        for ((members, calls), sum) in std::mem::take(&mut self.places) {
            let members = all_shown(members);
            let calls: Calls = calls.into_iter().filter_map(|(c, line)| Some((shown(c)?, line))).collect();
            if !members.is_empty() {
                self.places.entry((members, calls)).or_default().add(sum, 1.0);
            }
        }
        for ((members, name), weight) in std::mem::take(&mut self.foreign) {
            let members = all_shown(members);
            if !members.is_empty() {
                *self.foreign.entry((members, name)).or_default() += weight;
            }
        }
    }
}

fn attribute(read: &Read, constructs: usize) -> Attributed {
    let mut out = Attributed::default();
    for (&key, &sum) in &read.cells {
        let is_call = key & IN_CALL != 0;
        let address = key & !IN_CALL;
        let place = if key == OUTSIDE { None } else { find(&read.maps, address - u64::from(is_call), constructs) };
        let Some((map, function, offset, members, calls)) = place else {
            out.outside += sum.weight;
            continue;
        };
        if is_call {
            let callee = function.call(offset + 1).and_then(|c| c.callee);
            let name = match callee.and_then(|n| map.map.names.get(n as usize)) {
                Some(symbol) => name(symbol),
                None => Some("a procedure called by its address".to_owned()),
            };
            let Some(name) = name else {
                out.measuring += sum.weight;
                continue;
            };
            *out.foreign.entry((members.clone(), name)).or_default() += sum.weight;
        }
        out.places.entry((members, calls)).or_default().add(sum, 1.0);
    }
    out
}

type Place<'a> = (&'a Map, &'a crate::address_map::Function, u32, Vec<usize>, Calls);

/// The owner of the instruction at `address`; none if that is in no construct.
fn find(maps: &[Map], address: u64, constructs: usize) -> Option<Place<'_>> {
    let after = maps.partition_point(|m| m.code <= address);
    let map = maps[..after].last()?;
    let offset = u32::try_from(address - map.code).ok()?;
    let function = map.map.function(offset)?;
    let owner = map.map.owners.get(function.owner(offset)? as usize)?;
    let position = |m: u32| Some(map.first + m as usize).filter(|&p| p < constructs);
    let members: Vec<usize> = owner.members.iter().filter_map(|&m| position(m)).collect();
    let sites = std::iter::successors(owner.site, |&s| map.map.sites.get(s as usize)?.via);
    let calls =
        sites.filter_map(|s| map.map.sites.get(s as usize)).filter_map(|s| Some((position(s.construct)?, s.line)));
    let calls: Calls = calls.collect();
    (!members.is_empty()).then_some((map, function, offset, members, calls))
}

/// The name under which time in a function is shown; none for a function that measures.
fn name(symbol: &str) -> Option<String> {
    let Some(ours) = symbol.strip_prefix("trueline_") else {
        return Some(symbol.strip_suffix('_').filter(|s| !s.is_empty()).unwrap_or(symbol).to_owned());
    };
    let measures = ["start_", "end_", "incr_", "take_"].iter().any(|p| ours.starts_with(p)) && ours != "end_contiguous";
    let name = match ours {
        _ if measures => return None,
        "io_put" | "io_put_array" => "WRITE",
        "io_get" | "io_get_array" => "READ",
        _ if ours.starts_with("io_") => "input/output",
        _ if ours.starts_with("char_") => "character operations",
        _ if ours.starts_with("pow") => "powers",
        "allocate" | "allocate_stat" => "ALLOCATE",
        "deallocate" | "free_owned" => "DEALLOCATE",
        "copy_elements" => "copies of elements",
        "fill_elements" => "elements that are set",
        "transpose" => "transposed copies",
        "multiply_r4" | "multiply_r8" => "matrix products",
        "ranks_fetch" | "ranks_share" | "ranks_turn" | "ranks_all" | "ranks_carry" => "communication of elements",
        "ranks_nest" | "ranks_swept" | "ranks_part" => "communication before loops",
        "ranks_reduce" => "maxima and minima of all ranks",
        "ranks_publish" | "ranks_give" | "ranks_gather" | "ranks_leave" | "ranks_done" => "communication of arrays",
        "ranks_hand" | "ranks_show" | "ranks_left" => "communication of arrays",
        "ranks_remapped" | "ranks_take" | "ranks_inherit" | "ranks_returned" => "communication to new owners",
        _ if ours.starts_with("ranks_") => "owners of elements",
        "contiguous" | "end_contiguous" | "copy_owned" => "copies of arrays",
        other => return Some(other.to_uppercase()),
    };
    Some(name.to_owned())
}

/// The procedure of each construct, by position.
fn procedures(constructs: &[Construct]) -> Vec<usize> {
    let at: HashMap<u32, usize> = constructs.iter().enumerate().map(|(i, c)| (c.serial, i)).collect();
    let mut out = Vec::with_capacity(constructs.len());
    for (i, c) in constructs.iter().enumerate() {
        // A construct stands before those in it.
        let around = c.parent.and_then(|p| at.get(&p).copied()).filter(|&p| p < i);
        out.push(around.map_or(i, |p| out[p]));
    }
    out
}

/// Divides samples of several constructs in proportion to their own samples, or to the operations that the source has
/// them execute.
fn part_groups(all: &mut Attributed, constructs: &[Construct]) -> Vec<Part> {
    let mut alone: HashMap<usize, f64> = HashMap::new();
    for ((members, _), sum) in all.places.iter().filter(|((m, _), _)| m.len() == 1) {
        *alone.entry(members[0]).or_default() += sum.weight;
    }
    let shares = |members: &[usize]| -> Vec<f64> {
        let own: Vec<f64> = members.iter().map(|m| alone.get(m).copied().unwrap_or(0.0)).collect();
        let work: Vec<f64> = members.iter().map(|&m| operations(&constructs[m])).collect();
        for by in [own, work] {
            let sum: f64 = by.iter().sum();
            if sum > 0.0 {
                return by.into_iter().map(|n| n / sum).collect();
            }
        }
        vec![1.0 / members.len() as f64; members.len()]
    };
    let procedures = procedures(constructs);
    let mut parts = Vec::new();
    for ((members, calls), sum) in &all.places {
        for (&owner, share) in members.iter().zip(shares(members)).filter(|(_, share)| *share > 0.0) {
            let mut passed = vec![procedures[owner]];
            let mut hosts = Vec::new();
            for &(host, _) in calls {
                if !passed.contains(&procedures[host]) {
                    passed.push(procedures[host]);
                    hosts.push(host);
                }
            }
            let mut part = Part { owner, calls: calls.clone(), hosts, sum: Sum::default() };
            part.sum.add(*sum, share);
            parts.push(part);
        }
    }
    let groups: Vec<_> = all.foreign.iter().filter(|((m, _), _)| m.len() > 1).map(|(k, w)| (k.clone(), *w)).collect();
    for ((members, name), weight) in groups {
        for (&owner, share) in members.iter().zip(shares(&members)) {
            *all.foreign.entry((vec![owner], name.clone())).or_default() += weight * share;
        }
    }
    parts
}

/// The operations of a construct, in units of one addition.
fn operations(c: &Construct) -> f64 {
    let n = &c.counts;
    let executions = n.iterations.or(n.elements).or(n.invocations).or(n.evaluations).unwrap_or(0);
    c.operations as f64 * executions as f64
}

/// Time in other code, under the constructs that called.
fn foreign(all: BTreeMap<(Vec<usize>, String), f64>, constructs: &mut [Construct]) {
    for ((members, name), weight) in all {
        if let ([owner], true) = (&members[..], weight >= 0.5) {
            constructs[*owner].foreign.push(Foreign { name, ns: weight.round() as u64 });
        }
    }
    for c in constructs {
        c.foreign.sort_by(|a, b| b.ns.cmp(&a.ns).then_with(|| a.name.cmp(&b.name)));
    }
}

/// The samples of a profile: how many, and the time that they stand for.
pub(super) fn total(out: &Profile) -> (f64, f64) {
    let count = out.samples.as_ref().map_or(0.0, |s| s.count as f64);
    let period = out.samples.as_ref().map_or(0.0, |s| s.period_ns as f64);
    (count, count * period * stretch(&out.threads))
}

/// The standard error of a time that rests on samples, given the number of the samples and their weight.
pub(super) fn error(ns: f64, (count, weight): (f64, f64)) -> u64 {
    let period = if count > 0.0 { weight / count } else { return 0 };
    estimate::error(ns / period, Sum { count, weight })
}

/// Sets the counts of samples of each construct: its own, and those including the constructs in it.
fn count(parts: &[Part], parents: &[Option<usize>], constructs: &mut [Construct]) {
    let mut own = vec![0.0; constructs.len()];
    parts.iter().for_each(|part| own[part.owner] += part.sum.count);
    let with = within(parts, parents, |_| 1.0);
    for (i, c) in constructs.iter_mut().enumerate().filter(|(i, _)| with[*i] > 0.0) {
        let (exclusive, inclusive) = (own[i].round() as u64, with[i].round() as u64);
        c.samples = Some(ConstructSamples { exclusive, inclusive, called_ns: 0 });
    }
}

/// The number of samples of each construct with all constructs in it; each part counts with a share.
fn within(parts: &[Part], parents: &[Option<usize>], share: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut with = vec![0.0; parents.len()];
    let mut stamp = vec![usize::MAX; parents.len()];
    for (i, part) in parts.iter().enumerate() {
        for start in std::iter::once(part.owner).chain(part.hosts.iter().copied()) {
            // A construct that was passed before has been counted with all constructs around it.
            let mut at = Some(start);
            while let Some(c) = at.filter(|&c| stamp[c] != i) {
                (stamp[c], with[c]) = (i, with[c] + part.sum.count * share(i));
                at = parents[c];
            }
        }
    }
    with
}
