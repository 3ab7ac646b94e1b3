use super::PASS;
use crate::Context;
use trueline_ir::testing;

#[track_caller]
fn check(before: &str, after: &str) {
    testing::check("fold", &|ed| (PASS.run)(ed, &Context::default()), before, after);
}

#[track_caller]
fn check_unchanged(before: &str) {
    testing::check_unchanged("fold", &|ed| (PASS.run)(ed, &Context::default()), before);
}

/// Folding one expression: `x = e` becomes `x = expected`.
#[track_caller]
fn folds(declarations: &str, e: &str, expected: &str) {
    check(&format!("{declarations}\n{e} @1"), &format!("{expected} @1\n\nrewrite @1"));
}

#[test]
fn constants_go_through_registers() {
    check(
        "integer n, i\nreal a(10)\nn = 4 @2\nif n > 3 @3\na(n) = n8(n) @4\nelse\na(1) = 0.0 @6\nend"
            .replace("n8(n)", "r8(n + n)")
            .as_str(),
        "n = 4 @2\na(4) = 8.0 @{3,4}\n\nrewrite @3\neliminate @6 (control never reaches it)\neliminate @3 (its condition is constant)\nrewrite @{3,4}",
    );
}

#[test]
fn integers_wrap() {
    folds("integer i", "i = 2147483647 + 1", "i = -2147483648");
    folds("integer i", "i = -7 / 2", "i = -3");
    folds("integer i", "i = mod(-7, 2)", "i = -1");
    folds("integer i", "i = modulo(-7, 2)", "i = 1");
}

#[test]
fn reals_round_as_ieee() {
    folds("real x", "x = 0.1 + 0.2", "x = 0.30000000000000004");
    folds("real x", "x = sqrt(2.0)", "x = 1.4142135623730951");
    folds("real x, y", "x = y / 4.0", "x = y * 0.25");
    folds("real x, y", "x = y - 0.0", "x = y");
    folds("real x, y", "x = y * 1.0", "x = y");
}

#[test]
fn what_is_not_exact_stays() {
    check_unchanged("real x, y\nx = y + 0.0 @1");
    check_unchanged("real x, y\nx = y * 0.0 @1");
    check_unchanged("real x, y\nx = y / 3.0 @1");
    check_unchanged("real x\nx = 0.0 / 0.0 @1");
    check_unchanged("real x\nx = sin(1.0) @1");
    // These raise exceptions.
    check_unchanged("real x\nx = 1.0 / 0.0 @1");
    check_unchanged("real x\nx = 1.0e300 * 1.0e300 @1");
    check_unchanged("real x\nlogical l\nl = .not. (x < 1.0) @1");
}

#[test]
fn what_traps_stays() {
    check_unchanged("integer i\ni = 1 / 0 @1");
    check_unchanged("integer i\ni = mod(1, 0) @1");
}

#[test]
fn identities_of_integers() {
    folds("integer i, j", "i = (j + 3) - 5", "i = j - 2");
    folds("integer i, j", "i = (j - 1) + 1", "i = j");
    folds("integer i, j", "i = j - j", "i = 0");
    folds("integer i, j", "i = j * 0", "i = 0");
    folds("integer i, j", "i = i4(i8(j))", "i = j");
    folds("integer i, j\nlogical l", "l = .not. (i < j)", "l = i >= j");
}

#[test]
fn short_circuits() {
    folds("logical l, m", "l = .true. .and. m", "l = m");
    folds("logical l, m", "l = m .or. .true.", "l = .true.");
    folds("integer i, j\nlogical l", "i = merge(i, j, .false.)", "i = j");
}

#[test]
fn a_loop_that_never_runs_leaves_its_first_value() {
    check(
        "integer i\nreal a(9)\ndo i = 5, 4 @1\na(i) = 0.0 @2\nend\na(i) = 1.0 @3",
        "i = 5 @1\na(5) = 1.0 @3\n\nexpand lower @1\neliminate @2 (the loop never runs)\neliminate @1 (the loop never runs)\nrewrite @3",
    );
}

#[test]
fn a_loop_that_runs_once_leaves_its_body() {
    check(
        "integer i\nreal a(9)\ndo i = 4, 5, 3 @1\na(i) = 0.0 @2\nend\na(i) = 1.0 @3",
        "i = 4 @1\na(4) = 0.0 @{1,2}\ni = 7 @1\na(7) = 1.0 @3\n\nexpand lower @1\nexpand lower @1\neliminate @1 (the loop runs exactly once)\nrewrite @{1,2}\nrewrite @3",
    );
}

#[test]
fn select_case_of_a_constant() {
    check(
        "integer k, i\nk = 4 @1\nselect k @2\ncase 1:3\ni = 1 @3\ncase 4:\ni = 2 @4\ncase default\ni = 3 @5\nend",
        "k = 4 @1\ni = 2 @{2,4}\n\nrewrite @2\neliminate @3 (control never reaches it)\neliminate @5 (control never reaches it)\neliminate @2 (its condition is constant)",
    );
}

#[test]
fn arithmetic_if_becomes_a_jump() {
    check(
        "integer k\nk = -2 @1\nifarith k, L1, L2, L3 @2\nL1: @3\nL2: @4\nL3: @5",
        "k = -2 @1\ngoto L1 @2\nL1: @3\nL2: @4\nL3: @5\n\nrewrite @2\nrewrite @2",
    );
}

#[test]
fn changed_in_the_loop() {
    check_unchanged("integer i, n, k\nk = 1 @1\ndo i = 1, n @2\nn = k @3\nk = k + 1 @4\nend");
}

#[test]
fn changed_in_an_arm() {
    check_unchanged("integer k, n\nk = 1 @1\nif n > 0 @2\nk = n @3\nend\nn = k @4");
}

#[test]
fn changed_by_a_call() {
    check_unchanged("integer k, n\nproc f\nk = 1 @1\ncall f(&inout k) @2\nn = k @3");
}

#[test]
fn another_path_comes_in() {
    check_unchanged("integer k, n\nk = n @1\nL1: @2\nn = k @3\nk = 1 @4\nif n > 2 @5\ngoto L1 @6\nend");
}
