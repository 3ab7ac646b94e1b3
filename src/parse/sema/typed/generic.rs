//! Generic names, defined operators and defined assignment: which specific procedure is meant.
//!
//! A specific procedure fits if each actual argument agrees with its dummy in type, kind and rank; one
//! that is ELEMENTAL fits arrays of any rank, and is taken only if no other fits.

use crate::scope::operators::{ASSIGNMENT, of_expression};
use crate::scope::symbol::{Procedure, ProcedureKind, SymbolId, SymbolKind};
use crate::typed::{Typed, Typing};
use smallvec::SmallVec;
use trueline_syntax::ast::{Arg, ArgValue, ExprId, ExprKind};

/// The fit of a specific procedure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    No,
    /// Only because it is ELEMENTAL.
    Elemental,
    Exact,
}

impl Typing<'_, '_> {
    /// The procedure that a call of `id` means, none inside if it is the intrinsic that a generic name extends; none if no
    /// specific procedure fits.
    pub fn specific(&mut self, id: SymbolId, args: &[Arg]) -> Option<Option<SymbolId>> {
        let SymbolKind::Generic(candidates) = &self.symbol(id).kind else { return Some(Some(id)) };
        let name = &self.symbol(id).name;
        match self.fitting(candidates, args).or_else(|| self.fitting_of_hosts(id, name, args)) {
            Some(found) => Some(Some(found)),
            None => crate::intrinsic::lookup(name).map(|_| None),
        }
    }

    /// The candidate that fits the arguments best.
    pub fn fitting(&mut self, candidates: &[SymbolId], args: &[Arg]) -> Option<SymbolId> {
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

    /// The same among procedures that interfaces of the hosts add to the generic name `id`, innermost host first
    /// (Fortran 2003, 12.4.4.1).
    fn fitting_of_hosts(&mut self, id: SymbolId, name: &str, args: &[Arg]) -> Option<SymbolId> {
        let decls = self.decls;
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
                    let text = self.ast.name(keyword.name);
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
            let fits = self.rank_of_any(x).is_some_and(|n| n == d.rank() || n > 0 && d.is_array());
            return if fits { Fit::Exact } else { Fit::No };
        }
        let Some(t) = self.of(x) else { return Fit::No };
        let same = match (d.structure, t.structure) {
            (None, None) => true,
            (Some(a), Some(b)) => self.decls.same_type(a, b),
            _ => false,
        };
        match same && Some(t.ty) == d.ty {
            true if t.rank() == d.rank() => Fit::Exact,
            true if p.is_elemental && d.rank() == 0 => Fit::Elemental,
            _ => Fit::No,
        }
    }

    /// The rank of an argument, which may be a variable of TYPE(*).
    pub fn rank_of_any(&mut self, x: ExprId) -> Option<usize> {
        if let ExprKind::Name(name) = self.ast.expr(x).kind
            && let Some(s) = self.resolve(name).map(|id| self.symbol(id))
            && s.attrs.assumed_type
        {
            return Some(s.rank());
        }
        self.of(x).map(|t| t.rank())
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

    /// The type of the operation `x` by the procedure of a visible interface; none if no interface fits its operands.
    pub(super) fn defined_operation(&mut self, x: ExprId) -> Option<Option<Typed>> {
        let (id, args) = self.defining_procedure(x)?;
        Some(self.result(id, &args))
    }

    /// The function that defines the operation `x` on operands like these, and the operands.
    pub fn defining_procedure(&mut self, x: ExprId) -> Option<(SymbolId, SmallVec<[Arg; 2]>)> {
        if !self.decls.has_operators {
            return None;
        }
        let kind = &self.ast.expr(x).kind;
        let operands: SmallVec<[ExprId; 2]> = match *kind {
            ExprKind::Binary { left, right, .. } => [left, right].into_iter().collect(),
            ExprKind::Unary { operand, .. } => [operand].into_iter().collect(),
            _ => return None,
        };
        let name = of_expression(self.ast, kind)?;
        let args: SmallVec<[Arg; 2]> = operands.into_iter().map(|x| self.plain_argument(x)).collect();
        Some((self.fitting_by_name(&name, &args)?, args))
    }

    /// The subroutine that defines the assignment of `value` to `target`, if a visible interface has one that fits.
    pub fn assigning_procedure(&mut self, target: ExprId, value: ExprId) -> Option<SymbolId> {
        if !self.decls.has_operators {
            return None;
        }
        let args = [self.plain_argument(target), self.plain_argument(value)];
        self.fitting_by_name(ASSIGNMENT, &args)
    }

    fn fitting_by_name(&mut self, name: &str, args: &[Arg]) -> Option<SymbolId> {
        let id = self.decls.lookup(self.scope, name)?;
        let SymbolKind::Generic(candidates) = &self.symbol(id).kind else { return None };
        self.fitting(candidates, args).or_else(|| self.fitting_of_hosts(id, name, args))
    }

    /// An operand as an argument.
    pub fn plain_argument(&self, x: ExprId) -> Arg {
        Arg { keyword: None, value: ArgValue::Expr(x), span: self.ast.span(x) }
    }
}
