//! Operations on vectors to CLIF, whose vectors have 128 bits, which every target has.
//!
//! The truth values of a mask are all ones or all zeros in a register, and 1 or 0 in memory.
//!
//! A longer vector is two or four such vectors, or, on a processor that has them, a register of which CLIF sees the first 128 bits ([`crate::wide`]).
//! Operations on those are marked in their locations. They must be the same in all their 128 bits: a constant with
//! lanes of its own is put together of its parts.

use crate::expr::Translator;
use crate::symbols::ADDRESS;
use crate::types::{Val, clif_type, is_complex};
use crate::wide;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    Endianness, InstBuilder, MemFlagsData, SourceLoc, StackSlotData, StackSlotKind, Type as ClifType, Value, types,
};
use smallvec::SmallVec;
use trueline_ir::scalar::lanes::Shifts;
use trueline_ir::{BinaryOp, Expr, ExprData, Intrinsic, Type, UnaryOp};

/// The lanes of a vector of bytes.
const LANES_OF_BYTES: usize = 16;

impl Translator<'_, '_> {
    /// The number of registers that a value has which is no complex number, and the bytes of each.
    pub(crate) fn registers_of(&self, ty: Type) -> (usize, usize) {
        if wide::short(ty).is_none() {
            return (1, wide::SHORT);
        }
        let bytes = ty.size().min(self.register_bytes);
        (ty.size() / bytes, bytes)
    }

    /// Whether vectors may be longer than those of CLIF.
    pub(crate) fn has_wide_registers(&self) -> bool {
        self.register_bytes > wide::SHORT
    }

    /// Does `work` with registers of this number of bytes.
    pub(crate) fn in_register<R>(&mut self, bytes: usize, work: impl FnOnce(&mut Self) -> R) -> R {
        if bytes == wide::SHORT {
            return work(self);
        }
        let location = self.begin_wide(bytes);
        let out = work(self);
        self.end_wide(location);
        out
    }

    /// An operation on vectors of type `ty`, of which `f` does 16 bytes: on each part, or on the whole register.
    pub(crate) fn lanewise<const N: usize>(
        &mut self,
        ty: Type,
        v: [Val; N],
        mut f: impl FnMut(&mut Self, Type, [Value; N]) -> Value,
    ) -> Val {
        let (count, bytes) = self.registers_of(ty);
        let of = wide::short(ty).unwrap_or(ty);
        let mut part = |t: &mut Self, k: usize| t.in_register(bytes, |t| f(t, of, v.map(|x| x.part(k))));
        let parts: SmallVec<[Value; 4]> = (0..count).map(|k| part(self, k)).collect();
        Val::of(&parts)
    }

    /// The next instructions are operations on whole registers of 32 or 64 bytes. Returns the location to restore.
    pub(crate) fn begin_wide(&mut self, bytes: usize) -> SourceLoc {
        let location = self.b.srcloc();
        self.in_wide = true;
        self.upper_is_used = true;
        self.b.set_srcloc(crate::locate::wide(location, bytes));
        location
    }

    /// The end of operations on whole registers.
    pub(crate) fn end_wide(&mut self, location: SourceLoc) {
        self.in_wide = false;
        self.b.set_srcloc(location);
    }

    /// Before code of others runs, the upper halves of registers are cleared: code without AVX would wait for them. [`wide`] makes an instruction for
    /// that of each fence.
    pub(crate) fn clear_upper_halves(&mut self) {
        if std::mem::take(&mut self.upper_is_used) {
            self.b.ins().fence();
        }
    }

    /// The scalar `v` in every lane.
    pub(crate) fn splat(&mut self, ty: Type, v: Value) -> Val {
        self.lanewise(ty, [Val::One(v)], |t, ty, [v]| t.b.ins().splat(clif_type(ty), v))
    }

    /// The vector `v` of type `ty` as it lies in memory.
    pub(crate) fn lanes_to_memory(&mut self, ty: Type, v: Val) -> Val {
        if !is_mask(ty) {
            return v;
        }
        self.lanewise(ty, [v], |t, ty, [v]| {
            if t.in_wide {
                let by = t.b.ins().iconst(types::I32, 8 * ty.lane().size() as i64 - 1);
                return t.b.ins().ushr(v, by);
            }
            let one = t.int(clif_type(ty.lane()), 1);
            let ones = t.b.ins().splat(clif_type(ty), one);
            t.b.ins().band(v, ones)
        })
    }

