//! Heads of statements: conditions, bounds of loops, selectors, and both sides of assignments.

use crate::check::conformity::{different_mask, different_sides, mismatch};
use crate::check::standard::Feature;
use crate::check::statements::Statements;
use crate::check::{Checked, allocate_objects};
use crate::typed::Typed;
use crate::types::kinds::Category;
use trueline_diag::{Diagnostic, Severity};
use trueline_syntax::ast::{AllocOption, DoControl, ExprId, ForallHeader, StmtId, StmtKind};

impl Statements<'_, '_> {
    /// Reports the fault of a check, if there is one; whether there is none.
    pub fn passes(&mut self, checked: Checked) -> bool {
        let passes = checked.is_ok();
        checked.err().into_iter().for_each(|d| self.diags.push(d));
        passes
    }

    /// Reports the fault of a check, if there is one; whether it is none, or a warning.
    pub fn goes_on(&mut self, checked: Checked) -> bool {
        let is_error = checked.as_ref().is_err_and(|d| d.severity == Severity::Error);
        self.passes(checked);
        !is_error
    }

    /// Reports values of a wrong type or rank in the head of a statement.
    pub fn head(&mut self, s: StmtId) {
        match &self.ast.stmt(s).kind {
            StmtKind::IfLogical { cond, .. } | StmtKind::ElseIf { cond } => self.condition(*cond),
            StmtKind::If(c) => self.condition(c.cond),
            StmtKind::IfArith { value, .. } => {
                let before = self.diags.errors();
                self.scalar(*value, None);
                if self.diags.errors() == before && !self.is_faulty(*value) {
                    let checked = self.site().check_arithmetic_if(*value);
                    self.passes(checked);
                }
            }
            StmtKind::Select(c) => {
                if let Some(t) = self.site().typing.of(c.selector) {
                    let checked = self.site().must_be_scalar(c.selector, &t);
                    self.passes(checked);
                }
            }
            StmtKind::Do(c) => self.control(&c.control),
            StmtKind::ForallStmt { header, .. } => self.header(header),
            StmtKind::Forall(c) => self.header(&c.header),
            StmtKind::Where(w) => self.mask(w.mask),
            StmtKind::WhereStmt { mask, .. } => self.mask(*mask),
            StmtKind::Elsewhere { mask: Some(x) } => self.mask(*x),
            StmtKind::ComputedGoto(g) => {
                self.scalar(g.selector, Some(Category::Integer));
            }
            StmtKind::Return(Some(x)) => {
                self.scalar(*x, Some(Category::Integer));
            }
            StmtKind::Stop { code, quiet, .. } => {
                self.code(*code);
                if let Some((_, x)) = quiet {
                    self.scalar(*x, Some(Category::Logical));
                }
            }
            StmtKind::Pause(code) => self.code(*code),
            StmtKind::Allocate(a) | StmtKind::Deallocate(a) => {
                let shaped = matches!(self.ast.stmt(s).kind, StmtKind::Allocate(_));
                allocate_objects::check(self.ast, a, shaped, self.diags);
                for &(option, _, x) in &a.options {
                    let category = match option {
                        AllocOption::Stat => Category::Integer,
                        AllocOption::Errmsg => Category::Character,
                        AllocOption::Source | AllocOption::Mold => continue,
                    };
                    let checked = self.site().must_be_variable_of(x, category);
                    self.passes(checked);
                }
            }
            StmtKind::Assign { target, value } => self.assignment(s, *target, *value),
            _ => {}
        }
    }

    fn condition(&mut self, x: ExprId) {
        let checked = self.site().must_be_condition(x);
        self.passes(checked);
    }

    /// Reports anything but a scalar that is no CHARACTER; and of this category, if one is given.
    pub fn scalar(&mut self, x: ExprId, category: Option<Category>) {
        let Some(t) = self.site().typing.of(x) else { return };
        let site = self.site();
        let plain = site.must_be_plain(x, &t).and_then(|()| site.must_be_scalar(x, &t));
        let checked = plain.and_then(|()| category.map_or(Ok(()), |c| site.must_be(x, &t, c)));
        self.passes(checked);
    }

