//! Reductions: one accumulator, elements in array element order, so that sums round as gfortran's do.
//!
//! ```text
//! s = sum(a(:,k), mask=m)   =>   acc = 0
//!                                do i = 1, n
//!                                  if (m(i)) acc = acc + a(i,k)
//! ```

use super::element::Ordinals;
use super::{Axis, FRAME_LIMIT, Lowering};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Callee, Expr, ExprData, Head, Intrinsic, Place, Quad, Rt, Type};

/// A reduction in progress.
struct Accumulator {
    kind: Intrinsic,
    /// The result so far: a register, or an element of an array.
    value: Expr,
    /// MAXLOC, MINLOC: the position so far, one place a reduced dimension.
    position: SmallVec<[Expr; 4]>,
    /// MAXVAL, MINVAL with a mask: nothing was seen yet, or how much was, as an integer. NORM2: the scale.
    extra: Option<Expr>,
    /// Whether one comparison decides about an element.
    quick: bool,
}

impl Lowering<'_, '_, '_> {
    /// A reduction, as a register, or as a temporary if it leaves dimensions over.
    pub(super) fn reduction(&mut self, e: Expr, i: Intrinsic, args: &[Expr]) -> Expr {
        let (i, array, dim, mask) = self.operands_of(i, args);
        let array = self.prepare(array);
        let mask = mask.map(|m| self.prepare(m));
        let axes = self.axes(array);
        let result_rank = self.ed.pool().rank(e);
        let whole = dim.is_none() || axes.len() == 1;
        if whole && result_rank == 0 {
            return self.reduce(i, array, mask, &axes, &mut SmallVec::new(), None)[0];
        }
        if whole {
            let all = self.reduce(i, array, mask, &axes, &mut SmallVec::new(), None);
            return self.vector_of(&all);
        }
        let d = self.constant_dim(dim.expect("not whole"), axes.len());
        let mut outer = axes.clone();
        outer.remove(d);
        let like = self.typed_zero(self.ed.ty(e));
        let temp = self.temporary(like, &outer);
        let temp = self.ed.var(temp);
        self.reduce_along(temp, i, array, mask, &axes, d);
        temp
    }

    /// As [`Lowering::reduction`], of one dimension, straight into `target`; false if that is impossible.
    pub(super) fn reduce_into(&mut self, target: Expr, i: Intrinsic, args: &[Expr]) -> bool {
        if !is_reduction(i) {
            return false;
        }
        let (i, array, dim, mask) = self.operands_of(i, args);
        let Some(dim) = dim.filter(|_| self.ed.pool().rank(array) > 1) else { return false };
        if self.goes_through_all(target, array, dim) {
            return false;
        }
        let array = self.prepare(array);
        let mask = mask.map(|m| self.prepare(m));
        let axes = self.axes(array);
        let d = self.constant_dim(dim, axes.len());
        self.reduce_along(target, i, array, mask, &axes, d);
        true
    }

    /// Whether the results go from rank to rank, and owners take theirs behind that: `target` is mapped itself.
    fn goes_through_all(&mut self, target: Expr, array: Expr, dim: Expr) -> bool {
        let is_mapped =
            super::overlap::base_of(self.ed, target).is_some_and(|s| self.ed.sym(s).mapping.expand().is_some());
        if !self.context.hpf || !is_mapped {
            return false;
        }
        let rank = self.ed.pool().rank(array);
        let d = self.constant_dim(dim, usize::from(rank));
        let axes = self.axes(target);
        let count = self.size(&axes);
        let bytes = self.ed.pool().as_int(count).map(|n| n.saturating_mul(self.ed.ty(target).size() as i64));
        bytes.is_none_or(|n| n <= FRAME_LIMIT) && self.is_shared_along(array, d)
    }

    /// Each element of `target` becomes a reduction along axis `d`.
    fn reduce_along(&mut self, target: Expr, i: Intrinsic, array: Expr, mask: Option<Expr>, axes: &[Axis], d: usize) {
        if !self.runs_along_memory(i, array, d) || !self.has_room_beside(target, i, array, mask, axes, d) {
            return self.reduce_one_by_one(target, i, array, mask, axes, d);
        }
        let ty = self.ed.ty(array);
        // An accumulator of each column is faster, but the first of two runs for NaNs has none: one rank alone goes on as it would without others.
        let is_slower = d == 0 && is_extreme(i) && nan(ty).is_some() || beside(i, ty, mask.is_some()).is_some();
        let at = self.at;
        if is_slower {
            let count = self.ed.new_register("ranks", Type::I4);
            let args = self.ed.make_list(&[]);
            self.emit(Head::Call { callee: Callee::Rt(Rt::RanksCount), args, result: count.into() });
            let (count, one) = (self.ed.var(count), self.ed.int(Type::I4, 1));
            let cond = self.ed.binary(BinaryOp::Eq, count, one);
            let s = self.emit(Head::If { cond });
            let [alone, together] = *self.ed.blocks(s) else { unreachable!("IF has two blocks") };
            self.at = Place::End(alone);
            self.reduce_one_by_one(target, i, array, mask, axes, d);
            self.at = Place::End(together);
        }
        match d {
            0 => self.reduce_onwards(target, i, array, mask, axes),
            _ => self.reduce_in_place(target, i, array, mask, axes, d),
        }
        self.at = at;
    }

    /// Whether the array beside the results of a reduction along axis `d` is small enough to go from rank to rank with them.
    fn has_room_beside(
        &mut self,
        target: Expr,
        i: Intrinsic,
        array: Expr,
        mask: Option<Expr>,
        axes: &[Axis],
        d: usize,
    ) -> bool {
        let Some(ty) = beside(i, self.ed.ty(array), mask.is_some()) else { return true };
        let mut outer: SmallVec<[Axis; 4]> = axes.into();
        outer.remove(d);
        let count = self.size(&outer);
        let bytes = self.ed.pool().as_int(count).map(|n| n.saturating_mul(ty.size() as i64));
        let is_position = matches!(i, Intrinsic::Maxloc | Intrinsic::Minloc);
        bytes.is_none_or(|n| n <= FRAME_LIMIT) && (!is_position || self.ed.ty(target) == Type::I4)
    }

    /// The array that a reduction needs beside its results, as a whole.
    fn array_beside(&mut self, i: Intrinsic, array: Expr, mask: Option<Expr>, outer: &[Axis]) -> Option<Expr> {
        let ty = beside(i, self.ed.ty(array), mask.is_some())?;
        let like = self.typed_zero(ty);
        let temp = self.temporary(like, outer);
        Some(self.ed.var(temp))
    }

    /// The accumulator that has the result, and the value beside it, in these places.
    fn accumulator_at(kind: Intrinsic, result: Expr, extra: Option<Expr>) -> Accumulator {
        let (value, position, extra) = match (kind, extra) {
            (Intrinsic::Maxloc | Intrinsic::Minloc, Some(value)) => (value, SmallVec::from_slice(&[result]), None),
            (_, extra) => (result, SmallVec::new(), extra),
        };
        Accumulator { kind, value, position, extra, quick: false }
    }

    /// Each element of `target` becomes a reduction along axis `d` with an accumulator of its own.
    fn reduce_one_by_one(
        &mut self,
        target: Expr,
        i: Intrinsic,
        array: Expr,
        mask: Option<Expr>,
        axes: &[Axis],
        d: usize,
    ) {
        let mut outer: SmallVec<[Axis; 4]> = axes.into();
        outer.remove(d);
        let at = self.at;
        let mut ordinals: Ordinals = self.open_nest(&outer).iter().copied().collect();
        let to = self.element(target, &ordinals);
        let result = self.reduce(i, array, mask, axes, &mut ordinals, Some(d))[0];
        self.assign(to, result);
        self.at = at;
    }

    /// Whether a reduction along axis `d` is made of all elements in turn as they lie in memory, each taken into its own result: sums of
    /// columns are one after the other anyway, and on ranks each has an accumulator. But if owners have parts of that axis, the results go
    /// from one to the next, all at once.
    fn runs_along_memory(&self, i: Intrinsic, array: Expr, d: usize) -> bool {
        match self.context.hpf {
            true => self.is_shared_along(array, d),
            false => i == Intrinsic::Sum && d > 0,
        }
    }

    /// Whether `array` reads an array, or neighbours in it, that is mapped in its dimension `d` alone.
    fn is_shared_along(&self, array: Expr, d: usize) -> bool {
        let mut found = false;
        self.ed.visit_expr(array, &mut |e| {
            let (s, d) = match self.ed.expr(e) {
                ExprData::Var(s) => (s, d),
                ExprData::Section(s, list) => match self.dimension_of(list, d) {
                    Some(d) => (s, d),
                    None => return,
                },
                _ => return,
            };
            let Some(mapping) = self.ed.sym(s).mapping.expand() else { return };
            let axes = &self.ed.mapping(mapping).axes;
            let is_on = |axis: &trueline_ir::mapping::Axis| matches!(axis, trueline_ir::mapping::Axis::On { .. });
            found |= axes.get(d).is_some_and(is_on) && axes.iter().filter(|a| is_on(a)).count() == 1;
        });
        found
    }

    /// The dimension of the array in which a section with these subscripts has its dimension `d`, if that goes one by one.
    fn dimension_of(&self, list: trueline_ir::List, d: usize) -> Option<usize> {
        let subscripts = self.ed.list(list).iter().enumerate();
        let (k, &e) = subscripts.filter(|(_, e)| self.ed.pool().rank(**e) > 0).nth(d)?;
        let ExprData::Triplet(.., step) = self.ed.expr(e) else { return None };
        matches!(self.ed.pool().as_int(step), Some(1 | -1)).then_some(k)
    }

    /// A reduction along axis `d` of elements in the order of memory. Each result has its elements in the same order as
    /// with an accumulator.
    fn reduce_in_place(
        &mut self,
        target: Expr,
        i: Intrinsic,
        array: Expr,
        mask: Option<Expr>,
        axes: &[Axis],
        d: usize,
    ) {
        let mut outer: SmallVec<[Axis; 4]> = axes.into();
        let along = outer.remove(d);
        let at = self.at;
        let more = self.array_beside(i, array, mask, &outer);
        self.set_first((target, more), i, (&[along], &outer), mask.is_some());
        let mut ordinals = self.open_nest(axes);
        if let Some(mask) = mask
            && !matches!(self.ed.expr(mask), ExprData::Logical(_, true))
        {
            let cond = self.element(mask, &ordinals);
            self.open(Head::If { cond });
        }
        let item = self.element(array, &ordinals);
        let inside = ordinals.remove(d);
        let to = self.element(target, &ordinals);
        let extra = more.map(|more| self.element(more, &ordinals));
        match i {
            _ if extra.is_some() => {
                let acc = Self::accumulator_at(i, to, extra);
                let item = self.named(item);
                self.update(&acc, item, &[inside]);
            }
            Intrinsic::Maxval | Intrinsic::Minval => {
                let item = self.named(item);
                let better = self.better(i, item, to, true);
                self.open(Head::If { cond: better });
                self.assign(to, item);
            }
            Intrinsic::Count => {
                self.open(Head::If { cond: item });
                let one = self.number(self.ed.ty(to), 1);
                let next = self.ed.binary(BinaryOp::Add, to, one);
                self.assign(to, next);
            }
            // The element is evaluated in any case, so its owner is known.
            Intrinsic::Any | Intrinsic::All => {
                let next = self.taken_in(i, item, to);
                self.assign(to, next);
            }
            _ => {
                let next = self.taken_in(i, to, item);
                self.assign(to, next);
            }
        }
        self.at = at;
        self.set_last((target, more), i, &outer);
    }

    /// A reduction along the first axis, of results that go from rank to rank: each accumulator begins with the result so far.
    ///
    /// ```text
    /// s = sum(a, dim=1)   =>   do j: s(j) = 0
    ///                          do j
    ///                            acc = s(j)
    ///                            do i: acc = acc + a(i,j)
    ///                            s(j) = acc
    /// ```
    fn reduce_onwards(&mut self, target: Expr, i: Intrinsic, array: Expr, mask: Option<Expr>, axes: &[Axis]) {
        let at = self.at;
        let (along, outer) = axes.split_at(1);
        let more = self.array_beside(i, array, mask, outer);
        self.set_first((target, more), i, (along, outer), mask.is_some());
        let mut ordinals: Ordinals = self.open_nest(outer).iter().copied().collect();
        let to = self.element(target, &ordinals);
        let beside = more.map(|more| self.element(more, &ordinals));
        let value = self.register("acc", to);
        let value = self.ed.var(value);
        let extra = beside.map(|e| {
            let v = self.register("beside", e);
            self.ed.var(v)
        });
        let acc = Self::accumulator_at(i, value, extra);
        let outside = self.at;
        let inside: Ordinals = self.open_nest(along).iter().copied().collect();
        ordinals.insert(0, inside[0]);
        if let Some(mask) = mask
            && !matches!(self.ed.expr(mask), ExprData::Logical(_, true))
        {
            let cond = self.element(mask, &ordinals);
            self.open(Head::If { cond });
        }
        let item = self.element(array, &ordinals);
        match i {
            // The element is evaluated in any case, so its owner is known.
            Intrinsic::Any | Intrinsic::All => {
                let next = self.taken_in(i, item, value);
                self.assign(value, next);
            }
            _ => self.update(&acc, item, &inside),
        }
        self.at = outside;
        self.assign(to, value);
        if let (Some(place), Some(value)) = (beside, extra) {
            self.assign(place, value);
        }
        self.at = at;
        self.set_last((target, more), i, outer);
    }

    /// Gives all elements of `target` the value of a reduction before its first element, and those of the array beside theirs.
    fn set_first(
        &mut self,
        (target, more): (Expr, Option<Expr>),
        i: Intrinsic,
        (along, outer): (&[Axis], &[Axis]),
        is_masked: bool,
    ) {
        let at = self.at;
        let first = self.first_value(i, self.ed.ty(target), along, is_masked);
        let ordinals = self.open_nest(outer);
        let to = self.element(target, &ordinals);
        self.assign(to, first);
        if let Some(more) = more {
            let ty = self.ed.ty(more);
            let first = if i == Intrinsic::Norm2 { self.number(ty, 1) } else { self.typed_zero(ty) };
            let to = self.element(more, &ordinals);
            self.assign(to, first);
        }
        self.at = at;
    }

    /// Makes norms of the sums and scales that went from rank to rank.
    fn set_last(&mut self, (target, more): (Expr, Option<Expr>), i: Intrinsic, outer: &[Axis]) {
        let Some(more) = more.filter(|_| i == Intrinsic::Norm2) else { return };
        let at = self.at;
        let ordinals = self.open_nest(outer);
        let (to, scale) = (self.element(target, &ordinals), self.element(more, &ordinals));
        let root = self.ed.intrinsic(Intrinsic::Sqrt, &[to]);
        let norm = self.ed.binary(BinaryOp::Mul, scale, root);
        self.assign(to, norm);
        self.at = at;
    }

    /// The result so far with one element more, of a reduction that one operation makes.
    fn taken_in(&mut self, kind: Intrinsic, so_far: Expr, item: Expr) -> Expr {
        let op = match kind {
            Intrinsic::Sum => BinaryOp::Add,
            Intrinsic::Product => BinaryOp::Mul,
            Intrinsic::Any => BinaryOp::Or,
            Intrinsic::All => BinaryOp::And,
            Intrinsic::Parity => BinaryOp::Neqv,
            Intrinsic::Iall => return self.ed.intrinsic(Intrinsic::Iand, &[so_far, item]),
            Intrinsic::Iany => return self.ed.intrinsic(Intrinsic::Ior, &[so_far, item]),
            _ => return self.ed.intrinsic(Intrinsic::Ieor, &[so_far, item]),
        };
        let result = self.ed.ty(so_far);
        let item = if self.ed.ty(item) == result { item } else { self.ed.make(ExprData::Convert(result, item)) };
        self.ed.binary(op, so_far, item)
    }

    /// A variable with the value, which is used several times.
    fn named(&mut self, item: Expr) -> Expr {
        if matches!(self.ed.expr(item), ExprData::Var(_)) {
            return item;
        }
        let v = self.register("item", item);
        self.ed.var(v)
    }

    /// Whether `item` is better than the greatest or the least value so far; `gives_way` says that a NaN there is worse than any number.
    fn better(&mut self, kind: Intrinsic, item: Expr, so_far: Expr, gives_way: bool) -> Expr {
        let op = match kind {
            Intrinsic::Maxval | Intrinsic::Maxloc => BinaryOp::Gt,
            _ => BinaryOp::Lt,
        };
        let better = self.ed.binary(op, item, so_far);
        if !gives_way || nan(self.ed.ty(item)).is_none() {
            return better;
        }
        let was_nan = self.ed.binary(BinaryOp::Ne, so_far, so_far);
        self.ed.binary(BinaryOp::Or, better, was_nan)
    }

    /// The operands of a reduction: array, DIM, MASK. DOT_PRODUCT is the sum (or ANY) of the products.
    fn operands_of(&mut self, i: Intrinsic, args: &[Expr]) -> (Intrinsic, Expr, Option<Expr>, Option<Expr>) {
        let present = |k: usize| args.get(k).copied().filter(|&e| self.ed.expr(e) != ExprData::None);
        let (dim, mask) = (present(1), present(2));
        match i {
            Intrinsic::DotProduct => {
                let (mut a, b) = (args[0], args[1]);
                match self.ed.ty(a) {
                    Type::L1 | Type::L2 | Type::L4 | Type::L8 => {
                        return (Intrinsic::Any, self.ed.binary(BinaryOp::And, a, b), None, None);
                    }
                    ty if ty.is_complex() => a = self.ed.intrinsic(Intrinsic::Conjg, &[a]),
                    _ => {}
                }
                (Intrinsic::Sum, self.ed.binary(BinaryOp::Mul, a, b), None, None)
            }
            Intrinsic::Count | Intrinsic::Any | Intrinsic::All | Intrinsic::Parity | Intrinsic::Norm2 => {
                (i, args[0], dim, None)
            }
            _ => (i, args[0], dim, mask),
        }
    }

    /// Reduces over all `axes`, or over axis `along` at `ordinals` of the others. Returns the results: for MAXLOC and
    /// MINLOC a position for each dimension.
    fn reduce(
        &mut self,
        i: Intrinsic,
        array: Expr,
        mask: Option<Expr>,
        axes: &[Axis],
        ordinals: &mut Ordinals,
        along: Option<usize>,
    ) -> Ordinals {
        let inner: SmallVec<[Axis; 4]> = match along {
            Some(d) => SmallVec::from_slice(&axes[d..=d]),
            None => axes.into(),
        };
        let ty = self.ed.ty(array);
        let from = ordinals.clone();
        let mut nest = |l: &mut Self, acc: &Accumulator| {
            ordinals.clone_from(&from);
            let at = l.at;
            let inside: Ordinals = l.open_nest(&inner).iter().copied().collect();
            match along {
                Some(d) => ordinals.insert(d, inside[0]),
                None => ordinals.clone_from(&inside),
            }
            if let Some(mask) = mask
                && !matches!(l.ed.expr(mask), ExprData::Logical(_, true))
            {
                let cond = l.element(mask, ordinals);
                l.open(Head::If { cond });
            }
            let item = l.element(array, ordinals);
            l.update(acc, item, &inside);
            l.at = at;
        };
        let acc = match self.start_quick(i, ty, inner.len()) {
            None => {
                let acc = self.start(i, ty, &inner, mask.is_some());
                nest(self, &acc);
                acc
            }
            Some(quick) => {
                nest(self, &quick);
                let at = self.at;
                let cond = self.found_nothing(&quick);
                self.open(Head::If { cond });
                let acc = self.start(i, ty, &inner, mask.is_some());
                nest(self, &acc);
                self.take_over(&quick, &acc);
                self.at = at;
                quick
            }
        };
        self.finish(&acc)
    }

    /// The accumulator of MAXVAL, MINVAL of reals, and of MAXLOC, MINLOC, for a first run through the elements with one comparison each: it
    /// begins with the value that no element is less than. Only if nothing is greater, which says nothing about
    /// NaNs and arrays without elements, does a second run look at every case.
    fn start_quick(&mut self, kind: Intrinsic, ty: Type, rank: usize) -> Option<Accumulator> {
        let is_place = matches!(kind, Intrinsic::Maxloc | Intrinsic::Minloc);
        let is_value = matches!(kind, Intrinsic::Maxval | Intrinsic::Minval) && nan(ty).is_some();
        if !is_place && !is_value {
            return None;
        }
        let high = matches!(kind, Intrinsic::Minval | Intrinsic::Minloc);
        let first = match infinity(ty, !high) {
            Some(data) => self.ed.make(data),
            None => self.limit(ty, high),
        };
        let value = self.variable("acc", first);
        let zero = self.ed.int(Type::I4, 0);
        let places = if is_place { rank } else { 0 };
        let position = (0..places).map(|_| self.variable("pos", zero)).collect();
        Some(Accumulator { kind, value, position, extra: None, quick: true })
    }

    /// Whether the first run found nothing that is greater than its first value.
    fn found_nothing(&mut self, quick: &Accumulator) -> Expr {
        let (so_far, first) = match quick.position.first() {
            Some(&p) => (p, self.ed.int(Type::I4, 0)),
            None => {
                let so_far = quick.value;
                let first = infinity(self.ed.ty(so_far), quick.kind == Intrinsic::Maxval);
                (so_far, self.ed.make(first.expect("a real")))
            }
        };
        self.ed.binary(BinaryOp::Eq, so_far, first)
    }

    /// Gives the results of the second run to the accumulator of the first.
    fn take_over(&mut self, quick: &Accumulator, acc: &Accumulator) {
        let value = (quick.value, acc.value);
        let places = quick.position.iter().copied().zip(acc.position.iter().copied());
        for (to, from) in std::iter::once(value).chain(places) {
            self.assign(to, from);
        }
    }

    /// Makes the accumulator and gives it its first value.
    fn start(&mut self, kind: Intrinsic, ty: Type, inner: &[Axis], masked: bool) -> Accumulator {
        let result = match kind {
            Intrinsic::Maxloc | Intrinsic::Minloc => ty,
            _ => kind.result(ty),
        };
        let value = self.ed.new_register("acc", result);
        let value = self.ed.var(value);
        let mut acc = Accumulator { kind, value, position: SmallVec::new(), extra: None, quick: false };
        let first = match kind {
            Intrinsic::Maxval | Intrinsic::Minval if masked && nan(result).is_some() => {
                let none = self.ed.make(ExprData::Logical(Type::L4, true));
                acc.extra = Some(self.variable("none", none));
                self.limit(result, kind == Intrinsic::Minval)
            }
            Intrinsic::Maxloc | Intrinsic::Minloc => {
                let zero = self.ed.int(Type::I4, 0);
                acc.position = inner.iter().map(|_| self.variable("pos", zero)).collect();
                self.typed_zero(result)
            }
            Intrinsic::Norm2 => {
                let one = self.number(result, 1);
                acc.extra = Some(self.variable("scale", one));
                self.typed_zero(result)
            }
            _ => self.first_value(kind, result, inner, masked),
        };
        self.assign(value, first);
        acc
    }

    /// A new register with the value `e`, as an expression.
    fn variable(&mut self, name: &str, e: Expr) -> Expr {
        let v = self.register(name, e);
        self.ed.var(v)
    }

    /// The value of a reduction before its first element, of one that needs no variable beside it.
    fn first_value(&mut self, kind: Intrinsic, result: Type, inner: &[Axis], masked: bool) -> Expr {
        match kind {
            Intrinsic::Product => self.number(result, 1),
            Intrinsic::All => self.ed.make(ExprData::Logical(result, true)),
            Intrinsic::Iall => self.number(result, -1),
            Intrinsic::Maxval | Intrinsic::Minval => {
                let least = self.limit(result, kind == Intrinsic::Minval);
                let Some(bits) = nan(result).filter(|_| !masked) else { return least };
                // Without a mask it is known before the loop whether there is an element; a NaN gives way to the first number.
                let nan = self.ed.make(ExprData::real_bits(result, bits));
                let n = self.size(inner);
                let zero = self.ed.int(Type::I8, 0);
                match self.ed.pool().as_int(n) {
                    Some(0) => least,
                    Some(_) => nan,
                    None => {
                        let some = self.ed.binary(BinaryOp::Gt, n, zero);
                        self.ed.intrinsic(Intrinsic::Merge, &[nan, least, some])
                    }
                }
            }
            _ => self.typed_zero(result),
        }
    }

    /// One element.
    fn update(&mut self, acc: &Accumulator, item: Expr, ordinals: &[Expr]) {
        let so_far = acc.value;
        match acc.kind {
            Intrinsic::Maxval | Intrinsic::Minval | Intrinsic::Maxloc | Intrinsic::Minloc => {
                self.update_extreme(acc, item, ordinals);
            }
            Intrinsic::Norm2 => self.update_norm(acc, item),
            Intrinsic::Count => {
                let at = self.at;
                self.open(Head::If { cond: item });
                let one = self.number(self.ed.ty(so_far), 1);
                let next = self.ed.binary(BinaryOp::Add, so_far, one);
                self.assign(acc.value, next);
                self.at = at;
            }
            kind => {
                let next = self.taken_in(kind, so_far, item);
                self.assign(acc.value, next);
            }
        }
    }

    /// MAXVAL, MINVAL, MAXLOC, MINLOC as gfortran: NaNs lose, of equals the first wins, and an array of
    /// NaNs gives NaN at its first position.
    fn update_extreme(&mut self, acc: &Accumulator, item: Expr, ordinals: &[Expr]) {
        let so_far = acc.value;
        let ty = self.ed.ty(item);
        let at = self.at;
        // The element is used up to three times.
        let item = self.named(item);
        let gives_way = !acc.quick && acc.position.is_empty();
        let mut better = self.better(acc.kind, item, so_far, gives_way);
        if nan(ty).is_some() && !acc.quick && !acc.position.is_empty() {
            let was_nan = self.ed.binary(BinaryOp::Ne, so_far, so_far);
            let number = self.ed.binary(BinaryOp::Eq, item, item);
            let gives_way = self.ed.binary(BinaryOp::And, was_nan, number);
            better = self.ed.binary(BinaryOp::Or, better, gives_way);
        }
        if let Some(&p) = acc.position.first()
            && !acc.quick
        {
            let zero = self.ed.int(Type::I4, 0);
            let first = self.ed.binary(BinaryOp::Eq, p, zero);
            better = self.ed.binary(BinaryOp::Or, better, first);
        }
        let seen = acc.extra.filter(|&e| self.ed.ty(e) == SEEN);
        if let Some(none) = acc.extra {
            let none = match seen {
                Some(seen) => {
                    let zero = self.ed.int(SEEN, 0);
                    self.ed.binary(BinaryOp::Eq, seen, zero)
                }
                None => none,
            };
            better = self.ed.binary(BinaryOp::Or, better, none);
        }
        self.open(Head::If { cond: better });
        self.assign(acc.value, item);
        for (k, &p) in acc.position.iter().enumerate() {
            let one = self.ed.int(Type::I8, 1);
            let number = crate::linear::add_scaled(self.ed, ordinals[k], one, 1);
            let number = self.ed.make(ExprData::Convert(Type::I4, number));
            self.assign(p, number);
        }
        if let Some(none) = acc.extra {
            let later = match seen {
                Some(_) => self.ed.int(SEEN, 1),
                None => self.ed.make(ExprData::Logical(Type::L4, false)),
            };
            self.assign(none, later);
        }
        self.at = at;
    }

    /// NORM2 with scaling, so that squares do not overflow (gfortran's inline code).
    fn update_norm(&mut self, acc: &Accumulator, item: Expr) {
        let at = self.at;
        let ty = self.ed.ty(item);
        let (sum, scale) = (acc.value, acc.extra.expect("NORM2 has a scale"));
        let zero = self.typed_zero(ty);
        let cond = self.ed.binary(BinaryOp::Ne, item, zero);
        self.open(Head::If { cond });
        let abs = self.ed.intrinsic(Intrinsic::Abs, &[item]);
        let abs = self.register("abs", abs);
        let abs = self.ed.var(abs);
        let cond = self.ed.binary(BinaryOp::Gt, abs, scale);
        let s = self.emit(Head::If { cond });
        let [larger, smaller] = *self.ed.blocks(s) else { unreachable!("IF has two blocks") };
        self.at = Place::End(larger);
        let ratio = self.ed.binary(BinaryOp::Div, scale, abs);
        let ratio = self.register("ratio", ratio);
        let ratio = self.ed.var(ratio);
        let next = self.ed.binary(BinaryOp::Mul, sum, ratio);
        let next = self.ed.binary(BinaryOp::Mul, next, ratio);
        let one = self.number(ty, 1);
        let next = self.ed.binary(BinaryOp::Add, one, next);
        self.assign(acc.value, next);
        self.assign(scale, abs);
        self.at = Place::End(smaller);
        let ratio = self.ed.binary(BinaryOp::Div, abs, scale);
        let ratio = self.register("ratio", ratio);
        let ratio = self.ed.var(ratio);
        let square = self.ed.binary(BinaryOp::Mul, ratio, ratio);
        let next = self.ed.binary(BinaryOp::Add, sum, square);
        self.assign(acc.value, next);
        self.at = at;
    }

    fn finish(&mut self, acc: &Accumulator) -> Ordinals {
        match acc.kind {
            Intrinsic::Maxloc | Intrinsic::Minloc => acc.position.clone(),
            Intrinsic::Norm2 => {
                let (sum, scale) = (acc.value, acc.extra.expect("NORM2 has a scale"));
                let root = self.ed.intrinsic(Intrinsic::Sqrt, &[sum]);
                let norm = self.ed.binary(BinaryOp::Mul, scale, root);
                self.assign(acc.value, norm);
                SmallVec::from_slice(&[sum])
            }
            _ => SmallVec::from_slice(&[acc.value]),
        }
    }

    /// Zero, or false, of a type.
    pub(super) fn typed_zero(&mut self, ty: Type) -> Expr {
        match ty {
            Type::L1 | Type::L2 | Type::L4 | Type::L8 => self.ed.make(ExprData::Logical(ty, false)),
            _ => self.number(ty, 0),
        }
    }

    /// A small whole number of a type.
    fn number(&mut self, ty: Type, n: i32) -> Expr {
        let data = match ty {
            _ if ty.is_real() => ExprData::real(ty, n.into()),
            Type::C16 => {
                let parts = [n, 0].map(|v| self.ed.make(ExprData::real(Type::R16, v.into())));
                return self.ed.intrinsic(Intrinsic::Cmplx, &parts);
            }
            Type::C4 => ExprData::Complex(ty, u64::from((n as f32).to_bits()), 0),
            Type::C8 => ExprData::Complex(ty, f64::from(n).to_bits(), 0),
            _ => ExprData::Int(ty, i64::from(n)),
        };
        self.ed.make(data)
    }

    /// MAXVAL (or MINVAL if `high`) of no elements: -HUGE-1 for integers, -HUGE for reals.
    fn limit(&mut self, ty: Type, high: bool) -> Expr {
        let data = match ty {
            Type::R4 => ExprData::Real(ty, u64::from((if high { f32::MAX } else { f32::MIN }).to_bits())),
            Type::R8 => ExprData::Real(ty, (if high { f64::MAX } else { f64::MIN }).to_bits()),
            Type::R16 => ExprData::Quad(if high { Quad::MAX } else { -Quad::MAX }),
            _ => {
                let bits = 8 * ty.size() as u32;
                let max = (1i64 << (bits - 1)).wrapping_sub(1);
                ExprData::Int(ty, if high { max } else { !max })
            }
        };
        self.ed.make(data)
    }
}

