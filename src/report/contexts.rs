//! The calling tree of a profile that has its calling contexts: each path as it was called, with its own time.
//!
//! Contexts of one path are one node, over all threads and processes. Procedures that were inlined, or that have no timer, stand
//! in the profile's tree already.

use crate::index::Index;
use crate::tree::{MAX_DEPTH, MAX_NODES, TreeNode};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Contexts of one path, over all threads and processes.
#[derive(Default)]
struct Context {
    serial: u32,
    line: u32,
    parent: Option<usize>,
    calls: u64,
    total: u64,
    /// Time in the contexts below.
    below: u64,
    estimated: bool,
    recursive: bool,
    untimed: bool,
    /// By serial and line of the call.
    children: BTreeMap<(u32, u32), usize>,
}

/// The tree in depth-first order; none if the profile does not have all contexts: older ones did not, and sums may have some of
/// them.
pub(crate) fn contexts(index: &Index<'_>) -> Option<Vec<TreeNode>> {
    let (all, roots) = joined(index);
    let sum = |times: &mut dyn Iterator<Item = u64>| times.fold(0u64, u64::saturating_add);
    let has = sum(&mut roots.iter().map(|&r| all[r].total));
    let wants = sum(&mut index.profile.constructs.iter().filter_map(|c| Some(index.time(c)?.exclusive_ns)));
    // Nanoseconds are rounded at each node.
    let is_whole = has as f64 >= 0.99 * wants as f64 - all.len() as f64;
    (!all.is_empty() && is_whole).then(|| in_order(&all, &roots))
}

/// The contexts of the profile with those of equal paths as one, parents before children, and the roots.
fn joined(index: &Index<'_>) -> (Vec<Context>, Vec<usize>) {
    let mut all: Vec<Context> = Vec::new();
    let mut roots = Vec::new();
    let mut known: FxHashMap<(Option<usize>, u32, u32), usize> = FxHashMap::default();
    let mut place: FxHashMap<u32, usize> = FxHashMap::default();
    for n in &index.profile.call_tree {
        let parent = n.parent.and_then(|p| place.get(&p)).copied();
        let at = *known.entry((parent, n.serial, n.line)).or_insert_with(|| {
            let (new, recursive, untimed) = (all.len(), n.recursive, n.untimed);
            let (serial, line) = (n.serial, n.line);
            all.push(Context { serial, line, parent, recursive, untimed, ..Context::default() });
            match parent {
                Some(p) => drop(all[p].children.insert((serial, line), new)),
                None => roots.push(new),
            }
            new
        });
        let c = &mut all[at];
        c.calls = c.calls.saturating_add(n.calls);
        c.total = c.total.saturating_add(n.inclusive_ns);
        c.estimated |= n.estimated;
        c.recursive &= n.recursive;
        c.untimed &= n.untimed;
        place.insert(n.id, at);
    }
    for i in (0..all.len()).rev() {
        // Whatever a profile says, no child has more than its parent.
        all[i].total = all[i].total.max(all[i].below);
        if let Some(p) = all[i].parent {
            all[p].below = all[p].below.saturating_add(all[i].total);
        }
    }
    (all, roots)
}

fn in_order(all: &[Context], roots: &[usize]) -> Vec<TreeNode> {
    let mut out: Vec<TreeNode> = Vec::new();
    let mut todo: Vec<(usize, Option<usize>)> = roots.iter().rev().map(|&r| (r, None)).collect();
    while let Some((at, parent)) = todo.pop() {
        let depth = parent.map_or(0, |p: usize| out[p].depth + 1);
        if depth >= MAX_DEPTH || out.len() >= MAX_NODES {
            continue;
        }
        let c = &all[at];
        // The nodes below a parent end up with it, if there is no room for more nodes.
        if let Some(p) = parent {
            out[p].own = out[p].own.saturating_sub(c.total);
        }
        let new = out.len();
        out.push(TreeNode {
            serial: c.serial,
            line: c.line,
            parent,
            depth,
            calls: c.calls,
            total: c.total,
            own: c.total,
            estimated: c.estimated,
            recursive: c.recursive,
            untimed: c.untimed,
        });
        todo.extend(c.children.values().rev().map(|&child| (child, Some(new))));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;
    use trueline_abi::profile::CallNode;

    fn node(id: u32, parent: Option<u32>, serial: u32, line: u32, inclusive_ns: u64) -> CallNode {
        CallNode { id, parent, serial, line, inclusive_ns, calls: 1, ..CallNode::default() }
    }

    /// Serial, line, depth, calls, total and own time.
    type Shown = (u32, u32, usize, u64, u64, u64);

    fn shown(p: &trueline_abi::profile::Profile) -> Option<Vec<Shown>> {
        let nodes = contexts(&Index::new(p))?;
        Some(nodes.iter().map(|n| (n.serial, n.line, n.depth, n.calls, n.total, n.own)).collect())
    }

    /// Main calls 'work' at two lines, in two threads.
    #[test]
    fn paths_are_joined_over_threads_and_parted_by_line() {
        let mut p = sample();
        p.constructs.iter_mut().for_each(|c| c.time = None);
        p.call_tree = vec![
            node(0, None, 0, 0, 90),
            node(1, Some(0), 6, 4, 20),
            node(2, Some(0), 6, 3, 30),
            CallNode { thread: 1, ..node(3, None, 0, 0, 50) },
            CallNode { thread: 1, ..node(4, Some(3), 6, 4, 50) },
        ];
        assert_eq!(shown(&p), Some(vec![(0, 0, 0, 2, 140, 40), (6, 3, 1, 1, 30, 30), (6, 4, 1, 2, 70, 70)]));
    }

    #[test]
    fn no_child_has_more_than_its_parent() {
        let mut p = sample();
        p.constructs.iter_mut().for_each(|c| c.time = None);
        p.call_tree = vec![node(0, None, 0, 0, 10), node(1, Some(0), 6, 4, 70), node(7, Some(99), 6, 1, 5)];
        assert_eq!(shown(&p), Some(vec![(0, 0, 0, 1, 70, 0), (6, 4, 1, 1, 70, 70), (6, 1, 0, 1, 5, 5)]));
    }

    #[test]
    fn a_part_of_the_contexts_is_no_tree() {
        let mut p = sample();
        p.call_tree = vec![node(0, None, 0, 0, 10)];
        assert_eq!(shown(&p), None);
        p.call_tree.clear();
        assert_eq!(shown(&p), None);
    }
}
