//! The clock: the processor's cycle counter, calibrated against the monotonic clock.

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
        nanoseconds()
    }
}

/// Ticks after all instructions before are done, and before any behind is begun. A processor reads its clock while
/// hundreds of instructions before are still being executed, which is a large part of a short construct.
#[inline]
pub(crate) fn ticks_in_order() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: a barrier; every x86-64 processor has it.
        unsafe { core::arch::x86_64::_mm_lfence() };
        let now = ticks();
        // SAFETY: as above.
        unsafe { core::arch::x86_64::_mm_lfence() };
        now
    }
    #[cfg(not(target_arch = "x86_64"))]
    ticks()
}

/// The clock that [`ticks`] reads, as the raw profile has it.
pub(crate) const SOURCE: u64 = if cfg!(target_arch = "x86_64") {
    0
} else if cfg!(target_arch = "aarch64") {
    1
} else {
    2
};

/// The monotonic clock. Async-signal-safe.
pub(crate) fn nanoseconds() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: fills the structure it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Both clocks at the same time: the least interrupted of a few readings.
pub(crate) fn both() -> (u64, u64) {
    let mut best = (u64::MAX, 0, 0);
    for _ in 0..4 {
        let before = ticks();
        let ns = nanoseconds();
        let after = ticks();
        let width = after.wrapping_sub(before);
        if width < best.0 {
            best = (width, before.wrapping_add(width / 2), ns);
        }
    }
    (best.1, best.2)
}
