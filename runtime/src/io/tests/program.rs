//! Statements in Rust, as compiled code would execute them.

use crate::io::{
    trueline_io_begin, trueline_io_finish, trueline_io_get, trueline_io_int, trueline_io_object, trueline_io_out,
    trueline_io_put, trueline_io_start, trueline_io_str,
};
use trueline_abi::TypeCode;
use trueline_abi::io::{IO_OK, IoOp, IoSpec};

/// A value of an item.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Datum {
    pub code: TypeCode,
    pub bytes: Vec<u8>,
}

/// A value of a Fortran type.
pub(crate) trait Fortran {
    /// Its code and bytes.
    fn datum(&self) -> Datum;
}

macro_rules! fortran {
    ($($ty:ty => $code:ident),*) => {
        $(impl Fortran for $ty {
            fn datum(&self) -> Datum {
                Datum { code: TypeCode::$code, bytes: self.to_ne_bytes().to_vec() }
            }
        })*
    };
}

fortran!(i8 => I1, i16 => I2, i32 => I4, i64 => I8, f32 => R4, f64 => R8);

impl Fortran for &str {
    fn datum(&self) -> Datum {
        Datum { code: TypeCode::Char, bytes: self.as_bytes().to_vec() }
    }
}

impl Fortran for bool {
    fn datum(&self) -> Datum {
        Datum { code: TypeCode::L4, bytes: i32::from(*self).to_ne_bytes().to_vec() }
    }
}

impl Fortran for (f32, f32) {
    fn datum(&self) -> Datum {
        Datum { code: TypeCode::C4, bytes: [self.0.to_ne_bytes(), self.1.to_ne_bytes()].concat() }
    }
}

impl Fortran for (f64, f64) {
    fn datum(&self) -> Datum {
        Datum { code: TypeCode::C8, bytes: [self.0.to_ne_bytes(), self.1.to_ne_bytes()].concat() }
    }
}

/// The end of a statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub iostat: i32,
    pub message: String,
    pub size: i32,
}

/// The variables of a statement, which the library has the addresses of.
struct Variables {
    iostat: i32,
    message: [u8; 200],
    size: i32,
}

/// A statement with `IOSTAT=` and `IOMSG=`.
pub(crate) struct Statement {
    variables: *mut Variables,
    started: bool,
}

impl Drop for Statement {
    fn drop(&mut self) {
        // SAFETY: `new` has made them, and the statement has ended.
        drop(unsafe { Box::from_raw(self.variables) });
    }
}

impl Statement {
    pub fn new(op: IoOp) -> Statement {
        let variables = Box::into_raw(Box::new(Variables { iostat: 99, message: [b' '; 200], size: -99 }));
        // SAFETY: the location is a literal; the variables live as long as the statement.
        unsafe {
            trueline_io_begin(op as i32, c"test.f90:1".as_ptr().cast());
            let iostat = &raw mut (*variables).iostat;
            trueline_io_out(IoSpec::Iostat as i32, iostat.cast(), TypeCode::I4 as i32, 0);
            let message = &raw mut (*variables).message;
            trueline_io_out(IoSpec::Iomsg as i32, message.cast(), TypeCode::Char as i32, 200);
        }
        Statement { variables, started: false }
    }

    /// READ of `*` or WRITE to it.
    pub fn unit(self, number: i64) -> Statement {
        self.int(IoSpec::Unit, number)
    }

    pub fn int(self, spec: IoSpec, value: i64) -> Statement {
        // SAFETY: any integer may be passed.
        unsafe { trueline_io_int(spec as i32, value) };
        self
    }

    pub fn text(self, spec: IoSpec, text: &[u8]) -> Statement {
        // SAFETY: address and length of a slice.
        unsafe { trueline_io_str(spec as i32, text.as_ptr(), text.len() as i64) };
        self
    }

    pub fn format(self, format: &str) -> Statement {
        if format == "*" { self.int(IoSpec::ListDirected, 1) } else { self.text(IoSpec::Fmt, format.as_bytes()) }
    }

    /// An internal unit of records of `len` characters.
    pub fn internal(self, memory: &mut [u8], len: usize) -> Statement {
        let count = memory.len().checked_div(len).unwrap_or(1);
        // SAFETY: the slice outlives the statement in every test.
        unsafe {
            trueline_io_out(IoSpec::InternalUnit as i32, memory.as_mut_ptr(), TypeCode::Char as i32, len as i64);
        }
        self.int(IoSpec::InternalCount, count as i64)
    }

