//! Times that rest on samples, in agreement with those of probes.
//!
//! A probe measures the exclusive time of a construct with everything in it that has no probe: inner loops, conditionals,
//! inlined code, leaf procedures called. Samples say how much of it each of these takes, so their time comes out of that of
//! the construct that a probe measured, and is never more than it had: sums stay what they were. Samples of a procedure that
//! is called do not say from where; they are charged to its callers by the exact numbers of calls.
//!
//! The error is binomial: that of `n` samples of which a share `p` fell into the construct.

use super::{Part, Sum};
use crate::profile::{Construct, ConstructSamples, Profile, Time};
use crate::raw::convert::objects::{Found, OfCall};
use std::collections::{HashMap, HashSet};

/// Probes and samples are said to disagree if they differ by more than so many standard errors.
const ERRORS: f64 = 4.0;
/// At most so many disagreements are told.
const MOST_NOTES: usize = 5;

/// A call that was not inlined.
struct Site {
    /// The position of the construct around it.
    within: usize,
    callee: usize,
    calls: f64,
}

struct Estimator<'a> {
    constructs: &'a [Construct],
    parents: Vec<Option<usize>>,
    /// Which construct stands for all that are timed together; none if no probe measures it.
    timed: Vec<Option<usize>>,
    sites: Vec<Site>,
    /// The calls of each procedure, by their places among all.
    of_callee: HashMap<usize, Vec<usize>>,
    /// How often each procedure is called otherwise than inlined.
    calls: HashMap<usize, f64>,
    /// Memory of [`Estimator::callers`].
    known: HashMap<usize, Vec<(usize, f64)>>,
}

/// Fills in times; returns what is to be told.
pub(super) fn estimate(parts: &[Part], total: Sum, found: &Found, out: &mut Profile) -> Vec<String> {
    let mut e = Estimator::new(found, &out.constructs);
    let charges: Vec<Vec<(usize, f64)>> = parts.iter().map(|p| e.charge(p)).collect();
    let (mut own, mut moved) = (vec![Sum::default(); out.constructs.len()], vec![Sum::default(); out.constructs.len()]);
    for (part, charge) in parts.iter().zip(&charges) {
        for &(to, share) in charge {
            if e.timed[part.owner] == Some(to) { own[to].add(part.sum, share) } else { moved[to].add(part.sum, share) }
        }
    }
    let notes = disagreements(&e, &own, &moved, total, out);
    // What a construct gives away is at most what it has.
    let fit: Vec<f64> = (0..out.constructs.len())
        .map(|i| {
            let has = out.constructs[i].time.map_or(0, |t| t.exclusive_ns) as f64;
            if moved[i].weight > has { has / moved[i].weight } else { 1.0 }
        })
        .collect();
    let mut sums = Sums::new(out.constructs.len());
    for (part, charge) in parts.iter().zip(&charges) {
        let known: f64 = charge.iter().map(|c| c.1).sum();
        let factor = charge.iter().map(|&(to, share)| share * fit[to]).sum::<f64>() + (1.0 - known).max(0.0);
        sums.add(part, factor);
    }
    let inclusive = e.inclusive(&sums);
    let parents = e.parents.clone();
    let timed = e.timed.clone();
    super::count(parts, &parents, &mut out.constructs);
    fill(&sums, &inclusive, &parents, &timed, total, &mut out.constructs);
    for (c, leader) in out.constructs.iter_mut().zip(&timed) {
        let Some(leader) = leader.filter(|&l| moved[l].weight > 0.0) else { continue };
        let gone = moved[leader].weight * fit[leader];
        if let Some(t) = c.time.as_mut().filter(|t| !t.estimated) {
            t.exclusive_ns = t.exclusive_ns.saturating_sub(gone.round() as u64);
            t.error_ns = error(moved[leader].count, total);
        }
    }
    // A timer that has missed a part of a procedure has missed it of its calls, too.
    let estimated = |c: &&Construct| c.time.is_some_and(|t| t.estimated);
    let estimated: HashSet<u32> = out.constructs.iter().filter(estimated).map(|c| c.serial).collect();
    for edge in out.edges.iter_mut().filter(|e| estimated.contains(&e.callee)) {
        edge.inclusive_ns = None;
    }
    notes
}

