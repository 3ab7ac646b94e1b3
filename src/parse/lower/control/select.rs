//! SELECT CASE.

use crate::control::Body;
use crate::values::{Str, Val, refused};
use trueline_ir::{BinaryOp, Block, Expr, ExprData, Head, Type};
use trueline_sema::constant::eval::const_eval;
use trueline_sema::constant::{Const, Scalar};
use trueline_sema::types::kinds::{Category, int_range};
use trueline_syntax::ast::{Arm, CaseSelector, ExprId, SelectConstruct, StmtId, StmtKind};

/// The number of a case, and the first and the last value of a range of it, if there are.
type Range = (usize, Option<i64>, Option<i64>);

impl Body<'_> {
    pub(crate) fn select(&mut self, stmt: StmtId, c: &SelectConstruct) {
        let temps = self.open_temps();
        let selector = self.expr(c.selector);
        self.must_be_scalar(selector.e);
        let (cases, defaults) = split_default(self.ast, &c.arms);
        let default = defaults.first().copied();
        let head = match self.select_head(selector, &cases) {
            Head::Select { value, ranges } if self.has_temps(temps) => {
                Head::Select { value: self.in_register(value), ranges }
            }
            head => head,
        };
        self.close_temps(temps);
        self.open_construct(c.name, false);
        let s = self.push_select(head, cases.len() + 1);
        let blocks = self.e.blocks(s).to_vec();
        let after = self.block();
        let bodies = cases.iter().copied().map(Some).chain([default]);
        let mut order: Vec<(Arm, Block)> = bodies.zip(blocks).filter_map(|(a, b)| Some((a?, b))).collect();
        order.sort_by_key(|(arm, _)| arm.head);
        for (arm, block) in order {
            self.enter(block);
            self.block_of(arm.body);
        }
        self.enter(after);
        self.set_source_stmt(stmt);
        self.close_construct();
    }

    fn select_head(&mut self, v: Val, cases: &[Arm]) -> Head {
        if let Some(s) = self.as_str(v) {
            return match self.character_ranges(s, cases) {
                Some(ranges) => {
                    let code = self.ichar(s);
                    let value = self.convert(Type::I4, code);
                    self.select_of(value, Type::I4, ranges)
                }
                None => self.select_string(s, cases),
            };
        }
        let ty = self.ty(v.e);
        let category = Category::of(ty);
        if !matches!(category, Category::Integer | Category::Logical) {
            refused();
        }
        let mut ranges: Vec<Range> = Vec::new();
        for (k, arm) in cases.iter().enumerate() {
            let StmtKind::Case(CaseSelector::Ranges(items)) = &self.ast.stmt(arm.head).kind else { continue };
            for r in items {
                let lo = r.lo.map(|x| self.case_value(x));
                let hi = r.hi.map(|x| self.case_value(x));
                if lo.zip(hi).is_none_or(|(lo, hi)| lo <= hi) {
                    ranges.push((k, lo, hi));
                }
            }
        }
        let (low, high) = int_range(if category == Category::Logical { Type::I4 } else { ty });
        let fits = ranges.iter().flat_map(|r| [r.1, r.2]).flatten().all(|v| (low..=high).contains(&v));
        let ty = match (category, fits) {
            (Category::Logical, _) => Type::I4,
            (_, true) => ty,
            _ => Type::I8,
        };
        let value = self.convert(ty, v.e);
        self.select_of(value, ty, ranges)
    }

    fn select_of(&mut self, value: Expr, ty: Type, ranges: Vec<Range>) -> Head {
        let mut list = Vec::new();
        for (k, lo, hi) in ranges {
            let none = self.make(ExprData::None);
            let number = self.int8(k as i64);
            let [lo, hi] = [lo, hi].map(|v| v.map_or(none, |v| self.e.int(ty, v)));
            list.extend([number, lo, hi]);
        }
        Head::Select { value, ranges: self.b.list(&list) }
    }

    /// The cases of a selector of one character as ranges of codes, which are in the order of the characters. None if the selector or
    /// a bound has another length.
    fn character_ranges(&self, s: Str, cases: &[Arm]) -> Option<Vec<Range>> {
        if self.e.pool().as_int(s.len) != Some(1) {
            return None;
        }
        let code = |x: ExprId| match const_eval(self.cx.decls, self.scope, x) {
            Ok(Const::Scalar(Scalar::Char(text))) if text.len() == 1 => Some(i64::from(text[0])),
            _ => None,
        };
        let mut out = Vec::new();
        for (k, arm) in cases.iter().enumerate() {
            let StmtKind::Case(CaseSelector::Ranges(items)) = &self.ast.stmt(arm.head).kind else { continue };
            for r in items {
                let range = (
                    k,
                    r.lo.map_or(Some(None), |x| code(x).map(Some))?,
                    r.hi.map_or(Some(None), |x| code(x).map(Some))?,
                );
                if range.1.zip(range.2).is_none_or(|(lo, hi)| lo <= hi) {
                    out.push(range);
                }
            }
        }
        Some(out)
    }

    fn case_value(&self, x: ExprId) -> i64 {
        match const_eval(self.cx.decls, self.scope, x) {
            Ok(Const::Scalar(Scalar::Int(_, v))) => v,
            Ok(Const::Scalar(Scalar::Logical(_, v))) => i64::from(v),
            _ => refused(),
        }
    }

    /// Characters: the number of the case is found by comparisons, then selected.
    fn select_string(&mut self, s: Str, cases: &[Arm]) -> Head {
        let found = self.register("case", Type::I4);
        let zero = self.int4(0);
        self.e.set(found, zero);
        let mut list = Vec::new();
        for (k, arm) in cases.iter().enumerate() {
            let number = self.int4(k as i64 + 1);
            let block = self.int8(k as i64);
            list.extend([block, number, number]);
            let StmtKind::Case(CaseSelector::Ranges(items)) = &self.ast.stmt(arm.head).kind else { continue };
            for r in items {
                let so_far = self.var(found);
                let open = self.make(ExprData::Binary(BinaryOp::Eq, so_far, zero));
                let lo = r.lo.map(|x| self.case_string(x));
                let hi = r.hi.map(|x| self.case_string(x));
                let (after, _) = self.open_if(open);
                let (at_least, at_most) = if r.lo == r.hi { (BinaryOp::Eq, None) } else { (BinaryOp::Ge, hi) };
                let lo = lo.map(|lo| self.compare_strs(at_least, s, lo));
                let hi = at_most.map(|hi| self.compare_strs(BinaryOp::Le, s, hi));
                let cond = match (lo, hi) {
                    (Some(a), Some(b)) => self.make(ExprData::Binary(BinaryOp::And, a, b)),
                    (Some(a), None) | (None, Some(a)) => a,
                    (None, None) => self.logical(true),
                };
                let (inner, _) = self.open_if(cond);
                self.e.set(found, number);
                self.enter(inner);
                self.enter(after);
            }
        }
        let value = self.var(found);
        Head::Select { value, ranges: self.b.list(&list) }
    }

    fn case_string(&mut self, x: ExprId) -> Str {
        match const_eval(self.cx.decls, self.scope, x) {
            Ok(Const::Scalar(Scalar::Char(text))) => self.text(&text),
            _ => refused(),
        }
    }
}

/// The arms in order without CASE DEFAULT, and those.
fn split_default(ast: &trueline_syntax::ast::Ast, arms: &[Arm]) -> (Vec<Arm>, Vec<Arm>) {
    let is_default = |a: &Arm| matches!(ast.stmt(a.head).kind, StmtKind::Case(CaseSelector::Default));
    arms.iter().copied().partition(|a| !is_default(a))
}
