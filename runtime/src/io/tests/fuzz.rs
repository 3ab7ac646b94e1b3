//! Hostile formats and hostile input: whatever comes, a statement ends with an outcome.

use super::program::{Datum, Fortran, Random, Statement, read_internal, write_internal};
use trueline_abi::TypeCode;
use trueline_abi::io::{IoOp, IoSpec};

/// Pieces that formats are made of, and pieces that they are not.
const PIECES: &[&str] = &[
    "(",
    ")",
    ",",
    "/",
    ":",
    "$",
    "'",
    "\"",
    "I5",
    "I0",
    "F8.3",
    "F0.0",
    "E12.4",
    "ES9.2E3",
    "EN15.6",
    "G10.3",
    "G0",
    "D9.2",
    "A",
    "A3",
    "L2",
    "X",
    "3X",
    "T5",
    "TL2",
    "TR9",
    "1P",
    "-2P",
    "SP",
    "S",
    "BN",
    "BZ",
    "2H",
    "3HAB",
    "B8",
    "O0",
    "Z4.2",
    "*(",
    "2(",
    "0",
    "999",
    "99999999999",
    "-",
    "+",
    ".",
    "E",
    "RU",
    "DC",
    "I",
    "F",
    "5",
    "\0",
    "\u{e9}",
    " ",
    "P",
    "'it''s'",
    "ab",
    "/)",
];

fn format(random: &mut Random) -> String {
    let body: String = (0..random.below(9)).map(|_| *random.pick(PIECES)).collect();
    if random.below(8) == 0 { body } else { format!("({body})") }
}

fn item(random: &mut Random) -> Datum {
    let bits = random.next();
    match random.below(8) {
        0 => (bits as i8).datum(),
        1 => (bits as i32).datum(),
        2 => (bits as i64 >> random.below(60)).datum(),
        3 => f32::from_bits(bits as u32).datum(),
        4 => f64::from_bits(bits).datum(),
        5 => (bits & 1 == 0).datum(),
        6 => (f64::from_bits(bits), 1.5).datum(),
        _ => (&"some text"[..random.below(10) as usize]).datum(),
    }
}

fn text(random: &mut Random) -> String {
    let alphabet = [
        "1", "2", "99", "*", ",", ";", "/", "'", "\"", "(", ")", " ", "\t", ".", "-", "+", "e", "T", "F", "nan", "inf",
        "x", "\0",
    ];
    (0..random.below(30)).map(|_| *random.pick(&alphabet)).collect()
}

/// As many cases as take a tenth of a second, or as `TRUELINE_CASES` says; then also others each time.
fn effort(seed: u64) -> (u32, Random) {
    match std::env::var("TRUELINE_CASES").ok().and_then(|n| n.parse().ok()) {
        Some(count) => (count, Random(crate::clock::monotonic_nanoseconds() as u64)),
        None => (if cfg!(miri) { 30 } else { 15_000 }, Random(seed)),
    }
}

#[test]
fn any_format_ends_with_an_outcome() {
    let (count, mut random) = effort(3);
    let mut succeeded = 0;
    for _ in 0..count {
        let format = format(&mut random);
        let items: Vec<Datum> = (0..random.below(5)).map(|_| item(&mut random)).collect();
        match write_internal(&format, &items) {
            Ok(_) => succeeded += 1,
            Err(outcome) => assert!(!outcome.message.is_empty(), "{format}: {outcome:?}"),
        }
    }
    assert!(succeeded > count / 15, "only {succeeded} formats were accepted");
}

#[test]
fn any_input_ends_with_an_outcome() {
    let (count, mut random) = effort(4);
    let mut succeeded = 0;
    for round in 0..count {
        let format = if round % 2 == 0 { "*".to_owned() } else { format(&mut random) };
        let text = text(&mut random);
        let mut items: Vec<Datum> = (0..random.below(5)).map(|_| item(&mut random)).collect();
        let outcome = read_internal(&format, &text, &mut items);
        succeeded += u32::from(outcome.iostat == 0);
        assert!(outcome.iostat == 0 || !outcome.message.is_empty(), "{format} of {text:?}: {outcome:?}");
    }
    assert!(succeeded > 1000, "only {succeeded} inputs were accepted");
}

/// Pieces of NAMELIST input for the group of [`read_group`].
const GROUP: &[&str] = &[
    "&g ",
    "&g",
    "$",
    "&",
    "&end",
    "/",
    "n",
    "a",
    "t",
    "c",
    "r",
    "%",
    "%x",
    "%y",
    "(",
    ")",
    "(1)",
    "(2:3)",
    "(3:1:-1)",
    "(:)",
    "(1:2)(1:1)",
    "=",
    " = ",
    ",",
    " ",
    "\n",
    "!",
    "'",
    "\"",
    "'ab'",
    "\"q\"",
    "1",
    "-2",
    "3*",
    "2*5",
    "99999999999",
    "1.5",
    "1e",
    "nan",
    "inf",
    "T",
    "F",
    "x",
    ":",
    ";",
    "\0",
    "\u{e9}",
    "1-",
    "a(2)=1 ",
    "t%x=7 ",
    "n=1 ",
    "r = ",
    "c(2:3)='xy' ",
];

