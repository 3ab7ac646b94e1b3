//! The judge: the output and the counts of a program, as it was written and however it is optimized.
//!
//! The reference is the interpreter on VH. Against it stand the interpreter on the optimized program at any
//! level (same output, same counts), the unprofiled build of the same program (T1), the claims of the
//! mapping (a construct that is EXACT is counted at its image, and must be right), and the sets (a
//! statement stands, by its own set and those around it, in every construct that it stood in).

use crate::claims;
use crate::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use trueline_diag::{Diagnostics, SourceMap};
use trueline_instrument::Discharged;
use trueline_ir::{Item, Level, Program, Run, Type, interpret};
use trueline_opt::{OptLevel, Options, PASSES, Point, Stage, Stages};
use trueline_provenance::{CounterInfo, Measure};

/// Steps after which a reference run is given up: the generator makes shorter programs.
const STEPS: u64 = 4_000_000;
/// The same after passes: lowered code has several steps for one, but a loop without end has more.
const MORE_STEPS: u64 = 8 * STEPS;

/// A program with its expected output and counts.
pub struct Subject {
    /// At VH, without tallies.
    pub plain: Program,
    /// At VH, with tallies.
    pub counted: Program,
    /// The reference run.
    pub reference: Run,
}

/// The bytes of vectors on every target, and of those of x86-64 with AVX2 and with AVX-512.
const SHORT: usize = 16;
const LONG: usize = 32;
const LONGEST: usize = 64;
/// The ends of the texts of plans with the long ones.
const IN_LONG: [(&str, usize); 2] = [(", in 32 bytes", LONG), (", in 64 bytes", LONGEST)];

/// A plan of optimization.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The level, which decides the pipeline if there are no passes, and nothing else.
    pub level: OptLevel,
    /// The passes, in order.
    pub passes: Option<Vec<String>>,
    /// The level at which to stop and compare.
    pub down_to: Level,
    /// Whether tallies are discharged before the comparison.
    pub discharge: bool,
    /// Whether passes are verified one by one.
    pub verify: bool,
    /// The bytes of the longest vectors.
    pub vector_bytes: usize,
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.passes {
            Some(p) => write!(f, "--passes={}", p.join(","))?,
            None => write!(f, "-{:?}", self.level)?,
        }
        write!(f, " at {}{}", self.down_to.name(), if self.discharge { ", discharged" } else { "" })?;
        let end = IN_LONG.iter().find(|(_, bytes)| *bytes == self.vector_bytes);
        end.map_or(Ok(()), |(end, _)| write!(f, "{end}"))
    }
}

impl std::str::FromStr for Plan {
    type Err = String;

    /// Parses a plan from its `Display` text; the verifier is on.
    fn from_str(text: &str) -> Result<Plan, String> {
        let bad = || format!("'{text}' is no plan");
        let long = IN_LONG.iter().find_map(|&(end, bytes)| Some((text.strip_suffix(end)?, bytes)));
        let (text, vector_bytes) = long.unwrap_or((text, SHORT));
        let (how, place) = text.split_once(" at ").ok_or_else(bad)?;
        let (place, discharge) = match place.strip_suffix(", discharged") {
            Some(p) => (p, true),
            None => (place, false),
        };
        let levels = [Level::Vh, Level::H, Level::M, Level::L];
        let down_to = levels.into_iter().find(|l| l.name() == place).ok_or_else(bad)?;
        let (level, passes) = match how.strip_prefix("--passes=") {
            Some(list) => {
                let names = list.split(',').filter(|n| !n.is_empty()).map(str::to_owned).collect::<Vec<_>>();
                if names.iter().any(|n| trueline_opt::pass_named(n).is_none()) {
                    return Err(bad());
                }
                (OptLevel::O3, Some(names))
            }
            None => {
                let all = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];
                (all.into_iter().find(|l| format!("-{l:?}") == how).ok_or_else(bad)?, None)
            }
        };
        Ok(Plan { level, passes, down_to, discharge, verify: true, vector_bytes })
    }
}

/// The line of [`Edits`] that tells of how many loops the trips are known.
pub const TRIPS: &str = "(trips known)";

/// The figures of each pass: its runs on a program, the runs that made edits, and the edits.
pub type Edits = BTreeMap<&'static str, [u64; 3]>;

/// The failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A pass panicked, or a check after it failed.
    Bug,
    /// The optimized program prints something else.
    Output,
    /// The optimized program is one that the interpreter refuses.
    Broken,
    /// A count is wrong.
    Counts,
    /// Profiling changes the program (T1).
    Perturbed,
    /// An EXACT construct is not.
    Claim,
    /// A statement has left a construct without its set saying so.
    Sets,
    /// A count is given up (UNAVAILABLE).
    Lost,
}

