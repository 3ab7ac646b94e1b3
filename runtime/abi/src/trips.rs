//! Trip counts of loops: how many iterations the entries of a loop had, as a histogram by powers of two with minimum and maximum.
//!
//! ```text
//! bucket   0   1   2      3      4       5        …   64
//! trips    0   1   2, 3   4–7    8–15    16–31        2^63 and more
//! ```
//!
//! In the counters of a thread the minimum stands as its complement: memory that is zero tells of nothing, and for several
//! threads the maximum holds for both.

/// Entries with fewer trips than this have a cell for each number of trips in the counters of a thread, as far as the loop has such cells: one
/// add counts them, and tells the minimum and the maximum, too. With more trips it matters less that an entry takes longer.
pub const FEW: u64 = 32;

/// The number of buckets: the bit lengths of 64 bits, and of zero.
pub const BUCKETS: usize = 65;

/// The bucket of an entry with `trips` trips: the number of bits of `trips`.
pub fn bucket(trips: u64) -> usize {
    64 - trips.leading_zeros() as usize
}

/// The fewest trips of the entries in a bucket.
pub fn least_of(bucket: usize) -> u64 {
    match bucket {
        0 => 0,
        k => 1u64.checked_shl(k as u32 - 1).unwrap_or(u64::MAX),
    }
}

/// The most trips of the entries in a bucket.
pub fn most_of(bucket: usize) -> u64 {
    match bucket {
        0 => 0,
        k if k >= 64 => u64::MAX,
        k => (1 << k) - 1,
    }
}

/// The trips of the entries of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TripCounts {
    /// Entries by [`bucket`].
    pub buckets: [u64; BUCKETS],
    /// The complement of the fewest trips of an entry; 0 if there is none.
    pub least: u64,
    /// The most trips of an entry.
    pub most: u64,
}

impl Default for TripCounts {
    fn default() -> TripCounts {
        TripCounts { buckets: [0; BUCKETS], least: 0, most: 0 }
    }
}

impl TripCounts {
    /// Counts `times` entries with `trips` iterations each.
    pub fn add(&mut self, trips: u64, times: u64) {
        if times > 0 {
            let n = &mut self.buckets[bucket(trips)];
            *n = n.wrapping_add(times);
            self.bound(trips);
        }
    }

    /// Notes an entry with `trips` trips, in minimum and maximum alone.
    pub fn bound(&mut self, trips: u64) {
        self.least = self.least.max(!trips);
        self.most = self.most.max(trips);
    }

    /// Whether there was no entry.
    pub fn is_empty(&self) -> bool {
        self.buckets.iter().all(|&n| n == 0)
    }

    /// The fewest and the most trips of an entry, if there was one.
    pub fn range(&self) -> Option<(u64, u64)> {
        (!self.is_empty()).then_some((!self.least, self.most))
    }

    /// The buckets that are not empty, each by its fewest trips.
    pub fn histogram(&self) -> Vec<(u64, u64)> {
        let used = self.buckets.iter().enumerate().filter(|(_, n)| **n > 0);
        used.map(|(k, &n)| (least_of(k), n)).collect()
    }

    /// Counts `times` entries of `j = a0 + a1*i, b0 + b1*i, inner` for each `i` of `lo, hi, step`.
    ///
    /// In one step a bucket: the trip count is the floor of a linear function of the outer iteration, cut at zero, so
    /// the iterations with at least a given number of trips are those from one of them on, or up to one.
    pub fn spread(&mut self, [lo, hi, step, a0, a1, b0, b1, inner]: [i64; 8], times: u64) {
        let outer = trips([lo, hi, step].map(i128::from));
        if outer == 0 || times == 0 {
            return;
        }
        let slope = i128::from(b1) - i128::from(a1);
        let at_lo = (i128::from(b0) - i128::from(a0)).saturating_add(slope.saturating_mul(i128::from(lo)));
        let (sign, stride) = (if inner < 0 { -1 } else { 1 }, i128::from(inner).abs().max(1));
        let first = at_lo.saturating_mul(sign).saturating_add(stride);
        let change = (slope * sign).saturating_mul(i128::from(step));
        // Backwards it rises.
        let last = first.saturating_add(change.saturating_mul(outer - 1));
        let (first, change) = if change < 0 { (last, change.saturating_neg()) } else { (first, change) };
        let each = |k: i128| {
            let n = first.saturating_add(change.saturating_mul(k)).div_euclid(stride).max(0);
            if inner == 0 { 0 } else { u64::try_from(n).unwrap_or(u64::MAX) }
        };
        let (fewest, most) = (each(0), each(outer - 1));
        self.bound(fewest);
        self.bound(most);
        let mut before = 0;
        for k in bucket(fewest)..=bucket(most) {
            // The first iteration with more trips than this bucket has.
            let beyond = (i128::from(most_of(k)) + 1).saturating_mul(stride).saturating_sub(first);
            let end = if k == bucket(most) { outer } else { ceiling(beyond, change).clamp(before, outer) };
            let n = u64::try_from(end - before).unwrap_or(u64::MAX);
            self.buckets[k] = self.buckets[k].wrapping_add(n.wrapping_mul(times));
            before = end;
        }
    }
}

/// The quotient, rounded up; the divisor is positive.
fn ceiling(n: i128, divisor: i128) -> i128 {
    -n.saturating_neg().div_euclid(divisor.max(1))
}

/// The trip count of a DO loop.
fn trips([lo, hi, step]: [i128; 3]) -> i128 {
    if step == 0 { 0 } else { ((hi - lo + step) / step).max(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_counting([lo, hi, step, a0, a1, b0, b1, inner]: [i64; 8], times: u64) -> TripCounts {
        let mut out = TripCounts::default();
        for k in 0..trips([lo, hi, step].map(i128::from)) as i64 {
            let i = lo + k * step;
            let n = trips([a0 + a1 * i, b0 + b1 * i, inner].map(i128::from));
            out.add(n as u64, times);
        }
        out
    }

    #[test]
    fn a_bucket_is_the_number_of_bits() {
        let of = |n| bucket(n);
        assert_eq!([of(0), of(1), of(2), of(3), of(4), of(u64::MAX)], [0, 1, 2, 2, 3, 64]);
        for k in 0..BUCKETS {
            assert_eq!((of(least_of(k)), of(most_of(k))), (k, k));
        }
    }

    #[test]
    fn a_triangle_in_closed_form_is_the_triangle_by_counting() {
        let mut seed = 7u64;
        let mut next = |most: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as i64 % (2 * most + 1) - most
        };
        for _ in 0..20_000 {
            let step = if next(1) < 0 { -1 - next(3).abs() } else { 1 + next(3).abs() };
            let inner = if next(1) < 0 { -1 - next(3).abs() } else { 1 + next(3).abs() };
            let args = [next(40), next(60), step, next(50), next(3), next(50), next(3), inner];
            let times = next(3).unsigned_abs();
            let mut closed = TripCounts::default();
            closed.spread(args, times);
            assert_eq!(closed, by_counting(args, times), "{args:?} {times}");
        }
    }

    #[test]
    fn extreme_bounds_do_no_harm() {
        for lo in [i64::MIN, 0, i64::MAX] {
            for hi in [i64::MIN, 0, i64::MAX] {
                for slope in [i64::MIN, -1, 0, 1, i64::MAX] {
                    for step in [i64::MIN, -1, 0, 1, i64::MAX] {
                        TripCounts::default().spread([lo, hi, step, lo, slope, hi, 1, step], 3);
                        TripCounts::default().spread([lo, hi, step, hi, slope, lo, !slope, step], 3);
                    }
                }
            }
        }
    }
}
