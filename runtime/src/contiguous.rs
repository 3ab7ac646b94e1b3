//! Arrays of other compilers' procedures: our procedures want their elements without gaps.

use std::alloc::{Layout, alloc, dealloc};

/// The most dimensions of an array.
const MOST: usize = 15;

/// An array behind a descriptor.
struct Strided {
    first: *mut u8,
    rank: usize,
    /// The bytes of an element.
    size: usize,
    extents: [usize; MOST],
    /// The distances of neighbours, in bytes.
    strides: [isize; MOST],
}

impl Strided {
    /// # Safety
    /// `descriptor` is one of rank `rank`.
    unsafe fn read(descriptor: *const u8, rank: i64, size: i64, is_c: bool) -> Strided {
        let words = descriptor.cast::<i64>();
        let rank = usize::try_from(rank).unwrap_or(0).min(MOST);
        let mut s = Strided {
            first: std::ptr::null_mut(),
            rank,
            size: usize::try_from(size).unwrap_or(0),
            extents: [0; MOST],
            strides: [0; MOST],
        };
        // SAFETY: a descriptor of this rank has an address, and three words for each dimension.
        unsafe {
            s.first = words.cast::<*mut u8>().read();
            for k in 0..rank {
                let (extent, stride) = if is_c {
                    (words.add(4 + 3 * k).read(), words.add(5 + 3 * k).read())
                } else {
                    let [stride, lower, upper] = words.add(5 + 3 * k).cast::<[i64; 3]>().read();
                    // gfortran takes 0 in the first dimension for 1.
                    let stride = if k == 0 && stride == 0 { 1 } else { stride };
                    (upper - lower + 1, stride.wrapping_mul(size))
                };
                s.extents[k] = usize::try_from(extent).unwrap_or(0);
                s.strides[k] = stride as isize;
            }
        }
        s
    }

    /// The bytes of all elements.
    fn bytes(&self) -> usize {
        self.extents[..self.rank].iter().fold(self.size, |n, &e| n.saturating_mul(e))
    }

    fn is_contiguous(&self) -> bool {
        let mut distance = self.size as isize;
        for k in 0..self.rank {
            if self.extents[k] != 1 && self.strides[k] != distance {
                return false;
            }
            distance = distance.wrapping_mul(self.extents[k] as isize);
        }
        true
    }

    /// Calls `f` with the place of each run of elements along the first dimension, in order.
    fn runs(&self, mut f: impl FnMut(*mut u8)) {
        let mut index = [0usize; MOST];
        loop {
            let offset = (1..self.rank).map(|k| index[k] as isize * self.strides[k]).sum();
            f(self.first.wrapping_offset(offset));
            let mut goes_on = false;
            for (i, &extent) in index.iter_mut().zip(&self.extents).take(self.rank).skip(1) {
                *i += 1;
                goes_on = *i < extent;
                if goes_on {
                    break;
                }
                *i = 0;
            }
            if !goes_on {
                return;
            }
        }
    }

    /// Copies all elements from here to `copy`, or from there.
    ///
    /// # Safety
    /// There is memory for them in both places, and there are some.
    unsafe fn copy(&self, copy: *mut u8, back: bool) {
        let mut at = copy;
        self.runs(|run| {
            for k in 0..self.extents[0] {
                let element = run.wrapping_offset(k as isize * self.strides[0]);
                let (from, to) = if back { (at, element) } else { (element, at) };
                // SAFETY: `runs` visits elements of the array, and `copy` has room for all of them; a copy lies
                // elsewhere than the array.
                unsafe { std::ptr::copy_nonoverlapping(from, to, self.size) };
                at = at.wrapping_add(self.size);
            }
        });
    }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, 16).ok()
}

/// The elements of an array without gaps: they themselves, or a copy.
///
/// # Safety
/// `descriptor` is one of rank `rank`, of elements of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_contiguous(descriptor: *const u8, rank: i64, size: i64, is_c: i32) -> *mut u8 {
    // SAFETY: the descriptor has this rank, so `read` finds all words that it reads.
    let array = unsafe { Strided::read(descriptor, rank, size, is_c != 0) };
    let bytes = array.bytes();
    if array.first.is_null() || bytes == 0 || array.is_contiguous() {
        return array.first;
    }
    // SAFETY: there are some bytes.
    let copy = layout(bytes).map_or(std::ptr::null_mut(), |l| unsafe { alloc(l) });
    if copy.is_null() {
        crate::exit::tell(b"Error: no memory for a copy of an argument\n");
        crate::exit::leave(1);
    }
    // SAFETY: the copy has room for all elements.
    unsafe { array.copy(copy, false) };
    copy
}

