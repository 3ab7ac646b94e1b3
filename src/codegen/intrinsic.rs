//! Intrinsic functions to CLIF: instructions where there are some, else calls of the C library, as gfortran makes them,
//! so that results agree to the bit.

use crate::expr::Translator;
use crate::symbols::{ADDRESS, plain_signature, runtime_signature};
use crate::trips;
use crate::types::{Val, clif_type, is_complex, is_real, part};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Type as ClifType, Value, types};
use trueline_ir::{Expr, ExprData, Intrinsic, Quad, Rt, Type};

/// The mask that clears the sign bit of a real.
pub(crate) fn abs_mask(ty: Type) -> Option<u64> {
    match ty {
        Type::R4 => Some(0x7fff_ffff),
        Type::R8 => Some(0x7fff_ffff_ffff_ffff),
        _ => None,
    }
}

impl Translator<'_, '_> {
    /// Evaluates an intrinsic of result type `ty`.
    pub(crate) fn intrinsic(&mut self, i: Intrinsic, ty: Type, args: &[Expr]) -> Val {
        let first = self.unit.ty(args[0]);
        if i == Intrinsic::Ichar {
            let addr = self.place_address(args[0]);
            let flags = self.flags_of(args[0]);
            return Val::One(self.b.ins().uload8(types::I32, flags, addr, 0));
        }
        if i == Intrinsic::Iand
            && let Some(code) = self.unsigned_byte(ty, args)
        {
            return Val::One(code);
        }
        if first.is_vector() || i == Intrinsic::Gather {
            return self.intrinsic_lanes(i, first, args);
        }
        if is_complex(first) || is_complex(ty) {
            return self.complex_intrinsic(i, ty, first, args);
        }
        if matches!(i, Intrinsic::PowInt | Intrinsic::PowLong)
            && let Some(n) = self.unit.pool().as_int(args[1])
            && let Some(value) = self.power(i, args[0], n)
        {
            return Val::One(value);
        }
        let v: Vec<Value> = args.iter().map(|&a| self.expr(a).one()).collect();
        Val::One(if is_real(first) {
            self.real_intrinsic(i, ty, first, &v, args)
        } else {
            self.int_intrinsic(i, first, &v, args)
        })
    }

    /// A byte as an integer without a sign, if `IAND` of the arguments is that.
    fn unsigned_byte(&mut self, ty: Type, args: &[Expr]) -> Option<Value> {
        let &[x, y] = args else { return None };
        let all = |e: Expr| self.unit.pool().as_int(e) == Some(255);
        let (ExprData::Convert(_, byte), true) = (self.unit.expr(x), all(y)) else { return None };
        let to = clif_type(ty);
        if self.unit.ty(byte) != Type::I1 || !matches!(to, types::I32 | types::I64) {
            return None;
        }
        if matches!(self.unit.expr(byte), ExprData::Load { .. }) {
            let addr = self.place_address(byte);
            let flags = self.flags_of(byte);
            return Some(self.b.ins().uload8(to, flags, addr, 0));
        }
        let byte = self.expr(byte).one();
        Some(self.b.ins().uextend(to, byte))
    }

    /// The absolute value. On x86-64 Cranelift would make the mask anew each time; as a constant in memory it leaves
    /// the loop.
    fn real_abs(&mut self, ty: Type, v: Value) -> Value {
        let mask = abs_mask(ty).filter(|m| self.shared.reals.contains_key(m));
        match (mask, self.shared.triple.architecture) {
            (Some(bits), target_lexicon::Architecture::X86_64) => {
                let mask = self.real(ty, bits);
                self.b.ins().band(v, mask)
            }
            _ => self.fabs(v),
        }
    }

