//! Calls of an external procedure that nothing defines or declares: each must pass what the first one passes.
//!
//! As in gfortran, an array may follow an element of one, but not another scalar, and no scalar an array unless it is an element.

use crate::lower::Lower;
use crate::lower::expr::Val;
use crate::sema::scope::symbol::{ProcedureClass, SymbolId};
use crate::sema::types::structure::StructureId;
use rustc_hash::FxHashMap;
use trueline_diag::{Diagnostic, Diagnostics, Span};
use trueline_ir::{ExprData, Type};
use trueline_syntax::ast::{ExprId, ExprKind};

/// An actual argument.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    ty: Type,
    structure: Option<StructureId>,
    /// The type as it is written.
    name: String,
    rank: usize,
    /// A scalar after which more elements may follow.
    is_element: bool,
    span: Span,
}

/// A call by an implicit interface.
#[derive(Clone, Debug)]
pub(crate) struct ImplicitCall {
    linker: String,
    name: String,
    span: Span,
    /// Nothing of what is no value, or has no type: labels, procedures, Hollerith constants.
    pub(crate) args: Vec<Option<Passed>>,
}

impl Lower<'_, '_> {
    /// Begins to note a call of `callee`, if nothing is known of it but its calls.
    pub(crate) fn implicit_call(&self, callee: SymbolId, span: Span) -> Option<ImplicitCall> {
        let s = self.symbol(callee);
        let p = s.procedure().filter(|p| p.class == ProcedureClass::External && p.scope.is_none() && !p.explicit)?;
        let wanted = !self.is_trial && !self.cx.decls.options.argument_mismatch && !p.is_c;
        wanted.then(|| ImplicitCall { linker: p.linker.clone(), name: s.name.clone(), span, args: Vec::new() })
    }

    /// What is passed for an argument of an implicit interface.
    pub(crate) fn passed_as(&self, x: ExprId, v: Val, is_place: bool) -> Option<Passed> {
        if self.is_trial || matches!(self.ast.expr(x).kind, ExprKind::Hollerith(_)) {
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

/// Reports calls that differ from the first one of the same procedure, in the order of the source.
pub(crate) fn check(
    mut calls: Vec<ImplicitCall>,
    same: impl Fn(StructureId, StructureId) -> bool,
    diags: &mut Diagnostics,
) {
    calls.sort_by_key(|c| c.span);
    let mut first: FxHashMap<&str, &ImplicitCall> = FxHashMap::default();
    for call in &calls {
        let before = *first.entry(&call.linker).or_insert(call);
        if before.args.len() != call.args.len() {
            let (n, m) = (call.args.len(), before.args.len());
            let message = format!("'{}' is called with {n} argument(s) here, but with {m} before", call.name);
            diags.push(Diagnostic::error("T0575", call.span, message).because(before.span, "called here"));
            continue;
        }
        for (a, b) in before.args.iter().zip(&call.args) {
            let (Some(a), Some(b)) = (a, b) else { continue };
            let same_type = match (a.structure, b.structure) {
                (None, None) => a.ty == b.ty,
                (Some(s), Some(t)) => same(s, t),
                _ => false,
            };
            let what =
                |p: &Passed| if p.rank == 0 { "a scalar".to_owned() } else { format!("an array of rank {}", p.rank) };
            let message = if !same_type {
                format!("'{}' gets {} here, but {} in another call", call.name, b.name, a.name)
            } else if a.rank > 0 && b.rank == 0 && !b.is_element || a.rank == 0 && b.rank > 0 && !a.is_element {
                format!("'{}' gets {} here, but {} in another call", call.name, what(b), what(a))
            } else {
                continue;
            };
            let d = Diagnostic::error("T0576", b.span, message).because(a.span, "passed here");
            diags.push(d.help("-fallow-argument-mismatch takes it as it is"));
        }
    }
}
