//! PROCEDURE declarations: procedures that have the interface of another one.

use crate::constant::{Const, Scalar};
use crate::declare::Declare;
use crate::scope::ScopeId;
use crate::scope::symbol::{
    Attributes, Extent, Home, Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind,
};
use crate::storage::pointers::is_null;
use crate::types::structure::{Component, Default, StructureId};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{AttrKind, Entity, Ident, Init, ProcedureDecl, ProcedureInterface};

/// The longest chain of interfaces that name each other.
const MAX_CHAIN: usize = 100;

/// The parentheses of PROCEDURE.
struct NamedInterface {
    like: Option<SymbolId>,
    later: Option<(ScopeId, Ident)>,
    spec: Option<((Type, Extent), Span)>,
    structure: Option<StructureId>,
}

impl Declare<'_, '_> {
    /// `PROCEDURE(interface), attributes :: names`
    pub fn procedure_declaration(&mut self, scope: ScopeId, decl: &ProcedureDecl) {
        let Some(from) = self.named_interface(scope, decl) else {
            for entity in &decl.entities {
                if let Some(id) = self.declared(scope, entity.name) {
                    self.decls.symbols[id].kind = SymbolKind::Error;
                }
            }
            return;
        };
        let pointer = decl.attrs.iter().any(|a| matches!(a.kind, AttrKind::Pointer));
        for entity in &decl.entities {
            let Some(id) = self.declared(scope, entity.name) else { continue };
            if let (Init::Value(_), _) | (Init::Pointer(_), false) = (&entity.init, pointer) {
                self.error("T0265", entity.span, "Only a procedure pointer has an initial value");
            }
            let symbol = &self.decls.symbols[id];
            let is_result = symbol.attrs.result && symbol.ty.is_none() && pointer;
            if symbol.kind != SymbolKind::Unknown && !is_result {
                self.twice(id, entity.name.span, "is already declared");
                continue;
            }
            let class = match symbol.home {
                Home::Dummy { .. } => ProcedureClass::Dummy,
                _ => ProcedureClass::External,
            };
            self.decls.symbols[id].kind = self.of_interface(&from, class, id);
            if let Some(((ty, len), at)) = from.spec {
                self.set_type(id, ty, len, at);
                self.decls.symbols[id].structure = from.structure;
            }
            for attr in &decl.attrs {
                self.set_attribute(scope, id, &attr.kind, attr.span);
            }
            if pointer {
                self.make_procedure_pointer(id);
                self.initial_procedure(scope, id, entity);
            }
        }
    }

    /// Reads the parentheses of PROCEDURE; none after an error.
    fn named_interface(&mut self, scope: ScopeId, decl: &ProcedureDecl) -> Option<NamedInterface> {
        let mut out = NamedInterface { like: None, later: None, spec: None, structure: None };
        match &decl.interface {
            ProcedureInterface::Name(ident) => {
                let name = self.text(scope, *ident);
                out.like = self.decls.lookup(scope, name).or_else(|| self.decls.lookup_global(name));
                if out.like.is_none() {
                    // It may be declared further down.
                    out.later = Some((scope, *ident));
                }
            }
            ProcedureInterface::Type(spec) => {
                out.spec = Some((self.type_spec(scope, spec)?, spec.span));
                out.structure = self.decls.structure_of(scope, spec);
            }
            ProcedureInterface::None => {}
        }
        Some(out)
    }

    fn of_interface(&mut self, from: &NamedInterface, class: ProcedureClass, id: SymbolId) -> SymbolKind {
        if let Some((scope, ident)) = from.later {
            self.later_interfaces.push((id, scope, ident));
        }
        let kind = if from.spec.is_some() { ProcedureKind::Function } else { ProcedureKind::Unknown };
        let mut p = Procedure::unknown(class, kind, &self.decls.symbols[id].name);
        p.like = from.like.filter(|&l| l != id);
        SymbolKind::Procedure(Box::new(p))
    }

    /// Makes a pointer of a symbol declared as a procedure: a variable that holds an address.
    pub fn make_procedure_pointer(&mut self, id: SymbolId) {
        let mut interface = self.decls.symbols[id].clone();
        interface.attrs = Attributes::default();
        interface.home = Home::None;
        if let SymbolKind::Procedure(p) = &mut interface.kind {
            // A call of it goes to an address, as that of a dummy procedure.
            p.class = ProcedureClass::Dummy;
            p.linker.clear();
        }
        let interface = self.decls.symbols.push(interface);
        let symbol = &mut self.decls.symbols[id];
        symbol.kind = SymbolKind::Variable;
        symbol.interface = Some(interface);
        (symbol.ty, symbol.len, symbol.structure) = (Some(Type::I8), Extent::Known(1), None);
        symbol.attrs.typed = true;
        (symbol.attrs.pointer, symbol.attrs.external) = (false, false);
    }

