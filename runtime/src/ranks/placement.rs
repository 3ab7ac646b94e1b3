//! The owners of the elements of an array: the mapping that the compiler hands over ([`trueline_abi::placement`]), with bounds and number of
//! ranks known.
//!
//! Ranks form a grid of their own: that of the mapping, folded if it has more cells. A rank owns the elements whose coordinates are its own
//! in all dimensions of the grid that have a say, so the part of a rank is a product of sets of subscripts.

use super::fault;
use super::sets::Set;
use std::sync::OnceLock;
use trueline_abi::placement::{
    BLOCK, BLOCK_OF, CYCLIC, CYCLIC_OF, Deal, GEN_BLOCK, GRID_FREE, GRID_KNOWN, GRID_RANKS, Kind, balanced, fold,
    folded, length,
};

/// Bits of ranks.
pub(super) type Ranks = u64;

/// The mapping of an array whose bounds are known.
pub(super) struct Placement {
    /// Bytes of an element.
    pub(super) element: usize,
    /// The dimensions, the fastest first.
    dims: Vec<Dim>,
    /// Elements in all.
    pub(super) count: usize,
    /// The extents of the grid of ranks.
    grid: Vec<u64>,
    /// For each dimension of the grid the coordinate that all elements are at, if there is one.
    fixed: Vec<Option<u64>>,
    /// The distance of neighbours in each dimension of the grid, in ranks.
    steps: Vec<u64>,
    /// The first rank whose coordinates are [`Placement::fixed`], and 0 in all other dimensions.
    origin: u64,
    /// Rank 0 and its copies: the ranks that have its elements along dimensions of the grid that no dimension of the array is on.
    copies: Ranks,
}

struct Dim {
    lower: i64,
    extent: u64,
    on: Option<Line>,
}

/// A dimension of an array on a dimension of the grid.
struct Line {
    grid_dim: usize,
    stride: i128,
    offset: i128,
    deal: Deal,
    /// The coordinates before folding, and after.
    cells: (u64, u64),
    /// The subscripts of each coordinate.
    shares: OnceLock<Vec<Set>>,
}

/// The numbers of a mapping, one after the other; missing ones are 0.
struct Numbers<'a>(std::slice::Iter<'a, i64>);

impl Numbers<'_> {
    fn next(&mut self) -> i64 {
        self.0.next().copied().unwrap_or(0)
    }

    fn count(&mut self) -> usize {
        usize::try_from(self.next()).unwrap_or(0)
    }

    /// A format on a number of coordinates.
    fn deal(&mut self, coordinates: u64, bounds: &impl Fn(usize) -> (i64, i64)) -> Deal {
        let (format, count) = (self.next(), self.count());
        let values: Vec<i64> = (0..count).map(|_| self.next()).collect();
        let (lower, upper) = bounds(self.count());
        let extent = length(lower, upper);
        let kind = match format {
            BLOCK | CYCLIC => {
                let size = values.first().and_then(|&n| u64::try_from(n).ok()).unwrap_or(0);
                Kind::blocks(format == CYCLIC, size, extent, coordinates)
            }
            BLOCK_OF | CYCLIC_OF => {
                let size = values.first().and_then(|&k| usize::try_from(k).ok()).map_or(0, |k| bounds(k).0);
                Kind::blocks(format == CYCLIC_OF, u64::try_from(size).unwrap_or(0), extent, coordinates)
            }
            GEN_BLOCK => Kind::cuts(&values, extent),
            _ => Kind::Table(values),
        };
        Deal { lower: lower.into(), extent, turn: i128::from(coordinates.max(1)), kind }
    }
}

impl Line {
    /// The coordinate of a subscript in the grid of ranks.
    fn coordinate(&self, subscript: i64) -> u64 {
        let cell = self.deal.coordinate(self.stride * i128::from(subscript) + self.offset).unwrap_or(0);
        fold(cell, self.cells.0, self.cells.1).min(self.cells.1.saturating_sub(1))
    }

