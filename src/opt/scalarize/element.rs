//! Elements of array expressions.

use super::{Axis, Lowering};
use crate::linear::{add_scaled, product};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic, List, Sym, Type, UnaryOp};

/// Subscripts, or ordinals along the axes of an expression.
pub(super) type Ordinals = SmallVec<[Expr; 4]>;

impl Lowering<'_, '_, '_> {
    /// The iteration space of a prepared array expression, with natural bounds where it has any: loops
    /// over `a(2:n)` run from 2 to n.
    pub(super) fn axes(&mut self, e: Expr) -> SmallVec<[Axis; 4]> {
        match self.ed.expr(e) {
            ExprData::Var(s) => self.declared_axes(s),
            ExprData::Section(_, l) => {
                let subs: Ordinals = self.ed.list(l).iter().copied().filter(|&x| self.ed.pool().rank(x) > 0).collect();
                subs.into_iter().map(|x| self.section_axis(x)).collect()
            }
            ExprData::Intrinsic(i, l) if i.is_transformational() => self.rearranged_axes(i, l),
            _ => {
                let mut first = None;
                self.ed.pool().operands(e, |x| {
                    if first.is_none() && self.ed.pool().rank(x) > 0 {
                        first = Some(x);
                    }
                });
                first.map_or_else(SmallVec::new, |x| self.axes(x))
            }
        }
    }

    fn declared_axes(&mut self, s: Sym) -> SmallVec<[Axis; 4]> {
        let dims = self.ed.sym(s).dims.clone();
        let axis = |d: &trueline_ir::Dim| {
            // An assumed-size array has no extent; as a whole it stands in no expression.
            let hi = d.upper.expand().unwrap_or(d.lower);
            Axis { lo: d.lower, hi }
        };
        dims.iter().map(axis).collect()
    }

    fn section_axis(&mut self, sub: Expr) -> Axis {
        let ExprData::Triplet(lo, hi, step) = self.ed.expr(sub) else { return self.axes(sub)[0] };
        if self.ed.pool().as_int(step) == Some(1) {
            return Axis { lo: self.simple(lo), hi: self.simple(hi) };
        }
        let trips = self.ed.trips([lo, hi, step]);
        let trips = self.simple(trips);
        self.zero_based(trips)
    }

    /// The axis of `n` elements, from 0.
    pub(super) fn zero_based(&mut self, n: Expr) -> Axis {
        let (zero, one) = (self.ed.int(Type::I8, 0), self.ed.int(Type::I8, 1));
        Axis { lo: zero, hi: add_scaled(self.ed, n, one, -1) }
    }

    /// The axis of `n` elements, from 1.
    pub(super) fn one_based(&mut self, n: Expr) -> Axis {
        Axis { lo: self.ed.int(Type::I8, 1), hi: n }
    }

    fn rearranged_axes(&mut self, i: Intrinsic, l: List) -> SmallVec<[Axis; 4]> {
        let args: Ordinals = self.ed.list(l).iter().copied().collect();
        match i {
            Intrinsic::Transpose => {
                let mut axes = self.axes(args[0]);
                axes.swap(0, 1);
                axes
            }
            Intrinsic::Spread => {
                let mut axes = if self.ed.pool().rank(args[0]) > 0 { self.axes(args[0]) } else { SmallVec::new() };
                let at = self.constant_dim(args[1], axes.len() + 1);
                let new = self.one_based(args[2]);
                axes.insert(at, new);
                axes
            }
            Intrinsic::Reshape => {
                let shape = self.shape_argument(args[1]);
                shape.into_iter().map(|n| self.one_based(n)).collect()
            }
            _ => self.axes(args[0]),
        }
    }

    /// The members of a prepared SHAPE argument.
    pub(super) fn shape_argument(&mut self, shape: Expr) -> Ordinals {
        let ExprData::Constructor(_, l) = self.ed.expr(shape) else { unreachable!("prepared") };
        self.ed.list(l).iter().copied().collect()
    }

    /// DIM, from 0. It must be a constant; anything else counts as the last dimension.
    pub(super) fn constant_dim(&self, dim: Expr, rank: usize) -> usize {
        let dim = self.constant_value(dim).unwrap_or(rank as i64);
        (dim.clamp(1, rank.max(1) as i64) - 1) as usize
    }

    fn constant_value(&self, e: Expr) -> Option<i64> {
        match self.ed.expr(e) {
            ExprData::Int(_, v) => Some(v),
            ExprData::Convert(_, e) => self.constant_value(e),
            _ => None,
        }
    }

    /// The element of the prepared expression `e` at `ordinals` (from 0, one an axis).
    pub(super) fn element(&mut self, e: Expr, ordinals: &[Expr]) -> Expr {
        if self.ed.pool().rank(e) == 0 {
            return e;
        }
        match self.ed.expr(e) {
            ExprData::Var(s) => {
                let lower: Ordinals = self.ed.sym(s).dims.iter().map(|d| d.lower).collect();
                let subs: Ordinals = (0..lower.len()).map(|d| add_scaled(self.ed, ordinals[d], lower[d], 1)).collect();
                self.elem(s, &subs)
            }
            ExprData::Section(s, l) => {
                let subs: Ordinals = self.ed.list(l).iter().copied().collect();
                let mut axis = ordinals.iter();
                let subs: Ordinals = subs
                    .into_iter()
                    .map(|x| {
                        if self.ed.pool().rank(x) == 0 {
                            return x;
                        }
                        let o = *axis.next().expect("one ordinal an axis");
                        self.subscript(x, o)
                    })
                    .collect();
                self.elem(s, &subs)
            }
            ExprData::Substr(base, lo, hi) => {
                let base = self.element(base, ordinals);
                self.ed.make(ExprData::Substr(base, lo, hi))
            }
            ExprData::Unary(op, a) => {
                let a = self.element(a, ordinals);
                self.ed.make(ExprData::Unary(op, a))
            }
            ExprData::Binary(op, a, b) => {
                let (a, b) = (self.element(a, ordinals), self.element(b, ordinals));
                self.ed.binary(op, a, b)
            }
            ExprData::Convert(ty, a) => {
                let a = self.element(a, ordinals);
                self.ed.make(ExprData::Convert(ty, a))
            }
            ExprData::Bitcast(ty, a) => {
                let a = self.element(a, ordinals);
                self.ed.make(ExprData::Bitcast(ty, a))
            }
            ExprData::Intrinsic(i, l) => {
                let args: Ordinals = self.ed.list(l).iter().copied().collect();
                self.intrinsic_element(i, &args, ordinals)
            }
            _ => e,
        }
    }

    fn intrinsic_element(&mut self, i: Intrinsic, args: &[Expr], ordinals: &[Expr]) -> Expr {
        match i {
            Intrinsic::Transpose => self.element(args[0], &[ordinals[1], ordinals[0]]),
            Intrinsic::Spread => {
                let mut rest: Ordinals = ordinals.into();
                rest.remove(self.constant_dim(args[1], ordinals.len()));
                self.element(args[0], &rest)
            }
            Intrinsic::Cshift => self.shifted(args, ordinals),
            Intrinsic::Reshape => {
                let position = self.reshape_position(args, ordinals);
                self.element(args[0], &[position])
            }
            _ => {
                let args: Ordinals = args.iter().map(|&a| self.element(a, ordinals)).collect();
                self.ed.intrinsic(i, &args)
            }
        }
    }

    /// CSHIFT: a scalar shift has been reduced to `0 .. n-1` by `prepare`, so that one comparison wraps.
    fn shifted(&mut self, args: &[Expr], ordinals: &[Expr]) -> Expr {
        let d = self.constant_dim(args[2], ordinals.len());
        let axis = self.axes(args[0])[d];
        let n = self.extent(axis);
        let mut to: Ordinals = ordinals.into();
        to[d] = if self.ed.pool().rank(args[1]) == 0 {
            let moved = add_scaled(self.ed, ordinals[d], args[1], 1);
            let wrapped = add_scaled(self.ed, moved, n, -1);
            let over = self.ed.binary(BinaryOp::Ge, moved, n);
            self.ed.intrinsic(Intrinsic::Merge, &[wrapped, moved, over])
        } else {
            let mut others: Ordinals = ordinals.into();
            others.remove(d);
            let shift = self.element(args[1], &others);
            let moved = add_scaled(self.ed, ordinals[d], shift, 1);
            self.ed.intrinsic(Intrinsic::Modulo, &[moved, n])
        };
        self.element(args[0], &to)
    }

    /// The position (from 0) in the source of a RESHAPE; ORDER says which dimension varies fastest.
    fn reshape_position(&mut self, args: &[Expr], ordinals: &[Expr]) -> Expr {
        let shape = self.shape_argument(args[1]);
        let order: SmallVec<[usize; 4]> = match args.get(3).map(|&o| self.ed.expr(o)) {
            Some(ExprData::Constructor(_, l)) => {
                let members: Ordinals = self.ed.list(l).iter().copied().collect();
                members.into_iter().map(|m| self.constant_dim(m, shape.len())).collect()
            }
            _ => (0..shape.len()).collect(),
        };
        let mut position = self.ed.int(Type::I8, 0);
        let mut stride = self.ed.int(Type::I8, 1);
        for d in order {
            let step = product(self.ed, ordinals[d], stride);
            position = add_scaled(self.ed, position, step, 1);
            stride = product(self.ed, stride, shape[d]);
        }
        position
    }

    /// The subscript at ordinal `o` of a triplet or vector subscript.
    fn subscript(&mut self, sub: Expr, o: Expr) -> Expr {
        let ExprData::Triplet(lo, _, step) = self.ed.expr(sub) else {
            let e = self.element(sub, &[o]);
            return self.ed.widen(e);
        };
        match self.ed.pool().as_int(step) {
            Some(k) => add_scaled(self.ed, lo, o, k),
            None => {
                let far = product(self.ed, o, step);
                add_scaled(self.ed, lo, far, 1)
            }
        }
    }

    /// `s(subs)`.
    pub(super) fn elem(&mut self, s: Sym, subs: &[Expr]) -> Expr {
        let l = self.ed.make_list(subs);
        self.ed.make(ExprData::Elem(s, l))
    }

    /// `.not. e`.
    pub(super) fn not(&mut self, e: Expr) -> Expr {
        self.ed.make(ExprData::Unary(UnaryOp::Not, e))
    }

    /// The position (from 0) in array element order, and the extents it is made of.
    pub(super) fn element_order(&mut self, axes: &[Axis], ordinals: &[Expr]) -> Expr {
        let mut position = self.ed.int(Type::I8, 0);
        let mut stride = self.ed.int(Type::I8, 1);
        for (d, &axis) in axes.iter().enumerate() {
            let step = product(self.ed, ordinals[d], stride);
            position = add_scaled(self.ed, position, step, 1);
            let n = self.extent(axis);
            stride = product(self.ed, stride, n);
        }
        position
    }
}
