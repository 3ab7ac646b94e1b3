//! The parts of a joint time: an estimate, with bounds.
//!
//! Constructs merged into one loop run at the same time, so their time is one. It is divided in proportion to the
//! samples on instructions of each member alone. The samples on shared instructions, and all samples if there are few,
//! are divided by the operations that the source has each member execute, which are counted exactly (a division as
//! several additions). How long each operation takes is not known: without samples the bounds assume that, beside this
//! measure, it takes on average at most [`UNEQUAL`] times as long in one construct as in another. No part is more than
//! the time of the construct around it leaves.

use crate::profile::{Construct, Group};
use std::collections::{BTreeMap, HashMap};

/// The operations of one construct may take this many times as long as those of another.
const UNEQUAL: f64 = 8.0;

/// With fewer samples on instructions of one member alone, times are divided by operations.
const LEAST_SAMPLES: f64 = 16.0;

/// Samples of a group: on instructions of each member alone, and on shared instructions.
#[derive(Clone, Default)]
struct Sampled {
    alone: Vec<f64>,
    shared: f64,
}

impl Sampled {
    /// The weight of each member, where the operations of the members are `of`.
    fn weights(&self, of: &[f64]) -> Vec<f64> {
        let all: f64 = of.iter().sum();
        let part = |w: f64| if all > 0.0 { w / all } else { 1.0 / of.len() as f64 };
        self.alone.iter().zip(of).map(|(alone, &w)| alone + self.shared * part(w)).collect()
    }

    /// The least and the largest part that member `k` may have, two standard errors away.
    fn between(&self, k: usize) -> (f64, f64) {
        let all = (self.alone.iter().sum::<f64>() + self.shared).max(1.0);
        let error = 2.0 * self.alone[k].max(1.0).sqrt();
        let (low, high) = (self.alone[k] - error, self.alone[k] + self.shared + error);
        ((low / all).clamp(0.0, 1.0), (high / all).clamp(0.0, 1.0))
    }
}

/// The samples of each group. Groups with too few samples are left out, and so are groups with a member that has time
/// elsewhere: its samples cannot be told apart.
fn sampled(
    constructs: &[Construct],
    parents: &[Option<usize>],
    members: &[Vec<usize>],
    places: &[(Vec<usize>, f64)],
) -> Vec<Option<Sampled>> {
    let mut of: HashMap<usize, Vec<(usize, usize)>> = HashMap::new();
    for (g, list) in members.iter().enumerate() {
        for (k, &m) in list.iter().enumerate() {
            of.entry(m).or_default().push((g, k));
        }
    }
    let mut out: Vec<Sampled> = members.iter().map(|m| Sampled { alone: vec![0.0; m.len()], shared: 0.0 }).collect();
    for (owners, count) in places {
        // The members that each owner stands in, by group.
        let mut hit: BTreeMap<usize, Vec<Option<usize>>> = BTreeMap::new();
        for (n, &owner) in owners.iter().enumerate() {
            for at in std::iter::successors(Some(owner), |&i| parents.get(i).copied().flatten()) {
                for &(g, k) in of.get(&at).into_iter().flatten() {
                    let list = hit.entry(g).or_insert_with(|| vec![None; owners.len()]);
                    list[n].get_or_insert(k);
                }
            }
        }
        for (g, list) in hit {
            match list[0].filter(|_| list.iter().all(|k| *k == list[0])) {
                Some(k) => out[g].alone[k] += count,
                None => out[g].shared += count,
            }
        }
    }
    let tells = |g: usize| {
        let apart = |&m: &usize| of[&m].len() == 1 && constructs[m].time.is_none_or(|t| t.inclusive_ns == 0);
        out[g].alone.iter().sum::<f64>() >= LEAST_SAMPLES && members[g].iter().all(apart)
    };
    (0..members.len()).map(|g| tells(g).then(|| out[g].clone())).collect()
}

