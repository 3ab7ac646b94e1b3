//! The first look at a profile: the hottest constructs, the procedures with their loops, and advice.

use crate::advise::{Advice, advice, advice_text};
use crate::cells::{CPU, Cells};
use crate::flat::{FlatOptions, Row, grouped};
use crate::groups::Groups;
use crate::index::{Index, executions, is_procedure};
use crate::table::{Style, Table, Tone};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;
use trueline_abi::profile::{Construct, Time};

/// Rows of the first table.
const MOST_HOT: usize = 10;
/// A construct with less of the whole is not hot, unless it is among the first three.
const HOT: f64 = 0.005;
/// Procedures of the second table.
const MOST_PROCEDURES: usize = 10;
/// Loops of a procedure in the second table.
const MOST_LOOPS: usize = 6;
/// A loop with less of the whole is not shown below its procedure.
const WORTH_TELLING: f64 = 0.01;
/// Lines on processors.
const MOST_LINES: usize = 13;
/// Constructs that advice is given for.
const ADVISED: usize = 3;

/// The hottest constructs.
pub(crate) fn hottest(index: &Index<'_>, options: &FlatOptions) -> (Table, usize) {
    let groups = Groups::new(index);
    let all = grouped(index, &groups, &FlatOptions { limit: None, ..options.clone() });
    let is_asked = options.limit.is_some() || options.matching.is_some();
    let whole = index.whole() as f64;
    let is_hot = |n: usize, row: &Row<'_, '_>| {
        let t = row_time(index, row);
        is_asked || t.map_or(0, |t| t.exclusive_ns) as f64 >= HOT * whole || (n < 3 && t.is_some())
    };
    let mut cells = Cells::new(index);
    cells.is_brief = true;
    let most = options.limit.unwrap_or(MOST_HOT);
    let mut shown = 0;
    let is_timed = all.iter().any(|row| row_time(index, row).is_some());
    for (n, row) in all.iter().enumerate().take(most) {
        if is_hot(n, row) || !is_timed {
            cells.push(row);
            shown += 1;
        }
    }
    (cells.table, all.len() - shown)
}

fn row_time(index: &Index<'_>, row: &Row<'_, '_>) -> Option<Time> {
    match row {
        Row::One(c) => index.time(c),
        Row::Merged(group, _) => group.time,
    }
}

/// A procedure with all that stands in it.
struct Unit<'a> {
    procedure: &'a Construct,
    /// Exclusive times of all constructs in it, which no call is part of.
    own: Option<Time>,
    samples: u64,
    loops: Vec<&'a Construct>,
}

/// The procedures, each with its loops: the time of a procedure is that of all constructs in it, without calls.
pub(crate) fn procedures(index: &Index<'_>, options: &FlatOptions) -> Table {
    let mut units = units(index);
    let own = |u: &Unit<'_>| u.own.map_or(0, |t| t.exclusive_ns);
    let count = |u: &Unit<'_>| executions(u.procedure).unwrap_or(0);
    units.sort_by_key(|u| (std::cmp::Reverse((own(u), count(u))), u.procedure.serial));
    units.retain(|u| count(u) > 0 || u.own.is_some());
    if let Some(text) = &options.matching {
        units.retain(|u| u.procedure.text.contains(text.as_str()));
    }
    units.truncate(options.limit.unwrap_or(MOST_PROCEDURES));
    let least = index.whole() as f64 * WORTH_TELLING;
    let mut cells = Cells::headed(index, "procedure, loops");
    for u in units {
        let mut row = cells.row(u.procedure, 0);
        let inclusive = index.time(u.procedure).map(|t| t.inclusive_ns);
        if let Some(t) = u.own {
            let whole = Time { inclusive_ns: inclusive.unwrap_or(t.exclusive_ns).max(t.exclusive_ns), ..t };
            cells.times(&mut row, &whole, "");
        }
        row[CPU] = cells.processor_time(u.samples);
        cells.table.push_toned(row, cells.heat(u.own));
        let mut loops = u.loops;
        loops.retain(|c| index.time(c).is_some_and(|t| t.inclusive_ns as f64 >= least));
        loops.sort_by_key(|c| (std::cmp::Reverse(index.time(c).map_or(0, |t| t.exclusive_ns)), c.serial));
        loops.truncate(MOST_LOOPS);
        loops.sort_by_key(|c| c.serial);
        let shown: BTreeSet<u32> = loops.iter().map(|c| c.serial).collect();
        for c in loops {
            let parent = |s: &u32| index.get(*s).and_then(|c| c.parent);
            let depth = std::iter::successors(parent(&c.serial), parent).filter(|p| shown.contains(p)).count();
            cells.construct(c, depth + 1);
        }
    }
    cells.table
}

