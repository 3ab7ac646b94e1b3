//! The targets of pointers, for the checks of `-fcheck=pointer` and `-fcheck=leaks`: memory that was allocated, and memory
//! that is gone.
//!
//! ```text
//! allocate (p(3))      note(address, 12, place, 'p')
//! q => p
//! deallocate (p)       the block is kept from reuse for a while, and marked in FILTER
//! x = q(2)             FILTER at the address of q is set, so the registry is asked: q dangles
//! ```
//!
//! A block that was deallocated goes back to the C library after many others only; until then no object can be in it, so an
//! address in it is that of a pointer that dangles, for certain. Addresses of which nothing is known are never reported.
//! Local variables of procedures that have returned are below the stack pointer of the procedure that asks.
//!
//! Compiled code reads the filter itself: a byte for the address in units of 16 bytes, one in units of 64 KiB, both modulo the
//! size of their table. Large blocks are in the second one only.

use crate::exit::{ERROR_CODE, split_location, tell_error};
use crate::memory::{bytes, c_text};
use std::backtrace::Backtrace;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard};
use trueline_abi::targets::{COARSE, COARSE_SHIFT, FINE, FINE_SHIFT, IS_POINTER, Released, WANTS_LEAKS};

/// A block of at least this many bytes is marked in the coarse table only, and gives its pages back at once.
const LARGE: usize = 64 << 10;
/// The most bytes of small blocks that are kept from reuse.
const MOST_BYTES: usize = 1 << 20;
/// The most blocks that are.
const MOST_BLOCKS: usize = 8192;
/// The most places whose leaks are told one by one.
const MOST_PLACES: usize = 20;
/// A mark that is never taken back.
const FOR_EVER: u8 = 255;

/// The filter: zero where certainly no target is gone.
#[unsafe(no_mangle)]
pub static trueline_gone_targets: [AtomicU8; FINE + COARSE] = [const { AtomicU8::new(0) }; FINE + COARSE];

/// Whether anything was ever noted.
static IS_ACTIVE: AtomicBool = AtomicBool::new(false);

static REGISTRY: Mutex<Registry> = Mutex::new(Registry::new());

/// A text of the program that lives as long as it does.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Text(&'static [u8]);

/// Memory that is allocated.
struct Block {
    size: usize,
    location: Text,
    name: Text,
    /// The chain of calls, if it is told when it is still there at the end.
    leaks: Option<Box<Backtrace>>,
}

/// Memory that was deallocated and is kept from reuse.
struct Gone {
    size: usize,
    location: Text,
}

struct Registry {
    live: BTreeMap<usize, Block>,
    gone: BTreeMap<usize, Gone>,
    /// The addresses of these, the oldest first.
    order: VecDeque<usize>,
    /// The bytes of the small ones.
    bytes: usize,
    /// The place where the target that was asked for last has gone.
    told: Option<Text>,
}

/// The block of `blocks` that `address` is in, and its start.
fn around<T>(blocks: &BTreeMap<usize, T>, address: usize, size: impl Fn(&T) -> usize) -> Option<(usize, &T)> {
    let (&start, block) = blocks.range(..=address).next_back()?;
    (address - start < size(block).max(1)).then_some((start, block))
}

impl Registry {
    const fn new() -> Registry {
        Registry { live: BTreeMap::new(), gone: BTreeMap::new(), order: VecDeque::new(), bytes: 0, told: None }
    }

    /// A new block. Blocks that were there before have been freed by code that does not tell.
    fn note(&mut self, address: usize, block: Block) {
        let end = address + block.size.max(1);
        let over: Vec<usize> = self.live.range(address..end).map(|(&start, _)| start).collect();
        let before = around(&self.live, address, |b| b.size).map(|(start, _)| start);
        for start in over.into_iter().chain(before) {
            self.live.remove(&start);
        }
        self.live.insert(address, block);
    }

