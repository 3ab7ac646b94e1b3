//! The messages between ranks that move elements and sums, and their number.

use super::ledger::{self, Category};
use super::mapped::Array;
use super::nest::Message;
use super::{WORLD, fault, rank, receive, rehearsal, send, set_place, size};
use crate::memory::{bytes_mut, c_text};
use std::sync::atomic::{AtomicU64, Ordering};
use trueline_abi::TypeCode;
use trueline_abi::nest::MIN;

/// Messages with elements, and their bytes, that this rank has sent.
static SENT: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Sums, maxima and minima over all ranks that this rank has taken part in.
static REDUCED: AtomicU64 = AtomicU64::new(0);

/// Notes a message with elements: the names of the arrays, and the bytes of each part.
pub(super) fn note_sent(parts: impl Iterator<Item = (&'static [u8], usize)> + Clone) {
    let bytes: usize = parts.clone().map(|(_, bytes)| bytes).sum();
    SENT[0].fetch_add(1, Ordering::Relaxed);
    SENT[1].fetch_add(bytes as u64, Ordering::Relaxed);
    ledger::note_sent(parts);
}

/// The messages that this rank has sent, their bytes, and its reductions.
pub(super) fn totals() -> [u64; 3] {
    [&SENT[0], &SENT[1], &REDUCED].map(|n| n.load(Ordering::Relaxed))
}

/// Appends the ledger of this rank, or of all ranks of a rehearsal, to the file that `TRUELINE_MESSAGES` names.
pub(super) fn tell() {
    let Some(path) = std::env::var_os("TRUELINE_MESSAGES") else { return };
    let text = if rehearsal::is_on() { rehearsal::report() } else { ledger::report() };
    if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path) {
        // One write, so lines of ranks do not mix. A report that cannot be written is not worth an error.
        let _ = std::io::Write::write_all(&mut file, text.as_bytes());
    }
}

/// Sends and receives the messages of this rank, which are in the order of all ranks.
///
/// A message for which there is room goes first, whatever the order. The others follow in order, so of all messages that are not yet
/// through the first one can always go on: its sender and its receiver have come to it, and there is no deadlock.
pub(super) fn exchange(messages: &[Message], arrays: &mut [&mut Array]) {
    if rehearsal::is_on() {
        return rehearsal::exchange(&sent(messages, arrays));
    }
    let Some(world) = WORLD.get() else { return };
    let mut buffer = Vec::new();
    let mut gone = 0u128;
    for (k, message) in messages.iter().enumerate().take(u128::BITS as usize) {
        if message.from == rank() && message.length() <= world.transport.room(message.to) {
            dispatch(message, arrays, &mut buffer);
            gone |= 1 << k;
        }
    }
    for (k, message) in messages.iter().enumerate() {
        if message.to == rank() {
            take(message, arrays, &mut buffer);
        } else if k >= u128::BITS as usize || gone >> k & 1 == 0 {
            dispatch(message, arrays, &mut buffer);
        }
    }
}

/// Sends the messages of this rank, if there is room for all of them; tells whether there was.
///
/// Then nobody waits for this rank, whatever it does before it receives the others.
pub(super) fn send_at_once(messages: &[Message], arrays: &mut [&mut Array]) -> bool {
    let Some(world) = WORLD.get().filter(|_| !rehearsal::is_on()) else { return false };
    let mut own = messages.iter().filter(|m| m.from == rank());
    let has_room = own.all(|m| m.length() <= world.transport.room(m.to));
    if has_room {
        send_all(messages, arrays);
    }
    has_room
}

/// Receives the messages to this rank.
pub(super) fn receive_all(messages: &[Message], arrays: &mut [&mut Array]) {
    let mut buffer = Vec::new();
    for message in messages.iter().filter(|m| m.to == rank()) {
        if fault("ranks_sweep_discarded") {
            buffer.resize(message.length(), 0);
            receive(message.from, &mut buffer);
            continue;
        }
        take(message, arrays, &mut buffer);
    }
}

/// Sends the messages of this rank.
pub(super) fn send_all(messages: &[Message], arrays: &mut [&mut Array]) {
    let mut buffer = Vec::new();
    messages.iter().filter(|m| m.from == rank()).for_each(|m| dispatch(m, arrays, &mut buffer));
}