/// The standard error of the time of `count` samples among all, which is a sample's time at least.
fn error(count: f64, total: Sum) -> u64 {
    let p = (count / total.count).clamp(0.0, 1.0);
    ((total.count * p * (1.0 - p)).max(1.0).sqrt() * total.weight / total.count).round() as u64
}

/// Samples by construct, as far as their time fits into what probes measured.
struct Sums {
    own: Vec<Sum>,
    /// Of code that was inlined into the construct.
    hosted: Vec<f64>,
    /// Of the construct's own code where it was not inlined.
    in_place: Vec<f64>,
}

impl Sums {
    fn new(n: usize) -> Sums {
        Sums { own: vec![Sum::default(); n], hosted: vec![0.0; n], in_place: vec![0.0; n] }
    }

    fn add(&mut self, part: &Part, factor: f64) {
        self.own[part.owner].count += part.sum.count;
        self.own[part.owner].weight += part.sum.weight * factor;
        match part.host {
            Some(host) => self.hosted[host] += part.sum.weight * factor,
            None => self.in_place[part.owner] += part.sum.weight * factor,
        }
    }
}

/// Whether the timer of a construct has missed a part of it.
fn is_partial(c: &Construct) -> bool {
    matches!(c.untimed.as_deref(), Some("throttled" | "partly inlined"))
}

impl<'a> Estimator<'a> {
    fn new(found: &Found, constructs: &'a [Construct]) -> Estimator<'a> {
        let at: HashMap<u32, usize> = constructs.iter().enumerate().map(|(i, c)| (c.serial, i)).collect();
        let position = |serial: u32| at.get(&serial).copied();
        let parents = constructs.iter().enumerate();
        // A construct stands before those in it.
        let parents = parents.map(|(i, c)| c.parent.and_then(position).filter(|&p| p < i)).collect();
        let mut leaders: HashMap<u64, usize> = HashMap::new();
        let timed = constructs.iter().enumerate().map(|(i, c)| {
            let record = found.timers.get(&c.serial).filter(|_| c.time.is_some() && !is_partial(c))?;
            Some(*leaders.entry(*record).or_insert(i))
        });
        let timed = timed.collect();
        let mut calls: HashMap<usize, f64> = HashMap::new();
        let mut sites = Vec::new();
        let mut inlined: HashMap<usize, u64> = HashMap::new();
        for OfCall { caller, symbol, line, calls, within, .. } in &found.calls {
            let Some(callee) = found.symbols.get(symbol).and_then(|&s| position(s)) else { continue };
            let file = position(*caller).map_or("", |c| constructs[c].file.as_str());
            let is_here =
                |site: &String| site.rsplit_once(':').is_some_and(|(f, l)| f == file && l == line.to_string());
            if constructs[callee].inlined_at.iter().any(is_here) {
                *inlined.entry(callee).or_default() += calls;
            } else if let Some(within) = within.or(Some(*caller)).and_then(position).filter(|_| *calls > 0) {
                sites.push(Site { within, callee, calls: *calls as f64 });
            }
        }
        let mut of_callee: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, s) in sites.iter().enumerate() {
            *calls.entry(s.callee).or_default() += s.calls;
            of_callee.entry(s.callee).or_default().push(i);
        }
        for (&callee, n) in &mut calls {
            // Others may call, too.
            let all = constructs[callee].counts.invocations.unwrap_or(0);
            *n = n.max(all.saturating_sub(inlined.get(&callee).copied().unwrap_or(0)) as f64);
        }
        Estimator { constructs, parents, timed, sites, of_callee, calls, known: HashMap::new() }
    }

