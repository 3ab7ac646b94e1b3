//! The way between ranks.

use std::sync::atomic::{AtomicU64, Ordering};

/// The beginning of a message where bytes have no boundaries of their own: its length, so that ranks which have taken different ways are
/// found out.
pub(super) const HEADER: usize = 8;

/// Messages between the ranks of a run. Both sides know the length of a message; messages of one sender to one receiver arrive in
/// the order in which they were sent.
///
/// A call comes back when its work is done, or ends the process: because the run was given up, or because no rank can go on.
pub(crate) trait Transport: Send + Sync {
    /// Sends a message to rank `to`; its bytes are copied before the call returns.
    fn send(&self, to: usize, bytes: &[u8]);

    /// The length of a message that can be sent to rank `to` at this time without waiting.
    fn room(&self, to: usize) -> usize;

    /// Receives a message of that length from rank `from`; the length of the message that is there, if it is another.
    fn receive(&self, from: usize, bytes: &mut [u8]) -> Result<(), u64>;

    /// Notes where in the source this rank is: `file:line`.
    fn set_place(&self, place: &'static [u8]);

    /// Where this rank is: ` in line 77 of file x.f90`, or nothing.
    fn place(&self) -> String;

    /// Notes that this rank comes to its end in order.
    fn leave(&self);

    /// Whether `rank` has come to its end in order.
    fn has_ended(&self, rank: usize) -> bool;

    /// Gives the run up with this exit code, once; tells whether this rank was the first.
    fn give_up(&self, code: i32) -> bool;

    /// The exit code of a run that was given up.
    fn given_up(&self) -> Option<i32>;

    /// Says that this rank tells of an error; false if another one has.
    fn tells_first(&self) -> bool;

    /// Whether a rank has told of an error.
    fn was_told(&self) -> bool;

    /// Whether this rank tells of a fault that may have come to all. Async-signal-safe.
    fn tells_fault(&self) -> bool;
}

/// A place in the source (`file:line`) as one word, so that a rank that is killed at any instant leaves the old one or the new one: the
/// address below, the length in the upper 16 bits. 0 is none.
#[derive(Default)]
pub(super) struct Location(AtomicU64);

/// A longer name of a place is none.
const LONGEST_PLACE: usize = 8 << 10;

/// The bits of an address.
const ADDRESS: u32 = 48;

impl Location {
    /// Notes a place; one that does not fit into the word is none.
    pub(super) fn set(&self, place: &'static [u8]) {
        let (address, length) = (place.as_ptr() as u64, place.len());
        let fits = length <= LONGEST_PLACE && address >> ADDRESS == 0;
        let word = if fits && length > 0 { (length as u64) << ADDRESS | address } else { 0 };
        self.0.store(word, Ordering::Release);
    }

    /// Address and length of the place; no length if there is none.
    pub(super) fn range(&self) -> (u64, usize) {
        let word = self.0.load(Ordering::Acquire);
        (word & ((1 << ADDRESS) - 1), (word >> ADDRESS) as usize)
    }

    /// The place.
    ///
    /// # Safety
    /// A process that has the same literals at the same addresses has noted it.
    pub(super) unsafe fn text(&self) -> &'static [u8] {
        match self.range() {
            (_, 0) => b"",
            // SAFETY: `set` had a literal of that length there.
            (address, length) => unsafe { std::slice::from_raw_parts(address as *const u8, length) },
        }
    }
}

/// ` in line 77 of file x.f90` of `x.f90:77`; nothing of another text.
pub(super) fn in_line(place: &[u8]) -> String {
    let place = String::from_utf8_lossy(place);
    place.rsplit_once(':').map_or_else(String::new, |(file, line)| format!(" in line {line} of file {file}"))
}

/// Ends the run, if no rank has, because of an error that no rank can go on with.
pub(super) fn complain(transport: &dyn Transport, text: &str) {
    if transport.give_up(crate::exit::ERROR_CODE) && transport.tells_first() {
        crate::exit::tell(format!("trueline: {text}\n").as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_one_word() {
        let location = Location::default();
        assert_eq!(location.range().1, 0);
        for place in ["x.f90:9", "directory/longer.f90:1234"] {
            location.set(place.as_bytes());
            assert_eq!(location.range(), (place.as_ptr() as u64, place.len()));
            // SAFETY: this process has noted it.
            assert_eq!(unsafe { location.text() }, place.as_bytes());
        }
        assert_eq!(size_of::<Location>(), 8, "a place that is noted in two steps may be lost between them");
    }

    #[test]
    fn a_place_that_does_not_fit_is_none() {
        const LONG: &[u8] = &[b'x'; LONGEST_PLACE + 1];
        let location = Location::default();
        location.set(b"x.f90:9");
        location.set(LONG);
        // SAFETY: this process has noted it.
        assert_eq!(unsafe { location.text() }, b"");
        location.set(&LONG[1..]);
        // SAFETY: as above.
        assert_eq!(unsafe { location.text() }.len(), LONGEST_PLACE);
        location.set(b"");
        assert_eq!(location.range().1, 0);
    }
}
