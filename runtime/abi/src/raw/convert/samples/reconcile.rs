//! The figures of thinned timers and of samples, brought together.
//!
//! A thinned timer gives the inclusive time of its construct with an error, and so do the samples: the result is the
//! mean of both, weighted by their variances. The samples in the construct are scaled to that time, or weight without
//! samples is added where there are none. So all later steps work as if the samples had given that time: it comes out
//! of the timers around, and sums stay unchanged.
//!
//! Constructs that stand in another one, or are called from there, are settled first, and stay as they are.

use super::estimate::{Estimator, Sums};
use super::{Part, Sum};
use crate::profile::ThreadTime;
use crate::raw::convert::objects::Found;
use std::collections::HashMap;

/// The number of joint standard errors beyond which timers and samples disagree.
const ERRORS: f64 = 3.0;
/// The most disagreements that are reported.
const MOST_NOTES: usize = 5;
/// Rounds of [`fit`]: in each a part may become empty.
const ROUNDS: usize = 4;
/// The most thinned constructs that are reconciled: those with the most time.
const MOST: usize = 2000;

/// The result.
#[derive(Default)]
pub(super) struct Reconciled {
    /// The standard errors of the thinned constructs, by their positions, in nanoseconds.
    pub(super) errors: HashMap<usize, f64>,
    /// The variance of each part; none if nothing was thinned.
    pub(super) variances: Vec<f64>,
    /// The sentences for the user.
    pub(super) notes: Vec<String>,
}

/// A thinned construct.
struct Thinned {
    at: usize,
    /// Its inclusive time by its timer.
    ns: f64,
    error: f64,
}

/// Changes the parts so that the constructs that were thinned have their times.
pub(super) fn reconcile(
    e: &Estimator<'_>,
    parts: &mut Vec<Part>,
    total: Sum,
    stretch: f64,
    found: &Found,
    threads: &[ThreadTime],
) -> Reconciled {
    let mut out = Reconciled::default();
    let all = thinned(e, found, stretch);
    if all.is_empty() {
        return out;
    }
    let n = e.constructs.len();
    let by_timers = e.inclusive(&Sums::new(n));
    let period = if total.count > 0.0 { total.weight / total.count } else { 0.0 };
    let waits = waits(threads);
    // The error of each part that is settled, as a fraction of its weight.
    let mut settled: Vec<Option<f64>> = vec![None; parts.len()];
    let mut told: Vec<(f64, String)> = Vec::new();
    for t in all {
        let mut sums = Sums::new(n);
        parts.iter().for_each(|p| sums.add(p, 1.0, 1.0));
        let sampled = e.inclusive(&sums)[t.at].0;
        // The number of samples that it should have.
        let expected = (sampled.max(t.ns) - by_timers[t.at].0).max(period);
        let of_samples = (expected * period).sqrt();
        let joint = t.error.hypot(of_samples);
        let apart = (t.ns - sampled).abs();
        let is_waiting = waits && t.ns > sampled + ERRORS * joint;
        let (ns, error) = if period <= 0.0 || is_waiting {
            (t.ns, t.error)
        } else {
            let (a, b) = (of_samples * of_samples, t.error * t.error);
            ((t.ns * a + sampled * b) / (a + b), (a * b / (a + b)).sqrt())
        };
        if period > 0.0 && !is_waiting && apart > ERRORS * joint {
            told.push((apart, disagreement(e, &t, sampled, joint)));
        }
        let share = settle(e, parts, &mut settled, t.at, ns - sampled, error);
        out.errors.insert(t.at, error.max((share * (1.0 - share) * expected * period).sqrt()));
    }
    let variance = |(p, error): (&Part, &Option<f64>)| match error {
        Some(error) => (p.sum.weight * error).powi(2),
        None => p.sum.weight * period,
    };
    out.variances = parts.iter().zip(&settled).map(variance).collect();
    told.sort_by(|a, b| b.0.total_cmp(&a.0));
    out.notes.extend(told.into_iter().take(MOST_NOTES).map(|t| t.1));
    out
}

