//! Trips of loops: a histogram with minimum and maximum, compared with the notes that programs keep of their own loops,
//! over threads, kills and sums of profiles.

use crate::build::root;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use trueline_abi::profile::{Construct, Profile};
use trueline_abi::trips::least_of;

fn run(directory: &Path, program: &str, arguments: &[&str]) -> String {
    let out = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env("TRUELINE_PROFILE_FILE", directory.join("out.json"))
        .output()
        .unwrap();
    assert!(out.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn fc(directory: &Path, arguments: &[&str]) {
    run(directory, env!("CARGO_BIN_EXE_trueline"), &[&["fc", "-fprofile-trueline=all"][..], arguments].concat());
}

fn profile(directory: &Path) -> Profile {
    trueline_report::read(&std::fs::read(directory.join("out.json")).unwrap()).unwrap()
}

/// The loop on the line of `source` that ends with the comment `! mark`.
fn marked<'a>(profile: &'a Profile, source: &str, mark: &str) -> &'a Construct {
    let line = source.lines().position(|l| l.ends_with(&format!("! {mark}"))).expect("a line with the mark") + 1;
    let is_loop = |c: &&Construct| c.line as usize == line && c.counts.iterations.is_some();
    profile.constructs.iter().find(is_loop).unwrap_or_else(|| panic!("no loop on line {line}"))
}

/// Whether the profile agrees with the output of the program: minimum, maximum and all buckets of each mark.
fn same(profile: &Profile, source: &str, printed: &str, how: &str) {
    let mut loops = 0;
    for line in printed.lines().filter(|l| l.starts_with('L')) {
        let (mark, numbers) = line.split_once(' ').unwrap();
        let n: Vec<u64> = numbers.split_whitespace().map(|w| w.parse().unwrap()).collect();
        let buckets = n[2..].iter().enumerate().filter(|(_, n)| **n > 0).map(|(k, &n)| (least_of(k), n)).collect();
        let counts = &marked(profile, source, mark).counts;
        let got = (counts.min_trips, counts.max_trips, counts.zero_trips, counts.trips.clone());
        assert_eq!(got, (Some(n[0]), Some(n[1]), Some(n[2]), Some(buckets)), "{mark} {how}");
        loops += 1;
    }
    assert_eq!(loops, 13, "{printed}");
}

#[test]
fn trips_are_what_programs_note_themselves() {
    let source = std::fs::read_to_string(root().join("tests/trips/direct.f90")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("direct.f90"), &source).unwrap();
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        fc(dir.path(), &[level, "direct.f90", "-o", "direct"]);
        let printed = run(dir.path(), "./direct", &[]);
        same(&profile(dir.path()), &source, &printed, level);
    }
    // File by file: the module and the program.
    let (module, program) = source.split_at(source.find("program p\n").unwrap());
    let lines = "\n".repeat(module.lines().count());
    std::fs::write(dir.path().join("m.f90"), module).unwrap();
    std::fs::write(dir.path().join("p.f90"), lines + program).unwrap();
    for file in ["m.f90", "p.f90"] {
        fc(dir.path(), &["-O3", "-c", file]);
    }
    fc(dir.path(), &["m.o", "p.o", "-o", "parts"]);
    let printed = run(dir.path(), "./parts", &[]);
    same(&profile(dir.path()), &source, &printed, "file by file");
}

