//! Integer powers and the closed form of trip counts.

use std::sync::atomic::{AtomicU64, Ordering};
use trueline_abi::trips::{BUCKETS, TripCounts};

/// `base ** exponent` for integers. A negative exponent gives the truncated reciprocal; `0 ** -1`, which
/// has no value, gives 0 and does not trap: the optimizer may evaluate a pure function early.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pow_i64(base: i64, exponent: i64) -> i64 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut square, mut rest, mut product) = (base, exponent as u64, 1i64);
    while rest != 0 {
        if rest % 2 == 1 {
            product = product.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        rest /= 2;
    }
    product
}

/// Binary powering in the order of `libgcc`: the result differs from the true power in the same bits
/// as gfortran's.
macro_rules! powi {
    ($base:expr, $count:expr) => {{
        let (mut square, mut rest) = ($base, $count);
        let mut product = if rest % 2 == 1 { square } else { 1.0 };
        rest /= 2;
        while rest != 0 {
            square *= square;
            if rest % 2 == 1 {
                product *= square;
            }
            rest /= 2;
        }
        product
    }};
}

/// `base ** exponent` with an integer exponent, multiplied as libgcc's `__powidf2` does.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_powi_f64(base: f64, exponent: i32) -> f64 {
    let product = powi!(base, exponent.unsigned_abs());
    if exponent < 0 { 1.0 / product } else { product }
}

/// `base ** exponent` with an integer exponent, multiplied as libgcc's `__powisf2` does.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_powi_f32(base: f32, exponent: i32) -> f32 {
    let product = powi!(base, exponent.unsigned_abs());
    if exponent < 0 { 1.0 / product } else { product }
}

/// `base ** exponent` with an `INTEGER(8)` exponent, multiplied as libgfortran does: a negative one takes powers of
/// the reciprocal.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pow_long_f64(base: f64, exponent: i64) -> f64 {
    powi!(if exponent < 0 { 1.0 / base } else { base }, exponent.unsigned_abs())
}

/// `base ** exponent` with an `INTEGER(8)` exponent, multiplied as libgfortran does.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pow_long_f32(base: f32, exponent: i64) -> f32 {
    powi!(if exponent < 0 { 1.0 / base } else { base }, exponent.unsigned_abs())
}

/// The sum over `i = lo, hi, step` of the trip counts of `j = a0 + a1*i, b0 + b1*i, inner`.
///
/// In O(log) steps: the trip count is the floor of a linear function of the outer iteration, cut at
/// zero, so that it is positive on one interval of iterations, over which the floors have a closed sum.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn trueline_sum_trips(
    lo: i64,
    hi: i64,
    step: i64,
    a0: i64,
    a1: i64,
    b0: i64,
    b1: i64,
    inner: i64,
) -> i64 {
    if let Some(sum) = Triangle::of([lo, hi, step, a0, a1, b0, b1, inner]).and_then(Triangle::sum) {
        return sum;
    }
    let outer = trips(lo.into(), hi.into(), step.into());
    if outer == 0 || inner == 0 {
        return 0;
    }
    // Bounds that do not overflow 64 bits give numerators that do not overflow 128; the intermediate
    // products may, and wrapping arithmetic still gives the right sums.
    let sign = if inner < 0 { -1i128 } else { 1 };
    let stride = i128::from(inner).abs();
    let start = i128::from(b0).wrapping_sub(a0.into());
    let slope = i128::from(b1).wrapping_sub(a1.into());
    let at_lo = start.wrapping_add(slope.wrapping_mul(lo.into()));
    let first = at_lo.wrapping_mul(sign).wrapping_add(stride);
    let change = slope.wrapping_mul(step.into()).wrapping_mul(sign);
    sum_of_positive_floors(first, change, outer, stride) as i64
}

