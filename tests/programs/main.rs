//! Tests of single programs: one test for each program and mode, named `MODE FOLDER/FILE`.
//!
//! ```text
//! cargo test --test programs                   # all
//! cargo test --test programs io/list           # all modes of the programs whose names contain the words
//! cargo test --test programs plain-O3          # all programs in one mode
//! cargo test --test programs -- --slowest=20   # and the slowest tests at the end
//! ```
//!
//! With `TRUELINE_TEST_FULL=1` each program runs at every level; else plain at one, and profiled at the two that differ most.

mod bad;
mod bisect;
#[path = "../all/build.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod build;
#[path = "../all/corpus.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod corpus;
mod faults;
mod judge;
mod mpi;
mod rank_faults;
mod rank_messages;
mod rank_parts;
mod rank_predict;
mod rank_profiles;
mod ranks;
mod run;
mod warnings;

use libtest_mimic::{Arguments, Failed, FormatSetting, Trial};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time of each test that ran.
static TIMES: Mutex<Vec<(Duration, String)>> = Mutex::new(Vec::new());

/// Programs may be nested as deep as the front end allows.
const STACK: usize = 256 << 20;

/// A test of a program in a mode.
fn trial(mode: &str, file: &Path, work: impl FnOnce(&Path) -> Result<(), String> + Send + 'static) -> Trial {
    let (name, file) = (format!("{mode} {}", corpus::name(file)), file.to_owned());
    let timed = name.clone();
    Trial::test(name, move || {
        let begin = Instant::now();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || work(&file));
        let result = thread.map_err(|e| e.to_string())?.join();
        TIMES.lock().unwrap_or_else(PoisonError::into_inner).push((begin.elapsed(), timed));
        match result {
            Ok(Ok(())) => Ok(()),
            Ok(Err(text)) => Err(Failed::from(text)),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).to_owned()));
                Err(Failed::from(format!("panicked: {}", text.unwrap_or_default())))
            }
        }
    })
}

/// The words of the command line without `--slowest[=N]`, and N.
fn arguments() -> (Vec<std::ffi::OsString>, usize) {
    let mut slowest = 0;
    let mut words = Vec::new();
    for word in std::env::args_os() {
        match word.to_str().and_then(|w| w.strip_prefix("--slowest")) {
            Some("") => slowest = 20,
            Some(n) if n.starts_with('=') => slowest = n[1..].parse().expect("--slowest=N"),
            _ => words.push(word),
        }
    }
    (words, slowest)
}

/// Prints the slowest tests and the time of all.
fn print_slowest(most: usize) {
    let mut times = std::mem::take(&mut *TIMES.lock().unwrap_or_else(PoisonError::into_inner));
    times.sort_by(|a, b| b.cmp(a));
    let sum: Duration = times.iter().map(|t| t.0).sum();
    let mut out =
        format!("the slowest of {} tests, which took {:.1} s one after the other:\n", times.len(), sum.as_secs_f64());
    for (time, name) in times.iter().take(most) {
        out.push_str(&format!("{:>8.2} s  {name}\n", time.as_secs_f64()));
    }
    let modes: BTreeSet<&str> = times.iter().filter_map(|(_, n)| Some(n.split_once(' ')?.0)).collect();
    for mode in modes {
        let of = times.iter().filter(|(_, n)| n.split_once(' ').is_some_and(|(m, _)| m == mode));
        let (count, sum) = of.fold((0, Duration::ZERO), |(n, all), (t, _)| (n + 1, all + *t));
        out.push_str(&format!("{:>8.2} s  all {count} of {mode}\n", sum.as_secs_f64()));
    }
    // There is no place to report a failure of standard output.
    let _ = std::io::stdout().write_all(out.as_bytes());
}

fn main() {
    let (words, slowest) = arguments();
    let mut arguments = Arguments::from_iter(words);
    if arguments.format.is_none() && arguments.filter.is_none() && !arguments.list {
        // Thousands of lines say no more than the last one.
        arguments.format = Some(FormatSetting::Terse);
    }
    let programs: Vec<PathBuf> = corpus::programs();
    let mut trials = run::trials(&programs);
    trials.extend(bisect::trials(&programs));
    trials.extend(bad::trials());
    trials.extend(warnings::trials());
    trials.extend(ranks::trials());
    trials.extend(rank_messages::trials());
    trials.extend(rank_predict::trials());
    trials.extend(mpi::trials());
    trials.extend(faults::trials());
    let conclusion = libtest_mimic::run(&arguments, trials);
    if slowest > 0 {
        print_slowest(slowest);
    }
    run::judge_trips(&arguments);
    conclusion.exit();
}
