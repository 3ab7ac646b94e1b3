//! Thinned timers: their times against a ledger of the program itself, within the errors that are shown.
//!
//! Work is a number of equal steps, so the shares of time are those of steps, however loaded the machine is.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use trueline_abi::profile::{Construct, Profile};

/// Three procedures with the same loop, which is too long to be inlined with its message: by their text, they take long enough to be thinned.
static WORK: LazyLock<String> = LazyLock::new(|| {
    let never: String = (1..=48).map(|k| format!("        x = x * {k}.5d0 - 1d-3\n")).collect();
    let procedure = |name: &str| {
        format!(
            "  recursive subroutine {name}(x, n)
    real(8), intent(inout) :: x
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      x = x * 0.999d0 + 1d-3
      if (x < -1) then
{never}      end if
    end do
    if (x < -1) call {name}(x, n - 1)
  end subroutine
"
        )
    };
    let all = ["two", "ten", "grows"].map(procedure).concat();
    format!("module work\n  implicit none\ncontains\n{all}end module\n")
});

/// Calls them: `two` in turns with little and much, `ten` one time in ten with ten times as much, `grows` with more and more. Its output
/// are the steps of each.
const MAIN: &str = "program p
  use work
  implicit none
  real(8) :: x
  integer :: i, n
  integer(8) :: steps(3)
  x = 1
  steps = 0
  do i = 1, 60000
    n = 20 + mod(i, 2) * 180
    call two(x, n)
    steps(1) = steps(1) + n
    n = 100
    if (mod(i, 10) == 0) n = 1000
    call ten(x, n)
    steps(2) = steps(2) + n
    n = i / 300
    call grows(x, n)
    steps(3) = steps(3) + n
  end do
  if (x < 0) steps = 0
  print *, steps
end program
";

struct Project {
    dir: tempfile::TempDir,
}

impl Project {
    /// Builds the files by one command, C by itself.
    fn new(files: &[(&str, &str)], flags: &[&str]) -> Project {
        let project = Project { dir: tempfile::tempdir().unwrap() };
        let mut words = vec!["fc", "-O1", "-fprofile-trueline", "-o", "t", "-lpthread"];
        words.extend(flags);
        for (name, text) in files {
            std::fs::write(project.path(name), text).unwrap();
            words.push(name);
        }
        let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(&words).current_dir(project.dir.path()).output();
        let out = out.unwrap();
        assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, thin: &str) -> Command {
        let mut command = Command::new(self.path("t"));
        command.current_dir(self.dir.path()).env("TRUELINE_PROFILE_FILE", "p.json").env("TRUELINE_THIN", thin);
        command
    }

    fn run(&self, thin: &str) -> (String, Profile) {
        let out = self.command(thin).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        (String::from_utf8(out.stdout).unwrap(), read(&self.path("p.json")))
    }
}

fn read(path: &Path) -> Profile {
    trueline_report::read(&std::fs::read(path).unwrap()).unwrap()
}

fn find<'a>(p: &'a Profile, text: &str) -> &'a Construct {
    p.constructs.iter().find(|c| c.text == text).unwrap_or_else(|| panic!("there is no '{text}'"))
}

/// The gap of a construct that is said to be thinned.
fn gap(c: &Construct) -> Option<u64> {
    c.untimed.as_deref()?.strip_prefix("thinned 1 in ")?.parse().ok()
}

/// No child has more time than the construct around it, and exclusive times add up to the time of the first thread.
fn assert_consistent(p: &Profile) {
    let mut sum = p.unattributed_ns.unwrap_or(0);
    for c in &p.constructs {
        let Some(t) = c.time else { continue };
        assert!(t.exclusive_ns <= t.inclusive_ns, "{}: {t:?}", c.text);
        let parent = c.parent.and_then(|s| p.constructs.iter().find(|c| c.serial == s)).and_then(|c| c.time);
        assert!(parent.is_none_or(|p| t.inclusive_ns <= p.inclusive_ns), "{}: {t:?} in {parent:?}", c.text);
        sum += t.exclusive_ns;
    }
    let elapsed = p.clock.elapsed_ns;
    assert!(p.processors.len() > 1 || sum.abs_diff(elapsed) <= elapsed / 100 + 10_000, "{sum} of {elapsed}");
}

