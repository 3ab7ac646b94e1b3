//! `cargo bench --bench perturbation -- --fit [NAME…]`: the stated cost of measuring beside the true one, and the constants of the model that
//! bring them closest.
//!
//! Each program is built by one command and file by file, with counts only and with the usual profile; the plain program and the
//! profiled ones run in turn. The true cost is the median over the rounds of the part of the profiled run's processor time that the
//! plain one does not take. The stated one is the sum of the known costs in the profile, and of the operations of each class
//! (`trueline_abi::cost::Class`) by their constants. These are fitted by least squares to every second program (errors beyond two points count less), none of
//! them below zero, and drawn a little to their old values, so that a class that hardly occurs keeps its constant. The other programs
//! judge them.

use crate::{POINTS, Version, own_versions, run};
use std::path::{Path, PathBuf};
use std::time::Instant;
use trueline_abi::cost::{Class, MILLICYCLES};
use trueline_abi::profile::Profile;

const CLASSES: usize = Class::ALL.len();

/// A constant twice or half as large is worth an error of so much of one program, squared.
const STIFFNESS: f64 = 1e-5;
/// Passes over the constants: far more than they take to settle.
const PASSES: usize = 5000;
/// An error beyond so much counts by its size, not by its square: where the linker happens to place a loop may cost more than measuring.
const PLAUSIBLE: f64 = 0.02;
/// The number of times that the weights which follow from that are computed anew.
const WEIGHINGS: usize = 40;
/// Rounds of a program, if there is time.
const ROUNDS: std::ops::RangeInclusive<usize> = 5..=25;

/// One way to measure a program: fractions of the profiled run.
struct Row {
    name: String,
    is_fitted: bool,
    /// The true cost, and how far half of the rounds are from it at most.
    cost: f64,
    spread: f64,
    /// The stated cost, and the range that is stated.
    stated: f64,
    between: [f64; 2],
    /// The part of it that is no operation of a class.
    rest: f64,
    /// By class: the share of the run that a thousandth of a cycle an operation makes.
    operations: [f64; CLASSES],
}

impl Row {
    fn predicted(&self, constants: &[f64; CLASSES]) -> f64 {
        self.rest + self.operations.iter().zip(constants).map(|(a, x)| a * x).sum::<f64>()
    }
}

/// Measures, fits, judges and prints, within a number of minutes.
pub(crate) fn fit(programs: &[(String, Vec<PathBuf>)], at: &Path, minutes: f64) {
    let began = Instant::now();
    let mut rows = Vec::new();
    println!("Cost of measuring in percent of the profiled run");
    for (n, (name, sources)) in programs.iter().enumerate() {
        let versions = own_versions(name, sources, at);
        let until = minutes * 60.0 * (n + 1) as f64 / programs.len() as f64;
        let more = |rounds: usize| {
            rounds < *ROUNDS.start() || (rounds < *ROUNDS.end() && began.elapsed().as_secs_f64() < until)
        };
        let mut found = measure(&versions, at, &more);
        for row in &mut found {
            row.name = format!("{name:<12} {}", row.name);
            row.is_fitted = n % 2 == 0;
        }
        rows.extend(found);
    }
    let present = MILLICYCLES.map(|n| n as f64);
    let half = solve(&rows, &|r| r.is_fitted);
    println!("{:<42} {:>7} {:>6} {:>7} {:>6} {:>7} {:>6}", "", "true", "±", "stated", "off", "fitted", "off");
    for row in &rows {
        let [present, fitted] = [row.stated, row.predicted(&half)];
        println!(
            "{:<36} {:<5} {:>7.2} {:>6.2} {:>7.2} {:>6.2} {:>7.2} {:>6.2}",
            row.name,
            if row.is_fitted { "fit" } else { "judge" },
            row.cost * 1e2,
            row.spread * 1e2,
            present * 1e2,
            (present - row.cost).abs() * 1e2,
            fitted * 1e2,
            (fitted - row.cost).abs() * 1e2
        );
    }
    let is_right = |r: &&Row| r.cost.max(0.0) >= r.between[0] - POINTS / 1e2 && r.cost <= r.between[1] + POINTS / 1e2;
    let (right, others): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(is_right);
    println!("the stated range, {POINTS} points wider, has the true cost of {} of {} rows", right.len(), rows.len());
    for r in others {
        let [low, high] = r.between.map(|f| f * 1e2);
        println!("  not of {}: {:.2}, from {low:.1} to {high:.1}", r.name, r.cost * 1e2);
    }
    for (what, constants) in [("present", present), ("fitted", half)] {
        for (whom, is_fitted) in [("those that were fitted", true), ("the others", false)] {
            judge(&rows, what, whom, is_fitted, &constants);
        }
    }
    println!(
        "\nThousandths of a cycle: now, fitted to half of the programs, fitted to all (`MILLICYCLES` in runtime/abi/src/cost.rs)"
    );
    let all = solve(&rows, &|_| true);
    for (k, class) in Class::ALL.into_iter().enumerate() {
        println!("  {:<10} {:>6} {:>6.0} {:>6.0}", format!("{class:?}"), MILLICYCLES[k], half[k], all[k]);
    }
}

