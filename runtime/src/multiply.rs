//! Products of matrices, in blocks that stay in the caches and tiles that stay in registers.
//!
//! Each element of the result takes its terms one after the other, in the order of the loops that this stands for: a sum in
//! registers begins with the element and goes back to it. So results are those of the loops to the bit, with every width of
//! vectors. Nothing is contracted.
//!
//! A panel of `a` has [`TERMS`] columns, cut into strips as high as a tile; one of `b` has as many rows, cut into strips as wide as a
//! tile. Strips lie in memory in the order in which tiles read them. The last strip is filled up with its last row or column again, so that
//! nothing is computed that the loops would not have computed, and no exception is raised that they would not have raised.

use std::cell::Cell;
use std::ops::{Add, Mul};

/// The terms of a panel.
const TERMS: usize = 256;
/// The most rows of a panel of `a`, and columns of one of `b`.
const ROWS: usize = 128;
const COLUMNS: usize = 512;
/// Columns of a tile.
const ACROSS: usize = 4;
/// Products of fewer terms in all are computed by loops.
const SMALL: usize = 4096;

/// Numbers that are multiplied and added.
trait Number: Copy + Default + Add<Output = Self> + Mul<Output = Self> {}
impl Number for f32 {}
impl Number for f64 {}

/// A matrix in memory.
#[derive(Clone, Copy)]
struct Matrix<T> {
    first: *const T,
    /// Elements from one row, or column, to the next.
    row: isize,
    column: isize,
}

impl<T> Matrix<T> {
    fn at(&self, row: usize, column: usize) -> *const T {
        self.first.wrapping_offset(row as isize * self.row + column as isize * self.column)
    }

    fn from(&self, row: usize, column: usize) -> Matrix<T> {
        Matrix { first: self.at(row, column), ..*self }
    }
}

/// `c = c + a * b`; the rows of `c` are neighbours.
#[derive(Clone, Copy)]
struct Product<T> {
    c: *mut T,
    c_column: isize,
    a: Matrix<T>,
    b: Matrix<T>,
    rows: usize,
    columns: usize,
    terms: usize,
}

