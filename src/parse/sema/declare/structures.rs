//! Definitions of derived types.

use crate::constant::Const;
use crate::constant::eval::{Folded, Unfolded, const_eval};
use crate::declare::Declare;
use crate::declare::overlays::Unions;
use crate::scope::symbol::{Extent, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use crate::types::structure::{Component, Default, Structure, StructureId, constant_bytes, repeated};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Type;
use trueline_syntax::ast::{
    ArgList, ArgValue, AttrKind, BaseType, DerivedType, Entity, ExprId, ExprKind, Init, StmtId, StmtKind, TypeDecl,
    TypeSpec, UnitId,
};

/// Largest derived type in bytes.
const MAX_SIZE: i64 = 1 << 30;

/// Default content larger than this is refused.
const MAX_INITIAL: i64 = 1 << 24;

impl Declarations<'_> {
    /// The derived type that a type specification names.
    pub fn structure_of(&self, scope: ScopeId, spec: &TypeSpec) -> Option<StructureId> {
        let BaseType::Derived(name) = spec.base else { return None };
        let text = self.ast(scope).name(name.name);
        let named = |text: &str| match self.symbols[self.lookup(scope, text)?].kind {
            SymbolKind::DerivedType(id) => Some(id),
            _ => None,
        };
        // A RECORD may be of a derived type, and TYPE( ) of a STRUCTURE.
        named(text).or_else(|| match text.strip_suffix('/') {
            Some(name) => named(name),
            None => named(&format!("{text}/")),
        })
    }
}

impl Declare<'_, '_> {
    /// The names of the derived types that a unit defines: components may point to later ones.
    pub fn enter_structures(&mut self, scope: ScopeId, unit: UnitId) {
        let ast = self.ast(scope);
        let mut todo: Vec<StmtId> = ast.units[unit].spec.iter().rev().copied().collect();
        while let Some(s) = todo.pop() {
            let StmtKind::DerivedType(t) = &ast.stmt(s).kind else { continue };
            todo.extend(t.items.iter().rev());
            let Some(symbol) = self.declared(scope, t.name) else { continue };
            if self.decls.symbols[symbol].kind != SymbolKind::Unknown {
                self.twice(symbol, t.name.span, "is already declared");
                continue;
            }
            let name = self.text(scope, t.name);
            let id = self.decls.structures.push(Structure::new(name.trim_end_matches('/'), symbol, scope));
            self.decls.symbols[symbol].kind = SymbolKind::DerivedType(id);
        }
    }

    /// `TYPE name` … `END TYPE`.
    pub fn derived_type(&mut self, scope: ScopeId, t: &DerivedType) {
        let name = self.text(scope, t.name);
        let Some(symbol) = self.decls.lookup_local(scope, name) else { return };
        let SymbolKind::DerivedType(id) = self.decls.symbols[symbol].kind else { return };
        if self.decls.structures[id].complete {
            return self.twice(symbol, t.name.span, "is already defined");
        }
        for a in &t.attrs {
            match a.kind {
                AttrKind::Private => self.decls.symbols[symbol].attrs.private = true,
                AttrKind::Public => self.decls.symbols[symbol].attrs.public = true,
                AttrKind::Bind(_) => self.decls.structures[id].sequence = true,
                _ => {}
            }
        }
        self.decls.structures[id].sequence |= t.fields.is_some();
        let mut private = false;
        for &item in &t.items {
            let stmt = self.ast(scope).stmt(item);
            match &stmt.kind {
                StmtKind::TypeDecl(decl) => self.components(scope, id, decl, private),
                StmtKind::Access { public, .. } => private = !public,
                StmtKind::Sequence => self.decls.structures[id].sequence = true,
                StmtKind::ProcedureDecl(decl) => self.procedure_components(scope, id, decl, private),
                StmtKind::Records(groups) => groups.iter().for_each(|d| self.components(scope, id, d, private)),
                StmtKind::DerivedType(inner) => self.inner_structure(scope, id, inner),
                StmtKind::Data(groups) => self.component_values(scope, id, groups),
                StmtKind::Overlay(o) => self.overlay(id, *o, stmt.span),
                _ => {}
            }
        }
        self.close_overlays(id, t.name.span);
        self.lay_out(id, t.name.span);
    }

