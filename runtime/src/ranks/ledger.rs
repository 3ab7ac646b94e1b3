//! The ledger of a rank: messages by line of the source, and six times that add up to the time that has passed.
//!
//! A clock stands in one category at any time. Functions of the runtime switch it when they begin and when they end, so the times are
//! exclusive, and their sum is the time between start and end by construction: *communication* (choosing, packing and copying of elements), *late
//! sender* (blocked until a message comes), *late receiver* (blocked until there is room for one), *runtime library* (plans and mappings), *global
//! operation* (reductions, broadcasts, new owners of arrays), and *user* for all else, which takes in the questions for owners of single elements.
//!
//! It is kept if `TRUELINE_MESSAGES` names a file, to which each rank appends its lines at its end, and if there is a profile, which has the
//! same figures, by array as well.

use super::{exchange, rank, rehearsal, size};
use crate::profile::clock;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use trueline_abi::profile::{Communicates, Reference};

/// The categories of time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Category {
    User,
    Communication,
    LateSender,
    LateReceiver,
    Library,
    Global,
}

/// Their names, in their order.
const NAMES: [&str; 6] = ["user", "communication", "late-sender", "late-receiver", "library", "global"];

/// The figures of one line of the source.
#[derive(Clone, Default)]
pub(super) struct Figures {
    messages: u64,
    bytes: u64,
    /// Iterations of loop nests: how often their statements are executed.
    iterations: u64,
    times: [Duration; NAMES.len()],
    /// The part of the waiting in which the rank slept.
    asleep: Duration,
    /// Messages and bytes by array.
    arrays: BTreeMap<&'static [u8], [u64; 2]>,
}

/// The figures of each line.
pub(super) type Lines = BTreeMap<&'static [u8], Figures>;

/// A line, as long as the program runs; its times are ticks of the processor's clock.
struct Line {
    place: &'static [u8],
    times: [u64; NAMES.len()],
    /// All else; its times are not used.
    figures: Figures,
    short: Short,
    /// The line that came after it the last time: loops come back in the same order.
    next: usize,
}

impl Line {
    fn new(place: &'static [u8]) -> Line {
        Line { place, times: [0; NAMES.len()], figures: Figures::default(), short: Short::default(), next: 0 }
    }
}

/// Work of the runtime library that is shorter than two looks at the clock, which is measured a few times only.
#[derive(Default)]
struct Short {
    /// How often it was not measured.
    others: u64,
    /// Ticks, and how often it was measured.
    sum: u64,
    measured: u64,
    /// The least of them.
    least: u64,
}

impl Short {
    /// Takes a measurement. One in which the process has lost its processor says nothing about the others.
    fn measure(&mut self, ticks: u64) {
        if self.measured == 0 || ticks < self.least {
            self.least = ticks;
        }
        if ticks / SHORT_TIMES <= self.least {
            self.sum += ticks;
            self.measured += 1;
        }
    }

    /// Ticks since the last call that were not measured, by the mean of the measurements.
    fn take(&mut self) -> u64 {
        let mean = self.sum as f64 / self.measured.max(1) as f64;
        (mean * std::mem::take(&mut self.others) as f64) as u64
    }
}

/// A measurement of more than this many times the least is that of another kind of work.
const SHORT_TIMES: u64 = 8;

/// Short work is measured this many times, and then one of [`SHORT_EVERY`] times.
const SHORT_FIRST: u64 = 4;
const SHORT_EVERY: u64 = 16;

/// Short nests are entered millions of times, so the clock is that of the processor, and a line is found by its address.
struct Ledger {
    /// Ticks and nanoseconds at the start.
    began: (u64, u64),
    /// The last switch of the clock, in ticks.
    since: u64,
    category: Category,
    /// The line for which the runtime works; the first one is none, and has the program's own time: the runtime does not know where it is when it
    /// computes.
    line: usize,
    lines: Vec<Line>,
    /// Lines by the address of their text. The same text may be at several.
    known: BTreeMap<usize, usize>,
}

static LEDGER: Mutex<Option<Ledger>> = Mutex::new(None);

/// Whether there is a ledger.
static IS_KEPT: AtomicBool = AtomicBool::new(false);