    fn chain(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(from), |&c| self.parents[c])
    }

    /// Whose probe has measured a sample: constructs and shares.
    fn charge(&mut self, part: &Part) -> Vec<(usize, f64)> {
        let places = [Some(part.owner), part.host];
        if let Some(to) = places.into_iter().flatten().find_map(|p| self.measuring(p)) {
            return vec![(to, 1.0)];
        }
        let last = self.chain(part.host.unwrap_or(part.owner)).last();
        last.map_or_else(Vec::new, |procedure| self.callers(procedure, 0))
    }

    /// The innermost construct around `c` that a probe measures.
    fn measuring(&self, c: usize) -> Option<usize> {
        self.chain(c).find_map(|c| self.timed[c])
    }

    /// The measured constructs that a procedure without a probe is called from, with the shares of its calls.
    fn callers(&mut self, procedure: usize, depth: usize) -> Vec<(usize, f64)> {
        if let Some(known) = self.known.get(&procedure) {
            return known.clone();
        }
        // What is found on the way to itself is not counted.
        self.known.insert(procedure, Vec::new());
        let all = self.calls.get(&procedure).copied().unwrap_or(0.0);
        let sites = self.of_callee.get(&procedure).into_iter().flatten().map(|&i| &self.sites[i]);
        let sites: Vec<(usize, f64)> = sites.map(|s| (s.within, s.calls / all)).collect();
        let mut out: HashMap<usize, f64> = HashMap::new();
        for (within, share) in sites {
            if let Some(to) = self.measuring(within) {
                *out.entry(to).or_default() += share;
            } else if let Some(caller) = self.chain(within).last().filter(|_| depth < 100) {
                for (to, part) in self.callers(caller, depth + 1) {
                    *out.entry(to).or_default() += share * part;
                }
            }
        }
        let mut out: Vec<(usize, f64)> = out.into_iter().collect();
        out.sort_unstable_by_key(|o| o.0);
        self.known.insert(procedure, out.clone());
        out
    }

    /// For each construct, the inclusive time by samples and the part of it in procedures called: its own, that of the
    /// constructs in it (by probes where they have one), of inlined code, and of calls.
    fn inclusive(&self, sums: &Sums) -> Vec<(f64, f64)> {
        let mut of: Vec<Option<(f64, f64)>> = vec![None; self.constructs.len()];
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.constructs.len()];
        for (i, parent) in self.parents.iter().enumerate() {
            if let Some(p) = parent {
                children[*p].push(i);
            }
        }
        let mut calls: HashMap<usize, Vec<&Site>> = HashMap::new();
        for s in &self.sites {
            calls.entry(s.within).or_default().push(s);
        }
        let walk = Walk { e: self, sums, children: &children, calls: &calls };
        let mut open = vec![false; self.constructs.len()];
        for i in 0..self.constructs.len() {
            walk.total(i, &mut of, &mut open, 0);
        }
        of.into_iter().map(Option::unwrap_or_default).collect()
    }
}

struct Walk<'a> {
    e: &'a Estimator<'a>,
    sums: &'a Sums,
    children: &'a [Vec<usize>],
    calls: &'a HashMap<usize, Vec<&'a Site>>,
}

/// Deeper nests and chains of calls are not followed.
const DEEPEST: usize = 200;

impl Walk<'_> {
    /// Inclusive time and the part of it in procedures called. `open` marks what is being computed.
    fn total(&self, c: usize, of: &mut Vec<Option<(f64, f64)>>, open: &mut Vec<bool>, depth: usize) -> (f64, f64) {
        if let Some(known) = of[c] {
            return known;
        }
        if open[c] || depth > DEEPEST {
            return (0.0, 0.0);
        }
        open[c] = true;
        let (mut all, mut called) = (self.sums.own[c].weight + self.sums.hosted[c], 0.0);
        let mut groups: Vec<usize> = Vec::new();
        for &child in &self.children[c] {
            match (self.e.timed[child], self.e.constructs[child].time) {
                (Some(leader), Some(t)) => {
                    if !groups.contains(&leader) {
                        groups.push(leader);
                        all += t.inclusive_ns as f64;
                    }
                }
                _ => {
                    let (inner, calls) = self.total(child, of, open, depth + 1);
                    (all, called) = (all + inner, called + calls);
                }
            }
        }
        for s in self.calls.get(&c).into_iter().flatten() {
            let share = s.calls / self.e.calls.get(&s.callee).copied().unwrap_or(s.calls).max(1.0);
            let time = match (self.e.timed[s.callee], self.e.constructs[s.callee].time) {
                (Some(_), Some(t)) => t.inclusive_ns as f64,
                _ => self.total(s.callee, of, open, depth + 1).0 * self.in_place(s.callee),
            };
            (all, called) = (all + time * share, called + time * share);
        }
        open[c] = false;
        of[c] = Some((all, called));
        (all, called)
    }

    /// The share of a procedure's time in its own code, not where it was inlined.
    fn in_place(&self, procedure: usize) -> f64 {
        let (mut here, mut all) = (0.0, 0.0);
        let mut list = vec![procedure];
        while let Some(c) = list.pop() {
            (here, all) = (here + self.sums.in_place[c], all + self.sums.own[c].weight);
            list.extend(&self.children[c]);
        }
        if all > 0.0 { here / all } else { 1.0 }
    }
}

