//! The catalogue of faults: each program of `tests/faults` does one thing that Fortran forbids, and is told so at its place, by the
//! compiler or by the checks at run time. Its first lines say how:
//!
//! ```text
//! ! told at 6:7, where i = 4: Index '4' of dimension 1 of array 'a' above upper bound of 3
//! ! flags: -fcheck=overflow
//! ```
//!
//! A program with a file of the same name that ends in `.second` consists of both, compiled apart.
//!
//! Programs that are not told so yet are in `tests/faults/untold`; one that is, and is in the list all the same, fails its test.
//! docs/checks.md has the share of each class.
//!
//! The programs of `tests/silent` look like faults and are right: all checks together find nothing in them. A `NAME.second` or
//! `NAME.c` beside one is a part of it that is compiled apart, without checks.

use crate::build::{files, is_full, root};
use crate::judge::spread;
use crate::{corpus, trial};
use libtest_mimic::{Failed, Trial};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The message that a program is to bring.
struct Expected {
    /// `LINE:COLUMN`.
    place: String,
    /// The values of DO variables: `, where i = 4`, or nothing.
    values: String,
    text: String,
    flags: Vec<String>,
}

impl Expected {
    fn of(file: &Path) -> Result<Expected, String> {
        let source = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
        let wrong = "the first line is not '! told at LINE:COLUMN: MESSAGE'";
        let told = source.lines().next().and_then(|l| l.strip_prefix("! told at ")).ok_or(wrong)?;
        let (place, text) = told.split_once(": ").ok_or(wrong)?;
        let (place, values) = place.split_at(place.find(',').unwrap_or(place.len()));
        let flags = source.lines().nth(1).and_then(|l| l.strip_prefix("! flags: ")).unwrap_or_default();
        Ok(Expected {
            place: place.to_owned(),
            values: values.to_owned(),
            text: text.to_owned(),
            flags: flags.split_whitespace().map(str::to_owned).collect(),
        })
    }
}

/// The names of the programs that are not told yet.
fn untold() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("tests/faults/untold")).expect("the list is there");
    text.lines().map(str::to_owned).collect()
}

/// One test a program, and one of the table.
pub fn trials() -> Vec<Trial> {
    let all = files("tests/faults", &["f90"]);
    let mut trials: Vec<Trial> = all.iter().map(|file| trial("fault", file, is_told)).collect();
    trials.extend(files("tests/silent", &["f90"]).iter().map(|file| trial("silent", file, is_silent)));
    trials.push(Trial::test("fault table", || table_is_right().map_err(Failed::from)));
    trials
}

/// The program is told at its place, unless it is in the list.
fn is_told(file: &Path) -> Result<(), String> {
    let expected = Expected::of(file)?;
    let is_untold = untold().contains(&corpus::name(file));
    // Without TRUELINE_TEST_FULL=1 at one level, if it is told.
    let chosen = (spread(&corpus::name(file)) % 2) as usize;
    let levels = if is_full() || is_untold { &["-O0", "-O3"][..] } else { &["-O0", "-O3"][chosen..=chosen] };
    let result = levels.iter().try_for_each(|level| told_at(file, &expected, level));
    match (result, is_untold) {
        (Err(_), true) => Ok(()),
        (Ok(()), true) => Err("it is told: take it out of tests/faults/untold, and BLESS=1".to_owned()),
        (result, false) => result,
    }
}

/// The messages of the compiler, or if it has no errors those of the program.
fn told_at(file: &Path, expected: &Expected, level: &str) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let own = file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    std::fs::copy(file, directory.path().join(&own)).map_err(|e| e.to_string())?;
    let mut inputs = vec![own.clone()];
    let second = file.with_extension("second");
    if second.exists() {
        std::fs::copy(&second, directory.path().join("second.f90")).map_err(|e| e.to_string())?;
        fc(directory.path(), expected, level, &[&own, "-c", "-o", "first.o"])?;
        fc(directory.path(), expected, level, &["second.f90", "-c", "-o", "second.o"])?;
        inputs = vec!["first.o".to_owned(), "second.o".to_owned()];
    }
    let words: Vec<&str> = inputs.iter().map(String::as_str).chain(["-o", "fault"]).collect();
    let compiled = fc(directory.path(), expected, level, &words)?;
    let mut text = String::from_utf8_lossy(&compiled.stderr).into_owned();
    let mut place = format!("{own}:{}{}\n", expected.place, expected.values);
    if compiled.status.success() {
        let mut program = Command::new(directory.path().join("fault"));
        let ran = program.stdin(Stdio::null()).current_dir(directory.path()).output().map_err(|e| e.to_string())?;
        if ran.status.success() {
            return Err(format!("{level}: it runs to its end"));
        }
        text = String::from_utf8_lossy(&ran.stderr).into_owned();
        place = format!("  at {place}");
    }
    let is_there = text.contains(&place) && text.to_lowercase().contains(&expected.text.to_lowercase());
    let wanted = format!("{place}{}", expected.text);
    if is_there { Ok(()) } else { Err(format!("{level}: expected {wanted}\nfound {text}")) }
}

