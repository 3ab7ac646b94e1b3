//! Pointer assignment, NULLIFY, ASSOCIATED, MOVE_ALLOC.

use crate::expr::Exprs;
use crate::intrinsic::Intrinsics;
use crate::stmt::Stmts;
use crate::values::{Checked, Descriptor, Val, refused};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Expr, ExprData, Sym};
use trueline_syntax::ast::{Arg, ArgValue, ExprId, ExprKind, ExprList};

/// The target of a pointer assignment.
struct Target {
    base: Expr,
    dims: SmallVec<[TargetDim; 4]>,
    /// Bytes in a unit of the strides.
    span: Expr,
    len: Option<Expr>,
}

/// A dimension of it.
#[derive(Clone, Copy)]
struct TargetDim {
    lower: Expr,
    count: Expr,
    stride: Expr,
}

impl Exprs<'_> {
    /// The descriptor of a pointer.
    pub(crate) fn pointer_at(&mut self, x: ExprId) -> (Sym, Descriptor) {
        let is_pointer = match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.resolve(name).is_some_and(|id| self.symbol(id).attrs.pointer),
            ExprKind::Component { base, name } => {
                let (_, k, id) = self.component_part(base, name);
                self.cx.decls.structures[id].components[k].pointer
            }
            _ => false,
        };
        let found = match is_pointer {
            true => self.descriptor_at(x),
            // A function may return one.
            false if matches!(self.ast.expr(x).kind, ExprKind::Call { .. }) && !self.is_variable_reference(x) => {
                let v = self.expr(x);
                match self.e.expr(v.e) {
                    ExprData::Var(sym) => self.descriptors.get(&sym).filter(|d| d.is_pointer).map(|d| (sym, d.clone())),
                    _ => None,
                }
            }
            false => None,
        };
        found.checked()
    }

    /// Lets the registers of `d`, a pointer, stand for `value`.
    pub(crate) fn point_at(&mut self, d: &Descriptor, value: ExprId, bounds: Option<(ExprId, &[Arg])>) {
        for (register, value) in self.pointing(d, value, bounds, None) {
            self.e.set(register, value);
        }
    }

    /// The values of the registers of `d`, a pointer, that let it stand for `value`; `len` is the length that its characters are declared with.
    pub(crate) fn pointing(
        &mut self,
        d: &Descriptor,
        value: ExprId,
        bounds: Option<(ExprId, &[Arg])>,
        len: Option<Expr>,
    ) -> SmallVec<[(Sym, Expr); 8]> {
        let is_place = self.is_variable_reference(value);
        let v = if is_place { self.designator(value) } else { self.expr(value) };
        if let Some((declared, len)) = len.zip(v.len).filter(|_| d.len.is_none()) {
            let span = self.ast.span(value);
            self.check_same_length(span, "pointer assignment", [declared, len]);
        }
        let t = self.target_of(v);
        let rank = d.bounds.len() / 2;
        let dims = self.target_dims(&t, rank, bounds.map(|b| b.1));
        if let Some((object, _)) = bounds.filter(|_| self.checks_bounds()) {
            let size = |dims: &[TargetDim]| dims.iter().map(|d| d.count).collect::<SmallVec<[Expr; 4]>>();
            let (needed, have) = (size(&dims), size(&t.dims));
            let sizes = [self.product(&needed), self.product(&have)];
            let (at, name) = (self.ast.span(value), self.name_at(object));
            if sizes[0] != sizes[1] {
                self.check_remapped(at, &name, sizes);
            }
        }
        // All values first: they may depend on the pointer.
        let base = self.in_register(t.base);
        let mut settled: SmallVec<[(Sym, Expr); 8]> = SmallVec::new();
        settled.push((d.base, base));
        for (k, t) in dims.iter().enumerate() {
            let (lower, stride) = (self.in_register(t.lower), self.in_register(t.stride));
            let one = self.int8(1);
            let last = self.sub(t.count, one);
            let upper = self.add(lower, last);
            let upper = self.in_register(upper);
            settled.extend([(d.bounds[2 * k], lower), (d.bounds[2 * k + 1], upper), (d.strides[k], stride)]);
        }
        if let Some(span) = d.span {
            let value = self.in_register(t.span);
            settled.push((span, value));
        }
        if let (Some(register), Some(len)) = (d.len, t.len) {
            settled.push((register, len));
        }
        settled
    }

    /// Address, shape and strides of a place.
    fn target_of(&mut self, v: Val) -> Target {
        if !self.has_address(v.e) {
            refused();
        }
        if let (ExprData::Substr(whole, lo, _), true) = (self.e.expr(v.e), self.rank(v.e) > 0) {
            return self.target_of_substrings(v, whole, lo);
        }
        let size = self.element_bytes(v);
        let (sym, subs): (Sym, Option<SmallVec<[Expr; 4]>>) = match self.e.expr(v.e) {
            ExprData::Var(s) => (s, None),
            ExprData::Section(s, l) => (s, Some(self.list(l).iter().copied().collect())),
            _ if self.rank(v.e) == 0 => {
                let base = self.address_value(v.e);
                return Target { base, dims: SmallVec::new(), span: size, len: v.len };
            }
            _ => refused(),
        };
        let known = self.descriptors.get(&sym).cloned();
        let one = self.int8(1);
        let (span, strides) = self.strides_of(sym, size, known.as_ref());
        let mut dims = SmallVec::new();
        let mut first: SmallVec<[Expr; 4]> = SmallVec::new();
        for (k, dim) in self.sym(sym).dims.clone().into_iter().enumerate() {
            match subs.as_ref().map(|s| s[k]) {
                None => {
                    let upper = dim.upper.expand().unwrap_or(dim.lower);
                    let count = self.count(dim.lower, upper);
                    dims.push(TargetDim { lower: dim.lower, count, stride: strides[k] });
                }
                Some(sub) => match self.e.expr(sub) {
                    ExprData::Triplet(lo, hi, step) => {
                        let (count, stride) = (self.trips(lo, hi, step), self.mul(strides[k], step));
                        dims.push(TargetDim { lower: one, count, stride });
                        first.push(lo);
                    }
                    _ if self.rank(sub) > 0 => {
                        refused();
                    }
                    _ => first.push(sub),
                },
            }
        }
        let base = match (&known, subs.is_some()) {
            (Some(d), false) => self.var(d.base),
            (_, true) => {
                let place = self.elem(sym, &first);
                self.address_value(place)
            }
            _ => self.address_value(v.e),
        };
        Target { base, dims, span, len: v.len }
    }

    /// The target `whole(:)(lo:hi)`: the elements are shorter than the distance between them.
    fn target_of_substrings(&mut self, v: Val, whole: Expr, lo: Expr) -> Target {
        let sym = match self.e.expr(whole) {
            ExprData::Var(s) | ExprData::Section(s, _) => s,
            _ => refused(),
        };
        let len = self.sym(sym).len.expand();
        let t = self.target_of(Val { e: whole, len });
        let one = self.int8(1);
        let skipped = self.sub(lo, one);
        let base = self.add(t.base, skipped);
        Target { base, len: v.len, ..t }
    }

    /// The distances in bytes of the elements of a place; none if they have no constant distances.
    pub(crate) fn byte_strides(&mut self, v: Val) -> Option<SmallVec<[Expr; 4]>> {
        let by_vector = match self.e.expr(v.e) {
            ExprData::Section(_, l) => {
                let subs: SmallVec<[Expr; 4]> = self.list(l).iter().copied().collect();
                subs.iter().any(|&s| !matches!(self.e.expr(s), ExprData::Triplet(..)) && self.rank(s) > 0)
            }
            ExprData::Var(_) => false,
            _ => true,
        };
        if by_vector || !self.has_address(v.e) {
            return None;
        }
        let t = self.target_of(v);
        Some(t.dims.iter().map(|d| self.mul(d.stride, t.span)).collect())
    }

    /// The distances in bytes of the elements of an array without gaps.
    pub(crate) fn strides_without_gaps(&mut self, v: Val) -> SmallVec<[Expr; 4]> {
        let mut stride = self.element_bytes(v);
        let mut out = SmallVec::new();
        for n in self.shape(v.e) {
            out.push(stride);
            stride = self.mul(stride, n);
        }
        out
    }

    /// Whether it is a variable in memory, or part of one.
    pub(crate) fn has_address(&self, e: Expr) -> bool {
        match self.e.expr(e) {
            ExprData::Var(v) => !self.sym(v).is_register(),
            ExprData::Elem(..) | ExprData::Section(..) => true,
            ExprData::Substr(base, ..) => self.has_address(base),
            _ => false,
        }
    }

    /// The strides of a symbol in units, and the bytes of the unit.
    fn strides_of(&mut self, sym: Sym, size: Expr, known: Option<&Descriptor>) -> (Expr, SmallVec<[Expr; 4]>) {
        if let Some((d, span)) = known.and_then(|d| Some((d, d.span?))) {
            let span = self.var(span);
            return (span, d.strides.iter().map(|&s| self.var(s)).collect());
        }
        let dims = self.sym(sym).dims.clone();
        let contiguous = self.sym(sym).is_contiguous();
        let one = self.int8(1);
        let mut unit = if contiguous { one } else { size };
        let mut strides: SmallVec<[Expr; 4]> = SmallVec::new();
        for d in &dims {
            unit = d.stride.expand().unwrap_or(unit);
            strides.push(unit);
            if let Some(upper) = d.upper.expand() {
                let n = self.count(d.lower, upper);
                unit = self.mul(unit, n);
            }
        }
        if contiguous {
            return (size, strides);
        }
        // Bytes, in the largest unit that is surely one.
        let constants: Option<SmallVec<[i64; 4]>> = strides.iter().map(|&s| self.known(s)).collect();
        let Some(constants) = constants else { return (one, strides) };
        let common = constants.iter().fold(0, |a, &b| gcd(a, b)).max(1);
        let bytes = self.known(size).filter(|&n| n > 0 && common % n == 0).unwrap_or(common);
        (self.int8(bytes), constants.iter().map(|&s| self.int8(s / bytes)).collect())
    }

    /// The dimensions of the pointer, with its own bounds if there are any.
    fn target_dims(&mut self, t: &Target, rank: usize, bounds: Option<&[Arg]>) -> SmallVec<[TargetDim; 4]> {
        let mut given: SmallVec<[(Option<Expr>, Option<Expr>); 4]> = SmallVec::new();
        for b in bounds.unwrap_or_default() {
            let ArgValue::Section { lo, hi, .. } = b.value else {
                refused();
            };
            let lo = lo.expand().map(|x| self.index(x));
            let hi = hi.expand().map(|x| self.index(x));
            given.push((lo, hi));
        }
        let remaps = !given.is_empty() && given.iter().all(|g| g.1.is_some());
        // The elements of a target with more dimensions follow each other in memory (Fortran 2008, 7.2.2.3).
        let fits = if remaps { given.len() == rank && !t.dims.is_empty() } else { t.dims.len() == rank };
        if !fits || (!given.is_empty() && given.len() != rank) {
            refused();
        }
        let one = self.int8(1);
        if !remaps {
            let mut dims = t.dims.clone();
            for (d, g) in dims.iter_mut().zip(&given) {
                d.lower = g.0.unwrap_or(one);
            }
            return dims;
        }
        let mut stride = t.dims.first().map_or(one, |d| d.stride);
        let mut dims = SmallVec::new();
        for (lo, hi) in given {
            let (lower, upper) = (lo.unwrap_or(one), hi.unwrap_or(one));
            let count = self.count(lower, upper);
            dims.push(TargetDim { lower, count, stride });
            stride = self.mul(stride, count);
        }
        dims
    }
}

