//! The source with counts, times and statuses beside its lines.

use crate::flat::{bounded, shortened, status};
use crate::index::{Index, executions};
use crate::safe;
use crate::table::{Style, Tone, blanks, count, heat, time, width};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_abi::profile::{Construct, Status};

/// The columns before the line numbers: time, count, iterations.
const WIDTHS: [usize; 3] = [9, 14, 14];

/// Every file of the profile, annotated.
pub fn annotated(index: &Index<'_>, style: Style) -> String {
    let mut out = String::new();
    annotate(index, style, &mut out);
    out
}

/// As [`annotated`], at the end of `out`.
pub(crate) fn annotate(index: &Index<'_>, style: Style, out: &mut String) {
    let profile = index.profile;
    let total = profile.clock.elapsed_ns.max(1) as f64;
    let mut by_file: FxHashMap<&str, Vec<&Construct>> = FxHashMap::default();
    for c in &profile.constructs {
        by_file.entry(&c.file).or_default().push(c);
    }
    let mut seen = FxHashSet::default();
    let mut line = String::new();
    for file in profile.files.iter().filter(|f| seen.insert(f.path.as_str())) {
        let Some(text) = &file.text else { continue };
        let mut constructs = by_file.remove(file.path.as_str()).unwrap_or_default();
        constructs.sort_by_key(|c| c.line);
        let mut left = &constructs[constructs.partition_point(|c| c.line == 0)..];
        out.push_str(&style.paint(Tone::Heading, &safe(&file.path)));
        let heading = format!("{:>9} {:>14} {:>14}  {:>5}", "time", "count", "iterations", "line");
        out.push_str(&format!("\n{}\n", style.paint(Tone::Heading, &heading)));
        for (number, source) in (1..).zip(text.lines()) {
            let here = left.iter().take_while(|c| c.line == number).count();
            let (here, rest) = left.split_at(here);
            left = rest;
            let share = here.first().and_then(|c| index.time(c)).map_or(0.0, |t| t.inclusive_ns as f64 / total);
            line.clear();
            row(index, here.first().copied(), number, source, &mut line);
            style.line(heat(share), &line, out);
            for c in here.iter().filter(|c| !matches!(c.status, Status::Exact)) {
                line.clear();
                blanks(WIDTHS.iter().sum::<usize>() + 9, &mut line);
                line.push_str("  ! ");
                line.push_str(&note(c));
                style.line(Tone::Faint, &line, out);
            }
        }
        out.push('\n');
    }
}

/// The line with what is measured at its first construct.
fn row(index: &Index<'_>, first: Option<&Construct>, number: u32, line: &str, out: &mut String) {
    if let Some(c) = first {
        let spent = index.time(c).map_or(String::new(), |t| time(t.inclusive_ns));
        let iterations = match (&c.counts.iterations, &c.counts.taken) {
            (Some(n), _) => bounded(c, Some(*n)),
            (None, Some(arms)) => shortened(&arms.iter().map(|&n| count(Some(n))).collect::<Vec<_>>().join("/"), 40),
            _ => String::new(),
        };
        for (cell, room) in [spent, bounded(c, executions(c)), iterations].iter().zip(WIDTHS) {
            blanks(room.saturating_sub(width(cell)), out);
            out.push_str(cell);
            out.push(' ');
        }
    } else {
        blanks(WIDTHS.iter().sum::<usize>() + WIDTHS.len(), out);
    }
    let number = number.to_string();
    blanks(6usize.saturating_sub(number.len()).max(1), out);
    out.push_str(&number);
    out.push_str("  ");
    out.push_str(&safe(line));
    out.truncate(out.trim_end().len());
}

fn note(c: &Construct) -> String {
    match (&c.status, &c.reason) {
        (Status::Region | Status::ExactDerived, Some(reason)) => format!("{}: {}", c.status.word(), safe(reason)),
        _ => status(c),
    }
}