/// Adds `times` entries of each of these loops to a histogram of trips: 65 buckets, the highest first, the complement of the minimum,
/// and the maximum. Nothing is added if `times` is not positive.
///
/// # Safety
/// `cells` is the address of 67 counters of 8 bytes that nothing but the program's own threads changes.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments)]
pub unsafe extern "C" fn trueline_spread_trips(
    cells: *mut u8,
    lo: i64,
    hi: i64,
    step: i64,
    a0: i64,
    a1: i64,
    b0: i64,
    b1: i64,
    inner: i64,
    times: i64,
) {
    let Ok(times) = u64::try_from(times) else { return };
    let loops = [lo, hi, step, a0, a1, b0, b1, inner];
    // SAFETY: the compiler passes the first of the 67 counters of the loop in the block of this thread, which lives as long as the
    // program, and `add` changes them in one step where threads share them.
    let cells = unsafe { std::slice::from_raw_parts(cells.cast::<AtomicU64>(), BUCKETS + 2) };
    if times == 0 {
        return;
    }
    if let Some(nest) = Triangle::of(loops) {
        nest.spread(cells, times);
        return;
    }
    let mut more = TripCounts::default();
    more.spread(loops, times);
    for (cell, &n) in cells.iter().zip(more.buckets.iter().rev()) {
        if n > 0 {
            add(cell, |old| old.wrapping_add(n));
        }
    }
    add(&cells[BUCKETS], |old| old.max(more.least));
    add(&cells[BUCKETS + 1], |old| old.max(more.most));
}

/// A nest with bounds so small that nothing overflows: the usual case, in which the closed forms take a few instructions. In
/// iteration `k` of `0..outer` the inner loop makes `floor((first + change * k) / stride)` trips, or none; `change` is not negative.
#[derive(Clone, Copy)]
struct Triangle {
    first: i64,
    change: i64,
    outer: i64,
    stride: i64,
}

impl Triangle {
    /// Up to this number of different trips are added up one after the other.
    const FEW: i64 = 16;

    fn of(loops: [i64; 8]) -> Option<Triangle> {
        const SMALL: std::ops::Range<i64> = -(1 << 30)..1 << 30;
        let [lo, hi, step, a0, a1, b0, b1, inner] = loops;
        if !loops.iter().all(|n| SMALL.contains(n)) || step == 0 || inner == 0 {
            return None;
        }
        let outer = if step == 1 { hi - lo + 1 } else { (hi - lo + step) / step };
        let (sign, stride) = (inner.signum(), inner.abs());
        let slope = (b1 - a1) * sign;
        let (first, change) = ((b0 - a0) * sign + slope * lo + stride, slope * step);
        let outer = outer.max(0);
        // Backwards it rises.
        let is_falling = change < 0 && outer > 0;
        let first = if is_falling { first + change * (outer - 1) } else { first };
        Some(Triangle { first, change: change.abs(), outer, stride })
    }

    /// The first iteration whose trips are at least `least`; `outer`, if there is none.
    fn reaches(self, least: i64) -> i64 {
        let missing = least.saturating_mul(self.stride).saturating_sub(self.first);
        match self.change {
            _ if missing <= 0 => 0,
            0 => self.outer,
            1 => missing.min(self.outer),
            change => ((missing - 1) / change + 1).min(self.outer),
        }
    }

    fn at(self, k: i64) -> i64 {
        let n = self.first + self.change * k;
        if self.stride == 1 { n } else { n.div_euclid(self.stride) }
    }

    /// The sum of all trips, if that is easy.
    fn sum(self) -> Option<i64> {
        let mut from = self.reaches(1);
        if from >= self.outer {
            return Some(0);
        }
        let (least, most) = (self.at(from), self.at(self.outer - 1));
        if self.stride == 1 {
            return Some(((i128::from(self.outer - from) * i128::from(least + most)) >> 1) as i64);
        }
        if most - least > Triangle::FEW {
            return None;
        }
        let mut sum = 0i64;
        for trips in least..=most {
            let to = self.reaches(trips + 1);
            sum = sum.wrapping_add(trips.wrapping_mul(to - from));
            from = to;
        }
        Some(sum)
    }

