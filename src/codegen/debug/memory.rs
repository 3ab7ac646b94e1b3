//! Variables in memory in optimized code: whether the stored value is the value of the source.
//!
//! As for registers ([`crate::debug::currency`]), the definitions that reach a statement in the source are compared
//! with the definitions that reach it in the code. Memory has no versions, so the address counts: the definitions are
//! followed through the machine code. Stores and calls are marked there by [`EFFECT`] in their locations, and Cranelift
//! keeps their order. A variable that the procedure never writes is current everywhere.

use crate::debug::currency::{ENTRY, Mask, Reaching};
use crate::locate::EFFECT;
use crate::step::Code;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::{Access, Area, Callee, Expr, ExprData, Head, Linkage, Stmt, Storage, Sym, Type, Unit};
use trueline_provenance::SetId;

/// The certainty with which a statement writes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Write {
    /// It may write it, or writes a part.
    May,
    /// It gives the variable a value.
    Must,
}

/// The certainty with which `s` writes the variable `v`, which is in memory; none if it certainly does not.
pub(crate) fn writes(unit: &Unit, s: Stmt, v: Sym) -> Option<Write> {
    match unit.head(s) {
        Head::Store { addr, offset, value, sym } if sym == v => {
            let data = unit.sym(v);
            let is_whole = data.dims.is_empty()
                && data.len.is_none()
                && unit.ty(value) == data.ty
                && is_address(unit, addr, offset, v);
            Some(if is_whole { Write::Must } else { Write::May })
        }
        Head::Store { sym, .. } => overlap(unit, sym, v).then_some(Write::May),
        Head::GhostStore { place, .. } => {
            written(unit, place).is_none_or(|w| overlap(unit, w, v)).then_some(Write::May)
        }
        Head::Call { callee, args, .. } => {
            let is_ours = matches!(callee, Callee::Proc(_) | Callee::Dummy(_));
            let args = unit.list(args);
            let by_argument = args.iter().any(|&a| may_write(unit, a, v));
            (by_argument || is_ours && is_reachable(unit, v)).then_some(Write::May)
        }
        _ => None,
    }
}

/// The certainty with which `s` writes the scalar of that type `at` bytes behind the beginning of `v`, which is in memory.
pub(crate) fn writes_part(unit: &Unit, s: Stmt, v: Sym, (at, ty): (u64, Type)) -> Option<Write> {
    let write = writes(unit, s, v)?;
    let Head::Store { addr, offset, value, .. } = unit.head(s) else { return Some(Write::May) };
    let stored = match unit.expr(addr) {
        ExprData::Addr(w) => position(unit, w, offset.into()),
        _ => None,
    };
    let (Some((a, from)), Some((b, start))) = (stored, position(unit, v, at as i64)) else { return Some(Write::May) };
    if a != b {
        return Some(write);
    }
    let size = unit.ty(value).size() as i64;
    match () {
        () if from + size <= start || start + ty.size() as i64 <= from => None,
        () if from == start && unit.ty(value) == ty => Some(Write::Must),
        () => Some(Write::May),
    }
}

/// The memory that a symbol is in, and a distance from its beginning as one from that of the memory.
fn position(unit: &Unit, v: Sym, distance: i64) -> Option<(Result<Area, Sym>, i64)> {
    let within = match unit.sym(v).storage {
        Storage::Within { offset, .. } => offset,
        _ => 0,
    };
    let root = unit.root(v);
    let (memory, start) = match unit.sym(root).storage {
        Storage::Static { area, offset } => (Ok(area), offset),
        _ => (Err(root), 0),
    };
    Some((memory, i64::try_from(start + within).ok()?.checked_add(distance)?))
}

/// Whether an address is that of `v`, also as a place in the memory that `v` is part of.
fn is_address(unit: &Unit, addr: Expr, offset: i32, v: Sym) -> bool {
    let ExprData::Addr(w) = unit.expr(addr) else { return false };
    match (unit.sym(w).storage, unit.sym(v).storage) {
        (Storage::Static { area: a, offset: i }, Storage::Static { area: b, offset: k }) => {
            a == b && i.checked_add_signed(i64::from(offset)) == Some(k)
        }
        _ => w == v && offset == 0,
    }
}

