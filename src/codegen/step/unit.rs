//! A unit from L to machine code.

use crate::debug::spot::Residences;
use crate::debug::values::Trace;
use crate::function::cut::Cut;
use crate::function::stretch;
use crate::homes::{Homes, Slots};
use crate::shared::Shared;
use crate::step::{PackDump, Vectorized};
use crate::targets::Targets;
use crate::{
    Error, Options, REALS, address_map, block, debug, entry, expr, function, homes, lines, locate,
    operands_from_memory, pack, place, processor, starts, step, unwind, wide,
};
use cranelift_codegen::Context;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::isa::unwind::UnwindInfo;
use cranelift_module::{FuncId, ModuleReloc};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use trueline_ir::{OptLevel, Unit};
use trueline_provenance::StmtInfos;

/// A compiled unit.
pub(crate) struct Compiled {
    pub(crate) id: FuncId,
    pub(crate) bytes: Vec<u8>,
    /// The code behind that which starts timers.
    pub(crate) starts: Vec<u8>,
    /// Whether it takes the address of the thread's counters.
    pub(crate) counts: bool,
    pub(crate) align: u64,
    /// Bytes to leave before it.
    pub(crate) padding: usize,
    pub(crate) relocs: Vec<ModuleReloc>,
    /// The places of the calls among them that are made in a way of their own.
    pub(crate) ways: FxHashMap<u32, entry::Passage>,
    pub(crate) srclocs: Vec<(u32, u32, u32)>,
    /// The pieces of its code.
    pub(crate) pieces: Vec<lines::Piece>,
    pub(crate) layout: address_map::Layout,
    pub(crate) vectors: Vec<address_map::Vectors>,
    pub(crate) unwind: Option<UnwindInfo>,
    /// The same of code that got longer.
    pub(crate) longer: Option<unwind::Longer>,
    /// The places of its variables on the stack.
    pub(crate) homes: Homes,
    /// The distance from the frames of functions that it calls to its own.
    pub(crate) distance: i64,
    /// The number of the stretch that it is, if its unit was cut.
    pub(crate) stretch: Option<usize>,
    /// The stretches that it calls, if its unit was cut.
    pub(crate) calls: Option<debug::Calls>,
    /// The source statements with vector operations.
    pub(crate) vectorized: Vec<Vectorized>,
    /// Its text before and after vectorization, if that is asked for.
    pub(crate) dump: Option<PackDump>,
}

impl Compiled {
    /// The facts that entries need; a caller of procedures of `targets` has to have a block.
    pub(crate) fn procedure(&self, targets: &Targets) -> entry::Procedure<'_> {
        let counts = self.counts || targets.are_called(&self.relocs);
        entry::Procedure { id: self.id, counts, relocs: &self.relocs }
    }
}

/// The most CLIF values or blocks: Cranelift's own indices overflow far beyond this.
const MOST_ENTITIES: usize = 1 << 22;

/// The most CLIF instructions for the register allocator that splits live ranges: its time grows with the square of
/// their number (a hundred lines a second at 16,000 lines). The linear allocator makes slower code.
const MOST_TO_SPLIT: usize = 120_000;

/// The last step of a unit, which is number `number` of all.
pub(crate) struct Back<'a> {
    pub(crate) shared: &'a Shared<'a>,
    /// Code generators with the allocator that splits live ranges, with the linear one, and without optimization.
    pub(crate) isas: [&'a dyn TargetIsa; 3],
    pub(crate) options: &'a Options,
    pub(crate) infos: &'a StmtInfos,
    pub(crate) number: usize,
}

