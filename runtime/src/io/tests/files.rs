//! Units that are files. Expected results are those of gfortran 12 for the same statements, unless stated otherwise.

use super::program::{Datum, Fortran, Outcome, Statement, read_unit, write_unit};
use std::path::PathBuf;
use trueline_abi::TypeCode;
use trueline_abi::io::{IoOp, IoSpec};

/// A file that is removed in the end.
struct File(PathBuf);

impl File {
    fn new(name: &str) -> File {
        let path = std::env::temp_dir().join(format!("trueline-io-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        File(path)
    }

    fn open(&self, number: i64, specs: &[(IoSpec, &str)]) -> Outcome {
        let statement = Statement::new(IoOp::Open).unit(number).text(IoSpec::File, self.0.to_str().unwrap().as_bytes());
        specs.iter().fold(statement, |s, (spec, text)| s.text(*spec, text.as_bytes())).finish()
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn simple(op: IoOp, number: i64) -> i32 {
    Statement::new(op).unit(number).finish().iostat
}

fn close(number: i64) -> i32 {
    simple(IoOp::Close, number)
}

fn read_i4(number: i64, format: &str) -> (i32, i32) {
    let mut items = [(-1i32).datum()];
    let outcome = read_unit(number, format, &mut items);
    (outcome.iostat, i32_of(&items[0]))
}

fn i32_of(item: &Datum) -> i32 {
    i32::from_ne_bytes(item.bytes[..4].try_into().unwrap())
}

fn read_text(number: i64, format: &str, len: usize) -> (i32, String) {
    let mut items = [" ".repeat(len).as_str().datum()];
    let outcome = read_unit(number, format, &mut items);
    (outcome.iostat, String::from_utf8(items[0].bytes.clone()).unwrap())
}

/// Unformatted items.
fn put(number: i64, items: &[Datum]) -> i32 {
    items.iter().fold(Statement::new(IoOp::Write).unit(number), Statement::put).finish().iostat
}

fn get(number: i64, count: usize) -> (i32, Vec<i32>) {
    let mut items = vec![(-1i32).datum(); count];
    let statement = Statement::new(IoOp::Read).unit(number);
    let outcome = items.iter_mut().fold(statement, Statement::get).finish();
    (outcome.iostat, items.iter().map(i32_of).collect())
}

#[test]
fn lines_are_written_read_and_end() {
    let file = File::new("lines");
    assert_eq!(file.open(101, &[(IoSpec::Status, "NEW")]).iostat, 0);
    for i in 1..=3 {
        assert_eq!(write_unit(101, "(I4)", &[i.datum()]).iostat, 0);
    }
    simple(IoOp::Rewind, 101);
    assert_eq!([read_i4(101, "*"), read_i4(101, "(I4)"), read_i4(101, "*")], [(0, 1), (0, 2), (0, 3)]);
    assert_eq!(read_i4(101, "*").0, -1);
    assert_eq!(read_i4(101, "*").0, 5001);
    assert_eq!(write_unit(101, "*", &[1i32.datum()]).iostat, 5001);
    // Over the endfile record first, then over a line.
    assert_eq!(simple(IoOp::Backspace, 101), 0);
    assert_eq!(simple(IoOp::Backspace, 101), 0);
    assert_eq!(read_i4(101, "*"), (0, 3));
    // Output in the middle ends the file there.
    simple(IoOp::Rewind, 101);
    assert_eq!(read_i4(101, "*"), (0, 1));
    assert_eq!(write_unit(101, "(I4)", &[9i32.datum()]).iostat, 0);
    assert_eq!(close(101), 0);
    assert_eq!(file.text(), "   1\n   9\n");
}

#[test]
fn non_advancing_output_and_input() {
    let file = File::new("nonadvancing");
    assert_eq!(file.open(102, &[]).iostat, 0);
    let write = |format: &str, text: &str, advance: &str| {
        let statement = Statement::new(IoOp::Write).unit(102).format(format).text(IoSpec::Advance, advance.as_bytes());
        assert_eq!(statement.put(&text.datum()).finish().iostat, 0);
    };
    write("(A,2X)", "ab", "NO");
    write("(T2,A)", "cd", "no");
    write("(A)", "ef", "YES");
    write("(A)", "last", "NO");
    simple(IoOp::Rewind, 102);
    assert_eq!(file.text(), "ab   cdef\nlast\n");
    let read = |format: &str| {
        let mut item = "          ".datum();
        let statement = Statement::new(IoOp::Read).unit(102).format(format).text(IoSpec::Advance, b"NO").size();
        let outcome = statement.get(&mut item).finish();
        (outcome.iostat, outcome.size, String::from_utf8(item.bytes).unwrap().trim_end().to_owned())
    };
    assert_eq!(read("(A2)"), (0, 2, "ab".into()));
    assert_eq!(read("(3X,A)"), (-2, 4, "cdef".into()));
    assert_eq!(read("(A4)"), (0, 4, "last".into()));
    assert_eq!(read("(A4)"), (-2, 0, "".into()));
    assert_eq!(read("(A4)").0, -1);
    assert_eq!(close(102), 0);
}

#[test]
fn tabs_go_back_and_write_over() {
    let write = |format: &str| super::program::write_internal(format, &["abcd".datum(), "xy".datum()]).unwrap();
    assert_eq!(write("(A,T2,A)"), "axyd");
    assert_eq!(write("(A,TL2,A)"), "abxy");
    assert_eq!(write("(A,TL9,A)"), "xycd");
    assert_eq!(write("(A,T9,A)"), "abcd    xy");
    assert_eq!(write("(T5,A,T1,A)"), "xy  abcd");
    assert_eq!(write("(A,3X,TL2,A)"), "abcd xy");
}

#[test]
fn unformatted_records_have_markers() {
    let file = File::new("unformatted");
    let form = [(IoSpec::Form, "UNFORMATTED")];
    assert_eq!(file.open(103, &form).iostat, 0);
    assert_eq!(put(103, &[1i32.datum(), 2i32.datum()]), 0);
    assert_eq!(put(103, &[]), 0);
    assert_eq!(put(103, &[3i32.datum()]), 0);
    assert_eq!(simple(IoOp::Backspace, 103), 0);
    assert_eq!(get(103, 1), (0, vec![3]));
    simple(IoOp::Rewind, 103);
    assert_eq!(get(103, 1), (0, vec![1]));
    assert_eq!(get(103, 1).0, 5016);
    assert_eq!(get(103, 1), (0, vec![3]));
    assert_eq!(get(103, 1).0, -1);
    assert_eq!(read_i4(103, "*").0, 5001);
    assert_eq!(close(103), 0);
    let words: Vec<i32> =
        std::fs::read(&file.0).unwrap().chunks(4).map(|c| i32::from_ne_bytes(c.try_into().unwrap())).collect();
    assert_eq!(words, [8, 1, 2, 8, 0, 0, 4, 3, 4]);
    std::fs::write(&file.0, [1, 2, 3]).unwrap();
    assert_eq!(file.open(103, &form).iostat, 0);
    assert_eq!(get(103, 1).0, 5017);
    assert_eq!(close(103), 0);
}

#[test]
#[cfg_attr(miri, ignore = "long records take Miri hours")]
fn long_records_are_cut_into_subrecords() {
    let file = File::new("subrecords");
    assert_eq!(file.open(112, &[(IoSpec::Form, "UNFORMATTED")]).iostat, 0);
    let long: Vec<Datum> = (0..625i32).map(|i| i.datum()).collect();
    assert_eq!(put(112, &[5i32.datum()]), 0);
    assert_eq!(put(112, &long), 0);
    assert_eq!(put(112, &[6i32.datum()]), 0);
    assert_eq!(simple(IoOp::Backspace, 112), 0);
    assert_eq!(simple(IoOp::Backspace, 112), 0);
    assert_eq!(get(112, 625), (0, (0..625).collect()));
    assert_eq!(simple(IoOp::Backspace, 112), 0);
    assert_eq!(get(112, 300), (0, (0..300).collect()));
    assert_eq!(get(112, 1), (0, vec![6]));
    assert_eq!(close(112), 0);
    let bytes = std::fs::read(&file.0).unwrap();
    let marker = |at: usize| i32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap());
    // As gfortran -fmax-subrecord-length=1000 writes it.
    let markers = [12, 1016, 1020, 2024, 2028, 2532].map(marker);
    assert_eq!(markers, [-1000, 1000, -1000, -1000, 500, -500]);
}

#[test]
fn direct_access() {
    let file = File::new("direct");
    let open = |form: &str| {
        let name = file.0.to_str().unwrap().to_owned();
        let statement = Statement::new(IoOp::Open).unit(104).text(IoSpec::File, name.as_bytes());
        let statement = statement.text(IoSpec::Access, b"DIRECT").text(IoSpec::Form, form.as_bytes());
        assert_eq!(statement.int(IoSpec::Recl, 8).finish().iostat, 0);
    };
    let rec = |op, n| Statement::new(op).unit(104).int(IoSpec::Rec, n);
    open("UNFORMATTED");
    assert_eq!(rec(IoOp::Write, 2).put(&7i32.datum()).finish().iostat, 0);
    assert_eq!(rec(IoOp::Write, 2).put(&7i32.datum()).put(&8i32.datum()).put(&9i32.datum()).finish().iostat, 5015);
    let mut item = 0i32.datum();
    assert_eq!(rec(IoOp::Read, 2).get(&mut item).finish().iostat, 0);
    assert_eq!(i32_of(&item), 7);
    assert_eq!(rec(IoOp::Read, 3).get(&mut item).finish().iostat, 5002);
    assert_eq!(rec(IoOp::Read, 0).get(&mut item).finish().iostat, 5002);
    assert_eq!(get(104, 1).0, 5003);
    assert_eq!(close(104), 0);
    std::fs::remove_file(&file.0).unwrap();
    open("FORMATTED");
    assert_eq!(rec(IoOp::Write, 1).format("(A/A)").put(&"ab".datum()).put(&"cd".datum()).finish().iostat, 0);
    assert_eq!(rec(IoOp::Write, 1).format("(A)").put(&"123456789".datum()).finish().iostat, -2);
    assert_eq!(close(104), 0);
    assert_eq!(file.text(), "ab      cd      ");
}

#[test]
fn stream_access_and_byte_order() {
    let file = File::new("stream");
    let specs = [(IoSpec::Access, "STREAM"), (IoSpec::Convert, "BIG_ENDIAN")];
    assert_eq!(file.open(105, &specs).iostat, 0);
    assert_eq!(put(105, &[1i32.datum(), "xy".datum()]), 0);
    let mut position = 0i32.to_ne_bytes();
    Statement::new(IoOp::Inquire).unit(105).out(IoSpec::Pos, &mut position, TypeCode::I4).finish();
    assert_eq!(i32::from_ne_bytes(position), 7);
    let mut item = 0i32.datum();
    let statement = Statement::new(IoOp::Read).unit(105).int(IoSpec::Pos, 1);
    assert_eq!(statement.get(&mut item).finish().iostat, 0);
    assert_eq!(i32_of(&item), 1);
    assert_eq!(close(105), 0);
    assert_eq!(std::fs::read(&file.0).unwrap(), b"\0\0\0\x01xy");
}

#[test]
fn lists_span_records() {
    let file = File::new("list");
    std::fs::write(&file.0, "1, 2*7 ,\n, 'it''s\n me' 3\r\n(1.5\n,-2) /\nnext\n\nlast").unwrap();
    assert_eq!(file.open(106, &[]).iostat, 0);
    let mut items = vec![
        0i32.datum(),
        0i32.datum(),
        0i32.datum(),
        5i32.datum(),
        "          ".datum(),
        0i32.datum(),
        (0f64, 0f64).datum(),
        4i32.datum(),
    ];
    assert_eq!(read_unit(106, "*", &mut items).iostat, 0);
    let expected = vec![
        1i32.datum(),
        7i32.datum(),
        7i32.datum(),
        5i32.datum(),
        "it's me   ".datum(),
        3i32.datum(),
        (1.5, -2.0).datum(),
        4i32.datum(),
    ];
    assert_eq!(items, expected);
    assert_eq!(read_text(106, "*", 4), (0, "next".into()));
    assert_eq!(read_text(106, "(A)", 4), (0, "    ".into()));
    assert_eq!(read_text(106, "(A)", 4), (0, "last".into()));
    assert_eq!(read_text(106, "(A)", 4).0, -1);
    assert_eq!(close(106), 0);
}

#[test]
fn open_says_what_is_wrong() {
    let file = File::new("open");
    let missing = file.open(107, &[(IoSpec::Status, "OLD")]);
    assert_eq!(missing.iostat, libc::ENOENT);
    assert!(
        missing.message.starts_with("Cannot open file '") && missing.message.ends_with("No such file or directory")
    );
    assert_eq!(file.open(107, &[(IoSpec::Status, "NEW"), (IoSpec::Action, "WRITE")]).iostat, 0);
    assert_eq!(read_i4(107, "*").0, 5007);
    assert_eq!(file.open(107, &[(IoSpec::Action, "READ")]).message, "Cannot change ACTION parameter in OPEN statement");
    assert_eq!(close(107), 0);
    assert_eq!(file.open(107, &[(IoSpec::Status, "NEW")]).iostat, libc::EEXIST);
    assert_eq!(file.open(107, &[(IoSpec::Status, "SOMETIMES")]).message, "Bad STATUS parameter in OPEN statement");
    assert_eq!(file.open(107, &[(IoSpec::Access, "DIRECT")]).iostat, 5003);
    let delete = Statement::new(IoOp::Close).unit(107).text(IoSpec::Status, b"DELETE");
    assert_eq!(file.open(107, &[]).iostat, 0);
    assert_eq!(delete.finish().iostat, 0);
    assert!(!file.0.exists());
}

#[test]
#[cfg_attr(miri, ignore = "there is no /dev/full")]
fn a_full_disk_is_an_error_of_the_statement() {
    // libgfortran loses the output and says that all is well.
    let open = |number| Statement::new(IoOp::Open).unit(number).text(IoSpec::File, b"/dev/full").finish().iostat;
    assert_eq!(open(108), 0);
    assert_eq!(write_unit(108, "*", &[1i32.datum()]).iostat, 0);
    assert_eq!(close(108), libc::ENOSPC);
    assert_eq!(open(109), 0);
    assert_eq!(write_unit(109, "*", &[1i32.datum()]).iostat, 0);
    assert_eq!(simple(IoOp::Flush, 109), libc::ENOSPC);
    // The error is reported once: output that could not be written is not written again.
    assert_eq!(close(109), 0);
}

#[test]
fn a_unit_in_use_is_not_used_again() {
    let file = File::new("recursive");
    assert_eq!(file.open(110, &[]).iostat, 0);
    let outer = Statement::new(IoOp::Write).unit(110).format("*").put(&1i32.datum());
    assert_eq!(write_unit(110, "*", &[2i32.datum()]).iostat, 5005);
    let mut memory = vec![b' '; 4];
    let inner = Statement::new(IoOp::Write).internal(&mut memory, 4).format("(I4)");
    assert_eq!(inner.put(&3i32.datum()).finish().iostat, 0);
    assert_eq!(outer.put(&4i32.datum()).finish().iostat, 0);
    assert_eq!(memory, b"   3");
    assert_eq!(close(110), 0);
    assert_eq!(file.text(), "           1           4\n");
}

/// A thread that waits for a unit is woken when any unit comes back: it waits on, and the unit stays the other one's.
#[test]
fn threads_wait_for_the_unit_of_another() {
    let (file, other) = (File::new("waits"), File::new("waits-not"));
    assert_eq!([file.open(130, &[]).iostat, other.open(131, &[]).iostat], [0, 0]);
    let outer = Statement::new(IoOp::Write).unit(130).format("*").put(&1i32.datum());
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| write_unit(130, "*", &[3i32.datum()]));
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(write_unit(131, "*", &[2i32.datum()]).iostat, 0);
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert_eq!(write_unit(130, "*", &[2i32.datum()]).iostat, 5005);
        assert_eq!(outer.finish().iostat, 0);
        assert_eq!(waits.join().unwrap().iostat, 0);
    });
    assert_eq!([close(130), close(131)], [0, 0]);
    assert_eq!(file.text(), "           1\n           3\n");
}