    /// Declares the components of a derived type; `private`: they are PRIVATE unless they say otherwise.
    pub fn components(&mut self, scope: ScopeId, id: StructureId, decl: &TypeDecl, private: bool) {
        let Some((ty, len)) = self.type_spec(scope, &decl.ty) else { return };
        let structure = self.decls.structure_of(scope, &decl.ty);
        let has = |wanted: fn(&AttrKind) -> bool| decl.attrs.iter().any(|a| wanted(&a.kind));
        let pointer = has(|a| matches!(a, AttrKind::Pointer));
        let allocatable = has(|a| matches!(a, AttrKind::Allocatable));
        let private = (private || has(|a| matches!(a, AttrKind::Private))) && !has(|a| matches!(a, AttrKind::Public));
        if let Some(inner) = structure.filter(|&s| !pointer && !allocatable && !self.decls.structures[s].complete) {
            let message = format!("The derived type '{}' is not defined yet", self.decls.structures[inner].name);
            return self.error("T0461", decl.ty.span, format!("{message}: only a POINTER or ALLOCATABLE can be of it"));
        }
        let dimension = decl.attrs.iter().find_map(|a| match &a.kind {
            AttrKind::Dimension(dims) => Some(dims),
            _ => None,
        });
        for a in &decl.attrs {
            use AttrKind as A;
            let fits = matches!(
                a.kind,
                A::Allocatable | A::Contiguous | A::Dimension(_) | A::Nopass | A::Pointer | A::Private | A::Public
            );
            if !fits {
                let word = crate::declare::entities::attribute_word(&a.kind);
                self.error("T0258", a.span, format!("{word} is no attribute of a component"));
            }
        }
        for entity in &decl.entities {
            let name = self.text(scope, entity.name);
            let span = entity.name.span;
            let (ty, len) = if structure.is_some() { (ty, len) } else { self.own_length(scope, entity, ty, len) };
            let shape = match entity.dims.as_ref().or(dimension) {
                Some(dims) => self.shape(scope, name, dims),
                None => Vec::new(),
            };
            let mut c =
                Component { structure, len, shape, allocatable, pointer, private, ..Component::new(name, span, ty) };
            if self.is_component(&c) {
                self.default_of(scope, entity, &mut c);
                self.add_component(id, c);
            }
        }
    }

    /// Adds a component whose name is not there yet.
    pub fn add_component(&mut self, id: StructureId, c: Component) {
        let structure = &mut self.decls.structures[id];
        let Some(k) = structure.find(&c.name) else { return structure.components.push(c) };
        let d = Diagnostic::error("T0462", c.span, format!("The component '{}' is declared twice", c.name));
        self.diags.push(d.because(structure.components[k].span, "first declared here"));
    }

    /// An error unless a component may have such bounds and length.
    pub fn is_component(&mut self, c: &Component) -> bool {
        let deferred = c.shape.iter().all(|b| b.upper == Extent::Deferred);
        let known = c.shape.iter().all(|b| b.size().is_some());
        let name = &c.name;
        let wrong = match c.is_indirect() {
            true if !deferred => Some(format!("The bounds of the component '{name}' must be ':'")),
            false if !known => Some(format!("The bounds of the component '{name}' must be constant")),
            true if c.len.known().is_none() && c.len != Extent::Deferred => {
                Some(format!("The length of the component '{name}' must be constant or ':'"))
            }
            false if c.len.known().is_none() => Some(format!("The length of the component '{name}' must be constant")),
            _ => None,
        };
        if let Some(message) = wrong {
            self.error("T0463", c.span, message);
            return false;
        }
        true
    }

    /// `= value` or `=> NULL()`.
    fn default_of(&mut self, scope: ScopeId, entity: &Entity, c: &mut Component) {
        match entity.init {
            Init::None => {}
            Init::Pointer(x) if !crate::storage::pointers::is_null(self.ast(scope), x) => {
                c.target = Some(x);
                c.default = Default::Bytes(vec![0; c.size() as usize]);
                c.has_default = true;
            }
            Init::Pointer(_) => {
                c.default = Default::Bytes(vec![0; c.size() as usize]);
                c.has_default = true;
            }
            Init::Value(x) => {
                c.has_default = true;
                if c.size() > MAX_INITIAL {
                    return self.error("T0464", entity.span, "The default value of a component is too large");
                }
                match const_eval(&self.decls, scope, x).and_then(|v| component_bytes(&v, c, self.ast(scope).span(x))) {
                    Ok(bytes) => c.default = Default::Bytes(bytes),
                    Err(why) => self.unfolded(&why, "The default value of a component"),
                }
            }
        }
    }

