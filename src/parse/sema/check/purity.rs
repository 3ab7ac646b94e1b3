//! Declarations that PURE procedures must not have (Fortran 2003, 12.6).

use crate::sema::scope::symbol::{Procedure, ProcedureClass, ProcedureKind, Symbol, SymbolKind};
use crate::sema::scope::{Declarations, ScopeKind};
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_ir::Intent;

/// Reports declarations that a PURE procedure must not have.
pub(crate) fn declarations(decls: &Declarations<'_>, symbol: &Symbol, p: &Procedure, diags: &mut Diagnostics) {
    let mut wrong = |of: &Symbol, what: &str, must: &str| {
        let message = format!("The {what} '{}' of the PURE procedure '{}' {must}", of.name, symbol.name);
        diags.push(Diagnostic::error("T0295", of.span, message));
    };
    let is_function = p.kind == ProcedureKind::Function;
    // Those of elemental procedures are checked by rules of their own.
    for d in p.dummies.iter().flatten().map(|&d| &decls.symbols[d]).filter(|_| !p.is_elemental) {
        match &d.kind {
            SymbolKind::Procedure(q) if !q.is_pure => wrong(d, "argument", "must be PURE"),
            SymbolKind::Variable if d.attrs.pointer || d.attrs.value || d.interface.is_some() => {}
            SymbolKind::Variable if is_function && d.intent != Intent::In => {
                wrong(d, "argument", "must have INTENT(IN) or VALUE");
            }
            SymbolKind::Variable if d.intent == Intent::Unknown => wrong(d, "argument", "must have INTENT or VALUE"),
            _ => {}
        }
    }
    let Some(scope) = p.scope.filter(|&s| decls.scopes[s].kind == ScopeKind::Procedure) else { return };
    for &id in &decls.scopes[scope].own {
        let s = &decls.symbols[id];
        match &s.kind {
            SymbolKind::Variable if s.attrs.common => {}
            SymbolKind::Variable if s.attrs.save || s.attrs.initialised => wrong(s, "variable", "must not be saved"),
            SymbolKind::Variable if s.attrs.volatile => wrong(s, "variable", "must not be VOLATILE"),
            SymbolKind::Procedure(q) if q.class == ProcedureClass::Internal && !q.is_pure => {
                wrong(s, "internal procedure", "must be PURE");
            }
            _ => {}
        }
    }
}
