//! The greatest and least of reals, found in lanes and found again one by one where the order makes a difference.
//!
//! ```text
//!                                  before = m                                  @2
//!                                  odd = merge(-1, 0, m /= m)                  @2
//! do i = 1, 1000           @1  =>  do i = 1, 1000, 4                           @1
//!   m = max(m, a(i))       @2        odds = ior(odds, merge(-1, 0, wide(a(i)) /= wide(a(i))))   @2
//! end                                lanes = max(lanes, wide(a(i)))            @2
//!                                  end
//!                                  …
//!                                  if odd /= 0 or m == 0.0                     @1
//!                                    m = before                                @2
//!                                    do k = 1, i - 4                           @1
//!                                      m = max(m, a(k))                        @2
//! ```
//!
//! The result depends on the order only if there is a NaN, or if it is a zero, which has two signs. So the loop looks for NaNs as well, and
//! then the same values are compared one by one. They must be the same: the loop may not write what it reads. Counting code
//! stays in the loop of vectors alone.

use super::emit::emit;
use super::found::{By, Found, found};
use super::lanes::small_number;
use super::masks::Readers;
use super::{Way, plan};
use crate::Context;
use crate::alias::may_overlap;
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::Region;
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Stmt, Sym, Type, Unit};

/// The way in which numbers that depend on the order are found again.
pub(super) struct Again {
    numbers: Vec<Number>,
    /// The first value of the loop's variable.
    first: Expr,
    /// The statements that find them, and the definitions of other registers, as they were.
    stmts: Vec<(Stmt, Head)>,
}

/// A number that depends on the order.
struct Number {
    /// The register in which it is found.
    register: Sym,
    /// The register that keeps its first value.
    before: Sym,
    /// The register that is not zero if there was a NaN.
    odd: Sym,
}

/// Makes vectors of a loop in which the greatest or the least of reals is found. False if it cannot be.
pub(super) fn vectorize(ed: &mut Editor<'_>, l: DoLoop, context: &Context<'_>, readers: &Readers) -> bool {
    let way = Way { again: true, ..Way::default() };
    let Ok(first) = plan(ed, l, context, readers, way) else { return false };
    let is_plain = first.stmts.iter().all(|&s| matches!(ed.head(s), Head::Assign { .. }));
    if !is_plain || !(keeps_its_operands(ed, l) || trueline_ir::fault("again_memory")) {
        return false;
    }
    let (mut numbers, mut stmts) = (Vec::new(), Vec::new());
    for &s in &first.stmts {
        let head = ed.head(s);
        let Some(v) = ed.defines(head) else { continue };
        if !first.found.iter().any(|f| f.register == v) {
            stmts.push((s, head));
        } else if let Some(f) = found(ed, s, context.arithmetic, true).filter(|f| depends_on_order(ed, f)) {
            stmts.push((s, head));
            numbers.push((s, f));
        }
    }
    let has_sign = |f: &Found| !matches!(ed.expr(f.value), ExprData::Intrinsic(Intrinsic::Abs, _));
    if numbers.is_empty() || (context.keeps_nans && !numbers.iter().any(|(_, f)| has_sign(f))) {
        return false;
    }
    let numbers = numbers.into_iter().map(|(s, f)| look_for_nans(ed, l, s, &f)).collect();
    let Ok(mut plan) = plan(ed, l, context, &Readers::default(), way) else { return false };
    let first = kept_first(ed, l);
    plan.again = Some(Again { numbers, first, stmts });
    emit(ed, l, &plan);
    true
}

/// Makes the loop look for NaNs among the values of which `s` finds the greatest or the least.
fn look_for_nans(ed: &mut Editor<'_>, l: DoLoop, s: Stmt, f: &Found) -> Number {
    let of = ed.sym(f.register).ty;
    let ty = if of == Type::R8 { Type::I8 } else { Type::I4 };
    let number =
        Number { register: f.register, before: ed.new_register("before", of), odd: ed.new_register("odd", ty) };
    let (first, place) = (ed.var(number.register), ed.var(number.before));
    ed.expand(s, Head::Assign { place, value: first }, Place::Before(l.stmt), ExpandKind::Lower);
    let place = ed.var(number.odd);
    let value = odd_if_nan(ed, ty, first);
    ed.expand(s, Head::Assign { place, value }, Place::Before(l.stmt), ExpandKind::Lower);
    let is_odd = odd_if_nan(ed, ty, f.value);
    let value = ed.intrinsic(Intrinsic::Ior, &[place, is_odd]);
    ed.expand(s, Head::Assign { place, value }, Place::Before(s), ExpandKind::Lower);
    number
}

