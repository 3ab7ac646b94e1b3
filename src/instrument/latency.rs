//! Loops whose iterations wait for one another: counters in them run meanwhile, and take hardly any time.
//!
//! ```text
//! do i = 1, n                    four cycles an iteration for the sum, whatever else is done
//!   s = s + a(i) * b(i)
//!   if (a(i) > x) k = k + 1      the count of this arm waits for nothing
//! end do
//! ```
//!
//! An estimate in cycles of a common processor: the time of the longest chain from one iteration to the next, compared
//! with the time to issue the operations of an iteration, four a cycle. An iteration takes one arm of a conditional: the
//! longest one for the chain, and a mean of them for the operations. A SELECT CASE of many arms in the loop is a jump that everything waits for.

use crate::cost::is_operation;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{BinaryOp, Block, Expr, ExprData, Head, Intrinsic, Stmt, Sym, Unit};

/// Operations that are issued in a cycle.
const WIDTH: f64 = 4.0;
/// From a store to a load of the same address.
const FORWARDED: f64 = 5.0;
/// A load from the nearest cache.
const LOAD: f64 = 5.0;

/// Cycles that an iteration waits at least where another operation costs no time: shorter ones take as long for their jumps.
const LONG: f64 = 3.0;
/// Cycles that a conditional takes in the mean if the processor does not foresee where it leads. Then nothing waits meanwhile.
const UNFORESEEN: f64 = 2.0;

/// The ranges of a SELECT CASE that becomes a jump by a table. The processor often does not foresee such a jump, or waits for a load before it.
const TABLE: usize = 8;

/// The most operands of a loop that are examined.
const MOST: usize = 10_000;

/// The most statements of a loop that is examined: more take longer to issue than nearly any chain.
const LARGEST: usize = 500;

/// Whether the iterations of the loop `s`, an innermost one without calls, wait for one another longer than it takes to issue their operations.
pub(crate) fn waits(unit: &Unit, s: Stmt) -> bool {
    let is_other = |&x: &Stmt| unit.head(x).is_loop() || matches!(unit.head(x), Head::Call { .. });
    let inside: Vec<Stmt> = unit.within(s).take(LARGEST + 1).take_while(|x| !is_other(x)).collect();
    if inside.len() > LARGEST || unit.within(s).nth(inside.len()).is_some() {
        return false;
    }
    // A jump by a table waits for the number that it goes by.
    let is_table =
        |&x: &Stmt| matches!(unit.head(x), Head::Select { ranges, .. } if unit.list(ranges).len() >= 3 * TABLE);
    if inside.iter().any(is_table) {
        return true;
    }
    let defined = inside.iter().flat_map(|&x| unit.may_define(unit.head(x))).collect();
    let (now, carried) = (State::default(), FxHashSet::default());
    let mut chains = Chains { unit, defined, now, carried, left: MOST };
    let issued = 2.0 + unit.blocks(s).iter().map(|&b| chains.block(b)).sum::<f64>();
    chains.longest() > (issued / WIDTH).max(LONG)
}

/// The times, counted from the beginning of an iteration, at which values are ready that depend on the iteration before.
#[derive(Clone, Default)]
struct State {
    /// By register; below zero, if it does not depend on the iteration before.
    at: FxHashMap<Sym, f64>,
    /// By the address of memory whose value is replaced: the same in all iterations.
    memory: FxHashMap<(Sym, Expr, i32), f64>,
}

/// The state at a place of an iteration, and how it came about.
struct Chains<'a> {
    unit: &'a Unit,
    /// The registers that the loop defines.
    defined: FxHashSet<Sym>,
    now: State,
    /// The registers that were read before the iteration has computed them.
    carried: FxHashSet<Sym>,
    /// The number of operands still looked at.
    left: usize,
}

