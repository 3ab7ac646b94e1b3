//! The least and the greatest values that reach a statement in the same iteration: the assignments before it count, those in both arms of a
//! conditional, and the comparisons under which an arm runs.
//!
//! ```text
//! c = ichar(text(i))               ! 0 … 255
//! if (c >= 97 .and. c <= 122)      ! 97 … 122 in the arm
//!   c = c - 32                     ! 65 … 90
//! end
//! upper(i) = achar(c)              ! 0 … 255
//! ```

use super::extremes::{Nest, one_of};
use super::limits::facts;
use crate::linear::{Linear, is_integer};
use trueline_ir::{BinaryOp, Block, Callee, Editor, Expr, ExprData, Head, Intrinsic, Stmt, Sym, Unit};

/// The most comparisons with one register that are looked at.
const MOST_FACTS: usize = 8;

/// The most definitions of a register that is looked at.
const MOST_DEFINITIONS: usize = 8;

/// The register that is looked for, and which of its values.
#[derive(Clone, Copy)]
struct Wanted {
    v: Sym,
    least: bool,
}

impl Wanted {
    /// The end of values that are within all of these.
    fn inner(self, ed: &mut Editor<'_>, ends: &[Linear]) -> Option<Linear> {
        one_of(ed, if self.least { Intrinsic::Max } else { Intrinsic::Min }, ends)
    }

    /// The end of values that are within one of these.
    fn outer(self, ed: &mut Editor<'_>, ends: &[Linear]) -> Option<Linear> {
        one_of(ed, if self.least { Intrinsic::Min } else { Intrinsic::Max }, ends)
    }
}

