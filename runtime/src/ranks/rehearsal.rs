//! Rehearsals: a run of one process that foretells the messages, bytes, iterations and times of a run on any number of ranks.
//!
//! Every rank runs the whole control flow and takes all notes, so one process knows what all of them would send. In a rehearsal it
//! computes everything itself, as a run on one rank does, but takes the notes and makes the plans for the number of ranks that is asked for. What
//! would be sent is counted in the ledgers of all ranks; nothing is sent. So messages, bytes and iterations are those of the real run.
//!
//! Times are an estimate. Each rank has a clock of its own. Processor time that passes behind the call for a loop nest goes to
//! each rank by its part of the iterations; all other time passes on each rank. A message leaves when its sender has come so far,
//! arrives when the latency of the link is over, and takes time on both sides by the bandwidth. Whoever comes too early waits.
//!
//! `TRUELINE_PREDICT=16` asks for it, `TRUELINE_PREDICT=16:2e-6:4e9` says the latency in seconds and the bandwidth in bytes a second, too. The
//! ledgers of all ranks go to the file that `TRUELINE_MESSAGES` names.

use super::exchange::totals;
use super::fault;
use super::ledger::{Category, Lines, report_of};
use super::link::Link;
use super::placement::Ranks;
use super::transport::Transport;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The variable that asks for a rehearsal.
pub(super) const VARIABLE: &str = "TRUELINE_PREDICT";

/// The link between ranks if nothing is said of it: that between processes of one machine.
const LINK: Link = Link { latency: 2e-6, bandwidth: 4e9 };

/// A message that would be sent.
pub(super) struct Sent {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The arrays, and the bytes of each.
    pub(super) parts: Vec<(&'static [u8], usize)>,
    /// The runs of neighbouring elements.
    pub(super) pieces: usize,
}

/// Seconds that it takes to find, and to copy, one run more of a message.
const PIECE: f64 = 1e-9;

/// A rank that is not there.
#[derive(Default)]
struct Rank {
    /// Seconds since the start.
    at: f64,
    sent: [u64; 2],
    lines: Lines,
}

impl Rank {
    fn spend(&mut self, category: Category, seconds: f64, place: &'static [u8]) {
        if seconds > 0.0 {
            self.at += seconds;
            let place = if category == Category::User { b"" } else { place };
            self.lines.entry(place).or_default().note_time(category, Duration::from_secs_f64(seconds));
        }
    }

    fn wait_until(&mut self, time: f64, category: Category, place: &'static [u8]) {
        self.spend(category, time - self.at, place);
    }
}

/// A sweep that is going on: senders, receivers and bytes of its messages.
type Sweep = Vec<(usize, usize, usize)>;

struct Rehearsal {
    link: Link,
    /// The processor time of the last switch.
    since: Duration,
    category: Category,
    place: &'static [u8],
    ranks: Vec<Rank>,
    /// The part of each rank of the time that passes now.
    shares: Vec<f64>,
    /// The waits of ranks in the nest that runs now.
    sweep: Sweep,
    /// Processor time of the program itself.
    serial: Duration,
}

static REHEARSAL: Mutex<Option<Rehearsal>> = Mutex::new(None);

/// Whether this run is a rehearsal.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Whether this run is a rehearsal.
pub(super) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Begins a rehearsal of `size` ranks; `link` has the rest of the variable.
///
/// # Errors
/// If the link is none.
pub(super) fn start(size: usize, link: Option<&str>) -> Result<Absent, String> {
    let link = link.map_or(Ok(LINK), |text| {
        Link::parse(text).ok_or_else(|| format!("'{}' is no LATENCY:BANDWIDTH ({VARIABLE})", text.escape_debug()))
    })?;
    let rehearsal = Rehearsal {
        link,
        since: processor_time(),
        category: Category::User,
        place: b"",
        ranks: std::iter::repeat_with(Rank::default).take(size).collect(),
        shares: vec![1.0; size],
        sweep: Sweep::new(),
        serial: Duration::ZERO,
    };
    *REHEARSAL.lock().unwrap_or_else(PoisonError::into_inner) = Some(rehearsal);
    IS_ON.store(true, Ordering::SeqCst);
    Ok(Absent { code: AtomicI32::new(GOES_ON) })
}

/// The processor time of this thread: waiting for a processor is not the program's.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn with<T>(change: impl FnOnce(&mut Rehearsal) -> T) -> Option<T> {
    REHEARSAL.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(change)
}

