//! Interchange perfectly nested loops, so that the innermost runs along memory.
//!
//! ```text
//! do i = 1, n        @1          do j = 1, m        @{1,2}
//!   do j = 1, m      @2   =>       do i = 1, n      @1
//!     a(i,j) = 0     @3              a(i,j) = 0     @3
//! ```
//!
//! A loop is the better innermost, the shorter the strides of the references in its variable are; one whose iterations
//! each need the result of the one before is the worse for that. Legal for rectangular nests without jumps whose possible direction vectors all stay lexicographically positive,
//! and whose registers are private to an iteration. Bounds that the front end computes inside the
//! outer loop are moved out first.

use crate::analysis::depend::{Dir, MAX_REFS, Side, dependence};
use crate::analysis::loops::{DoLoop, only, outer_first, perfect_nest};
use crate::analysis::refs::Region;
use crate::analysis::registers::{Confined, Flow};
use crate::licm::{hoist_statements, reads_of};
use crate::linear::Linear;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{Editor, ExprData, Obstacle, Stmt, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O2, ..Pass::new("interchange", "make the loop that runs along memory the innermost", run) };

/// Nests are looked at so deep.
const MAX_DEPTH: usize = 4;

/// Takes invariant assignments, such as those of bounds, out of loops that end with a loop, which makes perfect nests of them.
pub(crate) fn hoist_from_nests(ed: &mut Editor<'_>) {
    let reads = reads_of(ed, &ed.walk());
    for l in outer_first(ed).into_iter().rev() {
        if ed.real_stmts(l.body).count() > 1 && ed.real_stmts(l.body).next_back().is_some_and(|s| ed.head(s).is_loop())
        {
            ed.work_of(crate::licm::PASS.name, |ed| hoist_statements(ed, l.stmt, &reads));
        }
    }
}

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    hoist_from_nests(ed);
    let confined = Confined::of(ed);
    for l in outer_first(ed) {
        // A loop that has been moved inwards is no longer the head of its nest.
        while improve(ed, l.stmt, &confined) {}
    }
    for l in outer_first(ed) {
        if let Some(why) = not_looked_at(ed, l) {
            ed.missed(l.stmt, NOT_DONE, why);
        }
    }
}

/// The remark on a nest that keeps its order.
const NOT_DONE: &str = "not interchanged with the loop in it, which has longer strides";

/// Why no interchange was tried of `l` and a loop directly in it that would be better around it.
fn not_looked_at(u: &Unit, l: DoLoop) -> Option<Obstacle> {
    let inner: Vec<DoLoop> = u.real_stmts(l.body).filter_map(|s| DoLoop::of(u, s)).collect();
    let worse = |i: &DoLoop| {
        let region = Region::of_block(u, i.body);
        !region.loops && runs_across(u, &region, *i, l) && cost(u, &region, l) < cost(u, &region, *i)
    };
    let is_perfect = only(u, l.body).is_some();
    let is_deep = || perfect_nest(u, outermost(u, l)).len() > MAX_DEPTH;
    match inner.iter().any(worse) {
        true if !is_perfect => Some(Obstacle::Between),
        true if is_deep() => Some(Obstacle::Size),
        _ => None,
    }
}

/// Whether some reference moves by whole columns with `inner`, and along one with `outer`. A loop that repeats all of a nest is around it
/// for other reasons.
fn runs_across(u: &Unit, region: &Region, inner: DoLoop, outer: DoLoop) -> bool {
    region.refs.iter().any(|r| match u.expr(r.place) {
        ExprData::Elem(_, subs) => {
            let subs = u.list(subs);
            let moves = |l: DoLoop| subs.iter().map(move |&e| coefficient(u, e, l));
            moves(inner).next() == Some(0)
                && moves(inner).any(|c| c != 0)
                && moves(outer).next().is_some_and(|c| c != 0)
        }
        _ => false,
    })
}

