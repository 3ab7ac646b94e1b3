//! The ledgers that ranks leave (`runtime/src/ranks/ledger.rs`), as tables: six times for each rank, and the lines that communicate.

use crate::cli::Compile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that names the file.
const VARIABLE: &str = "TRUELINE_MESSAGES";

/// The times, as the ledger and as the table name them.
const TIMES: [(&str, &str); 6] = [
    ("user", "user"),
    ("communication", "communication"),
    ("late-sender", "late sender"),
    ("late-receiver", "late receiver"),
    ("library", "library"),
    ("global", "global"),
];

/// Lines of the second table.
const MOST: usize = 12;

/// Has the program keep ledgers, if it runs on several ranks and nobody else wants them: their file.
pub(super) fn keep(command: &mut Command, how: &Compile, program: &Path) -> Option<PathBuf> {
    let several = how.ranks.is_some_and(|ranks| ranks > 1);
    if !several || how.json || std::env::var_os(VARIABLE).is_some() {
        return None;
    }
    let path = program.with_extension("ledger");
    command.env(VARIABLE, &path);
    Some(path)
}

/// Messages, iterations and times of a rank or a line.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Row {
    pub(super) messages: u64,
    pub(super) bytes: u64,
    /// Maxima and minima of all ranks.
    pub(super) reductions: u64,
    /// How often statements of loop nests are executed.
    pub(super) iterations: u64,
    times: [f64; TIMES.len()],
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.reductions += other.reductions;
        self.iterations += other.iterations;
        self.times.iter_mut().zip(other.times).for_each(|(a, b)| *a += b);
    }

    /// All times together, in seconds.
    pub(super) fn elapsed(&self) -> f64 {
        self.times.iter().sum()
    }

    /// The times that are not spent in computing.
    pub(super) fn overhead(&self) -> f64 {
        self.times.iter().skip(1).sum()
    }
}

/// The ledgers of all ranks together.
#[derive(Default)]
pub(super) struct Ledgers<'a> {
    pub(super) ranks: BTreeMap<u64, Row>,
    /// All ranks together, by line of the source.
    pub(super) lines: BTreeMap<&'a str, Row>,
    /// Messages and bytes by array, directive and line of the source.
    pub(super) parts: BTreeMap<(&'a str, &'a str, &'a str), [u64; 2]>,
    /// Processor time of the program itself, in a rehearsal.
    pub(super) alone: f64,
}

/// The number behind a word.
fn value(text: &str, name: &str) -> f64 {
    text.split(' ').skip_while(|w| *w != name).nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0)
}

