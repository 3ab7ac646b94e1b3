//! HPF on ranks, foretold by one process (`runtime/src/ranks/rehearsal.rs`): messages, bytes, reductions and iterations of each rank, line and array are
//! those of a real run, and the output is the same.

use crate::build::{files, is_full};
use crate::judge::spread;
use crate::ranks::{build, stem};
use crate::trial;
use libtest_mimic::Trial;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// All tests of predictions.
pub fn trials() -> Vec<Trial> {
    let mut out: Vec<Trial> =
        files("tests/hpf/ranks", &["f", "f90"]).iter().map(|file| trial("hpf-predict", file, any_program)).collect();
    for case in &CASES {
        out.push(trial("hpf-predict", &Path::new("examples/hpf").join(case.program), |_| example(case)));
    }
    let here = Path::new("tests/hpf/ranks/advise");
    out.push(trial("hpf-advise", here, |_| advise()));
    out.push(trial("hpf-advise-wrong", here, |_| wrong_arguments()));
    // Times are those of a quiet machine alone.
    if std::env::var_os("TRUELINE_TEST_TIMES").is_some() {
        out.push(trial("hpf-predict-time", here, |_| busiest()));
    }
    out
}

/// The figures of a ledger that do not depend on the clock, in order.
fn figures(ledger: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in ledger.lines().filter(|l| !l.starts_with("alone ") && !l.contains(" elapsed ")) {
        let Some((head, rest)) = line.rfind(" messages ").map(|k| line.split_at(k)) else { continue };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let kept = words.chunks_exact(2).filter(|w| !w[1].contains('.')).map(|w| w.join(" "));
        let kept: Vec<String> = kept.collect();
        // A line where a rank only waited has no figures.
        if head.contains(" at ") && kept.iter().all(|k| k.ends_with(" 0")) {
            continue;
        }
        out.push(format!("{head} {}", kept.join(" ")));
    }
    out.sort();
    out
}

/// A run on ranks, or a rehearsal: its output and its ledgers.
fn run(program: &Path, ranks: usize, variable: &str) -> Result<(Output, String), String> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let ledger = work.path().join("ledger");
    let mut command = Command::new("timeout");
    command.arg("300").arg(program).current_dir(work.path()).stdin(Stdio::null());
    command.env_remove("TRUELINE_NP").env_remove("TRUELINE_PREDICT");
    command.env("TRUELINE_PROFILE_FILE", work.path().join("p.json"));
    let output = command.env(variable, ranks.to_string()).env("TRUELINE_MESSAGES", &ledger).output();
    let output = output.map_err(|e| e.to_string())?;
    Ok((output, std::fs::read_to_string(&ledger).unwrap_or_default()))
}

/// Compares the rehearsal with the real run.
fn compare(program: &Path, ranks: usize) -> Result<(), String> {
    let (real, ledger) = run(program, ranks, "TRUELINE_NP")?;
    let (foretold, prediction) = run(program, ranks, "TRUELINE_PREDICT")?;
    if (real.status.code(), &real.stdout) != (foretold.status.code(), &foretold.stdout) {
        return Err(format!("{ranks} ranks: {:?}, foretold {:?}", real, foretold));
    }
    let (found, wanted) = (figures(&prediction), figures(&ledger));
    if let Some(k) = (0..found.len().max(wanted.len())).find(|&k| found.get(k) != wanted.get(k)) {
        return Err(format!("{ranks} ranks: {:?}, foretold {:?}", wanted.get(k), found.get(k)));
    }
    Ok(())
}

/// Any program. One that ends its ranks by an error has no ledgers of all.
fn any_program(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let number = spread(&stem(file)) as usize;
    let level = ["-O0", "-O2", "-O3"][number % 3];
    let program = build(directory.path(), "ranks", &[file], &[level, "-fhpf"])?;
    let ranks: &[usize] = if is_full() { &[2, 3, 4, 7, 16] } else { &[[2, 3, 4, 7][number / 3 % 4]] };
    if text.contains("! counts vary") || stem(file) == "world" {
        return Ok(());
    }
    ranks.iter().try_for_each(|&ranks| compare(&program, ranks))
}

