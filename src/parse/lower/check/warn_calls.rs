//! Warnings about calls and associations.

use crate::lower::Lower;
use crate::lower::call::Actual;
use crate::sema::check::warning_flags::Warning;
use crate::sema::check::warnings::warning;
use crate::sema::scope::symbol::{Home, ProcedureClass, SymbolId};
use trueline_diag::{Diagnostic, Span};
use trueline_ir::Intent;
use trueline_syntax::ast::{ArgValue, ExprId, ExprKind};

impl Lower<'_, '_> {
    fn warns(&self, which: Warning) -> bool {
        self.cx.decls.options.warnings.has(which)
    }

    /// A call of a procedure of which only the name is known.
    pub(crate) fn warn_interface(&mut self, id: SymbolId, span: Span, explicit: bool) {
        let s = self.symbol(id);
        let external = s.procedure().is_some_and(|p| p.class == ProcedureClass::External);
        if explicit || !external {
            return;
        }
        let mut hosts = std::iter::successors(Some(self.home), |&h| self.cx.decls.scopes[h].parent);
        if let Some(none) = hosts.find_map(|h| self.cx.decls.scopes[h].no_external).filter(|_| !s.attrs.external) {
            let message = format!("The procedure '{}' is not declared, as IMPLICIT NONE (EXTERNAL) asks for", s.name);
            let d = Diagnostic::error("T0586", span, message).because(none, "asked for here");
            self.report(d.help("Declare it EXTERNAL, or give an interface"));
            return;
        }
        if self.warns(Warning::ImplicitInterface) {
            let text = format!("Procedure '{}' called with an implicit interface", s.name);
            self.diags.push(warning(Warning::ImplicitInterface, span, &text));
        } else if self.warns(Warning::ImplicitProcedure) && !s.attrs.external {
            let text = format!("Procedure '{}' called is not explicitly declared", s.name);
            self.diags.push(warning(Warning::ImplicitProcedure, span, &text));
        }
    }

    /// A variable that is passed to be read and, as another argument, to be changed.
    pub(crate) fn warn_aliases(&mut self, actuals: &[Actual], dummies: &[Option<SymbolId>]) {
        if !self.warns(Warning::Aliasing) {
            return;
        }
        let mut passed: Vec<(SymbolId, SymbolId, Span)> = Vec::new();
        for (k, actual) in actuals.iter().enumerate() {
            let Some(ArgValue::Expr(x)) = actual.value else { continue };
            let ExprKind::Name(name) = self.ast.expr(x).kind else { continue };
            let (Some(id), Some(dummy)) = (self.resolve(name), dummies.get(k).copied().flatten()) else { continue };
            if !self.symbol(id).is_variable() {
                continue;
            }
            for &(other, other_dummy, _) in &passed {
                let intents = [self.symbol(other_dummy).intent, self.symbol(dummy).intent];
                let clash = matches!(
                    intents,
                    [Intent::In, Intent::Out] | [Intent::Out, Intent::In] | [Intent::Out, Intent::Out]
                );
                if other == id && clash {
                    let text = format!(
                        "Same actual argument associated with INTENT({}) argument '{}' and INTENT({}) argument '{}'",
                        word(intents[0]),
                        self.symbol(other_dummy).name,
                        word(intents[1]),
                        self.symbol(dummy).name
                    );
                    self.diags.push(warning(Warning::Aliasing, self.ast.span(x), &text));
                }
            }
            passed.push((id, dummy, self.ast.span(x)));
        }
    }

    /// A pointer that may live longer than the local variable it points to.
    pub(crate) fn warn_lifetime(&mut self, pointer: ExprId, target: ExprId) {
        if !self.warns(Warning::TargetLifetime) {
            return;
        }
        let (Some(p), Some(t)) = (self.root_of(pointer), self.root_of(target)) else { return };
        let (p, t) = (self.symbol(p), self.symbol(t));
        let a = &t.attrs;
        let kept = a.save || a.pointer || a.common || self.cx.decls.scopes[t.scope].save_all;
        let ends = matches!(t.home, Home::Frame | Home::Register | Home::Automatic) && !kept && t.scope == self.home;
        let outlives = p.scope != t.scope || p.attrs.save || p.attrs.result || matches!(p.home, Home::Dummy { .. });
        if t.is_variable() && ends && outlives {
            let text = "Pointer in pointer assignment might outlive the pointer target";
            self.diags.push(warning(Warning::TargetLifetime, self.ast.span(target), text));
        }
    }

    /// An assignment that may allocate.
    pub(crate) fn warn_reallocation(&mut self, target: ExprId, rank: usize) {
        let array = rank > 0 && self.warns(Warning::ReallocLhs);
        if array || self.warns(Warning::ReallocLhsAll) {
            let which = if array { Warning::ReallocLhs } else { Warning::ReallocLhsAll };
            let what = if rank > 0 { "array" } else { "variable" };
            let text = format!("Code for reallocating the allocatable {what} will be added");
            self.diags.push(warning(which, self.ast.span(target), &text));
        }
    }

    /// A loop whose variable must go beyond the largest or smallest number of its type to end it.
    pub(crate) fn warn_overflow(&mut self, span: Span, bits: u32, to: Option<i64>, step: Option<i64>) {
        let (Some(to), Some(step)) = (to, step) else { return };
        let most = i64::MAX >> (64 - bits);
        let beyond = step.abs() == 1 && to.checked_add(step).is_none_or(|end| end > most || end < -most - 1);
        if beyond && self.warns(Warning::UndefinedDoLoop) {
            let text = "The DO loop is undefined as its variable overflows";
            self.diags.push(warning(Warning::UndefinedDoLoop, span, text));
        }
    }

    /// A range of CASE that holds no value.
    pub(crate) fn warn_empty_range(&mut self, span: Span) {
        if self.warns(Warning::Surprising) {
            self.diags.push(warning(Warning::Surprising, span, "The range can never be matched"));
        }
    }
}

fn word(intent: Intent) -> &'static str {
    if matches!(intent, Intent::In) { "IN" } else { "OUT" }
}
