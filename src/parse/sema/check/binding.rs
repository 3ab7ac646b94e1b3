//! Procedures with BIND(C) whose arguments C could not have.

use crate::sema::check::statements::Statements;
use crate::sema::scope::symbol::Extent;
use trueline_diag::Diagnostic;
use trueline_ir::Type;

impl Statements<'_, '_> {
    /// Reports dummy arguments of the procedure itself that it cannot have.
    pub(crate) fn dummies(&mut self) {
        let decls = self.decls;
        let Some(p) = decls.scopes[self.home].symbol.and_then(|id| decls.symbols[id].procedure()) else { return };
        for d in p.dummies.iter().flatten().filter(|_| p.is_c).map(|&d| &decls.symbols[d]) {
            if d.ty == Some(Type::Char) && !matches!(d.len, Extent::Known(_)) {
                let message = format!("The length of '{}' must be 1: the procedure has BIND(C)", d.name);
                self.diags.push(Diagnostic::error("T0262", d.span, message));
            }
        }
    }
}
