use super::PASS;
use crate::analysis::harness::{check, unchanged};

#[test]
fn reduction_into_an_element() {
    check(
        &PASS,
        "
integer j, k
real a(10), c(10), x
do k = 1, 10 @1
  c(j) = c(j) + a(k) * x @2
end",
        "
r8 held.1
held.1 = c(j) @{1,2}
do k = 1, 10 @1
  held.1 = held.1 + a(k) * x @2
end
c(j) = held.1 @{1,2}

expand lower @2
move @2 -> @{1,2}
expand lower @2
move @2 -> @{1,2}
rewrite @2
rewrite @2",
    );
}

#[test]
fn scalar_of_common_that_is_written_on_a_condition() {
    check(
        &PASS,
        "
program main h @0
area blk_ size 8 align 8 common
i4 i, n
r8 a(10)
r8 s static blk_+0
do i = 1, n @1
  if a(i) > 0.0 @2
    s = s + a(i) @3
  end
end",
        "
r8 held.1
held.1 = s @{1,2,3}
do i = 1, n @1
  if a(i) > 0.0 @2
    held.1 = held.1 + a(i) @3
  end
end
s = held.1 @{1,2,3}

expand lower @3
move @3 -> @{1,2,3}
expand lower @3
move @3 -> @{1,2,3}
rewrite @3
rewrite @3",
    );
}

#[test]
fn recurrence() {
    check(
        &PASS,
        "
integer i
real x(10), y(10)
do i = 2, 10 @1
  x(i) = x(i - 1) * y(i) @2
end",
        "
r8 x.1, x.2
x.1 = x(2 - 1) @{1,2}
do i = 2, 10 @1
  x.2 = x.1 * y(i) @2
  x(i) = x.2 @2
  x.1 = x.2 @2
end

expand lower @2
move @2 -> @{1,2}
rewrite @2
expand lower @2
rewrite @2
expand lower @2",
    );
}

#[test]
fn stencil_with_a_gap() {
    trueline_ir::testing::check(
        PASS.name,
        &|ed| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O2)),
        "
integer i
real a(10), b(10)
do i = 2, 9 @1
  b(i) = a(i - 1) + a(i + 1) @2
end",
        "
r8 a.1, a.2, a.3
a.1 = a(2 - 1) @{1,2}
a.2 = a(3 - 1) @{1,2}
do i = 2, 9 @1
  a.3 = a(i + 1) @2
  b(i) = a.1 + a.3 @2
  a.1 = a.2 @2
  a.2 = a.3 @2
end

expand lower @2
move @2 -> @{1,2}
expand lower @2
move @2 -> @{1,2}
expand lower @2
rewrite @2
rewrite @2
expand lower @2
expand lower @2",
    );
}

#[test]
fn another_element_may_be_the_same() {
    unchanged(
        &PASS,
        "
integer i, j, k
real c(10), x(10), y(10)
do i = 1, 9 @1
  c(j) = c(j) + c(k) @2
end
do i = 2, 9 @3
  x(i) = x(i - 1) + 1.0 @4
  x(k) = 0.0 @5
end",
    );
}

#[test]
fn an_element_that_is_written_on_a_condition_stays() {
    unchanged(
        &PASS,
        "
integer i, j
real c(10), x(10)
do i = 1, 9 @1
  if x(i) > 0.0 @2
    c(j) = c(j) + x(i) @3
  end
end",
    );
}

#[test]
fn a_gap_without_a_known_trip_count() {
    unchanged(
        &PASS,
        "
integer i, n
real a(10), b(10)
do i = 2, n @1
  b(i) = a(i - 1) + a(i + 1) @2
end",
    );
}

#[test]
fn an_exit_prevents() {
    unchanged(
        &PASS,
        "
integer i, j, n
real a(10), b(10)
do i = 2, n @1
  b(j) = b(j) + a(i) @2
  if b(j) > 5.0 @3
    goto L1 @4
  end
end
L1: @1",
    );
}

#[test]
fn elementwise_loops_are_left_to_packing() {
    unchanged(
        &PASS,
        "
integer i
real a(10), b(10)
do i = 2, 9 @1
  b(i) = a(i - 1) + a(i + 1) @2
end",
    );
}

