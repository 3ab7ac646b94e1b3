//! The unwind table of an object as directives of `as`.

use gimli::read::{CallFrameInstruction as Op, EhFrame, UnwindSection};
use gimli::{BaseAddresses, CieOrFde};
use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSection, ObjectSymbol, RelocationTarget};
use std::collections::BTreeMap;

/// The directives by the offset in the section of the code.
pub(crate) fn frames(file: &ElfFile64<'_, LittleEndian>) -> Result<BTreeMap<u64, Vec<String>>, String> {
    let mut out: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let Some(section) = file.section_by_name(".eh_frame") else { return Ok(out) };
    // A table refers to the code by a relocation of the section and its addend.
    let mut starts = BTreeMap::new();
    for (offset, relocation) in section.relocations() {
        let RelocationTarget::Symbol(index) = relocation.target() else { continue };
        let symbol = file.symbol_by_index(index).map_err(|e| e.to_string())?;
        starts.insert(offset, symbol.address().wrapping_add_signed(relocation.addend()));
    }
    let table = EhFrame::new(section.data().map_err(|e| e.to_string())?, gimli::LittleEndian);
    let bases = BaseAddresses::default().set_eh_frame(0);
    let mut entries = table.entries(&bases);
    let text = |e: gimli::Error| e.to_string();
    // At one address, ends come before beginnings.
    let mut ends: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    while let Some(entry) = entries.next().map_err(text)? {
        let CieOrFde::Fde(partial) = entry else { continue };
        let fde = partial.parse(|_, bases, offset| table.cie_from_offset(bases, offset)).map_err(text)?;
        // The field is 0, relative to its own place.
        let Some(&start) = starts.get(&fde.initial_address()) else { continue };
        out.entry(start).or_default().push(".cfi_startproc".to_owned());
        ends.entry(start + fde.len()).or_default().push(".cfi_endproc".to_owned());
        let factor = fde.cie().data_alignment_factor();
        let mut at = start;
        let mut ops = fde.instructions(&table, &bases);
        while let Some(op) = ops.next().map_err(text)? {
            let directive = match op {
                Op::AdvanceLoc { delta } => {
                    at += u64::from(delta) * fde.cie().code_alignment_factor();
                    continue;
                }
                Op::DefCfa { register, offset } => format!(".cfi_def_cfa {}, {offset}", register.0),
                Op::DefCfaRegister { register } => format!(".cfi_def_cfa_register {}", register.0),
                Op::DefCfaOffset { offset } => format!(".cfi_def_cfa_offset {offset}"),
                Op::Offset { register, factored_offset } => {
                    format!(".cfi_offset {}, {}", register.0, factored_offset as i64 * factor)
                }
                Op::RememberState => ".cfi_remember_state".to_owned(),
                Op::RestoreState => ".cfi_restore_state".to_owned(),
                Op::Restore { register } => format!(".cfi_restore {}", register.0),
                Op::SameValue { register } => format!(".cfi_same_value {}", register.0),
                Op::Nop => continue,
                other => return Err(format!("{other:?} in the unwind table")),
            };
            out.entry(at).or_default().push(directive);
        }
    }
    for (at, mut texts) in ends {
        let rest = out.remove(&at).unwrap_or_default();
        texts.extend(rest);
        out.insert(at, texts);
    }
    Ok(out)
}
