//! From compiled functions and data to an object file.

use crate::intrinsic::abs_mask;
use crate::symbols::{COUNTERS, RECORDS, Symbols, merged_areas};
use crate::{Error, ProfileData};
use cranelift_codegen::ir::Signature;
use cranelift_codegen::isa::CallConv;
use cranelift_module::{DataDescription, DataId, Linkage, Module};
use cranelift_object::object::{self, write::SymbolSection};
use cranelift_object::{ObjectModule, ObjectProduct};
use rustc_hash::FxHashMap;
use target_lexicon::Architecture;
use trueline_abi::record::{
    ANCHOR, COUNTERS_SECTION, HEADER_SIZE, OBJECT_MAGIC, OBJECTS_SECTION, RECORD_SIZE, counters_alignment,
};
use trueline_ir::{ExprData, Intrinsic, KNOWS_RANKS, Linkage as AreaLinkage, Unit};

/// A load whose address has the same lowest twelve bits as that of a store right before it waits for the store.
const PAGE: u64 = 4096;
/// The places of large areas in their pages are so far apart, each behind the one before: ten of them are at least 320 bytes apart.
const APART: u64 = 1216;

/// The areas without contents in the order in which they lie in the section, and its length so far.
///
/// In `x(i) = y(i) + y(i + 1)` the loads run ahead of the stores. If `x` and `y` are of 1000 elements and neighbours, each store is 192 bytes
/// before the load that comes next, but for whole pages (a Livermore loop: 1.27 of the time).
#[derive(Default)]
struct Spread {
    length: u64,
    large: u64,
}

impl Spread {
    /// Takes an area with a size and an alignment in. Returns the bytes to be left free before it.
    fn take(&mut self, size: u64, align: u64) -> u64 {
        let mut gap = 0;
        if size >= PAGE && align < PAGE {
            let wanted = (self.large * APART) % PAGE;
            let start = self.length.next_multiple_of(align);
            gap = (wanted + PAGE - start % PAGE) % PAGE / align * align;
            self.large += 1;
            if gap > 0 {
                gap += start - self.length;
            }
        }
        self.length = (self.length + gap).next_multiple_of(align) + size;
        gap
    }
}

/// Declares and defines all data: static areas, character constants.
pub(crate) fn define_data(module: &mut ObjectModule, symbols: &mut Symbols, units: &[Unit]) -> Result<(), Error> {
    let mut spread = Spread::default();
    for area in merged_areas(units) {
        let undefined =
            area.linkage == AreaLinkage::Import || (area.linkage == AreaLinkage::Common && area.init.is_empty());
        if undefined {
            continue;
        }
        let id = symbols.data_id(&area.symbol).ok_or_else(|| Error::internal("an area was not declared"))?;
        let mut data = DataDescription::new();
        if area.addresses.is_empty() && area.init.iter().all(|&b| b == 0) {
            let size = usize::try_from(area.size.max(1)).map_err(|_| Error::internal("an area is too large"))?;
            let gap = spread.take(size as u64, u64::from(area.align.max(1)));
            if gap > 0 {
                let free = module.declare_anonymous_data(true, false)?;
                let mut data = DataDescription::new();
                data.define_zeroinit(gap as usize);
                module.define_data(free, &data)?;
            }
            data.define_zeroinit(size);
        } else {
            let mut content = area.init.clone();
            content.resize(area.size.max(1) as usize, 0);
            data.define(content.into_boxed_slice());
        }
        data.set_align(u64::from(area.align.max(1)));
        for (at, of, add) in &area.addresses {
            let at = u32::try_from(*at).map_err(|_| Error::internal("an address lies too far in an area"))?;
            match (symbols.data_id(of), symbols.public_id(of)) {
                (Some(of), _) => {
                    let of = module.declare_data_in_data(of, &mut data);
                    data.write_data_addr(at, of, *add);
                }
                (None, Some(of)) => {
                    let of = module.declare_func_in_data(of, &mut data);
                    data.write_function_addr(at, of);
                }
                (None, None) => return Err(Error::internal("an area was not declared")),
            }
        }
        module.define_data(id, &data)?;
    }
    Ok(())
}

