//! Types and declarations as text.

use super::Dump;
use crate::ast::*;

impl Dump<'_> {
    pub(super) fn type_spec(&self, ty: &TypeSpec) -> String {
        let mut out = match ty.base {
            BaseType::Integer => "integer".to_string(),
            BaseType::Real => "real".to_string(),
            BaseType::DoublePrecision => "double precision".to_string(),
            BaseType::Complex => "complex".to_string(),
            BaseType::DoubleComplex => "double complex".to_string(),
            BaseType::Logical => "logical".to_string(),
            BaseType::Character => "character".to_string(),
            BaseType::Byte => "byte".to_string(),
            BaseType::Derived(name) => format!("type({})", self.name(name)),
            BaseType::Assumed => "type(*)".to_string(),
        };
        match ty.kind {
            Some(KindSelector::Star(bytes)) => out.push_str(&format!("*{bytes}")),
            Some(KindSelector::Expr(e)) => out.push_str(&format!("(kind={})", self.expr(e))),
            None => {}
        }
        if let Some(len) = ty.len {
            out.push_str(&format!("(len={})", self.char_len(len)));
        }
        out
    }

    fn char_len(&self, len: CharLen) -> String {
        match len {
            CharLen::Expr(e) => self.expr(e),
            CharLen::Star => "*".into(),
            CharLen::Deferred => ":".into(),
        }
    }

    pub(super) fn dims(&self, dims: &[Dim]) -> String {
        let dims: Vec<String> = dims
            .iter()
            .map(|dim| {
                let lo = dim.lo.map_or(String::new(), |lo| format!("{}:", self.expr(lo)));
                match dim.hi {
                    DimBound::Expr(hi) => format!("{lo}{}", self.expr(hi)),
                    DimBound::Star => format!("{lo}*"),
                    DimBound::Deferred if dim.lo.is_some() => lo,
                    DimBound::Deferred => ":".into(),
                }
            })
            .collect();
        format!("({})", dims.join(", "))
    }

    fn entity(&self, entity: &Entity) -> String {
        let mut out = self.name(entity.name).to_string();
        if let Some(dims) = &entity.dims {
            out.push_str(&self.dims(dims));
        }
        if let Some(len) = entity.len {
            out.push_str(&format!("*{}", self.char_len(len)));
        }
        match entity.init {
            Init::None => {}
            Init::Value(e) => out.push_str(&format!(" = {}", self.expr(e))),
            Init::Pointer(e) => out.push_str(&format!(" => {}", self.expr(e))),
        }
        out
    }

    pub(super) fn entities(&self, entities: &[Entity]) -> String {
        entities.iter().map(|entity| self.entity(entity)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn attrs(&self, attrs: &[Attr]) -> String {
        attrs.iter().map(|attr| format!(", {}", self.attr(&attr.kind))).collect()
    }

    pub(super) fn attr(&self, attr: &AttrKind) -> String {
        match attr {
            AttrKind::Bind(bind) => self.bind(*bind),
            AttrKind::Dimension(dims) if dims.is_empty() => "dimension".into(),
            AttrKind::Dimension(dims) => format!("dimension{}", self.dims(dims)),
            AttrKind::Intent(intent) => format!("intent({})", format!("{intent:?}").to_lowercase()),
            plain => format!("{plain:?}").to_lowercase(),
        }
    }

    pub(super) fn bind(&self, bind: Bind) -> String {
        match bind.name {
            Some(name) => format!("bind(c, name={})", self.expr(name)),
            None => "bind(c)".into(),
        }
    }

    pub(super) fn generic(&self, generic: GenericSpec) -> String {
        match generic {
            GenericSpec::Name(name) => self.name(name).into(),
            GenericSpec::Operator(DefinedOperator::Binary(op), _) => format!("operator({})", self.operator(op)),
            GenericSpec::Operator(DefinedOperator::Not, _) => "operator(.not.)".into(),
            GenericSpec::Assignment(_) => "assignment(=)".into(),
        }
    }

    pub(super) fn save_items(&self, items: &[SaveItem]) -> String {
        let items: Vec<String> = items
            .iter()
            .map(|item| match item {
                SaveItem::Name(name) => self.name(*name).to_string(),
                SaveItem::Common(name) => format!("/{}/", self.name(*name)),
            })
            .collect();
        items.join(", ")
    }

    pub(super) fn idents(&self, idents: &[Ident]) -> String {
        idents.iter().map(|ident| self.name(*ident)).collect::<Vec<_>>().join(", ")
    }

    /// A specification statement on its line.
    pub(super) fn specification(&self, kind: &StmtKind) -> String {
        match kind {
            StmtKind::TypeDecl(decl) => {
                format!("{}{} :: {}", self.type_spec(&decl.ty), self.attrs(&decl.attrs), self.entities(&decl.entities))
            }
            StmtKind::Attr { attr, entities } => format!("{} :: {}", self.attr(attr), self.entities(entities)),
            StmtKind::Records(groups) => {
                let group = |d: &TypeDecl| format!("{} :: {}", self.type_spec(&d.ty), self.entities(&d.entities));
                groups.iter().map(group).collect::<Vec<_>>().join("; ")
            }
            StmtKind::Overlay(overlay) => format!("{overlay:?}").to_lowercase(),
            StmtKind::CrayPointers(pairs) => {
                let pair = |(p, x): &(Ident, Entity)| {
                    format!("({}, {})", self.name(*p), self.entities(std::slice::from_ref(x)))
                };
                format!("pointer {}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
            StmtKind::Access { public, items } => {
                let items: Vec<String> = items.iter().map(|item| self.generic(*item)).collect();
                format!("{} {}", if *public { "public" } else { "private" }, items.join(", "))
            }
            StmtKind::Save(items) => format!("save {}", self.save_items(items)),
            StmtKind::BindStmt { bind, items } => format!("{} :: {}", self.bind(*bind), self.save_items(items)),
            StmtKind::Parameter(list) => {
                let list: Vec<String> =
                    list.iter().map(|(name, e)| format!("{} = {}", self.name(*name), self.expr(*e))).collect();
                format!("parameter ({})", list.join(", "))
            }
            StmtKind::Common(blocks) => {
                let blocks: Vec<String> = blocks
                    .iter()
                    .map(|block| {
                        let name = block.name.map_or("", |name| self.name(name));
                        format!("/{name}/ {}", self.entities(&block.items))
                    })
                    .collect();
                format!("common {}", blocks.join(" "))
            }
            StmtKind::Equivalence(sets) => {
                let sets: Vec<String> = sets.iter().map(|set| format!("({})", self.exprs(*set))).collect();
                format!("equivalence {}", sets.join(", "))
            }
            StmtKind::Data(groups) => {
                let groups: Vec<String> = groups.iter().map(|group| self.data_group(group)).collect();
                format!("data {}", groups.join(", "))
            }
            StmtKind::Implicit(rules) => {
                let rules: Vec<String> = rules
                    .iter()
                    .map(|rule| {
                        let letters: Vec<String> = rule
                            .letters
                            .iter()
                            .map(|(from, to)| format!("{}-{}", *from as char, *to as char))
                            .collect();
                        format!("{} ({})", self.type_spec(&rule.ty), letters.join(", "))
                    })
                    .collect();
                format!("implicit {}", rules.join(", "))
            }
            StmtKind::Namelist(groups) => {
                let groups: Vec<String> = groups
                    .iter()
                    .map(|group| format!("/{}/ {}", self.name(group.name), self.idents(&group.items)))
                    .collect();
                format!("namelist {}", groups.join(" "))
            }
            StmtKind::Use(one) => self.use_stmt(one),
            StmtKind::Import(names) => format!("import {}", self.idents(names)),
            StmtKind::ModuleProcedure { module, names } => {
                format!("{}procedure {}", if *module { "module " } else { "" }, self.idents(names))
            }
            StmtKind::ProcedureDecl(decl) => {
                let interface = match &decl.interface {
                    ProcedureInterface::None => String::new(),
                    ProcedureInterface::Name(name) => self.name(*name).to_string(),
                    ProcedureInterface::Type(ty) => self.type_spec(ty),
                };
                format!("procedure({interface}){} :: {}", self.attrs(&decl.attrs), self.entities(&decl.entities))
            }
            StmtKind::Enum(one) => {
                let items: Vec<String> = one
                    .items
                    .iter()
                    .map(|(name, value)| {
                        let value = value.map_or(String::new(), |value| format!(" = {}", self.expr(value)));
                        format!("{}{value}", self.name(*name))
                    })
                    .collect();
                format!("enum {}", items.join(", "))
            }
            StmtKind::ImplicitNone { .. } => "implicit none".into(),
            StmtKind::Sequence => "sequence".into(),
            _ => "<other>".into(),
        }
    }

    fn data_group(&self, group: &DataGroup) -> String {
        let values: Vec<String> = group
            .values
            .iter()
            .map(|value| {
                let repeat = value.repeat.map_or(String::new(), |repeat| format!("{}*", self.expr(repeat)));
                format!("{repeat}{}", self.expr(value.value))
            })
            .collect();
        format!("{} / {} /", self.exprs(group.targets), values.join(", "))
    }

    fn use_stmt(&self, one: &Use) -> String {
        let nature = match one.intrinsic {
            Some(true) => ", intrinsic ::",
            Some(false) => ", non_intrinsic ::",
            None => "",
        };
        let mut out = format!("use{nature} {}", self.name(one.module));
        if one.only {
            out.push_str(", only:");
        }
        for (at, item) in one.items.iter().enumerate() {
            out.push_str(if at == 0 && one.only { " " } else { ", " });
            if let Some(local) = item.local {
                out.push_str(&format!("{} => ", self.generic(local)));
            }
            out.push_str(&self.generic(item.name));
        }
        out
    }
}
