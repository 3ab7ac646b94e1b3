//! Attributes of one name that exclude each other, or need another property of it (Fortran 2008, 5.3).
//!
//! They are checked when all attributes of a name are known, in whatever order they were given.

use crate::scope::symbol::{Extent, Home, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeKind};
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_ir::Intent;

/// Reports the mistakes in the attributes of a symbol.
pub fn check(decls: &Declarations<'_>, id: SymbolId, diags: &mut Diagnostics) {
    let symbol = &decls.symbols[id];
    if let Some((a, b)) = exclusive(symbol) {
        let message = format!("{a} and {b} exclude each other, but '{}' has both", symbol.name);
        diags.push(Diagnostic::error("T0236", symbol.span, message));
    }
    if let SymbolKind::Namelist(members) = &symbol.kind
        && let Some(whole) = members.iter().map(|&m| &decls.symbols[m]).find(|m| m.is_assumed_size())
    {
        let message = format!("'{}' has no known size and cannot be in the NAMELIST '{}'", whole.name, symbol.name);
        diags.push(Diagnostic::error("T0259", symbol.span, message).because(whole.span, "declared here"));
    }
    if let Some(why) = lacking(decls, symbol) {
        diags.push(Diagnostic::error("T0258", symbol.span, format!("'{}' {why}", symbol.name)));
    }
}

/// Two attributes that exclude each other.
fn exclusive(symbol: &Symbol) -> Option<(&'static str, &'static str)> {
    let a = &symbol.attrs;
    let is_dummy = matches!(symbol.home, Home::Dummy { .. });
    let is_procedure = symbol.procedure().is_some();
    let changes = matches!(symbol.intent, Intent::Out | Intent::InOut);
    // A procedure that is a pointer is a variable.
    let pairs = [
        (a.allocatable && a.pointer, "ALLOCATABLE", "POINTER"),
        (a.pointer && a.target && !a.reached, "POINTER", "TARGET"),
        (a.common && a.save && !a.pointer, "COMMON", "SAVE"),
        (a.common && a.result, "COMMON", "RESULT"),
        (a.automatic && a.save, "AUTOMATIC", "SAVE"),
        (a.value && symbol.is_array(), "VALUE", "DIMENSION"),
        (a.value && changes, "VALUE", "INTENT(OUT)"),
        (a.value && a.pointer, "VALUE", "POINTER"),
        (a.value && a.allocatable, "VALUE", "ALLOCATABLE"),
        (a.value && is_procedure, "VALUE", "EXTERNAL"),
        (a.protected && symbol.kind == SymbolKind::Parameter, "PROTECTED", "PARAMETER"),
        (a.protected && is_procedure, "PROTECTED", "EXTERNAL"),
        (a.save && is_procedure && !a.pointer && !is_dummy, "EXTERNAL", "SAVE"),
        (a.volatile && is_procedure, "VOLATILE", "EXTERNAL"),
        (a.target && is_procedure && !a.pointer, "TARGET", "EXTERNAL"),
    ];
    pairs.into_iter().find(|p| p.0).map(|p| (p.1, p.2))
}

/// The property that a symbol's attributes require and that it lacks.
fn lacking(decls: &Declarations<'_>, symbol: &Symbol) -> Option<&'static str> {
    let a = &symbol.attrs;
    let is_dummy = matches!(symbol.home, Home::Dummy { .. });
    let deferred = symbol.shape.iter().any(|b| b.upper == Extent::Deferred);
    if a.contiguous && !(symbol.is_variable() && deferred && (a.pointer || is_dummy && !a.allocatable)) {
        return Some("is CONTIGUOUS, but neither an array pointer nor an array of assumed shape");
    }
    if a.protected && decls.scopes[symbol.scope].kind != ScopeKind::Module {
        return Some("is PROTECTED, but not declared in a module");
    }
    if (a.public || a.private) && decls.scopes[symbol.scope].kind != ScopeKind::Module {
        return Some("is PUBLIC or PRIVATE, but not declared in a module");
    }
    if a.value && symbol.is_character() && symbol.len.known().is_none() {
        return Some("has VALUE, but not a constant length");
    }
    let interface = symbol.interface.map_or(symbol, |i| &decls.symbols[i]).procedure();
    let is_pointer = symbol.interface.is_some() && symbol.is_variable();
    if interface.is_some_and(|p| p.is_elemental && (is_pointer || p.class == ProcedureClass::Dummy)) {
        return Some("is a pointer or a dummy argument and cannot be ELEMENTAL");
    }
    let initial = symbol.structure.is_some_and(|s| decls.structures[s].initial.is_some());
    if is_dummy && symbol.intent == Intent::Out && symbol.is_assumed_size() && initial {
        return Some("has INTENT(OUT) and default initialisation, but no known size");
    }
    let p = symbol.procedure().filter(|p| p.kind == ProcedureKind::Function && p.like.is_none())?;
    let result = &decls.symbols[p.result?];
    let contained = matches!(p.class, ProcedureClass::Module | ProcedureClass::Internal);
    if p.is_c && p.scope.is_some() && (result.is_array() || result.is_character() && result.len != Extent::Known(1)) {
        return Some("has BIND(C), so that its result must be a scalar, and a CHARACTER of the length 1");
    }
    (contained && result.is_character() && result.len == Extent::Assumed)
        .then_some("has a result of the length '*', which only an external function can have")
}
