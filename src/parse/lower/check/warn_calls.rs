//! Warnings about allocations and loops.

use crate::lower::source::Source;
use crate::sema::check::warning_flags::Warning;
use crate::sema::check::warnings::warning;
use trueline_diag::Span;
use trueline_syntax::ast::ExprId;

impl Source<'_, '_> {
    fn warns(&self, which: Warning) -> bool {
        self.cx.decls.options.warnings.has(which)
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
}