impl Rehearsal {
    fn switch(&mut self, to: Category) -> Category {
        let now = processor_time();
        let passed = now.saturating_sub(self.since);
        self.since = now;
        match self.category {
            Category::User => self.compute(passed),
            // Packing and sending are not done, and have a price of their own.
            Category::Library => {
                let place = self.place;
                self.ranks.iter_mut().for_each(|r| r.spend(Category::Library, passed.as_secs_f64(), place));
            }
            _ => {}
        }
        std::mem::replace(&mut self.category, to)
    }

    /// The program has computed for that time, perhaps a nest.
    fn compute(&mut self, passed: Duration) {
        self.serial += passed;
        let (seconds, place, link) = (passed.as_secs_f64(), self.place, self.link);
        let sweep = std::mem::take(&mut self.sweep);
        for r in in_order(&sweep, self.ranks.len()) {
            for &(from, _, bytes) in sweep.iter().filter(|m| m.1 == r) {
                let arrives = self.ranks[from].at + link.latency;
                self.ranks[r].wait_until(arrives, Category::LateSender, place);
                self.ranks[r].spend(Category::Communication, link.seconds(bytes), place);
            }
            self.ranks[r].spend(Category::User, seconds * self.shares[r], place);
            for &(_, _, bytes) in sweep.iter().filter(|m| m.0 == r) {
                self.ranks[r].spend(Category::Communication, link.seconds(bytes), place);
            }
        }
        self.shares.fill(1.0);
    }

    fn note(&mut self, messages: &[Sent]) {
        let left_out = usize::from(fault("ranks_foretold_short"));
        for m in &messages[..messages.len().saturating_sub(left_out)] {
            let bytes: usize = m.parts.iter().map(|p| p.1).sum();
            let sender = &mut self.ranks[m.from];
            sender.sent[0] += 1;
            sender.sent[1] += bytes as u64;
            sender.lines.entry(self.place).or_default().note_sent(m.parts.iter().copied());
        }
    }

    fn exchange(&mut self, messages: &[Sent]) {
        self.note(messages);
        let (place, latency) = (self.place, self.link.latency);
        let mut arrive = Vec::with_capacity(messages.len());
        for m in messages {
            let time = self.link.seconds(bytes_of(m)) + m.pieces as f64 * PIECE;
            self.ranks[m.from].spend(Category::Communication, time, place);
            arrive.push((self.ranks[m.from].at + latency, time));
        }
        for (m, (at, time)) in messages.iter().zip(arrive) {
            self.ranks[m.to].wait_until(at, Category::LateSender, place);
            self.ranks[m.to].spend(Category::Communication, time, place);
        }
    }
}

fn bytes_of(m: &Sent) -> usize {
    m.parts.iter().map(|p| p.1).sum()
}

/// The ranks in an order in which none comes before one that it waits for.
fn in_order(sweep: &Sweep, ranks: usize) -> Vec<usize> {
    if sweep.is_empty() {
        return (0..ranks).collect();
    }
    let mut waits = vec![0usize; ranks];
    sweep.iter().for_each(|m| waits[m.1] += 1);
    let mut out: Vec<usize> = (0..ranks).filter(|&r| waits[r] == 0).collect();
    let mut k = 0;
    while let Some(&from) = out.get(k) {
        for m in sweep.iter().filter(|m| m.0 == from) {
            waits[m.1] -= 1;
            if waits[m.1] == 0 {
                out.push(m.1);
            }
        }
        k += 1;
    }
    // Ranks that wait for one another: a real run would not come to an end.
    out.extend((0..ranks).filter(|&r| waits[r] > 0));
    out
}

/// Puts the clock to another category; the one before.
pub(super) fn switch(to: Category) -> Option<Category> {
    with(|r| r.switch(to))
}

/// Notes the line for which the runtime works from now on.
pub(super) fn set_place(place: &'static [u8]) {
    with(|r| {
        let category = r.category;
        r.switch(category);
        r.place = place;
    });
}

/// Notes messages that would be sent at the same time.
pub(super) fn exchange(messages: &[Sent]) {
    with(|r| r.exchange(messages));
}

