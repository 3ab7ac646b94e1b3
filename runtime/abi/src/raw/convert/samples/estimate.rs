//! Times that rest on samples, in agreement with those of probes.
//!
//! A probe measures the exclusive time of a construct with everything in it that has no probe: inner loops,
//! conditionals, inlined code, leaf procedures called. Samples show the share of each of these, so their time comes out
//! of the time of the construct that a probe measured, and is never more than that: sums stay unchanged. Samples of a
//! called procedure do not show the caller; they are charged to its callers by the exact numbers of calls.
//!
//! The error is binomial: that of `n` samples of which a share `p` fell into the construct. The figures of a thinned
//! timer are first brought together with the samples of its construct ([`super::reconcile`]).

mod callers;
mod cycles;

use super::reconcile::{self, Reconciled, reconcile};
use super::{Part, Sum};
use crate::profile::{Construct, ConstructSamples, Profile, Time};
use crate::raw::convert::objects::{Found, Instance, OfCall, THINNED};
use std::collections::{HashMap, HashSet};

/// Probes and samples disagree if they differ by more than this number of standard errors.
const ERRORS: f64 = 4.0;
/// The most disagreements that are reported.
const MOST_NOTES: usize = 5;

/// A call that was not inlined.
struct Site {
    /// The position of the construct around it.
    within: usize,
    callee: usize,
    line: u32,
    calls: f64,
}

pub(super) struct Estimator<'a> {
    pub(super) constructs: &'a [Construct],
    parents: Vec<Option<usize>>,
    /// The constructs with a timer of their own, with the calls that they were inlined through: the calling procedure, and the line.
    instances: HashSet<(usize, Vec<(usize, u32)>)>,
    /// The inlined ones among them, with the innermost call alone: the calling procedure, and the line.
    copies: HashSet<(usize, usize, u32)>,
    /// The construct that stands for all constructs that are timed together; none if no probe measures it.
    timed: Vec<Option<usize>>,
    sites: Vec<Site>,
    /// The calls of each procedure, by their places among all.
    of_callee: HashMap<usize, Vec<usize>>,
    /// The calls of each procedure that were inlined.
    inlined: HashMap<usize, Vec<Site>>,
    /// The number of calls of each procedure that were not inlined.
    calls: HashMap<usize, f64>,
    /// A number for each construct that is the same in procedures that call each other.
    cycles: Vec<usize>,
    /// The calls by procedures on the same cycle. A procedure's time is not divided among these: they are a part of it.
    again: HashMap<usize, f64>,
    /// Memory of [`Estimator::callers`]; none while the callers of a procedure are being found.
    known: HashMap<usize, Option<Vec<(usize, f64)>>>,
}

