//! Split a loop where a comparison of its variable changes.
//!
//! ```text
//! do i = 1, n                  @1      last = max(0, min(n, m - 1))      @1
//!   if i < m                   @2      do i = 1, last                    @1
//!     a(i) = 0.0               @3        a(i) = 0.0                      @{2,3}
//!   else                           =>  do i = last + 1, n                @1
//!     a(i) = 1.0               @4        a(i) = 1.0                      @{2,4}
//! ```
//!
//! Also a MERGE by such a comparison, which is how an element of CSHIFT and EOSHIFT says where it comes from: each part reads neighbours.
//!
//! The step must be 1 and the first value a constant, so that no bound can wrap around; the comparison is of the variable and a limit that does not
//! change, in 64 bits.

use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::analysis::registers::Confined;
use crate::fold::constant::fits;
use crate::linear::Linear;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Stmt, Type, Unit, Why};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O3, ..Pass::new("split", "split a loop where a comparison of its variable changes", run) };

/// Bodies larger than this are not copied.
const MAX_SIZE: usize = 60;
/// The most splits of a loop: EOSHIFT asks for both ends.
const MOST_SPLITS: usize = 2;
/// Loops of at most this many iterations are left to unrolling.
const SHORT: i64 = 8;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let confined = Confined::of(ed);
    for l in inner_first(ed) {
        let mut parts = vec![l.stmt];
        for _ in 0..MOST_SPLITS {
            let found = parts.iter().find_map(|&s| find(ed, DoLoop::of(ed, s)?, s != l.stmt, &confined));
            let Some(found) = found else { break };
            parts.push(split(ed, &found));
        }
    }
}

/// A loop with a comparison that is false, or true, up to some iteration, and the other way from there on.
struct Found {
    l: DoLoop,
    cond: Expr,
    /// The value of the comparison in the first part.
    first: bool,
    /// The last value of the first part, if the loop gets so far: a sum.
    last: Linear,
}

/// The comparison that the loop can be split by. `is_part`: the loop is a second part, which begins behind a value that
/// the variable has had.
fn find(u: &Unit, l: DoLoop, is_part: bool, confined: &Confined) -> Option<Found> {
    let is_small = |v: i64| v.abs() <= i64::from(i16::MAX) && fits(u.sym(l.var).ty, v.abs() + 1);
    let begins = is_part || u.pool().as_int(l.lo).is_some_and(is_small);
    if l.constant_step(u) != Some(1) || !begins || !confined.contains(l.var) || l.trips(u).is_some_and(|t| t <= SHORT) {
        return None;
    }
    let region = Region::of_block(u, l.body);
    let plain = !(region.effects || region.jumps || region.labels || region.loops) && region.size <= MAX_SIZE;
    let fixed = |e: Expr| !u.reads_memory(e) && !u.may_trap(e) && region.keeps_registers(u, e);
    if !plain || region.defined.contains(&l.var) || !fixed(l.hi) || u.mentions(l.hi, l.var) {
        return None;
    }
    let (cond, (op, limit)) = conditions(u, l)
        .into_iter()
        .find_map(|c| Some((c, compared(u, l, c).filter(|_| fixed_but(u, &region, l, c))?)))?;
    let one = |mut sum: Linear, by: i64| {
        sum.constant = sum.constant.wrapping_add(by);
        sum
    };
    let (first, last) = match op {
        BinaryOp::Lt => (true, one(limit, -1)),
        BinaryOp::Le => (true, limit),
        BinaryOp::Gt => (false, limit),
        BinaryOp::Ge => (false, one(limit, -1)),
        _ => return None,
    };
    Some(Found { l, cond, first, last })
}

/// Whether nothing in `cond` but the loop's variable changes in the loop.
fn fixed_but(u: &Unit, region: &Region, l: DoLoop, cond: Expr) -> bool {
    let registers = u.registers_in(cond);
    !u.reads_memory(cond) && !u.may_trap(cond) && registers.iter().all(|&v| v == l.var || !region.defined.contains(&v))
}

