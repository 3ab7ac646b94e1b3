//! A number times a power of ten, rounded to a whole number, by a power of five that has 128 bits.
//!
//! The power is short by less than two units of its last bit, so the product is known up to twice the other factor. All numbers in that range round in the same way, but
//! for ties and one in some 10^16 others, for which there is no answer here.

/// A power of five, which is at least `bits * 2^exponent` and less than `(bits + 2) * 2^exponent`.
#[derive(Clone, Copy)]
struct Power {
    bits: u128,
    exponent: i32,
}

/// The distance of the exponents in [`POWERS`]: 5^27 is the largest power of five below 2^63.
const STEP: i32 = 27;
const FACTOR: u64 = 5u64.pow(STEP as u32);

/// The number of powers on each side of 5^0, enough for all digits of numbers of kind 8.
const SIDE: usize = 13;

/// The powers `5^(27*k)` for `k` from -13 to 13, from integers of 256 bits.
static POWERS: [Power; 2 * SIDE + 1] = {
    let mut all = [Power { bits: 1 << 127, exponent: -127 }; 2 * SIDE + 1];
    let one = ([0, 0, 0, 1 << 63], -255);
    let (mut up, mut down) = (one, one);
    let mut k = 1;
    while k <= SIDE {
        up = normalized(product(up.0), up.1);
        down = normalized(quotient(down.0), down.1 - 64);
        all[SIDE + k] = head(up.0, up.1);
        all[SIDE - k] = head(down.0, down.1);
        k += 1;
    }
    all
};

/// `limbs * FACTOR`, from the lowest limb.
const fn product(limbs: [u64; 4]) -> [u64; 5] {
    let mut out = [0; 5];
    let (mut carry, mut k) = (0, 0);
    while k < 4 {
        let n = limbs[k] as u128 * FACTOR as u128 + carry;
        out[k] = n as u64;
        carry = n >> 64;
        k += 1;
    }
    out[4] = carry as u64;
    out
}

/// `limbs * 2^64 / FACTOR`, rounded down.
const fn quotient(limbs: [u64; 4]) -> [u64; 5] {
    let mut out = [0; 5];
    let (mut rest, mut k) = (0, 5);
    while k > 0 {
        k -= 1;
        let limb = if k == 0 { 0 } else { limbs[k - 1] };
        let n = rest << 64 | limb as u128;
        out[k] = (n / FACTOR as u128) as u64;
        rest = n % FACTOR as u128;
    }
    out
}

/// The first 256 bits of `limbs * 2^exponent`, whose last limb is not zero.
const fn normalized(limbs: [u64; 5], exponent: i32) -> ([u64; 4], i32) {
    let zeros = limbs[4].leading_zeros();
    let mut out = [0; 4];
    let mut k = 0;
    while k < 4 {
        let pair = (limbs[k + 1] as u128) << 64 | limbs[k] as u128;
        out[k] = (pair << zeros >> 64) as u64;
        k += 1;
    }
    (out, exponent + 64 - zeros as i32)
}

/// The first 128 bits.
const fn head(limbs: [u64; 4], exponent: i32) -> Power {
    Power { bits: (limbs[3] as u128) << 64 | limbs[2] as u128, exponent: exponent + 128 }
}

/// `whole * 2^exponent * 10^power`, rounded to a whole number; none if it is not certain how, or is too large. `whole` has at most 53 bits.
pub(super) fn scaled(whole: u64, exponent: i32, power: i32) -> Option<u128> {
    let k = usize::try_from(power.div_euclid(STEP).saturating_add(SIDE as i32)).ok()?;
    let p = POWERS.get(k)?;
    let factor = u128::from(whole) * u128::from(5u64.pow(power.rem_euclid(STEP) as u32));
    // As long as leaves room for the uncertainty, so that the place of the point is in the high half of the product.
    let room = factor.leading_zeros().saturating_sub(2);
    let factor = factor << room;
    let shift = u32::try_from(room as i32 - (p.exponent + exponent + power)).ok()?;
    if shift > 256 {
        return Some(0);
    }
    let behind = shift.checked_sub(128).filter(|n| (1..128).contains(n))?;
    let (high, low) = wide(p.bits, factor);
    // The exact product is at least `high * 2^128`, and less than `(high + more) * 2^128`.
    let more = if low.checked_add(2 * factor).is_some() { 1 } else { 2 };
    let (whole, rest, half) = (high >> behind, high & ((1 << behind) - 1), 1 << (behind - 1));
    if rest + more <= half {
        Some(whole)
    } else if rest > half || rest == half && low > 0 {
        Some(whole + 1)
    } else {
        None
    }
}

/// The product of two integers, its high half first.
fn wide(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let other = a0 * b1 + (middle & LOW);
    (a1 * b1 + (middle >> 64) + (other >> 64), other << 64 | low & LOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_that_fit_are_exact() {
        // 5^54 and 5^27 have less than 128 bits.
        for (k, power) in [(0, 1), (1, 5u128.pow(27)), (2, 5u128.pow(54))] {
            let p = POWERS[SIDE + k];
            assert_eq!((p.bits >> p.bits.trailing_zeros(), p.exponent + p.bits.trailing_zeros() as i32), (power, 0));
        }
        assert_eq!(wide(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
    }

    #[test]
    fn a_tie_has_no_answer_and_its_neighbours_have() {
        assert_eq!(scaled(5, -1, 0), None);
        assert_eq!(scaled(9, -2, 0), Some(2));
        assert_eq!(scaled(11, -2, 0), Some(3));
        assert_eq!(scaled(1, -1074, 340), Some(49_406_564_584_124_654));
        assert_eq!(scaled(1, -1074, 30), Some(0));
        assert_eq!(scaled(1, 971, 400), None);
        assert_eq!(scaled(1, 0, i32::MAX), None);
        assert_eq!(scaled(1, 0, i32::MIN), None);
    }
}
