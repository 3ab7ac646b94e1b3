//! The mapped arrays of a unit that owners compute, and the description of them that the runtime gets.

use super::states::States;
use crate::Context;
use crate::alias::may_overlap;
use cranelift_entity::packed_option::PackedOption;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use trueline_abi::placement::{
    BLOCK, BLOCK_OF, CYCLIC, CYCLIC_OF, GEN_BLOCK, GRID_FREE, GRID_KNOWN, GRID_RANKS, INDIRECT,
};
use trueline_ir::mapping::{Axis, Extents, Format, GridExtent, Other, Size, Values};
use trueline_ir::{
    Access, Callee, Dim, Editor, Expr, ExprData, Head, Linkage, MappingData, Obstacle, Rt, Stmt, Storage, Sym, SymData,
    Type, Unit, UnitKind, fault,
};

/// A mapped array whose elements their owners compute.
pub(super) struct Mapped {
    pub(super) sym: Sym,
    /// A register: 0, or the runtime's handle of the array in this activation.
    pub(super) handle: Sym,
    /// Whether procedures that are called cannot see it unless it is passed.
    pub(super) is_private: bool,
    /// Whether nobody reads it when the unit has been left.
    dies: bool,
    /// The bytes of an array whose notes outlive activations; 0 if it is ALLOCATABLE.
    pub(super) kept: Option<i64>,
    /// The number of a dummy argument for which the unit asks before it uses it.
    pub(super) asked: Option<u32>,
    /// Whether it has INHERIT, so that its owners are the caller's.
    inherits: bool,
    /// Whether the unit stores to it, or maps it anew.
    pub(super) is_stored: bool,
    /// The mapping as `trueline_abi::placement` says.
    table: Vec<i64>,
    /// Pairs of bounds: of the array, then of templates.
    bounds: Vec<(Expr, Expr)>,
    /// Memory for those.
    pairs: Sym,
    /// The tables and bounds of other mappings that directives give it, by their numbers.
    others: Vec<(u32, Table)>,
}

/// The mapped arrays that the unit stores to element by element, or maps anew for other procedures, and those of static memory, whose elements others may have
/// stored to. All others have the same content on all ranks anyway.
pub(super) fn of(ed: &mut Editor<'_>, stmts: &[Stmt], states: &States) -> (Vec<Mapped>, Sizes) {
    let mut used: Vec<(Sym, Stmt, bool)> = Vec::new();
    let mut note = |array: Sym, s: Stmt, is_stored: bool| match used.iter_mut().find(|known| known.0 == array) {
        Some(known) => known.2 |= is_stored,
        None => used.push((array, s, is_stored)),
    };
    for &s in stmts {
        let head = ed.head(s);
        if let Head::Assign { place, .. } = head
            && let ExprData::Elem(array, _) = ed.expr(place)
            && ed.sym(array).mapping.is_some()
        {
            note(array, s, true);
        }
        if super::states::sees_all(ed, head) {
            for (access, place) in ed.references(head) {
                if let Some(array) = crate::alias::memory_of(ed, place)
                    && ed.sym(array).mapping.is_some()
                    && whole(ed, head, array).is_some()
                {
                    note(array, s, access.writes() && outlives(ed, array, stmts));
                }
            }
        }
        if !head.is_invisible() {
            let mut look = |e: Expr| {
                if let Some(array) = crate::alias::memory_of(ed, e)
                    && ed.sym(array).mapping.is_some()
                    && (outlives(ed, array, stmts) || matches!(ed.sym(array).storage, Storage::Dummy { .. }))
                {
                    note(array, s, false);
                }
            };
            ed.references(head).into_iter().for_each(|(_, place)| ed.visit_expr(place, &mut look));
            ed.values(head).into_iter().for_each(|e| ed.visit_expr(e, &mut look));
        }
    }
    for (array, s) in states.marked() {
        note(array, s, true);
    }
    let (mut out, mut sizes) = (Vec::new(), Sizes::default());
    for (array, s, is_stored) in used {
        match tables(ed, &mut sizes, array, states) {
            Ok((own, others)) => {
                let stays_here = stays_here(ed, array, stmts);
                // The notes of memory that directives map anew end with the activation.
                let is_anew = ed.base_of(array).is_some() && states.is_dynamic(array);
                let outlives = outlives(ed, array, stmts) && !is_anew;
                let asked = match ed.sym(array).storage {
                    // The word of the unit has a bit for each, behind the first.
                    Storage::Dummy { index } if stays_here && !states.is_dynamic(array) && index < 62 => Some(index),
                    _ => None,
                };
                let inherits = !states.is_dynamic(array) && is_inherited(ed, array);
                // All ranks have a dummy argument that is only read, unless the unit asks for it.
                if (!is_stored || inherits) && asked.is_none() && matches!(ed.sym(array).storage, Storage::Dummy { .. })
                {
                    continue;
                }
                let new = Mapped::new(ed, array, [stays_here, outlives], own, others);
                out.push(Mapped { is_stored, asked, inherits, ..new });
            }
            Err(Some(why)) if is_stored => ed.missed(s, "computed by every rank", why),
            Err(_) => {}
        }
    }
    (out, sizes)
}

