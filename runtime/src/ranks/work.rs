//! The iterations of a loop nest that a rank runs through: how often it executes each statement.
//!
//! Sets of iterations are products, in which the bounds of a triangular nest are ranges that are larger than the truth. Here they are
//! counted: a loop whose bounds depend on loops around it once for each iteration of those.

use super::sets::Set;
use trueline_abi::nest::{Affine, Nest};

/// More iterations of outer loops than this are not gone through one by one; the sets are taken as they are.
const MOST: u64 = 1 << 20;

/// A nest whose values are known.
pub(super) struct Counter<'a> {
    pub(super) nest: &'a Nest,
    pub(super) values: &'a [i64],
}

impl Counter<'_> {
    /// How often a statement in loop `inner` is executed if the loops have these values.
    pub(super) fn iterations(&self, inner: Option<usize>, loops: &[Set]) -> u64 {
        let mut chain: Vec<usize> = self.nest.chain(inner).collect();
        chain.reverse();
        let outer = chain.iter().take(chain.len().saturating_sub(1));
        let is_few = outer.fold(1u64, |n, &l| n.saturating_mul(loops[l].len())) <= MOST;
        let mut at = vec![0; loops.len()];
        self.count(&chain, loops, &mut at, is_few)
    }

    fn count(&self, chain: &[usize], loops: &[Set], at: &mut [i64], exactly: bool) -> u64 {
        let whole = |chain: &[usize]| chain.iter().fold(1u64, |n, &l| n.saturating_mul(loops[l].len()));
        let Some(triangle) = chain.iter().rposition(|&l| !self.nest.loops[l].is_fixed()).filter(|_| exactly) else {
            return whole(chain);
        };
        // The loops inside of the last one with changing bounds are the same in all its iterations.
        let (changing, fixed) = chain.split_at(triangle + 1);
        whole(fixed).saturating_mul(self.enumerated(changing, loops, at))
    }

    /// The iterations of a chain of loops whose last one has changing bounds.
    fn enumerated(&self, chain: &[usize], loops: &[Set], at: &mut [i64]) -> u64 {
        let Some((&l, inside)) = chain.split_first() else { return 1 };
        let of = &self.nest.loops[l];
        let range = Set::progression(self.value(&of.lo, at), self.value(&of.hi, at), of.step);
        let all = if of.is_fixed() { loops[l].clone() } else { loops[l].and(&range) };
        if inside.is_empty() {
            return all.len();
        }
        let mut sum = 0u64;
        for &(first, last) in all.ranges() {
            for i in first..=last {
                at[l] = i;
                sum = sum.saturating_add(self.enumerated(inside, loops, at));
            }
        }
        sum
    }

    fn value(&self, a: &Affine, at: &[i64]) -> i64 {
        let start = self.values.get(a.value).copied().unwrap_or(0);
        a.terms.iter().fold(start, |sum, &(l, factor)| sum.saturating_add(at[l].saturating_mul(factor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trueline_abi::nest::Loop;

    /// `do i = 1, n; do j = i, n` with and without a loop of 5 iterations inside, on a rank that has some values of each.
    #[test]
    fn triangles_are_counted() {
        let at = |terms: &[(usize, i64)], value| Affine { terms: terms.to_vec(), value };
        let nest = Nest {
            values: 4,
            loops: vec![
                Loop { parent: None, lo: at(&[], 0), hi: at(&[], 1), step: 1 },
                Loop { parent: Some(0), lo: at(&[(0, 1)], 2), hi: at(&[], 1), step: 1 },
                Loop { parent: Some(1), lo: at(&[], 0), hi: at(&[], 3), step: 1 },
            ],
            ..Nest::default()
        };
        let counter = Counter { nest: &nest, values: &[1, 10, 0, 5] };
        let (all, five) = (Set::range(1, 10), Set::range(1, 5));
        let whole = [all.clone(), all.clone(), five.clone()];
        assert_eq!(counter.iterations(None, &whole), 1);
        assert_eq!(counter.iterations(Some(0), &whole), 10);
        assert_eq!(counter.iterations(Some(1), &whole), 55);
        assert_eq!(counter.iterations(Some(2), &whole), 275);
        // The owner of i = 4, 5 and of j = 5, 6: (4, 5), (4, 6), (5, 5), (5, 6).
        assert_eq!(counter.iterations(Some(1), &[Set::range(4, 5), Set::range(5, 6), five]), 4);
    }
}
