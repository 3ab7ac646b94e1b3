//! Running the steps: order, bisection, checks, dumps, time.
//!
//! An *application* is one pass on one unit, or a stage on the whole program. Applications are numbered step by step and in
//! a pass unit by unit, from 1, whatever runs in parallel: the number of `--opt-bisect` names the same one always.

use crate::pass::{Context, Pass, bottom_up};
use crate::step::switched;
use crate::{Arithmetic, Feedback, NoStages, OptLevel, Stage, Stages, Step, Switches, pass_named, pipeline};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use trueline_ir::{Editor, Level, Program, Snapshot, Unit, UnitKind, placed, verify};
use trueline_provenance::{Obstacle, StmtInfos};

/// The options of the optimizer.
#[derive(Clone, Debug)]
pub struct Options {
    /// `-O0` to `-O3`.
    pub level: OptLevel,
    /// Run these passes, in this order, instead of the pipeline's; lowerings come in where they are needed.
    pub passes: Option<Vec<String>>,
    /// The steps of the pipeline that are switched on or off.
    pub switches: Switches,
    /// Only this many applications of passes that are not lowerings.
    pub bisect: Option<u64>,
    /// Check every unit after every pass.
    pub verify: bool,
    /// Keep the text before and after of the passes with these names; `all` means every one.
    pub dump: Vec<String>,
    /// Stop as soon as a unit is at this level and nothing else runs at it.
    pub down_to: Level,
    /// The counts of a previous run, for decisions.
    pub feedback: Option<Arc<Feedback>>,
    /// Whether the program may run on several ranks.
    pub hpf: bool,
    /// The iterations of a strip of a sweep; 0 leaves them to the runtime.
    pub strip: u32,
    /// Whether ranks execute the iterations of a nest in order, even if elements for some of them are on their way.
    pub in_order: bool,
    /// The rules of real arithmetic that need not hold.
    pub arithmetic: Arithmetic,
    /// Whether an instruction takes any displacement of 32 bits (x86-64); others need the near ones.
    pub displaces_far: bool,
    /// The registers for addresses and integers as arguments: 6 (x86-64), or 8 (AArch64).
    pub entry_registers: usize,
    /// The bytes of the longest vectors of the target: 16, or 32 (x86-64 with AVX2).
    pub vector_bytes: usize,
    /// Whether the processor divides 64 bytes in the time of 32.
    pub divides_long: bool,
    /// Whether the target has an instruction for the greater of two reals that keeps NaNs (AArch64).
    pub keeps_nans: bool,
    /// Whether nobody will read the edits of a pass once it has been checked, or what has left the program at the end: both are most of the memory of
    /// a unit.
    pub forget_edits: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            level: OptLevel::default(),
            passes: None,
            switches: Switches::default(),
            bisect: None,
            verify: cfg!(debug_assertions),
            dump: Vec::new(),
            down_to: Level::L,
            feedback: None,
            hpf: false,
            strip: 0,
            in_order: false,
            arithmetic: Arithmetic::default(),
            displaces_far: true,
            entry_registers: 6,
            vector_bytes: 16,
            divides_long: false,
            keeps_nans: false,
            forget_edits: false,
        }
    }
}

/// The changes of one pass to one unit, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dump {
    /// The pass.
    pub pass: &'static str,
    /// The unit.
    pub unit: String,
    /// The number of the application.
    pub application: u64,
    /// The unit before it.
    pub before: String,
    /// The unit after it.
    pub after: String,
    /// The edits it made, one a line.
    pub edits: String,
}

impl Dump {
    /// Notes a unit after the step `pass`, whose edits begin with number `from`.
    fn new(pass: &'static str, unit: &Unit, application: u64, before: String, from: usize) -> Dump {
        let edits = unit.log().display_from(from, unit.sets()).to_string();
        Dump { pass, unit: unit.name().to_owned(), application, before, after: unit.to_string(), edits }
    }
}

/// The time and the edits of a pass in all units.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassStats {
    /// The pass.
    pub pass: &'static str,
    /// Time, summed over units.
    pub time: Duration,
    /// Edits made.
    pub edits: usize,
}

