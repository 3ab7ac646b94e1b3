//! Compiles a program in one of the ways that users have, runs it, and reads the profile and the ledger.

use super::print::{self, Text};
use super::program::{Id, Program};
use super::simulate::Run;
use crate::oracle;
use crate::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use trueline_abi::profile::Profile;

/// Microseconds of work in a run.
const TARGET: f64 = 16_000.0;
/// Runs whose sum is judged where times rest on samples.
pub(super) const RUNS: usize = 12;
/// A program that runs longer hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// A way of building a program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Way {
    /// `-O`
    pub level: u8,
    /// `--passes`
    pub passes: Option<Vec<String>>,
    /// File by file, as make does.
    pub separate: bool,
    /// With the timers and the budget of those who ask for nothing.
    pub by_default: bool,
}

impl Way {
    /// The ways to build the program of a seed, `plans` of them with random passes.
    pub fn of(seed: u64, plans: usize, separate: bool) -> Vec<Way> {
        let way = |level, passes, separate, by_default| Way { level, passes, separate, by_default };
        let mut out: Vec<Way> = (0..4).map(|l| way(l, None, false, false)).collect();
        let mut rng = Rng::new(seed ^ 0x71_3e5);
        while out.len() < 4 + plans {
            if let Some(passes) = oracle::random_plan(&mut rng).passes {
                out.push(way(3, Some(passes), false, false));
            }
        }
        out.push(way(3, None, false, true));
        if separate {
            out.extend((0..4).map(|l| way(l, None, true, false)));
        }
        out
    }

    /// The row of the table that it belongs to.
    pub fn row(&self) -> String {
        let passes = if self.passes.is_some() { " --passes" } else { "" };
        let separate = if self.separate { " separate" } else { "" };
        let by_default = if self.by_default { " default" } else { "" };
        format!("-O{}{passes}{separate}{by_default}", self.level)
    }

    /// The command lines that build `files`, for a reader.
    pub fn commands(&self, files: &[String]) -> Vec<String> {
        let mut out = vec!["cc -O1 -fno-builtin -c ledger.c".to_owned()];
        out.extend(self.words(files, "").into_iter().map(|c| format!("trueline {}", c.join(" "))));
        out.push("TRUELINE_PROFILE_FILE=p.json CAMPAIGN_LEDGER=ledger ./program".to_owned());
        out
    }

    /// The words of each command line; files are in `at`.
    fn words(&self, files: &[String], at: &str) -> Vec<Vec<String>> {
        let path = |f: &str| format!("{at}{f}");
        let level = format!("-O{}", self.level);
        if !self.separate {
            let mut words: Vec<String> = vec!["build".into(), "--profile".into(), level];
            if !self.by_default {
                words.extend(["--time=all", "--overhead=none"].map(str::to_owned));
            }
            words.extend(self.passes.as_ref().map(|p| format!("--passes={}", p.join(","))));
            words.extend(["-o".to_owned(), path("program")]);
            words.extend(files.iter().map(|f| path(f)));
            words.push(path("ledger.o"));
            return vec![words];
        }
        let time = if self.by_default { "-fprofile-trueline" } else { "-fprofile-trueline=all" };
        let here = if at.is_empty() { "." } else { at };
        let object = |f: &String| path(&f.replace(".f90", ".o"));
        let compile = |f: &String| {
            let words = ["fc", "-c", &level, time, "-J", here, "-I", here, "-o", &object(f), &path(f)];
            words.map(str::to_owned).to_vec()
        };
        let mut out: Vec<Vec<String>> = files.iter().map(compile).collect();
        let mut link = ["fc", time, "-o", &path("program")].map(str::to_owned).to_vec();
        link.extend(files.iter().map(object));
        link.push(path("ledger.o"));
        out.push(link);
        out
    }
}

/// The workshop, where programs are built: the ledger is compiled once.
pub struct Workshop {
    directory: tempfile::TempDir,
}

