//! Compiling and running programs inside the test process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use trueline::driver::Session;
use trueline::options::{self, Options};
use trueline::pipeline;
use trueline_abi::profile::{Counts, Profile};
use trueline_instrument::TimeMode;

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles `sources` (and options for the compiler) with the profile runtime to `directory/t`.
pub fn with_runtime(directory: &Path, compiler: &str, sources: &[(&str, &str)], options: &[&str]) -> PathBuf {
    let archive = trueline::runtime::archive(&target_lexicon::Triple::host(), None).unwrap();
    let mut cc = Command::new(compiler);
    cc.current_dir(directory).arg("-I").arg(root().join("include")).args(options);
    for (name, content) in sources {
        std::fs::write(directory.join(name), content).unwrap();
        cc.arg(name);
    }
    let built = cc.arg(archive).args(["-lm", "-ldl", "-lpthread", "-o", "t"]).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    directory.join("t")
}

/// The files of `directory` below the root and of its folders with one of the suffixes, sorted.
pub fn files(directory: &str, suffixes: &[&str]) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![root().join(directory)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the folder is in the repository") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| suffixes.contains(&e)) {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

/// The options for one source file, with those in its first line: `! options: -std=f95`.
pub fn options(file: &Path, level: u8, profile: Option<TimeMode>) -> Options {
    let level = trueline_ir::OptLevel::ALL[usize::from(level)];
    let mut defaults = options::default_options(vec![file.to_owned()], level);
    if let Some(words) = told_options(file) {
        let line = trueline::fc::args::parse(words.into_iter().chain([file.into()]).collect()).expect("options");
        let told = trueline::fc::options(&line).expect("options");
        (defaults.syntax, defaults.semantics) = (told.syntax, told.semantics);
    }
    Options { optimize: trueline_opt::Options { verify: true, ..defaults.optimize.clone() }, profile, ..defaults }
}

/// The options in the first line of a file.
fn told_options(file: &Path) -> Option<Vec<std::ffi::OsString>> {
    let text = std::fs::read(file).ok()?;
    let line = std::str::from_utf8(text.split(|&b| b == b'\n').next()?).ok()?;
    Some(line.trim_end().strip_prefix("! options: ")?.split(' ').map(Into::into).collect())
}

/// Whether tests of the other target are asked for.
pub fn asks_for_other_target() -> bool {
    std::env::var_os("TRUELINE_TEST_AARCH64").is_some()
}

/// The other target that programs are compiled for and run on, by an emulator, if `TRUELINE_TEST_AARCH64` asks for it: all programs
/// take some minutes there. `.ci/aarch64` brings the tools.
#[allow(clippy::print_stderr, reason = "tests that skip say so")]
pub fn other_target() -> Option<target_lexicon::Triple> {
    static MISSING: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    let triple = trueline::target::parse("aarch64-unknown-linux-gnu").unwrap();
    let is_asked = asks_for_other_target();
    let missing = MISSING.get_or_init(|| {
        if !is_asked {
            eprintln!("tests on {triple} are skipped: TRUELINE_TEST_AARCH64 is not set");
            return Some("it was not asked for".to_owned());
        }
        let archive = trueline::runtime::archive(&triple, None).map(|_| ());
        let runs = trueline::target::command(&triple, None, Path::new("program")).map(|_| ());
        let linker = trueline_codegen::link::driver(&triple).arg("--version").output().map(|_| ());
        let why = archive.and(runs).and(linker.map_err(|e| format!("its linker driver: {e}"))).err()?;
        eprintln!("tests on {triple} are skipped: {why}; .ci/aarch64 brings its tools");
        Some(why)
    });
    if let Some(why) = missing {
        assert!(!is_asked || std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "no test may skip: {why}");
        return None;
    }
    Some(triple)
}

/// The output of a program and its end.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
    pub profile: Option<String>,
}

