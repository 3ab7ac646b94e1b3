//! A program on several ranks.
//!
//! Every rank runs the whole control flow of the program with all its variables, and takes the same decisions. An array that HPF
//! directives map has an owner for each element: only owners compute it, and a rank that needs it gets it from its owner
//! ([`mapped`]). Rank 0 reads and writes, and is asked for everything that the world around knows ([`share`]).
//!
//! The files: [`launch`] starts the ranks and watches over them, or finds them started; [`transport`] is the way between them, [`local`] the
//! one between processes of one machine, [`mpi`] the one between processes that an MPI has started; [`mapped`] keeps which ranks have the value of which element in [`notes`], [`placement`] computes owners;
//! [`nest`] plans what loop nests need, from [`sets`], [`remap`] what new owners need, [`kept`] and [`handed`] are about arrays over calls, and [`exchange`] sends it; [`turns`] sends scalars from owner to owner; [`carry`] hands results of nests on from rank to rank; [`counts`] adds up the counts of which each rank has a share;
//! [`ledger`] keeps messages and times; [`rehearsal`] is a run of one process that foretells those of any number of ranks, [`work`] the iterations of each,
//! [`link`] the way between two of them.

mod carry;
mod counts;
mod exchange;
mod fault;
mod handed;
mod kept;
mod launch;
pub(crate) mod ledger;
mod link;
mod local;
mod mapped;
mod mpi;
mod nest;
mod notes;
mod placement;
mod rehearsal;
mod remap;
mod sets;
mod transport;
mod turns;
mod work;

pub use carry::trueline_ranks_carry;
pub(crate) use counts::add_up;
pub use exchange::trueline_ranks_reduce;
pub(crate) use fault::fault;
pub use handed::*;
pub use kept::*;
pub use mapped::*;
pub use nest::{
    trueline_ranks_mine, trueline_ranks_nest, trueline_ranks_part, trueline_ranks_strip, trueline_ranks_swept,
};
pub(crate) use remap::forget;
pub use remap::{trueline_ranks_anew, trueline_ranks_follow, trueline_ranks_remap, trueline_ranks_remapped};

pub use turns::*;

pub(crate) use launch::start;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use transport::Transport;

/// The ranks of this run.
struct World {
    rank: usize,
    size: usize,
    transport: Box<dyn Transport>,
}

static WORLD: OnceLock<World> = OnceLock::new();

/// Whether this rank has told of an error that ends the run.
static TOLD_HERE: AtomicBool = AtomicBool::new(false);

/// The number of this rank.
pub(crate) fn rank() -> usize {
    WORLD.get().map_or(0, |w| w.rank)
}

/// The number of ranks.
pub(crate) fn size() -> usize {
    WORLD.get().map_or(1, |w| w.size)
}

/// Whether this process does the work of one of several ranks.
pub(crate) fn has_parts() -> bool {
    size() > 1 && !rehearsal::is_on()
}

/// Notes where in the source this rank is, for messages.
pub(crate) fn set_place(place: &'static [u8]) {
    if let Some(world) = WORLD.get() {
        world.transport.set_place(place);
        ledger::set_place(place);
    }
}

/// Notes where in the source this rank is, and begins work of that category there.
fn begin_at(place: &'static [u8], category: ledger::Category) -> ledger::Part {
    if let Some(world) = WORLD.get() {
        world.transport.set_place(place);
    }
    ledger::begin_at(place, category)
}

/// As [`begin_at`], for work of the runtime library that is short, and not measured each time.
fn note_short(place: &'static [u8], iterations: u64) {
    if let Some(world) = WORLD.get() {
        world.transport.set_place(place);
    }
    ledger::note_short(place, iterations);
}

/// Sends a message to another rank.
fn send(to: usize, bytes: &[u8]) {
    let Some(world) = WORLD.get() else { return };
    world.transport.send(to, bytes);
}

