//! The command line of the campaign.
//!
//! ```text
//! campaign R1 [--programs N] [--seed S] [--plans K]   random programs; --resume FILE leaves out the ones that FILE names
//! campaign R2 [FAULT] [--programs N] [--seed S]        seeded bugs; needs --features faults
//! campaign R3 [--programs N] [--seed S] [--plans K]   the order of accesses after each loop transformation
//! campaign native [--programs N] [--batch K]           executables, ours and gfortran's
//! campaign loops [--programs N] [--seed S]             loops over all kinds of numbers, against gfortran; loops show SEED
//! campaign arguments [--programs N] [--seed S] …       argument passing and host association, against gfortran
//! campaign signatures [--target TRIPLE] …               structures and numbers by value, against gfortran and C
//! campaign ranks [--programs N] [--seed S] [--ranks 2,3,5] HPF on several ranks, also with --single and --resume; ranks faults [NAMES] seeded bugs
//! campaign times [--programs N] [--separate] …          times against a ledger
//! campaign try FILE [PASSES… | PLAN]                   one file, in every way; a plan as a failure names it
//! campaign show SEED                                   the source of one
//! campaign reduce SEED                                 a failing one, smaller
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr)]

use campaign::arguments::run as arguments;
use campaign::campaign::{self as r1, Failure};
use campaign::native::{self, Compilers};
use campaign::oracle::{self, Kind, Plan};
use campaign::parts::{self, Way};
use campaign::ranks::command as on_ranks;
use campaign::signatures::run as signatures;
use campaign::times::command;
use campaign::{STACK, generate, loops, print};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::IsTerminal;
use trueline_ir::Level;

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global();
    debug_assert!(pool.is_ok(), "the pool is made once");
    let run = std::thread::Builder::new().stack_size(STACK).spawn(command);
    std::process::exit(run.ok().and_then(|t| t.join().ok()).unwrap_or(101));
}

fn command() -> i32 {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let option = |name: &str, default: u64| {
        words.iter().position(|w| *w == name).and_then(|i| words.get(i + 1)?.parse().ok()).unwrap_or(default)
    };
    let seed = || words.get(1).and_then(|w| w.parse().ok()).unwrap_or(1);
    match words.first().copied() {
        Some("R1") => {
            let checked = words.contains(&"--checked");
            campaign::oracle::set_checked(checked);
            let way = Way { plans: option("--plans", 4) as usize, checked };
            let file = words.iter().position(|w| *w == "--resume").and_then(|i| words.get(i + 1).copied());
            programs(option("--seed", 1), option("--programs", 1000), way, option("--most", 20) as usize, file)
        }
        Some("R2") => {
            let write = words.iter().position(|w| *w == "--write").and_then(|i| words.get(i + 1).copied());
            faults(option("--seed", 1), option("--programs", 800), words.get(1).copied(), write)
        }
        Some("R3") => order(option("--seed", 1), option("--programs", 300), option("--plans", 3) as usize),
        Some("native") => {
            let target = words.iter().position(|w| *w == "--target").and_then(|i| words.get(i + 1).copied());
            native(option("--seed", 1), option("--programs", 200), option("--batch", 25), target)
        }
        Some("loops") if words.get(1) == Some(&"show") => {
            print!("{}", loops::source(option("show", 1)));
            0
        }
        Some("loops") => in_loops(option("--seed", 1), option("--programs", 100)),
        Some("arguments") => {
            let path = words.iter().position(|w| *w == "--write").and_then(|i| words.get(i + 1).copied());
            let mut print = |text: &str| println!("{text}");
            if words.get(1) == Some(&"show") {
                return arguments::show(option("show", 1), path.map(std::path::Path::new), &mut print);
            }
            let most = option("--most", 10) as usize;
            let programs = option("--programs", 200);
            arguments::command(option("--seed", 1), programs, most, path.map(std::path::Path::new), &mut print)
        }
        Some("signatures") => {
            let word = |name: &str| words.iter().position(|w| *w == name).and_then(|i| words.get(i + 1).copied());
            let options = signatures::Options {
                seed: option("--seed", 1),
                signatures: option("--signatures", 200),
                target: word("--target").map(str::to_owned),
                write: word("--write").map(Into::into),
            };
            signatures::command(&options, &mut |text: &str| println!("{text}"))
        }
        Some("ranks") => ranks(&words, &option),
        Some("times") => times(&words, &option),
        Some("show") => {
            println!("{}", print::file(&[generate::case(seed())]));
            0
        }
        Some("batch") => {
            let cases: Vec<_> = (seed()..seed() + option("--programs", 10)).map(generate::case).collect();
            println!("{}", print::file(&cases));
            0
        }
        Some("try") => file(words.get(1).copied().unwrap_or("")),
        Some("reduce") => programs(seed(), 1, Way { plans: option("--plans", 40) as usize, checked: false }, 1, None),
        _ => {
            eprintln!(
                "usage: campaign R1|R2|R3|native|loops|arguments|signatures|ranks|times|show|reduce|try …: CONTRIBUTING.md says with which options"
            );
            2
        }
    }
}

