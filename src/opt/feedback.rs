//! The counts of a previous run, by source statement; passes read them through [`crate::Context`].
//!
//! **Invariant:** only counts are used, never times. Counts of a source statement are the same at every level, so profiles
//! taken at different levels lead to the same decisions; and source statements are the same in plain and profiled builds.

use crate::Context;
use rustc_hash::FxHashMap;
use trueline_ir::{Head, Stmt, Unit};
use trueline_provenance::Serial;

/// The counts of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trips {
    /// The number of entries.
    pub entries: u64,
    /// Its iterations in all.
    pub iterations: u64,
    /// The fewest and the most iterations of one entry, if they were counted.
    pub extremes: Option<(u64, u64)>,
    /// Iterations of the entries that most iterations belong to, where a histogram tells: the mode.
    pub usual: Option<u64>,
}

impl Trips {
    /// Typical iterations of an entry, rounded down: the mode if it is known, else the average. None if the loop was
    /// never entered.
    ///
    /// One entry of many iterations among many of few does not make the loop a long one.
    pub fn typical(&self) -> Option<u64> {
        self.usual.or(self.average())
    }

    /// Iterations of an entry, on average, rounded down; none if it was never entered.
    fn average(&self) -> Option<u64> {
        self.iterations.checked_div(self.entries)
    }

    /// The number of iterations that every entry had, as far as the counts tell.
    pub fn always(&self) -> Option<u64> {
        let average = self.average()?;
        let even = self.iterations.is_multiple_of(self.entries);
        (even && self.extremes.is_none_or(|(min, max)| min == max && min == average)).then_some(average)
    }
}

/// The counts that decisions may use. Statements of procedures that have changed since are not in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Feedback {
    /// The counts of loops.
    pub loops: FxHashMap<Serial, Trips>,
    /// For logical IFs and IF blocks: executions of the first arm, and of the others.
    pub arms: FxHashMap<Serial, [u64; 2]>,
    /// Calls of procedures.
    pub procedures: FxHashMap<Serial, u64>,
}

impl Feedback {
    /// The arms of conditionals that next to never ran: those with less than one execution in a hundred.
    pub fn cold_arms(&self) -> FxHashMap<Serial, [bool; 2]> {
        let cold = |n: u64, of: u64| n < of / 100 || n == 0;
        self.arms
            .iter()
            .filter(|(_, a)| a[0] > 0 || a[1] > 0)
            .map(|(&s, &[a, b])| (s, [cold(a, a.saturating_add(b)), cold(b, a.saturating_add(b))]))
            .filter(|(_, c)| c[0] || c[1])
            .collect()
    }
}

impl Context<'_> {
    /// The counts of the source loop that `l` derives from; if there are several, those of the first.
    pub(crate) fn trips(&self, u: &Unit, l: Stmt) -> Option<Trips> {
        let loops = &self.feedback?.loops;
        u.sources(l).find_map(|s| loops.get(&s)).copied()
    }

    /// Whether the previous run never came to `s`: a loop around it had no iteration, or the arm it stands in did not run.
    pub(crate) fn never_ran(&self, u: &Unit, s: Stmt) -> bool {
        let Some(feedback) = self.feedback else { return false };
        let mut inner = s;
        for a in u.ancestors(s) {
            let idle = match u.head(a) {
                Head::Do { .. } | Head::DoWhile { .. } => self.trips(u, a).is_some_and(|t| t.iterations == 0),
                Head::If { .. } => {
                    let arm = u.blocks(a).iter().position(|&b| u.parent(inner) == Some(b));
                    let counts = u.sources(a).find_map(|o| feedback.arms.get(&o));
                    arm.zip(counts).is_some_and(|(arm, counts)| counts.get(arm) == Some(&0))
                }
                _ => false,
            };
            if idle {
                return true;
            }
            inner = a;
        }
        feedback.procedures.get(&u.serial()) == Some(&0)
    }

    /// The most times that the previous run came to `s`: the iterations of the innermost loop around it.
    pub(crate) fn at_most(&self, u: &Unit, s: Stmt) -> Option<u64> {
        let around = u.ancestors(s).find(|&a| u.head(a).is_loop())?;
        self.trips(u, around).map(|t| t.iterations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trip_counts() {
        let t = |entries, iterations| Trips { entries, iterations, extremes: None, usual: None };
        assert_eq!(t(0, 0).average(), None);
        assert_eq!(t(3, 10).always(), None);
        assert_eq!(t(3, 10).typical(), Some(3));
        assert_eq!(Trips { usual: Some(2), ..t(3, 100) }.typical(), Some(2));
        assert_eq!(t(3, 9).always(), Some(3));
        assert_eq!(Trips { extremes: Some((1, 5)), ..t(3, 9) }.always(), None);
    }

    #[test]
    fn arms() {
        let serial = Serial::from_u32;
        let arms = [(serial(1), [5, 995]), (serial(2), [400, 600]), (serial(3), [0, 0])].into_iter().collect();
        let cold = Feedback { arms, ..Feedback::default() }.cold_arms();
        assert_eq!(cold.into_iter().collect::<Vec<_>>(), [(serial(1), [true, false])]);
    }
}
