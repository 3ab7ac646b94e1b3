//! RANDOM_NUMBER and RANDOM_SEED: xoshiro256**, seeded from the operating system unless RANDOM_SEED
//! is called with PUT, as gfortran does.

use std::sync::Mutex;
use trueline_abi::{Quad, TypeCode};

/// The state is kept as the seed's words mixed with a constant, so that a seed of zeros is as good as any.
const MASK: [u64; 4] = [0xbd0c_5b6e_50c2_df49, 0xd460_61cd_46e1_df38, 0xbb4f_4d4e_d610_3544, 0x114a_583d_0756_ad39];

/// Eight `INTEGER(4)`, as gfortran's.
const SEED_SIZE: usize = 8;

/// The distances of the numbers of each kind.
const UNIT_R4: f32 = 1.0 / (1 << 24) as f32;
const UNIT_R8: f64 = 1.0 / (1_u64 << 53) as f64;

static STATE: Mutex<Option<[u64; 4]>> = Mutex::new(None);

/// RANDOM_NUMBER of `count` items of `code` (`R4`, `R8` or `R16`), `stride` bytes apart.
///
/// # Safety
/// `to` is the address of `count` items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_random_number(to: *mut u8, code: i32, count: i64, stride: i64) {
    let mut guard = STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let state = guard.get_or_insert_with(from_system);
    let code = TypeCode::from_number(code);
    for i in 0..count.max(0) {
        let word = next(state);
        // SAFETY: the caller passes an array section of `count` items.
        let item = unsafe { to.offset((i * stride) as isize) };
        // SAFETY: as above; items of a COMMON block need not be aligned.
        unsafe {
            match code {
                Some(TypeCode::R4) => item.cast::<f32>().write_unaligned((word >> 40) as f32 * UNIT_R4),
                Some(TypeCode::R16) => {
                    let whole = u128::from(word) << 49 | u128::from(next(state) >> 15);
                    let value = Quad::from_int(whole as i128).scale(-113);
                    item.cast::<[u8; 16]>().write_unaligned(value.to_bits().to_ne_bytes());
                }
                _ => item.cast::<f64>().write_unaligned((word >> 11) as f64 * UNIT_R8),
            }
        }
    }
}

/// RANDOM_SEED; a null argument is absent. `n` is the length of `put` and `get`.
///
/// # Safety
/// `size` is null or the address of an `INTEGER(4)`, `put` and `get` of `n` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_random_seed(size: *mut u8, put: *const u8, get: *mut u8, n: i64) {
    let mut guard = STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if size.is_null() && put.is_null() && get.is_null() {
        *guard = Some(from_system());
    }
    let words = n.clamp(0, SEED_SIZE as i64) as usize;
    if !size.is_null() {
        // SAFETY: the caller passes an `INTEGER(4)`.
        unsafe { size.cast::<i32>().write_unaligned(SEED_SIZE as i32) };
    }
    if !put.is_null() {
        let mut seed = [0u32; SEED_SIZE];
        for (i, word) in seed.iter_mut().enumerate().take(words) {
            // SAFETY: the caller passes `n` integers.
            *word = unsafe { put.cast::<u32>().add(i).read_unaligned() };
        }
        *guard = Some(from_seed(seed));
    }
    if !get.is_null() {
        let seed = to_seed(*guard.get_or_insert_with(from_system));
        for (i, word) in seed.iter().enumerate().take(words) {
            // SAFETY: the caller passes `n` integers.
            unsafe { get.cast::<u32>().add(i).write_unaligned(*word) };
        }
    }
}

/// Starts a new sequence: the same one in every run, or one of this moment.
pub(crate) fn start(repeatable: bool) {
    let mut guard = STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *guard = Some(if repeatable { from_seed([0; SEED_SIZE]) } else { from_system() });
}

/// One step of xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators").
fn next(s: &mut [u64; 4]) -> u64 {
    let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
    let shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3].rotate_left(45);
    result
}

fn from_seed(seed: [u32; SEED_SIZE]) -> [u64; 4] {
    let mut state = std::array::from_fn(|i| (u64::from(seed[2 * i]) | u64::from(seed[2 * i + 1]) << 32) ^ MASK[i]);
    if state == [0; 4] {
        // The one state that the generator never leaves.
        state = MASK;
    }
    state
}

fn to_seed(state: [u64; 4]) -> [u32; SEED_SIZE] {
    std::array::from_fn(|i| ((state[i / 2] ^ MASK[i / 2]) >> (32 * (i % 2))) as u32)
}

fn from_system() -> [u64; 4] {
    let mut state = [0u64; 4];
    // SAFETY: fills at most the 32 bytes of `state`.
    let filled = unsafe { libc::getrandom(state.as_mut_ptr().cast(), 32, 0) };
    if filled != 32 || state == [0; 4] {
        // Very old kernels only: only the clock and the process are left.
        state = MASK;
        state[0] ^= crate::clock::monotonic_nanoseconds() as u64;
        state[1] ^= u64::from(std::process::id());
    }
    // All ranks go on with the numbers of the first one.
    for word in &mut state {
        let mut bytes = word.to_ne_bytes();
        crate::ranks::share(&mut bytes);
        *word = u64::from_ne_bytes(bytes);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_restarts_the_sequence() {
        let mut seed = [0u32; SEED_SIZE];
        let (mut a, mut b) = ([0f64; 5], [0f64; 5]);
        // SAFETY: addresses of arrays of the sizes that are passed.
        unsafe {
            trueline_random_seed(std::ptr::null_mut(), std::ptr::null(), seed.as_mut_ptr().cast(), 8);
            trueline_random_number(a.as_mut_ptr().cast(), TypeCode::R8 as i32, 5, 8);
            trueline_random_seed(std::ptr::null_mut(), seed.as_ptr().cast(), std::ptr::null_mut(), 8);
            trueline_random_number(b.as_mut_ptr().cast(), TypeCode::R8 as i32, 5, 8);
        }
        assert_eq!(a, b);
        assert!(a.iter().all(|x| (0.0..1.0).contains(x)));
    }

    #[test]
    fn single_precision_never_reaches_one() {
        assert!(((u64::MAX >> 40) as f32 * UNIT_R4) < 1.0);
        assert_eq!(to_seed(from_seed([1, 2, 3, 4, 5, 6, 7, 8])), [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}
