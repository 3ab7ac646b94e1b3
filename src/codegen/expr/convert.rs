//! Conversions between types.

use crate::expr::Translator;
use crate::types::{Val, clif_type, is_complex, is_logical, is_real, part};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as ClifType, Value, types};
use trueline_ir::{Expr, Type};

impl Translator<'_, '_> {
    pub(super) fn convert(&mut self, to: Type, a: Expr) -> Val {
        let from = self.unit.ty(a);
        let value = self.expr(a);
        if from.is_vector() {
            return self.convert_lanes(to, from, value);
        }
        if to.is_vector() && is_complex(from) {
            return self.complex_splat(to, value);
        }
        if to.is_vector() {
            return self.splat(to, value.one());
        }
        if is_complex(to) {
            let (re, im) = match value {
                Val::One(v) => (v, self.real_zero_like(part(to))),
                both => both.two(),
            };
            let re = self.convert_scalar(part(from), part(to), re);
            let im = match value {
                Val::One(_) => im,
                _ => self.convert_scalar(part(from), part(to), im),
            };
            return Val::Two(re, im);
        }
        Val::One(self.convert_scalar(part(from), to, value.one()))
    }

    pub(super) fn real_zero_like(&mut self, ty: Type) -> Value {
        self.number(ty, 0.0)
    }

    /// Converts between numeric or logical types.
    pub(crate) fn convert_scalar(&mut self, from: Type, to: Type, v: Value) -> Value {
        let (f, t) = (clif_type(from), clif_type(to));
        match (is_real(from), is_real(to)) {
            (true, true) => self.real_to_real(t, v),
            (true, false) => self.real_to_int(t, v),
            (false, true) => {
                let wide = if f.bits() < 32 { self.b.ins().sextend(types::I32, v) } else { v };
                self.int_to_real(t, wide)
            }
            (false, false) if is_logical(from) && is_logical(to) && f.bits() < t.bits() => self.b.ins().uextend(t, v),
            (false, false) => self.fit(v, f, t),
        }
    }

    /// Truncation towards zero; saturating, where Fortran leaves the result undefined, until [`super::truncate`] has
    /// decided otherwise.
    pub(crate) fn real_to_int(&mut self, to: ClifType, v: Value) -> Value {
        let wide = if to.bits() < 32 { types::I32 } else { to };
        let value = self.truncated(wide, v);
        self.fit(value, wide, to)
    }

    /// An integer of another width, sign-extended or cut.
    pub(crate) fn fit(&mut self, v: Value, from: ClifType, to: ClifType) -> Value {
        if !from.is_int() || !to.is_int() || from == to {
            return v;
        }
        if from.bits() < to.bits() { self.b.ins().sextend(to, v) } else { self.b.ins().ireduce(to, v) }
    }

    /// An integer of `ty` as 64 bits.
    pub(crate) fn widen_int(&mut self, ty: Type, v: Value) -> Value {
        self.fit(v, clif_type(ty), types::I64)
    }

    pub(super) fn bitcast(&mut self, to: Type, a: Expr) -> Val {
        let value = self.expr(a).one();
        let (from, to) = (self.b.func.dfg.value_type(value), clif_type(to));
        if from == to {
            return Val::One(value);
        }
        Val::One(self.b.ins().bitcast(to, MemFlagsData::new(), value))
    }
}
