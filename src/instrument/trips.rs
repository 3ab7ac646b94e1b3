//! The trips of loops at the end: the remaining brackets become code, or need none.
//!
//! ```text
//! tripsopen @2                     ghost g = 0
//! do i = 1, n                      do i = 1, n
//!   tally iterations @2 += 1         tally iterations @2 += 1
//!   if a(i) > x                =>    ghost g = g + 1
//!     tripsclose @2                  if a(i) > x
//!     goto out                         trips @2 g times 1
//!   end                                goto out
//! end                                end
//! tripsclose @2                    end
//!                                  trips @2 g times 1
//! ```
//!
//! A loop whose trips are the same constant in all entries needs nothing: its histogram is the number of its entries.
//! Entries with one of several constants (copies of an inlined procedure) have a counter for each constant. All others
//! add to the cells of a histogram: then the entries of the loop are the sum of the cells, and their own counter goes;
//! so does that of the iterations, if the trips are added in one place.

use crate::Discharged;
use crate::bracket::{OfLoop, Order, Range, of_loops};
use crate::discharge::tall_loops;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trueline_abi::trips::{BUCKETS, FEW as FEW_CELLS, TripCounts, bucket};
use trueline_ir::{Counter, Editor, Expr, ExprData, Head, Intrinsic, Place, Program, Stmt, Type, Unit, UnitKind, Why};
use trueline_provenance::{CounterInfo, Measure, Serial};

/// The source of the trips of a loop after the run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopTrips {
    /// Trips that some entries have, and the count of these entries.
    pub constants: Vec<(u64, CounterInfo)>,
    /// The number of cells of its histogram; none if there are no other entries.
    pub buckets: Option<u8>,
    /// The number of its cells for single numbers of trips; none if entries are derived by closed forms.
    pub few: u8,
    /// Whether some trips are counted when the loop is left.
    pub behind: bool,
}

/// A statement that counts trips: the number of its unit.
type At = (usize, Stmt);

/// Closes the trips that have a closed form.
pub(crate) fn collapse(program: &mut Program) {
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        let tall = tall_loops(&ed);
        for b in ed.all_blocks() {
            if tall.is_empty() || !ed.stmts(b).any(|s| tall.contains(&s)) {
                ed.collapse_trips(b);
            }
        }
    }
}

/// Operations to count the trips of an entry of a loop, if they are few: a test, and an add to the cell of that number.
const ENTRY: usize = 12;
/// The least work of an entry of a loop, as a multiple of [`ENTRY`], that is worth counting its trips: these then take
/// a twentieth of its time at most.
const WORTH: usize = 20;
/// Assumed iterations of an entry of a loop that is left early, or whose end is not counted.
const FEW: u64 = 10;
/// Assumed iterations of an entry of a counted loop, unless fewer are possible: rows of sparse matrices have hardly
/// more.
const SOME: u64 = 16;
/// The least number of operations of a call.
const CALL: usize = 20;
/// Why the trips of a loop are not counted.
const TOO_DEAR: &str = "counting them would take too long beside its few operations; with --overhead=none or -fprofile-trueline=all they are counted";

/// Gives up the trips of loops whose entries are estimated to do too little: counting the trips would cost more than a
/// twentieth of an entry. The numbers of entries and iterations stay.
pub(crate) fn give_up_dear(program: &mut Program) {
    let mut dear: FxHashSet<Serial> = FxHashSet::default();
    // In a deep nest each loop does much.
    for unit in program.units.iter().filter(|u| u.kind() != UnitKind::Data && !u.is_deep()) {
        let mut smallest: BTreeMap<Serial, (usize, Stmt)> = BTreeMap::new();
        for s in unit.walk().into_iter().filter(|&s| unit.head(s).is_loop()) {
            let work = work(unit, s);
            for of in unit.sets().atoms(unit.set(s)).iter().map(|o| o.stmt) {
                let known = smallest.entry(of).or_insert((work, s));
                if work < known.0 {
                    *known = (work, s);
                }
            }
        }
        for s in unit.walk() {
            let of = unit.bracket(s).map(|(of, _)| of).or_else(|| trips_of(unit, s));
            let Some((of, &(work, entered))) = of.and_then(|of| Some((of, smallest.get(&of)?))) else { continue };
            let is_hoisted = trips_of(unit, s).is_some() && around(unit, s).count() < around(unit, entered).count();
            if constant(unit, s).is_none() && !is_hoisted && work < WORTH * ENTRY {
                dear.insert(of);
            }
        }
    }
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        for s in ed.walk() {
            if let Head::Bracket { counter, .. } | Head::Trips { counter, .. } = ed.head(s)
                && ed.parent(s).is_some()
                && dear.contains(&ed.counter(counter).of)
            {
                ed.lose_trips(counter, TOO_DEAR);
            }
        }
    }
}

