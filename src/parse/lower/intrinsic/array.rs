//! Transformational functions: one IR intrinsic with positional arguments each, scalarized later.

use crate::array::Shape;
use crate::intrinsic::Intrinsics;
use crate::values::{Checked, Str, Val, refused};
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic as Ir, Type};
use trueline_sema::constant::eval::const_eval;
use trueline_sema::intrinsic::Actuals;
use trueline_sema::intrinsic::Intrinsic as Row;
use trueline_sema::types::kinds::{Category, common_type};
use trueline_sema::types::structure::StructureId;
use trueline_syntax::ast::ExprId;

impl Intrinsics<'_, '_> {
    pub(crate) fn array_argument(&mut self, row: &Row, args: &Actuals, k: usize) -> Val {
        let v = self.actual(row, args, k).checked();
        if self.rank(v.e) == 0 { refused() } else { v }
    }

    /// A DIM argument: a constant between 1 and `rank`, or a register. A constant beyond comes from the argument of a statement function
    /// or from an associate name, and stands in a register, too.
    pub(crate) fn dim_argument(&mut self, x: Option<ExprId>, rank: usize) -> Expr {
        let Some(x) = x else { return self.make(ExprData::None) };
        let e = self.integer(x);
        match self.known_at_compile_time(x, e) {
            Some(d) if (1..=rank as i64).contains(&d) => self.int4(d),
            known => {
                let e = if known.is_some() {
                    let ty = self.ty(e);
                    let register = self.register("dim", ty);
                    self.e.set(register, e);
                    self.var(register)
                } else {
                    self.in_register(e)
                };
                let span = self.ast.span(x);
                // Nothing depends on the dimension of a vector.
                match rank == 1 || self.optional_flag(x).is_some() {
                    true => self.check_range(span, "The argument 'dim'", e, [1, rank as i64]),
                    false => self.always_check_range(span, "The argument 'dim'", e, [1, rank as i64]),
                }
                e
            }
        }
    }

    fn known_at_compile_time(&self, x: ExprId, e: Expr) -> Option<i64> {
        self.known(e).or_else(|| const_eval(self.cx.decls, self.scope, x).ok()?.as_int())
    }

    /// SUM and its like; the second argument may be DIM or MASK.
    pub(crate) fn reduction(&mut self, row: &Row, ir: Ir, args: &Actuals) -> Val {
        let array = self.array_argument(row, args, 0);
        let mut dim = args[1];
        let mut mask = args[2].map(|_| self.needed(row, args, 2));
        let mask_x = args[2].or(dim);
        if let Some(x) = dim {
            let second = self.value(x);
            if Category::of(self.ty(second)) == Category::Logical {
                if mask.is_some() {
                    refused();
                }
                mask = Some(second);
                dim = None;
            }
        }
        let mask = mask.map(|m| mask_x.map_or(m, |x| self.mask_or_all(x, m, array.e)));
        let dim = self.dim_argument(dim, self.rank(array.e));
        let back = args.get(4).copied().flatten();
        if array.len.is_some() || back.is_some() {
            return self.reduction_by_element(ir, args, array, dim, mask);
        }
        let mask = match mask {
            Some(m) => {
                let (x, operand) = (args[0].checked(), mask_x.checked());
                self.conform_at(x, operand, array.e, m);
                self.convert(Type::L4, m)
            }
            None => self.make(ExprData::None),
        };
        let rank = self.rank(array.e);
        let e = self.for_dim(rank, dim, |l, dim| l.e.intrinsic(ir, &[array.e, dim, mask]));
        let kind = args.get(3).copied().flatten();
        let ty = self.kind_argument(kind, Category::Integer, self.ty(e));
        Val::plain(self.convert(ty, e))
    }

