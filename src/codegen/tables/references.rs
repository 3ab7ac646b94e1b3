//! The table of references of an object: the source lines that mention symbols which other objects must define.
//!
//! If a program cannot be linked because nothing defines a symbol, the driver looks the symbol up in the tables of the
//! objects and shows the lines that call it, with and without debug information, also for objects compiled earlier. The
//! table is made of the relocations of the code, which are the very references that a linker complains about. The
//! linker discards its section, so programs are not larger for it.

use crate::lines::{self, Owner, Piece};
use cranelift_module::{DataId, FuncId, Module, ModuleReloc, ModuleRelocTarget};
use cranelift_object::object::{self, Object as _, ObjectSection as _, SectionKind};
use cranelift_object::{ObjectModule, ObjectProduct};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use trueline_ir::{DIRECT, Linkage as AreaLinkage, Unit};
use trueline_provenance::StmtInfos;

/// The section of the table.
pub const SECTION: &str = ".trueline.references";

/// A source line that mentions a symbol.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reference {
    /// The linker symbol.
    pub symbol: String,
    /// The path of the source file, as the compiler was given it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The procedure or program that the line stands in.
    pub procedure: String,
}

/// The references of an object, collected procedure by procedure.
pub(crate) struct References<'a> {
    /// The symbols of the source that the object does not define.
    outside: FxHashSet<&'a str>,
    found: Vec<Reference>,
}

impl<'a> References<'a> {
    /// The symbols that `units` mention and do not define.
    pub(crate) fn new(units: &'a [Unit]) -> References<'a> {
        let procedures = units.iter().flat_map(|u| u.procs().map(|(_, p)| p.symbol.as_str()));
        let areas = units.iter().flat_map(Unit::areas).filter(|(_, a)| a.linkage == AreaLinkage::Import);
        let mut outside: FxHashSet<&str> = procedures.chain(areas.map(|(_, a)| a.symbol.as_str())).collect();
        for unit in units {
            outside.remove(unit.symbol());
        }
        References { outside, found: Vec::new() }
    }

    /// Adds the references of a procedure, whose code begins at offset `start`.
    pub(crate) fn add(
        &mut self,
        module: &ObjectModule,
        unit: &Unit,
        infos: &StmtInfos,
        pieces: &[Piece],
        relocs: &[ModuleReloc],
        start: u32,
    ) {
        for reloc in relocs {
            let Some(name) = name(module, &reloc.name) else { continue };
            let symbol = name.strip_suffix(DIRECT).unwrap_or(name);
            if !self.outside.contains(symbol) {
                continue;
            }
            let at = reloc.offset.saturating_sub(start);
            let behind = pieces.partition_point(|p| p.start <= at);
            let owner = behind.checked_sub(1).map_or(Owner::Entry, |k| pieces[k].owner);
            let (file, line) = lines::line(unit, infos, owner);
            let Some(path) = infos.files.get(file as usize) else { continue };
            let procedure = match owner {
                Owner::Stmt(o) => infos.procedure(o.stmt),
                Owner::Entry | Owner::End => None,
            };
            let procedure = procedure.map_or(unit.name(), |p| &infos.stmts[p].text);
            self.found.push(Reference {
                symbol: symbol.to_owned(),
                file: path.path.clone(),
                line,
                procedure: procedure.to_owned(),
            });
        }
    }

    /// Writes the table, if there are references.
    pub(crate) fn write(mut self, product: &mut ObjectProduct) {
        self.found.sort_unstable();
        self.found.dedup();
        if self.found.is_empty() {
            return;
        }
        let bytes = encode(&self.found);
        let section = product.object.add_section(Vec::new(), SECTION.into(), SectionKind::Other);
        let excluded = u64::from(object::elf::SHF_EXCLUDE);
        product.object.section_mut(section).flags = object::SectionFlags::Elf { sh_flags: excluded };
        product.object.set_section_data(section, bytes, 1);
    }
}

/// The linker symbol that a relocation names.
fn name<'m>(module: &'m ObjectModule, target: &ModuleRelocTarget) -> Option<&'m str> {
    let &ModuleRelocTarget::User { namespace, index } = target else { return None };
    let declarations = module.declarations();
    match namespace {
        0 => declarations.get_function_decl(FuncId::from_u32(index)).name.as_deref(),
        _ => declarations.get_data_decl(DataId::from_u32(index)).name.as_deref(),
    }
}

/// The table as bytes: per procedure and file a group of fields that end with NUL: file, procedure, then line and symbol of
/// each reference, and an empty field.
fn encode(references: &[Reference]) -> Vec<u8> {
    let mut groups: BTreeMap<(&str, &str), Vec<(u32, &str)>> = BTreeMap::new();
    for r in references {
        groups.entry((&r.file, &r.procedure)).or_default().push((r.line, &r.symbol));
    }
    let mut out = Vec::new();
    let mut field = |text: &str| {
        out.extend(text.bytes().filter(|&b| b != 0));
        out.push(0);
    };
    for ((file, procedure), mut lines) in groups {
        lines.sort_unstable();
        field(file);
        field(procedure);
        for (line, symbol) in lines {
            field(&line.to_string());
            field(symbol);
        }
        field("");
    }
    out
}

/// Reads a table. The bytes may come from any file: a damaged table gives the references before the damage.
fn decode(bytes: &[u8]) -> Vec<Reference> {
    let mut fields = bytes.split(|&b| b == 0).map(|f| String::from_utf8_lossy(f).into_owned());
    let mut out = Vec::new();
    while let (Some(file), Some(procedure)) = (fields.next(), fields.next()) {
        // Linkers join the tables of several objects, and may put zeros between them.
        if file.is_empty() {
            continue;
        }
        while let Some(line) = fields.next().filter(|l| !l.is_empty()) {
            let (Ok(line), Some(symbol)) = (line.parse(), fields.next()) else { return out };
            out.push(Reference { symbol, file: file.clone(), line, procedure: procedure.clone() });
        }
    }
    out
}

/// The references that an object says it has; none if it is no object, or was compiled by another compiler.
pub fn of_object(bytes: &[u8]) -> Vec<Reference> {
    let Ok(file) = object::read::File::parse(bytes) else { return Vec::new() };
    let section = file.section_by_name(SECTION);
    section.and_then(|s| s.uncompressed_data().ok()).map_or_else(Vec::new, |data| decode(&data))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(symbol: &str, file: &str, line: u32, procedure: &str) -> Reference {
        Reference { symbol: symbol.into(), file: file.into(), line, procedure: procedure.into() }
    }

    #[test]
    fn tables_are_read_as_they_were_written() {
        let all = [
            reference("bar_", "a.f90", 7, "p"),
            reference("foo_", "a.f90", 3, "p"),
            reference("foo_", "a.f90", 12, "q"),
            reference("foo_", "b.f90", 1, "q"),
        ];
        let mut found = decode(&encode(&all));
        found.sort();
        assert_eq!(found, all);
        // Two objects that were linked into one.
        assert_eq!(decode(&[encode(&all[..1]), encode(&all[3..])].concat()).len(), 2);
        assert_eq!(decode(&encode(&[])), []);
    }

    #[test]
    fn damaged_tables_are_no_harm() {
        let bytes = encode(&[reference("foo_", "a.f90", 3, "p"), reference("foo_", "b.f90", 4, "q")]);
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end]).len() <= 2);
        }
        for at in 0..bytes.len() {
            for value in [0, b'x', 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                decode(&damaged);
            }
        }
        assert_eq!(of_object(b"no object"), []);
        assert_eq!(of_object(&[]), []);
    }
}
