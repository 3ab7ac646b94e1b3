//! Elements that one iteration of an innermost loop leaves to the next ones.
//!
//! References whose subscripts differ by a whole number of iterations form a class; each has an offset: how many
//! iterations ahead of the current one its element is. The reference with the greatest offset is the first to touch
//! an element. It fills a register, which is handed down at the end of every iteration.

use super::promote::common;
use crate::alias::may_overlap;
use crate::analysis::depend::{Dependence, MAX_REFS, Side, dependence};
use crate::analysis::loops::{DoLoop, has_vectors, is_elementwise, is_rest};
use crate::analysis::refs::{MemRef, Region};
use crate::analysis::registers::Confined;
use crate::licm::{guard, surely_runs};
use crate::linear::Linear;
use crate::rewrite::{rewrite, values_in};
use rustc_hash::FxHashSet;
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Place, Stmt, Sym, Type, Unit};

/// A value is not handed down over more iterations than this …
const MAX_DISTANCE: i64 = 3;
/// … nor are there more such registers in a loop.
const MAX_REGISTERS: i64 = 6;

/// Fewer loads of vectors an iteration are not worth it.
const LEAST_LOADS: u32 = 5;

/// Keeps in registers all elements that can be handed down; if code generation packs (`packs`), elementwise loops are
/// left to it.
pub(super) fn rotate(ed: &mut Editor<'_>, l: DoLoop, confined: &Confined, packs: bool) {
    let region = Region::of(ed, l.stmt);
    if region.effects || region.jumps || region.labels || region.refs.len() > MAX_REFS || l.constant_step(ed).is_none()
    {
        return;
    }
    if ed.walk_block(l.body).iter().any(|&s| ed.head(s).is_loop()) {
        return;
    }
    if is_rest(ed, l) {
        return; // It is too short.
    }
    let mut left = MAX_REGISTERS;
    if has_vectors(ed, l) {
        vectors(ed, l, &region, confined, &mut left);
    }
    if packs && is_elementwise(ed, l, &Region::of_block(ed, l.body)) {
        return; // A vector of neighbours is loaded, whatever the iteration before has in registers.
    }
    let sure = surely_evaluated(ed, l);
    let is_element = |u: &Unit, r: &MemRef| r.exact && matches!(u.expr(r.place), ExprData::Elem(..));
    for mut class in classes(ed, l, &region, &is_element) {
        leave_later(&mut class);
        let Some(chain) = chain(ed, l, &class, &sure).filter(|_| is_alone(ed, l, &region, &class)) else {
            continue;
        };
        hand_down(ed, l, &chain, confined, &mut left);
    }
}

/// The same for vectors that one strip stores and a later one loads: a load waits for the store before it to reach the cache. Vectors that are only
/// loaded are handed down if the strip waits for loads: processors load two vectors in a cycle, as they add two and multiply two.
fn vectors(ed: &mut Editor<'_>, l: DoLoop, region: &Region, confined: &Confined, left: &mut i64) {
    let sure = surely_evaluated(ed, l);
    let is_wide = |u: &Unit, r: &MemRef| matches!(u.expr(r.place), ExprData::Wide(..));
    for mut class in classes(ed, l, region, &is_wide) {
        leave_later(&mut class);
        let Some(chain) = chain(ed, l, &class, &sure) else { continue };
        if (chain.writer.is_some() || waits_for_loads(ed, l)) && is_apart(ed, l, region, &class) {
            hand_down(ed, l, &chain, confined, left);
        }
    }
}

/// Whether an iteration loads more vectors than it adds, and than it multiplies.
fn waits_for_loads(u: &Unit, l: DoLoop) -> bool {
    let (mut loads, mut adds, mut products) = (0, 0, 0);
    let mut seen = FxHashSet::default();
    for s in u.real_stmts(l.body) {
        for e in u.values(u.head(s)) {
            u.visit_expr(e, &mut |x| {
                if !u.ty(x).is_vector() || !seen.insert(x) {
                    return;
                }
                match u.expr(x) {
                    ExprData::Wide(..) => loads += 1,
                    ExprData::Binary(BinaryOp::Mul, ..) => products += 1,
                    ExprData::Binary(..) | ExprData::Intrinsic(..) => adds += 1,
                    _ => {}
                }
            });
        }
    }
    loads > adds && loads > products && loads >= LEAST_LOADS
}

