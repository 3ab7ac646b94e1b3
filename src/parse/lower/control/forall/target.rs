//! The subscripts of a target in a FORALL that read the variable that is assigned.
//!
//! All of them are evaluated before the first assignment, so they are stored, by the number of the index value:
//! subscripts and bounds of sections and substrings one by one, the elements of vector subscripts one after the other.

use crate::control::Body;
use crate::control::forall::indices::IndexSet;
use crate::values::{Lowered, Val};
use smallvec::SmallVec;
use trueline_ir::{Expr, ExprData, List, Sym, Type};
use trueline_syntax::ast::{ArgValue, ExprId, ExprKind};

/// The memory of the indices of a target; none if they read nothing that is assigned.
pub(crate) struct Stored {
    /// An array for each index, and two for a vector subscript: the position before its first element, and its size.
    slots: Vec<Sym>,
    /// The elements of the vector subscripts, and the register with the number of them so far.
    elements: Option<(Sym, Sym)>,
}

impl Stored {
    /// Whether there is nothing to be stored.
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

/// Other expressions in place of the indices of a place.
type Other<'f, 'l> = &'f mut dyn FnMut(&mut Body<'l>, Expr) -> Expr;

impl<'a> Body<'a> {
    /// Memory for the indices of `target`, if they read the variable that is assigned.
    pub(crate) fn memory_of_indices(&mut self, set: &IndexSet, target: ExprId) -> Lowered<Stored> {
        let mut stored = Stored { slots: Vec::new(), elements: None };
        let Some(root) = self.root_of(target) else { return Ok(stored) };
        let (mut reads, mut most, mut has_vectors) = (false, 0, false);
        let mut x = target;
        loop {
            x = match self.ast.expr(x).kind {
                ExprKind::Component { base, .. } => base,
                ExprKind::Call { base, args } => {
                    for a in self.ast.args(args) {
                        let parts = match a.value {
                            ArgValue::Expr(x) => {
                                has_vectors |=
                                    self.with_indices(set, |l| l.typing().of(x).is_some_and(|t| t.rank() > 0));
                                [Some(x), None, None]
                            }
                            ArgValue::Section { lo, hi, step } => [lo.expand(), hi.expand(), step.expand()],
                            _ => [None; 3],
                        };
                        most += 3;
                        reads |= parts.into_iter().flatten().any(|x| self.mentions(x, root));
                    }
                    base
                }
                _ => break,
            };
        }
        if !reads {
            return Ok(stored);
        }
        stored.slots = (0..most).map(|_| self.memory(Type::I8, None, &[set.count()])).collect();
        if has_vectors {
            let n = self.size_of_vectors(set, target)?;
            let counter = self.register("at", Type::I8);
            let zero = self.int8(0);
            self.e.set(counter, zero);
            stored.elements = Some((self.memory(Type::I8, None, &[n]), counter));
        }
        Ok(stored)
    }

    /// Whether an expression mentions a variable.
    pub(crate) fn mentions(&self, x: ExprId, variable: trueline_sema::scope::symbol::SymbolId) -> bool {
        let mut reads = false;
        trueline_sema::visit::expressions(self.ast, x, &mut |x| {
            reads |= matches!(self.ast.expr(x).kind, ExprKind::Name(_)) && self.root_of(x) == Some(variable);
        });
        reads
    }

    /// The number of elements of all vector subscripts of a target, for all index values.
    fn size_of_vectors(&mut self, set: &IndexSet, target: ExprId) -> Lowered<Expr> {
        let total = self.register("n", Type::I8);
        let zero = self.int8(0);
        self.e.set(total, zero);
        self.for_indices(set, |l, _| {
            let place = l.assignable(target)?.e;
            l.map_indices(place, &mut |l, e| {
                if l.rank(e) > 0 {
                    let (so_far, n) = (l.var(total), l.size(e));
                    let sum = l.add(so_far, n);
                    l.e.set(total, sum);
                }
                e
            });
            Ok(())
        })?;
        Ok(self.var(total))
    }

    /// Stores the indices of a place for the index value `k`.
    pub(crate) fn store_indices(&mut self, place: Expr, stored: &Stored, k: Expr) {
        let mut slots = stored.slots.iter().copied();
        if !stored.is_empty() {
            self.map_indices(place, &mut |l, e| {
                l.store_index(e, stored, &mut slots, k);
                e
            });
        }
    }

