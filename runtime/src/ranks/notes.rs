//! The notes which ranks have the value of which element: runs of elements in memory order.
//!
//! Notes come in two forms. [`Runs`] can be changed. A [`State`] is a version of them that is kept once and has a number, so that a nest that
//! is reached in the same state again needs no second look at the runs (`nest`).

use super::placement::Ranks;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Neighbouring elements, from the first to behind the last, that the same ranks have.
pub(super) type Run = (usize, usize, Ranks);

/// The runs of elements that not all ranks have.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Runs(BTreeMap<usize, (usize, Ranks)>);

impl Runs {
    /// The runs of a state.
    pub(super) fn of(state: &State) -> Runs {
        Runs(state.runs.iter().map(|&(first, end, have)| (first, (end, have))).collect())
    }

    /// The ranks that have element `index`; none if all have it.
    pub(super) fn get(&self, index: usize) -> Option<Ranks> {
        let (_, &(end, have)) = self.0.range(..=index).next_back()?;
        (index < end).then_some(have)
    }

    /// All runs, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = Run> {
        self.0.iter().map(|(&first, &(end, have))| (first, end, have))
    }

    /// The runs that have elements in `first..end`, cut to that.
    pub(super) fn within(&self, first: usize, end: usize) -> impl Iterator<Item = Run> {
        let before = self.0.range(..first).next_back().filter(|(_, r)| r.0 > first && first < end);
        let inside = self.0.range(first..end.max(first));
        before.into_iter().chain(inside).map(move |(&a, &(b, have))| (a.max(first), b.min(end), have))
    }

    /// Notes who has the elements `first..end`; `all` are the bits of all ranks.
    pub(super) fn set(&mut self, first: usize, end: usize, have: Ranks, all: Ranks) {
        if first >= end {
            return;
        }
        self.split(first);
        self.split(end);
        let inside: Vec<usize> = self.0.range(first..end).map(|(&a, _)| a).collect();
        inside.iter().for_each(|a| _ = self.0.remove(a));
        if have == all {
            return;
        }
        let (mut from, mut to) = (first, end);
        if let Some((&a, &(b, h))) = self.0.range(..first).next_back()
            && b == first
            && h == have
        {
            from = a;
        }
        if let Some(&(b, h)) = self.0.get(&end)
            && h == have
        {
            self.0.remove(&end);
            to = b;
        }
        self.0.insert(from, (to, have));
    }

    /// Makes two runs of the run around `at`.
    fn split(&mut self, at: usize) {
        if let Some((_, run)) = self.0.range_mut(..at).next_back()
            && run.0 > at
        {
            let (end, have) = *run;
            run.0 = at;
            self.0.insert(at, (end, have));
        }
    }

    /// Nothing is noted any more; the runs that there were.
    pub(super) fn take(&mut self) -> Runs {
        std::mem::take(self)
    }
}

/// A version of notes.
#[derive(Debug)]
pub(super) struct State {
    /// No other version of any array has it, now or later.
    pub(super) number: i64,
    runs: Vec<Run>,
}

impl State {
    /// The ranks that have element `index`; none if all have it.
    pub(super) fn get(&self, index: usize) -> Option<Ranks> {
        let k = self.runs.partition_point(|r| r.1 <= index);
        self.runs.get(k).filter(|r| r.0 <= index).map(|r| r.2)
    }

    /// Whether all ranks have all elements.
    pub(super) fn is_whole(&self) -> bool {
        self.runs.is_empty()
    }
}

/// The versions that there are.
#[derive(Default)]
pub(super) struct States {
    known: HashMap<(i64, Vec<Run>), Arc<State>>,
    last: i64,
    /// Runs that are kept in all.
    size: usize,
}

impl States {
    /// The version of an array, whose placement has the number `placement`.
    pub(super) fn keep(&mut self, placement: i64, runs: &Runs) -> Arc<State> {
        let key = (placement, runs.iter().collect::<Vec<Run>>());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        self.last += 1;
        self.size += key.1.len() + 8;
        let state = Arc::new(State { number: self.last, runs: key.1.clone() });
        self.known.insert(key, state.clone());
        state
    }

    /// A number for the memory that they take.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Forgets all versions; arrays keep theirs.
    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.size = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random changes, against a list of elements.
    #[test]
    fn runs_agree_with_elements() {
        const COUNT: usize = 24;
        const ALL: Ranks = 0b111;
        let mut seed = 1u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let (mut runs, mut list) = (Runs::default(), [ALL; COUNT]);
        for _ in 0..20_000 {
            let (a, b) = (random(COUNT as u64) as usize, random(COUNT as u64 + 1) as usize);
            let have = 1 + random(7);
            runs.set(a, b, have, ALL);
            if a < b {
                list[a..b].fill(have);
            }
            let found: Vec<Ranks> = (0..COUNT).map(|k| runs.get(k).unwrap_or(ALL)).collect();
            assert_eq!(found, list);
            let all: Vec<Run> = runs.iter().collect();
            assert!(all.windows(2).all(|w| w[0].1 < w[1].0 || w[0].1 == w[1].0 && w[0].2 != w[1].2), "{all:?}");
            let cut: Vec<Run> = runs.within(a, b).collect();
            assert!(cut.iter().all(|r| r.0 >= a && r.1 <= b && r.0 < r.1 && list[r.0..r.1].iter().all(|h| *h == r.2)));
            let there: usize = cut.iter().map(|r| r.1 - r.0).sum();
            assert_eq!(there, list.get(a..b).map_or(0, |l| l.iter().filter(|h| **h != ALL).count()));
            assert_eq!(Runs::of(&States::default().keep(0, &runs)), runs);
        }
    }
}
