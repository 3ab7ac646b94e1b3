//! Static conservation (docs/provenance.md, Checks): a source statement that was in the code of a unit is still there,
//! or the log says which edit took it away; and no source statement appears that was not there.

use crate::edit::MOST_SOURCES;
use crate::entities::Sym;
use crate::expr::ExprData;
use crate::head::{Head, Level};
use crate::unit::Unit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use trueline_provenance::{Chain, Edit, Origin, Serial, SetId, Stmt, StmtInfos, StmtKind, Transform, Why};

/// The sources and taints of a unit at one moment, for [`Snapshot::conserved`].
#[derive(Clone, Debug)]
pub struct Snapshot {
    live: BTreeSet<Origin>,
    expanded: FxHashSet<Origin>,
    moved: FxHashSet<Origin>,
    edits: usize,
}

impl Snapshot {
    /// Notes the sources that are in the code of `unit` now.
    pub fn of(unit: &Unit) -> Snapshot {
        Snapshot {
            live: live(unit),
            expanded: unit.taints.expanded.clone(),
            moved: unit.taints.moved.clone(),
            edits: unit.log.edits.len(),
        }
    }

    /// The number of edits in the log at that time.
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
        let eliminated: BTreeSet<Origin> = edits
            .iter()
            .filter(|e| e.transform == Transform::Eliminate)
            .flat_map(|e: &Edit| unit.sets.atoms(e.before).iter().copied())
            .collect();
        if let Some(lost) = self.live.difference(&after).find(|s| !eliminated.contains(s)) {
            let lost = lost.stmt;
            return Err(format!("{lost} is no longer in any set, and no eliminate says why"));
        }
        let inlines = edits.iter().any(|e| e.why.is_some_and(Why::is_inlining));
        let is_new = |o: &&Origin| if o.via == Chain::NONE { !welcome(o.stmt) } else { !inlines };
        if let Some(new) = after.difference(&self.live).find(is_new) {
            let new = new.stmt;
            return Err(format!("{new} is in a set, but was not in the unit"));
        }
        if !self.expanded.is_subset(&unit.taints.expanded) || !self.moved.is_subset(&unit.taints.moved) {
            return Err("a taint was taken back".to_owned());
        }
        taints_told(unit, edits)?;
        shared_with_all(unit, edits)
    }
}

/// Whether the taints agree with the log: copied statements are tainted as expanded, and statements that left a body with a set
/// as moved.
fn taints_told(unit: &Unit, edits: &[Edit]) -> Result<(), String> {
    for e in edits {
        let (taint, name) = match e.transform {
            Transform::Expand(kind) if kind.copies() => (&unit.taints.expanded, "expanded"),
            Transform::Move if e.before != e.after => (&unit.taints.moved, "moved"),
            _ => continue,
        };
        if let Some(s) = unit.sets.atoms(e.before).iter().find(|&s| !taint.contains(s)) {
            let s = s.stmt;
            return Err(format!("{s} was {name}, and no taint says so"));
        }
    }
    Ok(())
}

/// Whether a value that several statements came to share was computed for all of them: each reader of the register is
/// in the set of a statement that defines it. A register that is copied or stored stands for every reader of the copy,
/// too.
fn shared_with_all(unit: &Unit, edits: &[Edit]) -> Result<(), String> {
    let shared = edits.iter().filter(|e| e.transform == Transform::Merge && e.with.is_none() && unit.is_live(e.stmt));
    let mut users: BTreeMap<Sym, BTreeSet<Origin>> = BTreeMap::new();
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

/// Whether every statement lies in each construct that its sources stand in: the construct is in its explicit set, or
/// in that of a statement around it. So the time of a construct is that of the code that names it (law P4 of times: a
/// statement that leaves a body takes along the set of the statement that it left).
///
/// # Errors
/// The first statement that left a loop, region or IF without saying so.
pub fn placed(unit: &Unit, infos: &StmtInfos) -> Result<(), String> {
    if unit.level >= Level::L {
        return Ok(());
    }
    let is_construct = |o: &Origin| {
        infos.stmts.get(o.stmt).is_some_and(|i| i.kind.is_loop() || i.kind.is_region() || i.kind == StmtKind::IfBlock)
    };
    let mut todo: Vec<(Stmt, usize)> = unit.stmts(unit.body).rev().map(|s| (s, 0)).collect();
    // The explicit sets of the statements around the one looked at, and how many of them have each origin.
    let mut open: Vec<SetId> = Vec::new();
    let mut named: FxHashMap<Origin, usize> = FxHashMap::default();
    // Equal sets in a row in the same place are checked once.
    let mut last = None;
    let mut all = None;
    while let Some((s, depth)) = todo.pop() {
        for set in open.drain(depth..) {
            for o in unit.sets.atoms(set) {
                named.entry(*o).and_modify(|n| *n -= 1);
            }
        }
        let head = unit.head(s);
        if head.is_invisible() || matches!(head, Head::Label(_) | Head::Goto(_)) {
            continue;
        }
        let set = unit.set(s);
        if last != Some((set, unit.parent(s))) && unit.sets.atoms(set).len() < MOST_SOURCES / 2 {
            for &o in unit.sets.atoms(set) {
                let is_named = |c: &Origin| named.get(c).is_some_and(|&n| n > 0) || unit.sets.atoms(set).contains(c);
                // Constructs around a named construct were checked where it is named. A FORALL that the front end made
                // loops of is in no set at all.
                for c in unit.sets.around(infos, o).filter(is_construct).take_while(|c| !is_named(c)) {
                    if all.get_or_insert_with(|| live(unit)).contains(&c) {
                        let [own, left] = [o, c].map(|o| unit.sets.display_origin(o).to_string());
                        return Err(format!("{s} of {own} stands outside of {left}, and its set does not say so"));
                    }
                }
            }
            last = Some((set, unit.parent(s)));
        }
        open.push(set);
        for o in unit.sets.atoms(set) {
            *named.entry(*o).or_insert(0) += 1;
        }
        for &b in unit.blocks(s).iter().rev() {
            todo.extend(unit.stmts(b).rev().map(|x| (x, depth + 1)));
        }
    }
    Ok(())
}

/// The source statements in the explicit sets of the code.
fn live(unit: &Unit) -> BTreeSet<Origin> {
    unit.walk().into_iter().flat_map(|s| unit.origins(s).to_vec()).collect()
}
