//! Inquiry functions: constants of a kind, shapes, bounds, lengths, status.

use crate::intrinsic::Intrinsics;
use crate::values::{Checked, Val, checked_that, refused};
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic as Ir, Type};
use trueline_sema::intrinsic::Actuals;
use trueline_sema::intrinsic::{Inquiry, Intrinsic as Row, Model};
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{ExprId, ExprKind};

/// The dimensions that an inquiry is about.
enum Asked {
    All,
    /// One of them, counted from 0.
    One(usize),
    /// The dimension of this number, which may be none that is known.
    AtRunTime(Expr),
}

impl Intrinsics<'_, '_> {
    /// HUGE, EPSILON, KIND …: the argument is not evaluated.
    pub(crate) fn model(&mut self, row: &Row, m: Model, args: &Actuals) -> Val {
        let typed = args.first().copied().flatten().and_then(|x| self.typing().of(x));
        let ty = match typed {
            Some(t) if row.args[0].class.accepts(t.ty) => t.ty,
            _ => {
                let a = self.actual(row, args, 0).checked();
                self.ty(a.e)
            }
        };
        match trueline_sema::constant::math::model(m, ty) {
            Some(value) => self.scalar_value(&value),
            None => refused(),
        }
    }

    pub(crate) fn inquiry(&mut self, row: &Row, i: Inquiry, args: &Actuals) -> Val {
        let first = args[0].checked();
        // No value is read here, and none is given.
        let outer = self.silence();
        let v = self.inquiry_of(row, i, args, first);
        self.listen(outer);
        v
    }

    fn inquiry_of(&mut self, row: &Row, i: Inquiry, args: &Actuals, first: ExprId) -> Val {
        if matches!(i, Inquiry::Size | Inquiry::Shape | Inquiry::Lbound | Inquiry::Ubound | Inquiry::Len) {
            self.check_inquired(first);
        }
        match i {
            Inquiry::Allocated => self.allocated(first),
            Inquiry::Associated => self.association(first, args.get(1).copied().flatten()),
            Inquiry::Null => refused(),
            Inquiry::Present => {
                if let Some(v) = self.present_procedure(first) {
                    return v;
                }
                let is_whole = matches!(self.ast.expr(first).kind, ExprKind::Name(_));
                let flag = self.root_of(first).filter(|_| is_whole).and_then(|id| self.present.get(&id).copied());
                let flag = flag.checked();
                let (flag, zero) = (self.var(flag), self.int8(0));
                Val::plain(self.make(ExprData::Binary(BinaryOp::Ne, flag, zero)))
            }
            Inquiry::Len => {
                let v = self.designator(first);
                self.with_kind(args, 1, v.len.checked())
            }
            Inquiry::IsContiguous => {
                let v = self.designator(first);
                let contiguous = match self.is_contiguous_variable(v.e) {
                    true => self.logical(true),
                    false => self.lies_without_gaps(v),
                };
                Val::plain(contiguous)
            }
            Inquiry::SizeOf | Inquiry::CSizeOf => {
                let v = self.designator(first);
                let n = self.size(v.e);
                let each = self.element_bytes(v);
                Val::plain(self.mul(n, each))
            }
            Inquiry::CLoc => self.c_loc(first),
            Inquiry::CFunLoc => self.c_funloc(first),
            Inquiry::CAssociated => self.c_associated(first, args.get(1).copied().flatten()),
            Inquiry::StorageSize => {
                let v = self.designator(first);
                let each = self.element_bytes(v);
                let eight = self.int8(8);
                let bits = self.mul(each, eight);
                self.with_kind(args, 1, bits)
            }
            Inquiry::Rank => {
                let v = self.designator(first);
                let rank = self.rank(v.e) as i64;
                Val::plain(self.int4(rank))
            }
            Inquiry::Size => self.size_inquiry(row, args, first),
            Inquiry::Shape => {
                let v = self.reference_of(first);
                let shape = self.shape(v.e);
                self.vector_of(args, 1, &shape)
            }
            Inquiry::Lbound | Inquiry::Ubound => self.bound_inquiry(args, first, i == Inquiry::Ubound),
        }
    }

    /// PRESENT of a dummy procedure: whether there is an address.
    fn present_procedure(&mut self, x: ExprId) -> Option<Val> {
        let id = self.root_of(x)?;
        let s = self.symbol(id);
        if !s.attrs.optional || s.procedure().is_none() {
            return None;
        }
        let span = self.ast.span(x);
        let sym = self.binding(id, span).sym;
        let (address, zero) = (self.var(sym), self.int8(0));
        Some(Val::plain(self.make(ExprData::Binary(BinaryOp::Ne, address, zero))))
    }

    /// The argument of an inquiry about its shape.
    fn reference_of(&mut self, x: ExprId) -> Val {
        match self.ast.expr(x).kind {
            ExprKind::Name(_) | ExprKind::Component { .. } => self.designator(x),
            _ => self.expr(x),
        }
    }

    fn vector_of(&mut self, args: &Actuals, kind: usize, items: &[Expr]) -> Val {
        let ty = self.kind_argument(args.get(kind).copied().flatten(), Category::Integer, Type::I4);
        let items: Vec<Expr> = items.iter().map(|&e| self.e.convert(ty, e)).collect();
        let list = self.b.list(&items);
        Val::plain(self.make(ExprData::Constructor(ty, list)))
    }

    /// The dimensions that DIM asks about; `count` of them have what is asked for.
    fn asked(&mut self, dim: Option<ExprId>, count: usize) -> Asked {
        let Some(x) = dim else { return Asked::All };
        let e = self.integer(x);
        match self.known(e) {
            Some(d) if (1..=count as i64).contains(&d) => Asked::One(d as usize - 1),
            _ => Asked::AtRunTime(e),
        }
    }