    /// Takes the block at `address` out of the live ones; it will not be used again soon. False if it is none of them.
    fn retire(&mut self, address: usize, location: Text) -> bool {
        let Some(block) = self.live.remove(&address) else { return false };
        mark(address, block.size, |n| if n == FOR_EVER { n } else { n + 1 });
        if block.size >= LARGE {
            give_pages_back(address, block.size);
        } else {
            self.bytes += block.size;
        }
        self.gone.insert(address, Gone { size: block.size, location });
        self.order.push_back(address);
        while self.bytes > MOST_BYTES || self.order.len() > MOST_BLOCKS {
            let Some(oldest) = self.order.pop_front() else { break };
            self.forget(oldest);
        }
        true
    }

    /// Gives the block back to the C library.
    fn forget(&mut self, address: usize) {
        let Some(gone) = self.gone.remove(&address) else { return };
        if gone.size < LARGE {
            self.bytes -= gone.size;
        }
        mark(address, gone.size, |n| if n == FOR_EVER { n } else { n.saturating_sub(1) });
        // SAFETY: the block came from `malloc`, and was kept here in place of being freed.
        unsafe { libc::free(address as *mut libc::c_void) };
    }
}

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Changes the marks of all units that the block has a part in.
fn mark(address: usize, size: usize, change: impl Fn(u8) -> u8) {
    let last = address + size.max(1) - 1;
    let (shift, first_cell, cells) = match size >= LARGE {
        true => (COARSE_SHIFT, FINE, COARSE),
        false => (FINE_SHIFT, 0, FINE),
    };
    let units = ((last >> shift) - (address >> shift) + 1).min(cells);
    for k in 0..units {
        let cell = &trueline_gone_targets[first_cell + ((address >> shift) + k) % cells];
        cell.store(change(cell.load(Ordering::Relaxed)), Ordering::Relaxed);
    }
}

/// The whole pages inside of a large block are not needed any more.
fn give_pages_back(address: usize, size: usize) {
    const PAGE: usize = 64 << 10;
    let (first, end) = (address.next_multiple_of(PAGE), (address + size) / PAGE * PAGE);
    if first < end {
        // SAFETY: the pages are those of a block that nobody uses any more; their addresses stay taken.
        unsafe { libc::madvise(first as *mut libc::c_void, end - first, libc::MADV_DONTNEED) };
    }
}

/// DEALLOCATE of any memory: true if the block is kept here, and must not be freed.
pub(crate) fn keeps(memory: *mut u8) -> bool {
    if !IS_ACTIVE.load(Ordering::Relaxed) || memory.is_null() {
        return false;
    }
    let mut registry = registry();
    let location = registry.told.take().unwrap_or(Text(b""));
    registry.retire(memory as usize, location) || registry.gone.contains_key(&(memory as usize))
}

/// Notes memory that was allocated.
///
/// # Safety
/// `location` is null or NUL-terminated, `name` the address of `len` bytes; both live as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_note_target(
    memory: *mut u8,
    size: i64,
    location: *const u8,
    name: *const u8,
    len: i64,
    flags: i64,
) {
    if memory.is_null() {
        return;
    }
    IS_ACTIVE.store(true, Ordering::Relaxed);
    let leaks = (flags & WANTS_LEAKS != 0 && flags & IS_POINTER != 0).then(|| Box::new(Backtrace::force_capture()));
    // SAFETY: the caller passes literals.
    let (location, name) = unsafe { (Text(c_text(location)), Text(bytes(name, len))) };
    let block = Block { size: usize::try_from(size).unwrap_or(0), location, name, leaks };
    registry().note(memory as usize, block);
}

