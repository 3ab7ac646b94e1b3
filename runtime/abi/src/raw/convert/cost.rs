//! The cost of measuring: the number of all operations that a plain program does not execute, times their durations.

use super::objects::Found;
use super::samples::Sampled;
use super::threads::Measured;
use crate::cost::Class;
use crate::profile::Profile;
use crate::raw::{ENDED, Header};

/// Nanoseconds that a sample takes outside of its handler: the interrupt of the timer, the way to the handler and back.
const SIGNAL_NS: f64 = 4_000.0;

/// States the cost of measuring, but for the end of the run, which is not over yet.
pub(super) fn state(header: &Header, measured: &Measured, found: &Found, sampled: &Sampled, out: &mut Profile) {
    let all = [
        header.memory_ps,
        header.register_ps,
        header.call_ps,
        header.entry_ps,
        header.address_ps,
        header.test_ps,
        header.hidden_ps,
        header.around_ps,
        header.lanes_ps,
        header.arm_ps,
    ];
    out.overhead.operation_ns = all.map(|ps| ps as f64 / 1e3);
    out.overhead.operations = found.operations.map(f64::round);
    let ns = |class: Class| found.operations[class as usize] * out.overhead.operation_ns[class as usize];
    let counting = Class::ALL.into_iter().filter(|c| *c != Class::Test);
    let counters = counting.map(ns).sum();
    let probe_ns = header.probe_milliticks as f64 * 1e6 / out.clock.ticks_per_second;
    let timers = measured.pairs as f64 * probe_ns + ns(Class::Test);
    let samples = sampled.handling + sampled.count * SIGNAL_NS;
    out.overhead.probe_ns = probe_ns;
    out.overhead.at_least = header.state != ENDED || found.is_cost_partly_known;
    out.set_cost(counters, timers, samples, header.begin_ns as f64);
}
