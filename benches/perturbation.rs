//! `cargo bench --bench perturbation [-- NAME…] [--instructions] [--ranks]`: the cost of measuring.
//!
//! Four tables, all of ratios of programs measured side by side: alternating rounds, and for each program the least user and
//! system time, which other work on the machine moves less than the elapsed time.
//!
//! 1. The examples as in table 2 of the HPF profiling paper: NoProf is the plain program, TimeLib the one that only
//!    times its procedures through the library, Prof the whole profile, and Prof without summary
//!    ends without writing one. Counts is a profile without timers.
//! 2. A program of many calls with everything timed and with the procedures that scores select (OpenUH's comparison).
//! 3. The same in five configurations, and with the tools of others where they are installed.
//! 4. The programs in `benches/perturbation` and tomcatv, each built by one command and file by file, as `make` does it, beside the
//!    tools of others. The last columns are the middle and the range of the cost that the profile states, and the true one, in percent of the profiled run.
//!
//! `--instructions` adds the ratios of executed instructions, by callgrind: in the first table of Counts and of Prof.
//! `--only-instructions` measures nothing else, of the programs of the last table: that takes no quiet machine.
//! `--fit` measures the stated cost and the true one of these programs instead, and fits the constants of the model (see [`fit`]), in ten minutes,
//! or in `--minutes=N`.
//! `--ranks` measures the programs of the paper's table on 4 and on 16 ranks of this machine and nothing else: the user and system time of all ranks together. TimeLib is
//! the plain program that keeps the times of its ranks by category (`TRUELINE_MESSAGES`), as in the paper.
//! `--rounds=N` sets how often each program runs; `--only-files` leaves out all tables but the last.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod fit;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The runs of each program, unless the command line says otherwise.
const ROUNDS: usize = 9;

/// The most minutes that fitting may take.
const MINUTES: f64 = 10.0;

/// The factor by which the programs of several files run longer where their time is measured.
const SCALE: &str = "5";

/// The error of the stated cost that is allowed, in points.
const POINTS: f64 = 2.0;

/// The programs of the paper's table 2.
const OF_THE_PAPER: [&str; 5] = ["kernel7", "swm256_1d1", "swm256_1d2", "tomcatv", "tomcatv_intrin"];

/// The numbers of ranks.
const RANKS: [&str; 2] = ["4", "16"];

/// A program with the environment and options that make a configuration of it.
struct Version {
    name: &'static str,
    program: PathBuf,
    environment: Vec<(&'static str, &'static str)>,
    /// The argument where the time is measured: how many times as long it runs as where instructions are counted.
    scale: Option<&'static str>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let instructions = args.iter().any(|a| a == "--instructions");
    let names: Vec<&String> = args.iter().filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| *n == name);
    let rounds = args.iter().find_map(|a| a.strip_prefix("--rounds=")?.parse().ok()).unwrap_or(ROUNDS);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = directory.path();
    if args.iter().any(|a| a == "--ranks") {
        return on_ranks(at, &wanted, rounds);
    }
    let only_instructions = args.iter().any(|a| a == "--only-instructions");
    if !only_instructions && !args.iter().any(|a| a == "--only-files" || a == "--fit") {
        table_2(at, &wanted, rounds, instructions);
        if wanted("calls") {
            calls(at, rounds, instructions);
        }
    }
    let mut programs: Vec<(String, Vec<PathBuf>)> =
        entries("benches/perturbation").iter().map(|folder| (stem(folder), files(folder))).collect();
    programs.push(("tomcatv".to_owned(), vec![entry("examples/hpf/tomcatv.f90")]));
    programs.retain(|(name, _)| wanted(name));
    if args.iter().any(|a| a == "--fit") {
        let minutes = args.iter().find_map(|a| a.strip_prefix("--minutes=")?.parse().ok()).unwrap_or(MINUTES);
        fit::fit(&programs, at, minutes);
        return;
    }
    if only_instructions {
        println!("Instructions in millions, and ratios to the plain program");
        println!("{:<12} {:<14} {:>10} {:>10} {:>10}", "program", "build", "plain", "counts", "default");
        for (name, sources) in &programs {
            table_of_instructions(name, sources, at);
        }
        return;
    }
    if !programs.is_empty() {
        println!(
            "\nSeconds, and ratios to the plain program{}; cost in percent: the middle stated, the range stated, true",
            note(instructions)
        );
    }
    for (name, sources) in programs {
        several_files(&name, &sources, at, rounds, instructions);
    }
}

