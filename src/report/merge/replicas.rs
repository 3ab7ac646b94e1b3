//! Counts of ranks: each rank of a run has the counts of the whole program, so those of one rank count, and those of the others are compared.

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
}

/// The rank of a profile, if the program ran on several.
fn rank(p: &Profile) -> Option<u32> {
    p.processors.iter().filter(|q| q.ranks.is_some_and(|n| n > 1)).map(|q| q.rank).min()
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

    /// Notes the counts of the construct that is number `at` of the sum.
    pub(super) fn note(&mut self, at: usize, counts: &Counts) {
        if let Some(rank) = self.current {
            self.sums
                .entry((at, rank))
                .and_modify(|sum| *sum = add_counts(sum, counts))
                .or_insert_with(|| counts.clone());
        }
    }

    /// Marks the constructs of which ranks have different counts: ranks have taken different ways there.
    pub(super) fn compare(&self, constructs: &mut [Construct]) {
        let Some((first, number)) = self.profiles.iter().next() else { return };
        for ((at, rank), counts) in &self.sums {
            // A run whose other ranks were not given has nothing to compare.
            if self.profiles.get(rank) != Some(number) || self.sums.get(&(*at, *first)) == Some(counts) {
                continue;
            }
            let c = &mut constructs[*at];
            (c.counts_exact, c.status) = (false, Status::Unavailable);
            c.reason = Some(format!("ranks {first} and {rank} have different counts"));
            c.counts = Counts::default();
        }
    }
}
