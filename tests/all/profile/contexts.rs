//! The calling tree and the times of call sites, against a ledger: procedures work by calls of a C function that spins for a given number of
//! microseconds. Several sites of one callee, inlined helpers, separate files, shared libraries, recursion, threads, kills.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use trueline_abi::profile::{CallNode, Construct, Profile};
use trueline_report::{Format, Index, TreeNode, export, tree};

/// Spins for `*us` microseconds. How long that was indeed stands in the ledger, by `*us`, at the end of the process.
const SPIN: &str = "#include <time.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static long spent[32768], times[32768];
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
void ledger(void) {
  char name[64];
  sprintf(name, \"ledger.%d\", (int)getpid());
  FILE *f = fopen(name, \"w\");
  for (int i = 0; i < 32768; i++) if (spent[i]) fprintf(f, \"%d %ld %ld\\n\", i, times[i], spent[i]);
  fclose(f);
}
__attribute__((constructor)) static void begin(void) { atexit(ledger); }
void spin_(int *us) {
  long start = now(), end = start + *us * 1000L, t;
  while ((t = now()) < end) {}
  __sync_fetch_and_add(&spent[*us], t - start);
  __sync_fetch_and_add(&times[*us], 1);
}
";

/// A procedure that works, called at two lines with one and nine parts of the work.
const TWO_SITES: &str = "program p
  integer :: i
  do i = 1, 3
    call work(1000)
    call work(9000)
  end do
contains
  subroutine work(n)
    integer, intent(in) :: n
    call spin(n)
  end subroutine
end program
";

/// Helpers that may be inlined stand between the program and the work.
const HELPERS: &str = "subroutine small(n)
  integer :: n
  call helper(n)
end subroutine
subroutine large(n)
  integer :: n, i
  do i = 1, 4
    call helper(n)
  end do
  call helper(2 * n)
end subroutine
subroutine helper(n)
  integer :: n
  if (n > 0) call work(n)
end subroutine
program p
  call small(2000)
  call large(3000)
end program
";

const WORK: &str = "subroutine work(n)
  integer, intent(in) :: n
  call spin(n)
  call more(n)
end subroutine
subroutine more(n)
  integer, intent(in) :: n
  if (n < 0) call spin(n)
end subroutine
";

fn run(directory: &Path, program: &str, arguments: &[&str]) {
    let out = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(out.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
}

const TRUELINE: &str = env!("CARGO_BIN_EXE_trueline");
const ALL: [&str; 2] = ["-fprofile-trueline=all", "-o"];

/// Compiles the sources one by one, and links them.
fn build(directory: &Path, sources: &[(&str, &str)], options: &[&str]) {
    let mut objects = Vec::new();
    for (name, text) in sources {
        std::fs::write(directory.join(name), text).unwrap();
        let object = format!("{name}.o");
        if name.ends_with(".c") {
            run(directory, "cc", &["-O1", "-fPIC", "-c", name, "-o", &object]);
        } else {
            run(directory, TRUELINE, &[&["fc"][..], &ALL, &[&object, "-c", name], options].concat());
        }
        objects.push(object);
    }
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    run(directory, TRUELINE, &[&["fc"][..], &ALL, &["p"], &objects, &["-pthread"], options].concat());
}

/// A profile, and the ledger: nanoseconds by the microseconds that each call of `spin` should take.
struct Ran {
    profile: Profile,
    ledger: BTreeMap<u32, (u64, f64)>,
}

impl Ran {
    /// The time of all calls for that number of microseconds.
    fn took(&self, us: u32) -> f64 {
        self.ledger.get(&us).unwrap_or_else(|| panic!("no work of {us} us in {:?}", self.ledger)).1 / 1e3
    }
}

impl std::ops::Deref for Ran {
    type Target = Profile;
    fn deref(&self) -> &Profile {
        &self.profile
    }
}

/// Runs the program.
fn profile(directory: &Path, variables: &[(&str, &str)]) -> Ran {
    let path = directory.join("p.json");
    let _ = std::fs::remove_file(&path);
    let child = Command::new(directory.join("p"))
        .current_dir(directory)
        .env("TRUELINE_PROFILE_FILE", &path)
        .envs(variables.iter().copied())
        .spawn()
        .unwrap();
    let ledger = directory.join(format!("ledger.{}", child.id()));
    child.wait_with_output().unwrap();
    let number = |w: Option<&str>| w.unwrap().parse::<u64>().unwrap();
    let line = |l: &str| {
        let mut words = l.split(' ');
        (number(words.next()) as u32, (number(words.next()), number(words.next()) as f64))
    };
    let ledger = std::fs::read_to_string(ledger).unwrap().lines().map(line).collect();
    Ran { profile: trueline_report::read(&std::fs::read(&path).unwrap()).unwrap(), ledger }
}

/// Judges up to three runs: another program may have the processor between the work and the clock.
fn judged(run: impl Fn() -> Ran, judge: impl Fn(&Ran)) {
    for _ in 0..2 {
        let ran = run();
        if std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| judge(&ran))).is_ok() {
            return;
        }
    }
    judge(&run());
}

fn name(p: &Profile, serial: u32) -> String {
    let c = p.constructs.iter().find(|c| c.serial == serial).unwrap();
    if matches!(c.kind.as_str(), "procedure" | "program") { c.text.clone() } else { format!("{}{}", c.kind, c.line) }
}

/// The edges as caller, line and callee, with calls and microseconds.
fn edges(p: &Profile) -> Vec<(String, u32, String, u64, Option<f64>)> {
    let mut out: Vec<_> = p
        .edges
        .iter()
        .filter(|e| e.calls > 0)
        .map(|e| (name(p, e.caller), e.line, name(p, e.callee), e.calls, e.inclusive_ns.map(|ns| ns as f64 / 1e3)))
        .collect();
    out.sort_by(|a, b| (&a.0, a.1, &a.2).cmp(&(&b.0, b.1, &b.2)));
    out
}

fn edge(p: &Profile, caller: &str, line: u32, callee: &str) -> (u64, f64) {
    let all = edges(p);
    let found = all.iter().find(|e| (e.0.as_str(), e.1, e.2.as_str()) == (caller, line, callee));
    let (.., calls, us) = found.unwrap_or_else(|| panic!("no {caller}:{line} -> {callee} in {all:?}"));
    (*calls, us.unwrap_or_else(|| panic!("no time at {caller}:{line} -> {callee}: {all:?}")))
}

/// The paths of the tree, as `p/work@4`, with calls and microseconds.
fn paths(p: &Profile) -> Vec<(String, u64, f64)> {
    let index = Index::new(p);
    let nodes = tree(&index);
    let step = |n: &TreeNode| {
        let site = if n.line > 0 { format!("@{}", n.line) } else { String::new() };
        format!("{}{site}{}", name(p, n.serial), if n.recursive { "!" } else { "" })
    };
    // Samples may have found a conditional.
    let is_shown = |n: &TreeNode| !name(p, n.serial).starts_with("if_");
    let path = |i: usize| {
        let up = std::iter::successors(Some(i), |&k| nodes[k].parent).filter(|&k| is_shown(&nodes[k]));
        let mut out: Vec<String> = up.map(|k| step(&nodes[k])).collect();
        out.reverse();
        out.join("/")
    };
    let shown = nodes.iter().enumerate().filter(|(_, n)| is_shown(n));
    shown.map(|(i, n)| (path(i), n.calls, n.total as f64 / 1e3)).collect()
}

fn path(p: &Profile, wanted: &str) -> (u64, f64) {
    let all = paths(p);
    let found = all.iter().find(|n| n.0 == wanted).unwrap_or_else(|| panic!("no {wanted} in {all:#?}"));
    (found.1, found.2)
}

/// Whether a time is that of the ledger.
#[track_caller]
fn near(said: f64, truth: f64) {
    assert!(said >= 0.99 * truth - 1.0 && said <= 1.02 * truth + 200.0, "{said} us, and it worked {truth} us");
}

/// The construct whose nodes have the time of this one: for a conditional, which has no nodes, that is the construct around it.
fn shown_by(p: &Profile, of: &Construct) -> u32 {
    let by_serial = |serial| p.constructs.iter().find(|c| Some(c.serial) == serial);
    let parent = |c: &&Construct| by_serial(c.parent);
    let found = std::iter::successors(Some(of), parent).find(|c| c.counts.taken.is_none());
    let is_host = |c: &&Construct| matches!(c.kind.as_str(), "procedure" | "program") && c.text == of.procedure;
    found.or_else(|| p.constructs.iter().find(is_host)).unwrap().serial
}

/// The exclusive times of each construct and of the conditionals in it are those of its nodes; all nodes and the time
/// outside add up to the elapsed time; no child has more than its parent, and all views agree.
#[track_caller]
fn adds_up(p: &Profile) {
    let own = |serial: u32| p.call_tree.iter().filter(|n| n.serial == serial).map(|n| n.exclusive_ns).sum::<u64>();
    for c in p.constructs.iter().filter(|c| shown_by(p, c) == c.serial) {
        let shown = p.constructs.iter().filter(|d| shown_by(p, d) == c.serial);
        let said: u64 = shown.filter_map(|d| d.time).map(|t| t.exclusive_ns).sum();
        let slack = 2 + p.call_tree.len() as u64;
        assert!(
            own(c.serial).abs_diff(said) <= slack,
            "{} line {}: {} in the tree, {said}",
            c.text,
            c.line,
            own(c.serial)
        );
    }
    let below =
        |n: &CallNode| p.call_tree.iter().filter(|c| c.parent == Some(n.id)).map(|c| c.inclusive_ns).sum::<u64>();
    for n in &p.call_tree {
        assert_eq!(n.inclusive_ns, n.exclusive_ns + below(n), "{n:?}");
    }
    let nodes = tree(&Index::new(p));
    let all: u64 = nodes.iter().map(|n| n.own).sum();
    if p.threads.len() == 1 {
        let whole = all + p.unattributed_ns.unwrap();
        assert!(whole.abs_diff(p.clock.elapsed_ns) < 100_000 + p.clock.elapsed_ns / 200, "{whole} of {:?}", p.clock);
    }
    let folded = String::from_utf8(export(&Index::new(p), Format::Folded, None).unwrap()).unwrap();
    let weights: u64 = folded.lines().map(|l| l.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!(weights, all);
}

#[test]
fn two_sites_of_one_callee_have_their_own_times() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), &[("a.f90", TWO_SITES), ("spin.c", SPIN)], &[level]);
        judged(
            || profile(dir.path(), &[]),
            |p| {
                adds_up(p);
                // The loop may be unrolled, and its calls be inlined: the sites are the same.
                for (line, us) in [(4, 1000), (5, 9000)] {
                    let (calls, time) = edge(p, "p", line, "work");
                    assert_eq!(calls, 3, "{level}");
                    near(time, p.took(us));
                }
            },
        );
    }
}

