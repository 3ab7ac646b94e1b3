//! HPF on ranks that an MPI has started: output and counts as on one, and faults of a rank end all. The same programs run over Open MPI
//! and MPICH, where they are installed.

use crate::build::is_full;
use crate::build::{counts, files};
use crate::judge::{are_alike, spread};
use crate::ranks::{ENDLESS, WAYS, WHO, build, profile_of, signal, stem};
use crate::trial;
use libtest_mimic::Trial;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// An MPI: the word in the version of its launcher, and the commands that may be it.
pub(crate) struct Mpi {
    word: &'static str,
    commands: &'static [&'static str],
}

/// The signal that ends a program which writes to a pipe that nobody reads.
const SIGPIPE: i32 = 13;
pub(crate) static OPEN_MPI: Mpi = Mpi { word: "Open MPI", commands: &["mpirun.openmpi", "mpirun"] };
pub(crate) static MPICH: Mpi = Mpi { word: "HYDRA", commands: &["mpirun.mpich", "mpiexec.hydra", "mpirun"] };

/// All tests of programs over MPI. Without TRUELINE_TEST_FULL=1 every third program runs, over one of them.
pub fn trials() -> Vec<Trial> {
    let mut out = Vec::new();
    for file in files("tests/hpf/ranks", &["f", "f90"]) {
        let number = spread(&stem(&file));
        if is_full() || number.is_multiple_of(3) {
            out.push(trial("hpf-mpi", &file, move |file| {
                let both = [&OPEN_MPI, &MPICH];
                let chosen = if is_full() { &both[..] } else { &both[number as usize / 3 % 2..][..1] };
                chosen
                    .iter()
                    .try_for_each(|mpi| mpi.command().map_or(Ok(()), |command| same(file, &command, number as usize)))
            }));
        }
    }
    for (mode, test) in [("hpf-mpi-faults", faults as fn(&str) -> Result<(), String>), ("hpf-mpi-killed", killed)] {
        for mpi in [&OPEN_MPI, &MPICH] {
            out.push(trial(mode, &Path::new("tests/hpf/ranks").join(mpi.commands[0]), move |_| {
                mpi.command().map_or(Ok(()), |command| test(&command))
            }));
        }
    }
    out
}

impl Mpi {
    /// The launcher, if it is installed.
    #[allow(clippy::print_stderr, reason = "tests that skip say so")]
    pub(crate) fn command(&self) -> Option<String> {
        let is_it = |command: &&&str| {
            let output = Command::new(command).arg("--version").output();
            output.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains(self.word))
        };
        let found = self.commands.iter().find(is_it).map(|c| (*c).to_owned());
        let may_skip = std::env::var_os("TRUELINE_TEST_NO_SKIP").is_none();
        assert!(found.is_some() || may_skip, "{} is missing where no test may skip", self.commands[0]);
        if found.is_none() {
            eprintln!("skipped: {} is not installed", self.commands[0]);
        }
        found
    }
}

/// A launcher's command line, ended after two minutes.
pub(crate) fn launch(launcher: &str, ranks: usize, program: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.args(["-k", "5", "120", launcher]);
    if launcher.contains("openmpi") || launcher == "mpirun" {
        command.arg("--oversubscribe");
    }
    command.args(["-np", &ranks.to_string()]).arg(program).stdin(Stdio::null());
    command.env_remove("TRUELINE_NP").env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.env("TRUELINE_PROFILE_FILE", program.with_extension("json"));
    command
}

fn run(command: &mut Command) -> Result<Output, String> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    command.current_dir(work.path()).output().map_err(|e| e.to_string())
}