impl Nest<'_> {
    /// The least (or the greatest) value of the register `v` before `at`, if the same iteration of the loop around `at` gives it to `v`, or conditionals
    /// around `at` limit it.
    pub(super) fn end_by_flow(
        &self,
        ed: &mut Editor<'_>,
        at: Stmt,
        v: Sym,
        least: bool,
        steps: &mut u32,
    ) -> Option<Linear> {
        if self.region.labels || at == self.root || !is_integer(ed.sym(v).ty) {
            return None;
        }
        self.end_before(ed, at, Wanted { v, least }, steps)
    }

    /// Whether the only assignment to `v` in the nest changes it by a value: the number of iterations tells more than each of them.
    pub(super) fn is_counter(&self, u: &Unit, v: Sym) -> bool {
        let Some(&[s]) = self.definitions.get(&v).map(Vec::as_slice) else { return false };
        matches!(u.head(s), Head::Assign { value, .. } if u.mentions(value, v))
    }

    /// The value before the statement `at`.
    fn end_before(&self, ed: &mut Editor<'_>, at: Stmt, wanted: Wanted, steps: &mut u32) -> Option<Linear> {
        if let Some(s) = self.last_definition(ed, ed.prev_real(at), wanted.v)? {
            return self.end_behind(ed, s, wanted, steps);
        }
        let around = ed.enclosing(at).filter(|&a| a != self.root)?;
        match ed.head(around) {
            Head::If { cond } => {
                let is_first = ed.parent(at) == Some(ed.blocks(around)[0]);
                self.end_in_arm(ed, around, (cond, is_first), wanted, steps)
            }
            Head::Select { .. } => self.end_before(ed, around, wanted, steps),
            // An inner loop that leaves it alone.
            Head::Do { .. } | Head::DoWhile { .. } if !self.is_defined_in(ed, around, wanted.v) => {
                self.end_before(ed, around, wanted, steps)
            }
            _ => None,
        }
    }

    /// The value at the beginning of an arm of the conditional `s`, in which the condition holds or does not.
    fn end_in_arm(
        &self,
        ed: &mut Editor<'_>,
        s: Stmt,
        (cond, holds): (Expr, bool),
        wanted: Wanted,
        steps: &mut u32,
    ) -> Option<Linear> {
        let limits = self.limits_of(ed, cond, holds, wanted);
        let before = self.end_before(ed, s, wanted, steps);
        let mut ends: Vec<Linear> = limits.into_iter().chain(before).collect();
        if !self.is_limited.get() && ends.iter().any(|e| e.as_constant().is_some()) {
            // A constant may prove the check, without a question.
            ends.retain(|e| e.as_constant().is_some());
        }
        // The greatest of several limits from below counts.
        wanted.inner(ed, &ends)
    }

    /// The value behind the statement `s`, which may define the register.
    fn end_behind(&self, ed: &mut Editor<'_>, s: Stmt, wanted: Wanted, steps: &mut u32) -> Option<Linear> {
        *steps = steps.checked_sub(1)?;
        match ed.head(s) {
            Head::Assign { place, value } if ed.expr(place) == ExprData::Var(wanted.v) => {
                let sum = Linear::of(ed, value);
                if wanted.least {
                    return self.least(ed, s, sum, steps);
                }
                let negative = Linear::default().minus(&sum);
                Some(Linear::default().minus(&self.least(ed, s, negative, steps)?))
            }
            head @ (Head::If { .. } | Head::Select { .. }) => {
                let mut ends: Vec<Linear> = Vec::new();
                for (k, arm) in ed.blocks(s).to_vec().into_iter().enumerate() {
                    if ends_control(ed, arm) {
                        continue;
                    }
                    let last = ed.real_stmts(arm).next_back();
                    ends.push(match (self.last_definition(ed, last, wanted.v)?, head) {
                        (Some(x), _) => self.end_behind(ed, x, wanted, steps)?,
                        (None, _) if trueline_ir::fault("uncheck_one_arm") => continue,
                        (None, Head::If { cond }) => self.end_in_arm(ed, s, (cond, k == 0), wanted, steps)?,
                        (None, _) => self.end_before(ed, s, wanted, steps)?,
                    });
                }
                wanted.outer(ed, &ends)
            }
            _ => None,
        }
    }

    /// The limits of the register where `cond` is `holds`: sums of values that the nest keeps.
    fn limits_of(&self, u: &Unit, cond: Expr, holds: bool, wanted: Wanted) -> Vec<Linear> {
        let mut out: Vec<Linear> = Vec::new();
        facts(u, cond, holds, &mut |op, x, y| {
            let mut sum = Linear::of(u, x).minus(&Linear::of(u, y));
            // factor * register + sum OP 0
            let factor = sum.take(u, wanted.v);
            let is_kept = sum.terms.iter().all(|t| self.is_fixed(u, t.0));
            if factor.checked_abs() != Some(1) || !is_kept || out.len() == MOST_FACTS {
                return;
            }
            let (from_below, from_above, is_strict) = match op {
                BinaryOp::Eq => (true, true, false),
                BinaryOp::Ge | BinaryOp::Gt => (factor > 0, factor < 0, op == BinaryOp::Gt),
                BinaryOp::Le | BinaryOp::Lt => (factor < 0, factor > 0, op == BinaryOp::Lt),
                _ => return,
            };
            if !(if wanted.least { from_below } else { from_above }) {
                return;
            }
            let mut limit = if factor > 0 { Linear::default().minus(&sum) } else { sum };
            let more = i64::from(is_strict) * if wanted.least { 1 } else { -1 };
            limit.constant = limit.constant.wrapping_add(more);
            out.push(limit);
        });
        out
    }

    /// The last statement that may define `v`, from `from` back to the beginning of its block. None if too many statements define it to look.
    fn last_definition(&self, u: &Unit, from: Option<Stmt>, v: Sym) -> Option<Option<Stmt>> {
        let all = self.definitions.get(&v).filter(|d| d.len() <= MOST_DEFINITIONS)?;
        let Some(from) = from else { return Some(None) };
        let block = u.parent(from);
        // The statements of this block that these are in.
        let within = |&d: &Stmt| std::iter::once(d).chain(u.ancestors(d)).find(|&a| u.parent(a) == block);
        let here: Vec<Stmt> = all.iter().filter_map(within).collect();
        if here.is_empty() {
            return Some(None);
        }
        Some(std::iter::successors(Some(from), |&x| u.prev_real(x)).find(|s| here.contains(s)))
    }

    fn is_defined_in(&self, u: &Unit, around: Stmt, v: Sym) -> bool {
        let is_inside = |&d: &Stmt| d == around || u.ancestors(d).any(|a| a == around);
        self.definitions.get(&v).is_some_and(|d| d.iter().any(is_inside))
    }
}

/// Whether control does not come to the end of the block.
fn ends_control(u: &Unit, b: Block) -> bool {
    u.real_stmts(b).next_back().is_some_and(|s| match u.head(s) {
        Head::Return | Head::Goto(_) => true,
        Head::Call { callee: Callee::Rt(f), .. } => f.is_fault(),
        _ => false,
    })
}
