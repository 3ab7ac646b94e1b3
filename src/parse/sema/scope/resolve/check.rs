//! The checks of symbols once every use is known: their types, bounds and lengths.

use crate::constant::eval::const_eval;
use crate::scope::resolve::{has_broken_header, is_broken, undeclared};
use crate::scope::symbol::{Bounds, Extent, Home, ProcedureClass, ProcedureKind, Symbol, SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId, ScopeKind};
use crate::visit;
use rustc_hash::FxHashSet;
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_ir::{Intent, Type};
use trueline_syntax::ast::{ExprId, ExprKind};

/// Decides the kinds of symbols that no use of them decided, and checks each symbol of a scope.
pub fn finish(decls: &mut Declarations<'_>, scope: ScopeId, diags: &mut Diagnostics) {
    for id in decls.scopes[scope].own.clone() {
        let symbol = &decls.symbols[id];
        let undecided = symbol.kind == SymbolKind::Unknown;
        let needs_type = match &symbol.kind {
            _ if symbol.attrs.associate => false,
            SymbolKind::Unknown | SymbolKind::Variable => true,
            SymbolKind::Procedure(p) => p.kind == ProcedureKind::Function && p.class != ProcedureClass::Intrinsic,
            SymbolKind::StatementFunction { .. } => true,
            _ => false,
        };
        if undecided {
            decls.symbols[id].kind = SymbolKind::Variable;
        }
        if needs_type && decls.symbols[id].ty.is_none() {
            let symbol = &decls.symbols[id];
            match decls.implied(scope, &symbol.name) {
                _ if decls.ast(scope).unread.contains(&*symbol.name) => decls.symbols[id].kind = SymbolKind::Error,
                Some(implied) => implied.give(&mut decls.symbols[id]),
                None => {
                    let (name, span) = (symbol.name.clone(), symbol.span);
                    if !is_broken(decls, scope) {
                        undeclared(decls, scope, &name, span, "", diags);
                    }
                    decls.symbols[id].kind = SymbolKind::Error;
                }
            }
        }
    }
    for id in decls.scopes[scope].own.clone() {
        if decls.symbols[id].is_variable() && !decls.symbols[id].attrs.associate {
            check_variable(decls, scope, id, diags);
        }
    }
}

/// Checks bounds and length of a variable: whether they may be left open depends on the kind of variable.
fn check_variable(decls: &mut Declarations<'_>, scope: ScopeId, id: SymbolId, diags: &mut Diagnostics) {
    let wrong = wrong_extents(decls, scope, id);
    if let Some(d) = wrong {
        diags.push(d);
        let symbol = &mut decls.symbols[id];
        symbol.shape.iter_mut().for_each(|b| *b = Bounds::known(1, 1));
        symbol.attrs.allocatable = false;
        if symbol.len.known().is_none() {
            symbol.len = Extent::Known(1);
        }
    }
}

fn wrong_extents(decls: &Declarations<'_>, scope: ScopeId, id: SymbolId) -> Option<Diagnostic> {
    let symbol = &decls.symbols[id];
    let (name, span, attrs) = (&symbol.name, symbol.span, symbol.attrs);
    let is_dummy = matches!(symbol.home, Home::Dummy { .. });
    let error = |code, message: String| Some(Diagnostic::error(code, span, message));
    if symbol.is_indirect() && symbol.shape.iter().any(|b| b.upper != Extent::Deferred) {
        let word = if attrs.allocatable { "ALLOCATABLE array" } else { "array POINTER" };
        return error("T0252", format!("The {word} '{name}' must have the bounds ':'"));
    }
    if attrs.assumed_type
        && let Some(why) = cannot_be_any(symbol, is_dummy)
    {
        return error("T0267", format!("'{name}' cannot be TYPE(*): {why}"));
    }
    let deferred = symbol.shape.iter().any(|b| b.upper == Extent::Deferred);
    if deferred && !symbol.is_indirect() && !is_dummy {
        let d = Diagnostic::error("T0253", span, format!("The bounds of '{name}' are ':', but it is not ALLOCATABLE"));
        return Some(d.help("Add the attribute ALLOCATABLE, or give the bounds"));
    }
    if symbol.is_assumed_size() && !is_dummy && symbol.cray_pointer.is_none() {
        return error("T0254", format!("'{name}' has the upper bound '*', but is not a dummy argument"));
    }
    if symbol.shape.iter().rev().skip(1).any(|b| b.upper == Extent::Assumed) {
        return error("T0221", format!("Only the last dimension of '{name}' may be '*'"));
    }
    if symbol.ty == Some(Type::Char) {
        match symbol.len {
            Extent::Assumed if !is_dummy && !attrs.result => {
                return error("T0255", format!("'{name}' has the length '*', but is not a dummy argument"));
            }
            Extent::Deferred if symbol.is_indirect() => {}
            Extent::Deferred => {
                return error("T0299", format!("'{name}' has the length ':', which is not supported yet"));
            }
            _ => {}
        }
    }
    let fixed = attrs.common || attrs.equivalenced || attrs.initialised || attrs.save;
    let local = matches!(decls.scopes[scope].kind, ScopeKind::Procedure | ScopeKind::Interface | ScopeKind::Construct);
    for x in symbol.computed_extents() {
        if !local || (fixed && !is_dummy && !attrs.result) {
            let Err(why) = const_eval(decls, scope, x) else {
                // It had no value where it stands.
                return error("T0301", format!("The size of '{name}' needs a constant that is declared after it"));
            };
            return why.report(&format!("The size of '{name}'"));
        }
        if let Some(d) = not_at_entry(decls, scope, x, name, is_dummy) {
            return Some(d);
        }
    }
    None
}

