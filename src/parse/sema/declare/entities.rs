//! Entities: type declarations, attributes, named constants, COMMON, SAVE, DATA targets, NAMELIST.

use crate::declare::Declare;
use crate::scope::ScopeId;
use crate::scope::symbol::{
    Bounds, Extent, Home, Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind,
};
use crate::types::kinds::type_name;
use trueline_diag::{Diagnostic, Span};
use trueline_ir::{Intent, Type};
use trueline_syntax::ast::{
    self, Attr, AttrKind, BaseType, CharLen, CommonBlock, DataGroup, Entity, ExprKind, ExprList, Init, NamelistGroup,
    SaveItem, TypeDecl,
};

/// Types.
impl Declare<'_, '_> {
    /// `type, attributes :: entities`
    pub fn type_declaration(&mut self, scope: ScopeId, decl: &TypeDecl) {
        let spec = self.type_spec(scope, &decl.ty);
        let structure = self.decls.structure_of(scope, &decl.ty);
        self.conflicting_attributes(scope, decl);
        let is_parameter = decl.attrs.iter().any(|a| matches!(a.kind, AttrKind::Parameter));
        for entity in &decl.entities {
            let Some(id) = self.declared(scope, entity.name) else { continue };
            match spec {
                Some((ty, len)) => {
                    let (ty, len) =
                        if structure.is_some() { (ty, len) } else { self.own_length(scope, entity, ty, len) };
                    self.set_type(id, ty, len, entity.name.span);
                    self.decls.symbols[id].structure = structure;
                    self.decls.symbols[id].attrs.assumed_type = decl.ty.base == BaseType::Assumed;
                }
                None => self.decls.symbols[id].kind = SymbolKind::Error,
            }
            for attr in &decl.attrs {
                self.set_attribute(scope, id, &attr.kind, attr.span);
            }
            if let Some(dims) = &entity.dims {
                let has_dimension = decl.attrs.iter().any(|a| matches!(a.kind, AttrKind::Dimension(_)));
                if has_dimension {
                    // The dimensions at the name replace those of the attribute.
                    self.decls.symbols[id].shape.clear();
                }
                let shape = self.shape(scope, self.text(scope, entity.name), dims);
                self.set_shape(id, shape, entity.name.span);
            }
            self.initial_value(scope, id, entity, is_parameter);
        }
    }

    /// Attributes that are given twice, or exclude PARAMETER.
    fn conflicting_attributes(&mut self, scope: ScopeId, decl: &TypeDecl) {
        let word = |a: &Attr| attribute_word(&a.kind);
        // One of PUBLIC and PRIVATE, as one of each other.
        let role = |a: &Attr| match a.kind {
            AttrKind::Public | AttrKind::Private => "PUBLIC or PRIVATE",
            _ => word(a),
        };
        let parameter = decl.attrs.iter().find(|a| matches!(a.kind, AttrKind::Parameter));
        let name = decl.entities.first().map_or("", |e| self.text(scope, e.name));
        for (k, attr) in decl.attrs.iter().enumerate() {
            if let Some(first) = decl.attrs[..k].iter().find(|b| role(b) == role(attr)) {
                let message = format!("{} is given twice for '{name}'", role(attr));
                self.diags.push(Diagnostic::error("T0235", attr.span, message).because(first.span, "first given here"));
            }
            let excluded = matches!(
                attr.kind,
                AttrKind::Save
                    | AttrKind::Allocatable
                    | AttrKind::Intent(_)
                    | AttrKind::Optional
                    | AttrKind::External
                    | AttrKind::Intrinsic
                    | AttrKind::Pointer
                    | AttrKind::Target
                    | AttrKind::Value
            );
            if let Some(parameter) = parameter.filter(|_| excluded && !name.is_empty()) {
                let message = format!("{} and PARAMETER exclude each other, but '{name}' has both", word(attr));
                self.diags.push(Diagnostic::error("T0236", attr.span, message).because(parameter.span, "given here"));
            }
        }
    }

