//! Chrome's trace events (JSON object format), as Perfetto reads them.
//!
//! A profile has sums, not moments: each node of the calling tree is one slice, laid out one after the other in the time of its
//! parent. Every processor is a track of its own with its six times; track numbers are unique over processes, or
//! Perfetto would join them.

use crate::index::Index;
use crate::processors::{CATEGORIES, values};
use crate::tree::{label, tree};
use serde_json::{Value, json};

pub(super) fn chrome(index: &Index<'_>) -> String {
    let profile = index.profile;
    let mut events = vec![
        json!({ "ph": "M", "name": "process_name", "pid": 1, "tid": 1, "args": { "name": profile.program } }),
        json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": { "name": "calling tree" } }),
    ];
    let nodes = tree(index);
    // Where the next child of each node begins; of the roots, at the end.
    let mut next: Vec<u64> = Vec::with_capacity(nodes.len());
    let mut roots = 0u64;
    for n in &nodes {
        let start = match n.parent {
            Some(p) => {
                let start = next[p];
                next[p] = start.saturating_add(n.total);
                start
            }
            None => {
                let start = roots;
                roots = roots.saturating_add(n.total);
                start
            }
        };
        next.push(start);
        let c = index.get(n.serial);
        events.push(json!({
            "ph": "X", "name": label(index, n.serial), "cat": c.map_or("", |c| &c.kind), "pid": 1, "tid": 1,
            "ts": microseconds(start), "dur": microseconds(n.total),
            "args": {
                "calls": n.calls, "own_ns": n.own, "estimated": n.estimated,
                "file": c.map_or("", |c| &c.file), "line": c.map_or(0, |c| c.line),
            },
        }));
    }
    processors(index, &mut events);
    super::compact(&json!({ "displayTimeUnit": "ns", "traceEvents": events }))
}

fn processors(index: &Index<'_>, events: &mut Vec<Value>) {
    for (i, p) in index.profile.processors.iter().enumerate() {
        let tid = 100 * (i as u64 + 1);
        let name = format!("node {} rank {} thread {}", p.node, p.rank, p.thread);
        events.push(json!({ "ph": "M", "name": "thread_name", "pid": 1, "tid": tid, "args": { "name": name } }));
        let Some(longest) = p.constructs.values().max_by_key(|c| c.elapsed) else { continue };
        let mut at = 0u64;
        for (category, ns) in CATEGORIES.iter().zip(values(longest)).skip(1).filter(|(_, ns)| *ns > 0) {
            events.push(json!({
                "ph": "X", "name": category, "cat": "processor", "pid": 1, "tid": tid,
                "ts": microseconds(at), "dur": microseconds(ns), "args": {},
            }));
            at = at.saturating_add(ns);
        }
    }
}

fn microseconds(ns: u64) -> f64 {
    ns as f64 / 1e3
}
