//! The trips of loops, the number of iterations of each entry, and how the verbs keep them right.
//!
//! ```text
//! tripsopen @2                     trips @2 trip(1, n, 1) times 1
//! do i = 1, n                      do i = 1, n
//!   tally @2 iterations += 1   =>    tally @2 iterations += 1
//!   …                                …
//! end                              end
//! tripsclose @2
//! ```
//!
//! A loop is planted in a bracket, which is closed wherever the loop is left. The iterations that are counted inside
//! the bracket are the trips of that entry, in every form that the optimizer gives the loop: copies, parts and rests
//! stand inside, and passes treat tallies of iterations and trips alike. Before a loop leaves its bracket, its trips
//! are closed: they become a number in terms of values before the loop, which then moves like any tally. Without a
//! closed form, the trips of that loop are given up; its counts are not.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Counter, Expr, Label, Sym};
use crate::expr::ExprData;
use crate::head::Head;
use crate::{BinaryOp, Intrinsic, Type, Unit};
use rustc_hash::FxHashSet;
use trueline_provenance::{CounterInfo, Measure, Serial, Stmt, Why};

/// There is no closed form.
struct Open;

impl Unit {
    /// The loop whose bracket `s` opens (true) or closes.
    pub fn bracket(&self, s: Stmt) -> Option<(Serial, bool)> {
        match self.head(s) {
            Head::Bracket { counter, opens } => Some((self.counter(counter).of, opens)),
            _ => None,
        }
    }

    /// The loop whose iterations the tally `s` adds to.
    pub fn adds_iterations(&self, s: Stmt) -> Option<Serial> {
        let Head::Tally { counter, .. } = self.head(s) else { return None };
        let CounterInfo { of, measure } = self.counter(counter);
        (measure == Measure::Iterations).then_some(of)
    }
}

