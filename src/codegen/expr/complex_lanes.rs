//! Operations on vectors of complex numbers, whose parts lie side by side as in memory.
//!
//! ```text
//! a * b:    a.re a.re  *  b.re b.im     (unpcklpd, mulpd)
//!           a.im a.im  *  b.im b.re     (unpckhpd, shufpd, mulpd)
//!           difference of both in the real parts, their sum in the imaginary ones
//! ```
//!
//! Each part is the same operations as that of a scalar, in the same order. No number leaves its 16 bytes, so registers of 32 bytes do the same twice.

use crate::expr::Translator;
use crate::expr::gather::{HALVES, words};
use crate::types::{Val, clif_type};
use crate::wide;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use trueline_ir::{Expr, ExprData, Intrinsic, Type};

/// Bytes of two vectors, those of the second from 16 on.
type Bytes = [u8; 16];

/// The moves of parts that complex numbers of one kind need.
struct Moves {
    /// The real part of each number, twice. The second operand is the same, for an instruction that has no other meaning in [`wide`].
    real: Bytes,
    /// The imaginary part of each, twice.
    imaginary: Bytes,
    /// The parts of each number, exchanged.
    exchanged: Bytes,
    /// The real parts of the second vector, and the imaginary ones of the first.
    joined: Bytes,
    /// One part of each number of two vectors, the real one first.
    parts: [Bytes; 2],
    /// The numbers whose real parts are in the first vector and the imaginary ones in the second: the first half of them and the second.
    numbers: [Bytes; 2],
}

const EIGHT: Moves = Moves {
    real: words([0, 1, 4, 5]),
    imaginary: words([2, 3, 6, 7]),
    exchanged: words([2, 3, 0, 1]),
    joined: words([4, 5, 2, 3]),
    parts: [words([0, 1, 4, 5]), words([2, 3, 6, 7])],
    numbers: [words([0, 1, 4, 5]), words([2, 3, 6, 7])],
};

const FOUR: Moves = Moves {
    real: words([0, 0, 2, 2]),
    imaginary: words([1, 1, 3, 3]),
    exchanged: words([1, 0, 3, 2]),
    joined: words([4, 1, 6, 3]),
    parts: [words([0, 2, 4, 6]), words([1, 3, 5, 7])],
    numbers: [words([0, 4, 1, 5]), words([2, 6, 3, 7])],
};

fn moves(ty: Type) -> &'static Moves {
    if clif_type(ty) == types::F32X4 { &FOUR } else { &EIGHT }
}

impl Translator<'_, '_> {
    /// The products of two vectors of complex numbers.
    pub(super) fn complex_products(&mut self, ty: Type, x: Val, y: Val) -> Val {
        let m = moves(ty);
        self.lanewise(ty, [x, y], |t, _, [x, y]| {
            let (re, im) = (t.shuffled(x, x, m.real), t.shuffled(x, x, m.imaginary));
            let exchanged = t.shuffled(y, y, m.exchanged);
            let (first, second) = (t.b.ins().fmul(re, y), t.b.ins().fmul(im, exchanged));
            let (less, more) = (t.b.ins().fsub(first, second), t.b.ins().fadd(first, second));
            t.shuffled(more, less, m.joined)
        })
    }

    /// The function `i` of vectors of type `of`, if it has to do with complex numbers.
    pub(super) fn complex_function(&mut self, i: Intrinsic, of: Type, args: &[Expr]) -> Option<Val> {
        let m = moves(of);
        Some(match (i, args) {
            (Intrinsic::Conjg, &[v]) => {
                let v = self.expr(v);
                self.lanewise(of, [v], |t, _, [v]| {
                    let other = t.b.ins().fneg(v);
                    t.shuffled(other, v, m.joined)
                })
            }
            (Intrinsic::Cmplx, &[re, im]) => {
                let [re, im] = [re, im].map(|part| self.expr(part).one());
                self.complex_of(of, re, im)
            }
            (Intrinsic::RealPart | Intrinsic::ImagPart, &[v]) => {
                let (low, high) = self.both_halves(v);
                Val::One(self.shuffled(low, high, m.parts[usize::from(i == Intrinsic::ImagPart)]))
            }
            _ => return None,
        })
    }

