//! Calls of procedures of other objects that count for the callee.
//!
//! ```text
//! do k = 1, 3                 calls @4 += 1
//!   call leaf(i, k)  @4       call *targets[0]        behind the entry of `leaf`, if another object of the executable has it
//! end do
//! ```
//!
//! An object does not know the callers of its procedures, so it counts every entry by their symbols
//! ([`crate::derive::enter`]). But the callers count their calls, too. A call with a counter of its own directly before
//! it passes the entry by; the counts of such calls are added to the invocations of the callee when the profile is
//! made, which has the metadata of all objects. Counts that follow from others would not do: they might follow from the
//! callee's.
//!
//! The runtime finds out at the start of a run whether the callee has such an entry (`trueline_codegen`, `targets.rs`).

use crate::discharge::straight_prefix;
use crate::meta::Calls;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{Head, Program, UnitKind};
use trueline_provenance::{CounterInfo, Measure};

/// A procedure of another object, by its linker symbol, with the counts of all calls of it.
pub type Outside = Vec<(String, Vec<CounterInfo>)>;

/// The procedures of other objects whose calls could count for them, if that pays: at least one call is in a loop or
/// conditional, where it must be counted in any case.
pub(crate) fn candidates(program: &Program, calls: &Calls) -> Outside {
    let defined: FxHashSet<&str> = program.units.iter().map(|u| u.symbol()).collect();
    let bridged: FxHashSet<&str> = program.bridges.iter().map(|b| b.symbol.as_str()).collect();
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut out = Outside::new();
    for (of, k, callee) in &calls.counted {
        let callee = callee.as_str();
        let is_fortran = callee.ends_with('_') || callee.contains("_MOD_");
        if !is_fortran || defined.contains(callee) || bridged.contains(callee) || calls.others.contains(callee) {
            continue;
        }
        let n = *numbers.entry(callee).or_insert_with(|| {
            out.push((callee.to_owned(), Vec::new()));
            out.len() - 1
        });
        out[n].1.push(CounterInfo { of: *of, measure: Measure::Calls(*k) });
    }
    if out.is_empty() {
        return out;
    }
    let varying = varying(program);
    out.retain(|(_, counts)| counts.iter().any(|c| varying.contains(c)));
    out
}

/// The counts that differ between activations of a procedure.
fn varying(program: &Program) -> FxHashSet<CounterInfo> {
    let mut out = FxHashSet::default();
    for unit in program.units.iter().filter(|u| u.kind() != UnitKind::Data) {
        let straight: FxHashSet<_> = straight_prefix(unit, unit.body()).into_iter().collect();
        for s in unit.walk() {
            if let Head::Tally { counter, .. } = unit.head(s)
                && !straight.contains(&s)
            {
                out.insert(unit.counter(counter));
            }
        }
    }
    out
}

/// Keeps the procedures whose calls are all counted, one by one, where they are made.
pub(crate) fn keep_exact(program: &Program, outside: &mut Outside) {
    if outside.is_empty() {
        return;
    }
    let mut wrong: FxHashSet<CounterInfo> =
        program.units.iter().flat_map(|u| u.log().lost.iter().map(|(info, _)| *info)).collect();
    for unit in &program.units {
        for s in unit.walk() {
            if let Head::Tally { counter, amount } = unit.head(s)
                && unit.pool().as_int(amount) != Some(1)
            {
                wrong.insert(unit.counter(counter));
            }
        }
    }
    outside.retain(|(_, counts)| counts.iter().all(|c| !wrong.contains(c)));
}

/// Whether calls of other objects may pass by the entry of the procedure `symbol`.
pub fn may_be_passed_by(program: &Program, symbol: &str) -> bool {
    let is_exported = program.units.iter().any(|u| u.symbol() == symbol && u.is_exported());
    is_exported && program.bridges.iter().all(|b| b.symbol != symbol)
}
