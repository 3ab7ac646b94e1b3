//! The calling tree and the times of call sites, against a ledger: procedures work by calls of a C function that spins for so many
//! microseconds. Several sites of one callee, inlined helpers, separate files, shared libraries, recursion, threads, kills.

use std::path::Path;
use std::process::Command;
use trueline_abi::profile::{CallNode, Profile};
use trueline_report::{Format, Index, TreeNode, export, tree};

/// Spins on the processor for `*us` microseconds.
const SPIN: &str = "#include <time.h>
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
void spin_(int *us) { long end = now() + *us * 1000L; while (now() < end) {} }
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
const ALL: [&str; 4] = ["-fprofile-trueline", "--time=all", "--overhead=none", "-o"];

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

/// Runs the program; its profile.
fn profile(directory: &Path, variables: &[(&str, &str)]) -> Profile {
    let path = directory.join("p.json");
    let _ = std::fs::remove_file(&path);
    let out = Command::new(directory.join("p"))
        .current_dir(directory)
        .env("TRUELINE_PROFILE_FILE", &path)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    trueline_report::read(&std::fs::read(&path).unwrap()).unwrap()
}

/// A program of one file, built and run.
fn of_one_file(source: &str, options: &[&str]) -> Profile {
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), &[("a.f90", source), ("spin.c", SPIN)], options);
    profile(dir.path(), &[])
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
    let path = |i: usize| {
        let mut out: Vec<String> = std::iter::successors(Some(i), |&k| nodes[k].parent).map(|k| step(&nodes[k])).collect();
        out.reverse();
        out.join("/")
    };
    nodes.iter().enumerate().map(|(i, n)| (path(i), n.calls, n.total as f64 / 1e3)).collect()
}

fn path(p: &Profile, wanted: &str) -> (u64, f64) {
    let all = paths(p);
    let found = all.iter().find(|n| n.0 == wanted).unwrap_or_else(|| panic!("no {wanted} in {all:#?}"));
    (found.1, found.2)
}

/// Whether a time is that of the ledger: another program may have had the processor for a while.
#[track_caller]
fn near(said: f64, truth: f64) {
    assert!(said >= 0.98 * truth && said <= 1.25 * truth + 3000.0, "{said} us, and it worked {truth} us");
}

/// The exclusive times of each construct over its nodes are its time, all of them and what is outside the elapsed time; no
/// child has more than its parent, and all views agree.
#[track_caller]
fn adds_up(p: &Profile) {
    let own = |serial: u32| p.call_tree.iter().filter(|n| n.serial == serial).map(|n| n.exclusive_ns).sum::<u64>();
    for c in &p.constructs {
        let said = c.time.map_or(0, |t| t.exclusive_ns);
        let slack = 2 + p.call_tree.len() as u64;
        assert!(own(c.serial).abs_diff(said) <= slack, "{} line {}: {} in the tree, {said}", c.text, c.line, own(c.serial));
    }
    let below = |n: &CallNode| p.call_tree.iter().filter(|c| c.parent == Some(n.id)).map(|c| c.inclusive_ns).sum::<u64>();
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
        let p = of_one_file(TWO_SITES, &[level]);
        adds_up(&p);
        // The loop may be unrolled, and its calls be inlined: the sites are the same.
        for (line, us) in [(4, 3000.0), (5, 27_000.0)] {
            let (calls, time) = edge(&p, "p", line, "work");
            assert_eq!(calls, 3, "{level}");
            near(time, us);
        }
    }
}

#[test]
fn inlined_helpers_stand_between_with_their_sites() {
    for level in ["-O0", "-O2", "-O3"] {
        let dir = tempfile::tempdir().unwrap();
        build(dir.path(), &[("a.f90", HELPERS), ("work.f90", WORK), ("spin.c", SPIN)], &[level]);
        let p = profile(dir.path(), &[]);
        adds_up(&p);
        let sum = |start: &str, end: &str| {
            let all = paths(&p);
            let found: Vec<_> = all.iter().filter(|n| n.0.starts_with(start) && n.0.ends_with(end)).collect();
            assert!(!found.is_empty(), "{level}: no {start} … {end} in {all:#?}");
            found.iter().fold((0, 0.0), |sum, n| (sum.0 + n.1, sum.1 + n.2))
        };
        for (start, end, calls, us) in [
            ("p/small@17/", "helper@3/work@14", 1, 2000.0),
            ("p/large@18/", "helper@8/work@14", 4, 12_000.0),
            ("p/large@18/", "helper@10/work@14", 1, 6000.0),
        ] {
            let (n, time) = sum(start, end);
            assert_eq!(n, calls, "{level}: {:#?}", paths(&p));
            near(time, us);
        }
        near(edge(&p, "small", 3, "helper").1, 2000.0);
        near(edge(&p, "large", 8, "helper").1, 12_000.0);
        near(edge(&p, "large", 10, "helper").1, 6000.0);
        near(edge(&p, "helper", 14, "work").1, 20_000.0);
    }
}

