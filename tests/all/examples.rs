//! The examples: the same output at every level, profiled and not, every construct with a status and
//! every count exact.

use crate::build::{build_and_run, check_all, counts, explain, files, options};
use std::path::PathBuf;
use trueline::driver::{self, Session};
use trueline_abi::profile::Status;
use trueline_instrument::TimeMode;

#[allow(clippy::ptr_arg, reason = "passed as a function on items of a Vec<PathBuf>")]
fn name(path: &PathBuf) -> String {
    path.display().to_string()
}

#[test]
fn outputs_and_counts_agree_at_all_levels() {
    check_all(&files("examples/hpf", &["f90"]), name, |file| {
        let expected = std::fs::read_to_string(file.with_extension("out")).map_err(|e| e.to_string())?;
        let mut first = None;
        for level in 0..=3 {
            let plain = build_and_run(file, &options(file, level, None))?;
            let profiled = build_and_run(file, &options(file, level, Some(TimeMode::Outer)))?;
            for (what, ran) in [("plain", &plain), ("profiled", &profiled)] {
                if ran.stdout != expected {
                    return Err(format!("{what} -O{level} printed\n{}\nexpected\n{expected}", ran.stdout));
                }
            }
            let found = counts(profiled.profile.as_deref().ok_or("no profile was written")?)?;
            match &first {
                None => first = Some(found),
                Some(first) if *first == found => {}
                Some(first) => {
                    let differing: Vec<_> = first.iter().filter(|(k, v)| found.get(*k) != Some(v)).collect();
                    return Err(format!("counts at -O{level} differ from -O0: {differing:?}"));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn every_construct_has_a_status_and_exact_counts() {
    check_all(&files("examples/hpf", &["f90"]), name, |file| {
        let ran = build_and_run(file, &options(file, 3, Some(TimeMode::Outer)))?;
        let text = ran.profile.ok_or("no profile was written")?;
        let profile = trueline_report::read(text.as_bytes()).map_err(|e| e.to_string())?;
        match profile.constructs.iter().find(|c| !c.counts_exact || c.status == Status::Unavailable) {
            Some(c) => Err(format!("line {} has no exact counts: {:?}", c.line, c.reason)),
            None => Ok(()),
        }
    });
}

#[test]
fn profiling_changes_no_example() {
    check_all(&files("examples/hpf", &["f90"]), name, |file| {
        for level in 1..=3 {
            let mut session = Session::default();
            match driver::certify(&mut session, &options(file, level, Some(TimeMode::All))) {
                Ok((plain, profiled)) if plain == profiled => {}
                Ok(_) => return Err(format!("-O{level}: profiling changed the optimized program")),
                Err(f) => return Err(explain(session, &format!("{f:?}"))),
            }
        }
        Ok(())
    });
}
