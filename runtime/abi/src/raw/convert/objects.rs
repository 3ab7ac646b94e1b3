//! The constructs of our own objects: metadata, counters and times.

use super::thinned::Thinned;
use super::{Counters, Measured, RawError, broken, ns, slice};
use crate::cost::{Class, CostMeta, Operations};
use crate::profile::{
    Clock, Construct, ConstructMeta, CountSource, Counts, Group, ObjectMeta, Profile, SiteMeta, Status, Time,
    TimerMeta, TripsMeta,
};
use crate::raw::{
    ADDED_UP, ADDING_UP, ENDED, FILTERED, Header, ObjectEntry, RECURSIVE, RecordEntry, THROTTLED, Target,
};
use crate::trips::{BUCKETS, TripCounts};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The most bytes that the metadata of an object may have.
const META_LIMIT: usize = 1 << 28;

/// The contents of the objects beside constructs.
#[derive(Default)]
pub(super) struct Found {
    /// The serial of the procedure, loop or region behind the number of a record.
    pub(super) serials: HashMap<u64, u32>,
    /// The serial of the procedure behind a linker symbol.
    pub(super) symbols: HashMap<String, u32>,
    pub(super) calls: Vec<OfCall>,
    /// The number of the record behind each serial that has one which was used.
    pub(super) timers: HashMap<u32, u64>,
    /// The index of the first construct of each object.
    pub(super) firsts: Vec<usize>,
    /// Whether each object has constructs; one of a module with types and constants alone has none, and no code.
    pub(super) has_constructs: Vec<bool>,
    /// The operations that counting took, of each class.
    pub(super) operations: Operations,
    /// Whether there are further operations without a count.
    pub(super) is_cost_partly_known: bool,
    /// The code that each record measures, by the numbers of the records.
    pub(super) instances: HashMap<u64, Instance>,
    /// By serial: the thinned constructs, with the invocations that stand for others. In nanoseconds.
    pub(super) thinned: HashMap<u32, Thinned>,
}

/// The code that a timer measures.
pub(super) struct Instance {
    /// The serials of its constructs.
    pub(super) members: Vec<u32>,
    /// The calls that each was inlined through, innermost first: the serial of the calling procedure, and the line.
    pub(super) via: Vec<Vec<(u32, u32)>>,
}

/// A call of the source, and how often it was made.
pub(super) struct OfCall {
    pub(super) caller: u32,
    /// The linker symbol of the callee.
    pub(super) symbol: String,
    pub(super) line: u32,
    pub(super) calls: u64,
    pub(super) at_most: bool,
    /// The serial of the innermost construct around it.
    pub(super) within: Option<u32>,
    pub(super) may_be_low: bool,
}

/// Why the counts of a construct are no longer exact: some may be too high, some too low, or both.
const CUT_SHORT: [&str; 3] = [
    "at most: the run was cut short in it",
    "at least: the run was cut short in it",
    "about: the run was cut short in it",
];

/// Why counts of which each rank has a share are not known.
const APART: &str = "the run ended before the ranks had added up their counts";
/// Why they are those of one rank.
const PART: &str = "of this rank alone: the run ended before the ranks had added up their counts";
/// Why they are no more than about those of one rank.
const PART_CUT_SHORT: &str = "about, of this rank alone: the run was cut short in it";

/// The beginning of [`Construct::untimed`] of a thinned construct; the number of invocations for one that was timed follows.
pub(super) const THINNED: &str = "thinned 1 in ";

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
    let counters = Counters::read(bytes, header)?;
    let mut numbers: HashMap<(u64, u64), u64> = HashMap::new();
    for (i, r) in records.iter().enumerate().filter(|(_, r)| r.object != 0) {
        numbers.insert((r.object, r.index), i as u64 + 1);
    }
    let mut found = Found::default();
    let objects = (0..header.object_count).map(|n| described(bytes, header, n)).collect::<Result<Vec<_>, _>>()?;
    let mut passed_by = passed_by(bytes, &objects, &counters);
    for ((entry, meta), n) in objects.into_iter().zip(0..) {
        let passed_by = passed_by.remove(&(n as usize)).unwrap_or_default();
        let mut own = counters.of(&entry).to_vec();
        for (&cell, &calls) in &passed_by {
            own[cell] = own[cell].wrapping_add(calls);
        }
        let mut object = Object {
            most: counters.most_of(&entry),
            counters: own,
            passed_by,
            count: entry.counter_count,
            number: n + 1,
            // Serials are unique in an object; those of the next one follow.
            base: out.constructs.iter().map(|c| c.serial.saturating_add(1)).max().unwrap_or(0),
            numbers: &numbers,
            records,
            measured,
            span: header.span_milliticks as f64 / 1e3,
            cut_short: header.state != ENDED,
            apart: meta.of_ranks.iter().copied().filter(|_| ![0, ADDED_UP].contains(&header.apart)).collect(),
            is_adding_up: header.apart == ADDING_UP,
            open: HashMap::new(),
            sums: Vec::new(),
            timers: Vec::new(),
        };
        let first = out.constructs.len();
        found.firsts.push(first);
        object.add(meta, &mut found, out);
        found.has_constructs.push(out.constructs.len() > first);
    }
    Ok(found)
}

