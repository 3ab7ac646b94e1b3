//! Numbers of `REAL(16)`: IEEE binary128, for which Rust has no type.
//!
//! Compiled code computes with them by the functions of the C compiler's library; this module is for constants of the
//! compiler, and for input and output of the runtime.

use rustc_apfloat::ieee::{Double, Quad as Soft, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// A number of binary128, by its bits: two are equal if their bits are. [`Quad::compare`] compares the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Quad {
    high: u64,
    low: u64,
}

/// Bits of the fraction as it is stored.
const FRACTION: u32 = 112;
/// The exponent that is stored for 1.0.
const BIAS: i32 = 16383;
/// The exponent field of infinities and NaNs.
const NOT_FINITE: i32 = 0x7fff;
const SIGN: u128 = 1 << 127;

impl Quad {
    /// Zero.
    pub const ZERO: Quad = Quad::from_bits(0);
    /// One.
    pub const ONE: Quad = Quad::from_bits((BIAS as u128) << FRACTION);
    /// Positive infinity.
    pub const INFINITY: Quad = Quad::from_bits((NOT_FINITE as u128) << FRACTION);
    /// A quiet NaN.
    pub const NAN: Quad = Quad::from_bits((NOT_FINITE as u128) << FRACTION | 1 << (FRACTION - 1));
    /// The largest finite number: `HUGE`.
    pub const MAX: Quad = Quad::from_bits(((NOT_FINITE as u128) << FRACTION) - 1);
    /// The smallest normal number: `TINY`.
    pub const MIN_POSITIVE: Quad = Quad::from_bits(1 << FRACTION);
    /// The distance from 1.0 to the next larger number: `EPSILON`.
    pub const EPSILON: Quad = Quad::from_bits(((BIAS - 112) as u128) << FRACTION);
    /// Binary digits, with the one that is not stored: `DIGITS`.
    pub const DIGITS: i32 = 113;
    /// `MINEXPONENT` of the model `0.5 <= f < 1`.
    pub const MIN_EXPONENT: i32 = -16381;
    /// `MAXEXPONENT` of the model `0.5 <= f < 1`.
    pub const MAX_EXPONENT: i32 = 16384;

    /// The number with these bits.
    pub const fn from_bits(bits: u128) -> Quad {
        Quad { high: (bits >> 64) as u64, low: bits as u64 }
    }

    /// Its bits.
    pub const fn to_bits(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }

    /// The number in 16 bytes of memory, least significant first.
    pub fn from_le_bytes(bytes: [u8; 16]) -> Quad {
        Quad::from_bits(u128::from_le_bytes(bytes))
    }

    /// Its bytes, least significant first.
    pub fn to_le_bytes(self) -> [u8; 16] {
        self.to_bits().to_le_bytes()
    }

    fn soft(self) -> Soft {
        Soft::from_bits(self.to_bits())
    }

    fn of(soft: Soft) -> Quad {
        Quad::from_bits(soft.to_bits())
    }

    /// The integer, rounded if it has more than 113 digits.
    pub fn from_int(v: i128) -> Quad {
        Quad::of(Soft::from_i128(v).value)
    }

    /// The nearest number of double precision.
    pub fn to_f64(self) -> f64 {
        let near: Double = self.soft().convert(&mut false).value;
        f64::from_bits(near.to_bits() as u64)
    }

    /// The nearest number of single precision, rounded once.
    pub fn to_f32(self) -> f32 {
        let near: Single = self.soft().convert(&mut false).value;
        f32::from_bits(near.to_bits() as u32)
    }

    /// The value without its fraction as an integer; the nearest integer if the value is too large, zero for NaN.
    pub fn to_int(self) -> i128 {
        if self.is_nan() {
            return 0;
        }
        self.soft().to_i128_r(128, Round::TowardZero, &mut false).value
    }

    /// The number that `text` is in decimal (`-12.5e-3`), correctly rounded; none if it is not one.
    pub fn parse(text: &str) -> Option<Quad> {
        let is_plain = |b: u8| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-');
        if !text.bytes().all(is_plain) {
            return None;
        }
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        // No exponent that has a number of this kind is longer, unless as many digits make up for it.
        let exponent = exponent.parse::<i64>().ok()?.clamp(-1_000_000_000, 1_000_000_000);
        Some(Quad::of(Soft::from_str_r(&format!("{mantissa}e{exponent}"), Round::NearestTiesToEven).ok()?.value))
    }