/// The first value of the loop's variable, as a value that is still known behind the loop: the loop may change the variables in it.
fn kept_first(ed: &mut Editor<'_>, l: DoLoop) -> Expr {
    if ed.pool().is_constant(l.lo) || trueline_ir::fault("again_first") {
        return l.lo;
    }
    let first = ed.new_register("first", ed.sym(l.var).ty);
    let place = ed.var(first);
    ed.expand(l.stmt, Head::Assign { place, value: l.lo }, Place::Before(l.stmt), ExpandKind::Lower);
    place
}

/// Whether the number that is found depends on the order.
fn depends_on_order(u: &Unit, f: &Found) -> bool {
    u.sym(f.register).ty.is_real() && matches!(f.by, By::Function(_))
}

/// Whether the loop writes no memory that it reads.
fn keeps_its_operands(u: &Unit, l: DoLoop) -> bool {
    let region = Region::of_block(u, l.body);
    let mut writes = region.refs.iter().filter(|r| r.write);
    writes.all(|w| region.refs.iter().filter(|r| !r.write).all(|r| !may_overlap(u, w.sym, r.sym)))
}

/// An integer that is not zero if `value` is a NaN.
fn odd_if_nan(ed: &mut Editor<'_>, ty: Type, value: Expr) -> Expr {
    let is_nan = ed.binary(BinaryOp::Ne, value, value);
    let (yes, no) = (ed.int(ty, if trueline_ir::fault("again_nan") { 0 } else { -1 }), ed.int(ty, 0));
    ed.intrinsic(Intrinsic::Merge, &[yes, no, is_nan])
}

impl Again {
    /// Behind the loop of vectors the numbers are found again where they depend on the order.
    pub(super) fn emit(&self, ed: &mut Editor<'_>, l: DoLoop, step: i64) {
        let mut all: Option<Expr> = None;
        for n in &self.numbers {
            let (odd, none) = (ed.var(n.odd), ed.int(ed.sym(n.odd).ty, 0));
            let mut cond = ed.binary(BinaryOp::Ne, odd, none);
            if !trueline_ir::fault("again_zero") {
                let (number, zero) = (ed.var(n.register), small_number(ed, ed.sym(n.register).ty, 0));
                let is_zero = ed.binary(BinaryOp::Eq, number, zero);
                cond = ed.binary(BinaryOp::Or, cond, is_zero);
            }
            all = Some(all.map_or(cond, |other| ed.binary(BinaryOp::Or, other, cond)));
        }
        let Some(cond) = all else { return };
        let test = ed.expand(l.stmt, Head::If { cond }, Place::After(l.stmt), ExpandKind::Lower);
        let inside = ed.blocks(test)[0];
        for n in &self.numbers {
            let (place, value) = (ed.var(n.register), ed.var(n.before));
            ed.expand(l.stmt, Head::Assign { place, value }, Place::End(inside), ExpandKind::Lower);
        }
        let ty = ed.sym(l.var).ty;
        let var = ed.new_register("again", ty);
        let (i, k) = (ed.var(l.var), ed.var(var));
        let back = ed.int(ty, step);
        let last = ed.binary(BinaryOp::Sub, i, back);
        let head = Head::Do { var, lo: self.first, hi: last, step: back };
        let again = ed.expand(l.stmt, head, Place::End(inside), ExpandKind::Lower);
        let body = ed.blocks(again)[0];
        for &(s, head) in &self.stmts {
            let head = ed.map_head(head, &mut |_, e| (e == i).then_some(k));
            ed.expand(s, head, Place::End(body), ExpandKind::Lower);
        }
    }
}
