//! The allocator of the library: the C library's, but in the handler of a signal that ends the program.
//!
//! The handler makes a profile, which takes memory, and may have interrupted the C library in the middle of an
//! allocation. From then on memory is fresh from the system and never given back.

use crate::shared::pieces::{self, Piece};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

static IN_HANDLER: AtomicBool = AtomicBool::new(false);
/// The address of the piece that the system gave last; 0 if there is none.
static NEWEST: AtomicUsize = AtomicUsize::new(0);

/// The least number of bytes that the system is asked for.
const PIECE: usize = 4 << 20;

struct Heap;

#[global_allocator]
static HEAP: Heap = Heap;

/// From here on no state is used that the program may have been changing. There is no way back.
pub(crate) fn enter_handler() {
    IN_HANDLER.store(true, Ordering::SeqCst);
}

// SAFETY: either the system's allocator, or fresh memory that is aligned and large enough and never used twice.
unsafe impl GlobalAlloc for Heap {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if IN_HANDLER.load(Ordering::Relaxed) {
            return fresh(layout);
        }
        // SAFETY: the layout is passed on, and the system's allocator has the same conditions.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if !IN_HANDLER.load(Ordering::Relaxed) {
            // SAFETY: outside of the handler all memory is the system's, and the layout is the one it was allocated with.
            unsafe { System.dealloc(memory, layout) }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if IN_HANDLER.load(Ordering::Relaxed) {
            return fresh(layout);
        }
        // SAFETY: the layout is passed on, and the system's allocator has the same conditions.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !IN_HANDLER.load(Ordering::Relaxed) {
            // SAFETY: the memory is the system's, which alone is used before the handler; the layout is the caller's.
            return unsafe { System.realloc(memory, layout, size) };
        }
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else { return std::ptr::null_mut() };
        let new = fresh(wanted);
        if !new.is_null() {
            // SAFETY: both are at least as long.
            unsafe { std::ptr::copy_nonoverlapping(memory, new, layout.size().min(size)) };
        }
        new
    }
}

/// Zeroed memory that was not used before. One thread is in the handler, but others that are not stopped allocate, too.
#[cold]
fn fresh(layout: Layout) -> *mut u8 {
    let wanted = layout.size().saturating_add(layout.align()).saturating_add(size_of::<Piece>());
    let size = PIECE.max(wanted.min(isize::MAX as usize));
    let more = || {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: asks for new memory.
        let new = unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        if new == libc::MAP_FAILED {
            return None;
        }
        let (next, end) = (new as usize + size_of::<Piece>(), new as usize + size);
        // SAFETY: the memory is new, aligned to a page and larger.
        unsafe { new.cast::<Piece>().write(Piece { next: AtomicUsize::new(next), end }) };
        Some(new.expose_provenance())
    };
    // SAFETY: `more` has put a piece there, which is given back by nobody who has shown it to another thread.
    let piece = |at: usize| unsafe { &*std::ptr::with_exposed_provenance::<Piece>(at) };
    // SAFETY: the memory is that of `more`, with the same size, and nobody else knows it.
    let give_back = |at: usize| _ = unsafe { libc::munmap(std::ptr::with_exposed_provenance_mut(at), size) };
    let start = pieces::take(&NEWEST, (layout.size(), layout.align()), piece, more, give_back);
    start.map_or(std::ptr::null_mut(), std::ptr::with_exposed_provenance_mut)
}
