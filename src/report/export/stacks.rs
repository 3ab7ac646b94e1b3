//! Stacks with weights: speedscope's file format and the folded stacks of flame graphs.

use crate::index::Index;
use crate::tree::{TreeNode, label, tree};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The nodes from the root to `at`.
fn path(nodes: &[TreeNode], at: usize) -> Vec<usize> {
    let mut out: Vec<usize> = std::iter::successors(Some(at), |&n| nodes[n].parent).collect();
    out.reverse();
    out
}

/// `frame;frame;frame nanoseconds`, one stack a line.
pub(super) fn folded(index: &Index<'_>) -> String {
    let nodes = tree(index);
    let mut out = String::new();
    for (i, n) in nodes.iter().enumerate().filter(|(_, n)| n.own > 0) {
        let frames: Vec<String> =
            path(&nodes, i).iter().map(|&k| label(index, nodes[k].serial).replace(';', ",")).collect();
        let _ = writeln!(out, "{} {}", frames.join(";"), n.own);
    }
    out
}

/// One sampled profile with weights in nanoseconds (speedscope, `file-format-schema.json`).
pub(super) fn speedscope(index: &Index<'_>) -> String {
    let nodes = tree(index);
    let mut frames = Vec::new();
    let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
    for n in &nodes {
        numbers.entry(n.serial).or_insert_with(|| {
            let c = index.get(n.serial);
            frames.push(json!({
                "name": label(index, n.serial), "file": c.map_or("", |c| &c.file), "line": c.map_or(0, |c| c.line),
                "col": c.map_or(0, |c| c.column),
            }));
            frames.len() - 1
        });
    }
    let timed: Vec<usize> = (0..nodes.len()).filter(|&i| nodes[i].own > 0).collect();
    let samples: Vec<Vec<usize>> =
        timed.iter().map(|&i| path(&nodes, i).iter().map(|&k| numbers[&nodes[k].serial]).collect()).collect();
    let weights: Vec<u64> = timed.iter().map(|&i| nodes[i].own).collect();
    let total = weights.iter().fold(0u64, |a, &b| a.saturating_add(b));
    super::compact(&json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "trueline", "name": index.profile.program, "activeProfileIndex": 0,
        "shared": { "frames": frames },
        "profiles": [{
            "type": "sampled", "name": index.profile.program, "unit": "nanoseconds", "startValue": 0, "endValue": total,
            "samples": samples, "weights": weights,
        }],
    }))
}
