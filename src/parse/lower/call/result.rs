//! The form of a function's result: its bounds and length, in terms of the actual arguments.
//!
//! ```text
//! function f(a, n)                        f(b(3:7), 2)   has   ubound(a) = 4 elements,
//!   integer a(0:), n, f(ubound(a, 1))                          where a is b(3:7) counted from 0
//! ```
//!
//! The expressions of the interface are evaluated at the call. In them a dummy argument is the actual one, with the
//! bounds and the length that the interface declares, and a dummy procedure is the procedure passed for it.

use crate::call::Arguments;
use crate::expr::Exprs;
use crate::values::{Val, refused};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_ir::{Dim, Expr, ExprData, Type};
use trueline_sema::scope::symbol::is_assumed_shape;
use trueline_sema::scope::symbol::{Extent, Home, ProcedureClass, Symbol, SymbolId};
use trueline_syntax::ast::ExprKind;

/// Extents of a result.
type Extents = SmallVec<[Expr; 4]>;

impl Exprs<'_> {
    /// The length of a CHARACTER result and the extents of an array.
    pub(crate) fn result_form(
        &mut self,
        function: &Symbol,
        result: &Symbol,
        out: &mut Arguments,
    ) -> (Option<Expr>, Extents) {
        let mut values = std::mem::take(&mut out.values);
        let outer = self.passed_procedures.len();
        self.passed_procedures.append(&mut out.procedures);
        let form = self.result_form_of(function, result, &mut values);
        self.passed_procedures.truncate(outer);
        form
    }

    fn result_form_of(
        &mut self,
        function: &Symbol,
        result: &Symbol,
        values: &mut Vec<(SymbolId, Val)>,
    ) -> (Option<Expr>, Extents) {
        let len = self.result_length(function, result, values);
        if let (Some(len), Some(id)) = (len, function.procedure().and_then(|p| p.result)) {
            // The bounds may depend on the length of the result itself.
            let nothing = self.text(b"");
            values.push((id, Val { e: nothing.place, len: Some(len) }));
        }
        let mut extents = Extents::new();
        for b in &result.shape {
            let lo = self.result_extent(result, b.lower, values);
            let hi = self.result_extent(result, b.upper, values);
            extents.push(self.count(lo, hi));
        }
        (len, extents)
    }

    /// The length of a CHARACTER POINTER or ALLOCATABLE result that the interface says.
    pub(crate) fn result_form_of_pointer(
        &mut self,
        function: SymbolId,
        result: &Symbol,
        out: &mut Arguments,
    ) -> Option<Expr> {
        let plain = Symbol { shape: Vec::new(), ..result.clone() };
        self.result_form(self.symbol(function), &plain, out).0
    }

    /// The length of a CHARACTER result, at least 0.
    pub(crate) fn result_length(
        &mut self,
        function: &Symbol,
        result: &Symbol,
        values: &[(SymbolId, Val)],
    ) -> Option<Expr> {
        let len = match result.ty {
            Some(Type::Char) if result.len == Extent::Assumed => self.result_extent(function, function.len, values),
            Some(Type::Char) => self.result_extent(result, result.len, values),
            _ => return None,
        };
        let len = self.at_least_zero(len);
        Some(self.in_register(len))
    }

    /// A bound or length in the declaration of `of`.
    fn result_extent(&mut self, of: &Symbol, extent: Extent, values: &[(SymbolId, Val)]) -> Expr {
        let x = match extent {
            Extent::Known(v) => return self.int8(v),
            Extent::Entry(x) => x,
            _ => refused(),
        };
        let ast = self.cx.decls.ast(of.scope);
        let mut mentioned: SmallVec<[&str; 4]> = SmallVec::new();
        trueline_sema::visit::expressions(ast, x, &mut |x| {
            if let ExprKind::Name(name) = ast.expr(x).kind {
                mentioned.push(ast.name(name));
            }
        });
        let mut declared = Vec::new();
        for (k, &(id, v)) in values.iter().enumerate() {
            if mentioned.contains(&self.symbol(id).name.as_str()) {
                // Its own declaration is in terms of the others.
                let others: Vec<(SymbolId, Val)> =
                    values.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, &v)| v).collect();
                declared.push((id, self.as_declared(id, v, &others)));
            }
        }
        for name in mentioned {
            declared.extend(self.local_form(of, name, values));
        }
        self.hidden.extend(declared.iter().copied());
        let outer = (self.scope, self.ast);
        (self.scope, self.ast) = (of.scope, ast);
        let expanding = std::mem::take(&mut self.expanding);
        let evaluated = std::mem::take(&mut self.evaluated);
        let value = self.integer(x);
        self.evaluated = evaluated;
        self.expanding = expanding;
        (self.scope, self.ast) = outer;
        self.hidden.drop_last(declared.len());
        value
    }

    /// A local array or string of the function, of which only the form is known where it is called: its bounds and length.
    fn local_form(&mut self, of: &Symbol, name: &str, values: &[(SymbolId, Val)]) -> Option<(SymbolId, Val)> {
        let id = self.cx.decls.lookup_local(of.scope, name)?;
        let d = self.symbol(id);
        let is_local = d.scope == of.scope && d.is_variable() && !d.is_indirect() && !d.attrs.result;
        let has_form = d.is_array() || d.is_character();
        let is_passed = matches!(d.home, Home::Dummy { .. }) || values.iter().any(|(v, _)| *v == id);
        if !is_local || !has_form || is_passed || self.local_forms.contains(&id) {
            return None;
        }
        let ty = d.ty?;
        self.local_forms.push(id);
        let (dims, len) = self.declared_form(d, values);
        self.local_forms.pop();
        let base = self.register("form", Type::I8);
        let zero = self.int8(0);
        self.e.set(base, zero);
        let storage = trueline_ir::Storage::Pointer { base };
        let mut data = trueline_ir::SymData::scalar(d.name.clone(), ty, storage);
        data.dims = dims;
        data.len = len.into();
        let sym = self.e.b.sym(data);
        let e = self.var(sym);
        Some((id, Val { e, len }))
    }

    /// The bounds and the length that are declared, in terms of the actual arguments.
    fn declared_form(&mut self, d: &Symbol, values: &[(SymbolId, Val)]) -> (SmallVec<[Dim; 2]>, Option<Expr>) {
        let len = self.result_length(d, d, values);
        let mut dims = SmallVec::new();
        for b in &d.shape {
            let lower = self.result_extent(d, b.lower, values);
            let upper = self.result_extent(d, b.upper, values);
            let (lower, upper) = (self.in_register(lower), self.in_register(upper));
            dims.push(Dim::new(lower, upper));
        }
        (dims, len)
    }

    /// The argument passed for the dummy `id`, with the bounds and the length that are declared there.
    fn as_declared(&mut self, id: SymbolId, v: Val, others: &[(SymbolId, Val)]) -> Val {
        let d = self.symbol(id);
        if d.procedure().is_some() {
            return v;
        }
        let len = match d.len {
            Extent::Known(_) | Extent::Entry(_) if d.is_character() && v.len.is_some() => {
                let len = self.result_extent(d, d.len, others);
                let len = self.at_least_zero(len);
                Some(self.in_register(len))
            }
            _ => v.len,
        };
        if d.is_indirect() || !d.is_array() || self.rank(v.e) != d.rank() {
            return Val { len, ..v };
        }
        let shape = self.shape(v.e);
        let mut dims: SmallVec<[Dim; 2]> = SmallVec::new();
        for (b, &n) in d.shape.iter().zip(&shape) {
            let lower = match b.lower {
                Extent::Known(_) | Extent::Entry(_) => self.result_extent(d, b.lower, others),
                _ => self.int8(1),
            };
            let upper = match b.upper {
                Extent::Known(_) | Extent::Entry(_) => self.result_extent(d, b.upper, others),
                _ if is_assumed_shape(d) => {
                    let one = self.int8(1);
                    let last = self.sub(n, one);
                    self.add(lower, last)
                }
                // An interface cannot ask for the last upper bound of an assumed-size array.
                _ => return Val { len, ..v },
            };
            let (lower, upper) = (self.in_register(lower), self.in_register(upper));
            dims.push(Dim::new(lower, upper));
        }
        Val { e: self.renamed(v, dims), len }
    }

    /// The procedure that is passed for the dummy procedure `id`, in the interface of a call.
    pub(crate) fn passed(&self, id: SymbolId) -> SymbolId {
        let found = self.passed_procedures.iter().rev().find(|(dummy, _)| *dummy == id).map(|p| p.1);
        let by_name =
            |id: &SymbolId| self.symbol(*id).procedure().is_some_and(|p| p.class != ProcedureClass::Intrinsic);
        found.filter(by_name).unwrap_or(id)
    }
}

impl Variables<'_> {
    /// The elements of `v`, counted in other bounds.
    fn renamed(&mut self, v: Val, dims: SmallVec<[Dim; 2]>) -> Expr {
        let place = if self.is_contiguous_variable(v.e) { v.e } else { self.copied(v).e };
        let ExprData::Var(whole) = self.e.expr(place) else { return place };
        let mut data = self.e.sym(whole).clone();
        data.storage = crate::expr::component::part_storage(whole, data.storage, 0);
        data.dims = dims;
        let sym = self.e.b.sym(data);
        if let Some(&structure) = self.structures.get(&whole) {
            self.structures.insert(sym, structure);
        }
        self.var(sym)
    }
}
