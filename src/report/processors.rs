//! The six times over processors (HPF profiling paper, section 2): average, standard deviation, minimum, maximum.

use crate::index::Index;
use std::collections::BTreeMap;
use trueline_abi::profile::{Categories, Processor, Profile};

/// The names of the six times, in the order of [`values`], and of the parts of synchronization.
pub const CATEGORIES: [&str; 8] = [
    "elapsed",
    "user",
    "communication",
    "synchronization",
    "runtime library",
    "global operation",
    "late sender",
    "late receiver",
];

/// The six times, in nanoseconds.
pub fn values(c: &Categories) -> [u64; 8] {
    [c.elapsed, c.user, c.communication, c.synchronization, c.runtime, c.global, c.late_sender, c.late_receiver]
}

/// One time over all processors, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spread {
    /// The mean.
    pub average: f64,
    /// The standard deviation of the population.
    pub deviation: f64,
    /// The least.
    pub minimum: u64,
    /// The most.
    pub maximum: u64,
}

impl Spread {
    /// The spread of one value a processor.
    pub fn of(values: &[u64]) -> Spread {
        let n = values.len().max(1) as f64;
        let average = values.iter().map(|&v| v as f64).sum::<f64>() / n;
        let variance = values.iter().map(|&v| (v as f64 - average).powi(2)).sum::<f64>() / n;
        Spread {
            average,
            deviation: variance.sqrt(),
            minimum: values.iter().copied().min().unwrap_or(0),
            maximum: values.iter().copied().max().unwrap_or(0),
        }
    }

    /// The part of the slowest processor's time that the average one waits: `maximum / average - 1`.
    pub fn imbalance(&self) -> f64 {
        if self.average == 0.0 { 0.0 } else { self.maximum as f64 / self.average - 1.0 }
    }

    /// Whether the load is out of balance: the deviation is more than a tenth of the average.
    pub fn imbalanced(&self) -> bool {
        self.deviation > 0.1 * self.average
    }
}

/// The six times of one construct.
#[derive(Clone, Debug)]
pub struct Row {
    /// The construct.
    pub serial: u32,
    /// Name and spread of each time.
    pub times: [(&'static str, Spread); 8],
}

/// The use of the processors (the factors of POP, the Performance Optimisation and Productivity project), as fractions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Efficiency {
    /// Load balance: the mean of the user time to its maximum.
    pub balance: f64,
    /// Communication efficiency: the longest user time to the longest elapsed time.
    pub communication: f64,
}

impl Efficiency {
    /// Parallel efficiency, the product of the two: the mean of the user time to the longest elapsed time.
    pub fn parallel(&self) -> f64 {
        self.balance * self.communication
    }
}

impl Row {
    /// The efficiencies; none if no processor was in user code.
    pub fn efficiency(&self) -> Option<Efficiency> {
        let [(_, elapsed), (_, user), ..] = &self.times;
        let part = |a: f64, b: u64| (a / b.max(1) as f64).min(1.0);
        (user.maximum > 0).then(|| Efficiency {
            balance: part(user.average, user.maximum),
            communication: part(user.maximum as f64, elapsed.maximum),
        })
    }
}

/// The processors that ran something of the profile, not threads of another language that only waited.
pub fn ran(profile: &Profile) -> impl Iterator<Item = &Processor> {
    profile.processors.iter().filter(|p| !p.constructs.is_empty())
}

/// The spreads of every construct that some processor timed; one that did not run it counts as zero time.
pub fn statistics(index: &Index<'_>) -> Vec<Row> {
    let all: Vec<&Processor> = ran(index.profile).collect();
    let mut by_serial: BTreeMap<u32, [Vec<u64>; 8]> = BTreeMap::new();
    for p in &all {
        for (&serial, c) in &p.constructs {
            let lists = by_serial.entry(serial).or_default();
            for (list, v) in lists.iter_mut().zip(values(c)) {
                list.push(v);
            }
        }
    }
    by_serial
        .into_iter()
        .map(|(serial, mut lists)| {
            for list in &mut lists {
                list.resize(all.len(), 0);
            }
            Row { serial, times: std::array::from_fn(|i| (CATEGORIES[i], Spread::of(&lists[i]))) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread() {
        let s = Spread::of(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!((s.average, s.deviation, s.minimum, s.maximum), (5.0, 2.0, 2, 9));
        assert!(s.imbalanced());
        assert!((s.imbalance() - 0.8).abs() < 1e-12);
        assert_eq!(Spread::of(&[]), Spread::default());
    }

    #[test]
    fn efficiencies() {
        let mut times = CATEGORIES.map(|name| (name, Spread::default()));
        let row = |times| Row { serial: 0, times };
        assert_eq!(row(times).efficiency(), None);
        (times[0].1, times[1].1) = (Spread::of(&[100, 100]), Spread::of(&[80, 40]));
        let e = row(times).efficiency().unwrap();
        assert_eq!((e.balance, e.communication), (0.75, 0.8));
        assert!((e.parallel() - 0.6).abs() < 1e-12);
    }
}