/// The loops around a statement.
fn around(unit: &Unit, s: Stmt) -> impl Iterator<Item = Stmt> + '_ {
    unit.ancestors(s).filter(|&a| unit.head(a).is_loop())
}

/// The operations of an entry of the loop `s`, as it is estimated.
fn work(unit: &Unit, s: Stmt) -> usize {
    let inside: Vec<Stmt> = unit.walk_stmt(s).into_iter().skip(1).filter(|&x| !unit.head(x).is_invisible()).collect();
    let is_inside = |l| inside.iter().any(|&x| unit.head(x) == Head::Label(l));
    let leaves = |&x: &Stmt| match unit.head(x) {
        Head::Goto(l) => !is_inside(l),
        head => head == Head::Return,
    };
    let trips = match unit.head(s) {
        Head::Do { hi, .. } if !inside.iter().any(leaves) => {
            // An inner loop up to a constant: `do k = l + 1, 5`.
            unit.pool().as_int(hi).and_then(|n| u64::try_from(n).ok()).map_or(SOME, |n| SOME.min(n.div_ceil(2)))
        }
        _ => FEW,
    };
    let of = |&x: &Stmt| {
        let mut n = 1;
        let is_operation = |e: Expr| {
            use ExprData::{Binary, Elem, Intrinsic, Load, Unary};
            matches!(unit.expr(e), Binary(..) | Elem(..) | Intrinsic(..) | Load { .. } | Unary(..))
        };
        unit.values(unit.head(x))
            .into_iter()
            .for_each(|e| unit.visit_expr(e, &mut |x| n += usize::from(is_operation(x))));
        let deeper = around(unit, x).take_while(|&a| a != s).count().min(4) as u32;
        let call = if matches!(unit.head(x), Head::Call { .. }) { CALL } else { 0 };
        (n + call).saturating_mul((FEW as usize).pow(deeper))
    };
    inside.iter().map(of).sum::<usize>().saturating_mul(trips as usize)
}

/// Makes code of the remaining brackets, and decides how trips are counted.
pub(crate) fn settle(program: &mut Program, late: &mut Late, out: &mut Discharged) {
    for (u, unit) in program.units.iter_mut().enumerate().filter(|(_, u)| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        close_brackets(&mut ed, u, late, &|_| true);
    }
    out.behind.extend(late.counts.iter().copied());
    drop_lost(program);
    spread_constants(program);
    decide(program, &late.trips, out);
}

/// The same in unit number `u` for loops that left nothing but copies of their bodies. They may be the whole body of
/// another loop, whose exits then tell how often each copy ran.
pub(crate) fn settle_unrolled(ed: &mut Editor<'_>, u: usize, late: &mut Late) {
    close_brackets(ed, u, late, &|(order, range)| order.loops(range) == 0);
}

/// The counts that are made when loops are left.
#[derive(Default)]
pub(crate) struct Late {
    trips: FxHashSet<At>,
    counts: Vec<CounterInfo>,
}

/// A choice of brackets.
type Which<'a> = &'a dyn Fn((&Order, &Range)) -> bool;

fn close_brackets(ed: &mut Editor<'_>, u: usize, out: &mut Late, which: Which<'_>) {
    let loops = of_loops(ed);
    if loops.is_empty() {
        return;
    }
    let order = Order::new(ed);
    for (of, mut found) in loops {
        found.sink_ends(ed, &order, of);
        let ranges = found.ranges(ed, &order);
        if !ranges.iter().all(|r| which((&order, r))) {
            continue;
        }
        if !found.are_whole(ed, &order, &ranges, of) {
            let counter = ed.counter_for(CounterInfo { of, measure: Measure::Trips });
            ed.lose_trips(counter, "discharge");
            continue;
        }
        for range in ranges {
            close(ed, u, (&order, &found, &range), of, out);
        }
    }
}