    /// The subscripts of each coordinate.
    fn shares(&self, lower: i64, extent: u64) -> &[Set] {
        self.shares.get_or_init(|| {
            let mut out = vec![Set::default(); usize::try_from(self.cells.1).unwrap_or(1).max(1)];
            let steps = matches!(self.deal.kind, Kind::Block(_) | Kind::Cuts(_));
            let Some(last) = i64::try_from(extent).ok().and_then(|n| lower.checked_add(n - 1)) else { return out };
            let mut first = lower;
            while first <= last {
                let at = self.coordinate(first);
                // Blocks that are not dealt out in turn end once: the end is found by halving.
                let end = match steps {
                    true => last_with(first, last, |i| self.coordinate(i) == at),
                    false => first,
                };
                if let Some(set) = out.get_mut(at as usize) {
                    set.push(first, end - i64::from(fault("ranks_share_short")));
                }
                let Some(next) = end.checked_add(1) else { break };
                first = next;
            }
            out
        })
    }
}

/// The last subscript up to which `holds`, which is true for `first` and, once false, stays false.
fn last_with(first: i64, last: i64, holds: impl Fn(i64) -> bool) -> i64 {
    let (mut yes, mut no) = (first, i128::from(last) + 1);
    while i128::from(yes) + 1 < no {
        let middle = ((i128::from(yes) + no) / 2) as i64;
        if holds(middle) { yes = middle } else { no = middle.into() }
    }
    yes
}

impl Placement {
    /// The mapping `table` on `ranks` ranks; `bound` gives pairs of bounds by their number.
    pub(super) fn new(table: &[i64], bounds: impl Fn(usize) -> (i64, i64), ranks: u64) -> Placement {
        let mut numbers = Numbers(table.iter());
        let element = numbers.count();
        let rank = numbers.count();
        let cells = grid(&mut numbers, ranks);
        let grid = folded(&cells, ranks);
        let extent = |g: usize| (cells.get(g).copied().unwrap_or(1), grid.get(g).copied().unwrap_or(1));
        let mut dims = Vec::with_capacity(rank.min(15));
        for d in 0..rank.min(15) {
            let (lower, upper) = bounds(d);
            let on = (numbers.next() != 0).then(|| {
                let g = numbers.count();
                let (stride, offset) = (numbers.next().into(), numbers.next().into());
                let deal = numbers.deal(extent(g).0, &bounds);
                Line { grid_dim: g, stride, offset, deal, cells: extent(g), shares: OnceLock::new() }
            });
            let on = on.filter(|line| line.grid_dim < grid.len());
            dims.push(Dim { lower, extent: length(lower, upper), on });
        }
        let mut fixed = vec![None; grid.len()];
        for _ in 0..numbers.count().min(15) {
            let g = numbers.count();
            if numbers.next() != 0 {
                let position = numbers.next();
                let cell = numbers.deal(extent(g).0, &bounds).coordinate(position.into()).unwrap_or(0);
                if let Some(at) = fixed.get_mut(g) {
                    *at = Some(fold(cell, extent(g).0, extent(g).1));
                }
            }
        }
        let count = dims.iter().try_fold(1u64, |n, d| n.checked_mul(d.extent)).and_then(|n| usize::try_from(n).ok());
        let steps: Vec<u64> = grid
            .iter()
            .scan(1u64, |step, extent| Some(std::mem::replace(step, step.saturating_mul((*extent).max(1)))))
            .collect();
        let at = steps.iter().zip(&fixed);
        let origin = at.fold(0u64, |sum, (step, f)| sum.saturating_add(step.saturating_mul(f.unwrap_or(0))));
        let (element, count) = (element.max(1), count.unwrap_or(0));
        let placement = Placement { element, dims, count, grid, fixed, steps, origin, copies: 1 };
        Placement { copies: placement.copies_of_origin(), ..placement }
    }

