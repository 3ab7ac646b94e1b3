//! Extrinsic procedures: features that their model forbids.

use super::said::{How, Said};
use crate::scope::symbol::SymbolKind;
use crate::scope::{Declarations, ScopeKind};
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_syntax::ast::{Model, UnitKind};

pub(super) fn check(decls: &Declarations<'_>, said: &Said<'_>, diags: &mut Diagnostics) {
    for (scope, data) in decls.scopes.iter() {
        let Some(unit) = data.unit.filter(|_| data.kind != ScopeKind::Interface) else { continue };
        let unit = &decls.ast(scope).units[unit];
        let Some(extrinsic) = unit.prefix.extrinsic.filter(|e| e.model != Model::Global) else { continue };
        let word = if extrinsic.model == Model::Local { "HPF_LOCAL" } else { "HPF_SERIAL" };
        if unit.kind == UnitKind::Program {
            let at = unit.name.map_or(extrinsic.span, |n| n.span);
            let d = Diagnostic::error("T0450", extrinsic.span, format!("A main program cannot be {word}"));
            let d = d.because(at, "this is the main program");
            diags.push(d.help(format!("Make it EXTRINSIC(HPF), and put what is {word} into a procedure")));
        }
        for remap in said.remaps.iter().filter(|r| r.scope == scope) {
            let what = if matches!(remap.how, How::Redistribute(_)) { "REDISTRIBUTE" } else { "REALIGN" };
            let d = Diagnostic::error("T0451", remap.span, format!("{what} in an {word} procedure"));
            let d = d.because(extrinsic.span, "its code sees one processor's part only");
            diags.push(d.help("Do it in the HPF procedure that calls this one"));
        }
        for &id in &said.order {
            let (Some(about), Some(at)) = (said.about(id), said.mapped_at(id)) else { continue };
            let s = &decls.symbols[id];
            let own = data.symbol.and_then(|p| decls.symbols[p].procedure());
            let is_dummy = own.is_some_and(|p| p.dummies.contains(&Some(id)));
            if about.scope == Some(scope) && s.kind == SymbolKind::Variable && !is_dummy {
                let d = Diagnostic::error("T0451", at, format!("'{}' of an {word} procedure is mapped", s.name));
                let d = d.because(extrinsic.span, "its variables are those of one processor");
                diags.push(d.help("Remove the directive; only dummy arguments are mapped, by the caller"));
            }
        }
    }
}