fn trips_of(unit: &Unit, s: Stmt) -> Option<Serial> {
    match unit.head(s) {
        Head::Trips { counter, .. } => Some(unit.counter(counter).of),
        _ => None,
    }
}

/// Makes code of a bracket.
fn close(ed: &mut Editor<'_>, u: usize, what: (&Order, &OfLoop, &Range), of: Serial, out: &mut Late) {
    let (order, found, range) = what;
    let (ends, before): (Vec<Stmt>, Vec<Vec<Stmt>>) = found.ends(ed, range, of).into_iter().unzip();
    let adds = found.adds(range);
    let mut amounts: Vec<Expr> = Vec::new();
    if before.iter().map(Vec::len).sum::<usize>() == adds.len() {
        // The variable gives the number of iterations, wherever the loop is left.
        for list in before {
            let mut sum = ed.int(Type::I8, 0);
            for t in list {
                let Head::Tally { amount, .. } = ed.head(t) else { continue };
                sum = if ed.pool().as_int(sum) == Some(0) {
                    amount
                } else {
                    ed.binary(trueline_ir::BinaryOp::Add, sum, amount)
                };
            }
            amounts.push(sum);
        }
    } else if let Some(total) = closed(ed, (order, range), of, &ends) {
        // The loop may not come to its end, but if it does, the total is known before.
        amounts.push(total);
    } else {
        let now = ed.gained(&adds, of, range.open);
        // The ghost is there in any case. A run that is cut short in an outer loop should know its iterations.
        if order.is_flat(range) && !order.has_calls(range) {
            for &t in &adds {
                ed.eliminate(t, Why::Counting);
            }
            let info = CounterInfo { of, measure: Measure::Iterations };
            for &end in &ends {
                let counter = ed.counter_for(info);
                ed.tally(counter, now, Place::Before(end));
            }
            out.counts.push(info);
        }
        amounts = vec![now; ends.len()];
    }
    let (one, counter) = (ed.int(Type::I8, 1), ed.counter_for(CounterInfo { of, measure: Measure::Trips }));
    if let Some((entry, entries)) =
        entry_beside(ed, range.open, of).filter(|_| !ends.is_empty() && !order.has_calls(range))
    {
        // Beside the trips, whose cells give their number ([`derive_entries`]).
        ed.eliminate(entry, Why::Counting);
        for &end in &ends {
            ed.tally(entries, one, Place::Before(end));
        }
        out.counts.push(ed.counter(entries));
    }
    for (&end, trips) in ends.iter().zip(amounts) {
        let head = Head::Trips { counter, trips, times: one, spread: false };
        out.trips.insert((u, ed.null(head, Place::Before(end), Why::Counting)));
        ed.eliminate(end, Why::Counting);
    }
    ed.eliminate(range.open, Why::Counting);
}

/// The tally that counts the entries of the loop `of` one by one beside the opening of its bracket, and the counter.
fn entry_beside(unit: &Unit, open: Stmt, of: Serial) -> Option<(Stmt, Counter)> {
    let counts = |x: &Stmt| unit.head(*x).is_invisible() && unit.blocks(*x).is_empty();
    let before = std::iter::successors(unit.prev(open), |&x| unit.prev(x)).take_while(counts);
    let behind = std::iter::successors(unit.next(open), |&x| unit.next(x)).take_while(counts);
    let entry = |x: Stmt| match unit.head(x) {
        Head::Tally { counter, amount } if unit.pool().as_int(amount) == Some(1) => {
            (unit.counter(counter) == CounterInfo { of, measure: Measure::Invocations }).then_some((x, counter))
        }
        _ => None,
    };
    let mut found = before.chain(behind).filter_map(entry);
    found.next().filter(|_| found.next().is_none())
}

/// The most loops in a bracket of a unit that is too deep to be optimized whose trips get a closed form.
const MOST_CLOSED: usize = 32;

/// The trips of a bracket with one end, if they have a closed form where it begins: a constant, or kept in a ghost.
fn closed(ed: &mut Editor<'_>, (order, range): (&Order, &Range), of: Serial, ends: &[Stmt]) -> Option<Expr> {
    // The loops around a deep nest would each ask about all in it.
    let is_deep = ed.is_deep() && order.loops(range) > MOST_CLOSED;
    let (&[end], false) = (ends, is_deep) else { return None };
    let all: Vec<Stmt> =
        std::iter::successors(ed.next(range.open), |&x| ed.next(x)).take_while(|&x| x != end).collect();
    if ed.parent(end) != ed.parent(range.open) {
        return None;
    }
    let (total, place) = ed.closed(&all, of)?;
    match place {
        Some(place) if ed.pool().as_int(total).is_none() => Some(ed.kept_before(total, place)),
        _ => Some(total),
    }
}

