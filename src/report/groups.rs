//! Constructs that optimization made one loop of: one row of a table, with its members below.
//!
//! **Invariant:** the time of a group is the sum of its members' times, each counted once, so a sum over rows is never more
//! than the time that passed.

use crate::index::{Index, is_procedure};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use trueline_abi::profile::{Construct, Status, Time};

/// Deeper nests than these are not looked through: a profile may come from anybody.
pub(crate) const MOST_DEPTH: usize = 64;

/// Constructs that were merged.
#[derive(Clone, Debug)]
pub(crate) struct Merged {
    /// Their serials, in source order.
    pub(crate) members: Vec<u32>,
    /// Their joint time; none if no member has one.
    pub(crate) time: Option<Time>,
}

impl Merged {
    /// The innermost members, by which the group is named.
    pub(crate) fn innermost<'a>(&self, index: &Index<'a>) -> Vec<&'a Construct> {
        let around: BTreeSet<u32> = self.members.iter().flat_map(|&m| ancestors(index, m)).collect();
        self.members.iter().filter(|m| !around.contains(m)).filter_map(|&m| index.get(m)).collect()
    }
}

/// The members in `c`'s place: if others stand in it the members around others, else the members in which none stands. Nests
/// of loops merge loop by loop, and procedures only with code that is inlined into them.
pub(crate) fn peers<'a>(index: &Index<'a>, members: &[u32], c: &Construct) -> Vec<&'a Construct> {
    let around: BTreeSet<u32> = members.iter().flat_map(|&m| ancestors(index, m)).collect();
    let is_outer = around.contains(&c.serial);
    let all = members.iter().filter(|m| around.contains(m) == is_outer).filter_map(|&m| index.get(m));
    all.filter(|m| is_procedure(m) == is_procedure(c)).collect()
}

fn ancestors<'a>(index: &'a Index<'_>, serial: u32) -> impl Iterator<Item = u32> + 'a {
    let parent = |s: &u32| index.get(*s).and_then(|c| c.parent);
    std::iter::successors(parent(&serial), parent).take(MOST_DEPTH)
}

/// The groups of a profile.
#[derive(Default)]
pub(crate) struct Groups {
    all: Vec<Merged>,
    at: FxHashMap<u32, usize>,
}

impl Groups {
    /// Groups constructs that name each other.
    pub(crate) fn new(index: &Index<'_>) -> Groups {
        let mut out = Groups::default();
        for c in index.profile.constructs.iter().filter(|c| is_merged(c)) {
            if out.at.contains_key(&c.serial) {
                continue;
            }
            let mut members = BTreeSet::new();
            let mut left = vec![c.serial];
            while let Some(serial) = left.pop() {
                let Some(member) = index.get(serial).filter(|m| is_merged(m)) else { continue };
                if members.insert(serial) {
                    left.extend(&member.merged_with);
                }
            }
            if members.len() < 2 {
                continue;
            }
            let number = out.all.len();
            out.at.extend(members.iter().map(|&m| (m, number)));
            let members: Vec<u32> = members.into_iter().collect();
            out.all.push(Merged { time: joint_time(index, &members), members });
        }
        out
    }

    /// All of them, in the order of their first members.
    pub(crate) fn all(&self) -> &[Merged] {
        &self.all
    }

    /// The group of a construct.
    pub(crate) fn of(&self, serial: u32) -> Option<&Merged> {
        self.at.get(&serial).map(|&n| &self.all[n])
    }
}

fn is_merged(c: &Construct) -> bool {
    c.status == Status::Merged && !c.merged_with.is_empty()
}

/// The exclusive times of all members, and the inclusive times of members that stand in no other member.
fn joint_time(index: &Index<'_>, members: &[u32]) -> Option<Time> {
    let mut sum = Time::default();
    let mut is_known = false;
    // Members whose time is in the sum, with all that is in them.
    let mut within: BTreeSet<u32> = BTreeSet::new();
    for &m in members {
        let Some(c) = index.get(m) else { continue };
        let Some(t) = index.time(c) else { continue };
        is_known = true;
        sum.exclusive_ns = sum.exclusive_ns.saturating_add(t.exclusive_ns);
        sum.estimated |= t.estimated && t.between_ns.is_none();
        // The error that each member has is the joint one.
        sum.error_ns = sum.error_ns.max(t.error_ns);
        sum.inclusive_error_ns = sum.inclusive_error_ns.max(t.inclusive_error_ns);
        sum.shared_error_ns = sum.shared_error_ns.max(t.shared_error_ns);
        if !ancestors(index, m).any(|p| within.contains(&p)) {
            sum.inclusive_ns = sum.inclusive_ns.saturating_add(t.inclusive_ns);
            within.insert(m);
        }
    }
    sum.inclusive_ns = sum.inclusive_ns.max(sum.exclusive_ns);
    is_known.then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    #[test]
    fn a_group_has_its_time_once() {
        let mut p = sample();
        let time = |ns| Some(Time { inclusive_ns: ns, exclusive_ns: ns, estimated: true, ..Time::default() });
        let at =
            |p: &trueline_abi::profile::Profile, serial| p.constructs.iter().position(|c| c.serial == serial).unwrap();
        let (a, b) = (at(&p, 2), at(&p, 8));
        for (i, other, ns) in [(a, 8, 30), (b, 2, 12)] {
            let c = &mut p.constructs[i];
            (c.status, c.merged_with, c.time) = (Status::Merged, vec![other], time(ns));
        }
        let index = Index::new(&p);
        let groups = Groups::new(&index);
        let group = groups.of(2).unwrap();
        assert_eq!(group.members, [2, 8]);
        assert_eq!(group.time.map(|t| (t.inclusive_ns, t.exclusive_ns)), Some((42, 42)));
        assert!(groups.of(0).is_none() && std::ptr::eq(groups.of(8).unwrap(), group));
    }
}