/// The examples as in the paper.
fn table_2(at: &Path, wanted: &dyn Fn(&str) -> bool, rounds: usize, instructions: bool) {
    println!("Perturbation (table 2): seconds of NoProf, then ratios of time{}", note(instructions));
    println!(
        "{:<14} {:>8} {:>14} {:>12} {:>13} {:>16}{}",
        "example",
        "NoProf",
        "TimeLib/NoProf",
        "Prof/NoProf",
        "Prof/TimeLib",
        "Prof w/o summary",
        if instructions { format!(" {:>10} {:>10}", "Counts", "Prof") } else { String::new() }
    );
    for source in examples().into_iter().filter(|s| wanted(&stem(s))) {
        let versions = [
            version("NoProf", std::slice::from_ref(&source), at, &["-O3"], &[]),
            version("TimeLib", std::slice::from_ref(&source), at, &["-O3", "--profile", "--regions=procedures"], &[]),
            version("Prof", std::slice::from_ref(&source), at, &["-O3", "--profile"], &[]),
            version(
                "Prof without summary",
                std::slice::from_ref(&source),
                at,
                &["-O3", "--profile"],
                &[("TRUELINE_PROFILE", "off")],
            ),
            version("Counts", std::slice::from_ref(&source), at, &["-O3", "--profile", "--time=none"], &[]),
        ];
        let rounds = measure(at, &versions, rounds);
        println!(
            "{:<14} {:>8.3} {:>14.3} {:>12.3} {:>13.3} {:>16.3}{}{}",
            stem(&source),
            least(&rounds, 0),
            ratio(&rounds, 1, 0),
            ratio(&rounds, 2, 0),
            ratio(&rounds, 2, 1),
            ratio(&rounds, 3, 0),
            counted(instructions, at, &versions[4], &versions[0]),
            counted(instructions, at, &versions[3], &versions[0]),
        );
    }
}

/// Table 2 on ranks.
fn on_ranks(at: &Path, wanted: &dyn Fn(&str) -> bool, rounds: usize) {
    println!("Perturbation (table 2) on ranks: seconds of processors of all ranks of NoProf, then ratios");
    println!(
        "{:<14} {:>5} {:>8} {:>14} {:>12} {:>13} {:>16}",
        "example", "ranks", "NoProf", "TimeLib/NoProf", "Prof/NoProf", "Prof/TimeLib", "Prof w/o summary"
    );
    for name in OF_THE_PAPER.into_iter().filter(|n| wanted(n)) {
        let source = [entry(&format!("examples/hpf/{name}.f90"))];
        for ranks in RANKS {
            let np = ("TRUELINE_NP", ranks);
            let ledger = ("TRUELINE_MESSAGES", "bench.ledger");
            let profiled = ["-O3", "-fhpf", "--profile"];
            let versions = [
                version("NoProf", &source, at, &["-O3", "-fhpf"], &[np]),
                version("TimeLib", &source, at, &["-O3", "-fhpf"], &[np, ledger]),
                version("Prof", &source, at, &profiled, &[np]),
                version("Prof without summary", &source, at, &profiled, &[np, ("TRUELINE_PROFILE", "off")]),
            ];
            let rounds = measure(at, &versions, rounds);
            println!(
                "{name:<14} {ranks:>5} {:>8.3} {:>14.3} {:>12.3} {:>13.3} {:>16.3}",
                least(&rounds, 0),
                ratio(&rounds, 1, 0),
                ratio(&rounds, 2, 0),
                ratio(&rounds, 2, 1),
                ratio(&rounds, 3, 0),
            );
        }
    }
}

