//! The first look at a profile: advice that rests on facts, percentages of threads, sums of runs.

use crate::profile::exports::trueline;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Two nests that run over the second index, only the first of which the compiler may interchange; a short loop; a
/// function that is called again and again; and a condition that is never true.
const SLOW: &str = "program slow
  integer, parameter :: n = 300
  real(8) :: a(n, n), b(n, n), c(3, n), s
  integer :: i, j, k, order(n)
  a = 1d0
  b = 2d0
  c = 3d0
  s = 0d0
  do i = 1, n
    order(i) = mod(7 * i, n) + 1
  end do
  do k = 1, 40
    do i = 2, n
      do j = 2, n
        a(i, j) = a(i - 1, j - 1) * 0.5d0 + a(order(j), i)
      end do
    end do
    do j = 1, n
      do i = 1, 3
        c(i, j) = c(i, j) * 1.01d0
      end do
    end do
    do j = 1, n
      do i = 1, n
        if (b(i, j) < -1d6) s = s + 1d0
        b(i, j) = b(i, j) + sin(b(i, j) * k)
      end do
    end do
  end do
  print *, s, a(5, 5) > 0, b(7, 7) > -100, c(2, 2) > 0
end program
";

fn advice(directory: &Path, args: &[&str]) -> Value {
    let out = trueline(directory, &[&["advise", "--json"], args].concat());
    serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&out.stdout)))
}

/// The findings about a line: fact and hint.
fn about(advice: &Value, line: u64) -> Vec<(String, String)> {
    let all = advice.as_array().unwrap().iter().flat_map(|a| a["findings"].as_array().unwrap());
    let text = |f: &Value, key: &str| f[key].as_str().unwrap().to_owned();
    let mut found: Vec<_> = all.filter(|f| f["line"] == line).map(|f| (text(f, "finding"), text(f, "try"))).collect();
    found.dedup();
    found
}

#[test]
fn advice_rests_on_facts() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("slow.f90"), SLOW).unwrap();
    trueline(
        dir.path(),
        &["profile", "-O0", "--quiet", "--time=all", "--overhead=none", "--out", "p.json", "slow.f90"],
    );
    let all = advice(dir.path(), &["--limit", "50", "p.json"]);
    let nest = about(&all, 14);
    let strides =
        nest.iter().find(|(fact, _)| fact.contains("second index of `a`")).unwrap_or_else(|| panic!("{all:#}"));
    assert!(strides.0.contains("not contiguous in memory, 2,400 bytes apart"), "{strides:?}");
    assert!(strides.1.starts_with("exchange it with the loop of line 13 ("), "{strides:?}");
    assert!(nest.iter().any(|(fact, _)| fact.contains("`a(order(j), i)` is reached in an order")), "{nest:?}");
    let test = about(&all, 25);
    assert!(test.iter().any(|(fact, _)| fact == "the condition was false all 3,600,000 times"), "{test:?}");
    // Advice as text ends the first look, and has at most three constructs.
    let text = String::from_utf8(trueline(dir.path(), &["report", "p.json"]).stdout).unwrap();
    let last = text.split_once("Advice\n").unwrap().1;
    assert!((1..=3).contains(&last.lines().filter(|l| !l.starts_with(' ')).count()), "{last}");
    // A share is one of the run.
    let shares: f64 = all.as_array().unwrap().iter().map(|a| a["share"].as_f64().unwrap()).sum();
    assert!(shares <= 1.000_001, "{shares}");
}

