//! The clock: the processor's cycle counter, calibrated against the monotonic clock.

use std::cell::UnsafeCell;
use std::time::Instant;

/// What is known of the clock of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calibration {
    /// `tsc`, `cntvct` or `monotonic`.
    pub(crate) source: &'static str,
    /// Ticks in a second.
    pub(crate) ticks_per_second: f64,
    /// From the beginning of the profile to its end.
    pub(crate) elapsed_ns: u64,
    /// What a pair of probes costs.
    pub(crate) probe_ns: f64,
}

struct Run {
    start: Option<(Instant, u64)>,
    end: Option<Calibration>,
}

struct Shared(UnsafeCell<Run>);

// SAFETY: written by `begin` (inside a `Once`) and `end` (inside the exit callback, once), read after.
unsafe impl Sync for Shared {}

static RUN: Shared = Shared(UnsafeCell::new(Run { start: None, end: None }));

/// Ticks now.
#[inline]
pub(crate) fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: reads the time stamp counter; every x86-64 processor has it.
        unsafe { core::arch::x86_64::_rdtsc() }
    }
    #[cfg(target_arch = "aarch64")]
    {
        let now: u64;
        // SAFETY: reads the virtual counter, which user code may.
        unsafe { std::arch::asm!("mrs {}, cntvct_el0", out(reg) now, options(nomem, nostack)) };
        now
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        static EPOCH: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        EPOCH.get_or_init(Instant::now).elapsed().as_nanos() as u64
    }
}

const SOURCE: &str = if cfg!(target_arch = "x86_64") {
    "tsc"
} else if cfg!(target_arch = "aarch64") {
    "cntvct"
} else {
    "monotonic"
};

/// The profile begins.
pub(crate) fn begin() {
    // SAFETY: see `Shared`.
    unsafe { (*RUN.0.get()).start = Some((Instant::now(), ticks())) };
}

/// The profile ends: calibrates. A run shorter than the monotonic clock can tell is waited out.
pub(crate) fn end() {
    // SAFETY: see `Shared`.
    let run = unsafe { &mut *RUN.0.get() };
    let (start, first) = *run.start.get_or_insert_with(|| (Instant::now(), ticks()));
    let elapsed_ns = start.elapsed().as_nanos() as u64;
    while start.elapsed().as_micros() < 2000 {
        std::hint::spin_loop();
    }
    let (last, nanoseconds) = (ticks(), start.elapsed().as_nanos());
    let ticks_per_second = (last.wrapping_sub(first)) as f64 * 1e9 / nanoseconds as f64;
    let probe_ns = super::stack::probe_ticks() * 1e9 / ticks_per_second;
    run.end = Some(Calibration { source: SOURCE, ticks_per_second, elapsed_ns, probe_ns });
}

/// The calibration, after [`end`].
pub(crate) fn calibration() -> Calibration {
    // SAFETY: see `Shared`.
    unsafe { (*RUN.0.get()).end }.unwrap_or(Calibration {
        source: SOURCE,
        ticks_per_second: 1e9,
        elapsed_ns: 0,
        probe_ns: 0.0,
    })
}
