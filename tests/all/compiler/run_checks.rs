//! Mistakes found by `-fcheck=` and programs ended by `-ffpe-trap=`, with the messages of gfortran.

use crate::build::root;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};

fn build(directory: &Path, flags: &str) {
    let mut fc = Command::new(env!("CARGO_BIN_EXE_trueline"));
    fc.arg("fc").args(flags.split_whitespace()).args(["more.f90", "-o", "more"]).current_dir(directory);
    let out = fc.output().unwrap();
    assert!(out.status.success(), "{flags}: {}", String::from_utf8_lossy(&out.stderr));
}

fn run(directory: &Path, which: usize) -> Output {
    let line = format!("echo {which} > in; exec ./more < in");
    Command::new("sh").args(["-c", &line]).current_dir(directory).output().unwrap()
}

fn place() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    std::fs::copy(root().join("tests/check/more.f90"), directory.path().join("more.f90")).unwrap();
    directory
}

#[test]
fn mistakes_are_found_where_they_are_made() {
    let expected = [
        (14, "Substring out of bounds: upper bound (7) of 'word' exceeds string length (5)"),
        (16, "Substring out of bounds: lower bound (-1) of 'word' is less than one"),
        (19, "Array bound mismatch for dimension 1 of array 'a' (3/2)"),
        (21, "Loop variable has been modified"),
        (25, "Allocatable actual argument 'list' is not allocated"),
        (27, "Pointer actual argument 'target_of' is not associated"),
        (30, "Index '5' of dimension 2 of array 'b' above upper bound of 3"),
        (32, "The extents of the arguments of 'matmul' differ (3/4)"),
        (34, "The extents of the arguments of 'dot_product' differ (3/4)"),
    ];
    let directory = place();
    for flags in ["-O0", "-O3", "-O2 -fprofile-trueline"] {
        build(directory.path(), &format!("{flags} -fcheck=all"));
        for (k, (line, message)) in expected.iter().enumerate() {
            let out = run(directory.path(), k + 1);
            let text = String::from_utf8_lossy(&out.stderr);
            let words = format!("At line {line} of file more.f90\nFortran runtime error: {message}\n");
            assert!(text.starts_with(&words), "{flags}, case {}: {text}", k + 1);
            assert_eq!(out.status.code(), Some(2), "{flags}, case {}", k + 1);
        }
    }
}

#[test]
fn floating_point_exceptions_end_the_program_or_are_told() {
    let directory = place();
    for (flags, line) in [("-ffpe-trap=zero", 37), ("-O3 -ffpe-trap=invalid,overflow", 38)] {
        build(directory.path(), &format!("-g {flags}"));
        let out = run(directory.path(), 10);
        let text = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.signal(), Some(libc::SIGFPE), "{flags}: {text}");
        let words = "\nProgram received signal SIGFPE: Floating-point exception - erroneous arithmetic operation.\n\n\
                     Backtrace for this error:\n#0  in MAIN__\n\tat ./more.f90:";
        assert_eq!(text.strip_prefix(words), Some(format!("{line}\n").as_str()), "{flags}: {text}");
    }
    let note = "Note: The following floating-point exceptions are signalling:";
    let cases = [
        ("-O0", format!("{note} IEEE_INVALID_FLAG IEEE_DIVIDE_BY_ZERO\n")),
        ("-O3", format!("{note} IEEE_INVALID_FLAG IEEE_DIVIDE_BY_ZERO\n")),
        ("-ffpe-summary=none", String::new()),
        ("-ffpe-summary=zero,overflow", format!("{note} IEEE_DIVIDE_BY_ZERO\n")),
    ];
    for (flags, expected) in cases {
        build(directory.path(), flags);
        let out = run(directory.path(), 10);
        assert_eq!(String::from_utf8_lossy(&out.stderr), expected, "{flags}");
    }
}
