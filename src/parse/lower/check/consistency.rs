//! Calls by an implicit interface are noted for [`crate::sema::check::consistency`].

use crate::lower::Lower;
use crate::lower::values::Val;
use crate::sema::check::consistency::{ImplicitCall, Passed};
use crate::sema::scope::symbol::{ProcedureClass, SymbolId};
use trueline_diag::Span;
use trueline_ir::ExprData;
use trueline_syntax::ast::{ExprId, ExprKind};

impl Lower<'_, '_> {
    /// Begins to note a call of `callee`, if nothing is known of it but its calls.
    pub(crate) fn implicit_call(&self, callee: SymbolId, span: Span) -> Option<ImplicitCall> {
        let s = self.symbol(callee);
        let p = s.procedure().filter(|p| p.class == ProcedureClass::External && p.scope.is_none() && !p.explicit)?;
        let wanted = !self.cx.decls.options.argument_mismatch && !p.is_c;
        wanted.then(|| ImplicitCall { linker: p.linker.clone(), name: s.name.clone(), span, args: Vec::new() })
    }

    /// What is passed for an argument of an implicit interface.
    pub(crate) fn passed_as(&self, x: ExprId, v: Val, is_place: bool) -> Option<Passed> {
        if matches!(self.ast.expr(x).kind, ExprKind::Hollerith(_)) {
            return None;
        }
        let in_array = match self.e.expr(v.e) {
            ExprData::Elem(sym, _) => self.sym(sym).is_contiguous() && !self.descriptors.contains_key(&sym),
            ExprData::Substr(..) => true,
            _ => false,
        };
        Some(Passed {
            ty: self.ty(v.e),
            structure: self.structure_at(v.e),
            name: self.type_of_value(v.e),
            rank: self.rank(v.e),
            is_element: v.len.is_some() && self.structure_at(v.e).is_none() || is_place && in_array,
            span: self.ast.span(x),
        })
    }
}