/// Output, exit code and counts are those of the serial program at -O0. Launchers add their own words to standard error.
fn same(file: &Path, launcher: &str, number: usize) -> Result<(), String> {
    let source = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let read = |path: &Path| {
        let json = std::fs::read_to_string(path).map_err(|e| format!("no profile {}: {e}", path.display()))?;
        counts(&json)
    };
    let serial = build(directory.path(), "serial", &[file], &["-O0", "--profile"])?;
    let mut command = Command::new(&serial);
    command.stdin(Stdio::null()).env("TRUELINE_PROFILE_FILE", serial.with_extension("json"));
    let wanted = run(&mut command)?;
    let level = if is_full() || number.is_multiple_of(2) { "-O3" } else { "-O0" };
    let program = build(directory.path(), "ranks", &[file], &[level, "-fhpf", "--profile"])?;
    let ranks: &[usize] = if is_full() { &[1, 2, 4] } else { &[[2, 4][number / 2 % 2]] };
    for &ranks in ranks {
        let mut found = run(&mut launch(launcher, ranks, &program))?;
        // On a busy machine MPICH's launcher at times writes to a helper of its own that has ended, before the program has run.
        if found.status.signal() == Some(SIGPIPE) && found.stdout.is_empty() {
            found = run(&mut launch(launcher, ranks, &program))?;
        }
        let told = |o: &Output| String::from_utf8_lossy(&o.stderr).into_owned();
        let is_same = found.status.code() == wanted.status.code() && found.stdout == wanted.stdout;
        if !is_same || !told(&found).contains(told(&wanted).trim_end()) {
            return Err(format!("{launcher}, {level} on {ranks} ranks: {found:?}, serial {wanted:?}"));
        }
        let varies = source.contains("! counts vary");
        let of_serial = read(&if varies { program.with_extension("json") } else { serial.with_extension("json") })?;
        for rank in 0..ranks {
            let of_rank = read(&profile_of(&program.with_extension("json"), rank))?;
            let differs = of_serial.iter().find(|(k, c)| !of_rank.get(*k).is_some_and(|f| are_alike(f, c)));
            if of_rank.len() != of_serial.len() || differs.is_some() {
                return Err(format!("{launcher}, {level}, rank {rank} of {ranks}: {differs:?}"));
            }
        }
    }
    Ok(())
}

/// A run that has to fail: its exit code, and texts that standard error has.
fn fails(command: &mut Command, code: i32, texts: &[&str]) -> Result<(), String> {
    let output = run(command)?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let ours = told.lines().filter(|l| l.starts_with("trueline:")).count();
    if output.status.code() != Some(code) || ours != 1 || !texts.iter().all(|t| told.contains(t)) {
        return Err(format!("{command:?}: {:?}, not {code} and {texts:?}: {told}", output.status));
    }
    Ok(())
}

/// Ranks that wait for one another or for one that has ended, numbers of ranks that contradict one another, and libraries that are none or do
/// not fit: one message, and an exit code.
fn faults(launcher: &str) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).map_err(|e| e.to_string())?;
        Ok::<PathBuf, String>(path)
    };
    let (source, c) = (write("ways.f90", WAYS)?, write("who.c", WHO)?);
    let ways = build(directory.path(), "ways", &[&source, &c], &["-fhpf"])?;
    let told = ["deadlock: rank 0 waits for rank 1 in line 9 of file", "rank 1 waits for rank 0 in line 11 of file"];
    fails(&mut launch(launcher, 2, &ways), 2, &told)?;
    fails(&mut launch(launcher, 3, &ways), 2, &told)?;
    let leaves =
        WAYS.replace("x = a(4)", "call exit(0)").replace("x = a(1)", "x = a(1) + a(4)").replace("== 0", "== 1");
    let leaves = build(directory.path(), "leaves", &[&write("leaves.f90", &leaves)?, &c], &["-fhpf"])?;
    fails(&mut launch(launcher, 2, &leaves), 2, &["rank 1 has ended, and rank 0 waits for it in line 11 of file"])?;

    let source = write("one.f90", "print *, number_of_processors()\nend\n")?;
    let one = build(directory.path(), "one", &[&source], &["-fhpf"])?;
    let with = |name: &str, value: &str| {
        let mut command = launch(launcher, 2, &one);
        command.env(name, value);
        command
    };
    fails(&mut with("TRUELINE_NP", "3"), 2, &["mpirun has started 2 ranks, but -np or TRUELINE_NP says 3"])?;
    fails(&mut with("TRUELINE_NP", "many"), 2, &["'many' is not a number of ranks from 1 to 64"])?;
    fails(&mut with("TRUELINE_MPI_LIB", "libnone.so"), 2, &["no MPI library is found: there is no libnone.so"])?;
    fails(&mut with("TRUELINE_MPI_LIB", "libm.so.6"), 2, &["libm.so.6 is no MPI library"])?;
    let (foreign, other) =
        if launcher.contains("mpich") { ("libmpi.so.40", &OPEN_MPI) } else { ("libmpich.so.12", &MPICH) };
    if other.command().is_some() {
        fails(&mut with("TRUELINE_MPI_LIB", foreign), 2, &["knows of 1: it belongs to another mpirun"])?;
    }
    by_command(launcher, &source)
}

