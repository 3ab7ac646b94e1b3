//! Generic names, defined operators and defined assignment, as [`crate::sema::typed`] resolves them.

use crate::lower::call::Arguments;
use crate::lower::expr::Exprs;
use crate::lower::stmt::Stmts;
use crate::lower::values::{Failed, Lowered, Val};
use crate::lower::variables::Variables;
use crate::sema::scope::symbol::{SymbolId, SymbolKind};
use smallvec::SmallVec;
use trueline_diag::{Diagnostic, Span};
use trueline_syntax::ast::{Arg, ArgValue, ExprId, StmtId};

impl Exprs<'_, '_> {
    /// The procedure that a call of `id` means; none if it is the intrinsic that a generic name extends.
    pub(crate) fn specific(&mut self, id: SymbolId, args: &[Arg], span: Span) -> Lowered<Option<SymbolId>> {
        if let Some(found) = self.typing().specific(id, args) {
            return Ok(found);
        }
        let SymbolKind::Generic(candidates) = &self.symbol(id).kind else { return Err(Failed) };
        self.report_arguments(args);
        let name = &self.symbol(id).name;
        let message = format!("No specific procedure of '{name}' fits these arguments");
        let mut d = Diagnostic::error("T0573", span, message);
        for &candidate in candidates.iter().take(4) {
            d = d.because(self.symbol(candidate).span, "this one does not fit");
        }
        Err(self.report(d))
    }

    /// Reports the mistakes in arguments without a type.
    fn report_arguments(&mut self, args: &[Arg]) {
        for a in args {
            if let ArgValue::Expr(x) = a.value
                && !self.is_null(x)
                && self.typing().of(x).is_none()
            {
                // There is an error, so it does not matter which code this leaves behind.
                let block = self.block();
                let _ = self.designator(x);
                self.enter(block);
            }
        }
    }

    /// The operation `x` by the procedure of a visible interface, if one fits its operands.
    pub(crate) fn defined_operation(&mut self, x: ExprId) -> Lowered<Option<Val>> {
        let Some((id, args)) = self.defining_procedure(x) else { return Ok(None) };
        let span = self.ast.span(x);
        self.call_function(span, id, &args).map(Some)
    }
}

impl Stmts<'_, '_> {
    /// An assignment by the subroutine of a visible interface, if one fits.
    pub(crate) fn defined_assignment(&mut self, s: StmtId, target: ExprId, value: ExprId) -> Lowered<bool> {
        let Some(found) = self.assigning_procedure(target, value) else { return Ok(false) };
        let args = [target, value].map(|x| self.typing().plain_argument(x));
        let out = Arguments { copies_second: true, ..Arguments::default() };
        self.call_subroutine(found, self.ast.stmt(s).span, &args, out)?;
        Ok(true)
    }
}

impl Variables<'_, '_> {
    /// The function that defines the operation `x` on operands like these, and the operands.
    pub(crate) fn defining_procedure(&mut self, x: ExprId) -> Option<(SymbolId, SmallVec<[Arg; 2]>)> {
        if self.cx.decls.has_operators { self.typing().defining_procedure(x) } else { None }
    }

    /// The subroutine that defines this assignment, if a visible interface has one that fits.
    pub(crate) fn assigning_procedure(&mut self, target: ExprId, value: ExprId) -> Option<SymbolId> {
        if self.cx.decls.has_operators { self.typing().assigning_procedure(target, value) } else { None }
    }
}
