//! No count is lost or doubled, in whatever kind of build: objects made one by one, shared libraries, also those loaded while
//! threads run; threads of any origin, forks, handlers of signals, kills.

use crate::build::counts;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use trueline_abi::profile::Counts;

/// A procedure with a loop and calls of another file.
const WORK: &str = "recursive subroutine work(n)
  integer :: n, i
  do i = 1, n
    call leaf(i)
  end do
end subroutine
";

/// The same with so much to do that it is timed, though its calls are not known.
const LONG_WORK: &str = "recursive subroutine work(n)
  integer :: n, i, j
  real(8) :: x
  common /sink/ x
  do i = 1, n
    call leaf(i)
    do j = 1, 20
      x = x * 0.5d0 + j
    end do
  end do
end subroutine
";

const LEAF: &str = "recursive subroutine leaf(k)
  integer :: k
  if (k < 0) call leaf(k + 1)
end subroutine
";

/// Calls the C function `act` on each trip, while the address of the counters is in a register or on the stack.
const AROUND: &str = "recursive subroutine around(n)
  integer :: n, i
  do i = 1, n
    call act(i)
    if (mod(i, 2) == 0) call leaf(i)
  end do
end subroutine
";

fn run(directory: &Path, program: &str, arguments: &[&str]) {
    let out = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    assert!(out.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
}

/// Compiles the sources one by one; C with the system's compiler.
fn compile(directory: &Path, sources: &[(&str, &str)], options: &[&str]) -> Vec<String> {
    let mut objects = Vec::new();
    for (name, text) in sources {
        std::fs::write(directory.join(name), text).unwrap();
        let object = format!("{name}.o");
        let own = ["-c", name, "-o", &object];
        if name.ends_with(".c") {
            run(directory, "cc", &[&["-O1", "-fPIC"][..], &own].concat());
        } else {
            run(
                directory,
                env!("CARGO_BIN_EXE_trueline"),
                &[&["fc", "-fprofile-trueline"][..], options, &own].concat(),
            );
        }
        objects.push(object);
    }
    objects
}

/// Links objects with the compiler.
fn link(directory: &Path, objects: &[String], options: &[&str], output: &str) {
    let mut arguments = vec!["fc", "-fprofile-trueline"];
    arguments.extend(objects.iter().map(String::as_str));
    arguments.extend(options);
    arguments.extend(["-pthread", "-o", output]);
    run(directory, env!("CARGO_BIN_EXE_trueline"), &arguments);
}

/// Runs a program with profiles in a folder of their own; how it ended, and the counts of all profiles, the sum of the
/// program and its children.
fn profiles(directory: &Path, program: &str, arguments: &[&str]) -> (ExitStatus, Vec<BTreeMap<String, Counts>>) {
    let folder = directory.join("profiles");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let status = Command::new(directory.join(program))
        .args(arguments)
        .current_dir(directory)
        .env("TRUELINE_PROFILE_FILE", folder.join("%p.json"))
        .status()
        .unwrap();
    (status, read(&folder))
}

fn read(folder: &Path) -> Vec<BTreeMap<String, Counts>> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let bytes = std::fs::read(&path).unwrap();
            let profile = trueline_report::read(&bytes).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            out.push(counts(&serde_json::to_string(&profile).unwrap()).unwrap());
        }
    }
    out
}

/// The number of calls of a procedure, in all profiles.
fn calls(found: &[BTreeMap<String, Counts>], name: &str) -> u64 {
    sum(found, name, |c| c.invocations)
}

fn trips(found: &[BTreeMap<String, Counts>], loop_text: &str) -> u64 {
    sum(found, loop_text, |c| c.iterations)
}

fn sum(found: &[BTreeMap<String, Counts>], name: &str, value: impl Fn(&Counts) -> Option<u64>) -> u64 {
    let of =
        |f: &BTreeMap<String, Counts>| f.iter().find(|(k, _)| k.ends_with(&format!(" {name}"))).map(|(_, c)| value(c));
    found.iter().filter_map(of).flatten().sum()
}

