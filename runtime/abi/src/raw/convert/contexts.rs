//! The calling tree: from the contexts that the threads kept to nodes of the profile.
//!
//! ```text
//! kept by a thread                       in the profile
//! main                                   main
//! └ loop 12 of main                      └ loop 12
//!   └ work, returns to 0x4711              └ step, line 13        inlined: the address map knows the site of the call
//!                                            └ loop 40            no timer, but samples
//!                                              └ work, line 41
//! ```
//!
//! A return address is looked up in the address map of its object, which has the line of the call, the construct around
//! it, and the calls that the code was inlined through ([`Site`](crate::address_map::Site)). Procedures without a timer
//! that stand between two contexts are found by the counted calls ([`source`]). A construct without a context of its
//! own, but with a time by samples, gets its places from the source and the counted calls ([`shares`]).
//!
//! Conditionals are no nodes in the end: it differs from run to run which of them have samples, and a loop in one would
//! stand at several places in a sum of profiles. Their own time is that of the node around.
//!
//! **Invariant:** the exclusive times of the nodes of a construct add up to that of the construct and of the conditionals directly in it, so
//! the tree, the table and the edges agree. The inclusive time of a node is the sum of all exclusive times from it on down.

mod edges;
mod inclusive;
mod lines;
mod shares;
mod sites;
mod source;

use super::objects::Found;
use super::samples::Sampled;
use super::{Measured, ns};
use crate::profile::{CallNode, Profile};
use crate::raw::{Header, Node as Kept};
use sites::Sites;
use source::Source;
use std::collections::HashMap;

/// With more contexts than these, the contexts of all threads are added up.
const MOST_BY_THREAD: usize = 40_000;

/// A node of the tree. Constructs are named by their positions.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<usize>,
    construct: usize,
    /// The line of the call of a procedure; 0 if it is not known.
    line: u32,
    thread: u32,
    calls: f64,
    /// Nanoseconds without the nodes below.
    own: f64,
    /// The part of it that timers have measured here.
    measured: f64,
    /// Whether a timer has measured it here.
    is_timed: bool,
    estimated: bool,
    recursive: bool,
    /// The parts of `own` that the number of calls has given to this place and not to others: the number of the time that they share, and the
    /// nanoseconds here.
    shared: Vec<(usize, f64)>,
}

/// The tree: parents stand before their children.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    children: HashMap<(Option<usize>, usize, u32, u32), usize>,
    /// The number of times that places share.
    shared: usize,
}

impl Tree {
    /// The node of a construct in a node.
    fn child(&mut self, parent: Option<usize>, construct: usize, line: u32, thread: u32) -> usize {
        let next = self.nodes.len();
        let at = *self.children.entry((parent, construct, line, thread)).or_insert(next);
        if at == next {
            self.nodes.push(Node {
                parent,
                construct,
                line,
                thread,
                calls: 0.0,
                own: 0.0,
                measured: 0.0,
                is_timed: false,
                estimated: false,
                recursive: false,
                shared: Vec::new(),
            });
        }
        at
    }

    /// Removes nodes that were never entered and have no time, and nodes without a time that are no procedures.
    fn prune(&mut self, source: &Source<'_>) {
        let is_shown = |c: usize| source.is_procedure(c) || source.constructs[c].time.is_some();
        let is_used = |n: &Node| n.is_timed || n.recursive || n.own > 0.0 || (n.calls >= 0.5 && is_shown(n.construct));
        let mut used: Vec<bool> = self.nodes.iter().map(is_used).collect();
        for (i, n) in self.nodes.iter().enumerate().rev() {
            if let Some(p) = n.parent {
                used[p] |= used[i];
            }
        }
        let mut places = vec![0; self.nodes.len()];
        let mut kept = Vec::new();
        for (i, n) in self.nodes.drain(..).enumerate().filter(|(i, _)| used[*i]) {
            places[i] = kept.len();
            kept.push(Node { parent: n.parent.map(|p| places[p]), ..n });
        }
        self.nodes = kept;
        self.children.clear();
    }

