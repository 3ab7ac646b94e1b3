//! Constants: propagates them through registers, folds operations on them, and drops conditionals and loops that a
//! constant decides.
//!
//! ```text
//! n = 4                @2        n = 4              @2
//! if (n > 3) then      @3        x = a(4) * 8       @4
//!   x = a(n) * (n + n) @4   =>
//! else
//!   x = 0              @6        eliminate @6, @3
//! end
//! ```
//!
//! Folding computes the value that the program would (`constant`); an operation that would trap or give a NaN stays. A
//! loop that never runs leaves the first value of its variable behind, a loop that runs once leaves its body.

pub(crate) mod constant;
#[cfg(test)]
mod tests;

use crate::forward::{self, Facts, Next, Scoped};
use crate::rewrite::rewrite;
use crate::{Context, Pass};
use constant::{case_of, fold_expr, truth};
use trueline_ir::{Block, Editor, ExpandKind, Expr, ExprMap, Head, Level, Place, Stmt, Sym, Unit, Why};

/// See the module documentation.
pub const PASS: Pass = Pass { at: &[Level::H, Level::M], ..Pass::new("fold", "propagate and fold constants", run) };

fn run(ed: &mut Editor<'_>, _: &Context<'_>) {
    forward::walk(ed, &mut Constants::default());
}

#[derive(Default)]
struct Constants {
    /// The constant that a register holds.
    values: Scoped<Sym, Expr>,
}

impl Facts for Constants {
    fn mark(&mut self) -> usize {
        self.values.mark()
    }

    fn rollback(&mut self, mark: usize) {
        self.values.rollback(mark);
    }

    fn forget(&mut self, unit: &Unit, head: Head) {
        for v in unit.may_define(head) {
            self.values.remove(v);
        }
    }

    fn forget_all(&mut self) {
        self.values.clear();
    }

    fn rewrite(&mut self, ed: &mut Editor<'_>, s: Stmt, _: u32) -> Next {
        let mut memo = ExprMap::default();
        rewrite(ed, s, &mut |ed, e| fold_expr(ed, e, &self.values, &mut memo));
        match ed.head(s) {
            Head::If { cond } => match truth(ed, cond) {
                Some(value) => {
                    let keep = ed.blocks(s)[usize::from(!value)];
                    keep_block(ed, s, Some(keep), Why::ConstantCondition)
                }
                None => Next::Go,
            },
            Head::Select { value, ranges } => match ed.pool().as_int(value) {
                Some(v) => {
                    let number = case_of(ed, ranges, v).unwrap_or(ed.blocks(s).len() - 1);
                    let keep = ed.blocks(s)[number];
                    keep_block(ed, s, Some(keep), Why::ConstantCondition)
                }
                None => Next::Go,
            },
            Head::DoWhile { cond } if truth(ed, cond) == Some(false) => {
                let keep = ed.blocks(s)[0];
                keep_block(ed, s, Some(keep), Why::ZeroTrips)
            }
            Head::Do { var, lo, hi, step } => counted(ed, s, var, [lo, hi, step]),
            Head::ArithIf { value, to } => {
                if let Some(k) = constant::sign(ed, value) {
                    ed.expand_in_place(s, Head::Goto(to[k]));
                }
                Next::Go
            }
            Head::GotoTable { index, table } => constant_goto(ed, s, index, table),
            Head::Branch { cond, then, otherwise } => {
                if let Some(value) = truth(ed, cond) {
                    ed.expand_in_place(s, Head::Goto(if value { then } else { otherwise }));
                }
                Next::Go
            }
            _ => Next::Go,
        }
    }

    fn learn(&mut self, unit: &Unit, s: Stmt, _: u32) {
        if let (Some(v), Head::Assign { value, .. } | Head::Ghost { value, .. }) =
            (unit.defines(unit.head(s)), unit.head(s))
            && unit.pool().is_constant(value)
        {
            self.values.insert(v, value);
        }
    }
}

/// The statements of `keep` take the place of `s`; the walk goes on with them.
fn keep_block(ed: &mut Editor<'_>, s: Stmt, keep: Option<Block>, why: Why) -> Next {
    let first = keep.and_then(|b| ed.stmts(b).next());
    let next = ed.next(s);
    ed.eliminate_head(s, keep, why);
    Next::Resume(first.or(next))
}

/// A loop with constant bounds that runs never or once.
fn counted(ed: &mut Editor<'_>, s: Stmt, var: Sym, bounds: [Expr; 3]) -> Next {
    let wide = bounds.map(|e| ed.widen(e));
    let trips = ed.trips(wide);
    let Some(trips @ 0..=1) =
        ed.pool().as_int(trips).map(|t| t - i64::from(t == 2 && trueline_ir::fault("fold_trips")))
    else {
        return Next::Go;
    };
    let place = ed.var(var);
    let first = ed.expand(s, Head::Assign { place, value: bounds[0] }, Place::Before(s), ExpandKind::Lower);
    if trips == 0 {
        ed.eliminate(s, Why::ZeroTrips);
        return Next::Resume(Some(first));
    }
    let ty = ed.ty(bounds[0]);
    let past = [bounds[0], bounds[2]].map(|e| ed.pool().as_int(e).unwrap_or(0));
    let value = ed.int(
        ty,
        trueline_ir::scalar::wrap(
            ty,
            past[0].wrapping_add(if trueline_ir::fault("fold_last_value") { 0 } else { past[1] }),
        ),
    );
    ed.expand(s, Head::Assign { place, value }, Place::After(s), ExpandKind::Lower);
    let body = ed.blocks(s)[0];
    ed.eliminate_head(s, Some(body), Why::SingleTrip);
    Next::Resume(Some(first))
}

/// A computed GOTO whose index is known.
fn constant_goto(ed: &mut Editor<'_>, s: Stmt, index: Expr, table: u32) -> Next {
    let Some(k) = ed.pool().as_int(index) else { return Next::Go };
    let to = usize::try_from(k).ok().and_then(|k| k.checked_sub(1)).and_then(|k| ed.jump_table(table).get(k).copied());
    match to {
        Some(l) => {
            ed.expand_in_place(s, Head::Goto(l));
            Next::Go
        }
        None => {
            let next = ed.next(s);
            ed.eliminate(s, Why::ConstantCondition);
            Next::Resume(next)
        }
    }
}