/// A difference from the reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The kind.
    pub kind: Kind,
    /// In words.
    pub text: String,
}

fn difference(kind: Kind, text: impl Into<String>) -> Difference {
    Difference { kind, text: text.into() }
}

/// Whether sources are compiled with `-fcheck=all`.
static CHECKED: AtomicBool = AtomicBool::new(false);

/// Compiles all sources with `-fcheck=all`, or without again: checks are code that passes move, copy and prove, too.
pub fn set_checked(on: bool) {
    CHECKED.store(on, Ordering::Relaxed);
}

/// Parses and analyses a source.
///
/// # Errors
/// The diagnostics.
pub fn load(source: &str) -> Result<Program, String> {
    let (mut map, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = map.add("case.f90", source.as_bytes().to_vec());
    let ast = trueline_syntax::parse(&mut map, file, &trueline_syntax::Options::default(), &mut diags);
    let mut options = trueline_sema::Options::default();
    if CHECKED.load(Ordering::Relaxed) {
        options.checks.apply("all", true);
    }
    let mut program = trueline_lower::compile(&[ast], &map, &options, &mut diags);
    if diags.has_errors() {
        let list = diags.finish(&map);
        return Err(list.iter().map(|d| trueline_diag::one_line(d, &map)).collect::<Vec<_>>().join("\n"));
    }
    trueline_instrument::mark_returning(&mut program);
    Ok(program)
}

/// The reference of a source.
///
/// # Errors
/// Why it is no subject: errors in the source, or a run that the interpreter refuses.
pub fn subject(source: &str) -> Result<Subject, String> {
    let plain = load(source)?;
    let mut counted = plain.clone();
    trueline_instrument::plant(&mut counted);
    let reference = run(&counted, STEPS)?;
    Ok(Subject { plain, counted, reference })
}

fn run(program: &Program, steps: u64) -> Result<Run, String> {
    let options = trueline_ir::Options { steps, ..trueline_ir::Options::default() };
    interpret(program, &options).map_err(|e| e.to_string())
}

/// Passes that are newer than the seeds that show the faults: they are put into plans that are otherwise the same.
const NEWER: &[&str] = &[
    "settle",
    "relax",
    "uncheck",
    "notes",
    "interior",
    "elements",
    "letters",
    "evaluate",
    "promote",
    "strides",
    "intent",
    "values",
    "steps",
    "inline_in_nests",
];

/// A random plan. The passes are those of the list, in any order, each any number of times.
pub fn random_plan(rng: &mut Rng) -> Plan {
    let movable = PASSES.iter().filter(|p| p.lowers_to.is_none()).map(|p| p.name);
    let movable: Vec<&str> = movable.filter(|name| !NEWER.contains(name)).collect();
    let mut passes: Option<Vec<String>> = (!movable.is_empty() && rng.chance(75)).then(|| {
        // By level, since a pass that comes after a lowering that it needs not to be is skipped.
        let count = 1 + rng.weighted(&[20, 20, 20, 15, 10, 10, 5, 5, 5, 5]);
        let mut names: Vec<&str> = (0..count).map(|_| rng.pick(&movable)).collect();
        if rng.chance(70) {
            names.sort_by_key(|n| trueline_opt::pass_named(n).map(|p| !p.at.contains(&Level::H)));
        }
        names.into_iter().map(str::to_owned).collect()
    });
    let level = rng.pick(&[OptLevel::O1, OptLevel::O2, OptLevel::O3, OptLevel::O3]);
    let down_to = [Level::L, Level::M, Level::H][rng.weighted(&[50, 30, 20])];
    let discharge = rng.chance(50);
    for name in NEWER {
        if let Some(passes) = &mut passes
            && rng.chance(40)
        {
            passes.insert(rng.below(passes.len() + 1), (*name).to_owned());
        }
    }
    // Drawn from what is known, so that the plans of seeds stay as they were.
    let count = passes.as_ref().map_or(0, Vec::len);
    let vector_bytes = match (discharge == count.is_multiple_of(2), count.is_multiple_of(3)) {
        (true, true) => LONGEST,
        (true, false) => LONG,
        (false, _) => SHORT,
    };
    Plan { level, passes, down_to, discharge, verify: true, vector_bytes }
}

/// Every level as it is.
pub fn fixed_plans() -> Vec<Plan> {
    [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3]
        .into_iter()
        .map(|level| Plan {
            level,
            passes: None,
            down_to: Level::L,
            discharge: true,
            verify: true,
            vector_bytes: SHORT,
        })
        .collect()
}

impl Plan {
    fn options(&self) -> Options {
        Options {
            level: self.level,
            passes: self.passes.clone(),
            verify: self.verify,
            down_to: self.down_to,
            vector_bytes: self.vector_bytes,
            ..Options::default()
        }
    }
}

/// The counting stages of a program whose tallies are planted already.
struct Counting {
    /// The calls of the source, if tallies are discharged in the end.
    calls: Option<trueline_instrument::Calls>,
    discharged: Discharged,
}

impl Stages for Counting {
    fn wants(&self, stage: Stage) -> bool {
        match stage {
            Stage::HoistTallies(point) => matches!(point, Point::BeforeLno | Point::AfterLno),
            Stage::Discharge => self.calls.is_some(),
            _ => false,
        }
    }

    fn run(&mut self, stage: Stage, program: &mut Program) {
        match (stage, &self.calls) {
            (Stage::HoistTallies(_), _) => trueline_instrument::hoist(program),
            (Stage::Discharge, Some(calls)) => {
                self.discharged = trueline_instrument::discharge(program, calls, true, false);
            }
            _ => {}
        }
    }
}

/// Compares `subject` optimized by `plan` with its reference; returns the number of edits of each pass.
///
/// # Errors
/// The first difference.
pub fn check(subject: &Subject, plan: &Plan) -> Result<Edits, Difference> {
    let mut counted = subject.counted.clone();
    let calls = trueline_instrument::calls(&counted);
    let options = plan.options();
    let mut counting = Counting { calls: plan.discharge.then_some(calls), discharged: Discharged::default() };
    let stats = trueline_opt::optimize_with(&mut counted, &options, &mut counting)
        .map_err(|bug| difference(Kind::Bug, bug.to_string()))?;
    let discharged = counting.discharged;
    let ran = run(&counted, MORE_STEPS).map_err(|e| difference(Kind::Broken, e))?;
    same_output(&subject.reference, &ran)?;
    let mut tallies = ran.tallies;
    discharged.complete(&mut tallies);
    let lost: Vec<CounterInfo> = counted.units.iter().flat_map(|u| u.log().lost.iter().map(|(c, _)| *c)).collect();
    same_counts(subject, &tallies, &lost)?;
    let mut plain = subject.plain.clone();
    let mut claimed = claims::Claims::default();
    // A unit that was verified with tallies may be wrong without: the texts are compared.
    let options = Options { verify: false, ..options };
    trueline_opt::optimize(&mut plain, &options).map_err(|bug| difference(Kind::Bug, format!("unprofiled: {bug}")))?;
    for (a, b) in plain.units.iter().zip(&counted.units) {
        same_text(&a.stripped().to_string(), &b.stripped().to_string())?;
    }
    claims::sets(&plain).map_err(|e| difference(Kind::Sets, e))?;
    if plan.down_to < Level::L {
        claimed.plant(&mut plain);
        let ran = run(&plain, MORE_STEPS).map_err(|e| difference(Kind::Broken, e))?;
        claimed.compare(&ran.tallies, &subject.reference.tallies).map_err(|e| difference(Kind::Claim, e))?;
    }
    let mut losses = counted.units.iter().flat_map(|u| &u.log().lost);
    if let Some((counter, pass)) = losses.find(|(c, _)| !c.measure.is_of_trips()) {
        let info = &subject.plain.infos.stmts[counter.of];
        let text = format!("{pass} gives up the {} of line {} '{}'", counter.measure.name(), info.line, info.text);
        return Err(difference(Kind::Lost, text));
    }
    let mut edits = Edits::new();
    let loops = subject.reference.tallies.keys().filter(|c| c.measure == Measure::Iterations).count();
    let unknown: BTreeSet<_> = lost.iter().filter(|c| c.measure.is_of_trips()).map(|c| c.of).collect();
    edits.insert(TRIPS, [loops as u64, (loops - unknown.len().min(loops)) as u64, 0]);
    for p in &stats.passes {
        let [runs, fired, made] = edits.entry(p.pass).or_default();
        (*runs, *fired, *made) = (*runs + 1, *fired + u64::from(p.edits > 0), *made + p.edits as u64);
    }
    Ok(edits)
}

/// The text of the profiled program optimized by `plan`, with the data of the mapping beside it.
///
/// # Errors
/// If a pass fails.
pub fn optimized(subject: &Subject, plan: &Plan) -> Result<String, Difference> {
    let mut counted = subject.counted.clone();
    let calls = trueline_instrument::calls(&counted);
    let mut counting = Counting { calls: plan.discharge.then_some(calls), discharged: Discharged::default() };
    trueline_opt::optimize_with(&mut counted, &plan.options(), &mut counting)
        .map_err(|bug| difference(Kind::Bug, bug.to_string()))?;
    Ok(counted.units.iter().map(|u| format!("{u}{:?} {}", u.taints(), u.log().edits.len())).collect())
}

/// The units optimized by `plan`: unprofiled, then profiled, with every pass that changed something.
pub fn texts(subject: &Subject, plan: &Plan) -> String {
    let mut out = String::new();
    for program in [&subject.plain, &subject.counted] {
        let mut program = program.clone();
        let options = Options { dump: vec!["all".to_owned()], ..plan.options() };
        let mut counting = Counting { calls: None, discharged: Discharged::default() };
        let stats = trueline_opt::optimize_with(&mut program, &options, &mut counting);
        for d in stats.map(|s| s.dumps).unwrap_or_default() {
            if d.before != d.after {
                out.push_str(&format!(
                    "---- {} on {}\n{}\n====>\n{}\n{}\n",
                    d.pass, d.unit, d.before, d.after, d.edits
                ));
            }
        }
    }
    out
}

/// The number of counters that are given up by `plan`, and the number of all.
pub fn lost(subject: &Subject, plan: &Plan) -> (usize, usize) {
    let mut counted = subject.counted.clone();
    let _ = trueline_opt::optimize(&mut counted, &plan.options());
    let lost = counted.units.iter().map(|u| u.log().lost.len()).sum();
    (lost, subject.reference.tallies.len())
}

fn same_output(reference: &Run, ran: &Run) -> Result<(), Difference> {
    let (want, got) = (tokens(&reference.output), tokens(&ran.output));
    if want != got {
        let at = want.iter().zip(&got).position(|(a, b)| a != b).unwrap_or(want.len().min(got.len()));
        let show = |t: &[String]| t.get(at).cloned().unwrap_or_else(|| "nothing".to_owned());
        return Err(difference(Kind::Output, format!("item {at} is {}, not {}", show(&got), show(&want))));
    }
    if reference.stop != ran.stop {
        return Err(difference(Kind::Output, format!("stops with {:?}, not {:?}", ran.stop, reference.stop)));
    }
    Ok(())
}

fn same_counts(
    subject: &Subject,
    tallies: &BTreeMap<CounterInfo, i64>,
    lost: &[CounterInfo],
) -> Result<(), Difference> {
    for (counter, want) in &subject.reference.tallies {
        let got = tallies.get(counter).copied().unwrap_or(0);
        if got != *want && !is_lost(counter, lost) {
            let info = &subject.plain.infos.stmts[counter.of];
            let name = counter.measure.name();
            return Err(difference(
                Kind::Counts,
                format!("{name} of line {} '{}' is {got}, not {want}", info.line, info.text),
            ));
        }
    }
    let new = |c: &CounterInfo| !subject.reference.tallies.contains_key(c) && !is_lost(c, lost);
    match tallies.iter().find(|(c, n)| **n != 0 && new(c)) {
        Some((c, n)) => Err(difference(Kind::Counts, format!("{} of {} is {n}, not 0", c.measure.name(), c.of))),
        None => Ok(()),
    }
}

/// Whether a count is not known. The trips of a loop are not, if its iterations are not.
fn is_lost(counter: &CounterInfo, lost: &[CounterInfo]) -> bool {
    let of_trips = |c: &CounterInfo| c.of == counter.of && matches!(c.measure, Measure::Trips | Measure::Iterations);
    lost.contains(counter) || (counter.measure.is_of_trips() && lost.iter().any(of_trips))
}

fn same_text(plain: &str, counted: &str) -> Result<(), Difference> {
    if plain == counted {
        return Ok(());
    }
    let pair = plain.lines().zip(counted.lines()).find(|(a, b)| a != b);
    let text = match pair {
        Some((a, b)) => format!("plain '{}', profiled '{}'", a.trim(), b.trim()),
        None => "one is longer".to_owned(),
    };
    Err(difference(Kind::Perturbed, text))
}

/// The output as native programs print it: numbers in hexadecimal. All NaNs are one.
pub fn tokens(items: &[Item]) -> Vec<String> {
    items.iter().map(|i| token(i.ty, &i.bytes)).collect()
}

/// One item of output; bytes beyond those of its type are zero.
pub fn token(ty: Type, bytes: &[u8]) -> String {
    let mut wide = [0; 8];
    let n = bytes.len().min(8);
    wide[..n].copy_from_slice(&bytes[..n]);
    let bits = u64::from_le_bytes(wide);
    match ty {
        Type::R4 if f32::from_bits(bits as u32).is_nan() => "NaN".to_owned(),
        Type::R8 if f64::from_bits(bits).is_nan() => "NaN".to_owned(),
        _ => format!("{bits:X}"),
    }
}
