//! Counts that follow from others, so that no code counts them.
//!
//! ```text
//! do i = 1, n            calls @3 += n           a(i) is entered as often as it is called: n times by line 3,
//!   call a(i)   @3   ⇒   …                       once by line 7 whenever that arm is taken, and by callers in
//! if (c) call a(1) @7    taken, calls @7 += 1    other objects, whom the entry of its symbol counts.
//! ```
//!
//! *Procedures.* Every call of the source has a count. The invocations of a procedure are the sum of those, if all of them are
//! known; calls that do not name it (from other objects, through procedure arguments and pointers) enter it by its symbol,
//! where the code generator counts them ([`Discharged::entries`]). Calls that a caller counts ahead make the sum a bound in a run
//! that is killed. So a few calls of an activation ([`FEW`]), and calls that follow from other counts, take the place of a counter
//! only where that would be felt ([`LIGHT`]), and all calls of a loop at once only where it would cost as much as the call ([`TINY`]).
//!
//! *Other objects.* Where their calls are counted one by one, they pass by the entry, too ([`crate::outside`]).
//!
//! *Entries.* Where every activation has to be counted, the entry of the symbol is the place that costs least: one
//! instruction that needs no register.
//!
//! *Neighbours.* Counters that are added to in the same places by the same amounts are one. A count that is made ahead in any case
//! is a multiple of one that control passes as often, such as the iterations of the loop around it.

use crate::discharge::{Discharged, straight_prefix};
use crate::meta::Calls;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{Callee, Editor, Expr, ExprData, Head, Program, Stmt, Unit, UnitKind, Why};
use trueline_provenance::{CounterInfo, Measure, Serial};

/// At most this many operations in a call are few: the five instructions of an entry are more than a fortieth of them.
const LIGHT: usize = 200;
/// Calls of at most this many operations are tiny: the entry is a quarter of them.
const TINY: usize = 16;

/// At most this many calls per activation are counted in advance; a run killed in between over-counts by no more.
pub(crate) const FEW: u64 = 16;

/// The callers that are counted at an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// All callers.
    ByAll,
    /// Only callers that do not call it by name in the same object.
    FromElsewhere,
}

/// The invocations of a procedure as the sum of its calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derived {
    /// The procedure.
    pub procedure: Serial,
    /// The counts of the calls of the source.
    pub calls: Vec<CounterInfo>,
    /// The procedures whose calls are counted before they are made.
    pub ahead_in: Vec<Serial>,
}

/// A procedure that may need no counter.
struct Candidate {
    derived: Derived,
    symbol: String,
    /// Whether it can be entered from elsewhere.
    has_entry: bool,
    /// The candidates whose invocations the calls are multiples of.
    bases: Vec<usize>,
}

/// Takes out the counters of procedures whose invocations follow from their calls. `counts_entries` says whether the code
/// generator can count entries by a symbol.
/// Counts in `apart` are no terms of others.
pub(crate) fn derive(
    program: &mut Program,
    calls: &Calls,
    counts_entries: bool,
    apart: &FxHashSet<CounterInfo>,
    out: &mut Discharged,
) {
    let mut candidates = candidates(program, calls, counts_entries, out);
    let is_whole = |info: &CounterInfo| !apart.contains(info);
    candidates.retain(|c| is_whole(&invocations(c.derived.procedure)) && c.derived.calls.iter().all(is_whole));
    let bases: FxHashMap<CounterInfo, Vec<Serial>> = out.fixed.iter().fold(FxHashMap::default(), |mut map, f| {
        map.entry(f.counter).or_insert_with(Vec::new).push(f.procedure);
        map
    });
    let numbers: FxHashMap<Serial, usize> =
        candidates.iter().enumerate().map(|(i, c)| (c.derived.procedure, i)).collect();
    for c in &mut candidates {
        for info in c.derived.calls.iter().flat_map(|&info| summands(info, out)) {
            let own = (info.measure == Measure::Invocations).then_some(&info.of);
            let of = bases.get(&info).into_iter().flatten().chain(own);
            c.bases.extend(of.filter_map(|s| numbers.get(s).copied()));
        }
    }
    let order = acyclic(&candidates);
    let taken: FxHashSet<CounterInfo> = order.iter().map(|&i| invocations(candidates[i].derived.procedure)).collect();
    remove(program, &taken);
    out.fixed.retain(|f| !taken.contains(&f.counter));
    for i in order {
        let c = &candidates[i];
        if c.has_entry {
            out.entries.push((c.symbol.clone(), invocations(c.derived.procedure), Entered::FromElsewhere));
        }
        out.derived.push(c.derived.clone());
    }
}