/// Hands the elements of `chain` down, if there are registers left and the loop runs.
fn hand_down(ed: &mut Editor<'_>, l: DoLoop, chain: &Chain, confined: &Confined, left: &mut i64) {
    if chain.distance() <= *left && (surely_runs(ed, l.stmt) || guard(ed, l.stmt, confined)) {
        *left -= chain.distance();
        emit(ed, l, chain);
    }
}

/// A reference and how many iterations ahead of the current one its element is.
#[derive(Clone, Copy)]
struct Member {
    at: MemRef,
    offset: i64,
}

/// The elements that every iteration reads, whatever its conditions.
fn surely_evaluated(u: &Unit, l: DoLoop) -> FxHashSet<Expr> {
    let mut out = FxHashSet::default();
    for s in u.real_stmts(l.body) {
        let mut todo: Vec<Expr> = u.values(u.head(s)).to_vec();
        while let Some(e) = todo.pop() {
            if !out.insert(e) {
                continue;
            }
            match u.expr(e) {
                ExprData::Binary(BinaryOp::And | BinaryOp::Or, left, _) => todo.push(left),
                _ => values_in(u, e, &mut |x| todo.push(x)),
            }
        }
    }
    out
}

/// The references of the loop to elements or vectors, as `is_one` says, that move with it, in classes.
fn classes(u: &Unit, l: DoLoop, region: &Region, is_one: &dyn Fn(&Unit, &MemRef) -> bool) -> Vec<Vec<Member>> {
    let mut out: Vec<Vec<Member>> = Vec::new();
    for r in region.refs.iter().filter(|r| is_one(u, r)) {
        if u.ty(r.place) == Type::Char || !is_affine(u, l, region, r.place) {
            continue;
        }
        let found = out.iter_mut().find_map(|c| Some((iterations_between(u, l, c[0].at.place, r.place)?, c)));
        match found {
            Some((offset, class)) => class.push(Member { at: *r, offset }),
            None => out.push(vec![Member { at: *r, offset: 0 }]),
        }
    }
    out
}

/// Whether the subscripts depend only on the loop's variable and on values that are fixed in the loop.
fn is_affine(u: &Unit, l: DoLoop, region: &Region, place: Expr) -> bool {
    let Some((_, subs)) = element(u, place) else { return false };
    let mut moves = false;
    subs.iter().all(|&e| {
        let mut sum = Linear::of(u, e);
        moves |= sum.take(u, l.var) != 0;
        sum.terms.iter().all(|&(t, _)| region.keeps_registers(u, t) && !u.reads_memory(t))
    }) && moves
}

/// Leaves out the reads of elements that only later iterations write: they stay as they are, since memory has all values, too.
fn leave_later(class: &mut Vec<Member>) {
    if let Some(last) = class.iter().filter(|m| m.at.write).map(|m| m.offset).max() {
        class.retain(|m| m.offset <= last);
    }
}

/// The array and the subscripts of an element, or of the first element of a vector.
fn element(u: &Unit, place: Expr) -> Option<(Sym, &[Expr])> {
    match u.expr(place) {
        ExprData::Elem(v, subs) | ExprData::Wide(_, v, subs) => Some((v, u.list(subs))),
        _ => None,
    }
}

/// The offset of `b` relative to `a`: the number of iterations by which `b` touches an element before `a` does.
fn iterations_between(u: &Unit, l: DoLoop, a: Expr, b: Expr) -> Option<i64> {
    let ((x, i), (y, j)) = (element(u, a)?, element(u, b)?);
    let step = l.constant_step(u)?;
    if x != y || i.len() != j.len() || u.ty(a) != u.ty(b) {
        return None;
    }
    let mut offset = None;
    for (&i, &j) in i.iter().zip(j) {
        let (mut i, mut j) = (Linear::of(u, i), Linear::of(u, j));
        let (p, q) = (i.take(u, l.var), j.take(u, l.var));
        let ahead = j.minus(&i).as_constant()?;
        let stride = p.checked_mul(step)?;
        match (p == q, stride) {
            (false, _) => return None,
            (true, 0) if ahead != 0 => return None,
            (true, 0) => {}
            (true, _) if ahead % stride != 0 => return None,
            (true, _) => {
                if offset.replace(ahead / stride).is_some_and(|o| o != ahead / stride) {
                    return None;
                }
            }
        }
    }
    offset
}