fn take(message: &Message, arrays: &mut [&mut Array], buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.resize(message.length(), 0);
    receive(message.from, buffer);
    let mut rest = buffer.as_slice();
    for &(array, first, count) in &message.parts {
        let place = arrays[array].bytes(first, count);
        let part;
        (part, rest) = rest.split_at(place.len());
        place.copy_from_slice(part);
    }
}

fn dispatch(message: &Message, arrays: &mut [&mut Array], buffer: &mut Vec<u8>) {
    buffer.clear();
    for &(array, first, count) in &message.parts {
        buffer.extend_from_slice(arrays[array].bytes(first, count));
    }
    note_sent(named(message, arrays));
    send(message.to, buffer);
}

/// The names of the arrays of a message, and the bytes of each.
fn named<'a>(
    message: &'a Message,
    arrays: &'a [&mut Array],
) -> impl Iterator<Item = (&'static [u8], usize)> + Clone + 'a {
    message.bytes.iter().map(|&(array, bytes)| (arrays[array].name, bytes))
}

/// The messages as a rehearsal notes them.
pub(super) fn sent(messages: &[Message], arrays: &[&mut Array]) -> Vec<rehearsal::Sent> {
    let one = |m: &Message| rehearsal::Sent {
        from: m.from,
        to: m.to,
        parts: named(m, arrays).collect(),
        pieces: m.parts.len(),
    };
    messages.iter().map(one).collect()
}

/// Gives all ranks the greatest or the least of their values.
///
/// # Safety
/// `place` is the address of a number of the type with code `kind`, `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_reduce(place: *mut u8, operation: i64, kind: i32, location: *const u8) {
    let Some(ty) = TypeCode::ALL.into_iter().find(|t| *t as i32 == kind) else { return };
    if size() == 1 {
        return;
    }
    // SAFETY: the caller passes a literal location, and a variable of that type.
    let own = unsafe {
        set_place(c_text(location));
        bytes_mut(place, ty.size() as i64)
    };
    let _part = ledger::begin(Category::Global);
    REDUCED.fetch_add(1, Ordering::Relaxed);
    if rehearsal::is_on() {
        return rehearsal::together();
    }
    // All ranks take the values in one order, so they come to one result.
    let all = gathered(own);
    let mut values = (0..size()).map(|q| &all[(q + size() - rank()) % size() * own.len()..][..own.len()]);
    let mut result = values.next().unwrap_or_default();
    for value in values {
        if wins(ty, value, result, operation == MIN) && !fault("ranks_reduce_first") {
            result = value;
        }
    }
    own.copy_from_slice(result);
}

/// The bytes of all ranks, from this one on: what has been gathered is passed to the ranks before, each time twice as much, so it takes as many
/// steps as the number of ranks has binary digits.
///
/// No rank waits for room: each has taken all that was sent to it before it comes here, or the sender is ahead and waits for nobody.
fn gathered(own: &[u8]) -> Vec<u8> {
    let (rank, size, each) = (rank(), size(), own.len());
    let mut all = vec![0; each * size];
    all[..each].copy_from_slice(own);
    let mut done = 1;
    while done < size {
        let more = done.min(size - done);
        let (here, rest) = all.split_at_mut(done * each);
        send((rank + size - done) % size, &here[..more * each]);
        receive((rank + done) % size, &mut rest[..more * each]);
        done += more;
    }
    all
}

/// Whether `a` is greater than `b`, or less.
fn wins(ty: TypeCode, a: &[u8], b: &[u8], least: bool) -> bool {
    macro_rules! compare {
        ($ty:ty) => {{
            let [a, b] = [a, b].map(|x| x.try_into().map(<$ty>::from_ne_bytes).unwrap_or_default());
            // A zero that came of a value is positive; only one that was there before may not be.
            let is_zero = a == <$ty>::default() && b == a;
            if is_zero {
                a.to_ne_bytes() == <$ty>::default().to_ne_bytes()
            } else if least {
                a < b
            } else {
                a > b
            }
        }};
    }
    match ty {
        TypeCode::I1 => compare!(i8),
        TypeCode::I2 => compare!(i16),
        TypeCode::I4 => compare!(i32),
        TypeCode::I8 => compare!(i64),
        TypeCode::R4 => compare!(f32),
        TypeCode::R8 => compare!(f64),
        _ => false,
    }
}
