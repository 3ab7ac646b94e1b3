use super::PASS;
use crate::Context;
use trueline_ir::testing;

#[track_caller]
fn check(before: &str, after: &str) {
    testing::check("dce", &|ed| (PASS.run)(ed, &Context::default()), before, after);
}

#[track_caller]
fn check_unchanged(before: &str) {
    testing::check_unchanged("dce", &|ed| (PASS.run)(ed, &Context::default()), before);
}

/// A unit whose common variables everyone sees.
const HEAD: &str = "program main h @0\narea blk_ size 800 align 8 common\nr8 c(100) static blk_\n";

#[track_caller]
fn check_common(before: &str, after: &str) {
    check(&format!("{HEAD}{before}"), after);
}

#[track_caller]
fn unchanged_common(before: &str) {
    check_unchanged(&format!("{HEAD}{before}"));
}

#[test]
fn what_only_feeds_itself() {
    check_common(
        "i8 i, k\ndo i = 1, 3 @1\nk = k + i @2\nc(i) = 0.0 @3\nend",
        "do i = 1, 3 @1\nc(i) = 0.0 @3\nend\n\neliminate @2 (its result is never used)",
    );
}

#[test]
fn overwritten_before_it_is_read() {
    check_common(
        "i8 i\nr8 x\nx = 1.0 @1\nif i > 2 @2\nx = 2.0 @3\nelse\nx = 3.0 @4\nend\nc(1) = x @5",
        "if i > 2 @2\nx = 2.0 @3\nelse\nx = 3.0 @4\nend\nc(1) = x @5\n\neliminate @1 (its result is never used)",
    );
}

#[test]
fn elements_that_are_overwritten() {
    check_common(
        "i8 i\nr8 x\nc(i + 1) = 1.0 @1\nc(i) = x @2\nc(i + 1) = x @3",
        "i8 i\nr8 x\nc(i) = x @2\nc(i + 1) = x @3\n\neliminate @1 (its result is never used)",
    );
    check_common(
        "i8 i\nr8 x\nwide_r8x2(c(i)) = r8x2(0.5) @1\nc(i + 1) = x @2\nc(i) = x @3",
        "i8 i\nr8 x\nc(i + 1) = x @2\nc(i) = x @3\n\neliminate @1 (its result is never used)",
    );
}

#[test]
fn elements_that_are_read_or_not_all_overwritten() {
    unchanged_common("i8 i, j\nc(i) = 1.0 @1\nc(2) = c(j) @2\nc(i) = 3.0 @3");
    unchanged_common("i8 i\nc(i) = 1.0 @1\nc(i) = c(i) + 3.0 @2");
    unchanged_common("i8 i\nr8 x\nwide_r8x2(c(i)) = r8x2(0.5) @1\nc(i + 1) = x @2\nc(i + 2) = x @3");
    // The subscript is another one then.
    unchanged_common("i8 i\nc(i) = 1.0 @1\ni = i + 1 @2\nc(i) = 2.0 @3\nc(1) = r8(i) @4");
    // One arm does not overwrite it, and a call may read it.
    unchanged_common("i8 i\nc(i) = 1.0 @1\nif i > 2 @2\nc(i) = 2.0 @3\nend");
    unchanged_common("i8 i\nproc f name f\nc(i) = 1.0 @1\ncall f() @2\nc(i) = 2.0 @3");
}

#[test]
fn read_in_one_arm() {
    unchanged_common("i8 i\nr8 x\nx = 1.0 @1\nif i > 2 @2\nc(2) = x @3\nelse\nx = 3.0 @4\nend\nc(1) = x @5");
}

#[test]
fn read_in_the_next_iteration() {
    unchanged_common("i8 i\nr8 x\nx = 1.0 @1\ndo i = 1, 9 @2\nc(i) = x @3\nx = 2.0 @4\nend");
}

#[test]
fn read_after_a_jump() {
    unchanged_common("i8 i\nr8 x\nx = 1.0 @1\nif i > 2 @2\ngoto L1 @3\nend\nx = 2.0 @4\nL1: @5\nc(1) = x @6");
}

#[test]
fn read_after_a_jump_backwards() {
    unchanged_common("i8 i\nr8 x\nL1: @1\nc(1) = x @2\nx = 2.0 @3\nif i > 2 @4\ngoto L1 @5\nend");
}

