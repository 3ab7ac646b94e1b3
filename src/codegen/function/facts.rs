//! Facts about a whole unit that its translation asks for again and again.

use crate::expr::{Kept, is_long, region_keys};
use crate::function::cut::crossings;
use crate::function::needed::needed;
use crate::homes::homed;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{Callee, Head, Label, OptLevel, Stmt, Storage, Sym, Unit};
use trueline_provenance::Serial;

/// Facts about a unit at L.
pub(crate) struct Facts {
    /// The symbol whose alias region each symbol in memory uses.
    pub(crate) region_keys: FxHashMap<Sym, Sym>,
    /// The registers of a long unit that have places on the stack: with a value for each definition, the merging paths
    /// would make as many values as the unit has blocks, and the frame as large. In code that is not optimized, the
    /// registers that a debugger reads.
    pub(crate) kept: Kept,
    /// Registers that share the variable of another one.
    pub(crate) holders: FxHashMap<Sym, Sym>,
    /// The registers whose values are used; none if all are kept.
    needed: Option<FxHashSet<Sym>>,
    /// Labels of blocks that hardly ever run: they are placed after all others.
    pub(crate) cold: FxHashSet<Label>,
}

impl Facts {
    /// The facts about `unit`, whose code becomes several functions if `is_cut`.
    pub(crate) fn of(unit: &Unit, level: OptLevel, cold: &FxHashMap<Serial, [bool; 2]>, is_cut: bool) -> Facts {
        let kept = match (is_cut || is_long(unit) || unit.is_deep(), level) {
            (true, _) => Kept::All,
            (false, OptLevel::O0) => Kept::Some(homed(unit)),
            (false, _) => Kept::None,
        };
        Facts {
            region_keys: region_keys(unit),
            kept,
            holders: crate::variables::shared(unit),
            needed: (level > OptLevel::O0).then(|| needed(unit)),
            cold: cold_labels(unit, cold),
        }
    }

    /// Whether the value of a register is used.
    pub(crate) fn is_needed(&self, v: Sym) -> bool {
        self.needed.as_ref().is_none_or(|n| n.contains(&v))
    }
}

/// The registers of a unit that may be read before anything defines them: those whose first mention is no definition that
/// runs in any case. Such a register is zero then, as a temporary that was never allocated is when it is freed.
pub(crate) fn read_first(unit: &Unit) -> Vec<Sym> {
    let stmts: Vec<Stmt> = unit.stmts(unit.body()).collect();
    let passed_over = crossings(unit, &stmts);
    let (mut seen, mut out) = (FxHashSet::default(), Vec::new());
    for (&outer, over) in stmts.iter().zip(passed_over) {
        for s in unit.walk_stmt(outer) {
            let head = unit.head(s);
            let mut read: SmallVec<[Sym; 8]> =
                unit.values(head).into_iter().flat_map(|e| unit.registers_in(e)).collect();
            if let Head::Call { callee: Callee::Dummy(v), .. } | Head::GhostCall { callee: Callee::Dummy(v), .. } = head
            {
                read.push(v);
            }
            out.extend(read.into_iter().filter(|&v| seen.insert(v)));
            let runs = over == 0 && s == outer;
            out.extend(unit.may_define(head).into_iter().filter(|&v| seen.insert(v) && !runs));
        }
    }
    out.extend(unit.result().filter(|&v| seen.insert(v)));
    out.retain(|&v| matches!(unit.sym(v).storage, Storage::Register));
    out
}

/// The labels that only a cold arm of a conditional leads to.
fn cold_labels(unit: &Unit, cold: &FxHashMap<Serial, [bool; 2]>) -> FxHashSet<Label> {
    let mut out = FxHashSet::default();
    if cold.is_empty() {
        return out;
    }
    let (mut references, mut fallen_into) = (FxHashMap::<Label, u32>::default(), FxHashSet::default());
    let mut open = true;
    for s in unit.stmts(unit.body()).filter(|&s| !unit.head(s).is_invisible()) {
        let head = unit.head(s);
        for l in unit.targets(head) {
            *references.entry(l).or_default() += 1;
        }
        if let (Head::Label(l), true) = (head, open) {
            fallen_into.insert(l);
        }
        open = !head.is_jump() && !matches!(head, Head::Branch { .. });
        let Head::Branch { then, otherwise, .. } = head else { continue };
        let mut tests = unit.sources(s).filter_map(|o| cold.get(&o));
        if let (Some(arms), None) = (tests.next(), tests.next()) {
            out.extend([(arms[0], then), (arms[1], otherwise)].into_iter().filter(|(c, _)| *c).map(|(_, l)| l));
        }
    }
    out.retain(|l| references.get(l) == Some(&1) && !fallen_into.contains(l));
    out
}