/// Leaves the dummy arguments alone that a loop uses outside of nests: one exchange of the whole before the call is cheaper there than one for each element.
pub(super) fn ask_for_nests(u: &Unit, arrays: &mut Vec<Mapped>, stmts: &[Stmt], inside: &FxHashSet<Stmt>) {
    let mut apart: Vec<Sym> = Vec::new();
    let is_in_loop = |s: Stmt| u.head(s).is_loop() || u.ancestors(s).any(|l| u.head(l).is_loop());
    for &s in stmts.iter().filter(|s| !inside.contains(s)) {
        let head = u.head(s);
        if head.is_invisible() || !is_in_loop(s) || super::states::sees_all(u, head) {
            continue;
        }
        let mut look = |e: Expr| {
            if let ExprData::Elem(array, _) = u.expr(e) {
                apart.push(array);
            }
        };
        u.values(head).into_iter().for_each(|e| u.visit_expr(e, &mut look));
        if let Head::Assign { place, .. } = head {
            u.visit_expr(place, &mut look);
        }
    }
    arrays.retain_mut(|a| {
        a.asked = a.asked.filter(|_| !apart.contains(&a.sym));
        let is_argument = matches!(u.sym(a.sym).storage, Storage::Dummy { .. });
        a.asked.is_some() || a.is_stored && !a.inherits || !is_argument
    });
}

/// The scalars that are sizes of blocks, each with a register that has its value at the entry of the unit: the scalar may change.
#[derive(Default)]
pub(super) struct Sizes(pub(super) Vec<(Sym, Sym)>);

impl Sizes {
    /// The value of the scalar at the entry.
    fn at_entry(&mut self, ed: &mut Editor<'_>, of: Sym) -> Expr {
        let known = self.0.iter().find(|(s, _)| *s == of).map(|(_, register)| *register);
        let register = known.unwrap_or_else(|| {
            let register = ed.new_register("size", Type::I8);
            self.0.push((of, register));
            register
        });
        ed.var(register)
    }
}

/// The number of the argument by which a call gets all of an array, if it gets nothing else of it.
pub(super) fn whole(u: &Unit, head: Head, array: Sym) -> Option<usize> {
    let Head::Call { args, .. } = head else { return None };
    let mut of = u.list(args).iter().enumerate().filter_map(|(k, &a)| match u.expr(a) {
        ExprData::AddrOf(_, place) if crate::alias::memory_of(u, place) == Some(array) => Some((k, place)),
        _ => None,
    });
    let (k, place) = of.next()?;
    let is_first = |(&e, d): (&Expr, &Dim)| {
        e == d.lower || u.pool().as_int(e).is_some_and(|n| u.pool().as_int(d.lower) == Some(n))
    };
    let is_whole = match u.expr(place) {
        ExprData::Var(_) => true,
        ExprData::Elem(_, list) => u.list(list).iter().zip(&u.sym(array).dims).all(is_first),
        _ => false,
    };
    (is_whole && of.next().is_none()).then_some(k)
}

/// Whether the array is there before and after an activation of the unit.
fn outlives(u: &Unit, s: Sym, stmts: &[Stmt]) -> bool {
    match u.sym(s).storage {
        Storage::Static { area, .. } => u.area(area).linkage != Linkage::Local || u.kind() != UnitKind::Program,
        Storage::Pointer { base } => is_described_outside(u, base, stmts),
        _ => false,
    }
}