impl Stmts<'_> {
    /// `target => value`.
    pub(crate) fn pointer_assignment(&mut self, target: ExprId, value: ExprId) {
        if self.assign_procedure(target, value) {
            return;
        }
        let (object, bounds) = match self.ast.expr(target).kind {
            ExprKind::Call { base, args } => (base, Some((base, self.ast.args(args)))),
            _ => (target, None),
        };
        let (sym, d) = self.pointer_at(object);
        if self.is_null(value) {
            let zero = self.int8(0);
            self.e.set(d.base, zero);
            self.store_base(&d);
            return;
        }
        let len = self.sym(sym).len.expand();
        for (register, value) in self.pointing(&d, value, bounds, len) {
            self.e.set(register, value);
        }
        self.store_descriptor(&d);
    }

    /// NULLIFY.
    pub(crate) fn nullify(&mut self, objects: ExprList) {
        for &x in self.ast.list(objects) {
            if self.nullify_procedure(x) {
                continue;
            }
            let (_, d) = self.pointer_at(x);
            let zero = self.int8(0);
            self.e.set(d.base, zero);
            self.store_base(&d);
        }
    }

    /// `CALL MOVE_ALLOC(from, to)`.
    pub(crate) fn move_alloc(&mut self, from: ExprId, to: ExprId) {
        let (source, s) = self.allocatable_at(from);
        let (sink, t) = self.allocatable_at(to);
        // The program writes under one name and reads under the other.
        for sym in [source, sink] {
            let place = self.var(sym);
            let address = self.address(trueline_ir::Access::InOut, place);
            let base = self.register("moved", trueline_ir::Type::I8);
            let args = self.b.list(&[address]);
            let callee = trueline_ir::Callee::Rt(trueline_ir::Rt::Barrier);
            self.push(trueline_ir::Head::Call { callee, args, result: base.into() });
        }
        self.free_target(sink, &t);
        for (to, from) in t.registers().zip(s.registers()).collect::<SmallVec<[(Sym, Sym); 8]>>() {
            let value = self.var(from);
            self.e.set(to, value);
        }
        self.store_descriptor(&t);
        let zero = self.int8(0);
        self.e.set(s.base, zero);
        self.store_base(&s);
    }

    /// The descriptor of an allocatable.
    pub(crate) fn allocatable_at(&mut self, x: ExprId) -> (Sym, Descriptor) {
        match self.descriptor_at(x) {
            Some((sym, d)) if !d.is_pointer => (sym, d),
            _ => refused(),
        }
    }
}