/// The head of the perfect nest that `l` is in.
fn outermost(u: &Unit, mut l: DoLoop) -> DoLoop {
    while let Some(outer) = u.enclosing(l.stmt).and_then(|s| DoLoop::of(u, s))
        && only(u, outer.body) == Some(l.stmt)
    {
        l = outer;
    }
    l
}

/// Makes the best legal interchange of two adjacent loops of the nest at `s`, if one is worth it.
fn improve(ed: &mut Editor<'_>, s: Stmt, confined: &Confined) -> bool {
    let Some(l) = DoLoop::of(ed, s) else { return false };
    let nest = perfect_nest(ed, l);
    if nest.len() < 2 || nest.len() > MAX_DEPTH {
        return false;
    }
    let region = Region::of(ed, nest[0].stmt);
    let costs: Vec<u64> = nest.iter().map(|l| cost(ed, &region, *l)).collect();
    for k in (0..nest.len() - 1).rev().filter(|&k| costs[k] < costs[k + 1]) {
        match obstacle(ed, &nest, k, &region, confined) {
            None => {
                ed.move_around(nest[k + 1].stmt, nest[k].stmt);
                return true;
            }
            Some(why) => ed.missed(nest[k].stmt, NOT_DONE, why),
        }
    }
    false
}

/// The cost of an iteration that waits for the one before, by the same measure as that of references: a sum takes four
/// to five cycles, in which a loop that does not wait has passed over a few vectors.
const WAIT: u64 = 12;

/// The cost of the references if `l` is the innermost loop: a new element for each cache line if a reference runs along
/// memory, a new line for each element if it does not.
pub(crate) fn cost(u: &Unit, region: &Region, l: DoLoop) -> u64 {
    let reference = |subs: &[trueline_ir::Expr]| {
        let moves: Vec<i64> = subs.iter().map(|&e| coefficient(u, e, l)).collect();
        match moves.iter().position(|&c| c != 0) {
            None => 0,
            Some(0) if moves.iter().filter(|&&c| c != 0).count() == 1 && moves[0].abs() <= 4 => {
                2 * moves[0].unsigned_abs()
            }
            Some(_) => 16,
        }
    };
    let moved: u64 = region
        .refs
        .iter()
        .map(|r| match u.expr(r.place) {
            ExprData::Elem(_, subs) => reference(u.list(subs)) * if r.write { 2 } else { 1 },
            _ => 0,
        })
        .sum();
    moved + if waits(u, region, l) { WAIT } else { 0 }
}

/// Whether an iteration of `l` reads an element that one of the two before it writes, or the one that each of them writes.
fn waits(u: &Unit, region: &Region, l: DoLoop) -> bool {
    let subscripts = |place| match u.expr(place) {
        ExprData::Elem(_, subs) => Some(u.list(subs)),
        _ => None,
    };
    let written = region.refs.iter().filter(|w| w.write).filter_map(|w| Some((w.sym, subscripts(w.place)?)));
    written.clone().any(|(sym, at)| {
        region
            .refs
            .iter()
            .filter(|r| !r.write && r.sym == sym)
            .any(|r| subscripts(r.place).is_some_and(|from| from.len() == at.len() && follows(u, at, from, l)))
    })
}

/// Whether the element at the subscripts `from` is the one at `at` of the iteration of `l` before, or of the second
/// before; or both are one element in all iterations.
fn follows(u: &Unit, at: &[trueline_ir::Expr], from: &[trueline_ir::Expr], l: DoLoop) -> bool {
    let mut distance = None;
    for (&w, &r) in at.iter().zip(from) {
        let step = coefficient(u, w, l);
        let Some(apart) = Linear::of(u, w).minus(&Linear::of(u, r)).as_constant() else { return false };
        match step {
            0 if apart == 0 => {}
            0 => return false,
            _ if apart % step != 0 || distance.is_some_and(|d| d != apart / step) => return false,
            _ => distance = Some(apart / step),
        }
    }
    distance.is_none_or(|d| d == 1 || d == 2)
}

