//! DWARF: the line table, the procedures with the frames that were inlined into them, and their variables.

pub(crate) mod blocks;
pub(crate) mod bounds;
pub(crate) mod code;
pub(crate) mod currency;
pub(crate) mod level;
pub(crate) mod memory;
pub(crate) mod parts;
pub(crate) mod residence;
pub(crate) mod spot;
pub(crate) mod types;
pub(crate) mod values;
pub(crate) mod variables;
pub(crate) mod wanted;
pub(crate) mod watch;

use crate::debug::blocks::Blocks;
use crate::debug::code::{Code, Files};
use crate::debug::variables::{Abstract, Procedure, Variables, describe_abstract, describe_variables};
use crate::frames::{self, Frame, Origins};
use crate::homes::Homes;
use crate::lines::{self, Piece};
use crate::section::{Section, Target};
use crate::symbols::Symbols;
use cranelift_module::FuncId;
use cranelift_object::ObjectProduct;
use cranelift_object::object::write::{Relocation, StandardSegment, SymbolId};
use cranelift_object::object::{RelocationEncoding, RelocationFlags, RelocationKind, SectionKind};
use gimli::write::{
    Address, AttributeValue, DwarfUnit, LineProgram, LineString, Location, LocationList, Range, RangeList, Result,
    Sections, UnitEntryId,
};
use gimli::{Encoding, Format, LineEncoding};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use trueline_ir::{Program, Type, Unit, UnitKind};
use trueline_provenance::{Chain, Serial, StmtInfos};

/// The stretches that the function of a unit calls if the unit was cut. They are the functions behind it.
pub(crate) struct Calls {
    pub(crate) count: usize,
    /// The distance from their frames to its own, which has the variables.
    pub(crate) distance: i64,
}

/// A compiled function of a unit.
pub(crate) struct Lines<'a> {
    pub(crate) unit: &'a Unit,
    pub(crate) id: FuncId,
    /// Bytes between the symbol and the code.
    pub(crate) entry: u64,
    /// Whether those bytes are part of the procedure.
    pub(crate) is_part: bool,
    /// The size of the code in bytes.
    pub(crate) size: u64,
    /// The owners of its code.
    pub(crate) pieces: Vec<Piece>,
    /// The places of its variables on the stack.
    pub(crate) homes: Homes,
    /// The number of the stretch, if it is one of a unit.
    pub(crate) stretch: Option<usize>,
    /// The stretches that it calls.
    pub(crate) calls: Option<Calls>,
}

impl Lines<'_> {
    /// The linker symbol.
    pub(crate) fn symbol(&self, linker: &Symbols) -> String {
        match self.stretch {
            Some(k) => crate::function::cut::name(self.unit, k),
            None => linker.linker_name(self.unit.symbol()),
        }
    }

    /// Bytes of the procedure before the code.
    pub(crate) fn before(&self) -> u64 {
        if self.is_part { self.entry } else { 0 }
    }

    /// The beginning of the procedure, number `symbol`.
    pub(crate) fn start(&self, symbol: usize) -> Address {
        Address::Symbol { symbol, addend: (self.entry - self.before()) as i64 }
    }

    /// The end of the procedure.
    fn end(&self, symbol: usize) -> Address {
        Address::Symbol { symbol, addend: (self.entry + self.size) as i64 }
    }

    /// The size of the procedure in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.before() + self.size
    }
}

