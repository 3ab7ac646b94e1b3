//! Generic names, defined operators and defined assignment: which specific procedure is meant.
//!
//! A specific procedure fits if each actual argument agrees with its dummy in type, kind and rank; one
//! that is ELEMENTAL fits arrays of any rank, and is taken only if no other fits.

use crate::lower::Lower;
use crate::lower::call::Arguments;
use crate::lower::values::{Failed, Lowered, Val};
use crate::sema::scope::symbol::{Procedure, ProcedureKind, SymbolId, SymbolKind};
use smallvec::SmallVec;
use trueline_diag::{Diagnostic, Span};
use trueline_syntax::ast::{Arg, ArgValue, ExprId, ExprKind, StmtId};

/// How a specific procedure fits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    No,
    /// Only because it is ELEMENTAL.
    Elemental,
    Exact,
}

impl Lower<'_, '_> {
    /// The procedure that a call of `id` means; none if it is the intrinsic that a generic name extends.
    pub(crate) fn specific(&mut self, id: SymbolId, args: &[Arg], span: Span) -> Lowered<Option<SymbolId>> {
        let SymbolKind::Generic(candidates) = &self.symbol(id).kind else { return Ok(Some(id)) };
        let name = &self.symbol(id).name;
        if let Some(found) = self.fitting(candidates, args).or_else(|| self.fitting_of_hosts(id, name, args)) {
            return Ok(Some(found));
        }
        if crate::sema::intrinsic::lookup(name).is_some() {
            return Ok(None);
        }
        let message = format!("No specific procedure of '{name}' fits these arguments");
        let mut d = Diagnostic::error("T0573", span, message);
        for &candidate in candidates.iter().take(4) {
            d = d.because(self.symbol(candidate).span, "this one does not fit");
        }
        Err(self.report(d))
    }

    /// The candidate that fits the arguments best.
    pub(crate) fn fitting(&mut self, candidates: &[SymbolId], args: &[Arg]) -> Option<SymbolId> {
        let mut elemental = None;
        for &candidate in candidates {
            match self.fit(candidate, args) {
                Fit::Exact => return Some(candidate),
                Fit::Elemental => elemental = elemental.or(Some(candidate)),
                Fit::No => {}
            }
        }
        elemental
    }

    /// The same among what the interfaces of the hosts add to the generic name `id`, innermost host first (Fortran 2003, 12.4.4.1).
    fn fitting_of_hosts(&mut self, id: SymbolId, name: &str, args: &[Arg]) -> Option<SymbolId> {
        let decls = self.cx.decls;
        let mut scope = Some(self.scope);
        while let Some(s) = scope {
            let there = decls.lookup_local(s, name).filter(|&there| there != id);
            if let Some(SymbolKind::Generic(candidates)) = there.map(|there| &decls.symbols[there].kind)
                && let Some(found) = self.fitting(candidates, args)
            {
                return Some(found);
            }
            scope = decls.scopes[s].parent;
        }
        None
    }

    fn fit(&mut self, id: SymbolId, args: &[Arg]) -> Fit {
        let Some(p) = self.symbol(id).procedure() else { return Fit::No };
        if args.len() > p.dummies.len() {
            return Fit::No;
        }
        let mut given: SmallVec<[bool; 8]> = p.dummies.iter().map(|_| false).collect();
        let mut fit = Fit::Exact;
        for (k, a) in args.iter().enumerate() {
            let at = match a.keyword {
                None => Some(k),
                Some(keyword) => {
                    let text = self.text_of_ident(keyword);
                    p.dummies.iter().position(|d| d.is_some_and(|d| self.symbol(d).name == text))
                }
            };
            let Some(at) = at.filter(|&at| !given[at]) else { return Fit::No };
            given[at] = true;
            match (a.value, p.dummies[at]) {
                (ArgValue::Expr(x), Some(dummy)) => match self.fit_one(p, dummy, x) {
                    Fit::No => return Fit::No,
                    Fit::Elemental => fit = Fit::Elemental,
                    Fit::Exact => {}
                },
                (ArgValue::AltReturn(_), None) => {}
                _ => return Fit::No,
            }
        }
        let missing =
            |(d, given): (&Option<SymbolId>, &bool)| !given && d.is_some_and(|d| !self.symbol(d).attrs.optional);
        if p.dummies.iter().zip(&given).any(missing) { Fit::No } else { fit }
    }

    fn fit_one(&mut self, p: &Procedure, dummy: SymbolId, x: ExprId) -> Fit {
        let d = self.symbol(dummy);
        if d.is_indirect() && !self.may_associate(d.attrs.allocatable, x) {
            return Fit::No;
        }
        let x = self.mold_of_null(x).unwrap_or(x);
        let named = match self.ast.expr(x).kind {
            ExprKind::Name(name) => self.resolve(name).and_then(|id| self.symbol(id).procedure()),
            _ => None,
        };
        if let Some(wanted) = d.procedure() {
            let kinds = named.map(|have| (wanted.kind, have.kind));
            return match kinds {
                Some((a, b)) if a == b || a == ProcedureKind::Unknown || b == ProcedureKind::Unknown => Fit::Exact,
                _ => Fit::No,
            };
        }
        if named.is_some() {
            return Fit::No;
        }
        if d.attrs.assumed_type {
            let rank = self.of_any_type(true, |l| l.tried(x)).map(|t| t.1);
            let fits = rank.is_some_and(|n| n == d.rank() || n > 0 && d.is_array());
            return if fits { Fit::Exact } else { Fit::No };
        }
        let same = match (d.structure, self.tried_structure(x)) {
            (None, None) => true,
            (Some(a), Some(b)) => self.same_type(a, b),
            _ => false,
        };
        match self.tried(x) {
            Some((ty, rank)) if same && Some(ty) == d.ty => match rank == d.rank() {
                true => Fit::Exact,
                false if p.is_elemental && d.rank() == 0 => Fit::Elemental,
                false => Fit::No,
            },
            _ => Fit::No,
        }
    }

