//! Marks: constants that a loop stores into bytes leave a loop over larger elements, with which they have no vectors in common.
//!
//! ```text
//! do i = 1, n             @1      do i = 1, n             @1
//!   mark(i) = 1           @2        mark(i) = 1           @2
//!   a(i) = b(i) * 2.0     @3  =>  do i = 1, n             @1
//!                                   a(i) = b(i) * 2.0     @3
//! ```
//!
//! Loops around that have nothing else in them are split as well. The first loop sets a block, or has vectors of bytes. So the flags of elements that have a value (`-fcheck=undefined`) cost next to nothing.
//! Bytes that the loop reads, or stores other values to, stay in it; the order of stores of one constant does not matter.

use crate::alias::may_overlap;
use crate::analysis::loops::{DoLoop, only};
use crate::analysis::refs::Region;
use crate::linear::Linear;
use trueline_ir::{Editor, Expr, ExprData, Head, Place, Stmt, Sym, Unit};

/// Loops of fewer iterations are not worth a second one.
const FEWEST: i64 = 16;
/// The most marks of a loop.
const MOST: usize = 12;

/// A store of a constant to a byte.
#[derive(Clone, Copy)]
struct Mark {
    stmt: Stmt,
    array: Sym,
    value: Expr,
    /// Whether the bytes of neighbouring iterations are neighbours.
    is_dense: bool,
}

/// Takes marks out of the loop `l`.
pub(super) fn leave(ed: &mut Editor<'_>, l: DoLoop) {
    let marks = marks(ed, l);
    if marks.is_empty() {
        return;
    }
    let (dense, others): (Vec<Mark>, Vec<Mark>) = marks.iter().partition(|m| m.is_dense);
    let is_mark = |s: Stmt| marks.iter().any(|m| m.stmt == s);
    let Some(rest) = ed.real_stmts(l.body).find(|&s| !is_mark(s)) else { return };
    for mark in dense.iter().chain(&others).rev() {
        ed.move_to(mark.stmt, Place::Start(l.body));
    }
    let around = around(ed, l);
    let mut parts = vec![l.stmt];
    let firsts: Vec<Stmt> = dense.first().and(others.first()).map(|m| m.stmt).into_iter().chain([rest]).collect();
    split(ed, &mut parts, &firsts);
    for outer in around {
        let firsts = parts.split_off(1);
        parts = vec![outer];
        split(ed, &mut parts, &firsts);
    }
}

/// Splits the loop that is the last of `parts` before each of the statements.
fn split(ed: &mut Editor<'_>, parts: &mut Vec<Stmt>, firsts: &[Stmt]) {
    for &first in firsts {
        let second = ed.expand_split(parts[parts.len() - 1], first);
        parts.push(second);
    }
}

/// The loops in which there is nothing but the one inside, from `l` outwards, that may be split as well: the block goes on in them.
fn around(u: &Unit, l: DoLoop) -> Vec<Stmt> {
    let region = Region::of_block(u, l.body);
    let (mut out, mut vars, mut inner) = (Vec::new(), vec![l.var], l.stmt);
    while let Some(o) = u.enclosing(inner).and_then(|s| DoLoop::of(u, s)).filter(|o| only(u, o.body) == Some(inner)) {
        vars.push(o.var);
        let is_kept =
            |e: Expr| region.keeps_registers(u, e) && !u.reads_memory(e) && vars.iter().all(|&v| !u.mentions(e, v));
        if region.defined.contains(&o.var) || ![o.lo, o.hi, o.step].into_iter().all(is_kept) {
            break;
        }
        out.push(o.stmt);
        inner = o.stmt;
    }
    out
}

