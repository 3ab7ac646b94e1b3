//! Unroll innermost loops: short ones completely, others by two, four or eight with a remainder.
//!
//! ```text
//!                              r = lo                     @1
//! do i = lo, hi      @1        if (trip(lo,hi,1) >= 4)    @1
//!   a(i) = 0         @2          do i = lo, hi - 3, 4     @1
//! end                            a(i) = 0 … a(i+3) = 0    @2
//!                         =>     r = i                    @1
//!                              do i = r, hi               @1
//!                                a(i) = 0                 @2
//! ```
//!
//! The test keeps `hi - 3` from wrapping around at the end of the integers. Loops with EXIT are unrolled as
//! well: the copies jump out as the original does, and their tallies count as far as they got (law E).

use crate::analysis::loops::{DoLoop, has_vectors, inner_first, is_elementwise, is_rest};
use crate::analysis::refs::Region;
use crate::analysis::registers::Confined;
use crate::fold::constant::wrap;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{
    BinaryOp, Editor, ExpandKind, Expr, ExprData, ExprMap, Head, Intrinsic, Place, Stmt, Type, Unit, Why,
};

/// See the module documentation.
pub const PASS: Pass = Pass { from: OptLevel::O3, ..Pass::new("unroll", "unroll innermost loops", run) };

/// The fewest iterations of a loop that is unrolled by eight, if their number is known.
const MANY_TRIPS: i64 = 32;
/// Loops with at most this many iterations vanish …
const MAX_FULL_TRIPS: i64 = 8;
/// … if the code that replaces them is at most this large.
const MAX_FULL_SIZE: usize = 200;
/// Bodies up to this size are unrolled by four, or by eight if they look for the greatest of absolute values: most of that takes vectors,
/// and the rest of it is paid once for all copies;
const SIZE_FOR_FOUR: usize = 14;
/// up to this by two;
const SIZE_FOR_TWO: usize = 40;
/// elementwise ones, which become vectors, up to this.
const SIZE_OF_ELEMENTWISE: usize = 160;

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let confined = Confined::of(ed);
    let loops = inner_first(ed);
    for l in &loops {
        if let Some(trips) = fully(ed, *l, &confined) {
            unroll_fully(ed, *l, trips, &confined);
        }
    }
    for l in loops {
        if let Some(factor) = partly(ed, l, &confined, context).filter(|_| ed.is_live(l.stmt))
            && let Some(rest) = unroll(ed, l, factor)
            && let Some(rest) = DoLoop::of(ed, rest)
            && !Region::of_block(ed, rest.body).jumps
            && let Some(trips) = fully(ed, rest, &confined)
        {
            unroll_fully(ed, rest, trips, &confined);
        }
    }
}

/// Whether copies of the body can stand side by side.
fn can_copy(u: &Unit, l: DoLoop, region: &Region, confined: &Confined) -> bool {
    let redefined = u.walk_block(l.body).into_iter().any(|s| u.may_define(u.head(s)).contains(&l.var));
    // A copied jump leaves the variable at the value of the first copy.
    !region.labels && !redefined && (!region.jumps || confined.contains(l.var))
}

fn fully(u: &Unit, l: DoLoop, confined: &Confined) -> Option<i64> {
    let trips = l.trips(u).filter(|t| (1..=MAX_FULL_TRIPS).contains(t))?;
    let region = Region::of_block(u, l.body);
    // A loop that contains loops is not worth the code, even with a small body.
    let fits = region.size.max(1) * trips as usize <= MAX_FULL_SIZE && !region.loops;
    (fits && can_copy(u, l, &region, confined)).then_some(trips)
}

