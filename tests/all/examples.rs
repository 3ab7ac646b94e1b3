//! The examples: the same output at every level, profiled and not, every construct with a status and
//! every count exact.

use crate::build::{build_and_run, check_all, counts, explain, files, options};
use std::path::PathBuf;
use trueline::driver::Session;
use trueline::options;
use trueline::pipeline;
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
            match pipeline::certify(&mut session, &options(file, level, Some(TimeMode::All))) {
                Ok((plain, profiled)) if plain == profiled => {}
                Ok(_) => return Err(format!("-O{level}: profiling changed the optimized program")),
                Err(f) => return Err(explain(session, &format!("{f:?}"))),
            }
        }
        Ok(())
    });
}

/// Counts, calls and statuses on the other target are those of this machine. Times are those of the emulator, and so is whether they
/// are estimates.
#[test]
fn profiles_of_the_other_target_are_the_same() {
    let Some(triple) = crate::build::other_target() else { return };
    check_all(&files("examples/hpf", &["f90"]), name, |file| {
        for level in [0, 3] {
            let here = options(file, level, Some(TimeMode::Outer));
            let mut there = options(file, level, Some(TimeMode::Outer));
            options::set_target(&mut there, triple.clone());
            let mut profiles = Vec::new();
            for options in [&here, &there] {
                let text = build_and_run(file, options)?.profile.ok_or("no profile was written")?;
                profiles.push(trueline_report::read(text.as_bytes()).map_err(|e| e.to_string())?);
            }
            let one = |p: &trueline_abi::profile::Profile| {
                let of = |c: &trueline_abi::profile::Construct| {
                    format!("{}:{} {:?} {:?}", c.line, c.text, c.counts, c.status)
                };
                let calls = p.edges.iter().map(|e| format!("{} {} {} {}", e.caller, e.callee, e.line, e.calls));
                p.constructs.iter().map(of).chain(calls).collect::<Vec<_>>()
            };
            let [here, there] = [&profiles[0], &profiles[1]].map(one);
            if let Some((here, there)) = here.iter().zip(&there).find(|(a, b)| a != b) {
                return Err(format!("-O{level}: {there}, on this machine {here}"));
            }
            if here.len() != there.len() {
                return Err(format!("-O{level}: {} constructs and calls, on this machine {}", there.len(), here.len()));
            }
        }
        Ok(())
    });
}