fn invocations(of: Serial) -> CounterInfo {
    CounterInfo { of, measure: Measure::Invocations }
}

/// The counts that `info` is the sum of; itself, if it does not follow from others.
fn summands(info: CounterInfo, out: &Discharged) -> Vec<CounterInfo> {
    out.flow.get(&info).map_or_else(|| vec![info], |terms| terms.iter().map(|t| t.1).collect())
}

fn candidates(program: &Program, calls: &Calls, counts_entries: bool, out: &Discharged) -> Vec<Candidate> {
    let mut lost: FxHashSet<CounterInfo> =
        program.units.iter().flat_map(|u| u.log().lost.iter().map(|(info, _)| *info)).collect();
    lost.retain(|info| !out.flow.contains_key(info));
    let mut fixed: FxHashMap<CounterInfo, u64> = FxHashMap::default();
    for f in &out.fixed {
        let most = fixed.entry(f.counter).or_insert(0);
        *most = f.factor.max(*most);
    }
    let is_far = |info: &CounterInfo| {
        let many = |of: &CounterInfo| out.many.contains(of) || fixed.get(of).is_some_and(|&n| n > FEW);
        summands(*info, out).iter().any(|of| many(of) || out.behind.contains(of))
    };
    let is_off = |info: &CounterInfo| {
        let is_ahead = |of: &CounterInfo| out.ahead.contains(of);
        let follows = fixed.contains_key(info) || out.flow.contains_key(info);
        follows || is_far(info) || summands(*info, out).iter().any(is_ahead)
    };
    let mut by_callee: FxHashMap<&str, Vec<CounterInfo>> = FxHashMap::default();
    for (of, k, callee) in &calls.counted {
        by_callee.entry(callee).or_default().push(CounterInfo { of: *of, measure: Measure::Calls(*k) });
    }
    let passed = passed(program);
    let mut weights = Weights::new(program);
    let mut found = Vec::new();
    for (i, unit) in program.units.iter().enumerate() {
        let Some(of_unit) = by_callee.get(unit.symbol()) else { continue };
        let has_entry = unit.is_exported() || passed.contains(unit.symbol());
        let known = !calls.others.contains(unit.symbol())
            && (counts_entries || !has_entry)
            && !lost.contains(&invocations(unit.serial()))
            && of_unit.iter().all(|info| !lost.contains(info));
        if unit.kind() == UnitKind::Data || !known {
            continue;
        }
        let ahead: Vec<&CounterInfo> = of_unit.iter().filter(|i| is_off(i)).collect();
        let most = if ahead.iter().any(|i| is_far(i)) { TINY } else { LIGHT };
        if !ahead.is_empty() && weights.of(i) >= most {
            continue;
        }
        let mut ahead_in: Vec<Serial> = ahead.iter().filter_map(|c| program.infos.procedure(c.of)).collect();
        ahead_in.sort_unstable();
        ahead_in.dedup();
        let derived = Derived { procedure: unit.serial(), calls: of_unit.clone(), ahead_in };
        found.push(Candidate { derived, symbol: unit.symbol().to_owned(), has_entry, bases: Vec::new() });
    }
    found
}

