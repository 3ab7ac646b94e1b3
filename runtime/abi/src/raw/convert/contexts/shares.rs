//! Times and calls of constructs without a context of their own.
//!
//! The time of an inner loop, a leaf procedure or an inlined one rests on samples, which do not show the caller. It
//! came out of the time of the constructs around it or of its callers. So in the tree it stands below the nodes of
//! these: a construct below those of the construct around it, a procedure below its counted calls. Each node gets as
//! much as the nodes above have given away; [`fitted`] brings that into agreement with the time of the construct.

use super::source::{Counted, Source};
use super::{Node, Tree};
use crate::raw::convert::samples::{ByCalls, Calls};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Larger trees get no further nodes.
const MOST_NODES: usize = 60_000;
/// A procedure that would stand at more places than these stands at one of its own.
const MOST_PARTS: usize = 20_000;
/// Longer chains of procedures without contexts are not followed.
const DEEPEST: usize = 200;
/// Times are alike up to this factor; time missed by a timer is more.
const ALIKE: f64 = 1.01;
/// Rounds of [`fitted`]; in observed cases each more than halves the disagreement.
const ROUNDS: usize = 12;

/// Longer chains of procedures without contexts have less exact shares of their calls.
const CHAIN: usize = 4;

/// A node, and its shares of the time and of the calls of its construct.
#[derive(Clone, Copy)]
struct Part {
    node: usize,
    time: f64,
    calls: f64,
    /// Whether a timer has measured the construct there, or one around it in its procedure.
    is_kept: bool,
}

/// The time of a construct at a node, taken from a node that a timer has measured.
struct Entry {
    construct: usize,
    node: usize,
    from: Option<usize>,
    ns: f64,
}

/// Adds nodes for constructs without one, and makes the times of all nodes those of their constructs.
pub(super) fn share(tree: &mut Tree, source: &Source<'_>, by_calls: &ByCalls) {
    let mut sharer = Sharer::new(tree, source);
    let mut wanted: Vec<Entry> = Vec::new();
    let mut parted: HashSet<usize> = HashSet::new();
    for (c, construct) in source.constructs.iter().enumerate() {
        let is_called = source.is_procedure(c) && construct.counts.invocations.is_some_and(|n| n > 0);
        let surplus = sharer.surplus(c);
        if !is_called && surplus == 0.0 {
            continue;
        }
        let mut parts = sharer.parts(c);
        parts.retain(|p| !p.is_kept || !sharer.own.contains_key(&c));
        if let Some(sampled) = by_calls.get(&c) {
            weigh(&mut parts, sampled, sharer.tree, source);
        }
        let all: f64 = parts.iter().map(|p| p.time).sum();
        if surplus > 0.0 && all > 0.0 {
            parted.insert(c);
            let entry = |p: Part| Entry { construct: c, node: p.node, from: None, ns: surplus * p.time / all };
            wanted.extend(parts.into_iter().map(entry));
        }
    }
    let own = sharer.own;
    let added = fitted(wanted, tree, source, &own);
    for n in &mut tree.nodes {
        let all = own.get(&n.construct).copied().unwrap_or(0.0);
        if all > 0.0 && source.constructs[n.construct].time.is_some() && !parted.contains(&n.construct) {
            let factor = source.own(n.construct) / all;
            // A timer that was switched off later has seen a part only.
            n.estimated |= factor > ALIKE;
            n.own *= factor;
            n.shared.iter_mut().for_each(|s| s.1 *= factor);
        }
    }
    let mut times: HashMap<(usize, Option<usize>), usize> = HashMap::new();
    for e in added {
        let node = &mut tree.nodes[e.node];
        node.own += e.ns;
        node.estimated = true;
        // Samples in copies tell these apart.
        if !by_calls.contains_key(&e.construct) {
            let next = tree.shared + times.len();
            node.shared.push((*times.entry((e.construct, e.from)).or_insert(next), e.ns));
        }
    }
    tree.shared += times.len();
    calls(tree, source);
}

