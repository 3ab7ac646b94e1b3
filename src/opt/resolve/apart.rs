//! Whether two elements of a nest are the same in no pair of iterations, by the bounds of the loops.
//!
//! ```text
//! do k = 1, j - 1
//!   a(i, j) = a(i, j) - a(i, k)     k < j, so nobody needs a new element
//! end
//! ```
//!
//! Equal subscripts and bounds are a system of inequalities between the loop variables of both iterations and the values that are known before the
//! nest. Fourier and Motzkin's elimination, with constants rounded as integers allow, finds whether it has no solution (A. Schrijver, *Theory of
//! Linear and Integer Programming*, Wiley 1986, section 12.2). Systems that grow too large may have one.

use crate::linear::Linear;
use trueline_abi::nest::{Affine, Element, Nest, Subscript};

/// More inequalities than this are not looked at.
const MOST: usize = 300;

/// `factors * variables + constant >= 0`.
#[derive(Clone, PartialEq, Eq)]
struct Row {
    factors: Vec<i128>,
    constant: i128,
}

/// Whether the element `a`, in the loops around up to `a_inner`, never is the element `b`.
pub(super) fn never_meet(
    nest: &Nest,
    values: &[Linear],
    (a, a_inner): (&Element, Option<usize>),
    (b, b_inner): (&Element, Option<usize>),
) -> bool {
    let system = System { nest, values, symbols: symbols(values) };
    let mut rows = Vec::new();
    for (x, y) in a.subscripts.iter().zip(&b.subscripts) {
        if let (Subscript::Of(x), Subscript::Of(y)) = (x, y) {
            let (x, y) = (system.sum(x, 0), system.sum(y, 1));
            rows.push(less(&x, &y));
            rows.push(less(&y, &x));
        }
    }
    for (side, inner) in [(0, a_inner), (1, b_inner)] {
        for l in nest.chain(inner) {
            let of = &nest.loops[l];
            let mut variable = system.zero();
            variable.factors[side * nest.loops.len() + l] = 1;
            let (lo, hi) = (system.sum(&of.lo, side), system.sum(&of.hi, side));
            let (least, most) = if of.step > 0 { (lo, hi) } else { (hi, lo) };
            rows.push(less(&least, &variable));
            rows.push(less(&variable, &most));
        }
    }
    has_no_solution(rows)
}

struct System<'a> {
    nest: &'a Nest,
    values: &'a [Linear],
    symbols: Vec<trueline_ir::Expr>,
}

fn symbols(values: &[Linear]) -> Vec<trueline_ir::Expr> {
    let mut out = Vec::new();
    for &(e, _) in values.iter().flat_map(|v| &v.terms) {
        if !out.contains(&e) {
            out.push(e);
        }
    }
    out
}

impl System<'_> {
    fn zero(&self) -> Row {
        Row { factors: vec![0; 2 * self.nest.loops.len() + self.symbols.len()], constant: 0 }
    }

    /// A sum in the iteration of one side.
    fn sum(&self, a: &Affine, side: usize) -> Row {
        let (mut out, loops) = (self.zero(), self.nest.loops.len());
        for &(l, factor) in &a.terms {
            out.factors[side * loops + l] += i128::from(factor);
        }
        if let Some(value) = self.values.get(a.value) {
            out.constant = value.constant.into();
            for &(e, factor) in &value.terms {
                let k = self.symbols.iter().position(|&s| s == e).unwrap_or(0);
                out.factors[2 * loops + k] += i128::from(factor);
            }
        }
        out
    }
}

/// `a <= b`.
fn less(a: &Row, b: &Row) -> Row {
    let factors = a.factors.iter().zip(&b.factors).map(|(a, b)| b - a).collect();
    Row { factors, constant: b.constant - a.constant }
}

/// Whether no integers satisfy all rows, as far as elimination shows it.
fn has_no_solution(rows: Vec<Row>) -> bool {
    let mut rows: Vec<Row> = rows.into_iter().map(rounded).collect();
    loop {
        if rows.iter().any(|r| r.constant < 0 && r.factors.iter().all(|f| *f == 0)) {
            return true;
        }
        let count = rows.first().map_or(0, |r| r.factors.len());
        let of_sign = |v: usize, sign: i128| rows.iter().filter(move |r| r.factors[v].signum() == sign);
        let cost = |v: usize| of_sign(v, 1).count() * of_sign(v, -1).count();
        let used = (0..count).filter(|&v| rows.iter().any(|r| r.factors[v] != 0));
        let Some(v) = used.min_by_key(|&v| cost(v)) else { return false };
        let mut next: Vec<Row> = of_sign(v, 0).cloned().collect();
        if next.len() + cost(v) > MOST {
            return false;
        }
        for low in of_sign(v, 1) {
            for high in of_sign(v, -1) {
                let Some(row) = combined(low, high, v) else { return false };
                if !next.contains(&row) {
                    next.push(row);
                }
            }
        }
        rows = next;
    }
}

/// The sum of multiples of two rows in which variable `v` does not occur; none if numbers grow too large.
fn combined(low: &Row, high: &Row, v: usize) -> Option<Row> {
    let (by_low, by_high) = (-high.factors[v], low.factors[v]);
    let sum = |a: i128, b: i128| a.checked_mul(by_low)?.checked_add(b.checked_mul(by_high)?);
    let factors: Option<Vec<i128>> = low.factors.iter().zip(&high.factors).map(|(&a, &b)| sum(a, b)).collect();
    Some(rounded(Row { factors: factors?, constant: sum(low.constant, high.constant)? }))
}

/// The row divided by the greatest common divisor of its factors; the constant is rounded down, as integers allow.
fn rounded(mut row: Row) -> Row {
    let divisor = row.factors.iter().fold(0i128, |a, &b| gcd(a, b.abs()));
    if divisor > 1 {
        row.factors.iter_mut().for_each(|f| *f /= divisor);
        row.constant = row.constant.div_euclid(divisor);
    }
    row
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as factors and a constant behind them.
    fn check(rows: &[&[i128]], wanted: bool) {
        let row = |r: &&[i128]| Row { factors: r[..r.len() - 1].to_vec(), constant: r[r.len() - 1] };
        assert_eq!(has_no_solution(rows.iter().map(row).collect()), wanted, "{rows:?}");
    }

    #[test]
    fn systems() {
        // x >= 1, x <= y - 1, x >= y
        check(&[&[1, 0, -1], &[-1, 1, -1], &[1, -1, 0]], true);
        // x >= 1, x <= y, x >= y
        check(&[&[1, 0, -1], &[-1, 1, 0], &[1, -1, 0]], false);
        // 2x = 2y + 1 has no integers.
        check(&[&[2, -2, -1], &[-2, 2, 1]], true);
        // Two iterations (i, j) and (k, l) with i < j, k < l, i = l, j = k.
        check(
            &[
                &[-1, 1, 0, 0, -1],
                &[0, 0, -1, 1, -1],
                &[1, 0, 0, -1, 0],
                &[-1, 0, 0, 1, 0],
                &[0, 1, -1, 0, 0],
                &[0, -1, 1, 0, 0],
            ],
            true,
        );
        check(&[], false);
        check(&[&[0, -1]], true);
    }
}
