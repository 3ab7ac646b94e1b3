//! Operations on vectors to CLIF: 128 bits, which every target has.
//!
//! The truth values of a mask are all ones or all zeros in a register, and 1 or 0 in memory.

use crate::expr::Translator;
use crate::types::clif_type;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Endianness, InstBuilder, MemFlagsData, Type as ClifType, Value, types};
use trueline_ir::scalar::lanes::Shifts;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic, Type, UnaryOp};

/// The lanes of a vector of bytes.
const LANES_OF_BYTES: usize = 16;

impl Translator<'_, '_> {
    /// The scalar `v` in every lane.
    pub(crate) fn splat(&mut self, ty: Type, v: Value) -> Value {
        self.b.ins().splat(clif_type(ty), v)
    }

    /// A vector of another type with as many lanes.
    pub(crate) fn convert_lanes(&mut self, to: Type, from: Type, v: Value) -> Value {
        match (from, to) {
            (Type::I4x4, Type::R4x4) => self.b.ins().fcvt_from_sint(types::F32X4, v),
            _ => v,
        }
    }

    /// The vector `v` of type `ty` as it lies in memory.
    pub(crate) fn lanes_to_memory(&mut self, ty: Type, v: Value) -> Value {
        if !is_mask(ty) {
            return v;
        }
        let one = self.int(clif_type(ty.lane()), 1);
        let ones = self.splat(ty, one);
        self.b.ins().band(v, ones)
    }

    /// The vector of type `ty` of which `v` lies in memory.
    pub(crate) fn lanes_of_memory(&mut self, ty: Type, v: Value) -> Value {
        if !is_mask(ty) {
            return v;
        }
        let zero = self.int(clif_type(ty.lane()), 0);
        let zeros = self.splat(ty, zero);
        self.b.ins().icmp(IntCC::NotEqual, v, zeros)
    }

    /// A unary operation.
    pub(crate) fn unary_lanes(&mut self, op: UnaryOp, ty: Type, v: Value) -> Value {
        match op {
            UnaryOp::Neg if ty.lane().is_real() => self.b.ins().fneg(v),
            UnaryOp::Neg => self.b.ins().ineg(v),
            UnaryOp::Not => self.b.ins().bnot(v),
        }
    }

    /// A binary operation of operands of type `ty`.
    pub(crate) fn binary_lanes(&mut self, op: BinaryOp, ty: Type, x: Value, y: Value) -> Value {
        let real = ty.lane().is_real();
        match op {
            BinaryOp::Add if real => self.b.ins().fadd(x, y),
            BinaryOp::Sub if real => self.b.ins().fsub(x, y),
            BinaryOp::Mul if real => self.b.ins().fmul(x, y),
            BinaryOp::Div if real => self.b.ins().fdiv(x, y),
            BinaryOp::Add => self.b.ins().iadd(x, y),
            BinaryOp::Sub => self.b.ins().isub(x, y),
            BinaryOp::Mul => self.b.ins().imul(x, y),
            BinaryOp::Div => unreachable!("integers are not divided in vectors"),
            BinaryOp::And => self.b.ins().band(x, y),
            BinaryOp::Or => self.b.ins().bor(x, y),
            BinaryOp::Neqv => self.b.ins().bxor(x, y),
            BinaryOp::Eqv => {
                let differ = self.b.ins().bxor(x, y);
                self.b.ins().bnot(differ)
            }
            _ if real => self.compare_real_lanes(op, x, y),
            BinaryOp::Eq => self.b.ins().icmp(IntCC::Equal, x, y),
            BinaryOp::Ne => self.b.ins().icmp(IntCC::NotEqual, x, y),
            BinaryOp::Lt => self.b.ins().icmp(IntCC::SignedLessThan, x, y),
            BinaryOp::Le => self.b.ins().icmp(IntCC::SignedLessThanOrEqual, x, y),
            BinaryOp::Gt => self.b.ins().icmp(IntCC::SignedGreaterThan, x, y),
            BinaryOp::Ge => self.b.ins().icmp(IntCC::SignedGreaterThanOrEqual, x, y),
        }
    }

    /// The product of vectors of integers of which one is the same constant in all lanes, as shifts, if there are few.
    pub(crate) fn multiple_lanes(&mut self, ty: Type, sides: [Expr; 2]) -> Option<Value> {
        let (factor, other) = match sides.map(|e| self.constant_in_lanes(e)) {
            [_, Some(k)] => (k, sides[0]),
            [Some(k), _] => (k, sides[1]),
            _ => return None,
        };
        let Shifts { high, low } = Shifts::of(factor, 8 * ty.lane().size() as u32)?;
        let v = self.expr(other).one();
        let mut shifted = |by: u32| {
            if by == 0 {
                return v;
            }
            let by = self.b.ins().iconst(types::I32, i64::from(by));
            self.b.ins().ishl(v, by)
        };
        let high = shifted(high);
        let Some((low, minus)) = low.map(|(by, minus)| (shifted(by), minus)) else { return Some(high) };
        Some(if minus { self.b.ins().isub(high, low) } else { self.b.ins().iadd(high, low) })
    }

