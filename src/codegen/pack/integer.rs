//! Operations on integers with a constant: shifts, and products that are sums of shifts.
//!
//! The baseline of x86-64 has no product of four integers: put together of products of two it takes seven instructions. That
//! of a constant with few ones is a few shifts and an addition or subtraction, which wrap around as the product does.

use super::Packer;
use super::plan::Lanes;
use cranelift_codegen::cursor::FuncCursor;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Type, Value, types};
use trueline_ir::scalar::lanes::Shifts;

/// An operation with a constant.
#[derive(Clone, Copy)]
pub(super) enum Fixed {
    /// A shift by a number of bits.
    Shift(Opcode, i64),
    /// A product with `2**high + 2**low`, or `2**high - 2**low`.
    Two { high: i64, low: i64, minus: bool },
}

impl Fixed {
    /// The operation `op` of type `ty` whose operand number `k` is the same constant in all `lanes`.
    pub(super) fn of(packer: &Packer<'_>, op: Opcode, ty: Type, lanes: &Lanes, k: usize) -> Option<Fixed> {
        let first = packer.same(lanes[0]);
        if !lanes.iter().all(|&v| packer.same(v) == first) {
            return None;
        }
        let inst = packer.func.dfg.value_def(first).inst()?;
        let InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } = packer.func.dfg.insts[inst] else {
            return None;
        };
        let bits = i64::from(ty.bits());
        match op {
            Opcode::Imul => Fixed::product(imm.bits(), bits),
            // Vectors of two have no arithmetic shift.
            Opcode::Sshr if ty == types::I64 => None,
            _ if k == 1 => Some(Fixed::Shift(op, imm.bits() & (bits - 1))),
            _ => None,
        }
    }

    fn product(factor: i64, bits: i64) -> Option<Fixed> {
        let Shifts { high, low } = Shifts::of(factor, bits as u32)?;
        Some(match low {
            None => Fixed::Shift(Opcode::Ishl, high.into()),
            Some((low, minus)) => Fixed::Two { high: high.into(), low: low.into(), minus },
        })
    }

    /// The instructions that it takes.
    pub(super) fn instructions(self) -> i64 {
        match self {
            Fixed::Shift(..) => 1,
            Fixed::Two { low, .. } => 2 + i64::from(low > 0),
        }
    }

    pub(super) fn emit(self, cursor: &mut FuncCursor<'_>, v: Value) -> Value {
        match self {
            Fixed::Shift(op, by) => shift(cursor, op, v, by),
            Fixed::Two { high, low, minus } => {
                let [high, low] = [high, low].map(|by| shift(cursor, Opcode::Ishl, v, by));
                if minus { cursor.ins().isub(high, low) } else { cursor.ins().iadd(high, low) }
            }
        }
    }
}

fn shift(cursor: &mut FuncCursor<'_>, op: Opcode, v: Value, by: i64) -> Value {
    if by == 0 {
        return v;
    }
    let by = cursor.ins().iconst(types::I32, by);
    match op {
        Opcode::Ishl => cursor.ins().ishl(v, by),
        Opcode::Ushr => cursor.ins().ushr(v, by),
        _ => cursor.ins().sshr(v, by),
    }
}
