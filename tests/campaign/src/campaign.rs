//! R1: many programs, each optimized in many ways, all alike.

use crate::ast::Case;
use crate::oracle::{self, Difference, Kind, Plan, Subject};
use crate::rng::Rng;
use crate::{generate, print, reduce};
use rayon::prelude::*;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many programs make one file for the interpreter: parsing and optimizing what every file has is
/// shared, and a failure is still found quickly.
pub const BATCH: u64 = 8;

/// A program that fails.
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// How it was optimized.
    pub plan: Option<Plan>,
    /// What went wrong.
    pub difference: Difference,
}

/// What a campaign came to.
#[derive(Default)]
pub struct Outcome {
    /// Programs judged.
    pub programs: u64,
    /// Comparisons made.
    pub comparisons: u64,
    /// Failures, by seed.
    pub failures: Vec<Failure>,
}

/// The plans for the batch that begins with `seed`.
pub fn plans(seed: u64, count: usize) -> Vec<Plan> {
    let mut rng = Rng::new(seed ^ 0x00c0_ffee);
    let mut out = vec![oracle::fixed_plans()[rng.below(4)].clone()];
    out.extend((1..count).map(|_| oracle::random_plan(&mut rng)));
    out
}

/// Runs `cases` together; gives the first plan that fails.
///
/// # Errors
/// The failure, with a plan unless the source itself is refused.
pub fn judge(cases: &[Case], plans: &[Plan]) -> Result<(), (Option<Plan>, Difference)> {
    let text = print::file(cases);
    let subject = oracle::subject(&text).map_err(|e| (None, Difference { kind: Kind::Broken, text: e }))?;
    for plan in plans {
        oracle::check(&subject, plan).map_err(|d| (Some(plan.clone()), d))?;
    }
    Ok(())
}

/// Runs the programs with seeds from `first` on, `count` of them, in `per` ways each.
pub fn run(first: u64, count: u64, per: usize, progress: bool, most: usize) -> Outcome {
    let start = Instant::now();
    let done = AtomicU64::new(0);
    let failed = AtomicU64::new(0);
    let batches: Vec<u64> = (first..first + count).step_by(BATCH as usize).collect();
    let failures: Vec<Failure> = batches
        .par_iter()
        .flat_map_iter(|&seed| {
            if failed.load(Ordering::Relaxed) as usize >= most {
                return vec![];
            }
            let n = BATCH.min(first + count - seed);
            let found = batch(seed, n, per);
            failed.fetch_add(found.len() as u64, Ordering::Relaxed);
            let programs = done.fetch_add(n, Ordering::Relaxed) + n;
            if progress {
                bar(programs, count, failed.load(Ordering::Relaxed), start.elapsed());
            }
            found
        })
        .collect();
    if progress {
        let _ = writeln!(std::io::stderr());
    }
    let programs = done.into_inner();
    Outcome { programs, comparisons: programs * per as u64, failures }
}

fn batch(seed: u64, n: u64, per: usize) -> Vec<Failure> {
    let plans = plans(seed, per);
    let cases: Vec<Case> = (seed..seed + n).map(generate::case).collect();
    let Err((plan, difference)) = judge(&cases, &plans) else { return vec![] };
    let mut out = Vec::new();
    for case in &cases {
        if let Err((plan, difference)) = judge(std::slice::from_ref(case), &plans) {
            out.push(Failure { seed: case.id, plan, difference });
        }
    }
    if out.is_empty() {
        out.push(Failure { seed, plan, difference });
    }
    out
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
    let fails = |c: &Case, p: &Plan| fails_with(c, p, kind).is_some();
    let mut plan = plan.clone();
    fewer_passes(&case, &mut plan, &fails);
    let small = reduce::reduce(&case, &|c| fails(c, &plan));
    fewer_passes(&small, &mut plan, &fails);
    let difference = fails_with(&small, &plan, kind).unwrap_or_else(|| failure.difference.clone());
    (small, Some(plan), difference)
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
