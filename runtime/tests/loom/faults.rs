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

/// A way in which a step goes wrong.
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
    /// The most interruptions of a thread that does not wait.
    pub(crate) preemptions: usize,
    /// The number of threads that are the first one in turn.
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
        builder.max_duration = Some(std::time::Duration::from_secs(60));
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

/// A fault that no model finds: the file, a part of the line, the fault, and what is known of it.
type Unfound = (&'static str, &'static str, Fault, &'static str);

/// The faults that do no harm, and one whose harm no model reaches in its time.
const UNFOUND: &[Unfound] = &[
    (
        "lanes.rs",
        "busy.load",
        Fault::Relaxed,
        "at the end of sampling nothing is read of a lane but what its thread has kept up to date in whole words",
    ),
    ("lanes.rs", "timer.swap", Fault::Relaxed, "the number of the timer is all that is handed over"),
    ("lock.rs", "self.0.store(false, Ordering::Release);", Fault::Relaxed, "the child of a fork has one thread"),
    ("net.rs", "net.ended(rank).load", Fault::Relaxed, "nothing is read behind it but words of the same order"),
    ("net.rs", "net.ended(rank).store", Fault::Relaxed, "the bells that follow have the order"),
    ("net.rs", "net.ended(rank).store", Fault::Unfenced, "the bells that follow have the order"),
    ("number.rs", "cell.fetch_and", Fault::Split, "the model switches timers on again when no other thread runs"),
    ("pieces.rs", "newest.compare_exchange", Fault::Split, "a piece whose address is overwritten is only wasted"),
    ("ring.rs", "self.written.store", Fault::Unfenced, "the bell that follows has the order"),
    ("slots.rs", "used.fetch_add", Fault::Split, "only the holder of the lock counts"),
    (
        "waiter.rs",
        "self.bell.fetch_add",
        Fault::Relaxed,
        "what is waited for was stored in the same order, and is looked for once more before the sleep",
    ),
    (
        "waiter.rs",
        "self.bell.fetch_add",
        Fault::Unfenced,
        "what is waited for was stored in the same order, and is looked for once more before the sleep",
    ),
    (
        "waiter.rs",
        "self.bell.fetch_add",
        Fault::Split,
        "what is waited for was stored in the same order, and is looked for once more before the sleep",
    ),
    ("waiter.rs", "self.sleeps.load", Fault::Relaxed, "nothing is read behind it"),
    ("waiter.rs", "self.waits.load", Fault::Relaxed, "nothing is read behind it"),
    ("waiter.rs", "self.waits.store(what", Fault::Relaxed, "`sleeps` follows in the same order before the last look"),
    ("waiter.rs", "self.waits.store(what", Fault::Unfenced, "`sleeps` follows in the same order before the last look"),
    ("waiter.rs", "self.bell.load", Fault::Relaxed, "the kernel looks at the bell again"),
    (
        "waiter.rs",
        "self.sleeps.store(1",
        Fault::Relaxed,
        "`waits` came before in the same order, and the kernel has a fence",
    ),
    (
        "waiter.rs",
        "self.sleeps.store(1",
        Fault::Unfenced,
        "`waits` came before in the same order, and the kernel has a fence",
    ),
    ("waiter.rs", "self.sleeps.store(0", Fault::Left, "a rank that seems to sleep is woken in vain"),
    ("waiter.rs", "self.sleeps.store(0", Fault::Relaxed, "a rank that seems to sleep is woken in vain"),
    ("waiter.rs", "self.sleeps.store(0", Fault::Unfenced, "a rank that seems to sleep is woken in vain"),
    (
        "waiter.rs",
        "self.waits.store(0",
        Fault::Left,
        "a look would take a rank that computes for one that waits: the model of deadlocks does not come to it in 200 s",
    ),
    ("waiter.rs", "self.waits.store(0", Fault::Relaxed, "what the rank does next is ordered by `progress`"),
    ("waiter.rs", "self.waits.store(0", Fault::Unfenced, "what the rank does next is ordered by `progress`"),
    (
        "waiter.rs",
        "self.progress.fetch_add",
        Fault::Relaxed,
        "the messages of a rank have the order, and a look that sees one sees the progress before it",
    ),
    (
        "waiter.rs",
        "self.progress.fetch_add",
        Fault::Unfenced,
        "the messages of a rank have the order, and a look that sees one sees the progress before it",
    ),
    ("waiter.rs", "self.progress.fetch_add", Fault::Split, "only the rank itself adds to it"),
];

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
    let (mut wrong, mut found, mut unfound) = (Vec::new(), 0, 0);
    for (step, models) in &takes {
        let (place, fault) = step.split_once(' ').expect("a place and a fault");
        let line = line_of(place);
        let is_known =
            |(file, text, f, _): &&Unfound| place.contains(file) && line.contains(text) && fault == format!("{f:?}");
        let known = UNFOUND.iter().find(is_known);
        let by = models.iter().find(|model| !run(model, VARIABLE, step.as_ref()));
        match (by, known) {
            (Some(_), _) => found += 1,
            (None, Some(_)) => unfound += 1,
            (None, None) => wrong.push(format!("not found: {step}: {line}")),
        }
    }
    println!("{} faults: {found} found, {unfound} of the list are not", takes.len());
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
