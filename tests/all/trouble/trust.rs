//! Other users, the environment and a full disk can cause a message in a compile and in a run, and nothing else.

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
    told(&program, ("TRUELINE_PROFILE_FILE", "pipe"), "nobody reads from it");
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

/// Files of killed runs are removed by the next run; files of a running process or of another user stay.
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
    cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(root().join("tests/all/trouble/full.c")).arg("-ldl");
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
    // A procedure with calls has a timer.
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

const HELLO: &str = "print '(a)', 'hello'\nend\n";

/// The cached archives under a directory.
fn archives(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(at).into_iter().flatten().flatten() {
            let path = entry.path();
            if fs::symlink_metadata(&path).unwrap().is_dir() {
                open.push(path);
            } else if path.ends_with("libtruelinert.a") {
                found.push(path);
            }
        }
    }
    found
}

/// Compiles and runs a program with this environment only; returns the exit code and the compiler's messages.
fn compiled(directory: &Path, environment: &[(&str, &Path)]) -> (Option<i32>, String) {
    fs::write(directory.join("hello.f90"), HELLO).unwrap();
    let mut command = trueline(directory, &["run", "hello.f90"]);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap());
    let out = run(command.envs(environment.iter().copied()));
    if out.status.success() {
        assert_eq!(text(&out.stdout), "hello\n");
    }
    (out.status.code(), text(&out.stderr))
}

#[test]
fn a_damaged_runtime_archive_is_unpacked_anew() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("cache");
    let environment = [("XDG_CACHE_HOME", cache.as_path())];
    assert_eq!(compiled(dir.path(), &environment), (Some(0), String::new()));
    let archive = archives(&cache).pop().unwrap();
    let whole = fs::read(&archive).unwrap();
    // As long as before, and the linker would take it.
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 4096].fill(0xcc);
    fs::write(&archive, damaged).unwrap();
    let (code, said) = compiled(dir.path(), &environment);
    assert_eq!((code, said.lines().count()), (Some(0), 1), "{said}");
    assert!(said.contains("is damaged; it is made anew"), "{said}");
    assert!(fs::read(&archive).unwrap() == whole);
    // A link to something else, and a file that others may write.
    fs::rename(&archive, dir.path().join("elsewhere.a")).unwrap();
    symlink(dir.path().join("elsewhere.a"), &archive).unwrap();
    assert!(compiled(dir.path(), &environment).1.contains("it is made anew"));
    assert!(fs::symlink_metadata(&archive).unwrap().is_file());
    fs::set_permissions(&archive, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(compiled(dir.path(), &environment).1.contains("may be written by other users; it is made anew"));
    assert_eq!(compiled(dir.path(), &environment), (Some(0), String::new()));
}

#[test]
fn folders_that_others_may_write_are_not_used() {
    let dir = tempfile::tempdir().unwrap();
    let (open, temporary) = (dir.path().join("open"), dir.path().join("tmp"));
    for path in [&open, &temporary] {
        fs::create_dir(path).unwrap();
    }
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(&temporary, fs::Permissions::from_mode(0o1777)).unwrap();
    let environment = [("XDG_CACHE_HOME", open.as_path()), ("TMPDIR", temporary.as_path())];
    let (code, said) = compiled(dir.path(), &environment);
    assert_eq!((code, said.lines().count()), (Some(0), 1), "{said}");
    assert!(said.contains("may be written by other users; it is made anew"), "{said}");
    assert_eq!((archives(&open).len(), archives(&temporary).len()), (0, 1));
    let ours = temporary.join(format!("trueline-{}", user()));
    assert_eq!(fs::metadata(&ours).unwrap().mode() & 0o777, 0o700);
    assert_eq!(compiled(dir.path(), &environment), (Some(0), String::new()), "said once");
    // Without a home, and the name in the directory for temporary files already taken.
    fs::rename(&ours, temporary.join("evil")).unwrap();
    symlink("evil", &ours).unwrap();
    let environment = [("TMPDIR", temporary.as_path())];
    let (code, said) = compiled(dir.path(), &environment);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("There is no safe place for libtruelinert.a"), "{said}");
    if std::os::unix::fs::lchown(temporary.join("evil"), Some(user() + 4242), None).is_err() {
        skipped("only root can make files of another user");
        return;
    }
    fs::remove_file(&ours).unwrap();
    fs::rename(temporary.join("evil"), &ours).unwrap();
    assert_eq!(compiled(dir.path(), &environment).0, Some(1));
    // A home of another user.
    let home = dir.path().join("home");
    fs::create_dir(&home).unwrap();
    std::os::unix::fs::lchown(&home, Some(user() + 4242), None).unwrap();
    let (code, said) = compiled(dir.path(), &[("HOME", home.as_path()), ("TMPDIR", temporary.as_path())]);
    assert!(code == Some(1) && said.contains("belongs to another user"), "{said}");
    assert_eq!(names(&home), Vec::<String>::new(), "nothing is made there");
}

