//! The transport between forked processes of one machine: one piece of shared memory without a name in the file system.
//!
//! Each pair of ranks has a ring for each direction. A rank that waits sleeps on its own word (`bell`), which every rank that gives it
//! bytes or room rings. Its state says whom it waits for, so that a deadlock is seen by whoever waits in it.
//!
//! The protocols are those of [`crate::shared`]: `ring`, `waiter` and `net`.

use super::ledger::{self, Category};
use super::link::Slow;
use super::transport::{HEADER, Location, Transport, complain, in_line};
use crate::shared::net::{self, Net, Standstill};
use crate::shared::ring::Ring;
use crate::shared::waiter::{FOR_ROOM, Waiter};
use std::sync::atomic::{AtomicU32, Ordering};

/// More ranks than this have no room.
pub(super) const MOST_RANKS: usize = 64;

/// All rings together have about this size.
const ROOM: usize = 64 << 20;

/// Looks of a rank before it sleeps, where each has a processor.
const SPINS: u32 = 4_000;

/// Looks of a rank before it sleeps that let others have its processor: with more ranks than processors one of them is mostly about to send, and to be
/// woken takes several times as long (jacobi on four ranks of two processors: 0.19 against 0.37 s; with 20 or 100 looks the same).
const YIELDS: u32 = 50;

/// The run goes on.
const GOES_ON: u32 = 0;

/// The beginning of the shared memory.
#[repr(C, align(64))]
struct Common {
    /// 0, or the exit code of a run that was given up, plus 1.
    given_up: AtomicU32,
    /// Whether somebody has told of an error that ends the run.
    told: AtomicU32,
}

/// The state of a rank.
#[repr(C, align(64))]
struct State {
    waiter: Waiter,
    /// Whether it has come to its end in order.
    ended: AtomicU32,
    /// The place where it is. Ranks are forked, so literals have the same address in all.
    place: Location,
}

/// The shared memory as one rank sees it.
pub(super) struct Local {
    base: *mut u8,
    ranks: usize,
    rank: usize,
    /// Bytes of a ring, a power of two.
    capacity: usize,
    spins: u32,
    /// Links that are to be slower.
    slow: Option<Slow>,
}

// SAFETY: the memory is only used through atomics and, between those, by the one side that owns the bytes.
unsafe impl Send for Local {}
// SAFETY: as above; two threads of a rank never communicate at a time, since the runtime is entered by the program's own thread.
unsafe impl Sync for Local {}

/// A place of the shared memory for `ranks` ranks, which forked processes inherit.
pub(super) fn create(ranks: usize, slow: Option<Slow>) -> std::io::Result<Local> {
    let capacity = (ROOM / (ranks * ranks)).clamp(4 << 10, 1 << 20).next_power_of_two() / 2;
    let size = rings_at(ranks) + ranks * ranks * (size_of::<Ring>() + capacity);
    // No file, whose size a limit of the user (`ulimit -f`) could forbid by a signal.
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: new memory anywhere, which lives as long as the process.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0) };
    if base == libc::MAP_FAILED {
        return Err(std::io::Error::last_os_error());
    }
    let base = base.cast::<u8>();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let spins = if ranks <= processors { SPINS } else { 0 };
    Ok(Local { base, ranks, rank: 0, capacity, spins, slow })
}

/// The beginning of the rings.
fn rings_at(ranks: usize) -> usize {
    size_of::<Common>() + ranks * size_of::<State>()
}

impl Local {
    /// The memory as `rank` sees it.
    pub(super) fn as_rank(&self, rank: usize) -> Local {
        let Local { base, ranks, capacity, spins, slow, .. } = *self;
        Local { base, ranks, rank, capacity, spins, slow }
    }

    /// Notes that `rank` has ended, for the ranks that wait for it.
    pub(super) fn leave_for(&self, rank: usize) {
        net::leave(self, rank);
    }