/// Declares and defines the character constants that the code mentions, each once.
pub(crate) fn define_texts(module: &mut ObjectModule, symbols: &mut Symbols, units: &[Unit]) -> Result<(), Error> {
    for unit in units {
        for e in unit.pool().all() {
            let ExprData::Text(i) = unit.expr(e) else { continue };
            let text = unit.pool().text(i);
            let name = crate::text_symbol(text);
            if symbols.data_id(&name).is_some() {
                continue;
            }
            let id = symbols.text(module, &name)?;
            let mut data = DataDescription::new();
            // One byte more, so that an empty constant has an address of its own.
            let mut bytes = text.to_vec();
            bytes.push(0);
            data.define(bytes.into_boxed_slice());
            module.define_data(id, &data)?;
        }
    }
    Ok(())
}

/// Declares and defines the real constants, each pattern of bits once; returns their places.
pub(crate) fn define_reals(
    module: &mut ObjectModule,
    symbols: &mut Symbols,
    units: &[Unit],
) -> Result<FxHashMap<u64, u32>, Error> {
    let mut all: Vec<u64> = Vec::new();
    for unit in units {
        for e in unit.pool().all() {
            match unit.expr(e) {
                ExprData::Real(_, bits) => all.push(bits),
                ExprData::Complex(_, re, im) => all.extend([re, im]),
                ExprData::Intrinsic(Intrinsic::Abs, _) => all.extend(abs_mask(unit.ty(e))),
                ExprData::Intrinsic(i, args) => {
                    let first = unit.pool().list(args).first();
                    all.extend(first.into_iter().flat_map(|&a| crate::expr::round::constants(i, unit.ty(a))));
                }
                _ => {}
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    let id = symbols.datum(module, crate::REALS, Linkage::Local, false)?;
    let mut data = DataDescription::new();
    let bytes: Vec<u8> = all.iter().flat_map(|b| b.to_le_bytes()).chain([0; 8]).collect();
    data.define(bytes.into_boxed_slice());
    data.set_align(8);
    module.define_data(id, &data)?;
    Ok(all.into_iter().enumerate().map(|(i, bits)| (bits, i as u32)).collect())
}

/// Declares the counters and records, which code refers to.
pub(crate) fn declare_profile(
    module: &mut ObjectModule,
    symbols: &mut Symbols,
    profile: &ProfileData,
) -> Result<(), Error> {
    let counters = symbols.datum(module, COUNTERS, Linkage::Local, true)?;
    let mut data = DataDescription::new();
    let alignment = counters_alignment(matches!(module.isa().triple().architecture, Architecture::X86_64));
    let countdowns = if crate::block::has_blocks(module.isa().triple()) { profile.records.len() } else { 0 };
    let size = ((profile.counters.len() + countdowns).max(1) as u64 * 8).next_multiple_of(alignment);
    let size = usize::try_from(size).map_err(|_| Error::internal("too many counters"))?;
    // A section of its own has content, so its zeros are stored.
    data.define(vec![0; size].into_boxed_slice());
    data.set_align(alignment);
    data.set_custom_section(COUNTERS_SECTION);
    module.define_data(counters, &data)?;
    crate::block::declare(module, symbols)?;
    crate::probe::declare(module, symbols)?;
    let records = symbols.datum(module, RECORDS, Linkage::Local, true)?;
    let mut data = DataDescription::new();
    let mut bytes = vec![0u8; (profile.records.len().max(1) as u64 * RECORD_SIZE) as usize];
    for (i, record) in profile.records.iter().enumerate() {
        let at = i * RECORD_SIZE as usize + 8;
        bytes[at..at + 4].copy_from_slice(&record.construct.to_le_bytes());
    }
    data.define(bytes.into_boxed_slice());
    data.set_align(64);
    for (i, record) in profile.records.iter().enumerate() {
        let name = constant(module, symbols, &format!("trueline.name.{i}"), &[record.name.as_bytes(), b"\0"].concat())?;
        let name = module.declare_data_in_data(name, &mut data);
        data.write_data_addr(u32::try_from(i as u64 * RECORD_SIZE).unwrap_or(u32::MAX), name, 0);
    }
    module.define_data(records, &data)?;
    define_header(module, symbols, profile, counters, records)
}

/// The header in its section of its own.
fn define_header(
    module: &mut ObjectModule,
    symbols: &mut Symbols,
    profile: &ProfileData,
    counters: DataId,
    records: DataId,
) -> Result<(), Error> {
    let meta = constant(module, symbols, "trueline.meta", &profile.meta)?;
    let header = symbols.datum(module, crate::address_map::HEADER, Linkage::Local, true)?;
    let mut data = DataDescription::new();
    let mut bytes = vec![0u8; HEADER_SIZE as usize];
    bytes[0..8].copy_from_slice(&OBJECT_MAGIC.to_le_bytes());
    bytes[16..24].copy_from_slice(&(profile.counters.len() as u64).to_le_bytes());
    bytes[32..40].copy_from_slice(&(profile.records.len() as u64).to_le_bytes());
    bytes[48..56].copy_from_slice(&(profile.meta.len() as u64).to_le_bytes());
    bytes[64..72].copy_from_slice(&profile.tree_depth.to_le_bytes());
    bytes[72..80].copy_from_slice(&profile.budget.to_le_bytes());
    // The address map, at 80, is written when the code has its place.
    bytes[104..112].copy_from_slice(&profile.sample_rate.to_le_bytes());
    // The tables of entries and targets, behind that, are written later, too.
    data.define(bytes.into_boxed_slice());
    data.set_align(8);
    data.set_custom_section(OBJECTS_SECTION);
    data.set_used(true);
    for (at, id) in [(8, counters), (24, records), (40, meta)] {
        let global = module.declare_data_in_data(id, &mut data);
        data.write_data_addr(at, global, 0);
    }
    // An object without timers calls nothing of the runtime, and has to be linked with it all the same.
    let anchor = module.declare_function(ANCHOR, Linkage::Import, &Signature::new(CallConv::SystemV))?;
    let anchor = module.declare_func_in_data(anchor, &mut data);
    data.write_function_addr(56, anchor);
    module.define_data(header, &data)?;
    Ok(())
}

fn constant(module: &mut ObjectModule, symbols: &mut Symbols, name: &str, bytes: &[u8]) -> Result<DataId, Error> {
    let id = symbols.datum(module, name, Linkage::Local, false)?;
    let mut data = DataDescription::new();
    data.define(if bytes.is_empty() { Box::new([0]) } else { bytes.into() });
    module.define_data(id, &data)?;
    Ok(id)
}

/// COMMON blocks without content become common symbols: the linker merges them, the largest wins.
pub(crate) fn make_commons(product: &mut ObjectProduct, symbols: &Symbols) {
    for (_, id, size, align) in &symbols.commons {
        let symbol = product.data_symbol(*id);
        let entry = product.object.symbol_mut(symbol);
        entry.section = SymbolSection::Common;
        entry.size = (*size).max(1);
        entry.value = u64::from((*align).max(1));
        entry.kind = object::SymbolKind::Data;
        // An object, not of the type of its own that ELF has for commons: GNU ld does not share such between an executable
        // and shared libraries.
        let st_info = (object::elf::STB_GLOBAL << 4) | object::elf::STT_OBJECT;
        entry.flags = object::SymbolFlags::Elf { st_info, st_other: object::elf::STV_DEFAULT };
    }
}

/// The symbols beside procedures that ask for mapped arrays are seen by the objects of the same executable or shared library, each of which has a runtime of its own.
/// The ones of other objects may be missing.
pub(crate) fn hide_ranks(product: &mut ObjectProduct, symbols: &Symbols, units: &[Unit]) {
    let areas = merged_areas(units);
    let names = areas.iter().flat_map(|a| std::iter::once(&a.symbol).chain(a.addresses.iter().map(|(_, of, _)| of)));
    let names: Vec<&String> = names.filter(|n| n.ends_with(KNOWS_RANKS)).collect();
    for name in names {
        let symbol = match (symbols.data_id(name), symbols.public_id(name)) {
            (Some(id), _) => product.data_symbol(id),
            (None, Some(id)) => product.function_symbol(id),
            (None, None) => continue,
        };
        let symbol = product.object.symbol_mut(symbol);
        if symbol.is_undefined() {
            symbol.weak = true;
        }
        if symbol.scope != object::SymbolScope::Compilation {
            symbol.scope = object::SymbolScope::Linkage;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_areas_are_spread_over_pages() {
        let mut spread = Spread::default();
        let mut starts = Vec::new();
        let mut at: u64 = 0;
        for size in [8000, 24, 8000, 40_000, 8000, 16] {
            at = (at + spread.take(size, 64)).next_multiple_of(64);
            starts.push(at);
            at += size;
            assert_eq!(spread.length, at);
        }
        let large: Vec<u64> = [0, 2, 3, 4].into_iter().map(|k| starts[k] % PAGE).collect();
        assert_eq!(large, [0, 1216, 2432, 3648]);
        // Small ones follow at once.
        assert_eq!([starts[1], starts[5]], [8000, starts[4] + 8000]);
    }

    #[test]
    fn areas_of_whole_pages_stay() {
        let mut spread = Spread::default();
        assert_eq!(spread.take(8192, 4096), 0);
        assert_eq!(spread.take(8192, 8192), 0);
    }
}
