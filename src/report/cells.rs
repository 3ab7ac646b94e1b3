//! The rows of the tables of constructs: which figures a construct or group shows, and how.
//!
//! Line and construct come first and are always seen; the status comes last and is short. An estimate is marked `~`, and has its
//! standard error beside it; a figure that was not measured is blank.

use crate::flat::{Row, arms, bounded, construct, executed, indented, shortened};
use crate::groups::Merged;
use crate::index::Index;
use crate::safe;
use crate::table::{Column, Table, Tone, heat, time};
use crate::unmix::Shares;
use trueline_abi::profile::{Construct, Status, Time};

/// The places of the figures in a row.
pub(crate) const LINE: usize = 0;
/// The construct's text.
pub(crate) const CONSTRUCT: usize = 1;
/// The part of the whole that its exclusive time is.
pub(crate) const PERCENT: usize = 2;
/// Exclusive time.
pub(crate) const EXCLUSIVE: usize = 3;
/// The standard error of the exclusive time.
pub(crate) const ERROR: usize = 4;
/// Inclusive time.
pub(crate) const INCLUSIVE: usize = 5;
/// Processor time.
pub(crate) const CPU: usize = 6;
/// Calls, entries or evaluations.
pub(crate) const COUNT: usize = 7;
/// Iterations.
const ITERATIONS: usize = 8;
const TRIPS: usize = 9;
const TAKEN: usize = 10;
/// The status.
pub(crate) const STATUS: usize = 11;
const COLUMNS: usize = 12;

/// The number of members of a group that are shown, if not all are wanted.
const MOST_MEMBERS: usize = 4;

/// A table of constructs that is being made.
pub(crate) struct Cells<'a, 'i> {
    pub(crate) table: Table,
    index: &'i Index<'a>,
    shares: Shares<'i>,
    /// Whether only some members of large groups are shown.
    pub(crate) is_brief: bool,
}

impl<'a, 'i> Cells<'a, 'i> {
    pub(crate) fn new(index: &'i Index<'a>) -> Cells<'a, 'i> {
        Cells { table: Table::with(columns("construct")), index, shares: Shares::new(index), is_brief: false }
    }

    /// With another heading over the constructs.
    pub(crate) fn headed(index: &'i Index<'a>, heading: &'static str) -> Cells<'a, 'i> {
        Cells { table: Table::with(columns(heading)), ..Cells::new(index) }
    }

    /// A construct, or a group and its members.
    pub(crate) fn push(&mut self, row: &Row<'_, '_>) {
        match row {
            Row::One(c) => self.construct(c, 0),
            Row::Merged(group, members) => self.group(group, members, 0),
        }
    }

    /// A construct, and the time in other code that was called from it.
    pub(crate) fn construct(&mut self, c: &Construct, depth: usize) {
        let row = self.row(c, depth);
        self.table.push_toned(row, self.heat(self.index.time(c)));
        self.foreign(c, depth);
    }

    /// Constructs whose time is joint, and the estimated share of each.
    pub(crate) fn group(&mut self, group: &Merged, selected: &[&Construct], depth: usize) {
        let all: Vec<&Construct> = group.members.iter().filter_map(|&m| self.index.get(m)).collect();
        let named = group.innermost(self.index);
        let Some(&first) = named.first() else { return };
        let mut row = vec![String::new(); COLUMNS];
        row[LINE] = place(first, &lines(&named));
        let mut texts: Vec<String> = named.iter().map(|c| construct(c)).collect();
        texts.dedup();
        row[CONSTRUCT] = indented(depth, &shortened(&texts.join("; "), 60));
        if let Some(t) = group.time {
            self.times(&mut row, &t, "");
            let samples = all.iter().filter_map(|c| c.samples).fold(0u64, |n, s| n.saturating_add(s.exclusive));
            row[CPU] = self.processor_time(samples);
        }
        row[STATUS] = format!("merged {}", lines(&named));
        self.table.push_toned(row, self.heat(group.time));
        let mut members: Vec<&Construct> = selected.to_vec();
        if self.is_brief {
            members.retain(|c| self.index.time(c).is_some_and(|t| t.exclusive_ns > 0));
            members.sort_by_key(|c| (std::cmp::Reverse(self.index.time(c).map_or(0, |t| t.exclusive_ns)), c.serial));
            members.truncate(MOST_MEMBERS);
        }
        members.sort_by_key(|c| c.serial);
        for c in members {
            let mut row = self.row(c, depth + 1);
            row[STATUS] = self.shares.of(c).map_or_else(String::new, |share| share.brief());
            for k in [PERCENT, EXCLUSIVE, INCLUSIVE] {
                if !row[k].is_empty() && !row[k].starts_with('~') {
                    row[k].insert(0, '~');
                }
            }
            self.table.push_toned(row, Tone::Faint);
            self.foreign(c, depth + 1);
        }
    }

    /// The cells of a construct.
    pub(crate) fn row(&self, c: &Construct, depth: usize) -> Vec<String> {
        let mut row = vec![String::new(); COLUMNS];
        if c.line != 0 {
            row[LINE] = place(c, &c.line.to_string());
        }
        row[CONSTRUCT] = indented(depth, &construct(c));
        if let Some(t) = self.index.time(c) {
            self.times(&mut row, &t, least(c));
            row[CPU] = self.processor_time(c.samples.map_or(0, |s| s.exclusive));
        }
        row[COUNT] = executed(c);
        row[ITERATIONS] = bounded(c, "iterations", c.counts.iterations);
        row[TRIPS] = trips(c);
        row[TAKEN] = taken(c);
        row[STATUS] = brief_status(self.index, c);
        row
    }

