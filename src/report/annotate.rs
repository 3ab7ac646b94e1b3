//! The source with counts, times and statuses beside its lines.

use crate::flat::{arms, construct, executed, shortened, status};
use crate::groups::MOST_DEPTH;
use crate::index::{Index, bound, executions, measure_of_executions};
use crate::safe;
use crate::table::{Style, Tone, blanks, count, heat, time, width};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use trueline_abi::profile::{Construct, Status, Time};

/// The headings of the columns before the line numbers.
const HEADINGS: [&str; 3] = ["time", "count", "iterations"];

/// Every file of the profile, annotated.
pub fn annotated(index: &Index<'_>, style: Style) -> String {
    let mut out = String::new();
    annotate(index, style, &mut out);
    out
}

/// As [`annotated`], at the end of `out`.
pub(crate) fn annotate(index: &Index<'_>, style: Style, out: &mut String) {
    let profile = index.profile;
    let total = index.whole() as f64;
    let mut by_file: FxHashMap<&str, Vec<&Construct>> = FxHashMap::default();
    for c in &profile.constructs {
        by_file.entry(&c.file).or_default().push(c);
    }
    let mut seen = FxHashSet::default();
    for file in profile.files.iter().filter(|f| seen.insert(f.path.as_str())) {
        let Some(text) = &file.text else { continue };
        let mut constructs = by_file.remove(file.path.as_str()).unwrap_or_default();
        constructs.sort_by_key(|c| c.line);
        let lines = lines(index, &constructs[constructs.partition_point(|c| c.line == 0)..]);
        let widest = |k: usize| lines.values().map(|l| width(&l.cells[k])).max().unwrap_or(0);
        let widths = [0, 1, 2].map(|k| widest(k).max(width(HEADINGS[k])));
        out.push_str(&style.paint(Tone::Heading, &safe(&file.path)));
        out.push('\n');
        let mut heading = String::new();
        row(&HEADINGS.map(str::to_owned), &widths, "line", "", &mut heading);
        style.line(Tone::Heading, &heading, out);
        let indent = widths.iter().sum::<usize>() + 11;
        let mut line = String::new();
        for (number, source) in (1..).zip(text.lines()) {
            let here = lines.get(&number);
            line.clear();
            let empty = Default::default();
            row(here.map_or(&empty, |l| &l.cells), &widths, &number.to_string(), source, &mut line);
            style.line(heat(here.map_or(0.0, |l| l.time as f64 / total)), &line, out);
            for note in here.iter().flat_map(|l| &l.notes) {
                line.clear();
                blanks(indent, &mut line);
                line.push_str("! ");
                line.push_str(note);
                style.line(Tone::Faint, &line, out);
            }
        }
        out.push('\n');
    }
}

/// The figures of a line: sums over its statements.
#[derive(Default)]
struct Line {
    time: u64,
    cells: [String; 3],
    notes: Vec<String>,
}

/// The lines that have constructs, which are in the order of lines.
fn lines(index: &Index<'_>, constructs: &[&Construct]) -> BTreeMap<u32, Line> {
    constructs.chunk_by(|a, b| a.line == b.line).map(|here| (here[0].line, of_line(index, here))).collect()
}

