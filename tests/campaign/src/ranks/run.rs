//! Builds a program serially and for ranks, by the compiler in this process, runs it, and compares output and counts.

use super::{Program, make};
use crate::rng::Rng;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use trueline_abi::profile::Profile;

/// A program that runs longer hangs: it takes some milliseconds on a machine that has nothing else to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// A way to build a program for ranks, and to run it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// `-O`
    pub level: u8,
    /// Whether it is profiled, and counts are compared.
    pub profiled: bool,
    /// The ranks.
    pub ranks: Vec<usize>,
    /// Files that are compiled without `-fhpf`; if there are any, each file is compiled by a command of its own.
    pub without: Vec<String>,
    /// The iterations of a strip of a sweep, or 0.
    pub strip: u32,
}

/// The strips of programs that are made: those of a few iterations part small nests, too.
pub(super) const STRIPS: [u32; 6] = [0, 1, 1, 2, 3, 5];

impl Way {
    /// The ways for a seed, on these numbers of ranks.
    pub fn of(seed: u64, program: &Program, ranks: &[usize]) -> Vec<Way> {
        let mut rng = Rng::new(seed ^ 0x7a_9c);
        let mut one = || vec![rng.pick(ranks)];
        let (first, second) = (one(), one());
        let mut rng = Rng::new(seed ^ 0x33_81);
        let levels = [0, 1, 2, 3, 3];
        let profiled = Way {
            level: rng.pick(&levels),
            profiled: true,
            ranks: first,
            without: Vec::new(),
            strip: rng.pick(&STRIPS),
        };
        let externals: Vec<&String> = program.files.iter().skip(1).map(|f| &f.name).collect();
        let without = (!externals.is_empty() && rng.chance(25)).then(|| rng.pick(&externals).clone());
        let without = without.into_iter().collect();
        let strip = rng.pick(&STRIPS);
        vec![profiled, Way { level: rng.pick(&levels), profiled: false, ranks: second, without, strip }]
    }

    /// The command lines, for a reader.
    pub fn told(&self) -> String {
        let profiled = if self.profiled { " profiled" } else { "" };
        let without = match self.without.is_empty() {
            true => String::new(),
            false => format!(", {} without -fhpf", self.without.join(", ")),
        };
        format!("-O{}{profiled} on {:?} ranks, strips of {}{without}", self.level, self.ranks, self.strip)
    }
}

/// Kinds of differences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The serial program cannot be built, or fails: the generator is wrong.
    Serial,
    /// The program for ranks cannot be built.
    Build,
    /// The output or exit code.
    Output,
    /// The counts of a rank.
    Counts,
}

/// A difference.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its kind.
    pub kind: Kind,
    /// The way that shows it; none if that is the serial one.
    pub way: Option<Way>,
    /// The first difference.
    pub text: String,
}

/// The result of a run: its output, with the exit code.
pub type Output = String;

/// The counts of a construct by its place: file, line, statement and kind.
type Counted = BTreeMap<(u32, String, u32, String), String>;

/// A directory with the files of a program, and its serial results.
pub struct Bench {
    directory: tempfile::TempDir,
    files: Vec<String>,
    /// The output of the serial program.
    pub wanted: Output,
    counts: Counted,
}

/// Judges the program of a seed.
///
/// # Errors
/// The first difference.
pub fn judge(seed: u64, ranks: &[usize]) -> Result<(), (Failure, Program)> {
    let program = make::program(seed);
    let ways = Way::of(seed, &program, ranks);
    differs(&program, &ways).map_or(Ok(()), |failure| Err((failure, program)))
}

/// The first difference of a program that is built in these ways.
pub fn differs(program: &Program, ways: &[Way]) -> Option<Failure> {
    let bench = match Bench::new(program) {
        Ok(bench) => bench,
        Err(text) => return Some(Failure { kind: Kind::Serial, way: None, text }),
    };
    ways.iter().find_map(|way| {
        let failure = |kind, text| Some(Failure { kind, way: Some(way.clone()), text });
        let built = match bench.build(way, "ranks") {
            Ok(built) => built,
            Err(text) => return failure(Kind::Build, text),
        };
        way.ranks.iter().find_map(|&n| bench.judge(&built, way, n, None).and_then(|(kind, text)| failure(kind, text)))
    })
}

