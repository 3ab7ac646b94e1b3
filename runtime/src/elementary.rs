//! Elementary functions of blocks of numbers, equal to the C library's to the bit.
//!
//! Each element is computed in vectors so exactly that it is known, for most of them, how any library rounds that errs by less than a
//! little over half a unit of the last place; where it is not, and for special arguments, the function of the C library is called. So the
//! results are those of the scalar functions, with the same exceptions, on every processor and with every such library. The one that is
//! known to be is the GNU C library; with others, in rounding modes other than to the nearest, and where numbers are not multiplied and
//! added at once, all elements are the C library's.
//!
//! Where the user allows it (`-fapprox-func`), results may be off by a unit of the last place, of SIN and COS by two, which takes half the time ([`near`]). Then the
//! rounding mode changes them by no more.

mod kernels;
mod near;
mod tables;
#[cfg(test)]
mod tests;
mod vectors;

use crate::ieee::fegetround;
use kernels::Values;
use std::ffi::c_int;
use std::ops::Range;
use vectors::{Twice, Vectors};

unsafe extern "C" {
    safe fn exp(x: f64) -> f64;
    safe fn log(x: f64) -> f64;
    safe fn sin(x: f64) -> f64;
    safe fn cos(x: f64) -> f64;
    safe fn pow(x: f64, y: f64) -> f64;
}

/// The number of elements after which undecided ones are looked for.
const GROUP: usize = 64;

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

/// The way of a function in the current rounding mode.
fn way<F: Function>() -> Way {
    /// The number of rounding to the nearest, the same on all processors.
    const NEAREST: c_int = 0;
    // SAFETY: it only reads the mode.
    let is_usual = F::APPROXIMATE || cfg!(target_env = "gnu") && unsafe { fegetround() } == NEAREST;
    ways().find(|_| is_usual).unwrap_or(Way::Scalar)
}

/// A function of one number or two.
trait Function {
    /// Whether elements may be off by a unit of the last place or two. Then undecided ones are rare.
    const APPROXIMATE: bool;
    /// To some 64 digits, where these decide the value.
    fn kernel<V: Vectors>(x: V::Reals, y: V::Reals) -> Values<V>;
    /// By the C library.
    fn library(x: f64, y: f64) -> f64;
}

macro_rules! functions {
    ($($name:ident |$x:ident, $y:ident| $module:ident $kernel:ident $library:ident ($($of:ident),+);)*) => { $(
        struct $name;
        impl Function for $name {
            const APPROXIMATE: bool = functions!(@$module);
            #[inline(always)]
            #[allow(unused_variables)]
            fn kernel<V: Vectors>($x: V::Reals, $y: V::Reals) -> Values<V> {
                $module::$kernel::<V>($($of),+)
            }
            #[allow(unused_variables)]
            fn library($x: f64, $y: f64) -> f64 {
                $library($($of),+)
            }
        }
    )* };
    (@kernels) => { false };
    (@near) => { true };
}

