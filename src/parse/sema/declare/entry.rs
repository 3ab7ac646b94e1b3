//! ENTRY: further names of a procedure, each with its own arguments and its own place to begin.
//!
//! ```text
//! subroutine a(x)            scope of a: dummies x, n of all names; results of all names
//!   …                        around it:  procedures a(x), b(n), both with that scope
//! entry b(n)
//!   …
//! ```
//!
//! A dummy argument of one name is a variable of the whole procedure. The results of a function's names are one
//! variable under several names ([`crate::storage::results`]).

use crate::declare::Declare;
use crate::scope::symbol::{Home, Procedure, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use crate::storage::results::names;
use trueline_syntax::ast::{Ast, Entry, Param, StmtId, StmtKind, UnitId, UnitKind};

/// The ENTRY statement that a statement is.
pub fn of(ast: &Ast, s: StmtId) -> Option<&Entry> {
    match &ast.stmt(s).kind {
        StmtKind::Entry(entry) => Some(entry),
        _ => None,
    }
}

/// All dummy arguments of a procedure, whatever name it is called by: those of the header, then the further ones of
/// each ENTRY. An asterisk stands at the end if any name has one.
pub fn all_dummies(decls: &Declarations<'_>, scope: ScopeId) -> Vec<Option<SymbolId>> {
    let mut out: Vec<Option<SymbolId>> = Vec::new();
    let mut alternate = false;
    for p in names(decls, scope).into_iter().filter_map(|id| decls.symbols[id].procedure()) {
        for dummy in &p.dummies {
            alternate |= dummy.is_none();
            if dummy.is_some() && !out.contains(dummy) {
                out.push(*dummy);
            }
        }
    }
    out.extend(alternate.then_some(None));
    out
}

impl Declare<'_, '_> {
    /// The entries of a unit, as procedures of the scope around it.
    pub fn enter_entries(&mut self, scope: ScopeId, id: UnitId, outer: ScopeId) {
        let ast = self.ast(scope);
        let unit = &ast.units[id];
        let body = ast.block(unit.body);
        let found: Vec<StmtId> = unit.spec.iter().chain(body).copied().filter(|&s| of(ast, s).is_some()).collect();
        for s in found {
            let Some(entry) = of(ast, s) else { continue };
            if !matches!(unit.kind, UnitKind::Subroutine | UnitKind::Function) {
                self.error("T0217", ast.stmt(s).span, "ENTRY can stand only in a subroutine or function");
                continue;
            }
            let name = self.text(scope, entry.name);
            let mut symbol = Symbol::new(name, entry.name.span, outer);
            symbol.kind = self.procedure_kind(scope, id, outer, name, entry.bind);
            if let Some(first) = self.decls.lookup_local(outer, name) {
                self.twice(first, entry.name.span, "is defined twice");
                continue;
            }
            let symbol = self.decls.enter(symbol);
            self.decls.scopes[scope].entries.push((s, symbol));
        }
    }

    /// The dummy arguments of the entries: variables of the whole procedure.
    pub fn enter_entry_dummies(&mut self, scope: ScopeId) {
        let ast = self.ast(scope);
        for (s, id) in self.decls.scopes[scope].entries.clone() {
            let Some(entry) = of(ast, s) else { continue };
            let mut dummies = Vec::with_capacity(entry.params.len());
            for param in &entry.params {
                let Param::Name(ident) = param else {
                    dummies.push(None);
                    continue;
                };
                let name = self.text(scope, *ident);
                let known = self.decls.lookup_local(scope, name);
                let dummy = known.unwrap_or_else(|| {
                    let mut symbol = Symbol::new(name, ident.span, scope);
                    symbol.home = Home::Dummy { position: dummies.len() as u32 };
                    self.decls.enter(symbol)
                });
                if dummies.contains(&Some(dummy)) {
                    self.twice(dummy, ident.span, "is a dummy argument twice");
                }
                dummies.push(Some(dummy));
            }
            if let Some(p) = self.entry_procedure(id) {
                p.dummies = dummies;
            }
        }
    }

    /// The result variables of the entries of a function.
    pub fn enter_entry_results(&mut self, scope: ScopeId) {
        let ast = self.ast(scope);
        for (s, id) in self.decls.scopes[scope].entries.clone() {
            let Some(entry) = of(ast, s) else { continue };
            if self.entry_procedure(id).is_none_or(|p| p.kind != ProcedureKind::Function) {
                continue;
            }
            let ident = entry.result.unwrap_or(entry.name);
            let name = self.text(scope, ident);
            if let Some(first) = self.decls.lookup_local(scope, name).filter(|&f| self.decls.symbols[f].attrs.result) {
                // The same name is the same variable.
                if let Some(p) = self.entry_procedure(id) {
                    p.result = Some(first);
                }
                if entry.result.is_some() {
                    let own = self.text(scope, entry.name);
                    self.decls.set_new_name(scope, own, id);
                }
                continue;
            }
            if let Some(first) = self.decls.lookup_local(scope, name) {
                self.twice(first, ident.span, "is both the result of the function and something else");
                continue;
            }
            let mut symbol = Symbol::new(name, ident.span, scope);
            symbol.kind = SymbolKind::Variable;
            symbol.attrs.result = true;
            let result = self.decls.enter(symbol);
            if entry.result.is_some() {
                let own = self.text(scope, entry.name);
                self.decls.set_new_name(scope, own, id);
            }
            if let Some(p) = self.entry_procedure(id) {
                p.result = Some(result);
            }
        }
    }

    fn entry_procedure(&mut self, id: SymbolId) -> Option<&mut Procedure> {
        match &mut self.decls.symbols[id].kind {
            SymbolKind::Procedure(p) => Some(p),
            _ => None,
        }
    }
}
