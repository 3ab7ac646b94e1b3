//! The pipeline: source files to an executable, in one function that reads top to bottom.

use crate::commands::remarks::Remarks;
use crate::modules::{self, Store};
use crate::{language, runtime};
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use target_lexicon::Triple;
use trueline_abi::profile::SourceFile;
use trueline_codegen::{EntryData, ProfileData, RecordData};
use trueline_diag::{Diagnostic, Diagnostics, FileId, Policy, SourceMap, Span};
use trueline_instrument::{Choice, Earlier, Measured, MetaOptions, Phase, Selection, TimeMode};
use trueline_ir::{Level, Program};
use trueline_opt::{Bug, Feedback, OptLevel, Point, Stats};
use trueline_provenance::Serial;
use trueline_syntax::ast::Ast;

/// How often a second the program counter is sampled: as often as the kernel's usual tick allows.
const USUAL_SAMPLES: u64 = 250;

/// What to compile, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Source files, in order.
    pub files: Vec<PathBuf>,
    /// How to read them.
    pub syntax: trueline_syntax::Options,
    /// Whether they are preprocessed; none: as their suffixes say.
    pub preprocess: Option<bool>,
    /// Macros and directories of the preprocessor.
    pub cpp: trueline_cpp::Options,
    /// Where module files are.
    pub module_dirs: Vec<PathBuf>,
    /// Modules that are at hand without their files.
    pub store: Arc<Store>,
    /// How to analyse them.
    pub semantics: trueline_parse::Options,
    /// How to optimize.
    pub optimize: trueline_opt::Options,
    /// What to time; none for a plain build.
    pub profile: Option<TimeMode>,
    /// How the profile is made, in a profiled build.
    pub selection: Selection,
    /// The target.
    pub triple: Triple,
    /// Whether to write a line table.
    pub debug: bool,
    /// What becomes of warnings.
    pub policy: Policy,
    /// What becomes of the warnings of some names.
    pub named_policies: Vec<(String, Policy)>,
    /// What is told of the optimizer's decisions.
    pub remarks: Remarks,
    /// A profile of an earlier run, for the optimizer's decisions.
    pub profile_use: Option<PathBuf>,
    /// After so many errors the others are not told.
    pub most_errors: Option<usize>,
}

/// Why there is no result.
#[derive(Debug)]
pub enum Failure {
    /// The source has errors; they are in the diagnostics.
    Source,
    /// A message for the user: an input, a limit, the target.
    User(String),
    /// The link failed.
    Link(String),
    /// A bug of ours.
    Bug(String),
}

impl From<Bug> for Failure {
    fn from(bug: Bug) -> Failure {
        Failure::Bug(bug.to_string())
    }
}

impl From<trueline_codegen::Error> for Failure {
    fn from(e: trueline_codegen::Error) -> Failure {
        match e {
            trueline_codegen::Error::Internal(_) => Failure::Bug(e.to_string()),
            _ => Failure::User(e.to_string()),
        }
    }
}

/// The sources and what is wrong with them.
#[derive(Default)]
pub struct Session {
    /// The files read.
    pub map: SourceMap,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
    /// The files that the preprocessor read, in the order of their first inclusion.
    pub headers: Vec<PathBuf>,
}

/// A program brought down to some level.
pub struct Compiled {
    /// The units and source statements.
    pub program: Program,
    /// What the optimizer did.
    pub stats: Stats,
    /// Of a profiled build: statuses and timers, and what the object carries.
    pub measured: Option<(Measured, ProfileData)>,
    /// What an earlier run counted.
    pub feedback: Option<Arc<Feedback>>,
    /// A sentence for each procedure that has changed since.
    pub stale: Vec<String>,
    /// Where debug information needs them, the units lowered without optimization.
    pub sources: Option<Arc<Vec<trueline_ir::Unit>>>,
}

/// The options for some files with everything as a user who says nothing has it.
pub fn default_options(files: Vec<PathBuf>, level: OptLevel) -> Options {
    Options {
        files,
        syntax: syntax_options(Vec::new()),
        preprocess: None,
        cpp: trueline_cpp::Options::default(),
        module_dirs: Vec::new(),
        store: Arc::default(),
        semantics: trueline_parse::Options::default(),
        optimize: trueline_opt::Options { level, ..trueline_opt::Options::default() },
        profile: None,
        selection: Selection::default(),
        triple: Triple::host(),
        debug: false,
        policy: Policy::Tell,
        named_policies: Vec::new(),
        remarks: Remarks::default(),
        profile_use: None,
        most_errors: None,
    }
}

