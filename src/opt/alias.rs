//! What may be the same memory (the rules are those of [`Storage`]), and what a statement may write.

use crate::linear::Linear;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_abi::Effect;
use trueline_ir::{Access, Area, Callee, Expr, ExprData, Head, Linkage, Storage, Sym, Unit};

/// Whether the memory of `a` and `b` may overlap.
pub(crate) fn may_overlap(u: &Unit, a: Sym, b: Sym) -> bool {
    if a == b {
        return true;
    }
    let (x, y) = (u.sym(a), u.sym(b));
    match (x.storage, y.storage) {
        (Storage::Register | Storage::Value { .. } | Storage::Frame, _)
        | (_, Storage::Register | Storage::Value { .. } | Storage::Frame) => false,
        (Storage::Static { area: p, offset: i }, Storage::Static { area: q, offset: j }) => {
            let before = |i: u64, j: u64, s: Sym| size_in_bytes(u, s).is_some_and(|n| i.saturating_add(n) <= j);
            let overlap = p == q && !before(i, j, a) && !before(j, i, b);
            overlap && (i == j || !trueline_ir::fault("alias_equivalence"))
        }
        (Storage::Pointer { base: p }, Storage::Pointer { base: q }) => p == q || (x.may_alias && y.may_alias),
        _ => x.may_alias && y.may_alias,
    }
}

/// The size of a symbol of constant size.
pub(crate) fn size_in_bytes(u: &Unit, s: Sym) -> Option<u64> {
    let data = u.sym(s);
    let mut size = match data.len.expand() {
        Some(len) => u64::try_from(u.pool().as_int(len)?).ok()?,
        None => data.ty.size() as u64,
    };
    for d in &data.dims {
        let (lo, hi) = (u.pool().as_int(d.lower)?, u.pool().as_int(d.upper.expand()?)?);
        size = size.checked_mul(u64::try_from(hi.checked_sub(lo)?.checked_add(1)?).unwrap_or(0))?;
    }
    Some(size)
}

/// The symbols of a unit in classes: symbols of different classes never overlap. Coarser than
/// [`may_overlap`] (an EQUIVALENCE chain is one class), but one look-up.
pub(crate) struct Classes {
    of: FxHashMap<Sym, u32>,
    /// Classes that an unknown procedure may write: COMMON blocks, module variables.
    global: Vec<bool>,
}

impl Classes {
    pub(crate) fn of(u: &Unit) -> Classes {
        let mut classes = Classes { of: FxHashMap::default(), global: Vec::new() };
        let mut areas: FxHashMap<Area, Vec<(u64, u64, Sym)>> = FxHashMap::default();
        let mut order: Vec<Area> = Vec::new();
        let mut bases: FxHashMap<Sym, u32> = FxHashMap::default();
        // Whatever may be a target is one class, with the areas that such symbols live in.
        let targets = classes.new_class(false);
        for (s, data) in u.syms() {
            match data.storage {
                Storage::Register | Storage::Value { .. } => {}
                Storage::Static { area, offset } => {
                    let end = size_in_bytes(u, s).map_or(u64::MAX, |n| offset.saturating_add(n));
                    if !areas.contains_key(&area) {
                        order.push(area);
                    }
                    areas.entry(area).or_default().push((offset, end, s));
                }
                _ if data.may_alias => classes.put(s, targets),
                Storage::Pointer { base } => {
                    let class = *bases.entry(base).or_insert_with(|| classes.new_class(false));
                    classes.put(s, class);
                }
                Storage::Frame | Storage::Dummy { .. } => {
                    let class = classes.new_class(false);
                    classes.put(s, class);
                }
            }
        }
        for area in order {
            let members = areas.remove(&area).unwrap_or_default();
            classes.area(u, area, members, targets);
        }
        classes
    }

    fn new_class(&mut self, global: bool) -> u32 {
        self.global.push(global);
        self.global.len() as u32 - 1
    }

    fn put(&mut self, s: Sym, class: u32) {
        self.of.insert(s, class);
    }

    /// Runs of overlapping symbols of one area are a class each.
    fn area(&mut self, u: &Unit, area: Area, mut members: Vec<(u64, u64, Sym)>, targets: u32) {
        let global = !matches!(u.area(area).linkage, Linkage::Local);
        if members.iter().any(|&(.., s)| u.sym(s).may_alias) {
            self.global[targets as usize] |= global;
            members.iter().for_each(|&(.., s)| self.put(s, targets));
            return;
        }
        members.sort_by_key(|&(start, end, _)| (start, end));
        let mut reach = 0;
        let mut class = None;
        for (start, end, s) in members {
            let joined = class
                .filter(|_| start < reach && !trueline_ir::fault("alias_classes"))
                .unwrap_or_else(|| self.new_class(global));
            class = Some(joined);
            reach = reach.max(end);
            self.put(s, joined);
        }
    }

