//! The procedures of ISO_C_BINDING: addresses as values of the types C_PTR and C_FUNPTR.
//!
//! ```text
//! p = c_loc(x)                       t%c_address = address(x);  p = t
//! call c_f_pointer(p, f, [m, n])     base.f = p%c_address;  bounds 1:m, 1:n, strides 1, m
//! ```

use crate::expr::Exprs;
use crate::intrinsic::Intrinsics;
use crate::source::Source;
use crate::stmt::Stmts;
use crate::values::{Checked, Val, refused};
use trueline_ir::{BinaryOp, Expr, ExprData, Type};
use trueline_sema::intrinsic::Actuals;
use trueline_sema::types::structure::StructureId;
use trueline_syntax::ast::ExprId;

impl Intrinsics<'_, '_> {
    /// A value of C_PTR or C_FUNPTR that holds `address`.
    fn c_address(&mut self, address: Expr, procedure: bool) -> Val {
        let (data, code) = self.cx.decls.c_types.checked();
        let id = if procedure { code } else { data };
        let temp = self.structure_temp(id, &[]);
        let place = self.var(temp);
        let part = self.part_of(place, id, 0);
        let word = self.var(part.sym);
        self.assign(word, address);
        self.whole_symbol(temp)
    }

    /// `C_LOC(x)`
    pub(crate) fn c_loc(&mut self, x: ExprId) -> Val {
        let address = self.location_of(x);
        self.c_address(address, false)
    }

    /// `C_FUNLOC(x)`
    pub(crate) fn c_funloc(&mut self, x: ExprId) -> Val {
        let address = self.procedure_value(x).checked();
        self.c_address(address, true)
    }

    /// `C_ASSOCIATED(a)` and `C_ASSOCIATED(a, b)`
    pub(crate) fn c_associated(&mut self, a: ExprId, b: Option<ExprId>) -> Val {
        let (data, code) = self.cx.decls.c_types.checked();
        let first = self.address_in(a, &[data, code]);
        let zero = self.int8(0);
        let there = self.make(ExprData::Binary(BinaryOp::Ne, first, zero));
        let Some(b) = b else { return Val::plain(there) };
        let second = self.address_in(b, &[data, code]);
        let same = self.make(ExprData::Binary(BinaryOp::Eq, first, second));
        Val::plain(self.make(ExprData::Binary(BinaryOp::And, there, same)))
    }
}

impl Stmts<'_> {
    /// `CALL C_F_POINTER(cptr, fptr [, shape, lower])`
    pub(crate) fn c_f_pointer(&mut self, args: &Actuals) {
        let given = |k: usize| args.get(k).copied().flatten();
        let (cptr, fptr) = (given(0).checked(), given(1).checked());
        let address = self.data_address(cptr);
        let (sym, d) = self.pointer_at(fptr);
        let rank = d.strides.len();
        match given(2) {
            None if rank > 0 => refused(),
            Some(_) if rank == 0 => refused(),
            _ => {}
        }
        let extents = self.elements_of(given(2), rank);
        let lowers = self.elements_of(given(3), rank);
        self.e.set(d.base, address);
        let one = self.int8(1);
        let mut stride = one;
        for (k, &extent) in extents.iter().enumerate() {
            let lower = lowers.get(k).copied().unwrap_or(one);
            let last = self.add(lower, extent);
            let last = self.sub(last, one);
            self.e.set(d.bounds[2 * k], lower);
            self.e.set(d.bounds[2 * k + 1], last);
            self.e.set(d.strides[k], stride);
            let n = self.count(lower, last);
            stride = self.mul(stride, n);
            stride = self.in_register(stride);
        }
        if let Some(span) = d.span {
            let v = self.whole_symbol(sym);
            let bytes = self.element_bytes(v);
            self.e.set(span, bytes);
        }
        self.store_descriptor(&d);
    }

    /// `CALL C_F_PROCPOINTER(cptr, fptr)`
    pub(crate) fn c_f_procpointer(&mut self, args: &Actuals) {
        let (cptr, fptr) = (args[0].checked(), args[1].checked());
        let address = self.code_address(cptr);
        let place = self.procedure_pointer(fptr).checked();
        self.assign(place.place, address);
    }
}

impl Exprs<'_> {
    /// The address that a scalar of C_PTR or C_FUNPTR holds.
    fn address_in(&mut self, x: ExprId, wanted: &[StructureId]) -> Expr {
        let v = if self.is_variable_reference(x) { self.designator(x) } else { self.expr(x) };
        let id = self.structure_at(v.e).filter(|id| wanted.contains(id)).checked();
        self.must_be_scalar(v.e);
        let part = self.part_of(v.e, id, 0);
        let word = self.whole_part(&part);
        self.in_register(word.e)
    }

    fn data_address(&mut self, x: ExprId) -> Expr {
        let (data, _) = self.cx.decls.c_types.checked();
        self.address_in(x, &[data])
    }

    fn code_address(&mut self, x: ExprId) -> Expr {
        let (_, code) = self.cx.decls.c_types.checked();
        self.address_in(x, &[code])
    }

    /// The first `n` elements of a vector of integers, as `INTEGER(8)` in registers.
    fn elements_of(&mut self, x: Option<ExprId>, n: usize) -> Vec<Expr> {
        let Some(x) = x else { return Vec::new() };
        let v = self.value(x);
        self.must_be(v, trueline_sema::types::kinds::Category::Integer);
        if self.rank(v) != 1 {
            refused();
        }
        let v = self.in_memory(v);
        let mut out = Vec::new();
        for k in 1..=n as i64 {
            let k = self.int8(k);
            let item = self.element(v, &[k]);
            let item = self.convert(Type::I8, item);
            out.push(self.in_register(item));
        }
        out
    }
}

impl Source<'_> {
    /// The bytes of an element of `v`.
    pub(crate) fn element_bytes(&mut self, v: Val) -> Expr {
        match (self.structure_at(v.e), v.len) {
            (Some(id), _) => self.e.int8(self.cx.decls.structures[id].size),
            (None, Some(len)) => len,
            (None, None) => self.e.int8(self.e.ty(v.e).size() as i64),
        }
    }
}
