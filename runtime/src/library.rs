//! Procedures beyond the standard that programs have always called: ETIME, RAND, GETENV, SYSTEM and the like.
//!
//! They are called as procedures of the program are: arguments by reference, lengths of characters after them.
//! An optional argument that is not given is null. The list is `library` of the front end.

pub mod files;
pub mod kinds;
pub mod math;
pub mod process;
pub mod status;
pub mod time;
pub mod units;

/// The text as a C string: without trailing blanks, up to the first NUL.
pub(crate) fn c_string(text: &[u8]) -> std::ffi::CString {
    let text = crate::chars::trimmed(text);
    let end = text.iter().position(|&b| b == 0).unwrap_or(text.len());
    std::ffi::CString::new(&text[..end]).unwrap_or_default()
}

/// Stores a value unless the argument is absent.
///
/// # Safety
/// `to` is null or the address of a variable of this type.
pub(crate) unsafe fn store<T>(to: *mut T, value: T) {
    if !to.is_null() {
        // SAFETY: `to` is not null, so it is a variable of this type; it may be unaligned, as in a COMMON block.
        unsafe { to.write_unaligned(value) };
    }
}

/// The error number of a call that returned -1, else 0.
pub(crate) fn status(result: i32) -> i32 {
    if result == -1 { std::io::Error::last_os_error().raw_os_error().unwrap_or(-1) } else { 0 }
}
