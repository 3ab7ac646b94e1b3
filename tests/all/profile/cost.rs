//! The stated cost of measuring. The amount depends on the machine and is never asserted; the numbers of operations are.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use trueline_abi::cost::Class;
use trueline_abi::profile::Profile;

fn trueline(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trueline")).current_dir(dir).args(args).output().unwrap()
}

fn succeed(dir: &Path, args: &[&str]) -> String {
    let out = trueline(dir, args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

fn read(path: &Path) -> Profile {
    trueline_report::read(&std::fs::read(path).unwrap()).unwrap()
}

/// A loop with a conditional, one arm taken in every third iteration and the other in the rest, called 500 times.
const WORK: &str = "\
subroutine work(n, a, s)
  integer, intent(in) :: n, a(n)
  integer, intent(inout) :: s
  integer :: i
  do i = 1, n
    if (a(i) == 0) then
      s = ieor(s, i)
    else
      s = s + a(i) * s
    end if
  end do
end subroutine
";
const MAIN: &str = "\
program main
  integer :: a(300), i, s
  do i = 1, 300
    a(i) = mod(i, 3)
  end do
  s = 1
  do i = 1, 500
    call work(300, a, s)
  end do
  print *, 'done'
end program
";

/// A check or STOP in an arm ends the run: no iteration adds to memory, and nothing is done so often as half of the iterations would.
#[test]
fn arms_that_end_the_run_cost_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let stops = WORK.replace("    else\n", "    else if (s == 77) then\n      stop 3\n    else\n");
    let checked = WORK.replace("s = s + a(i) * s", "s = s + a(a(i)) * s");
    std::fs::write(dir.path().join("main.f90"), MAIN).unwrap();
    for (work, check) in [(stops, "-fcheck=do"), (checked, "-fcheck=bounds")] {
        std::fs::write(dir.path().join("work.f90"), work).unwrap();
        for name in ["work.f90", "main.f90"] {
            succeed(dir.path(), &["fc", "-O2", check, "-fprofile-trueline=none", "-c", name]);
        }
        succeed(dir.path(), &["fc", "work.o", "main.o", "-o", "p"]);
        let file = dir.path().join("p.json");
        let out = Command::new(dir.path().join("p")).env("TRUELINE_PROFILE_FILE", &file).output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let overhead = read(&file).overhead;
        // 500 calls of 300 iterations each.
        let of = |class: Class| overhead.operations[class as usize];
        let in_memory = of(Class::Memory) + of(Class::Around) + of(Class::Call);
        assert!(in_memory < 20_000.0, "{check}: {in_memory} {:?}", overhead.operations);
        assert!(of(Class::Register) + of(Class::Arm) < 330_000.0, "{check}: {:?}", overhead.operations);
    }
}

/// Built file by file, so that each part is known: the entry of the procedure, an arm in a register, the additions when
/// the loop is entered and left.
#[test]
fn operations_are_counted_from_counts() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("work.f90", WORK), ("main.f90", MAIN)] {
        std::fs::write(dir.path().join(name), text).unwrap();
        succeed(dir.path(), &["fc", "-O2", "-fprofile-trueline=none", "-c", name]);
    }
    succeed(dir.path(), &["fc", "-fprofile-trueline=none", "work.o", "main.o", "-o", "p"]);
    let ran = Command::new(dir.path().join("p"))
        .current_dir(dir.path())
        .env("TRUELINE_PROFILE_FILE", "p.json")
        .output()
        .unwrap();
    assert!(ran.status.success());
    let overhead = read(&dir.path().join("p.json")).overhead;
    let of = |c: Class| overhead.operations[c as usize];
    assert_eq!(of(Class::Entry), 0.0, "calls that are counted where they are made pass by the entry");
    let (third, all) = (500.0 * 100.0, 500.0 * 300.0);
    let in_loop = of(Class::Register) + of(Class::Memory) + of(Class::Hidden);
    assert!(
        in_loop >= third && in_loop < all,
        "the arm that runs less often is counted, while the other one waits: {in_loop}"
    );
    // An entry of the loop adds to a bucket, its minimum and its maximum.
    assert!((500.0..=3500.0).contains(&of(Class::Call)), "{:?}", overhead.operations);
    assert_eq!(of(Class::Test), 0.0, "there are no timers");
    let parts = [overhead.counters, overhead.timers, overhead.samples, overhead.start_end].map(Option::unwrap);
    assert!(parts.iter().all(|p| (0.0..=1.0).contains(p)), "{parts:?}");
    assert!((overhead.measured.unwrap() - parts.iter().sum::<f64>()).abs() < 1e-6);
    assert!(parts[0] > 0.0 && parts[3] > 0.0 && !overhead.at_least, "{parts:?}");
    let ns = overhead.operation_ns;
    assert!((0..ns.len()).all(|c| ns[c] > 0.0 || c == Class::Branch as usize), "{ns:?}");
    assert_eq!(of(Class::Branch), all, "the conditional of the loop, whose iterations are counted");
    let [low, high] = overhead.between.unwrap();
    assert!(0.0 <= low && low <= high && high <= 1.0, "{low} {high}");
    assert!(high >= parts[0] + parts[3] && low <= overhead.measured.unwrap(), "{low} {high} {overhead:?}");
}

