//! Counted entries: an add before the code of a procedure.
//!
//! ```text
//! name:  add [trueline.counters + 8 * cell], 1     who calls `name` is counted here
//!        push rbp …                                calls that are counted themselves pass it by
//! ```
//!
//! The add belongs to the symbol. For a debugger it is part of the procedure only if nothing passes it by, for a breakpoint
//! has to stand where all come along.

use crate::function::COUNTERS;
use crate::symbols::Symbols;
use crate::{EntryData, Error, ProfileData};
use cranelift_codegen::binemit::Reloc;
use cranelift_module::{FuncId, ModuleReloc, ModuleRelocTarget};
use cranelift_object::ObjectProduct;
use cranelift_object::object::write::Relocation;
use cranelift_object::object::{RelocationEncoding, RelocationFlags, RelocationKind};
use rustc_hash::FxHashMap;
use target_lexicon::{Architecture, Triple};

/// Whether entries can be counted on the target.
#[must_use]
pub fn counts_entries(triple: &Triple) -> bool {
    matches!(triple.architecture, Architecture::X86_64)
}

/// A counted entry.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) cell: u32,
    pub(crate) is_passed_by: bool,
}

/// The counted entries by procedure.
pub(crate) type Entries = FxHashMap<FuncId, Entry>;

/// The procedures whose entries are counted in this object.
pub(crate) fn entries(symbols: &Symbols, profile: Option<&ProfileData>) -> Entries {
    let Some(profile) = profile else { return Entries::default() };
    let cells: FxHashMap<_, u32> = profile.counters.iter().zip(0..).map(|(c, i)| (*c, i)).collect();
    let entry = |e: &EntryData| {
        let entry = Entry { cell: *cells.get(&e.counter)?, is_passed_by: e.is_passed_by };
        Some((symbols.function_id(&e.symbol)?, entry))
    };
    profile.entries.iter().filter_map(entry).collect()
}

/// The add to a cell, with what the linker has to fill in.
pub(crate) fn add(symbols: &Symbols, cell: u32, is_atomic: bool) -> Result<(Vec<u8>, ModuleReloc), Error> {
    let counters = symbols.data_id(COUNTERS).ok_or_else(|| Error::internal("there are no counters"))?;
    // [lock] add qword [rip + displacement], 1
    let lock: &[u8] = if is_atomic { &[0xf0] } else { &[] };
    let bytes = [lock, &[0x48, 0x83, 0x05, 0, 0, 0, 0, 1]].concat();
    let reloc = ModuleReloc {
        offset: lock.len() as u32 + 3,
        kind: Reloc::X86PCRel4,
        name: ModuleRelocTarget::user(1, counters.as_u32()),
        // The displacement counts from the end of the instruction: behind itself and the constant.
        addend: i64::from(cell) * 8 - 5,
    };
    Ok((bytes, reloc))
}

/// A call that passes by a counted entry: the caller, where the displacement is in its bytes, the callee.
#[derive(Clone, Copy)]
pub(crate) struct Inside {
    caller: FuncId,
    offset: u32,
    callee: FuncId,
    addend: i64,
}

/// Takes the calls that pass by counted entries out of `relocs`.
pub(crate) fn take_calls(relocs: &mut Vec<ModuleReloc>, caller: FuncId, entries: &Entries) -> Vec<Inside> {
    let mut out = Vec::new();
    relocs.retain(|r| {
        let ModuleRelocTarget::User { namespace: 0, index } = r.name else { return true };
        let callee = FuncId::from_u32(index);
        if r.kind != Reloc::X86CallPCRel4 || !entries.get(&callee).is_some_and(|e| e.is_passed_by) {
            return true;
        }
        out.push(Inside { caller, offset: r.offset, callee, addend: r.addend });
        false
    });
    out
}

/// Leads such calls to the code behind the add. `code` tells where in the bytes of a procedure that is.
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
