//! Native programs: the compiler's own executables and gfortran's, many cases in each.
//!
//! The compiler is called as users call it, so the whole product is judged: front end, optimizer, code generator,
//! runtime, and the profile that it writes.

use crate::ast::{Case, E, S};
use crate::oracle::{self, Difference, Kind, Subject};
use crate::rng::Rng;
use crate::{generate, print};
use std::path::{Path, PathBuf};
use std::process::Command;
use trueline_abi::profile::{Counts, Profile, Status};
use trueline_ir::{Item, Type};
use trueline_provenance::{CounterInfo, Measure, Serial};

/// The compilers at hand.
#[derive(Clone, Debug)]
pub struct Compilers {
    /// Ours.
    pub trueline: PathBuf,
    /// Whether gfortran is there.
    pub gfortran: bool,
    /// The target of our executables; else this machine. An emulator runs them.
    pub target: Option<String>,
}

impl Compilers {
    /// Looks for our compiler beside this executable, or where `TRUELINE` says.
    ///
    /// # Errors
    /// A message with the remedy, if it is not there.
    pub fn find() -> Result<Compilers, String> {
        let own = std::env::current_exe().unwrap_or_default();
        // The executables of tests stand in a folder below.
        let beside = own.ancestors().skip(1).take(2).map(|folder| folder.join("trueline")).find(|p| p.is_file());
        let trueline = std::env::var_os("TRUELINE").map(PathBuf::from).or(beside).filter(|p| p.is_file());
        let trueline =
            trueline.ok_or("no compiler beside this program: run cargo build --release first, or set TRUELINE")?;
        let gfortran = Command::new("gfortran").arg("--version").output().is_ok_and(|o| o.status.success());
        Ok(Compilers { trueline, gfortran, target: None })
    }
}

impl Compilers {
    /// A command of our compiler, for the target.
    pub(crate) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.trueline);
        command.arg(name);
        if let Some(target) = &self.target {
            command.args(["--target", target]);
        }
        command
    }
}

/// A native program that differs.
pub struct NativeFailure {
    /// The seeds of its cases.
    pub seeds: Vec<u64>,
    /// The way in which it was compiled.
    pub how: String,
    /// The difference.
    pub difference: Difference,
}

/// Compiles and runs the cases with seeds from `first` on in one file, in every way.
///
/// # Errors
/// The first difference; for a single case if one alone shows it.
pub fn batch(first: u64, count: u64, compilers: &Compilers) -> Result<(), NativeFailure> {
    let cases: Vec<Case> = (first..first + count).map(generate::case).collect();
    let Err((how, difference)) = judge(&cases, compilers) else { return Ok(()) };
    for case in &cases {
        if let Err((how, difference)) = judge(std::slice::from_ref(case), compilers) {
            return Err(NativeFailure { seeds: vec![case.id], how, difference });
        }
    }
    // NaNs alone are no difference from gfortran: they are judged case by case.
    if how == "gfortran" {
        return Ok(());
    }
    Err(NativeFailure { seeds: cases.iter().map(|c| c.id).collect(), how, difference })
}

/// Whether executables of ours run here with vectors of 32 bytes.
fn has_long_vectors(compilers: &Compilers) -> bool {
    #[cfg(target_arch = "x86_64")]
    let has = std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    let has = false;
    has && compilers.target.is_none()
}

/// The ways to compile: levels, and random passes.
fn ways(seed: u64, has_long_vectors: bool) -> Vec<Vec<String>> {
    let mut rng = Rng::new(seed ^ 0xbeef);
    let mut out: Vec<Vec<String>> = ["-O0", "-O3"].iter().map(|l| vec![(*l).to_owned()]).collect();
    out.push(vec![rng.pick(&["-O1", "-O2"]).to_owned()]);
    if has_long_vectors {
        out.push(vec!["-O3".to_owned(), "-mavx2".to_owned()]);
        // With AVX-512 vectors have 64 bytes.
        out.push(vec!["-O3".to_owned(), "-march=native".to_owned(), "-ffp-contract=off".to_owned()]);
    }
    if let Some(passes) = oracle::random_plan(&mut rng).passes {
        out.push(vec!["-O3".to_owned(), format!("--passes={}", passes.join(","))]);
    }
    out
}

