//! Depth: deeply nested or long chained code compiles or is refused with a message at a place, on a stack of 256 KiB:
//! neither the compiler nor its threads may need the stack that the shell gives.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The result of compiling a program.
enum End {
    /// It prints this, words apart, at every level.
    Prints(&'static str),
    /// It is refused with this message.
    Refused(&'static str),
}

use End::{Prints, Refused};

/// `n` copies of `text`.
fn many(n: usize, text: &str) -> String {
    text.repeat(n)
}

/// The texts of `0..n`.
fn each(n: usize, f: impl Fn(usize) -> String) -> String {
    (0..n).map(f).collect()
}

/// A program that assigns `value`, which may read `y`, 1.
fn value(value: &str) -> String {
    format!("program p\n  y = 1\n  x = {value}\n  print *, nint(x)\nend program\n")
}

/// `n` constructs, one in the other, around `n = n + 1`.
fn nest(n: usize, open: impl Fn(usize) -> String, close: &str) -> String {
    let declared = each(n.min(200), |k| format!("  integer :: i{k}\n"));
    let (opened, closed) = (each(n, open), many(n, close));
    format!("program p\n{declared}  integer :: n = 0, m = 1\n{opened}  n = n + 1\n{closed}  print *, n\nend program\n")
}

/// Types that have the one before as their component, and a value of the last.
fn types(n: usize) -> String {
    let inner = each(n - 1, |k| format!("  type t{}\n    type(t{k}) :: c\n  end type\n", k + 1));
    let path = many(n - 1, "%c");
    let last = n - 1;
    format!(
        "program p\n  type t0\n    integer :: v\n  end type\n{inner}  type(t{last}) :: x, y\n  x{path}%v = 4\n  y = x\n  \
         print *, y{path}%v\nend program\n"
    )
}

fn chain_of_else_if(n: usize) -> String {
    let arms = each(n, |k| format!("  else if (n == {}) then\n    k = {k}\n", k + 8));
    format!(
        "program p\n  integer :: n = 7, k\n  if (n == 0) then\n    k = 1\n{arms}  else\n    k = 2\n  end if\n  print *, k\nend program\n"
    )
}

/// Jumps out; behind each of them `i` has another value.
fn jumps(n: usize) -> String {
    let all = each(n, |k| format!("  if (i > {}) goto 10\n  i = i - {}\n", k % 97 + 1, k % 3));
    format!("program p\n  integer :: i = 1\n{all}10 print *, i\nend program\n")
}

/// All programs. The limits are the compiler's own; programs that are deep are not optimized, those named `-below` are.
fn programs() -> Vec<(&'static str, String, End)> {
    const EXPRESSION: End = Refused("Expression nested more than 1100000 levels deep");
    const CONSTRUCT: End = Refused("Constructs nested more than 100000 levels deep");
    const LOOP: End = Refused("Loops nested more than 10000 levels deep");
    let around = |n: usize, open: &str, close: &str| value(&format!("{}y{}", many(n, open), many(n, close)));
    let loops = |n| nest(n, |k| format!("  do i{} = 1, m\n", k % 200), "  end do\n");
    let own_loops = |n| nest(n, |k| format!("  do i{k} = 1, m\n"), "  end do\n");
    let endless = |n| nest(n, |_| "  do\n".to_owned(), "  if (n > 0) exit\n  end do\n");
    let ifs = |n| nest(n, |_| "  if (n == 0) then\n".to_owned(), "  end if\n");
    let selects = |n| nest(n, |_| "  select case (m)\n  case (1)\n".to_owned(), "  end select\n");
    let constructor =
        |n| format!("program p\n  integer :: a(1)\n  a = {}1{}\n  print *, a\nend\n", many(n, "["), many(n, "]"));
    let continued = |n| value(&format!("y &\n{}    + y", many(n, "    + y &\n")));
    vec![
        ("parentheses-deep", around(1_000_000, "(", ")"), Prints("1")),
        ("parentheses-below", around(1_990, "(", ")"), Prints("1")),
        ("signs", around(600_000, "(-", ")"), EXPRESSION),
        ("signs-deep", around(10_000, "(-", ")"), Prints("1")),
        ("signs-below", around(990, "(-", ")"), Prints("1")),
        ("calls", around(300_000, "abs(", ")"), EXPRESSION),
        ("calls-deep", around(5_000, "max(y, ", ")"), Prints("1")),
        ("calls-below", around(1_900, "max(y, ", ")"), Prints("1")),
        ("powers", value(&format!("y{}", many(1_200_000, "**y"))), EXPRESSION),
        ("powers-deep", value(&format!("y{}", many(10_000, "**y"))), Prints("1")),
        ("powers-below", value(&format!("y{}", many(1_900, "**y"))), Prints("1")),
        ("operands", continued(1_200_000), EXPRESSION),
        ("operands-deep", continued(20_000), Prints("20002")),
        ("operands-below", continued(1_900), Prints("1902")),
        ("loops", loops(20_000), LOOP),
        ("loops-deep", own_loops(200), Prints("1")),
        ("loops-endless", endless(1_000), Prints("1")),
        ("loops-below", own_loops(100), Prints("1")),
        ("ifs", ifs(150_000), CONSTRUCT),
        ("ifs-deep", ifs(5_000), Prints("1")),
        ("ifs-below", ifs(990), Prints("1")),
        ("selects", selects(150_000), CONSTRUCT),
        ("selects-deep", selects(3_000), Prints("1")),
        ("selects-below", selects(490), Prints("1")),
        ("else-ifs", chain_of_else_if(600_000), Refused("More than 500000 branches in one construct")),
        ("else-ifs-deep", chain_of_else_if(6_000), Prints("2")),
        ("else-ifs-below", chain_of_else_if(990), Prints("2")),
        ("jumps", jumps(35_000), Prints("-34998")),
        ("constructors", constructor(300_000), EXPRESSION),
        ("constructors-below", constructor(900), Prints("1")),
        ("types-below", types(300), Prints("4")),
    ]
}

/// Runs `line` in `directory` on a small stack; `$0` is the compiler. A run longer than two minutes counts as hanging.
fn small_stack(directory: &Path, line: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -s 256; {line}"), env!("CARGO_BIN_EXE_trueline")]).current_dir(directory);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("it starts");
    let start = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if start.elapsed() > Duration::from_secs(120) {
            child.kill().expect("it is ours");
            panic!("'{line}' hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
}

#[test]
fn depth_is_compiled_or_refused_on_a_small_stack() {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, source, end) in programs() {
        fs::write(dir.path().join(format!("{name}.f90")), source).expect("written");
        // A program is refused before there are levels.
        let levels: &[&str] = if matches!(end, Prints(_)) { &["-O0", "-O3"] } else { &["-O3"] };
        for level in levels {
            let out = small_stack(dir.path(), &format!("exec \"$0\" run {level} {name}.f90"));
            let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
            let shown: String = stderr.chars().take(2000).collect();
            match end {
                Prints(text) => {
                    assert_eq!(out.status.code(), Some(0), "{name} {level}: {shown}");
                    assert_eq!(stdout.trim(), text, "{name} {level}");
                }
                Refused(text) => {
                    assert_eq!(out.status.code(), Some(1), "{name} {level}: {shown}");
                    assert!(stderr.contains(text), "{name} {level}: {shown}");
                    assert!(stderr.contains(&format!("{name}.f90:")), "{name} {level} says no place: {shown}");
                }
            }
        }
    }
}

/// Where address space is limited, the stacks are smaller, and so are the limits.
#[test]
fn depth_is_refused_without_room_for_a_stack() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("sum.f90"), value(&format!("y{}", many(3_000, " &\n + y")))).expect("written");
    let refused = small_stack(dir.path(), "ulimit -v 8000000; exec \"$0\" build -c sum.f90");
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("Expression nested more than 2000 levels deep"), "{stderr}");
}

/// A procedure that is not optimized is told.
#[test]
fn depth_that_is_not_optimized_is_a_remark() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("sum.f90"), value(&format!("y{}", many(3_000, " &\n + y")))).expect("written");
    let out = small_stack(dir.path(), "exec \"$0\" fc -O2 -c -fopt-info-missed sum.f90");
    let stderr = String::from_utf8_lossy(&out.stderr);
    assert!(stderr.contains("not optimized: its constructs, loops or operations nest too deep"), "{stderr}");
}

/// The counts of a profile need no more stack than the program.
#[test]
fn depth_is_profiled_on_a_small_stack() {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, source, end) in programs() {
        let (Prints(text), true) = (end, name.ends_with("-below")) else { continue };
        fs::write(dir.path().join(format!("{name}.f90")), source).expect("written");
        let out = small_stack(dir.path(), &format!("exec \"$0\" profile --quiet -O3 --out p.json {name}.f90"));
        let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        assert_eq!(out.status.code(), Some(0), "{name}: {}", stderr.chars().take(2000).collect::<String>());
        assert_eq!(stdout.trim(), text, "{name}");
        trueline_report::read(&fs::read(dir.path().join("p.json")).expect("a profile")).expect("it can be read");
    }
}