/// Whether a POINTER may be deallocated, a code of [`Released`]; its target has `size` bytes. The filter changes when the memory is
/// freed.
///
/// # Safety
/// `location` is null or NUL-terminated, and lives as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_release_target(
    _filter: *mut u8,
    memory: *mut u8,
    size: i64,
    location: *const u8,
) -> i32 {
    if memory.is_null() {
        return Released::Fine as i32;
    }
    let address = memory as usize;
    let mut registry = registry();
    // SAFETY: the caller passes a literal location.
    let location = Text(unsafe { c_text(location) });
    let size = usize::try_from(size).unwrap_or(0);
    let released = match (around(&registry.live, address, |b| b.size), around(&registry.gone, address, |g| g.size)) {
        (Some((start, block)), _) if start == address && block.size == size => Released::Fine,
        (Some(_), _) => Released::Part,
        (None, Some((_, gone))) => {
            registry.told = Some(gone.location);
            return Released::Gone as i32;
        }
        // Memory that code without checks allocated is neither in a file's data nor on the stack.
        (None, None) if is_static(address) || is_on_stack(address) => Released::Variable,
        (None, None) => Released::Fine,
    };
    registry.told = matches!(released, Released::Fine).then_some(location);
    released as i32
}

/// The TARGET at `place`, a local variable, ends with its procedure.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_target(_filter: *mut u8, place: *mut u8, size: i64) {
    mark(place as usize, usize::try_from(size).unwrap_or(0), |_| FOR_EVER);
}

/// Whether the target of a pointer is gone; the filter has said that it may be.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_target_gone(memory: *mut u8) -> i32 {
    core::arch::naked_asm!("lea rsi, [rsp + 8]", "jmp {body}", body = sym target_gone)
}

/// Whether the target of a pointer is gone; the filter has said that it may be.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_target_gone(memory: *mut u8) -> i32 {
    core::arch::naked_asm!("mov x1, sp", "b {body}", body = sym target_gone)
}

/// The same with the stack pointer of the caller.
unsafe extern "C" fn target_gone(memory: *mut u8, stack: usize) -> i32 {
    let address = memory as usize;
    let mut registry = registry();
    if let Some((_, gone)) = around(&registry.gone, address, |g| g.size) {
        registry.told = Some(gone.location);
        return 1;
    }
    let is_below = address < stack && stack - address < (1 << 30) && is_on_stack(address);
    if is_below {
        registry.told = None;
    }
    is_below.into()
}

/// Takes the place where the target that was asked for last has gone: ` (…)`, or nothing.
pub(crate) fn told() -> String {
    let Some(location) = registry().told.take() else { return String::new() };
    let (file, line, _) = split_location(location.0);
    match line.is_empty() {
        true => String::new(),
        false => format!(": its target was deallocated at {}:{}", lossy(file), lossy(line)),
    }
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// Whether the address is on this thread's stack.
fn is_on_stack(address: usize) -> bool {
    crate::stack_room::of_thread().is_some_and(|stack| stack.contains(&address))
}

/// Whether the address is in the memory of a file that is linked or loaded.
fn is_static(address: usize) -> bool {
    extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, found: *mut libc::c_void) -> libc::c_int {
        // SAFETY: the loader passes a description with a table of `dlpi_phnum` rows; `found` is what was passed below.
        unsafe {
            let (info, found) = (&*info, &mut *found.cast::<(usize, bool)>());
            let rows = std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
            found.1 |= rows.iter().filter(|r| r.p_type == libc::PT_LOAD).any(|r| {
                let start = (info.dlpi_addr as usize).wrapping_add(r.p_vaddr as usize);
                found.0.wrapping_sub(start) < r.p_memsz as usize
            });
            found.1.into()
        }
    }
    let mut found = (address, false);
    // SAFETY: the callback is called before this returns, with the pair.
    unsafe { libc::dl_iterate_phdr(Some(look), std::ptr::from_mut(&mut found).cast()) };
    found.1
}

