//! The places of the variables of optimized code, instruction by instruction: a register, the frame, or a known value
//! without a place.
//!
//! [`wanted`](crate::debug::wanted) finds for each variable and statement the value that stands for it there
//! ([`crate::debug::values`]), if it is current ([`crate::debug::currency`]). [`Watch::label`] makes Cranelift follow
//! these values through register allocation, together with all values that its optimizer found equal to them.
//! [`residences`] then examines each piece of code: if it belongs to a statement, the variable is where the value of
//! that statement is at that address.
//!
//! The value is chosen by the statement, not by the address, so it does not matter where Cranelift moved the
//! instructions of a statement: a live value of SSA form belongs to the last execution of the instructions that it
//! dominates. Labels do not change code: Cranelift reads them when registers are allocated.
//!
//! The variables of an inlined procedure are the unit's symbols that replace them. Its arguments and its static
//! variables must be current at the call as well.

use crate::debug::currency::ENTRY;
use crate::debug::level::Level;
use crate::debug::memory::Effects;
use crate::debug::spot::{Current, Place, Residence, Residences, Spot, add, behind, within};
use crate::debug::wanted::{InMemory, InParts, InRegister, Known, MOST_WORK, Wanted, Way};
use crate::debug::watch::{Ranges, Watch, in_piece, of_value, ranges};
use crate::lines::{Owner, Piece, pieces_of_sets};
use crate::step::Code;
use crate::types::{clif_type, part};
use cranelift_codegen::isa::TargetIsa;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::{Storage, Sym, Unit};
use trueline_provenance::{Origin, Serial, SetId, StmtInfos};

/// Pieces of code with the sets of their instructions.
type Pieces = [(Piece, Option<SetId>)];
/// Pieces of code.
type Parts = Vec<(u32, u32)>;

/// The facts about machine code.
struct Machine<'a> {
    unit: &'a Unit,
    wanted: &'a Wanted<'a>,
    watch: &'a Watch,
    ranges: Ranges,
    pieces: Vec<(Piece, Option<SetId>)>,
    size: u32,
    /// The place of a symbol of the unit in the frame.
    frame: &'a dyn Fn(Sym) -> Option<i64>,
}

