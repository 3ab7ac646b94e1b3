//! Conditions whose second operand had a check of its own are one condition again once the check is gone.
//!
//! ```text
//! if i > 1                                       c = i > 1 .and. a(i - 1) > 0.0
//!   c = a(i - 1) > 0.0
//! else                                  =>
//!   c = i > 1                                    if i > 1 .and. a(i - 1) > 0.0
//! if c
//! ```

use trueline_ir::{BinaryOp, Editor, Expr, ExprData, Head, Stmt, Sym, UnaryOp, Unit, fault};

/// The register that both arms of a conditional define: the second arm by the first operand, which decides there.
struct Joined {
    c: Sym,
    op: BinaryOp,
    first: Expr,
    second: Expr,
    /// The assignments in the arms.
    arms: [Stmt; 2],
}

/// Joins the conditions.
pub(super) fn join(ed: &mut Editor<'_>) {
    for s in ed.walk() {
        let Some(Joined { c, op, first, second, arms }) = joined(ed, s) else { continue };
        let value = ed.binary(op, first, second);
        let place = ed.var(c);
        let head = Head::Assign { place, value };
        for b in ed.blocks(s).to_vec() {
            ed.splice_lowered(s, b);
        }
        ed.expand_in_place(s, head);
        for gone in arms {
            ed.merge(s, gone, head, &[]);
        }
        let next = std::iter::successors(ed.next(s), |&n| ed.next(n)).find(|&n| !ed.head(n).is_invisible());
        if let Some(next) = next
            && ed.head(next) == (Head::If { cond: place })
        {
            ed.expand_in_place(next, Head::If { cond: value });
        }
    }
}

fn joined(u: &Unit, s: Stmt) -> Option<Joined> {
    let Head::If { cond } = u.head(s) else { return None };
    let [then, otherwise] = [u.blocks(s)[0], u.blocks(s)[1]].map(|b| {
        let mut all = u.stmts(b);
        let only = all.next().filter(|_| all.next().is_none())?;
        match u.head(only) {
            Head::Assign { place, value } => match u.expr(place) {
                ExprData::Var(c) => Some((only, c, value)),
                _ => None,
            },
            _ => None,
        }
    });
    let ((one, c, second), (other, d, first)) = (then?, otherwise?);
    // A conditional of the source is another statement than its arms, and guards them.
    let is_made = [one, other].iter().all(|&x| u.set(x) == u.set(s));
    let is_free = [first, second].iter().all(|&e| !u.registers_in(e).contains(&c));
    if !is_made || c != d || !is_free {
        return None;
    }
    let op = match u.expr(cond) {
        _ if cond == first => BinaryOp::And,
        ExprData::Unary(UnaryOp::Not, x) if x == first && !fault("uncheck_joined") => BinaryOp::Or,
        ExprData::Unary(UnaryOp::Not, x) if x == first => BinaryOp::And,
        _ => return None,
    };
    Some(Joined { c, op, first, second, arms: [one, other] })
}
