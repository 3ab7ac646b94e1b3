//! The cost of measuring: the number of all operations that a plain program does not execute, times their durations.

use super::objects::Found;
use super::samples::Sampled;
use super::threads::Measured;
use crate::cost::{BRANCH_CYCLES, Class, LEAST, MILLICYCLES, MOST, MOVED};
use crate::profile::Profile;
use crate::raw::{ENDED, Header};

/// Nanoseconds that a sample takes outside of its handler: the interrupt of the timer, the way to the handler and back.
const SIGNAL_NS: f64 = 4_000.0;

/// The factor by which a pair of probes may take longer among the code of a program than where it was calibrated.
const COLD: f64 = 1.5;

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
        0,
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
    let begin = header.begin_ns as f64;
    out.set_cost(counters, timers, samples, begin);
    let cycle = header.cycle_ps as f64 / 1e3;
    if cycle <= 0.0 {
        // A run of an earlier version.
        return;
    }
    let middle = counters + timers + samples + begin;
    let pairs = measured.pairs as f64 * probe_ns;
    let branches = found.operations[Class::Branch as usize] * cycle * BRANCH_CYCLES;
    let moved = branches.min(out.cost_base_ns()) * MOVED;
    // Classes err independently of one another, so their errors add up by their squares.
    let off = |most: &[u64; Class::ALL.len()], others: f64| {
        let each = found.operations.iter().zip(most.iter().zip(&MILLICYCLES));
        let squares = each.map(|(n, (&a, &b))| (n * cycle * a.abs_diff(b) as f64 / 1e3).powi(2));
        (squares.sum::<f64>() + others.powi(2) + moved.powi(2)).sqrt()
    };
    let ends = [middle - off(&LEAST, 0.0), middle + off(&MOST, pairs * (COLD - 1.0))];
    out.set_between(ends[0], ends[1], begin);
}