/// The counts of which each rank has its share: for each cell its place among the counters of all linked files, in bytes, and its value here.
///
/// # Errors
/// As for [`profile`](super::profile).
pub fn shares(bytes: &[u8]) -> Result<Vec<(u64, u64)>, RawError> {
    let header = Header::read(bytes, 0).ok_or_else(|| broken("it is too short"))?;
    let counters = Counters::read(bytes, &header)?;
    let mut out = Vec::new();
    for n in 0..header.object_count {
        let (entry, meta) = described(bytes, &header, n)?;
        for cell in meta.of_ranks {
            let value = counters.of(&entry).get(cell as usize).ok_or_else(|| broken("a counter of ranks"))?;
            out.push((entry.counters + 8 * u64::from(cell), *value));
        }
    }
    Ok(out)
}

/// The entry of an object, and its metadata.
fn described(bytes: &[u8], header: &Header, n: u64) -> Result<(ObjectEntry, ObjectMeta), RawError> {
    let at = header.objects.checked_add(n * ObjectEntry::SIZE);
    let entry = at.and_then(|at| ObjectEntry::read(bytes, at)).ok_or_else(|| broken("an object"))?;
    let packed = slice(bytes, entry.meta, entry.meta_len)?;
    let json = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, META_LIMIT)
        .map_err(|_| broken("the metadata of an object"))?;
    let meta = serde_json::from_slice(&json).map_err(|_| broken("the metadata of an object"))?;
    Ok((entry, meta))
}

/// The calls of other objects that passed by the entry that counts there, by the numbers of objects and their cells.
/// They are counted where they are made.
fn passed_by(
    bytes: &[u8],
    objects: &[(ObjectEntry, ObjectMeta)],
    counters: &Counters,
) -> HashMap<usize, BTreeMap<usize, u64>> {
    let mut out: HashMap<usize, BTreeMap<usize, u64>> = HashMap::new();
    for (entry, meta) in objects {
        let own = counters.of(entry);
        for (cells, k) in meta.targets.iter().zip(0..entry.target_count) {
            let at = entry.targets.checked_add(k * Target::SIZE);
            let Some(target) = at.filter(|_| entry.targets != 0).and_then(|at| Target::read(bytes, at)) else { break };
            let object = target.object.checked_sub(1).and_then(|n| usize::try_from(n).ok());
            let Some((object, (callee, _))) = object.and_then(|n| Some((n, objects.get(n)?))) else { continue };
            let cell = usize::try_from(target.cell).unwrap_or(usize::MAX);
            if cell < counters.of(callee).len() {
                let calls = cells.iter().filter_map(|&cell| own.get(cell as usize));
                let sum = out.entry(object).or_default().entry(cell).or_default();
                *sum = calls.fold(*sum, |sum, n| sum.wrapping_add(*n));
            }
        }
    }
    out
}

/// The ranks whose events a count has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// All of them, or there is but one.
    All,
    /// The rank of the profile.
    Rank,
    /// Shares of this rank are in the sum together with counts of all ranks.
    Unknown,
}

