//! Compiles and runs programs, ours at several levels and gfortran's, and reduces programs that differ.

use super::{Program, make, print};
use crate::native::Compilers;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Seconds that a program or compiler may take.
const MOST: u64 = 60;

/// A program that differs.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its seed.
    pub seed: u64,
    /// The way in which it was compiled.
    pub how: String,
    /// The first difference.
    pub text: String,
}

/// The options of each way to compile. `apart`: each file by a command of its own.
const WAYS: [(&[&str], bool); 5] = [
    (&["-O0"], false),
    (&["-O2"], false),
    (&["-O3"], true),
    (&["-O0", "-fcheck=all"], true),
    (&["-O3", "-fprofile-trueline"], false),
];

/// Judges the program of a seed.
///
/// # Errors
/// The first difference from gfortran, of the smallest program that still shows it if `reduces`.
pub fn judge(seed: u64, compilers: &Compilers, reduces: bool) -> Result<(), (Failure, Program)> {
    let program = make::program(seed);
    let Err(failure) = differs(&program, None, compilers) else { return Ok(()) };
    match reduces {
        true => Err(reduce(program, failure, compilers)),
        false => Err((failure, program)),
    }
}

/// Compiles and runs a program in every way, or in those by `only`.
fn differs(program: &Program, only: Option<&str>, compilers: &Compilers) -> Result<(), Failure> {
    let failure = |how: &str, text: String| Failure { seed: program.seed, how: how.to_owned(), text };
    let directory = crate::scratch("arguments").map_err(|e| failure("file", e))?;
    write(program, directory.path()).map_err(|e| failure("file", e.to_string()))?;
    in_directory(directory.path(), only, compilers).map_err(|(how, text)| failure(&how, text))
}

/// Writes the files of a program.
///
/// # Errors
/// The message of the system.
pub fn write(program: &Program, directory: &Path) -> std::io::Result<()> {
    print::files(program).iter().try_for_each(|(name, text)| std::fs::write(directory.join(name), text))
}

fn in_directory(directory: &Path, only: Option<&str>, compilers: &Compilers) -> Result<(), (String, String)> {
    let wanted = if compilers.gfortran {
        let how = || "gfortran".to_owned();
        let flags = ["-w", "-O0", "-ffree-line-length-none", "modules.f90", "main.f90", "-o", "wanted"];
        let compiled = run(Command::new("gfortran").args(flags).current_dir(directory));
        compiled.map_err(|e| (how(), e))?;
        Some(run(Command::new(directory.join("wanted")).current_dir(directory)).map_err(|e| (how(), e))?)
    } else {
        None
    };
    let mut first: Option<String> = wanted;
    let ways = WAYS.iter().filter(|(options, _)| {
        let is_reference = first.is_none() && options == &["-O0"];
        only.is_none_or(|only| options.join(" ") == only || is_reference)
    });
    let ways: Vec<_> = ways.collect();
    for &(options, apart) in ways {
        let how = options.join(" ");
        let told = |e: String| (how.clone(), e);
        let program = directory.join("ours");
        build(directory, options, apart, compilers).map_err(told)?;
        let printed = run(Command::new(&program).current_dir(directory)).map_err(told)?;
        match &first {
            Some(wanted) => compare(wanted, &printed).map_err(told)?,
            None => first = Some(printed),
        }
    }
    Ok(())
}

fn build(directory: &Path, options: &[&str], apart: bool, compilers: &Compilers) -> Result<(), String> {
    let fc = |args: &[&str]| {
        let mut command = Command::new(&compilers.trueline);
        run(command.arg("fc").arg("-w").args(options).args(args).current_dir(directory)).map(|_| ())
    };
    if !apart {
        return fc(&["modules.f90", "main.f90", "-o", "ours"]);
    }
    fc(&["-c", "modules.f90"])?;
    fc(&["-c", "main.f90"])?;
    fc(&["main.o", "modules.o", "-o", "ours"])
}

/// The output of a command that must end well, and in time.
fn run(command: &mut Command) -> Result<String, String> {
    let directory = crate::scratch("arguments-output")?;
    let (output, errors) = (directory.path().join("output"), directory.path().join("errors"));
    let file = |path: &PathBuf| std::fs::File::create(path).map_err(|e| e.to_string());
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file(&output)?)
        .stderr(file(&errors)?)
        .spawn()
        .map_err(|e| e.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break Some(status),
            None if start.elapsed() > Duration::from_secs(MOST) => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let read = |path: &PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let (output, errors) = (read(&output), read(&errors));
    match status {
        Some(status) if status.success() => Ok(output),
        Some(status) => Err(format!("{status}: {}", errors.chars().take(600).collect::<String>())),
        None => Err("it does not end".to_owned()),
    }
}

