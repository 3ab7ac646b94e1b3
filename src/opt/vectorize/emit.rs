//! Makes the vectors that were planned.

use super::Plan;
use super::found::{By, Found};
use super::lanes::Vectors;
use super::order::condition;
use crate::analysis::loops::DoLoop;
use crate::unroll::partition;
use trueline_ir::{BinaryOp, Editor, ExpandKind, Expr, ExprData, Head, Intrinsic, Place, Stmt, Sym, Type};

pub(super) fn emit(ed: &mut Editor<'_>, l: DoLoop, plan: &Plan) {
    let ty = ed.sym(l.var).ty;
    let i = ed.var(l.var);
    let Some(step) = l.constant_step(ed) else { return };
    if let Some(cond) = condition(ed, &plan.tests, plan.strip) {
        let test = ed.expand_around(l.stmt, Head::If { cond }, 0, ExpandKind::Alternative);
        let otherwise = ed.blocks(test)[1];
        ed.expand_copy(l.stmt, Place::End(otherwise), &[], ExpandKind::Alternative);
    }
    let ahead = |ed: &mut Editor<'_>, k: i64| {
        let k = ed.int(ty, k * step);
        ed.binary(BinaryOp::Add, i, k)
    };
    let later: Vec<Expr> = (1..plan.strip).map(|k| ahead(ed, k)).collect();
    let mut vectors = Vectors::new(plan);
    let mut heads: Vec<(Stmt, Head)> = Vec::new();
    vectors.statements(ed, &plan.stmts, &mut heads);
    let mut registers = vectors.registers;
    let lanes = plan.lanes as i64;
    ed.settle_lanes(l.stmt);
    partition(ed, l, plan.strip, |ed| {
        ed.expand_lanes(l.stmt, &heads, plan.lanes as u8, &later);
    });
    for f in &plan.found {
        let at = registers.iter().position(|(scalar, _)| *scalar == f.register);
        let Some((_, vector)) = at.map(|at| registers.remove(at)) else { continue };
        put_together(ed, l, f, vector, plan.lanes);
    }
    // Dead code goes later.
    for (scalar, vector) in registers {
        let last = if plan.down != trueline_ir::fault("vectorize_last_lane") { 0 } else { lanes - 1 };
        let last = ed.int(Type::I4, last);
        let (place, vector) = (ed.var(scalar), ed.var(vector));
        let value = ed.intrinsic(Intrinsic::Lane, &[vector, last]);
        ed.expand(l.stmt, Head::Assign { place, value }, Place::After(l.stmt), ExpandKind::Lower);
    }
}

/// Before the loop the lanes of `vector` are what changes nothing; behind it they are combined with the register.
pub(super) fn put_together(ed: &mut Editor<'_>, l: DoLoop, f: &Found, vector: Sym, lanes: usize) {
    let (scalar, place) = (ed.var(f.register), ed.var(vector));
    let (of, ty) = (ed.ty(scalar), ed.ty(place));
    let repeats = f.by.repeats() != trueline_ir::fault("vectorize_start");
    let nothing = if repeats && ty.lane() == of { scalar } else { ed.int(ty.lane(), 0) };
    let value = ed.make(ExprData::Convert(ty, nothing));
    ed.expand(l.stmt, Head::Assign { place, value }, Place::Before(l.stmt), ExpandKind::Lower);
    let mut all = scalar;
    for k in 0..lanes {
        let number = ed.int(Type::I4, k as i64);
        let lane = ed.intrinsic(Intrinsic::Lane, &[place, number]);
        let lane = if ed.ty(lane) == of { lane } else { ed.make(ExprData::Convert(of, lane)) };
        // The lanes have been taken away from nothing.
        let by = if f.by == By::Sub { By::Add } else { f.by };
        all = by.make(ed, all, lane);
    }
    ed.expand(l.stmt, Head::Assign { place: scalar, value: all }, Place::After(l.stmt), ExpandKind::Lower);
}
