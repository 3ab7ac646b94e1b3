//! The command line as a user types it: exit codes, messages, files.

use crate::build::root;
use std::path::Path;
use std::process::{Command, Output};

fn trueline(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).current_dir(directory).output().expect("the compiler runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const HELLO: &str =
    "program hello\n  integer :: i, n\n  n = 0\n  do i = 1, 10\n    n = n + i\n  end do\n  print *, n\nend program\n";

#[test]
fn profile_prints_the_output_and_the_profile() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    let out = trueline(dir.path(), &["profile", "--out", "p.json", "hello.f90"]);
    let stdout = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(stdout.starts_with("          55\n"), "{stdout}");
    assert!(stdout.contains("hello.f90:4"), "{stdout}");
    assert!(dir.path().join("p.json").exists());
    let report = trueline(dir.path(), &["report", "p.json"]);
    assert!(text(&report.stdout).contains("do i = 1, 10"), "{}", text(&report.stdout));
    let quiet = trueline(dir.path(), &["profile", "-O0", "--quiet", "--out", "q.json", "hello.f90"]);
    assert_eq!(text(&quiet.stdout), "          55\n");
}

#[test]
fn the_header_and_the_library_are_shipped() {
    let dir = tempfile::tempdir().unwrap();
    let header = trueline(dir.path(), &["--print", "header"]);
    assert!(text(&header.stdout).contains("void trueline_start_procedure(const char *name, trueline_record *record);"));
    let library = text(&trueline(dir.path(), &["--print=runtime"]).stdout);
    assert!(Path::new(library.trim_end()).is_file(), "{library}");
    assert_eq!(trueline(dir.path(), &["--print", "nothing"]).status.code(), Some(2));
}

#[test]
fn exit_codes() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| std::fs::write(dir.path().join(name), content).unwrap();
    write("stop.f90", "program p\n  stop 7\nend program\n");
    write("bad.f90", "program p\n  implicit none\n  i = 1\nend program\n");
    write("unresolved.f90", "program p\n  call nowhere()\nend program\n");
    let code = |args: &[&str]| trueline(dir.path(), args).status.code();
    assert_eq!(code(&["run", "stop.f90"]), Some(7));
    assert_eq!(code(&["profile", "--quiet", "--out", "s.json", "stop.f90"]), Some(7));
    assert_eq!(code(&["run", "bad.f90"]), Some(1));
    assert_eq!(code(&["run", "missing.f90"]), Some(1));
    assert_eq!(code(&["run"]), Some(2));
    assert_eq!(code(&["frobnicate"]), Some(2));
    assert_eq!(code(&["build", "unresolved.f90"]), Some(3));
    assert_eq!(code(&["report", "bad.f90"]), Some(1));
    assert_eq!(code(&["--version"]), Some(0));
}

#[test]
fn certify_says_identical() {
    let out = trueline(&root(), &["build", "--certify", "examples/hpf/teaching.f90"]);
    assert_eq!(text(&out.stdout), "identical\n", "{}", text(&out.stderr));
}

#[test]
fn a_failed_build_leaves_no_output() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("bad.f90"), "program p\n  x = )\nend program\n").unwrap();
    std::fs::write(dir.path().join("keep"), "old").unwrap();
    let out = trueline(dir.path(), &["build", "bad.f90", "-o", "keep"]);
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(dir.path().join("keep")).unwrap(), "old");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    let bytes = |threads: &str, name: &str| {
        let out = Command::new(env!("CARGO_BIN_EXE_trueline"))
            .args(["build", "-c", "-g", "--profile", "hello.f90", "-o", name])
            .env("RAYON_NUM_THREADS", threads)
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        std::fs::read(dir.path().join(name)).unwrap()
    };
    let one = bytes("1", "a.o");
    assert_eq!(one, bytes("2", "b.o"));
    // More threads than make sense are not started: a million took longer than anybody waits.
    assert_eq!(one, bytes("1000000", "c.o"));
}

#[test]
fn dump_shows_every_level() {
    let example = root().join("examples/hpf/jacobi.f90");
    let example = example.to_str().expect("the path is text");
    let directory = tempfile::tempdir().expect("a directory can be made");
    let shows = |level: &str, sign: &str| {
        let out = trueline(directory.path(), &["dump", "--level", level, "--sets", example]);
        assert!(out.status.success(), "{level}: {}", text(&out.stderr));
        assert!(text(&out.stdout).contains(sign), "{level} shows no {sign}");
    };
    shows("ast", "program jacobi");
    shows("vh", "program jacobi vh");
    shows("h", "do ");
    shows("m", "load_r8");
    shows("l", "goto");
    shows("clif", "block0");
    shows("clif", "load.f64x2");
    shows("asm", "ret");
}

/// Tells that it runs, and then does not end.
const ENDLESS: &str = "program endless\n  integer :: i\n  real(8) :: s\n  s = 0d0\n  print *, 'running'\n  flush (6)\n\
                       \x20 do while (s >= 0d0)\n    do i = 1, 1000\n      s = s + 1d0 / i\n    end do\n  end do\n  print *, s\nend program\n";

/// Starts `trueline profile` in a process group of its own, as a shell does, and sends a signal once the program runs.
fn interrupted(more: &[&str], signal: &str, to_group: bool) -> (Option<i32>, String) {
    use std::io::{BufRead, BufReader, Read};
    use std::os::unix::process::CommandExt;
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("endless.f90"), ENDLESS).unwrap();
    let mut driver = crate::profile::endings::with_signals(Path::new(env!("CARGO_BIN_EXE_trueline")))
        .args([&["profile", "-O1", "--out", "p.json"], more, &["endless.f90"]].concat())
        .current_dir(dir.path())
        .process_group(0)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(driver.stdout.take().unwrap());
    let mut first = String::new();
    stdout.read_line(&mut first).unwrap();
    assert!(first.contains("running"), "{first}");
    // It comes to its loop.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let target = format!("{}{}", if to_group { "-" } else { "" }, driver.id());
    let sent = Command::new("kill").args([signal, "--", &target]).status().unwrap();
    assert!(sent.success());
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let code = driver.wait().unwrap().code();
    let profile = trueline_report::read(&std::fs::read(dir.path().join("p.json")).unwrap()).unwrap();
    assert!(profile.constructs.iter().any(|c| c.counts.iterations.is_some_and(|n| n > 0)), "{:?}", profile.constructs);
    (code, rest)
}

/// Ctrl-C reaches all processes of the group: the program ends, its report is printed, and the shell gets to know.
#[test]
fn ctrl_c_still_prints_the_report() {
    let (code, rest) = interrupted(&[], "-INT", true);
    assert_eq!(code, Some(130), "{rest}");
    assert!(rest.contains("ended by SIGINT") && rest.contains("endless.f90:8"), "{rest}");
    let (code, rest) = interrupted(&["--quiet"], "-INT", true);
    assert_eq!((code, rest.as_str()), (Some(130), ""));
    // Who asks the driver alone to end asks the program.
    let (code, rest) = interrupted(&[], "-TERM", false);
    assert_eq!(code, Some(143), "{rest}");
    assert!(rest.contains("ended by SIGTERM"), "{rest}");
}
