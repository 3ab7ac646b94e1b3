//! The models: a few threads with one protocol each, and what has to hold in the end.

use crate::atoms::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, TIMES};
use crate::faults::{Model, check, first_thread};
use crate::shared::lock::Lock;
use crate::shared::net::{self, Net};
use crate::shared::owners::{self, Owned};
use crate::shared::pieces::{self, Piece};
use crate::shared::ring::Ring;
use crate::shared::units::{Standard, Taken, Units};
use crate::shared::waiter::Waiter;
use crate::shared::{lanes, list, number, roll, room, slots};
use loom::sync::Arc;
use loom::sync::atomic::Ordering;
use loom::thread;
use std::sync::OnceLock;

/// All models, with the most preemptions, and how many threads are the first one in turn.
pub(crate) const MODELS: [Model; 16] = [
    Model { test: "models::one_thread_at_a_time_has_the_lock", preemptions: 3, beginners: 3 },
    Model { test: "models::rooms_are_apart_and_mapped", preemptions: 3, beginners: 3 },
    Model { test: "models::lists_lose_no_node_and_show_whole_ones", preemptions: 3, beginners: 3 },
    Model { test: "models::numbers_are_given_once_and_flags_kept", preemptions: 3, beginners: 3 },
    Model { test: "models::blocks_have_one_owner_and_keep_their_counts", preemptions: 3, beginners: 3 },
    Model { test: "models::slots_are_filled_once", preemptions: 3, beginners: 3 },
    Model { test: "models::lanes_have_one_thread_and_timers_one_end", preemptions: 3, beginners: 3 },
    Model { test: "models::guests_are_complete_when_they_are_counted", preemptions: 3, beginners: 3 },
    Model { test: "models::pieces_are_apart", preemptions: 3, beginners: 3 },
    Model { test: "models::units_are_used_by_one_thread_at_a_time", preemptions: 3, beginners: 3 },
    Model { test: "models::units_are_connected_once", preemptions: 3, beginners: 3 },
    Model { test: "models::ranks_send_and_sleep", preemptions: 2, beginners: 3 },
    Model { test: "models::ranks_that_wait_in_turn_are_no_deadlock", preemptions: 3, beginners: 1 },
    Model { test: "models::ranks_sleep_again", preemptions: 3, beginners: 3 },
    Model { test: "models::ends_are_seen", preemptions: 3, beginners: 3 },
    Model { test: "models::a_lock_is_free_after_a_fork", preemptions: 2, beginners: 3 },
];

/// Memory that is no atom: two threads that use it at a time, one of which writes, are a race, which loom finds.
struct Plain(loom::cell::UnsafeCell<()>, std::sync::atomic::AtomicU64);

// SAFETY: there are no bytes behind the cell: loom says where two threads would be at them at a time.
unsafe impl Sync for Plain {}

impl Plain {
    fn new(value: u64) -> Plain {
        Plain(loom::cell::UnsafeCell::new(()), std::sync::atomic::AtomicU64::new(value))
    }

    fn some(count: usize) -> Vec<Plain> {
        (0..count).map(|_| Plain::new(0)).collect()
    }

    fn get(&self) -> u64 {
        self.0.with(|_| self.1.load(Ordering::Relaxed))
    }

    fn set(&self, value: u64) {
        self.0.with_mut(|_| self.1.store(value, Ordering::Relaxed));
    }

    fn add(&self, value: u64) {
        self.set(self.get() + value);
    }
}

/// Runs the threads, beginning with one after the other from run to run of [`check`], and waits for them.
fn run<T: Send + Sync + 'static>(all: T, threads: &[fn(&T)]) -> Arc<T> {
    let all = Arc::new(all);
    let first = first_thread() % threads.len();
    let in_order = threads[first..].iter().chain(&threads[..first]);
    let start = |&f: &fn(&T)| {
        let all = all.clone();
        thread::spawn(move || f(&all))
    };
    let started: Vec<_> = in_order.map(start).collect();
    started.into_iter().for_each(|t| t.join().expect("no panic"));
    all
}

#[test]
fn one_thread_at_a_time_has_the_lock() {
    check(&MODELS[0], || {
        let add = |(lock, cell): &(Lock, Plain)| lock.with(|| cell.add(1));
        let all = run((Lock::new(), Plain::new(0)), &[add, add]);
        assert_eq!(all.1.get(), 2);
    });
}