struct Object<'a> {
    /// Its counters, as far as they are there, with the calls that passed by an entry.
    counters: Vec<u64>,
    /// The largest of the threads' counters.
    most: &'a [u64],
    /// The number of calls that passed by, by the cells of entries.
    passed_by: BTreeMap<usize, u64>,
    count: u64,
    number: u64,
    base: u32,
    numbers: &'a HashMap<(u64, u64), u64>,
    records: &'a [RecordEntry],
    measured: &'a Measured,
    /// The apparent time of an empty pair of probes, in ticks.
    span: f64,
    /// Whether the run was ended from outside.
    cut_short: bool,
    /// The cells of which each rank has a share, if these have not been added up.
    apart: BTreeSet<u32>,
    /// Whether some of these have been added up.
    is_adding_up: bool,
    /// By serial: whether the construct may have been running when the run was cut short.
    open: HashMap<u32, bool>,
    /// The cells that are sums: the value, whether it is an upper bound, and whether it may be too low, too.
    sums: Vec<(Option<u64>, bool, bool)>,
    timers: Vec<TimerMeta>,
}

/// Constructs that have all of their time alone are not called merged: their merged instances were not entered.
pub(super) fn part_unentered(constructs: &mut [Construct], groups: &[Group]) {
    let entered: BTreeSet<u32> = groups.iter().flat_map(|g| g.members.iter().copied()).collect();
    for c in constructs.iter_mut().filter(|c| c.status == Status::Merged && !entered.contains(&c.serial)) {
        if c.time.is_some_and(|t| t.inclusive_ns > 0) {
            c.status = Status::ExactDerived;
            c.reason = c.reason.take().map(|with| format!("merged {with} where it was not entered"));
            c.merged_with.clear();
        }
    }
}