    /// Gives the components their places.
    fn lay_out(&mut self, id: StructureId, span: Span) {
        let mut offset = 0i64;
        let mut align = 1i64;
        let mut components = std::mem::take(&mut self.decls.structures[id].components);
        let mut owns = false;
        let mut has_pointers = false;
        let mut has_targets = false;
        let overlays = std::mem::take(&mut self.decls.structures[id].overlays);
        let mut unions = Unions::new(&overlays);
        for k in 0..components.len() {
            unions.at(k, &mut offset, |from, to| self.alignment_of(&components[from..to]));
            let c = &mut components[k];
            let inner = c.structure.filter(|_| !c.is_indirect()).map(|s| &self.decls.structures[s]);
            let own = own_alignment(c, inner);
            owns |= c.allocatable || inner.is_some_and(|i| i.owns);
            has_pointers |= c.pointer || inner.is_some_and(|i| i.has_pointers);
            has_targets |= c.target.is_some() || inner.is_some_and(|i| i.has_targets);
            offset = round_up(offset, own);
            c.offset = offset;
            offset = offset.saturating_add(c.size());
            align = align.max(own);
        }
        unions.at(components.len(), &mut offset, |from, to| self.alignment_of(&components[from..to]));
        // gfortran appends the lengths of strings that have them at run time.
        for c in components.iter_mut().filter(|c| c.ty == Type::Char && c.len == Extent::Deferred) {
            offset = round_up(offset, 8);
            c.len_offset = Some(offset);
            offset += 8;
            align = align.max(8);
        }
        let size = round_up(offset, align);
        if size > MAX_SIZE {
            let name = self.decls.structures[id].name.clone();
            self.error("T0465", span, format!("The derived type '{name}' is too large"));
            components.clear();
        }
        let initial = if size <= MAX_INITIAL { self.initial_bytes(&components, size) } else { None };
        let s = &mut self.decls.structures[id];
        s.components = components;
        s.size = if size > MAX_SIZE { 1 } else { size };
        s.align = align;
        s.owns = owns;
        s.has_pointers = has_pointers;
        s.has_targets = has_targets;
        s.initial = initial;
        s.complete = true;
    }

    fn alignment_of(&self, components: &[Component]) -> i64 {
        let inner = |c: &Component| c.structure.filter(|_| !c.is_indirect()).map(|s| &self.decls.structures[s]);
        components.iter().map(|c| own_alignment(c, inner(c))).max().unwrap_or(1)
    }

    /// The initial content of a variable without an initial value: defaults, and null for allocatables. None if all is undefined.
    fn initial_bytes(&self, components: &[Component], size: i64) -> Option<Vec<u8>> {
        let mut bytes = vec![0; size as usize];
        let mut any = false;
        let preset = self.decls.options.initial;
        // Components that UNION lays over others do not hide their values.
        let (given, rest): (Vec<_>, Vec<_>) = components.iter().partition(|c| c.default != Default::None);
        for c in rest.into_iter().chain(given) {
            let content = match (&c.default, c.structure.filter(|_| !c.is_indirect())) {
                (Default::Bytes(b), _) => b.clone(),
                (Default::None, Some(s)) => match &self.decls.structures[s].initial {
                    Some(one) => repeated(one, c.count()),
                    None => continue,
                },
                (Default::None, None) if c.allocatable => vec![0; c.size() as usize],
                (Default::None, None) if preset.derived && !c.is_indirect() && c.interface.is_none() => {
                    match preset.bytes(c.ty, c.len.known()) {
                        Some(one) => repeated(&one, c.count()),
                        None => continue,
                    }
                }
                _ => continue,
            };
            any = true;
            let at = c.offset as usize;
            if let Some(place) = bytes.get_mut(at..at + content.len()) {
                place.copy_from_slice(&content);
            }
        }
        any.then_some(bytes)
    }

