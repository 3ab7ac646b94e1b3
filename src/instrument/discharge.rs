//! Discharging tallies: the counters that stay in the code.
//!
//! A tally with a constant amount that every activation executes exactly once costs nothing: it is a
//! multiple of the procedure's own count, taken when the profile is written. One hoisted out of a nest
//! is one add a nest entry. The rest are counters in the body.

use crate::cost::Places;
use crate::derive::{self, Derived, Entered};
use crate::flow::{self, Terms};
use crate::meta::Calls;
use crate::outside::{self, Outside};
use crate::spread;
use crate::trips;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trueline_ir::{Block, Editor, Head, Label, Program, Stmt, Sym, Unit, UnitKind, Why};
use trueline_provenance::{CounterInfo, Measure, Serial};

/// A count that is a multiple of a procedure's invocations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// The count.
    pub counter: CounterInfo,
    /// The amount that each activation adds.
    pub factor: u64,
    /// The procedure.
    pub procedure: Serial,
}

/// The results of discharging.
#[derive(Clone, Default, Debug)]
pub struct Discharged {
    /// Counts without code.
    pub fixed: Vec<Fixed>,
    /// Counts with at least one add in the code, in the order of first appearance.
    pub cells: Vec<CounterInfo>,
    /// Counts that are made ahead of the events: several at once, or all of a loop when it is entered.
    pub ahead: FxHashSet<CounterInfo>,
    /// The counts among them that add more than a few at once.
    pub many: FxHashSet<CounterInfo>,
    /// Procedures whose invocations follow from their calls; procedures that others follow from come first.
    pub derived: Vec<Derived>,
    /// The linker symbols of procedures that count where they are entered, the counters, and the callers they count.
    pub entries: Vec<(String, CounterInfo, Entered)>,
    /// Counts that are multiples of others, which are in [`Discharged::cells`].
    pub shared: FxHashMap<CounterInfo, (u64, CounterInfo)>,
    /// Further cells of counts; each count is the sum of its own cell and these.
    pub shares: FxHashMap<CounterInfo, Vec<CounterInfo>>,
    /// Counts that follow from others by the structure of the source; the others have code of their own.
    pub flow: FxHashMap<CounterInfo, Terms>,
    /// Counts that are made behind the events: at the end of a loop.
    pub behind: FxHashSet<CounterInfo>,
    /// The source of the trips of loops; loops that are not here have no trips.
    pub trips: crate::trips::ByLoop,
    /// Entries and iterations of loops that are sums over their histograms.
    pub by_trips: FxHashSet<CounterInfo>,
    /// Procedures of other objects whose entries calls may pass by, since they are counted themselves.
    pub outside: Outside,
    /// Counts of which each rank has a share, and further cells of these.
    pub of_ranks: FxHashSet<CounterInfo>,
    /// The executions of statements, in terms of counts.
    pub places: Places,
}

impl Discharged {
    /// Leaves the counting of activations to the entries of the procedures, which no interpreter of the IR sees.
    pub fn enter(&mut self, program: &mut Program) {
        self.entries.extend(derive::enter(program));
    }

    /// The further cells of a count.
    pub(crate) fn shares_of(&self, info: CounterInfo) -> impl Iterator<Item = CounterInfo> {
        let left_out = usize::from(trueline_ir::fault("spread_forgets_share"));
        self.shares.get(&info).into_iter().flatten().skip(left_out).copied()
    }

    /// Adds the counts without code of their own to those of a run that nothing entered by a symbol.
    pub fn complete(&self, counts: &mut BTreeMap<CounterInfo, i64>) {
        let get = |counts: &BTreeMap<CounterInfo, i64>, info| counts.get(&info).copied().unwrap_or(0);
        spread::complete(self, counts);
        trips::complete_sums(self, counts);
        for (&info, &(factor, same)) in &self.shared {
            let n = factor as i64 * get(counts, same);
            counts.insert(info, n);
        }
        let invocations = |of| CounterInfo { of, measure: Measure::Invocations };
        let mut multiples: FxHashMap<CounterInfo, Vec<&Fixed>> = FxHashMap::default();
        self.fixed.iter().for_each(|f| multiples.entry(f.counter).or_default().push(f));
        let whole = |counts: &BTreeMap<CounterInfo, i64>, info: CounterInfo| {
            let fixed = multiples.get(&info).into_iter().flatten();
            get(counts, info) + fixed.map(|f| f.factor as i64 * get(counts, invocations(f.procedure))).sum::<i64>()
        };
        for d in &self.derived {
            let mut sum = 0;
            for info in &d.calls {
                sum += match self.flow.get(info) {
                    Some(terms) => terms.iter().map(|&(k, of)| k * whole(counts, of)).sum(),
                    None => whole(counts, *info),
                };
            }
            counts.insert(invocations(d.procedure), sum);
        }
        for f in &self.fixed {
            let n = f.factor as i64 * get(counts, invocations(f.procedure));
            *counts.entry(f.counter).or_insert(0) += n;
        }
        for (&info, terms) in &self.flow {
            let n = terms.iter().map(|&(k, of)| k * get(counts, of)).sum();
            counts.insert(info, n);
        }
        trips::complete(self, counts);
    }
}