/// Starts the clock of this rank, if somebody wants to know.
pub(super) fn start() {
    let is_wanted = std::env::var_os("TRUELINE_MESSAGES").is_some() || crate::profile::is_wanted();
    if size() > 1 && is_wanted {
        let began = clock::both();
        let ledger = Ledger {
            began,
            since: began.0,
            category: Category::User,
            line: 0,
            lines: vec![Line::new(b"")],
            known: BTreeMap::new(),
        };
        *LEDGER.lock().unwrap_or_else(PoisonError::into_inner) = Some(ledger);
        IS_KEPT.store(true, Ordering::SeqCst);
    }
}

fn with(change: impl FnOnce(&mut Ledger)) {
    if IS_KEPT.load(Ordering::Relaxed)
        && let Some(ledger) = LEDGER.lock().unwrap_or_else(PoisonError::into_inner).as_mut()
    {
        change(ledger);
    }
}

/// Whether there is a ledger of this rank.
pub(super) fn is_kept() -> bool {
    IS_KEPT.load(Ordering::Relaxed)
}

impl Ledger {
    fn switch(&mut self, to: Category) -> Category {
        // A process that goes to another processor may find its clock a little behind.
        let now = clock::ticks().max(self.since);
        let line = if self.category == Category::User { 0 } else { self.line };
        self.lines[line].times[self.category as usize] += now - self.since;
        self.since = now;
        std::mem::replace(&mut self.category, to)
    }

    /// The number of a line.
    fn number(&mut self, place: &'static [u8]) -> usize {
        let next = self.lines[self.line].next;
        if std::ptr::eq(self.lines[next].place, place) {
            return next;
        }
        let new = self.lines.len();
        let number = *self.known.entry(place.as_ptr() as usize).or_insert(new);
        if number == new {
            self.lines.push(Line::new(place));
        }
        self.lines[self.line].next = number;
        number
    }

    /// Moves the time of short work that was not measured from the program to its lines.
    fn settle(&mut self) {
        let Some((own, lines)) = self.lines.split_first_mut() else { return };
        let user = &mut own.times[Category::User as usize];
        for line in lines {
            let ticks = line.short.take().min(*user);
            *user -= ticks;
            line.times[Category::Library as usize] += ticks;
        }
    }

    /// Goes on for another line.
    fn move_to(&mut self, place: &'static [u8]) {
        if !std::ptr::eq(self.lines[self.line].place, place) {
            // The program's own time is that of no line.
            if self.category != Category::User {
                self.switch(self.category);
            }
            self.line = self.number(place);
        }
    }

    /// The figures of each line until now.
    fn figures(&mut self) -> Lines {
        self.switch(self.category);
        self.settle();
        let (ticks, nanoseconds) = clock::both();
        let passed = ticks.saturating_sub(self.began.0).max(1);
        let rate = nanoseconds.saturating_sub(self.began.1) as f64 / passed as f64;
        let time = |ticks: u64| Duration::from_nanos((ticks as f64 * rate) as u64);
        let mut out = Lines::new();
        for line in &self.lines {
            let sum = out.entry(line.place).or_default();
            sum.add(&line.figures);
            sum.times.iter_mut().zip(line.times).for_each(|(sum, ticks)| *sum += time(ticks));
        }
        out
    }
}

/// A part of the runtime's work; the clock goes back to the category before when it ends.
pub(super) struct Part(Option<Category>);

/// Begins work of that category for that line.
pub(super) fn begin_at(place: &'static [u8], category: Category) -> Part {
    if rehearsal::is_on() {
        rehearsal::set_place(place);
        return begin(category);
    }
    let mut before = None;
    with(|l| {
        l.move_to(place);
        before = Some(l.switch(category));
    });
    Part(before)
}

/// Begins work of that category.
pub(super) fn begin(category: Category) -> Part {
    Part(switch(category))
}

/// Sleeps, by `sleep`, until another rank has come.
pub(super) fn asleep<T>(sleep: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let out = sleep();
    with(|l| l.lines[l.line].figures.asleep += began.elapsed());
    out
}

/// Puts the clock to another category; the one before, if there is a clock.
fn switch(to: Category) -> Option<Category> {
    if rehearsal::is_on() {
        return rehearsal::switch(to);
    }
    let mut before = None;
    with(|l| before = Some(l.switch(to)));
    before
}

