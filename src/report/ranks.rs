//! Ranks of a run: six times of each, the constructs in which they are, and the statements that communicate with their messages, by reference and
//! directive.

use crate::index::Index;
use crate::safe;
use crate::table::{Style, Table, count, time};
use std::collections::BTreeMap;
use std::fmt::Write;
use trueline_abi::profile::{Categories, Communicates, Processor, Reference};

/// Rows of the second and the third table.
const MOST: usize = 20;

/// The heads of the times, in the order of [`cells`].
const TIMES: [(&str, bool); 7] = [
    ("elapsed", true),
    ("user", true),
    ("communication", true),
    ("late sender", true),
    ("late receiver", true),
    ("library", true),
    ("global", true),
];

fn cells(c: &Categories) -> [String; TIMES.len()] {
    [c.elapsed, c.user, c.communication, c.late_sender, c.late_receiver, c.runtime, c.global].map(time)
}

fn add(sum: &mut Categories, c: &Categories) {
    for (own, other) in [
        (&mut sum.elapsed, c.elapsed),
        (&mut sum.user, c.user),
        (&mut sum.communication, c.communication),
        (&mut sum.synchronization, c.synchronization),
        (&mut sum.late_sender, c.late_sender),
        (&mut sum.late_receiver, c.late_receiver),
        (&mut sum.runtime, c.runtime),
        (&mut sum.global, c.global),
        (&mut sum.messages, c.messages),
        (&mut sum.bytes, c.bytes),
    ] {
        *own = own.saturating_add(other);
    }
}

/// The times of a statement; it has no time of its own in user code.
fn of(s: &Communicates) -> Categories {
    let synchronization = s.late_sender.saturating_add(s.late_receiver);
    let parts = [s.communication, synchronization, s.runtime, s.global];
    Categories {
        elapsed: parts.into_iter().fold(0, u64::saturating_add),
        communication: s.communication,
        synchronization,
        late_sender: s.late_sender,
        late_receiver: s.late_receiver,
        runtime: s.runtime,
        global: s.global,
        messages: s.messages,
        bytes: s.bytes,
        ..Categories::default()
    }
}

/// All times of a rank. Time outside of constructs is user code but for the part of it that statements there communicated.
fn whole(p: &Processor) -> Categories {
    let mut out = Categories::default();
    p.statements.iter().for_each(|s| add(&mut out, &of(s)));
    let elapsed = p.elapsed_ns.unwrap_or(out.elapsed).max(out.elapsed);
    out.user = elapsed - out.elapsed;
    out.elapsed = elapsed;
    out
}

/// The processors that are ranks of a run.
fn ranks<'a>(index: &Index<'a>) -> Vec<&'a Processor> {
    index.profile.processors.iter().filter(|p| p.ranks.is_some()).collect()
}

/// The tables; empty if the profile is of no run on ranks.
pub(crate) fn ranks_text(index: &Index<'_>, style: Style) -> String {
    let ranks = ranks(index);
    if ranks.is_empty() {
        return String::new();
    }
    let mut out = String::from("Ranks\n");
    let tail = [("messages", true), ("bytes", true)];
    let heads = |first| [&[(first, false)][..], &TIMES, &tail].concat();
    let row = |first: String, c: &Categories| {
        let figures = [count(Some(c.messages)), count(Some(c.bytes))];
        [&[first][..], &cells(c), &figures].concat()
    };
    let mut table = Table::new(&heads("rank"));
    let mut all = Categories::default();
    for p in &ranks {
        let c = whole(p);
        add(&mut all, &c);
        table.push(row(p.rank.to_string(), &c));
    }
    table.push(row("all".to_owned(), &all));
    out.push_str(&table.render(style));
    let mut own: BTreeMap<u32, Categories> = BTreeMap::new();
    for (&serial, c) in ranks.iter().flat_map(|p| &p.own) {
        add(own.entry(serial).or_default(), c);
    }
    let mut own: Vec<(u32, Categories)> = own.into_iter().collect();
    own.sort_by_key(|(serial, c)| (std::cmp::Reverse(c.elapsed), *serial));
    let mut table = Table::new(&heads("construct"));
    for (serial, c) in own.iter().take(MOST) {
        let Some(of) = index.get(*serial) else { continue };
        table.push(row(format!("{}:{} {}", safe(&of.file), of.line, crate::flat::construct(of)), c));
    }
    out.push_str("\nConstructs, without those in them and the procedures they call, all ranks together\n");
    out.push_str(&table.render(style));
    let sums = sums(&ranks);
    out.push_str(&statements(&sums, style));
    out.push_str(&directives(&sums, style));
    out
}

