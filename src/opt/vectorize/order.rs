//! The order of references: whether the statements of a strip may be done one after the other.

use crate::analysis::depend::{Dependence, Dir, Side, dependence};
use crate::analysis::loops::DoLoop;
use crate::analysis::refs::{MemRef, Region};
use crate::linear::Linear;
use rustc_hash::FxHashMap;
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, Head, Obstacle, Stmt, Type, Unit};

/// The number of vectors that may be on their way to the cache.
pub(super) const ON_THE_WAY: i64 = 4;
/// More questions are not asked before a loop.
pub(super) const MOST_TESTS: usize = 2;

/// The distance of two references to one array, in iterations: the first touches an element this number of iterations before the other. If the first comes
/// first in an iteration, too, the distance must not be negative, else not positive, or so large that no strip has both.
#[derive(Clone, Debug)]
pub(super) struct Test {
    pub(super) distance: Linear,
    pub(super) first: bool,
}

impl Test {
    /// Whether it asks what `other` asks: the same, or the same of the second reference.
    fn asks(&self, other: &Test) -> bool {
        let (a, b) = (&self.distance, &other.distance);
        let k = if self.first == other.first { 1 } else { -1 };
        a.constant == b.constant.wrapping_mul(k)
            && a.terms.iter().copied().eq(b.terms.iter().map(|&(e, by)| (e, by.wrapping_mul(k))))
    }
}

/// Under which conditions the references of a strip may be made statement by statement.
pub(super) struct Order {
    pub(super) tests: Vec<Test>,
    /// The most iterations of a strip.
    pub(super) longest: i64,
}

impl Order {
    pub(super) fn of(
        u: &Unit,
        l: DoLoop,
        region: &Region,
        stmts: &[Stmt],
        down: bool,
        lanes: i64,
    ) -> Result<Order, Option<Obstacle>> {
        let side = Side::of(u, l.stmt, l.stmt);
        let numbers: FxHashMap<Stmt, usize> = stmts.iter().enumerate().map(|(k, &s)| (s, k)).collect();
        // A statement reads before it writes.
        let time = |r: &MemRef| numbers.get(&r.stmt).map(|k| 2 * k + usize::from(r.write));
        let is_conditional = stmts.iter().any(|&s| matches!(u.head(s), Head::If { .. }));
        let mut order = Order { tests: Vec::new(), longest: i64::MAX };
        for w in region.refs.iter().filter(|r| r.write) {
            for r in &region.refs {
                let first = time(r) < time(w);
                let is_fine = match dependence(u, (w, side.as_ref()), (r, side.as_ref()), 1, &region.defined) {
                    Dependence::Never => true,
                    Dependence::Any => false,
                    Dependence::In(ways) => ways.iter().all(|way| match way.first() {
                        Some(Dir::Same) => true,
                        Some(Dir::After) => !r.write && (first || trueline_ir::fault("vectorize_order")),
                        _ => trueline_ir::fault("vectorize_carried"),
                    }),
                };
                if is_fine {
                    continue;
                }
                let is_overlap = w.sym != r.sym;
                // An element that is written twice has the later value in the end, too, if nothing is kept from its place.
                let may_be_asked = !r.write || !is_conditional;
                let far = distance(u, l, region, r.place, w.place, down).filter(|_| may_be_asked && !is_overlap);
                if r.write && far.is_some() && trueline_ir::fault("vectorize_writes") {
                    continue;
                }
                if !far.is_some_and(|distance| order.take(Test { distance, first }, lanes)) {
                    return Err(Some(if is_overlap { Obstacle::Overlap } else { Obstacle::Carried }));
                }
            }
        }
        Ok(order)
    }

    /// Whether a read and a write that are so far apart are no obstacle, or can be found to be none before the loop.
    fn take(&mut self, test: Test, lanes: i64) -> bool {
        let Some(known) = test.distance.as_constant() else {
            if !self.tests.iter().any(|t| t.asks(&test)) {
                self.tests.push(test);
            }
            return self.tests.len() <= MOST_TESTS;
        };
        // A vector that is loaded from two that have just been stored waits for both.
        let far = known.saturating_abs();
        let waits = known < 0 && far % lanes != 0 && far < ON_THE_WAY * lanes;
        self.longest = self.longest.min(far);
        far >= lanes && !waits
    }
}

/// How many iterations before `b` touches an element `a` does, if that is the same for all.
pub(super) fn distance(u: &Unit, l: DoLoop, region: &Region, a: Expr, b: Expr, down: bool) -> Option<Linear> {
    let (ExprData::Elem(x, i), ExprData::Elem(y, j)) = (u.expr(a), u.expr(b)) else { return None };
    if x != y {
        return None;
    }
    let mut far = None;
    for (k, (&i, &j)) in u.list(i).iter().zip(u.list(j)).enumerate() {
        let (mut i, mut j) = (Linear::of(u, i), Linear::of(u, j));
        if i.take(u, l.var) != j.take(u, l.var) {
            return None;
        }
        let apart = if down { j.minus(&i) } else { i.minus(&j) };
        if k == 0 {
            far = Some(apart);
        } else if apart.as_constant() != Some(0) {
            return None;
        }
    }
    let fixed = |e: Expr| !u.reads_memory(e) && !u.may_trap(e) && region.keeps_registers(u, e);
    far.filter(|f| f.terms.iter().all(|&(e, k)| fixed(e) && k.abs() == 1 && matches!(u.expr(e), ExprData::Var(_))))
}

/// The condition under which the loop may be done in strips.
pub(super) fn condition(ed: &mut Editor<'_>, tests: &[Test], strip: i64) -> Option<Expr> {
    let mut all: Option<Expr> = None;
    for t in tests {
        let distance = t.distance.build(ed);
        let strip = if trueline_ir::fault("vectorize_distance") { 0 } else { strip };
        let (zero, far) = (ed.int(Type::I8, 0), ed.int(Type::I8, if t.first { -strip } else { strip }));
        let ops = if t.first { [BinaryOp::Ge, BinaryOp::Le] } else { [BinaryOp::Le, BinaryOp::Ge] };
        let (near, apart) = (ed.binary(ops[0], distance, zero), ed.binary(ops[1], distance, far));
        let one = ed.binary(BinaryOp::Or, near, apart);
        all = Some(all.map_or(one, |other| ed.binary(BinaryOp::And, other, one)));
    }
    all
}
