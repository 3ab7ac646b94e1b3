//! The inclusive times of constructs without a timer, by the tree.
//!
//! A construct may call through several procedures that were inlined, and these call others that have timers. The tree has all of them
//! below the construct's nodes, and the sum over its outermost nodes is its inclusive time.

use super::Tree;
use crate::profile::{CallNode, Construct, Profile, Time};
use crate::raw::convert::samples;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The time of a construct in the tree, in nanoseconds.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Sum {
    /// With all below it.
    inclusive: u64,
    /// The part of it that no timer has measured.
    sampled: f64,
    /// The standard error of the part that it has by the number of calls.
    shared: f64,
    /// Whether it has nodes.
    is_there: bool,
}

/// The times of all constructs, by position.
pub(super) fn sums(tree: &Tree, nodes: &[CallNode], constructs: usize) -> Vec<Sum> {
    let mut sampled: Vec<f64> = tree.nodes.iter().map(|n| if n.is_timed { 0.0 } else { n.own }).collect();
    for (i, n) in tree.nodes.iter().enumerate().rev() {
        if let Some(p) = n.parent.filter(|&p| !tree.nodes[p].is_timed) {
            sampled[p] += sampled[i];
        }
    }
    let mut out = vec![Sum::default(); constructs];
    for (i, n) in tree.nodes.iter().enumerate() {
        if tree.outwards(i).skip(1).all(|a| tree.nodes[a].construct != n.construct) {
            let sum = &mut out[n.construct];
            sum.inclusive = sum.inclusive.saturating_add(nodes[i].inclusive_ns);
            sum.sampled += sampled[i];
            sum.is_there = true;
        }
    }
    for ((c, whole), ns) in by_group(tree) {
        out[c].shared += deviation(ns, whole);
    }
    out
}

/// The nanoseconds of each construct in each group of places that share a time by the number of calls, and those of the whole group.
fn by_group(tree: &Tree) -> Vec<((usize, f64), f64)> {
    let mut whole: HashMap<usize, f64> = HashMap::new();
    let mut parts: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (i, n) in tree.nodes.iter().enumerate().filter(|(_, n)| !n.shared.is_empty()) {
        let around: BTreeSet<usize> = tree.outwards(i).map(|a| tree.nodes[a].construct).collect();
        for &(group, ns) in &n.shared {
            *whole.entry(group).or_default() += ns;
            around.iter().for_each(|&c| *parts.entry((c, group)).or_default() += ns);
        }
    }
    parts.into_iter().map(|((c, group), ns)| ((c, whole[&group]), ns)).collect()
}

/// The standard error of `ns` of a whole that places share by the number of calls, though one call may take longer than another. No share
/// with that mean has a greater one than that which is all or nothing.
fn deviation(ns: f64, whole: f64) -> f64 {
    (ns * (whole - ns)).max(0.0).sqrt()
}

/// Why a construct that was only entered while measuring was switched off has no time.
const PAUSED: &str = "paused";

/// Removes the times of constructs that were only entered while measuring was switched off: by the numbers of their
/// calls they would have a share in procedures that are also called from elsewhere, but the tree shows that they had
/// none.
fn drop_paused(sums: &[Sum], constructs: &mut [Construct]) {
    for (sum, c) in sums.iter().zip(constructs) {
        let is_unseen = c.samples.is_none_or(|s| s.exclusive == 0 && s.inclusive == 0);
        let is_derived = c.time.is_some_and(|t| t.estimated && t.exclusive_ns == 0);
        if sum.is_there && sum.inclusive == 0 && is_unseen && is_derived {
            (c.time, c.samples) = (None, None);
            c.untimed = Some(PAUSED.to_owned());
        }
    }
}

/// Gives constructs that no timer has measured these times. No construct has more than the one around it. `was_paused`
/// says that measuring was switched off for a part of the run.
pub(super) fn fill(sums: &[Sum], was_paused: bool, out: &mut Profile) {
    let total = samples::total(out);
    let at: HashMap<u32, usize> = out.constructs.iter().enumerate().map(|(i, c)| (c.serial, i)).collect();
    if was_paused {
        drop_paused(sums, &mut out.constructs);
    }
    for (i, sum) in sums.iter().enumerate().filter(|(_, s)| s.inclusive > 0) {
        let around = out.constructs[i].parent.and_then(|p| at.get(&p)).and_then(|&p| out.constructs[p].time);
        let c = &mut out.constructs[i];
        let is_shared = c.time.is_some_and(|t| t.between_ns.is_some());
        let is_off = matches!(c.untimed.as_deref(), Some("filtered" | PAUSED));
        if is_off || is_shared || c.time.is_some_and(|t| !t.estimated) {
            continue;
        }
        // Its own time is less than one sample shows.
        let unseen = Time { estimated: true, error_ns: samples::error(0.0, total), ..Time::default() };
        let before = c.time.unwrap_or(unseen);
        let most = around.map_or(u64::MAX, |t| t.inclusive_ns);
        let inclusive_ns = sum.inclusive.min(most).max(before.exclusive_ns);
        let error = (samples::error(sum.sampled, total) as f64).hypot(sum.shared).round() as u64;
        c.time = Some(Time {
            inclusive_ns,
            inclusive_error_ns: before.error_ns.max(error),
            shared_error_ns: sum.shared.round() as u64,
            ..before
        });
    }
    // An estimate is not less than the time of a timer in it either. Constructs stand before those in them.
    for i in (0..out.constructs.len()).rev() {
        let Some(t) = out.constructs[i].time else { continue };
        let around = out.constructs[i].parent.and_then(|p| at.get(&p)).filter(|&&p| p < i);
        let around = around.and_then(|&p| out.constructs[p].time.as_mut());
        if let Some(p) = around.filter(|p| p.estimated && p.between_ns.is_none()) {
            p.inclusive_ns = p.inclusive_ns.max(t.inclusive_ns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two loops call a procedure, once and three times: the loops have a share each, and the procedure around both has all of it.
    #[test]
    fn shares_by_calls_have_an_error_and_their_sum_has_none() {
        let mut tree = Tree::default();
        let main = tree.child(None, 0, 0, 0);
        for (construct, ns) in [(1, 100.0), (2, 300.0)] {
            let around = tree.child(Some(main), construct, 0, 0);
            let called = tree.child(Some(around), 3, construct as u32, 0);
            tree.nodes[called].own = ns;
            tree.nodes[called].shared.push((0, ns));
        }
        let mut errors = [0.0; 4];
        by_group(&tree).into_iter().for_each(|((c, whole), ns)| errors[c] += deviation(ns, whole));
        assert_eq!(errors.map(f64::round), [0.0, 173.0, 173.0, 0.0]);
    }
}