/// Fills in times; returns the notes for the user. Code takes `stretch` times as long as its processor time.
pub(super) fn estimate(
    mut parts: Vec<Part>,
    total: Sum,
    stretch: f64,
    found: &Found,
    out: &mut Profile,
) -> Vec<String> {
    let n = out.constructs.len();
    let mut e = Estimator::new(found, &out.constructs);
    let Reconciled { errors, variances, mut notes } = reconcile(&e, &mut parts, total, stretch, found, &out.threads);
    let charges = e.charges(&parts);
    let (own, moved) = e.own_and_moved(&parts, &charges);
    notes.extend(disagreements(&e, &own, &moved, total, out));
    // A construct gives away at most the time that it has.
    let mut measured = vec![0.0; n];
    for (c, leader) in out.constructs.iter().zip(&e.timed) {
        // Constructs that are timed together divide the time among them.
        if let (Some(l), Some(t)) = (leader, c.time) {
            measured[*l] += t.exclusive_ns as f64;
        }
    }
    for (i, c) in out.constructs.iter().enumerate().filter(|(i, _)| e.timed[*i].is_none()) {
        measured[i] = c.time.map_or(0, |t| t.exclusive_ns) as f64;
    }
    if !variances.is_empty() {
        let of_others = |(p, c): (&Part, &Vec<(usize, f64)>)| {
            c.iter().copied().filter(|&(to, _)| !e.is_own(p, to)).collect::<Vec<_>>()
        };
        let of_others: Vec<_> = parts.iter().zip(&charges).map(of_others).collect();
        reconcile::fit(&mut parts, &variances, &of_others, &measured);
    }
    let parts = &parts[..];
    let moved = e.own_and_moved(parts, &charges).1;
    let has = |i: usize| measured[i];
    let fit: Vec<f64> = (0..n).map(|i| if moved[i].weight > has(i) { has(i) / moved[i].weight } else { 1.0 }).collect();
    let rest = |charge: &[(usize, f64)]| (1.0 - charge.iter().map(|c| c.1).sum::<f64>()).max(0.0);
    let loose = parts.iter().zip(&charges).map(|(p, c)| p.sum.weight * rest(c)).sum();
    let loose_fit = take_from_outside(loose, &mut out.unattributed_ns, out.threads.len());
    let mut sums = Sums::new(n);
    let mut shares = Vec::new();
    for (part, charge) in parts.iter().zip(&charges) {
        // The timer of the construct itself has that time already.
        let others = charge.iter().filter(|&&(to, _)| !e.is_own(part, to));
        let taken: f64 = others.map(|&(to, share)| share * fit[to]).sum::<f64>() + rest(charge) * loose_fit;
        let kept: f64 = charge.iter().filter(|&&(to, _)| e.is_own(part, to)).map(|c| c.1).sum();
        sums.add(part, taken, taken + kept);
        shares.push(taken.min(1.0));
    }
    let left = |i: usize| has(i) - moved[i].weight * fit[i];
    for i in (0..n).filter(|&i| e.timed[i].is_none() && e.is_partial(i)) {
        sums.own[i].weight += left(i);
    }
    let inclusive = e.inclusive(&sums);
    let (parents, timed, parted) = (e.parents.clone(), e.timed.clone(), e.parted());
    super::count(parts, &parents, &mut out.constructs);
    let sampled = super::within(parts, &parents, |i| shares[i]);
    let refused = fill(&sums, &inclusive, &parents, &timed, total, &errors, &mut out.constructs);
    // Time that does not fit into a construct stays with the timer that has measured it.
    let mut stays = vec![0.0; n];
    for (i, ns) in refused {
        if let Some(leader) = std::iter::successors(Some(i), |&c| parents[c]).find_map(|c| timed[c]) {
            stays[leader] += ns;
        }
    }
    // Samples of a called procedure do not show the call: the call gets the number of samples that have its time.
    let period = if total.count > 0.0 { total.weight / total.count } else { f64::INFINITY };
    for (i, c) in out.constructs.iter_mut().enumerate() {
        if let Some(t) = c.time.as_mut().filter(|t| t.estimated) {
            t.inclusive_error_ns = t.error_ns.max(error(sampled[i] + inclusive[i].1 / period, total));
        }
    }
    for (c, leader) in out.constructs.iter_mut().zip(&timed) {
        let Some(leader) = leader.filter(|&l| moved[l].weight > 0.0) else { continue };
        let gone = (moved[leader].weight * fit[leader] - stays[leader]).max(0.0);
        if let Some(t) = c.time.as_mut() {
            let share = if measured[leader] > 0.0 { t.exclusive_ns as f64 / measured[leader] } else { 0.0 };
            t.exclusive_ns = t.exclusive_ns.saturating_sub((gone * share).round() as u64);
            // The error of a thinned timer's time is also an error of the time that it leaves to others.
            let thinned = parts.iter().zip(&charges).filter(|(_, c)| c.iter().any(|c| c.0 == leader));
            let squares: f64 = thinned.filter_map(|(p, _)| errors.get(&p.owner)).map(|e| e * e).sum();
            t.error_ns = (error(moved[leader].count, total) as f64).hypot(squares.sqrt()).round() as u64;
        }
    }
    // If no sample fell on the parts of a construct that have no timer, these have less time than one sample shows.
    for (c, leader) in out.constructs.iter_mut().zip(&timed) {
        let is_whole = leader.is_none_or(|l| moved[l].weight > 0.0 || !parted.contains(&l));
        if let Some(t) = c.time.as_mut().filter(|_| !is_whole) {
            t.error_ns = t.error_ns.max(error(0.0, total).min(t.exclusive_ns));
        }
    }
    // A construct with reduced time has less time in other code, too.
    for c in &mut out.constructs {
        let (all, most) = (c.foreign.iter().map(|f| f.ns).sum::<u64>(), c.time.map_or(0, |t| t.exclusive_ns));
        if all > most && c.time.is_some_and(|t| t.estimated) {
            c.foreign.iter_mut().for_each(|f| f.ns = (f.ns as f64 / all as f64 * most as f64) as u64);
        }
    }
    // A timer that has missed a part of a procedure has missed a part of its calls, too.
    let estimated = |c: &&Construct| c.time.is_some_and(|t| t.estimated);
    let estimated: HashSet<u32> = out.constructs.iter().filter(estimated).map(|c| c.serial).collect();
    for edge in out.edges.iter_mut().filter(|e| estimated.contains(&e.callee)) {
        edge.inclusive_ns = None;
    }
    notes
}

