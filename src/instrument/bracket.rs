//! The brackets of loops that are left at the end, and all that stands in them.
//!
//! ```text
//! tripsopen @2          ┐
//! do i = 1, n           │
//!   tally @2 iterations │ a range: from the opening on to the last end in the same block,
//!   …                   │ or to the end of the block
//! end                   │
//! tripsclose @2         ┘
//! ```
//!
//! A statement and all in it have consecutive numbers, so a range is two numbers. The loops of a deep nest are each in the
//! brackets of all around them: a walk through every bracket would take the square of the depth.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use trueline_ir::{Block, Editor, Head, Place, Stmt, Unit, Why};
use trueline_provenance::Serial;

/// The numbers of the statements of a unit, as it was when they were taken. Closing a bracket adds and removes nothing but
/// counting code, which has no number, or that of the statement that it was put behind.
pub(crate) struct Order {
    /// The number of a statement, and the last one in it.
    spans: FxHashMap<Stmt, (usize, usize)>,
    /// The number of loops before each statement.
    loops: Vec<usize>,
    /// The number of loops with others in them before each statement.
    outer: Vec<usize>,
    /// The number of calls, and of other statements that may not return.
    calls: Vec<usize>,
}

impl Order {
    pub(crate) fn new(unit: &Unit) -> Order {
        let order = unit.walk();
        let mut spans: FxHashMap<Stmt, (usize, usize)> = FxHashMap::default();
        let (mut loops, mut calls) = (vec![0], vec![0]);
        for (at, &s) in order.iter().enumerate() {
            let head = unit.head(s);
            let is_loop = head.is_loop() || matches!(head, Head::GhostDo { .. });
            let is_call = matches!(head, Head::Call { .. } | Head::GhostCall { .. }) || !unit.always_returns(head);
            loops.push(loops[at] + usize::from(is_loop));
            calls.push(calls[at] + usize::from(is_call));
            spans.insert(s, (at, at));
        }
        for &s in order.iter().rev() {
            let last = spans[&s].1;
            if let Some(span) = unit.enclosing(s).and_then(|outer| spans.get_mut(&outer)) {
                span.1 = span.1.max(last);
            }
        }
        let mut outer = vec![0];
        for (at, s) in order.iter().enumerate() {
            let has_others = loops[at + 1] > loops[at] && loops[spans[s].1 + 1] > loops[at + 1];
            outer.push(outer[at] + usize::from(has_others));
        }
        Order { spans, loops, outer, calls }
    }

    /// The number of `s`. A statement that was put in later counts as a part of the one before it.
    fn at(&self, unit: &Unit, s: Stmt) -> usize {
        if let Some(span) = self.spans.get(&s) {
            return span.0;
        }
        let before = std::iter::successors(unit.prev(s), |&x| unit.prev(x)).find_map(|x| self.spans.get(&x));
        let outer = || self.spans.get(&unit.enclosing(s)?).map(|span| span.0);
        before.map(|span| span.1).or_else(outer).unwrap_or(0)
    }

    /// The number of the last statement in `b`.
    fn end_of(&self, unit: &Unit, b: Option<Block>) -> usize {
        let last = b.and_then(|b| unit.stmts(b).rev().find_map(|x| self.spans.get(&x)));
        last.map_or(0, |span| span.1)
    }

    /// The number of loops in a range.
    pub(crate) fn loops(&self, range: &Range) -> usize {
        self.loops[range.to + 1] - self.loops[range.from + 1]
    }

    /// Whether all loops in a range are innermost ones: one, or the parts that a pass has made of it.
    pub(crate) fn is_flat(&self, range: &Range) -> bool {
        self.outer[range.to + 1] == self.outer[range.from + 1]
    }

    /// Whether anything in a range may not return, or is a call.
    pub(crate) fn has_calls(&self, range: &Range) -> bool {
        self.calls[range.to + 1] > self.calls[range.from + 1]
    }
}

/// An open bracket, and all that may stand in it.
pub(crate) struct Range {
    pub(crate) open: Stmt,
    /// The number of the statement that opens it.
    from: usize,
    /// The number of the last statement in it.
    to: usize,
}

/// A counting statement with its number.
type Numbered = (usize, Stmt);

/// The counting statements about the entries of one loop, in the order of the unit. Closing one loop leaves those of others alone.
#[derive(Default)]
pub(crate) struct OfLoop {
    opens: Vec<Numbered>,
    ends: Vec<Numbered>,
    adds: Vec<Numbered>,
    /// Whether its trips have a closed form somewhere.
    is_closed: bool,
}

/// The loops with brackets in a unit.
pub(crate) fn of_loops(unit: &Unit) -> BTreeMap<Serial, OfLoop> {
    let mut out: BTreeMap<Serial, OfLoop> = BTreeMap::new();
    for (at, s) in unit.walk().into_iter().enumerate() {
        if let Some((of, opens)) = unit.bracket(s) {
            let found = out.entry(of).or_default();
            if opens { found.opens.push((at, s)) } else { found.ends.push((at, s)) }
        } else if let Some(of) = unit.adds_iterations(s) {
            out.entry(of).or_default().adds.push((at, s));
        } else if let Head::Trips { counter, .. } = unit.head(s) {
            out.entry(unit.counter(counter).of).or_default().is_closed = true;
        }
    }
    out.retain(|_, found| !found.opens.is_empty() || !found.ends.is_empty());
    out
}