fn compare(wanted: &str, printed: &str) -> Result<(), String> {
    let mut case = "";
    let mut lines = printed.lines();
    for want in wanted.lines() {
        let got = lines.next().unwrap_or("nothing");
        if got.starts_with("case ") {
            case = got;
        }
        if got != want {
            return Err(format!("{case}: '{got}', not '{want}'"));
        }
    }
    lines.next().map_or(Ok(()), |more| Err(format!("{case}: '{more}' besides")))
}

/// The smallest program that still differs in the same way.
fn reduce(mut program: Program, mut failure: Failure, compilers: &Compilers) -> (Failure, Program) {
    let same = |f: &Failure, g: &Failure| f.how == g.how && kind(&f.text) == kind(&g.text);
    let mut try_it = |smaller: Program, program: &mut Program| -> bool {
        let how = failure.how.clone();
        match differs(&smaller, Some(&how), compilers) {
            Err(f) if same(&failure, &f) => {
                (*program, failure) = (smaller, f);
                true
            }
            _ => false,
        }
    };
    let mut k = program.cases.len();
    while k > 0 && program.cases.len() > 1 {
        k -= 1;
        let mut smaller = program.clone();
        smaller.cases.remove(k);
        try_it(smaller, &mut program);
    }
    for case in 0..program.cases.len() {
        while let Some(smaller) = steps(&program, case).into_iter().find(|s| try_it(s.clone(), &mut program)) {
            program = smaller;
        }
    }
    (failure, program)
}

/// The words that failures of one kind have in common, of errors that a compiler reports or of differences in the output.
fn kind(text: &str) -> String {
    match text.split_once("error") {
        Some((_, rest)) => rest.chars().take(40).collect(),
        None => text.split(':').next().unwrap_or_default().chars().filter(|c| !c.is_ascii_digit()).collect(),
    }
}

/// The programs with one thing less in a case.
fn steps(program: &Program, case: usize) -> Vec<Program> {
    let mut out = Vec::new();
    let mut less = |change: &dyn Fn(&mut super::Case)| {
        let mut smaller = program.clone();
        change(&mut smaller.cases[case]);
        out.push(smaller);
    };
    let of = &program.cases[case];
    for k in 0..of.arguments.len() {
        less(&|c| {
            c.arguments.remove(k);
        });
    }
    if of.result.is_some() {
        less(&|c| c.result = None);
    }
    for k in 0..of.host.len() {
        less(&|c| {
            c.host.remove(k);
        });
    }
    for k in 0..of.arguments.len() {
        // Blocks of statements stay whole.
        let is_block = of.arguments[k].body.iter().any(|s| s.starts_with("end if"));
        for s in 0..if is_block { 0 } else { of.arguments[k].body.len() } {
            less(&|c| {
                c.arguments[k].body.remove(s);
            });
        }
    }
    out
}

/// Prints the program of a seed, or writes its files.
pub fn show(seed: u64, directory: Option<&Path>, print: &mut dyn FnMut(&str)) -> i32 {
    let program = make::program(seed);
    match directory {
        Some(directory) => {
            let written = std::fs::create_dir_all(directory).and_then(|()| write(&program, directory));
            written.map_or_else(|e| (print(&e.to_string()), 1).1, |()| 0)
        }
        None => {
            print::files(&program).iter().for_each(|(name, text)| print(&format!("! {name}\n{text}")));
            0
        }
    }
}

/// The campaign: judges programs and prints the ones that differ.
pub fn command(seed: u64, programs: u64, most: usize, directory: Option<&Path>, print: &mut dyn FnMut(&str)) -> i32 {
    let compilers = match Compilers::find() {
        Ok(compilers) => compilers,
        Err(e) => {
            print(&e);
            return 2;
        }
    };
    if !compilers.gfortran {
        print("gfortran is missing: the levels are compared with one another");
    }
    use rayon::prelude::*;
    let seeds: Vec<u64> = (seed..seed + programs).collect();
    let mut failures = 0;
    for some in seeds.chunks(16) {
        let judged: Vec<_> = some.par_iter().filter_map(|&s| judge(s, &compilers, failures < most).err()).collect();
        for (failure, program) in judged {
            failures += 1;
            print(&format!("seed {} {}: {}", failure.seed, failure.how, failure.text));
            if failures > most {
                continue;
            }
            for case in &program.cases {
                print(&format!("{case:#?}"));
            }
            if let Some(directory) = directory {
                let own = directory.join(failure.seed.to_string());
                let written = std::fs::create_dir_all(&own).and_then(|()| write(&program, &own));
                print(&written.map_or_else(|e| e.to_string(), |()| format!("in {}", own.display())));
            }
        }
    }
    print(&format!("{programs} programs about arguments, {failures} failures"));
    i32::from(failures > 0)
}
