//! The expected cost of timers, and the timers that a budget leaves.
//!
//! How often code runs is known from a profile of an earlier run, or estimated from constant trip counts; a loop
//! without a known count is assumed to run a hundred times, and an arm of a conditional every other time. The estimate
//! may be wrong by factors, and is not shown to users; but the *order* of the timers by cost, which decides which of
//! them go first, needs no better.

use crate::measure::Earlier;
use rustc_hash::FxHashMap;
use trueline_ir::{Callee, ExprData, Head, Program, Stmt, Unit, UnitKind};

/// A pair of probes, in nanoseconds, as the calibration finds it on common machines.
const PROBE_NS: f64 = 40.0;
/// A pair of probes that counts down and does not call, in nanoseconds: eight instructions, as many as some statements have.
const COUNTDOWN_NS: f64 = 3.0;
/// The part of the budget that is for such pairs.
const FOR_COUNTDOWNS: f64 = 0.5;
/// A statement of the optimized program, in nanoseconds.
const STMT_NS: f64 = 1.0;
/// The cost that timers of a whole program may always have, in pairs of probes: a millisecond. Runs are rarely shorter, and in a shorter
/// one it does not matter. How often procedures run that other files call is not known.
const FREE_PAIRS: f64 = 1e6 / PROBE_NS;
/// The trips of a DO loop that are not known.
const UNKNOWN_TRIPS: f64 = 100.0;
/// The trips of such a loop if it is long.
pub(crate) const MANY_TRIPS: f64 = 1e6;
/// The trips of a DO WHILE loop that are not known: such loops search, halve, and wait for convergence.
const WHILE_TRIPS: f64 = 10.0;
/// The rounds in which the activations of recursive procedures are estimated.
const ROUNDS: usize = 8;

/// The estimated executions of the program.
pub(crate) struct Estimate<'a> {
    earlier: &'a Earlier,
    /// The trips of a DO loop that are not known.
    unknown: f64,
    /// Activations of each unit.
    units: Vec<f64>,
    /// Nanoseconds of the whole program without probes.
    pub(crate) total: f64,
    /// Whether the main program is among the units, so that all their calls are known.
    is_whole: bool,
}

