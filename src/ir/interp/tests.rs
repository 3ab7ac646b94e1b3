//! The interpreter against results known otherwise.

use super::{ErrorKind, Options, Run, Value, interpret};
use crate::parse_program;
use trueline_provenance::{CounterInfo, Measure, Serial};

fn run(text: &str) -> Run {
    let program = parse_program(text).unwrap();
    for u in &program.units {
        assert_eq!(crate::verify(u), [], "{u}");
    }
    interpret(&program, &Options::default()).unwrap_or_else(|e| panic!("{e}\n{program}"))
}

#[track_caller]
fn fails(kind: ErrorKind, text: &str) {
    let program = parse_program(text).unwrap();
    let options = Options { steps: 100_000, ..Options::default() };
    match interpret(&program, &options) {
        Err(e) => assert_eq!(e.kind, kind, "{e}"),
        Ok(r) => panic!("it ran: {r:?}"),
    }
}

fn reals(r: &Run, name: &str) -> Vec<f64> {
    r.memory[name].chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

fn ints(r: &Run, name: &str) -> Vec<i32> {
    r.memory[name].chunks_exact(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// The value of an `i4` expression.
#[track_caller]
fn int(e: &str) -> i32 {
    ints(&run(&format!("program p vh\ninteger k(1), i, n\ni = 7 @1\nn = -3 @1\nk(1) = {e} @1")), "k")[0]
}

#[track_caller]
fn real(e: &str) -> f64 {
    reals(&run(&format!("program p vh\nreal a(1), x, y\nx = 2.5 @1\ny = -0.75 @1\na(1) = {e} @1")), "a")[0]
}

#[test]
fn integer_arithmetic() {
    for (e, value) in [
        ("i / n", -2),
        ("2147483647 + i", i32::MIN + 6),
        ("mod(i, n)", 1),
        ("mod(-7, 3)", -1),
        ("modulo(-7, 3)", 2),
        ("modulo(i, n)", -2),
        ("pow(n, 3)", -27),
        ("powi(2, -1)", 0),
        ("powi(-1, -3)", -1),
        ("sign(i, n)", -7),
        ("dim(n, i)", 0),
        ("ishft(-1, -28)", 15),
        ("ishft(1, 32)", 0),
        ("ishft(i, 2)", 28),
        ("ishftc(i, -1, 3)", 7),
        ("ishftc(6, 1, 3)", 5),
        ("ishftc(6, 1, 32)", 12),
        ("ishftc(-8, 2, 4)", -14),
        ("shifta(-8, 1)", -4),
        ("ibits(i, 1, 2)", 3),
        ("ibset(i, 3)", 15),
        ("ibclr(i, 0)", 6),
        ("popcnt(n)", 31),
        ("leadz(i)", 29),
        ("trailz(8)", 3),
        ("trailz(0)", 32),
        ("nint(2.5)", 3),
        ("nint(-2.5)", -3),
        ("floor(-0.5)", -1),
        ("ceiling(-0.5)", 0),
        ("i4(1e30)", i32::MIN),
        ("i4(i1(200))", -56),
        ("exponent(8.0)", 4),
        ("exponent(5e-324)", -1073),
        ("merge(i, n, i > n .and. .not. i == n)", 7),
        ("i4(l1(.true.))", 1),
        ("i4(trip(1, i, 2))", 4),
        ("i4(sumtrips(1, 4, 1, 1, 0, 0, 1, 1))", 10),
        ("i4(bitcast_i4(1.0_r4) == 1065353216)", 1),
    ] {
        assert_eq!(int(e), value, "{e}");
    }
}

#[test]
fn real_arithmetic() {
    for (e, value) in [
        ("x / y", 2.5 / -0.75),
        ("mod(-x, 2.0)", -0.5),
        ("modulo(y, x)", 1.75),
        ("aint(-2.7)", -2.0),
        ("anint(0.5)", 1.0),
        ("sign(x, -0.0)", -2.5),
        ("max(0x7ff8000000000000_r8, x)", 2.5),
        ("min(x, y)", -0.75),
        ("powi(x, 3)", 2.5 * 2.5 * 2.5),
        ("powi(x, -2)", 1.0 / (2.5 * 2.5)),
        ("pow(x, 0.5)", 2.5_f64.powf(0.5)),
        ("atan2(x, y)", 2.5_f64.atan2(-0.75)),
        ("nearest(1.0, -1.0)", 1.0 - f64::EPSILON / 2.0),
        ("nearest(0.0, 1.0)", 5e-324),
        ("spacing(1.0)", f64::EPSILON),
        ("rrspacing(1.0)", 1.0 / f64::EPSILON),
        ("fraction(6.0)", 0.75),
        ("scale(0.75, 3)", 6.0),
        ("scale(1.0, -1074)", 5e-324),
        ("scale(1.5, -1074)", 1e-323),
        ("scale(1.0, 5000)", f64::INFINITY),
        ("scale(0.0, 5000)", 0.0),
        ("set_exponent(6.0, 1)", 1.5),
        ("r8(r4(0.1))", 0.1_f32 as f64),
        ("realpart((1.0, 2.0) / (3.0, -4.0))", -0.2),
        ("imagpart((1.0, 2.0) * conjg((3.0, -4.0)))", 10.0),
        ("abs((3.0, 4.0))", 5.0),
        ("realpart(powi((1.0, 1.0), 4))", -4.0),
        ("realpart(cmplx(x, y))", 2.5),
        ("r8(7 / 2)", 3.0),
    ] {
        assert_eq!(real(e), value, "{e}");
    }
    assert_eq!(real("-0.0").to_bits(), (-0.0_f64).to_bits());
    assert_eq!(real("modulo(-2.5, x)").to_bits(), 0);
}

#[test]
fn a_power_is_multiplied_out_in_one_order() {
    let x = 1.1_f64;
    let text = "real a(2), x\ninteger n\nx = 1.1 @1\nn = 15 @1\na(1) = powi(x, 15) @1\na(2) = powi(x, n) @1";
    let r = reals(&run(text), "a");
    let x2 = x * x;
    let (x4, x8) = (x2 * x2, (x2 * x2) * (x2 * x2));
    assert_eq!(r, [((x * x2) * x4) * x8; 2], "15 = 1 + 2 + 4 + 8, whether it is known or not");
}

#[test]
fn loops_and_jumps() {
    let text = "
integer i, j, k(4), n
do i = 10, 1, -3 @1
  n = n + i @2
end
k(1) = i @3
k(2) = n @3
do i = 5, 1 @4
  n = 0 @4
end
k(3) = i @3
i = 0 @5
L1: @5
i = i + 1 @5
do j = 1, 10 @6
  if j == i @6
    goto L2 @6
  end
end
L2: @6
if i < 4 @7
  goto L1 @7
end
do while i < 100 prepared @8
  i = i * 2 @8
do
  tally @8 iterations += 1
end
k(4) = i @3";
    let r = run(text);
    assert_eq!(ints(&r, "k"), [-2, 22, 5, 128]);
    let info = CounterInfo { of: Serial::from_u32(8), measure: Measure::Iterations };
    assert_eq!(r.tallies[&info], 4);
    assert_eq!(r.executions[&Serial::from_u32(2)], 4);
}

#[test]
fn select_and_arithmetic_if() {
    let text = "
integer i, k(6)
do i = 1, 6 @1
  select i @2
  case 1, 4:5
    k(i) = 10 @3
  case :0, 6:
    k(i) = 20 @3
  case default
    k(i) = 30 @3
  end
end
ifarith k(1) - 10, L1, L2, L1 @4
L1: @4
k(1) = -1 @4
L2: @4
goto (L3, L4), i - 5 @5
L3: @5
k(2) = -1 @5
L4: @5";
    assert_eq!(ints(&run(text), "k"), [10, 30, 30, 10, 10, 20]);
}

#[test]
fn short_circuits() {
    let text = "
integer i, k(1)
i = 9 @1
if i <= 1 .and. k(i) == 0 @1
  k(1) = 1 @1
end
if i > 1 .or. k(i) == 0 @1
  k(1) = 2 @1
end";
    assert_eq!(ints(&run(text), "k"), [2]);
}

#[test]
fn calls_pass_registers_by_reference() {
    let text = "
program main h
integer i, k(3)
i = 4 @1
call s_(&inout i, &inout k(2)) @1
k(1) = i @1
i = call f_(&in i) @1
k(3) = i @1
call *none_(&in i) @1
subroutine s(x, y) h
i4 x, y(2)
x = x + 1 @2
y(1) = x * 10 @2
function f(n) result r h
i4 n, r, m
if n <= 1 @3
  r = 1 @3
  return @3
end
m = n - 1 @3
m = call f_(&in m) @3
r = n * m @3"
        .replace("call *none_(&in i) @1\n", "");
    assert_eq!(ints(&run(&text), "k"), [5, 50, 120]);
}

#[test]
fn memory_is_flat_at_the_low_levels() {
    let text = "
program main m
area blk_ size 32 align 16 common
r8 a(4) static blk_+0
i8 p
r8 t(2) frame
p = addr(a) + 8 @1
store(a, p, 16) = 2.5 @1
store(t, addr(t), 8) = load_r8(a, p, 16) * 2.0 @1
store(a, addr(a)) = load_r8(t, addr(t), 8) @1
p = call rt.allocate(16, null) @1
store(a, p) = 1.5 @1
store(a, addr(a), 8) = load_r8(a, p) @1
call rt.deallocate(p) @1
call s_(&in load_r8(a, addr(a), 8)) @1
subroutine s(x) h
area blk_ size 32 align 16 common
r8 x, b(2, 2) static blk_+0
b(1, 2) = x @1";
    assert_eq!(reals(&run(text), "blk_"), [5.0, 1.5, 1.5, 2.5]);
}

#[test]
fn labels_and_branches() {
    let text = "
program main l
r8 a(1)
i4 i
i = 1 @1
L1: @1
branch i <= 5, L2, L3 @1
L2: @1
store(a, addr(a)) = load_r8(a, addr(a)) + r8(i) @2
i = i + 1 @1
goto L1 @1
L3: @1";
    assert_eq!(reals(&run(text), "a"), [15.0]);
}

#[test]
fn stop_and_output() {
    let r = run("
real a(3)
a(2) = 1.5 @1
call rt.io_begin(2, &in \"a.f90:1\") @1
call rt.io_start() @1
call rt.io_put_array(&in a(1), 6, 0, 2, 8) @1
call rt.io_put(&in \"hi\", 13, 2) @1
call rt.stop_int(3) @2
a(3) = 1.0 @3");
    assert_eq!(r.stop, Some(3));
    assert_eq!(r.output.len(), 3);
    assert_eq!(r.output[1].bytes, 1.5_f64.to_le_bytes());
    assert_eq!(r.output[2].bytes, b"hi");
    assert_eq!(reals(&r, "a"), [0.0, 1.5, 0.0]);
}

#[test]
fn array_statements() {
    let text = "
program p vh
r8 a(4), b(4), c(2, 3)
i4 i, j, n
l4 m(4)
a = [r8: 1.0, 2.0, 3.0, 4.0] @1
a(2:4) = a(1:3) @2
b = merge(a, -a, a > 1.5) @3
c(:, 2) = a(4:1:-2) @4
c(1, 1:3:2) = 9.0 @4
where a > 1.0 .and. 1.0 / (a - 1.0) < 2.0 @5
  b = b * 10.0 @5
elsewhere
  where a > 2.5 @6
    b = 0.0 @6
  elsewhere
    b = 7.0 @6
  end
end
forall (i = 1:3) i /= 2 @7
  a(i) = a(i + 1) + r8(i) @7
end";
    let r = run(text);
    assert_eq!(reals(&r, "c"), [9.0, 0.0, 3.0, 1.0, 9.0, 0.0]);
    assert_eq!(reals(&r, "b"), [7.0, 7.0, 20.0, 30.0]);
    assert_eq!(reals(&r, "a"), [2.0, 1.0, 6.0, 3.0]);
}

#[test]
fn forall_evaluates_everything_before_it_assigns() {
    let text = "
program p vh
i4 i, j, k, a(3, 3), v(3)
forall (i = 1:3, j = 1:3) @1
  a(i, j) = i * 10 + j @1
end
forall (i = 1:3) @2
  v(i) = a(i, 1) @2
  forall (j = i:3) @2
    a(i, j) = a(j, i) + v(4 - i) @2
  end
end
forall (i = 1:2) @3
  k = call f_(&in v(i)) @3
  v(3 - i) = k @3
  where a(i, :) > 40 @3
    a(i, :) = -i @3
  end
end
function f(x) result r h
i4 x, r
r = x * 2 @4";
    let r = run(text);
    assert_eq!(ints(&r, "v"), [42, 22, 31]);
    // Before the third FORALL: rows 42 52 62, 21 43 53, 31 32 44.
    assert_eq!(ints(&r, "a"), [-1, 21, 31, -1, -2, 32, -1, -2, 44]);
}

/// The value of a `vh` expression over `a = 3 1 2; 6 5 4` (2 rows), as a vector of reals.
fn array(e: &str, n: usize) -> Vec<f64> {
    let text = format!(
        "program p vh\nr8 a(2, 3), v(3), r({n}), h(2)\na(1, :) = [r8: 3.0, 1.0, 2.0] @1\na(2, :) = [r8: 6.0, 5.0, 4.0] @1\nv = a(1, :) @1\nr = {e} @1"
    );
    reals(&run(&text), "r")
}

#[test]
fn transformational_intrinsics() {
    let flat = "[i4: 6]";
    for (e, value) in [
        ("SUM(a, 1)", vec![9.0, 6.0, 6.0]),
        ("SUM(a, 2, a > 1.5)", vec![5.0, 15.0]),
        ("MAXVAL(a, 1)", vec![6.0, 5.0, 4.0]),
        ("r8(MAXLOC(a))", vec![2.0, 1.0]),
        ("r8(MINLOC(a))", vec![1.0, 2.0]),
        ("r8(MINLOC(a, 2))", vec![2.0, 3.0]),
        ("r8(MAXLOC(a, none, a > 9.0))", vec![0.0, 0.0]),
        ("r8(COUNT(a > 2.5, 2))", vec![1.0, 3.0]),
        ("MATMUL(a, v)", vec![14.0, 31.0]),
        ("CSHIFT(v, 1)", vec![1.0, 2.0, 3.0]),
        ("CSHIFT(v, -1)", vec![2.0, 3.0, 1.0]),
        ("EOSHIFT(v, 1)", vec![1.0, 2.0, 0.0]),
        ("EOSHIFT(v, -2, 8.0)", vec![8.0, 8.0, 3.0]),
        ("PACK(a, a > 2.5)", vec![3.0, 6.0, 5.0, 4.0]),
        ("PACK(v, v > 2.5, [r8: 9.0, 8.0])", vec![3.0, 8.0]),
        ("UNPACK([r8: 9.0], v > 2.5, v)", vec![9.0, 1.0, 2.0]),
    ] {
        assert_eq!(array(e, value.len()), value, "{e}");
    }
    for (e, value) in [
        ("TRANSPOSE(a)", vec![3.0, 1.0, 2.0, 6.0, 5.0, 4.0]),
        ("SPREAD(v, 2, 2)", vec![3.0, 1.0, 2.0, 3.0, 1.0, 2.0]),
        ("SPREAD(v, 1, 2)", vec![3.0, 3.0, 1.0, 1.0, 2.0, 2.0]),
        ("CSHIFT(a, [i4: 1, 0], 2)", vec![1.0, 6.0, 2.0, 5.0, 3.0, 4.0]),
        ("RESHAPE(v, [i4: 3, 2], a)", vec![3.0, 1.0, 2.0, 3.0, 6.0, 1.0]),
        ("RESHAPE(a, [i4: 3, 2], none, [i4: 2, 1])", vec![3.0, 1.0, 2.0, 6.0, 5.0, 4.0]),
        ("MATMUL(TRANSPOSE(a(:, 1:2)), a)", vec![]),
    ] {
        let value = if value.is_empty() { vec![45.0, 33.0, 33.0, 26.0, 30.0, 22.0] } else { value };
        assert_eq!(array(&format!("RESHAPE({e}, {flat})"), 6), value, "{e}");
    }
    for (e, value) in [
        ("SUM(a)", 21.0),
        ("PRODUCT(v)", 6.0),
        ("MAXVAL(v, none, v < 2.5)", 2.0),
        ("MAXVAL(v(3:1))", f64::MIN),
        ("DOT_PRODUCT(v, v)", 14.0),
        ("NORM2([r8: 3.0, 4.0])", 5.0),
        ("r8(COUNT(v > 1.5))", 2.0),
        ("r8(l4(ANY(v > 2.5) .and. .not. ALL(v > 2.5)))", 1.0),
        ("r8(IALL([i4: 7, 5]) + IANY([i4: 1, 2]) + IPARITY([i4: 3, 1]))", 10.0),
        ("r8(PARITY(v > 1.5))", 0.0),
    ] {
        assert_eq!(array(e, 1), [value], "{e}");
    }
}

#[test]
fn wrong_programs_are_errors() {
    fails(ErrorKind::Wrong, "integer i, k\nk = 1 / i @1");
    fails(ErrorKind::Wrong, "integer i\nreal a(3)\na(i) = 1.0 @1");
    fails(ErrorKind::Wrong, "program p m\nreal a(3)\nstore(a, 8) = 1.0 @1");
    fails(ErrorKind::Wrong, "program p m\nreal a(3)\nstore(a, addr(a), 2147483647) = 1.0 @1");
    fails(ErrorKind::Wrong, "program p vh\nreal a(3)\na(1:2) = a @1");
    fails(ErrorKind::Wrong, "integer i, n\ndo i = 1, 5, n @1\nend");
    fails(ErrorKind::Limit, "L1: @1\ngoto L1 @1");
    fails(ErrorKind::Limit, "program p h\ncall p_() @1\nsubroutine p h\ncall p_() @1");
    fails(ErrorKind::Limit, "program p vh\nreal a(100000000)\na = 1.0 @1");
    fails(ErrorKind::Beyond, "call f_() @1");
    fails(ErrorKind::Beyond, "real x\nx = gamma(x) @1");
    fails(ErrorKind::Beyond, "call rt.io_begin(1, &in \"x\") @1");
}

#[test]
fn test_data_and_imitation() {
    let text = "function f(a, n) result r h\narea blk_ size 16 common\nr8 a(n), r\ni4 n\nr8 c(2) static blk_+0\nr = call g_(&in a(2), &out c(1)) @1\nr = r + a(n) @1";
    let program = parse_program(text).unwrap();
    let options = Options { fill: true, imitate: true, ..Options::default() };
    let one = interpret(&program, &options).unwrap();
    let two = interpret(&program, &options).unwrap();
    assert_eq!(one.output, two.output);
    assert_eq!((one.output.len(), one.result), (1, two.result));
    assert!(matches!(one.result, Some(Value::R8(_))));
    assert_ne!(one.memory["blk_"], vec![0; 16]);
}

#[test]
fn ten_million_statements() {
    let r = run("integer i, j, k(1)\ndo i = 1, 100 @1\ndo j = 1, 100 @2\nk(1) = k(1) + j @3\nend\nend");
    assert_eq!(ints(&r, "k"), [505_000]);
    assert!(r.steps > 10_000);
}

#[test]
fn characters() {
    let text = "
char c*6, d*6
i8 p, q(8)
call rt.char_assign(&out c, 6, &in \" abcab\", 6) @1
p = call rt.char_index(&in c, 6, &in \"ab\", 2, 0) @1
q(1) = p @1
p = call rt.char_index(&in c, 6, &in \"ab\", 2, 1) @1
q(2) = p @1
p = call rt.char_scan(&in c, 6, &in \"bc\", 2, 0) @1
q(3) = p @1
p = call rt.char_verify(&in c, 6, &in \"ab\", 2, 1) @1
q(4) = p @1
call rt.char_adjustl(&out d, &in c, 6) @1
p = call rt.char_len_trim(&in d, 6) @1
q(5) = p @1
call rt.char_repeat(&out c, &in \"xy\", 2, 3) @1
call rt.char_adjustr(&out d, &in d, 6) @1";
    let r = run(text);
    let q: Vec<i64> = r.memory["q"].chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(q[..5], [2, 5, 3, 4, 5]);
    assert_eq!((r.memory["c"].as_slice(), r.memory["d"].as_slice()), (&b"xyxyxy"[..], &b" abcab"[..]));
}
