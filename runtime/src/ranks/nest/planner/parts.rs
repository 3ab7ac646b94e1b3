//! Nests in parts: which iterations need no elements that are on their way.
//!
//! Iterations may count as waiting that need nothing of a message: only its subscripts in each dimension are looked at, one by one.

use super::{Iterations, Message, Planner};
use crate::ranks::sets::Set;
use crate::ranks::{fault, rank};
use trueline_abi::nest::{Element, Statement, Subscript};

impl Planner<'_> {
    /// The parts of the loop that is executed in parts: first the iterations that need no element of messages to this rank.
    pub(super) fn parts(&self, iterations: &[Iterations], messages: &[Message]) -> Vec<(i64, i64)> {
        let Some(l) = self.nest.parted else { return Vec::new() };
        let inside = || {
            let statements = self.nest.statements.iter().zip(iterations);
            let has = |s: &Statement| self.nest.chain(s.inner).any(|x| x == l);
            statements.filter_map(move |(s, loops)| Some((s, loops.as_ref()?))).filter(move |(s, _)| has(s))
        };
        let all = inside().fold(Set::default(), |all, (_, loops)| all.or(&loops[l]));
        let (Some((low, high)), true) = (all.hull(), all.ranges().len() == 1) else { return Vec::new() };
        let mut waiting = Set::default();
        for message in messages.iter().filter(|m| m.to == rank()) {
            for &(array, _) in &message.bytes {
                let come = self.subscripts_of(message, array);
                for (s, loops) in inside() {
                    for read in s.reads.iter().filter(|r| r.array == array) {
                        if !fault("ranks_inner_waits") {
                            waiting = waiting.or(&self.needing(read, (l, loops), &come));
                        }
                    }
                }
            }
        }
        if messages.iter().all(|m| m.to != rank()) {
            return Vec::new();
        }
        let inner = all.without(&waiting);
        let Some(&(first, last)) = inner.ranges().iter().max_by_key(|r| (r.1 - r.0, r.0)) else { return Vec::new() };
        // Fewer are not worth the second look at what they share with the others.
        if (last - first + 1).saturating_mul(2) < high - low + 1 {
            return Vec::new();
        }
        let last = last + i64::from(fault("ranks_inner_bound"));
        let parts = [(first, last), (low, first - 1), (last + 1, high)].into_iter().filter(|p| p.0 <= p.1);
        let is_down = self.nest.loops[l].step < 0;
        parts.map(|(first, last)| if is_down { (last, first) } else { (first, last) }).collect()
    }

    /// The subscripts, in each dimension, of the elements of an array in a message.
    fn subscripts_of(&self, message: &Message, array: usize) -> Vec<Set> {
        let placement = self.arrays[array].1;
        let mut size = 1usize;
        let mut out = Vec::new();
        for d in 0..placement.rank() {
            let (lo, hi) = placement.subscripts(d);
            let extent = usize::try_from(i128::from(hi) - i128::from(lo) + 1).unwrap_or(0).max(1);
            let runs = message.parts.iter().filter(|p| p.0 == array);
            let mut ranges: Vec<(i64, i64)> = runs
                .map(|&(_, first, count)| {
                    let (from, to) = (first / size, (first + count - 1) / size);
                    // A run that goes over the end of this dimension has all of it, or some at both ends.
                    let is_within = from / extent == to / extent;
                    let (from, to) = if is_within { (from % extent, to % extent) } else { (0, extent - 1) };
                    (lo + from as i64, lo + to as i64)
                })
                .collect();
            ranges.sort_unstable();
            let mut set = Set::default();
            ranges.into_iter().for_each(|(first, last)| set.push(first, last));
            out.push(set);
            size = size.saturating_mul(extent);
        }
        out
    }

    /// The iterations of loop `l` in which an element may be one of those with the subscripts `come`.
    fn needing(&self, read: &Element, (l, loops): (usize, &[Set]), come: &[Set]) -> Set {
        let section = self.section(read, loops);
        if section.iter().zip(come).any(|(section, come)| section.and(come).is_empty()) {
            return Set::default();
        }
        let of = |(s, come): (&Subscript, &Set)| match s {
            Subscript::Of(a) => match a.terms.as_slice() {
                // i = factor * (subscript - offset), as the factor is 1 or -1.
                [(x, factor @ (1 | -1))] if *x == l => {
                    let back = come.mapped(*factor, factor.saturating_neg().saturating_mul(self.value(a)));
                    Some(loops[l].and(&back))
                }
                _ => None,
            },
            Subscript::Any | Subscript::Either(_) => None,
        };
        let each = read.subscripts.iter().zip(come).filter_map(of);
        each.min_by_key(Set::len).unwrap_or_else(|| loops[l].clone())
    }
}
