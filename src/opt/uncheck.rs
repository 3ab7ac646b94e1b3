//! Uncheck: a loop nest whose checks hold for all iterations runs without them.
//!
//! ```text
//!                                     if n <= ub .and. m <= ub2             @{1,3}
//! do j = 1, m                @1         do j = 1, m                         @1
//!   do i = 1, n              @2           do i = 1, n                       @2
//!     if i < 1 .or. i > ub   @3             a(i, j) = 0.0                   @3
//!       call fault(…)        @3       else
//!     …                                 do j = 1, m                         @1
//!     a(i, j) = 0.0          @3  =>       do i = 1, n                       @2
//!                                           if i < 1 .or. i > ub            @3
//!                                             call fault(…)                 @3
//!                                           a(i, j) = 0.0                   @3
//! ```
//!
//! A check is a conditional that does nothing but end the program. Each comparison in it is a sum that must not be negative; the smallest value of
//! the sum over the iterations of the nest (`extremes`) is an expression that is known before the nest. If it is a constant, the check
//! is proved and goes; else it is asked once, before the nest. One of the copies runs (law A), and a fault is
//! told by the copy that has the checks, after the same iterations and with the same words as without this pass.
//!
//! The outermost loop comes first. Checks that depend on values that only an inner loop keeps are left to the copy of that loop.
//! A check in a conditional on a DO variable concerns the iterations that the conditional lets through (`limits`): `if (i > 1) x = a(i - 1)`
//! is right, but looks wrong if all iterations are taken together. If the conditional says nothing about them, it is
//! taken out only if it needs no question of its own.
//!
//! Marks of elements that have a value (`-fcheck=undefined`) are looked at before the nest, all that it may ask for (`marked`).
//!
//! Notes on storage with two names (`-fcheck=alias`) are made only if some names overlap, which is known before the nest, so they leave nests
//! as checks do. A check whose condition was asked before is gone first (`again`). Operands of `.and.` and `.or.` that had checks of their own are
//! joined again at last (`joined`).

mod again;
mod extremes;
mod flow;
mod joined;
mod limits;
mod marked;
mod registers;
#[cfg(test)]
mod tests;

use crate::analysis::loops::{DoLoop, inner_first};
use crate::licm::{hoist_statements, reads_of};
use crate::{Context, OptLevel, Pass};
use extremes::{Nest, Once};
use marked::Marks;
use trueline_ir::{BinaryOp, Block, Callee, Editor, ExpandKind, Expr, ExprData, Head, Place, Rt, Stmt, Sym, Unit, Why};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O2,
    ..Pass::new("uncheck", "loop nests whose checks hold at their entry run without them", run)
};

/// Loops larger than this are not copied; the loops in them may be.
const MAX_SIZE: usize = 4000;
/// Loops larger than this are not looked at as a whole.
const MOST_LOOKED_AT: usize = 20_000;
/// The most questions before a nest.
const MOST_QUESTIONS: usize = 40;

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    let all = ed.walk();
    if !all.iter().any(|&s| is_fault(ed, s)) {
        return;
    }
    // Limits of inner loops leave the nest as long as there is only one copy of it: two define each register twice.
    let reads = reads_of(ed, &all);
    for l in inner_first(ed) {
        ed.work_of(crate::licm::PASS.name, |ed| hoist_statements(ed, l.stmt, &reads));
    }
    again::drop_repeated(ed);
    let all = ed.walk();
    let once = Once::of(ed, &all);
    let mut todo: Vec<Stmt> = all.into_iter().filter(|&s| ed.head(s).is_loop() && is_outermost(ed, s)).collect();
    todo.reverse();
    // A copy with checks is as large as the nest, and a nest is copied at most once for each of its depths.
    let mut budget = 4 * MAX_SIZE + 2 * todo.len();
    while let Some(s) = todo.pop() {
        uncheck(ed, s, &once, &mut budget);
        todo.extend(loops_in(ed, s));
    }
    joined::join(ed);
}

fn is_outermost(u: &Unit, s: Stmt) -> bool {
    !u.ancestors(s).any(|a| u.head(a).is_loop())
}

/// The loops in `s` that no other loop in `s` is around.
fn loops_in(u: &Unit, s: Stmt) -> Vec<Stmt> {
    let between = |x: Stmt| u.ancestors(x).take_while(|&a| a != s).any(|a| u.head(a).is_loop());
    u.walk_stmt(s).into_iter().skip(1).filter(|&x| u.head(x).is_loop() && !between(x)).collect()
}

/// Whether the statement ends the program with the message of a check, or may do so.
fn is_fault(u: &Unit, s: Stmt) -> bool {
    matches!(u.head(s), Head::Call { callee: Callee::Rt(f), .. } if f.is_fault() || f == Rt::AliasAccess)
}

/// The condition of `s`, if it is a check.
pub(crate) fn check_of(u: &Unit, s: Stmt) -> Option<Expr> {
    let Head::If { cond } = u.head(s) else { return None };
    let [then, otherwise] = [u.blocks(s)[0], u.blocks(s)[1]];
    let is_empty = u.real_stmts(otherwise).next().is_none();
    let notes = |x: Stmt| matches!(u.head(x), Head::Call { callee: Callee::Rt(Rt::AliasAccess), .. });
    if is_empty && u.real_stmts(then).last().is_some_and(|x| u.walk_stmt(x).into_iter().any(notes)) {
        return Some(cond);
    }
    (is_empty && only_ends(u, then) && u.walk_block(then).into_iter().any(|x| is_fault(u, x))).then_some(cond)
}

