//! The scatter of estimated times between runs that did the same.
//!
//! The error of a time that rests on samples supposes that the samples are independent. They are not where a short program repeats itself
//! as often as the kernel ticks: all samples of a run then fall at the same place of it. Several runs tell: if they did the same, and
//! their times differ by more than their errors say, the error of the sum is the scatter.

use std::collections::HashMap;
use trueline_abi::profile::{Construct, Counts};

/// Fewer runs than this say little about their scatter.
const LEAST_RUNS: u32 = 3;

/// The sum of some figures and of their squares.
#[derive(Clone, Copy, Default)]
struct Moments {
    sum: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, x: f64) {
        self.sum += x;
        self.squares += x * x;
    }

    /// The standard error of the sum of `n` figures, from their scatter.
    fn error(self, n: f64) -> u64 {
        let variance = (self.squares - self.sum * self.sum / n).max(0.0) / (n - 1.0);
        (n * variance).sqrt().round() as u64
    }
}

/// A construct in the runs so far.
struct Runs {
    counts: Counts,
    runs: u32,
    exclusive: Moments,
    inclusive: Moments,
}

/// The times of each construct in the runs so far, as long as its counts are the same in each.
#[derive(Default)]
pub(super) struct Scatter {
    /// By the index of the construct in the sum; none once its counts differ.
    of: HashMap<usize, Option<Runs>>,
}

impl Scatter {
    /// Notes a construct of one run.
    pub(super) fn note(&mut self, at: usize, c: &Construct) {
        let new =
            || Runs { counts: c.counts.clone(), runs: 0, exclusive: Moments::default(), inclusive: Moments::default() };
        let slot = self.of.entry(at).or_insert_with(|| Some(new()));
        if slot.as_ref().is_some_and(|r| r.counts != c.counts) {
            *slot = None;
        }
        if let Some(runs) = slot {
            let time = c.time.unwrap_or_default();
            runs.runs += 1;
            runs.exclusive.add(time.exclusive_ns as f64);
            runs.inclusive.add(time.inclusive_ns as f64);
        }
    }

    /// Raises the errors of the sums to the scatter of the runs. Times without an error were measured, and differ because the runs did.
    pub(super) fn raise(&self, sums: &mut [Construct]) {
        for (at, runs) in &self.of {
            if let Some(runs) = runs
                && runs.runs >= LEAST_RUNS
                && let Some(time) = sums.get_mut(*at).and_then(|c| c.time.as_mut())
            {
                let n = f64::from(runs.runs);
                if time.error_ns > 0 {
                    time.error_ns = time.error_ns.max(runs.exclusive.error(n));
                }
                if time.inclusive_error_ns > 0 {
                    time.inclusive_error_ns = time.inclusive_error_ns.max(runs.inclusive.error(n));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueline_abi::profile::Time;

    fn construct(time: u64, error: u64, calls: u64) -> Construct {
        let time = Time {
            inclusive_ns: time,
            exclusive_ns: time,
            error_ns: error,
            inclusive_error_ns: error,
            ..Time::default()
        };
        Construct {
            time: Some(time),
            counts: Counts { invocations: Some(calls), ..Counts::default() },
            ..Construct::default()
        }
    }

    fn error_of(runs: &[Construct], shown: u64) -> (u64, u64) {
        let mut scatter = Scatter::default();
        runs.iter().for_each(|c| scatter.note(0, c));
        let mut sums = [construct(100, shown, 1)];
        scatter.raise(&mut sums);
        sums[0].time.map(|t| (t.error_ns, t.inclusive_error_ns)).unwrap_or_default()
    }

    #[test]
    fn runs_that_did_the_same_and_differ_tell_the_error() {
        // Four samples at one place or none: the deviation is 2.31, that of the sum of four runs 4.62, rounded.
        let runs = [0, 4, 0, 4].map(|t| construct(t, 1, 1));
        assert_eq!(error_of(&runs, 2), (5, 5));
        assert_eq!(error_of(&runs, 7), (7, 7), "the error that is shown is never lowered");
    }

    #[test]
    fn runs_that_did_something_else_two_runs_and_measured_times_tell_nothing() {
        assert_eq!(error_of(&[construct(0, 1, 1), construct(9, 1, 1), construct(0, 1, 2)], 2), (2, 2));
        assert_eq!(error_of(&[construct(0, 1, 1), construct(9, 1, 1)], 2), (2, 2));
        assert_eq!(error_of(&[0, 9, 0].map(|t| construct(t, 0, 1)), 0), (0, 0));
    }
}
