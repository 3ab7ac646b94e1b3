//! Cray pointers: `POINTER (p, x(10))` makes `p` an INTEGER(8) variable and `x` the memory at the address that it holds.

use crate::declare::Declare;
use crate::scope::ScopeId;
use crate::scope::symbol::{Home, SymbolId, SymbolKind};
use crate::types::kinds::Category;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{Entity, Ident};

impl Declare<'_, '_> {
    /// `POINTER (pointer, pointee), …`, when all else is known of both.
    pub fn cray_pointers(&mut self, scope: ScopeId, pairs: &[(Ident, Entity)]) {
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
