//! `-finit-…`: the first content of variables in static memory without an initial value.

use crate::Initial;
use crate::scope::symbol::{Home, Symbol};
use crate::scope::{Declarations, ScopeId, ScopeKind};

/// Gives variables that keep their values the content that `-finit-…` asks for, if they have no other.
pub fn preset_kept(decls: &mut Declarations<'_>, scope: ScopeId) {
    let initial = decls.options.initial;
    let s = &decls.scopes[scope];
    if initial == Initial::default() || matches!(s.kind, ScopeKind::Module | ScopeKind::BlockData | ScopeKind::Program)
    {
        return;
    }
    for id in s.own.clone() {
        let symbol = &decls.symbols[id];
        let Home::Static { area, offset } = symbol.home else { continue };
        let a = &symbol.attrs;
        let other = a.initialised || a.common || a.equivalenced || symbol.is_indirect() || symbol.structure.is_some();
        if other || !symbol.is_variable() || !is_kept(decls, scope, symbol) {
            continue;
        }
        let one = symbol.ty.and_then(|ty| initial.bytes(ty, symbol.len.known()));
        let Some((one, count)) = one.zip(symbol.element_count()) else { continue };
        crate::storage::data::put_content(decls, scope, (area, offset), &one, count);
    }
}

/// Whether a local variable of `scope` keeps its value when the procedure ends.
pub fn is_kept(decls: &Declarations<'_>, scope: ScopeId, symbol: &Symbol) -> bool {
    let all = decls.options.no_automatic && !crate::storage::is_recursive(decls, scope);
    symbol.attrs.save || decls.scopes[scope].save_all || all
}
