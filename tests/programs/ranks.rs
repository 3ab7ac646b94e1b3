//! HPF on ranks: the output and the counts on any number of ranks are those of the serial program at -O0, and faults of a rank end all.

use crate::build::is_full;
use crate::build::{counts, files, options};
use crate::judge::{are_alike, spread};
use crate::trial;
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use trueline::driver::Session;
use trueline::pipeline;
use trueline_instrument::TimeMode;

/// All tests of programs on ranks. Without TRUELINE_TEST_FULL=1 each program runs on one number of ranks above 1 and at one level, and every
/// fifth is counted, and the one whose counts ranks share.
pub fn trials() -> Vec<Trial> {
    let mut out = Vec::new();
    for file in files("tests/hpf/ranks", &["f", "f90"]) {
        out.push(trial("hpf-ranks", &file, same_output));
        if is_full() || stem(&file) == "conditions" || spread(&stem(&file)).is_multiple_of(5) {
            out.push(trial("hpf-counts", &file, same_counts));
            out.push(trial("hpf-certify", &file, certify));
        }
    }
    let here = Path::new("tests/hpf/ranks/faults");
    out.push(trial("hpf-killed", here, |_| killed()));
    out.push(trial("hpf-fault", here, |_| crate::rank_faults::faults()));
    out.push(trial("hpf-deadlock", here, |_| deadlock()));
    out.push(trial("hpf-refused", here, |_| refused()));
    out.push(trial("hpf-messages", here, |_| messages()));
    out.push(trial("hpf-remapped", here, |_| remapped()));
    out.push(trial("hpf-profile", here, |_| crate::rank_profiles::times()));
    out.push(trial("hpf-parts", Path::new("tests/hpf/parts/early.f90"), crate::rank_parts::parts));
    out.push(trial("hpf-slow-link", here, |_| crate::rank_profiles::slow_link()));
    out
}

pub(crate) fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(String::new, |n| n.to_string_lossy().into_owned())
}

/// Builds `files` to `DIRECTORY/NAME`.
pub(crate) fn build(directory: &Path, name: &str, files: &[&Path], flags: &[&str]) -> Result<PathBuf, String> {
    let program = directory.join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_trueline"));
    let built = command.arg("build").args(flags).args(files).arg("-o").arg(&program).output();
    let built = built.map_err(|e| e.to_string())?;
    if built.status.success() { Ok(program) } else { Err(String::from_utf8_lossy(&built.stderr).into_owned()) }
}

/// A run in a directory of its own, on a number of ranks; with the variable unset if there is no number.
fn run(program: &Path, ranks: Option<usize>) -> Result<Output, String> {
    let work = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut command = Command::new("timeout");
    command.arg("120").arg(program).current_dir(work.path()).stdin(Stdio::null()).env_remove("TRUELINE_NP");
    command.env("TRUELINE_PROFILE_FILE", program.with_extension("json"));
    if let Some(ranks) = ranks {
        command.env("TRUELINE_NP", ranks.to_string());
    }
    command.output().map_err(|e| e.to_string())
}

/// Compares a run with the serial one.
fn compare(found: &Output, serial: &Output, what: &str) -> Result<(), String> {
    let text =
        |o: &Output| (String::from_utf8_lossy(&o.stdout).into_owned(), String::from_utf8_lossy(&o.stderr).into_owned());
    if found.status.code() == serial.status.code() && text(found) == text(serial) {
        return Ok(());
    }
    Err(format!("{what}: {:?} {:?}, serial {:?} {:?}", found.status, text(found), serial.status, text(serial)))
}