/// The linker symbols of procedures whose address is taken.
fn passed(program: &Program) -> FxHashSet<String> {
    let mut out = FxHashSet::default();
    for unit in &program.units {
        for e in unit.pool().all() {
            if let ExprData::ProcAddr(p) = unit.expr(e) {
                out.insert(unit.proc(p).symbol.clone());
            }
        }
    }
    out
}

/// The candidates that do not follow from themselves; candidates that others follow from come first.
fn acyclic(candidates: &[Candidate]) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; candidates.len()];
    let mut order = Vec::new();
    for root in 0..candidates.len() {
        // The open derivations, and the number of bases looked at.
        let mut path = if states[root] == State::New { vec![(root, 0)] } else { vec![] };
        while let Some((i, next)) = path.pop() {
            states[i] = State::Open;
            match candidates[i].bases.get(next) {
                // Its own count has to stay for the circle to begin somewhere.
                Some(&base) if states[base] == State::Open => states[i] = State::Done,
                Some(&base) => {
                    path.push((i, next + 1));
                    if states[base] == State::New {
                        path.push((base, 0));
                    }
                }
                None => {
                    states[i] = State::Done;
                    order.push(i);
                }
            }
        }
    }
    order
}

/// The least number of operations that a call of a procedure executes, with those of the procedures that it calls.
struct Weights<'a> {
    units: &'a [Unit],
    by_symbol: FxHashMap<&'a str, usize>,
    known: FxHashMap<usize, usize>,
}

impl<'a> Weights<'a> {
    fn new(program: &'a Program) -> Weights<'a> {
        let by_symbol = program.units.iter().enumerate().map(|(i, u)| (u.symbol(), i)).collect();
        Weights { units: &program.units, by_symbol, known: FxHashMap::default() }
    }

    fn of(&mut self, unit: usize) -> usize {
        self.with_callees(unit, 8)
    }

    /// As [`Weights::of`], with calls up to that depth.
    fn with_callees(&mut self, unit: usize, depth: usize) -> usize {
        if let Some(&known) = self.known.get(&unit) {
            return known;
        }
        // A procedure that calls itself counts the code around the call.
        self.known.insert(unit, 0);
        let u = &self.units[unit];
        let takes_long = |&s: &Stmt| matches!(u.head(s), Head::Do { .. } | Head::DoWhile { .. }) || !calls_back(u, s);
        let mut weight = if u.walk().iter().any(takes_long) { LIGHT } else { 0 };
        for s in straight_prefix(u, u.body()) {
            if weight >= LIGHT {
                break;
            }
            weight += operations(u, s);
            if let Head::Call { callee: Callee::Proc(p), .. } = u.head(s)
                && let Some(&callee) = self.by_symbol.get(u.proc(p).symbol.as_str())
                && depth > 0
            {
                weight += self.with_callees(callee, depth - 1);
            }
        }
        self.known.insert(unit, weight);
        weight
    }
}

/// Whether `s` certainly reaches its end; a statement that may not, such as output, takes long.
fn calls_back(unit: &Unit, s: Stmt) -> bool {
    unit.head(s) == Head::Return || unit.head(s).is_jump() || unit.always_returns(unit.head(s))
}

fn operations(unit: &Unit, s: Stmt) -> usize {
    if unit.head(s).is_invisible() {
        return 0;
    }
    let mut n = 1;
    for e in unit.values(unit.head(s)) {
        unit.visit_expr(e, &mut |_| n += 1);
    }
    // An argument is passed and taken, whether as a value or as an address.
    if let Head::Call { args, .. } = unit.head(s) {
        n += unit.list(args).iter().filter(|&&a| !matches!(unit.expr(a), ExprData::AddrOf(..))).count();
    }
    n
}

pub(crate) fn remove(program: &mut Program, counters: &FxHashSet<CounterInfo>) {
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        for s in ed.walk() {
            if let Head::Tally { counter, .. } = ed.head(s)
                && counters.contains(&ed.counter(counter))
            {
                ed.eliminate(s, Why::Counting);
            }
        }
    }
}

