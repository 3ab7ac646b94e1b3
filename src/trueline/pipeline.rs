//! The pipeline: source files to an object.
//!
//! [`build`] reads top to bottom: parse, analyse, the steps of [`trueline_opt::STEPS`], object. Each phase and each step is
//! caught by its name if it panics. Commands that stop earlier call the same functions.

mod profile_data;
mod stages;

use crate::driver::{self, Failure, Session};
use crate::modules;
use crate::options::Options;
use stages::{Instrumentation, MarkReturning};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use trueline_codegen::{Packing, ProfileData, Vectorized};
use trueline_instrument::{Measured, TimeMode};
use trueline_ir::{Level, OptLevel, Program, Unit};
use trueline_opt::{Dump, Feedback, Stats};
use trueline_syntax::ast::Ast;

/// A program brought down to some level.
pub struct Compiled {
    /// The units and source statements.
    pub program: Program,
    /// The steps that ran, their texts and times.
    pub stats: Stats,
    /// Statuses and timers of a profiled build, and the data of its object.
    pub measured: Option<(Measured, ProfileData)>,
    /// The counts of an earlier run.
    pub feedback: Option<Arc<Feedback>>,
    /// A sentence for each procedure that has changed since.
    pub stale: Vec<String>,
    /// The units lowered without optimization, if debug information needs them.
    pub sources: Option<Arc<Vec<Unit>>>,
    /// The source statements with vector operations; known when the object is made.
    pub vectorized: Vec<Vectorized>,
    /// Whether it is there for an object and nothing else, which takes it to pieces.
    pub is_for_object: bool,
}

/// Source files to an object.
///
/// # Errors
/// If the source has errors, a limit is exceeded, or a step has a bug.
pub fn build(session: &mut Session, options: &Options) -> Result<(Compiled, Vec<u8>), Failure> {
    let mut trees = parse(session, options)?;
    let program = analyze_trees(session, &mut trees, options)?;
    forget(trees);
    let mut compiled = optimize_for_object(program, options)?;
    let bytes = object(&mut compiled, options)?;
    Ok((compiled, bytes))
}

/// The trees of the files; mistakes are in the diagnostics.
///
/// # Errors
/// If the parser has a bug.
pub fn parse(session: &mut Session, options: &Options) -> Result<Vec<Ast>, Failure> {
    caught("parse", || Ok(driver::parse(session, options)))
}

/// Analyses trees, with the modules that they use and do not define: the program at VH.
///
/// # Errors
/// [`Failure::Source`] if there are errors; all of them are in the diagnostics.
pub fn analyze_trees(session: &mut Session, asts: &mut Vec<Ast>, options: &Options) -> Result<Program, Failure> {
    caught("analyse", || {
        modules::load(session, asts, options);
        let program = trueline_lower::compile(asts, &session.map, &options.semantics, &mut session.diagnostics);
        if session.diagnostics.has_errors() { Err(Failure::Source) } else { Ok(program) }
    })
}

/// Lets trees that nobody needs any more give their memory back while the passes run: those of a long file take a while.
pub fn forget(trees: Vec<Ast>) {
    // A single thread would come to it at the end.
    if rayon::current_num_threads() > 1 {
        rayon::spawn(move || drop(trees));
    }
}

/// Runs the steps on an analysed program: plant, optimize, discharge, measure, lower.
///
/// # Errors
/// If a step has a bug.
pub fn optimize(mut program: Program, options: &Options) -> Result<Compiled, Failure> {
    let (feedback, stale) = earlier_counts(&program, options)?;
    let mut instrumentation = Instrumentation::new(options, feedback.as_deref());
    let sources = sources(&program, options)?;
    let hpf = options.semantics.hpf;
    // Only x86-64 has far displacements, and no such instruction.
    let displaces_far = options.triple.architecture == target_lexicon::Architecture::X86_64;
    let vector_bytes = options.processor.vector_bytes(&options.triple);
    let optimize = trueline_opt::Options {
        feedback: feedback.clone(),
        hpf,
        strip: options.semantics.hpf_strip,
        in_order: options.semantics.hpf_in_order,
        displaces_far,
        entry_registers: if displaces_far { 6 } else { 8 },
        vector_bytes,
        divides_long: options.processor.divides_long(),
        keeps_nans: !displaces_far,
        ..options.optimize.clone()
    };
    let stats = trueline_opt::optimize_with(&mut program, &optimize, &mut instrumentation)?;
    let measured = instrumentation.measured;
    let is_for_object = options.optimize.forget_edits;
    Ok(Compiled { program, stats, measured, feedback, stale, sources, vectorized: Vec::new(), is_for_object })
}

