//! The flat table: procedures, loops, or all constructs, most expensive first.

use crate::index::{Index, bound, executions, is_loop, is_procedure};
use crate::safe;
use crate::table::{Style, Table, Tone, count, heat, time, width};
use crate::unmix::Shares;
use trueline_abi::profile::{Construct, Profile, Status, ThreadTime, Time};

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

/// Which constructs a flat table has.
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

/// How to make the flat table.
#[derive(Clone, Debug, Default)]
pub struct FlatOptions {
    /// The order.
    pub sort: SortKey,
    /// At most so many rows.
    pub limit: Option<usize>,
    /// Only rows whose text, procedure or location contains this.
    pub matching: Option<String>,
    /// Which constructs.
    pub scope: Scope,
}

/// One line on the run.
pub fn summary(profile: &Profile) -> String {
    let percent = |o: f64| format!("{:.2} %", o * 100.0);
    let overhead = crate::overhead::clause(profile);
    let outside = profile.unattributed_ns.filter(|_| profile.clock.elapsed_ns > 0).map_or(String::new(), |ns| {
        format!(", {} outside of timed constructs", percent(ns as f64 / profile.clock.elapsed_ns as f64))
    });
    let incomplete = match &profile.ended_by {
        _ if profile.incomplete => ", incomplete: the run was cut short".to_owned(),
        Some(signal) => format!(", ended by {}", safe(signal)),
        None => String::new(),
    };
    // Of objects of other compilers that is not known.
    let level = match profile.opt_level.as_str() {
        "" => String::new(),
        level => format!(" at -{}", safe(level)),
    };
    let lost = profile.traces.iter().fold(0u64, |sum, t| sum.saturating_add(t.lost));
    let lost = if lost > 0 {
        format!(", {} events came after the trace was full", crate::table::count(Some(lost)))
    } else {
        String::new()
    };
    // The time of a program that was killed is known up to its last probe.
    let least = if profile.incomplete { "at least " } else { "" };
    let mut out = format!(
        "Profile of {}{level}: {least}{} elapsed{}{outside}{overhead}{incomplete}{lost}\n",
        safe(&profile.program),
        time(profile.clock.elapsed_ns),
        processor_time(profile)
    );
    out.push_str(&crate::overhead::comparison(&profile.overhead));
    for note in profile.samples.iter().flat_map(|s| &s.notes) {
        out.push_str(&format!("{}\n", safe(note)));
    }
    out
}

/// How much of the elapsed time the threads used a processor, if that is not all of it: times of timers are elapsed times,
/// those of samples (`~`) processor times.
fn processor_time(profile: &Profile) -> String {
    let sum = |f: fn(&ThreadTime) -> u64| profile.threads.iter().map(f).fold(0u64, u64::saturating_add);
    let (wall, cpu) = (sum(|t| t.wall_ns), sum(|t| t.cpu_ns));
    let used = cpu as f64 / wall.max(1) as f64;
    if wall == 0 || (used - 1.0).abs() <= 0.05 {
        return String::new();
    }
    let of = if profile.threads.len() > 1 { " of its threads' time" } else { "" };
    let delay = match sum(|t| t.delay_ns) {
        ns if ns as f64 > 0.05 * wall as f64 => format!("; others had it for {}", time(ns)),
        _ => String::new(),
    };
    format!(", {} on a processor ({:.0} %{of}{delay})", time(cpu), used * 100.0)
}

/// The constructs that the options select, in their order.
pub fn rows<'a>(index: &Index<'a>, options: &FlatOptions) -> Vec<&'a Construct> {
    let mut rows: Vec<&Construct> = index.profile.constructs.iter().filter(|c| selected(c, options)).collect();
    let key = |c: &Construct| match options.sort {
        SortKey::Exclusive => index.time(c).map_or(0, |t| t.exclusive_ns.saturating_add(1)),
        SortKey::Inclusive => index.time(c).map_or(0, |t| t.inclusive_ns.saturating_add(1)),
        SortKey::Count => executions(c).unwrap_or(0),
        SortKey::Line => 0,
    };
    rows.sort_by_cached_key(|c| (std::cmp::Reverse(key(c)), c.serial));
    rows.truncate(options.limit.unwrap_or(usize::MAX));
    rows
}

/// The table.
pub fn flat(index: &Index<'_>, options: &FlatOptions, style: Style) -> String {
    table(index, options).render(style)
}

/// The table before it is drawn.
pub(crate) fn table(index: &Index<'_>, options: &FlatOptions) -> Table {
    let total = index.profile.clock.elapsed_ns.max(1) as f64;
    let mut table = Table::new(&[
        ("%", true),
        ("exclusive", true),
        ("inclusive", true),
        ("invocations", true),
        ("iterations", true),
        ("trips", true),
        ("taken", true),
        ("status", false),
        ("line", false),
        ("construct", false),
    ]);
    let shares = Shares::new(index);
    for c in rows(index, options) {
        let t = index.time(c);
        let share = t.map_or(0.0, |t| t.exclusive_ns as f64 / total);
        let row = vec![
            t.map_or(String::new(), |_| format!("{:.1}", share * 100.0)),
            t.map_or(String::new(), |t| marked(c, &t, t.exclusive_ns, t.error_ns > 0)),
            t.map_or(String::new(), |t| marked(c, &t, t.inclusive_ns, false)),
            bounded(c, executions(c)),
            bounded(c, c.counts.iterations),
            trips(c),
            taken(c),
            shares.of(c).map_or_else(|| status(c), |share| format!("{}: {share}", status(c))),
            if c.line == 0 { String::new() } else { format!("{}:{}", safe(&c.file), c.line) },
            construct(c),
        ];
        table.push_toned(row, heat(share));
        for f in c.foreign.iter().filter(|f| f.ns as f64 >= total * 0.001) {
            // Part of the row above: code that is not profiled.
            let mut row = vec![String::new(); 10];
            row[1] = format!("~{}", time(f.ns));
            row[9] = format!("  in {}", shortened(&safe(&f.name), 40));
            table.push_toned(row, Tone::Faint);
        }
    }
    table
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

/// The fewest and the most iterations of one entry, where that was counted.
fn trips(c: &Construct) -> String {
    match (c.counts.min_trips, c.counts.max_trips) {
        (Some(min), Some(max)) if min == max => count(Some(min)),
        (Some(min), Some(max)) => format!("{}..{}", count(Some(min)), count(Some(max))),
        _ => String::new(),
    }
}

fn taken(c: &Construct) -> String {
    let Some(taken) = &c.counts.taken else { return String::new() };
    shortened(&taken.iter().map(|&n| count(Some(n))).collect::<Vec<_>>().join(" / "), 60)
}

/// A count of a construct.
pub(crate) fn bounded(c: &Construct, n: Option<u64>) -> String {
    if n.is_some_and(|n| n > 0) { format!("{}{}", bound(c), count(n)) } else { count(n) }
}

/// A time. One that rests on samples, or is what samples have left of a timer's, is marked `~`; of a construct that was
/// throttled a timer has only the beginning, and the time of calls which were inlined is missing.
fn marked(c: &Construct, t: &Time, ns: u64, rests_on_samples: bool) -> String {
    let mark = match c.untimed.as_deref() {
        _ if t.estimated || rests_on_samples => "~",
        Some("throttled" | "partly inlined") => "> ",
        _ => "",
    };
    format!("{mark}{}", time(ns))
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