fn judge(cases: &[Case], compilers: &Compilers) -> Result<(), (String, Difference)> {
    let text = print::file(cases);
    let own = |e: String| ("reference".to_owned(), Difference { kind: Kind::Broken, text: e });
    let subject = oracle::subject(&text).map_err(own)?;
    let directory = crate::scratch("native").map_err(own)?;
    // The one failing case is looked for among many that ran together.
    let known = matches!(cases, [case] if differs_in_gfortran(case));
    let compilers = Compilers { gfortran: compilers.gfortran && !known, ..compilers.clone() };
    in_directory(directory.path(), &text, &subject, cases[0].id, &compilers)
}

/// Whether a FORALL reads memory that shares storage, by EQUIVALENCE, with the place it assigns. gfortran 12 then
/// assigns each element before it evaluates the next one, where the standard (Fortran 2008, 7.2.4.2.4) has all
/// evaluated first.
fn differs_in_gfortran(case: &Case) -> bool {
    case.procs.iter().any(|proc| {
        let mut found = false;
        print::visit(&proc.body, &mut |s| {
            let S::Forall(_, mask, body) = s else { return };
            let mut read = vec![false; proc.vars.len()];
            let mut assigned = Vec::new();
            mask.iter().for_each(|e| print::uses(e, &mut read));
            for inner in body {
                if let S::Assign(E::Elem(v, subs), value) = inner {
                    assigned.push(*v);
                    subs.iter().chain([value]).for_each(|e| print::uses(e, &mut read));
                }
            }
            let shares = |a: usize, b: usize| assigned.contains(&a) && read[b];
            found |= proc.equivalences.iter().any(|&(a, _, b, _)| shares(a, b) || shares(b, a));
        });
        found
    })
}

fn in_directory(
    directory: &Path,
    text: &str,
    subject: &Subject,
    seed: u64,
    compilers: &Compilers,
) -> Result<(), (String, Difference)> {
    let file = directory.join("case.f90");
    let broken = |e: String| Difference { kind: Kind::Broken, text: e };
    std::fs::write(&file, text).map_err(|e| ("file".to_owned(), broken(e.to_string())))?;
    for way in ways(seed, has_long_vectors(compilers)) {
        let how = way.join(" ");
        let profiled = profiled(directory, &file, &way, compilers).map_err(|e| (how.clone(), broken(e)))?;
        same(&subject.reference.output, &profiled.0).map_err(|d| (how.clone(), d))?;
        counts(subject, &profiled.1).map_err(|d| (how.clone(), d))?;
        let plain = run(compilers.command("run").args(&way).arg(&file).current_dir(directory));
        let plain = plain.map_err(|e| (how.clone(), broken(e)))?;
        same(&subject.reference.output, &plain).map_err(|d| (format!("{how}, not profiled"), d))?;
    }
    let nan = oracle::tokens(&subject.reference.output).iter().any(|t| t == "NaN");
    let is_alone = text.matches("\n  call k").count() == 1;
    if compilers.gfortran && !(nan && is_alone) {
        let how = "gfortran".to_owned();
        let program = directory.join("reference");
        let flags = ["-O0", "-w", "-std=legacy", "-ffree-line-length-none", "-ffp-contract=off"];
        let mut compile = Command::new("gfortran");
        compile.args(flags).arg(&file).arg("-o").arg(&program).current_dir(directory);
        run(&mut compile).map_err(|e| (how.clone(), broken(e)))?;
        let output = run(Command::new(&program).current_dir(directory)).map_err(|e| (how.clone(), broken(e)))?;
        // MAX and MIN of two zeros are either one, and gfortran exchanges operands that are not both variables.
        let is_free = is_alone && ["max(", "min("].iter().any(|f| text.contains(f));
        let is_same = if is_free { same_but_for_zeros } else { same };
        is_same(&subject.reference.output, &output).map_err(|d| (how, d))?;
    }
    Ok(())
}

