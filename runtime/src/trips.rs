//! Closed forms of the trips of triangular nests: their sum, and their histogram.
//!
//! The code that calls them only counts. It keeps its values in registers over the call, as the plain program does where there is
//! no call: the two functions change no register, and a result is stored in memory.

use std::sync::atomic::{AtomicU64, Ordering};
use trueline_abi::trips::{BUCKETS, TripCounts};

/// Defines a function that calls `$body` and preserves all registers. Its arguments are addresses, which are passed in registers everywhere. Vectors are kept in 128 bits: the library uses no wider ones.
macro_rules! preserving {
    ($(#[$doc:meta])* $name:ident($($param:ident: $ty:ty),*) => $body:ident) => {
        $(#[$doc])*
        #[cfg(target_arch = "x86_64")]
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($param: $ty),*) {
            core::arch::naked_asm!(
                ".cfi_startproc",
                "push rbp",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset rbp, -16",
                "mov rbp, rsp",
                ".cfi_def_cfa_register rbp",
                "sub rsp, 336",
                "mov [rsp], rax",
                "mov [rsp + 8], rcx",
                "mov [rsp + 16], rdx",
                "mov [rsp + 24], rsi",
                "mov [rsp + 32], rdi",
                "mov [rsp + 40], r8",
                "mov [rsp + 48], r9",
                "mov [rsp + 56], r10",
                "mov [rsp + 64], r11",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "movaps [rsp + 80 + 16 * \\n], xmm\\n",
                ".endr",
                "call {body}",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15",
                "movaps xmm\\n, [rsp + 80 + 16 * \\n]",
                ".endr",
                "mov rax, [rsp]",
                "mov rcx, [rsp + 8]",
                "mov rdx, [rsp + 16]",
                "mov rsi, [rsp + 24]",
                "mov rdi, [rsp + 32]",
                "mov r8, [rsp + 40]",
                "mov r9, [rsp + 48]",
                "mov r10, [rsp + 56]",
                "mov r11, [rsp + 64]",
                "leave",
                ".cfi_def_cfa rsp, 8",
                "ret",
                ".cfi_endproc",
                body = sym $body
            )
        }

        $(#[$doc])*
        #[cfg(target_arch = "aarch64")]
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($param: $ty),*) {
            core::arch::naked_asm!(
                ".cfi_startproc",
                "stp x29, x30, [sp, #-16]!",
                ".cfi_def_cfa_offset 16",
                ".cfi_offset x29, -16",
                ".cfi_offset x30, -8",
                "mov x29, sp",
                ".cfi_def_cfa_register x29",
                "sub sp, sp, #672",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18",
                "str x\\n, [sp, #8 * \\n]",
                ".endr",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                "str q\\n, [sp, #160 + 16 * \\n]",
                ".endr",
                "bl {body}",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                "ldr q\\n, [sp, #160 + 16 * \\n]",
                ".endr",
                ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18",
                "ldr x\\n, [sp, #8 * \\n]",
                ".endr",
                "mov sp, x29",
                "ldp x29, x30, [sp], #16",
                ".cfi_def_cfa sp, 0",
                "ret",
                ".cfi_endproc",
                body = sym $body
            )
        }
    };
}

preserving! {
    /// Replaces the first of 8 numbers by the sum over `i = lo, hi, step` of the trip counts of `j = a0 + a1*i, b0 + b1*i, inner`; the
    /// numbers are those eight, in this order. Changes no register.
    ///
    /// # Safety
    /// `nest` is the address of 8 numbers of 8 bytes.
    trueline_sum_trips(nest: *mut u8) => sum_at
}

preserving! {
    /// Adds entries of each of these loops to a histogram of trips: 65 buckets, the highest first, the complement of the minimum,
    /// and the maximum. `nest` is the address of the 8 numbers as above, and of the number of entries; if that is not positive,
    /// nothing is added. Changes no register.
    ///
    /// # Safety
    /// `cells` is the address of 67 counters of 8 bytes that nothing but the program's own threads changes, and `nest` that of 9 numbers of
    /// 8 bytes.
    trueline_spread_trips(cells: *mut u8, nest: *mut u8) => spread_at
}

unsafe extern "C" fn sum_at(nest: *mut u8) {
    let nest = nest.cast::<[i64; 8]>();
    // SAFETY: the compiler passes the address of 8 numbers in the caller's frame.
    unsafe { (*nest)[0] = sum(nest.read()) };
}

unsafe extern "C" fn spread_at(cells: *mut u8, nest: *mut u8) {
    // SAFETY: the compiler passes the address of 9 numbers in the caller's frame.
    let [loops @ .., times] = unsafe { nest.cast::<[i64; 9]>().read() };
    // SAFETY: the compiler passes the first of the 67 counters of the loop in the block of this thread, which lives as long as the
    // program, and `add` changes them in one step where threads share them.
    let cells = unsafe { std::slice::from_raw_parts(cells.cast::<AtomicU64>(), BUCKETS + 2) };
    spread(cells, loops, u64::try_from(times).unwrap_or(0));
}

/// The sum over `i = lo, hi, step` of the trip counts of `j = a0 + a1*i, b0 + b1*i, inner`.
///
/// In O(log) steps: the trip count is the floor of a linear function of the outer iteration, cut at
/// zero, so that it is positive on one interval of iterations, over which the floors have a closed sum.
fn sum(loops: [i64; 8]) -> i64 {
    if let Some(sum) = Triangle::of(loops).and_then(Triangle::sum) {
        return sum;
    }
    let [lo, hi, step, a0, a1, b0, b1, inner] = loops;
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

/// Adds `times` entries of each of these loops.
fn spread(cells: &[AtomicU64], loops: [i64; 8], times: u64) {
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
        for round in 0..if cfg!(miri) { 60 } else { 20_000 } {
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
        assert!(easy > if cfg!(miri) { 20 } else { 10_000 }, "{easy}");
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
    #[cfg_attr(miri, ignore = "the entry is written in assembly")]
    fn sum_of_trips_is_what_the_loops_count() {
        let mut state = 1u64;
        let mut next = |range: i64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) as i64) % (2 * range + 1) - range
        };
        for _ in 0..20_000 {
            let (lo, hi, step) = (next(20), next(40), next(4));
            let (a0, a1, b0, b1, inner) = (next(30), next(4), next(50), next(4), next(5));
            let mut nest = [lo, hi, step, a0, a1, b0, b1, inner];
            // SAFETY: `nest` has 8 numbers.
            unsafe { trueline_sum_trips(nest.as_mut_ptr().cast()) };
            let sum = nest[0];
            let arguments = (lo, hi, step, a0, a1, b0, b1, inner);
            assert_eq!(sum, counted(lo, hi, step, a0, a1, b0, b1, inner), "{arguments:?}");
        }
        assert_eq!(sum([1, 3_000_000_000, 1, 1, 0, 0, 1, 1]), 4_500_000_001_500_000_000);
    }
}
