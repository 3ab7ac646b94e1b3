//! Many programs in many ways, and the table that comes of it.

use super::judge::{Case, Class, Failure, MARGIN, Verdict, judge};
use super::make::make;
use super::program::{Id, Program};
use super::run::{Measured, Way, Workshop};
use super::simulate::Run;
use super::{exports, print};
use std::collections::{BTreeMap, BTreeSet};

/// The most runs of a program until it is as the ledger says.
pub const ATTEMPTS: usize = 3;

/// The number of further runs of a program if it is interrupted in those.
const INTERRUPTED: usize = 9;
/// Nanoseconds between two pieces of work that tell of an interruption: a time that nothing in the program takes.
const INTERRUPTION: f64 = 250_000.0;

/// A program that fails, in one way.
#[derive(Clone)]
pub struct Found {
    /// The program.
    pub program: Program,
    /// The way in which it was built.
    pub way: Way,
    /// The mistake.
    pub failure: Failure,
}

/// A row of the table.
#[derive(Clone, Default, Debug)]
pub struct Row {
    /// Programs.
    pub programs: usize,
    /// Constructs that were judged.
    pub judged: usize,
    /// The programs without a failure.
    pub right: usize,
    /// The mistakes, by class.
    pub failures: BTreeMap<Class, usize>,
    /// The number of judged constructs that each pass changed.
    pub passes: BTreeMap<String, usize>,
}

/// The result of a campaign.
#[derive(Default)]
pub struct Outcome {
    /// By the way of building.
    pub rows: BTreeMap<String, Row>,
    /// Every failure.
    pub found: Vec<Found>,
}

/// Judges one way to build a program: returns the failures that occur each time that it is run.
///
/// # Errors
/// If it does not compile, or differs from the source.
pub fn judge_way(shop: &Workshop, program: &Program, run: &Run, way: &Way, attempts: usize) -> Result<Verdict, String> {
    let built = shop.build(program, run, way)?;
    let mut last: Option<Verdict> = None;
    let (mut left, mut interrupted) = (attempts, 0);
    while left > 0 {
        let measured = built.measure(run, way)?;
        let verdict = judge_run(program, &built.text, run, way, &measured);
        let same = |f: &Failure, v: &Verdict| v.failures.iter().any(|g| g.class == f.class && g.id == f.id);
        let verdict = match last {
            Some(before) => {
                let failures = verdict.failures.into_iter().filter(|f| same(f, &before)).collect();
                Verdict { failures, ..verdict }
            }
            None => verdict,
        };
        if verdict.failures.is_empty() {
            return Ok(verdict);
        }
        if measured.truth.longest_gap > INTERRUPTION && interrupted < INTERRUPTED {
            interrupted += 1;
        } else {
            left -= 1;
        }
        last = Some(verdict);
    }
    Ok(last.unwrap_or_default())
}

/// Every construct that is wrong in some of a few runs, or nearly so.
///
/// # Errors
/// If the program does not compile, or differs from the source.
pub fn doubtful(shop: &Workshop, program: &Program, run: &Run, way: &Way) -> Result<BTreeSet<Id>, String> {
    let built = shop.build(program, run, way)?;
    let mut out = BTreeSet::new();
    for _ in 0..ATTEMPTS {
        let measured = built.measure(run, way)?;
        let mut case = Case::new(program, &built.text, run, way, &measured);
        case.limits = MARGIN;
        out.extend(judge(&case).failures.iter().filter_map(|f| f.id));
    }
    Ok(out)
}

fn judge_run(program: &Program, text: &print::Text, run: &Run, way: &Way, measured: &Measured) -> Verdict {
    let case = Case::new(program, text, run, way, measured);
    let mut verdict = judge(&case);
    exports::check(&case, &mut verdict);
    verdict
}