    /// Whether a dummy that is ALLOCATABLE (else a POINTER) may take `x`, as far as attributes tell.
    fn may_associate(&self, allocatable: bool, x: ExprId) -> bool {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return true };
        let Some(s) = self.resolve(name).map(|id| self.symbol(id)).filter(|s| s.is_variable()) else { return true };
        if allocatable { s.attrs.allocatable } else { !s.attrs.allocatable || s.attrs.target }
    }

    /// The argument of `NULL(mold)`.
    fn mold_of_null(&self, x: ExprId) -> Option<ExprId> {
        let ExprKind::Call { args, .. } = self.ast.expr(x).kind else { return None };
        match self.ast.args(args) {
            [Arg { value: ArgValue::Expr(mold), .. }] if self.is_null(x) => Some(*mold),
            _ => None,
        }
    }

    /// The operation `x` by the procedure of a visible interface, if one fits its operands.
    pub(crate) fn defined_operation(&mut self, x: ExprId) -> Lowered<Option<Val>> {
        let Some((id, args)) = self.defining_procedure(x) else { return Ok(None) };
        let span = self.ast.span(x);
        self.call_function(span, id, &args).map(Some)
    }

    /// The function that defines the operation `x` on operands like these, and the operands.
    pub(crate) fn defining_procedure(&mut self, x: ExprId) -> Option<(SymbolId, SmallVec<[Arg; 2]>)> {
        if !self.cx.decls.has_operators {
            return None;
        }
        let kind = &self.ast.expr(x).kind;
        let operands: SmallVec<[ExprId; 2]> = match *kind {
            ExprKind::Binary { left, right, .. } => [left, right].into_iter().collect(),
            ExprKind::Unary { operand, .. } => [operand].into_iter().collect(),
            _ => return None,
        };
        let name = crate::sema::scope::operators::of_expression(self.ast, kind)?;
        let id = self.cx.decls.lookup(self.scope, &name)?;
        let SymbolKind::Generic(candidates) = &self.symbol(id).kind else { return None };
        let args: SmallVec<[Arg; 2]> = operands.into_iter().map(|x| self.plain_argument(x)).collect();
        let found = self.fitting(candidates, &args).or_else(|| self.fitting_of_hosts(id, &name, &args))?;
        Some((found, args))
    }

    fn plain_argument(&self, x: ExprId) -> Arg {
        Arg { keyword: None, value: ArgValue::Expr(x), span: self.ast.span(x) }
    }

    /// A user's operator that no interface defines for operands of these types.
    pub(crate) fn no_operation(&mut self, x: ExprId) -> Failed {
        let kind = &self.ast.expr(x).kind;
        let operands: SmallVec<[ExprId; 2]> = match *kind {
            ExprKind::Binary { left, right, .. } => [left, right].into_iter().collect(),
            ExprKind::Unary { operand, .. } => [operand].into_iter().collect(),
            _ => SmallVec::new(),
        };
        // What is wrong with an operand has been reported, and is the cause.
        if operands.iter().any(|&o| self.expr(o).is_err()) {
            return Failed;
        }
        let name = crate::sema::scope::operators::of_expression(self.ast, kind).unwrap_or_default();
        let text = name.trim_start_matches("operator(").trim_end_matches(')');
        let message = match self.cx.decls.lookup(self.scope, &name) {
            Some(_) => format!("No procedure of the operator '{text}' fits these operands"),
            None => format!("The operator '{text}' is not defined"),
        };
        self.error("T0583", self.ast.span(x), message)
    }

    /// The subroutine that defines this assignment, if a visible interface has one that fits.
    pub(crate) fn assigning_procedure(&mut self, target: ExprId, value: ExprId) -> Option<SymbolId> {
        if !self.cx.decls.has_operators {
            return None;
        }
        let id = self.cx.decls.lookup(self.scope, crate::sema::scope::operators::ASSIGNMENT)?;
        let SymbolKind::Generic(candidates) = &self.symbol(id).kind else { return None };
        let args = [self.plain_argument(target), self.plain_argument(value)];
        self.fitting(candidates, &args)
            .or_else(|| self.fitting_of_hosts(id, crate::sema::scope::operators::ASSIGNMENT, &args))
    }

    /// An assignment by the subroutine of a visible interface, if one fits.
    pub(crate) fn defined_assignment(&mut self, s: StmtId, target: ExprId, value: ExprId) -> Lowered<bool> {
        let Some(found) = self.assigning_procedure(target, value) else { return Ok(false) };
        let args = [self.plain_argument(target), self.plain_argument(value)];
        let out = Arguments { copies_second: true, ..Arguments::default() };
        self.call_subroutine(found, self.ast.stmt(s).span, &args, out)?;
        Ok(true)
    }
}
