//! The cost of counting: which operations are left in the code, and which counts say how often each runs.
//!
//! ```text
//! do i = 1, n               iterations @2
//!   if (a(i) > x) then      an add in a register, as often as taken.0 @3
//!     …
//! end do                    an add in memory, as often as invocations @2
//! ```
//!
//! Before counts that follow from others are taken out of the code, each stretch of statements gets a count that tells
//! how often it runs: that of a tally in it ([`Places`]). Such a count is known at the end of the run, whether it keeps
//! a counter or not. A stretch without a tally runs as often as the loop or procedure around it, or half as often as a
//! conditional.
//!
//! A counter that several places add to gives only their sum; it is divided among the places by their static
//! frequencies.

use crate::flow::Jumps;
use crate::latency::waits;
use crate::{Discharged, derive};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trueline_abi::cost::{Class, CostMeta};
use trueline_abi::profile::CountSource;
use trueline_ir::{Block, Callee, Expr, ExprData, Head, Intrinsic, Program, Stmt, Unit, UnitKind};
use trueline_provenance::{CounterInfo, Measure, Serial};

/// The executions of the statements of a program, as multiples of counts.
#[derive(Clone, Default, Debug)]
pub struct Places {
    /// By the number of a unit and a statement: a stretch of statements that control passes all of, or none.
    stretches: FxHashMap<(usize, Stmt), usize>,
    /// The count of each stretch, if a tally in it has one.
    counts: Vec<Option<Part>>,
}

/// A part of a count.
#[derive(Clone, Copy, Debug)]
struct Part {
    count: CounterInfo,
    factor: f64,
    /// The number of places that add to the counter.
    places: usize,
}

/// A tally with a constant amount.
struct Add {
    stretch: usize,
    amount: f64,
    /// The approximate number of its executions in one activation.
    frequency: f64,
}

impl Places {
    /// The stretches of a program that has all its tallies.
    pub(crate) fn new(program: &Program) -> Places {
        let mut out = Places::default();
        let mut adds: indexmap::IndexMap<CounterInfo, Vec<Add>, rustc_hash::FxBuildHasher> = Default::default();
        // Other additions to a counter are not known before the run.
        let mut others: FxHashMap<CounterInfo, usize> = FxHashMap::default();
        for (u, unit) in program.units.iter().enumerate().filter(|(_, u)| u.kind() != UnitKind::Data) {
            let leaving = derive::leaving(unit);
            for b in unit.all_blocks() {
                out.counts.push(None);
                for s in unit.stmts(b) {
                    if matches!(unit.head(s), Head::Label(_)) {
                        out.counts.push(None);
                    }
                    out.stretches.insert((u, s), out.counts.len() - 1);
                    if leaving.contains(&s) {
                        out.counts.push(None);
                    }
                }
            }
            let order = unit.walk();
            let jumps = Jumps::new(unit, &order);
            for (at, &s) in order.iter().enumerate() {
                let Head::Tally { counter, amount } = unit.head(s) else { continue };
                let (info, stretch) = (unit.counter(counter), out.stretches[&(u, s)]);
                match unit.pool().as_int(amount) {
                    Some(k) if k > 0 => {
                        let frequency = jumps.frequency(unit, s, at).max(1) as f64;
                        adds.entry(info).or_default().push(Add { stretch, amount: k as f64, frequency });
                    }
                    _ => *others.entry(info).or_default() += 1,
                }
            }
        }
        for (count, adds) in adds.into_iter().filter(|(info, _)| !others.contains_key(info)) {
            // The copies with the larger amounts run more often: the others are the rest of an unrolled loop.
            let sum: f64 = adds.iter().map(|a| a.frequency * a.amount * a.amount).sum();
            for add in &adds {
                let factor = add.frequency * add.amount / sum;
                let old = &mut out.counts[add.stretch];
                if old.is_none_or(|p| p.places > adds.len()) {
                    *old = Some(Part { count, factor, places: adds.len() });
                }
            }
        }
        out
    }