/// Whether a call may write `v` through an argument.
fn may_write(unit: &Unit, argument: Expr, v: Sym) -> bool {
    match unit.expr(argument) {
        ExprData::AddrOf(Access::In, _) => false,
        ExprData::AddrOf(_, place) => written(unit, place).is_none_or(|w| overlap(unit, w, v)),
        ExprData::Load { .. } => false,
        _ => {
            // An address may be passed as a number.
            let mut found = false;
            unit.visit_expr(argument, &mut |e| {
                found |= matches!(unit.expr(e), ExprData::Addr(w) if overlap(unit, w, v))
            });
            found
        }
    }
}

/// The symbol that a place belongs to; none if that is not known.
fn written(unit: &Unit, place: Expr) -> Option<Sym> {
    match unit.expr(place) {
        ExprData::Elem(s, _) | ExprData::Section(s, _) | ExprData::Wide(_, s, _) => Some(s),
        ExprData::Load { sym: s, .. } | ExprData::Addr(s) => Some(s),
        ExprData::Var(s) => Some(s),
        ExprData::Substr(base, ..) => written(unit, base),
        _ => None,
    }
}

/// Whether other procedures may write `v` without getting it as an argument.
fn is_reachable(unit: &Unit, v: Sym) -> bool {
    let root = unit.sym(unit.root(v));
    if let Storage::Static { area, .. } = root.storage
        && unit.area(area).linkage == Linkage::Local
    {
        return root.may_alias || unit.sym(v).may_alias;
    }
    root.may_alias || unit.sym(v).may_alias || matches!(root.storage, Storage::Static { .. } | Storage::Pointer { .. })
}

/// Whether two symbols may share bytes.
fn overlap(unit: &Unit, a: Sym, b: Sym) -> bool {
    let (of_a, of_b) = (unit.sym(a), unit.sym(b));
    if a == b || of_a.may_alias && of_b.may_alias || unit.root(a) == unit.root(b) {
        return true;
    }
    let size = |s: Sym| {
        let data = unit.sym(s);
        (data.dims.is_empty() && data.len.is_none() && !matches!(data.ty, Type::Char)).then(|| data.ty.size() as u64)
    };
    match (unit.sym(unit.root(a)).storage, unit.sym(unit.root(b)).storage) {
        (Storage::Static { area: x, offset: i }, Storage::Static { area: y, offset: k }) => {
            let apart = |at: u64, size: Option<u64>, other: u64| size.is_some_and(|n| at + n <= other);
            x == y && !apart(i, size(a), k) && !apart(k, size(b), i)
        }
        (Storage::Pointer { base: x }, Storage::Pointer { base: y }) => x == y,
        _ => false,
    }
}

/// The effects of the statements of one set on a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effective {
    /// The definitions of the source that they are.
    mask: Mask,
    write: Write,
    /// Whether stores of theirs write the variable, not only calls.
    is_stored: bool,
}

impl Effective {
    /// The definitions of the source that they are.
    pub(crate) fn mask(&self) -> Mask {
        self.mask
    }
}

/// A statement of optimized code as definitions of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    pub(crate) mask: Mask,
    /// Whether it has left a construct around it.
    pub(crate) has_left: bool,
}

/// The effects on a variable by set.
pub(crate) type Made = FxHashMap<SetId, Effective>;

/// A stretch of machine code that ends with a store or call, or several of one set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effect {
    start: u32,
    end: u32,
    set: SetId,
}

/// The machine code of a unit as blocks with the effects in them.
pub(crate) struct Effects {
    /// Beginning and end of each block, and its effects in order.
    blocks: Vec<(u32, u32, Vec<Effect>)>,
    /// The blocks before each one.
    before: Vec<SmallVec<[usize; 2]>>,
}

impl Effects {
    /// The effects of code whose locations are `rows`.
    pub(crate) fn of(unit: &Unit, code: &Code, rows: &[(u32, u32, u32)]) -> Effects {
        let size = code.size();
        let mut starts: Vec<u32> = code.compiled.bb_starts.iter().copied().chain([0]).collect();
        starts.sort_unstable();
        starts.dedup();
        let mut blocks: Vec<(u32, u32, Vec<Effect>)> = Vec::with_capacity(starts.len());
        for (k, &start) in starts.iter().enumerate() {
            blocks.push((start, starts.get(k + 1).copied().unwrap_or(size), Vec::new()));
        }
        for &(start, end, location) in rows {
            let is_effect = location & EFFECT != 0 && start < end;
            let Some(set) = crate::locate::set_of(unit, location).filter(|_| is_effect) else { continue };
            let at = starts.partition_point(|&s| s <= start) - 1;
            blocks[at].2.push(Effect { start, end, set });
        }
        let mut before: Vec<SmallVec<[usize; 2]>> = vec![SmallVec::new(); blocks.len()];
        for (from, to) in &code.compiled.bb_edges {
            if let (Ok(from), Ok(to)) = (starts.binary_search(from), starts.binary_search(to)) {
                before[to].push(from);
            }
        }
        if !code.compiled.bb_starts.contains(&0) && blocks.len() > 1 {
            // The prologue.
            before[1].push(0);
        }
        Effects { blocks, before }
    }