/// How source is read unless the command line says otherwise.
pub fn syntax_options(include_dirs: Vec<PathBuf>) -> trueline_syntax::Options {
    let provided = trueline_parse::provided_includes();
    trueline_syntax::Options { include_dirs, provided, ..trueline_syntax::Options::default() }
}

/// Reads and parses the files. There is a tree for each file that can be read: what is wrong is in the
/// diagnostics and left out of the tree, so that the analysis can go on and find more.
pub fn parse(session: &mut Session, options: &Options) -> Vec<Ast> {
    session.diagnostics.set_policy(options.policy);
    session.diagnostics.set_named(options.named_policies.clone());
    session.diagnostics.set_most(options.most_errors);
    session.map.set_trusted(&options.files, &options.syntax.include_dirs);
    let mut asts = Vec::new();
    for path in &options.files {
        let Some(file) = load(session, path, options) else { continue };
        if session.map.check(file, &mut session.diagnostics) {
            asts.extend(trueline_syntax::parse_parts(
                &mut session.map,
                file,
                &options.syntax,
                &mut session.diagnostics,
            ));
        }
    }
    asts
}

/// Reads a file, through the preprocessor if that is asked for. `-` is standard input.
fn load(session: &mut Session, path: &Path, options: &Options) -> Option<FileId> {
    if path != Path::new("-") && !options.preprocess.unwrap_or_else(|| language::is_preprocessed(path)) {
        return session.map.load_main(path, &mut session.diagnostics);
    }
    let prepared = preprocess(session, path, options)?.prepared;
    Some(session.map.add_prepared(prepared, None))
}

/// A file after the preprocessor; none if there are errors, which are in the diagnostics.
pub fn preprocess(session: &mut Session, path: &Path, options: &Options) -> Option<trueline_cpp::Output> {
    let mut mains = options.files.clone();
    mains.push(path.to_owned());
    session.map.set_trusted(&mains, &options.syntax.include_dirs);
    let is_input = path == Path::new("-");
    let bytes = if is_input { runtime::input().map_err(|e| e.to_string()) } else { read(path) };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(why) => {
            let message = format!("Cannot read '{}': {why}", path.display());
            session.diagnostics.push(Diagnostic::global_error("T0002", message));
            return None;
        }
    };
    let name = if is_input { Path::new("<stdin>") } else { path };
    let out = trueline_cpp::preprocess(name, bytes, &options.cpp, &mut read);
    session.headers.extend(out.dependencies.iter().cloned());
    for problem in &out.problems {
        session.problem(problem);
    }
    (!out.problems.iter().any(|p| p.is_error)).then_some(out)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    trueline_diag::read(path).map_err(|e| e.to_string())
}

impl Session {
    /// What the preprocessor has to say. An error shows its line; the file of a warning is read for its program, and only once.
    fn problem(&mut self, problem: &trueline_cpp::Problem) {
        let diagnostic = if !problem.is_error {
            let message = format!("{}:{}: {}", problem.file, problem.line, problem.message);
            Diagnostic::global_warning("T0021", message)
        } else if let Ok(file) = self.map.load(Path::new(&problem.file), None) {
            self.map.mark_header(file);
            let line = self.map.file(file).line_range(problem.line);
            let span = Span::new(file, line.start as u32, line.end as u32);
            Diagnostic::error("T0020", span, &problem.message)
        } else {
            Diagnostic::global_error("T0020", format!("{}:{}: {}", problem.file, problem.line, problem.message))
        };
        self.diagnostics.push(diagnostic);
    }
}

/// Parses and analyses the files: the program at VH, as it was written.
///
/// # Errors
/// [`Failure::Source`] if there are errors; all of them are in the diagnostics.
pub fn analyze(session: &mut Session, options: &Options) -> Result<Program, Failure> {
    let mut asts = parse(session, options);
    analyze_trees(session, &mut asts, options)
}

/// Analyses trees, with the modules that they use and do not define.
///
/// # Errors
/// As [`analyze`].
pub fn analyze_trees(session: &mut Session, asts: &mut Vec<Ast>, options: &Options) -> Result<Program, Failure> {
    modules::load(session, asts, options);
    let mut program = trueline_parse::analyze(asts, &session.map, &options.semantics, &mut session.diagnostics);
    if session.diagnostics.has_errors() {
        return Err(Failure::Source);
    }
    trueline_instrument::mark_returning(&mut program);
    Ok(program)
}

/// The whole pipeline but code generation: parse, analyse, plant, optimize, measure, lower.
///
/// # Errors
/// If the source has errors, or a pass has a bug.
pub fn compile(session: &mut Session, options: &Options) -> Result<Compiled, Failure> {
    let program = analyze(session, options)?;
    optimize(program, options)
}

