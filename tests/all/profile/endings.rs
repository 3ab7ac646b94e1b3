//! No run loses its profile: however a program ends, and whenever it is killed.

use crate::build::{root, with_runtime};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use trueline_abi::profile::Profile;

/// Builds a profiled program in `directory`.
fn build(directory: &Path, source: &str) -> PathBuf {
    std::fs::write(directory.join("p.f90"), source).unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
        .args(["build", "--profile", "-O2", "p.f90", "-o", "p"])
        .current_dir(directory)
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    directory.join("p")
}

fn read(path: &Path) -> Profile {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    trueline_report::read(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn invocations(profile: &Profile, procedure: &str) -> u64 {
    let c = profile.constructs.iter().find(|c| c.text == procedure && c.kind == "procedure").unwrap();
    c.counts.invocations.unwrap()
}

/// A loop in which a check or STOP ends the run has the same counts and trips at each level: they are added where it is left.
#[test]
fn a_run_that_ends_in_a_loop_is_counted_to_there() {
    let dir = tempfile::tempdir().unwrap();
    let counts = |level: &str, source: &Path| {
        let trueline = Command::new(env!("CARGO_BIN_EXE_trueline"))
            .args(["fc", "-w", level, "-fcheck=all", "-fprofile-trueline=all", "-o", "p"])
            .arg(source)
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(trueline.status.success(), "{}", String::from_utf8_lossy(&trueline.stderr));
        let file = dir.path().join("p.json");
        let program = Command::new(dir.path().join("p")).env("TRUELINE_PROFILE_FILE", &file).output().unwrap();
        assert!(!program.status.success(), "it ends by itself");
        let constructs = read(&file).constructs;
        constructs.iter().map(|c| (c.line, c.column, format!("{:?}", c.counts))).collect::<Vec<_>>()
    };
    for name in ["ends_by_check.f90", "ends_by_stop.f90"] {
        let source = root().join("tests/trips").join(name);
        let plain = counts("-O0", &source);
        assert!(plain.len() > 5, "{plain:?}");
        for level in ["-O1", "-O2", "-O3"] {
            assert_eq!(counts(level, &source), plain, "{name} at {level}");
        }
    }
}

/// Counts for ever, or so often as its argument says; then ends as it says.
const PROGRAM: &str = "program p
  integer :: n, i
  character(8) :: how
  real :: x
  common /c/ x
  call get_command_argument(1, how)
  n = 1000
  if (how == 'ever') n = 2000000000
  do i = 1, n
    call outer(i)
  end do
  if (how == 'stop') stop 3
  if (how == 'error') error stop 4
  if (how == 'exit') call exit(5)
  if (how == 'runtime') read (how, '(i5)') n
contains
  recursive subroutine outer(i)
    integer, intent(in) :: i
    call inner(i, i)
    call inner(i, -i)
  end subroutine
  recursive subroutine inner(i, k)
    integer, intent(in) :: i, k
    common /c/ x
    real :: x
    if (k == 0) return
    x = x + 1.0 / i
    if (k > 0) call inner(i, 0)
  end subroutine
end program
";

#[test]
fn every_ending_leaves_a_whole_profile() {
    let dir = tempfile::tempdir().unwrap();
    let program = build(dir.path(), PROGRAM);
    for (how, code) in [("end", 0), ("stop", 3), ("error", 4), ("exit", 5), ("runtime", 2)] {
        let file = dir.path().join(format!("{how}.json"));
        let ran = Command::new(&program).arg(how).env("TRUELINE_PROFILE_FILE", &file).output().unwrap();
        assert_eq!(ran.status.code(), Some(code), "{how}");
        let profile = read(&file);
        assert!(!profile.incomplete && profile.ended_by.is_none(), "{how}");
        assert_eq!((invocations(&profile, "outer"), invocations(&profile, "inner")), (1000, 3000), "{how}");
        conserved(&profile);
    }
}

/// Exclusive times and the time outside of all add up to the elapsed time.
fn conserved(profile: &Profile) {
    let mut joint = std::collections::BTreeSet::new();
    let exclusive: u64 = profile
        .constructs
        .iter()
        .filter(|c| joint.insert(c.serial) && c.merged_with.iter().all(|m| !joint.contains(m)))
        .filter_map(|c| c.time)
        .map(|t| t.exclusive_ns)
        .sum();
    let sum = exclusive + profile.unattributed_ns.unwrap();
    let elapsed = profile.clock.elapsed_ns;
    assert!(sum.abs_diff(elapsed) * 200 <= elapsed, "{sum} of {elapsed}");
}

/// A command that starts the program with the usual reaction to signals: a process in the background of a script
/// ignores some, and so would the program. Without a suitable `env` they stay unchanged.
pub(crate) fn with_signals(program: &Path) -> Command {
    let usual = "--default-signal=HUP,INT,TERM";
    if Command::new("env").args([usual, "true"]).stderr(Stdio::null()).status().is_ok_and(|s| s.success()) {
        let mut command = Command::new("env");
        command.arg(usual).arg(program);
        return command;
    }
    Command::new(program)
}

/// Starts the program, which runs until a signal ends it.
fn start(program: &Path, file: &Path) -> Child {
    with_signals(program).arg("ever").env("TRUELINE_PROFILE_FILE", file).stderr(Stdio::null()).spawn().unwrap()
}

/// Starts the program, sends it a signal after a while, and returns how it ended.
fn interrupt(program: &Path, file: &Path, after: Duration, signal: i32) -> ExitStatus {
    let mut child = start(program, file);
    end_after(&mut child, after, signal)
}

/// The same, after a while in which the program runs: on a loaded machine it may begin late.
fn interrupt_running(program: &Path, file: &Path, after: Duration, signal: i32) -> ExitStatus {
    let mut child = start(program, file);
    let begin = std::time::Instant::now();
    while !file.exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    end_after(&mut child, after, signal)
}

fn end_after(child: &mut Child, after: Duration, signal: i32) -> ExitStatus {
    std::thread::sleep(after);
    let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait().unwrap()
}

#[test]
fn signals_end_the_profile_and_the_program() {
    let dir = tempfile::tempdir().unwrap();
    let program = build(dir.path(), PROGRAM);
    for (signal, name) in
        [(1, "SIGHUP"), (2, "SIGINT"), (15, "SIGTERM"), (6, "SIGABRT"), (11, "SIGSEGV"), (8, "SIGFPE")]
    {
        let file = dir.path().join(format!("{name}.json"));
        let status = interrupt_running(&program, &file, Duration::from_millis(60), signal);
        assert_eq!(status.signal(), Some(signal));
        let profile = read(&file);
        assert_eq!((profile.ended_by.as_deref(), profile.incomplete), (Some(name), false));
        assert!(std::fs::read(&file).unwrap().starts_with(b"{"), "{name} leaves no JSON");
        conserved(&profile);
    }
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(left.iter().all(|p| !p.file_name().unwrap().to_string_lossy().starts_with(".trueline-")), "{left:?}");
}

/// Kills the program so often at many instants. Set `TRUELINE_KILLS` for more than a few.
#[test]
fn a_killed_program_leaves_what_it_counted() {
    let kills: u64 = std::env::var("TRUELINE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let dir = tempfile::tempdir().unwrap();
    let program = build(dir.path(), PROGRAM);
    let mut counted = 0;
    for k in 0..kills {
        let file = dir.path().join("killed.json");
        let _ = std::fs::remove_file(&file);
        // Instants from before the profile is there on, in steps that share no factor with anything.
        let after = Duration::from_micros(k * 7919 % 60_000);
        assert_eq!(interrupt(&program, &file, after, 9).signal(), Some(9));
        if !file.exists() {
            continue;
        }
        let profile = read(&file);
        assert!(profile.incomplete);
        let (outer, inner) = (invocations(&profile, "outer"), invocations(&profile, "inner"));
        assert!(outer * 3 <= inner + 3 && inner <= outer * 3, "{outer} calls of outer, {inner} of inner");
        counted += u64::from(outer > 0);
    }
    assert!(counted * 4 > kills, "only {counted} of {kills} had begun");
}

/// A loop that is counted at once, when it is entered, and one that was over long before the end.
const CLOSED: &str = "program p
  real(8) :: x(100)
  integer :: i, k
  call before(x)
  do k = 1, 2000000000
    do i = 1, 100
      x(i) = x(i) * 0.5d0 + k
    end do
  end do
  print *, x(1)
contains
  recursive subroutine before(x)
    real(8), intent(out) :: x(100)
    integer :: j
    do j = 1, 100
      x(j) = j
    end do
    if (x(1) > 2d0) call before(x)
  end subroutine
end program
";

/// Counts made ahead are marked where the run was cut short in them, and there only.
#[test]
fn closed_forms_of_a_run_that_was_cut_short_are_bounds() {
    let dir = tempfile::tempdir().unwrap();
    let program = build(dir.path(), CLOSED);
    for signal in [9, 15] {
        let file = dir.path().join(format!("{signal}.json"));
        let mut after = 100;
        while !file.exists() {
            interrupt(&program, &file, Duration::from_millis(after), signal);
            after *= 2;
        }
        let profile = read(&file);
        let of = |text: &str| profile.constructs.iter().find(|c| c.text == text).unwrap();
        let inner = of("do i = 1, 100");
        let shown = trueline_report::text(&profile, &Default::default(), Default::default());
        if inner.counts.iterations == Some(200_000_000_000) {
            assert!(!inner.counts_exact, "{inner:?}");
            assert!(shown.contains("≤ 200,000,000,000"), "{shown}");
        } else {
            assert!(inner.counts_exact, "{inner:?}");
        }
        assert!(of("before").counts_exact && of("do j = 1, 100").counts_exact, "{shown}");
        assert_eq!(of("do j = 1, 100").counts.iterations, Some(100));
    }
}

const IN_REGISTERS: &str = "program p
  integer :: a(1000), i, j, k
  do i = 1, 1000
    a(i) = mod(i, 7)
  end do
  k = 0
  do j = 1, 2000000000
    do i = 1, 1000
      if (a(i) > 3) then
        k = k + j
      else
        k = ieor(k, i)
      end if
      if (k == -77777777) exit
    end do
  end do
  print *, k
end program
";

/// The counts of a loop that are in registers are missing where the run was cut short in it: they are marked.
#[test]
fn counts_in_registers_of_a_run_that_was_cut_short_are_estimates() {
    let dir = tempfile::tempdir().unwrap();
    let program = build(dir.path(), IN_REGISTERS);
    let file = dir.path().join("killed.json");
    let mut after = 100;
    while !file.exists() {
        interrupt(&program, &file, Duration::from_millis(after), 9);
        after *= 2;
    }
    let profile = read(&file);
    let of = |text: &str| profile.constructs.iter().find(|c| c.text.starts_with(text)).unwrap();
    let arms = of("if (a(i) > 3)");
    let shown = trueline_report::text(&profile, &Default::default(), Default::default());
    if of("do i = 1, 1000").counts.iterations > Some(0) {
        assert!(!arms.counts_exact && arms.may_be_low, "{arms:?}");
        assert!(shown.contains("~ "), "{shown}");
    }
    let taken: u64 = arms.counts.taken.iter().flatten().sum();
    assert!(taken.abs_diff(arms.counts.evaluations.unwrap()) <= 1000, "{arms:?}");
    assert!(!of("if (k == -77777777)").counts_exact, "{shown}");
}

/// Any byte of a raw profile changed or cut: a profile or one message, never a panic, and never for long. A sample of the bytes,
/// or with `TRUELINE_FLIPS=all` every bit of the used ones.
#[test]
fn a_damaged_raw_profile_is_harmless() {
    let dir = tempfile::tempdir().unwrap();
    let program = build(dir.path(), PROGRAM);
    let file = dir.path().join("p.json");
    let mut after = 60;
    while !file.exists() {
        interrupt(&program, &file, Duration::from_millis(after), 9);
        after *= 2;
    }
    let whole = std::fs::read(&file).unwrap();
    assert!(trueline_abi::raw::is_raw(&whole));
    // The parts with references in them: the header, and wherever there is something but zeros.
    let used: Vec<usize> = (0..whole.len()).filter(|&i| i < 256 || whole[i] != 0).collect();
    let all = std::env::var("TRUELINE_FLIPS").is_ok_and(|v| v == "all");
    for (n, &i) in used.iter().enumerate() {
        if i >= 256 && !all && n % (1 + used.len() / 150) != 0 {
            continue;
        }
        let start = std::time::Instant::now();
        for bit in if all { 0..8 } else { n % 8..n % 8 + 1 } {
            let mut damaged = whole.clone();
            damaged[i] ^= 1 << bit;
            if let Ok(profile) = trueline_report::read(&damaged) {
                assert!(!trueline_report::text(&profile, &Default::default(), Default::default()).is_empty());
            }
        }
        let _ = trueline_report::read(&whole[..i]);
        assert!(start.elapsed() < Duration::from_secs(60), "byte {i}: {:?}", start.elapsed());
    }
}

#[test]
fn a_profile_that_cannot_be_written_costs_one_warning() {
    let dir = tempfile::tempdir().unwrap();
    let program = build(dir.path(), PROGRAM);
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    for (file, limit) in [("missing/p.json", ""), ("folder", ""), ("/dev/full", ""), ("small.json", "ulimit -f 1; ")] {
        let ran = Command::new("sh")
            .args(["-c", &format!("{limit}exec \"$0\" stop")])
            .arg(&program)
            .current_dir(dir.path())
            .env("TRUELINE_PROFILE_FILE", file)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(3), "{file}: {stderr}");
        assert_eq!(stderr.matches("cannot write the profile").count(), 1, "{file}: {stderr}");
        assert_eq!(stderr.lines().count(), 2, "{file}: {stderr}");
    }
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|n| !n.to_string_lossy().starts_with(".trueline-")), "{left:?}");
}

#[test]
fn the_program_before_exec_keeps_its_profile() {
    let dir = tempfile::tempdir().unwrap();
    let source = "#include <unistd.h>\n#include \"trueline.h\"\nstatic trueline_record r;\n\
                  int main(int n, char **v) {\n  trueline_start_procedure(n > 1 ? \"second\" : \"first\", &r);\n\
                  trueline_end_procedure();\n  if (n == 1) execl(v[0], v[0], \"again\", (char *)0);\n  return 0;\n}\n";
    let program = with_runtime(dir.path(), "cc", &[("t.c", source)], &[]);
    let ran = Command::new(&program).env("TRUELINE_PROFILE_FILE", dir.path().join("p.json")).status().unwrap();
    assert!(ran.success());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let profile = read(&path);
            names.push((profile.constructs[0].text.clone(), profile.incomplete));
        }
    }
    names.sort();
    assert_eq!(names, [("first".to_owned(), true), ("second".to_owned(), false)]);
}
