//! The calling tree: procedures and timed loops from the main program down, with the time of each. All trees, graphs and exports of
//! stacks are made from it.
//!
//! A profile has its calling contexts ([`contexts`](crate::contexts)). Those of older versions, and sums with such, have edges
//! only; then the tree is guessed: the time of a procedure called from several places is divided by the time of the
//! edges, and where that is not known, by their number of calls. All nodes below a root are marked as estimates then.
//! **Invariant:** the times of a node's own and of its children add up to its total.

use crate::index::{Index, executions, is_procedure};
use std::collections::BTreeMap;
use trueline_abi::profile::Edge;

/// Deeper stacks are cut.
pub(crate) const MAX_DEPTH: usize = 100;
/// Larger trees are cut.
pub(crate) const MAX_NODES: usize = 20_000;

/// One node.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The construct.
    pub serial: u32,
    /// The line of the call of a procedure; 0 if it is not known.
    pub line: u32,
    /// The index of the node it stands under.
    pub parent: Option<usize>,
    /// The depth, from 0.
    pub depth: usize,
    /// Calls or entries on this path.
    pub calls: u64,
    /// Nanoseconds with everything below.
    pub total: u64,
    /// Nanoseconds of its own.
    pub own: u64,
    /// Whether its time or its number of calls is an estimate.
    pub estimated: bool,
    /// A procedure that is on the path already: its time and the nodes below it stand there.
    pub recursive: bool,
    /// Whether it has no time: no timer and no sample was in it or below.
    pub untimed: bool,
}

/// The tree in depth-first order; parents come before their children.
pub fn tree(index: &Index<'_>) -> Vec<TreeNode> {
    crate::contexts::contexts(index).unwrap_or_else(|| guessed(index))
}

/// The tree of a profile that has edges only.
fn guessed(index: &Index<'_>) -> Vec<TreeNode> {
    let mut builder = Builder {
        index,
        calls: index.calls(),
        callers: index.callers(),
        inside: inside(index),
        nodes: Vec::new(),
        path: Vec::new(),
    };
    let roots: Vec<u32> = index
        .procedures()
        .filter(|c| c.kind == "program" || !builder.callers.contains_key(&c.serial))
        .filter(|c| executions(c).is_some_and(|n| n > 0) || c.time.is_some())
        .map(|c| c.serial)
        .collect();
    for root in roots {
        let Some(c) = index.get(root) else { continue };
        let total = index.time(c).map_or(0, |t| t.inclusive_ns);
        builder.procedure(root, None, executions(c).unwrap_or(0), total, Share { time: 1.0, calls: 1.0 }, false);
    }
    builder.nodes.iter_mut().for_each(|n| n.estimated |= n.depth > 0);
    builder.nodes
}

/// The parts of a procedure's time and counts that belong to a path.
#[derive(Clone, Copy)]
struct Share {
    time: f64,
    calls: f64,
}

/// The timed constructs directly inside each timed construct or procedure.
fn inside(index: &Index<'_>) -> BTreeMap<u32, Vec<u32>> {
    let mut out: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for c in index.profile.constructs.iter().filter(|c| !is_procedure(c)) {
        if index.time(c).is_some()
            && let Some(p) = index.timed_parent(c)
        {
            out.entry(p).or_default().push(c.serial);
        }
    }
    out
}

struct Builder<'a> {
    index: &'a Index<'a>,
    calls: BTreeMap<u32, Vec<&'a Edge>>,
    callers: BTreeMap<u32, u64>,
    inside: BTreeMap<u32, Vec<u32>>,
    nodes: Vec<TreeNode>,
    path: Vec<u32>,
}