/// Brings tallies out of loops where they have a closed form. May run at any time: nothing but counting
/// code changes.
pub fn hoist(program: &mut Program) {
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "hoist_tallies");
        hoist_unit(&mut ed);
    }
}

fn hoist_unit(ed: &mut Editor<'_>) {
    let tall = tall_loops(ed);
    let loops: Vec<Stmt> = ed
        .walk()
        .into_iter()
        .filter(|&s| matches!(ed.head(s), Head::Do { .. }) && !tall.contains(&s))
        .filter(|&s| {
            let mut around = ed.ancestors(s).take_while(|a| !tall.contains(a));
            !around.any(|a| matches!(ed.head(a), Head::Do { .. }))
        })
        .collect();
    for s in loops {
        ed.hoist_tallies(s);
    }
}

/// The most loops in one another that counts leave in a unit that is too deep to be optimized. Each loop makes the amount
/// longer by a factor, for each count in it.
const MOST_LEFT: usize = 32;

/// In a unit that is too deep to be optimized, the loops with more than a few loops in one another in them, and the conditionals
/// around such loops. Counts do not leave these.
pub(crate) fn tall_loops(unit: &Unit) -> FxHashSet<Stmt> {
    let mut heights: FxHashMap<Stmt, usize> = FxHashMap::default();
    if !unit.is_deep() {
        return FxHashSet::default();
    }
    for s in unit.walk().into_iter().rev() {
        let own = heights.get(&s).copied().unwrap_or(0) + usize::from(unit.head(s).is_loop());
        if let Some(outer) = unit.enclosing(s).filter(|_| own > 0) {
            let height = heights.entry(outer).or_default();
            *height = own.max(*height);
        }
    }
    heights.into_iter().filter(|(_, height)| *height > MOST_LEFT).map(|(s, _)| s).collect()
}

/// Removes arms that only count: a plain build does not have them. This must happen before the profile records the
/// places of counts, because counts may be lost.
fn flatten(program: &mut Program) {
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        for s in ed.walk().into_iter().rev() {
            ed.flatten_counting_arms(s);
        }
    }
}

