//! Every way out of the program.
//!
//! STOP, a run-time error and the end of the main program all pass through [`finish`], which runs the
//! registered callbacks (the profile is one) and then closes the units. Why not `atexit` alone: its order
//! against the C library's own handlers is not ours, and a failed flush could no longer change the
//! exit code. It is there for main programs in other languages.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run-time error, as of `libgfortran`.
pub const ERROR_CODE: i32 = 2;

static CALLBACKS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());
static FINISHED: AtomicBool = AtomicBool::new(false);

/// Registers `callback` to be called once when the program ends, in any way, before the units are closed. Callbacks run
/// in the reverse order of their registration.
pub fn register_exit(callback: fn()) {
    if let Ok(mut callbacks) = CALLBACKS.lock() {
        callbacks.push(callback);
    }
}

/// Makes the C library call [`finish`], too: a main program in another language does not call us at its end. One of
/// ours has ended by then.
pub(crate) fn finish_at_exit() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // Miri ends a program without handlers.
        if cfg!(miri) {
            return;
        }
        // SAFETY: the handler is a function without arguments that lives as long as the program.
        let registered = unsafe { libc::atexit(at_exit) };
        debug_assert_eq!(registered, 0, "the C library holds at least 32 handlers");
    });
}

extern "C" fn at_exit() {
    finish(0);
}

/// Runs the callbacks and closes the units; returns the exit code: `code`, or that of an error
/// if output was lost and `code` would mean success.
pub(crate) fn finish(code: i32) -> i32 {
    if FINISHED.swap(true, Ordering::SeqCst) {
        return code;
    }
    let callbacks = CALLBACKS.lock().map(|mut list| std::mem::take(&mut *list)).unwrap_or_default();
    for callback in callbacks.into_iter().rev() {
        callback();
    }
    let code = if crate::io::close_all() || code != 0 { code } else { ERROR_CODE };
    let code = crate::targets::end(code);
    crate::ranks::note_end(code)
}

/// Ends the program with `code`.
pub fn leave(code: i32) -> ! {
    std::process::exit(finish(code))
}

/// Writes `message` to standard error at once, without the buffers of unit 0.
pub(crate) fn tell(message: &[u8]) {
    // There is no place to report a failure of standard error.
    let _ = std::io::stderr().write_all(message);
}

/// Writes the message of an error that ends the program: of all ranks to which it comes one does.
pub(crate) fn tell_error(message: &[u8]) {
    if crate::ranks::tells_error() {
        tell(message);
    }
}

/// Splits `file:line` or `file:line.column` at the last colon, and at the point after it.
pub(crate) fn split_location(location: &[u8]) -> (&[u8], &[u8], &[u8]) {
    let Some(colon) = location.iter().rposition(|&b| b == b':') else { return (location, b"", b"") };
    let (file, place) = (&location[..colon], &location[colon + 1..]);
    match place.iter().position(|&b| b == b'.') {
        Some(point) => (file, &place[..point], &place[point + 1..]),
        None => (file, place, b""),
    }
}

/// `At line 12 of file x.f90`, or nothing when the location is not known.
pub(crate) fn at_line(location: &[u8]) -> Vec<u8> {
    let (file, line, _) = split_location(location);
    if line.is_empty() {
        return Vec::new();
    }
    [b"At line ", line, b" of file ", file].concat()
}

/// The message of libgfortran when an error ends the program, with the procedures that were active.
pub(crate) fn termination() -> Vec<u8> {
    let frames = crate::backtrace::text();
    if frames.is_empty() { Vec::new() } else { [b"\nError termination. Backtrace:\n".as_slice(), &frames].concat() }
}

/// Reports a run-time error at `location` and ends the program.
pub(crate) fn runtime_error(location: &[u8], message: &[u8]) -> ! {
    runtime_error_where(location, message, "")
}

/// The same with the `values` of the DO variables around. The column, if it is known, and they follow the message in a line of their
/// own: programs that read the messages of libgfortran know the two lines before it.
pub(crate) fn runtime_error_where(location: &[u8], message: &[u8], values: &str) -> ! {
    crate::io::flush_standard();
    let mut text = message_at(location, message, values);
    text.extend_from_slice(&termination());
    tell_error(&text);
    leave(ERROR_CODE)
}

/// The lines of a message at a place.
pub(crate) fn message_at(location: &[u8], message: &[u8], values: &str) -> Vec<u8> {
    let mut text = at_line(location);
    if !text.is_empty() {
        text.push(b'\n');
    }
    text.extend_from_slice(b"Fortran runtime error: ");
    text.extend_from_slice(message);
    text.push(b'\n');
    text.extend_from_slice(&column_line(location, values));
    text
}

/// The line with the column and the values, if the column is known.
pub(crate) fn column_line(location: &[u8], values: &str) -> Vec<u8> {
    let (file, line, column) = split_location(location);
    if column.is_empty() {
        return Vec::new();
    }
    let mut text = [b"  at ", file, b":", line, b":", column].concat();
    if !values.is_empty() {
        text.extend_from_slice(format!(", where {values}").as_bytes());
    }
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use super::at_line;

    #[test]
    fn location_splits_at_last_colon() {
        assert_eq!(at_line(b"a:b.f90:12"), b"At line 12 of file a:b.f90");
        assert_eq!(at_line(b"a.b:12.5"), b"At line 12 of file a.b");
        assert_eq!(at_line(b""), b"");
    }
}
