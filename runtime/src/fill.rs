//! Blocks of elements that are set to one value.

/// Sets neighbouring elements, `bytes` bytes of them, to the low `size` bytes of `value`.
///
/// # Safety
/// `to` is the address of as many bytes, aligned to `size`, which is 1, 2, 4 or 8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_fill_elements(to: *mut u8, value: i64, size: i64, bytes: i64) {
    let bytes = usize::try_from(bytes).unwrap_or(0);
    if bytes == 0 {
        return;
    }
    let word = value.to_le_bytes();
    let all_same = word.iter().take(usize::try_from(size).unwrap_or(0)).all(|&b| b == word[0]);
    // SAFETY: the compiler passes the first of elements that lie side by side, as many as its loops would have set, and the size of one.
    unsafe {
        match size {
            _ if all_same => to.write_bytes(word[0], bytes),
            2 => set(to, value as u16, bytes),
            4 => set(to, value as u32, bytes),
            _ => set(to, value as u64, bytes),
        }
    }
}

/// Sets the elements of `bytes` bytes to `value`, in the longest registers whose use costs nothing.
///
/// # Safety
/// `to` is the address of as many bytes.
unsafe fn set<T: Copy>(to: *mut u8, value: T, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: as the caller promises, and the processor has the instructions.
        unsafe { set_with_avx(to, value, bytes) };
        return;
    }
    // SAFETY: as the caller promises.
    unsafe { set_each(to, value, bytes) }
}

/// The same in registers of 32 bytes.
///
/// # Safety
/// As [`set`]; the processor has AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn set_with_avx<T: Copy>(to: *mut u8, value: T, bytes: usize) {
    // SAFETY: as the caller promises.
    unsafe { set_each(to, value, bytes) }
}

/// The same in registers that every processor has.
///
/// # Safety
/// As [`set`].
#[inline(always)]
unsafe fn set_each<T: Copy>(to: *mut u8, value: T, bytes: usize) {
    let to = to.cast::<T>();
    for k in 0..bytes / size_of::<T>() {
        // SAFETY: as the caller promises; elements of SEQUENCE structures may be off their alignment.
        unsafe { to.add(k).write_unaligned(value) };
    }
}

#[cfg(test)]
mod tests {
    use super::trueline_fill_elements;

    #[test]
    fn elements_of_every_size_are_set_and_none_behind_them() {
        for (size, value) in [(1, -2_i64), (2, 0x1234), (4, 0x1234_5678), (8, 0x0102_0304_0506_0708), (8, 0), (4, -1)] {
            for count in [0, 1, 3, 17, 64, 67] {
                let mut block = vec![0x55_u8; 8 * 70];
                let bytes = count * size;
                // SAFETY: the block has room for them.
                unsafe { trueline_fill_elements(block.as_mut_ptr(), value, size as i64, bytes as i64) };
                let element = &value.to_le_bytes()[..size];
                assert!(block[..bytes].chunks(size).all(|e| e == element), "{size} {count}");
                assert!(block[bytes..].iter().all(|&b| b == 0x55), "{size} {count}");
            }
        }
        // SAFETY: nothing is set.
        unsafe { trueline_fill_elements(std::ptr::null_mut(), 0, 8, -8) };
    }
}
