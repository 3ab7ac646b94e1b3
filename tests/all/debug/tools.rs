//! Other readers of debug information, over the examples: gdb scripts, `objdump -dl`, `addr2line`, `perf annotate`; assembly that has
//! it as objects do; faults in libraries and threads.

use crate::debug::{assignments_in_loops, examples, gdb, has, in_order, lines, trueline};
use object::{Object, ObjectSection};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const LEVELS: [&str; 3] = ["-O0", "-O2", "-O3"];

fn compile(dir: &Path, source: &Path, level: &str) {
    trueline(dir, &["fc", "-c", "-g", level, source.to_str().unwrap(), "-o", "x.o"]);
}

#[test]
fn each_line_with_code_of_its_own_is_a_place_to_stop_at() {
    let dir = tempfile::tempdir().unwrap();
    let mut checked = 0;
    for path in examples() {
        for level in LEVELS {
            compile(dir.path(), &path, level);
            let (all, begun) = lines(&dir.path().join("x.o"));
            for line in &all {
                assert!(begun.contains(line), "{}:{line} begins nowhere at {level}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 800, "only {checked} lines were looked at");
}

/// The addresses of the rows where a statement begins, with their lines.
fn rows(path: &Path) -> Vec<(u64, u64)> {
    let bytes = std::fs::read(path).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let section = |id: gimli::SectionId| -> Result<_, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|s| s.data().ok()).unwrap_or(&[]);
        Ok(gimli::EndianSlice::new(data, gimli::LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(section).unwrap();
    let mut out: Vec<(u64, u64)> = Vec::new();
    let mut units = dwarf.units();
    while let Some(header) = units.next().unwrap() {
        let unit = dwarf.unit(header).unwrap();
        let Some(program) = unit.line_program.clone() else { continue };
        let mut rows = program.rows();
        while let Some((_, row)) = rows.next_row().unwrap() {
            match row.line().filter(|_| !row.end_sequence()) {
                // The last of several rows at one address holds.
                Some(line) => {
                    out.retain(|r| r.0 != row.address());
                    out.push((row.address(), line.get()));
                }
                None => out.retain(|r| r.0 != row.address()),
            }
        }
    }
    out
}

#[test]
fn addr2line_finds_procedure_and_line() {
    if !has("addr2line") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for path in examples() {
        for level in LEVELS {
            trueline(dir.path(), &["fc", "-g", level, path.to_str().unwrap(), "-o", "x"]);
            let all: Vec<_> = rows(&dir.path().join("x")).into_iter().filter(|r| r.1 > 0).collect();
            let addresses: Vec<String> = all.iter().map(|r| format!("{:x}", r.0)).collect();
            let mut command = Command::new("addr2line");
            let out = command.args(["-f", "-e", "x"]).args(&addresses).current_dir(dir.path()).output().unwrap();
            let text = String::from_utf8_lossy(&out.stdout).into_owned();
            let told: Vec<&str> = text.lines().collect();
            assert_eq!(told.len(), 2 * all.len());
            let file = path.file_name().unwrap().to_str().unwrap();
            for ((_, line), told) in all.iter().zip(told.chunks(2)) {
                assert!(!told[0].is_empty() && told[0] != "??", "{file} {level}: {told:?}");
                assert!(told[1].ends_with(&format!("{file}:{line}")), "{file}:{line} {level}: {told:?}");
            }
        }
    }
}

#[test]
fn disassembly_shows_the_lines_of_loops() {
    if !has("objdump") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for path in examples() {
        let source = std::fs::read_to_string(&path).unwrap();
        compile(dir.path(), &path, "-O0");
        let (written, _) = lines(&dir.path().join("x.o"));
        for level in LEVELS {
            compile(dir.path(), &path, level);
            let out = Command::new("objdump").args(["-dl", "x.o"]).current_dir(dir.path()).output().unwrap();
            let text = String::from_utf8_lossy(&out.stdout).into_owned();
            let shown: Vec<&str> = text.lines().collect();
            let file = path.file_name().unwrap().to_str().unwrap();
            for line in assignments_in_loops(&source).iter().filter(|l| written.contains(l)) {
                let name = format!("{file}:{line}");
                let has_code =
                    |w: &[&str]| (w[0].ends_with(&name) || w[0].contains(&format!("{name} "))) && w[1].contains(":\t");
                assert!(shown.windows(2).any(has_code), "{name} has no instruction at {level}");
            }
        }
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "a skipped test says so")]
fn perf_annotates_source_lines() {
    let dir = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hpf/kernel7.f90");
    trueline(dir.path(), &["fc", "-g", "-O2", path.to_str().unwrap(), "-o", "x"]);
    let record = ["record", "-q", "-e", "cpu-clock:u", "-o", "perf.data", "./x"];
    let recorded = Command::new("perf").args(record).current_dir(dir.path()).stdout(Stdio::null()).output();
    if !recorded.is_ok_and(|o| o.status.success()) {
        // Kernels may forbid it; `objdump` reads the same lines.
        println!("skipped: perf cannot record here");
        return;
    }
    let annotate = ["annotate", "--stdio", "-l", "-i", "perf.data", "MAIN__"];
    let out = Command::new("perf").args(annotate).current_dir(dir.path()).output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    if text.is_empty() {
        println!("skipped: perf annotates nothing here: {}", String::from_utf8_lossy(&out.stderr));
        return;
    }
    assert!(text.contains("kernel7.f90:"), "{text}");
}

#[test]
fn gdb_scripts_run_over_examples() {
    if !has("gdb") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hpf/swm256_1d2.f90");
    let source = std::fs::read_to_string(&path).unwrap();
    let at = |text: &str| source.lines().position(|l| l.trim_start().starts_with(text)).unwrap() + 1;
    let call = at("call calc1");
    for level in LEVELS {
        trueline(dir.path(), &["fc", "-g", level, path.to_str().unwrap(), "-o", "x"]);
        let (by_line, before) = (format!("break swm256_1d2.f90:{call}"), format!("swm256_1d2.f90:{call}"));
        let commands = [
            by_line.as_str(),
            "break water::calc2",
            "run > /dev/null",
            "backtrace",
            "continue",
            "backtrace",
            "info scope water::calc2",
            "next",
            "next",
            "next",
            "info breakpoints",
        ];
        let text = gdb(dir.path(), "./x", &commands);
        in_order(&text, &["Breakpoint 1, swm256 ()", &before, "#0  swm256 ()", "water::calc2", "swm256 () at"]);
        in_order(&text, &["Symbol", "Num", "breakpoint already hit 1 time"]);
        if level != "-O3" {
            let text = gdb(dir.path(), "./x", &["break water::calc1", "run > /dev/null", "finish", "backtrace"]);
            in_order(&text, &["water::calc1 ()", "swm256 () at", "#0", "swm256 ()"]);
        }
    }
}

#[test]
fn gdb_steps_through_the_body_of_a_loop() {
    if !has("gdb") {
        return;
    }
    let source = "program p
  real(8) :: a(100), b(100), s
  integer :: i
  read (*, *) s
  do i = 1, 100
    a(i) = s / i
    b(i) = sin(a(i)) * i
    s = s + b(i)
  end do
  print *, s, a(3), b(4)
end program
";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("n.f90"), source).unwrap();
    std::fs::write(dir.path().join("input"), "2.5\n").unwrap();
    for level in LEVELS {
        trueline(dir.path(), &["fc", "-g", level, "n.f90", "-o", "n"]);
        let mut commands = vec!["break n.f90:6", "run < input"];
        commands.extend(["next"; 12]);
        let text = gdb(dir.path(), "./n", &commands);
        let seen = |line: &str| text.lines().filter(|l| l.starts_with(line)).count();
        for line in ["6\t", "7\t", "8\t"] {
            assert!(seen(line) >= 2, "{level}: line {line}: {text}");
        }
    }
}

#[test]
fn gdb_shows_the_callers_at_a_run_time_error() {
    if !has("gdb") {
        return;
    }
    let source = "program p
  call outer(3)
contains
  subroutine outer(n)
    integer :: n
    call twice(n)
    print *, 'back'
  end subroutine
  subroutine twice(n)
    integer :: n
    integer, allocatable :: a(:)
    allocate(a(n))
    allocate(a(n + 1))
    print *, a
  end subroutine
end program
";
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("e.f90"), source).unwrap();
    for level in LEVELS {
        trueline(dir.path(), &["fc", "-g", level, "e.f90", "-o", "e"]);
        let text = gdb(dir.path(), "./e", &["break exit", "run", "backtrace"]);
        in_order(&text, &["twice", "e.f90:13", "outer", "e.f90:6", "p ()", "e.f90:2"]);
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn assembly_is_debugged_as_objects_are() {
    if !has("as") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let run = |program: &str, args: &[&str]| {
        let out = Command::new(program).args(args).current_dir(dir.path()).output().unwrap();
        assert!(out.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let source = crate::debug::VARIABLES;
    std::fs::write(dir.path().join("v.f90"), source).unwrap();
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        trueline(dir.path(), &["fc", "-g", level, "-S", "v.f90", "-o", "s.s"]);
        let listing = run(env!("CARGO_BIN_EXE_trueline"), &["dump", "--level", "asm", "-g", level, "v.f90"]);
        assert!(listing.contains(".debug_info"), "{level}");
        run("as", &["s.s", "-o", "s.o"]);
        trueline(dir.path(), &["fc", "s.o", "-o", "s"]);
        trueline(dir.path(), &["fc", "-g", level, "-c", "v.f90", "-o", "o.o"]);
        trueline(dir.path(), &["fc", "o.o", "-o", "o"]);
        assert_eq!(lines(&dir.path().join("s.o")), lines(&dir.path().join("o.o")), "{level}");
        if !has("gdb") {
            continue;
        }
        let commands = [
            "break v.f90:40",
            "break v.f90:43",
            "run",
            "info args",
            "info locals",
            "info common",
            "print m::grid",
            "print m::dyn",
            "ptype o",
            "up",
            "info locals",
            "delete 1",
            "continue",
            "next",
            "info locals",
            "finish",
        ];
        let [assembled, direct] = ["./s", "./o"].map(|program| {
            let text = gdb(dir.path(), program, &commands);
            // Addresses may differ.
            let word = |w: &str| if w.starts_with("0x") { "0x".to_owned() } else { w.to_owned() };
            let line = |l: &str| l.split(' ').map(word).collect::<Vec<_>>().join(" ");
            text.lines().filter(|l| !l.contains("(process ")).map(line).collect::<Vec<_>>().join("\n")
        });
        assert_eq!(assembled, direct, "{level}");
        assert!(direct.contains("v.f90:43"), "{level}: {direct}");
    }
}

#[test]
fn objects_for_other_processors_have_the_sections() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("v.f90"), crate::debug::VARIABLES).unwrap();
    for level in ["-O0", "-O2"] {
        let target = "aarch64-unknown-linux-gnu";
        trueline(dir.path(), &["build", "-c", "-g", level, "--target", target, "v.f90", "-o", "v.o"]);
        let bytes = std::fs::read(dir.path().join("v.o")).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        for name in [".debug_info", ".debug_line", ".debug_abbrev"] {
            assert!(file.section_by_name(name).is_some_and(|s| s.size() > 100), "{name} {level}");
        }
    }
}

const LIBRARY: &str = "subroutine divide(a, b, c) bind(c, name='divide')
  use iso_c_binding
  integer(c_int) :: a, b, c
  c = a / b
  c = c + 1
end subroutine
subroutine nowhere(k) bind(c, name='nowhere')
  use iso_c_binding
  integer(c_int) :: k
  integer, pointer :: q(:)
  nullify(q)
  q(k) = 5
  print *, q
end subroutine
recursive subroutine deep(n, r)
  use iso_c_binding
  integer(c_int) :: n, r
  integer :: w(1000)
  w = n
  call deep(n + 1, r)
  r = r + w(5)
end subroutine
";
const CALLER: &str = "program p
  interface
    subroutine start(w) bind(c)
      use iso_c_binding
      integer(c_int), value :: w
    end subroutine
  end interface
  character(8) :: w
  integer :: n
  call get_command_argument(1, w)
  read (w, *) n
  call start(n)
end program
";
const THREADS: &str = "#include <pthread.h>
void divide(int*,int*,int*); void nowhere(int*); void deep_(int*,int*);
static int what;
static void *run(void *x) {
  int a = 5, b = 0, c = 0;
  if (what % 10 == 1) divide(&a, &b, &c);
  if (what % 10 == 2) nowhere(&a);
  if (what % 10 == 3) deep_(&a, &c);
  return x;
}
void start(int w) {
  what = w;
  if (w < 10) { run(0); return; }
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
}
";

fn cc(dir: &Path, args: &[&str]) -> Output {
    Command::new("cc").args(args).current_dir(dir).output().unwrap()
}

/// A stack may overflow anywhere: in a procedure, on its way to one of the runtime's, or in that. Steps of the environment's
/// size move the end of the stack through all of a frame.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn a_stack_that_overflows_at_any_place_says_where() {
    if !has("setarch") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("lib.f90", LIBRARY), ("main.f90", CALLER), ("t.c", THREADS)] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    assert!(cc(dir.path(), &["-c", "t.c", "-o", "t.o"]).status.success());
    trueline(
        dir.path(),
        &["fc", "-g", "-O3", "-fprofile-trueline", "main.f90", "lib.f90", "t.o", "-lpthread", "-o", "x"],
    );
    for k in 0..90 {
        let mut command = Command::new("setarch");
        command.args(["-R", "./x", "3"]).env("PAD", "x".repeat(48 * k)).current_dir(dir.path());
        let said = String::from_utf8_lossy(&command.output().unwrap().stderr).into_owned();
        in_order(&said, &["Backtrace for this error:", "#0  in deep_", "#9  in deep_", "(and the procedures"]);
        assert!(!said.contains("#20 "), "the stack is shown as far as 16 frames: {said}");
    }
}

#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn faults_in_libraries_and_threads_say_where_they_are() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("lib.f90", LIBRARY), ("main.f90", CALLER), ("t.c", THREADS)] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    assert!(cc(dir.path(), &["-c", "t.c", "-o", "t.o"]).status.success());
    let profile = dir.path().join("profile.json");
    for level in ["-O0", "-O3"] {
        for profiled in [&[][..], &["-fprofile-trueline"]] {
            let library = [&["fc", "-g", level, "-shared", "-fPIC", "lib.f90", "-o", "libx.so"][..], profiled].concat();
            trueline(dir.path(), &library);
            let link = ["fc", "-g", level, "main.f90", "t.o", "./libx.so", "-lpthread", "-o", "x"];
            trueline(dir.path(), &[&link[..], profiled].concat());
            for (what, signal, place) in [
                ("1", libc::SIGFPE, "lib.f90:4"),
                ("2", libc::SIGSEGV, "lib.f90:12"),
                ("3", libc::SIGSEGV, "lib.f90:"),
                ("11", libc::SIGFPE, "lib.f90:4"),
                ("12", libc::SIGSEGV, "lib.f90:12"),
                ("13", libc::SIGSEGV, ""),
            ] {
                let _ = std::fs::remove_file(&profile);
                let mut command = Command::new("./x");
                let out =
                    command.arg(what).env("TRUELINE_PROFILE_FILE", &profile).current_dir(dir.path()).output().unwrap();
                let said = String::from_utf8_lossy(&out.stderr).into_owned();
                assert_eq!(out.status.signal(), Some(signal), "{level} {profiled:?} {what}: {said}");
                assert_eq!(profile.exists(), !profiled.is_empty(), "{level} {profiled:?} {what}");
                // A thread that C has made has no room for a message when its stack has overflowed.
                if !place.is_empty() {
                    in_order(&said, &["Program received signal", "Backtrace for this error:", "#0  in ", place]);
                }
                if what == "3" {
                    let lines = ["lib.f90:15", "lib.f90:19", "lib.f90:20"];
                    assert!(lines.iter().any(|l| said.contains(l)), "{level} {profiled:?}: {said}");
                }
            }
        }
    }
}
