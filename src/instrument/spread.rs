//! Counters with several cells, where one cell would be added to again at once.
//!
//! ```text
//! if (n >= 2) then        taken += 1       The processor hands on what it stores to the next load of the same cell, which
//!   if (n >= 3) then      taken += 1  =>   takes it some five cycles: longer than the code between two of these additions.
//!     call f(n - 3)                        The copies of `f` in itself take turns with cells of their own.
//!   …                     taken += 1
//! ```
//!
//! Procedures that were inlined into themselves have such places, and so have loops with calls whose body has several copies of one
//! counter. Other counters of innermost loops are in registers ([`trueline_ir::Editor::promote_tallies`]).
//! The count is the sum of its cells, in the metadata as for the interpreter.

use crate::discharge::Discharged;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trueline_ir::{Callee, Counter, Editor, Head, Program, Stmt, Unit, UnitKind};
use trueline_provenance::{CounterInfo, Measure};

/// The most cells of a counter: as many additions, one after another, take longer than a cell waits.
const MOST_CELLS: usize = 8;

/// The additions to one counter that control may come to in short succession.
type Places = Vec<Stmt>;

/// Gives counters with several additions close together a few cells, except for the counters in `kept`.
pub(crate) fn spread(program: &mut Program, kept: &FxHashSet<CounterInfo>, out: &mut Discharged) {
    let mut made = out.shares.values().map(|cells| cells.len() as u32).sum();
    for unit in program.units.iter_mut().filter(|u| u.kind() != UnitKind::Data) {
        let groups = groups(unit);
        let mut ed = Editor::open(unit, "discharge");
        for (counter, places) in groups {
            let info = ed.counter(counter);
            if kept.contains(&info) {
                continue;
            }
            let cells = out.shares.entry(info).or_default();
            while cells.len() + 1 < places.len().min(MOST_CELLS) {
                cells.push(CounterInfo { of: info.of, measure: Measure::Share(made) });
                made += 1;
            }
            for (k, t) in places.into_iter().enumerate() {
                if let Some(&cell) = (k % MOST_CELLS).checked_sub(1).and_then(|k| cells.get(k)) {
                    ed.count_share(t, cell);
                }
            }
        }
    }
}

/// The counters of a unit that have several additions close together, in the order of the first one.
fn groups(unit: &Unit) -> Vec<(Counter, Places)> {
    let order = unit.walk();
    let calls_itself = |s: &Stmt| matches!(unit.head(*s), Head::Call { callee: Callee::Proc(p), .. } if unit.proc(p).symbol == unit.symbol());
    let is_recursive = order.iter().any(calls_itself);
    let mut calling: FxHashSet<Stmt> = FxHashSet::default();
    let calls = |head| unit.calls_others(head) && !unit.never_returns(head);
    for &s in order.iter().filter(|&&s| !is_recursive && calls(unit.head(s))) {
        calling.extend(unit.ancestors(s).find(|&a| unit.head(a).is_loop()));
    }
    let mut found: indexmap::IndexMap<(Counter, Option<Stmt>), Places, rustc_hash::FxBuildHasher> = Default::default();
    // The loop around each statement with a body; statements that enclose others come first.
    let mut loops: FxHashMap<Stmt, Option<Stmt>> = FxHashMap::default();
    for &s in &order {
        let around = unit.enclosing(s).and_then(|outer| {
            if unit.head(outer).is_loop() { Some(outer) } else { loops.get(&outer).copied().flatten() }
        });
        if !unit.blocks(s).is_empty() {
            loops.insert(s, around);
        }
        let Head::Tally { counter, .. } = unit.head(s) else { continue };
        if is_recursive {
            found.entry((counter, None)).or_default().push(s);
        } else if around.is_some_and(|l| calling.contains(&l)) {
            found.entry((counter, around)).or_default().push(s);
        }
    }
    found.into_iter().filter(|(_, places)| places.len() > 1).map(|((counter, _), places)| (counter, places)).collect()
}

/// Adds the shares of each count of a run to it.
pub(crate) fn complete(out: &Discharged, counts: &mut BTreeMap<CounterInfo, i64>) {
    for &info in out.shares.keys() {
        let shares: i64 = out.shares_of(info).filter_map(|cell| counts.remove(&cell)).sum();
        if shares != 0 {
            *counts.entry(info).or_insert(0) += shares;
        }
    }
}
