//! The list of steps: every change of a program between the analysis and the object, in the order in which it happens.
//!
//! A step is a pass of this crate, which works on each unit, or a stage, which works on the whole program and whose code
//! is in another crate: instrumentation, and vectorization in the code generator. Each step has a name, a number for
//! `--opt-bisect`, a text before and after for `--dump`, a check by the verifier afterwards, and its name in the message
//! if it panics. Stages that a build has no use for keep their numbers, so plain and profiled builds have the same ones.

use crate::arguments::{intent, values};
use crate::scalar_replace::promote;
use crate::{OptLevel, Pass, Switches};
use crate::{
    copyprop, cse, dce, distribute, elements, evaluate, exits, fold, fuse, idiom, induct, inline, interchange,
    interior, letters, licm, lower_l, lower_m, multiply, notes, peel, relax, resolve, scalar_replace, scalarize,
    settle, split, steps, strength, strides, structure, transpose, uncheck, unroll, unswitch, vectorize, version,
};
use std::sync::LazyLock;
use trueline_ir::{Level, Program};

/// The steps of -O3, in order. A level has those from its own level on.
pub const STEPS: &[Step] = &[
    Step::Stage(Stage::MarkReturning),
    Step::Run(&exits::PASS),
    Step::Stage(Stage::Plant),
    Step::Run(&scalarize::PASS),
    Step::Run(&inline::nests::PASS),
    Step::Run(&resolve::PASS),
    // Interprocedural.
    Step::Stage(Stage::HoistTallies(Point::BeforeIpa)),
    Step::Run(&notes::PASS),
    Step::Run(&intent::PASS),
    Step::Run(&inline::PASS),
    Step::Run(&notes::PASS),
    Step::Stage(Stage::HoistTallies(Point::AfterIpa)),
    // Loop nests, in which constants are known.
    Step::Run(&structure::PASS),
    Step::Run(&letters::PASS),
    Step::Run(&fold::PASS),
    Step::Run(&copyprop::PASS),
    Step::Run(&dce::PASS),
    Step::Stage(Stage::HoistTallies(Point::BeforeLno)),
    Step::Run(&elements::PASS),
    Step::Run(&settle::PASS),
    Step::Run(&strides::PASS),
    Step::Run(&steps::PASS),
    Step::Run(&induct::PASS),
    Step::Run(&uncheck::PASS),
    Step::Run(&relax::PASS),
    Step::Run(&distribute::PASS),
    Step::Run(&multiply::PASS),
    Step::Run(&transpose::PASS),
    Step::Run(&interchange::PASS),
    Step::Run(&fuse::PASS),
    Step::Run(&peel::PASS),
    Step::Run(&interior::PASS),
    Step::Run(&split::PASS),
    Step::Run(&unswitch::PASS),
    Step::Run(&licm::PASS),
    Step::Run(&idiom::PASS),
    Step::Run(&promote::PASS),
    Step::Run(&evaluate::PASS),
    Step::Run(&vectorize::PASS),
    Step::Run(&scalar_replace::PASS),
    Step::Run(&version::PASS),
    Step::Run(&unroll::PASS),
    Step::Stage(Stage::HoistTallies(Point::AfterLno)),
    // Scalars; then with addresses explicit.
    Step::Run(&elements::PASS),
    Step::Run(&fold::PASS),
    Step::Run(&copyprop::PASS),
    Step::Run(&cse::PASS),
    Step::Run(&dce::PASS),
    Step::Run(&values::PASS),
    Step::Run(&lower_m::PASS),
    Step::Stage(Stage::HoistTallies(Point::BeforeWopt)),
    Step::Run(&fold::PASS),
    Step::Run(&strength::PASS),
    Step::Run(&copyprop::PASS),
    Step::Run(&dce::PASS),
    Step::Stage(Stage::Discharge),
    Step::Stage(Stage::Measure),
    Step::Run(&lower_l::PASS),
    Step::Stage(Stage::Pack),
];

/// Every pass, by name, in the order in which they run first.
pub static PASSES: LazyLock<Vec<&'static Pass>> = LazyLock::new(|| {
    let mut out: Vec<&'static Pass> = Vec::new();
    for step in STEPS {
        if let Step::Run(pass) = step
            && !out.iter().any(|p| p.name == pass.name)
        {
            out.push(pass);
        }
    }
    out
});