/// Output, messages and exit code.
fn same_output(file: &Path) -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let serial = run(&build(directory.path(), "serial", &[file], &["-O0"])?, None)?;
    let number = spread(&stem(file)) as usize;
    let levels: &[&str] = if is_full() { &["-O0", "-O1", "-O2", "-O3"] } else { &[["-O0", "-O3"][number % 2]] };
    let ranks: &[usize] = if is_full() { &[1, 2, 3, 4, 7, 16] } else { &[[2, 3, 4, 7][number / 2 % 4]] };
    for level in levels {
        let program = build(directory.path(), "ranks", &[file], &[level, "-fhpf"])?;
        compare(&run(&program, None)?, &serial, &format!("{level}, unset"))?;
        for &ranks in ranks {
            compare(&run(&program, Some(ranks))?, &serial, &format!("{level} on {ranks} ranks"))?;
        }
    }
    Ok(())
}

/// The counts of each rank are those of the serial program at -O0 (T2). Those of a program with a line `! counts vary` depend on the clock:
/// then all ranks have the same.
fn same_counts(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let read = |path: &Path| {
        let json = std::fs::read_to_string(path).map_err(|e| format!("no profile {}: {e}", path.display()))?;
        counts(&json)
    };
    let serial = build(directory.path(), "serial", &[file], &["-O0", "--profile"])?;
    run(&serial, None)?;
    let all: &[usize] = if is_full() { &[1, 2, 3, 4, 7, 16] } else { &[3] };
    for (level, &ranks) in ["-O0", "-O3"].into_iter().flat_map(|l| all.iter().map(move |r| (l, r))) {
        let program = build(directory.path(), "ranks", &[file], &[level, "-fhpf", "--profile"])?;
        run(&program, Some(ranks))?;
        let varies = text.contains("! counts vary");
        let wanted = read(&if varies { program.with_extension("json") } else { serial.with_extension("json") })?;
        for rank in 0..ranks {
            let name = if rank == 0 { "json".to_owned() } else { format!("{rank}.json") };
            let found = read(&program.with_extension(name))?;
            let differs = wanted.iter().find(|(k, c)| !found.get(*k).is_some_and(|f| are_alike(f, c)));
            if found.len() != wanted.len() || differs.is_some() {
                let of = differs.map(|(k, c)| (k, c, found.get(k)));
                return Err(format!("{level}, rank {rank} of {ranks}: {of:?}, {} constructs", found.len()));
            }
        }
    }
    Ok(())
}

/// Profiling does not change the optimized program (T1).
fn certify(file: &Path) -> Result<(), String> {
    for level in [0, 2, 3] {
        let mut options = options(file, level, Some(TimeMode::All));
        options.semantics.hpf = true;
        let (plain, profiled) =
            pipeline::certify(&mut Session::default(), &options).map_err(|f| format!("-O{level}: {f:?}"))?;
        if plain != profiled {
            let at = plain.lines().zip(profiled.lines()).find(|(a, b)| a != b);
            return Err(format!("-O{level}: first difference {at:?}"));
        }
    }
    Ok(())
}

/// A program that never ends by itself. Each of up to 64 ranks has sent what it prints first, so each has noted where it is by then.
pub(crate) const ENDLESS: &str = "program endless
  integer :: a(64), i
!HPF$ DISTRIBUTE a(BLOCK)
  a = 0
  print *, 'begun', sum(a)
  flush (6)
  do
    do i = 2, 64
      a(i) = mod(a(i) + a(i - 1) + 1, 1000)
    end do
  end do
end program
";

/// The ranks of a supervisor that is a child of this process: process ids in the order of ranks.
pub(crate) fn children(of: u32) -> Vec<i32> {
    let path = format!("/proc/{of}/task/{of}/children");
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().filter_map(|w| w.parse().ok()).collect()
}

pub(crate) fn signal(process: i32, number: i32) {
    // A process that has ended by now is what is wanted.
    let _ = Command::new("kill").arg(format!("-{number}")).arg(process.to_string()).stderr(Stdio::null()).status();
}

