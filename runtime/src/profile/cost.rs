//! The time that an operation of each class takes ([`trueline_abi::cost`]).
//!
//! An operation alone would be easy to measure. Among others it hides under their latencies, and most of its time is not seen: of an
//! add in memory between the loads and multiplications of a loop there is about half a cycle left, of one between calls, whose
//! arguments go through memory, a tenth. So the classes have costs in cycles of the processor, which are those of programs
//! ([`MILLICYCLES`]; `cargo bench --bench perturbation -- --fit` compares), and the length of a cycle is measured when a run begins.

use super::clock::ticks;
use std::arch::asm;
use trueline_abi::cost::{Class, MILLICYCLES};
use trueline_abi::raw::Header;

/// The multiplications of a trial, which each need the result of the one before.
const CHAIN: u64 = 512;
/// Cycles of a multiplication, on all processors of the last fifteen years.
const LATENCY: u64 = 3;
/// The number of trials. The shortest counts: others were interrupted, or ran before the processor was awake.
const TRIALS: usize = 8;
/// The limits of the length of a cycle in thousandths of a nanosecond.
const CYCLE_PS: (u64, u64) = (100, 2000);

/// Measures the length of a cycle, in a few microseconds, and with it the times of the operations.
pub(crate) fn calibrate(header: &mut Header) {
    let best = (0..TRIALS).map(|_| chain()).min().unwrap_or(0);
    let (now, ns) = super::clock::both();
    let elapsed = now.wrapping_sub(header.start_ticks) as f64;
    let ps_of_tick = if elapsed > 0.0 { ns.saturating_sub(header.start_ns) as f64 * 1e3 / elapsed } else { 0.0 };
    let cycle = (best as f64 * ps_of_tick / (CHAIN * LATENCY) as f64) as u64;
    let cycle = cycle.clamp(CYCLE_PS.0, CYCLE_PS.1);
    header.cycle_ps = cycle;
    let ps = |class: Class| cycle * MILLICYCLES[class as usize] / 1000;
    header.memory_ps = ps(Class::Memory);
    header.register_ps = ps(Class::Register);
    header.call_ps = ps(Class::Call);
    header.entry_ps = ps(Class::Entry);
    header.address_ps = ps(Class::Address);
    header.test_ps = ps(Class::Test);
    header.hidden_ps = ps(Class::Hidden);
    header.around_ps = ps(Class::Around);
    header.lanes_ps = ps(Class::Lanes);
    header.arm_ps = ps(Class::Arm);
}

/// The ticks of a chain of multiplications.
#[inline(never)]
fn chain() -> u64 {
    let mut x = 3u64;
    let start = ticks();
    for _ in 0..CHAIN {
        x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // SAFETY: no instruction. The compiler knows nothing of the register any more.
        unsafe { asm!("/* {0} */", inout(reg) x, options(nomem, nostack, preserves_flags)) };
    }
    ticks().wrapping_sub(start)
}

/// Nanoseconds to write a file of that length, which is in the kernel's memory already. Making the file is not part of it.
pub(crate) fn written(len: usize) -> u64 {
    // A checksum and a copy: about a byte in a nanosecond.
    len as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "reads the cycle counter")]
    fn operations_take_some_time() {
        let (start_ticks, start_ns) = super::super::clock::both();
        let mut header = Header { start_ticks, start_ns, ..Header::default() };
        calibrate(&mut header);
        let memory = MILLICYCLES[Class::Memory as usize];
        assert!(header.memory_ps >= CYCLE_PS.0 * memory / 1000 && header.memory_ps <= CYCLE_PS.1 * memory / 1000);
    }
}
