//! Length: a procedure of any length compiles. One that is too long for a function of the code generator becomes several
//! (`src/codegen/function/cut.rs`); `--stretch` makes them of short procedures, too.

use crate::build::is_full;
use crate::debug::{gdb, has, in_order, trueline};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program with everything that crosses the end of a stretch: loops, jumps both ways, a computed GOTO, all kinds of variables, arguments, and
/// results of functions, with `n` such groups of statements.
fn mixed(n: usize) -> String {
    let mut out = "program p
  implicit none
  real(8) :: f, x
  complex(8) :: g
  integer :: k
  character(6) :: h
  x = 1
  k = 3
  print '(f12.6)', f(k, x, 'hello')
  print '(f12.6, i8)', x, k
  print '(2f12.6)', g(x)
  print '(a)', h(k)
end program
character(6) function h(k)
  integer :: k
  write (h, '(i6)') k
end function
complex(8) function g(y)
  real(8) :: y
  g = (1d0, 2d0) * y
end function
real(8) function f(k, x, c) result(r)
  implicit none
  integer :: k, i, rounds
  real(8) :: x, b(20), z
  complex(8) :: q
  character(*) :: c
  real(8), allocatable :: d(:)
  allocate (d(k))
  d = 2
  rounds = 0
  r = 0
  b = 1
  q = (1d0, 2d0)
  z = 0
  do i = 1, 3
"
    .to_owned();
    for k in 1..=n {
        let (element, small, next) = (k % 20 + 1, k % 13, k + 1);
        write!(
            out,
            "{k} x = x * 0.5d0 + k * {small}\n  b({element}) = x + len(c)\n  q = q * (0.5d0, 0.1d0) + b({element})\n  \
             d(mod({k}, size(d)) + 1) = real(q)\n  go to ({next}, {next}) mod(i, 3)\n  z = z + d(1)\n"
        )
        .expect("a text");
    }
    let after = n + 1;
    write!(
        out,
        "{after} continue
    rounds = rounds + 1
    if (rounds < 7 .and. i == 2) go to 2
  end do
  r = x + sum(b) + aimag(q) + z
  if (rounds > 100) return
  k = rounds
end function
"
    )
    .expect("a text");
    out
}

fn output(dir: &Path, args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(dir).output().expect("it runs");
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn directory(source: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("p.f90"), source).expect("written");
    dir
}

#[test]
fn stretches_print_the_same() {
    let dir = directory(&mixed(40));
    for level in ["-O0", "-O2", "-O3"] {
        let whole = output(dir.path(), &["run", level, "p.f90"]);
        for stretch in ["--stretch=15", "--stretch=150", "--stretch=1500"] {
            assert_eq!(output(dir.path(), &["run", level, stretch, "p.f90"]), whole, "{level} {stretch}");
        }
        assert_eq!(output(dir.path(), &["run", level, "--stretch=150", "-fcheck=all", "p.f90"]), whole, "{level}");
    }
}

/// The counts of a profile, by construct and line.
fn counts(dir: &Path, args: &[&str]) -> Vec<String> {
    let all = [&["profile", "--quiet", "--out", "p.json"][..], args, &["p.f90"]].concat();
    output(dir, &all);
    let text = fs::read(dir.join("p.json")).expect("a profile");
    let profile: serde_json::Value = serde_json::from_slice(&text).expect("it can be read");
    let constructs = profile["constructs"].as_array().expect("constructs");
    let count = |c: &serde_json::Value| format!("{} {} {}", c["line"], c["kind"], c["counts"]);
    constructs.iter().map(count).collect()
}

#[test]
fn stretches_count_the_same() {
    let dir = directory(&mixed(40));
    for level in ["-O0", "-O3"] {
        let whole = counts(dir.path(), &[level]);
        assert!(whole.len() > 4 && !whole.iter().any(|c| c.ends_with("null")), "{whole:?}");
        for stretch in ["--stretch=30", "--stretch=600"] {
            for time in ["--time=all", "--time=none"] {
                let cut = counts(dir.path(), &[level, stretch, time]);
                assert_eq!(cut, whole, "{level} {stretch} {time}");
            }
        }
    }
}

/// The same on the other target, by the emulator.
#[test]
fn stretches_are_the_same_on_the_other_target() {
    let Some(triple) = crate::build::other_target() else { return };
    let (dir, target) = (directory(&mixed(40)), format!("--target={triple}"));
    for level in ["-O0", "-O3"] {
        let whole = output(dir.path(), &["run", level, "p.f90"]);
        let counted = counts(dir.path(), &[level]);
        for stretch in ["--stretch=15", "--stretch=150", "--stretch=1500"] {
            assert_eq!(output(dir.path(), &["run", level, stretch, &target, "p.f90"]), whole, "{level} {stretch}");
        }
        for stretch in ["--stretch=30", "--stretch=600"] {
            assert_eq!(counts(dir.path(), &[level, stretch, &target]), counted, "{level} {stretch}");
        }
    }
}

