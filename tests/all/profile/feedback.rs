//! `--profile-use`: counts of an earlier run in the optimizer's decisions.

use crate::profile::exports::trueline;
use std::path::Path;
use std::process::{Command, Output};

/// A short loop whose limit is known to the run only, a conditional that never holds, a procedure that is never called.
const SOURCE: &str = "program feedback
  implicit none
  integer :: i, n
  double precision :: a(8), total
  n = command_argument_count() + 3
  total = 0.0d0
  do i = 1, 8
    a(i) = dble(i)
  end do
  do i = 1, 1000
    call step(a, n, total)
    if (total < 0.0d0) then
      call never(a, total)
    end if
  end do
  print *, total
end program
subroutine step(a, n, total)
  implicit none
  integer :: n, k
  double precision :: a(8), total
  do k = 1, n
    a(k) = a(k) * 0.5d0 + 1.0d0
  end do
  if (a(1) > 100.0d0) then
    total = total - sqrt(a(1)) * 3.0d0
    a(2) = a(2) + total
  else
    total = total + a(n)
  end if
end subroutine
subroutine never(a, total)
  implicit none
  double precision :: a(8), total
  a(1) = total
  total = 1.0d0
end subroutine
";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn attempt(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(directory).output().unwrap()
}

/// A directory with the program and its profiles at two levels.
fn profiled() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("f.f90"), SOURCE).unwrap();
    for (level, out) in [("-O0", "slow.json"), ("-O3", "fast.json")] {
        trueline(dir.path(), &["profile", "--quiet", level, "--out", out, "f.f90"]);
    }
    dir
}

/// The profile of the slowest build and that of the fastest lead to the same object, bit for bit, which is another than without.
#[test]
fn levels_decide_alike() {
    let dir = profiled();
    let build = |name: &str, more: &[&str]| {
        let mut args = vec!["build", "-c", "-O3", "f.f90", "-o", name];
        args.extend(more);
        let out = trueline(dir.path(), &args);
        assert_eq!(text(&out.stderr), "");
        std::fs::read(dir.path().join(name)).unwrap()
    };
    let slow = build("slow.o", &["--profile-use", "slow.json"]);
    assert_eq!(slow, build("fast.o", &["--profile-use", "fast.json"]));
    assert_ne!(slow, build("plain.o", &[]));
    trueline(dir.path(), &["fc", "-c", "-O3", "-fprofile-use=fast.json", "f.f90", "-o", "fc.o"]);
    assert_eq!(slow, std::fs::read(dir.path().join("fc.o")).unwrap());
}

/// Each decision can be seen: the version with three iterations, the call that stays, and the results that are the same.
#[test]
fn decisions() {
    let dir = profiled();
    let dump = |more: &[&str]| {
        let mut args = vec!["dump", "-O3", "--level", "h", "f.f90"];
        args.extend(more);
        text(&trueline(dir.path(), &args).stdout)
    };
    let (plain, used) = (dump(&[]), dump(&["--profile-use", "fast.json"]));
    assert!(used.contains("== 3"), "a version with three iterations in {used}");
    assert!(!plain.contains("== 3"), "{plain}");
    assert!(
        used.contains("call never_") && !plain.contains("call never_"),
        "what was never called stays a call: {used}"
    );
    for more in [&[][..], &["--profile-use", "slow.json"]] {
        for argument in ["", "x"] {
            let mut args = vec!["run", "-O3", "--verify", "f.f90"];
            args.extend(more);
            if !argument.is_empty() {
                args.extend(["--", argument]);
            }
            let expected =
                text(&trueline(dir.path(), &[&["run", "-O0", "f.f90"][..], &args[4 + more.len()..]].concat()).stdout);
            assert_eq!(text(&trueline(dir.path(), &args).stdout), expected);
        }
    }
}