impl<'a> Estimate<'a> {
    /// Estimates for the optimized program.
    pub(crate) fn of(program: &Program, earlier: &'a Earlier) -> Estimate<'a> {
        Estimate::with(program, earlier, UNKNOWN_TRIPS)
    }

    /// The same with a number of trips for DO loops whose number is not known.
    pub(crate) fn with(program: &Program, earlier: &'a Earlier, unknown: f64) -> Estimate<'a> {
        let by_symbol: FxHashMap<&str, usize> =
            program.units.iter().enumerate().map(|(i, u)| (u.symbol(), i)).collect();
        // Calls: caller, callee, how often in one activation.
        let mut calls: Vec<(usize, usize, f64)> = Vec::new();
        let mut own = vec![0.0; program.units.len()];
        for (i, unit) in program.units.iter().enumerate().filter(|(_, u)| u.kind() != UnitKind::Data) {
            let frequencies = frequencies(unit, earlier, unknown);
            for (s, f) in frequencies {
                if unit.head(s).is_invisible() {
                    continue;
                }
                own[i] += f * STMT_NS;
                if let Head::Call { callee: Callee::Proc(p), .. } = unit.head(s)
                    && let Some(&callee) = by_symbol.get(unit.proc(p).symbol.as_str())
                {
                    calls.push((i, callee, f));
                }
            }
        }
        let mut called = vec![false; program.units.len()];
        let others = calls.iter().filter(|(caller, callee, _)| caller != callee);
        others.for_each(|&(_, callee, _)| called[callee] = true);
        let roots: Vec<f64> = called.iter().map(|&c| if c { 0.0 } else { 1.0 }).collect();
        let mut units = activations(&roots, &calls);
        if units.contains(&0.0) {
            // Procedures that call one another are called from elsewhere.
            let roots: Vec<f64> = roots.iter().zip(&units).map(|(&r, &n)| if n == 0.0 { 1.0 } else { r }).collect();
            units = activations(&roots, &calls);
        }
        for (n, unit) in units.iter_mut().zip(&program.units) {
            if let Some(&calls) = earlier.executions.get(&unit.serial()) {
                *n = calls as f64;
            }
        }
        let total = units.iter().zip(&own).map(|(n, ns)| n * ns).sum();
        let is_whole = program.units.iter().any(|u| u.kind() == UnitKind::Program);
        Estimate { earlier, unknown, units, total, is_whole }
    }

    /// The executions of `s` of unit `unit`; of the unit itself without a statement.
    pub(crate) fn count(&self, program: &Program, unit: usize, s: Option<Stmt>) -> f64 {
        let inside = s.map_or(1.0, |s| frequency(&program.units[unit], s, self.earlier, self.unknown));
        self.units[unit] * inside
    }

    /// The cost of `pairs` pairs of probes, each of `ns` nanoseconds, as a fraction of the time.
    fn fraction(&self, pairs: f64, ns: f64) -> f64 {
        if self.total <= 0.0 { 0.0 } else { pairs * ns / self.total }
    }
}

/// How often each unit is activated, given how often from elsewhere, by calls: the caller, the callee, and how often in one activation.
fn activations(roots: &[f64], calls: &[(usize, usize, f64)]) -> Vec<f64> {
    let mut units = roots.to_vec();
    for _ in 0..ROUNDS.max(1) {
        let mut next = roots.to_vec();
        for &(caller, callee, f) in calls {
            next[callee] += (units[caller] * f).min(1e15);
        }
        units = next;
    }
    units
}

/// Statements in one activation, each with how often it runs.
fn frequencies(unit: &Unit, earlier: &Earlier, unknown: f64) -> Vec<(Stmt, f64)> {
    let mut of: FxHashMap<Stmt, f64> = FxHashMap::default();
    unit.walk()
        .into_iter()
        .map(|s| {
            let around = unit
                .enclosing(s)
                .map_or(1.0, |p| of.get(&p).copied().unwrap_or(1.0) * factor(unit, p, earlier, unknown));
            of.insert(s, around);
            (s, around)
        })
        .collect()
}

fn frequency(unit: &Unit, s: Stmt, earlier: &Earlier, unknown: f64) -> f64 {
    unit.ancestors(s).map(|p| factor(unit, p, earlier, unknown)).product()
}

/// The executions of the contents of `s` for each execution of `s`.
fn factor(unit: &Unit, s: Stmt, earlier: &Earlier, unknown: f64) -> f64 {
    let known = || unit.sources(s).find_map(|o| earlier.trips.get(&o).copied());
    match unit.head(s) {
        Head::Do { lo, hi, step, .. } => {
            let constant = |e| match unit.expr(e) {
                ExprData::Int(_, k) => Some(k as f64),
                _ => None,
            };
            match (constant(lo), constant(hi), constant(step)) {
                (Some(lo), Some(hi), Some(step)) if step != 0.0 => ((hi - lo + step) / step).floor().max(0.0),
                _ => known().unwrap_or(unknown),
            }
        }
        Head::DoWhile { .. } => known().unwrap_or(WHILE_TRIPS * (unknown / UNKNOWN_TRIPS)),
        _ => 0.5,
    }
}

/// How often each timer runs, as it is estimated.
pub(crate) struct Runs<'a> {
    pub(crate) estimate: &'a Estimate<'a>,
    pub(crate) counts: &'a [f64],
}

/// The timers that stay in a budget: given how often each runs, the most frequent go first. Of the timers that go, the rarest stay after all
/// if they can be thinned while the program runs, as far as counting down is cheap. A budget of nothing leaves none. `most` is the same where
/// loops of unknown length are long: timers of a whole program stay anyway if all together take no time, and are in the budget even then.
pub(crate) fn choose(usual: &Runs<'_>, most: &Runs<'_>, thins: &[bool], budget: f64) -> Vec<bool> {
    let &Runs { estimate, counts } = usual;
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by(|&a, &b| counts[b].total_cmp(&counts[a]).then(a.cmp(&b)));
    let mut stays = vec![true; counts.len()];
    let mut pairs: f64 = counts.iter().sum();
    let mut pairs_at_most: f64 = most.counts.iter().sum();
    for &i in &order {
        let fits = |runs: &Runs<'_>, pairs| runs.estimate.fraction(pairs, PROBE_NS) <= budget;
        let is_short = pairs_at_most <= FREE_PAIRS || fits(most, pairs_at_most);
        let is_free = budget > 0.0 && estimate.is_whole && pairs <= FREE_PAIRS && is_short;
        if fits(usual, pairs) || is_free {
            break;
        }
        stays[i] = false;
        pairs -= counts[i];
        pairs_at_most -= most.counts[i];
    }
    let mut counted = 0.0;
    for i in order.into_iter().rev().filter(|&i| thins[i]) {
        if !stays[i] {
            counted += counts[i];
            if estimate.fraction(counted, COUNTDOWN_NS) > budget * FOR_COUNTDOWNS {
                break;
            }
            stays[i] = true;
        }
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_timers_go_first() {
        let earlier = Earlier::default();
        let estimate = Estimate { earlier: &earlier, unknown: 1.0, units: vec![], total: 1e9, is_whole: true };
        let choose = |e: &Estimate<'_>, counts: &[f64], budget| {
            let runs = Runs { estimate: e, counts };
            choose(&runs, &runs, &vec![false; counts.len()], budget)
        };
        assert_eq!(choose(&estimate, &[1e4, 1e6, 2e5], 0.01), [true, false, true]);
        assert_eq!(choose(&estimate, &[10.0, 20.0], 0.01), [true, true]);
        let short = Estimate { earlier: &earlier, unknown: 1.0, units: vec![], total: 1e3, is_whole: true };
        assert_eq!(choose(&short, &[10.0, 20.0, 1e6], 0.01), [true, true, false]);
        assert_eq!(choose(&estimate, &[1e9], 0.0), [false]);
    }

    #[test]
    fn timers_that_may_run_often_are_not_free() {
        let earlier = Earlier::default();
        let of = |total| Estimate { earlier: &earlier, unknown: 1.0, units: vec![], total, is_whole: true };
        let stay = |total: f64, most: &[f64]| {
            let (usual, long) = (of(1e3), of(total));
            let usual = Runs { estimate: &usual, counts: &[1.0, 100.0] };
            choose(&usual, &Runs { estimate: &long, counts: most }, &[false; 2], 0.01)
        };
        assert_eq!(stay(1e7, &[1.0, 1e6]), [true, false]);
        // Then their procedures take long, too.
        assert_eq!(stay(1e11, &[1.0, 1e6]), [true, true]);
        assert_eq!(stay(1e3, &[1.0, 100.0]), [true, true]);
    }

    #[test]
    fn procedures_that_call_one_another_are_called_from_elsewhere() {
        assert_eq!(activations(&[1.0, 0.0], &[(0, 1, 3.0)]), [1.0, 3.0]);
        let alone = activations(&[0.0, 0.0], &[(0, 1, 0.5), (1, 0, 0.5)]);
        assert_eq!(alone, [0.0, 0.0]);
    }

    #[test]
    fn what_can_be_thinned_stays_where_counting_down_is_cheap() {
        let earlier = Earlier::default();
        let estimate = Estimate { earlier: &earlier, unknown: 1.0, units: vec![], total: 1e9, is_whole: true };
        let choose = |e: &Estimate<'_>, counts: &[f64], thins: &[bool], budget| {
            let runs = Runs { estimate: e, counts };
            choose(&runs, &runs, thins, budget)
        };
        assert_eq!(choose(&estimate, &[1e4, 1e6, 2e5], &[true; 3], 0.01), [true, true, true]);
        assert_eq!(choose(&estimate, &[1e4, 1e6, 2e5], &[true, false, true], 0.01), [true, false, true]);
        assert_eq!(choose(&estimate, &[1e6, 1e6, 1e7], &[true; 3], 0.01), [false, true, false]);
        assert_eq!(choose(&estimate, &[1e6], &[true], 0.0), [false]);
    }
}