/// A class that can be kept in registers.
struct Chain {
    members: Vec<Member>,
    first: i64,
    last: i64,
    /// The statement that writes the element with the greatest offset.
    writer: Option<Stmt>,
}

impl Chain {
    fn distance(&self) -> i64 {
        self.last - self.first
    }
}

fn chain(u: &Unit, l: DoLoop, class: &[Member], sure: &FxHashSet<Expr>) -> Option<Chain> {
    let first = class.iter().map(|m| m.offset).min()?;
    let last = class.iter().map(|m| m.offset).max()?;
    if last == first || last - first > MAX_DISTANCE {
        return None;
    }
    let straight = |m: &Member| u.parent(m.at.stmt) == Some(l.body) && (m.at.write || sure.contains(&m.at.place));
    let mut writers = class.iter().filter(|m| m.at.write);
    let writer = writers.next();
    let known =
        (first..=last).all(|o| class.iter().any(|m| m.offset == o)) || l.trips(u).is_some_and(|t| t > last - first);
    let ordered = writer.is_none_or(|w| w.offset == last) && writers.next().is_none();
    let assigned = writer.is_none_or(|w| matches!(u.head(w.at.stmt), Head::Assign { .. }));
    let by_value = class.iter().all(|m| u.references(u.head(m.at.stmt)).iter().all(|(_, p)| *p != m.at.place));
    let reads_last = writer.is_some() || class.iter().any(|m| m.offset == last && !m.at.write);
    if !(class.iter().all(straight) && known && ordered && assigned && by_value && reads_last) {
        return None;
    }
    // A handed down element that nothing reads but the writer's own statement is fine, too.
    Some(Chain { members: class.to_vec(), first, last, writer: writer.map(|w| w.at.stmt) })
}

/// Whether no other vector or element that the loop writes has an element of the vectors of the class in any iteration.
fn is_apart(u: &Unit, l: DoLoop, region: &Region, class: &[Member]) -> bool {
    let others = region.refs.iter().filter(|r| r.write && may_overlap(u, r.sym, class[0].at.sym));
    others.filter(|r| !class.iter().any(|m| m.at == **r)).all(|r| {
        let is_far = |m: &Member| misses(u, l, m.at.place, r.place).unwrap_or(false);
        class.iter().all(is_far) || trueline_ir::fault("rotate_memory")
    })
}

/// Whether the elements of `a` and `b`, along the first dimension of one array, are different ones, whatever iterations they belong to; none if that is not
/// known.
fn misses(u: &Unit, l: DoLoop, a: Expr, b: Expr) -> Option<bool> {
    let ((x, i), (y, j)) = (element(u, a)?, element(u, b)?);
    let mut pairs = i.iter().zip(j).map(|(&i, &j)| (Linear::of(u, i), Linear::of(u, j)));
    let (mut i, mut j) = pairs.next()?;
    let (p, q) = (i.take(u, l.var), j.take(u, l.var));
    let stride = p.checked_mul(l.constant_step(u)?)?.checked_abs().filter(|&s| s > 0)?;
    let same = x == y && p == q && pairs.all(|(i, j)| !i.mentions(u, l.var) && j.minus(&i).as_constant() == Some(0));
    let ahead = j.minus(&i).as_constant()?.rem_euclid(stride);
    let lanes = |e: Expr| u.ty(e).lanes() as i64;
    Some(same && ahead >= lanes(a) && stride - ahead >= lanes(b))
}

