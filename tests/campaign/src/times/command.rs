//! `campaign times`: the command line.

use super::campaign::{self as c, Found};
use super::judge::Class;
use super::run::{Way, Workshop};
use super::{make, program::Program, reduce, run};
use std::collections::BTreeMap;
use std::io::IsTerminal;

/// What the command line says.
#[derive(Clone, Debug)]
pub struct Options {
    /// The first seed.
    pub seed: u64,
    /// How many programs.
    pub programs: u64,
    /// Ways with random passes for each.
    pub plans: usize,
    /// Whether they are built file by file, too.
    pub separate: bool,
    /// Stop after so many failures.
    pub most: usize,
    /// How many failures of a class are reduced and printed.
    pub show: usize,
    /// Whether procedures that were inlined and have no time are failures.
    pub strict: bool,
}

/// Judges programs, prints what fails, reduced, and the table; gives the exit code.
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
    let fails = |f: &&Found| o.strict || f.failure.class != Class::Inlined;
    let mut classes: BTreeMap<(Class, String), Vec<&Found>> = BTreeMap::new();
    for f in outcome.found.iter().filter(fails) {
        classes.entry((f.failure.class, f.way.row())).or_default().push(f);
    }
    let mut shown: BTreeMap<Class, usize> = BTreeMap::new();
    for ((class, row), found) in &classes {
        print(&format!(
            "== {} at {row}: {}, first seed {}: {}",
            class.word(),
            found.len(),
            found[0].program.seed,
            found[0].failure.text
        ));
        let n = shown.entry(*class).or_default();
        if *n < o.show {
            *n += 1;
            print(&example(found[0]));
        }
    }
    print(&c::passes(&outcome));
    print(&c::table(&outcome));
    i32::from(!classes.is_empty())
}

/// A failing program, reduced, with the commands that show it.
pub fn example(found: &Found) -> String {
    let reduced = Workshop::new("reduce").ok().and_then(|shop| reduce::reduce(&shop, found));
    let (program, failure, note) = match reduced {
        Some((program, failure)) => (program, failure, "reduced"),
        None => (found.program.clone(), found.failure.clone(), "it does not fail again; as it was"),
    };
    format!("-- {note}: {}\n{}", failure.text, listing(&program, &found.way))
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

/// Prints the program of a seed and what is wrong with it in every way; writes its files to a directory if one is given.
pub fn show(seed: u64, plans: usize, to: Option<&str>, print: &mut dyn FnMut(&str)) -> i32 {
    let (program, does) = make::make(seed);
    let ways = Way::of(seed, plans, true);
    print(&listing(&program, &ways[3]));
    if let Some(directory) = to {
        let text = run::text(&program, &does, &ways[3]);
        let mut files: Vec<(String, &str)> = text.files.iter().map(|f| (f.name.clone(), f.text.as_str())).collect();
        files.push(("ledger.c".to_owned(), include_str!("ledger.c")));
        let made = std::fs::create_dir_all(directory);
        let written = files.iter().map(|(name, text)| std::fs::write(std::path::Path::new(directory).join(name), text));
        if let Some(e) = std::iter::once(made).chain(written).find_map(Result::err) {
            print(&e.to_string());
            return 2;
        }
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
