//! Samples of the program counter: shares that are known, and programs that have signals, timers and threads of their own.
//!
//! How often is sampled, and how fast, is never asserted: a loaded machine gives less.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use trueline_abi::address_map::Head;
use trueline_abi::profile::{Construct, Profile};

/// Two inner loops that are equal but for the number of iterations: the second has three times those of the first.
const SPLIT: &str = "\
subroutine work(n, s)
  integer, intent(in) :: n
  real(8), intent(inout) :: s
  integer :: i, j
  real(8) :: t
  t = s
  do i = 1, n
    do j = 1, 2000
      s = s + sqrt(dble(j) + s * 1d-9)
    end do
    do j = 1, 6000
      t = t + sqrt(dble(j) + t * 1d-9)
    end do
  end do
  s = s + t
end subroutine
";

const MAIN: &str = "\
program main
  real(8) :: s
  s = 1
  call work(4000, s)
  if (s < 0) print *, s
end program
";

struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    /// Compiles each file by itself, C by `cc`, and links them.
    fn new(files: &[(&str, &str)], flags: &[&str]) -> Project {
        let project = Project { dir: tempfile::tempdir().unwrap() };
        let mut link = vec!["fc".to_owned()];
        for (name, text) in files {
            std::fs::write(project.path(name), text).unwrap();
            let object = format!("{name}.o");
            let mut words = vec!["fc", "-c", "-O2", name, "-o", &object];
            words.extend(flags);
            project.trueline(&words);
            link.push(object);
        }
        link.extend(["-lpthread", "-o", "t"].map(str::to_owned));
        project.trueline(&link.iter().map(String::as_str).collect::<Vec<_>>());
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn trueline(&self, words: &[&str]) {
        let command = Command::new(env!("CARGO_BIN_EXE_trueline")).args(words).current_dir(self.dir.path()).output();
        let command = command.unwrap();
        assert!(command.status.success(), "{words:?}: {}", String::from_utf8_lossy(&command.stderr));
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.path("t"));
        command.current_dir(self.dir.path()).env("TRUELINE_PROFILE_FILE", "p.json");
        command
    }

    fn run(&self) -> (Output, Profile) {
        let output = self.command().output().unwrap();
        (output, read(&self.path("p.json")))
    }
}

fn read(path: &Path) -> Profile {
    let bytes = std::fs::read(path).unwrap();
    trueline_report::read(&bytes).unwrap()
}

const PROFILED: &[&str] = &["-fprofile-trueline"];

fn at(profile: &Profile, line: u32) -> &Construct {
    profile.constructs.iter().find(|c| c.line == line && c.file.ends_with("w.f90")).unwrap()
}

fn count(profile: &Profile) -> u64 {
    profile.samples.as_ref().map_or(0, |s| s.count)
}

/// No child has more time than the construct around it, and exclusive times add up to the time of the first thread.
fn assert_consistent(profile: &Profile) {
    let all = &profile.constructs;
    for c in all {
        let Some(t) = c.time else { continue };
        assert!(t.exclusive_ns <= t.inclusive_ns, "{}: {t:?}", c.text);
        let parent = c.parent.and_then(|p| all.iter().find(|c| c.serial == p)).and_then(|p| p.time);
        assert!(parent.is_none_or(|p| t.inclusive_ns <= p.inclusive_ns), "{}: {t:?} in {parent:?}", c.text);
        let foreign: u64 = c.foreign.iter().map(|f| f.ns).sum();
        assert!(!t.estimated || foreign <= t.exclusive_ns + 1000, "{}: {t:?}, {:?}", c.text, c.foreign);
    }
    if let ([_], Some(outside)) = (&profile.threads[..], profile.unattributed_ns) {
        let mut joint = std::collections::BTreeSet::new();
        // Constructs that were merged have one time.
        let each = all.iter().filter(|c| joint.insert(c.serial) && c.merged_with.iter().all(|m| !joint.contains(m)));
        let sum: u64 = outside + each.filter_map(|c| c.time).map(|t| t.exclusive_ns).sum::<u64>();
        let elapsed = profile.clock.elapsed_ns;
        assert!(sum.abs_diff(elapsed) * 100 <= elapsed, "{sum} of {elapsed}");
    }
}

