//! Hostile formats and hostile input: whatever comes, a statement ends with an outcome.

use super::program::{Datum, Fortran, Random, Statement, read_internal, write_internal};
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
        None => (15_000, Random(seed)),
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
    assert!(succeeded > 1000, "only {succeeded} formats were accepted");
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

#[test]
fn a_format_deeper_than_any_stack_is_parsed() {
    let depth = 200_000;
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
    for _ in 0..2000 {
        let number = 900 + random.below(3) as i64;
        let mut statement = Statement::new(IoOp::Open).unit(number).text(IoSpec::File, b"/nonexistent/directory/file");
        for _ in 0..random.below(4) {
            statement = statement.text(*random.pick(&specs), random.pick(&words).as_bytes());
        }
        assert_ne!(statement.finish().iostat, 0);
    }
}