#[test]
fn relative_paths_of_caches_are_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("home");
    let environment = [("XDG_CACHE_HOME", Path::new("cache")), ("HOME", home.as_path())];
    assert_eq!(compiled(dir.path(), &environment), (Some(0), String::new()));
    assert_eq!(names(dir.path()), ["hello.f90", "home"]);
    assert_eq!(archives(&home.join(".cache/trueline")).len(), 1);
}

/// Files of killed compiles are removed by the next compile, beside the output and in the directory for temporary files.
#[test]
fn a_compile_sweeps_what_killed_compiles_left() {
    let dir = tempfile::tempdir().unwrap();
    let temporary = dir.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    let mine = trueline_abi::temporary::prefix();
    let gone = format!(".trueline-4194399-1-{}-x", mine.split('-').nth(3).unwrap());
    fs::write(dir.path().join(&gone), "x").unwrap();
    fs::create_dir(temporary.join(&gone)).unwrap();
    fs::write(temporary.join(&gone).join("program.o"), "x").unwrap();
    fs::create_dir(temporary.join(format!("{mine}kept"))).unwrap();
    for command in [&["build", "hello.f90", "-o", "hello"][..], &["fc", "hello.f90", "-o", "hello"]] {
        let out = run(trueline(dir.path(), command).env("TMPDIR", &temporary));
        assert_eq!((out.status.code(), text(&out.stderr)), (Some(0), String::new()));
        assert_eq!(names(dir.path()), ["hello", "hello.f90", "tmp"]);
        assert_eq!(names(&temporary), [format!("{mine}kept")]);
    }
    // A compile that is killed in the middle, and the next one.
    let slow = dir.path().join("cc");
    fs::write(&slow, "#!/bin/sh\nkill -9 $PPID\n").unwrap();
    fs::set_permissions(&slow, fs::Permissions::from_mode(0o755)).unwrap();
    let out =
        run(trueline(dir.path(), &["build", "hello.f90", "-o", "hello"]).env("TMPDIR", &temporary).env("CC", &slow));
    assert_eq!(out.status.code(), None, "killed");
    assert_eq!(names(&temporary).len(), 2, "its directory is left");
    assert!(
        run(trueline(dir.path(), &["build", "hello.f90", "-o", "hello"]).env("TMPDIR", &temporary)).status.success()
    );
    assert_eq!(names(&temporary).len(), 1);
}

/// At the limit of a file's size a compile ends with a message, not by a signal.
#[test]
fn the_limit_of_a_files_size_stops_a_compile_with_a_message() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    let line = "ulimit -f 0; exec \"$0\" build -c hello.f90 -o hello.o 2>&1 | cat; exit ${PIPESTATUS[0]}";
    let out = run(Command::new("bash").args(["-c", line, env!("CARGO_BIN_EXE_trueline")]).current_dir(dir.path()));
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stdout));
    assert!(text(&out.stdout).contains("Cannot write 'hello.o': File too large"), "{}", text(&out.stdout));
    assert_eq!(names(dir.path()), ["hello.f90"]);
    let line = "ulimit -f 0; \"$0\" dump hello.f90 3>&1 >out 2>&3 | cat; exit ${PIPESTATUS[0]}";
    let out = run(Command::new("bash").args(["-c", line, env!("CARGO_BIN_EXE_trueline")]).current_dir(dir.path()));
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stdout));
    assert!(text(&out.stdout).contains("Cannot write the output: File too large"), "{}", text(&out.stdout));
}

