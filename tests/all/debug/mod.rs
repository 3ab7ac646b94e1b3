//! Debug information: a debugger stops on the source line and shows frames and variables; faults say where they
//! are; assembly can be assembled.

mod frames;
mod live_ranges;
mod tools;
mod values;

use object::{Object, ObjectSection};
use std::collections::BTreeSet;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Whether `tool` is there. Where the gate says that nothing may be skipped, it must be.
pub fn available(tool: &str) -> bool {
    let found = Command::new(tool)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    assert!(found || std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none(), "{tool} is missing where no test may skip");
    found
}

#[test]
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
fn gdb_breaks_on_the_line() {
    if !available("gdb") {
        println!("skipped: gdb is not installed");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let source = "program p\n  integer :: i, n\n  n = 0\n  do i = 1, 3\n    call add(n, i)\n  end do\n  print *, n\nend program\n\nsubroutine add(a, b)\n  integer :: a, b\n  a = a + b\nend subroutine\n";
    std::fs::write(dir.path().join("p.f90"), source).unwrap();
    let built = Command::new(env!("CARGO_BIN_EXE_trueline"))
        .args(["build", "-g", "-O1", "p.f90", "-o", "p"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let out = Command::new("gdb")
        .args(["-nx", "-batch", "-ex", "break p.f90:12", "-ex", "run", "-ex", "backtrace", "./p"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(text.contains("p.f90:12"), "{text}");
}

pub fn trueline(dir: &Path, args: &[&str]) {
    let out = Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(dir).output().unwrap();
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
}

/// The output of gdb for these commands.
pub fn gdb(dir: &Path, program: &str, commands: &[&str]) -> String {
    let mut command = Command::new("gdb");
    command.args(["-nx", "-batch", "-ex", "set width 0", "-ex", "set print frame-info source-and-location"]);
    for c in commands {
        command.args(["-ex", c]);
    }
    let out = command.arg(program).current_dir(dir).output().unwrap();
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[allow(clippy::print_stdout, reason = "a skipped test says so")]
pub fn has(tool: &str) -> bool {
    let found = available(tool);
    if !found {
        println!("skipped: {tool} is not installed");
    }
    found
}

/// Checks that the text has these pieces in this order.
pub fn in_order(text: &str, pieces: &[&str]) {
    let mut rest = text;
    for piece in pieces {
        let Some(at) = rest.find(piece) else { panic!("'{piece}' is missing, or too early, in:\n{text}") };
        rest = &rest[at + piece.len()..];
    }
}

pub const VARIABLES: &str = "module m
  implicit none
  type inner
    real(8) :: x
    integer :: k(3)
  end type
  type outer
    type(inner) :: part
    character(5) :: name
    type(inner), allocatable :: list(:)
  end type
  integer :: counter = 7
  real(8) :: grid(2,3) = 1.5d0
  integer, allocatable :: dyn(:)
contains
  subroutine work(a, n, str, o)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(:)
    character(*) :: str
    type(outer) :: o
    integer :: i
    complex(8) :: z
    logical :: flag
    real(8) :: table(2:4)
    integer, pointer :: p(:)
    integer, target :: t(6)
    integer :: first
    real :: rest(2)
    common /blk/ first, rest
    z = (1d0, -2d0)
    flag = .true.
    table = 3.5d0
    first = 42
    rest = 2.5
    t = [1, 2, 3, 4, 5, 6]
    p => t(2:6:2)
    allocate(dyn(0:2))
    dyn = [10, 20, 30]
    do i = 1, n
      a(i) = a(i) + counter
      o%part%k(2) = i
    end do
    str = 'hello'
  end subroutine
end module
program main
  use m
  real(8) :: a(3)
  type(outer) :: o
  character(6) :: s
  a = [1, 2, 3]
  s = 'before'
  o%name = 'named'
  o%part%x = 0.25d0
  o%part%k = 9
  call work(a, 3, s, o)
  print *, a, s
end program
";

#[test]
fn gdb_shows_variables() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("v.f90"), VARIABLES).unwrap();
    trueline(dir.path(), &["fc", "-g", "-O0", "v.f90", "-o", "v"]);
    let at_loop = gdb(
        dir.path(),
        "./v",
        &[
            "break v.f90:40",
            "run",
            "continue",
            "info args",
            "info locals",
            "info common",
            "print i",
            "print a(3)",
            "print counter",
            "print grid",
            "print dyn",
            "print dyn(2)",
            "print p",
            "print o%part%x",
            "ptype o",
            "ptype a",
            "print table(4)",
            "print str",
            "set var i = 3",
            "print i",
            "up",
            "print s",
            "info locals",
        ],
    );
    in_order(
        &at_loop,
        &[
            "m::work (a=..., n=3, str=..., o=...) at ./v.f90:40",
            "a(i) = a(i) + counter",
            "a = (8, 2, 3)",
            "n = 3",
            "str = 'before'",
            "o = ( part = ( x = 0.25, k = (9, 1, 9) ), name = 'named', list = <not allocated> )",
            "i = 2",
            "z = (1,-2)",
            "flag = .TRUE.",
            "table = (3.5, 3.5, 3.5)",
            "t = (1, 2, 3, 4, 5, 6)",
            "Contents of F77 COMMON block 'blk':",
            "first = 42",
            "rest = (2.5, 2.5)",
            "$1 = 2",
            "$2 = 3",
            "$3 = 7",
            "$4 = ((1.5, 1.5) (1.5, 1.5) (1.5, 1.5))",
            "$5 = (10, 20, 30)",
            "$6 = 30",
            "$7 = (2, 4, 6)",
            "$8 = 0.25",
            "type = Type outer",
            "Type inner :: part",
            "character*5 :: name",
            "Type inner, allocatable :: list(:)",
            "End Type outer",
            "type = real(kind=8) (3)",
            "$9 = 3.5",
            "$10 = 'before'",
            "$11 = 3",
            "main () at ./v.f90:56",
            "$12 = 'before'",
            "a = (8, 2, 3)",
        ],
    );
}

#[test]
fn gdb_shows_what_is_in_memory_at_every_level() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("v.f90"), VARIABLES).unwrap();
    for level in ["-O1", "-O2", "-O3"] {
        trueline(dir.path(), &["fc", "-g", level, "v.f90", "-o", "v"]);
        let commands = ["break v.f90:43", "run", "print m::counter", "print m::dyn", "info common", "finish"];
        let text = gdb(dir.path(), "./v", &commands);
        in_order(&text, &["v.f90:43", "str = 'hello'", "$1 = 7", "$2 = (10, 20, 30)", "first = 42"]);
    }
}

const INLINED: &str = "module m
  implicit none
contains
  pure function cube(x) result(r)
    real(8), intent(in) :: x
    real(8) :: r
    r = x * x * x
    r = r - x / 3
  end function
  subroutine step(a, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    integer :: i
    do i = 1, n
      a(i) = cube(a(i)) + 1
    end do
  end subroutine
end module
program p
  use m
  real(8) :: a(100)
  a = 0.25d0
  call step(a, 100)
  print *, sum(a)
end program
";

#[test]
fn inlined_procedures_are_frames() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("i.f90"), INLINED).unwrap();
    trueline(dir.path(), &["fc", "-g", "-O3", "i.f90", "-o", "i"]);
    if has("gdb") {
        let text = gdb(dir.path(), "./i", &["break MAIN__", "break i.f90:8", "run", "continue", "backtrace"]);
        in_order(&text, &["#0  m::cube", "i.f90:8", "#1", "m::step", "i.f90:15", "#2", "p () at ./i.f90:23"]);
    }
    if has("addr2line") && has("nm") {
        let symbols = Command::new("nm").arg("i").current_dir(dir.path()).output().unwrap();
        let symbols = String::from_utf8_lossy(&symbols.stdout).into_owned();
        let main = symbols.lines().find(|l| l.ends_with(" MAIN__")).unwrap();
        let start = u64::from_str_radix(main.split(' ').next().unwrap(), 16).unwrap();
        let addresses: Vec<String> = (0..600).map(|k| format!("{:x}", start + k)).collect();
        let out = Command::new("addr2line").args(["-i", "-e", "i"]).args(&addresses).current_dir(dir.path()).output();
        let text = String::from_utf8_lossy(&out.unwrap().stdout).into_owned();
        let lines: Vec<&str> = text.lines().map(|l| l.rsplit('/').next().unwrap_or(l)).collect();
        assert!(lines.windows(3).any(|w| w == ["i.f90:7", "i.f90:15", "i.f90:23"]), "{text}");
    }
}

#[test]
fn gdb_stops_in_the_body_of_a_loop() {
    if !has("gdb") {
        return;
    }
    let source = "subroutine s(a, b, n, t)
  integer :: n, i
  real(8) :: a(n), b(n), t, c
  c = n * 2
  do i = 1, n
    a(i) = a(i) * c
    b(i) = b(i) + a(i)
    if (b(i) > 3) then
      t = t + b(i)
    end if
  end do
end subroutine
program p
  real(8) :: a(3), b(3), t
  a = 1
  b = 2
  t = 0
  call s(a, b, 3, t)
  print *, t
end program
";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("l.f90"), source).unwrap();
    for level in ["-O0", "-O1", "-O2"] {
        trueline(dir.path(), &["fc", "-g", level, "l.f90", "-o", "l"]);
        let commands = ["break l.f90:7", "run", "continue", "continue", "info breakpoints", "continue"];
        let text = gdb(dir.path(), "./l", &commands);
        in_order(&text, &["b(i) = b(i) + a(i)", "already hit 3 times", "24.0000", "exited normally"]);
    }
}

/// The lines that have code in an object file, and those where a statement begins.
pub fn lines(path: &Path) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let bytes = std::fs::read(path).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let section = |id: gimli::SectionId| -> Result<_, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|s| s.data().ok()).unwrap_or(&[]);
        Ok(gimli::EndianSlice::new(data, gimli::LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(section).unwrap();
    let (mut all, mut begun) = (BTreeSet::new(), BTreeSet::new());
    let mut units = dwarf.units();
    while let Some(header) = units.next().unwrap() {
        let Some(program) = dwarf.unit(header).unwrap().line_program.clone() else { continue };
        let mut rows = program.rows();
        while let Some((_, row)) = rows.next_row().unwrap() {
            let Some(line) = row.line().filter(|_| !row.end_sequence()) else { continue };
            all.insert(line.get());
            if row.is_stmt() {
                begun.insert(line.get());
            }
        }
    }
    (all, begun)
}

pub fn examples() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hpf");
    let mut out: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    out.retain(|p| p.extension().is_some_and(|e| e == "f90"));
    out.sort();
    out
}

