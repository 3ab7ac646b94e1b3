//! Conversions of vectors to other types, lane by lane.
//!
//! ```text
//!                                  16 bytes                            32 bytes
//! four INTEGER(4) to REAL(8)       cvtdq2pd of both halves             vcvtdq2pd  ymm, xmm
//! four REAL(8) to INTEGER(4)       cvttpd2dq of both, put together     vcvttpd2dq xmm, ymm
//! ```
//!
//! A lane that does not fit becomes as its scalar does (`expr/truncate.rs`).

use crate::expr::Translator;
use crate::types::Val;
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, Type as ClifType, Value, types};
use trueline_ir::Type;

/// Bytes of the first halves of two vectors.
const LOW_HALVES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
/// Bytes of the second half of a vector, twice.
const HIGH_HALF: [u8; 16] = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

impl Translator<'_, '_> {
    /// The vector `v` of type `from` as one of type `to`, with as many lanes.
    pub(crate) fn convert_lanes(&mut self, to: Type, from: Type, v: Val) -> Val {
        match (from.lane(), to.lane()) {
            (Type::I4, Type::R4) => self.lanewise(from, [v], |t, _, [v]| t.b.ins().fcvt_from_sint(types::F32X4, v)),
            (Type::R4, Type::I4) => self.lanewise(from, [v], |t, _, [v]| t.b.ins().fcvt_to_sint_sat(types::I32X4, v)),
            (Type::I4, Type::R8 | Type::I8) | (Type::R4, Type::R8) => self.widened_lanes(to, v),
            (Type::R4, Type::C4) | (Type::R8, Type::C8) => self.complex_of_reals(from, v.one()),
            (Type::R8, Type::I4 | Type::R4) => self.narrowed_lanes(to, v),
            _ => v,
        }
    }

    /// Four lanes of four bytes as four of eight.
    fn widened_lanes(&mut self, to: Type, v: Val) -> Val {
        let v = v.one();
        if self.has_wide_registers() {
            let location = self.begin_wide(32);
            let all = self.low_widened(to, v);
            self.end_wide(location);
            return Val::One(all);
        }
        let low = self.low_widened(to, v);
        let high = self.shuffled(v, v, HIGH_HALF);
        Val::Two(low, self.low_widened(to, high))
    }

    /// The first two lanes of four bytes as lanes of eight.
    fn low_widened(&mut self, to: Type, v: Value) -> Value {
        if self.b.func.dfg.value_type(v) == types::F32X4 {
            return self.b.ins().fvpromote_low(v);
        }
        let wide = self.b.ins().swiden_low(v);
        if to.lane().is_real() { self.b.ins().fcvt_from_sint(types::F64X2, wide) } else { wide }
    }

    /// Four lanes of eight bytes as four of four.
    fn narrowed_lanes(&mut self, to: Type, v: Val) -> Val {
        match v {
            Val::One(all) => {
                let location = self.begin_wide(32);
                let narrow = self.narrowed(to, all);
                self.end_wide(location);
                Val::One(narrow)
            }
            both => {
                let (low, high) = both.two();
                let (low, high) = (self.narrowed(to, low), self.narrowed(to, high));
                Val::One(self.shuffled(low, high, LOW_HALVES))
            }
        }
    }

    /// Two reals of eight bytes as lanes of four, zeros behind them.
    fn narrowed(&mut self, to: Type, v: Value) -> Value {
        if to.lane().is_real() {
            return self.b.ins().fvdemote(v);
        }
        let wide = self.b.ins().fcvt_to_sint_sat(types::I64X2, v);
        let zero = self.b.func.dfg.constants.insert(vec![0; 16].into());
        let zero = self.b.ins().vconst(types::I64X2, zero);
        self.b.ins().snarrow(wide, zero)
    }

    /// Bytes of two vectors of one type.
    pub(super) fn shuffled(&mut self, low: Value, high: Value, bytes: [u8; 16]) -> Value {
        let ty: ClifType = self.b.func.dfg.value_type(low);
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        let [low, high] = [low, high].map(|v| self.b.ins().bitcast(types::I8X16, little, v));
        let mask = self.b.func.dfg.immediates.push(bytes.to_vec().into());
        let both = self.b.ins().shuffle(low, high, mask);
        self.b.ins().bitcast(ty, little, both)
    }
}
