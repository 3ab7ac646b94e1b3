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
use std::ffi::c_int;

unsafe extern "C" {
    safe fn exp(x: f64) -> f64;
    safe fn log(x: f64) -> f64;
    safe fn sin(x: f64) -> f64;
    safe fn cos(x: f64) -> f64;
    safe fn pow(x: f64, y: f64) -> f64;
}

/// The elements that are computed side by side, where there are as many; and else.
const MANY: usize = 32;
const FEW: usize = 8;
/// Fewer elements than these are the C library's.
const LEAST: usize = 4;

/// The values of a function of blocks: of the first `N` elements.
type Values<const N: usize> = [f64; N];

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
    fn kernel(x: f64, y: f64) -> f64;
    /// By the C library.
    fn library(x: f64, y: f64) -> f64;
}

macro_rules! functions {
    ($($name:ident |$x:ident, $y:ident| $kernel:ident $library:ident ($($of:ident),+);)*) => { $(
        struct $name;
        impl Function for $name {
            #[inline(always)]
            #[allow(unused_variables)]
            fn kernel($x: f64, $y: f64) -> f64 {
                kernels::$kernel($($of),+)
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

#[inline(always)]
fn side_by_side<F: Function, const N: usize>(x: &Values<N>, y: &Values<N>) -> Values<N> {
    let mut to = [0.0; N];
    for k in 0..N {
        to[k] = F::kernel(x[k], y[k]);
    }
    to
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn by_avx2<F: Function, const N: usize>(x: &Values<N>, y: &Values<N>) -> Values<N> {
    side_by_side::<F, N>(x, y)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl,avx512bw")]
fn by_avx512<F: Function, const N: usize>(x: &Values<N>, y: &Values<N>) -> Values<N> {
    side_by_side::<F, N>(x, y)
}

/// `N` values, undecided ones by the C library.
fn values<F: Function, const N: usize>(way: Way, x: &Values<N>, y: &Values<N>) -> Values<N> {
    let mut to = match way {
        Way::Scalar => [kernels::UNDECIDED; N],
        // SAFETY: the way is one of this processor's.
        #[cfg(target_arch = "x86_64")]
        Way::Avx2 => unsafe { by_avx2::<F, N>(x, y) },
        // SAFETY: likewise.
        #[cfg(target_arch = "x86_64")]
        Way::Avx512 => unsafe { by_avx512::<F, N>(x, y) },
        #[cfg(target_arch = "aarch64")]
        Way::Fused => side_by_side::<F, N>(x, y),
    };
    for k in 0..N {
        if to[k].is_nan() {
            to[k] = F::library(x[k], y[k]);
        }
    }
    to
}

/// A block of arguments: `count` numbers, or one number for all elements.
#[derive(Clone, Copy)]
struct Arguments {
    first: *const f64,
    is_one: bool,
}

impl Arguments {
    /// The `count` arguments from number `from` on; behind them ones.
    ///
    /// # Safety
    /// The block has as many.
    unsafe fn take<const N: usize>(self, from: usize, count: usize) -> Values<N> {
        let mut all = [1.0; N];
        for (k, to) in all.iter_mut().enumerate().take(count) {
            let at = if self.is_one { 0 } else { from + k };
            // SAFETY: as the caller promises; elements of SEQUENCE structures may be off their alignment.
            *to = unsafe { self.first.add(at).read_unaligned() };
        }
        all
    }
}

/// Sets `count` elements at `to` to the values of the function.
///
/// # Safety
/// The blocks have as many elements; the values are none of the arguments, or all of the first ones in place.
unsafe fn block<F: Function>(way: Way, to: *mut f64, x: Arguments, y: Arguments, count: usize) {
    let mut done = 0;
    while done < count {
        let left = count - done;
        // SAFETY: as the caller promises.
        done += unsafe {
            match left {
                MANY.. => part::<F, MANY>(way, to, x, y, done, MANY),
                LEAST.. => part::<F, FEW>(way, to, x, y, done, left.min(FEW)),
                _ => part::<F, 1>(Way::Scalar, to, x, y, done, 1),
            }
        };
    }
}

/// The `count` elements from number `from` on; gives their number.
///
/// # Safety
/// As [`block`].
unsafe fn part<F: Function, const N: usize>(
    way: Way,
    to: *mut f64,
    x: Arguments,
    y: Arguments,
    from: usize,
    count: usize,
) -> usize {
    // SAFETY: as the caller promises.
    let (x, y) = unsafe { (x.take::<N>(from, count), y.take::<N>(from, count)) };
    let all = values::<F, N>(way, &x, &y);
    for (k, value) in all.into_iter().enumerate().take(count) {
        // SAFETY: likewise.
        unsafe { to.add(from + k).write_unaligned(value) };
    }
    count
}

/// A function of one number.
///
/// # Safety
/// As [`block`].
unsafe fn of_one<F: Function>(to: *mut f64, x: *const f64, count: i64) {
    let x = Arguments { first: x, is_one: false };
    // SAFETY: as the caller promises; the function takes no second argument.
    unsafe { block::<F>(way(), to, x, x, usize::try_from(count).unwrap_or(0)) };
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
