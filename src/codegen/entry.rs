//! Entries: instructions before the code of a procedure.
//!
//! ```text
//!        call trueline_take_block                      a thread that has no block yet gets one
//! name:  mov  trueline_block_distance@gottpoff(%rip), %r11
//!        lea  trueline.counters+8*cell(%rip), %rax      who calls `name` is counted here
//!        sub  %fs:(%r11), %rax
//!        js   .-25                                     to the call
//!        addq $1, (%rax)
//! code:  push %rbp …                                   calls that are counted themselves pass it by
//! ```
//!
//! A procedure that counts, or calls such procedures of its own object, has an entry; if it has no counter, the entry
//! only checks for the block. So its code need not check: calls from the same object come from procedures that have
//! checked, and pass by. RAX and R11 pass no arguments, and R10 is kept, in which a nested procedure finds its host.
//!
//! An entry may also load arguments ([`loaded`]), in plain builds, too. Then the code that asks for a block stands elsewhere,
//! for the loads may be done once only:
//!
//! ```text
//! take:  call trueline_take_block; jmp count
//! pass:  mov (%rdi), %edi; jmp code            calls with addresses that are counted themselves
//! name:  mov (%rdi), %edi
//! count: mov …; lea …; sub …; js take; addq $1, (%rax)
//! code:  push %rbp …                           calls with values: to here, or to `count`
//! ```
//!
//! The entry belongs to the symbol. For a debugger it is part of the procedure only if no call passes it by, for a
//! breakpoint must be on the way of all calls.

pub(crate) mod loaded;

use self::loaded::Loaded;
use crate::symbols::{COUNTERS, Symbols};
use crate::{EntryData, Error, ProfileData};
use cranelift_codegen::binemit::Reloc;
use cranelift_module::{FuncId, ModuleReloc, ModuleRelocTarget};
use cranelift_object::ObjectProduct;
use cranelift_object::object::write::Relocation;
use cranelift_object::object::{RelocationEncoding, RelocationFlags, RelocationKind};
use rustc_hash::FxHashMap;
use target_lexicon::{Architecture, Triple};
use trueline_abi::record::TAKE_BLOCK;
use trueline_ir::Unit;
use trueline_provenance::CounterInfo;

/// Whether entries can be counted on the target.
#[must_use]
pub fn counts_entries(triple: &Triple) -> bool {
    matches!(triple.architecture, Architecture::X86_64)
}

/// The namespaces of functions by the way in which they are called begin behind this one.
const WAYS: u32 = 1 << 16;

/// A way to call a procedure of the same object.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Passage {
    /// With values, where the entry loads arguments.
    pub(crate) has_values: bool,
    /// Having added to the counter of the entry.
    pub(crate) has_counted: bool,
}

impl Passage {
    /// The namespace of the functions that are called so; 0 for a call by the symbol.
    pub(crate) fn namespace(self) -> u32 {
        match self {
            Passage { has_values: false, has_counted: false } => 0,
            Passage { has_values, has_counted } => WAYS + u32::from(has_values) + 2 * u32::from(has_counted),
        }
    }

    fn of_namespace(space: u32) -> Option<Passage> {
        let bits = space.checked_sub(WAYS).filter(|bits| (1..4).contains(bits))?;
        Some(Passage { has_values: bits & 1 != 0, has_counted: bits & 2 != 0 })
    }
}

/// The cells of the counters of entries that calls by name add to, by symbol. A caller that has the address of the counters adds itself, which takes one
/// instruction, and passes by the entry, which would take five.
pub(crate) fn counted_by_all(profile: Option<&ProfileData>, triple: &Triple) -> FxHashMap<String, u32> {
    let Some(profile) = profile.filter(|_| counts_entries(triple)) else { return FxHashMap::default() };
    let cells = cells(profile);
    let all = profile.entries.iter().filter(|e| !e.is_passed_by);
    all.filter_map(|e| Some((e.symbol.clone(), *cells.get(&e.counter)?))).collect()
}

/// The entry of a procedure.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// Whether it asks for the block.
    asks: bool,
    /// Whether it loads arguments.
    loads: bool,
    /// The counter that it adds to; none if it only asks for the block.
    pub(crate) cell: Option<u32>,
    pub(crate) is_passed_by: bool,
    /// Whether calls of other objects may pass it by.
    pub(crate) is_open: bool,
}

impl Entry {
    const EMPTY: Entry = Entry { asks: false, loads: false, cell: None, is_passed_by: true, is_open: false };

    /// Whether for a debugger it is part of the procedure: no call passes it by.
    pub(crate) fn is_part(self) -> bool {
        !self.is_passed_by && !self.is_open && !self.loads
    }
}

/// The entries by procedure.
pub(crate) type Entries = FxHashMap<FuncId, Entry>;

