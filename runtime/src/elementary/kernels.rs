//! Elementary functions to some 64 binary digits, without branches, so that a compiler makes vectors of a loop over them.
//!
//! The methods are P. T. P. Tang's (Table-driven implementation of the exponential function in IEEE floating-point arithmetic, ACM
//! Transactions on Mathematical Software 15(2), 1989; of the logarithm function, 16(4), 1990): the argument is reduced to a small distance
//! from an entry of a table, a short Taylor polynomial takes the distance, and all that decides the last digits is kept as a pair of
//! numbers. The number and the rest of each product come from a fused multiplication and addition (T. J. Dekker: A floating-point technique for
//! extending the available precision, Numerische Mathematik 18, 1971).
//!
//! A function answers [`UNDECIDED`] where its argument is special, where an operation on it might raise an exception that the function itself
//! does not raise, and where the exact value is so near to the middle of two neighbouring numbers that the C library may choose either.

use super::tables::{COSINE, EXP, LOG, SINE};

/// The answer that leaves an element to the C library. No function here has it as a value.
pub(super) const UNDECIDED: f64 = f64::NAN;

/// A number and the rest.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) high: f64,
    pub(super) low: f64,
}

/// Added to a number below 2^51 it leaves the nearest integer in the low bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;
/// The bits of the least and the largest size for which no product of parts vanishes or overflows.
const SMALL: u64 = (1023 - 60) << 52;
const LARGE: u64 = (1023 + 60) << 52;
/// The bits of 708: up to there the exponential function is neither subnormal nor infinite.
const MOST: u64 = 0x4086_2000_0000_0000;
const SIGN: u64 = 1 << 63;

/// By how much the rest is lengthened before it is added again: if the number stays, the exact value is nearer to it than half a unit of the
/// last place less a margin. A library whose error is at most half a unit and this margin has the same number.
///
/// The margin for EXP is 1/64; the error of the GNU C library is 0.511 units, as its sources say.
const REACH_EXP: f64 = 1.0323;
/// A margin of 1/32 unit; the error of the logarithm is 0.520 units, that of powers below e**256 0.523, of sines and cosines 0.518.
const REACH: f64 = 1.0667;
/// A margin of 1/16 unit; the error of large powers is 0.544 units, and of sines of some small arguments 0.545 in its older versions.
const LONG_REACH: f64 = 1.142_858;
/// Stands where nothing is decided.
const NEVER: f64 = 0.0;
/// The bits of the sizes between which sines are less exact.
const LESS_EXACT: [u64; 2] = [(1023 - 4) << 52, (1023 - 2) << 52];

/// Arguments or values.
pub(super) type Block<const N: usize> = [f64; N];

/// The operations that processors do on several numbers at once.
pub(super) trait Vectors {
    /// The entry of each index, of which the lowest four bits count.
    #[inline(always)]
    fn look<const N: usize>(table: &[u64; 16], index: &[u64; N]) -> Block<N> {
        let mut to = [0.0; N];
        for n in 0..N {
            to[n] = number(table[(index[n] & 15) as usize]);
        }
        to
    }

    /// A bit for each undecided value.
    #[inline(always)]
    fn undecided<const N: usize>(values: &Block<N>) -> u64 {
        values.iter().enumerate().fold(0, |all, (n, v)| all | u64::from(v.is_nan()) << n)
    }
}

/// Nothing.
#[cfg(target_arch = "aarch64")]
pub(super) struct OneByOne;

#[cfg(target_arch = "aarch64")]
impl Vectors for OneByOne {}

