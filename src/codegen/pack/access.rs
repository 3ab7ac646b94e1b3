//! Accesses to memory, and which of them must keep their order.

use super::Packer;
use cranelift_codegen::ir::{AliasRegion, Inst, InstructionData, MemFlagsData, Opcode, Value};

/// A load or store that does not trap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access {
    /// The representative of the base address.
    pub(super) base: Value,
    /// Bytes from there.
    pub(super) offset: i64,
    /// Bytes.
    pub(super) size: u32,
    /// The memory it belongs to; accesses to different ones never overlap.
    pub(super) region: Option<AliasRegion>,
    write: bool,
    /// Whether nothing ever writes it.
    constant: bool,
}

impl Access {
    /// The memory that `inst` accesses.
    pub(super) fn of(packer: &Packer<'_>, inst: Inst) -> Option<Access> {
        let dfg = &packer.func.dfg;
        let (flags, base, offset, value, write) = match dfg.insts[inst] {
            InstructionData::Load { opcode: Opcode::Load, flags, arg, offset } => {
                (flags, arg, offset, dfg.first_result(inst), false)
            }
            InstructionData::Store { opcode: Opcode::Store, flags, args: [value, base], offset } => {
                (flags, base, offset, value, true)
            }
            _ => return None,
        };
        let flags = dfg.mem_flags[flags];
        flags.notrap().then_some(())?;
        Some(Access {
            base: packer.same(base),
            offset: i64::from(i32::from(offset)),
            size: dfg.value_type(value).bytes() * (crate::wide::bytes(packer.func, inst) / crate::wide::SHORT) as u32,
            region: flags.alias_region(),
            write,
            constant: flags.readonly(),
        })
    }

    /// The flags of a vector that begins here. Its elements may stand on addresses of their own alignment, but a vector
    /// that claims to be aligned has to stand on a multiple of 16 bytes.
    pub(super) fn flags(&self) -> MemFlagsData {
        let flags = MemFlagsData::new().with_notrap().with_alias_region(self.region);
        if self.constant { flags.with_readonly().with_can_move() } else { flags }
    }

    /// Whether the order of this access and of `inst` matters.
    pub(super) fn conflicts(&self, packer: &Packer<'_>, inst: Inst) -> bool {
        let opcode = packer.func.dfg.insts[inst].opcode();
        if !opcode.can_load() && !opcode.can_store() && !opcode.is_call() && !opcode.is_terminator() {
            return self.write && opcode.can_trap();
        }
        let Some(other) = Access::of(packer, inst) else { return true };
        if (!self.write && !other.write) || self.constant || other.constant {
            return false;
        }
        if let (Some(a), Some(b)) = (self.region, other.region)
            && a != b
        {
            return false;
        }
        let apart = |a: &Access, b: &Access| a.offset + i64::from(a.size) <= b.offset;
        !(self.base == other.base && (apart(self, &other) || apart(&other, self)))
    }
}