impl Intrinsics<'_, '_> {
    /// The address of a variable with TARGET or POINTER; 0 of a pointer that is not associated.
    pub(crate) fn location_of(&mut self, x: ExprId) -> Expr {
        if let Some((_, d)) = match self.ast.expr(x).kind {
            ExprKind::Name(_) | ExprKind::Component { .. } => self.descriptor_at(x),
            _ => None,
        } {
            return self.var(d.base);
        }
        let v = self.of_any_type(true, |l| l.designator(x));
        self.target_of(v).base
    }

    /// Whether the elements of a place follow each other in memory.
    pub(crate) fn lies_without_gaps(&mut self, v: Val) -> Expr {
        let mut all = self.logical(true);
        if self.rank(v.e) == 0 || !self.has_address(v.e) {
            return all;
        }
        let t = self.target_of(v);
        let mut distance = self.element_bytes(v);
        for d in t.dims {
            let stride = self.mul(d.stride, t.span);
            let next = self.make(ExprData::Binary(BinaryOp::Eq, stride, distance));
            all = self.make(ExprData::Binary(BinaryOp::And, all, next));
            distance = self.mul(distance, d.count);
        }
        all
    }

    /// ASSOCIATED(pointer) and ASSOCIATED(pointer, target).
    pub(crate) fn association(&mut self, pointer: ExprId, target: Option<ExprId>) -> Val {
        if let Some(v) = self.procedure_association(pointer, target) {
            return v;
        }
        let (_, d) = self.pointer_at(pointer);
        let there = self.is_there(&d);
        let Some(x) = target else { return Val::plain(there) };
        let v = if self.is_variable_reference(x) { self.designator(x) } else { self.expr(x) };
        let t = self.target_of(v);
        let base = self.var(d.base);
        let mut same = self.make(ExprData::Binary(BinaryOp::Eq, base, t.base));
        same = self.make(ExprData::Binary(BinaryOp::And, there, same));
        let zero = self.int8(0);
        let one = self.int8(1);
        if let Some(len) = t.len.filter(|&n| self.known(n).is_none_or(|n| n < 1)) {
            let some = self.make(ExprData::Binary(BinaryOp::Gt, len, zero));
            same = self.make(ExprData::Binary(BinaryOp::And, same, some));
        }
        for (k, dim) in t.dims.iter().enumerate().take(d.strides.len()) {
            let (lower, upper) = (self.var(d.bounds[2 * k]), self.var(d.bounds[2 * k + 1]));
            let n = self.count(lower, upper);
            let equal = self.make(ExprData::Binary(BinaryOp::Eq, n, dim.count));
            let some = self.make(ExprData::Binary(BinaryOp::Gt, n, zero));
            let span = d.span.map_or(one, |s| self.e.var(s));
            let stride = self.var(d.strides[k]);
            let (a, b) = (self.mul(stride, span), self.mul(dim.stride, t.span));
            let stride = self.make(ExprData::Binary(BinaryOp::Eq, a, b));
            let single = self.make(ExprData::Binary(BinaryOp::Eq, n, one));
            let stride = self.make(ExprData::Binary(BinaryOp::Or, single, stride));
            for part in [equal, some, stride] {
                same = self.make(ExprData::Binary(BinaryOp::And, same, part));
            }
        }
        Val::plain(same)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