/// A debugger stops on each line and finds the variables, which lie in the frame of the function that calls the stretches.
#[test]
fn stretches_have_lines_and_variables() {
    if !has("gdb") {
        return;
    }
    let dir = directory(
        "program p\n  call s(4)\nend program\nsubroutine s(n)\n  integer :: n, k\n  real(8) :: a(3)\n  k = n + 1\n  a = k\n  k = k * 2\n  \
         a(2) = 7\n  print *, k, a\nend subroutine\n",
    );
    trueline(dir.path(), &["build", "-g", "-O0", "--stretch=4", "p.f90", "-o", "p"]);
    let commands =
        ["break p.f90:9", "break p.f90:11", "run", "print k", "print a", "print n", "continue", "print k", "print a"];
    let text = gdb(dir.path(), "./p", &commands);
    in_order(&text, &["p.f90:9", "= 5", "= (5, 5, 5)", "= 4", "p.f90:11", "= 10", "= (5, 7, 5)"]);
    let text = gdb(dir.path(), "./p", &["break s", "run", "next"]);
    in_order(&text, &["p.f90:7"]);
}

/// Makes a program of about `lines` lines in one unit.
fn long(kind: &str, lines: usize) -> String {
    let mut out = "program p\n  implicit none\n  integer :: i, k, n\n  real(8) :: x\n  character(8) :: c\n".to_owned();
    if kind == "variables" {
        (0..lines / 10).for_each(|v| writeln!(out, "  integer :: v{v}\n  data v{v} /{}/", v % 77).expect("a text"));
    }
    out.push_str("  k = 0\n  n = 0\n  x = 0\n  c = ' '\n");
    match kind {
        "assignments" => (0..lines).for_each(|j| writeln!(out, "  x = x * 0.5d0 + k * {j}").expect("a text")),
        "variables" => {
            (0..lines / 10 * 8).for_each(|j| writeln!(out, "  k = k + v{}", j % (lines / 10)).expect("a text"))
        }
        "jumps" => {
            let blocks = lines / 40;
            for b in 1..=blocks {
                writeln!(out, "{b} k = mod(k * 3 + {b}, 100003)").expect("a text");
                (0..37).for_each(|j| writeln!(out, "  k = k + {j}").expect("a text"));
                writeln!(out, "  n = n + 1").expect("a text");
                if b % (blocks / 9).max(1) == 0 {
                    let back = b.saturating_sub(blocks / 5).max(1);
                    writeln!(out, "  if (n < {} .and. mod(k, 5) /= 0) go to {back}", 3 * blocks).expect("a text");
                }
            }
        }
        _ => {
            for b in 0..lines / 11 {
                let (modulus, more) = (b % 7 + 2, b % 5);
                write!(
                    out,
                    "  do i = 1, 3\n    if (mod(k, {modulus}) == 0) then\n      k = k + i\n    else\n      k = k + {more}\n    end if\n    \
                     x = x + k\n  end do\n  call add(x, {more}d0)\n  if (x > 1d9) x = x - 1d9\n  write (c, '(i8)') mod(k, 1000)\n"
                )
                .expect("a text");
            }
        }
    }
    out.push_str("  print *, k, n, x, c\ncontains\n  subroutine add(y, z)\n    real(8) :: y, z\n    y = y + z\n  end subroutine\nend program\n");
    out
}

const KINDS: [&str; 4] = ["assignments", "variables", "jumps", "mixed"];

/// Units of a million lines print the same at all levels and in a profiled build. Short ones are cut by force.
#[test]
fn long_units_compile() {
    let (lines, stretch) = if is_full() { (1_000_000, None) } else { (4_000, Some("--stretch=2500")) };
    for kind in KINDS {
        let dir = directory(&long(kind, lines));
        let run = |args: &[&str]| output(dir.path(), &[args, stretch.as_slice(), &["p.f90"]].concat());
        let plain = run(&["run", "-O0"]);
        assert_eq!(plain.lines().count(), 1, "{kind}");
        if stretch.is_some() {
            assert_eq!(output(dir.path(), &["run", "-O0", "p.f90"]), plain, "{kind}");
        }
        assert_eq!(run(&["run", "-O3"]), plain, "{kind}");
        assert_eq!(run(&["profile", "--quiet", "-O0", "--out", "p.json"]), plain, "{kind}");
    }
}

/// Programs of the language print what they print when they are cut into the smallest functions.
#[test]
fn programs_of_the_language_may_be_cut() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/run");
    let mut sources: Vec<PathBuf> = Vec::new();
    for folder in ["control", "procedures", "types", "f77"] {
        let files = fs::read_dir(root.join(folder)).expect("tests").filter_map(Result::ok).map(|e| e.path());
        sources.extend(files.filter(|p| p.extension().is_some_and(|e| e == "f90")));
    }
    sources.sort();
    let step = if is_full() { 1 } else { 12 };
    let dir = tempfile::tempdir().expect("a directory");
    let run = |source: &Path, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
        let out = command.args(args).arg(source).current_dir(dir.path()).output().expect("it runs");
        (out.status.code(), out.stdout)
    };
    for source in sources.iter().step_by(step) {
        for level in ["-O0", "-O3"] {
            let whole = run(source, &["run", level]);
            assert_eq!(run(source, &["run", level, "--stretch=20"]), whole, "{} {level}", source.display());
        }
    }
}
