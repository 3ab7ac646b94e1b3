//! Registers that are never alive at once share a variable of Cranelift's builder.
//!
//! The builder keeps a table for each variable with a place for every block up to the last one that defines it. With a
//! variable for each register, a procedure of many loops would take memory that grows with the square of their number.
//!
//! A register may share if the statements from its first to its last mention are entered at the first one only, and
//! that defines it without reading it: then no value comes in from before, nor around a loop outside.

use crate::types::{clif_type, is_complex};
use cranelift_codegen::ir::Type as ClifType;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use trueline_ir::{ExprData, Head, Label, Storage, Sym, Unit};

/// Registers with longer ranges keep a variable of their own.
const LONGEST: usize = 4000;

/// The first and last mention of a register, and whether the first defines it without reading it.
#[derive(Clone, Copy)]
struct Range {
    first: usize,
    last: usize,
    defines: bool,
}

/// The registers that may share: of one type of CLIF, and vectors of one length among themselves.
type Class = (ClifType, usize);

/// For each register that shares a variable, the first register that has it.
pub(crate) fn shared(unit: &Unit) -> FxHashMap<Sym, Sym> {
    let mut ranges: FxHashMap<Sym, Range> = FxHashMap::default();
    let mut order: Vec<Sym> = Vec::new();
    let mut labels: Vec<(usize, Label)> = Vec::new();
    let mut jumps: FxHashMap<Label, (usize, usize)> = FxHashMap::default();
    for (at, s) in unit.walk().into_iter().enumerate() {
        let head = unit.head(s);
        if let Head::Label(l) = head {
            labels.push((at, l));
        }
        for l in unit.targets(head) {
            let span = jumps.entry(l).or_insert((at, at));
            *span = (span.0.min(at), span.1.max(at));
        }
        let mut mention = |v: Sym, defines: bool| {
            let range = ranges.entry(v).or_insert_with(|| {
                order.push(v);
                Range { first: at, last: at, defines }
            });
            range.last = at;
        };
        for e in unit.values(head) {
            unit.registers_in(e).into_iter().for_each(|v| mention(v, false));
        }
        let assigned = match head {
            Head::Assign { place, .. } => match unit.expr(place) {
                ExprData::Var(v) => Some(v),
                _ => None,
            },
            Head::Ghost { var, .. } => Some(var),
            _ => None,
        };
        match assigned {
            Some(v) => mention(v, true),
            None => unit.may_define(head).into_iter().for_each(|v| mention(v, false)),
        }
    }
    let mut out: FxHashMap<Sym, Sym> = FxHashMap::default();
    let mut free: FxHashMap<Class, BinaryHeap<Reverse<(usize, Sym)>>> = FxHashMap::default();
    let pinned = pinned(unit);
    for v in order {
        let range = ranges[&v];
        let data = unit.sym(v);
        let may = range.defines && !pinned.contains(&v) && !is_complex(data.ty) && range.last - range.first <= LONGEST;
        if !may || !matches!(data.storage, Storage::Register) {
            continue;
        }
        let Some(last) = closed(range, &labels, &jumps) else { continue };
        let class = free.entry((clif_type(data.ty), data.ty.size())).or_default();
        let mut holder = v;
        if let Some(mut soonest) = class.peek_mut()
            && soonest.0.0 < range.first
        {
            holder = soonest.0.1;
            soonest.0.0 = last;
        } else {
            class.push(Reverse((last, v)));
        }
        out.insert(v, holder);
    }
    out
}

/// Registers that are read where no statement names them.
fn pinned(unit: &Unit) -> FxHashSet<Sym> {
    let mut out: FxHashSet<Sym> = unit.result().into_iter().collect();
    out.extend(unit.syms().filter_map(|(_, data)| match data.storage {
        Storage::Pointer { base } => Some(base),
        _ => None,
    }));
    // Counting may be in loops of its own.
    for s in unit.stmts(unit.body()).filter(|&s| !unit.blocks(s).is_empty()) {
        for x in unit.walk_stmt(s) {
            let head = unit.head(x);
            out.extend(unit.defines(head));
            unit.values(head).into_iter().for_each(|e| out.extend(unit.registers_in(e)));
        }
    }
    out.extend(unit.stmts(unit.body()).filter_map(|s| match unit.head(s) {
        Head::Call { callee: trueline_ir::Callee::Dummy(v), .. } => Some(v),
        _ => None,
    }));
    out
}

/// The end of the range with the jumps back into it, if nothing else jumps into it.
fn closed(range: Range, labels: &[(usize, Label)], jumps: &FxHashMap<Label, (usize, usize)>) -> Option<usize> {
    let from = labels.partition_point(|&(at, _)| at <= range.first);
    let mut last = range.last;
    for &(at, l) in &labels[from..] {
        if at > last {
            break;
        }
        if let Some(&(least, greatest)) = jumps.get(&l) {
            last = last.max(greatest);
            if least < range.first || last - range.first > LONGEST {
                return None;
            }
        }
    }
    Some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_vectors_share_with_pairs_only() {
        let unit = trueline_ir::testing::read(
            "
r8x2 short, later
r8x4 long
real a(8)
short = wide_r8x2(a(1)) @1
wide_r8x2(a(3)) = short @2
long = wide_r8x4(a(1)) @3
wide_r8x4(a(5)) = long @4
later = wide_r8x2(a(1)) @5
wide_r8x2(a(3)) = later @6",
        );
        let of = |name: &str| unit.syms().find(|(_, data)| data.name == name).map(|(v, _)| v).expect("a register");
        let holders = shared(&unit);
        let holder = |name: &str| holders[&of(name)];
        assert_eq!(holder("later"), of("short"), "registers of one type that are never alive at once");
        assert_eq!(holder("long"), of("long"));
    }
}
