//! Procedures with BIND(C) whose arguments or results C could not have.

use crate::lower::source::Source;
use crate::sema::scope::symbol::{Extent, Procedure, ProcedureKind, Symbol};
use trueline_diag::Diagnostic;
use trueline_ir::Type;

impl Source<'_, '_> {
    /// Reports properties that a procedure with BIND(C) cannot have.
    pub(crate) fn check_binding(&mut self, own: &Symbol, p: &Procedure) {
        if !p.is_c {
            return;
        }
        if let Some(result) = p.result.filter(|_| p.kind == ProcedureKind::Function) {
            let r = self.symbol(result);
            if r.is_array() || (r.is_character() && r.len != Extent::Known(1)) {
                self.unsupported(own.span, "A string or array as the result of a procedure with BIND(C) is");
            }
        }
        for &dummy in p.dummies.iter().flatten() {
            let d = self.symbol(dummy);
            if self.is_too_large(d) {
                self.unsupported(
                    d.span,
                    "A structure of more than 4096 bytes as an argument with VALUE and BIND(C) is",
                );
            } else if d.ty == Some(Type::Char) && !matches!(d.len, Extent::Known(_)) {
                let message = format!("The length of '{}' must be 1: the procedure has BIND(C)", d.name);
                self.report(Diagnostic::error("T0262", d.span, message));
            }
        }
    }
}
