//! Elementary functions of blocks of numbers, equal to the C library's to the bit.
//!
//! Each element is computed in vectors so exactly that it is known, for most of them, how any library rounds that errs by less than a
//! little over half a unit of the last place; where it is not, and for special arguments, the function of the C library is called. So the
//! results are those of the scalar functions, with the same exceptions, on every processor and with every such library. The one that is
//! known to be is the GNU C library; with others, in rounding modes other than to the nearest, and where numbers are not multiplied and
//! added at once, all elements are the C library's.

mod kernels;
mod tables;
#[cfg(test)]
mod tests;

use crate::ieee::fegetround;
#[cfg(target_arch = "aarch64")]
use kernels::OneByOne;
use kernels::{Block, Vectors};
use std::ffi::c_int;
use std::ops::Range;

unsafe extern "C" {
    safe fn exp(x: f64) -> f64;
    safe fn log(x: f64) -> f64;
    safe fn sin(x: f64) -> f64;
    safe fn cos(x: f64) -> f64;
    safe fn pow(x: f64, y: f64) -> f64;
}

/// The elements that are computed side by side.
const SIDE_BY_SIDE: usize = 32;
/// Fewer elements than these are the C library's.
const LEAST: usize = 12;

/// A way in which the processor computes `N` elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// One after the other, by the C library.
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// Fused operations are among those of every processor of the architecture.
    #[cfg(target_arch = "aarch64")]
    Fused,
}

/// The ways of this processor, the fastest first.
fn ways() -> impl Iterator<Item = Way> {
    #[cfg(target_arch = "x86_64")]
    let all = {
        use std::arch::is_x86_feature_detected as has;
        let is_new = has!("avx2") && has!("fma");
        let is_newer = is_new && has!("avx512f") && has!("avx512dq") && has!("avx512vl") && has!("avx512bw");
        [is_newer.then_some(Way::Avx512), is_new.then_some(Way::Avx2), Some(Way::Scalar)]
    };
    #[cfg(target_arch = "aarch64")]
    let all = [Some(Way::Fused), Some(Way::Scalar)];
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let all = [Some(Way::Scalar)];
    all.into_iter().flatten()
}

/// The way for the current rounding mode.
fn way() -> Way {
    /// The number of rounding to the nearest, the same on all processors.
    const NEAREST: c_int = 0;
    // SAFETY: it only reads the mode.
    let is_usual = cfg!(target_env = "gnu") && unsafe { fegetround() } == NEAREST;
    ways().find(|_| is_usual).unwrap_or(Way::Scalar)
}

/// A function of one number or two.
trait Function {
    /// To some 64 digits, or [`kernels::UNDECIDED`].
    fn kernel<V: Vectors, const N: usize>(x: &Block<N>, y: &Block<N>) -> Block<N>;
    /// By the C library.
    fn library(x: f64, y: f64) -> f64;
}

macro_rules! functions {
    ($($name:ident |$x:ident, $y:ident| $kernel:ident $library:ident ($($of:ident),+);)*) => { $(
        struct $name;
        impl Function for $name {
            #[inline(always)]
            #[allow(unused_variables)]
            fn kernel<V: Vectors, const N: usize>($x: &Block<N>, $y: &Block<N>) -> Block<N> {
                kernels::$kernel::<V, N>($($of),+)
            }
            #[allow(unused_variables)]
            fn library($x: f64, $y: f64) -> f64 {
                $library($($of),+)
            }
        }
    )* };
}

functions! {
    Exp |x, y| exp exp (x);
    Log |x, y| log log (x);
    Sine |x, y| sine sin (x);
    Cosine |x, y| cosine cos (x);
    Power |x, y| power pow (x, y);
}

/// The ways of AVX2, in which comparisons of four numbers make four bits.
#[cfg(target_arch = "x86_64")]
struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Vectors for Avx2 {
    #[inline(always)]
    fn undecided<const N: usize>(values: &Block<N>) -> u64 {
        // SAFETY: only `by_avx2` has these ways.
        unsafe { undecided_by_fours(values) }
    }
}