    pub fn out(self, spec: IoSpec, variable: &mut [u8], code: TypeCode) -> Statement {
        let len = variable.len() as i64;
        // SAFETY: the slice outlives the statement in every test.
        unsafe { trueline_io_out(spec as i32, variable.as_mut_ptr(), code as i32, len) };
        self
    }

    pub fn size(self) -> Statement {
        // SAFETY: the variable lives as long as the statement.
        unsafe {
            let size = &raw mut (*self.variables).size;
            trueline_io_out(IoSpec::Size as i32, size.cast(), TypeCode::I4 as i32, 0);
        }
        self
    }

    fn start(&mut self) {
        if !std::mem::replace(&mut self.started, true) {
            // SAFETY: all specifiers have been passed.
            unsafe { trueline_io_start() };
        }
    }

    pub fn put(mut self, item: &Datum) -> Statement {
        self.start();
        let len = item.bytes.len() as i64;
        // SAFETY: address and length of an item.
        unsafe { trueline_io_put(item.bytes.as_ptr(), item.code as i32, len) };
        self
    }

    pub fn get(mut self, item: &mut Datum) -> Statement {
        self.start();
        let len = item.bytes.len() as i64;
        // SAFETY: address and length of an item.
        unsafe { trueline_io_get(item.bytes.as_mut_ptr(), item.code as i32, len) };
        self
    }

    /// An object of a NAMELIST group, with the lower bound, extent and stride of each of its dimensions.
    pub fn object(mut self, name: &str, dims: &[[i64; 3]]) -> Statement {
        self.start();
        let (text, len) = (name.as_ptr(), name.len() as i64);
        let at = if dims.is_empty() { std::ptr::null() } else { dims.as_ptr().cast() };
        // SAFETY: address and length of a name, and of the dimensions.
        unsafe { trueline_io_object(text, len, at, dims.len() as i32) };
        self
    }

    /// The first element of the object that was named last. `variable` outlives the statement.
    pub fn first(self, variable: &mut [u8], code: TypeCode, len: usize) -> Statement {
        // SAFETY: the slice outlives the statement in every test.
        unsafe { trueline_io_get(variable.as_mut_ptr(), code as i32, len as i64) };
        self
    }

    pub fn finish(mut self) -> Outcome {
        self.start();
        // SAFETY: ends the statement.
        let branch = unsafe { trueline_io_finish() };
        // SAFETY: the statement has ended, so nobody else uses the variables.
        let Variables { iostat, message, size } = unsafe { &*self.variables };
        assert_eq!(branch == IO_OK, *iostat == 0);
        let message = String::from_utf8_lossy(message.trim_ascii_end()).into_owned();
        Outcome { iostat: *iostat, message, size: *size }
    }
}

/// `WRITE(variable, format, IOSTAT=ios) items`: the variable, or the number of the error.
pub(crate) fn write_internal(format: &str, items: &[Datum]) -> std::result::Result<String, Outcome> {
    let mut memory = vec![b'#'; 2000];
    let statement = Statement::new(IoOp::Write).internal(&mut memory, 2000).format(format);
    let outcome = items.iter().fold(statement, Statement::put).finish();
    if outcome.iostat != 0 {
        return Err(outcome);
    }
    Ok(String::from_utf8_lossy(memory.trim_ascii_end()).into_owned())
}

/// `READ(text, format, IOSTAT=ios) items`
pub(crate) fn read_internal(format: &str, text: &str, items: &mut [Datum]) -> Outcome {
    let mut memory = text.as_bytes().to_vec();
    let len = memory.len();
    let statement = Statement::new(IoOp::Read).internal(&mut memory, len).format(format);
    items.iter_mut().fold(statement, Statement::get).finish()
}

/// `WRITE(number, format, IOSTAT=ios) items`
pub(crate) fn write_unit(number: i64, format: &str, items: &[Datum]) -> Outcome {
    let statement = Statement::new(IoOp::Write).unit(number).format(format);
    items.iter().fold(statement, Statement::put).finish()
}

/// `READ(number, format, IOSTAT=ios) items`
pub(crate) fn read_unit(number: i64, format: &str, items: &mut [Datum]) -> Outcome {
    let statement = Statement::new(IoOp::Read).unit(number).format(format);
    items.iter_mut().fold(statement, Statement::get).finish()
}

/// Numbers that look random and are the same each time.
pub(crate) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u64) as usize]
    }
}
