//! L to machine code through Cranelift.
//!
//! [`compile`] translates the units of a program in parallel and assembles one relocatable object;
//! [`link`] makes an executable with the system's `cc` and the runtime archive.
//!
//! **Invariants:** the object's bytes depend on the program and the options only, not on the number of
//! threads; the Cranelift source location of an instruction is the id of its interned set, which the
//! line table is made from; Cranelift's limits are checked before it is called, since it panics past them.

mod abi;
mod address_map;
mod assembly;
mod block;
mod bridge;
mod characters;
mod debug;
mod edges;
mod entry;
mod expr;
mod frames;
mod function;
mod homes;
mod intrinsic;
mod lines;
pub mod link;
pub mod listing;
mod locate;
mod object;
mod pack;
mod passing;
mod place;
mod probe;
mod processor;
mod ranges;
mod section;
mod shared;
mod starts;
mod step;
mod symbols;
pub mod tables;
mod tally;
mod targets;
mod trips;
mod types;
mod unwind;
mod variables;
mod wide;

pub use crate::entry::counts_entries;
use crate::entry::loaded::Loaded;
use crate::function::cut::Cut;
pub use crate::processor::Processor;
use crate::shared::Shared;
use crate::step::unit::{Back, Compiled};
pub use crate::step::{PackDump, Packing, Vectorized};
use crate::symbols::Symbols;
use crate::targets::Targets;
use cranelift_codegen::Context;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::TargetIsa;
use cranelift_module::{Linkage, Module, ModuleReloc, default_libcall_names};
use cranelift_object::{ObjectBuilder, ObjectModule};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use target_lexicon::Triple;
use trueline_ir::{Editor, OptLevel, ProbeOp, Program, Rt, Unit, UnitKind};
use trueline_provenance::{CounterInfo, Origin, Serial};

/// The options of the code generator.
#[derive(Clone, Debug)]
pub struct Options {
    /// The target.
    pub triple: Triple,
    /// The optimization level.
    pub level: OptLevel,
    /// Whether to write a line table.
    pub debug: bool,
    /// Whether Cranelift verifies its input (our debug builds).
    pub verify: bool,
    /// The units of the source, lowered to L without optimization, for the variables of optimized code in debug information.
    pub sources: Option<std::sync::Arc<Vec<Unit>>>,
    /// The arms of conditionals that hardly ever run: the first, the second.
    pub cold: FxHashMap<Serial, [bool; 2]>,
    /// The options of vectorization.
    pub packing: Packing,
    /// The extensions of the instruction set that code may use.
    pub processor: Processor,
    /// Whether products that are added need not be rounded before.
    pub contract: bool,
    /// Whether the program starts on as many ranks as the environment says.
    pub ranks: bool,
    /// The most operations of a function; the code generator's own limit, if none is named.
    pub stretch: Option<usize>,
    /// Whether nobody looks at the statements of a unit once its code is made: they give their memory back.
    pub spends: bool,
}

/// A relocatable object, and the results of the last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The file.
    pub bytes: Vec<u8>,
    /// The source statements with vector operations, unit by unit.
    pub vectorized: Vec<Vectorized>,
    /// The units before and after vectorization, if that is asked for.
    pub dumps: Vec<PackDump>,
}

/// A timed construct, or several with a joint time.
#[derive(Clone, Debug)]
pub struct RecordData {
    /// The procedure whose code the timer stands in.
    pub unit: Serial,
    /// The name of the record there.
    pub of: Origin,
    /// Its index in the metadata.
    pub construct: u32,
    /// `file:line: text`.
    pub name: String,
    /// Whether it measures several constructs together. Such a timer is not thinned.
    pub is_joint: bool,
}

/// A procedure that counts where it is entered.
#[derive(Clone, Debug)]
pub struct EntryData {
    /// Its linker symbol.
    pub symbol: String,
    /// The event that it counts.
    pub counter: CounterInfo,
    /// Whether calls in the same object pass it by, because they are counted themselves.
    pub is_passed_by: bool,
    /// Whether calls of other objects may pass it by.
    pub is_open: bool,
}

