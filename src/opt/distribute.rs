//! Distribute: split a loop where a part of its body makes a better nest alone.
//!
//! ```text
//! do i = 1, n                           @1       do i = 1, n               @1
//!   do j = 1, n                         @2         do j = 1, n             @2
//!     c(i,j) = 0                        @3           c(i,j) = 0            @3
//!     do k = 1, n                       @4 =>    do i = 1, n               @1
//!       c(i,j) = c(i,j) + a(i,k)*b(k,j) @5         do j = 1, n             @2
//!                                                    do k = 1, n           @4
//!                                                      c(i,j) = …          @5
//! ```
//!
//! A loop is split only if interchange then improves a nest at the end (or the beginning) of its body that runs across
//! memory as it stands, or if the nest is a matrix product. The split is legal if no dependence goes from the second
//! part to the first part in a later iteration, and no register carries a value from the first part to the second. Constants that are stored into
//! bytes leave loops as well (`marks`).

mod marks;

use crate::analysis::depend::{Dir, MAX_REFS, Side, dependence};
use crate::analysis::loops::{DoLoop, inner_first, perfect_nest};
use crate::analysis::refs::Region;
use crate::analysis::registers::{Confined, Flow};
use crate::interchange::{cost, hoist_from_nests};
use crate::{Context, OptLevel, Pass};
use trueline_ir::{Editor, Head, Stmt, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O2, ..Pass::new("distribute", "split loops so that their nests can be interchanged", run) };

/// The number of loops around a nest that are considered.
const MAX_DEPTH: usize = 3;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    hoist_from_nests(ed);
    for l in inner_first(ed) {
        marks::leave(ed, l);
    }
    let confined = Confined::of(ed);
    for l in inner_first(ed) {
        while let Some(tail) = split_at(ed, l, &confined) {
            ed.expand_split(l.stmt, tail);
        }
    }
}

/// The statement of the body of `l` before which it should be split.
fn split_at(u: &Unit, l: DoLoop, confined: &Confined) -> Option<Stmt> {
    let stmts: Vec<Stmt> = u.real_stmts(l.body).take(9).collect();
    if !(2..9).contains(&stmts.len()) || !stmts.iter().any(|&s| wants_out(u, l, s)) {
        return None;
    }
    let region = Region::of(u, l.stmt);
    if region.jumps || region.labels || region.effects || region.refs.len() > MAX_REFS {
        return None;
    }
    // Counts that such a loop keeps in memory cannot follow the part that writes the memory: its iterations have no
    // number.
    if u.walk_block(l.body).into_iter().any(|s| matches!(u.head(s), Head::DoWhile { .. })) {
        return None;
    }
    // Before a nest that wants to be alone, or after it.
    (1..stmts.len())
        .map(|k| (k, stmts[k]))
        .find(|&(k, s)| {
            (wants_out(u, l, s) || wants_out(u, l, stmts[k - 1])) && can_split(u, l, &stmts, k, &region, confined)
        })
        .map(|(_, s)| s)
}

/// Whether `s` is a nest that, with the loops around it alone, is a matrix product or had better be interchanged.
fn wants_out(u: &Unit, l: DoLoop, s: Stmt) -> bool {
    let Some(inner) = DoLoop::of(u, s) else { return false };
    let nest = perfect_nest(u, inner);
    if crate::multiply::is_product(u, l, &nest) {
        return true;
    }
    let region = Region::of(u, s);
    let innermost = cost(u, &region, nest[nest.len() - 1]);
    let around = std::iter::successors(Some(l), |o| u.enclosing(o.stmt).and_then(|e| DoLoop::of(u, e)));
    around.take(MAX_DEPTH).any(|o| {
        let rectangular = nest.iter().all(|n| [n.lo, n.hi, n.step].iter().all(|&e| !u.mentions(e, o.var)));
        rectangular && cost(u, &region, o) < innermost
    })
}

fn can_split(u: &Unit, l: DoLoop, stmts: &[Stmt], k: usize, region: &Region, confined: &Confined) -> bool {
    let mut first = Region::default();
    let mut second = Region::default();
    for (n, &s) in stmts.iter().enumerate() {
        for x in u.walk_stmt(s) {
            if n < k { first.add(u, x) } else { second.add(u, x) }
        }
    }
    registers_allow(u, l, &first, &second, &stmts[k..], confined) && memory_allows(u, l, &first, &second, region)
}

/// Whether no register defined in one part is read in the other, and both parts leave the same values.
fn registers_allow(u: &Unit, l: DoLoop, first: &Region, second: &Region, tail: &[Stmt], confined: &Confined) -> bool {
    if first.defined.contains(&l.var) || second.defined.contains(&l.var) {
        return false;
    }
    // The second loop evaluates the bounds again, after the first.
    if ![l.lo, l.hi, l.step].iter().all(|&e| first.keeps_registers(u, e) && !u.mentions(e, l.var)) {
        return false;
    }
    let mut after = false;
    let (mut read_first, mut read_second) = (Vec::new(), Vec::new());
    for s in u.real_stmts(l.body) {
        after |= tail.first() == Some(&s);
        for x in u.walk_stmt(s).into_iter().filter(|&x| !u.head(x).is_invisible()) {
            if after { &mut read_second } else { &mut read_first }.extend(u.registers_read(u.head(x)));
        }
    }
    let flow = Flow::of(u, l.body);
    let private = |v| !flow.exposed.contains(&v) && flow.assigned.contains(&v);
    // Both parts may define the DO variable of an inner loop anew. Its final value comes from the last iteration of the
    // second part, if that part certainly defines it; a loop in a conditional does not.
    let ends_with = |v| tail.iter().any(|&s| DoLoop::of(u, s).is_some_and(|d| d.var == v));
    let left = |v| confined.contains(v) || ends_with(v);
    let both = |v| first.defined.contains(&v) && second.defined.contains(&v);
    let inner = |v| both(v) && private(v) && left(v) && is_loop_variable(u, l, v);
    first.defined.iter().all(|&v| inner(v) || (!read_second.contains(&v) && !second.defined.contains(&v)))
        && second
            .defined
            .iter()
            .all(|&v| inner(v) || !read_first.contains(&v) || trueline_ir::fault("distribute_register"))
}

