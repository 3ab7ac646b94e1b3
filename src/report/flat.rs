//! The flat table: procedures and constructs, most expensive first.

use crate::safe;
use crate::table::{Table, count, time};
use trueline_abi::profile::{Construct, Profile, Status};

/// What to sort by.
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

/// How to make the flat table.
#[derive(Clone, Debug, Default)]
pub struct FlatOptions {
    /// The order.
    pub sort: SortKey,
    /// At most so many rows.
    pub limit: Option<usize>,
    /// Only rows whose text, procedure or location contains this.
    pub matching: Option<String>,
}

/// One line on the run.
pub fn summary(profile: &Profile) -> String {
    let overhead = profile.overhead.measured.map_or(String::new(), |o| format!(", measuring took {:.2} %", o * 100.0));
    let incomplete = if profile.incomplete { ", incomplete" } else { "" };
    format!(
        "Profile of {} at -{}: {} elapsed{overhead}{incomplete}\n",
        safe(&profile.program),
        safe(&profile.opt_level),
        time(profile.clock.elapsed_ns)
    )
}

/// The table.
pub fn flat(profile: &Profile, options: &FlatOptions) -> String {
    let total = profile.clock.elapsed_ns.max(1) as f64;
    let mut rows: Vec<&Construct> = profile.constructs.iter().filter(|c| selected(c, options)).collect();
    let key = |c: &Construct| match options.sort {
        SortKey::Exclusive => own_time(profile, c).map_or(0, |t| t.exclusive_ns + 1),
        SortKey::Inclusive => own_time(profile, c).map_or(0, |t| t.inclusive_ns + 1),
        SortKey::Count => c.counts.invocations.or(c.counts.evaluations).unwrap_or(0),
        SortKey::Line => 0,
    };
    rows.sort_by_key(|c| (std::cmp::Reverse(key(c)), c.serial));
    rows.truncate(options.limit.unwrap_or(usize::MAX));
    let mut table = Table::new(&[
        ("%", true),
        ("exclusive", true),
        ("inclusive", true),
        ("invocations", true),
        ("iterations", true),
        ("taken", true),
        ("status", false),
        ("line", false),
        ("construct", false),
    ]);
    for c in rows {
        let t = own_time(profile, c);
        table.push(vec![
            t.map_or(String::new(), |t| format!("{:.1}", t.exclusive_ns as f64 * 100.0 / total)),
            t.map_or(String::new(), |t| time(t.exclusive_ns)),
            t.map_or(String::new(), |t| time(t.inclusive_ns)),
            count(c.counts.invocations.or(c.counts.evaluations)),
            count(c.counts.iterations),
            taken(c),
            status(c),
            format!("{}:{}", safe(&c.file), c.line),
            construct(c),
        ]);
    }
    table.render()
}

/// The text of a construct; a procedure is said to be one.
fn construct(c: &Construct) -> String {
    let text = shortened(&safe(&c.text), 52);
    if matches!(c.kind.as_str(), "procedure" | "program") && !text.starts_with(c.kind.as_str()) {
        format!("{} {text}", c.kind)
    } else {
        text
    }
}

/// The time of a construct that has a timer; of a joint timer at the first construct only.
fn own_time(profile: &Profile, c: &Construct) -> Option<trueline_abi::profile::Time> {
    let first = c.merged_with.iter().all(|&m| m > c.serial);
    let joint_elsewhere = c.status == Status::Merged
        && !first
        && profile
            .constructs
            .iter()
            .any(|o| c.merged_with.contains(&o.serial) && o.serial < c.serial && o.time.is_some());
    if joint_elsewhere { None } else { c.time }
}

fn selected(c: &Construct, options: &FlatOptions) -> bool {
    options.matching.as_ref().is_none_or(|m| {
        c.text.contains(m.as_str())
            || c.procedure.contains(m.as_str())
            || format!("{}:{}", c.file, c.line).contains(m.as_str())
    })
}

fn taken(c: &Construct) -> String {
    let arms = c.counts.taken.iter().flatten().map(|&n| count(Some(n)));
    arms.collect::<Vec<_>>().join(" / ")
}

/// The status with its lines or reason.
pub(crate) fn status(c: &Construct) -> String {
    match (c.status, &c.reason) {
        (Status::Merged | Status::Eliminated | Status::Unavailable, Some(reason)) => {
            format!("{} {}", c.status.word(), safe(reason))
        }
        _ => c.status.word().to_owned(),
    }
}

pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most - 3).collect();
    format!("{cut}...")
}
