//! Calls of procedures in other objects that are counted where they are made.
//!
//! ```text
//! plain:     mov leaf@gotpcrel(%rip), %rax      profiled:  mov trueline.targets+8*k(%rip), %rax
//!            call *%rax                                    call *%rax
//! ```
//!
//! A call of another object's procedure goes by its address, which the linker and the loader find by its symbol. In a
//! profiled build the calls that count themselves take it from a table of the object: the same instructions, and the
//! same symbol in a relocation of the same binding. Before any of these calls is made the runtime looks at the table,
//! once: an address that is the entry of a procedure of the same executable or shared library is moved on to the code
//! behind the entry, so the call passes by the counting code that would count it again. By then it is decided which
//! definition a name stands for: by archives, weak definitions, `--wrap`, versions, interposition by executables and
//! `LD_PRELOAD`. Any other address stays unchanged.
//!
//! ```text
//! trueline.entered:  entry of leaf, code of leaf, cell      for each procedure that others may pass by (`Entered`)
//! ```
//!
//! These addresses are relative to the section: by its symbol the procedure may be another one.

use crate::entry::{Entries, Places};
use crate::symbols::{self, Symbols};
use crate::{Error, ProfileData};
use cranelift_codegen::binemit::Reloc;
use cranelift_module::{DataDescription, DataId, FuncId, Linkage, Module, ModuleReloc, ModuleRelocTarget};
use cranelift_object::object::write::Relocation;
use cranelift_object::object::{RelocationEncoding, RelocationFlags, RelocationKind};
use cranelift_object::{ObjectModule, ObjectProduct};
use rustc_hash::FxHashMap;
use std::mem::{offset_of, size_of};
use trueline_abi::record::{Entered, ObjectHeader};
use trueline_ir::Unit;

const TARGETS: &str = "trueline.targets";
const ENTERED: &str = "trueline.entered";

/// The procedures of other objects that calls find in the table.
#[derive(Default)]
pub(crate) struct Targets {
    table: Option<DataId>,
    places: FxHashMap<FuncId, usize>,
    len: usize,
}

impl Targets {
    /// Makes the table. A procedure whose address is taken is not in it, for that is loaded in the same way.
    pub(crate) fn define(
        module: &mut ObjectModule,
        symbols: &mut Symbols,
        profile: &ProfileData,
        units: &[Unit],
    ) -> Result<Targets, Error> {
        let mut out = Targets { len: profile.outside.len(), ..Targets::default() };
        if out.len == 0 {
            return Ok(out);
        }
        let passed = symbols::passed(units);
        let table = symbols.datum(module, TARGETS, Linkage::Local, true)?;
        let mut data = DataDescription::new();
        data.define(vec![0; 8 * out.len].into_boxed_slice());
        data.set_align(8);
        for (k, name) in profile.outside.iter().enumerate() {
            let Some(id) = symbols.function_id(name).filter(|_| !passed.contains(name.as_str())) else { continue };
            let function = module.declare_func_in_data(id, &mut data);
            data.write_function_addr(8 * k as u32, function);
            out.places.insert(id, k);
        }
        module.define_data(table, &data)?;
        out.table = Some(table);
        Ok(out)
    }

    /// The place in the table of the procedure whose address is loaded there, if the table has it.
    fn place(&self, r: &ModuleReloc) -> Option<usize> {
        match r.name {
            ModuleRelocTarget::User { namespace: 0, index } if r.kind == Reloc::X86GOTPCRel4 => {
                self.places.get(&FuncId::from_u32(index)).copied()
            }
            _ => None,
        }
    }

    /// Whether there is a call by the table among the relocations.
    pub(crate) fn are_called(&self, relocs: &[ModuleReloc]) -> bool {
        relocs.iter().any(|r| self.place(r).is_some())
    }

    /// Leads the calls to the table.
    pub(crate) fn redirect(&self, relocs: &mut [ModuleReloc]) {
        let Some(table) = self.table else { return };
        for r in relocs {
            if let Some(k) = self.place(r) {
                r.name = ModuleRelocTarget::user(1, table.as_u32());
                r.kind = Reloc::X86PCRel4;
                r.addend += 8 * k as i64;
            }
        }
    }
}