/// The data that a profiled object carries beside its code.
#[derive(Clone, Default, Debug)]
pub struct ProfileData {
    /// The counters that code adds to, in the order of their cells.
    pub counters: Vec<CounterInfo>,
    /// The procedures that count where they are entered.
    pub entries: Vec<EntryData>,
    /// The linker symbols of procedures of other objects whose entries calls pass by if they can be.
    pub outside: Vec<String>,
    /// The timed constructs, in the order of their records.
    pub records: Vec<RecordData>,
    /// The compressed metadata.
    pub meta: Vec<u8>,
    /// The index of each construct in the metadata, for the address map.
    pub constructs: FxHashMap<Serial, u32>,
    /// The directives that begin and end each region of the user, outer regions first.
    pub regions: Vec<(Serial, Serial)>,
    /// The depth of the calling-context tree that the program keeps; 0 for none.
    pub tree_depth: u64,
    /// The budget of timers in millionths of the time; 0 if there is no limit.
    pub budget: u64,
    /// Whether counters are added to atomically: other threads may run the code.
    pub atomic: bool,
    /// The most samples of the program counter in a second; 0 for none.
    pub sample_rate: u64,
}

/// Why there is no object.
#[derive(Debug)]
pub enum Error {
    /// The target is not supported.
    Target(String),
    /// A limit of the code generator is exceeded by this unit.
    Limit {
        /// The unit.
        unit: String,
        /// The limit.
        what: String,
    },
    /// This linker symbol stands for two things, one of them of the compiler's own.
    Symbol(String),
    /// A bug of ours, or of Cranelift.
    Internal(String),
}