/// The loops whose trips or iterations were given up.
pub(crate) fn lost(program: &Program) -> BTreeMap<Serial, &'static str> {
    let all = program.units.iter().flat_map(|u| u.log().lost.iter());
    all.filter(|(info, _)| matches!(info.measure, Measure::Trips | Measure::Iterations))
        .map(|&(i, why)| (i.of, why))
        .collect()
}

/// Why the trips of a loop are not known, where `lost` gives a pass or a reason.
pub(crate) fn reason(why: &str) -> String {
    if why.contains(' ') { why.to_owned() } else { format!("they could not be carried over {why}") }
}

fn drop_lost(program: &mut Program) {
    let lost = lost(program);
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        for s in ed.walk() {
            if trips_of(&ed, s).is_some_and(|of| lost.contains_key(&of)) {
                ed.eliminate(s, Why::Counting);
            }
        }
    }
}

/// The largest number of iterations of the outer loop of a triangular nest whose entries may be reported one by one.
const SHORT_NEST: i64 = 16;

/// Spreads triangular nests with constant bounds, whose entries have constant trips.
fn spread_constants(program: &mut Program) {
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        for s in ed.walk() {
            let Head::Trips { counter, trips, times, spread: true } = ed.head(s) else { continue };
            let Some(entries) = constant_entries(&ed, trips) else { continue };
            for (n, many) in entries {
                let [trips, many] = [n, many].map(|k| ed.int(Type::I8, k));
                let times = match (ed.pool().as_int(times), ed.pool().as_int(many)) {
                    (_, Some(1)) => times,
                    (Some(a), Some(b)) => ed.int(Type::I8, a.wrapping_mul(b)),
                    _ => ed.binary(trueline_ir::BinaryOp::Mul, times, many),
                };
                ed.null(Head::Trips { counter, trips, times, spread: false }, Place::Before(s), Why::Counting);
            }
            ed.eliminate(s, Why::Counting);
        }
    }
}

/// The trips of the entries of a short nest with constant bounds, and how many entries have them.
fn constant_entries(unit: &Unit, trips: Expr) -> Option<BTreeMap<i64, i64>> {
    let ExprData::Intrinsic(Intrinsic::SumTrips, list) = unit.expr(trips) else { return None };
    let bounds: Vec<i64> = unit.list(list).iter().map(|&e| unit.pool().as_int(e)).collect::<Option<_>>()?;
    let &[lo, hi, step, a0, a1, b0, b1, inner] = bounds.as_slice() else { return None };
    let outer = trueline_ir::trip_count(lo, hi, step) - i64::from(trueline_ir::fault("spread_forgets_last"));
    let mut out = BTreeMap::new();
    for k in 0..Some(outer).filter(|n| *n <= SHORT_NEST)? {
        let i = lo.wrapping_add(k.wrapping_mul(step));
        let (from, to) = (a0.wrapping_add(a1.wrapping_mul(i)), b0.wrapping_add(b1.wrapping_mul(i)));
        *out.entry(trueline_ir::trip_count(from, to, inner)).or_default() += 1;
    }
    Some(out)
}