/// As [`optimize`], for an object and nothing else: the edits of a program are forgotten if no profile, debug information,
/// text or remark is made of them.
///
/// # Errors
/// As [`optimize`].
pub fn optimize_for_object(program: Program, options: &Options) -> Result<Compiled, Failure> {
    let tells = options.profile.is_some() || options.debug || options.remarks != Default::default();
    let mut options = options.clone();
    options.optimize.forget_edits = !tells && options.optimize.dump.is_empty();
    optimize(program, &options)
}

/// The object file of a compiled program: the last step, vectorization, and code generation.
///
/// # Errors
/// As of the code generator.
pub fn object(compiled: &mut Compiled, options: &Options) -> Result<Vec<u8>, Failure> {
    let code = trueline_codegen::Options { spends: compiled.is_for_object, ..object_options(compiled, options) };
    let (name, profile) = (object_name(options), compiled.measured.as_ref().map(|(_, data)| data));
    let program = &mut compiled.program;
    let object = caught("code generation", || Ok(trueline_codegen::compile(name, program, profile, &code)?))?;
    Ok(finish(compiled, object))
}

/// The machine code of a compiled program: assembly where there is an assembler for it, else a listing for people.
///
/// # Errors
/// As of the code generator.
pub fn listing(compiled: &mut Compiled, options: &Options) -> Result<String, Failure> {
    let (name, code) = (object_name(options), object_options(compiled, options));
    let profile = compiled.measured.as_ref().map(|(_, data)| data);
    let program = &mut compiled.program;
    let assembly = caught("code generation", || Ok(trueline_codegen::assembly_file(name, program, profile, &code)?))?;
    if let Some((text, object)) = assembly {
        finish(compiled, object);
        return Ok(text);
    }
    let units = &compiled.program.units;
    let mut out = String::new();
    for (i, unit) in units.iter().enumerate().filter(|(_, u)| u.kind() != trueline_ir::UnitKind::Data) {
        out.push_str(&format!("{}:\n{}\n", unit.symbol(), trueline_codegen::assembly(units, i, &code)?));
    }
    Ok(out)
}

/// Parses and analyses the files.
///
/// # Errors
/// As [`analyze_trees`].
pub fn analyze(session: &mut Session, options: &Options) -> Result<Program, Failure> {
    let mut trees = parse(session, options)?;
    let program = analyze_trees(session, &mut trees, options);
    forget(trees);
    program
}

/// Parses, analyses and optimizes the files.
///
/// # Errors
/// As [`build`].
pub fn compile(session: &mut Session, options: &Options) -> Result<Compiled, Failure> {
    optimize(analyze(session, options)?, options)
}

/// Runs a phase. A panic in it is a bug of ours with the phase's name.
fn caught<T>(phase: &str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let work = || {
        panic_if_asked(phase);
        work()
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|e| {
        let what = trueline_ir::panic_text(e.as_ref());
        Err(Failure::Bug(format!("phase '{phase}': {what}")))
    })
}

/// Panics in the phase or stage that `TRUELINE_TEST_PANIC` names, in debug builds: tests see that the message names it.
fn panic_if_asked(phase: &str) {
    if cfg!(debug_assertions) && std::env::var_os("TRUELINE_TEST_PANIC").is_some_and(|name| name == phase) {
        panic!("asked for by TRUELINE_TEST_PANIC");
    }
}

