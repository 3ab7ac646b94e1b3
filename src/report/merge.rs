//! Profiles of many runs and processes as one.
//!
//! Constructs are the same if their procedures have equal names, files and structural hashes, and they stand at the same place in
//! them; counts and times add up. Constructs that only one profile has are kept, so that programs that share some
//! procedures merge as well. Each run is a processor of the result unless its profile names processors itself.
//!
//! All ranks of a run on ranks have the same counts, so the sum has those of one rank alone; the others' are compared (`replicas`). Counts that
//! are the part of a rank add up, and remain a part.
//!
//! **Invariant:** the sum does not depend on the order of the profiles: they are brought into an order of their own first.

mod replicas;
mod scatter;

use crate::index::{Index, is_procedure};
use replicas::Replicas;
use scatter::Scatter;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use trueline_abi::profile::{
    CallNode, Categories, Construct, Counts, Edge, Group, Moment, Processor, Profile, Samples, Status, Time, Trace,
};

/// Why profiles do not merge.
#[derive(Debug)]
pub enum MergeError {
    /// A source file has another content in another profile.
    Changed(String),
    /// Numbers that do not fit.
    TooLarge,
}

impl std::fmt::Display for MergeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MergeError::Changed(file) => write!(
                f,
                "'{}' is of another version in another of the profiles; 'trueline diff' compares versions",
                crate::safe(file)
            ),
            MergeError::TooLarge => f.write_str("The profiles have more constructs than there are numbers for them"),
        }
    }
}

impl std::error::Error for MergeError {}

/// Adds the words of a list that are new, in alphabetical order: which run comes first says nothing.
fn add_words(mine: &mut String, theirs: &str) {
    let words: BTreeSet<&str> = mine.split(',').chain(theirs.split(',')).filter(|w| !w.is_empty()).collect();
    *mine = words.into_iter().collect::<Vec<_>>().join(",");
}

/// The key of a construct across profiles: file, procedure, its hash, and the place in it.
type Key = (String, String, Option<String>, u32, u32, u32, String);

/// The sum of the profiles.
///
/// # Errors
/// If they are of different versions of a source.
pub fn merge(profiles: &[Profile]) -> Result<Profile, MergeError> {
    let ordered = ordered(profiles);
    let profiles = &ordered[..];
    let [first, rest @ ..] = profiles else { return Ok(Profile::default()) };
    if rest.is_empty() {
        return Ok((*first).clone());
    }
    let mut merger = Merger {
        out: (*first).clone(),
        at: HashMap::new(),
        edges: BTreeMap::new(),
        scatter: Scatter::default(),
        replicas: Replicas::of(profiles),
    };
    merger.out.constructs.clear();
    merger.out.edges.clear();
    merger.out.processors.clear();
    merger.out.call_tree.clear();
    merger.out.traces.clear();
    merger.out.ended_by = endings(profiles);
    merger.out.unattributed_ns =
        profiles.iter().map(|p| p.unattributed_ns).try_fold(0u64, |sum, ns| Some(sum.saturating_add(ns?)));
    merger.out.groups.clear();
    (merger.out.clock.elapsed_ns, merger.out.clock.longest_ns, merger.out.clock.runs) = (0, None, None);
    merger.out.samples = None;
    merger.out.threads.clear();
    for p in profiles {
        merger.header(p)?;
        merger.replicas.begin(p);
        merger.add(p)?;
    }
    merger.overhead(profiles);
    merger.scatter.raise(&mut merger.out.constructs);
    merger.replicas.compare(&mut merger.out.constructs);
    let mut out = merger.out;
    out.edges = merger.edges.into_values().collect();
    Ok(out)
}

/// The profiles by program and processor, and profiles that agree in both by the digests of their contents: profiles that
/// agree in these, too, are equal.
fn ordered(profiles: &[Profile]) -> Vec<&Profile> {
    let mut keyed: Vec<_> = profiles
        .iter()
        .map(|p| {
            let place = p.processors.first().map(|q| (q.node, q.rank, q.thread));
            let mut digest = Sha256::new();
            // Nothing but a failing writer makes this fail, and a digest does not fail.
            let _ = serde_json::to_writer(&mut digest, p);
            ((&p.program, place, digest.finalize()), p)
        })
        .collect();
    keyed.sort_by_key(|(key, _)| *key);
    keyed.into_iter().map(|(_, p)| p).collect()
}