/// The memory of the profile: pages are mapped before anybody gets bytes in them, and nobody gets the bytes of another.
#[test]
fn rooms_are_apart_and_mapped() {
    struct All {
        lock: Lock,
        used: AtomicU64,
        mapped: AtomicUsize,
        pages: Vec<Plain>,
    }

    const SIZE: usize = 4;

    fn take(all: &All) {
        for _ in 0..2 {
            let map = |from: usize, size: usize| {
                (from / SIZE..(from + size) / SIZE).for_each(|k| all.pages[k].set(1));
                true
            };
            let grow = |need| room::grow(&all.lock, &all.mapped, (need, SIZE, 4 * SIZE), map);
            let start = room::take(&all.used, &all.mapped, SIZE as u64, grow).expect("there is room");
            let page = &all.pages[start as usize / SIZE];
            assert_eq!(page.get(), 1, "not mapped, or another thread's");
            page.set(2);
        }
    }

    check(&MODELS[1], || {
        let all =
            All { lock: Lock::new(), used: AtomicU64::new(0), mapped: AtomicUsize::new(SIZE), pages: Plain::some(4) };
        all.pages[0].set(1);
        let all = run(all, &[take, take]);
        assert!(all.pages.iter().all(|p| p.get() == 2));
    });
}

/// Threads, blocks and lanes of a profile.
#[test]
fn lists_lose_no_node_and_show_whole_ones() {
    struct All {
        list: AtomicU64,
        next: Vec<Plain>,
        content: Vec<Plain>,
    }

    fn push(all: &All, node: u64) {
        all.content[node as usize].set(node);
        list::push(&all.list, node, |next| all.next[node as usize].set(next));
    }

    fn walk(all: &All) -> usize {
        let (mut at, mut count) = (list::first(&all.list), 0);
        while at != 0 {
            assert_eq!(all.content[at as usize].get(), at);
            (at, count) = (all.next[at as usize].get(), count + 1);
        }
        count
    }

    check(&MODELS[2], || {
        let all = All { list: AtomicU64::new(0), next: Plain::some(4), content: Plain::some(4) };
        let all = run(all, &[|all| push(all, 1), |all| push(all, 2), |all| assert!(walk(all) <= 2)]);
        assert_eq!(walk(&all), 2);
    });
}

/// Records get their numbers at the first use, while others switch their timers off.
#[test]
fn numbers_are_given_once_and_flags_kept() {
    const FLAG: u32 = 1 << 31;

    struct All {
        lock: Lock,
        cell: AtomicU32,
        count: Plain,
        entry: Plain,
    }

    fn bind(all: &All) {
        let word = number::known(&all.cell, FLAG).unwrap_or_else(|| {
            number::give(&all.cell, FLAG, &all.lock, |word| {
                all.count.add(1);
                all.entry.set(77);
                7 | word & FLAG
            })
        });
        assert_eq!(word & !FLAG, 7);
        assert_eq!(all.entry.get(), 77);
    }

    check(&MODELS[3], || {
        let all = All { lock: Lock::new(), cell: AtomicU32::new(0), count: Plain::new(0), entry: Plain::new(0) };
        let all = run(all, &[bind, bind, |all| number::set(&all.cell, FLAG, true)]);
        assert_eq!(all.count.get(), 1);
        assert_eq!(number::known(&all.cell, FLAG), Some(7 | FLAG));
        number::set(&all.cell, FLAG, false);
        assert_eq!(number::known(&all.cell, FLAG), Some(7));
    });
}

