//! Conditional increments without jumps.
//!
//! ```text
//! branch a > b, L1, L2
//! L1:                        c = a > b
//! k = k + 1             =>   k = k + c
//! L2:
//! ```
//!
//! A jump that the processor does not foresee takes as long as a dozen additions, and one that it foresees hardly less than this one. The counts
//! of the arm are increments, too.

use super::Body;
use super::rotate::Tests;
use crate::expr::Translator;
use crate::locate;
use crate::types::Val;
use cranelift_codegen::ir::{InstBuilder, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Label, Stmt, Sym, Type, Unit};

/// More increments under one condition stay behind a jump.
const MOST: usize = 3;

/// An integer register and the constant that is added to it.
struct Increment {
    stmt: Stmt,
    var: Sym,
    old: Expr,
    by: i64,
    value: Expr,
}

/// The registers on which addresses of the unit depend. An increment that is foreseen lets the processor go on to the element before it knows the
/// condition, so one of these keeps its jump (a heap sort: 4 times as long without).
pub(super) fn addressing(unit: &Unit) -> FxHashSet<Sym> {
    let mut out: FxHashSet<Sym> = FxHashSet::default();
    let mut defined: Vec<(Sym, Expr)> = Vec::new();
    for s in unit.walk() {
        let head = unit.head(s);
        if let Head::Store { addr, .. } = head {
            out.extend(unit.registers_in(addr));
        }
        for e in unit.values(head) {
            unit.visit_expr(e, &mut |x| {
                if let ExprData::Load { addr, .. } = unit.expr(x) {
                    out.extend(unit.registers_in(addr));
                }
            });
        }
        if let (Some(var), Head::Assign { value, .. } | Head::Ghost { value, .. }) = (unit.defines(head), head) {
            defined.push((var, value));
        }
    }
    loop {
        let known = out.len();
        for &(var, value) in &defined {
            if out.contains(&var) {
                out.extend(unit.registers_in(value));
            }
        }
        if out.len() == known {
            return out;
        }
    }
}

/// The labels that one jump of the unit leads to, if the tests of loops stand in the places of `tests`, too.
pub(super) fn targeted_once(unit: &Unit, tests: &Tests) -> FxHashSet<Label> {
    let mut times: FxHashMap<Label, u32> = FxHashMap::default();
    let again = tests.values().map(super::rotate::Test::branch);
    for s in unit.stmts(unit.body()).chain(again) {
        unit.targets(unit.head(s)).into_iter().for_each(|l| *times.entry(l).or_default() += 1);
    }
    times.into_iter().filter(|&(_, n)| n == 1).map(|(l, _)| l).collect()
}

impl Body {
    /// Translates a branch around nothing but increments, and has the statements up to its second label passed over. False if it is none.
    pub(super) fn increment(&mut self, t: &mut Translator<'_, '_>, s: Stmt, cond: Expr, to: [Label; 2]) -> bool {
        let Some(found) = self.increments(t, s, to).filter(|_| t.is_jumpless(cond)) else { return false };
        let cond = t.truth(cond);
        for i in found {
            t.b.set_srcloc(locate::of_set(t.unit.set(i.stmt)));
            t.begin_stmt();
            t.note(Some(i.stmt));
            if t.facts.is_needed(i.var) {
                let old = t.expr(i.old).one();
                let step = step(t, cond, old, i.by);
                let new = t.b.ins().iadd(old, step);
                t.define(i.var, Val::One(new));
            } else {
                t.note_unneeded(i.var, i.value);
            }
        }
        self.passes_over = Some(to[1]);
        true
    }

    fn increments(&self, t: &Translator<'_, '_>, s: Stmt, [then, otherwise]: [Label; 2]) -> Option<Vec<Increment>> {
        self.once.as_ref().filter(|once| once.contains(&then) && !t.facts.cold.contains(&then))?;
        let unit = t.unit;
        let mut at = unit.next(s).filter(|&l| unit.head(l) == Head::Label(then))?;
        let mut out = Vec::new();
        loop {
            at = unit.next(at)?;
            match unit.head(at) {
                Head::Label(l) if l == otherwise && !out.is_empty() && out.len() <= MOST => break,
                head if unit.defines(head).is_some_and(|v| self.addressing.contains(&v)) => return None,
                Head::Assign { place, value } => {
                    let ExprData::Var(var) = unit.expr(place) else { return None };
                    out.push(increment(unit, at, var, value)?);
                }
                Head::Ghost { var, value } => out.push(increment(unit, at, var, value)?),
                _ => return None,
            }
        }
        Some(out)
    }
}

fn increment(unit: &Unit, stmt: Stmt, var: Sym, value: Expr) -> Option<Increment> {
    let ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), old, by) = unit.expr(value) else { return None };
    let by = unit.pool().as_int(by)?;
    let by = if op == BinaryOp::Add { by } else { by.checked_neg()? };
    let is_own = unit.expr(old) == ExprData::Var(var) && matches!(unit.ty(old), Type::I4 | Type::I8);
    is_own.then_some(Increment { stmt, var, old, by, value })
}

/// `by` if the condition, a byte, is 1, and else zero.
fn step(t: &mut Translator<'_, '_>, cond: Value, old: Value, by: i64) -> Value {
    let ty = t.b.func.dfg.value_type(old);
    if by == 1 {
        return t.b.ins().uextend(ty, cond);
    }
    let (by, zero) = (t.int(ty, by), t.int(ty, 0));
    t.b.ins().select(cond, by, zero)
}