/// Threads that connect one unit at a time, by OPEN and without, connect it once.
#[test]
fn threads_connect_a_unit_once() {
    const THREADS: i32 = if cfg!(miri) { 3 } else { 8 };
    let (file, implicit) = (File::new("once"), PathBuf::from("fort.132"));
    let start = std::sync::Barrier::new(THREADS as usize);
    std::thread::scope(|scope| {
        for k in 0..THREADS {
            let (file, start) = (&file, &start);
            scope.spawn(move || {
                start.wait();
                assert_eq!(write_unit(132, "(I4)", &[k.datum()]).iostat, 0);
                start.wait();
                assert_eq!(file.open(133, &[]).iostat, 0);
                assert_eq!(write_unit(133, "(I4)", &[k.datum()]).iostat, 0);
            });
        }
    });
    assert_eq!([close(132), close(133)], [0, 0]);
    for text in [std::fs::read_to_string(&implicit).unwrap(), file.text()] {
        let mut lines: Vec<i32> = text.lines().map(|l| l.trim().parse().unwrap()).collect();
        lines.sort_unstable();
        assert_eq!(lines, (0..THREADS).collect::<Vec<_>>());
    }
    std::fs::remove_file(implicit).unwrap();
}

#[test]
fn internal_units_are_arrays_of_records() {
    let mut memory = vec![b'#'; 12];
    let statement = Statement::new(IoOp::Write).internal(&mut memory, 4).format("(I3)");
    let outcome = (1..=3i32).fold(statement, |s, i| s.put(&i.datum())).finish();
    assert_eq!((outcome.iostat, memory.as_slice()), (0, &b"  1   2   3 "[..]));
    let statement = Statement::new(IoOp::Write).internal(&mut memory, 4).format("(I3)");
    assert_eq!((1..=4i32).fold(statement, |s, i| s.put(&i.datum())).finish().iostat, -1);
    let statement = Statement::new(IoOp::Write).internal(&mut memory, 4).format("(I5)");
    assert_eq!(statement.put(&1i32.datum()).finish().iostat, -2);
    let mut items = [0i32.datum(), 0i32.datum(), 0i32.datum(), 0i32.datum()];
    let statement = Statement::new(IoOp::Read).internal(&mut memory, 4).format("*");
    let outcome = items.iter_mut().fold(statement, Statement::get).finish();
    assert_eq!((outcome.iostat, i32_of(&items[2])), (-1, 3));
}

