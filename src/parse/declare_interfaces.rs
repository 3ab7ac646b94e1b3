//! PROCEDURE declarations: procedures that have the interface of another one.

use crate::declare::Declare;
use crate::scope::ScopeId;
use crate::symbol::{Home, Procedure, ProcedureClass, ProcedureKind, SymbolId, SymbolKind};
use trueline_diag::Diagnostic;
use trueline_syntax::ast::{AttrKind, Init, ProcedureDecl, ProcedureInterface};

/// So long a chain of interfaces that name each other may be.
const MAX_CHAIN: usize = 100;

impl Declare<'_, '_> {
    /// `PROCEDURE(interface), attributes :: names`
    pub(crate) fn procedure_declaration(&mut self, scope: ScopeId, decl: &ProcedureDecl) {
        let like = match &decl.interface {
            ProcedureInterface::Name(ident) => {
                let name = self.text(scope, *ident);
                let found = self.decls.lookup(scope, name).or_else(|| self.decls.lookup_global(name));
                if found.is_none() && crate::intrinsics::lookup(name).is_none() {
                    self.error("T0264", ident.span, format!("There is no interface '{name}'"));
                }
                found
            }
            _ => None,
        };
        let spec = match &decl.interface {
            ProcedureInterface::Type(spec) => self.type_spec(scope, spec).map(|t| (t, spec.span)),
            _ => None,
        };
        if let Some(pointer) = decl.attrs.iter().find(|a| matches!(a.kind, AttrKind::Pointer)) {
            self.unsupported(pointer.span, "A procedure pointer is");
            for entity in &decl.entities {
                if let Some(id) = self.declared(scope, entity.name) {
                    self.decls.symbols[id].kind = SymbolKind::Error;
                }
            }
            return;
        }
        for entity in &decl.entities {
            let Some(id) = self.declared(scope, entity.name) else { continue };
            if let Init::Value(_) | Init::Pointer(_) = entity.init {
                self.error("T0265", entity.span, "Only a procedure pointer has an initial value");
            }
            let symbol = &self.decls.symbols[id];
            if symbol.kind != SymbolKind::Unknown {
                self.twice(id, entity.name.span, "is already declared");
                continue;
            }
            let class = match symbol.home {
                Home::Dummy { .. } => ProcedureClass::Dummy,
                _ => ProcedureClass::External,
            };
            let kind = if spec.is_some() { ProcedureKind::Function } else { ProcedureKind::Unknown };
            let mut p = Procedure::unknown(class, kind, &symbol.name);
            p.like = like.filter(|&l| l != id);
            if let Some(((ty, len), at)) = spec {
                self.set_type(id, ty, len, at);
            }
            self.decls.symbols[id].kind = SymbolKind::Procedure(Box::new(p));
            for attr in &decl.attrs {
                self.set_attribute(scope, id, &attr.kind, attr.span);
            }
        }
    }

    /// Once everything is declared: what a PROCEDURE declaration takes from the interface it names.
    pub(crate) fn link_interfaces(&mut self) {
        for id in self.decls.symbols.keys() {
            let Some(like) = self.decls.symbols[id].procedure().and_then(|p| p.like) else { continue };
            let Some(model) = self.model(like) else {
                let (symbol, target) = (&self.decls.symbols[id], &self.decls.symbols[like]);
                if target.kind != SymbolKind::Error {
                    let message = format!("The interface of '{}' is no procedure: '{}'", symbol.name, target.name);
                    let d = Diagnostic::error("T0264", symbol.span, message).because(target.span, "declared here");
                    self.diags.push(d);
                }
                self.decls.symbols[id].kind = SymbolKind::Error;
                continue;
            };
            let (ty, len) = (self.decls.symbols[model].ty, self.decls.symbols[model].len);
            let Some(from) = self.decls.symbols[model].procedure().cloned() else { continue };
            let symbol = &mut self.decls.symbols[id];
            (symbol.ty, symbol.len) = (ty, len);
            if let SymbolKind::Procedure(p) = &mut symbol.kind {
                p.kind = from.kind;
                p.dummies = from.dummies;
                p.result = from.result;
                p.scope = from.scope;
                p.explicit = from.scope.is_some();
                p.is_pure = from.is_pure;
                p.is_c = from.is_c;
                p.like = None;
            }
        }
    }

    /// The procedure that has the interface itself.
    fn model(&self, mut id: SymbolId) -> Option<SymbolId> {
        for _ in 0..MAX_CHAIN {
            match self.decls.symbols[id].procedure()?.like {
                Some(next) => id = next,
                None => return Some(id),
            }
        }
        None
    }
}
