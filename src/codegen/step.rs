//! The last steps of a unit: `pack`, vectorization, with its number for bisection, its check, its texts and its remarks, and machine code.

pub(crate) mod unit;

use crate::address_map::vectors;
use crate::debug::spot::Place;
use crate::homes::Homes;
use crate::wide::Widened;
use crate::{Error, Options, debug, edges, function, lines, locate, pack, ranges, unwind, wide};
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{Function, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::isa::unwind::UnwindInfo;
use cranelift_codegen::{CompiledCode, Context};
use rustc_hash::FxHashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use target_lexicon::Architecture;
use trueline_ir::{OptLevel, Unit};
use trueline_provenance::{Serial, StmtInfos};

/// The options of the step; by default it runs on every unit of -O3.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packing {
    /// The number of its application to the first unit of the program.
    pub first: u64,
    /// The last application that runs (`--opt-bisect`); without it all do.
    pub last: Option<u64>,
    /// Whether to keep the text of each unit before and after.
    pub dump: bool,
    /// Whether it runs, if the command line says so.
    pub switched: Option<bool>,
}

impl Packing {
    /// Whether it runs at this level.
    pub(crate) fn is_wanted(self, level: OptLevel) -> bool {
        self.switched.filter(|_| level > OptLevel::O0).unwrap_or(level >= OptLevel::O3)
    }
}

/// A text of a unit before and after the step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackDump {
    /// The unit.
    pub unit: String,
    /// The number of the application.
    pub application: u64,
    /// The CLIF before it.
    pub before: String,
    /// The CLIF after it.
    pub after: String,
}

/// A source statement with vector operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Vectorized {
    /// The statement.
    pub of: Serial,
    /// The most elements of a vector.
    pub lanes: u32,
}

/// Runs the step on `func`, the code of `unit`, which is number `index` of its program, contracts what is left if that is asked for, and keeps operands of
/// comparisons in registers where they must be.
///
/// # Errors
/// A message that names the step, the unit and the application, if the step panics or leaves code that Cranelift refuses.
pub(crate) fn shaped(
    func: &mut Function,
    unit: &Unit,
    index: usize,
    isa: &dyn TargetIsa,
    options: &Options,
) -> Result<Option<PackDump>, Error> {
    if options.level > OptLevel::O0 {
        function::unused::remove(func);
    }
    if counts_by_pointers(options.level) && pack::limit::compare_pointers(func, pack::limit::Which::Other) {
        function::unused::remove(func);
    }
    let dump = packed(func, unit, index, isa, options)?;
    if options.contract && options.level > OptLevel::O0 && pack::contract::is_possible(isa) {
        pack::contract::contract(func);
    }
    if pack::registers::is_needed(isa) {
        pack::registers::compare_in_registers(func);
    }
    Ok(dump)
}

/// Whether pointers end loops at the level. Below, a debugger shows the variable of a DO loop.
fn counts_by_pointers(level: OptLevel) -> bool {
    level >= OptLevel::O3
}

/// The step alone.
fn packed(
    func: &mut Function,
    unit: &Unit,
    index: usize,
    isa: &dyn TargetIsa,
    options: &Options,
) -> Result<Option<PackDump>, Error> {
    let application = options.packing.first + index as u64;
    if !options.packing.is_wanted(options.level) || options.packing.last.is_some_and(|last| application > last) {
        return Ok(None);
    }
    let before = options.packing.dump.then(|| func.display().to_string());
    let bug = |what: String| {
        let avoids = application.saturating_sub(1);
        let unit = unit.name();
        Error::Internal(format!(
            "pass 'pack' on '{unit}' (application {application}, so --opt-bisect={avoids} avoids it): {what}"
        ))
    };
    let is_sticky = matches!(isa.triple().architecture, Architecture::Aarch64(_));
    catch_unwind(AssertUnwindSafe(|| pack::pack(func, is_sticky)))
        .map_err(|e| bug(trueline_ir::panic_text(e.as_ref())))?;
    if options.verify {
        cranelift_codegen::verify_function(func, isa)
            .map_err(|e| bug(cranelift_codegen::print_errors::pretty_verifier_error(func, None, e)))?;
    }
    let unit = unit.name().to_owned();
    Ok(before.map(|before| PackDump { unit, application, before, after: func.display().to_string() }))
}

/// Machine code with the places in it that others ask for.
pub(crate) struct Code {
    /// As Cranelift has made it; its blocks, edges and values are where they are now.
    pub(crate) compiled: CompiledCode,
    /// The bytes as they are written.
    pub(crate) bytes: Vec<u8>,
    /// The addresses that calls return to.
    pub(crate) returns: Vec<u32>,
    /// The offsets from the canonical frame address where Cranelift has put registers, and the places where those are now.
    replaced: FxHashMap<i64, wide::Place>,
}

