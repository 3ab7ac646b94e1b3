//! R1: many programs, each optimized in many ways, all alike.

use crate::ast::Case;
use crate::oracle::{self, Difference, Edits, Kind, Plan, Subject};
use crate::rng::Rng;
use crate::{generate, print, reduce};
use rayon::prelude::*;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The number of programs in one file for the interpreter: the parts that every file has are parsed and optimized once,
/// and a failure is still found quickly.
pub const BATCH: u64 = 12;

/// A program that fails.
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// The plan of its optimization.
    pub plan: Option<Plan>,
    /// The failure.
    pub difference: Difference,
}

/// The result of a campaign.
#[derive(Default)]
pub struct Outcome {
    /// Programs judged.
    pub programs: u64,
    /// Comparisons made.
    pub comparisons: u64,
    /// Failures of parts that an earlier run judged and told.
    pub earlier: u64,
    /// Failures, by seed.
    pub failures: Vec<Failure>,
    /// The work of the passes.
    pub edits: Edits,
}

impl Outcome {
    /// Adds the result of another part.
    pub fn add(&mut self, more: Outcome) {
        self.programs += more.programs;
        self.comparisons += more.comparisons;
        self.earlier += more.earlier;
        self.failures.extend(more.failures);
        add(&mut self.edits, &more.edits);
    }
}

/// The plans for the batch that begins with `seed`.
pub fn plans(seed: u64, count: usize) -> Vec<Plan> {
    let mut rng = Rng::new(seed ^ 0x00c0_ffee);
    let mut out = vec![oracle::fixed_plans()[rng.below(4)].clone()];
    out.extend((1..count).map(|_| oracle::random_plan(&mut rng)));
    out
}

/// Runs `cases` together; returns the first plan that fails.
///
/// # Errors
/// The failure, with a plan unless the source itself is refused.
pub fn judge(cases: &[Case], plans: &[Plan]) -> Result<Edits, (Option<Plan>, Difference)> {
    let text = print::file(cases);
    let subject = oracle::subject(&text).map_err(|e| (None, Difference { kind: Kind::Broken, text: e }))?;
    let mut edits = Edits::new();
    for plan in plans {
        add(&mut edits, &oracle::check(&subject, plan).map_err(|d| (Some(plan.clone()), d))?);
    }
    Ok(edits)
}

fn add(sum: &mut Edits, more: &Edits) {
    for (pass, counts) in more {
        let all = sum.entry(pass).or_default();
        (0..3).for_each(|k| all[k] += counts[k]);
    }
}

/// Runs the programs with seeds from `first` on, `count` of them, in `per` ways each.
pub fn run(first: u64, count: u64, per: usize, progress: bool, most: usize) -> Outcome {
    let start = Instant::now();
    let progress = progress && std::io::stderr().is_terminal();
    let done = AtomicU64::new(0);
    let failed = AtomicU64::new(0);
    let batches: Vec<u64> = (first..first + count).step_by(BATCH as usize).collect();
    let results: Vec<(Vec<Failure>, Edits)> = batches
        .par_iter()
        .map(|&seed| {
            if failed.load(Ordering::Relaxed) as usize >= most {
                return (vec![], Edits::new());
            }
            let n = BATCH.min(first + count - seed);
            let (found, edits) = batch(seed, n, per);
            failed.fetch_add(found.len() as u64, Ordering::Relaxed);
            let programs = done.fetch_add(n, Ordering::Relaxed) + n;
            if progress {
                bar(programs, count, failed.load(Ordering::Relaxed), start.elapsed());
            }
            (found, edits)
        })
        .collect();
    if progress {
        let _ = writeln!(std::io::stderr());
    }
    let programs = done.into_inner();
    let mut outcome = Outcome { programs, comparisons: programs * per as u64, ..Outcome::default() };
    for (failures, edits) in results {
        outcome.failures.extend(failures);
        add(&mut outcome.edits, &edits);
    }
    outcome
}