/// Subtracts time in constructs that are called from outside of all probes from the time outside. Returns the part of
/// it that is available; for other threads that is not known.
fn take_from_outside(loose: f64, outside: &mut Option<u64>, threads: usize) -> f64 {
    let Some(outside) = outside.as_mut().filter(|_| loose > 0.0) else { return 1.0 };
    let taken = loose.min(*outside as f64);
    *outside -= taken.round() as u64;
    if threads > 1 { 1.0 } else { taken / loose }
}

/// The standard error of the time of `count` samples among all, which is a sample's time at least.
pub(super) fn error(count: f64, total: Sum) -> u64 {
    if total.count <= 0.0 {
        return 0;
    }
    let p = (count / total.count).clamp(0.0, 1.0);
    ((total.count * p * (1.0 - p)).max(1.0).sqrt() * total.weight / total.count).round() as u64
}

/// Samples by construct, as far as their time fits into the measured times of probes.
pub(super) struct Sums {
    own: Vec<Sum>,
    /// Samples of code that was inlined into the construct.
    hosted: Vec<f64>,
    /// Samples of the construct's own code where it was not inlined.
    in_place: Vec<f64>,
}

impl Sums {
    pub(super) fn new(n: usize) -> Sums {
        Sums { own: vec![Sum::default(); n], hosted: vec![0.0; n], in_place: vec![0.0; n] }
    }

    /// Adds a part. `taken` is the share taken from other constructs, `all` the share that is known.
    pub(super) fn add(&mut self, part: &Part, taken: f64, all: f64) {
        self.own[part.owner].count += part.sum.count;
        self.own[part.owner].weight += part.sum.weight * taken;
        part.hosts.iter().for_each(|&host| self.hosted[host] += part.sum.weight * all);
        if part.hosts.is_empty() {
            self.in_place[part.owner] += part.sum.weight * all;
        }
    }
}

/// The reason why a construct with timers in some of its copies has no others.
const PARTLY_INLINED: &str = "partly inlined";

/// Whether the timer of a construct has missed a part of it.
fn is_partial(c: &Construct) -> bool {
    c.untimed.as_deref().is_some_and(|why| matches!(why, "throttled" | PARTLY_INLINED) || why.starts_with(THINNED))
}