#[test]
fn an_element_that_is_read_before_a_later_iteration_writes_it() {
    check(
        &PASS,
        "
integer i, k
real a(40)
do i = 2, 39 @1
  a(i) = a(i - 1) * a(i) + a(i + 1) - a(k) @2
end",
        "
r8 a.1, a.2
a.1 = a(2 - 1) @{1,2}
do i = 2, 39 @1
  a.2 = a.1 * a(i) + a(i + 1) - a(k) @2
  a(i) = a.2 @2
  a.1 = a.2 @2
end

expand lower @2
move @2 -> @{1,2}
rewrite @2
expand lower @2
rewrite @2
expand lower @2",
    );
}

#[test]
fn a_vector_that_an_earlier_strip_stores() {
    check(
        &PASS,
        "
integer i
real a(40), b(40)
do i = 5, 40, 4 @1
  wide_r8x2(a(i)) = wide_r8x2(a(i - 4)) * wide_r8x2(b(i)) @2
  wide_r8x2(a(i + 2)) = wide_r8x2(a(i - 2)) + wide_r8x2(a(i)) @3
end",
        "
r8x2 a.1, a.2, a.3, a.4
a.1 = wide_r8x2(a(5 - 4)) @{1,2}
a.2 = wide_r8x2(a(5 - 2)) @{1,3}
do i = 5, 40, 4 @1
  a.3 = a.1 * wide_r8x2(b(i)) @2
  wide_r8x2(a(i)) = a.3 @2
  a.4 = a.2 + a.3 @3
  wide_r8x2(a(i + 2)) = a.4 @3
  a.1 = a.3 @2
  a.2 = a.4 @3
end

expand lower @2
move @2 -> @{1,2}
rewrite @2
rewrite @3
expand lower @2
rewrite @2
expand lower @2
expand lower @3
move @3 -> @{1,3}
rewrite @3
expand lower @3
rewrite @3
expand lower @3",
    );
}

#[test]
fn vectors_that_overlap_stay() {
    unchanged(
        &PASS,
        "
integer i
real a(80), b(80)
do i = 5, 40, 4 @1
  wide_r8x2(a(i)) = wide_r8x2(a(i - 4)) * r8x2(2.0) @2
  wide_r8x2(a(i + 1)) = wide_r8x2(b(i)) @3
end",
    );
}

#[test]
fn vectors_of_a_strip_that_waits_for_loads() {
    let (_, after) = trueline_ir::testing::apply(
        "scalar_replace",
        &|ed| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O3)),
        "
integer i
real a(60), b(60), c(60)
do i = 5, 40, 2 @1
  wide_r8x2(a(i)) = wide_r8x2(b(i - 2)) + wide_r8x2(b(i)) + (wide_r8x2(b(i + 1)) + wide_r8x2(c(i))) * wide_r8x2(c(i + 1)) @2
end",
    );
    let text = after.to_string();
    assert_eq!(text.matches("wide_r8x2(b(").count(), 3, "{text}");
}

/// A loop over strips of four under the condition that there is one, or another one, which uses its variable behind it: no other guard is possible.
fn strips(cond: &str, limit: &str) -> String {
    let text = format!(
        "
integer i, n, rest
real a(80), b(80)
rest = 5 @1
if {cond} @1
  do i = 5, {limit}, 4 @1
    wide_r8x2(a(i)) = wide_r8x2(a(i - 4)) * wide_r8x2(b(i)) @2
  end
  rest = i @1
end
a(rest) = 1.0 @3"
    );
    let run = |ed: &mut trueline_ir::Editor<'_>| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O3));
    trueline_ir::testing::apply("scalar_replace", &run, &text).1.to_string()
}

#[test]
fn strips_under_the_condition_that_there_is_one() {
    let handed = |text: String| !text.contains("wide_r8x2(a(i - 4))");
    assert!(handed(strips("i8(n) - 5 >= 3", "n - 3")));
    // Two iterations are no strip; and the limit is that of another one.
    assert!(!handed(strips("i8(n) - 5 >= 2", "n - 3")));
    assert!(!handed(strips("i8(n) - 4 >= 3", "n - 3")));
    assert!(!handed(strips("i8(n) - 5 >= 3", "n - 2")));
}