/// Whether nothing in the loop writes the elements of the class but the class.
fn is_alone(u: &Unit, l: DoLoop, region: &Region, class: &[Member]) -> bool {
    let sym: Sym = class[0].at.sym;
    let side = Side::of(u, l.stmt, l.stmt);
    region
        .refs
        .iter()
        .filter(|r| r.write && may_overlap(u, r.sym, sym) && !trueline_ir::fault("rotate_memory"))
        .filter(|r| !class.iter().any(|m| m.at == **r))
        .all(|r| {
            class.iter().all(|m| {
                dependence(u, (r, side.as_ref()), (&m.at, side.as_ref()), 1, &region.defined) == Dependence::Never
            })
        })
}

fn emit(ed: &mut Editor<'_>, l: DoLoop, chain: &Chain) {
    let sym = chain.members[0].at.sym;
    let (name, ty) = (ed.sym(sym).name.clone(), ed.ty(chain.members[0].at.place));
    let registers: Vec<Sym> = (chain.first..=chain.last).map(|_| ed.new_register(&name, ty)).collect();
    let register = |o: i64| registers[(o - chain.first) as usize];
    preload(ed, l, chain, &register);
    let order: Vec<Stmt> = ed.real_stmts(l.body).collect();
    let position = |s: Stmt| order.iter().position(|&x| x == s);
    let first_user = chain.members[0].at.stmt;
    if chain.writer.is_none() {
        let lead: Vec<&Member> = chain.members.iter().filter(|m| m.offset == chain.last).collect();
        let users = distinct(lead.iter().map(|m| m.at.stmt));
        let place = ed.var(register(chain.last));
        common(ed, &users, Head::Assign { place, value: lead[0].at.place }, Place::Before(first_user));
    }
    let after_writer = |s: Stmt| chain.writer.is_none_or(|w| position(s) > position(w));
    for m in chain.members.iter().filter(|m| !m.at.write && (m.offset < chain.last || after_writer(m.at.stmt))) {
        let var = ed.var(register(m.offset));
        let from = m.at.place;
        rewrite(ed, m.at.stmt, &mut |ed, e| ed.map_expr(e, &mut |_, x| (x == from).then_some(var)));
    }
    if let Some(w) = chain.writer
        && let Head::Assign { place, value } = ed.head(w)
    {
        let var = ed.var(register(chain.last));
        ed.expand(w, Head::Assign { place: var, value }, Place::Before(w), ExpandKind::Lower);
        ed.expand_in_place(w, Head::Assign { place, value: var });
    }
    let lead = chain.members.iter().find(|m| m.offset == chain.last).map_or(first_user, |m| m.at.stmt);
    for o in chain.first..chain.last {
        let o = if trueline_ir::fault("rotate_order") { chain.first + chain.last - 1 - o } else { o };
        let (place, value) = (ed.var(register(o)), ed.var(register(o + 1)));
        ed.expand(lead, Head::Assign { place, value }, Place::End(l.body), ExpandKind::Lower);
    }
}

/// Loads before the loop the values that its first iteration expects in the registers.
fn preload(ed: &mut Editor<'_>, l: DoLoop, chain: &Chain, register: &dyn Fn(i64) -> Sym) {
    for o in chain.first..chain.last {
        // An element that only later iterations read is named by the nearest reference before it, moved on.
        let Some(base) = chain.members.iter().filter(|m| m.offset <= o).max_by_key(|m| m.offset).copied() else {
            continue;
        };
        let users = distinct(chain.members.iter().filter(|m| m.offset == base.offset).map(|m| m.at.stmt));
        let mut at = l.lo;
        let ahead = o - base.offset;
        if ahead != 0 {
            let ty = ed.sym(l.var).ty;
            let by = ahead * l.constant_step(ed).unwrap_or(1);
            at = match ed.pool().as_int(at) {
                Some(lo) => ed.int(ty, lo.wrapping_add(by)),
                None => {
                    let by = ed.int(ty, by);
                    ed.binary(BinaryOp::Add, at, by)
                }
            };
        }
        let value = ed.substitute(base.at.place, &[(l.var, at)]);
        let place = ed.var(register(o));
        let load = common(ed, &users, Head::Assign { place, value }, Place::Before(users[0]));
        ed.move_to(load, Place::Before(l.stmt));
    }
}

fn distinct(stmts: impl Iterator<Item = Stmt>) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = Vec::new();
    for s in stmts {
        if !out.contains(&s) {
            out.push(s);
        }
    }
    out
}
