//! From a profile of an earlier run to counts of the statements that are being compiled.
//!
//! Procedures are matched by name and, where a name stands in several files, by file; the structural hash says whether their
//! statements are still the same. In those that are, a construct is the one as far from its procedure as it was.

use crate::driver::Failure;
use crate::runtime;
use std::collections::BTreeMap;
use std::path::Path;
use trueline_abi::profile::{Construct, Profile};
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
        out.loops.insert(serial, Trips { entries, iterations, extremes });
    } else if let (Some(evaluations), Some([first, ..])) = (n.evaluations, n.taken.as_deref())
        && matches!(c.kind.as_str(), "if_log" | "if_block" | "elseif")
    {
        out.arms.insert(serial, [*first, evaluations.saturating_sub(*first)]);
    }
}