/// The step of a subscript in an iteration of the loop; a large number if it is not constant.
fn coefficient(u: &Unit, e: trueline_ir::Expr, l: DoLoop) -> i64 {
    let mut sum = Linear::of(u, e);
    let c = sum.take(u, l.var);
    if sum.mentions(u, l.var) { i64::from(i32::MAX) } else { c.saturating_mul(l.constant_step(u).unwrap_or(1)) }
}

/// The obstacle that keeps the loops `k` and `k + 1` of the nest from changing places.
fn obstacle(u: &Unit, nest: &[DoLoop], k: usize, region: &Region, confined: &Confined) -> Option<Obstacle> {
    let (outer, inner) = (nest[k], nest[k + 1]);
    let last = nest[nest.len() - 1];
    if region.jumps || region.labels {
        Some(Obstacle::Jumps)
    } else if region.effects {
        Some(Obstacle::Effects)
    } else if region.refs.len() > MAX_REFS {
        Some(Obstacle::Size)
    } else if outer.var == inner.var || !is_rectangular(u, nest, k) {
        Some(Obstacle::Bounds)
    } else if !runs_or_is_confined(u, outer, inner, confined) && !trueline_ir::fault("interchange_last_value") {
        Some(Obstacle::LastValue)
    } else if !registers_allow(u, nest, last) && !trueline_ir::fault("interchange_register") {
        Some(Obstacle::Scalar)
    } else if !directions_allow(u, nest, k, region) && !trueline_ir::fault("interchange_memory") {
        Some(Obstacle::Dependence)
    } else {
        None
    }
}

/// Whether no bounds of the inner loop depend on the outer one, and the other way round, and none can trap.
fn is_rectangular(u: &Unit, nest: &[DoLoop], k: usize) -> bool {
    let (outer, inner) = (nest[k], nest[k + 1]);
    [outer.lo, outer.hi, outer.step, inner.lo, inner.hi, inner.step]
        .into_iter()
        .all(|e| !u.may_trap(e) && !u.reads_memory(e) && !u.mentions(e, outer.var) && !u.mentions(e, inner.var))
}

/// Whether both variables have the right value after the nest: if one loop has no iterations, the
/// other may not be reached.
fn runs_or_is_confined(u: &Unit, outer: DoLoop, inner: DoLoop, confined: &Confined) -> bool {
    let runs = |l: DoLoop| l.trips(u).is_some_and(|t| t > 0);
    (runs(outer) && runs(inner)) || (confined.contains(outer.var) && confined.contains(inner.var))
}

/// Whether every register that the innermost body defines is private to an iteration, and defined in each: then
/// the last iteration, which is the same in both orders, leaves the same values.
fn registers_allow(u: &Unit, nest: &[DoLoop], last: DoLoop) -> bool {
    let body = Region::of_block(u, last.body);
    let flow = Flow::of(u, last.body);
    body.defined
        .iter()
        .all(|v| !flow.exposed.contains(v) && flow.assigned.contains(v) && nest.iter().all(|l| l.var != *v))
}

