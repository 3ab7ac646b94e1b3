//! `export`: profiles for other tools.

use super::report::{code, deliver, load_all};
use super::{complain, tell};
use crate::cli::Export;
use crate::driver::Failure;
use crate::{exit, runtime};
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::BTreeMap;
use std::path::Path;
use trueline_report::{Format, Index, Symbols};

/// `trueline export`.
pub fn export(args: &Export) -> i32 {
    let Some(format) = Format::by_name(&args.format) else {
        complain(&format!("There is no format '{}'", args.format));
        return exit::USAGE;
    };
    code(load_all(&args.profiles).and_then(|profile| {
        let symbols = args.exe.as_deref().map(symbols).transpose()?;
        let bytes = trueline_report::export(&Index::new(&profile), format, symbols.as_ref()).map_err(Failure::User)?;
        if profile.constructs.is_empty() {
            tell("trueline: warning: the profile has no constructs\n");
        }
        deliver(args.output.as_deref(), &bytes)?;
        Ok(exit::OK)
    }))
}

/// The procedures and the line table of an executable.
fn symbols(path: &Path) -> Result<Symbols, Failure> {
    let bytes = runtime::read(path).map_err(|e| Failure::User(format!("Cannot read '{}': {e}", path.display())))?;
    let file = object::File::parse(&*bytes).map_err(|e| Failure::User(format!("'{}': {e}", path.display())))?;
    let named = |s: object::Symbol<'_, '_>| Some((s.name().ok()?.to_owned(), (s.address(), s.size())));
    let mut procedures: BTreeMap<_, _> =
        file.symbols().filter(|s| s.kind() == object::SymbolKind::Text).filter_map(named).collect();
    // The code of a procedure with two conventions, not the way there.
    let direct = |(name, &at): (&String, &(u64, u64))| Some((name.strip_suffix(trueline_ir::DIRECT)?.to_owned(), at));
    let direct: Vec<_> = procedures.iter().filter_map(direct).collect();
    procedures.extend(direct);
    let mut lines = BTreeMap::new();
    // Without a line table, or with one that cannot be read, lines have no addresses.
    let _ = read_lines(&file, &mut lines);
    Ok(Symbols { procedures, lines })
}

/// The first address of each line, by the name that the file had for the compiler.
fn read_lines(file: &object::File<'_>, lines: &mut BTreeMap<(String, u32), u64>) -> gimli::Result<()> {
    let endian = if file.is_little_endian() { gimli::RunTimeEndian::Little } else { gimli::RunTimeEndian::Big };
    let section = |id: gimli::SectionId| -> gimli::Result<&[u8]> {
        Ok(file.section_by_name(id.name()).and_then(|s| s.data().ok()).unwrap_or(&[]))
    };
    let sections = gimli::DwarfSections::load(section)?;
    let dwarf = sections.borrow(|data| gimli::EndianSlice::new(data, endian));
    let mut units = dwarf.units();
    while let Some(header) = units.next()? {
        let unit = dwarf.unit(header)?;
        let Some(program) = unit.line_program.clone() else { continue };
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            let (Some(line), Some(source)) = (row.line(), row.file(header)) else { continue };
            let Ok(line) = u32::try_from(line.get()) else { continue };
            let name = dwarf.attr_string(&unit, source.path_name())?.to_string_lossy().into_owned();
            let first = lines.entry((name, line)).or_insert(row.address());
            *first = row.address().min(*first);
        }
    }
    Ok(())
}
