//! The owners of elements: a mapping of known shape on a known number of processors.
//!
//! Follows the definitions of HPF 2.0, section 3.3: a position `p` of a template dimension `lo:hi` on `P` coordinates belongs to coordinate
//! `(p - lo) / m` for `BLOCK(m)`, `((p - lo) / m) mod P` for `CYCLIC(m)`. A grid larger than the number of processors is folded onto
//! a smaller one, whose cells are processors in array element order: neighbouring coordinates go to one processor.

use super::residue;
use super::{Axis, Format, GridExtent, MappingData, Other, Shape, Size, Values};
use crate::Unit;
pub use trueline_abi::placement::balanced;
use trueline_abi::placement::{Deal, Kind, fold, folded, length};

/// More cells than this are not listed one by one.
const MOST_CELLS: u64 = 1 << 20;

/// A mapping with numbers for everything.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The processors.
    ranks: u64,
    /// The extents of the grid.
    grid: Vec<u64>,
    /// Lower and upper bound of each dimension of the array.
    bounds: Vec<(i64, i64)>,
    /// The grid dimension of each dimension of the array that is on one.
    axes: Vec<Option<Line>>,
    /// For each grid dimension the coordinate that has the array; none for all of them.
    fixed: Vec<Option<u64>>,
    shadow: Vec<(u64, u64)>,
    element: u64,
}

/// One dimension of an array on a grid dimension.
#[derive(Clone, Debug)]
struct Line {
    grid_dim: usize,
    stride: i128,
    offset: i128,
    deal: Deal,
}

/// The subscripts `first, first + step, …, last`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first.
    pub first: i64,
    /// The last.
    pub last: i64,
    /// The distance of neighbours, positive.
    pub step: i64,
}

/// The part of one array dimension that a coordinate of the grid owns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Share {
    /// The number of subscripts.
    pub count: u64,
    /// They, in ascending order; fewer than there are if `more`.
    pub spans: Vec<Span>,
    /// Whether there are further ones.
    pub more: bool,
    /// Lower and upper bound of the local storage with its shadow: global subscripts where the part is without gaps, else numbers from 1.
    pub local: (i64, i64),
}

impl Placement {
    /// The placement of an array of `shape` on `ranks` processors, with an explanation if something in it is known only at run time.
    ///
    /// # Errors
    /// The part that is not known, as a phrase.
    pub fn new(unit: &Unit, mapping: &MappingData, shape: &Shape, ranks: u64) -> Result<Placement, String> {
        let grid = extents(mapping, ranks.max(1))?;
        let mut bounds = Vec::new();
        for (k, b) in shape.bounds.iter().enumerate() {
            bounds.push(b.ok_or_else(|| format!("the bounds of dimension {}", k + 1))?);
        }
        if mapping.axes.len() != bounds.len() {
            return Err("the mapping, which the caller decides".to_owned());
        }
        let extent = |d: u8| grid.get(usize::from(d)).copied().unwrap_or(1);
        let mut axes = Vec::new();
        for axis in &mapping.axes {
            axes.push(match axis {
                Axis::Collapsed => None,
                Axis::On { grid_dim, place, format, template } => {
                    let template = unit.constant_extents(*template).ok_or("the bounds of the template")?;
                    let stride = place.stride.ok_or("the stride of the alignment")?.into();
                    let offset = place.offset.ok_or("the offset of the alignment")?.into();
                    let deal = deal(format, template, extent(*grid_dim))?;
                    Some(Line { grid_dim: (*grid_dim).into(), stride, offset, deal })
                }
            });
        }
        let mut fixed = vec![None; grid.len()];
        for (d, other) in &mapping.others {
            let Other::Fixed { position, format, template } = other else { continue };
            let template = unit.constant_extents(*template).ok_or("the bounds of the template")?;
            let position = position.ok_or("the position in the template")?;
            let deal = deal(format, template, extent(*d))?;
            if let Some(slot) = fixed.get_mut(usize::from(*d)) {
                *slot = Some(deal.coordinate(position.into()).unwrap_or(0));
            }
        }
        let element = shape.element.ok_or("the length of its elements")?;
        Ok(Placement { ranks: ranks.max(1), grid, bounds, axes, fixed, shadow: mapping.shadow.to_vec(), element })
    }

    /// The extents of the grid.
    pub fn grid(&self) -> &[u64] {
        &self.grid
    }

    /// The cells of the grid, in array element order; none if there are too many to list.
    pub fn cells(&self) -> Option<u64> {
        let all = self.grid.iter().try_fold(1u64, |n, &x| n.checked_mul(x))?;
        (all <= MOST_CELLS).then_some(all)
    }

