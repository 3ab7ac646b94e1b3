//! Declarations: the scopes of all program units, and the symbols that their specification statements declare.
//!
//! Units are declared in an order in which every module comes before its users, whatever the order in
//! the source: the global names first, then each unit with the units contained in it.
//!
//! **Invariants:** a name gets exactly one symbol in the scope that declares it; a question that needs
//! all statements (is `f` a variable or a function?) leaves the symbol [`SymbolKind::Unknown`] for
//! the phase that resolves names; where variables live is decided later still.

pub(crate) mod attributes;
pub(crate) mod binding;
pub(crate) mod block;
pub(crate) mod constants;
pub mod cray;
pub(crate) mod entities;
pub mod entry;
pub(crate) mod interfaces;
pub(crate) mod intrinsic_modules;
pub(crate) mod modules;
pub(crate) mod overlays;
pub(crate) mod procedures;
pub mod structures;
pub(crate) mod types;

use crate::Options;
use crate::constant::eval::{Unfolded, const_eval};
use crate::scope::symbol::{ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ImplicitRules, Implied, Scope, ScopeId, ScopeKind};
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_syntax::ast::{
    Ast, BaseType, Directive, ExprId, ExprKind, GenericSpec, Ident, ImplicitRule, StmtId, StmtKind, UnitId, UnitKind,
};

/// Declares everything that the files declare.
pub fn declare<'a>(asts: &'a [Ast], options: Options, diags: &mut Diagnostics) -> Declarations<'a> {
    let mut d = Declare {
        decls: Declarations::new(asts, options),
        diags,
        intrinsic_modules: Vec::new(),
        later_interfaces: Vec::new(),
        later_specifics: Vec::new(),
    };
    for (index, ast) in asts.iter().enumerate() {
        for &unit in &ast.program {
            d.enter_unit(index, unit, None);
        }
    }
    for (index, unit) in crate::declare::modules::order(&d.decls, d.diags) {
        if let Some(scope) = d.decls.unit_scope(index, unit) {
            d.unit(scope, unit);
        }
    }
    d.link_interfaces();
    d.link_externals();
    d.decls
}

/// Declarations under construction.
pub struct Declare<'a, 'd> {
    /// The declarations so far.
    pub decls: Declarations<'a>,
    /// The errors and warnings found.
    pub diags: &'d mut Diagnostics,
    /// The intrinsic modules that are used, by name.
    pub intrinsic_modules: Vec<(String, ScopeId)>,
    /// PROCEDURE declarations that name an interface not declared so far: the symbol declared, and the interface's scope and name.
    pub later_interfaces: Vec<(SymbolId, ScopeId, Ident)>,
    /// Procedures of generic interfaces that are not declared so far.
    pub later_specifics: Vec<(ScopeId, GenericSpec, Ident)>,
}

