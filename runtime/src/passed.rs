//! The arguments of the next call, for the checks of `-fcheck=`: their sizes, and whether they may be changed.
//!
//! A caller with checks notes them just before the call, and a procedure with checks takes them when it is entered. Each note
//! names its procedure, so nothing is mixed up if one of the two has no checks.

use crate::memory::{bytes, c_text};
use std::cell::Cell;

/// The most arguments of a call that are noted.
const MOST: usize = 32;

/// A note on an argument.
#[derive(Clone, Copy)]
struct Note {
    procedure: i64,
    code: i64,
    /// The NUL-terminated place of the actual argument, which lives as long as the program.
    location: *const u8,
}

const NOTHING: Note = Note { procedure: 0, code: 0, location: std::ptr::null() };

thread_local! {
    static NOTES: [Cell<Note>; MOST] = const { [const { Cell::new(NOTHING) }; MOST] };
}

/// Notes an argument of the next call.
///
/// # Safety
/// `location` is null or NUL-terminated, and lives as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pass(procedure: i64, argument: i64, code: i64, location: *const u8) {
    let Ok(k) = usize::try_from(argument) else { return };
    NOTES.with(|notes| {
        if let Some(note) = notes.get(k) {
            note.set(Note { procedure, code, location });
        }
    });
}

/// Takes the note on an argument; 0 if there is none.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_passed(procedure: i64, argument: i64) -> i64 {
    let Ok(k) = usize::try_from(argument) else { return 0 };
    NOTES.with(|notes| match notes.get(k) {
        Some(note) if note.get().procedure == procedure => {
            // The place is needed if the argument turns out to be wrong.
            note.set(Note { procedure: 0, ..note.get() });
            note.get().code
        }
        _ => 0,
    })
}

/// Ends the program at the place of an argument that has been taken.
///
/// # Safety
/// `text` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_wrong_argument(
    argument: i64,
    text: *const u8,
    len: i64,
    first: i64,
    second: i64,
) -> ! {
    let location = usize::try_from(argument).ok().and_then(|k| NOTES.with(|notes| notes.get(k).map(Cell::get)));
    let location = location.map_or(std::ptr::null(), |note| note.location);
    // SAFETY: the caller passes a literal text; a note has a literal location.
    let (location, text) = unsafe { (c_text(location), bytes(text, len)) };
    crate::faults::fault(location, &String::from_utf8_lossy(text), [first, second, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_taken_once_and_by_its_procedure() {
        // SAFETY: the location is null.
        unsafe {
            trueline_pass(7, 0, 42, std::ptr::null());
            assert_eq!(trueline_passed(8, 0), 0);
            assert_eq!(trueline_passed(7, 0), 42);
            assert_eq!(trueline_passed(7, 0), 0);
            trueline_pass(7, -1, 1, std::ptr::null());
            trueline_pass(7, 1000, 1, std::ptr::null());
            assert_eq!(trueline_passed(7, 1000), 0);
        }
    }
}