    /// Removes conditionals: their children and their own time go to the node around.
    fn take_conditionals_out(&mut self, source: &Source<'_>) {
        let mut places: Vec<Option<usize>> = Vec::with_capacity(self.nodes.len());
        let mut kept: Vec<Node> = Vec::new();
        for n in std::mem::take(&mut self.nodes) {
            let parent = n.parent.and_then(|p| places[p]);
            let around = parent.filter(|_| !n.is_timed && source.constructs[n.construct].counts.taken.is_some());
            match around {
                Some(p) => {
                    kept[p].own += n.own;
                    kept[p].measured += n.measured;
                    kept[p].shared.extend(n.shared);
                    places.push(around);
                }
                None => {
                    places.push(Some(kept.len()));
                    kept.push(Node { parent, ..n });
                }
            }
        }
        self.nodes = kept;
    }

    /// The nodes from `at` outwards.
    fn outwards(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(at), |&n| self.nodes[n].parent)
    }
}

/// The place of a kept context in the tree.
#[derive(Clone, Default)]
struct Place {
    /// Its node; for merged constructs, the node of each.
    nodes: Vec<usize>,
    /// The node of the procedure whose code it is.
    host: usize,
}

/// A way into a procedure: its constructs and the procedures that were inlined, outermost first, each with the line of its call.
#[derive(Clone, Default, Debug)]
struct Way {
    /// The procedure whose code it is.
    host: usize,
    steps: Vec<(usize, u32)>,
}

/// Adds the tree and the times of the edges to `out`.
pub(super) fn collect(
    bytes: &[u8],
    header: &Header,
    found: &Found,
    serials: &HashMap<u64, u32>,
    (measured, sampled): (&Measured, &Sampled),
    out: &mut Profile,
) {
    if measured.threads.iter().all(|t| t.contexts.is_empty()) {
        return;
    }
    let source = Source::new(found, serials, measured, &out.constructs);
    let sites = Sites::read(bytes, header, found, out.constructs.len());
    let mut builder = Builder { source, sites, found, serials, tree: Tree::default() };
    let count: usize = measured.threads.iter().map(|t| t.contexts.len()).sum();
    for t in &measured.threads {
        let thread = if count > MOST_BY_THREAD { 0 } else { t.number as u32 };
        builder.thread(&t.contexts, thread, |ticks| ns(ticks, &out.clock) as f64);
    }
    let Builder { source, mut tree, .. } = builder;
    lines::find(&mut tree, &source);
    shares::share(&mut tree, &source, &sampled.by_calls);
    tree.prune(&source);
    let nodes = written(&tree, &source);
    edges::time(&nodes, &source, &mut out.edges);
    let sums = inclusive::sums(&tree, &nodes, out.constructs.len());
    tree.take_conditionals_out(&source);
    let nodes = written(&tree, &source);
    inclusive::fill(&sums, header.paused != 0, out);
    out.call_tree = nodes;
}

struct Builder<'a> {
    source: Source<'a>,
    sites: Sites,
    found: &'a Found,
    serials: &'a HashMap<u64, u32>,
    tree: Tree,
}

/// A construct, and the calls that it was inlined through, innermost first: the serial of the caller, and the line.
type Member<'a> = (usize, &'a [(u32, u32)]);

