//! Character assignment, comparison and the character intrinsics. Every length is in bytes, and a
//! negative one counts as zero.

use crate::memory::{bytes, bytes_mut};
use std::cmp::Ordering;

/// Assignment with padding and truncation; the two may overlap.
///
/// # Safety
/// `to` and `from` are the addresses of `to_len` and `from_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_assign(to: *mut u8, to_len: i64, from: *const u8, from_len: i64) {
    let (to_len, from_len) = (to_len.max(0) as usize, from_len.max(0) as usize);
    let common = to_len.min(from_len);
    // SAFETY: `copy` allows overlap, and both are at least `common` long; the rest of `to` is ours.
    unsafe {
        if common > 0 {
            std::ptr::copy(from, to, common);
        }
        if to_len > common {
            std::ptr::write_bytes(to.add(common), b' ', to_len - common);
        }
    }
}

/// Comparison with blank padding: negative, zero or positive.
///
/// # Safety
/// `a` and `b` are the addresses of `a_len` and `b_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_compare(a: *const u8, a_len: i64, b: *const u8, b_len: i64) -> i32 {
    // SAFETY: the caller passes character values and their lengths.
    let (a, b) = unsafe { (bytes(a, a_len), bytes(b, b_len)) };
    compare(a, b) as i32
}

/// INDEX(string, substring, back).
///
/// # Safety
/// `s` and `sub` are the addresses of `s_len` and `sub_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_index(s: *const u8, s_len: i64, sub: *const u8, sub_len: i64, back: i32) -> i64 {
    // SAFETY: the caller passes character values and their lengths.
    let (s, sub) = unsafe { (bytes(s, s_len), bytes(sub, sub_len)) };
    if sub.is_empty() {
        return if back != 0 { s.len() as i64 + 1 } else { 1 };
    }
    let mut windows = s.windows(sub.len());
    position(if back != 0 { windows.rposition(|w| w == sub) } else { windows.position(|w| w == sub) })
}

/// SCAN(string, set, back).
///
/// # Safety
/// `s` and `set` are the addresses of `s_len` and `set_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_scan(s: *const u8, s_len: i64, set: *const u8, set_len: i64, back: i32) -> i64 {
    // SAFETY: the caller passes character values and their lengths.
    let (s, set) = unsafe { (bytes(s, s_len), bytes(set, set_len)) };
    find(s, back, |b| set.contains(b))
}

/// VERIFY(string, set, back).
///
/// # Safety
/// `s` and `set` are the addresses of `s_len` and `set_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_verify(
    s: *const u8,
    s_len: i64,
    set: *const u8,
    set_len: i64,
    back: i32,
) -> i64 {
    // SAFETY: the caller passes character values and their lengths.
    let (s, set) = unsafe { (bytes(s, s_len), bytes(set, set_len)) };
    find(s, back, |b| !set.contains(b))
}

/// LEN_TRIM(string).
///
/// # Safety
/// `s` is the address of `s_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_len_trim(s: *const u8, s_len: i64) -> i64 {
    // SAFETY: the caller passes a character value and its length.
    trimmed(unsafe { bytes(s, s_len) }).len() as i64
}

/// ADJUSTL(string) into `to`, which is as long.
///
/// # Safety
/// `to` and `s` are the addresses of `s_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_adjustl(to: *mut u8, s: *const u8, s_len: i64) {
    // SAFETY: the caller passes a character value and its length.
    let blanks = unsafe { bytes(s, s_len) }.iter().take_while(|&&b| b == b' ').count();
    // SAFETY: `blanks` is at most `s_len`.
    unsafe { trueline_char_assign(to, s_len, s.wrapping_add(blanks), s_len - blanks as i64) };
}

/// ADJUSTR(string) into `to`, which is as long.
///
/// # Safety
/// `to` and `s` are the addresses of `s_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_adjustr(to: *mut u8, s: *const u8, s_len: i64) {
    // SAFETY: the caller passes a character value and its length.
    let text = trimmed(unsafe { bytes(s, s_len) }).len();
    let blanks = s_len.max(0) as usize - text;
    // SAFETY: `copy` allows overlap; `blanks + text` is the length of both.
    unsafe {
        if text > 0 {
            std::ptr::copy(s, to.add(blanks), text);
        }
        bytes_mut(to, blanks as i64).fill(b' ');
    }
}