impl Part {
    /// Goes on with work of another category.
    pub(super) fn goes_on(&self, category: Category) {
        if self.0.is_some() {
            switch(category);
        }
    }

    /// Ends the work, which lets this rank run through iterations of a nest.
    pub(super) fn end_with(self, iterations: u64) {
        self.end(|line, _| line.figures.note_iterations(iterations));
    }

    /// As [`Part::end_with`], for work that is done again and again in the same time, which is not always measured.
    pub(super) fn end_short(self, iterations: u64) {
        self.end(|line, ticks| {
            line.short.measure(ticks);
            line.figures.note_iterations(iterations);
        });
    }

    /// Ends the work and notes it, with the ticks since the clock was put to its category.
    fn end(mut self, note: impl FnOnce(&mut Line, u64)) {
        let Some(before) = self.0.take() else { return };
        if rehearsal::is_on() {
            rehearsal::switch(before);
            return;
        }
        with(|l| {
            let since = l.since;
            l.switch(before);
            let ticks = l.since - since;
            note(&mut l.lines[l.line], ticks);
        });
    }
}

/// Whether work that may be short is measured the `count`th time.
pub(super) fn is_due(count: u64) -> bool {
    !is_kept() || rehearsal::is_on() || count <= SHORT_FIRST || count.is_multiple_of(SHORT_EVERY)
}

/// Notes short work that was not measured, and iterations.
pub(super) fn note_short(place: &'static [u8], iterations: u64) {
    with(|l| {
        l.move_to(place);
        let line = &mut l.lines[l.line];
        line.short.others += 1;
        line.figures.note_iterations(iterations);
    });
}

impl Drop for Part {
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            switch(before);
        }
    }
}

/// Notes the line for which the runtime works from now on.
pub(super) fn set_place(place: &'static [u8]) {
    if rehearsal::is_on() {
        return rehearsal::set_place(place);
    }
    with(|l| l.move_to(place));
}

