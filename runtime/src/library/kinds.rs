//! SELECTED_CHAR_KIND of a name that is known at run time only.

use crate::memory::bytes;

/// The kind of the character set of that name, in letters of either case: 1, or -1 if there is none.
///
/// # Safety
/// `name` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_selected_char_kind(name: *const u8, len: i64) -> i32 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let name = crate::chars::trimmed(unsafe { bytes(name, len) });
    let is_known = name.eq_ignore_ascii_case(b"ascii") || name.eq_ignore_ascii_case(b"default");
    if is_known { 1 } else { -1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_either_case_and_blanks_behind() {
        for (name, kind) in [("ASCII", 1), ("default  ", 1), (" ascii", -1), ("", -1), ("asciis", -1)] {
            // SAFETY: the bytes of a string.
            assert_eq!(unsafe { trueline_lib_selected_char_kind(name.as_ptr(), name.len() as i64) }, kind, "{name}");
        }
    }
}
