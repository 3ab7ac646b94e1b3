use super::PASS;
use crate::analysis::harness::{check, check_by, unchanged};
use crate::{Context, OptLevel};

#[test]
fn neighbours_in_two_lanes() {
    check(
        &PASS,
        "
integer i
real a(40), b(40), x
do i = 1, 33 @1
  tally @1 iterations += 1
  a(i) = b(i + 1) * x + sqrt(abs(a(i))) @2
end",
        "
do i = 1, 30, 4 @1
  tally @1 iterations += 1
  wide_r8x2(a(i)) = wide_r8x2(b(i + 1)) * r8x2(x) + sqrt(abs(wide_r8x2(a(i)))) @2
  tally @1 iterations += 1
  wide_r8x2(a(i + 2)) = wide_r8x2(b(i + 2 + 1)) * r8x2(x) + sqrt(abs(wide_r8x2(a(i + 2)))) @2
  tally @1 iterations += 1
  tally @1 iterations += 1
end
do i = 33, 33 @1
  tally @1 iterations += 1
  a(i) = b(i + 1) * x + sqrt(abs(a(i))) @2
end

expand partition @1
rewrite @1
expand lanes(2) @2
expand lanes(2) @1
expand partition @2
rewrite @1",
    );
}

#[test]
fn a_scalar_of_each_iteration_has_its_last_value() {
    check(
        &PASS,
        "
integer i
i4 k(40), m(40), t
do i = 1, 36 @1
  t = m(i) * 3 @2
  k(i) = max(t, k(i)) @3
end
k(40) = t @4",
        "
i4x4 t.1
do i = 1, 33, 4 @1
  t.1 = wide_i4x4(m(i)) * i4x4(3) @2
  wide_i4x4(k(i)) = max(t.1, wide_i4x4(k(i))) @3
end
t = lane(t.1, 3_i4) @1
k(40) = t @4

rewrite @1
expand lanes(4) @2
expand lanes(4) @3
expand lanes(4) @1
expand lower @1",
    );
}

#[test]
fn a_later_statement_may_write_what_earlier_iterations_read() {
    let (_, after) = trueline_ir::testing::apply(
        "vectorize",
        &|ed| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O3)),
        "
integer i
real a(40), b(40)
do i = 1, 32 @1
  b(i) = a(i + 1) @2
  a(i) = b(i) * 2.0 @3
end",
    );
    assert!(after.to_string().contains("wide_r8x2(a(i)) = wide_r8x2(b(i)) * r8x2(2.0)"), "{after}");
}

#[test]
fn an_iteration_needs_the_one_before() {
    let bodies = [
        "a(i + 1) = a(i) * 2.0 @2",
        "b(i) = a(i) @2\n  a(i + 1) = b(i) * 2.0 @3",
        "a(i) = 1.0 @2\n  a(i + 1) = 2.0 @3",
        "a(i) = a(i) + t @2\n  t = a(i) @3",
        "a(5) = b(i) @2",
    ];
    for body in bodies {
        unchanged(&PASS, &format!("\ninteger i\nreal a(40), b(40), t\ndo i = 1, 32 @1\n  {body}\nend"));
    }
}

#[test]
fn no_vectors_of_these() {
    let bodies = [
        "a(2*i) = b(i) @2",
        "a(i) = b(k(i)) @2",
        "a(i) = r8(i * t) @2",
        "a(i) = sin(b(i)) @2",
        "m(i) = k(i) / 3 @2",
        "a(i) = r8(m(i / 3)) @2",
    ];
    for body in bodies {
        unchanged(
            &PASS,
            &format!("\ninteger i\ni4 k(40), m(40), t\nreal a(80), b(40)\ndo i = 1, 99 @1\n  {body}\nend"),
        );
    }
}

