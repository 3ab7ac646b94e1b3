//! Assignments in a FORALL that is written out: all values are stored, then all are assigned.

use crate::control::Body;
use crate::control::forall::indices::IndexSet;
use crate::values::{Checked, Val};
use trueline_ir::{Expr, Sym, Type};
use trueline_syntax::ast::ExprId;

impl Body<'_> {
    /// An assignment that no subroutine defines; `active` says for which elements, in a WHERE.
    pub(crate) fn forall_values(&mut self, set: &IndexSet, active: Option<Sym>, target: ExprId, value: ExprId) {
        let typed = self.with_indices(set, |l| l.typing().of(target)).checked();
        let (ty, rank, structure) = (typed.ty, typed.rank(), typed.structure);
        let len = match structure {
            Some(id) => {
                let size = self.cx.decls.structures[id].size;
                Some(self.int8(size))
            }
            None if ty == Type::Char => Some(self.longest_target(set, typed.len, target)),
            None => None,
        };
        let stored = self.memory_of_indices(set, target);
        let n = if rank == 0 { set.count() } else { self.sum_of_sizes(set, |l| l.assignable(target).e) };
        let saved = match structure {
            Some(id) => self.owning_temp(id, n),
            None => self.memory(ty, len, &[n]),
        };
        let len = len.filter(|_| structure.is_none());
        let element = |l: &mut Self, k: Expr| Val { e: l.elem(saved, &[k]), len };
        let at = self.register("at", Type::I8);
        let zero = self.int8(0);
        self.e.set(at, zero);
        self.for_indices(set, |l, k| {
            let (place, v) = l.assignment_parts(target, value);
            l.check_conform(value, place.e, v.e);
            l.store_indices(place.e, &stored, k);
            l.each_element(place, v, (rank > 0).then_some(at), k, |l, _, value, k| {
                l.only_where(active, k);
                let to = element(l, k);
                l.store(to, value);
            });
        });
        self.e.set(at, zero);
        self.for_indices(set, |l, k| {
            let place = l.place_again(target, &stored, k);
            l.each_element(place, place, (rank > 0).then_some(at), k, |l, to, _, k| {
                l.only_where(active, k);
                let from = element(l, k);
                l.store(to, from);
            });
        });
        if let Some(id) = structure {
            let place = self.var(saved);
            self.free_structures(place, id);
        }
    }

    /// A length that no string of the target is longer than; `known` is the length of all of them.
    fn longest_target(&mut self, set: &IndexSet, known: Option<i64>, target: ExprId) -> Expr {
        if let Some(n) = known {
            return self.int8(n);
        }
        let root = self.root_of(target).checked();
        let span = self.ast.span(target);
        let sym = self.binding(root, span).sym;
        match self.sym(sym).len.expand().filter(|_| !self.structures.contains_key(&sym)) {
            Some(len) => len,
            None => self.longest(set, |l| l.assignable(target)),
        }
    }

    /// Calls `each` for the elements of a place and a value, and the number of the element: that of the index value, or
    /// if the place is an array the value of `counter`.
    pub(crate) fn each_element(
        &mut self,
        place: Val,
        value: Val,
        counter: Option<Sym>,
        number: Expr,
        each: impl FnOnce(&mut Self, Val, Val, Expr),
    ) {
        let Some(counter) = counter else { return each(self, place, value, number) };
        let value = if self.has_elements(value.e) { value } else { Val { e: self.in_memory(value.e), ..value } };
        let shape = self.shape(place.e);
        let (at, outer) = self.open_elements(&shape);
        let (k, one) = (self.var(counter), self.int8(1));
        let next = self.add(k, one);
        self.e.set(counter, next);
        let to = Val { e: self.element(place.e, &at), ..place };
        let from = Val { e: self.element(value.e, &at), ..value };
        each(self, to, from, k);
        self.enter(outer);
    }
}
