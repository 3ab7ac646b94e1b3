//! What other users, the environment and a full disk can do to a compile and to a run: a message, and nothing else.

use crate::build::root;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A command that hangs is killed, and fails.
fn run(command: &mut Command) -> Output {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let start = Instant::now();
    // Messages of these tests fit into the buffer of a pipe.
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{command:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn trueline(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    command.args(args).current_dir(directory);
    command
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn user() -> u32 {
    // A process's folder belongs to its user.
    fs::metadata("/proc/self").unwrap().uid()
}

const PROGRAM: &str = "program p\n  integer :: i\n  real :: x\n  x = 0\n  do i = 1, 10\n    call add(x, i)\n  end do\n  \
                       if (x /= 55) stop 1\ncontains\n  recursive subroutine add(x, i)\n    real :: x\n    integer :: i\n    \
                       x = x + i\n  end subroutine\nend program\n";

/// A profiled program `p` in `directory`.
fn profiled(directory: &Path) -> PathBuf {
    fs::write(directory.join("p.f90"), PROGRAM).unwrap();
    let out = run(&mut trueline(directory, &["build", "--profile", "p.f90", "-o", "p"]));
    assert!(out.status.success(), "{}", text(&out.stderr));
    fs::remove_file(directory.join("p.f90")).unwrap();
    directory.join("p")
}

fn calls(path: &Path) -> Option<u64> {
    let profile = trueline_report::read(&fs::read(path).unwrap()).unwrap();
    profile.constructs.iter().find(|c| c.text == "add").unwrap().counts.invocations
}

/// The program runs as ever, and says one line with `message` in it.
#[track_caller]
fn told(program: &Path, variable: (&str, &str), message: &str) {
    let mut command = Command::new(program);
    command.current_dir(program.parent().unwrap()).env(variable.0, variable.1);
    let out = run(&mut command);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{variable:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{variable:?}: {said}");
    assert!(said.contains(message), "{variable:?}: {said}");
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn what_the_environment_names_is_a_file_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let program = profiled(dir.path());
    assert!(Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap().success());
    fs::File::create(dir.path().join("large")).unwrap().set_len(1 << 40).unwrap();
    let refused = [
        ("/dev/zero", "it is a device"),
        ("pipe", "it is a pipe"),
        (".", "it is a directory"),
        ("large", "it is larger than 4 MiB"),
        ("nowhere", "No such file"),
    ];
    for (file, why) in refused {
        told(&program, ("TRUELINE_FILTER_FILE", file), &format!("the filter '{file}' is not applied: {why}"));
        assert_eq!(calls(&dir.path().join("trueline-profile.json")), Some(10), "{file}");
    }
    told(&program, ("TRUELINE_PROFILE_FILE", "pipe"), "nobody reads what is written there");
}

#[test]
fn values_that_cannot_be_are_told_and_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let program = profiled(dir.path());
    let values = [
        ("TRUELINE_PROFILE", "perhaps", "TRUELINE_PROFILE is 'perhaps', not on or off; it is ignored"),
        ("TRUELINE_TRACE", "-1", "TRUELINE_TRACE is '-1', not on, off or a number of events; it is ignored"),
        ("TRUELINE_CALL_TREE", "deep", "TRUELINE_CALL_TREE is 'deep', not on, off or a depth; it is ignored"),
        ("TRUELINE_THROTTLE", "1,inf", "TRUELINE_THROTTLE is '1,inf', not CALLS,MICROSECONDS or off; it is ignored"),
        ("TRUELINE_RANK", "\u{1b}[2J", "TRUELINE_RANK is '\\x1b[2J', not a number; it is ignored"),
    ];
    for (name, value, message) in values {
        let _ = fs::remove_file(dir.path().join("trueline-profile.json"));
        told(&program, (name, value), message);
        assert_eq!(calls(&dir.path().join("trueline-profile.json")), Some(10), "{name}");
    }
    told(&program, ("TRUELINE_TRACE", &"x".repeat(100_000)), "xxx…'");
    let silent =
        [("TRUELINE_TRACE", "on"), ("TRUELINE_CALL_TREE", "full"), ("TRUELINE_RANK", "3"), ("TRUELINE_PROFILE", "off")];
    let out = run(Command::new(&program).current_dir(dir.path()).envs(silent));
    assert_eq!((out.status.code(), text(&out.stderr)), (Some(0), String::new()));
}

/// Links and files under the names of the profile's temporary files are not written to.
#[test]
fn temporary_files_of_profiles_are_new_ones() {
    let dir = tempfile::tempdir().unwrap();
    profiled(dir.path());
    fs::write(dir.path().join("victim"), "precious").unwrap();
    // The names can be known before the program begins, as of a process that waits.
    let script = "s=$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20); s=$(printf %x $s)\n\
                  for k in $TAGS; do ln -s victim .trueline-$$-$s-$k-0; ln -s victim .trueline-$$-$s-$k-1; done\n\
                  ln -s victim trueline-profile.$$.tmp; ln -s victim .trueline-$$-$s\nexec ./p";
    let prefix = trueline_abi::temporary::prefix();
    let tag = prefix.split('-').nth(3).unwrap();
    let out = run(Command::new("sh").args(["-c", script]).env("TAGS", tag).current_dir(dir.path()));
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(fs::read_to_string(dir.path().join("victim")).unwrap(), "precious");
    assert_eq!(
        names(dir.path()).iter().filter(|n| n.ends_with("-0") || n.ends_with("-1")).count(),
        2,
        "the planted ones stay"
    );
    assert_eq!(calls(&dir.path().join("trueline-profile.json")), Some(10));
    assert!(fs::symlink_metadata(dir.path().join("trueline-profile.json")).unwrap().is_file());
}

/// One's own links lead where they lead; another user's, where everybody may write, nowhere.
#[test]
fn links_of_other_users_are_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let program = profiled(dir.path());
    let shared = dir.path().join("shared");
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
    symlink("../mine.json", shared.join("p.json")).unwrap();
    let mut command = Command::new(&program);
    command.current_dir(&shared).env("TRUELINE_PROFILE_FILE", "p.json");
    let out = run(&mut command);
    assert_eq!(text(&out.stderr), "");
    assert_eq!(calls(&dir.path().join("mine.json")), Some(10));
    assert!(fs::symlink_metadata(shared.join("p.json")).unwrap().is_symlink());
    fs::write(dir.path().join("mine.json"), "precious").unwrap();
    if std::os::unix::fs::lchown(shared.join("p.json"), Some(user() + 4242), None).is_err() {
        skipped("only root can make files of another user");
        return;
    }
    let out = run(&mut command);
    assert_eq!(out.status.code(), Some(0));
    assert!(text(&out.stderr).contains("another user has put something there"), "{}", text(&out.stderr));
    assert_eq!(fs::read_to_string(dir.path().join("mine.json")).unwrap(), "precious");
    // The compiler's outputs replace a link, and write into no pipe of another user.
    fs::remove_file(shared.join("p.json")).unwrap();
    symlink("../mine.json", shared.join("out.o")).unwrap();
    std::os::unix::fs::lchown(shared.join("out.o"), Some(user() + 4242), None).unwrap();
    fs::write(dir.path().join("p.f90"), PROGRAM).unwrap();
    let out = run(&mut trueline(&shared, &["build", "-c", "../p.f90", "-o", "out.o"]));
    assert!(out.status.success() || text(&out.stderr).contains("another user"), "{}", text(&out.stderr));
    assert_eq!(fs::read_to_string(dir.path().join("mine.json")).unwrap(), "precious");
}

#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn skipped(why: &str) {
    // No installation of anything makes a user root.
    eprintln!("skipped: {why}");
}

/// What killed runs left goes with the next run; what is of a process that runs, or of another user, stays.
#[test]
fn a_run_sweeps_what_killed_runs_left() {
    let dir = tempfile::tempdir().unwrap();
    let program = profiled(dir.path());
    let mine = trueline_abi::temporary::prefix();
    let tag = mine.split('-').nth(3).unwrap();
    let (gone, kept) = (format!(".trueline-4194399-1-{tag}-0"), format!("{mine}0"));
    for name in [&gone, &kept] {
        fs::write(dir.path().join(name), "x").unwrap();
    }
    assert!(run(Command::new(&program).current_dir(dir.path())).status.success());
    assert_eq!(names(dir.path()), [&kept, "p", "trueline-profile.json"]);
}

/// A shared library that makes a disk full.
fn full_disk(directory: &Path) -> PathBuf {
    let library = directory.join("full.so");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(root().join("tests/all/full.c")).arg("-ldl");
    assert!(cc.status().unwrap().success());
    library
}

#[test]
fn a_profile_goes_where_there_is_room() {
    let dir = tempfile::tempdir().unwrap();
    let program = profiled(dir.path());
    let library = full_disk(dir.path());
    let (full, other) = (dir.path().join("full"), dir.path().join("other"));
    fs::create_dir(&full).unwrap();
    fs::create_dir(&other).unwrap();
    let mut command = Command::new(&program);
    command.current_dir(&full).env("LD_PRELOAD", &library).env("FULL_DIR", &full).env("TMPDIR", &other);
    let out = run(&mut command);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("No space left on device") && said.contains("it goes to '"), "{said}");
    let left = names(&other);
    assert_eq!((left.len(), names(&full)), (1, vec![]), "{left:?}");
    assert!(said.contains(&left[0]), "{said}");
    assert_eq!(calls(&other.join(&left[0])), Some(10));
    // Room for the raw profile, but not for the JSON that is made of it.
    fs::remove_file(other.join(&left[0])).unwrap();
    let out = run(command.env("FULL_AFTER", (1 << 30).to_string()));
    let said = text(&out.stderr);
    assert!(said.contains("cannot write the profile") && said.contains("it is in '"), "{said}");
    let left = names(&other);
    assert_eq!(calls(&other.join(&left[0])), Some(10));
    assert_eq!(names(&full), ["trueline-profile.json"], "the raw one");
    assert_eq!(calls(&full.join("trueline-profile.json")), Some(10));
}

