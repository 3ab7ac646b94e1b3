//! `cargo bench --bench compile [-- SHAPE…] [--sizes=1000,10000,100000]`: how fast the compiler is, and that its
//! time and memory grow with the length of the source and not with its square.
//!
//! Each shape is a kind of program, made with a given number of lines, most of them in one procedure. For each size there is the
//! time to compile it at -O3 to an object, lines a second, and the largest resident set. `--profile` compiles
//! for profiling.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A shape of program: its name, and its source with about that number of lines.
type Shape = (&'static str, fn(usize) -> String);

const SHAPES: [Shape; 14] = [
    ("straight", straight),
    ("reals", reals),
    ("loops", loops),
    ("nests", nests),
    ("deep", deep),
    ("ifs", ifs),
    ("arms", arms),
    ("gotos", gotos),
    ("expression", expression),
    ("symbols", symbols),
    ("common", common),
    ("calls", calls),
    ("arrays", arrays),
    ("procedures", procedures),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let sizes: Vec<usize> = args
        .iter()
        .find_map(|a| a.strip_prefix("--sizes="))
        .unwrap_or("1000,10000,100000")
        .split(',')
        .filter_map(|n| n.parse().ok())
        .collect();
    let profile = args.iter().any(|a| a == "--profile");
    let names: Vec<&String> = args.iter().filter(|a| !a.starts_with("--")).collect();
    let directory = tempfile::tempdir().expect("a temporary directory");
    println!("{:<12} {:>8} {:>10} {:>12} {:>10}", "shape", "lines", "seconds", "lines/s", "MiB");
    for (name, make) in SHAPES {
        if !names.is_empty() && !names.iter().any(|n| *n == name) {
            continue;
        }
        for &lines in &sizes {
            measure(name, &make(lines), directory.path(), profile);
        }
    }
}

fn measure(name: &str, text: &str, directory: &Path, profile: bool) {
    let source = directory.join(format!("{name}.f90"));
    std::fs::write(&source, text).expect("the directory can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    command.args(["build", "-O3", "-c"]).arg(&source).arg("-o").arg(directory.join("out.o"));
    if profile {
        command.arg("--profile");
    }
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the compiler runs");
    let peak = peak_of(child.id());
    let ok = child.wait().is_ok_and(|s| s.success());
    let seconds = start.elapsed().as_secs_f64();
    let lines = text.lines().count();
    let note = if ok { "" } else { "  refused" };
    println!("{name:<12} {lines:>8} {seconds:>10.3} {:>12.0} {peak:>10}{note}", lines as f64 / seconds);
}

/// The largest resident set of a process, in MiB, watched until it ends; 0 where there is no `/proc`.
fn peak_of(process: u32) -> u64 {
    let mut peak = 0;
    while let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) {
        let Some(line) = status.lines().find(|l| l.starts_with("VmHWM:")) else { break };
        peak = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0).max(peak);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    peak / 1024
}

/// A program of these declarations and statements, which prints `x` and `k` at the end.
fn program(declarations: &str, body: &str) -> String {
    format!(
        "program big\n  implicit none\n  integer :: i, j, k, n\n  double precision :: x, y, z, a(1000), b(1000)\n\
         {declarations}  n = 1000\n  x = 1.5d0\n  y = 2.5d0\n  z = 0.5d0\n  k = 1\n  a = 1.0d0\n  b = 2.0d0\n\
         {body}  print *, x, y, z, k, a(1), b(1)\nend program big\n"
    )
}

/// `lines` times a text made from the number of the repetition, which has `each` lines.
fn repeat(lines: usize, each: usize, mut make: impl FnMut(&mut String, usize)) -> String {
    let mut out = String::new();
    for k in 0..(lines / each).max(1) {
        make(&mut out, k);
    }
    out
}

fn straight(lines: usize) -> String {
    let body = repeat(lines, 2, |o, k| {
        let _ = writeln!(o, "  k = k + {}\n  x = x * y + a({})", k % 97, k % 1000 + 1);
    });
    program("", &body)
}

fn reals(lines: usize) -> String {
    let body = repeat(lines, 2, |o, k| {
        let _ = writeln!(
            o,
            "  a({}) = b({}) * {k}.25d0 + x\n  b({}) = a({}) - y",
            k % 1000 + 1,
            k * 7 % 1000 + 1,
            k * 3 % 1000 + 1,
            k * 11 % 1000 + 1
        );
    });
    program("", &body)
}

fn loops(lines: usize) -> String {
    let body = repeat(lines, 3, |o, k| {
        let _ = writeln!(o, "  do i = {}, n\n    a(i) = b(i) * x + {k}.0d0\n  end do", k % 5 + 1);
    });
    program("", &body)
}

fn nests(lines: usize) -> String {
    let body = repeat(lines, 6, |o, k| {
        let _ = writeln!(
            o,
            "  do j = 1, n\n    do i = 2, n\n      c(i, j) = c(i - 1, j) + d(i, j) * {k}.0d0\n      d(i, j) = c(i, j)\n    end do\n  end do"
        );
    });
    program("  double precision :: c(1000, 1000), d(1000, 1000)\n  c = 0\n  d = 0\n", &body)
}

fn deep(lines: usize) -> String {
    let depth = 60;
    let body = repeat(lines, 2 * depth + 1, |o, k| {
        for d in 0..depth {
            let _ = writeln!(o, "  if (k > {}) then", k % 7 + d % 3);
        }
        let _ = writeln!(o, "  x = x + {k}.0d0");
        o.push_str(&"  end if\n".repeat(depth));
    });
    program("", &body)
}

fn ifs(lines: usize) -> String {
    let body = repeat(lines, 5, |o, k| {
        let _ = writeln!(o, "  if (x > {k}.5d0) then\n    y = y + x\n  else\n    z = z - {k}.0d0\n  end if");
    });
    program("", &body)
}

fn arms(lines: usize) -> String {
    let mut body = String::from("  select case (k)\n");
    body += &repeat(lines, 2, |o, k| {
        let _ = writeln!(o, "  case ({k})\n    x = x + {k}.0d0");
    });
    body.push_str("  end select\n");
    program("", &body)
}

fn gotos(lines: usize) -> String {
    let body = repeat(lines.min(99_000 * 2), 2, |o, k| {
        let label = k % 99_000 + 1;
        let _ = writeln!(o, "  if (k == {}) goto {label}\n{label} k = k + 1", k % 13);
    });
    program("", &body)
}

fn expression(lines: usize) -> String {
    // Continuation lines: a statement has at most a few hundred of them.
    let body = repeat(lines, 200, |o, k| {
        let _ = write!(o, "  x = x");
        for l in 0..199 {
            let _ = write!(o, " &\n    + a({}) * {}.5d0", (k + l) % 1000 + 1, l);
        }
        o.push('\n');
    });
    program("", &body)
}

fn symbols(lines: usize) -> String {
    let half = (lines / 2).max(1);
    let declarations: String = (0..half).map(|k| format!("  double precision :: v{k}\n")).collect();
    let body: String = (0..half).map(|k| format!("  v{k} = v{} + {k}.0d0\n", if k == 0 { 0 } else { k - 1 })).collect();
    let body = format!("  v0 = x\n{body}  x = v{}\n", half - 1);
    format!(
        "program big\n  implicit none\n  integer :: k\n  double precision :: x\n{declarations}  x = 1\n  k = 1\n{body}  print *, x, k\nend program big\n"
    )
}

fn common(lines: usize) -> String {
    let half = (lines / 2).max(1);
    let declarations: String =
        (0..half).map(|k| format!("  double precision :: v{k}\n  common /c{}/ v{k}\n", k / 200)).collect();
    let body: String = (0..half / 2).map(|k| format!("  v{k} = v{} + x\n", k * 7 % half)).collect();
    format!("subroutine big(x)\n  implicit none\n  double precision :: x\n{declarations}{body}end subroutine big\n")
}

fn calls(lines: usize) -> String {
    let body = repeat(lines, 2, |o, k| {
        let _ = writeln!(o, "  call leaf(x, k, a({}))\n  y = y + x", k % 1000 + 1);
    });
    let leaf =
        "subroutine leaf(x, k, a)\n  double precision :: x, a\n  integer :: k\n  x = x + a * k\nend subroutine leaf\n";
    program("", &body) + leaf
}

fn arrays(lines: usize) -> String {
    let body = repeat(lines, 3, |o, k| {
        let _ = writeln!(o, "  a = b + {k}.0d0\n  b(2:n) = a(1:n-1)\n  where (a > x) b = a");
    });
    program("", &body)
}

fn procedures(lines: usize) -> String {
    let mut out = repeat(lines, 10, |o, k| {
        let _ = writeln!(
            o,
            "subroutine s{k}(a, n, x)\n  integer :: n, i\n  double precision :: a(n), x\n  x = 0\n  do i = 2, n\n    a(i) = a(i - 1) + x\n    x = max(x, a(i))\n  end do\n  if (x > 10) a(1) = 0\nend subroutine s{k}"
        );
    });
    out += &program("", "  call s0(a, n, x)\n");
    out
}
