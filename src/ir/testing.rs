//! The one place where tests of passes touch the API.
//!
//! A test is a text before and a text after a pass. [`check`] does everything around it: the text
//! round-trips, both units verify and mean the same, and every source statement is accounted for.

#[cfg(test)]
mod tests;

use crate::conserve::Snapshot;
use crate::edit::Editor;
use crate::head::Level;
use crate::interp::{Options, Run, interpret_units};
use crate::parse::parse_unit;
use crate::unit::Unit;
use crate::verify::verify;
use crate::vocabulary as voc;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use trueline_provenance::{CounterInfo, Edit, Serial, Transform, Why};

/// The pass under test.
pub type Pass<'a> = &'a dyn Fn(&mut Editor<'_>);

/// Runs the pass on the unit `before` and compares the code (and declarations that are new) and, after a
/// blank line, the edits with `after`.
///
/// Checks besides: text round-trips; the verifier; static conservation; the same memory, output and
/// tally totals when both are interpreted on test data (registers that were never defined hold 5, 2.5 or
/// true, arrays small numbers; unknown procedures are imitated); and that no source statement is executed
/// more or less often without an edit that says so. Registers are not compared: store the values that matter.
///
/// # Panics
/// If one of these checks fails.
#[track_caller]
pub fn check(pass: &'static str, run: Pass<'_>, before: &str, after: &str) {
    let (old, new) = apply(pass, run, before);
    let got = outcome(&old, &new);
    assert!(words(&got, &old) == words(after, &old), "{pass}\nexpected:\n{}\ngot:\n{got}", after.trim());
}

/// Runs the pass on the unit `before`, which it must leave as it is.
///
/// # Panics
/// If the pass changes anything.
#[track_caller]
pub fn check_unchanged(pass: &'static str, run: Pass<'_>, before: &str) {
    let (old, new) = apply(pass, run, before);
    let edits = edits(&old, &new);
    assert!(edits.is_empty() && old.to_string() == new.to_string(), "{pass} changed the unit:\n{new}\n{edits}");
}

/// Runs the pass on the unit `before` with all checks; returns the unit before and after.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub fn apply(pass: &'static str, run: Pass<'_>, before: &str) -> (Unit, Unit) {
    let old = read(before);
    let mut new = old.clone();
    let snapshot = Snapshot::of(&new);
    run(&mut Editor::open(&mut new, pass));
    let broken = verify(&new);
    assert!(broken.is_empty(), "after {pass}: {}\n{new}", broken[0]);
    if let Err(e) = snapshot.conserved(&new, &|_| false) {
        panic!("{pass}: {e}\n{new}");
    }
    if let Err(e) = same_meaning(&old, &new) {
        panic!("{pass}: {e}\n{new}\n{}", edits(&old, &new));
    }
    (old, new)
}

/// Interprets both units on the same test data and compares their results. A unit that the
/// interpreter cannot run, or that is wrong on this data, proves nothing and is let through.
///
/// # Errors
/// The difference.
pub fn same_meaning(old: &Unit, new: &Unit) -> Result<(), String> {
    let options = Options { steps: 2_000_000, fill: true, imitate: true, ..Options::default() };
    let Ok(before) = interpret_units(std::slice::from_ref(old), &options) else { return Ok(()) };
    let options = Options { steps: 20_000_000, ..options };
    let after = interpret_units(std::slice::from_ref(new), &options).map_err(|e| format!("now it fails: {e}"))?;
    compare(&before, &after)?;
    let edits = &new.log().edits[old.log().edits.len()..];
    let lost: Vec<CounterInfo> = new.log().lost.iter().map(|(info, _)| *info).collect();
    for (info, &n) in &before.tallies {
        let m = after.tallies.get(info).copied().unwrap_or(0);
        if m != n && !lost.contains(info) {
            return Err(format!("{} {} was {n}, is now {m}", info.of, info.measure.name()));
        }
    }
    conserved_executions(&before, &after, new, edits, old.level() == Level::Vh)
}

/// The same memory (as far as it was there before), output, STOP code and result.
///
/// # Errors
/// The difference.
pub fn compare(before: &Run, after: &Run) -> Result<(), String> {
    for (name, bytes) in &before.memory {
        let Some(now) = after.memory.get(name) else { return Err(format!("'{name}' is gone")) };
        if let Some(k) = bytes.iter().zip(now).position(|(x, y)| x != y) {
            let word = |b: &[u8]| b[k / 8 * 8..].iter().take(8).rev().map(|b| format!("{b:02x}")).collect::<String>();
            return Err(format!("'{name}' differs at byte {k}: was {}, is {}", word(bytes), word(now)));
        }
    }
    if before.output != after.output {
        return Err("the output differs".to_owned());
    }
    if before.stop != after.stop {
        return Err(format!("it stopped with {:?}, now with {:?}", before.stop, after.stop));
    }
    // Through `Debug`, so that a NaN equals itself.
    let result = |r: &Run| format!("{:?}", r.result);
    if result(before) != result(after) {
        return Err(format!("the result was {}, is now {}", result(before), result(after)));
    }
    Ok(())
}

