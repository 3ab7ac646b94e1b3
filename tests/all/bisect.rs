//! The optimizer, pass by pass, in native code: a program stopped after any application of a pass prints
//! what is recorded and counts what it counts without any (T2). The interpreter checks the
//! computational core this way; here is the whole language.
//!
//! `cargo test` tries one application of each program; `TRUELINE_TEST_BISECT=1` tries them all.

use crate::build::{build_and_run, check_all, counts, explain, files, options};
use std::path::Path;
use trueline::driver::{self, Session};
use trueline_instrument::TimeMode;

/// How many applications of passes there are at -O3.
fn applications(file: &Path) -> Result<u64, String> {
    let mut session = Session::default();
    match driver::compile(&mut session, &options(file, 3, Some(TimeMode::None))) {
        Ok(compiled) => Ok(compiled.stats.applications),
        Err(f) => Err(explain(session, &format!("{f:?}"))),
    }
}

/// A number that is the same in every run, and spread over the programs.
fn spread(text: &str) -> u64 {
    text.bytes().fold(7, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)))
}

#[test]
fn programs_are_right_after_every_application_of_a_pass() {
    let all = std::env::var_os("TRUELINE_TEST_BISECT").is_some();
    let name = |file: &std::path::PathBuf| file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into());
    check_all(&files("tests/run", &["f", "f90"]), name, |file| {
        let last = applications(file)?;
        let stops: Vec<u64> = if all { (0..=last).collect() } else { vec![0, spread(&name(file)) % (last + 1)] };
        let mut first = None;
        for stop in stops {
            let mut options = options(file, 3, Some(TimeMode::Outer));
            options.optimize.bisect = Some(stop);
            let ran = build_and_run(file, &options)?;
            crate::run::check(file, &ran, &format!("--opt-bisect={stop}"))?;
            let found = counts(ran.profile.as_deref().ok_or("no profile was written")?)?;
            let first = first.get_or_insert_with(|| found.clone());
            if let Some((construct, count)) = first.iter().find(|(c, n)| found.get(*c) != Some(n)) {
                let got = found.get(construct);
                return Err(format!("--opt-bisect={stop} counts {got:?} for {construct}, not {count:?}"));
            }
        }
        Ok(())
    });
}
