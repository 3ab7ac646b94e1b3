//! Cray pointers: `POINTER (p, x(10))` makes `p` an INTEGER(8) variable and `x` the memory at the address that it holds.
//!
//! A pointee has no home of its own. Where it is mentioned, it is memory behind a register: that of the pointer if it is a
//! register of the unit, else one that the pointer's value is copied to before the statement.

use crate::lower::Lower;
use crate::lower::expr::Lowered;
use crate::lower::symbols::Binding;
use crate::sema::declare::Declare;
use crate::sema::scope::ScopeId;
use crate::sema::scope::symbol::{Extent, Home, SymbolId, SymbolKind};
use crate::sema::types::kinds::Category;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Storage, SymData, Type};
use trueline_syntax::ast::{Entity, Ident};

impl Declare<'_, '_> {
    /// `POINTER (pointer, pointee), …`, when all else is known of both.
    pub(crate) fn cray_pointers(&mut self, scope: ScopeId, pairs: &[(Ident, Entity)]) {
        for (pointer, pointee) in pairs {
            let ids = self.declared(scope, *pointer).zip(self.declared(scope, pointee.name));
            let Some((p, x)) = ids else { continue };
            if let Some(dims) = &pointee.dims {
                let shape = self.shape(scope, self.text(scope, pointee.name), dims);
                self.set_shape(x, shape, pointee.name.span);
            }
            if let Some(why) = self.not_a_pointer(p) {
                self.cray_error(p, pointer.span, "a Cray pointer", why);
            } else if let Some(why) = self.not_a_pointee(p, x) {
                self.cray_error(x, pointee.name.span, "the pointee of a Cray pointer", why);
            } else {
                let s = &mut self.decls.symbols[p];
                s.kind = SymbolKind::Variable;
                if s.ty.is_none() {
                    (s.ty, s.attrs.typed) = (Some(Type::I8), true);
                }
                let s = &mut self.decls.symbols[x];
                s.kind = SymbolKind::Variable;
                s.cray_pointer = Some(p);
            }
        }
    }

    fn not_a_pointer(&self, p: SymbolId) -> Option<&'static str> {
        let s = &self.decls.symbols[p];
        let is_integer = s.ty.is_none_or(|ty| Category::of(ty) == Category::Integer) && s.structure.is_none();
        match s.kind {
            SymbolKind::Unknown | SymbolKind::Variable if !is_integer => Some("it must be an INTEGER"),
            SymbolKind::Unknown | SymbolKind::Variable if s.is_array() => Some("it must be a scalar"),
            SymbolKind::Unknown | SymbolKind::Variable if s.is_indirect() => Some("it is a POINTER or ALLOCATABLE"),
            SymbolKind::Unknown | SymbolKind::Variable if s.cray_pointer.is_some() => Some("it is a pointee itself"),
            SymbolKind::Unknown | SymbolKind::Variable => None,
            _ => Some("it is not a variable"),
        }
    }

    fn not_a_pointee(&self, p: SymbolId, x: SymbolId) -> Option<&'static str> {
        let s = &self.decls.symbols[x];
        let is_pointer = || self.decls.symbols.values().any(|s| s.cray_pointer == Some(x));
        match s.kind {
            SymbolKind::Unknown | SymbolKind::Variable => {}
            SymbolKind::Procedure(_) => return Some("pointees that are procedures are not supported"),
            _ => return Some("it is not a variable"),
        }
        if p == x || is_pointer() {
            Some("it is a Cray pointer itself")
        } else if s.cray_pointer.is_some() {
            Some("it is one already")
        } else if matches!(s.home, Home::Dummy { .. }) {
            Some("it is a dummy argument")
        } else if s.attrs.common || s.attrs.equivalenced || s.attrs.initialised || s.attrs.result || s.attrs.save {
            Some("it is in COMMON, in an EQUIVALENCE, saved, initialised or a result")
        } else if s.is_indirect() || s.attrs.target || s.attrs.external || s.attrs.intrinsic {
            Some("it is a POINTER, ALLOCATABLE or TARGET")
        } else {
            None
        }
    }

    fn cray_error(&mut self, id: SymbolId, span: Span, what: &str, why: &str) {
        let s = &self.decls.symbols[id];
        let message = format!("'{}' cannot be {what}: {why}", s.name);
        self.diags.push(Diagnostic::error("T0294", span, message).because(s.span, "declared here"));
    }
}

impl Lower<'_, '_> {
    /// What is known of a pointee at entry: the bounds are evaluated there.
    pub(crate) fn declare_pointee(&mut self, id: SymbolId) {
        let data = self.pointee_data(id);
        self.pointees.insert(id, data);
    }

    fn pointee_data(&mut self, id: SymbolId) -> SymData {
        let mut pending = Vec::new();
        // The base is another one at each mention.
        let mut data = SymData { may_alias: true, ..self.symbol_data(id, Storage::Register) };
        data.dims = self.dims(id, &mut pending);
        if data.ty == Type::Char {
            data.len = self.length(id, &mut pending).into();
        }
        self.compute(pending);
        data
    }

    /// The memory that the pointer of the pointee `id` points to now.
    pub(crate) fn pointee(&mut self, id: SymbolId, pointer: SymbolId, span: Span) -> Lowered<Binding> {
        let data = match self.pointees.get(&id) {
            Some(data) => data.clone(),
            None => {
                let s = self.symbol(id);
                let mut extents = s.shape.iter().flat_map(|b| [b.lower, b.upper]).chain([s.len]);
                if extents.any(|e| matches!(e, Extent::Entry(_))) {
                    let message =
                        format!("The bounds of the pointee '{}' of a host or module must be constant", s.name);
                    return Err(self.error("T0299", span, message));
                }
                self.pointee_data(id)
            }
        };
        let of = self.binding(pointer, span)?.sym;
        let is_register = self.e.sym(of).storage == Storage::Register && self.e.sym(of).ty == Type::I8;
        let base = if is_register {
            of
        } else {
            let value = self.e.var(of);
            let value = self.e.convert(Type::I8, value);
            let base = self.e.register(&format!("base.{}", data.name), Type::I8);
            self.e.set(base, value);
            base
        };
        let sym = self.e.b.sym(SymData { storage: Storage::Pointer { base }, ..data });
        let binding = Binding { sym, descriptor: None };
        if is_register {
            self.bindings.insert(id, binding.clone());
        }
        Ok(binding)
    }
}