    /// The number of steps of one pass over it.
    pub(crate) fn len(&self) -> usize {
        self.blocks.iter().map(|b| 1 + b.2.len()).sum()
    }

    /// Calls `each` for every stretch of code with the definitions that reach it; none where a variable is being
    /// written. `made` maps a set to the definitions that its effects make.
    pub(crate) fn solve(&self, made: &Made, each: &mut dyn FnMut(u32, u32, Mask)) {
        let after = |mask: Mask, effects: &[Effect]| {
            effects.iter().fold(mask, |mask, e| match made.get(&e.set) {
                Some(of) if of.write == Write::Must => of.mask,
                Some(of) => mask | of.mask,
                None => mask,
            })
        };
        let mut reached: Vec<Mask> = vec![0; self.blocks.len()];
        if let Some(first) = reached.first_mut() {
            *first = ENTRY;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..self.blocks.len() {
                let from = self.before[i].iter();
                let into = from.fold(reached[i], |into, &b| into | after(reached[b], &self.blocks[b].2));
                changed |= into != reached[i];
                reached[i] = into;
            }
        }
        for (i, (start, end, effects)) in self.blocks.iter().enumerate() {
            let (mut at, mut mask) = (*start, reached[i]);
            for e in &joined(effects, made) {
                // Before its first instruction has run, the variable has its old value; while a call runs, the
                // callee's.
                let is_stored = made.get(&e.set).is_none_or(|of| of.is_stored);
                each(at, if is_stored { e.start + 1 } else { e.end }, mask);
                mask = after(mask, std::slice::from_ref(e));
                at = e.end;
            }
            if at < *end {
                each(at, *end, mask);
            }
        }
    }
}

/// The effects of a block that write a variable. Effects of one statement that follow each other are one: the parts of
/// a complex number are stored one by one, and until the last is stored the variable is half written.
fn joined(effects: &[Effect], made: &Made) -> Vec<Effect> {
    let mut out: Vec<Effect> = Vec::new();
    for e in effects.iter().filter(|e| made.contains_key(&e.set)) {
        match out.last_mut() {
            Some(last) if last.set == e.set => last.end = e.end,
            _ => out.push(*e),
        }
    }
    out
}

/// The effects of each set on `v`. None if one of the statements has no set.
pub(crate) fn made(unit: &Unit, all: &[Stmt], v: Sym, definition: &mut dyn FnMut(Stmt) -> Definition) -> Option<Made> {
    let mut out = Made::default();
    let mut harmless: rustc_hash::FxHashSet<SetId> = rustc_hash::FxHashSet::default();
    for &s in all {
        let set = unit.set(s);
        let Some(write) = writes(unit, s, v) else {
            harmless.insert(set);
            continue;
        };
        if set == SetId::EMPTY {
            return None;
        }
        let made = out.entry(set).or_insert(Effective { mask: 0, write, is_stored: false });
        let of = definition(s);
        made.mask |= of.mask;
        made.is_stored |= !matches!(unit.head(s), Head::Call { .. } | Head::GhostCall { .. });
        // Behind a loop that need not have run, a store may write the value that was there.
        if write == Write::May || of.has_left {
            made.write = Write::May;
        }
    }
    // Another store of the same statement looks like the one that matters.
    for (set, made) in &mut out {
        if harmless.contains(set) {
            made.write = Write::May;
        }
    }
    Some(out)
}

/// The statements that have effects in machine code.
pub(crate) fn effective(unit: &Unit) -> Vec<Stmt> {
    let has = |s: &Stmt| {
        matches!(
            unit.head(*s),
            Head::Store { .. } | Head::GhostStore { .. } | Head::Call { .. } | Head::GhostCall { .. }
        )
    };
    unit.walk().into_iter().filter(has).collect()
}

/// Whether a variable is current in a stretch of code.
pub(crate) fn is_current(reaching: &Reaching, at: trueline_provenance::Serial, mask: Mask, made: &Made) -> bool {
    let present = made.values().fold(0, |all, m| all | m.mask);
    reaching.is_current(at, mask, present)
}
