//! Sweeps: nests in which ranks need elements that the ranks before them compute there, one rank after the other.
//!
//! ```text
//! do i = 1, n                    call nest(…)       waits for a(:, first - 1) of the rank before
//!   do j = 2, n             =>   do i, do j         its own j
//!     a(i, j) = a(i, j - 1)      call swept()       sends a(:, last) to the rank behind
//! ```
//!
//! A read is *late* if it gets a value that is stored in the nest by another rank. It may be, if in one dimension of the grid that is divided into
//! blocks its owner is the rank that executes it or one on a certain side, in all other dimensions the same, and nobody stores to the element in the nest after it was
//! read. Then each rank may get all late elements when the ranks on that side are through. Other reads of such arrays are of elements on the
//! other side, so they keep the values from before the nest.

use super::nest::{Refusal, Scan};
use crate::linear::Linear;
use trueline_abi::nest::Executed;
use trueline_ir::mapping::{Axis, Extents, Format, Grid, Linear as Step, Other, Values};
use trueline_ir::{Expr, ExprData, MappingData, Obstacle};

/// A dimension of a grid, and whether values go from lower coordinates to higher ones. Along dimensions of two grids the ranks stand in two orders: each
/// could wait for the other.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    grid: &'a Grid,
    grid_dim: usize,
    ascends: bool,
}

impl PartialEq for Side<'_> {
    fn eq(&self, other: &Self) -> bool {
        let is_grid = self.grid == other.grid || trueline_ir::fault("ranks_sweep_grids");
        is_grid && (self.grid_dim, self.ascends) == (other.grid_dim, other.ascends)
    }
}

