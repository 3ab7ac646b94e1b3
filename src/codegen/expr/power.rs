//! Powers with integer exponents to CLIF, multiplied in the order of gfortran's libraries.

use crate::expr::Translator;
use crate::types::{Val, clif_type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use target_lexicon::Architecture;
use trueline_ir::{Expr, Intrinsic, Type};

/// Powers with a larger exponent are calls.
const MAX_INLINE_EXPONENT: u32 = 63;

impl Translator<'_, '_> {
    /// `base ** n` for a constant `n`, multiplied in the order in which the runtime does it for exponents that are not
    /// known: no bit changes if the optimizer finds `n`. None if `n` is large.
    pub(crate) fn power(&mut self, i: Intrinsic, base: Expr, n: i64) -> Option<Value> {
        let ty = self.unit.ty(base);
        let mut rest = u32::try_from(n.unsigned_abs()).ok().filter(|&n| n <= MAX_INLINE_EXPONENT)?;
        let mut square = self.expr(base).one();
        let inverts_first = self.inverts_first(i, ty);
        if inverts_first && n < 0 {
            let one = self.number(ty, 1.0);
            square = self.fdiv(one, square);
        }
        let mut product = None;
        while rest != 0 {
            if rest & 1 == 1 {
                product = Some(product.map_or(square, |p| self.fmul(p, square)));
            }
            rest >>= 1;
            if rest != 0 {
                square = self.fmul(square, square);
            }
        }
        match product {
            None => Some(self.number(ty, 1.0)),
            Some(product) if n > 0 || inverts_first => Some(product),
            Some(product) => {
                let one = self.number(ty, 1.0);
                Some(self.fdiv(one, product))
            }
        }
    }

    /// Whether a negative power of a real is a power of the reciprocal, and not the reciprocal of a power. So it is where gfortran
    /// calls a function of its own library: of kind 16 where that is not C's `long double`.
    pub(crate) fn inverts_first(&self, i: Intrinsic, ty: Type) -> bool {
        i == Intrinsic::PowLong || ty == Type::R16 && self.shared.triple.architecture == Architecture::X86_64
    }

    /// Repeated squaring in the order of libgfortran's integer powers of complex numbers; a negative exponent takes
    /// powers of the reciprocal. A small constant exponent unrolls it.
    pub(crate) fn complex_power(&mut self, ty: Type, args: &[Expr]) -> Val {
        let base = self.expr(args[0]).two();
        let one = (self.number(ty, 1.0), self.number(ty, 0.0));
        if let Some(n) = self.unit.pool().as_int(args[1])
            && n.unsigned_abs() <= u64::from(MAX_INLINE_EXPONENT)
        {
            return self.constant_complex_power(base, one, n);
        }
        let exponent = self.expr(args[1]).one();
        let exponent = self.widen_int(self.unit.ty(args[1]), exponent);
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, exponent, 0);
        let n = self.b.ins().iabs(exponent);
        let [inverse, head, body, odd, even, again, done] = std::array::from_fn(|_| self.b.create_block());
        let clif = clif_type(ty);
        let p: Vec<Value> =
            [types::I64, clif, clif, clif, clif].iter().map(|&t| self.b.append_block_param(head, t)).collect();
        let e: Vec<Value> = [clif, clif].iter().map(|&t| self.b.append_block_param(even, t)).collect();
        let d: Vec<Value> = [clif, clif].iter().map(|&t| self.b.append_block_param(done, t)).collect();
        let start = |(re, im): (Value, Value)| [n.into(), one.0.into(), one.1.into(), re.into(), im.into()];
        self.b.ins().brif(negative, inverse, &[], head, &start(base));
        self.b.switch_to_block(inverse);
        let reciprocal = self.complex_division(one.0, one.1, base.0, base.1).two();
        self.b.ins().jump(head, &start(reciprocal));
        self.b.switch_to_block(head);
        self.b.ins().brif(p[0], body, &[], done, &[p[1].into(), p[2].into()]);
        self.b.switch_to_block(body);
        let bit = self.b.ins().band_imm_u(p[0], 1);
        self.b.ins().brif(bit, odd, &[], even, &[p[1].into(), p[2].into()]);
        self.b.switch_to_block(odd);
        let product = self.complex_multiply((p[1], p[2]), (p[3], p[4]));
        self.b.ins().jump(even, &[product.0.into(), product.1.into()]);
        self.b.switch_to_block(even);
        let half = self.b.ins().ushr_imm_u(p[0], 1);
        let product = [e[0].into(), e[1].into()];
        // The square after the last would raise exceptions that the program does not.
        self.b.ins().brif(half, again, &[], done, &product);
        self.b.switch_to_block(again);
        let square = self.complex_multiply((p[3], p[4]), (p[3], p[4]));
        self.b.ins().jump(head, &[half.into(), e[0].into(), e[1].into(), square.0.into(), square.1.into()]);
        for block in [inverse, head, body, odd, even, again, done] {
            self.b.seal_block(block);
        }
        self.b.switch_to_block(done);
        self.forget();
        Val::Two(d[0], d[1])
    }

    fn constant_complex_power(&mut self, base: (Value, Value), one: (Value, Value), n: i64) -> Val {
        let mut square = base;
        if n < 0 {
            square = self.complex_division(one.0, one.1, base.0, base.1).two();
        }
        let (mut product, mut rest) = (one, n.unsigned_abs());
        while rest != 0 {
            if rest & 1 == 1 {
                product = self.complex_multiply(product, square);
            }
            rest >>= 1;
            if rest != 0 {
                square = self.complex_multiply(square, square);
            }
        }
        Val::Two(product.0, product.1)
    }

    fn complex_multiply(&mut self, (a, b): (Value, Value), (c, d): (Value, Value)) -> (Value, Value) {
        let (ac, bd) = (self.fmul(a, c), self.fmul(b, d));
        let (ad, bc) = (self.fmul(a, d), self.fmul(b, c));
        (self.fsub(ac, bd), self.fadd(ad, bc))
    }
}