/// The endings of those runs that did not end by themselves: each once, in order.
fn endings(profiles: &[&Profile]) -> Option<String> {
    let mut out: Vec<&str> = Vec::new();
    for why in profiles.iter().filter_map(|p| p.ended_by.as_deref()) {
        if !out.contains(&why) {
            out.push(why);
        }
    }
    (!out.is_empty()).then(|| out.join(", "))
}

struct Merger {
    out: Profile,
    /// The index of the construct with that key.
    at: HashMap<Key, usize>,
    edges: BTreeMap<(u32, u32, u32), Edge>,
    scatter: Scatter,
    replicas: Replicas,
}

impl Merger {
    fn header(&mut self, p: &Profile) -> Result<(), MergeError> {
        let out = &mut self.out;
        out.incomplete |= p.incomplete;
        out.clock.elapsed_ns = out.clock.elapsed_ns.saturating_add(p.clock.elapsed_ns);
        let longest = p.clock.longest_ns.unwrap_or(p.clock.elapsed_ns);
        out.clock.longest_ns = out.clock.longest_ns.max(Some(longest));
        out.clock.runs = Some(out.clock.runs.unwrap_or(0).saturating_add(p.clock.runs.unwrap_or(1)));
        if let Some(s) = &p.samples {
            add_samples(out.samples.get_or_insert_default(), s);
        }
        for t in &p.threads {
            match out.threads.iter_mut().find(|o| o.thread == t.thread) {
                Some(sum) => {
                    sum.threads = sum.threads.saturating_add(t.threads);
                    sum.wall_ns = sum.wall_ns.saturating_add(t.wall_ns);
                    sum.cpu_ns = sum.cpu_ns.saturating_add(t.cpu_ns);
                    sum.delay_ns = sum.delay_ns.saturating_add(t.delay_ns);
                }
                None => out.threads.push(*t),
            }
        }
        if let Some(theirs) = &p.target {
            add_words(out.target.get_or_insert_default(), theirs);
        }
        add_words(&mut out.program, &p.program);
        add_words(&mut out.opt_level, &p.opt_level);
        add_words(&mut out.instrument_at, &p.instrument_at);
        // One profile may itself have two versions of a file: a module that was compiled anew, but not the files that use it.
        let known = out.files.len();
        for f in &p.files {
            let mut earlier = out.files[..known].iter().filter(|o| o.path == f.path).peekable();
            if earlier.peek().is_none() {
                out.files.push(f.clone());
            } else if !earlier.any(|o| o.sha256 == f.sha256) {
                return Err(MergeError::Changed(f.path.clone()));
            }
        }
        Ok(())
    }