/// The times of `names` have the shares of `steps`, within three of the errors that are shown.
fn assert_shares(p: &Profile, names: &[&str], steps: &[f64]) {
    let times: Vec<_> = names.iter().map(|n| find(p, n).time.unwrap()).collect();
    let all: f64 = times.iter().map(|t| t.inclusive_ns as f64).sum();
    let errors: f64 = times.iter().map(|t| (t.inclusive_error_ns.max(t.error_ns) as f64).powi(2)).sum::<f64>().sqrt();
    for ((name, time), of) in names.iter().zip(&times).zip(steps) {
        let (share, expected) = (time.inclusive_ns as f64 / all, of / steps.iter().sum::<f64>());
        // A call takes some time beside its steps; the sum has an error, too.
        let most = 3.0 * (time.inclusive_error_ns.max(time.error_ns) as f64 + errors * expected) / all + 0.02;
        assert!((share - expected).abs() <= most, "{name}: {share:.4}, not {expected:.4} +- {most:.4}: {times:?}");
    }
}

const NAMES: [&str; 3] = ["two", "ten", "grows"];

fn steps(output: &str) -> Vec<f64> {
    output.split_whitespace().map(|w| w.parse().unwrap()).collect()
}

#[test]
fn periods_modes_and_growth_are_seen_within_the_errors() {
    for flags in [&["-fprofile-samples=off"][..], &[]] {
        let project = Project::new(&[("w.f90", &WORK), ("p.f90", MAIN)], flags);
        for thin in ["1", "4", "7"] {
            let (output, p) = project.run(thin);
            assert_consistent(&p);
            for name in NAMES {
                let c = find(&p, name);
                assert_eq!(c.counts.invocations, Some(60_000), "{thin} {name}");
                assert!(c.counts_exact && c.time.unwrap().error_ns > 0, "{thin} {name}: {c:?}");
                assert!(gap(c).is_some_and(|g| g.is_power_of_two() && g >= 1 << thin.parse::<u32>().unwrap()), "{c:?}");
            }
            assert_shares(&p, &NAMES, &steps(&output));
        }
    }
}

#[test]
fn the_gaps_are_the_same_in_each_run_and_nothing_is_thinned_that_need_not_be() {
    let project = Project::new(&[("w.f90", &WORK), ("p.f90", &MAIN.replace("60000", "6000"))], &[]);
    let gaps = |thin| {
        let (_, p) = project.run(thin);
        NAMES.map(|n| find(&p, n).untimed.clone())
    };
    assert_eq!(gaps("5"), gaps("5"));
    assert_eq!(gaps("off"), [None, None, None]);
    let few = Project::new(&[("w.f90", &WORK), ("p.f90", &MAIN.replace("60000", "20"))], &[]);
    let (_, p) = few.run("5");
    assert!(NAMES.iter().all(|n| find(&p, n).untimed.is_none()), "20 invocations are all timed");
}

/// A construct that costs more than the budget is thinned without being asked to.
#[test]
fn the_budget_thins() {
    let source = MAIN.replace("60000", "400000").replace("n = 20 + mod(i, 2) * 180", "n = mod(i, 3)");
    let source = source.replace("n = 100\n    if (mod(i, 10) == 0) n = 1000", "n = mod(i, 4)").replace("i / 300", "2");
    let project = Project::new(&[("w.f90", &WORK), ("p.f90", &source)], &[]);
    let out = project.command("1").env_remove("TRUELINE_THIN").output().unwrap();
    assert!(out.status.success());
    let p = read(&project.path("p.json"));
    assert_consistent(&p);
    for name in NAMES {
        let c = find(&p, name);
        assert!(gap(c).is_some_and(|g| g > 1), "{c:?}");
        assert_eq!(c.counts.invocations, Some(400_000));
    }
}