    /// `*len` after a name: the length of a CHARACTER, or the bytes of another type.
    pub fn own_length(&mut self, scope: ScopeId, entity: &Entity, ty: Type, len: Extent) -> (Type, Extent) {
        match entity.len {
            None => (ty, len),
            Some(given) if ty == Type::Char => (ty, self.length(scope, given)),
            Some(CharLen::Expr(x)) => {
                let bytes = self.constant_int(scope, x, "The size of a type").unwrap_or(ty.size() as i64);
                let category = crate::types::kinds::Category::of(ty);
                let kind = if category == crate::types::kinds::Category::Complex { bytes / 2 } else { bytes };
                match category.with_kind(kind) {
                    Some(ty) => (self.decls.options.kind_of(ty), len),
                    None => {
                        let message = crate::constant::eval::no_such_kind(category, kind);
                        self.error("T0302", entity.span, message);
                        (ty, len)
                    }
                }
            }
            Some(_) => {
                self.error("T0224", entity.span, format!("'*' is not a size of {}", type_name(ty)));
                (ty, len)
            }
        }
    }

    /// The initial value in a type declaration: the value of a named constant; else a variable that is
    /// saved, whose value [`crate::storage`] lays down.
    fn initial_value(&mut self, scope: ScopeId, id: SymbolId, entity: &Entity, is_parameter: bool) {
        match entity.init {
            Init::Value(x) if is_parameter => self.set_parameter(scope, id, x, entity.name.span),
            Init::None if is_parameter => {
                let name = &self.decls.symbols[id].name;
                let message = format!("The named constant '{name}' has no value");
                self.error("T0225", entity.name.span, message);
                self.decls.symbols[id].kind = SymbolKind::Error;
            }
            Init::None => {}
            Init::Value(_) => {
                let symbol = &mut self.decls.symbols[id];
                symbol.attrs.initialised = true;
                if symbol.kind == SymbolKind::Unknown {
                    symbol.kind = SymbolKind::Variable;
                }
                if let Home::Dummy { .. } = symbol.home {
                    let message = format!("The dummy argument '{}' cannot have an initial value", symbol.name);
                    self.error("T0226", entity.span, message);
                } else if symbol.procedure().is_some() && !symbol.attrs.pointer {
                    let message = format!("The procedure '{}' cannot have an initial value", symbol.name);
                    self.error("T0226", entity.span, message);
                }
            }
            // It is null at the start: static memory of zeros, since an initial value implies SAVE. Or it points to
            // something, which [`crate::storage::pointers`] lays down.
            Init::Pointer(x) => {
                let is_null = crate::storage::pointers::is_null(self.ast(scope), x);
                let symbol = &mut self.decls.symbols[id];
                if let Home::Dummy { .. } = symbol.home {
                    let message = format!("The dummy argument '{}' cannot have an initial value", symbol.name);
                    return self.error("T0226", entity.span, message);
                }
                symbol.attrs.save = true;
                symbol.attrs.initialised |= !is_null;
            }
        }
    }

    /// Gives a symbol its type.
    pub fn set_type(&mut self, id: SymbolId, ty: Type, len: Extent, span: Span) {
        let symbol = &self.decls.symbols[id];
        if symbol.procedure().is_some_and(|p| p.scope.is_some()) {
            let d = Diagnostic::error("T0204", symbol.span, format!("'{}' is already declared", symbol.name));
            self.diags.push(d.because(span, "declared here, and not as this procedure"));
            return;
        }
        if symbol.attrs.typed || symbol.kind == SymbolKind::Parameter {
            // Repeating the type of a constant, as FORTRAN 77 programs do after PARAMETER, says nothing new.
            if symbol.kind == SymbolKind::Parameter && !symbol.attrs.typed && symbol.ty == Some(ty) {
                self.decls.symbols[id].attrs.typed = true;
                return;
            }
            self.twice(id, span, "already has a type");
            return;
        }
        if matches!(symbol.kind, SymbolKind::Namelist(_) | SymbolKind::Generic(_)) {
            self.twice(id, span, "cannot have a type: it is declared as something else");
            return;
        }
        let symbol = &mut self.decls.symbols[id];
        symbol.ty = Some(ty);
        symbol.len = len;
        symbol.attrs.typed = true;
    }

    /// Gives a symbol its dimensions.
    pub fn set_shape(&mut self, id: SymbolId, shape: Vec<Bounds>, span: Span) {
        let symbol = &self.decls.symbols[id];
        if symbol.is_array() {
            self.twice(id, span, "already has dimensions");
            return;
        }
        if !matches!(symbol.kind, SymbolKind::Unknown | SymbolKind::Variable) {
            self.twice(id, span, "cannot have dimensions: it is declared as something else");
            return;
        }
        if symbol.attrs.initialised {
            self.twice(id, span, "has an initial value already: its dimensions must be declared before");
            return;
        }
        let symbol = &mut self.decls.symbols[id];
        symbol.shape = shape;
        symbol.kind = SymbolKind::Variable;
    }
}

