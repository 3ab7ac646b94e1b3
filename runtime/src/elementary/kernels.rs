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

use super::tables::{EXP, LOG, SINE};

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

/// For each function by how much the rest is lengthened before it is added again: if the number stays, the exact value is nearer to it than
/// half a unit of the last place less a margin. A library whose error is at most half a unit and this margin has the same number.
/// The margins are 1/64 for EXP, 1/32 for LOG and 1/16 for powers, sines and cosines; the errors of the GNU C library are, as its sources say,
/// 0.511, 0.520, 0.54 and 0.55 units.
const REACH_EXP: f64 = 1.0323;
const REACH_LOG: f64 = 1.0667;
const REACH_POWER: f64 = 1.142_858;
const REACH_SINE: f64 = 1.142_858;

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
    v.high + v.low * reach == v.high
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

/// `e**x` between one half and two, and what its exponent is to be increased by, in place.
#[inline(always)]
fn exponential(x: Pair) -> (Pair, u64) {
    // 128 / ln 2, and ln 2 / 128 in two parts, the first so short that its multiples are exact.
    const PER_LN2: f64 = number(0x4067_1547_652b_82fe);
    const LN2_HIGH: f64 = number(0x3f76_2e42_fef8_0000);
    const LN2_LOW: f64 = number(0x3d41_cf79_abc9_e3b4);
    let shifted = x.high.mul_add(PER_LN2, SHIFT);
    let k = shifted.to_bits().wrapping_sub(SHIFT.to_bits());
    let kd = shifted - SHIFT;
    let a = kd.mul_add(-LN2_HIGH, x.high);
    let b = kd.mul_add(-LN2_LOW, a);
    let r = sum(b, kd.mul_add(-LN2_LOW, a - b) + x.low);
    // e**r - 1 - r = r**2 (1/2 + r/6 + ...)
    let q = r.high * r.high;
    let p = r.high.mul_add(1.0 / 6.0, 0.5) + q * q.mul_add(1.0 / 720.0, r.high.mul_add(1.0 / 120.0, 1.0 / 24.0));
    let more = q.mul_add(p, r.low);
    let [t, tl] = EXP[(k & 127) as usize].map(number);
    let first = product(t, r.high);
    let s = sum(t, first.high);
    let low = s.low + t.mul_add(more, tl.mul_add(r.high, tl) + first.low);
    (sum(s.high, low), (k & !127) << 45)
}

/// The logarithm of a positive normal number.
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

/// The sine of `x` and `turn` times pi/64; whether `x` is too near to a multiple of pi/64 for a pair to tell how near. `x` is below 2^15.
#[inline(always)]
fn sine_of(x: f64, turn: u64) -> (Pair, bool) {
    // 64 / pi, and pi / 64 in three parts, of which the first two have exact multiples.
    const PER_PI: f64 = number(0x4034_5f30_6dc9_c883);
    const PI_1: f64 = number(0x3fa9_21fb_5440_0000);
    const PI_2: f64 = number(0x3d80_b461_1a60_0000);
    const PI_3: f64 = number(0x3b53_198a_2e03_7073);
    /// The bits of 2^-30.
    const NEAR: u64 = (1023 - 30) << 52;
    let shifted = x.mul_add(PER_PI, SHIFT);
    let k = shifted.to_bits().wrapping_sub(SHIFT.to_bits());
    let kd = shifted - SHIFT;
    let a = kd.mul_add(-PI_1, x);
    let b = kd * PI_2;
    // Either may be the larger one.
    let d = a - b;
    let of_b = d - a;
    let rest = (a - (d - of_b)) - (b + of_b);
    let r = sum(d, kd.mul_add(-PI_3, rest));
    let u = r.high * r.high;
    let sine = u * u.mul_add(u.mul_add(u.mul_add(1.0 / 362_880.0, -1.0 / 5040.0), 1.0 / 120.0), -1.0 / 6.0) * r.high;
    let cosine = u * u.mul_add(u.mul_add(u.mul_add(1.0 / 40320.0, -1.0 / 720.0), 1.0 / 24.0), -0.5);
    let j = k.wrapping_add(turn);
    let [s, sl] = SINE[(j & 127) as usize].map(number);
    let [c, cl] = SINE[(j.wrapping_add(32) & 127) as usize].map(number);
    let first = product(c, r.high);
    let h = sum(s, first.high);
    let small = c.mul_add(r.low + sine, cl * r.high);
    let low = h.low + (first.low + sl + s.mul_add(r.high.mul_add(-r.low, cosine), small));
    (sum(h.high, low), kd != 0.0 && r.high.to_bits() & !SIGN < NEAR)
}

/// EXP(x).
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    let is_zero = x.to_bits() & !SIGN == 0;
    let is_fine = is_within(x, SMALL, MOST);
    let (v, exponent) = exponential(Pair { high: if is_fine { x } else { 0.0 }, low: 0.0 });
    let value = number(v.high.to_bits().wrapping_add(exponent));
    if (is_fine | is_zero) & is_decided(v, REACH_EXP) { value } else { UNDECIDED }
}

/// LOG(x).
#[inline(always)]
pub(super) fn log(x: f64) -> f64 {
    let is_fine = is_positive_normal(x);
    let v = logarithm(if is_fine { x } else { 1.0 });
    if is_fine & is_decided(v, REACH_LOG) { v.high } else { UNDECIDED }
}

/// `x**y`.
#[inline(always)]
pub(super) fn power(x: f64, y: f64) -> f64 {
    let is_fine = is_positive_normal(x) & is_within(y, SMALL, LARGE);
    let (x, y) = if is_fine { (x, y) } else { (1.0, 1.0) };
    let l = logarithm(x);
    let p = product(y, l.high);
    let is_finite = is_within(p.high, 0, MOST);
    let low = y.mul_add(l.low, p.low);
    let (v, exponent) = exponential(if is_finite { Pair { high: p.high, low } } else { Pair { high: 0.0, low: 0.0 } });
    let value = number(v.high.to_bits().wrapping_add(exponent));
    if is_fine & is_finite & is_decided(v, REACH_POWER) { value } else { UNDECIDED }
}

#[inline(always)]
fn turned_sine(x: f64, turn: u64) -> f64 {
    let is_fine = is_within(x, (1023 - 27) << 52, (1023 + 15) << 52);
    let (v, is_near) = sine_of(if is_fine { x } else { 1.0 }, turn);
    if is_fine & !is_near & is_decided(v, REACH_SINE) { v.high } else { UNDECIDED }
}

/// SIN(x).
#[inline(always)]
pub(super) fn sine(x: f64) -> f64 {
    turned_sine(x, 0)
}

/// COS(x).
#[inline(always)]
pub(super) fn cosine(x: f64) -> f64 {
    turned_sine(x, 32)
}