impl Object<'_> {
    fn add(&mut self, meta: ObjectMeta, found: &mut Found, out: &mut Profile) {
        out.opt_level = meta.opt_level;
        out.target = meta.target.or(out.target.take());
        out.instrument_at = meta.instrument_at;
        out.files.extend(meta.files);
        for c in &meta.constructs {
            let around = c.construct.parent.and_then(|p| self.open.get(&p)).copied().unwrap_or(true);
            let open = self.cut_short && if c.symbol.is_some() { self.may_be_open(c) } else { around };
            self.open.insert(c.construct.serial, open);
        }
        for d in &meta.derived {
            let value = self.sum(&d.terms).filter(|_| self.scope(&d.terms) == Scope::All);
            let is_open = |s: &u32| self.open.get(s).copied().unwrap_or(self.cut_short);
            let open = d.ahead_in.iter().any(is_open);
            let (bound, low) = self.is_bound(&d.terms);
            self.sums.push((value, open || bound, (open && d.behind) || low));
        }
        self.operations(&meta.costs, found);
        self.timers = meta.timers;
        for (timer, r) in self.timers.iter().zip(0u64..) {
            let Some(&number) = self.numbers.get(&(self.number, r)) else { continue };
            let serial = |s: u32| s.saturating_add(self.base);
            let members = timer.constructs.iter().map(|&s| serial(s)).collect();
            let chain = |via: &Vec<SiteMeta>| via.iter().map(|s| (serial(s.caller), s.line)).collect();
            let via = timer.via.iter().map(chain).collect();
            found.instances.insert(number, Instance { members, via });
        }
        for c in meta.constructs {
            let open = self.open.get(&c.construct.serial).copied().unwrap_or(self.cut_short);
            let c = self.construct(c, open, found, &out.clock);
            out.constructs.push(c);
        }
        let groups = self.groups(found, &out.clock);
        out.groups.extend(groups);
        for e in meta.edges {
            if let Some(calls) = self.of_all(&e.calls) {
                let open = self.open.get(&e.caller).copied().unwrap_or(self.cut_short);
                let (bound, low) = self.follows_from_bound(&e.calls);
                let may_be_low = (e.behind && open) || low;
                let at_most = may_be_low || (calls > 0 && ((e.ahead && open) || bound));
                let caller = self.base.saturating_add(e.caller);
                let within = e.within.map(|s| self.base.saturating_add(s));
                let symbol = e.callee;
                found.calls.push(OfCall { caller, symbol, line: e.line, calls, at_most, may_be_low, within });
            }
        }
    }

    /// Adds the operations that counting took in the object.
    fn operations(&self, costs: &[CostMeta], found: &mut Found) {
        for cost in costs {
            // A count of another cell may be subtracted.
            let passed_by = |cell: u32| self.passed_by.get(&(cell as usize)).filter(|_| cost.class == Class::Entry);
            let term = |&(factor, cell): &(f64, u32)| {
                let ran = self.sum(&[(1, cell)])?.wrapping_sub(passed_by(cell).copied().unwrap_or(0));
                Some(factor * ran as f64)
            };
            match cost.terms.iter().map(term).sum::<Option<f64>>() {
                Some(sum) if sum.is_finite() => found.operations[cost.class as usize] += sum.max(0.0),
                _ => found.is_cost_partly_known = true,
            }
            found.is_cost_partly_known |= cost.partly;
        }
    }

    /// Whether an activation of the procedure may not have ended. That is known of procedures with a timer.
    fn may_be_open(&self, c: &ConstructMeta) -> bool {
        let &[record] = c.records.as_slice() else { return true };
        if !c.construct.inlined_at.is_empty() || c.partly {
            return true;
        }
        let Some(number) = self.numbers.get(&(self.number, u64::from(record))) else { return false };
        let slot = self.measured.slots.get(number).copied().unwrap_or_default();
        let flags = self.records[*number as usize - 1].flags | (slot.flags & !RECURSIVE);
        // Most invocations that were thinned have no frame.
        flags != 0 || slot.thinning > 0 || self.measured.open.as_ref().is_none_or(|open| open.contains(number))
    }

    fn construct(&self, meta: ConstructMeta, open: bool, found: &mut Found, clock: &Clock) -> Construct {
        let mut c = meta.construct;
        let shift = |serial: u32| serial.saturating_add(self.base);
        c.serial = shift(c.serial);
        c.parent = c.parent.map(shift);
        for m in &mut c.merged_with {
            *m = shift(*m);
        }
        let (mut at_most, mut at_least) = (false, false);
        let scopes: Vec<Scope> = meta.counts.iter().map(|count| self.scope_of(&count.source)).collect();
        let is_unknown = scopes.contains(&Scope::Unknown);
        for (count, scope) in meta.counts.iter().zip(scopes) {
            let is_wanted = scope == Scope::All || (scope == Scope::Rank && !is_unknown);
            let value = self.evaluate(&count.source).filter(|_| is_wanted);
            put(&mut c.counts, &count.measure, value);
            if scope == Scope::Rank && value.is_some() {
                c.counts.part.push(count.measure.clone());
            }
            let (bound, low) = self.follows_from_bound(&count.source);
            at_most |= ((open && count.ahead) || bound) && value.is_some_and(|n| n > 0);
            at_least |= ((open && count.behind) || low) && value.is_some();
        }
        if (at_most || at_least) && c.counts_exact {
            c.counts_exact = false;
            c.may_be_low = at_least;
            if matches!(c.status, Status::Exact | Status::ExactDerived) {
                let how = if at_most && at_least { 2 } else { usize::from(at_least) };
                (c.status, c.reason) = (Status::Bounded, Some(CUT_SHORT[how].to_owned()));
            }
        }
        if is_unknown {
            // An arm that is not known would be an arm that was never taken.
            c.counts.taken = None;
            c.counts_exact = false;
            (c.status, c.reason) = (Status::Unavailable, Some(APART.to_owned()));
        } else if !c.counts.part.is_empty() && c.status != Status::Unavailable {
            c.may_be_low = !c.counts_exact;
            c.counts_exact = false;
            let why = if c.may_be_low { PART_CUT_SHORT } else { PART };
            match (c.status, &mut c.reason) {
                (Status::Region | Status::Merged | Status::Eliminated, Some(reason)) => *reason += &format!("; {why}"),
                (_, reason) => (c.status, *reason) = (Status::Bounded, Some(why.to_owned())),
            }
        }
        complete(&mut c.counts, &c.kind);
        if !c.counts_exact && c.status != Status::Unavailable {
            (c.counts.min_trips, c.counts.max_trips, c.counts.zero_trips) = (None, None, None);
        }
        if let Some(trips) = &meta.trips {
            self.trips(trips, &mut c.counts);
        }
        self.time(&meta.records, meta.partly, &mut c, found, clock);
        if let Some(symbol) = meta.symbol {
            found.symbols.insert(symbol, c.serial);
        }
        c
    }

    /// The time of a construct: the sum over the records that measure an instance of it alone. A record that was never
    /// used has no time: the instance was not entered. Joint times are divided later.
    fn time(&self, records: &[u32], partly: bool, c: &mut Construct, found: &mut Found, clock: &Clock) {
        let joint = |r: u32| self.timers.get(r as usize).is_some_and(|t| t.constructs.len() > 1);
        let (mut time, mut filtered, mut throttled) = (Time::default(), false, false);
        let (mut was_timed, mut always) = (false, 0u64);
        let mut thinned: Option<Thinned> = None;
        for &r in records {
            let Some(&number) = self.numbers.get(&(self.number, u64::from(r))) else { continue };
            let slot = self.measured.slots.get(&number).copied().unwrap_or_default();
            let flags = self.records[number as usize - 1].flags;
            filtered |= flags & FILTERED != 0;
            throttled |= (slot.flags | flags) & THROTTLED != 0;
            was_timed |= slot.timed > 0 || slot.inclusive > 0;
            always = always.saturating_add(slot.timed);
            if let Some(strata) = self.measured.strata.get(&number) {
                let of = Thinned::new(strata, self.span).times(1e9 / clock.ticks_per_second);
                thinned = Some(thinned.map_or(of, |t| t.and(of))).filter(|t| t.invocations > 0.0);
            }
            if !joint(r) {
                time.inclusive_ns += ns(slot.inclusive, clock);
                time.exclusive_ns += ns(slot.exclusive, clock);
                found.serials.entry(number).or_insert(c.serial);
            }
            if flags & FILTERED == 0 {
                found.timers.entry(c.serial).or_insert(number);
            }
        }
        let calls = c.counts.invocations.unwrap_or(0);
        let idle = calls > 0 && !was_timed && !records.is_empty();
        c.untimed = match () {
            () if filtered => Some("filtered".to_owned()),
            () if throttled => Some("throttled".to_owned()),
            () if !partly && thinned.is_some() => thinned.map(|t| {
                let exact = if records.len() == 1 && c.counts_exact { calls } else { 0 };
                found.thinned.insert(c.serial, self.counted(t, always, exact));
                format!("{THINNED}{}", 1u64 << t.thinning)
            }),
            // Timing was switched off whenever it ran.
            () if idle && !partly => Some("paused".to_owned()),
            () if calls == 0 || !partly => c.untimed.take(),
            () if records.is_empty() || idle => {
                c.untimed.take().or((c.kind == "procedure").then(|| "inlined".to_owned()))
            }
            () => Some("partly inlined".to_owned()),
        };
        if !filtered && !records.is_empty() && !idle {
            c.time = Some(time);
        }
    }

    /// Corrects the number of invocations to the exact count. The last gaps did not end: a larger difference means that
    /// something else was counted, or timing switched off.
    fn counted(&self, thinned: Thinned, always: u64, exact: u64) -> Thinned {
        let missing = exact as f64 - always as f64 - thinned.invocations;
        let most = self.measured.threads.len() as f64 * (2u64 << thinned.thinning) as f64;
        if missing > 0.0 && missing <= most { thinned.times(1.0 + missing / thinned.invocations) } else { thinned }
    }

    /// The joint times, those of the same constructs added up.
    fn groups(&self, found: &mut Found, clock: &Clock) -> Vec<Group> {
        let mut sums: BTreeMap<Vec<u32>, (u64, u64)> = BTreeMap::new();
        for (timer, r) in self.timers.iter().zip(0u64..).filter(|(t, _)| t.constructs.len() > 1) {
            let Some(&number) = self.numbers.get(&(self.number, r)) else { continue };
            let members: BTreeSet<u32> = timer.constructs.iter().map(|s| s.saturating_add(self.base)).collect();
            let members: Vec<u32> = members.into_iter().collect();
            // In tables by record, the record of a group is that of its first member.
            found.serials.entry(number).or_insert(members[0]);
            let slot = self.measured.slots.get(&number).copied().unwrap_or_default();
            let flags = slot.flags | self.records[number as usize - 1].flags;
            if slot.timed == 0 && slot.inclusive == 0 && flags & (FILTERED | THROTTLED) == 0 {
                // Timing was switched off whenever it ran.
                continue;
            }
            let sum = sums.entry(members).or_default();
            *sum = (sum.0 + ns(slot.inclusive, clock), sum.1 + ns(slot.exclusive, clock));
        }
        let group = |(members, (inclusive_ns, exclusive_ns))| Group { members, inclusive_ns, exclusive_ns };
        sums.into_iter().map(group).collect()
    }

    /// The trips of a loop, as far as they are known.
    fn trips(&self, meta: &TripsMeta, counts: &mut Counts) {
        if meta.unavailable.is_some() {
            counts.trips_unknown.clone_from(&meta.unavailable);
            return;
        }
        let mut all = TripCounts::default();
        for (trips, source) in &meta.constants {
            let Some(times) = self.of_all(source) else { return };
            all.add(*trips, times);
        }
        if let Some((first, buckets)) = meta.histogram {
            let (first, len) = (first as usize, usize::from(buckets).min(BUCKETS));
            let (Some(sums), Some(most)) = (self.counters.get(first..), self.most.get(first..)) else { return };
            let (Some(sums), Some(&[least, most])) = (sums.get(..len), most.get(len..len + 2)) else { return };
            for (bucket, &n) in all.buckets.iter_mut().zip(sums.iter().rev()) {
                *bucket = bucket.wrapping_add(n);
            }
            all.least = all.least.max(least);
            all.most = all.most.max(most);
            let few = self.counters.get(first + len + 2..).and_then(|c| c.get(..usize::from(meta.few)));
            let Some(few) = few else { return };
            (0..).zip(few).for_each(|(trips, &times)| all.add(trips, times));
        }
        counts.trips = Some(all.histogram());
        counts.zero_trips = Some(all.buckets[0]);
        (counts.min_trips, counts.max_trips) = all.range().unzip();
    }

    /// The value, of all ranks or of one.
    fn evaluate(&self, source: &CountSource) -> Option<u64> {
        match source {
            CountSource::Unavailable { .. } => None,
            CountSource::Sum { terms } => self.sum(terms),
        }
    }

    /// The value, if it is that of all ranks.
    fn of_all(&self, source: &CountSource) -> Option<u64> {
        self.evaluate(source).filter(|_| self.scope_of(source) == Scope::All)
    }

    fn scope_of(&self, source: &CountSource) -> Scope {
        match source {
            CountSource::Unavailable { .. } => Scope::All,
            CountSource::Sum { terms } => self.scope(terms),
        }
    }

    /// The ranks that such a sum counts.
    fn scope(&self, terms: &[(i64, u32)]) -> Scope {
        match terms.iter().filter(|(_, cell)| self.apart.contains(cell)).count() {
            0 => Scope::All,
            n if n == terms.len() && !self.is_adding_up => Scope::Rank,
            _ => Scope::Unknown,
        }
    }

    fn sum(&self, terms: &[(i64, u32)]) -> Option<u64> {
        let sum = terms.iter().try_fold(0u64, |sum, &(factor, cell)| {
            let value = match self.place(cell) {
                _ if self.is_adding_up && self.apart.contains(&cell) => return None,
                Some(k) => self.sums.get(k)?.0?,
                None => *self.counters.get(usize::try_from(cell).ok()?)?,
            };
            Some(sum.wrapping_add((factor as u64).wrapping_mul(value)))
        })?;
        // A difference of two counts, one of them added and the other not yet.
        let is_negative = self.cut_short && (sum as i64) < 0 && terms.iter().any(|t| t.0 < 0);
        Some(if is_negative { 0 } else { sum })
    }

    /// Whether one of the terms is an upper bound, and whether one may be too low.
    fn is_bound(&self, terms: &[(i64, u32)]) -> (bool, bool) {
        let mut out = (false, false);
        for &(factor, cell) in terms.iter().filter(|_| self.cut_short) {
            let Some(&(_, high, low)) = self.place(cell).and_then(|k| self.sums.get(k)) else { continue };
            // A bound that is subtracted makes the rest too low.
            out = (out.0 | high | low, out.1 | low | (high && factor < 0));
        }
        out
    }

    fn follows_from_bound(&self, source: &CountSource) -> (bool, bool) {
        match source {
            CountSource::Sum { terms } => self.is_bound(terms),
            CountSource::Unavailable { .. } => (false, false),
        }
    }

    /// The index of the sum that a cell holds, if it is not one of the counters.
    fn place(&self, cell: u32) -> Option<usize> {
        u64::from(cell).checked_sub(self.count).map(|k| k as usize)
    }
}

/// Arms that follow from the others: the second of a logical IF, the third of an arithmetic IF. And trips
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
    let last = taken.len();
    let is_part = counts.part.iter().any(|m| m == "evaluations");
    // Evaluations of one rank are no sum of arms of all, and those of all no sum of the arms of one.
    let is_alike = (0..last).all(|k| counts.part.iter().any(|m| *m == format!("taken.{k}")) == is_part);
    if last + 1 == arms && is_alike {
        if is_part {
            counts.part.push(format!("taken.{last}"));
        }
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
