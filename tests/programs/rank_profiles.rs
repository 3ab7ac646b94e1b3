//! Profiles of ranks: six times of each construct that add up, messages by statement, reference and directive, and sums of all ranks.

use crate::build::counts;
use crate::judge::are_alike;
use crate::ranks::{build, profile_of};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use trueline_report::Format;

/// Steps of Jacobi's method, with a procedure in C before each step that takes its time on rank 2.
const SLOWED: &str = "program slowed
  integer, parameter :: n = 128
  real(8) :: a(n, n), b(n, n)
  integer :: i, j, k
!HPF$ DISTRIBUTE a(*, BLOCK)
!HPF$ ALIGN b(i, j) WITH a(i, j)
  do j = 1, n
    do i = 1, n
      a(i, j) = i * j
      b(i, j) = 0
    end do
  end do
  do k = 1, 10
    call slow
    do j = 2, n - 1
      do i = 1, n
        b(i, j) = 0.5d0 * (a(i, j - 1) + a(i, j + 1))
      end do
    end do
    do j = 2, n - 1
      do i = 1, n
        a(i, j) = b(i, j)
      end do
    end do
  end do
end program
";

/// The procedure.
const SLOW: &str = "#include <stdlib.h>\n#include <unistd.h>\n\
    void slow_(void) { if (atoi(getenv(\"TRUELINE_RANK\")) == 2) usleep(20000); }\n";

/// The number of ranks.
const RANKS: u32 = 4;

/// The times of all ranks add up, the messages are those of the transport, and the wait for a slow rank stands at the line that needs its elements.
pub fn times() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).map(|()| path).map_err(|e| e.to_string())
    };
    let (source, c) = (write("slowed.f90", SLOWED)?, write("slow.c", SLOW)?);
    let program = build(directory.path(), "slowed", &[&source, &c], &["-O2", "-fhpf", "--profile"])?;
    let (json, ledger) = (directory.path().join("p.json"), directory.path().join("ledger"));
    let mut command = Command::new("timeout");
    command.arg("120").arg(&program).env("TRUELINE_NP", RANKS.to_string());
    let status = command.env("TRUELINE_PROFILE_FILE", &json).env("TRUELINE_MESSAGES", &ledger).status();
    if !status.map_err(|e| e.to_string())?.success() {
        return Err("the program failed".to_owned());
    }
    let ledger = std::fs::read_to_string(&ledger).map_err(|e| e.to_string())?;
    let mut waits = BTreeMap::new();
    let mut profiles = Vec::new();
    for rank in 0..RANKS {
        let bytes = std::fs::read(profile_of(&json, rank as usize)).map_err(|e| e.to_string())?;
        let profile = trueline_report::read(&bytes).map_err(|e| e.to_string())?;
        let [p] = profile.processors.as_slice() else { return Err("a rank is one processor".to_owned()) };
        if (p.rank, p.ranks) != (rank, Some(RANKS)) {
            return Err(format!("rank {} of {:?}", p.rank, p.ranks));
        }
        let own: u64 = p.own.values().map(|c| c.elapsed).sum();
        if Some(own + p.outside_ns.unwrap_or(0)) != p.elapsed_ns {
            return Err(format!("rank {rank}: {own} and {:?} of {:?}", p.outside_ns, p.elapsed_ns));
        }
        for c in p.own.values().chain(p.constructs.values()) {
            let parts = [c.user, c.communication, c.late_sender, c.late_receiver, c.runtime, c.global];
            if parts.iter().sum::<u64>() != c.elapsed || c.late_sender + c.late_receiver != c.synchronization {
                return Err(format!("rank {rank}: {c:?}"));
            }
        }
        let told = ledger.lines().find(|l| l.starts_with(&format!("rank {rank} messages "))).unwrap_or_default();
        let sums = |f: fn(&trueline_abi::profile::Communicates) -> u64| p.statements.iter().map(f).sum::<u64>();
        let (messages, size) = (sums(|s| s.messages), sums(|s| s.bytes));
        let by_array = sums(|s| s.references.iter().map(|r| r.messages).sum());
        let bytes_by_array = sums(|s| s.references.iter().map(|r| r.bytes).sum());
        if !told.starts_with(&format!("rank {rank} messages {messages} bytes {size} "))
            || (by_array, bytes_by_array) != (messages, size)
        {
            return Err(format!("rank {rank}: {messages} messages, {size} bytes, {by_array} by array: {told}"));
        }
        let nest = p.statements.iter().find(|s| s.line == 15).ok_or("nothing is said of line 15")?;
        let mapped = |r: &trueline_abi::profile::Reference| r.name == "a" && r.directive.ends_with("slowed.f90:5");
        if !nest.references.iter().all(mapped) || nest.messages == 0 {
            return Err(format!("rank {rank}: {nest:?}"));
        }
        waits.insert(rank, nest.late_sender);
        profiles.push(profile);
    }
    // Neighbours wait for rank 2 in the nest that needs its columns, in every step; it waits for nobody.
    let slept = 10 * 20_000_000;
    for rank in [1, 3] {
        if waits[&rank] < slept * 9 / 10 {
            return Err(format!("the neighbours did not wait for rank 2: {waits:?}"));
        }
        // A construct without a timer has that time, too, though no sample sees a rank that sleeps.
        let nest = profiles[rank as usize].constructs.iter().find(|c| c.line == 15).ok_or("no construct in line 15")?;
        if nest.time.is_none_or(|t| t.inclusive_ns < slept * 9 / 10) {
            return Err(format!("rank {rank} waited for {} ns, and the nest has {:?}", waits[&rank], nest.time));
        }
    }
    if waits[&2] > slept / 2 {
        return Err(format!("the slow rank waited: {waits:?}"));
    }
    sums(&program, &profiles)
}

