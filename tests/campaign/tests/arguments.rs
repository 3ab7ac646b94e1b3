//! A few random programs about argument passing and host association; the campaign is `cargo run -p campaign -- arguments`.
#![allow(missing_docs)]
#![allow(clippy::print_stdout, reason = "a skipped test says so")]

use campaign::arguments::{make, print, run};
use campaign::native::Compilers;

#[test]
fn a_seed_is_a_program() {
    for seed in [1, 5, 77] {
        let text = print::files(&make::program(seed));
        assert_eq!(text, print::files(&make::program(seed)));
        assert!(text[1].1.contains("call show_all"), "the variables are shown");
    }
    assert_ne!(print::files(&make::program(1)), print::files(&make::program(2)));
}

/// Ours at several levels and gfortran print the same.
#[test]
fn programs_print_what_they_print_with_gfortran() {
    let all = std::env::var_os("TRUELINE_TEST_NO_SKIP").is_some();
    let compilers = match Compilers::find() {
        Ok(compilers) if compilers.gfortran => compilers,
        Ok(_) => {
            assert!(!all, "gfortran is missing where no test may skip");
            println!("skipped: gfortran is not installed");
            return;
        }
        Err(why) => {
            assert!(!all, "{why}");
            println!("skipped: {why}");
            return;
        }
    };
    let count = if all { 4 } else { 1 };
    for seed in 1..=count {
        if let Err((failure, _)) = run::judge(seed, &compilers, false) {
            panic!("seed {seed} {}: {}", failure.how, failure.text);
        }
    }
}
