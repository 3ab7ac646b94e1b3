//! `SetOfStmtInfo`: interned sets of source statements, and their taints.
//!
//! A member of a set is an [`Origin`]: a source statement and the chain of calls that it was inlined through. So a loop of
//! a procedure that is inlined at two calls is two members, and facts about one say nothing of the other.

use crate::{Serial, StmtInfos};
use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
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

/// An interned chain of calls, innermost first; [`Chain::NONE`] is the empty one. It belongs to one [`SetPool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Chain(u32);
entity_impl!(Chain, "chain");

impl Chain {
    /// Not inlined.
    pub const NONE: Chain = Chain(0);
}

/// A member of a set: a source statement, and the calls that it was inlined through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Origin {
    /// The source statement.
    pub stmt: Serial,
    /// The calls, the one of its own procedure first.
    pub via: Chain,
}

impl From<Serial> for Origin {
    fn from(stmt: Serial) -> Origin {
        Origin { stmt, via: Chain::NONE }
    }
}

/// The first call of a chain, and the chain of that call.
type Link = (Serial, Chain);

/// Most sets are small, and most of those have one member.
type Atoms = SmallVec<[Origin; 1]>;

/// The pool that interns sets.
#[derive(Clone)]
pub struct SetPool {
    sets: PrimaryMap<SetId, Atoms>,
    ids: FxHashMap<Atoms, SetId>,
    /// Number 0 is the empty chain, whose link means nothing.
    chains: PrimaryMap<Chain, Link>,
    chain_ids: FxHashMap<Link, Chain>,
}

impl Default for SetPool {
    fn default() -> SetPool {
        let mut chains = PrimaryMap::new();
        chains.push((Serial::from_u32(0), Chain::NONE));
        let (ids, chain_ids) = (FxHashMap::default(), FxHashMap::default());
        let mut pool = SetPool { sets: PrimaryMap::new(), ids, chains, chain_ids };
        let empty = pool.intern::<Origin>([]);
        debug_assert_eq!(empty, SetId::EMPTY);
        pool
    }
}

impl SetPool {
    /// The set of `atoms`.
    pub fn intern<T: Into<Origin>>(&mut self, atoms: impl IntoIterator<Item = T>) -> SetId {
        let mut atoms: Atoms = atoms.into_iter().map(Into::into).collect();
        atoms.sort_unstable();
        atoms.dedup();
        if self.ids.is_empty() {
            self.ids.extend(self.sets.iter().map(|(id, atoms)| (atoms.clone(), id)));
        }
        if let Some(&id) = self.ids.get(atoms.as_slice()) {
            return id;
        }
        let id = self.sets.push(atoms.clone());
        self.ids.insert(atoms, id);
        id
    }

    /// Gives back memory that the pool holds for growth.
    pub fn shrink(&mut self) {
        self.sets.shrink_to_fit();
        self.ids.shrink_to_fit();
    }

    /// Gives back the memory by which sets are found by their members, too, until a set is interned again.
    pub fn compact(&mut self) {
        self.sets.shrink_to_fit();
        self.ids = FxHashMap::default();
    }

    /// The members of `set`, sorted.
    pub fn atoms(&self, set: SetId) -> &[Origin] {
        &self.sets[set]
    }