/// Finds the places of the variables of `unit` in its machine code, whose locations are `rows`: its own variables, then
/// those of each procedure that was inlined. `frame` gives the offset of a symbol in the frame.
pub(crate) fn residences(
    unit: &Unit,
    infos: &StmtInfos,
    (wanted, watch): (&Wanted<'_>, &Watch),
    (code, isa): (&Code, &dyn TargetIsa),
    rows: &[(u32, u32, u32)],
    frame: &dyn Fn(Sym) -> Option<i64>,
) -> Residences {
    let size = code.size();
    let pieces = pieces_of_sets(unit, infos, size, &crate::locate::unmarked(rows));
    let machine = Machine { unit, wanted, watch, ranges: ranges(code, isa), pieces, size, frame };
    let effects = Effects::of(unit, code, rows);
    let mut work = 0;
    let mut levels: Vec<(Residences, FxHashMap<Sym, Parts>)> = Vec::new();
    for (level, known) in &wanted.levels {
        let mut out = Residences {
            places: machine.of_registers(level, &known.registers),
            indexes: machine.of_registers(level, &known.indexes),
            ..Residences::default()
        };
        let mut parts: FxHashMap<Sym, Parts> = FxHashMap::default();
        work += known.memory.len();
        if effects.len().saturating_mul(work) <= MOST_WORK {
            for v in &known.memory {
                machine.add_memory(level, v, &effects, &levels, (&mut out, &mut parts));
            }
        }
        for variable in &known.parts {
            let residence = machine.of_parts(level, variable);
            out.current.remove(&variable.variable);
            out.here.remove(&variable.variable);
            out.places.insert(variable.variable, residence);
        }
        for (&variable, (flag, where_absent)) in &known.optional {
            machine.narrow(level, &mut out, (variable, *flag), where_absent);
        }
        levels.push((out, parts));
    }
    let mut all = levels.into_iter().map(|(of, _)| of);
    let mut out = all.next().unwrap_or_default();
    out.inlined = wanted.levels.iter().skip(1).map(|(level, _)| level.via()).zip(all).collect();
    out
}

impl Machine<'_> {
    /// The places of registers.
    fn of_registers(&self, level: &Level<'_>, all: &[InRegister]) -> FxHashMap<Sym, Residence> {
        let mut out = FxHashMap::default();
        for known in all {
            let residence = self.of_register(level, known);
            if !residence.is_empty() {
                out.insert(known.variable, residence);
            }
        }
        out
    }

    /// The places of one register.
    fn of_register(&self, level: &Level<'_>, InRegister { register, at, .. }: &InRegister) -> Residence {
        let size = clif_type(part(self.unit.sym(*register).ty)).bytes();
        let mut residence: Residence = Vec::new();
        for (piece, set) in &self.pieces {
            let Some(key) = level.key(piece, *set) else { continue };
            match at.get(&key) {
                Some(Known::Constant(bits)) => {
                    let spot = Spot::Value(SmallVec::from_slice(&[Place::Constant(*bits)]), size);
                    add(&mut residence, piece.start, piece.end, spot);
                }
                Some(Known::Values(values)) => {
                    let whole = (piece.start, piece.end);
                    for (start, end, places) in in_piece(values, self.watch, &self.ranges, whole) {
                        add(&mut residence, start, end, Spot::Value(places, size));
                    }
                }
                _ => {}
            }
        }
        residence
    }

    /// The places of a variable whose parts are registers: each in the code where all parts stay where they are.
    fn of_parts(&self, level: &Level<'_>, variable: &InParts) -> Residence {
        let places: Vec<(u64, u64, Residence)> = variable
            .parts
            .iter()
            .map(|(at, known)| (*at, self.unit.sym(known.register).ty.size() as u64, self.of_register(level, known)))
            .collect();
        let mut bounds: Vec<u32> = places.iter().flat_map(|(.., all)| all).flat_map(|p| [p.0, p.1]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let mut out: Residence = Vec::new();
        for pair in bounds.windows(2) {
            let of_part = |(at, size, all): &(u64, u64, Residence)| {
                let spot = all.get(all.partition_point(|p| p.1 <= pair[0])).filter(|p| p.0 <= pair[0])?;
                let Spot::Value(places, bytes) = &spot.2 else { return None };
                let is_whole = *size == u64::from(*bytes) * places.len() as u64;
                is_whole.then(|| (*at, places.clone(), *bytes))
            };
            let parts: Vec<_> = places.iter().filter_map(of_part).collect();
            if !parts.is_empty() {
                add(&mut out, pair[0], pair[1], Spot::Parts(parts, variable.size));
            }
        }
        out
    }

    /// Adds the places of a variable in memory, and the parts of the code in which it is current.
    fn add_memory(
        &self,
        level: &Level<'_>,
        v: &InMemory,
        effects: &Effects,
        before: &[(Residences, FxHashMap<Sym, Parts>)],
        (out, all_parts): (&mut Residences, &mut FxHashMap<Sym, Parts>),
    ) {
        let mut current = current(level, v, effects, &self.pieces);
        if let Some((parent, _)) = self.wanted.parent(level) {
            let is_static = matches!(self.unit.sym(v.here).storage, Storage::Static { .. }) || v.way == Way::Descriptor;
            if v.is_actual || is_static {
                let known = before[parent].1.get(&v.here);
                let is_untouched = !v.is_actual && !v.made.values().any(|of| of.mask() == ENTRY);
                let own = current.parts(self.size);
                current = match known {
                    Some(parts) => {
                        let own: Vec<_> = own.iter().map(|&(a, b)| (a, b, ())).collect();
                        Current::In(within(&own, parts).into_iter().map(|(a, b, ())| (a, b)).collect())
                    }
                    None if is_untouched => Current::In(own),
                    None => Current::In(Vec::new()),
                };
            }
        }
        all_parts.insert(v.here, current.parts(self.size));
        let is_own = level.inlined.is_none();
        let has_place = matches!(self.unit.sym(v.here).storage, Storage::Static { .. } | Storage::Frame);
        if v.way == Way::Descriptor || is_own && has_place {
            out.current.insert(v.variable, current);
            return;
        }
        // The innermost procedure that has the address as a variable of its own, or of the unit.
        let address = |base: Sym| {
            let levels = self.wanted.levels.iter().zip(before.iter().map(|b| &b.0).chain([&*out]));
            let mut found = levels.filter_map(|((_, known), residences)| {
                let register = known.registers.iter().find(|r| r.register == base)?;
                residences.places.get(&register.variable)
            });
            found.next().cloned()
        };
        let parts = current.parts(self.size);
        let whole = match self.unit.sym(v.here).storage {
            Storage::Dummy { .. } => self.of_address(v.here, &parts),
            Storage::Pointer { base } => {
                let found = address(base).map(|all| within(&all, &parts)).unwrap_or_default();
                behind(found, v.way == Way::Address)
            }
            Storage::Frame => match (self.frame)(v.here) {
                Some(offset) => parts.iter().map(|&(a, b)| (a, b, Spot::Slot(offset))).collect(),
                None => Vec::new(),
            },
            Storage::Static { .. } => parts.iter().map(|&(a, b)| (a, b, Spot::Static)).collect(),
            Storage::Register | Storage::Value { .. } | Storage::Within { .. } => Vec::new(),
        };
        if !is_own {
            out.here.insert(v.variable, (v.here, v.element.clone()));
        }
        out.places.insert(v.variable, whole);
    }

    /// Leaves an optional argument its places where it is there: by the tests of the procedure, by its flag, or because
    /// the caller gives a variable of its own.
    fn narrow(
        &self,
        level: &Level<'_>,
        out: &mut Residences,
        (variable, flag): (Sym, Sym),
        where_absent: &FxHashSet<Serial>,
    ) {
        let of_caller = |v: Sym| self.unit.sym(v).from_source && !self.wanted.levels[0].1.optional.contains_key(&v);
        let is_given = out.here.get(&variable).is_some_and(|(here, _)| of_caller(*here));
        let Some(all) = out.places.get(&variable).filter(|_| !is_given) else { return };
        let flags = out.places.get(&flag).map_or(&[][..], Vec::as_slice);
        let bytes = clif_type(self.unit.sym(flag).ty).bytes();
        let (mut sure, mut unsure) = (Parts::new(), Parts::new());
        for (piece, set) in &self.pieces {
            let may_be_absent = level.key(piece, *set).is_none_or(|(_, serial)| where_absent.contains(&serial));
            let parts = if may_be_absent { &mut unsure } else { &mut sure };
            parts.push((piece.start, piece.end));
        }
        let mut found = within(all, &sure);
        for (start, end, spot) in within(all, &unsure) {
            let from = flags.partition_point(|f| f.1 <= start);
            for (a, b, flag) in flags[from..].iter().take_while(|f| f.0 < end) {
                let given = match (flag.place(), &spot) {
                    (Some(Place::Constant(1..)), _) => spot.clone(),
                    (Some(flag), &Spot::Memory(at)) => Spot::Given(at, flag, bytes),
                    _ => continue,
                };
                found.push((start.max(*a), end.min(*b), given));
            }
        }
        found.sort_by_key(|f| f.0);
        let mut narrowed: Residence = Vec::new();
        found.into_iter().for_each(|(start, end, spot)| add(&mut narrowed, start, end, spot));
        out.places.insert(variable, narrowed);
    }

    /// The memory of a dummy argument in these parts of the code.
    fn of_address(&self, v: Sym, parts: &[(u32, u32)]) -> Residence {
        let mut out: Residence = Vec::new();
        let Some(&address) = self.wanted.addresses.get(&v) else { return out };
        for &part in parts {
            for (start, end, place) in of_value(address, self.watch, &self.ranges, part) {
                add(&mut out, start, end, Spot::Memory(place));
            }
        }
        out
    }
}

/// The parts of the code where a variable in memory is current.
fn current(level: &Level<'_>, v: &InMemory, effects: &Effects, pieces: &Pieces) -> Current {
    let Level { unit, infos, .. } = *level;
    if v.reaching.is_never_written() && v.made.is_empty() {
        return Current::Everywhere;
    }
    let mut parts: Parts = Vec::new();
    effects.solve(&v.made, &mut |start, end, mask| {
        let from = pieces.partition_point(|(p, _)| p.end <= start);
        for (piece, set) in pieces[from..].iter().take_while(|(p, _)| p.start < end) {
            // On the stack nothing stands before the first definition.
            let is_undefined = mask == ENTRY && !v.is_actual && matches!(unit.sym(v.here).storage, Storage::Frame);
            let is_current = match level.key(piece, *set) {
                Some((_, serial)) => {
                    let is_inside =
                        |o: Origin| v.left.contains(&o) || unit.sets().around(infos, o).any(|c| v.left.contains(&c));
                    let is_moved = mask & v.moved != 0 && matches!(piece.owner, Owner::Stmt(o) if is_inside(o));
                    !is_moved && crate::debug::memory::is_current(&v.reaching, serial, mask, &v.made)
                }
                None => mask == ENTRY && level.inlined.is_none(),
            };
            if is_undefined || !is_current {
                continue;
            }
            let (from, to) = (piece.start.max(start), piece.end.min(end));
            match parts.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => parts.push((from, to)),
            }
        }
    });
    match (parts.as_slice(), pieces.last()) {
        (&[(0, end)], Some((last, _))) if end == last.end => Current::Everywhere,
        _ => Current::In(parts),
    }
}