/// A link that is slow on purpose shows as communication of the rank that sends by it, at the line that needs the elements, and as a wait of the one that
/// gets them.
pub fn slow_link() -> Result<(), String> {
    /// Seconds that a message takes more, and messages.
    const SLOWER: (f64, f64) = (0.02, 10.0);
    let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
    let source = directory.path().join("linked.f90");
    std::fs::write(&source, SLOWED.replace("    call slow\n", "")).map_err(|e| e.to_string())?;
    let program = build(directory.path(), "linked", &[&source], &["-O2", "-fhpf", "--profile"])?;
    let run = |link: &str| -> Result<Vec<(u64, u64)>, String> {
        let json = directory.path().join("p.json");
        let mut command = Command::new("timeout");
        command.arg("120").arg(&program).env("TRUELINE_NP", RANKS.to_string());
        let status = command.env("TRUELINE_PROFILE_FILE", &json).env("TRUELINE_LINK", link).status();
        if !status.map_err(|e| e.to_string())?.success() {
            return Err("the program failed".to_owned());
        }
        let of_rank = |rank: u32| {
            let bytes = std::fs::read(profile_of(&json, rank as usize)).map_err(|e| e.to_string())?;
            let profile = trueline_report::read(&bytes).map_err(|e| e.to_string())?;
            let [p] = profile.processors.as_slice() else { return Err("a rank is one processor".to_owned()) };
            // Without the line of the call the nest begins one line before.
            let nest = p.statements.iter().find(|s| s.line == 14).ok_or("nothing is said of line 14")?;
            Ok((nest.communication, nest.late_sender))
        };
        (0..RANKS).map(of_rank).collect()
    };
    let slow = run(&format!("{}:1e12@1-2", SLOWER.0))?;
    let wanted = SLOWER.0 * SLOWER.1 * 1e9;
    let (sends, waits) = (slow[1].0 as f64, slow[2].1 as f64);
    // The rest of the time is what other programs on this machine take.
    if sends < wanted * 0.98 || waits < wanted * 0.9 || slow[3].0 as f64 > wanted / 2.0 {
        return Err(format!("{slow:?}, where {wanted} is to be at rank 1"));
    }
    Ok(())
}

/// The sum of the ranks' profiles does not depend on their order, has the counts of one, and says if they differ.
fn sums(program: &Path, profiles: &[trueline_abi::profile::Profile]) -> Result<(), String> {
    let bytes = |p: &trueline_abi::profile::Profile| serde_json::to_string(p).map_err(|e| e.to_string());
    let merge = |list: &[trueline_abi::profile::Profile]| trueline_report::merge(list).map_err(|e| e.to_string());
    let sum = merge(profiles)?;
    let mut turned = profiles.to_vec();
    turned.reverse();
    turned.swap(0, 2);
    if bytes(&merge(&turned)?)? != bytes(&sum)? {
        return Err("the sum depends on the order".to_owned());
    }
    let (one, all) = (counts(&bytes(&profiles[0])?)?, counts(&bytes(&sum)?)?);
    if let Some((k, c)) = one.iter().find(|(k, c)| !all.get(*k).is_some_and(|f| are_alike(f, c))) {
        return Err(format!("{k:?}: {c:?} is {:?} in the sum", all.get(k)));
    }
    let mut other = profiles.to_vec();
    let c = other[3].constructs.iter_mut().find(|c| c.counts.iterations.is_some()).ok_or("no loop")?;
    let (serial, line) = (c.serial, c.line);
    c.counts.iterations = c.counts.iterations.map(|n| n + 1);
    let told = merge(&other)?;
    let reasons: Vec<(u32, &str)> = told
        .constructs
        .iter()
        .filter_map(|c| Some((c.line, c.reason.as_deref().filter(|r| r.contains("ranks"))?)))
        .collect();
    if reasons != [(line, "ranks 0 and 3 have different counts")] {
        return Err(format!("construct {serial}: {reasons:?}"));
    }
    let index = trueline_report::Index::new(&sum);
    let text = trueline_report::processors_text(&index, trueline_report::Style::default());
    for wanted in ["Ranks\n", "late sender", "Statements that communicate", "slowed.f90:15", "slowed.f90:5"] {
        if !text.contains(wanted) {
            return Err(format!("'{wanted}' is not in the report: {text}"));
        }
    }
    let cube = trueline_report::export(&index, Format::Cube, None)?;
    let cube = String::from_utf8_lossy(&cube);
    for wanted in ["late_sender", "late_receiver", "<uniq_name>messages<", "<uniq_name>bytes<", "rank 3"] {
        if !cube.contains(wanted) {
            return Err(format!("'{wanted}' is not in the Cube of {}", program.display()));
        }
    }
    Ok(())
}
