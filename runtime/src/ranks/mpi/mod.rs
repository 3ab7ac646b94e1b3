//! The transport between processes that an MPI has started, on one machine or on several.
//!
//! A message is one message of MPI. Nothing blocks in the library: a rank that waits looks again and again, gives its processor away in
//! between, and listens to what other ranks tell it ([`news`]). So more ranks than processors do not hinder one another, and a deadlock is
//! told. Bytes to be sent are copied and kept until MPI has taken them, so sending waits only for a rank that is far behind.

mod library;
mod news;
mod start;

pub(super) use start::{Launched, join, launched};

use super::ledger::{self, Category};
use super::transport::{Location, Transport, complain, in_line};
use library::{Handle, Library};
use news::News;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The tag of messages of the program.
const DATA: i32 = 1;

/// The tag of news.
const NEWS: i32 = 2;

/// The longest piece of a message; MPI has lengths of 31 bits.
const PIECE: usize = 1 << 30;

/// Bytes that may be on their way to one rank.
const ROOM: usize = 64 << 20;

/// The looks of a rank before it gives its processor away, where each rank has one.
const SPINS: u32 = 2_000;

/// The times that it gives the processor away before it sleeps.
const YIELDS: u32 = 400;

/// The longest sleep between two looks.
const NAP: Duration = Duration::from_millis(1);

/// A rank that waits listens to news after this time.
const LISTEN: Duration = Duration::from_millis(2);

/// A rank that waits asks after this time whether it does in a circle.
const PATIENCE: Duration = Duration::from_millis(100);

/// The time that ranks have to end in order when the run was given up.
const GRACE: Duration = Duration::from_secs(5);

/// Bytes on their way.
struct Outgoing {
    to: usize,
    tag: i32,
    request: Handle,
    bytes: Box<[u8]>,
}

/// A wait of a rank for another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wait {
    peer: usize,
    /// Whether it is for room to send to that rank, and not for its message.
    for_room: bool,
    /// A number that no other wait of this rank has.
    number: u64,
}

/// The talk of this rank with the others.
#[derive(Default)]
struct Talk {
    outgoing: Vec<Outgoing>,
    waits: u64,
    /// The circle of ranks that the last question came back from.
    circle: Option<String>,
    is_deadlock: bool,
}

/// MPI as one rank sees it.
pub(super) struct Mpi {
    library: Library,
    world: Handle,
    rank: usize,
    size: usize,
    /// The beginning of the message of a fault.
    name: String,
    spins: u32,
    place: Location,
    /// Whether a rank has told of an error.
    told: AtomicBool,
    /// 0, or the exit code of a run that was given up, plus 1.
    given_up: AtomicI32,
    ended: Vec<AtomicBool>,
    talk: Mutex<Talk>,
}

impl Mpi {
    fn talk(&self) -> MutexGuard<'_, Talk> {
        self.talk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `file:line` of this rank.
    fn location(&self) -> &'static [u8] {
        // SAFETY: this process has noted it.
        unsafe { self.place.text() }
    }

    /// Sends bytes of at most [`PIECE`] without waiting.
    fn post(&self, to: usize, tag: i32, bytes: &[u8]) {
        // Messages that have gone would be looked at again and again.
        self.retire();
        let bytes: Box<[u8]> = bytes.into();
        let mut request = self.library.send(self.world, to, tag, &bytes);
        // Short messages are gone at once.
        if !self.library.is_done(&mut request) {
            self.talk().outgoing.push(Outgoing { to, tag, request, bytes });
        }
    }

    /// Forgets the bytes that have gone.
    fn retire(&self) {
        let mut talk = self.talk();
        if !talk.outgoing.is_empty() {
            talk.outgoing.retain_mut(|o| !self.library.is_done(&mut o.request));
        }
    }

    /// The bytes of the program that are on their way to that rank.
    fn on_way(&self, to: usize) -> usize {
        self.talk().outgoing.iter().filter(|o| o.to == to && o.tag == DATA).map(|o| o.bytes.len()).sum()
    }

    /// Waits until `is_there`.
    fn wait(&self, peer: usize, for_room: bool, mut is_there: impl FnMut() -> bool) {
        if is_there() {
            return;
        }
        let _part = ledger::begin(if for_room { Category::LateReceiver } else { Category::LateSender });
        for _ in 0..self.spins {
            if is_there() {
                return;
            }
            std::hint::spin_loop();
        }
        let number = {
            let mut talk = self.talk();
            talk.waits += 1;
            talk.circle = None;
            talk.waits
        };
        let wait = Wait { peer, for_room, number };
        let mut pause = Pause::default();
        let (mut listened, mut asked, mut rounds) = (Instant::now(), Instant::now(), 0);
        while !is_there() {
            pause.take();
            if listened.elapsed() < LISTEN {
                continue;
            }
            listened = Instant::now();
            self.retire();
            self.listen(Some(wait));
            if self.given_up().is_some() {
                super::end_quietly();
            }
            if asked.elapsed() >= PATIENCE && !is_there() {
                asked = Instant::now();
                rounds += 1;
                self.look_around(wait, rounds);
            }
        }
    }

    /// Ends the process if nobody can go on. The rank that it waits for may have ended, but not before its last message has had time.
    fn look_around(&self, wait: Wait, rounds: u32) {
        /// Rounds that a message may take. The ranks tell of it one after the other, so one of them does.
        const ROUNDS: u32 = 3;
        if self.has_ended(wait.peer) {
            if rounds < ROUNDS + self.rank as u32 {
                return;
            }
            // The first rank has told of an error that came to it alone, as of input.
            if wait.peer != 0 || !self.was_told() {
                let text = format!("rank {} has ended, and rank {} waits for it{}", wait.peer, self.rank, self.place());
                complain(self, &text);
            }
            super::end_quietly();
        }
        if self.talk().is_deadlock {
            super::end_quietly();
        }
        self.ask(wait);
    }

    /// Takes messages of the program that nobody waits for any more: of ranks that have taken another way, for MPI wants all to be received.
    fn discard(&self) {
        for from in (0..self.size).filter(|&r| r != self.rank) {
            while let Some(length) = self.library.waiting(self.world, from, DATA) {
                self.take(from, DATA, length);
            }
        }
    }

    /// The message that is there.
    fn take(&self, from: usize, tag: i32, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        let mut request = self.library.receive(self.world, from, tag, &mut bytes);
        while !self.library.is_done(&mut request) {
            std::thread::yield_now();
        }
        bytes
    }

    /// Waits for all other ranks to come to their ends, too; then MPI is over.
    fn part(&self) {
        let others = || (0..self.size).filter(|&r| r != self.rank);
        others().for_each(|to| self.tell(to, &News::Ended));
        let mut barrier = self.library.barrier(self.world);
        let (mut pause, mut listened, mut since) = (Pause::default(), Instant::now(), None);
        let mut is_through = false;
        loop {
            is_through = is_through || self.library.is_done(&mut barrier);
            if is_through && self.talk().outgoing.is_empty() && others().all(|r| self.has_ended(r)) {
                return self.library.end();
            }
            pause.take();
            if is_through || listened.elapsed() >= LISTEN {
                listened = Instant::now();
                self.retire();
                self.listen(None);
                self.discard();
            }
            if let Some(code) = self.given_up()
                && since.get_or_insert_with(Instant::now).elapsed() > GRACE
            {
                return self.library.abort(self.world, code);
            }
        }
    }
}

