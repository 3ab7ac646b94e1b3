//! Dependence between two references to elements of one array: which directions are possible.
//!
//! Loops are normalised to iteration numbers `k = 0, 1, …, last`. The equation `sum(a*k) - sum(b*k') + d = 0` of each
//! dimension must have a solution: the greatest common divisor must divide `d`, and `d` must lie between Banerjee's
//! bounds for the direction. For one index with equal coefficients (strong SIV) both together are exact; equations that
//! demand different distances at one level are found, too (Goff, Kennedy and Tseng, "Practical dependence testing",
//! PLDI 1991). A subscript that is not affine gives no equation, and so excludes nothing.

use super::loops::{DoLoop, loops_between};
use super::ordered::never_zero;
use super::refs::MemRef;
use crate::alias::may_overlap;
use crate::linear::Linear;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use trueline_ir::{Expr, ExprData, Stmt, Sym, Unit};

/// A loop of a nest.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) var: Sym,
    pub(crate) lo: Linear,
    pub(crate) step: i64,
    /// The number of the last iteration, if known.
    pub(crate) last: Option<i64>,
}

/// The order of the iterations of two references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dir {
    /// The first is in an earlier iteration.
    Before,
    Same,
    After,
}

/// A direction for each common loop, outermost first.
pub(crate) type Vector = SmallVec<[Dir; 4]>;

/// The possible dependences between two references.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Dependence {
    /// They never touch the same memory, or only read.
    Never,
    /// They may, in these directions.
    In(Vec<Vector>),
    /// They may, in any direction.
    Any,
}

impl Dependence {
    /// Whether `bad` holds for some possible direction vector; true for an unknown dependence.
    pub(crate) fn any(&self, bad: impl Fn(&[Dir]) -> bool) -> bool {
        match self {
            Dependence::Never => false,
            Dependence::In(vectors) => vectors.iter().any(|v| bad(v)),
            Dependence::Any => true,
        }
    }
}

/// More common loops than this are not looked at.
const MAX_LEVELS: usize = 6;

/// References whose pairs are compared; more would cost too much, and are taken as dependent.
pub(crate) const MAX_REFS: usize = 250;

/// One side of a test: the loops around a reference, outermost first.
pub(crate) struct Side {
    pub(crate) levels: Vec<Level>,
}

impl Side {
    /// The loops around `s` from `outer` inwards.
    pub(crate) fn of(u: &Unit, outer: Stmt, s: Stmt) -> Option<Side> {
        let loops: Vec<DoLoop> = if s == outer {
            DoLoop::of(u, s).into_iter().collect()
        } else {
            let mut loops = loops_between(u, outer, s)?;
            loops.extend(DoLoop::of(u, s));
            loops
        };
        Some(Side { levels: loops.iter().map(|l| l.level(u)).collect::<Option<_>>()? })
    }
}

/// The dependence of `a` and `b`, whose outermost `common` loops are the same. `changed` are the registers defined in
/// those loops.
pub(crate) fn dependence(
    u: &Unit,
    (a, at_a): (&MemRef, Option<&Side>),
    (b, at_b): (&MemRef, Option<&Side>),
    common: usize,
    changed: &FxHashSet<Sym>,
) -> Dependence {
    let output = a.write && b.write && trueline_ir::fault("depend_output");
    if !(a.write || b.write) || output || !may_overlap(u, a.sym, b.sym) {
        return Dependence::Never;
    }
    let (Some(at_a), Some(at_b)) = (at_a, at_b) else { return Dependence::Any };
    let mut located = Vec::new();
    u.registers_of(a.sym, &mut located);
    let moves = located.iter().any(|v| changed.contains(v));
    if a.sym != b.sym || moves || !a.exact || !b.exact || common > MAX_LEVELS {
        return Dependence::Any;
    }
    let equations = match (u.expr(a.place), u.expr(b.place)) {
        (ExprData::Elem(_, i), ExprData::Elem(_, j)) if u.list(i).len() == u.list(j).len() => {
            let pairs = u.list(i).iter().zip(u.list(j));
            let apart = |(&i, &j): (&Expr, &Expr)| {
                fixed_distance(u, (i, at_a), (j, at_b), changed).is_some_and(|d| never_zero(u, &d, a.stmt, b.stmt))
                    || never_meets(u, (i, at_a), (j, b.stmt), changed)
                    || never_meets(u, (j, at_b), (i, a.stmt), changed)
            };
            if pairs.clone().any(apart) {
                return Dependence::Never;
            }
            pairs.filter_map(|(&i, &j)| Equation::of(u, (i, at_a), (j, at_b), changed)).collect()
        }
        (ExprData::Var(_), ExprData::Var(_)) => Vec::new(),
        _ => return Dependence::Any,
    };
    let system = System { equations, at_a, at_b, common };
    if system.distances_differ() {
        return Dependence::Never;
    }
    let mut vectors = Vec::new();
    system.directions(&mut Vector::new(), &mut vectors);
    if vectors.is_empty() { Dependence::Never } else { Dependence::In(vectors) }
}