    fn real_intrinsic(&mut self, i: Intrinsic, ty: Type, of: Type, v: &[Value], args: &[Expr]) -> Value {
        if let Some(value) = self.rounded(i, ty, of, v[0]) {
            return value;
        }
        match i {
            Intrinsic::Abs => self.real_abs(of, v[0]),
            Intrinsic::Sqrt if of == Type::R16 => self.libm("sqrt", of, v, of),
            Intrinsic::Sqrt => self.b.ins().sqrt(v[0]),
            Intrinsic::Max | Intrinsic::Min => {
                // x86-64 has one instruction for both with "less"; any other test becomes a jump.
                let (less, greater) = if i == Intrinsic::Max { (v[1], v[0]) } else { (v[0], v[1]) };
                let wins = self.fcmp(FloatCC::LessThan, less, greater);
                self.b.ins().select(wins, v[0], v[1])
            }
            Intrinsic::Sign => self.fcopysign(v[0], v[1]),
            Intrinsic::Dim => {
                let zero = self.number(of, 0.0);
                let above = self.fcmp(FloatCC::GreaterThan, v[0], v[1]);
                let difference = self.fsub(v[0], v[1]);
                self.b.ins().select(above, difference, zero)
            }
            Intrinsic::Aint if of == Type::R16 => self.libm("trunc", of, v, of),
            Intrinsic::Aint => self.b.ins().trunc(v[0]),
            Intrinsic::Anint => self.libm("round", of, &[v[0]], of),
            Intrinsic::Nint | Intrinsic::Nint8 => {
                let wide = self.libm("lround", of, &[v[0]], Type::I8);
                self.fit(wide, types::I64, clif_type(ty))
            }
            Intrinsic::Floor | Intrinsic::Floor8 => {
                let whole = if of == Type::R16 { self.libm("floor", of, v, of) } else { self.b.ins().floor(v[0]) };
                self.real_to_int(clif_type(ty), whole)
            }
            Intrinsic::Ceiling | Intrinsic::Ceiling8 => {
                let whole = if of == Type::R16 { self.libm("ceil", of, v, of) } else { self.b.ins().ceil(v[0]) };
                self.real_to_int(clif_type(ty), whole)
            }
            Intrinsic::Mod => self.libm("fmod", of, &[v[0], v[1]], of),
            Intrinsic::Modulo => self.real_modulo(of, v[0], v[1]),
            Intrinsic::Pow => self.libm("pow", of, &[v[0], v[1]], of),
            Intrinsic::PowInt => {
                let f = if of == Type::R4 { Rt::PowiF32 } else { Rt::PowiF64 };
                let exponent = self.convert_scalar(self.unit.ty(args[1]), Type::I4, v[1]);
                if of == Type::R16 && self.inverts_first(i, of) {
                    let exponent = self.b.ins().sextend(types::I64, exponent);
                    return self.quad_power(v[0], exponent);
                }
                if of == Type::R16 {
                    return self.libgcc("__powitf2", &[v[0], exponent], types::F128);
                }
                self.runtime(f, &[v[0], exponent])
            }
            Intrinsic::PowLong if of == Type::R16 => self.quad_power(v[0], v[1]),
            Intrinsic::PowLong => {
                let f = if of == Type::R4 { Rt::PowLongF32 } else { Rt::PowLongF64 };
                self.runtime(f, v)
            }
            Intrinsic::Merge => self.merge(v, args),
            Intrinsic::IsNan => {
                let unordered = self.fcmp(FloatCC::Unordered, v[0], v[0]);
                self.b.ins().uextend(types::I32, unordered)
            }
            Intrinsic::RealPart | Intrinsic::Conjg => v[0],
            Intrinsic::Nearest => self.nearest(of, v[0], v[1]),
            Intrinsic::Fraction | Intrinsic::Exponent | Intrinsic::Spacing | Intrinsic::Rrspacing => {
                self.model(i, of, v[0])
            }
            Intrinsic::Scale => {
                let n = self.convert_scalar(self.unit.ty(args[1]), Type::I4, v[1]);
                self.ldexp(of, v[0], n)
            }
            Intrinsic::SetExponent => {
                let fraction = self.model(Intrinsic::Fraction, of, v[0]);
                let n = self.convert_scalar(self.unit.ty(args[1]), Type::I4, v[1]);
                self.ldexp(of, fraction, n)
            }
            Intrinsic::BesselJn => self.libm("jn", of, &[v[1], v[0]], of),
            Intrinsic::BesselYn => self.libm("yn", of, &[v[1], v[0]], of),
            other => self.libm(libm_name(other), of, v, of),
        }
    }

