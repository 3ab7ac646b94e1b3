//! The state of files: STAT, LSTAT, FSTAT, CHMOD.

use super::{c_string, status, store};
use crate::memory::bytes;

/// The values of a state: device, inode, mode, links, owner, group, device type, size, the times of access, modification and change,
/// block size, blocks.
const VALUES: usize = 13;

/// Stores the values that `call` fills in; returns 0 or an error number.
fn take(values: *mut i64, call: impl FnOnce(*mut libc::stat) -> i32) -> i32 {
    let mut state = std::mem::MaybeUninit::<libc::stat>::zeroed();
    let result = status(call(state.as_mut_ptr()));
    // SAFETY: a zeroed structure is valid, and the call fills it.
    let s = unsafe { state.assume_init() };
    #[allow(clippy::useless_conversion, reason = "the size of a block is 32 bits long on AArch64")]
    let all: [i64; VALUES] = [
        s.st_dev as i64,
        s.st_ino as i64,
        s.st_mode as i64,
        s.st_nlink as i64,
        s.st_uid as i64,
        s.st_gid as i64,
        s.st_rdev as i64,
        s.st_size,
        s.st_atime,
        s.st_mtime,
        s.st_ctime,
        s.st_blksize.into(),
        s.st_blocks,
    ];
    if result == 0 {
        for (k, value) in all.into_iter().enumerate() {
            // SAFETY: the caller's array has room for all these numbers.
            unsafe { values.add(k).write_unaligned(value) };
        }
    }
    result
}

macro_rules! of_name {
    ($($function:ident $subroutine:ident $f:ident;)*) => {$(
        /// The state of the file of that name: 0 or an error number.
        ///
        /// # Safety
        /// `name` is the address of `len` bytes, `values` of 13 `INTEGER(8)`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(name: *const u8, values: *mut i64, len: i64) -> i32 {
            // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
            let name = c_string(unsafe { bytes(name, len) });
            // SAFETY: a C string and a structure of the type asked for.
            take(values, |to| unsafe { libc::$f(name.as_ptr(), to) })
        }

        /// The same as a subroutine.
        ///
        /// # Safety
        /// As of the function; `result` may be null.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $subroutine(name: *const u8, values: *mut i64, result: *mut i32, len: i64) {
            // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
            // function's own.
            unsafe { store(result, $function(name, values, len)) };
        }
    )*};
}

of_name! {
    trueline_lib_stat trueline_lib_stat_sub stat;
    trueline_lib_lstat trueline_lib_lstat_sub lstat;
}

/// FSTAT(unit, values)
///
/// # Safety
/// `unit` is the address of an `INTEGER(4)`, `values` of 13 `INTEGER(8)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fstat(unit: *const i32, values: *mut i64) -> i32 {
    // SAFETY: a scalar argument is the address of a value of its type.
    let Some(fd) = crate::io::descriptor(unsafe { *unit }) else { return libc::EBADF };
    // Pending output is part of the file.
    crate::io::flush_all();
    // SAFETY: a structure of the type asked for.
    take(values, |to| unsafe { libc::fstat(fd, to) })
}

/// CALL FSTAT(unit, values, status)
///
/// # Safety
/// As of the function; `result` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_fstat_sub(unit: *const i32, values: *mut i64, result: *mut i32) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_fstat(unit, values)) };
}

