//! The command line.

use crate::chars::assign;
use crate::memory::{bytes_mut, c_text};
use std::sync::OnceLock;

pub(crate) static ARGUMENTS: OnceLock<Vec<&'static [u8]>> = OnceLock::new();

/// Keeps the command line for [`trueline_argument_get`].
///
/// # Safety
/// `argv` holds `argc` C strings that live as long as the program.
pub(crate) unsafe fn keep(argc: i32, argv: *mut u8) {
    let argv = argv.cast::<*const u8>();
    let count = if argv.is_null() { 0 } else { argc.max(0) as usize };
    // SAFETY: `argv` has `count` addresses of C strings, as the C library hands them to `main`.
    let arguments = (0..count).map(|i| unsafe { c_text(*argv.add(i)) }).collect();
    // A second call (a program that starts itself anew) keeps the first command line.
    let _ = ARGUMENTS.set(arguments);
}

/// COMMAND_ARGUMENT_COUNT().
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_argument_count() -> i32 {
    ARGUMENTS.get().map_or(0, |list| list.len().saturating_sub(1) as i32)
}

/// GET_COMMAND_ARGUMENT: returns the length, or -1 when there is no such argument. Number 0 is the
/// name of the program.
///
/// # Safety
/// `to` is null or the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_argument_get(number: i64, to: *mut u8, len: i64) -> i64 {
    let argument = usize::try_from(number).ok().and_then(|n| ARGUMENTS.get()?.get(n).copied());
    // SAFETY: the caller passes a character variable and its length.
    assign(unsafe { bytes_mut(to, len) }, argument.unwrap_or_default());
    argument.map_or(-1, |text| text.len() as i64)
}
