//! Rewrite what options such as `-ffast-math` allow to be rounded in another way.
//!
//! ```text
//! do i = 1, n                     @1      do i = 1, n                       @1
//!   s = s + a(i) - b(i)           @2  =>    s = s + (a(i) - b(i))           @2
//!   c(i) = c(i) / x               @3        c(i) = c(i) * (1.0 / x)         @3
//! ```
//!
//! With `-fassociative-math` a register that carries a sum or a product from one iteration to the next is combined once in a statement,
//! so that an iteration waits for one operation of the one before, and `vectorize` sees a sum. With `-freciprocal-math` a division by a
//! value that does not change in the loop becomes a product with its reciprocal, which the code generator computes before the loop.

use crate::analysis::loops::{DoLoop, inner_first};
use crate::analysis::refs::Region;
use crate::rewrite::{rebuild, rewrite};
use crate::{Context, OptLevel, Pass};
use trueline_ir::{BinaryOp, Editor, Expr, ExprData, Head, Stmt, Type, Unit};

/// See the module documentation.
pub const PASS: Pass = Pass {
    from: OptLevel::O1,
    ..Pass::new("relax", "round sums and quotients in another way, where options allow it", run)
};

fn run(ed: &mut Editor<'_>, context: &Context<'_>) {
    let arithmetic = context.arithmetic;
    if !arithmetic.may_regroup() && !arithmetic.reciprocal {
        return;
    }
    for l in inner_first(ed) {
        let stmts = ed.walk_block(l.body).into_iter().filter(|&s| !ed.head(s).is_invisible()).collect::<Vec<_>>();
        if arithmetic.may_regroup() {
            for &s in &stmts {
                regroup(ed, s);
            }
        }
        if arithmetic.reciprocal {
            let region = Region::of_block(ed, l.body);
            for &s in &stmts {
                rewrite(ed, s, &mut |ed, e| multiplied(ed, l, &region, e));
            }
        }
    }
}

fn is_real(ty: Type) -> bool {
    matches!(ty, Type::R4 | Type::R8)
}

/// A sum or product of one operation after the other.
#[derive(Default)]
struct Chain {
    /// The operands of sums or products, from left to right.
    plus: Vec<Expr>,
    /// The operands that are taken away.
    minus: Vec<Expr>,
}

impl Chain {
    /// The operations that `e` ends with. A right operand is one that the user may have put into parentheses, so it stays whole.
    fn of(u: &Unit, e: Expr, product: bool) -> Chain {
        let mut chain = Chain::default();
        let mut e = e;
        loop {
            match u.expr(e) {
                ExprData::Binary(BinaryOp::Mul, a, b) if product => {
                    chain.plus.push(b);
                    e = a;
                }
                ExprData::Binary(BinaryOp::Add, a, b) if !product => {
                    chain.plus.push(b);
                    e = a;
                }
                ExprData::Binary(BinaryOp::Sub, a, b) if !product => {
                    chain.minus.push(b);
                    e = a;
                }
                _ => break,
            }
        }
        chain.plus.push(e);
        chain.plus.reverse();
        chain.minus.reverse();
        chain
    }
}

/// Combines the register that `s` defines once with all that is added to it, or that it is multiplied with.
fn regroup(ed: &mut Editor<'_>, s: Stmt) {
    let Head::Assign { place, value } = ed.head(s) else { return };
    let Some(v) = ed.defines(ed.head(s)).filter(|&v| is_real(ed.sym(v).ty)) else { return };
    let product = matches!(ed.expr(value), ExprData::Binary(BinaryOp::Mul, ..));
    let mut chain = Chain::of(ed, value, product);
    let Some(at) = chain.plus.iter().position(|&e| e == place) else { return };
    chain.plus.remove(at);
    let others = chain.plus.len() + chain.minus.len();
    if others < 2 || chain.plus.iter().chain(&chain.minus).any(|&e| ed.mentions(e, v)) {
        return;
    }
    let together = |ed: &mut Editor<'_>, op: BinaryOp, list: &[Expr]| {
        let (first, rest) = list.split_first()?;
        Some(rest.iter().fold(*first, |sum, &e| ed.binary(op, sum, e)))
    };
    let op = if product { BinaryOp::Mul } else { BinaryOp::Add };
    let (plus, minus) = (together(ed, op, &chain.plus), together(ed, op, &chain.minus));
    let value = match (plus, minus) {
        (Some(plus), Some(minus)) => {
            let rest = ed.binary(BinaryOp::Sub, plus, minus);
            ed.binary(BinaryOp::Add, place, rest)
        }
        (Some(plus), None) => ed.binary(op, place, plus),
        (None, Some(minus)) => ed.binary(BinaryOp::Sub, place, minus),
        (None, None) => return,
    };
    ed.expand_in_place(s, Head::Assign { place, value });
}

/// `e` with products with reciprocals in place of divisions by values that are the same in all iterations of `l`.
fn multiplied(ed: &mut Editor<'_>, l: DoLoop, region: &Region, e: Expr) -> Expr {
    let e = rebuild(ed, e, &mut |ed, e| multiplied(ed, l, region, e));
    let ExprData::Binary(BinaryOp::Div, a, b) = ed.expr(e) else { return e };
    let fixed =
        |e: Expr| !ed.reads_memory(e) && !ed.may_trap(e) && region.keeps_registers(ed, e) && !ed.mentions(e, l.var);
    if !is_real(ed.ty(e)) || fixed(a) || !fixed(b) {
        return e;
    }
    let one = match ed.ty(b) {
        Type::R4 => ExprData::Real(Type::R4, u64::from(1_f32.to_bits())),
        _ => ExprData::Real(Type::R8, 1_f64.to_bits()),
    };
    let one = ed.make(one);
    let reciprocal = ed.binary(BinaryOp::Div, one, b);
    ed.binary(BinaryOp::Mul, a, reciprocal)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::analysis::harness::{check_by, unchanged, unchanged_by};
    use crate::{Arithmetic, Context, OptLevel};

    fn fast() -> Context<'static> {
        Context { arithmetic: Arithmetic::FAST, ..Context::alone(OptLevel::O3) }
    }

    // Numbers for which the results are exact: units are run before and after the pass.
    const SUMS: &str = "
integer i
real c(40), s, x, y
s = 0.0 @1
x = 4.0 @2
y = 2.0 @3
do i = 1, 36 @4
  s = s + x - y @5
  c(i) = c(i) / x @6
end
c(1) = s @7";

    #[test]
    fn a_sum_and_a_reciprocal() {
        check_by(
            &PASS,
            &fast(),
            SUMS,
            "
s = 0.0 @1
x = 4.0 @2
y = 2.0 @3
do i = 1, 36 @4
  s = s + (x - y) @5
  c(i) = c(i) * (1.0 / x) @6
end
c(1) = s @7

rewrite @5
rewrite @6",
        );
    }

    #[test]
    fn not_without_options() {
        unchanged(&PASS, SUMS);
    }

    #[test]
    fn values_that_change_and_registers_that_are_there_twice_stay() {
        unchanged_by(
            &PASS,
            &fast(),
            "
integer i
real a(40), b(40), c(40), s, x
do i = 1, 36 @1
  s = s + a(i) - b(i) * s @2
  x = a(i) @3
  c(i) = c(i) / x @4
  c(i) = x * x / a(i) @5
end",
        );
    }
}
