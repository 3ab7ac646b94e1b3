//! REDUCTION: each variable is only ever combined with other values, by one operation.

use super::accesses::{Access, root};
use super::{Check, Loop, inner};
use crate::scope::symbol::SymbolId;
use trueline_diag::Diagnostic;
use trueline_syntax::ast::{ArgValue, BinaryOp, ExprId, ExprKind, ReductionOp, StmtId, StmtKind};

impl Check<'_, '_> {
    /// Checks the clause; returns its variables, which the check of dependences leaves out.
    pub(super) fn reductions(&mut self, l: &Loop, all: &[Access]) -> Vec<SymbolId> {
        let mut out = Vec::new();
        for &(op, x) in &self.clauses.reduction {
            let Some(id) = root(self.decls, self.scope, self.ast, x) else { continue };
            out.push(id);
            self.reduction(l, all, id, op, x);
        }
        out
    }

    fn reduction(&mut self, l: &Loop, all: &[Access], id: SymbolId, op: Option<ReductionOp>, clause: ExprId) {
        let name = self.decls.symbols[id].name.clone();
        let place = self.ast.span(clause);
        let mut found: Option<ReductionOp> = op;
        let mut reducing: Vec<StmtId> = Vec::new();
        for (s, _) in inner(self.ast, l.stmt) {
            match &self.ast.stmt(s).kind {
                StmtKind::Assign { target, value } if root(self.decls, self.scope, self.ast, *target) == Some(id) => {
                    let at = self.ast.stmt(s).span;
                    let Some(own) = self.operation(id, *value) else {
                        let message = format!("'{name}' is in REDUCTION, but this assignment is none");
                        let d = Diagnostic::error("T0433", at, message).because(place, "in REDUCTION here");
                        let help =
                            format!("Write {name} = {name} + x, or another operation of a reduction, or use NEW");
                        self.diags.push(d.help(help));
                        return;
                    };
                    if let Some(other) = found.filter(|other| *other != own) {
                        let message = format!("'{name}' is reduced by two operations, {own:?} and {other:?}");
                        let d = Diagnostic::error("T0433", at, message).because(place, "in REDUCTION here");
                        self.diags.push(d.help("Use one operation for each variable of a REDUCTION"));
                        return;
                    }
                    found = Some(own);
                    reducing.push(s);
                }
                // A procedure may reduce its argument, and an inner loop has a clause of its own.
                StmtKind::Call { .. } => reducing.push(s),
                StmtKind::If(_) | StmtKind::IfLogical { .. }
                    if found.is_none_or(is_extreme) && self.compares(s, id) =>
                {
                    return;
                }
                _ => {}
            }
        }
        if let Some(r) = all.iter().find(|r| r.id == id && !r.write && !reducing.contains(&r.stmt)) {
            let message =
                format!("'{name}' is read outside of its REDUCTION: its value depends on the order of iterations");
            let d = Diagnostic::error("T0433", r.span, message).because(place, "in REDUCTION here");
            self.diags.push(d.help("Use the value after the loop"));
        }
    }

    /// `if (x > s) s = x`: a condition that mentions the variable.
    fn compares(&self, s: StmtId, id: SymbolId) -> bool {
        let mut found = false;
        crate::visit::stmt_exprs(self.ast, s, &mut |x| {
            crate::visit::expressions(self.ast, x, &mut |x| {
                found |=
                    matches!(self.ast.expr(x).kind, ExprKind::Name(n) if self.decls.named(self.scope, n) == Some(id));
            });
        });
        found
    }

    /// The operation by which `value` combines the variable with something.
    fn operation(&self, id: SymbolId, value: ExprId) -> Option<ReductionOp> {
        let own = |x: ExprId| root(self.decls, self.scope, self.ast, self.bare(x)) == Some(id);
        match self.ast.expr(self.bare(value)).kind {
            ExprKind::Binary { op, left, right } => {
                let kind = match op {
                    BinaryOp::Add | BinaryOp::Sub => ReductionOp::Add,
                    BinaryOp::Mul | BinaryOp::Div => ReductionOp::Multiply,
                    BinaryOp::And => ReductionOp::And,
                    BinaryOp::Or => ReductionOp::Or,
                    BinaryOp::Eqv => ReductionOp::Eqv,
                    BinaryOp::Neqv => ReductionOp::Neqv,
                    _ => return None,
                };
                let commutes = !matches!(op, BinaryOp::Sub | BinaryOp::Div);
                // `s + a + b` is `(s + a) + b`.
                let below = || self.operation(id, left).filter(|k| *k == kind);
                if own(left) || commutes && own(right) { Some(kind) } else { below() }
            }
            ExprKind::Call { base, args } => {
                let ExprKind::Name(name) = self.ast.expr(base).kind else { return None };
                let kind = match self.ast.name(name) {
                    "max" | "amax1" | "dmax1" | "max0" => ReductionOp::Max,
                    "min" | "amin1" | "dmin1" | "min0" => ReductionOp::Min,
                    "iand" => ReductionOp::Iand,
                    "ior" => ReductionOp::Ior,
                    "ieor" => ReductionOp::Ieor,
                    _ => return None,
                };
                let mut args = self.ast.args(args).iter();
                args.any(|a| matches!(a.value, ArgValue::Expr(x) if own(x))).then_some(kind)
            }
            _ => None,
        }
    }

    fn bare(&self, mut x: ExprId) -> ExprId {
        while let ExprKind::Paren(inner) = self.ast.expr(x).kind {
            x = inner;
        }
        x
    }
}

fn is_extreme(op: ReductionOp) -> bool {
    matches!(op, ReductionOp::Max | ReductionOp::Min)
}