/// Adds their shares of the joint times to the constructs, which stand in source order. `places` are samples by the positions of the
/// constructs that the instruction belongs to.
pub(super) fn share(constructs: &mut [Construct], groups: &[Group], places: &[(Vec<usize>, f64)]) {
    if groups.is_empty() {
        return;
    }
    let at: HashMap<u32, usize> = constructs.iter().enumerate().map(|(i, c)| (c.serial, i)).collect();
    let parents: Vec<Option<usize>> = constructs.iter().map(|c| c.parent.and_then(|p| at.get(&p).copied())).collect();
    let weights = operations(constructs, &parents);
    let positions = |g: &Group| -> Vec<usize> { g.members.iter().filter_map(|m| at.get(m).copied()).collect() };
    let all: Vec<Vec<usize>> = groups.iter().map(positions).collect();
    let sampled = sampled(constructs, &parents, &all, places);
    // The time that a construct leaves to those in it, if it is an estimate itself.
    let mut left: HashMap<usize, u64> = HashMap::new();
    // Groups come in source order, so one that is around another comes before it.
    for ((group, members), sampled) in groups.iter().zip(all).zip(sampled) {
        let around = |i: usize| std::iter::successors(parents[i], |&p| parents[p]);
        let cap = |i: usize, left: &HashMap<usize, u64>| around(i).find_map(|p| left.get(&p).copied());
        let caps: Vec<Option<u64>> = members.iter().map(|&i| cap(i, &left)).collect();
        let of: Vec<f64> = members.iter().map(|&i| weights[i]).collect();
        let of = sampled.as_ref().map_or_else(|| of.clone(), |s| s.weights(&of));
        let floors: Vec<u64> = members.iter().map(|&i| timed_inside(constructs, &parents, i)).collect();
        // A loop of an inlined procedure is in the part of the procedure, if both are members.
        let outer: Vec<Option<usize>> =
            members.iter().map(|&i| around(i).find_map(|p| members.iter().position(|&m| m == p))).collect();
        let parts = nested_parts(group.inclusive_ns, &of, &floors, &caps, &outer);
        let own = parts_of_own(group, &parts, &outer);
        let total: f64 = of.iter().zip(&outer).filter(|(_, o)| o.is_none()).map(|(w, _)| w).sum();
        for (k, &i) in members.iter().enumerate() {
            let c = &mut constructs[i];
            let mut time = c.time.unwrap_or_default();
            let exact = time.inclusive_ns;
            time.inclusive_ns += parts[k];
            time.exclusive_ns += own[k];
            time.estimated = true;
            let bound = |w: f64, others: f64| {
                let fraction = if w + others > 0.0 { w / (w + others) } else { 1.0 / members.len() as f64 };
                let limit = caps[k].unwrap_or(u64::MAX);
                ((group.inclusive_ns as f64 * fraction).round() as u64).min(limit)
            };
            let (low, high) = time.between_ns.unwrap_or((exact, exact));
            let others = (total - of[k]).max(0.0);
            let (least, most) = match &sampled {
                Some(s) => {
                    let of_joint = |part: f64| (group.inclusive_ns as f64 * part).round() as u64;
                    let (least, most) = s.between(k);
                    (of_joint(least), of_joint(most).min(caps[k].unwrap_or(u64::MAX)))
                }
                None => (bound(of[k], others * UNEQUAL), bound(of[k] * UNEQUAL, others)),
            };
            time.between_ns = Some((low + least.min(parts[k]), high + most.max(parts[k])));
            c.time = Some(time);
            if let Some(p) = around(i).find(|p| left.contains_key(p)) {
                left.entry(p).and_modify(|n| *n = n.saturating_sub(parts[k]));
            }
            *left.entry(i).or_insert(0) += parts[k];
        }
    }
}

/// The operations that the source has every construct execute, with those of the constructs in it.
fn operations(constructs: &[Construct], parents: &[Option<usize>]) -> Vec<f64> {
    let mut out: Vec<f64> = constructs.iter().map(|c| c.operations as f64 * executions(c)).collect();
    // A construct stands before those in it.
    for i in (0..constructs.len()).rev() {
        if let Some(p) = parents[i].filter(|&p| p < i) {
            out[p] += out[i];
        }
    }
    out
}

/// The executions of the statements directly in a construct, as far as they are known.
fn executions(c: &Construct) -> f64 {
    let n = &c.counts;
    let arms = n.taken.as_ref().and_then(|t| t.first());
    let count = n.iterations.or(n.elements).or(arms.copied()).or(n.invocations).or(n.evaluations);
    count.unwrap_or(0) as f64
}