/// `sum(a[l]*k[l]) - sum(b[l]*k'[l]) + constant = 0`.
struct Equation {
    a: Vec<i64>,
    b: Vec<i64>,
    constant: i64,
}

impl Equation {
    fn of(u: &Unit, (i, at_a): (Expr, &Side), (j, at_b): (Expr, &Side), changed: &FxHashSet<Sym>) -> Option<Equation> {
        let (a, rest_a) = normalised(u, i, at_a, changed)?;
        let (b, rest_b) = normalised(u, j, at_b, changed)?;
        let wrong = i64::from(trueline_ir::fault("depend_distance"));
        Some(Equation { a, b, constant: rest_a.minus(&rest_b).as_constant()?.checked_add(wrong)? })
    }
}

/// The difference of two subscripts that do not depend on the loops of the nest, unless it is a number.
fn fixed_distance(
    u: &Unit,
    (i, at_a): (Expr, &Side),
    (j, at_b): (Expr, &Side),
    changed: &FxHashSet<Sym>,
) -> Option<Linear> {
    let (a, rest_a) = normalised(u, i, at_a, changed)?;
    let (b, rest_b) = normalised(u, j, at_b, changed)?;
    let distance = rest_a.minus(&rest_b);
    (a.iter().chain(&b).all(|&c| c == 0) && distance.as_constant().is_none()).then_some(distance)
}

/// Whether the first subscript is the same in all iterations of the nest, and the second one, in `moves`, is never that.
fn never_meets(u: &Unit, (stays, at): (Expr, &Side), (moves, s): (Expr, Stmt), changed: &FxHashSet<Sym>) -> bool {
    let Some((factors, fixed)) = normalised(u, stays, at, changed) else { return false };
    factors.iter().all(|&c| c == 0) && never_zero(u, &fixed.minus(&Linear::of(u, moves)), s, s)
}

/// A subscript in terms of iteration numbers, and its part that is fixed.
fn normalised(u: &Unit, e: Expr, at: &Side, changed: &FxHashSet<Sym>) -> Option<(Vec<i64>, Linear)> {
    let mut rest = Linear::of(u, e);
    let mut factors = vec![0; at.levels.len()];
    for (l, level) in at.levels.iter().enumerate().rev() {
        let c = rest.take(u, level.var);
        if c == 0 {
            continue;
        }
        factors[l] = c.checked_mul(level.step)?;
        for &(term, k) in &level.lo.terms {
            rest.add(u, term, k.checked_mul(c)?);
        }
        if trueline_ir::fault("depend_stride") {
            factors[l] = c;
        }
        rest.constant = rest.constant.checked_add(level.lo.constant.checked_mul(c)?)?;
    }
    let fixed = rest.terms.iter().all(|&(term, _)| {
        !u.reads_memory(term)
            && u.registers_in(term).iter().all(|v| !changed.contains(v) && at.levels.iter().all(|l| l.var != *v))
    });
    fixed.then_some((factors, rest))
}

struct System<'a> {
    equations: Vec<Equation>,
    at_a: &'a Side,
    at_b: &'a Side,
    common: usize,
}