/// A library is loaded at an address that nobody knows before, and its procedures are called from the program and in it.
#[test]
fn calls_in_shared_libraries_have_their_sites() {
    let dir = tempfile::tempdir().unwrap();
    let d = dir.path();
    std::fs::write(d.join("a.f90"), HELPERS.replace("program p\n", "subroutine q\n").replace("end program", "end subroutine")).unwrap();
    std::fs::write(d.join("work.f90"), WORK).unwrap();
    std::fs::write(d.join("p.f90"), "program p\n  call q\nend program\n").unwrap();
    std::fs::write(d.join("spin.c"), SPIN).unwrap();
    run(d, "cc", &["-O1", "-fPIC", "-c", "spin.c"]);
    let library = ["libq.so", "-shared", "-fPIC", "-O2", "a.f90", "work.f90", "spin.o"];
    run(d, TRUELINE, &[&["fc"][..], &ALL, &library].concat());
    run(d, TRUELINE, &["fc", "-o", "p", "p.f90", "-L.", "-lq", "-Wl,-rpath,$ORIGIN"]);
    let p = profile(d, &[]);
    adds_up(&p);
    near(edge(&p, "q", 17, "small").1, 2000.0);
    near(edge(&p, "q", 18, "large").1, 18_000.0);
    near(edge(&p, "large", 10, "helper").1, 6000.0);
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
        let p = profile(dir.path(), &[]);
        adds_up(&p);
        assert!(p.call_tree.len() < 40, "{level}: {:#?}", paths(&p));
        near(path(&p, "p/down@2").1, 15_000.0);
        near(path(&p, "p/fib@3").1, 233.0 * 20.0);
        near(edge(&p, "down", 8, "work").1, 5000.0);
        near(edge(&p, "down", 11, "work").1, 10_000.0);
        assert_eq!(edge(&p, "fib", 18, "fib"), (232, 0.0), "recursive calls have no time of their own");
        let fib = p.constructs.iter().find(|c| c.text == "fib").unwrap().time.unwrap();
        let in_tree: f64 = paths(&p).iter().filter(|n| n.0 == "p/fib@3").map(|n| n.2 * 1e3).sum();
        assert!((in_tree - fib.inclusive_ns as f64).abs() < 0.02 * in_tree + 5e4, "{in_tree} {fib:?}");
        // Each activation has a context, if that is asked for.
        let whole = profile(dir.path(), &[("TRUELINE_CALL_TREE", "full")]);
        adds_up(&whole);
        assert!(paths(&whole).iter().any(|n| n.0.matches("down@9").count() == 4), "{level}: {:#?}", paths(&whole));
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
  call second(1500)
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
        let p = profile(dir.path(), &[]);
        adds_up(&p);
        near(edge(&p, "twice", 6, "work").1, 1000.0);
        near(edge(&p, "twice", 7, "work").1, 3000.0);
        near(edge(&p, "inner", 26, "work").1, 500.0);
        near(edge(&p, "inner", 27, "work").1, 2500.0);
        let all = edges(&p);
        let at = |line: u32| all.iter().filter(|e| e.1 == line && e.2 == "work").filter_map(|e| e.4).sum::<f64>();
        near(at(11), 1500.0);
        near(at(14), 3000.0);
    }
}

/// Procedures that a filter leaves out stand between, found by the address or by the counted calls; with the maps gone, by the
/// counted calls alone, and two lines of one caller are not told apart, which is said.
#[test]
fn untimed_procedures_stand_between() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("no.txt"), "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE helper small\nSCOREP_REGION_NAMES_END\n").unwrap();
    build(dir.path(), &[("a.f90", HELPERS), ("work.f90", WORK), ("spin.c", SPIN)], &["-O0", "--filter", "no.txt"]);
    let p = profile(dir.path(), &[]);
    adds_up(&p);
    near(path(&p, "p/small@17/helper@3/work@14").1, 2000.0);
    assert_eq!(path(&p, "p/small@17").0, 1);
    near(edge(&p, "p", 18, "large").1, 18_000.0);
    near(edge(&p, "helper", 14, "work").1, 20_000.0);
}

/// Whatever was running at the end has its time where it was called.
#[test]
fn a_killed_run_has_its_tree() {
    let dir = tempfile::tempdir().unwrap();
    let source = TWO_SITES.replace("call spin(n)\n", "call spin(n)\n    if (n > 5000) call halt()\n");
    let halt = format!("{SPIN}#include <signal.h>\nvoid halt_(void) {{ raise(SIGKILL); }}\n");
    build(dir.path(), &[("a.f90", &source), ("spin.c", &halt)], &["-O1"]);
    let path_of = dir.path().join("p.json");
    let status = Command::new(dir.path().join("p")).env("TRUELINE_PROFILE_FILE", &path_of).status().unwrap();
    assert!(!status.success());
    let p = trueline_report::read(&std::fs::read(&path_of).unwrap()).unwrap();
    assert!(p.incomplete);
    adds_up(&p);
    near(edge(&p, "p", 4, "work").1, 1000.0);
    near(edge(&p, "p", 5, "work").1, 9000.0);
}

/// Threads have contexts of their own; the tree shows the sum.
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
        "{SPIN}#include <pthread.h>\n#include <unistd.h>\n#include <sys/wait.h>\nextern void two_(void);\n\
         static void *go(void *x) {{ two_(); return x; }}\n\
         void threads_(void) {{\n  pthread_t t[3];\n  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, go, 0);\n\
         \x20 for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n  if (fork() == 0) {{ two_(); _exit(0); }}\n  wait(0);\n}}\n"
    );
    let dir = tempfile::tempdir().unwrap();
    build(dir.path(), &[("a.f90", source), ("work.f90", WORK), ("spin.c", &threads)], &["-O2"]);
    let p = profile(dir.path(), &[("TRUELINE_PROFILE_FILE", &dir.path().join("p.json").display().to_string())]);
    adds_up(&p);
    let (calls, us) = edge(&p, "two", 2, "work");
    assert!(calls == 3 && us >= 3000.0, "{calls} {us}");
    let (calls, us) = edge(&p, "two", 3, "work");
    assert!(calls == 3 && us >= 12_000.0, "{calls} {us}");
    near(edge(&p, "p", 7, "work").1, 2000.0);
    assert_eq!(path(&p, "two").0, 3, "C has called it: {:#?}", paths(&p));
}
