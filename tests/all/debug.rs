//! The line table: a debugger stops on the source line.

use std::process::{Command, Stdio};

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
