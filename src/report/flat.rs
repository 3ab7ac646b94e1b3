//! The flat table: procedures, loops, or all constructs, most expensive first.

use crate::cells::Cells;
use crate::groups::{Groups, Merged};
use crate::index::{Index, bound, executions, is_loop, is_procedure, measure_of_executions};
use crate::safe;
use crate::table::{Style, Table, count, time, width};
use std::collections::BTreeMap;
use trueline_abi::profile::{Construct, Processor, Profile, Status, ThreadTime, Time};

/// The order of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SortKey {
    /// Time without nested timed constructs.
    #[default]
    Exclusive,
    /// Time with them.
    Inclusive,
    /// Invocations or evaluations.
    Count,
    /// The order of the source.
    Line,
}

/// The constructs that a flat table has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// All.
    #[default]
    All,
    /// Procedures and the main program.
    Procedures,
    /// Loops.
    Loops,
}

/// The options of the flat table.
#[derive(Clone, Debug, Default)]
pub struct FlatOptions {
    /// The order.
    pub sort: SortKey,
    /// The most rows.
    pub limit: Option<usize>,
    /// Only rows whose text, procedure or location contains this.
    pub matching: Option<String>,
    /// The constructs shown.
    pub scope: Scope,
}

/// The run in a sentence or two: how long it took, where time is missing, and the cost of measuring; then notes on the samples.
pub fn summary(profile: &Profile) -> String {
    summary_in(&Index::new(profile), Style::default())
}

/// The target, if it is not that of every profile: of a sum over several, or where the report is made on another machine.
fn targets(profile: &Profile) -> Option<String> {
    let target = profile.target.as_deref()?;
    if target.contains(',') {
        return Some(format!("the sum of runs on different processors ({})", safe(&target.replace(',', ", "))));
    }
    let architecture = target.split('-').next().unwrap_or_default();
    (architecture != std::env::consts::ARCH).then(|| format!("for {}", safe(architecture)))
}

/// As [`summary`], broken into lines that fit.
pub fn summary_in(index: &Index<'_>, style: Style) -> String {
    let profile = index.profile;
    let percent = |o: f64| format!("{:.2} %", o * 100.0);
    // Objects of other compilers have no known level.
    let level = match profile.opt_level.as_str() {
        "" => String::new(),
        level => format!(" at -{}", safe(level)),
    };
    let mut parts = vec![format!("Profile of {}{level}: {}", safe(&profile.program), elapsed(profile))];
    parts.extend(targets(profile));
    parts.extend(processor_time(profile));
    parts.extend(threads(index));
    parts.extend(outside(index).map(|part| format!("{} outside of timed constructs", percent(part))));
    parts.extend(crate::overhead::clause(profile));
    match &profile.ended_by {
        _ if profile.incomplete => parts.push("incomplete: the run was cut short".to_owned()),
        Some(signal) => parts.push(format!("ended by {}", safe(signal))),
        None => {}
    }
    let lost = profile.traces.iter().fold(0u64, |sum, t| sum.saturating_add(t.lost));
    if lost > 0 {
        parts.push(format!("{} events came after the trace was full", crate::table::count(Some(lost))));
    }
    let mut out = wrapped(&parts, style);
    out.push_str(&crate::overhead::comparison(&profile.overhead));
    for note in profile.samples.iter().flat_map(|s| &s.notes) {
        out.push_str(&format!("{}\n", safe(note)));
    }
    out
}