    /// Whether the elements of both are numbered alike.
    pub(super) fn is_alike(&self, other: &Placement) -> bool {
        (self.element, self.count) == (other.element, other.count)
    }

    /// Whether the dimensions of both have the same numbers of subscripts.
    pub(super) fn has_extents_of(&self, other: &Placement) -> bool {
        self.dims.iter().map(|d| d.extent).eq(other.dims.iter().map(|d| d.extent))
    }

    /// The number of dimensions.
    pub(super) fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The subscripts of a dimension.
    pub(super) fn subscripts(&self, dim: usize) -> (i64, i64) {
        let Some(dim) = self.dims.get(dim) else { return (1, 0) };
        (dim.lower, i64::try_from(i128::from(dim.lower) + i128::from(dim.extent) - 1).unwrap_or(i64::MAX))
    }

    /// The coordinates of a rank; none if it is outside of the grid.
    fn coordinates(&self, rank: usize) -> Option<Vec<u64>> {
        let mut rest = rank as u64;
        let out = self.grid.iter().map(|&extent| {
            let c = rest % extent.max(1);
            rest /= extent.max(1);
            c
        });
        let out = out.collect();
        (rest == 0).then_some(out)
    }

    /// For each dimension the subscripts that the rank owns, none for all of them; none at all if it has no element.
    pub(super) fn part(&self, rank: usize) -> Option<Vec<Option<&Set>>> {
        let at = self.coordinates(rank)?;
        if self.fixed.iter().zip(&at).any(|(fixed, c)| fixed.is_some_and(|f| f != *c)) {
            return None;
        }
        let mut out = Vec::with_capacity(self.dims.len());
        for d in &self.dims {
            out.push(match &d.on {
                Some(line) => Some(line.shares(d.lower, d.extent).get(at[line.grid_dim] as usize)?),
                None => None,
            });
        }
        Some(out)
    }

    /// Whether the rank owns elements with that subscript of a dimension.
    pub(super) fn has_subscript(&self, rank: usize, dim: usize, subscript: i64) -> bool {
        let line = self.dims.get(dim).and_then(|d| d.on.as_ref());
        // Loops ask this in each iteration, so nothing is allocated.
        let mut rest = rank as u64;
        for (g, (&extent, fixed)) in self.grid.iter().zip(&self.fixed).enumerate() {
            let at = rest % extent.max(1);
            rest /= extent.max(1);
            let is_elsewhere = line.is_some_and(|l| l.grid_dim == g && l.coordinate(subscript) != at);
            if is_elsewhere || fixed.is_some_and(|f| f != at) {
                return false;
            }
        }
        rest == 0
    }

    /// The ranks that own the same elements as `rank`.
    pub(super) fn sharers(&self, rank: usize) -> Ranks {
        let Some(cell) = self.coordinates(rank) else { return 0 };
        let along: u64 = self.free().into_iter().map(|g| cell[g] * self.steps[g]).sum();
        self.copies_of(rank as u64 - along)
    }

    /// The dimensions of the grid along which elements are replicated.
    fn free(&self) -> Vec<usize> {
        let is_on = |g: usize| self.dims.iter().any(|d| d.on.as_ref().is_some_and(|l| l.grid_dim == g));
        (0..self.grid.len()).filter(|&g| self.fixed[g].is_none() && !is_on(g)).collect()
    }

    /// Rank 0, and the ranks that differ from it along dimensions with copies only.
    fn copies_of_origin(&self) -> Ranks {
        let mut numbers = vec![0u64];
        for g in self.free() {
            let next = |n: u64| (0..self.grid[g].min(Ranks::BITS.into())).map(move |c| n + c * self.steps[g]);
            numbers = numbers.into_iter().flat_map(next).filter(|&n| n < Ranks::BITS.into()).collect();
        }
        numbers.into_iter().fold(0, |bits, n| bits | 1 << n)
    }