/// The conditions of conditionals and MERGEs in the body, in order.
fn conditions(u: &Unit, l: DoLoop) -> Vec<Expr> {
    let mut out = Vec::new();
    for s in u.walk_block(l.body).into_iter().filter(|&s| !u.head(s).is_invisible()) {
        if let Head::If { cond } = u.head(s) {
            let mut todo = vec![cond];
            while let Some(e) = todo.pop() {
                match u.expr(e) {
                    ExprData::Binary(BinaryOp::And, a, b) => todo.extend([b, a]),
                    _ => out.push(e),
                }
            }
        }
        for e in u.values(u.head(s)) {
            u.visit_expr(e, &mut |x| {
                if let ExprData::Intrinsic(Intrinsic::Merge, args) = u.expr(x) {
                    out.push(u.list(args)[2]);
                }
            });
        }
    }
    out
}

/// `cond` as a comparison of the loop's variable with a sum. Small integers are compared in 64 bits, where nothing
/// wraps; a comparison of large ones is taken only if the compiler made it.
pub(crate) fn compared(u: &Unit, l: DoLoop, cond: Expr) -> Option<(BinaryOp, Linear)> {
    let ExprData::Binary(op, a, b) = u.expr(cond) else { return None };
    let integers = [a, b].into_iter().all(|e| matches!(u.ty(e), Type::I4 | Type::I8));
    if !integers || ((u.ty(a) == Type::I8 || u.ty(b) == Type::I8) && u.sym(l.var).from_source) {
        return None;
    }
    let mut difference = Linear::of(u, a).minus(&Linear::of(u, b));
    let factor = difference.take(u, l.var);
    if difference.mentions(u, l.var)
        || difference.terms.iter().any(|&(e, c)| c.abs() != 1 || matches!(u.expr(e), ExprData::Intrinsic(..)))
    {
        return None;
    }
    // `i + difference op 0`, or `difference - i op 0`.
    match factor {
        1 => Some((op, Linear::default().minus(&difference))),
        -1 => Some((op.mirrored()?, difference)),
        _ => None,
    }
}

/// Splits the loop; returns the second part.
fn split(ed: &mut Editor<'_>, f: &Found) -> Stmt {
    let ty = ed.sym(f.l.var).ty;
    let limit = f.last.build(ed);
    let (lo, hi) = (ed.widen(f.l.lo), ed.widen(f.l.hi));
    let one = ed.int(Type::I8, 1);
    let before = ed.binary(BinaryOp::Sub, lo, one);
    // No further than the loop, and no iteration if the comparison changes before it.
    let short = ed.intrinsic(Intrinsic::Min, &[limit, hi]);
    let clamped = ed.intrinsic(Intrinsic::Max, &[short, before]);
    let value = if ty == Type::I8 { clamped } else { ed.make(ExprData::Convert(ty, clamped)) };
    let last = ed.new_register("last", ty);
    let last = ed.var(last);
    ed.expand(f.l.stmt, Head::Assign { place: last, value }, Place::Before(f.l.stmt), ExpandKind::Lower);
    let second = ed.expand_copy(f.l.stmt, Place::After(f.l.stmt), &[], ExpandKind::Partition);
    let one = ed.int(ty, 1);
    let next = ed.binary(BinaryOp::Add, last, one);
    let stop = if trueline_ir::fault("split_bound") { f.l.hi } else { last };
    ed.expand_in_place(f.l.stmt, Head::Do { var: f.l.var, lo: f.l.lo, hi: stop, step: f.l.step });
    ed.expand_in_place(second, Head::Do { var: f.l.var, lo: next, hi: f.l.hi, step: f.l.step });
    // One past the largest integer there is nothing.
    let more = ed.binary(BinaryOp::Lt, last, f.l.hi);
    ed.expand_around(second, Head::If { cond: more }, 0, ExpandKind::Lower);
    decide(ed, f.l.stmt, f.cond, f.first);
    decide(ed, second, f.cond, !f.first);
    second
}