    /// Variables of types that the unit defines after it names them (the type of a function) get their size.
    /// So do components that point to later types.
    pub fn size_structures(&mut self, scope: ScopeId) {
        let own: Vec<StructureId> =
            self.decls.structures.iter().filter(|(_, s)| s.scope == scope).map(|(id, _)| id).collect();
        for id in own {
            for k in 0..self.decls.structures[id].components.len() {
                let Some(inner) = self.decls.structures[id].components[k].structure else { continue };
                let (size, complete) = (self.decls.structures[inner].size, self.decls.structures[inner].complete);
                self.decls.structures[id].components[k].len = Extent::Known(size);
                if !complete {
                    let (name, span) =
                        (self.decls.structures[inner].name.clone(), self.decls.structures[id].components[k].span);
                    self.error("T0461", span, format!("The derived type '{name}' is not defined"));
                }
            }
        }
        for id in self.decls.scopes[scope].own.clone() {
            let Some(structure) = self.decls.symbols[id].structure else { continue };
            let s = &self.decls.structures[structure];
            let (size, complete, name) = (s.size, s.complete, s.name.clone());
            let symbol = &mut self.decls.symbols[id];
            symbol.len = Extent::Known(size);
            if !complete {
                let (span, var) = (symbol.span, symbol.name.clone());
                symbol.kind = SymbolKind::Error;
                self.error("T0461", span, format!("'{var}' is of the derived type '{name}', which is not defined"));
            }
        }
    }
}

/// The alignment of a component; `inner` is the derived type that it contains.
fn own_alignment(c: &Component, inner: Option<&Structure>) -> i64 {
    match inner {
        Some(inner) => inner.align,
        None if c.is_indirect() => 8,
        None => i64::from(crate::storage::alignment(Some(c.ty))),
    }
}

/// The first multiple of `align` that is not below `offset`.
pub fn round_up(offset: i64, align: i64) -> i64 {
    offset.saturating_add(align - 1) / align * align
}

/// The bytes of a constant as the whole component.
pub fn component_bytes(v: &Const, c: &Component, span: Span) -> Result<Vec<u8>, Unfolded> {
    let wrong = || Unfolded::invalid(span, format!("The value does not fit the component '{}'", c.name));
    let extents: Vec<i64> = c.shape.iter().filter_map(|b| b.size()).collect();
    if v.rank() > 0 && v.extents() != extents {
        return Err(Unfolded::invalid(span, format!("The shape of the value differs from that of '{}'", c.name)));
    }
    let elements = v.elements();
    let mut bytes = Vec::new();
    for k in 0..c.count() as usize {
        let v = elements.get(if v.rank() == 0 { 0 } else { k }).ok_or_else(wrong)?;
        bytes.extend(constant_bytes(v, c).ok_or_else(wrong)?);
    }
    Ok(bytes)
}

/// Constant structures: their bytes, as a character constant.
impl crate::constant::eval::Evaluator<'_, '_> {
    /// `name(values)` of a derived type.
    pub fn structure_constructor(&mut self, id: StructureId, args: ArgList, span: Span) -> Folded {
        let structure = &self.decls.structures[id];
        if structure.has_targets {
            return Err(Unfolded::runtime(span, format!("'{}' has components with targets", structure.name)));
        }
        let mut bytes = structure.initial.clone().unwrap_or_else(|| vec![0; structure.size as usize]);
        let order = constructor_order(self.decls, self.scope, id, args, span)?;
        for (c, x) in structure.components.iter().zip(order) {
            let Some(x) = x else { continue };
            let content = if c.is_indirect() || c.interface.is_some() {
                if !self.is_null(x) {
                    return Err(Unfolded::runtime(self.ast.span(x), format!("'{}' is no constant", c.name)));
                }
                vec![0; c.size() as usize]
            } else {
                let v = self.eval(x)?;
                component_bytes(&v, c, self.ast.span(x))?
            };
            self.spend(content.len() as u64 / 8, span)?;
            let at = c.offset as usize;
            if let Some(place) = bytes.get_mut(at..at + content.len()) {
                place.copy_from_slice(&content);
            }
        }
        Ok(crate::constant::Scalar::text(&bytes).into())
    }

    fn is_null(&self, x: ExprId) -> bool {
        match self.ast.expr(x).kind {
            ExprKind::Call { base, .. } => {
                matches!(self.ast.expr(base).kind, ExprKind::Name(n) if self.ast.name(n) == "null")
            }
            _ => false,
        }
    }

