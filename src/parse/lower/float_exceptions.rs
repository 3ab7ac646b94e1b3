//! `-ffpe-trap=` and `-ffpe-summary=`: the main program tells the runtime.

use crate::Lower;
use trueline_ir::Rt;
use trueline_sema::FloatExceptions;
use trueline_sema::scope::ScopeKind;

impl Lower<'_> {
    /// At the beginning of the main program.
    pub(crate) fn float_exceptions(&mut self) {
        let exceptions = self.cx.decls.options.exceptions;
        let is_main = self.cx.decls.scopes[self.home].kind == ScopeKind::Program;
        if is_main && exceptions != FloatExceptions::default() {
            let (trap, summary) = (self.int4(exceptions.trap.into()), self.int4(exceptions.summary.into()));
            self.call_rt(Rt::FloatExceptions, &[trap, summary]);
        }
    }
}
