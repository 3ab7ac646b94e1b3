//! Elementary functions of vectors to some 64 binary digits, without branches.
//!
//! The methods are P. T. P. Tang's (Table-driven implementation of the exponential function in IEEE floating-point arithmetic, ACM
//! Transactions on Mathematical Software 15(2), 1989; of the logarithm function, 16(4), 1990): the argument is reduced to a small distance
//! from an entry of a table, a short Taylor polynomial takes the distance, and all that decides the last digits is kept as a pair of
//! numbers. The number and the rest of each product come from a fused multiplication and addition (T. J. Dekker: A floating-point technique for
//! extending the available precision, Numerische Mathematik 18, 1971).
//!
//! A function decides no value where its argument is special, where an operation on it might raise an exception that the function itself
//! does not raise, and where the exact value is so near to the middle of two neighbouring numbers that the C library may choose either. It computes
//! with a harmless argument there.

use super::tables::{COSINE, EXP, LOG, SINE};
use super::vectors::Vectors;

/// Numbers and the rests.
pub(super) struct Pair<V: Vectors> {
    pub(super) high: V::Reals,
    pub(super) low: V::Reals,
}

/// Values, and a bit for each one that is decided.
pub(super) type Values<V> = (<V as Vectors>::Reals, u32);

/// Added to a number below 2^51 it leaves the nearest integer in the low bits.
pub(super) const SHIFT: f64 = 6_755_399_441_055_744.0;
/// The bits of the least and the largest size for which no product of parts vanishes or overflows.
pub(super) const SMALL: u64 = (1023 - 60) << 52;
pub(super) const LARGE: u64 = (1023 + 60) << 52;
/// The bits of 708: up to there the exponential function is neither subnormal nor infinite.
pub(super) const MOST: u64 = 0x4086_2000_0000_0000;
pub(super) const SIGN: u64 = 1 << 63;

/// By how much the rest is lengthened before it is added again, for a margin of this part of a unit of the last place: if the number stays, the exact
/// value is nearer to it than half a unit less the margin. A library whose error is at most half a unit and this margin, less the error of the values
/// here, has the same number.
const fn reach(part: f64) -> f64 {
    1.0 / (1.0 - 2.0 / part)
}

/// The error of the GNU C library is 0.511 units, as its sources say, and that of the values here 0.001.
const REACH_EXP: f64 = reach(76.0);
/// The errors are 0.520 units and less than 0.001.
const REACH_LOG: f64 = reach(44.0);
/// The errors are 0.518 and 0.007 units.
const REACH_SINE: f64 = reach(34.0);
/// The errors of powers below e**256 are 0.523 and 0.003 units.
const REACH_POWER: f64 = reach(36.0);
/// The errors of large powers are 0.544 and 0.008 units, and those of sines of some small arguments 0.545, in older versions, and 0.005.
const LONG_REACH: f64 = reach(18.0);
/// The bits of the sizes between which sines are less exact.
const LESS_EXACT: [u64; 2] = [(1023 - 4) << 52, (1023 - 2) << 52];