/// Makes the room for the table of entries; it gets its content when the procedures have their places.
pub(crate) fn define_entered(
    module: &mut ObjectModule,
    symbols: &mut Symbols,
    entries: &Entries,
) -> Result<Vec<(FuncId, u32)>, Error> {
    let mut open: Vec<(FuncId, u32)> =
        entries.iter().filter(|(_, e)| e.is_open).filter_map(|(&id, e)| Some((id, e.cell?))).collect();
    open.sort_unstable();
    if open.is_empty() {
        return Ok(open);
    }
    let id = symbols.datum(module, ENTERED, Linkage::Local, true)?;
    let mut bytes = vec![0; size_of::<Entered>() * open.len()];
    for (entered, (_, cell)) in bytes.chunks_exact_mut(size_of::<Entered>()).zip(&open) {
        entered[offset_of!(Entered, cell)..][..8].copy_from_slice(&u64::from(*cell).to_le_bytes());
    }
    let mut data = DataDescription::new();
    data.define(bytes.into_boxed_slice());
    data.set_align(8);
    module.define_data(id, &data)?;
    Ok(open)
}

/// Writes where entries and their code are, by their places in the bytes of the procedures, and both tables into the header.
pub(crate) fn write(
    product: &mut ObjectProduct,
    symbols: &Symbols,
    targets: &Targets,
    open: &[(FuncId, u32)],
    entries: &FxHashMap<FuncId, usize>,
    places: &FxHashMap<FuncId, Places>,
) -> Result<(), Error> {
    if let Some(table) = symbols.data_id(ENTERED) {
        for (k, (id, _)) in open.iter().enumerate() {
            let entry = entries.get(id).copied().unwrap_or_default();
            let code = places.get(id).map_or(0, |p| p.passing);
            for (field, at) in [(offset_of!(Entered, entry), entry), (offset_of!(Entered, code), code)] {
                let symbol = product.function_symbol(*id);
                refer(product, table, k * size_of::<Entered>() + field, symbol, at as u64)?;
            }
        }
    }
    let Some(header) = symbols.data_id(crate::address_map::HEADER) else { return Ok(()) };
    let tables = [
        (
            symbols.data_id(ENTERED),
            offset_of!(ObjectHeader, entered),
            offset_of!(ObjectHeader, entered_count),
            open.len(),
        ),
        (targets.table, offset_of!(ObjectHeader, targets), offset_of!(ObjectHeader, target_count), targets.len),
    ];
    for (table, at, count_at, len) in tables {
        let Some(table) = table else { continue };
        let symbol = product.data_symbol(table);
        refer(product, header, at, symbol, 0)?;
        let of = product.data_symbol(header);
        let of = product.object.symbol(of);
        let (value, section) = (of.value as usize, of.section.id());
        let section = section.ok_or_else(|| Error::internal("the object header is not defined"))?;
        let data = product.object.section_mut(section).data_mut();
        let place = data.get_mut(value + count_at..value + count_at + 8);
        place.ok_or_else(|| Error::internal("the object header is cut"))?.copy_from_slice(&(len as u64).to_le_bytes());
    }
    Ok(())
}

/// Writes the address of `offset` bytes behind `symbol`, relative to its section, to a datum.
fn refer(
    product: &mut ObjectProduct,
    datum: DataId,
    at: usize,
    symbol: cranelift_object::object::write::SymbolId,
    offset: u64,
) -> Result<(), Error> {
    let place = |product: &ObjectProduct, id| {
        let symbol = product.object.symbol(id);
        Some((symbol.section.id()?, symbol.value))
    };
    let datum = product.data_symbol(datum);
    let (Some((within, start)), Some((section, value))) = (place(product, datum), place(product, symbol)) else {
        return Err(Error::internal("a table or procedure is not defined"));
    };
    let symbol = product.object.section_symbol(section);
    let flags =
        RelocationFlags::Generic { kind: RelocationKind::Absolute, encoding: RelocationEncoding::Generic, size: 64 };
    let relocation = Relocation { offset: start + at as u64, symbol, addend: (value + offset) as i64, flags };
    product.object.add_relocation(within, relocation).map_err(|e| Error::Internal(e.to_string()))
}