    pub(crate) fn transformational(&mut self, x: ExprId, row: &Row, ir: Ir, args: &Actuals) -> Val {
        // A constant is computed here at every level: the last digit may differ at run time.
        if ir == Ir::Norm2
            && let Ok(c) = const_eval(self.cx.decls, self.scope, x)
        {
            return self.const_value(&c);
        }
        let array = match ir {
            Ir::Spread => self.actual(row, args, 0).checked(),
            _ => self.array_argument(row, args, 0),
        };
        match ir {
            Ir::Count | Ir::Any | Ir::All | Ir::Parity | Ir::Norm2 => {
                let dim = self.dim_argument(args[1], self.rank(array.e));
                let rank = self.rank(array.e);
                let e = self.for_dim(rank, dim, |l, dim| l.e.intrinsic(ir, &[array.e, dim]));
                return if ir == Ir::Count { self.with_kind(args, 2, e) } else { Val::plain(e) };
            }
            Ir::DotProduct | Ir::Matmul => return self.product_of(x, row, ir, array, args),
            _ => {}
        }
        let other = match ir {
            Ir::Eoshift | Ir::Reshape | Ir::Pack | Ir::Unpack => self.actual(row, args, 2),
            _ => None,
        };
        // Functions that move elements work on the numbers of strings instead.
        let structure = self.structure_at(array.e);
        let Some(s) = self.text_or_bytes(array) else {
            let none = self.make(ExprData::None);
            let own = self.ty(array.e);
            let other = other.map_or(none, |v| self.convert_numeric(own, v.e));
            let other = match args.get(2).copied().flatten() {
                Some(x) if ir == Ir::Eoshift && self.rank(other) == 0 => {
                    let zero = self.int4(0);
                    let zero = match Category::of(self.ty(other)) {
                        Category::Logical => self.logical(false),
                        _ => zero,
                    };
                    self.unless_absent(x, other, zero)
                }
                _ => other,
            };
            return Val::plain(self.moved(x, row, ir, array.e, other, args));
        };
        let other = other.and_then(|v| self.text_or_bytes(v));
        let (numbers, other, pool) = self.numbered(s, other, ir == Ir::Eoshift);
        let e = self.moved(x, row, ir, numbers, other, args);
        let result = self.gathered(pool, e);
        self.text_or_structure(result, structure)
    }

    /// Characters, or a structure as the characters that it is to the IR.
    pub(crate) fn text_or_bytes(&mut self, v: Val) -> Option<Str> {
        match self.structure_at(v.e) {
            Some(id) => Some(self.bytes_of(v.e, id)),
            None => self.as_str(v),
        }
    }

    /// A temporary of characters as a value of the derived type that it is of, if it is of one: by a symbol of its own,
    /// as the temporary may be another's later.
    pub(crate) fn text_or_structure(&mut self, s: Str, structure: Option<StructureId>) -> Val {
        let (Some(id), Some(temp)) = (structure, self.root(s.place)) else { return s.into() };
        let mut data = self.e.sym(temp).clone();
        data.storage = crate::expr::component::part_storage(temp, data.storage, 0);
        let sym = self.e.b.sym(data);
        self.structures.insert(sym, id);
        Val::plain(self.var(sym))
    }

