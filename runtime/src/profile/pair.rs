//! Pairs of probes as compiled code calls them, and their cost.

use super::clock::ticks;
use super::stack::{current, slot};
use super::{arena, thin};
use trueline_abi::raw::CALIBRATION_RECORD;
use trueline_abi::record::Record;

/// The start of a pair of probes as compiled code calls it.
///
/// # Safety
/// As [`super::stack::push`].
unsafe fn start(record: *mut Record) {
    // SAFETY: `record` lives as long as the program; a null name and a null countdown are allowed.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        super::keep::trueline_start_region_keeping(std::ptr::null(), record.cast(), 1, std::ptr::null_mut());
    }
    // SAFETY: `record` lives as long as the program; a null name and a null countdown are allowed.
    #[cfg(not(target_arch = "x86_64"))]
    unsafe {
        super::stack::push(
            std::ptr::null(),
            record,
            trueline_abi::raw::Kind::Region,
            true,
            super::stack::Caller::at(0),
        );
    }
}

/// The end of such a pair.
///
/// # Safety
/// Always safe to call.
pub(super) unsafe fn end() {
    // SAFETY: ends the timer that was started, or none.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        super::keep::trueline_end_region_keeping();
    }
    #[cfg(not(target_arch = "x86_64"))]
    super::stack::pop(trueline_abi::raw::Kind::Region);
}

/// Pairs in a trial of [`calibrate`].
const PAIRS: u32 = 64;
/// Trials of each kind: the shortest counts, others were interrupted.
const TRIALS: u32 = 6;

/// The cost of probes.
pub(super) struct Cost {
    /// The cost of a pair, in thousandths of a tick.
    pub(super) milliticks: u64,
    /// The cost of timing an invocation of a thinned construct, in pairs.
    pub(super) aside: u64,
    /// The apparent time of an empty construct then, in thousandths of a tick.
    pub(super) span: u64,
}

/// Measures the cost of probes.
pub(super) fn calibrate() -> Cost {
    let mut record = Record { name: std::ptr::null(), construct: 0, id: CALIBRATION_RECORD as u32 };
    let mut trial = || {
        let before = ticks();
        for _ in 0..PAIRS {
            // SAFETY: the record has a number already.
            unsafe {
                start(&raw mut record);
                end();
            }
        }
        ticks().wrapping_sub(before) * 1000 / u64::from(PAIRS)
    };
    let milliticks = (0..TRIALS).map(|_| trial()).min().unwrap_or(0);
    let mut cost = Cost { milliticks, aside: 1, span: 0 };
    let seen = current().map(|t| slot(t, CALIBRATION_RECORD)).filter(|s| !s.is_null());
    // SAFETY: the slot of this thread.
    if let Some(s) = seen.filter(|&s| thin::begin(unsafe { &mut *s })) {
        // SAFETY: as above; the probes of the trials are done when it is read.
        let sum = || thin::ticks_of(unsafe { &*s });
        let thinned = (0..TRIALS / 2).map(|_| {
            let before = sum();
            (trial(), sum().wrapping_sub(before) * 1000 / u64::from(PAIRS))
        });
        let (aside, span) = thinned.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))).unwrap_or_default();
        (cost.aside, cost.span) = (aside.div_ceil(milliticks.max(1)), span);
    }
    if let Some(t) = current() {
        // SAFETY: there is memory, which begins with a valid header.
        (t.pairs, t.outside, t.outside_since) = (0, 0, unsafe { (*arena::header()).start_ticks });
    }
    cost
}
