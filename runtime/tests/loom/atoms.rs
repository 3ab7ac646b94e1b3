//! Loom's atoms, locks and sleeps, with a fault on purpose where one is asked for.
//!
//! Loom takes sequentially consistent accesses for acquiring and releasing ones. As a compiler for a processor with weak order does, such a
//! store or read-modify-write is followed by a fence here, which loom knows.

use crate::faults::{Fault, Step, at};
use loom::sync::atomic as real;
pub(crate) use loom::sync::atomic::Ordering;
use std::panic::Location;
use std::sync::LockResult;
use std::time::Duration;

pub(crate) use loom::thread::ThreadId;

/// Defines a function that makes a value of atoms: loom's are not constant.
macro_rules! constructor {
    ($(#[$doc:meta])* $visible:vis fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block) => {
        $(#[$doc])*
        $visible fn $name($($argument: $type),*) -> $result $body
    };
}
pub(crate) use constructor;

pub(crate) fn spin_loop() {
    loom::thread::yield_now();
}

pub(crate) fn this_thread() -> ThreadId {
    loom::thread::current().id()
}

/// The order of a load: `SeqCst` is acquiring, and its fence is that of the stores.
fn for_load(order: Ordering, fault: Fault) -> Ordering {
    match (order, fault) {
        (_, Fault::Relaxed) | (Ordering::Relaxed, _) => Ordering::Relaxed,
        _ => Ordering::Acquire,
    }
}

fn for_store(order: Ordering, fault: Fault) -> Ordering {
    match (order, fault) {
        (_, Fault::Relaxed) | (Ordering::Relaxed, _) => Ordering::Relaxed,
        _ => Ordering::Release,
    }
}

fn for_both(order: Ordering, fault: Fault) -> Ordering {
    match (order, fault) {
        (_, Fault::Relaxed) => Ordering::Relaxed,
        (Ordering::SeqCst, _) => Ordering::AcqRel,
        (order, _) => order,
    }
}

/// Behind a step that is sequentially consistent.
fn fence(order: Ordering, fault: Fault) {
    if order == Ordering::SeqCst && !matches!(fault, Fault::Relaxed | Fault::Unfenced) {
        real::fence(Ordering::SeqCst);
    }
}

macro_rules! word {
    ($name:ident $value:ty) => {
        #[derive(Debug)]
        pub(crate) struct $name(real::$name, Queue);

        impl $name {
            pub(crate) fn new(value: $value) -> $name {
                $name(real::$name::new(value), Queue::new())
            }

            #[track_caller]
            pub(crate) fn load(&self, order: Ordering) -> $value {
                let fault = at(Location::caller(), Step::Load, order);
                self.0.load(for_load(order, fault))
            }

            #[track_caller]
            pub(crate) fn store(&self, value: $value, order: Ordering) {
                let fault = at(Location::caller(), Step::Store, order);
                if fault != Fault::Left {
                    self.0.store(value, for_store(order, fault));
                    fence(order, fault);
                }
            }

            #[track_caller]
            pub(crate) fn swap(&self, value: $value, order: Ordering) -> $value {
                let fault = at(Location::caller(), Step::Change, order);
                self.change(order, fault, |_| value)
            }

            #[track_caller]
            pub(crate) fn compare_exchange(
                &self,
                old: $value,
                new: $value,
                order: Ordering,
                other: Ordering,
            ) -> Result<$value, $value> {
                let fault = at(Location::caller(), Step::Change, order);
                if fault == Fault::Split {
                    let found = self.0.load(for_load(order, fault));
                    if found != old {
                        return Err(found);
                    }
                    self.0.store(new, for_store(order, fault));
                    return Ok(found);
                }
                let result = self.0.compare_exchange(old, new, for_both(order, fault), other);
                fence(order, fault);
                result
            }

            /// Never fails for no reason: the loops around it would only be longer.
            #[track_caller]
            pub(crate) fn compare_exchange_weak(
                &self,
                old: $value,
                new: $value,
                order: Ordering,
                other: Ordering,
            ) -> Result<$value, $value> {
                self.compare_exchange(old, new, order, other)
            }

            /// A change of the word, in two steps if that is the fault.
            fn change(&self, order: Ordering, fault: Fault, change: impl Fn($value) -> $value) -> $value {
                if fault == Fault::Left {
                    return self.0.load(for_load(order, fault));
                }
                if fault == Fault::Split {
                    let old = self.0.load(for_load(order, fault));
                    self.0.store(change(old), for_store(order, fault));
                    fence(order, fault);
                    return old;
                }
                let mut old = self.0.load(Ordering::Relaxed);
                loop {
                    match self.0.compare_exchange(old, change(old), for_both(order, fault), Ordering::Relaxed) {
                        Ok(_) => break,
                        Err(other) => old = other,
                    }
                }
                fence(order, fault);
                old
            }
        }
    };
}

macro_rules! numbers {
    ($name:ident $value:ty) => {
        impl $name {
            #[track_caller]
            pub(crate) fn fetch_add(&self, value: $value, order: Ordering) -> $value {
                let fault = at(Location::caller(), Step::Change, order);
                self.arithmetic(order, fault, value, |word, order| word.fetch_add(value, order), <$value>::wrapping_add)
            }

            #[track_caller]
            pub(crate) fn fetch_or(&self, value: $value, order: Ordering) -> $value {
                let fault = at(Location::caller(), Step::Change, order);
                self.arithmetic(
                    order,
                    fault,
                    value,
                    |word, order| word.fetch_or(value, order),
                    |old, value| old | value,
                )
            }

            #[track_caller]
            pub(crate) fn fetch_and(&self, value: $value, order: Ordering) -> $value {
                let fault = at(Location::caller(), Step::Change, order);
                self.arithmetic(
                    order,
                    fault,
                    value,
                    |word, order| word.fetch_and(value, order),
                    |old, value| old & value,
                )
            }

            /// One step of the processor, unless the fault is another.
            fn arithmetic(
                &self,
                order: Ordering,
                fault: Fault,
                value: $value,
                step: impl Fn(&real::$name, Ordering) -> $value,
                change: impl Fn($value, $value) -> $value,
            ) -> $value {
                if matches!(fault, Fault::Left | Fault::Split) {
                    return self.change(order, fault, |old| change(old, value));
                }
                let old = step(&self.0, for_both(order, fault));
                fence(order, fault);
                old
            }
        }
    };
}

word!(AtomicBool bool);
word!(AtomicU32 u32);
word!(AtomicU64 u64);
word!(AtomicUsize usize);
numbers!(AtomicU32 u32);
numbers!(AtomicU64 u64);
numbers!(AtomicUsize usize);

/// The address of a value.
#[derive(Debug)]
pub(crate) struct AtomicPtr<T>(real::AtomicPtr<T>);

impl<T> AtomicPtr<T> {
    pub(crate) fn new(value: *mut T) -> AtomicPtr<T> {
        AtomicPtr(real::AtomicPtr::new(value))
    }

    #[track_caller]
    pub(crate) fn load(&self, order: Ordering) -> *mut T {
        let fault = at(Location::caller(), Step::Load, order);
        self.0.load(for_load(order, fault))
    }

    #[track_caller]
    pub(crate) fn store(&self, value: *mut T, order: Ordering) {
        let fault = at(Location::caller(), Step::Store, order);
        if fault != Fault::Left {
            self.0.store(value, for_store(order, fault));
        }
    }
}

/// The kernel's queue of a word that threads sleep on: it is looked at with the word.
#[derive(Debug)]
struct Queue {
    lock: loom::sync::Mutex<u32>,
    woken: loom::sync::Condvar,
}

impl Queue {
    fn new() -> Queue {
        Queue { lock: loom::sync::Mutex::new(0), woken: loom::sync::Condvar::new() }
    }
}

loom::lazy_static! {
    /// The sleeps of the model that may still end because their time is over.
    pub(crate) static ref TIMES: real::AtomicUsize = real::AtomicUsize::new(0);
}

/// Sleeps without end, but as often as the model says its time is over at once: no wake-up may be lost.
#[track_caller]
pub(crate) fn sleep_on(word: &AtomicU32, value: u32, _: Duration) -> bool {
    real::fence(Ordering::SeqCst);
    let mut sleepers = word.1.lock.lock().expect("no panic");
    // The kernel looks at the word when it has the lock of the queue.
    if word.0.load(Ordering::Relaxed) != value {
        return true;
    }
    let left = TIMES.load(Ordering::Relaxed);
    if left > 0 {
        TIMES.store(left - 1, Ordering::Relaxed);
        return false;
    }
    *sleepers += 1;
    sleepers = word.1.woken.wait(sleepers).expect("no panic");
    *sleepers -= 1;
    true
}

/// Wakes whoever sleeps on the word.
#[track_caller]
pub(crate) fn wake(word: &AtomicU32) {
    if at(Location::caller(), Step::Wake, Ordering::Relaxed) != Fault::Left {
        real::fence(Ordering::SeqCst);
        let sleepers = word.1.lock.lock().expect("no panic");
        if *sleepers > 0 {
            word.1.woken.notify_one();
        }
    }
}

/// A lock, whose fault is that it holds nobody up.
#[derive(Debug)]
pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

pub(crate) type MutexGuard<'a, T> = loom::sync::MutexGuard<'a, T>;

impl<T> Mutex<T> {
    pub(crate) fn new(value: T) -> Mutex<T> {
        Mutex(loom::sync::Mutex::new(value))
    }

    pub(crate) fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        self.0.lock()
    }
}

/// A condition whose wake-ups may be left out.
#[derive(Debug)]
pub(crate) struct Condvar(loom::sync::Condvar);

impl Condvar {
    pub(crate) fn new() -> Condvar {
        Condvar(loom::sync::Condvar::new())
    }

    pub(crate) fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        self.0.wait(guard)
    }

    #[track_caller]
    pub(crate) fn notify_all(&self) {
        if at(Location::caller(), Step::Wake, Ordering::Relaxed) != Fault::Left {
            self.0.notify_all();
        }
    }
}