/// The instructions of a program, and the additional ones of each way of measuring.
fn table_of_instructions(name: &str, sources: &[PathBuf], at: &Path) {
    let own = own_versions(name, sources, at);
    let others = others(sources, at);
    let row = |versions: &[Version]| {
        let plain = executed(at, &versions[0])?;
        print!("{name:<12} {:<14} {:>10.1}", versions[0].name, plain as f64 / 1e6);
        for v in &versions[1..] {
            executed(at, v).map_or_else(|| print!(" {:>10}", "-"), |n| print!(" {:>10.4}", n as f64 / plain as f64));
        }
        println!();
        Some(())
    };
    for versions in own.chunks(3).chain((!others.is_empty()).then_some(others.as_slice())) {
        if row(versions).is_none() {
            println!("{name:<12} {:<14} {:>10}", versions[0].name, "-");
        }
    }
    if let Some((_, tools)) = others.split_first() {
        let names: Vec<&str> = tools.iter().map(|v| v.name).collect();
        println!("{:<12} in the last row: {}", "", names.join(", "));
    }
}

/// A program built by one command and file by file, each plain, with counts only and with the usual profile.
fn own_versions(name: &str, sources: &[PathBuf], at: &Path) -> Vec<Version> {
    let mut versions = Vec::new();
    for (build, is_one) in [("one command", true), ("file by file", false)] {
        let whole_options: [&[&str]; 3] = [&["-O3"], &["-O3", "--profile", "--time=none"], &["-O3", "--profile"]];
        let file_options: [&[&str]; 3] = [&[], &["-fprofile-trueline=none"], &["-fprofile-trueline"]];
        for (k, what) in [build, "counts only", "default"].into_iter().enumerate() {
            let program = at.join(format!("{name}-{k}-{is_one}"));
            if is_one {
                whole(sources, whole_options[k], &program);
            } else {
                by_file(sources, file_options[k], &program);
            }
            versions.push(Version { name: what, program, environment: vec![], scale: Some(SCALE) });
        }
    }
    versions
}

/// A program of several files, by one command and file by file.
fn several_files(name: &str, sources: &[PathBuf], at: &Path, rounds: usize, instructions: bool) {
    let mut versions = own_versions(name, sources, at);
    let own = versions.len();
    versions.extend(others(sources, at).into_iter().map(|v| Version { scale: Some(SCALE), ..v }));
    let rounds = measure(at, &versions, rounds);
    println!("{name}");
    for (i, v) in versions.iter().enumerate() {
        let base = if i < own { i / 3 * 3 } else { own };
        let cost = if i < own && i > base { cost(at, v, ratio(&rounds, i, base)) } else { String::new() };
        println!(
            "  {:<38} {:>8.3} s {:>8.3}{}{cost}",
            v.name,
            least(&rounds, i),
            ratio(&rounds, i, base),
            counted(instructions, at, v, &versions[base]),
        );
    }
}

/// The files of a program compiled together.
fn whole(sources: &[PathBuf], options: &[&str], program: &Path) {
    let mut build = Command::new(env!("CARGO_BIN_EXE_trueline"));
    build.arg("build").args(options);
    assert!(build.args(sources).arg("-o").arg(program).status().is_ok_and(|s| s.success()), "{sources:?}");
}

/// Each file compiled for itself, and then linked.
fn by_file(sources: &[PathBuf], options: &[&str], program: &Path) {
    let compiler = || {
        let mut fc = Command::new(env!("CARGO_BIN_EXE_trueline"));
        fc.args(["fc", "-O3"]).args(options);
        fc
    };
    let mut linker = compiler();
    for source in sources {
        let object = program.with_extension(format!("{}.o", stem(source)));
        let compiled = compiler().arg("-c").arg(source).arg("-o").arg(&object).status();
        assert!(compiled.is_ok_and(|s| s.success()), "{}", source.display());
        linker.arg(object);
    }
    assert!(linker.arg("-o").arg(program).status().is_ok_and(|s| s.success()), "{sources:?}");
}

