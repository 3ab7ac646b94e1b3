//! The profile runtime called from other languages: C through `trueline.h`, gfortran, and objects of compilers
//! that have routines of their own called.

use crate::build::{counts, with_runtime};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use trueline_abi::profile::{Counts, Profile};

/// Compiles `sources` (and options for the compiler) with the runtime, runs the program, and reads its profile.
fn run(compiler: &str, sources: &[(&str, &str)], options: &[&str]) -> (Profile, BTreeMap<String, Counts>) {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    with_runtime(dir.path(), compiler, sources, options);
    let ran = Command::new(path("t")).env("TRUELINE_PROFILE_FILE", path("p.json")).status().unwrap();
    assert!(ran.success());
    read(&path("p.json"))
}

fn read(path: &Path) -> (Profile, BTreeMap<String, Counts>) {
    let text = std::fs::read_to_string(path).unwrap();
    (trueline_report::read(text.as_bytes()).unwrap(), counts(&text).unwrap())
}

fn get(found: &BTreeMap<String, Counts>, name: &str) -> Counts {
    let of_name = found.iter().find(|(k, _)| k.ends_with(&format!(" {name}")));
    of_name.map(|(_, c)| c.clone()).unwrap_or_else(|| panic!("no '{name}' in {:?}", found.keys()))
}

const C: &str = r#"
#include "trueline.h"
static trueline_record program, solve, loop, region, test, sign;

static void work(int n) {
    trueline_start_procedure("work.c:5: solve", &solve);
    trueline_start_loop("loop", &loop, 1);
    for (int i = 0; i < n; i++) {
        trueline_incr_loop();
        trueline_start_log_if("test", &test, i % 3 == 0);
        trueline_start_arith_if("sign", &sign, i - 2);
    }
    trueline_end_loop();
    /* Two areas of one region: the second does not count the invocation. */
    trueline_start_region("region", &region, 1);
    trueline_end_region();
    trueline_start_region("region", &region, 0);
    trueline_end_region();
    trueline_end_procedure();
}

int main(void) {
    trueline_start_profile("program", &program);
    for (int k = 0; k < 4; k++) work(2 * k);
    trueline_end_profile();
    work(100);
    return 0;
}
"#;

#[test]
fn c_calls_the_profile_runtime() {
    let (profile, found) = run("cc", &[("t.c", C)], &["-Wall", "-Werror", "-O2"]);
    assert_eq!(get(&found, "solve").invocations, Some(4));
    let counts = get(&found, "loop");
    assert_eq!((counts.invocations, counts.iterations), (Some(4), Some(12)));
    assert_eq!((counts.min_trips, counts.max_trips, counts.zero_trips), (Some(0), Some(6), Some(1)));
    assert_eq!(get(&found, "region").invocations, Some(4));
    assert_eq!((get(&found, "test").evaluations, get(&found, "test").taken), (Some(12), Some(vec![5, 7])));
    assert_eq!(get(&found, "sign").taken, Some(vec![6, 2, 4]));
    let solve = profile.constructs.iter().find(|c| c.text == "solve").unwrap();
    assert_eq!((solve.file.as_str(), solve.line, solve.kind.as_str()), ("work.c", 5, "procedure"));
}

const JUMP: &str = r#"
#include <setjmp.h>
#include "trueline.h"
static jmp_buf out;
static trueline_record outer, inner, after;
static void deep(int n) {
    trueline_start_procedure("deep", &inner);
    if (n == 0) longjmp(out, 1);
    deep(n - 1);
    trueline_end_procedure();
}
static void next(void) {
    trueline_start_procedure("next", &after);
    trueline_end_procedure();
}
int main(void) {
    trueline_start_procedure("main", &outer);
    for (volatile int i = 0; i < 1000; i++) {
        if (setjmp(out) == 0) deep(50);
        next();
    }
    trueline_end_procedure();
    return 0;
}
"#;

