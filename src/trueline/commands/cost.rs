//! `profile --cost`: the plain program and the profiled one, run in turn.
//!
//! The first run is the one that is reported, and the only one whose output is shown. It reads our standard input; the bytes it
//! reads are kept in a temporary file, which the programs that are compared read. Their processor times come from the kernel's
//! records of processes that have ended and that nobody has waited for yet.

use crate::driver::Failure;
use crate::output;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::ffi::OsString;
use std::fs::File;
use std::io::{IsTerminal, Read, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use trueline_abi::profile::{Compared, Ratio};

/// The least and the largest number of pairs that are run.
const PAIRS: (usize, usize) = (3, 25);
/// No further pair is begun after so long.
const LIMIT: Duration = Duration::from_secs(30);
/// The median ratio is known well enough with this standard error.
const ENOUGH: f64 = 0.002;
/// A tick of the processor times that the kernel tells of processes: a hundredth of a second, on all systems.
const TICK: Duration = Duration::from_millis(10);

/// The input of the first run, for the others.
pub(crate) struct Input {
    path: PathBuf,
    is_terminal: bool,
    /// Keeping it has failed, or it is being used by now.
    stop: Arc<AtomicBool>,
    failed: Arc<AtomicBool>,
}

impl Input {
    /// The bytes that the first run has read, from the first one on; that run is over.
    pub(crate) fn again(&self) -> Result<File, Failure> {
        self.stop.store(true, Ordering::Release);
        if self.failed.load(Ordering::Acquire) {
            return Err(Failure::User("Cannot run the program again: there is no room for its input".to_owned()));
        }
        File::open(&self.path).map_err(|e| Failure::User(format!("Cannot run the program again: {e}")))
    }
}

/// Starts the first run with our standard input, and keeps a copy of the bytes.
pub(crate) fn first_run(command: &mut Command, directory: &Path) -> Result<(Child, Input), Failure> {
    let path = directory.join("input");
    let cannot = |e: std::io::Error| Failure::User(format!("Cannot run the program: {e}"));
    let mut kept = File::create(&path).map_err(cannot)?;
    let is_terminal = std::io::stdin().is_terminal();
    let (stop, failed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let input = Input { path, is_terminal, stop: Arc::clone(&stop), failed: Arc::clone(&failed) };
    if is_terminal || copy_file(&mut kept).map_err(cannot)? {
        return Ok((command.spawn().map_err(cannot)?, input));
    }
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(cannot)?;
    if let Some(mut to) = child.stdin.take() {
        // It may wait for input until we end: it is not waited for.
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            let mut from = std::io::stdin().lock();
            while let Ok(n) = from.read(&mut buffer) {
                if n == 0 || stop.load(Ordering::Acquire) {
                    return;
                }
                if kept.write_all(&buffer[..n]).is_err() {
                    failed.store(true, Ordering::Release);
                }
                if to.write_all(&buffer[..n]).is_err() {
                    return;
                }
            }
        });
    }
    Ok((child, input))
}

/// Copies the rest of our standard input, if it is a file: the first run has the file itself. Whether it is one.
fn copy_file(kept: &mut File) -> std::io::Result<bool> {
    let mut from = File::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    if !from.metadata()?.is_file() {
        return Ok(false);
    }
    let (mut at, mut buffer) = (from.stream_position()?, vec![0; 1 << 16]);
    loop {
        // The place in the file, which the program shares with us, stays where it is.
        let n = from.read_at(&mut buffer, at)?;
        if n == 0 {
            return Ok(true);
        }
        kept.write_all(&buffer[..n])?;
        at += n as u64;
    }
}

