//! Procedures: headers, dummy arguments, results, interfaces, statement functions.

use crate::declare::Declare;
use crate::scope::symbol::{Extent, Home, Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::scope::{Scope, ScopeId, ScopeKind};
use trueline_diag::{Diagnostic, Span};
use trueline_syntax::ast::{
    ArgValue, Bind, ExprId, ExprKind, GenericSpec, Ident, Interface, Param, StmtId, StmtKind, UnitId, UnitKind,
};

/// The linker symbol of an internal procedure: without dots, for which gprof leaves local symbols out, and with a capital, which
/// no name of an external or module procedure has there.
fn internal_symbol(host: &str, name: &str) -> String {
    format!("{name}_IN_{host}")
}

impl Declare<'_, '_> {
    /// The kind of a procedure whose scope is `scope`, named in `outer`.
    /// An entry has a BIND(C) of its own.
    pub fn procedure_kind(
        &self,
        scope: ScopeId,
        id: UnitId,
        outer: ScopeId,
        name: &str,
        bind: Option<Bind>,
    ) -> SymbolKind {
        let unit = &self.ast(scope).units[id];
        let (class, linker) = match self.decls.scopes[outer].kind {
            ScopeKind::Global => (ProcedureClass::External, format!("{name}_")),
            ScopeKind::Module => {
                let module = self.decls.scopes[outer].symbol.map_or("", |m| &self.decls.symbols[m].name);
                (ProcedureClass::Module, format!("__{module}_MOD_{name}"))
            }
            _ => (ProcedureClass::Internal, internal_symbol(&self.linker_of(outer), name)),
        };
        let linker = match bind {
            Some(bind) => crate::declare::binding::label(self.ast(scope), bind, name).unwrap_or(linker),
            None => linker,
        };
        SymbolKind::Procedure(Box::new(Procedure {
            kind: kind_of_unit(unit.kind),
            class,
            linker,
            dummies: Vec::new(),
            result: None,
            scope: Some(scope),
            explicit: class != ProcedureClass::External,
            is_pure: (unit.prefix.pure || unit.prefix.elemental) && !unit.prefix.impure,
            is_elemental: unit.prefix.elemental,
            is_recursive: unit.prefix.recursive,
            like: None,
            is_c: bind.is_some(),
        }))
    }

    /// The linker symbol of the procedure or program that `scope` is of.
    fn linker_of(&self, scope: ScopeId) -> String {
        let symbol = self.decls.scopes[scope].symbol.map(|s| &self.decls.symbols[s]);
        match symbol.and_then(|s| s.procedure()) {
            Some(p) => p.linker.clone(),
            None => "MAIN__".to_owned(),
        }
    }

    /// The dummy arguments of a unit, as symbols of its scope.
    pub fn enter_dummies(&mut self, scope: ScopeId, id: UnitId) {
        let unit = &self.ast(scope).units[id];
        let mut dummies = Vec::with_capacity(unit.params.len());
        for (position, param) in unit.params.iter().enumerate() {
            let Param::Name(ident) = param else {
                dummies.push(None);
                continue;
            };
            let name = self.text(scope, *ident);
            let mut symbol = Symbol::new(name, ident.span, scope);
            symbol.home = Home::Dummy { position: position as u32 };
            if let Some(first) = self.decls.lookup_local(scope, name) {
                self.twice(first, ident.span, "is a dummy argument twice");
                dummies.push(Some(first));
                continue;
            }
            dummies.push(Some(self.decls.enter(symbol)));
        }
        let own = self.decls.scopes[scope].symbol;
        if let Some(SymbolKind::Procedure(p)) = own.map(|s| &mut self.decls.symbols[s].kind) {
            p.dummies = dummies;
        }
    }

    /// The result variable of a function, with the type of its header.
    pub fn enter_result(&mut self, scope: ScopeId, id: UnitId) {
        let unit = &self.ast(scope).units[id];
        let (UnitKind::Function, Some(own)) = (unit.kind, unit.name) else { return };
        let ident = unit.result.unwrap_or(own);
        let name = self.text(scope, ident);
        if unit.result.is_some_and(|r| r.name == own.name) {
            self.error("T0212", ident.span, format!("RESULT must not be the name of the function, '{name}'"));
        }
        if let Some(first) = self.decls.lookup_local(scope, name) {
            self.twice(first, ident.span, "is both the result of the function and something else");
            return;
        }
        let mut symbol = Symbol::new(name, ident.span, scope);
        symbol.kind = SymbolKind::Variable;
        symbol.attrs.result = true;
        let result = self.decls.enter(symbol);
        let function = self.decls.scopes[scope].symbol;
        if unit.result.is_some()
            && self.text(scope, own) != name
            && let Some(function) = function
        {
            // With RESULT the function's name means the function, so that it can call itself.
            let own = self.text(scope, own);
            self.decls.set_new_name(scope, own, function);
        }
        if let Some(SymbolKind::Procedure(p)) = function.map(|f| &mut self.decls.symbols[f].kind) {
            p.result = Some(result);
        }
        if let Some(spec) = &unit.prefix.ty
            && let Some((ty, len)) = self.type_spec(scope, spec)
        {
            self.set_type(result, ty, len, spec.span);
            self.decls.symbols[result].structure = self.decls.structure_of(scope, spec);
        }
    }

    /// Once the specification part is done: the type of a function, dummies that are procedures.
    pub fn finish_procedure(&mut self, scope: ScopeId) {
        let entries: Vec<SymbolId> = self.decls.scopes[scope].entries.iter().map(|e| e.1).collect();
        for own in self.decls.scopes[scope].symbol.into_iter().chain(entries) {
            self.finish_result(scope, own);
        }
    }

    fn finish_result(&mut self, scope: ScopeId, own: SymbolId) {
        let Some(result) = self.decls.symbols[own].procedure().and_then(|p| p.result) else { return };
        let symbol = &self.decls.symbols[result];
        if symbol.ty.is_none() {
            match self.decls.implied(scope, &symbol.name) {
                Some(implied) => implied.give(&mut self.decls.symbols[result]),
                None => {
                    let (name, span) = (self.decls.symbols[own].name.clone(), self.decls.symbols[result].span);
                    let d = Diagnostic::error("T0210", span, format!("The function '{name}' has no type"));
                    self.diags.push(d.help("Write the type before FUNCTION, or declare the result"));
                    self.decls.symbols[result].kind = SymbolKind::Error;
                }
            }
        }
        let result = &self.decls.symbols[result];
        let (ty, len, structure, interface) = (result.ty, result.len.known(), result.structure, result.interface);
        let own = &mut self.decls.symbols[own];
        own.ty = ty;
        own.structure = structure;
        own.interface = interface;
        own.len = len.map_or(Extent::Deferred, Extent::Known);
    }

    /// INTERFACE: explicit interfaces of external procedures, and generic names.
    pub fn interface(&mut self, scope: ScopeId, interface: &Interface) {
        let mut specifics = Vec::new();
        for &body in &interface.bodies {
            specifics.extend(self.interface_body(scope, body));
        }
        for &s in &interface.procedures {
            if let StmtKind::ModuleProcedure { names, .. } = &self.ast(scope).stmt(s).kind {
                for &ident in names {
                    let name = self.text(scope, ident);
                    match self.decls.lookup(scope, name) {
                        Some(id) if self.decls.symbols[id].procedure().is_some() => specifics.push(id),
                        _ => match interface.generic {
                            // A later statement may declare it.
                            Some(spec) => self.later_specifics.push((scope, spec, ident)),
                            None => self.no_procedure(scope, ident),
                        },
                    }
                }
            }
        }
        if let Some(spec) = interface.generic {
            let (name, span) = crate::scope::operators::generic_name(self.ast(scope), spec);
            self.decls.has_operators |= !matches!(spec, GenericSpec::Name(_));
            self.generic(scope, &name, span, specifics);
        }
    }

    /// Adds procedures to a generic name. It extends a generic that USE or the host makes visible.
    fn no_procedure(&mut self, scope: ScopeId, ident: Ident) {
        let name = self.text(scope, ident);
        self.error("T0211", ident.span, format!("'{name}' is not a procedure of this module"));
    }

    /// Procedures of generic interfaces that statements behind the interface block declare.
    pub fn late_specifics(&mut self, scope: ScopeId) {
        let (own, outer): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.later_specifics).into_iter().partition(|later| later.0 == scope);
        self.later_specifics = outer;
        for (_, spec, ident) in own {
            let found = self.decls.lookup(scope, self.text(scope, ident));
            match found.filter(|&id| self.decls.symbols[id].procedure().is_some()) {
                Some(id) => {
                    let (name, span) = crate::scope::operators::generic_name(self.ast(scope), spec);
                    self.generic(scope, &name, span, vec![id]);
                }
                None => self.no_procedure(scope, ident),
            }
        }
    }

    fn generic(&mut self, scope: ScopeId, name: &str, span: Span, mut specifics: Vec<SymbolId>) {
        let known = self.decls.lookup(scope, name);
        if let Some(id) = known
            && let SymbolKind::DerivedType(structure) = self.decls.symbols[id].kind
        {
            // The name of a type: functions that make values of it.
            let list = &mut self.decls.structures[structure].constructors;
            specifics.retain(|s| !list.contains(s));
            return list.append(&mut specifics);
        }
        let visible = match known.map(|id| (id, &self.decls.symbols[id].kind)) {
            Some((id, SymbolKind::Generic(list))) => Some((id, list.clone())),
            _ => None,
        };
        if let Some((id, before)) = visible {
            let own = self.decls.symbols[id].scope == scope;
            specifics.retain(|s| !before.contains(s));
            specifics.extend(before);
            if own {
                self.decls.symbols[id].kind = SymbolKind::Generic(specifics);
            } else {
                self.enter_generic(scope, name, span, specifics);
            }
            return;
        }
        if let Some(id) = known.filter(|&id| self.decls.symbols[id].scope != scope && !specifics.contains(&id))
            && self.decls.symbols[id].procedure().is_some_and(|p| p.explicit)
            && self.decls.lookup_local(scope, name) == Some(id)
        {
            // A generic name of one procedure that has the same name, from a module.
            specifics.push(id);
            return self.enter_generic(scope, name, span, specifics);
        }
        let Some(id) = self.decls.lookup_local(scope, name) else {
            return self.enter_generic(scope, name, span, specifics);
        };
        match &mut self.decls.symbols[id].kind {
            kind @ SymbolKind::Unknown => *kind = SymbolKind::Generic(specifics),
            // A generic name may be that of one of its procedures; calls by it are resolved to that one.
            SymbolKind::Procedure(_) if specifics == [id] => {}
            SymbolKind::Procedure(_) if specifics.contains(&id) => self.enter_generic(scope, name, span, specifics),
            _ => self.twice(id, span, "is already declared, and not as a generic name"),
        }
    }

    fn enter_generic(&mut self, scope: ScopeId, name: &str, span: Span, specifics: Vec<SymbolId>) {
        let mut symbol = Symbol::new(name, span, scope);
        symbol.kind = SymbolKind::Generic(specifics);
        self.decls.enter(symbol);
    }

    fn interface_body(&mut self, host: ScopeId, body: UnitId) -> Option<SymbolId> {
        let index = self.decls.scopes[host].ast;
        let unit = &self.ast(host).units[body];
        let ident = unit.name?;
        let mut scope = Scope::new(ScopeKind::Interface, None, index);
        scope.unit = Some(body);
        scope.host = Some(host);
        let scope = self.decls.scopes.push(scope);
        let id = self.declared(host, ident)?;
        let name = self.text(host, ident);
        let mut kind = self.procedure_kind(scope, body, self.decls.global, name, self.ast(scope).units[body].bind);
        if let SymbolKind::Procedure(p) = &mut kind {
            p.explicit = true;
            if let Home::Dummy { .. } = self.decls.symbols[id].home {
                p.class = ProcedureClass::Dummy;
                p.linker.clear();
            }
        }
        let symbol = &self.decls.symbols[id];
        let external = symbol.procedure().is_some_and(|p| p.class == ProcedureClass::External && p.scope.is_none());
        if symbol.kind != SymbolKind::Unknown && !external {
            self.twice(id, ident.span, "is already declared");
            return None;
        }
        self.decls.symbols[id].kind = kind;
        self.decls.scopes[scope].symbol = Some(id);
        self.specification(scope, body);
        crate::scope::resolve::interface(&mut self.decls, scope, self.diags);
        Some(id)
    }

    /// Leading assignments to `name(names…)` whose name is not an array are statement functions.
    pub fn statement_functions(&mut self, scope: ScopeId, id: UnitId) {
        let ast = self.ast(scope);
        for &s in ast.block(ast.units[id].body) {
            let found = match ast.stmt(s).kind {
                StmtKind::Assign { target, value } => self.statement_function(scope, s, target, value),
                StmtKind::Directive(_) => true,
                _ => false,
            };
            if !found {
                return;
            }
        }
    }

    fn statement_function(&mut self, scope: ScopeId, s: StmtId, target: ExprId, value: ExprId) -> bool {
        let ast = self.ast(scope);
        let ExprKind::Call { base, args } = ast.expr(target).kind else { return false };
        let ExprKind::Name(name) = ast.expr(base).kind else { return false };
        let ident = Ident { name, span: ast.span(base) };
        let names: Option<Vec<Ident>> = ast
            .args(args)
            .iter()
            .map(|a| match a.value {
                ArgValue::Expr(x) if a.keyword.is_none() => match ast.expr(x).kind {
                    ExprKind::Name(name) => Some(Ident { name, span: ast.span(x) }),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let Some(names) = names else { return false };
        // A name from elsewhere, or one that is already known to be something, is not defined here.
        let text = ast.name(name);
        let known = self.decls.lookup(scope, text);
        let free = known.is_none_or(|id| {
            let symbol = &self.decls.symbols[id];
            symbol.scope == scope && symbol.kind == SymbolKind::Unknown && symbol.home == Home::None
        });
        if !free || ast.stmt(s).label.is_some() {
            return false;
        }
        if known.is_none() && self.decls.implied(scope, text).is_none() {
            // Under IMPLICIT NONE a forgotten array is likelier than a function without a type.
            return false;
        }
        let Some(id) = self.declared(scope, ident) else { return false };
        self.check_statement_function(scope, ident, &names, value);
        let known = |d: &Self, n: Ident| d.decls.lookup(scope, ast.name(n.name));
        let dummies: Vec<SymbolId> =
            names.into_iter().filter_map(|n| known(self, n).or_else(|| self.declared(scope, n))).collect();
        self.decls.symbols[id].kind = SymbolKind::StatementFunction { dummies, body: value };
        true
    }

    /// A dummy argument is there once, and the function does not use itself.
    fn check_statement_function(&mut self, scope: ScopeId, own: Ident, names: &[Ident], body: ExprId) {
        let ast = self.ast(scope);
        let text = ast.name(own.name);
        for (k, n) in names.iter().enumerate() {
            // The lists that people write are short; a long one is not searched twice.
            if k < 100 && names[..k].iter().any(|m| m.name == n.name) {
                self.error("T0213", n.span, format!("'{}' is a dummy argument of '{text}' twice", ast.name(n.name)));
            }
        }
        let mut itself = None;
        crate::visit::expressions(ast, body, &mut |x| {
            if matches!(ast.expr(x).kind, ExprKind::Name(name) if name == own.name) {
                itself = itself.or(Some(ast.span(x)));
            }
        });
        if let Some(span) = itself {
            self.error("T0214", span, format!("The statement function '{text}' uses itself"));
        }
    }
}

fn kind_of_unit(kind: UnitKind) -> ProcedureKind {
    match kind {
        UnitKind::Function => ProcedureKind::Function,
        _ => ProcedureKind::Subroutine,
    }
}