/// The ways of AVX-512, whose registers hold a table of sixteen numbers.
#[cfg(target_arch = "x86_64")]
struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Vectors for Avx512 {
    #[inline(always)]
    fn look<const N: usize>(table: &[u64; 16], index: &[u64; N]) -> Block<N> {
        // SAFETY: only `by_avx512` has these ways.
        unsafe { permuted(table, index) }
    }

    #[inline(always)]
    fn undecided<const N: usize>(values: &Block<N>) -> u64 {
        // SAFETY: likewise.
        unsafe { undecided_by_eights(values) }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
fn permuted<const N: usize>(table: &[u64; 16], index: &[u64; N]) -> Block<N> {
    use std::arch::x86_64::{_mm512_loadu_epi64, _mm512_loadu_pd, _mm512_permutex2var_pd, _mm512_storeu_pd};
    const { assert!(N.is_multiple_of(8)) };
    let mut to = [0.0; N];
    let table = table.as_ptr().cast::<f64>();
    // SAFETY: a table is two vectors long, and the number of indices and values a multiple of a vector's.
    unsafe {
        let (low, high) = (_mm512_loadu_pd(table), _mm512_loadu_pd(table.add(8)));
        for n in (0..N).step_by(8) {
            let index = _mm512_loadu_epi64(index.as_ptr().add(n).cast());
            _mm512_storeu_pd(to.as_mut_ptr().add(n), _mm512_permutex2var_pd(low, index, high));
        }
    }
    to
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
fn undecided_by_eights<const N: usize>(values: &Block<N>) -> u64 {
    use std::arch::x86_64::{_CMP_UNORD_Q, _mm512_cmp_pd_mask, _mm512_loadu_pd};
    const { assert!(N.is_multiple_of(8)) };
    let mut all = 0;
    for n in (0..N).step_by(8) {
        // SAFETY: the number of values is a multiple of a vector's.
        let some = unsafe { _mm512_loadu_pd(values.as_ptr().add(n)) };
        all |= u64::from(_mm512_cmp_pd_mask::<_CMP_UNORD_Q>(some, some)) << n;
    }
    all
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx")]
fn undecided_by_fours<const N: usize>(values: &Block<N>) -> u64 {
    use std::arch::x86_64::{_CMP_UNORD_Q, _mm256_cmp_pd, _mm256_loadu_pd, _mm256_movemask_pd};
    const { assert!(N.is_multiple_of(4)) };
    let mut all = 0;
    for n in (0..N).step_by(4) {
        // SAFETY: the number of values is a multiple of a vector's.
        let some = unsafe { _mm256_loadu_pd(values.as_ptr().add(n)) };
        all |= (_mm256_movemask_pd(_mm256_cmp_pd::<_CMP_UNORD_Q>(some, some)) as u64) << n;
    }
    all
}

/// A block of arguments: `count` numbers, or one number for all elements.
#[derive(Clone, Copy)]
struct Arguments {
    first: *const f64,
    is_one: bool,
}

impl Arguments {
    /// # Safety
    /// The block has an element with this number. It need not be aligned: it may be in a SEQUENCE structure.
    #[inline(always)]
    unsafe fn at(self, number: usize) -> f64 {
        // SAFETY: as the caller promises.
        unsafe { self.first.add(if self.is_one { 0 } else { number }).read_unaligned() }
    }

    /// The `count` arguments from number `from` on; behind them ones.
    ///
    /// # Safety
    /// The block has as many.
    #[inline(always)]
    unsafe fn take<const N: usize>(self, from: usize, count: usize) -> Block<N> {
        let mut all = [1.0; N];
        // SAFETY: as the caller promises.
        unsafe {
            if self.is_one {
                all = [self.at(0); N];
            } else if count == N {
                all = self.first.add(from).cast::<Block<N>>().read_unaligned();
            } else {
                for (k, to) in all.iter_mut().enumerate().take(count) {
                    *to = self.at(from + k);
                }
            }
        }
        all
    }
}

/// Sets `count` elements at `to` to the values of the function.
///
/// # Safety
/// The blocks have as many elements; `to` is the block of arguments or apart from it. The way is one of this processor's.
unsafe fn block<F: Function>(way: Way, to: *mut f64, x: Arguments, y: Arguments, count: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        match way {
            Way::Scalar => by_library::<F>(to, x, y, 0..count),
            #[cfg(target_arch = "x86_64")]
            Way::Avx2 => by_avx2::<F>(to, x, y, count),
            #[cfg(target_arch = "x86_64")]
            Way::Avx512 => by_avx512::<F>(to, x, y, count),
            #[cfg(target_arch = "aarch64")]
            Way::Fused => by_parts::<F, OneByOne>(to, x, y, count),
        }
    }
}

/// The elements of these numbers, one after the other.
///
/// # Safety
/// As [`block`].
unsafe fn by_library<F: Function>(to: *mut f64, x: Arguments, y: Arguments, numbers: Range<usize>) {
    for k in numbers {
        // SAFETY: as the caller promises.
        unsafe { to.add(k).write_unaligned(F::library(x.at(k), y.at(k))) };
    }
}

/// # Safety
/// As [`block`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn by_avx2<F: Function>(to: *mut f64, x: Arguments, y: Arguments, count: usize) {
    // SAFETY: as the caller promises.
    unsafe { by_parts::<F, Avx2>(to, x, y, count) };
}

/// # Safety
/// As [`block`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl,avx512bw")]
unsafe fn by_avx512<F: Function>(to: *mut f64, x: Arguments, y: Arguments, count: usize) {
    // SAFETY: as the caller promises.
    unsafe { by_parts::<F, Avx512>(to, x, y, count) };
}

/// [`SIDE_BY_SIDE`] elements at a time, undecided ones by the C library.
///
/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn by_parts<F: Function, V: Vectors>(to: *mut f64, x: Arguments, y: Arguments, count: usize) {
    let mut from = 0;
    while from < count {
        let some = (count - from).min(SIDE_BY_SIDE);
        // SAFETY: as the caller promises.
        unsafe {
            if some < LEAST {
                return by_library::<F>(to, x, y, from..count);
            }
            let (x, y) = (x.take(from, some), y.take(from, some));
            let mut values = F::kernel::<V, SIDE_BY_SIDE>(&x, &y);
            let mut undecided = V::undecided(&values) & (u64::MAX >> (64 - some));
            while undecided != 0 {
                let k = undecided.trailing_zeros() as usize;
                values[k] = F::library(x[k], y[k]);
                undecided &= undecided - 1;
            }
            let to = to.add(from);
            if some == SIDE_BY_SIDE {
                to.cast::<Block<SIDE_BY_SIDE>>().write_unaligned(values);
            } else {
                values.into_iter().enumerate().take(some).for_each(|(k, value)| to.add(k).write_unaligned(value));
            }
        }
        from += some;
    }
}

/// A function of one number.
///
/// # Safety
/// As [`block`].
unsafe fn of_one<F: Function>(to: *mut f64, x: *const f64, count: i64) {
    let (x, none) = (Arguments { first: x, is_one: false }, Arguments { first: &1.0, is_one: true });
    // SAFETY: as the caller promises.
    unsafe { block::<F>(way(), to, x, none, usize::try_from(count).unwrap_or(0)) };
}

macro_rules! entries {
    ($($(#[$doc:meta])* $symbol:ident $function:ident;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// Both addresses are of `count` numbers, which are the same or apart.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(to: *mut u8, x: *const u8, count: i64) {
            // SAFETY: as the caller promises.
            unsafe { of_one::<$function>(to.cast(), x.cast(), count) };
        }
    )* };
}

entries! {
    /// EXP of `count` numbers.
    trueline_exp_r8 Exp;
    /// LOG of `count` numbers.
    trueline_log_r8 Log;
    /// SIN of `count` numbers.
    trueline_sin_r8 Sine;
    /// COS of `count` numbers.
    trueline_cos_r8 Cosine;
}

/// `x**y` of `count` numbers; the exponent is the same for all if `is_one` is not 0.
///
/// # Safety
/// The addresses are of `count` numbers, or of one exponent; `to` is `x`, `y`, or apart from both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pow_r8(to: *mut u8, x: *const u8, y: *const u8, is_one: i32, count: i64) {
    let x = Arguments { first: x.cast(), is_one: false };
    let y = Arguments { first: y.cast(), is_one: is_one != 0 };
    // SAFETY: as the caller promises.
    unsafe { block::<Power>(way(), to.cast(), x, y, usize::try_from(count).unwrap_or(0)) };
}