fn unroll_fully(ed: &mut Editor<'_>, l: DoLoop, trips: i64, confined: &Confined) {
    let Some(step) = l.constant_step(ed) else { return };
    let first = first_value(ed, l);
    if confined.contains(l.var) {
        ed.keep_last_value(l.stmt);
    }
    let body: Vec<Stmt> = ed.stmts(l.body).collect();
    for k in 0..trips {
        let value = plus(ed, first, k.wrapping_mul(step));
        for &s in &body {
            ed.expand_copy(s, Place::Before(l.stmt), &[(l.var, value)], ExpandKind::Partition);
        }
    }
    if !confined.contains(l.var) && !trueline_ir::fault("unroll_last_value") {
        // This value may lie past the last integer of the type; it then wraps, as gfortran's does.
        let (place, value) = (ed.var(l.var), plus(ed, first, trips.wrapping_mul(step)));
        ed.expand(l.stmt, Head::Assign { place, value }, Place::Before(l.stmt), ExpandKind::Lower);
    }
    ed.eliminate(l.stmt, Why::Unrolled);
}

/// The first value of the variable of a loop: a constant, or a register that is set before it.
fn first_value(ed: &mut Editor<'_>, l: DoLoop) -> Expr {
    if ed.pool().as_int(l.lo).is_some() {
        return l.lo;
    }
    let first = ed.new_register("first", ed.sym(l.var).ty);
    let place = ed.var(first);
    ed.expand(l.stmt, Head::Assign { place, value: l.lo }, Place::Before(l.stmt), ExpandKind::Lower);
    place
}

/// `e + n` in the type of `e`, in which it may wrap.
fn plus(ed: &mut Editor<'_>, e: Expr, n: i64) -> Expr {
    let ty = ed.ty(e);
    match ed.pool().as_int(e) {
        Some(value) => ed.int(ty, wrap(ty, value.wrapping_add(n))),
        None if n == 0 => e,
        None => {
            let n = ed.int(ty, wrap(ty, n));
            ed.binary(BinaryOp::Add, e, n)
        }
    }
}

fn partly(u: &Unit, l: DoLoop, confined: &Confined, context: &Context<'_>) -> Option<i64> {
    l.constant_step(u).filter(|s| s.abs() <= 64)?;
    if is_rest(u, l) {
        return None;
    }
    let region = Region::of_block(u, l.body);
    let factor = match region.size {
        n if has_vectors(u, l) => {
            let pays = n <= SIZE_FOR_FOUR && has_one_vector(u, l) && l.trips(u).is_none() && !is_short_at_times(u, l);
            pays.then_some(2)?
        }
        0..=SIZE_FOR_FOUR if takes_greatest(u, l) && has_many_trips(u, l, context) => 8,
        0..=SIZE_FOR_FOUR => 4,
        n if n <= SIZE_FOR_TWO => 2,
        n if n <= SIZE_OF_ELEMENTWISE && is_elementwise(u, l, &region) => 2,
        _ => return None,
    };
    let few = l.most_trips(u).is_some_and(|t| t < 2 * factor);
    // Two iterations that add to sums would be packed by putting the sums together and taking them apart again: forces between pairs
    // took 1.35 times as long.
    let adds_up = factor == 2 && u.real_stmts(l.body).any(|s| sum_of(u, s) > 0);
    if few || adds_up || waits(u, l, &region) {
        return None;
    }
    let factor = counted(u, l, context, factor)?;
    if !constants_fit(u, l, factor) {
        return None;
    }
    // The remainder evaluates the limit again.
    let defined = |s: Stmt| u.may_define(u.head(s)).iter().any(|&v| u.mentions(l.hi, v));
    let fixed = !u.mentions(l.hi, l.var) && !u.walk_block(l.body).into_iter().any(defined);
    let stays = !region.effects || region.has_only_checks() && !is_fallback(u, l);
    (fixed && !region.loops && stays && region.size > 0 && can_copy(u, l, &region, confined)).then_some(factor)
}

/// Whether the loop does one vector at a time.
fn has_one_vector(u: &Unit, l: DoLoop) -> bool {
    let Some(step) = l.constant_step(u) else { return false };
    u.real_stmts(l.body).all(|s| match u.head(s) {
        Head::Assign { value, .. } => u.ty(value).lanes() as i64 == step.abs(),
        _ => false,
    })
}

