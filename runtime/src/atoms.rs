//! The atomic words, locks and sleeps that threads and ranks share: the standard library's and the kernel's.
//!
//! The protocols of [`crate::shared`] take them from here. The models of `tests/loom.rs` include the same protocols with a module of this name
//! in which they are loom's, so that the code under test is the code that runs.

pub(crate) use std::hint::spin_loop;
pub(crate) use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard};
pub(crate) use std::thread::ThreadId;
use std::time::Duration;

/// Defines a function that makes a value of atoms: here it is constant, so that the value may be static.
macro_rules! constructor {
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block) => {
        $(#[$doc])*
        $visible const fn $name($($argument: $type),*) -> $result $body
    };
}
pub(crate) use constructor;

/// The calling thread.
pub(crate) fn this_thread() -> ThreadId {
    std::thread::current().id()
}

/// Sleeps while the word has this value, until it is woken or the time is over; false if the time was over.
pub(crate) fn sleep_on(word: &AtomicU32, value: u32, most: Duration) -> bool {
    futex(word, libc::FUTEX_WAIT, value, Some(most))
}

/// Wakes whoever sleeps on the word.
pub(crate) fn wake(word: &AtomicU32) {
    futex(word, libc::FUTEX_WAKE, 1, None);
}

/// A futex operation on memory that processes share; false if the time was over.
fn futex(word: &AtomicU32, operation: i32, value: u32, most: Option<Duration>) -> bool {
    let time = most.map(|t| libc::timespec { tv_sec: 0, tv_nsec: t.as_nanos() as i64 });
    let time = time.as_ref().map_or(std::ptr::null(), |t| t as *const libc::timespec);
    // SAFETY: the word is mapped; the time is null or lives during the call.
    let result = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, value, time, 0, 0) };
    result >= 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ETIMEDOUT)
}