/// A statement over all ranks.
struct Sum {
    times: Categories,
    references: BTreeMap<(String, String), [u64; 2]>,
}

fn sums(ranks: &[&Processor]) -> Vec<((String, u32), Sum)> {
    let mut all: BTreeMap<(String, u32), Sum> = BTreeMap::new();
    for s in ranks.iter().flat_map(|p| &p.statements) {
        let sum = all
            .entry((s.file.clone(), s.line))
            .or_insert_with(|| Sum { times: Categories::default(), references: BTreeMap::new() });
        add(&mut sum.times, &of(s));
        for Reference { name, directive, messages, bytes } in &s.references {
            let own = sum.references.entry((name.clone(), directive.clone())).or_default();
            own[0] = own[0].saturating_add(*messages);
            own[1] = own[1].saturating_add(*bytes);
        }
    }
    let mut out: Vec<((String, u32), Sum)> = all.into_iter().collect();
    out.sort_by(|(p, a), (q, b)| b.times.elapsed.cmp(&a.times.elapsed).then_with(|| p.cmp(q)));
    out
}

fn statements(all: &[((String, u32), Sum)], style: Style) -> String {
    if all.is_empty() {
        return String::new();
    }
    let heads = [
        &[("line", false), ("array", false), ("mapped by", false)][..],
        &TIMES[2..],
        &[("messages", true), ("bytes", true)],
    ];
    let mut table = Table::new(&heads.concat());
    let blank = || vec![String::new(); TIMES.len() - 2];
    for ((file, line), sum) in all.iter().take(MOST) {
        let place = format!("{}:{line}", safe(file));
        let figures = |n: [u64; 2]| n.map(|n| count(Some(n))).to_vec();
        let times = cells(&sum.times)[2..].to_vec();
        let first = vec![place, String::new(), String::new()];
        table.push([first, times, figures([sum.times.messages, sum.times.bytes])].concat());
        for ((name, directive), n) in &sum.references {
            let first = vec![String::new(), safe(name).into_owned(), safe(directive).into_owned()];
            table.push([first, blank(), figures(*n)].concat());
        }
    }
    let mut out = String::from("\nStatements that communicate, all ranks together\n");
    out.push_str(&table.render(style));
    if all.len() > MOST {
        _ = writeln!(out, "and {} more", all.len() - MOST);
    }
    out
}

/// The times of a directive: those of the statements that communicate its arrays, by the bytes of each. Together they are the times of all
/// statements; those of statements that send no elements (reductions, plans, input and output) stand under the empty name.
fn costs(all: &[((String, u32), Sum)]) -> Vec<(String, Vec<String>, Categories)> {
    let mut out: BTreeMap<String, (Vec<String>, Categories)> = BTreeMap::new();
    for (_, sum) in all {
        let bytes: u64 = sum.references.values().fold(0, |n, r| n.saturating_add(r[1]));
        let mut before = 0;
        for ((name, directive), [messages, own]) in &sum.references {
            let (names, times) = out.entry(directive.clone()).or_default();
            if !names.contains(name) {
                names.push(name.clone());
            }
            add(times, &part(&sum.times, before, before.saturating_add(*own), bytes));
            times.messages = times.messages.saturating_add(*messages);
            times.bytes = times.bytes.saturating_add(*own);
            before = before.saturating_add(*own);
        }
        if bytes == 0 {
            add(&mut out.entry(String::new()).or_default().1, &sum.times);
        }
    }
    let mut out: Vec<_> = out.into_iter().map(|(directive, (names, times))| (directive, names, times)).collect();
    out.sort_by(|a, b| b.2.elapsed.cmp(&a.2.elapsed).then_with(|| a.0.cmp(&b.0)));
    out
}