impl<'a> Builder<'a> {
    /// Adds the contexts of a thread.
    fn thread(&mut self, contexts: &[Kept], thread: u32, ns: impl Fn(u64) -> f64) {
        let mut places: HashMap<u64, Place> = HashMap::new();
        for kept in contexts {
            let Some(members) = self.members(kept.record) else { continue };
            let outer = places.get(&kept.parent).cloned();
            let place = self.place(kept, &members, outer.as_ref(), thread);
            let all: f64 = members.iter().map(|m| self.source.own(m.0)).sum();
            for (&n, m) in place.nodes.iter().zip(&members) {
                let part = if all > 0.0 { self.source.own(m.0) / all } else { 1.0 / members.len() as f64 };
                let node = &mut self.tree.nodes[n];
                node.calls += kept.calls as f64;
                node.own += ns(kept.exclusive) * part;
                node.measured += ns(kept.exclusive) * part;
                node.estimated |= members.len() > 1;
                if kept.shared == 0 { node.is_timed = true } else { node.recursive = true }
            }
            places.insert(kept.number, place);
        }
    }

    /// The constructs of a record, several if they were merged, and the calls that each was inlined through.
    fn members(&self, record: u64) -> Option<Vec<Member<'a>>> {
        let position = |&s: &u32| self.source.position(s);
        let members: Vec<Member<'a>> = match self.found.instances.get(&record) {
            Some(i) => {
                let via = |k: usize| i.via.get(k).map_or(&[][..], Vec::as_slice);
                i.members.iter().enumerate().filter_map(|(k, m)| Some((position(m)?, via(k)))).collect()
            }
            None => self.serials.get(&record).and_then(position).map(|m| (m, &[][..])).into_iter().collect(),
        };
        (!members.is_empty()).then_some(members)
    }

    /// The nodes of a context, made if they are not there.
    fn place(&mut self, kept: &Kept, members: &[Member<'_>], outer: Option<&Place>, thread: u32) -> Place {
        let is_foreign = !self.found.instances.contains_key(&kept.record);
        if self.source.is_procedure(members[0].0) && members[0].1.is_empty() {
            return self.called(kept, members[0].0, outer, thread);
        }
        let mut out = Place::default();
        for &(m, via) in members {
            let mut way = self.source.way_to(m, via);
            // The last step is the construct itself.
            let (leaf, line) = way.steps.pop().unwrap_or((m, 0));
            let (node, host) = if is_foreign {
                // For constructs of other languages only the construct around them is known.
                (outer.and_then(|p| p.nodes.first().copied()), outer.map(|p| p.host))
            } else {
                self.follow(&way, outer, thread)
            };
            let node = self.tree.child(node, leaf, line, thread);
            out.nodes.push(node);
            out.host = host.unwrap_or(node);
        }
        out
    }

    /// The node of a procedure that was called.
    fn called(&mut self, kept: &Kept, procedure: usize, outer: Option<&Place>, thread: u32) -> Place {
        let caller = outer.map(|p| self.tree.nodes[p.host].construct);
        let mut line = 0;
        let mut at = outer.and_then(|p| p.nodes.first().copied());
        match self.sites.find(kept.site, &self.source, procedure) {
            sites::Answer::Known(way, of_call) => {
                at = self.follow(&way, outer, thread).0;
                line = of_call;
            }
            // Code in another language has called.
            sites::Answer::Elsewhere => {}
            sites::Answer::Unknown => {
                let inside = at.map(|n| self.tree.nodes[n].construct);
                let (mut steps, ambiguous) = self.source.between(caller, inside, procedure);
                line = steps.pop().map_or(0, |s| s.1);
                if let (Some(from), Some(place)) = (at, outer) {
                    at = Some(self.steps(from, place.host, &steps, ambiguous, thread));
                }
            }
        }
        let node = self.tree.child(at, procedure, line, thread);
        Place { nodes: vec![node], host: node }
    }

    /// Follows a way from a place on, without the steps that already stand around that. Returns the last node, and that
    /// of the procedure whose code it is.
    fn follow(&mut self, way: &Way, outer: Option<&Place>, thread: u32) -> (Option<usize>, Option<usize>) {
        let Some(place) = outer else {
            let host = self.tree.child(None, way.host, 0, thread);
            return (Some(self.steps(host, host, &way.steps, false, thread)), Some(host));
        };
        // The one of several merged constructs that is on the way.
        let is_step = |n: &&usize| way.steps.iter().any(|s| s.0 == self.tree.nodes[**n].construct);
        let at = place.nodes.iter().rev().find(is_step).or(place.nodes.first()).copied().unwrap_or(place.host);
        let caller = self.tree.nodes[place.host].construct;
        let mut host = place.host;
        if caller != way.host && way.steps.iter().any(|s| s.0 == caller) {
            // The procedure was inlined, its timer with it.
            let is_host = |&n: &usize| self.tree.nodes[n].construct == way.host;
            host = self.tree.outwards(host).find(is_host).unwrap_or(host);
        }
        let caller = self.tree.nodes[host].construct;
        let mut from = at;
        if caller != way.host {
            let inside = self.tree.nodes[at].construct;
            let (steps, ambiguous) = self.source.between(Some(caller), Some(inside), way.host);
            host = self.steps(at, host, &steps, ambiguous, thread);
            from = host;
        }
        (Some(self.steps(from, host, &way.steps, false, thread)), Some(host))
    }

    /// Goes steps from `at` on, except for the steps between `host` and there.
    fn steps(&mut self, at: usize, host: usize, steps: &[(usize, u32)], ambiguous: bool, thread: u32) -> usize {
        let mut around: Vec<usize> = self.tree.outwards(at).take_while(|&n| n != host).collect();
        around.reverse();
        let mut from = 0;
        for n in around {
            let construct = self.tree.nodes[n].construct;
            if let Some(k) = steps[from..].iter().position(|s| s.0 == construct) {
                from += k + 1;
            }
        }
        let mut to = at;
        for &(step, line) in &steps[from..] {
            to = self.tree.child(Some(to), step, line, thread);
            self.tree.nodes[to].estimated |= ambiguous;
        }
        to
    }
}