    /// The class of a symbol in memory.
    pub(crate) fn class(&self, s: Sym) -> Option<u32> {
        self.of.get(&s).copied()
    }

    /// The classes that an unknown procedure may write.
    pub(crate) fn globals(&self) -> impl Iterator<Item = u32> + '_ {
        self.global.iter().enumerate().filter(|(_, g)| **g).map(|(c, _)| c as u32)
    }
}

/// What of a symbol is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Written {
    /// This place.
    Place(Expr),
    /// So many bytes at an address.
    Bytes { addr: Expr, offset: i32, size: i32 },
    /// Anything.
    All,
}

/// What executing `head` itself may write in memory.
#[derive(Default)]
pub(crate) struct Writes {
    /// The symbols written, and what of them.
    pub(crate) places: SmallVec<[(Sym, Written); 2]>,
    /// Whether memory that other procedures know is written too.
    pub(crate) globals: bool,
}

/// What executing `head`, without its blocks, may write.
pub(crate) fn writes(u: &Unit, head: Head) -> Writes {
    let mut out = Writes::default();
    match head {
        Head::Assign { place, .. } | Head::ArrayAssign { place, .. } => {
            if let Some(s) = memory_of(u, place) {
                out.places.push((s, Written::Place(place)));
            }
        }
        Head::Store { addr, offset, value, sym } => {
            let size = u.ty(value).size() as i32;
            out.places.push((sym, Written::Bytes { addr, offset, size }));
        }
        Head::Call { callee, .. } => {
            for (access, place) in u.references(head) {
                if let (Access::Out | Access::InOut, Some(s)) = (access, memory_of(u, place)) {
                    out.places.push((s, Written::All));
                }
            }
            out.globals = match callee {
                Callee::Proc(p) => !u.proc(p).is_libm && !u.proc(p).is_pure && !trueline_ir::fault("alias_common"),
                Callee::Dummy(_) => true,
                Callee::Rt(_) => false,
            };
        }
        _ => {}
    }
    out
}

/// The symbol in memory that a place belongs to.
pub(crate) fn memory_of(u: &Unit, place: Expr) -> Option<Sym> {
    match u.expr(place) {
        ExprData::Elem(s, _) | ExprData::Section(s, _) | ExprData::Load { sym: s, .. } | ExprData::Addr(s) => Some(s),
        ExprData::Var(s) => (!u.sym(s).is_register()).then_some(s),
        ExprData::Substr(base, ..) => memory_of(u, base),
        _ => None,
    }
}

/// Whether a call can go when its result is not used: it has no effect and writes nothing.
pub(crate) fn only_result(u: &Unit, head: Head) -> bool {
    let Head::Call { callee, .. } = head else { return false };
    let silent = match callee {
        Callee::Proc(p) => u.proc(p).is_libm || u.proc(p).is_pure,
        Callee::Dummy(_) => false,
        Callee::Rt(f) => f.signature().effect == Effect::Pure,
    };
    silent && u.references(head).iter().all(|(access, _)| *access == Access::In)
}

/// Whether `place`, of the same class, is surely not what is written.
pub(crate) fn surely_spared(u: &Unit, written: Written, place: Expr) -> bool {
    match (written, u.expr(place)) {
        (Written::Place(w), ExprData::Elem(y, j)) => match u.expr(w) {
            // Elements of the same array with a subscript that differs by a constant.
            ExprData::Elem(x, i) => {
                let differs = |&i: &Expr, &j: &Expr| {
                    Linear::of(u, i)
                        .minus(&Linear::of(u, j))
                        .as_constant()
                        .is_some_and(|d| d != 0 || trueline_ir::fault("alias_element"))
                };
                x == y && u.list(i).iter().zip(u.list(j)).any(|(i, j)| differs(i, j))
            }
            _ => false,
        },
        (Written::Bytes { addr, offset, size }, ExprData::Load { ty, addr: from, offset: at, .. }) => {
            addr == from && (offset + size <= at || at + ty.size() as i32 <= offset)
        }
        _ => false,
    }
}
