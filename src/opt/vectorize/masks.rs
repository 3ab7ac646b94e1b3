//! Conditionals in loops of vectors: which elements may be touched in lanes whose iteration does not touch them.
//!
//! ```text
//! if b(i) > c(i)           m = wide_r8x2(b(i)) > wide_r8x2(c(i))
//!   a(i) = b(i)       =>   t = wide_r8x2(b(i))
//! else                     wide_r8x2(a(i)) = merge(t, wide_r8x2(c(i)), m)
//!   a(i) = c(i)
//! end
//! ```
//!
//! The statements of both arms are done in all lanes. A lane whose iteration does not execute a statement must neither fault nor store, nor
//! raise an exception of floating point:
//!
//! - An element is read under a condition only if each iteration touches it anyway, or if it certainly lies within its array.
//! - An element that all ways through the outermost conditional store to is stored once, by the last of its statements; until then its value
//!   is in a register.
//! - Any other element is stored with the value that it had, if each iteration stores to it anyway, or if each reads it and its memory can be
//!   written, or if the memory belongs to this activation alone. Memory that another thread may write meanwhile is never stored to.
//! - Operands of real arithmetic are zero in the other lanes, and divisors are one ([`super::emit`]).

use crate::alias::may_overlap;
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::Region;
use crate::linear::Linear;
use crate::rewrite::evaluated;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use trueline_ir::{BinaryOp, Block, Expr, ExprData, Head, Intent, Intrinsic, Stmt, Storage, Sym, Unit};

/// The way in which an assignment under a condition stores to an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StoreBy {
    /// A later statement stores the value, which is in a register until then.
    Register,
    /// It stores the value of its own lanes, and in the other ones the value that is in the register, if there is one.
    Last,
    /// It stores the value that the element had, in the other lanes.
    Back,
}

/// How many statements of the unit read each register; counted when it is first asked for, and anew when the unit has changed.
#[derive(Default)]
pub(super) struct Readers(OnceCell<FxHashMap<Sym, usize>>);

impl Readers {
    /// The number of statements of `u` that read `v`.
    fn of(&self, u: &Unit, v: Sym) -> usize {
        let count = || {
            let mut count: FxHashMap<Sym, usize> = FxHashMap::default();
            for s in u.walk().into_iter().filter(|&s| !u.head(s).is_invisible()) {
                let read: FxHashSet<Sym> = u.registers_read(u.head(s)).into_iter().collect();
                read.into_iter().for_each(|v| *count.entry(v).or_insert(0) += 1);
            }
            count
        };
        self.0.get_or_init(count).get(&v).copied().unwrap_or(0)
    }
}

/// The elements that each iteration touches, and the ways of the assignments under conditions.
pub(super) struct Masks<'a> {
    read: FxHashSet<Expr>,
    written: FxHashSet<Expr>,
    pub(super) stores: FxHashMap<Stmt, StoreBy>,
    readers: &'a Readers,
}

