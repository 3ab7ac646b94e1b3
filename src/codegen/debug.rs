//! The DWARF line table, from the sets: the line of an instruction is that of the first member of the
//! set of the statement it came from, so a debugger stops on the source line that the code is for.
//!
//! Cranelift's optimizer drops the location of some pure instructions; they belong to the row before.

use crate::lines::{self, Owner, Piece};
use crate::section::{Section, Target};
use crate::symbols::Symbols;
use cranelift_module::FuncId;
use cranelift_object::ObjectProduct;
use cranelift_object::object::write::{Relocation, StandardSegment, SymbolId};
use cranelift_object::object::{RelocationEncoding, RelocationFlags, RelocationKind, SectionKind};
use gimli::write::{Address, AttributeValue, DwarfUnit, LineProgram, LineString, Result, Sections};
use gimli::{Encoding, Format, LineEncoding};
use rustc_hash::FxHashMap;
use trueline_ir::Unit;
use trueline_provenance::StmtInfos;

/// A compiled unit.
pub(crate) struct Lines<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) id: FuncId,
    /// How many bytes behind the symbol the code begins.
    pub(crate) entry: u64,
    /// Whether those bytes are part of the procedure.
    pub(crate) is_part: bool,
    /// How many bytes the code has.
    pub(crate) size: u64,
    /// What its code belongs to.
    pub(crate) pieces: Vec<Piece>,
}

impl Lines<'_> {
    /// How many bytes of the procedure are before the code.
    pub(crate) fn before(&self) -> u64 {
        if self.is_part { self.entry } else { 0 }
    }

    /// Where the procedure, number `symbol`, begins.
    pub(crate) fn start(&self, symbol: usize) -> Address {
        Address::Symbol { symbol, addend: (self.entry - self.before()) as i64 }
    }

    /// How many bytes the procedure has.
    pub(crate) fn len(&self) -> u64 {
        self.before() + self.size
    }
}

/// Writes `.debug_*` sections for the functions.
pub(crate) fn write_lines(
    product: &mut ObjectProduct,
    functions: &[Lines<'_>],
    linker: &Symbols,
    infos: &StmtInfos,
) -> Result<()> {
    let encoding = Encoding { format: Format::Dwarf32, version: 5, address_size: 8 };
    let mut dwarf = DwarfUnit::new(encoding);
    let main_file = infos.files.first().map_or("", |f| f.path.as_str());
    let text = |s: &str| LineString::String(s.as_bytes().to_vec());
    let mut program = LineProgram::new(encoding, LineEncoding::default(), text("."), None, text(main_file), None);
    let directory = program.default_directory();
    let files: Vec<_> = infos.files.iter().map(|f| program.add_file(text(&f.path), directory, None)).collect();
    for (symbol, lines) in functions.iter().enumerate() {
        lines::add_rows(&mut program, &files, symbol, lines, infos);
    }
    dwarf.unit.line_program = program;
    describe_unit(&mut dwarf, main_file, functions, linker, infos);
    let mut sections = Sections::new(Section::new());
    dwarf.write(&mut sections)?;
    let symbols: Vec<SymbolId> = functions.iter().map(|f| product.function_symbol(f.id)).collect();
    add_sections(product, &mut sections, &symbols)
}

fn describe_unit(dwarf: &mut DwarfUnit, file: &str, functions: &[Lines<'_>], linker: &Symbols, infos: &StmtInfos) {
    let text = |s: &str| AttributeValue::String(s.as_bytes().to_vec());
    let root = dwarf.unit.root();
    let ranges = functions
        .iter()
        .enumerate()
        .map(|(symbol, f)| gimli::write::Range::StartLength { begin: f.start(symbol), length: f.len() })
        .collect();
    let ranges = dwarf.unit.ranges.add(gimli::write::RangeList(ranges));
    let entry = dwarf.unit.get_mut(root);
    entry.set(gimli::DW_AT_producer, text(concat!("trueline ", env!("CARGO_PKG_VERSION"))));
    entry.set(gimli::DW_AT_language, AttributeValue::Language(gimli::DW_LANG_Fortran90));
    entry.set(gimli::DW_AT_name, text(file));
    entry.set(gimli::DW_AT_comp_dir, text("."));
    entry.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
    for (symbol, lines @ Lines { unit, .. }) in functions.iter().enumerate() {
        let id = dwarf.unit.add(root, gimli::DW_TAG_subprogram);
        let entry = dwarf.unit.get_mut(id);
        entry.set(gimli::DW_AT_name, text(unit.name()));
        entry.set(gimli::DW_AT_linkage_name, text(&linker.linker_name(unit.symbol())));
        entry.set(gimli::DW_AT_external, AttributeValue::Flag(unit.is_exported()));
        entry.set(gimli::DW_AT_decl_line, AttributeValue::Udata(u64::from(lines::line(unit, infos, Owner::Entry).1)));
        entry.set(gimli::DW_AT_low_pc, AttributeValue::Address(lines.start(symbol)));
        entry.set(gimli::DW_AT_high_pc, AttributeValue::Udata(lines.len()));
    }
}

fn add_sections(product: &mut ObjectProduct, sections: &mut Sections<Section>, functions: &[SymbolId]) -> Result<()> {
    let mut ids = FxHashMap::default();
    let mut pending = Vec::new();
    sections.for_each_mut(|id, section| -> Result<()> {
        if section.bytes.slice().is_empty() {
            return Ok(());
        }
        let object = &mut product.object;
        let name = id.name().as_bytes().to_vec();
        let segment = object.segment_name(StandardSegment::Debug).to_vec();
        let at = object.add_section(segment, name, SectionKind::Debug);
        object.append_section_data(at, section.bytes.slice(), 1);
        ids.insert(id, object.section_symbol(at));
        pending.push((at, std::mem::take(&mut section.relocations)));
        Ok(())
    })?;
    for (at, relocations) in pending {
        for (offset, target, size, addend) in relocations {
            let symbol = match target {
                Target::Function(i) => functions[i],
                Target::Section(id) => match ids.get(&id) {
                    Some(&symbol) => symbol,
                    None => continue,
                },
            };
            let flags = RelocationFlags::Generic {
                kind: RelocationKind::Absolute,
                encoding: RelocationEncoding::Generic,
                size: size * 8,
            };
            let added = product.object.add_relocation(at, Relocation { offset, symbol, addend, flags });
            debug_assert!(added.is_ok(), "an absolute relocation is always possible");
        }
    }
    Ok(())
}