/// Whether a loop around changes the number of iterations, as in a triangle: the last iterations then take much of the time.
fn is_short_at_times(u: &Unit, l: DoLoop) -> bool {
    let moves = |v| [l.lo, l.hi].iter().any(|&e| u.mentions(e, v));
    u.ancestors(l.stmt).any(|a| {
        let region = u.head(a).is_loop().then(|| Region::of_block(u, u.blocks(a)[0]));
        region.is_some_and(|r| r.defined.iter().any(|&v| moves(v))) || DoLoop::of(u, a).is_some_and(|o| moves(o.var))
    })
}

/// Whether the loop is the copy with all checks of one that runs without some of them: it runs if there is a fault.
fn is_fallback(u: &Unit, l: DoLoop) -> bool {
    let mut inside = l.stmt;
    u.ancestors(l.stmt).any(|a| {
        let came_from = std::mem::replace(&mut inside, a);
        let Head::If { .. } = u.head(a) else { return false };
        let [then, otherwise] = [u.blocks(a)[0], u.blocks(a)[1]];
        let is_copy = |x: Stmt| u.head(x).is_loop() && u.set(x) == u.set(came_from);
        u.parent(came_from) == Some(otherwise) && u.head(came_from).is_loop() && u.real_stmts(then).any(is_copy)
    })
}

/// Whether the step of the unrolled loop and its limit, if that is constant, are integers of the type: for INTEGER(1)
/// they soon are not.
pub(crate) fn constants_fit(u: &Unit, l: DoLoop, factor: i64) -> bool {
    let fits = |v: i64| wrap(u.sym(l.var).ty, v) == v;
    let Some(step) = l.constant_step(u) else { return false };
    let reach = (factor - 1) * step;
    let limit = u.pool().as_int(l.hi).map(|hi| hi.checked_sub(reach));
    fits(factor * step) && fits(reach) && limit.is_none_or(|h| h.is_some_and(fits))
}

/// The factor in the light of a previous run: none for a loop that did not run or has hardly an iteration for each copy,
/// less for a short one.
pub(crate) fn counted(u: &Unit, l: DoLoop, context: &Context<'_>, factor: i64) -> Option<i64> {
    if context.never_ran(u, l.stmt) {
        return None;
    }
    match context.trips(u, l.stmt).map(|t| t.typical().unwrap_or(0)) {
        Some(0..4) => None,
        Some(4..8) => Some(factor.min(2)),
        _ => Some(factor),
    }
}

/// Unrolls the loop; returns the remainder loop for the last iterations.
fn unroll(ed: &mut Editor<'_>, l: DoLoop, factor: i64) -> Option<Stmt> {
    let step = l.constant_step(ed)?;
    let body: Vec<Stmt> = ed.stmts(l.body).collect();
    let ty = ed.sym(l.var).ty;
    partition(ed, l, factor, |ed| copy_body(ed, l, &body, factor, step, ty))
}

