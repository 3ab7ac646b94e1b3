//! Bringing an array expression into a form whose elements can be computed one by one: functions that
//! need loops of their own are computed here, before the statement, into a register or a temporary.

use super::element::Ordinals;
use super::{Axis, Lowering};
use crate::linear::product;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use trueline_ir::{Expr, ExprData, Head, Intrinsic, List, Place, Stmt, Type};

impl Lowering<'_, '_, '_> {
    /// A statement that is no array statement, but may contain array functions with a scalar result.
    pub(super) fn scalar_statement(&mut self, s: Stmt, head: Head) {
        let values = self.ed.values(head);
        if !values.iter().any(|&e| self.has_array_code(e)) {
            return;
        }
        if let Head::DoWhile { .. } = head {
            // The first block prepares the condition, before each evaluation.
            self.at = Place::End(self.ed.blocks(s)[0]);
        }
        let new = self.prepare_head(head);
        self.free_to(0);
        self.ed.expand_in_place(s, new);
    }

    /// Copies `head`, with its expressions prepared.
    pub(super) fn prepare_head(&mut self, head: Head) -> Head {
        let mut done: FxHashMap<Expr, Expr> = FxHashMap::default();
        for e in self.ed.values(head) {
            let new = self.prepare(e);
            done.insert(e, new);
        }
        self.ed.map_head(head, &mut |_, e| done.get(&e).copied())
    }

    /// Whether `e` contains anything that is legal at VH only.
    fn has_array_code(&self, e: Expr) -> bool {
        let mut found = false;
        self.ed.visit_expr(e, &mut |x| {
            found |= match self.ed.expr(x) {
                ExprData::Intrinsic(i, _) => i.is_transformational(),
                ExprData::Section(..) | ExprData::Constructor(..) => true,
                _ => false,
            }
        });
        found
    }

    /// Rewrites `e` so that its elements can be computed one by one; emits the code that this takes.
    pub(super) fn prepare(&mut self, e: Expr) -> Expr {
        if let Some(&new) = self.ready.get(&e) {
            return new;
        }
        let new = match self.ed.expr(e) {
            ExprData::Intrinsic(i, l) if i.is_transformational() => self.array_function(e, i, l),
            ExprData::Constructor(ty, l) => self.constructor(ty, l),
            ExprData::Section(s, l) => {
                let subs: Ordinals = self.ed.list(l).iter().copied().collect();
                let subs: Ordinals = subs.into_iter().map(|x| self.prepare_subscript(x)).collect();
                let l = self.ed.make_list(&subs);
                self.ed.make(ExprData::Section(s, l))
            }
            // A prepared place is still one with the same root.
            ExprData::Substr(base, lo, hi) => {
                let [base, lo, hi] = [base, lo, hi].map(|x| self.prepare(x));
                self.ed.make(ExprData::Substr(base, lo, hi))
            }
            ExprData::AddrOf(access, place) => {
                let place = self.prepare(place);
                self.ed.make(ExprData::AddrOf(access, place))
            }
            ExprData::Intrinsic(i, l) => {
                let args: Ordinals = self.ed.list(l).iter().copied().collect();
                let args: Ordinals = args.into_iter().map(|x| self.prepare(x)).collect();
                self.ed.intrinsic(i, &args)
            }
            _ => {
                let mut operands: Ordinals = SmallVec::new();
                self.ed.pool().operands(e, |x| operands.push(x));
                let mut done: FxHashMap<Expr, Expr> = FxHashMap::default();
                for x in operands {
                    let new = self.prepare(x);
                    done.insert(x, new);
                }
                self.ed.map_expr(e, &mut |_, x| done.get(&x).copied())
            }
        };
        self.ready.insert(e, new);
        new
    }

    fn prepare_subscript(&mut self, sub: Expr) -> Expr {
        match self.ed.expr(sub) {
            ExprData::Triplet(lo, hi, step) => {
                let [lo, hi, step] = [lo, hi, step].map(|e| {
                    let e = self.prepare(e);
                    self.simple(e)
                });
                self.ed.make(ExprData::Triplet(lo, hi, step))
            }
            _ if self.ed.pool().rank(sub) == 0 => {
                let sub = self.prepare(sub);
                if self.ed.reads_memory(sub) { self.simple(sub) } else { sub }
            }
            _ => self.prepare(sub),
        }
    }

    /// A transformational function: a register, a temporary, or itself with prepared arguments where
    /// its elements are at hand (TRANSPOSE, SPREAD, CSHIFT, RESHAPE of a rank-one array).
    fn array_function(&mut self, e: Expr, i: Intrinsic, l: List) -> Expr {
        let args: Ordinals = self.ed.list(l).iter().copied().collect();
        match i {
            Intrinsic::Transpose => {
                let a = self.prepare(args[0]);
                self.ed.intrinsic(i, &[a])
            }
            Intrinsic::Spread => self.spread(&args),
            Intrinsic::Cshift => self.cshift(&args),
            Intrinsic::Eoshift => self.eoshift(&args),
            Intrinsic::Reshape => self.reshape(&args),
            Intrinsic::Pack => self.pack(&args),
            Intrinsic::Unpack => self.unpack(&args),
            Intrinsic::Matmul => self.matmul(e, &args),
            _ => self.reduction(e, i, &args),
        }
    }

    /// A copy of the array expression `e` in a temporary, unless its elements can be had for a load.
    pub(super) fn stored(&mut self, e: Expr) -> Expr {
        let e = self.prepare(e);
        match self.ed.expr(e) {
            ExprData::Var(_) | ExprData::Section(..) => e,
            _ if self.ed.pool().rank(e) == 0 => e,
            _ => {
                let axes = self.axes(e);
                self.copy_of(e, &axes)
            }
        }
    }

    /// A copy of the prepared expression `e` in a temporary with the bounds of `axes`.
    pub(super) fn copy_of(&mut self, e: Expr, axes: &[Axis]) -> Expr {
        let temp = self.temporary_beside(e, axes, Some(e));
        let at = self.at;
        let ordinals = self.open_nest(axes);
        let temp = self.ed.var(temp);
        let to = self.element(temp, &ordinals);
        let from = self.element(e, &ordinals);
        self.assign(to, from);
        self.at = at;
        temp
    }

    /// SPREAD(source, dim, ncopies): a source that is more than a load is computed once.
    fn spread(&mut self, args: &[Expr]) -> Expr {
        let source = self.stored(args[0]);
        let copies = self.prepare(args[2]);
        let copies = self.ed.widen(copies);
        let copies = self.simple(copies);
        self.ed.intrinsic(Intrinsic::Spread, &[source, args[1], copies])
    }

    /// CSHIFT(array, shift, dim): a scalar shift is reduced to `0 .. n-1` once.
    fn cshift(&mut self, args: &[Expr]) -> Expr {
        let array = self.prepare(args[0]);
        let shift = self.prepare(args[1]);
        let dim = self.dim_argument(args.get(2).copied());
        if self.ed.pool().rank(shift) > 0 {
            let shift = self.ed.make(ExprData::Convert(Type::I8, shift));
            return self.ed.intrinsic(Intrinsic::Cshift, &[array, shift, dim]);
        }
        let axes = self.axes(array);
        let d = self.constant_dim(dim, axes.len());
        let n = self.extent(axes[d]);
        let one = self.ed.int(Type::I8, 1);
        let wide = self.ed.widen(shift);
        let reduced = match (self.ed.pool().as_int(wide), self.ed.pool().as_int(n)) {
            (Some(k), Some(n)) => self.ed.int(Type::I8, k.rem_euclid(n.max(1))),
            (Some(k), None) if (0..=1).contains(&k) => {
                // The extent is at least 1 where an element is computed, and a shift by 1 of one
                // element comes out right: 0 + 1 >= 1 wraps to 0.
                self.ed.int(Type::I8, k)
            }
            (_, known) => {
                let n = match known {
                    Some(n) => self.ed.int(Type::I8, n.max(1)),
                    None => self.ed.intrinsic(Intrinsic::Max, &[n, one]),
                };
                let reduced = self.ed.intrinsic(Intrinsic::Modulo, &[wide, n]);
                self.simple(reduced)
            }
        };
        self.ed.intrinsic(Intrinsic::Cshift, &[array, reduced, dim])
    }

    /// DIM of a shift, which is 1 if absent.
    pub(super) fn dim_argument(&mut self, dim: Option<Expr>) -> Expr {
        match dim {
            Some(d) if self.ed.expr(d) != ExprData::None => d,
            _ => self.ed.int(Type::I4, 1),
        }
    }

    /// RESHAPE(source, shape, pad, order): the elements of an array of rank one are at hand, else the
    /// source is stored in element order first.
    fn reshape(&mut self, args: &[Expr]) -> Expr {
        let shape = self.prepared_shape(args[1]);
        let absent =
            |e: Option<&Expr>, ed: &trueline_ir::Editor<'_>| e.copied().filter(|&e| ed.expr(e) != ExprData::None);
        let pad = absent(args.get(2), self.ed);
        let none = self.ed.make(ExprData::None);
        let order = absent(args.get(3), self.ed).unwrap_or(none);
        let source = self.prepare(args[0]);
        let at_hand = matches!(self.ed.expr(source), ExprData::Var(_) | ExprData::Section(..));
        let source = if at_hand && self.ed.pool().rank(source) == 1 && pad.is_none() {
            source
        } else {
            let mut total = self.ed.int(Type::I8, 1);
            for &n in &shape {
                total = product(self.ed, total, n);
            }
            self.stored_in_order(source, pad, total)
        };
        let shape = self.ed.make_list(&shape);
        let shape = self.ed.make(ExprData::Constructor(Type::I8, shape));
        self.ed.intrinsic(Intrinsic::Reshape, &[source, shape, none, order])
    }

    /// A SHAPE argument as a list of simple values.
    fn prepared_shape(&mut self, shape: Expr) -> Ordinals {
        let members: Ordinals = match self.ed.expr(shape) {
            ExprData::Constructor(_, l) if self.ed.list(l).iter().all(|&m| self.ed.pool().rank(m) == 0) => {
                self.ed.list(l).iter().copied().collect()
            }
            ExprData::Convert(_, inner) => return self.prepared_shape(inner),
            _ => {
                let prepared = self.prepare(shape);
                let axis = self.axes(prepared)[0];
                let n = self.extent(axis);
                let n = self.ed.pool().as_int(n).unwrap_or(1).clamp(0, 15);
                (0..n)
                    .map(|k| {
                        let k = self.ed.int(Type::I8, k);
                        self.element(prepared, &[k])
                    })
                    .collect()
            }
        };
        members
            .into_iter()
            .map(|m| {
                let m = self.prepare(m);
                let m = self.ed.widen(m);
                self.simple(m)
            })
            .collect()
    }
}
