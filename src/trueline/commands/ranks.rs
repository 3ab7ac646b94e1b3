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

/// Messages, bytes and times of a rank or a line.
#[derive(Clone, Copy, Default)]
struct Row {
    messages: u64,
    bytes: u64,
    times: [f64; TIMES.len()],
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.times.iter_mut().zip(other.times).for_each(|(a, b)| *a += b);
    }

    fn elapsed(&self) -> f64 {
        self.times.iter().sum()
    }
}

/// The number behind a word.
fn value(text: &str, name: &str) -> f64 {
    text.split(' ').skip_while(|w| *w != name).nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0)
}

fn row(text: &str) -> Row {
    let count = |name| value(text, name) as u64;
    Row { messages: count("messages"), bytes: count("bytes"), times: TIMES.map(|(name, _)| value(text, name)) }
}

/// The tables; empty if there is no ledger of several ranks.
pub(super) fn tables(text: &str) -> String {
    let mut ranks: BTreeMap<u64, Row> = BTreeMap::new();
    let mut lines: BTreeMap<&str, Row> = BTreeMap::new();
    for line in text.lines() {
        let Some((rank, rest)) = line.strip_prefix("rank ").and_then(|l| l.split_once(' ')) else { continue };
        let Ok(rank) = rank.parse() else { continue };
        match rest.strip_prefix("at ").and_then(|r| r.rfind(" messages ").map(|k| r.split_at(k))) {
            Some((place, figures)) => lines.entry(place).or_default().add(&row(figures)),
            None => ranks.entry(rank).or_default().add(&row(rest)),
        }
    }
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
    let mut lines: Vec<(&str, Row)> = lines.into_iter().collect();
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
    use super::tables;

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
}
