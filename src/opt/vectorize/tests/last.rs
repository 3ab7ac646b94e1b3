//! Registers that the last iteration under a condition decides.

use super::masked::after;
use crate::analysis::harness::unchanged;
use crate::vectorize::PASS;

#[test]
fn the_number_of_the_last_iteration() {
    let text = after(
        "
integer i, k
i4 b(40)
k = -1 @9
do i = 1, 36 @1
  tally @2 evaluations += 1
  if b(i) > 3 @2
    tally @2 taken.0 += 1
    k = i @3
  end
end
b(1) = k @4",
    );
    assert!(text.contains(" = merge(lanes.1, last.1, mask.1)"), "{text}");
    assert!(text.contains("last.1 = i4x4(0)"), "{text}");
    assert!(
        text.contains("max(max(max(lane(last.1, 0_i4), lane(last.1, 1_i4)), lane(last.1, 2_i4)), lane(last.1, 3_i4))"),
        "{text}"
    );
    assert!(text.contains("if at.1 /= 0") && text.contains("k = at.1"), "{text}");
    assert!(text.contains("tally @2 taken.0 += ones(mask.1)"), "{text}");
}

#[test]
fn values_that_follow_from_it() {
    let text = after(
        "
integer i, k, m
i4 b(40), c(40)
do i = 36, 1, -1 @1
  if b(i) > 3 @2
    k = 2 * i - 1 @3
    m = c(i) + 1 @4
  else
    k = 7 @5
  end
end
b(1) = k @6
b(2) = m @7",
    );
    // Each iteration gives `k` a value.
    assert!(text.contains("k = lane(k.1, 0_i4)") && text.contains("m = c(at.1) + 1"), "{text}");
    let text = after(
        "
integer i, k, m
i4 b(40), c(40)
do i = 36, 1, -1 @1
  if b(i) > 3 @2
    k = 2 * i - 1 @3
    m = c(i) + 1 @4
  end
end
b(1) = k @6
b(2) = m @7",
    );
    assert!(text.contains("min(min(min(lane(last.1"), "{text}");
    assert!(text.contains("if at.1 /= 37") || text.contains("if at.2 /= 37"), "{text}");
    assert!(text.contains("m = c(at.") && text.contains("k = 2 * at."), "{text}");
}

#[test]
fn the_first_iteration_is_known_only_when_the_loop_begins() {
    // Numbers of 8 bytes have room for one before the first of 4 bytes, which may be the least there is.
    let variable = "
integer i, k, n
i4 b(40)
k = -1 @9
n = b(40) @8
do i = n, 36 @1
  if b(i) > 3 @2
    k = i @3
  end
end
b(1) = k @4";
    assert!(!after(variable).contains("last"));
}

#[test]
fn values_of_their_own_iterations_stay() {
    for arm in ["k = a(i) @3", "t = b(i) @3\n k = t @4", "k = i @3\n a(i) = k @4"] {
        unchanged(
            &PASS,
            &format!(
                "
subroutine s(a, b) h @9
i4 i, k, t
i4 a(40) dummy 0
i4 b(40) dummy 1
do i = 1, 36 @1
a(i) = 1 @7
  if b(i) > 3 @2
{arm}
  end
end
b(1) = k @5
b(2) = t @6
return @9"
            ),
        );
    }
}