/// Whether control comes past the check only if its condition is false.
fn ends_all(u: &Unit, check: Stmt) -> bool {
    let is_end = |x: Stmt| matches!(u.head(x), Head::Call { callee: Callee::Rt(f), .. } if f.is_fault());
    u.real_stmts(u.blocks(check)[0]).any(is_end)
}

/// Whether the block has only calls of the runtime and questions about them.
fn only_ends(u: &Unit, b: Block) -> bool {
    u.walk_block(b)
        .into_iter()
        .filter(|&x| !u.head(x).is_invisible())
        .all(|x| matches!(u.head(x), Head::If { .. } | Head::Call { callee: Callee::Rt(_), .. }))
}

/// Takes checks out of the loop `s`.
fn uncheck(ed: &mut Editor<'_>, s: Stmt, once: &Once, budget: &mut usize) {
    let mut checks: Vec<(Stmt, Expr)> = Vec::new();
    for x in ed.walk_stmt(s) {
        // A question in a check goes with it.
        if let Some(cond) = check_of(ed, x)
            && !ed.ancestors(x).take_while(|&a| a != s).any(|a| check_of(ed, a).is_some())
        {
            checks.push((x, cond));
        }
    }
    if checks.is_empty() {
        return;
    }
    let nest = Nest::of(ed, s, once);
    if nest.size() > MOST_LOOKED_AT {
        return;
    }
    let (mut proved, mut asked, mut later) = (Vec::new(), Vec::new(), Vec::new());
    let mut questions: Vec<Expr> = Vec::new();
    let mut ask = |check: Stmt, needed: Vec<Expr>| {
        let new = needed.into_iter().filter(|q| !questions.contains(q)).collect::<Vec<_>>();
        if questions.len() + new.len() <= MOST_QUESTIONS {
            questions.extend(new);
            asked.push(check);
        }
    };
    let mut marks = Marks::default();
    for (check, cond) in checks {
        if let Some(question) = marks.question(ed, &nest, check) {
            ask(check, vec![question]);
            continue;
        }
        match nest.never(ed, check, cond) {
            Some(needed) if needed.is_empty() => proved.push(check),
            needed if !nest.is_fixed(ed, cond) && is_chosen(ed, &nest, check) => {
                nest.is_limited.set(true);
                let limited = nest.never(ed, check, cond);
                nest.is_limited.set(false);
                match limited {
                    Some(limited) if limited.is_empty() => proved.push(check),
                    Some(limited) if needed.as_ref() != Some(&limited) => ask(check, limited),
                    _ => later.extend(needed.map(|needed| (check, needed))),
                }
            }
            Some(needed) => ask(check, needed),
            None => {}
        }
    }
    asked.extend(later.into_iter().filter(|(_, needed)| needed.iter().all(|q| questions.contains(q))).map(|l| l.0));
    for check in proved {
        drop_check(ed, check);
    }
    if asked.is_empty() || nest.size() > MAX_SIZE.min(*budget) {
        return;
    }
    *budget -= nest.size();
    let all = questions.into_iter().reduce(|a, b| ed.binary(BinaryOp::And, a, b)).expect("some check asks");
    let entries: Vec<(Sym, Expr)> = nest.entries.take().into_iter().map(|(e, v)| (e, ed.var(v))).collect();
    let all = ed.substitute(all, &entries);
    marks.ask(ed, s, &entries, all);
    let test = ed.expand_around(s, Head::If { cond: all }, 0, ExpandKind::Alternative);
    let otherwise = ed.blocks(test)[1];
    ed.expand_copy(s, Place::End(otherwise), &[], ExpandKind::Alternative);
    for check in asked {
        drop_check(ed, check);
    }
}

fn drop_check(ed: &mut Editor<'_>, check: Stmt) {
    let otherwise = ed.blocks(check)[1];
    ed.eliminate_head(check, Some(otherwise), Why::ConstantCondition);
}

/// Whether a conditional in the nest chooses by a DO variable the iterations that make the check.
fn is_chosen(u: &Unit, nest: &Nest<'_>, check: Stmt) -> bool {
    u.ancestors(check).take_while(|&a| a != nest.root).any(|a| match u.head(a) {
        Head::If { cond } => {
            let mut found = false;
            u.visit_expr(cond, &mut |x| {
                found |= matches!(u.expr(x), ExprData::Binary(op, a, b)
                    if op.is_comparison() && [a, b].iter().any(|&e| nest.is_of_variables(u, e)));
            });
            found
        }
        _ => false,
    })
}

/// The DO loops between `root` and `s`, outermost first.
fn around(u: &Unit, root: Stmt, s: Stmt) -> Vec<DoLoop> {
    let mut out: Vec<DoLoop> = Vec::new();
    for a in u.ancestors(s) {
        out.extend(DoLoop::of(u, a));
        if a == root {
            break;
        }
    }
    out.reverse();
    out
}
