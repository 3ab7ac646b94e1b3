//! `SetOfStmtInfo`: interned sets of source statements, and the taints of PROVENANCE section 1.

use crate::Serial;
use cranelift_entity::{EntitySet, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;

/// An interned `SetOfStmtInfo`. Equal sets have equal ids; [`SetId::EMPTY`] is the empty one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(u32);
entity_impl!(SetId, "set");

impl SetId {
    /// The empty set: the statement derives from no source statement (transform `null`).
    pub const EMPTY: SetId = SetId(0);
}

/// Most sets are small, and most of those have one member.
type Atoms = SmallVec<[Serial; 2]>;

/// The pool that interns sets.
#[derive(Clone)]
pub struct SetPool {
    sets: PrimaryMap<SetId, Atoms>,
    ids: FxHashMap<Atoms, SetId>,
}

impl Default for SetPool {
    fn default() -> SetPool {
        let mut pool = SetPool { sets: PrimaryMap::new(), ids: FxHashMap::default() };
        let empty = pool.intern([]);
        debug_assert_eq!(empty, SetId::EMPTY);
        pool
    }
}

impl SetPool {
    /// The set of `atoms`.
    pub fn intern(&mut self, atoms: impl IntoIterator<Item = Serial>) -> SetId {
        let mut atoms: Atoms = atoms.into_iter().collect();
        atoms.sort_unstable();
        atoms.dedup();
        if let Some(&id) = self.ids.get(atoms.as_slice()) {
            return id;
        }
        let id = self.sets.push(atoms.clone());
        self.ids.insert(atoms, id);
        id
    }

    /// The members of `set`, sorted.
    pub fn atoms(&self, set: SetId) -> &[Serial] {
        &self.sets[set]
    }

    /// The union of `a` and `b`.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == SetId::EMPTY {
            return a;
        }
        if a == SetId::EMPTY {
            return b;
        }
        let both: Vec<Serial> = self.atoms(a).iter().chain(self.atoms(b)).copied().collect();
        self.intern(both)
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is no set; never, since the empty set is always there.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// `@7` for a singleton, `@{3,7}` otherwise, `@{}` for the empty set.
    pub fn display(&self, set: SetId) -> impl fmt::Display + '_ {
        Displayed(self.atoms(set))
    }
}

struct Displayed<'a>(&'a [Serial]);

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use cranelift_entity::EntityRef;
        if let [one] = self.0 {
            return write!(f, "@{}", one.index());
        }
        f.write_str("@{")?;
        for (i, a) in self.0.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { "," }, a.index())?;
        }
        f.write_str("}")
    }
}

/// What happened to source statements that makes a later look-alike untrustworthy. Monotone: a taint
/// is never taken back, and it survives elimination (PROVENANCE sections 1 and 4, condition C0).
#[derive(Clone, Default, Debug)]
pub struct Taints {
    /// `Xp`: an expand made copies of it.
    pub expanded: EntitySet<Serial>,
    /// `Mv`: it moved across the boundary of a loop or conditional.
    pub moved: EntitySet<Serial>,
}

impl Taints {
    /// Whether `s` is free of taints.
    pub fn is_clean(&self, s: Serial) -> bool {
        !self.expanded.contains(s) && !self.moved.contains(s)
    }
}
