//! The run corpus: each program's output at every level, plain and profiled, is the recorded one; counts
//! are the same at all levels (T2); profiling does not change the optimized program (T1).

use crate::build::{build_and_run, counts, explain, is_full, options};
use crate::corpus::name;
use crate::judge::{are_alike, calls, check, check_on, spread, statuses};
use crate::trial;
use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use trueline::driver::Session;
use trueline::options::{self, Options};
use trueline::pipeline;
use trueline_abi::profile::Counts;
use trueline_instrument::TimeMode;

/// The loops at -O3 of all programs.
static LOOPS: AtomicUsize = AtomicUsize::new(0);
/// The loops of them whose trips are not known.
static UNKNOWN: AtomicUsize = AtomicUsize::new(0);

/// The share of programs that are profiled on the other target: one in this number.
const SAMPLE: u64 = 16;

/// All tests of these programs.
///
/// Profiled code is plain code and counting (T1, which `certify` compares), and a profiled program runs at -O0 and -O3 in any
/// case. So without TRUELINE_TEST_FULL=1 a plain one runs at one level.
pub fn trials(programs: &[PathBuf]) -> Vec<Trial> {
    let mut out = Vec::new();
    for file in programs {
        let chosen = (spread(&name(file)) % 4) as u8;
        for level in (0..=3).filter(|&l| l == chosen || is_full()) {
            out.push(trial(&format!("plain-O{level}"), file, move |f| plain(f, level)));
        }
        if crate::build::asks_for_other_target() {
            out.push(trial("aarch64", file, |f| on_other(f, 3, None)));
            if crate::judge::asks_for_all_of_other_target() {
                out.push(trial("aarch64-O0", file, |f| on_other(f, 0, None)));
            }
            if spread(&name(file)).is_multiple_of(SAMPLE) || crate::judge::asks_for_all_of_other_target() {
                out.push(trial("aarch64-counts", file, other_counts));
            }
        }
        out.push(trial("checked", file, checked));
        out.push(trial("counts", file, same_counts));
        out.push(trial("certify", file, certify));
    }
    out
}

/// The output is the recorded one.
fn plain(file: &Path, level: u8) -> Result<(), String> {
    let ran = build_and_run(file, &options(file, level, None))?;
    check(file, &ran, "plain")
}

/// Compiles for the other target and runs by an emulator: the output is the recorded one.
fn on_other(file: &Path, level: u8, profile: Option<TimeMode>) -> Result<(), String> {
    let Some(options) = for_other(file, level, profile) else { return Ok(()) };
    check_on(&options.triple.architecture.to_string(), file, &build_and_run(file, &options)?, "on the other target")
}

fn for_other(file: &Path, level: u8, profile: Option<TimeMode>) -> Option<Options> {
    let mut options = options(file, level, profile);
    options::set_target(&mut options, crate::build::other_target()?);
    Some(options)
}

/// Counts and statuses at every level on the other target are those of this machine.
fn other_counts(file: &Path) -> Result<(), String> {
    for level in 0..=3 {
        let Some(options) = for_other(file, level, Some(TimeMode::Outer)) else { return Ok(()) };
        let ran = [&options, &crate::build::options(file, level, Some(TimeMode::Outer))].map(|options| {
            let ran = build_and_run(file, options)?;
            check_on(&options.triple.architecture.to_string(), file, &ran, "profiled").map(|()| ran)
        });
        let [there, here] = ran;
        let (there, here) = (there?.profile.ok_or("no profile was written")?, here?.profile.ok_or("no profile here")?);
        let (found, wanted) = (counts(&there)?, counts(&here)?);
        if let Some((construct, count)) =
            wanted.iter().find(|(construct, count)| !found.get(*construct).is_some_and(|c| are_alike(c, count)))
        {
            return Err(format!("-O{level}: {construct}: {:?}, on this machine {count:?}", found.get(construct)));
        }
        if found.len() != wanted.len() || calls(&there)? != calls(&here)? {
            return Err(format!("-O{level}: constructs or calls differ"));
        }
        let (found, wanted) = (statuses(&there)?, statuses(&here)?);
        if found != wanted {
            let first = found.iter().zip(&wanted).find(|(a, b)| a != b);
            return Err(format!("-O{level}: statuses differ: {first:?}"));
        }
    }
    Ok(())
}

/// `-fcheck=all,alias,undefined` finds nothing in right programs. One that does what Fortran forbids, and compilers allow, has a line
/// `! not checked` that says so; `! aliases` if arguments are the same storage.
fn checked(file: &Path) -> Result<(), String> {
    let mut options = options(file, 0, None);
    let checks = [("all", true), ("alias", !says(file, "! aliases")?), ("undefined", true)];
    assert!(checks.iter().all(|&(check, on)| options.semantics.checks.apply(check, on)));
    if says(file, NOT_CHECKED)? { Ok(()) } else { check(file, &build_and_run(file, &options)?, "checked") }
}

/// The beginning of a line of programs that do what Fortran forbids.
const NOT_CHECKED: &str = "! not checked";