/// The marks that may leave the loop; none if that is no gain.
fn marks(u: &Unit, l: DoLoop) -> Vec<Mark> {
    if !u.real_stmts(l.body).any(|s| mark(u, l, s).is_some()) || l.trips(u).is_some_and(|t| t < FEWEST) {
        return Vec::new();
    }
    let region = Region::of_block(u, l.body);
    let is_plain = !(region.effects || region.jumps || region.labels || region.loops);
    let is_kept = |e: Expr| region.keeps_registers(u, e) && !u.reads_memory(e) && !u.mentions(e, l.var);
    if !is_plain || region.defined.contains(&l.var) || ![l.lo, l.hi, l.step].into_iter().all(is_kept) {
        return Vec::new();
    }
    let stays = |m: &Mark| {
        region.refs.iter().any(|r| {
            let is_same = || mark_of(u, r.stmt).is_some_and(|(array, _, value)| (array, value) == (m.array, m.value));
            r.stmt != m.stmt && may_overlap(u, r.sym, m.array) && !(r.write && is_same())
        })
    };
    let is_fixed = |m: &Mark| {
        let Some((_, subs, _)) = mark_of(u, m.stmt) else { return false };
        subs.iter().all(|&e| !u.reads_memory(e) && !u.may_trap(e) && region.keeps_registers(u, e))
    };
    let mut found: Vec<Mark> = u.real_stmts(l.body).filter_map(|s| mark(u, l, s)).take(MOST).collect();
    found.retain(|m| is_fixed(m) && (!stays(m) || trueline_ir::fault("marks_read")));
    let is_larger = |r: &Sym| u.sym(*r).ty.size() > 1;
    if !region.written.iter().any(is_larger) {
        found.clear();
    }
    found
}

/// The statement as a mark.
fn mark(u: &Unit, l: DoLoop, s: Stmt) -> Option<Mark> {
    let (array, subs, value) = mark_of(u, s)?;
    let by = |e: Expr| Linear::of(u, e).take(u, l.var);
    let is_dense = by(subs[0]) == 1 && subs[1..].iter().all(|&e| !u.mentions(e, l.var));
    Some(Mark { stmt: s, array, value, is_dense: is_dense && l.constant_step(u) == Some(1) })
}

/// The array, the subscripts and the constant of a store to a byte.
fn mark_of(u: &Unit, s: Stmt) -> Option<(Sym, Vec<Expr>, Expr)> {
    let Head::Assign { place, value } = u.head(s) else { return None };
    let ExprData::Elem(array, subs) = u.expr(place) else { return None };
    let subs = u.list(subs).to_vec();
    (u.ty(place).size() == 1 && u.pool().is_constant(value) && !subs.is_empty()).then_some((array, subs, value))
}

#[cfg(test)]
mod tests {
    use crate::analysis::harness::{check, unchanged};
    use crate::distribute::PASS;

    #[test]
    fn neighbours_and_others() {
        check(
            &PASS,
            "
integer i
i1 m(99) frame, l(9, 99) frame
real a(99)
do i = 1, 99 @1
  l(3, i) = 1 @2
  a(i) = 0.5 @3
  m(i) = 1 @4
  a(i) = a(i) * 2.0 @5
end",
            "
do i = 1, 99 @1
  m(i) = 1 @4
end
do i = 1, 99 @1
  l(3, i) = 1 @2
end
do i = 1, 99 @1
  a(i) = 0.5 @3
  a(i) = a(i) * 2.0 @5
end

move @2
move @4
expand replicate @1
expand replicate @1",
        );
    }

    #[test]
    fn a_nest_goes_as_a_whole() {
        check(
            &PASS,
            "
integer i, j
i1 m(99, 9) frame
real a(99, 9)
do j = 1, 9 @1
  do i = 1, 99 @2
    m(i, j) = 1 @3
    a(i, j) = 0.5 @4
  end
end",
            "
do j = 1, 9 @1
  do i = 1, 99 @2
    m(i, j) = 1 @3
  end
end
do j = 1, 9 @1
  do i = 1, 99 @2
    a(i, j) = 0.5 @4
  end
end

move @3
expand replicate @2
expand replicate @1",
        );
    }

    #[test]
    fn refusals() {
        // Bytes that are read, that get other values, or whose place the loop changes; few iterations.
        unchanged(
            &PASS,
            "
integer i, k
i1 m(99) frame
real a(99)
do i = 2, 99 @1
  a(i) = r8(m(i - 1)) @2
  m(i) = 1 @3
end
do i = 2, 99 @4
  a(i) = 0.5 @5
  m(i) = 1 @6
  m(i - 1) = 0 @7
end
do i = 2, 99 @8
  k = k + i @9
  a(i) = 0.5 @9
  m(k) = 1 @9
end
do i = 2, 9 @10
  a(i) = 0.5 @11
  m(i) = 1 @12
end",
        );
    }
}
