//! Array assignment, possibly under a mask.

use super::element::Ordinals;
use super::overlap::{Directions, NestLoop, base_of, directions, reads_array};
use super::{Axis, Lowering};
use crate::linear::difference;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::{Expr, ExprData, Head, Intrinsic, Sym, Type};

/// The loops of an assignment before they are opened: variables and ordinals, one an axis.
struct Nest {
    axes: SmallVec<[Axis; 4]>,
    vars: SmallVec<[Sym; 4]>,
    ordinals: Ordinals,
}

impl Lowering<'_, '_, '_> {
    /// `place = value`, where `mask` is true.
    pub(super) fn array_assign(&mut self, place: Expr, value: Expr, mask: Option<Expr>) {
        let mark = self.frees.len();
        self.ready.clear();
        let place = self.prepare_target(place);
        let Some(array) = base_of(self.ed, place) else { return };
        if mask.is_none() && self.assign_direct(place, value, array) {
            return self.free_to(mark);
        }
        let mask = mask.map(|m| self.prepare(m));
        let value = self.prepare(value);
        let value = self.pin(value, array);
        let nest = self.nest(place);
        match self.directions_of(&nest, place, value, mask) {
            Some(down) => self.store(&nest, &down, place, value, mask),
            None => {
                let mask = mask.map(|m| if reads_array(self.ed, &[m], array) { self.stored_mask(m) } else { m });
                let temp = self.temporary_beside(value_like(self, place, value), &nest.axes, Some(place));
                let temp = self.ed.var(temp);
                let first = self.nest(place);
                self.store(&first, &[], temp, value, mask);
                self.store(&nest, &[], place, temp, mask);
            }
        }
        self.free_to(mark);
        self.ready.clear();
    }

    /// Computes a function that would need a temporary straight into `place`, if none of its arguments is there.
    fn assign_direct(&mut self, place: Expr, value: Expr, array: Sym) -> bool {
        if self.ed.ty(value) != self.ed.ty(place) || self.ed.ty(place) == Type::Char {
            return false;
        }
        match self.ed.expr(value) {
            ExprData::Intrinsic(i, l) if i.is_transformational() && self.ed.pool().rank(value) > 0 => {
                let args: Ordinals = self.ed.list(l).iter().copied().collect();
                if reads_array(self.ed, &args, array) {
                    return false;
                }
                match i {
                    Intrinsic::Matmul => self.matmul_direct(place, &args),
                    Intrinsic::Eoshift => self.eoshift_direct(place, &args),
                    _ => return self.reduce_into(place, i, &args),
                }
                true
            }
            ExprData::Constructor(_, l) => {
                let items: Ordinals = self.ed.list(l).iter().copied().collect();
                if self.ed.pool().rank(place) != 1 || reads_array(self.ed, &items, array) {
                    return false;
                }
                self.constructor_into(place, l);
                true
            }
            _ => false,
        }
    }

    /// The left side with its bounds evaluated. A vector subscript that the assignment could change is
    /// copied.
    fn prepare_target(&mut self, place: Expr) -> Expr {
        let place = self.prepare(place);
        let ExprData::Section(array, l) = self.ed.expr(place) else { return place };
        let subs: Ordinals = self.ed.list(l).iter().copied().collect();
        let subs: Ordinals = subs
            .into_iter()
            .map(|x| {
                let vector = self.ed.pool().rank(x) > 0 && !matches!(self.ed.expr(x), ExprData::Triplet(..));
                if vector && reads_array(self.ed, &[x], array) {
                    let axes = self.axes(x);
                    self.copy_of(x, &axes)
                } else {
                    x
                }
            })
            .collect();
        let l = self.ed.make_list(&subs);
        self.ed.make(ExprData::Section(array, l))
    }

    /// A mask in a temporary.
    pub(super) fn stored_mask(&mut self, mask: Expr) -> Expr {
        let axes = self.axes(mask);
        self.copy_of(mask, &axes)
    }

    /// `value` with the scalars in it that read `array` evaluated now, before `array` changes.
    fn pin(&mut self, value: Expr, array: Sym) -> Expr {
        let mut scalars: Vec<Expr> = Vec::new();
        let mut todo = vec![value];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            if self.ed.pool().rank(e) > 0 {
                self.ed.pool().operands(e, |x| todo.push(x));
            } else if self.ed.ty(e) != Type::Char && reads_array(self.ed, &[e], array) {
                scalars.push(e);
            }
        }
        let mut pinned: FxHashMap<Expr, Expr> = FxHashMap::default();
        for e in scalars {
            let v = self.register("t", e);
            pinned.insert(e, self.ed.var(v));
        }
        if pinned.is_empty() {
            return value;
        }
        self.ed.map_expr(value, &mut |_, e| pinned.get(&e).copied())
    }

    /// Loops over the elements of `place`.
    fn nest(&mut self, place: Expr) -> Nest {
        let axes = self.axes(place);
        let vars: SmallVec<[Sym; 4]> = axes.iter().map(|_| self.ed.new_register("i", Type::I8)).collect();
        let ordinals = (0..axes.len())
            .map(|d| {
                let var = self.ed.var(vars[d]);
                difference(self.ed, var, axes[d].lo)
            })
            .collect();
        Nest { axes, vars, ordinals }
    }

    /// The directions (one an axis) in which the loops may run; none if a temporary is needed.
    fn directions_of(&mut self, nest: &Nest, place: Expr, value: Expr, mask: Option<Expr>) -> Option<Directions> {
        let written = self.element(place, &nest.ordinals);
        let mut reads: Vec<Expr> = vec![self.element(value, &nest.ordinals)];
        reads.extend(mask.map(|m| self.element(m, &nest.ordinals)));
        self.ed.pool().operands(written, |x| reads.push(x));
        let mut loops: SmallVec<[NestLoop; 4]> = SmallVec::new();
        for (&axis, &var) in nest.axes.iter().zip(&nest.vars).rev() {
            let n = self.extent(axis);
            loops.push(NestLoop { var, step: Some(1), trips: self.ed.pool().as_int(n) });
        }
        let outermost_first = directions(self.ed, written, &reads, &loops)?;
        Some(outermost_first.into_iter().rev().collect())
    }

    /// The loops, storing element by element.
    fn store(&mut self, nest: &Nest, down: &[bool], place: Expr, value: Expr, mask: Option<Expr>) {
        let at = self.at;
        self.open_planned(&nest.axes, &nest.vars, down);
        if let Some(mask) = mask {
            let cond = self.element(mask, &nest.ordinals);
            self.open(Head::If { cond });
        }
        let to = self.element(place, &nest.ordinals);
        let from = self.element(value, &nest.ordinals);
        self.assign(to, from);
        self.at = at;
    }
}

/// An expression that the temporary for `value` is declared like: characters have the length of the value.
fn value_like(low: &Lowering<'_, '_, '_>, place: Expr, value: Expr) -> Expr {
    if low.ed.ty(place) == Type::Char { value } else { place }
}
