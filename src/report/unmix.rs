//! The part of a joint time that belongs to each of the merged constructs: an estimate, with bounds.
//!
//! Merged constructs run at the same time, so their time is one. It is divided by the operations that the source has them execute,
//! which are counted exactly, a division as many additions. How long each takes is not known: the bounds say that, beside
//! this measure, it is not more than [`UNEQUAL`] times as long in one construct as in another, on average.

use crate::index::Index;
use trueline_abi::profile::{Construct, Status};

/// The operations of one construct may take this many times as long as those of another.
const UNEQUAL: f64 = 8.0;

/// A part of a joint time, as fractions of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// As if all operations took the same time.
    pub estimate: f64,
    /// If those of the others take much longer.
    pub low: f64,
    /// If its own take much longer.
    pub high: f64,
}

/// The operations that the source has every construct execute, with its contents.
pub struct Shares<'a> {
    index: &'a Index<'a>,
    /// By the position of the construct.
    operations: Vec<f64>,
}

impl<'a> Shares<'a> {
    /// Adds up the operations of all constructs.
    pub fn new(index: &'a Index<'a>) -> Shares<'a> {
        let all = &index.profile.constructs;
        let mut operations: Vec<f64> = all.iter().map(|c| c.operations as f64 * executions(c)).collect();
        // A construct stands before its contents.
        for (i, c) in all.iter().enumerate().rev() {
            if let Some(parent) = c.parent.and_then(|p| index.position(p)).filter(|&p| p < i) {
                operations[parent] += operations[i];
            }
        }
        Shares { index, operations }
    }

    /// The part of a construct in its joint time; none if it is not merged, or merged with constructs around or in it.
    pub fn of(&self, c: &Construct) -> Option<Share> {
        let time = c.time.filter(|_| c.status == Status::Merged)?;
        if let Some((low, high)) = time.between_ns.filter(|_| time.estimated) {
            return self.shared(c, time.inclusive_ns, low, high);
        }
        let total = |serial: u32| self.index.position(serial).map_or(0.0, |i| self.operations[i]);
        let nested = |&m: &u32| self.is_in(m, c.serial) || self.is_in(c.serial, m);
        if c.merged_with.is_empty() || c.merged_with.iter().any(nested) {
            return None;
        }
        let own = total(c.serial);
        let others: f64 = c.merged_with.iter().map(|&m| total(m)).sum();
        let part = |own: f64, others: f64| own / (own + others);
        (own > 0.0 && others > 0.0).then(|| Share {
            estimate: part(own, others),
            low: part(own, others * UNEQUAL),
            high: part(own * UNEQUAL, others),
        })
    }

    /// The part that the profile gives to a construct whose joint time is shared out already.
    fn shared(&self, c: &Construct, estimate: u64, low: u64, high: u64) -> Option<Share> {
        let groups = self.index.profile.groups.iter().filter(|g| g.members.contains(&c.serial));
        let total = groups.fold(0u64, |sum, g| sum.saturating_add(g.inclusive_ns));
        let part = |ns: u64| (ns as f64 / total as f64).min(1.0);
        (total > 0).then(|| Share { estimate: part(estimate), low: part(low), high: part(high) })
    }

    fn is_in(&self, inner: u32, outer: u32) -> bool {
        let parent = |s: &u32| self.index.get(*s).and_then(|c| c.parent);
        std::iter::successors(parent(&inner), parent).any(|s| s == outer)
    }
}

impl Share {
    /// In few words: `~25 % (4-73 %)`.
    pub fn brief(&self) -> String {
        let [estimate, low, high] = [self.estimate, self.low, self.high].map(|x| x * 100.0);
        format!("~{estimate:.0} % ({low:.0}-{high:.0} %)")
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [estimate, low, high] = [self.estimate, self.low, self.high].map(|x| x * 100.0);
        write!(f, "about {estimate:.0} % of the time, {low:.0} to {high:.0} %")
    }
}

/// The executions of the statements directly in a construct, as far as they are known.
fn executions(c: &Construct) -> f64 {
    let n = &c.counts;
    let arms = n.taken.as_ref().and_then(|t| t.first());
    let count = n.iterations.or(n.elements).or(arms.copied()).or(n.invocations).or(n.evaluations);
    count.unwrap_or(0) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;
    use trueline_abi::profile::Time;

    #[test]
    fn a_joint_time_is_parted_by_operations() {
        let mut p = sample();
        let first = p.constructs.iter().position(|c| c.kind == "do").unwrap();
        let mut second = p.constructs[first].clone();
        second.serial = p.constructs[first].serial + 1;
        for (c, other) in [(0, second.serial), (1, p.constructs[first].serial)] {
            let c = if c == 0 { &mut p.constructs[first] } else { &mut second };
            (c.status, c.merged_with) = (Status::Merged, vec![other]);
            c.time = Some(Time { inclusive_ns: 100, exclusive_ns: 100, ..Time::default() });
            c.operations = if other > c.serial { 10 } else { 30 };
        }
        // The constructs in the first are in its part.
        let inside = p.constructs.iter().position(|c| c.parent == Some(second.serial - 1)).unwrap();
        p.constructs[inside].operations = 0;
        p.constructs.insert(first + 1, second);
        let index = Index::new(&p);
        let shares = Shares::new(&index);
        let [a, b] = [first, first + 1].map(|i| shares.of(&p.constructs[i]).unwrap());
        assert!((a.estimate - 0.25).abs() < 1e-9 && (a.estimate + b.estimate - 1.0).abs() < 1e-9);
        assert!(a.low < a.estimate && a.estimate < a.high && (a.low + b.high - 1.0).abs() < 1e-9);
        assert_eq!(a.to_string(), "about 25 % of the time, 4 to 73 %");
        assert_eq!(shares.of(&p.constructs[0]), None);
    }
}