/// The cost that profiles state, the median of a few runs, and the true one, which follows from the ratio.
fn cost(at: &Path, v: &Version, ratio: f64) -> String {
    let stated = || {
        run(at, v);
        let profile = std::fs::read(at.join("bench.json")).ok().and_then(|b| trueline_report::read(&b).ok())?;
        Some((profile.overhead.measured?, profile.overhead.between?))
    };
    let mut all: Vec<(f64, [f64; 2])> = (0..3).filter_map(|_| stated()).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.get(all.len() / 2).map_or_else(String::new, |(middle, [low, high])| {
        let [middle, low, high, cost] = [*middle, *low, *high, 1.0 - 1.0 / ratio].map(|f| f * 100.0);
        // A cost below zero is stated as none.
        let is_right = cost.max(0.0) >= low - POINTS && cost <= high + POINTS;
        let word = if is_right { "" } else { "  not between them" };
        format!(" {middle:>8.2} {:>14} {cost:>8.2}{word}", format!("{low:.1} to {high:.1}"))
    })
}

/// The comparisons of OpenUH and Score-P on a program of many calls.
fn calls(at: &Path, rounds: usize, instructions: bool) {
    let sources = files(&entry("benches/perturbation/calls"));
    let build = |name, options: &[&str], environment: &[(&'static str, &'static str)]| {
        version(name, &sources, at, &[&["-O3"], options].concat(), environment)
    };
    let mut versions = vec![
        build("plain", &[], &[]),
        build("counts only", &["--profile", "--time=none"], &[]),
        build("default", &["--profile"], &[]),
        build("selected by score", &["--profile", "--time=selective"], &[]),
        build("everything timed", &["--profile", "--time=all", "--time-leaves"], &[]),
        build("everything, throttled", &["--profile", "--time=all"], &[("TRUELINE_THROTTLE", "1000,1")]),
        build("call tree", &["--profile", "--time=all", "--call-tree"], &[]),
    ];
    let own = versions.len();
    versions.extend(others(&sources, at));
    let rounds = measure(at, &versions, rounds);
    println!("\nA program of twelve million calls: ratio to the plain program{}", note(instructions));
    for (i, v) in versions.iter().enumerate() {
        // A tool of gfortran's is compared with gfortran's plain program, the first of the others.
        let base = if i < own { 0 } else { own };
        println!(
            "{:<36} {:>8.3} s {:>8.3}{}",
            v.name,
            least(&rounds, i),
            ratio(&rounds, i, base),
            counted(instructions, at, v, &versions[base])
        );
    }
}

/// The tools of others, where they are installed.
fn others(sources: &[PathBuf], at: &Path) -> Vec<Version> {
    if !works("gfortran") {
        return vec![];
    }
    let archive = Command::new(env!("CARGO_BIN_EXE_trueline")).args(["--print", "runtime"]).output().ok();
    let archive = archive.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).filter(|a| !a.is_empty());
    let mut out = Vec::new();
    let mut add = |name: &'static str, options: &[&str]| {
        let program = at.join(format!("{}-g{}", stem(&sources[0]), out.len()));
        let built = Command::new("gfortran")
            .args(["-O2", "-fno-inline"])
            .current_dir(at)
            .args(sources)
            .args(options)
            .arg("-o")
            .arg(&program)
            .stderr(Stdio::null())
            .status();
        if built.is_ok_and(|s| s.success()) {
            out.push(Version { name, program, environment: vec![], scale: None });
        }
    };
    add("gfortran -O2", &[]);
    add("gfortran -O2 -pg (gprof)", &["-pg"]);
    add("gfortran -O2 --coverage (gcov)", &["--coverage"]);
    if let Some(archive) = &archive {
        add("gfortran -O2 -finstrument-functions", &["-finstrument-functions", archive, "-lm", "-ldl", "-lpthread"]);
    }
    if works("uftrace") {
        let script = at.join("uftrace.sh");
        let traced = out.iter().find(|v| v.name.contains("gprof")).map(|v| v.program.clone());
        if let Some(program) = traced {
            let text = format!(
                "#!/bin/sh\nexec uftrace record --no-pager -d {}/u {} \"$@\"\n",
                at.display(),
                program.display()
            );
            std::fs::write(&script, text).expect("the directory is ours");
            use std::os::unix::fs::PermissionsExt;
            let executable = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(&script, executable).expect("the file is ours");
            out.push(Version { name: "uftrace record", program: script, environment: vec![], scale: None });
        }
    }
    out
}