/// The procedures whose entries are counted in this object, or load arguments.
pub(crate) fn entries(symbols: &Symbols, profile: Option<&ProfileData>, loaded: &Loaded) -> Entries {
    let mut out = profile.map_or_else(Entries::default, |profile| counted(symbols, profile));
    for id in loaded.symbols().filter_map(|name| symbols.function_id(name)) {
        out.entry(id).or_insert(Entry::EMPTY).loads = true;
    }
    out
}

/// The cells of the counters.
fn cells(profile: &ProfileData) -> FxHashMap<CounterInfo, u32> {
    profile.counters.iter().zip(0..).map(|(c, cell)| (*c, cell)).collect()
}

fn counted(symbols: &Symbols, profile: &ProfileData) -> Entries {
    let cells = cells(profile);
    let entry = |e: &EntryData| {
        let cell = Some(*cells.get(&e.counter)?);
        let (is_passed_by, is_open) = (e.is_passed_by, e.is_open);
        Some((symbols.function_id(&e.symbol)?, Entry { asks: true, loads: false, cell, is_passed_by, is_open }))
    };
    profile.entries.iter().filter_map(entry).collect()
}

/// A compiled procedure, as far as entries depend on it.
pub(crate) struct Procedure<'a> {
    pub(crate) id: FuncId,
    /// Whether its code counts, or calls counting code without asking for the block.
    pub(crate) counts: bool,
    pub(crate) relocs: &'a [ModuleReloc],
}

/// Adds the entries that only ask for the block: of procedures that count, and of their callers in the same object.
pub(crate) fn add_checks(entries: &mut Entries, procedures: &[Procedure<'_>]) {
    let mut callers: FxHashMap<FuncId, Vec<FuncId>> = FxHashMap::default();
    for p in procedures {
        for callee in p.relocs.iter().filter_map(called) {
            callers.entry(callee).or_default().push(p.id);
        }
    }
    let asks = |entries: &Entries, id: &FuncId| entries.get(id).is_some_and(|e| e.asks);
    let counting = procedures.iter().filter(|p| p.counts || asks(entries, &p.id));
    let mut left: Vec<FuncId> = counting.map(|p| p.id).collect();
    while let Some(id) = left.pop() {
        let entry = entries.entry(id).or_insert(Entry::EMPTY);
        entry.asks = true;
        if entry.is_passed_by {
            let callers = callers.remove(&id).unwrap_or_default();
            left.extend(callers.into_iter().filter(|c| !asks(entries, c)));
        }
    }
}

/// The procedure that is called there, if it may be one of this object.
pub(crate) fn called(r: &ModuleReloc) -> Option<FuncId> {
    match r.name {
        ModuleRelocTarget::User { namespace: 0, index }
            if matches!(r.kind, Reloc::X86CallPCRel4 | Reloc::Arm64Call) =>
        {
            Some(FuncId::from_u32(index))
        }
        _ => None,
    }
}

/// Gives calls in a way of their own the names of the procedures; their places and ways.
pub(crate) fn take_ways(relocs: &mut [ModuleReloc]) -> FxHashMap<u32, Passage> {
    let mut out = FxHashMap::default();
    for r in relocs {
        if let ModuleRelocTarget::User { namespace, index } = r.name
            && let Some(way) = Passage::of_namespace(namespace)
        {
            r.name = ModuleRelocTarget::user(0, index);
            out.insert(r.offset, way);
        }
    }
    out
}

/// The instructions of an entry.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) bytes: Vec<u8>,
    /// The number of bytes before the symbol.
    pub(crate) before: usize,
    pub(crate) places: Places,
    pub(crate) relocs: Vec<ModuleReloc>,
    /// The place in the bytes of the offset of the word with the block's distance, if it asks for the block.
    pub(crate) distance: Option<u32>,
}

