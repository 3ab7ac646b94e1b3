//! Conditionals in vectors.

use crate::analysis::harness::{check, unchanged};
use crate::vectorize::PASS;

/// The text of the program behind the pass; the meaning and the counts are compared.
pub(super) fn after(text: &str) -> String {
    let run = |ed: &mut trueline_ir::Editor<'_>| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O3));
    trueline_ir::testing::apply("vectorize", &run, text).1.to_string()
}

#[test]
fn both_arms_store() {
    check(
        &PASS,
        "
integer i
real a(40), b(40), c(40)
do i = 1, 36 @1
  tally @2 evaluations += 1
  if b(i) > c(i) @2
    tally @2 taken.0 += 1
    a(i) = b(i) - c(i) @3
  else
    tally @2 taken.1 += 1
    a(i) = c(i) * 2.0 @4
  end
end",
        "
l8x2 mask.1
r8x2 t.1
do i = 1, 33, 4 @1
  tally @2 evaluations += 1
  mask.1 = wide_r8x2(b(i)) > wide_r8x2(c(i)) @2
  tally @2 taken.0 += ones(mask.1)
  t.1 = merge(wide_r8x2(b(i)), r8x2(0.0), mask.1) - merge(wide_r8x2(c(i)), r8x2(0.0), mask.1) @{2,3}
  tally @2 taken.1 += 2 - ones(mask.1)
  wide_r8x2(a(i)) = merge(t.1, merge(wide_r8x2(c(i)), r8x2(0.0), .not. mask.1) * r8x2(2.0), mask.1) @{2,4}
  tally @2 evaluations += 1
  mask.1 = wide_r8x2(b(i + 2)) > wide_r8x2(c(i + 2)) @2
  tally @2 taken.0 += ones(mask.1)
  t.1 = merge(wide_r8x2(b(i + 2)), r8x2(0.0), mask.1) - merge(wide_r8x2(c(i + 2)), r8x2(0.0), mask.1) @{2,3}
  tally @2 taken.1 += 2 - ones(mask.1)
  wide_r8x2(a(i + 2)) = merge(t.1, merge(wide_r8x2(c(i + 2)), r8x2(0.0), .not. mask.1) * r8x2(2.0), mask.1) @{2,4}
  tally @2 evaluations += 1
  tally @2 evaluations += 1
end

rewrite @1
move @3 -> @{2,3}
move @4 -> @{2,4}
merge @2
expand lanes(2) @2
expand lanes(2) @{2,3}
expand lanes(2) @{2,4}
expand lanes(2) @1
expand partition @2
expand partition @{2,3}
expand partition @{2,4}",
    );
}

#[test]
fn divisors_are_one_in_other_lanes() {
    let text = after(
        "
integer i
real a(40), b(40), c(40)
do i = 1, 32 @1
  a(i) = 0.0 @2
  if c(i) /= 0.0 @3
    a(i) = b(i) / c(i) @4
  end
end",
    );
    assert!(text.contains("/ merge(wide_r8x2(c(i)), r8x2(1.0), mask.1)"), "{text}");
    assert!(text.contains(", wide_r8x2(a(i)), mask.1)"), "{text}");
}

#[test]
fn conditionals_in_one_another_count_their_lanes() {
    let text = after(
        "
integer i
i4 a(40), b(40), c(40), t
do i = 1, 36 @1
  tally @2 evaluations += 1
  if b(i) > 30 @2
    tally @2 taken.0 += 3
    tally @3 evaluations += 1
    if c(i) < b(i) @3
      tally @3 taken.0 += 1
      t = c(i) @4
      a(i) = t + 1 @5
    else
      tally @3 taken.1 += 1
      a(i) = 7 @6
    end
  else
    tally @2 taken.1 += 1
    tally @7 evaluations += 1
    if c(i) == 9 @7
      tally @7 taken.0 += 1
      a(i) = 5 @8
    else
      tally @7 taken.1 += 1
      a(i) = 4 @9
    end
  end
end",
    );
    assert!(text.contains("tally @2 taken.0 += 3 * ones(mask.1)"), "{text}");
    assert!(text.contains("tally @3 taken.1 += ones(mask.1) - ones(mask."), "{text}");
    assert!(text.contains("tally @7 taken.1 += 4 - ones(mask.1) - ones(mask."), "{text}");
    assert_eq!(text.matches("wide_i4x4(a(i)) =").count(), 1, "{text}");
    assert!(!text.contains("if "), "{text}");
}

#[test]
fn counting_that_differs_between_iterations_is_guarded() {
    let text = after(
        "
integer i
i4 a(40), b(40), n
do i = 1, 36 @1
  a(i) = 1 @2
  if b(i) > 30 @3
    ghost n = n + i
    tally @3 taken.0 += i8(n)
    tally @4 iterations += i8(i)
    a(i) = b(i) @5
  end
end",
    );
    assert!(text.contains("ghostif lane(mask."), "{text}");
    assert!(text.contains("wide_i4x4(a(i)) = merge("), "{text}");
}