/// Whether a register has the address of memory that a static descriptor describes, or of memory that is allocated here.
fn is_described_outside(u: &Unit, base: Sym, stmts: &[Stmt]) -> bool {
    let is_static = |e: Expr| {
        crate::alias::memory_of(u, e).is_some_and(|m| matches!(u.sym(u.root(m)).storage, Storage::Static { .. }))
    };
    let mut comes_from_there = false;
    stmts.iter().map(|&s| u.head(s)).filter(|&head| u.may_define(head).contains(&base)).all(|head| {
        let is_loaded = matches!(head, Head::Assign { value, .. } if is_static(value) && matches!(u.expr(value), ExprData::Elem(..)));
        comes_from_there |= is_loaded;
        is_loaded || super::states::is_made_here(u, head)
    }) && comes_from_there
}

/// Whether a statement only decides where to go on: an address that it compares goes nowhere.
pub(super) fn only_asks(head: Head) -> bool {
    matches!(head, Head::If { .. } | Head::Select { .. } | Head::DoWhile { .. })
}

/// Whether an array of this activation is out of the sight of procedures that do not get it as an argument: nothing keeps its address.
fn stays_here(u: &Unit, array: Sym, stmts: &[Stmt]) -> bool {
    let base = u.base_of(array);
    // The arguments of a call are there as long as it lasts, but for those of an internal procedure that is passed on.
    let keeps = |head: Head| match head {
        Head::Call { callee: Callee::Rt(Rt::ClosureBind), .. } => true,
        Head::Call { .. } => false,
        _ => !head.is_invisible() && !only_asks(head),
    };
    !super::states::is_shared(u, array, stmts)
        && stmts.iter().map(|&s| u.head(s)).filter(|&head| keeps(head)).all(|head| {
            let mut is_kept = false;
            for e in u.values(head) {
                u.visit_expr(e, &mut |x| {
                    is_kept |= match u.expr(x) {
                        ExprData::AddrOf(_, place) => crate::alias::memory_of(u, place) == Some(array),
                        ExprData::Var(v) => base == Some(v),
                        _ => false,
                    };
                });
            }
            !is_kept
        })
}

/// Memory for `count` numbers in the frame of the procedure.
pub(super) fn frame_of_numbers(ed: &mut Editor<'_>, name: &str, count: usize) -> Sym {
    let (one, last) = (ed.int(Type::I8, 1), ed.int(Type::I8, count as i64));
    ed.new_sym(SymData {
        dims: SmallVec::from_slice(&[Dim::new(one, PackedOption::from(last))]),
        ..SymData::scalar(format!("{name}.{}", ed.syms().count()), Type::I8, Storage::Frame)
    })
}

impl Mapped {
    fn new(
        ed: &mut Editor<'_>,
        sym: Sym,
        [stays_here, outlives]: [bool; 2],
        (table, bounds): Table,
        others: Vec<(u32, Table)>,
    ) -> Mapped {
        let is_private = match ed.sym(sym).storage {
            Storage::Static { area, .. } => ed.area(area).linkage == Linkage::Local,
            Storage::Frame | Storage::Pointer { .. } => stays_here,
            _ => false,
        };
        // The result of a function may be one, too, but no temporary array.
        let is_own = ed.kind() == UnitKind::Subroutine || !ed.sym(sym).from_source;
        let dies = is_private && ed.sym(sym).storage == Storage::Frame && is_own;
        let most = others.iter().map(|(_, (_, b))| b.len()).fold(bounds.len(), usize::max);
        let pairs = frame_of_numbers(ed, "bounds", 2 * most);
        let handle = ed.new_register("mapped", Type::I8);
        let bytes = match ed.base_of(sym) {
            Some(_) => Some(0),
            None => ed.size_in_bytes(sym).and_then(|n| i64::try_from(n).ok()),
        };
        let kept = bytes.filter(|_| outlives);
        let (asked, inherits, is_stored) = (None, false, false);
        Mapped { sym, handle, is_private, dies, kept, asked, inherits, is_stored, table, bounds, pairs, others }
    }