/// Decides how the trips of each loop are counted.
fn decide(program: &mut Program, late: &FxHashSet<At>, out: &mut Discharged) {
    let mut found: BTreeMap<Serial, Vec<At>> = BTreeMap::new();
    for (u, unit) in program.units.iter().enumerate() {
        for (_, info) in unit.counters().filter(|(_, info)| info.measure == Measure::Trips) {
            found.entry(info.of).or_default();
        }
        for s in unit.walk() {
            if let Some(of) = trips_of(unit, s) {
                found.entry(of).or_default().push((u, s));
            }
        }
    }
    let lost = lost(program);
    for (of, all) in found.into_iter().filter(|(of, _)| !lost.contains_key(of)) {
        let mut trips = LoopTrips { behind: all.iter().any(|at| late.contains(at)), ..LoopTrips::default() };
        let known: Vec<Option<u64>> = all.iter().map(|&(u, s)| constant(&program.units[u], s)).collect();
        let entries = CounterInfo { of, measure: Measure::Invocations };
        let same = known.first().copied().flatten().filter(|n| !trips.behind && known.iter().all(|k| *k == Some(*n)));
        let is_lost = program.units.iter().any(|u| u.log().lost.iter().any(|(info, _)| *info == entries));
        let mut rest = Vec::new();
        for (at, n) in all.into_iter().zip(known) {
            let mut ed = Editor::open(&mut program.units[at.0], "discharge");
            match n {
                Some(_) if same.is_some() && !is_lost => ed.eliminate(at.1, Why::Counting),
                Some(n) => {
                    let info = CounterInfo { of, measure: Measure::TripsOf(n) };
                    let Head::Trips { times, .. } = ed.head(at.1) else { continue };
                    let counter = ed.counter_for(info);
                    ed.tally(counter, times, Place::Before(at.1));
                    ed.eliminate(at.1, Why::Counting);
                    if !trips.constants.contains(&(n, info)) {
                        trips.constants.push((n, info));
                    }
                }
                None => rest.push(at),
            }
        }
        if let Some(n) = same.filter(|_| !is_lost) {
            trips.constants.push((n, entries));
        }
        let most = rest.iter().map(|&(u, s)| most(&program.units[u], s)).max();
        trips.buckets = most.map(|n| bucket(n) as u8 + 1);
        let is_spread = |&(u, s): &At| matches!(program.units[u].head(s), Head::Trips { spread: true, .. });
        trips.few = if most.is_none() || rest.iter().any(is_spread) { 0 } else { FEW_CELLS as u8 };
        out.trips.insert(of, trips);
    }
}

/// The trips that `s` counts, if they are always the same.
fn constant(unit: &Unit, s: Stmt) -> Option<u64> {
    match unit.head(s) {
        Head::Trips { trips, spread: false, .. } => unit.pool().as_int(trips).and_then(|n| u64::try_from(n).ok()),
        _ => None,
    }
}

/// The most trips that `s` can count.
fn most(unit: &Unit, s: Stmt) -> u64 {
    match unit.head(s) {
        Head::Trips { trips, spread: false, .. } => most_of(unit, trips),
        _ => u64::MAX,
    }
}

fn most_of(unit: &Unit, e: Expr) -> u64 {
    if let Some(n) = unit.pool().as_int(e) {
        return u64::try_from(n).unwrap_or(u64::MAX);
    }
    let ExprData::Intrinsic(Intrinsic::Trip, args) = unit.expr(e) else { return u64::MAX };
    let narrow = |e: Expr| match unit.expr(e) {
        ExprData::Convert(Type::I8, x) if matches!(unit.ty(x), Type::I1 | Type::I2 | Type::I4) => true,
        _ => unit.pool().as_int(e).is_some_and(|n| i32::try_from(n).is_ok()),
    };
    let &[lo, hi, _] = unit.list(args) else { return u64::MAX };
    let positive = |e: Expr| unit.pool().as_int(e).is_some_and(|n| n > 0);
    match narrow(lo) && narrow(hi) {
        true if positive(lo) => (1 << 31) - 1,
        true => 1 << 32,
        false => u64::MAX,
    }
}

/// Takes tallies of entries out of the code if the histogram gives their number: beside each tally, the trips of as
/// many entries are counted.
pub(crate) fn derive_entries(program: &mut Program, out: &mut Discharged) {
    let mut tallies: BTreeMap<Serial, Vec<At>> = BTreeMap::new();
    let mut beside: BTreeMap<Serial, usize> = BTreeMap::new();
    let mut counts: BTreeMap<Serial, usize> = BTreeMap::new();
    for (u, unit) in program.units.iter().enumerate() {
        for s in unit.walk() {
            if let Some(of) = trips_of(unit, s) {
                *counts.entry(of).or_default() += 1;
            }
            let Head::Tally { counter, amount } = unit.head(s) else { continue };
            let CounterInfo { of, measure } = unit.counter(counter);
            if measure == Measure::Invocations && out.trips.get(&of).is_some_and(|t| t.constants.is_empty()) {
                tallies.entry(of).or_default().push((u, s));
                *beside.entry(of).or_default() += usize::from(has_trips_beside(unit, s, of, amount));
            }
        }
    }
    for (of, tallies) in tallies {
        let all = tallies.len();
        if beside.get(&of) != Some(&all) || counts.get(&of) != Some(&all) {
            continue;
        }
        for (u, s) in tallies {
            Editor::open(&mut program.units[u], "discharge").eliminate(s, Why::Counting);
        }
        out.by_trips.insert(CounterInfo { of, measure: Measure::Invocations });
    }
}

