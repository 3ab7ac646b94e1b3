//! Aliasing: which symbols may share memory (by the rules of [`Storage`]), and which memory a statement may write.

use crate::linear::Linear;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_abi::Effect;
use trueline_ir::{Access, Area, BinaryOp, Callee, Expr, ExprData, Head, Linkage, Storage, Sym, Unit};

/// A piece of memory that symbols are parts of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Whole {
    Area(Area),
    Frame(Sym),
    Dummy(u32),
    /// The memory that the register points to.
    Pointer(Sym),
}

impl Whole {
    /// Whether it is a variable of its own, so that two of them never overlap.
    fn is_variable(self) -> bool {
        matches!(self, Whole::Area(_) | Whole::Frame(_))
    }
}

/// The memory that `s` is in, and the byte of it where it begins; none for a register.
fn whole_of(u: &Unit, s: Sym) -> Option<(Whole, u64)> {
    let (root, inner) = match u.sym(s).storage {
        Storage::Within { root, offset } => (root, offset),
        _ => (s, 0),
    };
    Some(match u.sym(root).storage {
        Storage::Static { area, offset } => (Whole::Area(area), offset),
        Storage::Frame => (Whole::Frame(root), inner),
        Storage::Dummy { index } => (Whole::Dummy(index), inner),
        Storage::Pointer { base } => (Whole::Pointer(base), inner),
        Storage::Register | Storage::Value { .. } | Storage::Within { .. } => return None,
    })
}

/// Whether the memory of `a` and `b` may overlap.
pub(crate) fn may_overlap(u: &Unit, a: Sym, b: Sym) -> bool {
    overlap(u, a, b, MAX_OWNERS)
}

/// Components of components of … have this number of owners at most that are looked at.
const MAX_OWNERS: u32 = 8;

/// Whether `a` and `b` are in the memory of two ALLOCATABLE components: of objects that are no targets, each of which has memory of
/// its own. They are two if their descriptors lie apart.
fn owned_apart(u: &Unit, a: Sym, b: Sym, depth: u32) -> bool {
    let owner = |s: Sym| u.sym(u.root(s)).owner.expand();
    let (Some(x), Some(y)) = (owner(a), owner(b)) else { return false };
    depth > 0 && (!overlap(u, x, y, depth - 1) || trueline_ir::fault("alias_owner"))
}

fn overlap(u: &Unit, a: Sym, b: Sym, depth: u32) -> bool {
    if a == b {
        return true;
    }
    let (Some((p, i)), Some((q, j))) = (whole_of(u, a), whole_of(u, b)) else { return false };
    if p != q {
        let aliases = !(p.is_variable() && q.is_variable()) && u.sym(a).may_alias && u.sym(b).may_alias;
        return aliases && !owned_apart(u, a, b, depth);
    }
    let shared = !u.ends_before(a, i, j) && !u.ends_before(b, j, i) && !interleave(u, (a, i), (b, j));
    shared && (i == j || !trueline_ir::fault("alias_equivalence"))
}

/// The size of a symbol of constant size.
pub(crate) fn size_in_bytes(u: &Unit, s: Sym) -> Option<u64> {
    u.size_in_bytes(s)
}

/// Whether two symbols, which begin at bytes `i` and `j` of the same memory, are interleaved, like different components
/// of the elements of an array: all strides are multiples of `g` bytes, and within every `g` bytes each symbol has a
/// range of its own.
fn interleave(u: &Unit, (a, i): (Sym, u64), (b, j): (Sym, u64)) -> bool {
    let (Some((g, m)), Some((h, n))) = (pieces(u, a), pieces(u, b)) else { return false };
    let g = gcd(g, h);
    if g == 0 {
        return false;
    }
    let between = (i128::from(j) - i128::from(i)).rem_euclid(i128::from(g));
    i128::from(m) <= between && between + i128::from(n) <= i128::from(g)
}

/// A number that divides all strides of `s` (0 if it has none), and the bytes that lie without gaps.
fn pieces(u: &Unit, s: Sym) -> Option<(u64, u64)> {
    let data = u.sym(s);
    let mut run = match data.len.expand() {
        Some(len) => u64::try_from(u.pool().as_int(len)?).ok()?,
        None => data.ty.size() as u64,
    };
    let mut divisor = 0;
    for d in &data.dims {
        match d.stride.expand() {
            Some(stride) => divisor = gcd(divisor, factor(u, stride, 8)),
            // The distance between elements behind a dimension with a stride is the length of that dimension.
            None if divisor != 0 => return None,
            None => {
                let (lo, hi) = (u.pool().as_int(d.lower)?, u.pool().as_int(d.upper.expand()?)?);
                run = run.checked_mul(u64::try_from(hi.checked_sub(lo)?.checked_add(1)?).unwrap_or(0))?;
            }
        }
    }
    Some((divisor, run))
}