/// The integer behind a word.
fn count(text: &str, name: &str) -> u64 {
    text.split(' ').skip_while(|w| *w != name).nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn row(text: &str) -> Row {
    Row {
        messages: count(text, "messages"),
        bytes: count(text, "bytes"),
        reductions: count(text, "reductions"),
        iterations: count(text, "iterations"),
        times: TIMES.map(|(name, _)| value(text, name)),
    }
}

impl<'a> Ledgers<'a> {
    pub(super) fn parse(text: &'a str) -> Ledgers<'a> {
        let mut out = Ledgers::default();
        for line in text.lines() {
            let Some((word, rest)) = line.split_once(' ') else { continue };
            match word {
                "alone" => out.alone = rest.parse().unwrap_or(0.0),
                "rank" => out.rank(rest),
                "part" => out.part(rest),
                _ => {}
            }
        }
        out
    }

    /// `1 messages 3 …`, `1 at x.f90:14 messages 3 …`
    fn rank(&mut self, text: &'a str) {
        let Some((rank, rest)) = text.split_once(' ') else { return };
        let Ok(rank) = rank.parse() else { return };
        match rest.strip_prefix("at ").and_then(before_messages) {
            Some((place, figures)) => self.lines.entry(place).or_default().add(&row(figures)),
            None => self.ranks.entry(rank).or_default().add(&row(rest)),
        }
    }

    /// `1 of a@x.f90:3 at x.f90:14 messages 3 bytes 24`
    fn part(&mut self, text: &'a str) {
        let Some((_, rest)) = text.split_once(" of ") else { return };
        let Some((head, figures)) = before_messages(rest) else { return };
        let Some((array, place)) = head.split_once(" at ") else { return };
        let (array, directive) = array.split_once('@').unwrap_or((array, ""));
        let sums = self.parts.entry((array, directive, place)).or_default();
        sums[0] += count(figures, "messages");
        sums[1] += count(figures, "bytes");
    }
}

/// The text before the last ` messages `, in which anything may stand, and the figures.
fn before_messages(text: &str) -> Option<(&str, &str)> {
    text.rfind(" messages ").map(|k| text.split_at(k))
}

/// The tables; empty if there is no ledger of several ranks.
pub(super) fn tables(text: &str) -> String {
    let Ledgers { ranks, lines, .. } = Ledgers::parse(text);
    if ranks.len() < 2 {
        return String::new();
    }
    let mut out = String::from("Ranks, in seconds\n");
    let heads = |first: &str| {
        let times: String = TIMES.iter().map(|(_, head)| format!("{head:>15}")).collect();
        format!("{first:<10}{:>10}{times}{:>12}{:>15}\n", "elapsed", "messages", "bytes")
    };
    let body = |first: &str, r: &Row| {
        let times: String = r.times.iter().map(|t| format!("{t:>15.6}")).collect();
        format!("{first:<10}{:>10.6}{times}{:>12}{:>15}\n", r.elapsed(), r.messages, r.bytes)
    };
    out.push_str(&heads("rank"));
    let mut all = Row::default();
    for (rank, r) in &ranks {
        out.push_str(&body(&rank.to_string(), r));
        all.add(r);
    }
    out.push_str(&body("all", &all));
    out.push_str(&lines_text(&lines));
    out
}

/// The table of lines.
pub(super) fn lines_text(lines: &BTreeMap<&str, Row>) -> String {
    let mut out = String::new();
    let mut lines: Vec<(&str, Row)> = lines.iter().map(|(place, r)| (*place, *r)).collect();
    lines.sort_by(|a, b| b.1.elapsed().total_cmp(&a.1.elapsed()).then(a.0.cmp(b.0)));
    if !lines.is_empty() {
        out.push_str("\nLines that communicate, all ranks together\n");
        let head: String = TIMES.iter().skip(1).map(|(_, head)| format!("{head:>15}")).collect();
        out.push_str(&format!("{head}{:>12}{:>15}  line\n", "messages", "bytes"));
    }
    for (place, r) in lines.iter().take(MOST) {
        let times: String = r.times.iter().skip(1).map(|t| format!("{t:>15.6}")).collect();
        out.push_str(&format!("{times}{:>12}{:>15}  {}\n", r.messages, r.bytes, super::printable(place)));
    }
    if lines.len() > MOST {
        out.push_str(&format!("and {} more\n", lines.len() - MOST));
    }
    out
}

/// Prints the tables of a file.
pub(super) fn show(path: &Path) {
    let tables = std::fs::read_to_string(path).map(|text| tables(&text)).unwrap_or_default();
    if !tables.is_empty() {
        super::print(&format!("\n{tables}"));
    }
}

#[cfg(test)]
mod tests {
    use super::{Ledgers, tables};

    #[test]
    fn ledgers_are_added() {
        let text = "rank 1 messages 2 bytes 16 reductions 0\n\
            rank 1 elapsed 1.0 user 0.5 communication 0.25 late-sender 0.125 late-receiver 0.0 library 0.125 global 0.0\n\
            rank 1 at a b.f90:7 messages 2 bytes 16 communication 0.25 late-sender 0.125 late-receiver 0 library 0.125 global 0\n\
            rank 0 messages 1 bytes 8 reductions 0\n\
            rank 0 elapsed 1.0 user 1.0 communication 0 late-sender 0 late-receiver 0 library 0 global 0\n\
            rank 0 at a b.f90:7 messages 1 bytes 8 communication 0 late-sender 0 late-receiver 0 library 0 global 0\n";
        let found = tables(text);
        let words = |start: &str| {
            let line = found.lines().find(|l| l.trim_start().starts_with(start)).unwrap_or_default();
            line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            words("all"),
            ["all", "2.000000", "1.500000", "0.250000", "0.125000", "0.000000", "0.125000", "0.000000", "3", "24"]
        );
        assert_eq!(
            words("0.25"),
            ["0.250000", "0.125000", "0.000000", "0.125000", "0.000000", "3", "24", "a", "b.f90:7"]
        );
        assert_eq!(tables("rank 0 messages 1 bytes 8 reductions 0\n"), "");
    }

    #[test]
    fn arrays_are_told_apart() {
        let text = "alone 2.5\nrank 0 messages 2 bytes 40 reductions 3 iterations 7\n\
            rank 0 at x.f90:9 messages 2 bytes 40 communication 0.5 iterations 7\n\
            part 0 of a@x.f90:3 at x.f90:9 messages 2 bytes 32\npart 0 of b@x.f90:4 at x.f90:9 messages 0 bytes 8\n\
            part 1 of b@x.f90:4 at x.f90:9 messages 1 bytes 16\n";
        let found = Ledgers::parse(text);
        assert_eq!(found.alone, 2.5);
        assert_eq!((found.ranks[&0].reductions, found.ranks[&0].iterations), (3, 7));
        assert_eq!(found.lines["x.f90:9"].iterations, 7);
        let parts: Vec<_> = found.parts.into_iter().collect();
        assert_eq!(parts, [(("a", "x.f90:3", "x.f90:9"), [2, 32]), (("b", "x.f90:4", "x.f90:9"), [1, 24])]);
    }
}
