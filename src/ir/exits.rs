//! Counting of loops that may be left early (law E of PROVENANCE section 7, where it has a closed form).
//!
//! ```text
//! do i = 1, n                    tally iterations += trip(1, n, 1)
//!   tally iterations += 1        do i = 1, n
//!   if a(i) > x            =>      if a(i) > x
//!     goto out                       tally iterations += -trip(i + 1, n, 1)
//!   end                              goto out
//! end                              end
//!                                end
//! ```
//!
//! Innermost loops without calls alone, where an addition an iteration would be felt: all iterations are counted when the
//! loop is entered, and where it is left early, those that will not be are taken back.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Expr, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::{Type, Unit};
use rustc_hash::FxHashSet;
use trueline_provenance::Stmt;

/// A loop with fewer iterations than this is not worth the code at its exits.
const FEW_TRIPS: i64 = 8;
/// With more exits the code at them is felt.
const MOST_EXITS: usize = 4;

/// How a loop counts.
struct Course {
    body: Block,
    var: Sym,
    /// First value, last value and increment, `INTEGER(8)`.
    bounds: [Expr; 3],
    /// The statement of the body that adds the increment; none in a DO loop, which does so at its end.
    step: Option<Stmt>,
}

impl Editor<'_> {
    /// Takes the constant tallies in the straight part of the loop `s` out of it, if it is left by nothing but jumps and
    /// the number of its iterations is known wherever it is entered or left.
    pub fn count_exits(&mut self, s: Stmt) {
        if !self.head(s).is_loop() {
            return;
        }
        let Some(exits) = self.exits(s) else { return };
        if exits.is_empty() || exits.len() > MOST_EXITS {
            return;
        }
        let Some(course) = self.course(s) else { return };
        let order: Vec<Stmt> = self.stmts(course.body).collect();
        let place = |x: Stmt| order.iter().position(|&o| o == x);
        let Some(exits) = exits
            .into_iter()
            .map(|x| Some((x, place(self.child_of(course.body, x)?)?)))
            .collect::<Option<Vec<(Stmt, usize)>>>()
        else {
            return;
        };
        let step = course.step.and_then(place);
        let trips = self.trips(course.bounds);
        if self.pool.as_int(trips).is_some_and(|n| n < FEW_TRIPS) {
            return;
        }
        for (at, &t) in order.iter().enumerate() {
            let Head::Tally { counter, amount } = self.head(t) else { continue };
            let Some(each) = self.pool.as_int(amount) else { continue };
            self.unit.unlink(t);
            let all = self.multiply(amount, trips);
            self.tally(counter, all, Place::Before(s));
            for &(x, exit) in &exits {
                // Whether this iteration has been counted, and whether the variable is already that of the next.
                let (counted, stepped) = (at < exit, step.is_some_and(|r| r < exit));
                let left = self.trips_from(&course, i64::from(counted) - i64::from(stepped));
                let less = self.int(Type::I8, each.wrapping_neg());
                let less = self.multiply(less, left);
                if !crate::fault("exit_keeps_iterations") {
                    self.tally(counter, less, Place::Before(x));
                }
            }
        }
    }

    /// The number of iterations from the one `ahead` of the variable's value on.
    fn trips_from(&mut self, course: &Course, ahead: i64) -> Expr {
        let [_, hi, step] = course.bounds;
        let now = self.var(course.var);
        let mut from = self.widen(now);
        if ahead != 0 {
            let n = self.int(Type::I8, ahead);
            let way = self.multiply(n, step);
            from = self.add(from, way);
        }
        self.trips([from, hi, step])
    }

    /// How the loop `s` counts, if by its bounds alone.
    fn course(&mut self, s: Stmt) -> Option<Course> {
        let changed = self.defined_below(s);
        match self.head(s) {
            Head::Do { var, lo, hi, step } => {
                let fixed = [hi, step].iter().all(|&e| is_fixed(self, e, &changed));
                if !fixed || self.reads_memory(lo) || self.may_trap(lo) {
                    return None;
                }
                let bounds = [lo, hi, step].map(|e| self.widen(e));
                Some(Course { body: self.blocks(s)[0], var, bounds, step: None })
            }
            Head::DoWhile { cond } => {
                let [before, body] = *self.blocks(s) else { return None };
                if self.stmts(before).next().is_some() {
                    return None;
                }
                let ExprData::Binary(op, left, limit) = self.expr(cond) else { return None };
                let ExprData::Var(var) = self.expr(left) else { return None };
                if !is_fixed(self, limit, &changed) || self.ty(limit) != self.ty(left) {
                    return None;
                }
                let (at, step) = self.only_step(s, body, var)?;
                let past = match (op, step > 0) {
                    (BinaryOp::Le, true) | (BinaryOp::Ge, false) => 0,
                    (BinaryOp::Lt, true) => -1,
                    (BinaryOp::Gt, false) => 1,
                    _ => return None,
                };
                let (lo, limit) = (self.widen(left), self.widen(limit));
                let past = self.int(Type::I8, past);
                let hi = self.add(limit, past);
                let step = self.int(Type::I8, step);
                Some(Course { body, var, bounds: [lo, hi, step], step: Some(at) })
            }
            _ => None,
        }
    }

    /// The only definition of the integer register `var` in the loop `s`: an addition in each of its iterations.
    fn only_step(&self, s: Stmt, body: Block, var: Sym) -> Option<(Stmt, i64)> {
        let mut definitions = self.walk_stmt(s).into_iter().filter(|&x| self.may_define(self.head(x)).contains(&var));
        let at = definitions.next()?;
        if definitions.next().is_some() || self.parent(at) != Some(body) {
            return None;
        }
        let Head::Assign { place, value } = self.head(at) else { return None };
        let ExprData::Binary(op, old, by) = self.expr(value) else { return None };
        let (now, by) = (self.expr(old), self.pool.as_int(by)?);
        if self.expr(place) != ExprData::Var(var) || now != ExprData::Var(var) || by == 0 {
            return None;
        }
        match op {
            BinaryOp::Add => Some((at, by)),
            BinaryOp::Sub => Some((at, by.checked_neg()?)),
            _ => None,
        }
    }

    /// The jumps out of the innermost loop `s`; none if it may be left, or is gone around in, by anything else.
    fn exits(&self, s: Stmt) -> Option<Vec<Stmt>> {
        let mut out = Vec::new();
        for x in self.walk_stmt(s).into_iter().filter(|&x| x != s) {
            match self.head(x) {
                Head::Goto(_) | Head::Return => out.push(x),
                head if head.is_jump() || head.is_loop() || !self.always_returns(head) => return None,
                Head::Label(_) | Head::GotoTable { .. } | Head::Call { .. } => return None,
                _ => {}
            }
        }
        Some(out)
    }

    /// The statement of the block `b` that `x` is or is in.
    fn child_of(&self, b: Block, x: Stmt) -> Option<Stmt> {
        std::iter::successors(Some(x), |&x| self.enclosing(x)).find(|&x| self.parent(x) == Some(b))
    }
}

/// Whether `e` has the same value wherever it is evaluated in a loop that changes `changed`.
fn is_fixed(unit: &Unit, e: Expr, changed: &FxHashSet<Sym>) -> bool {
    !unit.reads_memory(e) && !unit.may_trap(e) && unit.registers_in(e).iter().all(|v| !changed.contains(v))
}
