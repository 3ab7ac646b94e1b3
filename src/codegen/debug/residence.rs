//! Where the variables of optimized code are, instruction by instruction: in a register, in the frame, nowhere but known.
//!
//! [`wanted`] finds for each variable and statement the value that stands for it there ([`crate::debug::values`]), if it is current
//! ([`crate::debug::currency`]). [`Watch::label`] has Cranelift follow these values through register allocation, together with all that
//! its optimizer found equal to them. [`residences`] then looks at each piece of code: if it belongs to a statement,
//! the variable is where the value of that statement is at that address.
//!
//! The value is chosen by the statement, not by the address, so it does not matter where Cranelift moved the
//! instructions of a statement: a value of SSA form that is alive belongs to the last execution of what it dominates.
//! Labels do not change code: Cranelift looks at them when registers are allocated.

use crate::debug::currency::{Doubts, ENTRY, FOREIGN, Mask, Reaching, Source, root};
use crate::debug::memory::{Definition, Effects, Made};
use crate::debug::spot::{Current, Place, Residence, Residences, Spot, add, behind, within};
use crate::debug::values::{Flow, Trace, Values};
use crate::debug::watch::{Ranges, Watch, in_piece, of_value, ranges};
use crate::lines::{Owner, Piece, innermost, pieces_of_sets};
use crate::types::{clif_type, is_complex, part};
use cranelift_codegen::CompiledCode;
use cranelift_codegen::ir::{Function, Value};
use cranelift_codegen::isa::TargetIsa;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::declared::{Home, Variable};
use trueline_ir::{ExprData, Head, Stmt, Storage, Sym, Type, Unit};
use trueline_provenance::{Chain, Origin, Serial, SetId, StmtInfos};

/// A statement as it is named by a piece of code: the set, none at the end of the procedure, and its innermost member.
type Key = (Option<SetId>, Serial);

/// Variables times statements beyond which nothing is said of variables.
const MOST_WORK: usize = 1 << 24;

/// The value or place that stands for a variable at a statement.
#[derive(Clone, PartialEq, Debug)]
enum Known {
    Values(Values),
    /// The bits of a constant.
    Constant(u64),
    Nothing,
}

/// The facts about the variables before there is machine code.
#[derive(Default)]
pub(crate) struct Wanted {
    /// The stand-ins of each register at each statement.
    registers: Vec<(Sym, FxHashMap<Key, Known>)>,
    /// The writes of each variable in memory.
    memory: Vec<InMemory>,
    /// The addresses of dummy arguments.
    addresses: FxHashMap<Sym, Value>,
}

impl Wanted {
    /// The values to be followed.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let known = self.registers.iter().flat_map(|(_, at)| at.values());
        let values = known.flat_map(|k| if let Known::Values(v) = k { v.as_slice() } else { &[] });
        values.chain(self.addresses.values()).copied()
    }
}

/// How a debugger gets to a variable in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// By its own place, or by an address that the code has.
    Plain,
    /// It shows the address: of a pointer to a scalar.
    Address,
    /// By a descriptor in static memory.
    Descriptor,
}

/// A variable in memory.
struct InMemory {
    variable: Sym,
    way: Way,
    reaching: Reaching,
    made: Made,
    /// The definitions that have left constructs, and these: in them it is uncertain which is the last.
    moved: Mask,
    left: FxHashSet<Origin>,
}

/// Finds the values of the variables of `unit`, whose translation to `func` left a trace.
pub(crate) fn wanted(unit: &Unit, source: &Unit, infos: &StmtInfos, func: &Function, trace: &Trace) -> Wanted {
    let mut variables: Vec<Sym> = crate::homes::homed(unit).into_iter().collect();
    variables.sort_unstable();
    let flow = Flow::of(func, trace);
    let source = Source::of(source);
    if !flow.affords(variables.len()) || source.len().saturating_mul(variables.len()) > MOST_WORK {
        return Wanted::default();
    }
    let doubts = Doubts::of(unit, infos);
    let mut members: FxHashMap<SetId, Vec<Serial>> = FxHashMap::default();
    let mut keys = |s: Option<Stmt>| -> Vec<Key> {
        let Some(s) = s.filter(|&s| !is_end(unit, s)) else { return vec![(None, unit.serial())] };
        let set = unit.set(s);
        let of_set = members.entry(set).or_insert_with(|| {
            innermost(unit, set, infos).into_iter().filter_map(|o| root(unit, o, Chain::NONE)).collect()
        });
        of_set.iter().map(|&serial| (Some(set), serial)).collect()
    };
    let memory = in_memory(unit, &source, infos, &doubts);
    let same = |a: Stmt, b: Stmt| unit.set(a) == unit.set(b) && unit.set(a) != SetId::EMPTY;
    let mut registers = Vec::new();
    for v in variables {
        let Some(reaching) = Reaching::of(&source, v) else { continue };
        let mask = |s: Option<Stmt>| s.map_or(ENTRY, |s| mask_of(unit, infos, &doubts, &reaching, s));
        let present = flow.definitions(v).fold(0, |all, s| all | mask(s));
        let parts = if is_complex(unit.sym(v).ty) { 2 } else { 1 };
        let mut at: FxHashMap<Key, Known> = FxHashMap::default();
        flow.solve(v, parts, &mask, &same, &mut |s, reached, values| {
            for key in keys(s) {
                let constant = reaching.constant(key.1).and_then(|e| bits_of(source.unit().expr(e)));
                let known = match (constant, values.clone()) {
                    (Some(constant), _) => Known::Constant(constant),
                    (None, Some(values)) if reaching.is_current_before(key.1, reached, present) => {
                        Known::Values(values)
                    }
                    _ => Known::Nothing,
                };
                let before = at.entry(key).or_insert_with(|| known.clone());
                if *before != known {
                    *before = Known::Nothing;
                }
            }
        });
        at.retain(|_, known| *known != Known::Nothing);
        if !at.is_empty() {
            registers.push((v, at));
        }
    }
    Wanted { registers, memory, addresses: trace.addresses.clone() }
}

