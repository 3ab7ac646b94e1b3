//! Procedures with BIND(C) with results or arguments that are not supported.

use crate::lower::source::Source;
use crate::sema::scope::symbol::{Extent, Procedure, ProcedureKind, Symbol};

impl Source<'_, '_> {
    /// Reports results and arguments that are not supported.
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
            }
        }
    }
}
