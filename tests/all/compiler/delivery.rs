//! The messages of a failed link, the files that commands leave, and profiles that replace those of other programs.

use std::path::Path;
use std::process::{Command, Output};

const MODULE: &str = "module m
  integer :: v = 3
contains
  subroutine s(a)
    real :: a(:)
    a = v
  end subroutine
end module
";

const USER: &str = "subroutine u
  use m
  real :: x(4)
  call s(x)
  v = v + 1
  print *, x, v
end subroutine
";

const MAIN: &str = "program p
  implicit none
  integer :: i
  external foo
  do i = 1, 3
    call foo(i)   ! nothing defines it
  end do
  call bar()
contains
  subroutine bar()
    real, external :: passed
    call foo(1)
    call take(passed)
  end subroutine
  subroutine take(f)
    real, external :: f
    print *, f(1.0)
  end subroutine
end program
";

fn trueline(directory: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    command.env_remove("TRUELINE_PROFILE_FILE").env_remove("CLICOLOR_FORCE");
    command.current_dir(directory).args(words.split(' ')).output().expect("the compiler runs")
}

fn succeed(directory: &Path, words: &str) {
    let out = trueline(directory, words);
    assert!(out.status.success(), "{words}: {}", String::from_utf8_lossy(&out.stderr));
}

fn errors(directory: &Path, words: &str) -> String {
    let out = trueline(directory, words);
    assert!(!out.status.success(), "{words}");
    String::from_utf8_lossy(&out.stderr).into_owned()
}

fn write(directory: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        std::fs::write(directory.join(name), text).expect("a file");
    }
}

/// The names in a directory, sorted.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    let mut out: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    out.sort();
    out
}

#[test]
fn undefined_symbols_are_shown_at_their_lines() {
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), &[("a.f90", MAIN)]);
    succeed(dir.path(), "fc -c a.f90");
    succeed(dir.path(), "fc -c -O3 -fprofile-trueline a.f90 -o profiled.o");
    // From the source, and from objects compiled earlier, plain and profiled.
    for words in ["build a.f90", "build --profile -O3 a.f90", "fc -O0 a.f90", "fc a.o", "fc profiled.o"] {
        let text = errors(dir.path(), words);
        for part in [
            "error[T0030]: Undefined reference to 'foo_'",
            "--> a.f90:6:5",
            "needed in 'p'; no object or library of the link defines it",
            "12 |     call foo(1)",
            "also needed in 'bar'",
            "Undefined reference to 'passed_'",
            "--> a.f90:13:5",
            "has 'foo'",
        ] {
            assert!(text.contains(part), "{words}: no {part} in {text}");
        }
        assert!(!text.contains(".text+") && !text.contains("collect2"), "{words}: {text}");
    }
    let gcc = errors(dir.path(), "fc -fdiagnostics-format=gcc a.o");
    assert!(gcc.contains("a.f90:6:5:\n") && gcc.contains("Error: Undefined reference to 'foo_' [T0030]"), "{gcc}");
    // Without the source the line is still named.
    std::fs::remove_file(dir.path().join("a.f90")).expect("removed");
    let text = errors(dir.path(), "fc a.o");
    assert!(text.contains("a.f90:6: Undefined reference to 'foo_', needed in 'p'"), "{text}");
}

#[test]
fn undefined_symbols_of_modules_and_archives_are_shown() {
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), &[("m.f90", MODULE), ("u.f90", USER), ("v.f90", "call u\ncall c\nend\n")]);
    write(dir.path(), &[("w.f90", "subroutine w\ncall not_taken\nend\n")]);
    write(dir.path(), &[("c.c", "void missing(void); void c_(void) { missing(); }\n")]);
    succeed(dir.path(), "fc -c -O2 m.f90 u.f90 w.f90 c.c");
    let ar = Command::new("ar").current_dir(dir.path()).args(["rc", "libu.a", "u.o", "w.o"]).status();
    assert!(ar.is_ok_and(|s| s.success()), "ar comes with the linker");
    for words in ["fc v.f90 c.o -L. -lu", "fc v.f90 c.o libu.a", "build v.f90 c.o libu.a"] {
        let text = errors(dir.path(), words);
        assert!(text.contains("Undefined reference to '__m_MOD_s'") && text.contains("--> u.f90:4:3"), "{text}");
        assert!(text.contains("Link with the object of module 'm', which has 'v'"), "{text}");
        // The message about C stays; a member that the link does not need has no say.
        assert!(text.contains("undefined reference to `missing'") && !text.contains("not_taken"), "{text}");
    }
    // All that is missing is there: nothing is said, and the table is in no executable.
    succeed(dir.path(), "fc -c -O2 m.f90");
    write(dir.path(), &[("d.f90", "call u\nend\n")]);
    let out = trueline(dir.path(), "fc d.f90 libu.a m.o -o d");
    assert!(out.status.success() && out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    let bytes = std::fs::read(dir.path().join("d")).expect("the executable");
    let has_table = |bytes: &[u8]| bytes.windows(19).any(|w| w == b".trueline.reference");
    assert!(!has_table(&bytes));
    assert!(has_table(&std::fs::read(dir.path().join("u.o")).expect("an object")));
}

