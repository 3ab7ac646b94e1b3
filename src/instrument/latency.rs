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
//! with the time to issue the operations of an iteration, four a cycle.

use crate::cost::is_operation;
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::{BinaryOp, Expr, ExprData, Head, Intrinsic, Stmt, Sym, Unit};

/// Operations that are issued in a cycle.
const WIDTH: f64 = 4.0;
/// From a store to a load of the same address.
const FORWARDED: f64 = 5.0;
/// A load from the nearest cache.
const LOAD: f64 = 5.0;

/// The most operands of a loop that are examined.
const MOST: usize = 10_000;

/// Whether the iterations of the loop `s`, an innermost one without calls, wait for one another longer than it takes to issue their operations.
pub(crate) fn waits(unit: &Unit, s: Stmt) -> bool {
    let inside: Vec<Stmt> = unit.walk_stmt(s).into_iter().skip(1).collect();
    let is_other = |&x: &Stmt| unit.head(x).is_loop() || matches!(unit.head(x), Head::Call { .. });
    if inside.iter().any(is_other) {
        return false;
    }
    let mut chains = Chains {
        unit,
        at: FxHashMap::default(),
        memory: FxHashMap::default(),
        carried: FxHashSet::default(),
        left: MOST,
    };
    let defined: FxHashSet<Sym> = inside.iter().flat_map(|&x| unit.may_define(unit.head(x))).collect();
    let mut issued = 2.0;
    for &x in &inside {
        let head = unit.head(x);
        for e in unit.values(head) {
            unit.visit_expr(e, &mut |e| issued += f64::from(u8::from(is_operation(unit, e))));
        }
        if head.is_invisible() {
            continue;
        }
        issued += f64::from(u8::from(matches!(head, Head::If { .. } | Head::Store { .. })));
        chains.follow(head, &defined);
    }
    chains.longest() > issued / WIDTH
}

/// The times, counted from the beginning of an iteration, at which values are ready that depend on the iteration
/// before.
struct Chains<'a> {
    unit: &'a Unit,
    /// By register.
    at: FxHashMap<Sym, f64>,
    /// By the address of memory whose value is replaced: the same in all iterations.
    memory: FxHashMap<(Sym, Expr, i32), f64>,
    /// The registers that were read before the iteration has computed them.
    carried: FxHashSet<Sym>,
    /// The number of operands still looked at.
    left: usize,
}

impl Chains<'_> {
    fn follow(&mut self, head: Head, defined: &FxHashSet<Sym>) {
        match head {
            Head::Assign { place, value } => {
                let ExprData::Var(v) = self.unit.expr(place) else { return };
                let after = self.after(value, defined);
                match after {
                    Some(after) => {
                        // The longer one of two arms.
                        let old = self.at.get(&v).copied().unwrap_or(0.0);
                        self.at.insert(v, after.max(old));
                    }
                    // The register does not depend on the iteration before any more.
                    None => {
                        self.at.entry(v).or_insert(-1.0);
                    }
                }
            }
            Head::Store { sym, addr, offset, value, .. } => {
                let is_same = self.unit.registers_in(addr).iter().all(|v| !defined.contains(v));
                let reads = {
                    let mut found = false;
                    self.unit.visit_expr(value, &mut |e| {
                        found |= matches!(self.unit.expr(e), ExprData::Load { sym: s, addr: a, offset: o, .. }
                            if (s, a, o) == (sym, addr, offset));
                    });
                    found
                };
                if is_same && reads {
                    let key = (sym, addr, offset);
                    let began = self.memory.get(&key).copied().unwrap_or(0.0);
                    let long = FORWARDED + self.operation_time(value);
                    self.memory.insert(key, (began + long).max(long));
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
    fn after(&mut self, e: Expr, defined: &FxHashSet<Sym>) -> Option<f64> {
        let unit = self.unit;
        // Expressions share parts: a short text may be a long computation.
        self.left = self.left.checked_sub(1)?;
        match unit.expr(e) {
            ExprData::Var(v) if defined.contains(&v) => match self.at.get(&v) {
                Some(&at) => (at >= 0.0).then_some(at),
                None => {
                    self.carried.insert(v);
                    Some(0.0)
                }
            },
            ExprData::Binary(_, a, b) => {
                let (a, b) = (self.after(a, defined), self.after(b, defined));
                a.into_iter().chain(b).reduce(f64::max).map(|n| n + time(unit, e))
            }
            ExprData::Unary(_, a) | ExprData::Convert(_, a) | ExprData::Bitcast(_, a) => {
                self.after(a, defined).map(|n| n + time(unit, e))
            }
            ExprData::Load { addr, .. } => self.after(addr, defined).map(|n| n + LOAD),
            ExprData::Intrinsic(_, list) => {
                let all: Vec<Expr> = unit.list(list).to_vec();
                let all: Vec<f64> = all.into_iter().filter_map(|a| self.after(a, defined)).collect();
                all.into_iter().reduce(f64::max).map(|n| n + time(unit, e))
            }
            _ => None,
        }
    }

    /// The longest chain through an iteration.
    fn longest(&self) -> f64 {
        let registers = self.at.iter().filter(|(v, _)| self.carried.contains(v)).map(|(_, &n)| n);
        registers.chain(self.memory.values().copied()).fold(0.0, f64::max)
    }
}

/// Cycles of the operation `e`.
fn time(unit: &Unit, e: Expr) -> f64 {
    let is_real = unit.ty(e).is_real();
    match unit.expr(e) {
        ExprData::Binary(BinaryOp::Div, ..) => {
            if is_real {
                13.0
            } else {
                20.0
            }
        }
        ExprData::Binary(BinaryOp::Mul, ..) => {
            if is_real {
                4.0
            } else {
                3.0
            }
        }
        ExprData::Binary(..) | ExprData::Unary(..) => {
            if is_real {
                4.0
            } else {
                1.0
            }
        }
        ExprData::Convert(..) => {
            if is_real {
                5.0
            } else {
                1.0
            }
        }
        ExprData::Intrinsic(Intrinsic::Sqrt, _) => 15.0,
        ExprData::Intrinsic(..) => {
            if is_real {
                20.0
            } else {
                2.0
            }
        }
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
    fn what_is_computed_anew_does_not() {
        assert!(!of("do i = 1, n\n  t = 2.0\n  s = t * 3.0 + 1.0\nend"));
        assert!(!of("do i = 1, n\n  k = i + m\n  m = i * 3\nend"));
        // One addition of integers takes less time than to issue the operations beside it.
        assert!(!of("do i = 1, n\n  k = k + i * m * n * i\nend"));
    }

    #[test]
    fn calls_and_loops_in_it_take_their_own_time() {
        assert!(!of("do i = 1, n\n  s = s + t\n  do k = 1, n\n    s = s * 2.0\n  end\nend"));
    }
}