#[test]
fn procedures_left_by_longjmp_are_closed() {
    let (profile, found) = run("cc", &[("t.c", JUMP)], &["-O1"]);
    assert_eq!(get(&found, "deep").invocations, Some(51_000));
    assert_eq!(get(&found, "next").invocations, Some(1000));
    let serial = |name: &str| profile.constructs.iter().find(|c| c.text == name).unwrap().serial;
    let edge = profile.edges.iter().find(|e| e.callee == serial("next")).unwrap();
    assert_eq!((edge.caller, edge.calls), (serial("main"), 1000), "the stack was not unwound");
}

const THREADS: &str = r#"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include "trueline.h"
static trueline_record leaf, body;
static void *work(void *n) {
    for (long i = 0; i < (long)n; i++) {
        trueline_start_procedure("body", &body);
        trueline_start_procedure("leaf", &leaf);
        trueline_end_procedure();
        trueline_end_procedure();
    }
    return 0;
}
int main(void) {
    pthread_t t[8];
    for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, work, (void *)20000L);
    for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
    pid_t child = fork();
    if (child == 0) { work((void *)7L); return 0; }
    int status; waitpid(child, &status, 0);
    work((void *)3L);
    return 0;
}
"#;

#[test]
fn threads_lose_nothing_and_a_fork_has_a_profile_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let program = with_runtime(dir.path(), "cc", &[("t.c", THREADS)], &["-O2"]);
    let status =
        Command::new(&program).current_dir(dir.path()).env("TRUELINE_PROFILE_FILE", "p.json").status().unwrap();
    assert!(status.success());
    let (profile, found) = read(&dir.path().join("p.json"));
    assert_eq!(get(&found, "leaf").invocations, Some(160_003));
    assert_eq!(profile.processors.len(), 9);
    let others: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "json") && !p.ends_with("p.json"))
        .collect();
    assert_eq!(others.len(), 1, "{others:?}");
    assert_eq!(get(&read(&others[0]).1, "leaf").invocations, Some(7));
}

const THROTTLED: &str = r#"
#include <sys/wait.h>
#include <unistd.h>
#include "trueline.h"
static trueline_record leaf;
static void work(int n) {
    for (int i = 0; i < n; i++) { trueline_start_procedure("leaf", &leaf); trueline_end_procedure(); }
}
int main(void) {
    work(1000);
    pid_t child = fork();
    if (child == 0) { work(7); return 0; }
    int status; waitpid(child, &status, 0);
    return 0;
}
"#;

/// A child does not time constructs that its parent stopped timing, and reports them.
#[test]
fn a_fork_knows_what_is_throttled() {
    let dir = tempfile::tempdir().unwrap();
    let program = with_runtime(dir.path(), "cc", &[("t.c", THROTTLED)], &[]);
    let ran = Command::new(&program)
        .current_dir(dir.path())
        .env("TRUELINE_PROFILE_FILE", "%p.json")
        .env("TRUELINE_THROTTLE", "10,1000")
        .status()
        .unwrap();
    assert!(ran.success());
    let mut calls = Vec::new();
    for entry in std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().path()) {
        if entry.extension().is_some_and(|e| e == "json") {
            let profile = read(&entry).0;
            let leaf = profile.constructs.iter().find(|c| c.text == "leaf").unwrap();
            assert_eq!(leaf.untimed.as_deref(), Some("throttled"));
            calls.push(leaf.counts.invocations);
        }
    }
    calls.sort();
    assert_eq!(calls, [Some(7), Some(1000)]);
}

const CALLER: &str = r#"
#include <pthread.h>
void work_(int *n);
static void *go(void *n) { work_(n); return 0; }
int main(void) {
    pthread_t t[8];
    static int n = 50000;
    for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, go, &n);
    for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
    return 0;
}
"#;