#[test]
fn inlined_helpers_stand_between_with_their_sites() {
    for level in ["-O0", "-O2", "-O3"] {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), &[("a.f90", HELPERS), ("work.f90", WORK), ("spin.c", SPIN)], &[level]);
        judged(
            || profile(dir.path(), &[]),
            |p| {
                adds_up(p);
                for (start, end, calls, us) in [
                    ("p/small@17/", "helper@3/work@14", 1, 2000),
                    ("p/large@18/", "helper@8/work@14", 4, 3000),
                    ("p/large@18/", "helper@10/work@14", 1, 6000),
                ] {
                    let all = paths(p);
                    let found = all.iter().filter(|n| n.0.starts_with(start) && n.0.ends_with(end));
                    let (n, time) = found.fold((0, 0.0), |sum, n| (sum.0 + n.1, sum.1 + n.2));
                    assert_eq!(n, calls, "{level}: {start} {end} in {all:#?}");
                    near(time, p.took(us));
                }
                near(edge(p, "small", 3, "helper").1, p.took(2000));
                near(edge(p, "large", 8, "helper").1, p.took(3000));
                near(edge(p, "large", 10, "helper").1, p.took(6000));
                near(edge(p, "helper", 14, "work").1, p.took(2000) + p.took(3000) + p.took(6000));
            },
        );
    }
}