/// REPEAT(string, count) into `to`, which holds `s_len * count` bytes.
///
/// # Safety
/// `to` and `s` are the addresses of as many bytes, and do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_char_repeat(to: *mut u8, s: *const u8, s_len: i64, count: i64) {
    // SAFETY: the caller passes a character value and room for `count` copies of it.
    let (to, s) = unsafe { (bytes_mut(to, s_len.saturating_mul(count.max(0))), bytes(s, s_len)) };
    if !s.is_empty() {
        to.chunks_exact_mut(s.len()).for_each(|chunk| chunk.copy_from_slice(s));
    }
}

/// `text` without its trailing blanks.
pub(crate) fn trimmed(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&b| b != b' ').map_or(0, |last| last + 1);
    &text[..end]
}

/// Fills `to` with `text`, padded or truncated.
pub(crate) fn assign(to: &mut [u8], text: &[u8]) {
    let common = to.len().min(text.len());
    to[..common].copy_from_slice(&text[..common]);
    to[common..].fill(b' ');
}

fn compare(a: &[u8], b: &[u8]) -> Ordering {
    let common = a.len().min(b.len());
    let against_blanks = |rest: &[u8]| rest.iter().find(|&&c| c != b' ').map_or(Ordering::Equal, |c| c.cmp(&b' '));
    a[..common]
        .cmp(&b[..common])
        .then_with(|| against_blanks(&a[common..]))
        .then_with(|| against_blanks(&b[common..]).reverse())
}

fn find(s: &[u8], back: i32, wanted: impl FnMut(&u8) -> bool) -> i64 {
    position(if back != 0 { s.iter().rposition(wanted) } else { s.iter().position(wanted) })
}

/// Fortran's position: from 1, and 0 for none.
fn position(index: Option<usize>) -> i64 {
    index.map_or(0, |i| i as i64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(s: &str) -> (*const u8, i64) {
        (s.as_ptr(), s.len() as i64)
    }

    fn index(s: &str, sub: &str, back: i32) -> i64 {
        let ((s, s_len), (sub, sub_len)) = (text(s), text(sub));
        // SAFETY: addresses and lengths of string literals.
        unsafe { trueline_char_index(s, s_len, sub, sub_len, back) }
    }

    #[test]
    fn assignment_pads_truncates_and_overlaps() {
        let mut s = *b"abcdef";
        // SAFETY: all within `s`.
        unsafe { trueline_char_assign(s.as_mut_ptr().add(1), 5, s.as_ptr(), 3) };
        assert_eq!(&s, b"aabc  ");
        // SAFETY: all within `s`.
        unsafe { trueline_char_assign(s.as_mut_ptr(), 3, s.as_ptr().add(1), 5) };
        assert_eq!(&s, b"abcc  ");
    }

    #[test]
    fn comparison_pads_with_blanks() {
        assert_eq!(compare(b"ab", b"ab  "), Ordering::Equal);
        assert_eq!(compare(b"ab\t", b"ab"), Ordering::Less);
        assert_eq!(compare(b"ab", b"ab\t"), Ordering::Greater);
        assert_eq!(compare(b"a\xff", b"ab"), Ordering::Greater);
        assert_eq!(compare(b"", b"x"), Ordering::Less);
    }

    #[test]
    fn index_counts_from_one() {
        assert_eq!(index("banana", "an", 0), 2);
        assert_eq!(index("banana", "an", 1), 4);
        assert_eq!(index("banana", "x", 0), 0);
        assert_eq!(index("ab", "abc", 0), 0);
        assert_eq!((index("abc", "", 0), index("abc", "", 1)), (1, 4));
    }

    #[test]
    fn scan_verify_trim_adjust_repeat() {
        let ((s, n), (set, m)) = (text("  fortran  "), text("ra"));
        // SAFETY: addresses and lengths of string literals and of buffers that are long enough.
        unsafe {
            assert_eq!(trueline_char_scan(s, n, set, m, 0), 5);
            assert_eq!(trueline_char_scan(s, n, set, m, 1), 8);
            assert_eq!(trueline_char_verify(s, n, b" ".as_ptr(), 1, 0), 3);
            assert_eq!(trueline_char_verify(s, n, b" ".as_ptr(), 1, 1), 9);
            assert_eq!(trueline_char_len_trim(s, n), 9);
            let mut to = [0u8; 11];
            trueline_char_adjustl(to.as_mut_ptr(), s, n);
            assert_eq!(&to, b"fortran    ");
            trueline_char_adjustr(to.as_mut_ptr(), s, n);
            assert_eq!(&to, b"    fortran");
            let mut to = [0u8; 6];
            trueline_char_repeat(to.as_mut_ptr(), b"xy".as_ptr(), 2, 3);
            assert_eq!(&to, b"xyxyxy");
        }
    }
}
