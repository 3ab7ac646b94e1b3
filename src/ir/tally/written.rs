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
//! and the array must be in one place. A subscript by the variable of the loop is apart from a constant beyond a
//! constant bound of the loop.

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
    /// The variable of the loop, with its least and largest value: a bound that is no constant is the end of all numbers.
    range: Option<(Sym, i64, i64)>,
    /// Whether a call may write anything.
    anything: bool,
    /// For a reader in a loop: the loop's variable and step, and the first of the elements that only statements behind the reader write.
    turn: Option<(Sym, i64, usize)>,
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
            turn: None,
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
            Head::Do { var, lo, hi, step } => {
                let [lo, hi, step] = [lo, hi, step].map(|e| u.pool().as_int(e));
                match step.map(|step| step > 0 || crate::fault("written_backwards")) {
                    Some(true) => Some((var, lo.unwrap_or(i64::MIN), hi.unwrap_or(i64::MAX))),
                    Some(false) => Some((var, hi.unwrap_or(i64::MIN), lo.unwrap_or(i64::MAX))),
                    None => lo.zip(hi).map(|(lo, hi)| (var, lo.min(hi), lo.max(hi))),
                }
            }
            _ => None,
        };
        Written { changing: Some(changing), range, ..self }
    }

    /// The memory that the loop `s` may have written when `reader` runs, a statement of its body: in earlier iterations, or in the same
    /// one before it or in it. `stmts` are the statements in `s` that write. None if the step is not known, or if jumps may lead back to the reader.
    pub(crate) fn until(u: &Unit, s: Stmt, reader: Stmt, stmts: &[Stmt]) -> Option<Written> {
        let Head::Do { var, step, .. } = u.head(s) else { return None };
        let step = u.pool().as_int(step)?;
        if u.walk_stmt(s).into_iter().any(|x| u.head(x).is_jump()) {
            return None;
        }
        let behind: FxHashSet<Stmt> = std::iter::successors(u.next(reader), |&x| u.next(x)).collect();
        let is_behind = |&x: &Stmt| behind.contains(&x) || u.ancestors(x).any(|a| behind.contains(&a));
        let (later, first): (Vec<Stmt>, Vec<Stmt>) = stmts.iter().copied().partition(is_behind);
        let number = Written::by_all(u, &first).elements.len();
        let all: Vec<Stmt> = first.into_iter().chain(later).collect();
        let written = Written::by_all(u, &all).within(u, s);
        Some(Written { turn: Some((var, step, number)), ..written })
    }

    /// Whether the construct may change a value that `head` evaluates.
    pub(crate) fn changes_one_of(&self, u: &Unit, head: Head) -> bool {
        u.values(head).into_iter().any(|e| self.may_change(u, e))
    }

    /// Whether the construct may write to the memory of the symbol `m`.
    pub(crate) fn reaches(&self, u: &Unit, m: Sym) -> bool {
        self.anything || self.symbols.iter().chain(self.elements.iter().map(|w| &w.0)).any(|&w| may_share(u, m, w))
    }

    /// Whether the construct may change the value of `e`.
    pub(crate) fn may_change(&self, u: &Unit, e: Expr) -> bool {
        if self.anything {
            return u.reads_memory(e);
        }
        let mut found = false;
        u.visit_expr(e, &mut |x| {
            found |=
                u.stored_at(x).is_some_and(|m| {
                    self.symbols.iter().any(|&w| may_share(u, m, w))
                        || self.elements.iter().enumerate().any(|(n, &w)| {
                            may_share(u, m, w.0) && !self.is_apart(u, x, w) && !self.is_ahead(u, x, w, n)
                        })
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

    /// Whether `place` is an element of the array `v` that the loop reaches by the store number `n`, with these subscripts, in a later
    /// iteration or behind the reader: each iteration has elements of its own, by the loop's variable.
    fn is_ahead(&self, u: &Unit, place: Expr, (v, subscripts): (Sym, List), n: usize) -> bool {
        let (ExprData::Elem(same, others), Some((var, step, behind))) = (u.expr(place), self.turn) else {
            return false;
        };
        let (here, there) = (u.list(others), u.list(subscripts));
        let is_ahead = |(&a, &b): (&Expr, &Expr)| {
            let ((rest, a), (other, b)) = (parts(u, a), parts(u, b));
            let is_var = rest.is_some_and(|e| u.expr(e) == ExprData::Var(var));
            let further = (i128::from(a) - i128::from(b)) * i128::from(step.signum());
            let is_later = further > 0 || (further == 0 && n >= behind);
            (is_var && rest == other && is_later) || crate::fault("until_behind")
        };
        same == v && here.len() == there.len() && self.stays(u, v) && here.iter().zip(there).any(is_ahead)
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

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::check;

    /// Counting code that reads `read` in a loop with `head` that stores to `a(i)` behind it, and is settled for vectors.
    fn leaves(head: &str, read: &str, is_kept: bool) {
        let settle = |ed: &mut Editor<'_>| {
            let s = ed.real_stmts(ed.body()).next().expect("a loop");
            ed.settle_lanes(s);
        };
        let before = format!(
            "
integer i, x, n
i8 ghost.1
integer a(9999)
do {head} @1
  ghost ghost.1 = merge(1_i8, 0, {read} > 3)
  tally @2 taken.0 += ghost.1
  a(i) = x @3
end"
        );
        let [lo, hi, step] = head.strip_prefix("i = ").expect("a loop over i").split(", ").collect::<Vec<_>>()[..]
        else {
            panic!("three bounds")
        };
        let loop_alone = format!("do {} @1\n  a(i) = x @3\nend", head.strip_suffix(", 1").unwrap_or(head));
        let after = match is_kept {
            true => format!(
                "
i4 ghost.1
i8 ghost.2
ghost ghost.1 = {lo}
ghostdo trip({lo}, {hi}, {step})
  ghost ghost.2 = merge(1, 0, {} > 3)
  tally @2 taken.0 += ghost.2
  ghost ghost.1 = ghost.1 + {}
end
{loop_alone}",
                read.replace("(i", "(ghost.1"),
                if step.starts_with('-') { format!("({step})") } else { step.to_owned() }
            ),
            false => format!("\ncounter @2 taken.0\n{loop_alone}"),
        };
        check("vectorize", &settle, &before, &after);
    }

    #[test]
    fn elements_that_their_own_iteration_writes_behind_the_reader() {
        leaves("i = 2, n, 1", "a(i)", true);
        leaves("i = 2, n, 1", "a(i + 1)", true);
        leaves("i = 2, n, 1", "a(i - 1)", false);
        leaves("i = n, 2, -1", "a(i - 1)", true);
        leaves("i = n, 2, -1", "a(i + 1)", false);
    }

    #[test]
    fn elements_beyond_the_one_bound_that_is_constant() {
        leaves("i = n, 2, -1", "a(1)", true);
        leaves("i = 2, n, 1", "a(1)", true);
    }
}