/// A library is loaded at an address that nobody knows before, and its procedures are called from the program and in it.
#[test]
fn calls_in_shared_libraries_have_their_sites() {
    let dir = tempfile::tempdir().unwrap();
    let d = dir.path();
    let library = HELPERS.replace("program p\n", "subroutine q\n").replace("end program", "end subroutine");
    for (file, text) in [
        ("a.f90", library.as_str()),
        ("work.f90", WORK),
        ("p.f90", "program p\n  call q\nend program\n"),
        ("spin.c", SPIN),
    ] {
        std::fs::write(d.join(file), text).unwrap();
    }
    run(d, "cc", &["-O1", "-fPIC", "-c", "spin.c"]);
    let library = ["libq.so", "-shared", "-fPIC", "-O2", "a.f90", "work.f90", "spin.o"];
    run(d, TRUELINE, &[&["fc"][..], &ALL, &library].concat());
    run(d, TRUELINE, &["fc", "-o", "p", "p.f90", "-L.", "-lq", "-Wl,-rpath,$ORIGIN"]);
    judged(
        || profile(d, &[]),
        |p| {
            adds_up(p);
            near(edge(p, "q", 17, "small").1, p.took(2000));
            near(edge(p, "q", 18, "large").1, p.took(3000) + p.took(6000));
            near(edge(p, "large", 10, "helper").1, p.took(6000));
        },
    );
}

