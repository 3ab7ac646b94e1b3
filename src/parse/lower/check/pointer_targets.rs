//! What a pointer may be told to point to, beside the type and rank (Fortran 2008, 7.2.2).

use crate::lower::Lower;
use crate::lower::values::Lowered;
use crate::sema::constant::eval::const_eval;
use crate::sema::typed::Typed;
use crate::sema::types::kinds::type_name;
use trueline_diag::Diagnostic;
use trueline_ir::Sym;
use trueline_syntax::ast::{ArgValue, ExprId, ExprKind};

impl Lower<'_, '_> {
    /// The length of the characters that a pointer points to, if it is fixed and known.
    pub(crate) fn pointer_length(&self, sym: Sym) -> Option<i64> {
        self.known(self.e.sym(sym).len.expand()?)
    }

    /// An error if `object`, a pointer with the memory `sym`, cannot point to `value`. `remaps`: bounds are given.
    pub(crate) fn check_target(&mut self, object: ExprId, sym: Sym, value: ExprId, remaps: bool) -> Lowered<()> {
        if self.is_null(value) {
            return self.check_null(sym, value, remaps);
        }
        let is_contiguous = match self.ast.expr(object).kind {
            ExprKind::Name(name) => self.resolve(name).is_some_and(|id| self.symbol(id).attrs.contiguous),
            _ => false,
        };
        if !is_contiguous || !self.is_variable_reference(value) {
            return Ok(());
        }
        if !self.has_gaps(value) {
            return Ok(());
        }
        let e = Diagnostic::error(
            "T0673",
            self.ast.span(value),
            "A CONTIGUOUS pointer cannot point to a section with gaps",
        );
        Err(self.report(match self.root_of(object) {
            Some(id) => e.because(self.symbol(id).span, "declared here"),
            None => e,
        }))
    }

    /// Whether a section in the reference has a constant stride other than 1.
    fn has_gaps(&self, mut x: ExprId) -> bool {
        loop {
            match self.ast.expr(x).kind {
                ExprKind::Component { base, .. } => x = base,
                ExprKind::Call { base, args } => {
                    let steps = self.ast.args(args).iter().filter_map(|a| match a.value {
                        ArgValue::Section { step, .. } => step.expand(),
                        _ => None,
                    });
                    let value = |x| const_eval(self.cx.decls, self.scope, x).ok().and_then(|c| c.as_int());
                    if steps.filter_map(value).any(|n| n != 1) {
                        return true;
                    }
                    x = base;
                }
                _ => return false,
            }
        }
    }

    /// NULL(): without bounds before it, and of the type of the pointer if it has a mold.
    fn check_null(&mut self, sym: Sym, value: ExprId, remaps: bool) -> Lowered<()> {
        let span = self.ast.span(value);
        if remaps {
            return Err(self.error("T0674", span, "A pointer to nothing has no bounds"));
        }
        let ExprKind::Call { args, .. } = self.ast.expr(self.unparen(value)).kind else { return Ok(()) };
        let Some(ArgValue::Expr(mold)) = self.ast.args(args).first().map(|a| a.value) else { return Ok(()) };
        let Some(Typed { ty, extents, .. }) = self.typing().of(mold) else { return Ok(()) };
        let rank = extents.len();
        let own = self.whole_symbol(sym);
        if self.structure_at(own.e).is_some() || (self.ty(own.e) == ty && self.rank(own.e) == rank) {
            return Ok(());
        }
        let message = match self.ty(own.e) == ty {
            true => format!("The pointer has rank {}, but the mold has rank {rank}", self.rank(own.e)),
            false => format!("A pointer to {} cannot point to {}", self.type_of_value(own.e), type_name(ty)),
        };
        Err(self.error("T0671", span, message))
    }
}
