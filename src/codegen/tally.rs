//! Tallies: adds to the counters.
//!
//! The address of the counters is known from the entry of the function on, and kept in a register through every loop, at the
//! cost of the program's own values: around an inner loop, a base address would be loaded from the stack on each row. Outside of
//! innermost loops the address is therefore loaded from a slot, whose alias region is that of the counters: the adds in
//! a loop keep the loads where they are. Probes, whose countdowns stand behind the counters, take the address from the same places.
//!
//! If nothing counts in loops but on the way out of them, and there is hardly more than one place on the way through the function that
//! counts, the address is computed there: not on the paths that come by none, and nothing keeps it through loops and calls. In a function
//! without loops and with more places it is computed at the entry ([`is_sought_again`]). Otherwise, too, the first place that counts
//! computes it where control comes to the others by that one only ([`gate`]).

use crate::block;
use crate::expr::Translator;
use crate::symbols::ADDRESS;
use crate::trips;
use cranelift_codegen::ir::{
    AtomicRmwOp, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use trueline_ir::{Counter, Expr, Head, Label, Stmt, Unit};

/// The fewest joins of ways in a function, each of which would compute the address of the counters anew, for computing it at the entry.
const LEAST_JOINS: usize = 2;

/// The source of the address of the counters in a function.
#[derive(Default)]
pub(crate) struct Counters {
    /// The address, if it is computed at the entry.
    base: Option<Value>,
    /// The slot that holds it, if some tallies take it from there.
    slot: Option<StackSlot>,
    /// The tallies and probes that do.
    from_slot: FxHashSet<Stmt>,
    /// The last tally that computed the address where it stands, and the address.
    last: Cell<Option<(Stmt, Value)>>,
    /// The first tally, if control comes to all others by it: it computes the address for them.
    first: Option<Stmt>,
    /// The address that it computed.
    by_first: Cell<Option<Value>>,
}

impl Counters {
    /// At the beginning of the function: computes the address, and decides which tallies take it from a slot.
    pub(crate) fn new(t: &mut Translator<'_, '_>) -> Counters {
        let all = tallies(t);
        let is_single = all.is_empty() || is_one_that_runs_once(t, &all);
        if is_single || (t.shared.level > trueline_ir::OptLevel::O0 && count_on_the_way_out(t.unit, &all)) {
            // They compute the address where they stand.
            return Counters::default();
        }
        let gate = gate(t.unit, &all);
        let from_slot = if t.shared.level == trueline_ir::OptLevel::O0 { all } else { outside_of_inner_loops(t.unit) };
        if from_slot.is_empty() && !is_sought_again(t) {
            return match gate {
                Some(first) => Counters { first: Some(first), ..Counters::default() },
                None => Counters { base: Some(block::counters(t)), ..Counters::default() },
            };
        }
        let base = block::counters(t);
        Counters::in_slot(t, base, from_slot)
    }

    /// At the beginning of a function with only these statements of its unit: all that count take the address from a slot.
    pub(crate) fn of_stretch(t: &mut Translator<'_, '_>, stmts: &[Stmt]) -> Counters {
        let all: FxHashSet<Stmt> = stmts.iter().flat_map(|&s| t.unit.walk_stmt(s)).filter(|&s| counts(t, s)).collect();
        if all.is_empty() {
            return Counters::default();
        }
        let base = block::counters(t);
        Counters::in_slot(t, base, all)
    }

    /// Puts the address into a slot, from where those statements take it.
    fn in_slot(t: &mut Translator<'_, '_>, base: Value, from_slot: FxHashSet<Stmt>) -> Counters {
        let slot = t.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3));
        let place = t.b.ins().stack_addr(ADDRESS, slot, 0);
        let flags = flags(t);
        t.b.ins().store(flags, base, place, 0);
        Counters { base: Some(base), slot: Some(slot), from_slot, ..Counters::default() }
    }

    /// The address of the object's counters where `s` is.
    pub(crate) fn address(&self, t: &mut Translator<'_, '_>, s: Stmt) -> Value {
        if self.first == Some(s) {
            self.by_first.set(Some(block::counters(t)));
        }
        if let Some(base) = self.by_first.get() {
            return base;
        }
        let Some(slot) = self.slot.filter(|_| self.from_slot.contains(&s)) else {
            return self.base.unwrap_or_else(|| self.beside(t, s, block::counters));
        };
        // Anew for each place that counts: the shorter a value lives, the less it is in the way.
        self.beside(t, s, |t| {
            let place = t.b.ins().stack_addr(ADDRESS, slot, 0);
            let flags = flags(t);
            t.b.ins().load(ADDRESS, flags, place, 0)
        })
    }

    /// The address that `make` computes where `s` stands, or where the tally right before it does.
    fn beside<'a, 'b>(
        &self,
        t: &mut Translator<'a, 'b>,
        s: Stmt,
        make: impl FnOnce(&mut Translator<'a, 'b>) -> Value,
    ) -> Value {
        let counts = |x: &Stmt| matches!(t.unit.head(*x), Head::Tally { .. } | Head::Ghost { .. } | Head::Trips { .. });
        let mut before = std::iter::successors(t.unit.prev(s), |&x| t.unit.prev(x)).take_while(counts);
        let known = self.last.get().filter(|(x, _)| before.any(|y| y == *x));
        let base = known.map_or_else(|| make(t), |(_, base)| base);
        self.last.set(Some((s, base)));
        base
    }

    /// Before a call, adds one to the cell of the entry that it passes by, if the address of the counters is at hand. Whether it does.
    pub(crate) fn add_at_call(&self, t: &mut Translator<'_, '_>, cell: u32) -> bool {
        let Some(base) = self.base else { return false };
        let flags = flags(t);
        let base = match self.slot {
            Some(slot) => {
                let place = t.b.ins().stack_addr(ADDRESS, slot, 0);
                t.b.ins().load(ADDRESS, flags, place, 0)
            }
            None => base,
        };
        let offset = i32::try_from(cell * 8).expect("fewer than 2^28 counters in an object");
        let old = t.b.ins().load(types::I64, flags, base, offset);
        let new = t.b.ins().iadd_imm_s(old, 1);
        t.b.ins().store(flags, new, base, offset);
        true
    }

    /// `counter += amount`: one add to a cell of the thread's own, or of all threads where that is not known.
    pub(crate) fn add(&self, t: &mut Translator<'_, '_>, s: Stmt, counter: Counter, amount: Expr) {
        let info = t.unit.counter(counter);
        let Some(&slot) = t.shared.counters.get(&info) else { return };
        let amount = t.expr(amount).one();
        let base = self.address(t, s);
        let flags = flags(t);
        let offset = i32::try_from(slot * 8).expect("fewer than 2^28 counters in an object");
        if t.shared.atomic && !block::has_blocks(t.shared.triple) {
            let cell = t.b.ins().iadd_imm_s(base, i64::from(offset));
            t.b.ins().atomic_rmw(types::I64, flags, AtomicRmwOp::Add, cell, amount);
            return;
        }
        let old = t.b.ins().load(types::I64, flags, base, offset);
        let new = t.b.ins().iadd(old, amount);
        t.b.ins().store(flags, new, base, offset);
    }
}

