//! The way between ranks.

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
