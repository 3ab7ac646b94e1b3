//! The environment of the program: variables, the command line as a whole, other programs.

use crate::args::ARGUMENTS;
use crate::chars::assign;
use crate::memory::{bytes, bytes_mut};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

/// GET_ENVIRONMENT_VARIABLE: the length of the value, or -1 when there is no such variable.
///
/// # Safety
/// `name` is null or the address of `name_len` bytes, `to` of `to_len` writable ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_environment_get(
    name: *const u8,
    name_len: i64,
    trim: i32,
    to: *mut u8,
    to_len: i64,
) -> i64 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let (mut name, to) = unsafe { (bytes(name, name_len), bytes_mut(to, to_len)) };
    if trim != 0 {
        let end = name.iter().rposition(|&b| b != b' ').map_or(0, |k| k + 1);
        name = &name[..end];
    }
    // A name that the system cannot have is the name of no variable.
    let possible = !name.is_empty() && !name.contains(&0) && !name.contains(&b'=');
    let value = if possible { std::env::var_os(OsStr::from_bytes(name)) } else { None };
    assign(to, value.as_deref().map_or(b"", OsStr::as_bytes));
    value.map_or(-1, |v| v.len() as i64)
}

/// GET_COMMAND: the command line with single blanks between its words; its length.
///
/// # Safety
/// `to` is null or the address of `to_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_command_get(to: *mut u8, to_len: i64) -> i64 {
    let line = ARGUMENTS.get().map(|words| words.join(&b' ')).unwrap_or_default();
    // SAFETY: the caller passes a character variable and its length.
    assign(unsafe { bytes_mut(to, to_len) }, &line);
    line.len() as i64
}

/// EXECUTE_COMMAND_LINE through the shell: the exit code, or -1 when it could not be run. Without `wait`
/// the command runs on beside the program, and the code is 0.
///
/// # Safety
/// `text` is null or the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_command_run(text: *const u8, len: i64, wait: i32) -> i64 {
    use std::os::unix::process::ExitStatusExt;
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let text = unsafe { bytes(text, len) };
    // Output of the program stands before that of the command.
    crate::io::flush_standard();
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(OsStr::from_bytes(text.trim_ascii_end()));
    if wait == 0 {
        return if shell.spawn().is_ok() { 0 } else { -1 };
    }
    match shell.status() {
        Ok(status) => status.code().map_or_else(|| i64::from(128 + status.signal().unwrap_or(0)), i64::from),
        Err(_) => -1,
    }
}

/// ERFC_SCALED(x) = exp(x**2) * erfc(x), without overflow: beyond where ERFC underflows its asymptotic
/// series, and between the product of both with the square split exactly.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_erfc_scaled(x: f64) -> f64 {
    unsafe extern "C" {
        safe fn erfc(x: f64) -> f64;
    }
    if x < 12.0 {
        // x**2 = high + low, where `high` has few digits.
        let near = (x * 16.0).trunc() / 16.0;
        let low = (x - near) * (x + near);
        return (near * near).exp() * low.exp() * erfc(x);
    }
    let (mut sum, mut term) = (1.0, 1.0);
    let square = 2.0 * x * x;
    for k in 0..12 {
        term *= -f64::from(2 * k + 1) / square;
        sum += term;
        if term.abs() < f64::EPSILON {
            break;
        }
    }
    sum / (x * std::f64::consts::PI.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erfc_scaled_is_continuous_and_right() {
        // SAFETY: always safe.
        let f = |x| unsafe { trueline_erfc_scaled(x) };
        for (x, y) in [
            (0.0, 1.0),
            (1.0, 0.427_583_576_155_807),
            (10.0, 0.056_140_992_743_822_59),
            (1e8, 5.641_895_835_477_563e-9),
        ] {
            let difference: f64 = f(x) / y - 1.0;
            assert!(difference.abs() < 4e-15, "{x}: {}", f(x));
        }
        assert!((f(11.999_999_999) - f(12.000_000_001)).abs() < 1e-10);
    }
}