#[test]
fn read_where_a_later_iteration_jumps_to() {
    unchanged_common(
        "i8 i, j\nr8 x\nx = 1.0 @1\ndo j = 1, 2 @2\ndo i = 1, 9 @3\nif c(i) > 0.0 @4\ngoto L1 @5\nend\nx = 2.0 @6\nend\nx = 3.0 @7\nend\nL1: @8\nc(1) = x @9",
    );
    unchanged_common(
        "i8 i\nr8 x\nx = 1.0 @1\ndo i = 1, 9 @3\nif c(i) > 0.0 @4\ngoto L1 @5\nend\nx = 2.0 @6\nend\nx = 3.0 @7\nL1: @8\nc(1) = x @9",
    );
}

#[test]
fn passed_by_reference() {
    unchanged_common("i8 i\nproc f\ni = 1 @1\ncall f(&inout i) @2");
}

#[test]
fn pure_calls_go_others_stay() {
    check_common(
        "r8 x, y\nproc sin result r8 pure returns libm\nproc f result r8\nx = call sin(2.0) @1\ny = call f() @2",
        "y = call f() @2\n\neliminate @1 (its result is never used)",
    );
}

#[test]
fn after_a_jump_up_to_a_label() {
    check_common(
        "i8 i\nif i > 1 @1\ngoto L1 @2\nend\nreturn @3\nc(1) = 1.0 @4\nL1: @5\nc(2) = 2.0 @6",
        "if i > 1 @1\ngoto L1 @2\nend\nreturn @3\nL1: @5\nc(2) = 2.0 @6\n\neliminate @4 (control never reaches it)",
    );
}

#[test]
fn jumps_to_where_control_goes_anyway() {
    check_common(
        "i8 i\ndo i = 1, 3 @1\nif i > 1 @2\nc(i) = 1.0 @3\ngoto L1 @4\nend\nL1: @5\nend",
        "do i = 1, 3 @1\nif i > 1 @2\nc(i) = 1.0 @3\nend\nend\n\neliminate @4 (its value is already available)\neliminate @5 (its value is already available)",
    );
}

#[test]
fn hollow_loops_leave_the_last_value() {
    check_common(
        "i8 i, j, n, k\ndo i = 1, n @1\ndo j = 1, 3 @2\nk = j @3\nend\nend\nc(i) = 1.0 @4",
        "i = 1 + trip(1, n, 1) * 1 @1\nc(i) = 1.0 @4\n\n\
         eliminate @3 (its result is never used)\neliminate @2 (its result is never used)\nexpand lower @1\neliminate @1 (its result is never used)",
    );
}

#[test]
fn a_condition_that_reads_memory_stays() {
    unchanged_common("i8 i\nif c(3) > 0.0 @1\nend");
}

#[test]
fn loops_that_may_not_end_stay() {
    unchanged_common("i8 i\ndo while i < 3 @1\nend");
}

#[test]
fn arrays_that_nobody_reads() {
    check(
        "i8 i\nreal a(9), b(9)\nreal x\ndo i = 1, 9 @1\na(i) = b(i) @2\nend",
        "\n\neliminate @2 (its result is never used)\neliminate @1 (its result is never used)",
    );
}

#[test]
fn arrays_that_are_passed_or_overlap_stay() {
    check_unchanged("i8 i\nreal a(9)\nproc f\na(1) = 1.0 @1\ncall f(&in a) @2");
    check_unchanged(
        "program main h @0\narea s size 80 align 8 local\nproc f\ni8 i\nr8 a(10) static s+0, b(5) static s+8, x\na(2) = 1.0 @1\nx = b(i) @2\ncall f(x) @3",
    );
}

#[test]
fn memory_of_an_unused_temporary() {
    check(
        "i8 i, n, base.1\nr8 temp.1(n) pointer base.1\nbase.1 = call rt.allocate(80, &in \"x\\x00\") @1\ntemp.1(3) = 1.0 @1\ncall rt.deallocate(base.1) @1",
        "i8 i, n\n\neliminate @1 (its result is never used)\neliminate @1 (the temporary is no longer needed)\neliminate @1 (the temporary is no longer needed)",
    );
}
