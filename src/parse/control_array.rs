//! WHERE.
//!
//! All expressions of a WHERE are lowered before it is pushed, so that what they need (calls,
//! temporaries) stands before it: inside there are array assignments only.

use crate::expr::{Failed, Lowered, Val};
use crate::kinds::Category;
use crate::lower::Lower;
use trueline_ir::{Expr, ExprData, Head};
use trueline_syntax::ast::{Arm, BlockId, ExprId, StmtId, StmtKind, WhereConstruct};

/// A statement of a WHERE, its expressions lowered.
enum Masked {
    Assign { stmt: StmtId, place: Val, value: Val },
    Where { stmt: StmtId, branches: Vec<Branch> },
}

impl Masked {
    /// Whether it assigns CHARACTER anywhere.
    fn has_strings(&self) -> bool {
        match self {
            Masked::Assign { place, .. } => place.len.is_some(),
            Masked::Where { branches, .. } => branches.iter().any(|b| b.body.iter().any(Masked::has_strings)),
        }
    }
}

/// One branch of a WHERE: its mask (none for ELSEWHERE alone) and its statements.
struct Branch {
    head: Option<StmtId>,
    mask: Option<Expr>,
    body: Vec<Masked>,
}

impl Lower<'_, '_> {
    pub(crate) fn where_statement(&mut self, mask: ExprId, body: StmtId) -> Lowered<()> {
        let (serial, span) = (self.serial, self.ast.span(mask));
        let mask = self.mask(mask, None)?;
        let body = self.masked(body, mask)?;
        self.set_source_at(serial, span);
        self.push_where(&[Branch { head: None, mask: Some(mask), body: vec![body] }]);
        Ok(())
    }

    pub(crate) fn where_construct(&mut self, w: &WhereConstruct) -> Lowered<()> {
        let (serial, span) = (self.serial, self.ast.span(w.mask));
        let branches = self.branches(w)?;
        self.set_source_at(serial, span);
        self.push_where(&branches);
        Ok(())
    }

    fn branches(&mut self, w: &WhereConstruct) -> Lowered<Vec<Branch>> {
        let mask = self.mask(w.mask, None);
        let like = mask.ok();
        let mut branches = vec![Branch { head: None, mask: like, body: self.masked_block(w.body, like) }];
        if let Some(arm) = w.arms.get(500) {
            let span = self.ast.stmt(arm.head).span;
            return Err(self.error("T0620", span, "More than 500 branches in one WHERE"));
        }
        for arm in &w.arms {
            self.set_source_stmt(arm.head);
            let mask = self.elsewhere_mask(arm, like)?;
            let body = self.masked_block(arm.body, like);
            branches.push(Branch { head: Some(arm.head), mask, body });
        }
        mask?;
        Ok(branches)
    }

    fn elsewhere_mask(&mut self, arm: &Arm, like: Option<Expr>) -> Lowered<Option<Expr>> {
        match self.ast.stmt(arm.head).kind {
            StmtKind::Elsewhere { mask: Some(x) } => Ok(Some(self.mask(x, like)?)),
            _ => Ok(None),
        }
    }

    /// A logical array, conformable to the masks around it.
    fn mask(&mut self, x: ExprId, like: Option<Expr>) -> Lowered<Expr> {
        let e = self.value(x)?;
        self.must_be(x, e, Category::Logical)?;
        if self.rank(e) == 0 {
            return Err(self.error("T0630", self.ast.span(x), "The mask of a WHERE must be an array"));
        }
        if let Some(like) = like {
            self.conform(x, like, e)?;
        }
        Ok(e)
    }

    fn masked_block(&mut self, block: BlockId, mask: Option<Expr>) -> Vec<Masked> {
        let mut out = Vec::new();
        for &s in self.ast.block(block) {
            if let Some(mask) = mask {
                out.extend(self.masked(s, mask));
            }
        }
        out
    }

    fn masked(&mut self, s: StmtId, mask: Expr) -> Lowered<Masked> {
        self.set_source_stmt(s);
        match &self.ast.stmt(s).kind {
            StmtKind::Assign { target, value } => {
                let (place, value) = self.assignment_parts(*target, *value)?;
                let span = self.ast.span(*target);
                if self.rank(place.e) != self.rank(mask) {
                    let (m, n) = (self.rank(mask), self.rank(place.e));
                    let message = format!("The mask has rank {m}, what is assigned rank {n}");
                    return Err(self.error("T0631", span, message));
                }
                if let Some((dim, p, q)) = self.mismatch(mask, place.e) {
                    let message = format!("The mask has {p} elements on dimension {dim}, what is assigned {q}");
                    return Err(self.error("T0631", span, message));
                }
                Ok(Masked::Assign { stmt: s, place, value })
            }
            StmtKind::WhereStmt { mask: inner, body } => {
                let inner = self.mask(*inner, Some(mask))?;
                let body = self.masked(*body, inner)?;
                let branch = Branch { head: None, mask: Some(inner), body: vec![body] };
                Ok(Masked::Where { stmt: s, branches: vec![branch] })
            }
            StmtKind::Where(w) => Ok(Masked::Where { stmt: s, branches: self.branches(w)? }),
            StmtKind::Error => Err(Failed),
            _ => {
                let message = "Only assignments and WHERE stand in a WHERE";
                Err(self.error("T0632", self.ast.stmt(s).span, message))
            }
        }
    }

    /// Pushes a WHERE with its ELSEWHERE branches.
    fn push_where(&mut self, branches: &[Branch]) {
        if branches.iter().any(|b| b.body.iter().any(Masked::has_strings)) {
            self.push_by_element(branches, None);
        } else {
            self.push_branches(branches);
        }
    }

    /// The WHERE with assignments of CHARACTER: masks in memory, such assignments as loops.
    fn push_by_element(&mut self, branches: &[Branch], outer: Option<Expr>) {
        let mut rest = outer;
        for branch in branches {
            if let Some(head) = branch.head {
                self.set_source_stmt(head);
            }
            let mask = match (branch.mask, rest) {
                (Some(m), Some(r)) => self.both(r, m),
                (Some(m), None) | (None, Some(m)) => m,
                (None, None) => return,
            };
            let mask = self.stored_mask(mask);
            let not = self.not(mask);
            rest = Some(match rest {
                Some(r) => {
                    let r = self.both(r, not);
                    self.stored_mask(r)
                }
                None => not,
            });
            for m in &branch.body {
                match m {
                    Masked::Assign { stmt, place, value } => {
                        self.set_source_stmt(*stmt);
                        self.assign_masked(mask, *place, *value);
                    }
                    Masked::Where { stmt, branches } => {
                        self.set_source_stmt(*stmt);
                        self.push_by_element(branches, Some(mask));
                    }
                }
            }
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
                Masked::Assign { stmt, place, value } => {
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