/// The variables of `unit` in memory, with what writes them.
fn in_memory(unit: &Unit, source: &Source<'_>, infos: &StmtInfos, doubts: &Doubts) -> Vec<InMemory> {
    let effective = crate::debug::memory::effective(unit);
    let variable = |v: &Variable| match v.home {
        Home::Sym(s) => {
            let storage = unit.sym(s).storage;
            let has_place = match storage {
                Storage::Static { .. } | Storage::Frame | Storage::Dummy { .. } => !v.ty.is_indirect,
                Storage::Pointer { .. } => true,
                _ => false,
            };
            let is_address = v.ty.is_indirect && v.ty.dims.is_empty();
            has_place.then_some((s, if is_address { Way::Address } else { Way::Plain }))
        }
        Home::Shared { sym, .. } => Some((sym?, Way::Descriptor)),
        // What an associate name stands for is a variable itself.
        Home::Part { .. } => None,
    };
    let all: Vec<(Sym, Way)> = unit.declared().variables.iter().filter_map(variable).collect();
    if all.len().saturating_mul(source.len() + effective.len()) > MOST_WORK {
        return Vec::new();
    }
    let known = |(variable, way): (Sym, Way)| {
        let reaching = Reaching::of_memory(source, variable)?;
        let (mut moved, mut left) = (0, FxHashSet::default());
        let mut definition = |s: Stmt| {
            let mut has_left = false;
            let mask = mask_with(unit, &reaching, s, &mut |set, origin| {
                for construct in crate::debug::currency::left(unit, infos, set, origin) {
                    left.insert(construct);
                    has_left = true;
                }
                doubts.doubt_inside(unit, infos, origin)
            });
            if has_left {
                moved |= mask;
            }
            Definition { mask, has_left }
        };
        let made = crate::debug::memory::made(unit, &effective, variable, &mut definition)?;
        Some(InMemory { variable, way, reaching, made, moved, left })
    };
    all.into_iter().filter_map(known).collect()
}

/// Whether a statement belongs to the END statement of its procedure.
fn is_end(unit: &Unit, s: Stmt) -> bool {
    matches!(unit.head(s), Head::Return) && unit.sources(s).all(|o| o == unit.serial())
}

/// The definitions of the source that an optimized one stands for.
fn mask_of(unit: &Unit, infos: &StmtInfos, doubts: &Doubts, reaching: &Reaching, s: Stmt) -> Mask {
    mask_with(unit, reaching, s, &mut |set, origin| doubts.doubt(unit, infos, set, origin))
}

/// The same, with those that are dubious by `doubt`.
fn mask_with(unit: &Unit, reaching: &Reaching, s: Stmt, doubt: &mut dyn FnMut(SetId, Origin) -> bool) -> Mask {
    let set = unit.set(s);
    let atoms = unit.sets().atoms(set);
    if atoms.is_empty() {
        let mask = reaching.mask_of(std::iter::once(unit.serial()));
        return if mask == 0 { FOREIGN } else { mask };
    }
    let mut mask = 0;
    for &origin in atoms {
        let of = reaching.mask_of(root(unit, origin, Chain::NONE).into_iter());
        if of != 0 && doubt(set, origin) {
            return FOREIGN;
        }
        mask |= of;
    }
    if mask == 0 { FOREIGN } else { mask }
}

/// The bits of a constant, an integer's with its sign.
fn bits_of(e: ExprData) -> Option<u64> {
    match e {
        ExprData::Int(_, k) => Some(k as u64),
        ExprData::Logical(_, k) => Some(u64::from(k)),
        ExprData::Real(Type::R4 | Type::R8, bits) => Some(bits),
        _ => None,
    }
}