    /// The complex numbers with the parts `re` and `im`, vectors of 16 bytes of type `of`.
    pub(super) fn complex_of(&mut self, of: Type, re: Value, im: Value) -> Val {
        let [low, high] = moves(of).numbers.map(|m| self.shuffled(re, im, m));
        self.joined_halves(low, high)
    }

    /// The reals `v` of type `of` as complex numbers.
    pub(super) fn complex_of_reals(&mut self, of: Type, v: Value) -> Val {
        let zero = self.b.func.dfg.constants.insert(vec![0; 16].into());
        let zero = self.b.ins().vconst(clif_type(of), zero);
        self.complex_of(of, v, zero)
    }

    /// The complex number `v` in every lane.
    pub(super) fn complex_splat(&mut self, ty: Type, v: Val) -> Val {
        let (re, im) = v.two();
        let lanes = wide::short(ty).map_or(2, Type::lanes);
        let parts: Vec<Value> = [re, im].into_iter().cycle().take(lanes).collect();
        let half = self.put_together(clif_type(ty), &parts);
        self.joined_halves(half, half)
    }

    /// The vector of complex numbers of type `of`.
    pub(super) fn complex_lanes(&mut self, of: Type, numbers: &[Val]) -> Val {
        let parts: Vec<Value> = numbers.iter().flat_map(|v| <[Value; 2]>::from(v.two())).collect();
        let (low, high) = parts.split_at(parts.len() / 2);
        let [low, high] = [low, high].map(|parts| self.put_together(clif_type(of), parts));
        self.joined_halves(low, high)
    }

    /// Number `k` of the vector `v` of type `of`.
    pub(super) fn complex_lane(&mut self, of: Type, v: Val, k: u8) -> Val {
        let size = of.part().lane().size() as i32;
        if let Val::Two(low, high) = v {
            let each = of.lanes() as u8 / 2;
            let (half, k) = if k < each { (low, k) } else { (high, k - each) };
            let [re, im] = [0, 1].map(|part| self.b.ins().extractlane(half, 2 * k + part));
            return Val::Two(re, im);
        }
        let (place, flags) = (self.laid_out(v.one(), 32), MemFlagsData::new().with_notrap());
        let [re, im] = [0, 1].map(|part| {
            let offset = (2 * i32::from(k) + part) * size;
            self.b.ins().load(clif_type(of.lane()), flags, place, offset)
        });
        Val::Two(re, im)
    }

    /// The vector of 32 bytes with these halves.
    pub(super) fn joined_halves(&mut self, low: Value, high: Value) -> Val {
        if !self.has_wide_registers() {
            return Val::Two(low, high);
        }
        Val::One(self.joined(32, low, high))
    }

    /// The register of `bytes` bytes with these halves.
    pub(super) fn joined(&mut self, bytes: usize, low: Value, high: Value) -> Value {
        let location = self.begin_wide(bytes);
        let all = self.shuffled(low, high, HALVES);
        self.end_wide(location);
        all
    }

    /// The halves of a vector of 32 bytes, each loaded for itself; those of a register by way of the stack.
    fn both_halves(&mut self, e: Expr) -> (Value, Value) {
        if let ExprData::Load { ty, addr, offset, sym } = self.unit.expr(e) {
            let (addr, offset) = self.pointer(addr, offset, ty);
            let of = ty.part();
            let [low, high] = [0, 16].map(|more| self.load(of, addr, offset + more, sym).one());
            return (low, high);
        }
        let v = self.expr(e);
        let Val::One(all) = v else { return v.two() };
        let (ty, flags) = (self.b.func.dfg.value_type(all), MemFlagsData::new().with_notrap());
        let place = self.laid_out(all, 32);
        let [low, high] = [0, 16].map(|offset| self.b.ins().load(ty, flags, place, offset));
        (low, high)
    }
}