/// The result of an optimization.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// One entry for each step that ran, in order.
    pub passes: Vec<PassStats>,
    /// The dumps asked for, in the order of applications.
    pub dumps: Vec<Dump>,
    /// The number of applications, where a bisection starts.
    pub applications: u64,
    /// The number of the first application of [`Stage::Pack`], which the code generator runs; none if the level does
    /// not have the stage.
    pub first_pack: Option<u64>,
}

/// A bug of the compiler, found while a pass ran.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bug {
    /// The pass.
    pub pass: &'static str,
    /// The unit.
    pub unit: String,
    /// The number of the application.
    pub application: u64,
    /// Whether a build can do without it.
    pub is_optional: bool,
    /// The message of the panic, or the rule that a check found broken.
    pub message: String,
}

impl std::fmt::Display for Bug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "pass '{}' on '{}' (application {}", self.pass, self.unit, self.application)?;
        if self.is_optional {
            write!(f, ", so --opt-bisect={} avoids it", self.application.saturating_sub(1))?;
        }
        write!(f, "): {}", self.message)
    }
}

impl std::error::Error for Bug {}

/// Optimizes `program` and lowers it to [`Options::down_to`], without instrumentation.
pub fn optimize(program: &mut Program, options: &Options) -> Result<Stats, Bug> {
    optimize_with(program, options, &mut NoStages)
}