/// Masked timers are asked for at each start.
#[test]
fn tests_of_timers_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.f90"), format!("{MAIN}{WORK}")).unwrap();
    succeed(dir.path(), &["profile", "-O0", "--time=all", "--overhead=none", "--out", "p.json", "p.f90"]);
    let overhead = read(&dir.path().join("p.json")).overhead;
    let tests = overhead.operations[Class::Test as usize];
    assert!((1000.0..1100.0).contains(&tests), "500 calls of a procedure with a loop: {tests}");
    assert!(overhead.timers.unwrap() > 0.0);
}

/// It reads a number, and writes the number with its argument to standard output.
const ECHO: &str = "\
program echo
  integer :: n, i
  real(8) :: s
  character(8) :: word
  call get_command_argument(1, word)
  read *, n
  s = 0
  do i = 1, n
    s = s + sqrt(real(i, 8))
  end do
  print *, 'read', n, trim(word), s > 0, twice(n)
end program
";
const OTHER: &str = "integer function twice(n)\n  integer, intent(in) :: n\n  twice = 2 * n\nend function\n";

#[test]
fn both_programs_are_run_in_turn() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(
        dir.path().join("echo.f90"),
        ECHO.replace("real(8) :: s\n", "real(8) :: s\n  integer, external :: twice\n"),
    )
    .unwrap();
    std::fs::write(dir.path().join("other.f90"), OTHER).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_trueline"))
        .current_dir(dir.path())
        .args(["profile", "--cost", "--out", "p.json", "echo.f90", "other.f90", "--", "word"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The input stays open: nobody waits for its end.
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"1000000\n").unwrap();
    input.flush().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let text: Vec<String> = lines.by_ref().map(Result::unwrap).collect();
    let out = child.wait_with_output().unwrap();
    drop(input);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(
        text.iter().filter(|l| l.contains("read") && l.contains("2000000") && l.contains("word")).count(),
        1,
        "{text:#?}"
    );
    assert_eq!(
        text.iter().filter(|l| l.contains("runs of the plain program and of the profiled one in turn")).count(),
        1
    );
    let compared = read(&dir.path().join("p.json")).overhead.compared.unwrap();
    assert!(compared.pairs >= 3 && compared.cpu.low <= compared.cpu.median && compared.cpu.median <= compared.cpu.high);
    assert!(compared.cpu.low > 0.0 && compared.wall.low > 0.0 && compared.fraction < 1.0, "{compared:?}");
    let report = succeed(dir.path(), &["report", "p.json"]);
    assert!(report.contains("processor time: ") && report.contains("the profile says"), "{report}");
}