/// The places where a counter is added to: the number of a place between two statements of the program, and the amount.
type Adds = Vec<(usize, Amount)>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Amount {
    Constant(i64),
    /// A value of the place's unit.
    Value(Expr),
}

/// Whether `s` cannot fail and takes hardly any time: it sets a register, or only counts.
fn is_short(unit: &Unit, s: Stmt) -> bool {
    match unit.head(s) {
        Head::Assign { place, value } => matches!(unit.expr(place), ExprData::Var(_)) && !unit.may_trap(value),
        head => head.is_invisible() && unit.blocks(s).is_empty(),
    }
}

/// Leaves one of several counters that always are equal, except for the counters in `kept`.
pub(crate) fn share(program: &mut Program, kept: &FxHashSet<CounterInfo>, out: &mut Discharged) {
    let mut order: Vec<CounterInfo> = Vec::new();
    let mut adds: FxHashMap<CounterInfo, Adds> = FxHashMap::default();
    let (mut place, mut narrow) = (0, 0);
    for unit in &program.units {
        for b in unit.all_blocks() {
            (place, narrow) = (place + 1, narrow + 1);
            for s in unit.stmts(b) {
                let Head::Tally { counter, amount } = unit.head(s) else {
                    place += usize::from(!is_short(unit, s));
                    narrow += 1;
                    continue;
                };
                let add = match unit.pool().as_int(amount) {
                    Some(n) => (place, Amount::Constant(n)),
                    None => (narrow, Amount::Value(amount)),
                };
                let info = unit.counter(counter);
                let list = adds.entry(info).or_insert_with(|| {
                    order.push(info);
                    Vec::new()
                });
                list.push(add);
            }
        }
    }
    let mut first: FxHashMap<&Adds, CounterInfo> = FxHashMap::default();
    let mut followers = FxHashSet::default();
    for info in order {
        let list = &adds[&info];
        if kept.contains(&info) {
            continue;
        }
        if let Some(&same) = first.get(list) {
            out.shared.insert(info, (1, same));
            followers.insert(info);
        } else {
            first.insert(list, info);
        }
    }
    remove(program, &followers);
}

/// Places and the constant amounts there.
type Constants = Vec<(usize, u64)>;

/// The counters with constant amounts, in the order of their first place: each place and the amount. Two places have
/// the same number if control passes both or none.
fn constants(program: &Program) -> Vec<(CounterInfo, Constants)> {
    let mut found: indexmap::IndexMap<CounterInfo, Option<Constants>> = indexmap::IndexMap::new();
    let mut place = 0;
    for unit in &program.units {
        let leaving = leaving(unit);
        for b in unit.all_blocks() {
            place += 1;
            for s in unit.stmts(b) {
                place += usize::from(leaving.contains(&s));
                let Head::Tally { counter, amount } = unit.head(s) else { continue };
                let list = found.entry(unit.counter(counter)).or_insert_with(|| Some(Vec::new()));
                match unit.pool().as_int(amount).and_then(|n| u64::try_from(n).ok()) {
                    Some(n) if n > 0 => list.iter_mut().for_each(|l| l.push((place, n))),
                    _ => *list = None,
                }
            }
        }
    }
    found.into_iter().filter_map(|(info, list)| Some((info, list?))).collect()
}

/// The statements after which control may not come to the next one, or may come to the next one from elsewhere.
pub(crate) fn leaving(unit: &Unit) -> FxHashSet<Stmt> {
    let mut out = FxHashSet::default();
    for s in unit.walk() {
        let head = unit.head(s);
        let leaves = head == Head::Return
            || head.is_jump()
            || matches!(head, Head::Label(_))
            || !unit.always_returns(head)
            || !unit.targets(head).is_empty();
        if leaves && out.insert(s) {
            for around in unit.ancestors(s) {
                if !out.insert(around) {
                    break;
                }
            }
        }
    }
    out
}

