//! PAUSE: the program waits for a line.

use crate::exit::{leave, tell};
use crate::memory::bytes;

/// PAUSE with an integer code.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pause_int(code: i64) {
    pause(code.to_string().as_bytes());
}

/// PAUSE without a code (`text` is null), or with text.
///
/// # Safety
/// `text` is null or the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pause_text(text: *const u8, len: i64) {
    if text.is_null() {
        return pause(b"");
    }
    // SAFETY: the caller passes a character value and its length.
    pause(unsafe { bytes(text, len) });
}

/// Goes on after the line `go`; anything else ends the program.
fn pause(text: &[u8]) {
    crate::io::flush_standard();
    tell(&[b"PAUSE ", text, b"\nTo resume execution, type go.  Other input will terminate the job.\n"].concat());
    if crate::io::line_of_input().as_deref() != Some(b"go") {
        leave(0);
    }
    tell(b"RESUMED\n");
}