/// Takes the tallies that cost nothing out of the code, and merges the others. The units are at M. `counts_entries` says whether
/// the code generator can count where a procedure is entered, `has_budget` whether trips are given up where counting them is dear.
pub fn discharge(program: &mut Program, calls: &Calls, counts_entries: bool, has_budget: bool) -> Discharged {
    flatten(program);
    hoist(program);
    trips::collapse(program);
    if has_budget {
        trips::give_up_dear(program);
    }
    let mut out = Discharged::default();
    let Ranks { of_ranks, mixed, cells: parts } = of_ranks(program, &mut out);
    let inlined = inlined_procedures(program);
    out.ahead = added(program, &|amount| amount != Some(1));
    out.many = added(program, &|amount| amount.is_none_or(|k| k.unsigned_abs() > derive::FEW));
    let mut outside = if counts_entries { outside::candidates(program, calls) } else { Outside::new() };
    let kept: FxHashSet<CounterInfo> = outside.iter().flat_map(|(_, counts)| counts.iter().copied()).collect();
    let mut late = trips::Late::default();
    for (u, unit) in program.units.iter_mut().enumerate().filter(|(_, u)| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        for s in ed.walk() {
            ed.fold_amount(s);
        }
        for b in ed.all_blocks() {
            ed.merge_tallies(b);
        }
        trips::settle_unrolled(&mut ed, u, &mut late);
        for s in ed.walk() {
            let counters = ed.count_exits(s);
            out.behind.extend(counters.into_iter().map(|c| ed.counter(c)));
        }
        for b in ed.all_blocks() {
            ed.merge_tallies(b);
        }
        for s in ed.walk() {
            ed.gather_amount(s);
        }
    }
    trips::settle(program, &mut late, &mut out);
    // A share is comparable with no count of all ranks.
    let shared: FxHashSet<CounterInfo> = of_ranks.union(&mixed).copied().collect();
    let apart: FxHashSet<CounterInfo> = kept.union(&shared).copied().collect();
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let once_only = !inlined.contains(&unit.serial());
        let mut ed = Editor::open(unit, "discharge");
        if once_only {
            take_fixed(&mut ed, &apart, &mut out.fixed);
        }
    }
    out.places = Places::new(program);
    trips::derive_entries(program, &mut out);
    trips::derive_iterations(program, &mut out);
    outside::keep_exact(program, &mut outside);
    out.outside = outside;
    flow::apply(program, &calls.flow, &kept.union(&mixed).copied().collect(), &shared, &mut out);
    derive::derive(program, calls, counts_entries, &shared, &mut out);
    derive::share(program, &apart, &mut out);
    derive::multiply(program, &shared, &mut out);
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let mut ed = Editor::open(unit, "discharge");
        let counters = ed.promote_tallies();
        out.behind.extend(counters.into_iter().map(|c| ed.counter(c)));
        drop_unused_ghosts(&mut ed);
    }
    let alone = parts.into_values().chain(mixed).chain(kept).collect();
    spread::spread(program, &alone, &mut out);
    let shares = of_ranks.iter().flat_map(|info| out.shares.get(info).into_iter().flatten());
    out.of_ranks = shares.copied().chain(of_ranks.iter().copied()).collect();
    out.cells = cells(program);
    out.cells.extend(out.entries.iter().map(|(_, info, _)| *info));
    let more = trips::cells(&out);
    out.cells.extend(more);
    out
}

/// The counters that are added to by wanted amounts; `None` stands for an amount that is not constant.
fn added(program: &Program, wanted: &dyn Fn(Option<i64>) -> bool) -> FxHashSet<CounterInfo> {
    let mut out = FxHashSet::default();
    for unit in &program.units {
        for s in unit.walk() {
            if let Head::Tally { counter, amount } = unit.head(s)
                && wanted(unit.pool().as_int(amount))
            {
                out.insert(unit.counter(counter));
            }
        }
    }
    out
}

/// The counts of which each rank has a share, all of it or a part.
#[derive(Default)]
struct Ranks {
    /// Counts, and further cells of counts, that are sums over all ranks.
    of_ranks: FxHashSet<CounterInfo>,
    /// Counts that all ranks count alike in some places, and of which each rank has a share in others: these have a cell of their own.
    mixed: FxHashSet<CounterInfo>,
    /// These cells.
    cells: FxHashMap<CounterInfo, CounterInfo>,
}

/// Gives each share of ranks a cell of its own where others count the same.
fn of_ranks(program: &mut Program, out: &mut Discharged) -> Ranks {
    let mut ranks = Ranks::default();
    let mut tallies: Vec<(usize, Stmt, CounterInfo)> = Vec::new();
    let mut whole: FxHashSet<CounterInfo> = FxHashSet::default();
    let by_ranks = |unit: &Unit| unit.counters().any(|(c, _)| unit.is_counted_by_ranks(c));
    if !program.units.iter().any(by_ranks) {
        return ranks;
    }
    for (u, unit) in program.units.iter().enumerate() {
        for s in unit.walk() {
            match unit.head(s) {
                Head::Tally { counter, .. } if unit.is_counted_by_ranks(counter) => {
                    tallies.push((u, s, unit.counter(counter)));
                }
                Head::Tally { counter, .. } => _ = whole.insert(unit.counter(counter)),
                _ => {}
            }
        }
    }
    for (u, s, info) in tallies {
        let mut cell = info;
        if whole.contains(&info) && !trueline_ir::fault("ranks_share_not_apart") {
            let next = ranks.cells.len() as u32;
            cell = *ranks.cells.entry(info).or_insert(CounterInfo { of: info.of, measure: Measure::Share(next) });
            if ranks.mixed.insert(info) {
                out.shares.entry(info).or_default().push(cell);
            }
        }
        ranks.of_ranks.insert(cell);
        Editor::open(&mut program.units[u], "discharge").count_share(s, cell);
    }
    ranks
}

/// The counters that are left in the code.
fn cells(program: &Program) -> Vec<CounterInfo> {
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    for unit in &program.units {
        for s in unit.walk() {
            if let Head::Tally { counter, .. } = unit.head(s) {
                let info = unit.counter(counter);
                if seen.insert(info) {
                    out.push(info);
                }
            }
        }
    }
    out
}