functions! {
    Exp |x, y| kernels exp exp (x);
    Log |x, y| kernels log log (x);
    Sine |x, y| kernels sine sin (x);
    Cosine |x, y| kernels cosine cos (x);
    Power |x, y| kernels power pow (x, y);
    NearExp |x, y| near exp exp (x);
    NearLog |x, y| near log log (x);
    NearSine |x, y| near sine sin (x);
    NearCosine |x, y| near cosine cos (x);
    NearPower |x, y| near power pow (x, y);
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

    /// The arguments from number `from` on, `count` at most; behind them ones.
    ///
    /// # Safety
    /// The block has `count`, at least one.
    #[inline(always)]
    unsafe fn take<V: Vectors>(self, from: usize, count: usize) -> V::Reals {
        // SAFETY: as the caller promises.
        unsafe {
            if self.is_one {
                return V::all(self.at(0));
            }
            if count >= V::LANES {
                return V::load(self.first.add(from));
            }
            V::load_some(self.first.add(from), count)
        }
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
            Way::Fused => by_groups::<F, vectors::Neon>(to, x, y, count),
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
    unsafe { by_groups::<F, vectors::Avx2>(to, x, y, count) };
}

/// # Safety
/// As [`block`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl,avx512bw")]
unsafe fn by_avx512<F: Function>(to: *mut f64, x: Arguments, y: Arguments, count: usize) {
    // SAFETY: as the caller promises.
    unsafe { by_groups::<F, vectors::Avx512>(to, x, y, count) };
}

/// The values of one vector of arguments from number `from` on, of `left` at most, and a bit for each that is not decided.
///
/// # Safety
/// As [`Arguments::take`].
#[inline(always)]
unsafe fn of_vector<F: Function, V: Vectors>(
    to: &mut [f64],
    x: Arguments,
    y: Arguments,
    from: usize,
    left: usize,
) -> u64 {
    assert!(to.len() >= V::LANES);
    // SAFETY: as the caller promises; there is room.
    unsafe {
        let (values, decided) = F::kernel::<V>(x.take::<V>(from, left), y.take::<V>(from, left));
        V::store(to.as_mut_ptr(), values);
        u64::from(!decided & ((1 << V::LANES) - 1))
    }
}

/// [`GROUP`] elements at a time, undecided ones by the C library. So are the last ones if they are less than half a vector.
///
/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn by_groups<F: Function, V: Vectors>(to: *mut f64, x: Arguments, y: Arguments, count: usize) {
    if F::APPROXIMATE {
        // SAFETY: as the caller promises.
        return unsafe { by_vectors::<F, V>(to, x, y, count) };
    }
    const { assert!(GROUP.is_multiple_of(2 * V::LANES) && V::LANES <= 8) };
    let mut values = [0.0; GROUP];
    let mut from = 0;
    while from < count {
        let some = (count - from).min(GROUP);
        let (mut done, mut undecided) = (0, 0u64);
        // SAFETY: as the caller promises; no more than a group is computed.
        unsafe {
            while done + 2 * V::LANES <= some {
                undecided |= of_vector::<F, Twice<V>>(&mut values[done..], x, y, from + done, some - done) << done;
                done += 2 * V::LANES;
            }
            while done + V::LANES / 2 < some {
                undecided |= of_vector::<F, V>(&mut values[done..], x, y, from + done, some - done) << done;
                done += V::LANES;
            }
            // Elements behind the last vector.
            undecided |= u64::MAX.checked_shl(done as u32).unwrap_or(0);
            undecided &= u64::MAX >> (GROUP - some);
            while undecided != 0 {
                let k = undecided.trailing_zeros() as usize;
                values[k] = F::library(x.at(from + k), y.at(from + k));
                undecided &= undecided - 1;
            }
            if some == GROUP {
                to.add(from).cast::<[f64; GROUP]>().write_unaligned(values);
            } else {
                std::ptr::copy_nonoverlapping(
                    values.as_ptr().cast::<u8>(),
                    to.add(from).cast(),
                    some * size_of::<f64>(),
                );
            }
        }
        from += some;
    }
}

/// Elements of a function that decides nearly all, two vectors at a time.
///
/// # Safety
/// As [`block`].
#[inline(always)]
unsafe fn by_vectors<F: Function, V: Vectors>(to: *mut f64, x: Arguments, y: Arguments, count: usize) {
    let mut from = 0;
    // SAFETY: as the caller promises; no more elements are stored than are left.
    unsafe {
        while from + 2 * V::LANES <= count {
            let (values, decided) =
                F::kernel::<Twice<V>>(x.take::<Twice<V>>(from, count), y.take::<Twice<V>>(from, count));
            if decided == (1 << (2 * V::LANES)) - 1 {
                Twice::<V>::store(to.add(from), values);
            } else {
                let mut some = [0.0; 16];
                Twice::<V>::store(some.as_mut_ptr(), values);
                finish::<F>(to, x, y, from..from + 2 * V::LANES, &mut some, decided);
            }
            from += 2 * V::LANES;
        }
        while from < count {
            let some = (count - from).min(V::LANES);
            let (values, decided) = F::kernel::<V>(x.take::<V>(from, some), y.take::<V>(from, some));
            if decided == (1 << V::LANES) - 1 {
                V::store_some(to.add(from), values, some);
            } else {
                let mut all = [0.0; 16];
                V::store(all.as_mut_ptr(), values);
                finish::<F>(to, x, y, from..from + some, &mut all, decided);
            }
            from += some;
        }
    }
}

/// Stores the elements of these numbers: `values` where a bit says that they are decided, and the C library's elsewhere.
///
/// # Safety
/// As [`block`].
#[cold]
unsafe fn finish<F: Function>(
    to: *mut f64,
    x: Arguments,
    y: Arguments,
    numbers: Range<usize>,
    values: &mut [f64; 16],
    decided: u32,
) {
    for (k, number) in numbers.enumerate() {
        // SAFETY: as the caller promises.
        unsafe {
            if decided >> k & 1 == 0 {
                values[k] = F::library(x.at(number), y.at(number));
            }
            to.add(number).write_unaligned(values[k]);
        }
    }
}

/// A function of one number.
///
/// # Safety
/// As [`block`].
unsafe fn of_one<F: Function>(to: *mut f64, x: *const f64, count: i64) {
    let (x, none) = (Arguments { first: x, is_one: false }, Arguments { first: &1.0, is_one: true });
    // SAFETY: as the caller promises.
    unsafe { block::<F>(way::<F>(), to, x, none, usize::try_from(count).unwrap_or(0)) };
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
    /// EXP of `count` numbers, off by a unit of the last place at most.
    trueline_approx_exp_r8 NearExp;
    /// LOG of `count` numbers, off by a unit of the last place at most.
    trueline_approx_log_r8 NearLog;
    /// SIN of `count` numbers, off by two units of the last place at most.
    trueline_approx_sin_r8 NearSine;
    /// COS of `count` numbers, off by two units of the last place at most.
    trueline_approx_cos_r8 NearCosine;
}

/// A power.
///
/// # Safety
/// As [`block`]; there is one exponent if `is_one` is not 0.
unsafe fn of_two<F: Function>(to: *mut u8, x: *const u8, y: *const u8, is_one: i32, count: i64) {
    let x = Arguments { first: x.cast(), is_one: false };
    let y = Arguments { first: y.cast(), is_one: is_one != 0 };
    // SAFETY: as the caller promises.
    unsafe { block::<F>(way::<F>(), to.cast(), x, y, usize::try_from(count).unwrap_or(0)) };
}

/// `x**y` of `count` numbers; the exponent is the same for all if `is_one` is not 0.
///
/// # Safety
/// The addresses are of `count` numbers, or of one exponent; `to` is `x`, `y`, or apart from both.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_pow_r8(to: *mut u8, x: *const u8, y: *const u8, is_one: i32, count: i64) {
    // SAFETY: as the caller promises.
    unsafe { of_two::<Power>(to, x, y, is_one, count) };
}

/// As [`trueline_pow_r8`], off by a unit of the last place at most.
///
/// # Safety
/// Likewise.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_approx_pow_r8(to: *mut u8, x: *const u8, y: *const u8, is_one: i32, count: i64) {
    // SAFETY: as the caller promises.
    unsafe { of_two::<NearPower>(to, x, y, is_one, count) };
}