/// Why the value of a dummy argument cannot be used at entry.
fn unusable(s: &Symbol) -> Option<&'static str> {
    match s.home {
        Home::Dummy { .. } if s.attrs.optional => Some("may be absent: it is OPTIONAL"),
        Home::Dummy { .. } if s.intent == Intent::Out => Some("has no value at entry: it is INTENT(OUT)"),
        _ => None,
    }
}

/// The code and message about a function that cannot give a bound or length of `what` (Fortran 95, 7.1.6.2).
fn unfit(f: &Symbol, what: &str) -> Option<(&'static str, String)> {
    let own = match &f.kind {
        SymbolKind::StatementFunction { .. } => "a statement function",
        SymbolKind::Procedure(p) if p.class == ProcedureClass::Internal => "an internal function",
        SymbolKind::Procedure(p) if p.class != ProcedureClass::Intrinsic && !p.is_pure => {
            return Some(("T0257", format!("The function '{}' in the size of '{what}' must be PURE", f.name)));
        }
        _ => return None,
    };
    Some(("T0304", format!("'{}' in the size of '{what}' is {own}, which is known only inside", f.name)))
}

/// Why a variable cannot be of assumed type (Fortran 2018, C710); arrays of assumed shape would need a descriptor that says
/// the size of the elements.
fn cannot_be_any(symbol: &Symbol, is_dummy: bool) -> Option<&'static str> {
    let a = &symbol.attrs;
    match () {
        () if !is_dummy => Some("it is not a dummy argument"),
        () if a.allocatable || a.pointer || a.value => Some("it is ALLOCATABLE, a POINTER or passed by VALUE"),
        () if symbol.intent == trueline_ir::Intent::Out => Some("it is INTENT(OUT)"),
        () if symbol.is_array() && !symbol.is_assumed_size() => {
            Some("of arrays only those of assumed size are supported")
        }
        () => None,
    }
}

/// An expression that is evaluated at entry may depend on arguments, COMMON, and on variables of hosts
/// and modules, but not on a local variable, which has no value yet; the functions in it must be PURE and known outside.
///
/// In the declaration of a dummy argument, a name that nothing declares is accepted: old programs never ask for the size.
fn not_at_entry(decls: &Declarations<'_>, scope: ScopeId, x: ExprId, what: &str, is_dummy: bool) -> Option<Diagnostic> {
    let ast = decls.ast(scope);
    let mut found = None;
    let mut skip = FxHashSet::default();
    let mut indices = FxHashSet::default();
    let mut called = FxHashSet::default();
    visit::expressions(ast, x, &mut |x| {
        if let ExprKind::ImpliedDo(d) = &ast.expr(x).kind {
            indices.insert(d.var.name);
        }
    });
    visit::expressions(ast, x, &mut |x| match ast.expr(x).kind {
        // SIZE, LEN and their like ask about a variable, not for its value.
        ExprKind::Call { base, args } => {
            // Procedures can stand there.
            called.insert(base);
            visit::arguments(ast, args, &mut |a| {
                called.insert(a);
            });
            if let ExprKind::Name(name) = ast.expr(base).kind
                && matches!(ast.name(name), "size" | "lbound" | "ubound" | "len" | "kind" | "shape" | "huge" | "tiny")
            {
                visit::arguments(ast, args, &mut |a| {
                    skip.insert(a);
                });
            } else if let ExprKind::Name(name) = ast.expr(base).kind
                && let Some(f) = decls.named(scope, name).map(|id| &decls.symbols[id])
                && found.is_none()
            {
                found = unfit(f, what).map(|(code, message)| {
                    Diagnostic::error(code, ast.span(x), message).because(f.span, "declared here")
                });
            }
        }
        ExprKind::Name(name) if !skip.contains(&x) && !indices.contains(&name) && found.is_none() => {
            let symbol = decls.named(scope, name).map(|id| &decls.symbols[id]);
            let local = symbol.filter(|s| {
                let is_own = s.scope == scope && s.is_variable() && s.home == Home::None;
                is_own && !s.attrs.common && !s.attrs.equivalenced && (s.attrs.typed || s.is_array() || !is_dummy)
            });
            if let Some(s) = symbol.filter(|s| matches!(s.kind, SymbolKind::Procedure(_)) && !called.contains(&x)) {
                let d = Diagnostic::error("T0521", ast.span(x), format!("'{}' is not a variable", s.name));
                found = Some(d.because(s.span, "declared here"));
            } else if let Some((dummy, why)) = symbol.and_then(|s| Some((s, unusable(s)?))) {
                let message = format!("The size of '{what}' depends on '{}', which {why}", dummy.name);
                let d = Diagnostic::error("T0256", ast.span(x), message);
                found = Some(d.because(dummy.span, "declared here"));
            } else if let Some(local) = local.filter(|_| !has_broken_header(decls, scope)) {
                let message = format!("The size of '{what}' depends on '{}', which has no value at entry", local.name);
                let d = Diagnostic::error("T0256", ast.span(x), message);
                found = Some(d.because(local.span, "a local variable"));
            }
        }
        _ => {}
    });
    found
}