impl Back<'_> {
    /// Compiles a unit, which is number `index` of those with code.
    pub(crate) fn compile_unit(&self, unit: &Unit, index: usize) -> Result<Compiled, Error> {
        let id = self.shared.symbols.function_id(unit.symbol());
        let mut bytes = if self.shared.level > OptLevel::O0 { wide::longest(self.isas[0]) } else { wide::SHORT };
        while bytes >= wide::SHORT {
            let mut room = 0;
            bytes = loop {
                let made = function::translate(unit, index as u32, self.shared, bytes);
                let shorter = wide::longest_in(&made.0) / 2;
                match self.compile(unit, made, id, expr::is_long(unit), room)? {
                    Ok(compiled) => return Ok(compiled),
                    Err(wide::Unfit::Room(more)) if room == 0 => room = more,
                    Err(_) => break shorter,
                }
            };
        }
        Err(Error::internal("vectors of 16 bytes were not compiled"))
    }

    /// The same for a unit that becomes several functions, with `index`.
    pub(crate) fn compile_cut(&self, unit: &Unit, index: usize, cut: &Cut) -> Result<Vec<(usize, Compiled)>, Error> {
        let (func, slots, counts_down) = stretch::translate_caller(unit, index as u32, cut, self.shared);
        let id = self.shared.symbols.function_id(unit.symbol());
        let whole = |c: Result<Compiled, wide::Unfit>| {
            c.map_err(|_| Error::internal("a unit that was cut has registers of 32 bytes"))
        };
        let caller = whole(self.compile(unit, (func, slots, None), id, true, 0)?)?;
        let stretches = cut.stretches.par_iter().enumerate().map(|(k, of)| {
            let func = stretch::translate_stretch(unit, k, cut, counts_down, self.shared);
            let compiled = whole(self.compile(unit, (func, Slots::default(), None), of.id, true, 0)?)?;
            Ok((index, Compiled { stretch: Some(k), ..compiled }))
        });
        let stretches = stretches.collect::<Result<Vec<_>, Error>>()?;
        let calls = debug::Calls { count: stretches.len(), distance: caller.distance };
        let caller = Compiled { calls: Some(calls), ..caller };
        Ok(std::iter::once((index, caller)).chain(stretches).collect())
    }

    /// Compiles a function of a unit, with `room` bytes in its frame for long vectors. The inner error is the reason why operations on 32 bytes or more
    /// cannot be made of its code.
    pub(crate) fn compile(
        &self,
        unit: &Unit,
        (mut func, slots, trace): (Function, Slots, Option<Trace>),
        id: Option<FuncId>,
        is_long: bool,
        room: u32,
    ) -> Result<Result<Compiled, wide::Unfit>, Error> {
        let &Back { shared, isas: [splitting, linear, plain], options, infos, number } = self;
        let dump = step::shaped(&mut func, unit, number, splitting, options)?;
        operands_from_memory(&mut func, shared.symbols, splitting, options);
        expr::truncate::least_of_unfit(&mut func, splitting);
        let vectorized = step::vectorized(&func, unit, infos);
        let entities = func.dfg.num_insts().max(func.dfg.num_blocks()).max(func.dfg.num_values());
        if entities > MOST_ENTITIES {
            return Err(Error::Limit {
                unit: unit.name().to_owned(),
                what: format!("its code has {entities} operations, {MOST_ENTITIES} are supported; split it"),
            });
        }
        let isa = match func.dfg.num_insts() > MOST_TO_SPLIT || is_long {
            _ if unit.is_deep() => plain,
            true => linear,
            false => splitting,
        };
        // In a unit that was cut, no values are followed.
        let is_followed = trace.is_some();
        let of_source = shared.debug.filter(|(_, sources)| is_followed && sources.contains_key(unit.symbol()));
        let wanted = match (of_source, trace) {
            (Some((infos, sources)), Some(trace)) => debug::wanted::wanted(unit, sources, infos, &func, &trace),
            _ => debug::wanted::Wanted::default(),
        };
        let is_wide = wide::longest_in(&func) > wide::SHORT;
        let more_registers = shared.level > OptLevel::O0 && wide::longest(isa) == 64;
        let spilled = (is_wide || more_registers).then(|| wide::Room::in_frame(&mut func, room));
        let mut watch = debug::watch::Watch::new(wanted.values());
        let mut context = Context::for_function(func);
        if is_wide {
            let zero = 8 * shared.reals.len() as i32;
            pack::pinned::pin(&mut context, (REALS, zero), shared.symbols);
        }
        let (code, unwind) = step::machine_code(&mut context, (isa, shared.level), unit.name(), &mut watch)?;
        let bytes = processor::with_faults(&code, shared.triple);
        let mut code = step::Code::of(code, bytes);
        let rows = code.compiled.buffer.get_srclocs_sorted();
        let mut marked: Vec<_> = rows.iter().map(|s| (s.start, s.end, s.loc.bits())).collect();
        let mut fixed: Vec<u32> = code.compiled.buffer.relocs().iter().map(|r| r.offset).collect();
        fixed.sort_unstable();
        let mut moved = wide::Moved::default();
        if is_wide || (more_registers && wide::spills(&code.bytes)) {
            let room = spilled.and_then(|slot| wide::Room::of(&code.compiled.buffer, slot, room, more_registers));
            let mut blocks = code.compiled.bb_starts.clone();
            blocks.sort_unstable();
            let places = wide::Places { rows: &marked, fixed: &fixed, blocks: &blocks };
            match wide::widen(&code.bytes, places, room) {
                Ok(widened) if code.take(&widened) => moved = widened.moved,
                Ok(_) if is_wide => return Ok(Err(wide::Unfit::Never)),
                Err(why) if is_wide => return Ok(Err(why)),
                _ => {}
            }
            marked.iter_mut().for_each(|row| (row.0, row.1) = (moved.at(row.0), moved.end(row.1)));
        }
        let buffer = &code.compiled.buffer;
        let frame = |v| homes::offset(&slots, buffer.frame_layout(), v);
        let residences = of_source
            .map(|(infos, _)| {
                debug::residence::residences(unit, infos, (&wanted, &watch), (&code, isa), &marked, &frame)
            })
            .or_else(|| (shared.debug.is_some() && !is_followed).then(Residences::default));
        let srclocs = locate::unmarked(&marked);
        let needed = u64::from(buffer.alignment.max(isa.function_alignment().minimum));
        let id = id.ok_or_else(|| Error::internal("a unit was not declared"))?;
        let padding = if shared.level == OptLevel::O0 { 0 } else { place::padding(&code, needed, shared.triple) };
        let (layout, longer) = (address_map::Layout::of(&code), unwind::Longer::of(&code, isa));
        let mut bytes = code.bytes;
        let words = buffer.traps().iter().filter(|t| t.code == block::mark()).map(|t| moved.at(t.offset));
        let counts = block::address_from_thread_pointer(&mut bytes, words)?;
        let relocs = buffer.relocs().iter().map(|r| ModuleReloc::from_mach_reloc(r, &context.func, id));
        let mut relocs: Vec<ModuleReloc> = relocs.map(|r| ModuleReloc { offset: moved.at(r.offset), ..r }).collect();
        let starts = starts::append(shared.symbols, shared.counters.len(), &mut bytes, &mut relocs)?;
        let pieces = lines::pieces(unit, infos, bytes.len() as u32, &srclocs);
        Ok(Ok(Compiled {
            id,
            bytes,
            starts,
            counts,
            align: needed.max(place::LINE),
            padding,
            srclocs,
            pieces,
            layout,
            vectors: address_map::vectors(&context.func),
            unwind,
            longer,
            homes: Homes::of(&slots, buffer.frame_layout(), residences),
            distance: buffer.frame_layout().map_or(0, Homes::distance),
            stretch: None,
            calls: None,
            ways: entry::take_ways(&mut relocs),
            relocs,
            vectorized,
            dump,
        }))
    }
}