    fn code(&mut self, code: Option<ExprId>) {
        let Some(x) = code else { return };
        let Some(t) = self.site().typing.of(x) else { return };
        let checked = self.site().must_be_scalar(x, &t);
        self.passes(checked);
    }

    fn control(&mut self, control: &DoControl) {
        match control {
            DoControl::Forever => {}
            DoControl::While(cond) => self.condition(*cond),
            DoControl::Concurrent(h) => self.header(h),
            DoControl::Count { from, to, step, .. } => {
                for x in [Some(*from), Some(*to), *step].into_iter().flatten() {
                    self.scalar(x, None);
                }
            }
        }
    }

    fn header(&mut self, h: &ForallHeader) {
        h.triplets.iter().for_each(|t| self.index_variable(t.index));
        for x in h.triplets.iter().flat_map(|t| [Some(t.lo), Some(t.hi), t.step]).flatten() {
            let checked = self.site().must_be_integer(x);
            self.passes(checked);
        }
        if let Some(mask) = h.mask {
            self.condition(mask);
        }
    }

    /// The mask of a WHERE or ELSEWHERE.
    fn mask(&mut self, x: ExprId) {
        let Some(t) = self.site().typing.of(x) else { return };
        let site = self.site();
        let checked = site.must_be_plain(x, &t).and_then(|()| site.must_be(x, &t, Category::Logical));
        let checked = checked.and_then(|()| match t.rank() {
            0 => Err(Diagnostic::error("T0630", site.ast.span(x), "The mask of a WHERE must be an array")),
            _ => Ok(()),
        });
        self.passes(checked);
    }

    /// Reports a variable that is assigned in a WHERE and has another shape than its mask.
    pub fn masked(&mut self, target: ExprId, value: ExprId, mask: &Typed) {
        let mut site = self.site();
        let Some(to) = site.typing.of(target) else { return };
        if mask.rank() == 0 || site.typing.assigning_procedure(target, value).is_some() {
            return;
        }
        let span = self.ast.span(target);
        if to.rank() != mask.rank() {
            let message = format!("The mask has rank {}, what is assigned rank {}", mask.rank(), to.rank());
            self.diags.push(Diagnostic::error("T0631", span, message));
        } else if let Some(found) = mismatch(mask, &to) {
            self.diags.push(different_mask(span, found));
        }
    }

    /// An array is assigned to one of its rank and shape.
    fn assignment(&mut self, s: StmtId, target: ExprId, value: ExprId) {
        let span = self.ast.stmt(s).span;
        if self.is_statement_function(target, value) {
            return self.uses(Feature::StatementFunction, span, "");
        }
        if self.defined_assignment(span, target, value) {
            return;
        }
        let checked = self.site().must_be_assignable(target);
        if !self.passes(checked) {
            return;
        }
        let mut site = self.site();
        let (Some(to), Some(from)) = (site.typing.of(target), site.typing.of(value)) else { return };
        let (m, n) = (to.rank(), from.rank());
        if n > 0 && m != n {
            let message = format!("An array of rank {n} is assigned to {}", rank_text(&to));
            self.diags.push(Diagnostic::error("T0600", self.ast.span(value), message));
        } else if let Some(found) = mismatch(&to, &from).filter(|_| n > 0) {
            let spans = (self.ast.span(target), self.ast.span(value));
            self.diags.push(different_sides(spans, found));
        } else {
            let checked = site.check_assigned(target, value, &to, &from);
            if self.goes_on(checked) {
                self.warn_assigned(target, value, &to, &from);
            }
        }
    }
}

fn rank_text(t: &Typed) -> String {
    if t.rank() == 0 { "a scalar".to_owned() } else { format!("an array of rank {}", t.rank()) }
}