/// The type of how much a reduction with a mask has seen.
const SEEN: Type = Type::I1;

/// The type of the number that a reduction needs beside each result: the value at a position, whether there was an element, the scale of a norm.
fn beside(i: Intrinsic, ty: Type, is_masked: bool) -> Option<Type> {
    use Intrinsic as I;
    match i {
        I::Maxval | I::Minval => (is_masked && nan(ty).is_some()).then_some(SEEN),
        I::Maxloc | I::Minloc | I::Norm2 => Some(ty),
        _ => None,
    }
}

fn is_extreme(i: Intrinsic) -> bool {
    matches!(i, Intrinsic::Maxval | Intrinsic::Minval)
}

fn is_reduction(i: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        i,
        I::Sum
            | I::Product
            | I::Maxval
            | I::Minval
            | I::Maxloc
            | I::Minloc
            | I::Count
            | I::Any
            | I::All
            | I::Parity
            | I::Iall
            | I::Iany
            | I::Iparity
            | I::Norm2
    )
}

/// Infinity of a real type, or minus infinity if `below`.
fn infinity(ty: Type, below: bool) -> Option<ExprData> {
    let sign = if below { -1.0 } else { 1.0 };
    match ty {
        Type::R4 | Type::R8 => Some(ExprData::real(ty, sign * f64::INFINITY)),
        Type::R16 => Some(ExprData::Quad((sign * f64::INFINITY).into())),
        _ => None,
    }
}

/// The bits of the NaN of a real type.
fn nan(ty: Type) -> Option<u128> {
    match ty {
        Type::R4 => Some(0x7fc0_0000),
        Type::R8 => Some(0x7ff8_0000_0000_0000),
        Type::R16 => Some(Quad::NAN.to_bits()),
        _ => None,
    }
}
