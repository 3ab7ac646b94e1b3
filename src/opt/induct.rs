//! Scalars that advance with a DO loop become functions of its variable.
//!
//! ```text
//! do i = 1, n            @1      do i = 1, n                     @1
//!   k = k + 2            @2        a(i) = b(k + i*2)             @3
//!   a(i) = b(k)          @3  =>  end
//! end                            k = k + trip(1, n, 1)*2         @{1,2}
//! ```
//!
//! Subscripts that were unknown to dependence tests are linear then, and the only thing that was carried from one iteration to the
//! next is gone. Inner loops come first: with a constant number of iterations a variable that runs through a whole nest is
//! a function of all its variables.

use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::fold::constant::wrap;
use crate::structure::step_of;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Place, Stmt, Sym, Type, Unit};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("induct", "scalars that advance with a loop become functions of its variable", run)
};

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    for l in inner_first(ed) {
        for advance in ed.real_stmts(l.body).collect::<Vec<_>>() {
            if let Some(found) = DoLoop::of(ed, l.stmt).and_then(|l| find(ed, l, advance)) {
                replace(ed, &found);
            }
        }
    }
}

/// A scalar that advances with a loop.
struct Found {
    l: DoLoop,
    /// The assignment by which it advances.
    advance: Stmt,
    var: Sym,
    by: i64,
}

/// The scalar that `advance`, directly in the body of `l`, advances in each iteration and nothing else changes.
fn find(u: &Unit, l: DoLoop, advance: Stmt) -> Option<Found> {
    let (var, by) = step_of(u, advance)?;
    let step = l.constant_step(u)?;
    let [own, of_loop] = [u.sym(var).ty, u.sym(l.var).ty];
    if var == l.var || by % step != 0 || (own != of_loop && own != Type::I8) {
        return None;
    }
    let mut region = Region::default();
    let mut is_passed = false;
    for x in u.walk_block(l.body).into_iter().filter(|&x| x != advance) {
        region.add(u, x);
        let is_it = |place: Expr| u.expr(place) == ExprData::Var(var);
        is_passed |= u.references(u.head(x)).iter().any(|&(_, place)| is_it(place));
    }
    // A first value may be that of the loop's own variable, which has another one in the loop.
    let fixed = |e: Expr| {
        !u.reads_memory(e)
            && !u.mentions(e, var)
            && !u.mentions(e, l.var)
            && region.keeps_registers(u, e)
            && !u.may_trap(e)
    };
    let alone = !region.defined.contains(&var) && !region.defined.contains(&l.var) && !is_passed;
    let straight = !region.jumps && !region.labels;
    (alone && straight && fixed(l.lo) && fixed(l.hi)).then_some(Found { l, advance, var, by })
}

fn replace(ed: &mut Editor<'_>, f: &Found) {
    let ty = ed.sym(f.var).ty;
    let (var, index) = (ed.var(f.var), ed.var(f.l.var));
    let [index, lo] = [index, f.l.lo].map(|e| if ed.ty(e) == ty { e } else { ed.widen(e) });
    let before = since(ed, f, [var, index, lo], 0);
    let after = since(ed, f, [var, index, lo], f.by);
    let mut now = before;
    for s in ed.stmts(f.l.body).collect::<Vec<_>>() {
        if s == f.advance {
            now = if trueline_ir::fault("induct_advance") { before } else { after };
            continue;
        }
        // Counting code reads it, too.
        for x in ed.walk_stmt(s) {
            let head = ed.head(x);
            let new = ed.map_head(head, &mut |_, e| (e == var).then_some(now));
            ed.expand_in_place(x, new);
        }
    }
    let bounds = [f.l.lo, f.l.hi, f.l.step].map(|e| ed.widen(e));
    let trips = ed.trips(bounds);
    let all = match ed.pool().as_int(trips) {
        Some(n) => ed.int(ty, wrap(ty, n.wrapping_mul(f.by))),
        None => {
            let by = ed.int(Type::I8, f.by);
            let all = ed.binary(BinaryOp::Mul, trips, by);
            if ty == Type::I8 { all } else { ed.make(ExprData::Convert(ty, all)) }
        }
    };
    let value = ed.binary(BinaryOp::Add, var, all);
    ed.expand(f.advance, Head::Assign { place: var, value }, Place::After(f.l.stmt), ExpandKind::Lower);
    ed.expanded(f.advance);
}