    /// CSHIFT, RESHAPE and the like of `array`; `other` is BOUNDARY, PAD, VECTOR or FIELD.
    fn moved(&mut self, x: ExprId, row: &Row, ir: Ir, array: Expr, other: Expr, args: &Actuals) -> Expr {
        let rank = self.rank(array);
        match ir {
            Ir::Transpose if rank != 2 => refused(),
            Ir::Transpose => self.intrinsic(ir, &[array]),
            Ir::Cshift | Ir::Eoshift => {
                let shift = self.needed(row, args, 1);
                let shift = self.convert(Type::I8, shift);
                let dim = match args[row.args.len() - 1] {
                    None => self.int4(1),
                    Some(x) => {
                        let dim = self.dim_argument(Some(x), rank);
                        let first = self.int8(1);
                        let dim = self.unless_absent(x, dim, first);
                        if self.known(dim).is_some() { dim } else { self.in_register(dim) }
                    }
                };
                for (k, name) in [(1, "SHIFT"), (2, "BOUNDARY")].into_iter().take(if ir == Ir::Cshift { 1 } else { 2 })
                {
                    let value = if k == 1 { shift } else { other };
                    if let Some(x) = args[k] {
                        let text =
                            format!("Incorrect extent in {name} argument of {} intrinsic", row.name.to_uppercase());
                        self.check_rest(x, &text, [array, value], dim);
                    }
                }
                self.for_dim(rank, dim, |l, dim| match ir {
                    Ir::Cshift => l.e.intrinsic(ir, &[array, shift, dim]),
                    _ => l.e.intrinsic(ir, &[array, shift, other, dim]),
                })
            }
            Ir::Reshape => self.reshape(x, row, array, other, args),
            Ir::Spread => {
                let dim = self.dim_argument(args[1], rank + 1);
                let copies = self.needed(row, args, 2);
                let copies = self.convert(Type::I8, copies);
                let copies = self.simple(copies);
                self.for_dim(rank + 1, dim, |l, dim| l.e.intrinsic(ir, &[array, dim, copies]))
            }
            _ => {
                let mask = self.needed(row, args, 1);
                if ir == Ir::Pack {
                    self.conform_at(x, args[1].unwrap_or(x), array, mask);
                } else {
                    self.conform(x, mask, other);
                }
                let mask = self.convert(Type::L4, mask);
                let (vector, place) = match ir {
                    Ir::Pack => (other, args[2]),
                    _ => (array, args[0]),
                };
                if let Some(vector_x) = place {
                    self.check_vector_argument(vector_x, row.name, [array, mask, vector]);
                }
                self.intrinsic(ir, &[array, mask, other])
            }
        }
    }

    fn product_of(&mut self, x: ExprId, row: &Row, ir: Ir, a: Val, args: &Actuals) -> Val {
        let b = self.array_argument(row, args, 1);
        let (m, n) = (self.rank(a.e), self.rank(b.e));
        let span = self.ast.span(x);
        let fine = match ir {
            Ir::DotProduct => m == 1 && n == 1,
            _ => matches!((m, n), (2, 2) | (2, 1) | (1, 2)),
        };
        if !fine {
            refused();
        }
        let (p, q) = (self.shape(a.e)[m - 1], self.shape(b.e)[0]);
        let text = format!("The extents of the arguments of '{}' differ", row.name);
        match ir {
            Ir::Matmul => self.always_check_extents(span, &text, p, q),
            _ => self.check_extents(span, &text, p, q),
        }
        let ty = common_type(self.ty(a.e), self.ty(b.e)).checked();
        let (l, r) = (self.convert(ty, a.e), self.convert(ty, b.e));
        Val::plain(self.intrinsic(ir, &[l, r]))
    }

    /// RESHAPE; its shape must be known in length, its elements need not be.
    fn reshape(&mut self, x: ExprId, row: &Row, source: Expr, pad: Expr, args: &Actuals) -> Expr {
        let shape_x = args[1].checked();
        let shape = match const_eval(self.cx.decls, self.scope, shape_x) {
            Ok(c) => c.elements().iter().filter_map(|s| s.as_int()).map(|n| self.e.int8(n)).collect(),
            Err(_) => {
                let e = self.needed(row, args, 1);
                if self.rank(e) != 1 || self.shape(e).first().and_then(|&n| self.known(n)).is_none() {
                    refused();
                }
                let is_list = match self.e.expr(e) {
                    // Items that are arrays have to be joined first.
                    ExprData::Constructor(_, items) => self.list(items).to_vec().iter().all(|&x| self.rank(x) == 0),
                    _ => self.has_elements(e),
                };
                let e = if is_list { e } else { self.in_memory(e) };
                self.vector_elements(e)
            }
        };
        let shape: SmallVec<[Expr; 4]> = shape.iter().map(|&n| self.simple(n)).collect();
        let span = self.ast.span(shape_x);
        self.check_not_negative(span, &shape);
        let total = self.product(&shape);
        let have = self.size(source);
        if args[2].is_none() {
            let span = self.ast.span(x);
            self.check_enough(span, "Incorrect size in SOURCE argument to RESHAPE intrinsic: is", have, total);
        }
        let list = self.b.list(&shape);
        let shape = self.make(ExprData::Constructor(Type::I8, list));
        if let Some(order_x) = args[3] {
            match const_eval(self.cx.decls, self.scope, order_x) {
                Ok(c) => {
                    let order: Vec<Expr> =
                        c.elements().iter().filter_map(|s| s.as_int()).map(|n| self.e.int4(n)).collect();
                    let list = self.b.list(&order);
                    let order = self.make(ExprData::Constructor(Type::I4, list));
                    return self.intrinsic(Ir::Reshape, &[source, shape, pad, order]);
                }
                Err(_) => {
                    let order = self.needed(row, args, 3);
                    let extents: Shape = self.vector_elements(shape);
                    return self.reshape_in_order(source, &extents, pad, (order_x, order));
                }
            }
        }
        let none = self.make(ExprData::None);
        self.intrinsic(Ir::Reshape, &[source, shape, pad, none])
    }

