use super::PASS;
use crate::Context;
use trueline_ir::testing;

#[track_caller]
fn check(before: &str, after: &str) {
    testing::check("cse", &|ed| (PASS.run)(ed, &Context::default()), before, after);
}

#[track_caller]
fn check_unchanged(before: &str) {
    testing::check_unchanged("cse", &|ed| (PASS.run)(ed, &Context::default()), before);
}

#[test]
fn largest_expression_first() {
    check(
        "i8 i\nreal a(9), b, x, y, z\nx = a(i) * b + 1.0 @1\ny = a(i) * b + 2.0 @2\nz = a(i) @3",
        "r8 a(9), b, x, y, z, cse.1, cse.2\ncse.1 = a(i) @{1,3}\ncse.2 = cse.1 * b @{1,2}\nx = cse.2 + 1.0 @1\ny = cse.2 + 2.0 @2\nz = cse.1 @3\n\n\
         rewrite @2\nrewrite @3\nmerge @{1,2}\nrewrite @1\nmerge @{1,3}\nrewrite @{1,2}",
    );
}

#[test]
fn a_register_holds_it_already() {
    check("i8 i\nreal a(9), x, y\nx = a(i) @1\ny = a(i) + 1.0 @2", "x = a(i) @1\ny = x + 1.0 @2\n\nrewrite @2");
}

#[test]
fn what_was_stored_is_at_hand() {
    check("i8 i\nreal a(9), x, y\na(i) = x @1\ny = a(i) @2", "a(i) = x @1\ny = x @2\n\nrewrite @2");
}

#[test]
fn a_constant_that_was_stored_is_at_hand() {
    check(
        "i8 i\nreal a(9), x, y\na(i) = 0.5 @1\na(i + 1) = 1.5 @2\nx = a(i) @3\ny = a(i + 1) @4",
        "a(i) = 0.5 @1\na(i + 1) = 1.5 @2\nx = 0.5 @3\ny = 1.5 @4\n\nrewrite @3\nrewrite @4",
    );
    check_unchanged("i8 i, j\nreal a(9), x\na(i) = 0.5 @1\na(j) = x @2\nx = a(i) @3");
}

#[test]
fn lanes_of_a_stored_vector_are_at_hand() {
    check(
        "i8 i\nr8 a(9), x, y, z\nwide_r8x2(a(i)) = r8x2(0.5) @1\nwide_r8x2(a(i + 2)) = r8x2(z) @2\nx = a(i) @3\ny = a(i + 3) @4",
        "wide_r8x2(a(i)) = r8x2(0.5) @1\nwide_r8x2(a(i + 2)) = r8x2(z) @2\nx = 0.5 @3\ny = z @4\n\nrewrite @3\nrewrite @4",
    );
    // The elements around, and one that another vector covers.
    check_unchanged("i8 i\nr8 a(9), x, y\nwide_r8x2(a(i)) = r8x2(0.5) @1\nx = a(i + 2) @2\ny = a(i - 1) @3");
    check(
        "i8 i\nr8 a(9), b(9), x, y\nwide_r8x2(a(i)) = r8x2(0.5) @1\nwide_r8x2(a(i + 1)) = wide_r8x2(b(i)) @2\nx = a(i) @3\ny = a(i + 1) @4",
        "wide_r8x2(a(i)) = r8x2(0.5) @1\nwide_r8x2(a(i + 1)) = wide_r8x2(b(i)) @2\nx = 0.5 @3\ny = a(i + 1) @4\n\nrewrite @3",
    );
}

#[test]
fn holds_into_arms_and_loops() {
    check(
        "i8 i, n\nreal a(9), x, y, c(9)\nif a(2) > 0.0 @1\ndo i = 1, n @2\nc(i) = a(2) @3\nend\nend",
        "r8 a(9), x, y, c(9), cse.1\ncse.1 = a(2) @{1,2,3}\nif cse.1 > 0.0 @1\ndo i = 1, n @2\nc(i) = cse.1 @3\nend\nend\n\n\
         rewrite @3\nmerge @{1,2,3}\nrewrite @1",
    );
}

#[test]
fn another_element_is_stored() {
    check(
        "i8 i\nreal a(9), x, y\nx = a(i) * x @1\na(i + 1) = 0.0 @2\ny = a(i) * y @3",
        "r8 a(9), x, y, cse.1\ncse.1 = a(i) @{1,3}\nx = cse.1 * x @1\na(i + 1) = 0.0 @2\ny = cse.1 * y @3\n\n\
         rewrite @3\nmerge @{1,3}\nrewrite @1",
    );
}

#[test]
fn the_element_may_be_stored() {
    check_unchanged("i8 i, j\nreal a(9), x, y\nx = a(i) * x @1\na(j) = 0.0 @2\ny = a(i) * y @3");
}

#[test]
fn equivalenced_memory_is_stored() {
    check_unchanged(
        "program main h @0\narea s size 80 align 8 local\ni8 i, j\nr8 a(10) static s+0, b(5) static s+8, x, y\nx = a(i) * x @1\nb(j) = 0.0 @2\ny = a(i) * y @3",
    );
}

#[test]
fn an_operand_changes() {
    check_unchanged("i8 i\nreal a(9), x, y\nx = a(i) @1\ni = i + 1 @2\ny = a(i) @3");
}

#[test]
fn the_holder_changes() {
    check_unchanged("i8 i\nreal a(9), x, y\nx = a(i) @1\nx = x + 1.0 @2\ny = x * a(i + 1) @3");
}

#[test]
fn computed_in_one_arm_only() {
    check_unchanged("i8 i\nreal a(9), x, y\nif i > 3 @1\nx = a(i) @2\nend\ny = a(i) @3");
}

#[test]
fn computed_only_if_the_left_side_is_true() {
    check_unchanged("i8 i\nreal a(9), x\nlogical l\nl = i > 3 .and. a(i) > 0.0 @1\nx = a(i) @2");
}

#[test]
fn another_path_comes_in() {
    check_unchanged("i8 i\nreal a(9), x, y\nif i > 3 @1\ngoto L1 @2\nend\nx = a(i) @3\nL1: @4\ny = a(i) @5");
}

#[test]
fn a_procedure_may_change_common() {
    check_unchanged(
        "program main h @0\narea blk_ size 8 align 8 common\nr8 c static blk_, x, y\nproc f\nx = c + 1.0 @1\ncall f() @2\ny = c + 1.0 @3",
    );
}

#[test]
fn a_procedure_cannot_change_locals() {
    check(
        "i8 i\nreal a(9), x, y\nproc f\nx = a(i) @1\ncall f() @2\ny = a(i) @3",
        "x = a(i) @1\ncall f() @2\ny = x @3\n\nrewrite @3",
    );
}

#[test]
fn integer_sums_are_left_alone() {
    check_unchanged("i8 i, j, k\nj = i * 8 + 3 @1\nk = i * 8 + 3 @2");
}

#[test]
fn constants_in_all_lanes_are_left_alone() {
    check_unchanged(
        "i8x2 a, b\nl8x2 m\na = merge(i8x2(1_i8), i8x2(0_i8), m) @1\nb = merge(i8x2(0_i8), i8x2(1_i8), m) @2",
    );
}