/// A block of counters goes from a thread that has ended, as the kernel says, to one that begins, with all counts.
#[test]
fn blocks_have_one_owner_and_keep_their_counts() {
    struct All {
        lock: Lock,
        /// The kernel's: whether thread 1 has ended.
        ended: loom::sync::atomic::AtomicBool,
        owner: Vec<Plain>,
        count: Vec<Plain>,
        made: Plain,
    }

    #[derive(Clone, Copy)]
    struct Block<'a>(&'a All, usize);

    impl Owned for Block<'_> {
        fn owner(self) -> u64 {
            self.0.owner[self.1].get()
        }

        fn set_owner(self, owner: u64) {
            self.0.owner[self.1].set(owner);
        }
    }

    fn begin(all: &All, me: u64) {
        let blocks = || (0..all.made.get() as usize).map(|k| Block(all, k));
        let is_free = |_, owner| owner == 1 && all.ended.load(Ordering::Acquire);
        let create = || {
            let k = all.made.get() as usize;
            all.owner[k].set(me);
            all.made.set(k as u64 + 1);
            Some(Block(all, k))
        };
        // Counts of calls stay, but a countdown begins anew.
        let clean = |block: Block| block.0.count[block.1].add(10);
        let block = owners::take(&all.lock, me, blocks, is_free, clean, create).expect("there is room");
        all.count[block.1].add(1);
    }

    check(&MODELS[4], || {
        let all = All {
            lock: Lock::new(),
            ended: loom::sync::atomic::AtomicBool::new(false),
            owner: Plain::some(3),
            count: Plain::some(3),
            made: Plain::new(1),
        };
        all.owner[0].set(1);
        let all = run(
            all,
            &[
                |all| {
                    all.count[0].add(1);
                    all.ended.store(true, Ordering::Release);
                },
                |all| begin(all, 2),
                |all| begin(all, 3),
            ],
        );
        let sum: u64 = all.count.iter().map(Plain::get).sum();
        assert_eq!(sum % 10, 3);
    });
}

/// Functions that another compiler made, by address.
#[test]
fn slots_are_filled_once() {
    struct All {
        lock: Lock,
        used: AtomicU64,
        slots: Vec<(AtomicU64, Plain)>,
    }

    fn find(all: &All, address: u64) {
        let fill = |slot: &(AtomicU64, Plain)| slot.1.add(address);
        let found = slots::find(&all.slots, (1, address), |slot| &slot.0, (&all.lock, &all.used, 3), fill);
        assert_eq!(found.expect("there is room").1.get(), address);
    }

    check(&MODELS[5], || {
        let slots = (0..3).map(|_| (AtomicU64::new(0), Plain::new(0))).collect();
        let all = All { lock: Lock::new(), used: AtomicU64::new(0), slots };
        run(all, &[|all| find(all, 5), |all| [8, 5].into_iter().for_each(|address| find(all, address))]);
    });
}

/// Lanes of samples.
#[test]
fn lanes_have_one_thread_and_timers_one_end() {
    struct All {
        busy: AtomicU64,
        content: Plain,
        timer: AtomicU64,
        deleted: loom::sync::atomic::AtomicU32,
    }

    fn live(all: &All) {
        if lanes::take(&all.busy) {
            all.content.add(1);
            end(all);
            lanes::give(&all.busy);
        }
    }

    fn end(all: &All) {
        if lanes::take_timer(&all.timer) != 0 {
            all.deleted.fetch_add(1, Ordering::Relaxed);
        }
    }

    check(&MODELS[6], || {
        let all = All {
            busy: AtomicU64::new(0),
            content: Plain::new(0),
            timer: AtomicU64::new(9),
            deleted: loom::sync::atomic::AtomicU32::new(0),
        };
        let all = run(all, &[live, live, end]);
        assert_eq!(all.deleted.load(Ordering::Relaxed), 1);
        assert!(lanes::take(&all.busy) && lanes::is_taken(&all.busy));
        assert!(all.content.get() >= 1);
    });
}

/// The runtimes of shared libraries that take part in a profile.
#[test]
fn guests_are_complete_when_they_are_counted() {
    struct All {
        entries: Vec<AtomicPtr<u8>>,
        count: AtomicUsize,
        content: Vec<Plain>,
    }

    fn add(all: &All) {
        for k in [1, 2, 3] {
            let entry = std::ptr::without_provenance::<u8>(k);
            let has = roll::add(&all.entries, &all.count, entry, || all.content[k].set(k as u64));
            assert_eq!(has, k < 3);
        }
    }

    fn walk(all: &All) -> usize {
        let see = |entry: *mut u8| assert_eq!(all.content[entry.addr()].get(), entry.addr() as u64);
        roll::all(&all.entries, &all.count).inspect(|&e| assert!(!e.is_null())).map(see).count()
    }

    check(&MODELS[7], || {
        let entries = (0..2).map(|_| AtomicPtr::new(std::ptr::null_mut())).collect();
        let all = All { entries, count: AtomicUsize::new(0), content: Plain::some(4) };
        let all = run(all, &[add, |all| assert!(walk(all) <= 2), |all| assert!(walk(all) <= 2)]);
        assert_eq!(walk(&all), 2);
    });
}

