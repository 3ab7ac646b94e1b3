//! The room on the stack, for the checks of `-fcheck=recursion`.

use std::cell::Cell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The room that a message with its chain of calls needs.
const RESERVE: usize = 192 << 10;

/// The limit of the main thread, once it is known. Compiled code compares it with its stack before it calls [`trueline_stack_left`]: stacks of other
/// threads lie below, so those always call.
#[unsafe(no_mangle)]
pub static trueline_stack_lowest: AtomicUsize = AtomicUsize::new(usize::MAX);

thread_local! {
    /// The address below which a procedure must not begin; 0 if it is not known yet.
    static LIMIT: Cell<usize> = const { Cell::new(0) };
}

/// The bytes that a procedure which is entered now may use; negative if a message has hardly room.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_stack_left() -> i64 {
    let mark = 0u8;
    let here = std::ptr::from_ref(&mark) as usize;
    let limit = match LIMIT.with(Cell::get) {
        0 => first_limit(),
        limit => limit,
    };
    here as i64 - limit as i64
}

/// Finds the limit of the thread. Apart, so that all other calls take a few instructions.
#[cold]
#[inline(never)]
fn first_limit() -> usize {
    LIMIT.with(|limit| {
        limit.set(limit_of_thread());
        // SAFETY: both calls only ask for a number.
        let is_main = unsafe { libc::gettid() == libc::getpid() };
        if is_main && limit.get() > 1 {
            trueline_stack_lowest.store(limit.get(), Ordering::Relaxed);
        }
        limit.get()
    })
}

/// The lowest address of the thread's stack and the reserve; 1 if it cannot be found.
fn limit_of_thread() -> usize {
    of_thread().map_or(1, |stack| stack.start + RESERVE.min((stack.end - stack.start) / 4))
}

/// The addresses of the thread's stack.
pub(crate) fn of_thread() -> Option<std::ops::Range<usize>> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are written before they are read, and given back once.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let failed = libc::pthread_attr_getstack(attributes.as_ptr(), &mut lowest, &mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if failed != 0 {
            return None;
        }
    }
    Some(lowest as usize..lowest as usize + size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "asks the C library for the bounds of the stack")]
    fn there_is_room_and_deeper_calls_have_less() {
        fn deeper() -> i64 {
            let room = std::hint::black_box([0u8; 4096]);
            // SAFETY: always safe.
            let left = unsafe { trueline_stack_left() };
            std::hint::black_box(&room);
            left
        }
        // SAFETY: always safe.
        let left = unsafe { trueline_stack_left() };
        assert!(left > 0 && deeper() < left);
    }
}