impl Code {
    pub(crate) fn of(compiled: CompiledCode, bytes: Vec<u8>) -> Code {
        let returns = compiled.buffer.call_sites().map(|c| c.ret_addr).collect();
        Code { compiled, bytes, returns, replaced: FxHashMap::default() }
    }

    /// The number of bytes that Cranelift has made.
    pub(crate) fn compiled_size(&self) -> u32 {
        self.compiled.code_buffer().len() as u32
    }

    /// The number of bytes.
    pub(crate) fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// The place of a register that Cranelift has put into the frame. None if it is one of the registers that only AVX-512 has: gdb cannot read
    /// them by their DWARF numbers, and says "error reading variable".
    pub(crate) fn in_frame(&self, offset: i64) -> Option<Place> {
        let distance = || self.compiled.buffer.frame_layout().map_or(0, Homes::distance);
        match self.replaced.get(&offset) {
            None | Some(wide::Place::Same) => Some(Place::Frame(offset)),
            Some(wide::Place::Frame(at)) => Some(Place::Frame(i64::from(*at) - distance())),
            Some(wide::Place::Register(_)) => None,
        }
    }

    /// Takes over bytes in which instructions have moved. False if the beginning, which the frame is set up in, has.
    pub(crate) fn take(&mut self, widened: &Widened) -> bool {
        let moved = &widened.moved;
        if self.compiled.buffer.unwind_info.iter().any(|(at, _)| moved.at(*at) != *at) {
            return false;
        }
        self.bytes.clone_from(&widened.bytes);
        let distance = self.compiled.buffer.frame_layout().map_or(0, Homes::distance);
        let in_frame = |at: u64| at as i64 - distance;
        self.replaced = widened.replaced.iter().map(|&(at, place)| (in_frame(at), place)).collect();
        let to = |at: &mut u32| *at = moved.at(*at);
        self.returns.iter_mut().for_each(to);
        self.compiled.bb_starts.iter_mut().for_each(to);
        self.compiled.bb_edges.iter_mut().for_each(|(from, into)| (*from, *into) = (moved.at(*from), moved.at(*into)));
        for range in self.compiled.value_labels_ranges.values_mut().flatten() {
            (range.start, range.end) = (moved.at(range.start), moved.end(range.end));
        }
        true
    }
}

/// The machine code of a function, which messages call `name`, and how its frame is unwound.
pub(crate) fn machine_code(
    context: &mut Context,
    (isa, level): (&dyn TargetIsa, OptLevel),
    name: &str,
    watch: &mut debug::watch::Watch,
) -> Result<(CompiledCode, Option<UnwindInfo>), Error> {
    let mut code = watched_code(context, (isa, level), watch).map_err(|e| {
        use cranelift_codegen::CodegenError::{CodeTooLarge, ImplLimitExceeded};
        if matches!(e, CodeTooLarge | ImplLimitExceeded) {
            let what = "its code needs more registers or bytes than are supported; split it".to_owned();
            return Error::Limit { unit: name.to_owned(), what };
        }
        let why = cranelift_codegen::print_errors::pretty_error(&context.func, e);
        Error::Internal(format!("Cranelift on '{name}': {why}"))
    })?;
    unwind::begin_frame(&mut code);
    let unwind = code.create_unwind_info(isa).map_err(|e| Error::Internal(format!("{e:?}")))?;
    Ok((code, unwind))
}

/// The two halves of [`Context::compile`], with [`crate::locate`] between them, which gives the optimizer's new
/// instructions locations.
pub(crate) fn located_code(
    context: &mut Context,
    of: (&dyn TargetIsa, OptLevel),
) -> cranelift_codegen::CodegenResult<CompiledCode> {
    watched_code(context, of, &mut debug::watch::Watch::default())
}