    /// Whether it is not a number.
    pub fn is_nan(self) -> bool {
        self.soft().is_nan()
    }

    /// Whether it is a number, and not infinite.
    pub fn is_finite(self) -> bool {
        self.field() != NOT_FINITE
    }

    /// Whether it is zero, of either sign.
    pub fn is_zero(self) -> bool {
        self.to_bits() & !SIGN == 0
    }

    /// Whether the sign bit is set.
    pub fn is_negative(self) -> bool {
        self.to_bits() & SIGN != 0
    }

    /// The exponent as it is stored.
    fn field(self) -> i32 {
        (self.to_bits() >> FRACTION) as i32 & NOT_FINITE
    }

    /// A finite number's magnitude as `whole * 2**exponent`.
    pub fn parts(self) -> (u128, i32) {
        let fraction = self.to_bits() & ((1 << FRACTION) - 1);
        match self.field() {
            0 => (fraction, 1 - BIAS - FRACTION as i32),
            field => (fraction | 1 << FRACTION, field - BIAS - FRACTION as i32),
        }
    }

    /// The order of two numbers; none if one is not a number.
    pub fn compare(self, other: Quad) -> Option<Ordering> {
        self.soft().partial_cmp(&other.soft())
    }

    /// The magnitude.
    pub fn abs(self) -> Quad {
        Quad::from_bits(self.to_bits() & !SIGN)
    }

    /// The magnitude of `self` with the sign of `other`.
    pub fn copysign(self, other: Quad) -> Quad {
        Quad::from_bits(self.to_bits() & !SIGN | other.to_bits() & SIGN)
    }

    fn rounded(self, how: Round) -> Quad {
        Quad::of(self.soft().round_to_integral(how).value)
    }

    /// Without its fraction.
    pub fn trunc(self) -> Quad {
        self.rounded(Round::TowardZero)
    }

    /// The nearest whole number, of two the one that is larger in magnitude.
    pub fn round(self) -> Quad {
        self.rounded(Round::NearestTiesToAway)
    }

    /// The largest whole number that is not larger.
    pub fn floor(self) -> Quad {
        self.rounded(Round::TowardNegative)
    }

    /// The smallest whole number that is not smaller.
    pub fn ceil(self) -> Quad {
        self.rounded(Round::TowardPositive)
    }

    /// The next larger number.
    pub fn next_up(self) -> Quad {
        Quad::of(self.soft().next_up().value)
    }

    /// The next smaller number.
    pub fn next_down(self) -> Quad {
        Quad::of(self.soft().next_down().value)
    }

    /// The exponent `e` of `f * 2**e` with `0.5 <= f < 1`; 0 for zero, infinities and NaNs.
    pub fn exponent(self) -> i32 {
        if self.is_zero() || !self.is_finite() {
            return 0;
        }
        let (whole, exponent) = self.parts();
        exponent + 128 - whole.leading_zeros() as i32
    }

    /// `self * 2**n`, rounded once.
    pub fn scale(self, n: i64) -> Quad {
        let n = n.clamp(-40_000, 40_000) as i32;
        Quad::of(self.soft().scalbn(n))
    }

    /// The square root, correctly rounded; NaN for a negative number.
    pub fn sqrt(self) -> Quad {
        if self.is_nan() || self.is_zero() || self == Quad::INFINITY {
            return self;
        }
        if self.is_negative() {
            return Quad::NAN;
        }
        let (whole, exponent) = self.parts();
        // A radicand of 113 or 114 digits and an even exponent, so that its root has 57 or 58 digits, as many as are
        // needed; the remainder tells on which side of the root the exact value lies.
        let lift = whole.leading_zeros() as i32 - 15;
        let (mut radicand, mut exponent) = (whole << lift, exponent - lift);
        if exponent % 2 != 0 {
            radicand <<= 1;
            exponent -= 1;
        }
        let (mut root, mut left) = (0u128, 0u128);
        const STEPS: i32 = 116;
        for step in 0..STEPS {
            // Two more digits of the radicand; behind its 114 there are zeros.
            let pair = if step < 57 { radicand >> (112 - 2 * step) & 3 } else { 0 };
            left = left << 2 | pair;
            root <<= 1;
            if left > root << 1 {
                left -= root << 1 | 1;
                root |= 1;
            }
        }
        // `root * 2**-(STEPS - 57)` is the root of the radicand, and one more digit stands for the remainder.
        let sticky = root << 1 | u128::from(left != 0);
        let value = Soft::from_u128(sticky).value;
        Quad::of(value.scalbn(exponent / 2 - (STEPS - 57) - 1))
    }

