//! Programs before and after the passes on arguments; the interpreter judges that they mean the same.

use crate::{OptLevel, Options, optimize};
use trueline_ir::{Level, Program, interpret, parse_program};

/// The units behind the passes, without the declarations of procedures that they call.
fn units_after(text: &str, passes: &[&str]) -> Vec<String> {
    let mut program: Program = parse_program(text).unwrap();
    let options = trueline_ir::Options { fill: true, ..Default::default() };
    let before = interpret(&program, &options).unwrap();
    let passes = Some(passes.iter().map(|&p| p.to_owned()).collect());
    let of = Options { passes, level: OptLevel::O2, down_to: Level::H, verify: true, ..Options::default() };
    optimize(&mut program, &of).unwrap();
    let after = interpret(&program, &options).unwrap();
    trueline_ir::testing::compare(&before, &after).unwrap();
    program.units.iter().map(ToString::to_string).collect()
}

/// Two procedures, of which the second passes its arguments on to itself in another order.
const PROGRAM: &str = "\
program main h @0
i4 i, j, k
r8 x
i = 2 @1
j = 3 @1
k = 2 @1
x = 0.5 @1
call f_(&inout i, &inout x) @2
call g_(&inout i, &inout j, &inout k) @3
i = i + j * k @4
subroutine f(n, y) h @10
i4 n
r8 y
y = y + r8(n) @11
subroutine g(a, b, c) h @20
i4 a, b, c, t
if c > 0 @21
  t = c - 1 @22
  call g_(&inout b, &inout a, &in t) @22
else
  b = b + 1 @23
end
";

#[test]
fn arguments_that_nobody_writes_are_read() {
    let units = units_after(PROGRAM, &["intent"]);
    assert!(units[0].contains("call f_(&in i, &inout x)"), "{}", units[0]);
    assert!(units[0].contains("call g_(&inout i, &inout j, &in k)"), "{}", units[0]);
    assert!(units[1].contains("i4 n intent_in"), "{}", units[1]);
    assert!(units[2].contains("call g_(&inout b, &inout a, &in t)"), "a is written as b: {}", units[2]);
    assert!(units[2].contains("i4 c intent_in"), "{}", units[2]);
}

#[test]
fn arguments_that_are_only_read_come_in_registers() {
    let units = units_after(PROGRAM, &["intent", "values"]);
    assert!(units[0].contains("call f_(i, &inout x)"), "{}", units[0]);
    assert!(units[0].contains("call g_(&inout i, &inout j, k)"), "{}", units[0]);
    assert!(units[1].contains("i4 n value intent_in loaded"), "{}", units[1]);
    assert!(units[2].contains("call g_(&inout b, &inout a, t)"), "{}", units[2]);
}

#[test]
fn an_argument_that_may_be_absent_stays_a_reference() {
    let text = "\
program main h @0
i4 k
k = 4 @1
call f_(&in k, null, 0_i8) @2
call f_(&in k, &in k, 1_i8) @3
subroutine f(n, o, o.0) h @10
i4 n, o, t
i8 o.0 value
if n > 3 .and. o.0 /= 0 @11
  t = o @12
else
  t = n @13
end
call rt.io_put(&in t, 3, 0) @14
";
    let units = units_after(text, &["intent", "values"]);
    assert!(
        units[0].contains("call f_(k, null, 0_i8)") && units[0].contains("call f_(k, &in k, 1_i8)"),
        "{}",
        units[0]
    );
}

#[test]
fn a_call_with_a_place_of_another_type_passes_the_address() {
    let text = "\
program main h @0
r4 x
i4 k
x = 1.5 @1
k = 7 @1
call f_(&inout x) @2
call f_(&inout k) @3
subroutine f(n) h @10
i4 n, t
t = n @11
call rt.io_put(&in t, 3, 0) @12
";
    let units = units_after(text, &["intent", "values"]);
    assert!(units[0].contains("call f_(&in x)") && units[0].contains("call f_(k)"), "{}", units[0]);
}