impl Editor<'_> {
    /// Opens or closes the bracket of the loop `of`.
    pub fn bracket_at(&mut self, of: Serial, opens: bool, at: Place) -> Stmt {
        let counter = self.counter_for(CounterInfo { of, measure: Measure::Trips });
        self.null(Head::Bracket { counter, opens }, at, Why::Counting)
    }

    /// Closes the trips of the loops whose brackets stand directly in `b`, as far as they have a closed form.
    pub fn collapse_trips(&mut self, b: Block) {
        for s in self.stmts(b).collect::<Vec<_>>() {
            if self.parent(s) == Some(b) && self.bracket(s).is_some_and(|(_, opens)| opens) {
                self.collapse(s);
            }
        }
    }

    /// The same, and the trips that cannot be closed are given up: loops are about to change places in `b`.
    pub(crate) fn settle_trips_in(&mut self, b: Block) {
        self.stmts(b).collect::<Vec<_>>().into_iter().for_each(|s| self.settle_bracket(s));
    }

    /// Closes the bracket `s`, if it is one and still there, or gives up the trips of its loop.
    pub(crate) fn settle_bracket(&mut self, s: Stmt) {
        if self.parent(s).is_some() && self.bracket(s).is_some() && !self.collapse(s) {
            self.lose_trips_at(s);
        }
    }

    /// Called before `s` leaves its place, or joins another statement: closes the trips of loops that it adds
    /// iterations to, if their brackets stand around it.
    pub(crate) fn settle_trips(&mut self, s: Stmt) {
        if self.blocks(s).is_empty() {
            return;
        }
        let inside: FxHashSet<Serial> = self.walk_stmt(s).into_iter().filter_map(|x| self.adds_iterations(x)).collect();
        if inside.is_empty() {
            return;
        }
        let around: Vec<Stmt> = std::iter::successors(self.prev(s), |&x| self.prev(x))
            .filter(|&x| self.bracket(x).is_some_and(|(of, opens)| opens && inside.contains(&of)))
            .collect();
        for open in around {
            if self.parent(open).is_some() && !self.collapse(open) {
                self.lose_trips_at(open);
            }
        }
    }

    /// Called before the tallies that stand directly in the straight block `b` leave it: brackets in it keep the counts
    /// of their loops in ghosts.
    pub(crate) fn keep_brackets(&mut self, b: Block) {
        let added: FxHashSet<Serial> = self.stmts(b).filter_map(|t| self.adds_iterations(t)).collect();
        for open in self.stmts(b).collect::<Vec<_>>() {
            let Some((of, true)) = self.bracket(open) else { continue };
            if added.contains(&of) && self.parent(open) == Some(b) && !self.keep_bracket(open, of) {
                self.lose_trips_at(open);
            }
        }
    }

    /// Replaces the bracket that `open` begins, and that ends in the same block, by a ghost that is added to. Returns
    /// whether that is possible.
    fn keep_bracket(&mut self, open: Stmt, of: Serial) -> bool {
        let Some((close, between)) = self.bracketed(open) else { return false };
        if between.iter().any(|&x| self.walk_stmt(x).into_iter().any(|y| self.bracket(y).is_some_and(|b| b.0 == of))) {
            return false;
        }
        let Head::Bracket { counter, .. } = self.head(open) else { return false };
        let trips = self.gained(&between, of, open);
        let times = self.int(Type::I8, 1);
        self.null(Head::Trips { counter, trips, times, spread: false }, Place::Before(close), Why::Counting);
        self.unit.unlink(open);
        self.unit.unlink(close);
        true
    }

    /// A ghost that is 0 before `first`, and that grows as the tallies of `of` in `stmts` add.
    pub fn gained(&mut self, stmts: &[Stmt], of: Serial, first: Stmt) -> Expr {
        let zero = self.int(Type::I8, 0);
        let g = self.new_register("ghost", Type::I8);
        self.unit.tallied.insert(g);
        self.ghost(g, zero, Place::Before(first));
        let now = self.var(g);
        for t in stmts.iter().flat_map(|&x| self.walk_stmt(x)).collect::<Vec<_>>() {
            if self.adds_iterations(t) == Some(of)
                && let Head::Tally { amount, .. } = self.head(t)
            {
                let more = self.binary(BinaryOp::Add, now, amount);
                self.ghost(g, more, Place::After(t));
            }
        }
        now
    }

    /// A ghost with the value of `e` before `s`.
    pub fn kept_before(&mut self, e: Expr, s: Stmt) -> Expr {
        self.kept(e, s)
    }

    /// The end of the bracket that `open` begins, in the same block, and the statements between them.
    fn bracketed(&self, open: Stmt) -> Option<(Stmt, Vec<Stmt>)> {
        let Head::Bracket { counter, opens: true } = self.head(open) else { return None };
        let mut between = Vec::new();
        let mut at = self.next(open)?;
        loop {
            if let Head::Bracket { counter: c, opens } = self.head(at)
                && c == counter
            {
                return (!opens).then_some((at, between));
            }
            between.push(at);
            at = self.next(at)?;
        }
    }

    /// Closes the trips of the bracket that `open` begins; returns whether there is a closed form.
    fn collapse(&mut self, open: Stmt) -> bool {
        let Some((close, between)) = self.bracketed(open) else { return false };
        let Some((of, _)) = self.bracket(open) else { return false };
        if between.iter().any(|&x| self.walk_stmt(x).into_iter().any(|y| !self.always_returns(self.head(y)))) {
            return false;
        }
        let Some((total, place)) = self.closed(&between, of) else { return false };
        let place = place.unwrap_or(open);
        let Head::Bracket { counter, .. } = self.head(open) else { return false };
        let times = self.int(Type::I8, 1);
        self.null(Head::Trips { counter, trips: total, times, spread: false }, Place::Before(place), Why::Counting);
        self.unit.unlink(open);
        self.unit.unlink(close);
        true
    }

    /// The amount that `between` adds to the iterations of `of`, if all of it runs to its end, in terms of values
    /// before the returned statement, if there is one. None if there is no closed form, or control may go elsewhere.
    pub fn closed(&mut self, between: &[Stmt], of: Serial) -> Option<(Expr, Option<Stmt>)> {
        for &x in between {
            let brackets = self.walk_stmt(x).into_iter().any(|y| self.bracket(y).is_some_and(|(other, _)| other == of));
            if brackets || !self.is_passed(x) {
                return None;
            }
        }
        let mut total = self.int(Type::I8, 0);
        let mut place = None;
        let mut changed: FxHashSet<Sym> = FxHashSet::default();
        for &x in between {
            let Ok(gain) = self.gain(x, of) else { return None };
            if let Some(gain) = gain {
                if self.registers_in(total).iter().any(|v| changed.contains(v)) {
                    return None;
                }
                total = self.add(total, gain);
                place = Some(x);
            }
            if self.pool.as_int(total).is_none() {
                changed.extend(self.defined_below(x));
            }
        }
        Some((total, place))
    }

    /// Whether control goes from `x` to the next statement, and reaches that only from `x`; calls may end the program.
    fn is_passed(&self, x: Stmt) -> bool {
        let inside = self.walk_stmt(x);
        let label = |&y: &Stmt| if let Head::Label(l) = self.head(y) { Some(l) } else { None };
        let labels: FxHashSet<Label> = inside.iter().filter_map(label).collect();
        let stays = |&y: &Stmt| {
            let head = self.head(y);
            head != Head::Return && self.targets(head).iter().all(|l| labels.contains(l))
        };
        !self.head(x).is_jump()
            && !matches!(self.head(x), Head::Label(_) | Head::GotoTable { .. })
            && inside.iter().all(stays)
    }

    /// The amount that `x` adds to the iterations of `of`, in terms of values before it; none if it adds nothing.
    fn gain(&mut self, x: Stmt, of: Serial) -> Result<Option<Expr>, Open> {
        if !self.walk_stmt(x).into_iter().any(|y| self.adds_iterations(y) == Some(of)) {
            return Ok(None);
        }
        if let Head::Tally { amount, .. } = self.head(x) {
            return Ok(Some(amount));
        }
        let changed = self.defined_below(x);
        let mut sum = self.int(Type::I8, 0);
        for number in 0..self.blocks(x).len() {
            let mut straight = true;
            for y in self.stmts(self.blocks(x)[number]).collect::<Vec<_>>() {
                let is_passed = self.is_passed(y);
                let Some(each) = self.gain(y, of)? else {
                    straight &= is_passed;
                    continue;
                };
                // In a conditional it stands before the jumps out of it.
                if !straight || (self.head(y).is_loop() && !is_passed) {
                    return Err(Open);
                }
                straight &= is_passed;
                let each = self.without_ghosts(y, each, &changed);
                let all = self.total(x, number, each, &changed).ok_or(Open)?;
                sum = self.add(sum, all);
            }
        }
        Ok(Some(sum))
    }

    /// The trips `t`, counted in block `number` of `s`, which changes registers, in one execution of `s`; none if there is no closed
    /// form, or `t` is something else.
    pub(crate) fn hoisted_trips(&mut self, s: Stmt, number: usize, t: Stmt, changed: &FxHashSet<Sym>) -> Option<Head> {
        let Head::Trips { counter, trips, times, spread } = self.head(t) else { return None };
        let trips = self.without_ghosts(t, trips, changed);
        let times = self.without_ghosts(t, times, changed);
        let fixed = |u: &Unit, e: Expr| u.registers_in(e).iter().all(|v| !changed.contains(v));
        if self.may_trap(trips) || (spread && !matches!(self.expr(trips), ExprData::Intrinsic(Intrinsic::SumTrips, _)))
        {
            return None;
        }
        if fixed(self, trips) {
            let times = self.total(s, number, times, changed)?;
            return Some(Head::Trips { counter, trips, times, spread });
        }
        let Head::Do { var, lo, hi, step } = self.head(s) else { return None };
        let bounds = [lo, hi, step];
        let known = bounds.iter().all(|&e| !self.reads_memory(e) && !self.may_trap(e));
        let others = self.registers_in(trips).iter().any(|&v| v != var && changed.contains(&v));
        let is_trip = matches!(self.expr(trips), ExprData::Intrinsic(Intrinsic::Trip, _));
        if spread || !known || others || !is_trip || !fixed(self, times) {
            return None;
        }
        let bounds = bounds.map(|e| self.widen(e));
        let trips = self.triangular(var, bounds, trips)?;
        Some(Head::Trips { counter, trips, times, spread: true })
    }

    /// Replaces `t` by `head` before `s`.
    pub(crate) fn replace_before(&mut self, t: Stmt, head: Head, s: Stmt) {
        self.unit.unlink(t);
        self.null(head, Place::Before(s), Why::Counting);
    }

    /// Gives up the trips of the loop that `s` counts the trips of, if it counts trips.
    pub(crate) fn lose_trips_at(&mut self, s: Stmt) {
        if let Head::Bracket { counter, .. } | Head::Trips { counter, .. } = self.head(s) {
            let pass = self.pass;
            self.lose_trips(counter, pass);
        }
    }

    /// Gives up the trips of a loop, for the reason or by the pass `why`. Its counts stay.
    pub fn lose_trips(&mut self, counter: Counter, why: &'static str) {
        let info = self.counter(counter);
        self.unit.log.lost.push((info, why));
        for x in self.walk() {
            if let Head::Bracket { counter: c, .. } | Head::Trips { counter: c, .. } = self.head(x)
                && c == counter
            {
                self.unit.unlink(x);
            }
        }
    }

    /// Gives up the trips of loops whose brackets are in `s`, and whose iterations leave it with `taken`.
    pub(crate) fn lose_parted_trips(&mut self, s: Stmt, taken: &FxHashSet<Stmt>) {
        let parted: FxHashSet<Serial> = taken.iter().filter_map(|&t| self.adds_iterations(t)).collect();
        if parted.is_empty() {
            return;
        }
        for x in self.walk_stmt(s) {
            let about = self.bracket(x).is_some_and(|(of, _)| parted.contains(&of));
            if about && self.parent(x).is_some() && !taken.contains(&x) {
                self.lose_trips_at(x);
            }
        }
    }
}
