//! Faults on purpose, one at a time: each is a step of the code, and how it goes wrong.

use crate::models::MODELS;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::panic::Location;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering as StdOrdering};

use loom::sync::atomic::Ordering;

/// A step of a protocol.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Step {
    Load,
    Store,
    /// A read-modify-write.
    Change,
    /// A wake-up.
    Wake,
}

/// How a step goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fault {
    /// It does not.
    None,
    /// It orders nothing.
    Relaxed,
    /// It is acquiring or releasing, where it is to be sequentially consistent.
    Unfenced,
    /// It reads, and writes later.
    Split,
    /// It is not done.
    Left,
}

/// The variable of the environment with the fault of this process: `file:line:column fault`.
const VARIABLE: &str = "TRUELINE_LOOM_FAULT";

/// The variable with the file that gets the steps of a model.
const STEPS_VARIABLE: &str = "TRUELINE_LOOM_STEPS";

/// The steps that were taken, with the faults that they can have.
static STEPS: Mutex<BTreeSet<(String, Fault)>> = Mutex::new(BTreeSet::new());

/// The fault that this step is to have.
pub(crate) fn at(place: &'static Location<'static>, step: Step, order: Ordering) -> Fault {
    static WANTED: OnceLock<Option<(String, u32, u32, Fault)>> = OnceLock::new();
    let wanted = WANTED.get_or_init(|| {
        let text = std::env::var(VARIABLE).ok()?;
        let (place, fault) = text.split_once(' ')?;
        let mut parts = place.rsplitn(3, ':');
        let (column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
        let all = [Fault::Relaxed, Fault::Unfenced, Fault::Split, Fault::Left];
        let fault = all.into_iter().find(|f| format!("{f:?}") == fault)?;
        Some((file.to_owned(), line.parse().ok()?, column.parse().ok()?, fault))
    });
    if let Some((file, line, column, fault)) = wanted {
        let is_there = place.line() == *line && place.column() == *column && place.file() == file;
        return if is_there { *fault } else { Fault::None };
    }
    static RECORDS: OnceLock<bool> = OnceLock::new();
    if *RECORDS.get_or_init(|| std::env::var_os(STEPS_VARIABLE).is_some()) && place.file().contains("shared") {
        let mut faults = Vec::new();
        if order != Ordering::Relaxed {
            faults.push(Fault::Relaxed);
        }
        if order == Ordering::SeqCst && step != Step::Load {
            faults.push(Fault::Unfenced);
        }
        if step == Step::Change {
            faults.push(Fault::Split);
        } else if step != Step::Load {
            faults.push(Fault::Left);
        }
        let mut steps = STEPS.lock().expect("no panic");
        steps.extend(faults.into_iter().map(|fault| (place.to_string(), fault)));
    }
    Fault::None
}

/// The number of the run of a model: which thread begins. Loom starts with the order in which threads were made, and overlooks some orders in which
/// a thread that reads and then writes follows another one's read.
static FIRST: AtomicUsize = AtomicUsize::new(0);

/// The thread that is to begin.
pub(crate) fn first_thread() -> usize {
    FIRST.load(StdOrdering::Relaxed)
}

/// One model at a time.
static TURN: Mutex<()> = Mutex::new(());

/// A model.
pub(crate) struct Model {
    /// The name of its test.
    pub(crate) test: &'static str,
    /// How often a thread may be interrupted by another one without waiting.
    pub(crate) preemptions: usize,
    /// How many of the threads are the first one in turn.
    pub(crate) beginners: usize,
}

/// Runs a model in all orders, with the fault of this process if there is one.
pub(crate) fn check(model: &Model, run: fn()) {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(model.preemptions);
    builder.max_branches = 10_000;
    if std::env::var_os(VARIABLE).is_some() {
        // A fault that is not found within this time is not found.
        builder.max_duration = Some(std::time::Duration::from_secs(30));
    }
    static ORDERS: AtomicU64 = AtomicU64::new(0);
    ORDERS.store(0, StdOrdering::Relaxed);
    STEPS.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clear();
    let begun = std::time::Instant::now();
    for first in 0..model.beginners {
        FIRST.store(first, StdOrdering::Relaxed);
        builder.check(move || {
            ORDERS.fetch_add(1, StdOrdering::Relaxed);
            run();
        });
    }
    let (orders, seconds) = (ORDERS.load(StdOrdering::Relaxed), begun.elapsed().as_secs_f64());
    println!("{}: {orders} orders in {seconds:.1} s", model.test);
    if let Some(path) = std::env::var_os(STEPS_VARIABLE) {
        let steps = STEPS.lock().expect("no panic");
        let lines: Vec<String> = steps.iter().map(|(place, fault)| format!("{place} {fault:?}\n")).collect();
        std::fs::write(path, lines.concat()).expect("the file can be written");
    }
}

/// A fault that no model finds: the file, a part of the line, the fault, and why it does no harm.
type Harmless = (&'static str, &'static str, Fault, &'static str);

/// The faults that do no harm.
const HARMLESS: &[Harmless] = &[];

/// Each fault of each step is found by a model that takes it. `TRUELINE_LOOM_ONLY` is a part of the names of the files whose steps are looked at.
#[test]
fn every_fault_is_found() {
    if std::env::var_os(VARIABLE).is_some() {
        return;
    }
    let only = std::env::var("TRUELINE_LOOM_ONLY").unwrap_or_default();
    let mut takes: BTreeMap<String, Vec<&Model>> = BTreeMap::new();
    for model in &MODELS {
        let path = std::env::temp_dir().join(format!("trueline-loom-{}", std::process::id()));
        assert!(run(model, STEPS_VARIABLE, path.as_os_str()), "{} fails without a fault", model.test);
        let steps = std::fs::read_to_string(&path).expect("the model has written its steps");
        std::fs::remove_file(path).expect("the file is there");
        for step in steps.lines().filter(|s| s.contains(&only)) {
            takes.entry(step.to_owned()).or_default().push(model);
        }
    }
    let (mut wrong, mut found, mut harmless) = (Vec::new(), 0, 0);
    for (step, models) in &takes {
        let (place, fault) = step.split_once(' ').expect("a place and a fault");
        let line = line_of(place);
        let is_known =
            |(file, text, f, _): &&Harmless| place.contains(file) && line.contains(text) && fault == format!("{f:?}");
        let known = HARMLESS.iter().find(is_known);
        let by = models.iter().find(|model| !run(model, VARIABLE, step.as_ref()));
        match (by, known) {
            (Some(_), None) => found += 1,
            (None, Some(_)) => harmless += 1,
            (Some(model), Some(_)) => wrong.push(format!("{} finds {step}: {line}", model.test)),
            (None, None) => wrong.push(format!("not found: {step}: {line}")),
        }
    }
    println!("{} faults: {found} found, {harmless} do no harm", takes.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(found > 0);
}

/// Whether a model passes, in a process of its own with this variable.
fn run(model: &Model, variable: &str, value: &OsStr) -> bool {
    let mut command = Command::new(std::env::current_exe().expect("the test runs"));
    command.args(["--exact", model.test]).env(variable, value).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("the test starts").success()
}

/// The text of the line of a place.
fn line_of(place: &str) -> String {
    let mut parts = place.rsplitn(3, ':');
    let (_, line, file) = (parts.next(), parts.next().expect("a line"), parts.next().expect("a file"));
    // Names are from the root of the workspace, or from the crate's.
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let text = std::fs::read_to_string(format!("{root}/{file}")).or_else(|_| std::fs::read_to_string(file));
    let number: usize = line.parse().expect("a number");
    text.expect("the source is there").lines().nth(number - 1).unwrap_or_default().trim().to_owned()
}
