//! Profiles of ranks that end before they have added up their counts: each has its own part of the arms that only some ranks evaluate, marked as
//! such, and the parts of all ranks add up to the counts of the serial program, where all ranks have come as far.

use crate::build::is_full;
use crate::ranks::{build, profile_of};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use trueline_abi::profile::{Construct, Counts, Profile, Status};
use trueline_report::Format;

/// The ends that the program is told.
const IN_ORDER: usize = 0;
const ERROR_OF_ALL: usize = 1;
const KILLED: usize = 2;
const ERROR_OF_ONE: usize = 3;

/// The first of the lines that the serial program goes on with, and some ranks do not.
const OPEN: u32 = 59;
/// The most evaluations of a conditional there.
const MOST: u64 = 24;

struct Programs {
    serial: PathBuf,
    ranks: PathBuf,
}

/// All ends, on several numbers of ranks.
pub fn parts(file: &Path) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let files = [file, &file.with_file_name("leave.c")];
    let serial = build(directory.path(), "serial", &files, &["-O0", "--profile"])?;
    let levels: &[&str] = if is_full() { &["-O0", "-O1", "-O2", "-O3"] } else { &["-O0", "-O3"] };
    for level in levels {
        let ranks = build(directory.path(), "ranks", &files, &[level, "-fhpf", "--profile"])?;
        let programs = Programs { serial: serial.clone(), ranks };
        for number in [2, 3, 4] {
            for way in [IN_ORDER, ERROR_OF_ALL, KILLED, ERROR_OF_ONE] {
                ends(&programs, number, way).map_err(|e| format!("{level}, {number} ranks, end {way}: {e}"))?;
            }
        }
    }
    Ok(())
}

/// Runs a program, which is told how to end.
fn run(program: &Path, ranks: usize, way: usize) -> Result<(), String> {
    let mut command = Command::new("timeout");
    command.arg("120").arg(program).env("TRUELINE_NP", ranks.to_string()).env("LEAVER", (ranks - 1).to_string());
    command.env("TRUELINE_PROFILE_FILE", program.with_extension("json")).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())?;
    // The second line is no number.
    let input = format!("{way}\nx\n");
    child.stdin.take().ok_or("no input")?.write_all(input.as_bytes()).map_err(|e| e.to_string())?;
    child.wait().map(drop).map_err(|e| e.to_string())
}

fn read(path: &Path) -> Result<Profile, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    trueline_report::read(&bytes).map_err(|e| e.to_string())
}

/// Runs the program on ranks, and the serial one, and compares their profiles.
fn ends(programs: &Programs, number: usize, way: usize) -> Result<(), String> {
    // The serial program does all that the ranks do together before one of them ends.
    run(&programs.serial, 1, way)?;
    let serial = read(&programs.serial.with_extension("json"))?;
    run(&programs.ranks, number, way)?;
    let path = programs.ranks.with_extension("json");
    let profiles = (0..number).map(|rank| read(&profile_of(&path, rank))).collect::<Result<Vec<_>, _>>()?;
    let (mut parts, mut sums) = (0, BTreeMap::<(u32, u32, String), u64>::new());
    for c in profiles.iter().flat_map(|p| &p.constructs) {
        if !c.counts.part.is_empty() && (c.counts_exact || c.status != Status::Bounded) {
            return Err(format!("a part is said to be exact: {c:?}"));
        }
        if c.status == Status::Unavailable {
            return Err(format!("not known: {c:?}"));
        }
        parts += c.counts.part.len();
        for (name, n) in measures(&c.counts).filter(|(name, _)| c.counts.is_part(name)) {
            *sums.entry((c.line, c.column, name)).or_default() += n;
        }
    }
    if (parts > 0) != (way != IN_ORDER) {
        return Err(format!("{parts} counts are parts"));
    }
    let wanted = |c: &Construct| serial.constructs.iter().find(|s| (s.line, s.column) == (c.line, c.column));
    let sum = trueline_report::merge(&profiles).map_err(|e| e.to_string())?;
    for c in sum.constructs.iter().filter(|c| c.counts.taken.is_some()) {
        let of_all = &wanted(c).ok_or("a construct that the serial program has not")?.counts;
        let of_all: BTreeMap<String, u64> = measures(of_all).collect();
        for (name, n) in measures(&c.counts) {
            let is_part = sums.contains_key(&(c.line, c.column, name.clone()));
            let is_open = c.line >= OPEN && [KILLED, ERROR_OF_ONE].contains(&way);
            let fits = if is_open { n <= MOST } else { of_all.get(&name) == Some(&n) };
            let added = sums.get(&(c.line, c.column, name.clone())).is_none_or(|sum| *sum == n);
            if !fits || !added || c.counts.is_part(&name) != is_part || (is_part && c.status != Status::Bounded) {
                return Err(format!("line {}: {name} is {n} in the sum, not {of_all:?}: {c:?}", c.line));
            }
        }
    }
    if way == IN_ORDER { Ok(()) } else { shown(&profiles[number - 1], &sum, way) }
}

/// The counts of conditionals by their names.
fn measures(n: &Counts) -> impl Iterator<Item = (String, u64)> + '_ {
    let arms = n.taken.iter().flatten().enumerate().map(|(k, &n)| (format!("taken.{k}"), n));
    n.evaluations.map(|n| ("evaluations".to_owned(), n)).into_iter().chain(arms)
}

/// Reports and exports say that these counts are parts, or leave them out.
fn shown(one: &Profile, sum: &Profile, way: usize) -> Result<(), String> {
    for (p, words) in [(one, "of this rank alone"), (sum, "the sum of the parts of ranks 0, 1")] {
        let index = trueline_report::Index::new(p);
        let options = trueline_report::FlatOptions::default();
        let style = trueline_report::Style::default();
        let flat = trueline_report::flat(&index, &options, style);
        // All ranks come to the error at its place; else they wait for another one somewhere, and may have counted more than they did.
        let is_cut_short = p.constructs.iter().any(|c| !c.counts.part.is_empty() && c.may_be_low);
        let mark = if is_cut_short { "~ " } else { "≥ " };
        if way == KILLED && !is_cut_short {
            return Err("a killed rank is not said to be cut short".to_owned());
        }
        if !flat.contains(words) || !flat.contains(mark) {
            return Err(format!("'{words}' and '{mark}' are not in the table: {flat}"));
        }
        let source = trueline_report::annotated(&index, style);
        let csv = trueline_report::csv(&index, &options);
        if !source.contains(mark) || !csv.contains(",evaluations/taken.0/taken.1\r\n") {
            return Err(format!("parts are not marked: {source}\n{csv}"));
        }
        let lcov = String::from_utf8_lossy(&trueline_report::export(&index, Format::Lcov, None)?).into_owned();
        for c in p.constructs.iter().filter(|c| c.counts.is_part("taken.0")) {
            if lcov.lines().any(|l| l.starts_with(&format!("BRDA:{},", c.line)) && l.contains(",0,")) {
                return Err(format!("line {} has an arm in {lcov}", c.line));
            }
        }
    }
    Ok(())
}