const RECURSIVE: &str = "program p
  call down(5)
  call fib(12)
end program
recursive subroutine down(n)
  integer :: n, i
  do i = 1, 1
    call work(1000)
    if (n > 1) call down(n - 1)
  end do
  call work(2000)
end subroutine
recursive subroutine fib(n)
  integer, intent(in) :: n
  if (n < 2) then
    call work(20)
  else
    call fib(n - 1)
    call fib(n - 2)
  end if
end subroutine
";

#[test]
fn recursion_is_folded_and_loses_nothing() {
    for level in ["-O0", "-O2"] {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), &[("a.f90", RECURSIVE), ("work.f90", WORK), ("spin.c", SPIN)], &[level]);
        judged(
            || profile(dir.path(), &[]),
            |p| {
                adds_up(p);
                assert!(p.call_tree.len() < 60, "{level}: {:#?}", paths(p));
                near(path(p, "p/down@2").1, p.took(1000) + p.took(2000));
                near(path(p, "p/fib@3").1, p.took(20));
                near(edge(p, "down", 8, "work").1, p.took(1000));
                near(edge(p, "down", 11, "work").1, p.took(2000));
                let recursive = (edge(p, "fib", 18, "fib"), edge(p, "fib", 19, "fib"));
                assert_eq!(recursive.0.0 + recursive.1.0, 464, "{level}: {:?}", edges(p));
                assert_eq!((recursive.0.1, recursive.1.1), (0.0, 0.0), "only the outermost has a time");
                let fib = p.constructs.iter().find(|c| c.text == "fib").unwrap().time.unwrap();
                near(path(p, "p/fib@3").1, fib.inclusive_ns as f64 / 1e3);
            },
        );
        // Each activation has a context, if that is asked for.
        let whole = profile(dir.path(), &[("TRUELINE_CALL_TREE", "full")]);
        adds_up(&whole);
        let is_deepest = |n: &(String, u64, f64)| n.0.ends_with("down@9") && n.0.matches("down@9").count() == 4;
        assert!(paths(&whole).iter().any(is_deepest), "{level}: {:#?}", paths(&whole));
        assert!(profile(dir.path(), &[("TRUELINE_CALL_TREE", "off")]).call_tree.is_empty());
    }
}