/// Loops that the compiler exchanged already are not advised about.
#[test]
fn no_advice_for_what_is_done() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program p\n  real(8) :: a(500, 500), b(500, 500)\n  integer :: i, j, k\n  a = 1d0\n  b = 2d0\n  do k = 1, 100\n\
                  \x20   do i = 1, 500\n      do j = 1, 500\n        a(i, j) = a(i, j) * 0.5d0 + b(i, j)\n      end do\n    end do\n\
                  \x20 end do\n  print *, sum(a) > 0\nend program\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    let out = trueline(dir.path(), &["advise", "--time=all", "p.f90"]);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(!text.contains("index of"), "{text}");
    let mixed = Command::new(env!("CARGO_BIN_EXE_trueline"))
        .args(["advise", "p.f90", "p.json"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert_eq!(mixed.status.code(), Some(2), "{}", String::from_utf8_lossy(&mixed.stderr));
}

/// A checked DO variable is a copy of the loop's own, and its elements are still in order.
#[test]
fn checks_change_no_order() {
    let dir = tempfile::tempdir().unwrap();
    let source = "module m\n  type t\n    real(8), allocatable :: a(:, :), b(:)\n  end type\ncontains\n  subroutine work(x, n, k)\n\
                  \x20   type(t), intent(inout) :: x\n    integer, intent(in) :: n, k(n)\n    integer :: i, j\n    do j = 1, n\n\
                  \x20     do i = 1, n\n        x%a(j, i) = x%a(j, i) * 0.5d0 + x%b(i)\n      end do\n    end do\n    do j = 1, n\n\
                  \x20     do i = 1, n\n        x%b(k(i)) = x%b(i) + j\n      end do\n    end do\n  end subroutine\nend module\n\
                  program p\n  use m\n  type(t) :: x\n  integer :: i\n  allocate(x%a(300, 300), x%b(300))\n  x%a = 1\n  x%b = 2\n\
                  \x20 call work(x, 300, [(mod(7 * i, 300) + 1, i = 1, 300)])\n  print *, x%a(2, 2) > 0\nend program\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    trueline(
        dir.path(),
        &["profile", "-O1", "-fcheck=all", "--quiet", "--time=all", "--overhead=none", "--out", "p.json", "p.f90"],
    );
    let all = advice(dir.path(), &["--limit", "50", "p.json"]);
    let nest = about(&all, 11);
    assert!(nest.iter().any(|(fact, _)| fact.contains("second index of `x%a`")), "{all:#}");
    assert!(!nest.iter().any(|(fact, _)| fact.contains("depends on values")), "{all:#}");
    let text = all.to_string();
    assert!(!text.contains("(0") && !text.contains("t.1"), "the words of descriptors are not the source's: {all:#}");
    let gather = about(&all, 16);
    assert!(gather.iter().any(|(fact, _)| fact.contains("`x%b(k(i))` is reached in an order")), "{all:#}");
}

/// Loops whose iterations need one another, one whose iterations do not, and one with a counter.
const SERIAL: &str = "program serial
  integer, parameter :: n = 2000
  real(8) :: a(n), b(n), c(n), d(n), s, last
  integer :: i, k, m
  a = 1d0; b = 2d0; c = 0d0; d = 0d0; s = 0d0; m = 0
  do k = 1, 200
    do i = 1, n
      s = s + a(i) * b(i)
    end do
    do i = 2, n
      c(i) = c(i - 1) * 0.5d0 + a(i)
    end do
    last = 0d0
    do i = 1, n
      last = last * 0.25d0 + c(i)
      c(i) = last
    end do
    do i = 1, n
      m = m + 2
      b(i) = b(i) * 0.5d0 + a(i) / m
    end do
    do i = 1, n
      a(i) = a(i) * 0.5d0 + 1d0
    end do
    do i = 10, n
      last = c(i)
      c(i) = c(i) + last * c(i - 9)
    end do
    do i = 1, n
      d(k) = max(d(k), abs(a(i) - b(i)))
    end do
  end do
  print *, s > 0, c(n) > 0, m, last > 0, d(7) > 0
end program
";

