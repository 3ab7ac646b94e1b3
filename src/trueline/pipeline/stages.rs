//! The stages of the list of steps: marking calls, and in profiled builds the instrumentation.

use super::profile_data::profile_data;
use crate::options::Options;
use trueline_codegen::ProfileData;
use trueline_instrument::{Calls, Choice, Discharged, Earlier, Measured, Phase, TimeMode};
use trueline_ir::Program;
use trueline_opt::{Feedback, Point, Stage, Stages};
use trueline_provenance::Serial;

/// Instrumentation: each stage and the results that later ones need.
pub(super) struct Instrumentation<'a> {
    options: &'a Options,
    feedback: Option<&'a Feedback>,
    choice: Choice,
    calls: Calls,
    discharged: Discharged,
    /// The last stage's results, in a profiled build.
    pub(super) measured: Option<(Measured, ProfileData)>,
}

impl<'a> Instrumentation<'a> {
    pub(super) fn new(options: &'a Options, feedback: Option<&'a Feedback>) -> Instrumentation<'a> {
        Instrumentation {
            options,
            feedback,
            choice: Choice::default(),
            calls: Calls::default(),
            discharged: Discharged::default(),
            measured: None,
        }
    }

    /// Selects the constructs to measure, and plants their tallies.
    fn plant(&mut self, program: &mut Program) {
        let selection = &self.options.selection;
        if self.options.profile == Some(TimeMode::Selective) {
            self.choice.procedures = selected(program, selection.threshold).collect();
        }
        self.choice.earlier = self.feedback.map(earlier).unwrap_or_default();
        self.choice.left_out = trueline_instrument::plant_with(program, selection.regions);
        self.calls = trueline_instrument::calls(program);
        let arithmetic = self.options.optimize.arithmetic;
        self.calls.combine_in_any_order(arithmetic.may_regroup(), arithmetic.has_one_greatest());
    }

    fn discharge(&mut self, program: &mut Program) {
        let counts_entries = trueline_codegen::counts_entries(&self.options.triple);
        let has_budget = self.options.selection.overhead.is_some();
        self.discharged = trueline_instrument::discharge(program, &self.calls, counts_entries, has_budget);
        if counts_entries {
            self.discharged.enter(program);
        }
    }

    fn measure(&mut self, program: &mut Program) {
        let mode = self.options.profile.unwrap_or_default();
        let measured = trueline_instrument::measure_with(program, mode, &self.options.selection, &self.choice);
        let data = profile_data(program, &self.calls, &measured, &self.discharged, self.options);
        self.measured = Some((measured, data));
    }
}

impl Stages for Instrumentation<'_> {
    fn wants(&self, stage: Stage) -> bool {
        match stage {
            Stage::MarkReturning => true,
            Stage::HoistTallies(point) => {
                self.options.profile.is_some() && hoists(self.options.selection.instrument_at, point)
            }
            Stage::Plant | Stage::Discharge | Stage::Measure => self.options.profile.is_some(),
            Stage::Pack => false,
        }
    }

    fn run(&mut self, stage: Stage, program: &mut Program) {
        super::panic_if_asked(stage.name());
        match stage {
            Stage::MarkReturning => trueline_instrument::mark_returning(program),
            Stage::Plant => self.plant(program),
            Stage::HoistTallies(_) => trueline_instrument::hoist(program),
            Stage::Discharge => self.discharge(program),
            Stage::Measure => self.measure(program),
            Stage::Pack => {}
        }
    }
}

/// The one stage of code that is not instrumented.
pub(super) struct MarkReturning;

impl Stages for MarkReturning {
    fn wants(&self, stage: Stage) -> bool {
        stage == Stage::MarkReturning
    }
    fn run(&mut self, _: Stage, program: &mut Program) {
        trueline_instrument::mark_returning(program);
    }
}

/// Whether tallies are hoisted at this point. Tallies that are left at the end are hoisted then; the counts do not depend on it.
fn hoists(phase: Phase, point: Point) -> bool {
    match phase {
        Phase::PreIpa => point == Point::BeforeIpa,
        Phase::PostIpa => point == Point::AfterIpa,
        Phase::PreLno => point == Point::BeforeLno,
        Phase::PostLno => point == Point::AfterLno,
        Phase::PreWopt => point == Point::BeforeWopt,
        // Tallies of loops that the nest optimizer takes apart are closed forms before it, those of loops that it makes
        // after it.
        Phase::PostWopt => matches!(point, Point::BeforeLno | Point::AfterLno),
    }
}

/// The numbers of executions in an earlier run, for the budget of timers.
fn earlier(feedback: &Feedback) -> Earlier {
    let mean = |t: &trueline_opt::Trips| t.iterations as f64 / t.entries.max(1) as f64;
    Earlier {
        executions: feedback.procedures.iter().map(|(&s, &n)| (s, n)).collect(),
        trips: feedback.loops.iter().map(|(&s, t)| (s, mean(t))).collect(),
    }
}

/// The procedures that are worth a timer by their scores.
fn selected(program: &Program, threshold: u64) -> impl Iterator<Item = Serial> {
    let (serials, shapes): (Vec<_>, Vec<_>) = trueline_instrument::score::shapes(program, None).into_iter().unzip();
    let scores = trueline_instrument::score::decide(&shapes, threshold);
    serials.into_iter().zip(scores).filter(|(_, s)| s.instrumented).map(|(serial, _)| serial)
}