pub(crate) fn run(command: &mut Command) -> Result<String, String> {
    let output = command.stdin(std::process::Stdio::null()).output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {}", output.status, text.chars().take(600).collect::<String>()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The output and the profile of `file`, compiled by the options `way`.
pub(crate) fn profiled(
    directory: &Path,
    file: &Path,
    way: &[String],
    compilers: &Compilers,
) -> Result<(String, Profile), String> {
    let json = directory.join("profile.json");
    let mut command = compilers.command("profile");
    command.args(["--quiet", "--out"]).arg(&json).args(way).arg(file).current_dir(directory);
    let output = run(&mut command)?;
    let bytes = std::fs::read(&json).map_err(|e| e.to_string())?;
    let profile = trueline_report::read(&bytes).map_err(|e| e.to_string())?;
    Ok((output, profile))
}

/// Compares the output of a native program with the interpreter's.
fn same(items: &[Item], text: &str) -> Result<(), Difference> {
    compare(&oracle::tokens(items), &printed(items, text))
}

/// The same, whatever the signs of zeros.
fn same_but_for_zeros(items: &[Item], text: &str) -> Result<(), Difference> {
    let types = || items.iter().map(|i| i.ty).chain(std::iter::repeat(Type::I8));
    let unsigned = |tokens: Vec<String>| -> Vec<String> {
        let negative = |ty: Type| oracle::token(ty, &if ty == Type::R4 { 1 << 31 } else { 1u64 << 63 }.to_le_bytes());
        let positive = |ty: Type| oracle::token(ty, &0u64.to_le_bytes());
        let is_real = |ty: Type| matches!(ty, Type::R4 | Type::R8);
        tokens
            .into_iter()
            .zip(types())
            .map(|(token, ty)| if is_real(ty) && token == negative(ty) { positive(ty) } else { token })
            .collect()
    };
    compare(&unsigned(oracle::tokens(items)), &unsigned(printed(items, text)))
}

/// The values that a native program printed.
fn printed(items: &[Item], text: &str) -> Vec<String> {
    // The first number of a line, in decimal, names the variable.
    let mut got: Vec<String> = Vec::new();
    for line in text.lines() {
        for (k, word) in line.split_whitespace().enumerate() {
            let bits = if k == 0 {
                word.parse().unwrap_or(u64::MAX)
            } else {
                u64::from_str_radix(word, 16).unwrap_or(u64::MAX)
            };
            let ty = items.get(got.len()).map_or(Type::I8, |i| i.ty);
            got.push(oracle::token(ty, &bits.to_le_bytes()));
        }
    }
    got
}

fn compare(want: &[String], got: &[String]) -> Result<(), Difference> {
    if want == got {
        return Ok(());
    }
    let at = want.iter().zip(got).position(|(a, b)| a != b).unwrap_or(want.len().min(got.len()));
    let show = |t: &[String]| t.get(at).cloned().unwrap_or_else(|| "nothing".to_owned());
    Err(Difference { kind: Kind::Output, text: format!("item {at} is {}, not {}", show(got), show(want)) })
}

/// Whether the counts of a profile are those of the interpreter.
fn counts(subject: &Subject, profile: &Profile) -> Result<(), Difference> {
    for c in &profile.constructs {
        if c.status == Status::Unavailable {
            let reason = c.reason.as_deref().unwrap_or("no reason");
            let text = format!("line {} '{}' is UNAVAILABLE: {reason}", c.line, c.text);
            return Err(Difference { kind: Kind::Lost, text });
        }
        let counted = |measure| {
            let counter = CounterInfo { of: Serial::from_u32(c.serial), measure };
            subject.reference.tallies.get(&counter).copied().unwrap_or(0) as u64
        };
        // The ELSE arm of an IF has no counter: it runs when the THEN arm does not.
        let want = |measure| match measure {
            Measure::Taken(1) if c.kind != "if_arith" && c.kind != "select" => {
                counted(Measure::Evaluations) - counted(Measure::Taken(0))
            }
            Measure::Taken(2) if c.kind == "if_arith" => {
                counted(Measure::Evaluations) - counted(Measure::Taken(0)) - counted(Measure::Taken(1))
            }
            measure => counted(measure),
        };
        let wrong = wrong_count(&c.counts, &want);
        if let Some((measure, got)) = wrong {
            let text = format!("{} of line {} '{}' is {got}, not {}", measure.name(), c.line, c.text, want(measure));
            return Err(Difference { kind: Kind::Counts, text });
        }
    }
    Ok(())
}

fn wrong_count(counts: &Counts, want: &dyn Fn(Measure) -> u64) -> Option<(Measure, u64)> {
    let mut found = vec![
        (Measure::Invocations, counts.invocations),
        (Measure::Iterations, counts.iterations),
        (Measure::Evaluations, counts.evaluations),
    ];
    let arms = counts.taken.iter().flatten().enumerate();
    found.extend(arms.map(|(k, n)| (Measure::Taken(u16::try_from(k).unwrap_or(u16::MAX)), Some(*n))));
    found.into_iter().filter_map(|(m, n)| Some((m, n?))).find(|(m, n)| *n != want(*m))
}
