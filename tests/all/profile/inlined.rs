//! Times of code that was inlined through several procedures, and of constructs in regions: by timers, so that nothing depends on how often the
//! program is sampled.

use std::path::Path;
use std::process::Command;
use trueline_abi::profile::{Construct, Profile};

const SPIN: &str = "#include <time.h>
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
void spin_(int *us) { long end = now() + *us * 1000L; while (now() < end) {} }
";

/// A loop calls a procedure with timers through two that are inlined.
const THROUGH_TWO: &str = "module m
  implicit none
contains
  recursive subroutine deep(n)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call spin(200)
    end do
    if (n < 0) call deep(n + 1)
  end subroutine
  subroutine middle(n)
    integer, intent(in) :: n
    call deep(n)
  end subroutine
  subroutine outer(n)
    integer, intent(in) :: n
    call middle(n + 1)
  end subroutine
end module
program p
  use m
  implicit none
  integer :: i, j
  do i = 1, 4
    call spin(50)
    do j = 1, 5
      call outer(j)
    end do
  end do
end program
";

/// A region of an inlined procedure, with a loop in it.
const REGION: &str = "module m
  implicit none
contains
  subroutine inner(n)
    integer, intent(in) :: n
    integer :: i
    !TL$ REGION busy
    call spin(100)
    do i = 1, n
      call spin(100)
    end do
    if (n > 2) call spin(100)
    !TL$ END REGION
  end subroutine
end module
program p
  use m
  implicit none
  integer :: i
  do i = 1, 20
    call inner(i)
  end do
end program
";

fn run(directory: &Path, program: &str, arguments: &[&str]) {
    let out = Command::new(program)
        .args(arguments)
        .current_dir(directory)
        .env("TRUELINE_PROFILE_FILE", directory.join("p.json"))
        .output()
        .unwrap();
    assert!(out.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
}

fn profile(directory: &Path) -> Profile {
    trueline_report::read(&std::fs::read(directory.join("p.json")).unwrap()).unwrap()
}

/// Compiles and runs a program, and gives its profile.
fn profiled(source: &str, level: &str) -> Profile {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    std::fs::write(dir.path().join("spin.c"), SPIN).unwrap();
    run(dir.path(), "cc", &["-c", "spin.c"]);
    run(dir.path(), env!("CARGO_BIN_EXE_trueline"), &["fc", level, "-fprofile-trueline", "p.f90", "spin.o", "-o", "p"]);
    run(dir.path(), "./p", &[]);
    profile(dir.path())
}

/// The construct on the line that begins so.
fn at<'a>(profile: &'a Profile, source: &str, line: &str) -> &'a Construct {
    let number = source.lines().position(|l| l.trim_start().starts_with(line)).unwrap() + 1;
    profile.constructs.iter().find(|c| c.line as usize == number).unwrap()
}

fn inclusive(c: &Construct) -> u64 {
    c.time.unwrap_or_else(|| panic!("line {} `{}` has no time", c.line, c.text)).inclusive_ns
}

#[test]
fn what_calls_through_inlined_procedures_has_the_time_of_the_calls() {
    for level in ["-O2", "-O3"] {
        let profile = profiled(THROUGH_TWO, level);
        let of = |line: &str| inclusive(at(&profile, THROUGH_TWO, line));
        let (deep, all) = (of("recursive subroutine deep"), of("do i = 1, 4"));
        assert!(deep > 70 * 200_000, "{deep}");
        for line in ["do j = 1, 5", "subroutine outer", "subroutine middle"] {
            let ns = of(line);
            // Ticks become nanoseconds construct by construct, each rounded.
            assert!(ns + 10 >= deep && ns <= all + 10, "{level} {line}: {ns}, not {deep} to {all}");
        }
    }
}

#[test]
fn regions_are_around_what_stands_in_them() {
    for level in ["-O0", "-O3"] {
        let profile = profiled(REGION, level);
        let region = at(&profile, REGION, "!TL$ REGION busy");
        assert_eq!(region.kind, "region");
        for line in ["do i = 1, n", "if (n > 2)"] {
            let c = at(&profile, REGION, line);
            assert_eq!(c.parent, Some(region.serial), "{level} {line}");
            assert!(c.time.is_none_or(|t| t.inclusive_ns <= inclusive(region)), "{level} {line}: {:?}", c.time);
        }
    }
}

/// A thread may be sampled at any time, also in its first milliseconds: runs that are shorter than the time between two samples have some
/// together.
#[test]
fn short_runs_have_samples_together() {
    let source = "program p\n  call spin(2000)\nend program\n";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    std::fs::write(dir.path().join("spin.c"), SPIN).unwrap();
    run(dir.path(), "cc", &["-c", "spin.c"]);
    run(dir.path(), env!("CARGO_BIN_EXE_trueline"), &["fc", "-fprofile-trueline", "p.f90", "spin.o", "-o", "p"]);
    let mut samples = 0;
    for _ in 0..200 {
        run(dir.path(), "./p", &[]);
        let Some(s) = profile(dir.path()).samples else { continue };
        samples += s.count;
        if samples > 0 || !s.notes.is_empty() {
            return;
        }
    }
    panic!("no sample in 200 runs");
}