/// Memory in the handler of a signal, while other threads allocate.
#[test]
fn pieces_are_apart() {
    struct All {
        newest: AtomicUsize,
        made: loom::sync::atomic::AtomicUsize,
        pieces: Vec<(OnceLock<Piece>, Plain)>,
        bytes: Vec<Plain>,
    }

    const SIZE: usize = 8;

    fn take(all: &All) {
        let more = || {
            let k = all.made.fetch_add(1, Ordering::Relaxed);
            let start = (k + 1) * SIZE;
            all.pieces[k].1.set(1);
            let new = Piece { next: AtomicUsize::new(start), end: start + SIZE };
            assert!(all.pieces[k].0.set(new).is_ok());
            Some(start)
        };
        let piece = |at: usize| {
            let (piece, seen) = &all.pieces[at / SIZE - 1];
            assert_eq!(seen.get(), 1);
            piece.get().expect("made")
        };
        let give_back = |at: usize| all.pieces[at / SIZE - 1].1.set(2);
        for align in [1, 2] {
            let at = pieces::take(&all.newest, (3, align), piece, more, give_back).expect("there is memory");
            assert_eq!(at % align, 0);
            (at..at + 3).for_each(|k| all.bytes[k].add(1));
        }
    }

    check(&MODELS[8], || {
        let all = All {
            newest: AtomicUsize::new(0),
            made: loom::sync::atomic::AtomicUsize::new(0),
            pieces: (0..6).map(|_| (OnceLock::new(), Plain::new(0))).collect(),
            bytes: Plain::some(7 * SIZE),
        };
        let all = run(all, &[take, take]);
        assert!(all.bytes.iter().all(|b| b.get() <= 1));
        assert_eq!(all.bytes.iter().map(Plain::get).sum::<u64>(), 12);
    });
}

/// The units of input and output.
struct Content(Arc<Plain>);

impl Standard for Content {
    fn standard() -> Vec<(i32, Content)> {
        vec![(10, Content(Arc::new(Plain::new(0)))), (11, Content(Arc::new(Plain::new(0))))]
    }
}

fn use_unit(units: &Units<Content>, number: i32) {
    match units.take(number) {
        Taken::Unit(unit) => {
            unit.0.add(1);
            units.put(number, unit);
        }
        Taken::Absent => panic!("unit {number} is there"),
        Taken::Recursive => panic!("unit {number} is another thread's"),
    }
}

fn uses(units: &Units<Content>, number: i32) -> u64 {
    let unit = units.take_free(number).expect("nobody uses it any more");
    unit.0.get()
}

#[test]
fn units_are_used_by_one_thread_at_a_time() {
    check(&MODELS[9], || {
        let all = run(Units::new(), &[|u| use_unit(u, 10), |u| use_unit(u, 11), |u| use_unit(u, 10)]);
        assert_eq!([uses(&all, 10), uses(&all, 11)], [2, 1]);
        assert!(all.numbers().is_empty());
    });
}

/// A unit that no thread has connected is connected by one; one that was closed wakes whoever waits for it.
#[test]
fn units_are_connected_once() {
    fn connect(units: &Units<Content>) {
        let unit = match units.reserve(12) {
            Taken::Unit(unit) => unit,
            Taken::Absent => Content(Arc::new(Plain::new(0))),
            Taken::Recursive => panic!("another thread's"),
        };
        unit.0.add(1);
        units.put(12, unit);
    }

    fn close(units: &Units<Content>) {
        if let Taken::Unit(unit) = units.take(10) {
            unit.0.add(1);
            units.remove(10);
        }
    }

    check(&MODELS[10], || {
        let all = run(Units::new(), &[connect, connect]);
        assert_eq!(uses(&all, 12), 2);
        let all = run(Units::new(), &[close, close]);
        assert_eq!(all.numbers(), [11]);
    });
}

/// The shared memory of some ranks.
struct Ranks {
    ranks: usize,
    waiters: Vec<Waiter>,
    ended: Vec<AtomicU32>,
    rings: Vec<Ring>,
    bytes: Vec<Vec<Plain>>,
}

const CAPACITY: usize = 2;

impl Ranks {
    fn new(ranks: usize) -> Ranks {
        let word = || AtomicU32::new(0);
        let waiter = || Waiter { bell: word(), sleeps: word(), waits: word(), progress: word() };
        Ranks {
            ranks,
            waiters: (0..ranks).map(|_| waiter()).collect(),
            ended: (0..ranks).map(|_| word()).collect(),
            // Counts of bytes wrap around, here at once.
            rings: (0..ranks * ranks)
                .map(|_| Ring { written: AtomicU32::new(u32::MAX), read: AtomicU32::new(u32::MAX) })
                .collect(),
            bytes: (0..ranks * ranks).map(|_| Plain::some(CAPACITY)).collect(),
        }
    }