/// The thinned constructs with the figures of their timers, the inner ones first.
fn thinned(e: &Estimator<'_>, found: &Found, stretch: f64) -> Vec<Thinned> {
    let of = |(at, c): (usize, &crate::profile::Construct)| {
        let estimate = found.thinned.get(&c.serial)?.estimate(stretch);
        // The invocations that were timed before it was thinned.
        let always = c.time.map_or(0, |t| t.inclusive_ns) as f64;
        Some(Thinned { at, ns: always + estimate.ns, error: estimate.error.max(1.0) })
    };
    let mut all: Vec<Thinned> = e.constructs.iter().enumerate().filter_map(of).collect();
    all.sort_by(|a, b| b.ns.total_cmp(&a.ns).then(a.at.cmp(&b.at)));
    all.truncate(MOST);
    let place = if all.is_empty() { Vec::new() } else { e.inner_first() };
    all.sort_by_key(|t| place[t.at]);
    all
}

/// Whether the threads waited for anything but a processor. Samples do not see that, timers do.
fn waits(threads: &[ThreadTime]) -> bool {
    let sum = |f: fn(&ThreadTime) -> u64| threads.iter().map(|t| f(t) as f64).sum::<f64>();
    sum(|t| t.cpu_ns.saturating_add(t.delay_ns)) < 0.95 * sum(|t| t.wall_ns)
}

/// Makes the parts in a construct that are not settled heavier by an amount, or lighter as far as that is possible.
/// Together they then have the given error. Returns the share of them that is the construct's own.
fn settle(
    e: &Estimator<'_>,
    parts: &mut Vec<Part>,
    settled: &mut Vec<Option<f64>>,
    at: usize,
    more: f64,
    error: f64,
) -> f64 {
    let inside =
        |p: &Part| std::iter::once(p.owner).chain(p.hosts.iter().copied()).any(|c| e.chain(c).any(|c| c == at));
    let places: Vec<usize> = (0..parts.len()).filter(|&i| settled[i].is_none() && inside(&parts[i])).collect();
    let has: f64 = places.iter().map(|&i| parts[i].sum.weight).sum();
    let own: f64 = places.iter().filter(|&&i| parts[i].owner == at).map(|&i| parts[i].sum.weight).sum();
    let wanted = (has + more).max(0.0);
    for i in places {
        parts[i].sum.weight *= if has > 0.0 { wanted / has } else { 1.0 };
        settled[i] = Some(error / wanted.max(1.0));
    }
    if has > 0.0 {
        return own / has;
    }
    if wanted > 0.0 {
        parts.push(Part { owner: at, calls: vec![], hosts: vec![], sum: Sum { count: 0.0, weight: wanted } });
        settled.push(Some(error / wanted));
    }
    1.0
}

/// Makes parts lighter that together have more time than the timers around them: in proportion to their variances, so
/// that an uncertain time takes nothing from certain ones. `has` is the time of each timer, by the position of its
/// construct.
pub(super) fn fit(parts: &mut [Part], variances: &[f64], charges: &[Vec<(usize, f64)>], has: &[f64]) {
    for _ in 0..ROUNDS {
        let mut sums = vec![(0.0, 0.0); has.len()];
        for ((part, &variance), charge) in parts.iter().zip(variances).zip(charges) {
            for &(to, share) in charge {
                sums[to].0 += part.sum.weight * share;
                sums[to].1 += if part.sum.weight > 0.0 { variance * share } else { 0.0 };
            }
        }
        let over = |to: usize| if sums[to].1 > 0.0 { (sums[to].0 - has[to]).max(0.0) / sums[to].1 } else { 0.0 };
        for ((part, &variance), charge) in parts.iter_mut().zip(variances).zip(charges) {
            let most = charge.iter().map(|c| over(c.0)).fold(0.0, f64::max);
            part.sum.weight = (part.sum.weight - most * variance).max(0.0);
        }
    }
}

fn disagreement(e: &Estimator<'_>, t: &Thinned, sampled: f64, joint: f64) -> String {
    let c = &e.constructs[t.at];
    let [timer, sampled, joint] = [t.ns, sampled, joint].map(|ns| ns / 1e9);
    let place = format!("{}:{}: {}", c.file, c.line, c.text);
    format!("{place}: the thinned timer says {timer:.3} s, samples {sampled:.3} s (+- {joint:.3} s)")
}
