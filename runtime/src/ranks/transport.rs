//! The way between ranks.

/// Messages between the ranks of a run. Both sides know the length of a message; messages of one sender to one receiver arrive in
/// the order in which they were sent.
///
/// A call comes back when its work is done, or ends the process: because the run was given up, or because no rank can go on.
pub(crate) trait Transport: Send + Sync {
    /// Sends `bytes` to rank `to`; they are copied before the call returns.
    fn send(&self, to: usize, bytes: &[u8]);

    /// The bytes that can be sent to rank `to` at this time without waiting.
    fn room(&self, to: usize) -> usize;

    /// Receives a message of that length from rank `from`.
    fn receive(&self, from: usize, bytes: &mut [u8]);

    /// Notes that this rank comes to its end in order.
    fn leave(&self);

    /// Gives the run up with this exit code, once; tells whether this rank was the first.
    fn give_up(&self, code: i32) -> bool;
}