/// Attributes.
impl Declare<'_, '_> {
    /// An attribute as a statement of its own.
    pub fn attribute(&mut self, scope: ScopeId, attr: &AttrKind, entities: &[Entity], span: Span) {
        for entity in entities {
            // These two may be said of a variable of the host or of a module, too (Fortran 2003, 5.2).
            if matches!(attr, AttrKind::Volatile | AttrKind::Asynchronous) && entity.dims.is_none() {
                let known = self.decls.lookup(scope, self.text(scope, entity.name));
                if let Some(id) = known.filter(|&id| self.decls.symbols[id].scope != scope) {
                    self.set_flag(id, attr);
                    continue;
                }
            }
            let Some(id) = self.declared(scope, entity.name) else { continue };
            if let Some(dims) = &entity.dims {
                let shape = self.shape(scope, self.text(scope, entity.name), dims);
                self.set_shape(id, shape, entity.name.span);
            }
            if !matches!(attr, AttrKind::Dimension(_)) {
                self.set_attribute(scope, id, attr, span);
            }
        }
    }

    /// Gives the symbol an attribute.
    pub fn set_attribute(&mut self, scope: ScopeId, id: SymbolId, attr: &AttrKind, span: Span) {
        let is_dummy = matches!(self.decls.symbols[id].home, Home::Dummy { .. });
        let needs_dummy = matches!(attr, AttrKind::Intent(_) | AttrKind::Optional | AttrKind::Value);
        if needs_dummy && !is_dummy && crate::scope::resolve::has_broken_header(&self.decls, scope) {
            return;
        }
        if needs_dummy && !is_dummy {
            let name = self.decls.symbols[id].name.clone();
            let word = attribute_word(attr);
            self.error("T0227", span, format!("{word} is for dummy arguments only, and '{name}' is none"));
            return;
        }
        if matches!(attr, AttrKind::Intent(_)) && self.decls.symbols[id].intent != Intent::Unknown {
            self.twice(id, span, "has an INTENT already");
            return;
        }
        match attr {
            AttrKind::Dimension(dims) => {
                let name = self.decls.symbols[id].name.clone();
                let shape = self.shape(scope, &name, dims);
                let at = self.decls.symbols[id].span;
                self.set_shape(id, shape, at);
            }
            AttrKind::External | AttrKind::Intrinsic => {
                self.set_procedure(id, matches!(attr, AttrKind::External), span)
            }
            AttrKind::Bind(bind) => self.bind_variable(scope, id, *bind),
            AttrKind::Save if self.decls.symbols[id].procedure().is_none() => self.save_one(id, span),
            _ => self.set_flag(id, attr),
        }
    }

    fn set_flag(&mut self, id: SymbolId, attr: &AttrKind) {
        let symbol = &mut self.decls.symbols[id];
        match attr {
            AttrKind::Allocatable => {
                symbol.attrs.allocatable = true;
                symbol.kind = match symbol.kind {
                    SymbolKind::Unknown => SymbolKind::Variable,
                    ref kind => kind.clone(),
                };
            }
            AttrKind::Pointer => {
                symbol.attrs.pointer = true;
                symbol.kind = match symbol.kind {
                    SymbolKind::Unknown => SymbolKind::Variable,
                    ref kind => kind.clone(),
                };
            }
            AttrKind::Target => symbol.attrs.target = true,
            AttrKind::Contiguous => symbol.attrs.contiguous = true,
            AttrKind::Optional => symbol.attrs.optional = true,
            AttrKind::Save | AttrKind::Static => symbol.attrs.save = true,
            AttrKind::Automatic => symbol.attrs.automatic = true,
            AttrKind::Value => symbol.attrs.value = true,
            AttrKind::Volatile => symbol.attrs.volatile = true,
            AttrKind::Protected => symbol.attrs.protected = true,
            AttrKind::Private => symbol.attrs.private = true,
            AttrKind::Public => symbol.attrs.public = true,
            AttrKind::Intent(intent) => {
                symbol.intent = match intent {
                    ast::Intent::In => Intent::In,
                    ast::Intent::Out => Intent::Out,
                    ast::Intent::InOut => Intent::InOut,
                }
            }
            _ => {}
        }
    }

