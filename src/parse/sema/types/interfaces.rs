//! Characteristics of procedures (Fortran 2003, 12.2): when an interface must be explicit, and whether one procedure can
//! stand where an interface says another.

use crate::scope::Declarations;
use crate::scope::symbol::is_assumed_shape;
use crate::scope::symbol::{Attributes, Procedure, ProcedureKind, Symbol, SymbolKind};
use crate::types::structure::StructureId;

/// The argument or result that asks callers of a procedure for an explicit interface, and why; none if nothing does.
pub fn must_be_explicit<'a>(
    decls: &'a Declarations<'_>,
    s: &'a Symbol,
    p: &Procedure,
) -> Option<(&'a Symbol, &'static str)> {
    for d in p.dummies.iter().flatten().map(|&d| &decls.symbols[d]) {
        let a = &d.attrs;
        let why = match () {
            () if a.optional => "the dummy argument is OPTIONAL",
            () if !d.is_variable() || d.interface.is_some() => continue,
            () if a.allocatable => "the dummy argument is ALLOCATABLE",
            () if a.pointer => "the dummy argument is a POINTER",
            () if is_assumed_shape(d) => "the dummy argument has an assumed shape",
            () if a.target => "the dummy argument is a TARGET",
            () if a.value => "the dummy argument has VALUE",
            () if a.assumed_type => "the dummy argument is TYPE(*)",
            () if a.volatile => "the dummy argument is VOLATILE",
            () => continue,
        };
        return Some((d, why));
    }
    p.scope?;
    let result = p.result.filter(|_| p.kind == ProcedureKind::Function).map(|r| &decls.symbols[r]);
    match result {
        Some(r) if r.is_array() => Some((r, "the result is an array")),
        Some(r) if r.attrs.pointer => Some((r, "the result is a POINTER")),
        Some(r) if r.attrs.allocatable => Some((r, "the result is ALLOCATABLE")),
        _ if p.is_elemental => Some((s, "it is ELEMENTAL")),
        _ if p.is_c => Some((s, "it has BIND(C)")),
        _ => None,
    }
}

/// The depth to which interfaces of dummy procedures in dummy procedures are compared.
const DEPTH: u32 = 8;

/// Why the procedure `actual` cannot stand where one of the interface `wanted` is; none if it can, or if too little is known
/// of one of them.
pub fn mismatch(decls: &Declarations<'_>, wanted: &Symbol, actual: &Symbol) -> Option<String> {
    compare(decls, wanted, actual, DEPTH)
}

fn compare(decls: &Declarations<'_>, wanted: &Symbol, actual: &Symbol, depth: u32) -> Option<String> {
    let (p, q) = (wanted.procedure()?, actual.procedure()?);
    match (p.kind, q.kind) {
        (ProcedureKind::Function, ProcedureKind::Subroutine) => return Some("it is not a function".to_owned()),
        (ProcedureKind::Subroutine, ProcedureKind::Function) => return Some("it is not a subroutine".to_owned()),
        (ProcedureKind::Function, ProcedureKind::Function) => {
            if let Some(what) = results(decls, (wanted, p), (actual, q)) {
                return Some(format!("the results differ in {what}"));
            }
        }
        _ => {}
    }
    let known = |p: &Procedure| p.explicit && p.scope.is_some();
    if !known(p) || !known(q) || depth == 0 {
        return None;
    }
    if p.is_pure && !q.is_pure {
        return Some("it is not PURE".to_owned());
    }
    if p.dummies.len() != q.dummies.len() {
        return Some(format!("it has {} argument(s) instead of {}", q.dummies.len(), p.dummies.len()));
    }
    for (k, (&a, &b)) in p.dummies.iter().zip(&q.dummies).enumerate() {
        let what = match (a, b) {
            (Some(a), Some(b)) => arguments(decls, &decls.symbols[a], &decls.symbols[b], depth),
            (None, None) => None,
            _ => Some("that one is an alternate return".to_owned()),
        };
        if let Some(what) = what {
            return Some(format!("arguments {} differ in {what}", k + 1));
        }
    }
    None
}

