//! The owners of the elements of an array: the mapping that the compiler hands over ([`trueline_abi::placement`]), with bounds and number of
//! ranks known.

use trueline_abi::placement::{
    BLOCK, CYCLIC, Deal, GEN_BLOCK, GRID_FREE, GRID_KNOWN, GRID_RANKS, Kind, balanced, length,
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
    /// The number of ranks.
    ranks: u64,
    /// The cell of an element that is at coordinate 0 of all dimensions, as far as fixed positions say, modulo the number of ranks.
    base: u64,
    /// The numbers that replicated grid dimensions add to a cell, modulo the number of ranks; 0 is the first.
    copies: Vec<u64>,
}

struct Dim {
    lower: i64,
    extent: u64,
    /// The distance of neighbouring coordinates in the grid, modulo the number of ranks, stride and offset, and the format.
    on: Option<(u64, i128, i128, Deal)>,
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
            GEN_BLOCK => Kind::cuts(&values, extent),
            _ => Kind::Table(values),
        };
        Deal { lower: lower.into(), extent, turn: i128::from(coordinates.max(1)), kind }
    }
}

impl Placement {
    /// The mapping `table` on `ranks` ranks; `bound` gives pairs of bounds by their number.
    pub(super) fn new(table: &[i64], bounds: impl Fn(usize) -> (i64, i64), ranks: u64) -> Placement {
        let mut numbers = Numbers(table.iter());
        let element = numbers.count();
        let rank = numbers.count();
        let grid = grid(&mut numbers, ranks);
        // Cells are numbered in array element order, and folded onto the ranks.
        let steps: Vec<u64> = grid
            .iter()
            .scan(1 % ranks, |step, &extent| {
                let own = *step;
                *step = times(*step, extent, ranks);
                Some(own)
            })
            .collect();
        let extent = |g: usize| grid.get(g).copied().unwrap_or(1);
        let step = |g: usize| steps.get(g).copied().unwrap_or(0);
        let mut dims = Vec::with_capacity(rank);
        for d in 0..rank {
            let (lower, upper) = bounds(d);
            let on = (numbers.next() != 0).then(|| {
                let g = numbers.count();
                let (stride, offset) = (numbers.next().into(), numbers.next().into());
                (step(g), stride, offset, numbers.deal(extent(g), &bounds))
            });
            dims.push(Dim { lower, extent: length(lower, upper), on });
        }
        let (mut base, mut copies) = (0, vec![0]);
        for _ in 0..numbers.count() {
            let g = numbers.count();
            if numbers.next() == 0 {
                copies = spread(&copies, step(g), extent(g), ranks);
            } else {
                let position = numbers.next();
                let at = numbers.deal(extent(g), &bounds).coordinate(position.into()).unwrap_or(0);
                base = (base + times(step(g), at, ranks)) % ranks;
            }
        }
        let count = dims.iter().try_fold(1u64, |n, d| n.checked_mul(d.extent)).and_then(|n| usize::try_from(n).ok());
        Placement { element: element.max(1), dims, count: count.unwrap_or(0), ranks, base, copies }
    }

    /// The ranks that own element `index`, and the first of them, which gives its value to others.
    pub(super) fn owners(&self, index: usize) -> (Ranks, usize) {
        let (mut rest, mut cell) = (index as u64, self.base);
        for dim in &self.dims {
            let extent = dim.extent.max(1);
            let (at, more) = (rest % extent, rest / extent);
            rest = more;
            if let Some((step, stride, offset, deal)) = &dim.on {
                let subscript = i128::from(dim.lower) + i128::from(at);
                let coordinate = deal.coordinate(stride * subscript + offset).unwrap_or(0);
                cell = (cell + times(*step, coordinate, self.ranks)) % self.ranks;
            }
        }
        let of = |copy: &u64| (cell + copy) % self.ranks;
        (self.copies.iter().fold(0, |bits, copy| bits | 1 << of(copy)), of(&0) as usize)
    }
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

fn times(a: u64, b: u64, ranks: u64) -> u64 {
    a % ranks * (b % ranks) % ranks
}

/// The sums of a copy and a multiple of `step`, each once; further multiples than there are ranks repeat themselves.
fn spread(copies: &[u64], step: u64, extent: u64, ranks: u64) -> Vec<u64> {
    let mut out: Vec<u64> = Vec::new();
    for k in 0..extent.min(ranks) {
        for &copy in copies {
            let sum = (copy + times(step, k, ranks)) % ranks;
            if !out.contains(&sum) {
                out.push(sum);
            }
        }
    }
    out
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
    fn grids_are_folded_and_copies_kept() {
        // (BLOCK, *) on p(4), folded onto 2.
        let folded = [8, 2, 1, GRID_KNOWN, 4, 1, 0, 1, 0, BLOCK, 1, 0, 0, 0, 0];
        let rows: Vec<usize> = owners(&folded, &[(1, 4), (0, 1)], 2).iter().map(|o| o.1).collect();
        assert_eq!(rows, [0, 1, 0, 1, 0, 1, 0, 1]);
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
