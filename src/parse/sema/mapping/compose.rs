//! Alignments and distributions composed: from the subscripts of an array straight to the grid.

use super::extents::{self, Subscript, number, numbers, subscript};
use super::said::{About, Said};
use super::{Mapped, Mappings};
use crate::scope::symbol::{SymbolId, SymbolKind};
use crate::scope::{Declarations, ScopeId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_diag::{Diagnostic, Diagnostics};
use trueline_ir::mapping::{Axis, Extents, Format, Grid, GridExtent, Linear, Origin, Other, Size, Values};
use trueline_ir::{MappingData, Sym, Type};
use trueline_syntax::Name;
use trueline_syntax::ast::{
    AlignSource, AlignSubscript, Alignment, ArgValue, DistFormat, DistKind, Distribution, ExprId, ExprKind, Onto,
};

/// Larger arrangements and templates are not written down element by element.
const MOST_LISTED: u64 = 1 << 20;

pub(super) struct Composer<'c, 'a> {
    pub(super) decls: &'c Declarations<'a>,
    pub(super) said: &'c Said<'a>,
    diags: &'c mut Diagnostics,
    done: FxHashMap<SymbolId, Option<MappingData>>,
}

/// The part of the array that lies along one dimension of its alignment target.
enum Place {
    /// A dimension of the array.
    Of(usize, Linear),
    /// One position.
    Fixed(Option<i64>),
    /// All positions.
    Copies,
}

/// A dimension of a processor arrangement, or the part of it that ONTO names.
#[derive(Clone, Copy)]
struct Slot {
    grid_dim: usize,
    /// The first coordinate, the number of them and their distance; none for all.
    part: Option<(u64, u64, u64)>,
}

impl<'c, 'a> Composer<'c, 'a> {
    pub(super) fn new(decls: &'c Declarations<'a>, said: &'c Said<'a>, diags: &'c mut Diagnostics) -> Self {
        Composer { decls, said, diags, done: FxHashMap::default() }
    }

    /// Composes everything; a chain of alignments from its end, so that its length is not the depth of the stack.
    pub(super) fn all(&mut self) {
        for &id in &self.said.order {
            let (mut chain, mut seen) = (vec![id], FxHashSet::default());
            seen.insert(id);
            while let Some(next) = chain.last().and_then(|&last| self.target(last)) {
                if self.done.contains_key(&next) {
                    break;
                }
                if !seen.insert(next) {
                    self.cycle(next, &chain);
                    break;
                }
                chain.push(next);
            }
            for id in chain.into_iter().rev() {
                if !self.done.contains_key(&id) {
                    let data = self.said.about(id).and_then(|about| self.compose(id, about));
                    if let Some((about, (a, _))) = self.said.about(id).and_then(|b| Some((b, b.alignment?))) {
                        self.outside(id, about, a);
                    }
                    self.done.insert(id, data);
                }
            }
        }
    }

    pub(super) fn finish(self) -> Mappings {
        let remaps = super::remap::of(&self);
        let mut all = FxHashMap::default();
        for (id, data) in self.done {
            let span = self.said.mapped_at(id);
            if let (Some(data), Some(span)) = (data, span) {
                all.insert(id, Mapped { data, span });
            }
        }
        Mappings { all, remaps }
    }

    /// The object that directives align a symbol with.
    pub(super) fn target(&self, id: SymbolId) -> Option<SymbolId> {
        let about = self.said.about(id)?;
        let target = about.alignment?.0.target?;
        self.decls.named(about.scope?, target.name).filter(|&t| t != id)
    }

    fn cycle(&mut self, first: SymbolId, chain: &[SymbolId]) {
        let start = chain.iter().position(|&c| c == first).unwrap_or(0);
        for &id in &chain[start..] {
            self.done.insert(id, None);
        }
        let place = |id: SymbolId| self.said.about(id).and_then(|a| a.alignment).map(|(a, _)| a.span);
        let (Some(&last), Some(from)) = (chain.last(), place(first)) else { return };
        let (name, other) = (&self.decls.symbols[first].name, &self.decls.symbols[last].name);
        let message = format!("'{name}' is aligned with itself, by way of '{other}'");
        let mut d = Diagnostic::error("T0420", from, message);
        if let Some(back) = place(last) {
            d = d.because(back, format!("'{other}' is aligned with '{name}' here"));
        }
        self.diags.push(d.help("Align one of them with a template, or distribute it"));
    }

    /// Every element is aligned with a position that the target has, and neighbours with different ones.
    fn outside(&mut self, id: SymbolId, about: &About<'a>, a: &'a Alignment) {
        let (Some(scope), Some(target)) = (about.scope, a.target) else { return };
        let Some(to) = self.decls.named(scope, target.name) else { return };
        let (s, t) = (&self.decls.symbols[id], &self.decls.symbols[to]);
        for (k, place) in self.places(id, scope, a, to).iter().enumerate() {
            let Some((lo, hi)) = extents::bounds(self.decls, to, k) else { continue };
            let ends = match place {
                Place::Of(d, Linear { stride: Some(stride), offset: Some(offset) }) => {
                    let Some((first, last)) = extents::bounds(self.decls, id, *d).filter(|(lo, hi)| lo <= hi) else {
                        continue;
                    };
                    let at = |i: i64| i128::from(*stride) * i128::from(i) + i128::from(*offset);
                    [at(first), at(last)]
                }
                Place::Fixed(Some(at)) => [i128::from(*at); 2],
                _ => continue,
            };
            if let Some(at) = ends.iter().find(|at| **at < lo.into() || **at > hi.into()) {
                let message =
                    format!("'{}' is aligned with position {at} of '{}', which has {lo} to {hi}", s.name, t.name);
                let d = Diagnostic::error("T0422", a.span, message).because(t.span, "declared here");
                self.diags.push(d.help(format!("Make '{}' as large as the alignment needs", t.name)));
                return;
            }
        }
    }

    fn compose(&self, id: SymbolId, about: &About<'a>) -> Option<MappingData> {
        let scope = about.scope?;
        let rank = self.decls.symbols[id].rank();
        let mut data = match (about.alignment, about.distribution) {
            (Some((a, _)), _) => self.aligned(id, scope, a),
            (None, Some((d, _))) => self.distributed(id, scope, rank, d),
            (None, None) => inherited(),
        };
        let follows = self.target(id).and_then(|t| self.done.get(&t)?.as_ref()).is_some_and(|t| t.dynamic);
        data.dynamic = about.dynamic.is_some() || follows;
        data.serial = about.serial;
        let formats = about.distribution.and_then(|(d, _)| d.formats.as_deref());
        let widths = |low: ExprId, high: ExprId| {
            let width = |x| number(self.decls, scope, x).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
            (width(low), width(high))
        };
        if let Some((shadow, _)) = about.shadow.filter(|(s, _)| s.len() == rank) {
            data.shadow = shadow.iter().map(|s| widths(s.low, s.high)).collect();
        } else if let Some(formats) = formats.filter(|f| f.len() == rank && f.iter().any(|f| f.shadow.is_some())) {
            data.shadow = formats.iter().map(|f| f.shadow.map_or((0, 0), |s| widths(s.low, s.high))).collect();
        }
        Some(data)
    }

    pub(super) fn distributed(&self, id: SymbolId, scope: ScopeId, rank: usize, d: &'a Distribution) -> MappingData {
        let onto = match d.onto {
            Some(Onto::Processors(x) | Onto::Asserted(x)) => Some(x),
            _ => None,
        };
        if d.descriptive && d.formats.is_none() && onto.is_none() {
            return inherited();
        }
        let mut data =
            MappingData { origin: if d.descriptive { Origin::Described } else { Origin::Prescribed }, ..inherited() };
        let mut slots = onto.and_then(|x| self.onto(scope, x, &mut data));
        let known =
            |k: usize| d.formats.as_ref().map_or(DistKind::Block, |f| f.get(k).map_or(DistKind::Collapsed, |f| f.kind));
        let wanted = (0..rank).filter(|&k| known(k) != DistKind::Collapsed).count();
        let free = if slots.is_none() { wanted.max(1) } else { 0 };
        let slots = slots.get_or_insert_with(|| (0..free).map(|grid_dim| Slot { grid_dim, part: None }).collect());
        data.grid.extents.extend(std::iter::repeat_n(GridExtent::Free, free));
        let mut unused = slots.iter().copied().collect::<std::collections::VecDeque<_>>();
        for k in 0..rank {
            let slot = if known(k) == DistKind::Collapsed { None } else { unused.pop_front() };
            let Some(slot) = slot else {
                data.axes.push(Axis::Collapsed);
                continue;
            };
            let template = extents::template(self.decls, id, k);
            let lower = self.grid_lower(scope, onto, slot.grid_dim);
            let format = match d.formats.as_ref().and_then(|f| f.get(k)) {
                Some(f) => self.format(scope, f, lower),
                None => Format::Block(Size::Default),
            };
            let format = self.in_part(format, slot, &data.grid, template);
            let place = Linear { stride: Some(1), offset: Some(0) };
            data.axes.push(Axis::On { grid_dim: slot.grid_dim as u8, place, format, template });
        }
        data.others.extend(unused.iter().map(|slot| (slot.grid_dim as u8, Other::Replicated)));
        data.others.sort_by_key(|(d, _)| *d);
        data
    }

    /// The slots of the arrangement that ONTO names; dimensions with one coordinate become fixed ones of `data`.
    fn onto(&self, scope: ScopeId, x: ExprId, data: &mut MappingData) -> Option<Vec<Slot>> {
        let ast = self.decls.ast(scope);
        let (base, args) = match ast.expr(x).kind {
            ExprKind::Call { base, args } => (base, Some(ast.args(args))),
            _ => (x, None),
        };
        let ExprKind::Name(name) = ast.expr(base).kind else { return None };
        let id = self.decls.named(scope, name)?;
        let symbol = &self.decls.symbols[id];
        if symbol.kind != SymbolKind::Processors {
            return None;
        }
        data.grid.name = Some(symbol.name.clone());
        if symbol.rank() == 0 {
            data.grid.extents.push(GridExtent::Ranks(1));
            return Some(vec![Slot { grid_dim: 0, part: None }]);
        }
        let mut slots = Vec::new();
        for d in 0..symbol.rank() {
            data.grid.extents.push(extents::grid(self.decls, id, d));
            let bounds = extents::bounds(self.decls, id, d);
            let at = |x: ExprId| number(self.decls, scope, x)?.checked_sub(bounds?.0);
            match args.and_then(|args| args.get(d)).map(|a| a.value) {
                Some(ArgValue::Expr(x)) => {
                    let format = Format::Block(Size::Known(1));
                    let last = bounds.and_then(|(lo, hi)| hi.checked_sub(lo));
                    let template = last.map_or(Extents::Unknown, |last| Extents::Known(0, last));
                    data.others.push((d as u8, Other::Fixed { position: at(x), format, template }));
                }
                Some(ArgValue::Section { lo, hi, step }) if lo.is_some() || hi.is_some() || step.is_some() => {
                    let first = lo.expand().map_or(Some(0), at);
                    let last = hi.expand().map_or_else(|| bounds.and_then(|(lo, hi)| hi.checked_sub(lo)), at);
                    let step = step.expand().map_or(Some(1), |x| number(self.decls, scope, x)).filter(|s| *s > 0);
                    let part = (|| {
                        let (first, last, step) =
                            (u64::try_from(first?).ok()?, u64::try_from(last?).ok()?, step? as u64);
                        Some((first, last.checked_sub(first)? / step + 1, step))
                    })();
                    slots.push(Slot { grid_dim: d, part: Some(part.unwrap_or((0, 0, 1))) });
                }
                _ => slots.push(Slot { grid_dim: d, part: None }),
            }
        }
        Some(slots)
    }

    fn grid_lower(&self, scope: ScopeId, onto: Option<ExprId>, d: usize) -> i64 {
        let ast = self.decls.ast(scope);
        let id = onto.and_then(|x| match ast.expr(x).kind {
            ExprKind::Name(name) => self.decls.named(scope, name),
            _ => None,
        });
        id.and_then(|id| extents::bounds(self.decls, id, d)).map_or(1, |(lo, _)| lo)
    }

    fn format(&self, scope: ScopeId, f: &DistFormat, lower: i64) -> Format {
        let size = || match f.size {
            None => Size::Default,
            Some(x) => match number(self.decls, scope, x).and_then(|n| u64::try_from(n).ok()) {
                Some(n) if n > 0 => Size::Known(n),
                Some(_) => Size::Unknown,
                None => match self.decls.ast(scope).expr(x).kind {
                    ExprKind::Name(name) => self.integer(scope, name).map_or(Size::Unknown, Size::Of),
                    _ => Size::Unknown,
                },
            },
        };
        let values = |less: i64| match f.size {
            None => Values::Unknown,
            Some(x) => match numbers(self.decls, scope, x) {
                Some(v) => Values::Known(v.into_iter().map(|n| n.saturating_sub(less).max(0)).collect()),
                None => match self.decls.ast(scope).expr(x).kind {
                    ExprKind::Name(name) => self.variable(scope, name).map_or(Values::Unknown, Values::Of),
                    _ => Values::Unknown,
                },
            },
        };
        match f.kind {
            DistKind::Cyclic | DistKind::AnyCyclic => Format::Cyclic(size()),
            DistKind::GenBlock => Format::GenBlock(values(0)),
            DistKind::Indirect => Format::Indirect(values(lower)),
            DistKind::Block | DistKind::AnyBlock | DistKind::All | DistKind::Collapsed => Format::Block(size()),
        }
    }

    fn variable(&self, scope: ScopeId, name: Name) -> Option<Sym> {
        let id = self.decls.named(scope, name)?;
        let s = &self.decls.symbols[id];
        (s.kind == SymbolKind::Variable && s.rank() == 1).then(|| Sym::from_u32(id.as_u32()))
    }

    /// A scalar whose value at the entry of the procedure is the size of a block. At other entries it may not be there.
    fn integer(&self, scope: ScopeId, name: Name) -> Option<Sym> {
        let id = self.decls.named(scope, name)?;
        let s = &self.decls.symbols[id];
        let is_scalar = s.kind == SymbolKind::Variable
            && s.rank() == 0
            && matches!(s.ty, Some(Type::I1 | Type::I2 | Type::I4 | Type::I8));
        (is_scalar && self.decls.scopes[scope].entries.is_empty()).then(|| Sym::from_u32(id.as_u32()))
    }

    /// The format as one over the whole grid dimension, if only a part of its coordinates is used.
    fn in_part(&self, format: Format, slot: Slot, grid: &Grid, template: Extents) -> Format {
        let Some((first, count, step)) = slot.part else { return format };
        let (Some(GridExtent::Known(all)), Extents::Known(lo, hi)) = (grid.extents.get(slot.grid_dim), template) else {
            return Format::GenBlock(Values::Unknown);
        };
        let n = u64::try_from(i128::from(hi) - i128::from(lo) + 1).unwrap_or(0);
        if count == 0 || *all > MOST_LISTED || n > MOST_LISTED {
            return Format::GenBlock(Values::Unknown);
        }
        let coordinate = |c: u64| i64::try_from(first.saturating_add(c.saturating_mul(step))).unwrap_or(i64::MAX);
        let owner: Vec<i64> = match &format {
            Format::Block(Size::Default) => (0..n).map(|t| coordinate(t / n.div_ceil(count).max(1))).collect(),
            Format::Block(Size::Known(m)) => (0..n).map(|t| coordinate(t / m)).collect(),
            Format::Cyclic(Size::Default) => (0..n).map(|t| coordinate(t % count)).collect(),
            Format::Cyclic(Size::Known(m)) => (0..n).map(|t| coordinate(t / m % count)).collect(),
            Format::GenBlock(Values::Known(v)) => {
                let each = |(c, n): (usize, &i64)| {
                    std::iter::repeat_n(
                        coordinate(c as u64),
                        usize::try_from(*n).unwrap_or(0).min(MOST_LISTED as usize),
                    )
                };
                v.iter().enumerate().flat_map(each).take(n as usize).collect()
            }
            Format::Indirect(Values::Known(v)) => v.iter().map(|&c| coordinate(c.unsigned_abs())).collect(),
            _ => return Format::GenBlock(Values::Unknown),
        };
        Format::Indirect(Values::Known(owner))
    }

    fn aligned(&self, id: SymbolId, scope: ScopeId, a: &'a Alignment) -> MappingData {
        let target = a.target.and_then(|t| self.decls.named(scope, t.name));
        let Some(target) = target else { return inherited() };
        self.aligned_with(id, scope, a, target, &self.declared(target))
    }

    /// The declared mapping of a symbol.
    pub(super) fn declared(&self, id: SymbolId) -> MappingData {
        match self.done.get(&id) {
            Some(Some(data)) => data.clone(),
            _ => replicated(self.decls.symbols[id].rank()),
        }
    }

    /// The mapping of an array that is aligned with `target`, whose mapping is `base`.
    pub(super) fn aligned_with(
        &self,
        id: SymbolId,
        scope: ScopeId,
        a: &'a Alignment,
        target: SymbolId,
        base: &MappingData,
    ) -> MappingData {
        if base.is_inherited() {
            return inherited();
        }
        let rank = self.decls.symbols[id].rank();
        let origin = if a.descriptive { Origin::Described } else { Origin::Prescribed };
        let mut data = MappingData { grid: base.grid.clone(), others: base.others.clone(), origin, ..inherited() };
        let mut axes: SmallVec<[Axis; 2]> = (0..rank).map(|_| Axis::Collapsed).collect();
        let places = self.places(id, scope, a, target);
        for (t, axis) in base.axes.iter().enumerate() {
            let Axis::On { grid_dim, place: outer, format, template } = axis else { continue };
            let (format, template) = (format.clone(), *template);
            match places.get(t) {
                Some(Place::Of(d, inner)) if *d < rank && axes[*d] == Axis::Collapsed => {
                    let place = composed(*outer, *inner);
                    axes[*d] = Axis::On { grid_dim: *grid_dim, place, format, template };
                }
                Some(Place::Fixed(at)) => {
                    let at = Linear { stride: Some(0), offset: *at };
                    let position = composed(*outer, at).offset;
                    data.others.push((*grid_dim, Other::Fixed { position, format, template }));
                }
                _ => data.others.push((*grid_dim, Other::Replicated)),
            }
        }
        data.axes = axes;
        data.others.sort_by_key(|(d, _)| *d);
        data
    }

    /// The part of the array at the positions of each dimension of the target.
    fn places(&self, id: SymbolId, scope: ScopeId, a: &'a Alignment, target: SymbolId) -> Vec<Place> {
        let rank = self.decls.symbols[id].rank();
        let low = |id: SymbolId, d: usize| {
            let s = &self.decls.symbols[id];
            s.shape.get(d).and_then(|b| extents::bound(self.decls, s.scope, b.lower))
        };
        let shifted = |d: usize, from: Option<i64>, stride: Option<i64>| {
            let offset = (|| from?.checked_sub(low(id, d)?.checked_mul(stride?)?))();
            Place::Of(d, Linear { stride, offset })
        };
        let source = a.source.as_deref();
        let dim_of = |name: Name| source?.iter().position(|s| matches!(s, AlignSource::Name(i) if i.name == name));
        // The dimensions that ':' (or the lack of a list) stands for, in order.
        let colons: Vec<usize> = match source {
            Some(source) => (0..source.len())
                .filter(|&d| !matches!(source[d], AlignSource::Star(_) | AlignSource::Name(_)))
                .collect(),
            None => (0..rank).collect(),
        };
        if a.subscripts.is_empty() {
            let all: Vec<usize> = match source {
                Some(source) => (0..source.len()).filter(|&d| !matches!(source[d], AlignSource::Star(_))).collect(),
                None => colons,
            };
            let named = |d: usize| matches!(source.and_then(|s| s.get(d)), Some(AlignSource::Name(_)));
            let whole = |(t, d): (usize, usize)| match named(d) {
                true => Place::Of(d, Linear { stride: Some(1), offset: Some(0) }),
                false => shifted(d, low(target, t), Some(1)),
            };
            return all.into_iter().enumerate().map(whole).collect();
        }
        let dummies: Vec<Name> = source
            .unwrap_or_default()
            .iter()
            .filter_map(|s| if let AlignSource::Name(i) = s { Some(i.name) } else { None })
            .collect();
        let mut colons = colons.into_iter();
        let mut out = Vec::new();
        for (t, s) in a.subscripts.iter().enumerate() {
            out.push(match s {
                AlignSubscript::Star(_) => Place::Copies,
                AlignSubscript::Expr(x) => match subscript(self.decls, scope, *x, &dummies) {
                    Subscript::Fixed(at) => Place::Fixed(at),
                    Subscript::Of(name, place) => match dim_of(name) {
                        Some(d) if place.stride != Some(0) => Place::Of(d, place),
                        _ => Place::Fixed(place.offset),
                    },
                    Subscript::NotLinear => Place::Copies,
                },
                AlignSubscript::Section { lo, step, .. } => {
                    let stride = step.map_or(Some(1), |x| number(self.decls, scope, x)).filter(|s| *s != 0);
                    let from = lo.map_or_else(|| low(target, t), |x| number(self.decls, scope, x));
                    colons.next().map_or(Place::Copies, |d| shifted(d, from, stride))
                }
            });
        }
        out
    }
}

fn composed(outer: Linear, inner: Linear) -> Linear {
    let stride = (|| outer.stride?.checked_mul(inner.stride?))();
    let offset = (|| outer.stride?.checked_mul(inner.offset?)?.checked_add(outer.offset?))();
    Linear { stride, offset }
}

fn inherited() -> MappingData {
    MappingData {
        grid: Grid::default(),
        axes: SmallVec::new(),
        others: SmallVec::new(),
        origin: Origin::Inherited,
        dynamic: false,
        shadow: SmallVec::new(),
        serial: None,
    }
}

/// An array that no directive distributes: every processor has all of it.
fn replicated(rank: usize) -> MappingData {
    let mut data = MappingData { origin: Origin::Prescribed, ..inherited() };
    data.grid.extents.push(GridExtent::Free);
    data.others.push((0, Other::Replicated));
    data.axes = (0..rank).map(|_| Axis::Collapsed).collect();
    data
}