    /// EXTERNAL, or an interface body, with POINTER in another statement: once all of them are known.
    pub fn external_pointers(&mut self, scope: ScopeId) {
        for id in self.decls.scopes[scope].own.clone() {
            let symbol = &self.decls.symbols[id];
            let is_external = |p: &Procedure| matches!(p.class, ProcedureClass::External | ProcedureClass::Dummy);
            if symbol.attrs.pointer && symbol.procedure().is_some_and(is_external) {
                self.make_procedure_pointer(id);
            }
        }
    }

    /// `=> NULL()` or `=> procedure` of a procedure pointer.
    fn initial_procedure(&mut self, scope: ScopeId, id: SymbolId, entity: &Entity) {
        let Init::Pointer(x) = entity.init else { return };
        if !is_null(self.ast(scope), x) {
            // Its address is laid down when all procedures are known.
            self.decls.symbols[id].attrs.initialised = true;
            return;
        }
        // Zeros in static memory.
        let symbol = &mut self.decls.symbols[id];
        symbol.attrs.initialised = true;
        symbol.value = Some(Const::Scalar(Scalar::Int(Type::I8, 0)));
    }

    /// `PROCEDURE(interface), POINTER, NOPASS :: names` of a derived type.
    pub fn procedure_components(&mut self, scope: ScopeId, id: StructureId, decl: &ProcedureDecl, private: bool) {
        let has = |wanted: fn(&AttrKind) -> bool| decl.attrs.iter().find(|a| wanted(&a.kind));
        let Some(at) = decl.entities.first().map(|e| e.span) else { return };
        if has(|a| matches!(a, AttrKind::Nopass)).is_none() {
            let what = "A procedure pointer component without NOPASS";
            let d = Diagnostic::error("T0160", at, format!("{what} is not supported: it has a passed-object argument"));
            self.diags.push(d.label("a feature of Fortran 2003"));
        }
        if has(|a| matches!(a, AttrKind::Pointer)).is_none() {
            self.error("T0266", at, "A component that is a procedure must be a POINTER");
        }
        let private = (private || has(|a| matches!(a, AttrKind::Private)).is_some())
            && has(|a| matches!(a, AttrKind::Public)).is_none();
        let Some(from) = self.named_interface(scope, decl) else { return };
        for entity in &decl.entities {
            let (name, span) = (self.text(scope, entity.name), entity.name.span);
            let symbol = self.decls.symbols.push(Symbol::new(name, span, scope));
            self.decls.symbols[symbol].kind = self.of_interface(&from, ProcedureClass::Dummy, symbol);
            if let Some(((ty, len), _)) = from.spec {
                let symbol = &mut self.decls.symbols[symbol];
                (symbol.ty, symbol.len, symbol.structure) = (Some(ty), len, from.structure);
            }
            let has_default = !matches!(entity.init, Init::None);
            let target = match entity.init {
                Init::Pointer(x) if !is_null(self.ast(scope), x) => Some(x),
                _ => None,
            };
            let c = Component {
                target,
                interface: Some(symbol),
                private,
                has_default,
                default: if has_default { Default::Bytes(vec![0; 8]) } else { Default::None },
                ..Component::new(name, span, Type::I8)
            };
            self.add_component(id, c);
        }
    }

    /// Once everything is declared: copies the properties of a PROCEDURE declaration from the interface it names.
    pub fn link_interfaces(&mut self) {
        self.find_later_interfaces();
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
            let (ty, len, structure, interface) = {
                let m = &self.decls.symbols[model];
                (m.ty, m.len, m.structure, m.interface)
            };
            let Some(from) = self.decls.symbols[model].procedure().cloned() else { continue };
            let symbol = &mut self.decls.symbols[id];
            (symbol.ty, symbol.len, symbol.structure) = (ty, len, structure);
            symbol.interface = interface;
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

    /// The interfaces that were not declared yet where PROCEDURE names them.
    fn find_later_interfaces(&mut self) {
        for (id, scope, ident) in std::mem::take(&mut self.later_interfaces) {
            let name = self.text(scope, ident);
            let found = self.decls.lookup(scope, name).or_else(|| self.decls.lookup_global(name));
            // A pointer by then has a procedure of its own for its interface.
            let id = self.decls.symbols[id].interface.unwrap_or(id);
            let intrinsic = crate::intrinsic::specific(name);
            let (typed, symbol) = (self.decls.symbols[id].ty, &mut self.decls.symbols[id]);
            let SymbolKind::Procedure(p) = &mut symbol.kind else { continue };
            match (found, intrinsic) {
                (Some(found), _) if found != id => p.like = Some(found),
                (_, Some((_, ty))) => {
                    p.kind = ProcedureKind::Function;
                    symbol.ty = typed.or(Some(ty));
                }
                (_, None) if crate::intrinsic::lookup(name).is_some() => {}
                _ => {
                    symbol.kind = SymbolKind::Error;
                    self.error("T0264", ident.span, format!("There is no interface '{name}'"));
                }
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