#[test]
fn numbers_of_two_sizes_have_as_many_lanes() {
    check(
        &PASS,
        "
integer i
i4 k(40)
real a(40)
do i = 1, 36 @1
  k(i) = i4(a(i)) @2
end",
        "
do i = 1, 33, 4 @1
  wide_i4x4(k(i)) = i4x4(wide_r8x4(a(i))) @2
end

rewrite @1
expand lanes(4) @2
expand lanes(4) @1",
    );
}

#[test]
fn elements_that_are_no_neighbours_are_put_together() {
    check(
        &PASS,
        "
integer i
i4 k(40)
real a(80), b(40)
do i = 1, 36 @1
  b(i) = (a(k(i)) + b(i)) * 2.0 - b(i) @2
end",
        "
do i = 1, 33, 4 @1
  wide_r8x2(b(i)) = (gather(a(k(i)), a(k(i + 1))) + wide_r8x2(b(i))) * r8x2(2.0) - wide_r8x2(b(i)) @2
  wide_r8x2(b(i + 2)) = (gather(a(k(i + 2)), a(k(i + 2 + 1))) + wide_r8x2(b(i + 2))) * r8x2(2.0) - wide_r8x2(b(i + 2)) @2
end

rewrite @1
expand lanes(2) @2
expand lanes(2) @1
expand partition @2",
    );
}

#[test]
fn the_variable_is_a_vector_of_its_own() {
    check(
        &PASS,
        "
integer i
i4 k(40)
do i = 1, 36 @1
  k(i) = i @2
end",
        "
i4x4 lanes.1
lanes.1 = ramp(i4x4(1), 1_i4) @1
do i = 1, 33, 4 @1
  wide_i4x4(k(i)) = lanes.1 @2
  lanes.1 = lanes.1 + i4x4(4) @1
end

rewrite @1
expand lanes(4) @2
expand lanes(4) @1
expand lower @1
expand lower @1",
    );
}

#[test]
fn a_real_of_the_variable_backwards() {
    check(
        &PASS,
        "
integer i
real a(40)
do i = 20, 1, -1 @1
  a(i) = r8(2 * i - 1) @2
end",
        "
r8x2 lanes.1, lanes.2
lanes.1 = ramp(r8x2(r8(2 * 20 - 1) + (-2.0)), 2) @1
lanes.2 = ramp(r8x2(r8(2 * 20 - 1) + (-6.0)), 2) @1
do i = 20, 4, -4 @1
  wide_r8x2(a(i8(i) - 1)) = lanes.1 @2
  wide_r8x2(a(i8(i + (-2)) - 1)) = lanes.2 @2
  lanes.1 = lanes.1 + r8x2(-8.0) @1
  lanes.2 = lanes.2 + r8x2(-8.0) @1
end

rewrite @1
expand lanes(2) @2
expand lanes(2) @1
expand partition @2
expand lower @1
expand lower @1
expand lower @1
expand lower @1",
    );
}

#[test]
fn bytes_without_a_sign() {
    check(
        &PASS,
        "
integer i
i1 s(40)
do i = 1, 40 @1
  if iand(i4(s(i)), 255) > 127 @2
    s(i) = i1(iand(i4(s(i)), 255) - 100) @3
  end
end",
        "
l1x16 mask.1
do i = 1, 25, 16 @1
  mask.1 = ieor(wide_i1x16(s(i)), i1x16(-128_i1)) > i1x16(-1_i1) @2
  wide_i1x16(s(i)) = merge(wide_i1x16(s(i)) - i1x16(100_i1), wide_i1x16(s(i)), mask.1) @{2,3}
end
do i = 33, 40 @1
  if iand(i4(s(i)), 255) > 127 @2
    s(i) = i1(iand(i4(s(i)), 255) - 100) @3
  end
end

expand partition @1
rewrite @1
move @3 -> @{2,3}
merge @2
expand lanes(16) @2
expand lanes(16) @{2,3}
expand lanes(16) @1
rewrite @1",
    );
}

