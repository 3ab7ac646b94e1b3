//! Array functions that put elements into another order or number, and MATMUL: computed into a
//! temporary.

use super::element::Ordinals;
use super::{Axis, Lowering};
use crate::linear::{add_scaled, product};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Intrinsic, List, Place, Sym, Type};

/// An item of an array constructor.
struct Item {
    value: Expr,
    offset: Expr,
    axes: SmallVec<[Axis; 4]>,
}

/// The prepared arguments of EOSHIFT.
struct EndOffShift {
    array: Expr,
    shift: Expr,
    boundary: Expr,
    dim: Expr,
}

impl Lowering<'_, '_, '_> {
    /// An array constructor, as a temporary. The place of an item follows from the extents before it.
    pub(super) fn constructor(&mut self, ty: Type, l: List) -> Expr {
        let (items, total) = self.constructor_items(l);
        let like = match items.first() {
            Some(item) => item.value,
            None => self.typed_zero(ty),
        };
        let axis = self.one_based(total);
        let temp = self.temporary(like, &[axis]);
        let temp = self.ed.var(temp);
        for item in items {
            self.put_in_order(temp, item.offset, item.value, &item.axes);
        }
        temp
    }

    /// An array constructor straight into the array `to` of rank one.
    pub(super) fn constructor_into(&mut self, to: Expr, l: List) {
        for item in self.constructor_items(l).0 {
            self.put_in_order(to, item.offset, item.value, &item.axes);
        }
    }

    /// The prepared items with their positions (from 0), and how many elements they have.
    fn constructor_items(&mut self, l: List) -> (Vec<Item>, Expr) {
        let values: Ordinals = self.ed.list(l).iter().copied().collect();
        let values: Ordinals = values.into_iter().map(|x| self.prepare(x)).collect();
        let mut offset = self.ed.int(Type::I8, 0);
        let mut items = Vec::new();
        for value in values {
            let axes = self.axes(value);
            let n = self.size(&axes);
            items.push(Item { value, offset, axes });
            offset = add_scaled(self.ed, offset, n, 1);
            offset = self.simple(offset);
        }
        (items, offset)
    }

    /// Stores the elements of `item` to the rank-one array `to` from position `offset` on.
    fn put_in_order(&mut self, to: Expr, offset: Expr, item: Expr, axes: &[Axis]) {
        let at = self.at;
        let ordinals = self.open_nest(axes);
        let position = self.element_order(axes, &ordinals);
        let position = add_scaled(self.ed, position, offset, 1);
        let to = self.element(to, &[position]);
        let from = self.element(item, &ordinals);
        self.assign(to, from);
        self.at = at;
    }

    /// The source of a RESHAPE to `total` elements in array element order; PAD supplies missing elements.
    pub(super) fn stored_in_order(&mut self, source: Expr, pad: Option<Expr>, total: Expr) -> Expr {
        let axes = self.axes(source);
        let available = self.size(&axes);
        let available = self.simple(available);
        let length = if pad.is_some() { self.ed.intrinsic(Intrinsic::Max, &[available, total]) } else { available };
        let length = match (self.ed.pool().as_int(available), self.ed.pool().as_int(total)) {
            (Some(a), Some(t)) if pad.is_some() => self.ed.int(Type::I8, a.max(t)),
            _ => self.simple(length),
        };
        let axis = self.zero_based(length);
        let temp = self.temporary(source, &[axis]);
        let temp = self.ed.var(temp);
        let zero = self.ed.int(Type::I8, 0);
        self.put_in_order(temp, zero, source, &axes);
        if let Some(pad) = pad {
            let pad = self.prepare(pad);
            let pad_axes = self.axes(pad);
            let pad_size = self.size(&pad_axes);
            let pad = if pad_axes.len() == 1 { pad } else { self.stored_in_order(pad, None, pad_size) };
            let one = self.ed.int(Type::I8, 1);
            let missing = Axis { lo: available, hi: add_scaled(self.ed, length, one, -1) };
            let at = self.at;
            let k = self.open_nest(&[missing])[0];
            let wrapped = self.ed.intrinsic(Intrinsic::Modulo, &[k, pad_size]);
            let from = self.element(pad, &[wrapped]);
            let position = add_scaled(self.ed, k, available, 1);
            let to = self.element(temp, &[position]);
            self.assign(to, from);
            self.at = at;
        }
        temp
    }

    /// A rank-one temporary of the given scalars.
    pub(super) fn vector_of(&mut self, items: &[Expr]) -> Expr {
        let n = self.ed.int(Type::I8, items.len() as i64);
        let axis = self.one_based(n);
        let temp = self.temporary(items[0], &[axis]);
        let temp = self.ed.var(temp);
        for (k, &item) in items.iter().enumerate() {
            let k = self.ed.int(Type::I8, k as i64);
            let to = self.element(temp, &[k]);
            self.assign(to, item);
        }
        temp
    }

    /// EOSHIFT(array, shift, boundary, dim), as a temporary.
    pub(super) fn eoshift(&mut self, args: &[Expr]) -> Expr {
        let shift = self.end_off_shift(args);
        let axes = self.axes(shift.array);
        let temp = self.temporary(shift.array, &axes);
        let temp = self.ed.var(temp);
        self.shift_into(temp, &shift);
        temp
    }

    /// `to = eoshift(…)` straight into `to`, which no argument aliases.
    pub(super) fn eoshift_direct(&mut self, to: Expr, args: &[Expr]) {
        let shift = self.end_off_shift(args);
        self.shift_into(to, &shift);
    }

    /// The prepared arguments of EOSHIFT.
    fn end_off_shift(&mut self, args: &[Expr]) -> EndOffShift {
        let array = self.prepare(args[0]);
        let shift = self.prepare(args[1]);
        let shift = self.ed.make(ExprData::Convert(Type::I8, shift));
        let dim = self.dim_argument(args.get(3).copied());
        let boundary = match args.get(2).copied().filter(|&b| self.ed.expr(b) != ExprData::None) {
            Some(b) => self.prepare(b),
            None if self.ed.ty(array) == Type::Char => self.ed.make_text(b" "),
            None => self.typed_zero(self.ed.ty(array)),
        };
        let shift = if self.ed.pool().rank(shift) == 0 { self.simple(shift) } else { shift };
        EndOffShift { array, shift, boundary, dim }
    }

    /// Stores the elements of the shifted array, or of the boundary where there are none, to `to`.
    fn shift_into(&mut self, to: Expr, &EndOffShift { array, shift, boundary, dim }: &EndOffShift) {
        let axes = self.axes(array);
        let d = self.constant_dim(dim, axes.len());
        let n = self.extent(axes[d]);
        let at = self.at;
        let ordinals = self.open_nest(&axes);
        let to = self.element(to, &ordinals);
        let mut others: Ordinals = ordinals.iter().copied().collect();
        others.remove(d);
        let shift = self.element(shift, &others);
        let moved = add_scaled(self.ed, ordinals[d], shift, 1);
        let zero = self.ed.int(Type::I8, 0);
        let low = self.ed.binary(BinaryOp::Ge, moved, zero);
        let high = self.ed.binary(BinaryOp::Lt, moved, n);
        let cond = self.ed.binary(BinaryOp::And, low, high);
        let s = self.emit(Head::If { cond });
        let [inside, outside] = *self.ed.blocks(s) else { unreachable!("IF has two blocks") };
        self.at = Place::End(inside);
        let mut source: Ordinals = ordinals.iter().copied().collect();
        source[d] = moved;
        let from = self.element(array, &source);
        self.assign(to, from);
        self.at = Place::End(outside);
        let from = self.element(boundary, &others);
        self.assign(to, from);
        self.at = at;
    }

    /// PACK(array, mask, vector), as a temporary.
    pub(super) fn pack(&mut self, args: &[Expr]) -> Expr {
        let array = self.prepare(args[0]);
        let mask = self.prepare(args[1]);
        let vector = args.get(2).copied().filter(|&v| self.ed.expr(v) != ExprData::None);
        let vector = vector.map(|v| self.prepare(v));
        let axes = self.axes(array);
        let length = match vector {
            Some(v) => {
                let axis = self.axes(v)[0];
                self.size_along(axis)
            }
            None => self.count_of(mask, &axes),
        };
        let length = self.simple(length);
        let axis = self.one_based(length);
        let temp = self.temporary(array, &[axis]);
        let temp = self.ed.var(temp);
        let zero = self.ed.int(Type::I8, 0);
        let packed = self.register("packed", zero);
        let at = self.at;
        let ordinals = self.open_nest(&axes);
        let cond = self.element(mask, &ordinals);
        self.open(Head::If { cond });
        let position = self.ed.var(packed);
        let to = self.element(temp, &[position]);
        let from = self.element(array, &ordinals);
        self.assign(to, from);
        self.step(packed);
        self.at = at;
        if let Some(vector) = vector {
            let one = self.ed.int(Type::I8, 1);
            let first = self.ed.var(packed);
            let rest = Axis { lo: first, hi: add_scaled(self.ed, length, one, -1) };
            let ordinal = self.open_nest(&[rest])[0];
            let position = add_scaled(self.ed, ordinal, first, 1);
            let to = self.element(temp, &[position]);
            let from = self.element(vector, &[position]);
            self.assign(to, from);
            self.at = at;
        }
        temp
    }

    /// The number of elements of the space `axes` that a mask selects.
    fn count_of(&mut self, mask: Expr, axes: &[Axis]) -> Expr {
        let zero = self.ed.int(Type::I8, 0);
        let count = self.register("count", zero);
        let at = self.at;
        let ordinals = self.open_nest(axes);
        let cond = self.element(mask, &ordinals);
        self.open(Head::If { cond });
        self.step(count);
        self.at = at;
        self.ed.var(count)
    }

    /// `v = v + 1`.
    pub(super) fn step(&mut self, v: Sym) {
        let (old, one) = (self.ed.var(v), self.ed.int(Type::I8, 1));
        let next = self.ed.binary(BinaryOp::Add, old, one);
        self.set(v, next);
    }

    /// UNPACK(vector, mask, field), as a temporary.
    pub(super) fn unpack(&mut self, args: &[Expr]) -> Expr {
        let [vector, mask, field] = [args[0], args[1], args[2]].map(|e| self.prepare(e));
        let axes = self.axes(mask);
        let temp = self.temporary(vector, &axes);
        let temp = self.ed.var(temp);
        let zero = self.ed.int(Type::I8, 0);
        let taken = self.register("taken", zero);
        let at = self.at;
        let ordinals = self.open_nest(&axes);
        let to = self.element(temp, &ordinals);
        let cond = self.element(mask, &ordinals);
        let s = self.emit(Head::If { cond });
        let [then, otherwise] = *self.ed.blocks(s) else { unreachable!("IF has two blocks") };
        self.at = Place::End(then);
        let position = self.ed.var(taken);
        let from = self.element(vector, &[position]);
        self.assign(to, from);
        self.step(taken);
        self.at = Place::End(otherwise);
        let from = self.element(field, &ordinals);
        self.assign(to, from);
        self.at = at;
        temp
    }

    /// MATMUL, as a temporary.
    pub(super) fn matmul(&mut self, e: Expr, args: &[Expr]) -> Expr {
        let (a, b) = (self.stored(args[0]), self.stored(args[1]));
        let axes = self.matmul_axes(a, b);
        let like = self.typed_zero(self.ed.ty(e));
        let temp = self.temporary(like, &axes);
        let temp = self.ed.var(temp);
        self.matmul_into(temp, a, b, &axes);
        temp
    }

    fn matmul_axes(&mut self, a: Expr, b: Expr) -> SmallVec<[Axis; 4]> {
        let (mut left, mut right) = (self.axes(a), self.axes(b));
        left.truncate(left.len() - 1);
        right.remove(0);
        left.extend(right);
        left
    }

    /// `c = matmul(a, b)` of stored arrays, neither of them `c`, in the order of gfortran's inline code:
    /// zeros first, then for each column of `b` and element in it a multiple of a column of `a`.
    pub(super) fn matmul_into(&mut self, c: Expr, a: Expr, b: Expr, axes: &[Axis]) {
        let at = self.at;
        let zero = self.typed_zero(self.ed.ty(c));
        let ordinals = self.open_nest(axes);
        let to = self.element(c, &ordinals);
        self.assign(to, zero);
        self.at = at;

        let (left, right) = (self.axes(a), self.axes(b));
        let summed = right[0];
        let (row, column): (Option<Axis>, Option<Axis>) =
            (left.first().copied().filter(|_| left.len() == 2), right.get(1).copied());
        // Innermost first: rows of `a` (stride one), then the sum, then columns of `b`; of a vector
        // times a matrix the sum is innermost.
        let space: SmallVec<[Axis; 4]> = row.into_iter().chain([summed]).chain(column).collect();
        let o = self.open_nest(&space);
        let l = usize::from(row.is_some());
        let i: Ordinals = o[..l].iter().copied().collect();
        let j: Ordinals = o[l + 1..].iter().copied().collect();
        let with = |x: &[Expr], y: &[Expr]| -> Ordinals { x.iter().chain(y).copied().collect() };
        let x = self.element(a, &with(&i, &[o[l]]));
        let y = self.element(b, &with(&[o[l]], &j));
        let to = self.element(c, &with(&i, &j));
        let (times, plus) = match self.ed.ty(c) {
            Type::L1 | Type::L2 | Type::L4 | Type::L8 => (BinaryOp::And, BinaryOp::Or),
            _ => (BinaryOp::Mul, BinaryOp::Add),
        };
        let term = self.ed.binary(times, x, y);
        let sum = self.ed.binary(plus, to, term);
        self.assign(to, sum);
        self.at = at;
    }

    /// `c = matmul(…)` straight into `c`, which no argument aliases.
    pub(super) fn matmul_direct(&mut self, c: Expr, args: &[Expr]) {
        let (a, b) = (self.stored(args[0]), self.stored(args[1]));
        let axes = self.axes(c);
        self.matmul_into(c, a, b, &axes);
    }

    /// `a * b` as `INTEGER(8)` values, simplified.
    pub(super) fn times(&mut self, a: Expr, b: Expr) -> Expr {
        product(self.ed, a, b)
    }
}