/// As [`optimize`], with the stages that `stages` wants.
pub fn optimize_with(program: &mut Program, options: &Options, stages: &mut dyn Stages) -> Result<Stats, Bug> {
    let mut stats = Stats::default();
    if options.level > OptLevel::O0 {
        for unit in program.units.iter_mut().filter(|u| u.is_deep()) {
            Editor::open(unit, "optimize").missed_whole("not optimized", Obstacle::Depth);
        }
    }
    let units = program.units.len() as u64;
    // The passes that each unit runs for itself before the program is next looked at as a whole.
    let mut alone: Vec<(&'static Pass, u64)> = Vec::new();
    for step in plan(options) {
        let first = stats.applications + 1;
        match step {
            Step::Run(pass) if pass.interprocedural => {
                stats.applications += units;
                run_alone(program, &std::mem::take(&mut alone), options, false, &mut stats)?;
                let results = run_bottom_up(program, pass, options, first);
                account(&mut stats, pass, results)?;
            }
            Step::Run(pass) => {
                stats.applications += units;
                alone.push((pass, first));
            }
            Step::Stage(Stage::Pack) => {
                stats.applications += units;
                stats.first_pack = Some(first);
            }
            Step::Stage(stage) => {
                stats.applications += 1;
                let stays = stage.is_optional() && options.bisect.is_some_and(|last| first > last);
                if !stays && stages.wants(stage) {
                    run_alone(program, &std::mem::take(&mut alone), options, false, &mut stats)?;
                    run_stage(program, stage, options, stages, first, &mut stats)?;
                }
            }
        }
    }
    run_alone(program, &alone, options, options.forget_edits, &mut stats)?;
    Ok(stats)
}

/// Runs passes that look at one unit only, each with the number of its first application. A unit runs all of them before the next one begins, so few
/// units are as large at a time as they are between two passes. If these are the `last` passes of all, what is left is compacted.
fn run_alone(
    program: &mut Program,
    passes: &[(&'static Pass, u64)],
    options: &Options,
    last: bool,
    stats: &mut Stats,
) -> Result<(), Bug> {
    let context = Context {
        infos: Some(&program.infos),
        feedback: options.feedback.as_deref(),
        hpf: options.hpf,
        strip: options.strip,
        in_order: options.in_order,
        arithmetic: options.arithmetic,
        displaces_far: options.displaces_far,
        entry_registers: options.entry_registers,
        vector_bytes: options.vector_bytes,
        divides_long: options.divides_long,
        keeps_nans: options.keeps_nans,
        ..Context::alone(options.level)
    };
    let run = |(i, unit): (usize, &mut Unit)| {
        let mut out: Vec<Applied> = Vec::with_capacity(passes.len());
        for &(pass, first) in passes {
            out.push(apply(pass, unit, &context, options, first + i as u64));
            if out.last().is_some_and(Result::is_err) {
                return out.into_iter();
            }
        }
        if last {
            Editor::open(unit, "compact").compact();
        }
        out.into_iter()
    };
    let mut results: Vec<_> = program.units.par_iter_mut().enumerate().map(run).collect();
    // The bug that is told is that of the first pass that has one.
    for &(pass, _) in passes {
        account(stats, pass, results.iter_mut().filter_map(Iterator::next).collect())?;
    }
    Ok(())
}

/// Runs a stage, as application `number`.
fn run_stage(
    program: &mut Program,
    stage: Stage,
    options: &Options,
    stages: &mut dyn Stages,
    number: u64,
    stats: &mut Stats,
) -> Result<(), Bug> {
    let (pass, is_optional) = (stage.name(), stage.is_optional());
    let bug = |unit: &str, message| Bug { pass, unit: unit.to_owned(), application: number, is_optional, message };
    let dump = wants_dump(options, pass);
    let edits: Vec<usize> = program.units.iter().map(|u| u.log().edits.len()).collect();
    let before: Vec<String> = if dump { program.units.iter().map(Unit::to_string).collect() } else { Vec::new() };
    let snapshots: Vec<Snapshot> =
        if options.verify { program.units.iter().map(Snapshot::of).collect() } else { Vec::new() };
    let start = Instant::now();
    catch_unwind(AssertUnwindSafe(|| stages.run(stage, program)))
        .map_err(|e| bug("the program", trueline_ir::panic_text(e.as_ref())))?;
    let time = start.elapsed();
    for (unit, snapshot) in program.units.iter().zip(&snapshots) {
        checked(unit, snapshot, false, Some(&program.infos)).map_err(|message| bug(unit.name(), message))?;
    }
    for ((unit, before), &from) in program.units.iter().zip(before).zip(&edits) {
        stats.dumps.push(Dump::new(pass, unit, number, before, from));
    }
    let made: usize = program.units.iter().map(|u| u.log().edits.len()).sum();
    stats.passes.push(PassStats { pass, time, edits: made - edits.iter().sum::<usize>() });
    Ok(())
}

/// Whether the text of the step `name` is asked for.
fn wants_dump(options: &Options, name: &str) -> bool {
    options.dump.iter().any(|d| d == name || d == "all")
}

/// The steps that `options` asks for, down to the level it asks for.
fn plan(options: &Options) -> Vec<Step> {
    let steps = match &options.passes {
        None => switched(options.level, &options.switches),
        Some(names) => explicit(names, options.level),
    };
    let mut level = Level::Vh;
    let mut out = Vec::new();
    for step in steps {
        match step {
            Step::Stage(stage) if stage.level() > options.down_to => continue,
            Step::Stage(_) => {}
            Step::Run(pass) => {
                let target = pass.lowers_to.unwrap_or(level);
                if target > options.down_to {
                    continue;
                }
                level = target;
                if !pass.at.contains(&level) && pass.lowers_to.is_none() {
                    continue;
                }
            }
        }
        out.push(step);
    }
    out
}

/// The named passes with the lowerings that they need before them, and the stages where they belong.
fn explicit(names: &[String], level: OptLevel) -> Vec<Step> {
    let mut skeleton = pipeline(level);
    skeleton.retain(|step| !matches!(step, Step::Run(Pass { lowers_to: None, .. })));
    let mut rest = skeleton.into_iter();
    let mut level = Level::Vh;
    let mut out = Vec::new();
    let mut lower = |level: &mut Level, out: &mut Vec<Step>| match rest.next() {
        Some(step) => {
            if let Step::Run(Pass { lowers_to: Some(to), .. }) = step {
                *level = *to;
            }
            out.push(step);
            true
        }
        None => false,
    };
    for pass in names.iter().filter_map(|n| pass_named(n)).filter(|p| p.lowers_to.is_none()) {
        while pass.at.iter().all(|&at| at > level) && lower(&mut level, &mut out) {}
        if pass.at.contains(&level) {
            out.push(Step::Run(pass));
        }
    }
    while lower(&mut level, &mut out) {}
    out
}

type Applied = Result<(PassStats, Option<Dump>), Bug>;

/// An interprocedural pass: callees first, each unit seeing the others as they are by then.
fn run_bottom_up(program: &mut Program, pass: &'static Pass, options: &Options, first: u64) -> Vec<Applied> {
    let order = bottom_up(program);
    let mut units: Vec<Option<Unit>> = std::mem::take(&mut program.units).into_iter().map(Some).collect();
    let mut results: Vec<Option<Applied>> = units.iter().map(|_| None).collect();
    for i in order {
        let Some(mut unit) = units[i].take() else { continue };
        let context = Context {
            level: options.level,
            units: &units,
            infos: Some(&program.infos),
            feedback: options.feedback.as_deref(),
            hpf: options.hpf,
            strip: options.strip,
            in_order: options.in_order,
            arithmetic: options.arithmetic,
            displaces_far: options.displaces_far,
            entry_registers: options.entry_registers,
            vector_bytes: options.vector_bytes,
            divides_long: options.divides_long,
            keeps_nans: options.keeps_nans,
        };
        results[i] = Some(apply(pass, &mut unit, &context, options, first + i as u64));
        units[i] = Some(unit);
    }
    program.units = units.into_iter().flatten().collect();
    results.into_iter().flatten().collect()
}

/// One application.
fn apply(pass: &'static Pass, unit: &mut Unit, context: &Context<'_>, options: &Options, number: u64) -> Applied {
    let edits_before = unit.log().edits.len();
    let stays = unit.kind() == UnitKind::Data || unit.is_deep() || options.bisect.is_some_and(|last| number > last);
    if stays && pass.lowers_to.is_none() {
        return Ok((PassStats { pass: pass.name, time: Duration::ZERO, edits: 0 }, None));
    }
    let name = unit.name().to_owned();
    let is_optional = pass.lowers_to.is_none();
    let bug = |message| Bug { pass: pass.name, unit: name.clone(), application: number, is_optional, message };
    let before = wants_dump(options, pass.name).then(|| unit.to_string());
    let snapshot = options.verify.then(|| Snapshot::of(unit));
    let start = Instant::now();
    let run = AssertUnwindSafe(|| (pass.run)(&mut Editor::open(unit, pass.name), context));
    catch_unwind(run).map_err(|e| bug(trueline_ir::panic_text(e.as_ref())))?;
    let time = start.elapsed();
    if let Some(snapshot) = snapshot {
        checked(unit, &snapshot, pass.interprocedural, context.infos).map_err(bug)?;
    }
    let dump = before.map(|before| Dump::new(pass.name, unit, number, before, edits_before));
    let edits = unit.log().edits.len() - edits_before;
    if options.forget_edits {
        Editor::open(unit, pass.name).forget_edits();
    }
    if pass.lowers_to.is_some() {
        Editor::open(unit, pass.name).shrink();
    }
    Ok((PassStats { pass: pass.name, time, edits }, dump))
}

/// One application, for tests of bugs in passes.
#[cfg(test)]
pub(crate) fn apply_for_test(pass: &'static Pass, unit: &mut Unit, number: u64) -> Result<(), Bug> {
    let options = Options { verify: true, ..Options::default() };
    apply(pass, unit, &Context::default(), &options, number).map(|_| ())
}

/// The verifier, static conservation, and the place of every statement; `is_interprocedural` steps bring in statements of
/// other units.
fn checked(unit: &Unit, before: &Snapshot, is_interprocedural: bool, infos: Option<&StmtInfos>) -> Result<(), String> {
    if let Some(broken) = verify(unit).first() {
        return Err(broken.to_string());
    }
    before.conserved(unit, &|_| is_interprocedural)?;
    infos.map_or(Ok(()), |infos| placed(unit, infos))
}

fn account(stats: &mut Stats, pass: &'static Pass, results: Vec<Applied>) -> Result<(), Bug> {
    let mut total = PassStats { pass: pass.name, time: Duration::ZERO, edits: 0 };
    for result in results {
        let (one, dump) = result?;
        total.time += one.time;
        total.edits += one.edits;
        stats.dumps.extend(dump);
    }
    stats.passes.push(total);
    Ok(())
}
