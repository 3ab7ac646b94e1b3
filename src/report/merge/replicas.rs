//! Counts of ranks: each rank of a run has the counts of the whole program, so those of one rank count, and those of the others are compared.
//!
//! If a run has ended before the ranks had added up the counts of which each has a share, its profiles have these shares, which add up over the
//! ranks. The sum is a lower bound: a rank may have lost some of its counts, or have no profile.

use super::add_counts;
use std::collections::BTreeMap;
use trueline_abi::profile::{Construct, Counts, Profile, Status};

/// The counts by rank.
#[derive(Default)]
pub(super) struct Replicas {
    /// The profiles of each rank.
    profiles: BTreeMap<u32, usize>,
    /// The rank of the profile that is added; none if it is no rank's.
    current: Option<u32>,
    /// The sum for each construct and rank.
    sums: BTreeMap<(usize, u32), Counts>,
    /// The same of constructs one by one, with the profiles that are no rank's.
    measures: BTreeMap<usize, BTreeMap<Option<u32>, Measures>>,
}

/// The sums of a construct in the profiles of a rank.
#[derive(Default)]
struct Measures {
    /// The profiles that have the construct.
    profiles: usize,
    /// Whether one of these was cut short in it.
    is_cut_short: bool,
    /// By the name of the count.
    sums: BTreeMap<String, Sum>,
}

/// The sums of a count in the profiles of a rank.
#[derive(Clone, Copy, Default, PartialEq)]
struct Sum {
    /// Counts of all ranks.
    whole: u64,
    /// The profiles that have such a one.
    wholes: usize,
    /// Counts of this rank alone.
    part: u64,
    /// The profiles that have such a one.
    parts: usize,
}

/// The rank of a profile, if the program ran on several.
fn rank(p: &Profile) -> Option<u32> {
    p.rank.or_else(|| p.processors.iter().filter(|q| q.ranks.is_some_and(|n| n > 1)).map(|q| q.rank).min())
}

impl Replicas {
    pub(super) fn of(profiles: &[&Profile]) -> Replicas {
        let mut out = Replicas::default();
        for r in profiles.iter().filter_map(|p| rank(p)) {
            *out.profiles.entry(r).or_default() += 1;
        }
        out
    }

    /// Begins a profile.
    pub(super) fn begin(&mut self, p: &Profile) {
        self.current = rank(p);
    }

    /// Whether the counts of this profile are in the sum with those of another rank.
    pub(super) fn is_replica(&self) -> bool {
        self.current.is_some() && self.current.as_ref() != self.profiles.keys().next()
    }

    /// Notes a construct of the profile, which is number `at` of the sum.
    pub(super) fn note(&mut self, at: usize, c: &Construct) {
        let counts = &c.counts;
        if let Some(rank) = self.current {
            self.sums
                .entry((at, rank))
                .and_modify(|sum| *sum = add_counts(sum, counts))
                .or_insert_with(|| counts.clone());
        }
        let own = self.measures.entry(at).or_default().entry(self.current).or_default();
        own.profiles += 1;
        own.is_cut_short |=
            c.may_be_low || (!c.counts_exact && counts.part.is_empty() && c.status != Status::Unavailable);
        for (measure, n) in measures(counts) {
            let is_part = counts.is_part(&measure);
            let sum = own.sums.entry(measure).or_default();
            let (value, number) =
                if is_part { (&mut sum.part, &mut sum.parts) } else { (&mut sum.whole, &mut sum.wholes) };
            *value = value.saturating_add(n);
            *number += 1;
        }
    }

    /// Marks the constructs of which ranks have different counts, for ranks have taken different ways there, and adds up the parts of ranks.
    pub(super) fn compare(&self, constructs: &mut [Construct]) {
        for (at, of) in &self.measures {
            if of.values().flat_map(|m| m.sums.values()).any(|sum| sum.parts > 0) {
                self.add_parts(of, &mut constructs[*at]);
            }
        }
        let Some((first, number)) = self.profiles.iter().next() else { return };
        for ((at, rank), counts) in &self.sums {
            // A run whose other ranks were not given has nothing to compare.
            if self.profiles.get(rank) != Some(number) || self.sums.get(&(*at, *first)) == Some(counts) {
                continue;
            }
            let c = &mut constructs[*at];
            if !c.counts.part.is_empty() {
                continue;
            }
            (c.counts_exact, c.status) = (false, Status::Unavailable);
            c.reason = Some(format!("ranks {first} and {rank} have different counts"));
            c.counts = Counts::default();
        }
    }

