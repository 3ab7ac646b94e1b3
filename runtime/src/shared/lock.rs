//! A lock that spins.

use crate::atoms::{AtomicBool, Ordering, constructor, spin_loop};

/// A lock that spins: it is held for a few system calls at most.
pub(crate) struct Lock(AtomicBool);

impl Lock {
    constructor! {
        pub(crate) fn new() -> Lock {
            Lock(AtomicBool::new(false))
        }
    }

    pub(crate) fn with<T>(&self, f: impl FnOnce() -> T) -> T {
        while self.0.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spin_loop();
        }
        let result = f();
        self.0.store(false, Ordering::Release);
        result
    }

    /// In a forked child, where the thread that held it may not exist.
    pub(crate) fn reset(&self) {
        self.0.store(false, Ordering::Release);
    }
}