    fn add(&mut self, p: &Profile) -> Result<(), MergeError> {
        let index = Index::new(p);
        // New constructs come behind the old ones, with their distances kept: they are part of the key.
        let base = self.out.constructs.last().map_or(0, |l| l.serial.saturating_add(1));
        let mut renumbered: HashMap<u32, u32> = HashMap::new();
        let mut fresh: Vec<usize> = Vec::new();
        for c in &p.constructs {
            let key = key(&index, c);
            let target = match self.at.get(&key) {
                Some(&at) => {
                    let counts = self.out.constructs[at].counts.clone();
                    add_construct(&mut self.out.constructs[at], c);
                    if self.replicas.is_replica() {
                        self.out.constructs[at].counts = counts;
                    }
                    at
                }
                None => {
                    let serial = base.checked_add(c.serial).ok_or(MergeError::TooLarge)?;
                    self.out.constructs.push(Construct { serial, ..c.clone() });
                    self.at.insert(key, self.out.constructs.len() - 1);
                    fresh.push(self.out.constructs.len() - 1);
                    self.out.constructs.len() - 1
                }
            };
            self.scatter.note(target, c);
            self.replicas.note(target, c);
            renumbered.insert(c.serial, self.out.constructs[target].serial);
        }
        let number = |s: u32| renumbered.get(&s).copied().unwrap_or(s);
        let first = u32::try_from(self.out.call_tree.len()).map_err(|_| MergeError::TooLarge)?;
        for n in &p.call_tree {
            self.out.call_tree.push(CallNode {
                id: n.id.saturating_add(first),
                parent: n.parent.map(|p| p.saturating_add(first)),
                serial: number(n.serial),
                calls: if self.replicas.is_replica() { 0 } else { n.calls },
                ..n.clone()
            });
        }
        for at in fresh {
            let c = &mut self.out.constructs[at];
            c.parent = c.parent.map(number);
            c.merged_with.iter_mut().for_each(|m| *m = number(*m));
        }
        for e in &p.edges {
            let e = Edge { caller: number(e.caller), callee: number(e.callee), ..e.clone() };
            let is_replica = self.replicas.is_replica();
            self.edges
                .entry((e.caller, e.line, e.callee))
                .and_modify(|sum| {
                    sum.calls = sum.calls.saturating_add(if is_replica { 0 } else { e.calls });
                    sum.at_most |= e.at_most;
                    sum.may_be_low |= e.may_be_low;
                    sum.estimated |= e.estimated;
                    sum.inclusive_ns = plus(sum.inclusive_ns, e.inclusive_ns);
                })
                .or_insert(e);
        }
        self.groups(p, &number);
        self.processors(p, &number);
        self.traces(p, &number);
        Ok(())
    }

    /// The joint times of the same constructs add up.
    fn groups(&mut self, p: &Profile, number: &dyn Fn(u32) -> u32) {
        for g in &p.groups {
            let mut members: Vec<u32> = g.members.iter().map(|&m| number(m)).collect();
            members.sort_unstable();
            match self.out.groups.iter_mut().find(|o| o.members == members) {
                Some(sum) => {
                    sum.inclusive_ns = sum.inclusive_ns.saturating_add(g.inclusive_ns);
                    sum.exclusive_ns = sum.exclusive_ns.saturating_add(g.exclusive_ns);
                }
                None => self.out.groups.push(Group { members, ..g.clone() }),
            }
        }
    }

    /// Each run is another rank.
    fn traces(&mut self, p: &Profile, number: &dyn Fn(u32) -> u32) {
        let taken: BTreeSet<(u32, u32)> = self.out.traces.iter().map(|t| (t.rank, t.thread)).collect();
        for t in &p.traces {
            let mut rank = t.rank;
            while taken.contains(&(rank, t.thread)) {
                rank = rank.wrapping_add(1);
            }
            let mut trace = Trace { rank, ..t.clone() };
            let moments = t.moments().unwrap_or_default().into_iter();
            trace.set_moments(moments.map(|m| Moment { entered: m.entered.map(number), ..m }));
            self.out.traces.push(trace);
        }
    }

    fn processors(&mut self, p: &Profile, number: &dyn Fn(u32) -> u32) {
        let whole = [run_as_processor(p)];
        let list = if p.processors.is_empty() { &whole[..] } else { &p.processors };
        for q in list {
            let constructs = q.constructs.iter().map(|(&s, c)| (number(s), *c)).collect();
            let taken: BTreeSet<(u32, u32, u32)> =
                self.out.processors.iter().map(|o| (o.node, o.rank, o.thread)).collect();
            let mut rank = q.rank;
            while taken.contains(&(q.node, rank, q.thread)) {
                rank = rank.wrapping_add(1);
            }
            let own = q.own.iter().map(|(&s, c)| (number(s), *c)).collect();
            let mut statements = q.statements.clone();
            statements.iter_mut().for_each(|s| s.serial = s.serial.map(number));
            self.out.processors.push(Processor { rank, constructs, own, statements, ..q.clone() });
        }
    }