/// One of the two programs.
pub(crate) struct Version {
    /// The command that runs it.
    pub(crate) program: Command,
    pub(crate) environment: Vec<(&'static str, OsString)>,
}

/// The times of a run.
#[derive(Clone, Copy)]
struct Times {
    wall: f64,
    /// None where the system does not tell.
    cpu: Option<f64>,
}

/// Runs the two in turn. The first run ended with `first`. `notes` say why the comparison may be wrong.
///
/// # Errors
/// If a program cannot be run, or does not end as in the first run.
pub(crate) fn compare(
    plain: &Version,
    profiled: &Version,
    args: &[OsString],
    input: &Input,
    first: ExitStatus,
    mut notes: Vec<String>,
) -> Result<Compared, Failure> {
    input.stop.store(true, Ordering::Release);
    if input.failed.load(Ordering::Acquire) {
        return Err(Failure::User("Cannot compare the programs: there is no room for their input".to_owned()));
    }
    if input.is_terminal {
        notes.push(
            "Standard input is a terminal, which cannot be read again: the programs had an empty input here".to_owned(),
        );
    }
    let begin = Instant::now();
    let mut pairs: Vec<(Times, Times)> = Vec::new();
    while pairs.len() < PAIRS.0 || (pairs.len() < PAIRS.1 && begin.elapsed() < LIMIT && error(&ratios(&pairs)) > ENOUGH)
    {
        // Each comes first in every other pair.
        let order = if pairs.len().is_multiple_of(2) { [plain, profiled] } else { [profiled, plain] };
        let mut times = [time(order[0], args, input, first)?, time(order[1], args, input, first)?];
        if !pairs.len().is_multiple_of(2) {
            times.reverse();
        }
        pairs.push((times[0], times[1]));
    }
    Ok(compared(&pairs, notes))
}

/// The ratios of processor times, or of elapsed times where those are not known.
fn ratios(pairs: &[(Times, Times)]) -> Vec<f64> {
    let cpu: Option<Vec<f64>> = pairs.iter().map(|(a, b)| Some(b.cpu? / a.cpu?.max(1e-6))).collect();
    cpu.unwrap_or_else(|| walls(pairs))
}

fn walls(pairs: &[(Times, Times)]) -> Vec<f64> {
    pairs.iter().map(|(a, b)| b.wall / a.wall.max(1e-6)).collect()
}

fn compared(pairs: &[(Times, Times)], mut notes: Vec<String>) -> Compared {
    let used = |t: &Times| t.cpu.unwrap_or(t.wall);
    let fraction = |(a, b): &(Times, Times)| (used(b) - used(a)) / b.wall.max(used(b)).max(1e-6);
    let fractions: Vec<f64> = pairs.iter().map(fraction).collect();
    let all = ratios(pairs);
    let longest = pairs.iter().map(|(a, b)| a.wall.max(b.wall)).fold(0.0, f64::max);
    if error(&all) > 5.0 * ENOUGH {
        notes.push("The runs differ by more than measuring costs: other programs ran on this machine".to_owned());
    }
    if longest < 0.1 {
        notes.push(
            "The program is too short to compare: most of this is the beginning and the end of the run".to_owned(),
        );
    }
    if pairs.iter().any(|(a, b)| a.cpu.is_none() || b.cpu.is_none()) {
        notes.push("The system does not tell processor times: these are elapsed times".to_owned());
    }
    Compared {
        pairs: pairs.len() as u32,
        wall: ratio(&walls(pairs)),
        cpu: ratio(&all),
        fraction: (median(&fractions) * 1e6).round() / 1e6,
        notes,
    }
}

fn ratio(all: &[f64]) -> Ratio {
    let round = |x: f64| (x * 1e4).round() / 1e4;
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(0.0, f64::max);
    Ratio { median: round(median(all)), low: round(low), high: round(high) }
}

fn median(all: &[f64]) -> f64 {
    let mut sorted = all.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 0 => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
        n => sorted[n / 2],
    }
}

/// The standard error of the median, by the median of the deviations: a run that was disturbed counts once.
fn error(all: &[f64]) -> f64 {
    let middle = median(all);
    let deviations: Vec<f64> = all.iter().map(|x| (x - middle).abs()).collect();
    1.86 * median(&deviations) / (all.len() as f64).sqrt()
}