/// HPF programs on ranks: a campaign, the program of one seed, or seeded bugs.
fn ranks(words: &[&str], option: &dyn Fn(&str, u64) -> u64) -> i32 {
    let mut print = |text: &str| println!("{text}");
    let word = |name: &str| words.iter().position(|w| *w == name).and_then(|i| words.get(i + 1).copied());
    let numbers = word("--ranks").unwrap_or("2,3,4,5,7").split(',').filter_map(|n| n.parse().ok());
    let ranks: Vec<usize> = numbers.filter(|n| (1..=64).contains(n)).collect();
    if ranks.is_empty() {
        eprintln!("--ranks is a list of numbers from 1 to 64, as in 2,3,5");
        return 2;
    }
    match words.get(1) {
        Some(&"show") => return on_ranks::show(option("show", 1), &ranks, &mut print),
        Some(&"faults") => return rank_faults(words, option),
        _ => {}
    }
    let options = on_ranks::Options {
        seed: option("--seed", 1),
        programs: option("--programs", 200),
        ranks,
        most: option("--most", 4) as usize,
        write: word("--write").map(Into::into),
        single: words.contains(&"--single"),
        resume: word("--resume").map(Into::into),
    };
    on_ranks::command(&options, &mut print)
}

#[cfg(any(debug_assertions, feature = "faults"))]
fn rank_faults(words: &[&str], option: &dyn Fn(&str, u64) -> u64) -> i32 {
    let write = words.iter().position(|w| *w == "--write").and_then(|i| words.get(i + 1).copied());
    let only = words.get(2).copied().filter(|w| !w.starts_with("--"));
    let mut print = |text: &str| println!("{text}");
    campaign::ranks::faults::command(only, option("--seed", 1), option("--programs", 64), write, &mut print)
}

#[cfg(not(any(debug_assertions, feature = "faults")))]
fn rank_faults(_: &[&str], _: &dyn Fn(&str, u64) -> u64) -> i32 {
    eprintln!("the faults are missing: cargo run --release -p campaign --features faults -- ranks faults");
    2
}

/// R3: loop transformations, checked one application at a time.
fn order(seed: u64, programs: u64, plans: usize) -> i32 {
    let found = campaign::order::run(seed, programs, plans);
    for (pass, n) in &found.applications {
        println!("{pass:16} {n:9} applications");
    }
    found.failures.iter().take(20).for_each(|f| println!("WRONG {f}"));
    let all: u64 = found.applications.values().sum();
    println!(
        "{} programs, {all} applications of loop transformations, {} without a verdict; {} accesses, {} cells; {} wrong",
        found.programs,
        found.unjudged,
        found.accesses,
        found.cells,
        found.failures.len()
    );
    i32::from(!found.failures.is_empty())
}

/// Times against a ledger: a campaign, or the program of one seed.
fn times(words: &[&str], option: &dyn Fn(&str, u64) -> u64) -> i32 {
    let mut print = |text: &str| println!("{text}");
    let has = |name: &str| words.contains(&name);
    let path = words.iter().position(|w| *w == "--write").and_then(|i| words.get(i + 1).copied());
    if words.get(1) == Some(&"show") {
        return command::show(option("show", 1), option("--plans", 1) as usize, path, &mut print);
    }
    if words.get(1) == Some(&"faults") {
        return time_faults(words, option);
    }
    let only = words.iter().position(|w| *w == "--only").and_then(|i| words.get(i + 1).copied());
    let options = command::Options {
        only: only.map_or(vec![], |o| o.split(',').map(str::to_owned).collect()),
        seed: option("--seed", 1),
        programs: option("--programs", 60),
        plans: option("--plans", 1) as usize,
        separate: has("--separate"),
        most: option("--most", 10_000) as usize,
        show: option("--show", 1) as usize,
        write: path.map(Into::into),
        strict: has("--strict"),
    };
    command::times(&options, &mut print)
}

