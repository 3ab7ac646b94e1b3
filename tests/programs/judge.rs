//! Comparing a run with the recorded output, and counts with counts.

use crate::build::Ran;
use std::collections::BTreeMap;
use std::path::Path;
use trueline_abi::profile::{Counts, Profile};

fn expected(file: &Path, processor: &str) -> Result<(String, i32), String> {
    let own = std::fs::read(file.with_extension(format!("{processor}.out")));
    let out =
        own.or_else(|_| std::fs::read(file.with_extension("out"))).map_err(|e| format!("no recorded output: {e}"))?;
    let code = std::fs::read_to_string(file.with_extension("code")).map_or(Ok(0), |t| t.trim().parse());
    Ok((String::from_utf8_lossy(&out).into_owned(), code.map_err(|_| "the recorded code is no number")?))
}

/// Compares a run on this machine with the recorded output and exit code.
pub fn check(file: &Path, ran: &Ran, what: &str) -> Result<(), String> {
    check_on(std::env::consts::ARCH, file, ran, what)
}

/// Compares a run on `processor` with the output that is recorded for it or, if there is none, for all, and the exit code.
pub fn check_on(processor: &str, file: &Path, ran: &Ran, what: &str) -> Result<(), String> {
    let (out, code) = expected(file, processor)?;
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

/// Whether counts are the same; the trips of a loop, if they are known of both.
pub fn are_alike(a: &Counts, b: &Counts) -> bool {
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

/// The status of each construct by its place.
pub fn statuses(profile: &str) -> Result<Vec<(String, String)>, String> {
    let profile: Profile = trueline_report::read(profile.as_bytes()).map_err(|e| e.to_string())?;
    let one = |c: &trueline_abi::profile::Construct| {
        (format!("{}:{} {}", c.line, c.column, c.text), format!("{:?}", c.status))
    };
    Ok(profile.constructs.iter().map(one).collect())
}

/// The calls of a profile by the lines of caller and callee; for several calls on a line, the sum.
pub fn calls(profile: &str) -> Result<BTreeMap<(u32, u32, u32), u64>, String> {
    let profile: Profile = trueline_report::read(profile.as_bytes()).map_err(|e| e.to_string())?;
    let line = |serial: u32| profile.constructs.iter().find(|c| c.serial == serial).map_or(0, |c| c.line);
    let mut out = BTreeMap::new();
    for e in &profile.edges {
        *out.entry((line(e.caller), line(e.callee), e.line)).or_default() += e.calls;
    }
    Ok(out)
}

/// A number that is the same in every run, and spread over the programs.
pub fn spread(text: &str) -> u64 {
    text.bytes().fold(7, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)))
}

/// Whether every program is to run on the other target in all modes, and not only a sample.
pub fn asks_for_all_of_other_target() -> bool {
    std::env::var_os("TRUELINE_TEST_AARCH64").is_some_and(|v| v == "all")
}