/// Functions of the runtime that multiply matrices: of numbers of one type, by tiles as high as the numbers say, or by a function of the BLAS.
macro_rules! entries {
    ($($(#[$doc:meta])* $symbol:ident: $ty:ty, $narrow:literal, $wide:literal, $widest:literal $(, by $gemm:ident from $limit:ident)?;)*) => { $(
        $(#[$doc])*
        ///
        /// # Safety
        /// The addresses are those of the first elements of matrices of these sizes, and `c` overlaps neither `a` nor `b`. The function of the BLAS, if
        /// there is one, is that for this type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $symbol(
            c: *mut u8,
            a: *const u8,
            b: *const u8,
            rows: i64,
            columns: i64,
            inner: i64,
            c_column: i64,
            a_row: i64,
            a_column: i64,
            b_row: i64,
            b_column: i64,
            $($gemm: *mut u8, $limit: i64,)?
        ) {
            let (a, b) = (matrix::<$ty>(a, a_row, a_column), matrix(b, b_row, b_column));
            let p = product(c.cast(), c_column, a, b, [rows, columns, inner]);
            // SAFETY: as the caller promises.
            unsafe {
                $(if p.by_blas($gemm, $limit, 1.0) {
                    return;
                })?
                multiply::<$ty, $narrow, $wide, $widest>(p);
            }
        }
    )* };
}

entries! {
    /// Adds the product of `a` and `b` to `c`, whose rows are neighbours. `a` has `rows` rows and `inner` columns. Rows and columns of
    /// all are as many elements apart as the arguments say.
    trueline_multiply_r8: f64, 4, 8, 16;
    /// As [`trueline_multiply_r8`], of `REAL(4)`.
    trueline_multiply_r4: f32, 8, 16, 32;
    /// As [`trueline_multiply_r8`], by `gemm`, which is DGEMM, if there are at least as many products as in a cube with sides of `limit`.
    trueline_blas_r8: f64, 4, 8, 16, by gemm from limit;
    /// As [`trueline_blas_r8`], of `REAL(4)`, by SGEMM.
    trueline_blas_r4: f32, 8, 16, 32, by gemm from limit;
}

/// SGEMM or DGEMM of the BLAS, with the lengths of the first two arguments at the end, as Fortran compilers pass them.
type Gemm<T> = unsafe extern "C" fn(
    *const u8,
    *const u8,
    *const i32,
    *const i32,
    *const i32,
    *const T,
    *const T,
    *const i32,
    *const T,
    *const i32,
    *const T,
    *mut T,
    *const i32,
    usize,
    usize,
);

impl<T: Number> Product<T> {
    /// The product by `gemm` if it has at least as many products as a cube with these sides, and its matrices are stored as the BLAS takes them. Says
    /// whether it did it.
    ///
    /// # Safety
    /// As [`multiply`]; `gemm` is such a function.
    unsafe fn by_blas(&self, gemm: *mut u8, limit: i64, one: T) -> bool {
        let limit = u128::try_from(limit).unwrap_or(0);
        let products = self.rows as u128 * self.columns as u128 * self.terms as u128;
        // A vector may lie anywhere in its matrix, so the distance of columns counts only where there are two.
        let stored = |m: &Matrix<T>, rows: usize, columns: usize| {
            let is_column = |by: isize, other: isize, length: usize, number: usize| {
                let apart = if number > 1 { other } else { length as isize };
                (by == 1 || length == 1).then_some(apart).filter(|&d| d >= length.max(1) as isize)
            };
            let plain = is_column(m.row, m.column, rows, columns).map(|d| (b'N', d));
            let (kind, apart) = plain.or_else(|| is_column(m.column, m.row, columns, rows).map(|d| (b'T', d)))?;
            Some((kind, i32::try_from(apart).ok()?))
        };
        let sizes = [self.rows, self.columns, self.terms].map(i32::try_from);
        let [Ok(m), Ok(n), Ok(k)] = sizes else { return false };
        let c = Matrix { first: self.c.cast_const(), row: 1, column: self.c_column };
        let all = (stored(&self.a, self.rows, self.terms), stored(&self.b, self.terms, self.columns));
        let (Some((a_kind, a_apart)), Some((b_kind, b_apart))) = all else { return false };
        let Some((b'N', c_apart)) = stored(&c, self.rows, self.columns) else { return false };
        if products < limit * limit * limit || products == 0 {
            return false;
        }
        let (a, b) = (self.a.first, self.b.first);
        // SAFETY: as the caller promises; the matrices are there in this order.
        unsafe {
            let gemm = std::mem::transmute::<*mut u8, Gemm<T>>(gemm);
            gemm(&a_kind, &b_kind, &m, &n, &k, &one, a, &a_apart, b, &b_apart, &one, self.c, &c_apart, 1, 1);
        }
        true
    }
}

fn matrix<T>(first: *const u8, row: i64, column: i64) -> Matrix<T> {
    Matrix { first: first.cast(), row: row as isize, column: column as isize }
}

fn product<T>(c: *mut T, c_column: i64, a: Matrix<T>, b: Matrix<T>, sizes: [i64; 3]) -> Product<T> {
    let [rows, columns, terms] = sizes.map(|n| usize::try_from(n).unwrap_or(0));
    Product { c, c_column: c_column as isize, a, b, rows, columns, terms }
}

/// Chooses tiles of `NARROW` rows, or of `WIDE` or `WIDEST` where the processor has registers for them.
///
/// # Safety
/// `p` is a product of matrices in memory. The result overlaps neither factor.
unsafe fn multiply<T: Number, const NARROW: usize, const WIDE: usize, const WIDEST: usize>(p: Product<T>) {
    if p.rows == 0 || p.columns == 0 || p.terms == 0 {
        return;
    }
    if p.rows < NARROW || p.rows.saturating_mul(p.columns).saturating_mul(p.terms) < SMALL {
        // SAFETY: as the caller promises.
        return unsafe { by_loops(p) };
    }
    let room = |n: usize, most: usize, step: usize| n.min(most).next_multiple_of(step) * p.terms.min(TERMS);
    let rooms = [room(p.rows, ROWS, WIDEST), room(p.columns, COLUMNS, ACROSS)];
    let by_panels = |left: &mut [T], right: &mut [T]| {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has these instructions; else as the caller promises.
            return unsafe { by_widest_tiles::<T, WIDEST, WIDE>(p, left, right) };
        }
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx") {
            // SAFETY: the processor has these instructions; else as the caller promises.
            return unsafe { by_wide_tiles::<T, WIDE>(p, left, right) };
        }
        // SAFETY: as the caller promises.
        unsafe { by_tiles::<T, NARROW, NARROW>(p, left, right) };
    };
    if !with_panels(rooms, by_panels) {
        // SAFETY: as the caller promises.
        unsafe { by_loops(p) };
    }
}