/// `var + (index - lo)*factor + ahead`, the value in the iteration of `index`.
fn since(ed: &mut Editor<'_>, f: &Found, [var, index, lo]: [Expr; 3], ahead: i64) -> Expr {
    let ty = ed.ty(var);
    let factor = f.by / f.l.constant_step(ed).expect("it was found to be one");
    let (from, constant) = match ed.pool().as_int(lo) {
        Some(v) => (index, wrap(ty, ahead.wrapping_sub(v.wrapping_mul(factor)))),
        None => (ed.binary(BinaryOp::Sub, index, lo), ahead),
    };
    let sum = match factor {
        1 => ed.binary(BinaryOp::Add, var, from),
        -1 => ed.binary(BinaryOp::Sub, var, from),
        _ => {
            let factor = ed.int(ty, factor);
            let scaled = ed.binary(BinaryOp::Mul, from, factor);
            ed.binary(BinaryOp::Add, var, scaled)
        }
    };
    if constant == 0 {
        return sum;
    }
    let constant = ed.int(ty, constant);
    ed.binary(BinaryOp::Add, sum, constant)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn before_and_after_it_advances() {
        check(
            &PASS,
            "
program main h @0
i4 i, k
r8 a(9) frame, b(99) frame
k = 1 @1
do i = 1, 9 @2
  a(i) = b(k) @3
  k = k + 4 @4
  b(k) = 1.0 @5
end
k = k + k @6",
            "
k = 1                                           @1
do i = 1, 9                                     @2
  a(i) = b(k + i * 4 + (-4))                    @3
  b(k + i * 4) = 1.0                            @5
end
k = k + 36                                      @{2,4}
k = k + k                                       @6

rewrite @3
rewrite @5
expand lower @4 -> @{2,4}",
        );
    }

    #[test]
    fn through_a_nest() {
        check(
            &PASS,
            "
program main h @0
i4 i, j, k
r8 a(9, 9) frame, b(81) frame
k = 0 @1
do j = 1, 9 @2
  do i = 9, 1, -1 @3
    k = k + 1 @4
    b(k) = a(i, j) @5
  end
end",
            "
k = 0                                           @1
do j = 1, 9                                     @2
  do i = 9, 1, -1                               @3
    b(k + j * 9 + (-9) - i + 10) = a(i, j)      @5
  end
end
k = k + 81                                      @{2,3,4}

rewrite @5
expand lower @4 -> @{3,4}
rewrite @5
expand lower @{3,4} -> @{2,3,4}",
        );
    }

    #[test]
    fn an_advance_under_a_condition() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, k
r8 a(9) frame, b(9) frame
do i = 1, 9 @1
  if a(i) > 0.0 @2
    k = k + 1 @3
    b(k) = a(i) @4
  end
end",
        );
    }

    #[test]
    fn a_loop_that_is_left() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, k
r8 a(9) frame
do i = 1, 9 @1
  k = k + 1 @2
  if a(i) > 0.0 @3
    goto L1 @4
  end
end
L1: @5
k = k + 1 @6",
        );
    }

    #[test]
    fn a_loop_that_begins_where_its_variable_stands() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, k
r8 a(99) frame
do i = i, 9 @1
  k = k + 1 @2
  a(k) = 1.0 @3
end",
        );
    }

    #[test]
    fn steps_that_do_not_divide() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, k
r8 a(99) frame
do i = 1, 9, 2 @1
  k = k + 3 @2
  a(k) = 1.0 @3
end",
        );
    }

    #[test]
    fn a_second_assignment() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, k
r8 a(99) frame
do i = 1, 9 @1
  k = k + 3 @2
  a(k) = 1.0 @3
  k = k + 1 @4
end",
        );
    }
}