/// Receives a message of that length from another rank.
fn receive(from: usize, bytes: &mut [u8]) {
    let Some(world) = WORLD.get() else { return };
    if let Err(sent) = world.transport.receive(from, bytes) {
        diverged(world, from, bytes.len(), sent);
    }
}

/// Two ranks have taken different ways: a procedure in another language gave them different results.
fn diverged(world: &World, from: usize, wanted: usize, sent: u64) -> ! {
    let text = format!(
        "ranks {} and {from} have taken different ways{}: one waits for {wanted} bytes, the other sends {sent}",
        world.rank,
        world.transport.place()
    );
    transport::complain(world.transport.as_ref(), &text);
    end_quietly()
}

/// Gives all ranks the bytes that rank 0 has.
pub(crate) fn share(bytes: &mut [u8]) {
    let Some(world) = WORLD.get() else { return };
    let _part = ledger::begin(ledger::Category::Global);
    if rehearsal::is_on() {
        return rehearsal::share();
    }
    if world.rank == 0 {
        (1..world.size).for_each(|to| send(to, bytes));
    } else {
        receive(0, bytes);
    }
}

/// The bits that any rank has on the first rank; on the other ranks their own bits.
pub(crate) fn union(bits: i32) -> i32 {
    if rehearsal::is_on() {
        return bits;
    }
    if rank() != 0 {
        send(0, &bits.to_ne_bytes());
        return bits;
    }
    (1..size()).fold(bits, |all, from| {
        let mut bytes = [0; 4];
        receive(from, &mut bytes);
        all | i32::from_ne_bytes(bytes)
    })
}

/// Whether this rank is the one that tells of an error that may have come to all. Rank 0 does, for its output comes before; if it
/// does not for a long time, the error came to another rank alone.
pub(crate) fn tells_error() -> bool {
    /// Hundredths of a second that rank 0 may take.
    const PATIENCE: u32 = 500;
    let Some(world) = WORLD.get() else { return true };
    let mut left = if world.rank == 0 { 0 } else { PATIENCE };
    while left > 0 && !world.transport.was_told() && !world.transport.has_ended(0) {
        std::thread::sleep(std::time::Duration::from_millis(10));
        left -= 1;
    }
    if world.rank != 0 && world.transport.has_ended(0) {
        return false;
    }
    let first = world.transport.tells_first();
    TOLD_HERE.fetch_or(first, Ordering::SeqCst);
    first
}

/// Whether this rank tells of a fault that may have come to all: the first to come does. Async-signal-safe.
pub(crate) fn tells_fault() -> bool {
    WORLD.get().is_none_or(|w| w.transport.tells_fault())
}

/// Notes that this rank comes to its end with `code`; its exit code, which is that of the run if that was given up. A rank that told of an
/// error ends all.
pub(crate) fn note_end(code: i32) -> i32 {
    let Some(world) = WORLD.get() else { return code };
    exchange::tell();
    if TOLD_HERE.load(Ordering::SeqCst) {
        world.transport.give_up(code);
    }
    world.transport.leave();
    world.transport.given_up().unwrap_or(code)
}

/// Ends this rank because the run is over.
fn end_quietly() -> ! {
    crate::profile::note_leaves();
    crate::exit::leave(WORLD.get().and_then(|w| w.transport.given_up()).unwrap_or(0))
}

/// `NUMBER_OF_PROCESSORS()`.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_count() -> i32 {
    size() as i32
}

/// Whether this rank is the first, which does for all of them things that the world around sees.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_first() -> i32 {
    i32::from(rank() == 0)
}

/// Gives all ranks the `len` bytes at `place` that rank 0 has.
///
/// # Safety
/// `location` is null or NUL-terminated, `place` is the address of `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_share(place: *mut u8, len: i64, location: *const u8) {
    if size() > 1 {
        // SAFETY: the caller passes a literal location, a variable and its size.
        unsafe {
            set_place(crate::memory::c_text(location));
            share(crate::memory::bytes_mut(place, len));
        }
    }
}