    /// The count that tells how often `s` of unit `u` runs. Statements made later run as often as the next one of the
    /// original program.
    fn of(&self, program: &Program, u: usize, s: Stmt, copies: &Copies, known: &Known<'_>) -> (f64, CounterInfo) {
        let unit = &program.units[u];
        let (mut at, mut factor) = (s, 1.0);
        loop {
            let old = std::iter::successors(Some(at), |&x| unit.next(x)).find_map(|x| self.stretches.get(&(u, x)));
            let old = old.or_else(|| {
                std::iter::successors(Some(at), |&x| unit.prev(x)).find_map(|x| self.stretches.get(&(u, x)))
            });
            if let Some(part) = old.and_then(|&k| self.counts[k]).filter(|p| known(p.count)) {
                return (factor * part.factor, part.count);
            }
            let Some(outer) = unit.enclosing(at) else {
                return (factor, invocations(unit.serial()));
            };
            if let Some(trips) = copies.rests.get(&(u, outer)) {
                factor *= trips;
            } else if unit.head(outer).is_loop() {
                let mut loops = unit.sources(outer).map(|of| CounterInfo { of, measure: Measure::Iterations });
                let count = loops.find(|c| known(*c)).filter(|_| !copies.around.contains(&(u, outer)));
                if let Some(count) = count {
                    return (factor * copies.part(count.of) / at_once(unit, outer), count);
                }
                factor *= trips(unit, outer);
            } else {
                factor /= 2.0;
            }
            at = outer;
        }
    }
}

/// Whether a count is known at the end of the run.
type Known<'a> = dyn Fn(CounterInfo) -> bool + 'a;

/// The loops of a program that stand for one of the source.
#[derive(Default)]
struct Copies {
    /// Loops that make the iterations that another one leaves, since its step is larger, with the mean number of them.
    rests: FxHashMap<(usize, Stmt), f64>,
    /// The number of the other loops, of which none is in another.
    wholes: FxHashMap<Serial, f64>,
    /// Loops around another one of the same source, as in a nest that was interchanged: then no count of the source tells the
    /// iterations of the outer one.
    around: FxHashSet<(usize, Stmt)>,
}

impl Copies {
    fn new(program: &Program) -> Copies {
        let mut out = Copies::default();
        for (u, unit) in program.units.iter().enumerate().filter(|(_, u)| u.kind() != UnitKind::Data) {
            let mut by_source: FxHashMap<Serial, Vec<(Stmt, u64)>> = FxHashMap::default();
            for l in unit.walk().into_iter().filter(|&l| unit.head(l).is_loop()) {
                let step = if let Head::Do { step, .. } = unit.head(l) { unit.pool().as_int(step) } else { None };
                for of in unit.sources(l) {
                    by_source.entry(of).or_default().push((l, step.map_or(1, i64::unsigned_abs).max(1)));
                }
            }
            by_source.into_iter().for_each(|(of, loops)| out.add(u, unit, of, &loops));
        }
        out
    }

    /// Adds the loops of unit number `u` that stand for the loop `of` of the source, with their steps.
    fn add(&mut self, u: usize, unit: &Unit, of: Serial, loops: &[(Stmt, u64)]) {
        let is_in = |l: Stmt, outer: Stmt| unit.ancestors(l).any(|a| a == outer);
        for &(l, step) in loops {
            if loops.iter().any(|w| w.0 != l && is_in(w.0, l)) {
                self.around.insert((u, l));
            }
            let whole = loops.iter().filter(|&&(w, by)| by > step && !is_in(l, w) && !is_in(w, l)).map(|w| w.1).max();
            if let Some(by) = whole {
                self.rests.insert((u, l), (by / step - 1) as f64 / 2.0);
            } else if !loops.iter().any(|w| is_in(l, w.0)) {
                *self.wholes.entry(of).or_default() += 1.0;
            }
        }
    }

    /// The part of the iterations of the loop `of` of the source that one of its loops makes.
    fn part(&self, of: Serial) -> f64 {
        1.0 / self.wholes.get(&of).copied().unwrap_or(1.0)
    }
}

/// The iterations of an entry of the loop `l`: assumed, if they are not constant.
fn trips(unit: &Unit, l: Stmt) -> f64 {
    let Head::Do { lo, hi, step, .. } = unit.head(l) else { return TRIPS };
    match [lo, hi, step].map(|e| unit.pool().as_int(e)) {
        [Some(lo), Some(hi), Some(step)] => trueline_ir::trip_count(lo, hi, step) as f64,
        _ => TRIPS,
    }
}