impl Builder<'_> {
    /// Adds a procedure; `share` of it belongs to this path.
    fn procedure(&mut self, serial: u32, parent: Option<usize>, calls: u64, total: u64, share: Share, estimated: bool) {
        let recursive = self.path.contains(&serial);
        let Some(node) = self.push(serial, parent, calls, total, estimated) else { return };
        self.nodes[node].recursive = recursive;
        if recursive {
            self.nodes[node].own = total;
            return;
        }
        self.path.push(serial);
        self.contents(serial, serial, node, share, estimated);
        self.path.pop();
    }

    fn push(&mut self, serial: u32, parent: Option<usize>, calls: u64, total: u64, estimated: bool) -> Option<usize> {
        let depth = parent.map_or(0, |p| self.nodes[p].depth + 1);
        if depth >= MAX_DEPTH || self.nodes.len() >= MAX_NODES {
            return None;
        }
        let total = parent.map_or(total, |p| total.min(self.nodes[p].own));
        if let Some(p) = parent {
            self.nodes[p].own -= total;
        }
        let untimed = self.index.get(serial).is_none_or(|c| self.index.time(c).is_none()) && total == 0;
        let node =
            TreeNode { serial, line: 0, parent, depth, calls, total, own: total, estimated, recursive: false, untimed };
        self.nodes.push(node);
        Some(self.nodes.len() - 1)
    }

    /// The timed constructs and the calls directly inside `at`.
    fn contents(&mut self, at: u32, procedure: u32, node: usize, share: Share, estimated: bool) {
        for inner in self.inside.get(&at).cloned().unwrap_or_default() {
            let Some(c) = self.index.get(inner) else { continue };
            let total = scaled(self.index.time(c).map_or(0, |t| t.inclusive_ns), share.time);
            let entries = scaled(executions(c).unwrap_or(0), share.calls);
            if let Some(n) = self.push(inner, Some(node), entries, total, estimated) {
                self.contents(inner, procedure, n, share, estimated);
            }
        }
        for e in self.calls.get(&procedure).cloned().unwrap_or_default() {
            if e.calls > 0 && self.stands_in(e, procedure) == at {
                self.call(e, node, share, estimated);
            }
        }
    }

    fn call(&mut self, e: &Edge, node: usize, share: Share, estimated: bool) {
        let Some(callee) = self.index.get(e.callee) else { return };
        let all = self.index.time(callee).map_or(0, |t| t.inclusive_ns);
        let by_calls = e.calls as f64 / self.callers.get(&e.callee).copied().unwrap_or(1).max(1) as f64;
        let (time, guess) = match e.inclusive_ns {
            Some(ns) => (ns, estimated),
            None => (scaled(all, by_calls), estimated || by_calls < 1.0),
        };
        let part = if all == 0 { by_calls } else { time as f64 / all as f64 };
        let (calls, total) = (scaled(e.calls, share.calls), scaled(time, share.time));
        let inner = Share { time: (share.time * part).min(1.0), calls: (share.calls * by_calls).min(1.0) };
        let guess = guess || share.calls < 1.0;
        self.procedure(e.callee, Some(node), calls, total, inner, guess);
    }

    /// The innermost timed construct of the procedure whose lines have the call.
    fn stands_in(&self, e: &Edge, procedure: u32) -> u32 {
        let mut at = procedure;
        while let Some(inner) = self.inside.get(&at).and_then(|list| {
            list.iter().find(|&&s| self.index.get(s).is_some_and(|c| (c.line..=c.end_line).contains(&e.line)))
        }) {
            at = *inner;
        }
        at
    }
}

fn scaled(n: u64, share: f64) -> u64 {
    if share >= 1.0 { n } else { (n as f64 * share).round() as u64 }
}

/// The name of a node: a procedure's own, another construct's text and line.
pub fn label(index: &Index<'_>, serial: u32) -> String {
    match index.get(serial) {
        Some(c) if is_procedure(c) => crate::safe(&c.text).into_owned(),
        Some(c) => {
            format!("{} [{}:{}]", crate::flat::shortened(&crate::safe(&c.text), 60), crate::safe(&c.procedure), c.line)
        }
        None => "?".to_owned(),
    }
}