impl Chains<'_> {
    /// Follows a block; the mean number of operations that are issued in it.
    fn block(&mut self, b: Block) -> f64 {
        let unit = self.unit;
        let mut issued = 0.0;
        for s in unit.stmts(b) {
            let head = unit.head(s);
            for e in unit.values(head) {
                unit.visit_expr(e, &mut |e| issued += f64::from(u8::from(is_operation(unit, e))));
            }
            if head.is_invisible() {
                continue;
            }
            issued += f64::from(u8::from(matches!(head, Head::If { .. } | Head::Select { .. } | Head::Store { .. })));
            self.follow(head);
            issued += self.arms(unit.blocks(s));
        }
        issued
    }

    /// Follows the arms of a conditional, each from the state before it, and joins the states behind them.
    fn arms(&mut self, arms: &[Block]) -> f64 {
        let Some((&last, others)) = arms.split_last() else { return 0.0 };
        let before = self.now.clone();
        let mut issued = 0.0;
        let mut ends = Vec::new();
        for &arm in others {
            issued += self.block(arm);
            ends.push(std::mem::replace(&mut self.now, before.clone()));
        }
        issued += self.block(last);
        ends.into_iter().for_each(|end| self.join(end));
        UNFORESEEN * WIDTH + issued / arms.len() as f64
    }

    /// A value is ready when it is on all ways. One that a way leaves as it was before the iteration is ready at once.
    fn join(&mut self, other: State) {
        let registers: FxHashSet<Sym> = self.now.at.keys().chain(other.at.keys()).copied().collect();
        for v in registers {
            let here = [&self.now, &other].map(|s| s.at.get(&v).copied());
            if here.contains(&None) {
                self.carried.insert(v);
            }
            let [a, b] = here.map(|at| at.unwrap_or(0.0));
            self.now.at.insert(v, a.max(b));
        }
        for (key, at) in other.memory {
            let here = self.now.memory.entry(key).or_default();
            *here = here.max(at);
        }
    }

    fn follow(&mut self, head: Head) {
        match head {
            Head::Assign { place, value } => {
                let ExprData::Var(v) = self.unit.expr(place) else { return };
                let after = self.after(value).unwrap_or(-1.0);
                self.now.at.insert(v, after);
            }
            Head::Store { sym, addr, offset, value, .. } => {
                let is_same = self.unit.registers_in(addr).iter().all(|v| !self.defined.contains(v));
                let reads = {
                    let mut found = false;
                    self.unit.visit_expr(value, &mut |e| {
                        found |= matches!(self.unit.expr(e), ExprData::Load { sym: s, addr: a, offset: o, .. }
                            if (s, a, o) == (sym, addr, offset));
                    });
                    found
                };
                if is_same && reads {
                    let long = FORWARDED + self.operation_time(value);
                    *self.now.memory.entry((sym, addr, offset)).or_default() += long;
                }
            }
            _ => {}
        }
    }

    /// The time of the outermost operation of a value that is stored.
    fn operation_time(&self, value: Expr) -> f64 {
        time(self.unit, value)
    }

    /// The time at which `e` is ready; none if it does not depend on the iteration before.
    fn after(&mut self, e: Expr) -> Option<f64> {
        let unit = self.unit;
        // Expressions share parts: a short text may be a long computation.
        self.left = self.left.checked_sub(1)?;
        match unit.expr(e) {
            ExprData::Var(v) if self.defined.contains(&v) => match self.now.at.get(&v) {
                Some(&at) => (at >= 0.0).then_some(at),
                None => {
                    self.carried.insert(v);
                    Some(0.0)
                }
            },
            ExprData::Binary(_, a, b) => {
                let (a, b) = (self.after(a), self.after(b));
                a.into_iter().chain(b).reduce(f64::max).map(|n| n + time(unit, e))
            }
            ExprData::Unary(_, a) | ExprData::Convert(_, a) | ExprData::Bitcast(_, a) => {
                self.after(a).map(|n| n + time(unit, e))
            }
            ExprData::Load { addr, .. } => self.after(addr).map(|n| n + LOAD),
            ExprData::Intrinsic(_, list) => {
                let all: Vec<Expr> = unit.list(list).to_vec();
                let all: Vec<f64> = all.into_iter().filter_map(|a| self.after(a)).collect();
                all.into_iter().reduce(f64::max).map(|n| n + time(unit, e))
            }
            _ => None,
        }
    }

    /// The longest chain through an iteration.
    fn longest(&self) -> f64 {
        let registers = self.now.at.iter().filter(|(v, _)| self.carried.contains(v)).map(|(_, &n)| n);
        registers.chain(self.now.memory.values().copied()).fold(0.0, f64::max)
    }
}