/// The iterations of the source that one of the loop `l` makes: the step, if it computes in vectors, since those are made of loops
/// with steps of one; else the copies of a statement in its body, as far as they divide the step.
fn at_once(unit: &Unit, l: Stmt) -> f64 {
    let Head::Do { step, .. } = unit.head(l) else { return 1.0 };
    let step = unit.pool().as_int(step).map_or(1, i64::unsigned_abs);
    if step <= 1 {
        return 1.0;
    }
    let is_vector = |s: Stmt| {
        let mut found = false;
        for e in unit.values(unit.head(s)) {
            unit.visit_expr(e, &mut |x| found |= unit.ty(x).is_vector());
        }
        found
    };
    if unit.walk_stmt(l).into_iter().any(is_vector) {
        return step as f64;
    }
    let mut copies: FxHashMap<_, u64> = FxHashMap::default();
    for s in unit.stmts(unit.blocks(l)[0]) {
        if matches!(unit.head(s), Head::Store { .. } | Head::If { .. }) {
            *copies.entry(unit.set(s)).or_default() += 1;
        }
    }
    let most = copies.into_values().max().unwrap_or(1);
    (1..=most.min(step)).rev().find(|k| step.is_multiple_of(*k)).unwrap_or(1) as f64
}

/// The assumed iterations of an entry of an unknown loop.
const TRIPS: f64 = 10.0;

/// Operations on registers that it takes to find the cell of an entry with few trips.
const FEW: f64 = 2.0;
/// Operations on vectors that take as long as numbering the true lanes of a mask: of sixteen, and of fewer.
const ONES: [f64; 2] = [4.0, 2.0];
/// Additions to counters in memory that take as long as the call that finds the buckets of all entries in the closed form of a triangular nest.
const SPREAD: f64 = 60.0;

/// The fewest additions to a counter in a procedure that wait for one another.
const FEWEST_CHAINED: usize = 4;
/// Additions that wait for none that take as long as one that waits: four cycles.
const CHAINED: f64 = 6.0;

fn invocations(of: Serial) -> CounterInfo {
    CounterInfo { of, measure: Measure::Invocations }
}

/// The operations of each class, as sums over cells.
pub(crate) fn costs(
    program: &Program,
    discharged: &Discharged,
    source: &dyn Fn(CounterInfo) -> CountSource,
) -> Vec<CostMeta> {
    let mut sums = Sums { cells: BTreeMap::new(), partly: false, source };
    let planted: FxHashSet<CounterInfo> =
        program.units.iter().flat_map(|u| u.counters().map(|(_, info)| info)).collect();
    let known = |info: CounterInfo| planted.contains(&info) && matches!(source(info), CountSource::Sum { .. });
    let copies = Copies::new(program);
    for (u, unit) in program.units.iter().enumerate().filter(|(_, u)| u.kind() != UnitKind::Data) {
        let order = unit.walk();
        let mut tallies = Vec::new();
        let is_call = |head| unit.calls_others(head) && !unit.never_returns(head);
        let calling = around(unit, &order, &is_call);
        let outer = around(unit, &order, &|head| head.is_loop());
        let chained = chained(unit, &order);
        let mut waiting: FxHashMap<Stmt, bool> = FxHashMap::default();
        // Arms that end the run, with a check or STOP, run once at most.
        let ends_run = |&&s: &&Stmt| unit.never_returns(unit.head(s));
        let last: FxHashSet<Option<Block>> = order.iter().filter(ends_run).map(|&s| unit.parent(s)).collect();
        // The loop around each statement with a body; statements that enclose others come first.
        let mut loops: FxHashMap<Stmt, Option<Stmt>> = FxHashMap::default();
        for &s in &order {
            let enclosing = unit.enclosing(s);
            let around = match enclosing {
                Some(outer) if unit.head(outer).is_loop() => enclosing,
                Some(outer) => loops.get(&outer).copied().flatten(),
                None => None,
            };
            if !unit.blocks(s).is_empty() {
                loops.insert(s, around);
            }
            let memory = match (calling.contains(&around), outer.contains(&around)) {
                (true, _) => Class::Call,
                (false, true) => Class::Around,
                (false, false) => Class::Memory,
            };
            let is_innermost = |l: Stmt| !calling.contains(&Some(l)) && !outer.contains(&Some(l));
            if let Some(at) = conditional(unit, s, around, &is_innermost) {
                let (factor, count) = discharged.places.of(program, u, at, &copies, &known);
                sums.add_known(Class::Branch, factor, count);
            }
            let mut operations = operations(unit, s, memory);
            if operations.is_empty() || (around.is_some() && last.contains(&unit.parent(s))) {
                continue;
            }
            if chained.contains(&s) {
                operations[0] = (Class::Memory, CHAINED);
            }
            if around.is_some_and(|l| *waiting.entry(l).or_insert_with(|| waits(unit, l))) {
                operations.iter_mut().for_each(|o| o.0 = Class::Hidden);
            } else if around.is_some() && enclosing != around {
                let in_registers = operations.iter_mut().filter(|o| o.0 == Class::Register);
                in_registers.for_each(|o| o.0 = Class::Arm);
            }
            let (factor, count) = discharged.places.of(program, u, s, &copies, &known);
            for (class, n) in operations {
                sums.add(class, n * factor, count);
            }
            if matches!(unit.head(s), Head::Tally { .. } | Head::Trips { .. }) {
                tallies.push((factor, count));
            }
        }
        // The address of the counters: where the only one is added to, or once at the beginning.
        match (tallies.as_slice(), unit.stmts(unit.body()).next()) {
            ([], _) | (_, None) => {}
            (&[(factor, count)], _) => sums.add(Class::Address, factor.min(1.0), count),
            (_, Some(first)) => {
                let (factor, count) = discharged.places.of(program, u, first, &copies, &known);
                sums.add(Class::Address, factor, count);
            }
        }
    }
    let cells: FxHashMap<CounterInfo, u32> = discharged.cells.iter().zip(0..).map(|(c, i)| (*c, i)).collect();
    for (_, info, _) in &discharged.entries {
        if let Some(&cell) = cells.get(info) {
            *sums.cells.entry((Class::Entry, cell)).or_default() += 1.0;
        }
    }
    sums.finish()
}

