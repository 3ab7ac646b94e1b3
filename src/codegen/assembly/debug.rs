//! Sections for debuggers in assembly: addresses in the code become labels.

use crate::assembly::Fixup;
use crate::assembly::text::Spots;
use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionKind, SymbolKind};
use std::collections::BTreeMap;

/// Whether a section is one for debuggers that is printed; `as` makes that of lines itself.
pub(crate) fn is_printed(name: &str) -> bool {
    name.starts_with(".debug_") && !name.starts_with(".debug_line")
}

/// The addresses in a section of code that need a label, with the texts that stand for them.
#[derive(Default)]
pub(crate) struct Labels {
    section: usize,
    texts: BTreeMap<u64, String>,
}

impl Labels {
    /// Finds the texts; returns the labels by their offsets, which are between instructions. A place in the middle of
    /// an instruction keeps its distance from the instruction's beginning or end.
    pub(crate) fn place(&mut self, spots: &Spots) -> BTreeMap<u64, String> {
        let mut out = BTreeMap::new();
        for (&at, text) in &mut self.texts {
            let inside = spots.code.range(..at).next_back().filter(|(start, spot)| at < *start + spot.bytes);
            let (stands, distance) = match inside {
                Some((start, spot)) if at + 1 == start + spot.bytes => (at + 1, -1),
                Some((&start, _)) => (start, (at - start) as i64),
                None => (at, 0),
            };
            let label = format!(".Lcode{}_{stands:x}", self.section);
            *text = if distance == 0 { label.clone() } else { format!("{label}{distance:+}") };
            out.insert(stands, label);
        }
        out
    }
}

/// The labels that sections for debuggers need, by section.
#[derive(Default)]
pub(crate) struct Wanted {
    pub(crate) code: BTreeMap<usize, Labels>,
    /// The place of each symbol of code.
    symbols: BTreeMap<String, (usize, u64)>,
    is_debug: bool,
}

impl Wanted {
    /// Whether there are no such sections.
    pub(crate) fn is_empty(&self) -> bool {
        !self.is_debug
    }
}

/// Finds the addresses that the sections for debuggers mention.
pub(crate) fn wanted(file: &ElfFile64<'_, LittleEndian>) -> Wanted {
    let mut out = Wanted::default();
    for section in file.sections().filter(|s| s.name().is_ok_and(is_printed)) {
        out.is_debug = true;
        for (_, relocation) in section.relocations() {
            let RelocationTarget::Symbol(index) = relocation.target() else { continue };
            let Ok(symbol) = file.symbol_by_index(index) else { continue };
            let Some(at) = symbol.section_index().filter(|_| symbol.kind() == SymbolKind::Text) else { continue };
            let is_code = file.section_by_index(at).is_ok_and(|s| s.kind() == SectionKind::Text);
            if !is_code {
                continue;
            }
            let name = crate::assembly::text::quoted(symbol.name().unwrap_or(""));
            out.symbols.insert(name, (at.0, symbol.address()));
            let labels = out.code.entry(at.0).or_default();
            labels.section = at.0;
            labels.texts.insert(symbol.address().wrapping_add_signed(relocation.addend()), String::new());
        }
    }
    // Tables of the object name places between instructions.
    for section in file.sections().filter(|s| !s.name().is_ok_and(is_printed) && s.kind() != SectionKind::Text) {
        for (_, relocation) in section.relocations() {
            let RelocationTarget::Symbol(index) = relocation.target() else { continue };
            let Ok(symbol) = file.symbol_by_index(index) else { continue };
            let Some(at) = symbol.section_index().filter(|_| symbol.kind() == SymbolKind::Section) else { continue };
            let Ok(place) = u64::try_from(relocation.addend()) else { continue };
            if file.section_by_index(at).is_ok_and(|s| s.kind() == SectionKind::Text) {
                let labels = out.code.entry(at.0).or_default();
                labels.section = at.0;
                labels.texts.insert(place, format!(".Lcode{}_{place:x}", at.0));
            }
        }
    }
    out
}

/// Puts labels in the place of places in code that tables name.
pub(crate) fn name_places(fixups: &mut BTreeMap<u64, Fixup>, wanted: &Wanted) {
    for fixup in fixups.values_mut() {
        let Some(labels) = fixup.section.and_then(|s| wanted.code.get(&s)) else { continue };
        let text = u64::try_from(fixup.addend).ok().and_then(|at| labels.texts.get(&at));
        if let Some(text) = text.filter(|_| fixup.kind == object::elf::R_X86_64_64) {
            fixup.symbol.clone_from(text);
            (fixup.addend, fixup.section) = (0, None);
        }
    }
}

/// Puts labels in the place of addresses in code, and the label of our table in that of the lines.
pub(crate) fn name(fixups: &mut BTreeMap<u64, Fixup>, wanted: &Wanted) {
    for fixup in fixups.values_mut() {
        if fixup.symbol == ".debug_line" {
            fixup.symbol = ".Lline".to_owned();
            continue;
        }
        let Some(&(section, start)) = wanted.symbols.get(&fixup.symbol) else { continue };
        let at = start.wrapping_add_signed(fixup.addend);
        if let Some(text) = wanted.code.get(&section).and_then(|labels| labels.texts.get(&at)) {
            fixup.symbol.clone_from(text);
            fixup.addend = 0;
        }
    }
}
