//! Blocks that are copied and set, and loops that have to stay.

use super::PASS;
use crate::analysis::harness::{check, unchanged};

#[test]
fn a_whole_matrix() {
    check(
        &PASS,
        "
program main h @0
i8 i, j
r4 a(20, 30) frame, b(20, 30) frame
do j = 1, 30 @1
  do i = 1, 20 @2
    a(i, j) = b(i, j) @3
  end
end",
        "
call rt.copy_elements(&out a(1, 1), &in b(1, 1), 2400)  @{1,2,3}
do j = 1, 30                                    @1
  do i = 1, 20                                  @2
  end
end

expand lower @3 -> @{1,2,3}",
    );
}

#[test]
fn columns_that_are_not_whole() {
    check(
        &PASS,
        "
program main h @0
i8 i, j
r8 a(200, 30) frame, b(200, 30) frame
do j = 1, 30 @1
  do i = 2, 199 @2
    a(i, j) = b(i + 1, j) @3
  end
end",
        "
do j = 1, 30                                    @1
  call rt.copy_elements(&out a(2, j), &in b(2_i8 + 1, j), 1584)  @{2,3}
  do i = 2, 199                                 @2
  end
end

expand lower @3 -> @{2,3}",
    );
}

#[test]
fn a_shift_of_itself() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i
r8 a(200) frame
do i = 2, 199 @1
  a(i) = a(i - 1) @2
end",
    );
}

#[test]
fn against_the_order() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i
r8 a(200) frame, b(200) frame
do i = 1, 200 @1
  a(i) = b(201 - i) @2
end",
    );
}

#[test]
fn a_few_elements() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i
r8 a(20) frame, b(20) frame
do i = 1, 20 @1
  a(i) = b(i) @2
end",
    );
}

#[test]
fn another_kind() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i
r8 a(200) frame
r4 b(200) frame
do i = 1, 200 @1
  a(i) = r8(b(i)) @2
end",
    );
}

#[test]
fn a_constant() {
    check(
        &PASS,
        "
program main h @0
i8 i
r8 a(200) frame
do i = 1, 200 @1
  a(i) = 1.0_r8 @2
end",
        "
call rt.fill_elements(&out a(1), 4607182418800017408, 8, 1600)  @{1,2}
do i = 1, 200                                   @1
end

expand lower @2 -> @{1,2}",
    );
}

#[test]
fn a_register_in_two_arrays() {
    check(
        &PASS,
        "
program main h @0
i8 i
r4 x
r4 a(200) frame
i4 k(200) frame
x = 1.5_r4 @1
do i = 1, 200 @2
  a(i) = x @3
  k(i) = 7_i4 @4
end",
        "
x = 1.5                                         @1
call rt.fill_elements(&out a(1), i8(bitcast_i4(x)), 4, 800)  @{2,3}
call rt.fill_elements(&out k(1), 7, 4, 800)     @{2,4}
do i = 1, 200                                   @2
end

expand lower @3 -> @{2,3}
expand lower @4 -> @{2,4}",
    );
}

#[test]
fn set_and_then_copied() {
    check(
        &PASS,
        "
program main h @0
i8 i
r8 a(200) frame, b(200) frame
do i = 1, 200 @1
  a(i) = 0.0_r8 @2
  b(i) = a(i) @3
end",
        "
call rt.fill_elements(&out a(1), 0, 8, 1600)    @{1,2}
call rt.copy_elements(&out b(1), &in a(1), 1600)  @{1,3}
do i = 1, 200                                   @1
end

expand lower @2 -> @{1,2}
expand lower @3 -> @{1,3}",
    );
}

#[test]
fn copied_and_then_set_before_it_is_copied() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i
r8 a(200) frame, b(200) frame
do i = 1, 199 @1
  b(i) = a(i + 1) @2
  a(i) = 0.0_r8 @3
end",
    );
}

#[test]
fn a_value_that_changes() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i
i8 k(200) frame
do i = 1, 200 @1
  k(i) = i @2
end",
    );
}

#[test]
fn a_value_in_memory() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i
r8 a(200) frame, x frame
do i = 1, 200 @1
  a(i) = x @2
end",
    );
}

#[test]
fn every_second_element() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i
r8 a(400) frame
do i = 1, 200 @1
  a(2*i) = 0.0_r8 @2
end",
    );
}
