//! Static conservation (PROVENANCE section 9, 3): a source statement that was in the code of a unit is
//! still there, or the log says which edit took it away; and none appears that was not there.

use crate::entities::Sym;
use crate::expr::ExprData;
use crate::head::Head;
use crate::unit::Unit;
use std::collections::{BTreeMap, BTreeSet};
use trueline_provenance::{Edit, ExpandKind, Serial, Stmt, Transform};

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
        taints_told(unit, edits)?;
        shared_with_all(unit, edits)
    }
}

/// Whether the taints say what the log says: what was copied is tainted as expanded, and what left a body
/// with a set as moved.
fn taints_told(unit: &Unit, edits: &[Edit]) -> Result<(), String> {
    for e in edits {
        let (taint, name) = match e.transform {
            Transform::Expand(kind) if kind != ExpandKind::Lower => (&unit.taints.expanded, "expanded"),
            Transform::Move if e.before != e.after => (&unit.taints.moved, "moved"),
            _ => continue,
        };
        if let Some(s) = unit.sets.atoms(e.before).iter().find(|&&s| !taint.contains(s)) {
            return Err(format!("{s} was {name}, and no taint says so"));
        }
    }
    Ok(())
}

/// Whether a value that several statements came to share was computed for all of them: who reads the register is in the set
/// of a statement that defines it. A register that is copied or stored stands for the copy, too, whoever reads that.
fn shared_with_all(unit: &Unit, edits: &[Edit]) -> Result<(), String> {
    let shared = edits.iter().filter(|e| e.transform == Transform::Merge && e.with.is_none() && unit.is_live(e.stmt));
    let mut users: BTreeMap<Sym, BTreeSet<Serial>> = BTreeMap::new();
    for v in shared.filter_map(|e| unit.defines(unit.head(e.stmt))) {
        users.insert(v, BTreeSet::new());
    }
    if users.is_empty() {
        return Ok(());
    }
    let stmts: Vec<Stmt> = unit.walk().into_iter().filter(|&s| !unit.head(s).is_invisible()).collect();
    for &s in &stmts {
        if let Some(all) = unit.defines(unit.head(s)).and_then(|v| users.get_mut(&v)) {
            all.extend(unit.origins(s));
        }
        if let Head::Assign { value, .. } = unit.head(s)
            && let ExprData::Var(v) = unit.expr(value)
        {
            users.remove(&v);
        }
    }
    for &s in stmts.iter().filter(|&&s| !unit.origins(s).is_empty()) {
        let read = unit.registers_read(unit.head(s));
        if let Some(v) =
            read.into_iter().find(|v| users.get(v).is_some_and(|all| !unit.origins(s).iter().any(|o| all.contains(o))))
        {
            return Err(format!("{s} reads '{}', which was not computed for it", unit.sym(v).name));
        }
    }
    Ok(())
}

/// The source statements in the explicit sets of the code.
fn live(unit: &Unit) -> BTreeSet<Serial> {
    unit.walk().into_iter().flat_map(|s| unit.origins(s).to_vec()).collect()
}
