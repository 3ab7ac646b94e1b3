//! Hostile inputs and outputs: a message and exit code 1, never a hang, never a half-written file.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const HELLO: &str = "program hello\n  print *, 'hello'\nend program\n";
const BAD: &str = "program bad\n  implicit none\n  i = 1\nend program\n";

/// Runs the compiler; a run longer than a minute counts as hanging.
fn trueline(directory: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    run(command.args(args).current_dir(directory))
}

fn run(command: &mut Command) -> Output {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    finished(child)
}

fn finished(mut child: std::process::Child) -> Output {
    let start = Instant::now();
    // Messages of these tests fit into the buffer of a pipe.
    while child.try_wait().expect("it can be waited for").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it is ours");
            panic!("the compiler hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The file is refused with a message that says so, and nothing is left behind.
#[track_caller]
fn refused(directory: &Path, args: &[&str], message: &str) {
    let before = names(directory);
    let out = trueline(directory, args);
    let stderr = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{args:?}: {stderr}");
    assert!(stderr.contains(message), "{args:?}: {stderr}");
    assert_eq!(before, names(directory), "{args:?} leaves files behind");
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("readable");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("readable").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_is_no_source_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    fs::create_dir(at.join("folder.f90")).unwrap();
    assert!(Command::new("mkfifo").arg(at.join("pipe.f90")).status().unwrap().success());
    symlink("loop.f90", at.join("loop.f90")).unwrap();
    symlink("/dev/zero", at.join("zero.f90")).unwrap();
    fs::write(at.join("zero-inside.f90"), "program p\n  include '/dev/zero'\nend program\n").unwrap();
    fs::write(at.join("pipe-inside.f90"), "program p\n  include 'pipe.f90'\nend program\n").unwrap();
    fs::write(at.join("nul.f90"), b"program p\n\0\nend program\n").unwrap();
    fs::write(at.join("utf8.f90"), b"program p\n  x\xff\xfe = 1\nend program\n").unwrap();
    fs::write(at.join("bidi.f90"), "program p\n  print *, '\u{202e}'\nend program\n").unwrap();
    fs::write(at.join("cycle.f90"), "include 'cycle.f90'\nend program\n").unwrap();
    for command in ["build", "run", "profile", "map", "dump"] {
        refused(at, &[command, "missing.f90"], "there is no such file");
    }
    refused(at, &["build", "folder.f90"], "it is a directory");
    refused(at, &["build", "pipe.f90"], "it is a pipe");
    refused(at, &["build", "zero.f90"], "it is a device");
    refused(at, &["build", "loop.f90"], "Cannot read 'loop.f90'");
    refused(at, &["build", "zero-inside.f90"], "it is a device");
    refused(at, &["build", "pipe-inside.f90"], "it is a pipe");
    refused(at, &["build", "nul.f90"], "NUL");
    refused(at, &["build", "utf8.f90"], "utf8.f90:2");
    refused(at, &["build", "bidi.f90"], "text-direction");
    refused(at, &["build", "cycle.f90"], "includes itself");
}

/// Root may read everything: as root, the compiler runs as nobody, if nobody may run it.
#[test]
fn an_unreadable_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("secret.f90");
    fs::write(&file, HELLO).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    command.args(["build", "secret.f90"]).current_dir(dir.path());
    if fs::read(&file).is_ok() {
        command.uid(65534).gid(65534);
        if command.status().is_err() {
            // As in a container, where nobody may not even reach the compiler.
            return;
        }
    }
    let out = run(&mut command);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("the permission is denied"), "{}", text(&out.stderr));
}

#[test]
fn an_empty_file_says_what_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("empty.f90"), "").unwrap();
    refused(dir.path(), &["build", "empty.f90"], "empty.f90");
}

#[test]
fn a_very_long_line_is_read_or_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let comment = format!("program p\n  print *, 1 ! {}\nend program\n", "x".repeat(10 << 20));
    fs::write(dir.path().join("comment.f90"), comment).unwrap();
    let out = trueline(dir.path(), &["run", "-O0", "comment.f90"]);
    assert_eq!(text(&out.stdout), "           1\n", "{}", text(&out.stderr));
    let name = format!("program p\n  {} = 1\nend program\n", "x".repeat(10 << 20));
    fs::write(dir.path().join("name.f90"), name).unwrap();
    let out = trueline(dir.path(), &["build", "name.f90"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(out.stderr.len() < 10_000, "a message of {} bytes", out.stderr.len());
    fs::write(dir.path().join("noise.f90"), "(".repeat(10 << 20)).unwrap();
    let out = trueline(dir.path(), &["build", "noise.f90"]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
}

#[test]
fn mistakes_are_reported_as_json() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.f90"), BAD).unwrap();
    for (command, file) in [("build", "bad.f90"), ("run", "bad.f90"), ("dump", "bad.f90"), ("build", "missing.f90")] {
        let out = trueline(dir.path(), &[command, "--json", file]);
        assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
        let json: serde_json::Value = serde_json::from_slice(&out.stderr).expect("the report is JSON");
        assert!(json.to_string().contains(file), "{json}");
    }
}

#[test]
fn a_full_disk_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    refused(dir.path(), &["build", "hello.f90", "-o", "/dev/full"], "Cannot write '/dev/full'");
    refused(dir.path(), &["build", "-c", "hello.f90", "-o", "/dev/full"], "Cannot write '/dev/full'");
    refused(dir.path(), &["build", "hello.f90", "-o", "nowhere/hello"], "Cannot write 'nowhere/hello'");
    refused(dir.path(), &["build", "hello.f90", "-o", "."], "Cannot write '.'");
}

/// The limit of a file's size acts like a disk that is full after that number of bytes.
#[test]
fn an_output_appears_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    fs::write(dir.path().join("keep"), "old").unwrap();
    for limit in [0, 1, 8, 64] {
        let line = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" build hello.f90 -o keep");
        let mut command = Command::new("bash");
        let out = run(command.args(["-c", &line, env!("CARGO_BIN_EXE_trueline")]).current_dir(dir.path()));
        assert!(matches!(out.status.code(), Some(1 | 3)), "{limit}: {:?} {}", out.status, text(&out.stderr));
        assert!(!out.stderr.is_empty());
        assert_eq!(fs::read_to_string(dir.path().join("keep")).unwrap(), "old");
        assert_eq!(names(dir.path()), ["hello.f90", "keep"]);
    }
}

#[test]
fn a_pipe_that_nobody_reads_is_no_output() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap().success());
    refused(dir.path(), &["build", "-c", "hello.f90", "-o", "pipe"], "Cannot write 'pipe'");
}

#[test]
fn a_report_that_cannot_be_written_is_an_error_but_a_closed_pipe_is_none() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    let dump = |stdout: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
        command.args(["dump", "--level", "m", "hello.f90"]).current_dir(dir.path());
        finished(command.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap())
    };
    let full = dump(fs::OpenOptions::new().write(true).open("/dev/full").unwrap().into());
    assert_eq!(full.status.code(), Some(1));
    assert!(text(&full.stderr).contains("Cannot write the output"), "{}", text(&full.stderr));
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let closed = dump(writer.into());
    assert_eq!((closed.status.code(), text(&closed.stderr)), (Some(0), String::new()));
}
