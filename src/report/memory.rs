//! The walks of loops through memory; loops that touch the most come first.

use crate::index::Index;
use crate::safe;
use crate::table::{Style, Table, Tone};
use trueline_abi::profile::Construct;

/// The accesses of every innermost loop, how much memory one entry of it touches at most, and a change that would serve it better.
pub fn memory_text(index: &Index<'_>, limit: Option<usize>, style: Style) -> String {
    let mut loops: Vec<&Construct> = index.profile.constructs.iter().filter(|c| !c.accesses.is_empty()).collect();
    loops.sort_by_key(|c| (std::cmp::Reverse(traffic(c)), c.serial));
    let mut table = Table::new(&[("an entry", true), ("in all", true), ("line", false), ("accesses", false)]);
    for c in loops.into_iter().take(limit.unwrap_or(usize::MAX)) {
        let an_entry = traffic(c).checked_div(c.counts.invocations.unwrap_or(0));
        table.push(vec![
            an_entry.map_or(String::new(), bytes),
            bytes(traffic(c)),
            format!("{}:{}", safe(&c.file), c.line),
            safe(&c.text).into_owned(),
        ]);
        let mut more = |text: &str, tone| {
            let row = vec![String::new(), String::new(), String::new(), format!("  {}", safe(text))];
            table.push_toned(row, tone);
        };
        for access in &c.accesses {
            more(access, Tone::Plain);
        }
        if let Some(advice) = &c.advice {
            more(advice, Tone::Hot);
        }
    }
    table.render(style)
}

/// The bytes that all iterations touch.
fn traffic(c: &Construct) -> u64 {
    c.counts.iterations.unwrap_or(0).saturating_mul(c.touched)
}

fn bytes(n: u64) -> String {
    const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{n} B") } else { format!("{value:.3} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sample;

    #[test]
    fn the_loop_that_touches_most_comes_first() {
        let mut p = sample();
        let at = p.constructs.iter().position(|c| c.kind == "do").unwrap();
        p.constructs[at].accesses = vec!["a(i) read: unit stride, 8 bytes".into()];
        p.constructs[at].touched = 8;
        p.constructs[at].advice = Some("with the loop of line 1 innermost".into());
        let text = memory_text(&Index::new(&p), None, Style::default());
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].contains("8.000 kB") && lines[1].contains("do i = 1, n"), "{text}");
        assert!(lines[2].contains("a(i) read: unit stride") && lines[3].contains("line 1 innermost"), "{text}");
        assert_eq!(bytes(999), "999 B");
    }
}
