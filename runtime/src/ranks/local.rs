//! The transport between forked processes of one machine: one piece of shared memory without a name in the file system.
//!
//! Each pair of ranks has a ring for each direction. A rank that waits sleeps on its own word (`bell`), which every rank that gives it
//! bytes or room rings. Its state says whom it waits for, so that a deadlock is seen by whoever waits in it.
//!
//! **Invariants**
//! - Only the sender of a ring moves its `written`, only the receiver its `read`; both count bytes and wrap around.
//! - A rank looks at its bell before it looks at a ring, and sleeps only while the bell has not been rung since.

use super::ledger::{self, Category};
use super::link::Slow;
use super::transport::{HEADER, Location, Transport, complain, in_line};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// More ranks than this have no room.
pub(super) const MOST_RANKS: usize = 64;

/// All rings together have about this size.
const ROOM: usize = 64 << 20;

/// A rank that sleeps looks at the others after this time.
const PATIENCE: Duration = Duration::from_millis(50);

/// How often a rank looks before it sleeps, where each has a processor.
const SPINS: u32 = 4_000;

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
    /// Rung by whoever gives this rank bytes or room.
    bell: AtomicU32,
    /// Whether it sleeps, so that ringing has to wake it.
    sleeps: AtomicU32,
    /// 0, or the rank that it waits for plus 1; with [`FOR_ROOM`] for room to send to it.
    waits: AtomicU32,
    /// Whether it has come to its end in order.
    ended: AtomicU32,
    /// Changes whenever a wait ends.
    progress: AtomicU32,
    /// The place where it is. Ranks are forked, so literals have the same address in all.
    place: Location,
}

/// In [`State::waits`]: for room in a ring.
const FOR_ROOM: u32 = 1 << 16;

/// The beginning of a ring; its bytes follow.
#[repr(C, align(64))]
struct Ring {
    written: AtomicU32,
    read: AtomicU32,
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

/// Where the rings begin.
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
        self.state(rank).ended.store(1, Ordering::SeqCst);
        (0..self.ranks).for_each(|other| self.wake(other));
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

    fn ring(&self, from: usize, to: usize) -> &Ring {
        // SAFETY: a ring begins there; its size and the capacity are multiples of its alignment.
        unsafe { &*self.ring_at(from, to).cast::<Ring>() }
    }

    fn filled(&self, from: usize, to: usize) -> usize {
        let ring = self.ring(from, to);
        ring.written.load(Ordering::SeqCst).wrapping_sub(ring.read.load(Ordering::SeqCst)) as usize
    }

    /// Rings the bell of `rank`.
    fn wake(&self, rank: usize) {
        let state = self.state(rank);
        state.bell.fetch_add(1, Ordering::SeqCst);
        if state.sleeps.load(Ordering::SeqCst) != 0 {
            futex(&state.bell, libc::FUTEX_WAKE, 1, None);
        }
    }

    /// Waits until `is_there`. `waits` says for whom, as in [`State::waits`].
    fn wait(&self, waits: u32, is_there: impl Fn() -> bool) {
        let is_for_room = waits & FOR_ROOM != 0;
        let _part = ledger::begin(if is_for_room { Category::LateReceiver } else { Category::LateSender });
        for _ in 0..self.spins {
            if is_there() {
                return;
            }
            std::hint::spin_loop();
        }
        let state = self.state(self.rank);
        state.waits.store(waits, Ordering::SeqCst);
        let mut seen = None;
        loop {
            let bell = state.bell.load(Ordering::SeqCst);
            if is_there() {
                break;
            }
            state.sleeps.store(1, Ordering::SeqCst);
            let is_awake = is_there() || futex(&state.bell, libc::FUTEX_WAIT, bell, Some(PATIENCE));
            state.sleeps.store(0, Ordering::SeqCst);
            if !is_awake && !is_there() {
                seen = self.look_around(waits, seen);
            }
        }
        state.waits.store(0, Ordering::SeqCst);
        state.progress.fetch_add(1, Ordering::SeqCst);
    }

    /// Ends the process if the run was given up, or if nobody can go on: then all ranks have been blocked since the last look, which gave
    /// `before`.
    fn look_around(&self, waits: u32, before: Option<u64>) -> Option<u64> {
        if self.given_up().is_some() {
            super::end_quietly();
        }
        let peer = (waits & (FOR_ROOM - 1)) as usize - 1;
        if self.has_ended(peer) {
            // It may have sent its last message after the last look.
            if !self.is_blocked(self.rank) {
                return None;
            }
            // The first rank has told of an error that came to it alone, as of input.
            if peer != 0 || !self.was_told() {
                complain(self, &format!("rank {peer} has ended, and {}", self.story(self.rank)));
            }
            super::end_quietly();
        }
        let mut progress = 0u64;
        for rank in 0..self.ranks {
            if !self.is_blocked(rank) {
                return None;
            }
            progress = progress.wrapping_add(self.state(rank).progress.load(Ordering::SeqCst).into());
        }
        if before != Some(progress) {
            return Some(progress);
        }
        let stories: Vec<String> = (0..self.ranks).filter(|&r| !self.has_ended(r)).map(|r| self.story(r)).collect();
        complain(self, &format!("deadlock: {}", stories.join(", ")));
        super::end_quietly();
    }

