//! Plans: which rank executes which iterations of a nest, which elements it needs from whom, and who has which elements behind it.
//!
//! The elements that all ranks want are laid over the notes of an array at once: the notes have a run for each rank and column, and there are as many ranks
//! that want something.

mod parts;

use super::{Message, Part, Plan};
use crate::ranks::ledger;
use crate::ranks::mapped::all;
use crate::ranks::notes::{Run, State, States, changed, merged, overlaid};
use crate::ranks::placement::{Placement, Ranks};
use crate::ranks::sets::Set;
use crate::ranks::work::Counter;
use crate::ranks::{fault, rank, rehearsal, size};
use std::collections::BTreeMap;
use std::sync::Arc;
use trueline_abi::nest::{Affine, Element, Executed, NOTHING, Nest, Statement, Subscript};

/// The sets of one statement on one rank: for each loop the values of its variable; none if it executes nothing.
type Iterations = Option<Vec<Set>>;

/// Elements that ranks read: by array, then by rank. There may be several ranges for an element.
type Wanted = Vec<Vec<Vec<(usize, usize)>>>;

/// Parts that one rank sends to another, by both.
type Messages = BTreeMap<(usize, usize), Vec<Part>>;

pub(super) struct Planner<'a> {
    nest: &'a Nest,
    values: &'a [i64],
    arrays: &'a [(i64, &'a Placement)],
    /// Whether no element of an array is ever used; empty if there is none of these.
    absent: &'a [bool],
    /// The values of each loop's variable on one rank.
    whole: Vec<Set>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(nest: &'a Nest, values: &'a [i64], arrays: &'a [(i64, &'a Placement)]) -> Planner<'a> {
        let mut planner = Planner { nest, values, arrays, absent: &[], whole: Vec::new() };
        for l in &nest.loops {
            let set = if l.is_fixed() {
                Set::progression(planner.value(&l.lo), planner.value(&l.hi), l.step)
            } else {
                // The variables of the loops around it take whole ranges.
                let (lo, hi) = (planner.image(&l.lo, &planner.whole), planner.image(&l.hi, &planner.whole));
                match (lo.hull(), hi.hull()) {
                    (Some(lo), Some(hi)) if l.step > 0 => Set::range(lo.0, hi.1),
                    (Some(lo), Some(hi)) => Set::range(hi.0, lo.1),
                    _ => Set::default(),
                }
            };
            planner.whole.push(set);
        }
        planner
    }

    /// With arrays of which no element is used.
    pub(super) fn without(self, absent: &'a [bool]) -> Planner<'a> {
        Planner { absent, ..self }
    }

    fn value(&self, a: &Affine) -> i64 {
        self.values.get(a.value).copied().unwrap_or(0)
    }

    /// The values of a sum.
    fn image(&self, a: &Affine, loops: &[Set]) -> Set {
        let offset = self.value(a);
        match a.terms.as_slice() {
            [] => Set::range(offset, offset),
            [(l, factor)] => loops[*l].mapped(*factor, offset),
            terms => {
                let mut sum = (offset, offset);
                for &(l, factor) in terms {
                    let Some(part) = loops[l].mapped(factor, 0).hull() else { return Set::default() };
                    // The range around the multiples, for any factor.
                    sum = (sum.0.saturating_add(part.0), sum.1.saturating_add(part.1));
                }
                Set::range(sum.0, sum.1)
            }
        }
    }

    /// The subscripts of an element in each dimension, in the iterations of `loops`.
    fn section(&self, e: &Element, loops: &[Set]) -> Vec<Set> {
        let placement = self.arrays[e.array].1;
        let subscript = |(d, s): (usize, &Subscript)| {
            let (lo, hi) = placement.subscripts(d);
            let whole = Set::range(lo, hi);
            match s {
                Subscript::Any => whole,
                Subscript::Of(a) => self.image(a, loops).and(&whole),
                Subscript::Either(all) => {
                    all.iter().fold(Set::default(), |set, a| set.or(&self.image(a, loops).and(&whole)))
                }
            }
        };
        e.subscripts.iter().enumerate().map(subscript).collect()
    }

    fn is_absent(&self, array: usize) -> bool {
        self.absent.get(array) == Some(&true)
    }

    /// The iterations in which `rank` owns the element.
    fn owned(&self, e: &Element, rank: usize) -> Iterations {
        let part = self.arrays[e.array].1.part(rank).filter(|_| !self.is_absent(e.array))?;
        let mut loops = self.whole.clone();
        for (subscript, own) in e.subscripts.iter().zip(part) {
            let (Subscript::Of(a), Some(own)) = (subscript, own) else { continue };
            let offset = self.value(a);
            match a.terms.as_slice() {
                [] if !own.contains(offset) => return None,
                [] => {}
                // The compiler passes no other factor than 1 and -1 here: i = factor * (subscript - offset).
                [(l, factor)] => {
                    let back = own.mapped(*factor, factor.saturating_neg().saturating_mul(offset));
                    loops[*l] = loops[*l].and(&back);
                }
                _ => return None,
            }
        }
        Some(loops)
    }

    /// The iterations of each statement on `rank`.
    fn iterations(&self, rank: usize) -> Vec<Iterations> {
        let mut out: Vec<Iterations> = self
            .nest
            .statements
            .iter()
            .map(|s| match &s.executed {
                Executed::ByOwners { of, .. } => self.owned(of, rank),
                _ => Some(self.whole.clone()),
            })
            .collect();
        // The ranks that use a value execute it, too.
        let mut used: Vec<Set> = vec![Set::default(); self.whole.len()];
        for (s, iterations) in self.nest.statements.iter().zip(&out) {
            let Some(iterations) = iterations else { continue };
            for l in self.nest.chain(s.inner) {
                if !matches!(&s.executed, Executed::ByUsers(loops) if loops.contains(&l)) {
                    used[l] = used[l].or(&iterations[l]);
                }
            }
        }
        for (s, iterations) in self.nest.statements.iter().zip(&mut out) {
            if let (Executed::ByUsers(loops), Some(iterations)) = (&s.executed, iterations) {
                loops.iter().for_each(|&l| iterations[l] = used[l].clone());
            }
        }
        let runs = |s: &Statement, i: &Vec<Set>| self.nest.chain(s.inner).all(|l| !i[l].is_empty());
        let statements = self.nest.statements.iter();
        statements.zip(out).map(|(s, i)| i.filter(|i| runs(s, i))).collect()
    }

    pub(super) fn plan(&self, before: &[Arc<State>], states: &mut States) -> Plan {
        let mut notes = notes_of(before);
        if self.nest.carried.is_some_and(|c| c.may_be_whole) && self.is_everywhere(before) {
            let alone = vec![vec![Some(self.whole.clone()); self.nest.statements.len()]; size()];
            let plan = self.planned(self.nest.alone(self.values), Messages::new(), notes, states);
            return Plan { iterations: self.work(&alone), ..plan };
        }
        let per_rank: Vec<Vec<Iterations>> = (0..size()).map(|r| self.iterations(r)).collect();
        let mut wanted = self.nothing();
        for (to, iterations) in per_rank.iter().enumerate() {
            for (s, loops) in self.nest.statements.iter().zip(iterations) {
                let Some(loops) = loops else { continue };
                let early =
                    s.reads.iter().enumerate().filter(|(k, read)| !s.late.contains(k) && !self.is_absent(read.array));
                early.for_each(|(_, read)| self.need(read, loops, to, &mut wanted));
            }
        }
        let messages = deliver(wanted, &mut notes);
        if self.nest.is_ahead {
            let plan = self.planned(self.answers(&per_rank[rank()]), messages, notes, states);
            let nothing = vec![Vec::new(); per_rank.len()];
            return Plan { iterations: self.work(&nothing), ..plan };
        }
        self.note_written(&per_rank, &mut notes);
        let mut late = Messages::new();
        for (to, iterations) in per_rank.iter().enumerate() {
            for (s, loops) in self.nest.statements.iter().zip(iterations) {
                let Some(loops) = loops else { continue };
                let wanted = s.late.iter().filter(|&&k| !self.is_absent(s.reads[k].array));
                wanted.for_each(|&k| self.wait_for(&s.reads[k], loops, to, &mut notes, &mut late));
            }
        }
        let plan = self.planned(self.answers(&per_rank[rank()]), messages, notes, states);
        let parts = self.parts(&per_rank[rank()], &plan.messages);
        Plan { late: self.ordered(late), iterations: self.work(&per_rank), order: self.order(&per_rank), parts, ..plan }
    }

    /// Notes that owners alone have the elements that are written.
    fn note_written(&self, per_rank: &[Vec<Iterations>], notes: &mut [Vec<Run>]) {
        let mut written = self.nothing();
        for (by, iterations) in per_rank.iter().enumerate() {
            for (s, loops) in self.nest.statements.iter().zip(iterations) {
                if let (Executed::ByOwners { of, writes: true }, Some(loops)) = (&s.executed, loops) {
                    let owners = self.arrays[of.array].1.sharers(by);
                    if owners.trailing_zeros() as usize == by && !fault("ranks_nest_unnoted") {
                        let section = self.section(of, loops);
                        self.runs(of.array, &section, &mut |first, end| written[of.array][by].push((first, end)));
                    }
                }
            }
        }
        for (array, by_rank) in written.into_iter().enumerate() {
            let mut owned: Vec<Run> = Vec::new();
            for (by, ranges) in by_rank.into_iter().enumerate() {
                let owners = self.arrays[array].1.sharers(by);
                owned.extend(merged(ranges).into_iter().map(|(first, end)| (first, end, owners)));
            }
            give(&mut notes[array], owned, |_, owners| owners);
        }
    }

    /// No ranges, for each array and rank.
    fn nothing(&self) -> Wanted {
        vec![vec![Vec::new(); size()]; self.arrays.len()]
    }

    /// Whether all ranks have all elements that the nest reads.
    fn is_everywhere(&self, before: &[Arc<State>]) -> bool {
        self.nest.statements.iter().flat_map(|s| &s.reads).filter(|r| !self.is_absent(r.array)).all(|read| {
            let mut is_missing = false;
            let runs = before[read.array].runs();
            let section = self.section(read, &self.whole);
            self.runs(read.array, &section, &mut |first, end| {
                let k = runs.partition_point(|r| r.1 <= first);
                is_missing |= runs.get(k).is_some_and(|r| r.0 < end);
            });
            !is_missing
        })
    }

    /// The ranks with iterations of the statement whose results go from one to the next, in order.
    fn order(&self, per_rank: &[Vec<Iterations>]) -> Vec<usize> {
        let Some(c) = self.nest.carried else { return Vec::new() };
        let first = |rank: usize| Some((per_rank[rank][c.statement].as_ref()?[c.along].hull()?.0, rank));
        let mut all: Vec<(i64, usize)> = (0..per_rank.len()).filter_map(first).collect();
        all.sort_unstable();
        if (self.nest.loops[c.along].step < 0) != fault("ranks_carry_backwards") {
            all.reverse();
        }
        all.into_iter().map(|(_, rank)| rank).collect()
    }

    /// The iterations that somebody wants to know.
    fn work(&self, per_rank: &[Vec<Iterations>]) -> Vec<u64> {
        let counter = Counter { nest: self.nest, values: self.values };
        let of = |iterations: &Vec<Iterations>| {
            let each = self.nest.statements.iter().zip(iterations);
            let each = each.filter_map(|(s, loops)| Some(counter.iterations(s.inner, loops.as_ref()?)));
            each.fold(0, u64::saturating_add)
        };
        if rehearsal::is_on() {
            let statements = if self.nest.is_ahead { 0 } else { self.nest.statements.len() };
            let alone = vec![Some(self.whole.clone()); statements];
            per_rank.iter().chain([&alone]).map(of).collect()
        } else if ledger::is_kept() {
            vec![of(&per_rank[rank()])]
        } else {
            Vec::new()
        }
    }

    /// Notes the messages by which rank `to` gets the elements that it reads when their owners are through with the nest.
    fn wait_for(&self, read: &Element, loops: &[Set], to: usize, notes: &mut [Vec<Run>], late: &mut Messages) {
        let section = self.section(read, loops);
        let placement = self.arrays[read.array].1;
        let mut owned: Vec<Run> = Vec::new();
        for from in (0..size()).filter(|&q| q != to && placement.sharers(q).trailing_zeros() as usize == q) {
            let Some(part) = placement.part(from) else { continue };
            let theirs = section.iter().zip(part);
            let theirs: Vec<Set> = theirs.map(|(s, own)| own.map_or_else(|| s.clone(), |own| s.and(own))).collect();
            self.runs(read.array, &theirs, &mut |first, end| owned.push((first, end, 1 << from)));
        }
        give(&mut notes[read.array], owned, |(first, end, have), from| {
            let from = from.trailing_zeros() as usize;
            if have >> to & 1 == 0 && concerns(from, to) {
                late.entry((from, to)).or_default().push((read.array, first, end - first));
            }
            have | 1 << to
        });
    }

    /// Each owner gets those of its elements that it has not got.
    pub(super) fn remap(&self, before: &[Arc<State>], states: &mut States) -> Plan {
        let mut notes = notes_of(before);
        let mut wanted = self.nothing();
        for (array, (_, placement)) in self.arrays.iter().enumerate() {
            for to in 0..size() {
                let Some(part) = placement.part(to).filter(|_| !before[array].is_whole()) else { continue };
                let section: Vec<Set> = part
                    .into_iter()
                    .enumerate()
                    .map(|(d, own)| {
                        let (lo, hi) = placement.subscripts(d);
                        own.cloned().unwrap_or_else(|| Set::range(lo, hi))
                    })
                    .collect();
                self.want(array, &section, to, &mut wanted);
            }
        }
        let messages = deliver(wanted, &mut notes);
        self.planned(Vec::new(), messages, notes, states)
    }

    /// Messages in the order of all ranks.
    fn ordered(&self, messages: Messages) -> Vec<Message> {
        let of = |((from, to), parts): ((usize, usize), Vec<Part>)| {
            let parts = joined(parts);
            let array = |parts: &[Part]| {
                let number = parts[0].0;
                (number, self.arrays[number].1.element * parts.iter().map(|p| p.2).sum::<usize>())
            };
            let bytes = parts.chunk_by(|a, b| a.0 == b.0).map(array).collect();
            Message { from, to, parts, bytes }
        };
        messages.into_iter().map(of).collect()
    }

    fn planned(&self, answers: Vec<i64>, messages: Messages, notes: Vec<Vec<Run>>, states: &mut States) -> Plan {
        Plan {
            answers,
            messages: self.ordered(messages),
            late: Vec::new(),
            iterations: Vec::new(),
            order: Vec::new(),
            parts: Vec::new(),
            after: notes.into_iter().zip(self.arrays).map(|(n, a)| states.keep(a.0, n)).collect(),
        }
    }

    /// Notes the elements that rank `to` reads and has not got as their owner.
    fn need(&self, read: &Element, loops: &[Set], to: usize, wanted: &mut Wanted) {
        let section = self.section(read, loops);
        let placement = self.arrays[read.array].1;
        let Some(part) = placement.part(to) else { return self.want(read.array, &section, to, wanted) };
        // The rank has the elements that are its own in all dimensions. Its other elements are divided by the first dimension that is not its own.
        let mut inside = section.clone();
        for (d, own) in part.into_iter().enumerate() {
            let Some(own) = own else { continue };
            let mut piece = inside.clone();
            piece[d] = section[d].without(own);
            if d == 1 && fault("ranks_border_lost") {
                continue;
            }
            self.want(read.array, &piece, to, wanted);
            inside[d] = section[d].and(own);
        }
    }

    fn want(&self, array: usize, section: &[Set], to: usize, wanted: &mut Wanted) {
        self.runs(array, section, &mut |first, end| wanted[array][to].push((first, end)));
    }

    /// Calls `each` for the elements of a section, run by run.
    fn runs(&self, array: usize, section: &[Set], each: &mut dyn FnMut(usize, usize)) {
        let placement = self.arrays[array].1;
        if section.len() != placement.rank() || section.iter().any(Set::is_empty) {
            return;
        }
        // Dimensions that are whole make longer runs.
        let mut size = 1usize;
        let mut sizes = vec![1usize];
        for d in 0..section.len() {
            let (lo, hi) = placement.subscripts(d);
            size = size.saturating_mul(usize::try_from(i128::from(hi) - i128::from(lo) + 1).unwrap_or(0));
            sizes.push(size);
        }
        let is_whole = |d: usize| section[d].ranges() == [placement.subscripts(d)];
        let inner = (0..section.len()).take_while(|&d| is_whole(d)).count();
        if inner == section.len() {
            return each(0, placement.count);
        }
        let mut todo = vec![(section.len() - 1, 0usize)];
        while let Some((d, from)) = todo.pop() {
            let lower = placement.subscripts(d).0;
            let at = |i: i64| from + sizes[d] * (i.abs_diff(lower) as usize);
            if d == inner {
                section[d].ranges().iter().for_each(|&(first, last)| each(at(first), at(last) + sizes[d]));
                continue;
            }
            for &(first, last) in section[d].ranges().iter().rev() {
                todo.extend((first..=last).rev().map(|i| (d - 1, at(i))));
            }
        }
    }

    /// The answers for this rank.
    fn answers(&self, iterations: &[Iterations]) -> Vec<i64> {
        let mut out = Vec::with_capacity(self.nest.answers());
        let mut used: Vec<Set> = vec![Set::default(); self.whole.len()];
        for (s, loops) in self.nest.statements.iter().zip(iterations) {
            if let Some(loops) = loops {
                self.nest.chain(s.inner).for_each(|l| used[l] = used[l].or(&loops[l]));
            }
        }
        for (l, set) in self.nest.loops.iter().zip(&used) {
            let Some((low, high)) = set.hull() else {
                // No iterations, in either direction.
                let (lo, hi) = if l.is_fixed() && l.step < 0 { (NOTHING.1, NOTHING.0) } else { NOTHING };
                out.extend([lo, hi, l.step, 1]);
                continue;
            };
            let step = set.distance().map_or(l.step, |d| d.saturating_mul(l.step.signum()));
            let each = high.abs_diff(low) / step.unsigned_abs().max(1) + 1 == set.len();
            match l.is_fixed() && l.step < 0 {
                true => out.extend([high, low, step, i64::from(each)]),
                false => out.extend([low, high, step, i64::from(each)]),
            }
        }
        for (s, loops) in self.nest.statements.iter().zip(iterations) {
            for &l in &s.guards {
                let hull = match loops {
                    None => None,
                    // A statement alone is executed or not.
                    Some(_) if s.inner.is_none() => Some((0, 0)),
                    Some(loops) => loops.get(l).and_then(Set::hull),
                };
                let (low, high) = hull.unwrap_or(NOTHING);
                out.extend([low, high]);
            }
        }
        out.extend(self.nest.parted.map(|_| 1));
        out
    }
}