    /// The place where `rank` has last communicated, as the process sees it that watches over the ranks: a rank may have loaded a library
    /// with the text since it was forked, so the kernel reads it.
    pub(super) fn last_place_of(&self, rank: usize) -> String {
        let (address, length) = self.state(rank).place.range();
        let mut text = vec![0u8; length];
        let [here, there] = [text.as_mut_ptr() as u64, address]
            .map(|at| libc::iovec { iov_base: at as *mut libc::c_void, iov_len: text.len() });
        // SAFETY: the kernel writes to our buffer of that length, and refuses to read where no memory is.
        let read = unsafe { libc::process_vm_readv(libc::getpid(), &raw const here, 1, &raw const there, 1, 0) };
        if length == 0 || usize::try_from(read) != Ok(length) { String::new() } else { in_line(&text) }
    }

    /// Gives the run up with this exit code before any rank tells of a consequence.
    pub(super) fn claim(&self, code: i32) {
        self.common().told.store(1, Ordering::SeqCst);
        self.give_up(code);
    }

    fn common(&self) -> &Common {
        // SAFETY: the memory begins with it, zeroed, which is valid; it is mapped as long as the process lives.
        unsafe { &*self.base.cast::<Common>() }
    }

    fn state(&self, rank: usize) -> &State {
        debug_assert!(rank < self.ranks);
        // SAFETY: the states of all ranks follow `Common`, whose size is a multiple of their alignment.
        unsafe { &*self.base.add(size_of::<Common>()).cast::<State>().add(rank) }
    }

    fn ring_at(&self, from: usize, to: usize) -> *mut u8 {
        let number = from * self.ranks + to;
        // SAFETY: `create` made room for a ring for each pair.
        unsafe { self.base.add(rings_at(self.ranks) + number * (size_of::<Ring>() + self.capacity)) }
    }

    /// Waits until `is_there`. `waits` says for whom, as in [`Waiter::waits`].
    fn wait(&self, waits: u32, is_there: impl Fn() -> bool) {
        let is_for_room = waits & FOR_ROOM != 0;
        let _part = ledger::begin(if is_for_room { Category::LateReceiver } else { Category::LateSender });
        for _ in 0..self.spins {
            if is_there() {
                return;
            }
            std::hint::spin_loop();
        }
        for _ in 0..YIELDS {
            if is_there() {
                return;
            }
            std::thread::yield_now();
        }
        let mut seen = None;
        ledger::asleep(|| self.waiter(self.rank).wait(waits, is_there, || seen = self.look_around(waits, seen)));
    }

    /// Ends the process if the run was given up, or if nobody can go on: then all ranks have been blocked since the last look, which gave
    /// `before`.
    fn look_around(&self, waits: u32, before: Option<Standstill>) -> Option<Standstill> {
        if self.given_up().is_some() {
            super::end_quietly();
        }
        let peer = (waits & (FOR_ROOM - 1)) as usize - 1;
        if self.has_ended(peer) {
            // It may have sent its last message after the last look.
            if !net::is_blocked(self, self.rank) {
                return None;
            }
            // The first rank has told of an error that came to it alone, as of input.
            if peer != 0 || !self.was_told() {
                complain(self, &format!("rank {peer} has ended, and {}", self.story(self.rank)));
            }
            super::end_quietly();
        }
        let now = net::look(self)?;
        if before != Some(now) {
            return Some(now);
        }
        let stories: Vec<String> = (0..self.ranks).filter(|&r| !self.has_ended(r)).map(|r| self.story(r)).collect();
        complain(self, &format!("deadlock: {}", stories.join(", ")));
        super::end_quietly();
    }

    /// Puts bytes into the ring to rank `to`.
    fn put(&self, to: usize, bytes: &[u8]) {
        let data = self.bytes_at(self.rank, to);
        let copy = |first: usize, at: usize, count: usize| {
            // SAFETY: `at + count` is within the ring, and the receiver does not read these bytes before `written` says so.
            unsafe { std::ptr::copy_nonoverlapping(bytes[first..first + count].as_ptr(), data.add(at), count) };
        };
        net::send(self, (self.rank, to, bytes.len()), copy, |waits, is_there| self.wait(waits, is_there));
    }

