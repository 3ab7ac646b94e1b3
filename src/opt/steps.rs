//! Steps: an innermost DO loop with a step of run time counts its iterations.
//!
//! ```text
//!                               trips = trip(lo, hi, inc)              @1
//! do i = lo, hi, inc    @1      do count = 0, trips - 1                @1
//!   y(i) = y(i - 1)     @2  =>    y(lo + count*inc) =                  @2
//! end                                 y(lo + count*inc - 1)
//!                               end
//!                               i = lo + trips*inc                     @1
//! ```
//!
//! The passes after it know such loops: they are unrolled, and hoist what is read again, where one whose step is unknown stays as it is.
//! The variable must be used in subscripts only, linearly: anything else would take the value that the loop no longer has.

use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::linear::{Linear, product};
use crate::rewrite::rebuild;
use crate::{Context, OptLevel, Pass};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Place, Stmt, Type, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O3, ..Pass::new("steps", "loops with a step of run time count their iterations", run) };

/// Larger bodies are not unrolled anyway.
const MAX_SIZE: usize = 100;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    for l in inner_first(ed) {
        if is_candidate(ed, l) {
            count(ed, l);
        }
    }
}

/// Whether the loop has a plain body, and a step and a first value that it does not change.
fn is_candidate(u: &Unit, l: DoLoop) -> bool {
    let has_register = matches!(u.expr(l.step), ExprData::Var(v) if u.sym(v).is_register() && v != l.var);
    if !has_register || !matches!(u.sym(l.var).ty, Type::I4 | Type::I8) {
        return false;
    }
    let region = Region::of_block(u, l.body);
    let is_plain = !(region.loops || region.labels || region.jumps || region.effects);
    let is_fixed =
        |e: Expr| !u.reads_memory(e) && !u.mentions(e, l.var) && region.keeps_registers(u, e) && !u.may_trap(e);
    is_plain
        && region.size <= MAX_SIZE
        && !region.defined.contains(&l.var)
        && [l.lo, l.hi, l.step].into_iter().all(is_fixed)
}

/// Lets `l` count, if each use of its variable allows that.
fn count(ed: &mut Editor<'_>, l: DoLoop) {
    // A register is made only for a loop that takes it.
    if rewritten(ed, l, [l.step; 2]).is_none() {
        return;
    }
    let counter = ed.new_register("count", Type::I8);
    let trips = ed.new_register("trips", Type::I8);
    let [count, trips] = [counter, trips].map(|v| ed.var(v));
    let [lo, hi, by] = [l.lo, l.hi, l.step].map(|e| ed.widen(e));
    for (s, new) in rewritten(ed, l, [count, by]).into_iter().flatten() {
        ed.expand_in_place(s, new);
    }
    let distance = ed.binary(BinaryOp::Mul, count, by);
    let now = ed.binary(BinaryOp::Add, lo, distance);
    count_with(ed, l, now);
    let value = ed.trips([lo, hi, by]);
    ed.expand(l.stmt, Head::Assign { place: trips, value }, Place::Before(l.stmt), ExpandKind::Lower);
    let (zero, one) = (ed.int(Type::I8, 0), ed.int(Type::I8, 1));
    let last = ed.binary(BinaryOp::Sub, trips, one);
    let total = if trueline_ir::fault("steps_last_value") { last } else { trips };
    let distance = ed.binary(BinaryOp::Mul, total, by);
    let past = ed.binary(BinaryOp::Add, lo, distance);
    let place = ed.var(l.var);
    let value = if ed.ty(place) == Type::I8 { past } else { ed.make(ExprData::Convert(ed.ty(place), past)) };
    ed.expand(l.stmt, Head::Assign { place, value }, Place::After(l.stmt), ExpandKind::Lower);
    ed.expand_in_place(l.stmt, Head::Do { var: counter, lo: zero, hi: last, step: one });
}

/// Lets counting code in the body go on with the value `now` in place of the variable of `l`.
fn count_with(ed: &mut Editor<'_>, l: DoLoop, now: Expr) {
    let var = ed.var(l.var);
    let now = if ed.ty(var) == Type::I8 { now } else { ed.make(ExprData::Convert(ed.ty(var), now)) };
    for s in ed.walk_block(l.body) {
        let head = ed.head(s);
        if head.is_invisible() {
            let new = ed.map_head(head, &mut |_, e| (e == var).then_some(now));
            ed.expand_in_place(s, new);
        }
    }
}

