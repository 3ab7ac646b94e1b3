//! Procedures with BIND(C) with results that are not supported.

use crate::lower::source::Source;
use crate::sema::scope::symbol::{Extent, Procedure, ProcedureKind, Symbol};

impl Source<'_, '_> {
    /// Reports results that are not supported.
    pub(crate) fn check_binding(&mut self, own: &Symbol, p: &Procedure) {
        if !p.is_c {
            return;
        }
        if let Some(result) = p.result.filter(|_| p.kind == ProcedureKind::Function) {
            let r = self.symbol(result);
            if r.is_array() || (r.is_character() && r.len != Extent::Known(1)) {
                self.unsupported(own.span, "A string or array as the result of a procedure with BIND(C) is");
            } else if self.is_mixed_result(r) {
                self.unsupported(own.span, "A structure of this size and content as a result with BIND(C) is");
            }
        }
    }
}
