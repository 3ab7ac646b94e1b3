//! Elementary functions of vectors to within a unit of the last place, SIN and COS to within two, in half the operations of the exact ones.
//!
//! The arguments are reduced as is usual (J.-M. Muller: Elementary Functions, Birkhäuser 2016, chapters 3 and 11); the polynomials are the best ones
//! on the reduced intervals, found by the method of Remez. A function decides no value where its argument is special, or its result is
//! subnormal or infinite.

use super::kernels::{LARGE, MOST, Pair, SHIFT, SMALL, Values, is_positive_normal, number, polynomial, product, sum};
use super::tables::LOG_SHORT;
use super::vectors::Vectors;

/// `e**(x + rest)`, for `x` below 708.
#[inline(always)]
fn exponential<V: Vectors>(x: V::Reals, rest: Option<V::Reals>) -> V::Reals {
    // 1 / ln 2, and ln 2 in two parts, the first so short that its multiples are exact.
    const PER_LN2: f64 = number(0x3ff7_1547_652b_82fe);
    const LN2_HIGH: f64 = number(0x3fe6_2e42_fefa_0000);
    const LN2_LOW: f64 = number(0x3d7c_f79a_bc9e_3b3a);
    let shifted = V::fma(x, V::all(PER_LN2), V::all(SHIFT));
    let k = V::sub(shifted, V::all(SHIFT));
    let a = V::fnma(k, V::all(LN2_HIGH), x);
    let a = if let Some(rest) = rest { V::add(a, rest) } else { a };
    let r = V::fnma(k, V::all(LN2_LOW), a);
    // (e**r - 1 - r) / r**2
    const BEST: [f64; 10] = [
        number(0x3e5a_d7f5_4f91_73c2),
        number(0x3e92_8ad8_7f11_8baa),
        number(0x3ec7_1df2_5854_3c1e),
        number(0x3efa_0199_9f69_606b),
        number(0x3f2a_01a0_12a3_1a36),
        number(0x3f56_c16c_1843_1a98),
        number(0x3f81_1111_1112_7c81),
        number(0x3fa5_5555_5555_085c),
        number(0x3fc5_5555_5555_54fa),
        number(0x3fe0_0000_0000_000a),
    ];
    let p = polynomial::<V, 10>(r, BEST);
    let v = V::add(V::all(1.0), V::fma(V::mul(r, r), p, r));
    V::reals(V::add_bits(V::bits(v), V::left::<52>(V::bits(shifted))))
}

/// EXP(x).
#[inline(always)]
pub(super) fn exp<V: Vectors>(x: V::Reals) -> Values<V> {
    let is_fine = V::within(V::size(x), 0, MOST);
    (exponential::<V>(V::select(is_fine, x, V::all(0.0)), None), V::lanes(is_fine))
}

/// Positive normal numbers as `z * 2**k`, with `z` from the number with the bits `FIRST` to twice that.
struct Scaled<V: Vectors, const FIRST: u64> {
    z: V::Reals,
    k: V::Reals,
    /// The distance of the bits from `FIRST`.
    from: V::Bits,
}

impl<V: Vectors, const FIRST: u64> Scaled<V, FIRST> {
    #[inline(always)]
    fn of(x: V::Reals) -> Self {
        /// The bits of 2^52, whose low bits are an integer, and the exponent of which the least one is 0.
        const WHOLE: u64 = (1023 + 52) << 52;
        const BIAS: u64 = 1024;
        let from = V::sub_bits(V::bits(x), V::all_bits(FIRST));
        let exponent = V::right::<52>(V::add_bits(from, V::all_bits(BIAS << 52)));
        let k = V::sub(V::reals(V::add_bits(exponent, V::all_bits(WHOLE))), V::all(number(WHOLE) + BIAS as f64));
        let z = V::reals(V::sub_bits(V::bits(x), V::and(from, V::all_bits(0xfff << 52))));
        Scaled { z, k, from }
    }
}

/// ln 2 in two parts, the first so short that its multiples are exact.
const LN2_HIGH: f64 = number(0x3fe6_2e42_fefa_3800);
const LN2_LOW: f64 = number(0x3d2e_f357_93c7_6730);

/// LOG(x).
#[inline(always)]
pub(super) fn log<V: Vectors>(x: V::Reals) -> Values<V> {
    let is_fine = is_positive_normal::<V>(x);
    // From 11/16 to 11/8.
    let Scaled { z, k, .. } = Scaled::<V, 0x3fe6_0000_0000_0000>::of(x);
    // log z = log (1 + s) - log (1 - s) with s = f / (2 + f) and f = z - 1; 2s = f - s f, and f - f**2/2 comes first.
    let f = V::sub(z, V::all(1.0));
    let s = V::div(f, V::add(z, V::all(1.0)));
    let square = V::mul(s, s);
    const BEST: [f64; 7] = [
        number(0x3fc3_475a_3859_7ed2),
        number(0x3fc3_9130_552d_3aca),
        number(0x3fc7_46bf_17cf_5947),
        number(0x3fcc_71c3_587b_c344),
        number(0x3fd2_4924_965c_5c74),
        number(0x3fd9_9999_9995_6c5f),
        number(0x3fe5_5555_5555_560f),
    ];
    let half = V::mul(V::mul(V::all(0.5), f), f);
    let more = V::fma(square, polynomial::<V, 7>(square, BEST), half);
    let less = V::sub(half, V::fma(s, more, V::mul(k, V::all(LN2_LOW))));
    (V::fma(k, V::all(LN2_HIGH), V::sub(f, less)), V::lanes(is_fine))
}