/// An example with few steps, and the distributions that are tried.
struct Case {
    program: &'static str,
    /// The number of steps in the source, and the text in its place.
    steps: (&'static str, &'static str),
    distributions: [Option<&'static str>; 3],
}

const CASES: [Case; 4] = [
    Case {
        program: "jacobi.f90",
        steps: ("maxit = 4000", "maxit = 30"),
        distributions: [None, Some("a(*,BLOCK)"), Some("a(CYCLIC,*)")],
    },
    Case {
        program: "tomcatv.f90",
        steps: ("itmax = 400", "itmax = 20"),
        distributions: [None, Some("mesh(*,BLOCK)"), Some("mesh(BLOCK,BLOCK)")],
    },
    Case {
        program: "swm256_1d1.f90",
        steps: ("itmax = 600", "itmax = 20"),
        distributions: [None, Some("grid(*,BLOCK)"), Some("grid(BLOCK,BLOCK)")],
    },
    Case {
        program: "kernel7.f90",
        steps: ("passes = 200000", "passes = 2985"),
        distributions: [None, Some("u(CYCLIC)"), Some("u(CYCLIC(4))")],
    },
];

/// Three distributions on three numbers of ranks.
fn example(case: &Case) -> Result<(), String> {
    let source = std::fs::read_to_string(Path::new("examples/hpf").join(case.program)).map_err(|e| e.to_string())?;
    if !source.contains(case.steps.0) {
        return Err(format!("{} has no {}", case.program, case.steps.0));
    }
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = directory.path().join(case.program);
    let text = if case.steps.0.is_empty() { source } else { source.replace(case.steps.0, case.steps.1) };
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    for (k, distribution) in case.distributions.iter().enumerate() {
        let mut flags = vec!["-O2", "-fhpf"];
        distribution.iter().for_each(|d| flags.extend(["--distribute", d]));
        let program = build(directory.path(), &format!("p{k}"), &[&file], &flags)?;
        let ranks: &[usize] = if is_full() { &[2, 4, 16] } else { &[[4, 2, 3][k]] };
        for &ranks in ranks {
            compare(&program, ranks).map_err(|e| format!("{distribution:?}: {e}"))?;
        }
    }
    Ok(())
}

/// The factor by which the foretold time of the busiest rank may be off.
const FAR: f64 = 2.0;

/// The user time of the busiest rank is about the foretold one: the least of five runs of each, on as many ranks as the machine has processors at the most.
#[allow(clippy::print_stdout, reason = "figures for the documentation")]
fn busiest() -> Result<(), String> {
    const RUNS: usize = 5;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let user = |ledger: &str| {
        let of = |l: &str| l.split_once(" user ")?.1.split(' ').next()?.parse::<f64>().ok();
        ledger.lines().filter(|l| l.starts_with("rank ") && l.contains(" elapsed ")).filter_map(of).fold(0.0, f64::max)
    };
    let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let mut wrong = Vec::new();
    for case in CASES.iter().filter(|c| c.program != "kernel7.f90") {
        for (k, distribution) in case.distributions.iter().enumerate() {
            // Loops over parts that are dealt out in turn are not those of one process.
            if distribution.is_some_and(|d| d.contains("CYCLIC")) {
                continue;
            }
            let mut flags = vec!["-O3", "-fhpf"];
            distribution.iter().for_each(|d| flags.extend(["--distribute", d]));
            let file = Path::new("examples/hpf").join(case.program);
            let program = build(directory.path(), &format!("{}{k}", stem(&file)), &[&file], &flags)?;
            for ranks in [2, 4].into_iter().filter(|&r| r <= processors) {
                let least = |variable: &str| -> Result<f64, String> {
                    let runs: Result<Vec<f64>, String> =
                        (0..RUNS).map(|_| Ok(user(&run(&program, ranks, variable)?.1))).collect();
                    Ok(runs?.into_iter().fold(f64::INFINITY, f64::min))
                };
                let [foretold, measured] = [least("TRUELINE_PREDICT")?, least("TRUELINE_NP")?];
                let name = distribution.unwrap_or("as the source says");
                let text = format!("{} {name} {ranks}: {foretold:.3} s foretold, {measured:.3} s", case.program);
                println!("{text}");
                if foretold / measured > FAR || measured / foretold > FAR {
                    wrong.push(text);
                }
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// A program whose rows are better left whole: each column depends on the one before it in all rows.
const COLUMNS: &str = "program columns
  integer, parameter :: n = 200
  real(8) :: mesh(n, n)
  integer :: i, j, k
!HPF$ DISTRIBUTE mesh(*, BLOCK)
  do j = 1, n
    do i = 1, n
      mesh(i, j) = i + j
    end do
  end do
  do k = 1, 20
    do j = 2, n
      do i = 1, n
        mesh(i, j) = 0.5d0 * (mesh(i, j) + mesh(i, j - 1))
      end do
    end do
  end do
  print *, mesh(n, n)
end program
";

fn trueline(directory: &Path, args: &[&str]) -> Result<(Option<i32>, String, String), String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    let output = command.args(args).current_dir(directory).stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((output.status.code(), text(&output.stdout), text(&output.stderr)))
}

/// The advice names the distribution without messages, and a question is answered beside the source.
fn advise() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    std::fs::write(directory.path().join("columns.f90"), COLUMNS).map_err(|e| e.to_string())?;
    let (code, out, err) = trueline(directory.path(), &["advise", "-np", "4", "columns.f90"])?;
    if code != Some(0) {
        return Err(err);
    }
    let row = |name: &str| out.lines().find(|l| l.starts_with(name)).map(|l| l.split_whitespace().collect::<Vec<_>>());
    let by_rows = row("mesh(BLOCK,*)").ok_or_else(|| format!("no row mesh(BLOCK,*): {out}"))?;
    if row("as the source says").is_none() || row("mesh(CYCLIC,*)").is_none() || !by_rows.contains(&"1.00") {
        return Err(out);
    }
    let json = |args: &[&str]| -> Result<serde_json::Value, String> {
        let (_, out, err) = trueline(directory.path(), args)?;
        serde_json::from_str(&out).map_err(|e| format!("{e}: {out} {err}"))
    };
    // A strip of a sweep has a message for each two neighbours.
    let all = json(&["advise", "-np", "4", "--json", "-fhpf-strip=50", "columns.f90"])?;
    let of = |name: &str| {
        let all = all["predictions"].as_array().cloned().unwrap_or_default();
        all.into_iter().find(|p| p["distribution"] == name).unwrap_or_default()
    };
    // PRINT sends an element to the first rank, by whatever distribution; columns go to the next rank in each sweep.
    if of("mesh(BLOCK,*)")["messages"] != 1 || of("as the source says")["messages"] != 20 * 3 * 4 + 1 {
        return Err(format!("{all}"));
    }
    let iterations: u64 = of("mesh(BLOCK,*)")["ranks"]
        .as_array()
        .iter()
        .flat_map(|r| r.iter())
        .filter_map(|r| r["iterations"].as_u64())
        .sum();
    if iterations != 200 * 200 + 20 * 199 * 200 {
        return Err(format!("{iterations} iterations"));
    }
    let asked = json(&["advise", "-np", "4", "--json", "--distribute", "mesh(block, *)", "columns.f90"])?;
    let names: Vec<_> =
        asked["predictions"].as_array().iter().flat_map(|p| p.iter()).map(|p| p["distribution"].clone()).collect();
    if names.len() != 2 || !names.iter().any(|n| n == "mesh(BLOCK,*)") {
        return Err(format!("{names:?}"));
    }
    Ok(())
}

/// Questions that have no answer are told why.
fn wrong_arguments() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    std::fs::write(directory.path().join("columns.f90"), COLUMNS).map_err(|e| e.to_string())?;
    std::fs::write(directory.path().join("none.f90"), "print *, 1\nend\n").map_err(|e| e.to_string())?;
    for (args, wanted) in [
        (&["-np", "4", "--distribute", "mesh(BLOC,*)", "columns.f90"][..], "'bloc' is no format"),
        (
            &["-np", "4", "--distribute", "mesh(BLOCK)", "columns.f90"],
            "'mesh' has 2 dimensions, but '--distribute' gives 1",
        ),
        (&["-np", "4", "--distribute", "mash(BLOCK,*)", "columns.f90"], "No directive distributes 'mash'"),
        (&["--distribute", "mesh(BLOCK,*)", "columns.f90"], "say their number by -np"),
        (&["-np", "65", "columns.f90"], "foretold for 2 to 64 ranks, not for 65"),
        (&["-np", "1", "columns.f90"], "foretold for 2 to 64 ranks, not for 1"),
        (&["-np", "4", "--link", "fast", "columns.f90"], "'fast' is no link"),
        (&["--link", "1e-6:1e9", "columns.f90"], "--np"),
        (&["-np", "4", "none.f90"], "No directive distributes an array"),
        (&["-np", "4", "p.json"], "for sources, not for profiles"),
    ] {
        let (code, out, err) = trueline(directory.path(), &[&["advise"], args].concat())?;
        if code == Some(0) || !err.contains(wanted) {
            return Err(format!("{args:?}: {code:?} {out} {err}, not '{wanted}'"));
        }
    }
    Ok(())
}
