//! `cargo bench --bench kernels [-- NAME… --rounds N --runner WORDS --save FILE --compare FILE]`: loops by which a compiler is judged.
//!
//! Each file of `benches/kernels` is a kernel: its second line has the result that every build must reproduce. A kernel is built by
//! trueline at -O2, -O3 and -O3 -march=native and, where it is installed, by gfortran at the same. For the last one trueline gets
//! -ffp-contract=fast and -fapprox-func: gfortran contracts products and calls functions of vectors that are off by up to four units of the last place unless it
//! is told otherwise, the latter also without -march=native. The programs run in turn, each says
//! how much processor time one run of the kernel took, and the least of all rounds counts. Printed are ratios of these times and
//! their geometric means. A kernel that is slower at -O3 than at -O2 by more than the noise of the two is measured
//! again; if it still is, it is marked and listed at the end.
//!
//! `--runner "chrt -f 1"` (words before each program that is measured) keeps other work off its processor. `--save` writes the ratios to a file; `--compare` shows beside them those of such a file.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A compiler with its flags, and how far results of its programs may be off: contraction changes last digits.
struct Builder {
    name: &'static str,
    command: &'static [&'static str],
    tolerance: f64,
}

const TRUELINE: &str = env!("CARGO_BIN_EXE_trueline");

/// The first three are trueline's: -O2, -O3, and -O3 for this processor.
const BUILDERS: &[Builder] = &[
    Builder { name: "-O2", command: &[TRUELINE, "fc", "-O2"], tolerance: 1e-9 },
    Builder { name: "-O3", command: &[TRUELINE, "fc", "-O3"], tolerance: 1e-9 },
    Builder {
        name: "native",
        command: &[TRUELINE, "fc", "-O3", "-march=native", "-ffp-contract=fast", "-fapprox-func"],
        tolerance: 1e-5,
    },
    Builder { name: "gf -O2", command: &["gfortran", "-O2", "-w"], tolerance: 1e-9 },
    Builder { name: "gf -O3", command: &["gfortran", "-O3", "-w"], tolerance: 1e-9 },
    Builder { name: "gf native", command: &["gfortran", "-O3", "-march=native", "-w"], tolerance: 1e-5 },
];

/// Differences below this are noise on any machine.
const LEAST_NOISE: f64 = 0.03;

struct Options {
    names: Vec<String>,
    rounds: usize,
    runner: Vec<String>,
    save: Option<PathBuf>,
    compare: Option<PathBuf>,
}

struct Kernel {
    name: String,
    source: PathBuf,
    expected: f64,
}

fn main() {
    let options = options();
    let builders: &[Builder] = if works("gfortran") { BUILDERS } else { &BUILDERS[..3] };
    let earlier = options.compare.as_deref().map(read);
    let directory = tempfile::tempdir().expect("a temporary directory");
    heading(earlier.is_some());
    let mut ratios: Vec<Vec<f64>> = Vec::new();
    let (mut saved, mut slower) = (Map::new(), Vec::new());
    for kernel in kernels().iter().filter(|k| chosen(&options.names, &k.name)) {
        let programs: Vec<Option<PathBuf>> =
            builders.iter().enumerate().map(|(i, b)| build(kernel, b, &directory.path().join(i.to_string()))).collect();
        let mut times = vec![Vec::new(); programs.len()];
        measure(kernel, &programs, &mut times, options.rounds, &options.runner);
        if slows(&times).is_some() {
            measure(kernel, &programs[..2], &mut times, 3 * options.rounds, &options.runner);
        }
        let mark = slows(&times);
        let row = row_of(&times);
        print_row(kernel, &row, mark.is_some(), earlier.as_ref());
        slower.extend(mark.map(|m| format!("{} ({m:.2})", kernel.name)));
        saved.insert(kernel.name.clone(), json!(row));
        ratios.push(row);
    }
    means(&ratios);
    println!("\nslower at -O3 than at -O2: {}", if slower.is_empty() { "none".to_owned() } else { slower.join(", ") });
    if let Some(file) = options.save {
        let text = serde_json::to_string_pretty(&Value::Object(saved)).expect("numbers are JSON");
        std::fs::write(&file, text + "\n").unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    }
}

fn options() -> Options {
    let mut options = Options { names: vec![], rounds: 7, runner: vec![], save: None, compare: None };
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} needs a value"));
        match arg.as_str() {
            "--rounds" => options.rounds = value().parse().expect("--rounds N"),
            "--runner" => options.runner = value().split_whitespace().map(str::to_owned).collect(),
            "--save" => options.save = Some(value().into()),
            "--compare" => options.compare = Some(value().into()),
            _ => options.names.push(arg),
        }
    }
    assert!(options.rounds > 1, "noise is seen in two rounds at least");
    options
}

/// Names choose kernels that contain one of them; no name chooses all.
fn chosen(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|n| name.contains(n.as_str()))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/kernels")
}

fn kernels() -> Vec<Kernel> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the kernels are in the repository")
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "f90"))
        .collect();
    files.sort();
    files.into_iter().map(kernel).collect()
}