/// Times with a fault switched on: those of a list with commas, or all that may put time elsewhere.
#[cfg(any(debug_assertions, feature = "faults"))]
fn time_faults(words: &[&str], option: &dyn Fn(&str, u64) -> u64) -> i32 {
    let names =
        words.get(2).filter(|w| !w.starts_with("--")).map_or(vec![], |w| w.split(',').map(str::to_owned).collect());
    let plans = option("--plans", 2) as usize;
    let mut print = |text: &str| println!("{text}");
    campaign::times::faults::command(&names, option("--seed", 1), option("--programs", 40), plans, &mut print)
}

#[cfg(not(any(debug_assertions, feature = "faults")))]
fn time_faults(_: &[&str], _: &dyn Fn(&str, u64) -> u64) -> i32 {
    eprintln!("the faults are missing: cargo run --release -p campaign --features faults -- times faults");
    2
}

/// R2: every fault, or those of a list with commas.
#[cfg(any(debug_assertions, feature = "faults"))]
fn faults(seed: u64, most: u64, only: Option<&str>, write: Option<&str>) -> i32 {
    use campaign::faults::{FAULTS, hunt, prepare, small_witness};
    let only = only.filter(|o| !o.starts_with("--"));
    let known = |name: &str| FAULTS.iter().any(|(n, _)| *n == name);
    if let Some(name) = only.and_then(|o| o.split(',').find(|n| !known(n))) {
        eprintln!("there is no fault '{name}'");
        return 2;
    }
    let prepared = prepare(seed, most);
    let (mut by_programs, mut by_witness, mut all) = (0, 0, 0);
    for (name, what) in FAULTS.iter().filter(|(n, _)| only.is_none_or(|o| o.split(',').any(|o| o == *n))) {
        all += 1;
        let result = hunt(name, &prepared);
        match result.by {
            Some(by) => {
                by_programs += 1;
                let (n, d) = (by.programs, &by.difference);
                println!("found after {n:5} programs  {name}: {what} [{:?}: {}]", d.kind, stem(&d.text));
                if let Some(directory) = write {
                    let text = small_witness(name, &by);
                    println!("    {} lines", text.lines().count());
                    if let Err(e) = std::fs::write(std::path::Path::new(directory).join(format!("{name}.f90")), text) {
                        eprintln!("{e}");
                    }
                }
            }
            None => match kept(name) {
                Some(shown) => {
                    by_witness += 1;
                    println!("found by its witness         {name}: {what} [{shown}]");
                }
                None => println!("NOT FOUND in {most} programs ({} hits)  {name}: {what}", result.hits),
            },
        }
    }
    let found = by_programs + by_witness;
    println!("{found} of {all} faults found: {by_programs} by random programs, {by_witness} by their witnesses alone");
    i32::from(found < all)
}

/// The effect that the kept witness of a fault shows, if it has one: by hand, or a file in `faults`.
#[cfg(any(debug_assertions, feature = "faults"))]
fn kept(name: &str) -> Option<String> {
    if let Some(judged) = campaign::by_hand::replay(name) {
        return judged.ok().flatten();
    }
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("faults/{name}.f90"));
    let text = std::fs::read_to_string(file).ok()?;
    let shown = campaign::faults::replay(name, &text).ok().flatten()?;
    Some(format!("{:?}: {}", shown.kind, stem(&shown.text)))
}

#[cfg(not(any(debug_assertions, feature = "faults")))]
fn faults(_: u64, _: u64, _: Option<&str>, _: Option<&str>) -> i32 {
    eprintln!("R2 needs the faults: cargo run --release -p campaign --features faults -- R2");
    2
}

