//! The values and the memory that stand for the variables of a unit, and of the procedures that were inlined into it.

use crate::debug::currency::{Doubts, ENTRY, Mask, Reaching, Source};
use crate::debug::level::{Key, Level};
use crate::debug::memory::{Definition, Made};
use crate::debug::values::{Flow, Trace, Values};
use crate::types::is_complex;
use cranelift_codegen::ir::{Function, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use trueline_ir::declared::{Counterpart, Home, Index, Variable};
use trueline_ir::{ExprData, Stmt, Storage, Sym, Type, Unit};
use trueline_provenance::{Origin, Serial, SetId, StmtInfos};

/// Variables times statements beyond which variables are not described.
pub(crate) const MOST_WORK: usize = 1 << 24;

/// The value or place that stands for a variable at a statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Known {
    Values(Values),
    /// The bits of a constant.
    Constant(u64),
    Nothing,
}

/// A variable that is a register.
pub(crate) struct InRegister {
    pub(crate) variable: Sym,
    /// The register of the unit.
    pub(crate) register: Sym,
    /// The value that stands for it at each statement.
    pub(crate) at: FxHashMap<Key, Known>,
}

/// The way in which a debugger reaches a variable in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// By its own place, or by an address that the code has.
    Plain,
    /// Whether it shows the address, as for a pointer to a scalar.
    Address,
    /// By a descriptor in static memory.
    Descriptor,
}

/// A variable in memory.
pub(crate) struct InMemory {
    pub(crate) variable: Sym,
    /// The symbol of the unit, and whether that is an actual argument.
    pub(crate) here: Sym,
    pub(crate) is_actual: bool,
    /// The element that it is, or begins at.
    pub(crate) element: Option<Vec<Index>>,
    pub(crate) way: Way,
    pub(crate) reaching: Reaching,
    pub(crate) made: Made,
    /// The definitions that have left constructs, and (`left`) these constructs: inside, it is uncertain which is the
    /// last.
    pub(crate) moved: Mask,
    pub(crate) left: FxHashSet<Origin>,
}

/// A variable of which only elements or components are anywhere, in registers.
pub(crate) struct InParts {
    pub(crate) variable: Sym,
    /// The size of the variable in bytes.
    pub(crate) size: u64,
    /// The distance of each part from the beginning of the variable.
    pub(crate) parts: Vec<(u64, InRegister)>,
}

/// The facts about the variables of one procedure.
#[derive(Default)]
pub(crate) struct OfLevel {
    pub(crate) registers: Vec<InRegister>,
    /// The registers that hold the index of an actual argument's element.
    pub(crate) indexes: Vec<InRegister>,
    pub(crate) memory: Vec<InMemory>,
    /// The elements and components of variables that are registers of the unit.
    pub(crate) parts: Vec<InParts>,
    /// The optional scalars, with their flags and the statements where they may be absent.
    pub(crate) optional: FxHashMap<Sym, (Sym, FxHashSet<Serial>)>,
}

/// The facts about the variables before there is machine code.
#[derive(Default)]
pub(crate) struct Wanted<'a> {
    /// The unit itself and the procedures inlined into it, each after the one with the call.
    pub(crate) levels: Vec<(Level<'a>, OfLevel)>,
    /// The addresses of dummy arguments.
    pub(crate) addresses: FxHashMap<Sym, Value>,
}

impl OfLevel {
    /// All registers.
    fn registers(&self) -> impl Iterator<Item = &InRegister> {
        let parts = self.parts.iter().flat_map(|p| &p.parts).map(|(_, r)| r);
        self.registers.iter().chain(&self.indexes).chain(parts)
    }
}

impl Wanted<'_> {
    /// The values to be followed.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let all = self.levels.iter().flat_map(|(_, l)| l.registers());
        let values =
            all.flat_map(|r| r.at.values()).flat_map(|k| if let Known::Values(v) = k { v.as_slice() } else { &[] });
        values.chain(self.addresses.values()).copied()
    }

    /// The number of the level that one was inlined into, and the call there.
    pub(crate) fn parent(&self, level: &Level<'_>) -> Option<(usize, Serial)> {
        parent(&self.levels, level)
    }
}