/// The instructions of the entry of `unit`.
pub(crate) fn code(symbols: &Symbols, entry: Entry, unit: &Unit, triple: &Triple) -> Result<Code, Error> {
    let loads = if entry.loads { loaded::code(unit, triple)? } else { Vec::new() };
    let mut out = Code::default();
    if !entry.asks {
        (out.places.values, out.places.code) = (loads.len(), loads.len());
        return Ok(Code { bytes: loads, ..out });
    }
    let missing = || Error::internal("there are no counters");
    let take = symbols.function_id(TAKE_BLOCK).ok_or_else(missing)?;
    let name = ModuleRelocTarget::user(0, take.as_u32());
    out.relocs.push(ModuleReloc { offset: 1, kind: Reloc::X86CallPCRel4, name, addend: -4 });
    // call …
    out.bytes.extend([0xe8, 0, 0, 0, 0]);
    let mut passing = None;
    if entry.loads {
        let rest = if entry.cell.is_some() { COUNT } else { ASK };
        // Both jumps are over all that is still to come, the first one not over the code that asks.
        let jump = |over: usize| [0xeb, over as u8];
        out.bytes.extend(jump(2 * loads.len() + 2));
        passing = Some(out.bytes.len());
        out.bytes.extend(&loads);
        out.bytes.extend(jump(loads.len() + rest));
    }
    out.before = out.bytes.len();
    out.bytes.extend(&loads);
    let asks = out.bytes.len();
    // mov …(%rip), %r11
    out.bytes.extend([0x4c, 0x8b, 0x1d, 0, 0, 0, 0]);
    out.distance = Some(asks as u32 + 3);
    // To the very beginning, from behind the jump.
    let back = |out: &Code| (-(out.bytes.len() as i64 + 2)) as u8;
    if let Some(cell) = entry.cell {
        let counters = symbols.data_id(COUNTERS).ok_or_else(missing)?;
        let name = ModuleRelocTarget::user(1, counters.as_u32());
        let offset = out.bytes.len() as u32 + 3;
        out.relocs.push(ModuleReloc { offset, kind: Reloc::X86PCRel4, name, addend: i64::from(cell) * 8 - 4 });
        // lea …(%rip), %rax; sub %fs:(%r11), %rax; js; addq $1, (%rax)
        out.bytes.extend([0x48, 0x8d, 0x05, 0, 0, 0, 0, 0x64, 0x49, 0x2b, 0x03]);
        out.bytes.extend([0x78, back(&out)]);
        out.bytes.extend([0x48, 0x83, 0x00, 1]);
    } else {
        // cmpb $0x80, %fs:7(%r11); je: the highest byte of no distance but `NO_BLOCK` is that.
        out.bytes.extend([0x64, 0x41, 0x80, 0x7b, 7, 0x80]);
        out.bytes.extend([0x74, back(&out)]);
    }
    let code = out.bytes.len();
    let values = if entry.is_passed_by { code } else { asks };
    out.places = Places { passing: passing.unwrap_or(code), values, code };
    Ok(out)
}

/// The bytes of the code that asks for a block and counts,
const COUNT: usize = 24;
/// and of that which only asks.
const ASK: usize = 15;

/// A call that passes by an entry: the caller, where the displacement is in its bytes, the callee.
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    caller: FuncId,
    offset: u32,
    callee: FuncId,
    way: Passage,
    addend: i64,
}

/// Takes the calls that pass by entries out of `relocs`; `ways` names those with a passage of their own.
pub(crate) fn take_calls(
    relocs: &mut Vec<ModuleReloc>,
    caller: FuncId,
    entries: &Entries,
    ways: &FxHashMap<u32, Passage>,
) -> Vec<Inside> {
    let mut out = Vec::new();
    relocs.retain(|r| {
        let way = ways.get(&r.offset).copied().unwrap_or_default();
        let passes = |c: &FuncId| way != Passage::default() || entries.get(c).is_some_and(|e| e.asks && e.is_passed_by);
        let Some(callee) = called(r).filter(passes) else { return true };
        out.push(Inside { caller, offset: r.offset, callee, way, addend: r.addend });
        false
    });
    out
}

/// The places to which calls that pass by an entry go, in the bytes of the procedure.
#[derive(Clone, Copy, Default)]
pub(crate) struct Places {
    /// For calls with addresses that are counted themselves.
    pub(crate) passing: usize,
    /// For calls with values.
    values: usize,
    /// For calls with values that are counted themselves: the code.
    code: usize,
}

impl Places {
    /// The same with this number of bytes before.
    pub(crate) fn behind(self, bytes: usize) -> Places {
        let Places { passing, values, code } = self;
        Places { passing: passing + bytes, values: values + bytes, code: code + bytes }
    }

    fn of(self, passage: Passage) -> usize {
        match passage {
            Passage { has_values: false, .. } => self.passing,
            Passage { has_counted: false, .. } => self.values,
            Passage { .. } => self.code,
        }
    }
}

/// Directs such calls to the code behind the entry.
pub(crate) fn write_calls(
    product: &mut ObjectProduct,
    calls: &[Inside],
    places: &FxHashMap<FuncId, Places>,
    triple: &Triple,
) -> Result<(), Error> {
    let (encoding, size) = match triple.architecture {
        Architecture::X86_64 => (RelocationEncoding::X86Branch, 32),
        _ => (RelocationEncoding::AArch64Call, 26),
    };
    for call in calls {
        let (caller, callee) = (product.function_symbol(call.caller), product.function_symbol(call.callee));
        let start = product.object.symbol(caller);
        let (start, within) = (start.value, start.section.id());
        let target = product.object.symbol(callee);
        let (Some(within), Some(section)) = (within, target.section.id()) else {
            return Err(Error::internal("a procedure is not defined"));
        };
        let place = places.get(&call.callee).map_or(0, |p| p.of(call.way));
        let addend = (target.value + place as u64) as i64 + call.addend;
        // Relative to the section: in a shared library, the name of a procedure may be another's.
        let symbol = product.object.section_symbol(section);
        let flags = RelocationFlags::Generic { kind: RelocationKind::Relative, encoding, size };
        let offset = start + u64::from(call.offset);
        let added = product.object.add_relocation(within, Relocation { offset, symbol, addend, flags });
        added.map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(())
}
