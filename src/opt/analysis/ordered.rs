//! Values that differ because a loop around them runs below or above another variable.
//!
//! ```text
//! do j = 1, n
//!   do k = 1, j - 1          j - k is at least j - (j - 1) = 1,
//!     do i = j, n            so columns j and k are never the same
//!       a(i, j) = a(i, j) - a(i, k) * a(j, k)
//! ```
//!
//! The difference is a sum of variables. From the innermost loop outwards each variable of a loop is replaced by its
//! bound; if a number is left, that is the least or the greatest that the difference can be.

use super::loops::DoLoop;
use super::refs::Region;
use crate::linear::Linear;
use trueline_ir::{Stmt, Unit};

/// Whether `apart`, in the same iterations of the loops around both `a` and `b`, is never zero.
pub(crate) fn never_zero(u: &Unit, apart: &Linear, a: Stmt, b: Stmt) -> bool {
    if apart.terms.is_empty() {
        return apart.constant != 0;
    }
    let around: Vec<DoLoop> =
        u.ancestors(a).filter(|&s| u.ancestors(b).any(|t| t == s)).filter_map(|s| DoLoop::of(u, s)).collect();
    let is_stable = |used: &[DoLoop]| used.iter().all(|&l| keeps_bounds(u, l) || trueline_ir::fault("ordered_bounds"));
    let beyond = i64::from(!trueline_ir::fault("ordered_zero"));
    [true, false].into_iter().any(|least| match extreme(u, apart.clone(), &around, least) {
        Some((n, used)) => (if least { n >= beyond } else { n <= -beyond }) && is_stable(&used),
        None => false,
    })
}

/// The least (or greatest) number that `sum` can be, and the loops whose bounds say so.
fn extreme(u: &Unit, mut sum: Linear, around: &[DoLoop], least: bool) -> Option<(i64, Vec<DoLoop>)> {
    let mut used = Vec::new();
    for l in around {
        let factor = sum.take(u, l.var);
        if factor == 0 {
            continue;
        }
        let rises = l.constant_step(u)? > 0;
        // With a factor above zero the sum is least where the variable is.
        let bound = if (factor > 0) == (least == rises) { l.lo } else { l.hi };
        let bound = Linear::of(u, bound);
        for &(term, k) in &bound.terms {
            sum.add(u, term, k.checked_mul(factor)?);
        }
        sum.constant = sum.constant.checked_add(bound.constant.checked_mul(factor)?)?;
        used.push(*l);
        if let Some(n) = sum.as_constant() {
            return Some((n, used));
        }
    }
    None
}

/// Whether the variable of the loop and its bounds have one value throughout an iteration.
fn keeps_bounds(u: &Unit, l: DoLoop) -> bool {
    let region = Region::of_block(u, l.body);
    let fixed = |e| !u.reads_memory(e) && u.registers_in(e).iter().all(|v| !region.defined.contains(v));
    fixed(l.lo) && fixed(l.hi) && !region.defined.contains(&l.var)
}

#[cfg(test)]
mod tests {
    use super::never_zero;
    use crate::analysis::loops::outer_first;
    use crate::analysis::refs::Region;
    use crate::linear::Linear;
    use trueline_ir::{ExprData, parse_unit};

    /// Whether the last subscripts of the first write and the last read of `a` never agree.
    fn differ(text: &str) -> bool {
        let u = parse_unit(text).unwrap();
        let region = Region::of(&u, outer_first(&u)[0].stmt);
        let refs = || region.refs.iter().filter(|r| u.sym(r.sym).name == "a");
        let (write, read) = (refs().find(|r| r.write).unwrap(), refs().rfind(|r| !r.write).unwrap());
        let last = |r: &crate::analysis::refs::MemRef| match u.expr(r.place) {
            ExprData::Elem(_, subscripts) => Linear::of(&u, *u.list(subscripts).last().unwrap()),
            _ => unreachable!("an element"),
        };
        never_zero(&u, &last(write).minus(&last(read)), write.stmt, read.stmt)
    }

    fn nest(outer: &str, inner: &str, write: &str, read: &str) -> bool {
        differ(&format!(
            "integer i, j, k, n\nreal a(99, 99)\ndo {outer} @1\ndo {inner} @2\ndo i = 1, n @3\n\
             a(i, {write}) = a(i, {read}) @4\nend\nend\nend"
        ))
    }

    #[test]
    fn a_loop_below_a_variable_never_reaches_it() {
        assert!(nest("j = 1, n", "k = 1, j - 1", "j", "k"));
        assert!(nest("k = 1, n", "j = k + 1, n", "j", "k"));
        assert!(nest("k = 1, n", "j = n, k + 1, -1", "k", "j"));
        assert!(nest("j = 1, n", "k = 1, j - 2", "j", "k + 1"));
        assert!(nest("j = 1, n", "k = 1, 2 * j - 1", "2 * j", "k"));
    }

    #[test]
    fn a_loop_that_may_reach_the_variable_is_not_apart() {
        assert!(!nest("j = 1, n", "k = 1, j", "j", "k"));
        assert!(!nest("j = 1, n", "k = 1, j - 1", "j", "k + 1"));
        assert!(!nest("j = 1, n", "k = 1, n", "j", "k"));
        assert!(!nest("j = 1, n", "k = 1, j - 1, -1", "j", "k"));
        assert!(!nest("k = 1, n", "j = n, k, -1", "k", "j"));
    }

    #[test]
    fn a_bound_that_changes_in_the_loop_says_nothing() {
        let text = |change: &str| {
            format!(
                "integer i, j, k, n, m\nreal a(99, 99)\ndo j = 1, n @1\nm = j + n @1\ndo k = 1, m - 1 @2\n{change}\n\
                 do i = 1, n @3\na(i, m) = a(i, k) @4\nend\nend\nend"
            )
        };
        assert!(differ(&text("n = n + 0 @5")));
        assert!(!differ(&text("m = k @5")));
    }
}
