//! Static conservation (PROVENANCE section 9, 3): a source statement that was in the code of a unit is
//! still there, or the log says which edit took it away; and none appears that was not there.

use crate::unit::Unit;
use std::collections::BTreeSet;
use trueline_provenance::{Edit, Serial, Transform};

/// What [`Snapshot::conserved`] compares with.
#[derive(Clone, Debug)]
pub struct Snapshot {
    live: BTreeSet<Serial>,
    expanded: Vec<Serial>,
    moved: Vec<Serial>,
    edits: usize,
}

impl Snapshot {
    /// Notes what is in the code of `unit` now.
    pub fn of(unit: &Unit) -> Snapshot {
        Snapshot {
            live: live(unit),
            expanded: unit.taints.expanded.iter().collect(),
            moved: unit.taints.moved.iter().collect(),
            edits: unit.log.edits.len(),
        }
    }

    /// The number of edits in the log then.
    pub fn edits(&self) -> usize {
        self.edits
    }

    /// Whether `unit` still accounts for every source statement that was in it. Inlining brings the
    /// statements of other procedures in: they are `welcome`.
    pub fn conserved(&self, unit: &Unit, welcome: &dyn Fn(Serial) -> bool) -> Result<(), String> {
        let Some(edits) = unit.log.edits.get(self.edits..) else {
            return Err("the log has become shorter".to_owned());
        };
        let after = live(unit);
        let eliminated: BTreeSet<Serial> = edits
            .iter()
            .filter(|e| e.transform == Transform::Eliminate)
            .flat_map(|e: &Edit| unit.sets.atoms(e.before).iter().copied())
            .collect();
        if let Some(lost) = self.live.difference(&after).find(|s| !eliminated.contains(s)) {
            return Err(format!("{lost} is no longer in any set, and no eliminate says why"));
        }
        if let Some(new) = after.difference(&self.live).find(|&&s| !welcome(s)) {
            return Err(format!("{new} is in a set, but was not in the unit"));
        }
        if self.expanded.iter().any(|&s| !unit.taints.expanded.contains(s))
            || self.moved.iter().any(|&s| !unit.taints.moved.contains(s))
        {
            return Err("a taint was taken back".to_owned());
        }
        Ok(())
    }
}

/// The source statements in the explicit sets of the code.
fn live(unit: &Unit) -> BTreeSet<Serial> {
    unit.walk().into_iter().flat_map(|s| unit.origins(s).to_vec()).collect()
}