/// The additions to a counter that has several in a procedure which calls itself, as after it was inlined into itself: little else is done
/// between two of them, so each waits for the one before.
fn chained(unit: &Unit, order: &[Stmt]) -> FxHashSet<Stmt> {
    let is_own = |&s: &Stmt| matches!(unit.head(s), Head::Call { callee: Callee::Proc(p), .. } if unit.proc(p).symbol == unit.symbol());
    if !order.iter().any(is_own) {
        return FxHashSet::default();
    }
    let mut by_counter: FxHashMap<_, Vec<Stmt>> = FxHashMap::default();
    for &s in order {
        if let Head::Tally { counter, .. } = unit.head(s) {
            by_counter.entry(counter).or_default().push(s);
        }
    }
    by_counter.into_values().filter(|all| all.len() >= FEWEST_CHAINED).flatten().collect()
}

/// The loops with such statements in them; `None` for the code outside of loops.
fn around(unit: &Unit, order: &[Stmt], is_wanted: &dyn Fn(Head) -> bool) -> FxHashSet<Option<Stmt>> {
    let mut out = FxHashSet::from_iter([None]);
    for &s in order.iter().filter(|&&s| is_wanted(unit.head(s))) {
        for a in unit.ancestors(s).filter(|&a| unit.head(a).is_loop()) {
            // The loops around one that is there are, too.
            if !out.insert(Some(a)) {
                break;
            }
        }
    }
    out
}

/// A statement that runs as often as `s` decides where to go on by values, in an innermost loop without calls; `around` is the loop
/// around `s`. The end of a counted loop is foreseen.
fn conditional(unit: &Unit, s: Stmt, around: Option<Stmt>, is_innermost: &dyn Fn(Stmt) -> bool) -> Option<Stmt> {
    match unit.head(s) {
        Head::If { .. } | Head::Select { .. } => around.filter(|&l| is_innermost(l)).map(|_| s),
        Head::Do { .. } => None,
        head if head.is_loop() && is_innermost(s) => unit.stmts(unit.blocks(s)[0]).next(),
        _ => None,
    }
}