/// Takes tallies of iterations out of the code if the histogram gives their number: beside each tally, trips are
/// counted that make up its amount. Entries with few trips have a cell for each number of trips; the iterations of
/// other entries are added up where they are counted.
pub(crate) fn derive_iterations(program: &mut Program, out: &mut Discharged) {
    let mut tallies: BTreeMap<Serial, Vec<At>> = BTreeMap::new();
    let mut beside: BTreeMap<Serial, usize> = BTreeMap::new();
    let mut counts: BTreeMap<Serial, usize> = BTreeMap::new();
    let has_cells = |t: &LoopTrips| t.constants.is_empty() && t.few > 0;
    for (u, unit) in program.units.iter().enumerate() {
        for s in unit.walk() {
            if let Some(of) = trips_of(unit, s) {
                *counts.entry(of).or_default() += 1;
            }
            let Head::Tally { counter, amount } = unit.head(s) else { continue };
            let CounterInfo { of, measure } = unit.counter(counter);
            if measure == Measure::Iterations && out.trips.get(&of).is_some_and(has_cells) {
                tallies.entry(of).or_default().push((u, s));
                let makes = |trips, times| is_product(unit, amount, trips, times);
                *beside.entry(of).or_default() += usize::from(trips_beside(unit, s, of, false, &makes));
            }
        }
    }
    for (of, tallies) in tallies {
        let all = tallies.len();
        if beside.get(&of) != Some(&all) || counts.get(&of) != Some(&all) {
            continue;
        }
        for (u, s) in tallies {
            Editor::open(&mut program.units[u], "discharge").eliminate(s, Why::Counting);
        }
        out.by_trips.insert(CounterInfo { of, measure: Measure::Iterations });
    }
}

/// Whether `amount` is the product of `times` entries and `trips` trips.
fn is_product(unit: &Unit, amount: Expr, trips: Expr, times: Expr) -> bool {
    let is_product = match unit.expr(amount) {
        ExprData::Binary(trueline_ir::BinaryOp::Mul, a, b) => (a, b) == (trips, times) || (b, a) == (trips, times),
        _ => false,
    };
    is_product || (amount == trips && unit.pool().as_int(times) == Some(1))
}

/// Whether trips of `amount` entries of `of` are counted whenever control passes `s`: among the statements that count beside it.
fn has_trips_beside(unit: &Unit, s: Stmt, of: Serial, amount: Expr) -> bool {
    let constant = unit.pool().as_int(amount).is_some();
    trips_beside(unit, s, of, constant, &|_, times| times == amount)
}

/// Whether a statement that counts beside `s` counts trips of `of`, and its trips and times are as wanted. Ghosts may
/// be written between them if nothing depends on one.
fn trips_beside(unit: &Unit, s: Stmt, of: Serial, constant: bool, is_wanted: &dyn Fn(Expr, Expr) -> bool) -> bool {
    let here = |x: &Stmt| match unit.head(*x) {
        Head::Tally { .. } | Head::Trips { .. } => true,
        Head::Ghost { .. } => constant,
        _ => false,
    };
    let mut found = 0;
    let behind = std::iter::successors(unit.next(s), |&x| unit.next(x)).take_while(here);
    let before = std::iter::successors(unit.prev(s), |&x| unit.prev(x)).take_while(here);
    for x in behind.chain(before) {
        if let Head::Trips { counter, times, trips, .. } = unit.head(x)
            && unit.counter(counter).of == of
        {
            found += if is_wanted(trips, times) { 1 } else { 2 };
        }
    }
    found == 1
}

