//! A few random loops; the campaign is `cargo run -p campaign -- loops`.
#![allow(missing_docs)]
#![allow(clippy::print_stdout, reason = "a skipped test says so")]

use campaign::loops::{judge, source};
use campaign::native::Compilers;

#[test]
fn a_seed_is_a_program() {
    assert_eq!(source(7), source(7));
    assert_ne!(source(7), source(8));
    assert!(source(7).contains("complex(8) :: u(130), v(130), z8, y8"));
}

/// Ours at several levels and gfortran print the same; without gfortran, ours at -O0 is the judge.
#[test]
fn loops_print_and_count_the_same_at_every_level() {
    let all = std::env::var_os("TRUELINE_TEST_NO_SKIP").is_some();
    let compilers = match Compilers::find() {
        Ok(compilers) => compilers,
        Err(why) => {
            assert!(!all, "{why}");
            println!("skipped: {why}");
            return;
        }
    };
    assert!(!all || compilers.gfortran, "gfortran is missing where no test may skip");
    for seed in 1..=if all { 20 } else { 3 } {
        if let Err(difference) = judge(seed, &compilers) {
            panic!("seed {seed}: {difference}");
        }
    }
}