/// The operations that are made for measuring at a statement. Additions to counters are of the class `memory`.
fn operations(unit: &Unit, s: Stmt, memory: Class) -> Vec<(Class, f64)> {
    let computed = |e: Expr| {
        let (mut scalars, mut lanes) = (0.0, 0.0);
        unit.visit_expr(e, &mut |x| {
            if let ExprData::Intrinsic(Intrinsic::Ones, args) = unit.expr(x) {
                let is_of_bytes = unit.list(args).iter().any(|&mask| unit.ty(mask).lanes() >= 16);
                lanes += ONES[usize::from(!is_of_bytes)];
                return;
            }
            *(if unit.ty(x).is_vector() { &mut lanes } else { &mut scalars }) += operations_of(unit, x);
        });
        [(Class::Register, scalars), (Class::Lanes, lanes)]
    };
    let mut out = Vec::new();
    match unit.head(s) {
        Head::Tally { amount, .. } => {
            out.push((memory, 1.0));
            out.extend(computed(amount));
        }
        // Each bucket of the sums of a triangular nest takes a few divisions.
        Head::Trips { trips, times, spread, .. } => {
            let (cells, more) = if spread { (3.0, (Class::Memory, SPREAD)) } else { (1.0, (Class::Register, FEW)) };
            out.extend([(memory, cells), more]);
            out.extend(computed(trips).into_iter().chain(computed(times)));
        }
        Head::Ghost { value, .. } => {
            out.extend(computed(value));
            if out.iter().all(|o| o.1 == 0.0) {
                out.push((if unit.ty(value).is_vector() { Class::Lanes } else { Class::Register }, 1.0));
            }
        }
        Head::Probe { op, .. } if op.is_start() => out.push((Class::Test, 1.0)),
        head @ (Head::GhostIf { .. } | Head::GhostDo { .. } | Head::GhostStore { .. } | Head::GhostCall { .. }) => {
            out.push((Class::Register, 1.0));
            out.extend(unit.values(head).into_iter().flat_map(computed));
        }
        _ => {}
    }
    out.retain(|o| o.1 > 0.0);
    out
}

/// The operations on registers that an expression takes beside those of its operands.
fn operations_of(unit: &Unit, e: Expr) -> f64 {
    match unit.expr(e) {
        // A mask is added to the lanes of a vector in one operation.
        ExprData::Intrinsic(Intrinsic::Merge, _) if unit.ty(e).is_vector() => 0.0,
        ExprData::Convert(..) if unit.ty(e).is_vector() => 0.0,
        _ if is_operation(unit, e) => 1.0,
        _ => 0.0,
    }
}

/// Whether an expression takes an instruction beside those of its operands.
pub(crate) fn is_operation(unit: &Unit, e: Expr) -> bool {
    matches!(
        unit.expr(e),
        ExprData::Binary(..)
            | ExprData::Unary(..)
            | ExprData::Convert(..)
            | ExprData::Intrinsic(..)
            | ExprData::Elem(..)
            | ExprData::Wide(..)
            | ExprData::Load { .. }
    )
}

/// Sums over cells by class.
struct Sums<'a> {
    cells: BTreeMap<(Class, u32), f64>,
    /// Whether something is missing.
    partly: bool,
    source: &'a dyn Fn(CounterInfo) -> CountSource,
}

impl Sums<'_> {
    fn add(&mut self, class: Class, factor: f64, count: CounterInfo) {
        match (self.source)(count) {
            CountSource::Sum { terms } => {
                for (k, cell) in terms {
                    *self.cells.entry((class, cell)).or_default() += factor * k as f64;
                }
            }
            CountSource::Unavailable { .. } => self.partly = true,
        }
    }

    /// The same, but nothing is missing if the count is not known.
    fn add_known(&mut self, class: Class, factor: f64, count: CounterInfo) {
        if matches!((self.source)(count), CountSource::Sum { .. }) {
            self.add(class, factor, count);
        }
    }

    fn finish(self) -> Vec<CostMeta> {
        let mut out: Vec<CostMeta> = Vec::new();
        let terms = self.cells.into_iter().map(|(at, n)| (at, (n * 1e4).round() / 1e4));
        for ((class, cell), factor) in terms.filter(|(_, n)| *n != 0.0) {
            match out.last_mut().filter(|c| c.class == class) {
                Some(last) => last.terms.push((factor, cell)),
                None => out.push(CostMeta { class, terms: vec![(factor, cell)], partly: false }),
            }
        }
        if self.partly {
            out.push(CostMeta { class: Class::Memory, terms: vec![], partly: true });
        }
        out
    }
}
