use super::PASS;
use crate::analysis::harness::{check, unchanged};

#[test]
fn a_question_at_the_end() {
    check(
        &PASS,
        "
subroutine s(n) h @0
i4 n
i4 i
r8 a(9) frame
i = 1 @1
L1: @9
a(i) = 1.0 @2
i = i + 1 @3
if i <= n @4
  goto L1 @5
end",
        "
i4 limit.1
i = 1                                           @1
limit.1 = n                                     @3
do i = 1, max(1, limit.1)                       @3
  a(i) = 1.0                                    @2
end

expand lower @3
expand lower @3
merge @3 + @3 -> @3
rewrite @4
eliminate @5  (it is the limit of a DO loop now)
eliminate @4  (it is the limit of a DO loop now)
eliminate @9  (its value is already available)",
    );
}

#[test]
fn a_question_at_the_beginning() {
    check(
        &PASS,
        "
subroutine s(n, i) h @0
i4 n value
i4 i value
r8 a(9) frame
L1: @9
i = i + 1 @1
if i > n @2
  goto L2 @3
end
a(i) = 1.0 @4
goto L1 @5
L2: @8",
        "
i4 first.1
first.1 = i + 1                                 @1
do i = first.1, n                               @1
  a(i) = 1.0                                    @4
end
goto L1                                         @{1,2,3}
L1:                                             @8

expand lower @1
expand lower @1
merge @1 + @1 -> @1
expand partition @2 -> @{1,2}
eliminate @{1,2}  (it is the limit of a DO loop now)
eliminate @3  (control never reaches it)
eliminate @2  (it is the limit of a DO loop now)
eliminate @5  (it is the limit of a DO loop now)
eliminate @9  (its value is already available)",
    );
}

#[test]
fn do_while() {
    check(
        &PASS,
        "
subroutine s(n, i) h @0
i4 n value
i4 i value
r8 a(9) frame
do while i >= n @1
  a(i) = 1.0 @2
  i = i - 2 @3
end",
        "
i4 first.1
first.1 = i                                     @{1,3}
do i = first.1, n, -2                           @{1,3}
  a(i) = 1.0                                    @2
end

expand lower @3 -> @{1,3}
expand lower @1
merge @1 + @3 -> @{1,3}",
    );
}

/// A check of `m`, which does not end the loop.
const CHECK: &str = "if m > 8 @7
  call rt.fault_of_four(&in \"t\", 0, 0, 0, 0) @7
end";

#[test]
fn checks_before_a_question_at_the_end() {
    check(
        &PASS,
        &"
subroutine s(n, m) h @0
i4 n
i4 m value
i4 i, k
r8 a(9) frame
i = 1 @1
L1: @9
a(i) = 1.0 @2
i = i + 1 @3
k = i @8
CHECK
if i <= n @4
  goto L1 @5
end"
        .replace("CHECK", CHECK),
        &"
i4 limit.1
i = 1                                           @1
limit.1 = n                                     @3
do i = 1, max(1, limit.1)                       @3
  a(i) = 1.0                                    @2
  k = i + 1                                     @8
CHECK
end

expand lower @3
expand lower @3
merge @3 + @3 -> @3
rewrite @4
eliminate @5  (it is the limit of a DO loop now)
eliminate @4  (it is the limit of a DO loop now)
eliminate @9  (its value is already available)"
            .replace("CHECK", CHECK),
    );
}

#[test]
fn checks_before_a_question_at_the_beginning() {
    check(
        &PASS,
        &"
subroutine s(n, i, m) h @0
i4 n value
i4 i value
i4 m value
r8 a(9) frame
L1: @9
i = i + 1 @1
CHECK
if i > n @2
  goto L2 @3
end
a(i) = 1.0 @4
goto L1 @5
L2: @8"
            .replace("CHECK", CHECK),
        &"
i4 first.1
first.1 = i + 1                                 @1
do i = first.1, n                               @1
CHECK
  a(i) = 1.0                                    @4
end
AGAIN
goto L1                                         @{1,2,3}
L1:                                             @8

expand lower @1
expand lower @1
merge @1 + @1 -> @1
expand partition @7 -> @{1,7}
expand partition @2 -> @{1,2}
eliminate @{1,2}  (it is the limit of a DO loop now)
eliminate @3  (control never reaches it)
eliminate @2  (it is the limit of a DO loop now)
eliminate @5  (it is the limit of a DO loop now)
eliminate @9  (its value is already available)"
            .replace("CHECK", CHECK)
            .replace("AGAIN", &CHECK.replacen("@7", "@{1,7}", 1)),
    );
}

#[test]
fn checks_of_do_while() {
    check(
        &PASS,
        &"
subroutine s(n, i, m) h @0
i4 n value
i4 i value
i4 m value
r8 a(9) frame
do while i >= n prepared @1
CHECK
do
  a(i) = 1.0 @2
  i = i - 2 @3
end"
        .replace("CHECK", CHECK),
        &"
i4 first.1
first.1 = i                                     @{1,3}
do i = first.1, n, -2                           @{1,3}
CHECK
  a(i) = 1.0                                    @2
end
AGAIN

expand lower @3 -> @{1,3}
expand lower @1
merge @1 + @3 -> @{1,3}
expand partition @7 -> @{1,3,7}"
            .replace("CHECK", CHECK)
            .replace("AGAIN", &CHECK.replacen("@7", "@{1,3,7}", 1)),
    );
}

#[test]
fn a_limit_that_changes() {
    unchanged(
        &PASS,
        "
subroutine s(n, i) h @0
i4 n value
i4 i value
do while i <= n @1
  n = n - 1 @2
  i = i + 1 @3
end",
    );
}

#[test]
fn a_variable_that_something_else_changes() {
    unchanged(
        &PASS,
        "
subroutine s(n, i) h @0
i4 n value
i4 i value
do while i <= n @1
  if i == 3 @2
    i = 5 @3
  end
  i = i + 1 @4
end",
    );
}

#[test]
fn a_second_jump_to_its_begin() {
    unchanged(
        &PASS,
        "
subroutine s(n, i) h @0
i4 n value
i4 i value
r8 a(9) frame
L1: @9
if a(1) > 0.0 @1
  goto L1 @2
end
a(i) = 1.0 @3
i = i + 1 @4
if i <= n @5
  goto L1 @6
end",
    );
}

#[test]
fn a_limit_below_which_there_may_be_nothing() {
    unchanged(
        &PASS,
        "
subroutine s(n, i) h @0
i4 n value
i4 i value
do while i < n @1
  i = i + 1 @2
end",
    );
}
