//! The ledger of a rank: messages by line of the source, and six times that add up to the time that has passed.
//!
//! A clock stands in one category at any time. Functions of the runtime switch it when they begin and when they end, so the times are
//! exclusive, and their sum is the time between start and end by construction: *communication* (choosing, packing and copying of elements), *late
//! sender* (blocked until a message comes), *late receiver* (blocked until there is room for one), *runtime library* (plans and mappings), *global
//! operation* (reductions, broadcasts, new owners of arrays), and *user* for all else, which takes in the questions for owners of single elements.
//!
//! It is kept if `TRUELINE_MESSAGES` names a file, to which each rank appends its lines at its end.

use super::rank;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The categories of time.
#[derive(Clone, Copy, PartialEq, Eq)]
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
#[derive(Clone, Copy, Default)]
struct Figures {
    messages: u64,
    bytes: u64,
    times: [Duration; NAMES.len()],
}

struct Ledger {
    /// The last switch of the clock.
    since: Instant,
    category: Category,
    /// The line for which the runtime works.
    place: &'static [u8],
    lines: BTreeMap<&'static [u8], Figures>,
}

static LEDGER: Mutex<Option<Ledger>> = Mutex::new(None);

/// Whether there is a ledger.
static IS_KEPT: AtomicBool = AtomicBool::new(false);

/// Starts the clock of this rank, if somebody wants to know.
pub(super) fn start() {
    if std::env::var_os("TRUELINE_MESSAGES").is_some() {
        let ledger = Ledger { since: Instant::now(), category: Category::User, place: b"", lines: BTreeMap::new() };
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

impl Ledger {
    fn switch(&mut self, to: Category) -> Category {
        let now = Instant::now();
        // The runtime does not know where the program is when it computes.
        let place: &[u8] = if self.category == Category::User { b"" } else { self.place };
        let figures = self.lines.entry(place).or_default();
        figures.times[self.category as usize] += now.duration_since(self.since);
        self.since = now;
        std::mem::replace(&mut self.category, to)
    }
}

/// A part of the runtime's work; the clock goes back to the category before when it ends.
pub(super) struct Part(Option<Category>);

/// Begins work of that category.
pub(super) fn begin(category: Category) -> Part {
    let mut before = None;
    with(|l| before = Some(l.switch(category)));
    Part(before)
}

impl Drop for Part {
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            with(|l| _ = l.switch(before));
        }
    }
}

/// Notes the line for which the runtime works from now on.
pub(super) fn set_place(place: &'static [u8]) {
    with(|l| {
        if l.place != place {
            let category = l.category;
            l.switch(category);
            l.place = place;
        }
    });
}

/// Notes a message with elements.
pub(super) fn note_sent(bytes: usize) {
    with(|l| {
        let figures = l.lines.entry(l.place).or_default();
        figures.messages += 1;
        figures.bytes += bytes as u64;
    });
}

/// The lines of the report.
pub(super) fn report() -> String {
    let mut out = String::new();
    with(|l| {
        let category = l.category;
        l.switch(category);
        let mut sum = [Duration::ZERO; NAMES.len()];
        l.lines.values().for_each(|f| sum.iter_mut().zip(&f.times).for_each(|(s, t)| *s += *t));
        let whole: Duration = sum.iter().sum();
        _ = write!(out, "rank {} elapsed {:.6}", rank(), whole.as_secs_f64());
        NAMES.iter().zip(sum).for_each(|(name, t)| _ = write!(out, " {name} {:.6}", t.as_secs_f64()));
        out.push('\n');
        for (place, f) in l.lines.iter().filter(|(place, _)| !place.is_empty()) {
            let place = String::from_utf8_lossy(place);
            _ = write!(out, "rank {} at {place} messages {} bytes {}", rank(), f.messages, f.bytes);
            let times = NAMES.iter().zip(f.times).skip(1);
            times.for_each(|(name, t)| _ = write!(out, " {name} {:.6}", t.as_secs_f64()));
            out.push('\n');
        }
    });
    out
}
