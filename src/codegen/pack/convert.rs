//! Conversions between kinds of numbers.
//!
//! ```text
//! k1 = fcvt_to_sint_sat.i32 x1; …; k4 = …    =>    k = (fcvt_to_sint_sat [x1, x2]) ++ (fcvt_to_sint_sat [x3, x4])
//! ```
//!
//! A lane that does not fit becomes as its scalar does (`expr/truncate.rs`). Where lanes become narrower, two vectors make one; where they become wider, they come from half
//! a vector in memory.

use super::access::Access;
use super::plan::{How, Lanes, Maker};
use cranelift_codegen::cursor::FuncCursor;
use cranelift_codegen::ir::immediates::Offset32;
use cranelift_codegen::ir::{Endianness, Inst, InstBuilder, InstructionData, MemFlagsData, Opcode, Type, Value, types};
use smallvec::SmallVec;

/// Bytes of the first halves of two vectors.
const LOW_HALVES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/// The conversion of a vector; operands are nodes that come before it.
#[derive(Clone, Copy)]
pub(super) enum Conversion {
    /// Lanes of the same size.
    Same(Opcode, usize),
    /// Two vectors of wider lanes.
    Narrow(Opcode, [usize; 2]),
    /// Half a vector in memory.
    Widen { op: Opcode, flags: MemFlagsData, base: Value, offset: Offset32 },
}

impl Maker<'_, '_> {
    /// The conversion `op` of the operands `of` to lanes of type `to`.
    pub(super) fn conversion(
        &mut self,
        op: Opcode,
        to: Type,
        of: Lanes,
        depth: usize,
        others: &mut SmallVec<[Inst; 2]>,
    ) -> Option<How> {
        let from = self.packer.func.dfg.value_type(of[0]);
        if of.iter().any(|&v| self.packer.func.dfg.value_type(v) != from) {
            return None;
        }
        Some(How::Convert(match (op, from, to) {
            (Opcode::FcvtToSintSat, types::F32, types::I32) | (Opcode::FcvtFromSint, types::I32, types::F32) => {
                Conversion::Same(op, self.node(of, depth + 1)?)
            }
            (Opcode::FcvtToSintSat, types::F64, types::I32) | (Opcode::Fdemote, types::F64, types::F32) => {
                let halves: [Lanes; 2] = [of[..2].into(), of[2..].into()];
                let [low, high] = halves.map(|half| self.node(half, depth + 1));
                Conversion::Narrow(op, [low?, high?])
            }
            (Opcode::FcvtFromSint, types::I32, types::F64) | (Opcode::Fpromote, types::F32, types::F64) => {
                let insts: SmallVec<[Inst; 4]> =
                    of.iter().map(|&v| self.packer.func.dfg.value_def(v).inst()).collect::<Option<_>>()?;
                let (base, offset) = self.half_in_memory(&insts)?;
                let flags = Access::of(self.packer, insts[0])?.flags();
                others.extend(insts);
                Conversion::Widen { op, flags, base, offset }
            }
            _ => return None,
        }))
    }

    /// The beginning of the loads `insts` of neighbours, if they are in the block of the vector.
    fn half_in_memory(&self, insts: &[Inst]) -> Option<(Value, Offset32)> {
        let func = &self.packer.func;
        let here = func.layout.inst_block(self.at);
        let InstructionData::Load { opcode: Opcode::Load, arg, offset, .. } = func.dfg.insts[insts[0]] else {
            return None;
        };
        if insts.iter().any(|&i| func.layout.inst_block(i) != here) {
            return None;
        }
        match self.load(insts, arg, offset)? {
            How::Load { base, offset, .. } => Some((base, offset)),
            _ => None,
        }
    }
}

impl Conversion {
    /// The number of instructions that it saves against `width` scalars: a truncation takes three.
    pub(super) fn saved(self, width: i64) -> i64 {
        match self {
            Conversion::Same(Opcode::FcvtToSintSat, _) => 3 * width - 1,
            Conversion::Narrow(Opcode::FcvtToSintSat, _) => 3 * width - 3,
            Conversion::Same(..) => width - 1,
            Conversion::Narrow(..) => width - 3,
            Conversion::Widen { .. } => 2 * width - 2,
        }
    }

    pub(super) fn emit(self, cursor: &mut FuncCursor<'_>, to: Type, vectors: &[Value]) -> Value {
        match self {
            Conversion::Same(Opcode::FcvtToSintSat, a) => cursor.ins().fcvt_to_sint_sat(to, vectors[a]),
            Conversion::Same(_, a) => cursor.ins().fcvt_from_sint(to, vectors[a]),
            Conversion::Narrow(op, halves) => {
                let [low, high] = halves.map(|half| narrowed(cursor, op, vectors[half]));
                join(cursor, to, low, high)
            }
            Conversion::Widen { op, flags, base, offset } => {
                // Half a vector comes in by a load of a real, which leaves the other half zero.
                let bits = cursor.ins().load(types::F64, flags, base, offset);
                let half = cursor.ins().scalar_to_vector(types::F64X2, bits);
                let from = if op == Opcode::Fpromote { types::F32X4 } else { types::I32X4 };
                let half = cursor.ins().bitcast(from, little(), half);
                match op {
                    Opcode::Fpromote => cursor.ins().fvpromote_low(half),
                    _ => low_from_integers(cursor, half),
                }
            }
        }
    }
}

/// Two converted lanes in the first half of a vector.
fn narrowed(cursor: &mut FuncCursor<'_>, op: Opcode, v: Value) -> Value {
    if op == Opcode::Fdemote {
        return cursor.ins().fvdemote(v);
    }
    let wide = cursor.ins().fcvt_to_sint_sat(types::I64X2, v);
    let zero = cursor.func.dfg.constants.insert(vec![0; 16].into());
    let zero = cursor.ins().vconst(types::I64X2, zero);
    cursor.ins().snarrow(wide, zero)
}

/// The first halves of two vectors one after the other.
fn join(cursor: &mut FuncCursor<'_>, to: Type, low: Value, high: Value) -> Value {
    let [low, high] = [low, high].map(|v| cursor.ins().bitcast(types::I8X16, little(), v));
    let mask = cursor.func.dfg.immediates.push(LOW_HALVES.to_vec().into());
    let joined = cursor.ins().shuffle(low, high, mask);
    cursor.ins().bitcast(to, little(), joined)
}

/// The first two of four integers as reals.
fn low_from_integers(cursor: &mut FuncCursor<'_>, v: Value) -> Value {
    let wide = cursor.ins().swiden_low(v);
    cursor.ins().fcvt_from_sint(types::F64X2, wide)
}

fn little() -> MemFlagsData {
    MemFlagsData::new().with_endianness(Endianness::Little)
}