/// The difference between the results of two functions.
fn results(
    decls: &Declarations<'_>,
    (a, p): (&Symbol, &Procedure),
    (b, q): (&Symbol, &Procedure),
) -> Option<&'static str> {
    let own = |s: &Symbol, p: &Procedure| p.scope.is_some() || s.attrs.typed;
    if !own(a, p) || !own(b, q) {
        return None;
    }
    let (r, s) = (p.result.map_or(a, |r| &decls.symbols[r]), q.result.map_or(b, |r| &decls.symbols[r]));
    if [a, b, r, s].into_iter().any(|s| s.interface.is_some()) {
        // Procedure pointers.
        return None;
    }
    if !same_type(decls, r, s) {
        return Some("type");
    }
    if p.scope.is_none() || q.scope.is_none() {
        return None;
    }
    form(r, s, true)
}

/// The difference between two dummy arguments.
fn arguments(decls: &Declarations<'_>, a: &Symbol, b: &Symbol, depth: u32) -> Option<String> {
    let is_procedure = |s: &Symbol| s.procedure().is_some();
    if is_procedure(a) != is_procedure(b) {
        let is_known = |s: &Symbol| is_procedure(s) || s.kind == SymbolKind::Variable;
        return (is_known(a) && is_known(b)).then(|| "that one is a procedure".to_owned());
    }
    if is_procedure(a) {
        return compare(decls, a, b, depth - 1).map(|why| format!("their interfaces: {why}"));
    }
    if a.kind != SymbolKind::Variable
        || b.kind != SymbolKind::Variable
        || a.interface.is_some()
        || b.interface.is_some()
    {
        return None;
    }
    let what = if a.attrs.assumed_type != b.attrs.assumed_type || !same_type(decls, a, b) {
        Some("type")
    } else if a.intent != b.intent {
        Some("INTENT")
    } else {
        form(a, b, false)
    };
    what.map(str::to_owned)
}

fn differs(a: Option<i64>, b: Option<i64>) -> bool {
    a.is_some() && b.is_some() && a != b
}

/// The attributes that count, of two objects.
fn attributes(a: &Attributes, b: &Attributes) -> [(&'static str, bool, bool); 6] {
    [
        ("OPTIONAL", a.optional, b.optional),
        ("POINTER", a.pointer, b.pointer),
        ("ALLOCATABLE", a.allocatable, b.allocatable),
        ("TARGET", a.target, b.target),
        ("VALUE", a.value, b.value),
        ("VOLATILE", a.volatile, b.volatile),
    ]
}

/// The difference of two objects in rank, attributes, shape or length; results may differ in TARGET and VOLATILE.
fn form(a: &Symbol, b: &Symbol, is_result: bool) -> Option<&'static str> {
    let is_own = |word: &str| is_result && matches!(word, "TARGET" | "VOLATILE");
    let found = attributes(&a.attrs, &b.attrs).into_iter().find(|&(word, x, y)| x != y && !is_own(word));
    match found {
        _ if a.rank() != b.rank() => Some("rank"),
        Some((word, ..)) => Some(word),
        None if is_assumed_shape(a) != is_assumed_shape(b) => Some("shape"),
        None => differs(a.len.known(), b.len.known()).then_some("length"),
    }
}

fn same_type(decls: &Declarations<'_>, a: &Symbol, b: &Symbol) -> bool {
    match (a.structure, b.structure) {
        (Some(x), Some(y)) => same_structure(decls, x, y),
        (None, None) => match (a.ty, b.ty) {
            (Some(x), Some(y)) => x == y,
            _ => true,
        },
        _ => a.ty.is_none() || b.ty.is_none(),
    }
}

/// Whether two definitions are of the same type.
fn same_structure(decls: &Declarations<'_>, a: StructureId, b: StructureId) -> bool {
    let (x, y) = (&decls.structures[a], &decls.structures[b]);
    a == b || (x.name == y.name && x.size == y.size)
}