/// The cells of the histograms, for each loop: its buckets, the highest first; minimum and maximum; the cells of few
/// trips, one after the other; and the iterations of the others if those follow from them.
pub(crate) fn cells(out: &Discharged) -> Vec<CounterInfo> {
    let mut cells = Vec::new();
    let mut loops: Vec<(&Serial, &LoopTrips)> = out.trips.iter().collect();
    loops.sort_by_key(|(of, _)| **of);
    for (&of, trips) in loops {
        let Some(buckets) = trips.buckets else { continue };
        cells.extend((0..buckets).rev().map(|k| CounterInfo { of, measure: Measure::TripBucket(k) }));
        cells.extend([Measure::LeastTrips, Measure::MostTrips].map(|measure| CounterInfo { of, measure }));
        cells.extend((0..trips.few).map(|n| CounterInfo { of, measure: Measure::FewTrips(n) }));
        if out.by_trips.contains(&CounterInfo { of, measure: Measure::Iterations }) {
            cells.push(CounterInfo { of, measure: Measure::ManyTrips });
        }
    }
    cells
}

/// The cells of a histogram that entries or iterations are the sum of, with their factors.
pub(crate) fn terms(info: CounterInfo) -> Vec<(i64, CounterInfo)> {
    let cell = |measure| CounterInfo { of: info.of, measure };
    let is_of_entries = info.measure == Measure::Invocations;
    let few = (0..FEW_CELLS as u8).map(|n| (if is_of_entries { 1 } else { n.into() }, cell(Measure::FewTrips(n))));
    if !is_of_entries {
        return few.skip(1).chain([(1, cell(Measure::ManyTrips))]).collect();
    }
    (0..BUCKETS as u8).map(|k| (1, cell(Measure::TripBucket(k)))).chain(few).collect()
}

/// The entries and iterations of a loop that a sum over the cells of its histogram consists of, if it is one of whole histograms.
pub(crate) fn whole(
    out: &Discharged,
    of: Serial,
    factors: &FxHashMap<Measure, i64>,
) -> Option<Vec<(i64, CounterInfo)>> {
    let trips = out.trips.get(&of)?;
    let has_cell = |m: Measure| match m {
        Measure::TripBucket(k) => trips.buckets.is_some_and(|n| k < n),
        Measure::FewTrips(n) => n < trips.few,
        _ => true,
    };
    let factor = |measure: Measure| factors.get(&measure).copied().unwrap_or(0);
    let sums = [(Measure::Invocations, Measure::TripBucket(0)), (Measure::Iterations, Measure::ManyTrips)];
    let sums = sums.map(|(measure, only)| (factor(only), CounterInfo { of, measure }));
    let mut wanted: FxHashMap<Measure, i64> = FxHashMap::default();
    for (k, info) in sums {
        for (n, cell) in terms(info) {
            *wanted.entry(cell.measure).or_default() += k.wrapping_mul(n);
        }
    }
    wanted.retain(|m, k| *k != 0 && has_cell(*m));
    (&wanted == factors).then(|| sums.into_iter().filter(|(k, _)| *k != 0).collect())
}

/// Sets the entries and iterations that follow from histograms.
pub(crate) fn complete_sums(out: &Discharged, counts: &mut BTreeMap<CounterInfo, i64>) {
    for &info in &out.by_trips {
        let sum = terms(info).iter().filter_map(|(k, cell)| Some(k * counts.get(cell)?)).sum();
        counts.insert(info, sum);
    }
    counts.retain(|cell, _| cell.measure != Measure::ManyTrips);
}

/// Adds the entries with constant trips to the histograms.
pub(crate) fn complete(out: &Discharged, counts: &mut BTreeMap<CounterInfo, i64>) {
    for (&of, trips) in &out.trips {
        let mut more = TripCounts::default();
        for (n, info) in &trips.constants {
            more.add(*n, counts.get(info).copied().unwrap_or(0).max(0) as u64);
            if matches!(info.measure, Measure::TripsOf(_)) {
                counts.remove(info);
            }
        }
        if more.is_empty() {
            continue;
        }
        for (k, &n) in more.buckets.iter().enumerate().filter(|(_, n)| **n > 0) {
            *counts.entry(CounterInfo { of, measure: Measure::TripBucket(k as u8) }).or_default() += n as i64;
        }
        for (measure, n) in [(Measure::LeastTrips, more.least), (Measure::MostTrips, more.most)] {
            let old = counts.get(&CounterInfo { of, measure }).copied().unwrap_or(0) as u64;
            if old.max(n) > 0 {
                counts.insert(CounterInfo { of, measure }, old.max(n) as i64);
            }
        }
    }
}

/// The histograms by the loop, as far as they are known.
pub(crate) type ByLoop = FxHashMap<Serial, LoopTrips>;
