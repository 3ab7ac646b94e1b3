//! Objects of both compilers in one program, on this machine or another target.

use super::{make, print};
use crate::native::Compilers;
use std::path::Path;
use std::process::Command;
use trueline::target;

/// The signatures of one program.
const OF_A_PROGRAM: u64 = 20;

/// The choices of a campaign.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of the first program.
    pub seed: u64,
    /// The number of signatures.
    pub signatures: u64,
    /// The target; else this machine.
    pub target: Option<String>,
    /// Where programs that differ are left.
    pub write: Option<std::path::PathBuf>,
}

/// The tools for a target.
struct Tools {
    triple: target_lexicon::Triple,
    trueline: std::path::PathBuf,
    gfortran: String,
    cc: String,
}

fn tools(target: Option<&str>) -> Result<Tools, String> {
    let host = target_lexicon::Triple::host();
    let triple = target.map_or(Ok(host.clone()), target::parse)?;
    let prefix = match triple.architecture == host.architecture {
        true => String::new(),
        false => format!("{}-linux-gnu-", triple.architecture),
    };
    let (gfortran, cc) = (format!("{prefix}gfortran"), format!("{prefix}gcc"));
    for tool in [&gfortran, &cc] {
        Command::new(tool).arg("--version").output().map_err(|e| format!("{tool} is missing: {e}"))?;
    }
    Ok(Tools { triple, trueline: Compilers::find()?.trueline, gfortran, cc })
}

fn run(command: &mut Command) -> Result<String, String> {
    let out = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => {
            let text: String = String::from_utf8_lossy(&out.stderr).chars().take(1200).collect();
            Err(format!("{command:?}: {}: {text}", out.status))
        }
    }
}

impl Tools {
    fn started(&self, program: &Path) -> Result<String, String> {
        run(&mut target::command(&self.triple, None, program)?)
    }

    /// Compares all mixes of objects with gfortran's alone; gives the differences.
    fn judge(&self, program: &make::Program, at: &Path) -> Result<Vec<String>, String> {
        let write = |name: &str, text: String| std::fs::write(at.join(name), text).map_err(|e| e.to_string());
        write("callee.f90", print::procedures(program))?;
        write("caller.f90", print::caller(program))?;
        write("c.c", print::c(program))?;
        run(Command::new(&self.cc).args(["-O1", "-c", "c.c"]).current_dir(at))?;
        for name in ["callee", "caller"] {
            let mut theirs = Command::new(&self.gfortran);
            theirs.args(["-w", "-O1", "-c", &format!("{name}.f90"), "-o", &format!("{name}.theirs.o")]);
            run(theirs.current_dir(at))?;
        }
        let mut all_theirs = Command::new(&self.gfortran);
        run(all_theirs.args(["callee.theirs.o", "caller.theirs.o", "c.o", "-o", "theirs"]).current_dir(at))?;
        let expected = self.started(&at.join("theirs"))?;
        let triple = self.triple.to_string();
        let mut differences = Vec::new();
        for level in ["-O0", "-O3"] {
            for name in ["callee", "caller"] {
                let mut ours = Command::new(&self.trueline);
                ours.args(["fc", "-w", level, "--target", &triple, "-c", &format!("{name}.f90"), "-o"]);
                run(ours.arg(format!("{name}.ours.o")).current_dir(at))?;
            }
            for (callee, caller) in [("ours", "ours"), ("ours", "theirs"), ("theirs", "ours")] {
                let how = format!("{level}, procedures {callee}, caller {caller}");
                let mut link = Command::new(&self.trueline);
                link.args(["fc", "--target", &triple, &format!("callee.{callee}.o"), &format!("caller.{caller}.o")]);
                run(link.args(["c.o", "-lgfortran", "-o", "mixed"]).current_dir(at))?;
                let got = self.started(&at.join("mixed")).unwrap_or_else(|e| e);
                let mut lines = expected.lines().zip(got.lines().chain(std::iter::repeat("")));
                if got != expected {
                    let (want, have) = lines.find(|(a, b)| a != b).unwrap_or_default();
                    differences.push(format!("{how}: '{have}', not '{want}'"));
                }
            }
        }
        Ok(differences)
    }
}

/// Runs the campaign; prints the programs that are not alike.
pub fn command(options: &Options, print: &mut dyn FnMut(&str)) -> i32 {
    let tools = match tools(options.target.as_deref()) {
        Ok(tools) => tools,
        Err(e) => {
            print(&e);
            return 2;
        }
    };
    use rayon::prelude::*;
    let seeds: Vec<u64> = (options.seed..options.seed + options.signatures.div_ceil(OF_A_PROGRAM)).collect();
    let judged: Vec<(u64, Vec<String>)> = seeds
        .par_iter()
        .map(|&seed| {
            let program = make::program(seed, OF_A_PROGRAM);
            let directory = match crate::scratch("signatures") {
                Ok(directory) => directory,
                Err(e) => return (seed, vec![e]),
            };
            let differences = tools.judge(&program, directory.path()).unwrap_or_else(|e| vec![e]);
            if let (false, Some(to)) = (differences.is_empty(), &options.write) {
                let _ = std::fs::create_dir_all(to);
                for name in ["callee.f90", "caller.f90", "c.c"] {
                    let _ = std::fs::copy(directory.path().join(name), to.join(format!("{seed}.{name}")));
                }
            }
            (seed, differences)
        })
        .collect();
    let mut failures = 0;
    for (seed, differences) in judged {
        failures += usize::from(!differences.is_empty());
        differences.iter().for_each(|d| print(&format!("seed {seed}: {d}")));
    }
    let count = seeds.len() as u64 * OF_A_PROGRAM;
    print(&format!("{count} signatures on {}, {failures} programs of {} differ", tools.triple, seeds.len()));
    i32::from(failures > 0)
}