/// The counts of `--profile-use`, and a sentence for each procedure that has changed since.
fn earlier_counts(program: &Program, options: &Options) -> Result<(Option<Arc<Feedback>>, Vec<String>), Failure> {
    let Some(path) = &options.profile_use else { return Ok((None, Vec::new())) };
    let (counts, changed) = crate::feedback::feedback(&crate::feedback::load(path)?, &program.infos);
    Ok((Some(Arc::new(counts)), changed))
}

/// The units lowered without optimization, if debug information of optimized code is compared with them.
fn sources(program: &Program, options: &Options) -> Result<Option<Arc<Vec<Unit>>>, Failure> {
    if !options.debug || options.optimize.level == OptLevel::O0 {
        return Ok(None);
    }
    let mut plain = program.clone();
    let hpf = options.semantics.hpf;
    let lowering = trueline_opt::Options { level: OptLevel::O0, verify: false, hpf, ..Default::default() };
    trueline_opt::optimize_with(&mut plain, &lowering, &mut MarkReturning)?;
    Ok(Some(Arc::new(plain.units)))
}

/// The name of the object: its first source file.
fn object_name(options: &Options) -> &str {
    options.files.first().map_or("", |f| f.to_str().unwrap_or(""))
}

/// The code generator's options for an object.
fn object_options(compiled: &Compiled, options: &Options) -> trueline_codegen::Options {
    let cold = compiled.feedback.as_ref().map_or_else(Default::default, |f| f.cold_arms());
    let packing = Packing {
        first: compiled.stats.first_pack.unwrap_or(1),
        last: options.optimize.bisect,
        dump: options.optimize.dump.iter().any(|d| d == "pack" || d == "all"),
        switched: options.optimize.switches.get("pack"),
    };
    trueline_codegen::Options { cold, packing, sources: compiled.sources.clone(), ..code_options(options) }
}

/// Adds the results of the last step to those of the others.
fn finish(compiled: &mut Compiled, object: trueline_codegen::Object) -> Vec<u8> {
    compiled.vectorized = object.vectorized;
    compiled.stats.dumps.extend(object.dumps.into_iter().map(|d| Dump {
        pass: "pack",
        unit: d.unit,
        application: d.application,
        before: d.before,
        after: d.after,
        edits: String::new(),
    }));
    object.bytes
}

/// The code generator's options for looking at single units.
pub fn code_options(options: &Options) -> trueline_codegen::Options {
    trueline_codegen::Options {
        triple: options.triple.clone(),
        level: options.optimize.level,
        debug: options.debug,
        sources: None,
        verify: cfg!(debug_assertions),
        cold: Default::default(),
        packing: Packing::default(),
        processor: options.processor.clone(),
        contract: options.contract,
        ranks: options.semantics.hpf,
        stretch: options.stretch,
        spends: false,
    }
}

/// T1: whether the optimized program is the same with and without profiling. The texts are those of the two, the
/// profiled one without tallies, ghosts and probes.
///
/// # Errors
/// As [`compile`].
pub fn certify(session: &mut Session, options: &Options) -> Result<(String, String), Failure> {
    let mut plain = options.clone();
    plain.profile = None;
    plain.optimize.down_to = Level::L;
    let plain = compile(session, &plain)?;
    let mut again = Session::default();
    let mut profiled = options.clone();
    profiled.profile = Some(options.profile.unwrap_or(TimeMode::All));
    let profiled = compile(&mut again, &profiled)?;
    Ok((text(&plain.program), text(&profiled.program)))
}

fn text(program: &Program) -> String {
    program.units.iter().map(|u| u.stripped().to_string()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_names_the_phase() {
        let result: Result<(), Failure> = caught("analyse", || panic!("no such thing"));
        assert!(matches!(result, Err(Failure::Bug(text)) if text == "phase 'analyse': no such thing"));
        assert!(matches!(caught("parse", || Ok(7)), Ok(7)));
    }
}
