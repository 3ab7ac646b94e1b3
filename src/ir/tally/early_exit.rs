//! Counting of loops that may be left early (law E, where it has a closed form).
//!
//! ```text
//! do i = lo, n                   do i = lo, n
//!   tally iterations += 1          if a(i) > x
//!   if a(i) > x            =>        tally iterations += i - lo + 1
//!     goto out                       goto out
//!   end                            end
//! end                            end
//!                                tally iterations += i - lo
//! ```
//!
//! Only for innermost loops without calls, where one more addition for each iteration would matter: wherever the loop
//! is left, its variable gives the number of iterations. A call that ends the run, as a check has it, leaves it too. In a loop without one it is a variable that each iteration steps towards a
//! limit, in the condition of a DO WHILE or of an IF that leaves the loop. In a run that is cut short in the loop these are missing.

use crate::edit::{Editor, Place};
use crate::entities::{Block, Counter, Expr, Label, Sym};
use crate::expr::{BinaryOp, ExprData};
use crate::head::Head;
use crate::{Type, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_provenance::Stmt;

/// The most exits; with more, the code at them would matter.
const MOST_EXITS: usize = 8;
/// The same of calls that end the run.
const MOST_ENDS: usize = 32;

/// The variable of a loop, by which its iterations are counted.
struct Course {
    var: Sym,
    /// The first value of the variable, the same all through the loop.
    first: Expr,
    /// The constant increment.
    step: i64,
    /// The statement of the body that adds the increment; none in a DO loop, which does so at its end.
    at: Option<Stmt>,
    /// The number of iterations of a loop that comes to its end, if the variable does not give it.
    all: Option<Expr>,
}

/// The jumps in an innermost loop.
struct Jumps {
    /// The jumps out of it and the calls that end the run, each with the place in the body of the statement that it is in.
    exits: Vec<(Stmt, usize)>,
    /// The ranges of places in the body that jumps skip: from the first place on and before the second.
    skipped: Vec<(usize, usize)>,
}

impl Jumps {
    /// Whether a jump may skip the statement at this place of the body.
    fn may_skip(&self, at: usize) -> bool {
        self.skipped.iter().any(|&(from, to)| from < at && at < to)
    }
}

impl Editor<'_> {
    /// Removes the constant tallies that every iteration of the loop `s` executes once, if the number of iterations is
    /// known wherever the loop is left. Returns their counters.
    pub fn count_exits(&mut self, s: Stmt) -> Vec<Counter> {
        let Some(&body) = self.blocks(s).last().filter(|_| self.head(s).is_loop()) else { return vec![] };
        let order: FxHashMap<Stmt, usize> = self.stmts(body).enumerate().map(|(at, x)| (x, at)).collect();
        let found: Vec<(Stmt, usize, Counter, i64)> = self
            .stmts(body)
            .filter_map(|t| match self.head(t) {
                Head::Tally { counter, amount } => Some((t, order[&t], counter, self.pool.as_int(amount)?)),
                _ => None,
            })
            .collect();
        if found.is_empty() {
            return vec![];
        }
        let Some(jumps) = self.jumps(s, body, &order) else { return vec![] };
        let Some(course) = self.course(s, body, &jumps) else { return vec![] };
        let step = course.at.map(|r| order[&r]);
        if step.is_some_and(|at| jumps.may_skip(at)) {
            return vec![];
        }
        let mut out = Vec::new();
        for (t, at, counter, each) in found.into_iter().filter(|f| !jumps.may_skip(f.1)) {
            self.unit.unlink(t);
            out.push(counter);
            for &(x, exit) in &jumps.exits {
                // Whether this iteration has been counted, and whether the variable is already that of the next.
                let counted = at < exit && !crate::fault("exit_keeps_iterations");
                let stepped = step.is_some_and(|r| r < exit);
                let n = self.iterations(&course, i64::from(counted) - i64::from(stepped));
                self.count_iterations(counter, each, n, Place::Before(x));
            }
            let all = course.all.unwrap_or_else(|| self.iterations(&course, 0));
            self.count_iterations(counter, each, all, Place::After(s));
        }
        out
    }

    fn count_iterations(&mut self, counter: Counter, each: i64, n: Expr, at: Place) {
        let each = self.int(Type::I8, each);
        let amount = self.multiply(each, n);
        self.tally(counter, amount, at);
    }

    /// The number of iterations that follows from the variable's value, plus `more`.
    fn iterations(&mut self, course: &Course, more: i64) -> Expr {
        let ty = self.sym(course.var).ty;
        let mut now = self.var(course.var);
        if self.ty(course.first) != ty {
            now = self.widen(now);
        }
        let (to, from) = if course.step > 0 { (now, course.first) } else { (course.first, now) };
        let mut n = self.distance(from, to, ty);
        if course.step.abs() != 1 {
            let step = self.int(Type::I8, course.step.abs());
            n = self.binary(BinaryOp::Div, n, step);
            self.unit.exact.insert(n);
        }
        let more = self.int(Type::I8, more);
        self.add(n, more)
    }

    /// The course of the loop `s`, if its variable gives the number of its iterations. Its first value is kept.
    fn course(&mut self, s: Stmt, body: Block, jumps: &Jumps) -> Option<Course> {
        let changed = self.defined_below(s);
        match self.head(s) {
            Head::Do { var, lo, hi, step } => {
                let step = self.pool.as_int(step).filter(|&k| k != 0)?;
                let wide = self.sym(var).ty == Type::I8;
                let all = if step.abs() == 1 || self.ends_within_its_type(var, lo, step) {
                    None
                } else if wide || !is_fixed(self, hi, &changed) || !is_fixed(self, lo, &changed) {
                    return None;
                } else {
                    let k = self.int(Type::I8, step);
                    let [lo, hi] = [lo, hi].map(|e| self.widen(e));
                    Some(self.trips([lo, hi, k]))
                };
                let first = match () {
                    () if self.pool.as_int(lo).is_some() || (wide && is_fixed(self, lo, &changed)) => lo,
                    // As 8 bytes, which share no register with the variable: it would be moved in the loop before a rest.
                    () => {
                        let lo = self.widen(lo);
                        self.kept(lo, s)
                    }
                };
                Some(Course { var, first, step, at: None, all })
            }
            Head::DoWhile { cond } => {
                let by_condition = self.bounded_step(s, body, cond, false);
                let (var, at, step) = by_condition.or_else(|| self.bounded_by_exit(s, body, jumps))?;
                let now = self.var(var);
                let now = self.widen(now);
                let first = self.kept(now, s);
                Some(Course { var, first, step, at: Some(at), all: None })
            }
            _ => None,
        }
    }

    /// Whether the values of a loop of `var` from the constant `lo` on, and the one behind the last, are less apart than those of its type.
    fn ends_within_its_type(&self, var: Sym, lo: Expr, step: i64) -> bool {
        let Some(lo) = self.pool.as_int(lo) else { return false };
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let farthest = if step > 0 { most.checked_add(step) } else { least.checked_add(step) };
        let apart = farthest.and_then(|end| end.checked_sub(lo));
        self.sym(var).ty == Type::I4 && apart.is_some_and(|n| n.unsigned_abs() < 1 << 32)
    }

    /// The variable that the loop `s` steps by one in each iteration towards the limit of an IF that leaves the loop.
    fn bounded_by_exit(&self, s: Stmt, body: Block, jumps: &Jumps) -> Option<(Sym, Stmt, i64)> {
        jumps.exits.iter().filter(|exit| !jumps.may_skip(exit.1)).find_map(|&(x, _)| {
            let around = self.enclosing(x).filter(|&a| self.parent(a) == Some(body))?;
            let Head::If { cond } = self.head(around) else { return None };
            let arm = self.blocks(around).iter().position(|&b| self.parent(x) == Some(b))?;
            let mut others = self.walk_block(self.blocks(around)[arm]).into_iter().filter(|&y| y != x);
            let always = others.all(|y| self.targets(self.head(y)).is_empty() && self.head(y) != Head::Return);
            self.bounded_step(s, body, cond, arm == 0).filter(|_| always)
        })
    }

    /// The variable that the loop `s` steps by one in each iteration towards a limit: `cond` holds only on one side of that. It is
    /// the condition on which the loop is left, or else goes on.
    fn bounded_step(&self, s: Stmt, body: Block, cond: Expr, leaves: bool) -> Option<(Sym, Stmt, i64)> {
        let both = if leaves { BinaryOp::Or } else { BinaryOp::And };
        match self.expr(cond) {
            ExprData::Binary(op, a, b) if op == both => {
                self.bounded_step(s, body, a, leaves).or_else(|| self.bounded_step(s, body, b, leaves))
            }
            ExprData::Binary(op, left, right) => {
                let (left, right) = if leaves { (right, left) } else { (left, right) };
                let of = |side: Expr, rises: bool| {
                    let ExprData::Var(var) = self.expr(side) else { return None };
                    let (at, step) = self.only_step(s, body, var)?;
                    (step == if rises { 1 } else { -1 }).then_some((var, at, step))
                };
                match op {
                    BinaryOp::Le | BinaryOp::Lt => of(left, true).or_else(|| of(right, false)),
                    BinaryOp::Ge | BinaryOp::Gt => of(left, false).or_else(|| of(right, true)),
                    _ => None,
                }
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

    /// The jumps in the innermost loop `s`; none if anything else may leave or repeat it.
    fn jumps(&self, s: Stmt, body: Block, order: &FxHashMap<Stmt, usize>) -> Option<Jumps> {
        let is_other = |head: Head| {
            let may_go = matches!(head, Head::Call { .. }) || !self.always_returns(head);
            head.is_loop() || may_go && !self.never_returns(head)
        };
        if self.within(s).any(|x| is_other(self.head(x))) {
            return None;
        }
        let inside = self.walk_stmt(s);
        let labels: FxHashMap<Label, usize> = inside
            .iter()
            .enumerate()
            .filter_map(|(at, &x)| if let Head::Label(l) = self.head(x) { Some((l, at)) } else { None })
            .collect();
        let place = |x: Stmt| order.get(&self.child_of(body, x)?).copied();
        let mut out = Jumps { exits: Vec::new(), skipped: Vec::new() };
        let mut ends = 0;
        for (at, &x) in inside.iter().enumerate().skip(1) {
            let head = self.head(x);
            let targets = self.targets(head);
            let ends_run = self.never_returns(head);
            ends += usize::from(ends_run);
            let leaves = ends_run || head == Head::Return || targets.iter().any(|l| !labels.contains_key(l));
            if leaves && !ends_run && !matches!(head, Head::Return | Head::Goto(_)) {
                return None;
            }
            if leaves {
                out.exits.push((x, place(x)?));
                continue;
            }
            for l in targets {
                // Backwards, it goes around in the loop.
                let to = labels[&l];
                if to < at {
                    return None;
                }
                out.skipped.push((place(x)?, place(inside[to])?));
            }
        }
        (ends <= MOST_ENDS && out.exits.len() - ends <= MOST_EXITS).then_some(out)
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

#[cfg(test)]
mod tests {
    use crate::Editor;
    use crate::testing::check;

    fn count_exits(ed: &mut Editor<'_>) {
        for s in ed.walk() {
            ed.count_exits(s);
        }
    }

    #[test]
    fn a_variable_with_a_limit_at_an_exit_tells_the_iterations() {
        check(
            "discharge",
            &count_exits,
            "
integer l, n
real a(99)
l = 2 @1
do while .true. @2
  tally @2 iterations += 1
  l = l + 1 @3
  if l > n @4
    goto L1 @5
  end
  a(l) = 1.0 @6
end
L1: @2",
            "
i8 ghost.1
l = 2 @1
ghost ghost.1 = i8(l)
do while .true. @2
  l = l + 1 @3
  if l > n @4
    tally @2 iterations += iand(i8(l) - ghost.1, 4294967295)
    goto L1 @5
  end
  a(l) = 1.0 @6
end
tally @2 iterations += iand(i8(l) - ghost.1, 4294967295)
L1: @2
",
        );
    }

    #[test]
    fn a_limit_that_a_jump_may_skip_is_none() {
        check(
            "discharge",
            &count_exits,
            "
integer l, n
real a(99)
l = 2 @1
do while .true. @2
  tally @2 iterations += 1
  l = l + 1 @3
  if a(l) > 2.0 @4
    goto L2 @5
  end
  if l > n @6
    goto L1 @7
  end
  a(l) = 1.0 @8
  L2: @2
end
L1: @2",
            "
l = 2 @1
do while .true. @2
  tally @2 iterations += 1
  l = l + 1 @3
  if a(l) > 2.0 @4
    goto L1 @5
  end
  if l > n @6
    goto L2 @7
  end
  a(l) = 1.0 @8
  L1: @2
end
L2: @2
",
        );
    }
}
