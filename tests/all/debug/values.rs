//! The values that a debugger shows in optimized code are those of the source, or none at all.

use crate::debug::{gdb, has, in_order, trueline};
use object::{Object, ObjectSection};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all/debug/values.py");

/// The scalars of one stop; no text for one that is optimized out.
type Stop = BTreeMap<String, Option<String>>;
/// The stops at each line of a procedure, in order.
type Stops = BTreeMap<(u32, String), Vec<Stop>>;

/// Stops at every line of a program, at each at most `most` times; `settings` are of the environment.
fn stops(dir: &Path, program: &str, most: &str, settings: &[(&str, &str)]) -> Stops {
    let mut command = Command::new("gdb");
    command.args(["-nx", "-batch", "-x", SCRIPT, program]).env("MOST", most).current_dir(dir);
    let out = command.envs(settings.iter().copied()).output().unwrap();
    let mut all = Stops::new();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let mut words = line.strip_prefix("stop ").unwrap_or("").split(' ');
        let (Some(number), Some(procedure)) = (words.next().and_then(|n| n.parse().ok()), words.next()) else {
            continue;
        };
        let mut stop = Stop::new();
        for word in words {
            match word.split_once('=') {
                Some((name, value)) => stop.insert(name.to_owned(), Some(value.to_owned())),
                None => stop.insert(word.to_owned(), None),
            };
        }
        all.entry((number, procedure.to_owned())).or_default().push(stop);
    }
    all
}

/// A place of a procedure, and the name of a variable.
type Variable = ((u32, String), String);

/// The variables that nothing has defined: in a run whose memory lies elsewhere they have other values.
fn undefined(one: &Stops, other: &Stops) -> BTreeSet<Variable> {
    let values = |stops: &[Stop], name: &String| stops.iter().map(|s| s.get(name).cloned()).collect::<Vec<_>>();
    let mut out = BTreeSet::new();
    for (at, stops) in one {
        let others = other.get(at).map_or(&[][..], Vec::as_slice);
        let names = stops.iter().flat_map(Stop::keys);
        let differing = names.filter(|name| values(stops, name) != values(others, name));
        out.extend(differing.map(|name| (at.clone(), name.clone())));
    }
    out
}

/// The number of values compared, the variables without a value, and the errors.
#[derive(Default)]
struct Comparison {
    compared: usize,
    absent: usize,
    wrong: Vec<String>,
}

impl Comparison {
    /// Looks for each stop of optimized code at one with the same values where nothing is optimized. A line where the code stops
    /// more often than the source gets there is left out: the step of a DO loop, or an operand that several lines share. So is one where
    /// the source gets more often than was looked at, and a line of several statements, the first of which may have no code.
    fn add(&mut self, path: &Path, level: &str, plain: &Stops, undefined: &BTreeSet<Variable>, optimized: &Stops) {
        let source = std::fs::read_to_string(path).unwrap();
        let is_several = |at: &u32| source.lines().nth(*at as usize - 1).is_some_and(|l| l.contains(';'));
        for (at, stops) in optimized.iter().filter(|(at, _)| !is_several(&at.0)) {
            let is_known = |s: &&Vec<Stop>| (stops.len()..MOST).contains(&s.len());
            let Some(of_source) = plain.get(at).filter(is_known) else { continue };
            for stop in stops {
                let is_defined = |name: &String| !undefined.contains(&(at.clone(), name.clone()));
                let known: Vec<_> = stop.iter().filter(|(name, v)| v.is_some() && is_defined(name)).collect();
                self.compared += known.len();
                self.absent += stop.values().filter(|v| v.is_none()).count();
                let agrees = |s: &Stop| known.iter().all(|(name, value)| s.get(*name) == Some(*value));
                if !of_source.iter().any(agrees) {
                    self.wrong.push(format!("{} {level}: {at:?} {known:?}", path.display()));
                }
            }
        }
    }
}

impl Comparison {
    /// Adds another one.
    fn join(&mut self, other: Comparison) {
        self.compared += other.compared;
        self.absent += other.absent;
        self.wrong.extend(other.wrong);
    }
}

fn has_python() -> bool {
    let out = Command::new("gdb").args(["-nx", "-batch", "-ex", "python print(6 * 7)"]).output();
    out.is_ok_and(|out| String::from_utf8_lossy(&out.stdout).contains("42"))
}