/// The tallies with a counter, and the probes with a countdown.
fn tallies(t: &Translator<'_, '_>) -> FxHashSet<Stmt> {
    t.unit.walk().into_iter().filter(|&s| counts(t, s)).collect()
}

fn counts(t: &Translator<'_, '_>, s: Stmt) -> bool {
    match t.unit.head(s) {
        Head::Tally { counter, .. } => t.shared.counters.contains_key(&t.unit.counter(counter)),
        Head::Probe { op, record, .. } => crate::probe::has_countdown(t, op, record),
        Head::Trips { counter, .. } => trips::has_cells(t, counter),
        _ => false,
    }
}

/// The first of the statements that count, if it stands in no loop and control comes to the others by it only.
fn gate(unit: &Unit, all: &FxHashSet<Stmt>) -> Option<Stmt> {
    let labels = labels(unit);
    let order: Vec<Stmt> = unit.stmts(unit.body()).collect();
    let from = order.iter().position(|s| all.contains(s))?;
    let to = order.iter().rposition(|s| all.contains(s))?;
    let is_inside = |at: usize| from < at && at <= to;
    let passes_by = |(at, &s): (usize, &Stmt)| {
        let mut targets = unit.targets(unit.head(s)).into_iter().filter_map(|l| labels.get(&l).copied());
        at != from && !is_inside(at) && targets.any(is_inside)
    };
    let is_in_loop = loops(unit, &labels).iter().any(|&(begin, end)| begin <= from && from <= end);
    let is_gate = !is_in_loop && !order.iter().enumerate().any(passes_by);
    is_gate.then(|| order[from])
}

/// Whether the address would be computed at several places of one way through the function: Cranelift places a value before its first use on
/// each way, and a use in an arm is none for the code behind it. A store at the entry, even if no load follows, is the first
/// use for all places.
fn is_sought_again(t: &Translator<'_, '_>) -> bool {
    let labels = labels(t.unit);
    block::has_blocks(t.shared.triple) && loops(t.unit, &labels).is_empty() && joins(t, &labels) >= LEAST_JOINS
}

/// The number of labels that control comes to from places that count as well as past them, with others behind.
fn joins(t: &Translator<'_, '_>, labels: &FxHashMap<Label, usize>) -> usize {
    let unit = t.unit;
    let mut places = Vec::new();
    // The first and the last jump to each label.
    let mut jumps: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    let mut falls = vec![true];
    for (at, s) in unit.stmts(unit.body()).enumerate() {
        if counts(t, s) {
            places.push(at);
        }
        for to in unit.targets(unit.head(s)).iter().filter_map(|l| labels.get(l)) {
            jumps.entry(*to).or_insert((at, at)).1 = at;
        }
        falls.push(!unit.head(s).is_jump());
    }
    let is_join = |(&at, &(first, last)): (&usize, &(usize, usize))| {
        let inside = places.get(places.partition_point(|&p| p < first)).filter(|&&p| p < at);
        inside.is_some_and(|&p| falls[at] || p < last) && places.last().is_some_and(|&p| p > at)
    };
    jumps.iter().filter(|&j| is_join(j)).count()
}