impl<'a> Masks<'a> {
    /// Finds them for the loop `l`; there are none if it has no conditional.
    pub(super) fn of(u: &Unit, l: DoLoop, readers: &'a Readers) -> Masks<'a> {
        let (read, written) = Default::default();
        let mut masks = Masks { read, written, stores: FxHashMap::default(), readers };
        if !has_conditionals(u, l.body) {
            return masks;
        }
        (masks.read, masks.written) = touched(u, l.body);
        for s in u.real_stmts(l.body).filter(|&s| matches!(u.head(s), Head::If { .. })) {
            masks.assignments(u, l, s);
        }
        masks
    }

    /// Finds how the assignments in the conditional `s` store.
    fn assignments(&mut self, u: &Unit, l: DoLoop, s: Stmt) {
        let all = written_on_all_ways(u, s);
        let mut groups: Vec<(Expr, Vec<Stmt>)> = Vec::new();
        for x in u.walk_stmt(s) {
            let Head::Assign { place, .. } = u.head(x) else { continue };
            if !matches!(u.expr(place), ExprData::Elem(..)) {
                continue;
            }
            match groups.iter_mut().find(|g| g.0 == place) {
                Some(group) => group.1.push(x),
                None => groups.push((place, vec![x])),
            }
        }
        for (place, stmts) in groups {
            if all.contains(&place) && !is_read_between(u, s, place, &stmts) {
                let last = stmts.len() - 1;
                let by = |k: usize| if k == last { StoreBy::Last } else { StoreBy::Register };
                self.stores.extend(stmts.iter().enumerate().map(|(k, &x)| (x, by(k))));
            } else if self.can_be_stored_back(u, l, place) {
                self.stores.extend(stmts.iter().map(|&x| (x, StoreBy::Back)));
            }
        }
    }

    fn can_be_stored_back(&self, u: &Unit, l: DoLoop, place: Expr) -> bool {
        let ExprData::Elem(s, _) = u.expr(place) else { return false };
        let certain = self.written.contains(&place) || (self.read.contains(&place) && is_writable(u, s));
        certain || (u.sym(s).storage == Storage::Frame && self.may_be_read(u, l, place))
    }

    /// Whether the element `place` may be read in any iteration.
    pub(super) fn may_be_read(&self, u: &Unit, l: DoLoop, place: Expr) -> bool {
        self.read.contains(&place) || self.written.contains(&place) || lies_within(u, l, place)
    }

    /// Whether no statement outside of the arm `b` reads the register `v`, nor the caller, if it is the result of a function.
    pub(super) fn is_of_arm(&self, u: &Unit, b: Block, v: Sym) -> bool {
        if u.result() == Some(v) && !trueline_ir::fault("vectorize_result_of_arm") {
            return false;
        }
        let here = u.walk_block(b).into_iter().filter(|&s| !u.head(s).is_invisible());
        self.readers.of(u, v) == here.filter(|&s| u.registers_read(u.head(s)).contains(&v)).count()
    }
}

/// Whether there is a conditional in the block.
fn has_conditionals(u: &Unit, b: Block) -> bool {
    u.real_stmts(b).any(|s| matches!(u.head(s), Head::If { .. }))
}

/// The operations that a division of reals and a root take the time of.
const DIVISION: usize = 4;
const ROOT: usize = 6;
/// The operations that a branch takes the time of which the processor does not foresee, as often as that happens at least.
const BRANCH: usize = 5;

/// Whether the statements of the block `b`, done in lanes with both arms of each conditional, take no longer than one iteration after the other on
/// the shortest way.
pub(super) fn pays(u: &Unit, b: Block, lanes: usize) -> bool {
    let (all, least, masked) = times(u, b);
    // Every other operation under a condition needs a mask.
    masked == 0 || all + masked / 2 <= lanes * (least + BRANCH)
}

/// The operations of the block with all arms, those of the shortest way through it, and those under conditions.
fn times(u: &Unit, b: Block) -> (usize, usize, usize) {
    let (mut all, mut least, mut masked) = (0, 0, 0);
    for s in u.real_stmts(b) {
        let mut own = Region::default();
        own.add(u, s);
        let mut long = 0;
        for e in u.values(u.head(s)) {
            u.visit_expr(e, &mut |x| match u.expr(x) {
                ExprData::Binary(BinaryOp::Div, a, _) if u.ty(a).is_real() => long += DIVISION - 1,
                ExprData::Intrinsic(Intrinsic::Sqrt, _) => long += ROOT - 1,
                _ => {}
            });
        }
        all += own.size + long;
        least += own.size + long;
        if matches!(u.head(s), Head::If { .. }) {
            let [x, y] = [0, 1].map(|k| times(u, u.blocks(s)[k]));
            all += x.0 + y.0;
            least += x.1.min(y.1);
            masked += x.0 + y.0;
        }
    }
    (all, least, masked)
}

/// Whether the memory of `s`, to which some statement stores, can certainly be written: a dummy argument may stand for a constant.
fn is_writable(u: &Unit, s: Sym) -> bool {
    let root = match u.sym(s).storage {
        Storage::Within { root, .. } => root,
        _ => s,
    };
    let data = u.sym(root);
    matches!(data.storage, Storage::Static { .. } | Storage::Frame)
        || matches!(data.intent, Intent::Out | Intent::InOut)
}

/// The elements that executing the block certainly reads, and those it certainly writes.
fn touched(u: &Unit, b: Block) -> (FxHashSet<Expr>, FxHashSet<Expr>) {
    let (mut read, mut written) = (FxHashSet::default(), FxHashSet::default());
    for s in u.real_stmts(b) {
        match u.head(s) {
            Head::Assign { place, value } => {
                certainly_read(u, value, &mut read);
                if matches!(u.expr(place), ExprData::Elem(..)) {
                    written.insert(place);
                }
            }
            Head::If { cond } => {
                certainly_read(u, cond, &mut read);
                let [a, b] = [0, 1].map(|k| touched(u, u.blocks(s)[k]));
                read.extend(a.0.intersection(&b.0));
                written.extend(a.1.intersection(&b.1));
            }
            _ => {}
        }
    }
    (read, written)
}

/// The elements that all ways through the conditional `s` store to.
fn written_on_all_ways(u: &Unit, s: Stmt) -> FxHashSet<Expr> {
    let [a, b] = [0, 1].map(|k| touched(u, u.blocks(s)[k]).1);
    a.intersection(&b).copied().collect()
}

/// Adds the elements that evaluating `e` certainly reads: the right side of a lazy operation need not be evaluated.
fn certainly_read(u: &Unit, e: Expr, out: &mut FxHashSet<Expr>) {
    evaluated(u, e, |x| {
        if matches!(u.expr(x), ExprData::Elem(..)) {
            out.insert(x);
        }
    });
}

/// Whether, on some way through the conditional `s`, memory of the array of `place` is read behind one of its assignments `stmts`, or between two.
fn is_read_between(u: &Unit, s: Stmt, place: Expr, stmts: &[Stmt]) -> bool {
    let ExprData::Elem(array, _) = u.expr(place) else { return true };
    let order = u.walk_stmt(s);
    let number = |x: Stmt| order.iter().position(|&y| y == x);
    let mut region = Region::default();
    order.iter().for_each(|&x| region.add(u, x));
    let reads = region.refs.iter().filter(|r| !r.write && may_overlap(u, r.sym, array));
    let conflicts = |r: Stmt| stmts.iter().any(|&w| number(w) < number(r) && !exclude(u, w, r));
    let read = reads.into_iter().any(|r| conflicts(r.stmt));
    // One way must not store twice: the register would do, but it is not worth the care.
    let twice = stmts.iter().enumerate().any(|(k, &a)| stmts[k + 1..].iter().any(|&b| !exclude(u, a, b)));
    read || twice
}

/// Whether no execution of the conditional around both executes both statements: they are in different arms.
fn exclude(u: &Unit, a: Stmt, b: Stmt) -> bool {
    let of_a: Vec<Block> = std::iter::successors(u.parent(a), |&x| u.owner(x).and_then(|s| u.parent(s))).collect();
    let of_b: Vec<Block> = std::iter::successors(u.parent(b), |&x| u.owner(x).and_then(|s| u.parent(s))).collect();
    // The outermost blocks are the same; the first that differ tell.
    let differ = of_a.iter().rev().zip(of_b.iter().rev()).find(|(x, y)| x != y);
    differ.is_some_and(|(&x, &y)| u.owner(x) == u.owner(y))
}

/// Whether the element is one of its array in all iterations, by constant bounds.
fn lies_within(u: &Unit, l: DoLoop, place: Expr) -> bool {
    let ExprData::Elem(s, subs) = u.expr(place) else { return false };
    let whole = matches!(u.sym(s).storage, Storage::Static { .. } | Storage::Frame);
    let (Some(lo), Some(trips), Some(step)) = (u.pool().as_int(l.lo), l.trips(u), l.constant_step(u)) else {
        return false;
    };
    let last = lo.saturating_add((trips - 1).saturating_mul(step));
    whole
        && u.list(subs).iter().zip(&u.sym(s).dims).all(|(&sub, d)| {
            let bounds = (u.pool().as_int(d.lower), d.upper.expand().and_then(|e| u.pool().as_int(e)));
            let (Some(lower), Some(upper)) = bounds else { return false };
            let mut sum = Linear::of(u, sub);
            let k = sum.take(u, l.var);
            let Some(rest) = sum.as_constant() else { return false };
            let at = |i: i64| k.saturating_mul(i).saturating_add(rest);
            [at(lo), at(last)].into_iter().all(|x| (lower..=upper).contains(&x))
        })
}