/// Judges the programs with seeds from `first` on.
pub fn campaign(
    first: u64,
    count: u64,
    plans: usize,
    separate: bool,
    most: usize,
    progress: &mut dyn FnMut(u64, usize),
) -> Result<Outcome, String> {
    let shop = Workshop::new("campaign")?;
    let mut out = Outcome::default();
    for seed in first..first + count {
        let (program, run) = make(seed);
        for way in Way::of(seed, plans, separate) {
            let verdict = judge_way(&shop, &program, &run, &way, ATTEMPTS).unwrap_or_else(broken);
            add(out.rows.entry(way.row()).or_default(), &verdict);
            let found = verdict.failures.into_iter();
            out.found.extend(found.map(|failure| Found { program: program.clone(), way: way.clone(), failure }));
        }
        progress(seed + 1 - first, out.found.len());
        if out.found.iter().filter(|f| f.failure.class != Class::Inlined).count() >= most {
            break;
        }
    }
    Ok(out)
}

/// The verdict on a program that does not compile or run.
pub fn broken(text: String) -> Verdict {
    let failures = vec![Failure { class: Class::Broken, id: None, text }];
    Verdict { failures, ..Verdict::default() }
}

fn add(row: &mut Row, verdict: &Verdict) {
    row.programs += 1;
    row.judged += verdict.judged.len();
    let wrong: BTreeSet<Id> = verdict
        .failures
        .iter()
        .filter(|f| f.class < Class::Order && f.class != Class::Inlined)
        .filter_map(|f| f.id)
        .collect();
    row.right += verdict.judged.iter().filter(|id| !wrong.contains(id)).count();
    for f in &verdict.failures {
        *row.failures.entry(f.class).or_default() += 1;
    }
    for (pass, n) in &verdict.passes {
        *row.passes.entry(pass.clone()).or_default() += n;
    }
}

/// The columns of the table: words, and the classes that each adds up.
const COLUMNS: &[(&str, &[Class])] = &[
    ("MERGED", &[Class::Merged]),
    ("apart", &[Class::Apart]),
    ("wrong", &[Class::Wrong]),
    ("absent", &[Class::Absent]),
    ("zero", &[Class::Zero]),
    ("ELIM.", &[Class::Eliminated]),
    ("IF el.", &[Class::Folded]),
    ("inlined", &[Class::Inlined]),
    ("order", &[Class::Order]),
    ("excl.", &[Class::Exclusive]),
    ("edges", &[Class::Edge]),
    ("tree", &[Class::Tree]),
    ("tables", &[Class::Table]),
    ("exports", &[Class::Export]),
    ("broken", &[Class::Broken]),
];

/// The table: the share of true times in each way of building, and the failures.
pub fn table(outcome: &Outcome) -> String {
    let mut out = format!("{:22} {:>8} {:>10} {:>7}", "", "programs", "constructs", "true");
    for (word, _) in COLUMNS {
        out.push_str(&format!(" {word:>7}"));
    }
    out.push('\n');
    for (name, row) in &outcome.rows {
        let share = row.right as f64 * 100.0 / row.judged.max(1) as f64;
        out.push_str(&format!("{name:22} {:8} {:10} {share:5.1} %", row.programs, row.judged));
        for (_, classes) in COLUMNS {
            let n: usize = classes.iter().filter_map(|c| row.failures.get(c)).sum();
            out.push_str(&format!(" {:>7}", if n == 0 { "-".to_owned() } else { n.to_string() }));
        }
        out.push('\n');
    }
    out
}

/// The table of judged constructs that each pass changed.
pub fn passes(outcome: &Outcome) -> String {
    let mut out = String::new();
    let names: BTreeSet<&String> = outcome.rows.values().flat_map(|r| r.passes.keys()).collect();
    for name in names {
        let count = |row: &str| outcome.rows.get(row).and_then(|r| r.passes.get(name)).copied().unwrap_or(0);
        out.push_str(&format!(
            "{name:16} {:6} at -O2 {:6} at -O3 {:6} with random passes\n",
            count("-O2"),
            count("-O3"),
            count("-O3 --passes")
        ));
    }
    out
}