    fn wait(&self, rank: usize, waits: u32, is_there: &dyn Fn() -> bool) {
        let mut seen = None;
        self.waiters[rank].wait(waits, is_there, || {
            let now = net::look(self);
            assert!(now.is_none() || now != seen, "a deadlock is told, and there is none");
            seen = now;
        });
    }

    fn send(&self, from: usize, to: usize, bytes: &[u64]) {
        let data = &self.bytes[from * self.ranks + to];
        let copy = |first: usize, at: usize, n: usize| (0..n).for_each(|k| data[at + k].set(bytes[first + k]));
        net::send(self, (from, to, bytes.len()), copy, |waits, is_there| self.wait(from, waits, is_there));
    }

    fn receive(&self, from: usize, to: usize, bytes: &[u64]) {
        let data = &self.bytes[from * self.ranks + to];
        let copy =
            |first: usize, at: usize, n: usize| (0..n).for_each(|k| assert_eq!(data[at + k].get(), bytes[first + k]));
        net::receive(self, (from, to, bytes.len()), copy, |waits, is_there| self.wait(to, waits, is_there));
    }
}

impl Net for Ranks {
    fn ranks(&self) -> usize {
        self.ranks
    }

    fn capacity(&self) -> usize {
        CAPACITY
    }

    fn waiter(&self, rank: usize) -> &Waiter {
        &self.waiters[rank]
    }

    fn ended(&self, rank: usize) -> &AtomicU32 {
        &self.ended[rank]
    }

    fn ring(&self, from: usize, to: usize) -> &Ring {
        &self.rings[from * self.ranks + to]
    }
}

/// Messages longer than their ring, with no time limit: a wake-up that is lost is a deadlock of the model.
#[test]
fn ranks_send_and_sleep() {
    check(&MODELS[11], || {
        run(Ranks::new(2), &[|r| r.send(0, 1, &[1, 2, 3]), |r| r.receive(0, 1, &[1, 2, 3])]);
    });
}

/// The first rank waits, and looks at the others twice before its message comes: nobody takes that for a deadlock.
#[test]
fn ranks_that_wait_in_turn_are_no_deadlock() {
    check(&MODELS[12], || {
        run(
            Ranks::new(3),
            &[
                |r| {
                    r.waiters[0].waits.store(1 + 1, Ordering::SeqCst);
                    let looks = [net::look(r), net::look(r)];
                    assert!(looks[0].is_none() || looks[0] != looks[1], "a deadlock is told, and there is none");
                    r.receive(1, 0, &[2]);
                },
                |r| {
                    r.receive(2, 1, &[1]);
                    r.send(1, 0, &[2]);
                    r.waiters[1].waits.store(1, Ordering::SeqCst);
                },
                |r| {
                    r.send(2, 1, &[1]);
                    r.waiters[2].waits.store(1, Ordering::SeqCst);
                },
            ],
        );
    });
}

/// A sleep that ends because its time is over is no reason to do without the bell.
#[test]
fn ranks_sleep_again() {
    check(&MODELS[13], || {
        TIMES.store(1, Ordering::Relaxed);
        run(Ranks::new(2), &[|r| r.send(0, 1, &[1]), |r| r.receive(0, 1, &[1])]);
    });
}

/// A rank that ends wakes the ranks that wait for it.
#[test]
fn ends_are_seen() {
    check(&MODELS[14], || {
        run(Ranks::new(2), &[|r| net::leave(r, 0), |r| r.wait(1, 1, &|| net::has_ended(r, 0))]);
    });
}

/// A lock that was held in the parent of a fork is free in the child.
#[test]
fn a_lock_is_free_after_a_fork() {
    check(&MODELS[15], || {
        let lock = Lock::new();
        let cell = Plain::new(0);
        // The thread that has it goes on as the child.
        lock.with(|| {
            lock.reset();
            lock.with(|| cell.add(1));
        });
        let add = |(lock, cell): &(Lock, Plain)| lock.with(|| cell.add(1));
        let all = run((lock, cell), &[add, add]);
        assert_eq!(all.1.get(), 3);
    });
}