    fn is_blocked(&self, rank: usize) -> bool {
        let waits = self.state(rank).waits.load(Ordering::SeqCst);
        let peer = (waits & (FOR_ROOM - 1)) as usize;
        match waits {
            _ if self.has_ended(rank) => true,
            0 => false,
            _ if waits & FOR_ROOM != 0 => self.filled(rank, peer - 1) == self.capacity,
            _ => self.filled(peer - 1, rank) == 0,
        }
    }

    /// Puts bytes into the ring to rank `to`.
    fn put(&self, to: usize, bytes: &[u8]) {
        let (ring, data) = (self.ring(self.rank, to), self.ring_at(self.rank, to).wrapping_add(size_of::<Ring>()));
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = self.capacity - self.filled(self.rank, to);
            if room == 0 {
                self.wait(FOR_ROOM | (to as u32 + 1), || self.filled(self.rank, to) < self.capacity);
                continue;
            }
            let written = ring.written.load(Ordering::Relaxed);
            let at = written as usize & (self.capacity - 1);
            let count = rest.len().min(room).min(self.capacity - at);
            // SAFETY: `at + count` is within the ring, and the receiver does not read these bytes before `written` says so.
            unsafe { std::ptr::copy_nonoverlapping(rest.as_ptr(), data.add(at), count) };
            ring.written.store(written.wrapping_add(count as u32), Ordering::SeqCst);
            self.wake(to);
            rest = &rest[count..];
        }
    }

    /// Takes bytes out of the ring from rank `from`.
    fn take(&self, from: usize, bytes: &mut [u8]) {
        let (ring, data) = (self.ring(from, self.rank), self.ring_at(from, self.rank).wrapping_add(size_of::<Ring>()));
        let mut done = 0;
        while done < bytes.len() {
            let there = self.filled(from, self.rank);
            if there == 0 {
                self.wait(from as u32 + 1, || self.filled(from, self.rank) > 0);
                continue;
            }
            let read = ring.read.load(Ordering::Relaxed);
            let at = read as usize & (self.capacity - 1);
            let count = (bytes.len() - done).min(there).min(self.capacity - at);
            // SAFETY: the sender has written these bytes and does not touch them before `read` says so.
            unsafe { std::ptr::copy_nonoverlapping(data.add(at), bytes.as_mut_ptr().add(done), count) };
            ring.read.store(read.wrapping_add(count as u32), Ordering::SeqCst);
            if self.state(from).waits.load(Ordering::SeqCst) == FOR_ROOM | (self.rank as u32 + 1) {
                self.wake(from);
            }
            done += count;
        }
    }

    /// `rank 0 waits for rank 1 in line 77 of file x.f90`.
    fn story(&self, rank: usize) -> String {
        let peer = (self.state(rank).waits.load(Ordering::SeqCst) & (FOR_ROOM - 1)).max(1) - 1;
        format!("rank {rank} waits for rank {peer}{}", self.place_of(rank))
    }

    fn place_of(&self, rank: usize) -> String {
        // SAFETY: a rank has noted a literal of the executable, which all ranks have at the same address.
        in_line(unsafe { self.state(rank).place.text() })
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
        (self.capacity - self.filled(self.rank, to)).saturating_sub(HEADER)
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
        (0..self.ranks).for_each(|rank| self.wake(rank));
        first
    }

    fn given_up(&self) -> Option<i32> {
        match self.common().given_up.load(Ordering::SeqCst) {
            GOES_ON => None,
            code => Some(code as i32 - 1),
        }
    }

    fn has_ended(&self, rank: usize) -> bool {
        self.state(rank).ended.load(Ordering::SeqCst) != 0
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

/// A futex operation on shared memory; false if the time was over.
fn futex(word: &AtomicU32, operation: i32, value: u32, most: Option<Duration>) -> bool {
    let time = most.map(|t| libc::timespec { tv_sec: 0, tv_nsec: t.as_nanos() as i64 });
    let time = time.as_ref().map_or(std::ptr::null(), |t| t as *const libc::timespec);
    // SAFETY: the word is mapped; the time is null or lives during the call.
    let result = unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, value, time, 0, 0) };
    result >= 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ETIMEDOUT)
}