fn parent(levels: &[(Level<'_>, OfLevel)], level: &Level<'_>) -> Option<(usize, Serial)> {
    let site = level.unit.sets().site(level.via())?;
    let at = levels.iter().position(|(l, _)| l.via() == site.via)?;
    Some((at, site.stmt))
}

/// Finds the values of the variables of `unit`, whose translation to `func` left a trace. `sources` are the units of the source by symbol.
pub(crate) fn wanted<'a>(
    unit: &'a Unit,
    sources: &FxHashMap<&str, &'a Unit>,
    infos: &'a StmtInfos,
    func: &Function,
    trace: &Trace,
) -> Wanted<'a> {
    let Some(&source) = sources.get(unit.symbol()) else { return Wanted::default() };
    let flow = Flow::of(func, trace);
    let doubts = Doubts::of(unit, infos);
    let mut out = Wanted { levels: Vec::new(), addresses: trace.addresses.clone() };
    let own = Level { unit, infos, source, inlined: None };
    let inlined = unit.inlined().iter().filter_map(|i| {
        let source = *sources.get(i.symbol.as_str())?;
        Some(Level { unit, infos, source, inlined: Some(i) })
    });
    let mut work = 0;
    for level in std::iter::once(own).chain(inlined) {
        let variables = registers(&level);
        let source = Source::of(level.source);
        work += variables.len();
        if !flow.affords(work) || source.len().saturating_mul(variables.len()) > MOST_WORK {
            if level.inlined.is_none() {
                return Wanted::default();
            }
            break;
        }
        let around = parent(&out.levels, &level);
        if level.inlined.is_some() && around.is_none() {
            continue;
        }
        let parent = around.map(|(at, call)| (&out.levels[at].1, call));
        let known = OfLevel {
            registers: in_registers(&level, &source, &doubts, &flow, &variables, parent),
            indexes: indexes(&level, &flow),
            memory: in_memory(&level, &source, &doubts),
            parts: in_parts(&level, &source, &doubts, &flow),
            optional: optional(&source),
        };
        out.levels.push((level, known));
    }
    out
}

/// The variables of a procedure that are registers of the unit, with the registers that describe places and sizes of
/// others: both symbols, and whether the register is an actual argument.
fn registers(level: &Level<'_>) -> Vec<(Sym, Sym, bool)> {
    let mut homed = crate::homes::homed(level.source);
    // An argument by reference is a register if it is a variable of the caller, or if the entry of the procedure loads it.
    let is_loaded = |s: Sym| matches!(level.here(s), Some(Counterpart::Own(w) | Counterpart::Actual(w)) if level.unit.sym(w).is_loaded);
    homed.extend(level.source.declared().variables.iter().filter_map(|v| match v.home {
        Home::Sym(s) if level.source.sym(s).dims.is_empty() && !v.ty.is_indirect => {
            Some(s).filter(|&s| level.inlined.is_some() || is_loaded(s))
        }
        _ => None,
    }));
    let here = |v: Sym| match level.here(v)? {
        Counterpart::Own(w) => Some((v, w, false)),
        Counterpart::Actual(w) => Some((v, w, true)),
        Counterpart::Element(..) => None,
    };
    let mut out: Vec<(Sym, Sym, bool)> = homed.into_iter().filter_map(here).collect();
    out.retain(|&(_, w, _)| level.unit.sym(w).is_register());
    out.sort_unstable();
    out
}

type Flowing<'a> = &'a mut dyn FnMut(Option<Stmt>, Mask, Option<Values>);

/// Calls `each` for every statement with the definitions of a register that reach it, and the value.
fn solve(level: &Level<'_>, flow: &Flow, register: Sym, mask: &dyn Fn(Option<Stmt>) -> Mask, each: Flowing<'_>) {
    let unit = level.unit;
    let same = |a: Stmt, b: Stmt| unit.set(a) == unit.set(b) && unit.set(a) != SetId::EMPTY;
    let parts = if is_complex(unit.sym(register).ty) { 2 } else { 1 };
    flow.solve(register, parts, mask, &same, each);
}

/// Notes a fact for a place; two different facts cancel each other.
fn note(at: &mut FxHashMap<Key, Known>, key: Key, known: Known) {
    let before = at.entry(key).or_insert_with(|| known.clone());
    if *before != known {
        *before = Known::Nothing;
    }
}