/// A line of the cache, at which vectors of 64 bytes do not cross into another one.
#[derive(Clone, Copy)]
#[repr(align(64))]
#[allow(dead_code, reason = "numbers lie in it")]
struct Line([u8; 64]);

thread_local! {
    /// Memory for panels, which a thread keeps: products of matrices of a hundred rows took a third of their time for pages of it that were new.
    static PANELS: Cell<Vec<Line>> = const { Cell::new(Vec::new()) };
}

/// Calls `work` with memory for two panels of these sizes, in elements. False if there is no more.
fn with_panels<T: Number>([left, right]: [usize; 2], work: impl FnOnce(&mut [T], &mut [T])) -> bool {
    let lines = |elements: usize| elements.div_ceil(size_of::<Line>() / size_of::<T>());
    let (first, all) = (lines(left), lines(left) + lines(right));
    let mut memory = PANELS.try_with(Cell::take).unwrap_or_default();
    if memory.len() < all {
        if memory.try_reserve_exact(all - memory.len()).is_err() {
            return false;
        }
        memory.resize(all, Line([0; 64]));
    }
    let (left, right) = memory.split_at_mut(first);
    // SAFETY: bytes of any values are numbers.
    let (left, right) = unsafe { (left.align_to_mut::<T>().1, right.align_to_mut::<T>().1) };
    work(left, right);
    _ = PANELS.try_with(|kept| kept.set(memory));
    true
}

/// The product by loops in the order of memory.
///
/// # Safety
/// As [`multiply`].
unsafe fn by_loops<T: Number>(p: Product<T>) {
    for j in 0..p.columns {
        for k in 0..p.terms {
            // SAFETY: all indices are within the sizes.
            unsafe {
                let y = p.b.at(k, j).read_unaligned();
                for i in 0..p.rows {
                    let to = p.c.wrapping_offset(j as isize * p.c_column).wrapping_add(i);
                    to.write_unaligned(to.read_unaligned() + p.a.at(i, k).read_unaligned() * y);
                }
            }
        }
    }
}

/// [`by_tiles`] in the widest registers that all processors with AVX have.
///
/// # Safety
/// As [`by_tiles`], on a processor with AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn by_wide_tiles<T: Number, const DOWN: usize>(p: Product<T>, left: &mut [T], right: &mut [T]) {
    // SAFETY: as the caller promises.
    unsafe { by_tiles::<T, DOWN, DOWN>(p, left, right) };
}

/// [`by_tiles`] in the registers of AVX-512.
///
/// # Safety
/// As [`by_tiles`], on a processor with AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn by_widest_tiles<T: Number, const DOWN: usize, const LAST: usize>(
    p: Product<T>,
    left: &mut [T],
    right: &mut [T],
) {
    // SAFETY: as the caller promises.
    unsafe { by_tiles::<T, DOWN, LAST>(p, left, right) };
}

