//! Operations on several numbers at once, of each kind of processor.

use super::kernels::SIGN;

/// A processor's vectors of [`Vectors::LANES`] numbers, their bits, and masks with a truth value for each.
///
/// Only functions that are compiled for such a processor use an implementation.
pub(super) trait Vectors {
    /// The numbers of a vector, at most 16.
    const LANES: usize;
    /// Numbers.
    type Reals: Copy;
    /// Their bits, or integers.
    type Bits: Copy;
    /// Truth values.
    type Mask: Copy;

    /// The numbers from an address on, which need not be aligned.
    ///
    /// # Safety
    /// There are as many.
    unsafe fn load(from: *const f64) -> Self::Reals;
    /// The first `count` numbers from an address on, and ones behind them.
    ///
    /// # Safety
    /// There are as many.
    unsafe fn load_some(from: *const f64, count: usize) -> Self::Reals;
    /// Stores numbers from an address on.
    ///
    /// # Safety
    /// There is room for them.
    unsafe fn store(to: *mut f64, values: Self::Reals);
    /// Stores the first `count` numbers.
    ///
    /// # Safety
    /// There is room for them.
    unsafe fn store_some(to: *mut f64, values: Self::Reals, count: usize);
    /// A number in all lanes.
    fn all(value: f64) -> Self::Reals;
    /// An integer in all lanes.
    fn all_bits(value: u64) -> Self::Bits;
    /// `a + b`
    fn add(a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// `a - b`
    fn sub(a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// `a * b`
    fn mul(a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// `a / b`
    fn div(a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// `a * b + c`, rounded once.
    fn fma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals;
    /// `c - a * b`, rounded once.
    fn fnma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals;
    /// The bits of numbers.
    fn bits(a: Self::Reals) -> Self::Bits;
    /// The numbers of bits.
    fn reals(a: Self::Bits) -> Self::Reals;
    /// `a & b`
    fn and(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// `a ^ b`
    fn xor(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// `a + b`
    fn add_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// `a - b`
    fn sub_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits;
    /// `a << N`
    fn left<const N: u32>(a: Self::Bits) -> Self::Bits;
    /// `a >> N`
    fn right<const N: u32>(a: Self::Bits) -> Self::Bits;
    /// `least <= a < most`, for limits below 2^63; numbers above that are in no interval.
    fn within(a: Self::Bits, least: u64, most: u64) -> Self::Mask;
    /// Equal numbers, none of them a NaN.
    fn equal(a: Self::Reals, b: Self::Reals) -> Self::Mask;
    /// Both masks.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// One mask or the other.
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The other lanes.
    fn not(a: Self::Mask) -> Self::Mask;
    /// `a` where the mask is true, and `b` elsewhere.
    fn select(mask: Self::Mask, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    /// A bit for each lane, the first one the lowest.
    fn lanes(mask: Self::Mask) -> u32;
    /// The entry of each index, of which the lowest four bits count.
    fn look(table: &[u64; 16], index: Self::Bits) -> Self::Reals;
    /// The column of the row of each index.
    ///
    /// # Safety
    /// The table has these rows.
    unsafe fn gather<const COLUMN: usize>(table: &[[u64; 3]], index: Self::Bits) -> Self::Reals;

    /// The bits without the sign.
    #[inline(always)]
    fn size(a: Self::Reals) -> Self::Bits {
        Self::and(Self::bits(a), Self::all_bits(!SIGN))
    }

    /// `a * b - c`, rounded once.
    #[inline(always)]
    fn fms(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals {
        Self::fma(a, b, Self::reals(Self::xor(Self::bits(c), Self::all_bits(SIGN))))
    }
}

/// Two vectors side by side: a processor waits for one while it works on the other. No method has a closure: it would not be compiled for the
/// processor, and each instruction in it would be a call.
pub(super) struct Twice<V>(std::marker::PhantomData<V>);

/// Operations on both.
macro_rules! both {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*) => { $(
        #[inline(always)]
        fn $name($($arg: $ty),*) -> $result {
            [V::$name($($arg[0]),*), V::$name($($arg[1]),*)]
        }
    )* };
}

impl<V: Vectors> Vectors for Twice<V> {
    const LANES: usize = 2 * V::LANES;
    type Reals = [V::Reals; 2];
    type Bits = [V::Bits; 2];
    type Mask = [V::Mask; 2];

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self::Reals {
        // SAFETY: as the caller promises.
        unsafe { [V::load(from), V::load(from.add(V::LANES))] }
    }

    #[inline(always)]
    unsafe fn load_some(from: *const f64, count: usize) -> Self::Reals {
        let first = count.min(V::LANES);
        // SAFETY: as the caller promises.
        unsafe { [V::load_some(from, first), V::load_some(from.wrapping_add(V::LANES), count - first)] }
    }

    #[inline(always)]
    unsafe fn store_some(to: *mut f64, values: Self::Reals, count: usize) {
        let first = count.min(V::LANES);
        // SAFETY: as the caller promises.
        unsafe {
            V::store_some(to, values[0], first);
            V::store_some(to.wrapping_add(V::LANES), values[1], count - first);
        }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f64, values: Self::Reals) {
        // SAFETY: as the caller promises.
        unsafe {
            V::store(to, values[0]);
            V::store(to.add(V::LANES), values[1]);
        }
    }

    both! {
        add(a: Self::Reals, b: Self::Reals) -> Self::Reals;
        sub(a: Self::Reals, b: Self::Reals) -> Self::Reals;
        mul(a: Self::Reals, b: Self::Reals) -> Self::Reals;
        div(a: Self::Reals, b: Self::Reals) -> Self::Reals;
        fma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals;
        fnma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals;
        fms(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals;
        bits(a: Self::Reals) -> Self::Bits;
        reals(a: Self::Bits) -> Self::Reals;
        and(a: Self::Bits, b: Self::Bits) -> Self::Bits;
        xor(a: Self::Bits, b: Self::Bits) -> Self::Bits;
        add_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits;
        sub_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits;
        equal(a: Self::Reals, b: Self::Reals) -> Self::Mask;
        both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
        either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
        not(a: Self::Mask) -> Self::Mask;
        select(mask: Self::Mask, a: Self::Reals, b: Self::Reals) -> Self::Reals;
    }

    #[inline(always)]
    fn all(value: f64) -> Self::Reals {
        [V::all(value); 2]
    }

    #[inline(always)]
    fn all_bits(value: u64) -> Self::Bits {
        [V::all_bits(value); 2]
    }

    #[inline(always)]
    fn left<const N: u32>(a: Self::Bits) -> Self::Bits {
        [V::left::<N>(a[0]), V::left::<N>(a[1])]
    }

    #[inline(always)]
    fn right<const N: u32>(a: Self::Bits) -> Self::Bits {
        [V::right::<N>(a[0]), V::right::<N>(a[1])]
    }

    #[inline(always)]
    fn within(a: Self::Bits, least: u64, most: u64) -> Self::Mask {
        [V::within(a[0], least, most), V::within(a[1], least, most)]
    }

    #[inline(always)]
    fn lanes(mask: Self::Mask) -> u32 {
        V::lanes(mask[0]) | V::lanes(mask[1]) << V::LANES
    }

    #[inline(always)]
    fn look(table: &[u64; 16], index: Self::Bits) -> Self::Reals {
        [V::look(table, index[0]), V::look(table, index[1])]
    }

    #[inline(always)]
    unsafe fn gather<const COLUMN: usize>(table: &[[u64; 3]], index: Self::Bits) -> Self::Reals {
        // SAFETY: as the caller promises.
        unsafe { [V::gather::<COLUMN>(table, index[0]), V::gather::<COLUMN>(table, index[1])] }
    }
}

/// Operations that are one instruction.
macro_rules! operations {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $body:expr;)*) => { $(
        #[inline(always)]
        fn $name($($arg: $ty),*) -> $result {
            // SAFETY: only functions for such a processor use it.
            unsafe { $body }
        }
    )* };
}

/// A bit for each of the first `count` lanes of eight.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn first_lanes(count: usize) -> u8 {
    if count < 8 { (1 << count) - 1 } else { u8::MAX }
}

/// Vectors of AVX-512, whose registers hold a table of sixteen numbers.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx512;

#[cfg(target_arch = "x86_64")]
impl Vectors for Avx512 {
    const LANES: usize = 8;
    type Reals = std::arch::x86_64::__m512d;
    type Bits = std::arch::x86_64::__m512i;
    type Mask = u8;

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self::Reals {
        // SAFETY: as the caller promises.
        unsafe { std::arch::x86_64::_mm512_loadu_pd(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f64, values: Self::Reals) {
        // SAFETY: as the caller promises.
        unsafe { std::arch::x86_64::_mm512_storeu_pd(to, values) };
    }

    #[inline(always)]
    unsafe fn load_some(from: *const f64, count: usize) -> Self::Reals {
        // SAFETY: as the caller promises; the others are not touched.
        unsafe { std::arch::x86_64::_mm512_mask_loadu_pd(Self::all(1.0), first_lanes(count), from) }
    }

    #[inline(always)]
    unsafe fn store_some(to: *mut f64, values: Self::Reals, count: usize) {
        // SAFETY: likewise.
        unsafe { std::arch::x86_64::_mm512_mask_storeu_pd(to, first_lanes(count), values) };
    }

    operations! {
        all(value: f64) -> Self::Reals = std::arch::x86_64::_mm512_set1_pd(value);
        all_bits(value: u64) -> Self::Bits = std::arch::x86_64::_mm512_set1_epi64(value.cast_signed());
        add(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm512_add_pd(a, b);
        sub(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm512_sub_pd(a, b);
        mul(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm512_mul_pd(a, b);
        div(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm512_div_pd(a, b);
        fma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm512_fmadd_pd(a, b, c);
        fnma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm512_fnmadd_pd(a, b, c);
        fms(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm512_fmsub_pd(a, b, c);
        bits(a: Self::Reals) -> Self::Bits = std::arch::x86_64::_mm512_castpd_si512(a);
        reals(a: Self::Bits) -> Self::Reals = std::arch::x86_64::_mm512_castsi512_pd(a);
        and(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::x86_64::_mm512_and_si512(a, b);
        xor(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::x86_64::_mm512_xor_si512(a, b);
        add_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::x86_64::_mm512_add_epi64(a, b);
        sub_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::x86_64::_mm512_sub_epi64(a, b);
        within(a: Self::Bits, least: u64, most: u64) -> Self::Mask = std::arch::x86_64::_mm512_cmplt_epu64_mask(
            Self::sub_bits(a, Self::all_bits(least)), Self::all_bits(most - least));
        equal(a: Self::Reals, b: Self::Reals) -> Self::Mask =
            std::arch::x86_64::_mm512_cmp_pd_mask::<{ std::arch::x86_64::_CMP_EQ_OQ }>(a, b);
        select(mask: Self::Mask, a: Self::Reals, b: Self::Reals) -> Self::Reals =
            std::arch::x86_64::_mm512_mask_blend_pd(mask, b, a);
    }

    #[inline(always)]
    fn left<const N: u32>(a: Self::Bits) -> Self::Bits {
        // SAFETY: only functions for such a processor use it.
        unsafe { std::arch::x86_64::_mm512_slli_epi64::<N>(a) }
    }

    #[inline(always)]
    fn right<const N: u32>(a: Self::Bits) -> Self::Bits {
        // SAFETY: likewise.
        unsafe { std::arch::x86_64::_mm512_srli_epi64::<N>(a) }
    }

    #[inline(always)]
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & b
    }

    #[inline(always)]
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a | b
    }

    #[inline(always)]
    fn not(a: Self::Mask) -> Self::Mask {
        !a
    }

    #[inline(always)]
    fn lanes(mask: Self::Mask) -> u32 {
        mask.into()
    }

    #[inline(always)]
    fn look(table: &[u64; 16], index: Self::Bits) -> Self::Reals {
        let table = table.as_ptr().cast::<f64>();
        // SAFETY: likewise; a table is two vectors long.
        unsafe {
            let (low, high) = (Self::load(table), Self::load(table.add(8)));
            std::arch::x86_64::_mm512_permutex2var_pd(low, index, high)
        }
    }

    #[inline(always)]
    unsafe fn gather<const COLUMN: usize>(table: &[[u64; 3]], index: Self::Bits) -> Self::Reals {
        let column = table.as_ptr().cast::<f64>().wrapping_add(COLUMN);
        let three = Self::add_bits(Self::add_bits(index, index), index);
        // SAFETY: likewise; the caller promises the rows.
        unsafe { std::arch::x86_64::_mm512_i64gather_pd::<8>(three, column) }
    }
}

/// All bits of the first `count` lanes of four.
///
/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn first_of_four(count: usize) -> std::arch::x86_64::__m256i {
    // SAFETY: as the caller promises.
    unsafe {
        let numbers = std::arch::x86_64::_mm256_set_epi64x(3, 2, 1, 0);
        std::arch::x86_64::_mm256_cmpgt_epi64(std::arch::x86_64::_mm256_set1_epi64x(count as i64), numbers)
    }
}

/// Vectors of AVX2 with fused operations.
#[cfg(target_arch = "x86_64")]
pub(super) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Vectors for Avx2 {
    const LANES: usize = 4;
    type Reals = std::arch::x86_64::__m256d;
    type Bits = std::arch::x86_64::__m256i;
    type Mask = std::arch::x86_64::__m256d;

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self::Reals {
        // SAFETY: as the caller promises.
        unsafe { std::arch::x86_64::_mm256_loadu_pd(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f64, values: Self::Reals) {
        // SAFETY: as the caller promises.
        unsafe { std::arch::x86_64::_mm256_storeu_pd(to, values) };
    }

    #[inline(always)]
    unsafe fn load_some(from: *const f64, count: usize) -> Self::Reals {
        // SAFETY: as the caller promises; the others are not touched.
        unsafe {
            let mask = first_of_four(count);
            let some = std::arch::x86_64::_mm256_maskload_pd(from, mask);
            Self::select(Self::reals(mask), some, Self::all(1.0))
        }
    }

    #[inline(always)]
    unsafe fn store_some(to: *mut f64, values: Self::Reals, count: usize) {
        // SAFETY: likewise.
        unsafe { std::arch::x86_64::_mm256_maskstore_pd(to, first_of_four(count), values) };
    }

    operations! {
        all(value: f64) -> Self::Reals = std::arch::x86_64::_mm256_set1_pd(value);
        all_bits(value: u64) -> Self::Bits = std::arch::x86_64::_mm256_set1_epi64x(value.cast_signed());
        add(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm256_add_pd(a, b);
        sub(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm256_sub_pd(a, b);
        mul(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm256_mul_pd(a, b);
        div(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm256_div_pd(a, b);
        fma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm256_fmadd_pd(a, b, c);
        fnma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm256_fnmadd_pd(a, b, c);
        fms(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals = std::arch::x86_64::_mm256_fmsub_pd(a, b, c);
        bits(a: Self::Reals) -> Self::Bits = std::arch::x86_64::_mm256_castpd_si256(a);
        reals(a: Self::Bits) -> Self::Reals = std::arch::x86_64::_mm256_castsi256_pd(a);
        and(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::x86_64::_mm256_and_si256(a, b);
        xor(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::x86_64::_mm256_xor_si256(a, b);
        add_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::x86_64::_mm256_add_epi64(a, b);
        sub_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::x86_64::_mm256_sub_epi64(a, b);
        // Comparisons are of signed integers: those above 2^63 are less than any limit.
        within(a: Self::Bits, least: u64, most: u64) -> Self::Mask = Self::reals(std::arch::x86_64::_mm256_and_si256(
            std::arch::x86_64::_mm256_cmpgt_epi64(a, Self::all_bits(least.wrapping_sub(1))),
            std::arch::x86_64::_mm256_cmpgt_epi64(Self::all_bits(most), a)));
        equal(a: Self::Reals, b: Self::Reals) -> Self::Mask =
            std::arch::x86_64::_mm256_cmp_pd::<{ std::arch::x86_64::_CMP_EQ_OQ }>(a, b);
        both(a: Self::Mask, b: Self::Mask) -> Self::Mask = std::arch::x86_64::_mm256_and_pd(a, b);
        either(a: Self::Mask, b: Self::Mask) -> Self::Mask = std::arch::x86_64::_mm256_or_pd(a, b);
        not(a: Self::Mask) -> Self::Mask = std::arch::x86_64::_mm256_xor_pd(a, Self::reals(Self::all_bits(u64::MAX)));
        select(mask: Self::Mask, a: Self::Reals, b: Self::Reals) -> Self::Reals =
            std::arch::x86_64::_mm256_blendv_pd(b, a, mask);
        lanes(mask: Self::Mask) -> u32 = std::arch::x86_64::_mm256_movemask_pd(mask).cast_unsigned();
    }

    #[inline(always)]
    fn left<const N: u32>(a: Self::Bits) -> Self::Bits {
        // SAFETY: only functions for such a processor use it.
        unsafe { std::arch::x86_64::_mm256_sll_epi64(a, std::arch::x86_64::_mm_cvtsi32_si128(N as i32)) }
    }

    #[inline(always)]
    fn right<const N: u32>(a: Self::Bits) -> Self::Bits {
        // SAFETY: likewise.
        unsafe { std::arch::x86_64::_mm256_srl_epi64(a, std::arch::x86_64::_mm_cvtsi32_si128(N as i32)) }
    }

    #[inline(always)]
    fn look(table: &[u64; 16], index: Self::Bits) -> Self::Reals {
        let low = Self::and(index, Self::all_bits(15));
        // SAFETY: likewise; the index is less than 16.
        unsafe { std::arch::x86_64::_mm256_i64gather_pd::<8>(table.as_ptr().cast(), low) }
    }

    #[inline(always)]
    unsafe fn gather<const COLUMN: usize>(table: &[[u64; 3]], index: Self::Bits) -> Self::Reals {
        let column = table.as_ptr().cast::<f64>().wrapping_add(COLUMN);
        let three = Self::add_bits(Self::add_bits(index, index), index);
        // SAFETY: likewise; the caller promises the rows.
        unsafe { std::arch::x86_64::_mm256_i64gather_pd::<8>(column, three) }
    }
}

/// Vectors of AArch64.
#[cfg(target_arch = "aarch64")]
pub(super) struct Neon;

#[cfg(target_arch = "aarch64")]
impl Vectors for Neon {
    const LANES: usize = 2;
    type Reals = std::arch::aarch64::float64x2_t;
    type Bits = std::arch::aarch64::uint64x2_t;
    type Mask = std::arch::aarch64::uint64x2_t;

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self::Reals {
        // SAFETY: as the caller promises.
        unsafe { std::arch::aarch64::vld1q_f64(from) }
    }

    #[inline(always)]
    unsafe fn store(to: *mut f64, values: Self::Reals) {
        // SAFETY: as the caller promises.
        unsafe { std::arch::aarch64::vst1q_f64(to, values) };
    }

    #[inline(always)]
    unsafe fn load_some(from: *const f64, count: usize) -> Self::Reals {
        let one = Self::all(1.0);
        // SAFETY: as the caller promises.
        unsafe {
            match count {
                0 => one,
                1 => std::arch::aarch64::vld1q_lane_f64::<0>(from, one),
                _ => Self::load(from),
            }
        }
    }

    #[inline(always)]
    unsafe fn store_some(to: *mut f64, values: Self::Reals, count: usize) {
        // SAFETY: likewise.
        unsafe {
            match count {
                0 => {}
                1 => std::arch::aarch64::vst1q_lane_f64::<0>(to, values),
                _ => Self::store(to, values),
            }
        }
    }

    operations! {
        all(value: f64) -> Self::Reals = std::arch::aarch64::vdupq_n_f64(value);
        all_bits(value: u64) -> Self::Bits = std::arch::aarch64::vdupq_n_u64(value);
        add(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::aarch64::vaddq_f64(a, b);
        sub(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::aarch64::vsubq_f64(a, b);
        mul(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::aarch64::vmulq_f64(a, b);
        div(a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::aarch64::vdivq_f64(a, b);
        fma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals = std::arch::aarch64::vfmaq_f64(c, a, b);
        fnma(a: Self::Reals, b: Self::Reals, c: Self::Reals) -> Self::Reals = std::arch::aarch64::vfmsq_f64(c, a, b);
        bits(a: Self::Reals) -> Self::Bits = std::arch::aarch64::vreinterpretq_u64_f64(a);
        reals(a: Self::Bits) -> Self::Reals = std::arch::aarch64::vreinterpretq_f64_u64(a);
        and(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::aarch64::vandq_u64(a, b);
        xor(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::aarch64::veorq_u64(a, b);
        add_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::aarch64::vaddq_u64(a, b);
        sub_bits(a: Self::Bits, b: Self::Bits) -> Self::Bits = std::arch::aarch64::vsubq_u64(a, b);
        within(a: Self::Bits, least: u64, most: u64) -> Self::Mask = std::arch::aarch64::vcltq_u64(
            Self::sub_bits(a, Self::all_bits(least)), Self::all_bits(most - least));
        equal(a: Self::Reals, b: Self::Reals) -> Self::Mask = std::arch::aarch64::vceqq_f64(a, b);
        both(a: Self::Mask, b: Self::Mask) -> Self::Mask = std::arch::aarch64::vandq_u64(a, b);
        either(a: Self::Mask, b: Self::Mask) -> Self::Mask = std::arch::aarch64::vorrq_u64(a, b);
        not(a: Self::Mask) -> Self::Mask = std::arch::aarch64::veorq_u64(a, Self::all_bits(u64::MAX));
        select(mask: Self::Mask, a: Self::Reals, b: Self::Reals) -> Self::Reals = std::arch::aarch64::vbslq_f64(mask, a, b);
        lanes(mask: Self::Mask) -> u32 = (std::arch::aarch64::vgetq_lane_u64::<0>(mask) as u32 & 1)
            | (std::arch::aarch64::vgetq_lane_u64::<1>(mask) as u32 & 2);
    }

    #[inline(always)]
    fn left<const N: u32>(a: Self::Bits) -> Self::Bits {
        // SAFETY: all processors of the architecture have it.
        unsafe { std::arch::aarch64::vshlq_u64(a, std::arch::aarch64::vdupq_n_s64(N.into())) }
    }

    #[inline(always)]
    fn right<const N: u32>(a: Self::Bits) -> Self::Bits {
        // SAFETY: likewise.
        unsafe { std::arch::aarch64::vshlq_u64(a, std::arch::aarch64::vdupq_n_s64(-i64::from(N))) }
    }

    #[inline(always)]
    fn look(table: &[u64; 16], index: Self::Bits) -> Self::Reals {
        // SAFETY: likewise.
        let at =
            unsafe { [std::arch::aarch64::vgetq_lane_u64::<0>(index), std::arch::aarch64::vgetq_lane_u64::<1>(index)] };
        let found = at.map(|k| f64::from_bits(table[(k & 15) as usize]));
        // SAFETY: there are two numbers.
        unsafe { Self::load(found.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn gather<const COLUMN: usize>(table: &[[u64; 3]], index: Self::Bits) -> Self::Reals {
        // SAFETY: likewise.
        let at =
            unsafe { [std::arch::aarch64::vgetq_lane_u64::<0>(index), std::arch::aarch64::vgetq_lane_u64::<1>(index)] };
        let found = at.map(|k| f64::from_bits(table[k as usize][COLUMN]));
        // SAFETY: there are two numbers.
        unsafe { Self::load(found.as_ptr()) }
    }
}
