//! Rewriting the expressions that statements evaluate.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, ExprMap, Intrinsic, Stmt, Unit};

/// Applies `f` to each expression that `s` evaluates, in place. A place that is written, or whose address is taken,
/// stays; its subscripts are rewritten.
pub(crate) fn rewrite(ed: &mut Editor<'_>, s: Stmt, f: &mut dyn FnMut(&mut Editor<'_>, Expr) -> Expr) -> bool {
    let old = ed.head(s);
    let mut new = ExprMap::default();
    let mut changed = false;
    for e in ed.values(old) {
        let to = f(ed, e);
        changed |= to != e;
        new.insert(e, to);
    }
    if !changed {
        return false;
    }
    let head = ed.map_head(old, &mut |_, e| new.get(e));
    ed.expand_in_place(s, head);
    head != old
}

/// `e` with `f` applied to its operands; the root of a place under an address stays.
pub(crate) fn rebuild(ed: &mut Editor<'_>, e: Expr, f: &mut dyn FnMut(&mut Editor<'_>, Expr) -> Expr) -> Expr {
    match ed.expr(e) {
        ExprData::Unary(op, a) => {
            let new = f(ed, a);
            if new == a { e } else { ed.make(ExprData::Unary(op, new)) }
        }
        ExprData::Binary(op, a, b) => {
            let (x, y) = (f(ed, a), f(ed, b));
            if (x, y) == (a, b) { e } else { ed.binary(op, x, y) }
        }
        ExprData::Convert(ty, a) => {
            let new = f(ed, a);
            if new == a { e } else { ed.make(ExprData::Convert(ty, new)) }
        }
        _ => {
            let mut operands: SmallVec<[Expr; 6]> = SmallVec::new();
            values_in(ed, e, &mut |x| operands.push(x));
            if operands.is_empty() {
                return e;
            }
            let new: SmallVec<[(Expr, Expr); 6]> = operands.into_iter().map(|x| (x, f(ed, x))).collect();
            if new.iter().all(|(x, y)| x == y) {
                return e;
            }
            ed.map_expr(e, &mut |_, x| new.iter().find(|(from, _)| *from == x).map(|(_, to)| *to))
        }
    }
}

/// Calls `each` for the operands of `e` that are evaluated for their value; if `e` is the address of a place, for the
/// subscripts of the place only.
pub(crate) fn values_in(u: &Unit, e: Expr, each: &mut dyn FnMut(Expr)) {
    match u.expr(e) {
        ExprData::AddrOf(_, place) => values_in_place(u, place, each),
        ExprData::Substr(base, lo, hi) => {
            values_in_place(u, base, each);
            each(lo);
            each(hi);
        }
        ExprData::Intrinsic(Intrinsic::Ichar, l) => values_in_place(u, u.list(l)[0], each),
        _ => u.pool().operands(e, each),
    }
}

/// Calls `each` for `e` and every part of it that evaluating it evaluates in any case, each once.
pub(crate) fn evaluated(u: &Unit, e: Expr, mut each: impl FnMut(Expr)) {
    let mut todo = vec![e];
    let mut seen = FxHashSet::default();
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        each(e);
        match u.expr(e) {
            ExprData::Binary(BinaryOp::And | BinaryOp::Or, first, _) => todo.push(first),
            _ => values_in(u, e, &mut |x| todo.push(x)),
        }
    }
}

fn values_in_place(u: &Unit, place: Expr, each: &mut dyn FnMut(Expr)) {
    match u.expr(place) {
        ExprData::Var(_) | ExprData::Text(_) => {}
        _ => values_in(u, place, each),
    }
}
