//! The speed of the front end: lines a second, and the memory it takes, on generated input.
//!
//! `cargo bench --bench frontend [-- LINES]`: a million lines by default. The figures are printed, not asserted.

#![allow(clippy::print_stdout, reason = "a measurement says what it found")]

use std::fmt::Write;
use std::time::Instant;
use trueline::driver::{self, Session};
use trueline::options;
use trueline::pipeline;

/// Procedures as people write them: declarations, loops, branches, intrinsics, comments.
fn generate(lines: usize) -> (String, usize) {
    let mut text = String::new();
    let mut count = 0;
    let mut unit = 0;
    while count < lines {
        let start = text.len();
        let _ = write!(
            text,
            "subroutine s{unit}(a, n, x)\n  implicit none\n  integer, intent(in) :: n\n  real(8), intent(inout) :: a(n)\n  \
             real(8), intent(in) :: x\n  integer :: i, j\n  real(8) :: t\n"
        );
        for k in 0..8 {
            let _ = write!(
                text,
                "  do i = 1, n\n    a(i) = a(i) * x + {k}.5d0 ! a comment\n    if (a(i) > {k}) then\n      \
                 t = a(i) - sqrt(abs(x)) * {k}\n      a(i) = t + a(i)\n    else\n      j = mod(i, {})\n      \
                 a(i) = a(i) + j\n    end if\n  end do\n",
                k + 2
            );
        }
        text.push_str("end subroutine\n\n");
        count += text[start..].matches('\n').count();
        unit += 1;
    }
    (text, count)
}

/// The most memory that the process has had, in MiB.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

fn main() {
    let lines = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(1_000_000);
    let (text, lines) = generate(lines);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("generated.f90");
    std::fs::write(&file, &text).expect("the temporary directory is writable");
    drop(text);
    let mut options = options::default_options(vec![file], trueline_opt::OptLevel::O0);
    options.semantics.only_check = true;
    let mut session = Session::default();
    let start = Instant::now();
    let mut asts = driver::parse(&mut session, &options);
    let parsed = start.elapsed().as_secs_f64();
    println!("parsed    {lines} lines in {parsed:.2} s: {:.0} lines/s, {:.0} MiB", lines as f64 / parsed, peak());
    let program = pipeline::analyze_trees(&mut session, &mut asts, &options).expect("what is generated is right");
    let all = start.elapsed().as_secs_f64();
    println!("analysed  {lines} lines in {all:.2} s: {:.0} lines/s, {:.0} MiB", lines as f64 / all, peak());
    assert!(program.infos.stmts.len() > lines / 2, "it was all there");
}
