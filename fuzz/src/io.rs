//! Input and output of compiled programs: formats, list-directed input, NAMELIST.

/// The statements as the runtime's own tests execute them.
#[path = "../../runtime/src/io/tests/program.rs"]
#[allow(dead_code, unsafe_code)]
mod program;

// The statements look for these functions here.
use trueline_runtime::io::{
    trueline_io_begin, trueline_io_finish, trueline_io_get, trueline_io_int, trueline_io_object, trueline_io_out,
    trueline_io_put, trueline_io_start, trueline_io_str,
};

use program::{Datum, Fortran, Statement, read_internal, write_internal};
use trueline_abi::TypeCode;
use trueline_abi::io::{IoOp, IoSpec};

/// The items of each statement: one of each type.
fn items() -> Vec<Datum> {
    vec![42i32.datum(), (-1.5f64).datum(), "text".datum(), true.datum(), (1.5f32, 0.1f32).datum(), 7i8.datum()]
}

/// The first line is a format, the rest is read by it.
pub fn format(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let (format, input) = text.split_once('\n').unwrap_or((&text, "1 2 3"));
    if let Err(outcome) = write_internal(format, &items()) {
        assert!(!outcome.message.is_empty(), "{format}: {outcome:?}");
    }
    let outcome = read_internal(format, input, &mut items());
    assert!(outcome.iostat == 0 || !outcome.message.is_empty(), "{format} of {input:?}: {outcome:?}");
}

pub fn list_input(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let outcome = read_internal("*", &text, &mut items());
    assert!(outcome.iostat == 0 || !outcome.message.is_empty(), "{text:?}: {outcome:?}");
}

/// Records of 16 characters are read as the group `n, a(3), c*4(2)`, which lies between guards.
pub fn namelist(text: &[u8]) {
    const GUARD: u8 = 0x5a;
    let mut memory = [GUARD; 40];
    let mut text = text.to_vec();
    text.resize(text.len().next_multiple_of(16).max(16), b' ');
    let (head, rest) = memory.split_at_mut(8);
    let (n, rest) = rest.split_at_mut(4);
    let (a, rest) = rest.split_at_mut(12);
    let (c, tail) = rest.split_at_mut(8);
    let outcome = Statement::new(IoOp::Read)
        .internal(&mut text, 16)
        .text(IoSpec::Nml, b"g")
        .object("n", &[])
        .first(n, TypeCode::I4, 0)
        .object("a", &[[1, 3, 4]])
        .first(a, TypeCode::R4, 0)
        .object("c", &[[1, 2, 4]])
        .first(c, TypeCode::Char, 4)
        .finish();
    assert!(head.iter().chain(&*tail).all(|&b| b == GUARD), "{:?}", String::from_utf8_lossy(&text));
    assert!(outcome.iostat == 0 || !outcome.message.is_empty(), "{outcome:?}");
}
