//! An object file as assembly that `as` takes: sections, symbols, data, instructions, unwind information and source lines.
//!
//! Instructions are disassembled, and addresses in them become symbols and labels. `as` may choose shorter encodings
//! than Cranelift did, so nothing may depend on the length of code: distances are differences of labels, and the tables
//! of frames and lines are directives. An instruction without a safe text is written as its bytes.

mod debug;
mod frames;
mod text;

use crate::lines::Row;
use crate::tables::references;
use cranelift_codegen::isa::TargetIsa;
use frames::frames;
use object::read::elf::{ElfFile64, ElfSection64, SectionHeader as _};
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use text::{Spot, escaped, instruction, quoted};

type File<'a> = ElfFile64<'a, LittleEndian>;

/// Lines of a procedure: its linker symbol, the distance of its code behind the symbol, the number of bytes before that
/// which belong to it, and the rows.
pub(crate) struct Marks {
    pub(crate) symbol: String,
    pub(crate) entry: u64,
    pub(crate) before: u64,
    pub(crate) rows: Vec<Row>,
}

/// A relocation of a section.
pub(crate) struct Fixup {
    pub(crate) kind: u32,
    pub(crate) symbol: String,
    pub(crate) addend: i64,
    /// The section, if it refers to a place in one rather than to a symbol. `as` may choose shorter encodings, so places need labels.
    pub(crate) section: Option<usize>,
}

impl Fixup {
    /// The place in its own section, number `own`, that an instruction refers to whose field is this number of bytes before its end.
    pub(crate) fn place_in(&self, own: usize, field: u64) -> Option<u64> {
        let to = self.addend + field as i64;
        (self.section == Some(own)).then_some(to)?.try_into().ok()
    }
}

/// The text of an object for x86-64 ELF.
pub(crate) fn print(
    bytes: &[u8],
    isa: &dyn TargetIsa,
    files: &[String],
    marks: &[Marks],
    has_lines: bool,
) -> Result<String, String> {
    let file = File::parse(bytes).map_err(|e| e.to_string())?;
    let mut out = String::new();
    if let Some(first) = files.first().filter(|_| has_lines) {
        // A table of lines as in objects, of version 5.
        let _ = writeln!(out, "\t.file 0 \".\" {}", escaped(first));
    }
    for (i, path) in files.iter().enumerate().filter(|_| has_lines) {
        let _ = writeln!(out, "\t.file {} \".\" {}", i + 1, escaped(path));
    }
    commons(&file, &mut out);
    weak_references(&file, &mut out);
    let frames = frames(&file)?;
    let mut wanted = debug::wanted(&file);
    if !wanted.is_empty() {
        // The table of lines is made of `.loc`.
        out.push_str("\t.section .debug_line,\"\",@progbits\n.Lline:\n");
    }
    let is_printed = |name: &str| name == references::SECTION || debug::is_printed(name);
    let is_kept = |s: &ElfSection64<'_, '_, LittleEndian>| {
        s.elf_section_header().sh_flags(LittleEndian) & u64::from(object::elf::SHF_ALLOC) != 0
    };
    let is_debug = |s: &ElfSection64<'_, '_, LittleEndian>| !is_kept(s) && is_printed(s.name().unwrap_or(""));
    // Sections for debuggers come last: they refer to the code by labels that only its instructions tell.
    for section in file.sections().filter(is_kept).chain(file.sections().filter(is_debug)) {
        let name = section.name().map_err(|e| e.to_string())?;
        let header = section.elf_section_header();
        if name == ".eh_frame" {
            continue;
        }
        let mut fixups = fixups(&file, &section);
        if is_debug(&section) {
            debug::name(&mut fixups, &wanted);
        } else {
            debug::name_places(&mut fixups, &wanted);
        }
        let mut printer = Section {
            index: section.index().0,
            labels: labels(&file, section.index()),
            fixups,
            data: section.data().map_err(|e| e.to_string())?,
            out: &mut out,
        };
        let flags = header.sh_flags(LittleEndian);
        printer.head(name, flags, header.sh_type(LittleEndian) == object::elf::SHT_NOBITS, section.align());
        if flags & u64::from(object::elf::SHF_EXECINSTR) != 0 {
            let places = places(&file, section.index(), marks, files);
            let own = wanted.code.entry(section.index().0).or_default();
            printer.code(isa, &frames, &places, has_lines, own)?;
        } else if section.size() > printer.data.len() as u64 {
            printer.zeros(section.size());
        } else {
            printer.content(0, printer.data.len() as u64);
        }
    }
    out.push_str("\t.section .note.GNU-stack,\"\",@progbits\n");
    Ok(out)
}

