//! The tracefile of lcov (manual page geninfo(1)): counts of the lines with constructs, of procedures and of branches.

use crate::index::{Index, executions_of_all as executions, is_procedure};
use crate::safe;
use std::collections::BTreeMap;
use std::fmt::Write;
use trueline_abi::profile::Construct;

pub(super) fn lcov(index: &Index<'_>) -> String {
    let mut by_file: BTreeMap<&str, Vec<&Construct>> = BTreeMap::new();
    for c in index.profile.constructs.iter().filter(|c| !c.file.is_empty() && c.line > 0) {
        by_file.entry(&c.file).or_default().push(c);
    }
    let mut out = String::new();
    for (file, constructs) in by_file {
        let _ = writeln!(out, "TN:\nSF:{}", safe(file));
        procedures(&constructs, &mut out);
        branches(&constructs, &mut out);
        let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
        for c in &constructs {
            if let Some(n) = executions(c) {
                let most = lines.entry(c.line).or_default();
                *most = (*most).max(n);
            }
        }
        for (line, n) in &lines {
            let _ = writeln!(out, "DA:{line},{n}");
        }
        let hit = lines.values().filter(|&&n| n > 0).count();
        let _ = writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
    }
    out
}

fn procedures(constructs: &[&Construct], out: &mut String) {
    let list: Vec<(&Construct, u64)> =
        constructs.iter().filter(|c| is_procedure(c)).filter_map(|&c| Some((c, executions(c)?))).collect();
    for (c, _) in &list {
        let _ = writeln!(out, "FN:{},{}", c.line, safe(&c.text));
    }
    for (c, n) in &list {
        let _ = writeln!(out, "FNDA:{n},{}", safe(&c.text));
    }
    let _ = writeln!(out, "FNF:{}\nFNH:{}", list.len(), list.iter().filter(|(_, n)| *n > 0).count());
}

fn branches(constructs: &[&Construct], out: &mut String) {
    let (mut found, mut hit) = (0, 0);
    for (block, c) in constructs.iter().filter(|c| c.counts.taken.is_some()).enumerate() {
        let evaluated = c.counts.evaluations.is_none_or(|n| n > 0);
        for (branch, &n) in c.counts.taken.iter().flatten().enumerate().filter(|(k, _)| !c.counts.is_part_of_arm(*k)) {
            let taken = if evaluated { n.to_string() } else { "-".to_owned() };
            let _ = writeln!(out, "BRDA:{},{block},{branch},{taken}", c.line);
            found += 1;
            hit += u32::from(n > 0);
        }
    }
    let _ = writeln!(out, "BRF:{found}\nBRH:{hit}");
}