#[test]
#[cfg_attr(miri, ignore = "asks the system whether files are there, by a call that Miri has not")]
fn inquire_tells_what_is_connected() {
    let file = File::new("inquire");
    assert_eq!(file.open(111, &[(IoSpec::Position, "APPEND"), (IoSpec::Action, "WRITE")]).iostat, 0);
    let ask = |spec| {
        let mut answer = vec![b'?'; 12];
        let outcome = Statement::new(IoOp::Inquire).unit(111).out(spec, &mut answer, TypeCode::Char).finish();
        assert_eq!(outcome.iostat, 0);
        String::from_utf8(answer).unwrap().trim_end().to_owned()
    };
    let answers =
        [IoSpec::Access, IoSpec::Form, IoSpec::Action, IoSpec::Position, IoSpec::ReadAllowed, IoSpec::Direct].map(ask);
    assert_eq!(answers, ["SEQUENTIAL", "FORMATTED", "WRITE", "APPEND", "NO", "NO"]);
    let (mut number, mut exist) = (0i32.to_ne_bytes(), 0i32.to_ne_bytes());
    let name = file.0.to_str().unwrap().as_bytes().to_vec();
    let statement = Statement::new(IoOp::Inquire).text(IoSpec::File, &name);
    let statement = statement.out(IoSpec::Number, &mut number, TypeCode::I4);
    assert_eq!(statement.out(IoSpec::Exist, &mut exist, TypeCode::L4).finish().iostat, 0);
    assert_eq!((i32::from_ne_bytes(number), i32::from_ne_bytes(exist)), (111, 1));
    assert_eq!(close(111), 0);
}