/// A sum of samples and a timer's measurement in the same place may differ by this fraction, which is the rounding.
const ROUNDING: f64 = 0.001;

/// The tree as it stands in the profile.
fn written(tree: &Tree, source: &Source<'_>) -> Vec<CallNode> {
    let own: Vec<u64> = tree.nodes.iter().map(|n| n.own.round().max(0.0) as u64).collect();
    let mut total = own.clone();
    let mut has_time: Vec<bool> = tree.nodes.iter().zip(&own).map(|(n, &own)| n.is_timed || own > 0).collect();
    // Without a timer, samples have found the construct.
    let is_sampled = |n: &Node| !n.is_timed && source.constructs[n.construct].time.is_some_and(|t| t.estimated);
    let mut estimated: Vec<bool> = tree.nodes.iter().map(|n| n.estimated || is_sampled(n)).collect();
    let mut measured: Vec<f64> = tree.nodes.iter().map(|n| n.measured).collect();
    for (i, n) in tree.nodes.iter().enumerate().rev() {
        // Samples are divided among the places of a construct so that together they have its time: one place may have more than its timer measured.
        estimated[i] |= n.is_timed && (total[i] as f64 - measured[i]).abs() > ROUNDING * measured[i] + 1000.0;
        if let Some(p) = n.parent {
            total[p] = total[p].saturating_add(total[i]);
            has_time[p] |= has_time[i];
            measured[p] += measured[i];
            // A timer has measured the sum, whatever its parts are.
            estimated[p] |= estimated[i] && !tree.nodes[p].is_timed;
        }
    }
    let node = |(i, n): (usize, &Node)| CallNode {
        id: i as u32,
        parent: n.parent.map(|p| p as u32),
        serial: source.constructs[n.construct].serial,
        thread: n.thread,
        line: n.line,
        calls: n.calls.round() as u64,
        inclusive_ns: total[i],
        exclusive_ns: own[i],
        estimated: estimated[i],
        recursive: n.recursive && !n.is_timed,
        untimed: !has_time[i] && !n.recursive,
    };
    tree.nodes.iter().enumerate().map(node).collect()
}