/// `trueline run --transport mpi`.
fn by_command(launcher: &str, source: &Path) -> Result<(), String> {
    let start = |words: &[&str]| {
        let mut command = launch(launcher, 2, source);
        // The environment of the launcher, without its command line.
        let environment: Vec<_> = command.get_envs().filter_map(|(k, v)| Some((k.to_owned(), v?.to_owned()))).collect();
        command = Command::new(env!("CARGO_BIN_EXE_trueline"));
        command.arg("run").args(words).arg(source).envs(environment).env_remove("TRUELINE_NP").stdin(Stdio::null());
        command
    };
    let output = run(start(&["-np", "2", "--transport", "mpi"]).env("TRUELINE_MPIRUN", launcher))?;
    if !output.status.success() || String::from_utf8_lossy(&output.stdout).trim() != "2" {
        return Err(format!("{output:?}"));
    }
    let refused = |command: &mut Command, text: &str| {
        let output = run(command)?;
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() || !told.contains(text) {
            Err(format!("{:?} {told}", output.status))
        } else {
            Ok(())
        }
    };
    let mut without = start(&["-np", "2", "--transport", "mpi"]);
    refused(without.env("TRUELINE_MPIRUN", "/no/mpirun"), "Cannot run '/no/mpirun'")?;
    refused(&mut start(&["--transport", "mpi"]), "--transport mpi needs the number of ranks")
}

/// The processes that run `program` as ranks, by rank.
pub(crate) fn ranks_of(program: &Path) -> Vec<(usize, i32)> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|n| n.parse::<i32>().ok()) else { continue };
        if std::fs::read_link(entry.path().join("exe")).ok().as_deref() != Some(program) {
            continue;
        }
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let environment = String::from_utf8_lossy(&environment).into_owned();
        let of = |v: &str| ["OMPI_COMM_WORLD_RANK=", "PMI_RANK="].iter().find_map(|n| v.strip_prefix(n)?.parse().ok());
        out.extend(environment.split('\0').find_map(of).map(|rank| (rank, process)));
    }
    out.sort_unstable();
    out
}

/// A rank that is killed ends all: an exit code that is no success, profiles of all ranks, and no process is left.
fn killed(launcher: &str) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = directory.path().join("endless.f90");
    std::fs::write(&source, ENDLESS).map_err(|e| e.to_string())?;
    let program = build(directory.path(), "endless", &[&source], &["-fhpf", "--profile"])?;
    let program = program.canonicalize().map_err(|e| e.to_string())?;
    let profile = program.with_extension("json");
    for (k, number) in [9, 15, 11].into_iter().enumerate() {
        (0..3).for_each(|r| drop(std::fs::remove_file(profile_of(&profile, r))));
        let mut command = launch(launcher, 3, &program);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
        let begun = (0..4000).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            (0..3).all(|r| profile_of(&profile, r).exists())
        });
        std::thread::sleep(Duration::from_millis(20 + 30 * k as u64));
        let ranks = ranks_of(&program);
        ranks.iter().filter(|r| r.0 == k).for_each(|r| signal(r.1, number));
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        let told = [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned()).join("\n");
        let codes = [number, 128 + number];
        if !begun || ranks.len() != 3 || !output.status.code().is_some_and(|c| codes.contains(&c)) {
            return Err(format!("signal {number}: {ranks:?} {:?} {told}", output.status));
        }
        if !told.contains(&format!("signal {number}")) {
            return Err(format!("signal {number}: {told}"));
        }
        for r in 0..3 {
            let json = std::fs::read(profile_of(&profile, r)).map_err(|e| format!("signal {number}, rank {r}: {e}"))?;
            trueline_report::read(&json).map_err(|e| format!("signal {number}, rank {r}: {e}"))?;
        }
        // A process that was killed is gone when the kernel has ended it.
        let is_gone = (0..200).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            ranks_of(&program).is_empty()
        });
        if !is_gone {
            return Err(format!("signal {number}: {:?} are left", ranks_of(&program)));
        }
    }
    Ok(())
}