impl Workshop {
    /// A new directory with the ledger in it.
    ///
    /// # Errors
    /// If `cc` does not compile the ledger.
    pub fn new(name: &str) -> Result<Workshop, String> {
        let directory = crate::scratch(&format!("times-{name}"))?;
        let source = directory.path().join("ledger.c");
        std::fs::write(&source, include_str!("ledger.c")).map_err(|e| e.to_string())?;
        // Its `tgamma` is not the one that compilers know.
        let mut cc = Command::new("cc");
        cc.args(["-O1", "-fno-builtin", "-c", "-o"]).arg(directory.path().join("ledger.o")).arg(&source);
        let output = cc.output().map_err(|e| format!("cc: {e}"))?;
        if output.status.success() {
            Ok(Workshop { directory })
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }
}

/// The work of a program, as times.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// Nanoseconds of the work in each node of the tree, without the work in nodes of its own.
    pub own: Vec<f64>,
    /// Constructs whose times are not known.
    pub unknown: BTreeSet<Id>,
    /// The nodes of the tree that share the work of a site evenly, for each site whose work was done less often than in
    /// the source: the share of each is not known.
    pub spread: Vec<BTreeSet<usize>>,
    /// The longest time between two pieces of work, in nanoseconds.
    pub longest_gap: f64,
    /// The work in the order in which it was done: site and iteration.
    pub order: Vec<(u32, Option<u32>)>,
    /// Whether timing was paused while each piece of `order` was done.
    pub paused: Vec<bool>,
}

impl Truth {
    /// Whether the time of these nodes is not known: work of a site is spread over some of them and over others.
    pub fn is_spread(&self, f: impl Fn(usize) -> bool) -> bool {
        self.spread.iter().any(|nodes| nodes.iter().any(|&n| f(n)) && !nodes.iter().all(|&n| f(n)))
    }

    /// The time of the nodes that `f` chooses.
    pub fn sum(&self, f: impl Fn(usize) -> bool) -> f64 {
        self.own.iter().enumerate().filter(|(n, _)| f(*n)).fold(0.0, |sum, (_, ns)| sum + ns)
    }
}

/// A program that was built.
pub struct Built {
    directory: PathBuf,
    /// Its text.
    pub text: Text,
    scale: f64,
}

/// The statements of a run.
pub struct Measured {
    /// The profile.
    pub profile: Profile,
    /// The same as it stands in the file, with whatever fields it has.
    pub json: serde_json::Value,
    /// The ledger's times.
    pub truth: Truth,
}

/// The factor from weights to microseconds.
fn scale(run: &Run) -> f64 {
    TARGET / run.events.iter().map(|e| f64::from(e.work.weight)).sum::<f64>().max(1.0)
}

/// The text of a program as it is built.
pub fn text(program: &Program, run: &Run, way: &Way) -> Text {
    // Half of the programs of one command have several files, too.
    print::print(program, scale(run), way.separate || program.seed.is_multiple_of(2))
}

impl Workshop {
    /// Builds a program.
    ///
    /// # Errors
    /// The command that failed.
    pub fn build(&self, program: &Program, run: &Run, way: &Way) -> Result<Built, String> {
        let text = text(program, run, way);
        for f in &text.files {
            std::fs::write(self.directory.path().join(&f.name), &f.text).map_err(|e| e.to_string())?;
        }
        let files: Vec<String> = text.files.iter().map(|f| f.name.clone()).collect();
        // An executable that is there from the last program would hide that this one has none.
        let _ = std::fs::remove_file(self.directory.path().join("program"));
        let at = format!("{}/", self.directory.path().display());
        for words in way.words(&files, &at) {
            let args: Vec<OsString> =
                std::iter::once("trueline".into()).chain(words.iter().map(OsString::from)).collect();
            let run = std::panic::catch_unwind(|| trueline::dispatch::main(args));
            match run {
                Ok(0) => {}
                Ok(code) => return Err(format!("exit code {code} of trueline {}", words.join(" ").replace(&at, ""))),
                Err(_) => return Err(format!("panic in trueline {}", words.join(" ").replace(&at, ""))),
            }
        }
        Ok(Built { directory: self.directory.path().to_path_buf(), text, scale: scale(run) })
    }
}