    /// The derived type of a constant expression, as far as its form tells.
    fn constant_structure(&self, x: ExprId) -> Option<StructureId> {
        match self.ast.expr(x).kind {
            ExprKind::Name(n) => {
                let symbol = &self.decls.symbols[self.decls.named(self.scope, n)?];
                match symbol.kind {
                    SymbolKind::DerivedType(id) => Some(id),
                    _ => symbol.structure,
                }
            }
            ExprKind::Call { base, .. } => self.constant_structure(base),
            ExprKind::Paren(inner) => self.constant_structure(inner),
            ExprKind::Component { base, name } => {
                let s = &self.decls.structures[self.constant_structure(base)?];
                s.components[s.find(self.ast.name(name))?].structure
            }
            _ => None,
        }
    }

    /// `base%name` of a constant.
    pub fn constant_component(&mut self, base: ExprId, name: trueline_syntax::Name, span: Span) -> Folded {
        let runtime = || Unfolded::runtime(span, "a component is not constant");
        if self.constant_structure(base).is_none() {
            return crate::constant::intrinsics::part(self, base, self.ast.name(name), span);
        }
        let id = self.constant_structure(base).ok_or_else(runtime)?;
        let value = self.eval(base)?;
        let structure = &self.decls.structures[id];
        let c = structure.find(self.ast.name(name)).map(|k| &structure.components[k]).ok_or_else(runtime)?;
        if c.is_indirect() {
            return Err(runtime());
        }
        let (at, size) = (c.offset as usize, c.element_size() as usize);
        let piece = |v: &crate::constant::Scalar, k: usize| {
            let bytes = v.as_text()?.get(at + k * size..at + (k + 1) * size)?;
            match c.ty {
                Type::Char => Some(crate::constant::Scalar::text(bytes)),
                ty => crate::constant::math::from_bytes(bytes, ty),
            }
        };
        if c.shape.is_empty() {
            return value.map(|v| piece(v, 0).ok_or_else(runtime));
        }
        let Some(v) = value.scalar() else { return Err(runtime()) };
        let values = (0..c.count() as usize).map(|k| piece(v, k).ok_or_else(runtime)).collect::<Result<_, _>>()?;
        let shape = c.shape.iter().map(|b| (b.lower.known().unwrap_or(1), b.size().unwrap_or(0))).collect();
        let array =
            crate::constant::ConstArray { ty: c.ty, len: if c.ty == Type::Char { size } else { 0 }, shape, values };
        Ok(Const::Array(std::sync::Arc::new(array)))
    }
}

/// The values of a structure constructor in the order of the components.
pub fn constructor_order(
    decls: &Declarations<'_>,
    scope: ScopeId,
    id: StructureId,
    args: ArgList,
    span: Span,
) -> Result<Vec<Option<ExprId>>, Unfolded> {
    let ast = decls.ast(scope);
    let structure = &decls.structures[id];
    let mut out: Vec<Option<ExprId>> = vec![None; structure.components.len()];
    for (k, arg) in ast.args(args).iter().enumerate() {
        let ArgValue::Expr(x) = arg.value else {
            return Err(Unfolded::invalid(arg.span, "This is not the value of a component"));
        };
        let at = match arg.keyword {
            None if ast.args(args)[..k].iter().any(|a| a.keyword.is_some()) => {
                return Err(Unfolded::invalid(arg.span, "A component without keyword follows one with keyword"));
            }
            Some(keyword) => structure.find(ast.name(keyword.name)).ok_or_else(|| {
                let message = format!("'{}' has no component '{}'", structure.name, ast.name(keyword.name));
                Unfolded::invalid(keyword.span, message)
            })?,
            None => k,
        };
        match out.get_mut(at) {
            Some(slot @ None) => *slot = Some(x),
            Some(_) => {
                let message = format!("The component '{}' is given twice", structure.components[at].name);
                return Err(Unfolded::invalid(arg.span, message));
            }
            None => {
                let message = format!("'{}' has {} component(s) only", structure.name, structure.components.len());
                return Err(Unfolded::invalid(arg.span, message));
            }
        }
    }
    for (c, given) in structure.components.iter().zip(&out) {
        if given.is_none() && !c.has_default && !c.allocatable {
            let message = format!("The component '{}' of '{}' has no value", c.name, structure.name);
            return Err(Unfolded::invalid(span, message));
        }
    }
    Ok(out)
}
