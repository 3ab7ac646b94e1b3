//! R1 in parts: a file says which seeds have been judged, so that a campaign of many hours goes on where it was ended.
//!
//! ```text
//! R1 plans 1 checked false: seeds 1000..2200, 1200 comparisons, 0 failures
//! ```
//!
//! The failures of a part are told when it is judged, and counted from then on: `campaign R1 --seed 1000 --programs 1200` tells them again.

use crate::campaign::{BATCH, Outcome, run};
use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// The programs of a part: some minutes of work.
const PART: u64 = 200 * BATCH;

/// The way in which programs are judged: parts of another way are others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way {
    /// The number of plans.
    pub plans: usize,
    /// Whether sources have checks.
    pub checked: bool,
}

/// The parts that have been judged, by their first seed: the seed behind each, the comparisons and the failures.
pub type Done = BTreeMap<u64, (u64, u64, u64)>;

/// The parts, judged in `way`, that the lines of `text` name.
pub fn done(text: &str, way: Way) -> Done {
    let part = |line: &str| {
        let rest = line.strip_prefix(&format!("R1 plans {} checked {}: seeds ", way.plans, way.checked))?;
        let (seeds, rest) = rest.split_once(", ")?;
        let (from, to) = seeds.split_once("..")?;
        let (comparisons, rest) = rest.split_once(" comparisons, ")?;
        let failures = rest.strip_suffix(" failures")?;
        Some((from.parse().ok()?, (to.parse().ok()?, comparisons.parse().ok()?, failures.parse().ok()?)))
    };
    text.lines().filter_map(part).collect()
}

/// The seeds of `all` that no part has, in pieces of at most `longest` seeds.
pub fn left(all: Range<u64>, done: &Done, longest: u64) -> Vec<Range<u64>> {
    let mut out = Vec::new();
    let mut at = all.start;
    while at < all.end {
        if let Some(&(end, ..)) = done.get(&at).filter(|p| p.0 > at) {
            at = end;
            continue;
        }
        let next = done.range(at..).next().map_or(all.end, |(&from, _)| from);
        let to = (at + longest).min(next).min(all.end);
        out.push(at..to);
        at = to;
    }
    out
}

/// Judges the programs with seeds of `all` that `file` does not say to be judged, and notes each part there.
///
/// # Errors
/// If the file cannot be read or written.
pub fn go_on(all: Range<u64>, way: Way, most: usize, file: &Path) -> std::io::Result<Outcome> {
    let text = match std::fs::read_to_string(file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e),
        text => text.unwrap_or_default(),
    };
    let done = done(&text, way);
    let mut outcome = Outcome::default();
    for (&from, &(to, comparisons, failures)) in done.range(all.clone()) {
        outcome.programs += to - from;
        outcome.comparisons += comparisons;
        outcome.earlier += failures;
    }
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    for part in left(all, &done, PART) {
        let got = run(part.start, part.end - part.start, way.plans, true, most);
        let failures = got.failures.len();
        let Way { plans, checked } = way;
        writeln!(
            out,
            "R1 plans {plans} checked {checked}: seeds {}..{}, {} comparisons, {failures} failures",
            part.start, part.end, got.comparisons
        )?;
        outcome.add(got);
        if outcome.failures.len() >= most {
            break;
        }
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_are_judged_are_not_judged_again() {
        let way = Way { plans: 1, checked: false };
        let text = "R1 plans 1 checked false: seeds 100..2500, 2400 comparisons, 0 failures\n\
                    R1 plans 1 checked true: seeds 2500..4900, 2400 comparisons, 0 failures\n\
                    R1 plans 1 checked false: seeds 4900..7300, 2400 comparisons, 1 failures\n\
                    R1 plans 1 checked false: seeds 7300..9700, 2400 comparisons, 0 failures\n";
        let done = done(text, way);
        assert_eq!(done.len(), 3);
        assert_eq!(left(100..10_000, &done, PART), [2500..4900, 9700..10_000]);
        assert!(left(0..200, &done, PART).iter().eq([&(0..100)]));
    }
}