/// Elements that need the one before, in components of the elements of arrays and in a component that is an array.
const COMPONENTS: &str = "program p
  type cell
    real(8) :: h, u(2)
  end type
  type whole
    real(8) :: v(100)
  end type
  type(cell) :: g(100, 2)
  type(whole) :: w
  integer :: i, k
  g = cell(1d0, 2d0)
  w%v = 1
  k = iargc() + 1
  do i = 2, 100
    g(i, k)%h = g(i - 1, k)%h * 0.5d0 + 1
  end do
  do i = 2, 100
    g(i, k)%u(k) = g(i - 1, k)%u(k) * 0.5d0 + 1
  end do
  do i = 2, 100
    w%v(i) = w%v(i - 1) * 0.5d0 + 1
  end do
  print *, g(99, k)%h, g(98, k)%u(k), w%v(97)
end program
";

/// Elements are written as in the source, wherever the component has its subscripts.
#[test]
fn elements_of_structures_are_told_as_the_source_has_them() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("s.f90"), COMPONENTS).unwrap();
    trueline(dir.path(), &["profile", "--quiet", "--time=all", "--overhead=none", "--out", "p.json", "s.f90"]);
    let profile: Value = serde_json::from_slice(&std::fs::read(dir.path().join("p.json")).unwrap()).unwrap();
    let at = |line: u64| profile["constructs"].as_array().unwrap().iter().find(|c| c["line"] == line).unwrap().clone();
    let wanted = [(14, "g(i - 1, k)%h"), (17, "g(i - 1, k)%u(k)"), (20, "w%v(i - 1)")];
    for (line, element) in wanted {
        assert_eq!(at(line)["carried"][0], format!("`{element}` was computed by an iteration before"));
    }
}

/// The compiler says which loops it made vectors of, and the profile which values keep it from that.
#[test]
fn vectors_and_the_values_that_hinder_them_are_told() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("s.f90"), SERIAL).unwrap();
    trueline(dir.path(), &["profile", "--quiet", "--time=all", "--overhead=none", "--out", "p.json", "s.f90"]);
    let profile: Value = serde_json::from_slice(&std::fs::read(dir.path().join("p.json")).unwrap()).unwrap();
    let at = |line: u64| profile["constructs"].as_array().unwrap().iter().find(|c| c["line"] == line).unwrap().clone();
    let carried =
        |line: u64| at(line)["carried"].as_array().map_or_else(String::new, |a| a[0].as_str().unwrap().to_owned());
    assert_eq!(carried(7), "the sum in `s` is made in the order of the iterations");
    assert_eq!(carried(10), "`c(i - 1)` was computed by an iteration before");
    assert_eq!(carried(14), "`last` keeps its value from one iteration to the next");
    assert_eq!(carried(29), "`d(k)` keeps its value from one iteration to the next");
    assert_eq!([18, 22, 25].map(carried), [""; 3], "counters, elements of their own, and values of long ago");
    // It is one loop with that of line 18, whose integers have as many lanes.
    assert_eq!(at(22)["lanes"], 4);
    assert!(at(7)["lanes"].is_null(), "{}", at(7));
    let all = advice(dir.path(), &["--limit", "50", "p.json"]);
    let sum = about(&all, 7);
    assert!(
        sum.iter().any(|(fact, hint)| fact.ends_with("cannot run in vectors") && hint.contains("partial results")),
        "{sum:?}"
    );
    let text = String::from_utf8(trueline(dir.path(), &["advise", "--limit", "50", "p.json"]).stdout).unwrap();
    assert!(text.contains("vectorized 2 wide"), "{text}");
}

/// Waits while its threads call Fortran.
const IDLE: &str = r#"
#include <pthread.h>
void work_(int *n, double *s);
static int n = 3000;
static void *go(void *p) { double s = 1; work_(&n, &s); return s > 0 ? 0 : p; }
static void *other(void *p) { return p; }
int main(void) {
    pthread_t t[5];
    for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, i < 3 ? go : other, 0);
    for (int i = 0; i < 5; i++) pthread_join(t[i], 0);
    return 0;
}
"#;