    /// The processor of a cell.
    pub fn rank(&self, cell: u64) -> u64 {
        let onto = folded(&self.grid, self.ranks);
        let mut step = 1;
        let mut number = 0;
        for (c, (&extent, &onto)) in self.coordinates(cell).into_iter().zip(self.grid.iter().zip(&onto)) {
            number += fold(c, extent, onto) * step;
            step *= onto.max(1);
        }
        number
    }

    /// The coordinates of a cell.
    pub fn coordinates(&self, cell: u64) -> Vec<u64> {
        let mut rest = cell;
        let deal = |&extent: &u64| {
            let extent = extent.max(1);
            let c = rest % extent;
            rest /= extent;
            c
        };
        self.grid.iter().map(deal).collect()
    }

    /// The subscripts of dimension `dim` that the cell at `at` owns, at most `most` spans of them.
    pub fn share(&self, dim: usize, at: &[u64], most: usize) -> Share {
        let (lo, hi) = self.bounds[dim];
        let absent = self.is_elsewhere(at);
        let mut share = match &self.axes[dim] {
            _ if absent || hi < lo => Share { count: 0, spans: Vec::new(), more: false, local: (1, 0) },
            None => Share {
                count: length(lo, hi),
                spans: vec![Span { first: lo, last: hi, step: 1 }],
                more: false,
                local: (lo, hi),
            },
            Some(line) => line.share((lo, hi), at[line.grid_dim], most),
        };
        if share.count > 0
            && let Some(&(below, above)) = self.shadow.get(dim)
        {
            let widen = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
            share.local.0 = share.local.0.saturating_sub(widen(below));
            share.local.1 = share.local.1.saturating_add(widen(above));
        }
        share
    }

    /// Whether a position of the template that all elements share keeps the cell at `at` from having any.
    pub fn is_elsewhere(&self, at: &[u64]) -> bool {
        at.iter().zip(&self.fixed).any(|(c, fixed)| fixed.is_some_and(|f| f != *c))
    }

    /// The bytes of the array that the cell at `at` keeps, with shadows; none if that is no number of 64 bits.
    pub fn bytes(&self, at: &[u64]) -> Option<u64> {
        let shares: Vec<Share> = (0..self.bounds.len()).map(|d| self.share(d, at, 0)).collect();
        if self.is_elsewhere(at) || shares.iter().any(|s| s.count == 0) {
            return Some(0);
        }
        shares.iter().try_fold(self.element, |n, s| n.checked_mul(length(s.local.0, s.local.1)))
    }

    /// Whether the cell at `at` owns the element with these subscripts.
    pub fn owns(&self, at: &[u64], subscripts: &[i64]) -> bool {
        !self.is_elsewhere(at)
            && subscripts.iter().zip(&self.axes).all(|(&i, axis)| match axis {
                None => true,
                Some(line) => line.deal.coordinate(line.position(i.into())) == Some(at[line.grid_dim]),
            })
    }
}

impl Line {
    fn position(&self, i: i128) -> i128 {
        self.stride * i + self.offset
    }

    /// The subscripts in `bounds` that lie at positions of `coordinate`.
    fn share(&self, bounds: (i64, i64), coordinate: u64, most: usize) -> Share {
        let mut out = Collect::new(most);
        match &self.deal.kind {
            Kind::Block(size) => {
                let from = i128::from(coordinate).saturating_mul(*size);
                self.run(bounds, from, from.saturating_add(*size) - 1, &mut out);
            }
            Kind::Cuts(cuts) => {
                let c = usize::try_from(coordinate).unwrap_or(usize::MAX);
                if let (Some(from), Some(end)) = (cuts.get(c), cuts.get(c.saturating_add(1))) {
                    self.run(bounds, *from, end - 1, &mut out);
                }
            }
            // Every coordinate has one block at most, as with BLOCK, but with gaps in the array there is no turn to go on with.
            Kind::Cyclic(size) if size.saturating_mul(self.deal.turn) >= self.deal.extent.into() => {
                let from = i128::from(coordinate).saturating_mul(*size);
                self.run(bounds, from, from.saturating_add(*size) - 1, &mut out);
                out.dense = None;
            }
            Kind::Cyclic(size) => self.cyclic(bounds, coordinate, *size, &mut out),
            Kind::Table(table) => {
                // Only subscripts at positions of the table can be owned, so the loop is no longer than it.
                let subscripts = self.subscripts(bounds, 0, table.len() as i128 - 1);
                for i in subscripts.map_or(0..0, |(from, to)| from..to + 1) {
                    if self.deal.coordinate(self.position(i)) == Some(coordinate) {
                        out.span(i as i64, i as i64);
                    }
                }
            }
        }
        out.finish()
    }