/// T1 and T2 with feedback: profiling changes nothing, and the counts are those of -O0.
#[test]
fn counts_and_programs_stay_what_they_are() {
    let dir = profiled();
    let out = trueline(dir.path(), &["build", "--certify", "--profile-use", "slow.json", "f.f90"]);
    assert_eq!(text(&out.stdout), "identical\n");
    trueline(
        dir.path(),
        &["profile", "--quiet", "--verify", "--profile-use", "slow.json", "--out", "used.json", "f.f90"],
    );
    let counts = |name: &str| -> Vec<serde_json::Value> {
        let p: serde_json::Value = serde_json::from_slice(&std::fs::read(dir.path().join(name)).unwrap()).unwrap();
        p["constructs"].as_array().unwrap().iter().map(|c| c["counts"].clone()).collect()
    };
    // Whether counting the trips of a loop pays depends on its code.
    let without_trips = |name: &str| -> Vec<serde_json::Value> {
        let trips = ["min_trips", "max_trips", "zero_trips", "trips", "trips_unknown"];
        let strip = |mut c: serde_json::Value| {
            trips.iter().for_each(|k| drop(c.as_object_mut().and_then(|c| c.remove(*k))));
            c
        };
        counts(name).into_iter().map(strip).collect()
    };
    assert_eq!(without_trips("used.json"), without_trips("slow.json"));
    for (used, slow) in counts("used.json").iter().zip(counts("slow.json")) {
        if used["trips"].is_array() && slow["trips"].is_array() {
            assert_eq!(*used, slow);
        }
    }
}

/// A procedure that changed is reported and left out; the others are used, wherever they stand.
#[test]
fn stale_procedures_are_skipped() {
    let dir = profiled();
    let moved = format!("! A comment.\n\n{SOURCE}");
    std::fs::write(dir.path().join("f.f90"), moved).unwrap();
    let out = trueline(dir.path(), &["build", "-c", "--profile-use", "fast.json", "f.f90"]);
    assert_eq!(text(&out.stderr), "");
    std::fs::write(dir.path().join("f.f90"), SOURCE.replace("a(k) * 0.5d0", "a(k) * 0.25d0")).unwrap();
    let out = trueline(dir.path(), &["build", "-c", "--profile-use", "fast.json", "f.f90"]);
    let warning =
        "trueline: warning: 'step' (f.f90:18) has changed since the profile was taken; its counts are not used\n";
    assert_eq!(text(&out.stderr), warning);
}

/// A file that is no profile ends the build with one message.
#[test]
fn hostile_profiles() {
    let dir = profiled();
    let whole = std::fs::read(dir.path().join("fast.json")).unwrap();
    std::fs::write(dir.path().join("cut.json"), &whole[..whole.len() / 3]).unwrap();
    for name in ["cut.json", "f.f90", "missing.json", "."] {
        let out = attempt(dir.path(), &["build", "--profile-use", name, "f.f90", "-o", "out"]);
        assert_eq!(out.status.code(), Some(1), "{name}");
        assert_eq!(text(&out.stderr).lines().count(), 1, "{name}: {}", text(&out.stderr));
        assert!(!dir.path().join("out").exists());
    }
    // Damaged in the figures: read, or refused, and never a wrong program.
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        std::fs::write(dir.path().join("flipped.json"), bytes).unwrap();
        let out = attempt(dir.path(), &["build", "-c", "--profile-use", "flipped.json", "f.f90"]);
        assert!(matches!(out.status.code(), Some(0 | 1)), "{at}: {}", text(&out.stderr));
    }
}

/// A loop that has two or three iterations, but in one of a thousand entries as many as all others together, is a short one: its
/// mode decides, not its mean. With more in that one entry it is a long one.
#[test]
fn a_loop_that_is_long_once_is_short() {
    let source = "program modes
  implicit none
  integer :: i, n
  real :: a(10000)
  a = 1.0
  do i = 1, 1000
    n = 2 + mod(i, 2) + merge(2400, 0, i == 500) * command_argument_count()
    call work(a, n)
  end do
  print *, sum(a)
end program
subroutine work(a, n)
  implicit none
  integer :: n, k
  real :: a(10000)
  do k = 1, n
    a(k) = a(k) * 0.5 + 1.0
  end do
end subroutine
";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("f.f90"), source).unwrap();
    let mut objects = Vec::new();
    for (k, arguments) in [&[][..], &["--", "x"], &["--", "x", "y", "z"]].into_iter().enumerate() {
        let (profile, object) = (format!("{k}.json"), format!("{k}.o"));
        trueline(
            dir.path(),
            &[&["profile", "--quiet", "-O2", "--overhead=none", "--out", &profile, "f.f90"][..], arguments].concat(),
        );
        trueline(dir.path(), &["build", "-c", "-O3", "f.f90", "-o", &object, "--profile-use", &profile]);
        objects.push(std::fs::read(dir.path().join(object)).unwrap());
    }
    assert!(objects[0] == objects[1], "one long entry makes a difference");
    assert!(objects[0] != objects[2], "a loop is unrolled though it is short");
}