/// A rank that is killed at some instant ends all: message, exit code, profiles of all ranks, and no process is left.
fn killed() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = directory.path().join("endless.f90");
    std::fs::write(&source, ENDLESS).map_err(|e| e.to_string())?;
    let program = build(directory.path(), "endless", &[&source], &["-fhpf", "--profile"])?;
    let full = if is_full() { 40 } else { 4 };
    let kills = std::env::var("TRUELINE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(full);
    for k in 0..kills {
        let (rank, number) = (k % 4, [9, 15, 11][k / 4 % 3]);
        let profile = directory.path().join(format!("p{k}.json"));
        let mut command = Command::new(&program);
        command.env("TRUELINE_NP", "4").env("TRUELINE_PROFILE_FILE", &profile);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
        let of = child.id();
        let begun = (0..2000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            children(of).len() == 4 && (0..4).all(|r| profile_of(&profile, r).exists())
        });
        let ranks = children(of);
        if !begun {
            signal(of as i32, 9);
            return Err(format!("the ranks did not begin: {ranks:?}"));
        }
        std::thread::sleep(std::time::Duration::from_millis(spread(&k.to_string()) % 40));
        signal(ranks[rank], number);
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        let others: Vec<String> = (0..4).filter(|&r| r != rank).map(|r| r.to_string()).collect();
        let message = format!(
            "trueline: rank {rank} was killed by signal {number}; ranks {} were ended; rank",
            others.join(", ")
        );
        let told = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(128 + number) || !told.contains(&message) {
            return Err(format!("kill {k}: {:?} {told}", output.status));
        }
        for r in 0..4 {
            let json = std::fs::read(profile_of(&profile, r)).map_err(|e| format!("kill {k}, rank {r}: {e}"))?;
            trueline_report::read(&json).map_err(|e| format!("kill {k}, rank {r}: {e}"))?;
        }
        if let Some(left) = ranks.iter().find(|r| Path::new(&format!("/proc/{r}")).exists()) {
            return Err(format!("kill {k}: process {left} is left"));
        }
    }
    Ok(())
}

pub(crate) fn profile_of(path: &Path, rank: usize) -> PathBuf {
    if rank == 0 { path.to_owned() } else { path.with_extension(format!("{rank}.json")) }
}

/// A program whose ranks wait for one another.
pub(crate) const WAYS: &str = "program ways
  integer :: a(4), x, k
  integer, external :: who
!HPF$ DISTRIBUTE a(BLOCK)
  do k = 1, 4
    a(k) = k
  end do
  if (who() == 0) then
    x = a(4)
  else
    x = a(1)
  end if
  print *, x
end program
";

/// Its procedure, which gives ranks different answers.
pub(crate) const WHO: &str = "#include <stdlib.h>\nint who_(void) { return atoi(getenv(\"TRUELINE_RANK\")); }\n";

/// Ranks to which a C procedure gave different answers wait for one another: told, with the lines.
fn deadlock() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = directory.path().join("ways.f90");
    std::fs::write(&source, WAYS).map_err(|e| e.to_string())?;
    let c = directory.path().join("who.c");
    std::fs::write(&c, WHO).map_err(|e| e.to_string())?;
    let program = build(directory.path(), "ways", &[&source, &c], &["-fhpf"])?;
    let output = run(&program, Some(2))?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let wanted = ["deadlock: rank 0 waits for rank 1 in line 9 of file", "rank 1 waits for rank 0 in line 11 of file"];
    if output.status.code() != Some(2) || !wanted.iter().all(|w| told.contains(w)) || told.lines().count() != 1 {
        return Err(format!("{:?} {told}", output.status));
    }
    Ok(())
}

/// Jacobi's method; `MAP` and `STEPS` are replaced.
const JACOBI: &str = "program jacobi
  integer, parameter :: n = 256
  real(8) :: a(n, n), b(n, n), change
  integer :: i, j, k