    fn must_be_array(&self, v: Val) {
        checked_that(self.rank(v.e) > 0);
    }

    /// Whether the last extent of `e` is unknown.
    fn is_assumed_size(&self, e: Expr) -> bool {
        match self.e.expr(e) {
            ExprData::Var(v) => self.sym(v).dims.last().is_some_and(|d| d.upper.is_none()),
            _ => false,
        }
    }

    fn size_inquiry(&mut self, row: &Row, args: &Actuals, first: ExprId) -> Val {
        let v = self.reference_of(first);
        self.must_be_array(v);
        let rank = self.rank(v.e);
        let is_open = self.is_assumed_size(v.e);
        let shape = self.shape(v.e);
        let n = match self.asked(args[1], rank - usize::from(is_open)) {
            Asked::All => {
                checked_that(!is_open);
                self.product(&shape)
            }
            Asked::One(d) => shape[d],
            Asked::AtRunTime(dim) => return self.size_of_any(args, v, dim, row),
        };
        self.with_kind(args, 2, n)
    }

    /// A DIM that is known at run time only must be that of a dimension; an optional one may be absent.
    fn check_inquired_dim(&mut self, x: Option<ExprId>, dim: Expr, rank: usize) {
        if let Some(x) = x.filter(|&x| self.optional_flag(x).is_none()) {
            let span = self.ast.span(x);
            self.check_range(span, "The argument 'dim'", dim, [1, rank as i64]);
        }
    }

    /// SIZE with a DIM that is known at run time only.
    fn size_of_any(&mut self, args: &Actuals, v: Val, dim: Expr, _: &Row) -> Val {
        let dim = if self.checks_bounds() { self.in_register(dim) } else { dim };
        let rank = self.rank(v.e);
        self.check_inquired_dim(args[1], dim, rank);
        let shape = self.shape(v.e);
        let mut n = shape[shape.len() - 1];
        for (k, &extent) in shape.iter().enumerate().rev().skip(1) {
            let number = self.int8(k as i64 + 1);
            let is = self.make(ExprData::Binary(BinaryOp::Eq, dim, number));
            n = self.intrinsic(Ir::Merge, &[extent, n, is]);
        }
        if let Some(x) = args[1] {
            let all = self.product(&shape);
            n = self.unless_absent(x, n, all);
        }
        self.with_kind(args, 2, n)
    }

    fn bound_inquiry(&mut self, args: &Actuals, first: ExprId, upper: bool) -> Val {
        let v = self.reference_of(first);
        self.must_be_array(v);
        let rank = self.rank(v.e);
        let is_open = upper && self.is_assumed_size(v.e);
        match self.asked(args[1], rank - usize::from(is_open)) {
            Asked::All => {
                checked_that(!is_open);
                let bounds: Vec<Expr> = (0..rank).map(|d| self.bound(v.e, d, upper)).collect();
                self.vector_of(args, 2, &bounds)
            }
            Asked::One(d) => {
                let bound = self.bound(v.e, d, upper);
                self.with_kind(args, 2, bound)
            }
            Asked::AtRunTime(dim) => self.bound_of_any(args, v, dim, upper),
        }
    }

    /// LBOUND and UBOUND with a DIM that is known at run time only.
    fn bound_of_any(&mut self, args: &Actuals, v: Val, dim: Expr, upper: bool) -> Val {
        let rank = self.rank(v.e);
        let dim = if self.checks_bounds() { self.in_register(dim) } else { dim };
        self.check_inquired_dim(args[1], dim, rank);
        let mut bound = self.bound(v.e, rank - 1, upper);
        for d in (0..rank - 1).rev() {
            let this = self.bound(v.e, d, upper);
            let number = self.int8(d as i64 + 1);
            let is = self.make(ExprData::Binary(BinaryOp::Eq, dim, number));
            bound = self.intrinsic(Ir::Merge, &[this, bound, is]);
        }
        self.with_kind(args, 2, bound)
    }

    /// LBOUND and UBOUND: the declared bounds of a whole array, 1 and the extent of anything else; of a
    /// dimension without elements 1 and 0.
    fn bound(&mut self, e: Expr, d: usize, upper: bool) -> Expr {
        let one = self.int8(1);
        let whole = match self.e.expr(e) {
            ExprData::Var(v) if !self.is_result(v) => Some(v),
            _ => None,
        };
        let Some(v) = whole else {
            let n = self.shape(e)[d];
            return if upper { n } else { one };
        };
        let dim = self.sym(v).dims[d];
        let Some(hi) = dim.upper.expand() else { return dim.lower };
        if self.known(dim.lower) == Some(1) {
            return if upper { self.at_least_zero(hi) } else { one };
        }
        let (bound, empty) = if upper { (hi, self.int8(0)) } else { (dim.lower, one) };
        match (self.known(dim.lower), self.known(hi)) {
            (Some(l), Some(h)) => {
                if l <= h {
                    bound
                } else {
                    empty
                }
            }
            _ => {
                let some = self.make(ExprData::Binary(BinaryOp::Le, dim.lower, hi));
                self.intrinsic(Ir::Merge, &[bound, empty, some])
            }
        }
    }

    fn allocated(&mut self, x: ExprId) -> Val {
        let found = match self.ast.expr(x).kind {
            ExprKind::Name(_) | ExprKind::Component { .. } => self.descriptor_at(x),
            _ => None,
        };
        match found {
            Some((_, d)) if !d.is_pointer => Val::plain(self.is_there(&d)),
            _ => refused(),
        }
    }
}