/// Ends the use of the elements that [`trueline_contiguous`] gave: a copy is copied back if they have changed, and freed.
///
/// # Safety
/// As there, with the same arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_contiguous(
    descriptor: *const u8,
    rank: i64,
    size: i64,
    is_c: i32,
    elements: *mut u8,
    changed: i32,
) {
    // SAFETY: the descriptor has this rank, so `read` finds all words that it reads.
    let array = unsafe { Strided::read(descriptor, rank, size, is_c != 0) };
    if elements == array.first {
        return;
    }
    // SAFETY: the copy was made for this array.
    unsafe {
        if changed != 0 {
            array.copy(elements, true);
        }
        if let Some(layout) = layout(array.bytes()) {
            dealloc(elements, layout);
        }
    }
}

/// Copies neighbouring elements, `bytes` bytes of them.
///
/// # Safety
/// `to` and `from` are the addresses of as many bytes; they may overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_copy_elements(to: *mut u8, from: *const u8, bytes: i64) {
    let bytes = usize::try_from(bytes).unwrap_or(0);
    if bytes > 0 {
        // SAFETY: the compiler passes the first of elements that lie side by side in both arrays, as many as its loops would have
        // copied, and `copy` allows overlap.
        unsafe { std::ptr::copy(from, to, bytes) };
    }
}

#[cfg(test)]
mod tests {
    use super::{trueline_contiguous, trueline_end_contiguous};

    /// A descriptor: the address, and words.
    #[repr(C)]
    struct Descriptor<T, const WORDS: usize>(*mut T, [i64; WORDS]);

    impl<T, const WORDS: usize> Descriptor<T, WORDS> {
        fn at(&self) -> *const u8 {
            std::ptr::from_ref(self).cast()
        }
    }

    /// gfortran's descriptor of every second element backwards, and of the first two rows.
    #[test]
    fn sections_are_copied_and_copied_back() {
        let mut a: Vec<i32> = (1..=12).collect();
        let first = a.as_mut_ptr();
        let reversed = Descriptor(first.wrapping_add(11), [0, 4, 0, 4, -2, 1, 6]);
        let rows = Descriptor(first, [0, 4, 0, 4, 1, 1, 2, 4, 1, 3]);
        let whole = Descriptor(first, [0, 4, 0, 4, 0, 1, 12]);
        // SAFETY: the descriptors are of `a`.
        unsafe {
            let copy = trueline_contiguous(reversed.at(), 1, 4, 0).cast::<[i32; 6]>();
            assert_eq!(*copy, [12, 10, 8, 6, 4, 2]);
            (*copy)[1] = -10;
            trueline_end_contiguous(reversed.at(), 1, 4, 0, copy.cast(), 1);
            let copy = trueline_contiguous(rows.at(), 2, 4, 0).cast::<[i32; 6]>();
            assert_eq!(*copy, [1, 2, 5, 6, 9, -10]);
            (*copy)[0] = 0;
            trueline_end_contiguous(rows.at(), 2, 4, 0, copy.cast(), 0);
            assert_eq!(*first, 1);
            assert_eq!(trueline_contiguous(whole.at(), 1, 4, 0).cast(), first);
        }
    }

    /// C's descriptor, with strides in bytes.
    #[test]
    fn of_c() {
        let mut a = [1i16, 2, 3, 4, 5, 6];
        let odd = Descriptor(a.as_mut_ptr(), [2, 1, 0, 3, 4]);
        // SAFETY: the descriptor is of `a`.
        unsafe {
            let copy = trueline_contiguous(odd.at(), 1, 2, 1);
            assert_eq!(*copy.cast::<[i16; 3]>(), [1, 3, 5]);
            trueline_end_contiguous(odd.at(), 1, 2, 1, copy, 0);
        }
    }
}