    /// The overhead of the runs, weighed by their times.
    fn overhead(&mut self, profiles: &[&Profile]) {
        let weigh = |f: fn(&Profile) -> Option<f64>| {
            let parts: Vec<(f64, f64)> = profiles.iter().filter_map(|p| Some((f(p)?, p.cost_base_ns()))).collect();
            let weight: f64 = parts.iter().map(|(_, w)| w).sum();
            (weight > 0.0).then(|| parts.iter().map(|(o, w)| o * w).sum::<f64>() / weight)
        };
        let out = &mut self.out.overhead;
        out.measured = weigh(|p| p.overhead.measured);
        let ends = [0, 1]
            .map(|k| weigh(if k == 0 { |p| Some(p.overhead.between?[0]) } else { |p| Some(p.overhead.between?[1]) }));
        let is_known = profiles.iter().all(|p| p.overhead.between.is_some() || p.overhead.measured.is_none());
        out.between = if let [Some(low), Some(high)] = ends { is_known.then_some([low, high]) } else { None };
        out.counters = weigh(|p| p.overhead.counters);
        out.timers = weigh(|p| p.overhead.timers);
        out.samples = weigh(|p| p.overhead.samples);
        out.start_end = weigh(|p| p.overhead.start_end);
        out.at_least = profiles.iter().any(|p| p.overhead.at_least);
        for p in profiles {
            out.operations.iter_mut().zip(p.overhead.operations).for_each(|(sum, n)| *sum += n);
        }
    }
}

/// One process that says nothing of its processors: all time is the user's.
fn run_as_processor(p: &Profile) -> Processor {
    let time = |c: &Construct| {
        c.time
            .map(|t| (c.serial, Categories { elapsed: t.inclusive_ns, user: t.inclusive_ns, ..Categories::default() }))
    };
    let constructs = p.constructs.iter().filter_map(time).collect();
    Processor {
        constructs,
        elapsed_ns: Some(p.clock.elapsed_ns),
        outside_ns: p.unattributed_ns,
        ..Processor::default()
    }
}

fn key(index: &Index<'_>, c: &Construct) -> Key {
    let serial = index.procedure_of(c.serial);
    let hash = index.get(serial).and_then(|p| p.hash.clone());
    // Lines move when comments do, but a hash vouches for the statements.
    let line = if hash.is_some() { 0 } else { c.line };
    let text = if is_procedure(c) { String::new() } else { c.text.clone() };
    (c.file.clone(), c.procedure.clone(), hash, c.serial - serial, line, u32::from(is_procedure(c)), text)
}

fn add_construct(sum: &mut Construct, c: &Construct) {
    sum.counts = add_counts(&sum.counts, &c.counts);
    sum.counts_exact &= c.counts_exact;
    sum.may_be_low |= c.may_be_low;
    if sum.untimed.is_none() {
        sum.untimed.clone_from(&c.untimed);
    }
    if let Some(t) = c.time {
        let own = sum.time.get_or_insert_default();
        let before = *own;
        own.inclusive_ns = own.inclusive_ns.saturating_add(t.inclusive_ns);
        own.exclusive_ns = own.exclusive_ns.saturating_add(t.exclusive_ns);
        own.estimated |= t.estimated;
        own.error_ns = (before.error_ns as f64).hypot(t.error_ns as f64).round() as u64;
        // Errors of runs are independent, apart from the part that they have in common.
        let own_part = |t: &Time| (t.inclusive_error_ns as f64).powi(2) - (t.shared_error_ns as f64).powi(2);
        own.shared_error_ns = own.shared_error_ns.saturating_add(t.shared_error_ns);
        let squares = own_part(&before).max(0.0) + own_part(&t).max(0.0);
        own.inclusive_error_ns = (own.shared_error_ns as f64).hypot(squares.sqrt()).round() as u64;
        // A run in which it was not shared out adds its time to both bounds.
        let bounds = |t: &Time| t.between_ns.unwrap_or((t.inclusive_ns, t.inclusive_ns));
        if t.between_ns.is_some() || own.between_ns.is_some() {
            let (mine, theirs) = (bounds(&before), bounds(&t));
            own.between_ns = Some((mine.0.saturating_add(theirs.0), mine.1.saturating_add(theirs.1)));
        }
    }
    if let Some(s) = c.samples {
        let own = sum.samples.get_or_insert_default();
        own.exclusive = own.exclusive.saturating_add(s.exclusive);
        own.inclusive = own.inclusive.saturating_add(s.inclusive);
        own.called_ns = own.called_ns.saturating_add(s.called_ns);
    }
    for f in &c.foreign {
        match sum.foreign.iter_mut().find(|o| o.name == f.name) {
            Some(own) => own.ns = own.ns.saturating_add(f.ns),
            None => sum.foreign.push(f.clone()),
        }
    }
    sum.foreign.sort_by(|a, b| b.ns.cmp(&a.ns).then_with(|| a.name.cmp(&b.name)));
    if rank(c.status) > rank(sum.status) {
        sum.status = c.status;
        sum.reason.clone_from(&c.reason);
    }
}