fn batch(seed: u64, n: u64, per: usize) -> (Vec<Failure>, Edits) {
    let plans = plans(seed, per);
    let cases: Vec<Case> = (seed..seed + n).map(generate::case).collect();
    let (plan, difference) = match judge(&cases, &plans) {
        Ok(edits) => return (vec![], edits),
        Err(failure) => failure,
    };
    let mut out = Vec::new();
    for case in &cases {
        if let Err((plan, difference)) = judge(std::slice::from_ref(case), &plans) {
            out.push(Failure { seed: case.id, plan, difference });
        }
    }
    if out.is_empty() {
        out.push(Failure { seed, plan, difference });
    }
    (out, Edits::new())
}

fn bar(done: u64, of: u64, failed: u64, time: Duration) {
    let width = 40;
    let full = (done * width / of.max(1)) as usize;
    let rate = done as f64 / time.as_secs_f64().max(1e-9);
    let _ = write!(
        std::io::stderr(),
        "\r[{}{}] {done}/{of} programs, {rate:.0}/s, {failed} failed ",
        "#".repeat(full),
        ".".repeat(width as usize - full)
    );
}

/// A failure of the same kind in fewer lines and with fewer passes.
pub fn shrink(failure: &Failure) -> (Case, Option<Plan>, Difference) {
    let case = generate::case(failure.seed);
    let kind = failure.difference.kind;
    let Some(plan) = &failure.plan else {
        let fails =
            |c: &Case| matches!(judge(std::slice::from_ref(c), &[]), Err((None, d)) if alike(&d, &failure.difference));
        let small = reduce::reduce(&case, &fails);
        return (small, None, failure.difference.clone());
    };
    let (small, plan) = shrink_by(&case, plan, &|c, p| fails_with(c, p, kind).is_some());
    let difference = fails_with(&small, &plan, kind).unwrap_or_else(|| failure.difference.clone());
    (small, Some(plan), difference)
}

/// The smallest case and the fewest passes found for which `fails` holds, as it does for these.
pub fn shrink_by(case: &Case, plan: &Plan, fails: &dyn Fn(&Case, &Plan) -> bool) -> (Case, Plan) {
    let mut plan = plan.clone();
    fewer_passes(case, &mut plan, fails);
    let small = reduce::reduce(case, &|c| fails(c, &plan));
    fewer_passes(&small, &mut plan, fails);
    (small, plan)
}

/// Whether two refusals of a source are the same but for places and names.
fn alike(a: &Difference, b: &Difference) -> bool {
    let letters = |t: &str| t.chars().filter(|c| c.is_ascii_alphabetic()).take(40).collect::<String>();
    letters(&a.text) == letters(&b.text)
}

fn fails_with(case: &Case, plan: &Plan, kind: Kind) -> Option<Difference> {
    let subject: Subject = oracle::subject(&print::file(std::slice::from_ref(case))).ok()?;
    oracle::check(&subject, plan).err().filter(|d| d.kind == kind)
}

fn fewer_passes(case: &Case, plan: &mut Plan, fails: &dyn Fn(&Case, &Plan) -> bool) {
    if plan.passes.is_none() {
        let names: Vec<String> = trueline_opt::pipeline(plan.level)
            .into_iter()
            .filter_map(|s| match s {
                trueline_opt::Step::Run(p) if p.lowers_to.is_none() => Some(p.name.to_owned()),
                _ => None,
            })
            .collect();
        let explicit = Plan { passes: Some(names), ..plan.clone() };
        if !fails(case, &explicit) {
            return;
        }
        *plan = explicit;
    }
    let mut at = 0;
    while at < plan.passes.as_ref().map_or(0, Vec::len) {
        let mut candidate = plan.clone();
        if let Some(p) = &mut candidate.passes {
            p.remove(at);
        }
        if fails(case, &candidate) {
            *plan = candidate;
        } else {
            at += 1;
        }
    }
}