/// Shares the time of a construct out among its nodes by the samples in its copies. These are few: calls have the weight of one sample.
fn weigh(parts: &mut [Part], sampled: &[(Calls, f64)], tree: &Tree, source: &Source<'_>) {
    let all: f64 = parts.iter().map(|p| p.time).sum();
    let samples: f64 = sampled.iter().map(|s| s.1).sum();
    if all <= 0.0 || samples <= 0.0 {
        return;
    }
    let lines: Vec<Vec<(usize, u32)>> = sampled
        .iter()
        .map(|(calls, _)| calls.iter().map(|&(within, line)| (source.procedure_of(within), line)).collect())
        .collect();
    let copy_of = |p: &Part| {
        let calls = calls_to(p.node, tree, source);
        let fits = |k: &usize| calls.starts_with(&lines[*k]);
        (0..lines.len()).filter(fits).max_by_key(|&k| lines[k].len())
    };
    let copies: Vec<Option<usize>> = parts.iter().map(copy_of).collect();
    let mut of_copy = vec![0.0; sampled.len()];
    for (p, copy) in parts.iter().zip(&copies) {
        copy.iter().for_each(|&k| of_copy[k] += p.time);
    }
    for (p, copy) in parts.iter_mut().zip(&copies) {
        let found = copy.filter(|&k| of_copy[k] > 0.0).map_or(0.0, |k| sampled[k].1 * p.time / of_copy[k]);
        p.time = found + p.time / all;
    }
}

/// The calls that lead to a node, from the innermost: the calling procedure, and the line.
fn calls_to(node: usize, tree: &Tree, source: &Source<'_>) -> Vec<(usize, u32)> {
    let procedures = tree.outwards(node).map(|n| &tree.nodes[n]).filter(|n| source.is_procedure(n.construct));
    let procedures: Vec<(usize, u32)> = procedures.map(|n| (n.construct, n.line)).collect();
    procedures.windows(2).map(|w| (w[1].0, w[0].1)).collect()
}

struct Sharer<'a> {
    tree: &'a mut Tree,
    source: &'a Source<'a>,
    /// Time of each construct in nodes that a timer has measured, if it has any.
    own: HashMap<usize, f64>,
    /// These nodes.
    nodes: HashMap<usize, Vec<usize>>,
    /// The number of calls of such nodes of procedures, by caller, callee and line.
    sites: HashMap<Key, f64>,
    /// None while the nodes of a construct are being found.
    known: HashMap<usize, Option<Vec<Part>>>,
    /// The number of constructs whose nodes are being found.
    depth: usize,
}

