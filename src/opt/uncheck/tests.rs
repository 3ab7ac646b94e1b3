use super::PASS;
use crate::analysis::harness::{check, unchanged};

const FAULT: &str = "call rt.fault_of_four(&in \"t\", 0, 0, 0, 0)";

/// The program with the message of a check for each `FAULT`.
fn with(text: &str) -> String {
    text.replace("FAULT", FAULT)
}

#[test]
fn proved_by_the_bounds_of_the_loop() {
    // The message of a check has up to four values, or seven.
    for fault in [FAULT, "call rt.fault_of_seven(&in \"t\", 0, 0, 0, 0, 0, 0, 0)"] {
        let text = "
integer i
real a(10)
do i = 2, 9 @1
  if i8(i - 1) < 1 .or. i8(i + 1) > 10 @2
    FAULT @2
  end
  a(i) = 1.0 @2
end";
        check(
            &PASS,
            &text.replace("FAULT", fault),
            "
do i = 2, 9 @1
  a(i) = 1.0 @2
end

eliminate @2 (control never reaches it)
eliminate @2 (its condition is constant)",
        );
    }
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
    // An element that the loop changes; a variable that it changes; a fault that is sure; a conditional that says nothing about its iterations; a
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
  if mod(i, 3) > 1 @6
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

#[test]
fn a_counter_and_a_check_again() {
    check(
        &PASS,
        &with(
            "
integer i, k, n
real a(10)
k = 0 @1
do i = 1, n @2
  if a(1) > 0.0 @3
    k = k + 1 @4
    if i8(k) < 1 .or. i8(k) > 10 @5
      FAULT @5
    end
    if i8(k) < 1 .or. i8(k) > 10 @6
      FAULT @6
    end
    a(k) = 1.0 @6
  end
end",
        ),
        &with(
            "
k = 0 @1
if 10 >= i8(n) @2
  do i = 1, n @2
    if a(1) > 0.0 @3
      k = k + 1 @4
      a(k) = 1.0 @6
    end
  end
else
  do i = 1, n @2
    if a(1) > 0.0 @3
      k = k + 1 @4
      if i8(k) < 1 .or. i8(k) > 10 @5
        FAULT @5
      end
      a(k) = 1.0 @6
    end
  end
end

eliminate @6 (control never reaches it)
eliminate @6 (its condition is constant)
expand alternative @2
expand alternative @2
eliminate @5 (control never reaches it)
eliminate @5 (its condition is constant)",
        ),
    );
}

#[test]
fn a_check_of_an_element_again() {
    // Not again where the element may have changed.
    check(
        &PASS,
        &with(
            "
integer k(10), j
if k(j) < 1 .or. k(j) > 10 @1
  FAULT @1
end
if k(j) < 1 .or. k(j) > 10 @2
  FAULT @2
end
k(1) = 3 @3
if k(j) < 1 .or. k(j) > 10 @4
  FAULT @4
end",
        ),
        &with(
            "
if k(j) < 1 .or. k(j) > 10 @1
  FAULT @1
end
k(1) = 3 @3
if k(j) < 1 .or. k(j) > 10 @4
  FAULT @4
end

eliminate @2 (control never reaches it)
eliminate @2 (its condition is constant)",
        ),
    );
}

#[test]
fn values_that_conditionals_let_through() {
    check(
        &PASS,
        &with(
            "
integer i, m, n
real a(10)
do i = 1, n @1
  if i > 1 @2
    if i8(i - 1) < 1 @3
      FAULT @3
    end
    a(i - 1) = 1.0 @3
  else
    if i8(i) > 1 @4
      FAULT @4
    end
    a(i) = 2.0 @4
  end
  if i < m @5
    if i8(i) > 10 @6
      FAULT @6
    end
    a(i) = 3.0 @6
  end
end",
        ),
        &with(
            "
if 1 >= min(1_i8, i8(n)) .and. 10 >= min(i8(m) - 1, i8(n)) @1
  do i = 1, n @1
    if i > 1 @2
      a(i - 1) = 1.0 @3
    else
      a(i) = 2.0 @4
    end
    if i < m @5
      a(i) = 3.0 @6
    end
  end
else
  do i = 1, n @1
    if i > 1 @2
      a(i - 1) = 1.0 @3
    else
      if i8(i) > 1 @4
        FAULT @4
      end
      a(i) = 2.0 @4
    end
    if i < m @5
      if i8(i) > 10 @6
        FAULT @6
      end
      a(i) = 3.0 @6
    end
  end
end

eliminate @3 (control never reaches it)
eliminate @3 (its condition is constant)
expand alternative @1
expand alternative @1
eliminate @4 (control never reaches it)
eliminate @4 (its condition is constant)
eliminate @6 (control never reaches it)
eliminate @6 (its condition is constant)",
        ),
    );
}

#[test]
fn a_step_that_is_not_known_and_a_value_of_the_iteration_before() {
    check(
        &PASS,
        &with(
            "
integer i, k, n
i4 step
real a(10)
k = n @1
do i = 1, 10, step @2
  if i8(i) < 1 .or. i8(i) > 10 @3
    FAULT @3
  end
  if i8(k) < 1 .or. i8(k) > 10 @4
    FAULT @4
  end
  a(k) = a(i) @4
  k = i @5
end",
        ),
        &with(
            "
k = n @1
if min(i8(k), 1) >= 1 .and. 10 >= max(i8(k), 10) @2
  do i = 1, 10, step @2
    a(k) = a(i) @4
    k = i @5
  end
else
  do i = 1, 10, step @2
    if i8(k) < 1 .or. i8(k) > 10 @4
      FAULT @4
    end
    a(k) = a(i) @4
    k = i @5
  end
end

eliminate @3 (control never reaches it)
eliminate @3 (its condition is constant)
expand alternative @2
expand alternative @2
eliminate @4 (control never reaches it)
eliminate @4 (its condition is constant)",
        ),
    );
}

/// A code in an arm of a conditional, and behind it.
const CODES: &str = "
integer i, c
integer k(10)
real a(10)
do i = 1, 10 @1
  c = iand(k(i), 127) @2
  if c >= 97 .and. c <= 122 @3
    if c < 97 @4
      FAULT @4
    end
    c = c - 32 @4
    if c < 65 .or. c > 90 @4
      FAULT @4
    end
  end
  if i8(c) < 0 .or. i8(c) > MOST @5
    FAULT @5
  end
  a(i) = 1.0 @5
end";

#[test]
fn a_value_that_one_arm_changes() {
    check(
        &PASS,
        &with(&CODES.replace("MOST", "127")),
        "
do i = 1, 10 @1
  c = iand(k(i), 127) @2
  if c >= 97 .and. c <= 122 @3
    c = c - 32 @4
  end
  a(i) = 1.0 @5
end

eliminate @4 (control never reaches it)
eliminate @4 (its condition is constant)
eliminate @4 (control never reaches it)
eliminate @4 (its condition is constant)
eliminate @5 (control never reaches it)
eliminate @5 (its condition is constant)",
    );
}

#[test]
fn a_value_that_one_arm_leaves_alone() {
    // 123 to 127 do not come into the arm; a value of the iteration before may be any.
    unchanged(
        &PASS,
        &with(
            "
integer i, c
integer k(10)
real a(10)
do i = 1, 10 @1
  c = iand(k(i), 127) @2
  if c >= 97 .and. c <= 122 @3
    c = c - 32 @4
  end
  if i8(c) < 0 .or. i8(c) > 126 @5
    FAULT @5
  end
  a(i) = 1.0 @5
end
do i = 1, 10 @6
  if i8(c) < 0 .or. i8(c) > 127 @7
    FAULT @7
  end
  if c > 3 @8
    c = k(i) @9
  end
end",
        ),
    );
}

/// Operands of a condition that had checks of their own; a conditional of the source is none, as it guards its arms.
#[test]
fn operands_that_had_checks() {
    let text = "
integer i, n
l4 c
real a(10)
do i = 1, 10 @1
  if TEST @2
    if i8(i) < 1 .or. i8(i) > 10 @2
      FAULT @2
    end
    c = a(i - 1) > 0.0 @2
  else
    c = i > 1 @ARM
  end
  if c @2
    n = n + 1 @3
  end
end";
    let gone = "\n\neliminate @2 (control never reaches it)\neliminate @2 (its condition is constant)";
    for (test, op) in [("i > 1", ".and."), (".not. i > 1", ".or.")] {
        let text = with(&text.replace("TEST", test));
        let wanted = "
do i = 1, 10 @1
  c = i > 1 OP a(i - 1) > 0.0 @2
  if i > 1 OP a(i - 1) > 0.0 @2
    n = n + 1 @3
  end
end";
        let edits = format!("{gone}\nrewrite @2\nmerge @2 + @2 -> @2\nmerge @2 + @2 -> @2\nrewrite @2");
        check(&PASS, &text.replace("ARM", "2"), &format!("{}{edits}", wanted.replace("OP", op)));
        let wanted = format!(
            "
do i = 1, 10 @1
  if {test} @2
    c = a(i - 1) > 0.0 @2
  else
    c = i > 1 @4
  end
  if c @2
    n = n + 1 @3
  end
end{gone}"
        );
        check(&PASS, &text.replace("ARM", "4"), &wanted);
    }
}