/// Procedures whose invocations are counted in other units too: their own count is not the number of
/// activations of their code.
fn inlined_procedures(program: &Program) -> FxHashSet<Serial> {
    let mut out = FxHashSet::default();
    for unit in &program.units {
        for (_, info) in unit.counters() {
            if info.measure == Measure::Invocations && info.of != unit.serial() {
                out.insert(info.of);
            }
        }
    }
    out
}

fn take_fixed(ed: &mut Editor<'_>, kept: &FxHashSet<CounterInfo>, fixed: &mut Vec<Fixed>) {
    let procedure = ed.serial();
    let own = CounterInfo { of: procedure, measure: Measure::Invocations };
    for s in straight_prefix(ed, ed.body()) {
        let Head::Tally { counter, amount } = ed.head(s) else { continue };
        let info = ed.counter(counter);
        let Some(factor) = ed.pool().as_int(amount).and_then(|k| u64::try_from(k).ok()) else { continue };
        if info == own || kept.contains(&info) {
            continue;
        }
        fixed.push(Fixed { counter: info, factor, procedure });
        ed.eliminate(s, Why::Counting);
    }
}

/// The statements of `b` that run exactly once whenever `b` is entered.
pub(crate) fn straight_prefix(unit: &Unit, b: Block) -> Vec<Stmt> {
    let mut out = Vec::new();
    for s in unit.stmts(b) {
        let head = unit.head(s);
        let ends = matches!(head, Head::Label(_) | Head::GotoTable { .. }) || head.is_jump() || may_leave(unit, s);
        if ends {
            break;
        }
        out.push(s);
    }
    out
}

/// Whether control may not come to the statement after `s`.
fn may_leave(unit: &Unit, s: Stmt) -> bool {
    let inside = unit.walk_stmt(s);
    let labels: FxHashSet<Label> = inside
        .iter()
        .filter_map(|&x| match unit.head(x) {
            Head::Label(l) => Some(l),
            _ => None,
        })
        .collect();
    inside.iter().any(|&x| {
        let head = unit.head(x);
        head == Head::Return || !unit.always_returns(head) || unit.targets(head).iter().any(|l| !labels.contains(l))
    })
}

/// Drops ghosts that no tally reads any more, then the ghosts that only these read, and blocks left empty.
fn drop_unused_ghosts(ed: &mut Editor<'_>) {
    loop {
        let mut read = FxHashSet::default();
        let (mut ghosts, mut stores, mut loads) = (Vec::new(), Vec::new(), false);
        for s in ed.walk() {
            match ed.head(s) {
                Head::Tally { amount, .. } => read.extend(ed.registers_in(amount)),
                Head::Ghost { var, value } => {
                    read.extend(ed.registers_in(value).into_iter().filter(|&v| v != var));
                    loads |= ed.reads_memory(value);
                    ghosts.push((s, Some(var)));
                }
                Head::GhostCall { result, .. } => {
                    read_by(ed, s, &mut read, &mut loads);
                    ghosts.push((s, Some(result)));
                }
                Head::Trips { .. } => read_by(ed, s, &mut read, &mut loads),
                Head::GhostStore { .. } => {
                    stores.push(s);
                    read_by(ed, s, &mut read, &mut loads);
                }
                Head::GhostIf { .. } | Head::GhostDo { .. } if ed.stmts(ed.blocks(s)[0]).next().is_none() => {
                    ghosts.push((s, None));
                }
                Head::GhostIf { .. } | Head::GhostDo { .. } => read_by(ed, s, &mut read, &mut loads),
                _ => {}
            }
        }
        let used = |v: Option<Sym>| v.is_some_and(|v| read.contains(&v));
        let mut unused: Vec<Stmt> = ghosts.into_iter().filter(|&(_, v)| !used(v)).map(|(s, _)| s).collect();
        if !loads {
            unused.extend(stores);
        }
        if unused.is_empty() {
            return;
        }
        for s in unused {
            ed.eliminate(s, Why::Counting);
        }
    }
}

/// Adds the registers that `s` evaluates, and whether it reads memory.
fn read_by(unit: &Unit, s: Stmt, read: &mut FxHashSet<Sym>, loads: &mut bool) {
    for e in unit.values(unit.head(s)) {
        read.extend(unit.registers_in(e));
        *loads |= unit.reads_memory(e);
    }
}