/// Samples of one more run; those of a run that are not there sharpen nothing.
fn add_samples(sum: &mut Samples, s: &Samples) {
    let seconds = |s: &Samples| if s.rate_hz > 0.0 { s.count as f64 / s.rate_hz } else { 0.0 };
    let time = seconds(sum) + seconds(s);
    sum.count = sum.count.saturating_add(s.count);
    sum.rate_hz = if time > 0.0 { sum.count as f64 / time } else { 0.0 };
    sum.period_ns = if sum.count > 0 { (time * 1e9 / sum.count as f64).round() as u64 } else { 0 };
    sum.lost = sum.lost.saturating_add(s.lost);
    sum.outside_ns = sum.outside_ns.saturating_add(s.outside_ns);
    sum.measuring_ns = sum.measuring_ns.saturating_add(s.measuring_ns);
    for note in &s.notes {
        if !sum.notes.contains(note) {
            sum.notes.push(note.clone());
        }
    }
}

/// The less is known, the higher.
fn rank(s: Status) -> u8 {
    match s {
        Status::Exact => 0,
        Status::ExactDerived => 1,
        Status::Eliminated => 2,
        Status::Merged => 3,
        Status::Region => 4,
        Status::Bounded => 5,
        Status::Unavailable => 6,
    }
}

fn plus(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    }
}