!HPF$ DISTRIBUTE a(MAP)
!HPF$ ALIGN b(i, j) WITH a(i, j)
  do j = 1, n
    do i = 1, n
      a(i, j) = i * j
      b(i, j) = 0
    end do
  end do
  do k = 1, STEPS
    do j = 2, n - 1
      do i = 2, n - 1
        b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
      end do
    end do
    change = 0
!HPF$ INDEPENDENT, NEW(i), REDUCTION(change)
    do j = 2, n - 1
      do i = 2, n - 1
        change = max(change, abs(b(i, j) - a(i, j)))
      end do
    end do
    do j = 2, n - 1
      do i = 2, n - 1
        a(i, j) = b(i, j)
      end do
    end do
  end do
  if (change < 0) print *, change
end program
";

/// The messages of a step are as few and as short as its data allow: each rank and its neighbour send each other one column or row of inner
/// points, which is one message for each pair and direction.
fn messages() -> Result<(), String> {
    // A column of a block is 8 * 254 bytes long all in all, whichever way the blocks lie.
    const LINE: u64 = 8 * 254;
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    for (map, ranks, messages, lines) in [
        ("*, BLOCK", 2, 2, 2),
        ("*, BLOCK", 4, 6, 6),
        ("BLOCK, *", 4, 6, 6),
        ("BLOCK, BLOCK", 4, 8, 4),
        ("BLOCK, BLOCK", 16, 48, 12),
    ] {
        let mut sent = Vec::new();
        for steps in [2, 7] {
            let source = directory.path().join("jacobi.f90");
            let text = JACOBI.replace("MAP", map).replace("STEPS", &steps.to_string());
            std::fs::write(&source, text).map_err(|e| e.to_string())?;
            let program = build(directory.path(), "jacobi", &[&source], &["-O1", "-fhpf"])?;
            let report = directory.path().join(format!("{steps}"));
            let _ = std::fs::remove_file(&report);
            let mut command = Command::new("timeout");
            command.arg("120").arg(&program).env("TRUELINE_NP", ranks.to_string()).env("TRUELINE_MESSAGES", &report);
            let status = command.status().map_err(|e| e.to_string())?;
            let report = std::fs::read_to_string(&report).map_err(|e| format!("{status}: {e}"))?;
            let number = |line: &str, k: usize| line.split(' ').nth(k).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
            let of_ranks: Vec<&str> = report.lines().filter(|l| l.split(' ').nth(2) == Some("messages")).collect();
            if of_ranks.len() != ranks {
                return Err(format!("{map} on {ranks} ranks: {report}"));
            }
            ledger(&report).map_err(|e| format!("{map} on {ranks} ranks: {e}: {report}"))?;
            sent.push([3, 5, 7].map(|k| of_ranks.iter().map(|line| number(line, k)).sum::<u64>()));
        }
        let found = [0, 1, 2].map(|k| sent[1][k] - sent[0][k]);
        let wanted = [5 * messages, 5 * lines * LINE, 5 * ranks as u64];
        if found != wanted {
            return Err(format!("{map} on {ranks} ranks: messages, bytes and reductions {found:?}, not {wanted:?}"));
        }
    }
    Ok(())
}

/// In the ledger of each rank the messages of all lines are those of the rank, and the six times add up to the time that has passed.
fn ledger(report: &str) -> Result<(), String> {
    let value = |line: &str, name: &str| {
        let mut words = line.split(' ').skip_while(|w| *w != name);
        words.nth(1).and_then(|n| n.parse::<f64>().ok()).unwrap_or(f64::NAN)
    };
    let of = |rank: &str, kind: &str| -> Vec<&str> {
        let start = format!("{rank} {kind} ");
        report.lines().filter(|l| l.starts_with(&start)).collect()
    };
    for line in report.lines().filter(|l| l.split(' ').nth(2) == Some("messages")) {
        let rank: String = line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        for name in ["messages", "bytes"] {
            let sum: f64 = of(&rank, "at").iter().map(|l| value(l, name)).sum();
            if sum != value(line, name) {
                return Err(format!("{rank}: {sum} {name} of lines"));
            }
        }
        let whole = of(&rank, "elapsed");
        let [whole] = whole.as_slice() else { return Err(format!("{rank} has no times")) };
        let names = ["user", "communication", "late-sender", "late-receiver", "library", "global"];
        let sum: f64 = names.iter().map(|n| value(whole, n)).sum();
        if (sum - value(whole, "elapsed")).abs() > 1e-5 || sum.is_nan() {
            return Err(format!("{rank}: times add up to {sum}"));
        }
    }
    Ok(())
}