    /// The ranks that have what rank `number` has along dimensions with copies, in which it has the coordinate 0.
    fn copies_of(&self, number: u64) -> Ranks {
        if self.copies != 1 && fault("ranks_copies") {
            return Ranks::MAX >> (Ranks::BITS as usize - super::size());
        }
        u32::try_from(number).ok().and_then(|n| self.copies.checked_shl(n)).unwrap_or(0)
    }

    /// The ranks that own element `index`, and the first of them, which gives its value to others.
    pub(super) fn owners(&self, index: usize) -> (Ranks, usize) {
        // Loops ask this in each iteration, so nothing is allocated.
        let mut rest = index as u64;
        let mut number = self.origin;
        for dim in &self.dims {
            let extent = dim.extent.max(1);
            let (at, more) = (rest % extent, rest / extent);
            rest = more;
            if let Some(line) = &dim.on {
                let c = line.coordinate(dim.lower.saturating_add_unsigned(at));
                number = number.saturating_add(c.saturating_mul(self.steps[line.grid_dim]));
            }
        }
        let bits = self.copies_of(number);
        (bits, bits.trailing_zeros() as usize)
    }
}

/// The table of an array whose subscripts are smaller by these numbers, each by that of its dimension; none if bounds of the array are those of a template, too.
pub(super) fn moved(table: &[i64], by: &[i64]) -> Option<Vec<i64>> {
    let mut out = table.to_vec();
    let number = |at: usize| table.get(at).copied();
    let mut at = 3 + 2 * usize::try_from(number(2)?).ok()?;
    for &n in by {
        if number(at)? != 0 {
            let (stride, offset) = (number(at + 2)?, number(at + 3)?);
            out[at + 3] = stride.checked_mul(n)?.checked_add(offset)?;
            let values = usize::try_from(number(at + 5)?).ok()?;
            at += 6 + values;
            usize::try_from(number(at)?).ok().filter(|&k| k >= by.len())?;
        }
        at += 1;
    }
    Some(out)
}