    /// The integers in `x` with one more, or less, in the lanes that are true in the mask that `each` has as ones and zeros: a true
    /// lane of a mask is -1.
    pub(crate) fn counted_lanes(&mut self, op: BinaryOp, ty: Type, x: Value, each: Expr) -> Option<Value> {
        let ExprData::Intrinsic(Intrinsic::Merge, args) = self.unit.expr(each) else { return None };
        let [one, _, mask] = *self.unit.list(args) else { return None };
        let is_one = |e: Expr| matches!(self.unit.expr(e), ExprData::Convert(_, k) if matches!(self.unit.expr(k), ExprData::Int(_, 1)));
        if ty.lane().is_real() || !is_one(one) || !self.is_zero_in_lanes(self.unit.list(args)[1]) {
            return None;
        }
        let mask = self.expr(mask).one();
        let mask = self.lanes_as(clif_type(ty), mask);
        Some(if op == BinaryOp::Add { self.b.ins().isub(x, mask) } else { self.b.ins().iadd(x, mask) })
    }

    fn compare_real_lanes(&mut self, op: BinaryOp, x: Value, y: Value) -> Value {
        // The only orders that x86-64 has are "less" and "less or equal".
        match op {
            BinaryOp::Eq => self.b.ins().fcmp(FloatCC::Equal, x, y),
            BinaryOp::Ne => self.b.ins().fcmp(FloatCC::NotEqual, x, y),
            BinaryOp::Lt => self.b.ins().fcmp(FloatCC::LessThan, x, y),
            BinaryOp::Le => self.b.ins().fcmp(FloatCC::LessThanOrEqual, x, y),
            BinaryOp::Gt => self.b.ins().fcmp(FloatCC::LessThan, y, x),
            _ => self.b.ins().fcmp(FloatCC::LessThanOrEqual, y, x),
        }
    }

    /// The function `i` of vectors, of which the first argument is of type `of`.
    pub(crate) fn intrinsic_lanes(&mut self, i: Intrinsic, of: Type, args: &[Expr]) -> Value {
        if i == Intrinsic::Lane {
            let vector = self.expr(args[0]).one();
            let number = self.unit.pool().as_int(args[1]).unwrap_or(0);
            return self.lane(of, vector, number);
        }
        if i == Intrinsic::Ones {
            let mask = self.expr(args[0]).one();
            return self.ones(of.lanes(), mask);
        }
        if i == Intrinsic::Ramp {
            let vector = self.expr(args[0]).one();
            let step = self.unit.pool().as_int(args[1]).unwrap_or(0);
            return self.ramp(of, vector, step);
        }
        if matches!(i, Intrinsic::Ishft | Intrinsic::Shifta) {
            let vector = self.expr(args[0]).one();
            let by = self.constant_in_lanes(args[1]).unwrap_or(0);
            return self.shifted_lanes(i, vector, by);
        }
        if i == Intrinsic::Merge && self.is_zero_in_lanes(args[1]) {
            let (value, mask) = (self.expr(args[0]).one(), self.expr(args[2]).one());
            let mask = self.lanes_as(clif_type(of), mask);
            return self.b.ins().band(value, mask);
        }
        let v: Vec<Value> = args.iter().map(|&a| self.expr(a).one()).collect();
        let real = of.lane().is_real();
        match i {
            Intrinsic::Abs if real => self.b.ins().fabs(v[0]),
            Intrinsic::Abs => self.b.ins().iabs(v[0]),
            Intrinsic::Sqrt => self.b.ins().sqrt(v[0]),
            Intrinsic::Max | Intrinsic::Min if real => {
                // In this form x86-64 has instructions for the greater and the less of two.
                let (less, greater) = if i == Intrinsic::Max { (v[1], v[0]) } else { (v[0], v[1]) };
                let wins = self.b.ins().fcmp(FloatCC::LessThan, less, greater);
                self.select_lanes(of, wins, v[0], v[1])
            }
            Intrinsic::Max => self.b.ins().smax(v[0], v[1]),
            Intrinsic::Min => self.b.ins().smin(v[0], v[1]),
            Intrinsic::Sign => {
                let negative = self.number_of(of.lane(), -0.0);
                let signs = self.splat(of, negative);
                let sign = self.b.ins().band(v[1], signs);
                let size = self.b.ins().fabs(v[0]);
                self.b.ins().bor(size, sign)
            }
            Intrinsic::Iand => self.b.ins().band(v[0], v[1]),
            Intrinsic::Ior => self.b.ins().bor(v[0], v[1]),
            Intrinsic::Ieor => self.b.ins().bxor(v[0], v[1]),
            Intrinsic::Not => self.b.ins().bnot(v[0]),
            Intrinsic::Merge => self.select_lanes(of, v[2], v[0], v[1]),
            other => unreachable!("{other:?} of vectors"),
        }
    }

