//! R3 in small: random programs, and the checker against transformations made by hand, right and wrong ones.

#![allow(missing_docs)]

use campaign::{oracle, order};

/// The verdict on a nest that became another one.
fn verdict(before: &str, after: &str) -> Result<u64, String> {
    let trace = |nest: &str| {
        let text = format!(
            "program t\n  call s\nend program\n\nsubroutine s\n  implicit none\n  integer i, j\n  real a, b, c\n  \
             common /x/ a(0:9, 0:9), b(0:9, 0:9), c(0:9)\n{nest}\nend subroutine\n"
        );
        order::trace(&oracle::load(&text).expect("it compiles"), true).expect("it runs")
    };
    order::same_order(&trace(before), &trace(after))
}

fn right(before: &str, after: &str) {
    assert!(verdict(before, after).expect("the order is kept") > 0);
}

fn wrong(before: &str, after: &str) {
    verdict(before, after).expect_err("a dependence is not kept");
}

fn nest(outer: &str, inner: &str, body: &str) -> String {
    format!("do {outer}\n do {inner}\n  {body}\n end do\nend do")
}

fn in_turn(first: &str, second: &str) -> String {
    format!("do i = 1, 8\n {first}\nend do\ndo i = 1, 8\n {second}\nend do")
}

fn together(first: &str, second: &str) -> String {
    format!("do i = 1, 8\n {first}\n {second}\nend do")
}

#[test]
fn interchange_is_right_unless_a_dependence_points_back() {
    let of = |body: &str| (nest("i = 1, 8", "j = 1, 8", body), nest("j = 1, 8", "i = 1, 8", body));
    for body in ["a(i, j) = b(j, i)", "a(i, j) = a(i - 1, j) + 1", "a(i, j) = a(i - 1, j - 1) * b(i, j)"] {
        let (a, b) = of(body);
        right(&a, &b);
    }
    for body in ["a(i, j) = a(i - 1, j + 1) + 1", "c(i + j - 8 * ((i + j) / 9)) = b(i, j)"] {
        let (a, b) = of(body);
        wrong(&a, &b);
    }
}

#[test]
fn fusion_and_distribution_keep_flow_anti_and_output_dependences() {
    for (first, second) in [("c(i) = b(i, 1)", "a(i, 1) = c(i)"), ("a(i, 1) = c(i + 1)", "c(i) = b(i, 1)")] {
        right(&in_turn(first, second), &together(first, second));
        right(&together(first, second), &in_turn(first, second));
    }
    // Flow, anti and output: the second loop needs the next element, gives one that is still read, stores the same one.
    let cases = [
        ("c(i) = b(i, 1)", "a(i, 1) = c(i + 1)"),
        ("a(i, 1) = c(i - 1)", "c(i) = b(i, 1)"),
        ("c(i) = b(i, 1)", "c(i + 1) = b(i, 2)"),
    ];
    for (first, second) in cases {
        wrong(&in_turn(first, second), &together(first, second));
    }
}

/// A final value alone would not show it: the last store is the same.
#[test]
fn a_wrong_order_is_found_though_all_results_are_right() {
    let body = |first: &str, second: &str| format!("{first}\n{second}\nc(1) = 0");
    wrong(&body("c(1) = 1", "c(1) = 2"), &body("c(1) = 2", "c(1) = 1"));
    wrong("a(1, 1) = c(1)\nc(1) = 3\na(1, 1) = 0", "c(1) = 3\na(1, 1) = c(1)\na(1, 1) = 0");
}

#[test]
fn iterations_are_neither_lost_nor_added() {
    wrong("do i = 1, 8\n c(i) = b(i, 1)\nend do", "do i = 1, 7\n c(i) = b(i, 1)\nend do");
    wrong("do i = 1, 8\n c(i) = b(i, 1)\nend do", "do i = 1, 9\n c(i) = b(i, 1)\nend do");
    right("do i = 1, 8\n c(i) = b(i, 1)\nend do", "do i = 8, 1, -1\n c(i) = b(i, 1)\nend do");
}

#[test]
fn random_programs_keep_their_dependences() {
    let found = order::run(1, 9, 2);
    assert!(found.failures.is_empty(), "{}", found.failures.join("\n"));
    let applied: u64 = found.applications.values().sum();
    assert!(applied > 20 && found.unjudged * 20 < applied, "{applied}, {} unjudged", found.unjudged);
}

#[test]
fn a_read_that_nothing_needs_may_go_but_not_move() {
    let of = |value: &str| format!("do i = 0, 7\n  a(i, 1) = {value}\n  c(i) = 1.5\nend do");
    right(&of("c(i) - c(i) + 1.0"), &of("1.0"));
    let late = "do i = 0, 7\n  c(i) = 1.5\n  a(i, 1) = c(i) - c(i) + 1.0\nend do";
    wrong(&of("c(i) - c(i) + 1.0"), late);
}