/// The product by panels, in tiles of `DOWN` rows, or of `LAST` for the last rows of a panel if those are enough.
///
/// # Safety
/// As [`multiply`]; `left` and `right` have room for a panel each.
#[inline(always)]
unsafe fn by_tiles<T: Number, const DOWN: usize, const LAST: usize>(p: Product<T>, left: &mut [T], right: &mut [T]) {
    for column in (0..p.columns).step_by(COLUMNS) {
        let columns = COLUMNS.min(p.columns - column);
        for term in (0..p.terms).step_by(TERMS) {
            let terms = TERMS.min(p.terms - term);
            // SAFETY: the part of the matrix is within its sizes; its columns are packed like rows of `a`.
            unsafe { pack::<T, ACROSS>(transposed(p.b.from(term, column)), columns, terms, right) };
            for row in (0..p.rows).step_by(ROWS) {
                let rows = ROWS.min(p.rows - row);
                let c = p.c.wrapping_add(row).wrapping_offset(column as isize * p.c_column);
                let rest = rows % DOWN;
                let last = if LAST < DOWN && rest <= LAST { rest } else { 0 };
                let first = rows - last;
                // SAFETY: as above.
                unsafe {
                    if first > 0 {
                        pack::<T, DOWN>(p.a.from(row, term), first, terms, left);
                        tiles::<T, DOWN>(Product { c, rows: first, columns, terms, ..p }, left, right);
                    }
                    if last > 0 {
                        pack::<T, LAST>(p.a.from(row + first, term), last, terms, left);
                        let c = c.wrapping_add(first);
                        tiles::<T, LAST>(Product { c, rows: last, columns, terms, ..p }, left, right);
                    }
                }
            }
        }
    }
}

fn transposed<T>(m: Matrix<T>) -> Matrix<T> {
    Matrix { row: m.column, column: m.row, ..m }
}

/// Copies `rows` rows of a matrix, with `terms` elements each, into strips of `DOWN` rows; the last row is repeated to the end of the strip.
///
/// # Safety
/// The matrix has as many rows and columns, and `to` room for the strips.
#[inline(always)]
unsafe fn pack<T: Number, const DOWN: usize>(m: Matrix<T>, rows: usize, terms: usize, to: &mut [T]) {
    for (strip, to) in to.chunks_exact_mut(DOWN * terms).enumerate().take(rows.div_ceil(DOWN)) {
        let (first, is_whole) = (m.from(strip * DOWN, 0), strip * DOWN + DOWN <= rows);
        for (term, to) in to.chunks_exact_mut(DOWN).enumerate() {
            if is_whole && m.row == 1 {
                // SAFETY: the rows are below `rows`, neighbours, and the column is below `terms`.
                to.copy_from_slice(&unsafe { first.at(0, term).cast::<[T; DOWN]>().read_unaligned() });
                continue;
            }
            if is_whole {
                // SAFETY: likewise.
                to.iter_mut().enumerate().for_each(|(k, to)| *to = unsafe { first.at(k, term).read_unaligned() });
                continue;
            }
            for (k, to) in to.iter_mut().enumerate() {
                // SAFETY: the row is below `rows` and the column below `terms`.
                *to = unsafe { m.at((strip * DOWN + k).min(rows - 1), term).read_unaligned() };
            }
        }
    }
}

