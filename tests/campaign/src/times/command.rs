//! `campaign times`: the command line.

use super::campaign::{self as c, Found};
use super::judge::{Class, Failure};
use super::print::File;
use super::run::{Way, Workshop};
use super::{make, program::Program, reduce, run};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// The number of failures of a kind whose seed and text are printed.
const SEEDS: usize = 8;

/// The options of the command line.
#[derive(Clone, Debug)]
pub struct Options {
    /// The first seed.
    pub seed: u64,
    /// The number of programs.
    pub programs: u64,
    /// Ways with random passes for each.
    pub plans: usize,
    /// Whether they are built file by file, too.
    pub separate: bool,
    /// The number of failures after which to stop.
    pub most: usize,
    /// The number of failures of a class that are reduced and printed.
    pub show: usize,
    /// The directory of the examples, each in one of its own.
    pub write: Option<PathBuf>,
    /// Words of the classes that are looked at; all if there are none.
    pub only: Vec<String>,
    /// Whether procedures that were inlined and have no time are failures.
    pub strict: bool,
}

/// Judges programs, prints failures, reduced, and the table; returns the exit code.
pub fn times(options: &Options, print: &mut dyn FnMut(&str)) -> i32 {
    let terminal = std::io::stderr().is_terminal();
    let mut progress = |done: u64, failures: usize| {
        if terminal {
            use std::io::Write;
            let _ = write!(std::io::stderr(), "\r{done} of {} programs, {failures} failures ", options.programs);
        }
    };
    let o = options;
    let outcome = match c::campaign(o.seed, o.programs, o.plans, o.separate, o.most, &mut progress) {
        Ok(outcome) => outcome,
        Err(e) => {
            print(&e);
            return 2;
        }
    };
    let wanted = |f: &Found| o.only.is_empty() || o.only.iter().any(|w| f.failure.class.word().contains(w.as_str()));
    let fails = |f: &&Found| wanted(f) && (o.strict || f.failure.class != Class::Inlined);
    let mut kinds: BTreeMap<(Class, String), Vec<&Found>> = BTreeMap::new();
    for f in outcome.found.iter().filter(fails) {
        kinds.entry((f.failure.class, kind(&f.failure))).or_default().push(f);
    }
    for ((class, kind), found) in &kinds {
        let mut rows: BTreeMap<String, usize> = BTreeMap::new();
        found.iter().for_each(|f| *rows.entry(f.way.row()).or_default() += 1);
        let rows: Vec<String> = rows.iter().map(|(row, n)| format!("{n} at {row}")).collect();
        print(&format!("== {} ({kind}): {}", class.word(), rows.join(", ")));
        for f in found.iter().take(SEEDS) {
            print(&format!("   seed {} at {}: {}", f.program.seed, f.way.row(), f.failure.text));
        }
        // Puts failures that take fewer commands first, and no program twice.
        let mut examples = found.clone();
        examples.sort_by_key(|f| (f.way.separate, f.way.by_default, f.way.passes.is_some()));
        let mut seeds = BTreeSet::new();
        for f in examples.into_iter().filter(|f| seeds.insert(f.program.seed)).take(o.show) {
            print(&example(f, o.write.as_deref()));
        }
    }
    print(&c::passes(&outcome));
    print(&c::table(&outcome));
    i32::from(!kinds.is_empty())
}

/// The common part of failures of one class: their text without names and numbers.
pub fn kind(f: &Failure) -> String {
    let text = f.text.rsplit("`: ").next().unwrap_or("");
    let text = if f.class == Class::Merged { "MERGED" } else { text };
    let words = text.split_whitespace().filter(|w| !w.contains(|c: char| c.is_ascii_digit() || c == '\''));
    words.take(6).collect::<Vec<_>>().join(" ")
}

/// A failing program, reduced, with the commands that show it.
pub fn example(found: &Found, write: Option<&Path>) -> String {
    let reduced = Workshop::new("reduce").ok().and_then(|shop| reduce::reduce(&shop, found));
    let Some((program, failure)) = reduced else {
        let (seed, failure) = (found.program.seed, &found.failure.text);
        return format!("-- not again: seed {seed} at {}: {failure}\n", found.way.row());
    };
    let text = format!("-- reduced: {}\n{}", failure.text, listing(&program, &found.way));
    if let (Some(directory), Some(does)) = (write, super::simulate::simulate(&program)) {
        let name = format!("{}-{}", failure.class.word().replace([' ', ',', '>'], "_"), program.seed);
        let mut files = run::text(&program, &does, &found.way).files;
        files.push(File { name: "wrong.txt".to_owned(), text: text.clone() });
        if let Err(e) = write_files(&directory.join(name), files) {
            return format!("{text}\n{e}\n");
        }
    }
    text
}

/// Writes files and the ledger to a directory.
fn write_files(directory: &Path, mut files: Vec<File>) -> std::io::Result<()> {
    files.push(File { name: "ledger.c".to_owned(), text: include_str!("ledger.c").to_owned() });
    std::fs::create_dir_all(directory)?;
    files.iter().try_for_each(|f| std::fs::write(directory.join(&f.name), &f.text))
}

/// The text of a program and the commands that build and run it.
pub fn listing(program: &Program, way: &Way) -> String {
    let Some(does) = super::simulate::simulate(program) else { return String::new() };
    let text = run::text(program, &does, way);
    let names: Vec<String> = text.files.iter().map(|f| f.name.clone()).collect();
    let mut out: String = way.commands(&names).iter().map(|c| format!("   $ {c}\n")).collect();
    for f in &text.files {
        out.push_str(&format!("---- {}\n", f.name));
        for (n, line) in f.text.lines().enumerate() {
            out.push_str(&format!("{:4}  {line}\n", n + 1));
        }
    }
    out
}

/// Prints the program of a seed and its failures in every way of building; writes its files to a directory if one is
/// given.
pub fn show(seed: u64, plans: usize, to: Option<&str>, print: &mut dyn FnMut(&str)) -> i32 {
    let (program, does) = make::make(seed);
    let ways = Way::of(seed, plans, true);
    print(&listing(&program, &ways[3]));
    if let Some(directory) = to
        && let Err(e) = write_files(Path::new(directory), run::text(&program, &does, &ways[3]).files)
    {
        print(&e.to_string());
        return 2;
    }
    let shop = match Workshop::new("show") {
        Ok(shop) => shop,
        Err(e) => {
            print(&e);
            return 2;
        }
    };
    for way in ways {
        let verdict = c::judge_way(&shop, &program, &does, &way, c::ATTEMPTS).unwrap_or_else(c::broken);
        print(&format!("{}: {} judged", way.row(), verdict.judged.len()));
        for f in verdict.failures {
            print(&format!("  {}: {}", f.class.word(), f.text));
        }
    }
    0
}