    /// Adds all entries, each `times`, to the cells of a histogram.
    fn spread(self, cells: &[AtomicU64], times: u64) {
        if self.outer == 0 {
            return;
        }
        let mut from = self.reaches(1);
        if from > 0 {
            add(&cells[64], |old| old.wrapping_add(times.wrapping_mul(from as u64)));
        }
        if self.change == 1 && self.stride == 1 {
            // One after the other: no step asks where the next bucket begins.
            let last = self.at(self.outer - 1);
            let mut trips = self.at(from);
            while trips <= last {
                let zeros = trips.leading_zeros() as usize;
                let next = (1i64 << (64 - zeros)).min(last + 1);
                add(&cells[zeros], |old| old.wrapping_add(times.wrapping_mul((next - trips) as u64)));
                trips = next;
            }
            from = self.outer;
        }
        while from < self.outer {
            let zeros = self.at(from).leading_zeros() as usize;
            let to = self.reaches(1i64.checked_shl(64 - zeros as u32).filter(|n| *n > 0).unwrap_or(i64::MAX));
            add(&cells[zeros], |old| old.wrapping_add(times.wrapping_mul((to - from) as u64)));
            from = to;
        }
        let [least, most] = [0, self.outer - 1].map(|k| self.at(k).max(0) as u64);
        add(&cells[BUCKETS], |old| old.max(!least));
        add(&cells[BUCKETS + 1], |old| old.max(most));
    }
}

/// Changes a counter of this thread; where threads share it, in one step.
fn add(cell: &AtomicU64, change: impl Fn(u64) -> u64) {
    if cfg!(target_arch = "x86_64") {
        cell.store(change(cell.load(Ordering::Relaxed)), Ordering::Relaxed);
    } else {
        let _ = cell.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| Some(change(old)));
    }
}

/// The trip count of a DO loop.
fn trips(lo: i128, hi: i128, step: i128) -> i128 {
    if step == 0 { 0 } else { ((hi - lo + step) / step).max(0) }
}

/// The sum of `floor((first + change * k) / divisor)` over those `k` in `0..count` where it is positive.
fn sum_of_positive_floors(first: i128, change: i128, count: i128, divisor: i128) -> i128 {
    if change < 0 {
        // Backwards it rises.
        let last = first.wrapping_add(change.wrapping_mul(count - 1));
        return sum_of_positive_floors(last, change.wrapping_neg(), count, divisor);
    }
    let (mut first, mut count) = (first, count);
    if first < divisor {
        if change == 0 {
            return 0;
        }
        let skipped = (divisor - first + change - 1) / change;
        if skipped >= count {
            return 0;
        }
        first = first.wrapping_add(change.wrapping_mul(skipped));
        count -= skipped;
    }
    floor_sum(count, divisor, change, first)
}

