//! The command `campaign ranks`.

use super::run::{self, Failure, Way};
use super::{File, Program, make, reduce};
use rayon::prelude::*;
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
}

/// Judges programs; the exit code.
pub fn command(options: &Options, print: &mut dyn FnMut(&str)) -> i32 {
    let left = AtomicUsize::new(options.most);
    let failures: Vec<(Failure, Program)> = (options.seed..options.seed + options.programs)
        .into_par_iter()
        .filter_map(|seed| {
            let (failure, program) = run::judge(seed, &options.ranks).err()?;
            let reduces = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok();
            Some(if reduces { smaller(program, failure) } else { (failure, program) })
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
    print(&format!("{} programs, {} failures", options.programs, failures.len()));
    i32::from(!failures.is_empty())
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
