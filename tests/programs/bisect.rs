//! The optimizer, pass by pass, in native code: a program stopped after any application of a pass prints
//! the recorded output and has the counts of a run without any (T2). The interpreter checks the
//! computational core this way; here is the whole language.
//!
//! `cargo test` tries one application in a quarter of the programs, in their `counts` tests; `TRUELINE_TEST_FULL=1` has a test of its own for it, and
//! `TRUELINE_TEST_BISECT=1` tries all applications that change something.

use crate::build::{build_and_run, counts, explain, is_full, options};
use crate::corpus::name;
use crate::judge::{are_alike, check, spread};
use crate::trial;
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};
use trueline::driver::Session;
use trueline::options::Options;
use trueline::pipeline;
use trueline_instrument::TimeMode;

/// The applications of steps at -O3 that change something, in order: to stop after another is to stop after the one of
/// these before it.
fn applications(file: &Path) -> Result<Vec<u64>, String> {
    let mut session = Session::default();
    let mut options = options(file, 3, Some(TimeMode::Outer));
    options.optimize.dump = vec!["all".to_owned()];
    let mut compiled = pipeline::compile(&mut session, &options).map_err(|f| explain(session, &format!("{f:?}")))?;
    // The last step is the code generator's.
    pipeline::object(&mut compiled, &options).map_err(|f| format!("{f:?}"))?;
    let dumps = compiled.stats.dumps.into_iter();
    // Lowering and counting are done wherever the optimizer stops.
    let changing = dumps.filter(|d| trueline_opt::is_optional(d.pass) && (d.before != d.after || !d.edits.is_empty()));
    Ok(changing.map(|d| d.application).collect())
}

/// One test a program. Otherwise the `counts` test stops once, too.
pub fn trials(programs: &[PathBuf]) -> Vec<Trial> {
    if !is_full() && std::env::var_os("TRUELINE_TEST_BISECT").is_none() {
        return Vec::new();
    }
    programs.iter().map(|file| trial("bisect", file, is_right_after_every_pass)).collect()
}

/// The options to stop a profiled build after an application of a pass, one that changes something if there is any.
pub fn stopped(file: &Path) -> Result<Options, String> {
    let mut stops = applications(file)?;
    stops.insert(0, 0);
    let stop = stops[(spread(&name(file)) % stops.len() as u64) as usize];
    let mut options = options(file, 3, Some(TimeMode::Outer));
    options.optimize.bisect = Some(stop);
    Ok(options)
}

/// Stops after applications of passes: after none and after one, or after all that change something.
fn is_right_after_every_pass(file: &Path) -> Result<(), String> {
    let mut stops = applications(file)?;
    stops.insert(0, 0);
    if std::env::var_os("TRUELINE_TEST_BISECT").is_none() {
        let one = stops[(spread(&name(file)) % stops.len() as u64) as usize];
        stops = vec![0, one];
    }
    let mut first = None;
    for stop in stops {
        let mut options = options(file, 3, Some(TimeMode::Outer));
        options.optimize.bisect = Some(stop);
        let ran = build_and_run(file, &options)?;
        check(file, &ran, &format!("--opt-bisect={stop}"))?;
        let found = counts(ran.profile.as_deref().ok_or("no profile was written")?)?;
        let first = first.get_or_insert_with(|| found.clone());
        if let Some((construct, count)) = first.iter().find(|(c, n)| !found.get(*c).is_some_and(|f| are_alike(f, n))) {
            let got = found.get(construct);
            return Err(format!("--opt-bisect={stop} counts {got:?} for {construct}, not {count:?}"));
        }
    }
    Ok(())
}
