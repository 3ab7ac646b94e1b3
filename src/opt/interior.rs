//! Interior: the iterations in which all statements of a loop run have a loop without tests of their own.
//!
//! ```text
//! do i = lo, hi                @1      from = max(lo, a, b); to = min(hi, c, d)                @1
//!   if (i >= a .and. i <= c)   @2      do i = lo, merge(from - 1, hi, from <= to)   @1        with both tests
//!     x(i) = 0.0               @2  =>  do i = from, to                              @1
//!   if (i >= b .and. i <= d)   @3        x(i) = 0.0                                 @2
//!     y(i) = 1.0               @3        y(i) = 1.0                                 @3
//!                                      do i = to + 1, hi                            @1        with both tests
//! ```
//!
//! `resolve` makes such tests in loops whose statements store to elements of different owners. Here the three loops are partitions of the
//! one, in the order of the source, so nothing but the limits has to be looked at: they are the same in all iterations, and
//! comparisons of the variable are as in `split`. All new bounds are computed in 64 bits, where nothing wraps, and each of the loops
//! stands behind a test that it has an iteration.

use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::analysis::registers::Confined;
use crate::linear::Linear;
use crate::split::compared;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Stmt, Type, Unit, Why};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("interior", "make a loop without tests of the iterations in which all statements run", run)
};

/// Bodies larger than this are not copied.
const MAX_SIZE: usize = 240;
/// With fewer comparisons `split` makes as few loops.
const MIN_COMPARISONS: usize = 3;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let confined = Confined::of(ed);
    for l in inner_first(ed) {
        if let Some(found) = DoLoop::of(ed, l.stmt).and_then(|l| find(ed, l, &confined)) {
            part(ed, &found);
        }
    }
}

/// A loop with such tests.
struct Found {
    l: DoLoop,
    /// The conditionals, which have no other arm.
    tests: Vec<Stmt>,
    /// The values from which, and up to which, their conditions hold.
    lows: Vec<Linear>,
    highs: Vec<Linear>,
}

fn find(u: &Unit, l: DoLoop, confined: &Confined) -> Option<Found> {
    if l.constant_step(u) != Some(1) || !confined.contains(l.var) || u.mentions(l.hi, l.var) {
        return None;
    }
    let region = Region::of_block(u, l.body);
    let fixed = |e: Expr| !u.reads_memory(e) && !u.may_trap(e) && region.keeps_registers(u, e);
    let plain = !(region.jumps || region.labels) && region.size <= MAX_SIZE;
    if !plain || region.defined.contains(&l.var) || !fixed(l.lo) || !fixed(l.hi) {
        return None;
    }
    let mut out = Found { l, tests: Vec::new(), lows: Vec::new(), highs: Vec::new() };
    let mut comparisons = 0;
    for s in u.walk_block(l.body).into_iter().filter(|&s| !u.head(s).is_invisible()) {
        let Head::If { cond } = u.head(s) else { continue };
        let is_fixed = |e: Expr| {
            let registers = u.registers_in(e);
            let kept = registers.iter().all(|&v| v == l.var || !region.defined.contains(&v));
            kept && !u.reads_memory(e) && !u.may_trap(e)
        };
        if u.real_stmts(u.blocks(s)[1]).next().is_some() || !is_fixed(cond) {
            continue;
        }
        let Some(limits) = limits(u, l, cond) else { continue };
        comparisons += limits.len();
        out.tests.push(s);
        for (is_low, limit) in limits {
            let known = if is_low { &mut out.lows } else { &mut out.highs };
            let is_same = |k: &Linear| k.terms == limit.terms && k.constant == limit.constant;
            if !known.iter().any(is_same) {
                known.push(limit);
            }
        }
    }
    (comparisons >= MIN_COMPARISONS).then_some(out)
}

/// The limits of a condition that is nothing but comparisons of the loop's variable, which must all hold: whether it is the least value, and the
/// value.
fn limits(u: &Unit, l: DoLoop, cond: Expr) -> Option<Vec<(bool, Linear)>> {
    let mut out = Vec::new();
    let mut todo = vec![cond];
    while let Some(e) = todo.pop() {
        if let ExprData::Binary(BinaryOp::And, a, b) = u.expr(e) {
            todo.extend([b, a]);
            continue;
        }
        let (op, mut limit) = compared(u, l, e)?;
        let (is_low, by) = match op {
            BinaryOp::Ge => (true, 0),
            BinaryOp::Gt => (true, 1),
            BinaryOp::Le => (false, 0),
            BinaryOp::Lt => (false, -1),
            _ => return None,
        };
        limit.constant = limit.constant.checked_add(by)?;
        out.push((is_low, limit));
    }
    Some(out)
}