/// The most stops at a place that are looked at.
const MOST: usize = 150;

/// Not tried, as a debugger stops at times in a line that the source does not get to, though no more often. In the first, `idx(j)` stands
/// in two lines, is computed where either needs it, and is on the second one; in the other, loops are copies, made for no elements, too.
const SHARED: [&str; 2] = ["more-string-search", "loops-copied"];

/// The number of programs of the corpus that are tried: with TRUELINE_TEST_FULL=1, and without.
const SAMPLE: [usize; 2] = [40, 12];

/// Programs about loops and procedures, and a sample of all others; `TRUELINE_TEST_RUN` chooses others, with no text all.
fn programs() -> Vec<PathBuf> {
    const USUAL: [&str; 10] = [
        "hard-alias-equivalence",
        "hard-cse-redefinition",
        "hard-dead-stores",
        "hard-interchange-order",
        "hard-invariant-motion",
        "hard-last-values",
        "hard-unroll-remainder",
        "hard-unswitch-nested",
        "do-nested-depth",
        "complex-parts",
    ];
    let all = crate::corpus::programs();
    if std::env::var_os("TRUELINE_TEST_RUN").is_some() {
        return all;
    }
    let is_usual = |p: &PathBuf| p.file_stem().is_some_and(|s| USUAL.iter().any(|u| s.to_str() == Some(u)));
    let (mut out, mut rest): (Vec<_>, Vec<_>) =
        all.into_iter().filter(|p| p.file_stem().is_none_or(|s| SHARED.iter().all(|n| s != *n))).partition(is_usual);
    // By names, so that a new program changes no other choice.
    rest.sort_by_key(|p| crate::corpus::order_of(p));
    let more = SAMPLE[usize::from(!crate::build::is_full())].saturating_sub(out.len());
    out.extend(rest.into_iter().take(more));
    out
}

#[test]
#[allow(clippy::print_stdout, reason = "the share of variables that are shown is a measurement")]
fn values_are_those_of_the_source() {
    if !has("gdb") || !has_python() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let elsewhere = [("RANDOM", "1"), ("MALLOC_PERTURB_", "90")];
    let mut levels = [("-O1", Comparison::default()), ("-O2", Comparison::default()), ("-O3", Comparison::default())];
    for path in programs() {
        let name = path.to_str().unwrap();
        trueline(dir.path(), &["fc", "-g", "-O0", name, "-o", "plain"]);
        let plain = stops(dir.path(), "./plain", &MOST.to_string(), &[]);
        let again = stops(dir.path(), "./plain", &MOST.to_string(), &elsewhere);
        let defined_nowhere = undefined(&plain, &again);
        for (level, all) in &mut levels {
            trueline(dir.path(), &["fc", "-g", level, name, "-o", "optimized"]);
            let optimized = stops(dir.path(), "./optimized", "6", &[]);
            let mut found = Comparison::default();
            found.add(&path, level, &plain, &defined_nowhere, &optimized);
            if !found.wrong.is_empty() {
                // As often as in the source: the first few stops do not tell that the code stops more often.
                let optimized = stops(dir.path(), "./optimized", &MOST.to_string(), &[]);
                let again = stops(dir.path(), "./optimized", &MOST.to_string(), &elsewhere);
                let nowhere = &defined_nowhere | &undefined(&optimized, &again);
                found = Comparison::default();
                found.add(&path, level, &plain, &nowhere, &optimized);
            }
            all.join(found);
        }
    }
    let mut compared = 0;
    for (level, all) in &levels {
        println!("{level}: {} values compared, {} optimized out, {} wrong", all.compared, all.absent, all.wrong.len());
        compared += all.compared;
    }
    let wrong: Vec<_> = levels.iter().flat_map(|(_, all)| &all.wrong).cloned().collect();
    assert!(wrong.is_empty(), "{} stops are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 500 || std::env::var_os("TRUELINE_TEST_RUN").is_some(), "only {compared}");
}

const LOOP: &str = "subroutine axpy(n, a, x, y, s)
  integer, intent(in) :: n
  real(8), intent(in) :: a, x(n)
  real(8), intent(inout) :: y(n)
  real(8), intent(out) :: s
  integer :: i, k
  real(8) :: t, u
  complex(8) :: z
  s = 0
  k = 3
  z = cmplx(a, -a, 8)
  do i = 1, n
    t = a * x(i)
    u = t + y(i)
    if (u > 2) then
      k = k + 1
    end if
    y(i) = u
    s = s + u * k
    z = z + u
  end do
  print *, k, s, z
end subroutine
program p
  real(8) :: x(10), y(10), s
  integer :: j
  do j = 1, 10
    x(j) = j * 0.125d0
    y(j) = 1
  end do
  call axpy(10, 2d0, x, y, s)
  print *, s
end program
";

#[test]
fn registers_are_shown_in_optimized_loops() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("l.f90"), LOOP).unwrap();
    for level in ["-O1", "-O2"] {
        trueline(dir.path(), &["fc", "-g", level, "l.f90", "-o", "l"]);
        let commands = [
            "break l.f90:18",
            "run",
            "continue",
            "print i",
            "print u",
            "print k",
            "ignore 1 3",
            "continue",
            "print i",
            "print k",
        ];
        let text = gdb(dir.path(), "./l", &commands);
        in_order(&text, &["y(i) = u", "$1 = 2", "$2 = 1.5", "$3 = 3", "$4 = 6", "$5 = 5"]);
        // Dead code has no place to be at.
        let text = gdb(dir.path(), "./l", &["break l.f90:22", "run", "print t", "print z", "info locals"]);
        in_order(&text, &["$1 = <optimized out>", "$2 = ", "k = 9", "u = <optimized out>"]);
    }
}