/// The same, following the values of variables.
fn watched_code(
    context: &mut Context,
    (isa, level): (&dyn TargetIsa, OptLevel),
    watch: &mut debug::watch::Watch,
) -> cranelift_codegen::CodegenResult<CompiledCode> {
    let control = &mut ControlPlane::default();
    let origins = locate::Origins::of(context);
    context.optimize(isa, control)?;
    if isa.flags().opt_level() == cranelift_codegen::settings::OptLevel::None {
        return finished(context, isa, (watch, &origins), Vec::new());
    }
    if counts_by_pointers(level) && pack::limit::compare_pointers(&mut context.func, pack::limit::Which::Constant) {
        function::unused::remove(&mut context.func);
    }
    context.flowgraph();
    context.compute_loop_analysis();
    pack::hoist::hoist(context);
    pack::late::step_last(context);
    pack::early::make_at_loads(&mut context.func);
    let mut moved = function::parameters::settle(context);
    function::differences::add_opposites(&mut context.func);
    moved.extend(function::constants::make_where_used(&mut context.func));
    let Some(ranges) = ranges::Ranges::of(context, isa) else {
        return finished(context, isa, (watch, &origins), moved);
    };
    let is_nest = context.loop_analysis.loops().any(|l| context.loop_analysis.loop_parent(l).is_some());
    let has_few_registers = isa.triple().architecture == Architecture::X86_64;
    let is_small = context.func.dfg.num_insts() <= MOST_INSTRUCTIONS;
    let before = (is_nest && is_small && has_few_registers).then(|| (context.func.clone(), watch.clone()));
    let mut copies = ranges.split(context);
    copies.splice(..0, moved.iter().copied());
    let code = finished(context, isa, (watch, &origins), copies)?;
    let Some((func, mut own_watch)) = before.filter(|_| code.code_buffer().len() <= LARGEST) else { return Ok(code) };
    let reloads = function::reloads::in_inner_loops(code.code_buffer());
    if reloads < WORTH_ANOTHER {
        return Ok(code);
    }
    let mut other = Context::for_function(func);
    other.want_disasm = context.want_disasm;
    other.flowgraph();
    other.compute_loop_analysis();
    let Some(mut copies) = ranges.split_inner(&mut other) else { return Ok(code) };
    copies.splice(..0, moved);
    let again = finished(&mut other, isa, (&mut own_watch, &origins), copies)?;
    if function::reloads::in_inner_loops(again.code_buffer()) + WORTH_ANOTHER > reloads {
        return Ok(code);
    }
    (*context, *watch) = (other, own_watch);
    Ok(again)
}

/// Functions with more instructions of CLIF, or more bytes of machine code, are left as they are: to compile LAPACK takes 1.2 of the time
/// without that.
const MOST_INSTRUCTIONS: usize = 20_000;
const LARGEST: usize = 8 << 10;
/// The fewest accesses to the stack that innermost loops have to lose if a function is compiled again.
const WORTH_ANOTHER: usize = 2;

/// The second half: from CLIF, in which live ranges have been split, to machine code. `copies` are pairs of a new value and the value that it is equal to.
fn finished(
    context: &mut Context,
    isa: &dyn TargetIsa,
    (watch, origins): (&mut debug::watch::Watch, &locate::Origins),
    mut copies: Vec<(Value, Value)>,
) -> cranelift_codegen::CodegenResult<CompiledCode> {
    let control = &mut ControlPlane::default();
    if pack::operands::is_needed(isa) {
        let any_vector = !pack::aligned::is_needed(isa);
        pack::operands::order(&mut context.func, any_vector);
        copies.extend(pack::sole::split(context, any_vector));
    }
    if isa.flags().opt_level() != cranelift_codegen::settings::OptLevel::None {
        if !copies.is_empty() {
            context.compute_loop_analysis();
        }
        pack::layout::keep_loops_together(context);
    }
    context.verify_if(isa)?;
    locate::locate(context, origins);
    watch.label(&mut context.func, &copies);
    let registers = &mut Default::default();
    let code = isa.compile_function(&context.func, &context.domtree, registers, context.want_disasm, control)?;
    let mut code = code.apply_params(&context.func.params);
    edges::mend(&mut code, &context.func, isa.triple());
    Ok(code)
}

/// Calls `work` and turns a panic in it into an error that names the unit.
pub(crate) fn caught<T>(unit: &Unit, work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|e| {
        let what = trueline_ir::panic_text(e.as_ref());
        Err(Error::Internal(format!("code generation of '{}': {what}", unit.name())))
    })
}

/// The source statements that the vector operations of `func` stand for, of several around one another the innermost.
pub(crate) fn vectorized(func: &Function, unit: &Unit, infos: &StmtInfos) -> Vec<Vectorized> {
    let mut out: Vec<Vectorized> = Vec::new();
    for v in vectors(func) {
        let Some(set) = locate::set_of(unit, v.location) else { continue };
        let members = lines::innermost(unit, set, infos);
        out.extend(members.iter().map(|o| Vectorized { of: o.stmt, lanes: v.lanes }));
    }
    out.sort_unstable_by_key(|v| (v.of, std::cmp::Reverse(v.lanes)));
    out.dedup_by_key(|v| v.of);
    out
}
