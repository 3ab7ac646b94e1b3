//! Every seed of every target, and some changes of each. `TRUELINE_FUZZ=N` makes N changes a target, others each time;
//! `TRUELINE_FUZZ_TARGET=NAME` takes one target alone.

// Lines for those who ask for a long run.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};
use trueline_fuzz::mutate::{Random, mutated};
use trueline_fuzz::{TARGETS, Target, run_one};

/// A second for each 100 KB is much; the machine may be loaded.
const LIMIT: Duration = Duration::from_secs(60);

/// A target with this many faults is given up.
const MOST: usize = 30;

/// The input at work, and since when.
static AT_WORK: Mutex<Option<(String, Vec<u8>, Instant)>> = Mutex::new(None);

/// Panics show their input; a hang cannot be caught, but it can be named.
fn watch() {
    std::thread::spawn(|| {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            if let Some((name, input, since)) = &*AT_WORK.lock().expect("nothing panics with it")
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

/// Whether the target ends without a fault; the input of the fault `number` is kept.
fn judge(target: &Target, number: usize, input: Vec<u8>) -> bool {
    *AT_WORK.lock().expect("nothing panics with it") = Some((target.name.to_owned(), input.clone(), Instant::now()));
    let ended = std::panic::catch_unwind(|| run_one(target, &input));
    *AT_WORK.lock().expect("nothing panics with it") = None;
    if ended.is_err() {
        keep(target.name, number, &input, "finds a fault");
    }
    ended.is_ok()
}

#[test]
fn every_target_ends_with_a_value_or_a_message() {
    let asked: Option<u64> = std::env::var("TRUELINE_FUZZ").ok().map(|n| n.parse().expect("TRUELINE_FUZZ is a number"));
    let only = std::env::var("TRUELINE_FUZZ_TARGET").ok();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a clock").as_nanos() as u64;
    let mut random = Random(if asked.is_some() { now } else { 1 });
    watch();
    let mut all = 0;
    for target in TARGETS.iter().filter(|t| only.as_deref().is_none_or(|name| name == t.name)) {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "'{}' has no seeds", target.name);
        let start = Instant::now();
        // Without a number: some seeds as they are, and the same changes on every machine.
        let step = if asked.is_some() { 1 } else { (seeds.len() / 20).max(1) };
        let mut faults = 0;
        for seed in seeds.iter().step_by(step) {
            faults += usize::from(!judge(target, faults, seed.clone()));
        }
        let mut done = 0;
        while done < asked.unwrap_or(300) && faults < MOST {
            let seed = &seeds[random.below(seeds.len())];
            faults += usize::from(!judge(target, faults, mutated(seed, &seeds, target.words, &mut random)));
            done += 1;
        }
        all += faults;
        let seconds = start.elapsed().as_secs_f64();
        println!("{}: {} seeds, {done} changes in {seconds:.1} s, {faults} faults", target.name, seeds.len());
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