/// Only outermost activations of a recursive procedure have times of their own, which is not known for activations that are not timed: it is
/// not thinned, from when on it is seen to be recursive.
#[test]
fn recursion_is_not_thinned() {
    let source = "program p
  implicit none
  integer :: i, k
  real(8) :: x
  x = 1
  do i = 1, 2000
    k = 0
    if (i > 1000) k = 3
    call again(x, k)
  end do
  if (x < 0) print *, x
contains
  recursive subroutine again(x, k)
    real(8), intent(inout) :: x
    integer, intent(in) :: k
    integer :: i
    do i = 1, 50
      x = x * 0.999d0 + 1d-3
    end do
    if (k > 0) call again(x, k - 1)
  end subroutine
end program
";
    for (source, stopped) in [(source.to_owned(), Some("throttled")), (source.replace("i > 1000", "i > 0"), None)] {
        let project = Project::new(&[("p.f90", &source)], &["-fno-inline"]);
        let (_, p) = project.run("3");
        let c = find(&p, "again");
        let calls = if stopped.is_some() { 1000 + 1000 * 4 } else { 2000 * 4 };
        assert_eq!((c.untimed.as_deref(), c.counts.invocations), (stopped, Some(calls)));
        assert!(c.time.unwrap().inclusive_ns <= p.clock.elapsed_ns);
        assert_consistent(&p);
    }
}

const THREADS: &str = "
#include <pthread.h>
void run_(int *n);
static void *go(void *n) { run_(n); return 0; }
int main(void) {
    static int n[4] = { 5000, 10000, 15000, 20000 };
    for (int round = 0; round < 2; round++) {
        pthread_t t[4];
        for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, go, &n[i]);
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    }
    return 0;
}
";

/// Each thread has countdowns of its own, and threads that take a block over begin anew.
#[test]
fn threads_are_thinned_each_by_itself() {
    let main = MAIN.replace("program p", "recursive subroutine run(m)").replace("end program", "end subroutine");
    let main = main.replace("integer :: i, n\n", "integer :: i, n, m\n").replace("60000", "m");
    let main = main.replace("  print *, steps\n", "  if (sum(steps) == 0) print *, steps\n").replace("i / 300", "100");
    let project = Project::new(&[("w.f90", &WORK), ("p.f90", &main), ("t.c", THREADS)], &[]);
    let (_, p) = project.run("4");
    for name in NAMES {
        let c = find(&p, name);
        assert_eq!(c.counts.invocations, Some(100_000));
        assert!(gap(c).is_some(), "{c:?}");
    }
    assert_shares(&p, &NAMES, &[110.0, 190.0, 100.0]);
    assert_consistent(&p);
}

/// A child begins anew; constructs that its parent was timing when it forked have no time in the child.
#[test]
fn forks_are_thinned_each_by_itself() {
    let fork = "#include <sys/wait.h>\n#include <unistd.h>\nint fork_(void) { return fork(); }\n\
                void wait_(void) { int s; wait(&s); }\n";
    let main = MAIN.replace(
        "  if (x < 0) steps = 0",
        "  if (pid == -1) then
    pid = fork()
    if (pid > 0) call wait()
    if (pid == 0) go to 1
  end if
  if (x < 0) steps = 0",
    );
    let main = main
        .replace("  integer :: i, n\n", "  integer :: i, n, pid\n  integer, external :: fork\n")
        .replace("  steps = 0\n  do", "  steps = 0\n  pid = -1\n  do");
    let main = main.replace("  do i = 1, 60000", "  1 continue\n  do i = 1, 20000").replace("i / 300", "i / 100");
    let project = Project::new(&[("w.f90", &WORK), ("p.f90", &main), ("t.c", fork)], &[]);
    let out = project.command("4").env("TRUELINE_PROFILE_FILE", "%p.json").output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let files = std::fs::read_dir(project.dir.path()).unwrap().map(|e| e.unwrap().path());
    let profiles: Vec<Profile> =
        files.filter(|f| f.extension().is_some_and(|e| e == "json")).map(|f| read(&f)).collect();
    assert_eq!(profiles.len(), 2);
    for p in &profiles {
        for name in NAMES {
            let c = find(p, name);
            assert_eq!((c.counts.invocations, gap(c).is_some()), (Some(20_000), true), "{c:?}");
        }
        assert_shares(p, &NAMES, &[110.0, 190.0, 99.5]);
    }
}