/// Makes the three loops.
fn part(ed: &mut Editor<'_>, f: &Found) {
    let (l, ty) = (f.l, ed.sym(f.l.var).ty);
    let (lo, hi) = (ed.widen(l.lo), ed.widen(l.hi));
    let (mut from, mut to) = (lo, hi);
    for limit in &f.lows {
        let limit = limit.build(ed);
        from = ed.intrinsic(Intrinsic::Max, &[from, limit]);
    }
    for limit in &f.highs {
        let limit = limit.build(ed);
        to = ed.intrinsic(Intrinsic::Min, &[to, limit]);
    }
    if trueline_ir::fault("interior_limit") {
        to = hi;
    }
    let from = keep(ed, l.stmt, "from", from);
    let to = keep(ed, l.stmt, "to", to);
    let one = ed.int(Type::I8, 1);
    let is_there = ed.binary(BinaryOp::Le, from, to);
    let before = ed.binary(BinaryOp::Sub, from, one);
    let before = ed.intrinsic(Intrinsic::Merge, &[before, hi, is_there]);
    let before = keep(ed, l.stmt, "before", before);
    let last = ed.expand_copy(l.stmt, Place::After(l.stmt), &[], ExpandKind::Partition);
    let middle = ed.expand_copy(l.stmt, Place::After(l.stmt), &[], ExpandKind::Partition);
    let next = ed.binary(BinaryOp::Add, to, one);
    let behind = ed.binary(BinaryOp::Lt, to, hi);
    let behind = ed.binary(BinaryOp::And, is_there, behind);
    let begins = ed.binary(BinaryOp::Le, lo, before);
    let narrow = |ed: &mut Editor<'_>, e: Expr| if ty == Type::I8 { e } else { ed.make(ExprData::Convert(ty, e)) };
    let [before, from, to, next] = [before, from, to, next].map(|e| narrow(ed, e));
    for (s, [first, end], cond) in
        [(l.stmt, [l.lo, before], begins), (middle, [from, to], is_there), (last, [next, l.hi], behind)]
    {
        ed.expand_in_place(s, Head::Do { var: l.var, lo: first, hi: end, step: l.step });
        ed.expand_around(s, Head::If { cond }, 0, ExpandKind::Lower);
    }
    let conditions: Vec<Expr> = f.tests.iter().filter_map(|&s| condition(ed, s)).collect();
    for s in ed.walk_block(ed.blocks(middle)[0]) {
        if condition(ed, s).is_some_and(|c| conditions.contains(&c)) && ed.real_stmts(ed.blocks(s)[1]).next().is_none()
        {
            let keep = ed.blocks(s)[0];
            ed.eliminate_head(s, Some(keep), Why::ConstantCondition);
        }
    }
}

fn condition(u: &Unit, s: Stmt) -> Option<Expr> {
    match u.head(s) {
        Head::If { cond } => Some(cond),
        _ => None,
    }
}

/// A register with a value, before the loop.
fn keep(ed: &mut Editor<'_>, l: Stmt, name: &str, value: Expr) -> Expr {
    let register = ed.new_register(name, Type::I8);
    let place = ed.var(register);
    ed.expand(l, Head::Assign { place, value }, Place::Before(l), ExpandKind::Lower);
    place
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::unchanged;

    fn parted(code: &str) -> String {
        let context = crate::Context::alone(crate::OptLevel::O3);
        let (_, after) = trueline_ir::testing::apply("interior", &|ed| (PASS.run)(ed, &context), code);
        after.to_string()
    }

    #[test]
    fn two_owners() {
        let text = parted(
            "
program main h @0
i4 i, a, b, c, d, m, n
r8 x(99) frame, y(99) frame
do i = m, n @1
  if i >= a .and. i <= c @2
    x(i) = 0.0 @2
  end
  if i > b .and. i < d @3
    y(i) = 1.0 @3
  end
end",
        );
        assert!(text.contains("max(max(i8(m), i8(a)), i8(b) + 1)"), "{text}");
        assert_eq!((text.matches("do i").count(), text.matches("if i >= a").count()), (3, 2), "{text}");
    }

    #[test]
    fn a_limit_that_changes() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, a, b, c, n
r8 x(99) frame
do i = 1, n @1
  if i >= a .and. i <= c @2
    x(i) = 0.0 @2
    c = c - 1 @2
  end
  if i >= b .and. i <= c @3
    x(i) = 1.0 @3
  end
end",
        );
    }

    #[test]
    fn another_arm() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, a, b, c, n
r8 x(99) frame
do i = 1, n @1
  if i >= a .and. i <= c @2
    x(i) = 0.0 @3
  else
    x(i) = 1.0 @4
  end
  if i >= b @5
    x(i) = x(i) + 1.0 @5
  end
end",
        );
    }

    #[test]
    fn a_step() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, a, b, c, n
r8 x(99) frame
do i = 1, n, 2 @1
  if i >= a .and. i <= c @2
    x(i) = 0.0 @2
  end
  if i >= b .and. i <= c @3
    x(i) = 1.0 @3
  end
end",
        );
    }
}