/// The statements of the body with the first value and the product of `moved` for the variable of `l` in subscripts. None if it is used elsewhere, or nowhere.
fn rewritten(ed: &mut Editor<'_>, l: DoLoop, moved: [Expr; 2]) -> Option<Vec<(Stmt, Head)>> {
    let mut out = Vec::new();
    for s in ed.walk_block(l.body) {
        if ed.head(s).is_invisible() {
            continue;
        }
        let new = with_counter(ed, l, s, moved)?;
        if new != ed.head(s) {
            out.push((s, new));
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The head of `s` with the first value and the product of `moved` for the variable of `l` in every subscript. None if it is used elsewhere.
fn with_counter(ed: &mut Editor<'_>, l: DoLoop, s: Stmt, moved: [Expr; 2]) -> Option<Head> {
    let head = ed.head(s);
    let mut places: SmallVec<[Expr; 4]> = SmallVec::new();
    ed.map_head(head, &mut |u, e| {
        let is_place = matches!(u.expr(e), ExprData::Elem(..));
        if is_place {
            places.push(e);
        }
        is_place.then_some(e)
    });
    let new: SmallVec<[(Expr, Expr); 4]> = places.into_iter().map(|e| (e, moving(ed, l, e, moved))).collect();
    let mut head = ed.map_head(head, &mut |_, e| new.iter().find(|(old, _)| *old == e).map(|(_, new)| *new));
    // The place that is assigned to is no value, which `map_head` would rewrite as a whole.
    if let Head::Assign { place, .. } = &mut head {
        *place = moving(ed, l, *place, moved);
    }
    let mut is_left = false;
    ed.map_head(head, &mut |u, e| {
        is_left |= u.expr(e) == ExprData::Var(l.var);
        None
    });
    (!is_left).then_some(head)
}

/// The place `e` with the first value and the product of `moved` where the variable of `l` is in its subscripts linearly, also in subscripts of subscripts.
fn moving(ed: &mut Editor<'_>, l: DoLoop, e: Expr, moved: [Expr; 2]) -> Expr {
    if !ed.mentions(e, l.var) {
        return e;
    }
    let is_place = matches!(ed.expr(e), ExprData::Elem(..));
    rebuild(ed, e, &mut |ed, part| {
        let mut sum = Linear::of(ed, part);
        let times = sum.take(ed, l.var);
        if !is_place || times == 0 || sum.mentions(ed, l.var) {
            return moving(ed, l, part, moved);
        }
        sum.add(ed, l.lo, times);
        let [count, by] = moved;
        let times = ed.int(Type::I8, times);
        let by = product(ed, by, times);
        let distance = ed.binary(BinaryOp::Mul, count, by);
        sum.add_term(distance, 1);
        sum.build(ed)
    })
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn elements_and_a_value_after_the_loop() {
        check(
            &PASS,
            "
program main h @0
i4 i, n, k, inc
r8 y(99) frame
do i = k, n, inc @1
  tally @1 iterations += 1
  y(i) = y(i - 1) * 0.5 @2
end
k = i @3",
            "
i8 trips.1, count.1
trips.1 = trip(k, n, inc)                       @1
do count.1 = 0, trips.1 - 1                     @1
  tally @1 iterations += 1
  y(i8(k) + count.1 * i8(inc)) = y(i8(k) + count.1 * i8(inc) - 1) * 0.5  @2
end
i = i4(i8(k) + trips.1 * i8(inc))               @1
k = i                                           @3

rewrite            @2
expand lower       @1
expand lower       @1
rewrite            @1",
        );
    }

    #[test]
    fn counting_code_decides_nothing() {
        check(
            &PASS,
            "
program main h @0
i4 i, n, inc, old
r8 y(99) frame
do i = 1, n, inc @1
  ghost old = i
  y(i) = 0.5 @2
  tally @2 elements += old
end",
            "
i8 trips.1, count.1
trips.1 = trip(1, n, inc)                       @1
do count.1 = 0, trips.1 - 1                     @1
  ghost old = i4(1 + count.1 * i8(inc))
  y(count.1 * i8(inc) + 1) = 0.5                @2
  tally @2 elements += old
end
i = i4(1 + trips.1 * i8(inc))                   @1

rewrite            @2
expand lower       @1
expand lower       @1
rewrite            @1",
        );
    }

    #[test]
    fn two_dimensions_and_a_factor() {
        check(
            &PASS,
            "
program main h @0
i4 j, n, inc
r8 a(9, 99) frame
do j = 1, n, inc @1
  if a(3, j) > 0.0 @2
    a(j, 2*j + 1) = 1.0 @3
  end
end",
            "
i8 trips.1, count.1
trips.1 = trip(1, n, inc)                       @1
do count.1 = 0, trips.1 - 1                     @1
  if a(3, count.1 * i8(inc) + 1) > 0.0          @2
    a(count.1 * i8(inc) + 1, count.1 * (2 * i8(inc)) + 3) = 1.0  @3
  end
end
j = i4(1 + trips.1 * i8(inc))                   @1

rewrite            @2
rewrite            @3
expand lower       @1
expand lower       @1
rewrite            @1",
        );
    }

    #[test]
    fn uses_that_need_the_variable() {
        unchanged(
            &PASS,
            "
program main h @0
i4 i, n, inc, k(99) frame
r8 y(99) frame
do i = 1, n, inc @1
  y(i) = y(i) + r8(i) @2
end
do i = 1, n, inc @3
  y(i*i) = 1.0 @4
end
do i = 1, n, inc @5
  y(i) = 1.0 @6
  inc = 2 @7
end
do i = 1, n, i @8
  y(i) = 1.0 @9
end
do i = 1, n, 2 @10
  y(i) = 1.0 @11
end
do i = i, n, inc @12
  y(i) = 1.0 @13
end
do i = 1, n, inc @14
  y(3) = 1.0 @15
end",
        );
    }
}
