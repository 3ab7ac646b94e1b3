//! The calling tree of a profile that has its calling contexts: each path as it was called, with its own time.
//!
//! Procedures without a timer (inlined, or left out by a filter or the budget) have no context of their own. They stand in the
//! tree all the same, with their counted calls: under each context of a caller by its share of the caller's calls, and with
//! the contexts that are called through them below.

use crate::index::{Index, executions};
use crate::tree::{MAX_DEPTH, MAX_NODES, TreeNode};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Contexts of one path, over all threads and processes.
#[derive(Default)]
struct Context {
    serial: u32,
    calls: u64,
    total: u64,
    /// By serial.
    children: BTreeMap<u32, usize>,
}

/// The tree in depth-first order.
pub(crate) fn contexts(index: &Index<'_>) -> Vec<TreeNode> {
    let (all, roots) = joined(index);
    let mut counted: FxHashMap<u32, BTreeMap<u32, u64>> = FxHashMap::default();
    for e in index.profile.edges.iter().filter(|e| e.calls > 0) {
        let n = counted.entry(e.caller).or_default().entry(e.callee).or_default();
        *n = n.saturating_add(e.calls);
    }
    let timed = all.iter().map(|c| c.serial).collect();
    let mut builder = Builder { index, all, counted, timed, nodes: Vec::new(), path: Vec::new() };
    for root in roots {
        builder.context(root, None, false);
    }
    builder.nodes
}

/// The contexts of the profile with those of equal paths as one, and the roots.
fn joined(index: &Index<'_>) -> (Vec<Context>, Vec<usize>) {
    let mut all: Vec<Context> = Vec::new();
    let mut roots = Vec::new();
    let mut known: FxHashMap<(Option<usize>, u32), usize> = FxHashMap::default();
    let mut place: FxHashMap<u32, usize> = FxHashMap::default();
    for n in &index.profile.call_tree {
        let parent = n.parent.and_then(|p| place.get(&p)).copied();
        let at = *known.entry((parent, n.serial)).or_insert_with(|| {
            let new = all.len();
            all.push(Context { serial: n.serial, ..Context::default() });
            match parent {
                Some(p) => drop(all[p].children.insert(n.serial, new)),
                None => roots.push(new),
            }
            new
        });
        all[at].calls = all[at].calls.saturating_add(n.calls);
        all[at].total = all[at].total.saturating_add(n.inclusive_ns);
        place.insert(n.id, at);
    }
    (all, roots)
}

struct Builder<'a> {
    index: &'a Index<'a>,
    all: Vec<Context>,
    /// Calls by caller and callee.
    counted: FxHashMap<u32, BTreeMap<u32, u64>>,
    /// The procedures that have contexts.
    timed: FxHashSet<u32>,
    nodes: Vec<TreeNode>,
    path: Vec<u32>,
}

impl Builder<'_> {
    fn push(&mut self, node: TreeNode) -> Option<usize> {
        if node.depth >= MAX_DEPTH || self.nodes.len() >= MAX_NODES {
            return None;
        }
        let total = node.parent.map_or(node.total, |p| node.total.min(self.nodes[p].own));
        if let Some(p) = node.parent {
            self.nodes[p].own -= total;
        }
        self.nodes.push(TreeNode { total, own: total, ..node });
        Some(self.nodes.len() - 1)
    }

    /// A context with everything below it; estimated if it is not only this way that leads to it.
    fn context(&mut self, at: usize, parent: Option<usize>, estimated: bool) {
        let Context { serial, calls, total, ref children } = self.all[at];
        let children = children.clone();
        let depth = parent.map_or(0, |p| self.nodes[p].depth + 1);
        let recursive = self.path.contains(&serial);
        let node = TreeNode { serial, parent, depth, calls, total, own: 0, estimated, recursive };
        let Some(node) = self.push(node) else { return };
        let all = self.index.get(serial).and_then(executions).unwrap_or(calls).max(1);
        self.path.push(serial);
        let mut left = children;
        self.below(serial, node, calls.min(all) as f64 / all as f64, &mut left);
        // What no counted call explains: of callers in another language.
        for child in left.into_values() {
            self.context(child, Some(node), false);
        }
        self.path.pop();
    }

    /// The callees of a procedure of which `share` of the calls belongs to the node; `left` are the contexts that have to find
    /// their place.
    fn below(&mut self, serial: u32, node: usize, share: f64, left: &mut BTreeMap<u32, usize>) {
        for (callee, calls) in self.counted.get(&serial).cloned().unwrap_or_default() {
            if let Some(child) = left.remove(&callee) {
                let through = !self.timed.contains(&serial);
                let estimated = through && self.all[child].calls as f64 != (calls as f64 * share).round();
                self.context(child, Some(node), estimated);
            } else if !self.timed.contains(&callee) && !self.path.contains(&callee) {
                self.untimed(callee, calls, node, share, left);
            }
        }
    }

    /// A procedure without contexts of its own.
    fn untimed(&mut self, serial: u32, calls: u64, parent: usize, share: f64, left: &mut BTreeMap<u32, usize>) {
        let below = self.counted.get(&serial).into_iter().flat_map(BTreeMap::keys);
        let adopted = below.filter_map(|callee| left.get(callee)).map(|&c| self.all[c].total);
        let total = adopted.fold(0u64, u64::saturating_add);
        let part = (calls as f64 * share).round() as u64;
        let depth = self.nodes[parent].depth + 1;
        let estimated = share < 1.0;
        let node =
            TreeNode { serial, parent: Some(parent), depth, calls: part, total, own: 0, estimated, recursive: false };
        let Some(node) = self.push(node) else { return };
        let all = self.index.get(serial).and_then(executions).unwrap_or(part).max(1);
        self.path.push(serial);
        self.below(serial, node, (part.min(all)) as f64 / all as f64, left);
        self.path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;
    use trueline_abi::profile::{CallNode, Construct, Counts, Edge};

    /// Main calls 'work', which has a context, both at once and through 'thin', which was inlined.
    #[test]
    fn inlined_procedures_stand_between() {
        let mut p = sample();
        let thin = |serial: u32, text: &str| Construct {
            serial,
            kind: "procedure".into(),
            text: text.into(),
            counts_exact: true,
            counts: Counts { invocations: Some(40), ..Counts::default() },
            ..Construct::default()
        };
        p.constructs.extend([thin(10, "thin"), thin(12, "deep")]);
        p.edges = [(0, 10, 40), (10, 6, 300), (10, 12, 40)]
            .map(|(caller, callee, calls)| Edge { caller, callee, calls, ..Edge::default() })
            .to_vec();
        let node = |id, parent, serial, calls, inclusive_ns| CallNode {
            id,
            parent,
            serial,
            calls,
            inclusive_ns,
            ..CallNode::default()
        };
        p.call_tree = vec![
            node(0, None, 0, 1, 90),
            node(1, Some(0), 6, 200, 20),
            CallNode { thread: 1, ..node(2, Some(0), 6, 100, 10) },
        ];
        let shown: Vec<(u32, usize, u64, u64, u64)> =
            contexts(&Index::new(&p)).iter().map(|n| (n.serial, n.depth, n.calls, n.total, n.own)).collect();
        assert_eq!(shown, [(0, 0, 1, 90, 60), (10, 1, 40, 30, 0), (6, 2, 300, 30, 30), (12, 2, 40, 0, 0)]);
    }
}