    fn store_index(&mut self, e: Expr, stored: &Stored, slots: &mut dyn Iterator<Item = Sym>, k: Expr) {
        let Some(slot) = slots.next() else { return };
        let to = self.elem(slot, &[k]);
        let Some((elements, counter)) = stored.elements.filter(|_| self.rank(e) > 0) else {
            self.assign(to, e);
            return;
        };
        let before = self.var(counter);
        self.assign(to, before);
        let n = self.size(e);
        if let Some(slot) = slots.next() {
            let to = self.elem(slot, &[k]);
            self.assign(to, n);
        }
        let vector = if self.has_elements(e) { e } else { self.in_memory(e) };
        let (at, outer) = self.open_elements(&[n]);
        let one = self.int8(1);
        let next = self.add(before, one);
        self.e.set(counter, next);
        let to = self.elem(elements, &[before]);
        let value = self.element(vector, &at);
        self.assign(to, value);
        self.enter(outer);
    }

    /// `place` with the indices that were stored for the index value `k`, if any were.
    pub(crate) fn with_stored_indices(&mut self, place: Expr, stored: &Stored, k: Expr) -> Expr {
        if stored.is_empty() {
            return place;
        }
        let mut slots = stored.slots.iter().copied();
        self.map_indices(place, &mut |l, e| l.stored_index(e, stored, &mut slots, k))
    }

    /// The index that was stored in place of `e`.
    pub(crate) fn stored_index(
        &mut self,
        e: Expr,
        stored: &Stored,
        slots: &mut dyn Iterator<Item = Sym>,
        k: Expr,
    ) -> Expr {
        let Some(slot) = slots.next() else { return e };
        let first = self.elem(slot, &[k]);
        let Some((elements, _)) = stored.elements.filter(|_| self.rank(e) > 0) else { return first };
        let Some(slot) = slots.next() else { return first };
        let size = self.elem(slot, &[k]);
        let (before, one) = (self.in_register(first), self.int8(1));
        let (lo, hi) = (self.add(before, one), self.add(before, size));
        let hi = self.in_register(hi);
        let triplet = self.make(ExprData::Triplet(lo, hi, one));
        let list = self.b.list(&[triplet]);
        self.make(ExprData::Section(elements, list))
    }

    /// Rebuilds `place` with other subscripts and bounds, except constants.
    fn map_indices(&mut self, place: Expr, other: Other<'_, 'a>) -> Expr {
        match self.e.expr(place) {
            ExprData::Elem(sym, subs) => {
                let subs = self.other_indices(subs, other);
                self.make(ExprData::Elem(sym, subs))
            }
            ExprData::Section(sym, subs) => {
                let subs = self.other_indices(subs, other);
                self.make(ExprData::Section(sym, subs))
            }
            ExprData::Substr(base, lo, hi) => {
                let base = self.map_indices(base, other);
                let [lo, hi] = [lo, hi].map(|e| self.other_index(e, other));
                self.make(ExprData::Substr(base, lo, hi))
            }
            _ => place,
        }
    }

    fn other_indices(&mut self, list: List, other: Other<'_, 'a>) -> List {
        let old: SmallVec<[Expr; 4]> = self.list(list).iter().copied().collect();
        let new: SmallVec<[Expr; 4]> = old.into_iter().map(|e| self.other_index(e, other)).collect();
        self.b.list(&new)
    }

    fn other_index(&mut self, e: Expr, other: Other<'_, 'a>) -> Expr {
        match self.e.expr(e) {
            ExprData::Int(..) => e,
            ExprData::Triplet(lo, hi, step) => {
                let [lo, hi, step] = [lo, hi, step].map(|e| self.other_index(e, other));
                self.make(ExprData::Triplet(lo, hi, step))
            }
            _ => other(self, e),
        }
    }

    /// The place of a target, with the indices that were stored for the index value `k`.
    pub(crate) fn place_again(&mut self, target: ExprId, stored: &Stored, k: Expr) -> Lowered<Val> {
        let outer = self.is_unchecked;
        self.is_unchecked |= !stored.is_empty();
        let place = self.assignable(target);
        self.is_unchecked = outer;
        let place = place?;
        Ok(Val { e: self.with_stored_indices(place.e, stored, k), ..place })
    }

    /// The outer subscripts of a POINTER component, stored for the index value `k`.
    pub(crate) fn store_subscripts(&mut self, subscripts: &[Expr], stored: &Stored, k: Expr) {
        for (&e, &slot) in subscripts.iter().zip(&stored.slots) {
            let to = self.elem(slot, &[k]);
            self.assign(to, e);
        }
    }

    /// The subscripts that were stored in place of these.
    pub(crate) fn stored_subscripts(&mut self, subscripts: &[Expr], stored: &Stored, k: Expr) -> SmallVec<[Expr; 4]> {
        let mut slots = stored.slots.iter();
        subscripts.iter().map(|&e| slots.next().map_or(e, |&slot| self.elem(slot, &[k]))).collect()
    }
}
