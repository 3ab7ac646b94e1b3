//! Bytes of units: FGETC, FGET, FPUTC, FPUT, FSEEK, FTELL.

use super::store;
use crate::io::single;
use crate::memory::{bytes, bytes_mut};

/// The units that FGET reads and FPUT writes.
const INPUT: i32 = 5;
const OUTPUT: i32 = 6;

/// The result of FGETC at the end of the file.
const END: i32 = -1;

fn get(unit: i32, to: &mut [u8]) -> i32 {
    to.fill(b' ');
    match single::get(unit) {
        Ok(Some(byte)) => {
            if let Some(first) = to.first_mut() {
                *first = byte;
            }
            0
        }
        Ok(None) => END,
        Err(code) => code,
    }
}

fn put(unit: i32, from: &[u8]) -> i32 {
    single::put(unit, from.first().copied().unwrap_or(b' ')).err().unwrap_or(0)
}

/// FGETC(unit, c): 0, -1 at the end of the file, or an error number.
///
/// # Safety
/// `unit` is the address of an `INTEGER(4)`, `c` of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fgetc(unit: *const i32, c: *mut u8, len: i64) -> i32 {
    // SAFETY: `unit` is the address of an INTEGER, and the CHARACTER argument has `len` bytes.
    unsafe { get(*unit, bytes_mut(c, len)) }
}

/// CALL FGETC(unit, c, status)
///
/// # Safety
/// As of the function; `result` is null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fgetc_sub(unit: *const i32, c: *mut u8, result: *mut i32, len: i64) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_fgetc(unit, c, len)) };
}

/// FGET(c)
///
/// # Safety
/// `c` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fget(c: *mut u8, len: i64) -> i32 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    get(INPUT, unsafe { bytes_mut(c, len) })
}

/// CALL FGET(c, status)
///
/// # Safety
/// As of the function; `result` is null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fget_sub(c: *mut u8, result: *mut i32, len: i64) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_fget(c, len)) };
}

/// FPUTC(unit, c): 0 or an error number.
///
/// # Safety
/// `unit` is the address of an `INTEGER(4)`, `c` of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fputc(unit: *const i32, c: *const u8, len: i64) -> i32 {
    // SAFETY: `unit` is the address of an INTEGER, and the CHARACTER argument has `len` bytes.
    unsafe { put(*unit, bytes(c, len)) }
}

/// CALL FPUTC(unit, c, status)
///
/// # Safety
/// As of the function; `result` is null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fputc_sub(unit: *const i32, c: *const u8, result: *mut i32, len: i64) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_fputc(unit, c, len)) };
}

/// FPUT(c)
///
/// # Safety
/// `c` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fput(c: *const u8, len: i64) -> i32 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    put(OUTPUT, unsafe { bytes(c, len) })
}

/// CALL FPUT(c, status)
///
/// # Safety
/// As of the function; `result` is null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fput_sub(c: *const u8, result: *mut i32, len: i64) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_fput(c, len)) };
}

/// FTELL(unit): the offset of the next byte, -1 if the unit is not connected.
///
/// # Safety
/// `unit` is the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ftell(unit: *const i32) -> i64 {
    // SAFETY: a scalar argument is the address of a value of its type.
    single::tell(unsafe { *unit }).map_or(-1, |at| at as i64)
}

/// CALL FTELL(unit, offset)
///
/// # Safety
/// `unit` is the address of an `INTEGER(4)`, `offset` of an `INTEGER(8)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ftell_sub(unit: *const i32, offset: *mut i64) {
    // SAFETY: `offset` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(offset, trueline_lib_ftell(unit)) };
}

/// CALL FSEEK(unit, offset, whence, status)
///
/// # Safety
/// The arguments are addresses of numbers; `result` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fseek_sub(
    unit: *const i32,
    offset: *const i64,
    whence: *const i32,
    result: *mut i32,
) {
    // SAFETY: `result` is null or the address of the array or variable that the procedure of gfortran's library
    // defines.
    unsafe { store(result, single::seek(*unit, *offset, *whence).err().unwrap_or(0)) };
}