/// Adds the product of two panels to the tiles of a part of the result.
///
/// # Safety
/// The result is in memory, and nothing else uses it.
#[inline(always)]
unsafe fn tiles<T: Number, const DOWN: usize>(p: Product<T>, left: &[T], right: &[T]) {
    for (j, b) in right.chunks_exact(ACROSS * p.terms).enumerate().take(p.columns.div_ceil(ACROSS)) {
        for (i, a) in left.chunks_exact(DOWN * p.terms).enumerate().take(p.rows.div_ceil(DOWN)) {
            let (rows, columns) = ((p.rows - i * DOWN).min(DOWN), (p.columns - j * ACROSS).min(ACROSS));
            let c = p.c.wrapping_add(i * DOWN).wrapping_offset((j * ACROSS) as isize * p.c_column);
            // A tile at the edge has rows and columns twice.
            let element = |across: usize, down: usize| {
                c.wrapping_add(down.min(rows - 1)).wrapping_offset(across.min(columns - 1) as isize * p.c_column)
            };
            let sums: [[T; DOWN]; ACROSS] = if rows == DOWN && columns == ACROSS {
                // SAFETY: rows and columns are those of the result.
                std::array::from_fn(|x| unsafe { element(x, 0).cast::<[T; DOWN]>().read_unaligned() })
            } else {
                // SAFETY: likewise.
                std::array::from_fn(|x| std::array::from_fn(|y| unsafe { element(x, y).read_unaligned() }))
            };
            let sums = tile(sums, a, b);
            for (x, sums) in sums.iter().enumerate().take(columns) {
                // SAFETY: as above.
                unsafe {
                    match rows == DOWN {
                        true => element(x, 0).cast::<[T; DOWN]>().write_unaligned(*sums),
                        false => {
                            sums.iter().enumerate().take(rows).for_each(|(y, &s)| element(x, y).write_unaligned(s))
                        }
                    }
                }
            }
        }
    }
}