/// Runs a program without showing its output.
fn time(version: &Version, args: &[OsString], input: &Input, first: ExitStatus) -> Result<Times, Failure> {
    let cannot = |e: std::io::Error| Failure::User(format!("Cannot run the program: {e}"));
    let stdin = File::open(&input.path).map_err(cannot)?;
    let begin = Instant::now();
    let mut child = Command::new(version.program.get_program())
        .args(version.program.get_args())
        .args(args)
        .envs(version.environment.iter().map(|(name, value)| (name, value)))
        .stdin(stdin)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(cannot)?;
    let cpu = processor_time(child.id());
    let wall = begin.elapsed();
    let status = child.wait().map_err(cannot)?;
    if status != first {
        let why = format!("the program ended with {status} when it ran again, and with {first} at first");
        return Err(Failure::User(format!("Cannot compare the programs: {why}")));
    }
    Ok(Times { wall: wall.as_secs_f64(), cpu: cpu.map(|t| t.as_secs_f64()) })
}

/// Waits until the process has ended, and reads its processor time. It stays to be waited for.
fn processor_time(process: u32) -> Option<Duration> {
    let pid = Pid::from_raw(i32::try_from(process).ok()?)?;
    while let Err(e) = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
        if e != rustix::io::Errno::INTR {
            return None;
        }
    }
    let of = |name: &str| std::fs::read_to_string(format!("/proc/{process}/{name}")).ok();
    let ticks = of("stat").and_then(|text| all_ticks(&text));
    // To the nanosecond, but of the first thread alone.
    let exact = of("schedstat").and_then(|text| text.split_whitespace().next()?.parse().ok());
    let (ticks, exact) = (ticks.map(|n| TICK * n), exact.map(Duration::from_nanos));
    match (ticks, exact) {
        (Some(ticks), Some(exact)) if exact + TICK * 2 >= ticks => Some(exact),
        (ticks, exact) => ticks.or(exact),
    }
}

/// User and system time of a process with that of the processes that it waited for, of `/proc/PID/stat`.
fn all_ticks(stat: &str) -> Option<u32> {
    // The name of the program, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(4);
    times.map(|t| t.parse::<u32>().ok()).sum()
}

/// Reasons why the comparison is not that of two programs: parts of the plain one that are profiled, or no sources.
pub(crate) fn notes(files: &[PathBuf], libraries: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    if files.iter().any(|f| super::is_linker_input(f)) {
        out.push(
            "Objects and archives are linked as they are into both programs: if they are profiled, so is the plain one"
                .to_owned(),
        );
    }
    if libraries.iter().any(|l| l.contains("mpi")) {
        out.push(
            "MPI: the programs ran as single processes; ranks that talk to one another were not compared".to_owned(),
        );
    }
    out
}

/// A directory for the plain program and the copy of the input.
pub(crate) fn directory() -> Result<tempfile::TempDir, Failure> {
    output::temporary_directory().map_err(|e| Failure::User(format!("Cannot make a temporary directory: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_times_are_read_behind_any_name() {
        let stat = "7 (a) b (c) R 1 7 7 0 -1 4194304 90 0 0 0 12 3 4 1 20 0 1 0 100 1 1";
        assert_eq!(all_ticks(stat), Some(20));
        assert_eq!(all_ticks("7 (a"), None);
        assert_eq!(all_ticks("7 (a) R 1 x"), Some(0), "a line that was cut has no times");
    }

    #[test]
    fn one_disturbed_pair_does_not_move_the_median() {
        let times = |wall| Times { wall, cpu: Some(wall / 2.0) };
        let pairs: Vec<_> = [1.02, 1.02, 9.0, 1.02, 1.02].map(|b| (times(1.0), times(b))).to_vec();
        let c = compared(&pairs, vec![]);
        assert_eq!((c.pairs, c.cpu.median, c.wall.high), (5, 1.02, 9.0));
        assert!((c.fraction - 0.01 / 1.02).abs() < 1e-6, "half of the time was spent waiting: {}", c.fraction);
        assert!(c.notes.is_empty(), "{:?}", c.notes);
        let short = compared(&[(times(0.01), times(0.02))], vec![]);
        assert!(short.notes[0].contains("too short"));
    }
}
