//! The memory that a construct writes, as far as counting code has to know.
//!
//! ```text
//! do k = 1, n
//!   a(k, j + 2) = 0.0                     another element than a(3, j), whatever k is: j is fixed in the loop
//!   ghost g = merge(1, 0, a(3, j) > 0.5)  so the count does not depend on the first statement
//! ```
//!
//! Elements of one array are apart if a subscript of one is that of the other and a constant. The rest of the
//! subscript must have one value while the construct runs, since the two elements may belong to different iterations,
//! and the array must be in one place. A subscript by the variable of the loop is apart from a constant beyond the
//! loop's constant bounds.

use crate::entities::{Expr, List, Sym};
use crate::expr::{Access, BinaryOp, ExprData};
use crate::head::Head;
use crate::tally::may_share;
use crate::{Callee, Type, Unit};
use rustc_hash::FxHashSet;
use trueline_provenance::Stmt;

/// The memory that a construct writes.
pub(crate) struct Written {
    symbols: FxHashSet<Sym>,
    /// The array and the subscripts of elements that are written.
    elements: Vec<(Sym, List)>,
    /// Registers with one value while the construct runs: all but these, or none if that is not known.
    changing: Option<FxHashSet<Sym>>,
    /// The variable of the loop, with its least and largest value, if these are constants.
    range: Option<(Sym, i64, i64)>,
    /// Whether a call may write anything.
    anything: bool,
}

impl Written {
    pub(crate) fn by(u: &Unit, s: Stmt) -> Written {
        Written::by_all(u, &[s])
    }

    pub(crate) fn by_all(u: &Unit, stmts: &[Stmt]) -> Written {
        let mut written = Written {
            symbols: FxHashSet::default(),
            elements: Vec::new(),
            changing: None,
            range: None,
            anything: false,
        };
        for x in stmts.iter().flat_map(|&s| u.walk_stmt(s)) {
            match u.head(x) {
                Head::Assign { place, .. } | Head::GhostStore { place, .. } => {
                    if let ExprData::Elem(v, subscripts) = u.expr(place) {
                        written.elements.push((v, subscripts));
                    } else {
                        written.symbols.extend(u.stored_at(place).map(|v| u.root(v)));
                    }
                }
                Head::Store { sym, .. } => _ = written.symbols.insert(u.root(sym)),
                Head::Call { callee: Callee::Proc(p), .. } => written.anything |= !u.proc(p).is_libm,
                head @ Head::Call { callee: Callee::Rt(f), .. }
                    if f.signature().effect == trueline_abi::Effect::Pure =>
                {
                    let changed = u.references(head).into_iter().filter(|(access, _)| *access != Access::In);
                    written.symbols.extend(changed.filter_map(|(_, place)| Some(u.root(u.stored_at(place)?))));
                }
                Head::Call { .. } => written.anything = true,
                _ => {}
            }
        }
        written
    }

    /// The same while the loop `s` runs: registers that nothing in it defines have one value.
    pub(crate) fn within(self, u: &Unit, s: Stmt) -> Written {
        let changing = u.walk_stmt(s).into_iter().flat_map(|x| u.may_define(u.head(x))).collect();
        let range = match u.head(s) {
            Head::Do { var, lo, hi, .. } => {
                let ends = u.pool().as_int(lo).zip(u.pool().as_int(hi));
                ends.map(|(lo, hi)| (var, lo.min(hi), lo.max(hi)))
            }
            _ => None,
        };
        Written { changing: Some(changing), range, ..self }
    }

    /// Whether the construct may change a value that `head` evaluates.
    pub(crate) fn changes_one_of(&self, u: &Unit, head: Head) -> bool {
        u.values(head).into_iter().any(|e| self.may_change(u, e))
    }

    /// Whether the construct may change the value of `e`.
    pub(crate) fn may_change(&self, u: &Unit, e: Expr) -> bool {
        if self.anything {
            return u.reads_memory(e);
        }
        let mut found = false;
        u.visit_expr(e, &mut |x| {
            found |= u.stored_at(x).is_some_and(|m| {
                self.symbols.iter().any(|&w| may_share(u, m, w))
                    || self.elements.iter().any(|&w| may_share(u, m, w.0) && !self.is_apart(u, x, w))
            });
        });
        found
    }

    /// Whether `place` is an element of the array `v`, and another one than that with these subscripts.
    fn is_apart(&self, u: &Unit, place: Expr, (v, subscripts): (Sym, List)) -> bool {
        let ExprData::Elem(same, others) = u.expr(place) else { return false };
        let (here, there) = (u.list(others), u.list(subscripts));
        let is_apart = || here.iter().zip(there).any(|(&a, &b)| self.differ(u, a, b));
        same == v && here.len() == there.len() && self.stays(u, v) && is_apart()
    }

    /// Whether the array is in one place, with the same bounds, while the construct runs: a pointer may move on.
    fn stays(&self, u: &Unit, v: Sym) -> bool {
        let mut registers: Vec<Sym> = Vec::new();
        u.registers_of(v, &mut registers);
        registers.iter().all(|r| self.changing.as_ref().is_some_and(|all| !all.contains(r)))
    }

    /// Whether two subscripts have different values in any two iterations.
    fn differ(&self, u: &Unit, a: Expr, b: Expr) -> bool {
        let ((rest, n), (other, m)) = (parts(u, a), parts(u, b));
        let is_fixed = |e: Expr| {
            let changes = |v: &Sym| self.changing.as_ref().is_none_or(|all| all.contains(v));
            !u.reads_memory(e) && !u.registers_in(e).iter().any(|v| changes(v) && !crate::fault("written_changing"))
        };
        let is_beyond = |rest: Option<Expr>, n: i64, constant: i64| {
            let Some((ExprData::Var(v), (var, lo, hi))) = rest.map(|e| u.expr(e)).zip(self.range) else { return false };
            let value = i128::from(constant) - i128::from(n);
            v == var && (value < i128::from(lo) || value > i128::from(hi))
        };
        match (rest, other) {
            (Some(_), None) => is_beyond(rest, n, m),
            (None, Some(_)) => is_beyond(other, m, n),
            _ => rest == other && n != m && rest.is_none_or(is_fixed),
        }
    }
}

/// `e` as a sum of an expression, if there is one, and a constant.
fn parts(u: &Unit, e: Expr) -> (Option<Expr>, i64) {
    if let Some(n) = u.pool().as_int(e) {
        return (None, n);
    }
    let (op, a, b) = match u.expr(e) {
        ExprData::Convert(Type::I8, e) if u.ty(e) == Type::I4 => return parts(u, e),
        ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => (op, a, b),
        _ => return (Some(e), 0),
    };
    let (rest, n) = match (u.pool().as_int(a), u.pool().as_int(b), op) {
        (_, Some(n), BinaryOp::Add) => (a, n),
        (_, Some(n), _) => (a, n.wrapping_neg()),
        (Some(n), _, BinaryOp::Add) => (b, n),
        _ => return (Some(e), 0),
    };
    let (rest, more) = parts(u, rest);
    (rest, n.wrapping_add(more))
}
