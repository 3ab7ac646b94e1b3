//! Assignments by a subroutine in a FORALL.
//!
//! The right sides of all index values are stored, with their shapes and lengths, then the subroutine is called for one after the
//! other (Fortran 95, 7.5.4.3: all expressions are evaluated before the first assignment).

use crate::control::Body;
use crate::control::forall::indices::IndexSet;
use crate::values::{Checked, Val};
use trueline_ir::{Expr, ExprData, Sym, Type};
use trueline_sema::types::structure::StructureId;
use trueline_syntax::ast::{ExprId, StmtId};

/// The right sides, by the number of the index value.
struct RightSides {
    /// The elements of all of them, one after the other.
    elements: Sym,
    ty: Type,
    structure: Option<StructureId>,
    /// The lengths of strings.
    lengths: Option<Sym>,
    /// The extents, an array for each dimension.
    extents: Vec<Sym>,
    /// The register with the number of elements so far, if they are arrays.
    counter: Option<Sym>,
}

impl Body<'_> {
    /// Whether a subroutine defines the assignment.
    pub(crate) fn assigns_by_procedure(&mut self, set: &IndexSet, target: ExprId, value: ExprId) -> bool {
        self.with_indices(set, |l| l.assigning_procedure(target, value).is_some())
    }

    /// An assignment by a subroutine: one call for each index value. `active` says for which elements, in a WHERE.
    pub(crate) fn forall_defined(
        &mut self,
        set: &IndexSet,
        active: Option<Sym>,
        s: StmtId,
        target: ExprId,
        value: ExprId,
    ) {
        let stored = self.memory_of_indices(set, target);
        let sides = self.memory_of_sides(set, value);
        self.start(sides.counter);
        self.for_indices(set, |l, k| {
            if !stored.is_empty() {
                let place = l.assignable(target);
                l.store_indices(place.e, &stored, k);
            }
            let v = l.expr(value);
            l.store_side(&sides, v, k);
        });
        self.start(sides.counter);
        let selected = active.map(|_| self.register("at", Type::I8));
        self.start(selected);
        self.for_indices(set, |l, k| {
            let side = l.side(&sides, k);
            l.evaluated.push((value, side));
            let mut masking = None;
            if active.is_some() || !stored.is_empty() {
                let place = l.place_again(target, &stored, k);
                l.evaluated.push((target, place));
                masking = active.zip(selected).map(|(active, counter)| l.selection(place.e, active, counter));
            }
            let outer = std::mem::replace(&mut l.masking, masking);
            l.defined_assignment(s, target, value);
            l.masking = outer;
            l.evaluated.clear();
            if let (Some(id), 1..) = (sides.structure, l.rank(side.e)) {
                l.free_structures(side.e, id);
            }
        });
        if let Some(id) = sides.structure {
            let all = self.var(sides.elements);
            self.free_structures(all, id);
        }
    }

    /// Sets a counter to 0.
    fn start(&mut self, counter: Option<Sym>) {
        if let Some(counter) = counter {
            let zero = self.int8(0);
            self.e.set(counter, zero);
        }
    }

    fn memory_of_sides(&mut self, set: &IndexSet, value: ExprId) -> RightSides {
        let typed = self.with_indices(set, |l| l.typing().of(value)).checked();
        let (ty, rank, structure) = (typed.ty, typed.rank(), typed.structure);
        let n = if rank == 0 { set.count() } else { self.sum_of_sizes(set, |l| l.expr(value).e) };
        let is_text = ty == Type::Char && structure.is_none();
        let elements = match structure {
            Some(id) => self.owning_temp(id, n),
            None if is_text => {
                let len = match typed.len {
                    Some(len) => self.int8(len),
                    None => self.longest(set, |l| l.expr(value)),
                };
                self.memory(ty, Some(len), &[n])
            }
            None => self.memory(ty, None, &[n]),
        };
        let number = |l: &mut Self| l.memory(Type::I8, None, &[set.count()]);
        let lengths = is_text.then(|| number(self));
        let extents = (0..rank).map(|_| number(self)).collect();
        let counter = (rank > 0).then(|| self.register("at", Type::I8));
        RightSides { elements, ty, structure, lengths, extents, counter }
    }

    /// Stores the right side `v` for the index value `k`.
    fn store_side(&mut self, sides: &RightSides, v: Val, k: Expr) {
        let shape = self.shape(v.e);
        let numbers = sides.extents.iter().copied().zip(shape);
        for (memory, number) in numbers.chain(sides.lengths.zip(v.len)) {
            let to = self.elem(memory, &[k]);
            self.assign(to, number);
        }
        let whole = self.sym(sides.elements).len.expand().filter(|_| sides.structure.is_none());
        self.each_element(v, v, sides.counter, k, |l, _, value, k| {
            let to = Val { e: l.elem(sides.elements, &[k]), len: whole };
            l.store(to, value);
        });
    }

    /// The right side that was stored for the index value `k`: an array is put together again.
    fn side(&mut self, sides: &RightSides, k: Expr) -> Val {
        let len = sides.lengths.map(|lengths| {
            let len = self.elem(lengths, &[k]);
            self.in_register(len)
        });
        let Some(counter) = sides.counter else {
            let element = self.elem(sides.elements, &[k]);
            return Val { e: self.first_characters(element, len), len };
        };
        let extents: Vec<Expr> = sides
            .extents
            .iter()
            .map(|&memory| {
                let extent = self.elem(memory, &[k]);
                self.in_register(extent)
            })
            .collect();
        let array = match sides.structure {
            Some(id) => self.structure_temp(id, &extents),
            None => self.memory(sides.ty, len, &extents),
        };
        let place = self.var(array);
        if let Some(id) = sides.structure.filter(|&id| self.cx.decls.structures[id].owns) {
            self.set_defaults(place, id);
        }
        let to = Val { e: place, len };
        self.each_element(to, to, Some(counter), k, |l, to, _, k| {
            let element = l.elem(sides.elements, &[k]);
            let from = Val { e: l.first_characters(element, len), len };
            l.store(to, from);
        });
        to
    }

    /// The first `len` characters of a string in memory for a longer one.
    fn first_characters(&mut self, element: Expr, len: Option<Expr>) -> Expr {
        match len {
            Some(len) => {
                let one = self.int8(1);
                self.make(ExprData::Substr(element, one, len))
            }
            None => element,
        }
    }

    /// The mask of a WHERE for the elements of a place, from those of all index values.
    fn selection(&mut self, place: Expr, active: Sym, counter: Sym) -> Expr {
        let shape = self.shape(place);
        let mask = self.memory(Type::L4, None, &shape);
        let mask = Val::plain(self.var(mask));
        self.each_element(mask, mask, Some(counter), place, |l, to, _, k| {
            let holds = l.elem(active, &[k]);
            l.assign(to.e, holds);
        });
        mask.e
    }
}