/// Has the loop do `factor` iterations at a time, for which `fill` changes its body; gives the loop that is left for the last iterations.
pub(crate) fn partition(
    ed: &mut Editor<'_>,
    l: DoLoop,
    factor: i64,
    fill: impl FnOnce(&mut Editor<'_>),
) -> Option<Stmt> {
    let step = l.constant_step(ed)?;
    let ty = ed.sym(l.var).ty;
    let trips = l.trips(ed);
    let rest = trips.map_or(1, |t| if trueline_ir::fault("unroll_remainder") { 0 } else { t % factor });
    let remainder = (rest != 0).then(|| ed.expand_copy(l.stmt, Place::After(l.stmt), &[], ExpandKind::Partition));
    // The last value of the first copy in the last group.
    let short = i64::from(trueline_ir::fault("unroll_limit"));
    let reach = ed.int(ty, (factor - 1 - short) * step);
    let limit = match ed.pool().as_int(l.hi) {
        Some(hi) if trips.is_some() => ed.int(ty, hi.wrapping_sub((factor - 1) * step)),
        _ => ed.binary(BinaryOp::Sub, l.hi, reach),
    };
    let main_step = ed.int(ty, factor * step);
    ed.expand_in_place(l.stmt, Head::Do { var: l.var, lo: l.lo, hi: limit, step: main_step });
    fill(ed);
    let remainder = remainder?;
    let i = ed.var(l.var);
    let from = match trips {
        Some(t) if ed.pool().as_int(l.lo).is_some() => {
            let lo = ed.pool().as_int(l.lo).unwrap_or(0);
            ed.int(ty, lo.wrapping_add((t - rest).wrapping_mul(step)))
        }
        Some(_) => i,
        None => guard_main(ed, l, factor, step),
    };
    ed.expand_in_place(remainder, Head::Do { var: l.var, lo: from, hi: l.hi, step: l.step });
    Some(remainder)
}

/// Operations that the processor performs, one after the other, in the time of an addition of reals …
const LATENCY: usize = 4;
/// … and in one cycle, side by side.
const WIDTH: usize = 4;

/// Whether an iteration waits for the one before longer than its own operations take to issue: a sum of reals or a
/// recurrence. Such iterations take no less time side by side, and a loop in two parts takes longer to enter.
fn waits(u: &Unit, l: DoLoop, region: &Region) -> bool {
    let stmts: Vec<Stmt> = u.real_stmts(l.body).collect();
    let mut chain = 0;
    for &s in &stmts {
        let Head::Assign { place, value } = u.head(s) else { return false };
        let (long, mut awkward) = (sum_of(u, s), false);
        u.visit_expr(value, &mut |e| {
            awkward |= match u.expr(e) {
                ExprData::Binary(BinaryOp::Div, a, _) => u.ty(a).is_real(),
                ExprData::Intrinsic(..) => true,
                _ => false,
            };
        });
        if awkward || (long == 0 && !matches!(u.expr(place), ExprData::Var(_))) {
            return false;
        }
        chain += long;
    }
    chain * LATENCY * WIDTH >= region.size + WIDTH && chain > 0
}

/// Whether the loop may have enough iterations for many copies, as far as that is known.
fn has_many_trips(u: &Unit, l: DoLoop, context: &Context<'_>) -> bool {
    let usual = context.trips(u, l.stmt).and_then(|t| i64::try_from(t.typical().unwrap_or(0)).ok());
    [l.most_trips(u), usual].into_iter().flatten().all(|t| t >= MANY_TRIPS)
}

/// Whether the loop looks for the greatest of absolute values of reals, in a register.
fn takes_greatest(u: &Unit, l: DoLoop) -> bool {
    let is_absolute = |e: Expr| matches!(u.expr(e), ExprData::Intrinsic(Intrinsic::Abs, _)) && u.ty(e).is_real();
    u.real_stmts(l.body).any(|s| {
        let Head::Assign { place, value } = u.head(s) else { return false };
        let ExprData::Intrinsic(Intrinsic::Max, args) = u.expr(value) else { return false };
        let is_register = matches!(u.expr(place), ExprData::Var(v) if u.sym(v).is_register());
        let args = u.list(args);
        is_register && args.contains(&place) && args.iter().all(|&a| a == place || is_absolute(a))
    })
}

/// The number of additions, subtractions and products of reals that the assignment `s` makes of its register's own
/// value, one after the other.
fn sum_of(u: &Unit, s: Stmt) -> usize {
    let Head::Assign { place, value } = u.head(s) else { return 0 };
    let is_register = matches!(u.expr(place), ExprData::Var(v) if u.sym(v).is_register());
    if !is_register || !u.ty(place).is_real() {
        return 0;
    }
    waited_for(u, value, place, &mut ExprMap::default()).unwrap_or(0)
}

/// The number of additions, subtractions and products of reals that `e` makes of `from`, one after the other.
fn waited_for(u: &Unit, e: Expr, from: Expr, known: &mut ExprMap<Option<usize>>) -> Option<usize> {
    if e == from {
        return Some(0);
    }
    if let Some(waited) = known.get(e) {
        return waited;
    }
    let waited = match u.expr(e) {
        ExprData::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
            waited_for(u, a, from, known).max(waited_for(u, b, from, known)).map(|n| n + 1)
        }
        _ => None,
    };
    known.insert(e, waited);
    waited
}

