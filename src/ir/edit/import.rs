//! The verb behind inlining: statements of another unit come in.

use crate::declared::{Counterpart, InRegister, Inlined};
use crate::edit::{Editor, Place};
use crate::head::Head;
use crate::{Sym, Unit};
use smallvec::SmallVec;
use trueline_provenance::{ExpandKind, Origin, SetId, Stmt, Transform};

impl Editor<'_> {
    /// **Expand**, Lower: a statement of the called procedure stands at `at` as part of the expansion of the call. `from` is its
    /// set in the unit `callee`: it derives from the same source statements here, inlined at the call; `blocks` is the number of
    /// its blocks. Inlined code is an instance of its own, so no taint says that the procedure's
    /// statements exist in copies; the taints they have there come along.
    pub fn expand_inlined(
        &mut self,
        call: Stmt,
        head: Head,
        callee: &Unit,
        from: SetId,
        blocks: usize,
        at: Place,
    ) -> Stmt {
        let set = if crate::fault("inline_without_sets") {
            self.set(call)
        } else {
            self.inlined_set(call, callee, from, at == Place::Before(call) && !head.is_invisible())
        };
        let new = self.unit.new_stmt(head, set, blocks);
        self.attach(new, at);
        self.note_tally(head);
        if !head.is_invisible() {
            let before = self.set(call);
            self.record(Transform::Expand(ExpandKind::Lower), new, Some(call), before, None);
        }
        new
    }

    /// Records, for debug information, the symbols of this unit that the symbols of `callee`, inlined at `call`,
    /// became; `counterpart` maps those of procedures that were inlined into `callee`.
    pub fn note_inlined(
        &mut self,
        call: Stmt,
        callee: &Unit,
        places: Vec<(Sym, Counterpart)>,
        counterpart: &dyn Fn(&Counterpart) -> Option<Counterpart>,
    ) {
        let Some(site) = self.own_origin(call) else { return };
        let outermost = self.unit.sets.chain(site.stmt, site.via);
        self.unit.inlined.push(Inlined { via: outermost, symbol: callee.symbol().to_owned(), places });
        for inner in callee.inlined() {
            let there = Origin { stmt: site.stmt, via: inner.via };
            let via = self.unit.sets.inlined(callee.sets(), there, site).via;
            let places = inner.places.iter().filter_map(|(v, place)| Some((*v, counterpart(place)?))).collect();
            self.unit.inlined.push(Inlined { via, symbol: inner.symbol.clone(), places });
        }
    }

    /// Records, for debug information, that a register has the value of a part of a variable.
    pub fn note_in_register(&mut self, part: InRegister) {
        self.unit.in_registers.push(part);
    }

    /// The members of a set of `callee` as they are when it is inlined at `call`. An outermost statement stands for the call,
    /// too, which may be a part of an array statement or have left a loop.
    fn inlined_set(&mut self, call: Stmt, callee: &Unit, from: SetId, is_outermost: bool) -> SetId {
        // A call that was taken out of a loop stands for the loop, too, and an inlined one for its own call.
        let site = self.own_origin(call);
        let mut members: SmallVec<[Origin; 2]> = SmallVec::new();
        if is_outermost {
            members.extend(self.origins(call).iter().copied());
        }
        for &there in callee.sets().atoms(from) {
            let here = site.map_or(there.stmt.into(), |site| self.unit.sets.inlined(callee.sets(), there, site));
            if callee.taints.expanded.contains(&there) {
                self.unit.taints.expanded.insert(here);
            }
            if callee.taints.moved.contains(&there) {
                self.unit.taints.moved.insert(here);
            }
            members.push(here);
        }
        self.unit.sets.intern(members)
    }
}