impl Bench {
    /// Writes the program, and runs it serially without optimization.
    ///
    /// # Errors
    /// If the serial program cannot be built or fails.
    pub fn new(program: &Program) -> Result<Bench, String> {
        let directory = crate::scratch("ranks")?;
        for f in &program.files {
            std::fs::write(directory.path().join(&f.name), f.text()).map_err(|e| e.to_string())?;
        }
        let files = program.files.iter().map(|f| f.name.clone()).collect();
        let mut bench = Bench { directory, files, wanted: String::new(), counts: BTreeMap::new() };
        let serial = Way { level: 0, profiled: true, ranks: vec![1], without: Vec::new(), strip: 0 };
        let built = bench.compile(&serial, "serial", false)?;
        bench.wanted = bench.run(&built, 1, None);
        if !bench.wanted.ends_with("exit code 0") {
            return Err(bench.wanted.clone());
        }
        bench.counts = bench.counted(0)?;
        Ok(bench)
    }

    /// Builds the program for ranks.
    ///
    /// # Errors
    /// The message of the compiler.
    pub fn build(&self, way: &Way, name: &str) -> Result<PathBuf, String> {
        self.compile(way, name, true)
    }

    fn compile(&self, way: &Way, name: &str, for_ranks: bool) -> Result<PathBuf, String> {
        let path = |f: &str| self.directory.path().join(f).into_os_string();
        let program = path(name);
        let level = format!("-O{}", way.level);
        let mut common: Vec<OsString> = ["trueline", "fc", "-w", &level, "-J"].map(OsString::from).to_vec();
        common.push(self.directory.path().into());
        common.push("-I".into());
        common.push(self.directory.path().into());
        if way.profiled {
            common.push("-fprofile-trueline".into());
        }
        let hpf =
            |f: Option<&String>| (for_ranks && f.is_none_or(|f| !way.without.contains(f))).then(|| "-fhpf".into());
        common.push(format!("-fhpf-strip={}", way.strip).into());
        let mut link = common.clone();
        link.extend(hpf(None));
        link.extend(["-o".into(), program.clone()]);
        if way.without.is_empty() {
            link.extend(self.files.iter().map(|f| path(f)));
        } else {
            for f in &self.files {
                let object = path(&format!("{name}.{f}.o"));
                let mut words = common.clone();
                words.extend(hpf(Some(f)));
                words.extend(["-c".into(), path(f), "-o".into(), object.clone()]);
                called(words)?;
                link.push(object);
            }
        }
        let _ = std::fs::remove_file(&program);
        called(link)?;
        Ok(program.into())
    }

    /// The first difference of a run on that number of ranks, with a fault of the runtime library switched on.
    pub fn judge(&self, program: &Path, way: &Way, ranks: usize, fault: Option<&str>) -> Option<(Kind, String)> {
        let got = self.run(program, ranks, fault);
        if got != self.wanted {
            return Some((Kind::Output, difference(&self.wanted, &got)));
        }
        if !way.profiled {
            return None;
        }
        (0..ranks).find_map(|rank| match self.counted(rank) {
            Ok(counts) => {
                let place = self.counts.iter().find(|(k, c)| counts.get(k) != Some(c))?;
                let got = counts.get(place.0).map_or("nothing", String::as_str);
                let (_, file, line, kind) = place.0;
                let text = format!("rank {rank}, {kind} in line {line} of {file}: {got}, not {}", place.1);
                Some((Kind::Counts, text))
            }
            Err(e) => Some((Kind::Counts, format!("rank {rank}: {e}"))),
        })
    }

