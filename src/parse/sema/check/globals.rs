//! Global identifiers: clashes of linker symbols in one compilation.

use crate::scope::symbol::{Home, ProcedureClass, ProcedureKind, StaticId, Symbol, SymbolKind};
use crate::scope::{Declarations, ScopeKind};
use crate::types::kinds::type_name;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::Linkage;

/// The meaning of a linker symbol.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// A procedure with its code.
    Procedure,
    /// A procedure that is declared or called only.
    Reference,
    /// A variable with BIND(C).
    Variable,
    /// A COMMON block.
    Common,
}

impl Use {
    fn clashes(self, other: Use) -> bool {
        !matches!(
            (self, other),
            (Use::Reference, Use::Procedure | Use::Reference)
                | (Use::Procedure, Use::Reference)
                | (Use::Common, Use::Common)
        )
    }

    fn word(self) -> &'static str {
        match self {
            Use::Procedure | Use::Reference => "procedure",
            Use::Variable => "variable",
            Use::Common => "COMMON block",
        }
    }
}

/// Reports linker symbols that stand for two things. Names that are the same in Fortran have been reported before.
pub fn check(decls: &Declarations<'_>, diags: &mut Diagnostics) {
    let mut first: FxHashMap<&str, (Use, &str, Span)> = FxHashMap::default();
    let symbols = decls.symbols.values().filter_map(|s| {
        let (linker, what) = use_of(decls, s)?;
        Some((linker, what, s.name.as_str(), s.span))
    });
    let is_variable = |id| match decls.symbols[id].home {
        Home::Static { area, .. } if decls.symbols[id].bind.is_some() => Some(area),
        _ => None,
    };
    let variables: FxHashSet<StaticId> = decls.symbols.keys().filter_map(is_variable).collect();
    let commons = decls.statics.iter().filter(|(id, d)| d.linkage == Linkage::Common && !variables.contains(id));
    let commons = commons.map(|(_, d)| d);
    let commons = commons.filter_map(|d| {
        let owner = decls.scopes[d.owner].symbol?;
        Some((d.symbol.as_str(), Use::Common, d.symbol.trim_end_matches('_'), decls.symbols[owner].span))
    });
    for (linker, what, name, span) in commons.chain(symbols) {
        let (before, old, because) = *first.entry(linker).or_insert((what, name, span));
        if !what.clashes(before) || (span == because && old == name) {
            continue;
        }
        // The same name twice in one scope has its own message.
        if old == name && what == Use::Procedure && before == Use::Procedure {
            continue;
        }
        let message =
            format!("The linker symbol '{linker}' of {} '{name}' is that of {} '{old}'", what.word(), before.word());
        let label = if before == Use::Common { "its COMMON block stands in this unit" } else { "declared here" };
        diags.push(Diagnostic::error("T0285", span, message).because(because, label));
    }
}

/// Reports external procedures that are declared or used as something else than the compilation defines.
pub fn check_uses(decls: &Declarations<'_>, diags: &mut Diagnostics) {
    for (id, s) in &decls.symbols {
        let Some(p) = s.procedure().filter(|p| p.class == ProcedureClass::External && !p.explicit) else { continue };
        let is_use = p.scope.is_some_and(|scope| decls.scopes[scope].symbol != Some(id));
        let definition = decls.lookup_global(&s.name).filter(|&d| d != id && is_use);
        let Some(d) = definition.map(|d| &decls.symbols[d]) else { continue };
        if let Some(message) = differs(decls, s, d) {
            let legacy = decls.options.argument_mismatch;
            let make = if legacy { Diagnostic::warning } else { Diagnostic::error };
            diags.push(make("T0247", s.span, message).because(d.span, "defined here"));
        }
    }
}

/// The difference between a procedure, as it is declared or used, and its definition.
fn differs(decls: &Declarations<'_>, s: &Symbol, d: &Symbol) -> Option<String> {
    use ProcedureKind::{Function, Subroutine};
    let (used, defined) = (s.procedure()?.kind, d.procedure()?.kind);
    match (used, defined) {
        (Function, Subroutine) => return Some(format!("'{}' is a subroutine, but is used as a function here", s.name)),
        (Subroutine, Function) => return Some(format!("'{}' is a function, but is called as a subroutine", s.name)),
        (Function, Function) if s.attrs.typed => {}
        _ => return None,
    }
    let (a, b) = (s.ty?, d.ty?);
    let same = match (s.structure, d.structure) {
        (None, None) => a == b,
        (Some(a), Some(b)) => decls.same_type(a, b),
        _ => false,
    };
    if !same {
        let (a, b) = (type_name(a), type_name(b));
        return Some(match (s.structure, d.structure) {
            (None, None) => format!("'{}' is declared as {a} here, but is a function of {b}", s.name),
            _ => format!("'{}' is declared with another type than it has", s.name),
        });
    }
    match (s.len.known(), d.len.known()) {
        (Some(m), Some(n)) if m != n && s.is_character() => {
            Some(format!("'{}' has the length {m} here, but is a function of the length {n}", s.name))
        }
        _ => None,
    }
}

fn use_of<'a>(decls: &Declarations<'_>, s: &'a Symbol) -> Option<(&'a str, Use)> {
    if let Some(label) = &s.bind {
        return Some((label, Use::Variable));
    }
    let SymbolKind::Procedure(p) = &s.kind else { return None };
    if p.linker.is_empty() || !matches!(p.class, ProcedureClass::External | ProcedureClass::Module) {
        return None;
    }
    let has_code = p.scope.is_some_and(|s| {
        let scope = &decls.scopes[s];
        scope.unit.is_some() && scope.kind != ScopeKind::Interface
    });
    Some((&p.linker, if has_code { Use::Procedure } else { Use::Reference }))
}
