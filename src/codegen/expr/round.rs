//! NINT, FLOOR, CEILING and ANINT without calls.
//!
//! ```text
//! floor(x)   =>   k = int(x); k - (real(k) > x)
//! nint(x)    =>   k = int(x); d = x - real(k); k + (d >= 0.5) - (d <= -0.5)
//! anint(x)   =>   w = trunc(x); w + sign(|x - w| >= 0.5, x)
//! ```
//!
//! The first instruction set of x86-64 has no instruction that rounds, so each would be a call of the C library. `d` is exact: the results are those of the
//! calls in every rounding mode, wherever Fortran defines one. NINT goes by 64 bits, as `lround` does, so what
//! does not fit is cut as before. ANINT is a call unless an instruction truncates (SSE4.1, AArch64): none rounds halves away from
//! zero, as Fortran wants it.

use crate::expr::Translator;
use crate::types::clif_type;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Type as ClifType, Value, types};
use target_lexicon::Architecture;
use trueline_ir::{Intrinsic, Type};

/// The bits of the constants that the code of `i` of a real of type `of` loads.
pub(crate) fn constants(i: Intrinsic, of: Type) -> Vec<u64> {
    match (i, of) {
        (Intrinsic::Nint, Type::R4) => [0.5_f32, -0.5].map(|v| u64::from(v.to_bits())).to_vec(),
        (Intrinsic::Nint, Type::R8) => [0.5_f64, -0.5].map(f64::to_bits).to_vec(),
        (Intrinsic::Anint, Type::R4) => [0.5_f32, 1.0].map(|v| u64::from(v.to_bits())).to_vec(),
        (Intrinsic::Anint, Type::R8) => [0.5_f64, 1.0].map(f64::to_bits).to_vec(),
        _ => Vec::new(),
    }
}

impl Translator<'_, '_> {
    /// FLOOR, CEILING, NINT or ANINT of a real of type `of` as a number of type `ty`; none if a call does it better.
    pub(crate) fn rounded(&mut self, i: Intrinsic, ty: Type, of: Type, x: Value) -> Option<Value> {
        let is_x86 = self.shared.triple.architecture == Architecture::X86_64;
        if !matches!(of, Type::R4 | Type::R8) {
            return None;
        }
        if i == Intrinsic::Anint {
            return self.shared.rounds.then(|| self.nearest_whole(of, x));
        }
        if !is_x86 {
            return None;
        }
        let to = clif_type(ty);
        match i {
            Intrinsic::Nint if to.bits() <= 32 => Some(self.nearest_integer(of, to, x)),
            Intrinsic::Floor | Intrinsic::Floor8 if to.bits() >= 32 => Some(self.corrected(of, to, x, true)),
            Intrinsic::Ceiling | Intrinsic::Ceiling8 if to.bits() >= 32 => Some(self.corrected(of, to, x, false)),
            _ => None,
        }
    }

    /// The next integer below `x`, or above it.
    fn corrected(&mut self, of: Type, to: ClifType, x: Value, below: bool) -> Value {
        let whole = self.b.ins().fcvt_to_sint_sat(to, x);
        let back = self.b.ins().fcvt_from_sint(clif_type(of), whole);
        // "Less" is one comparison, which a NaN fails.
        let (less, greater) = if below { (x, back) } else { (back, x) };
        let is_off = self.b.ins().fcmp(FloatCC::LessThan, less, greater);
        let one = self.b.ins().uextend(to, is_off);
        if below { self.b.ins().isub(whole, one) } else { self.b.ins().iadd(whole, one) }
    }

    /// The whole number next to `x`, of two the one farther from zero, with the sign of `x`. The difference to the number without its
    /// fraction is exact; for infinity it is a NaN, for which the comparison fails.
    fn nearest_whole(&mut self, of: Type, x: Value) -> Value {
        let whole = self.b.ins().trunc(x);
        let rest = self.b.ins().fsub(x, whole);
        let rest = self.fabs(rest);
        let (half, one, zero) = (self.number(of, 0.5), self.number(of, 1.0), self.number(of, 0.0));
        let goes_on = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, rest, half);
        let more = self.b.ins().select(goes_on, one, zero);
        let more = self.fcopysign(more, x);
        self.b.ins().fadd(whole, more)
    }

    fn nearest_integer(&mut self, of: Type, to: ClifType, x: Value) -> Value {
        let whole = self.b.ins().fcvt_to_sint_sat(types::I64, x);
        let back = self.b.ins().fcvt_from_sint(clif_type(of), whole);
        let rest = self.b.ins().fsub(x, back);
        let (half, minus_half) = (self.number(of, 0.5), self.number(of, -0.5));
        let above = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, rest, half);
        let below = self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, minus_half, rest);
        let [above, below] = [above, below].map(|v| self.b.ins().uextend(types::I32, v));
        let change = self.b.ins().isub(above, below);
        let whole = self.b.ins().ireduce(types::I32, whole);
        let sum = self.b.ins().iadd(whole, change);
        self.fit(sum, types::I32, to)
    }
}
