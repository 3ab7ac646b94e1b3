//! Global identifiers: what two things of one compilation call the same in the object.

use crate::scope::{Declarations, ScopeKind};
use crate::symbol::{ProcedureClass, Symbol, SymbolKind};
use rustc_hash::FxHashMap;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::Linkage;

/// What stands behind a linker symbol.
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
pub(crate) fn check(decls: &Declarations<'_>, diags: &mut Diagnostics) {
    let mut first: FxHashMap<&str, (Use, &str, Span)> = FxHashMap::default();
    let symbols = decls.symbols.values().filter_map(|s| {
        let (linker, what) = use_of(decls, s)?;
        Some((linker, what, s.name.as_str(), s.span))
    });
    let commons = decls.statics.values().filter(|d| d.linkage == Linkage::Common);
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