/// Calls of the same object are counted where they are made, the others where they enter: each once.
#[test]
fn calls_from_elsewhere_are_counted_once() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write(
        "a.f90",
        "recursive subroutine leaf(i)\n  integer, intent(in) :: i\n  integer :: k\n  common /sum/ k\n  k = k + i\n\
         \x20 if (i > 1000) call leaf(i - 1)\nend subroutine\n\
         recursive subroutine mid(f, i)\n  external :: f\n  integer, intent(in) :: i\n  call f(i)\n  call leaf(i)\n\
         \x20 if (i > 1000) call mid(f, i)\nend subroutine\n",
    );
    write(
        "b.f90",
        "program p\n  external :: leaf\n  integer :: i\n  do i = 1, 10\n    call mid(leaf, i)\n    call leaf(i)\n\
         \x20 end do\n  call from_c(5)\nend program\n",
    );
    write("c.c", "void leaf_(int *);\nvoid from_c_(int *n) { for (int i = 0; i < *n; i++) leaf_(&i); }\n");
    let run = |program: &str, args: &[&str]| {
        let out = Command::new(program).args(args).current_dir(dir.path()).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    };
    for level in ["-O0", "-O3"] {
        for source in ["a", "b"] {
            let args =
                ["fc", "-fprofile-trueline", level, "-c", &format!("{source}.f90"), "-o", &format!("{source}.o")];
            run(env!("CARGO_BIN_EXE_trueline"), &args);
        }
        run("cc", &["-O1", "-c", "c.c"]);
        run(env!("CARGO_BIN_EXE_trueline"), &["fc", "-fprofile-trueline", "a.o", "b.o", "c.o", "-o", "t"]);
        let ran = Command::new("./t").current_dir(dir.path()).env("TRUELINE_PROFILE_FILE", "p.json").status().unwrap();
        assert!(ran.success());
        let found = read(&dir.path().join("p.json")).1;
        assert_eq!(get(&found, "leaf").invocations, Some(10 + 10 + 10 + 5), "{level}");
        assert_eq!(get(&found, "mid").invocations, Some(10), "{level}");
    }
}