impl<'a> Estimator<'a> {
    fn new(found: &'a Found, constructs: &'a [Construct]) -> Estimator<'a> {
        let at: HashMap<u32, usize> = constructs.iter().enumerate().map(|(i, c)| (c.serial, i)).collect();
        let position = |serial: u32| at.get(&serial).copied();
        let parents = constructs.iter().enumerate();
        // A construct stands before those in it.
        let parents: Vec<Option<usize>> =
            parents.map(|(i, c)| c.parent.and_then(position).filter(|&p| p < i)).collect();
        let mut leaders: HashMap<u64, usize> = HashMap::new();
        let timed = constructs.iter().enumerate().map(|(i, c)| {
            let record = found.timers.get(&c.serial).filter(|_| c.time.is_some() && !is_partial(c))?;
            Some(*leaders.entry(*record).or_insert(i))
        });
        let timed = timed.collect();
        let mut instances = HashSet::new();
        // Instances in their own procedure have no calls.
        let of = |i: &'a Instance| {
            i.members.iter().enumerate().map(|(k, member)| (member, i.via.get(k).map_or(&[][..], Vec::as_slice)))
        };
        for (member, via) in found.instances.values().flat_map(of) {
            let via: Option<Vec<_>> = via.iter().map(|&(caller, line)| Some((position(caller)?, line))).collect();
            instances.extend(position(*member).zip(via));
        }
        let copies = instances.iter().filter_map(|(t, via)| via.first().map(|&(caller, line)| (*t, caller, line)));
        let copies = copies.collect();
        let mut calls: HashMap<usize, f64> = HashMap::new();
        let mut sites = Vec::new();
        let mut inlined: HashMap<usize, Vec<Site>> = HashMap::new();
        for OfCall { caller, symbol, line, calls, within, .. } in &found.calls {
            let Some(callee) = found.symbols.get(symbol).and_then(|&s| position(s)) else { continue };
            let file = position(*caller).map_or("", |c| constructs[c].file.as_str());
            let is_here =
                |site: &String| site.rsplit_once(':').is_some_and(|(f, l)| f == file && l == line.to_string());
            let is_inlined = constructs[callee].inlined_at.iter().any(is_here);
            let Some(within) = within.or(Some(*caller)).and_then(position).filter(|_| *calls > 0) else { continue };
            let site = Site { within, callee, line: *line, calls: *calls as f64 };
            if is_inlined { inlined.entry(callee).or_default().push(site) } else { sites.push(site) }
        }
        let mut of_callee: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, s) in sites.iter().enumerate() {
            *calls.entry(s.callee).or_default() += s.calls;
            of_callee.entry(s.callee).or_default().push(i);
        }
        for (&callee, n) in &mut calls {
            // Others may call, too.
            let all = constructs[callee].counts.invocations.unwrap_or(0) as f64;
            *n = n.max(all - inlined.get(&callee).map_or(0.0, |sites| sites.iter().map(|s| s.calls).sum()));
        }
        let (cycles, again) = recursion(&parents, &sites, &inlined);
        Estimator {
            constructs,
            parents,
            cycles,
            again,
            instances,
            copies,
            timed,
            sites,
            of_callee,
            inlined,
            calls,
            known: HashMap::new(),
        }
    }

    /// The construct and those around it.
    pub(super) fn chain(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(from), |&c| self.parents[c])
    }

    /// The places of the constructs in an order in which the constructs in a construct, and those called from it, come
    /// before it.
    pub(super) fn inner_first(&self) -> Vec<usize> {
        let n = self.constructs.len();
        let mut inside: Vec<Vec<usize>> = vec![Vec::new(); n];
        for (i, parent) in self.parents.iter().enumerate() {
            inside[parent.unwrap_or(i)].push(i);
        }
        self.sites.iter().for_each(|s| inside[s.within].push(s.callee));
        let (mut place, mut is_seen, mut next) = (vec![0; n], vec![false; n], 0);
        for start in 0..n {
            let mut open = if is_seen[start] { Vec::new() } else { vec![(start, 0)] };
            while let Some((c, k)) = open.last_mut() {
                is_seen[*c] = true;
                match inside[*c].get(*k) {
                    Some(&to) => {
                        *k += 1;
                        if !is_seen[to] {
                            open.push((to, 0));
                        }
                    }
                    None => {
                        place[*c] = next;
                        next += 1;
                        open.pop();
                    }
                }
            }
        }
        place
    }

    /// Whether the timer of `to` has the samples in the construct itself.
    fn is_own(&self, part: &Part, to: usize) -> bool {
        part.owner == to || self.timed[part.owner] == Some(to)
    }

    /// By construct: the samples in it that its timer has seen, and those in others.
    fn own_and_moved(&self, parts: &[Part], charges: &[Vec<(usize, f64)>]) -> (Vec<Sum>, Vec<Sum>) {
        let n = self.constructs.len();
        let (mut own, mut moved) = (vec![Sum::default(); n], vec![Sum::default(); n]);
        for (part, charge) in parts.iter().zip(charges) {
            for &(to, share) in charge {
                if self.is_own(part, to) { own[to].add(part.sum, share) } else { moved[to].add(part.sum, share) }
            }
        }
        (own, moved)
    }

    /// Whether the timer of a construct has missed a part of it.
    fn is_partial(&self, c: usize) -> bool {
        self.constructs[c].time.is_some() && is_partial(&self.constructs[c])
    }

    /// The constructs whose probes have measured each part: constructs and shares. A timer that has missed a part of
    /// its construct has measured only the time that it shows, and the timers around it the rest.
    fn charges(&mut self, parts: &[Part]) -> Vec<Vec<(usize, f64)>> {
        let mut below: HashMap<usize, f64> = HashMap::new();
        for p in parts {
            if let Some(c) = self.partial_timer(p) {
                *below.entry(c).or_default() += p.sum.weight;
            }
        }
        let mut out = Vec::new();
        for p in parts {
            let mut charge = self.charge(p);
            if let Some(c) = self.partial_timer(p) {
                let seen = self.constructs[c].time.map_or(0, |t| t.exclusive_ns) as f64;
                // A timer that stands in some of the copies has measured all of those.
                let is_whole = self.constructs[c].untimed.as_deref() == Some(PARTLY_INLINED);
                let share = if is_whole { 1.0 } else { (seen / below[&c].max(1.0)).min(1.0) };
                charge.iter_mut().for_each(|(_, s)| *s *= 1.0 - share);
                charge.push((c, share));
            }
            out.push(charge);
        }
        out
    }

    /// The construct whose timer has measured a part of itself, and stands around this code with no better one between.
    fn partial_timer(&self, part: &Part) -> Option<usize> {
        let procedure = |&(c, line): &(usize, u32)| (self.chain(c).last().unwrap_or(c), line);
        let via: Vec<(usize, u32)> = part.calls.iter().map(procedure).collect();
        let mut place = part.owner;
        for level in 0..=via.len() {
            let via = &via[level..];
            for c in self.chain(place) {
                if self.timed[c].is_some() {
                    return None;
                }
                if self.is_partial(c) && self.instances.contains(&(c, via.to_vec())) {
                    return Some(c);
                }
            }
            place = part.calls.get(level)?.0;
        }
        None
    }

    /// The part of a procedure's inclusive time that belongs to the calls at a place.
    fn share(&self, site: &Site) -> f64 {
        let all = self.calls.get(&site.callee).copied().unwrap_or(site.calls);
        let is_again = self.cycles[site.within] == self.cycles[site.callee];
        let again = if is_again { 0.0 } else { self.again.get(&site.callee).copied().unwrap_or(0.0) };
        site.calls / (all - again).max(site.calls).max(1.0)
    }

    fn charge(&mut self, part: &Part) -> Vec<(usize, f64)> {
        let mut places = std::iter::once(part.owner).chain(part.hosts.iter().copied());
        if let Some(to) = places.find_map(|p| self.measuring(p)) {
            return vec![(to, 1.0)];
        }
        let last = self.chain(part.hosts.last().copied().unwrap_or(part.owner)).last();
        last.and_then(|procedure| self.callers(procedure)).unwrap_or_default()
    }

    /// The measured constructs that contain foreign code without a timer: inner constructs, inlined procedures,
    /// procedures called.
    fn parted(&self) -> HashSet<usize> {
        let n = self.constructs.len();
        let inner = (0..n).filter(|&i| {
            let counts = &self.constructs[i].counts;
            counts.invocations.or(counts.evaluations).is_some_and(|n| n > 0)
        });
        let calls = self.sites.iter().chain(self.inlined.values().flatten());
        let calls = calls.filter(|s| self.constructs[s.callee].kind == "procedure").map(|s| (s.callee, s.within));
        let all = inner.filter_map(|i| Some((i, self.parents[i]?))).chain(calls);
        all.filter(|&(i, _)| self.timed[i].is_none()).filter_map(|(_, within)| self.measuring(within)).collect()
    }

    /// The innermost construct around `c` that a probe measures.
    pub(super) fn measuring(&self, c: usize) -> Option<usize> {
        self.chain(c).find_map(|c| self.timed[c])
    }

    /// For each construct, the inclusive time by samples and the part of it in procedures called: its own, that of the
    /// constructs in it (by probes where they have one), of inlined code, and of calls.
    pub(super) fn inclusive(&self, sums: &Sums) -> Vec<(f64, f64)> {
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

/// For each construct a number that is the same in procedures that call each other, and for each procedure the number
/// of calls by those.
fn recursion(
    parents: &[Option<usize>],
    sites: &[Site],
    inlined: &HashMap<usize, Vec<Site>>,
) -> (Vec<usize>, HashMap<usize, f64>) {
    let mut procedures: Vec<usize> = Vec::with_capacity(parents.len());
    for (i, parent) in parents.iter().enumerate() {
        procedures.push(parent.map_or(i, |p| procedures[p]));
    }
    let all = sites.iter().chain(inlined.values().flatten());
    let edges: Vec<(usize, usize)> = all.map(|s| (procedures[s.within], s.callee)).collect();
    let of_procedures = cycles::cycles(parents.len(), &edges);
    let cycles: Vec<usize> = procedures.iter().map(|&p| of_procedures[p]).collect();
    let mut again: HashMap<usize, f64> = HashMap::new();
    for s in sites.iter().filter(|s| cycles[s.within] == cycles[s.callee]) {
        *again.entry(s.callee).or_default() += s.calls;
    }
    (cycles, again)
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
    /// Inclusive time and the part of it in procedures called. `open` marks constructs whose computation has begun.
    fn total(&self, c: usize, of: &mut Vec<Option<(f64, f64)>>, open: &mut Vec<bool>, depth: usize) -> (f64, f64) {
        if let Some(known) = of[c] {
            return known;
        }
        if open[c] || depth > DEEPEST {
            return (0.0, 0.0);
        }
        open[c] = true;
        let (mut all, mut called) = (self.sums.own[c].weight + self.sums.hosted[c], 0.0);
        for &child in &self.children[c] {
            match (self.e.timed[child], self.e.constructs[child].time) {
                (Some(_), Some(t)) => all += t.inclusive_ns as f64,
                _ => {
                    let (inner, calls) = self.total(child, of, open, depth + 1);
                    (all, called) = (all + inner, called + calls);
                }
            }
        }
        for s in self.calls.get(&c).into_iter().flatten() {
            let share = self.e.share(s);
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

/// Gives times to constructs that no probe has measured, or that a probe has not always measured. Timers that stand for several
/// constructs divide their time by operations, and samples may show more in one of these: no construct gets more than the one
/// around it has, and the rest is returned, by construct.
fn fill(
    sums: &Sums,
    inclusive: &[(f64, f64)],
    parents: &[Option<usize>],
    timed: &[Option<usize>],
    total: Sum,
    errors: &HashMap<usize, f64>,
    constructs: &mut [Construct],
) -> Vec<(usize, f64)> {
    let mut refused = Vec::new();
    for i in 0..constructs.len() {
        let is_off = matches!(constructs[i].untimed.as_deref(), Some("filtered" | "paused"));
        let is_wanted = timed[i].is_none() && !is_off;
        let (all, called) = inclusive[i];
        // A timer that stands in some of the copies may have given away all that it has seen.
        if !is_wanted || (all < 0.5 && !is_partial(&constructs[i])) {
            continue;
        }
        let around = parents[i].and_then(|p| constructs[p].time).map_or(u64::MAX, |t| t.inclusive_ns);
        let own = sums.own[i].weight.max(0.0).round() as u64;
        let exclusive_ns = own.min(around);
        if own > around {
            refused.push((i, (own - around) as f64));
        }
        let c = &mut constructs[i];
        // The times of constructs in one whose timer was stopped may be larger.
        let is_all = c.time.is_some_and(|t| all <= t.inclusive_ns as f64);
        if is_all && sums.own[i].count == 0.0 && c.samples.is_none() && !errors.contains_key(&i) {
            // Its timer has missed less than a sample shows. It keeps the time that it does not give to called procedures.
            let is_partial = is_partial(c);
            if let Some(t) = c.time.as_mut() {
                let left = if is_partial { exclusive_ns } else { t.exclusive_ns };
                (t.estimated, t.error_ns) = (true, error(0.0, total));
                t.exclusive_ns = t.exclusive_ns.min(left);
            }
            continue;
        }
        // A timer that has missed a part has seen at least this time.
        let seen = c.time.map_or(0, |t| t.inclusive_ns);
        let inclusive_ns = (all.round() as u64).max(seen).min(around).max(exclusive_ns);
        let error_ns = errors.get(&i).map_or_else(|| error(sums.own[i].count, total), |e| e.round() as u64);
        c.time = Some(Time { inclusive_ns, exclusive_ns, estimated: true, error_ns, ..Time::default() });
        if called >= 0.5 {
            c.samples.get_or_insert(ConstructSamples::default()).called_ns = called.round() as u64;
        }
    }
    refused
}

/// A line for each construct whose probe and samples differ by more than their errors. Samples count processor time,
/// probes elapsed time: if the two differ for the whole run, only too many samples show an error.
fn disagreements(e: &Estimator<'_>, own: &[Sum], moved: &[Sum], total: Sum, out: &Profile) -> Vec<String> {
    let (wall, cpu) = out.threads.iter().fold((0.0, 0.0), |(w, c), t| (w + t.wall_ns as f64, c + t.cpu_ns as f64));
    let waits = cpu < 0.95 * wall;
    let period = total.weight / total.count;
    let mut found: Vec<(f64, String)> = Vec::new();
    for (i, c) in out.constructs.iter().enumerate().filter(|(i, _)| e.timed[*i] == Some(*i)) {
        let own_share = |(_, t): &(&Construct, &Option<usize>)| **t == Some(i);
        let together = out.constructs.iter().zip(&e.timed).filter(own_share);
        let probe = together.filter_map(|(c, _)| c.time).map(|t| t.exclusive_ns).sum::<u64>() as f64;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// All that the timer of one copy of a loop has measured was in a procedure that the loop calls.
    #[test]
    fn time_that_was_given_away_is_nobody_elses() {
        let time = |ns| Some(Time { inclusive_ns: ns, exclusive_ns: ns, ..Time::default() });
        let untimed = Some(PARTLY_INLINED.to_owned());
        let mut all = [Construct { serial: 1, time: time(100), untimed, ..Construct::default() }];
        let total = Sum { count: 1.0, weight: 1000.0 };
        fill(&Sums::new(1), &[(0.0, 0.0)], &[None], &[None], total, &HashMap::new(), &mut all);
        let t = all[0].time.unwrap();
        assert_eq!((t.inclusive_ns, t.exclusive_ns, t.estimated), (100, 0, true));
    }

    /// Samples show more time in a loop than its procedure has of the timer that stands for several.
    #[test]
    fn no_construct_has_more_time_than_the_one_around_it() {
        let time = |ns| Some(Time { inclusive_ns: ns, exclusive_ns: ns, ..Time::default() });
        let mut all = [Construct { serial: 1, time: time(100), ..Construct::default() }, Construct::default()];
        let mut sums = Sums::new(2);
        sums.own[1] = Sum { count: 1.0, weight: 130.0 };
        let total = Sum { count: 1.0, weight: 1000.0 };
        let parents = [None, Some(0)];
        let inclusive = [(230.0, 0.0), (130.0, 0.0)];
        let refused = fill(&sums, &inclusive, &parents, &[Some(0), None], total, &HashMap::new(), &mut all);
        let t = all[1].time.unwrap();
        assert_eq!((t.inclusive_ns, t.exclusive_ns, refused), (100, 100, vec![(1, 30.0)]));
    }
}
