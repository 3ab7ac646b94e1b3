//! Every seed of every target, and some changes of each. `TRUELINE_FUZZ=N` makes N changes a target, others each time, and `TRUELINE_FUZZ=FROM..TO` those with these
//! numbers, so that many can be tried in parts; `TRUELINE_FUZZ_TARGET=NAME` takes one target alone.

// Lines for those who ask for a long run.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};
use trueline_fuzz::mutate::{Random, mutated};
use trueline_fuzz::{TARGETS, Target, on_stack};

/// A second for each 100 KB is much; the machine may be loaded.
const LIMIT: Duration = Duration::from_secs(60);

/// A target with this many faults is given up.
const MOST: usize = 30;

/// The input at work, of that target, since when.
static AT_WORK: Mutex<(&str, Vec<u8>, Option<Instant>)> = Mutex::new(("", Vec::new(), None));

/// Panics show their input; a hang cannot be caught, but it can be named.
fn watch() {
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            if let (name, input, Some(since)) = &*AT_WORK.lock().expect("nothing panics with it")
                && since.elapsed() > LIMIT
            {
                keep(name, MOST, input, "hangs");
                std::process::exit(101);
            }
        }
    });
}

fn keep(name: &str, number: usize, input: &[u8], how: &str) {
    let path = std::env::temp_dir().join(format!("trueline-fuzz-{name}-{number}"));
    let written = std::fs::write(&path, input);
    eprintln!("'{name}' {how}; its input is in {} ({written:?})", path.display());
}

/// Notes the input at work, or that there is none.
fn note(name: &'static str, input: &[u8], since: Option<Instant>) {
    let mut work = AT_WORK.lock().expect("nothing panics with it");
    work.0 = name;
    work.1.clear();
    work.1.extend_from_slice(input);
    work.2 = since;
}

/// The number of inputs in which the target finds a fault, which are kept; at most [`MOST`]. All run on one thread, since a thread costs more than most inputs.
fn judge(target: &Target, inputs: impl Iterator<Item = (String, Vec<u8>)> + Send, faults: usize) -> usize {
    let all = || {
        let mut faults = faults;
        for (which, input) in inputs {
            note(target.name, &input, Some(Instant::now()));
            if std::panic::catch_unwind(|| (target.work)(&input)).is_err() {
                keep(target.name, faults, &input, &format!("finds a fault in {which}"));
                faults += 1;
            }
            if faults == MOST {
                break;
            }
        }
        note(target.name, &[], None);
        faults
    };
    on_stack(all).expect("panics are caught")
}

/// The numbers of the changes that are asked for, and whether they are.
fn numbers() -> (Range<u64>, bool) {
    let Ok(text) = std::env::var("TRUELINE_FUZZ") else { return (0..300, false) };
    let number = |text: &str| text.parse().expect("TRUELINE_FUZZ is a number, or two");
    if let Some((from, to)) = text.split_once("..") {
        return (number(from)..number(to), true);
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock").as_nanos() as u64;
    (now..now + number(&text), true)
}

/// The change of that number.
fn change(target: &Target, seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut random = Random(number);
    let seed = &seeds[random.below(seeds.len())];
    mutated(seed, seeds, target.words, &mut random)
}

#[test]
fn every_target_ends_with_a_value_or_a_message() {
    let (numbers, asked) = numbers();
    let only = std::env::var("TRUELINE_FUZZ_TARGET").ok();
    watch();
    let mut all = 0;
    for target in TARGETS.iter().filter(|t| only.as_deref().is_none_or(|name| name == t.name)) {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "'{}' has no seeds", target.name);
        let start = Instant::now();
        // Without a number: some seeds as they are, and the same changes on every machine.
        let step = if asked { 1 } else { (seeds.len() / 20).max(1) };
        let unchanged = seeds.iter().step_by(step).map(|seed| ("a seed".to_owned(), seed.clone()));
        let faults = judge(target, unchanged, 0);
        let changes = numbers.clone().map(|n| (format!("the change {n}"), change(target, &seeds, n)));
        let faults = judge(target, changes, faults);
        all += faults;
        let seconds = start.elapsed().as_secs_f64();
        println!("{}: {} seeds, changes {numbers:?} in {seconds:.1} s, {faults} faults", target.name, seeds.len());
    }
    assert_eq!(all, 0, "faults were found");
}

#[test]
fn every_target_has_its_file() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("targets");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of targets")
        .map(|f| f.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let mut names: Vec<String> = TARGETS.iter().map(|t| t.name.to_owned()).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
}

/// Writes the seeds as files, where `fuzz/run` takes them from.
#[test]
#[ignore = "writes files for fuzz/run"]
fn write_seeds() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fuzz-seeds");
    for target in TARGETS {
        let folder = root.join(target.name);
        std::fs::create_dir_all(&folder).expect("a folder for seeds");
        for (n, seed) in (target.seeds)().iter().enumerate() {
            std::fs::write(folder.join(format!("{n:04}")), seed).expect("a seed is written");
        }
    }
}