/// No source statement is executed more often than before unless an edit made new code for it or gave
/// its name to more statements, nor less often unless an edit took code of it away.
fn conserved_executions(before: &Run, after: &Run, unit: &Unit, edits: &[Edit], was_vh: bool) -> Result<(), String> {
    let (mut more, mut less): (BTreeSet<Serial>, BTreeSet<Serial>) = (BTreeSet::new(), BTreeSet::new());
    for e in edits {
        let is_new = e.other.expand() != Some(e.stmt);
        let lowered = matches!(e.transform, Transform::Expand(kind) if !kind.copies()) && (is_new || was_vh);
        let merged = matches!(e.transform, Transform::Merge | Transform::Move);
        let before: BTreeSet<Serial> = unit.sets().stmts(e.before).collect();
        // The statements that a head leaves behind take its set.
        let leaves = matches!(e.why, Some(Why::ConstantCondition | Why::SingleTrip));
        more.extend(unit.sets().stmts(e.after).filter(|s| lowered || merged || leaves || !before.contains(s)));
        if lowered || merged || e.transform == Transform::Eliminate {
            less.extend(unit.sets().stmts(e.before));
            less.extend(e.with.expand().into_iter().flat_map(|w| unit.sets().stmts(w)));
        }
    }
    let all: BTreeSet<Serial> = before.executions.keys().chain(after.executions.keys()).copied().collect();
    for s in all {
        let count = |r: &Run| r.executions.get(&s).copied().unwrap_or(0);
        let (n, m) = (count(before), count(after));
        if m > n && !more.contains(&s) {
            return Err(format!("{s} ran {n} times, now {m}, and no edit says why: a wrong 'expand'?"));
        }
        if m < n && !less.contains(&s) {
            return Err(format!("{s} ran {n} times, now {m}, and no edit says why"));
        }
    }
    Ok(())
}

/// Reads a unit and checks that its text round-trips and that it verifies.
///
/// # Panics
/// If it does not.
#[track_caller]
pub fn read(text: &str) -> Unit {
    let unit = parse_unit(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let printed = unit.to_string();
    let again = parse_unit(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}")).to_string();
    assert_eq!(printed, again, "text does not round-trip");
    let broken = verify(&unit);
    assert!(broken.is_empty(), "the test's own unit is broken: {}\n{unit}", broken[0]);
    unit
}

/// The code of `new` with the declarations that `old` does not have, and the edits between.
fn outcome(old: &Unit, new: &Unit) -> String {
    let (known, _) = crate::print::parts(old);
    let (declared, code) = crate::print::parts(new);
    let known: Vec<&str> = known.lines().collect();
    let mut out: String = declared.lines().filter(|l| !known.contains(l)).map(|l| format!("{l}\n")).collect();
    out.push_str(&code);
    format!("{out}\n{}", edits(old, new))
}

/// The edits between two states of a unit.
fn edits(old: &Unit, new: &Unit) -> String {
    new.log.display_from(old.log.edits.len(), &new.sets).to_string()
}

/// The words of a text that are compared, line by line; for declarations, the ones that `old` does not have,
/// one by one, however they share lines.
fn words(text: &str, old: &Unit) -> Vec<String> {
    let (known, _) = crate::print::parts(old);
    let known: BTreeSet<String> = known.lines().flat_map(declarations).collect();
    let is_new = |line: &String| !line.is_empty() && !known.contains(line);
    text.lines().flat_map(declarations).filter(is_new).collect()
}

/// `r8 a(2), b` as `r8 a(2)` and `r8 b`; any other line as it is, blanks normalised.
fn declarations(line: &str) -> Vec<String> {
    let line: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((ty, rest)) = line.split_once(' ') else { return vec![line] };
    if voc::by_word(&voc::TYPES, ty).is_none() || rest.starts_with('=') {
        return vec![line];
    }
    let mut depth = 0;
    let parts = rest.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    parts.map(|part| format!("{ty} {}", part.trim())).collect()
}

/// Runs every test file in `dir`: the source above, the expected outcome below in lines that begin with
/// `!>`. With `BLESS=1` in the environment the expectations are rewritten.
///
/// # Panics
/// If a test fails, after all have run.
#[track_caller]
pub fn check_dir(dir: &Path, pass: &'static str, run: Pass<'_>) {
    check_files(dir, &|text| {
        let (old, new) = apply(pass, run, text);
        outcome(&old, &new)
    });
}

/// Runs every test file in `dir` through `result`, which makes the expected text from the source.
///
/// # Panics
/// If a test fails, after all have run.
#[track_caller]
pub fn check_files(dir: &Path, result: &dyn Fn(&str) -> String) {
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|entry| entry.expect("the directory can be read").path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no tests", dir.display());
    let mut failed = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let (source, expected) = split(&text);
        let got = result(&source);
        let got: Vec<&str> = got.trim_end().lines().map(str::trim_end).collect();
        if got == expected {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            let mut blessed = source.trim_end().to_owned();
            blessed.push_str("\n\n");
            for line in &got {
                blessed.push_str(format!("!> {line}").trim_end());
                blessed.push('\n');
            }
            std::fs::write(&file, blessed).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        } else {
            write!(failed, "\n{}:\n{}\n", file.display(), got.join("\n")).expect("writing to a string");
        }
    }
    assert!(failed.is_empty(), "these differ (BLESS=1 rewrites them); got:{failed}");
}

fn split(text: &str) -> (String, Vec<&str>) {
    let mut source = String::new();
    let mut expected = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("!>") {
            Some(rest) => expected.push(rest.strip_prefix(' ').unwrap_or(rest).trim_end()),
            None => {
                source.push_str(line);
                source.push('\n');
            }
        }
    }
    (source, expected)
}