/// The messages with these bytes of arrays from a rank to several.
pub(super) fn to_all(from: usize, to: Ranks, parts: &[(&'static [u8], usize)]) -> Vec<Sent> {
    let to = (0..Ranks::BITS as usize).filter(|r| to >> r & 1 != 0);
    to.map(|to| Sent { from, to, parts: parts.to_vec(), pieces: parts.len() }).collect()
}

/// Notes that a nest begins: the iterations of each rank, those of one rank alone, and the messages that ranks wait for in it.
pub(super) fn nest(iterations: &[u64], whole: u64, late: &[Sent]) {
    with(|r| {
        r.note(late);
        r.sweep = late.iter().map(|m| (m.from, m.to, bytes_of(m))).collect();
        let place = r.place;
        for (rank, &n) in iterations.iter().enumerate() {
            r.ranks[rank].lines.entry(place).or_default().note_iterations(n);
            r.shares[rank] = if whole == 0 { 1.0 } else { n as f64 / whole as f64 };
        }
    });
}

/// All ranks come to one result.
pub(super) fn together() {
    with(|r| {
        let last = r.ranks.iter().fold(0.0f64, |t, rank| t.max(rank.at));
        // To the first rank and back.
        let end = last + 2.0 * r.link.latency;
        let place = r.place;
        r.ranks.iter_mut().for_each(|rank| rank.wait_until(end, Category::Global, place));
    });
}

/// All ranks get something of the first.
pub(super) fn share() {
    with(|r| {
        let (comes, place) = (r.ranks.first().map_or(0.0, |first| first.at) + r.link.latency, r.place);
        r.ranks.iter_mut().skip(1).for_each(|rank| rank.wait_until(comes, Category::Global, place));
    });
}

/// The ledgers of all ranks, behind a line with the processor time of the program itself.
pub(super) fn report() -> String {
    let of_all = |r: &mut Rehearsal| {
        let category = r.category;
        r.switch(category);
        let mut out = format!("alone {:.6}\n", r.serial.as_secs_f64());
        // All ranks take part in each.
        let [_, _, reductions] = totals();
        for (k, rank) in r.ranks.iter().enumerate() {
            out.push_str(&report_of(k, [rank.sent[0], rank.sent[1], reductions], &rank.lines));
        }
        out
    };
    with(of_all).unwrap_or_default()
}

/// No exit code yet.
const GOES_ON: i32 = -1;

/// The way to ranks that are not there.
pub(super) struct Absent {
    code: AtomicI32,
}

impl Transport for Absent {
    fn send(&self, _: usize, _: &[u8]) {}

    fn room(&self, _: usize) -> usize {
        usize::MAX
    }

    fn receive(&self, _: usize, _: &mut [u8]) -> Result<(), u64> {
        Ok(())
    }

    fn set_place(&self, _: &'static [u8]) {}

    fn place(&self) -> String {
        String::new()
    }

    fn leave(&self) {}

    fn has_ended(&self, _: usize) -> bool {
        false
    }

    fn give_up(&self, code: i32) -> bool {
        self.code.compare_exchange(GOES_ON, code, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    fn given_up(&self) -> Option<i32> {
        Some(self.code.load(Ordering::SeqCst)).filter(|&code| code != GOES_ON)
    }

    fn tells_first(&self) -> bool {
        true
    }

    fn was_told(&self) -> bool {
        false
    }

    fn tells_fault(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rehearsal(ranks: usize) -> Rehearsal {
        Rehearsal {
            link: Link { latency: 1.0, bandwidth: 10.0 },
            since: processor_time(),
            category: Category::User,
            place: b"a.f90:1",
            ranks: std::iter::repeat_with(Rank::default).take(ranks).collect(),
            shares: vec![1.0; ranks],
            sweep: Sweep::new(),
            serial: Duration::ZERO,
        }
    }

    fn clocks(r: &Rehearsal) -> Vec<f64> {
        r.ranks.iter().map(|rank| (rank.at * 1e3).round() / 1e3).collect()
    }

    #[test]
    fn shares_and_messages_take_time() {
        let mut r = rehearsal(2);
        r.shares = vec![0.75, 0.25];
        r.compute(Duration::from_secs(4));
        assert_eq!(clocks(&r), [3.0, 1.0]);
        // 20 bytes take two seconds on either side and one on the way.
        r.exchange(&[Sent { from: 0, to: 1, parts: vec![(b"a", 12), (b"b", 8)], pieces: 0 }]);
        assert_eq!(clocks(&r), [5.0, 8.0]);
        assert_eq!(r.ranks[0].sent, [1, 20]);
        r.compute(Duration::from_secs(1));
        assert_eq!(clocks(&r), [6.0, 9.0]);
    }

    #[test]
    fn sweeps_go_from_rank_to_rank() {
        let mut r = rehearsal(3);
        r.shares = vec![0.5, 0.25, 0.25];
        r.sweep = vec![(1, 2, 0), (0, 1, 0)];
        r.compute(Duration::from_secs(4));
        // 2; 2 + 1 + 1; 4 + 1 + 1
        assert_eq!(clocks(&r), [2.0, 4.0, 6.0]);
        assert_eq!(in_order(&vec![(1, 0, 0), (0, 1, 0)], 3), [2, 0, 1]);
    }
}
