//! Optional arguments: the substitutes passed for absent ones, and the flags that tell the callee of their absence.

use crate::call::Arguments;
use crate::expr::Exprs;
use crate::symbols::{Extra, extras};
use crate::values::Val;
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_ir::{Access, Expr, ExprData, Type};
use trueline_sema::scope::symbol::{SymbolId, has_strides};
use trueline_syntax::ast::{ExprId, ExprKind};

impl Exprs<'_> {
    /// Adds the arguments that follow the lengths for an argument that is given.
    pub(crate) fn further(&mut self, x: ExprId, dummy: SymbolId, v: Val, out: &mut Arguments) {
        let strides = if has_strides(self.symbol(dummy)) { self.strides_without_gaps(v) } else { SmallVec::new() };
        self.further_with(x, dummy, v, &strides, out);
    }

    /// The same of an array with the distances of its elements in bytes.
    pub(crate) fn further_with(&mut self, x: ExprId, dummy: SymbolId, v: Val, strides: &[Expr], out: &mut Arguments) {
        let shape = self.shape(v.e);
        for extra in extras(self.symbol(dummy)) {
            let e = match extra {
                Extra::Stride(k) => strides.get(k).copied().unwrap_or_else(|| self.int8(0)),
                Extra::Extent(k) => shape.get(k).copied().unwrap_or_else(|| self.int8(0)),
                Extra::Present => self.presence(x, dummy),
            };
            out.further.push(e);
        }
    }

    /// Whether an optional argument is there: not if it is an absent dummy argument of the caller, nor if it is a pointer
    /// or allocatable with nothing behind it (Fortran 2008, 12.5.2.12).
    pub(crate) fn presence(&mut self, x: ExprId, dummy: SymbolId) -> Expr {
        let flag = match self.optional_flag(x) {
            Some(flag) => self.var(flag),
            None => self.int8(1),
        };
        if self.symbol(dummy).is_indirect() {
            return flag;
        }
        match self.behind(x) {
            Some(d) => {
                let (there, zero) = (self.is_there(&d), self.int8(0));
                self.intrinsic(trueline_ir::Intrinsic::Merge, &[flag, zero, there])
            }
            None => flag,
        }
    }

    /// The descriptor of a pointer or allocatable that is passed as a whole.
    pub(crate) fn behind(&mut self, x: ExprId) -> Option<crate::values::Descriptor> {
        let named = match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.resolve(name).is_some_and(|id| !self.associates.contains_key(&id)),
            ExprKind::Component { .. } => true,
            _ => false,
        };
        if !named || !self.is_variable_reference(x) {
            return None;
        }
        self.descriptor_at(x).map(|(_, d)| d)
    }
}

impl Variables<'_> {
    /// An optional argument that is not given. A scalar gets memory all the same: code motion may load
    /// it where the source does not.
    pub(crate) fn absent(&mut self, dummy: Option<SymbolId>, out: &mut Arguments) {
        let zero = self.int8(0);
        let null = self.make(ExprData::Null);
        let Some(d) = dummy.map(|d| self.symbol(d)).filter(|d| d.procedure().is_none()) else {
            return out.list.push(null);
        };
        match d.ty {
            _ if self.absent_value(d, out) => {}
            _ if d.is_indirect() => {
                let words = trueline_sema::types::structure::descriptor_size(d.rank()) / 8;
                let extents: SmallVec<[Expr; 1]> = (d.is_array()).then(|| self.int8(words)).into_iter().collect();
                let memory = self.memory(Type::I8, None, &extents);
                let one = self.int8(1);
                let place = if d.is_array() { self.elem(memory, &[one]) } else { self.var(memory) };
                self.assign(place, zero);
                let address = self.address(Access::InOut, place);
                out.list.push(address);
            }
            Some(ty) if d.attrs.value && !d.is_array() && d.structure.is_none() && ty != Type::Char => {
                let value = self.convert(ty, zero);
                out.list.push(value);
            }
            Some(ty) if ty != Type::Char && !d.is_array() => {
                let memory = self.memory(ty, None, &[]);
                let place = self.var(memory);
                let address = self.address(Access::In, place);
                out.list.push(address);
            }
            _ => out.list.push(null),
        }
        if d.is_character() {
            let deferred = d.is_indirect() && d.len == trueline_sema::scope::symbol::Extent::Deferred;
            let length = if deferred {
                let memory = self.memory(Type::I8, None, &[]);
                let place = self.var(memory);
                self.assign(place, zero);
                self.address(Access::InOut, place)
            } else {
                zero
            };
            out.lengths.push(length);
        }
        for _ in extras(d) {
            out.further.push(zero);
        }
    }

    /// The flag of an optional dummy argument that is passed on as a whole.
    pub(crate) fn optional_flag(&self, x: ExprId) -> Option<trueline_ir::Sym> {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return None };
        let id = self.resolve(name).filter(|id| !self.associates.contains_key(id))?;
        self.present.get(&id).copied()
    }

    /// The place behind a descriptor, or spare memory if nothing is there: code motion may load a scalar argument where
    /// the source does not.
    pub(crate) fn place_or_spare(&mut self, d: &crate::values::Descriptor, place: Expr) -> Expr {
        let ExprData::Var(own) = self.e.expr(place) else { return place };
        let ty = self.ty(place);
        let spare = self.memory(ty, None, &[]);
        let base = self.register("base", Type::I8);
        let there = self.is_there(d);
        let (after, otherwise) = self.open_if(there);
        let address = self.var(d.base);
        self.e.set(base, address);
        self.enter(otherwise);
        let spare = self.var(spare);
        let address = self.address_value(spare);
        self.e.set(base, address);
        self.enter(after);
        let mut data = self.e.sym(own).clone();
        data.storage = trueline_ir::Storage::Pointer { base };
        data.may_alias = true;
        let sym = self.e.b.sym(data);
        self.var(sym)
    }
}