/// Parts of a sentence with commas between them, in lines that fit.
fn wrapped(parts: &[String], style: Style) -> String {
    let room = style.width.unwrap_or(usize::MAX).max(40);
    let mut out = String::new();
    let mut column = 0;
    for (i, part) in parts.iter().enumerate() {
        let comma = usize::from(i + 1 < parts.len());
        if column > 0 && column + 1 + width(part) + comma > room {
            out.push_str("\n  ");
            column = 2;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(part);
        column += width(part) + comma;
        if comma > 0 {
            out.push(',');
        }
    }
    out.push('\n');
    out
}

/// The elapsed time; for several runs, the longest and the sum.
fn elapsed(profile: &Profile) -> String {
    let clock = &profile.clock;
    // The time of a program that was killed is known up to its last probe.
    let least = if profile.incomplete { "at least " } else { "" };
    match (clock.runs, clock.longest_ns) {
        (Some(runs), Some(longest)) if runs > 1 => {
            format!("{least}{} elapsed in the longest of {runs} runs, {} in all", time(longest), time(clock.elapsed_ns))
        }
        _ => format!("{least}{} elapsed", time(clock.elapsed_ns)),
    }
}

/// If several threads ran constructs, how long they did together: percentages are of that.
fn threads(index: &Index<'_>) -> Option<String> {
    let runs = index.profile.clock.runs.unwrap_or(1) as usize;
    let n = crate::processors::ran(index.profile).count();
    // Threads that have samples only are no processors: it is not known how long they ran.
    let add = |sum: Option<u64>, p: &Processor| Some(sum?.saturating_add(p.elapsed_ns?));
    let known = crate::processors::ran(index.profile).fold(Some(0), add)?;
    let busy = index.profile.threads.iter().fold(0u64, |sum, t| sum.saturating_add(t.threads)) as usize;
    match index.whole() {
        whole if whole == known.max(1) => {
            (n > runs).then(|| format!("100 % is the {} of its {n} threads", time(whole)))
        }
        whole => (busy > runs).then(|| format!("100 % is the {} that its threads were in constructs", time(whole))),
    }
}

/// The part of the time of all threads that was in no timed construct.
fn outside(index: &Index<'_>) -> Option<f64> {
    let profile = index.profile;
    let ran: Vec<_> = crate::processors::ran(profile).collect();
    let sum = |f: fn(&Processor) -> Option<u64>| ran.iter().try_fold(0u64, |sum, p| Some(sum.saturating_add(f(p)?)));
    if let (true, Some(all), Some(outside)) = (ran.len() > 1, sum(|p| p.elapsed_ns), sum(|p| p.outside_ns)) {
        // The time of threads that have samples only is in no processor's.
        return (all == index.whole()).then(|| outside.min(all) as f64 / all as f64);
    }
    let elapsed = profile.clock.elapsed_ns;
    profile.unattributed_ns.filter(|_| elapsed > 0).map(|ns| ns as f64 / elapsed as f64)
}

/// The part of the elapsed time in which the threads used a processor, if that is not all of it: times of timers are
/// elapsed times, those of samples (`~`) processor times. A thread that only waited for the others is left out.
fn processor_time(profile: &Profile) -> Option<String> {
    let is_idle = |t: &&ThreadTime| t.cpu_ns as f64 <= 0.01 * t.wall_ns as f64;
    let all = profile.threads.len();
    let busy: Vec<&ThreadTime> = profile.threads.iter().filter(|t| all == 1 || !is_idle(t)).collect();
    let sum = |f: fn(&ThreadTime) -> u64| busy.iter().map(|t| f(t)).fold(0u64, u64::saturating_add);
    let (wall, cpu) = (sum(|t| t.wall_ns), sum(|t| t.cpu_ns));
    let used = cpu as f64 / wall.max(1) as f64;
    if wall == 0 || (used - 1.0).abs() <= 0.05 {
        return None;
    }
    let of = if busy.len() > 1 { " of its threads' time" } else { "" };
    let delay = match sum(|t| t.delay_ns) {
        ns if ns as f64 > 0.05 * wall as f64 => format!("; others had it for {}", time(ns)),
        _ => String::new(),
    };
    Some(format!("{} on a processor ({:.0} %{of}{delay})", time(cpu), used * 100.0))
}

/// The constructs that the options select, in their order.
pub fn rows<'a>(index: &Index<'a>, options: &FlatOptions) -> Vec<&'a Construct> {
    let mut rows: Vec<&Construct> = index.profile.constructs.iter().filter(|c| selected(c, options)).collect();
    rows.sort_by_cached_key(|c| (std::cmp::Reverse(sort_key(index.time(c), executions(c), options)), c.serial));
    rows.truncate(options.limit.unwrap_or(usize::MAX));
    rows
}

