//! Faults of ranks, of their transport and of their launch, at random instants: each ends the run with one message that says which rank, where
//! and why, with an exit code that is no success; every profile that was begun can be read; no process and no file is left.
//!
//! ```text
//! TRUELINE_RANK_FAULTS=1000 cargo test --release --test programs hpf-fault -- --nocapture
//! TRUELINE_RANK_FAULTS=250..500 cargo test --release --test programs hpf-fault -- --nocapture      the second quarter of them
//! ```

use crate::build::is_full;
use crate::judge::spread;
use crate::mpi::{MPICH, Mpi, OPEN_MPI, launch};
use crate::ranks::{ENDLESS, WAYS, WHO, build, children, profile_of, signal};
use std::collections::BTreeMap;
use std::io::Read;
use std::ops::Range;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A kind of fault: the number of a fault gives its ranks, signals and instants.
type Kind = fn(&Bench, u64) -> Result<(), String>;

/// The kinds of faults of ranks on one machine.
const LOCAL: [(&str, Kind); 12] = [
    ("a rank is killed", killed),
    ("a rank is killed while ranks begin", killed_early),
    ("two ranks are killed", killed_twice),
    ("a rank is killed while another one is stopped", killed_beside_stopped),
    ("a signal ends the launcher", launcher_signalled),
    ("the launcher is killed", launcher_killed),
    ("the number of ranks is none", no_number),
    ("no memory for ranks", no_memory),
    ("ranks wait for one another", deadlock),
    ("a message has another length", short_message),
    ("a rank leaves the others", leaves),
    ("an output is full or closed", no_room),
];

/// The kinds of faults of ranks that an MPI has started.
const OF_MPI: [(&str, Kind); 4] = [
    ("MPI: a rank is killed", mpi_killed),
    ("MPI: no library, or another's", mpi_foreign),
    ("MPI: another number of ranks", mpi_number),
    ("MPI: ranks wait for one another, or one leaves", mpi_ways),
];

/// Programs with faults, in a directory of their own.
struct Bench {
    directory: tempfile::TempDir,
    endless: PathBuf,
    ways: PathBuf,
    lengths: PathBuf,
    leaves: PathBuf,
    writes: PathBuf,
}

