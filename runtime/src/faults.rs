//! Messages of the faults that `-fcheck=` finds.

use crate::exit::runtime_error_where;
use std::borrow::Cow;
use std::ffi::{CStr, c_char};

/// A fault with the numbers that its text has letters for.
///
/// # Safety
/// `text` has parts that end with a NUL, and one more NUL at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_fault_of_four(text: *const u8, a: i64, b: i64, c: i64, d: i64) -> ! {
    // SAFETY: the caller keeps the same promise.
    end(unsafe { parts(text) }, &[a, b, c, d])
}

/// The same with more numbers.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "a call has all that the message says")]
pub unsafe extern "C" fn trueline_fault_of_seven(
    text: *const u8,
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: i64,
    g: i64,
) -> ! {
    // SAFETY: the caller keeps the same promise.
    end(unsafe { parts(text) }, &[a, b, c, d, e, f, g])
}

/// A fault at a place that is known here only.
pub(crate) fn fault(location: &[u8], text: &str, numbers: [i64; 3]) -> ! {
    runtime_error_where(location, filled(text, numbers).as_bytes(), "")
}

/// The parts of a text up to an empty one.
///
/// # Safety
/// `text` has parts that end with a NUL, and one more NUL at its end.
unsafe fn parts(mut text: *const u8) -> Vec<Cow<'static, str>> {
    let mut parts = Vec::new();
    loop {
        // SAFETY: `text` is the begin of a part, or the last NUL.
        let part = unsafe { CStr::from_ptr(text.cast::<c_char>()) };
        if part.is_empty() {
            return parts;
        }
        parts.push(part.to_string_lossy());
        // SAFETY: another part or the last NUL is behind the part's own NUL.
        text = unsafe { text.add(part.count_bytes() + 1) };
    }
}

/// Ends the program with the message of `parts`.
fn end(parts: Vec<Cow<'static, str>>, arguments: &[i64]) -> ! {
    let [location, text, first, second, third, variables @ ..] = parts.as_slice() else {
        runtime_error_where(b"", b"a fault without a text", "")
    };
    let number = |source: &str| number(source, arguments);
    let mut message = filled(text, [number(first), number(second), number(third)]);
    if message.contains("{gone}") {
        message = message.replace("{gone}", &crate::targets::told());
    }
    let (variables, _) = variables.as_chunks::<2>();
    let values: Vec<String> = variables.iter().map(|[name, source]| format!("{name} = {}", number(source))).collect();
    runtime_error_where(location.as_bytes(), message.as_bytes(), &values.join(", "))
}

/// A number of a text: a constant, or the letter of an argument.
fn number(source: &str, arguments: &[i64]) -> i64 {
    match source.as_bytes() {
        [letter @ b'a'..=b'g'] => arguments.get(usize::from(letter - b'a')).copied().unwrap_or_default(),
        _ => source.parse().unwrap_or_default(),
    }
}

/// The text with the numbers in their places.
fn filled(text: &str, [first, second, third]: [i64; 3]) -> String {
    let side = match first < second {
        true => format!("below lower bound of {second}"),
        false => format!("above upper bound of {third}"),
    };
    let places =
        [("{1}", first.to_string()), ("{2}", second.to_string()), ("{3}", third.to_string()), ("{side}", side)];
    places.iter().fold(text.to_owned(), |text, (place, value)| text.replace(place, value))
}
