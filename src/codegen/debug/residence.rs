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
use crate::debug::memory::{Effects, Write};
use crate::debug::values::{Flow, Trace, Values};
use crate::lines::{Owner, Piece, innermost, pieces_of_sets};
use crate::types::{clif_type, is_complex, part};
use cranelift_codegen::ir::{
    Function, InstructionData, Opcode, RelSourceLoc, Value, ValueDef, ValueLabel, ValueLabelAssignments,
    ValueLabelStart,
};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::{CompiledCode, LabelValueLoc};
use cranelift_entity::EntityRef;
use gimli::write::Expression;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use trueline_ir::declared::{Home, Variable};
use trueline_ir::{ExprData, Head, Stmt, Storage, Sym, Type, Unit};
use trueline_provenance::{Chain, Serial, SetId, StmtInfos};

/// A statement as it is named by a piece of code: the set, none at the end of the procedure, and its innermost member.
type Key = (Option<SetId>, Serial);

/// Variables times statements beyond which nothing is said of variables.
const MOST_WORK: usize = 1 << 24;

/// The value or place that stands for a variable at a statement.
#[derive(Clone, PartialEq, Debug)]
enum Known {
    Values(Values),
    /// The bytes of a constant.
    Constant(SmallVec<[u8; 8]>),
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

/// A variable in memory.
struct InMemory {
    variable: Sym,
    reaching: Reaching,
    made: FxHashMap<SetId, (Mask, Write)>,
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
    let mut registers = Vec::new();
    for v in variables {
        let Some(reaching) = Reaching::of(&source, v) else { continue };
        let mask = |s: Option<Stmt>| s.map_or(ENTRY, |s| mask_of(unit, infos, &doubts, &reaching, s));
        let present = flow.definitions(v).fold(0, |all, s| all | mask(s));
        let parts = if is_complex(unit.sym(v).ty) { 2 } else { 1 };
        let mut at: FxHashMap<Key, Known> = FxHashMap::default();
        flow.solve(v, parts, &mask, &mut |s, reached, values| {
            for key in keys(s) {
                let constant = reaching.constant(key.1).and_then(|e| bytes_of(source.unit().expr(e)));
                let known = match (constant, values.clone()) {
                    (Some(constant), _) => Known::Constant(constant),
                    (None, Some(values)) if reaching.is_current(key.1, reached, present) => Known::Values(values),
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
        Home::Sym(s) if !v.ty.is_indirect => {
            let storage = unit.sym(s).storage;
            matches!(storage, Storage::Static { .. } | Storage::Frame | Storage::Dummy { .. }).then_some(s)
        }
        _ => None,
    };
    let all: Vec<Sym> = unit.declared().variables.iter().filter_map(variable).collect();
    if all.len().saturating_mul(source.len() + effective.len()) > MOST_WORK {
        return Vec::new();
    }
    let known = |variable: Sym| {
        let reaching = Reaching::of_memory(source, variable)?;
        let mask = |s: Stmt| mask_of(unit, infos, doubts, &reaching, s);
        let made = crate::debug::memory::made(unit, &effective, variable, &mask)?;
        Some(InMemory { variable, reaching, made })
    };
    all.into_iter().filter_map(known).collect()
}

/// Whether a statement belongs to the END statement of its procedure.
fn is_end(unit: &Unit, s: Stmt) -> bool {
    matches!(unit.head(s), Head::Return) && unit.sources(s).all(|o| o == unit.serial())
}

/// The definitions of the source that an optimized one stands for.
fn mask_of(unit: &Unit, infos: &StmtInfos, doubts: &Doubts, reaching: &Reaching, s: Stmt) -> Mask {
    let set = unit.set(s);
    let atoms = unit.sets().atoms(set);
    if atoms.is_empty() {
        let mask = reaching.mask_of(std::iter::once(unit.serial()));
        return if mask == 0 { FOREIGN } else { mask };
    }
    let mut mask = 0;
    for &origin in atoms {
        let of = reaching.mask_of(root(unit, origin, Chain::NONE).into_iter());
        if of != 0 && doubts.doubt(unit, infos, set, origin) {
            return FOREIGN;
        }
        mask |= of;
    }
    if mask == 0 { FOREIGN } else { mask }
}

/// The bytes of a constant in memory.
fn bytes_of(e: ExprData) -> Option<SmallVec<[u8; 8]>> {
    let (ty, bits) = match e {
        ExprData::Int(ty, k) => (ty, k as u64),
        ExprData::Logical(ty, k) => (ty, u64::from(k)),
        ExprData::Real(ty @ Type::R4, bits) => (ty, bits),
        ExprData::Real(ty @ Type::R8, bits) => (ty, bits),
        _ => return None,
    };
    Some(bits.to_le_bytes()[..ty.size().min(8)].iter().copied().collect())
}

/// The values to be followed, and what stands for them in the code that registers are allocated for.
#[derive(Default)]
pub(crate) struct Watch {
    values: FxHashSet<Value>,
    /// The values equal to each of them.
    equal: FxHashMap<Value, Vec<Value>>,
    constants: FxHashMap<Value, u64>,
}

impl Watch {
    /// For the values that are wanted.
    pub(crate) fn new(wanted: &Wanted) -> Watch {
        let known = wanted.registers.iter().flat_map(|(_, at)| at.values());
        let values = known.flat_map(|k| if let Known::Values(v) = k { v.as_slice() } else { &[] });
        let values = values.chain(wanted.addresses.values()).copied().collect();
        Watch { values, ..Watch::default() }
    }

    /// Labels them in an optimized function, each value with its own number.
    pub(crate) fn label(&mut self, func: &mut Function) {
        if self.values.is_empty() {
            return;
        }
        let mut parents: FxHashMap<Value, Value> = FxHashMap::default();
        for v in func.dfg.values() {
            if let ValueDef::Union(a, b) = func.dfg.value_def(v) {
                let roots = [v, a, b].map(|x| crate::locate::root(&mut parents, x));
                let first = roots.into_iter().min().unwrap_or(v);
                for r in roots.into_iter().filter(|&r| r != first) {
                    parents.insert(r, first);
                }
            }
        }
        let mut classes: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        for &v in &self.values {
            let v = func.dfg.resolve_aliases(v);
            classes.insert(crate::locate::root(&mut parents, v), Vec::new());
        }
        let mut constants: FxHashMap<Value, u64> = FxHashMap::default();
        let mut labels = std::collections::BTreeMap::new();
        for b in func.layout.blocks() {
            let results = func.layout.block_insts(b).flat_map(|i| func.dfg.inst_results(i));
            for &v in func.dfg.block_params(b).iter().chain(results) {
                let class = crate::locate::root(&mut parents, v);
                let Some(equal) = classes.get_mut(&class) else { continue };
                equal.push(v);
                let start = ValueLabelStart { from: RelSourceLoc::default(), label: ValueLabel::new(v.index()) };
                labels.insert(v, ValueLabelAssignments::Starts(vec![start]));
                if let Some(bits) = constant(func, v) {
                    constants.insert(class, bits);
                }
            }
        }
        for &v in &self.values {
            let class = crate::locate::root(&mut parents, func.dfg.resolve_aliases(v));
            self.equal.insert(v, classes.get(&class).cloned().unwrap_or_default());
            self.constants.extend(constants.get(&class).map(|&bits| (v, bits)));
        }
        func.dfg.values_labels = Some(labels);
    }
}

/// The bits of a value that is constant.
fn constant(func: &Function, v: Value) -> Option<u64> {
    let inst = func.dfg.value_def(v).inst()?;
    match func.dfg.insts[inst] {
        InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits() as u64),
        InstructionData::UnaryIeee32 { imm, .. } => Some(u64::from(imm.bits())),
        InstructionData::UnaryIeee64 { imm, .. } => Some(imm.bits()),
        _ => None,
    }
}

/// A place of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// A register, by its DWARF number.
    Register(u16),
    /// An offset from the canonical frame address.
    Frame(i64),
    /// Nowhere: the bits of a constant.
    Constant(u64),
}

/// Pieces of code, and what says where a variable is in each.
pub(crate) type Residence = Vec<(u32, u32, Expression)>;

/// The code in which a variable in static memory or in the frame is current.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Current {
    Everywhere,
    In(Vec<(u32, u32)>),
}

/// Where the variables of a unit are in its machine code.
#[derive(Default)]
pub(crate) struct Residences {
    /// The locations of registers and dummy arguments.
    pub(crate) places: FxHashMap<Sym, Residence>,
    /// The locations of variables that have a place anyway.
    pub(crate) current: FxHashMap<Sym, Current>,
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
        let current = current(unit, v, &effects, &pieces);
        let Some(&address) = wanted.addresses.get(&v.variable) else {
            out.current.insert(v.variable, current);
            continue;
        };
        let parts = match current {
            Current::Everywhere => vec![(0, size)],
            Current::In(parts) => parts,
        };
        let mut residence: Residence = Vec::new();
        for part in parts {
            for (start, end, place) in of_value(address, watch, &ranges, part) {
                let mut e = Expression::new();
                match place {
                    Place::Register(r) => e.op_breg(gimli::Register(r), 0),
                    Place::Frame(offset) => {
                        e.op_fbreg(offset);
                        e.op(gimli::DW_OP_deref);
                    }
                    Place::Constant(_) => continue,
                }
                add(&mut residence, start, end, e);
            }
        }
        out.places.insert(v.variable, residence);
    }
    out
}

/// Where in the code a variable in memory is current.
fn current(unit: &Unit, v: &InMemory, effects: &Effects, pieces: &[(Piece, Option<SetId>)]) -> Current {
    if v.reaching.is_never_written() && v.made.is_empty() {
        return Current::Everywhere;
    }
    let mut parts: Vec<(u32, u32)> = Vec::new();
    effects.solve(&v.made, &mut |start, end, mask| {
        let from = pieces.partition_point(|(p, _)| p.end <= start);
        for (piece, set) in pieces[from..].iter().take_while(|(p, _)| p.start < end) {
            let Some((_, serial)) = key_of(unit, piece, *set) else { continue };
            // On the stack nothing stands before the first definition.
            let is_undefined = mask == ENTRY && matches!(unit.sym(v.variable).storage, Storage::Frame);
            if is_undefined || !crate::debug::memory::is_current(&v.reaching, serial, mask, &v.made) {
                continue;
            }
            let (from, to) = (piece.start.max(start), piece.end.min(end));
            match parts.last_mut() {
                Some(last) if last.1 == from => last.1 = to,
                _ => parts.push((from, to)),
            }
        }
    });
    Current::In(parts)
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
                Some(Known::Constant(bytes)) => {
                    let mut e = Expression::new();
                    e.op_implicit_value(bytes.to_vec().into_boxed_slice());
                    add(&mut residence, piece.start, piece.end, e);
                }
                Some(Known::Values(values)) => {
                    for (start, end, places) in in_piece(values, watch, ranges, (piece.start, piece.end)) {
                        add(&mut residence, start, end, expression(&places, size));
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

/// Adds a range, as part of the one before if that goes on.
fn add(residence: &mut Residence, start: u32, end: u32, e: Expression) {
    match residence.last_mut() {
        Some(last) if last.1 == start && last.2 == e => last.1 = end,
        _ => residence.push((start, end, e)),
    }
}

/// The places of the parts of a variable.
fn expression(places: &[Place], size: u32) -> Expression {
    let mut e = Expression::new();
    for &place in places {
        match place {
            Place::Register(r) => e.op_reg(gimli::Register(r)),
            Place::Frame(offset) => e.op_fbreg(offset),
            Place::Constant(bits) => e.op_implicit_value(bits.to_le_bytes()[..size.min(8) as usize].into()),
        }
        if places.len() > 1 {
            e.op_piece(u64::from(size));
        }
    }
    e
}

type Ranges = FxHashMap<u32, Vec<(u32, u32, Place)>>;

/// Where the labelled values are. What a call changes is not there for the last byte of the call, where
/// debuggers look up the frames of callers.
fn ranges(code: &CompiledCode, isa: &dyn TargetIsa) -> Ranges {
    let mut returns: Vec<u32> = code.buffer.call_sites().map(|c| c.ret_addr).collect();
    returns.sort_unstable();
    let mut out: Ranges = FxHashMap::default();
    for (label, all) in &code.value_labels_ranges {
        let mut places = Vec::new();
        for r in all {
            match r.loc {
                LabelValueLoc::CFAOffset(offset) => places.push((r.start, r.end, Place::Frame(offset))),
                LabelValueLoc::Reg(reg) => {
                    let Ok(number) = isa.map_regalloc_reg_to_dwarf(reg) else { continue };
                    let place = Place::Register(number);
                    let mut start = r.start;
                    if !is_saved(isa, number) {
                        let from = returns.partition_point(|&at| at <= r.start);
                        for &at in returns[from..].iter().take_while(|&&at| at <= r.end) {
                            places.push((start, at - 1, place));
                            start = at;
                        }
                    }
                    places.push((start, r.end, place));
                }
            }
        }
        places.retain(|p| p.0 < p.1);
        places.sort_unstable_by_key(|p| (p.0, p.1));
        out.insert(label.as_u32(), places);
    }
    out
}

/// Whether calls leave a register, by its DWARF number, as it was.
fn is_saved(isa: &dyn TargetIsa, number: u16) -> bool {
    match isa.triple().architecture {
        target_lexicon::Architecture::X86_64 => matches!(number, 3 | 6 | 12..=15),
        target_lexicon::Architecture::Aarch64(_) => matches!(number, 19..=29 | 72..=79),
        _ => false,
    }
}

/// The parts of a piece of code in which all of `values` are somewhere.
fn in_piece(
    values: &Values,
    watch: &Watch,
    ranges: &Ranges,
    whole: (u32, u32),
) -> Vec<(u32, u32, SmallVec<[Place; 2]>)> {
    let mut out: Vec<(u32, u32, SmallVec<[Place; 2]>)> = vec![(whole.0, whole.1, SmallVec::new())];
    for v in values {
        let mut next = Vec::new();
        for (start, end, places) in out {
            for (from, to, place) in of_value(*v, watch, ranges, (start, end)) {
                let mut places = places.clone();
                places.push(place);
                next.push((from, to, places));
            }
        }
        out = next;
    }
    out
}

/// The parts of a piece of code in which a value is somewhere, none of which overlap.
fn of_value(v: Value, watch: &Watch, ranges: &Ranges, (start, end): (u32, u32)) -> Vec<(u32, u32, Place)> {
    if let Some(&bits) = watch.constants.get(&v) {
        return vec![(start, end, Place::Constant(bits))];
    }
    let equal = watch.equal.get(&v).map_or(&[][..], Vec::as_slice);
    let all = equal.iter().filter_map(|e| ranges.get(&e.as_u32())).flatten();
    let mut all: Vec<(u32, u32, Place)> =
        all.filter(|r| r.0 < end && r.1 > start).map(|r| (r.0.max(start), r.1.min(end), r.2)).collect();
    all.sort_unstable_by_key(|r| (r.0, r.1));
    let mut at = start;
    let mut out = Vec::new();
    for (from, to, place) in all {
        if to > at {
            out.push((from.max(at), to, place));
            at = to;
        }
    }
    out
}