/// A number that divides `e`.
fn factor(u: &Unit, e: Expr, depth: u32) -> u64 {
    match u.expr(e) {
        ExprData::Int(_, v) => v.unsigned_abs(),
        ExprData::Binary(BinaryOp::Mul, a, b) if depth > 0 => {
            factor(u, a, depth - 1).saturating_mul(factor(u, b, depth - 1)).max(1)
        }
        _ => 1,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The symbols of a unit in classes: symbols of different classes never overlap. Coarser than
/// [`may_overlap`] (an EQUIVALENCE chain is one class), but one look-up.
pub(crate) struct Classes {
    of: FxHashMap<Sym, u32>,
    /// Classes that an unknown procedure may write: COMMON blocks, module variables, targets of pointers.
    global: Vec<bool>,
}

impl Classes {
    pub(crate) fn of(u: &Unit) -> Classes {
        let mut classes = Classes { of: FxHashMap::default(), global: Vec::new() };
        let mut wholes: FxHashMap<Whole, Vec<(u64, u64, Sym)>> = FxHashMap::default();
        let mut order: Vec<Whole> = Vec::new();
        // Whatever may be a target is one class, with the memory that such symbols are part of.
        let targets = classes.new_class(true);
        for (s, _) in u.syms().filter(|(_, d)| !d.is_for_counts()) {
            let Some((whole, offset)) = whole_of(u, s) else { continue };
            let end = size_in_bytes(u, s).map_or(u64::MAX, |n| offset.saturating_add(n));
            let members = wholes.entry(whole).or_default();
            if members.is_empty() {
                order.push(whole);
            }
            members.push((offset, end, s));
        }
        for whole in order {
            let members = wholes.remove(&whole).unwrap_or_default();
            classes.members(u, whole, members, targets);
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

    /// Runs of overlapping symbols of one piece of memory are a class each.
    fn members(&mut self, u: &Unit, whole: Whole, mut members: Vec<(u64, u64, Sym)>, targets: u32) {
        let global = matches!(whole, Whole::Area(area) if !matches!(u.area(area).linkage, Linkage::Local));
        if members.iter().any(|&(.., s)| u.sym(s).may_alias) {
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

/// The part of a symbol that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Written {
    /// This place.
    Place(Expr),
    /// `size` bytes at an address.
    Bytes { addr: Expr, offset: i32, size: i32 },
    /// Anything.
    All,
}

/// The memory that executing `head` itself may write.
#[derive(Default)]
pub(crate) struct Writes {
    /// The symbols written, and the part of each.
    pub(crate) places: SmallVec<[(Sym, Written); 2]>,
    /// Whether memory that other procedures know is written too.
    pub(crate) globals: bool,
}

/// Finds the memory that executing `head`, without its blocks, may write.
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
                if let (true, Some(s)) = (access.writes(), memory_of(u, place)) {
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
        ExprData::Elem(s, _) | ExprData::Section(s, _) | ExprData::Wide(_, s, _) => Some(s),
        ExprData::Load { sym: s, .. } | ExprData::Addr(s) => Some(s),
        ExprData::Var(s) => (!u.sym(s).is_register()).then_some(s),
        ExprData::Substr(base, ..) => memory_of(u, base),
        _ => None,
    }
}

/// Whether a call can go when its result is not used: it has no effect, writes nothing and counts nothing. A procedure
/// of the program, pure or not, counts as it runs.
pub(crate) fn only_result(u: &Unit, head: Head) -> bool {
    let Head::Call { callee, .. } = head else { return false };
    let silent = match callee {
        Callee::Proc(p) => u.proc(p).is_libm,
        Callee::Dummy(_) => false,
        Callee::Rt(f) => f.signature().effect == Effect::Pure,
    };
    silent && u.references(head).iter().all(|(access, _)| *access == Access::In)
}

/// The array, the subscripts and the number of neighbouring elements of a place.
fn elements(u: &Unit, place: Expr) -> Option<(Sym, &[Expr], i64)> {
    match u.expr(place) {
        ExprData::Elem(array, subscripts) => Some((array, u.list(subscripts), 1)),
        ExprData::Wide(ty, array, subscripts) => Some((array, u.list(subscripts), ty.lanes() as i64)),
        _ => None,
    }
}

/// Whether the write certainly leaves `place`, a place of the same class, alone.
pub(crate) fn surely_spared(u: &Unit, written: Written, place: Expr) -> bool {
    match (written, u.expr(place)) {
        (Written::Place(w), _)
            if memory_of(u, w).zip(memory_of(u, place)).is_some_and(|(x, y)| !may_overlap(u, x, y)) =>
        {
            true
        }
        // Elements of the same array with a subscript that differs by a constant.
        (Written::Place(w), _) => match (elements(u, w), elements(u, place)) {
            (Some((x, i, wide)), Some((y, j, read))) => {
                let differs = |(at, (&i, &j)): (usize, (&Expr, &Expr))| {
                    // Vectors lie along the first dimension.
                    let (wide, read) = if at == 0 { (wide, read) } else { (1, 1) };
                    Linear::of(u, i)
                        .minus(&Linear::of(u, j))
                        .as_constant()
                        .is_some_and(|d| d >= read || d <= -wide || trueline_ir::fault("alias_element"))
                };
                x == y && i.iter().zip(j).enumerate().any(differs)
            }
            _ => false,
        },
        (Written::Bytes { addr, offset, size }, ExprData::Load { ty, addr: from, offset: at, .. }) => {
            addr == from && (offset + size <= at || at + ty.size() as i32 <= offset)
        }
        _ => false,
    }
}