/// Everything after the analysis: plant, optimize, measure, lower.
///
/// # Errors
/// If a pass has a bug.
pub fn optimize(mut program: Program, options: &Options) -> Result<Compiled, Failure> {
    let (mut feedback, mut stale) = (None, Vec::new());
    if let Some(path) = &options.profile_use {
        let (counts, changed) = crate::feedback::feedback(&crate::feedback::load(path)?, &program.infos);
        (feedback, stale) = (Some(Arc::new(counts)), changed);
    }
    let optimize = trueline_opt::Options { feedback: feedback.clone(), ..options.optimize.clone() };
    let sources = sources(&program, options)?;
    let Some(mode) = options.profile else {
        let stats = trueline_opt::optimize(&mut program, &optimize)?;
        return Ok(Compiled { program, stats, measured: None, feedback, stale, sources });
    };
    let selection = &options.selection;
    let mut choice = Choice::default();
    if mode == TimeMode::Selective {
        choice.procedures = selected(&program, selection.threshold).collect();
    }
    choice.earlier = feedback.as_deref().map(earlier).unwrap_or_default();
    choice.left_out = trueline_instrument::plant_with(&mut program, selection.regions);
    let calls = trueline_instrument::calls(&program);
    let mut measured = None;
    let stats = trueline_opt::optimize_with(&mut program, &optimize, &mut |point, program| match point {
        Point::AfterWopt => {
            let counts_entries = trueline_codegen::counts_entries(&options.triple);
            let mut discharged =
                trueline_instrument::discharge(program, &calls, counts_entries, selection.overhead.is_some());
            if counts_entries {
                discharged.enter(program);
            }
            let statuses = trueline_instrument::measure_with(program, mode, selection, &choice);
            let data = profile_data(program, &calls, &statuses, &discharged, options);
            measured = Some((statuses, data));
        }
        point if hoists(selection.instrument_at, point) => trueline_instrument::hoist(program),
        _ => {}
    })?;
    Ok(Compiled { program, stats, measured, feedback, stale, sources })
}

/// The units lowered without optimization, if debug information of optimized code is compared with them.
fn sources(program: &Program, options: &Options) -> Result<Option<Arc<Vec<trueline_ir::Unit>>>, Bug> {
    if !options.debug || options.optimize.level == OptLevel::O0 {
        return Ok(None);
    }
    let mut plain = program.clone();
    let lowering = trueline_opt::Options { level: OptLevel::O0, verify: false, ..Default::default() };
    trueline_opt::optimize(&mut plain, &lowering)?;
    Ok(Some(Arc::new(plain.units)))
}

/// How often things ran, as the budget wants to know it.
fn earlier(feedback: &trueline_opt::Feedback) -> Earlier {
    let mean = |t: &trueline_opt::Trips| t.iterations as f64 / t.entries.max(1) as f64;
    Earlier {
        executions: feedback.procedures.iter().map(|(&s, &n)| (s, n)).collect(),
        trips: feedback.loops.iter().map(|(&s, t)| (s, mean(t))).collect(),
    }
}

/// Whether counting code is brought out of loops at this point. What is left at the end is then; the counts
/// do not depend on it.
fn hoists(phase: Phase, point: Point) -> bool {
    match phase {
        Phase::PreIpa => point == Point::BeforeIpa,
        Phase::PostIpa => point == Point::AfterIpa,
        Phase::PreLno => point == Point::BeforeLno,
        Phase::PostLno => point == Point::AfterLno,
        Phase::PreWopt => point == Point::BeforeWopt,
        // Loops that the nest optimizer takes apart are closed forms before, those that it makes after it.
        Phase::PostWopt => matches!(point, Point::BeforeLno | Point::AfterLno),
    }
}

/// The procedures that are worth a timer by their scores.
fn selected(program: &Program, threshold: u64) -> impl Iterator<Item = Serial> {
    let (serials, shapes): (Vec<_>, Vec<_>) = trueline_instrument::score::shapes(program, None).into_iter().unzip();
    let scores = trueline_instrument::score::decide(&shapes, threshold);
    serials.into_iter().zip(scores).filter(|(_, s)| s.instrumented).map(|(serial, _)| serial)
}