/// Takes `cond` for `is` in the loop.
fn decide(ed: &mut Editor<'_>, s: Stmt, cond: Expr, is: bool) {
    for x in ed.walk_block(ed.blocks(s)[0]) {
        let head = ed.head(x);
        let new = ed.map_head(head, &mut |u, e| match u.expr(e) {
            ExprData::Intrinsic(Intrinsic::Merge, args) if u.list(args)[2] == cond => {
                Some(u.list(args)[usize::from(!is)])
            }
            _ => None,
        });
        ed.expand_in_place(x, new);
        let Head::If { cond: whole } = ed.head(x) else { continue };
        match without(ed, whole, cond, is) {
            Some(rest) if rest == whole => {}
            Some(rest) => ed.expand_in_place(x, Head::If { cond: rest }),
            None => {
                let keep = ed.blocks(x)[usize::from(!is)];
                ed.eliminate_head(x, Some(keep), Why::ConstantCondition);
            }
        }
    }
}

/// The conditions of `whole`, which must all be true, that still need a test if `cond` is known; none if that decides
/// it.
fn without(ed: &mut Editor<'_>, whole: Expr, cond: Expr, is: bool) -> Option<Expr> {
    if whole == cond {
        return None;
    }
    let ExprData::Binary(BinaryOp::And, a, b) = ed.expr(whole) else { return Some(whole) };
    match [without(ed, a, cond, is), without(ed, b, cond, is)] {
        [Some(x), Some(y)] if (x, y) == (a, b) => Some(whole),
        [Some(x), Some(y)] => Some(ed.binary(BinaryOp::And, x, y)),
        [None, other] | [other, None] if is => other,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn a_conditional() {
        check(
            &PASS,
            "
program main h @0
i4 i, m, n
r8 a(99) frame
do i = 1, n @1
  if i < m @2
    a(i) = 0.0 @3
  else
    a(i) = 1.0 @4
  end
end",
            "
i4 last.1
last.1 = i4(max(min(i8(m) - 1, i8(n)), 1 - 1))  @1
do i = 1, last.1                                @1
  a(i) = 0.0                                    @{2,3}
end
if last.1 < n                                   @1
  do i = last.1 + 1, n                          @1
    a(i) = 1.0                                  @{2,4}
  end
end

expand lower @1
expand partition @1
rewrite @1
rewrite @1
expand lower @1
eliminate @4  (control never reaches it)
eliminate @2  (its condition is constant)
eliminate @3  (control never reaches it)
eliminate @2  (its condition is constant)",
        );
    }

    #[test]
    fn a_circular_shift() {
        check(
            &PASS,
            "
program main h @0
i8 i.1, s
r8 a(99) frame, b(99) frame
do i.1 = 0, 98 @1
  a(i.1 + 1) = b(merge(i.1 + s - 99, i.1 + s, i.1 + s >= 99) + 1) @2
end",
            "
i8 last.1, i.1
last.1 = max(min(98 - s, 98), 0 - 1)            @1
do i.1 = 0, last.1                              @1
  a(i.1 + 1) = b(i.1 + s + 1)                   @2
end
if last.1 < 98                                  @1
  do i.1 = last.1 + 1, 98                       @1
    a(i.1 + 1) = b(i.1 + s - 99 + 1)            @2
  end
end

expand lower @1
expand partition @1
rewrite @1
rewrite @1
expand lower @1
rewrite @2
rewrite @2",
        );
    }

    #[test]
    fn both_ends() {
        let (_, after) = trueline_ir::testing::apply(
            "split",
            &|ed| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O3)),
            "
program main h @0
i4 i, m, n
r8 a(99) frame
do i = 1, 99 @1
  if i > m .and. i <= n @2
    a(i) = 0.0 @3
  end
end",
        );
        let text = after.to_string();
        assert_eq!((text.matches("do i").count(), text.matches("a(i)").count()), (3, 1), "{text}");
    }

    #[test]
    fn a_limit_that_changes() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, m, n
r8 a(99) frame
do i = 1, n @1
  if i < m @2
    a(i) = 0.0 @3
    m = m - 1 @4
  end
end",
        );
    }

    #[test]
    fn an_equality() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, m, n
r8 a(99) frame
do i = 1, n @1
  if i == m @2
    a(i) = 0.0 @3
  end
end",
        );
    }

    #[test]
    fn a_multiple_of_the_variable() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, m, n
r8 a(99) frame
do i = 1, n @1
  if 2*i < m @2
    a(i) = 0.0 @3
  end
end",
        );
    }
}