/// Finds where the variables of `unit` are in its machine code, whose locations are `rows`.
pub(crate) fn residences(
    unit: &Unit,
    infos: &StmtInfos,
    wanted: &Wanted,
    watch: &Watch,
    (code, isa): (&CompiledCode, &dyn TargetIsa),
    rows: &[(u32, u32, u32)],
) -> Residences {
    let size = code.code_buffer().len() as u32;
    let pieces = pieces_of_sets(unit, infos, size, &crate::locate::unmarked(rows));
    let ranges = ranges(code, isa);
    let mut out = Residences { places: of_registers(unit, wanted, watch, &ranges, &pieces), ..Residences::default() };
    let effects = Effects::of(unit, code, rows);
    if effects.len().saturating_mul(wanted.memory.len()) > MOST_WORK {
        return out;
    }
    for v in &wanted.memory {
        let current = current(unit, infos, v, &effects, &pieces);
        let base = unit.base_of(v.variable);
        if let Some(&address) = wanted.addresses.get(&v.variable) {
            let parts = match current {
                Current::Everywhere => vec![(0, size)],
                Current::In(parts) => parts,
            };
            let mut residence: Residence = Vec::new();
            for part in parts {
                for (start, end, place) in of_value(address, watch, &ranges, part) {
                    add(&mut residence, start, end, Spot::Memory(place));
                }
            }
            out.places.insert(v.variable, residence);
        } else if let Some(base) = base.filter(|_| v.way != Way::Descriptor) {
            let found = out.places.get(&base).map(|all| match current {
                Current::Everywhere => all.clone(),
                Current::In(parts) => within(all, &parts),
            });
            out.places.insert(v.variable, behind(found.unwrap_or_default(), v.way == Way::Address));
        } else {
            out.current.insert(v.variable, current);
        }
    }
    out
}

/// Where in the code a variable in memory is current.
fn current(
    unit: &Unit,
    infos: &StmtInfos,
    v: &InMemory,
    effects: &Effects,
    pieces: &[(Piece, Option<SetId>)],
) -> Current {
    if v.reaching.is_never_written() && v.made.is_empty() {
        return Current::Everywhere;
    }
    let mut parts: Vec<(u32, u32)> = Vec::new();
    effects.solve(&v.made, &mut |start, end, mask| {
        let from = pieces.partition_point(|(p, _)| p.end <= start);
        for (piece, set) in pieces[from..].iter().take_while(|(p, _)| p.start < end) {
            // On the stack nothing stands before the first definition.
            let is_undefined = mask == ENTRY && matches!(unit.sym(v.variable).storage, Storage::Frame);
            let is_current = match key_of(unit, piece, *set) {
                Some((_, serial)) => {
                    let is_inside =
                        |o: Origin| v.left.contains(&o) || unit.sets().around(infos, o).any(|c| v.left.contains(&c));
                    let is_moved = mask & v.moved != 0 && matches!(piece.owner, Owner::Stmt(o) if is_inside(o));
                    !is_moved && crate::debug::memory::is_current(&v.reaching, serial, mask, &v.made)
                }
                None => mask == ENTRY,
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

/// The statement that a piece of code belongs to.
fn key_of(unit: &Unit, piece: &Piece, set: Option<SetId>) -> Option<Key> {
    match piece.owner {
        Owner::Entry => None,
        Owner::End => Some((None, unit.serial())),
        Owner::Stmt(o) => root(unit, o, Chain::NONE).map(|serial| (set, serial)),
    }
}

fn of_registers(
    unit: &Unit,
    wanted: &Wanted,
    watch: &Watch,
    ranges: &Ranges,
    pieces: &[(Piece, Option<SetId>)],
) -> FxHashMap<Sym, Residence> {
    let mut out = FxHashMap::default();
    for (v, at) in &wanted.registers {
        let ty = unit.sym(*v).ty;
        let size = clif_type(part(ty)).bytes();
        let mut residence: Residence = Vec::new();
        for (piece, set) in pieces {
            let Some(key) = key_of(unit, piece, *set) else { continue };
            match at.get(&key) {
                Some(Known::Constant(bits)) => {
                    let spot = Spot::Value(SmallVec::from_slice(&[Place::Constant(*bits)]), size);
                    add(&mut residence, piece.start, piece.end, spot);
                }
                Some(Known::Values(values)) => {
                    for (start, end, places) in in_piece(values, watch, ranges, (piece.start, piece.end)) {
                        add(&mut residence, start, end, Spot::Value(places, size));
                    }
                }
                _ => {}
            }
        }
        if !residence.is_empty() {
            out.insert(*v, residence);
        }
    }
    out
}
