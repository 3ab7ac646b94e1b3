//! The command `campaign ranks`.

use super::run::{self, Failure, Way};
use super::{File, Program, batch, make, reduce};
use crate::parts::{Done, left};
use rayon::prelude::*;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A campaign.
pub struct Options {
    /// The first seed.
    pub seed: u64,
    /// The number of programs.
    pub programs: u64,
    /// The numbers of ranks.
    pub ranks: Vec<usize>,
    /// The most failures that are reduced.
    pub most: usize,
    /// A directory for the programs that fail.
    pub write: Option<PathBuf>,
    /// Whether each program is judged alone.
    pub single: bool,
    /// A file with the seeds that have been judged, which are left out.
    pub resume: Option<PathBuf>,
}

/// The programs of a part, which takes some minutes.
const PART: u64 = 200;

/// Judges programs; the exit code.
pub fn command(options: &Options, print: &mut dyn FnMut(&str)) -> i32 {
    let all = options.seed..options.seed + options.programs;
    let left = AtomicUsize::new(options.most);
    let Some(file) = &options.resume else {
        let failures = judge(options, all, &left, print);
        print(&format!("{} programs, {failures} failures", options.programs));
        return i32::from(failures > 0);
    };
    let failures = go_on(options, all, file, |part| judge(options, part, &left, print));
    match failures {
        Ok(failures) => {
            print(&format!("{} programs, {failures} failures", options.programs));
            i32::from(failures > 0)
        }
        Err(e) => {
            print(&format!("{}: {e}", file.display()));
            2
        }
    }
}

/// Judges the seeds that `file` does not have, a part at a time, and notes each part there: the failures of all parts.
fn go_on(
    options: &Options,
    all: Range<u64>,
    file: &Path,
    mut judge: impl FnMut(Range<u64>) -> u64,
) -> std::io::Result<u64> {
    let text = match std::fs::read_to_string(file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e),
        text => text.unwrap_or_default(),
    };
    let how = how(options);
    let done = done(&text, &how);
    let earlier = done.range(all.clone()).map(|(_, part)| part.2);
    let mut failures: u64 = earlier.sum();
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    for part in left(all, &done, PART) {
        let found = judge(part.clone());
        writeln!(out, "{how}: seeds {}..{}, {found} failures", part.start, part.end)?;
        failures += found;
    }
    Ok(failures)
}

/// The first words of the line of a part.
fn how(options: &Options) -> String {
    format!("ranks {:?}{}", options.ranks, if options.single { " single" } else { "" })
}

/// The parts, judged as these words say, that the lines of `text` name.
fn done(text: &str, how: &str) -> Done {
    let part = |line: &str| {
        let rest = line.strip_prefix(how)?.strip_prefix(": seeds ")?;
        let (seeds, rest) = rest.split_once(", ")?;
        let (from, to) = seeds.split_once("..")?;
        let (from, to): (u64, u64) = (from.parse().ok()?, to.parse().ok()?);
        Some((from, (to, to.checked_sub(from)?, rest.strip_suffix(" failures")?.parse().ok()?)))
    };
    text.lines().filter_map(part).collect()
}

/// Judges the programs of these seeds, and tells of the failures; their number.
fn judge(options: &Options, seeds: Range<u64>, left: &AtomicUsize, print: &mut dyn FnMut(&str)) -> u64 {
    let failures: Vec<(Failure, Program)> = batch::divide(seeds, options.single)
        .into_par_iter()
        .flat_map_iter(|seeds| batch::judge(&seeds, &options.ranks))
        .map(|(failure, program)| {
            let reduces = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok();
            if reduces { smaller(program, failure) } else { (failure, program) }
        })
        .collect();
    for (failure, program) in &failures {
        let way = failure.way.as_ref().map_or("serial".to_owned(), Way::told);
        print(&format!("seed {} {way}: {:?}: {}", program.seed, failure.kind, failure.text));
        if let Some(directory) = &options.write
            && let Err(e) = write(program, &directory.join(program.seed.to_string()))
        {
            print(&format!("not written: {e}"));
        }
    }
    failures.len() as u64
}

/// The smallest program that fails in the same way.
fn smaller(program: Program, failure: Failure) -> (Failure, Program) {
    let ways: Vec<Way> = failure.way.clone().into_iter().collect();
    let mut last = failure;
    let kind = last.kind;
    let program = reduce::reduce(program, |p| match run::differs(p, &ways).filter(|f| f.kind == kind) {
        Some(failure) => {
            last = failure;
            true
        }
        None => false,
    });
    (last, program)
}

/// Writes the files of a program into a directory.
///
/// # Errors
/// The message of the system.
pub fn write(program: &Program, directory: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(directory)?;
    program.files.iter().try_for_each(|f: &File| std::fs::write(directory.join(&f.name), f.text()))
}

/// Prints the program of a seed, and the ways to build it.
pub fn show(seed: u64, ranks: &[usize], print: &mut dyn FnMut(&str)) -> i32 {
    let program = make::program(seed);
    for way in Way::of(seed, &program, ranks) {
        print(&format!("! {}", way.told()));
    }
    for f in &program.files {
        print(&format!("! file {}\n{}", f.name, f.text()));
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_campaign_on_ranks_goes_on() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("seeds");
        std::fs::write(&file, "ranks [2, 3]: seeds 200..400, 1 failures\nranks [2]: seeds 400..600, 5 failures\n")
            .unwrap();
        let options = Options {
            seed: 100,
            programs: 450,
            ranks: vec![2, 3],
            most: 1,
            write: None,
            single: false,
            resume: Some(file.clone()),
        };
        let mut judged = Vec::new();
        let failures = go_on(&options, 100..550, &file, |part| {
            judged.push(part);
            0
        });
        assert_eq!((failures.unwrap(), judged), (1, vec![100..200, 400..550]));
        let again = go_on(&options, 100..550, &file, |_| panic!("all have been judged"));
        assert_eq!(again.unwrap(), 1);
    }
}
