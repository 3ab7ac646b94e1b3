//! Trips of a loop by its limit: lowered loops know one past the last value, which tells the trips without a test for none.
//!
//! ```text
//! tally @3 += trip(m, n, 1)                first = m
//! first = m                                limit = merge(n + 1, first, first <= n)
//! limit = merge(n + 1, first, first <= n)  tally @3 += limit - first
//! i = first                         =>     i = first
//! branch first <= n, L1, L2                branch first <= n, L1, L2
//! ```

use crate::edit::Editor;
use crate::entities::{Expr, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::{Intrinsic, Type, Unit};
use trueline_provenance::Stmt;

/// The most statements that a tally passes on its way to the loop.
const FAR: usize = 64;

impl Editor<'_> {
    /// Moves the tallies before `s` whose amount is `trips` to `s`, where that amount is `distance`.
    pub fn count_by_distance(&mut self, s: Stmt, trips: Expr, distance: Expr) {
        if self.reads_memory(trips) {
            return;
        }
        for t in found(self, s, trips) {
            let head = match self.head(t) {
                Head::Tally { counter, .. } => Head::Tally { counter, amount: distance },
                Head::Trips { counter, times, spread, .. } => Head::Trips { counter, trips: distance, times, spread },
                _ => continue,
            };
            self.unit.unlink(t);
            self.unit.insert_before(t, s);
            self.unit.stmts[t].head = head;
        }
    }

    /// The number of steps of one from `low` up to `high`, of the same type, which are not further apart than the values of type `of`.
    pub fn distance(&mut self, low: Expr, high: Expr, of: Type) -> Expr {
        let n = self.binary(BinaryOp::Sub, high, low);
        match mask(of) {
            Some(mask) => {
                let (n, mask) = (self.widen(n), self.int(Type::I8, mask));
                self.intrinsic(Intrinsic::Iand, &[n, mask])
            }
            None => n,
        }
    }
}

/// The bits of a distance between values of `ty`, one of which may have wrapped; none if all bits of an `INTEGER(8)` count.
fn mask(ty: Type) -> Option<i64> {
    match ty {
        Type::I1 => Some(0xff),
        Type::I2 => Some(0xffff),
        Type::I4 => Some(0xffff_ffff),
        _ => None,
    }
}

/// The tallies before `s` of the amount `trips`, first ones first, if nothing between them and `s` changes what they add.
fn found(unit: &Unit, s: Stmt, trips: Expr) -> Vec<Stmt> {
    let mut changed: Vec<Sym> = Vec::new();
    let mut out = Vec::new();
    let is_fixed =
        |e: Expr, changed: &[Sym]| !unit.reads_memory(e) && unit.registers_in(e).iter().all(|v| !changed.contains(v));
    for p in std::iter::successors(unit.prev(s), |&p| unit.prev(p)).take(FAR) {
        match unit.head(p) {
            Head::Tally { amount, .. } if amount == trips && is_fixed(trips, &changed) => out.push(p),
            Head::Trips { trips: n, times, spread: false, .. }
                if n == trips && is_fixed(trips, &changed) && is_fixed(times, &changed) =>
            {
                out.push(p);
            }
            Head::Tally { .. } | Head::Trips { .. } | Head::Probe { .. } => {}
            Head::Ghost { var, .. } => changed.push(var),
            Head::Assign { place, .. } => match unit.expr(place) {
                ExprData::Var(v) if unit.sym(v).is_register() => changed.push(v),
                _ => break,
            },
            _ => break,
        }
    }
    out.reverse();
    out
}