/// One step of the list.
#[derive(Clone, Copy)]
pub enum Step {
    /// A pass runs on every unit.
    Run(&'static Pass),
    /// A stage works on the whole program.
    Stage(Stage),
}

/// A step whose code is in another crate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Marks the calls that are sure to return.
    MarkReturning,
    /// Plants one tally for each count of the source.
    Plant,
    /// Moves tallies out of loops where their totals have a closed form.
    HoistTallies(Point),
    /// Turns tallies into multiples of other counts and into counters.
    Discharge,
    /// Maps the optimized program onto the source and places timers.
    Measure,
    /// Packs operations on neighbouring elements into vector operations; runs in the code generator, unit by unit.
    Pack,
}

/// A place in the list where tallies can be hoisted: before or after a phase (paper, section 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Point {
    BeforeIpa,
    AfterIpa,
    BeforeLno,
    AfterLno,
    BeforeWopt,
}

impl Stage {
    /// The name in dumps, in messages and in the log.
    pub fn name(self) -> &'static str {
        match self {
            Stage::MarkReturning => "mark_returning",
            Stage::Plant => "plant",
            Stage::HoistTallies(_) => "hoist_tallies",
            Stage::Discharge => "discharge",
            Stage::Measure => "measure",
            Stage::Pack => "pack",
        }
    }

    /// Whether a build without it is still right, so that `--opt-bisect` may leave it out.
    pub fn is_optional(self) -> bool {
        matches!(self, Stage::MarkReturning | Stage::HoistTallies(_) | Stage::Pack)
    }

    /// The level that the units are at then.
    pub fn level(self) -> Level {
        match self {
            Stage::MarkReturning | Stage::Plant => Level::Vh,
            Stage::HoistTallies(Point::BeforeWopt) | Stage::Discharge | Stage::Measure => Level::M,
            Stage::HoistTallies(_) => Level::H,
            Stage::Pack => Level::L,
        }
    }

    /// The lowest optimization level that has it.
    pub fn from(self) -> OptLevel {
        if self == Stage::Pack { OptLevel::O3 } else { OptLevel::O0 }
    }
}

/// The crate that does the work of the stages.
pub trait Stages {
    /// Whether this build has the stage.
    fn wants(&self, stage: Stage) -> bool;

    /// Does its work. Never called for [`Stage::Pack`], which is the code generator's.
    fn run(&mut self, stage: Stage, program: &mut Program);
}

/// A build without stages: the optimizer alone.
pub struct NoStages;

impl Stages for NoStages {
    fn wants(&self, _: Stage) -> bool {
        false
    }
    fn run(&mut self, _: Stage, _: &mut Program) {}
}

/// The steps of a level, in order.
pub fn pipeline(level: OptLevel) -> Vec<Step> {
    switched(level, &Switches::default())
}

/// The steps of a level, with the ones switched on and without the ones switched off. At -O0 nothing is switched.
pub(crate) fn switched(level: OptLevel, switches: &Switches) -> Vec<Step> {
    let runs = |step: &Step| {
        let (name, from) = match step {
            Step::Run(pass) => (pass.name, pass.from),
            Step::Stage(stage) => (stage.name(), stage.from()),
        };
        let usual = from <= level;
        if level == OptLevel::O0 { usual } else { switches.get(name).unwrap_or(usual) }
    };
    STEPS.iter().copied().filter(runs).collect()
}

/// The pass with that name.
pub fn pass_named(name: &str) -> Option<&'static Pass> {
    PASSES.iter().copied().find(|p| p.name == name)
}

/// The names of all steps, each once, in order: the words of `--dump`.
pub fn step_names() -> Vec<&'static str> {
    let mut out = Vec::new();
    for step in STEPS {
        let name = match step {
            Step::Run(pass) => pass.name,
            Step::Stage(stage) => stage.name(),
        };
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// Whether `--opt-bisect` may leave out the step with that name; lowerings and counting code are part of every build.
pub fn is_optional(name: &str) -> bool {
    STEPS.iter().any(|step| match step {
        Step::Run(pass) => pass.name == name && pass.lowers_to.is_none(),
        Step::Stage(stage) => stage.name() == name && stage.is_optional(),
    })
}
