//! Loops and nests.

use super::depend::{Dir, Level, MAX_REFS, Side, dependence};
use super::refs::{MemRef, Region};
use crate::linear::Linear;
use trueline_ir::{Block, Expr, ExprData, Head, Intrinsic, Stmt, Sym, Type, Unit};

/// A DO loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct DoLoop {
    pub(crate) stmt: Stmt,
    pub(crate) var: Sym,
    pub(crate) lo: Expr,
    pub(crate) hi: Expr,
    pub(crate) step: Expr,
    pub(crate) body: Block,
}

impl DoLoop {
    /// `s` as a DO loop.
    pub(crate) fn of(u: &Unit, s: Stmt) -> Option<DoLoop> {
        match u.head(s) {
            Head::Do { var, lo, hi, step } => Some(DoLoop { stmt: s, var, lo, hi, step, body: u.blocks(s)[0] }),
            _ => None,
        }
    }

    /// The step, if it is a constant other than 0.
    pub(crate) fn constant_step(&self, u: &Unit) -> Option<i64> {
        u.pool().as_int(self.step).filter(|&s| s != 0)
    }

    /// The number of iterations, if it is a constant.
    pub(crate) fn trips(&self, u: &Unit) -> Option<i64> {
        let step = i128::from(self.constant_step(u)?);
        let (lo, hi) = match (u.pool().as_int(self.lo), u.pool().as_int(self.hi)) {
            (Some(lo), Some(hi)) => (i128::from(lo), i128::from(hi)),
            _ => (0, i128::from(Linear::of(u, self.hi).minus(&Linear::of(u, self.lo)).as_constant()?)),
        };
        i64::try_from(((hi - lo + step) / step).max(0)).ok()
    }

    /// The largest number of iterations to expect, if the bounds, or the values assigned to them before the loop, tell:
    /// from MAX(1, j - 3) to MIN(n, j + 3) it is seven. Only an estimate, for decisions about cost.
    pub(crate) fn most_trips(&self, u: &Unit) -> Option<i64> {
        let step = self.constant_step(u)?;
        let (low, high) = if step > 0 { (self.lo, self.hi) } else { (self.hi, self.lo) };
        let distance = |lo: Expr, hi: Expr| Linear::of(u, hi).minus(&Linear::of(u, lo)).as_constant();
        let lows = parts(u, assigned_before(u, self.stmt, low), Intrinsic::Max);
        let all = parts(u, assigned_before(u, self.stmt, high), Intrinsic::Min)
            .into_iter()
            .flat_map(|h| lows.iter().map(move |&l| (l, h)));
        let least = all.filter_map(|(l, h)| distance(l, h)).min()?;
        Some(least.checked_div(step.checked_abs()?)?.checked_add(1)?.max(0))
    }

    /// As a level of a nest, for dependence tests.
    pub(crate) fn level(&self, u: &Unit) -> Option<Level> {
        Some(Level {
            var: self.var,
            lo: Linear::of(u, self.lo),
            step: self.constant_step(u)?,
            last: self.trips(u).map(|t| t - 1),
        })
    }
}

/// The value that was last assigned to the register `e` before `s` and the conditionals around it, if it was; else `e`.
fn assigned_before(u: &Unit, s: Stmt, e: Expr) -> Expr {
    let around = |x: Stmt| u.enclosing(x).filter(|&o| matches!(u.head(o), Head::If { .. }));
    let mut before = std::iter::successors(Some(s), |&x| u.prev_real(x).or_else(|| around(x))).take(12);
    let assigned = before.find_map(|x| match u.head(x) {
        Head::Assign { place, value } if place == e => Some(value),
        _ => None,
    });
    assigned.unwrap_or(e)
}

/// The arguments if `e` is that intrinsic, else `e`.
fn parts(u: &Unit, e: Expr, of: Intrinsic) -> Vec<Expr> {
    match u.expr(e) {
        ExprData::Intrinsic(i, args) if i == of => u.list(args).to_vec(),
        _ => vec![e],
    }
}

