//! Generic names: whether a call could mean two of their specific procedures (Fortran 95, 14.1.2.3).
//!
//! Two procedures can be told apart if one has more required arguments of some type, kind and rank than the other has
//! arguments of that kind at all; or if a required argument of one differs by its position, and the same one or a later
//! one by its name.

use crate::scope::Declarations;
use crate::scope::symbol::{Procedure, ProcedureKind, SymbolId, SymbolKind};
use trueline_diag::{Diagnostic, Diagnostics};

/// The most specific procedures that are compared with each other.
const MOST: usize = 200;

/// Reports the generic names that are ambiguous, or mix functions and subroutines.
pub fn check(decls: &Declarations<'_>, diags: &mut Diagnostics) {
    for symbol in decls.symbols.values() {
        let SymbolKind::Generic(specifics) = &symbol.kind else { continue };
        if decls.ast(symbol.scope).external {
            continue;
        }
        let by_position = symbol.name.contains('(');
        for (k, &second) in specifics.iter().enumerate().take(MOST) {
            let clash = specifics[..k].iter().find_map(|&first| {
                let reason = clash(decls, first, second, by_position).filter(|_| first != second)?;
                Some((first, reason))
            });
            let Some((first, reason)) = clash else { continue };
            let (a, b) = (&decls.symbols[first], &decls.symbols[second]);
            let message = format!("'{}' and '{}' {reason} in the generic interface '{}'", a.name, b.name, symbol.name);
            diags.push(Diagnostic::error("T0287", b.span, message).because(a.span, "the other procedure"));
        }
    }
}

/// Why two specific procedures cannot stand in one generic interface. Operands and the sides of an assignment have
/// positions only.
fn clash(decls: &Declarations<'_>, a: SymbolId, b: SymbolId, by_position: bool) -> Option<&'static str> {
    let (p, q) = (decls.symbols[a].procedure()?, decls.symbols[b].procedure()?);
    // Names that USE brings together from several modules may be ambiguous as long as nobody calls them.
    if p.scope.is_none() || q.scope.is_none() || decls.symbols[a].scope != decls.symbols[b].scope {
        return None;
    }
    let kinds = [p.kind, q.kind];
    if kinds.contains(&ProcedureKind::Unknown) {
        return None;
    }
    if p.kind != q.kind {
        // An operator or an assignment says which of them it wants.
        return (!by_position).then_some("are a function and a subroutine");
    }
    let alike = match by_position {
        true => {
            p.dummies.len() == q.dummies.len()
                && p.dummies.iter().zip(&q.dummies).all(|(x, y)| same_place(decls, *x, *y))
        }
        false => !(differ(decls, p, q) || differ(decls, q, p)),
    };
    alike.then_some("cannot be told apart by their arguments")
}

/// Whether an argument of `p` tells it from `q`.
fn differ(decls: &Declarations<'_>, p: &Procedure, q: &Procedure) -> bool {
    let required = |d: &SymbolId| !decls.symbols[*d].attrs.optional;
    let mine = p.dummies.iter().flatten();
    let more = mine.clone().filter(|d| required(d)).any(|&d| {
        let own = mine.clone().filter(|&&x| required(&x) && same(decls, d, x)).count();
        own > q.dummies.iter().flatten().filter(|&&x| same(decls, d, x)).count()
    });
    if more || labels(p) != labels(q) {
        return true;
    }
    let by_position = |k: usize| match (p.dummies[k], q.dummies.get(k)) {
        (Some(d), Some(Some(x))) => required(&d) && !same(decls, d, *x),
        (Some(d), _) => required(&d),
        (None, _) => false,
    };
    let by_name = |k: usize| {
        let Some(d) = p.dummies[k].filter(|d| required(d)) else { return false };
        let name = &decls.symbols[d].name;
        q.dummies.iter().flatten().find(|x| &decls.symbols[**x].name == name).is_none_or(|&x| !same(decls, d, x))
    };
    let count = p.dummies.len();
    (0..count).find(|&k| by_position(k)).is_some_and(|first| (first..count).any(by_name))
}

/// The number of alternate returns.
fn labels(p: &Procedure) -> usize {
    p.dummies.iter().filter(|d| d.is_none()).count()
}

fn same_place(decls: &Declarations<'_>, x: Option<SymbolId>, y: Option<SymbolId>) -> bool {
    match (x, y) {
        (Some(x), Some(y)) => same(decls, x, y),
        (None, None) => true,
        _ => false,
    }
}

/// Whether one actual argument could be that of both dummies. Unknown types count as different.
fn same(decls: &Declarations<'_>, x: SymbolId, y: SymbolId) -> bool {
    let (a, b) = (&decls.symbols[x], &decls.symbols[y]);
    match (a.procedure(), b.procedure()) {
        (Some(p), Some(q)) => p.kind == q.kind && a.ty == b.ty && a.structure == b.structure,
        (None, None) => {
            let same_type = match (a.structure, b.structure) {
                (None, None) => a.ty.is_some() && a.ty == b.ty,
                (Some(s), Some(t)) => s == t,
                _ => false,
            };
            let kinds = (a.attrs.allocatable, b.attrs.allocatable, a.attrs.pointer, b.attrs.pointer);
            let apart = matches!(kinds, (true, false, false, true) | (false, true, true, false));
            same_type && a.rank() == b.rank() && !apart
        }
        _ => false,
    }
}