    /// The figures of a time. `mark` stands before those of a timer that did not see all.
    pub(crate) fn times(&self, row: &mut [String], t: &Time, mark: &str) {
        let share = t.exclusive_ns as f64 / self.index.whole() as f64;
        let is_sampled = t.estimated || t.error_ns > 0;
        row[PERCENT] = format!("{:.1}", share * 100.0);
        row[EXCLUSIVE] = format!("{}{}", if is_sampled { "~" } else { mark }, time(t.exclusive_ns));
        row[INCLUSIVE] = format!("{}{}", if t.estimated { "~" } else { mark }, time(t.inclusive_ns));
        if t.error_ns > 0 && t.exclusive_ns > 0 {
            row[ERROR] = format!("±{}", time(t.error_ns));
        }
    }

    /// The processor time that `samples` samples stand for.
    pub(crate) fn processor_time(&self, samples: u64) -> String {
        let period = self.index.profile.samples.as_ref().map_or(0, |s| s.period_ns);
        if samples == 0 { String::new() } else { format!("~{}", time(samples.saturating_mul(period))) }
    }

    /// The tone of a row with that time.
    pub(crate) fn heat(&self, t: Option<Time>) -> Tone {
        heat(t.map_or(0.0, |t| t.exclusive_ns as f64 / self.index.whole() as f64))
    }

    /// Parts of the row above: code that is not profiled.
    fn foreign(&mut self, c: &Construct, depth: usize) {
        let least = self.index.whole() as f64 * 0.001;
        for f in c.foreign.iter().filter(|f| f.ns as f64 >= least) {
            let mut row = vec![String::new(); COLUMNS];
            row[EXCLUSIVE] = format!("~{}", time(f.ns));
            row[CONSTRUCT] = indented(depth + 1, &format!("in {}", shortened(&safe(&f.name), 40)));
            self.table.push_toned(row, Tone::Faint);
        }
    }
}

/// The columns, with the heading over the constructs.
fn columns(heading: &'static str) -> Vec<Column> {
    vec![
        Column::place("line", 0, 18).or_tight(12),
        Column::text(heading, 0, 22).or_tight(16),
        Column::number("%", 0),
        Column::number("exclusive", 0),
        Column::number("error", 7),
        Column::number("inclusive", 6),
        Column::number("CPU", 3),
        Column::number("count", 4),
        Column::number("iterations", 5),
        Column::number("trips", 1),
        Column::number("taken", 2),
        Column::text("status", 8, 12).or_tight(8),
    ]
}

/// File and line.
pub(crate) fn place(c: &Construct, line: &str) -> String {
    format!("{}:{line}", safe(&c.file))
}

/// The lines of constructs that belong together, as in `28+34`.
pub(crate) fn lines(all: &[&Construct]) -> String {
    let mut lines: Vec<u32> = all.iter().map(|c| c.line).collect();
    lines.sort_unstable();
    lines.dedup();
    lines.iter().map(u32::to_string).collect::<Vec<_>>().join("+")
}

/// Why a time of a timer is not all that there was: it was stopped, or calls were inlined.
fn least(c: &Construct) -> &'static str {
    if matches!(c.untimed.as_deref(), Some("throttled" | "partly inlined")) { "> " } else { "" }
}

/// The status in few words; why there is no time comes first.
pub(crate) fn brief_status(index: &Index<'_>, c: &Construct) -> String {
    let reason = c.reason.as_deref().map(safe).unwrap_or_default();
    let word = match c.status {
        Status::Exact => "exact".to_owned(),
        Status::ExactDerived => match &*reason {
            "" | "transformed" => "derived".to_owned(),
            r if r.starts_with("counted by tallies") => "derived".to_owned(),
            r => r.split(": ").next().unwrap_or(r).to_owned(),
        },
        Status::Merged => {
            let all: Vec<u32> = c.merged_with.iter().copied().chain([c.serial]).collect();
            format!("merged {}", lines(&crate::groups::peers(index, &all, c)))
        }
        status => {
            let word = status.word().to_lowercase();
            let reason = reason.strip_prefix("by ").unwrap_or(&reason);
            if reason.is_empty() { word } else { format!("{word}: {reason}") }
        }
    };
    match &c.untimed {
        Some(why) if word == "exact" || word == **why => safe(why).into_owned(),
        Some(why) => format!("{}; {word}", safe(why)),
        None => word,
    }
}

/// The iterations of the entries, if they were counted.
fn trips(c: &Construct) -> String {
    crate::trips::describe(&c.counts).unwrap_or_default()
}

fn taken(c: &Construct) -> String {
    shortened(&arms(c).unwrap_or_default().join(" / "), 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    #[test]
    fn statuses_are_short() {
        let p = sample();
        let index = Index::new(&p);
        let brief = |change: &dyn Fn(&mut Construct)| {
            let mut c = p.constructs[1].clone();
            change(&mut c);
            brief_status(&index, &c)
        };
        assert_eq!(brief(&|c| c.reason = Some("unrolled by 4".into())), "region: unrolled by 4");
        assert_eq!(brief(&|c| (c.status, c.merged_with) = (Status::Merged, vec![8])), "merged 2+12");
        assert_eq!(brief(&|c| (c.status, c.untimed) = (Status::Exact, Some("paused".into()))), "paused");
        let filtered = |c: &mut Construct| {
            (c.status, c.reason, c.untimed) = (Status::ExactDerived, Some("unrolled".into()), Some("filtered".into()));
        };
        assert_eq!(brief(&filtered), "filtered; unrolled");
        assert_eq!(brief_status(&index, &p.constructs[4]), "eliminated: dce: its result is never used");
    }
}
