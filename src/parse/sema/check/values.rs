//! Names where a value is needed: procedures, types and groups have none, NULL() is no value, and a whole array of assumed
//! size has no shape.

use crate::check::statements::Statements;
use crate::scope::symbol::{Symbol, SymbolKind};
use crate::typed::call::Site;
use smallvec::SmallVec;
use trueline_diag::Diagnostic;
use trueline_syntax::ast::{ArgValue, ExprId, ExprKind, StmtId, StmtKind};

impl Statements<'_, '_> {
    /// Reports operands of `x` that have no value; those of a call only if they are subscripts or arguments of a statement
    /// function.
    pub fn valued_operands(&mut self, x: ExprId) {
        let ast = self.ast;
        // Each operand of an expression with a type has one.
        let may_be_wrong = |all: &mut Self| all.has_assumed_size || all.site().typing.of(x).is_none();
        let mut operands: SmallVec<[ExprId; 4]> = SmallVec::new();
        match ast.expr(x).kind {
            ExprKind::Call { .. } | ExprKind::Unary { .. } | ExprKind::Binary { .. } if !may_be_wrong(self) => return,
            ExprKind::Call { base, args } => {
                if let ExprKind::Name(name) = ast.expr(base).kind {
                    let Some(id) = self.site().typing.resolve(name) else { return };
                    let s = &self.decls.symbols[id];
                    match s.kind {
                        SymbolKind::Variable if s.interface.is_none() => {}
                        SymbolKind::Parameter | SymbolKind::StatementFunction { .. } => {}
                        _ => return,
                    }
                } else if self.site().typing.procedure_pointer(base).is_some() {
                    return;
                }
                for a in ast.args(args) {
                    if let ArgValue::Expr(x) = a.value {
                        operands.push(x);
                    }
                }
            }
            ExprKind::Name(_) | ExprKind::Component { .. } => return,
            _ => crate::visit::operands(ast, x, &mut |o| operands.push(o)),
        }
        operands.into_iter().for_each(|o| self.valued(o));
    }

    /// Reports an expression without a value, or without a shape.
    fn valued(&mut self, x: ExprId) {
        if !matches!(self.ast.expr(x).kind, ExprKind::Name(_) | ExprKind::Call { .. }) {
            return;
        }
        let site = self.site();
        let fault = site.no_value(x, false).or_else(|| site.no_shape(x));
        fault.into_iter().for_each(|d| self.diags.push(d));
    }

    /// Reports expressions of a statement that have no value.
    pub fn valued_parts(&mut self, s: StmtId, parts: &[ExprId]) {
        match &self.ast.stmt(s).kind {
            StmtKind::PointerAssign { .. }
            | StmtKind::Call { .. }
            | StmtKind::Nullify(_)
            | StmtKind::Deallocate(_)
            | StmtKind::Select(_) => {}
            StmtKind::Assign { target, value } => {
                let fault = self.site().no_shape(*target);
                fault.into_iter().for_each(|d| self.diags.push(d));
                self.valued(*value);
            }
            StmtKind::Allocate(_) | StmtKind::Associate(_) => {
                for &x in parts {
                    let fault = self.site().no_value(x, false);
                    fault.into_iter().for_each(|d| self.diags.push(d));
                }
            }
            StmtKind::Io(_) => {
                for &x in parts {
                    if !self.is_group(x) {
                        self.valued(x);
                    }
                }
            }
            _ => parts.iter().for_each(|&x| self.valued(x)),
        }
    }
}

impl Site<'_, '_> {
    /// The fault of a name, or of NULL(), that has no value. `takes_any`: a variable of TYPE(*) may stand there.
    pub fn no_value(&self, x: ExprId, takes_any: bool) -> Option<Diagnostic> {
        let span = self.ast.span(x);
        let name = match self.ast.expr(x).kind {
            ExprKind::Name(name) => name,
            ExprKind::Call { .. } if self.typing.is_null(x) => {
                return Some(Diagnostic::error("T0679", span, "NULL() can only stand where a pointer is expected"));
            }
            _ => return None,
        };
        let s = self.symbol(self.typing.resolve(name)?);
        match s.kind {
            SymbolKind::Variable if s.attrs.assumed_type && !takes_any => Some(self.of_any_type(x, s)),
            SymbolKind::Variable | SymbolKind::Parameter | SymbolKind::Error => None,
            _ => {
                let message = format!("'{}' is not a variable", s.name);
                Some(Diagnostic::error("T0521", span, message).because(s.span, "declared here"))
            }
        }
    }

    /// The error that `x` is the variable `s` of TYPE(*), or part of it, where it cannot stand.
    pub fn of_any_type(&self, x: ExprId, s: &Symbol) -> Diagnostic {
        let message =
            format!("'{}' is TYPE(*): it can only be passed to another TYPE(*), C_LOC or an inquiry function", s.name);
        Diagnostic::error("T0589", self.ast.span(x), message)
    }

    /// The fault of a whole array of assumed size where its shape is needed.
    pub fn no_shape(&self, x: ExprId) -> Option<Diagnostic> {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return None };
        let s = self.symbol(self.typing.resolve(name)?);
        if !s.is_variable() || !s.is_assumed_size() {
            return None;
        }
        let message = format!("The assumed-size array '{}' has no shape", s.name);
        let d = Diagnostic::error("T0520", self.ast.span(x), message);
        Some(d.help("give the upper bound of its last dimension: a section such as (1:n)"))
    }
}
