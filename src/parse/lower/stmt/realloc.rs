//! Assignment to an allocatable: it takes the shape of the value (Fortran 2003, 7.4.1.3).
//!
//! ```text
//! a = b(2:n)      if (base.a == 0 .or. size of a /= n - 1) then
//!            =>     deallocate(base.a);  base.a = allocate(…);  lb.a = 1;  ub.a = n - 1
//!                 end if
//!                 a = b(2:n)
//! ```
//!
//! The bounds are those of the value if it is an array as a whole. A value that reads the memory
//! it would free, or the bounds that it would change, is stored to a temporary first.

use crate::array::Shape;
use crate::expr::Exprs;
use crate::values::{Descriptor, Str, Val};
use trueline_ir::{BinaryOp, Expr, ExprData};

impl Exprs<'_> {
    /// `target = value`, where the target is a whole allocatable.
    pub(crate) fn assign_allocatable(&mut self, d: &Descriptor, place: Val, value: Val) {
        let own = self.shape(place.e);
        let shape = self.shape(value.e);
        if self.rank(value.e) == 0 && self.rank(place.e) > 0 || own == shape && !own.is_empty() && d.len.is_none() {
            // It keeps its shape, whatever that is.
            self.store(place, value);
            return;
        }
        let frozen: Shape = shape.iter().map(|&n| self.in_register(n)).collect();
        let bounds = self.bounds_like(value);
        let value = Val { len: value.len.map(|l| self.in_register(l)), ..value };
        let len = value.len.filter(|_| d.len.is_some());
        let changes = self.may_overlap(place.e, value.e) || d.registers().any(|r| self.mentions(value.e, r));
        let value = if changes { self.stored(value, &frozen) } else { value };
        self.take_shape(d, place, &own, &frozen, &bounds, len);
        let place = match len {
            Some(len) => Val { len: Some(len), ..place },
            None => place,
        };
        if frozen.iter().all(|&n| self.known(n) != Some(0)) {
            self.store(place, value);
        }
    }

    /// The value in a temporary of its own.
    fn stored(&mut self, v: Val, shape: &[Expr]) -> Val {
        if let Some(id) = self.structure_at(v.e) {
            let temp = self.structure_temp(id, shape);
            let to = self.var(temp);
            self.set_defaults(to, id);
            self.store_structure(to, v.e, id);
            return Val::plain(to);
        }
        let own = self.ty(v.e);
        let temp = self.e.memory(own, v.len, shape);
        let to = Val { e: self.var(temp), len: v.len };
        self.store(to, v);
        match self.as_str(v) {
            Some(s) => Str { place: to.e, len: s.len }.into(),
            None => to,
        }
    }

    /// Allocates anew unless the extents (and the length) are these already.
    fn take_shape(
        &mut self,
        d: &Descriptor,
        place: Val,
        own: &[Expr],
        shape: &[Expr],
        bounds: &[Expr],
        len: Option<Expr>,
    ) {
        let (base, zero) = (self.var(d.base), self.int8(0));
        let mut differs = self.make(ExprData::Binary(BinaryOp::Eq, base, zero));
        let old = own.iter().copied().zip(shape.iter().copied());
        let lengths = d.len.map(|l| self.var(l)).zip(len);
        for (old, new) in old.chain(lengths) {
            let other = self.make(ExprData::Binary(BinaryOp::Ne, old, new));
            differs = self.make(ExprData::Binary(BinaryOp::Or, differs, other));
        }
        let (after, _) = self.open_if(differs);
        if let ExprData::Var(sym) = self.e.expr(place.e) {
            self.free_target(sym, d);
            let size = self.allocate_target(sym, d, bounds, len, false);
            let name = self.sym(sym).name.clone();
            self.note_target(sym, d, None, &name, size);
            self.initial_target(sym);
        }
        self.enter(after);
    }
}