fn units<'a>(index: &Index<'a>) -> Vec<Unit<'a>> {
    let mut at: FxHashMap<u32, usize> = FxHashMap::default();
    let mut units: Vec<Unit<'a>> = Vec::new();
    for procedure in index.procedures() {
        at.insert(procedure.serial, units.len());
        units.push(Unit { procedure, own: None, samples: 0, loops: Vec::new() });
    }
    let mut squares = vec![0.0; units.len()];
    for c in &index.profile.constructs {
        let Some(&n) = at.get(&index.procedure_of(c.serial)) else { continue };
        let u = &mut units[n];
        u.samples = u.samples.saturating_add(c.samples.map_or(0, |s| s.exclusive));
        if let Some(t) = index.time(c) {
            let own = u.own.get_or_insert_default();
            own.exclusive_ns = own.exclusive_ns.saturating_add(t.exclusive_ns);
            if t.estimated && t.exclusive_ns > 0 {
                own.estimated = true;
                squares[n] += (t.error_ns as f64).powi(2);
            }
        }
        if !is_procedure(c) && c.counts.taken.is_none() {
            u.loops.push(c);
        }
    }
    for (u, squares) in units.iter_mut().zip(squares) {
        if let Some(own) = &mut u.own {
            own.error_ns = squares.sqrt().round() as u64;
        }
    }
    units
}

/// The first look: the hottest constructs, their procedures, and advice on the first three.
pub fn brief(index: &Index<'_>, options: &FlatOptions, style: Style) -> String {
    let mut out = first(index, options, style);
    out.push_str(&last(index, style));
    out
}

/// The run, the hottest constructs, the procedures, and the processors if there are several.
pub(crate) fn first(index: &Index<'_>, options: &FlatOptions, style: Style) -> String {
    let mut out = crate::flat::summary_in(index, style);
    heading("Hottest constructs", style, &mut out);
    let (table, hidden) = hottest(index, options);
    table.render_to(style, &mut out);
    if hidden > 0 {
        let _ = writeln!(out, "({hidden} more: trueline report --view statements)");
    }
    let table = procedures(index, options);
    if !table.is_empty() {
        heading("Procedures with their loops, without the procedures they call", style, &mut out);
        table.render_to(style, &mut out);
    }
    let processors = crate::processors_text(index, style);
    if !processors.is_empty() {
        heading("Processors", style, &mut out);
        for line in processors.lines().take(MOST_LINES) {
            let _ = writeln!(out, "{line}");
        }
        if processors.lines().count() > MOST_LINES {
            out.push_str("(more: trueline report --view processors)\n");
        }
    }
    out
}

/// Advice on the hottest constructs, if anything was timed.
pub(crate) fn last(index: &Index<'_>, style: Style) -> String {
    let mut out = String::new();
    let advice: Vec<Advice> = advice(index, ADVISED, crate::advise::WORTH_TELLING);
    if !advice.is_empty() {
        heading("Advice", style, &mut out);
        out.push_str(&advice_text(&advice, style));
    }
    out
}

fn heading(text: &str, style: Style, out: &mut String) {
    out.push('\n');
    style.line(Tone::Heading, text, out);
}
