//! Vectors whose lanes are scalars, or every second lane of others.
//!
//! ```text
//!                    16 bytes                 32 bytes
//! two REAL(8)        movsd, movhpd
//! four REAL(8)       two of those             two of those, and vinsertf128
//! every second       shufps, unpcklpd         the same, and vpermpd
//! ```

use crate::expr::Translator;
use crate::types::{Val, clif_type, is_complex};
use crate::wide;
use cranelift_codegen::ir::{InstBuilder, Type as ClifType, Value};
use trueline_ir::{Expr, ExprData, Type};

/// The lower half of one vector and the upper half of another: [`wide`] makes of it the 16 bytes of one and the 16 bytes of the other.
pub(super) const HALVES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31];

/// Bytes that no other code asks for: [`wide`] makes of it the exchange of the second 8 bytes and the third.
const EXCHANGED: [u8; 16] = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

/// The bytes of these lanes of four bytes of two vectors, those of the second from 4 on.
pub(super) const fn words(of: [u8; 4]) -> [u8; 16] {
    let mut out = [0; 16];
    let mut k = 0;
    while k < 16 {
        out[k] = 4 * of[k / 4] + (k % 4) as u8;
        k += 1;
    }
    out
}

impl Translator<'_, '_> {
    /// The vector whose lanes are `args`, scalars of type `of`.
    pub(crate) fn gathered(&mut self, of: Type, args: &[Expr]) -> Val {
        if let Some(numbers) = self.loaded_numbers(of, args) {
            return numbers;
        }
        let lanes: Vec<Val> = args.iter().map(|&a| self.expr(a)).collect();
        let ty = of.vector(lanes.len()).unwrap_or(of);
        if is_complex(of) {
            return self.complex_lanes(ty, &lanes);
        }
        let lanes: Vec<Value> = lanes.into_iter().map(Val::one).collect();
        let Some(half) = wide::short(ty) else { return Val::One(self.put_together(clif_type(ty), &lanes)) };
        let (low, high) = lanes.split_at(half.lanes());
        let [low, high] = [low, high].map(|lanes| self.put_together(clif_type(half), lanes));
        self.joined_halves(low, high)
    }

    /// Two complex numbers of 16 bytes, each loaded at once; none if they are others.
    fn loaded_numbers(&mut self, of: Type, args: &[Expr]) -> Option<Val> {
        let &[first, second] = args else { return None };
        let parts = Type::R8.vector(2).filter(|_| of == Type::C8)?;
        let load = |e: Expr| match self.unit.expr(e) {
            ExprData::Load { ty, addr, offset, sym } if ty == of => Some((addr, offset, sym)),
            _ => None,
        };
        let [low, high] = [load(first)?, load(second)?].map(|(addr, offset, sym)| {
            let (addr, offset) = self.pointer(addr, offset, of);
            self.load(parts, addr, offset, sym).one()
        });
        Some(self.joined_halves(low, high))
    }

    /// Every second lane of two vectors of type `of`.
    pub(super) fn alternate(&mut self, of: Type, args: &[Expr]) -> Val {
        let from = self.unit.pool().as_int(args[2]).unwrap_or(0);
        let [first, second] = [from & 1 == 1, from & 2 == 2];
        let (v, w) = (self.expr(args[0]), self.expr(args[1]));
        let is_long = of.lane().size() == 8;
        if wide::short(of).is_none() {
            return Val::One(self.alternating(is_long, [v.one(), w.one()], [first, second]));
        }
        if !self.has_wide_registers() {
            let ((a, b), (c, d)) = (v.two(), w.two());
            let low = self.alternating(is_long, [a, b], [first, first]);
            return Val::Two(low, self.alternating(is_long, [c, d], [second, second]));
        }
        let location = self.begin_wide(32);
        // Lanes of the first vector and of the second in each half, which then change places.
        let lanes = self.alternating(is_long, [v.one(), w.one()], [first, second]);
        let all = self.shuffled(lanes, lanes, EXCHANGED);
        self.end_wide(location);
        Val::One(all)
    }

    /// Every second lane of two vectors of 16 bytes, from these on: the second of a vector or the first.
    fn alternating(&mut self, is_long: bool, [v, w]: [Value; 2], [first, second]: [bool; 2]) -> Value {
        let (p, q) = (u8::from(first), u8::from(second));
        if !is_long {
            return self.shuffled(v, w, words([p, p + 2, q + 4, q + 6]));
        }
        if (p, q) == (0, 1) {
            // The same with the vectors exchanged, as the other form means something else in [`wide`].
            return self.shuffled(w, v, words([4, 5, 2, 3]));
        }
        self.shuffled(v, w, words([2 * p, 2 * p + 1, 2 * q + 4, 2 * q + 5]))
    }

    pub(super) fn put_together(&mut self, ty: ClifType, lanes: &[Value]) -> Value {
        let first = self.b.ins().scalar_to_vector(ty, lanes[0]);
        lanes.iter().enumerate().skip(1).fold(first, |v, (k, &lane)| self.b.ins().insertlane(v, lane, k as u8))
    }
}