impl System<'_> {
    /// Whether two equations in a single index demand different distances.
    fn distances_differ(&self) -> bool {
        let mut found: SmallVec<[Option<i64>; 4]> = SmallVec::from_elem(None, self.common);
        for eq in &self.equations {
            let mut used = (0..eq.a.len().max(eq.b.len()))
                .filter(|&l| eq.a.get(l).is_some_and(|&c| c != 0) || eq.b.get(l).is_some_and(|&c| c != 0));
            let (Some(l), None) = (used.next(), used.next()) else { continue };
            if l >= self.common || eq.a[l] != eq.b[l] || eq.constant % eq.a[l] != 0 {
                continue;
            }
            let distance = eq.constant / eq.a[l];
            if found[l].replace(distance).is_some_and(|d| d != distance) {
                return true;
            }
        }
        false
    }

    fn directions(&self, prefix: &mut Vector, out: &mut Vec<Vector>) {
        if !self.equations.iter().all(|eq| self.feasible(eq, prefix)) {
            return;
        }
        if prefix.len() == self.common {
            out.push(prefix.clone());
            return;
        }
        for dir in [Dir::Before, Dir::Same, Dir::After] {
            if dir == Dir::After && trueline_ir::fault("depend_backward") {
                continue;
            }
            prefix.push(dir);
            self.directions(prefix, out);
            prefix.pop();
        }
    }

    /// Whether `eq` may have a solution with the directions of `prefix`; the other levels are free.
    fn feasible(&self, eq: &Equation, prefix: &[Dir]) -> bool {
        let mut divisor: u64 = 0;
        let mut range = Range { low: Some(i128::from(eq.constant)), high: Some(i128::from(eq.constant)) };
        for l in 0..self.common {
            let (a, b) = (eq.a[l], eq.b[l]);
            let last = self.at_a.levels[l].last;
            let term = match prefix.get(l) {
                Some(Dir::Same) => {
                    divisor = gcd(divisor, a.wrapping_sub(b).unsigned_abs());
                    Range::single(i128::from(a) - i128::from(b), last)
                }
                dir => {
                    divisor = gcd(gcd(divisor, a.unsigned_abs()), b.unsigned_abs());
                    match dir {
                        Some(Dir::Before) => {
                            Range::ordered(-i128::from(b), i128::from(a) - i128::from(b), -i128::from(b), last)
                        }
                        Some(Dir::After) => {
                            Range::ordered(i128::from(a), i128::from(a) - i128::from(b), i128::from(a), last)
                        }
                        _ => Range::single(i128::from(a), last).plus(Range::single(-i128::from(b), last)),
                    }
                }
            };
            if term.is_empty() {
                return false;
            }
            range = range.plus(term);
        }
        let private = |factors: &[i64], levels: &[Level], sign: i128| -> Vec<(i128, Option<i64>)> {
            factors.iter().zip(levels).skip(self.common).map(|(&c, l)| (sign * i128::from(c), l.last)).collect()
        };
        let mut free = private(&eq.a, &self.at_a.levels, 1);
        free.extend(private(&eq.b, &self.at_b.levels, -1));
        for (c, last) in free {
            divisor = gcd(divisor, c.unsigned_abs() as u64);
            let term = Range::single(c, last);
            if term.is_empty() {
                return false;
            }
            range = range.plus(term);
        }
        let divides = match divisor {
            0 => eq.constant == 0,
            g => eq.constant.unsigned_abs().is_multiple_of(g),
        };
        divides && range.contains_zero() && !(divisor == 1 && trueline_ir::fault("depend_gcd"))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// An interval; none is unbounded.
#[derive(Clone, Copy)]
struct Range {
    low: Option<i128>,
    high: Option<i128>,
}

impl Range {
    const EMPTY: Range = Range { low: Some(1), high: Some(0) };

    fn is_empty(self) -> bool {
        matches!((self.low, self.high), (Some(l), Some(h)) if l > h)
    }

    fn plus(self, other: Range) -> Range {
        let sum = |a: Option<i128>, b: Option<i128>| Some(a?.saturating_add(b?));
        Range { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    fn contains_zero(self) -> bool {
        self.low.is_none_or(|l| l <= 0) && self.high.is_none_or(|h| h >= 0)
    }

    /// `c*k` for `k` from 0 to `last`.
    fn single(c: i128, last: Option<i64>) -> Range {
        match last {
            Some(n) if n < 0 => Range::EMPTY,
            Some(n) => Range::over(&[0, c * i128::from(n)]),
            None => Range { low: if c < 0 { None } else { Some(0) }, high: if c > 0 { None } else { Some(0) } },
        }
    }

    /// `start + x*p + y*q` for `p, q >= 0` and `p + q <= last - 1`: two iterations, the second later than the first.
    fn ordered(start: i128, x: i128, y: i128, last: Option<i64>) -> Range {
        match last {
            Some(n) if n < 1 + i64::from(trueline_ir::fault("depend_trips")) => Range::EMPTY,
            Some(n) => {
                let n = i128::from(n) - 1;
                Range::over(&[start, start + x * n, start + y * n])
            }
            None => Range {
                low: if x < 0 || y < 0 { None } else { Some(start) },
                high: if x > 0 || y > 0 { None } else { Some(start) },
            },
        }
    }

    fn over(values: &[i128]) -> Range {
        Range { low: values.iter().copied().min(), high: values.iter().copied().max() }
    }
}
