//! Registers of a nest whose value is a sum of loop variables and of values that are known before it: bounds and subscripts look through them.
//!
//! ```text
//! do j = 1, t.1
//!   t.2 = m + 1          bounds in memory are read each time
//!   do i = 1, t.2        up to m + 1, which does not change
//! ```

use super::nest::Scan;
use crate::linear::{Linear, is_integer};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{Block, Expr, ExprData, Stmt, Sym, Unit};

/// Such registers, as far as the nest has been looked at.
#[derive(Default)]
pub(super) struct Forward {
    /// Registers that one statement of the nest defines.
    once: FxHashSet<Sym>,
    /// The values, and the blocks of the statements that define them.
    values: FxHashMap<Sym, (Block, Linear)>,
    /// The statement in which values are looked through; none if they are not.
    pub(super) at: Option<Stmt>,
}

impl Forward {
    pub(super) fn of(u: &Unit, stmts: &[Stmt]) -> Forward {
        let mut count: FxHashMap<Sym, u32> = FxHashMap::default();
        for v in stmts.iter().flat_map(|&s| u.may_define(u.head(s))) {
            *count.entry(v).or_default() += 1;
        }
        let once = count.into_iter().filter(|&(_, n)| n == 1).map(|(v, _)| v).collect();
        Forward { once, ..Forward::default() }
    }

    /// The sum that an expression is, if that is known through registers.
    pub(super) fn other(&self, u: &Unit, e: Expr) -> Option<Linear> {
        let plain = Linear::of(u, e);
        let sum = self.through(u, plain.clone());
        (sum.terms != plain.terms || sum.constant != plain.constant).then_some(sum)
    }

    /// The sum with values in place of the registers.
    pub(super) fn through(&self, u: &Unit, sum: Linear) -> Linear {
        let Some(at) = self.at else { return sum };
        let known = |t: Expr| match u.expr(t) {
            ExprData::Var(v) => self.values.get(&v).filter(|(b, _)| {
                let mut around = std::iter::once(at).chain(u.ancestors(at));
                around.any(|x| u.parent(x) == Some(*b))
            }),
            _ => None,
        };
        let mut out = Linear { constant: sum.constant, ..Linear::default() };
        for &(t, factor) in &sum.terms {
            match known(t) {
                Some((_, value)) => {
                    out.constant = out.constant.wrapping_add(value.constant.wrapping_mul(factor));
                    value.terms.iter().for_each(|&(x, k)| out.add_term(x, k.wrapping_mul(factor)));
                }
                None => out.add_term(t, factor),
            }
        }
        out
    }
}

impl Scan<'_> {
    /// Notes the value that statement `s`, in loop `inner`, gives a register. It stands before all statements that see it: those behind it in its block.
    pub(super) fn note_value(&mut self, s: Stmt, place: Expr, value: Expr, inner: Option<usize>) {
        let (ExprData::Var(v), Some(block)) = (self.u.expr(place), self.u.parent(s)) else { return };
        if !self.forward.once.contains(&v) || !self.u.sym(v).is_register() || !is_integer(self.u.ty(value)) {
            return;
        }
        self.forward.at = Some(s);
        let sum = self.forward.through(self.u, Linear::of(self.u, value));
        self.forward.at = None;
        let vars: Vec<Sym> = self.chain(inner).into_iter().map(|l| self.found.loops[l].l.var).collect();
        let is_var = |t: Expr| matches!(self.u.expr(t), ExprData::Var(x) if vars.contains(&x));
        if sum.terms.iter().all(|&(t, _)| is_var(t) || self.is_known(t)) {
            self.forward.values.insert(v, (block, sum));
        }
    }

    /// Whether the bounds of loop `l` and of those around it can be evaluated behind the nest.
    pub(super) fn has_bounds_behind(&self, l: usize) -> bool {
        let vars: Vec<Sym> = self.found.loops.iter().map(|a| a.l.var).collect();
        self.chain(Some(l)).into_iter().all(|l| {
            let of = &self.found.loops[l].l;
            let mut registers = [of.lo, of.hi].into_iter().flat_map(|e| self.u.registers_in(e));
            registers.all(|v| vars.contains(&v) || !self.region.defined.contains(&v))
        })
    }
}