fn copy_body(ed: &mut Editor<'_>, l: DoLoop, body: &[Stmt], factor: i64, step: i64, ty: Type) {
    let i = ed.var(l.var);
    for k in 1..factor {
        let ahead = ed.int(ty, (k - i64::from(trueline_ir::fault("unroll_copy"))) * step);
        let value = ed.binary(BinaryOp::Add, i, ahead);
        for &s in body {
            ed.expand_copy(s, Place::End(l.body), &[(l.var, value)], ExpandKind::Partition);
        }
    }
}

/// Runs the main loop only if it has an iteration; returns where the remainder begins.
fn guard_main(ed: &mut Editor<'_>, l: DoLoop, factor: i64, step: i64) -> Expr {
    let name = format!("{}.rest", ed.sym(l.var).name.split('.').next().unwrap_or("i"));
    let rest = ed.new_register(&name, ed.sym(l.var).ty);
    let (place, i) = (ed.var(rest), ed.var(l.var));
    ed.expand(l.stmt, Head::Assign { place, value: l.lo }, Place::Before(l.stmt), ExpandKind::Lower);
    let cond = enough(ed, l, factor, step);
    ed.expand_around(l.stmt, Head::If { cond }, 0, ExpandKind::Lower);
    ed.expand(l.stmt, Head::Assign { place, value: i }, Place::After(l.stmt), ExpandKind::Lower);
    place
}

