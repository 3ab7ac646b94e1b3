//! Matrices that are copied with rows and columns exchanged, in blocks that stay in the caches and tiles that stay in registers.

use std::hint::black_box;

/// Rows and columns of a tile.
const TILE: usize = 4;
/// Rows and columns of a block. A tile reads a line of the cache for each of its rows, and the tile beside it reads the other half: lines of as many
/// rows stay in the first-level cache. Long columns are stored in the order of memory.
const ROWS: usize = 256;
const COLUMNS: usize = 32;

/// `to(i, j) = from(j, i)` for all rows `i` and columns `j` of `to`, in elements of `T`.
#[derive(Clone, Copy)]
struct Exchange<T> {
    to: *mut T,
    from: *const T,
    rows: usize,
    columns: usize,
    to_column: isize,
    from_column: isize,
}

/// Sets `to`, which has `rows` rows, to the transposed matrix `from`. Elements have `size` bytes; the rows of both are neighbours, and
/// columns as many elements apart as the arguments say.
///
/// # Safety
/// The addresses are those of the first elements of matrices of these sizes, which do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_transpose(
    to: *mut u8,
    from: *const u8,
    size: i64,
    rows: i64,
    columns: i64,
    to_column: i64,
    from_column: i64,
) {
    let [rows, columns] = [rows, columns].map(|n| usize::try_from(n).unwrap_or(0));
    let [to_column, from_column] = [to_column, from_column].map(|n| n as isize);
    macro_rules! of {
        ($t:ty) => {
            exchange(Exchange::<$t> { to: to.cast(), from: from.cast(), rows, columns, to_column, from_column })
        };
    }
    // SAFETY: as the caller promises.
    unsafe {
        match size {
            1 => of!(u8),
            2 => of!(u16),
            4 => of!(u32),
            #[cfg(target_arch = "x86_64")]
            8 if std::arch::is_x86_feature_detected!("avx") => {
                let (to, from) = (to.cast(), from.cast());
                exchange_with_avx(Exchange::<Eight> { to, from, rows, columns, to_column, from_column });
            }
            8 => of!(u64),
            _ => of!([u64; 2]),
        }
    }
}

/// An element of a size that tiles are known for.
trait Element: Copy {
    /// Works on a tile.
    ///
    /// # Safety
    /// As [`exchange`], of [`TILE`] rows and columns.
    #[inline(always)]
    unsafe fn tile(tile: Exchange<Self>) {
        for j in 0..TILE {
            for i in 0..TILE {
                let one = tile.at(i, j);
                // SAFETY: as the caller promises; elements may be off their alignment in SEQUENCE structures.
                unsafe { one.to.write_unaligned(one.from.read_unaligned()) };
            }
        }
    }
}

/// Works on the tiles of `TILE` columns of `to`, one below the other. The compiler is told nothing about their number and addresses: it would have a
/// pointer for each row and column of all tiles of a block, and more of them than there are registers.
///
/// # Safety
/// As [`exchange`], of as many columns.
#[inline(always)]
unsafe fn strip<T: Element>(e: Exchange<T>) {
    let down = e.from_column * TILE as isize;
    let mut tile = Exchange { to: black_box(e.to), from: black_box(e.from), ..e };
    for _ in 0..black_box(e.rows / TILE) {
        // SAFETY: the tile is a part of the matrices.
        unsafe { T::tile(tile) };
        tile = Exchange { to: tile.to.wrapping_add(TILE), from: tile.from.wrapping_offset(down), ..tile };
    }
}

impl Element for u8 {}
impl Element for u16 {}
impl Element for [u64; 2] {}

#[cfg(not(target_arch = "x86_64"))]
impl Element for u32 {}
#[cfg(not(target_arch = "x86_64"))]
impl Element for u64 {}