/// The rank that [`LEAVES`] is told leaves in a way that it is told, too.
const LEAVER: &str = "#include <stdlib.h>
#include <signal.h>
#include <unistd.h>
int leave_(void) {
  if (atoi(getenv(\"TRUELINE_RANK\")) != atoi(getenv(\"LEAVER\"))) return 0;
  switch (getenv(\"WAY\")[0]) {
    case 'e': exit(getenv(\"WAY\")[1] - '0');
    case '_': _exit(getenv(\"WAY\")[1] - '0');
    case 'a': abort();
    case 'k': kill(getpid(), SIGKILL);
    case 's': *(volatile int *)8 = 0;
  }
  return 0;
}
";

/// A program that goes on without the rank, as long as it needs nothing of it. Each rank has sent something before, so its profile has begun.
const LEAVES: &str = "program leaves
  integer :: a(64), x, k
  integer, external :: leave
!HPF$ DISTRIBUTE a(BLOCK)
  do k = 1, 64
    a(k) = k
  end do
  x = sum(a)
  x = leave()
  do k = 1, 1000
    x = mod(x + a(mod(7 * k, 64) + 1), 1000)
    a(mod(k, 64) + 1) = x
  end do
  print *, x
end program
";

/// Ranks that have been told otherwise want an element of 8 bytes and one of 4.
const LENGTHS: &str = "program lengths
  integer :: a(4), x, k
  real(8) :: b(4), y
  integer, external :: who
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE b(BLOCK)
  do k = 1, 4
    a(k) = k
    b(k) = k
  end do
  y = 0
  if (who() == 0) then
    y = b(4)
  else
    x = a(4)
  end if
  print *, x, y
end program
";

/// A program that writes for ever.
const WRITES: &str = "program writes
  integer :: a(40), i
!HPF$ DISTRIBUTE a(BLOCK)
  a = 0
  do
    do i = 2, 40
      a(i) = mod(a(i) + a(i - 1) + 1, 1000)
    end do
    print *, a
  end do
end program
";

/// Signals that end a rank.
const DEADLY: [i32; 9] = [9, 15, 11, 6, 7, 8, 4, 3, 1];

/// The numbers of the faults that TRUELINE_RANK_FAULTS asks for, `N` or `FROM..TO`; none if it says nothing.
fn asked() -> Result<Option<Range<u64>>, String> {
    let Ok(text) = std::env::var("TRUELINE_RANK_FAULTS") else { return Ok(None) };
    let number =
        |text: &str| text.parse().map_err(|_| format!("TRUELINE_RANK_FAULTS={text} is no number and no FROM..TO"));
    match text.split_once("..") {
        Some((from, to)) => Ok(Some(number(from)?..number(to)?)),
        None => Ok(Some(0..number(&text)?)),
    }
}

/// The faults that are asked for, the kinds in turn; else one or a few of each kind.
#[allow(clippy::print_stderr, reason = "a campaign tells what it did")]
pub(crate) fn faults() -> Result<(), String> {
    let asked = asked()?;
    let bench = Bench::new()?;
    let has_mpi = [&OPEN_MPI, &MPICH].iter().any(|m| m.command().is_some());
    let of_mpi: &[(&str, Kind)] = if has_mpi { &OF_MPI } else { &[] };
    let kinds: Vec<(&str, Kind)> = LOCAL.iter().chain(of_mpi).copied().collect();
    let numbers = asked.clone().unwrap_or(0..kinds.len() as u64 * if is_full() { 4 } else { 1 });
    let count = numbers.clone().count();
    let mut done: BTreeMap<&str, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for k in numbers {
        let turn = k % kinds.len() as u64;
        let (name, kind) = kinds[turn as usize];
        let number = spread(&format!("fault {k}"));
        match kind(&bench, number / 7) {
            Ok(()) => *done.entry(name).or_default() += 1,
            Err(e) => wrong.push(format!("fault {k}, {name}: {e}")),
        }
    }
    if asked.is_some() {
        done.iter().for_each(|(name, n)| eprintln!("{n:6} {name}"));
        eprintln!("{count} faults, {} wrong", wrong.len());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// A run that has ended: how, standard error, and the processes that it had.
struct Ended {
    status: ExitStatus,
    told: String,
}

/// The exit code, as a shell has it.
fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

impl Bench {
    fn new() -> Result<Bench, String> {
        let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
        let write = |name: &str, text: &str| {
            let path = directory.path().join(name);
            std::fs::write(&path, text).map_err(|e| e.to_string()).map(|()| path)
        };
        let program = |name: &str, text: &str, c: Option<&str>| {
            let mut files = vec![write(&format!("{name}.f90"), text)?];
            if let Some(c) = c {
                files.push(write(&format!("{name}_c.c"), c)?);
            }
            let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
            let built = build(directory.path(), name, &files, &["-fhpf", "--profile"])?;
            built.canonicalize().map_err(|e| e.to_string())
        };
        let endless = program("endless", ENDLESS, None)?;
        let ways = program("ways", WAYS, Some(WHO))?;
        let lengths = program("lengths", LENGTHS, Some(WHO))?;
        let leaves = program("leaves", LEAVES, Some(LEAVER))?;
        let writes = program("writes", WRITES, None)?;
        Ok(Bench { directory, endless, ways, lengths, leaves, writes })
    }

    /// A directory for one run, in which nothing but profiles may be left.
    fn place(&self) -> Result<tempfile::TempDir, String> {
        tempfile::tempdir_in(self.directory.path()).map_err(|e| e.to_string())
    }

    /// The processes that run a program of this directory.
    fn processes(&self) -> Vec<i32> {
        let inside = |entry: &std::fs::DirEntry| {
            std::fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe.starts_with(self.directory.path()))
        };
        let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter(inside).filter_map(|e| e.file_name().to_str()?.parse().ok()).collect()
    }

    /// Judges the end of a run: an exit code out of these, one message of ours with all of these texts, profiles that can be read (`kept` of
    /// them, at least), no process, and no file but those profiles.
    fn judge(&self, at: &Path, ended: &Ended, codes: &[i32], texts: &[&str], kept: usize) -> Result<(), String> {
        let Ended { status, told } = ended;
        if !codes.contains(&code(*status)) {
            return Err(format!("{status:?}, not one of {codes:?}: {told}"));
        }
        if let Some(text) = texts.iter().find(|t| !told.contains(**t)) {
            return Err(format!("there is no '{text}': {told}"));
        }
        let ours = told.lines().filter(|l| l.starts_with("trueline:") || l.starts_with("Fortran runtime error:"));
        if ours.count() > 1 {
            return Err(format!("more than one message: {told}"));
        }
        let is_gone = || self.processes().is_empty();
        let end = Instant::now();
        while !is_gone() && end.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let left = self.processes();
        if !left.is_empty() {
            left.iter().for_each(|&p| signal(p, 9));
            return Err(format!("processes {left:?} are left"));
        }
        let mut profiles = 0;
        for entry in std::fs::read_dir(at).map_err(|e| e.to_string())?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with("p.") || !name.ends_with("json") {
                return Err(format!("the file '{name}' is left"));
            }
            let bytes = std::fs::read(entry.path()).map_err(|e| e.to_string())?;
            trueline_report::read(&bytes).map_err(|e| format!("{name}: {e}"))?;
            profiles += 1;
        }
        if profiles < kept { Err(format!("{profiles} profiles of {kept}: {told}")) } else { Ok(()) }
    }
}

/// A command that runs in `at`, with its profiles there.
fn command(program: &Path, at: &Path, ranks: &str) -> Command {
    let mut command = Command::new("env");
    command.arg("--default-signal=HUP,INT,QUIT,TERM").arg(program).current_dir(at).stdin(Stdio::null());
    command.env("TRUELINE_NP", ranks).env("TRUELINE_PROFILE_FILE", at.join("p.json"));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Waits until it has ended; one that hangs is killed.
fn end(mut child: Child) -> Result<Ended, String> {
    let mut errors = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Bytes that cannot be read are missing in the message.
        let _ = errors.as_mut().map(|e| e.read_to_end(&mut bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        if begin.elapsed() > Duration::from_secs(120) {
            signal(child.id() as i32, 9);
            return Err("it hangs".to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Ok(Ended { status, told: reader.join().unwrap_or_default() })
}

fn start(command: &mut Command) -> Result<Child, String> {
    command.spawn().map_err(|e| e.to_string())
}

/// The endless program on that number of ranks, when all its profiles have begun and it has written; the processes of the ranks.
fn begun(bench: &Bench, at: &Path, ranks: usize) -> Result<(Child, Vec<i32>), String> {
    // A file without a name.
    let output = tempfile::tempfile().map_err(|e| e.to_string())?;
    let mut command = command(&bench.endless, at, &ranks.to_string());
    let child = start(command.stdout(output.try_clone().map_err(|e| e.to_string())?))?;
    let has_written = || output.metadata().is_ok_and(|m| m.len() > 0);
    let profile = at.join("p.json");
    for _ in 0..12_000 {
        std::thread::sleep(Duration::from_millis(5));
        let processes = children(child.id());
        if processes.len() == ranks && has_written() && (0..ranks).all(|r| profile_of(&profile, r).exists()) {
            return Ok((child, processes));
        }
    }
    signal(child.id() as i32, 9);
    Err("the ranks did not begin".to_owned())
}

/// Sleeps up to that number of microseconds.
fn pause(number: u64, most: u64) {
    std::thread::sleep(Duration::from_micros(number % most));
}

fn killed(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let ranks = [2, 3, 4, 7, 16][(number % 5) as usize];
    let (rank, deadly) = ((number / 5) as usize % ranks, DEADLY[(number / 100) as usize % DEADLY.len()]);
    let (child, processes) = begun(bench, at.path(), ranks)?;
    pause(number / 1000, 40_000);
    signal(processes[rank], deadly);
    let told = format!("trueline: rank {rank} was killed by signal {deadly}; rank");
    let seen = format!("; rank {rank} was last seen in line ");
    bench.judge(at.path(), &end(child)?, &[128 + deadly], &[&told, &seen, "endless.f90"], ranks)
}

fn killed_early(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let child = start(&mut command(&bench.endless, at.path(), "4"))?;
    pause(number, 20_000);
    let begin = Instant::now();
    let mut processes = children(child.id());
    while processes.is_empty() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_micros(200));
        processes = children(child.id());
    }
    let rank = (number / 20_000) as usize % processes.len().max(1);
    let process = processes.get(rank).copied().ok_or("no rank began")?;
    signal(process, 9);
    let told = format!("trueline: rank {rank} was killed by signal 9; rank");
    bench.judge(at.path(), &end(child)?, &[137], &[&told], 0)
}

fn killed_twice(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let (child, processes) = begun(bench, at.path(), 4)?;
    let (one, other) = ((number % 4) as usize, ((number + 1 + number / 4 % 3) % 4) as usize);
    pause(number / 100, 30_000);
    signal(processes[one], 9);
    pause(number / 200, 3_000);
    signal(processes[other], 9);
    bench.judge(at.path(), &end(child)?, &[137], &["was killed by signal 9; rank", "was last seen in line "], 4)
}

fn killed_beside_stopped(bench: &Bench, number: u64) -> Result<(), String> {
    const STOP: i32 = 19;
    let at = bench.place()?;
    let (child, processes) = begun(bench, at.path(), 4)?;
    let (one, other) = ((number % 4) as usize, ((number + 1 + number / 4 % 3) % 4) as usize);
    signal(processes[one], STOP);
    // The others wait for it, which is no deadlock.
    pause(number / 100, 200_000);
    signal(processes[other], 9);
    let told = format!("trueline: rank {other} was killed by signal 9; ranks ");
    bench.judge(at.path(), &end(child)?, &[137], &[&told, "was last seen in line "], 4)
}

fn launcher_signalled(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let (child, _) = begun(bench, at.path(), 4)?;
    let sent = [2, 15, 1, 3][(number % 4) as usize];
    pause(number / 10, 40_000);
    signal(child.id() as i32, sent);
    let told = format!("trueline: signal {sent} has ended the ranks");
    bench.judge(at.path(), &end(child)?, &[128 + sent], &[&told, " was last seen in line ", "endless.f90"], 4)
}

fn launcher_killed(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let (child, _) = begun(bench, at.path(), 4)?;
    pause(number, 40_000);
    signal(child.id() as i32, 9);
    // Nobody is left who could tell.
    bench.judge(at.path(), &end(child)?, &[137], &[], 4)
}

fn no_number(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let text = ["0", "65", "-1", "many", "", "4.5", "1e1", "99999999999999999999", "4,4"][(number % 9) as usize];
    let ended = end(start(&mut command(&bench.endless, at.path(), text))?)?;
    bench.judge(at.path(), &ended, &[2], &[&format!("trueline: '{text}' is not a number of ranks from 1 to 64")], 0)
}

/// A limit of the address space that the ring of ranks, or a rank itself, does not fit into.
fn no_memory(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let ranks = [16, 32, 64][(number % 3) as usize];
    let mut command = Command::new("sh");
    let script = format!("ulimit -v {}; exec \"$0\"", 20_000 + number / 3 % 8_000);
    command.args(["-c", &script]).arg(&bench.endless).current_dir(at.path()).stdin(Stdio::null());
    command.env("TRUELINE_NP", ranks.to_string()).env("TRUELINE_PROFILE_FILE", at.path().join("p.json"));
    let ended = end(start(command.stdout(Stdio::null()).stderr(Stdio::piped()))?)?;
    bench.judge(at.path(), &ended, &[2], &[&format!("trueline: there is no memory for {ranks} ranks: ")], 0)
}

fn deadlock(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let ranks = [2, 3, 4][(number % 3) as usize];
    let ended = end(start(&mut command(&bench.ways, at.path(), &ranks.to_string()))?)?;
    let told =
        ["trueline: deadlock: rank 0 waits for rank ", " in line 9 of file", " waits for rank 0 in line 11 of file"];
    bench.judge(at.path(), &ended, &[2], &told, ranks)
}

fn short_message(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let ranks = 2 + (number % 3) as usize;
    let ended = end(start(&mut command(&bench.lengths, at.path(), &ranks.to_string()))?)?;
    let told = ["trueline: ranks ", " have taken different ways in line 1", " bytes, the other sends "];
    bench.judge(at.path(), &ended, &[2], &told, ranks)
}

/// One rank ends by `exit`, `_exit`, `abort`, a signal or a fault while the others go on.
fn leaves(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let ranks = [2, 3, 4][(number % 3) as usize];
    let rank = (number / 3) as usize % ranks;
    let way = ["e0", "e3", "_0", "_3", "abort", "kill", "segv"][(number / 12) as usize % 7];
    let mut command = command(&bench.leaves, at.path(), &ranks.to_string());
    let ended = end(start(command.env("LEAVER", rank.to_string()).env("WAY", way))?)?;
    let waits = format!("rank {rank} has ended, and rank ");
    let (code, told) = match way {
        "abort" => (134, format!("rank {rank} was killed by signal 6; rank")),
        "kill" => (137, format!("rank {rank} was killed by signal 9; rank")),
        "segv" => (139, format!("rank {rank} was killed by signal 11; rank")),
        // The exit code of the first rank is that of the run.
        "e3" | "_3" if rank == 0 => (3, waits),
        _ => (2, waits),
    };
    // A rank that leaves by `_exit` keeps its profile, too.
    bench.judge(at.path(), &ended, &[code], &[&told, " in line "], ranks).map_err(|e| format!("{way} {rank}: {e}"))
}

/// Standard output is a full device, or a pipe that nobody reads; the profile has no directory, or no room.
fn no_room(bench: &Bench, number: u64) -> Result<(), String> {
    let at = bench.place()?;
    let mut command = command(&bench.writes, at.path(), "4");
    if number.is_multiple_of(2) {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").map_err(|e| e.to_string())?;
        let ended = end(start(command.stdout(full))?)?;
        let told = ["At line 9 of file", "Fortran runtime error: No space left on device"];
        return bench.judge(at.path(), &ended, &[2], &told, 4);
    }
    let mut child = start(command.stdout(Stdio::piped()))?;
    let mut some = [0; 4096];
    // The output that there is; then nobody reads any more.
    let _ = child.stdout.as_mut().map(|o| o.read(&mut some));
    pause(number / 2, 20_000);
    drop(child.stdout.take());
    bench.judge(at.path(), &end(child)?, &[141, 2], &[" in line "], 4)
}

/// The launcher of this fault.
fn launcher(number: u64) -> Option<(&'static Mpi, String)> {
    let both = [&OPEN_MPI, &MPICH];
    let order = [both[(number % 2) as usize], both[(number % 2) as usize ^ 1]];
    order.into_iter().find_map(|mpi| Some((mpi, mpi.command()?)))
}

/// A launcher's command line, as [`command`] is.
fn launched(launcher: &str, ranks: usize, program: &Path, at: &Path) -> Command {
    let mut command = launch(launcher, ranks, program);
    command.current_dir(at).env("TRUELINE_PROFILE_FILE", at.join("p.json"));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn mpi_killed(bench: &Bench, number: u64) -> Result<(), String> {
    let Some((_, launcher)) = launcher(number) else { return Ok(()) };
    let at = bench.place()?;
    let child = start(&mut launched(&launcher, 3, &bench.endless, at.path()))?;
    let profile = at.path().join("p.json");
    let has_begun = (0..12_000).any(|_| {
        std::thread::sleep(Duration::from_millis(5));
        (0..3).all(|r| profile_of(&profile, r).exists())
    });
    pause(number / 100, 60_000);
    let (rank, deadly) = ((number / 2 % 3) as usize, [9, 15, 11][(number / 6 % 3) as usize]);
    let ranks = crate::mpi::ranks_of(&bench.endless);
    ranks.iter().filter(|r| r.0 == rank).for_each(|r| signal(r.1, deadly));
    let ended = end(child)?;
    if !has_begun {
        return Err(format!("the ranks did not begin: {}", ended.told));
    }
    bench.judge(at.path(), &ended, &[deadly, 128 + deadly], &[], 3)
}

fn mpi_foreign(bench: &Bench, number: u64) -> Result<(), String> {
    let Some((mpi, launcher)) = launcher(number) else { return Ok(()) };
    let at = bench.place()?;
    let other = if std::ptr::eq(mpi, &OPEN_MPI) { (&MPICH, "libmpich.so.12") } else { (&OPEN_MPI, "libmpi.so.40") };
    let mut cases = vec![("libnone.so", "no MPI library is found: there is no libnone.so")];
    cases.extend([("libm.so.6", "libm.so.6 is no MPI library"), ("/dev/null", "no MPI library is found")]);
    if other.0.command().is_some() {
        cases.push((other.1, "knows of 1: it belongs to another mpirun"));
    }
    let (library, told) = cases[(number / 2) as usize % cases.len()];
    let mut command = launched(&launcher, 2 + (number / 8 % 3) as usize, &bench.endless, at.path());
    let ended = end(start(command.env("TRUELINE_MPI_LIB", library))?)?;
    bench.judge(at.path(), &ended, &[2], &["trueline: mpirun has started ", told], 0)
}

fn mpi_number(bench: &Bench, number: u64) -> Result<(), String> {
    let Some((_, launcher)) = launcher(number) else { return Ok(()) };
    let at = bench.place()?;
    let (text, told) = [
        ("5", "mpirun has started 2 ranks, but -np or TRUELINE_NP says 5"),
        ("many", "'many' is not a number of ranks from 1 to 64"),
        ("0", "'0' is not a number of ranks from 1 to 64"),
    ][(number / 2 % 3) as usize];
    let mut command = launched(&launcher, 2, &bench.endless, at.path());
    let ended = end(start(command.env("TRUELINE_NP", text))?)?;
    bench.judge(at.path(), &ended, &[2], &[told], 0)
}

fn mpi_ways(bench: &Bench, number: u64) -> Result<(), String> {
    let Some((_, launcher)) = launcher(number) else { return Ok(()) };
    let at = bench.place()?;
    let ranks = 2 + (number / 2 % 2) as usize;
    match number / 4 % 3 {
        0 => {
            let ended = end(start(&mut launched(&launcher, ranks, &bench.ways, at.path()))?)?;
            let told = ["deadlock: rank 0 waits for rank 1 in line 9", "rank 1 waits for rank 0 in line 11 of file"];
            bench.judge(at.path(), &ended, &[2], &told, ranks)
        }
        1 => {
            let ended = end(start(&mut launched(&launcher, ranks, &bench.lengths, at.path()))?)?;
            bench.judge(at.path(), &ended, &[2], &["have taken different ways in line 1"], ranks)
        }
        _ => {
            let rank = (number / 12) as usize % ranks;
            let mut command = launched(&launcher, ranks, &bench.leaves, at.path());
            let ended = end(start(command.env("LEAVER", rank.to_string()).env("WAY", "e0"))?)?;
            bench.judge(at.path(), &ended, &[2], &[&format!("rank {rank} has ended, and rank "), " in line "], ranks)
        }
    }
}
