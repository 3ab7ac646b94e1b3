//! The table of connected units.
//!
//! A statement takes its unit out of the table and puts it back when it ends, so that no lock is held
//! while compiled code evaluates the items. Meanwhile the place is marked with the thread: another
//! thread waits, and the same one (a function in the list that uses the same unit) gets an error, where
//! `libgfortran` waits for itself for ever.

use super::stream::Stream;
use super::unit::{Action, Medium, Unit};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::ThreadId;

/// The preconnected units.
pub(crate) const STDERR: i32 = 0;
pub(crate) const STDIN: i32 = 5;
pub(crate) const STDOUT: i32 = 6;

enum Place {
    Free(Box<Unit>),
    Taken(ThreadId),
}

/// Units by number, sorted: a program has few of them.
struct Table {
    places: Vec<(i32, Place)>,
    started: bool,
    /// Threads that wait for a unit: to wake nobody costs a system call, too.
    waiting: u32,
    /// The next number that `NEWUNIT=` gives.
    next_new: i32,
}

static TABLE: Mutex<Table> = Mutex::new(Table { places: Vec::new(), started: false, waiting: 0, next_new: -10 });
static FREED: Condvar = Condvar::new();

/// Answer of [`take`].
pub(crate) enum Taken {
    /// The unit, to be given back with [`put`].
    Unit(Box<Unit>),
    /// No such unit is connected.
    Absent,
    /// A statement of this thread is using it.
    Recursive,
}

/// Takes unit `number` out of the table.
pub(crate) fn take(number: i32) -> Taken {
    let mut table = lock();
    let me = std::thread::current().id();
    loop {
        let Ok(at) = table.places.binary_search_by_key(&number, |place| place.0) else {
            return Taken::Absent;
        };
        let place = &mut table.places[at].1;
        if matches!(place, Place::Taken(owner) if *owner == me) {
            return Taken::Recursive;
        }
        if let Place::Free(unit) = std::mem::replace(place, Place::Taken(me)) {
            return Taken::Unit(unit);
        }
        table.waiting += 1;
        table = FREED.wait(table).unwrap_or_else(|poisoned| poisoned.into_inner());
        table.waiting -= 1;
    }
}

/// Takes unit `number` if no other thread uses it.
pub(crate) fn take_free(number: i32) -> Option<Box<Unit>> {
    let mut table = lock();
    let at = table.places.binary_search_by_key(&number, |place| place.0).ok()?;
    match table.places[at].1 {
        Place::Free(_) => match table.places.remove(at).1 {
            Place::Free(unit) => Some(unit),
            Place::Taken(_) => None,
        },
        Place::Taken(_) => None,
    }
}

/// Puts a unit back, or a new one in.
pub(crate) fn put(unit: Box<Unit>) {
    let mut table = lock();
    let number = unit.number;
    match table.places.binary_search_by_key(&number, |place| place.0) {
        Ok(at) => table.places[at].1 = Place::Free(unit),
        Err(at) => table.places.insert(at, (number, Place::Free(unit))),
    }
    if table.waiting > 0 {
        FREED.notify_all();
    }
}

/// Removes the place of a unit that has been taken and closed.
pub(crate) fn remove(number: i32) {
    let mut table = lock();
    if let Ok(at) = table.places.binary_search_by_key(&number, |place| place.0) {
        table.places.remove(at);
    }
    if table.waiting > 0 {
        FREED.notify_all();
    }
}

/// A number for `NEWUNIT=`: negative, as the standard wants, and never used before.
pub(crate) fn new_number() -> i32 {
    let mut table = lock();
    table.next_new = table.next_new.wrapping_sub(1).min(-10);
    table.next_new
}

/// The numbers of the connected units, in order.
pub(crate) fn numbers() -> Vec<i32> {
    lock().places.iter().map(|place| place.0).collect()
}

/// Calls `see` with each unit that is not in use, until it returns a result.
pub(crate) fn find<T>(mut see: impl FnMut(&mut Unit) -> Option<T>) -> Option<T> {
    lock().places.iter_mut().find_map(|(_, place)| match place {
        Place::Free(unit) => see(unit),
        Place::Taken(_) => None,
    })
}

fn lock() -> MutexGuard<'static, Table> {
    let mut table = TABLE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !table.started {
        table.started = true;
        crate::exit::finish_at_exit();
        table.places = [(STDERR, 2, "stderr"), (STDIN, 0, "stdin"), (STDOUT, 1, "stdout")]
            .map(|(number, fd, name)| (number, Place::Free(Box::new(standard(number, fd, name)))))
            .into();
    }
    table
}

fn standard(number: i32, fd: i32, name: &str) -> Unit {
    let stream = Stream::new(fd, false, number != STDIN);
    let mut unit = Unit::new(number, Some(name.as_bytes().to_vec()), Medium::File(stream));
    unit.action = if number == STDIN { Action::Read } else { Action::Write };
    unit.standard = true;
    unit
}
