//! Files and units.

use super::{c_string, status, store};
use crate::chars::assign;
use crate::memory::{bytes, bytes_mut};

/// The file descriptor of a unit, as far as it is one of the standard ones.
fn descriptor(unit: i32) -> Option<i32> {
    crate::io::descriptor(unit)
}

/// ISATTY(unit)
///
/// # Safety
/// `unit` is the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_isatty(unit: *const i32) -> i32 {
    // SAFETY: `unit` is the address of an INTEGER; any number may be asked about.
    i32::from(descriptor(unsafe { *unit }).is_some_and(|fd| unsafe { libc::isatty(fd) } == 1))
}

/// TTYNAM(unit)
///
/// # Safety
/// `to` is the address of `len` bytes, `unit` of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ttynam(to: *mut u8, len: i64, unit: *const i32) {
    let mut name = [0u8; 256];
    // SAFETY: the buffer that is passed has as many bytes as the length says.
    let found = descriptor(unsafe { *unit })
        .is_some_and(|fd| unsafe { libc::ttyname_r(fd, name.as_mut_ptr().cast(), name.len() - 1) } == 0);
    let end = if found { name.iter().position(|&b| b == 0).unwrap_or(0) } else { 0 };
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    assign(unsafe { bytes_mut(to, len) }, &name[..end]);
}

/// FNUM(unit): the file descriptor, -1 without one.
///
/// # Safety
/// `unit` is the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fnum(unit: *const i32) -> i32 {
    // SAFETY: a scalar argument is the address of a value of its type.
    descriptor(unsafe { *unit }).unwrap_or(-1)
}

/// UMASK(mask): gives the old mask.
///
/// # Safety
/// `mask` is the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_umask(mask: *const i32) -> i32 {
    // SAFETY: `mask` is the address of an INTEGER.
    unsafe { libc::umask(*mask as libc::mode_t) as i32 }
}

/// CALL UMASK(mask, old)
///
/// # Safety
/// `mask` is the address of an `INTEGER(4)`, `old` null or that of another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_umask_sub(mask: *const i32, old: *mut i32) {
    // SAFETY: `old` is null or a variable of the type that the function gives; the other arguments are the function's
    // own.
    unsafe { store(old, trueline_lib_umask(mask)) };
}

/// CALL TTYNAM(unit, name)
///
/// # Safety
/// `unit` is the address of an `INTEGER(4)`, `to` of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ttynam_sub(unit: *const i32, to: *mut u8, len: i64) {
    // SAFETY: the arguments are those of the function, in the other order.
    unsafe { trueline_lib_ttynam(to, len, unit) };
}

/// ACCESS(name, mode): 0 if the file can be used in all the ways that the letters of `mode` say.
///
/// # Safety
/// The arguments are addresses of at least the bytes that they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_access(name: *const u8, mode: *const u8, name_len: i64, mode_len: i64) -> i32 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let (name, mode) = unsafe { (c_string(bytes(name, name_len)), bytes(mode, mode_len)) };
    let mut bits = 0;
    for c in mode {
        bits |= match c.to_ascii_lowercase() {
            b'r' => libc::R_OK,
            b'w' => libc::W_OK,
            b'x' => libc::X_OK,
            b' ' => libc::F_OK,
            _ => return libc::EINVAL,
        };
    }
    // SAFETY: a C string.
    status(unsafe { libc::access(name.as_ptr(), bits) })
}

/// UNLINK(name)
///
/// # Safety
/// `name` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_unlink(name: *const u8, len: i64) -> i32 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let name = c_string(unsafe { bytes(name, len) });
    // SAFETY: a C string.
    status(unsafe { libc::unlink(name.as_ptr()) })
}

/// CALL UNLINK(name, status)
///
/// # Safety
/// `name` is the address of `len` bytes, `result` null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_unlink_sub(name: *const u8, result: *mut i32, len: i64) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_unlink(name, len)) };
}

macro_rules! two_names {
    ($($function:ident $subroutine:ident $f:ident;)*) => {$(
        /// The function of that name on two paths: 0 or an error number.
        ///
        /// # Safety
        /// The arguments are addresses of at least the bytes that they describe.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(a: *const u8, b: *const u8, a_len: i64, b_len: i64) -> i32 {
            // SAFETY: a CHARACTER argument is its address and its length: each text has the bytes that are read.
            let (a, b) = unsafe { (c_string(bytes(a, a_len)), c_string(bytes(b, b_len))) };
            // SAFETY: C strings.
            status(unsafe { libc::$f(a.as_ptr(), b.as_ptr()) })
        }

        /// The same as a subroutine.
        ///
        /// # Safety
        /// The arguments are addresses of at least the bytes that they describe; `result` may be null.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $subroutine(a: *const u8, b: *const u8, result: *mut i32, a_len: i64, b_len: i64) {
            // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
            // function's own.
            unsafe { store(result, $function(a, b, a_len, b_len)) };
        }
    )*};
}

two_names! {
    trueline_lib_rename trueline_lib_rename_sub rename;
    trueline_lib_link trueline_lib_link_sub link;
    trueline_lib_symlnk trueline_lib_symlnk_sub symlink;
}

/// LOC(x): the address of a variable.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_loc(x: *const u8) -> i64 {
    x as i64
}