    /// Takes bytes out of the ring from rank `from`.
    fn take(&self, from: usize, bytes: &mut [u8]) {
        let (data, count) = (self.bytes_at(from, self.rank), bytes.len());
        let copy = |first: usize, at: usize, count: usize| {
            let to = &mut bytes[first..first + count];
            // SAFETY: the sender has written these bytes and does not touch them before `read` says so.
            unsafe { std::ptr::copy_nonoverlapping(data.add(at), to.as_mut_ptr(), count) };
        };
        net::receive(self, (from, self.rank, count), copy, |waits, is_there| self.wait(waits, is_there));
    }

    /// The bytes of a ring.
    fn bytes_at(&self, from: usize, to: usize) -> *mut u8 {
        self.ring_at(from, to).wrapping_add(size_of::<Ring>())
    }

    /// `rank 0 waits for rank 1 in line 77 of file x.f90`.
    fn story(&self, rank: usize) -> String {
        let peer = (self.waiter(rank).waits.load(Ordering::SeqCst) & (FOR_ROOM - 1)).max(1) - 1;
        format!("rank {rank} waits for rank {peer}{}", self.place_of(rank))
    }

    fn place_of(&self, rank: usize) -> String {
        // SAFETY: a rank has noted a literal of the executable, which all ranks have at the same address.
        in_line(unsafe { self.state(rank).place.text() })
    }
}

impl Net for Local {
    fn ranks(&self) -> usize {
        self.ranks
    }

    fn capacity(&self) -> usize {
        self.capacity
    }

    fn waiter(&self, rank: usize) -> &Waiter {
        &self.state(rank).waiter
    }

    fn ended(&self, rank: usize) -> &AtomicU32 {
        &self.state(rank).ended
    }

    fn ring(&self, from: usize, to: usize) -> &Ring {
        // SAFETY: a ring begins there; its size and the capacity are multiples of its alignment.
        unsafe { &*self.ring_at(from, to).cast::<Ring>() }
    }
}

impl Transport for Local {
    fn send(&self, to: usize, bytes: &[u8]) {
        if let Some(slow) = self.slow {
            slow.pass(self.rank, to, bytes.len());
        }
        self.put(to, &(bytes.len() as u64).to_ne_bytes());
        self.put(to, bytes);
    }

    fn room(&self, to: usize) -> usize {
        (self.capacity - self.ring(self.rank, to).filled()).saturating_sub(HEADER)
    }

    fn receive(&self, from: usize, bytes: &mut [u8]) -> Result<(), u64> {
        let mut header = [0; HEADER];
        self.take(from, &mut header);
        let length = u64::from_ne_bytes(header);
        if length != bytes.len() as u64 {
            return Err(length);
        }
        self.take(from, bytes);
        Ok(())
    }

    fn set_place(&self, place: &'static [u8]) {
        self.state(self.rank).place.set(place);
    }

    fn place(&self) -> String {
        self.place_of(self.rank)
    }

    fn leave(&self) {
        self.leave_for(self.rank);
    }

    fn give_up(&self, code: i32) -> bool {
        let given = &self.common().given_up;
        let first =
            given.compare_exchange(GOES_ON, (code as u32 & 0xff) + 1, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        (0..self.ranks).for_each(|rank| self.waiter(rank).ring());
        first
    }

    fn given_up(&self) -> Option<i32> {
        match self.common().given_up.load(Ordering::SeqCst) {
            GOES_ON => None,
            code => Some(code as i32 - 1),
        }
    }

    fn has_ended(&self, rank: usize) -> bool {
        net::has_ended(self, rank)
    }

    fn tells_first(&self) -> bool {
        self.common().told.swap(1, Ordering::SeqCst) == 0
    }

    fn was_told(&self) -> bool {
        self.common().told.load(Ordering::SeqCst) != 0
    }

    fn tells_fault(&self) -> bool {
        self.tells_first()
    }
}
