//! Chrome's trace events (JSON object format), as Perfetto reads them.
//!
//! A trace (`TRUELINE_TRACE`) is drawn as recorded: the constructs a thread entered and left, with their times. A profile without one
//! has sums, not moments: each node of the calling tree is one slice, laid out one after the other in the time of its
//! parent. Every processor is a track of its own with its six times; track numbers are unique over processes, or
//! Perfetto would join them.

use crate::index::Index;
use crate::processors::{CATEGORIES, values};
use crate::tree::{label, tree};
use serde_json::{Value, json};

pub(super) fn chrome(index: &Index<'_>) -> String {
    if index.profile.traces.is_empty() { sums(index) } else { traces(index) }
}

/// The traces: a process a rank, a track a thread.
fn traces(index: &Index<'_>) -> String {
    let profile = index.profile;
    let mut events = Vec::new();
    for t in &profile.traces {
        let (pid, tid) = (t.rank + 1, t.thread + 1);
        let name = format!("{} rank {}", profile.program, t.rank);
        events.push(json!({ "ph": "M", "name": "process_name", "pid": pid, "tid": tid, "args": { "name": name } }));
        let name = format!("thread {}", t.thread);
        events.push(json!({ "ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": { "name": name } }));
        let moments = t.moments().unwrap_or_default();
        let mut open = 0;
        let last = moments.last().map_or(0, |m| m.ns);
        for m in moments {
            let Some(c) = m.entered.and_then(|s| index.get(s)) else {
                open -= 1;
                events.push(json!({ "ph": "E", "pid": pid, "tid": tid, "ts": microseconds(m.ns) }));
                continue;
            };
            open += 1;
            events.push(json!({
                "ph": "B", "name": label(index, c.serial), "cat": c.kind, "pid": pid, "tid": tid,
                "ts": microseconds(m.ns), "args": { "file": c.file, "line": c.line },
            }));
        }
        // A construct that was never left was left at the end, or when the last event was kept.
        let end = if t.lost > 0 { last } else { last.max(profile.clock.elapsed_ns) };
        for _ in 0..open {
            events.push(json!({ "ph": "E", "pid": pid, "tid": tid, "ts": microseconds(end) }));
        }
    }
    super::compact(&json!({ "displayTimeUnit": "ns", "traceEvents": events }))
}

fn sums(index: &Index<'_>) -> String {
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