/// Whether a message between two ranks concerns this one: in a rehearsal all do.
fn concerns(from: usize, to: usize) -> bool {
    from == rank() || to == rank() || rehearsal::is_on()
}

/// Neighbouring parts as one.
fn joined(mut parts: Vec<Part>) -> Vec<Part> {
    parts.sort_unstable();
    parts.dedup_by(|next, before| {
        let follows = before.0 == next.0 && before.1 + before.2 == next.1;
        if follows {
            before.2 += next.2;
        }
        follows
    });
    parts
}

/// The notes of each array, to be changed.
fn notes_of(before: &[Arc<State>]) -> Vec<Vec<Run>> {
    before.iter().map(|s| s.runs().to_vec()).collect()
}

/// The messages by which ranks get the elements that they want and have not got.
fn deliver(wanted: Wanted, notes: &mut [Vec<Run>]) -> Messages {
    let mut messages = Messages::new();
    for (array, (by_rank, notes)) in wanted.into_iter().zip(notes).enumerate() {
        give(notes, overlaid(by_rank), |(first, end, have), by| {
            let missing = by & !have;
            if have == 0 || missing == 0 {
                return have;
            }
            // A rank that gets a value by this exchange cannot send it on in the same.
            let from = have.trailing_zeros() as usize;
            // The other messages are those of other ranks.
            for to in (0..size()).filter(|&to| missing >> to & 1 != 0 && concerns(from, to)) {
                messages.entry((from, to)).or_default().push((array, first, end - first));
            }
            have | missing
        });
    }
    messages
}

/// Changes notes where `ranges` are: `change` answers, for elements that the same ranks have, and the bits of their range, who has them then. Ranges of
/// different bits that overlap are taken one after the other.
fn give(notes: &mut Vec<Run>, mut ranges: Vec<Run>, mut change: impl FnMut(Run, Ranks) -> Ranks) {
    while !ranges.is_empty() {
        // Ranges that begin behind all before them are taken at once.
        ranges.sort_by_key(|r| r.0);
        let mut end = 0;
        let (now, later): (Vec<Run>, Vec<Run>) = ranges.into_iter().partition(|r| {
            let is_apart = r.0 >= end;
            if is_apart {
                end = r.1;
            }
            is_apart
        });
        let apart: Vec<(usize, usize)> = now.iter().map(|r| (r.0, r.1)).collect();
        let mut k = 0;
        *notes = changed(notes, &apart, all(), &mut |run| {
            k += now[k..].partition_point(|r| r.1 <= run.0);
            change(run, now[k].2)
        });
        ranges = later;
    }
}