fn kernel(source: PathBuf) -> Kernel {
    let text = std::fs::read_to_string(&source).expect("a kernel is text");
    let second = text.lines().nth(1).and_then(|l| l.strip_prefix("! check ")).and_then(|l| l.trim().parse().ok());
    let expected = second.unwrap_or_else(|| panic!("{}: no result in line 2", source.display()));
    let name = source.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    Kernel { name, source, expected }
}

/// The program; none if a peer cannot compile it.
fn build(kernel: &Kernel, builder: &Builder, directory: &Path) -> Option<PathBuf> {
    std::fs::create_dir_all(directory).expect("a directory for modules");
    let program = directory.join("program");
    let common = folder().join("common");
    let status = Command::new(builder.command[0])
        .args(&builder.command[1..])
        .arg("-J")
        .arg(directory)
        .arg("-o")
        .arg(&program)
        .args([&common.join("support.f90"), &kernel.source, &common.join("main.f90")])
        .status();
    let built = status.is_ok_and(|s| s.success());
    assert!(built || builder.command[0] != TRUELINE, "{} does not build", kernel.source.display());
    built.then_some(program)
}

/// Adds the times of alternating runs.
fn measure(kernel: &Kernel, programs: &[Option<PathBuf>], times: &mut [Vec<f64>], rounds: usize, runner: &[String]) {
    for _ in 0..rounds {
        for (i, program) in programs.iter().enumerate() {
            times[i].extend(program.as_deref().and_then(|p| run(kernel, p, &BUILDERS[i], runner)));
        }
    }
}

/// The nanoseconds of one run of the kernel. A wrong result of ours ends the benchmark; that of a peer is reported.
fn run(kernel: &Kernel, program: &Path, builder: &Builder, runner: &[String]) -> Option<f64> {
    let mut command = match runner {
        [] => Command::new(program),
        [first, rest @ ..] => {
            let mut command = Command::new(first);
            command.args(rest).arg(program);
            command
        }
    };
    let output = command.stdin(Stdio::null()).output().expect("a program that was just built runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let figure = |word: &str| text.lines().find_map(|l| l.strip_prefix(word)?.trim().parse::<f64>().ok());
    let right = |c: &f64| (c - kernel.expected).abs() <= builder.tolerance * kernel.expected.abs();
    if !output.status.success() || !figure("check ").is_some_and(|c| right(&c)) {
        let message = format!("{}: {} computes {text:?}, not {:e}", kernel.name, builder.name, kernel.expected);
        assert!(builder.command[0] != TRUELINE, "{message}");
        println!("{message}");
        return None;
    }
    figure("nanoseconds ")
}

fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::NAN, f64::min)
}

/// The spread of the quarter of the fastest runs.
fn noise(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 4] / sorted[0] - 1.0
}

/// The ratio of -O3 to -O2, if it is above 1 by more than the noise of the two.
fn slows(times: &[Vec<f64>]) -> Option<f64> {
    let ratio = least(&times[1]) / least(&times[0]);
    (ratio > 1.0 + LEAST_NOISE + noise(&times[0]) + noise(&times[1])).then_some(ratio)
}

/// The ratio of -O3 to the others, and at last that of the two native ones; NaN where there is none.
fn row_of(times: &[Vec<f64>]) -> Vec<f64> {
    let of = |a: usize, b: usize| times.get(b).map_or(f64::NAN, |t| least(&times[a]) / least(t));
    vec![of(1, 0), of(1, 3), of(1, 4), of(2, 5)]
}

fn heading(compared: bool) {
    println!("processor time of trueline -O3 / that of; of trueline native / that of gf native");
    println!(
        "{:<28} {:>8} {:>8} {:>8} {:>9}{}",
        "kernel",
        BUILDERS[0].name,
        BUILDERS[3].name,
        BUILDERS[4].name,
        BUILDERS[5].name,
        if compared { "   (earlier)" } else { "" }
    );
}

fn print_row(kernel: &Kernel, row: &[f64], marked: bool, earlier: Option<&Value>) {
    print!("{:<28} {:>8.2} {:>8.2} {:>8.2} {:>9.2}", kernel.name, row[0], row[1], row[2], row[3]);
    if let Some(Value::Array(old)) = earlier.map(|e| &e[&kernel.name]) {
        let words: Vec<String> = old.iter().map(|v| v.as_f64().map_or("-".to_owned(), |v| format!("{v:.2}"))).collect();
        print!("   ({})", words.join(" "));
    }
    println!("{}", if marked { "   SLOWER at -O3" } else { "" });
}

fn means(ratios: &[Vec<f64>]) {
    print!("{:<28}", format!("geometric mean of {}", ratios.len()));
    for (column, width) in [9, 9, 9, 10].into_iter().enumerate() {
        let logs: Vec<f64> = ratios.iter().map(|r| r[column].ln()).filter(|l| l.is_finite()).collect();
        print!("{:>width$.2}", (logs.iter().sum::<f64>() / logs.len() as f64).exp());
    }
    println!();
}

fn read(file: &Path) -> Value {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

fn works(program: &str) -> bool {
    let command = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    command.is_ok_and(|s| s.success())
}