/// At the end of the program: tells the memory of pointers that is still allocated, if `-fcheck=leaks` asks for it; returns the exit code.
pub(crate) fn end(code: i32) -> i32 {
    if code != 0 || !IS_ACTIVE.load(Ordering::Relaxed) {
        return code;
    }
    let registry = registry();
    let mut places: Vec<(Text, Text, usize, usize, &Backtrace)> = Vec::new();
    for block in registry.live.values() {
        let Some(leaks) = &block.leaks else { continue };
        match places.iter_mut().find(|p| p.0 == block.location && p.1 == block.name) {
            Some(place) => (place.2, place.3) = (place.2 + 1, place.3 + block.size),
            None => places.push((block.location, block.name, 1, block.size, leaks)),
        }
    }
    // By place, not by address: each run of a program prints the same.
    places.sort_by_key(|p| (split_location(p.0.0).0, number(split_location(p.0.0).1), p.1.0));
    for &(location, name, count, size, leaks) in places.iter().take(MOST_PLACES) {
        tell_error(&leak(location, name, count, size, leaks));
    }
    if places.len() > MOST_PLACES {
        let (blocks, bytes) = places.iter().fold((0, 0), |sum, p| (sum.0 + p.2, sum.1 + p.3));
        let text = format!("Leaks of {} places: {bytes} bytes in {blocks} allocations\n", places.len());
        tell_error(text.as_bytes());
    }
    if places.is_empty() { code } else { ERROR_CODE }
}

fn number(line: &[u8]) -> u64 {
    lossy(line).parse().unwrap_or(0)
}

/// The message of a leak.
fn leak(location: Text, name: Text, count: usize, size: usize, chain: &Backtrace) -> Vec<u8> {
    let times = if count == 1 { "1 allocation".to_owned() } else { format!("{count} allocations") };
    let name = lossy(name.0);
    let message = format!("Memory of pointer '{name}' is never deallocated: {size} bytes in {times}");
    let mut text = crate::exit::message_at(location.0, message.as_bytes(), "");
    let frames = crate::backtrace::of(chain);
    if !frames.is_empty() {
        text.extend_from_slice(b"\nAllocated by:\n");
        text.extend_from_slice(&frames);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(size: usize) -> Block {
        Block { size, location: Text(b"a.f90:1.2"), name: Text(b"p"), leaks: None }
    }

    #[test]
    fn blocks_are_found_by_any_address_in_them() {
        let mut registry = Registry::new();
        registry.note(1000, block(10));
        registry.note(1016, block(0));
        let find = |r: &Registry, at| around(&r.live, at, |b| b.size).map(|found| found.0);
        assert_eq!(
            [999, 1000, 1009, 1010, 1016, 1017].map(|at| find(&registry, at)),
            [None, Some(1000), Some(1000), None, Some(1016), None]
        );
        // Another block where they were: they had been freed by code that does not tell.
        registry.note(1008, block(16));
        assert_eq!([1000, 1008, 1016].map(|at| find(&registry, at)), [None, Some(1008), Some(1008)]);
    }

    #[test]
    fn blocks_that_are_gone_are_kept_and_then_given_back() {
        let mut registry = Registry::new();
        for k in 0..MOST_BLOCKS + 3 {
            // SAFETY: any size may be asked for; the registry frees the block.
            let address = unsafe { libc::malloc(24) } as usize;
            registry.note(address, block(24));
            assert!(registry.retire(address, Text(b"")) && !registry.retire(address, Text(b"")), "{k}");
            let cell = &trueline_gone_targets[(address >> FINE_SHIFT) % FINE];
            assert!(cell.load(Ordering::Relaxed) > 0);
        }
        assert_eq!((registry.gone.len(), registry.order.len()), (MOST_BLOCKS, MOST_BLOCKS));
        while let Some(oldest) = registry.order.pop_front() {
            registry.forget(oldest);
        }
        assert_eq!((registry.gone.len(), registry.bytes), (0, 0));
    }

    #[test]
    fn data_and_stack_are_known() {
        let local = 0u8;
        let heap = Box::new(0u8);
        let [stack, heap] = [&local, &*heap].map(|p| std::ptr::from_ref(p) as usize);
        let data = std::ptr::from_ref(&IS_ACTIVE) as usize;
        assert_eq!([stack, heap, data].map(is_static), [false, false, true]);
        assert_eq!([stack, heap, data].map(is_on_stack), [true, false, false]);
    }
}
