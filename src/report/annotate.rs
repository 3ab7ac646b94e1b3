//! The source with counts, times and statuses beside its lines.

use crate::flat::{bounded, shortened, status};
use crate::index::{Index, executions};
use crate::safe;
use crate::table::{Style, Tone, count, heat, time};
use std::collections::{BTreeMap, HashMap};
use trueline_abi::profile::{Construct, Status};

/// Every file of the profile, annotated.
pub fn annotated(index: &Index<'_>, style: Style) -> String {
    let profile = index.profile;
    let total = profile.clock.elapsed_ns.max(1) as f64;
    let mut by_file: HashMap<&str, BTreeMap<u32, Vec<&Construct>>> = HashMap::new();
    for c in &profile.constructs {
        by_file.entry(&c.file).or_default().entry(c.line).or_default().push(c);
    }
    let mut out = String::new();
    let mut seen = std::collections::BTreeSet::new();
    for file in profile.files.iter().filter(|f| seen.insert(f.path.as_str())) {
        let Some(text) = &file.text else { continue };
        let by_line = by_file.get(file.path.as_str());
        out.push_str(&style.paint(Tone::Heading, &safe(&file.path)));
        let heading = format!("{:>9} {:>14} {:>14}  {:>5}", "time", "count", "iterations", "line");
        out.push_str(&format!("\n{}\n", style.paint(Tone::Heading, &heading)));
        for (i, line) in text.lines().enumerate() {
            let number = i as u32 + 1;
            let here = by_line.and_then(|l| l.get(&number)).map_or(&[][..], Vec::as_slice);
            let share = here.first().and_then(|c| index.time(c)).map_or(0.0, |t| t.inclusive_ns as f64 / total);
            out.push_str(&style.paint(heat(share), &style.fit(&row(index, here.first().copied(), number, line))));
            out.push('\n');
            for c in here.iter().filter(|c| !matches!(c.status, Status::Exact)) {
                let text = format!("{:>9} {:>14} {:>14}  {:>5}  ! {}", "", "", "", "", note(c));
                out.push_str(&style.paint(Tone::Faint, &style.fit(&text)));
                out.push('\n');
            }
        }
        out.push('\n');
    }
    out
}

fn row(index: &Index<'_>, first: Option<&Construct>, number: u32, line: &str) -> String {
    let spent = first.and_then(|c| index.time(c)).map_or(String::new(), |t| time(t.inclusive_ns));
    let times = first.map_or(String::new(), |c| bounded(c, executions(c)));
    let iterations = first.map_or(String::new(), |c| match (&c.counts.iterations, &c.counts.taken) {
        (Some(n), _) => bounded(c, Some(*n)),
        (None, Some(arms)) => shortened(&arms.iter().map(|&n| count(Some(n))).collect::<Vec<_>>().join("/"), 40),
        _ => String::new(),
    });
    let mut row = format!("{spent:>9} {times:>14} {iterations:>14}  {number:>5}  {}", safe(line));
    row.truncate(row.trim_end().len());
    row
}

fn note(c: &Construct) -> String {
    match (&c.status, &c.reason) {
        (Status::Region | Status::ExactDerived, Some(reason)) => format!("{}: {}", c.status.word(), safe(reason)),
        _ => status(c),
    }
}