    /// The first figure of a rank that a rehearsal with a fault foretells otherwise than a run on ranks has it: messages, bytes and iterations.
    pub fn foretold(&self, program: &Path, ranks: usize, fault: &str) -> Option<String> {
        let ledger = self.directory.path().join("ledger");
        let figures = |variable: &str| {
            let _ = std::fs::remove_file(&ledger);
            let mut command = Command::new(program);
            command.current_dir(self.directory.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.env("TRUELINE_PROFILE_FILE", self.directory.path().join("profile.%r.json"));
            command.env_remove("TRUELINE_NP").env(variable, ranks.to_string()).env("TRUELINE_MESSAGES", &ledger);
            command.env("TRUELINE_FAULT", fault);
            let _ = wait(&mut command);
            let text = std::fs::read_to_string(&ledger).unwrap_or_default();
            let of_rank = |l: &&str| l.starts_with("rank ") && l.split(' ').nth(2) == Some("messages");
            let mut lines: Vec<String> = text.lines().filter(of_rank).map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let (wanted, got) = (figures("TRUELINE_NP"), figures("TRUELINE_PREDICT"));
        let differs = (0..wanted.len().max(got.len())).find(|&k| wanted.get(k) != got.get(k))?;
        Some(format!("{:?} foretold, {:?}", got.get(differs), wanted.get(differs)))
    }

    /// Runs a program: its output and exit code.
    fn run(&self, program: &Path, ranks: usize, fault: Option<&str>) -> Output {
        let at = |name: &str| self.directory.path().join(name);
        let (output, errors) = (at("output"), at("errors"));
        let file = |path: &Path| std::fs::File::create(path);
        let (Ok(out), Ok(err)) = (file(&output), file(&errors)) else { return "no file for the output".to_owned() };
        // Profiles of an earlier run would be told of, and counts read that are not those of this one.
        for rank in 0..ranks {
            let _ = std::fs::remove_file(at(&format!("profile.{rank}.json")));
        }
        let mut command = Command::new(program);
        command.current_dir(self.directory.path()).stdin(Stdio::null()).stdout(out).stderr(err);
        command.env("TRUELINE_PROFILE_FILE", at("profile.%r.json")).env_remove("TRUELINE_NP");
        if ranks > 1 {
            command.env("TRUELINE_NP", ranks.to_string());
        }
        if let Some(fault) = fault {
            command.env("TRUELINE_FAULT", fault);
        }
        let code = match wait(&mut command) {
            Ok(code) => code,
            Err(e) => return e,
        };
        let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
        let errors: String = read(&errors).lines().map(|l| format!("standard error: {l}\n")).take(5).collect();
        format!("{}{errors}exit code {code}", read(&output))
    }

    fn counted(&self, rank: usize) -> Result<Counted, String> {
        let bytes =
            std::fs::read(self.directory.path().join(format!("profile.{rank}.json"))).map_err(|e| e.to_string())?;
        let profile: Profile = trueline_report::read(&bytes).map_err(|e| e.to_string())?;
        let counts = profile.constructs.iter().map(|c| {
            let k = &c.counts;
            let text = format!("{:?} {:?} {:?} {:?}", k.invocations, k.iterations, k.evaluations, k.taken);
            ((c.serial, c.file.clone(), c.line, c.kind.clone()), text)
        });
        Ok(counts.collect())
    }
}

/// Calls the compiler in this process.
fn called(words: Vec<OsString>) -> Result<(), String> {
    let told = words.iter().map(|w| w.to_string_lossy()).collect::<Vec<_>>().join(" ");
    match std::panic::catch_unwind(|| trueline::dispatch::main(words)) {
        Ok(0) => Ok(()),
        Ok(code) => Err(format!("exit code {code} of {told}")),
        Err(_) => Err(format!("panic in {told}")),
    }
}

/// The exit code of a command, with the signal of a shell.
fn wait(command: &mut Command) -> Result<i32, String> {
    let start = Instant::now();
    let mut child = loop {
        match command.spawn() {
            Ok(child) => break child,
            // Another thread's child had the file open for writing until its own program began.
            Err(e) if e.kind() == std::io::ErrorKind::ExecutableFileBusy && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(e) => return Err(e.to_string()),
        }
    };
    loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => {
                use std::os::unix::process::ExitStatusExt;
                return Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)));
            }
            None if start.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the program hangs".to_owned());
            }
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
}

fn difference(wanted: &str, got: &str) -> String {
    let mut lines = got.lines();
    for (k, want) in wanted.lines().enumerate() {
        let line = lines.next().unwrap_or("nothing");
        if line != want {
            return format!("line {} of the output is '{line}', not '{want}'", k + 1);
        }
    }
    format!("'{}' at the end of the output", lines.next().unwrap_or("nothing"))
}