impl<'a> Declare<'a, '_> {
    /// Reports an error.
    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diags.push(Diagnostic::error(code, span, message));
    }

    /// Reports a feature that this version does not have.
    pub fn unsupported(&mut self, span: Span, what: &str) {
        self.error("T0299", span, format!("{what} not supported yet"));
    }

    /// The file of a scope.
    pub fn ast(&self, scope: ScopeId) -> &'a Ast {
        self.decls.ast(scope)
    }

    /// The spelling of an identifier.
    pub fn text(&self, scope: ScopeId, ident: Ident) -> &'a str {
        self.ast(scope).name(ident.name)
    }

    /// Makes the scopes of a unit and of its contained units, and its name where it is visible.
    fn enter_unit(&mut self, index: usize, id: UnitId, host: Option<ScopeId>) {
        let ast = &self.decls.asts[index];
        let unit = &ast.units[id];
        let kind = match unit.kind {
            UnitKind::Program => ScopeKind::Program,
            UnitKind::Module => ScopeKind::Module,
            UnitKind::BlockData => ScopeKind::BlockData,
            UnitKind::Subroutine | UnitKind::Function => ScopeKind::Procedure,
        };
        let mut scope = Scope::new(kind, host, index);
        scope.unit = Some(id);
        if self.decls.options.implicit_none {
            scope.implicit = ImplicitRules::none();
        } else if let Some(host) = host {
            scope.implicit = self.decls.scopes[host].implicit.clone();
        }
        let scope = self.decls.scopes.push(scope);
        self.decls.unit_scopes[index].insert(id, scope);
        if let Some(host) = host {
            self.decls.scopes[host].children.push(scope);
        }
        let symbol = self.enter_unit_name(scope, id, host.unwrap_or(self.decls.global));
        self.decls.scopes[scope].symbol = Some(symbol);
        self.enter_entries(scope, id, host.unwrap_or(self.decls.global));
        for &inner in &unit.contained {
            self.enter_unit(index, inner, Some(scope));
        }
    }

    /// The symbol of a unit, in the scope around it.
    fn enter_unit_name(&mut self, scope: ScopeId, id: UnitId, outer: ScopeId) -> SymbolId {
        let ast = self.ast(scope);
        let unit = &ast.units[id];
        let (name, span) = match unit.name {
            Some(ident) => (ast.name(ident.name), ident.span),
            None if unit.kind == UnitKind::BlockData => ("block data", head_of(unit.span)),
            None => ("main", head_of(unit.span)),
        };
        // A main program need not have a name.
        let around = self.decls.scopes[outer].unit.and_then(|u| ast.units[u].name);
        let host = self.decls.scopes[outer].symbol.filter(|_| around.is_some_and(|host| ast.name(host.name) == name));
        if let Some(host) = host.map(|host| &self.decls.symbols[host]) {
            let message = format!("'{name}' is the name of what it is contained in");
            self.diags.push(Diagnostic::error("T0204", span, message).because(host.span, "first declared here"));
        }
        let kind = match unit.kind {
            UnitKind::Program => SymbolKind::Program(scope),
            UnitKind::Module => SymbolKind::Module(scope),
            UnitKind::BlockData => SymbolKind::BlockData(scope),
            UnitKind::Subroutine | UnitKind::Function => self.procedure_kind(scope, id, outer, name, unit.bind),
        };
        let mut symbol = Symbol::new(name, span, outer);
        let is_program = unit.kind == UnitKind::Program;
        let first = match is_program {
            true => self.decls.main,
            false => self.decls.lookup_local(outer, name),
        };
        symbol.kind = kind;
        if let Some(first) = first {
            let first = &self.decls.symbols[first];
            let message = match is_program {
                true => "There are two main programs".to_owned(),
                false => format!("'{name}' is defined twice"),
            };
            let d = Diagnostic::error("T0201", span, message).because(first.span, "first defined here");
            self.diags.push(d);
        }
        let anonymous = unit.name.is_none();
        let id = if anonymous || first.is_some() { self.decls.symbols.push(symbol) } else { self.decls.enter(symbol) };
        if is_program {
            self.decls.main = Some(id);
        }
        id
    }

    /// Declares the names of a unit and of its contained units.
    fn unit(&mut self, scope: ScopeId, id: UnitId) {
        self.specification(scope, id);
        for inner in self.decls.scopes[scope].children.clone() {
            if let Some(unit) = self.decls.scopes[inner].unit {
                self.unit(inner, unit);
            }
        }
    }

    /// The specification part of a unit or interface body.
    pub fn specification(&mut self, scope: ScopeId, id: UnitId) {
        let ast = self.ast(scope);
        let unit = &ast.units[id];
        if let Some(parent) = self.decls.scopes[scope].parent {
            // The host's IMPLICIT statements are known by now.
            self.decls.scopes[scope].implicit = self.decls.scopes[parent].implicit.clone();
        }
        self.enter_dummies(scope, id);
        self.bind_procedure(scope, id);
        self.enter_entry_dummies(scope);
        let renames = crate::declare::modules::renames(ast, &unit.spec);
        for &s in &unit.spec {
            match &ast.stmt(s).kind {
                StmtKind::Use(u) => crate::declare::modules::import(self, scope, u, &renames),
                StmtKind::Import(names) => self.import(scope, names),
                _ => {}
            }
        }
        self.enter_structures(scope, id);
        self.enter_result(scope, id);
        self.enter_entry_results(scope);
        for &s in &unit.spec {
            self.statement(scope, s);
        }
        self.late_specifics(scope);
        self.external_pointers(scope);
        for &s in &unit.spec {
            if let StmtKind::CrayPointers(pairs) = &ast.stmt(s).kind {
                self.cray_pointers(scope, pairs);
            }
        }
        self.statement_functions(scope, id);
        self.size_structures(scope);
        self.finish_procedure(scope);
        if self.decls.scopes[scope].kind != ScopeKind::Interface {
            self.constructs(scope, id);
        }
        if self.decls.scopes[scope].kind == ScopeKind::Module {
            self.decide_access(scope);
        }
    }

    /// One specification statement.
    pub fn statement(&mut self, scope: ScopeId, s: StmtId) {
        let stmt = self.ast(scope).stmt(s);
        match &stmt.kind {
            StmtKind::ImplicitNone { types, external } => {
                if *external {
                    self.decls.scopes[scope].no_external = Some(stmt.span);
                }
                if *types {
                    self.implicit_none(scope, stmt.span);
                }
            }
            StmtKind::Implicit(rules) => self.implicit(scope, rules, stmt.span),
            StmtKind::TypeDecl(decl) => self.type_declaration(scope, decl),
            StmtKind::Records(groups) => groups.iter().for_each(|decl| self.type_declaration(scope, decl)),
            StmtKind::Attr { attr, entities } => self.attribute(scope, attr, entities, stmt.span),
            StmtKind::Parameter(items) => self.parameters(scope, items),
            StmtKind::Common(blocks) => self.common(scope, blocks),
            StmtKind::Save(items) => self.save(scope, items),
            StmtKind::Equivalence(sets) => sets.iter().for_each(|set| {
                for &x in self.ast(scope).list(*set) {
                    self.mark_root(scope, x, |a| a.equivalenced = true);
                }
            }),
            StmtKind::Data(groups) => self.data_targets(scope, groups),
            StmtKind::Access { public, items } => self.access(scope, *public, items, stmt.span),
            StmtKind::Namelist(groups) => self.namelist(scope, groups),
            StmtKind::Interface(interface) => self.interface(scope, interface),
            StmtKind::Directive(directive) => {
                if let Directive::Hpf(hpf) = directive.as_ref() {
                    self.hpf_names(scope, hpf);
                }
            }
            StmtKind::DerivedType(t) => self.derived_type(scope, t),
            StmtKind::Enum(e) => self.enumeration(scope, e),
            StmtKind::ProcedureDecl(decl) => self.procedure_declaration(scope, decl),
            StmtKind::BindStmt { bind, items } => self.bind_statement(scope, *bind, items),
            _ => {}
        }
    }

    fn implicit_none(&mut self, scope: ScopeId, span: Span) {
        let data = &mut self.decls.scopes[scope];
        let before = data.implicit_none.or(data.implicit_letters.iter().flatten().next().copied());
        data.implicit = ImplicitRules::none();
        data.implicit_none = data.implicit_none.or(Some(span));
        if let Some(first) = before {
            let d = Diagnostic::error("T0205", span, "IMPLICIT NONE must be the only IMPLICIT statement");
            self.diags.push(d.because(first, "this is another one"));
        }
    }

    fn implicit(&mut self, scope: ScopeId, rules: &[ImplicitRule], span: Span) {
        if let Some(first) = self.decls.scopes[scope].implicit_none {
            let d = Diagnostic::error("T0205", span, "IMPLICIT contradicts IMPLICIT NONE");
            self.diags.push(d.because(first, "given here"));
            return;
        }
        for rule in rules {
            for letter in rule.letters.iter().flat_map(|&(from, to)| from..=to) {
                let slot = usize::from(letter.wrapping_sub(b'a'));
                let Some(slot) = self.decls.scopes[scope].implicit_letters.get_mut(slot) else { continue };
                if let Some(first) = slot.replace(rule.span) {
                    let message = format!("The letter '{}' has two implicit types", char::from(letter));
                    self.diags.push(Diagnostic::error("T0206", rule.span, message).because(first, "first given here"));
                    break;
                }
            }
            if rule.ty.base == BaseType::Assumed {
                self.unsupported(rule.ty.span, "TYPE(*) in an IMPLICIT statement is");
                continue;
            }
            let structure = self.decls.structure_of(scope, &rule.ty);
            if let Some((ty, len)) = self.type_spec(scope, &rule.ty) {
                for &(from, to) in &rule.letters {
                    self.decls.scopes[scope].implicit.set(from, to, Implied { ty, len, structure });
                }
            }
        }
    }

    /// IMPORT in an interface body.
    fn import(&mut self, scope: ScopeId, names: &[Ident]) {
        let Some(host) = self.decls.scopes[scope].host else { return };
        if names.is_empty() {
            self.decls.scopes[scope].parent = Some(host);
        }
        for &ident in names {
            let name = self.text(scope, ident);
            match self.decls.lookup(host, name) {
                Some(id) => {
                    self.decls.set_name(scope, name, id);
                }
                None => self.error("T0202", ident.span, format!("The host has no '{name}' to IMPORT")),
            }
        }
    }

    /// The symbol that `ident` declares in `scope`: its own one, new if there is none yet. `None` after
    /// a diagnostic when the name belongs to something that cannot be declared here.
    pub fn declared(&mut self, scope: ScopeId, ident: Ident) -> Option<SymbolId> {
        let name = self.text(scope, ident);
        let Some(id) = self.decls.lookup_local(scope, name) else {
            return Some(self.decls.enter(Symbol::new(name, ident.span, scope)));
        };
        let symbol = &self.decls.symbols[id];
        let imported = match self.decls.scopes[scope].ambiguous.get(name) {
            Some(&(_, other)) if symbol.scope == scope => Some(&self.decls.symbols[other]),
            _ => Some(symbol).filter(|s| s.scope != scope),
        };
        if let Some(symbol) = imported {
            let d = Diagnostic::error(
                "T0203",
                ident.span,
                format!("'{name}' is imported by USE and cannot be declared here"),
            )
            .because(symbol.span, "declared in the module");
            self.diags.push(d.help(format!("Rename it: USE module, other => {name}")));
            return None;
        }
        if symbol.kind == SymbolKind::Error {
            return None;
        }
        Some(id)
    }

    /// Reports that a symbol is declared in two ways; `what` is the predicate, such as "is defined twice".
    pub fn twice(&mut self, id: SymbolId, span: Span, what: &str) {
        let symbol = &self.decls.symbols[id];
        let d = Diagnostic::error("T0204", span, format!("'{}' {what}", symbol.name))
            .because(symbol.span, "first declared here");
        self.diags.push(d);
    }

    /// The value of a scalar integer constant; a mistake is reported with `what` in the message.
    pub fn constant_int(&mut self, scope: ScopeId, x: ExprId, what: &str) -> Option<i64> {
        match const_eval(&self.decls, scope, x) {
            Ok(v) => match v.as_int() {
                Some(v) => Some(v),
                None => {
                    self.error("T0303", self.ast(scope).span(x), format!("{what} must be a scalar INTEGER"));
                    None
                }
            },
            Err(why) => {
                self.unfolded(&why, what);
                None
            }
        }
    }

    /// Reports why an expression is not constant; `what` begins the message.
    pub fn unfolded(&mut self, why: &Unfolded, what: &str) {
        if let Some(d) = why.report(what) {
            self.diags.push(d);
        }
    }

    /// The name that a variable, element or substring starts with.
    pub fn root(&self, scope: ScopeId, x: ExprId) -> Option<Ident> {
        let ast = self.ast(scope);
        let mut x = x;
        loop {
            match &ast.expr(x).kind {
                ExprKind::Name(name) => return Some(Ident { name: *name, span: ast.span(x) }),
                ExprKind::Call { base, .. } | ExprKind::Component { base, .. } => x = *base,
                _ => return None,
            }
        }
    }

    /// Declares the variable that `x` is or is part of, and sets an attribute of it.
    pub fn mark_root(&mut self, scope: ScopeId, x: ExprId, set: impl FnOnce(&mut crate::scope::symbol::Attributes)) {
        if let Some(id) = self.root(scope, x).and_then(|ident| self.declared(scope, ident)) {
            set(&mut self.decls.symbols[id].attrs);
        }
    }

    /// External procedures that are called here and defined in this compilation: their definition.
    pub fn link_externals(&mut self) {
        link_externals(&mut self.decls);
    }
}