    /// The subscripts in `bounds` whose positions, from 0, are in `from..=last`.
    fn subscripts(&self, (lo, hi): (i64, i64), from: i128, last: i128) -> Option<(i128, i128)> {
        let base = self.offset - self.deal.lower;
        let (a, b) = (from - base, last - base);
        let (least, most) = if self.stride > 0 {
            (ceil(a, self.stride), b.div_euclid(self.stride))
        } else {
            (ceil(-b, -self.stride), (-a).div_euclid(-self.stride))
        };
        let (least, most) = (least.max(lo.into()), most.min(hi.into()));
        (least <= most).then_some((least, most))
    }

    fn run(&self, bounds: (i64, i64), from: i128, last: i128, out: &mut Collect) {
        let last = last.min(i128::from(self.deal.extent) - 1);
        if from <= last
            && let Some((a, b)) = self.subscripts(bounds, from, last)
        {
            out.span(a as i64, b as i64);
            out.dense = Some((a as i64, b as i64));
        }
    }

    /// The subscripts of a CYCLIC dimension: their number by a sum, and the first spans one after the other.
    fn cyclic(&self, bounds: (i64, i64), coordinate: u64, size: i128, out: &mut Collect) {
        let Some((lo, hi)) = self.subscripts(bounds, 0, i128::from(self.deal.extent) - 1) else { return };
        let turn = size * self.deal.turn;
        let (from, to) = (size * i128::from(coordinate), size * (i128::from(coordinate) + 1) - 1);
        let at = |i: i128| self.position(i) - self.deal.lower;
        // Counted from the end where positions ascend, so that the numbers in the sum stay small.
        let start = if self.stride > 0 { lo } else { hi };
        let number = residue::count(hi - lo + 1, turn, self.stride.abs(), at(start), from, to);
        let mut next = lo;
        let mut before = None;
        while !out.is_full()
            && next <= hi
            && let Some(skip) = residue::first(turn, self.stride, at(next), from, to)
            && next.checked_add(skip).is_some_and(|first| first <= hi)
        {
            let first = next + skip;
            let within = at(first).rem_euclid(turn) - from;
            let room = if self.stride > 0 { size - 1 - within } else { within };
            let last = (first + room / self.stride.abs()).min(hi);
            if let Some(before) = before.filter(|&b| first == last && self.stride * (first - b) % turn == 0) {
                // The next subscript at the same place of a turn: so it goes on to the end.
                let step = first - before;
                let last = first + (hi - first) / step * step;
                out.share.spans.pop();
                out.share.spans.push(Span { first: before as i64, last: last as i64, step: step as i64 });
                break;
            }
            before = (first == last && before.is_none() && next == lo).then_some(first);
            out.span(first as i64, last as i64);
            next = last + 1;
        }
        out.share.count = u64::try_from(number).unwrap_or(u64::MAX);
    }
}

/// A format on a template dimension of these bounds, with this number of coordinates.
fn deal(format: &Format, (lower, upper): (i64, i64), coordinates: u64) -> Result<Deal, String> {
    let extent = length(lower, upper);
    let known = |size: Size| match size {
        Size::Default => Ok(0),
        Size::Known(n) => Ok(n.max(1)),
        Size::Of(_) | Size::Unknown => Err("the size of a block".to_owned()),
    };
    let values = |v: &Values| match v {
        Values::Known(v) => Ok(v.clone()),
        Values::Of(_) | Values::Unknown => Err("the array of GEN_BLOCK or INDIRECT".to_owned()),
    };
    let kind = match format {
        Format::Block(size) => Kind::blocks(false, known(*size)?, extent, coordinates),
        Format::Cyclic(size) => Kind::blocks(true, known(*size)?, extent, coordinates),
        Format::GenBlock(v) => Kind::cuts(&values(v)?, extent),
        Format::Indirect(v) => Kind::Table(values(v)?),
    };
    Ok(Deal { lower: lower.into(), extent, turn: i128::from(coordinates.max(1)), kind })
}

/// Spans as they are found, joined where they are neighbours.
struct Collect {
    share: Share,
    most: usize,
    /// The spans looked at; equal distances join, so their number alone would not end a search.
    seen: usize,
    /// The first and last subscript of a part without gaps.
    dense: Option<(i64, i64)>,
}

impl Collect {
    fn new(most: usize) -> Collect {
        let share = Share { count: 0, spans: Vec::new(), more: false, local: (1, 0) };
        Collect { share, most, seen: 0, dense: None }
    }

    fn is_full(&self) -> bool {
        // One more tells whether there is more.
        self.share.spans.len() > self.most || self.seen > 16 * self.most + 64
    }