/// The times of the bytes `from..to` of `all`. The parts of a whole add up to it.
fn part(times: &Categories, from: u64, to: u64, all: u64) -> Categories {
    let upto = |time: u64, bytes: u64| (u128::from(time) * u128::from(bytes) / u128::from(all.max(1))) as u64;
    let of = |time: u64| upto(time, to) - upto(time, from);
    let (late_sender, late_receiver) = (of(times.late_sender), of(times.late_receiver));
    let (communication, runtime, global) = (of(times.communication), of(times.runtime), of(times.global));
    let synchronization = late_sender.saturating_add(late_receiver);
    let elapsed = [communication, synchronization, runtime, global].into_iter().fold(0, u64::saturating_add);
    Categories {
        elapsed,
        communication,
        synchronization,
        late_sender,
        late_receiver,
        runtime,
        global,
        ..Categories::default()
    }
}

fn directives(all: &[((String, u32), Sum)], style: Style) -> String {
    let all = costs(all);
    if all.iter().all(|c| c.0.is_empty()) {
        return String::new();
    }
    let heads = [
        &[("mapped by", false), ("arrays", false), ("all", true)][..],
        &TIMES[2..],
        &[("messages", true), ("bytes", true)],
    ];
    let mut table = Table::new(&heads.concat());
    for (directive, names, times) in all.iter().take(MOST) {
        let first = match directive.is_empty() {
            true => vec!["(no elements sent)".to_owned(), String::new(), time(times.elapsed)],
            false => {
                vec![safe(directive).into_owned(), safe(&names.join(", ")).into_owned(), time(times.elapsed)]
            }
        };
        let figures = [times.messages, times.bytes].map(|n| count(Some(n))).to_vec();
        table.push([first, cells(times)[2..].to_vec(), figures].concat());
    }
    let mut out = String::from("\nCost of directives, all ranks together\n");
    out.push_str(&table.render(style));
    if all.len() > MOST {
        _ = writeln!(out, "and {} more", all.len() - MOST);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    /// Figures of a statement are added over ranks, and each rank's times add up.
    #[test]
    fn figures_are_added() {
        let mut profile = sample();
        let statement = Communicates {
            file: "a.f90".to_owned(),
            line: 4,
            messages: 3,
            bytes: 24,
            late_sender: 2_000_000,
            references: vec![Reference {
                name: "x".to_owned(),
                directive: "a.f90:2".to_owned(),
                messages: 3,
                bytes: 24,
            }],
            ..Communicates::default()
        };
        profile.processors = (0..2)
            .map(|rank| Processor {
                rank,
                ranks: Some(2),
                elapsed_ns: Some(5_000_000),
                statements: vec![statement.clone()],
                ..Processor::default()
            })
            .collect();
        let text = ranks_text(&Index::new(&profile), Style::default());
        let words = |start: &str| {
            let mut lines = text.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "));
            lines.find(|l| l.starts_with(start)).unwrap_or_default()
        };
        assert_eq!(words("x "), "x a.f90:2 6 48", "{text}");
        assert!(words("all").starts_with("all 10.0 ms 6.00 ms") && words("all").ends_with(" 6 48"), "{text}");
        assert_eq!(words("a.f90:2 x"), "a.f90:2 x 4.00 ms 0 ns 4.00 ms 0 ns 0 ns 0 ns 6 48", "{text}");
        profile.processors.clear();
        assert_eq!(ranks_text(&Index::new(&profile), Style::default()), "");
    }

    /// The times of all directives are those of all statements, to the nanosecond.
    #[test]
    fn directives_share_the_time_of_a_statement() {
        let named = |name: &str| (name.to_owned(), format!("a.f90:{}", name.len()));
        let sum = |time: u64, references: &[(&str, [u64; 2])]| Sum {
            times: Categories { elapsed: time, communication: time, ..Categories::default() },
            references: references.iter().map(|(name, n)| (named(name), *n)).collect(),
        };
        let all = vec![
            (("a.f90".to_owned(), 9), sum(100, &[("x", [1, 8]), ("y", [0, 8]), ("zz", [0, 8])])),
            (("a.f90".to_owned(), 12), sum(7, &[])),
        ];
        let costs = costs(&all);
        let found: Vec<(&str, usize, u64, u64)> =
            costs.iter().map(|(d, names, c)| (d.as_str(), names.len(), c.elapsed, c.bytes)).collect();
        assert_eq!(found, [("a.f90:1", 2, 66, 16), ("a.f90:2", 1, 34, 8), ("", 0, 7, 0)]);
    }
}
