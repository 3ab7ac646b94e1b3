//! WHERE.
//!
//! All expressions of a WHERE are lowered before it is pushed: inside there are array assignments only. If
//! an expression needs more than that (a call, a temporary, CHARACTER, structures), the masks are stored and the
//! statements follow one after the other, each under its mask, so that it sees the results of those before.

use crate::control::Body;
use crate::values::{Checked, Val, refused};
use trueline_diag::Span;
use trueline_ir::{Expr, ExprData, Head};
use trueline_sema::types::kinds::Category;
use trueline_syntax::ast::{Arm, BlockId, ExprId, StmtId, StmtKind, WhereConstruct};

/// A statement of a WHERE, its expressions lowered.
enum Masked {
    Assign { stmt: StmtId, place: Val, value: Val },
    Where { stmt: StmtId, branches: Vec<Branch> },
}

/// One branch of a WHERE: its mask (none for ELSEWHERE alone) and its statements.
struct Branch {
    head: Option<StmtId>,
    mask: Option<Expr>,
    body: Vec<Masked>,
}

impl Body<'_> {
    pub(crate) fn where_statement(&mut self, mask: ExprId, body: StmtId) {
        let (serial, span) = (self.serial, self.ast.span(mask));
        let checked = self.checks_expressions();
        // A mention of a variable whose definition is watched is a statement, too.
        if (self.defined.is_empty() || self.in_forall) && self.site().where_stands_alone(mask, &[body], checked) {
            return self.whole_where(span, |l| {
                let like = l.mask(mask, None);
                let body = l.masked(body, like);
                vec![Branch { head: None, mask: Some(like), body: vec![body] }]
            });
        }
        self.set_source_at(serial, span);
        let mut rest = None;
        let mask = self.next_mask(Some(mask), &mut rest);
        self.in_order(&[body], mask)
    }

    pub(crate) fn where_construct(&mut self, w: &WhereConstruct) {
        let (serial, span) = (self.serial, self.ast.span(w.mask));
        let checked = self.checks_expressions();
        if (self.defined.is_empty() || self.in_forall) && self.site().construct_stands_alone(w, checked) {
            return self.whole_where(span, |l| l.branches(w));
        }
        self.set_source_at(serial, span);
        self.branches_in_order(w, None)
    }

    /// A WHERE whose expressions need nothing before it.
    fn whole_where(&mut self, span: Span, lower: impl FnOnce(&mut Self) -> Vec<Branch>) {
        let (serial, before) = (self.serial, self.last_stmt());
        let branches = lower(self);
        self.set_source_at(serial, span);
        assert!(self.last_stmt() == before, "a WHERE that says that it needs no statements before it has some");
        self.push_branches(&branches);
    }

    fn branches(&mut self, w: &WhereConstruct) -> Vec<Branch> {
        let like = Some(self.mask(w.mask, None));
        let mut branches = vec![Branch { head: None, mask: like, body: self.masked_block(w.body, like) }];
        for arm in &w.arms {
            self.set_source_stmt(arm.head);
            let mask = self.elsewhere_mask(arm, like);
            let body = self.masked_block(arm.body, like);
            branches.push(Branch { head: Some(arm.head), mask, body });
        }
        branches
    }

    fn elsewhere_mask(&mut self, arm: &Arm, like: Option<Expr>) -> Option<Expr> {
        match self.ast.stmt(arm.head).kind {
            StmtKind::Elsewhere { mask: Some(x) } => Some(self.mask(x, like)),
            _ => None,
        }
    }

    /// A logical array, conformable to the masks around it.
    fn mask(&mut self, x: ExprId, like: Option<Expr>) -> Expr {
        let e = self.value(x);
        self.must_be(e, Category::Logical);
        if self.rank(e) == 0 {
            refused();
        }
        if let Some(like) = like {
            self.may_conform(like, e);
        }
        e
    }

    fn masked_block(&mut self, block: BlockId, mask: Option<Expr>) -> Vec<Masked> {
        let mut out = Vec::new();
        for &s in self.ast.block(block) {
            if let Some(mask) = mask {
                out.push(self.masked(s, mask));
            }
        }
        out
    }

    fn masked(&mut self, s: StmtId, mask: Expr) -> Masked {
        self.set_source_stmt(s);
        match &self.ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                let (place, value) = self.assignment_parts(*target, *value);
                if self.rank(place.e) != self.rank(mask) {
                    refused();
                }
                Masked::Assign { stmt: s, place, value }
            }
            StmtKind::WhereStmt { mask: inner, body } => {
                let inner = self.mask(*inner, Some(mask));
                let body = self.masked(*body, inner);
                let branch = Branch { head: None, mask: Some(inner), body: vec![body] };
                Masked::Where { stmt: s, branches: vec![branch] }
            }
            StmtKind::Where(w) => Masked::Where { stmt: s, branches: self.branches(w) },
            _ => refused(),
        }
    }

    fn branches_in_order(&mut self, w: &WhereConstruct, outer: Option<Expr>) {
        let mut rest = outer;
        let mask = self.next_mask(Some(w.mask), &mut rest);
        self.in_order(self.ast.block(w.body), mask);
        for arm in &w.arms {
            self.set_source_stmt(arm.head);
            let x = match self.ast.stmt(arm.head).kind {
                StmtKind::Elsewhere { mask } => mask,
                _ => None,
            };
            let mask = self.next_mask(x, &mut rest);
            self.in_order(self.ast.block(arm.body), mask);
        }
    }

    /// The stored mask of a branch: the elements of the `rest` that satisfy `x`. They leave the rest.
    fn next_mask(&mut self, x: Option<ExprId>, rest: &mut Option<Expr>) -> Expr {
        let mask = match (x, *rest) {
            (None, rest) => rest.checked(),
            (Some(x), None) => self.mask(x, None),
            (Some(x), Some(rest)) => {
                let mask = self.mask(x, Some(rest));
                self.check_conform(x, rest, mask);
                self.both(rest, mask)
            }
        };
        let mask = self.stored_mask(mask);
        let not = self.not(mask);
        *rest = Some(match *rest {
            Some(rest) => {
                let both = self.both(rest, not);
                self.stored_mask(both)
            }
            None => not,
        });
        mask
    }

    /// Statements under a stored mask.
    fn in_order(&mut self, body: &[StmtId], mask: Expr) {
        for &s in body {
            self.set_source_stmt(s);
            self.under_mask(s, mask);
        }
    }

    fn under_mask(&mut self, s: StmtId, mask: Expr) {
        match &self.ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                let outer = self.masking.replace(mask);
                let is_defined = self.defined_assignment(s, *target, *value);
                let parts = (!is_defined).then(|| self.masked(s, mask));
                self.masking = outer;
                if let Some(Masked::Assign { place, value: v, .. }) = parts {
                    self.check_conform(*target, mask, place.e);
                    self.check_conform(*value, place.e, v.e);
                    let value = v;
                    self.assign_masked(mask, place, value);
                }
            }
            StmtKind::WhereStmt { mask: inner, body } => {
                let mut rest = Some(mask);
                let mask = self.next_mask(Some(*inner), &mut rest);
                self.in_order(&[*body], mask)
            }
            StmtKind::Where(w) => self.branches_in_order(w, Some(mask)),
            _ => {}
        }
    }

    fn both(&mut self, a: Expr, b: Expr) -> Expr {
        let b = self.convert(trueline_ir::Type::L4, b);
        self.make(ExprData::Binary(trueline_ir::BinaryOp::And, a, b))
    }

    fn stored_mask(&mut self, mask: Expr) -> Expr {
        let mask = self.convert(trueline_ir::Type::L4, mask);
        let shape = self.shape(mask);
        let temp = self.memory(trueline_ir::Type::L4, None, &shape);
        let place = self.var(temp);
        self.assign(place, mask);
        place
    }

    fn assign_masked(&mut self, mask: Expr, place: Val, value: Val) {
        let (Some(to), Some(from)) = (self.as_str(place), self.as_str(value)) else {
            if let Some(id) = self.structure_at(place.e) {
                return self.structures_masked(mask, place.e, value.e, id);
            }
            let w = self.push(Head::Where { mask });
            let body = self.e.blocks(w)[0];
            let after = self.enter(body);
            self.push(Head::ArrayAssign { place: place.e, value: value.e });
            self.enter(after);
            return;
        };
        let from = if self.may_overlap(to.place, from.place) { self.copy_str(from) } else { from };
        let shape = self.shape(to.place);
        let (at, outer) = self.open_elements(&shape);
        let cond = self.element(mask, &at);
        self.open_if(cond);
        let (to, from) = (self.str_element(to, &at), self.str_element(from, &at));
        self.assign_str(to, from);
        self.enter(outer);
    }

    fn structures_masked(
        &mut self,
        mask: Expr,
        to: Expr,
        from: Expr,
        id: trueline_sema::types::structure::StructureId,
    ) {
        let from = if self.may_overlap(to, from) { self.owned_copy(from, id) } else { from };
        let shape = self.shape(to);
        let (at, outer) = self.open_elements(&shape);
        let cond = self.element(mask, &at);
        self.open_if(cond);
        let (to, from) = (self.element(to, &at), self.element(from, &at));
        self.store_structure(to, from, id);
        self.enter(outer);
    }

    /// One with a mask is a WHERE in the second block of the one before.
    fn push_branches(&mut self, branches: &[Branch]) {
        let after = self.block();
        for branch in branches {
            if let Some(head) = branch.head {
                self.set_source_stmt(head);
            }
            if let Some(mask) = branch.mask {
                let w = self.push(Head::Where { mask });
                let (body, otherwise) = (self.e.blocks(w)[0], self.e.blocks(w)[1]);
                self.enter(body);
                self.push_masked(&branch.body);
                self.enter(otherwise);
            } else {
                self.push_masked(&branch.body);
            }
        }
        self.enter(after);
    }

    fn push_masked(&mut self, body: &[Masked]) {
        for m in body {
            match m {
                Masked::Assign { stmt, place, value, .. } => {
                    self.set_source_stmt(*stmt);
                    self.push(Head::ArrayAssign { place: place.e, value: value.e });
                }
                Masked::Where { stmt, branches } => {
                    self.set_source_stmt(*stmt);
                    self.push_branches(branches);
                }
            }
        }
    }
}