/// The two loops are in the proportion of their work, as far as the samples can tell: within five standard errors.
fn assert_split(profile: &Profile) {
    let samples = |line| at(profile, line).samples.map_or(0, |s| s.exclusive) as f64;
    let (first, second) = (samples(8), samples(11));
    let (n, share) = (first + second, first / (first + second).max(1.0));
    assert!(n > 10.0, "{n} samples");
    let error = (0.25 * 0.75 / n).sqrt();
    assert!((share - 0.25).abs() < 5.0 * error + 0.03, "{first} and {second} samples");
    assert_consistent(profile);
}

#[test]
fn inner_loops_have_their_shares() {
    for flags in [&["-fprofile-trueline"][..], &["-fprofile-trueline", "-O0"], &["-fprofile-trueline=all", "-O3"]] {
        let (output, profile) = Project::new(&[("w.f90", SPLIT), ("main.f90", MAIN)], flags).run();
        assert!(output.status.success());
        assert_split(&profile);
    }
    let project = Project::new(&[("w.f90", SPLIT), ("main.f90", MAIN)], PROFILED);
    let (_, profile) = project.run();
    let inner = at(&profile, 11).time.unwrap();
    assert!(inner.estimated && inner.error_ns > 0 && inner.inclusive_ns < profile.clock.elapsed_ns);
    let report = Command::new(env!("CARGO_BIN_EXE_trueline")).arg("report").arg(project.path("p.json")).output();
    let text = String::from_utf8(report.unwrap().stdout).unwrap();
    assert!(text.lines().any(|l| l.contains('~') && l.contains("do j = 1, 6000")), "{text}");
}

/// More samples than the kernel has ticks come by performance events, and where the system has none, by timers.
#[test]
fn more_samples_than_ticks_have_the_same_shares() {
    let busy = MAIN.replace("4000", "12000");
    let project = Project::new(&[("w.f90", SPLIT), ("main.f90", &busy)], PROFILED);
    for rate in ["2000", "10000"] {
        let output = project.command().env("TRUELINE_SAMPLES", rate).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert_split(&read(&project.path("p.json")));
    }
    // A program that closes all files loses its samples, and no file of its own.
    let c = "#include <fcntl.h>\n#include <unistd.h>\nstatic int own;\nvoid closes_(void) {\n  for (int i = 3; i < 2000; i++) close(i);\n\
             \x20 for (int i = 0; i < 700; i++) own = open(\"/dev/null\", O_WRONLY);\n}\n\
             void writes_(int *bad) { *bad = write(own, \"x\", 1) != 1; }\n";
    let main = "program main\n  real(8) :: s\n  integer :: bad\n  s = 1\n  call closes\n  call work(2000, s)\n  call writes(bad)\n\
                \x20 if (s < 0 .or. bad /= 0) stop 1\nend program\n";
    let project = Project::new(&[("w.f90", SPLIT), ("main.f90", main), ("c.c", c)], PROFILED);
    let output = project.command().env("TRUELINE_SAMPLES", "4000").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_consistent(&read(&project.path("p.json")));
}

#[test]
fn samples_can_be_switched_off() {
    let project = Project::new(&[("w.f90", SPLIT), ("main.f90", MAIN)], PROFILED);
    for off in ["0", "off"] {
        project.command().env("TRUELINE_SAMPLES", off).status().unwrap();
        let profile = read(&project.path("p.json"));
        assert!(profile.samples.is_none() && at(&profile, 11).time.is_none());
        // Both clocks are read all the same.
        assert!(profile.threads.len() == 1 && profile.threads[0].cpu_ns > 0 && profile.threads[0].wall_ns > 0);
    }
    let output = project.command().env("TRUELINE_SAMPLES", "often").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("TRUELINE_SAMPLES"));
    let built = Project::new(&[("w.f90", SPLIT), ("main.f90", MAIN)], &["-fprofile-trueline", "-fprofile-samples=off"]);
    assert!(built.run().1.samples.is_none());
}

#[test]
fn time_in_libraries_stands_under_the_construct_that_called() {
    let calls = "subroutine work(n, s)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: s\n  integer :: i\n\
                 \x20 do i = 1, n * 1000\n    s = s + sin(dble(i) + s)\n  end do\n  do i = 1, n * 100\n    call burn(i)\n\
                 \x20 end do\nend subroutine\n";
    let c = "static volatile double x;\nvoid burn_(int *i) { for (int k = 0; k < 500; k++) x = x * 0.5 + *i; }\n";
    let (output, profile) = Project::new(&[("w.f90", calls), ("c.c", c), ("main.f90", MAIN)], PROFILED).run();
    assert!(output.status.success());
    assert_consistent(&profile);
    for (line, name) in [(5, "sin"), (8, "burn")] {
        let c = at(&profile, line);
        let (own, all) = (c.foreign.iter().find(|f| f.name == name).map_or(0, |f| f.ns), c.samples.unwrap());
        let period = profile.samples.as_ref().unwrap().period_ns;
        // Most of the loop's time; the machine may be loaded.
        assert!(own * 2 > all.exclusive * period / 2, "{:?}", c.foreign);
        assert!(c.foreign.iter().all(|f| f.name == name), "{:?}", c.foreign);
    }
}

