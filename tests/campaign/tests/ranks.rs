//! A few random HPF programs on several ranks; the campaign is `cargo run -p campaign -- ranks`. With faults in the compiler and in the
//! runtime library, their witnesses.
#![allow(missing_docs)]

use campaign::ranks::{batch, make, run};
use std::sync::{Mutex, PoisonError};

/// A fault is on for all threads: whoever compiles does so alone.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn a_seed_is_a_program() {
    for seed in [1, 5, 77] {
        let text = make::program(seed).text();
        assert_eq!(text, make::program(seed).text());
        assert!(text.contains("!HPF$ DISTRIBUTE"), "arrays are mapped");
    }
    assert_ne!(make::program(1).text(), make::program(2).text());
}

/// Output and counts on ranks are those of the serial program.
#[test]
fn programs_do_on_ranks_what_they_do_alone() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let count = if std::env::var_os("TRUELINE_TEST_NO_SKIP").is_some() { 24 } else { 6 };
    for seed in 1..=count {
        if let Err((failure, _)) = run::judge(seed, &[2, 3, 4]) {
            panic!("seed {seed} {:?}: {:?}: {}", failure.way, failure.kind, failure.text);
        }
    }
}

/// Programs in one executable do what they do alone, and one of them that is wrong is found.
#[test]
fn programs_are_judged_together() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let failures = batch::judge(&[1, 2, 3], &[2, 3]);
    assert!(failures.is_empty(), "{:?}", failures[0].0);
    #[cfg(any(debug_assertions, feature = "faults"))]
    {
        trueline_ir::set_fault(Some("ranks_flow_overlooked"));
        let failures = batch::judge(&[1, 2, 3], &[2, 3]);
        trueline_ir::set_fault(None);
        assert!(failures.iter().any(|(_, p)| (1..4).contains(&p.seed)), "nothing shows the fault");
        assert!(failures.iter().all(|(f, _)| !f.text.starts_with("only together")), "{failures:?}");
    }
}

/// Every fault has a small program that shows it.
#[cfg(any(debug_assertions, feature = "faults"))]
#[test]
fn every_fault_of_ranks_is_shown() {
    use campaign::ranks::faults::{all, replay};
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ranks");
    let mut wrong = Vec::new();
    for ((name, what), in_runtime) in all() {
        let Ok(text) = std::fs::read_to_string(directory.join(format!("{name}.f90"))) else {
            wrong.push(format!("{name}: there is no witness"));
            continue;
        };
        match replay(name, in_runtime, &text) {
            Ok(Some(_)) => {}
            Ok(None) => wrong.push(format!("{name}: nothing shows that {what}")),
            Err(e) => wrong.push(format!("{name}: {e}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
