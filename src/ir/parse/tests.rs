//! Round trips: printed text reads back as the same text.

use super::{parse_program, parse_unit};

/// Reads `text`, prints it, reads that and prints it again; returns the last text.
#[track_caller]
fn round(text: &str) -> String {
    let printed = parse_unit(text).unwrap().to_string();
    let again = parse_unit(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}")).to_string();
    assert_eq!(printed, again, "text does not round-trip");
    printed
}

/// `text` is printed exactly as it stands.
#[track_caller]
fn same(text: &str) {
    assert_eq!(round(text), text);
}

#[track_caller]
fn refused(text: &str, message: &str) {
    match parse_unit(text) {
        Ok(u) => panic!("accepted:\n{u}"),
        Err(e) => assert!(e.contains(message), "expected '{message}', got '{e}'"),
    }
}

#[test]
fn short_form_is_a_main_program() {
    let text = round("integer i, n\nreal a(100), b(0:9)\ndo i = 1, n @1\na(i) = b(i - 1) * 2.5 @2\nend");
    let expected = "\
program main h @0
i4 i, n
r8 a(100), b(0:9)
do i = 1, n                                     @1
  a(i) = b(i - 1) * 2.5                         @2
end
";
    assert_eq!(text, expected);
}

#[test]
fn header_and_declarations() {
    same(
        "\
function f(n, a, c, len) result f vh @4 symbol m.f internal
area blk_ size 96 align 16 common
area s.1 size 8 align 8 local init 0x01ff
i4 n intent_in
r8 a(n, 2:*) intent_inout alias
char c*(len)
i8 len value
r4 f
c8 z
l1 flag, `if`
r8 x(3) static blk_+16 mapped 1
i2 k static s.1+4
char names(2, -1:1)*8
i8 p
r8 auto(0:n, n + 1) pointer p
r4 small(4) frame
r8 t.1
proc sin name sin result r8 pure returns libm
counter @7 iterations
record @4
mapping 0 @4 described dynamic grid p(2, ranks / 3) dims (*, indirect([0, 1, 1]) of 1:3 on 2) rest (1 block(unknown) of unknown fixed unknown)
mapping 1 prescribed grid (free) dims (cyclic of dim a 2 on 1 at unknown * i + -4)
directive independent @5 loop @6 a x \"new(z)\"
`if` = l1(n > 1 .and. .not. flag)               @5
z = r8(f) * (1.0, -2.5)                         @6
f = r4(2.5)                                     @7
t.1 = call sin(a(n, 2), 0x7ff8000000000000_r8)  @{7,8}
",
    );
}

#[test]
fn array_statements() {
    same(
        "\
program main vh @0
i4 i, j, k
r8 a(10), b(10, 10)
l4 m(10)
where m                                         @1
  a = 0.0                                       @2
elsewhere
  a(2:9) = b(2:9, 1) + [r8: 1.0, a(3)]          @4
end
forall (i = 1:10, j = 10:1:-1) i < j            @1
  b(i, j) = a(i)                                @2
end
a = SUM(b, i4(1), none)                         @13
",
    );
}

#[test]
fn structured_statements() {
    same(
        "\
program main vh @0
i4 i, j, k
r8 a(10)
select k                                        @3
case 1, 3:5
  k = 2                                         @4
case :-1, 7:
case default
  k = 3                                         @5
end
do i = 1, 10, 2                                 @6
  do while k < 3 .or. i == 2 prepared           @7
    k = k + 1                                   @8
  do
    k = k - (-1)                                @9
  end
end
do while a(1) > 0.0                             @10
  if k == 1                                     @11
    return                                      @12
  else
    k = 3                                       @13
  end
end
",
    );
}

#[test]
fn jumps_and_labels_are_renumbered() {
    let text = round(
        "integer i\nL9: @1\ngoto (L9, L4), i @2\nifarith i, L4, L4, L9 @3\nL4: @4\nbranch i == 1, L9, L4 @5\ngoto L7 @6\nL7:",
    );
    let code: Vec<&str> = text.lines().skip(2).map(|l| l.split("  ").next().unwrap_or("")).collect();
    assert_eq!(
        code,
        ["L1:", "goto (L1, L2), i", "ifarith i, L2, L2, L1", "L2:", "branch i == 1, L1, L2", "goto L3", "L3:"]
    );
}

#[test]
fn temporaries_are_renumbered_and_unmentioned_ones_left_out() {
    let text =
        round("integer i, t.9, t.5, unused.1, g.4\nt.5 = i @1\nt.9 = t.5 @1\nghost g.4 = t.9\ntally @2 taken.1 += g.4");
    assert!(text.contains("t.1 = i ") && text.contains("t.2 = t.1"), "{text}");
    assert!(!text.contains("unused"), "{text}");
    assert!(text.contains("i4 i\ni4 t.1, t.2, g.1\n"), "{text}");
}