    /// Makes the handle; `follows` says that other procedures may have mapped the array anew.
    pub(super) fn opening(
        &self,
        ed: &mut Editor<'_>,
        context: &Context<'_>,
        follows: bool,
        location: Expr,
    ) -> Vec<Head> {
        let (mut out, [table, numbers, pairs]) = self.mapping(ed, &self.table, &self.bounds);
        let first = self.first(ed, if self.asked.is_some() { Access::InOut } else { Access::In });
        let name = self.name(ed, context);
        let (callee, args) = match self.kept {
            None if self.asked.is_some() => {
                let ask = if self.inherits { Rt::RanksInherit } else { Rt::RanksTake };
                (ask, ed.make_list(&[table, numbers, pairs, first, name, location]))
            }
            None => (Rt::RanksMap, ed.make_list(&[table, numbers, pairs, first, name])),
            Some(bytes) => {
                let (bytes, follows) = (ed.int(Type::I8, bytes), ed.int(Type::I4, follows.into()));
                (Rt::RanksKeep, ed.make_list(&[table, numbers, pairs, first, bytes, name, follows, location]))
            }
        };
        out.push(Head::Call { callee: Callee::Rt(callee), args, result: self.handle.into() });
        out
    }

    /// The name of the array, and the place of the directive that maps it.
    fn name(&self, ed: &mut Editor<'_>, context: &Context<'_>) -> Expr {
        let data = ed.sym(self.sym);
        let directive = data.mapping.expand().and_then(|m| ed.mapping(m).serial);
        let place = directive.and_then(|d| context.location(d)).unwrap_or_default();
        let text = format!("{}@{place}\0", data.name);
        let text = ed.make_text(text.as_bytes());
        ed.make(ExprData::AddrOf(Access::In, text))
    }

    /// The statements that write down the bounds of another mapping, and the arguments that mean it.
    pub(super) fn another(&self, ed: &mut Editor<'_>, alternative: u32) -> Option<(Vec<Head>, [Expr; 3])> {
        if alternative == 0 {
            return Some(self.mapping(ed, &self.table, &self.bounds));
        }
        let (_, (table, bounds)) = self.others.iter().find(|(k, _)| *k == alternative)?;
        Some(self.mapping(ed, table, bounds))
    }

    fn mapping(&self, ed: &mut Editor<'_>, table: &[i64], bounds: &[(Expr, Expr)]) -> (Vec<Head>, [Expr; 3]) {
        let mut out = Vec::new();
        for (k, value) in bounds.iter().flat_map(|&(lo, hi)| [lo, hi]).enumerate() {
            let place = self.pair(ed, k as i64 + 1);
            out.push(Head::Assign { place, value });
        }
        let bytes: Vec<u8> = table.iter().flat_map(|n| n.to_ne_bytes()).collect();
        let text = ed.make_text(&bytes);
        let text = ed.make(ExprData::AddrOf(Access::In, text));
        let numbers = ed.int(Type::I8, table.len() as i64);
        let pairs = self.pair(ed, 1);
        let pairs = ed.make(ExprData::AddrOf(Access::In, pairs));
        (out, [text, numbers, pairs])
    }

    /// Calls a function about the memory of a kept array.
    pub(super) fn whole(&self, ed: &mut Editor<'_>, f: Rt, location: Expr) -> Head {
        let (first, bytes) = (self.first(ed, Access::InOut), ed.int(Type::I8, self.kept.unwrap_or(0)));
        let args = ed.make_list(&[first, bytes, location]);
        Head::Call { callee: Callee::Rt(f), args, result: None.into() }
    }

    /// The statements before the procedure is left: others get the elements that this one has computed.
    pub(super) fn closing(&self, ed: &mut Editor<'_>, location: Expr) -> Vec<Head> {
        match self.kept {
            None if self.asked.is_some() && fault("ranks_left_apart") => Vec::new(),
            None if self.asked.is_some() => vec![self.about(ed, Rt::RanksLeft, location)],
            None if self.dies || fault("ranks_left_apart") => vec![self.ending(ed)],
            None => vec![self.publishing(ed, location), self.ending(ed)],
            Some(_) if self.is_stored && !self.is_private => vec![self.whole(ed, Rt::RanksDone, location)],
            Some(_) => Vec::new(),
        }
    }

