//! `cargo bench --bench viewer [-- LINES]`: how soon the profile of a large program is there: as text, as a page, and in a
//! browser that opens the page.
//!
//! The program has 100,000 lines by default. The page is measured in Chromium from the start of the navigation until its first
//! view is drawn. The figures are printed, not asserted.

#![allow(clippy::print_stdout, reason = "a measurement says what it found")]

use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

/// Says on the console when the page is ready and drawn.
const CLOCK: &str = "<script>(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  while (!document.body.dataset.ready) await frame();
  await frame(); await frame();
  console.log(`drawn after ${performance.now()} ms`);
})()</script>";

/// Procedures of a hundred lines: loops with conditionals in them.
fn generate(lines: usize) -> String {
    let units = lines.div_ceil(101);
    let mut text = String::from("program big\n  real(8) :: a(20)\n  integer :: r\n  a = 1d0\n  do r = 1, 5\n");
    for p in 0..units {
        let _ = writeln!(text, "    call work{p}(a, 20)");
    }
    text.push_str("  end do\n  print *, a(3) > 0d0\nend program\n");
    for p in 0..units {
        let _ = write!(
            text,
            "subroutine work{p}(a, n)\n  integer, intent(in) :: n\n  real(8), intent(inout) :: a(n)\n  integer :: i\n  real(8) :: t\n"
        );
        for b in 1..10 {
            let _ = write!(
                text,
                "  ! Step {b} of {p}\n  do i = 2, n - 1\n    t = a(i - 1) + a(i + 1) * {b}.5d0\n    if (t > 100d0) then\n      \
                 t = t / 2d0\n    else\n      t = t + 1d0\n    end if\n    a(i) = t\n  end do\n"
            );
        }
        text.push_str("  a(n) = a(n) + 1d0\n  a(1) = a(n) / 2d0\nend subroutine\n\n\n\n");
    }
    text
}

fn trueline(at: &Path, args: &[&str]) -> Duration {
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_trueline"))
        .args(args)
        .current_dir(at)
        .stdout(Stdio::null())
        .status()
        .expect("the compiler runs");
    assert!(status.success(), "{args:?} failed");
    start.elapsed()
}

/// The least time of some rounds, in milliseconds.
fn least(mut once: impl FnMut() -> f64) -> f64 {
    (0..ROUNDS).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn main() {
    let lines = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(100_000);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = directory.path();
    let text = generate(lines);
    std::fs::write(at.join("big.f90"), &text).expect("the temporary directory is writable");
    trueline(at, &["profile", "--quiet", "-O1", "--out", "p.json", "big.f90"]);
    let size = std::fs::metadata(at.join("p.json")).map_or(0, |m| m.len());
    println!("profile of {} lines: {:.1} MB", text.lines().count(), size as f64 / 1e6);
    for (what, args) in [
        ("report", &["report", "p.json"][..]),
        ("report --view procedures", &["report", "p.json", "--view", "procedures"]),
        ("report --html", &["report", "p.json", "--html", "page.html"]),
    ] {
        println!("{what:<26} {:>8.0} ms", least(|| trueline(at, args).as_secs_f64() * 1e3));
    }
    match opened(at) {
        Some(_) => println!("{:<26} {:>8.0} ms", "the page in Chromium", least(|| opened(at).unwrap_or(f64::NAN))),
        None => println!("the page in Chromium: not measured, there is no 'chromium'"),
    }
}

/// Milliseconds until the page is drawn; none without a browser.
fn opened(at: &Path) -> Option<f64> {
    let page = std::fs::read_to_string(at.join("page.html")).ok()?;
    let end = page.rfind("</body>")?;
    std::fs::write(at.join("timed.html"), format!("{}{CLOCK}{}", &page[..end], &page[end..])).ok()?;
    let mut browser = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,800", "--enable-logging=stderr"])
        // With a port it stays until it is stopped.
        .arg("--remote-debugging-port=0")
        .arg(format!("--user-data-dir={}", at.join("browser").display()))
        .arg(format!("file://{}", at.join("timed.html").display()))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let said = BufReader::new(browser.stderr.take()?);
    let found = said.lines().map_while(Result::ok).find_map(|l| {
        let (_, rest) = l.split_once("drawn after ")?;
        rest.split(' ').next()?.parse().ok()
    });
    // It is our own, and has reported the time.
    let _ = browser.kill();
    let _ = browser.wait();
    found
}