/// A loop with few operations an entry has no histogram in builds with a budget, and the profile says why; its entries and iterations are
/// the same.
#[test]
fn dear_trips_are_for_who_asks() {
    let dir = tempfile::tempdir().unwrap();
    let source = "subroutine find(a, n, x, at)
  integer :: n, a(n), x, at
  do at = 1, n                ! search
    if (a(at) == x) exit
  end do
end subroutine
program p
  integer :: a(100), i, at, k
  real(8) :: s(300), t
  a = [(i, i = 1, 100)]
  do i = 1, 90
    call find(a, 100, i, at)
  end do
  t = 0d0
  do k = 1, 20
    do i = 1, 15 * k          ! long
      s(i) = sqrt(i * 1d0) + sin(k * 1d0 * i) * cos(i * 2d0) + exp(-k * 1d0 * i) + log(1d0 + i * k) + tan(k * 1d0) * atan(i * 1d0)
      t = t + s(i)
    end do
  end do
  print *, at, t > 0
end program
";
    std::fs::write(dir.path().join("s.f90"), source).unwrap();
    let of = |how: &str, mark: &str| {
        run(dir.path(), env!("CARGO_BIN_EXE_trueline"), &["fc", how, "-O2", "s.f90", "-o", "s"]);
        run(dir.path(), "./s", &[]);
        marked(&profile(dir.path()), source, mark).counts.clone()
    };
    let (usual, all) = (of("-fprofile-trueline", "search"), of("-fprofile-trueline=all", "search"));
    assert_eq!((usual.invocations, usual.iterations), (all.invocations, all.iterations));
    assert!(usual.trips.is_none() && usual.trips_unknown.is_some_and(|why| why.contains("--overhead=none")));
    assert_eq!(all.trips.map(|t| t.iter().map(|t| t.1).sum()), Some(90));
    assert_eq!(of("-fprofile-trueline", "long").trips, of("-fprofile-trueline=all", "long").trips);
    assert_eq!(of("-fprofile-trueline", "long").max_trips, Some(300));
}

/// Entries are the sum of the buckets, and counts beside them stay unchanged.
#[test]
fn entries_are_the_sum_of_the_buckets() {
    let source = std::fs::read_to_string(root().join("tests/trips/direct.f90")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("direct.f90"), &source).unwrap();
    fc(dir.path(), &["-O3", "direct.f90", "-o", "direct"]);
    run(dir.path(), "./direct", &[]);
    let profile = profile(dir.path());
    let loops: Vec<_> = profile.constructs.iter().filter(|c| c.counts.iterations.is_some()).collect();
    for c in &loops {
        let trips = c.counts.trips.as_deref().unwrap_or_else(|| panic!("line {}: {:?}", c.line, c.counts));
        assert_eq!(trips.iter().map(|t| t.1).sum::<u64>(), c.counts.invocations.unwrap(), "line {}", c.line);
        let least: u64 = trips.iter().map(|t| t.0 * t.1).sum();
        let iterations = c.counts.iterations.unwrap();
        assert!(least <= iterations && iterations <= 2 * least, "line {}", c.line);
    }
    assert!(loops.len() > 15);
    // In the sum of the profile with itself the counts are twice as many, and minimum and maximum the same.
    run(dir.path(), env!("CARGO_BIN_EXE_trueline"), &["merge", "out.json", "out.json", "-o", "sum.json"]);
    let one = profile;
    let sum: Profile = trueline_report::read(&std::fs::read(dir.path().join("sum.json")).unwrap()).unwrap();
    for (a, b) in one.constructs.iter().zip(&sum.constructs) {
        let twice = a.counts.trips.clone().map(|t| t.into_iter().map(|(least, n)| (least, 2 * n)).collect::<Vec<_>>());
        assert_eq!(b.counts.trips, twice);
        assert_eq!((a.counts.min_trips, a.counts.max_trips), (b.counts.min_trips, b.counts.max_trips));
    }
}

const THREADS: &str = "
#include <pthread.h>
void work_(int *n);
static void *go(void *p) { for (int n = 3; n <= *(int *) p; n++) work_(&n); return 0; }
int main(void) {
    pthread_t t[4];
    int most[4] = {10, 100, 7, 1000};
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, go, &most[i]);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return 0;
}
";