/// The time between two looks.
#[derive(Default)]
struct Pause {
    taken: u32,
    nap: Duration,
}

impl Pause {
    fn take(&mut self) {
        self.taken = self.taken.saturating_add(1);
        if self.taken < YIELDS {
            std::thread::yield_now();
        } else {
            self.nap = (self.nap * 2).clamp(Duration::from_micros(20), NAP);
            ledger::asleep(|| std::thread::sleep(self.nap));
        }
    }
}

impl Transport for Mpi {
    fn send(&self, to: usize, bytes: &[u8]) {
        if self.on_way(to) > ROOM {
            self.wait(to, true, || {
                self.retire();
                self.on_way(to) <= ROOM
            });
        }
        bytes.chunks(PIECE).for_each(|piece| self.post(to, DATA, piece));
    }

    fn room(&self, to: usize) -> usize {
        // A message goes if there is any room.
        if self.on_way(to) <= ROOM { usize::MAX } else { 0 }
    }

    fn receive(&self, from: usize, bytes: &mut [u8]) -> Result<(), u64> {
        for piece in bytes.chunks_mut(PIECE) {
            let mut length = None;
            self.wait(from, false, || {
                length = self.library.waiting(self.world, from, DATA);
                length.is_some()
            });
            if let Some(length) = length.filter(|l| *l != piece.len()) {
                return Err(length as u64);
            }
            let mut request = self.library.receive(self.world, from, DATA, piece);
            self.wait(from, false, || self.library.is_done(&mut request));
        }
        Ok(())
    }

    fn set_place(&self, place: &'static [u8]) {
        self.place.set(place);
    }

    fn place(&self) -> String {
        in_line(self.location())
    }

    fn leave(&self) {
        if !self.ended[self.rank].swap(true, Ordering::SeqCst) {
            self.part();
        }
    }

    fn has_ended(&self, rank: usize) -> bool {
        self.ended[rank].load(Ordering::SeqCst)
    }

    fn give_up(&self, code: i32) -> bool {
        let first = self.note_given_up(code);
        if first {
            let code = code & 0xff;
            (0..self.size).filter(|&r| r != self.rank).for_each(|to| self.tell(to, &News::GivenUp(code)));
        }
        first
    }

    fn given_up(&self) -> Option<i32> {
        match self.given_up.load(Ordering::SeqCst) {
            0 => None,
            code => Some(code - 1),
        }
    }

    fn tells_first(&self) -> bool {
        let first = !self.told.swap(true, Ordering::SeqCst);
        if first {
            (0..self.size).filter(|&r| r != self.rank).for_each(|to| self.tell(to, &News::Told));
        }
        first
    }

    fn was_told(&self) -> bool {
        self.retire();
        self.listen(None);
        self.told.load(Ordering::SeqCst)
    }

    fn tells_fault(&self) -> bool {
        // A handler of a signal cannot ask MPI. If the first rank has the fault, too, the others are ended before they tell of it.
        if self.rank != 0 {
            std::thread::sleep(Duration::from_secs(1));
        }
        let first = !self.told.swap(true, Ordering::SeqCst);
        if first && self.rank != 0 {
            // The launcher of MPICH does not say which rank it was.
            // SAFETY: the text lives as long as the program; there is no place to report a failure of standard error.
            unsafe { libc::write(2, self.name.as_ptr().cast(), self.name.len()) };
        }
        first
    }
}