#[inline(always)]
const fn number(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The sum of `a` and a smaller `b`.
#[inline(always)]
fn sum(a: f64, b: f64) -> Pair {
    let high = a + b;
    Pair { high, low: (a - high) + b }
}

/// The product of `a` and `b`.
#[inline(always)]
fn product(a: f64, b: f64) -> Pair {
    let high = a * b;
    Pair { high, low: a.mul_add(b, -high) }
}

#[inline(always)]
fn is_decided(v: Pair, reach: f64) -> bool {
    (reach != NEVER) & (v.high + v.low * reach == v.high)
}

/// Whether the size of `x` is at least `least` and less than `most`, as bits: comparisons of numbers raise an exception for NaN.
#[inline(always)]
fn is_within(x: f64, least: u64, most: u64) -> bool {
    (x.to_bits() & !SIGN).wrapping_sub(least) < most - least
}

#[inline(always)]
fn is_positive_normal(x: f64) -> bool {
    x.to_bits().wrapping_sub(1 << 52) < 0x7fe << 52
}

/// Numbers less the nearest multiples of the sixteenth part of ln 2, and these multiples.
struct Reduced<const N: usize> {
    r: Block<N>,
    rest: Block<N>,
    k: [u64; N],
}

impl<const N: usize> Reduced<N> {
    const ZERO: Reduced<N> = Reduced { r: [0.0; N], rest: [0.0; N], k: [0; N] };

    /// Reduces the number `x` of the block by multiples of the sixteenth part of ln 2.
    #[inline(always)]
    fn reduce(&mut self, n: usize, x: Pair) {
        // 16 / ln 2, and ln 2 / 16 in two parts, the first so short that its multiples are exact.
        const PER_LN2: f64 = number(0x4037_1547_652b_82fe);
        const LN2_HIGH: f64 = number(0x3fa6_2e42_fefa_0000);
        const LN2_LOW: f64 = number(0x3d3c_f79a_bc9e_3b3a);
        let shifted = x.high.mul_add(PER_LN2, SHIFT);
        let kd = shifted - SHIFT;
        let a = kd.mul_add(-LN2_HIGH, x.high);
        let b = kd.mul_add(-LN2_LOW, a);
        let r = sum(b, kd.mul_add(-LN2_LOW, a - b) + x.low);
        self.r[n] = r.high;
        self.rest[n] = r.low;
        self.k[n] = shifted.to_bits().wrapping_sub(SHIFT.to_bits());
    }

    /// The exponential functions: of each a number between one half and two, and what is to be added to its bits.
    #[inline(always)]
    fn exponential<V: Vectors>(&self, mut take: impl FnMut(usize, Pair, u64)) {
        let (t, tl) = (V::look(&EXP[0], &self.k), V::look(&EXP[1], &self.k));
        for n in 0..N {
            let r = self.r[n];
            // e**r - 1 - r = r**2 (1/2 + r/6 + ...)
            let q = r * r;
            let p = r.mul_add(1.0 / 6.0, 0.5)
                + q * (r.mul_add(1.0 / 120.0, 1.0 / 24.0)
                    + q * q.mul_add(1.0 / 40320.0, r.mul_add(1.0 / 5040.0, 1.0 / 720.0)));
            let more = q.mul_add(p, self.rest[n]);
            let first = product(t[n], r);
            let s = sum(t[n], first.high);
            let low = s.low + t[n].mul_add(more, tl[n].mul_add(r, tl[n]) + first.low);
            take(n, sum(s.high, low), (self.k[n] & !15) << 48);
        }
    }
}

/// The logarithm of a positive normal number. Powers need more digits of it than a table of sixteen numbers would give.
#[inline(always)]
fn logarithm(x: f64) -> Pair {
    // The bits of 11/16: from there to 11/8 the exponent counts as 0, so that numbers around 1 have no logarithm of a power of two to
    // cancel against.
    const FIRST: u64 = 0x3fe6_0000_0000_0000;
    const LN2_HIGH: f64 = number(0x3fe6_2e42_fefa_3800);
    const LN2_LOW: f64 = number(0x3d2e_f357_93c7_6730);
    let from = x.to_bits().wrapping_sub(FIRST);
    let k = f64::from(((from as i64) >> 52) as i32);
    let z = number(x.to_bits().wrapping_sub(from & 0xfff << 52));
    let [inverse, high, low] = LOG[((from >> 44) & 255) as usize].map(number);
    let scaled = product(z, inverse);
    let (r, rest) = (scaled.high - 1.0, scaled.low);
    // Both sums are exact.
    let w = k.mul_add(LN2_HIGH, high);
    let w_low = k.mul_add(LN2_LOW, low);
    let q = product(r, r);
    let a = sum(w, r);
    let b = sum(a.high, -0.5 * q.high);
    let c = r.mul_add(-0.25, 1.0 / 3.0) + q.high * (r.mul_add(-1.0 / 6.0, 0.2) + q.high * r.mul_add(-0.125, 1.0 / 7.0));
    let rests = (a.low + b.low) + (r.mul_add(-rest, rest) + q.low.mul_add(-0.5, w_low));
    sum(b.high, (r * q.high).mul_add(c, rests))
}

/// EXP(x).
#[inline(always)]
pub(super) fn exp<V: Vectors, const N: usize>(x: &Block<N>) -> Block<N> {
    let mut reduced = Reduced::<N>::ZERO;
    let mut reach = [0.0; N];
    for n in 0..N {
        let is_zero = x[n].to_bits() & !SIGN == 0;
        let is_fine = is_within(x[n], SMALL, MOST);
        reach[n] = if is_fine | is_zero { REACH_EXP } else { NEVER };
        reduced.reduce(n, Pair { high: if is_fine { x[n] } else { 0.0 }, low: 0.0 });
    }
    let mut to = [0.0; N];
    reduced.exponential::<V>(|n, v, exponent| {
        let value = number(v.high.to_bits().wrapping_add(exponent));
        to[n] = if is_decided(v, reach[n]) { value } else { UNDECIDED };
    });
    to
}

/// LOG(x).
#[inline(always)]
pub(super) fn log<V: Vectors, const N: usize>(x: &Block<N>) -> Block<N> {
    let mut to = [0.0; N];
    for n in 0..N {
        let is_fine = is_positive_normal(x[n]);
        let v = logarithm(if is_fine { x[n] } else { 1.0 });
        to[n] = if is_fine & is_decided(v, REACH) { v.high } else { UNDECIDED };
    }
    to
}

/// `x**y`.
#[inline(always)]
pub(super) fn power<V: Vectors, const N: usize>(x: &Block<N>, y: &Block<N>) -> Block<N> {
    /// The bits of 256, up to where the error of the logarithm adds little.
    const MODERATE: u64 = (1023 + 8) << 52;
    let mut reduced = Reduced::<N>::ZERO;
    let mut reach = [0.0; N];
    for n in 0..N {
        let is_fine = is_positive_normal(x[n]) & is_within(y[n], SMALL, LARGE);
        let (x, y) = if is_fine { (x[n], y[n]) } else { (1.0, 1.0) };
        let l = logarithm(x);
        let p = product(y, l.high);
        let is_finite = is_within(p.high, 0, MOST);
        let low = y.mul_add(l.low, p.low);
        let (high, low) = if is_finite { (p.high, low) } else { (0.0, 0.0) };
        let of_finite = if is_within(p.high, 0, MODERATE) { REACH } else { LONG_REACH };
        reach[n] = if is_fine & is_finite { of_finite } else { NEVER };
        reduced.reduce(n, Pair { high, low });
    }
    let mut to = [0.0; N];
    reduced.exponential::<V>(|n, v, exponent| {
        let value = number(v.high.to_bits().wrapping_add(exponent));
        to[n] = if is_decided(v, reach[n]) { value } else { UNDECIDED };
    });
    to
}

/// The sines of `x` and `turn` times pi/32.
#[inline(always)]
fn turned_sine<V: Vectors, const N: usize>(x: &Block<N>, turn: u64) -> Block<N> {
    // 32 / pi, and pi / 32 in three parts, of which the first two have exact multiples.
    const PER_PI: f64 = number(0x4024_5f30_6dc9_c883);
    const PI_1: f64 = number(0x3fb9_21fb_5440_0000);
    const PI_2: f64 = number(0x3d90_b461_1a60_0000);
    const PI_3: f64 = number(0x3b63_198a_2e03_7073);
    /// The bits of 2^-30: so near to a multiple of pi/32, the distance has too few digits.
    const NEAR: u64 = (1023 - 30) << 52;
    let (mut r, mut rest, mut k, mut reach) = ([0.0; N], [0.0; N], [0; N], [0.0; N]);
    for n in 0..N {
        let is_fine = is_within(x[n], (1023 - 27) << 52, (1023 + 15) << 52);
        let x = if is_fine { x[n] } else { 1.0 };
        let shifted = x.mul_add(PER_PI, SHIFT);
        let kd = shifted - SHIFT;
        let a = kd.mul_add(-PI_1, x);
        let b = kd * PI_2;
        // Either may be the larger one.
        let d = a - b;
        let of_b = d - a;
        let left = (a - (d - of_b)) - (b + of_b);
        let v = sum(d, kd.mul_add(-PI_3, left));
        let is_near = (kd != 0.0) & (v.high.to_bits() & !SIGN < NEAR);
        let of_fine = if (turn == 0) & is_within(x, LESS_EXACT[0], LESS_EXACT[1]) { LONG_REACH } else { REACH };
        reach[n] = if is_fine & !is_near { of_fine } else { NEVER };
        r[n] = v.high;
        rest[n] = v.low;
        k[n] = shifted.to_bits().wrapping_sub(SHIFT.to_bits()).wrapping_add(turn);
    }
    let (sine, sine_rest) = (V::look(&SINE[0], &k), V::look(&SINE[1], &k));
    let (cosine, cosine_rest) = (V::look(&COSINE[0], &k), V::look(&COSINE[1], &k));
    let mut to = [0.0; N];
    for n in 0..N {
        // In odd quarters of the circle the sine is the cosine, and the cosine the sine with the other sign.
        let is_odd = k[n] & 16 != 0;
        let (half, turned) = ((k[n] & 32) << 58, (k[n] & 16) << 59);
        let signed = |v: f64, signs: u64| number(v.to_bits() ^ signs);
        let (s, sl) = if is_odd { (cosine[n], cosine_rest[n]) } else { (sine[n], sine_rest[n]) };
        let (c, cl) = if is_odd { (sine[n], sine_rest[n]) } else { (cosine[n], cosine_rest[n]) };
        let (s, sl) = (signed(s, half), signed(sl, half));
        let (c, cl) = (signed(c, half ^ turned), signed(cl, half ^ turned));
        let u = r[n] * r[n];
        let more = u * u.mul_add(u.mul_add(u.mul_add(1.0 / 362_880.0, -1.0 / 5040.0), 1.0 / 120.0), -1.0 / 6.0) * r[n];
        let less = u * u.mul_add(u.mul_add(u.mul_add(1.0 / 40320.0, -1.0 / 720.0), 1.0 / 24.0), -0.5);
        let first = product(c, r[n]);
        let h = sum(s, first.high);
        let small = c.mul_add(rest[n] + more, cl * r[n]);
        let low = h.low + (first.low + sl + s.mul_add(r[n].mul_add(-rest[n], less), small));
        let v = sum(h.high, low);
        to[n] = if is_decided(v, reach[n]) { v.high } else { UNDECIDED };
    }
    to
}

/// SIN(x).
#[inline(always)]
pub(super) fn sine<V: Vectors, const N: usize>(x: &Block<N>) -> Block<N> {
    turned_sine::<V, N>(x, 0)
}

/// COS(x).
#[inline(always)]
pub(super) fn cosine<V: Vectors, const N: usize>(x: &Block<N>) -> Block<N> {
    turned_sine::<V, N>(x, 16)
}