#[test]
fn what_is_read_anyway_is_stored_back() {
    let text = after(
        "
integer i
i4 a(40)
do i = 1, 36 @1
  if a(i) < 0 @2
    a(i) = 0 @3
  end
end",
    );
    assert!(text.contains("merge(i4x4(0), wide_i4x4(a(i)), mask.1)"), "{text}");
}

#[test]
fn integers_are_counted_under_a_condition() {
    let text = after(
        "
integer i
i4 a(40), b(40), n
do i = 1, 36 @1
  a(i) = b(i) @2
  if b(i) < 0 @3
    n = n + 1 @4
  end
end
a(1) = n @5",
    );
    assert!(text.contains("n.1 = n.1 + merge(i4x4(1), i4x4(0), mask.1)"), "{text}");
}

#[test]
fn counts_are_as_wide_as_their_condition() {
    let text = after(
        "
integer i
i4 n
real b(40)
do i = 1, 36 @1
  if b(i) < 0.3 @2
    n = n - 2 @3
  end
end
b(1) = r8(n) @4",
    );
    assert!(text.contains("n.1 = n.1 - merge(i8x2(2_i8), i8x2(0_i8), mask.1)"), "{text}");
    assert!(text.contains("n = n + i4(lane(n.1, 0_i4)) + i4(lane(n.1, 1_i4))"), "{text}");
}

#[test]
fn roots_of_constants_are_not_taken_in_idle_lanes() {
    let text = after(
        "
integer i
r4 a(40), b(40)
do i = 1, 32 @1
  a(i) = 0.0 @2
  if b(i) > 1.0 @3
    a(i) = sqrt(b(i) - 1.0) @4
  end
end",
    );
    assert!(
        text.contains("sqrt(merge(merge(wide_r4x4(b(i)), r4x4(0.0_r4), mask.1) - r4x4(1.0_r4), r4x4(0.0_r4), mask.1))")
            || text.contains("sqrt(merge(merge(wide_r4x4(b(i)), r4x4(0.0), mask.1) - r4x4(1.0), r4x4(0.0), mask.1))"),
        "{text}"
    );
}

#[test]
fn a_scalar_under_a_condition() {
    let text = after(
        "
integer i
i4 a(40), b(40), t
do i = 1, 36 @1
  t = b(i) @2
  if b(i) > 3 @3
    t = t - 1 @4
  end
  a(i) = t @5
end
a(1) = t @6",
    );
    assert!(text.contains("wide_i4x4(a(i)) = t."), "{text}");
    assert!(text.contains("a(i8(1)) = t") || text.contains("a(1) = t"), "{text}");
}

#[test]
fn no_lanes_of_these() {
    let bodies = [
        // The element is stored to in some iterations only, and never read.
        "if b(i) > 3 @2\n a(i) = 1 @3\n end",
        // A dummy argument may stand for a constant.
        "if d(i) > 3 @2\n d(i) = 1 @3\n end",
        // These elements may not be there.
        "a(i) = 0 @2\n if b(i) > 3 @3\n a(i) = d(i + 1) @4\n end",
        "a(i) = 0 @2\n if b(i) > 3 .and. d(i) > 2 @3\n a(i) = 1 @4\n end",
        "a(i) = 0 @2\n if b(i) > 3 @3\n a(i) = 20 / n @4\n end",
        // A scalar carries a value into iterations that do not define it.
        "if b(i) > 3 @2\n t = b(i) @3\n end\n a(i) = t @4",
        "a(i) = 2 @2\n if b(i) > 3 @3\n t = a(i) @4\n end",
        // Long operations that the shortest way has not.
        "x(i) = 0.0 @2\n if y(i) > 3.0 @3\n x(i) = sqrt(y(i)) / (y(i) + sqrt(y(i) + 1.0)) @4\n end",
        // The condition is the same in all iterations.
        "a(i) = 2 @2\n if n > 3 @3\n a(i) = 4 @4\n end",
    ];
    for body in bodies {
        unchanged(
            &PASS,
            &format!(
                "
subroutine s(d, n) h @9
area a.0 size 480 align 64 local
i4 i, n, t
i4 a(40) static a.0+0
i4 b(40) static a.0+160
i4 c(40) static a.0+320
i4 d(40) dummy 0
r8 x(40) frame
r8 y(40) frame
do i = 1, 36 @1
{body}
end
a(1) = t @8
return @9"
            ),
        );
    }
}

#[test]
fn an_arm_reads_what_it_has_stored() {
    let text = after(
        "
integer i
i4 a(40), b(40), c(40)
do i = 1, 36 @1
  if b(i) > 3 @2
    a(i) = 1 @3
    c(i) = a(i) @4
  else
    a(i) = 2 @5
    c(i) = 3 @6
  end
end",
    );
    assert_eq!(text.matches("wide_i4x4(a(i)) = merge(").count(), 2, "{text}");
}

/// The caller reads the result, though no statement does: behind the loop it need not be the value of the last lane.
#[test]
fn the_result_of_a_function_is_of_no_arm() {
    unchanged(
        &PASS,
        "
function f(d) result t h @9
i4 i, t
i4 d(40) dummy 0
t = 1 @1
do i = 1, 36 @2
  if d(i) > 3 @3
    t = d(i) @4
    t = t + 1 @5
  end
end
return @9",
    );
}