/// Whether every possible dependence still goes from an earlier iteration to a later one.
fn directions_allow(u: &Unit, nest: &[DoLoop], k: usize, region: &Region) -> bool {
    let depth = nest.len();
    let sides: Vec<Option<Side>> = region.refs.iter().map(|r| Side::of(u, nest[0].stmt, r.stmt)).collect();
    let refs: Vec<_> = region.refs.iter().zip(&sides).collect();
    // These are only references in the innermost body; the bounds of the nest's loops read no memory.
    refs.iter().enumerate().all(|(n, (x, at_x))| {
        refs[n..].iter().all(|(y, at_y)| {
            let bad = |v: &[Dir]| {
                let carried = v[..k].iter().any(|d| *d != Dir::Same);
                let (p, q) = (v[k], v[k + 1]);
                !carried && ((p == Dir::Before && q == Dir::After) || (p == Dir::After && q == Dir::Before))
            };
            !dependence(u, (x, at_x.as_ref()), (y, at_y.as_ref()), depth, &region.defined).any(bad)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};
    use trueline_ir::Editor;
    use trueline_provenance::Obstacle;

    #[test]
    fn statements_between_the_loops_are_told() {
        let text = "
program main h @0
i4 i, j
r8 a(10, 10) frame, b(10) frame
do i = 1, 9 @1
  do j = 1, 10 @2
    a(i, j) = 0.0 @3
  end
  b(i) = a(i, i) @4
end
do i = 1, 9 @5
  do j = 1, 10 @6
    b(j) = b(j) + 1.0 @7
  end
  b(1) = 0.0 @8
end
";
        let mut unit = trueline_ir::parse_unit(text).expect("it is a unit");
        let mut ed = Editor::open(&mut unit, PASS.name);
        (PASS.run)(&mut ed, &crate::Context::alone(crate::OptLevel::O3));
        let told: Vec<Obstacle> = ed.log().missed.iter().map(|m| m.why).collect();
        assert_eq!(told, [Obstacle::Between]);
    }

    #[test]
    fn stride_one_goes_inside() {
        check(
            &PASS,
            "
integer i, j
real a(10, 10), b(10, 10)
do i = 1, 9 @1
  do j = 1, 10 @2
    a(i, j) = b(i + 1, j) @3
  end
end",
            "
do j = 1, 10 @{1,2}
  do i = 1, 9 @1
    a(i, j) = b(i + 1, j) @3
  end
end

move @2 -> @{1,2}",
        );
    }

    #[test]
    fn matrix_product_from_ijk_to_jki() {
        check(
            &PASS,
            "
integer i, j, k, n
real a(10, 10), b(10, 10), c(10, 10)
do i = 1, n @1
  do j = 1, n @2
    do k = 1, n @3
      c(i, j) = c(i, j) + a(i, k) * b(k, j) @4
    end
  end
end",
            "
do j = 1, n @{1,2}
  do k = 1, n @{1,3}
    do i = 1, n @1
      c(i, j) = c(i, j) + a(i, k) * b(k, j) @4
    end
  end
end

move @2 -> @{1,2}
move @3 -> @{1,3}",
        );
    }

    #[test]
    fn a_bound_in_between_moves_out_first() {
        check(
            &PASS,
            "
integer i, j, m, n
real a(10, 10)
do i = 1, 9 @1
  m = n / 2 @2
  do j = 1, m @2
    a(i, j) = 1.0 @3
  end
end",
            "
m = n / 2 @{1,2}
do j = 1, m @{1,2}
  do i = 1, 9 @1
    a(i, j) = 1.0 @3
  end
end

move @2 -> @{1,2}
move @2 -> @{1,2}",
        );
    }

    #[test]
    fn iterations_that_wait_for_each_other_stay_outside() {
        unchanged(
            &PASS,
            "
integer i, k
real a(10), b(10)
do k = 1, 9 @1
  do i = 1, 10 @2
    a(i) = a(i) * 0.5 + b(i) @3
  end
end",
        );
    }

    #[test]
    fn a_skewed_dependence_prevents() {
        unchanged(
            &PASS,
            "
integer i, j
real a(10, 10)
do i = 2, 9 @1
  do j = 2, 9 @2
    a(i, j) = a(i - 1, j + 1) @3
  end
end",
        );
    }

    #[test]
    fn a_triangle_prevents() {
        unchanged(
            &PASS,
            "
integer i, j
real a(10, 10)
do i = 2, 9 @1
  do j = 1, i @2
    a(i, j) = 0.0 @3
  end
end",
        );
    }

    #[test]
    fn the_order_of_a_sum_prevents() {
        unchanged(
            &PASS,
            "
integer i, j
real a(10, 10), s, r(1)
do i = 2, 9 @1
  do j = 1, 10 @2
    s = s + a(i, j) @3
  end
end
r(1) = s @4",
        );
    }

    #[test]
    fn a_variable_that_matters_afterwards_prevents() {
        unchanged(
            &PASS,
            "
integer i, j, n
real a(10, 10)
do i = 1, n @1
  do j = 1, n @2
    a(i, j) = 1.0 @3
  end
end
a(1, 1) = r8(i) @4",
        );
    }
}