#[cfg(target_arch = "x86_64")]
impl Element for u32 {
    #[inline(always)]
    unsafe fn tile(tile: Exchange<u32>) {
        use std::arch::x86_64::{
            _mm_loadu_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_storeu_ps, _mm_unpackhi_ps, _mm_unpacklo_ps,
        };
        // SAFETY: as the caller promises; addresses need no alignment, and all processors of this kind have these instructions.
        unsafe {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| _mm_loadu_ps(tile.at(i, 0).from.cast()));
            let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (high_ab, high_cd) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            _mm_storeu_ps(tile.at(0, 0).to.cast(), _mm_movelh_ps(ab, cd));
            _mm_storeu_ps(tile.at(0, 1).to.cast(), _mm_movehl_ps(cd, ab));
            _mm_storeu_ps(tile.at(0, 2).to.cast(), _mm_movelh_ps(high_ab, high_cd));
            _mm_storeu_ps(tile.at(0, 3).to.cast(), _mm_movehl_ps(high_cd, high_ab));
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Element for u64 {
    #[inline(always)]
    unsafe fn tile(tile: Exchange<u64>) {
        use std::arch::x86_64::{_mm_loadu_pd, _mm_storeu_pd, _mm_unpackhi_pd, _mm_unpacklo_pd};
        for (i, j) in [(0, 0), (2, 0), (0, 2), (2, 2)] {
            // SAFETY: as above.
            unsafe {
                let [a, b] = [i, i + 1].map(|i| _mm_loadu_pd(tile.at(i, j).from.cast()));
                _mm_storeu_pd(tile.at(i, j).to.cast(), _mm_unpacklo_pd(a, b));
                _mm_storeu_pd(tile.at(i, j + 1).to.cast(), _mm_unpackhi_pd(a, b));
            }
        }
    }
}

/// Eight bytes, in tiles that have a row or column in a register of AVX.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Eight(#[allow(dead_code, reason = "it is moved, as a whole")] u64);

#[cfg(target_arch = "x86_64")]
impl Element for Eight {
    #[inline(always)]
    unsafe fn tile(tile: Exchange<Eight>) {
        use std::arch::x86_64::{
            _mm256_loadu_pd, _mm256_permute2f128_pd, _mm256_storeu_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd,
        };
        // SAFETY: as the caller promises, which has AVX; addresses need no alignment.
        unsafe {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| _mm256_loadu_pd(tile.at(i, 0).from.cast()));
            let (even_ab, even_cd) = (_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d));
            let (odd_ab, odd_cd) = (_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d));
            _mm256_storeu_pd(tile.at(0, 0).to.cast(), _mm256_permute2f128_pd::<0x20>(even_ab, even_cd));
            _mm256_storeu_pd(tile.at(0, 1).to.cast(), _mm256_permute2f128_pd::<0x20>(odd_ab, odd_cd));
            _mm256_storeu_pd(tile.at(0, 2).to.cast(), _mm256_permute2f128_pd::<0x31>(even_ab, even_cd));
            _mm256_storeu_pd(tile.at(0, 3).to.cast(), _mm256_permute2f128_pd::<0x31>(odd_ab, odd_cd));
        }
    }
}

/// As [`exchange`], compiled for AVX.
///
/// # Safety
/// As [`exchange`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn exchange_with_avx(e: Exchange<Eight>) {
    // SAFETY: as the caller promises.
    unsafe { exchange(e) }
}

/// Works block by block.
///
/// # Safety
/// The matrices have the sizes that `e` says, and do not overlap.
#[inline(always)]
unsafe fn exchange<T: Element>(e: Exchange<T>) {
    for column in (0..e.columns).step_by(COLUMNS) {
        for row in (0..e.rows).step_by(ROWS) {
            let (rows, columns) = (ROWS.min(e.rows - row), COLUMNS.min(e.columns - column));
            // SAFETY: the block is a part of the matrices.
            unsafe { block(Exchange { rows, columns, ..e.at(row, column) }) };
        }
    }
}

impl<T> Exchange<T> {
    /// The exchange from a row and column of `to` on.
    fn at(self, row: usize, column: usize) -> Exchange<T> {
        Exchange {
            to: self.to.wrapping_add(row).wrapping_offset(column as isize * self.to_column),
            from: self.from.wrapping_add(column).wrapping_offset(row as isize * self.from_column),
            ..self
        }
    }
}

/// Works tile by tile, and element by element at the edges.
///
/// # Safety
/// As [`exchange`].
#[inline(always)]
unsafe fn block<T: Element>(e: Exchange<T>) {
    let (rows, columns) = (e.rows - e.rows % TILE, e.columns - e.columns % TILE);
    for column in (0..columns).step_by(TILE) {
        // SAFETY: the tiles are a part of the matrices.
        unsafe { strip(Exchange { rows, columns: TILE, ..e.at(0, column) }) };
    }
    for column in 0..e.columns {
        let first = if column < columns { rows } else { 0 };
        for row in first..e.rows {
            let one = e.at(row, column);
            // SAFETY: the element is in both matrices; it may be off its alignment.
            unsafe { one.to.write_unaligned(one.from.read_unaligned()) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::trueline_transpose;

    const SIZES: &[(usize, usize)] = match cfg!(miri) {
        true => &[(0, 3), (1, 1), (3, 7), (4, 4), (17, 9)],
        false => &[(0, 3), (1, 1), (3, 7), (4, 4), (33, 40), (70, 37), (259, 33)],
    };

    #[test]
    fn every_element_comes_to_its_place() {
        for size in [1, 2, 4, 8, 16] {
            for &(rows, columns) in SIZES {
                let (to_column, from_column) = (rows + 2, columns + 1);
                let from: Vec<u8> = (0..from_column * rows * size).map(|k| (k * 31 % 251) as u8).collect();
                let mut to = vec![0xee_u8; to_column * columns * size];
                let [s, r, c, tc, fc] = [size, rows, columns, to_column, from_column].map(|n| n as i64);
                // SAFETY: the sizes are those of the vectors.
                unsafe { trueline_transpose(to.as_mut_ptr(), from.as_ptr(), s, r, c, tc, fc) };
                let element = |m: &[u8], k: usize| m[k * size..(k + 1) * size].to_vec();
                for j in 0..columns {
                    for i in 0..to_column {
                        let expected = if i < rows { element(&from, j + i * from_column) } else { vec![0xee; size] };
                        assert_eq!(element(&to, i + j * to_column), expected, "{size} {rows} {columns} {i} {j}");
                    }
                }
            }
        }
    }
}