/// Fails if some check, of `all` or not, finds anything at any level.
fn is_silent(file: &Path) -> Result<(), String> {
    let nothing = Expected {
        place: String::new(),
        values: String::new(),
        text: String::new(),
        flags: vec!["-fcheck=all,alias,leaks,undefined".to_owned()],
    };
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let own = file.to_string_lossy().into_owned();
    for level in ["-O0", "-O3"] {
        let mut inputs = vec![own.clone()];
        for (extension, name) in [("second", "second.f90"), ("c", "second.c")] {
            let second = file.with_extension(extension);
            if second.exists() {
                // It is compiled apart and without checks.
                std::fs::copy(&second, directory.path().join(name)).map_err(|e| e.to_string())?;
                let mut alone = Command::new(env!("CARGO_BIN_EXE_trueline"));
                alone.args(["fc", level, "-c", name, "-o", "second.o"]).current_dir(directory.path());
                compiled_well(level, &alone.output().map_err(|e| e.to_string())?)?;
                inputs.push("second.o".to_owned());
            }
        }
        let words: Vec<&str> = inputs.iter().map(String::as_str).chain(["-o", "right"]).collect();
        compiled_well(level, &fc(directory.path(), &nothing, level, &words)?)?;
        let ran = Command::new(directory.path().join("right")).stdin(Stdio::null()).output();
        let ran = ran.map_err(|e| e.to_string())?;
        if !ran.status.success() || !ran.stderr.is_empty() {
            return Err(format!("{level}: {}", String::from_utf8_lossy(&ran.stderr)));
        }
    }
    Ok(())
}

fn compiled_well(level: &str, compiled: &Output) -> Result<(), String> {
    match compiled.status.success() {
        true => Ok(()),
        false => Err(format!("{level}: {}", String::from_utf8_lossy(&compiled.stderr))),
    }
}

/// Runs the compiler with all checks.
fn fc(directory: &Path, expected: &Expected, level: &str, words: &[&str]) -> Result<Output, String> {
    let mut fc = Command::new(env!("CARGO_BIN_EXE_trueline"));
    fc.args(["fc", "-g", "-fcheck=all", level]).args(&expected.flags).args(words);
    fc.current_dir(directory).output().map_err(|e| e.to_string())
}

/// The table of docs/checks.md says how many programs of each class are told.
fn table_is_right() -> Result<(), String> {
    let untold = untold();
    let mut classes: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut all, mut told) = (0, 0);
    for file in files("tests/faults", &["f90"]) {
        let name = corpus::name(&file);
        let class = classes.entry(name.split('/').next().unwrap_or_default().to_owned()).or_default();
        let is_told = usize::from(!untold.contains(&name));
        (class.0, class.1) = (class.0 + 1, class.1 + is_told);
        (all, told) = (all + 1, told + is_told);
    }
    let mut rows: String = classes.iter().map(|(c, (all, told))| format!("| {c} | {all} | {told} |\n")).collect();
    rows.push_str(&format!("| all | {all} | {told} ({:.1} %) |\n", 100.0 * told as f64 / all as f64));
    let path = root().join("docs/checks.md");
    let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let head = "| class | programs | told with place |\n|---|---|---|\n";
    let (before, rest) = text.split_once(head).ok_or("docs/checks.md has no table")?;
    let after = rest.find("\n\n").map_or("", |end| &rest[end + 1..]);
    let right = format!("{before}{head}{rows}{after}");
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(&path, right).map_err(|e| e.to_string());
    }
    if right == text { Ok(()) } else { Err("docs/checks.md differs: BLESS=1 rewrites it".to_owned()) }
}
