//! The run corpus: each program's output at every level, plain and profiled, is what is recorded; counts
//! are the same at all levels (T2); profiling does not change the optimized program (T1).

use crate::build::{Ran, build_and_run, calls, check_all, counts, explain, files, options};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use trueline::driver::{self, Session};
use trueline_abi::profile::Counts;
use trueline_instrument::TimeMode;

/// The corpus; with `TRUELINE_TEST_RUN=word,word` the programs whose names contain one of the words.
pub fn programs() -> Vec<PathBuf> {
    let mut all = files("tests/run", &["f", "f90"]);
    if let Ok(words) = std::env::var("TRUELINE_TEST_RUN") {
        all.retain(|f| words.split(',').any(|w| name(f).contains(w)));
    }
    all
}

#[allow(clippy::ptr_arg, reason = "passed as a function on items of a Vec<PathBuf>")]
fn name(path: &PathBuf) -> String {
    path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

fn expected(file: &Path) -> Result<(String, i32), String> {
    let out = std::fs::read(file.with_extension("out")).map_err(|e| format!("no recorded output: {e}"))?;
    let code = std::fs::read_to_string(file.with_extension("code")).map_or(Ok(0), |t| t.trim().parse());
    Ok((String::from_utf8_lossy(&out).into_owned(), code.map_err(|_| "the recorded code is no number")?))
}

pub fn check(file: &Path, ran: &Ran, what: &str) -> Result<(), String> {
    let (out, code) = expected(file)?;
    if ran.stdout != out {
        let line = ran.stdout.lines().zip(out.lines()).position(|(a, b)| a != b);
        let line = line.unwrap_or_else(|| ran.stdout.lines().count().min(out.lines().count()));
        return Err(format!(
            "{what}: output differs at line {}\n  expected: {:?}\n  got:      {:?}\n  stderr: {}",
            line + 1,
            out.lines().nth(line).unwrap_or("<end>"),
            ran.stdout.lines().nth(line).unwrap_or("<end>"),
            ran.stderr.trim()
        ));
    }
    if ran.code != Some(code) {
        return Err(format!("{what}: ended with {:?}, expected {code}; {}", ran.code, ran.stderr.trim()));
    }
    Ok(())
}

#[test]
fn plain_programs_print_what_is_recorded() {
    let mut work = Vec::new();
    for file in programs() {
        work.extend([0, 1, 2, 3].map(|level| (file.clone(), level)));
    }
    check_all(
        &work,
        |(f, l)| format!("{} -O{l}", name(f)),
        |(file, level)| {
            let ran = build_and_run(file, &options(file, *level, None))?;
            check(file, &ran, "plain")
        },
    );
}

#[test]
fn checks_find_nothing_in_right_programs() {
    check_all(&programs(), name, |file| {
        let mut options = options(file, 0, None);
        assert!(options.semantics.checks.apply("all", true));
        check(file, &build_and_run(file, &options)?, "checked")
    });
}

#[test]
fn profiled_programs_count_the_same_at_every_level() {
    // At -O3: loops, and those whose trips are not known.
    let (loops, unknown) = (AtomicUsize::new(0), AtomicUsize::new(0));
    check_all(&programs(), name, |file| {
        let mut first: Option<std::collections::BTreeMap<_, _>> = None;
        let mut first_calls = None;
        for level in [0, 2, 3] {
            let ran = build_and_run(file, &options(file, level, Some(TimeMode::Outer)))?;
            check(file, &ran, &format!("profiled -O{level}"))?;
            let profile = ran.profile.as_deref().ok_or("no profile was written")?;
            let (found, called) = (counts(profile)?, calls(profile)?);
            if level == 3 {
                loops.fetch_add(found.values().filter(|c| c.iterations.is_some()).count(), Ordering::Relaxed);
                unknown.fetch_add(found.values().filter(|c| c.trips_unknown.is_some()).count(), Ordering::Relaxed);
            }
            if first_calls.get_or_insert_with(|| called.clone()) != &called {
                return Err(format!("calls at -O{level} are {called:?}, at -O0 {first_calls:?}"));
            }
            match &first {
                None => first = Some(found),
                Some(first) => {
                    for (construct, count) in first {
                        if !found.get(construct).is_some_and(|c| are_alike(c, count)) {
                            return Err(format!(
                                "counts at -O{level} differ from -O0 for {construct}: {:?}, not {count:?}",
                                found.get(construct)
                            ));
                        }
                    }
                }
            }
        }
        Ok(())
    });
    let (loops, unknown) = (loops.into_inner(), unknown.into_inner());
    let is_whole = std::env::var_os("TRUELINE_TEST_RUN").is_none();
    assert!(!is_whole || unknown * 20 <= loops, "the trips of {unknown} of {loops} loops are not known at -O3");
}

/// Whether counts are the same; the trips of a loop, if they are known of both.
pub(crate) fn are_alike(a: &Counts, b: &Counts) -> bool {
    let without = |c: &Counts| Counts {
        min_trips: None,
        max_trips: None,
        zero_trips: None,
        trips: None,
        trips_unknown: None,
        ..c.clone()
    };
    match a.trips_unknown.is_some() || b.trips_unknown.is_some() {
        true => without(a) == without(b),
        false => a == b,
    }
}

#[test]
fn profiling_changes_no_program() {
    check_all(&programs(), name, |file| {
        for level in [1, 2, 3] {
            let mut session = Session::default();
            match driver::certify(&mut session, &options(file, level, Some(TimeMode::All))) {
                Ok((plain, profiled)) if plain == profiled => {}
                Ok((plain, profiled)) => {
                    let at = plain.lines().zip(profiled.lines()).find(|(a, b)| a != b);
                    return Err(format!("-O{level}: first difference {at:?}"));
                }
                Err(f) => return Err(explain(session, &format!("{f:?}"))),
            }
        }
        Ok(())
    });
}