/// Elements and components that are registers.
const PARTS: &str = "module m
  type vector
    real(8) :: x, y
    integer :: n
  end type
contains
  subroutine pair(a, b, e)
    real(8), intent(in) :: a, b
    real(8), intent(inout) :: e
    real(8) :: d(3)
    complex(8) :: z(2)
    type(vector) :: v
    d(1) = a - b
    d(3) = a * b
    v%x = exp(a - b - 2.5d0)
    v%n = nint(e)
    z(2) = exp(cmplx(0d0, b - 1.5d0, 8))
    call show(e)
    e = d(1) * d(3) + v%x * v%n + real(z(2))
    call show(d(1) + v%x + aimag(z(2)))
  end subroutine
  recursive subroutine show(e)
    real(8), intent(in) :: e
    print *, e
    if (e > 1000) call show(e / 2)
  end subroutine
end module
program p
  use m
  real(8) :: s
  s = 2
  call pair(4d0, 1.5d0, s)
  call pair(s, 1.5d0, s)
  print *, s
end program
";

#[test]
fn parts_in_registers_are_shown_without_the_others() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("e.f90"), PARTS).unwrap();
    for level in ["-O2", "-O3"] {
        trueline(dir.path(), &["fc", "-g", level, "e.f90", "-o", "e"]);
        let commands = ["break e.f90:19", "run", "print d", "print v", "print v%x", "print z", "continue", "print d"];
        let text = gdb(dir.path(), "./e", &commands);
        in_order(
            &text,
            &[
                "$1 = (2.5, <optimized out>, 6)",
                "$2 = ( x = 1, y = <optimized out>, n = ",
                "$3 = 1",
                "$4 = (<optimized out>, (1,0))",
                "$5 = (16.5, <optimized out>, 27)",
            ],
        );
    }
}

#[test]
fn a_constant_outlives_its_assignment() {
    if !has("gdb") {
        return;
    }
    let source = "program p
  integer :: m, n
  m = 7
  n = 0
  call tick(n)
  m = m + n
  call tick(m)
contains
  subroutine tick(k)
    integer :: k
    k = k + 1
    print *, k
  end subroutine
end program
";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("c.f90"), source).unwrap();
    trueline(dir.path(), &["fc", "-g", "-O2", "c.f90", "-o", "c"]);
    let text = gdb(dir.path(), "./c", &["break c.f90:5", "run", "print m"]);
    in_order(&text, &["call tick(n)", "$1 = 7"]);
}

