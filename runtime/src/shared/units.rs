//! A table whose entries threads take out and put back.
//!
//! While an entry is out, its place is marked with the thread: another thread waits for it, and the same one is told so.

use crate::atoms::{Condvar, Mutex, MutexGuard, ThreadId, constructor, this_thread};

enum Place<U> {
    Free(U),
    Taken(ThreadId),
}

/// Entries by number, sorted: there are few of them.
type Places<U> = Vec<(i32, Place<U>)>;

struct State<U> {
    places: Places<U>,
    started: bool,
    /// Threads that wait for an entry: to wake nobody costs a system call, too.
    waiting: u32,
}

/// The table.
pub(crate) struct Units<U> {
    state: Mutex<State<U>>,
    freed: Condvar,
}

/// Entries that are there from the beginning.
pub(crate) trait Standard: Sized {
    /// Makes them, with their numbers in order. Called once.
    fn standard() -> Vec<(i32, Self)>;
}

/// Answer of [`Units::take`] and [`Units::reserve`].
pub(crate) enum Taken<U> {
    /// The entry, to be given back with [`Units::put`].
    Unit(U),
    /// There is none.
    Absent,
    /// The calling thread has it.
    Recursive,
}

impl<U> Units<U> {
    constructor! {
        pub(crate) fn new() -> Units<U> {
            let state = State { places: Vec::new(), started: false, waiting: 0 };
            Units { state: Mutex::new(state), freed: Condvar::new() }
        }
    }
}

impl<U: Standard> Units<U> {
    /// Takes an entry out of the table.
    pub(crate) fn take(&self, number: i32) -> Taken<U> {
        self.take_or(number, |_, _| {})
    }

    /// As [`Units::take`]; a place without an entry becomes the calling thread's, until [`Units::put`] or [`Units::remove`].
    pub(crate) fn reserve(&self, number: i32) -> Taken<U> {
        self.take_or(number, |places, at| places.insert(at, (number, Place::Taken(this_thread()))))
    }

    fn take_or(&self, number: i32, absent: impl FnOnce(&mut Places<U>, usize)) -> Taken<U> {
        let mut state = self.lock();
        let me = this_thread();
        loop {
            let at = match state.places.binary_search_by_key(&number, |place| place.0) {
                Ok(at) => at,
                Err(at) => {
                    absent(&mut state.places, at);
                    return Taken::Absent;
                }
            };
            let place = &mut state.places[at].1;
            if matches!(place, Place::Taken(owner) if *owner == me) {
                return Taken::Recursive;
            }
            // The mark of another thread stays.
            if matches!(place, Place::Free(_))
                && let Place::Free(unit) = std::mem::replace(place, Place::Taken(me))
            {
                return Taken::Unit(unit);
            }
            state.waiting += 1;
            state = self.freed.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
            state.waiting -= 1;
        }
    }

    /// Takes an entry and its place, if no thread uses it.
    pub(crate) fn take_free(&self, number: i32) -> Option<U> {
        let mut state = self.lock();
        let at = state.places.binary_search_by_key(&number, |place| place.0).ok()?;
        match state.places[at].1 {
            Place::Free(_) => match state.places.remove(at).1 {
                Place::Free(unit) => Some(unit),
                Place::Taken(_) => None,
            },
            Place::Taken(_) => None,
        }
    }

    /// Puts an entry back, or a new one in.
    pub(crate) fn put(&self, number: i32, unit: U) {
        let mut state = self.lock();
        match state.places.binary_search_by_key(&number, |place| place.0) {
            Ok(at) => state.places[at].1 = Place::Free(unit),
            Err(at) => state.places.insert(at, (number, Place::Free(unit))),
        }
        if state.waiting > 0 {
            self.freed.notify_all();
        }
    }

    /// Removes the place of an entry that has been taken.
    pub(crate) fn remove(&self, number: i32) {
        let mut state = self.lock();
        if let Ok(at) = state.places.binary_search_by_key(&number, |place| place.0) {
            state.places.remove(at);
        }
        if state.waiting > 0 {
            self.freed.notify_all();
        }
    }

    /// The numbers of the entries, in order.
    pub(crate) fn numbers(&self) -> Vec<i32> {
        self.lock().places.iter().map(|place| place.0).collect()
    }

    /// Calls `see` with each entry that is not in use, until it returns a result.
    pub(crate) fn find<T>(&self, mut see: impl FnMut(&mut U) -> Option<T>) -> Option<T> {
        self.lock().places.iter_mut().find_map(|(_, place)| match place {
            Place::Free(unit) => see(unit),
            Place::Taken(_) => None,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State<U>> {
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if !state.started {
            state.started = true;
            state.places = U::standard().into_iter().map(|(number, unit)| (number, Place::Free(unit))).collect();
        }
        state
    }
}