fn note(instructions: bool) -> &'static str {
    if instructions { "; last columns: ratios of instructions" } else { "" }
}

fn examples() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hpf"))
}

/// The Fortran files of a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|p| p.extension().is_some_and(|e| e == "f90")).collect()
}

/// A file or folder of the repository.
fn entry(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The entries of a folder of the repository.
fn entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut out: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is in the repository")
        .filter_map(|e| Some(e.ok()?.path()))
        .collect();
    out.sort();
    out
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}

fn works(program: &str) -> bool {
    let quiet = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|s| s.success())
}

fn version(
    name: &'static str,
    sources: &[PathBuf],
    at: &Path,
    options: &[&str],
    environment: &[(&'static str, &'static str)],
) -> Version {
    let program = at.join(format!("{}-{}", stem(&sources[0]), name.replace([' ', ','], "-")));
    whole(sources, options, &program);
    Version { name, program, environment: environment.to_vec(), scale: None }
}

/// The time of every version in every round.
fn measure(at: &Path, versions: &[Version], rounds: usize) -> Vec<Vec<Duration>> {
    (0..rounds)
        .map(|round| {
            let mut times = vec![Duration::ZERO; versions.len()];
            // Each round begins with another version, so that none always comes first.
            for k in 0..versions.len() {
                let i = (k + round) % versions.len();
                times[i] = run(at, &versions[i]);
            }
            times
        })
        .collect()
}

/// Runs it; the user and system time of the process.
#[allow(unsafe_code, reason = "the standard library does not tell what a child took")]
#[allow(clippy::zombie_processes, reason = "wait4 waits for it")]
fn run(at: &Path, v: &Version) -> Duration {
    let child = Command::new(&v.program)
        .current_dir(at)
        .env("TRUELINE_PROFILE_FILE", at.join("bench.json"))
        .envs(v.environment.iter().copied())
        .args(v.scale)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let pid = i32::try_from(child.id()).expect("process numbers are small");
    let mut status = 0;
    // SAFETY: plain data of C, for which zeros are valid; the process is our child, and nobody else waits for it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::wait4(pid, &raw mut status, 0, &raw mut usage), pid, "the child is ours");
        usage
    };
    assert_eq!(status, 0, "{} failed", v.name);
    let part = |t: libc::timeval| Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64);
    part(usage.ru_utime) + part(usage.ru_stime)
}

/// Seconds of the fastest round.
fn least(rounds: &[Vec<Duration>], i: usize) -> f64 {
    rounds.iter().map(|r| r[i].as_secs_f64()).fold(f64::INFINITY, f64::min)
}

/// The least time of one version to that of another.
fn ratio(rounds: &[Vec<Duration>], i: usize, base: usize) -> f64 {
    least(rounds, i) / least(rounds, base)
}

/// The ratio of executed instructions as a column, where it is asked for and valgrind is there.
fn counted(wanted: bool, at: &Path, v: &Version, base: &Version) -> String {
    if !wanted {
        return String::new();
    }
    match (executed(at, v), executed(at, base)) {
        (Some(a), Some(b)) => format!(" {:>10.5}", a as f64 / b as f64),
        _ => format!(" {:>10}", "-"),
    }
}

/// Instructions executed, by callgrind; the writing of the profile is not part of it.
fn executed(at: &Path, v: &Version) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(&v.program)
        .current_dir(at)
        .envs(v.environment.iter().copied())
        .env("TRUELINE_PROFILE", "off")
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find(|l| l.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}
