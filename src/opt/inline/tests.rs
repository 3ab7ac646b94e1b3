//! Units before and after; both are run and must leave the same memory, output and counts.

use crate::{Options, optimize};
use trueline_ir::{Level, Program, interpret, parse_program};

/// Inlines in `text`; returns the first unit.
#[track_caller]
fn inlined(text: &str) -> String {
    passed(text, "inline")
}

/// Runs a pass on a program that may run on several ranks; returns the first unit.
#[track_caller]
fn passed(text: &str, pass: &str) -> String {
    let mut program: Program = parse_program(text).unwrap();
    let options = trueline_ir::Options { fill: true, ..Default::default() };
    let before = interpret(&program, &options).unwrap();
    let passes = Some(vec![pass.to_owned()]);
    let options_of_pass = Options { passes, down_to: Level::H, verify: true, hpf: true, ..Options::default() };
    optimize(&mut program, &options_of_pass).unwrap();
    let after = interpret(&program, &options).unwrap_or_else(|e| panic!("{e}\n{}", program.units[0]));
    trueline_ir::testing::compare(&before, &after).unwrap_or_else(|e| panic!("{e}\n{}", program.units[0]));
    assert_eq!(before.tallies, after.tallies, "{}", program.units[0]);
    program.units[0].to_string()
}

#[track_caller]
fn check(text: &str, code: &str) {
    let got = inlined(text);
    let words = |t: &str| -> Vec<String> { t.split_whitespace().map(str::to_owned).collect() };
    let (got_words, expected) = (words(&got), words(code));
    assert!(got_words.ends_with(&expected), "expected:\n{code}\ngot:\n{got}");
}

#[track_caller]
fn stays(text: &str) {
    let got = inlined(text);
    assert!(got.contains("call "), "{got}");
}

#[test]
fn scalars_by_reference_and_early_return() {
    check(
        "\
program main h @0
i4 i, m
r8 a(10)
do i = 1, 10 @1
  m = i - 2 @2
  call f_(&inout m, &inout a(i), 2.0) @2
end
subroutine f(n, x, y) h @4
i4 n
r8 x
r8 y value
tally @4 invocations += 1
if n <= 0 @5
  return @6
end
x = x + r8(n) * y @7
n = 0 @8
return @4
",
        "
do i = 1, 10 @1
  m = i - 2 @2
  at.1 = i8(i) @2
  y = 2.0 @2
  tally @4 invocations += 1
  if m <= 0 @{2,5<2}
    goto L1 @6<2
  end
  a(at.1) = a(at.1) + r8(m) * y @{2,7<2}
  m = 0 @{2,8<2}
  L1: @2
end",
    );
}

#[test]
fn a_subscript_that_the_procedure_changes_is_kept() {
    check(
        "\
program main h @0
i4 i, k
r8 a(10)
i = 1 @1
k = 2 @1
call f_(&inout i, &inout a(i + k)) @2
subroutine f(n, x) h @4
i4 n
r8 x
n = n + 1 @5
x = r8(n) @6
",
        "
i = 1 @1
k = 2 @1
at.1 = i8(i + k) @2
i = i + 1 @{2,5<2}
a(at.1) = r8(i) @{2,6<2}",
    );
}