    /// RESHAPE with an ORDER that is known at run time only: element by element, at the number that it has in the order.
    fn reshape_in_order(&mut self, source: Expr, shape: &[Expr], pad: Expr, order: (ExprId, Expr)) -> Expr {
        let (order_x, order) = order;
        let order = self.in_memory(order);
        self.check_order(order_x, order, shape.len());
        let (one, zero) = (self.int8(1), self.int8(0));
        // The position of each dimension in the order.
        let mut places: Shape = Shape::new();
        for d in 1..=shape.len() as i64 {
            let mut place = zero;
            for k in 1..=shape.len() as i64 {
                let at = self.int8(k);
                let o = self.element(order, &[at]);
                let o = self.convert(Type::I8, o);
                let d = self.int8(d);
                let is = self.make(ExprData::Binary(BinaryOp::Eq, o, d));
                place = self.intrinsic(Ir::Merge, &[at, place, is]);
            }
            places.push(self.in_register(place));
        }
        let mut strides: Shape = Shape::new();
        for &own in &places {
            let mut stride = one;
            for (&other, &n) in places.iter().zip(shape) {
                let before = self.make(ExprData::Binary(BinaryOp::Lt, other, own));
                let n = self.intrinsic(Ir::Merge, &[n, one, before]);
                stride = self.mul(stride, n);
            }
            strides.push(self.in_register(stride));
        }
        let (source, have) = self.in_sequence(source);
        let pad = (self.e.expr(pad) != ExprData::None).then(|| self.in_sequence(pad));
        let own = self.ty(source);
        let temp = self.e.memory(own, None, shape);
        let (at, outer) = self.open_elements(shape);
        let mut number = one;
        for (&k, &stride) in at.iter().zip(&strides) {
            let steps = self.sub(k, one);
            let distance = self.mul(steps, stride);
            number = self.add(number, distance);
        }
        let number = self.in_register(number);
        let to = self.elem(temp, &at);
        let inside = self.make(ExprData::Binary(BinaryOp::Le, number, have));
        let (after, otherwise) = self.open_if(inside);
        let from = self.element(source, &[number]);
        self.assign(to, from);
        self.enter(otherwise);
        if let Some((pad, n)) = pad {
            let more = self.sub(number, have);
            let more = self.sub(more, one);
            let k = self.intrinsic(Ir::Mod, &[more, n]);
            let k = self.add(k, one);
            let from = self.element(pad, &[k]);
            self.assign(to, from);
        }
        self.enter(after);
        self.enter(outer);
        self.var(temp)
    }

    /// The elements of an array one after the other, and how many there are.
    fn in_sequence(&mut self, e: Expr) -> (Expr, Expr) {
        let n = self.size(e);
        let n = self.in_register(n);
        if self.rank(e) == 1 {
            return (self.in_memory(e), n);
        }
        let list = self.b.list(&[n]);
        let shape = self.make(ExprData::Constructor(Type::I8, list));
        let none = self.make(ExprData::None);
        let flat = self.intrinsic(Ir::Reshape, &[e, shape, none, none]);
        (self.in_memory(flat), n)
    }
}
