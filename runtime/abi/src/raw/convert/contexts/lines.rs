//! Calls on unknown lines.
//!
//! A context whose procedure was called through others without a timer names the construct, but not the one of several
//! lines. Each of these lines gets a share of the time by its exact number of calls:
//!
//! ```text
//! kept                          in the profile
//! loop 12                       loop 12
//! └ step, line unknown          ├ loop 14
//!   └ work, line 41             │ └ step, line 15     240 calls
//!                               │   └ work, line 41
//!                               └ step, line 20        36 calls
//!                                 └ work, line 41
//! ```

use super::source::{Counted, Source};
use super::{Node, Tree};

/// A node is not shared out among more places than these.
const MOST_PLACES: usize = 64;
/// Larger trees are left as they are.
const MOST_NODES: usize = 60_000;

/// A node of the new tree, and the share of the old one that it has.
type Places = Vec<(usize, f64)>;

/// Divides nodes of procedures with an unknown line among the counted calls at their place.
pub(super) fn find(tree: &mut Tree, source: &Source<'_>) {
    let is_unknown = |n: &Node| n.line == 0 && n.parent.is_some() && source.is_procedure(n.construct);
    if !tree.nodes.iter().any(is_unknown) {
        return;
    }
    let mut new = Tree::default();
    let mut places: Vec<Places> = Vec::with_capacity(tree.nodes.len());
    for n in &tree.nodes {
        let around: Vec<(Option<usize>, f64)> = match n.parent {
            Some(p) => places[p].iter().map(|&(node, share)| (Some(node), share)).collect(),
            None => vec![(None, 1.0)],
        };
        let calls = match n.parent.filter(|_| is_unknown(n) && new.nodes.len() < MOST_NODES) {
            Some(p) => calls(source, tree.nodes[p].construct, n.construct),
            None => Vec::new(),
        };
        let own = if calls.is_empty() || around.len() * calls.len() > MOST_PLACES {
            around.into_iter().map(|(at, share)| (new.child(at, n.construct, n.line, n.thread), share)).collect()
        } else {
            shared(&mut new, source, tree, n, &around, &calls)
        };
        for &(node, share) in &own {
            add(&mut new.nodes[node], n, share);
            if share < 1.0 {
                new.nodes[node].shared.push((new.shared, n.own * share));
            }
        }
        new.shared += 1;
        places.push(own);
    }
    *tree = new;
}

/// The counted calls of a procedure in the construct `at` that stand in no inner construct with contexts.
fn calls(source: &Source<'_>, at: usize, callee: usize) -> Vec<Counted> {
    let host = source.procedure_of(at);
    let is_here = |c: &&Counted| c.caller == host && source.timed_around(c.within) == source.timed_around(at);
    source.calls_of(callee).filter(is_here).copied().collect()
}

/// The places of a node at each of the calls.
fn shared(
    new: &mut Tree,
    source: &Source<'_>,
    old: &Tree,
    n: &Node,
    around: &[(Option<usize>, f64)],
    calls: &[Counted],
) -> Places {
    let outer = n.parent.map(|p| old.nodes[p].construct);
    let all: f64 = calls.iter().map(|c| c.calls as f64).sum();
    let mut out = Places::new();
    for &(at, share) in around {
        for call in calls {
            let inner = source.nodes_around(call.within);
            let from = inner.iter().position(|&c| Some(c) == outer).map_or(0, |i| i + 1);
            let within = inner[from..].iter().fold(at, |at, &c| Some(new.child(at, c, 0, n.thread)));
            let node = new.child(within, n.construct, call.line, n.thread);
            out.push((node, share * call.calls as f64 / all));
        }
    }
    out
}

/// Adds a share of a node of the old tree to one of the new.
fn add(to: &mut Node, from: &Node, share: f64) {
    to.calls += from.calls * share;
    to.own += from.own * share;
    to.measured += from.measured * share;
    to.is_timed |= from.is_timed;
    to.recursive |= from.recursive;
    to.estimated |= from.estimated || share < 1.0;
}