    fn int_intrinsic(&mut self, i: Intrinsic, of: Type, v: &[Value], args: &[Expr]) -> Value {
        let ty = clif_type(of);
        match i {
            Intrinsic::Abs => self.b.ins().iabs(v[0]),
            Intrinsic::Max => self.b.ins().smax(v[0], v[1]),
            Intrinsic::Min => self.b.ins().smin(v[0], v[1]),
            Intrinsic::Mod => self.b.ins().srem(v[0], v[1]),
            Intrinsic::Modulo => match self.unit.pool().as_int(args[1]) {
                Some(p) if p > 0 => self.int_modulo_of(ty, v[0], p),
                _ => self.int_modulo(ty, v[0], v[1]),
            },
            Intrinsic::Sign => {
                let magnitude = self.b.ins().iabs(v[0]);
                let negated = self.b.ins().ineg(magnitude);
                let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, v[1], 0);
                self.b.ins().select(negative, negated, magnitude)
            }
            Intrinsic::Dim => {
                let zero = self.int(ty, 0);
                let above = self.b.ins().icmp(IntCC::SignedGreaterThan, v[0], v[1]);
                let difference = self.b.ins().isub(v[0], v[1]);
                self.b.ins().select(above, difference, zero)
            }
            Intrinsic::Pow | Intrinsic::PowInt => {
                let (base, exponent) = (self.widen_int(of, v[0]), self.widen_int(self.unit.ty(args[1]), v[1]));
                let wide = self.runtime(Rt::PowI64, &[base, exponent]);
                self.fit(wide, types::I64, ty)
            }
            Intrinsic::Iand => self.unsigned(v).unwrap_or_else(|| self.b.ins().band(v[0], v[1])),
            Intrinsic::Ior => self.b.ins().bor(v[0], v[1]),
            Intrinsic::Ieor => self.b.ins().bxor(v[0], v[1]),
            Intrinsic::Not => self.b.ins().bnot(v[0]),
            Intrinsic::Ishft => self.shift(ty, v[0], v[1]),
            Intrinsic::Shifta => self.b.ins().sshr(v[0], v[1]),
            Intrinsic::Ishftc => self.circular_shift(ty, v, args),
            Intrinsic::Btest => {
                let shifted = self.b.ins().ushr(v[0], v[1]);
                let bit = self.b.ins().band_imm_u(shifted, 1);
                self.fit(bit, ty, types::I32)
            }
            Intrinsic::Ibset | Intrinsic::Ibclr => {
                let one = self.int(ty, 1);
                let mask = self.b.ins().ishl(one, v[1]);
                if i == Intrinsic::Ibset { self.b.ins().bor(v[0], mask) } else { self.b.ins().band_not(v[0], mask) }
            }
            Intrinsic::Ibits => {
                let shifted = self.b.ins().ushr(v[0], v[1]);
                let mask = self.low_bits(ty, v[2]);
                self.b.ins().band(shifted, mask)
            }
            Intrinsic::Merge => self.merge(v, args),
            Intrinsic::Trip => self.trip(v),
            Intrinsic::SumTrips => self.sum_trips(v, args),
            Intrinsic::Popcnt => {
                let n = self.b.ins().popcnt(v[0]);
                self.fit_unsigned(n, types::I32)
            }
            Intrinsic::Leadz => {
                let n = self.b.ins().clz(v[0]);
                self.fit_unsigned(n, types::I32)
            }
            Intrinsic::Trailz => {
                let n = self.b.ins().ctz(v[0]);
                self.fit_unsigned(n, types::I32)
            }
            other => unreachable!("{other:?} of an integer"),
        }
    }

    fn fit_unsigned(&mut self, v: Value, to: ClifType) -> Value {
        let from = self.b.func.dfg.value_type(v);
        if from.bits() < to.bits() { self.b.ins().uextend(to, v) } else { self.fit(v, from, to) }
    }

    fn merge(&mut self, v: &[Value], args: &[Expr]) -> Value {
        let mask = self.condition(args[2]);
        self.b.ins().select(mask, v[0], v[1])
    }

    /// `max(0, (hi - lo + step) / step)`, 0 for a step of 0; a constant step needs no test for it.
    fn trip(&mut self, v: &[Value]) -> Value {
        let zero = self.int(types::I64, 0);
        if let Some(step) = self.constant(v[2]).filter(|&n| n != 0 && n != i64::MIN) {
            let (low, high) = if step > 0 { (v[0], v[1]) } else { (v[1], v[0]) };
            let span = self.b.ins().isub(high, low);
            let span = self.b.ins().iadd_imm_s(span, step.abs());
            let trips = if step.abs() == 1 { span } else { self.b.ins().sdiv_imm_s(span, step.abs()) };
            return self.b.ins().smax(trips, zero);
        }
        // Divides without signs, and in 32 bits if the bounds have no more: that takes half the time.
        let up = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, v[2], 0);
        let (rise, fall) = (self.b.ins().isub(v[1], v[0]), self.b.ins().isub(v[0], v[1]));
        let span = self.b.ins().select(up, rise, fall);
        let size = self.b.ins().iabs(v[2]);
        let one = self.int(types::I64, 1);
        let divisor = self.b.ins().umax(size, one);
        let whole = if v.iter().all(|&x| self.is_narrow(x)) {
            let [span, divisor] = [span, divisor].map(|x| self.b.ins().ireduce(types::I32, x));
            let whole = self.b.ins().udiv(span, divisor);
            self.b.ins().uextend(types::I64, whole)
        } else {
            self.b.ins().udiv(span, divisor)
        };
        let trips = self.b.ins().iadd_imm_s(whole, 1);
        let none = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, span, 0);
        let trips = self.b.ins().select(none, zero, trips);
        let is_zero = self.b.ins().icmp(IntCC::Equal, v[2], zero);
        self.b.ins().select(is_zero, zero, trips)
    }

    /// The first value without its sign, if it is a narrower one and the second is a mask of that one's bits.
    fn unsigned(&mut self, v: &[Value]) -> Option<Value> {
        let mask = self.constant(v[1])?;
        let dfg = &self.b.func.dfg;
        let from = dfg.value_def(dfg.resolve_aliases(v[0])).inst()?;
        let InstructionData::Unary { opcode: Opcode::Sextend, arg } = dfg.insts[from] else { return None };
        let (bits, ty) = (dfg.value_type(arg).bits(), dfg.value_type(v[0]));
        (bits < 64 && mask == (1 << bits) - 1).then(|| self.b.ins().uextend(ty, arg))
    }

    /// The sum of the trips of an inner loop. With steps of one and trips that rise by a constant from a known number, or fall to one, it
    /// is half of `outer * (2 * fewest + change * (outer - 1))`, where `outer` is the number of inner loops.
    fn sum_trips(&mut self, v: &[Value], args: &[Expr]) -> Value {
        let Some((fewest, change)) = self.unit.easy_nest(args) else {
            let nest = trips::nest(self, Rt::SumTrips, &[], v);
            return self.b.ins().stack_load(ADDRESS, types::I64, nest, 0);
        };
        let outer = self.trip(&v[..3]);
        let steps = self.b.ins().iadd_imm_s(outer, -1);
        let more = self.b.ins().imul_imm_s(steps, change);
        let ends = self.b.ins().iadd_imm_s(more, 2 * fewest);
        let twice = self.b.ins().imul(outer, ends);
        self.b.ins().ushr_imm_u(twice, 1)
    }

    /// Whether `v` is known to be an integer of 32 bits.
    fn is_narrow(&self, v: Value) -> bool {
        let dfg = &self.b.func.dfg;
        let Some(from) = dfg.value_def(dfg.resolve_aliases(v)).inst() else { return false };
        match dfg.insts[from] {
            InstructionData::Unary { opcode: Opcode::Sextend, arg } => dfg.value_type(arg).bits() <= 32,
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => i32::try_from(imm.bits()).is_ok(),
            _ => false,
        }
    }

    /// The integer value of `v`, if it is known.
    fn constant(&self, v: Value) -> Option<i64> {
        let dfg = &self.b.func.dfg;
        let from = dfg.value_def(dfg.resolve_aliases(v)).inst()?;
        match dfg.insts[from] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    fn int_modulo(&mut self, ty: ClifType, a: Value, p: Value) -> Value {
        let r = self.b.ins().srem(a, p);
        let signs = self.b.ins().bxor(r, p);
        let differ = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let nonzero = self.b.ins().icmp_imm_s(IntCC::NotEqual, r, 0);
        let correct = self.b.ins().band(differ, nonzero);
        let zero = self.int(ty, 0);
        let add = self.b.ins().select(correct, p, zero);
        self.b.ins().iadd(r, add)
    }

    /// MODULO with a constant above zero: of a power of two it is the last bits.
    fn int_modulo_of(&mut self, ty: ClifType, a: Value, p: i64) -> Value {
        if p & (p - 1) == 0 {
            let mask = self.int(ty, p - 1);
            return self.b.ins().band(a, mask);
        }
        let p = self.int(ty, p);
        let r = self.b.ins().srem(a, p);
        let last = self.int(ty, i64::from(ty.bits()) - 1);
        let negative = self.b.ins().sshr(r, last);
        let add = self.b.ins().band(negative, p);
        self.b.ins().iadd(r, add)
    }

    fn real_modulo(&mut self, of: Type, a: Value, p: Value) -> Value {
        let r = self.libm("fmod", of, &[a, p], of);
        let zero = self.number(of, 0.0);
        let nonzero = self.fcmp(FloatCC::NotEqual, r, zero);
        let (r_neg, p_neg) = (self.fcmp(FloatCC::LessThan, r, zero), self.fcmp(FloatCC::LessThan, p, zero));
        let differ = self.b.ins().bxor(r_neg, p_neg);
        let sum = self.fadd(r, p);
        let corrected = self.b.ins().select(differ, sum, r);
        let signed_zero = self.fcopysign(zero, p);
        self.b.ins().select(nonzero, corrected, signed_zero)
    }

    fn shift(&mut self, ty: ClifType, v: Value, by: Value) -> Value {
        let bits = i64::from(ty.bits());
        let by = {
            let from = self.b.func.dfg.value_type(by);
            self.fit(by, from, ty)
        };
        if let Some(by) = self.constant_of(by) {
            return match by.unsigned_abs() < bits as u64 {
                true if by >= 0 => self.b.ins().ishl_imm_u(v, by),
                true => self.b.ins().ushr_imm_u(v, -by),
                false => self.int(ty, 0),
            };
        }
        let minus = self.b.ins().ineg(by);
        let (left, right) = (self.b.ins().ishl(v, by), self.b.ins().ushr(v, minus));
        let is_left = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, by, 0);
        let shifted = self.b.ins().select(is_left, left, right);
        let amount = self.b.ins().iabs(by);
        let in_range = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, amount, bits);
        let zero = self.int(ty, 0);
        self.b.ins().select(in_range, shifted, zero)
    }

    /// The value of an integer constant, also of one that was widened or cut.
    fn constant_of(&self, v: Value) -> Option<i64> {
        let dfg = &self.b.func.dfg;
        let ty = dfg.value_type(v);
        let inst = dfg.value_def(v).inst()?;
        let value = match dfg.insts[inst] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => imm.bits(),
            InstructionData::Unary { opcode: Opcode::Sextend | Opcode::Ireduce, arg } => self.constant_of(arg)?,
            _ => return None,
        };
        let unused = 64 - ty.bits();
        Some(value << unused >> unused)
    }

    fn low_bits(&mut self, ty: ClifType, count: Value) -> Value {
        let ones = self.int(ty, -1);
        let bits = i64::from(ty.bits());
        let from = self.b.func.dfg.value_type(count);
        let count = self.fit(count, from, ty);
        let mask = self.b.ins().ishl(ones, count);
        let mask = self.b.ins().bnot(mask);
        let all = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, count, bits);
        self.b.ins().select(all, ones, mask)
    }

    /// ISHFTC(i, shift, size): the low `size` bits rotate, the others stay.
    fn circular_shift(&mut self, ty: ClifType, v: &[Value], args: &[Expr]) -> Value {
        let bits = i64::from(ty.bits());
        let from = self.b.func.dfg.value_type(v[1]);
        let by = self.fit(v[1], from, ty);
        let size = match args.get(2).map(|&e| self.unit.expr(e)) {
            None | Some(ExprData::None) => return self.b.ins().rotl(v[0], by),
            Some(_) => {
                let from = self.b.func.dfg.value_type(v[2]);
                self.fit(v[2], from, ty)
            }
        };
        let full = self.b.ins().icmp_imm_s(IntCC::Equal, size, bits);
        let rotated = self.b.ins().rotl(v[0], by);
        let mask = self.low_bits(ty, size);
        let low = self.b.ins().band(v[0], mask);
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, by, 0);
        let wrapped = self.b.ins().iadd(by, size);
        let left = self.b.ins().select(negative, wrapped, by);
        let right = self.b.ins().isub(size, left);
        let up = self.b.ins().ishl(low, left);
        let down = self.shift_right_wide(ty, low, right);
        let both = self.b.ins().bor(up, down);
        let inside = self.b.ins().band(both, mask);
        let outside = self.b.ins().band_not(v[0], mask);
        let part = self.b.ins().bor(inside, outside);
        self.b.ins().select(full, rotated, part)
    }

    fn shift_right_wide(&mut self, ty: ClifType, v: Value, by: Value) -> Value {
        let minus = self.b.ins().ineg(by);
        self.shift(ty, v, minus)
    }

    fn complex_intrinsic(&mut self, i: Intrinsic, ty: Type, first: Type, args: &[Expr]) -> Val {
        match i {
            Intrinsic::Cmplx => Val::Two(self.expr(args[0]).one(), self.expr(args[1]).one()),
            Intrinsic::RealPart => Val::One(self.expr(args[0]).two().0),
            Intrinsic::ImagPart => Val::One(self.expr(args[0]).two().1),
            Intrinsic::Conjg => {
                let (re, im) = self.expr(args[0]).two();
                Val::Two(re, self.fneg(im))
            }
            Intrinsic::Merge => {
                let ((a, b), (c, d)) = (self.expr(args[0]).two(), self.expr(args[1]).two());
                let mask = self.condition(args[2]);
                Val::Two(self.b.ins().select(mask, a, c), self.b.ins().select(mask, b, d))
            }
            Intrinsic::Abs => {
                let (re, im) = self.expr(args[0]).two();
                Val::One(match first {
                    // The same function, without a complex argument.
                    Type::C16 => self.libm("hypot", Type::R16, &[re, im], Type::R16),
                    _ => self.libm("cabs", part(first), &[re, im], part(first)),
                })
            }
            Intrinsic::PowInt | Intrinsic::PowLong => self.complex_power(first, args),
            Intrinsic::Pow => {
                let ((a, b), (c, d)) = (self.expr(args[0]).two(), self.expr(args[1]).two());
                self.complex_libm("cpow", ty, &[a, b, c, d])
            }
            other => {
                let (re, im) = self.expr(args[0]).two();
                self.complex_libm(&format!("c{}", libm_name(other)), ty, &[re, im])
            }
        }
    }

    /// Calls a function of the C library by its double-precision name.
    fn libm(&mut self, name: &str, of: Type, args: &[Value], result: Type) -> Value {
        let name = match of {
            Type::R4 => format!("{name}f"),
            Type::R16 => format!("{name}f128"),
            _ => name.to_owned(),
        };
        let params: Vec<ClifType> = args.iter().map(|&v| self.b.func.dfg.value_type(v)).collect();
        // A complex float travels as both halves of one register, on x86-64.
        let (params, args) = if name == "cabsf" {
            let params = crate::abi::parts(Type::C4, self.shared.triple).iter().map(|p| p.value_type).collect();
            (params, self.pack_result(Type::C4, Val::Two(args[0], args[1])))
        } else {
            (params, args.to_vec())
        };
        let signature = plain_signature(&params, &[clif_type(result)]);
        let reference = self.shared.symbols.import(self.b.func, &name, signature);
        self.clear_upper_halves();
        let call = self.b.ins().call(reference, &args);
        self.b.inst_results(call)[0]
    }

    fn complex_libm(&mut self, name: &str, ty: Type, parts: &[Value]) -> Val {
        let name = match ty {
            Type::C4 => format!("{name}f"),
            Type::C16 => format!("{name}f128"),
            _ => name.to_owned(),
        };
        let (mut signature, mut values) = (plain_signature(&[], &[]), Vec::new());
        for p in parts.chunks(2) {
            let form = crate::abi::returned(ty, self.shared.triple);
            signature.params.extend(crate::abi::in_form(ty, form));
            values.extend(self.pack_argument(ty, Val::Two(p[0], p[1]), form));
        }
        let room = self.result_room(ty, &mut signature, &mut values);
        let reference = self.shared.symbols.import(self.b.func, &name, signature);
        self.clear_upper_halves();
        let call = self.b.ins().call(reference, &values);
        let results = self.b.inst_results(call).to_vec();
        self.unpack_results(ty, room, &results)
    }

    fn runtime(&mut self, f: Rt, args: &[Value]) -> Value {
        let reference = self.shared.symbols.import(self.b.func, f.signature().symbol, runtime_signature(f));
        self.clear_upper_halves();
        let call = self.b.ins().call(reference, args);
        self.b.inst_results(call)[0]
    }

    fn nearest(&mut self, of: Type, x: Value, s: Value) -> Value {
        let infinity = self.number(of, f64::INFINITY);
        let towards = self.fcopysign(infinity, s);
        self.libm("nextafter", of, &[x, towards], of)
    }

    fn ldexp(&mut self, of: Type, x: Value, n: Value) -> Value {
        self.libm("ldexp", of, &[x, n], of)
    }

    /// FRACTION, EXPONENT, SPACING, RRSPACING through `logb` and `ldexp` of the C library.
    fn model(&mut self, i: Intrinsic, of: Type, x: Value) -> Value {
        let zero = self.number(of, 0.0);
        let is_zero = self.fcmp(FloatCC::Equal, x, zero);
        let logb = self.libm("logb", of, &[x], of);
        let exponent = self.truncated(types::I32, logb);
        let exponent = self.b.ins().iadd_imm_s(exponent, 1);
        let int_zero = self.int(types::I32, 0);
        let exponent = self.b.ins().select(is_zero, int_zero, exponent);
        let (digits, least) = match of {
            Type::R4 => (24, -125),
            Type::R16 => (Quad::DIGITS.into(), Quad::MIN_EXPONENT.into()),
            _ => (53, -1021),
        };
        match i {
            Intrinsic::Exponent => exponent,
            Intrinsic::Fraction => {
                let minus = self.b.ins().ineg(exponent);
                self.ldexp(of, x, minus)
            }
            Intrinsic::Spacing => {
                let low = self.int(types::I32, least);
                let e = self.b.ins().smax(exponent, low);
                let e = self.b.ins().select(is_zero, low, e);
                let e = self.b.ins().iadd_imm_s(e, -digits);
                let low_power = self.int(types::I32, least - 1);
                let e = self.b.ins().smax(e, low_power);
                let one = self.number(of, 1.0);
                self.ldexp(of, one, e)
            }
            _ => {
                let minus = self.b.ins().ineg(exponent);
                let e = self.b.ins().iadd_imm_s(minus, digits);
                let magnitude = self.fabs(x);
                self.ldexp(of, magnitude, e)
            }
        }
    }
}

/// The double-precision name in the C library of an intrinsic that is a call.
fn libm_name(i: Intrinsic) -> &'static str {
    match i {
        Intrinsic::Gamma => "tgamma",
        Intrinsic::LogGamma => "lgamma",
        Intrinsic::BesselJ0 => "j0",
        Intrinsic::BesselJ1 => "j1",
        Intrinsic::BesselY0 => "y0",
        Intrinsic::BesselY1 => "y1",
        other => other.name(),
    }
}