fn is_one_that_runs_once(t: &Translator<'_, '_>, all: &FxHashSet<Stmt>) -> bool {
    let runs_once = |&s: &Stmt| t.unit.enclosing(s).is_none() && loops(t.unit, &labels(t.unit)).is_empty();
    all.len() == 1 && all.iter().all(runs_once)
}

/// Whether the address of the counters is worth having for a countdown: it is there for the tallies, or there is a loop beside which it
/// costs little. To be asked before the probes of the unit count down.
pub(crate) fn is_worth_a_countdown(t: &Translator<'_, '_>) -> bool {
    let all = tallies(t);
    let has_address = !all.is_empty() && !is_one_that_runs_once(t, &all);
    has_address || !loops(t.unit, &labels(t.unit)).is_empty()
}

/// The flags of loads from the block and stores into it.
pub(crate) fn flags(t: &mut Translator<'_, '_>) -> MemFlagsData {
    MemFlagsData::trusted().with_alias_region(Some(t.counter_region()))
}

/// The places of the labels.
fn labels(unit: &Unit) -> FxHashMap<Label, usize> {
    let place = |(at, s)| match unit.head(s) {
        Head::Label(l) => Some((l, at)),
        _ => None,
    };
    unit.stmts(unit.body()).enumerate().filter_map(place).collect()
}

/// The loops as the places of their labels and of the last jumps back to them, in the order of the labels. At L a loop
/// reaches from the one to the other.
fn loops(unit: &Unit, labels: &FxHashMap<Label, usize>) -> Vec<(usize, usize)> {
    let mut ends: FxHashMap<usize, usize> = FxHashMap::default();
    for (at, s) in unit.stmts(unit.body()).enumerate() {
        let targets = unit.targets(unit.head(s));
        for &start in targets.iter().filter_map(|l| labels.get(l)).filter(|&&start| start < at) {
            ends.insert(start, at);
        }
    }
    let mut loops: Vec<(usize, usize)> = ends.into_iter().collect();
    loops.sort_unstable();
    loops
}

/// Whether the tallies stand outside of loops, or where they are left, and at most one place that counts has others behind it.
fn count_on_the_way_out(unit: &Unit, tallies: &FxHashSet<Stmt>) -> bool {
    let labels = labels(unit);
    let loops = loops(unit, &labels);
    let around = |at: usize, x: usize| loops.iter().any(|&(from, to)| from <= at && at <= to && from <= x && x <= to);
    let mut places = 0;
    let mut was_counting = false;
    if tallies.iter().any(|&s| matches!(unit.head(s), Head::Probe { .. })) {
        return false;
    }
    for (at, s) in unit.stmts(unit.body()).enumerate() {
        if !tallies.contains(&s) {
            was_counting &= unit.head(s).is_invisible();
            continue;
        }
        let mut behind = std::iter::successors(unit.next(s), |&x| unit.next(x));
        let leaves = match behind.find(|&x| !unit.head(x).is_invisible()).map(|x| unit.head(x)) {
            None | Some(Head::Return) => true,
            Some(Head::Goto(l)) => labels.get(&l).is_some_and(|&to| !around(at, to)),
            _ => false,
        };
        if !leaves && around(at, at) {
            return false;
        }
        places += usize::from(!leaves && !was_counting);
        was_counting = true;
    }
    places <= 1
}

/// The tallies behind the beginning of the first loop that are not in an innermost one, or on the way out of it.
fn outside_of_inner_loops(unit: &Unit) -> FxHashSet<Stmt> {
    let labels = labels(unit);
    let loops = loops(unit, &labels);
    let Some(&(first, _)) = loops.first() else { return FxHashSet::default() };
    // Where the last loop without loops in it ends.
    let mut innermost = 0;
    let mut next = loops.iter().enumerate().peekable();
    let mut out = FxHashSet::default();
    for (at, s) in unit.stmts(unit.body()).enumerate() {
        while let Some((k, &(_, end))) = next.next_if(|(_, l)| l.0 == at) {
            if loops.get(k + 1).is_none_or(|l| l.0 > end) {
                innermost = innermost.max(end + 1);
            }
        }
        match unit.head(s) {
            Head::Tally { .. } | Head::Trips { .. } | Head::Probe { .. } if at > first && at >= innermost => {
                out.insert(s);
            }
            Head::Goto(l) if at < innermost && labels.get(&l).is_some_and(|&to| to >= innermost) => {
                let before = std::iter::successors(unit.prev(s), |&x| unit.prev(x));
                out.extend(before.take_while(|&x| matches!(unit.head(x), Head::Tally { .. } | Head::Trips { .. })));
            }
            _ => {}
        }
    }
    out
}