/// A trace outgrows the disk in the middle of the run.
#[test]
fn a_disk_that_fills_up_costs_no_counts() {
    let dir = tempfile::tempdir().unwrap();
    let source = PROGRAM.replace("1, 10\n", "1, 100000\n").replace("x /= 55", "x < 0");
    // What calls something has a timer.
    let source = source.replace("x = x + i\n", "x = x + i\n    if (x < 0) call add(x, i)\n");
    fs::write(dir.path().join("p.f90"), source).unwrap();
    let build = ["build", "--profile", "--time", "all", "-O0", "p.f90", "-o", "p"];
    let out = run(&mut trueline(dir.path(), &build));
    assert!(out.status.success(), "{}", text(&out.stderr));
    let library = full_disk(dir.path());
    let full = dir.path().join("full");
    fs::create_dir(&full).unwrap();
    let mut command = Command::new(dir.path().join("p"));
    command
        .current_dir(&full)
        .env("LD_PRELOAD", &library)
        .env("FULL_DIR", &full)
        .env("FULL_AFTER", (1 << 20).to_string());
    command.env("TRUELINE_TRACE", "on").env("TRUELINE_THROTTLE", "off").env("TMPDIR", dir.path());
    let out = run(&mut command);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(0), "{said}");
    assert!(said.contains("there is no more room for the profile; from here on it is kept in memory"), "{said}");
    let found = names(dir.path()).into_iter().find(|n| n.starts_with("trueline-profile.")).expect("it is elsewhere");
    assert!(said.contains(&found), "{said}");
    assert_eq!(calls(&dir.path().join(found)), Some(100_000));
}