    /// The counts of a construct that has parts of ranks.
    fn add_parts(&self, of: &BTreeMap<Option<u32>, Measures>, c: &mut Construct) {
        let mut names: Vec<&String> = of.values().flat_map(|m| m.sums.keys()).collect();
        // The arms in their order.
        names.sort_by_key(|name| (name.starts_with("taken."), name.len(), *name));
        names.dedup();
        let (mut counts, mut different) = (Counts::default(), None);
        c.may_be_low |= of.values().any(|m| m.is_cut_short);
        for name in names {
            let known: Vec<(u32, usize, Sum)> = of
                .iter()
                .filter_map(|(rank, m)| Some(((*rank)?, m.profiles, m.sums.get(name).copied().unwrap_or_default())))
                .collect();
            let apart = of.get(&None).and_then(|m| m.sums.get(name)).copied().unwrap_or_default();
            let all = known.iter().map(|(_, _, sum)| *sum).chain([apart]);
            let is_part = all.clone().any(|sum| sum.parts > 0);
            let profiles: usize = of.values().map(|m| m.profiles).sum();
            let is_everywhere = all.clone().map(|sum| sum.wholes + sum.parts).sum::<usize>() == profiles;
            let alike = |a: &(u32, usize, Sum), b: &(u32, usize, Sum)| {
                (a.1, a.2.wholes, a.2.parts) == (b.1, b.2.wholes, b.2.parts)
            };
            let is_alike = known.iter().all(|k| alike(k, &known[0]));
            let own = if is_alike {
                if let Some(other) = known.iter().find(|k| k.2.whole != known[0].2.whole) {
                    different =
                        different.or(Some(format!("ranks {} and {} have different {name}", known[0].0, other.0)));
                    continue;
                }
                // Each run is in the profiles of all these ranks, or in those of none.
                let parts = known.iter().fold(0u64, |sum, k| sum.saturating_add(k.2.part));
                known.first().map_or(0, |k| k.2.whole).saturating_add(parts)
            } else {
                known.iter().map(|k| k.2.whole.saturating_add(k.2.part)).max().unwrap_or(0)
            };
            let is_known = put(&mut counts, name, own.saturating_add(apart.whole).saturating_add(apart.part));
            if is_known && (is_part || !is_alike || !is_everywhere) {
                counts.part.push(name.clone());
            }
        }
        c.counts = counts;
        if c.status == Status::Unavailable {
            return;
        }
        let ranks: Vec<String> = of.keys().flatten().map(u32::to_string).collect();
        let mut reason = format!(
            "the sum of the parts of ranks {}: the run ended before the ranks had added up their counts",
            ranks.join(", ")
        );
        if let Some(different) = different {
            reason = format!("{reason}; {different}");
        }
        match (c.status, &mut c.reason) {
            (Status::Region | Status::Merged | Status::Eliminated, Some(of)) => *of += &format!("; {reason}"),
            (_, of) => (c.status, *of) = (Status::Bounded, Some(reason)),
        }
    }
}

/// The counts that add up, by their names.
fn measures(n: &Counts) -> Vec<(String, u64)> {
    let plain = [
        ("invocations", n.invocations),
        ("iterations", n.iterations),
        ("evaluations", n.evaluations),
        ("elements", n.elements),
    ];
    let plain = plain.into_iter().filter_map(|(name, n)| Some((name.to_owned(), n?)));
    let arms = n.taken.iter().flatten().enumerate().map(|(k, &n)| (format!("taken.{k}"), n));
    plain.chain(arms).collect()
}

/// Sets a count, if it is known; an arm is not if one before it is not. The arms come in their order.
fn put(counts: &mut Counts, measure: &str, n: u64) -> bool {
    match measure {
        "invocations" => counts.invocations = Some(n),
        "iterations" => counts.iterations = Some(n),
        "evaluations" => counts.evaluations = Some(n),
        "elements" => counts.elements = Some(n),
        _ if measure != format!("taken.{}", counts.taken.as_ref().map_or(0, Vec::len)) => return false,
        _ => counts.taken.get_or_insert_default().push(n),
    }
    true
}
