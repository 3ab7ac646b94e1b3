//! Registers in inner loops: values from outside stay in them, whatever the procedure does before and behind the loop.

use crate::build::root;
use std::collections::BTreeMap;
use std::process::Command;

/// The innermost loops of assembly, as the lines from each label that a later jump leads back to.
fn innermost_loops(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let labels: BTreeMap<&str, usize> =
        lines.iter().enumerate().filter_map(|(n, l)| Some((l.strip_suffix(':')?, n))).collect();
    let mut last: BTreeMap<usize, usize> = BTreeMap::new();
    for (n, line) in lines.iter().enumerate().filter(|(_, l)| l.starts_with('j')) {
        let to = line.split_whitespace().last().and_then(|to| labels.get(to));
        if let Some(&first) = to.filter(|&&first| first <= n) {
            let end = last.entry(first).or_default();
            *end = n.max(*end);
        }
    }
    let holds = |(a, b): (usize, usize), (c, d): (usize, usize)| a < c && d <= b;
    let all: Vec<(usize, usize)> = last.into_iter().collect();
    let inner = all.iter().filter(|&&l| !all.iter().any(|&other| holds(l, other)));
    inner.map(|&(first, end)| lines[first..=end].to_vec()).collect()
}

#[test]
fn no_inner_loop_uses_the_stack() {
    let program = root().join("tests/run/optimizer/registers-of-loops.f90");
    let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
        .args(["dump", "--level", "asm", "-O3", "--target", "x86_64-unknown-linux-gnu"])
        .arg(&program)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    let loops = innermost_loops(&text);
    assert!(loops.len() > 10, "{} loops", loops.len());
    for l in loops {
        let on_stack: Vec<&&str> = l.iter().filter(|line| line.contains("(%rsp")).collect();
        assert!(on_stack.is_empty(), "{on_stack:?} in\n{}", l.join("\n"));
    }
}
