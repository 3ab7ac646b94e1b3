//! Arrays that a nest of loops certainly gives values to, each element of them.
//!
//! ```text
//! real :: a(n, m)
//! do j = 1, m
//!   do i = 1, n
//!     a(i, j) = …
//!   end do
//! end do               =>   defined.a = 1
//! ```
//!
//! The loops run over all of the array's bounds, the assignment is under no condition, and nothing jumps. From there on elements need
//! not be asked one by one. Loops over constant bounds that are a part of the array's fill a region: elements with subscripts that
//! stay in it, as those of later loops do, need not be asked either.

use crate::control::Body;
use crate::expr::Exprs;
use trueline_ir::{Intent, Sym, Type};
use trueline_sema::scope::symbol::{Extent, SymbolId};
use trueline_syntax::ast::{ArgValue, BinaryOp, BlockId, DoConstruct, DoControl, ExprId, ExprKind, StmtId, StmtKind};

/// A loop of the nest: its variable and its bounds.
type Loop = (SymbolId, ExprId, ExprId);

/// The first and the last value of a subscript.
type Range = (i64, i64);

/// Elements that have a value.
#[derive(Clone)]
pub(crate) struct Region {
    of: SymbolId,
    dims: Vec<Range>,
    /// A name for the fact that they have it, which no statement mentions.
    fact: Sym,
}

impl Body<'_> {
    /// Behind the loop `d`: the arrays that it fills have all their values.
    pub(crate) fn note_filled(&mut self, d: &DoConstruct) {
        if self.in_forall || !self.checks().undefined || self.shadows.is_empty() || self.jumps(d.body) {
            return;
        }
        let (mut filled, mut regions) = (Vec::new(), Vec::new());
        self.filled_by(d, &mut Vec::new(), &mut filled, &mut regions);
        for (of, dims) in regions {
            if self.has_fixed_shadow(of) && !filled.contains(&of) {
                let fact = self.register("filled", Type::I4);
                self.e.make_certain(fact);
                self.regions.push(Region { of, dims, fact });
            }
        }
        filled.sort_unstable();
        filled.dedup();
        for id in filled {
            if let Some(&all) = self.defined.get(&id) {
                self.e.set_flag(all);
            }
        }
    }

    /// Whether a statement may be left out.
    fn jumps(&self, block: BlockId) -> bool {
        self.ast.block(block).iter().any(|&s| self.may_jump(s))
    }

    fn may_jump(&self, s: StmtId) -> bool {
        let mut jumps = matches!(
            self.ast.stmt(s).kind,
            StmtKind::Cycle(_) | StmtKind::Exit(_) | StmtKind::AssignedGoto(_) | StmtKind::Entry(_)
        );
        trueline_sema::visit::jump_labels(self.ast, s, &mut |_| jumps = true);
        let mut inside = Vec::new();
        trueline_sema::visit::stmt_children(self.ast, s, &mut |child, _| inside.push(child));
        jumps || inside.into_iter().any(|child| self.may_jump(child))
    }

    /// The range of the variable of `d`, if it is constant.
    pub(crate) fn constant_range(&mut self, d: &DoConstruct) -> Option<(SymbolId, i64, i64)> {
        let DoControl::Count { var, from, to, step: None } = d.control else { return None };
        let (from, to) = (self.typing().integer(from)?, self.typing().integer(to)?);
        Some((self.resolve(var.name)?, from, to)).filter(|_| from <= to)
    }

    fn filled_by(
        &mut self,
        d: &DoConstruct,
        around: &mut Vec<Loop>,
        out: &mut Vec<SymbolId>,
        regions: &mut Vec<(SymbolId, Vec<Range>)>,
    ) {
        let DoControl::Count { var, from, to, step: None } = d.control else { return };
        if self.labels.open.contains_key(&d.body) {
            return;
        }
        let Some(id) = self.resolve(var.name) else { return };
        around.push((id, from, to));
        let range = self.constant_range(d);
        let left = self.ranges.len();
        self.ranges.extend(range);
        // A loop that may be empty fills nothing: then its variable and those of the loops in it have no ranges here.
        let is_constant = around.iter().all(|l| self.ranges.iter().any(|r| r.0 == l.0));
        for &s in self.ast.block(d.body) {
            match &self.ast.stmt(s).kind {
                StmtKind::Assign { target, .. } => {
                    out.extend(self.filled_at(*target, around));
                    let part = self.subscript_ranges(*target, Some(around.as_slice())).filter(|_| is_constant);
                    regions.extend(part.filter(|(_, dims)| !dims.is_empty()));
                }
                StmtKind::Do(inner) => self.filled_by(inner, around, out, regions),
                _ => {}
            }
        }
        around.pop();
        self.ranges.truncate(left);
    }

    /// The array of which `target` is each element in turn.
    fn filled_at(&mut self, target: ExprId, loops: &[Loop]) -> Option<SymbolId> {
        let ExprKind::Call { base, args } = self.ast.expr(target).kind else { return None };
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return None };
        let id = self.resolve(name).filter(|&id| self.has_shadow(id) && !self.associates.contains_key(&id))?;
        let shape = self.symbol(id).shape.clone();
        let mut used: Vec<SymbolId> = Vec::new();
        for (arg, bounds) in self.ast.args(args).iter().zip(&shape) {
            let ArgValue::Expr(x) = arg.value else { return None };
            let ExprKind::Name(index) = self.ast.expr(x).kind else { return None };
            let index = self.resolve(index)?;
            let &(_, from, to) = loops.iter().find(|l| l.0 == index && !used.contains(&index))?;
            used.push(index);
            if !self.is_bound(&bounds.lower, from) || !self.is_bound(&bounds.upper, to) {
                return None;
            }
        }
        (used.len() == shape.len()).then_some(id)
    }

    /// Whether `x` is the bound of an array: the same constant, or an argument that nobody changes.
    fn is_bound(&mut self, bound: &Extent, x: ExprId) -> bool {
        if let Some(n) = bound.known() {
            return self.typing().integer(x) == Some(n);
        }
        let (Extent::Entry(own), ExprKind::Name(name)) = (bound, &self.ast.expr(x).kind) else { return false };
        let ExprKind::Name(declared) = self.ast.expr(*own).kind else { return false };
        let id = self.resolve(*name);
        id.is_some() && id == self.resolve(declared) && id.is_some_and(|id| self.symbol(id).intent == Intent::In)
    }
}

