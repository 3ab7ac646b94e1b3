//! Procedures with BIND(C) whose arguments C could not have.

use crate::check::statements::Statements;
use crate::scope::Declarations;
use crate::scope::symbol::{Extent, Procedure, ProcedureKind, Symbol, SymbolId};
use crate::types::convention::{Convention, MOST_ON_STACK};
use trueline_diag::Diagnostic;
use trueline_ir::Type;

impl Statements<'_, '_> {
    /// Reports results of a procedure with BIND(C) that C does not have, and arguments that there is no code for.
    fn results_of_c(&mut self, own: Option<SymbolId>, p: &Procedure) {
        let decls = self.decls;
        let result = p.result.filter(|_| p.is_c && p.kind == ProcedureKind::Function).map(|r| &decls.symbols[r]);
        if let (Some(own), Some(r)) = (own.map(|own| &decls.symbols[own]), result) {
            let wrong = if r.is_array() {
                Some("cannot be an array")
            } else if r.is_character() && r.len != Extent::Known(1) {
                Some("must have the length 1")
            } else {
                None
            };
            if let Some(wrong) = wrong {
                let message = format!("The result of '{}' {wrong}: the function has BIND(C)", own.name);
                self.diags.push(Diagnostic::error("T0268", own.span, message));
            }
        }
        for d in p.dummies.iter().flatten().filter(|_| p.is_c).map(|&d| &decls.symbols[d]) {
            if is_too_large(decls, d) {
                let message =
                    "A structure of more than 4096 bytes as an argument with VALUE and BIND(C) is not supported yet";
                self.diags.push(Diagnostic::error("T0599", d.span, message));
            }
        }
    }

    /// Reports dummy arguments of the procedure itself that it cannot have.
    pub fn dummies(&mut self) {
        let decls = self.decls;
        let Some(p) = decls.scopes[self.home].symbol.and_then(|id| decls.symbols[id].procedure()) else { return };
        self.results_of_c(decls.scopes[self.home].symbol, p);
        for d in p.dummies.iter().flatten().filter(|_| p.is_c).map(|&d| &decls.symbols[d]) {
            if d.ty == Some(Type::Char) && !matches!(d.len, Extent::Known(_)) {
                let message = format!("The length of '{}' must be 1: the procedure has BIND(C)", d.name);
                self.diags.push(Diagnostic::error("T0262", d.span, message));
            }
        }
    }
}

/// Whether C passes the structure on the stack, and this compiler does not: it is very large.
fn is_too_large(decls: &Declarations<'_>, dummy: &Symbol) -> bool {
    let size = dummy.structure.map_or(0, |id| decls.structures[id].size);
    dummy.attrs.value
        && decls.options.convention == Convention::SystemV
        && u64::try_from(size).is_ok_and(|size| size > MOST_ON_STACK)
}