/// Four threads at once, then short ones one after the other, each of which takes over a block.
const MANY: &str = r#"
#include <pthread.h>
#include <stdlib.h>
void work_(int *n);
static int n, few = 100;
static void *much(void *p) { work_(&n); return 0; }
static void *little(void *p) { work_(&few); return 0; }
int main(int argc, char **argv) {
    pthread_t t[4];
    n = atoi(argv[1]);
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, much, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    for (int k = 0; k < 100; k++) {
        for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, little, 0);
        for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    }
    work_(&few);
    return 0;
}
"#;

/// `TRUELINE_EVENTS` makes it as many events as wanted.
#[test]
fn threads_count_exactly_in_objects_made_one_by_one() {
    let events: u64 = std::env::var("TRUELINE_EVENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(3_200_000);
    let n = events / 16;
    let dir = tempfile::tempdir().unwrap();
    for (level, linked) in [("-O0", "-pie"), ("-O3", "-no-pie"), ("-O3", "-pie")] {
        let objects = compile(dir.path(), &[("w.f90", WORK), ("l.f90", LEAF), ("c.c", MANY)], &[level]);
        link(dir.path(), &objects, &[linked], "t");
        let (status, found) = profiles(dir.path(), "t", &[&n.to_string()]);
        assert!(status.success());
        let all = 4 * n + 401 * 100;
        assert_eq!(calls(&found, "work"), 4 + 401, "{level} {linked}");
        assert_eq!(trips(&found, "do i = 1, n"), all, "{level} {linked}");
        assert_eq!(calls(&found, "leaf"), all, "{level} {linked}");
    }
}

/// Loads a library while threads run, and has them, later ones and a child call it.
const HOST: &str = r#"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static void (*volatile work)(int *);
static pthread_barrier_t loaded;
static int n = 200000, few = 100;
static void *early(void *p) { pthread_barrier_wait(&loaded); work(&n); return 0; }
static void *late(void *p) { work(&few); return 0; }
int main(int argc, char **argv) {
    pthread_t t[4];
    pthread_barrier_init(&loaded, 0, 5);
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, early, 0);
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) { puts(dlerror()); return 1; }
    work = (void (*)(int *))dlsym(library, "work_");
    pthread_barrier_wait(&loaded);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    for (int i = 0; i < 50; i++) { pthread_create(&t[0], 0, late, 0); pthread_join(t[0], 0); }
    if (fork() == 0) { work(&few); return 0; }
    wait(0);
    work(&few);
    if (argc > 2) dlclose(library);
    return 0;
}
"#;

#[test]
fn libraries_loaded_while_threads_run_count_exactly() {
    let dir = tempfile::tempdir().unwrap();
    let objects = compile(dir.path(), &[("w.f90", WORK), ("l.f90", LEAF)], &["-O2", "-fPIC"]);
    link(dir.path(), &objects, &["-shared"], "libw.so");
    std::fs::write(dir.path().join("h.c"), HOST).unwrap();
    run(dir.path(), "cc", &["-O1", "h.c", "-o", "h", "-ldl", "-lpthread"]);
    for arguments in [&["./libw.so"][..], &["./libw.so", "close"]] {
        let (status, found) = profiles(dir.path(), "h", arguments);
        assert!(status.success(), "{arguments:?}: {status}");
        assert_eq!(found.len(), 2);
        let all = 4 * 200_000 + 52 * 100;
        assert_eq!(calls(&found, "work"), 4 + 52, "{arguments:?}");
        assert_eq!((trips(&found, "do i = 1, n"), calls(&found, "leaf")), (all, all), "{arguments:?}");
    }
}