#[inline(always)]
pub(super) const fn number(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The sums of `a` and smaller `b`.
#[inline(always)]
pub(super) fn sum<V: Vectors>(a: V::Reals, b: V::Reals) -> Pair<V> {
    let high = V::add(a, b);
    Pair { high, low: V::add(V::sub(a, high), b) }
}

/// The products of `a` and `b`.
#[inline(always)]
pub(super) fn product<V: Vectors>(a: V::Reals, b: V::Reals) -> Pair<V> {
    let high = V::mul(a, b);
    Pair { high, low: V::fms(a, b, high) }
}

/// A mask of the numbers that the library has, too.
#[inline(always)]
fn decided<V: Vectors>(v: &Pair<V>, reach: V::Reals) -> V::Mask {
    V::equal(V::fma(v.low, reach, v.high), v.high)
}

/// `((c[0]*x + c[1])*x + …)*x + c[N - 1]`
#[inline(always)]
pub(super) fn polynomial<V: Vectors, const N: usize>(x: V::Reals, c: [f64; N]) -> V::Reals {
    let mut value = V::all(c[0]);
    for &next in &c[1..] {
        value = V::fma(value, x, V::all(next));
    }
    value
}

/// Numbers less the nearest multiples of the sixteenth part of ln 2, and these multiples in the low bits of `k`.
struct Reduced<V: Vectors> {
    r: V::Reals,
    rest: V::Reals,
    k: V::Bits,
}

// 16 / ln 2, and ln 2 / 16 in two parts, the first so short that its multiples are exact.
const PER_LN2: f64 = number(0x4037_1547_652b_82fe);
const LN2_HIGH: f64 = number(0x3fa6_2e42_fefa_0000);
const LN2_LOW: f64 = number(0x3d3c_f79a_bc9e_3b3a);

impl<V: Vectors> Reduced<V> {
    #[inline(always)]
    fn of(x: V::Reals) -> Reduced<V> {
        let shifted = V::fma(x, V::all(PER_LN2), V::all(SHIFT));
        let kd = V::sub(shifted, V::all(SHIFT));
        let a = V::fnma(kd, V::all(LN2_HIGH), x);
        let r = V::fnma(kd, V::all(LN2_LOW), a);
        Reduced { r, rest: V::fnma(kd, V::all(LN2_LOW), V::sub(a, r)), k: V::bits(shifted) }
    }

    #[inline(always)]
    fn of_pair(x: &Pair<V>) -> Reduced<V> {
        let first = Reduced::<V>::of(x.high);
        let r = sum::<V>(first.r, V::add(first.rest, x.low));
        Reduced { r: r.high, rest: r.low, k: first.k }
    }

    /// The exponential functions: numbers between one half and two, and what is to be added to their bits.
    #[inline(always)]
    fn exponential(&self) -> (Pair<V>, V::Bits) {
        let (t, tl) = (V::look(&EXP[0], self.k), V::look(&EXP[1], self.k));
        let r = self.r;
        // e**r - 1 - r = r**2 (1/2 + r/6 + ...)
        let q = V::mul(r, r);
        let last = V::fma(q, V::all(1.0 / 40320.0), polynomial::<V, 2>(r, [1.0 / 5040.0, 1.0 / 720.0]));
        let middle = V::fma(q, last, polynomial::<V, 2>(r, [1.0 / 120.0, 1.0 / 24.0]));
        let p = V::fma(q, middle, polynomial::<V, 2>(r, [1.0 / 6.0, 0.5]));
        let more = V::fma(q, p, self.rest);
        let first = product::<V>(t, r);
        let s = sum::<V>(t, first.high);
        let low = V::add(s.low, V::fma(t, more, V::add(V::fma(tl, r, tl), first.low)));
        (sum::<V>(s.high, low), V::left::<52>(V::right::<4>(self.k)))
    }
}

/// The logarithms of positive normal numbers, to 69 binary digits: powers need more of them than a table of sixteen numbers would give, as an exponent
/// of 700 takes ten.
#[inline(always)]
fn logarithm<V: Vectors>(x: V::Reals) -> Pair<V> {
    // The bits of 11/16: from there to 11/8 the exponent counts as 0, so that numbers around 1 have no logarithm of a power of two to
    // cancel against.
    const FIRST: u64 = 0x3fe6_0000_0000_0000;
    const LN2_HIGH: f64 = number(0x3fe6_2e42_fefa_3800);
    const LN2_LOW: f64 = number(0x3d2e_f357_93c7_6730);
    /// The bits of 2^52, whose low bits are an integer, and the exponent of which the least one is 0.
    const WHOLE: u64 = (1023 + 52) << 52;
    const BIAS: u64 = 1024;
    let from = V::sub_bits(V::bits(x), V::all_bits(FIRST));
    let exponent = V::right::<52>(V::add_bits(from, V::all_bits(BIAS << 52)));
    let k = V::sub(V::reals(V::add_bits(exponent, V::all_bits(WHOLE))), V::all(number(WHOLE) + BIAS as f64));
    let z = V::reals(V::sub_bits(V::bits(x), V::and(from, V::all_bits(0xfff << 52))));
    let row = V::and(V::right::<44>(from), V::all_bits(255));
    // SAFETY: the table has 256 rows.
    let (inverse, high, low) =
        unsafe { (V::gather::<0>(&LOG, row), V::gather::<1>(&LOG, row), V::gather::<2>(&LOG, row)) };
    let scaled = product::<V>(z, inverse);
    let (r, rest) = (V::sub(scaled.high, V::all(1.0)), scaled.low);
    // Both sums are exact.
    let w = V::fma(k, V::all(LN2_HIGH), high);
    let w_low = V::fma(k, V::all(LN2_LOW), low);
    let q = product::<V>(r, r);
    let a = sum::<V>(w, r);
    let b = sum::<V>(a.high, V::mul(V::all(-0.5), q.high));
    let last = V::fma(q.high, V::all(1.0 / 9.0), polynomial::<V, 2>(r, [-0.125, 1.0 / 7.0]));
    let middle = V::fma(q.high, last, polynomial::<V, 2>(r, [-1.0 / 6.0, 0.2]));
    let c = V::fma(q.high, middle, polynomial::<V, 2>(r, [-0.25, 1.0 / 3.0]));
    let of_squares = V::fma(q.low, V::all(-0.5), w_low);
    // rest / (1 + r)
    let of_rest = V::fma(q.high, rest, V::fnma(r, rest, rest));
    let rests = V::add(V::add(a.low, b.low), V::add(of_rest, of_squares));
    sum::<V>(b.high, V::fma(V::mul(r, q.high), c, rests))
}

/// EXP(x).
#[inline(always)]
pub(super) fn exp<V: Vectors>(x: V::Reals) -> Values<V> {
    let size = V::size(x);
    let is_fine = V::either(V::within(size, SMALL, MOST), V::within(size, 0, 1));
    let (v, exponent) = Reduced::<V>::of(V::select(is_fine, x, V::all(0.0))).exponential();
    let values = V::reals(V::add_bits(V::bits(v.high), exponent));
    (values, V::lanes(V::both(is_fine, decided::<V>(&v, V::all(REACH_EXP)))))
}

/// A mask of positive normal numbers.
#[inline(always)]
pub(super) fn is_positive_normal<V: Vectors>(x: V::Reals) -> V::Mask {
    V::within(V::bits(x), 1 << 52, 0x7ff << 52)
}

/// LOG(x).
#[inline(always)]
pub(super) fn log<V: Vectors>(x: V::Reals) -> Values<V> {
    let is_fine = is_positive_normal::<V>(x);
    let v = logarithm::<V>(V::select(is_fine, x, V::all(1.0)));
    (v.high, V::lanes(V::both(is_fine, decided::<V>(&v, V::all(REACH_LOG)))))
}

/// `x**y`.
#[inline(always)]
pub(super) fn power<V: Vectors>(x: V::Reals, y: V::Reals) -> Values<V> {
    /// The bits of 256, up to where the error of the logarithm adds little.
    const MODERATE: u64 = (1023 + 8) << 52;
    let one = V::all(1.0);
    let is_fine = V::both(is_positive_normal::<V>(x), V::within(V::size(y), SMALL, LARGE));
    let (x, y) = (V::select(is_fine, x, one), V::select(is_fine, y, one));
    let l = logarithm::<V>(x);
    let p = product::<V>(y, l.high);
    let size = V::size(p.high);
    let is_finite = V::within(size, 0, MOST);
    let low = V::select(is_finite, V::fma(y, l.low, p.low), V::all(0.0));
    let high = V::select(is_finite, p.high, V::all(0.0));
    let reach = V::select(V::within(size, 0, MODERATE), V::all(REACH_POWER), V::all(LONG_REACH));
    let (v, exponent) = Reduced::<V>::of_pair(&Pair { high, low }).exponential();
    let values = V::reals(V::add_bits(V::bits(v.high), exponent));
    (values, V::lanes(V::both(V::both(is_fine, is_finite), decided::<V>(&v, reach))))
}

/// The sines of `x` and `TURN` times pi/32.
#[inline(always)]
fn turned_sine<V: Vectors, const TURN: u64>(x: V::Reals) -> Values<V> {
    // 32 / pi, and pi / 32 in three parts, of which the first two have exact multiples.
    const PER_PI: f64 = number(0x4024_5f30_6dc9_c883);
    const PI_1: f64 = number(0x3fb9_21fb_5440_0000);
    const PI_2: f64 = number(0x3d90_b461_1a60_0000);
    const PI_3: f64 = number(0x3b63_198a_2e03_7073);
    /// The bits of 2^-30: so near to a multiple of pi/32, the distance has too few digits.
    const NEAR: u64 = (1023 - 30) << 52;
    let is_fine = V::within(V::size(x), (1023 - 27) << 52, (1023 + 15) << 52);
    let x = V::select(is_fine, x, V::all(1.0));
    let shifted = V::fma(x, V::all(PER_PI), V::all(SHIFT));
    let kd = V::sub(shifted, V::all(SHIFT));
    let a = V::fnma(kd, V::all(PI_1), x);
    let b = V::mul(kd, V::all(PI_2));
    // Either may be the larger one.
    let d = V::sub(a, b);
    let of_b = V::sub(d, a);
    let left = V::sub(V::sub(a, V::sub(d, of_b)), V::add(b, of_b));
    let v = sum::<V>(d, V::fnma(kd, V::all(PI_3), left));
    let is_apart = V::either(V::not(V::within(V::size(v.high), 0, NEAR)), V::within(V::size(kd), 0, 1));
    let mut reach = V::all(REACH_SINE);
    if TURN == 0 {
        reach = V::select(V::within(V::size(x), LESS_EXACT[0], LESS_EXACT[1]), V::all(LONG_REACH), reach);
    }
    let (r, rest) = (v.high, v.low);
    let k = V::add_bits(V::bits(shifted), V::all_bits(TURN));
    let (sine, sine_rest) = (V::look(&SINE[0], k), V::look(&SINE[1], k));
    let (cosine, cosine_rest) = (V::look(&COSINE[0], k), V::look(&COSINE[1], k));
    // In odd quarters of the circle the sine is the cosine, and the cosine the sine with the other sign.
    let is_even = V::within(V::and(k, V::all_bits(16)), 0, 1);
    let half = V::left::<58>(V::and(k, V::all_bits(32)));
    let turned = V::xor(half, V::left::<59>(V::and(k, V::all_bits(16))));
    let signed = |v: V::Reals, signs: V::Bits| V::reals(V::xor(V::bits(v), signs));
    let s = signed(V::select(is_even, sine, cosine), half);
    let sl = signed(V::select(is_even, sine_rest, cosine_rest), half);
    let c = signed(V::select(is_even, cosine, sine), turned);
    let cl = signed(V::select(is_even, cosine_rest, sine_rest), turned);
    let u = V::mul(r, r);
    let sines = polynomial::<V, 4>(u, [1.0 / 362_880.0, -1.0 / 5040.0, 1.0 / 120.0, -1.0 / 6.0]);
    let more = V::mul(V::mul(u, sines), r);
    let less = V::mul(u, polynomial::<V, 4>(u, [1.0 / 40320.0, -1.0 / 720.0, 1.0 / 24.0, -0.5]));
    let first = product::<V>(c, r);
    let h = sum::<V>(s, first.high);
    let small = V::fma(c, V::add(rest, more), V::mul(cl, r));
    let low = V::add(h.low, V::add(V::add(first.low, sl), V::fma(s, V::fnma(r, rest, less), small)));
    let v = sum::<V>(h.high, low);
    (v.high, V::lanes(V::both(V::both(is_fine, is_apart), decided::<V>(&v, reach))))
}

/// SIN(x).
#[inline(always)]
pub(super) fn sine<V: Vectors>(x: V::Reals) -> Values<V> {
    turned_sine::<V, 0>(x)
}

/// COS(x).
#[inline(always)]
pub(super) fn cosine<V: Vectors>(x: V::Reals) -> Values<V> {
    turned_sine::<V, 16>(x)
}