    /// Gives all ranks all elements.
    pub(super) fn publishing(&self, ed: &mut Editor<'_>, location: Expr) -> Head {
        if self.kept.is_some() {
            return self.whole(ed, Rt::RanksGather, location);
        }
        self.about(ed, Rt::RanksPublish, location)
    }

    /// Calls a function about the handle of an array that is not kept.
    pub(super) fn about(&self, ed: &mut Editor<'_>, f: Rt, location: Expr) -> Head {
        let (handle, first) = (ed.var(self.handle), self.first(ed, Access::InOut));
        let args = ed.make_list(&[handle, first, location]);
        Head::Call { callee: Callee::Rt(f), args, result: None.into() }
    }

    /// Whether the array has to be asked for before it is read.
    pub(super) fn is_asked_for(&self) -> bool {
        self.kept.is_some() || self.asked.is_some()
    }

    /// Whether the array may stay with its owners when it is passed.
    pub(super) fn may_be_handed(&self) -> bool {
        self.is_asked_for() || self.is_private
    }

    /// Ends the use of the handle.
    pub(super) fn ending(&self, ed: &mut Editor<'_>) -> Head {
        let handle = ed.var(self.handle);
        let args = ed.make_list(&[handle]);
        Head::Call { callee: Callee::Rt(Rt::RanksEnd), args, result: None.into() }
    }

    fn pair(&self, ed: &mut Editor<'_>, k: i64) -> Expr {
        let k = ed.int(Type::I8, k);
        let list = ed.make_list(&[k]);
        ed.make(ExprData::Elem(self.pairs, list))
    }

    /// The address of the first element.
    pub(super) fn first(&self, ed: &mut Editor<'_>, access: Access) -> Expr {
        let lowers: Vec<Expr> = ed.sym(self.sym).dims.iter().map(|d| d.lower).collect();
        let list = ed.make_list(&lowers);
        let first = ed.make(ExprData::Elem(self.sym, list));
        ed.make(ExprData::AddrOf(access, first))
    }
}

/// The numbers of a mapping, and the bounds that they need.
type Table = (Vec<i64>, Vec<(Expr, Expr)>);

/// The table of the declared mapping, and those of others by their numbers.
type Tables = (Table, Vec<(u32, Table)>);

/// The declared mapping of `s`, and the others that directives give it; or the reason why every rank computes it, none if it has no owners.
fn tables(ed: &mut Editor<'_>, sizes: &mut Sizes, s: Sym, states: &States) -> Result<Tables, Option<Obstacle>> {
    let data = ed.sym(s).clone();
    let mapping = data.mapping.expand().map(|m| ed.mapping(m).clone());
    let is_dynamic = states.is_dynamic(s);
    let has_owners = |m: &MappingData| m.axes.iter().any(|a| matches!(a, Axis::On { .. }));
    let is_plain = data.is_contiguous() && data.len.is_none() && !matches!(data.ty, Type::Char);
    let is_whole = matches!(
        data.storage,
        Storage::Static { .. } | Storage::Frame | Storage::Dummy { .. } | Storage::Pointer { .. }
    );
    let has_axes = |m: &MappingData| has_owners(m) && m.axes.len() == data.dims.len();
    let inherits = matches!(data.storage, Storage::Dummy { .. }) && is_inherited(ed, s);
    if !is_dynamic && !inherits && !mapping.as_ref().is_some_and(has_axes) {
        return Err(None);
    }
    if !is_plain || !is_whole || data.may_alias || has_other_name(ed, s) {
        return Err(Some(Obstacle::OtherName));
    }
    let mut others = Vec::new();
    for (k, m) in states.alternatives(s) {
        let mapping = ed.mapping(m).clone();
        others.push((k, table(ed, sizes, &data, Some(&mapping))?));
    }
    Ok((table(ed, sizes, &data, mapping.as_ref())?, others))
}