/// Percentages are of the threads that ran Fortran; the first thread, which waits, is no processor.
#[test]
fn percentages_are_of_the_threads_that_ran_fortran() {
    let dir = tempfile::tempdir().unwrap();
    let source = "recursive subroutine work(n, s)\n  integer :: n, i, j\n  real(8) :: s\n  do i = 1, n\n    do j = 1, 3000\n\
                  \x20     s = s + 1d0 / (s + j)\n    end do\n  end do\nend subroutine\n";
    std::fs::write(dir.path().join("w.f90"), source).unwrap();
    std::fs::write(dir.path().join("c.c"), IDLE).unwrap();
    let run = |program: &str, args: &[&str]| {
        let status = Command::new(program)
            .args(args)
            .current_dir(dir.path())
            .env("TRUELINE_PROFILE_FILE", "p.json")
            .status()
            .unwrap();
        assert!(status.success(), "{program} {args:?}");
    };
    run(env!("CARGO_BIN_EXE_trueline"), &["fc", "-O2", "-fprofile-trueline", "w.f90", "c.c", "-pthread", "-o", "t"]);
    run("./t", &[]);
    let json: Value = serde_json::from_slice(&std::fs::read(dir.path().join("p.json")).unwrap()).unwrap();
    let processors = json["processors"].as_array().unwrap();
    assert_eq!(processors.len(), 3, "{processors:?}");
    let text = String::from_utf8(trueline(dir.path(), &["report", "p.json", "--view", "statements"]).stdout).unwrap();
    assert!(text.lines().next().unwrap().contains(" of its 3 threads"), "{text}");
    let percent =
        |line: &str| -> Option<f64> { line.split_whitespace().find_map(|w| w.trim_start_matches('~').parse().ok()) };
    let rows: Vec<f64> = text
        .lines()
        .skip(3)
        .filter(|l| l.starts_with("w.f90:"))
        .filter_map(|l| {
            // Behind the construct's text, whose numbers do not matter.
            let rest = l.split_once("  ")?.1.trim_start().split_once("  ")?.1;
            percent(rest)
        })
        .collect();
    let sum: f64 = rows.iter().sum();
    assert!(rows.iter().all(|&p| p <= 100.0) && (90.0..=100.5).contains(&sum), "{rows:?} in {text}");
}

#[test]
fn sums_of_runs_tell_the_longest_and_the_sum() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("slow.f90"), SLOW).unwrap();
    for name in ["p.0.json", "p.1.json"] {
        trueline(dir.path(), &["profile", "--quiet", "--out", name, "slow.f90"]);
    }
    let elapsed = |name: &str| {
        let json: Value = serde_json::from_slice(&std::fs::read(dir.path().join(name)).unwrap()).unwrap();
        json["clock"].clone()
    };
    trueline(dir.path(), &["merge", "-o", "sum.json", "p.0.json", "p.1.json"]);
    let (a, b) = (elapsed("p.0.json")["elapsed_ns"].as_u64(), elapsed("p.1.json")["elapsed_ns"].as_u64());
    let sum = elapsed("sum.json");
    assert_eq!(sum["longest_ns"].as_u64(), a.max(b));
    assert_eq!((sum["elapsed_ns"].as_u64(), sum["runs"].as_u64()), (a.zip(b).map(|(a, b)| a + b), Some(2)));
    // A sum of sums is that of all.
    trueline(dir.path(), &["merge", "-o", "more.json", "sum.json", "p.0.json"]);
    assert_eq!(
        (elapsed("more.json")["runs"].as_u64(), elapsed("more.json")["longest_ns"].as_u64()),
        (Some(3), a.max(b))
    );
    let text = String::from_utf8(trueline(dir.path(), &["report", "sum.json"]).stdout).unwrap();
    let first = text.lines().next().unwrap();
    assert!(first.contains(" elapsed in the longest of 2 runs, ") && first.contains(" in all"), "{first}");
}