    /// EXTERNAL or INTRINSIC.
    fn set_procedure(&mut self, id: SymbolId, external: bool, span: Span) {
        let symbol = &self.decls.symbols[id];
        let name = symbol.name.clone();
        if !external && crate::intrinsic::lookup(&name).is_none() {
            let known = crate::scope::nearest::closest(&name, crate::intrinsic::names());
            let mut d = Diagnostic::error("T0228", span, format!("'{name}' is not an intrinsic procedure"));
            if let Some(known) = known {
                d = d.help(format!("Did you mean '{known}'?"));
            }
            self.diags.push(d);
            self.decls.symbols[id].kind = SymbolKind::Error;
            return;
        }
        let is_pointer = external && symbol.attrs.pointer && symbol.is_variable() && !symbol.is_array();
        if symbol.kind != SymbolKind::Unknown && !is_pointer {
            self.twice(id, span, "is already declared as something else");
            return;
        }
        let class = match (external, symbol.home) {
            (false, _) => ProcedureClass::Intrinsic,
            (true, Home::Dummy { .. }) => ProcedureClass::Dummy,
            _ => ProcedureClass::External,
        };
        let kind = match (external, crate::intrinsic::lookup(&name)) {
            (false, Some(row)) if row.is_subroutine() => ProcedureKind::Subroutine,
            (false, _) => ProcedureKind::Function,
            _ => ProcedureKind::Unknown,
        };
        let symbol = &mut self.decls.symbols[id];
        symbol.attrs.external = external;
        symbol.attrs.intrinsic = !external;
        symbol.kind = SymbolKind::Procedure(Box::new(Procedure::unknown(class, kind, &name)));
    }

    /// SAVE
    pub fn save(&mut self, scope: ScopeId, items: &[SaveItem]) {
        if items.is_empty() {
            self.decls.scopes[scope].save_all = true;
        }
        for item in items {
            if let SaveItem::Name(ident) = item
                && let Some(id) = self.declared(scope, *ident)
            {
                self.save_one(id, ident.span);
            }
        }
    }

    fn save_one(&mut self, id: SymbolId, span: Span) {
        let symbol = &mut self.decls.symbols[id];
        let why = match (&symbol.kind, symbol.home) {
            (_, Home::Dummy { .. }) => "it is a dummy argument",
            _ if symbol.attrs.result => "it is the result of the function",
            (SymbolKind::Parameter, _) => "it is a constant",
            (SymbolKind::Unknown | SymbolKind::Variable, _) => {
                symbol.attrs.save = true;
                return;
            }
            _ => "it is not a variable",
        };
        let d = Diagnostic::error("T0237", span, format!("'{}' cannot be saved: {why}", symbol.name));
        self.diags.push(d.because(symbol.span, "declared here"));
    }

    /// COMMON: the members; where they lie is decided once all of them are known.
    pub fn common(&mut self, scope: ScopeId, blocks: &[CommonBlock]) {
        for entity in blocks.iter().flat_map(|b| &b.items) {
            let Some(id) = self.declared(scope, entity.name) else { continue };
            if let Some(dims) = &entity.dims {
                let shape = self.shape(scope, self.text(scope, entity.name), dims);
                self.set_shape(id, shape, entity.name.span);
            }
            if self.decls.symbols[id].attrs.pointer && self.decls.symbols[id].procedure().is_some() {
                self.make_procedure_pointer(id);
            }
            let symbol = &mut self.decls.symbols[id];
            let is_dummy = matches!(symbol.home, Home::Dummy { .. });
            if symbol.attrs.common {
                self.twice(id, entity.name.span, "is in COMMON twice");
            } else if is_dummy || !matches!(symbol.kind, SymbolKind::Unknown | SymbolKind::Variable) {
                self.twice(id, entity.name.span, "cannot be in COMMON: it is declared as something else");
            } else {
                symbol.attrs.common = true;
                symbol.kind = SymbolKind::Variable;
            }
        }
    }

    /// The variables that DATA initialises.
    pub fn data_targets(&mut self, scope: ScopeId, groups: &[DataGroup]) {
        for group in groups {
            self.data_list(scope, group.targets);
        }
    }

