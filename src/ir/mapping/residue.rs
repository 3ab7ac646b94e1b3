//! Arithmetic progressions modulo a number: how many members fall into an interval, and which is the first.
//!
//! Both take logarithmic time, so ownership of CYCLIC dimensions is exact for arrays and strides of any size.

/// `Σ floor((a * x + b) / m)` for `x` from 0 to `n - 1`; `a`, `b` from 0, `m` positive.
fn floor_sum(n: i128, m: i128, a: i128, b: i128) -> i128 {
    let (mut n, mut m, mut a, mut b, mut sum) = (n, m, a, b, 0i128);
    loop {
        sum = sum.wrapping_add((n.wrapping_mul(n - 1) / 2).wrapping_mul(a / m)).wrapping_add(n.wrapping_mul(b / m));
        (a, b) = (a % m, b % m);
        let top = a * n + b;
        if n <= 0 || top < m {
            return sum;
        }
        (n, b) = (top / m, top % m);
        (m, a) = (a, m);
    }
}

/// The number of `x` from 0 to `n - 1` with `(a * x + b) mod m` in `lo..=hi`, where `0 <= lo <= hi < m`.
pub(super) fn count(n: i128, m: i128, a: i128, b: i128, lo: i128, hi: i128) -> i128 {
    if n <= 0 {
        return 0;
    }
    let (a, b) = (a.rem_euclid(m), b.rem_euclid(m));
    // Below `edge` modulo `m` counts floor((v + m - edge') / m) - floor(v / m) over two edges; sums of both may wrap, their difference does not.
    let below = |edge: i128| floor_sum(n, m, a, b + m - edge);
    below(lo).wrapping_sub(below(hi + 1))
}

/// The smallest `x >= 0` with `(a * x) mod m` in `lo..=hi`, where `0 <= lo <= hi < m`.
fn first_multiple(m: i128, a: i128, lo: i128, hi: i128) -> Option<i128> {
    if lo == 0 {
        return Some(0);
    }
    let a = a.rem_euclid(m);
    if a == 0 {
        return None;
    }
    let c = (lo + a - 1) / a;
    if a * c <= hi {
        return Some(c);
    }
    // No multiple of `a` is in the interval, so after y turns round `m` one of them has to be: m * y mod a in -hi..=-lo.
    let y = first_multiple(a, m, (-hi).rem_euclid(a), (-lo).rem_euclid(a))?;
    Some((lo + m * y + a - 1) / a)
}

/// The smallest `x >= 0` with `(a * x + b) mod m` in `lo..=hi`, where `0 <= lo <= hi < m`.
pub(super) fn first(m: i128, a: i128, b: i128, lo: i128, hi: i128) -> Option<i128> {
    let b = b.rem_euclid(m);
    if (lo..=hi).contains(&b) {
        return Some(0);
    }
    // The interval moved by `-b`; it does not contain 0, so it does not wrap around.
    first_multiple(m, a, (lo - b).rem_euclid(m), (hi - b).rem_euclid(m))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_counted_one_by_one() {
        for m in 1..12i128 {
            for a in -13..13 {
                for b in [-7, 0, 3, 20] {
                    for lo in 0..m {
                        for hi in lo..m {
                            let is_in = |x: &i128| (lo..=hi).contains(&(a * x + b).rem_euclid(m));
                            for n in [0, 1, 5, 17] {
                                let expected = (0..n).filter(|x| is_in(x)).count() as i128;
                                assert_eq!(count(n, m, a, b, lo, hi), expected, "{n} {m} {a} {b} {lo} {hi}");
                            }
                            assert_eq!(first(m, a, b, lo, hi), (0..m).find(is_in), "{m} {a} {b} {lo} {hi}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn large_numbers() {
        let huge = i128::from(i64::MAX);
        assert_eq!(count(huge, huge, 1, 0, 0, huge - 1), huge);
        assert_eq!(count(huge, 2, 1, 0, 1, 1), huge / 2);
        assert_eq!(first(huge, 2, 1, 0, 0), Some((huge - 1) / 2));
        let n = count(1_000_000_007, 1 << 40, 12_345_677, 99, 5, 1 << 39);
        assert!(n > 490_000_000 && n < 510_000_000, "{n}");
    }
}
