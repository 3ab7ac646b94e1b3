//! Constraints on declarations that hold wherever they stand: elemental procedures, defined assignment and operators, COMMON.

use crate::scope::symbol::{Procedure, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeKind};
use crate::types::kinds::Category;
use crate::types::structure::StructureId;
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_ir::Intent;

/// Reports violations of these constraints, except in module files.
pub fn check(decls: &Declarations<'_>, diags: &mut Diagnostics) {
    for (id, symbol) in &decls.symbols {
        if decls.ast(symbol.scope).external {
            continue;
        }
        crate::declare::attributes::check(decls, id, diags);
        if let SymbolKind::Procedure(p) = &symbol.kind
            && p.is_pure
            && p.like.is_none()
            && p.scope.is_some()
        {
            crate::check::purity::declarations(decls, symbol, p, diags);
        }
        match &symbol.kind {
            SymbolKind::Procedure(p) if p.is_elemental && p.like.is_none() && p.scope.is_some() => {
                elemental(decls, symbol, p, diags);
            }
            SymbolKind::Generic(specifics) if symbol.name.contains('(') => {
                for &specific in specifics {
                    defines(decls, symbol, specific, diags);
                }
            }
            SymbolKind::Variable if symbol.attrs.common && symbol.scope != decls.global => {
                common(decls, id, diags);
            }
            _ => {}
        }
    }
}

/// Fortran 2003, 12.7.2: the arguments and the result of an elemental procedure are scalar variables.
fn elemental(decls: &Declarations<'_>, symbol: &Symbol, p: &Procedure, diags: &mut Diagnostics) {
    let mut wrong = |of: &Symbol, what: &str, must: &str| {
        let message = format!("The {what} '{}' of the elemental procedure '{}' {must}", of.name, symbol.name);
        diags.push(Diagnostic::error("T0290", of.span, message));
    };
    for d in p.dummies.iter().flatten().map(|&d| &decls.symbols[d]) {
        match &d.kind {
            SymbolKind::Procedure(_) => wrong(d, "argument", "must not be a procedure"),
            SymbolKind::Variable if d.is_array() => wrong(d, "argument", "must be a scalar"),
            SymbolKind::Variable if d.is_indirect() => {
                wrong(d, "argument", "must not have the attribute POINTER or ALLOCATABLE");
            }
            SymbolKind::Variable if d.intent == Intent::Unknown && !d.attrs.value => {
                wrong(d, "argument", "must have INTENT or VALUE");
            }
            _ => {}
        }
    }
    if let Some(r) = p.result.map(|r| &decls.symbols[r])
        && p.kind == ProcedureKind::Function
        && (r.is_array() || r.is_indirect())
    {
        wrong(r, "result", "must be a scalar without POINTER or ALLOCATABLE");
    }
}

/// Fortran 2003, 12.3.2.1.1 and 12.3.2.1.2: requirements on a procedure that defines an operator or an assignment.
fn defines(decls: &Declarations<'_>, generic: &Symbol, specific: SymbolId, diags: &mut Diagnostics) {
    let s = &decls.symbols[specific];
    let Some(p) = s.procedure().filter(|p| p.scope.is_some() && p.like.is_none()) else { return };
    // A procedure of another module is checked where it is.
    if decls.ast(s.scope).external {
        return;
    }
    let assigns = generic.name == crate::scope::operators::ASSIGNMENT;
    let dummies: Option<Vec<&Symbol>> = p.dummies.iter().map(|d| d.map(|d| &decls.symbols[d])).collect();
    let mut wrong = |must: &str| {
        let message = format!("'{}' cannot define '{}': {must}", s.name, generic.name);
        diags.push(Diagnostic::error("T0291", s.span, message).because(generic.span, "the interface"));
    };
    let Some(dummies) = dummies else { return wrong("it has alternate returns") };
    let kind = if assigns { ProcedureKind::Subroutine } else { ProcedureKind::Function };
    if p.kind != kind && p.kind != ProcedureKind::Unknown {
        return wrong(if assigns { "it is not a subroutine" } else { "it is not a function" });
    }
    let fits = if assigns { dummies.len() == 2 } else { matches!(dummies.len(), 1 | 2) };
    if !fits {
        return wrong(if assigns { "it must have two arguments" } else { "it must have one or two arguments" });
    }
    if dummies.iter().any(|d| d.attrs.optional) {
        return wrong("its arguments must not be OPTIONAL");
    }
    if assigns && !matches!(dummies[0].intent, Intent::Out | Intent::InOut) {
        return wrong("its first argument must have INTENT(OUT) or INTENT(INOUT)");
    }
    let read = if assigns { &dummies[1..] } else { &dummies[..] };
    if read.iter().any(|d| d.intent != Intent::In && !d.attrs.value && d.is_variable()) {
        return wrong(if assigns {
            "its second argument must have INTENT(IN)"
        } else {
            "its arguments must have INTENT(IN)"
        });
    }
    if assigns && is_intrinsic_assignment(dummies[0], dummies[1]) {
        wrong("the language itself assigns values of these types");
    }
}

/// Whether an assignment of these needs no procedure.
fn is_intrinsic_assignment(to: &Symbol, from: &Symbol) -> bool {
    let conform = from.rank() == 0 || from.rank() == to.rank();
    let category = |s: &Symbol| s.ty.filter(|_| s.structure.is_none()).map(Category::of);
    let is_number = |c: Category| matches!(c, Category::Integer | Category::Real | Category::Complex);
    match (category(to), category(from)) {
        (Some(a), Some(b)) => conform && (a == b || is_number(a) && is_number(b)),
        _ => false,
    }
}

/// Fortran 2003, 5.5.2: attributes that a variable in COMMON must not have.
fn common(decls: &Declarations<'_>, id: SymbolId, diags: &mut Diagnostics) {
    let symbol = &decls.symbols[id];
    let Some(structure) = symbol.structure else { return };
    if decls.scopes[symbol.scope].kind == ScopeKind::Global {
        return;
    }
    let s = &decls.structures[structure];
    let reason = match () {
        () if !s.sequence && !is_c_pointer(decls, structure) => "has neither SEQUENCE nor BIND(C)",
        () if s.owns => "has ALLOCATABLE components",
        () if s.initial.is_some() && !symbol.attrs.pointer => "has default initialisation",
        () => return,
    };
    let message = format!("'{}' cannot be in COMMON: its type '{}' {reason}", symbol.name, s.name);
    diags.push(Diagnostic::error("T0292", symbol.span, message));
}

fn is_c_pointer(decls: &Declarations<'_>, structure: StructureId) -> bool {
    decls.c_types.is_some_and(|(a, b)| structure == a || structure == b)
}