impl Error {
    pub(crate) fn internal(what: &str) -> Error {
        Error::Internal(what.to_owned())
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Target(t) => write!(f, "Target '{t}' is not supported"),
            Error::Limit { unit, what } => write!(f, "Procedure '{unit}' is too large: {what}"),
            Error::Symbol(name) => write!(f, "The linker symbol '{name}' stands for two things"),
            Error::Internal(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl From<cranelift_module::ModuleError> for Error {
    fn from(e: cranelift_module::ModuleError) -> Error {
        use cranelift_module::ModuleError::{DuplicateDefinition, IncompatibleDeclaration};
        match e {
            DuplicateDefinition(name) | IncompatibleDeclaration(name) => Error::Symbol(name),
            e => Error::Internal(format!("{e:?}")),
        }
    }
}

/// Compiles the program, all its units at L, to a relocatable object named `name`. Profiled builds pass `profile`.
///
/// # Errors
/// If the target is unknown, a limit is exceeded, or Cranelift refuses our code (a bug).
pub fn compile(
    name: &str,
    program: &mut Program,
    profile: Option<&ProfileData>,
    options: &Options,
) -> Result<Object, Error> {
    compile_marked(name, program, profile, options, false).map(|(object, _)| object)
}

/// The same as assembly that `as` takes, with the source lines; none for targets other than x86-64 ELF.
///
/// # Errors
/// As [`compile`].
pub fn assembly_file(
    name: &str,
    program: &mut Program,
    profile: Option<&ProfileData>,
    options: &Options,
) -> Result<Option<(String, Object)>, Error> {
    let is_x86 = options.triple.architecture == target_lexicon::Architecture::X86_64;
    if !is_x86 || options.triple.binary_format != target_lexicon::BinaryFormat::Elf {
        return Ok(None);
    }
    let (object, marks) = compile_marked(name, program, profile, options, true)?;
    let isa = processor::isa(options, "backtracking")?;
    let files: Vec<String> = program.infos.files.iter().map(|f| f.path.clone()).collect();
    let text = assembly::print(&object.bytes, &*isa, &files, &marks, options.debug).map_err(Error::Internal)?;
    Ok(Some((text, object)))
}

/// The object, which will be printed as assembly if `is_text`, and the lines of its code.
fn compile_marked(
    name: &str,
    program: &mut Program,
    profile: Option<&ProfileData>,
    options: &Options,
    is_text: bool,
) -> Result<(Object, Vec<assembly::Marks>), Error> {
    let bridges = program.bridges.clone();
    let Program { units, infos, .. } = &mut *program;
    let isa = processor::isa(options, "backtracking")?;
    let linear = processor::isa(options, "single_pass")?;
    let plain = processor::isa(&Options { level: OptLevel::O0, ..options.clone() }, "single_pass")?;
    let builder = ObjectBuilder::new(isa.clone(), name, default_libcall_names())?;
    let mut module = ObjectModule::new(builder);
    let mut symbols = Symbols::default();
    let bridges = symbols.declare(&mut module, units, &bridges)?;
    object::define_data(&mut module, &mut symbols, units)?;
    object::define_texts(&mut module, &mut symbols, units)?;
    let reals = object::define_reals(&mut module, &mut symbols, units)?;
    let mut targets = Targets::default();
    if let Some(profile) = profile {
        object::declare_profile(&mut module, &mut symbols, profile)?;
        targets = Targets::define(&mut module, &mut symbols, profile, units)?;
    }
    let (counters, records) = tables(profile, &options.triple);
    let mut cuts = Cut::all(units, options, &records);
    for (number, unit) in units.iter().enumerate() {
        cuts.get_mut(&number).map_or(Ok(()), |cut| cut.declare(&mut module, &mut symbols, unit))?;
    }
    let no_reals = FxHashMap::default();
    let loaded = Loaded::of(units);
    let counted = entry::counted_by_all(profile, &options.triple);
    let by_symbol: FxHashMap<&str, &Unit> =
        options.sources.iter().flat_map(|all| all.iter()).map(|u| (u.symbol(), u)).collect();
    let shared = Shared {
        symbols: &symbols,
        triple: &options.triple,
        config: isa.frontend_config(),
        counters: &counters,
        records: &records,
        cold: &options.cold,
        reals: if options.level == OptLevel::O0 { &no_reals } else { &reals },
        atomic: profile.is_some_and(|p| p.atomic),
        rounds: processor::rounds(&*isa),
        loaded: &loaded,
        counted: &counted,
        level: options.level,
        debug: (options.debug && options.level > OptLevel::O0 && options.sources.is_some())
            .then_some((infos, &by_symbol)),
    };
    let has_code = |u: &Unit| u.kind() != UnitKind::Data;
    let mut code: Vec<(usize, &mut Unit)> = units.iter_mut().enumerate().filter(|(_, u)| has_code(u)).collect();
    let mut compiled: Vec<(usize, Compiled)> = code
        .par_iter_mut()
        .enumerate()
        .map(|(i, (number, unit))| {
            let back = Back { shared: &shared, isas: [&*isa, &*linear, &*plain], options, infos, number: *number };
            let work = || match cuts.get(number) {
                Some(cut) => back.compile_cut(unit, i, cut),
                None => Ok(vec![(i, back.compile_unit(unit, i)?)]),
            };
            let compiled = step::caught(unit, work);
            if options.spends {
                Editor::open(unit, "release").release();
            }
            compiled
        })
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .flatten()
        .collect();
    drop(code);
    let program = &*program;
    let Program { units, infos, .. } = program;
    let code: Vec<&Unit> = units.iter().filter(|u| has_code(u)).collect();
    let vectorized = compiled.iter_mut().flat_map(|(_, c)| std::mem::take(&mut c.vectorized)).collect();
    let dumps = compiled.iter_mut().filter_map(|(_, c)| c.dump.take()).collect();
    let mut references = tables::references::References::new(units);
    let mut functions = Vec::new();
    let mut frames = Vec::new();
    let mut placed = FxHashMap::default();
    let mut entries = entry::entries(&symbols, profile, &loaded);
    if block::has_blocks(&options.triple) {
        let procedures: Vec<_> = compiled.iter().map(|(_, c)| c.procedure(&targets)).collect();
        entry::add_checks(&mut entries, &procedures);
    }
    let open = targets::define_entered(&mut module, &mut symbols, &entries)?;
    let (mut inside, mut places, mut offsets) = (Vec::new(), FxHashMap::default(), Vec::new());
    let mut mapped = Vec::new();
    for (of, c) in compiled {
        let unit = code[of];
        let (id, mut relocs) = (c.id, c.relocs);
        let counted = entries.get(&id);
        let entry = counted.map(|e| entry::code(&symbols, *e, unit, &options.triple)).transpose()?;
        let (before, room) = entry.as_ref().map_or((0, 0), |e| (e.before, e.bytes.len()));
        let padding = place::with_room(c.padding, room);
        relocs.iter_mut().for_each(|r| r.offset += padding as u32);
        let ways = c.ways.iter().map(|(at, &way)| (at + padding as u32, way)).collect();
        let called = if profile.is_some() { address_map::called(&relocs, padding as u32) } else { Vec::new() };
        let pieces = c.pieces;
        references.add(&module, unit, infos, &pieces, &relocs, padding as u32);
        targets.redirect(&mut relocs);
        inside.extend(entry::take_calls(&mut relocs, id, &entries, &ways));
        offsets.extend(block::take_offsets(&mut relocs, id, &symbols));
        let mut bytes = place::filler(&options.triple, padding - room);
        if let Some(entry) = entry {
            let at = bytes.len() as u32;
            bytes.extend(entry.bytes);
            relocs.extend(entry.relocs.into_iter().map(|r| ModuleReloc { offset: r.offset + at, ..r }));
            offsets.extend(entry.distance.map(|distance| block::Offset::new(id, distance + at)));
            places.insert(id, entry.places.behind(at as usize));
        }
        bytes.extend(&c.bytes);
        bytes.extend(&c.starts);
        module.define_function_bytes(id, c.align, &bytes, &relocs)?;
        placed.insert(id, padding - room + before);
        let entry = (room - before) as u32;
        frames.push(unwind::Frames { id, before: before as u32, entry, code: c.unwind, longer: c.longer });
        let size = c.bytes.len() as u64;
        let is_part = counted.is_some_and(|e| e.is_part());
        if profile.is_some() {
            let rows = c.srclocs.clone();
            let (layout, vectors) = (c.layout, c.vectors);
            mapped.push(address_map::Placed { unit, id, entry, layout, rows, called, vectors });
        }
        functions.push(debug::Lines {
            unit,
            id,
            entry: u64::from(entry),
            is_part,
            size,
            pieces,
            homes: c.homes,
            stretch: c.stretch,
            calls: c.calls,
        });
    }
    bridge::define(&mut module, &symbols, &bridges, &isa, &mut frames)?;
    if let Some(main) = code.iter().find(|u| u.kind() == UnitKind::Program) {
        define_main(&mut module, &mut symbols, main, options)?;
    }
    let names = if profile.is_some() { address_map::linker_names(&module) } else { FxHashMap::default() };
    let mut product = module.finish();
    entry::write_calls(&mut product, &inside, &places, &options.triple)?;
    block::write_offsets(&mut product, &offsets, &symbols)?;
    targets::write(&mut product, &symbols, &targets, &open, &placed, &places)?;
    for (id, padding) in placed {
        place::skip(&mut product, id, padding);
    }
    if let Some(profile) = profile
        && let Some((map, code)) = address_map::make(&product, &mapped, profile, infos, |id| names[&id].clone())
    {
        address_map::write(&mut product, &symbols, &map, code)?;
    }
    references.write(&mut product);
    tables::interfaces::write(&program.interfaces, &mut product);
    object::make_commons(&mut product, &symbols);
    object::hide_ranks(&mut product, &symbols, &program.units);
    bridge::weaken(&mut product, &bridges);
    unwind::write(&mut product, &*isa, &frames).map_err(|e| Error::Internal(format!("{e:?}")))?;
    if options.debug {
        debug::write(&mut product, &mut functions, &symbols, program, is_text)
            .map_err(|e| Error::Internal(format!("{e:?}")))?;
    }
    let marks = functions.iter().filter(|_| is_text).map(|f| assembly::Marks {
        symbol: f.symbol(&symbols),
        entry: f.entry,
        before: f.before(),
        rows: lines::rows(f, infos),
    });
    let marks = marks.collect();
    let bytes = product.emit().map_err(|e| Error::Internal(e.to_string()))?;
    Ok((Object { bytes, vectorized, dumps }, marks))
}

/// The CLIF of a unit at L, as text.
///
/// # Errors
/// As [`compile`].
pub fn clif(units: &[Unit], unit: usize, options: &Options) -> Result<String, Error> {
    with_function(units, unit, options, |func, _| Ok(func.display().to_string()))
}

/// The machine code of a unit at L, as assembly text.
///
/// # Errors
/// As [`compile`].
pub fn assembly(units: &[Unit], unit: usize, options: &Options) -> Result<String, Error> {
    with_function(units, unit, options, |func, isa| {
        let mut context = Context::for_function(func);
        context.set_disasm(true);
        let code =
            step::located_code(&mut context, (isa, options.level)).map_err(|e| Error::Internal(format!("{e:?}")))?;
        Ok(code.vcode.unwrap_or_default())
    })
}

fn with_function<T>(
    units: &[Unit],
    unit: usize,
    options: &Options,
    f: impl FnOnce(Function, &dyn TargetIsa) -> Result<T, Error>,
) -> Result<T, Error> {
    let isa = processor::isa(options, "backtracking")?;
    let mut module = ObjectModule::new(ObjectBuilder::new(isa.clone(), "dump", default_libcall_names())?);
    let mut symbols = Symbols::default();
    symbols.declare(&mut module, units, &[])?;
    object::define_texts(&mut module, &mut symbols, units)?;
    let reals = object::define_reals(&mut module, &mut symbols, units)?;
    let (counters, records) = tables(None, &options.triple);
    let no_reals = FxHashMap::default();
    let loaded = Loaded::of(units);
    let counted = FxHashMap::default();
    let shared = Shared {
        symbols: &symbols,
        triple: &options.triple,
        config: isa.frontend_config(),
        counters: &counters,
        records: &records,
        cold: &options.cold,
        reals: if options.level == OptLevel::O0 { &no_reals } else { &reals },
        atomic: false,
        rounds: processor::rounds(&*isa),
        loaded: &loaded,
        counted: &counted,
        level: options.level,
        debug: None,
    };
    let mut func = function::translate(&units[unit], 0, &shared, wide::SHORT).0;
    step::shaped(&mut func, &units[unit], unit, &*isa, options)?;
    operands_from_memory(&mut func, &symbols, &*isa, options);
    expr::truncate::least_of_unfit(&mut func, &*isa);
    f(func, &*isa)
}

/// Prepares loads that the target's operations can do themselves.
fn operands_from_memory(func: &mut Function, symbols: &Symbols, isa: &dyn TargetIsa, options: &Options) {
    if options.level == OptLevel::O0 {
        return;
    }
    if pack::aligned::is_needed(isa) {
        pack::aligned::mark(func, &symbols.aligned);
    }
}

/// The places of the parts of a record.
#[derive(Clone, Copy)]
pub(crate) struct RecordPlace {
    /// Its number among those of the object.
    pub(crate) number: u32,
    /// The cell behind the counters in which each thread counts its invocations down; none if its timer is not thinned.
    pub(crate) countdown: Option<u32>,
}

/// The records, by the unit that they stand in and their names there.
pub(crate) type Records = FxHashMap<(Serial, Origin), RecordPlace>;

type Tables = (FxHashMap<CounterInfo, u32>, Records);

fn tables(profile: Option<&ProfileData>, triple: &Triple) -> Tables {
    let Some(profile) = profile else { return Tables::default() };
    let counters = profile.counters.iter().enumerate().map(|(i, c)| (*c, i as u32)).collect();
    let first = profile.counters.len() as u32;
    let has_blocks = block::has_blocks(triple);
    let record = |(r, number): (&RecordData, u32)| {
        let countdown = (has_blocks && !r.is_joint).then(|| first + number);
        ((r.unit, r.of), RecordPlace { number, countdown })
    };
    (counters, profile.records.iter().zip(0..).map(record).collect())
}

/// `main`: hands the command line and the main program to the runtime.
fn define_main(module: &mut ObjectModule, symbols: &mut Symbols, main: &Unit, options: &Options) -> Result<(), Error> {
    use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, UserFuncName, types};
    use cranelift_codegen::isa::CallConv;
    let mut signature = Signature::new(CallConv::triple_default(&options.triple));
    signature.params.extend([AbiParam::new(types::I32), AbiParam::new(types::I64)]);
    signature.returns.push(AbiParam::new(types::I32));
    let id = module.declare_function("main", Linkage::Export, &signature)?;
    let mut func = Function::with_name_signature(UserFuncName::user(0, u32::MAX), signature);
    let mut builder_context = cranelift_frontend::FunctionBuilderContext::new();
    let mut b = cranelift_frontend::FunctionBuilder::new(&mut func, &mut builder_context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let (argc, argv) = (b.block_params(entry)[0], b.block_params(entry)[1]);
    let program = symbols.import(b.func, main.symbol(), abi::unit_signature(main, &options.triple));
    let address = b.ins().func_addr(types::I64, program);
    let start = symbols.import(b.func, Rt::Start.signature().symbol, symbols::runtime_signature(Rt::Start));
    let call = b.ins().call(start, &[argc, argv, address]);
    let code = b.inst_results(call)[0];
    b.ins().return_(&[code]);
    b.seal_all_blocks();
    b.finalize(module.target_config());
    module.define_function(id, &mut Context::for_function(func))?;
    if options.ranks {
        // Tells the runtime before `main`, where the profile begins.
        let mark = module.declare_data(trueline_abi::placement::RANKS_WANTED, Linkage::Hidden, true, false)?;
        let mut data = cranelift_module::DataDescription::new();
        data.define_zeroinit(8);
        module.define_data(mark, &data)?;
    }
    Ok(())
}

/// The routine of the profile runtime behind a probe.
pub(crate) fn probe_function(op: ProbeOp) -> Rt {
    match op {
        ProbeOp::StartProcedure => Rt::StartProcedure,
        ProbeOp::EndProcedure => Rt::EndProcedure,
        ProbeOp::StartLoop => Rt::StartLoop,
        ProbeOp::EndLoop => Rt::EndLoop,
        ProbeOp::StartRegion => Rt::StartRegion,
        ProbeOp::EndRegion => Rt::EndRegion,
    }
}

/// The linker symbol of the real constants.
pub(crate) const REALS: &str = "trueline.reals";

/// The name of a character constant in the tables of symbols.
pub(crate) fn text_symbol(text: &[u8]) -> String {
    use std::fmt::Write;
    let mut name = String::with_capacity(16 + text.len() * 2);
    name.push_str("trueline.text.");
    for byte in text {
        let _ = write!(name, "{byte:02x}");
    }
    name
}