/// The logarithms of positive normal numbers, to 63 binary digits.
#[inline(always)]
fn logarithm<V: Vectors>(x: V::Reals) -> Pair<V> {
    // The bits of 45/64: 1 is in the middle of a row.
    let Scaled { z, k, from } = Scaled::<V, 0x3fe6_8000_0000_0000>::of(x);
    let row = V::right::<48>(from);
    let inverse = V::look(&LOG_SHORT[0], row);
    let (high, low) = (V::look(&LOG_SHORT[1], row), V::look(&LOG_SHORT[2], row));
    let scaled = product::<V>(z, inverse);
    let (r, rest) = (V::sub(scaled.high, V::all(1.0)), scaled.low);
    // Both sums are exact.
    let w = V::fma(k, V::all(LN2_HIGH), high);
    let w_low = V::fma(k, V::all(LN2_LOW), low);
    let q = product::<V>(r, r);
    let a = sum::<V>(w, r);
    let b = sum::<V>(a.high, V::mul(V::all(-0.5), q.high));
    // (log(1 + r) - r + r**2/2) / r**3
    const BEST: [f64; 9] = [
        number(0x3fb7_53c7_0924_5090),
        number(0xbfb9_a76c_65bb_2b23),
        number(0x3fbc_71c3_7d85_af6f),
        number(0xbfbf_fffc_d9bd_2081),
        number(0x3fc2_4924_927e_3d95),
        number(0xbfc5_5555_557a_c99f),
        number(0x3fc9_9999_9999_9716),
        number(0xbfcf_ffff_ffff_fed9),
        number(0x3fd5_5555_5555_5555),
    ];
    let c = polynomial::<V, 9>(r, BEST);
    let of_squares = V::fma(q.low, V::all(-0.5), w_low);
    // rest / (1 + r)
    let of_rest = V::fma(q.high, rest, V::fnma(r, rest, rest));
    let rests = V::add(V::add(a.low, b.low), V::add(of_rest, of_squares));
    sum::<V>(b.high, V::fma(V::mul(r, q.high), c, rests))
}

/// `x**y`.
#[inline(always)]
pub(super) fn power<V: Vectors>(x: V::Reals, y: V::Reals) -> Values<V> {
    let is_fine = V::both(is_positive_normal::<V>(x), V::within(V::size(y), SMALL, LARGE));
    let l = logarithm::<V>(x);
    let p = product::<V>(V::select(is_fine, y, V::all(1.0)), l.high);
    let is_finite = V::within(V::size(p.high), 0, MOST);
    let high = V::select(is_finite, p.high, V::all(0.0));
    (exponential::<V>(high, Some(V::fma(y, l.low, p.low))), V::lanes(V::both(is_fine, is_finite)))
}

/// The sines of `x` and `TURN` times pi/2.
#[inline(always)]
fn turned_sine<V: Vectors, const TURN: u64>(x: V::Reals) -> Values<V> {
    // 1 / pi, and pi in three parts, of which the first two have exact multiples.
    const PER_PI: f64 = number(0x3fd4_5f30_6dc9_c883);
    const PI_1: f64 = number(0x4009_21fb_5440_0000);
    const PI_2: f64 = number(0x3de0_b461_1a60_0000);
    const PI_3: f64 = number(0x3bb3_198a_2e03_7073);
    /// The bits of 2^-30: so near to a zero of the function, the distance has too few digits.
    const NEAR: u64 = (1023 - 30) << 52;
    let is_fine = V::within(V::size(x), if TURN == 0 { (1023 - 27) << 52 } else { 0 }, (1023 + 15) << 52);
    let x = V::select(is_fine, x, V::all(1.0));
    let half = V::all(if TURN == 0 { 0.0 } else { 0.5 });
    // The nearest k, or k + 1/2, for COS less 1/2.
    let shifted = V::add(V::fma(x, V::all(PER_PI), half), V::all(SHIFT));
    let k = V::sub(V::sub(shifted, V::all(SHIFT)), half);
    let a = V::fnma(k, V::all(PI_1), x);
    let b = V::fnma(k, V::all(PI_2), a);
    let r = V::fnma(k, V::all(PI_3), b);
    // The rounding errors of both differences.
    let rest = V::add(V::fnma(k, V::all(PI_2), V::sub(a, b)), V::fnma(k, V::all(PI_3), V::sub(b, r)));
    let is_apart = V::either(V::not(V::within(V::size(r), 0, NEAR)), V::within(V::size(k), 0, 1));
    // (sin r / r - 1) / r**2
    const BEST: [f64; 8] = [
        number(0x3ce8_8513_3e4d_4939),
        number(0xbd6a_e44a_2f1a_63f8),
        number(0x3de6_123d_13a1_404f),
        number(0xbe5a_e645_4e47_3239),
        number(0x3ec7_1de3_a52c_0f74),
        number(0xbf2a_01a0_1a01_5175),
        number(0x3f81_1111_1111_10cb),
        number(0xbfc5_5555_5555_5555),
    ];
    let u = V::mul(r, r);
    let of_rest = V::mul(rest, V::fma(u, V::all(-0.5), V::all(1.0)));
    let v = V::add(r, V::fma(V::mul(r, u), polynomial::<V, 8>(u, BEST), of_rest));
    // In odd halves of the circle the sign is the other one.
    (V::reals(V::xor(V::bits(v), V::left::<63>(V::bits(shifted)))), V::lanes(V::both(is_fine, is_apart)))
}

/// SIN(x).
#[inline(always)]
pub(super) fn sine<V: Vectors>(x: V::Reals) -> Values<V> {
    turned_sine::<V, 0>(x)
}

/// COS(x).
#[inline(always)]
pub(super) fn cosine<V: Vectors>(x: V::Reals) -> Values<V> {
    turned_sine::<V, 1>(x)
}
