//! From a profile of an earlier run to counts of the statements that are being compiled.
//!
//! Procedures are matched by name and, where a name stands in several files, by file; the structural hash says whether their
//! statements are still the same. In these, a construct is identified by its distance from the beginning of the procedure.

use crate::driver::Failure;
use crate::runtime;
use std::collections::BTreeMap;
use std::path::Path;
use trueline_abi::profile::{Construct, Counts, Profile};
use trueline_abi::trips::{bucket, most_of};
use trueline_opt::{Feedback, Trips};
use trueline_provenance::{Serial, StmtInfos};

/// Reads and checks the profile in a file.
///
/// # Errors
/// A sentence that names the file.
pub fn load(path: &Path) -> Result<Profile, Failure> {
    let bytes = runtime::read(path).map_err(|e| Failure::User(format!("Cannot read '{}': {e}", path.display())))?;
    trueline_report::read(&bytes).map_err(|e| Failure::User(format!("'{}': {e}", path.display())))
}

/// The counts, and a sentence for each procedure that has changed since.
pub fn feedback(profile: &Profile, infos: &StmtInfos) -> (Feedback, Vec<String>) {
    let index = trueline_report::Index::new(profile);
    let mut by_name: BTreeMap<&str, Vec<&Construct>> = BTreeMap::new();
    for p in index.procedures() {
        by_name.entry(&p.text).or_default().push(p);
    }
    let mut inside: BTreeMap<u32, Vec<&Construct>> = BTreeMap::new();
    for c in &profile.constructs {
        inside.entry(index.procedure_of(c.serial)).or_default().push(c);
    }
    let (mut out, mut stale) = (Feedback::default(), Vec::new());
    for (procedure, hash) in infos.structures() {
        let info = &infos.stmts[procedure];
        let file = infos.files.get(info.file as usize).map_or("", |f| f.path.as_str());
        let Some(candidates) = by_name.get(info.text.as_str()) else { continue };
        let hash = format!("{hash:016x}");
        let same = |c: &&&Construct| c.hash.as_deref() == Some(hash.as_str());
        let found = candidates.iter().filter(same).find(|c| c.file == file).or_else(|| candidates.iter().find(same));
        match found {
            Some(old) => {
                for c in inside.get(&old.serial).into_iter().flatten() {
                    take(&mut out, infos, procedure, c, c.serial - old.serial);
                }
            }
            None => stale.push(format!(
                "'{}' ({file}:{}) has changed since the profile was taken; its counts are not used",
                info.text, info.line
            )),
        }
    }
    (out, stale)
}

/// The counts of one construct, if it is the statement that it should be.
fn take(out: &mut Feedback, infos: &StmtInfos, procedure: Serial, c: &Construct, distance: u32) {
    let Some(serial) = procedure.as_u32().checked_add(distance).map(Serial::from_u32) else { return };
    let Some(info) = infos.stmts.get(serial).filter(|i| i.kind.name() == c.kind && i.text == c.text) else { return };
    if !c.counts_exact {
        return;
    }
    let n = &c.counts;
    if info.kind.is_procedure() {
        out.procedures.extend(n.invocations.map(|calls| (serial, calls)));
    } else if let (true, Some(entries), Some(iterations)) = (info.kind.is_loop(), n.invocations, n.iterations) {
        let extremes = n.min_trips.zip(n.max_trips);
        let usual = usual(n);
        out.loops.insert(serial, Trips { entries, iterations, extremes, usual });
    } else if let (Some(evaluations), Some([first, ..])) = (n.evaluations, n.taken.as_deref())
        && matches!(c.kind.as_str(), "if_log" | "if_block" | "elseif")
    {
        out.arms.insert(serial, [*first, evaluations.saturating_sub(*first)]);
    }
}

/// The iterations of an entry in the bucket of the histogram that most iterations belong to: the mean of those entries, as far as
/// minimum, maximum and the sum over all buckets tell it; else the middle of the range that it must be in.
fn usual(n: &Counts) -> Option<u64> {
    let (trips, total) = (n.trips.as_deref()?, u128::from(n.iterations?));
    let (min, max) = n.min_trips.zip(n.max_trips)?;
    // The iterations that each bucket has at least and at most. The minimum is in the first, the maximum in the last.
    let (first, last) = (trips.first()?.0, trips.last()?.0);
    let range = |&(least, entries): &(u64, u64)| {
        let (from, to) = (least.max(min), most_of(bucket(least)).min(max).max(min));
        let all = |each: u64, one: u64| u128::from(each) * u128::from(entries.saturating_sub(1)) + u128::from(one);
        (all(from, if least == last { max } else { from }), all(to, if least == first { min } else { to }))
    };
    let sum = |s: (u128, u128), r: (u128, u128)| (s.0.saturating_add(r.0), s.1.saturating_add(r.1));
    let (low, high) = trips.iter().map(range).fold((0, 0), sum);
    // And as far as the other buckets leave them.
    let within = |b: &(u64, u64)| {
        let (from, to) = range(b);
        let least = from.max(total.saturating_sub(high.saturating_sub(to)));
        let most = to.min(total.saturating_sub(low.saturating_sub(from))).max(least);
        least + (most - least) / 2
    };
    let (iterations, entries) = trips.iter().filter(|b| b.1 > 0).map(|b| (within(b), b.1)).max()?;
    u64::try_from(iterations / u128::from(entries)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(range: (u64, u64), iterations: u64, trips: &[(u64, u64)]) -> Option<u64> {
        usual(&Counts {
            min_trips: Some(range.0),
            max_trips: Some(range.1),
            iterations: Some(iterations),
            trips: Some(trips.to_vec()),
            ..Counts::default()
        })
    }

    #[test]
    fn a_loop_that_is_short_but_for_once_is_short() {
        assert_eq!(of((2, 1_900_000), 3_900_000, &[(2, 1_000_000), (1 << 20, 1)]), Some(2));
        assert_eq!(of((2, 100_000), 2_100_000, &[(2, 1_000_000), (65536, 1)]), Some(2));
        // Most iterations are in the long ones.
        assert_eq!(of((2, 100_000), 120_000, &[(2, 10_000), (65536, 1)]), Some(100_000));
        assert_eq!(of((0, 100), 300, &[(0, 1000), (64, 3)]), Some(100));
        assert_eq!(of((5, 5), 15, &[(4, 3)]), Some(5));
        assert_eq!(of((0, 0), 0, &[(0, 3)]), Some(0));
        assert_eq!(of((0, 0), 0, &[]), None);
        assert!(of((3, u64::MAX), u64::MAX, &[(2, u64::MAX), (1 << 63, u64::MAX)]).is_some());
    }
}