/// Whether the loop is elementwise: straight-line assignments, at least one of them to neighbouring reals, and no
/// iteration touches memory that another one writes. The code generator makes vectors of such iterations side by side.
pub(crate) fn is_elementwise(u: &Unit, l: DoLoop, region: &Region) -> bool {
    let plain = !(region.effects || region.jumps || region.labels || region.loops) && region.refs.len() <= MAX_REFS;
    if !plain || l.constant_step(u) != Some(1) {
        return false;
    }
    let assigned = |s: Stmt| matches!(u.head(s), Head::Assign { .. });
    let neighbours =
        |r: &MemRef| r.write && matches!(u.ty(r.place), Type::R4 | Type::R8) && is_unit_stride(u, l, r.place);
    if !u.real_stmts(l.body).all(assigned) || !region.refs.iter().any(neighbours) {
        return false;
    }
    let side = Side::of(u, l.stmt, l.stmt);
    let carried = |d: &[Dir]| d.iter().any(|&dir| dir != Dir::Same);
    region.refs.iter().filter(|w| w.write).all(|w| {
        region
            .refs
            .iter()
            .all(|r| !dependence(u, (w, side.as_ref()), (r, side.as_ref()), 1, &region.defined).any(carried))
    })
}

/// Whether the body of the loop has statements on vectors.
pub(crate) fn has_vectors(u: &Unit, l: DoLoop) -> bool {
    u.real_stmts(l.body).any(|s| matches!(u.head(s), Head::Assign { value, .. } if u.ty(value).is_vector()))
}

/// Whether the loop has the last iterations of one before it over the same variable, which does several at a time.
pub(crate) fn is_rest(u: &Unit, l: DoLoop) -> bool {
    let Some(before) = u.prev_real(l.stmt) else { return false };
    let first = match u.head(before) {
        Head::If { .. } => u.real_stmts(u.blocks(before)[0]).next(),
        // The loop before may leave values in registers.
        Head::Assign { .. } => std::iter::successors(Some(before), |&s| u.prev_real(s))
            .take(8)
            .find(|&s| !matches!(u.head(s), Head::Assign { .. })),
        _ => Some(before),
    };
    let Some(main) = first.and_then(|s| DoLoop::of(u, s)) else { return false };
    let steps = [main, l].map(|x| x.constant_step(u).map_or(0, i64::abs));
    main.var == l.var && steps[0] > steps[1]
}

/// Whether an element moves with the loop along the first dimension, by one each iteration.
fn is_unit_stride(u: &Unit, l: DoLoop, place: Expr) -> bool {
    let ExprData::Elem(_, subs) = u.expr(place) else { return false };
    let mut factors = u.list(subs).iter().map(|&e| Linear::of(u, e).take(u, l.var));
    factors.next() == Some(1) && factors.all(|k| k == 0)
}

/// Every DO loop, inner ones before those around them.
pub(crate) fn inner_first(u: &Unit) -> Vec<DoLoop> {
    u.walk().into_iter().rev().filter_map(|s| DoLoop::of(u, s)).collect()
}

/// Every DO loop, outer ones before those in them.
pub(crate) fn outer_first(u: &Unit) -> Vec<DoLoop> {
    u.walk().into_iter().filter_map(|s| DoLoop::of(u, s)).collect()
}

/// The only statement of `b`.
pub(crate) fn only(u: &Unit, b: Block) -> Option<Stmt> {
    let mut stmts = u.real_stmts(b);
    let first = stmts.next()?;
    stmts.next().is_none().then_some(first)
}

/// The loops that stand perfectly in one another, from `outer` inwards.
pub(crate) fn perfect_nest(u: &Unit, outer: DoLoop) -> Vec<DoLoop> {
    let mut nest = vec![outer];
    while let Some(inner) = only(u, nest[nest.len() - 1].body).and_then(|s| DoLoop::of(u, s)) {
        nest.push(inner);
    }
    nest
}

/// The DO loops around `s` inside `outer` and `outer` itself, outermost first; none if `s` is not in it.
pub(crate) fn loops_between(u: &Unit, outer: Stmt, s: Stmt) -> Option<Vec<DoLoop>> {
    let mut chain = Vec::new();
    for a in u.ancestors(s) {
        chain.extend(DoLoop::of(u, a));
        if a == outer {
            chain.reverse();
            return Some(chain);
        }
    }
    None
}