/// Procedures that come in by an address, an ENTRY or a host have sites as others have.
#[test]
fn calls_of_all_kinds_have_their_lines() {
    let source = "module m
contains
  subroutine twice(f, n)
    external f
    integer :: n
    call f(n)
    call f(3 * n)
  end subroutine
  subroutine first(n)
    integer :: n
    call work(n)
    return
    entry second(n)
    call work(2 * n)
  end subroutine
end module
program p
  use m
  external work
  call twice(work, 1000)
  call first(1500)
  call second(1600)
  call inner
contains
  subroutine inner
    call work(500)
    call work(2500)
  end subroutine
end program
";
    for level in ["-O0", "-O1", "-O3"] {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), &[("work.f90", WORK), ("a.f90", source), ("spin.c", SPIN)], &[level]);
        judged(
            || profile(dir.path(), &[]),
            |p| {
                adds_up(p);
                let all = edges(p);
                for (line, us) in [(6, 1000), (7, 3000), (11, 1500), (14, 3200), (26, 500), (27, 2500)] {
                    let here = all.iter().filter(|e| e.1 == line && e.2 == "work");
                    near(here.filter_map(|e| e.4).sum(), p.took(us));
                }
                near(edge(p, "p", 21, "entry first").1, p.took(1500));
                near(edge(p, "p", 22, "second").1, p.took(3200));
                near(edge(p, "p", 20, "twice").1, p.took(1000) + p.took(3000));
            },
        );
    }
}

/// Procedures that a filter leaves out stand between: the nearest is found by the address, others by the counted calls.
#[test]
fn untimed_procedures_stand_between() {
    let dir = tempfile::tempdir().unwrap();
    let filter = "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE helper small\nSCOREP_REGION_NAMES_END\n";
    for (file, text) in [("a.f90", HELPERS), ("work.f90", WORK), ("spin.c", SPIN), ("no.txt", filter)] {
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    run(dir.path(), "cc", &["-O1", "-c", "spin.c"]);
    let options = ["build", "--profile", "--time=all", "--filter=no.txt", "-O", "0", "-o", "p"];
    run(dir.path(), TRUELINE, &[&options[..], &["a.f90", "work.f90", "spin.o"]].concat());
    judged(
        || profile(dir.path(), &[]),
        |p| {
            adds_up(p);
            for (wanted, calls, us) in [
                ("p/small@17/helper@3/work@14", 1, 2000),
                ("p/large@18/do7/helper@8/work@14", 4, 3000),
                ("p/large@18/helper@10/work@14", 1, 6000),
            ] {
                let (n, time) = path(p, wanted);
                assert_eq!(n, calls, "{wanted}");
                near(time, p.took(us));
            }
            assert_eq!(path(p, "p/small@17").0, 1);
            near(edge(p, "helper", 14, "work").1, p.took(2000) + p.took(3000) + p.took(6000));
        },
    );
}

/// `leaf` is inlined into `middle` and into what that calls, `middle` into the loops, but not where it is called once.
const COPIES: &str = "module m
contains
  subroutine leaf(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call spin(150)
    end do
  end subroutine
  recursive subroutine through(k, n)
    integer, intent(in) :: k, n
    call leaf(n)
    if (k > 0) call through(k - 1, n)
  end subroutine
  subroutine middle(n)
    integer, intent(in) :: n
    !TL$ REGION inside
    call leaf(4 * n)
    call through(1, n)
    !TL$ END REGION
  end subroutine
end module
program p
  use m
  integer :: k, n
  n = command_argument_count() + 2
  do k = 1, 40
    call middle(n)
    call spin(10)
  end do
  do k = 1, 40
    call middle(n - 1)
    if (n < 0) call through(1, n)
  end do
  if (n > 0) then
    call middle(n)
  end if
end program
";

/// Copies without a timer have their places in the tree also where copies with one stand below them, and in the regions around their calls: no
/// procedure has more in the tree than its timer measured.
#[test]
fn copies_without_timers_have_their_places() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), COPIES).unwrap();
    std::fs::write(dir.path().join("spin.c"), SPIN).unwrap();
    run(dir.path(), "cc", &["-O1", "-c", "spin.c"]);
    run(dir.path(), TRUELINE, &["build", "--profile", "-O", "3", "-o", "p", "p.f90", "spin.o"]);
    judged(
        || profile(dir.path(), &[]),
        |p| {
            adds_up(p);
            let is_outermost = |n: &&CallNode| {
                let parent = |n: &CallNode| n.parent.and_then(|id| p.call_tree.iter().find(|a| a.id == id));
                std::iter::successors(parent(n), |a| parent(a)).all(|a| a.serial != n.serial)
            };
            let procedures = p.constructs.iter().filter(|c| matches!(c.kind.as_str(), "procedure" | "program"));
            let mut judged = 0;
            for c in procedures {
                let of = p.call_tree.iter().filter(|n| n.serial == c.serial).filter(is_outermost);
                let said: u64 = of.map(|n| n.inclusive_ns).sum();
                let time = c.time.expect("all of them ran").inclusive_ns;
                assert!(said.abs_diff(time) * 50 <= time, "{}: {said} ns in the tree, {time} in the table", c.text);
                judged += 1;
            }
            assert_eq!(judged, 4);
            let (calls, time) = path(p, "p/middle@36/region17/leaf@18");
            assert!(calls == 1 && time >= 8.0 * 150.0, "{calls} calls, {time} us");
        },
    );
}

