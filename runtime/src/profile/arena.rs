//! The memory of the profile: one file, mapped, that grows by whole pages.
//!
//! If no file can be made (a read-only directory, a full disk) the same memory is anonymous: all works as before, but a
//! killed program leaves nothing. Addresses are reserved in one piece, so that an offset in the file becomes an address
//! by one addition, and pages are allocated on disk before they are mapped, so that a full disk is an error here and
//! never a fault in the program.

pub(crate) use crate::shared::lock::Lock;
use crate::shared::room;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use trueline_abi::raw::Header;

/// The file grows by a multiple of this number of bytes.
pub(crate) const STEP: usize = 256 * 1024;

static BASE: AtomicPtr<u8> = AtomicPtr::new(std::ptr::null_mut());
static RESERVED: AtomicUsize = AtomicUsize::new(0);
static MAPPED: AtomicUsize = AtomicUsize::new(0);
static FILE: AtomicI32 = AtomicI32::new(-1);
static INODE: AtomicU64 = AtomicU64::new(0);
static LOCK: Lock = Lock::new();

/// Makes the memory of the process's host that of this runtime, too.
pub(crate) fn share(base: *mut u8) {
    BASE.store(base, Ordering::Release);
}

/// [`base`], for runtimes of other files.
pub(crate) extern "C" fn base_for_guests() -> *mut u8 {
    base()
}

/// The beginning of the memory; null if there is none.
#[inline]
pub(crate) fn base() -> *mut u8 {
    BASE.load(Ordering::Acquire)
}

/// The header; there must be memory.
#[inline]
pub(crate) fn header() -> *mut Header {
    base().cast()
}

/// The address of an offset.
#[inline]
pub(crate) fn at<T>(offset: u64) -> *mut T {
    base().wrapping_add(offset as usize).cast()
}

/// The offset of an address.
pub(crate) fn offset<T>(address: *mut T) -> u64 {
    (address as usize).wrapping_sub(base() as usize) as u64
}

/// Whether a value of this type at the address lies in the memory. Async-signal-safe.
pub(crate) fn holds<T>(address: *mut T) -> bool {
    let at = (address as usize).wrapping_sub(base() as usize);
    !base().is_null() && address.is_aligned() && at < MAPPED.load(Ordering::Acquire).saturating_sub(size_of::<T>())
}

/// Makes new memory of at least `size` bytes over `file`, or anonymous memory if that is -1 or the disk is full.
/// Returns whether a file is behind it. The old memory, of a forked child, is left alone.
pub(crate) fn create(file: i32, inode: u64, size: usize) -> bool {
    LOCK.reset();
    let Some((base, reserved)) = reserve() else {
        BASE.store(std::ptr::null_mut(), Ordering::Release);
        return false;
    };
    FILE.store(file, Ordering::Relaxed);
    INODE.store(inode, Ordering::Relaxed);
    RESERVED.store(reserved, Ordering::Relaxed);
    MAPPED.store(0, Ordering::Relaxed);
    BASE.store(base, Ordering::Release);
    if !grow(size) {
        BASE.store(std::ptr::null_mut(), Ordering::Release);
        return false;
    }
    FILE.load(Ordering::Relaxed) >= 0
}

/// Reserves the largest range of addresses that the system gives.
fn reserve() -> Option<(*mut u8, usize)> {
    for bits in [36, 30, 26, 24] {
        let size = 1usize << bits;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: asks for new addresses.
        let p = unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_NONE, flags, -1, 0) };
        if p != libc::MAP_FAILED {
            return Some((p.cast(), size));
        }
    }
    None
}

/// Maps further pages until `need` bytes are there.
pub(crate) fn grow(need: usize) -> bool {
    if let Some(host) = super::host::host() {
        return host.grow(need);
    }
    // A handler that counts may ask for memory, too.
    crate::signals::blocked(|| room::grow(&LOCK, &MAPPED, (need, STEP, RESERVED.load(Ordering::Relaxed)), map))
}

fn map(start: usize, size: usize) -> bool {
    let address = base().wrapping_add(start).cast();
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let file = FILE.load(Ordering::Relaxed);
    if file >= 0 {
        let mut allocated = 0;
        // SAFETY: the addresses are reserved for us.
        let done = is_ours(file)
            && (start + size) as u64 <= largest_file()
            && {
                // SAFETY: no memory is passed.
                allocated = unsafe { libc::posix_fallocate(file, start as i64, size as i64) };
                allocated == 0
            }
            && unsafe { libc::mmap(address, size, protection, libc::MAP_SHARED | libc::MAP_FIXED, file, start as i64) }
                != libc::MAP_FAILED;
        if done {
            return true;
        }
        FILE.store(-1, Ordering::Relaxed);
        if start > 0 && matches!(allocated, libc::ENOSPC | libc::EDQUOT) {
            super::file::tell_full();
        }
    }
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    // SAFETY: the addresses are reserved for us.
    unsafe { libc::mmap(address, size, protection, flags, -1, 0) != libc::MAP_FAILED }
}

/// The largest possible file: beyond it the system does not refuse, it ends the program.
pub(crate) fn largest_file() -> u64 {
    // SAFETY: the structure is filled by the call.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) == 0 { limit.rlim_cur } else { u64::MAX }
    }
}

/// Whether the descriptor is still that of our file: a program may close descriptors that it does not know.
fn is_ours(file: i32) -> bool {
    // SAFETY: a zeroed structure is valid, and filled by the call.
    unsafe {
        let mut status: libc::stat = std::mem::zeroed();
        libc::fstat(file, &mut status) == 0 && status.st_ino as u64 == INODE.load(Ordering::Relaxed)
    }
}

/// The descriptor of the file, if there is one.
pub(crate) fn file() -> Option<i32> {
    let file = super::host::host().map_or_else(|| FILE.load(Ordering::Relaxed), super::host::Host::file);
    Some(file).filter(|&f| f >= 0)
}

/// `size` zeroed bytes at a multiple of 64, or of `align`; null if there are no more.
pub(crate) fn allocate(size: u64, align: u64) -> *mut u8 {
    let size = size.next_multiple_of(64) + if align > 64 { align } else { 0 };
    // SAFETY: there is memory, and its beginning is the header.
    let used = unsafe { AtomicU64::from_ptr(&raw mut (*header()).used) };
    room::take(used, &MAPPED, size, grow)
        .map_or(std::ptr::null_mut(), |start| at(start.next_multiple_of(align.max(64))))
}

/// `count` zeroed values; null if there is no memory.
pub(crate) fn make<T>(count: u64) -> *mut T {
    allocate(count * size_of::<T>() as u64, 64).cast()
}

/// A copy of `bytes`: its offset, or 0.
pub(crate) fn copy(bytes: &[u8]) -> u64 {
    let to = allocate(bytes.len() as u64, 64);
    if to.is_null() {
        return 0;
    }
    // SAFETY: the memory is new, and as long.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
    offset(to)
}

/// Everything in use.
pub(crate) fn bytes() -> &'static [u8] {
    if base().is_null() {
        return &[];
    }
    // SAFETY: that much is mapped. Other threads may still count in it; a number is read whole.
    unsafe {
        let used = ((*header()).used as usize).min(MAPPED.load(Ordering::Acquire));
        std::slice::from_raw_parts(base(), used)
    }
}