/// Threads that C makes, each in the kernel's eyes alone; more at a time, and one after the other.
const THREADS: &str = "\
#include <pthread.h>
void work_(int *n, double *s);
static void *go(void *unused) { int n = 1000; double s = 1; work_(&n, &s); return unused; }
int main(void) {
    pthread_t t[3];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, go, 0);
        for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    }
    return 0;
}
";

#[test]
fn threads_of_c_are_sampled() {
    let (output, profile) = Project::new(&[("w.f90", SPLIT), ("c.c", THREADS)], PROFILED).run();
    assert!(output.status.success());
    assert_split(&profile);
    assert_eq!(profile.threads.iter().map(|t| t.threads).sum::<u64>(), 7, "{:?}", profile.threads);
    assert!(profile.threads.len() < 7, "lanes are used again: {:?}", profile.threads);
}

const FORK: &str = "\
#include <sys/wait.h>
#include <unistd.h>
void work_(int *n, double *s);
int main(void) {
    int n = 3000;
    double s = 1;
    if (fork() == 0) { work_(&n, &s); return 0; }
    wait(0);
    return 0;
}
";

#[test]
fn a_forked_child_samples_by_itself() {
    let project = Project::new(&[("w.f90", SPLIT), ("c.c", FORK)], PROFILED);
    let (output, parent) = project.run();
    assert!(output.status.success());
    let files = std::fs::read_dir(project.dir.path()).unwrap().map(|e| e.unwrap().path());
    let child = files.filter(|p| p.extension().is_some_and(|e| e == "json")).find(|p| !p.ends_with("p.json"));
    assert_split(&read(&child.unwrap()));
    assert!(at(&parent, 8).samples.is_none());
}

#[test]
fn a_killed_run_keeps_its_samples() {
    let project = Project::new(&[("w.f90", SPLIT), ("main.f90", &MAIN.replace("4000", "400000000"))], PROFILED);
    let mut child = project.command().spawn().unwrap();
    let busy = |id: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.split_ascii_whitespace().nth(13).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0)
    };
    // By processor time, for the machine may have other things to do.
    while busy(child.id()) < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let profile = read(&project.path("p.json"));
    assert!(profile.incomplete);
    let samples = |line| at(&profile, line).samples.map_or(0, |s| s.exclusive);
    assert!(samples(8) > 0 && samples(11) > samples(8), "{:?}", profile.samples);
    assert!(at(&profile, 11).time.is_some_and(|t| t.estimated));
}

/// Starts a program that may have no signal waiting, so that it gets no timer that sends one.
const LAUNCHER: &str = "\
#include <sys/resource.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct rlimit none = { 0, 0 };
    if (argc < 2 || setrlimit(RLIMIT_SIGPENDING, &none)) return 99;
    execv(argv[1], argv + 1);
    return 98;
}
";

#[test]
fn where_timers_are_refused_the_rest_stands() {
    let project = Project::new(&[("w.f90", SPLIT), ("main.f90", MAIN)], PROFILED);
    std::fs::write(project.path("launch.c"), LAUNCHER).unwrap();
    let cc = Command::new("cc").current_dir(project.dir.path()).args(["launch.c", "-o", "launch"]).status();
    assert!(cc.unwrap().success());
    let mut launch = Command::new(project.path("launch"));
    launch.arg(project.path("t")).current_dir(project.dir.path()).env("TRUELINE_PROFILE_FILE", "p.json");
    assert!(launch.status().unwrap().success());
    let profile = read(&project.path("p.json"));
    // The process's own timer needs no memory for its signal.
    let notes = &profile.samples.as_ref().unwrap().notes;
    assert!(notes.iter().any(|n| n.contains("timer")), "{notes:?}");
    assert!(at(&profile, 11).counts.iterations == Some(24_000_000) && at(&profile, 7).time.is_some());
    assert_consistent(&profile);
}

