//! Floating-point exceptions: which of them end the program (`-ffpe-trap=`), and the note at STOP (`-ffpe-summary=`).

use std::sync::atomic::{AtomicI32, Ordering};
use trueline_abi::exceptions::{ALL, DENORMAL, DIVIDE_BY_ZERO, INEXACT, INVALID, OVERFLOW, UNDERFLOW, USUAL_SUMMARY};

/// The exceptions by name, in the order of the note.
const NAMES: [(i32, &str); 6] = [
    (INVALID, "IEEE_INVALID_FLAG"),
    (DIVIDE_BY_ZERO, "IEEE_DIVIDE_BY_ZERO"),
    (OVERFLOW, "IEEE_OVERFLOW_FLAG"),
    (UNDERFLOW, "IEEE_UNDERFLOW_FLAG"),
    (DENORMAL, "IEEE_DENORMAL"),
    (INEXACT, "IEEE_INEXACT_FLAG"),
];

/// The exceptions in the note.
static SUMMARY: AtomicI32 = AtomicI32::new(USUAL_SUMMARY);

/// Sets which exceptions end the program with SIGFPE, and which the note at STOP names.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_float_exceptions(trap: i32, summary: i32) {
    SUMMARY.store(summary, Ordering::Relaxed);
    if trap & ALL != 0 {
        enable(trap & ALL);
    }
}

/// The note at STOP about the exceptions that have been raised, on any rank; all of them ask for it.
pub(crate) fn note() -> String {
    text(crate::ranks::union(raised()) & SUMMARY.load(Ordering::Relaxed))
}

fn text(flags: i32) -> String {
    let raised: String = NAMES.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| format!(" {name}")).collect();
    if raised.is_empty() {
        return raised;
    }
    format!("Note: The following floating-point exceptions are signalling:{raised}\n")
}

#[cfg(target_arch = "x86_64")]
fn control() -> u32 {
    let mut mxcsr = 0u32;
    // SAFETY: stores the SSE control and status register into a variable of its size.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack)) };
    mxcsr
}

/// The exceptions that the program has raised: the low bits of the register.
#[cfg(target_arch = "x86_64")]
fn raised() -> i32 {
    control() as i32 & ALL
}

/// Lets exceptions end the program: clears their masks, seven bits above the flags, and the flags, for exceptions
/// raised before do not count.
#[cfg(target_arch = "x86_64")]
fn enable(trap: i32) {
    let mxcsr = control() & !((trap as u32) << 7) & !(ALL as u32);
    // SAFETY: loads the register with its old value but for masks and flags, which are all defined bits.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack)) };
}

/// The exceptions, with their bits in the registers of AArch64: status, and eight bits above it the control that traps.
#[cfg(target_arch = "aarch64")]
const BITS: [(i32, u32); 6] =
    [(INVALID, 0), (DIVIDE_BY_ZERO, 1), (OVERFLOW, 2), (UNDERFLOW, 3), (INEXACT, 4), (DENORMAL, 7)];

/// The exceptions that the program has raised.
#[cfg(target_arch = "aarch64")]
fn raised() -> i32 {
    let fpsr: u64;
    // SAFETY: reads the floating-point status register.
    unsafe { std::arch::asm!("mrs {}, fpsr", out(reg) fpsr, options(nomem, nostack)) };
    BITS.iter().filter(|(_, bit)| fpsr >> bit & 1 == 1).map(|(flag, _)| flag).sum()
}

/// Makes exceptions end the program, if the processor can do that.
#[cfg(target_arch = "aarch64")]
fn enable(trap: i32) {
    let bits: u64 = BITS.iter().filter(|(flag, _)| trap & flag != 0).map(|(_, bit)| 1 << (bit + 8)).sum();
    // SAFETY: sets defined bits of the floating-point control register; a processor without traps ignores them.
    unsafe {
        let mut fpcr: u64;
        std::arch::asm!("mrs {}, fpcr", out(reg) fpcr, options(nomem, nostack));
        fpcr |= bits;
        std::arch::asm!("msr fpcr, {}", in(reg) fpcr, options(nomem, nostack));
    }
}

/// The exceptions that the program has raised: not known on this machine.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn raised() -> i32 {
    0
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn enable(_: i32) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_note_lists_exceptions_in_order() {
        assert_eq!(text(0), "");
        assert_eq!(
            text(INVALID | DENORMAL | DIVIDE_BY_ZERO),
            "Note: The following floating-point exceptions are signalling: IEEE_INVALID_FLAG IEEE_DIVIDE_BY_ZERO IEEE_DENORMAL\n"
        );
    }
}