/// Native programs, `per` cases in each.
fn native(seed: u64, count: u64, per: u64, target: Option<&str>) -> i32 {
    let compilers = match Compilers::find() {
        // gfortran's programs on this machine say nothing about another one.
        Ok(c) => Compilers { gfortran: c.gfortran && target.is_none(), target: target.map(str::to_owned), ..c },
        Err(e) => {
            eprintln!("{e}");
            return 2;
        }
    };
    let mut failures = 0;
    for first in (seed..seed + count).step_by(per as usize) {
        if let Err(f) = native::batch(first, per.min(seed + count - first), &compilers) {
            failures += 1;
            println!("seeds {:?} {}: {:?}: {}", f.seeds, f.how, f.difference.kind, f.difference.text);
        }
        if !std::io::stderr().is_terminal() {
            continue;
        }
        eprint!("\r{} of {count} programs, {failures} failed ", first + per - seed);
    }
    println!("{count} native programs, {failures} failures");
    i32::from(failures > 0)
}

/// Loops over all kinds of numbers, one program after the other on each processor.
fn in_loops(seed: u64, count: u64) -> i32 {
    let compilers = match Compilers::find() {
        Ok(c) => c,
        Err(e) => {
            eprintln!("{e}");
            return 2;
        }
    };
    let judged = (seed..seed + count).into_par_iter().map(|s| (s, loops::judge(s, &compilers)));
    let (mut failures, mut lost) = (0, 0);
    for (seed, judged) in judged.collect::<Vec<_>>() {
        match judged {
            Ok(n) => lost += n,
            Err(e) => {
                failures += 1;
                println!("seed {seed}: {e}");
            }
        }
    }
    println!("{count} programs of loops, {failures} failures, {lost} counts given up");
    i32::from(failures > 0)
}

/// Judges a file by every level; prints the first difference.
fn file(path: &str) -> i32 {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string());
    let subject = text.and_then(|t| oracle::subject(&print::whole(&t)));
    let subject = match subject {
        Ok(subject) => subject,
        Err(e) => {
            println!("{e}");
            return 1;
        }
    };
    let passes: Vec<String> = std::env::args().skip(3).collect();
    let mut plans = oracle::fixed_plans();
    match passes.first().map(|text| text.parse::<Plan>()) {
        Some(Ok(plan)) => plans.push(plan),
        _ => {
            for down_to in [Level::H, Level::M, Level::L] {
                let first = plans[3].clone();
                plans.push(Plan { passes: Some(passes.clone()), down_to, ..first });
            }
        }
    }
    for plan in &plans {
        match oracle::check(&subject, plan) {
            Ok(_) => println!("{plan}: the same"),
            Err(d) => println!("{plan}: {:?}: {}\n{}", d.kind, d.text, oracle::texts(&subject, plan)),
        }
    }
    0
}

fn programs(seed: u64, count: u64, way: Way, most: usize, file: Option<&str>) -> i32 {
    let outcome = match file {
        None => r1::run(seed, count, way.plans, true, most),
        Some(file) => match parts::go_on(seed..seed + count, way, most, file.as_ref()) {
            Ok(outcome) => outcome,
            Err(e) => {
                eprintln!("{file}: {e}");
                return 2;
            }
        },
    };
    let failures = outcome.failures.len() as u64 + outcome.earlier;
    println!("{} programs, {} comparisons, {failures} failures", outcome.programs, outcome.comparisons);
    println!("{:16} {:>9} {:>9} {:>10}", "pass", "runs", "fired", "edits");
    for (pass, [runs, fired, made]) in &outcome.edits {
        println!("{pass:16} {runs:9} {fired:9} {made:10}");
    }
    let mut kinds: BTreeMap<(Kind, String), Vec<&Failure>> = BTreeMap::new();
    for f in &outcome.failures {
        kinds.entry((f.difference.kind, stem(&f.difference.text))).or_default().push(f);
    }
    for ((kind, _), failures) in &kinds {
        let f = failures[0];
        println!("== {kind:?}: {} programs, first {}: {}", failures.len(), f.seed, f.difference.text);
        let (case, plan, difference) = r1::shrink(f);
        println!("{}", plan.map_or_else(|| "as written".to_owned(), |p| p.to_string()));
        println!("{}\n{}", difference.text, print::procedures(&case));
    }
    i32::from(failures > 0)
}

/// The common part of differences of one cause: their text without numbers.
fn stem(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_alphabetic() || *c == ' ').take(30).collect()
}