    /// The vector of type `ty` of which `v` lies in memory.
    pub(crate) fn lanes_of_memory(&mut self, ty: Type, v: Val) -> Val {
        if !is_mask(ty) {
            return v;
        }
        self.lanewise(ty, [v], |t, ty, [v]| {
            let zero = t.int(clif_type(ty.lane()), 0);
            let zeros = t.b.ins().splat(clif_type(ty), zero);
            t.b.ins().icmp(IntCC::NotEqual, v, zeros)
        })
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
    pub(crate) fn multiple_lanes(&mut self, ty: Type, sides: [Expr; 2]) -> Option<Val> {
        let (factor, other) = match sides.map(|e| self.constant_in_lanes(e)) {
            [_, Some(k)] => (k, sides[0]),
            [Some(k), _] => (k, sides[1]),
            _ => return None,
        };
        let Shifts { high, low } = Shifts::of(factor, 8 * ty.lane().size() as u32)?;
        let v = self.expr(other);
        Some(self.lanewise(ty, [v], |t, _, [v]| {
            let mut shifted = |by: u32| {
                if by == 0 {
                    return v;
                }
                let by = t.b.ins().iconst(types::I32, i64::from(by));
                t.b.ins().ishl(v, by)
            };
            let high = shifted(high);
            let Some((low, minus)) = low.map(|(by, minus)| (shifted(by), minus)) else { return high };
            if minus { t.b.ins().isub(high, low) } else { t.b.ins().iadd(high, low) }
        }))
    }

    /// The integers in `x` with one more, or less, in the lanes that are true in the mask that `each` has as ones and zeros: a true
    /// lane of a mask is -1.
    pub(crate) fn counted_lanes(&mut self, op: BinaryOp, ty: Type, x: Val, each: Expr) -> Option<Val> {
        let ExprData::Intrinsic(Intrinsic::Merge, args) = self.unit.expr(each) else { return None };
        let [one, _, mask] = *self.unit.list(args) else { return None };
        let is_one = |e: Expr| matches!(self.unit.expr(e), ExprData::Convert(_, k) if matches!(self.unit.expr(k), ExprData::Int(_, 1)));
        if ty.lane().is_real() || !is_one(one) || !self.is_zero_in_lanes(self.unit.list(args)[1]) {
            return None;
        }
        let mask = self.expr(mask);
        Some(self.lanewise(ty, [x, mask], |t, ty, [x, mask]| {
            let mask = t.lanes_as(clif_type(ty), mask);
            if op == BinaryOp::Add { t.b.ins().isub(x, mask) } else { t.b.ins().iadd(x, mask) }
        }))
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
    pub(crate) fn intrinsic_lanes(&mut self, i: Intrinsic, of: Type, args: &[Expr]) -> Val {
        match i {
            Intrinsic::Lane => {
                let vector = self.expr(args[0]);
                let number = self.unit.pool().as_int(args[1]).unwrap_or(0);
                let k = number.clamp(0, of.lanes() as i64 - 1) as u8;
                if is_complex(of.lane()) {
                    return self.complex_lane(of, vector, k);
                }
                return Val::One(self.lane(of, vector, k));
            }
            Intrinsic::Piece => {
                let vector = self.expr(args[0]);
                let number = self.unit.pool().as_int(args[1]).unwrap_or(0).max(0) as usize;
                return Val::One(self.piece(of, vector, number * of.lane().size()));
            }
            Intrinsic::Ones => {
                let mask = self.expr(args[0]);
                return Val::One(self.ones(of, mask));
            }
            Intrinsic::Ramp => {
                let vector = self.expr(args[0]);
                let step = self.unit.pool().as_int(args[1]).unwrap_or(0);
                return self.ramp(of, vector, step);
            }
            Intrinsic::Gather => return self.gathered(of, args),
            Intrinsic::Alternate => return self.alternate(of, args),
            Intrinsic::Ishft | Intrinsic::Shifta => {
                let vector = self.expr(args[0]);
                let by = self.constant_in_lanes(args[1]).unwrap_or(0);
                return self.lanewise(of, [vector], |t, _, [v]| t.shifted_lanes(i, v, by));
            }
            Intrinsic::Merge if self.is_zero_in_lanes(args[1]) && self.constant_in_lanes(args[0]) == Some(-1) => {
                // True is -1.
                let mask = self.expr(args[2]);
                return self.lanewise(of, [mask], |t, ty, [mask]| t.lanes_as(clif_type(ty), mask));
            }
            Intrinsic::Merge if self.is_zero_in_lanes(args[1]) => {
                let (mask, others) = match self.unit.expr(args[2]) {
                    ExprData::Unary(UnaryOp::Not, mask) => (mask, true),
                    _ => (args[2], false),
                };
                let v = [self.expr(args[0]), self.expr(mask)];
                return self.lanewise(of, v, |t, ty, [value, mask]| {
                    let mask = t.lanes_as(clif_type(ty), mask);
                    // The complement directly in the conjunction is one instruction with it.
                    let mask = if others { t.b.ins().bnot(mask) } else { mask };
                    t.b.ins().band(value, mask)
                });
            }
            _ => {}
        }
        if let Some(value) = self.complex_function(i, of, args) {
            return value;
        }
        let v: Vec<Val> = args.iter().map(|&a| self.expr(a)).collect();
        let at = |k: usize| v.get(k).copied().unwrap_or(v[0]);
        self.lanewise(of, [at(0), at(1), at(2)], |t, ty, v| t.function_lanes(i, ty, v))
    }

    /// The function `i` of vectors of type `of`.
    fn function_lanes(&mut self, i: Intrinsic, of: Type, v: [Value; 3]) -> Value {
        let real = of.lane().is_real();
        match i {
            Intrinsic::Abs if real && self.in_wide => self.without_sign(of, v[0]),
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
                let sign = self.signs(of, v[1]);
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

    /// The signs of the reals in `v`, everything else zero.
    fn signs(&mut self, of: Type, v: Value) -> Value {
        if !self.in_wide {
            let negative = self.number_of(of.lane(), -0.0);
            let signs = self.b.ins().splat(clif_type(of), negative);
            return self.b.ins().band(v, signs);
        }
        let integers = if of.lane() == Type::R4 { types::I32X4 } else { types::I64X2 };
        let bits = self.lanes_as(integers, v);
        let by = self.b.ins().iconst(types::I32, i64::from(integers.lane_bits()) - 1);
        let sign = self.b.ins().ushr(bits, by);
        let sign = self.b.ins().ishl(sign, by);
        self.lanes_as(clif_type(of), sign)
    }

    /// `v` with `step` more in each lane than in the one before.
    fn ramp(&mut self, ty: Type, v: Val, step: i64) -> Val {
        let lane = ty.lane();
        let number = |k: usize| match (lane, step.wrapping_mul(k as i64)) {
            (Type::R4, n) => (n as f32).to_le_bytes().to_vec(),
            (Type::R8, n) => (n as f64).to_le_bytes().to_vec(),
            (_, n) => n.to_le_bytes()[..lane.size()].to_vec(),
        };
        let numbers: Vec<u8> = (0..ty.lanes()).flat_map(number).collect();
        let numbers = self.constant_vector(ty, &numbers);
        self.lanewise(ty, [v, numbers], |t, _, [v, numbers]| {
            if lane.is_real() { t.b.ins().fadd(v, numbers) } else { t.b.ins().iadd(v, numbers) }
        })
    }

    /// The vector of type `ty` with these bytes.
    fn constant_vector(&mut self, ty: Type, bytes: &[u8]) -> Val {
        let (_, of_register) = self.registers_of(ty);
        let constant = |t: &mut Self, bytes: &[u8]| {
            let bytes = t.b.func.dfg.constants.insert(bytes.to_vec().into());
            t.b.ins().vconst(clif_type(ty), bytes)
        };
        let register = |t: &mut Self, bytes: &[u8]| {
            let parts: Vec<Value> = bytes.chunks(wide::SHORT).map(|b| constant(t, b)).collect();
            match parts[..] {
                [one] => one,
                [low, high] => t.joined(32, low, high),
                [a, b, c, d] => {
                    let (low, high) = (t.joined(32, a, b), t.joined(32, c, d));
                    t.joined(64, low, high)
                }
                _ => unreachable!("a register has 16, 32 or 64 bytes"),
            }
        };
        let parts: SmallVec<[Value; 4]> = bytes.chunks(of_register).map(|b| register(self, b)).collect();
        Val::of(&parts)
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

    /// The reals `v` without their signs. Cranelift's `fabs` would make the mask anew each time.
    fn without_sign(&mut self, of: Type, v: Value) -> Value {
        let (lane, mask) = if of.lane() == Type::R4 { (Type::I4, 0x7fff_ffff) } else { (Type::I8, i64::MAX) };
        let ints = lane.vector(of.lanes()).unwrap_or(lane);
        let mask = self.b.ins().iconst(clif_type(lane), mask);
        let mask = self.b.ins().splat(clif_type(ints), mask);
        let bits = self.lanes_as(clif_type(ints), v);
        let bits = self.b.ins().band(bits, mask);
        self.lanes_as(clif_type(of), bits)
    }

    fn number_of(&mut self, ty: Type, v: f64) -> Value {
        let bits = if ty == Type::R4 { u64::from((v as f32).to_bits()) } else { v.to_bits() };
        self.real(ty, bits)
    }

    /// The number of true lanes: of bytes the ones among the sign bits of 16. The sign bits of two are 0 to 3, of which the half is too much; those of four are the
    /// place of a digit.
    fn ones(&mut self, of: Type, mask: Val) -> Value {
        let (count, bytes) = self.registers_of(of);
        let ones = |t: &mut Self, k: usize| {
            if bytes == wide::SHORT {
                return t.ones_of(of.lanes() / count, mask.part(k));
            }
            let signs = t.in_register(bytes, |t| t.b.ins().vhigh_bits(types::I64, mask.part(k)));
            t.b.ins().popcnt(signs)
        };
        let parts: SmallVec<[Value; 4]> = (0..count).map(|k| ones(self, k)).collect();
        let sum = parts.iter().copied().reduce(|a, b| self.b.ins().iadd(a, b));
        sum.unwrap_or(parts[0])
    }

    fn ones_of(&mut self, lanes: usize, mask: Value) -> Value {
        if lanes == LANES_OF_BYTES && !self.has_wide_registers() {
            return self.ones_of_bytes(mask);
        }
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

    /// The number of true lanes of sixteen bytes, for processors that cannot number the ones of an integer: the sum of the bytes of both halves,
    /// which a multiplication gathers in the highest byte.
    fn ones_of_bytes(&mut self, mask: Value) -> Value {
        let one = self.b.ins().iconst(types::I8, 1);
        let each = self.b.ins().splat(types::I8X16, one);
        let mask = self.lanes_as(types::I8X16, mask);
        let ones = self.b.ins().band(mask, each);
        let halves = self.lanes_as(types::I64X2, ones);
        let (low, high) = (self.b.ins().extractlane(halves, 0), self.b.ins().extractlane(halves, 1));
        let bytes = self.b.ins().iadd(low, high);
        let ones = self.b.ins().iconst(types::I64, 0x0101_0101_0101_0101);
        let sums = self.b.ins().imul(bytes, ones);
        self.b.ins().ushr_imm_u(sums, 56)
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

    /// One lane as a scalar; that of a whole register by way of the stack.
    fn lane(&mut self, of: Type, v: Val, k: u8) -> Value {
        let (count, bytes) = self.registers_of(of);
        let each = (of.lanes() / count) as u8;
        let (v, k) = (v.part(usize::from(k / each)), k % each);
        if bytes == wide::SHORT {
            return self.lane_of_short(wide::short(of).unwrap_or(of), v, k);
        }
        let place = self.laid_out(v, bytes);
        let (lane, flags) = (of.lane(), MemFlagsData::new().with_notrap());
        let value = self.b.ins().load(clif_type(lane), flags, place, i32::from(k) * lane.size() as i32);
        if is_mask(of) { self.b.ins().band_imm_u(value, 1) } else { value }
    }

    /// The 16 bytes from number `at` on of a vector; but for the first those of a whole register by way of the stack.
    fn piece(&mut self, of: Type, v: Val, at: usize) -> Value {
        let (_, bytes) = self.registers_of(of);
        let (v, within) = (v.part(at / bytes), at % bytes);
        if within == 0 {
            return v;
        }
        let place = self.laid_out(v, bytes);
        let ty = self.b.func.dfg.value_type(v);
        self.b.ins().load(ty, MemFlagsData::new().with_notrap(), place, within as i32)
    }

    /// The place on the stack of a vector in a register of 32 or 64 bytes.
    pub(super) fn laid_out(&mut self, vector: Value, bytes: usize) -> Value {
        if let Some((known, place)) = self.laid_out
            && known == vector
        {
            return place;
        }
        let slot = self.b.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, bytes as u32, 4));
        let place = self.b.ins().stack_addr(ADDRESS, slot, 0);
        self.in_register(bytes, |t| _ = t.b.ins().store(MemFlagsData::new().with_notrap(), vector, place, 0));
        self.laid_out = Some((vector, place));
        place
    }

    /// One lane of 16 bytes. Without SSE 4.1 there is no instruction for one of four integers.
    fn lane_of_short(&mut self, of: Type, v: Value, k: u8) -> Value {
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
    ty.is_vector() && ty == ty.mask()
}