/// The lines of assignments of something computed to scalars and elements, in loops.
pub fn assignments_in_loops(source: &str) -> Vec<u64> {
    let (mut depth, mut out) = (0, Vec::new());
    for (number, line) in source.lines().enumerate() {
        let line = line.trim().to_lowercase();
        if line.starts_with("do ") || line.contains(": do ") {
            depth += 1;
        } else if line.starts_with("end do") || line.starts_with("enddo") {
            depth -= 1;
        } else if let Some((place, value)) = line.split_once(" = ")
            && depth > 0
            && !place.contains(['&', '!', ':', '\''])
            && !place.starts_with("if")
            && value.contains(['+', '-', '*', '/', '('])
            && value.chars().any(|c| c.is_alphabetic() && c != 'd')
            && !line.ends_with('&')
            && !value.contains("==")
        {
            out.push(number as u64 + 1);
        }
    }
    out
}

#[test]
fn every_line_of_a_loop_has_instructions() {
    let dir = tempfile::tempdir().unwrap();
    let object = dir.path().join("x.o");
    let mut checked = 0;
    for path in examples() {
        let source = std::fs::read_to_string(&path).unwrap();
        let expected = assignments_in_loops(&source);
        let build = |level: &str| {
            trueline(dir.path(), &["fc", "-c", "-g", level, path.to_str().unwrap(), "-o", "x.o"]);
            lines(&object)
        };
        let (written, _) = build("-O0");
        for level in ["-O1", "-O2", "-O3"] {
            let (all, begun) = build(level);
            for line in expected.iter().filter(|l| written.contains(l)) {
                assert!(all.contains(line), "{}:{line} has no code at {level}", path.display());
                assert!(begun.contains(line), "{}:{line} begins nowhere at {level}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "only {checked} lines were looked at");
}

#[test]
fn debug_information_costs_no_code() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("v.f90"), VARIABLES).unwrap();
    std::fs::write(dir.path().join("i.f90"), INLINED).unwrap();
    let code = |name: &str| {
        let bytes = std::fs::read(dir.path().join(name)).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        file.section_by_name(".text").unwrap().data().unwrap().to_vec()
    };
    for source in ["v.f90", "i.f90"] {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            trueline(dir.path(), &["fc", "-c", level, source, "-o", "plain.o"]);
            trueline(dir.path(), &["fc", "-c", "-g", level, source, "-o", "debug.o"]);
            assert!(code("plain.o") == code("debug.o"), "{source} {level}");
        }
    }
}

fn fails(dir: &Path, source: &str, level: &str) -> Output {
    std::fs::write(dir.join("f.f90"), source).unwrap();
    trueline(dir, &["fc", "-g", level, "f.f90", "-o", "f"]);
    Command::new("./f").current_dir(dir).output().unwrap()
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn faults_say_where_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let division = "subroutine s(a, b, c)\n  integer :: a, b, c\n  c = a / b\n  c = c + 1\nend subroutine\nprogram p\n  integer :: x = 5, y = 0, z\n  call s(x, y, z)\n  print *, z\nend program\n";
    let null = "subroutine s(k)\n  integer :: k\n  integer, pointer :: q(:)\n  nullify(q)\n  q(k) = 5\n  print *, q\nend subroutine\nprogram p\n  call s(1)\nend program\n";
    let deep = "recursive subroutine s(n, r)\n  integer :: n, r, w(1000)\n  w = n\n  call s(n + 1, r)\n  r = r + w(5)\nend subroutine\nprogram p\n  integer :: r = 0\n  call s(1, r)\n  print *, r\nend program\n";
    let fpe = "Program received signal SIGFPE: Floating-point exception - erroneous arithmetic operation.";
    let segv = "Program received signal SIGSEGV: Segmentation fault - invalid memory reference.";
    for (source, signal, text, line) in [
        (division, libc::SIGFPE, fpe, "f.f90:3"),
        (null, libc::SIGSEGV, segv, "f.f90:5"),
        (deep, libc::SIGSEGV, segv, "f.f90:4"),
    ] {
        for level in ["-O0", "-O1"] {
            let out = fails(dir.path(), source, level);
            let said = String::from_utf8_lossy(&out.stderr).into_owned();
            assert_eq!(out.status.signal(), Some(signal), "{level} {said}");
            in_order(&said, &[text, "Backtrace for this error:", "#0  in s_", line]);
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn assembly_is_assembled() {
    if !has("as") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for path in examples() {
        let name = path.to_str().unwrap();
        let expected = std::fs::read(path.with_extension("out")).unwrap();
        for flags in [&["-O0"][..], &["-O3", "-g"], &["-O3", "-march=native"]] {
            let assemble = [&["fc", "-S", name, "-o", "x.s"][..], flags].concat();
            trueline(dir.path(), &assemble);
            let out = Command::new("as").args(["x.s", "-o", "x.o"]).current_dir(dir.path()).output().unwrap();
            assert!(out.status.success(), "{name}: {}", String::from_utf8_lossy(&out.stderr));
            trueline(dir.path(), &["fc", "x.o", "-o", "x"]);
            let out = Command::new("./x").current_dir(dir.path()).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&expected), "{name} {flags:?}");
        }
    }
}
