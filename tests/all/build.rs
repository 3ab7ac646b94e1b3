//! Compiling and running programs inside the test process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use trueline::driver::{self, Options, Session};
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

/// The files of `directory` below the root with one of the suffixes, sorted.
pub fn files(directory: &str, suffixes: &[&str]) -> Vec<PathBuf> {
    let mut out: Vec<PathBuf> = std::fs::read_dir(root().join(directory))
        .expect("the folder is in the repository")
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().and_then(|e| e.to_str()).is_some_and(|e| suffixes.contains(&e)))
        .collect();
    out.sort();
    out
}

/// The options for one source file.
pub fn options(file: &Path, level: u8, profile: Option<TimeMode>) -> Options {
    let level = trueline_ir::OptLevel::ALL[usize::from(level)];
    let defaults = driver::default_options(vec![file.to_owned()], level);
    Options { optimize: trueline_opt::Options { verify: true, ..defaults.optimize.clone() }, profile, ..defaults }
}

/// What a program printed and how it ended.
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
    let mut compiled = driver::compile(&mut session, options).map_err(|f| explain(session, &format!("{f:?}")))?;
    let object = driver::object(&mut compiled, options).map_err(|f| format!("{f:?}"))?;
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
    let output = Command::new("timeout")
        .arg("60")
        .arg(&program)
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

/// The calls of a profile by the lines of caller and callee; of several calls on a line the sum.
pub fn calls(profile: &str) -> Result<BTreeMap<(u32, u32, u32), u64>, String> {
    let profile: Profile = trueline_report::read(profile.as_bytes()).map_err(|e| e.to_string())?;
    let line = |serial: u32| profile.constructs.iter().find(|c| c.serial == serial).map_or(0, |c| c.line);
    let mut out = BTreeMap::new();
    for e in &profile.edges {
        *out.entry((line(e.caller), line(e.callee), e.line)).or_default() += e.calls;
    }
    Ok(out)
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

/// Calls from two places, loops in both, the inner one of so many iterations, and conditionals.
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