/// Leaves one of several counters that are counted ahead and are multiples of it.
pub(crate) fn multiply(program: &mut Program, apart: &FxHashSet<CounterInfo>, out: &mut Discharged) {
    let mut counters = constants(program);
    counters.retain(|(info, _)| !apart.contains(info));
    // A count that is not made ahead may stay, so it comes first.
    counters.sort_by_key(|(info, list)| (out.ahead.contains(info), list.first().map(|a| a.1)));
    let mut first: FxHashMap<Vec<usize>, (CounterInfo, Constants)> = FxHashMap::default();
    let mut followers = FxHashSet::default();
    for (info, list) in counters {
        let places: Vec<usize> = list.iter().map(|a| a.0).collect();
        let Some((base, amounts)) = first.get(&places) else {
            first.insert(places, (info, list));
            continue;
        };
        let factor = list[0].1 / amounts[0].1;
        let is_multiple = list.iter().zip(amounts).all(|(a, b)| b.1.checked_mul(factor) == Some(a.1));
        if is_multiple && out.ahead.contains(&info) {
            out.shared.insert(info, (factor, *base));
            followers.insert(info);
        }
    }
    // A counter that shared with one of them shares with its base.
    let bases = out.shared.clone();
    for (factor, same) in out.shared.values_mut() {
        if let Some((more, base)) = bases.get(same) {
            (*factor, *same) = (*factor * more, *base);
        }
    }
    remove(program, &followers);
}

/// A linker symbol, the counter of its entries, and the callers it counts.
pub(crate) type Entry = (String, CounterInfo, Entered);

/// Leaves the counting of activations to the entries of the procedures.
pub(crate) fn enter(program: &mut Program) -> Vec<Entry> {
    let mut out = Vec::new();
    for unit in program.units.iter_mut().filter(|u| matches!(u.kind(), UnitKind::Subroutine | UnitKind::Function)) {
        let own = invocations(unit.serial());
        let symbol = unit.symbol().to_owned();
        let mut ed = Editor::open(unit, "discharge");
        let Some(first) = ed.stmts(ed.body()).find(|&s| !matches!(ed.head(s), Head::Ghost { .. })) else { continue };
        let counts = |s| match ed.head(s) {
            Head::Tally { counter, amount } => (ed.counter(counter) == own).then(|| ed.pool().as_int(amount)),
            _ => None,
        };
        let all: Vec<Option<i64>> = ed.walk().into_iter().filter_map(counts).collect();
        if counts(first) == Some(Some(1)) && all.len() == 1 {
            ed.eliminate(first, Why::Counting);
            out.push((symbol, own, Entered::ByAll));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bases: &[&[usize]]) -> Vec<usize> {
        let candidates: Vec<Candidate> = bases
            .iter()
            .map(|b| Candidate {
                derived: Derived { procedure: Serial::from_u32(0), calls: vec![], ahead_in: vec![] },
                symbol: String::new(),
                has_entry: false,
                bases: b.to_vec(),
            })
            .collect();
        acyclic(&candidates)
    }

    #[test]
    fn what_follows_from_itself_is_counted() {
        assert_eq!(of(&[&[1], &[2], &[]]), [2, 1, 0]);
        // A procedure whose straight code calls itself; two that call one another.
        assert_eq!(of(&[&[0]]), [] as [usize; 0]);
        assert_eq!(of(&[&[1], &[0]]), [0]);
        assert_eq!(of(&[&[1, 2], &[2, 0], &[1]]), [0]);
    }

    #[test]
    fn a_long_chain_is_no_deep_recursion() {
        let bases: Vec<Vec<usize>> = (0..200_000).map(|i| if i == 199_999 { vec![] } else { vec![i + 1] }).collect();
        let bases: Vec<&[usize]> = bases.iter().map(Vec::as_slice).collect();
        let order = of(&bases);
        assert_eq!((order.len(), order[0]), (200_000, 199_999));
    }
}