/// A row of a table: a construct, or several that were merged.
pub(crate) enum Row<'a, 'g> {
    /// A construct whose time is its own.
    One(&'a Construct),
    /// Constructs that share a row; the selected ones are shown below it.
    Merged(&'g Merged, Vec<&'a Construct>),
}

/// As [`rows`], with a row for the members of a group. In the order of the source each construct has its own.
pub(crate) fn grouped<'a, 'g>(index: &Index<'a>, groups: &'g Groups, options: &FlatOptions) -> Vec<Row<'a, 'g>> {
    let all = rows(index, &FlatOptions { limit: None, ..options.clone() });
    let mut out: Vec<(u64, u32, Row<'a, 'g>)> = Vec::new();
    let mut at: BTreeMap<u32, usize> = BTreeMap::new();
    for c in all {
        match groups.of(c.serial).filter(|_| options.sort != SortKey::Line) {
            None => out.push((sort_key(index.time(c), executions(c), options), c.serial, Row::One(c))),
            Some(group) => {
                let n = *at.entry(group.members[0]).or_insert_with(|| {
                    out.push((0, group.members[0], Row::Merged(group, Vec::new())));
                    out.len() - 1
                });
                out[n].0 = out[n].0.max(sort_key(group.time, executions(c), options));
                if let Row::Merged(_, members) = &mut out[n].2 {
                    members.push(c);
                }
            }
        }
    }
    out.sort_by_key(|(key, serial, _)| (std::cmp::Reverse(*key), *serial));
    out.truncate(options.limit.unwrap_or(usize::MAX));
    out.into_iter().map(|(_, _, row)| row).collect()
}

fn sort_key(time: Option<Time>, count: Option<u64>, options: &FlatOptions) -> u64 {
    match options.sort {
        SortKey::Exclusive => time.map_or(0, |t| t.exclusive_ns.saturating_add(1)),
        SortKey::Inclusive => time.map_or(0, |t| t.inclusive_ns.saturating_add(1)),
        SortKey::Count => count.unwrap_or(0),
        SortKey::Line => 0,
    }
}

/// The table.
pub fn flat(index: &Index<'_>, options: &FlatOptions, style: Style) -> String {
    table(index, options).render(style)
}

/// The table before it is drawn.
pub(crate) fn table(index: &Index<'_>, options: &FlatOptions) -> Table {
    let groups = Groups::new(index);
    let rows = grouped(index, &groups, options);
    let mut cells = Cells::new(index);
    for row in &rows {
        cells.push(row);
    }
    cells.table
}

/// The construct's text, indented.
pub(crate) fn indented(depth: usize, text: &str) -> String {
    format!("{}{text}", "  ".repeat(depth))
}

/// The text of a construct; a procedure is said to be one.
pub(crate) fn construct(c: &Construct) -> String {
    let text = shortened(&safe(&c.text), 52);
    if is_procedure(c) && !text.starts_with(c.kind.as_str()) { format!("{} {text}", safe(&c.kind)) } else { text }
}

fn selected(c: &Construct, options: &FlatOptions) -> bool {
    let in_scope = match options.scope {
        Scope::All => true,
        Scope::Procedures => is_procedure(c),
        Scope::Loops => is_loop(c),
    };
    in_scope
        && options.matching.as_ref().is_none_or(|m| {
            c.text.contains(m.as_str())
                || c.procedure.contains(m.as_str())
                || format!("{}:{}", c.file, c.line).contains(m.as_str())
        })
}

/// The count `measure` of a construct.
pub(crate) fn bounded(c: &Construct, measure: &str, n: Option<u64>) -> String {
    format!("{}{}", n.map_or("", |n| bound(c, measure, n)), count(n))
}

/// The executions of a construct.
pub(crate) fn executed(c: &Construct) -> String {
    bounded(c, measure_of_executions(c), executions(c))
}

/// The arms of a conditional; a bound is marked if it is the part of some ranks.
pub(crate) fn arms(c: &Construct) -> Option<Vec<String>> {
    let arm = |(k, &n): (usize, &u64)| {
        let mark = if c.counts.is_part_of_arm(k) { bound(c, &format!("taken.{k}"), n) } else { "" };
        format!("{mark}{}", count(Some(n)))
    };
    Some(c.counts.taken.as_ref()?.iter().enumerate().map(arm).collect())
}

/// The status with its lines or reason.
pub(crate) fn status(c: &Construct) -> String {
    let word = match (c.status, &c.reason) {
        (Status::Merged | Status::Eliminated | Status::Unavailable | Status::Bounded, Some(reason)) => {
            format!("{} {}", c.status.word(), safe(reason))
        }
        _ => c.status.word().to_owned(),
    };
    match &c.untimed {
        Some(why) => format!("{word}, {}", safe(why)),
        None => word,
    }
}

/// The text, cut to `most` characters.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most - 3).collect();
    format!("{cut}...")
}