/// A program that is killed leaves its measurements.
#[test]
fn killed_programs_have_thinned_times() {
    let main = MAIN.replace("60000", "2000000000").replace("i / 300", "100");
    let project = Project::new(&[("w.f90", &WORK), ("p.f90", &main)], &[]);
    let mut child = project.command("4").stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    let p = read(&project.path("p.json"));
    assert!(p.incomplete);
    for name in NAMES {
        assert!(gap(find(&p, name)).is_some(), "{name}");
    }
    assert_shares(&p, &NAMES, &[110.0, 190.0, 100.0]);
    assert_consistent(&p);
}

/// A construct that is switched off has no time, and thinned timers go on when they are switched on again.
#[test]
fn pauses_are_not_timed() {
    let main = MAIN.replace(
        "  do i = 1, 60000",
        "  do i = 1, 60000\n    if (i == 20001) call pause_it()\n    if (i == 40001) call resume_it()",
    );
    let main = main.replace("i / 300", "100");
    let c = "void trueline_pause_profile(void);\nvoid trueline_resume_profile(void);\n\
             void pause_it_(void) { trueline_pause_profile(); }\nvoid resume_it_(void) { trueline_resume_profile(); }\n";
    let project = Project::new(&[("w.f90", &WORK), ("p.f90", &main), ("t.c", c)], &["-fprofile-samples=off"]);
    // Without samples nobody knows when the thread was without a processor, so another program may lengthen an invocation.
    for _ in 0..3 {
        let (_, p) = project.run("4");
        let time = |name: &str| find(&p, name).time.unwrap();
        let whole = time("p").inclusive_ns as f64;
        let all: f64 = NAMES.iter().map(|n| time(n).inclusive_ns as f64).sum();
        let errors: f64 = NAMES.iter().map(|n| time(n).error_ns as f64).sum();
        if all <= whole * 2.0 / 3.0 + 3.0 * errors + 0.05 * whole {
            return assert_shares(&p, &NAMES, &[110.0, 190.0, 100.0]);
        }
    }
    panic!("three times there was time in the pause");
}

/// Damaged files are refused or read, whatever stands in the strata.
#[test]
fn damaged_strata_are_harmless() {
    let main = MAIN.replace("60000", "2000000000").replace("i / 300", "100");
    let project = Project::new(&[("w.f90", &WORK), ("p.f90", &main)], &[]);
    let mut child = project.command("2").stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    let raw = std::fs::read(project.path("p.json")).unwrap();
    let Some(header) = trueline_abi::raw::Header::read(&raw, 0) else { return };
    let Some(thread) = trueline_abi::raw::Thread::read(&raw, header.threads) else { return };
    let page = trueline_abi::raw::word(&raw, thread.slots).unwrap();
    let mut read = 0;
    for at in (page..page + trueline_abi::raw::Slot::SIZE * 16).step_by(8) {
        for value in [1, u64::MAX, raw.len() as u64 - 8, 1 << 62] {
            let mut damaged = raw.clone();
            damaged[at as usize..at as usize + 8].copy_from_slice(&value.to_ne_bytes());
            read += u32::from(trueline_abi::raw::profile(&damaged).is_ok());
        }
    }
    assert!(read > 0, "most numbers can be anything");
}