/// Whether the loop has at least `factor` iterations.
fn enough(ed: &mut Editor<'_>, l: DoLoop, factor: i64, step: i64) -> Expr {
    let bounds = [l.lo, l.hi, l.step].map(|e| ed.widen(e));
    if ed.sym(l.var).ty == Type::I8 {
        let trips = ed.trips(bounds);
        let least = ed.int(Type::I8, factor);
        return ed.binary(BinaryOp::Ge, trips, least);
    }
    // Smaller integers do not wrap in 64 bits, and so need no division.
    let distance = ed.binary(BinaryOp::Sub, bounds[1], bounds[0]);
    let least = ed.int(Type::I8, (factor - 1) * step);
    ed.binary(if step > 0 { BinaryOp::Ge } else { BinaryOp::Le }, distance, least)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn at_most_seven_iterations() {
        unchanged(
            &PASS,
            "
integer i, j, n
real a(40)
do i = max(1, j - 3), min(n, j + 3) @1
  a(i) = a(i) + 1.0 @2
end",
        );
    }

    #[test]
    fn a_sum_waits_for_itself() {
        unchanged(
            &PASS,
            "
integer i, n
real s, a(40), b(40)
do i = 1, n @1
  s = s + a(i) * b(i) @2
end",
        );
    }

    #[test]
    fn short_loop_vanishes() {
        check(
            &PASS,
            "
integer i
real a(10)
do i = 1, 2 @1
  a(i) = r8(i) @2
end",
            "
a(i8(1)) = r8(1) @{1,2}
a(i8(2)) = r8(2) @{1,2}

expand partition @2 -> @{1,2}
expand partition @2 -> @{1,2}
eliminate @2 (the loop is unrolled completely)
eliminate @1 (the loop is unrolled completely)",
        );
    }

    #[test]
    fn the_limit_changes_in_the_body() {
        unchanged(
            &PASS,
            "
integer i, n
real a(10)
do i = 1, n @1
  a(i) = a(i) + 1.0 @2
  n = 2 @3
end",
        );
    }

    #[test]
    fn unknown_trip_count() {
        check(
            &PASS,
            "
integer i, n
real a(10), b(10)
do i = 1, n @1
  a(i) = (a(i) + b(i) * b(i)) * (a(i) - 2.0 / b(i)) @2
  b(i) = abs(a(i)) + abs(b(i)) * abs(b(i) + 1.0) @3
end",
            "
i4 i.rest.1
i.rest.1 = 1 @1
if i8(n) - 1 >= 1 @1
  do i = 1, n - 1, 2 @1
    a(i) = (a(i) + b(i) * b(i)) * (a(i) - 2.0 / b(i)) @2
    b(i) = abs(a(i)) + abs(b(i)) * abs(b(i) + 1.0) @3
    a(i + 1) = (a(i + 1) + b(i + 1) * b(i + 1)) * (a(i + 1) - 2.0 / b(i + 1)) @2
    b(i + 1) = abs(a(i + 1)) + abs(b(i + 1)) * abs(b(i + 1) + 1.0) @3
  end
  i.rest.1 = i @1
end
do i = i.rest.1, n @1
  a(i) = (a(i) + b(i) * b(i)) * (a(i) - 2.0 / b(i)) @2
  b(i) = abs(a(i)) + abs(b(i)) * abs(b(i) + 1.0) @3
end

expand partition @1
rewrite @1
expand partition @2
expand partition @3
expand lower @1
expand lower @1
expand lower @1
rewrite @1",
        );
    }

    #[test]
    fn the_greatest_of_absolute_values() {
        check(
            &PASS,
            "
integer i
real m, a(64)
do i = 1, 64 @1
  m = max(m, abs(a(i))) @2
end
a(1) = m @3",
            "
do i = 1, 57, 8 @1
  m = max(m, abs(a(i))) @2
  m = max(m, abs(a(i + 1))) @2
  m = max(m, abs(a(i + 2))) @2
  m = max(m, abs(a(i + 3))) @2
  m = max(m, abs(a(i + 4))) @2
  m = max(m, abs(a(i + 5))) @2
  m = max(m, abs(a(i + 6))) @2
  m = max(m, abs(a(i + 7))) @2
end
a(1) = m @3

rewrite @1
expand partition @2
expand partition @2
expand partition @2
expand partition @2
expand partition @2
expand partition @2
expand partition @2",
        );
    }

    #[test]
    fn constant_trip_count_with_remainder() {
        check(
            &PASS,
            "
integer i
real a(40)
do i = 30, 2, -2 @1
  a(i) = 0.0 @2
end
a(1) = r8(i) @3",
            "
do i = 30, 8, -8 @1
  a(i) = 0.0 @2
  a(i + (-2)) = 0.0 @2
  a(i + (-4)) = 0.0 @2
  a(i + (-6)) = 0.0 @2
end
a(i8(6)) = 0.0 @{1,2}
a(i8(4)) = 0.0 @{1,2}
a(i8(2)) = 0.0 @{1,2}
i = 0 @1
a(1) = r8(i) @3

expand partition @1
rewrite @1
expand partition @2
expand partition @2
expand partition @2
rewrite @1
expand partition @2 -> @{1,2}
expand partition @2 -> @{1,2}
expand partition @2 -> @{1,2}
expand lower @1
eliminate @2  (the loop is unrolled completely)
eliminate @1  (the loop is unrolled completely)",
        );
    }

    #[test]
    fn an_exit_is_copied() {
        let (_, after) = trueline_ir::testing::apply(
            "unroll",
            &|ed| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O3)),
            "
integer i, n
real a(10)
do i = 1, 10 @1
  tally @1 iterations += 1
  if a(i) > 3.0 @2
    goto L1 @3
  end
  a(i) = 5.0 @4
end
L1: @1",
        );
        assert_eq!(after.to_string().matches("goto L1").count(), 5, "{after}");
    }

    #[test]
    fn refusals() {
        // The variable is read after an EXIT; a label; a call; a large body.
        unchanged(
            &PASS,
            "
integer i, n
real a(20)
do i = 1, 10 @1
  if a(i) > 3.0 @2
    goto L1 @3
  end
end
L1: @1
a(1) = r8(i) @4
do i = 1, 10 @1
  if a(i) > 3.0 @2
    goto L2 @3
  end
  a(i) = 2.0 @4
  L2: @5
end
do i = 1, 10 @1
  call s(a(i)) @2
end",
        );
    }
}