/// The time of the constructs in `i` that have one of their own, the outermost of them.
fn timed_inside(constructs: &[Construct], parents: &[Option<usize>], i: usize) -> u64 {
    let outermost = |k: usize| {
        let timed = |p: usize| p == i || constructs[p].time.is_some();
        std::iter::successors(parents[k], |&p| parents[p]).find(|&p| timed(p)) == Some(i)
    };
    let inside = (i + 1..constructs.len()).take_while(|&k| parents[k].is_some_and(|p| p >= i));
    inside.filter(|&k| outermost(k)).filter_map(|k| constructs[k].time).map(|t| t.inclusive_ns).sum()
}

/// Divides `total`: each part gets its floor, and the rest is divided by weight, none above its cap as long as the
/// others have room. The parts add up to the total.
fn parts(total: u64, weights: &[f64], floors: &[u64], caps: &[Option<u64>]) -> Vec<u64> {
    if floors.iter().any(|&f| f > 0) && floors.iter().fold(0, |a: u64, &f| a.saturating_add(f)) <= total {
        let rest = total - floors.iter().sum::<u64>();
        let caps: Vec<Option<u64>> = caps.iter().zip(floors).map(|(c, &f)| c.map(|c| c.saturating_sub(f))).collect();
        let more = parts(rest, weights, &vec![0; floors.len()], &caps);
        return more.iter().zip(floors).map(|(m, f)| m + f).collect();
    }
    let even = weights.iter().sum::<f64>() <= 0.0;
    let weight = |k: usize| if even { 1.0 } else { weights[k] };
    let mut out = vec![0u64; weights.len()];
    let mut open: Vec<usize> = (0..weights.len()).collect();
    let mut rest = total;
    while !open.is_empty() {
        let sum: f64 = open.iter().map(|&k| weight(k)).sum();
        let part = |k: usize| if sum > 0.0 { rest as f64 * weight(k) / sum } else { rest as f64 / open.len() as f64 };
        let full: Vec<usize> = open.iter().copied().filter(|&k| caps[k].is_some_and(|c| part(k) > c as f64)).collect();
        if full.is_empty() || full.len() == open.len() {
            let last = open[open.len() - 1];
            let shares: Vec<u64> = open.iter().map(|&k| part(k).floor() as u64).collect();
            for (&k, share) in open.iter().zip(shares) {
                out[k] = share.min(rest);
                rest -= out[k];
            }
            out[last] += rest;
            break;
        }
        for &k in &full {
            out[k] = caps[k].unwrap_or(0).min(rest);
            rest -= out[k];
        }
        open.retain(|k| !full.contains(k));
    }
    out
}

/// Divides `total` among the members that stand in no other one, and the part of each among the members in it. `outer`
/// is the member around each.
fn nested_parts(
    total: u64,
    weights: &[f64],
    floors: &[u64],
    caps: &[Option<u64>],
    outer: &[Option<usize>],
) -> Vec<u64> {
    let outermost: Vec<usize> = (0..weights.len()).filter(|&k| outer[k].is_none()).collect();
    let w: Vec<f64> = outermost.iter().map(|&k| weights[k]).collect();
    let f: Vec<u64> = outermost.iter().map(|&k| floors[k]).collect();
    let c: Vec<Option<u64>> = outermost.iter().map(|&k| caps[k]).collect();
    let mut out = vec![0; weights.len()];
    for (&k, part) in outermost.iter().zip(parts(total, &w, &f, &c)) {
        out[k] = part;
    }
    // Members come in source order, so those in a procedure come after it.
    let mut left = out.clone();
    for k in 0..weights.len() {
        let Some(o) = outer[k] else { continue };
        let fraction = if weights[o] > 0.0 { (weights[k] / weights[o]).min(1.0) } else { 1.0 };
        out[k] = ((out[o] as f64 * fraction).round() as u64).max(floors[k]).min(left[o]);
        left[o] -= out[k];
        left[k] = out[k];
    }
    out
}

