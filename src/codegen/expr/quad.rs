//! Arithmetic of reals of every kind; of kind 16 (binary128), for which there are no instructions, by the functions of the
//! C compiler's library.

use crate::expr::Translator;
use crate::symbols::plain_signature;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as ClifType, Value, types};
use trueline_ir::{Quad, Type};

const SIGN: i64 = i64::MIN;

macro_rules! arithmetic {
    ($($name:ident $quad:literal)*) => {$(
        pub(crate) fn $name(&mut self, x: Value, y: Value) -> Value {
            if self.is_quad(x) { self.libgcc($quad, &[x, y], types::F128) } else { self.b.ins().$name(x, y) }
        }
    )*};
}

impl Translator<'_, '_> {
    arithmetic! { fadd "__addtf3" fsub "__subtf3" fmul "__multf3" fdiv "__divtf3" }

    fn is_quad(&self, v: Value) -> bool {
        self.b.func.dfg.value_type(v) == types::F128
    }

    /// Calls a function of [`LIBGCC`] or of the C library.
    pub(crate) fn libgcc(&mut self, name: &str, args: &[Value], result: ClifType) -> Value {
        let params: Vec<ClifType> = args.iter().map(|&v| self.b.func.dfg.value_type(v)).collect();
        let signature = plain_signature(&params, &[result]);
        let reference = self.shared.symbols.import(self.b.func, name, signature);
        let call = self.b.ins().call(reference, args);
        self.b.inst_results(call)[0]
    }

    /// A comparison: one byte, 0 or 1.
    pub(crate) fn fcmp(&mut self, cc: FloatCC, x: Value, y: Value) -> Value {
        if !self.is_quad(x) {
            return self.b.ins().fcmp(cc, x, y);
        }
        let (name, holds) = match cc {
            FloatCC::Equal => ("__eqtf2", IntCC::Equal),
            FloatCC::NotEqual => ("__netf2", IntCC::NotEqual),
            FloatCC::LessThan => ("__lttf2", IntCC::SignedLessThan),
            FloatCC::LessThanOrEqual => ("__letf2", IntCC::SignedLessThanOrEqual),
            FloatCC::GreaterThan => ("__gttf2", IntCC::SignedGreaterThan),
            FloatCC::GreaterThanOrEqual => ("__getf2", IntCC::SignedGreaterThanOrEqual),
            FloatCC::Unordered => ("__unordtf2", IntCC::NotEqual),
            other => unreachable!("{other} of reals"),
        };
        let order = self.libgcc(name, &[x, y], types::I32);
        self.b.ins().icmp_imm_s(holds, order, 0)
    }

    /// The halves of the bits of a number of kind 16, the lower first.
    fn halves(&mut self, v: Value) -> (Value, Value) {
        let bits = self.b.ins().bitcast(types::I128, MemFlagsData::new(), v);
        self.b.ins().isplit(bits)
    }

    fn of_halves(&mut self, low: Value, high: Value) -> Value {
        let bits = self.b.ins().iconcat(low, high);
        self.b.ins().bitcast(types::F128, MemFlagsData::new(), bits)
    }

    pub(crate) fn fneg(&mut self, v: Value) -> Value {
        if !self.is_quad(v) {
            return self.b.ins().fneg(v);
        }
        let (low, high) = self.halves(v);
        let sign = self.b.ins().iconst(types::I64, SIGN);
        let high = self.b.ins().bxor(high, sign);
        self.of_halves(low, high)
    }

    pub(crate) fn fabs(&mut self, v: Value) -> Value {
        if !self.is_quad(v) {
            return self.b.ins().fabs(v);
        }
        let (low, high) = self.halves(v);
        let magnitude = self.b.ins().iconst(types::I64, !SIGN);
        let high = self.b.ins().band(high, magnitude);
        self.of_halves(low, high)
    }

    pub(crate) fn fcopysign(&mut self, v: Value, sign: Value) -> Value {
        if !self.is_quad(v) {
            return self.b.ins().fcopysign(v, sign);
        }
        let ((low, high), (_, other)) = (self.halves(v), self.halves(sign));
        let mask = self.b.ins().iconst(types::I64, !SIGN);
        let high = self.b.ins().band(high, mask);
        let mask = self.b.ins().iconst(types::I64, SIGN);
        let sign = self.b.ins().band(other, mask);
        let high = self.b.ins().bor(high, sign);
        self.of_halves(low, high)
    }

