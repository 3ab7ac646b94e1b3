//! Start and end of the program: what `main` calls, STOP, ERROR STOP and run-time errors.

use crate::exit::{finish, leave, runtime_error, tell};
use crate::memory::{bytes, c_text};

/// Runs the program: keeps the command line, calls `program`, closes the units, returns the exit code.
///
/// # Safety
/// `argv` holds `argc` C strings that live as long as the program; `program` is the address of a
/// function without arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_start(argc: i32, argv: *mut u8, program: *mut u8) -> i32 {
    // SAFETY: the caller passes what the C library passed to `main`.
    unsafe { crate::args::keep(argc, argv) };
    crate::signals::install();
    // SAFETY: `program` is the address of the compiled main program, which has this type.
    let program: extern "C" fn() = unsafe { std::mem::transmute(program) };
    crate::profile::begin_if_profiled();
    program();
    finish(0)
}

/// STOP with an integer code.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_stop_int(code: i64) -> ! {
    stop(format!("STOP {code}\n").as_bytes(), exit_code(code))
}

/// STOP without a code (`text` is null), or with text.
///
/// # Safety
/// `text` is null or the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_stop_text(text: *const u8, len: i64) -> ! {
    if text.is_null() {
        stop(b"", 0);
    }
    // SAFETY: the caller passes a character value and its length.
    stop(&[b"STOP ".as_slice(), unsafe { bytes(text, len) }, b"\n"].concat(), 0)
}

/// ERROR STOP with an integer code.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_error_stop_int(code: i64) -> ! {
    stop(format!("ERROR STOP {code}\n").as_bytes(), exit_code(code))
}

/// ERROR STOP without a code (`text` is null), or with text.
///
/// # Safety
/// `text` is null or the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_error_stop_text(text: *const u8, len: i64) -> ! {
    // SAFETY: the caller passes a character value and its length, or null.
    stop(&[b"ERROR STOP ".as_slice(), unsafe { bytes(text, len) }, b"\n"].concat(), 1)
}

/// A run-time error of the program.
///
/// # Safety
/// `location` is null or NUL-terminated; `text` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_runtime_error(location: *const u8, text: *const u8, len: i64) -> ! {
    // SAFETY: the caller passes a literal location and a character value.
    let (location, text) = unsafe { (c_text(location), bytes(text, len)) };
    runtime_error(location, text)
}

/// Index `index` of dimension `dim` of `name` is outside `lower:upper`.
///
/// # Safety
/// `location` is null or NUL-terminated; `name` is the address of `name_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_bounds_error(
    location: *const u8,
    name: *const u8,
    name_len: i64,
    dim: i32,
    index: i64,
    lower: i64,
    upper: i64,
) -> ! {
    // SAFETY: the caller passes a literal location and a literal name.
    let (location, name) = unsafe { (c_text(location), bytes(name, name_len)) };
    let name = String::from_utf8_lossy(name);
    let side =
        if index < lower { format!("below lower bound of {lower}") } else { format!("above upper bound of {upper}") };
    runtime_error(location, format!("Index '{index}' of dimension {dim} of array '{name}' {side}").as_bytes())
}

/// The low 32 bits: what `exit` gets to see of a code.
fn exit_code(code: i64) -> i32 {
    code as i32
}

/// `text` goes to standard error after the note on floating-point exceptions, as `libgfortran` has it.
fn stop(text: &[u8], code: i32) -> ! {
    // The program's output comes first: both may be the same terminal.
    crate::io::flush_standard();
    tell(exception_note(exception_flags()).as_bytes());
    tell(text);
    leave(code)
}

/// The flags of [`exception_flags`] by name, in the order of the note.
const EXCEPTIONS: [(u32, &str); 5] = [
    (INVALID, "IEEE_INVALID_FLAG"),
    (DIVIDE_BY_ZERO, "IEEE_DIVIDE_BY_ZERO"),
    (OVERFLOW, "IEEE_OVERFLOW_FLAG"),
    (UNDERFLOW, "IEEE_UNDERFLOW_FLAG"),
    (DENORMAL, "IEEE_DENORMAL"),
];
const INVALID: u32 = 1;
const DENORMAL: u32 = 2;
const DIVIDE_BY_ZERO: u32 = 4;
const OVERFLOW: u32 = 8;
const UNDERFLOW: u32 = 16;

fn exception_note(flags: u32) -> String {
    let raised: String =
        EXCEPTIONS.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| format!(" {name}")).collect();
    if raised.is_empty() {
        return raised;
    }
    format!("Note: The following floating-point exceptions are signalling:{raised}\n")
}

/// The exceptions that the program has raised. Inexact is left out: `libgfortran` does not report it.
#[cfg(target_arch = "x86_64")]
fn exception_flags() -> u32 {
    let mut mxcsr = 0u32;
    // SAFETY: stores the SSE control and status register into a variable of its size. The first five
    // bits are invalid, denormal, divide by zero, overflow, underflow.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack)) };
    mxcsr & (INVALID | DENORMAL | DIVIDE_BY_ZERO | OVERFLOW | UNDERFLOW)
}

/// The exceptions that the program has raised.
#[cfg(target_arch = "aarch64")]
fn exception_flags() -> u32 {
    let fpsr: u64;
    // SAFETY: reads the floating-point status register.
    unsafe { std::arch::asm!("mrs {}, fpsr", out(reg) fpsr, options(nomem, nostack)) };
    let bit = |n: u32, flag: u32| if fpsr >> n & 1 == 1 { flag } else { 0 };
    bit(0, INVALID) | bit(1, DIVIDE_BY_ZERO) | bit(2, OVERFLOW) | bit(3, UNDERFLOW) | bit(7, DENORMAL)
}

/// The exceptions that the program has raised: not known on this machine.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn exception_flags() -> u32 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_lists_exceptions_in_order() {
        assert_eq!(exception_note(0), "");
        assert_eq!(
            exception_note(INVALID | DENORMAL | DIVIDE_BY_ZERO),
            "Note: The following floating-point exceptions are signalling: IEEE_INVALID_FLAG IEEE_DIVIDE_BY_ZERO IEEE_DENORMAL\n"
        );
    }
}
