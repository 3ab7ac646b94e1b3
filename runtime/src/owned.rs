//! Memory owned by structures: that of their allocatable components.
//!
//! The compiler describes a type by a table of words. For each type that can be reached: its size, the number of
//! rows, and rows of kind (0 an allocatable, 1 a component that is a structure), offset, rank or count, bytes of
//! an element (-1: in the word at the next offset), that offset, and where in the table the type of the elements
//! begins (-1 if they own nothing). An allocatable scalar is its address; an array has gfortran's descriptor.
//!
//! Types may contain themselves, so structures yet to be visited are a list, not recursion.

use crate::exit::{leave, tell};

/// A row of the table.
struct Row {
    is_structure: bool,
    offset: i64,
    rank: i64,
    size: i64,
    len_offset: i64,
    elements: i64,
}

/// `count` structures of the type at `ty` of the table.
struct Group {
    at: *mut u8,
    count: i64,
    ty: i64,
}

/// A table.
#[derive(Clone, Copy)]
struct Table(*const i64);

impl Table {
    /// # Safety
    /// `k` is inside of the table.
    unsafe fn word(self, k: i64) -> i64 {
        // SAFETY: `k` is inside of the table.
        unsafe { *self.0.offset(k as isize) }
    }

    /// # Safety
    /// A type begins at `ty` and has a row `k`.
    unsafe fn row(self, ty: i64, k: i64) -> Row {
        let at = ty + 2 + 6 * k;
        // SAFETY: a row has six words.
        unsafe {
            Row {
                is_structure: self.word(at) == 1,
                offset: self.word(at + 1),
                rank: self.word(at + 2),
                size: self.word(at + 3),
                len_offset: self.word(at + 4),
                elements: self.word(at + 5),
            }
        }
    }
}

/// # Safety
/// `at + offset` is the address of a word.
unsafe fn word_at(at: *const u8, offset: i64) -> i64 {
    // SAFETY: the structures have the components of the table; they are read unaligned, since other compilers may pack them.
    unsafe { at.offset(offset as isize).cast::<i64>().read_unaligned() }
}

/// The number of elements of the allocatable at `at`.
///
/// # Safety
/// A descriptor of rank `rank` is there; of rank 0 an address.
unsafe fn elements(at: *const u8, rank: i64) -> i64 {
    let mut n = 1i64;
    for k in 0..rank {
        // SAFETY: the descriptor has `rank` dimensions of three words behind the first five.
        let (lower, upper) = unsafe { (word_at(at, 48 + 24 * k), word_at(at, 56 + 24 * k)) };
        n = n.saturating_mul(upper.saturating_sub(lower).saturating_add(1).max(0));
    }
    n
}

/// Calls `each` for every allocatable component that is allocated: the place of its address, its element count, the
/// bytes of an element, and the type of the elements. The structures at the address that `each` returns are visited
/// next.
///
/// # Safety
/// `at` is the address of `count` structures as `table` describes.
unsafe fn visit(
    at: *mut u8,
    count: i64,
    table: *const i64,
    mut each: impl FnMut(*mut *mut u8, i64, i64) -> *mut u8,
    mut done: impl FnMut(*mut u8),
) {
    let table = Table(table);
    let mut groups = vec![Group { at, count, ty: 0 }];
    let mut finished = Vec::new();
    while let Some(g) = groups.pop() {
        // SAFETY: the table is the compiler's, and describes the structures.
        unsafe {
            let (size, rows) = (table.word(g.ty), table.word(g.ty + 1));
            for i in 0..g.count.max(0) {
                let structure = g.at.offset((i * size) as isize);
                for k in 0..rows {
                    let row = table.row(g.ty, k);
                    let place = structure.offset(row.offset as isize);
                    if row.is_structure {
                        groups.push(Group { at: place, count: row.rank, ty: row.elements });
                        continue;
                    }
                    if word_at(place, 0) == 0 {
                        continue;
                    }
                    let n = elements(place, row.rank);
                    let bytes = if row.size < 0 { word_at(structure, row.len_offset) } else { row.size };
                    let inner = each(place.cast(), n, bytes);
                    if row.elements >= 0 {
                        groups.push(Group { at: inner, count: n, ty: row.elements });
                    }
                    finished.push(inner);
                }
            }
        }
    }
    finished.into_iter().for_each(&mut done);
}

/// The structures are copies of others, bit for bit: gives them memory of their own.
///
/// # Safety
/// `structures` is the address of `count` structures as `table` describes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_copy_owned(structures: *mut u8, count: i64, table: *const u8) {
    let copy = |place: *mut *mut u8, n: i64, bytes: i64| {
        let size = n.saturating_mul(bytes.max(0)).max(0);
        // SAFETY: the old memory has `size` bytes, and the new one is as large.
        unsafe {
            let new = crate::memory::trueline_allocate_stat(size);
            if new.is_null() {
                crate::io::flush_standard();
                tell(b"Error allocating memory for a component: Cannot allocate memory\n");
                leave(1)
            }
            std::ptr::copy_nonoverlapping(place.read_unaligned(), new, size as usize);
            place.write_unaligned(new);
            new
        }
    };
    // SAFETY: the structures and the table are those of the call, and `copy` replaces memory that a structure owns.
    unsafe { visit(structures, count, table.cast(), copy, |_| {}) };
}

/// Frees all memory that the structures own; afterwards no component is allocated.
///
/// # Safety
/// `structures` is the address of `count` structures as `table` describes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_free_owned(structures: *mut u8, count: i64, table: *const u8) {
    let take = |place: *mut *mut u8, _: i64, _: i64| {
        // SAFETY: the address of the component stands there.
        unsafe {
            let memory = place.read_unaligned();
            place.write_unaligned(std::ptr::null_mut());
            memory
        }
    };
    // SAFETY: a block is freed once, after the structures in it were visited.
    unsafe { visit(structures, count, table.cast(), take, |memory| crate::memory::trueline_deallocate(memory)) };
}

/// The address of `place` as a number (compiled code does without the call).
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_address(place: *const u8) -> *mut u8 {
    place.cast_mut()
}

/// As above, for the optimizer something that writes `place`.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_barrier(place: *mut u8) -> *mut u8 {
    place
}

/// The value of a procedure pointer.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_procedure(address: *mut u8) -> *mut u8 {
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One component: an allocatable scalar of four bytes.
    const TABLE: [i64; 8] = [8, 1, 0, 0, 0, 4, -1, -1];

    #[test]
    fn copies_are_their_own_and_freed_once() {
        // SAFETY: a structure of eight bytes with one component, as the table says.
        unsafe {
            let first = crate::memory::trueline_allocate_stat(4);
            first.cast::<i32>().write(7);
            let mut a = [first];
            let mut b = a;
            trueline_copy_owned(b.as_mut_ptr().cast(), 1, TABLE.as_ptr().cast());
            assert_ne!(a[0], b[0]);
            assert_eq!(b[0].cast::<i32>().read(), 7);
            trueline_free_owned(a.as_mut_ptr().cast(), 1, TABLE.as_ptr().cast());
            trueline_free_owned(b.as_mut_ptr().cast(), 1, TABLE.as_ptr().cast());
            assert!(a[0].is_null() && b[0].is_null());
            trueline_free_owned(b.as_mut_ptr().cast(), 1, TABLE.as_ptr().cast());
        }
    }
}