#[test]
fn a_block_of_an_array_keeps_its_shape() {
    check(
        "\
program main h @0
i4 j, k
r8 a(3, 3, 4), x(0:5)
do j = 2, 4 @1
  call f_(&inout a(1, 1, j), &inout x(2)) @2
end
subroutine f(b, y) h @4
i4 i, j
r8 b(3, 3), y(*)
do i = 1, 3 @5
  do j = 1, 3 @6
    b(i, j) = y(i) + b(i, 1) @7
  end
end
",
        "
do j = 2, 4 @1
  at.1 = i8(j) @2
  do i = 1, 3 @{2,5<2}
    do j#2 = 1, 3 @6<2
      a(i, j#2, at.1) = x(i8(i) + 1) + a(i, 1, at.1) @7<2
    end
  end
end",
    );
}

#[test]
fn a_function_with_a_common_block_and_a_constant_bound() {
    check(
        "\
program main h @0
area blk_ size 8 align 8 common
i4 k, n
r8 a(3, 3), s
r8 c static blk_+0
n = 3 @1
c = 2.0 @1
do k = 1, 3 @1
  s = call f_(&in n, &inout a) @2
  a(k, 1) = s @2
end
function f(n, b) result r h @4
area blk_ size 8 align 8 common
i4 n
i8 u
r8 b(u, *)
r8 d static blk_+0
r8 r
u = i8(n) @4
d = d + b(2, 2) @5
r = d * 2.0 @6
",
        "
n = 3 @1
c = 2.0 @1
do k = 1, 3 @1
  u = i8(n) @{2,4<2}
  c = c + a(2, 2) @{2,5<2}
  r = c * 2.0 @{2,6<2}
  s = r @2
  a(k, 1) = s @2
end",
    );
}

#[test]
fn static_memory_takes_another_shape() {
    check(
        "\
program main h @0
area a.s size 96 align 8 local
i4 k
r8 a(3, 4) static a.s+0
call f_(&inout a(1, 2)) @2
subroutine f(y) h @4
i4 i
r8 y(9)
do i = 1, 9 @5
  y(i) = 1.0 @6
end
",
        "
r8 y.1(9) static a.s+24
do i = 1, 9 @{2,5<2}
  y.1(i) = 1.0 @6<2
end",
    );
}

#[test]
fn shapes_that_do_not_line_up_stay() {
    // The memory of a dummy has no other name; without a known extent the rows are unknown.
    stays(
        "\
subroutine main(a) h @0
i4 k
r8 a(3, 4)
call f_(&inout a(2, 2)) @2
subroutine f(y) h @4
r8 y(9)
y(1) = 1.0 @6
",
    );
    stays(
        "\
program main h @0
i4 n, k
r8 a(3, 4)
do k = 2, 3 @1
  n = k @1
  call f_(&in n, &inout a) @2
end
subroutine f(n, y) h @4
i4 n
i8 u
r8 y(u, *)
u = i8(n) @4
y(1, 1) = 1.0 @6
",
    );
}

#[test]
fn procedures_with_targets_stay() {
    // A target that has ended is recognised by its address below the stack pointer.
    stays(
        "\
program main h @0
i4 k
call f_(&inout k) @1
subroutine f(n) h @2
i4 n
i4 x frame
x = n @3
n = x + 1 @4
call rt.end_target(&out n, &out x, 4) @5
",
    );
}

#[test]
fn what_else_stays() {
    // The DO variable would be changed, or itself; an absent argument; a length that differs.
    stays(
        "\
program main h @0
i4 k, m
do k = 1, 3 @1
  if m > 7 @2
    call f_(&in k) @2
  end
end
subroutine f(n) h @4
i4 n
if n > 5 @5
  n = 7 @6
end
",
    );
    stays(
        "\
program main h @0
i4 k, n
n = 2 @1
call f_(&inout n) @1
subroutine f(n) h @4
i4 n
n = n - 1 @5
if n > 0 @6
  call f_(&inout n) @7
end
",
    );
    stays(
        "\
program main h @0
r4 x
call f_(&inout x) @1
subroutine f(n) h @4
i4 n
n = 1 @5
",
    );
}

#[test]
fn a_large_procedure_stays_outside_of_loops() {
    let body: String = (5..40).map(|k| format!("n = n * {k} + n @{k}\n")).collect();
    stays(&format!("program main h @0\ni4 n\ncall f_(&inout n) @1\nsubroutine f(n) h @4\ni4 n\n{body}"));
}

/// A function that calls itself, with calls in a loop.
const FIBONACCI: &str = "\
program main h @0
i4 k, s, r
s = 0 @1
do k = 1, 6 @2
  r = call fib_(&in k) @3
  s = s + r @4
end
function fib(n) result f h @10
i4 n, f, a, b, r, q
tally @10 invocations += 1
tally @11 evaluations += 1
if n < 2 @11
  tally @11 taken.0 += 1
  f = n @12
else
  tally @14 calls.0 += 1
  a = n - 1 @14
  r = call fib_(&in a) @14
  tally @14 calls.1 += 1
  b = n - 2 @14
  q = call fib_(&in b) @14
  f = r + q @14
end
";

#[test]
fn the_base_case_of_a_recursive_function_stands_at_its_calls() {
    check(
        FIBONACCI,
        "
do k = 1, 6 @2
  if k < 2 @3
    tally @10 invocations += 1
    tally @11 evaluations += 1
    if .true. @{3,11<3}
      tally @11 taken.0 += 1
      f = k @12<3
    end
    r = f @3
  else
    r = call fib_(&in k) @3
  end
  s = s + r @4
end",
    );
}

#[test]
fn a_tiny_recursive_function_is_inlined_into_itself() {
    let mut program: Program = parse_program(FIBONACCI).unwrap();
    let options = trueline_ir::Options { fill: true, ..Default::default() };
    let before = interpret(&program, &options).unwrap();
    let passes = Some(["inline", "fold", "copyprop", "dce"].map(str::to_owned).to_vec());
    optimize(&mut program, &Options { passes, down_to: Level::H, verify: true, ..Options::default() }).unwrap();
    let after = interpret(&program, &options).unwrap();
    trueline_ir::testing::compare(&before, &after).unwrap();
    assert_eq!(before.tallies, after.tallies);
    let text = program.units[1].to_string();
    assert!(text.matches("call fib_").count() > 2 && text.contains("@14<14<14"), "{text}");
}

#[test]
fn a_base_case_behind_a_return_takes_the_assignments_before_it_along() {
    check(
        "\
program main h @0
i4 i, d, s
d = 7 @1
s = 0 @1
do i = 1, 9 @2
  call g_(&in i, &in d, &inout s) @3
end
subroutine g(a, b, s) h @10
i4 a, b, s
i4 t, u
t = s + 1 @11
if a >= b @12
  s = t @13
  return @14
end
u = a + 1 @15
call g_(&in u, &in b, &inout s) @15
s = s + t @16
",
        "
do i = 1, 9 @2
  if i >= d @3
    t = s + 1 @{3,11<3}
    if .true. @{3,12<3}
      s = t @13<3
    end
  else
    call g_(&in i, &in d, &inout s) @3
  end
end",
    );
}

#[test]
fn no_base_case_is_seen_where_all_ways_call_or_the_decision_depends_on_memory() {
    let text = |first: &str, base: &str| {
        format!(
            "\
program main h @0
i4 i, s
s = 0 @1
do i = 1, 3 @2
  call g_(&in i, &inout s) @3
end
subroutine g(a, s) h @10
i4 a, s
i4 u
u = a - 1 @11
{first}
if a <= 0 @12
  {base}
  return @14
end
call g_(&in u, &inout s) @15
"
        )
    };
    let has_test = |first: &str, base: &str| inlined(&text(first, base)).contains("if i <= 0");
    assert!(has_test("", "s = s + 1 @13"));
    assert!(!has_test("s = s + 2 @11", "s = s + 1 @13"), "memory is stored to before the decision");
    let again = "if s < 0 @13\n call g_(&in u, &inout s) @13\n end";
    assert!(!has_test("", again), "both ways call");
    assert!(!has_test("", "do u = 1, 3 @13\n s = s + u @13\n end"), "the base case loops");
}

/// A loop over a mapped array with calls of `f`, which has these declarations and this code.
fn in_nest(declarations: &str, code: &str) -> String {
    let text = format!(
        "\
program main h @0
mapping 0 @1 prescribed grid (free) dims (block of 1:10 on 1)
i4 i
r8 a(10) mapped 0, t
do i = 2, 9 @2
  t = call f_(&in a(i - 1)) @3
  a(i) = t @3
end
t = call f_(&in a(3)) @4
function f(x) result r h @5
{declarations}r8 x
r8 r
{code}"
    );
    passed(&text, "inline_in_nests")
}

#[test]
fn small_procedures_stand_in_nests() {
    let got = in_nest("", "if x > 2.0 @6\nr = x / 2.0 @7\nelse\nr = 1.0 @8\nend\n");
    assert_eq!(got.matches("call f_").count(), 1, "a call outside of loops stays: {got}");
    assert!(got.contains("r = a(i - 1) / 2.0"), "{got}");
}

#[test]
fn procedures_with_mapped_arrays_or_effects_stay_out_of_nests() {
    let mapped = "mapping 0 @5 prescribed grid (free) dims (block of 1:4 on 1)\nr8 b(4) mapped 0\n";
    let got = in_nest(mapped, "b(1) = x @6\nr = b(1) @7\n");
    assert_eq!(got.matches("call f_").count(), 2, "{got}");
    let got = in_nest("", "");
    assert_eq!(got.matches("call f_").count(), 2, "there is no statement: {got}");
}

#[test]
fn early_returns_are_no_jumps_in_nests() {
    let got = in_nest("", "r = x @6\nif x < 2.0 @7\nreturn @8\nend\nr = sqrt(x) @9\nreturn @5\n");
    let code: Vec<&str> = got.lines().map(|l| l.split('@').next().unwrap_or_default().trim()).collect();
    let at = code.iter().position(|l| *l == "r = a(i - 1)").expect("the body");
    let wanted =
        ["if a(i - 1) < 2.0", "left.1 = 1", "end", "if left.1 == 0", "r = sqrt(a(i - 1))", "end", "t = r", "a(i) = t"];
    assert_eq!(code[at + 1..at + 1 + wanted.len()], wanted, "{got}");
}