/// Each thread has a histogram of its own: the sums are those of all, minimum and maximum those over all.
#[test]
fn threads_have_one_histogram() {
    let dir = tempfile::tempdir().unwrap();
    let work = "recursive subroutine work(n)
  integer, intent(in) :: n
  integer :: i, k
  integer, save :: seen(1000) = 0
  do i = 1, n                 ! counted
    seen(i) = i
  end do
  do i = 1, n                 ! left
    k = i
    if (i * 2 > n) exit
  end do
end subroutine
";
    std::fs::write(dir.path().join("work.f90"), work).unwrap();
    std::fs::write(dir.path().join("main.c"), THREADS).unwrap();
    run(dir.path(), "cc", &["-c", "main.c"]);
    for level in ["-O0", "-O3"] {
        fc(dir.path(), &[level, "-c", "work.f90"]);
        fc(dir.path(), &["work.o", "main.o", "-pthread", "-o", "threads"]);
        run(dir.path(), "./threads", &[]);
        let profile = profile(dir.path());
        let entered = || [10, 100, 7, 1000].into_iter().flat_map(|most| 3..=most);
        for (mark, trips) in [("counted", (|n| n) as fn(u64) -> u64), ("left", |n| n / 2 + 1)] {
            let mut all = trueline_abi::trips::TripCounts::default();
            entered().for_each(|n| all.add(trips(n), 1));
            let counts = &marked(&profile, work, mark).counts;
            assert_eq!(counts.trips, Some(all.histogram()), "{mark} {level}");
            assert_eq!(counts.min_trips.zip(counts.max_trips), all.range(), "{mark} {level}");
        }
    }
}

/// Counts made before a kill stay.
#[test]
fn a_killed_program_keeps_its_trips() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program p
  implicit none
  external act
  integer :: i, k
  real :: a(100)
  do k = 1, 20
    do i = 1, k               ! done
      a(i) = k
    end do
    call act(k)
  end do
end program
";
    let act = "#include <signal.h>\nvoid act_(int *k) { if (*k == 13) raise(SIGKILL); }\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    std::fs::write(dir.path().join("act.c"), act).unwrap();
    run(dir.path(), "cc", &["-c", "act.c"]);
    for level in ["-O0", "-O3"] {
        fc(dir.path(), &[level, "p.f90", "act.o", "-o", "p"]);
        let file = dir.path().join("out.json");
        let _ = std::fs::remove_file(&file);
        let status = Command::new(dir.path().join("p")).env("TRUELINE_PROFILE_FILE", &file).status().unwrap();
        assert_eq!(status.signal(), Some(9));
        let profile = profile(dir.path());
        let counts = &marked(&profile, source, "done").counts;
        let trips = counts.trips.clone().unwrap();
        assert_eq!(trips, [(1, 1), (2, 2), (4, 4), (8, 6)], "{level}");
        assert_eq!((counts.min_trips, counts.max_trips), (Some(1), Some(13)), "{level}");
    }
}

/// The trips of a loop that is left by one of several labels; without the step that gives each way out a jump of its own they are not
/// known, and the profile says why. Its counts are known in any case.
#[test]
fn left_by_one_of_several_labels() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program p
  integer :: i, k, n
  n = 0
  do k = -3, 3
    do i = 1, 4               ! left
      if (k * i) 10, 20, 20
20    n = n + 1
    end do
10  continue
  end do
  print *, n
end program
";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    for (options, is_known) in [(&["-O0"][..], true), (&["-O3"], true), (&["-O3", "--opt-bisect=1"], false)] {
        let build = ["build", "--profile", "--overhead=none", "p.f90", "-o", "p"];
        run(dir.path(), env!("CARGO_BIN_EXE_trueline"), &[&build[..], options].concat());
        run(dir.path(), "./p", &[]);
        let profile = profile(dir.path());
        let counts = &marked(&profile, source, "left").counts;
        assert_eq!((counts.invocations, counts.iterations), (Some(7), Some(19)));
        assert_eq!(counts.trips, is_known.then(|| vec![(1, 3), (4, 4)]));
        let reason = (!is_known).then_some("it is left by a computed GOTO or an arithmetic IF");
        assert_eq!(counts.trips_unknown.as_deref(), reason);
    }
}