fn judge(rows: &[Row], what: &str, whom: &str, is_fitted: bool, constants: &[f64; CLASSES]) {
    let off = rows.iter().filter(|r| r.is_fitted == is_fitted).map(|r| (r.predicted(constants) - r.cost).abs() * 1e2);
    let mut off: Vec<f64> = off.collect();
    if off.is_empty() {
        return;
    }
    let within = off.iter().filter(|&&n| n <= 2.0).count();
    let most = off.iter().copied().fold(0.0, f64::max);
    let middle = median(&mut off);
    println!(
        "{what} constants, {whom}: {within} of {} within 2 points, the median {middle:.2} off, the worst {most:.2}",
        off.len()
    );
}

/// The rows of a program: for each plain version the profiled ones behind it.
fn measure(versions: &[Version], at: &Path, more: &dyn Fn(usize) -> bool) -> Vec<Row> {
    let mut times = vec![Vec::new(); versions.len()];
    let mut profiles: Vec<Vec<Profile>> = versions.iter().map(|_| Vec::new()).collect();
    let mut rounds = 0;
    while more(rounds) {
        for k in 0..versions.len() {
            let i = (k + rounds) % versions.len();
            times[i].push(run(at, &versions[i]).as_secs_f64());
            if !i.is_multiple_of(3) {
                let bytes = std::fs::read(at.join("bench.json")).expect("a profiled program leaves a profile");
                profiles[i].push(trueline_report::read(&bytes).expect("profiles can be read"));
            }
        }
        rounds += 1;
    }
    let row = |i: usize| {
        let base = &times[i / 3 * 3];
        let mut parts: Vec<f64> = times[i].iter().zip(base).map(|(t, plain)| 1.0 - plain / t).collect();
        let cost = median(&mut parts);
        let mut far: Vec<f64> = parts.iter().map(|p| (p - cost).abs()).collect();
        let of = |f: &dyn Fn(&Profile) -> f64| median(&mut profiles[i].iter().map(f).collect::<Vec<_>>());
        Row {
            name: format!("{} {}", versions[i / 3 * 3].name, versions[i].name),
            is_fitted: true,
            cost,
            spread: median(&mut far),
            stated: of(&|p| p.overhead.measured.unwrap_or(0.0)),
            between: [0, 1].map(|k| of(&|p| p.overhead.between.map_or(0.0, |ends| ends[k]))),
            rest: of(&|p| rest(p)),
            operations: std::array::from_fn(|c| of(&|p| operations(p)[c])),
        }
    };
    (0..versions.len()).filter(|i| !i.is_multiple_of(3)).map(row).collect()
}

/// By class, the share of the run that a thousandth of a cycle an operation makes.
fn operations(p: &Profile) -> [f64; CLASSES] {
    let o = &p.overhead;
    let test = Class::Test as usize;
    let ns: f64 = (0..CLASSES).filter(|&c| c != test).map(|c| o.operations[c] * o.operation_ns[c]).sum();
    let (Some(part), memory) = (o.counters.filter(|&n| n > 0.0 && ns > 0.0), Class::Memory as usize) else {
        return [0.0; CLASSES];
    };
    let (whole, millicycle) = (ns / part, o.operation_ns[memory] / MILLICYCLES[memory] as f64);
    o.operations.map(|n| n * millicycle / whole)
}

/// The stated cost of timers, samples, the beginning and the end.
fn rest(p: &Profile) -> f64 {
    let o = &p.overhead;
    let test = Class::Test as usize;
    let parts = [o.timers, o.samples, o.start_end].into_iter().flatten().sum::<f64>();
    parts - operations(p)[test] * MILLICYCLES[test] as f64
}

/// The constants that fit the rows best: least squares, but an implausible error counts by its absolute value (Huber's
/// estimate).
fn solve(rows: &[Row], is_wanted: &dyn Fn(&Row) -> bool) -> [f64; CLASSES] {
    let rows: Vec<&Row> = rows.iter().filter(|r| is_wanted(r)).collect();
    let present = MILLICYCLES.map(|n| n as f64);
    let mut out = present;
    for _ in 0..WEIGHINGS {
        let far = |r: &&Row| (r.cost - r.predicted(&out)).abs();
        let weights: Vec<f64> = rows.iter().map(|r| (PLAUSIBLE / far(r).max(PLAUSIBLE)).min(1.0)).collect();
        for _ in 0..PASSES / WEIGHINGS {
            for c in 0..CLASSES {
                let pull = STIFFNESS / (present[c] * present[c]).max(1.0);
                let (mut above, mut below) = (pull * present[c], pull);
                for (row, weight) in rows.iter().zip(&weights) {
                    let a = row.operations[c];
                    let missing = row.cost - row.predicted(&out) + a * out[c];
                    above += weight * a * missing;
                    below += weight * a * a;
                }
                out[c] = (above / below).max(0.0);
            }
        }
    }
    out
}

fn median(list: &mut [f64]) -> f64 {
    list.sort_by(f64::total_cmp);
    match list.len() {
        0 => 0.0,
        n if n % 2 == 1 => list[n / 2],
        n => f64::midpoint(list[n / 2 - 1], list[n / 2]),
    }
}
