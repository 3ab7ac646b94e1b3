//! Unswitch: a conditional that is the same in all iterations goes around the loop.
//!
//! ```text
//! do i = 1, n          @1        if (k > 2)           @{1,2}
//!   if (k > 2)         @2          do i = 1, n        @1
//!     a(i) = 1         @3            a(i) = 1         @3
//!   else                    =>   else
//!     a(i) = 2         @4          do i = 1, n        @1
//!                                    a(i) = 2         @4
//! ```
//!
//! Checks stay: where they can be decided before a loop, `uncheck` has done it.
//!
//! The condition is then also evaluated when the loop does not run, so it must be safe to evaluate.

use crate::alias::memory_of;
use crate::analysis::refs::Region;
use crate::licm::speculable;
use crate::uncheck::check_of;
use crate::{Context, OptLevel, Pass};
use trueline_ir::{Editor, Expr, Head, Stmt, Unit};

/// See the module documentation.
pub const PASS: Pass =
    Pass { from: OptLevel::O3, ..Pass::new("unswitch", "take conditionals that are fixed in a loop out of it", run) };

/// Loops larger than this are not copied,
const MAX_SIZE: usize = 150;
/// and none becomes more copies than two to this power.
const MAX_TESTS: usize = 2;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let loops: Vec<Stmt> = ed.walk().into_iter().filter(|&s| ed.head(s).is_loop()).collect();
    for s in loops {
        // A loop in an arm that only the copy still has is gone.
        if ed.is_live(s) {
            unswitch(ed, s, MAX_TESTS);
        }
    }
}

fn unswitch(ed: &mut Editor<'_>, around: Stmt, tests: usize) {
    if tests == 0 {
        return;
    }
    let Some(test) = fixed_test(ed, around) else { return };
    let copy = ed.move_test_around(test, around);
    unswitch(ed, around, tests - 1);
    unswitch(ed, copy, tests - 1);
}

/// The first IF in the loop whose condition is the same in all iterations.
fn fixed_test(u: &Unit, around: Stmt) -> Option<Stmt> {
    let inside = u.walk_stmt(around);
    if !inside.iter().any(|&s| matches!(u.head(s), Head::If { .. })) {
        return None;
    }
    let region = Region::of(u, around);
    if region.size > MAX_SIZE {
        return None;
    }
    inside.into_iter().find(|&s| match u.head(s) {
        Head::If { cond } => is_fixed(u, &region, cond) && !is_hollow(u, s) && check_of(u, s).is_none(),
        _ => false,
    })
}

fn is_fixed(u: &Unit, region: &Region, cond: Expr) -> bool {
    let (mut unwritten, mut is_known) = (true, u.registers_in(cond).is_empty());
    u.visit_expr(cond, &mut |x| {
        let memory = memory_of(u, x);
        is_known &= memory.is_none();
        unwritten &= memory.is_none_or(|sym| !region.may_write(u, sym));
    });
    // A condition of constants alone, such as `1 == 1` in a peeled iteration, is decided in place. Brought out of a larger loop first, it
    // would leave its set to all of that loop.
    !is_known
        && speculable(u, cond)
        && (region.keeps_registers(u, cond) || trueline_ir::fault("unswitch_varying"))
        && (unwritten || trueline_ir::fault("unswitch_memory"))
}

/// Whether there is nothing in either arm.
fn is_hollow(u: &Unit, s: Stmt) -> bool {
    u.blocks(s).iter().all(|&b| u.real_stmts(b).next().is_none())
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check, unchanged};

    #[test]
    fn fixed_condition() {
        check(
            &PASS,
            "
integer i, k, n
real a(10)
do i = 1, n @1
  if k > 2 @2
    a(i) = 1.0 @3
  else
    a(i) = 2.0 @4
  end
end",
            "
if k > 2 @{1,2}
  do i = 1, n @1
    a(i) = 1.0 @{2,3}
  end
else
  do i = 1, n @1
    a(i) = 2.0 @{2,4}
  end
end

move @2 -> @{1,2}
expand alternative @1",
        );
    }

    #[test]
    fn the_outermost_loop_and_an_exit() {
        check(
            &PASS,
            "
integer i, j, k, n
real a(10)
do i = 1, n @1
  do j = 1, n @2
    if k > 2 @3
      goto L1 @4
    end
    a(i) = r8(j) @5
  end
  L1: @2
end",
            "
if k > 2 @{1,2,3}
  do i = 1, n @1
    do j = 1, n @2
      goto L1 @{3,4}
      a(i) = r8(j) @5
    end
    L1: @2
  end
else
  do i = 1, n @1
    do j = 1, n @2
      a(i) = r8(j) @5
    end
    L2: @2
  end
end

move @3 -> @{1,2,3}
expand alternative @1",
        );
    }

    #[test]
    fn refusals() {
        // The condition changes; it reads an element; it may divide by zero; it is known; a call may change it.
        unchanged(
            &PASS,
            "
program main h @0
area blk_ size 8 align 8 common
i4 i, k, m
r8 a(10)
r8 c static blk_+0
do i = 1, 10 @1
  if k > 2 @2
    k = k - 1 @3
  end
  if a(m) > 0.0 @4
    a(i) = 2.0 @5
  end
  if 3 / m > 1 @6
    a(i) = 2.0 @7
  end
  if 1 == 1 @8
    a(i) = 2.0 @9
  end
end
do i = 1, 10 @1
  if c > 2.0 @2
    call s() @3
  end
end",
        );
    }
}
