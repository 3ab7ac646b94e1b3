//! Times of thinned timers: the mean of the timed invocations, times the number that they stand for.
//!
//! Each mean gap is a stratum, in which all invocations had the same chance: the estimate is the sum over the strata of mean times
//! invocations, its variance that of a sample of a finite population (Cochran, Sampling Techniques, 5.3).
//!
//! Single invocations that took very much longer than the others are kept apart. Mostly the thread had lost its
//! processor, which takes milliseconds, happens to few of the timed invocations and then counts for thousands. The
//! kernel knows how long the threads were without a processor, though: if the long invocations are explained by that,
//! all invocations get their share of it, as samples do.

use crate::raw::Stratum;

/// The possible error of the clock's reading in a probe, as a part of the apparent time of an empty pair: a pair among
/// other code takes a slightly different time than pairs alone.
const SPAN_ERROR: f64 = 0.3;
/// The long invocations are not explained by a thread without a processor if there are more of them by this number of
/// standard errors.
const ERRORS: f64 = 3.0;
/// The time for which a thread that has lost its processor is without one: a tick of the kernel.
const SLICE_NS: f64 = 4e6;

/// The invocations of a construct during which it was thinned, in the unit of the clock.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Thinned {
    /// Time of all but the long ones, and its variance.
    body: (f64, f64),
    /// The time of the long ones, and its variance.
    tail: (f64, f64),
    /// The error that all have in common.
    common: f64,
    /// The number of invocations.
    pub(super) invocations: f64,
    /// One in 2 to the power of this was timed last.
    pub(super) thinning: u64,
}

/// A time with its standard error, in nanoseconds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Estimate {
    pub(super) ns: f64,
    pub(super) error: f64,
}

impl Thinned {
    /// Adds up the strata of all threads. An empty pair of probes takes an apparent time of `span` ticks.
    pub(super) fn new(strata: &[Stratum], span: f64) -> Thinned {
        let mut out = Thinned::default();
        for (s, thinning) in strata.iter().zip(1..).filter(|(s, _)| s.timed > 0 || s.tail > 0) {
            let [timed, tail, ticks, squares] = [s.timed, s.tail, s.ticks, s.squares].map(|n| n as f64);
            // In a program that was killed the two may not be of the same instant.
            let all = (s.invocations as f64).max(timed + tail);
            let each = all / (timed + tail);
            if timed > 0.0 {
                let mean = ticks / timed;
                let spread =
                    if timed > 1.0 { ((squares - ticks * mean) / (timed - 1.0)).max(0.0) } else { mean * mean };
                let stand_for = timed * each;
                out.body.0 += mean * stand_for;
                out.body.1 += stand_for * stand_for * spread / timed * (1.0 - timed / stand_for);
            }
            if tail > 0.0 {
                let ticks = s.tail_ticks as f64;
                out.tail.0 += ticks * each;
                out.tail.1 += (ticks * each).powi(2) / tail;
            }
            out.invocations += all;
            out.thinning = thinning;
        }
        out.common = SPAN_ERROR * span * out.invocations;
        out
    }

    /// The same for another number of invocations, or in another unit.
    pub(super) fn times(self, factor: f64) -> Thinned {
        let times = |(sum, variance): (f64, f64)| (sum * factor, variance * factor * factor);
        Thinned { body: times(self.body), tail: times(self.tail), common: self.common * factor, ..self }
    }

    /// The sum over several timers of one construct.
    pub(super) fn and(self, other: Thinned) -> Thinned {
        let sum = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        Thinned {
            body: sum(self.body, other.body),
            tail: sum(self.tail, other.tail),
            common: self.common + other.common,
            invocations: self.invocations + other.invocations,
            thinning: self.thinning.max(other.thinning),
        }
    }

    /// The time, where code takes `stretch` times as long as its processor time because others have the processors.
    pub(super) fn estimate(&self, stretch: f64) -> Estimate {
        let waiting = self.body.0 * (stretch - 1.0);
        // The time of one of them, with the invocations that it stands for: waiting comes in pieces of this size.
        let one = if self.tail.0 > 0.0 { self.tail.1 / self.tail.0 } else { 0.0 };
        let (ns, variance) = if self.tail.0 <= waiting + ERRORS * (waiting * one).sqrt() {
            // The time that other programs took comes in pieces, each in one construct or the other.
            (self.body.0 + waiting, self.body.1 * stretch * stretch + waiting * SLICE_NS)
        } else {
            (self.body.0 + self.tail.0, self.body.1 + self.tail.1)
        };
        Estimate { ns, error: (variance + self.common * self.common).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stratum(times: &[u64], invocations: u64) -> Stratum {
        let squares = times.iter().map(|t| t * t).sum();
        Stratum { timed: times.len() as u64, invocations, ticks: times.iter().sum(), squares, ..Stratum::default() }
    }

    #[test]
    fn strata_have_means_of_their_own() {
        // The work grows, and so does the gap: one mean over all would be 150 x 1100.
        let strata = [stratum(&[100; 50], 100), stratum(&[200; 50], 1000)];
        let all = Thinned::new(&strata, 0.0);
        let e = all.estimate(1.0);
        assert_eq!((e.ns, e.error, all.invocations, all.thinning), (210_000.0, 0.0, 1100.0, 2));
        assert_eq!(all.times(2.0).estimate(1.0).ns, 420_000.0);
    }

    #[test]
    fn errors_are_those_of_finite_populations() {
        let e = Thinned::new(&[stratum(&[0, 200], 2)], 0.0).estimate(1.0);
        assert_eq!((e.ns, e.error), (200.0, 0.0), "all were timed");
        let e = Thinned::new(&[stratum(&[0, 200], 200)], 0.0).estimate(1.0);
        assert_eq!(e.ns, 20_000.0);
        assert!((e.error - (200.0f64.powi(2) * 20_000.0 / 2.0 * 0.99).sqrt()).abs() < 1e-6, "{e:?}");
        let one = Thinned::new(&[stratum(&[100], 1000)], 0.0).estimate(1.0);
        assert!(one.error > 0.99 * one.ns, "one says little: {one:?}");
    }

    #[test]
    fn long_ones_are_time_without_a_processor_or_count() {
        let mut s = stratum(&[100; 1000], 100_000);
        (s.tail, s.tail_ticks) = (1, 50_000);
        let busy = Thinned::new(&[s], 0.0).estimate(1.4);
        assert!((busy.ns / 1.4e7 - 1.0).abs() < 0.01, "{busy:?}");
        (s.tail, s.tail_ticks) = (100, 5_000_000);
        let heavy = Thinned::new(&[s], 0.0).estimate(1.0);
        assert!(heavy.ns > 4e8 && heavy.error > 0.05 * heavy.ns, "{heavy:?}");
    }
}