/// Reads records of ten characters as the group `n, a(3), t(2) with x and y(2), c*4(2), r`; everything of it lies between
/// guards, which have to stay.
fn read_group(text: &[u8]) -> i32 {
    const GUARD: u8 = 0x5a;
    let mut memory = [GUARD; 96];
    let mut text = text.to_vec();
    text.resize(text.len().next_multiple_of(10).max(10), b' ');
    let (head, rest) = memory.split_at_mut(8);
    let (n, rest) = rest.split_at_mut(4);
    let (a, rest) = rest.split_at_mut(12);
    let (t, rest) = rest.split_at_mut(24);
    let (c, rest) = rest.split_at_mut(8);
    let (r, tail) = rest.split_at_mut(8);
    let (x, y) = t.split_at_mut(4);
    let outcome = Statement::new(IoOp::Read)
        .internal(&mut text, 10)
        .text(IoSpec::Nml, b"g")
        .object("n", &[])
        .first(n, TypeCode::I4, 0)
        .object("a", &[[1, 3, 4]])
        .first(a, TypeCode::I4, 0)
        .object("t", &[[0, 2, 12]])
        .object("t%x", &[])
        .first(x, TypeCode::I4, 0)
        .object("t%y", &[[1, 2, 4]])
        .first(y, TypeCode::R4, 0)
        .object("c", &[[1, 2, 4]])
        .first(c, TypeCode::Char, 4)
        .object("r", &[])
        .first(r, TypeCode::R8, 0)
        .finish();
    assert!(head.iter().chain(&*tail).all(|&b| b == GUARD), "{:?}", String::from_utf8_lossy(&text));
    outcome.iostat
}

#[test]
fn any_namelist_input_ends_with_an_outcome() {
    let (count, mut random) = effort(6);
    let mut succeeded = 0;
    for round in 0..count {
        let mut text = Vec::new();
        if round % 4 != 0 {
            text.extend_from_slice(b"&g ");
        }
        for _ in 0..random.below(14) {
            match random.below(12) {
                0 => text.push(random.next() as u8),
                _ => text.extend_from_slice(random.pick(GROUP).as_bytes()),
            }
        }
        if round % 3 == 0 {
            text.extend_from_slice(b" /");
        }
        succeeded += u32::from(read_group(&text) == 0);
    }
    assert!(succeeded > count / 30, "only {succeeded} groups were accepted");
}

#[test]
fn random_bytes_are_no_namelist() {
    let (count, mut random) = effort(7);
    for _ in 0..count / 4 {
        let text: Vec<u8> = (0..random.below(200)).map(|_| random.next() as u8).collect();
        read_group(&[b"&g ".as_slice(), &text].concat());
    }
}

#[test]
fn parentheses_that_stay_open_take_no_quadratic_time() {
    let mut text = b"&g c = ".to_vec();
    for _ in 0..if cfg!(miri) { 20 } else { 20_000 } {
        text.extend_from_slice(b"'a' t( ");
    }
    assert_ne!(read_group(&text), 0);
    let open = [b"&g a = 1 ".as_slice(), &b"x \n".repeat(if cfg!(miri) { 20 } else { 20_000 })].concat();
    assert_ne!(read_group(&open), 0);
}

#[test]
fn a_format_deeper_than_any_stack_is_parsed() {
    let depth = if cfg!(miri) { 20 } else { 200_000 };
    let format = "(".repeat(depth) + "I3" + &")".repeat(depth);
    assert_eq!(write_internal(&format, &[7i32.datum()]).unwrap(), "  7");
    let format = "(".repeat(depth);
    assert_eq!(write_internal(&format, &[7i32.datum()]).unwrap_err().iostat, 5006);
    let empty = "(".to_owned() + &"999999999(".repeat(20) + &")".repeat(20) + "I3)";
    assert_eq!(write_internal(&empty, &[7i32.datum()]).unwrap_err().iostat, 5006);
}

#[test]
fn specifiers_that_make_no_sense_are_errors() {
    let mut random = Random(5);
    let words = ["OLD", "new", "SCRATCH", "DIRECT", "append", "YES", "no", "", "x", "READ", "FORMATTED", "\0", "NULL"];
    let specs =
        [IoSpec::Status, IoSpec::Access, IoSpec::Form, IoSpec::Position, IoSpec::Action, IoSpec::Delim, IoSpec::Pad];
    for _ in 0..if cfg!(miri) { 40 } else { 2000 } {
        let number = 900 + random.below(3) as i64;
        let mut statement = Statement::new(IoOp::Open).unit(number).text(IoSpec::File, b"/nonexistent/directory/file");
        for _ in 0..random.below(4) {
            statement = statement.text(*random.pick(&specs), random.pick(&words).as_bytes());
        }
        assert_ne!(statement.finish().iostat, 0);
    }
}

/// Every REAL that is written with all the digits of its kind is read back as it was.
#[test]
fn reals_are_read_back_to_the_bit() {
    let (count, mut random) = effort(8);
    let formats = [("(e30.17e4)", "(e30.17e4)"), ("(g0)", "*"), ("*", "*"), ("(es25.16e3)", "(f25.0)")];
    for round in 0..count {
        let bits = random.next();
        let (write, read) = formats[round as usize % formats.len()];
        let datum = if bits & 1 == 0 {
            let x = f32::from_bits((bits >> 32) as u32);
            if x.is_nan() { continue } else { x.datum() }
        } else {
            let x = f64::from_bits(bits.rotate_left(round % 64));
            if x.is_nan() { continue } else { x.datum() }
        };
        let text = write_internal(write, std::slice::from_ref(&datum)).unwrap();
        let mut back = [Datum { code: datum.code, bytes: vec![0; datum.bytes.len()] }];
        let outcome = read_internal(read, &text, &mut back);
        assert_eq!(outcome.iostat, 0, "{text}");
        assert_eq!(back[0].bytes, datum.bytes, "{text}");
    }
}