#[test]
fn low_level_statements() {
    same(
        "\
subroutine s(a, f) m @0
r8 a(*)
i8 f value
i4 i
r8 x
store(a, addr(a) + i8(i) * 8, -8) = load_r8(a, addr(a)) + 1.0  @{1,2}
call g_(&inout a(2), &in \"it's \\\"q\\\" \\x00\\\\\", &out i, null, &proc h_)  @3
call *f(&in x)                                  @4
x = call rt.powi_f64(x, -2)                     @5
call rt.stop_int(3)                             @5
x = bitcast_r8(f)                               @6
tally @7 iterations += trip(1, i, 1)
tally @8 calls.0 += 3 * f                       @1
probe start_loop @7 entry i == 1
probe end_loop @7
return                                          @{}
",
    );
}

#[test]
fn constants_are_exact() {
    for (ty, text) in [
        ("r8", "0.1"),
        ("r8", "-0.0"),
        ("r8", "5e-324"),
        ("r8", "1.7976931348623157e308"),
        ("r4", "3.4028235e38"),
        ("r4", "0x7fc00001_r4"),
        ("r8", "0xfff0000000000000_r8"),
        ("i8", "-9223372036854775808"),
        ("i1", "-128"),
        ("l8", ".true."),
        ("c4", "(0x7f800000_r4, -0.5)"),
    ] {
        let unit = format!("{ty} x\nx = {text} @1");
        assert!(round(&unit).contains(&format!("x = {text}  ")), "{}", round(&unit));
    }
}

#[test]
fn operators_keep_their_shape() {
    for e in [
        "a - (b - c)",
        "(a - b) * c",
        "a - b - c",
        "-(a * b)",
        "-a * b",
        "-(1.0)",
        "a - (-1.0)",
        "a / (-b)",
        "max(a, -b)",
        "-(-a)",
    ] {
        let unit = format!("real a, b, c\na = {e} @1");
        let printed = round(&unit);
        let code = printed.lines().last().unwrap().trim_start_matches("a = ").split("  ").next().unwrap().to_owned();
        let again = format!("real a, b, c\na = {code} @1");
        assert_eq!(parse_unit(&again).unwrap().to_string(), printed);
        assert_eq!(code, if e == "-a * b" { "-a * b" } else { e });
    }
    for e in ["p .and. (q .or. p)", ".not. p .and. q", ".not. (p .and. q)", "p .eqv. q .neqv. p", "(a < b) .eqv. p"] {
        let unit = format!("logical p, q\nreal a, b\np = {e} @1");
        assert!(round(&unit).contains(&format!("p = {}", e.replace("(a < b)", "a < b"))), "{e}: {}", round(&unit));
    }
}

#[test]
fn names_that_are_words_of_the_format() {
    let text = round(
        "real `sum`, `if`, `abs`(3), i4, abs#2, `L1`, `a b`\n`if` = abs(`abs`(1)) + i4 @1\n`L1` = `a b` @2\ni4 = abs#2 @3",
    );
    assert!(text.contains("`if` = abs(`abs`(1)) + i4"), "{text}");
    assert!(text.contains("`L1` = `a b`"), "{text}");
}

#[test]
fn programs_with_infos() {
    let text = "\
file \"a.f90\"
info @0 program 0:1-9:1 \"main\"
info @1 array_assign 0:2-2:3 parent @0 array \"a = \\\"x\\\"\"

program main vh @0
r8 a(3)
a = 1.0                                         @1

subroutine s h @1
return                                          @1
";
    assert_eq!(parse_program(text).unwrap().to_string(), text);
}

#[test]
fn refusals() {
    refused("x = 1 @1", "line 1: 'x' is not declared");
    refused("integer x, x", "declared twice");
    refused("integer x\nx = @1", "expected an expression");
    refused("integer x\nx = 1 @1 @2", "unexpected text");
    refused("integer x\nif x == 1 @1", "no 'end'");
    refused("end", "'end' without");
    refused("else", "'else' without");
    refused("integer i\ndo i = 1, 2 @1\nelse\nend", "does not fit");
    refused("integer i\nselect i @1\ncase default\ncase 1\nend", "after 'case default'");
    refused("integer i\ni = 3000000000 @1", "does not fit its type");
    refused("integer i\ni = atan2(i) @1", "takes 2 to 2");
    refused("real a(3)\na(1:2:3:4) = 0.0 @1", "expected");
    refused("integer i\ncall rt.nothing() @1", "no function of the runtime");
    refused("integer x\nx = 1 @4294967295", "out of range");
    refused("integer x\nx = \"abc @1", "not closed");
    refused("integer x\nx = 1 # 2 @1", "unexpected character");
    refused("integer x\nx = 1:2 @1", "unexpected text");
    refused("subroutine s(a)\nreturn", "'a' is not declared");
    refused("real a(3) static nowhere", "not declared");
    let deep = format!("integer x\nx = {}1{} @1", "(".repeat(3000), ")".repeat(3000));
    let long = format!("integer x\nx = 1{} @1", " + 1".repeat(3000));
    let nested = format!("integer x\n{}", "if x == 1 @1\n".repeat(1100));
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || {
            refused(&deep, "nest deeper");
            refused(&long, "nest deeper");
            refused(&nested, "blocks nest deeper");
        })
        .unwrap()
        .join()
        .unwrap();
}