    /// `v` with `step` more in each lane than in the one before.
    fn ramp(&mut self, ty: Type, v: Value, step: i64) -> Value {
        let lane = ty.lane();
        let numbers = (0..ty.lanes() as i64).flat_map(|k| match (lane, step.wrapping_mul(k)) {
            (Type::R4, n) => (n as f32).to_le_bytes().to_vec(),
            (Type::R8, n) => (n as f64).to_le_bytes().to_vec(),
            (_, n) => n.to_le_bytes()[..lane.size()].to_vec(),
        });
        let numbers: Vec<u8> = numbers.collect();
        let numbers = self.b.func.dfg.constants.insert(numbers.into());
        let numbers = self.b.ins().vconst(clif_type(ty), numbers);
        if lane.is_real() { self.b.ins().fadd(v, numbers) } else { self.b.ins().iadd(v, numbers) }
    }

    /// The lanes of `v` shifted, to the left if `by` is positive; those of SHIFTA to the right.
    fn shifted_lanes(&mut self, i: Intrinsic, v: Value, by: i64) -> Value {
        let distance = self.b.ins().iconst(types::I32, by.abs());
        match i {
            _ if by == 0 => v,
            Intrinsic::Shifta => self.b.ins().sshr(v, distance),
            _ if by > 0 => self.b.ins().ishl(v, distance),
            _ => self.b.ins().ushr(v, distance),
        }
    }

    /// The integer constant that is in all lanes of `e`.
    fn constant_in_lanes(&self, e: Expr) -> Option<i64> {
        match self.unit.expr(e) {
            ExprData::Convert(_, k) => self.unit.pool().as_int(k),
            _ => None,
        }
    }

    fn number_of(&mut self, ty: Type, v: f64) -> Value {
        let bits = if ty == Type::R4 { u64::from((v as f32).to_bits()) } else { v.to_bits() };
        self.real(ty, bits)
    }

    /// The number of true lanes: ones among the sign bits of 16. The sign bits of two are 0 to 3, of which the half is too much; those of four are the
    /// place of a digit.
    fn ones(&mut self, lanes: usize, mask: Value) -> Value {
        let signs = self.b.ins().vhigh_bits(types::I64, mask);
        if lanes == LANES_OF_BYTES {
            return self.b.ins().popcnt(signs);
        }
        if lanes == 2 {
            let half = self.b.ins().ushr_imm_u(signs, 1);
            return self.b.ins().isub(signs, half);
        }
        let place = self.b.ins().ishl_imm_u(signs, 2);
        let digits = self.b.ins().iconst(types::I64, 0x4332_3221_3221_2110);
        let digit = self.b.ins().ushr(digits, place);
        self.b.ins().band_imm_u(digit, 7)
    }

    /// Whether `e` has the bits of zero in all lanes.
    fn is_zero_in_lanes(&self, e: Expr) -> bool {
        let ExprData::Convert(_, of) = self.unit.expr(e) else { return false };
        matches!(self.unit.expr(of), ExprData::Int(_, 0) | ExprData::Real(_, 0))
    }

    /// `yes` where `mask` is true, else `no`.
    fn select_lanes(&mut self, ty: Type, mask: Value, yes: Value, no: Value) -> Value {
        let mask = self.lanes_as(clif_type(ty), mask);
        self.b.ins().bitselect(mask, yes, no)
    }

    /// The same bits as another type of vectors.
    fn lanes_as(&mut self, ty: ClifType, v: Value) -> Value {
        if self.b.func.dfg.value_type(v) == ty {
            return v;
        }
        let little = MemFlagsData::new().with_endianness(Endianness::Little);
        self.b.ins().bitcast(ty, little, v)
    }

    /// One lane as a scalar. Without SSE 4.1 there is no instruction for one of four integers.
    fn lane(&mut self, of: Type, v: Value, number: i64) -> Value {
        let k = number.clamp(0, of.lanes() as i64 - 1) as u8;
        match of {
            Type::I4x4 | Type::L4x4 => {
                let halves = self.lanes_as(types::I64X2, v);
                let half = self.b.ins().extractlane(halves, k / 2);
                let half = if k % 2 == 1 { self.b.ins().ushr_imm_u(half, 32) } else { half };
                let word = self.b.ins().ireduce(types::I32, half);
                if of == Type::L4x4 { self.b.ins().band_imm_u(word, 1) } else { word }
            }
            Type::I1x16 | Type::L1x16 => {
                let halves = self.lanes_as(types::I64X2, v);
                let half = self.b.ins().extractlane(halves, k / 8);
                let half = self.b.ins().ushr_imm_u(half, i64::from(k % 8 * 8));
                let byte = self.b.ins().ireduce(types::I8, half);
                if of == Type::L1x16 { self.b.ins().band_imm_u(byte, 1) } else { byte }
            }
            Type::L8x2 => {
                let word = self.b.ins().extractlane(v, k);
                self.b.ins().band_imm_u(word, 1)
            }
            _ => self.b.ins().extractlane(v, k),
        }
    }
}

/// Whether the lanes are truth values.
fn is_mask(ty: Type) -> bool {
    matches!(ty, Type::L4x4 | Type::L8x2 | Type::L1x16)
}