fn add_counts(a: &Counts, b: &Counts) -> Counts {
    let taken = match (&a.taken, &b.taken) {
        (Some(x), Some(y)) => Some(
            (0..x.len().max(y.len())).map(|i| x.get(i).unwrap_or(&0).saturating_add(*y.get(i).unwrap_or(&0))).collect(),
        ),
        (x, y) => x.clone().or_else(|| y.clone()),
    };
    let extreme = |a: Option<u64>, b: Option<u64>, f: fn(u64, u64) -> u64| match (a, b) {
        (Some(a), Some(b)) => Some(f(a, b)),
        (a, b) => a.or(b),
    };
    Counts {
        invocations: plus(a.invocations, b.invocations),
        iterations: plus(a.iterations, b.iterations),
        min_trips: extreme(a.min_trips, b.min_trips, u64::min),
        max_trips: extreme(a.max_trips, b.max_trips, u64::max),
        zero_trips: plus(a.zero_trips, b.zero_trips),
        trips: crate::trips::sum(a, b),
        trips_unknown: a.trips_unknown.clone().or_else(|| b.trips_unknown.clone()),
        evaluations: plus(a.evaluations, b.evaluations),
        taken,
        elements: plus(a.elements, b.elements),
        part: a.part.iter().chain(b.part.iter().filter(|m| !a.is_part(m))).cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    #[test]
    fn counts_add_up() {
        let p = sample();
        let sum = merge(&[p.clone(), p.clone(), p.clone()]).unwrap();
        assert_eq!(sum.constructs.len(), p.constructs.len());
        assert_eq!(sum.clock.elapsed_ns, 3 * p.clock.elapsed_ns);
        for (s, one) in sum.constructs.iter().zip(&p.constructs) {
            assert_eq!(s.serial, one.serial);
            assert_eq!(s.counts.invocations, one.counts.invocations.map(|n| 3 * n));
            assert_eq!(s.counts.taken, one.counts.taken.as_ref().map(|t| t.iter().map(|n| 3 * n).collect()));
            assert_eq!(s.counts.max_trips, one.counts.max_trips);
        }
        assert_eq!(sum.edges[0].calls, 3 * p.edges[0].calls);
        assert_eq!(sum.processors.len(), 3 * p.processors.len().max(1));
        assert!(crate::read(&serde_json::to_vec(&sum).unwrap()).is_ok());
    }

    /// An error of 5 has a part of 3 that is there in each of four runs alike, and one of 4 that is another each time.
    #[test]
    fn errors_that_runs_have_in_common_add_up() {
        let mut p = sample();
        let time = p.constructs[0].time.get_or_insert_default();
        (time.inclusive_error_ns, time.shared_error_ns) = (500, 300);
        let sum = merge(&vec![p; 4]).unwrap();
        let time = sum.constructs[0].time.unwrap();
        assert_eq!((time.inclusive_error_ns, time.shared_error_ns), (1442, 1200));
    }

    /// A conditional whose arms ranks have counted, each for itself.
    fn of_rank(rank: u32, taken: u64, evaluations: u64, part: &[&str]) -> Profile {
        let mut p = sample();
        p.rank = Some(rank);
        let c = p.constructs.iter_mut().find(|c| c.counts.taken.is_some()).unwrap();
        c.counts.evaluations = Some(evaluations);
        c.counts.taken = Some(if part.is_empty() { vec![taken, evaluations - taken] } else { vec![taken] });
        c.counts.part = part.iter().map(|&m| m.to_owned()).collect();
        if !part.is_empty() {
            (c.counts_exact, c.status) = (false, Status::Bounded);
            c.reason = Some("of this rank alone".to_owned());
        }
        p
    }

    #[test]
    fn parts_of_ranks_add_up() {
        let sum_of = |all: &[Profile]| {
            let sum = merge(all).unwrap();
            sum.constructs.into_iter().find(|c| c.counts.taken.is_some() || c.status == Status::Unavailable).unwrap()
        };
        let part = &["taken.0"][..];
        let c = sum_of(&[of_rank(0, 3, 40, part), of_rank(1, 5, 40, part), of_rank(2, 0, 40, part)]);
        assert_eq!((c.counts.taken.clone(), c.counts.evaluations), (Some(vec![8]), Some(40)));
        assert_eq!(
            (c.counts.part.as_slice(), c.counts_exact, c.status),
            (&["taken.0".to_owned()][..], false, Status::Bounded)
        );
        assert!(c.reason.as_ref().is_some_and(|r| r.starts_with("the sum of the parts of ranks 0, 1, 2: ")), "{c:?}");
        // With a run that has ended in order.
        let whole = [0, 1, 2].map(|r| of_rank(r, 12, 40, &[]));
        let parts = [0, 1, 2].map(|r| of_rank(r, u64::from(r), 40, part));
        let c = sum_of(&[&whole[..], &parts[..]].concat());
        assert_eq!((c.counts.taken.clone(), c.counts.evaluations), (Some(vec![15, 28]), Some(80)));
        assert_eq!(c.counts.part, ["taken.0", "taken.1"]);
        // One rank had the sum of all when another was killed.
        let c = sum_of(&[of_rank(0, 12, 40, &[]), of_rank(1, 5, 40, part)]);
        assert_eq!((c.counts.taken.clone(), c.counts.evaluations), (Some(vec![12, 28]), Some(40)));
        assert_eq!((c.counts.part.len(), c.counts_exact), (2, false), "{c:?}");
        // Ranks that have come to different places.
        let c = sum_of(&[of_rank(0, 3, 40, part), of_rank(1, 5, 39, part)]);
        assert_eq!((c.counts.taken.clone(), c.counts.evaluations), (Some(vec![8]), None));
        assert!(c.reason.as_ref().is_some_and(|r| r.ends_with("ranks 0 and 1 have different evaluations")), "{c:?}");
        let c = sum_of(&[of_rank(0, 3, 40, &[]), of_rank(1, 5, 39, &[])]);
        assert_eq!((c.counts, c.status), (Counts::default(), Status::Unavailable));
    }

    /// Joint times of the same constructs add up, whatever their numbers are in each profile.
    #[test]
    fn groups_add_up() {
        let mut p = sample();
        for (serial, other, ns) in [(2, 8, 30), (8, 2, 12)] {
            let c = p.constructs.iter_mut().find(|c| c.serial == serial).unwrap();
            (c.status, c.merged_with) = (Status::Merged, vec![other]);
            let between_ns = Some((ns - 10, ns + 10));
            c.time = Some(Time { inclusive_ns: ns, exclusive_ns: ns, estimated: true, between_ns, ..Time::default() });
        }
        p.groups = vec![Group { members: vec![2, 8], inclusive_ns: 42, exclusive_ns: 42 }];
        let mut q = p.clone();
        q.program = "b".into();
        for c in &mut q.constructs {
            c.serial += 100;
            c.parent = c.parent.map(|s| s + 100);
            c.merged_with.iter_mut().for_each(|m| *m += 100);
        }
        q.groups[0].members = vec![102, 108];
        (q.edges, q.processors) = (vec![], vec![]);
        let sum = merge(&[q, p]).unwrap();
        assert_eq!(sum.groups.len(), 1);
        assert_eq!((sum.groups[0].members.len(), sum.groups[0].inclusive_ns), (2, 84));
        let bounds: Vec<_> = sum.constructs.iter().filter_map(|c| c.time?.between_ns).collect();
        assert_eq!(bounds, [(40, 80), (4, 44)]);
        assert_eq!((sum.clock.runs, sum.clock.longest_ns), (Some(2), Some(100_000_000)));
    }

    /// Profiles that differ in everything that a sum takes from one of them or adds up in floating point.
    #[test]
    fn any_order_gives_the_same_bytes() {
        let mut all: Vec<Profile> = (0..4u32).map(|_| sample()).collect();
        for (n, p) in all.iter_mut().enumerate() {
            p.clock.elapsed_ns += 7 * n as u64 * n as u64;
            p.overhead.measured = Some(0.1 / (n + 1) as f64);
            p.overhead.between = Some([0.05 / (n + 1) as f64, 0.3 / (n + 1) as f64]);
            p.opt_level = format!("O{n}");
            p.ended_by = (n % 2 == 1).then(|| format!("SIG{n}"));
            p.constructs[0].untimed = (n > 1).then(|| format!("reason {n}"));
            for c in p.constructs.iter_mut().filter(|_| n == 2) {
                c.serial += 5;
                c.parent = c.parent.map(|s| s + 5);
                c.merged_with.iter_mut().for_each(|s| *s += 5);
            }
            if n == 3 {
                p.program = "another".into();
                p.files[0].path = "other.f90".into();
                p.constructs.iter_mut().for_each(|c| c.file = "other.f90".into());
            }
        }
        let bytes = |order: &[usize]| {
            let some: Vec<Profile> = order.iter().map(|&n| all[n].clone()).collect();
            trueline_abi::profile::sealed(&merge(&some).unwrap()).unwrap()
        };
        let first = bytes(&[0, 1, 2, 3]);
        for a in 0..4 {
            for b in (0..4).filter(|&b| b != a) {
                for c in (0..4).filter(|&c| c != a && c != b) {
                    let order = [a, b, c, 6 - a - b - c];
                    assert!(bytes(&order) == first, "{order:?}");
                }
            }
        }
    }

    #[test]
    fn a_changed_source_does_not_merge() {
        let (p, mut q) = (sample(), sample());
        q.files[0].sha256 = "other".into();
        assert!(matches!(merge(&[p, q]), Err(MergeError::Changed(_))));
    }

    #[test]
    fn programs_that_share_nothing_stand_side_by_side() {
        let (p, mut q) = (sample(), sample());
        q.files[0].path = "other.f90".into();
        q.constructs.iter_mut().for_each(|c| c.file = "other.f90".into());
        let sum = merge(&[p.clone(), q]).unwrap();
        assert_eq!(sum.constructs.len(), 2 * p.constructs.len());
        assert_eq!(sum.edges.len(), 2 * p.edges.len());
        assert!(crate::read(&serde_json::to_vec(&sum).unwrap()).is_ok());
    }
}