/// The spare memory of an absent argument is not shown as if it were its value.
#[test]
fn an_absent_argument_has_no_value() {
    if !has("gdb") {
        return;
    }
    let source = "module m
contains
  subroutine show(a, b)
    integer, intent(in) :: a
    integer, optional :: b
    integer :: k
    k = a
    if (present(b)) then
      k = k + b
    end if
    call tick(k)
  end subroutine
  subroutine tick(k)
    integer :: k
    k = k + 1
    print *, k
  end subroutine
end module
program p
  use m
  integer :: q
  q = 7
  call show(1)
  call show(2, q)
  call show(3)
end program
";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.f90"), source).unwrap();
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        trueline(dir.path(), &["fc", "-g", level, "-fno-inline", "a.f90", "-o", "a"]);
        let text =
            gdb(dir.path(), "./a", &["break a.f90:7", "break a.f90:9", "run", "continue", "print b", "continue"]);
        in_order(&text, &["a=1, b=<error", "address 0x0", "a=2, b=7", "$1 = 7", "b=7"]);
        let text = gdb(dir.path(), "./a", &["break a.f90:7", "ignore 1 2", "run", "print b"]);
        in_order(&text, &["a=3, b=<error", "Cannot access memory at address 0x0"]);
    }
}

/// About every twentieth program of the corpus, or the programs asked for.
fn some() -> Vec<PathBuf> {
    let all = crate::corpus::programs();
    crate::corpus::one_in(if std::env::var_os("TRUELINE_TEST_RUN").is_some() { 1 } else { 20 }, all)
}

/// A program that runs: the sections of a program's memory, and their content.
fn memory(path: &Path) -> Vec<(String, Vec<u8>)> {
    let bytes = std::fs::read(path).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let is_kept = |name: &str| !name.starts_with(".debug") && !name.starts_with(".rela.debug") && !name.contains("tab");
    let sections = file.sections().map(|s| (s.name().unwrap().to_owned(), s.data().unwrap_or(&[]).to_vec()));
    sections.filter(|(name, _)| is_kept(name)).collect()
}

#[test]
fn following_values_changes_no_code() {
    let dir = tempfile::tempdir().unwrap();
    for path in some() {
        let name = path.to_str().unwrap();
        for level in ["-O1", "-O2", "-O3"] {
            trueline(dir.path(), &["fc", "-c", level, name, "-o", "plain.o"]);
            trueline(dir.path(), &["fc", "-c", "-g", level, name, "-o", "debug.o"]);
            let [plain, debug] = ["plain.o", "debug.o"].map(|o| memory(&dir.path().join(o)));
            let names = |all: &[(String, Vec<u8>)]| all.iter().map(|(n, _)| n.clone()).collect::<Vec<_>>();
            let without_relocations = |all: Vec<(String, Vec<u8>)>| -> Vec<_> {
                all.into_iter().filter(|(n, _)| !n.starts_with(".rela")).collect()
            };
            assert_eq!(names(&plain), names(&debug), "{name} {level}");
            assert!(without_relocations(plain) == without_relocations(debug), "{name} {level}");
        }
    }
}

/// Values that the optimizer has deleted are followed no further.
#[test]
fn deleted_values_are_followed_no_further() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["tests/run/types/pointer-hard.f90", "tests/abi/shaped.f90"] {
        let path = crate::build::root().join(name);
        trueline(dir.path(), &["fc", "-c", "-g", "-O3", "-fprofile-trueline", path.to_str().unwrap(), "-o", "x.o"]);
    }
}

#[test]
fn dwarf_is_well_formed() {
    if !has("llvm-dwarfdump") || !has("readelf") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for path in some() {
        let name = path.to_str().unwrap();
        for level in ["-O0", "-O2", "-O3"] {
            trueline(dir.path(), &["fc", "-c", "-g", level, name, "-o", "x.o"]);
            let out =
                Command::new("llvm-dwarfdump").args(["--verify", "x.o"]).current_dir(dir.path()).output().unwrap();
            let said = String::from_utf8_lossy(&out.stdout).into_owned();
            assert!(out.status.success() && said.contains("No errors"), "{name} {level}: {said}");
            let dump = ["--debug-dump=info,abbrev,loc,Ranges,rawline", "x.o"];
            let out = Command::new("readelf").args(dump).current_dir(dir.path()).output().unwrap();
            let warned = String::from_utf8_lossy(&out.stderr).into_owned();
            assert!(out.status.success() && warned.is_empty(), "{name} {level}: {warned}");
        }
    }
}