/// A program's use of signals: its own handlers and timers, blocked signals, calls that wait.
const SIGNALS: &str = r#"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
void work_(int *n, double *s);
static volatile sig_atomic_t alarms, profs;
static void on_alarm(int s) { (void)s; alarms++; }
static void on_prof(int s) { (void)s; profs++; }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
int main(void) {
    int n = 500, pipes[2], failed = 0;
    double s = 1;
    char byte;
    work_(&n, &s);
    signal(SIGALRM, on_alarm);
    signal(SIGPROF, on_prof);
    struct itimerval v = { { 0, 20000 }, { 0, 20000 } }, none;
    setitimer(ITIMER_PROF, &v, 0);
    while (profs < 3) work_(&n, &s);
    memset(&none, 0, sizeof none);
    setitimer(ITIMER_PROF, &none, 0);
    setitimer(ITIMER_REAL, &v, 0);
    while (alarms < 3) work_(&n, &s);
    setitimer(ITIMER_REAL, &none, 0);
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    work_(&n, &s);
    sigprocmask(SIG_SETMASK, &old, 0);
    double t = now();
    for (int i = 0; i < 100; i++) if (usleep(2000)) failed = 1;
    if (now() - t < 0.2) failed = 2;
    if (sleep(1)) failed = 3;
    if (pipe(pipes)) return 9;
    for (int i = 0; i < 20000; i++) {
        errno = 0;
        if (write(pipes[1], "x", 1) != 1 || read(pipes[0], &byte, 1) != 1 || errno) failed = 4;
    }
    printf("%s %d\n", failed ? "failed" : "fine", failed);
    return failed;
}
"#;

#[test]
fn signals_and_timers_of_the_program_are_its_own() {
    let (output, profile) = Project::new(&[("w.f90", SPLIT), ("c.c", SIGNALS)], PROFILED).run();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "fine 0\n");
    assert!(output.status.success());
    assert!(count(&profile) > 0, "{:?}", profile.samples);
    assert_split(&profile);
}

#[test]
fn a_program_that_waits_is_told_of() {
    let wait = "#include <unistd.h>\nvoid work_(int *n, double *s);\nint main(void) { int n = 100; double s = 1; \
                work_(&n, &s); usleep(400000); return 0; }\n";
    let project = Project::new(&[("w.f90", SPLIT), ("c.c", wait)], PROFILED);
    let (_, profile) = project.run();
    let [t] = profile.threads[..] else { panic!("{:?}", profile.threads) };
    assert!(t.cpu_ns + 300_000_000 < t.wall_ns, "{t:?}");
    let report = Command::new(env!("CARGO_BIN_EXE_trueline")).arg("report").arg(project.path("p.json")).output();
    let text = String::from_utf8(report.unwrap().stdout).unwrap();
    assert!(text.lines().next().is_some_and(|l| l.contains("on a processor")), "{text}");
}

/// An object of a module without procedures has no code, and misses no map.
#[test]
fn modules_without_code_miss_no_map() {
    let kinds = "module kinds\n  integer, parameter :: dp = kind(1d0)\n  real(dp) :: shared = 1\nend module\n";
    let project = Project::new(&[("k.f90", kinds), ("w.f90", SPLIT), ("main.f90", MAIN)], PROFILED);
    let (output, profile) = project.run();
    assert!(output.status.success());
    let notes = profile.samples.map(|s| s.notes).unwrap_or_default();
    assert!(!notes.iter().any(|n| n.contains("address maps")), "{notes:?}");
}

#[test]
fn a_damaged_map_is_told_of_and_the_rest_stands() {
    let project = Project::new(&[("w.f90", SPLIT), ("main.f90", MAIN)], PROFILED);
    let mut bytes = std::fs::read(project.path("t")).unwrap();
    let is_map = |i: &usize| Head::read(&bytes[*i..]).is_some_and(|m| m.ranges > 0);
    let found: Vec<usize> = (0..bytes.len()).step_by(8).filter(is_map).collect();
    assert!(found.len() >= 2);
    for at in found {
        // In the checksum: the functions are found as before.
        bytes[at + 16] ^= 0x55;
    }
    std::fs::write(project.path("t"), bytes).unwrap();
    let (output, profile) = project.run();
    assert!(output.status.success());
    let notes = &profile.samples.as_ref().unwrap().notes;
    assert!(notes.iter().any(|n| n.contains("address maps")), "{notes:?}");
    assert!(at(&profile, 11).time.is_none() && at(&profile, 7).time.is_some());
    assert_eq!(at(&profile, 11).counts.iterations, Some(24_000_000));
}
