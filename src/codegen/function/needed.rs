//! Registers whose values matter.
//!
//! A DO variable that pointers replaced is still counted up. As the addition reads the variable, neither Cranelift nor
//! dead code elimination on statements sees that nothing else does.

use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{Callee, ExprData, Head, Storage, Sym, Unit};

/// The registers of a unit at L that are read by more than assignments of unneeded registers.
pub(crate) fn needed(unit: &Unit) -> FxHashSet<Sym> {
    let mut reads: FxHashMap<Sym, Vec<Sym>> = FxHashMap::default();
    let mut todo: Vec<Sym> = unit.result().into_iter().collect();
    // The base of memory is read without naming the register.
    todo.extend(unit.syms().filter_map(|(_, d)| match d.storage {
        Storage::Pointer { base } => Some(base),
        _ => None,
    }));
    for s in unit.walk() {
        let head = unit.head(s);
        let defined = match head {
            Head::Assign { place, value } if !unit.may_trap(value) => match unit.expr(place) {
                ExprData::Var(v) => Some(v),
                _ => None,
            },
            Head::Ghost { var, .. } => Some(var),
            _ => None,
        };
        if let Head::Assign { place, .. } = head
            && defined.is_none()
            && let ExprData::Var(v) = unit.expr(place)
        {
            todo.push(v);
        }
        if let Head::Call { callee: Callee::Dummy(v), .. } = head {
            todo.push(v);
        }
        let into = match defined {
            Some(v) => reads.entry(v).or_default(),
            None => &mut todo,
        };
        for e in unit.values(head) {
            into.extend(unit.registers_in(e));
        }
    }
    let mut out: FxHashSet<Sym> = FxHashSet::default();
    while let Some(v) = todo.pop() {
        if out.insert(v) {
            todo.extend(reads.remove(&v).unwrap_or_default());
        }
    }
    out
}