/// Formats that ask for more than a record or the memory holds are refused before anything is made.
#[test]
fn formats_are_no_bombs() {
    let dir = tempfile::tempdir().unwrap();
    let source = "character(80) :: f, why\nreal(8) :: x\ninteger :: ios\nx = 1.5d0\ncall get_command_argument(1, f)\n\
                  why = ''\nselect case (index('IFA', f(2:2)))\ncase (1)\nwrite (*, f, iostat=ios, iomsg=why) 1\ncase (2)\n\
                  write (*, f, iostat=ios, iomsg=why) x\ncase default\nwrite (*, f, iostat=ios, iomsg=why) 'x'\nend select\n\
                  write (0, '(i0,1x,a)') ios, trim(why)\nend\n";
    fs::write(dir.path().join("b.f90"), source).unwrap();
    let out = run(&mut trueline(dir.path(), &["build", "b.f90", "-o", "b"]));
    assert!(out.status.success(), "{}", text(&out.stderr));
    let cases = [
        ("(I2147483647)", "-2 End of record\n"),
        ("(I0.2147483647)", "-2 End of record\n"),
        ("(F0.2147483647)", "-2 End of record\n"),
        ("(F2147483647.3)", "-2 End of record\n"),
        ("(A2147483647)", "-2 End of record\n"),
        // More than the process may have.
        ("(I600000000)", "5014 Memory allocation failed\n"),
        ("(I5)", "0 \n"),
    ];
    for (format, expected) in cases {
        // Fields that are refused need no memory.
        let line = "ulimit -v 800000; exec ./b \"$0\" >/dev/null";
        let out = run(Command::new("sh").args(["-c", line, format]).current_dir(dir.path()));
        assert_eq!((out.status.code(), text(&out.stderr)), (Some(0), expected.to_owned()), "{format}");
    }
}

/// A write beyond the limit of a file's size is an error of the statement, not the end by a signal; other programs that are
/// started have the usual action.
#[test]
fn the_limit_of_a_files_size_has_a_message() {
    let dir = tempfile::tempdir().unwrap();
    let source = "open (10, file='big.txt')\ndo i = 1, 100000\nwrite (10, '(a)') 'xxxxxxxxxxxxxxxxxxxxx'\nend do\nclose (10)\nend\n";
    fs::write(dir.path().join("b.f90"), source).unwrap();
    for mode in [&["build"][..], &["build", "--profile"]] {
        let out = run(&mut trueline(dir.path(), &[mode, &["b.f90", "-o", "b"]].concat()));
        assert!(out.status.success(), "{}", text(&out.stderr));
        let out = run(Command::new("bash").args(["-c", "ulimit -f 64; exec ./b"]).current_dir(dir.path()));
        assert_eq!(out.status.code(), Some(2), "{mode:?}: {:?}", out.status);
        let said = text(&out.stderr);
        assert!(said.contains("Fortran runtime error: File too large") && said.contains("b.f90"), "{said}");
    }
    let source = "call execute_command_line('head -c 200000 /dev/zero > inner', exitstat=i)\nprint '(i0)', i\nend\n";
    fs::write(dir.path().join("c.f90"), source).unwrap();
    assert!(run(&mut trueline(dir.path(), &["build", "c.f90", "-o", "c"])).status.success());
    let out = run(Command::new("bash").args(["-c", "ulimit -f 64; exec ./c"]).current_dir(dir.path()));
    assert_eq!(text(&out.stdout), "153\n", "128 and SIGXFSZ: {}", text(&out.stderr));
}
