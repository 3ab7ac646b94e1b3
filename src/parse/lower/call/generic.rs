//! Generic names, defined operators and defined assignment, as [`trueline_sema::typed`] resolves them.

use crate::call::Arguments;
use crate::expr::Exprs;
use crate::stmt::Stmts;
use crate::values::{Checked, Val};
use crate::variables::Variables;
use smallvec::SmallVec;
use trueline_sema::scope::symbol::SymbolId;
use trueline_syntax::ast::{Arg, ExprId, StmtId};

impl Exprs<'_> {
    /// The procedure that a call of `id` means; none if it is the intrinsic that a generic name extends.
    pub(crate) fn specific(&mut self, id: SymbolId, args: &[Arg]) -> Option<SymbolId> {
        self.typing().specific(id, args).checked()
    }

    /// The operation `x` by the procedure of a visible interface, if one fits its operands.
    pub(crate) fn defined_operation(&mut self, x: ExprId) -> Option<Val> {
        let (id, args) = self.defining_procedure(x)?;
        let span = self.ast.span(x);
        Some(self.call_function(span, id, &args))
    }
}

impl Stmts<'_> {
    /// An assignment by the subroutine of a visible interface, if one fits.
    pub(crate) fn defined_assignment(&mut self, s: StmtId, target: ExprId, value: ExprId) -> bool {
        let Some(found) = self.assigning_procedure(target, value) else { return false };
        let args = [target, value].map(|x| self.typing().plain_argument(x));
        let out = Arguments { copies_second: true, ..Arguments::default() };
        self.call_subroutine(found, self.ast.stmt(s).span, &args, out);
        true
    }
}

impl Variables<'_> {
    /// The function that defines the operation `x` on operands like these, and the operands.
    pub(crate) fn defining_procedure(&mut self, x: ExprId) -> Option<(SymbolId, SmallVec<[Arg; 2]>)> {
        if self.cx.decls.has_operators { self.typing().defining_procedure(x) } else { None }
    }

    /// The subroutine that defines this assignment, if a visible interface has one that fits.
    pub(crate) fn assigning_procedure(&mut self, target: ExprId, value: ExprId) -> Option<SymbolId> {
        if self.cx.decls.has_operators { self.typing().assigning_procedure(target, value) } else { None }
    }
}
