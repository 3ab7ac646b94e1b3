//! Any prefix and any single-byte change of any test file: a diagnostic or success, never a panic or a hang.
//!
//! `cargo test` tries a sample. `TRUELINE_DAMAGE=N` tries N prefixes and N changes of each file, `TRUELINE_DAMAGE=all`
//! every prefix and, at every byte, one change (for hours; progress on standard error).

use crate::build::{files, options};
use rayon::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use trueline::driver::{Failure, Session};
use trueline::options::Options;
use trueline::pipeline;

/// A compilation that takes longer hangs: the largest test file compiles in a fraction of this.
const LIMIT: Duration = Duration::from_secs(60);

/// A damaged file: the bytes before the cut, or all of them with one changed.
#[derive(Clone, Copy, Debug)]
enum Damage {
    Prefix(usize),
    Byte(usize, u8),
}

/// The bytes that hurt most: they end, open, close and continue things.
const HURT: &[u8] = b"()'\"&!;,=:*/%.0 \nzEd\t\0\xff";

fn corpus() -> Vec<PathBuf> {
    let mut all = files("tests/run", &["f", "f90"]);
    all.extend(files("tests/bad", &["f", "f90", "hpf"]));
    all.extend(files("examples/hpf", &["f90"]));
    all
}

/// Splitmix64: the sample is the same in every run.
fn random(seed: u64) -> u64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn damages(file: usize, size: usize, amount: Option<usize>) -> Vec<Damage> {
    let byte = |at: usize| Damage::Byte(at, HURT[random((file as u64) << 32 | at as u64) as usize % HURT.len()]);
    match amount {
        None => (0..size).map(Damage::Prefix).chain((0..size).map(byte)).collect(),
        Some(n) => (0..n)
            .flat_map(|i| {
                let r = random((file as u64) << 20 | i as u64);
                let at = |r: u64| (r % (size.max(1) as u64)) as usize;
                [Damage::Prefix(at(r)), byte(at(r >> 20))]
            })
            .filter(|_| size > 0)
            .collect(),
    }
}

fn apply(bytes: &[u8], damage: Damage) -> Vec<u8> {
    match damage {
        Damage::Prefix(n) => bytes[..n].to_vec(),
        Damage::Byte(at, byte) => {
            let mut out = bytes.to_vec();
            out[at] = if out[at] == byte { b'x' } else { byte };
            out
        }
    }
}

/// Compiles to an object; a panic or a bug of ours is a failure of the test.
fn try_one(directory: &Path, file: &Path, bytes: &[u8], level: u8) -> Result<(), String> {
    let suffix = file.extension().unwrap_or_default();
    let path = directory.join(format!("{}", rayon::current_thread_index().unwrap_or(0))).with_extension(suffix);
    std::fs::write(&path, bytes).map_err(|e| e.to_string())?;
    // The options are those of the undamaged file.
    let mut options = Options { files: vec![path], ..options(file, level, None) };
    options.syntax.include_dirs.extend(file.parent().map(Path::to_owned));
    options.optimize.verify = false;
    options.semantics.warnings.apply("all");
    options.semantics.warnings.apply("extra");
    let compile = || {
        let mut session = Session::default();
        let mut compiled = pipeline::compile(&mut session, &options)?;
        pipeline::object(&mut compiled, &options).map(|_| ())
    };
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(compile)) {
        Err(_) => Err("panics".to_owned()),
        Ok(Err(Failure::Bug(text))) => Err(text),
        Ok(_) => Ok(()),
    }
}

/// Writes a line to standard error; there is no place to report a failure of that.
fn tell(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The work of each thread and its beginning: a hang cannot be caught, but it can be named.
type Working = Mutex<std::collections::BTreeMap<usize, (String, Instant)>>;

fn watch(working: &'static Working) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let working = working.lock().expect("nothing panics with it");
            if let Some((what, _)) = working.values().find(|(_, since)| since.elapsed() > LIMIT) {
                tell(&format!("hangs: {what}"));
                std::process::exit(101);
            }
        }
    });
}

#[test]
fn damaged_files_are_compiled_or_diagnosed() {
    static WORKING: Working = Mutex::new(std::collections::BTreeMap::new());
    let amount = std::env::var("TRUELINE_DAMAGE").unwrap_or_else(|_| "2".to_owned());
    let amount = if amount == "all" { None } else { Some(amount.parse().expect("TRUELINE_DAMAGE is a number or all")) };
    let cases: Vec<(PathBuf, Vec<u8>, Damage)> = corpus()
        .into_iter()
        .enumerate()
        .flat_map(|(i, file)| {
            let bytes = std::fs::read(&file).expect("a test file is readable");
            let list = damages(i, bytes.len(), amount);
            list.into_iter().map(move |damage| (file.clone(), bytes.clone(), damage)).collect::<Vec<_>>()
        })
        .collect();
    watch(&WORKING);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let done = AtomicUsize::new(0);
    let pool = rayon::ThreadPoolBuilder::new().stack_size(256 << 20).build().expect("threads");
    let failures: Vec<String> = pool.install(|| {
        let one = |(i, (file, bytes, damage)): (usize, &(PathBuf, Vec<u8>, Damage))| {
            let what = format!("{} {damage:?}", file.file_name().unwrap_or_default().to_string_lossy());
            let thread = rayon::current_thread_index().unwrap_or(0);
            WORKING.lock().expect("nothing panics with it").insert(thread, (what.clone(), Instant::now()));
            let level = if i % 4 == 0 { 3 } else { 0 };
            let result = try_one(directory.path(), file, &apply(bytes, *damage), level);
            WORKING.lock().expect("nothing panics with it").remove(&thread);
            let n = done.fetch_add(1, Ordering::Relaxed) + 1;
            if amount != Some(2) && n.is_multiple_of(1000) {
                tell(&format!("{n} of {}", cases.len()));
            }
            result.err().map(|e| format!("{what}: {e}"))
        };
        cases.par_iter().enumerate().filter_map(one).collect()
    });
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
}
