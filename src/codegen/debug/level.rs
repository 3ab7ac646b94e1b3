//! The levels of a unit: its own statements, and those of each procedure that was inlined into it.

use crate::debug::currency::{Doubts, ENTRY, FOREIGN, Mask, Reaching, root};
use crate::lines::{Owner, Piece, innermost};
use trueline_ir::declared::{Counterpart, Inlined};
use trueline_ir::{Head, Stmt, Sym, Unit};
use trueline_provenance::{Chain, Origin, Serial, SetId, StmtInfos};

/// A statement as it is named by a piece of code: the set, none at the end of the procedure, and its innermost member.
pub(crate) type Key = (Option<SetId>, Serial);

/// A procedure in optimized code.
#[derive(Clone, Copy)]
pub(crate) struct Level<'a> {
    /// The optimized unit.
    pub(crate) unit: &'a Unit,
    pub(crate) infos: &'a StmtInfos,
    /// The procedure in the source, lowered without optimization.
    pub(crate) source: &'a Unit,
    /// The symbols of the unit that stand for its symbols; none for the unit itself.
    pub(crate) inlined: Option<&'a Inlined>,
}

impl Level<'_> {
    /// The calls that it was inlined by.
    pub(crate) fn via(&self) -> Chain {
        self.inlined.map_or(Chain::NONE, |i| i.via)
    }

    /// Its symbol in the unit.
    pub(crate) fn here(&self, v: Sym) -> Option<Counterpart> {
        let Some(inlined) = self.inlined else { return Some(Counterpart::Own(v)) };
        let at = inlined.places.binary_search_by_key(&v, |p| p.0).ok()?;
        Some(inlined.places[at].1.clone())
    }

    /// The statement of the procedure that a member of a set is, or is called by.
    pub(crate) fn root(&self, o: Origin) -> Option<Serial> {
        root(self.unit, o, self.via())
    }

    /// The statement of the procedure that a piece of code belongs to.
    pub(crate) fn key(&self, piece: &Piece, set: Option<SetId>) -> Option<Key> {
        match piece.owner {
            Owner::End if self.inlined.is_none() => Some((None, self.unit.serial())),
            Owner::Entry | Owner::End => None,
            Owner::Stmt(o) => self.root(o).map(|serial| (set, serial)),
        }
    }

    /// The statements of the procedure that one of the unit stands for; none is the end of the unit.
    pub(crate) fn keys(&self, s: Option<Stmt>) -> Vec<Key> {
        let unit = self.unit;
        match s.filter(|&s| !is_end(unit, s)) {
            None if self.inlined.is_none() => vec![(None, unit.serial())],
            None => Vec::new(),
            Some(s) => {
                let set = unit.set(s);
                let members = innermost(unit, set, self.infos).into_iter().filter_map(|o| self.root(o));
                members.map(|serial| (Some(set), serial)).collect()
            }
        }
    }

    /// The definitions of the source that an optimized one stands for. A definition outside the inlined procedure
    /// counts as one at its entry.
    pub(crate) fn mask(&self, doubts: &Doubts, reaching: &Reaching, s: Stmt) -> Mask {
        self.mask_with(reaching, s, &mut |set, origin| doubts.doubt(self.unit, self.infos, set, origin))
    }

    /// The same, with the definitions that are dubious by `doubt`.
    pub(crate) fn mask_with(&self, reaching: &Reaching, s: Stmt, doubt: &mut dyn FnMut(SetId, Origin) -> bool) -> Mask {
        let set = self.unit.set(s);
        let atoms = self.unit.sets().atoms(set);
        let mut is_outside = self.inlined.is_some();
        let mut mask = 0;
        for &origin in atoms {
            let Some(serial) = self.root(origin) else { continue };
            is_outside = false;
            let of = reaching.mask_of(std::iter::once(serial));
            if of != 0 && doubt(set, origin) {
                return FOREIGN;
            }
            mask |= of;
        }
        if is_outside {
            return ENTRY;
        }
        if atoms.is_empty() {
            mask = reaching.mask_of(std::iter::once(self.unit.serial()));
        }
        if mask == 0 { FOREIGN } else { mask }
    }
}

/// Whether a statement belongs to the END statement of its procedure.
fn is_end(unit: &Unit, s: Stmt) -> bool {
    matches!(unit.head(s), Head::Return) && unit.sources(s).all(|o| o == unit.serial())
}
