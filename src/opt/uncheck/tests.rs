use super::PASS;
use crate::analysis::harness::{check, unchanged};

const FAULT: &str = "call rt.fault(&in \"p\", &in \"t\", 1, 0, 0, 0, 0, 0, 0, 0)";

/// The program with the message of a check for each `FAULT`.
fn with(text: &str) -> String {
    text.replace("FAULT", FAULT)
}

#[test]
fn proved_by_the_bounds_of_the_loop() {
    check(
        &PASS,
        &with(
            "
integer i
real a(10)
do i = 2, 9 @1
  if i8(i - 1) < 1 .or. i8(i + 1) > 10 @2
    FAULT @2
  end
  a(i) = 1.0 @2
end",
        ),
        "
do i = 2, 9 @1
  a(i) = 1.0 @2
end

eliminate @2 (control never reaches it)
eliminate @2 (its condition is constant)",
    );
}

#[test]
fn asked_before_the_nest() {
    check(
        &PASS,
        &with(
            "
integer i, j, m, n
real a(10, 10)
do j = 1, m @1
  do i = j, n @2
    if i8(i) < 1 .or. i8(i) > 10 @3
      FAULT @3
    end
    if i8(j) > 10 @3
      FAULT @3
    end
    a(i, j) = 1.0 @3
  end
end",
        ),
        &with(
            "
if 10 >= i8(n) .and. 10 >= i8(m) @1
  do j = 1, m @1
    do i = j, n @2
      a(i, j) = 1.0 @3
    end
  end
else
  do j = 1, m @1
    do i = j, n @2
      if i8(i) < 1 .or. i8(i) > 10 @3
        FAULT @3
      end
      if i8(j) > 10 @3
        FAULT @3
      end
      a(i, j) = 1.0 @3
    end
  end
end

expand alternative @1
expand alternative @1
eliminate @3 (control never reaches it)
eliminate @3 (its condition is constant)
eliminate @3 (control never reaches it)
eliminate @3 (its condition is constant)",
        ),
    );
}

#[test]
fn the_last_iteration_of_a_stride() {
    // The variable ends at 9, not at 10.
    check(
        &PASS,
        &with(
            "
integer i
real a(10)
do i = 1, 10, 2 @1
  if i8(i + 1) > 10 @2
    FAULT @2
  end
  a(i) = 1.0 @2
end",
        ),
        "
do i = 1, 10, 2 @1
  a(i) = 1.0 @2
end

eliminate @2 (control never reaches it)
eliminate @2 (its condition is constant)",
    );
}

#[test]
fn refusals() {
    // An element that the loop changes; a variable that it changes; a fault that is sure; a conditional on the DO variable; a
    // call that may change the bound; and a conditional of the program.
    unchanged(
        &PASS,
        &with(
            "
program main h @0
area blk_ size 8 align 8 common
i4 i, k, n
i4 list(10)
r8 a(10)
i8 ub static blk_+0
do i = 1, 10 @1
  if i8(list(i)) > 10 @2
    FAULT @2
  end
  k = k * 2 @3
  if i8(k) > 10 @4
    FAULT @4
  end
  if i8(i) > 9 @5
    FAULT @5
  end
  if i > 1 @6
    if i8(i - n) < 1 @7
      FAULT @7
    end
    a(i) = a(i - n) @7
  end
end
do i = 1, n @8
  if i8(i) > ub @9
    FAULT @9
  end
  call s() @9
end
do i = 1, n @10
  if i8(i) > 5 @11
    a(1) = 2.0 @12
  end
end",
        ),
    );
}

#[test]
fn bounds_that_are_assigned_once() {
    check(
        &PASS,
        &with(
            "
integer i, n
i8 ub
real a(10)
ub = i8(n) @1
do i = 1, n @2
  if i8(i) < 1 .or. i8(i) > ub @3
    FAULT @3
  end
  a(i) = 1.0 @3
end",
        ),
        "
ub = i8(n) @1
do i = 1, n @2
  a(i) = 1.0 @3
end

eliminate @3 (control never reaches it)
eliminate @3 (its condition is constant)",
    );
}

#[test]
fn a_question_in_a_check_goes_with_it() {
    check(
        &PASS,
        &with(
            "
integer i
real a(10)
do i = 1, 10 @1
  if i8(i) > 10 @2
    if i8(i) > 12 @2
      FAULT @2
    end
    FAULT @2
  end
  a(i) = 1.0 @2
end",
        ),
        "
do i = 1, 10 @1
  a(i) = 1.0 @2
end

eliminate @2 (control never reaches it)
eliminate @2 (control never reaches it)
eliminate @2 (control never reaches it)
eliminate @2 (its condition is constant)",
    );
}
