//! `cargo bench --bench ranks [-- PROGRAM…] [--runs=N] [--ranks=1,2,4]`: HPF programs against the same programs written by hand for MPI (`benches/ranks`).
//!
//! All are compiled by this compiler at -O3. For each number of ranks three programs run in turn: the one by hand over MPI, HPF over MPI and HPF over
//! the transport of one machine. There are the least time of each, the median of the ratios within the turns, and the messages and
//! bytes that all ranks have sent, the gathering of the results at the end included. Times are those of rank 0 between its start and its end, without
//! the launcher. Open MPI is found by `mpif90.openmpi` and `mpirun.openmpi`.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The programs, where the one with directives is, and the distribution that the one by hand has.
const PROGRAMS: [(&str, &str, &str); 4] = [
    ("jacobi", "examples/hpf", "a(*,BLOCK)"),
    ("tomcatv", "examples/hpf", "mesh(BLOCK,*)"),
    ("swm256_1d2", "examples/hpf", "grid(*,BLOCK)"),
    ("adi", "benches/ranks/hpf", "u(*,BLOCK)"),
];

/// A way to run.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    ByHand,
    Mpi,
    Local,
}

const WAYS: [(Way, &str); 3] = [(Way::ByHand, "by hand, MPI"), (Way::Mpi, "HPF, MPI"), (Way::Local, "HPF, local")];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let value = |name: &str| args.iter().find_map(|a| a.strip_prefix(name)).map(str::to_owned);
    let runs = value("--runs=").and_then(|n| n.parse().ok()).unwrap_or(5);
    let ranks = value("--ranks=").unwrap_or_else(|| "1,2,4".to_owned());
    let ranks: Vec<usize> = ranks.split(',').filter_map(|n| n.parse().ok()).collect();
    let names: Vec<&String> = args.iter().filter(|a| !a.starts_with("--")).collect();
    let directory = tempfile::tempdir().expect("a temporary directory");
    println!(
        "{:<12} {:>5} {:<14} {:>9} {:>9} {:>9} {:>12}",
        "program", "ranks", "", "seconds", "ratio", "messages", "bytes"
    );
    for (name, folder, distribution) in PROGRAMS {
        if !names.is_empty() && !names.iter().any(|n| *n == name) {
            continue;
        }
        let hpf = format!("{folder}/{name}.f90");
        let ours = build(directory.path(), &hpf, "hpf", &["-fhpf", "--distribute", distribution]);
        let flags = flags_of_mpi();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let hand = build(directory.path(), &format!("benches/ranks/{name}.f90"), "hand", &flags);
        for &ranks in &ranks {
            compare(name, ranks, runs, &ours, &hand);
        }
    }
}

/// `-I`, `-L` and `-l` of Open MPI.
fn flags_of_mpi() -> Vec<String> {
    let ask = |what: &str| {
        let output =
            Command::new("mpif90.openmpi").arg(format!("--showme:{what}")).output().expect("Open MPI is there");
        String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let of = |option: &'static str, what: &str| ask(what).into_iter().map(move |word| format!("{option}{word}"));
    of("-I", "incdirs").chain(of("-L", "libdirs")).chain(of("-l", "libs")).collect()
}

fn build(directory: &Path, source: &str, suffix: &str, flags: &[&str]) -> PathBuf {
    let stem = Path::new(source).file_stem().expect("a name").to_string_lossy().into_owned();
    let program = directory.join(format!("{stem}.{suffix}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    let status = command.args(["build", "-O3", "-w", source, "-o"]).arg(&program).args(flags).status();
    assert!(status.is_ok_and(|s| s.success()), "{source} compiles");
    program
}

/// Seconds, output, messages and bytes of a run.
struct Run {
    seconds: f64,
    output: String,
    sent: [u64; 2],
}

fn run(way: Way, program: &Path, ranks: usize) -> Run {
    let ledger = program.with_extension("ledger");
    let _ = std::fs::remove_file(&ledger);
    let mut command = match way {
        Way::Local => {
            let mut command = Command::new(program);
            command.env("TRUELINE_NP", ranks.to_string());
            command
        }
        // One process needs no launcher.
        Way::ByHand | Way::Mpi if ranks == 1 => Command::new(program),
        Way::ByHand | Way::Mpi => {
            let mut command = Command::new("mpirun.openmpi");
            command.args(["--oversubscribe", "-np", &ranks.to_string()]).arg(program).env_remove("TRUELINE_NP");
            command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
            command
        }
    };
    let begin = Instant::now();
    let output = command.env("TRUELINE_MESSAGES", &ledger).stdin(Stdio::null()).output().expect("it runs");
    let wall = begin.elapsed().as_secs_f64();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{program:?} on {ranks}: {errors}");
    let numbers = |line: &str| line.split_whitespace().filter_map(|w| w.parse().ok()).collect::<Vec<f64>>();
    let text = std::fs::read_to_string(&ledger).unwrap_or_default();
    let found = match way {
        Way::ByHand => {
            let line = errors.lines().find(|l| l.trim_start().starts_with("sent")).map(numbers).unwrap_or_default();
            [0, 1, 2].map(|k| line.get(k).copied().unwrap_or(0.0))
        }
        Way::Mpi | Way::Local => {
            let lines = text.lines().filter(|l| l.split(' ').nth(2) == Some("messages")).map(numbers);
            // The number of the rank comes first.
            let sum = lines.fold([0.0; 2], |sum, n| [0, 1].map(|k| sum[k] + n.get(k + 1).copied().unwrap_or(0.0)));
            let elapsed = text.lines().find_map(|l| numbers(l.strip_prefix("rank 0 elapsed ")?).first().copied());
            // One rank has no ledger.
            [sum[0], sum[1], elapsed.unwrap_or(wall)]
        }
    };
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    Run { seconds: found[2], output, sent: [found[0] as u64, found[1] as u64] }
}

fn compare(name: &str, ranks: usize, runs: usize, ours: &Path, hand: &Path) {
    let mut turns: Vec<Vec<Run>> = Vec::new();
    for _ in 0..runs {
        turns
            .push(WAYS.iter().map(|&(way, _)| run(way, if way == Way::ByHand { hand } else { ours }, ranks)).collect());
    }
    for (k, (_, title)) in WAYS.iter().enumerate() {
        let of = |turn: &Vec<Run>| turn[k].seconds;
        let least = turns.iter().map(of).fold(f64::INFINITY, f64::min);
        let mut ratios: Vec<f64> = turns.iter().map(|t| t[k].seconds / t[0].seconds).collect();
        ratios.sort_by(f64::total_cmp);
        let ratio = ratios[ratios.len() / 2];
        let [messages, bytes] = turns[0][k].sent;
        println!("{name:<12} {ranks:>5} {title:<14} {least:>9.3} {ratio:>9.2} {messages:>9} {bytes:>12}");
    }
    let differs = turns[0].iter().any(|r| r.output != turns[0][0].output);
    if differs {
        println!("{name:<12} {ranks:>5} the outputs differ");
    }
}
