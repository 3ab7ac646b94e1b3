//! Registers that keep their value of the last iteration under a condition.
//!
//! ```text
//!                              last = i8x2(0)                         @3
//! do i = 1, n         @1       do i = 1, n - 1, 2                     @1
//!   if a(i) < x       @2         mask = wide_r8x2(a(i)) < r8x2(x)     @2
//!     k = i           @3  =>     last = merge(lanes, last, mask)      @3
//!   end                        end
//! end                          at = max(lane(last, 0), lane(last, 1)) @3
//!                              if at /= 0                             @1
//!                                k = i4(at)                           @3
//! ```
//!
//! Each lane keeps the number of its last such iteration. Behind the loop the last one of all lanes is known, and the value is computed of it, once. So
//! no statement of the loop may read the register, and the value may depend on nothing else that the loop changes.

use crate::analysis::loops::DoLoop;
use crate::analysis::refs::Region;
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Stmt, Sym, Type, Unit};

/// The first value of a loop's variable is at most so large, so that there is a value before it.
const FARTHEST: i64 = 1 << 30;

/// The fewest lanes with which this is done.
pub(super) const LEAST_LANES: usize = 4;

/// The type of numbers of iterations, in lanes of `size` bytes, of the loop `l`, with a value that is the number of none.
pub(super) fn number(u: &Unit, l: DoLoop, size: usize) -> Option<Type> {
    let of = u.sym(l.var).ty;
    let begins_near = || u.pool().as_int(l.lo).is_some_and(|k| k.abs() <= FARTHEST);
    match (size, of) {
        (8, Type::I4) => Some(Type::I8),
        (8, Type::I8) => begins_near().then_some(Type::I8),
        (4, Type::I4) => begins_near().then_some(Type::I4),
        _ => None,
    }
}

/// Whether the statement `s`, under a condition in the loop `l` with this body, gives a register a value that follows from the number of the iteration,
/// and nothing in the loop asks for it.
pub(super) fn keeps_last(u: &Unit, l: DoLoop, region: &Region, s: Stmt) -> bool {
    let Head::Assign { value, .. } = u.head(s) else { return false };
    let Some(v) = u.defines(u.head(s)).filter(|&v| v != l.var) else { return false };
    let is_apart = |x: Stmt| {
        let head = u.head(x);
        (x == s || u.defines(head) != Some(v)) && !u.registers_read(head).contains(&v)
    };
    if !trueline_ir::fault("vectorize_last_twice") && !u.walk_block(l.body).into_iter().all(is_apart) {
        return false;
    }
    let mut follows = true;
    u.visit_expr(value, &mut |e| match u.expr(e) {
        ExprData::Var(x) if u.sym(x).is_register() => follows &= x == l.var || !region.defined.contains(&x),
        ExprData::Var(x) | ExprData::Elem(x, _) => {
            follows &= !region.may_write(u, x) || trueline_ir::fault("vectorize_last_memory");
        }
        _ => {}
    });
    follows
}

/// The number of the iteration.
pub(super) fn iteration(ed: &mut Editor<'_>, var: Sym, ty: Type) -> Expr {
    let i = ed.var(var);
    if ed.ty(i) == ty { i } else { ed.make(ExprData::Convert(ty, i)) }
}

/// Sets the lanes of `last`, which the statement `s` with the head `head` has become, before the loop, and the register of `s` behind it.
pub(super) fn put_together(ed: &mut Editor<'_>, l: DoLoop, (s, head): (Stmt, Head), last: Sym, step: i64) {
    let Head::Assign { place: scalar, value } = head else { return };
    let (vector, ty) = (ed.var(last), ed.sym(last).ty);
    let (lanes, of) = (ty.lanes(), ty.lane());
    // The number before the first one is that of no iteration.
    let none = match ed.pool().as_int(l.lo) {
        Some(first) => ed.int(of, first - step),
        None => {
            let first = if ed.ty(l.lo) == of { l.lo } else { ed.make(ExprData::Convert(of, l.lo)) };
            let back = ed.int(of, step);
            let value = ed.binary(BinaryOp::Sub, first, back);
            let before = ed.new_register("before", of);
            let place = ed.var(before);
            ed.expand(s, Head::Assign { place, value }, Place::Before(l.stmt), ExpandKind::Lower);
            place
        }
    };
    let start = ed.make(ExprData::Convert(ty, none));
    ed.expand(s, Head::Assign { place: vector, value: start }, Place::Before(l.stmt), ExpandKind::Lower);
    let at = ed.new_register("at", of);
    let at = ed.var(at);
    let mut cond = ed.binary(BinaryOp::Ne, at, none);
    if trueline_ir::fault("vectorize_last_none") {
        cond = ed.binary(BinaryOp::Eq, at, at);
    }
    let test = ed.expand(l.stmt, Head::If { cond }, Place::After(l.stmt), ExpandKind::Lower);
    let inside = ed.blocks(test)[0];
    let i = ed.var(l.var);
    let number = if ed.ty(i) == of { at } else { ed.make(ExprData::Convert(ed.ty(i), at)) };
    let value = ed.map_expr(value, &mut |_, e| (e == i).then_some(number));
    ed.expand(s, Head::Assign { place: scalar, value }, Place::End(inside), ExpandKind::Lower);
    let later = if (step > 0) != trueline_ir::fault("vectorize_last_least") { Intrinsic::Max } else { Intrinsic::Min };
    let mut all: Option<Expr> = None;
    for k in 0..lanes {
        let k = ed.int(Type::I4, k as i64);
        let lane = ed.intrinsic(Intrinsic::Lane, &[vector, k]);
        all = Some(all.map_or(lane, |before| ed.intrinsic(later, &[before, lane])));
    }
    let Some(value) = all else { return };
    ed.expand(s, Head::Assign { place: at, value }, Place::After(l.stmt), ExpandKind::Lower);
}