    fn data_list(&mut self, scope: ScopeId, list: ExprList) {
        let ast = self.ast(scope);
        for &x in ast.list(list) {
            match &ast.expr(x).kind {
                ExprKind::ImpliedDo(implied) => self.data_list(scope, implied.items),
                _ => self.mark_root(scope, x, |a| a.initialised = true),
            }
        }
    }

    /// NAMELIST: its members may be declared further down.
    pub fn namelist(&mut self, scope: ScopeId, groups: &[NamelistGroup]) {
        for group in groups {
            let members: Vec<SymbolId> = group
                .items
                .iter()
                .filter_map(|&ident| {
                    let name = self.text(scope, ident);
                    let known = self.decls.lookup(scope, name);
                    if known.is_none() && self.decls.implied(scope, name).is_none() {
                        let message = format!("'{name}' must be declared before the NAMELIST that has it");
                        self.error("T0259", ident.span, message);
                    }
                    known.or_else(|| self.declared(scope, ident))
                })
                .collect();
            let Some(id) = self.declared(scope, group.name) else { continue };
            match &mut self.decls.symbols[id].kind {
                SymbolKind::Namelist(list) => list.extend(members),
                kind @ SymbolKind::Unknown => *kind = SymbolKind::Namelist(members),
                _ => self.twice(id, group.name.span, "is already declared, and not as a NAMELIST group"),
            }
        }
    }
}

/// HPF.
impl Declare<'_, '_> {
    /// The attributes of an HPF entity name that is declared by a directive: a template or processor
    /// arrangement.
    pub fn hpf_entity(&mut self, scope: ScopeId, entity: &Entity, kind: SymbolKind, dims: Option<&[ast::Dim]>) {
        let name = self.text(scope, entity.name);
        if let Some(first) = self.decls.lookup_local(scope, name) {
            self.twice(first, entity.name.span, "is already declared");
            return;
        }
        let shape = entity.dims.as_deref().or(dims).map_or(Vec::new(), |dims| self.shape(scope, name, dims));
        let mut symbol = Symbol::new(name, entity.name.span, scope);
        symbol.kind = kind;
        symbol.shape = shape;
        self.decls.enter(symbol);
    }

    /// Declares the names of PROCESSORS and TEMPLATE; the other directives are checked later.
    pub fn hpf_names(&mut self, scope: ScopeId, hpf: &ast::Hpf) {
        let ast::Hpf::Declare { attrs, entities } = hpf else { return };
        let has = |f: fn(&ast::HpfAttrKind) -> bool| attrs.iter().any(|a| f(&a.kind));
        let dims = attrs.iter().find_map(|a| match &a.kind {
            ast::HpfAttrKind::Dimension(dims) => Some(dims.as_slice()),
            _ => None,
        });
        let kind = match () {
            () if has(|k| matches!(k, ast::HpfAttrKind::Processors)) => SymbolKind::Processors,
            () if has(|k| matches!(k, ast::HpfAttrKind::Template)) => SymbolKind::Template,
            () => return,
        };
        for entity in entities {
            self.hpf_entity(scope, entity, kind.clone(), dims);
        }
    }
}

/// The keyword of an attribute.
pub(crate) fn attribute_word(attr: &AttrKind) -> &'static str {
    match attr {
        AttrKind::Allocatable => "ALLOCATABLE",
        AttrKind::Asynchronous => "ASYNCHRONOUS",
        AttrKind::Bind(_) => "BIND",
        AttrKind::Contiguous => "CONTIGUOUS",
        AttrKind::Dimension(_) => "DIMENSION",
        AttrKind::External => "EXTERNAL",
        AttrKind::Intent(_) => "INTENT",
        AttrKind::Intrinsic => "INTRINSIC",
        AttrKind::Optional => "OPTIONAL",
        AttrKind::Parameter => "PARAMETER",
        AttrKind::Pointer => "POINTER",
        AttrKind::Private => "PRIVATE",
        AttrKind::Protected => "PROTECTED",
        AttrKind::Public => "PUBLIC",
        AttrKind::Save => "SAVE",
        AttrKind::Static => "STATIC",
        AttrKind::Automatic => "AUTOMATIC",
        AttrKind::Target => "TARGET",
        AttrKind::Value => "VALUE",
        AttrKind::Volatile => "VOLATILE",
        AttrKind::Nopass => "NOPASS",
    }
}