impl Built {
    /// The executable's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.directory.join("program")).unwrap_or_default()
    }

    /// The executable.
    pub fn program(&self) -> PathBuf {
        self.directory.join("program")
    }

    /// Runs the program as often as it takes to judge it, and adds the runs up: a run has four samples, too few to tell of times that rest
    /// on them.
    ///
    /// # Errors
    /// If it fails, or does not do the work that the source says.
    pub fn measure(&self, run: &Run, way: &Way) -> Result<Measured, String> {
        let mut all = vec![self.run(run, way)?];
        // Another attempt shall have other pauses.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let mut rng = Rng::new(now.as_nanos() as u64);
        while way.by_default && all.len() < RUNS {
            // Samples are taken at ticks of the kernel: programs that begin at the same instant between two would be sampled at the same
            // places. A sleep may end at a tick, too.
            let start = Instant::now();
            let pause = Duration::from_micros(rng.below(4000) as u64);
            while start.elapsed() < pause {
                std::hint::spin_loop();
            }
            all.push(self.run(run, way)?);
        }
        if all.len() == 1 {
            return Ok(all.remove(0));
        }
        let profiles: Vec<Profile> = all.iter().map(|m| m.profile.clone()).collect();
        let profile = trueline_report::merge(&profiles).map_err(|e| e.to_string())?;
        let json = serde_json::to_value(&profile).map_err(|e| e.to_string())?;
        let mut truth = all[0].truth.clone();
        for m in &all[1..] {
            truth.own.iter_mut().zip(&m.truth.own).for_each(|(sum, ns)| *sum += ns);
            truth.unknown.extend(&m.truth.unknown);
            truth.spread.extend(m.truth.spread.iter().cloned());
            truth.longest_gap = truth.longest_gap.max(m.truth.longest_gap);
        }
        Ok(Measured { profile, json, truth })
    }

    /// Runs the program.
    ///
    /// # Errors
    /// If it fails, or does not do the work that the source says.
    fn run(&self, run: &Run, way: &Way) -> Result<Measured, String> {
        let (json, ledger) = (self.directory.join("profile.json"), self.directory.join("ledger"));
        for f in [&json, &ledger] {
            let _ = std::fs::remove_file(f);
        }
        let mut command = runner(&self.program());
        command.env("TRUELINE_PROFILE_FILE", &json).env("CAMPAIGN_LEDGER", &ledger).current_dir(&self.directory);
        if way.by_default {
            command.env("CAMPAIGN_UNEVEN", "1");
        }
        wait(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()))?;
        let bytes = std::fs::read(&json).map_err(|e| format!("no profile: {e}"))?;
        let profile = trueline_report::read(&bytes).map_err(|e| e.to_string())?;
        let value = serde_json::from_slice(&bytes).map_err(|e| e.to_string())?;
        let truth = truth(run, &read_ledger(&ledger)?, profile.clock.ticks_per_second, self.scale)?;
        Ok(Measured { profile, json: value, truth })
    }
}

/// The command that runs a program: with the words of `CAMPAIGN_RUNNER` before it (`chrt -f 1`: no other program interrupts it).
fn runner(program: &Path) -> Command {
    let words = std::env::var("CAMPAIGN_RUNNER").unwrap_or_default();
    let mut words = words.split_whitespace();
    let Some(first) = words.next() else { return Command::new(program) };
    let mut command = Command::new(first);
    command.args(words).arg(program);
    command
}