fn of_line(index: &Index<'_>, here: &[&Construct]) -> Line {
    // The time of a statement in another one of the line is in that one's already.
    let serials: FxHashSet<u32> = here.iter().map(|c| c.serial).collect();
    let is_outer = |c: &&&Construct| {
        let mut around = std::iter::successors(c.parent, |&p| index.get(p)?.parent).take(MOST_DEPTH);
        !around.any(|p| serials.contains(&p))
    };
    let outer: Vec<&Construct> = here.iter().filter(is_outer).copied().collect();
    let times: Vec<Time> = outer.iter().filter_map(|c| index.time(c)).collect();
    let time_of_line = times.iter().fold(0u64, |sum, t| sum.saturating_add(t.inclusive_ns));
    let estimate = |is: bool| if is { "~" } else { "" };
    let add = |f: fn(&Construct) -> Option<u64>| {
        outer.iter().filter_map(|c| f(c)).fold(None, |sum: Option<u64>, n| Some(sum.unwrap_or(0).saturating_add(n)))
    };
    let marked = |f: fn(&Construct) -> Option<u64>, measure: fn(&Construct) -> &'static str| {
        let mut marks: Vec<&str> = outer.iter().filter_map(|c| Some(bound(c, measure(c), f(c)?))).collect();
        marks.retain(|m| !m.is_empty());
        marks.dedup();
        // A sum of bounds of different kinds is about right.
        let mark = if let [mark] = marks[..] {
            mark
        } else if marks.is_empty() {
            ""
        } else {
            "~ "
        };
        format!("{mark}{}", count(add(f)))
    };
    let of_arms = match outer.as_slice() {
        [c] => arms(c),
        _ => None,
    };
    let third = match (add(|c| c.counts.iterations), of_arms) {
        (None, Some(arms)) => shortened(&arms.join("/"), 40),
        _ => marked(|c| c.counts.iterations, |_| "iterations"),
    };
    let is_estimate = times.iter().any(|t| t.estimated);
    let spent =
        if times.is_empty() { String::new() } else { format!("{}{}", estimate(is_estimate), time(time_of_line)) };
    let mut notes: Vec<String> = Vec::new();
    for c in here {
        let word = (!matches!(c.status, Status::Exact) || c.untimed.is_some()).then(|| note(c));
        if here.len() == 1 {
            notes.extend(word);
            continue;
        }
        let spent = index.time(c);
        let spent = spent.map_or(String::new(), |t| format!(", {}{}", estimate(t.estimated), time(t.inclusive_ns)));
        let word = word.map_or(String::new(), |w| format!(", {w}"));
        notes.push(format!("{}: {}{spent}{word}", construct(c), executed(c)));
    }
    Line { time: time_of_line, cells: [spent, marked(executions, measure_of_executions), third], notes }
}

/// Cells to the right of their columns, the number of the line, and the line.
fn row(cells: &[String; 3], widths: &[usize; 3], number: &str, line: &str, out: &mut String) {
    for (cell, room) in cells.iter().zip(widths) {
        blanks(room.saturating_sub(width(cell)), out);
        out.push_str(cell);
        out.push(' ');
    }
    blanks(6usize.saturating_sub(number.len()).max(1), out);
    out.push_str(number);
    out.push_str("  ");
    out.push_str(&safe(line));
    out.truncate(out.trim_end().len());
}

fn note(c: &Construct) -> String {
    match (&c.status, &c.reason) {
        (Status::Region | Status::ExactDerived, Some(reason)) => {
            let untimed = c.untimed.as_deref().map_or(String::new(), |why| format!(", {}", safe(why)));
            format!("{}: {}{untimed}", c.status.word(), safe(reason))
        }
        _ => status(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;
    use trueline_abi::profile::{Profile, Time};

    fn with_two_statements() -> Profile {
        let mut p = sample();
        let at = p.constructs.iter().position(|c| c.serial == 2).unwrap();
        let time = |ns| Some(Time { inclusive_ns: ns, exclusive_ns: ns, ..Time::default() });
        let mut second = p.constructs[at].clone();
        (second.serial, second.text, second.time) = (3, "a(:) = 0".into(), time(20_000_000));
        (second.counts.invocations, second.counts.iterations) = (Some(5), None);
        p.constructs.insert(at + 1, second);
        p
    }

    #[test]
    fn a_line_with_several_statements_has_the_sum_and_tells_each() {
        let p = with_two_statements();
        let index = Index::new(&p);
        let text = annotated(&index, Style::default());
        let lines: Vec<&str> = text.lines().collect();
        let line = lines.iter().position(|l| l.contains("2 <b>")).unwrap();
        // 80 and 20 ms; 1 entry and 5.
        assert!(lines[line].trim_start().starts_with("100 ms     6      1,000"), "{text}");
        assert!(lines[line + 1].contains("! do i = 1, n: 1, 80.0 ms, REGION: "), "{text}");
        assert!(lines[line + 2].contains("! a(:) = 0: 5, 20.0 ms"), "{text}");
    }

    #[test]
    fn what_stands_in_another_statement_of_the_line_is_in_its_time() {
        let mut p = with_two_statements();
        let second = p.constructs.iter_mut().find(|c| c.serial == 3).unwrap();
        second.parent = Some(2);
        let index = Index::new(&p);
        let text = annotated(&index, Style::default());
        let line = text.lines().find(|l| l.contains("2 <b>")).unwrap();
        assert!(line.starts_with("80.0 ms     1      1,000"), "{text}");
    }
}