/// What a profiled object carries.
fn profile_data(
    program: &Program,
    calls: &trueline_instrument::Calls,
    measured: &Measured,
    discharged: &trueline_instrument::Discharged,
    options: &Options,
) -> ProfileData {
    let infos = &program.infos;
    // The text of a module file is that of a source without the bodies of its procedures: no version of the source.
    let compiled: std::collections::BTreeSet<u32> = infos.stmts.values().map(|info| info.file).collect();
    let files = infos
        .files
        .iter()
        .enumerate()
        .filter(|&(at, _)| compiled.contains(&(at as u32)))
        .map(|(_, f)| SourceFile {
            path: f.path.clone(),
            sha256: runtime::sha256(&f.text),
            text: Some(String::from_utf8_lossy(&f.text).into_owned()),
        })
        .collect();
    let meta_options = MetaOptions {
        opt_level: format!("{:?}", options.optimize.level),
        instrument_at: options.selection.instrument_at.name().to_owned(),
    };
    let meta = trueline_instrument::metadata(program, calls, measured, discharged, files, &meta_options);
    let json = serde_json::to_vec(&meta).unwrap_or_default();
    let places: std::collections::HashMap<u32, u32> =
        meta.constructs.iter().enumerate().map(|(i, c)| (c.construct.serial, i as u32)).collect();
    let records = measured
        .timers
        .iter()
        .map(|timer| {
            let serial = timer.record.stmt;
            let info = &infos.stmts[serial];
            let file = infos.files.get(info.file as usize).map_or("", |f| f.path.as_str());
            RecordData {
                unit: timer.unit,
                of: timer.record,
                construct: places.get(&serial.as_u32()).copied().unwrap_or(0),
                name: format!("{file}:{}: {}", info.line, info.text),
                is_joint: timer.members.len() > 1,
            }
        })
        .collect();
    ProfileData {
        counters: discharged.cells.clone(),
        entries: discharged
            .entries
            .iter()
            .map(|(symbol, counter, by)| EntryData {
                symbol: symbol.clone(),
                counter: *counter,
                is_passed_by: *by == trueline_instrument::Entered::FromElsewhere,
                is_open: trueline_instrument::may_be_passed_by(program, symbol),
            })
            .collect(),
        outside: discharged.outside.iter().map(|(symbol, _)| symbol.clone()).collect(),
        records,
        meta: compress_to_vec_zlib(&json, 6),
        constructs: measured.constructs.iter().map(|c| c.serial).zip(0..).collect(),
        regions: trueline_instrument::region_bounds(infos),
        tree_depth: options.selection.tree_depth,
        budget: options.selection.overhead.map_or(0, |f| (f * 1e6).round() as u64),
        atomic: options.selection.atomic,
        sample_rate: match options.profile {
            Some(TimeMode::None) | None => options.selection.samples.unwrap_or(0),
            Some(_) => options.selection.samples.unwrap_or(USUAL_SAMPLES),
        },
    }
}

/// The object file of a compiled program.
///
/// # Errors
/// As of the code generator.
pub fn object(compiled: &Compiled, options: &Options) -> Result<Vec<u8>, Failure> {
    let name = options.files.first().map_or("", |f| f.to_str().unwrap_or(""));
    let profile = compiled.measured.as_ref().map(|(_, data)| data);
    let cold = compiled.feedback.as_ref().map_or_else(Default::default, |f| f.cold_arms());
    let sources = compiled.sources.clone();
    let code = trueline_codegen::Options { cold, sources, ..code_options(options) };
    Ok(trueline_codegen::compile(name, &compiled.program, profile, &code)?)
}

/// The machine code of a compiled program: assembly where there is an assembler for it, else a listing for people.
///
/// # Errors
/// As of the code generator.
pub fn listing(compiled: &Compiled, options: &Options) -> Result<String, Failure> {
    let units = &compiled.program.units;
    let cold = compiled.feedback.as_ref().map_or_else(Default::default, |f| f.cold_arms());
    let sources = compiled.sources.clone();
    let code = trueline_codegen::Options { cold, sources, ..code_options(options) };
    let name = options.files.first().map_or("", |f| f.to_str().unwrap_or(""));
    let profile = compiled.measured.as_ref().map(|(_, data)| data);
    if let Some(text) = trueline_codegen::assembly_file(name, &compiled.program, profile, &code)? {
        return Ok(text);
    }
    let mut out = String::new();
    for (i, unit) in units.iter().enumerate().filter(|(_, u)| u.kind() != trueline_ir::UnitKind::Data) {
        out.push_str(&format!("{}:\n{}\n", unit.symbol(), trueline_codegen::assembly(units, i, &code)?));
    }
    Ok(out)
}

/// What the code generator is asked for.
pub fn code_options(options: &Options) -> trueline_codegen::Options {
    trueline_codegen::Options {
        triple: options.triple.clone(),
        level: options.optimize.level as u8,
        debug: options.debug,
        sources: None,
        verify: cfg!(debug_assertions),
        cold: Default::default(),
    }
}

/// T1: whether the optimized program is the same with and without profiling. The texts are those of the two, the
/// profiled one stripped of what counts and measures.
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

/// The optimization level of `-ON`.
pub fn opt_level(n: u8) -> Option<OptLevel> {
    [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3].get(usize::from(n)).copied()
}
