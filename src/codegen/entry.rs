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
//! The entry belongs to the symbol. For a debugger it is part of the procedure only if no call passes it by, for a
//! breakpoint must be on the way of all calls.

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

/// Whether entries can be counted on the target.
#[must_use]
pub fn counts_entries(triple: &Triple) -> bool {
    matches!(triple.architecture, Architecture::X86_64)
}

/// The entry of a procedure.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// The counter that it adds to; none if it only asks for the block.
    pub(crate) cell: Option<u32>,
    pub(crate) is_passed_by: bool,
    /// Whether calls of other objects may pass it by.
    pub(crate) is_open: bool,
}

/// The entries by procedure.
pub(crate) type Entries = FxHashMap<FuncId, Entry>;

/// The procedures whose entries are counted in this object.
pub(crate) fn entries(symbols: &Symbols, profile: Option<&ProfileData>) -> Entries {
    let Some(profile) = profile else { return Entries::default() };
    let cells: FxHashMap<_, u32> = profile.counters.iter().zip(0..).map(|(c, i)| (*c, i)).collect();
    let entry = |e: &EntryData| {
        let entry = Entry { cell: Some(*cells.get(&e.counter)?), is_passed_by: e.is_passed_by, is_open: e.is_open };
        Some((symbols.function_id(&e.symbol)?, entry))
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
    let counting = procedures.iter().filter(|p| p.counts || entries.contains_key(&p.id));
    let mut left: Vec<FuncId> = counting.map(|p| p.id).collect();
    while let Some(id) = left.pop() {
        let entry = *entries.entry(id).or_insert(Entry { cell: None, is_passed_by: true, is_open: false });
        if entry.is_passed_by {
            let callers = callers.remove(&id).unwrap_or_default();
            left.extend(callers.into_iter().filter(|c| !entries.contains_key(c)));
        }
    }
}

/// The procedure that is called there, if it may be one of this object.
pub(crate) fn called(r: &ModuleReloc) -> Option<FuncId> {
    match r.name {
        ModuleRelocTarget::User { namespace: 0, index } if r.kind == Reloc::X86CallPCRel4 => {
            Some(FuncId::from_u32(index))
        }
        _ => None,
    }
}

/// The instructions of an entry.
pub(crate) struct Code {
    pub(crate) bytes: Vec<u8>,
    /// The number of bytes before the symbol.
    pub(crate) before: usize,
    pub(crate) relocs: Vec<ModuleReloc>,
    /// The place in the bytes of the offset of the word with the block's distance.
    pub(crate) distance: u32,
}

/// The instructions of an entry that adds to a cell, or only asks for the block.
pub(crate) fn code(symbols: &Symbols, cell: Option<u32>) -> Result<Code, Error> {
    let missing = || Error::internal("there are no counters");
    let counters = symbols.data_id(COUNTERS).ok_or_else(missing)?;
    let take = symbols.function_id(TAKE_BLOCK).ok_or_else(missing)?;
    let name = ModuleRelocTarget::user(0, take.as_u32());
    let mut relocs = vec![ModuleReloc { offset: 1, kind: Reloc::X86CallPCRel4, name, addend: -4 }];
    // call …; mov …(%rip), %r11
    let mut bytes = vec![0xe8, 0, 0, 0, 0, 0x4c, 0x8b, 0x1d, 0, 0, 0, 0];
    match cell {
        Some(cell) => {
            let name = ModuleRelocTarget::user(1, counters.as_u32());
            let addend = i64::from(cell) * 8 - 4;
            relocs.push(ModuleReloc { offset: 15, kind: Reloc::X86PCRel4, name, addend });
            // lea …(%rip), %rax; sub %fs:(%r11), %rax; js; addq $1, (%rax)
            bytes.extend([0x48, 0x8d, 0x05, 0, 0, 0, 0, 0x64, 0x49, 0x2b, 0x03, 0x78, 0, 0x48, 0x83, 0x00, 1]);
            bytes[24] = (-25i8) as u8;
        }
        None => {
            // cmpb $0x80, %fs:7(%r11); je: the highest byte of no distance but `NO_BLOCK` is that.
            bytes.extend([0x64, 0x41, 0x80, 0x7b, 7, 0x80, 0x74, 0]);
            bytes[19] = (-20i8) as u8;
        }
    }
    Ok(Code { bytes, before: 5, relocs, distance: 8 })
}

/// A call that passes by an entry: the caller, where the displacement is in its bytes, the callee.
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    caller: FuncId,
    offset: u32,
    callee: FuncId,
    addend: i64,
}

/// Takes the calls that pass by entries out of `relocs`.
pub(crate) fn take_calls(relocs: &mut Vec<ModuleReloc>, caller: FuncId, entries: &Entries) -> Vec<Inside> {
    let mut out = Vec::new();
    relocs.retain(|r| {
        let Some(callee) = called(r).filter(|c| entries.get(c).is_some_and(|e| e.is_passed_by)) else { return true };
        out.push(Inside { caller, offset: r.offset, callee, addend: r.addend });
        false
    });
    out
}

/// Directs such calls to the code behind the entry. `code` maps a procedure to that place in its bytes.
pub(crate) fn write_calls(
    product: &mut ObjectProduct,
    calls: &[Inside],
    code: &FxHashMap<FuncId, usize>,
) -> Result<(), Error> {
    for call in calls {
        let (caller, callee) = (product.function_symbol(call.caller), product.function_symbol(call.callee));
        let start = product.object.symbol(caller);
        let (start, within) = (start.value, start.section.id());
        let target = product.object.symbol(callee);
        let (Some(within), Some(section)) = (within, target.section.id()) else {
            return Err(Error::internal("a procedure is not defined"));
        };
        let addend = target.value as i64 + code.get(&call.callee).map_or(0, |&n| n as i64) + call.addend;
        // Relative to the section: in a shared library, the name of a procedure may be another's.
        let symbol = product.object.section_symbol(section);
        let flags = RelocationFlags::Generic {
            kind: RelocationKind::Relative,
            encoding: RelocationEncoding::X86Branch,
            size: 32,
        };
        let offset = start + u64::from(call.offset);
        let added = product.object.add_relocation(within, Relocation { offset, symbol, addend, flags });
        added.map_err(|e| Error::Internal(e.to_string()))?;
    }
    Ok(())
}