/// A file that is included from elsewhere is not read out to somebody who may only compile.
#[test]
fn lines_of_foreign_files_are_not_shown() {
    let dir = tempfile::tempdir().unwrap();
    let (work, secret) = (dir.path().join("work"), dir.path().join("secret"));
    fs::create_dir_all(work.join("sub")).unwrap();
    fs::create_dir(&secret).unwrap();
    let content =
        "root:x:0:0:hunter2:/root:/bin/sh\nhunter2 = 'hunter2' hunter2\n#hunter2\ninteger :: hunter2 = 'hunter2'\n";
    fs::write(secret.join("passwd"), content).unwrap();
    fs::write(work.join("sub/own.inc"), content).unwrap();
    symlink(secret.join("passwd"), work.join("link.inc")).unwrap();
    let absolute = secret.join("passwd").display().to_string();
    let names = [absolute.as_str(), "../secret/passwd", "link.inc"];
    for name in names {
        fs::write(work.join("a.f90"), format!("program p\n  include '{name}'\nend program\n")).unwrap();
        fs::write(work.join("b.F90"), format!("program p\n#include \"{name}\"\nend program\n")).unwrap();
        for command in [
            &["build", "a.f90"][..],
            &["build", "--json", "a.f90"],
            &["fc", "a.f90"],
            &["build", "b.F90"],
            &["fc", "b.F90"],
        ] {
            let out = run(&mut trueline(&work, command));
            let said = text(&out.stdout) + &text(&out.stderr);
            assert_eq!(out.status.code(), Some(1), "{command:?}: {said}");
            assert!(!said.contains("hunter") && !said.contains(":x:0"), "{command:?} {name}: {said}");
            let file = name.rsplit('/').next().unwrap();
            assert!(said.contains(file), "the place is told: {said}");
        }
        // Who gives the directory may see it.
        let out = run(&mut trueline(&work, &["fc", "-I", "../secret", "a.f90"]));
        assert!(text(&out.stderr).contains("hunter2"), "{}", text(&out.stderr));
    }
    fs::write(work.join("a.f90"), "program p\n  include 'sub/own.inc'\nend program\n").unwrap();
    let out = run(&mut trueline(&work, &["build", "a.f90"]));
    assert!(text(&out.stderr).contains("hunter2"), "its own tree: {}", text(&out.stderr));
    let out = run(&mut trueline(&secret, &["build", &work.join("a.f90").display().to_string()]));
    assert!(text(&out.stderr).contains("hunter2"), "its own tree: {}", text(&out.stderr));
}

/// Links and pipes where an output should be.
#[test]
fn outputs_replace_links() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("hello.f90"), HELLO).unwrap();
    fs::write(dir.path().join("victim"), "precious").unwrap();
    for name in ["hello.o", "hello"] {
        symlink("victim", dir.path().join(name)).unwrap();
    }
    assert!(run(&mut trueline(dir.path(), &["build", "-c", "hello.f90", "-o", "hello.o"])).status.success());
    assert!(run(&mut trueline(dir.path(), &["build", "hello.f90", "-o", "hello"])).status.success());
    assert_eq!(fs::read_to_string(dir.path().join("victim")).unwrap(), "precious");
    // A link with the name of the profile.
    symlink("victim", dir.path().join("trueline-profile.json")).unwrap();
    assert!(run(&mut trueline(dir.path(), &["profile", "hello.f90"])).status.success());
    assert!(fs::read_to_string(dir.path().join("victim")).unwrap().contains("trueline-profile/1"));
    assert!(Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap().success());
    for command in
        [&["report", "pipe"][..], &["build", "--profile-use", "pipe", "hello.f90"], &["merge", "-o", "m", "pipe"]]
    {
        assert_eq!(run(&mut trueline(dir.path(), command)).status.code(), Some(1), "{command:?}");
    }
}