fn in_registers(
    level: &Level<'_>,
    source: &Source<'_>,
    doubts: &Doubts,
    flow: &Flow,
    variables: &[(Sym, Sym, bool)],
    parent: Option<(&OfLevel, Serial)>,
) -> Vec<InRegister> {
    let mut keys: FxHashMap<Option<Stmt>, Vec<Key>> = FxHashMap::default();
    let mut out = Vec::new();
    for &(variable, register, is_actual) in variables {
        let reaching = match source.unit().sym(variable).is_register() {
            true => Reaching::of(source, variable),
            false => Reaching::of_memory(source, variable),
        };
        let Some(reaching) = reaching else { continue };
        let mask = |s: Option<Stmt>| s.map_or(ENTRY, |s| level.mask(doubts, &reaching, s));
        let present = flow.definitions(register).fold(0, |all, s| all | mask(s));
        // The value of an argument that the procedure has not defined is its value at the call.
        let of_call = |set: Option<SetId>| {
            let (known, call) = parent?;
            let of = known.registers.iter().find(|r| r.register == register);
            Some(of?.at.get(&(set, call)).cloned().unwrap_or(Known::Nothing))
        };
        let is_temporary = !level.unit.sym(register).from_source;
        let mut at: FxHashMap<Key, Known> = FxHashMap::default();
        solve(level, flow, register, &mask, &mut |s, reached, values| {
            for &key in keys.entry(s).or_insert_with(|| level.keys(s)).iter() {
                let constant = reaching.constant(key.1).and_then(|e| bits_of(source.unit().expr(e)));
                let known = match (constant, values.clone()) {
                    (Some(constant), _) => Known::Constant(constant),
                    (None, _) if is_actual && reached & ENTRY != 0 && !is_temporary => {
                        let is_entry = reached == ENTRY && reaching.is_current_before(key.1, ENTRY, present);
                        of_call(key.0).filter(|_| is_entry).unwrap_or(Known::Nothing)
                    }
                    (None, Some(values)) if reaching.is_current_before(key.1, reached, present) => {
                        Known::Values(values)
                    }
                    _ => Known::Nothing,
                };
                note(&mut at, key, known);
            }
        });
        at.retain(|_, known| *known != Known::Nothing);
        if !at.is_empty() {
            out.push(InRegister { variable, register, at });
        }
    }
    out
}

/// The variables of a procedure whose elements or components are registers.
fn in_parts(level: &Level<'_>, source: &Source<'_>, doubts: &Doubts, flow: &Flow) -> Vec<InParts> {
    let unit = level.unit;
    let mut out: Vec<InParts> = Vec::new();
    if unit.in_registers().is_empty() {
        return out;
    }
    for of in &level.source.declared().variables {
        let Home::Sym(variable) = of.home else { continue };
        let Some(Counterpart::Own(here)) = level.here(variable).filter(|_| !of.ty.is_indirect) else { continue };
        let Some(size) = size_of(level.source, variable) else { continue };
        let mut parts = Vec::new();
        for part in unit.in_registers().iter().filter(|p| p.memory == here) {
            let ty = unit.sym(part.register).ty;
            let is_inside = part.offset.checked_add(ty.size() as u64).is_some_and(|end| end <= size);
            let reaching = Reaching::of_part(source, variable, (part.offset, ty)).filter(|_| is_inside);
            parts
                .extend(reaching.map(|of| (part.offset, in_part(level, doubts, flow, (variable, part.register), &of))));
        }
        parts.sort_by_key(|p| p.0);
        if !parts.is_empty() {
            out.push(InParts { variable, size, parts });
        }
    }
    out
}

fn in_part(
    level: &Level<'_>,
    doubts: &Doubts,
    flow: &Flow,
    (variable, register): (Sym, Sym),
    reaching: &Reaching,
) -> InRegister {
    let mask = |s: Option<Stmt>| s.map_or(ENTRY, |s| level.mask(doubts, reaching, s));
    let present = flow.definitions(register).fold(0, |all, s| all | mask(s));
    let mut at: FxHashMap<Key, Known> = FxHashMap::default();
    solve(level, flow, register, &mask, &mut |s, reached, values| {
        for key in level.keys(s) {
            let is_current = reaching.is_current_if_defined(key.1, reached, present);
            note(&mut at, key, values.clone().filter(|_| is_current).map_or(Known::Nothing, Known::Values));
        }
    });
    at.retain(|_, known| *known != Known::Nothing);
    InRegister { variable, register, at }
}