/// A procedure that works is called directly, and through another one while measuring is switched off.
const PAUSED: &str = "module m
contains
  subroutine works(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call spin(700)
      call spin(1300)
    end do
    do i = 1, n
      call spin(500)
      call spin(1500)
    end do
  end subroutine
  subroutine between(n)
    integer, intent(in) :: n
    call works(n)
  end subroutine
end module
program p
  use m
  interface
    subroutine pause_profile() bind(c, name='trueline_pause_profile')
    end subroutine
    subroutine resume_profile() bind(c, name='trueline_resume_profile')
    end subroutine
  end interface
  integer :: i
  call works(8)
  do i = 1, 5
    call pause_profile()
    call between(i)
    call resume_profile()
  end do
end program
";

/// A procedure that ran only while measuring was switched off has no share in the time that its callee had at others.
#[test]
fn pauses_are_in_no_caller() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), PAUSED).unwrap();
    std::fs::write(dir.path().join("spin.c"), SPIN).unwrap();
    run(dir.path(), "cc", &["-O1", "-c", "spin.c"]);
    run(dir.path(), TRUELINE, &["build", "--profile", "-O", "3", "-o", "p", "p.f90", "spin.o"]);
    let p = profile(dir.path(), &[]);
    let procedure = |name: &str| p.constructs.iter().find(|c| c.text == name).unwrap();
    assert_eq!(procedure("between").counts.invocations, Some(5));
    assert_eq!(procedure("between").time, None, "{:?}", procedure("between"));
    assert_eq!(procedure("works").counts.invocations, Some(6));
    let works = procedure("works").time.unwrap().inclusive_ns as f64 / 1e3;
    let ledger: f64 = [700, 1300, 500, 1500].map(|us| p.took(us)).iter().sum();
    assert!((0.99 * 32_000.0..0.7 * ledger).contains(&works), "{works} us of {ledger}");
    adds_up(&p);
    let off = p.constructs.iter().find(|c| c.is_off()).unwrap();
    assert_eq!(off.counts.invocations, Some(5));
    let off = off.time.unwrap().inclusive_ns as f64 / 1e3;
    near(off + works, ledger);
    assert!(procedure("p").time.unwrap().exclusive_ns < 3_000_000, "{:?}", procedure("p"));
}

/// Timing is switched off in procedures that end in the pause, and on in procedures that began in it.
const ACROSS: &str = "subroutine leaves(n)
  integer, intent(in) :: n
  call spin(1200)
  call switch_off()
  call spin(n)
end subroutine
subroutine comes(n)
  integer, intent(in) :: n
  call spin(n)
  call switch_on()
  call after(1)
  call spin(800)
end subroutine
subroutine after(n)
  integer, intent(in) :: n
  integer :: i
  do i = 1, n
    call spin(2500)
  end do
end subroutine
program p
  integer :: i
  do i = 1, 6
    call leaves(1700)
    call spin(900)
    call comes(600)
    call spin(1100)
  end do
end program
";

