//! The notes which ranks have the value of which element: runs of elements in memory order.
//!
//! Notes come in two forms. [`Runs`] can be changed. A [`State`] is a version of them that is kept once and has a number, so that a nest that
//! is reached in the same state again needs no second look at the runs (`nest`).

use super::fault;
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
        Runs::new(&state.runs)
    }

    /// These runs.
    pub(super) fn new(runs: &[Run]) -> Runs {
        Runs(runs.iter().map(|&(first, end, have)| (first, (end, have))).collect())
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
            && (h == have || fault("ranks_runs_joined"))
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
}

/// The notes after a change of the elements in `ranges`, which are in order and apart: `change` answers, for elements that the same ranks
/// have, who has them then. One pass over both, for notes of arrays in turns have a run for each element.
pub(super) fn changed(
    runs: &[Run],
    ranges: &[(usize, usize)],
    all: Ranks,
    change: &mut dyn FnMut(Run) -> Ranks,
) -> Vec<Run> {
    let mut out = Vec::with_capacity(runs.len() + ranges.len());
    let mut push = |first: usize, end: usize, have: Ranks| {
        if first >= end || have == all {
            return;
        }
        match out.last_mut() {
            Some((_, before, same)) if *before == first && (*same == have || fault("ranks_changed_joined")) => {
                *before = end
            }
            _ => out.push((first, end, have)),
        }
    };
    let mut rest = runs.iter().copied();
    let mut run = rest.next();
    for &(first, end) in ranges {
        let mut at = first;
        while let Some((a, b, have)) = run.filter(|r| r.0 < end) {
            push(a, b.min(first), have);
            if a > at {
                let had = (at, a, all);
                push(at, a, change(had));
            }
            let (from, to) = (a.max(at), b.min(end));
            if from < to {
                push(from, to, change((from, to, have)));
                at = to;
            }
            if b > end {
                run = Some((end.max(a), b, have));
                break;
            }
            run = rest.next();
        }
        if at < end {
            push(at, end, change((at, end, all)));
        }
    }
    run.into_iter().chain(rest).for_each(|(a, b, have)| push(a, b, have));
    out
}

/// Ranges of the same elements that are in order and apart.
pub(super) fn merged(mut ranges: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    ranges.retain(|r| r.0 < r.1);
    ranges.sort_unstable();
    ranges.dedup_by(|next, before| {
        let touches = next.0 <= before.1;
        if touches {
            before.1 = before.1.max(next.1);
        }
        touches
    });
    ranges
}

/// The ranges of each rank laid over one another: in order and apart, with the bits of the ranks that have them among theirs.
pub(super) fn overlaid(by_rank: Vec<Vec<(usize, usize)>>) -> Vec<Run> {
    let mut ends: Vec<(usize, Ranks)> = Vec::new();
    for (rank, ranges) in by_rank.into_iter().enumerate() {
        ends.extend(merged(ranges).into_iter().flat_map(|(first, end)| [(first, 1 << rank), (end, 1 << rank)]));
    }
    ends.sort_unstable();
    let mut out = Vec::with_capacity(ends.len());
    let (mut from, mut bits) = (0, 0);
    for (at, bit) in ends {
        if from < at && bits != 0 {
            out.push((from, at, bits));
        }
        (from, bits) = (at, bits ^ bit);
    }
    out
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

    /// The runs of elements that not all ranks have, in order.
    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Whether all ranks have all elements.
    pub(super) fn is_whole(&self) -> bool {
        self.runs.is_empty()
    }
}

/// A number that differs between most lists of runs. There may be millions of runs, made by the program and nobody else, so this is made for
/// speed.
fn mixed(runs: &[Run]) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let number = |h: u64, n: u64| (h.rotate_left(5) ^ n).wrapping_mul(ODD);
    runs.iter().fold(runs.len() as u64, |h, r| number(number(number(h, r.0 as u64), r.1 as u64), r.2))
}

/// The versions that there are.
#[derive(Default)]
pub(super) struct States {
    /// By placement and [`mixed`] runs.
    known: HashMap<(i64, u64), Vec<Arc<State>>>,
    last: i64,
    /// Runs that are kept in all.
    size: usize,
}

impl States {
    /// The version of an array, whose placement has the number `placement`.
    pub(super) fn keep(&mut self, placement: i64, runs: Vec<Run>) -> Arc<State> {
        let known = self.known.entry((placement, mixed(&runs))).or_default();
        if let Some(same) = known.iter().find(|s| s.runs == runs) {
            return same.clone();
        }
        self.last += 1;
        self.size += runs.len() + 8;
        let state = Arc::new(State { number: self.last, runs });
        known.push(state.clone());
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
        for _ in 0..if cfg!(miri) { 40 } else { 20_000 } {
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
            assert_eq!(Runs::of(&States::default().keep(0, runs.iter().collect())), runs);
        }
    }

    /// Random ranges of four ranks, against a list of elements.
    #[test]
    fn ranges_of_ranks_are_laid_over_one_another() {
        const COUNT: usize = 20;
        let mut seed = 3u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % n) as usize
        };
        for _ in 0..if cfg!(miri) { 40 } else { 20_000 } {
            let mut list: [Ranks; COUNT] = [0; COUNT];
            let mut by_rank: Vec<Vec<(usize, usize)>> = vec![Vec::new(); 4];
            for _ in 0..random(12) {
                let (rank, a, b) = (random(4), random(COUNT as u64), random(COUNT as u64 + 1));
                by_rank[rank].push((a, b));
                (a..b).for_each(|k| list[k] |= 1 << rank);
            }
            let mut found: [Ranks; COUNT] = [0; COUNT];
            let mut behind = 0;
            for (first, end, bits) in overlaid(by_rank) {
                assert!(behind <= first && first < end && bits != 0);
                found[first..end].fill(bits);
                behind = end;
            }
            assert_eq!(found, list);
        }
    }

    /// Random changes of several ranges at once, against one after the other.
    #[test]
    fn ranges_are_changed_in_one_pass() {
        const COUNT: usize = 20;
        const ALL: Ranks = 0b111;
        let mut seed = 7u64;
        let mut random = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let mut runs = Runs::default();
        for _ in 0..if cfg!(miri) { 40 } else { 20_000 } {
            let mut bounds: Vec<usize> = (0..6).map(|_| random(COUNT as u64 + 1) as usize).collect();
            bounds.sort_unstable();
            bounds.dedup();
            let ranges: Vec<(usize, usize)> = bounds.chunks_exact(2).map(|c| (c[0], c[1])).collect();
            let (bits, sets) = (1 + random(7), random(2) == 0);
            let after = |have: Ranks| if sets { bits } else { have | bits };
            let before: Vec<Run> = runs.iter().collect();
            let mut seen = 0;
            let found = changed(&before, &ranges, ALL, &mut |(first, end, have)| {
                assert!((first..end).all(|k| runs.get(k).unwrap_or(ALL) == have));
                seen += end - first;
                after(have)
            });
            assert_eq!(seen, ranges.iter().map(|r| r.1 - r.0).sum::<usize>());
            for k in ranges.iter().flat_map(|r| r.0..r.1) {
                let have = runs.get(k).unwrap_or(ALL);
                runs.set(k, k + 1, after(have), ALL);
            }
            assert_eq!(found, runs.iter().collect::<Vec<Run>>());
        }
    }
}