fn commons(file: &File<'_>, out: &mut String) {
    for symbol in file.symbols().filter(|s| s.is_common()) {
        let name = quoted(symbol.name().unwrap_or(""));
        let _ = writeln!(out, "\t.comm {name},{},{}", symbol.size(), symbol.address().max(1));
    }
}

/// References that nobody has to define.
fn weak_references(file: &File<'_>, out: &mut String) {
    for symbol in file.symbols().filter(|s| s.is_undefined() && s.is_weak()) {
        let name = quoted(symbol.name().unwrap_or(""));
        let _ = writeln!(out, "\t.weak {name}");
        if symbol.scope() == object::SymbolScope::Linkage {
            let _ = writeln!(out, "\t.hidden {name}");
        }
    }
}

/// The symbols that are defined at each offset of a section.
fn labels(file: &File<'_>, section: SectionIndex) -> BTreeMap<u64, Vec<String>> {
    let mut out: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    for symbol in file.symbols().filter(|s| s.section_index() == Some(section) && s.kind() != SymbolKind::Section) {
        let name = quoted(symbol.name().unwrap_or(""));
        let mut text = String::new();
        if symbol.is_global() {
            let _ = writeln!(text, "\t.{} {name}", if symbol.is_weak() { "weak" } else { "globl" });
        }
        if symbol.scope() == object::SymbolScope::Linkage {
            let _ = writeln!(text, "\t.hidden {name}");
        }
        let kind = if symbol.kind() == SymbolKind::Text { "@function" } else { "@object" };
        let _ = writeln!(text, "\t.type {name},{kind}");
        if symbol.kind() != SymbolKind::Text && symbol.size() > 0 {
            let _ = writeln!(text, "\t.size {name},{}", symbol.size());
        }
        let _ = writeln!(text, "{name}:");
        out.entry(symbol.address()).or_default().push(text);
    }
    out
}

fn fixups<'d>(file: &File<'d>, section: &impl ObjectSection<'d>) -> BTreeMap<u64, Fixup> {
    let mut out = BTreeMap::new();
    for (offset, relocation) in section.relocations() {
        let RelocationTarget::Symbol(index) = relocation.target() else { continue };
        let Ok(symbol) = file.symbol_by_index(index) else { continue };
        let object::RelocationFlags::Elf { r_type } = relocation.flags() else { continue };
        let section = symbol.section_index().filter(|_| symbol.kind() == SymbolKind::Section);
        let name = section.and_then(|i| file.section_by_index(i).ok());
        let section = section.map(|i| i.0);
        let name = name.and_then(|s| s.name().ok().map(str::to_owned));
        let symbol = quoted(&name.unwrap_or_else(|| symbol.name().unwrap_or("").to_owned()));
        out.insert(offset, Fixup { kind: r_type, symbol, addend: relocation.addend(), section });
    }
    out
}

/// The directive of a row, and its file and line as text, by the offset in the section.
type Places = BTreeMap<u64, (String, String)>;

fn places(file: &File<'_>, section: SectionIndex, marks: &[Marks], files: &[String]) -> Places {
    let starts: BTreeMap<&str, u64> = file
        .symbols()
        .filter(|s| s.section_index() == Some(section))
        .filter_map(|s| Some((s.name().ok()?, s.address())))
        .collect();
    let mut out = BTreeMap::new();
    for m in marks {
        let Some(&start) = starts.get(m.symbol.as_str()) else { continue };
        for (k, row) in m.rows.iter().enumerate() {
            let (number, line) = row.at;
            let path = files.get(number as usize).map_or("", String::as_str);
            // The name of a file must not end the comment that it stands in.
            let path: String = path.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
            let at = if k == 0 { m.entry - m.before } else { m.entry + u64::from(row.offset) };
            // `as` keeps `is_stmt` from one row to the next, also of other procedures.
            let end = if row.ends_prologue { " prologue_end" } else { "" };
            let directive = format!(".loc {} {line} 0{end} is_stmt {}", number + 1, u8::from(row.is_stmt));
            out.insert(start + at, (directive, format!("{path}:{line}")));
        }
    }
    out
}