/// The time of a pause is in no construct, wherever the pause begins and ends.
#[test]
fn pauses_go_on_around_procedures() {
    let dir = tempfile::tempdir().unwrap();
    let switches = "void trueline_pause_profile(void), trueline_resume_profile(void);
void switch_off_(void) { trueline_pause_profile(); }
void switch_on_(void) { trueline_resume_profile(); }
";
    for flags in [&["-O0"][..], &["-O3", "-fprofile-trueline=all"]] {
        build(dir.path(), &[("a.f90", ACROSS), ("spin.c", &format!("{SPIN}{switches}"))], flags);
        judged(
            || profile(dir.path(), &[]),
            |p| {
                adds_up(p);
                let time = |name: &str| p.constructs.iter().find(|c| c.text == name).and_then(|c| c.time);
                let inclusive = |name: &str| time(name).map_or(0.0, |t| t.inclusive_ns as f64 / 1e3);
                let off = p.constructs.iter().find(|c| c.is_off()).unwrap();
                assert_eq!(off.counts.invocations, Some(6));
                near(inclusive("measurement off"), [1700, 900, 600].map(|us| p.took(us)).iter().sum());
                near(inclusive("after"), p.took(2500));
                near(inclusive("comes"), [2500, 800].map(|us| p.took(us)).iter().sum());
                let around = time("do i = 1, 6").map_or(0.0, |t| t.inclusive_ns as f64 / 1e3);
                near(around, [1200, 1700, 900, 600, 2500, 800, 1100].map(|us| p.took(us)).iter().sum());
                near(path(p, "p/do23/region0").1, [900, 600].map(|us| p.took(us)).iter().sum());
            },
        );
    }
}

/// Whatever was running at the end has its time where it was called.
#[test]
fn a_killed_run_has_its_tree() {
    let dir = tempfile::tempdir().unwrap();
    let source = TWO_SITES.replace("call spin(n)\n", "call spin(n)\n    if (n > 5000) call halt()\n");
    // Long enough for samples on a busy machine.
    let source = source.replace("work(9000)", "work(19000)");
    let halt = format!("{SPIN}#include <signal.h>\nvoid halt_(void) {{ ledger(); raise(SIGKILL); }}\n");
    build(dir.path(), &[("a.f90", &source), ("spin.c", &halt)], &["-O1"]);
    judged(
        || profile(dir.path(), &[]),
        |p| {
            assert!(p.incomplete);
            adds_up(p);
            near(edge(p, "p", 4, "work").1, p.took(1000));
            assert!(edge(p, "p", 5, "work").1 >= p.took(19000) * 0.2, "up to the last sample: {:?}", edges(p));
        },
    );
}

/// Threads have contexts of their own; the tree shows the sum. A forked child has a tree, too.
#[test]
fn threads_and_children_have_their_trees() {
    let source = "subroutine two
  call work(1000)
  call work(4000)
end subroutine
program p
  call threads
  call work(2000)
end program
";
    let threads = format!(
        "{SPIN}#include <pthread.h>\n#include <sys/wait.h>\nextern void two_(void);\n\
         static void *go(void *x) {{ two_(); return x; }}\n\
         void threads_(void) {{\n  pthread_t t[3];\n  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, go, 0);\n\
         \x20 for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n  if (fork() == 0) {{ two_(); exit(0); }}\n  wait(0);\n}}\n"
    );
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), &[("a.f90", source), ("work.f90", WORK), ("spin.c", &threads)], &["-O2"]);
    judged(
        || profile(dir.path(), &[]),
        |p| {
            adds_up(p);
            assert_eq!((edge(p, "two", 2, "work").0, edge(p, "two", 3, "work").0), (3, 3));
            near(edge(p, "two", 2, "work").1, p.took(1000));
            near(edge(p, "two", 3, "work").1, p.took(4000));
            near(edge(p, "p", 7, "work").1, p.took(2000));
            assert_eq!(path(p, "two").0, 3, "C has called it: {:#?}", paths(p));
            // The child goes on in the program, whose frame it has from its parent.
            let files = std::fs::read_dir(dir.path()).unwrap().map(|f| f.unwrap().path());
            let is_child = |f: &std::path::PathBuf| {
                let name = f.file_name().unwrap().to_string_lossy().into_owned();
                name.starts_with("p.") && name.ends_with(".json") && name != "p.json"
            };
            let child = files.into_iter().find(is_child).unwrap();
            let child_profile = trueline_report::read(&std::fs::read(&child).unwrap()).unwrap();
            std::fs::remove_file(child).unwrap();
            adds_up(&child_profile);
            let all = paths(&child_profile);
            assert!(all.iter().any(|n| n.0 == "p/two/work@3" && n.1 == 1), "{all:#?}");
        },
    );
}