/// CHMOD(name, mode): the mode in octal, or in letters as the command of that name has it.
///
/// # Safety
/// The arguments are addresses of at least the bytes that they describe.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_chmod(name: *const u8, mode: *const u8, name_len: i64, mode_len: i64) -> i32 {
    // SAFETY: a CHARACTER argument is its address and its length, so the bytes are there while the call runs.
    let (name, mode) = unsafe { (c_string(bytes(name, name_len)), bytes(mode, mode_len)) };
    let mut state = std::mem::MaybeUninit::<libc::stat>::zeroed();
    // SAFETY: a C string and a structure of the type asked for; zeroed, it is valid.
    let (found, state) = unsafe { (libc::stat(name.as_ptr(), state.as_mut_ptr()), state.assume_init()) };
    if found != 0 {
        return status(-1);
    }
    let old = state.st_mode;
    // SAFETY: setting the mask to ask for it changes nothing once it is set back.
    let mask = unsafe {
        let mask = libc::umask(0);
        libc::umask(mask);
        mask as u32
    };
    let is_directory = old & libc::S_IFMT == libc::S_IFDIR;
    match changed(old & 0o7777, mode.trim_ascii(), mask, is_directory) {
        // SAFETY: a C string.
        Some(new) => status(unsafe { libc::chmod(name.as_ptr(), new as libc::mode_t) }),
        None => libc::EINVAL,
    }
}

/// CALL CHMOD(name, mode, status)
///
/// # Safety
/// As of the function; `result` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_lib_chmod_sub(
    name: *const u8,
    mode: *const u8,
    result: *mut i32,
    name_len: i64,
    mode_len: i64,
) {
    // SAFETY: `result` is null or a variable of the type that the function gives; the other arguments are the
    // function's own.
    unsafe { store(result, trueline_lib_chmod(name, mode, name_len, mode_len)) };
}

/// The mode that `text` makes of `old`; none if it makes no sense.
fn changed(old: u32, text: &[u8], mask: u32, is_directory: bool) -> Option<u32> {
    let text = std::str::from_utf8(text).ok()?;
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return u32::from_str_radix(text, 8).ok().filter(|&m| m <= 0o7777);
    }
    text.split(',').try_fold(old, |mode, clause| clause_of(mode, clause, mask, is_directory))
}

/// One clause: `[ugoa…][+-=][rwxXst…|ugo]`, actions repeated.
fn clause_of(old: u32, clause: &str, mask: u32, is_directory: bool) -> Option<u32> {
    let start = clause.find(['+', '-', '='])?;
    let (who, mut actions) = clause.split_at(start);
    let mut reach = 0;
    for c in who.chars() {
        reach |= match c {
            'u' => 0o4700,
            'g' => 0o2070,
            'o' => 0o1007,
            'a' => 0o7777,
            _ => return None,
        };
    }
    // Without a word for whom, the mask decides.
    let reach = if who.is_empty() { 0o7777 & !mask } else { reach };
    let mut mode = old;
    while let Some(action) = actions.chars().next() {
        let end = actions[1..].find(['+', '-', '=']).map_or(actions.len(), |k| k + 1);
        let mut bits = 0;
        for c in actions[1..end].chars() {
            bits |= match c {
                'r' => 0o444,
                'w' => 0o222,
                'x' => 0o111,
                'X' if is_directory || mode & 0o111 != 0 => 0o111,
                'X' => 0,
                's' => 0o6000,
                't' => 0o1000,
                'u' => (mode >> 6 & 7) * 0o111,
                'g' => (mode >> 3 & 7) * 0o111,
                'o' => (mode & 7) * 0o111,
                _ => return None,
            };
        }
        mode = match action {
            '+' => mode | bits & reach,
            '-' => mode & !(bits & reach),
            _ => mode & !(reach & 0o777) | bits & reach,
        };
        actions = &actions[end..];
    }
    Some(mode)
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn modes_change_as_the_command_changes_them() {
        let mode = |old, text: &str| changed(old, text.as_bytes(), 0o022, false);
        assert_eq!(mode(0o644, "755"), Some(0o755));
        assert_eq!(mode(0o644, "u+x"), Some(0o744));
        assert_eq!(mode(0o644, "a-r,u=rw"), Some(0o600));
        assert_eq!(mode(0o644, "go=u"), Some(0o666));
        assert_eq!(mode(0o600, "+rx"), Some(0o755));
        assert_eq!(mode(0o644, "+X"), Some(0o644));
        assert_eq!(mode(0o644, "u+x-w"), Some(0o544));
        assert_eq!(mode(0o644, "u?x"), None);
        assert_eq!(mode(0o644, "99"), None);
    }
}