/// Counts before `main`, in handlers of signals, in a child that shares the memory of its parent, and in children of children.
const CORNERS: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void work_(int *n);
static volatile long hits;
static volatile int over;
static int n = 400, few = 3, one = 1;
static void on(int s) { work_(&few); __atomic_fetch_add(&hits, 1, __ATOMIC_RELAXED); }
static void *busy(void *p) { while (!over) work_(&n), __atomic_fetch_add((long *)p, 1, __ATOMIC_RELAXED); return 0; }
/* Its first count is in a handler. */
static void *idle(void *p) { while (!over) usleep(1000); return 0; }
__attribute__((constructor(101))) static void before_main(void) { work_(&one); }
int main(int argc, char **argv) {
    struct sigaction a = { .sa_handler = on, .sa_flags = SA_RESTART };
    sigaction(SIGURG, &a, 0);
    static long rounds;
    pthread_t t[4];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, busy, &rounds);
    pthread_create(&t[3], 0, idle, 0);
    /* On a busy machine many signals to a thread come as one. */
    for (int i = 0; i < 400 || (__atomic_load_n(&hits, __ATOMIC_RELAXED) <= 100 && i < 100000); i++) {
        pthread_kill(t[i % 4], SIGURG);
        usleep(100);
    }
    over = 1;
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    if (vfork() == 0) { work_(&one); execl("/bin/true", "true", (char *)0); _exit(1); }
    wait(0);
    if (fork() == 0) {
        work_(&one);
        if (fork() == 0) { work_(&one); exit(0); }
        wait(0);
        exit(0);
    }
    wait(0);
    printf("%ld %ld\n", hits, rounds);
    return 0;
}
"#;

#[test]
fn handlers_constructors_and_children_lose_no_count() {
    let dir = tempfile::tempdir().unwrap();
    let objects = compile(dir.path(), &[("c.c", CORNERS), ("w.f90", WORK), ("l.f90", LEAF)], &["-O2"]);
    link(dir.path(), &objects, &[], "t");
    let folder = dir.path().join("profiles");
    std::fs::create_dir(&folder).unwrap();
    let out = Command::new(dir.path().join("t"))
        .current_dir(dir.path())
        .env("TRUELINE_PROFILE_FILE", folder.join("%p.json"))
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8_lossy(&out.stdout);
    let told: Vec<u64> = text.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let (hits, rounds) = (told[0], told[1]);
    assert!(hits > 100, "only {hits} signals came");
    let found = read(&folder);
    assert_eq!(found.len(), 3);
    // Before `main`, after `vfork`, in the child and its child.
    assert_eq!(calls(&found, "work"), hits + rounds + 4);
    let all = 3 * hits + 400 * rounds + 4;
    assert_eq!((trips(&found, "do i = 1, n"), calls(&found, "leaf")), (all, all));
}

/// Forks where it is called, and goes on in both.
const FORKING: &str = r#"
#include <stdlib.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
void around_(int *n);
void act_(int *i) { if (*i == 400) { if (fork() != 0) wait(0); } }
static int n = 1000;
static void *go(void *p) { around_(&n); if (p) exit(0); return 0; }
int main(int argc, char **argv) {
    pthread_t t;
    if (argc > 1) { pthread_create(&t, 0, go, &t); pthread_join(t, 0); }
    go(0);
    return 0;
}
"#;

/// In the middle of a loop, in the first thread and in another one: parent and child each count their own calls.
#[test]
fn a_fork_inside_a_loop_counts_in_both_processes() {
    let dir = tempfile::tempdir().unwrap();
    let sources = [("c.c", FORKING), ("a.f90", AROUND), ("l.f90", LEAF)];
    for level in ["-O0", "-O3"] {
        let objects = compile(dir.path(), &sources, &[level]);
        link(dir.path(), &objects, &[], "t");
        for arguments in [&[][..], &["thread"]] {
            let (status, found) = profiles(dir.path(), "t", arguments);
            assert!(status.success(), "{level} {arguments:?}: {status}");
            assert_eq!(found.len(), 2, "{level} {arguments:?}");
            assert_eq!(calls(&found, "around"), 1, "{level} {arguments:?}");
            // The child does the second half once more.
            let mut by_process: Vec<u64> = found.iter().map(|f| calls(std::slice::from_ref(f), "leaf")).collect();
            by_process.sort_unstable();
            assert_eq!(by_process, [301, 500], "{level} {arguments:?}");
        }
    }
}

/// Threads without end.
const ENDLESS: &str = r#"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
void work_(int *n);
static int n = 1000;
static void *go(void *p) { for (;;) work_(&n); return 0; }
int main(int argc, char **argv) {
    pthread_t t;
    for (int i = 0; i < 3; i++) pthread_create(&t, 0, go, 0);
    if (argc > 1) { for (int i = 0; i < 1000; i++) work_(&n); _exit(7); }
    go(0);
    return 0;
}
"#;

