//! The times of edges: sums over the contexts in which one procedure calls another at a line.

use super::source::Source;
use crate::profile::{CallNode, Edge};
use std::collections::{BTreeMap, HashMap};

/// The sum of the contexts of an edge.
#[derive(Clone, Copy, Default)]
struct Sum {
    ns: u64,
    calls: u64,
    has_time: bool,
    /// Whether some of the contexts have no time.
    is_part: bool,
    estimated: bool,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.ns = self.ns.saturating_add(other.ns);
        self.calls = self.calls.saturating_add(other.calls);
        self.has_time |= other.has_time;
        self.is_part |= other.is_part;
        self.estimated |= other.estimated;
    }
}

/// Gives the edges their times, and adds edges that no counted call explains: of calls by address, and by other
/// languages.
pub(super) fn time(nodes: &[CallNode], source: &Source<'_>, edges: &mut Vec<Edge>) {
    let mut sums = sums(nodes, source);
    let mut unexplained: HashMap<u32, u64> =
        source.constructs.iter().filter_map(|c| Some((c.serial, c.counts.invocations?))).collect();
    let mut pairs: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
    for (i, e) in edges.iter_mut().enumerate() {
        unexplained.entry(e.callee).and_modify(|n| *n = n.saturating_sub(e.calls));
        match sums.remove(&(e.caller, e.callee, e.line)) {
            Some(sum) => set(e, sum, false),
            None if e.calls > 0 => pairs.entry((e.caller, e.callee)).or_default().push(i),
            None => {}
        }
    }
    for ((caller, callee, line), sum) in sums {
        // It is not known at which of its lines.
        if let Some(list) = pairs.get(&(caller, callee)).filter(|_| line == 0) {
            let all = list.iter().map(|&i| edges[i].calls as f64).sum::<f64>().max(1.0);
            for &i in list {
                let ns = (sum.ns as f64 * edges[i].calls as f64 / all).round() as u64;
                set(&mut edges[i], Sum { ns, ..sum }, list.len() > 1);
            }
            continue;
        }
        let left = unexplained.entry(callee).or_insert(sum.calls);
        let calls = sum.calls.min(*left);
        *left = left.saturating_sub(calls);
        if calls > 0 {
            let mut edge = Edge { caller, callee, line, calls, ..Edge::default() };
            set(&mut edge, sum, false);
            edges.push(edge);
        }
    }
}

fn set(edge: &mut Edge, sum: Sum, shared: bool) {
    edge.inclusive_ns = sum.has_time.then_some(sum.ns);
    edge.estimated = sum.has_time && (sum.estimated || sum.is_part || shared);
}

/// The sums by caller, callee and line.
fn sums(nodes: &[CallNode], source: &Source<'_>) -> BTreeMap<(u32, u32, u32), Sum> {
    let is_procedure = |n: &CallNode| source.position(n.serial).is_some_and(|c| source.is_procedure(c));
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (i, n) in nodes.iter().enumerate() {
        match n.parent {
            Some(p) => children[p as usize].push(i),
            None => roots.push(i),
        }
    }
    let mut out: BTreeMap<(u32, u32, u32), Sum> = BTreeMap::new();
    // The number of times that each procedure is on the way, and the procedures on it.
    let mut open: HashMap<u32, u32> = HashMap::new();
    let mut callers: Vec<u32> = Vec::new();
    let mut todo: Vec<(usize, bool)> = roots.into_iter().map(|r| (r, true)).collect();
    while let Some((i, enters)) = todo.pop() {
        let n = &nodes[i];
        let of_procedure = is_procedure(n);
        if !enters {
            if of_procedure {
                callers.pop();
                open.entry(n.serial).and_modify(|k| *k -= 1);
            }
            continue;
        }
        if of_procedure {
            let again = open.entry(n.serial).or_default();
            if let Some(&caller) = callers.last() {
                let ns = if *again == 0 { n.inclusive_ns } else { 0 };
                let (has_time, is_part) = (!n.untimed, n.untimed && n.calls > 0);
                let sum = Sum { ns, calls: n.calls, has_time, is_part, estimated: n.estimated };
                out.entry((caller, n.serial, n.line)).or_default().add(sum);
            }
            *again += 1;
            callers.push(n.serial);
        }
        todo.push((i, false));
        todo.extend(children[i].iter().map(|&c| (c, true)));
    }
    out
}
