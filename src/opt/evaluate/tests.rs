//! Loops that are split at their functions, and loops that have to stay.

use super::PASS;
use crate::analysis::harness::{check, unchanged};

#[test]
fn neighbours_are_arguments_as_they_are() {
    check(
        &PASS,
        "
program main h @0
i8 i
r8 a(100) frame, b(100) frame
do i = 1, 40 @1
  tally @1 iterations += 1
  a(i) = exp(b(i + 1)) @2
end",
        "
r8 block.1(0:511) frame
call rt.exp_r8(&out block.1(0), &in b(1_i8 + 1), 40)  @{1,2}
do i = 1, 40                                    @1
  tally @1 iterations += 1
  a(i) = block.1(i - 1)                         @2
end

rewrite            @2
expand lower       @2 -> @{1,2}",
    );
}

#[test]
fn arguments_and_registers_are_kept() {
    check(
        &PASS,
        "
program main h @0
i8 i
r8 a(100) frame, b(100) frame, t
do i = 1, 40 @1
  t = b(i) * 2.0 @2
  a(i) = pow(t, 1.5) + t @3
end",
        "
r8 block.1(0:511) frame
r8 block.2(0:511) frame
r8 block.3(0:511) frame
block.1(0) = 1.5                                @{1,3}
do i = 1, 40                                    @1
  t = b(i) * 2.0                                @2
  block.2(i - 1) = t                            @3
  block.3(i - 1) = t                            @3
end
call rt.pow_r8(&out block.2(0), &in block.2(0), &in block.1(0), 1, 40)  @{1,3}
do i = 1, 40                                    @1
  t = block.3(i - 1)                            @3
  a(i) = block.2(i - 1) + t                     @3
end

expand lower       @3
expand lower       @3 -> @{1,3}
expand lower       @3
rewrite            @3
expand replicate   @1
expand lower       @3
expand lower       @3 -> @{1,3}",
    );
}

#[test]
fn strips() {
    check(
        &PASS,
        "
i8 i, n
r8 a(9000), b(9000)
do i = 2, n @1
  tally @1 iterations += 1
  a(i) = b(i) + sin(cos(b(i))) @2
end",
        "
i8 first.1, last.1
r8 block.1(0:511) frame
r8 block.2(0:511) frame
if n - 2 >= 15                                  @1
  do first.1 = 2, n, 512                        @1
    last.1 = first.1 + min(n - first.1, 511)    @1
    call rt.cos_r8(&out block.1(0), &in b(first.1), trip(first.1, last.1, 1))  @{1,2}
    call rt.sin_r8(&out block.2(0), &in block.1(first.1 - first.1), trip(first.1, last.1, 1))  @{1,2}
    do i = first.1, last.1                      @1
      tally @1 iterations += 1
      a(i) = b(i) + block.2(i - first.1)        @2
    end
  end
else
  do i = 2, n                                   @1
    tally @1 iterations += 1
    a(i) = b(i) + sin(cos(b(i)))                @2
  end
end

expand alternative @1
expand alternative @1
expand nest        @1
expand lower       @1
rewrite            @1
rewrite            @2
expand lower       @2 -> @{1,2}
rewrite            @2
expand lower       @2 -> @{1,2}",
    );
}

#[test]
fn refusals() {
    // An argument that the iteration before defines, in memory or in a register; a function under a condition, or that not every iteration
    // evaluates; a short loop; another kind; nothing that moves.
    unchanged(
        &PASS,
        "
i8 i, n
r8 a(90), b(90), t
r4 c(90)
do i = 2, n @1
  a(i) = exp(a(i - 1)) @2
end
do i = 2, n @1
  b(i) = log(t) @2
  t = a(i) @3
end
do i = 2, n @1
  if a(i) > 0.0 @2
    b(i) = log(a(i)) @3
  end
end
do i = 1, 12 @1
  b(i) = log(a(i)) @2
end
do i = 2, n @1
  c(i) = log(c(i)) @2
end
do i = 2, n @1
  b(i) = log(t) @2
end
do i = 2, n, 2 @1
  b(i) = log(a(i)) @2
end",
    );
}
