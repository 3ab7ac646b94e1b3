//! ALLOCATE, DEALLOCATE and compiler temporaries; and the two conversions from the arguments of compiled code to
//! slices, on which all other modules rely.

use crate::exit::{leave, tell_error};

/// The `len` bytes at `text`; none when it is null or `len` is not positive.
///
/// # Safety
/// `text` is null or the address of `len` readable bytes that nobody writes during `'a`.
pub(crate) unsafe fn bytes<'a>(text: *const u8, len: i64) -> &'a [u8] {
    match usize::try_from(len) {
        // SAFETY: the address is not null and has `len` bytes that nobody else changes meanwhile.
        Ok(len) if len > 0 && !text.is_null() => unsafe { std::slice::from_raw_parts(text, len) },
        _ => &[],
    }
}

/// The `len` writable bytes at `text`; none when it is null or `len` is not positive.
///
/// # Safety
/// `text` is null or the address of `len` bytes that nobody else uses during `'a`.
pub(crate) unsafe fn bytes_mut<'a>(text: *mut u8, len: i64) -> &'a mut [u8] {
    match usize::try_from(len) {
        // SAFETY: the address is not null and has `len` bytes that nobody else changes meanwhile.
        Ok(len) if len > 0 && !text.is_null() => unsafe { std::slice::from_raw_parts_mut(text, len) },
        _ => &mut [],
    }
}

/// The bytes of a NUL-terminated text; none when it is null.
///
/// # Safety
/// `text` is null or NUL-terminated, and lives as long as the program.
pub(crate) unsafe fn c_text(text: *const u8) -> &'static [u8] {
    if text.is_null() {
        return b"";
    }
    // SAFETY: the text is not null and ends with a NUL.
    unsafe { std::ffi::CStr::from_ptr(text.cast()) }.to_bytes()
}

/// Requests below this many bytes do not check whether there is room.
const SMALL: u64 = 64 << 20;

/// Whether `size` more bytes fit into the memory that is free. The system promises more than it has, and ends the process
/// when it is used.
pub(crate) fn has_room(size: u64) -> bool {
    if size <= SMALL {
        return true;
    }
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let free = read("/proc/meminfo").and_then(|text| available(&text)).unwrap_or(u64::MAX);
    // All memory of a control group: the used part may be files, which the system lets go.
    let group = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok()).unwrap_or(u64::MAX);
    size <= free.min(group)
}

/// The bytes that `/proc/meminfo` calls available.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.saturating_mul(1024))
}

/// `size` bytes aligned to 16; ends the program when there are none.
///
/// # Safety
/// `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_allocate(size: i64, location: *const u8) -> *mut u8 {
    let memory = allocate(size);
    if memory.is_null() {
        // SAFETY: the caller passes a literal location.
        out_of_memory(unsafe { c_text(location) }, size);
    }
    memory
}

/// `size` bytes aligned to 16, or null.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_allocate_stat(size: i64) -> *mut u8 {
    allocate(size)
}

/// Frees memory that one of the two functions above returned; null is allowed.
///
/// # Safety
/// `memory` is null or came from this module and has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_deallocate(memory: *mut u8) {
    if crate::targets::keeps(memory) {
        return;
    }
    crate::ranks::forget(memory);
    crate::ranks::forget_kept(memory);
    // SAFETY: the memory is the caller's to free.
    unsafe { crate::targets::clear(memory) };
    // SAFETY: the memory came from `malloc` and is freed once; null is allowed.
    unsafe { libc::free(memory.cast()) };
}

/// `malloc` aligns to 16 on every 64-bit target. An array of size zero is allocated all the same, and
/// gets an address of its own.
fn allocate(size: i64) -> *mut u8 {
    let size = usize::try_from(size).unwrap_or(0).max(1);
    // SAFETY: any size may be asked for.
    unsafe { libc::malloc(size) }.cast()
}

fn out_of_memory(location: &[u8], size: i64) -> ! {
    crate::io::flush_standard();
    let mut text = crate::exit::at_line(location);
    if !text.is_empty() {
        text.push(b'\n');
    }
    text.extend_from_slice(format!("Error allocating {size} bytes: Cannot allocate memory\n").as_bytes());
    tell_error(&text);
    leave(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    // A block that nobody uses is never asked for by optimized code, which takes it to be there.
    use std::hint::black_box;

    #[test]
    fn the_room_is_that_of_the_system() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:    3 kB\n"), Some(3072));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert!(has_room(SMALL) && !has_room(u64::MAX / 2));
    }

    #[test]
    fn allocation_is_aligned_and_absence_is_null() {
        for size in [-1, 0, 1, 17, 4096] {
            // SAFETY: each block is freed once.
            unsafe {
                let memory = black_box(trueline_allocate_stat(size));
                // The `malloc` of Miri aligns blocks as their size asks for.
                assert!(!memory.is_null() && (cfg!(miri) || (memory as usize).is_multiple_of(16)), "{size}");
                trueline_deallocate(memory);
            }
        }
        // Miri ends where there is no memory.
        if !cfg!(miri) {
            // SAFETY: no block is returned.
            assert!(black_box(unsafe { trueline_allocate_stat(i64::MAX) }).is_null());
        }
        // SAFETY: null is allowed.
        unsafe { trueline_deallocate(std::ptr::null_mut()) };
    }
}
