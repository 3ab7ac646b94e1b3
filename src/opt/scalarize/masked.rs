//! WHERE and ELSEWHERE.
//!
//! The mask is evaluated once, before any branch: into a temporary, unless every element that the
//! branches assign is read, if at all, as that very element; then one nest of loops does it all.

use super::Lowering;
use super::overlap::base_of;
use crate::OptLevel;
use crate::alias::may_overlap;
use trueline_ir::{BinaryOp, Block, Editor, Expr, ExprData, Head, Place, Stmt, Sym, Type, Why};

impl Lowering<'_, '_, '_> {
    /// A WHERE that stands in no FORALL.
    pub(super) fn where_statement(&mut self, s: Stmt) {
        if assignments_below(self.ed, s).is_empty() {
            self.ed.eliminate(s, Why::Dead);
            return;
        }
        self.where_here(s);
        self.consume(s);
    }

    /// The code of the WHERE `s`, at the current place.
    pub(super) fn where_here(&mut self, s: Stmt) {
        let mark = self.frees.len();
        if self.context.level >= OptLevel::O1 && self.is_elementwise(s) {
            self.where_in_one_nest(s);
        } else {
            self.where_branches(s, None);
        }
        self.free_to(mark);
    }

    /// Removes the rest of a WHERE or FORALL after its code has been made. Its counting code stays.
    pub(super) fn consume(&mut self, s: Stmt) {
        for inner in self.ed.walk_stmt(s).into_iter().rev() {
            if self.ed.head(inner).is_invisible() {
                continue;
            }
            for b in self.ed.blocks(inner).to_vec() {
                self.ed.splice_lowered(inner, b);
            }
            self.ed.expanded(inner);
        }
    }

    fn where_branches(&mut self, s: Stmt, outer: Option<Expr>) {
        let Head::Where { mask } = self.ed.head(s) else { return };
        let from = std::mem::replace(&mut self.from, s);
        self.ready.clear();
        let mask = self.prepare(mask);
        let mask = self.default_logical(mask);
        let mask = match outer {
            Some(outer) => self.ed.binary(BinaryOp::And, outer, mask),
            None => mask,
        };
        let mask = if trueline_ir::fault("where_mask_again") { mask } else { self.stored_mask(mask) };
        let [body, otherwise] = *self.ed.blocks(s) else { unreachable!("WHERE has two blocks") };
        self.where_block(body, mask);
        let not = self.not(mask);
        let rest = match outer {
            Some(outer) => self.ed.binary(BinaryOp::And, outer, not),
            None => not,
        };
        self.where_block(otherwise, rest);
        self.from = from;
    }

    fn where_block(&mut self, b: Block, mask: Expr) {
        for s in self.ed.real_stmts(b).collect::<Vec<_>>() {
            match self.ed.head(s) {
                Head::ArrayAssign { place, value } => {
                    let from = std::mem::replace(&mut self.from, s);
                    self.array_assign(place, value, Some(mask));
                    self.from = from;
                }
                _ => self.where_branches(s, Some(mask)),
            }
        }
    }

    /// A logical array as default logical.
    pub(super) fn default_logical(&mut self, mask: Expr) -> Expr {
        if self.ed.ty(mask) == Type::L4 { mask } else { self.ed.make(ExprData::Convert(Type::L4, mask)) }
    }

    /// Whether the WHERE `s` can be done element by element: no expression in it needs loops of its own, and each array
    /// that `s` assigns is read only in the very section that is assigned.
    fn is_elementwise(&self, s: Stmt) -> bool {
        let all = self.ed.walk_stmt(s);
        let written: Vec<(Expr, Sym)> = assignments_below(self.ed, s);
        let exprs: Vec<Expr> = all.iter().flat_map(|&x| self.ed.values(self.ed.head(x))).collect();
        written.iter().all(|&(place, _)| self.ed.ty(place) != Type::Char)
            && !exprs.iter().any(|&e| self.needs_loops(e))
            && (reads_only_itself(self.ed, &exprs, &written) || trueline_ir::fault("where_elementwise"))
    }

    /// Whether computing an element of `e` needs code before the loops.
    fn needs_loops(&self, e: Expr) -> bool {
        let mut found = false;
        self.ed.visit_expr(e, &mut |x| {
            found |= match self.ed.expr(x) {
                ExprData::Intrinsic(i, _) => i.is_transformational(),
                ExprData::Constructor(..) => true,
                _ => false,
            }
        });
        found
    }

    fn where_in_one_nest(&mut self, s: Stmt) {
        self.ready.clear();
        // Bounds are evaluated before the loops; a second look gives the same registers.
        for x in self.ed.walk_stmt(s) {
            match self.ed.head(x) {
                Head::ArrayAssign { place, value } => {
                    self.prepare(place);
                    self.prepare(value);
                }
                Head::Where { mask } => {
                    self.prepare(mask);
                }
                _ => {}
            }
        }
        let first = assignments_below(self.ed, s)[0].0;
        let place = self.prepare(first);
        let axes = self.axes(place);
        let at = self.at;
        let ordinals = self.open_nest(&axes);
        self.where_element(s, &ordinals);
        self.at = at;
        self.ready.clear();
    }

    fn where_element(&mut self, s: Stmt, ordinals: &[Expr]) {
        let (from, at) = (std::mem::replace(&mut self.from, s), self.at);
        match self.ed.head(s) {
            Head::ArrayAssign { place, value } => {
                let (place, value) = (self.prepare(place), self.prepare(value));
                let to = self.element(place, ordinals);
                let value = self.element(value, ordinals);
                self.assign(to, value);
            }
            Head::Where { mask } => {
                let mask = self.prepare(mask);
                let cond = self.element(mask, ordinals);
                let new = self.emit(Head::If { cond });
                let arms: Vec<(Block, Block)> =
                    self.ed.blocks(s).iter().copied().zip(self.ed.blocks(new).iter().copied()).collect();
                for (source, arm) in arms {
                    for inner in self.ed.real_stmts(source).collect::<Vec<_>>() {
                        self.at = Place::End(arm);
                        self.where_element(inner, ordinals);
                    }
                }
            }
            _ => {}
        }
        (self.from, self.at) = (from, at);
    }
}

/// The left sides of the assignments in `s`, with their arrays, in order.
pub(super) fn assignments_below(ed: &Editor<'_>, s: Stmt) -> Vec<(Expr, Sym)> {
    ed.walk_stmt(s)
        .into_iter()
        .filter_map(|x| match ed.head(x) {
            Head::ArrayAssign { place, .. } | Head::Assign { place, .. } => Some((place, base_of(ed, place)?)),
            _ => None,
        })
        .collect()
}

/// Whether `exprs` read the arrays in `written` only at the very places that are written.
pub(super) fn reads_only_itself(ed: &Editor<'_>, exprs: &[Expr], written: &[(Expr, Sym)]) -> bool {
    let disjoint =
        written.iter().all(|&(place, array)| written.iter().all(|&(p, a)| p == place || !may_overlap(ed, array, a)));
    let mut fine = disjoint;
    for &e in exprs {
        ed.visit_expr(e, &mut |x| {
            if let Some(base) = base_of(ed, x) {
                fine &= written.iter().all(|&(place, array)| x == place || !may_overlap(ed, array, base));
            }
        });
    }
    fine
}