/// The position of an element along a dimension of the grid.
enum Coordinate<'a> {
    Everywhere,
    Fixed(&'a Other),
    At(Step, &'a Format, Extents, Linear),
}

impl Scan<'_> {
    /// Accepts the reads in `flows`, pairs of a statement and the number of a read of it, as late ones. The loops that run along the sweep.
    pub(super) fn sweep(&mut self, flows: &[(usize, usize)]) -> Result<Vec<usize>, Refusal> {
        let Some(&(first, _)) = flows.first() else { return Ok(Vec::new()) };
        let refusal = (self.found.works[first].stmt, Obstacle::Owned);
        let mut side = None;
        for &(r, k) in flows {
            let of = self.side_of(r, k).flatten().filter(|_| !self.is_stored_later(r, k)).ok_or(refusal)?;
            if side.replace(of).is_some_and(|other| other != of) {
                return Err(refusal);
            }
        }
        let Some(side) = side else { return Err(refusal) };
        let other_side = Side { ascends: !side.ascends, ..side };
        let swept: Vec<usize> = flows.iter().filter_map(|&(r, k)| self.array_read(r, k)).collect();
        for r in 0..self.found.works.len() {
            for k in 0..self.found.works[r].reads.len() {
                let concerned = self.array_read(r, k).is_some_and(|a| swept.contains(&a)) && !flows.contains(&(r, k));
                if concerned && !matches!(self.side_of(r, k), Some(of) if of.is_none_or(|s| s == other_side)) {
                    return Err(refusal);
                }
            }
        }
        let along = flows.iter().flat_map(|&(r, _)| self.along(r, side.grid_dim)).collect();
        let beside: Vec<(usize, usize)> = self.all_reads().filter(|&(r, k)| self.may_come_along(r, k, side)).collect();
        for &(r, k) in flows.iter().chain(&beside) {
            self.found.nest.statements[r].late.push(k);
        }
        Ok(along)
    }

    /// All statements with the numbers of their reads.
    pub(super) fn all_reads(&self) -> impl Iterator<Item = (usize, usize)> {
        self.found.works.iter().enumerate().flat_map(|(r, work)| (0..work.reads.len()).map(move |k| (r, k)))
    }

    /// Whether the element comes from the ranks that are waited for anyway, and nobody stores to its array in the nest: one message has both.
    fn may_come_along(&self, r: usize, k: usize, side: Side<'_>) -> bool {
        let array = self.array_read(r, k);
        let is_stored = array.is_none_or(|a| self.region.may_write(self.u, self.arrays[a].sym));
        !is_stored && self.side_of(r, k).flatten() == Some(side)
    }

    /// The loops whose variables say where along a dimension of the grid statement `r` is executed.
    fn along(&self, r: usize, grid_dim: usize) -> Vec<usize> {
        let mut out = Vec::new();
        for (by, place) in self.executors(r).unwrap_or_default() {
            let Some(mapping) = self.mapping(by) else { continue };
            if let Coordinate::At(_, _, _, own) = self.coordinate(mapping, place, grid_dim) {
                let loops = self.chain(self.found.nest.statements[r].inner);
                out.extend(loops.into_iter().filter(|&l| own.mentions(self.u, self.found.loops[l].l.var)));
            }
        }
        out
    }

    fn array_read(&self, r: usize, k: usize) -> Option<usize> {
        super::element_of(self.u, self.arrays, self.found.works[r].reads[k])
    }

    /// Whether the nest may store to the element that statement `r` reads after it has been read.
    fn is_stored_later(&self, r: usize, k: usize) -> bool {
        let read = self.found.works[r].reads[k];
        let array = self.array_read(r, k);
        (0..self.found.works.len()).any(|w| {
            let stores = matches!(self.found.nest.statements[w].executed, Executed::ByOwners { writes: true, .. });
            let Some((stored, place)) = self.found.works[w].decides.filter(|_| stores) else { return false };
            if Some(stored) != array || self.never_meet(w, r, k) {
                return false;
            }
            // Within a statement, the value is stored last.
            let is_before = r == w || self.is_before(r, w);
            self.follows((r, read, false), (w, place, true), is_before)
        })
    }

    /// The side on which the owner of the element is, seen from those who execute statement `r`: none for the same owner. None at all if that is
    /// not certain.
    pub(super) fn side_of(&self, r: usize, k: usize) -> Option<Option<Side<'_>>> {
        let (array, read) = (self.array_read(r, k)?, self.found.works[r].reads[k]);
        let mut out = None;
        for (by, place) in self.executors(r)? {
            let side = self.side((by, place), (array, read))?;
            if let Some(side) = side
                && out.replace(side).is_some_and(|other| other != side)
            {
                return None;
            }
        }
        Some(out)
    }

    /// The elements whose owners execute statement `r`.
    fn executors(&self, r: usize) -> Option<Vec<(usize, Expr)>> {
        match &self.found.nest.statements[r].executed {
            Executed::ByAll => None,
            Executed::ByOwners { .. } => self.found.works[r].decides.map(|d| vec![d]),
            Executed::ByUsers(loops) => {
                let chain = |s: usize| self.found.nest.chain(self.found.nest.statements[s].inner);
                if !chain(r).all(|l| loops.contains(&l)) {
                    return None;
                }
                let mut out = Vec::new();
                for o in (0..self.found.works.len()).filter(|&o| chain(o).any(|l| loops.contains(&l))) {
                    match &self.found.nest.statements[o].executed {
                        Executed::ByAll => return None,
                        Executed::ByOwners { .. } => out.extend(self.found.works[o].decides),
                        Executed::ByUsers(other) if other == loops => {}
                        Executed::ByUsers(_) => return None,
                    }
                }
                Some(out)
            }
        }
    }

    /// The side on which the owner of `read` is, seen from that of `place`.
    fn side(&self, (by, place): (usize, Expr), (array, read): (usize, Expr)) -> Option<Option<Side<'_>>> {
        let [from, to] = [by, array].map(|a| self.mapping(a));
        let (from, to) = (from?, to?);
        if from.grid != to.grid {
            return None;
        }
        let mut out = None;
        for g in 0..from.grid.extents.len() {
            let (own, other) = (self.coordinate(from, place, g), self.coordinate(to, read, g));
            let difference = match (own, other) {
                (_, Coordinate::Everywhere) => 0,
                (Coordinate::Fixed(a), Coordinate::Fixed(b)) if a == b => 0,
                (Coordinate::At(s, f, t, own), Coordinate::At(step, format, template, sum))
                    if (s, f, t) == (step, format, template) =>
                {
                    let c = i128::from(own.minus(&sum).as_constant()?) * i128::from(s.stride?);
                    let in_order = matches!(f, Format::Block(_) | Format::GenBlock(Values::Known(_)));
                    if c != 0 && !in_order {
                        return None;
                    }
                    c
                }
                _ => return None,
            };
            if difference != 0 && out.replace(Side { grid: &from.grid, grid_dim: g, ascends: difference > 0 }).is_some()
            {
                return None;
            }
        }
        Some(out)
    }

    fn coordinate<'m>(&self, mapping: &'m MappingData, place: Expr, g: usize) -> Coordinate<'m> {
        let ExprData::Elem(_, list) = self.u.expr(place) else { return Coordinate::Everywhere };
        for (axis, &e) in mapping.axes.iter().zip(self.u.list(list)) {
            if let Axis::On { grid_dim, place, format, template } = axis
                && usize::from(*grid_dim) == g
            {
                return Coordinate::At(*place, format, *template, Linear::of(self.u, e));
            }
        }
        let fixed =
            mapping.others.iter().find(|(d, other)| usize::from(*d) == g && matches!(other, Other::Fixed { .. }));
        fixed.map_or(Coordinate::Everywhere, |(_, other)| Coordinate::Fixed(other))
    }
}