    /// The constant `v` of a real type, or of the parts of a complex one.
    pub(crate) fn number(&mut self, ty: Type, v: f64) -> Value {
        match ty {
            Type::R16 | Type::C16 => self.quad_constant(v.into()),
            Type::R4 | Type::C4 => self.real(ty, (v as f32).to_bits().into()),
            _ => self.real(ty, v.to_bits()),
        }
    }

    /// A constant of kind 16.
    pub(crate) fn quad_constant(&mut self, v: Quad) -> Value {
        let constant = self.b.func.dfg.constants.insert(v.to_le_bytes().to_vec().into());
        self.b.ins().f128const(constant)
    }

    /// Converts between two real types.
    pub(crate) fn real_to_real(&mut self, t: ClifType, v: Value) -> Value {
        let f = self.b.func.dfg.value_type(v);
        match (f, t) {
            (types::F32, types::F128) => self.libgcc("__extendsftf2", &[v], t),
            (types::F64, types::F128) => self.libgcc("__extenddftf2", &[v], t),
            (types::F128, types::F32) => self.libgcc("__trunctfsf2", &[v], t),
            (types::F128, types::F64) => self.libgcc("__trunctfdf2", &[v], t),
            _ if f == t => v,
            _ if f.bits() < t.bits() => self.b.ins().fpromote(t, v),
            _ => self.b.ins().fdemote(t, v),
        }
    }

    /// An integer of 32 or 64 bits as a real.
    pub(crate) fn int_to_real(&mut self, t: ClifType, v: Value) -> Value {
        match (t, self.b.func.dfg.value_type(v)) {
            (types::F128, types::I32) => self.libgcc("__floatsitf", &[v], t),
            (types::F128, _) => self.libgcc("__floatditf", &[v], t),
            _ => self.b.ins().fcvt_from_sint(t, v),
        }
    }

    /// A real as an integer of 32 or 64 bits, truncated; saturating.
    pub(crate) fn truncated(&mut self, to: ClifType, v: Value) -> Value {
        match (self.is_quad(v), to) {
            (false, _) => self.b.ins().fcvt_to_sint_sat(to, v),
            (true, types::I32) => self.libgcc("__fixtfsi", &[v], to),
            (true, _) => self.libgcc("__fixtfdi", &[v], to),
        }
    }

    /// A number of kind 16 to a power of 64 bits, by repeated squaring; a negative exponent takes powers of the reciprocal.
    pub(crate) fn quad_power(&mut self, base: Value, exponent: Value) -> Value {
        let one = self.quad_constant(Quad::ONE);
        let [inverse, head, body, odd, even, done] = std::array::from_fn(|_| self.b.create_block());
        let p = [types::I64, types::F128, types::F128].map(|t| self.b.append_block_param(head, t));
        let product = self.b.append_block_param(even, types::F128);
        let n = self.b.ins().iabs(exponent);
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, exponent, 0);
        self.b.ins().brif(negative, inverse, &[], head, &[n.into(), one.into(), base.into()]);
        self.b.switch_to_block(inverse);
        let reciprocal = self.fdiv(one, base);
        self.b.ins().jump(head, &[n.into(), one.into(), reciprocal.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(p[0], body, &[], done, &[]);
        self.b.switch_to_block(body);
        let bit = self.b.ins().band_imm_u(p[0], 1);
        self.b.ins().brif(bit, odd, &[], even, &[p[1].into()]);
        self.b.switch_to_block(odd);
        let multiplied = self.fmul(p[1], p[2]);
        self.b.ins().jump(even, &[multiplied.into()]);
        self.b.switch_to_block(even);
        let half = self.b.ins().ushr_imm_u(p[0], 1);
        let square = self.fmul(p[2], p[2]);
        self.b.ins().jump(head, &[half.into(), product.into(), square.into()]);
        for block in [inverse, head, body, odd, even, done] {
            self.b.seal_block(block);
        }
        self.b.switch_to_block(done);
        self.forget();
        p[1]
    }
}
