//! The process, its environment, and other programs.

use super::{c_string, status, store};
use crate::chars::assign;
use crate::memory::{bytes, bytes_mut};

/// CALL ABORT
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_abort_sub() -> ! {
    crate::io::flush_standard();
    if crate::ranks::tells_fault() {
        crate::exit::tell(b"\nProgram aborted.\n");
    }
    crate::exit::finish(1);
    // SAFETY: the signal has its default action, which ends the process.
    unsafe {
        libc::signal(libc::SIGABRT, libc::SIG_DFL);
        libc::abort()
    }
}

/// CALL BACKTRACE
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_backtrace_sub() {
    crate::io::flush_standard();
    crate::exit::tell(&crate::backtrace::text());
}

/// MALLOC(size): the address of new memory.
///
/// # Safety
/// `size` is the address of an `INTEGER(8)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_malloc(size: *const i64) -> i64 {
    // SAFETY: `size` is the address of a number; the system refuses an absurd one and gives null.
    unsafe { libc::malloc(usize::try_from(*size).unwrap_or(0)) as i64 }
}

/// CALL FREE(address)
///
/// # Safety
/// `address` is the address of an `INTEGER(8)` that MALLOC has given, or zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_free_sub(address: *const i64) {
    // SAFETY: `address` is a variable with an address that MALLOC gave, which FREE takes once.
    unsafe { libc::free(*address as *mut libc::c_void) };
}

/// CALL GETENV(name, value)
///
/// # Safety
/// The arguments are addresses of at least the bytes that they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_getenv_sub(name: *const u8, to: *mut u8, name_len: i64, to_len: i64) {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let (name, to) = unsafe { (bytes(name, name_len), bytes_mut(to, to_len)) };
    let name = c_string(name);
    let usable = !name.as_bytes().is_empty() && !name.as_bytes().contains(&b'=');
    let found = usable.then(|| std::env::var_os(std::ffi::OsStr::from_bytes(name.as_bytes()))).flatten();
    assign(to, &found.map(OsStringExt::into_vec).unwrap_or_default());
}

fn run(command: &[u8]) -> i32 {
    crate::io::flush_all();
    let command = c_string(command);
    // SAFETY: a C string.
    unsafe { libc::system(command.as_ptr()) }
}

/// SYSTEM(command): the result of the C function.
///
/// # Safety
/// `command` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_system(command: *const u8, len: i64) -> i32 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    run(unsafe { bytes(command, len) })
}

/// CALL SYSTEM(command, status)
///
/// # Safety
/// `command` is the address of `len` bytes, `result` null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_system_sub(command: *const u8, result: *mut i32, len: i64) {
    // SAFETY: the text has `len` bytes; `result` is null or the address of an INTEGER, which `store` writes.
    unsafe { store(result, run(bytes(command, len))) };
}

macro_rules! number {
    ($($symbol:ident $f:ident;)*) => {$(
        /// The number of that name.
        ///
        /// # Safety
        /// Always safe to call.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol() -> i32 {
            // SAFETY: always safe to call.
            unsafe { libc::$f() as i32 }
        }
    )*};
}

number! {
    trueline_lib_getpid getpid;
    trueline_lib_getuid getuid;
    trueline_lib_getgid getgid;
}

/// Fills `to` by a C function that writes a string of at most the given number of bytes.
fn filled(to: &mut [u8], f: impl FnOnce(*mut libc::c_char, usize) -> bool) -> i32 {
    let mut buffer = vec![0u8; 4096];
    let fine = f(buffer.as_mut_ptr().cast(), buffer.len() - 1);
    let end = buffer.iter().position(|&b| b == 0).unwrap_or(0);
    assign(to, if fine { &buffer[..end] } else { b"" });
    if fine { 0 } else { status(-1) }
}

/// HOSTNM(name)
///
/// # Safety
/// `to` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_hostnm(to: *mut u8, len: i64) -> i32 {
    // SAFETY: the buffer that is passed has as many bytes as the length says.
    filled(unsafe { bytes_mut(to, len) }, |at, size| unsafe { libc::gethostname(at, size) } == 0)
}

/// CALL HOSTNM(name, status)
///
/// # Safety
/// `to` is the address of `len` bytes, `result` null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_hostnm_sub(to: *mut u8, result: *mut i32, len: i64) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_hostnm(to, len)) };
}

/// CALL GETLOG(name)
///
/// # Safety
/// `to` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_getlog_sub(to: *mut u8, len: i64) {
    // SAFETY: the C library gives null or a C string of its own.
    let name = unsafe {
        let name = libc::getlogin();
        if name.is_null() { b"".as_slice() } else { std::ffi::CStr::from_ptr(name).to_bytes() }
    };
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    assign(unsafe { bytes_mut(to, len) }, name);
}

/// GETCWD(directory)
///
/// # Safety
/// `to` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_getcwd(to: *mut u8, len: i64) -> i32 {
    // SAFETY: the buffer that is passed has as many bytes as the length says.
    filled(unsafe { bytes_mut(to, len) }, |at, size| !unsafe { libc::getcwd(at, size) }.is_null())
}

/// CALL GETCWD(directory, status)
///
/// # Safety
/// `to` is the address of `len` bytes, `result` null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_getcwd_sub(to: *mut u8, result: *mut i32, len: i64) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_getcwd(to, len)) };
}

/// CHDIR(directory)
///
/// # Safety
/// `name` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_chdir(name: *const u8, len: i64) -> i32 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let name = c_string(unsafe { bytes(name, len) });
    // SAFETY: a C string.
    status(unsafe { libc::chdir(name.as_ptr()) })
}

/// CALL CHDIR(directory, status)
///
/// # Safety
/// `name` is the address of `len` bytes, `result` null or the address of an `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_chdir_sub(name: *const u8, result: *mut i32, len: i64) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_chdir(name, len)) };
}

/// KILL(process, signal)
///
/// # Safety
/// The arguments are addresses of `INTEGER(4)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_kill(process: *const i32, signal: *const i32) -> i32 {
    // SAFETY: both arguments are addresses of INTEGER values; the system refuses wrong numbers.
    status(unsafe { libc::kill(*process, *signal) })
}

/// CALL KILL(process, signal, status)
///
/// # Safety
/// The arguments are addresses of `INTEGER(4)`, `result` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_kill_sub(process: *const i32, signal: *const i32, result: *mut i32) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_kill(process, signal)) };
}

/// IERRNO(): the last error of the system.
///
/// # Safety
/// Always safe to call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_ierrno() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// CALL GERROR(text): the text of the last error of the system.
///
/// # Safety
/// `to` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_gerror_sub(to: *mut u8, len: i64) {
    // SAFETY: always safe to call.
    let text = crate::io::system_text(unsafe { trueline_lib_ierrno() });
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    assign(unsafe { bytes_mut(to, len) }, text.as_bytes());
}

/// CALL PERROR(text): prints it with the text of the last error of the system.
///
/// # Safety
/// `text` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_perror_sub(text: *const u8, len: i64) {
    // SAFETY: always safe to call.
    let error = crate::io::system_text(unsafe { trueline_lib_ierrno() });
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let text = crate::chars::trimmed(unsafe { bytes(text, len) });
    crate::io::flush_standard();
    crate::exit::tell(&[text, b": ", error.as_bytes(), b"\n"].concat());
}

/// Is given a VOLATILE variable before each mention of it: for all that the compiler knows, its value changes here.
///
/// # Safety
/// Always safe to call; nothing is read or written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_volatile(_variable: *mut u8) {}
