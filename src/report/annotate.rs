//! The source with counts, times and statuses beside its lines.

use crate::flat::status;
use crate::safe;
use crate::table::{count, time};
use std::collections::BTreeMap;
use trueline_abi::profile::{Construct, Profile, Status};

/// Every file of the profile, annotated.
pub fn annotated(profile: &Profile) -> String {
    let mut out = String::new();
    for file in &profile.files {
        let Some(text) = &file.text else { continue };
        let mut by_line: BTreeMap<u32, Vec<&Construct>> = BTreeMap::new();
        for c in profile.constructs.iter().filter(|c| c.file == file.path) {
            by_line.entry(c.line).or_default().push(c);
        }
        out.push_str(&format!("{}\n", safe(&file.path)));
        out.push_str(&format!("{:>9} {:>14} {:>14}  {:>5}\n", "time", "count", "iterations", "line"));
        for (i, line) in text.lines().enumerate() {
            let number = i as u32 + 1;
            let here = by_line.get(&number).map_or(&[][..], Vec::as_slice);
            let first = here.first();
            let spent = first.and_then(|c| c.time).map_or(String::new(), |t| time(t.inclusive_ns));
            let times = count(first.and_then(|c| c.counts.invocations.or(c.counts.evaluations)));
            let iterations = first.map_or(String::new(), |c| match (&c.counts.iterations, &c.counts.taken) {
                (Some(n), _) => count(Some(*n)),
                (None, Some(arms)) => arms.iter().map(|&n| count(Some(n))).collect::<Vec<_>>().join("/"),
                _ => String::new(),
            });
            let row = format!("{spent:>9} {times:>14} {iterations:>14}  {number:>5}  {}", safe(line));
            out.push_str(row.trim_end());
            out.push('\n');
            for c in here {
                if !matches!(c.status, Status::Exact) {
                    out.push_str(&format!("{:>9} {:>14} {:>14}  {:>5}  ! {}\n", "", "", "", "", note(c)));
                }
            }
        }
        out.push('\n');
    }
    out
}

fn note(c: &Construct) -> String {
    match (&c.status, &c.reason) {
        (Status::Region | Status::ExactDerived, Some(reason)) => format!("{}: {}", c.status.word(), safe(reason)),
        _ => status(c),
    }
}