struct Section<'a> {
    index: usize,
    labels: BTreeMap<u64, Vec<String>>,
    fixups: BTreeMap<u64, Fixup>,
    data: &'a [u8],
    out: &'a mut String,
}

impl Section<'_> {
    fn head(&mut self, name: &str, flags: u64, is_empty: bool, align: u64) {
        let letters = [
            (object::elf::SHF_ALLOC, 'a'),
            (object::elf::SHF_WRITE, 'w'),
            (object::elf::SHF_EXECINSTR, 'x'),
            (object::elf::SHF_TLS, 'T'),
            (object::elf::SHF_GNU_RETAIN, 'R'),
            (object::elf::SHF_EXCLUDE, 'e'),
        ];
        let letters: String = letters.iter().filter(|(bit, _)| flags & u64::from(*bit) != 0).map(|(_, c)| *c).collect();
        let kind = if is_empty { "@nobits" } else { "@progbits" };
        let _ = writeln!(self.out, "\t.section {},\"{letters}\",{kind}", quoted(name));
        let _ = writeln!(self.out, "\t.balign {}", align.max(1));
    }

    fn label(&mut self, at: u64) {
        for text in self.labels.get(&at).into_iter().flatten() {
            self.out.push_str(text);
        }
    }

    /// A section without content.
    fn zeros(&mut self, size: u64) {
        let mut marks: BTreeSet<u64> = self.labels.keys().copied().collect();
        marks.insert(size);
        let mut at = 0;
        for mark in marks {
            if mark > at {
                let _ = writeln!(self.out, "\t.zero {}", mark - at);
            }
            at = mark;
            self.label(at);
        }
    }

    /// Data from one offset to another.
    fn content(&mut self, from: u64, to: u64) {
        let mut at = from;
        while at < to {
            self.label(at);
            if let Some(fixup) = self.fixups.get(&at) {
                if fixup.kind == object::elf::R_X86_64_64 {
                    let _ = writeln!(self.out, "\t.quad {}{:+}", fixup.symbol, fixup.addend);
                    at += 8;
                    continue;
                }
                let _ =
                    writeln!(self.out, "\t.reloc ., {}, {}{:+}", reloc_name(fixup.kind), fixup.symbol, fixup.addend);
            }
            let next = self.labels.range(at + 1..).next().map_or(to, |(&k, _)| k.min(to));
            let next = self.fixups.range(at + 1..).next().map_or(next, |(&k, _)| k.min(next));
            let bytes = &self.data[at as usize..next as usize];
            let zeros = bytes.iter().take_while(|&&b| b == 0).count();
            if zeros >= 8 {
                let _ = writeln!(self.out, "\t.zero {zeros}");
                at += zeros as u64;
                continue;
            }
            let end = bytes.windows(8).position(|w| w == [0; 8]).filter(|&k| k > 0).unwrap_or(bytes.len()).min(32);
            let list: Vec<String> = bytes[..end].iter().map(|b| format!("0x{b:02x}")).collect();
            let _ = writeln!(self.out, "\t.byte {}", list.join(","));
            at += end as u64;
        }
        if to == self.data.len() as u64 {
            self.label(to);
        }
    }

    /// A section of code.
    fn code(
        &mut self,
        isa: &dyn TargetIsa,
        frames: &BTreeMap<u64, Vec<String>>,
        places: &Places,
        has_lines: bool,
        wanted: &mut debug::Labels,
    ) -> Result<(), String> {
        let starts: Vec<u64> = self.labels.keys().copied().collect();
        let spots = text::spots(isa, (self.index, self.data), &starts, &self.fixups)?;
        let labels = wanted.place(&spots);
        let mut at = 0;
        let end = self.data.len() as u64;
        let mut was_data = false;
        while at < end {
            if let Some(label) = labels.get(&at) {
                let _ = writeln!(self.out, "{label}:");
            }
            for text in frames.get(&at).into_iter().flatten() {
                let _ = writeln!(self.out, "\t{text}");
            }
            match spots.code.get(&at) {
                Some(spot) => {
                    was_data = false;
                    self.label(at);
                    self.target(&spots.targets, at);
                    if let Some((directive, text)) = places.get(&at) {
                        let _ = match has_lines {
                            true => writeln!(self.out, "\t{directive}\t# {text}"),
                            false => writeln!(self.out, "\t# {text}"),
                        };
                    }
                    self.instruction(at, spot);
                    at += spot.bytes;
                }
                None => {
                    // Constants that are loaded as a whole need their old alignment.
                    if !was_data && at % 16 == 0 && spots.targets.contains(&at) {
                        let _ = writeln!(self.out, "\t.balign 16");
                    }
                    was_data = true;
                    let next = spots.code.range(at..).next().map_or(end, |(&k, _)| k);
                    let next = spots.targets.range(at + 1..).next().map_or(next, |&k| k.min(next));
                    let next = frames.range(at + 1..).next().map_or(next, |(&k, _)| k.min(next));
                    let next = labels.range(at + 1..).next().map_or(next, |(&k, _)| k.min(next));
                    self.target(&spots.targets, at);
                    match spots.tables.get(&at) {
                        Some(table) => {
                            for entry in table {
                                let _ = writeln!(self.out, "\t.long .L{entry:x}-.L{at:x}");
                            }
                            let size = 4 * table.len() as u64;
                            self.content(at + size, next);
                        }
                        None => self.content(at, next),
                    }
                    at = next;
                }
            }
        }
        if let Some(label) = labels.get(&end) {
            let _ = writeln!(self.out, "{label}:");
        }
        for text in frames.get(&end).into_iter().flatten() {
            let _ = writeln!(self.out, "\t{text}");
        }
        Ok(())
    }

    fn target(&mut self, targets: &BTreeSet<u64>, at: u64) {
        if targets.contains(&at) {
            let _ = writeln!(self.out, ".L{at:x}:");
        }
    }

    fn instruction(&mut self, at: u64, spot: &Spot) {
        let fixup = self.fixups.range(at..at + spot.bytes).next();
        if let Some(text) = instruction((self.index, at), spot, fixup.map(|(&o, f)| (o, f))) {
            let _ = writeln!(self.out, "\t{text}");
            return;
        }
        let bytes = &self.data[at as usize..(at + spot.bytes) as usize];
        if let Some((&offset, f)) = fixup {
            let _ =
                writeln!(self.out, "\t.reloc .+{}, {}, {}{:+}", offset - at, reloc_name(f.kind), f.symbol, f.addend);
        }
        let list: Vec<String> = bytes.iter().map(|b| format!("0x{b:02x}")).collect();
        let _ = writeln!(self.out, "\t.byte {}\t# {} {}", list.join(","), spot.mnemonic, spot.operands);
    }
}

/// The name that `as` has for a relocation.
fn reloc_name(kind: u32) -> String {
    use object::elf::*;
    let name = match kind {
        R_X86_64_64 => "R_X86_64_64",
        R_X86_64_32 => "R_X86_64_32",
        R_X86_64_PC32 => "R_X86_64_PC32",
        R_X86_64_PLT32 => "R_X86_64_PLT32",
        R_X86_64_GOTPCREL => "R_X86_64_GOTPCREL",
        R_X86_64_GOTPCRELX => "R_X86_64_GOTPCRELX",
        R_X86_64_REX_GOTPCRELX => "R_X86_64_REX_GOTPCRELX",
        R_X86_64_GOTTPOFF => "R_X86_64_GOTTPOFF",
        R_X86_64_TLSGD => "R_X86_64_TLSGD",
        other => return other.to_string(),
    };
    name.to_owned()
}
