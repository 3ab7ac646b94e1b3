//! A profile with indices for reports: constructs by serial, procedures, the places of times.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trueline_abi::profile::{Construct, Edge, Processor, Profile, Status, Time};

/// A profile and its indices.
pub struct Index<'a> {
    /// The profile.
    pub profile: &'a Profile,
    at: FxHashMap<u32, usize>,
    procedure: Vec<u32>,
    joint: Vec<bool>,
    whole: u64,
}

impl<'a> Index<'a> {
    /// Looks once at every construct.
    pub fn new(profile: &'a Profile) -> Index<'a> {
        let at: FxHashMap<u32, usize> = profile.constructs.iter().enumerate().map(|(i, c)| (c.serial, i)).collect();
        let mut index = Index { profile, at, procedure: Vec::new(), joint: Vec::new(), whole: 1 };
        for c in &profile.constructs {
            let own = if is_procedure(c) { Some(c.serial) } else { c.parent.map(|p| index.procedure_of(p)) };
            index.procedure.push(own.unwrap_or(c.serial));
        }
        for c in &profile.constructs {
            let elsewhere = |&m: &u32| m < c.serial && index.get(m).is_some_and(|o| o.time.is_some());
            let shared = c.time.is_some_and(|t| t.estimated);
            index.joint.push(c.status == Status::Merged && !shared && c.merged_with.iter().any(elsewhere));
        }
        index.whole = index.sum_of_threads();
        index
    }

    /// Nanoseconds that percentages are of: the time of all threads that ran constructs, each from its beginning to its end.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// The elapsed time, for a profile without threads. No construct has more than the whole.
    fn sum_of_threads(&self) -> u64 {
        let p = self.profile;
        let ran: Vec<&Processor> = p.processors.iter().filter(|q| !q.constructs.is_empty()).collect();
        let add = |sum: Option<u64>, q: &&Processor| Some(sum?.saturating_add(q.elapsed_ns?));
        let threads = ran.iter().fold(Some(0), add).filter(|_| !ran.is_empty());
        let times = || p.constructs.iter().filter_map(|c| self.time(c));
        let own = times().fold(0u64, |sum, t| sum.saturating_add(t.exclusive_ns));
        let most = times().map(|t| t.inclusive_ns).max().unwrap_or(0);
        threads.unwrap_or(p.clock.elapsed_ns).max(own).max(most).max(1)
    }

    /// The construct with that serial.
    pub fn get(&self, serial: u32) -> Option<&'a Construct> {
        self.at.get(&serial).map(|&i| &self.profile.constructs[i])
    }

    /// The position of the construct with that serial.
    pub fn position(&self, serial: u32) -> Option<usize> {
        self.at.get(&serial).copied()
    }

    /// The serial of the procedure that the construct with that serial stands in; its own if it is one.
    pub fn procedure_of(&self, serial: u32) -> u32 {
        self.at.get(&serial).and_then(|&i| self.procedure.get(i)).copied().unwrap_or(serial)
    }

    /// The time of a construct with a timer. A joint time that is not shared out stands at the first construct of the group only.
    pub fn time(&self, c: &Construct) -> Option<Time> {
        if self.at.get(&c.serial).is_some_and(|&i| self.joint[i]) { None } else { c.time }
    }

    /// The procedures, in source order.
    pub fn procedures(&self) -> impl Iterator<Item = &'a Construct> + '_ {
        self.profile.constructs.iter().filter(|c| is_procedure(c))
    }

    /// The innermost construct around `c` that has a time of its own.
    pub fn timed_parent(&self, c: &Construct) -> Option<u32> {
        let mut at = c.parent;
        while let Some(p) = at.and_then(|p| self.get(p)) {
            if self.time(p).is_some() || is_procedure(p) {
                return Some(p.serial);
            }
            at = p.parent;
        }
        None
    }

    /// The edges by calling procedure.
    pub fn calls(&self) -> BTreeMap<u32, Vec<&'a Edge>> {
        let mut out: BTreeMap<u32, Vec<&Edge>> = BTreeMap::new();
        for e in &self.profile.edges {
            out.entry(e.caller).or_default().push(e);
        }
        out
    }

    /// The calls of each procedure by procedures of the profile.
    pub fn callers(&self) -> BTreeMap<u32, u64> {
        let mut out: BTreeMap<u32, u64> = BTreeMap::new();
        for e in &self.profile.edges {
            let n = out.entry(e.callee).or_default();
            *n = n.saturating_add(e.calls);
        }
        out
    }
}

/// Whether it is a procedure or the main program.
pub fn is_procedure(c: &Construct) -> bool {
    matches!(c.kind.as_str(), "procedure" | "program")
}

/// Whether it is a loop.
pub fn is_loop(c: &Construct) -> bool {
    matches!(c.kind.as_str(), "do" | "do_while")
}

/// Stands before the count `measure` of a construct, which is `n`: if the run was cut short, some are upper bounds, or nearly so; the part of
/// a rank is a lower bound of the count of all.
pub fn bound(c: &Construct, measure: &str, n: u64) -> &'static str {
    match c.status {
        _ if c.counts.is_part(measure) => {
            if c.may_be_low {
                "~ "
            } else {
                "≥ "
            }
        }
        Status::Unavailable => "",
        _ if c.counts_exact || n == 0 => "",
        _ if c.may_be_low => "~ ",
        // The others are exact.
        _ if !c.counts.part.is_empty() => "",
        _ => "≤ ",
    }
}

/// The entries or evaluations of a construct.
pub fn executions(c: &Construct) -> Option<u64> {
    c.counts.invocations.or(c.counts.evaluations)
}

/// The count that [`executions`] gives.
pub fn measure_of_executions(c: &Construct) -> &'static str {
    if c.counts.invocations.is_some() { "invocations" } else { "evaluations" }
}

/// The executions, unless they are the part of some ranks: for formats that have no place for a mark.
pub fn executions_of_all(c: &Construct) -> Option<u64> {
    executions(c).filter(|_| !c.counts.is_part(measure_of_executions(c)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    #[test]
    fn the_whole_is_the_time_of_all_threads_that_ran_something() {
        let mut p = sample();
        assert_eq!(Index::new(&p).whole(), p.clock.elapsed_ns, "how long the threads ran is not known");
        p.processors.iter_mut().for_each(|q| q.elapsed_ns = Some(95_000_000));
        p.processors.push(Processor { thread: 2, elapsed_ns: Some(400_000_000), ..Processor::default() });
        assert_eq!(Index::new(&p).whole(), 190_000_000, "one that ran nothing is no processor");
        p.constructs[0].time.as_mut().unwrap().inclusive_ns = 300_000_000;
        assert_eq!(Index::new(&p).whole(), 300_000_000, "nothing has more than the whole");
        assert_eq!(Index::new(&Profile::default()).whole(), 1);
    }
}
