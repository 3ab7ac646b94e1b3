//! The least and the greatest values of registers that a nest assigns: a counter is as great as the iterations let it become, and
//! any other register has one of the values that are assigned to it, or that it has before the nest.

use super::extremes::{Nest, add_multiple, is_before, one_of};
use crate::analysis::loops::DoLoop;
use crate::linear::{Linear, is_integer};
use trueline_ir::{Editor, Expr, ExprData, Head, Intrinsic, Stmt, Sym, Type, Unit};

/// The most assignments to a register.
const MOST: usize = 4;

impl Nest<'_> {
    /// The least (or the greatest) value of the register `v` at `at`.
    pub(super) fn end_of_register(
        &self,
        ed: &mut Editor<'_>,
        at: Stmt,
        v: Sym,
        least: bool,
        steps: &mut u32,
    ) -> Option<Linear> {
        let all = self.definitions.get(&v)?.clone();
        if self.region.labels || all.len() > MOST || !is_integer(ed.sym(v).ty) {
            return None;
        }
        let var = ed.var(v);
        let mut values: Vec<(Stmt, Expr)> = Vec::new();
        for &s in &all {
            match ed.head(s) {
                Head::Assign { place, value } if place == var => values.push((s, value)),
                _ => return None,
            }
        }
        if let [(s, value)] = values[..]
            && ed.mentions(value, v)
        {
            return self.end_of_counter(ed, at, (v, s, value), least);
        }
        let mut ends: Vec<Linear> = Vec::new();
        if !all.iter().any(|&d| is_before(ed, d, at)) {
            ends.push(self.at_entry(ed, v)?);
        }
        for (s, value) in values {
            if ed.mentions(value, v) || ed.may_trap(value) {
                return None;
            }
            let sum = Linear::of(ed, value);
            ends.push(if least {
                self.least(ed, s, sum, steps)?
            } else {
                let negative = Linear::default().minus(&sum);
                Linear::default().minus(&self.least(ed, s, negative, steps)?)
            });
        }
        one_of(ed, if least { Intrinsic::Min } else { Intrinsic::Max }, &ends)
    }

    /// The same for `v`, to which the assignment `s` in the loop adds a constant.
    fn end_of_counter(
        &self,
        ed: &mut Editor<'_>,
        at: Stmt,
        (v, s, value): (Sym, Stmt, Expr),
        least: bool,
    ) -> Option<Linear> {
        let mut by = Linear::of(ed, value);
        if by.take(ed, v) != 1 {
            return None;
        }
        let by = by.as_constant()?;
        let mut end = self.at_entry(ed, v)?;
        if least == (by > 0) {
            // It only moves away from here, and has moved once if `s` comes first.
            end.constant = end.constant.checked_add(if is_before(ed, s, at) { by } else { 0 })?;
            return Some(end);
        }
        if ed.ancestors(s).find(|&a| ed.head(a).is_loop()) != Some(self.root) {
            return None;
        }
        let l = DoLoop::of(ed, self.root)?;
        if !self.runs_by_itself(ed, &l) {
            return None;
        }
        let mut trips = match (l.trips(ed), l.constant_step(ed)?) {
            (Some(trips), _) => Linear { constant: trips, ..Linear::default() },
            (None, 1) => Linear::of(ed, l.hi).minus(&Linear::of(ed, l.lo)),
            (None, -1) => Linear::of(ed, l.lo).minus(&Linear::of(ed, l.hi)),
            _ => return None,
        };
        trips.constant = trips.constant.checked_add(i64::from(l.trips(ed).is_none()))?;
        if !trips.terms.iter().all(|t| self.is_fixed(ed, t.0)) {
            return None;
        }
        if !trueline_ir::fault("uncheck_counter_once") {
            add_multiple(&mut end, &trips, by)?;
        }
        Some(end)
    }

    /// The value of `v` before the nest: a constant, or a register that stands for it.
    fn at_entry(&self, ed: &mut Editor<'_>, v: Sym) -> Option<Linear> {
        let value = assigned_before(ed, self.root, v)?;
        if let Some(constant) = ed.pool().as_int(value) {
            return Some(Linear { constant, ..Linear::default() });
        }
        let known = self.entries.borrow().iter().find(|e| e.1 == v).map(|e| e.0);
        let register = known.unwrap_or_else(|| {
            let name = ed.sym(v).name.clone();
            let register = ed.new_register(&name, ed.sym(v).ty);
            self.entries.borrow_mut().push((register, v));
            register
        });
        let e = ed.var(register);
        let e = if ed.ty(e) == Type::I8 { e } else { ed.widen(e) };
        Some(Linear::of(ed, e))
    }
}

/// The value that the last assignment to `v` before `root` in the same block gives it.
fn assigned_before(u: &Unit, root: Stmt, v: Sym) -> Option<Expr> {
    let mut before = std::iter::successors(u.prev_real(root), |&x| u.prev_real(x));
    let last = before.find(|&x| u.walk_stmt(x).into_iter().any(|y| u.may_define(u.head(y)).contains(&v)))?;
    match u.head(last) {
        Head::Assign { place, value } if u.expr(place) == ExprData::Var(v) => Some(value),
        _ => None,
    }
}
