//! Traces: the instants at which timed constructs were entered and left.

use crate::profile::exports::trueline;
use std::path::Path;
use std::process::Command;
use trueline_abi::profile::{Profile, Trace};

const PROGRAM: &str = "program p
  integer :: i, k = 0
  do i = 1, 10
    call outer(k)
  end do
  print *, k
contains
recursive subroutine outer(k)
  integer, intent(inout) :: k
  call inner(k)
  call inner(k)
  if (k < 0) call outer(k)
end subroutine
recursive subroutine inner(k)
  integer, intent(inout) :: k
  k = k + 1
  if (k < 0) call inner(k)
end subroutine
end program
";

fn profile(dir: &Path, trace: &str, name: &str) -> Profile {
    let ran = Command::new(dir.join("p"))
        .current_dir(dir)
        .env("TRUELINE_TRACE", trace)
        .env("TRUELINE_PROFILE_FILE", name)
        .output()
        .unwrap();
    assert!(ran.status.success());
    trueline_report::read(&std::fs::read(dir.join(name)).unwrap()).unwrap()
}

/// The constructs that the trace enters, by name.
fn entered<'a>(profile: &'a Profile, trace: &Trace) -> Vec<&'a str> {
    let name = |s: u32| profile.constructs.iter().find(|c| c.serial == s).unwrap().text.as_str();
    trace.moments().unwrap().into_iter().filter_map(|m| m.entered).map(name).collect()
}

#[test]
fn a_trace_has_every_event() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), PROGRAM).unwrap();
    trueline(dir.path(), &["build", "--profile", "-O1", "--time=all", "--time-leaves", "p.f90", "-o", "p"]);
    let whole = profile(dir.path(), "on", "p.json");
    let [trace] = &whole.traces[..] else { panic!("one thread") };
    let names = entered(&whole, trace);
    let count = |name: &str| names.iter().filter(|n| **n == name).count();
    assert_eq!((count("p"), count("outer"), count("inner"), trace.lost), (1, 10, 20, 0));
    assert_eq!(names[..4], ["p", "do i = 1, 10", "outer", "inner"]);
    let moments = trace.moments().unwrap();
    assert!(moments.is_sorted_by_key(|m| m.ns) && moments.last().unwrap().ns <= whole.clock.elapsed_ns);
    assert_eq!(moments.iter().filter(|m| m.entered.is_none()).count(), names.len());

    // A trace that is too small has the beginning.
    let short = profile(dir.path(), "9", "q.json");
    let full = moments.len() as u64;
    assert_eq!((short.traces[0].moments().unwrap().len(), short.traces[0].lost), (9, full - 9));
    let told = trueline(dir.path(), &["report", "q.json"]);
    let lost = format!(", {} events came after the trace was full", full - 9);
    assert!(String::from_utf8_lossy(&told.stdout).contains(&lost));
    assert!(profile(dir.path(), "off", "r.json").traces.is_empty());

    // Two runs are two ranks, and the timeline has both.
    trueline(dir.path(), &["merge", "-o", "m.json", "p.json", "q.json"]);
    trueline(dir.path(), &["export", "--format", "chrome", "-o", "out", "m.json"]);
    let out: serde_json::Value = serde_json::from_slice(&std::fs::read(dir.path().join("out")).unwrap()).unwrap();
    let events = out["traceEvents"].as_array().unwrap();
    let of = |phase: &str, pid: u64| events.iter().filter(|e| e["ph"] == phase && e["pid"] == pid).count();
    // Which of them is the first does not depend on the order in which they are named.
    let whole = if of("B", 1) == names.len() { 1 } else { 2 };
    assert_eq!((of("B", whole), of("E", whole)), (names.len(), names.len()));
    assert_eq!(of("B", 3 - whole), of("E", 3 - whole));
    let one = std::fs::read(dir.path().join("m.json")).unwrap();
    trueline(dir.path(), &["merge", "-o", "m.json", "q.json", "p.json"]);
    assert!(std::fs::read(dir.path().join("m.json")).unwrap() == one);
}

/// A trace that names unknown constructs, or leaves more than it enters, is refused.
#[test]
fn a_wrong_trace_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), PROGRAM).unwrap();
    trueline(dir.path(), &["build", "--profile", "-O1", "p.f90", "-o", "p"]);
    let good = profile(dir.path(), "on", "p.json");
    for events in ["5+9999", "1-", "x", "1+0 2- 3-", "18446744073709551615+0 9-", "1+", "+0"] {
        let mut bad = good.clone();
        bad.traces[0].events = events.to_owned();
        let read = trueline_report::read(&serde_json::to_vec(&bad).unwrap());
        assert!(read.is_err(), "{events}");
    }
}