/// The text and the table show the trips of most entries.
#[test]
fn reports_tell_of_trips() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program p
  integer :: i, k
  real :: a(1000)
  do k = 1, 100
    do i = 1, merge(0, 500 + k, mod(k, 50) == 0)
      a(i) = k
    end do
  end do
  print *, a(1)
end program
";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    fc(dir.path(), &["-O2", "p.f90", "-o", "p"]);
    run(dir.path(), "./p", &[]);
    let show = |args: &[&str]| run(dir.path(), env!("CARGO_BIN_EXE_trueline"), args);
    let text = show(&["report", "--view", "statements", "out.json"]);
    assert!(text.contains("0..599, mostly 512..599, 2 % none"), "{text}");
    let csv = show(&["report", "--csv", "out.json"]);
    assert!(csv.contains(",0:2/256:11/512:87,\r\n"), "{csv}");
}

/// A loop that is in the middle of an entry when the program forks is left in both processes: each has the trips of that entry, as many as
/// it made in all, while the entry is counted once. Other entries stand in the process that made them.
#[test]
fn a_fork_in_a_loop_leaves_it_twice() {
    let dir = tempfile::tempdir().unwrap();
    let source = "subroutine work(n, k, limit)
  implicit none
  integer, intent(in) :: n, limit
  integer, intent(inout) :: k
  integer :: i
  do i = 1, n                 ! counted
    call act(i)
    k = k + i
  end do
  i = 0
  do while (i < n)            ! while
    i = i + 1
    call act(i)
  end do
  do i = 1, n                 ! left
    call act(-i)
    if (i == limit) exit
  end do
end subroutine
program p
  implicit none
  integer :: k, j
  k = 0
  do j = 1, 10
    call work(j*10, k, 7)
  end do
end program
";
    let act = "#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\nstatic int calls;\n\
        void act_(int *i) { if (++calls == atoi(getenv(\"FORK_AT\")) && fork() != 0) wait(0); }\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    std::fs::write(dir.path().join("act.c"), act).unwrap();
    run(dir.path(), "cc", &["-c", "act.c"]);
    // Calls of the first entries of the three loops: 1 to 10, 11 to 20, 21 to 27.
    for (level, at) in ["-O0", "-O3"].into_iter().flat_map(|l| [(l, 5), (l, 12), (l, 25)]) {
        fc(dir.path(), &[level, "p.f90", "act.o", "-o", "p"]);
        let status = Command::new(dir.path().join("p"))
            .env("FORK_AT", at.to_string())
            .env("TRUELINE_PROFILE_FILE", dir.path().join("fork.%p.json"))
            .status()
            .unwrap();
        assert!(status.success(), "{level} {at}: {status}");
        let mut found: Vec<Profile> = Vec::new();
        for entry in std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().path()) {
            if entry.file_name().unwrap().to_string_lossy().starts_with("fork.") {
                found.push(trueline_report::read(&std::fs::read(&entry).unwrap()).unwrap());
                std::fs::remove_file(entry).unwrap();
            }
        }
        assert_eq!(found.len(), 2, "{level} {at}");
        for (number, mark) in ["counted", "while", "left"].into_iter().enumerate() {
            // The loops that were left before the fork have nine more entries in the child, the others ten.
            let is_left_before = number < (at - 1) / 10;
            let is_open = number == (at - 1) / 10;
            let mut entries: Vec<_> = found
                .iter()
                .map(|p| {
                    let counts = &marked(p, source, mark).counts;
                    let histogram = counts.trips.as_deref().unwrap();
                    (counts.invocations.unwrap(), histogram.iter().map(|t| t.1).sum::<u64>(), histogram[0])
                })
                .collect();
            entries.sort_unstable();
            let of = |n: u64| if mark == "left" { (4, n) } else { (8, 1) };
            let child = match (is_left_before, is_open) {
                (true, _) => (9, 9, if mark == "left" { (4, 9) } else { (16, 2) }),
                (_, true) => (9, 10, of(10)),
                _ => (10, 10, of(10)),
            };
            assert_eq!(entries, [child, (10, 10, of(10))], "{mark} {level} fork at {at}");
        }
    }
}
