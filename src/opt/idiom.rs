//! Loops that copy neighbouring elements become one copy of a block.
//!
//! ```text
//! do j = 1, n            @1      call rt.copy_elements(&out a(1, 1), &in b(1, 1), n*m*8)          @{1,2,3}
//!   do i = 1, m          @2  =>  do j = 1, n                                                       @1
//!     a(i, j) = b(i, j)  @3        do i = 1, m                                                     @2
//! ```
//!
//! The loops are left empty, and go with their counts in [`crate::dce`]. Several loops are one block if the arrays are, over all of
//! them: the inner ones run through whole columns. What is read and what is written must be apart, or the same elements.
//!
//! The runtime copies by the function that the C library has for it, which uses the widest registers of the machine. A call takes as long as some hundred bytes, so short copies stay loops, and so do loops in loops whose length
//! is not known.

use crate::analysis::depend::{Dir, Side, dependence};
use crate::analysis::loops::{DoLoop, only};
use crate::analysis::refs::Region;
use crate::linear::{Linear, product};
use crate::{Context, OptLevel, Pass};
use trueline_ir::{
    Access, Callee, Editor, ExpandKind, Expr, ExprData, Head, Obstacle, Place, Rt, Stmt, Sym, Type, Unit,
};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("idiom", "loops that copy neighbouring elements become copies of blocks", run)
};

/// Copies of fewer bytes are not worth a call.
const LEAST: i64 = 256;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    for s in ed.walk() {
        if let Some(copy) = copied(ed, s) {
            match why_not(ed, &copy) {
                _ if !is_long(ed, &copy, context) => {}
                Some(why) => ed.missed(copy.loops[0].stmt, "not copied as one block", why),
                None => replace(ed, &copy),
            }
        }
    }
}

/// A nest that copies a block.
struct Copy {
    /// The loops, outermost first.
    loops: Vec<DoLoop>,
    assign: Stmt,
    to: Expr,
    from: Expr,
    /// Bytes of an element.
    size: i64,
}

/// The copy that the assignment `s` makes in the loops around it, as many of them as make one block.
fn copied(u: &Unit, s: Stmt) -> Option<Copy> {
    let Head::Assign { place: to, value: from } = u.head(s) else { return None };
    let ty = u.ty(to);
    let [(a, _), (b, _)] = [element(u, to)?, element(u, from)?];
    let plain =
        |v: Sym| u.sym(v).ty == ty && u.sym(v).len.is_none() && u.sym(v).dims.iter().all(|d| d.stride.is_none());
    if ty == Type::Char || !plain(a) || !plain(b) {
        return None;
    }
    let mut loops: Vec<DoLoop> = Vec::new();
    let mut inner = s;
    while let Some(l) = u.enclosing(inner).and_then(|x| DoLoop::of(u, x))
        && only(u, l.body) == Some(inner)
        && goes_on(u, [to, from], &loops, l)
    {
        loops.insert(0, l);
        inner = l.stmt;
    }
    (!loops.is_empty()).then_some(Copy { loops, assign: s, to, from, size: ty.size() as i64 })
}

fn element(u: &Unit, e: Expr) -> Option<(Sym, Vec<Expr>)> {
    match u.expr(e) {
        ExprData::Elem(v, subs) => Some((v, u.list(subs).to_vec())),
        _ => None,
    }
}

/// Whether with `l` around the loops `inner` the block goes on: it advances the next dimension of both, by one, and the loops
/// in it run through all of the dimensions before.
fn goes_on(u: &Unit, sides: [Expr; 2], inner: &[DoLoop], l: DoLoop) -> bool {
    let d = inner.len();
    let fixed = |e: Expr| !u.reads_memory(e) && !u.may_trap(e);
    let bounds = [l.lo, l.hi].into_iter().all(|e| fixed(e) && !u.mentions(e, l.var));
    let independent = inner.iter().all(|i| [i.lo, i.hi].into_iter().all(|e| !u.mentions(e, l.var)) && i.var != l.var);
    let whole = |e: Expr| {
        let Some((v, subs)) = element(u, e) else { return false };
        let moves = subs.iter().enumerate().all(|(k, &sub)| {
            let mut sum = Linear::of(u, sub);
            let by = sum.take(u, l.var);
            by == i64::from(k == d) && !sum.mentions(u, l.var) && fixed(sub)
        });
        let through = inner.iter().rev().zip(&u.sym(v).dims).zip(&subs).all(|((i, dim), &sub)| {
            let Some(upper) = dim.upper.expand() else { return false };
            let mut first = Linear::of(u, sub);
            first.take(u, i.var);
            first.add(u, i.lo, 1);
            let extent = Linear::of(u, upper).minus(&Linear::of(u, dim.lower));
            let span = Linear::of(u, i.hi).minus(&Linear::of(u, i.lo));
            first.minus(&Linear::of(u, dim.lower)).as_constant() == Some(0)
                && extent.minus(&span).as_constant() == Some(0)
        });
        d < subs.len() && moves && through
    };
    l.constant_step(u) == Some(1) && bounds && independent && sides.into_iter().all(whole)
}