/// Gives every external procedure that the compilation defines the arguments of its definition. Its
/// interface stays implicit.
pub fn link_externals(decls: &mut Declarations<'_>) {
    for id in decls.symbols.keys() {
        let symbol = &decls.symbols[id];
        let Some(p) = symbol.procedure().filter(|p| p.class == ProcedureClass::External && p.scope.is_none()) else {
            continue;
        };
        let definition = decls.lookup_global(&symbol.name).filter(|&d| d != id);
        let Some(found) = definition.and_then(|d| decls.symbols[d].procedure()).filter(|f| f.scope.is_some()) else {
            continue;
        };
        let (mut linked, ty) = (p.clone(), definition.and_then(|d| decls.symbols[d].ty));
        // Within itself a procedure has the name that BIND(C) gives it.
        let mut hosts = std::iter::successors(Some(symbol.scope), |&h| decls.scopes[h].parent);
        if hosts.any(|h| Some(h) == found.scope) {
            (linked.linker, linked.is_c) = (found.linker.clone(), found.is_c);
        }
        linked.scope = found.scope;
        linked.dummies = found.dummies.clone();
        linked.result = found.result;
        linked.is_pure = found.is_pure;
        linked.is_recursive = found.is_recursive;
        if linked.kind == ProcedureKind::Unknown {
            linked.kind = found.kind;
        }
        let symbol = &mut decls.symbols[id];
        if !symbol.attrs.typed && linked.kind == ProcedureKind::Function {
            symbol.ty = symbol.ty.or(ty);
        }
        symbol.kind = SymbolKind::Procedure(Box::new(linked));
    }
}

/// The first byte of a unit without a name: where its diagnostics point.
fn head_of(span: Span) -> Span {
    Span::new(span.file, span.start, span.end.min(span.start + 1))
}