/// An object may name any file as its source: a file that is not below the current directory is not shown.
#[test]
fn lines_of_foreign_files_are_not_shown() {
    let dir = tempfile::tempdir().expect("a directory");
    let (work, secret) = (dir.path().join("work"), dir.path().join("secret.f90"));
    std::fs::create_dir(&work).expect("a directory");
    std::fs::write(&secret, "call hunter2\nend\n").expect("a file");
    succeed(&work, "fc -c ../secret.f90");
    let text = errors(&work, "fc secret.o");
    assert!(text.contains("../secret.f90:1: Undefined reference to 'hunter2_'") && !text.contains("call "), "{text}");
}

#[test]
fn commands_leave_one_file() {
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), &[("a.f90", "print *, 1\nend\n")]);
    let left = |words: &str| {
        succeed(dir.path(), words);
        let mut found = names(dir.path());
        found.retain(|n| n != "a.f90");
        for name in &found {
            std::fs::remove_file(dir.path().join(name)).expect("a file");
        }
        found
    };
    assert_eq!(left("profile a.f90"), ["trueline-profile.json"]);
    assert_eq!(left("profile --out p.json a.f90"), ["p.json"]);
    assert_eq!(left("build --profile a.f90"), ["a.out"]);
    assert_eq!(left("fc -c -fprofile-trueline a.f90"), ["a.o"]);
    for words in ["run a.f90", "advise a.f90", "explain a.f90:1", "map a.f90", "fc -fsyntax-only a.f90"] {
        assert_eq!(left(words), Vec::<String>::new(), "{words}");
    }
}

#[test]
fn a_profile_that_replaces_another_programs_is_told() {
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), &[("a.f90", "print *, 1\nend\n"), ("b.f90", "print *, 2\nend\n")]);
    succeed(dir.path(), "fc -fprofile-trueline a.f90 -o a");
    succeed(dir.path(), "fc -fprofile-trueline b.f90 -o b");
    let run = |program: &str, file: Option<&str>| {
        let mut command = Command::new(dir.path().join(program));
        command.current_dir(dir.path()).env_remove("TRUELINE_PROFILE_FILE");
        let out = command.envs(file.map(|f| ("TRUELINE_PROFILE_FILE", f))).output().expect("it runs");
        assert!(out.status.success());
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    assert_eq!(run("a", None), "");
    assert_eq!(run("a", None), "", "the same program again");
    let text = run("b", None);
    assert!(text.contains("warning: the profile of 'a' (a.f90) in '") && text.contains("by that of 'b'"), "{text}");
    // Each program with a file of its own.
    assert_eq!(run("a", Some("%e.json")) + &run("b", Some("%e.json")), "");
    assert!(dir.path().join("a.json").is_file() && dir.path().join("b.json").is_file());
    // Something else that was there is no profile.
    write(dir.path(), &[("trueline-profile.json", "{}")]);
    assert_eq!(run("a", None), "");
}

/// A panic in any phase ends the compiler with 101 and the name of the phase.
#[test]
fn panics_name_their_phase() {
    if !cfg!(debug_assertions) {
        return;
    }
    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), &[("a.f90", "do i = 1, 3\n  print *, i\nend do\nend\n")]);
    let phases =
        ["parse", "analyse", "mark_returning", "plant", "hoist_tallies", "discharge", "measure", "code generation"];
    for phase in phases {
        for words in ["build --profile -O2 a.f90", "fc -O2 -fprofile-trueline a.f90", "profile a.f90"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
            command.current_dir(dir.path()).args(words.split(' ')).env("TRUELINE_TEST_PANIC", phase);
            let out = command.output().expect("the compiler runs");
            let text = String::from_utf8_lossy(&out.stderr).into_owned();
            assert_eq!(out.status.code(), Some(101), "{words}, {phase}: {text}");
            let names = text.contains("internal error: ") && text.contains(&format!("'{phase}'"));
            assert!(names && text.contains("please report"), "{words}, {phase}: {text}");
        }
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    let out = command.current_dir(dir.path()).args(["build", "a.f90"]).env("TRUELINE_TEST_PANIC", "lower").output();
    let text = String::from_utf8_lossy(&out.expect("the compiler runs").stderr).into_owned();
    let place = "phase 'analyse': lowering 'main' at a.f90:1: the checks let something through at ";
    assert!(text.contains(place), "{text}");
    assert_eq!(names(dir.path()), ["a.f90"]);
}