/// Divides the exclusive time of a group like its inclusive time: by the part of each without the members in it.
fn parts_of_own(group: &Group, inclusive: &[u64], outer: &[Option<usize>]) -> Vec<u64> {
    let mut parts = inclusive.to_vec();
    for (k, o) in outer.iter().enumerate() {
        if let &Some(o) = o {
            parts[o] = parts[o].saturating_sub(inclusive[k]);
        }
    }
    let mut rest = group.exclusive_ns;
    let fraction = group.exclusive_ns as f64 / (group.inclusive_ns.max(1)) as f64;
    let mut out: Vec<u64> = parts.iter().map(|&p| ((p as f64 * fraction).floor() as u64).min(p)).collect();
    for own in &mut out {
        *own = (*own).min(rest);
        rest -= *own;
    }
    if let Some(k) = (0..out.len()).max_by_key(|&k| parts[k] - out[k]) {
        out[k] += rest.min(parts[k] - out[k]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Counts, Time};

    fn of(serial: u32, parent: Option<u32>, operations: u64) -> Construct {
        let counts = Counts { iterations: Some(10), ..Counts::default() };
        Construct { serial, parent, operations, counts, ..Construct::default() }
    }

    fn group(members: &[u32], inclusive_ns: u64, exclusive_ns: u64) -> Group {
        Group { members: members.to_vec(), inclusive_ns, exclusive_ns }
    }

    fn time(c: &Construct) -> Time {
        c.time.expect("it is timed")
    }

    #[test]
    fn a_joint_time_is_parted_by_operations() {
        let mut all = [of(1, None, 10), of(2, None, 30)];
        share(&mut all, &[group(&[1, 2], 100, 100)], &[]);
        assert_eq!([time(&all[0]).inclusive_ns, time(&all[1]).inclusive_ns], [25, 75]);
        assert_eq!([time(&all[0]).exclusive_ns, time(&all[1]).exclusive_ns], [25, 75]);
        let (low, high) = time(&all[0]).between_ns.expect("it is an estimate");
        assert!(low < 25 && 25 < high, "{low} {high}");
    }

    /// 20 of 100 samples fell on instructions of the first alone, 60 on those of the second, and the rest on both.
    #[test]
    fn a_joint_time_is_parted_by_samples() {
        let mut all = [of(1, None, 10), of(2, None, 30)];
        let places = [(vec![0], 20.0), (vec![1], 60.0), (vec![0, 1], 20.0)];
        share(&mut all, &[group(&[1, 2], 1000, 1000)], &places);
        assert_eq!([time(&all[0]).inclusive_ns, time(&all[1]).inclusive_ns], [250, 750]);
        let (low, high) = time(&all[0]).between_ns.expect("it is an estimate");
        assert!(low > 100 && high < 500, "{low} {high}");
    }

    /// Procedure 1 with its loop 2, fused with loop 3.
    #[test]
    fn a_member_in_another_has_a_part_of_its_part() {
        let mut all = [of(1, None, 0), of(2, Some(1), 30), of(3, None, 10)];
        share(&mut all, &[group(&[1, 2, 3], 100, 80)], &[]);
        let inclusive: Vec<u64> = all.iter().map(|c| time(c).inclusive_ns).collect();
        assert_eq!(inclusive, [75, 75, 25]);
        let own: Vec<u64> = all.iter().map(|c| time(c).exclusive_ns).collect();
        assert_eq!(own, [0, 60, 20]);
    }

    /// The fused nests 1(2) and 3(4), where almost all operations of the first stand outside of its inner loop.
    #[test]
    fn no_part_is_more_than_what_is_around_it() {
        let mut all = [of(1, None, 0), of(2, Some(1), 10), of(3, None, 90), of(4, Some(3), 10)];
        share(&mut all, &[group(&[1, 3], 1000, 100), group(&[2, 4], 900, 900)], &[]);
        let inclusive: Vec<u64> = all.iter().map(|c| time(c).inclusive_ns).collect();
        assert_eq!(inclusive[0] + inclusive[2], 1000);
        assert_eq!(inclusive[1] + inclusive[3], 900);
        assert!(inclusive[1] <= inclusive[0] && inclusive[3] <= inclusive[2], "{inclusive:?}");
        let own: u64 = all.iter().map(|c| time(c).exclusive_ns).sum();
        assert_eq!(own, 1000);
    }
}