/// A program may go back in its input, if that is a file.
#[test]
fn input_that_is_a_file_stays_one() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program p\n  integer :: i, n\n  do i = 1, 2\n    read (5, *) n\n    print *, 'read', n\n    rewind (5)\n  end do\nend program\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    std::fs::write(dir.path().join("input"), "17\n").unwrap();
    let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
        .current_dir(dir.path())
        .args(["profile", "--cost", "--quiet", "--out", "p.json", "p.f90"])
        .stdin(std::fs::File::open(dir.path().join("input")).unwrap())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(String::from_utf8_lossy(&out.stdout).matches("17").count(), 2);
    assert!(read(&dir.path().join("p.json")).overhead.compared.unwrap().pairs >= 3);
}

/// A program that does not do the same again cannot be compared; its profile and its output stand.
#[test]
fn a_program_that_ends_otherwise_is_not_compared() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program p\n  logical :: there\n  inquire (file='mark', exist=there)\n  if (there) stop 3\n  \
                  open (7, file='mark')\n  write (7, *) 1\n  print *, 'first'\nend program\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    let out = trueline(dir.path(), &["profile", "--cost", "--out", "p.json", "p.f90"]);
    let error = String::from_utf8_lossy(&out.stderr);
    assert!(!out.status.success() && error.contains("Cannot compare the programs"), "{error}");
    assert_eq!(String::from_utf8_lossy(&out.stdout).matches("first").count(), 1);
    assert_eq!(read(&dir.path().join("p.json")).overhead.compared, None);
}

#[test]
fn a_killed_program_cost_at_least_that() {
    let dir = tempfile::tempdir().unwrap();
    let source = "program p\n  integer :: i\n  real(8) :: x\n  x = 2\n  call once(x)\n  print *, 'running'\n  flush (6)\n  i = 0\n  \
                  do while (x > 0)\n    x = sqrt(x) + 1\n    if (x < 1.5d0) i = i + 1\n  end do\n  print *, i\ncontains\n\
                  subroutine once(x)\n  real(8) :: x\n  integer :: k\n  do k = 1, 100\n    x = x + 1d0 / k\n  end do\n\
                  end subroutine\nend program\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    succeed(dir.path(), &["build", "--profile", "p.f90", "-o", "p"]);
    let mut child = Command::new(dir.path().join("p"))
        .current_dir(dir.path())
        .env("TRUELINE_PROFILE_FILE", "p.json")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.contains("running"));
    let profile = read(&dir.path().join("p.json"));
    assert!(profile.incomplete && profile.overhead.at_least && profile.overhead.measured.is_some());
    let report = succeed(dir.path(), &["report", "p.json"]);
    assert!(report.contains("measuring took at least "), "{report}");
    assert!(!report.contains("predicted"), "{report}");
}

/// A vectorized loop makes several iterations of the source at once, and each of two inlined copies only its own.
#[test]
fn copies_of_loops_share_their_iterations() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("halve.f90"), HALVE).unwrap();
    succeed(dir.path(), &["fc", "-O3", "-fprofile-trueline=none", "halve.f90", "-o", "p"]);
    let mut ran = Command::new(dir.path().join("p"));
    let ran = ran.current_dir(dir.path()).env("TRUELINE_PROFILE_FILE", "p.json").output().unwrap();
    assert!(ran.status.success());
    let profile = read(&dir.path().join("p.json"));
    let operations = profile.overhead.operations;
    let all = 2.0 * 2000.0 * 1000.0;
    let in_loops: f64 =
        [Class::Register, Class::Arm, Class::Hidden, Class::Lanes].iter().map(|&c| operations[c as usize]).sum();
    assert!((all / 4.0..all).contains(&in_loops), "{in_loops} of {all} iterations: {operations:?}");
}

const HALVE: &str = "\
subroutine halve(x, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: x(n)
  integer :: i
  do i = 1, n
    if (x(i) > 1d0) x(i) = x(i)*0.5d0 + 0.1d0
  end do
end subroutine
program halves
  real(8) :: x(1000)
  integer :: k
  x = 3d0
  do k = 1, 2000
    call halve(x, 1000)
    if (mod(k, 100) == 0) x = 3d0
  end do
  do k = 1, 2000
    call halve(x, 1000)
  end do
  print *, sum(x)
end program
";
