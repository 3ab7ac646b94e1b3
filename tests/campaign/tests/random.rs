//! A second of random programs, and the abilities of the harness itself.
#![allow(missing_docs)]

use campaign::campaign::{BATCH, judge, plans, run};
use campaign::oracle::{self, Plan};
use campaign::rng::Rng;
use campaign::{generate, print, reduce};
use std::time::{Duration, Instant};

/// The long campaigns are `cargo run --release -p campaign -- R1`.
#[test]
fn random_programs_for_a_second() {
    let start = Instant::now();
    let mut seed = 1;
    while start.elapsed() < Duration::from_secs(1) {
        let outcome = run(seed, BATCH, 3, false, 1);
        if let Some(f) = outcome.failures.first() {
            let plan = f.plan.as_ref().map_or_else(String::new, Plan::to_string);
            panic!("seed {} {plan}: {:?}: {}", f.seed, f.difference.kind, f.difference.text);
        }
        seed += BATCH;
    }
}

#[test]
fn a_seed_is_a_program_and_its_plans() {
    for seed in [1, 77, 4096] {
        assert_eq!(print::file(&[generate::case(seed)]), print::file(&[generate::case(seed)]));
        assert_eq!(plans(seed, 6), plans(seed, 6));
    }
    assert_ne!(print::file(&[generate::case(1)]), print::file(&[generate::case(2)]));
}

#[test]
fn a_plan_is_read_as_it_is_written() {
    let mut rng = Rng::new(5);
    for plan in oracle::fixed_plans().into_iter().chain((0..50).map(|_| oracle::random_plan(&mut rng))) {
        let level = if plan.passes.is_some() { trueline_opt::OptLevel::O3 } else { plan.level };
        assert_eq!(plan.to_string().parse(), Ok(Plan { level, ..plan }));
    }
    assert!("--passes=nothing at h".parse::<Plan>().is_err());
    assert!("-O7 at l".parse::<Plan>().is_err());
    assert!("-O3".parse::<Plan>().is_err());
}

/// Everything that is not needed for a failure goes: here a failure is any program with a division of integers.
#[test]
fn what_is_not_needed_is_reduced_away() {
    let divides = |text: &str| text.lines().any(|l| l.contains('=') && l.contains("/ 7"));
    let seed = (1..).find(|&s| divides(&print::procedures(&generate::case(s)))).expect("a program that divides");
    let case = generate::case(seed);
    let small = reduce::reduce(&case, &|c| {
        divides(&print::procedures(c)) && oracle::load(&print::file(std::slice::from_ref(c))).is_ok()
    });
    assert!(print::lines(&small) <= 12, "{}", print::procedures(&small));
    assert!(judge(&[small], &[]).is_ok());
}