    fn span(&mut self, first: i64, last: i64) {
        self.seen += 1;
        self.share.count = self.share.count.saturating_add(length(first, last));
        let single = first == last;
        match self.share.spans.last_mut() {
            Some(before) if before.step == 1 && before.last.checked_add(1) == Some(first) => before.last = last,
            Some(before) if single && before.first == before.last => {
                (before.step, before.last) = (first.saturating_sub(before.last), first);
            }
            Some(before) if single && before.step > 1 && before.last.checked_add(before.step) == Some(first) => {
                before.last = first;
            }
            _ => self.share.spans.push(Span { first, last, step: 1 }),
        }
    }

    fn finish(mut self) -> Share {
        if self.share.spans.len() > self.most {
            self.share.spans.truncate(self.most);
            self.share.more = true;
        }
        if self.share.count > 0 {
            let numbered = (1, i64::try_from(self.share.count).unwrap_or(i64::MAX));
            self.share.local = self.dense.unwrap_or(numbered);
        }
        self.share
    }
}

/// The extents of the grid on `ranks` processors.
fn extents(mapping: &MappingData, ranks: u64) -> Result<Vec<u64>, String> {
    let mut known = 1u64;
    let mut free = 0;
    for x in &mapping.grid.extents {
        match x {
            GridExtent::Known(n) => known = known.saturating_mul((*n).max(1)),
            GridExtent::Ranks(by) => known = known.saturating_mul((ranks / (*by).max(1)).max(1)),
            GridExtent::Free => free += 1,
            GridExtent::Unknown => return Err("the shape of the processor arrangement".to_owned()),
        }
    }
    let mut chosen = balanced((ranks / known).max(1), free).into_iter();
    let extent = |x: &GridExtent| match x {
        GridExtent::Known(n) => (*n).max(1),
        GridExtent::Ranks(by) => (ranks / (*by).max(1)).max(1),
        GridExtent::Free | GridExtent::Unknown => chosen.next().unwrap_or(1),
    };
    Ok(mapping.grid.extents.iter().map(extent).collect())
}

fn ceil(a: i128, b: i128) -> i128 {
    a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(stride: i128, offset: i128, extents: (i64, i64), format: &Format, coordinates: u64) -> Line {
        let deal = deal(format, extents, coordinates).unwrap();
        Line { grid_dim: 0, stride, offset, deal }
    }

    /// Shares of all coordinates against the owner of each subscript, for strides of both signs.
    #[test]
    fn shares_are_what_the_owner_says() {
        let formats = [
            Format::Block(Size::Default),
            Format::Block(Size::Known(5)),
            Format::Cyclic(Size::Default),
            Format::Cyclic(Size::Known(3)),
            Format::Cyclic(Size::Known(50)),
            Format::GenBlock(Values::Known(vec![4, 0, 11, 5])),
            Format::Indirect(Values::Known((0..20).map(|i| (i * 7 + 3) % 4).collect())),
        ];
        for format in &formats {
            for (stride, offset) in [(1, 0), (1, -3), (2, 1), (-1, 12), (-3, 20), (5, -20)] {
                let line = line(stride, offset, (-4, 15), format, 4);
                for c in 0..4 {
                    let share = line.share((-9, 14), c, 100);
                    let owned: Vec<i64> =
                        (-9..=14).filter(|&i| line.deal.coordinate(line.position(i.into())) == Some(c)).collect();
                    let told: Vec<i64> =
                        share.spans.iter().flat_map(|s| (s.first..=s.last).step_by(s.step as usize)).collect();
                    assert_eq!(told, owned, "{format:?} {stride} {offset} {c}");
                    assert_eq!(share.count, owned.len() as u64);
                    assert!(!share.more);
                }
            }
        }
    }

    #[test]
    fn huge_templates_end() {
        let all = (1, i64::MAX);
        let one = line(1, 0, all, &Format::Cyclic(Size::Default), 4).share(all, 3, 3);
        assert_eq!(one.count, i64::MAX as u64 / 4);
        assert_eq!(one.spans, [Span { first: 4, last: i64::MAX - 3, step: 4 }]);
        let pairs = line(1, 0, all, &Format::Cyclic(Size::Known(2)), 4).share(all, 0, 3);
        assert!(pairs.more && pairs.spans.len() == 3 && pairs.count > 1 << 60);
        let wide = line(-(1 << 62), 0, (i64::MIN, i64::MAX), &Format::Cyclic(Size::Known(7)), 3);
        assert!(wide.share((i64::MIN, i64::MAX), 1, 3).count <= 4);
        let far = line(i64::MAX.into(), i64::MIN.into(), all, &Format::Block(Size::Known(u64::MAX)), u64::MAX);
        assert_eq!(far.share((0, 9), 0, 3).count, 1);
    }
}
