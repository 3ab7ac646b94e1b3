//! The table of connected units.
//!
//! A statement takes its unit out of the table and puts it back when it ends, so that no lock is held
//! while compiled code evaluates the items. Meanwhile the place is marked with the thread: another
//! thread waits, and the same one (a function in the list that uses the same unit) gets an error, where
//! `libgfortran` waits for itself for ever.

use super::stream::Stream;
use super::unit::{Action, Medium, Unit};
use crate::shared::units::{self, Standard, Units};
use std::sync::atomic::{AtomicI32, Ordering};

/// The preconnected units.
pub(crate) const STDERR: i32 = 0;
pub(crate) const STDIN: i32 = 5;
pub(crate) const STDOUT: i32 = 6;

static TABLE: Units<Box<Unit>> = Units::new();

/// The number that `NEWUNIT=` gave last: negative, as the standard wants.
static NEWEST: AtomicI32 = AtomicI32::new(LARGEST_NEW + 1);

/// The largest number that `NEWUNIT=` gives, and the first one.
const LARGEST_NEW: i32 = -11;

/// Answer of [`take`] and [`reserve`].
pub(crate) type Taken = units::Taken<Box<Unit>>;

/// Takes unit `number` out of the table.
pub(crate) fn take(number: i32) -> Taken {
    TABLE.take(number)
}

/// As [`take`]; a place without a unit becomes this thread's, until [`put`] or [`remove`].
pub(crate) fn reserve(number: i32) -> Taken {
    TABLE.reserve(number)
}

/// Takes unit `number` if no other thread uses it.
pub(crate) fn take_free(number: i32) -> Option<Box<Unit>> {
    TABLE.take_free(number)
}

/// Puts a unit back, or a new one in.
pub(crate) fn put(unit: Box<Unit>) {
    TABLE.put(unit.number, unit);
}

/// Removes the place of a unit that has been taken and closed.
pub(crate) fn remove(number: i32) {
    TABLE.remove(number);
}

/// A number for `NEWUNIT=`, never used before.
pub(crate) fn new_number() -> i32 {
    NEWEST.fetch_sub(1, Ordering::Relaxed).wrapping_sub(1).min(LARGEST_NEW)
}

/// The numbers of the connected units, in order.
pub(crate) fn numbers() -> Vec<i32> {
    TABLE.numbers()
}

/// Calls `see` with each unit that is not in use, until it returns a result.
pub(crate) fn find<T>(mut see: impl FnMut(&mut Unit) -> Option<T>) -> Option<T> {
    TABLE.find(|unit| see(unit))
}

impl Standard for Box<Unit> {
    fn standard() -> Vec<(i32, Box<Unit>)> {
        crate::exit::finish_at_exit();
        [(STDERR, 2, "stderr"), (STDIN, 0, "stdin"), (STDOUT, 1, "stdout")]
            .map(|(number, fd, name)| (number, Box::new(standard(number, fd, name))))
            .into()
    }
}

fn standard(number: i32, fd: i32, name: &str) -> Unit {
    let stream = Stream::new(fd, false, number != STDIN);
    let mut unit = Unit::new(number, Some(name.as_bytes().to_vec()), Medium::File(stream));
    unit.action = if number == STDIN { Action::Read } else { Action::Write };
    unit.standard = true;
    unit
}
