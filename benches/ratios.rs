//! `cargo bench --bench ratios [-- NAME…]`: the examples against gfortran -O2, and profiled against plain.
//!
//! Every figure is a ratio of two programs measured side by side in one run: alternating rounds, the
//! minimum of each. Where valgrind is installed (`--instructions`), instruction counts of the profiled and the plain
//! build are compared too: they do not depend on the load of the machine.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let count_instructions = args.iter().any(|a| a == "--instructions");
    let names: Vec<&String> = args.iter().filter(|a| !a.starts_with("--")).collect();
    let directory = tempfile::tempdir().expect("a temporary directory");
    let gfortran = works("gfortran");
    println!(
        "{:<16} {:>12} {:>12} {:>12} {:>14}",
        "example", "trueline -O3", "/ gfortran", "Prof/NoProf", "instructions"
    );
    println!("{:<16} {:>12} {:>12} {:>12} {:>14}", "", "", "-O2", "", "Prof/NoProf");
    for source in examples() {
        let name = source.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        if !names.is_empty() && !names.iter().any(|n| **n == name) {
            continue;
        }
        let plain = build(&source, &directory.path().join("plain"), &["build", "-O3"]);
        let profiled = build(&source, &directory.path().join("profiled"), &["build", "-O3", "--profile"]);
        let peer = directory.path().join("peer");
        let has_peer = gfortran
            && Command::new("gfortran")
                .args(["-O2", "-w", "-J"])
                .arg(directory.path())
                .arg("-o")
                .arg(&peer)
                .arg(&source)
                .status()
                .is_ok_and(|s| s.success());
        let mut programs: Vec<&Path> = vec![&plain, &profiled];
        if has_peer {
            programs.push(&peer);
        }
        let best = alternate(&programs);
        let ratio = |a: usize, b: usize| best[a].as_secs_f64() / best[b].as_secs_f64();
        let against = if has_peer { format!("{:.2}", ratio(0, 2)) } else { "-".to_owned() };
        let instructions = if count_instructions {
            match (instructions(&plain), instructions(&profiled)) {
                (Some(a), Some(b)) => format!("{:.5}", b as f64 / a as f64),
                _ => "-".to_owned(),
            }
        } else {
            "-".to_owned()
        };
        println!("{name:<16} {:>10.3} s {against:>12} {:>12.3} {instructions:>14}", best[0].as_secs_f64(), ratio(1, 0));
    }
}

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hpf");
    let mut out: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the examples are in the repository")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "f90"))
        .collect();
    out.sort();
    out
}

fn works(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

fn build(source: &Path, to: &Path, args: &[&str]) -> PathBuf {
    let status = Command::new(env!("CARGO_BIN_EXE_trueline")).args(args).arg(source).arg("-o").arg(to).status();
    assert!(status.is_ok_and(|s| s.success()), "{} does not build", source.display());
    to.to_owned()
}

/// The least time of each program over alternating rounds.
fn alternate(programs: &[&Path]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; programs.len()];
    for _ in 0..ROUNDS {
        for (program, best) in programs.iter().zip(&mut best) {
            let start = Instant::now();
            run(Command::new(program));
            *best = start.elapsed().min(*best);
        }
    }
    best
}

fn run(mut command: Command) {
    let status = command
        .env("TRUELINE_PROFILE_FILE", std::env::temp_dir().join(format!("trueline-bench-{}.json", std::process::id())))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok_and(|s| s.success()), "a benchmark program failed");
}

/// Instructions executed, by callgrind.
fn instructions(program: &Path) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .env("TRUELINE_PROFILE", "off")
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find(|l| l.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}