fn wait(command: &mut Command) -> Result<(), String> {
    let start = Instant::now();
    let mut child = loop {
        match command.spawn() {
            Ok(child) => break child,
            // Another thread's child had the file open for writing until its own program began.
            Err(e) if e.kind() == ErrorKind::ExecutableFileBusy && start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(e) => return Err(e.to_string()),
        }
    };
    loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("the program ends with {status}")),
            None if start.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the program hangs".to_owned());
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

/// A note of the ledger.
struct Note {
    site: u32,
    key: Option<u32>,
    start: u64,
    end: u64,
}

fn read_ledger(path: &Path) -> Result<Vec<Note>, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("no ledger: {e}"))?;
    let word = |b: &[u8]| b.try_into().map(u32::from_ne_bytes).unwrap_or(0);
    let long = |b: &[u8]| b.try_into().map(u64::from_ne_bytes).unwrap_or(0);
    let note = |b: &[u8]| Note {
        site: word(&b[..4]),
        key: (word(&b[12..16]) == 0).then(|| word(&b[8..12])),
        start: long(&b[16..24]),
        end: long(&b[24..]),
    };
    Ok(bytes.chunks_exact(32).map(note).collect())
}

/// Gives every piece of work in the ledger to the place where the source does it.
fn truth(run: &Run, notes: &[Note], ticks_per_second: f64, scale: f64) -> Result<Truth, String> {
    let ns = 1e9 / ticks_per_second.max(1.0);
    let mut of_site: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for n in notes {
        of_site.entry(n.site).or_default().push(n.end.saturating_sub(n.start) as f64 * ns);
    }
    let mut places: BTreeMap<u32, Vec<(usize, u32)>> = BTreeMap::new();
    for e in &run.events {
        places.entry(e.work.site).or_default().push((e.at, print::cost(e.work, scale)));
    }
    if let Some((site, _)) = of_site.iter().find(|(s, _)| !places.contains_key(s)) {
        return Err(format!("work {site} is done, and the source does not do it"));
    }
    let mut out = Truth { own: vec![0.0; run.around.len()], ..Truth::default() };
    let mut nth: BTreeMap<u32, usize> = BTreeMap::new();
    for n in notes {
        let nth = nth.entry(n.site).or_default();
        let (here, done) = (places.get(&n.site), of_site.get(&n.site).map_or(0, Vec::len));
        let at = here.filter(|at| at.len() == done).and_then(|at| at.get(*nth));
        out.paused.push(at.is_some_and(|&(at, _)| run.around[at].paused));
        *nth += 1;
    }
    for (site, at) in places {
        let done = of_site.get(&site).map_or(&[][..], Vec::as_slice);
        if done.len() == at.len() {
            at.iter().zip(done).for_each(|(&(n, _), ns)| out.own[n] += ns);
        } else {
            // Evaluated once for several iterations, say, or by lanes that a mask switches off.
            let each = done.iter().sum::<f64>() / at.len() as f64;
            at.iter().for_each(|&(n, _)| out.own[n] += each);
            out.spread.push(at.iter().map(|a| a.0).collect());
            out.unknown.extend(not_common(run, &at));
        }
    }
    let between = notes.windows(2).map(|w| w[1].start.saturating_sub(w[0].end) as f64 * ns);
    out.longest_gap = between.fold(0.0, f64::max);
    out.order = notes.iter().map(|n| (n.site, n.key)).collect();
    Ok(out)
}

/// The constructs that are around some of the places, but not around all.
fn not_common(run: &Run, at: &[(usize, u32)]) -> BTreeSet<Id> {
    let around = |n: usize| -> BTreeSet<Id> { run.outwards(n).map(|a| a.id).collect() };
    let mut every = at.first().map_or_else(BTreeSet::new, |a| around(a.0));
    let mut some = BTreeSet::new();
    for &(n, _) in at {
        let here = around(n);
        every.retain(|id| here.contains(id));
        some.extend(here);
    }
    some.retain(|id| !every.contains(id));
    some
}