/// The part of `all` that is in a range.
fn part<'a>(all: &'a [Numbered], range: &Range) -> &'a [Numbered] {
    let from = all.partition_point(|x| x.0 <= range.from);
    let to = all.partition_point(|x| x.0 <= range.to);
    &all[from..to.max(from)]
}

impl OfLoop {
    /// The ends in a range, each with the tallies of iterations directly before it.
    pub(crate) fn ends(&self, unit: &Unit, range: &Range, of: Serial) -> Vec<(Stmt, Vec<Stmt>)> {
        part(&self.ends, range).iter().map(|&(at, end)| (end, self.adds_before(unit, at, end, of))).collect()
    }

    /// The tallies of iterations in a range.
    pub(crate) fn adds(&self, range: &Range) -> Vec<Stmt> {
        part(&self.adds, range).iter().map(|x| x.1).collect()
    }

    /// Moves the ends of brackets behind the tallies of iterations that have been put between them and the jumps that follow.
    pub(crate) fn sink_ends(&mut self, ed: &mut Editor<'_>, order: &Order, of: Serial) {
        for k in 0..self.ends.len() {
            let (at, end) = self.ends[k];
            let next = self.adds.get(self.adds.partition_point(|x| x.0 <= at));
            if next.is_none_or(|&(_, add)| ed.parent(add) != ed.parent(end)) {
                continue;
            }
            let behind = std::iter::successors(ed.next(end), |&x| ed.next(x)).take_while(|&x| counts_beside(ed, x, of));
            let Some(last) = behind.last() else { continue };
            self.ends[k] = (order.at(ed, last), ed.bracket_at(of, false, Place::After(last)));
            ed.eliminate(end, Why::Counting);
        }
    }

    /// The ranges of the brackets, in the order of the unit.
    pub(crate) fn ranges(&self, unit: &Unit, order: &Order) -> Vec<Range> {
        let mut marks: FxHashMap<Option<Block>, Vec<(usize, bool)>> = FxHashMap::default();
        for (list, opens) in [(&self.opens, true), (&self.ends, false)] {
            list.iter().for_each(|&(at, s)| marks.entry(unit.parent(s)).or_default().push((at, opens)));
        }
        marks.values_mut().for_each(|list| list.sort_unstable());
        let range = |&(from, open): &Numbered| {
            let block = unit.parent(open);
            let marks = &marks[&block];
            let behind = &marks[marks.partition_point(|m| m.0 <= from)..];
            let ends = behind.iter().take_while(|m| !m.1).last();
            let next = behind.iter().find(|m| m.1).map(|m| m.0 - 1);
            let to = ends.map(|m| m.0).or(next).unwrap_or_else(|| order.end_of(unit, block));
            Range { open, from, to: to.max(from) }
        };
        self.opens.iter().map(range).collect()
    }

    /// Whether brackets are not nested, and each counting statement about the entries of the loop is in one.
    pub(crate) fn are_whole(&self, unit: &Unit, order: &Order, ranges: &[Range], of: Serial) -> bool {
        let is_in = |x: usize| {
            let range = ranges.partition_point(|r| r.from < x).checked_sub(1).map(|k| &ranges[k]);
            range.is_some_and(|r| x <= r.to)
        };
        // Nothing is added behind an end on the way out.
        let is_last = |&(at, end): &Numbered| {
            let next = self.adds.get(self.adds.partition_point(|x| x.0 <= at));
            if next.is_none_or(|x| x.0 > order.end_of(unit, unit.parent(end))) {
                return true;
            }
            let goes_on =
                |x| !unit.head(x).is_jump() && unit.bracket(x) != Some((of, true)) && is_in(order.at(unit, x));
            let mut behind = std::iter::successors(unit.next(end), |&x| unit.next(x)).take_while(|&x| goes_on(x));
            !behind.any(|x| unit.walk_stmt(x).into_iter().any(|y| unit.adds_iterations(y) == Some(of)))
        };
        // The iterations of closed trips are counted outside of brackets.
        let mut concerned = self.ends.iter().chain(self.adds.iter().filter(|_| !self.is_closed));
        ranges.windows(2).all(|pair| pair[0].to < pair[1].from)
            && self.ends.iter().all(is_last)
            && concerned.all(|x| is_in(x.0))
    }

    /// The tallies of iterations directly before `end`, whose number is `at`.
    fn adds_before(&self, unit: &Unit, at: usize, end: Stmt, of: Serial) -> Vec<Stmt> {
        let nearest = self.adds.partition_point(|x| x.0 <= at).checked_sub(1).map(|k| self.adds[k].1);
        if nearest.is_none_or(|add| unit.parent(add) != unit.parent(end)) {
            return Vec::new();
        }
        let tallies = std::iter::successors(unit.prev(end), |&x| unit.prev(x));
        let tallies = tallies.take_while(|&x| counts_beside(unit, x, of));
        let mut out: Vec<Stmt> = tallies.filter(|&x| unit.adds_iterations(x) == Some(of)).collect();
        out.reverse();
        out
    }
}

/// Whether `x` is counting code, and no bracket of `of`.
fn counts_beside(unit: &Unit, x: Stmt, of: Serial) -> bool {
    match unit.head(x) {
        Head::Tally { .. } | Head::Trips { .. } => true,
        Head::Bracket { .. } => unit.bracket(x).is_some_and(|(other, _)| other != of),
        _ => false,
    }
}