    /// The remainder of `self` by the nearest multiple of `by`, as `remainder` of the C library.
    pub fn nearest_remainder(self, by: Quad) -> Quad {
        Quad::of(self.soft().ieee_rem(by.soft()).value)
    }

    /// The remainder with the sign of `self`, as `fmod` of the C library.
    pub fn remainder(self, by: Quad) -> Quad {
        Quad::of(self.soft().c_fmod(by.soft()).value)
    }
}

impl From<f64> for Quad {
    fn from(v: f64) -> Quad {
        let wide: Soft = Double::from_bits(v.to_bits().into()).convert(&mut false).value;
        Quad::of(wide)
    }
}

impl From<f32> for Quad {
    fn from(v: f32) -> Quad {
        Quad::from(f64::from(v))
    }
}

impl std::ops::Neg for Quad {
    type Output = Quad;
    fn neg(self) -> Quad {
        Quad::from_bits(self.to_bits() ^ SIGN)
    }
}

macro_rules! operators {
    ($($name:ident $method:ident $op:tt)*) => {$(
        impl std::ops::$name for Quad {
            type Output = Quad;
            fn $method(self, other: Quad) -> Quad {
                Quad::of((self.soft() $op other.soft()).value)
            }
        }
    )*};
}

operators! { Add add + Sub sub - Mul mul * Div div / }

#[cfg(test)]
mod tests {
    use super::*;

    fn quad(text: &str) -> Quad {
        Quad::parse(text).unwrap()
    }

    #[test]
    fn constants_are_what_they_say() {
        assert_eq!(Quad::ONE, Quad::from(1.0));
        assert_eq!(quad("1.18973149535723176508575932662800702e4932"), Quad::MAX);
        assert_eq!(quad("3.36210314311209350626267781732175260e-4932"), Quad::MIN_POSITIVE);
        assert_eq!(quad("1.92592994438723585305597794258492732e-34"), Quad::EPSILON);
        assert_eq!(Quad::ONE.next_up() - Quad::ONE, Quad::EPSILON);
        assert_eq!(Quad::MAX.next_up(), Quad::INFINITY);
        assert!(Quad::NAN.is_nan() && !Quad::INFINITY.is_nan());
        assert_eq!(quad("1e999999999999"), Quad::INFINITY);
        assert_eq!(quad("1e-999999999999"), Quad::ZERO);
        for text in ["", "nan", "1e", "0x1p3", "1e5e5", "--1"] {
            assert_eq!(Quad::parse(text), None, "{text}");
        }
    }

    #[test]
    fn roots_are_rounded_correctly() {
        assert_eq!(quad("2").sqrt(), quad("1.41421356237309504880168872420969807856967"));
        assert_eq!(quad("3e-4930").sqrt(), quad("1.73205080756887729352744634150587236694e-2465"));
        for k in 1..200_i128 {
            let x = Quad::from_int(k * 1_234_567_890_123_456_789 + k);
            assert_eq!((x * x).sqrt().round(), x, "{k}");
            let root = Quad::from_int(k).sqrt();
            let (below, above) = (root.next_down(), root.next_up());
            assert!((below * below).compare(Quad::from_int(k)) != Some(Ordering::Greater), "{k}");
            assert!((above * above).compare(Quad::from_int(k)) != Some(Ordering::Less), "{k}");
        }
        assert!(quad("-1").sqrt().is_nan());
        assert_eq!(Quad::INFINITY.sqrt(), Quad::INFINITY);
    }

    #[test]
    fn conversions() {
        assert_eq!(Quad::from(0.1).to_f64(), 0.1);
        assert_eq!(quad("0.1").to_f64(), 0.1);
        assert_eq!(quad("0.1").to_f32(), 0.1f32);
        assert_eq!(quad("-7.9").to_int(), -7);
        assert_eq!(quad("1e60").to_int(), i128::MAX);
        assert_eq!(Quad::from_int(-12).exponent(), 4);
        assert_eq!(quad("0.75").scale(3), quad("6"));
        assert_eq!(quad("-2.5").round(), quad("-3"));
        assert_eq!(quad("-7").remainder(quad("4")), quad("-3"));
    }
}
