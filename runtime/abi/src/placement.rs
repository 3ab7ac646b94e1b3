//! Who owns which position of a template dimension: the part of mappings that the compiler and the runtime share, and the numbers by which
//! the compiler hands a mapping to the runtime.
//!
//! Follows the definitions of HPF 2.0, section 3.3: a position `p` of a template dimension `lo:hi` on `P` coordinates belongs to
//! coordinate `(p - lo) / m` for `BLOCK(m)`, `((p - lo) / m) mod P` for `CYCLIC(m)`.
//!
//! A mapping is a row of 64-bit integers:
//!
//! | numbers | meaning |
//! |---|---|
//! | bytes of an element, `R` | the rank of the array |
//! | `G`, then for each dimension of the grid: kind, number | [`GRID_KNOWN`] an extent, [`GRID_RANKS`] a divisor of the number of ranks, [`GRID_FREE`] 0 |
//! | for each dimension of the array: 0; or 1, grid dimension, stride, offset, *deal* | collapsed; on a dimension of the grid |
//! | `O`, then for each: grid dimension, 0; or grid dimension, 1, position, *deal* | replicated; at a position |
//!
//! A *deal* is a format ([`BLOCK`], [`CYCLIC`], [`GEN_BLOCK`], [`INDIRECT`]), how many numbers it has, these (0 for the size that HPF has
//! where none is given), and the number of the template's bounds among the bounds that are known at run time. Those come in pairs, first
//! of the array's dimensions, then of templates and of sizes.

/// The symbol that an executable for several ranks defines.
pub const RANKS_WANTED: &str = "trueline_ranks_wanted";

/// A grid extent that is a number.
pub const GRID_KNOWN: i64 = 0;
/// A grid extent that is the number of ranks divided by a number.
pub const GRID_RANKS: i64 = 1;
/// A grid extent that is chosen when the number of ranks is known.
pub const GRID_FREE: i64 = 2;
/// Neighbouring positions together; one number, the size.
pub const BLOCK: i64 = 0;
/// Blocks dealt out in turn; one number, the size.
pub const CYCLIC: i64 = 1;
/// As [`BLOCK`]; one number, that of a pair of bounds, each of which is the size.
pub const BLOCK_OF: i64 = 4;
/// As [`CYCLIC`], with a size as that of [`BLOCK_OF`].
pub const CYCLIC_OF: i64 = 5;
/// A number of positions for each coordinate.
pub const GEN_BLOCK: i64 = 2;
/// A coordinate for each position.
pub const INDIRECT: i64 = 3;

/// A format with its numbers; positions count from 0.
#[derive(Clone, Debug)]
pub struct Deal {
    /// The lower bound of the template.
    pub lower: i128,
    /// The positions of the template.
    pub extent: u64,
    /// The number of coordinates.
    pub turn: i128,
    /// The format.
    pub kind: Kind,
}

/// A format with its numbers.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Blocks of this many.
    Block(i128),
    /// Blocks of this many, dealt out in turn.
    Cyclic(i128),
    /// The first position of each coordinate, and behind the last.
    Cuts(Vec<i128>),
    /// The coordinate of each position.
    Table(Vec<i64>),
}

impl Kind {
    /// GEN_BLOCK with these sizes, on a template of this extent.
    pub fn cuts(sizes: &[i64], extent: u64) -> Kind {
        let mut at = 0i128;
        let mut cuts = vec![0];
        for &n in sizes {
            at += i128::from(n.max(0));
            cuts.push(at.min(extent.into()));
        }
        Kind::Cuts(cuts)
    }

    /// BLOCK or CYCLIC; `size` 0 is the one that the standard has where none is given: the smallest that suffices for BLOCK, 1 for CYCLIC.
    pub fn blocks(in_turn: bool, size: u64, extent: u64, coordinates: u64) -> Kind {
        let default = if in_turn { 1 } else { extent.div_ceil(coordinates.max(1)) };
        let size = if size == 0 { default.max(1) } else { size };
        if in_turn { Kind::Cyclic(size.into()) } else { Kind::Block(size.into()) }
    }
}

impl Deal {
    /// The coordinate of a position of the template; none outside of it.
    pub fn coordinate(&self, position: i128) -> Option<u64> {
        let at = position - self.lower;
        if at < 0 || at >= self.extent.into() {
            return None;
        }
        match &self.kind {
            Kind::Block(size) => u64::try_from(at / size).ok(),
            Kind::Cyclic(size) => u64::try_from((at / size) % self.turn).ok(),
            Kind::Cuts(cuts) => {
                let c = cuts.partition_point(|&cut| cut <= at);
                (c < cuts.len()).then(|| c as u64 - 1)
            }
            Kind::Table(table) => table.get(usize::try_from(at).ok()?).and_then(|&c| u64::try_from(c).ok()),
        }
    }
}

/// `dims` factors of `n` that differ as little as possible, the largest first.
pub fn balanced(n: u64, dims: usize) -> Vec<u64> {
    let mut out = vec![1u64; dims];
    let mut primes = Vec::new();
    let (mut rest, mut p) = (n.max(1), 2u64);
    while p.saturating_mul(p) <= rest {
        while rest.is_multiple_of(p) {
            primes.push(p);
            rest /= p;
        }
        p += 1;
    }
    primes.extend((rest > 1).then_some(rest));
    for p in primes.into_iter().rev() {
        if let Some(least) = out.iter_mut().min() {
            *least *= p;
        }
    }
    out.sort_unstable_by(|a, b| b.cmp(a));
    out
}

/// The grid onto which a grid of these extents is folded if it has more cells than there are ranks: the last dimension keeps as many
/// coordinates as there are ranks, the dimensions before it share the rest. Coordinates are folded by [`fold`].
pub fn folded(grid: &[u64], ranks: u64) -> Vec<u64> {
    let cells = grid.iter().try_fold(1u64, |all, &extent| all.checked_mul(extent));
    if cells.is_some_and(|n| n <= ranks) {
        return grid.to_vec();
    }
    let mut rest = ranks.max(1);
    let mut out: Vec<u64> = grid
        .iter()
        .rev()
        .map(|&extent| {
            let own = extent.min(rest).max(1);
            rest /= own;
            own
        })
        .collect();
    out.reverse();
    out
}

/// The coordinate that coordinate `c` of `extent` is folded onto: neighbours stay together.
pub fn fold(c: u64, extent: u64, onto: u64) -> u64 {
    if onto >= extent { c } else { (u128::from(c) * u128::from(onto) / u128::from(extent)) as u64 }
}

/// The number of subscripts from `lo` to `hi`.
pub fn length(lo: i64, hi: i64) -> u64 {
    if hi < lo {
        return 0;
    }
    lo.abs_diff(hi).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::{balanced, fold, folded};

    #[test]
    fn grids_are_folded() {
        assert_eq!(folded(&[4, 4], 16), [4, 4]);
        assert_eq!(folded(&[4, 4], 8), [2, 4]);
        assert_eq!(folded(&[4, 4], 7), [1, 4]);
        assert_eq!(folded(&[16], 3), [3]);
        assert_eq!(folded(&[u64::MAX, u64::MAX], 6), [1, 6]);
        let onto: Vec<u64> = (0..16).map(|c| fold(c, 16, 3)).collect();
        assert_eq!(onto, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn factors() {
        assert_eq!(balanced(12, 2), [4, 3]);
        assert_eq!(balanced(16, 2), [4, 4]);
        assert_eq!(balanced(7, 3), [7, 1, 1]);
        assert_eq!(balanced(1, 0), [0u64; 0]);
    }
}