/// The size in bytes of a variable, if it is constant.
fn size_of(unit: &Unit, v: Sym) -> Option<u64> {
    let data = unit.sym(v);
    let number = |e| unit.pool().as_int(e);
    let element = data.len.expand().map_or(Some(data.ty.size() as i64), number)?;
    let size = data.dims.iter().try_fold(element, |size, d| match d.stride.expand() {
        Some(_) => None,
        None => size.checked_mul((number(d.upper.expand()?)? - number(d.lower)?).checked_add(1)?),
    });
    u64::try_from(size?).ok()
}

/// The registers that hold the indices of actual arguments' elements. Each has one value in an activation, computed at
/// the call.
fn indexes(level: &Level<'_>, flow: &Flow) -> Vec<InRegister> {
    let places = level.inlined.map_or(&[][..], |i| i.places.as_slice());
    let mut registers: Vec<Sym> = Vec::new();
    for (_, place) in places {
        let Counterpart::Element(_, subs) = place else { continue };
        registers.extend(subs.iter().filter_map(|i| if let Index::Of(v) = i { Some(*v) } else { None }));
    }
    registers.sort_unstable();
    registers.dedup();
    let mut out = Vec::new();
    for register in registers {
        let mut at: FxHashMap<Key, Known> = FxHashMap::default();
        solve(level, flow, register, &|_| ENTRY, &mut |s, _, values| {
            for key in level.keys(s) {
                note(&mut at, key, values.clone().map_or(Known::Nothing, Known::Values));
            }
        });
        at.retain(|_, known| *known != Known::Nothing);
        out.push(InRegister { variable: register, register, at });
    }
    out
}

/// The variables of a procedure in memory, with the statements that write them.
fn in_memory(level: &Level<'_>, source: &Source<'_>, doubts: &Doubts) -> Vec<InMemory> {
    let Level { unit, infos, .. } = *level;
    let effective = crate::debug::memory::effective(unit);
    let place = |s: Sym| match level.here(s)? {
        Counterpart::Own(w) => Some((w, false, None)),
        Counterpart::Actual(w) => Some((w, true, None)),
        Counterpart::Element(w, subs) => Some((w, true, Some(subs))),
    };
    let variable = |v: &Variable| {
        let (s, way) = match v.home {
            Home::Sym(s) if !v.ty.is_indirect => (s, Way::Plain),
            Home::Sym(s) if v.ty.dims.is_empty() => (s, Way::Address),
            Home::Sym(s) => (s, Way::Plain),
            Home::Shared { sym, .. } => (sym?, Way::Descriptor),
            // The selector of an associate name is a variable itself.
            Home::Part { .. } => return None,
        };
        let (here, is_actual, element) = place(s)?;
        let has_place = match unit.sym(here).storage {
            Storage::Static { .. } | Storage::Frame | Storage::Dummy { .. } => !v.ty.is_indirect || is_actual,
            Storage::Pointer { .. } => true,
            Storage::Register | Storage::Value { .. } | Storage::Within { .. } => false,
        };
        has_place.then_some((s, here, is_actual, element, way))
    };
    let all: Vec<_> = level.source.declared().variables.iter().filter_map(variable).collect();
    if all.len().saturating_mul(source.len() + effective.len()) > MOST_WORK {
        return Vec::new();
    }
    let known = |(variable, here, is_actual, element, way): (Sym, Sym, bool, Option<Vec<Index>>, Way)| {
        let reaching = Reaching::of_memory(source, variable)?;
        let (mut moved, mut left) = (0, FxHashSet::default());
        let mut definition = |s: Stmt| {
            let mut has_left = false;
            let mask = level.mask_with(&reaching, s, &mut |set, origin| {
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
        let made = crate::debug::memory::made(unit, &effective, here, &mut definition)?;
        Some(InMemory { variable, here, is_actual, element, way, reaching, made, moved, left })
    };
    all.into_iter().filter_map(known).collect()
}

/// The optional arguments that are scalars. One that is absent has spare memory, whose contents mean nothing.
fn optional(source: &Source<'_>) -> FxHashMap<Sym, (Sym, FxHashSet<Serial>)> {
    let unit = source.unit();
    let all = unit.declared().variables.iter().filter_map(|v| match (&v.home, v.present) {
        (&Home::Sym(s), Some(flag)) if unit.sym(s).dims.is_empty() => Some((s, (flag, source.where_absent(flag)))),
        _ => None,
    });
    all.collect()
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