#[test]
fn backwards() {
    check(
        &PASS,
        "
integer i
i4 k(40), m(40), t
do i = 36, 1, -1 @1
  t = m(i) @2
  k(i) = t + k(i - 1) @3
end
k(40) = t @4",
        "
i4x4 t.1
do i = 36, 4, -4 @1
  t.1 = wide_i4x4(m(i8(i) - 3)) @2
  wide_i4x4(k(i8(i) - 3)) = t.1 + wide_i4x4(k(i8(i - 1) - 3)) @3
end
t = lane(t.1, 0_i4) @1
k(40) = t @4

rewrite @1
expand lanes(4) @2
expand lanes(4) @3
expand lanes(4) @1
expand lower @1",
    );
}

#[test]
fn both_directions_are_no_neighbours() {
    unchanged(&PASS, "\ninteger i\nreal a(40), b(40)\ndo i = 1, 32 @1\n  a(i) = b(33 - i) @2\nend");
}

#[test]
fn a_distance_that_is_known_when_the_loop_begins() {
    let (_, after) = trueline_ir::testing::apply(
        "vectorize",
        &|ed| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O3)),
        "
integer i, m
i4 a(100)
do i = 20, 60 @1
  a(i) = a(i + m) + 1 @2
end",
    );
    assert!(after.to_string().contains("if i8(m) >= 0 .or. i8(m) <= (-4)"), "{after}");
    assert!(after.to_string().contains("wide_i4x4(a(i)) = wide_i4x4(a(i + m)) + i4x4(1)"), "{after}");
    assert!(after.to_string().contains("else"), "{after}");
}

#[test]
fn far_enough_for_a_strip() {
    let of = |far: i64| format!("\ninteger i\ni4 a(100)\ndo i = 20, 60 @1\n  a(i) = a(i - {far}) + 1 @2\nend");
    unchanged(&PASS, &of(3));
    unchanged(&PASS, &of(5));
    let (_, after) = trueline_ir::testing::apply(
        "vectorize",
        &|ed| (PASS.run)(ed, &crate::Context::alone(crate::OptLevel::O3)),
        &of(8),
    );
    assert!(after.to_string().contains("wide_i4x4"), "{after}");
}

#[test]
fn the_greatest_is_found_in_each_lane() {
    check(
        &PASS,
        "
integer i
i4 k(40), most, sum
do i = 1, 36 @1
  most = max(most, k(i)) @2
  sum = sum - k(i) @3
end
k(1) = most @4
k(2) = sum @5",
        "
i4x4 most.1, sum.1
most.1 = i4x4(most) @1
sum.1 = i4x4(0) @1
do i = 1, 33, 4 @1
  most.1 = max(most.1, wide_i4x4(k(i))) @2
  sum.1 = sum.1 - wide_i4x4(k(i)) @3
end
sum = sum + lane(sum.1, 0_i4) + lane(sum.1, 1_i4) + lane(sum.1, 2_i4) + lane(sum.1, 3_i4) @1
most = max(max(max(max(most, lane(most.1, 0_i4)), lane(most.1, 1_i4)), lane(most.1, 2_i4)), lane(most.1, 3_i4)) @1
k(1) = most @4
k(2) = sum @5

rewrite @1
expand lanes(4) @2
expand lanes(4) @3
expand lanes(4) @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1",
    );
}

