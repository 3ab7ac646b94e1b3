//! Peel the first or last iteration where it is a case of its own.
//!
//! ```text
//! do i = 1, n             @1       if (1 <= n)            @1
//!   if (i == 1)           @2         a(1) = 0             @{1,2,3} (as a conditional that is true)
//!     a(i) = 0            @3 =>      do i = 2, n          @1
//!   else                               a(i) = a(i-1)      @4
//!     a(i) = a(i-1)       @4
//! ```
//!
//! In the remaining loop the conditional is decided, and goes. The step must be 1 and the first value a constant, so
//! that no bound can wrap around.

use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::analysis::registers::Confined;
use crate::fold::constant::fits;
use crate::licm::guard;
use crate::linear::Linear;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Place, Stmt, Unit, Why};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O3, ..Pass::new("peel", "split off an iteration that a conditional singles out", run) };

/// Bodies larger than this are not copied.
const MAX_SIZE: usize = 120;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let confined = Confined::of(ed);
    for l in inner_first(ed) {
        for _ in 0..2 {
            let Some(end) = DoLoop::of(ed, l.stmt).and_then(|l| singled_out(ed, l, &confined)) else { break };
            peel(ed, l.stmt, end, &confined);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    First,
    Last,
}

/// The iteration that some conditional of the loop's body singles out, if it can be peeled.
fn singled_out(u: &Unit, l: DoLoop, confined: &Confined) -> Option<End> {
    let lo = u.pool().as_int(l.lo)?;
    let runs = l.trips(u).is_some_and(|t| t > 1);
    if l.constant_step(u) != Some(1)
        || lo.abs() > i64::from(i16::MAX)
        || !fits(u.sym(l.var).ty, lo.abs() + 1)
        || !confined.contains(l.var)
    {
        return None;
    }
    let tests: Vec<Expr> = u
        .walk_block(l.body)
        .into_iter()
        .filter_map(|s| match u.head(s) {
            Head::If { cond } => Some(cond),
            _ => None,
        })
        .collect();
    let end =
        [End::First, End::Last].into_iter().find(|&end| tests.iter().any(|&c| decided(u, l, end, c).is_some()))?;
    let region = Region::of_block(u, l.body);
    let redefined = region.defined.contains(&l.var) || !region.keeps_registers(u, l.hi);
    let unknown = l.trips(u).is_none() && !u.reads_memory(l.hi) && !u.may_trap(l.hi);
    (!region.labels && !redefined && region.size <= MAX_SIZE && (runs || unknown)).then_some(end)
}

/// The value of a condition in all iterations but the one at `end`, if the condition asks for that one.
fn decided(u: &Unit, l: DoLoop, end: End, cond: Expr) -> Option<bool> {
    let bound = if end == End::First { l.lo } else { l.hi };
    let ExprData::Binary(op, a, b) = u.expr(cond) else { return None };
    let is_var = |e: Expr| u.expr(e) == ExprData::Var(l.var);
    let (op, other) = match (is_var(a), is_var(b)) {
        (true, false) => (op, b),
        (false, true) => (op.mirrored()?, a),
        _ => return None,
    };
    if Linear::of(u, other).minus(&Linear::of(u, bound)).as_constant()? != 0 {
        return None;
    }
    match (op, end) {
        (BinaryOp::Eq, _) => Some(false),
        (BinaryOp::Ne, _) => Some(true),
        (BinaryOp::Gt, End::First) | (BinaryOp::Lt, End::Last) => Some(true),
        (BinaryOp::Le, End::First) | (BinaryOp::Ge, End::Last) => Some(false),
        _ => None,
    }
}

fn peel(ed: &mut Editor<'_>, s: Stmt, end: End, confined: &Confined) {
    let Some(l) = DoLoop::of(ed, s) else { return };
    if l.trips(ed).is_none() && !trueline_ir::fault("peel_guard") && !guard(ed, s, confined) {
        return;
    }
    if end == End::Last {
        ed.keep_last_value(s);
    }
    let value = if end == End::First { l.lo } else { l.hi };
    let body: Vec<Stmt> = ed.stmts(l.body).collect();
    let mut last = s;
    for x in body {
        let at = if end == End::First { Place::Before(s) } else { Place::After(last) };
        let copy = ed.expand_copy(x, at, &[(l.var, value)], ExpandKind::Partition);
        last = copy;
    }
    let tests: Vec<(Stmt, bool)> = ed
        .walk_block(l.body)
        .into_iter()
        .filter_map(|x| match ed.head(x) {
            Head::If { cond } => Some((x, decided(ed, l, end, cond)?)),
            _ => None,
        })
        .collect();
    if !trueline_ir::fault("peel_bound") {
        let shrunk = shorten(ed, l, end);
        ed.expand_in_place(s, shrunk);
    }
    for (test, holds) in tests.into_iter().rev() {
        let keep = ed.blocks(test)[usize::from(holds == trueline_ir::fault("peel_arm"))];
        ed.eliminate_head(test, Some(keep), Why::ConstantCondition);
    }
}

/// The loop without its first or last iteration.
fn shorten(ed: &mut Editor<'_>, l: DoLoop, end: End) -> Head {
    let ty = ed.sym(l.var).ty;
    let moved = |ed: &mut Editor<'_>, e: Expr, by: i64| match ed.pool().as_int(e) {
        Some(v) => ed.int(ty, v.wrapping_add(by)),
        None => {
            let one = ed.int(ty, 1);
            ed.binary(if by > 0 { BinaryOp::Add } else { BinaryOp::Sub }, e, one)
        }
    };
    match end {
        End::First => Head::Do { var: l.var, lo: moved(ed, l.lo, 1), hi: l.hi, step: l.step },
        End::Last => Head::Do { var: l.var, lo: l.lo, hi: moved(ed, l.hi, -1), step: l.step },
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn first_iteration() {
        check(
            &PASS,
            "
integer i, n
real a(10)
do i = 1, n @1
  if i == 1 @2
    a(i) = 0.0 @3
  else
    a(i) = a(i - 1) @4
  end
end",
            "
if 1 <= n @1
  if 1 == 1 @{1,2}
    a(i8(1)) = 0.0 @3
  else
    a(i8(1)) = a(1 - 1) @4
  end
  do i = 2, n @1
    a(i) = a(i - 1) @{2,4}
  end
end

expand lower @1
expand partition @2 -> @{1,2}
rewrite @1
eliminate @3 (control never reaches it)
eliminate @2 (its condition is constant)",
        );
    }

    #[test]
    fn last_iteration_of_a_known_number() {
        check(
            &PASS,
            "
integer i
real a(10)
do i = 1, 10 @1
  a(i) = 1.0 @2
  if i < 10 @3
    a(i) = 2.0 @4
  end
end",
            "
do i = 1, 9 @1
  a(i) = 1.0 @2
  a(i) = 2.0 @{3,4}
end
a(i8(10)) = 1.0 @{1,2}
if 10 < 10 @{1,3}
  a(i8(10)) = 2.0 @4
end

expand partition @2 -> @{1,2}
expand partition @3 -> @{1,3}
rewrite @1
eliminate @3 (its condition is constant)",
        );
    }

    #[test]
    fn refusals() {
        // The variable is read afterwards; the test is for an iteration inside; an unknown first value; a step of 2.
        unchanged(
            &PASS,
            "
integer i, j, m, n
real a(10)
do i = 1, n @1
  if i == 1 @2
    a(i) = 0.0 @3
  end
end
a(1) = r8(i) @4
do j = 1, 10 @5
  if j == 4 @6
    a(j) = 0.0 @7
  end
end
do j = m, n @5
  if j == m @6
    a(j) = 0.0 @7
  end
end
do j = 1, 9, 2 @5
  if j == 1 @6
    a(j) = 0.0 @7
  end
end",
        );
    }
}