/// `TRUELINE_EVENTS` makes it as many events as wanted.
#[test]
fn fortran_called_from_threads_loses_no_count() {
    let events: u64 = std::env::var("TRUELINE_EVENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(3_200_000);
    let n = events / 64;
    let dir = tempfile::tempdir().unwrap();
    let source = "recursive subroutine work(n)\n  integer :: n, i, k\n  do i = 1, n\n    k = i\n    do while (k > 3)\n\
                  \x20     k = k / 2\n      if (k == 5) exit\n    end do\n    call leaf(k)\n  end do\nend subroutine\n\
                  recursive subroutine leaf(k)\n  integer :: k\n  if (k > 4) k = 0\nend subroutine\n";
    std::fs::write(dir.path().join("w.f90"), source).unwrap();
    std::fs::write(dir.path().join("c.c"), CALLER.replace("50000", &n.to_string())).unwrap();
    for time in ["none", "all"] {
        let built = Command::new(env!("CARGO_BIN_EXE_trueline"))
            .args(["build", "--profile", "--time", time, "-O3", "w.f90", "c.c", "-o", "t", "-lpthread"])
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let run = |name: &str| {
            let status = Command::new(dir.path().join("t"))
                .current_dir(dir.path())
                .env("TRUELINE_PROFILE_FILE", name)
                .status()
                .unwrap();
            assert!(status.success());
            read(&dir.path().join(name)).1
        };
        let found = run("p.json");
        assert_eq!(get(&found, "work").invocations, Some(8));
        assert_eq!(get(&found, "leaf").invocations, Some(8 * n));
        assert_eq!(get(&found, "do i = 1, n").iterations, Some(8 * n));
        let trips: u64 = (1..=n)
            .map(|i| {
                let (mut k, mut t) = (i, 0);
                while k > 3 {
                    k /= 2;
                    t += 1;
                    if k == 5 {
                        break;
                    }
                }
                t
            })
            .sum();
        assert_eq!(get(&found, "do while (k > 3)").iterations, Some(8 * trips), "--time={time}");
    }
}

/// Forks children, which each run threads, and does the same itself.
const FAMILY: &str = r#"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void work_(int *n);
static int n;
static void *go(void *unused) { work_(&n); return 0; }
static void crew(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, go, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
}
int main(int argc, char **argv) {
    n = atoi(argv[1]);
    for (int i = 0; i < 3; i++)
        if (fork() == 0) { crew(); return 0; }
    crew();
    while (wait(0) > 0) {}
    return 0;
}
"#;

/// Four processes at a time, of each three forks, of each four threads; the sum of all profiles has every event once,
/// in whatever order they are added up. An event is a call, an iteration, or an evaluated condition.
#[test]
fn threads_forks_and_processes_lose_no_count() {
    let events: u64 = std::env::var("TRUELINE_EVENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(3_200_000);
    let processes: u64 = if events > 100_000_000 { 400 } else { 8 };
    let crews = processes * 4;
    // Each iteration is three events: itself, a call, and a condition.
    let n = events.div_ceil(3 * crews * 4);
    let dir = tempfile::tempdir().unwrap();
    let source = "recursive subroutine work(n)\n  integer :: n, i\n  do i = 1, n\n    call leaf(i)\n  end do\nend subroutine\n\
                  recursive subroutine leaf(k)\n  integer :: k\n  if (k < 0) call leaf(k + 1)\nend subroutine\n";
    std::fs::write(dir.path().join("w.f90"), source).unwrap();
    std::fs::write(dir.path().join("c.c"), FAMILY).unwrap();
    let trueline = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(dir.path()).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    };
    trueline(&["build", "--profile", "-O3", "w.f90", "c.c", "-o", "t", "-lpthread"]);
    let start = || {
        let mut t = Command::new(dir.path().join("t"));
        t.arg(n.to_string()).current_dir(dir.path()).env("TRUELINE_PROFILE_FILE", "run.%p.json").spawn().unwrap()
    };
    for _ in 0..processes / 4 {
        let running: Vec<_> = (0..4).map(|_| start()).collect();
        for mut process in running {
            assert!(process.wait().unwrap().success());
        }
    }
    let mut names: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("run."))
        .collect();
    assert_eq!(names.len() as u64, crews);
    names.sort();
    let merge = |to: &str, names: &[String]| {
        let mut args = vec!["merge", "-o", to];
        args.extend(names.iter().map(String::as_str));
        trueline(&args);
        read(&dir.path().join(to)).1
    };
    let sum = merge("sum.json", &names);
    names.reverse();
    let other = merge("other.json", &names);
    let iterations = crews * 4 * n;
    for found in [&sum, &other] {
        assert_eq!(get(found, "work").invocations, Some(crews * 4));
        assert_eq!(get(found, "do i = 1, n").iterations, Some(iterations));
        assert_eq!(get(found, "leaf").invocations, Some(iterations));
        assert_eq!(get(found, "if (k < 0) call leaf(k + 1)").evaluations, Some(iterations));
        assert_eq!(get(found, "if (k < 0) call leaf(k + 1)").taken, Some(vec![0, iterations]));
    }
    assert!(3 * iterations >= events);
}

const GNU: &str = r#"
static int twice(int n) { return n * 2; }
int thrice(int n) { return twice(n) + n; }
int main(void) {
    int sum = 0;
    for (int i = 0; i < 10; i++) sum += thrice(i);
    return sum == 135 ? 0 : 1;
}
"#;

#[test]
fn objects_of_finstrument_functions_get_procedure_profiles() {
    let (profile, found) = run("gcc", &[("t.c", GNU)], &["-O0", "-finstrument-functions"]);
    assert_eq!(get(&found, "main").invocations, Some(1));
    assert_eq!(get(&found, "twice").invocations, Some(10));
    let serial = |name: &str| profile.constructs.iter().find(|c| c.text == name).unwrap().serial;
    let edge = |a: &str, b: &str| profile.edges.iter().find(|e| e.caller == serial(a) && e.callee == serial(b));
    assert_eq!(edge("thrice", "twice").unwrap().calls, 10);
    assert!(edge("main", "twice").is_none());
}