#[test]
fn the_greatest_of_reals_is_found_again_where_it_depends_on_the_order() {
    check(
        &PASS,
        "
integer i
real a(40), r
do i = 1, 32 @1
  r = max(r, a(i)) @2
end
a(1) = r @6",
        "
r8 before.1
i8 odd.1
i8x2 odd.2, odd.3, odd.4, odd.5
r8x2 r.1, r.2, r.3, r.4
i4 again.1
before.1 = r @{1,2}
odd.1 = merge(-1, 0, r /= r) @{1,2}
odd.2 = i8x2(odd.1) @1
odd.3 = i8x2(odd.1) @1
odd.4 = i8x2(odd.1) @1
odd.5 = i8x2(odd.1) @1
r.1 = r8x2(r) @1
r.2 = r8x2(r) @1
r.3 = r8x2(r) @1
r.4 = r8x2(r) @1
do i = 1, 25, 8 @1
  odd.2 = ior(odd.2, merge(i8x2(-1_i8), i8x2(0_i8), wide_r8x2(a(i)) /= wide_r8x2(a(i)))) @2
  r.1 = max(r.1, wide_r8x2(a(i))) @2
  odd.3 = ior(odd.3, merge(i8x2(-1_i8), i8x2(0_i8), wide_r8x2(a(i + 2)) /= wide_r8x2(a(i + 2)))) @2
  r.2 = max(r.2, wide_r8x2(a(i + 2))) @2
  odd.4 = ior(odd.4, merge(i8x2(-1_i8), i8x2(0_i8), wide_r8x2(a(i + 4)) /= wide_r8x2(a(i + 4)))) @2
  r.3 = max(r.3, wide_r8x2(a(i + 4))) @2
  odd.5 = ior(odd.5, merge(i8x2(-1_i8), i8x2(0_i8), wide_r8x2(a(i + 6)) /= wide_r8x2(a(i + 6)))) @2
  r.4 = max(r.4, wide_r8x2(a(i + 6))) @2
end
r.1 = max(max(max(r.1, r.2), r.3), r.4) @1
r = max(max(r, lane(r.1, 0)), lane(r.1, 1)) @1
odd.2 = ior(ior(ior(odd.2, odd.3), odd.4), odd.5) @1
odd.1 = ior(ior(odd.1, lane(odd.2, 0_i4)), lane(odd.2, 1_i4)) @1
if odd.1 /= 0 .or. r == 0.0 @1
  r = before.1 @1
  do again.1 = 1, i - 1 @1
    r = max(r, a(again.1)) @{1,2}
  end
end
a(1) = r @6

expand lower @2 -> @{1,2}
expand lower @2 -> @{1,2}
expand lower @2
rewrite @1
expand lanes(2) @2
expand lanes(2) @2
expand lanes(2) @1
expand partition @2
expand partition @2
expand partition @2
expand partition @2
expand partition @2
expand partition @2
expand lower @1
expand lower @1
expand lower @1
expand lower @2 -> @{1,2}
expand lower @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1
expand lower @1",
    );
}

#[test]
fn numbers_that_depend_on_the_order_are_not_found_in_lanes() {
    let bodies = [
        "r = r * a(i) @2",
        "r = max(r, a(i)) @2\n  a(i) = 0.0 @3",
        "most = max(most, k(i)) @2\n  k(i) = most @3",
        "most = max(most, k(i)) @2\n  most = most + 1 @3",
        "most = k(i) - most @2\n  m(i) = k(i) @3",
        "most = max(most, 3) @2\n  m(i) = k(i) @3",
        "most = most + k(i) @2",
    ];
    for body in bodies {
        unchanged(
            &PASS,
            &format!(
                "\ninteger i\ni4 k(40), m(40), most\nreal a(40), r\ndo i = 1, 32 @1\n  {body}\nend\nm(1) = most @5\na(1) = r @6"
            ),
        );
    }
}

mod last;
mod masked;

#[test]
fn elements_that_are_written_twice_ask_for_their_distance() {
    check(
        &PASS,
        "
integer i, m
real a(80), b(40)
do i = 1, 36 @1
  a(i + m) = b(i) @2
  a(i) = b(i) * 2.0 @3
end",
        "
if 0 - i8(m) <= 0 .or. 0 - i8(m) >= 4 @1
  do i = 1, 33, 4 @1
    wide_r8x2(a(i + m)) = wide_r8x2(b(i)) @2
    wide_r8x2(a(i)) = wide_r8x2(b(i)) * r8x2(2.0) @3
    wide_r8x2(a(i + 2 + m)) = wide_r8x2(b(i + 2)) @2
    wide_r8x2(a(i + 2)) = wide_r8x2(b(i + 2)) * r8x2(2.0) @3
  end
else
  do i = 1, 36 @1
    a(i + m) = b(i) @2
    a(i) = b(i) * 2.0 @3
  end
end

expand alternative @1
expand alternative @1
rewrite @1
expand lanes(2) @2
expand lanes(2) @3
expand lanes(2) @1
expand partition @2
expand partition @3",
    );
}