/// Cycles of the operation `e`.
fn time(unit: &Unit, e: Expr) -> f64 {
    let of = |integer: f64, real: f64| if unit.ty(e).is_real() { real } else { integer };
    match unit.expr(e) {
        // A division by a constant is a multiplication and shifts.
        ExprData::Binary(BinaryOp::Div, _, by) if unit.pool().as_int(by).is_some() => 5.0,
        ExprData::Binary(BinaryOp::Div, ..) => of(20.0, 13.0),
        ExprData::Binary(BinaryOp::Mul, ..) => of(3.0, 4.0),
        ExprData::Binary(..) | ExprData::Unary(..) => of(1.0, 4.0),
        ExprData::Convert(..) => of(1.0, 5.0),
        ExprData::Intrinsic(Intrinsic::Sqrt, _) => 15.0,
        ExprData::Intrinsic(Intrinsic::Max | Intrinsic::Min, _) => of(2.0, 4.0),
        ExprData::Intrinsic(Intrinsic::Merge | Intrinsic::Abs | Intrinsic::Sign, _) => 2.0,
        ExprData::Intrinsic(..) => of(2.0, 20.0),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::waits;
    use trueline_ir::parse_unit;

    /// Whether the first loop of a unit with that code waits.
    fn of(code: &str) -> bool {
        let text = format!("integer n, i, k, m\nreal s, t\n{code}");
        let unit = parse_unit(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let s = unit.walk().into_iter().find(|&s| unit.head(s).is_loop()).expect("a loop");
        waits(&unit, s)
    }

    #[test]
    fn sums_wait_for_themselves() {
        assert!(of("do i = 1, n\n  s = s + t\nend"));
        assert!(of("do i = 1, n\n  t = s * 2.0\n  s = t + 1.0\nend"));
        assert!(of("do i = 1, n\n  k = n / (k + i)\nend"));
    }

    #[test]
    fn jumps_by_a_table_are_waited_for() {
        let cases = |n: i64| (0..n).map(|j| format!("case {j}\n m = {j}\n")).collect::<String>();
        assert!(of(&format!("do i = 1, n\nselect k\n{}end\nend", cases(8))));
        assert!(!of(&format!("do i = 1, n\nselect k\n{}end\nend", cases(3))));
    }

    #[test]
    fn what_is_computed_anew_does_not() {
        assert!(!of("do i = 1, n\n  t = 2.0\n  s = t * 3.0 + 1.0\nend"));
        assert!(!of("do i = 1, n\n  k = i + m\n  m = i * 3\nend"));
        // An iteration goes through one of the arms.
        let chain: String = (0..8).map(|j| format!("if (k == {j})\n m = m + 1\nelse\n")).collect();
        assert!(!of(&format!("do i = 1, n\n{chain} m = m + 2\n{}end", "end\n".repeat(8))));
        // One addition of integers takes less time than to issue the operations beside it.
        assert!(!of("do i = 1, n\n  k = k + i * m * n * i\nend"));
    }

    #[test]
    fn calls_and_loops_in_it_take_their_own_time() {
        assert!(!of("do i = 1, n\n  s = s + t\n  do k = 1, n\n    s = s * 2.0\n  end\nend"));
    }
}