/// Adds the products of a strip of `a` and one of `b`, term by term, to the sums of a tile.
#[inline(always)]
fn tile<T: Number, const DOWN: usize>(mut sums: [[T; DOWN]; ACROSS], a: &[T], b: &[T]) -> [[T; DOWN]; ACROSS] {
    for (a, b) in a.chunks_exact(DOWN).zip(b.chunks_exact(ACROSS)) {
        for (sums, &y) in sums.iter_mut().zip(b) {
            for (sum, &x) in sums.iter_mut().zip(a) {
                *sum = *sum + x * y;
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::{Matrix, Number, Product, by_loops, by_tiles, multiply};

    /// Numbers whose sums depend on the order of their terms.
    fn numbers<T: Number + From<f32>>(n: usize, mut seed: u32) -> Vec<T> {
        let mut next = || {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
            T::from((seed >> 8) as f32 / 65536.0 - 100.0)
        };
        (0..n).map(|_| next()).collect()
    }

    fn compare<T: Number + From<f32> + PartialEq, const NARROW: usize, const WIDE: usize, const WIDEST: usize>(
        [rows, columns, terms]: [usize; 3],
        flipped: bool,
    ) {
        let (ac, bc, cc) = (rows + 1, terms + 2, rows + 3);
        let (a, b) =
            (numbers::<T>(ac.max(terms) * terms.max(ac), 1), numbers::<T>(bc.max(columns) * columns.max(bc), 2));
        let start = numbers::<T>(cc * columns, 3);
        let matrix = |m: &[T], apart: usize, flipped: bool| match flipped {
            false => Matrix { first: m.as_ptr(), row: 1, column: apart as isize },
            true => Matrix { first: m.as_ptr(), row: apart as isize, column: 1 },
        };
        let (a, b) = (matrix(&a, ac.max(terms), flipped), matrix(&b, bc.max(columns), flipped));
        let result = |f: &dyn Fn(Product<T>)| {
            let mut c = start.clone();
            f(Product { c: c.as_mut_ptr(), c_column: cc as isize, a, b, rows, columns, terms });
            c
        };
        // SAFETY: the sizes are those of the vectors.
        let plain = result(&|p| unsafe { by_loops(p) });
        // SAFETY: likewise.
        assert!(plain == result(&|p| unsafe { multiply::<T, NARROW, WIDE, WIDEST>(p) }), "{rows} {columns} {terms}");
        let room = |n: usize| vec![T::default(); 256 * (n + 32)];
        // SAFETY: likewise.
        let narrow = result(&|p| unsafe { by_tiles::<T, NARROW, NARROW>(p, &mut room(rows), &mut room(columns)) });
        assert!(plain == narrow, "{rows} {columns} {terms}");
        // SAFETY: likewise.
        let wide = result(&|p| unsafe { by_tiles::<T, WIDE, WIDE>(p, &mut room(rows), &mut room(columns)) });
        assert!(plain == wide, "{rows} {columns} {terms}");
        // SAFETY: likewise.
        let widest = result(&|p| unsafe { by_tiles::<T, WIDEST, WIDE>(p, &mut room(rows), &mut room(columns)) });
        assert!(plain == widest, "{rows} {columns} {terms}");
    }

    /// The BLAS's function, of matrices that are stored as it says.
    unsafe extern "C" fn gemm(
        a_kind: *const u8,
        b_kind: *const u8,
        m: *const i32,
        n: *const i32,
        k: *const i32,
        _: *const f64,
        a: *const f64,
        a_apart: *const i32,
        b: *const f64,
        b_apart: *const i32,
        _: *const f64,
        c: *mut f64,
        c_apart: *const i32,
        _: usize,
        _: usize,
    ) {
        // SAFETY: the caller passes addresses of numbers and matrices.
        unsafe {
            let apart = |at: *const i32| *at as isize;
            let of = |first: *const f64, kind: *const u8, apart: isize| match *kind {
                b'N' => Matrix { first, row: 1, column: apart },
                _ => Matrix { first, row: apart, column: 1 },
            };
            let (a, b) = (of(a, a_kind, apart(a_apart)), of(b, b_kind, apart(b_apart)));
            let [rows, columns, terms] = [m, n, k].map(|at| *at as usize);
            by_loops(Product { c, c_column: apart(c_apart), a, b, rows, columns, terms });
        }
    }

    #[test]
    fn large_products_are_those_of_the_blas() {
        let numbers = |n: usize| -> Vec<f64> { (0..n).map(|k| (k * 7 % 23) as f64).collect() };
        for [rows, columns, terms] in [[7, 8, 9], [1, 8, 9], [7, 1, 9], [7, 8, 1]] {
            let (a, b) = (numbers(200), numbers(200));
            for turned in 0..4 {
                let matrix = |m: &[f64], turned: bool| match turned {
                    false => Matrix { first: m.as_ptr(), row: 1, column: 11 },
                    true => Matrix { first: m.as_ptr(), row: 11, column: 1 },
                };
                let (a, b) = (matrix(&a, turned & 1 == 1), matrix(&b, turned & 2 == 2));
                let mut results = [vec![1.0; 100], vec![1.0; 100], vec![1.0; 100]];
                let [plain, large, small] =
                    results.each_mut().map(|c| Product { c: c.as_mut_ptr(), c_column: 11, a, b, rows, columns, terms });
                // SAFETY: the sizes are those of the vectors.
                let done = unsafe {
                    by_loops(plain);
                    let gemm = gemm as *const () as *mut u8;
                    [large.by_blas(gemm, 3, 1.0), small.by_blas(gemm, 8, 1.0)]
                };
                assert_eq!(done, [true, rows * columns * terms >= 512], "{rows} {columns} {terms}");
                assert_eq!(results[0], results[1], "{rows} {columns} {terms}");
            }
        }
        // Rows and columns that are both apart are none of the BLAS's.
        let (a, mut c) = (numbers(200), vec![0.0; 100]);
        let a = Matrix { first: a.as_ptr(), row: 2, column: 14 };
        let p = Product { c: c.as_mut_ptr(), c_column: 7, a, b: a, rows: 7, columns: 7, terms: 7 };
        // SAFETY: it is not called.
        assert!(!unsafe { p.by_blas(std::ptr::null_mut(), 1, 1.0) });
    }

    #[test]
    fn blocked_products_are_those_of_loops_to_the_bit() {
        let all = [
            [1, 1, 1],
            [3, 2, 5],
            [5, 17, 3],
            [16, 16, 16],
            [17, 19, 23],
            [130, 9, 260],
            [33, 515, 21],
            [5, 70, 300],
            [29, 7, 65],
        ];
        for sizes in all.into_iter().take(if cfg!(miri) { 3 } else { all.len() }) {
            for flipped in [false, true] {
                compare::<f64, 4, 8, 16>(sizes, flipped);
                compare::<f32, 8, 16, 32>(sizes, flipped);
            }
        }
    }
}