impl<'a> Sharer<'a> {
    fn new(tree: &'a mut Tree, source: &'a Source<'a>) -> Sharer<'a> {
        let mut own: HashMap<usize, f64> = HashMap::new();
        let mut nodes: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut sites: HashMap<Key, f64> = HashMap::new();
        for (i, n) in tree.nodes.iter().enumerate().filter(|(_, n)| n.is_timed || n.recursive) {
            if n.is_timed {
                *own.entry(n.construct).or_default() += n.own;
                nodes.entry(n.construct).or_default().push(i);
            }
            let mut around = tree.outwards(i).skip(1).map(|n| tree.nodes[n].construct);
            if let Some(caller) = around.find(|&c| source.is_procedure(c)).filter(|_| source.is_procedure(n.construct))
            {
                *sites.entry((caller, n.construct, n.line)).or_default() += n.calls;
            }
        }
        own.retain(|_, ns| *ns > 0.0);
        Sharer { tree, source, own, nodes, sites, known: HashMap::new(), depth: 0 }
    }

    /// The time of a construct that no timer has measured.
    fn surplus(&self, c: usize) -> f64 {
        let time = self.source.own(c);
        match self.own.get(&c) {
            None => time,
            Some(own) if time > own * ALIKE => time - own,
            Some(_) => 0.0,
        }
    }

    /// The nodes of a construct; for a conditional without a time, the nodes of the construct around it.
    fn parts(&mut self, c: usize) -> Vec<Part> {
        if let Some(known) = self.known.get(&c) {
            return known.clone().unwrap_or_default();
        }
        if self.depth > DEEPEST {
            return Vec::new();
        }
        self.known.insert(c, None);
        self.depth += 1;
        let kept = self.nodes.get(&c).map_or(vec![], |nodes| self.measured(nodes));
        let out = if self.source.is_procedure(c) { self.called(c, kept) } else { self.inside(c, kept) };
        self.depth -= 1;
        self.known.insert(c, Some(out.clone()));
        out
    }

    /// Nodes that a timer has measured.
    fn measured(&self, nodes: &[usize]) -> Vec<Part> {
        let of = |f: fn(&Node) -> f64| {
            let all: Vec<f64> = nodes.iter().map(|&n| f(&self.tree.nodes[n])).collect();
            let sum: f64 = all.iter().sum();
            (sum > 0.0).then(|| all.into_iter().map(|n| n / sum).collect::<Vec<f64>>())
        };
        let alike = vec![1.0 / nodes.len() as f64; nodes.len()];
        let calls = of(|n| n.calls).unwrap_or(alike);
        let times = of(|n| n.own).unwrap_or_else(|| calls.clone());
        let part = |((&node, &time), &calls): ((&usize, &f64), &f64)| Part { node, time, calls, is_kept: true };
        nodes.iter().zip(&times).zip(&calls).map(part).collect()
    }

    /// The nodes of a procedure: those where it was measured, and one below each of its other counted calls.
    fn called(&mut self, c: usize, kept: Vec<Part>) -> Vec<Part> {
        let measured: f64 = kept.iter().map(|p| self.tree.nodes[p.node].calls).sum();
        let mut all = if kept.is_empty() { 0.0 } else { measured.max(1.0) };
        let weighted = |p: Part, by: f64| Part { time: p.time * by, calls: p.calls * by, ..p };
        let mut out: Vec<Part> = kept.iter().map(|&p| weighted(p, all)).collect();
        let covered: HashSet<usize> =
            kept.iter().filter_map(|p| self.tree.nodes[p.node].parent).flat_map(|n| self.activation(n)).collect();
        let sites: Vec<Counted> = self.source.calls_of(c).copied().collect();
        for site in sites {
            let at_line = |line: u32| self.sites.get(&(site.caller, c, line)).copied();
            let known = [site.line, 0].into_iter().filter_map(at_line).reduce(|a, b| a + b);
            let calls = site.calls as f64 - known.unwrap_or(0.0);
            if calls < 0.5 {
                continue;
            }
            let mut around = self.parts(site.within);
            around.retain(|p| known.is_none() || !covered.contains(&p.node));
            if around.is_empty() {
                // It calls itself, or no code that ran calls it.
                continue;
            }
            if out.len() + around.len() > MOST_PARTS {
                out.clear();
                break;
            }
            all += calls;
            for p in around {
                let node = self.child(p.node, c, site.line);
                out.push(weighted(Part { node, is_kept: false, ..p }, calls));
            }
        }
        if out.is_empty() {
            let thread = self.tree.nodes.first().map_or(0, |n| n.thread);
            let node = self.tree.child(None, c, 0, thread);
            return vec![Part { node, time: 1.0, calls: 1.0, is_kept: false }];
        }
        out.into_iter().map(|p| weighted(p, 1.0 / all)).collect()
    }

    /// The nodes of a construct in another: those where it was measured, and one in each node of the other where it was
    /// not. If no time is left for the latter, they are calls that were inlined without a timer; but not if some of its
    /// own copies have none.
    fn inside(&mut self, c: usize, kept: Vec<Part>) -> Vec<Part> {
        let Some(around) = self.source.parent(c) else { return kept };
        let covered: HashSet<usize> = kept.iter().flat_map(|p| self.activation(p.node)).collect();
        let is_partly = self.source.constructs[c].untimed.as_deref() == Some("partly inlined");
        let is_whole = !kept.is_empty() && self.surplus(c) == 0.0 && !is_partly;
        let mut out = self.parts(around);
        let before: f64 = out.iter().map(|p| p.calls).sum();
        out.retain(|p| !covered.contains(&p.node) && (!is_whole || !p.is_kept));
        let left: f64 = out.iter().map(|p| p.calls).sum();
        for p in &mut out {
            p.is_kept &= kept.is_empty();
            if self.source.is_node(c) {
                p.node = self.child(p.node, c, 0);
            }
        }
        let by = if left < before { (before - left) / before } else { 1.0 };
        out.extend(kept.into_iter().map(|p| Part { time: p.time * by, calls: p.calls * by, ..p }));
        out
    }

    /// The nodes from `node` outwards that belong to the same call of a procedure. That this was called through others makes those no
    /// places of its own.
    fn activation(&self, node: usize) -> Vec<usize> {
        let mut out = Vec::new();
        for n in self.tree.outwards(node) {
            out.push(n);
            if self.source.is_procedure(self.tree.nodes[n].construct) {
                break;
            }
        }
        out
    }

    fn child(&mut self, at: usize, construct: usize, line: u32) -> usize {
        if self.tree.nodes.len() >= MOST_NODES {
            return at;
        }
        let thread = self.tree.nodes[at].thread;
        self.tree.child(Some(at), construct, line, thread)
    }
}

/// Iterative proportional fitting (Deming and Stephan, 1940): the entries of a node that gives time away add up to its
/// time, and the entries of a construct to that of the construct, in the end exactly.
fn fitted(mut entries: Vec<Entry>, tree: &Tree, source: &Source<'_>, own: &HashMap<usize, f64>) -> Vec<Entry> {
    let has = |n: &usize| tree.nodes[*n].is_timed && own.contains_key(&tree.nodes[*n].construct);
    let gives = |n: usize| {
        let c = tree.nodes[n].construct;
        (tree.nodes[n].own * (1.0 - source.own(c) / own[&c])).max(0.0)
    };
    let mut wants: HashMap<usize, f64> = HashMap::new();
    for e in &mut entries {
        e.from = tree.outwards(e.node).find(has);
        *wants.entry(e.construct).or_default() += e.ns;
    }
    for _ in 0..ROUNDS {
        let mut given: HashMap<usize, f64> = HashMap::new();
        for e in &entries {
            if let Some(from) = e.from {
                *given.entry(from).or_default() += e.ns;
            }
        }
        for e in &mut entries {
            if let Some(from) = e.from.filter(|f| given[f] > 0.0) {
                e.ns *= (gives(from) / given[&from]).clamp(1e-6, 1e6);
            }
        }
        let mut sums: HashMap<usize, f64> = HashMap::new();
        for e in &entries {
            *sums.entry(e.construct).or_default() += e.ns;
        }
        for e in entries.iter_mut().filter(|e| sums[&e.construct] > 0.0) {
            e.ns *= wants[&e.construct] / sums[&e.construct];
        }
    }
    entries
}

/// The key by which nodes share a count: the calling procedure ([`NONE`] for other constructs), the construct, and the
/// line.
type Key = (usize, usize, u32);
/// The caller of a construct that is not called.
const NONE: usize = usize::MAX;

/// Nodes that share a count.
#[derive(Default)]
struct Group {
    /// The count, if it is known.
    count: Option<f64>,
    /// The recorded contexts, and the number of times that they were entered together.
    kept: Vec<usize>,
    entered: f64,
    others: Vec<usize>,
}

/// Makes the calls and entries of all nodes agree with the exact counts. Nodes without a recorded context get the rest
/// of these, in proportion to the calls of the procedures around them.
fn calls(tree: &mut Tree, source: &Source<'_>) {
    let mut around: Vec<Option<usize>> = Vec::with_capacity(tree.nodes.len());
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    let counted: HashMap<Key, u64> = source.calls.iter().map(|c| ((c.caller, c.callee, c.line), c.calls)).collect();
    for (i, n) in tree.nodes.iter().enumerate() {
        let is_procedure = |p: usize| source.is_procedure(tree.nodes[p].construct);
        around.push(n.parent.and_then(|p| if is_procedure(p) { Some(p) } else { around[p] }));
        let caller = around[i].filter(|_| is_procedure(i)).map_or(NONE, |p| tree.nodes[p].construct);
        let key = (caller, n.construct, n.line);
        let group = groups.entry(key).or_insert_with(|| {
            let counts = &source.constructs[n.construct].counts;
            let of_calls = counted.get(&key).copied();
            let whole = counts.invocations.or(counts.evaluations).filter(|_| caller == NONE);
            Group { count: of_calls.or(whole).map(|n| n as f64), ..Group::default() }
        });
        if n.is_timed || n.recursive {
            group.kept.push(i);
            group.entered += n.calls;
        } else {
            group.others.push(i);
        }
    }
    for group in groups.values().filter(|g| g.others.is_empty() && g.entered > 0.0) {
        let Some(count) = group.count.filter(|&n| n > 0.0 && (n - group.entered).abs() > 0.5) else { continue };
        for &n in &group.kept {
            tree.nodes[n].calls *= count / group.entered;
            tree.nodes[n].estimated |= group.kept.len() > 1;
        }
    }
    // The number of calls of the nodes around may have to be found first, so a chain of such procedures takes as many
    // rounds.
    for _ in 0..CHAIN {
        let weight = |tree: &Tree, n: usize| around[n].map_or(1.0, |p| tree.nodes[p].calls).max(0.0);
        let sum = |g: &Group| g.others.iter().map(|&n| weight(tree, n)).sum::<f64>();
        let sums: Vec<f64> = groups.values().map(sum).collect();
        for (group, sum) in groups.values().zip(sums) {
            let left = (group.count.unwrap_or(0.0) - group.entered).max(0.0);
            for &n in &group.others {
                let part = match group.others.len() {
                    1 => 1.0,
                    _ if sum > 0.0 => weight(tree, n) / sum,
                    len => 1.0 / len as f64,
                };
                tree.nodes[n].calls = left * part;
                tree.nodes[n].estimated |= group.others.len() > 1;
            }
        }
    }
}