    /// The source statements of `set`, sorted; one that was inlined at several calls comes several times.
    pub fn stmts(&self, set: SetId) -> impl DoubleEndedIterator<Item = Serial> + '_ {
        self.sets[set].iter().map(|o| o.stmt)
    }

    /// The chain that leads through `call`, which itself was inlined through `outer`.
    pub fn chain(&mut self, call: Serial, outer: Chain) -> Chain {
        let chains = &mut self.chains;
        *self.chain_ids.entry((call, outer)).or_insert_with(|| chains.push((call, outer)))
    }

    /// The calls of a chain, innermost first.
    pub fn calls(&self, chain: Chain) -> impl Iterator<Item = Serial> + '_ {
        let link = |c: Chain| (c != Chain::NONE).then(|| self.chains[c]);
        std::iter::successors(link(chain), move |&(_, outer)| link(outer)).map(|(call, _)| call)
    }

    /// The innermost call of a chain, as a member of a set; none for the empty chain.
    pub fn site(&self, chain: Chain) -> Option<Origin> {
        (chain != Chain::NONE).then(|| {
            let (stmt, via) = self.chains[chain];
            Origin { stmt, via }
        })
    }

    /// The statements around `o` in the source, innermost first: behind the procedure, if it is inlined, the call and
    /// the statements around the call.
    pub fn around<'a>(&'a self, infos: &'a StmtInfos, o: Origin) -> impl Iterator<Item = Origin> + 'a {
        std::iter::successors(Some(o), move |&o| {
            let info = infos.stmts.get(o.stmt)?;
            match info.parent.expand().filter(|_| !info.kind.is_procedure()) {
                Some(stmt) => Some(Origin { stmt, via: o.via }),
                None => self.site(o.via),
            }
        })
        .skip(1)
    }

    /// The chain of `other`'s member `origin` after the procedure was inlined at `call`.
    pub fn inlined(&mut self, other: &SetPool, origin: Origin, call: Origin) -> Origin {
        let calls: SmallVec<[Serial; 4]> = other.calls(origin.via).collect();
        let outermost = self.chain(call.stmt, call.via);
        let via = calls.into_iter().rev().fold(outermost, |outer, call| self.chain(call, outer));
        Origin { stmt: origin.stmt, via }
    }

    /// The union of all `sets`, made at once: the unions of the first few of thousands would be sets of their own, as long together as the square of their number.
    pub fn union_of(&mut self, sets: impl IntoIterator<Item = SetId>) -> SetId {
        let mut sets: SmallVec<[SetId; 8]> = sets.into_iter().filter(|&s| s != SetId::EMPTY).collect();
        sets.sort_unstable();
        sets.dedup();
        match *sets {
            [] => SetId::EMPTY,
            [one] => one,
            _ => {
                let all: Atoms = sets.iter().flat_map(|&s| self.atoms(s)).copied().collect();
                self.intern(all)
            }
        }
    }

    /// The union of `a` and `b`.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == SetId::EMPTY {
            return a;
        }
        if a == SetId::EMPTY {
            return b;
        }
        let both: SmallVec<[Origin; 8]> = self.atoms(a).iter().chain(self.atoms(b)).copied().collect();
        self.intern(both)
    }

    /// The number of sets.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is no set; never, since the empty set is always there.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// `@7` for a singleton, `@{3,7}` otherwise, `@{}` for the empty set; `7<4` is statement 7 inlined at call 4.
    pub fn display(&self, set: SetId) -> impl fmt::Display + '_ {
        Displayed { pool: self, set }
    }

    /// `@7`, or `@7<4` for statement 7 inlined at call 4.
    pub fn display_origin(&self, of: Origin) -> impl fmt::Display + '_ {
        DisplayedOrigin(self, of)
    }
}

struct Displayed<'a> {
    pool: &'a SetPool,
    set: SetId,
}

struct DisplayedOrigin<'a>(&'a SetPool, Origin);

impl fmt::Display for DisplayedOrigin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("@")?;
        write_origin(f, self.0, self.1)
    }
}

fn write_origin(f: &mut fmt::Formatter<'_>, pool: &SetPool, o: Origin) -> fmt::Result {
    write!(f, "{}", o.stmt.as_u32())?;
    pool.calls(o.via).try_for_each(|call| write!(f, "<{}", call.as_u32()))
}

impl fmt::Display for Displayed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let atoms = self.pool.atoms(self.set);
        if let &[one] = atoms {
            f.write_str("@")?;
            return write_origin(f, self.pool, one);
        }
        f.write_str("@{")?;
        for (i, &a) in atoms.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "," })?;
            write_origin(f, self.pool, a)?;
        }
        f.write_str("}")
    }
}

/// Changes of source statements that make a later look-alike untrustworthy. Monotone: a taint
/// is never taken back, and it survives elimination (condition C0 of the mapping).
#[derive(Clone, Default, Debug)]
pub struct Taints {
    /// `Xp`: an expand made copies of it.
    pub expanded: FxHashSet<Origin>,
    /// `Mv`: it moved across the boundary of a loop or conditional.
    pub moved: FxHashSet<Origin>,
}

impl Taints {
    /// Whether `o` is free of taints.
    pub fn is_clean(&self, o: Origin) -> bool {
        !self.expanded.contains(&o) && !self.moved.contains(&o)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_of_many_sets_makes_one_set() {
        let mut pool = SetPool::default();
        let sets: Vec<SetId> = (0..1000).map(|n| pool.intern([Serial::from_u32(n)])).collect();
        let before = pool.len();
        let all = pool.union_of(sets.iter().rev().copied().chain([SetId::EMPTY, sets[0]]));
        assert_eq!(pool.len(), before + 1);
        assert!(pool.stmts(all).eq((0..1000).map(Serial::from_u32)));
        assert_eq!(sets.iter().fold(SetId::EMPTY, |acc, &s| pool.union(acc, s)), all);
        assert_eq!((pool.union_of([]), pool.union_of([sets[3], SetId::EMPTY])), (SetId::EMPTY, sets[3]));
    }

    #[test]
    fn chains_grow_outwards() {
        let serial = Serial::from_u32;
        let (mut callee, mut caller) = (SetPool::default(), SetPool::default());
        let via = callee.chain(serial(8), Chain::NONE);
        let inner = Origin { stmt: serial(9), via };
        let there = caller.inlined(&callee, inner, serial(4).into());
        assert_eq!(caller.calls(there.via).collect::<Vec<_>>(), [serial(8), serial(4)]);
        let again = caller.inlined(&callee, inner, serial(4).into());
        assert_eq!(there, again);
        let other = caller.inlined(&callee, inner, serial(5).into());
        let set = caller.intern([there, other, serial(1).into()]);
        assert_eq!(caller.display(set).to_string(), "@{1,9<8<4,9<8<5}");
        let one = caller.intern([there]);
        assert_eq!(caller.display(one).to_string(), "@9<8<4");
    }
}