/// Whether it is long enough to be worth a call.
fn is_long(u: &Unit, copy: &Copy, context: &Context<'_>) -> bool {
    let trips: Option<i64> = copy.loops.iter().map(|l| l.trips(u)).product();
    let outermost = copy.loops[0].stmt;
    let counted = || context.trips(u, outermost).and_then(|t| t.typical()).map(|t| t as i64);
    match trips.or_else(counted) {
        Some(t) => t.saturating_mul(copy.size) >= LEAST,
        None => copy.loops.len() > 1 || u.ancestors(outermost).all(|a| !u.head(a).is_loop()),
    }
}

/// The reason that keeps it from being one copy.
fn why_not(u: &Unit, copy: &Copy) -> Option<Obstacle> {
    let outermost = copy.loops[0].stmt;
    let region = Region::of(u, outermost);
    let side = Side::of(u, outermost, copy.assign);
    let depth = copy.loops.len();
    let apart = region.refs.iter().filter(|r| r.write).all(|w| {
        region.refs.iter().all(|r| {
            let moved = |d: &[Dir]| d.iter().any(|&dir| dir != Dir::Same);
            !dependence(u, (w, side.as_ref()), (r, side.as_ref()), depth, &region.defined).any(moved)
        })
    });
    (!apart && !trueline_ir::fault("idiom_overlap")).then_some(Obstacle::Dependence)
}

fn replace(ed: &mut Editor<'_>, copy: &Copy) {
    let rename: Vec<(Sym, Expr)> = copy.loops.iter().map(|l| (l.var, l.lo)).collect();
    let mut bytes = ed.int(Type::I8, copy.size);
    for l in &copy.loops {
        let bounds = [l.lo, l.hi, l.step].map(|e| ed.widen(e));
        let trips = ed.trips(bounds);
        bytes = product(ed, bytes, trips);
    }
    let mut first = |access: Access, e: Expr| {
        let first = ed.substitute(e, &rename);
        ed.make(ExprData::AddrOf(access, first))
    };
    let (to, from) = (first(Access::Out, copy.to), first(Access::In, copy.from));
    let args = ed.make_list(&[to, from, bytes]);
    let head = Head::Call { callee: Callee::Rt(Rt::CopyElements), args, result: None.into() };
    ed.expand(copy.assign, head, Place::Before(copy.loops[0].stmt), ExpandKind::Lower);
    ed.expanded(copy.assign);
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn a_whole_matrix() {
        check(
            &PASS,
            "
program main h @0
i8 i, j
r4 a(20, 30) frame, b(20, 30) frame
do j = 1, 30 @1
  do i = 1, 20 @2
    a(i, j) = b(i, j) @3
  end
end",
            "
call rt.copy_elements(&out a(1, 1), &in b(1, 1), 2400)  @{1,2,3}
do j = 1, 30                                    @1
  do i = 1, 20                                  @2
  end
end

expand lower @3 -> @{1,2,3}",
        );
    }

    #[test]
    fn columns_that_are_not_whole() {
        check(
            &PASS,
            "
program main h @0
i8 i, j
r8 a(200, 30) frame, b(200, 30) frame
do j = 1, 30 @1
  do i = 2, 199 @2
    a(i, j) = b(i + 1, j) @3
  end
end",
            "
do j = 1, 30                                    @1
  call rt.copy_elements(&out a(2, j), &in b(2_i8 + 1, j), 1584)  @{2,3}
  do i = 2, 199                                 @2
  end
end

expand lower @3 -> @{2,3}",
        );
    }

    #[test]
    fn a_shift_of_itself() {
        unchanged(
            &PASS,
            "
program main h @0
i8 i
r8 a(200) frame
do i = 2, 199 @1
  a(i) = a(i - 1) @2
end",
        );
    }

    #[test]
    fn against_the_order() {
        unchanged(
            &PASS,
            "
program main h @0
i8 i
r8 a(200) frame, b(200) frame
do i = 1, 200 @1
  a(i) = b(201 - i) @2
end",
        );
    }

    #[test]
    fn a_few_elements() {
        unchanged(
            &PASS,
            "
program main h @0
i8 i
r8 a(20) frame, b(20) frame
do i = 1, 20 @1
  a(i) = b(i) @2
end",
        );
    }

    #[test]
    fn another_kind() {
        unchanged(
            &PASS,
            "
program main h @0
i8 i
r8 a(200) frame
r4 b(200) frame
do i = 1, 200 @1
  a(i) = r8(b(i)) @2
end",
        );
    }
}