const GFORTRAN: &str = r#"
module trueline
  use, intrinsic :: iso_c_binding
  type, bind(c) :: record
    type(c_ptr) :: name = c_null_ptr
    integer(c_int32_t) :: construct = 0, id = 0
  end type
  interface
    subroutine start_procedure(name, r) bind(c, name="trueline_start_procedure")
      import; character(kind=c_char), intent(in) :: name(*); type(record) :: r
    end subroutine
    subroutine end_procedure() bind(c, name="trueline_end_procedure")
    end subroutine
    subroutine start_loop(name, r, entry) bind(c, name="trueline_start_loop")
      import; character(kind=c_char), intent(in) :: name(*); type(record) :: r
      integer(c_int32_t), value :: entry
    end subroutine
    subroutine incr_loop() bind(c, name="trueline_incr_loop")
    end subroutine
    subroutine end_loop() bind(c, name="trueline_end_loop")
    end subroutine
  end interface
end module
program p
  use trueline
  type(record), save :: own, inner
  integer :: i
  call start_procedure("t.f90:24: p" // c_null_char, own)
  call start_loop("t.f90:29: do i" // c_null_char, inner, 1)
  do i = 1, 5
    call incr_loop()
  end do
  call end_loop()
  call end_procedure()
end program
"#;

#[test]
fn gfortran_calls_the_profile_runtime() {
    let found = Command::new("gfortran").arg("--version").output().is_ok();
    assert!(found || std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "gfortran is missing where no test may skip");
    if !found {
        return;
    }
    let (_, found) = run("gfortran", &[("t.f90", GFORTRAN)], &["-O2"]);
    assert_eq!(get(&found, "p").invocations, Some(1));
    assert_eq!(get(&found, "do i").iterations, Some(5));
}

const OPENUH: &str = r#"
#include <stdint.h>
struct profile_gen_struct {
    int64_t pu_handle; char *file_name, *pu_name;
    int32_t id, linenum, endline, subtype, taken; char *callee;
    int32_t target, num_target; void *called_fun_address, *data;
};
void __profile_init(void *);
void *__profile_pu_init(char *, char *, long, int32_t, int32_t);
void __profile_invoke(struct profile_gen_struct *);
void __profile_invoke_exit(struct profile_gen_struct *);
void __profile_loop(struct profile_gen_struct *);
void __profile_loop_iter(struct profile_gen_struct *);
void __profile_loop_exit(struct profile_gen_struct *);
void __profile_branch(struct profile_gen_struct *);
void __profile_finish(void);
static struct profile_gen_struct unit = {.file_name = "bt.f", .pu_name = "adi", .linenum = 7};
static struct profile_gen_struct loop = {.file_name = "bt.f", .pu_name = "adi", .id = 2, .linenum = 9};
static struct profile_gen_struct branch = {.file_name = "bt.f", .pu_name = "adi", .id = 3, .linenum = 10};
int main(void) {
    __profile_init(0);
    __profile_pu_init("bt.f", "adi", 1, 0, 0);
    for (int k = 0; k < 3; k++) {
        __profile_invoke(&unit);
        __profile_loop(&loop);
        for (int i = 0; i < k; i++) {
            __profile_loop_iter(&loop);
            branch.taken = i == 0;
            __profile_branch(&branch);
        }
        __profile_loop_exit(&loop);
        __profile_invoke_exit(&unit);
    }
    __profile_finish();
    return 0;
}
"#;

#[test]
fn the_routines_of_openuh() {
    let (profile, found) = run("cc", &[("t.c", OPENUH)], &["-O2"]);
    assert_eq!(get(&found, "adi").invocations, Some(3));
    let counts = get(&found, "loop 2 of adi");
    assert_eq!((counts.invocations, counts.iterations, counts.zero_trips), (Some(3), Some(3), Some(1)));
    assert_eq!(get(&found, "branch 3 of adi").taken, Some(vec![2, 1]));
    assert!(profile.constructs.iter().any(|c| c.text == "adi" && c.file == "bt.f" && c.line == 7));
}