/// Gives times to constructs that no probe has measured, or not always.
fn fill(
    sums: &Sums,
    inclusive: &[(f64, f64)],
    parents: &[Option<usize>],
    timed: &[Option<usize>],
    total: Sum,
    constructs: &mut [Construct],
) {
    for i in 0..constructs.len() {
        let is_wanted = timed[i].is_none() && constructs[i].untimed.as_deref() != Some("filtered");
        let (all, called) = inclusive[i];
        if !is_wanted || all < 0.5 {
            continue;
        }
        let around = parents[i].and_then(|p| constructs[p].time).map_or(u64::MAX, |t| t.inclusive_ns);
        let c = &mut constructs[i];
        // A timer that has missed a part of it has seen so much at least.
        let seen = c.time.filter(|_| is_partial(c)).unwrap_or_default();
        let inclusive_ns = (all.round() as u64).max(seen.inclusive_ns).min(around);
        let exclusive_ns = (sums.own[i].weight.round() as u64).max(seen.exclusive_ns).min(inclusive_ns);
        let error_ns = error(sums.own[i].count, total);
        c.time = Some(Time { inclusive_ns, exclusive_ns, estimated: true, error_ns });
        if called >= 0.5 {
            c.samples.get_or_insert(ConstructSamples::default()).called_ns = called.round() as u64;
        }
    }
}

/// A line for each construct whose probe and samples differ by more than their errors. Samples count processor time, probes
/// elapsed time: where the two part for the whole run, only too many samples say that something is wrong.
fn disagreements(e: &Estimator<'_>, own: &[Sum], moved: &[Sum], total: Sum, out: &Profile) -> Vec<String> {
    let (wall, cpu) = out.threads.iter().fold((0.0, 0.0), |(w, c), t| (w + t.wall_ns as f64, c + t.cpu_ns as f64));
    let waits = cpu < 0.95 * wall;
    let period = total.weight / total.count;
    let mut found: Vec<(f64, String)> = Vec::new();
    for (i, c) in out.constructs.iter().enumerate().filter(|(i, _)| e.timed[*i] == Some(*i)) {
        let probe = c.time.map_or(0, |t| t.exclusive_ns) as f64;
        let sampled = own[i].weight + moved[i].weight;
        // The chance that is expected by the probe's figure, and a tick at either end.
        let p = (probe / total.weight).clamp(0.0, 1.0);
        let error = (total.count * p * (1.0 - p)).sqrt().max(1.0) * period;
        let apart = (sampled - probe).abs();
        let is_told = apart > ERRORS * error + 2.0 * period && apart > 0.02 * total.weight;
        if is_told && !(waits && sampled < probe) {
            let [probe, sampled, error] = [probe, sampled, error].map(|ns| ns / 1e9);
            let more = format!("timers say {probe:.3} s, samples {sampled:.3} s (+- {error:.3} s)");
            found.push((apart, format!("{}:{}: {}: {more}", c.file, c.line, c.text)));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().take(MOST_NOTES).map(|f| f.1).collect()
}
