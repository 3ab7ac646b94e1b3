//! SELECT CASE: the type of the selector, and CASE values that are not of it, or are given twice.

use crate::check::statements::Statements;
use crate::check::warnings::flags::Warning;
use crate::check::warnings::warning;
use crate::constant::eval::const_eval;
use crate::constant::{Const, Scalar};
use crate::types::kinds::{Category, type_name};
use smallvec::SmallVec;
use trueline_diag::{Diagnostic, Span};
use trueline_syntax::ast::{Arm, CaseRange, CaseSelector, ExprId, SelectConstruct, StmtKind};

/// The lowest and highest value of a CASE, and where it stands.
type Range = (i64, i64, Span);

impl Statements<'_, '_> {
    /// Reports the faults of a SELECT CASE, unless its selector has an error.
    pub fn select(&mut self, c: &SelectConstruct) {
        let Some(t) = self.site().typing.of(c.selector).filter(|t| t.rank() == 0) else { return };
        let category = Category::of(t.ty);
        let is_text = category == Category::Character && t.structure.is_none();
        if !is_text && !matches!(category, Category::Integer | Category::Logical) {
            let message = format!("SELECT CASE needs INTEGER, LOGICAL or CHARACTER, not {}", type_name(t.ty));
            self.diags.push(Diagnostic::error("T0624", self.ast.span(c.selector), message));
            return;
        }
        let mut ranges: Vec<Range> = Vec::new();
        for arm in &c.arms {
            let StmtKind::Case(CaseSelector::Ranges(items)) = &self.ast.stmt(arm.head).kind else { continue };
            for r in items {
                if is_text {
                    [r.lo, r.hi].into_iter().flatten().for_each(|x| self.case_text(x));
                } else {
                    ranges.extend(self.case_range(r, category));
                }
            }
        }
        self.overlaps(ranges);
    }

    /// Reports a second CASE DEFAULT.
    pub fn defaults(&mut self, c: &SelectConstruct) {
        let is_default = |arm: &&Arm| matches!(self.ast.stmt(arm.head).kind, StmtKind::Case(CaseSelector::Default));
        let defaults: SmallVec<[Arm; 2]> = c.arms.iter().filter(is_default).copied().collect();
        let checked = self.site().check_defaults(&defaults);
        self.passes(checked);
    }

    /// The values of a CASE; none if there are none, or they are wrong.
    fn case_range(&mut self, r: &CaseRange, category: Category) -> Option<Range> {
        if category == Category::Logical && r.lo != r.hi {
            self.diags.push(Diagnostic::error("T0625", r.span, "A CASE of LOGICAL values has no ranges"));
            return None;
        }
        let lo = r.lo.map(|x| self.case_value(x, category));
        let hi = r.hi.map(|x| self.case_value(x, category));
        let (lo, hi) = (lo.unwrap_or(Some(i64::MIN))?, hi.unwrap_or(Some(i64::MAX))?);
        if lo > hi {
            if self.decls.options.warnings.has(Warning::Surprising) {
                self.diags.push(warning(Warning::Surprising, r.span, "The range can never be matched"));
            }
            return None;
        }
        Some((lo, hi, r.span))
    }

    fn case_value(&mut self, x: ExprId, category: Category) -> Option<i64> {
        let value = self.case_constant(x)?;
        let found = value.scalar().map(|s| Category::of(s.ty()));
        match (value.scalar(), found == Some(category)) {
            (Some(Scalar::Int(_, v)), true) => Some(*v),
            (Some(Scalar::Logical(_, v)), true) => Some(i64::from(*v)),
            _ => {
                let found = found.map_or("an array", Category::keyword);
                let message = format!("A CASE value must be {} like the selector, not {found}", category.keyword());
                self.diags.push(Diagnostic::error("T0625", self.ast.span(x), message));
                None
            }
        }
    }

    fn case_text(&mut self, x: ExprId) {
        let Some(value) = self.case_constant(x) else { return };
        if !matches!(value, Const::Scalar(Scalar::Char(_))) {
            let message = "A CASE value must be CHARACTER like the selector";
            self.diags.push(Diagnostic::error("T0625", self.ast.span(x), message));
        }
    }

    fn case_constant(&mut self, x: ExprId) -> Option<Const> {
        match const_eval(self.decls, self.scope, x) {
            Ok(value) => Some(value),
            Err(why) => {
                why.report("A CASE value").into_iter().for_each(|d| self.diags.push(d));
                None
            }
        }
    }

    fn overlaps(&mut self, mut ranges: Vec<Range>) {
        ranges.sort_by_key(|r| (r.0, r.1));
        let Some(mut last) = ranges.first().copied() else { return };
        for &range in &ranges[1..] {
            if last.1 >= range.0 {
                let (first, second) = if last.2.start <= range.2.start { (last.2, range.2) } else { (range.2, last.2) };
                let d = Diagnostic::error("T0626", second, "This CASE overlaps another");
                self.diags.push(d.because(first, "the other"));
            }
            if range.1 >= last.1 {
                last = range;
            }
        }
    }
}
