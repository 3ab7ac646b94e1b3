//! Shapes of array expressions, their elements, and loops over them.
//!
//! An array expression's extents are `INTEGER(8)` expressions, constant where the source makes them so;
//! conformance is checked on the constant ones. Numeric array expressions stay whole for scalarization.
//! Operations that are spelled out here element by element (characters, input/output) go through
//! [`Emit::open_elements`] and [`Emit::element`].

pub(crate) mod constructor;
pub(crate) mod growing;

use crate::emit::Emit;
use crate::values::Val;
use smallvec::SmallVec;
use trueline_ir::{Block, Expr, ExprData, Intrinsic, Sym, Type};

/// Extents, leftmost dimension first.
pub(crate) type Shape = SmallVec<[Expr; 4]>;

impl Emit<'_> {
    /// The extents of `e`; empty for a scalar.
    pub(crate) fn shape(&mut self, e: Expr) -> Shape {
        if self.rank(e) == 0 {
            return Shape::new();
        }
        match self.expr(e) {
            ExprData::Var(v) => self.symbol_shape(v),
            ExprData::Section(_, subs) => {
                let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().filter(|&s| self.rank(s) > 0).collect();
                subs.into_iter().map(|s| self.subscript_count(s)).collect()
            }
            ExprData::Triplet(..) => [self.subscript_count(e)].into_iter().collect(),
            ExprData::Unary(_, a) | ExprData::Convert(_, a) | ExprData::Bitcast(_, a) | ExprData::Substr(a, ..) => {
                self.shape(a)
            }
            ExprData::Binary(_, a, b) => {
                let with_rank = if self.rank(a) > 0 { a } else { b };
                self.shape(with_rank)
            }
            ExprData::Constructor(_, items) => {
                let items: SmallVec<[Expr; 8]> = self.list(items).iter().copied().collect();
                [self.constructor_count(&items)].into_iter().collect()
            }
            ExprData::Intrinsic(i, args) => {
                let args: SmallVec<[Expr; 4]> = self.list(args).iter().copied().collect();
                self.intrinsic_shape(i, &args)
            }
            _ => Shape::new(),
        }
    }

    /// The declared extents of an array.
    pub(crate) fn symbol_shape(&mut self, v: Sym) -> Shape {
        let dims = self.sym(v).dims.clone();
        let one = self.int8(1);
        dims.iter()
            .map(|d| match d.upper.expand() {
                Some(upper) => self.count(d.lower, upper),
                None => one,
            })
            .collect()
    }

    fn subscript_count(&mut self, sub: Expr) -> Expr {
        match self.expr(sub) {
            ExprData::Triplet(lo, hi, step) => self.trips(lo, hi, step),
            _ => self.shape(sub)[0],
        }
    }

    /// The number of values of `lo : hi : step`.
    pub(crate) fn trips(&mut self, lo: Expr, hi: Expr, step: Expr) -> Expr {
        let known = |e: &Emit<'_>, x: Expr| e.pool().as_int(x);
        match (known(self, lo), known(self, hi), known(self, step)) {
            (_, _, Some(1)) => self.count(lo, hi),
            (Some(lo), Some(hi), Some(step)) if step != 0 => {
                let n = (i128::from(hi) - i128::from(lo) + i128::from(step)) / i128::from(step);
                self.int8(i64::try_from(n.max(0)).unwrap_or(i64::MAX))
            }
            _ => self.intrinsic(Intrinsic::Trip, &[lo, hi, step]),
        }
    }

    fn constructor_count(&mut self, items: &[Expr]) -> Expr {
        let mut n = self.int8(0);
        for &item in items {
            let k = self.size(item);
            n = self.add(n, k);
        }
        n
    }

    /// The number of elements of `e`; 1 for a scalar.
    pub(crate) fn size(&mut self, e: Expr) -> Expr {
        let shape = self.shape(e);
        self.product(&shape)
    }

    /// The product of extents.
    pub(crate) fn product(&mut self, extents: &[Expr]) -> Expr {
        let one = self.int8(1);
        extents.iter().fold(one, |n, &k| self.mul(n, k))
    }

    fn intrinsic_shape(&mut self, i: Intrinsic, args: &[Expr]) -> Shape {
        use Intrinsic as I;
        if !i.is_transformational() {
            let with_rank = args.iter().copied().find(|&a| self.rank(a) > 0);
            return with_rank.map_or_else(Shape::new, |a| self.shape(a));
        }
        let first = self.shape(args[0]);
        match i {
            I::Maxloc | I::Minloc if !self.is_present(args, 1) => [self.int8(first.len() as i64)].into_iter().collect(),
            I::Matmul => {
                let second = self.shape(args[1]);
                let (rows, columns) = (&first[..first.len() - 1], &second[1..]);
                rows.iter().chain(columns).copied().collect()
            }
            I::Transpose => first.into_iter().rev().collect(),
            I::Cshift | I::Eoshift => first,
            I::Spread => self.spread_shape(first, args[1], args[2]),
            I::Reshape => self.vector_elements(args[1]),
            I::Pack if self.is_present(args, 2) => self.shape(args[2]),
            I::Pack => [self.pack_count(args[0], args[1])].into_iter().collect(),
            I::Unpack => self.shape(args[1]),
            _ => self.without(first, args[1]),
        }
    }

    /// Whether argument `k` of a transformational intrinsic is there.
    pub(crate) fn is_present(&self, args: &[Expr], k: usize) -> bool {
        args.get(k).is_some_and(|&a| self.expr(a) != ExprData::None)
    }

    fn pack_count(&mut self, array: Expr, mask: Expr) -> Expr {
        if self.rank(mask) == 0 {
            let (n, zero) = (self.size(array), self.int8(0));
            return self.intrinsic(Intrinsic::Merge, &[n, zero, mask]);
        }
        let none = self.make(ExprData::None);
        let n = self.intrinsic(Intrinsic::Count, &[mask, none]);
        self.convert(Type::I8, n)
    }

    /// `shape` without dimension `dim` (an expression).
    fn without(&mut self, mut shape: Shape, dim: Expr) -> Shape {
        if let Some(k) = self.pool().as_int(dim) {
            if k >= 1 && (k as usize) <= shape.len() {
                shape.remove(k as usize - 1);
            }
            return shape;
        }
        (0..shape.len() - 1)
            .map(|k| {
                let at = self.int(self.ty(dim), k as i64 + 1);
                let gone = self.binary(trueline_ir::BinaryOp::Le, dim, at);
                self.intrinsic(Intrinsic::Merge, &[shape[k + 1], shape[k], gone])
            })
            .collect()
    }

    fn spread_shape(&mut self, mut shape: Shape, dim: Expr, copies: Expr) -> Shape {
        let n = self.convert(Type::I8, copies);
        let n = self.at_least_zero(n);
        let at = self.pool().as_int(dim).map_or(0, |k| (k.max(1) as usize - 1).min(shape.len()));
        shape.insert(at, n);
        shape
    }

    /// The elements of a rank-one array of constant size as `INTEGER(8)` scalars.
    pub(crate) fn vector_elements(&mut self, e: Expr) -> Shape {
        if let ExprData::Constructor(_, items) = self.expr(e) {
            let items: SmallVec<[Expr; 4]> = self.list(items).iter().copied().collect();
            if items.iter().all(|&x| self.rank(x) == 0) {
                return items.into_iter().map(|x| self.convert(Type::I8, x)).collect();
            }
        }
        let n = self.shape(e).first().and_then(|&n| self.pool().as_int(n)).unwrap_or(0);
        (1..=n.clamp(0, 15))
            .map(|k| {
                let k = self.int8(k);
                let x = self.element(e, &[k]);
                self.convert(Type::I8, x)
            })
            .collect()
    }

    /// The element of `e` at position `at` (from 1 in each dimension). `e` is built of places and
    /// elemental operations; anything else needs a temporary first ([`Emit::has_elements`]).
    pub(crate) fn element(&mut self, e: Expr, at: &[Expr]) -> Expr {
        if self.rank(e) == 0 {
            return e;
        }
        match self.expr(e) {
            ExprData::Var(v) => {
                let lowers: SmallVec<[Expr; 4]> = self.sym(v).dims.iter().map(|d| d.lower).collect();
                let one = self.int8(1);
                let subs: SmallVec<[Expr; 4]> =
                    lowers.iter().zip(at).map(|(&lower, &k)| self.offset(lower, k, one)).collect();
                self.elem(v, &subs)
            }
            ExprData::Section(v, subs) => {
                let subs: SmallVec<[Expr; 4]> = self.list(subs).iter().copied().collect();
                let mut next = at.iter().copied();
                let subs: SmallVec<[Expr; 4]> = subs
                    .into_iter()
                    .map(|s| if self.rank(s) == 0 { s } else { next.next().map_or(s, |k| self.subscript_at(s, k)) })
                    .collect();
                self.elem(v, &subs)
            }
            ExprData::Substr(base, lo, hi) => {
                let base = self.element(base, at);
                self.make(ExprData::Substr(base, lo, hi))
            }
            ExprData::Unary(op, a) => {
                let a = self.element(a, at);
                self.make(ExprData::Unary(op, a))
            }
            ExprData::Convert(ty, a) => {
                let a = self.element(a, at);
                self.convert(ty, a)
            }
            ExprData::Binary(op, a, b) => {
                let (a, b) = (self.element(a, at), self.element(b, at));
                self.make(ExprData::Binary(op, a, b))
            }
            ExprData::Constructor(_, items) => {
                let k = at.first().and_then(|&k| self.pool().as_int(k)).unwrap_or(1);
                let items = self.list(items);
                items.get(k as usize - 1).copied().unwrap_or(items[0])
            }
            ExprData::Intrinsic(i, args) => {
                let args: SmallVec<[Expr; 4]> = self.list(args).iter().copied().collect();
                let args: SmallVec<[Expr; 4]> = args.into_iter().map(|a| self.element(a, at)).collect();
                self.intrinsic(i, &args)
            }
            _ => e,
        }
    }

    /// Whether [`Emit::element`] can take elements of `e` at any position.
    pub(crate) fn has_elements(&self, e: Expr) -> bool {
        let mut fine = true;
        self.visit_expr(e, &mut |x| {
            fine &= match self.expr(x) {
                ExprData::Constructor(..) => false,
                ExprData::Intrinsic(i, _) => !i.is_transformational(),
                _ => true,
            }
        });
        fine
    }

    fn subscript_at(&mut self, sub: Expr, k: Expr) -> Expr {
        match self.expr(sub) {
            ExprData::Triplet(lo, _, step) => self.offset(lo, k, step),
            _ => self.element(sub, &[k]),
        }
    }

    /// `lower + (k - 1) * step`, written so that constants come together.
    fn offset(&mut self, lower: Expr, k: Expr, step: Expr) -> Expr {
        let one = self.int8(1);
        if self.pool().as_int(step) == Some(1) {
            let less = self.sub(lower, one);
            return self.add(k, less);
        }
        let before = self.sub(k, one);
        let distance = self.mul(before, step);
        self.add(lower, distance)
    }

    /// Opens a nest of loops over positions in `shape`, the last dimension outermost. Gives the
    /// position (leftmost first) and the block to return to.
    pub(crate) fn open_elements(&mut self, shape: &[Expr]) -> (Shape, Block) {
        let outer = self.block();
        let mut at = Shape::new();
        for &n in shape.iter().rev() {
            let (k, _) = self.open_count(n);
            at.insert(0, k);
        }
        (at, outer)
    }

    /// The number (from 1) of the element at `at` in array element order; 1 for a scalar.
    pub(crate) fn position(&mut self, at: &[Expr], shape: &[Expr]) -> Expr {
        let one = self.int8(1);
        let (mut sum, mut stride) = (one, one);
        for (&k, &n) in at.iter().zip(shape) {
            let steps = self.sub(k, one);
            let distance = self.mul(steps, stride);
            sum = self.add(sum, distance);
            stride = self.mul(stride, n);
        }
        sum
    }

    /// The value of the array expression `e` in memory: itself if it is a whole variable, else a
    /// temporary that is assigned it.
    pub(crate) fn in_memory(&mut self, e: Expr) -> Expr {
        if let ExprData::Var(v) = self.expr(e)
            && !self.sym(v).is_register()
            && self.sym(v).is_contiguous()
        {
            return e;
        }
        let shape = self.shape(e);
        let temp = self.memory(self.ty(e), None, &shape);
        let place = self.var(temp);
        self.assign(place, e);
        place
    }

    /// An array as a value, whose lower bounds are 1.
    pub(crate) fn without_bounds(&mut self, v: Val) -> Val {
        let ExprData::Var(sym) = self.expr(v.e) else { return v };
        let dims = self.sym(sym).dims.clone();
        if dims.iter().all(|d| self.pool().as_int(d.lower) == Some(1)) {
            return v;
        }
        let one = self.int8(1);
        let whole: Option<SmallVec<[Expr; 4]>> =
            dims.iter().map(|d| Some(self.make(ExprData::Triplet(d.lower, d.upper.expand()?, one)))).collect();
        let Some(whole) = whole else { return v };
        let list = self.b.list(&whole);
        Val { e: self.make(ExprData::Section(sym, list)), ..v }
    }
}