/// A directive that maps two arrays anew sends one message from each rank to each other, with the elements that the receiver has not got,
/// and the ledger shows it at the line of the directive.
fn remapped() -> Result<(), String> {
    let text = "program p
  integer, parameter :: n = 16
  real(8) :: a(n, n), b(n, n)
!HPF$ DYNAMIC a, b
!HPF$ DISTRIBUTE a(BLOCK, *)
!HPF$ ALIGN b(i, j) WITH a(i, j)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = i + j
      b(i, j) = i - j
    end do
  end do
!HPF$ REDISTRIBUTE a(*, BLOCK)
  do j = 1, n
    do i = 1, n
      a(i, j) = a(i, j) + b(i, j)
    end do
  end do
!HPF$ REDISTRIBUTE a(BLOCK, *)
end program
";
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = directory.path().join("p.f90");
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let program = build(directory.path(), "p", &[&source], &["-O2", "-fhpf"])?;
    for ranks in [2usize, 4] {
        let report = directory.path().join(format!("report.{ranks}"));
        let mut command = Command::new("timeout");
        command.arg("120").arg(&program).env("TRUELINE_NP", ranks.to_string()).env("TRUELINE_MESSAGES", &report);
        let status = command.status().map_err(|e| e.to_string())?;
        let report = std::fs::read_to_string(&report).map_err(|e| format!("{status}: {e}"))?;
        let pairs = ranks * (ranks - 1);
        let block = 8 * (16 / ranks) * (16 / ranks);
        // The values of `b` are still there when it comes back.
        for (line, arrays) in [(14, 2), (20, 1)] {
            let own: Vec<Vec<&str>> = report
                .lines()
                .map(|l| l.split(' ').collect::<Vec<_>>())
                .filter(|w| w.get(2) == Some(&"at") && w[3].contains(&format!("p.f90:{line}")))
                .collect();
            let sum = |k: usize| own.iter().map(|w| w[k].parse::<usize>().unwrap_or(0)).sum::<usize>();
            if [sum(5), sum(7)] != [pairs, pairs * arrays * block] {
                return Err(format!("line {line} on {ranks} ranks: {pairs} messages wanted: {report}"));
            }
        }
        ledger(&report)?;
    }
    Ok(())
}

/// Numbers of ranks that are none, and a program that was not compiled for ranks.
fn refused() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = directory.path().join("one.f90");
    std::fs::write(&source, "print *, number_of_processors()\nend\n").map_err(|e| e.to_string())?;
    let program = build(directory.path(), "one", &[&source], &["-fhpf"])?;
    for text in ["0", "65", "-1", "many", ""] {
        let output = Command::new(&program).env("TRUELINE_NP", text).output().map_err(|e| e.to_string())?;
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.code() != Some(2) || !told.contains("not a number of ranks from 1 to 64") {
            return Err(format!("'{text}': {:?} {told}", output.status));
        }
    }
    let number = |o: Output| String::from_utf8_lossy(&o.stdout).trim().to_owned();
    let plain = build(directory.path(), "plain", &[&source], &[])?;
    let found = [number(run(&program, None)?), number(run(&program, Some(5))?), number(run(&plain, Some(5))?)];
    if found != ["1", "5", "1"] {
        return Err(format!("{found:?}"));
    }
    Ok(())
}
