//! Bugs that are put in on purpose, to prove that they are found.
//!
//! A place where a wrong choice is likely asks [`fault`] whether to make it. In a release build without
//! the feature `faults` the answer is the constant `false` and nothing remains of the question. In the
//! others at most one fault is on at a time, for the whole process: a pass runs on many threads.

/// Whether the fault `name` is switched on.
#[cfg(not(any(debug_assertions, feature = "faults")))]
#[inline(always)]
pub fn fault(_name: &'static str) -> bool {
    false
}

#[cfg(any(debug_assertions, feature = "faults"))]
mod switch {
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::sync::RwLock;
    use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

    static ON: AtomicBool = AtomicBool::new(false);
    /// The number of threads that note the faults asked for.
    static NOTING: AtomicUsize = AtomicUsize::new(0);
    static HITS: AtomicU64 = AtomicU64::new(0);
    static NAME: RwLock<String> = RwLock::new(String::new());

    thread_local! {
        static ASKED: RefCell<BTreeSet<&'static str>> = const { RefCell::new(BTreeSet::new()) };
    }

    /// Whether the fault `name` is switched on.
    pub fn fault(name: &'static str) -> bool {
        // Ordinary debug builds pay two loads.
        if NOTING.load(Ordering::Relaxed) > 0 {
            ASKED.with_borrow_mut(|asked| asked.insert(name));
        }
        if !ON.load(Ordering::Relaxed) {
            return false;
        }
        let on = NAME.read().is_ok_and(|n| *n == name);
        if on {
            HITS.fetch_add(1, Ordering::Relaxed);
        }
        on
    }

    /// Switches one fault on and all others off; none switches all off.
    pub fn set_fault(name: Option<&str>) {
        if let Ok(mut n) = NAME.write() {
            n.clear();
            n.push_str(name.unwrap_or(""));
        }
        HITS.store(0, Ordering::Relaxed);
        ON.store(name.is_some(), Ordering::Relaxed);
    }

    /// The number of times that the fault which is on was asked for.
    pub fn fault_hits() -> u64 {
        HITS.load(Ordering::Relaxed)
    }

    /// The result of `f`, and the faults that it asked for on this thread.
    pub fn faults_asked<T>(f: impl FnOnce() -> T) -> (T, BTreeSet<&'static str>) {
        ASKED.with_borrow_mut(BTreeSet::clear);
        NOTING.fetch_add(1, Ordering::Relaxed);
        let value = f();
        NOTING.fetch_sub(1, Ordering::Relaxed);
        (value, ASKED.with_borrow_mut(std::mem::take))
    }
}

#[cfg(any(debug_assertions, feature = "faults"))]
pub use switch::{fault, fault_hits, faults_asked, set_fault};

/// Declares the items if this crate has the switches. A crate that asks for itself is wrong in its documentation tests, which are
/// compiled with debug assertions whatever its dependencies were compiled with.
#[cfg(any(debug_assertions, feature = "faults"))]
#[macro_export]
macro_rules! if_faults {
    ($($item:item)*) => { $($item)* };
}

/// Declares nothing: this crate has no switches.
#[cfg(not(any(debug_assertions, feature = "faults")))]
#[macro_export]
macro_rules! if_faults {
    ($($item:item)*) => {};
}