/// Whether a line of the program begins so.
fn says(file: &Path, words: &str) -> Result<bool, String> {
    let source = std::fs::read(file).map_err(|e| e.to_string())?;
    Ok(String::from_utf8_lossy(&source).lines().any(|l| l.starts_with(words)))
}

/// Whether a construct that has counts without checks may be without them with checks: one in a FORALL that was written out.
fn may_be_uncounted(construct: &str, count: &Counts) -> bool {
    count == &Counts::default() && ["where", "forall"].iter().any(|kind| construct.split(' ').nth(1) == Some(kind))
}

/// Whether programs run here with vectors of 32 bytes.
fn has_long_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has
}

/// The counts of profiled programs are the same at every level, after some application of a pass, in longer vectors, and with run-time checks (T2).
fn same_counts(file: &Path) -> Result<(), String> {
    let chosen = spread(&name(file)) / 4 % 4;
    let levels: &[u8] = if is_full() || chosen == 1 { &[0, 2, 3] } else { &[0, 3] };
    let mut builds: Vec<(String, Options)> =
        levels.iter().map(|&l| (format!("-O{l}"), options(file, l, Some(TimeMode::Outer)))).collect();
    if !is_full() && chosen == 0 {
        let stopped = crate::bisect::stopped(file)?;
        builds.push((format!("-O3 --opt-bisect={}", stopped.optimize.bisect.unwrap_or(0)), stopped));
    }
    if (is_full() || chosen == 3) && has_long_vectors() {
        let mut options = options(file, 3, Some(TimeMode::Outer));
        assert_eq!(options.processor.take("avx2", &options.triple), Ok(true));
        builds.push(("-O3 -mavx2".to_owned(), options));
        // With AVX-512 vectors have 64 bytes.
        let mut options = self::options(file, 3, Some(TimeMode::Outer));
        assert_eq!(options.processor.take("arch=native", &options.triple), Ok(true));
        builds.push(("-O3 -march=native".to_owned(), options));
    }
    if (is_full() || chosen == 2) && !says(file, NOT_CHECKED)? {
        let mut options = options(file, 3, Some(TimeMode::Outer));
        assert!(options.semantics.checks.apply("all", true));
        builds.push(("-O3 -fcheck=all".to_owned(), options));
    }
    let mut first: Option<std::collections::BTreeMap<_, _>> = None;
    let mut first_calls = None;
    for (level, options) in &builds {
        let ran = build_and_run(file, options)?;
        check(file, &ran, &format!("profiled {level}"))?;
        let profile = ran.profile.as_deref().ok_or("no profile was written")?;
        let (found, called) = (counts(profile)?, calls(profile)?);
        if level == "-O3" {
            LOOPS.fetch_add(found.values().filter(|c| c.iterations.is_some()).count(), Ordering::Relaxed);
            UNKNOWN.fetch_add(found.values().filter(|c| c.trips_unknown.is_some()).count(), Ordering::Relaxed);
        }
        let wanted = first_calls.get_or_insert_with(|| called.clone());
        // Checks know who called where the call is by a pointer, too.
        let is_checked = level.contains("-fcheck");
        if wanted != &called && !(is_checked && wanted.iter().all(|(call, n)| called.get(call) == Some(n))) {
            return Err(format!("calls at {level} are {called:?}, at -O0 {first_calls:?}"));
        }
        let first = first.get_or_insert_with(|| found.clone());
        if found.len() != first.len() {
            return Err(format!("{} constructs at {level}, {} at -O0", found.len(), first.len()));
        }
        for (construct, count) in first.iter() {
            let got = found.get(construct);
            if !got.is_some_and(|c| are_alike(c, count) || (is_checked && may_be_uncounted(construct, c))) {
                return Err(format!("counts at {level} differ from -O0 for {construct}: {got:?}, not {count:?}"));
            }
        }
    }
    Ok(())
}

/// Profiling does not change the optimized program (T1).
fn certify(file: &Path) -> Result<(), String> {
    for level in [1, 2, 3] {
        let mut session = Session::default();
        match pipeline::certify(&mut session, &options(file, level, Some(TimeMode::All))) {
            Ok((plain, profiled)) if plain == profiled => {}
            Ok((plain, profiled)) => {
                let at = plain.lines().zip(profiled.lines()).find(|(a, b)| a != b);
                return Err(format!("-O{level}: first difference {at:?}"));
            }
            Err(f) => return Err(explain(session, &format!("{f:?}"))),
        }
    }
    Ok(())
}

/// Asserts that at most a twentieth of all loops has unknown trips at -O3, if all programs have run.
pub fn judge_trips(arguments: &Arguments) {
    let is_whole = std::env::var_os("TRUELINE_TEST_RUN").is_none();
    let is_whole = is_whole && arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.list;
    let (loops, unknown) = (LOOPS.load(Ordering::Relaxed), UNKNOWN.load(Ordering::Relaxed));
    assert!(!is_whole || unknown * 20 <= loops, "the trips of {unknown} of {loops} loops are not known at -O3");
    assert!(!is_whole || loops > 500, "only {loops} loops");
}