/// Whether all definitions of `v` in the loop are DO loops, which also hold all its uses there.
fn is_loop_variable(u: &Unit, l: DoLoop, v: trueline_ir::Sym) -> bool {
    u.walk_block(l.body).into_iter().filter(|&s| !u.head(s).is_invisible()).all(|s| {
        let head = u.head(s);
        let reads = u.values(head).iter().any(|&e| u.mentions(e, v));
        let defines = u.may_define(head).contains(&v);
        let inside = || u.ancestors(s).take_while(|&a| a != l.stmt).any(|a| u.defines(u.head(a)) == Some(v));
        (!defines || DoLoop::of(u, s).is_some()) && (!reads || inside())
    })
}

/// Whether no reference of the second part is in an earlier iteration than one of the first to the same memory.
fn memory_allows(u: &Unit, l: DoLoop, first: &Region, second: &Region, region: &Region) -> bool {
    let sides = |r: &Region| -> Vec<Option<Side>> { r.refs.iter().map(|x| Side::of(u, l.stmt, x.stmt)).collect() };
    let (at_first, at_second) = (sides(first), sides(second));
    second.refs.iter().zip(&at_second).all(|(x, at_x)| {
        first.refs.iter().zip(&at_first).all(|(y, at_y)| {
            !dependence(u, (x, at_x.as_ref()), (y, at_y.as_ref()), 1, &region.defined)
                .any(|v| v[0] == Dir::Before && !trueline_ir::fault("distribute_memory"))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn the_limit_changes_in_the_first_part() {
        unchanged(
            &PASS,
            "
integer i, j, k, n
real a(10, 10), b(10, 10), c(10, 10)
do i = 1, n @1
  n = 3 @2
  do j = 1, 9 @3
    c(i, j) = 0.0 @4
  end
end",
        );
    }

    #[test]
    fn initialisation_before_a_product() {
        check(
            &PASS,
            "
integer i, j, k
real a(10, 10), b(10, 10), c(10, 10)
do i = 1, 9 @1
  do j = 1, 9 @2
    c(i, j) = 0.0 @3
    do k = 1, 9 @4
      c(i, j) = c(i, j) + a(i, k) * b(j, k) @5
    end
  end
end",
            "
do i = 1, 9 @1
  do j = 1, 9 @2
    c(i, j) = 0.0 @3
  end
end
do i = 1, 9 @1
  do j = 1, 9 @2
    do k = 1, 9 @4
      c(i, j) = c(i, j) + a(i, k) * b(j, k) @5
    end
  end
end

expand replicate @2
expand replicate @1",
        );
    }

    #[test]
    fn the_first_part_leaves_the_variable() {
        unchanged(
            &PASS,
            "
integer i, j, k, n
real a(10, 10)
do j = 1, n @1
  do k = 1, 9 @2
    a(j, k) = 1.0 @3
  end
  if j <= 2 @4
    do k = 1, 3 @5
      a(j, k) = 2.0 @6
    end
  end
end
i = k @7",
        );
    }

    #[test]
    fn refusals() {
        // A value that the next iteration needs from the nest; a register from one part to the other; no gain; a DO
        // WHILE.
        unchanged(
            &PASS,
            "
integer i, j, k
real a(10, 10), b(10), s
do i = 2, 9 @1
  b(i) = a(i - 1, 3) @2
  do j = 1, 9 @3
    a(i, j) = 1.0 @4
  end
end
do i = 1, 9 @1
  s = b(i) @2
  do j = 1, 9 @3
    a(i, j) = s @4
  end
end
do i = 1, 9 @1
  b(i) = 1.0 @2
  do j = 1, 9 @3
    a(j, i) = 2.0 @4
  end
end
do i = 1, 9 @1
  do while k < i @2
    k = k + 2 @3
    b(k) = 1.0 @4
  end
  do j = 1, 9 @5
    a(i, j) = 1.0 @6
  end
end",
        );
    }

    #[test]
    fn what_counts_goes_with_what_it_needs() {
        check(
            &PASS,
            "
integer i, j, m
real a(10, 10), b(10)
do i = 1, 9 @1
  b(i) = 1.0 @2
  m = i / 2 @3
  tally @3 iterations += trip(1, m, 1)
  tally @2 invocations += 1
  do j = 1, m @3
    b(j) = b(j) * 2.0 @4
  end
  do j = 1, 9 @5
    a(i, j) = 1.0 @6
  end
end",
            "
tally @2 invocations += 9
do i = 1, 9 @1
  b(i) = 1.0 @2
  m = i / 2 @3
  tally @3 iterations += trip(1, m, 1)
  do j = 1, m @3
    b(j) = b(j) * 2.0 @4
  end
end
do i = 1, 9 @1
  do j = 1, 9 @5
    a(i, j) = 1.0 @6
  end
end

expand replicate @1",
        );
    }
}