/// The sum of `floor((a * k + b) / m)` for `k` in `0..n`, with `a`, `b` not negative: Euclid's algorithm on
/// the lattice points below the line.
fn floor_sum(mut n: i128, mut m: i128, mut a: i128, mut b: i128) -> i128 {
    let mut sum = 0i128;
    loop {
        let pairs = if n % 2 == 0 { (n / 2).wrapping_mul(n - 1) } else { ((n - 1) / 2).wrapping_mul(n) };
        sum = sum.wrapping_add(pairs.wrapping_mul(a / m)).wrapping_add(n.wrapping_mul(b / m));
        (a, b) = (a % m, b % m);
        let top = a.wrapping_mul(n).wrapping_add(b);
        if top < m {
            return sum;
        }
        (n, b) = (top / m, top % m);
        (m, a) = (a, m);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_powers() {
        // SAFETY: any arguments are allowed.
        let pow = |b, e| unsafe { trueline_pow_i64(b, e) };
        assert_eq!((pow(2, 10), pow(-3, 3), pow(0, 0), pow(7, 0)), (1024, -27, 1, 1));
        assert_eq!((pow(2, -1), pow(1, -5), pow(-1, -5), pow(-1, -4), pow(0, -1)), (0, 1, -1, 1, 0));
        assert_eq!(pow(3, 64), 3i64.wrapping_pow(64));
        assert_eq!(pow(-1, i64::MIN), 1);
    }

    #[test]
    fn real_powers_follow_libgcc() {
        unsafe extern "C" {
            fn __powidf2(base: f64, exponent: i32) -> f64;
            fn __powisf2(base: f32, exponent: i32) -> f32;
        }
        for exponent in [0, 1, -1, 2, 3, 7, 10, 31, -31, 100, i32::MAX, i32::MIN] {
            for base in [1.1f64, -0.9, 1.0, 0.0, 3.7, -2.0] {
                // SAFETY: functions of numbers.
                let (ours, theirs) = unsafe { (trueline_powi_f64(base, exponent), __powidf2(base, exponent)) };
                assert_eq!(ours.to_bits(), theirs.to_bits(), "{base} ** {exponent}");
                let base = base as f32;
                // SAFETY: functions of numbers.
                let (ours, theirs) = unsafe { (trueline_powi_f32(base, exponent), __powisf2(base, exponent)) };
                assert_eq!(ours.to_bits(), theirs.to_bits(), "{base} ** {exponent}");
            }
        }
    }

    /// Counts by running the loops.
    #[allow(clippy::too_many_arguments)]
    fn counted(lo: i64, hi: i64, step: i64, a0: i64, a1: i64, b0: i64, b1: i64, inner: i64) -> i64 {
        let outer = trips(lo.into(), hi.into(), step.into()) as i64;
        (0..outer)
            .map(|k| lo + k * step)
            .map(|i| trips((a0 + a1 * i).into(), (b0 + b1 * i).into(), inner.into()) as i64)
            .sum()
    }

    fn told(cells: &[AtomicU64]) -> Vec<u64> {
        cells.iter().map(|c| c.load(Ordering::Relaxed)).collect()
    }

    fn spread_at_once(loops: [i64; 8], times: u64) -> Vec<u64> {
        let mut all = TripCounts::default();
        all.spread(loops, times);
        all.buckets.iter().rev().copied().chain([all.least, all.most]).collect()
    }

    #[test]
    fn small_nests_have_the_same_sums_and_histograms() {
        let mut seed = 7u64;
        let mut next = |most: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as i64 % (most + 1)
        };
        let mut easy = 0;
        for round in 0..20_000 {
            let sign = 1 - 2 * next(1);
            let (step, inner) = (1 - 2 * next(1) + 2 * next(1), sign * (1 + next(1) * next(30)));
            let scale = if round % 4 == 0 { 1 << 18 } else { 1 };
            let (low, high, from, to) = (next(60) - 30, next(99) - 30, next(40) - 20, next(40) - 20);
            let loops = [low, high, step, from * scale, next(6) - 3, to * scale, next(6) - 3, inner];
            let Some(nest) = Triangle::of(loops) else {
                assert_eq!(step, 0, "{loops:?}");
                continue;
            };
            let [lo, hi, step, a0, a1, b0, b1, inner] = loops;
            let sum = counted(lo, hi, step, a0, a1, b0, b1, inner);
            easy += i64::from(nest.sum().is_some());
            assert_eq!(nest.sum().unwrap_or(sum), sum, "{loops:?}");
            let cells: Vec<AtomicU64> = (0..BUCKETS + 2).map(|_| AtomicU64::new(0)).collect();
            nest.spread(&cells, 3);
            assert_eq!(told(&cells), spread_at_once(loops, 3), "{loops:?}");
        }
        assert!(easy > 10_000, "{easy}");
        // The largest that are taken: nothing overflows.
        let (most, least) = ((1 << 30) - 1, -(1 << 30));
        for loops in [[least, most, 1, 0, least, 0, most, 1], [most, least, -1, most, most, least, least, -1]] {
            let nest = Triangle::of(loops).unwrap();
            let cells: Vec<AtomicU64> = (0..BUCKETS + 2).map(|_| AtomicU64::new(0)).collect();
            nest.spread(&cells, 1);
            assert_eq!(told(&cells), spread_at_once(loops, 1), "{loops:?}");
        }
        assert!(Triangle::of([1, 1 << 30, 1, 1, 0, 0, 1, 1]).is_none());
    }

    #[test]
    fn sum_of_trips_is_what_the_loops_count() {
        let mut state = 1u64;
        let mut next = |range: i64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) as i64) % (2 * range + 1) - range
        };
        for _ in 0..20_000 {
            let (lo, hi, step) = (next(20), next(40), next(4));
            let (a0, a1, b0, b1, inner) = (next(30), next(4), next(50), next(4), next(5));
            // SAFETY: any arguments are allowed.
            let sum = unsafe { trueline_sum_trips(lo, hi, step, a0, a1, b0, b1, inner) };
            let arguments = (lo, hi, step, a0, a1, b0, b1, inner);
            assert_eq!(sum, counted(lo, hi, step, a0, a1, b0, b1, inner), "{arguments:?}");
        }
        // SAFETY: any arguments are allowed.
        let big = unsafe { trueline_sum_trips(1, 3_000_000_000, 1, 1, 0, 0, 1, 1) };
        assert_eq!(big, 4_500_000_001_500_000_000);
    }
}