/// Writes `.debug_*` sections for the functions; `is_text` says that they will be assembled.
pub(crate) fn write(
    product: &mut ObjectProduct,
    functions: &mut [Lines<'_>],
    linker: &Symbols,
    program: &Program,
    is_text: bool,
) -> Result<()> {
    let infos = &program.infos;
    let encoding = Encoding { format: Format::Dwarf32, version: 5, address_size: 8 };
    let mut dwarf = DwarfUnit::new(encoding);
    let main_file = infos.files.first().map_or("", |f| f.path.as_str());
    let line_text = |s: &str| LineString::String(s.as_bytes().to_vec());
    let mut table =
        LineProgram::new(encoding, LineEncoding::default(), line_text("."), None, line_text(main_file), None);
    let directory = table.default_directory();
    let ids = infos.files.iter().map(|f| table.add_file(line_text(&f.path), directory, None)).collect();
    let files = Files { ids, is_text };
    for (symbol, lines) in functions.iter().enumerate() {
        lines::add_rows(&mut table, &files.ids, symbol, lines, infos);
    }
    dwarf.unit.line_program = table;
    describe_file(&mut dwarf, main_file, functions, is_text);
    let root = dwarf.unit.root();
    let mut modules = Modules { entries: IndexMap::new(), root };
    let inlined: Vec<Frame> = functions.iter().map(|f| Frame::of(f.unit, &f.pieces, infos)).collect();
    let mut variables = Variables::new(program, linker, functions.len());
    let units: FxHashMap<Serial, &Unit> = program.units.iter().map(|u| (u.serial(), u)).collect();
    let origins = describe_inlined(&mut dwarf, &mut modules, &mut variables, &inlined, &units, (infos, &files));
    for unit in program.units.iter().filter(|u| u.kind() == UnitKind::Data) {
        let Some(module) = &unit.declared().module else { continue };
        let parent = modules.entry(&mut dwarf, module);
        set_place(&mut dwarf, parent, infos, &files, unit.serial());
        let code = Code { symbol: 0, entry: 0, is_text };
        let (homes, blocks) = (Homes::default(), Blocks::default());
        let of = Procedure { unit, caller: unit, homes: &homes, code, blocks: &blocks, origin: None };
        describe_variables(&mut dwarf, &mut variables, parent, of);
    }
    for symbol in 0..functions.len() {
        if functions[symbol].stretch.is_some() {
            continue;
        }
        let inlined_homes = functions[symbol].homes.take_inlined();
        let lines = &functions[symbol];
        let parent = modules.of(&mut dwarf, lines.unit);
        let id = dwarf.unit.add(parent, gimli::DW_TAG_subprogram);
        describe_procedure(&mut dwarf, id, lines, symbol, linker, is_text);
        if let Some(calls) = &lines.calls {
            describe_stretches(&mut dwarf, id, &functions[symbol..=symbol + calls.count], symbol, calls, is_text);
        }
        let origin = origins.get(&lines.unit.serial());
        match origin {
            Some(origin) => {
                dwarf.unit.get_mut(id).set(gimli::DW_AT_abstract_origin, AttributeValue::UnitRef(origin.entry));
            }
            None => {
                name(&mut dwarf, id, lines.unit, &mut variables);
                set_place(&mut dwarf, id, infos, &files, lines.unit.serial());
            }
        }
        let code = Code { symbol, entry: lines.entry, is_text };
        let pieces = |extent| lines::pieces_of_lines(lines.unit, infos, &lines.pieces, Chain::NONE, extent);
        let blocks = Blocks::describe(&mut dwarf, id, lines.unit, code, &pieces, origin.map(|o| &o.blocks));
        let of = Procedure { unit: lines.unit, caller: lines.unit, homes: &lines.homes, code, blocks: &blocks, origin };
        describe_variables(&mut dwarf, &mut variables, id, of);
        for module in &lines.unit.declared().uses {
            let imported = modules.entry(&mut dwarf, module);
            let entry = dwarf.unit.add(id, gimli::DW_TAG_imported_module);
            dwarf.unit.get_mut(entry).set(gimli::DW_AT_import, AttributeValue::UnitRef(imported));
        }
        let homes = inlined_homes.into_iter().map(|(via, residences)| (via, Homes::of_inlined(residences))).collect();
        let inside =
            Origins { entries: &origins, units: &units, homes: &homes, pieces: &lines.pieces, infos, files: &files };
        frames::describe(&mut dwarf, &mut variables, id, &inlined[symbol], of, &inside);
    }
    let mut sections = Sections::new(Section::new());
    dwarf.write(&mut sections)?;
    let mut symbols: Vec<SymbolId> = functions.iter().map(|f| product.function_symbol(f.id)).collect();
    symbols.extend(variables.areas().map(|id| product.data_symbol(id)));
    add_sections(product, &mut sections, &symbols)
}

pub(crate) fn text(s: &str) -> AttributeValue {
    AttributeValue::String(s.bytes().filter(|&b| b != 0).collect())
}

/// The entries of modules, which procedures and variables are in.
struct Modules {
    entries: IndexMap<String, UnitEntryId>,
    root: UnitEntryId,
}

impl Modules {
    fn entry(&mut self, dwarf: &mut DwarfUnit, module: &str) -> UnitEntryId {
        if let Some(&known) = self.entries.get(module) {
            return known;
        }
        let id = dwarf.unit.add(self.root, gimli::DW_TAG_module);
        dwarf.unit.get_mut(id).set(gimli::DW_AT_name, text(module));
        self.entries.insert(module.to_owned(), id);
        id
    }

    /// The scope that a procedure is in.
    fn of(&mut self, dwarf: &mut DwarfUnit, unit: &Unit) -> UnitEntryId {
        match &unit.declared().module {
            Some(module) => self.entry(dwarf, module),
            None => self.root,
        }
    }
}

fn describe_file(dwarf: &mut DwarfUnit, file: &str, functions: &[Lines<'_>], is_text: bool) {
    let root = dwarf.unit.root();
    let numbered = functions.iter().enumerate();
    let ranges = numbered.map(|(symbol, f)| match is_text {
        true => Range::StartEnd { begin: Address::Symbol { symbol, addend: 0 }, end: f.end(symbol) },
        false => Range::StartLength { begin: Address::Symbol { symbol, addend: 0 }, length: f.entry + f.size },
    });
    let ranges = dwarf.unit.ranges.add(RangeList(ranges.collect()));
    let entry = dwarf.unit.get_mut(root);
    entry.set(gimli::DW_AT_producer, text(concat!("trueline ", env!("CARGO_PKG_VERSION"))));
    entry.set(gimli::DW_AT_language, AttributeValue::Language(gimli::DW_LANG_Fortran90));
    entry.set(gimli::DW_AT_identifier_case, AttributeValue::IdentifierCase(gimli::DW_ID_down_case));
    entry.set(gimli::DW_AT_name, text(file));
    entry.set(gimli::DW_AT_comp_dir, text("."));
    entry.set(gimli::DW_AT_low_pc, AttributeValue::Address(Address::Constant(0)));
    entry.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
}

/// Entries without code for the procedures that were inlined somewhere.
fn describe_inlined(
    dwarf: &mut DwarfUnit,
    modules: &mut Modules,
    variables: &mut Variables<'_>,
    inlined: &[Frame],
    units: &FxHashMap<Serial, &Unit>,
    (infos, files): (&StmtInfos, &Files),
) -> IndexMap<Serial, Abstract> {
    let mut serials = Vec::new();
    inlined.iter().for_each(|f| f.procedures(&mut serials));
    serials.sort_unstable();
    serials.dedup();
    let mut out = IndexMap::new();
    for serial in serials {
        let Some(unit) = units.get(&serial) else { continue };
        let parent = modules.of(dwarf, unit);
        let id = dwarf.unit.add(parent, gimli::DW_TAG_subprogram);
        name(dwarf, id, unit, variables);
        let entry = dwarf.unit.get_mut(id);
        entry.set(gimli::DW_AT_linkage_name, text(unit.symbol()));
        entry.set(gimli::DW_AT_inline, AttributeValue::Inline(gimli::DW_INL_inlined));
        set_place(dwarf, id, infos, files, serial);
        out.insert(serial, describe_abstract(dwarf, variables, id, unit, files.is_text));
    }
    out
}

/// Describes the place of the code of a procedure.
fn describe_procedure(
    dwarf: &mut DwarfUnit,
    id: UnitEntryId,
    lines: &Lines<'_>,
    symbol: usize,
    linker: &Symbols,
    is_text: bool,
) {
    let mut frame = gimli::write::Expression::new();
    frame.op(gimli::DW_OP_call_frame_cfa);
    let entry = dwarf.unit.get_mut(id);
    entry.set(gimli::DW_AT_linkage_name, text(&linker.linker_name(lines.unit.symbol())));
    entry.set(gimli::DW_AT_external, AttributeValue::Flag(lines.unit.is_exported()));
    entry.set(gimli::DW_AT_low_pc, AttributeValue::Address(lines.start(symbol)));
    let end = match is_text {
        true => AttributeValue::Address(lines.end(symbol)),
        false => AttributeValue::Udata(lines.len()),
    };
    entry.set(gimli::DW_AT_high_pc, end);
    entry.set(gimli::DW_AT_frame_base, AttributeValue::Exprloc(frame));
    if lines.unit.kind() == UnitKind::Program {
        entry.set(gimli::DW_AT_main_subprogram, AttributeValue::Flag(true));
        entry.set(gimli::DW_AT_calling_convention, AttributeValue::CallingConvention(gimli::DW_CC_program));
    }
}

/// Describes the place of the code of a procedure that was cut: the function number `first` and its stretches, whose frames are below that
/// with the variables.
fn describe_stretches(
    dwarf: &mut DwarfUnit,
    id: UnitEntryId,
    functions: &[Lines<'_>],
    first: usize,
    calls: &Calls,
    is_text: bool,
) {
    let mut ranges = Vec::new();
    let mut bases = Vec::new();
    for (symbol, f) in (first..).zip(functions) {
        let mut data = gimli::write::Expression::new();
        data.op(gimli::DW_OP_call_frame_cfa);
        if f.stretch.is_some() {
            data.op_plus_uconst(calls.distance.unsigned_abs());
        }
        let (begin, end, length) = (f.start(symbol), f.end(symbol), f.len());
        ranges.push(match is_text {
            true => Range::StartEnd { begin, end },
            false => Range::StartLength { begin, length },
        });
        bases.push(match is_text {
            true => Location::StartEnd { begin, end, data },
            false => Location::StartLength { begin, length, data },
        });
    }
    let ranges = dwarf.unit.ranges.add(RangeList(ranges));
    let bases = dwarf.unit.locations.add(LocationList(bases));
    let entry = dwarf.unit.get_mut(id);
    entry.delete(gimli::DW_AT_low_pc);
    entry.delete(gimli::DW_AT_high_pc);
    entry.set(gimli::DW_AT_ranges, AttributeValue::RangeListRef(ranges));
    entry.set(gimli::DW_AT_frame_base, AttributeValue::LocationListRef(bases));
}

/// The name of a procedure and the type of its value.
fn name(dwarf: &mut DwarfUnit, id: UnitEntryId, unit: &Unit, variables: &mut Variables<'_>) {
    dwarf.unit.get_mut(id).set(gimli::DW_AT_name, text(unit.name()));
    let result = unit.result().map(|r| unit.sym(r).ty).filter(|&ty| ty != Type::Char);
    if let Some(ty) = result {
        let ty = variables.types.base(dwarf, ty);
        dwarf.unit.get_mut(id).set(gimli::DW_AT_type, AttributeValue::UnitRef(ty));
    }
}

/// Sets the place of a procedure or module in the source.
fn set_place(dwarf: &mut DwarfUnit, id: UnitEntryId, infos: &StmtInfos, files: &Files, serial: Serial) {
    let Some(info) = infos.stmts.get(serial) else { return };
    let entry = dwarf.unit.get_mut(id);
    entry.set(gimli::DW_AT_decl_file, files.attribute(info.file));
    entry.set(gimli::DW_AT_decl_line, AttributeValue::Udata(u64::from(info.line)));
}

fn add_sections(product: &mut ObjectProduct, sections: &mut Sections<Section>, symbols: &[SymbolId]) -> Result<()> {
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
                Target::Symbol(i) => symbols[i],
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