/// The extents of the grid.
fn grid(numbers: &mut Numbers<'_>, ranks: u64) -> Vec<u64> {
    let given: Vec<(i64, u64)> =
        (0..numbers.count()).map(|_| (numbers.next(), numbers.next().max(1).unsigned_abs())).collect();
    let extent = |(kind, n): (i64, u64)| match kind {
        GRID_KNOWN => n,
        GRID_RANKS => (ranks / n).max(1),
        _ => 1,
    };
    let known = given.iter().fold(1u64, |all, &g| all.saturating_mul(extent(g)));
    let free = given.iter().filter(|g| g.0 == GRID_FREE).count();
    let mut chosen = balanced((ranks / known).max(1), free).into_iter();
    given.iter().map(|&g| if g.0 == GRID_FREE { chosen.next().unwrap_or(1) } else { extent(g) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners(table: &[i64], bounds: &[(i64, i64)], ranks: u64) -> Vec<(Ranks, usize)> {
        let placement = Placement::new(table, |k| bounds[k], ranks);
        (0..placement.count).map(|i| placement.owners(i)).collect()
    }

    #[test]
    fn blocks_and_turns() {
        let block = [8, 1, 1, GRID_FREE, 0, 1, 0, 1, 0, BLOCK, 1, 0, 0, 0];
        assert_eq!(owners(&block, &[(1, 5)], 2), [(1, 0), (1, 0), (1, 0), (2, 1), (2, 1)]);
        let cyclic = [8, 1, 1, GRID_FREE, 0, 1, 0, 1, 0, CYCLIC, 1, 2, 0, 0];
        assert_eq!(owners(&cyclic, &[(1, 5)], 2), [(1, 0), (1, 0), (2, 1), (2, 1), (1, 0)]);
    }

    #[test]
    fn sizes_are_bounds() {
        let block = [8, 1, 1, GRID_FREE, 0, 1, 0, 1, 0, BLOCK_OF, 1, 1, 0, 0];
        assert_eq!(owners(&block, &[(1, 5), (4, 4)], 2), [(1, 0), (1, 0), (1, 0), (1, 0), (2, 1)]);
        let cyclic = [8, 1, 1, GRID_FREE, 0, 1, 0, 1, 0, CYCLIC_OF, 1, 1, 0, 0];
        assert_eq!(owners(&cyclic, &[(1, 5), (2, 2)], 2), [(1, 0), (1, 0), (2, 1), (2, 1), (1, 0)]);
        // A size that is too small: the last coordinate has the rest.
        assert_eq!(owners(&block, &[(1, 5), (1, 1)], 2), [(1, 0), (2, 1), (2, 1), (2, 1), (2, 1)]);
    }

    #[test]
    fn other_bounds_have_the_same_owners() {
        // a(0:5), aligned with every second position of a template from 3 on, seen as x(7:12).
        for format in [[BLOCK, 1, 0], [CYCLIC, 1, 2]] {
            let table = [[8, 1, 1, GRID_FREE, 0, 1, 0, 2, 3].as_slice(), &format, &[1, 0]].concat();
            let (before, after) = ([(0, 5), (3, 13)], [(7, 12), (3, 13)]);
            let seen = moved(&table, &[-7]).expect("the template has bounds of its own");
            assert_eq!(owners(&seen, &after, 3), owners(&table, &before, 3));
            assert_ne!(owners(&table, &after, 3), owners(&table, &before, 3));
        }
        assert_eq!(moved(&[8, 1, 1, GRID_FREE, 0, 1, 0, 1, 0, BLOCK, 1, 0, 0, 0], &[-7]), None);
        // (*, BLOCK)
        let table = [8, 2, 1, GRID_FREE, 0, 0, 1, 0, 1, 0, BLOCK, 1, 0, 2, 0];
        let seen = moved(&table, &[4, -1]).expect("the template has bounds of its own");
        let bounds = [[(5, 6), (0, 5), (0, 5)], [(1, 2), (1, 6), (0, 5)]];
        assert_eq!(owners(&table, &bounds[0], 3), owners(&seen, &bounds[1], 3));
    }

    #[test]
    fn grids_are_folded_and_copies_kept() {
        // (BLOCK, *) on p(4), folded onto 2: neighbours stay together.
        let folded = [8, 2, 1, GRID_KNOWN, 4, 1, 0, 1, 0, BLOCK, 1, 0, 0, 0, 0];
        let rows: Vec<usize> = owners(&folded, &[(1, 4), (0, 1)], 2).iter().map(|o| o.1).collect();
        assert_eq!(rows, [0, 0, 1, 1, 0, 0, 1, 1]);
        // On the first dimension of p(2, 2), replicated along the second.
        let copies = [8, 1, 2, GRID_KNOWN, 2, GRID_KNOWN, 2, 1, 0, 1, 0, BLOCK, 1, 0, 0, 1, 1, 0];
        assert_eq!(owners(&copies, &[(1, 2)], 4), [(0b0101, 0), (0b1010, 1)]);
        // At position 2 of the second dimension.
        let fixed = [8, 1, 2, GRID_KNOWN, 2, GRID_KNOWN, 2, 1, 0, 1, 0, BLOCK, 1, 0, 0, 1, 1, 1, 2, BLOCK, 1, 0, 1];
        assert_eq!(owners(&fixed, &[(1, 2), (1, 2)], 4), [(0b0100, 2), (0b1000, 3)]);
    }

    #[test]
    fn damaged_numbers_do_no_harm() {
        for cut in 0..12 {
            let table = [8, 2, 2, GRID_FREE, 0, GRID_RANKS, 0, 1, 7, -1, i64::MAX, 9];
            let placement = Placement::new(&table[..cut], |_| (i64::MIN, i64::MAX), 3);
            assert!(placement.owners(5).1 < 3);
        }
        assert!(owners(&[8, 1, 0, 0], &[(1, 0)], 3).is_empty());
    }
}
