//! Allocatables, pointers and optional arguments that must be there.

use crate::expr::Exprs;
use crate::values::Val;
use crate::variables::Variables;
use trueline_diag::Span;
use trueline_ir::{BinaryOp, Expr, ExprData, Sym, UnaryOp};
use trueline_sema::Standard;
use trueline_sema::scope::symbol::SymbolId;
use trueline_syntax::ast::{ExprId, ExprKind};

impl Variables<'_> {
    /// The allocatable or pointer `sym`, named at `x`, must be there, as its value or an element of it is used.
    pub(crate) fn check_there(&mut self, x: ExprId, sym: Sym) {
        if !self.checks().pointer || self.results.contains(&sym) {
            return;
        }
        let Some(d) = self.descriptors.get(&sym).cloned() else { return };
        let name = self.name_at(x);
        if d.is_result || name.is_empty() {
            return;
        }
        let zero = self.int8(0);
        let base = self.var(d.base);
        let missing = self.make(ExprData::Binary(BinaryOp::Eq, base, zero));
        let text = match d.is_pointer {
            true => format!("Pointer '{name}' is not associated"),
            false => format!("Allocatable variable '{name}' is not allocated"),
        };
        self.fault_if(self.ast.span(x), missing, &text, &[]);
        if d.is_pointer {
            self.check_not_gone(self.ast.span(x), &name, &d);
        }
    }

    /// The same of a value that is a variable as a whole.
    pub(crate) fn check_whole(&mut self, x: ExprId, e: Expr) {
        if let ExprData::Var(sym) = self.e.expr(e) {
            self.check_there(x, sym);
        }
    }

    /// The target of an assignment must be there, unless it is an allocatable that takes the shape of the value.
    pub(crate) fn check_target(&mut self, x: ExprId, place: Expr, value: Expr) {
        let ExprData::Var(sym) = self.e.expr(place) else { return };
        let Some(d) = self.descriptors.get(&sym) else { return };
        if d.is_pointer || self.rank(place) > 0 && self.rank(value) == 0 {
            self.check_there(x, sym);
        }
    }

    /// The optional dummy argument must be present.
    pub(crate) fn check_present(&mut self, id: SymbolId, at: Span) {
        if !self.checks().pointer || self.may_be_absent {
            return;
        }
        let Some(&flag) = self.present.get(&id) else { return };
        let (flag, zero) = (self.var(flag), self.int8(0));
        let absent = self.make(ExprData::Binary(BinaryOp::Eq, flag, zero));
        self.fault_if(at, absent, &format!("Optional argument '{}' is not present", self.symbol(id).name), &[]);
    }
}

impl Exprs<'_> {
    /// An allocatable or pointer whose shape or length is asked for must be there.
    pub(crate) fn check_inquired(&mut self, x: ExprId) {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return };
        let is_object = |id: &SymbolId| self.symbol(*id).is_variable() && !self.associates.contains_key(id);
        if !self.checks().pointer || self.resolve(name).filter(is_object).is_none() {
            return;
        }
        if let Some((sym, _)) = self.descriptor_at(x) {
            self.check_there(x, sym);
        }
    }

    /// An allocatable or pointer that is passed to a dummy argument which is neither must be there.
    pub(crate) fn check_actual(&mut self, x: ExprId, optional: bool) {
        let ExprKind::Name(name) = self.ast.expr(x).kind else { return };
        // Since Fortran 2008 an optional argument is absent if nothing is behind its pointer.
        let may_be_absent = optional && self.cx.decls.options.rules.standard >= Standard::F2008;
        if !self.checks().pointer || may_be_absent {
            return;
        }
        // An associate name is there as long as its construct is.
        let is_object = |id: &SymbolId| self.symbol(*id).is_variable() && !self.associates.contains_key(id);
        let Some(id) = self.resolve(name).filter(is_object) else { return };
        let Some((_, d)) = self.descriptor_at(x) else { return };
        let there = self.is_there(&d);
        let missing = self.make(ExprData::Unary(UnaryOp::Not, there));
        let name = &self.symbol(id).name;
        let text = match d.is_pointer {
            true => format!("Pointer actual argument '{name}' is not associated"),
            false => format!("Allocatable actual argument '{name}' is not allocated"),
        };
        let span = self.ast.span(x);
        self.fault_if(span, missing, &text, &[]);
        if d.is_pointer {
            let name = self.symbol(id).name.clone();
            self.check_not_gone(span, &name, &d);
        }
    }

    /// The same of a component, the value of which is `e`.
    pub(crate) fn check_actual_component(&mut self, x: ExprId, optional: bool, e: Expr) {
        let may_be_absent = optional && self.cx.decls.options.rules.standard >= Standard::F2008;
        let ExprData::Var(sym) = self.e.expr(e) else { return };
        let is_component = matches!(self.ast.expr(x).kind, ExprKind::Component { .. });
        if !is_component || !self.checks().pointer || may_be_absent {
            return;
        }
        let Some(d) = self.descriptors.get(&sym).cloned().filter(|d| !d.is_result) else { return };
        let there = self.is_there(&d);
        let missing = self.make(ExprData::Unary(UnaryOp::Not, there));
        let name = self.name_at(x);
        let text = match d.is_pointer {
            true => format!("Pointer actual argument '{name}' is not associated"),
            false => format!("Allocatable actual argument '{name}' is not allocated"),
        };
        let span = self.ast.span(x);
        self.fault_if(span, missing, &text, &[]);
        if d.is_pointer {
            self.check_not_gone(span, &name, &d);
        }
    }

    /// The value `v` of a POINTER function that is the actual argument `x` must have something behind it.
    pub(crate) fn check_pointer_result(&mut self, x: ExprId, v: Val) {
        let ExprData::Var(sym) = self.e.expr(v.e) else { return };
        let Some(d) = self.descriptors.get(&sym).cloned().filter(|d| d.is_pointer && self.checks().pointer) else {
            return;
        };
        let there = self.is_there(&d);
        let missing = self.make(ExprData::Unary(UnaryOp::Not, there));
        let name = match self.ast.expr(x).kind {
            ExprKind::Call { base, .. } => self.name_at(base),
            _ => String::new(),
        };
        let text = format!("Pointer actual argument '{name}' is not associated");
        let span = self.ast.span(x);
        self.fault_if(span, missing, &text, &[]);
    }
}