impl Exprs<'_> {
    /// The variable of which `x` is an element, and the ranges of its subscripts; in a `nest` all of their combinations must occur: each of its
    /// loops is in one subscript at most, and no other loop is.
    fn subscript_ranges(&mut self, x: ExprId, nest: Option<&[Loop]>) -> Option<(SymbolId, Vec<Range>)> {
        let ExprKind::Call { base, args } = self.ast.expr(x).kind else { return None };
        let ExprKind::Name(name) = self.ast.expr(base).kind else { return None };
        let id = self.resolve(name).filter(|&id| self.has_shadow(id) && !self.associates.contains_key(&id))?;
        let ast = self.ast;
        let mut used: Vec<SymbolId> = Vec::new();
        let mut dims = Vec::new();
        for arg in ast.args(args) {
            let ArgValue::Expr(x) = arg.value else { return None };
            let (range, index) = self.range_of(x)?;
            if let (Some(nest), Some(index)) = (nest, index) {
                if used.contains(&index) || nest.iter().all(|l| l.0 != index) {
                    return None;
                }
                used.push(index);
            }
            dims.push(range);
        }
        Some((id, dims))
    }

    /// The range of a constant, of the variable of a loop around, or of the sum or difference of the two.
    fn range_of(&mut self, x: ExprId) -> Option<(Range, Option<SymbolId>)> {
        if let Some(n) = self.typing().integer(x) {
            return Some(((n, n), None));
        }
        match self.ast.expr(x).kind {
            ExprKind::Name(name) => {
                let id = self.resolve(name).filter(|id| self.hidden.find(*id).is_none())?;
                let &(_, from, to) = self.ranges.iter().rev().find(|r| r.0 == id)?;
                Some(((from, to), Some(id)))
            }
            ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), left, right } => {
                let n = self.typing().integer(right)?;
                let n = if op == BinaryOp::Sub { n.checked_neg()? } else { n };
                let ((from, to), index) = self.range_of(left)?;
                Some(((from.checked_add(n)?, to.checked_add(n)?), index))
            }
            _ => None,
        }
    }

    /// Whether the element `x` is in a region that has its values.
    pub(crate) fn is_in_region(&mut self, x: ExprId) -> bool {
        if self.regions.is_empty() || self.in_forall {
            return false;
        }
        let Some((id, dims)) = self.subscript_ranges(x, None) else { return false };
        let is_within = |outer: &[Range]| outer.iter().zip(&dims).all(|(o, d)| o.0 <= d.0 && d.1 <= o.1);
        self.regions.iter().any(|r| r.of == id && is_within(&r.dims) && self.e.is_certain(r.fact))
    }
}
