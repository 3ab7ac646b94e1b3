//! The values of a DO variable that conditionals let through: in the arm of `if (i > 1)` it is at least 2.

use crate::analysis::loops::DoLoop;
use crate::linear::{Linear, is_integer};
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Stmt, UnaryOp, Unit};

/// The limits from below (or above) of the variable of `l` where `at` runs: sums of values for which `is_known` holds.
pub(super) fn limits(
    u: &Unit,
    at: Stmt,
    l: DoLoop,
    from_below: bool,
    is_known: impl Fn(&Unit, Expr) -> bool,
) -> Vec<Linear> {
    let (mut out, mut inside) = (Vec::new(), at);
    for a in u.ancestors(at).take_while(|&a| a != l.stmt) {
        if let Head::If { cond } = u.head(a) {
            let is_first = u.parent(inside) == Some(u.blocks(a)[0]);
            let holds = is_first || trueline_ir::fault("uncheck_other_arm");
            facts(u, cond, holds, &mut |op, x, y| {
                let mut sum = Linear::of(u, x).minus(&Linear::of(u, y));
                // factor * variable + sum OP 0
                let factor = sum.take(u, l.var);
                if factor.abs() != 1 || sum.mentions(u, l.var) || !sum.terms.iter().all(|t| is_known(u, t.0)) {
                    return;
                }
                let (is_lower, is_upper, is_strict) = match op {
                    BinaryOp::Eq => (true, true, false),
                    BinaryOp::Ge | BinaryOp::Gt => (factor > 0, factor < 0, op == BinaryOp::Gt),
                    BinaryOp::Le | BinaryOp::Lt => (factor < 0, factor > 0, op == BinaryOp::Lt),
                    _ => return,
                };
                if !(if from_below { is_lower } else { is_upper }) {
                    return;
                }
                let mut limit = if factor > 0 { Linear::default().minus(&sum) } else { sum };
                let more = i64::from(is_strict) * if from_below { 1 } else { -1 };
                limit.constant = limit.constant.wrapping_add(more);
                out.push(limit);
            });
        }
        inside = a;
    }
    out
}

/// Calls `each` with the comparisons of integers that are true if `cond` is `holds`.
pub(super) fn facts(u: &Unit, cond: Expr, holds: bool, each: &mut dyn FnMut(BinaryOp, Expr, Expr)) {
    match u.expr(cond) {
        ExprData::Unary(UnaryOp::Not, x) => facts(u, x, !holds, each),
        ExprData::Binary(BinaryOp::And, a, b) if holds => [a, b].into_iter().for_each(|x| facts(u, x, true, each)),
        ExprData::Binary(BinaryOp::Or, a, b) if !holds => [a, b].into_iter().for_each(|x| facts(u, x, false, each)),
        ExprData::Binary(op, a, b) if is_integer(u.ty(a)) => match (op, holds) {
            (_, true) => each(op, a, b),
            (BinaryOp::Lt, _) => each(BinaryOp::Ge, a, b),
            (BinaryOp::Le, _) => each(BinaryOp::Gt, a, b),
            (BinaryOp::Gt, _) => each(BinaryOp::Le, a, b),
            (BinaryOp::Ge, _) => each(BinaryOp::Lt, a, b),
            (BinaryOp::Ne, _) => each(BinaryOp::Eq, a, b),
            _ => {}
        },
        _ => {}
    }
}
