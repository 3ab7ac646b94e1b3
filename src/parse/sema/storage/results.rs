//! The results of a function with ENTRY statements: one variable under several names, in one memory.

use crate::scope::symbol::{Extent, Home, Symbol, SymbolId};
use crate::scope::{Declarations, ScopeId};
use crate::storage::new_static;
use trueline_diag::Diagnostic;
use trueline_ir::{Linkage, Type};
use trueline_syntax::ast::{Ast, ExprId, ExprKind};

/// The memory that the results of the names of a function share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    /// There is no result.
    None,
    /// Scalars of one type: one register.
    Register,
    /// Scalars of several types: static memory, as for EQUIVALENCE.
    Static,
    /// CHARACTER or arrays: memory of the caller.
    Caller,
}

/// The bytes of the largest scalar result, `COMPLEX(8)`.
const RESULT_SIZE: u64 = 16;

/// The procedures that a scope is of: that of its header and its entries.
pub fn names(decls: &Declarations<'_>, scope: ScopeId) -> Vec<SymbolId> {
    let s = &decls.scopes[scope];
    s.symbol.into_iter().chain(s.entries.iter().map(|e| e.1)).collect()
}

/// The result variables of all names of a function.
pub fn results(decls: &Declarations<'_>, scope: ScopeId) -> Vec<SymbolId> {
    names(decls, scope).into_iter().filter_map(|id| decls.symbols[id].procedure()?.result).collect()
}

/// The memory that the results share.
pub fn sharing(decls: &Declarations<'_>, scope: ScopeId) -> Sharing {
    let results = results(decls, scope);
    let Some(first) = results.first().map(|&r| &decls.symbols[r]) else { return Sharing::None };
    if first.is_indirect() {
        // A scalar is the address that is returned, anything else a descriptor.
        let has_descriptor = first.is_array() || first.is_character();
        return if has_descriptor { Sharing::Caller } else { Sharing::Register };
    }
    if first.ty == Some(Type::Char) || first.is_array() {
        return Sharing::Caller;
    }
    let same = results.iter().all(|&r| decls.symbols[r].ty == first.ty);
    if same { Sharing::Register } else { Sharing::Static }
}

/// Gives the results of several types one memory, and reports results that cannot share any.
pub fn place_results(decls: &mut Declarations<'_>, scope: ScopeId, diags: &mut trueline_diag::Diagnostics) {
    if decls.scopes[scope].entries.is_empty() {
        return;
    }
    let results = results(decls, scope);
    let Some(&first) = results.first() else { return };
    let mut alike = true;
    for &r in &results {
        if let Some(what) = difference(decls, &decls.symbols[first], &decls.symbols[r]) {
            let name = &decls.symbols[first].name;
            let message = format!("The result '{}' differs from '{name}' in {what}", decls.symbols[r].name);
            let d = Diagnostic::error("T0216", decls.symbols[r].span, message);
            let d = d.because(decls.symbols[first].span, "the result of the function");
            diags.push(d.note("the results of a function and its entries must all be alike, or all scalars of numeric or logical types"));
            alike = false;
        }
    }
    if !alike {
        return;
    }
    if sharing(decls, scope) == Sharing::Static {
        let own = decls.scopes[scope].symbol.and_then(|id| decls.symbols[id].procedure());
        let name = format!("{}.result", own.map_or("", |p| &p.linker));
        // Other units read it, so it is not local to one.
        let area = new_static(decls, name, RESULT_SIZE, RESULT_SIZE as u32, Linkage::Export, scope);
        for r in results {
            decls.symbols[r].home = Home::Static { area, offset: 0 };
        }
    }
}

/// The difference that keeps two results from being one variable, if there is one (Fortran 2003, 12.5.2.4).
fn difference(decls: &Declarations<'_>, a: &Symbol, b: &Symbol) -> Option<&'static str> {
    let in_memory = |s: &Symbol| s.ty == Some(Type::Char) || s.is_array() || s.is_indirect();
    let attributes = |s: &Symbol| (s.attrs.pointer, s.attrs.allocatable);
    match () {
        () if a.rank() != b.rank() => Some("rank"),
        () if attributes(a) != attributes(b) => Some("POINTER or ALLOCATABLE"),
        () if (in_memory(a) || in_memory(b)) && !same_type(decls, a, b) => Some("type"),
        () if a.is_indirect() && !same_extent(decls, (a, a.len), (b, b.len)) => Some("length"),
        () => {
            let bounds = |s: &Symbol| s.shape.iter().flat_map(|d| [d.lower, d.upper]).collect::<Vec<_>>();
            let same = bounds(a).into_iter().zip(bounds(b)).all(|(x, y)| same_extent(decls, (a, x), (b, y)));
            (!same).then_some("shape")
        }
    }
}

fn same_type(decls: &Declarations<'_>, a: &Symbol, b: &Symbol) -> bool {
    a.ty == b.ty && a.structure.map(|s| &decls.structures[s].name) == b.structure.map(|s| &decls.structures[s].name)
}

/// Whether two bounds or lengths are written alike.
fn same_extent(decls: &Declarations<'_>, (a, x): (&Symbol, Extent), (b, y): (&Symbol, Extent)) -> bool {
    match (x, y) {
        (Extent::Entry(x), Extent::Entry(y)) => same_expression(decls.ast(a.scope), x, decls.ast(b.scope), y),
        _ => x == y,
    }
}

/// Whether two expressions are written alike.
fn same_expression(a: &Ast, x: ExprId, b: &Ast, y: ExprId) -> bool {
    let parts = |ast: &Ast, x: ExprId| {
        let mut parts = Vec::new();
        crate::visit::expressions(ast, x, &mut |x| parts.push(word(ast, x)));
        parts
    };
    parts(a, x) == parts(b, y)
}

/// An expression without its operands.
fn word(ast: &Ast, x: ExprId) -> String {
    match &ast.expr(x).kind {
        ExprKind::Name(name) => ast.name(*name).to_owned(),
        ExprKind::Component { name, .. } => format!("%{}", ast.name(*name)),
        ExprKind::Call { args, .. } => format!("({})", ast.args(*args).len()),
        ExprKind::Unary { op, .. } => format!("{op:?}"),
        ExprKind::Binary { op, .. } => format!("{op:?}"),
        ExprKind::Paren(_) => "()".to_owned(),
        other => format!("{other:?}"),
    }
}