/// A kill at any instant, or `_exit`: each thread has counted all but at most one call.
#[test]
fn killed_threads_leave_what_they_counted() {
    let kills: u64 = std::env::var("TRUELINE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(8);
    let dir = tempfile::tempdir().unwrap();
    let objects = compile(dir.path(), &[("w.f90", WORK), ("l.f90", LEAF), ("c.c", ENDLESS)], &["-O2"]);
    link(dir.path(), &objects, &[], "t");
    let check = |found: &[BTreeMap<String, Counts>], least: u64| {
        assert_eq!(found.len(), 1);
        let (leaf, evaluated) = (calls(found, "leaf"), sum(found, "if (k < 0) call leaf(k + 1)", |c| c.evaluations));
        assert!(leaf.abs_diff(evaluated) <= 4, "{leaf} calls, {evaluated} conditions");
        assert!(leaf >= least, "{leaf} calls");
    };
    for k in 0..kills {
        let folder = dir.path().join("killed");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let file = folder.join("p.json");
        let mut t = Command::new(dir.path().join("t")).env("TRUELINE_PROFILE_FILE", &file).spawn().unwrap();
        while !file.exists() {
            std::thread::yield_now();
        }
        std::thread::sleep(std::time::Duration::from_micros(k * 7919 % 50_000));
        t.kill().unwrap();
        assert_eq!(t.wait().unwrap().signal(), Some(9));
        check(&read(&folder), 0);
    }
    let (status, found) = profiles(dir.path(), "t", &["exit"]);
    assert_eq!(status.code(), Some(7));
    check(&found, 1_000_000);
}

/// The code of objects made one by one adds to counters of the thread, without a lock.
#[test]
#[cfg(target_arch = "x86_64")]
fn no_counter_is_locked() {
    use object::{Object, ObjectSection, RelocationFlags, SectionKind};
    let dir = tempfile::tempdir().unwrap();
    for level in ["-O0", "-O3"] {
        for name in compile(dir.path(), &[("w.f90", WORK), ("l.f90", LEAF), ("a.f90", AROUND)], &[level]) {
            let bytes = std::fs::read(dir.path().join(&name)).unwrap();
            let file = object::File::parse(&*bytes).unwrap();
            let text: Vec<_> = file.sections().filter(|s| s.kind() == SectionKind::Text).collect();
            // lock add, with a constant, with a register, and its older form.
            for add in [[0xf0, 0x48, 0x83], [0xf0, 0x48, 0x01], [0xf0, 0x48, 0x0f]] {
                let found = |s: &object::Section<'_, '_>| s.data().unwrap().windows(3).any(|w| w == add);
                assert!(!text.iter().any(found), "{name} at {level}");
            }
            let own = RelocationFlags::Elf { r_type: object::elf::R_X86_64_GOTTPOFF };
            let words = text.iter().flat_map(|s| s.relocations()).filter(|(_, r)| r.flags() == own).count();
            assert!(words > 0, "{name} at {level}");
        }
    }
}

/// A main program that calls a shared library, and forks in the middle of that. `argv[1]` says how it goes on: it is killed,
/// ends by itself, or is ended by the library.
const CALLS_LIBRARY: &str = "program main
  integer :: i, k
  do i = 1, 40
    call work(500)
    call own(i)
    if (i == 20) call act(i)
  end do
contains
  subroutine own(k)
    integer, intent(in) :: k
    if (k > 30) call leaf(k)
  end subroutine
end program
";

/// Threads enter the library and the program; a child, too.
const ACTS: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
void work_(int *n);
void leaf_(int *k);
static int few = 100, one = 1;
static void *go(void *p) { for (int i = 0; i < 10; i++) { work_(&few); leaf_(&one); } return 0; }
void act_(int *i) {
    pthread_t t[4];
    for (int k = 0; k < 4; k++) pthread_create(&t[k], 0, go, 0);
    for (int k = 0; k < 4; k++) pthread_join(t[k], 0);
    const char *how = getenv("HOW");
    if (how && *how == 'k') kill(getpid(), SIGKILL);
    if (how && *how == 't') kill(getpid(), SIGTERM);
    if (fork() != 0) wait(0);
}
"#;

/// The executable and two libraries have profiled objects and runtimes of their own: the process has one profile, in which all
/// counts are, and times nest across the files.
#[test]
fn an_executable_and_its_libraries_have_one_profile() {
    let dir = tempfile::tempdir().unwrap();
    for (name, source, needs) in [("l", LEAF, &[][..]), ("w", LONG_WORK, &["-L.", "-ll"])] {
        let objects = compile(dir.path(), &[(&format!("{name}.f90"), source)], &["-O2", "-fPIC"]);
        link(dir.path(), &objects, &[&["-shared"][..], needs].concat(), &format!("lib{name}.so"));
    }
    let objects = compile(dir.path(), &[("m.f90", CALLS_LIBRARY), ("a.c", ACTS)], &["-O2"]);
    link(dir.path(), &objects, &["-L.", "-lw", "-ll", "-Wl,-rpath,.", "-Wl,-rpath-link,."], "t");
    let run = |how: &str| {
        let folder = dir.path().join("profiles");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let mut t = Command::new(dir.path().join("t"));
        t.current_dir(dir.path()).env("TRUELINE_PROFILE_FILE", folder.join("%p.json")).env("HOW", how);
        let status = t.status().unwrap();
        (status, read(&folder), folder)
    };
    let (status, found, folder) = run("end");
    assert!(status.success(), "{status}");
    assert_eq!(found.len(), 2, "one of the parent and one of the child");
    // Twenty calls before the fork, twenty after it in each process; threads call once.
    let (in_work, in_threads) = (20 * 500 * 3, 40 * 100);
    assert_eq!(calls(&found, "work"), 3 * 20 + 40);
    assert_eq!(trips(&found, "do i = 1, n"), in_work + in_threads);
    assert_eq!(calls(&found, "leaf"), in_work + in_threads + 40 + 2 * 10);
    // The child goes on in the middle of the loop.
    assert_eq!(trips(&found, "do i = 1, 40"), 40 + 20);
    for entry in std::fs::read_dir(&folder).unwrap() {
        let profile = trueline_report::read(&std::fs::read(entry.unwrap().path()).unwrap()).unwrap();
        one_stack(&profile);
    }
    for (how, signal) in [("kill", 9), ("term", 15)] {
        let (status, found, _) = run(how);
        assert_eq!(status.signal(), Some(signal));
        assert_eq!(found.len(), 1, "{how}");
        assert_eq!(calls(&found, "work"), 20 + 40, "{how}");
        assert_eq!(calls(&found, "leaf"), 20 * 500 + in_threads + 40, "{how}");
    }
    // A program without counters of its own does not take those of a library for its own.
    let plain = [
        "fc",
        "-O2",
        "m.f90",
        "a.c.o",
        "-L.",
        "-lw",
        "-ll",
        "-Wl,-rpath,.",
        "-Wl,-rpath-link,.",
        "-pthread",
        "-o",
        "t",
    ];
    run_trueline(dir.path(), &plain);
    let (status, found, _) = run("end");
    assert!(status.success());
    assert_eq!((found.len(), calls(&found, "work"), trips(&found, "do i = 1, 40")), (2, 3 * 20 + 40, 0));
    assert_eq!(found[0].keys().filter(|k| k.ends_with(" work")).count(), 1, "{:?}", found[0].keys());
}

fn run_trueline(directory: &Path, arguments: &[&str]) {
    run(directory, env!("CARGO_BIN_EXE_trueline"), arguments);
}

/// The time of the library is in that of the program that calls it, and no time is there twice.
fn one_stack(profile: &trueline_abi::profile::Profile) {
    let time = |text: &str| profile.constructs.iter().find(|c| c.text == text).and_then(|c| c.time);
    let (outer, inner) = (time("do i = 1, 40").unwrap(), time("work").unwrap());
    let threads: u64 = profile.processors.iter().filter(|p| p.thread != 0).filter_map(|p| p.elapsed_ns).sum();
    assert!(inner.inclusive_ns <= outer.inclusive_ns + threads, "{inner:?} in {outer:?}");
    let own: u64 = profile.constructs.iter().filter_map(|c| c.time).map(|t| t.exclusive_ns).sum();
    let whole: u64 = profile.processors.iter().filter_map(|p| p.elapsed_ns).sum();
    assert!(own <= whole + whole / 100, "{own} of {whole}");
}
