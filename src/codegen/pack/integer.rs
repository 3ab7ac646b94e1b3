//! Operations on integers with a constant: shifts, and products that are sums of shifts.
//!
//! The baseline of x86-64 has no product of four integers: put together of products of two it takes seven instructions. That
//! of a constant with few ones is a few shifts and an addition or subtraction, which wrap around as the product does.

use super::Packer;
use super::plan::Lanes;
use cranelift_codegen::cursor::FuncCursor;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Type, Value, types};

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
        let factor = u64::try_from(factor).ok().filter(|&f| f > 0 && f < 1 << 30)?;
        let low = i64::from(factor.trailing_zeros());
        let rest = factor >> low;
        let fixed = match (rest == 1, (rest - 1).is_power_of_two(), (rest + 1).is_power_of_two()) {
            (true, ..) => Fixed::Shift(Opcode::Ishl, low),
            (_, true, _) => Fixed::Two { high: low + i64::from((rest - 1).trailing_zeros()), low, minus: false },
            (_, _, true) => Fixed::Two { high: low + i64::from((rest + 1).trailing_zeros()), low, minus: true },
            _ => return None,
        };
        let fits = !matches!(fixed, Fixed::Two { high, .. } if high >= bits);
        fits.then_some(fixed)
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

#[cfg(test)]
mod tests {
    use super::Fixed;

    #[test]
    fn products_with_few_ones_are_shifts() {
        let value = |factor: i64| match Fixed::product(factor, 32)? {
            Fixed::Shift(_, by) => Some(1_i64 << by),
            Fixed::Two { high, low, minus } => {
                Some(if minus { (1 << high) - (1 << low) } else { (1 << high) + (1 << low) })
            }
        };
        for factor in [1, 2, 3, 5, 6, 7, 8, 12, 15, 24, 31, 48, 1024, 1025] {
            assert_eq!(value(factor), Some(factor));
        }
        for factor in [0, -1, 11, 37, 1 << 40] {
            assert_eq!(value(factor), None, "{factor}");
        }
    }
}
