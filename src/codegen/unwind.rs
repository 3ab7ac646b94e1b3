//! The unwind table: with it debuggers, profilers and the runtime's backtrace find the callers of a procedure.

use crate::section::{Section, Target};
use crate::step::Code;
use cranelift_codegen::CompiledCode;
use cranelift_codegen::isa::TargetIsa;
use cranelift_codegen::isa::unwind::{UnwindInfo, UnwindInst};
use cranelift_module::FuncId;
use cranelift_object::ObjectProduct;
use cranelift_object::object::write::{Relocation, StandardSegment};
use cranelift_object::object::{RelocationEncoding, RelocationFlags, RelocationKind, SectionKind};
use gimli::write::{Address, CallFrameInstruction, EhFrame, FrameDescriptionEntry, FrameTable, Result};

/// The unwinding of the frames of a procedure.
pub(crate) struct Frames {
    pub(crate) id: FuncId,
    /// Its bytes before its symbol.
    pub(crate) before: u32,
    /// The bytes between its symbol and its code.
    pub(crate) entry: u32,
    pub(crate) code: Option<UnwindInfo>,
    /// The same of code that got longer.
    pub(crate) longer: Option<Longer>,
}

/// The unwinding of code that got longer ([`crate::wide`]): Cranelift's goes as far as the code did.
pub(crate) struct Longer {
    bytes: u32,
    frame: Vec<(u32, CallFrameInstruction)>,
}

impl Longer {
    /// None if the code is as long as it was.
    pub(crate) fn of(code: &Code, isa: &dyn TargetIsa) -> Option<Longer> {
        /// `rbp`, by its number in tables.
        const FRAME_POINTER: gimli::Register = gimli::Register(6);
        let bytes = code.size();
        if bytes == code.compiled_size() {
            return None;
        }
        let (mut frame, mut saved) = (Vec::new(), 0);
        for &(at, ref inst) in &code.compiled.buffer.unwind_info {
            match *inst {
                UnwindInst::PushFrameRegs { offset_upward_to_caller_sp: up } => {
                    frame.push((at, CallFrameInstruction::CfaOffset(up as i32)));
                    frame.push((at, CallFrameInstruction::Offset(FRAME_POINTER, -(up as i32))));
                }
                UnwindInst::DefineNewFrame { offset_upward_to_caller_sp: up, offset_downward_to_clobbers: down } => {
                    frame.push((at, CallFrameInstruction::CfaRegister(FRAME_POINTER)));
                    saved = (up + down) as i32;
                }
                UnwindInst::SaveReg { clobber_offset, reg } => {
                    let number = isa.map_regalloc_reg_to_dwarf(reg.into()).ok()?;
                    let place = clobber_offset as i32 - saved;
                    frame.push((at, CallFrameInstruction::Offset(gimli::Register(number), place)));
                }
                _ => {}
            }
        }
        Some(Longer { bytes, frame })
    }

    fn entry(&self, start: Address) -> FrameDescriptionEntry {
        let mut out = FrameDescriptionEntry::new(start, self.bytes);
        self.frame.iter().for_each(|(at, inst)| out.add_instruction(*at, inst.clone()));
        out
    }
}

/// Makes a frame known by its frame pointer as soon as that is set. Cranelift does so only behind the instructions that
/// touch the pages of a large frame: there a stack overflows, and there the stack pointer is elsewhere.
pub(crate) fn begin_frame(code: &mut CompiledCode) {
    /// `mov %rsp, %rbp`, and `mov x29, sp` of AArch64.
    const SETS: [&[u8]; 2] = [&[0x48, 0x89, 0xe5], &[0xfd, 0x03, 0x00, 0x91]];
    let pushed = code.buffer.unwind_info.iter().find(|(_, i)| matches!(i, UnwindInst::PushFrameRegs { .. }));
    let Some(&(at, _)) = pushed else { return };
    let rest = code.buffer.data().get(at as usize..).unwrap_or(&[]);
    let Some(sets) = SETS.iter().find(|s| rest.starts_with(s)) else { return };
    let end = at + sets.len() as u32;
    for (offset, inst) in &mut code.buffer.unwind_info {
        if matches!(inst, UnwindInst::DefineNewFrame { .. }) {
            *offset = end.min(*offset);
        }
    }
}

/// Writes `.eh_frame` for the functions.
pub(crate) fn write(product: &mut ObjectProduct, isa: &dyn TargetIsa, functions: &[Frames]) -> Result<()> {
    let Some(mut common) = isa.create_systemv_cie() else { return Ok(()) };
    // Relative to the place of the pointer: the table needs no relocation when the program is loaded.
    common.fde_address_encoding = gimli::DwEhPe(gimli::DW_EH_PE_pcrel.0 | gimli::DW_EH_PE_sdata4.0);
    let mut table = FrameTable::default();
    let common = table.add_cie(common);
    for (symbol, f) in functions.iter().enumerate() {
        if f.entry > 0 {
            // Nothing has been pushed yet.
            let start = Address::Symbol { symbol, addend: -i64::from(f.before) };
            table.add_fde(common, FrameDescriptionEntry::new(start, f.before + f.entry));
        }
        let addend = i64::from(f.entry);
        let start = Address::Symbol { symbol, addend };
        match (&f.longer, &f.code) {
            (Some(longer), _) => table.add_fde(common, longer.entry(start)),
            (None, Some(UnwindInfo::SystemV(info))) => table.add_fde(common, info.to_fde(start)),
            _ => {}
        }
    }
    let mut frames = EhFrame(Section::new());
    table.write_eh_frame(&mut frames)?;
    let Section { bytes, relocations } = frames.0;
    let segment = product.object.segment_name(StandardSegment::Data).to_vec();
    let at = product.object.add_section(segment, b".eh_frame".to_vec(), SectionKind::ReadOnlyData);
    product.object.append_section_data(at, bytes.slice(), 8);
    for (offset, target, size, addend) in relocations {
        let Target::Symbol(function) = target else { continue };
        let flags = RelocationFlags::Generic {
            kind: RelocationKind::Relative,
            encoding: RelocationEncoding::Generic,
            size: size * 8,
        };
        let function = product.function_symbol(functions[function].id);
        let (section, start) = {
            let function = product.object.symbol(function);
            (function.section.id(), function.value)
        };
        let Some(section) = section else { continue };
        // Relative to the section: in a shared library, the name of a procedure may be another's.
        let symbol = product.object.section_symbol(section);
        let addend = addend + start as i64;
        let added = product.object.add_relocation(at, Relocation { offset, symbol, addend, flags });
        debug_assert!(added.is_ok(), "a relative relocation is always possible");
    }
    Ok(())
}