/// Notes a message with elements: the arrays, and the bytes of each part.
pub(super) fn note_sent(parts: impl Iterator<Item = (&'static [u8], usize)>) {
    with(|l| {
        let line = l.line;
        l.lines[line].figures.note_sent(parts);
    });
}

/// The statements that communicated, for the profile of this rank; none if there is one rank. A signal may have interrupted the ledger: then
/// there are none either, for nobody would give the lock back.
pub(crate) fn statements() -> Option<Vec<Communicates>> {
    let mut ledger = LEDGER.try_lock().ok()?;
    let lines = ledger.as_mut()?.figures();
    Some(lines.iter().filter(|(place, f)| !place.is_empty() && f.is_any()).map(|(p, f)| f.of(p)).collect())
}

/// The file and line of `file:line`.
fn file_and_line(place: &[u8]) -> (String, u32) {
    let place = String::from_utf8_lossy(place);
    let (file, line) = place.rsplit_once(':').unwrap_or((&place, ""));
    (file.to_owned(), line.parse().unwrap_or(0))
}

impl Figures {
    /// Whether there is anything to tell.
    fn is_any(&self) -> bool {
        self.messages > 0 || self.iterations > 0 || self.times.iter().any(|t| !t.is_zero())
    }

    /// Adds other figures but for their times by category.
    fn add(&mut self, other: &Figures) {
        self.asleep += other.asleep;
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.note_iterations(other.iterations);
        for (name, sums) in &other.arrays {
            let all = self.arrays.entry(name).or_default();
            all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
        }
    }

    pub(super) fn note_sent(&mut self, parts: impl Iterator<Item = (&'static [u8], usize)>) {
        self.messages += 1;
        for (k, (array, bytes)) in parts.enumerate() {
            let sums = self.arrays.entry(array).or_default();
            sums[0] += u64::from(k == 0);
            sums[1] += bytes as u64;
            self.bytes += bytes as u64;
        }
    }

    pub(super) fn note_iterations(&mut self, iterations: u64) {
        self.iterations = self.iterations.saturating_add(iterations);
    }

    pub(super) fn note_time(&mut self, category: Category, time: Duration) {
        self.times[category as usize] += time;
    }

    /// The figures of a statement.
    fn of(&self, place: &[u8]) -> Communicates {
        let (file, line) = file_and_line(place);
        let time = |category: Category| u64::try_from(self.times[category as usize].as_nanos()).unwrap_or(u64::MAX);
        let reference = |(name, sums): (&&'static [u8], &[u64; 2])| {
            let text = String::from_utf8_lossy(name);
            let (name, directive) = text.split_once('@').unwrap_or((&text, ""));
            Reference { name: name.to_owned(), directive: directive.to_owned(), messages: sums[0], bytes: sums[1] }
        };
        Communicates {
            serial: None,
            file,
            line,
            messages: self.messages,
            bytes: self.bytes,
            communication: time(Category::Communication),
            late_sender: time(Category::LateSender),
            late_receiver: time(Category::LateReceiver),
            runtime: time(Category::Library),
            global: time(Category::Global),
            asleep: u64::try_from(self.asleep.as_nanos()).unwrap_or(u64::MAX),
            references: self.arrays.iter().map(reference).collect(),
        }
    }
}

/// The lines of the report of this rank.
pub(super) fn report() -> String {
    let mut out = String::new();
    with(|l| {
        let mut lines = l.figures();
        lines.retain(|_, f| f.is_any());
        out = report_of(rank(), exchange::totals(), &lines);
    });
    out
}

/// The lines of the report of a rank: its messages, its times, and the same by line, then messages by array.
pub(super) fn report_of(rank: usize, [messages, bytes, reductions]: [u64; 3], lines: &Lines) -> String {
    let mut all = Figures::default();
    for f in lines.values() {
        all.note_iterations(f.iterations);
        all.times.iter_mut().zip(&f.times).for_each(|(s, t)| *s += *t);
    }
    let mut out = String::new();
    let Figures { iterations, times, .. } = &all;
    _ = writeln!(out, "rank {rank} messages {messages} bytes {bytes} reductions {reductions} iterations {iterations}");
    let whole: Duration = times.iter().sum();
    _ = write!(out, "rank {rank} elapsed {:.6}", whole.as_secs_f64());
    NAMES.iter().zip(times).for_each(|(name, t)| _ = write!(out, " {name} {:.6}", t.as_secs_f64()));
    out.push('\n');
    for (place, f) in lines.iter().filter(|(place, _)| !place.is_empty()) {
        let place = String::from_utf8_lossy(place);
        _ = write!(out, "rank {rank} at {place} messages {} bytes {}", f.messages, f.bytes);
        let times = NAMES.iter().zip(f.times).skip(1);
        times.for_each(|(name, t)| _ = write!(out, " {name} {:.6}", t.as_secs_f64()));
        _ = writeln!(out, " iterations {}", f.iterations);
        for (array, sums) in &f.arrays {
            let array = String::from_utf8_lossy(array);
            _ = writeln!(out, "part {rank} of {array} at {place} messages {} bytes {}", sums[0], sums[1]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_work_that_is_not_measured_has_the_mean_of_that_which_is() {
        let mut short = Short::default();
        [100, 140, 120].into_iter().for_each(|ticks| short.measure(ticks));
        short.others = 10;
        assert_eq!(short.take(), 1_200);
        assert_eq!(short.take(), 0);
    }

    #[test]
    fn short_work_during_which_others_had_the_processor_tells_nothing() {
        let mut short = Short::default();
        [100, 5_000_000, 140].into_iter().for_each(|ticks| short.measure(ticks));
        short.others = 2;
        assert_eq!(short.take(), 240);
    }

    #[test]
    fn short_work_goes_from_the_program_to_its_line() {
        let mut ledger = Ledger {
            began: (0, 0),
            since: 0,
            category: Category::User,
            line: 0,
            lines: vec![Line::new(b""), Line::new(b"a.f90:3"), Line::new(b"a.f90:5")],
            known: BTreeMap::new(),
        };
        ledger.lines[0].times[Category::User as usize] = 1_000;
        for (line, ticks) in [(1, 30), (2, 600)] {
            ledger.lines[line].short.measure(ticks);
            ledger.lines[line].short.others = 2;
        }
        ledger.settle();
        // There cannot be more than the time that has passed.
        let times = |line: usize, of: Category| ledger.lines[line].times[of as usize];
        assert_eq!([times(1, Category::Library), times(2, Category::Library)], [60, 940]);
        assert_eq!(times(0, Category::User), 0);
    }
}