#[test]
fn elements_that_are_two_apart_are_every_second_one() {
    check(
        &PASS,
        "
integer i
real a(80), b(40)
do i = 1, 36 @1
  b(i) = a(2 * i) + a(2 * i - 1) + a(2 * i + 3) * b(i) @2
end",
        "
do i = 1, 33, 4 @1
  wide_r8x2(b(i)) = alternate(wide_r8x2(a(i8(2 * i) + (-1))), wide_r8x2(a(i8(2 * i) + 1)), 3) + alternate(wide_r8x2(a(2 * i - 1)), wide_r8x2(a(i8(2 * i - 1) + 2)), 0) + alternate(wide_r8x2(a(2 * i + 3)), wide_r8x2(a(i8(2 * i + 3) + 1)), 2) * wide_r8x2(b(i)) @2
  wide_r8x2(b(i + 2)) = alternate(wide_r8x2(a(i8(2 * (i + 2)) + (-1))), wide_r8x2(a(i8(2 * (i + 2)) + 1)), 3) + alternate(wide_r8x2(a(2 * (i + 2) - 1)), wide_r8x2(a(i8(2 * (i + 2) - 1) + 2)), 0) + alternate(wide_r8x2(a(2 * (i + 2) + 3)), wide_r8x2(a(i8(2 * (i + 2) + 3) + 1)), 2) * wide_r8x2(b(i + 2)) @2
end

rewrite @1
expand lanes(2) @2
expand lanes(2) @1
expand partition @2",
    );
}

/// The iterations that 64 bytes leave over are done in 32; loops that divide are done in 32 at once.
#[test]
fn vectors_of_64_bytes() {
    let context = || Context { vector_bytes: 64, ..Context::alone(OptLevel::O3) };
    check_by(
        &PASS,
        &context(),
        "
integer i, n
real a(400), b(400)
do i = 1, n @1
  a(i) = b(i) + 1.0 @2
end",
        "
i4 i.rest.1, i.rest.2
i.rest.1 = 1 @1
if i8(n) - 1 >= 7 @1
  do i = 1, n - 7, 8 @1
    wide_r8x8(a(i)) = wide_r8x8(b(i)) + r8x8(1.0) @2
  end
  i.rest.1 = i @1
end
i.rest.2 = i.rest.1 @1
if i8(n) - i8(i.rest.1) >= 3 @1
  do i = i.rest.1, n - 3, 4 @1
    wide_r8x4(a(i)) = wide_r8x4(b(i)) + r8x4(1.0) @2
  end
  i.rest.2 = i @1
end
do i = i.rest.2, n @1
  a(i) = b(i) + 1.0 @2
end

expand partition @1
rewrite @1
expand lanes(8) @2
expand lanes(8) @1
expand lower @1
expand lower @1
expand lower @1
rewrite @1
expand partition @1
rewrite @1
expand lanes(4) @2
expand lanes(4) @1
expand lower @1
expand lower @1
expand lower @1
rewrite @1",
    );
    check_by(
        &PASS,
        &context(),
        "
integer i
real a(400), b(400)
do i = 1, 100 @1
  a(i) = b(i) / a(i) @2
end",
        "
do i = 1, 97, 4 @1
  wide_r8x4(a(i)) = wide_r8x4(b(i)) / wide_r8x4(a(i)) @2
end

rewrite @1
expand lanes(4) @2
expand lanes(4) @1",
    );
}