/// Compiles, links and runs `file` in a directory of its own.
pub fn build_and_run(file: &Path, options: &Options) -> Result<Ran, String> {
    let mut session = Session::default();
    let mut compiled = pipeline::compile(&mut session, options).map_err(|f| explain(session, &format!("{f:?}")))?;
    let object = pipeline::object(&mut compiled, options).map_err(|f| format!("{f:?}"))?;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = directory.path().join("program.o");
    std::fs::write(&path, object).map_err(|e| e.to_string())?;
    let program = directory.path().join("program");
    let inputs = trueline_codegen::link::Inputs {
        objects: vec![path],
        runtime: trueline::runtime::archive(&options.triple, None)?,
        extra: vec![],
        output: &program,
        triple: &options.triple,
    };
    trueline_codegen::link::link(&inputs).map_err(|e| e.to_string())?;
    let work = directory.path().join("work");
    std::fs::create_dir(&work).map_err(|e| e.to_string())?;
    let input = file.with_extension("in");
    let stdin = if input.exists() {
        Stdio::from(std::fs::File::open(&input).map_err(|e| e.to_string())?)
    } else {
        Stdio::null()
    };
    let profile = directory.path().join("profile.json");
    let command = trueline::target::command(&options.triple, None, &program)?;
    let output = Command::new("timeout")
        .arg("60")
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(&work)
        .env("TRUELINE_PROFILE_FILE", &profile)
        .stdin(stdin)
        .output()
        .map_err(|e| e.to_string())?;
    Ok(Ran {
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
        profile: std::fs::read_to_string(&profile).ok(),
    })
}

/// Whether every test is wanted, also where others test nearly the same (`TRUELINE_TEST_FULL=1`).
pub fn is_full() -> bool {
    std::env::var_os("TRUELINE_TEST_FULL").is_some_and(|v| !v.is_empty() && v != "0")
}

/// The diagnostics of a session after a failure.
pub fn explain(session: Session, failure: &str) -> String {
    let Session { map, diagnostics, .. } = session;
    let list = diagnostics.finish(&map);
    let lines: Vec<String> = list.iter().map(|d| trueline_diag::one_line(d, &map)).collect();
    format!("{failure}\n{}", lines.join("\n"))
}

/// The counts of a profile by source place and kind.
pub fn counts(profile: &str) -> Result<BTreeMap<String, Counts>, String> {
    let profile: Profile = trueline_report::read(profile.as_bytes()).map_err(|e| e.to_string())?;
    Ok(profile
        .constructs
        .iter()
        .map(|c| (format!("{:05}:{:03} {} {}", c.line, c.column, c.kind, c.text), c.counts.clone()))
        .collect())
}

/// Runs `f` on every item in parallel; fails with all messages, in the order of the items.
pub fn check_all<T: Sync>(
    items: &[T],
    name: impl Fn(&T) -> String + Sync,
    f: impl Fn(&T) -> Result<(), String> + Sync,
) {
    use rayon::prelude::*;
    let pool = rayon::ThreadPoolBuilder::new().stack_size(256 << 20).build().expect("threads");
    let failures: Vec<String> = pool.install(|| {
        items
            .par_iter()
            .filter_map(|item| {
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(item)));
                match result {
                    Ok(Ok(())) => None,
                    Ok(Err(text)) => Some(format!("{}: {text}", name(item))),
                    Err(_) => Some(format!("{}: panicked", name(item))),
                }
            })
            .collect()
    });
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), items.len(), failures.join("\n"));
}

/// Calls from two places, loops in both, the inner one of `iterations` iterations, and conditionals.
pub fn calls_program(iterations: u32) -> String {
    "program calls
  integer :: i
  real :: x
  x = 0.0
  do i = 1, 40
    call outer(x)
  end do
  call inner(x)
  print *, x
end program
subroutine outer(x)
  real :: x
  integer :: j
  do j = 1, 5
    call inner(x)
  end do
end subroutine
subroutine inner(x)
  real :: x
  integer :: k
  do k = 1, N
    if (x < 100.0) x = x + 1.0
  end do
end subroutine
"
    .replace("1, N", &format!("1, {iterations}"))
}