/// The numbers of a mapping; an array without one is replicated.
fn table(
    ed: &mut Editor<'_>,
    sizes: &mut Sizes,
    data: &SymData,
    mapping: Option<&MappingData>,
) -> Result<Table, Option<Obstacle>> {
    let mut bounds = Vec::new();
    for d in &data.dims {
        bounds.push((d.lower, d.upper.expand().ok_or(Some(Obstacle::Mapping))?));
    }
    let mut numbers = vec![data.ty.size() as i64, data.dims.len() as i64];
    match mapping.filter(|m| m.axes.len() == data.dims.len()) {
        Some(mapping) => encode(ed, sizes, mapping, &mut numbers, &mut bounds).ok_or(Some(Obstacle::Mapping))?,
        None => {
            numbers.extend([1, GRID_RANKS, 1]);
            numbers.extend(data.dims.iter().map(|_| 0));
            numbers.extend([1, 0, 0]);
        }
    }
    Ok((numbers, bounds))
}

/// Whether the mapping of `s` is that of the actual argument.
fn is_inherited(u: &Unit, s: Sym) -> bool {
    u.sym(s).mapping.expand().is_some_and(|m| u.mapping(m).is_inherited())
}

/// Whether other variables of the unit are in the same memory.
fn has_other_name(u: &Unit, s: Sym) -> bool {
    u.syms().any(|(other, d)| other != s && !d.is_for_counts() && may_overlap(u, s, other))
}

fn encode(
    ed: &mut Editor<'_>,
    sizes: &mut Sizes,
    mapping: &MappingData,
    numbers: &mut Vec<i64>,
    bounds: &mut Vec<(Expr, Expr)>,
) -> Option<()> {
    numbers.push(mapping.grid.extents.len() as i64);
    for extent in &mapping.grid.extents {
        numbers.extend(match *extent {
            GridExtent::Known(n) => [GRID_KNOWN, i64::try_from(n).ok()?],
            GridExtent::Ranks(by) => [GRID_RANKS, i64::try_from(by).ok()?],
            GridExtent::Free => [GRID_FREE, 0],
            GridExtent::Unknown => return None,
        });
    }
    for axis in &mapping.axes {
        match axis {
            Axis::Collapsed => numbers.push(0),
            Axis::On { grid_dim, place, format, template } => {
                numbers.extend([1, (*grid_dim).into(), place.stride?, place.offset?]);
                deal(ed, sizes, format, *template, numbers, bounds)?;
            }
        }
    }
    numbers.push(mapping.others.len() as i64);
    for (grid_dim, other) in &mapping.others {
        numbers.push((*grid_dim).into());
        match other {
            Other::Replicated => numbers.push(0),
            Other::Fixed { position, format, template } => {
                numbers.extend([1, (*position)?]);
                deal(ed, sizes, format, *template, numbers, bounds)?;
            }
        }
    }
    Some(())
}

fn deal(
    ed: &mut Editor<'_>,
    sizes: &mut Sizes,
    format: &Format,
    template: Extents,
    numbers: &mut Vec<i64>,
    bounds: &mut Vec<(Expr, Expr)>,
) -> Option<()> {
    let mut size = |size: Size, [known, of]: [i64; 2]| match size {
        Size::Default => Some((known, vec![0])),
        Size::Known(n) => Some((known, vec![i64::try_from(n).ok()?])),
        Size::Of(s) => {
            let size = sizes.at_entry(ed, s);
            bounds.push((size, size));
            Some((of, vec![bounds.len() as i64 - 1]))
        }
        Size::Unknown => None,
    };
    let known = |values: &Values| match values {
        Values::Known(v) => Some(v.clone()),
        Values::Of(_) | Values::Unknown => None,
    };
    let (kind, values) = match format {
        Format::Block(n) => size(*n, [BLOCK, BLOCK_OF])?,
        Format::Cyclic(n) => size(*n, [CYCLIC, CYCLIC_OF])?,
        Format::GenBlock(v) => (GEN_BLOCK, known(v)?),
        Format::Indirect(v) => (INDIRECT, known(v)?),
    };
    let pair = match template {
        Extents::Known(lo, hi) => (ed.int(Type::I8, lo), ed.int(Type::I8, hi)),
        Extents::Of(s, d) => {
            let dim = *ed.sym(s).dims.get(usize::from(d))?;
            (dim.lower, dim.upper.expand()?)
        }
        Extents::Unknown => return None,
    };
    numbers.extend([kind, values.len() as i64]);
    numbers.extend(values);
    numbers.push(bounds.len() as i64);
    bounds.push(pair);
    Some(())
}
