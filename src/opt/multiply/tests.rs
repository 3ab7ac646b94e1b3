//! Nests that are matrix products, and nests that have to stay.

use super::PASS;
use crate::analysis::harness::{check, unchanged};

#[test]
fn columns_of_the_left_side() {
    check(
        &PASS,
        "
program main h @0
i8 i, j, k
r8 a(20, 30) frame, b(30, 10) frame, c(25, 10) frame
do j = 1, 10 @1
  do k = 1, 30 @2
    do i = 1, 20 @3
      c(i, j) = c(i, j) + a(i, k)*b(k, j) @4
    end
  end
end",
        "
call rt.multiply_r8(&inout c(1, 1), &in a(1, 1), &in b(1, 1), 20, 10, 30, 25, 1, 20, 1, 30)  @{1,2,3,4}
do j = 1, 10                                    @1
  do k = 1, 30                                  @2
    do i = 1, 20                                @3
    end
  end
end

expand lower @4 -> @{1,2,3,4}",
    );
}

#[test]
fn dot_products_of_a_transposed_side() {
    check(
        &PASS,
        "
program main h @0
i8 i, j, k, n
r4 a(30, 20) frame, b(30, 10) frame, c(20, 10) frame
n = 20 @1
do i = 1, n @2
  do j = 1, 10 @3
    do k = 2, 30 @4
      c(i, j) = b(k, j)*a(k, i) + c(i, j) @5
    end
  end
end",
        "
n = 20                                          @1
call rt.multiply_r4(&inout c(1, 1), &in a(2, 1), &in b(2, 1), trip(1, n, 1), 10, 29, 20, 30, 1, 1, 30)  @{2,3,4,5}
do i = 1, n                                     @2
  do j = 1, 10                                  @3
    do k = 2, 30                                @4
    end
  end
end

expand lower @5 -> @{2,3,4,5}",
    );
}

#[test]
fn a_result_whose_rows_are_no_neighbours() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i, j, k
r8 a(20, 30) frame, b(30, 10) frame, c(2, 20, 10) frame
do j = 1, 10 @1
  do k = 1, 30 @2
    do i = 1, 20 @3
      c(1, i, j) = c(1, i, j) + a(i, k)*b(k, j) @4
    end
  end
end",
    );
}

#[test]
fn a_triangle() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i, j, k
r8 a(20, 30) frame, b(30, 10) frame, c(25, 10) frame
do j = 1, 10 @1
  do k = 1, 30 @2
    do i = j, 20 @3
      c(i, j) = c(i, j) + a(i, k)*b(k, j) @4
    end
  end
end",
    );
}

#[test]
fn a_side_that_is_the_result() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i, j, k
r8 b(20, 20) frame, c(20, 20) frame
do j = 1, 20 @1
  do k = 1, 20 @2
    do i = 1, 20 @3
      c(i, j) = c(i, j) + c(i, k)*b(k, j) @4
    end
  end
end",
    );
}

#[test]
fn a_difference_and_a_small_product() {
    for (bound, sign) in [(20, "-"), (5, "+")] {
        unchanged(
            &PASS,
            &format!(
                "
program main h @0
i8 i, j, k
r8 a(20, 20) frame, b(20, 20) frame, c(20, 20) frame
do j = 1, {bound} @1
  do k = 1, {bound} @2
    do i = 1, {bound} @3
      c(i, j) = c(i, j) {sign} a(i, k)*b(k, j) @4
    end
  end
end"
            ),
        );
    }
}

#[test]
fn a_band() {
    unchanged(
        &PASS,
        "
program main h @0
i8 i, j, k
r8 a(60, 20) frame, b(20, 20) frame, c(20, 20) frame
do j = 1, 20 @1
  do k = 1, 20 @2
    do i = 1, 20 @3
      c(i, j) = c(i, j) + a(i + k, k)*b(k, j) @4
    end
  end
end",
    );
}
