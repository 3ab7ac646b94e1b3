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
//! Compiled code reads the filter itself: a cell for the address in units of 16 bytes, one in units of 64 KiB, both modulo the
//! size of their table. A cell has the number of the block that was last there. Large blocks are in the second table only.

use crate::exit::{ERROR_CODE, split_location, tell_error};
use crate::memory::{bytes, c_text};
use std::backtrace::Backtrace;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::sync::{Mutex, MutexGuard};
use trueline_abi::targets::{COARSE, COARSE_SHIFT, FINE, FINE_SHIFT, IS_POINTER, Released, WANTS_LEAKS};

/// A block of at least this many bytes is marked in the coarse table only, and gives its pages back at once.
const LARGE: usize = 64 << 10;
/// The most bytes of small blocks that are kept from reuse.
const MOST_BYTES: usize = 1 << 20;
/// The most blocks that are.
const MOST_BLOCKS: usize = if cfg!(miri) { 64 } else { 8192 };
/// The most places whose leaks are told one by one.
const MOST_PLACES: usize = 20;
/// The most blocks that are looked at for addresses that are the start of none, in all.
const MOST_LOOKS: usize = 1 << 27;
/// A cell of places on the stack.
const ON_STACK: u16 = u16::MAX;

/// The filter: zero where certainly no target is gone, else the number of the block that is, from 1.
#[unsafe(no_mangle)]
pub static trueline_gone_targets: [AtomicU16; FINE + COARSE] = [const { AtomicU16::new(0) }; FINE + COARSE];

/// Whether anything was ever noted.
static IS_ACTIVE: AtomicBool = AtomicBool::new(false);

/// Whether any memory was noted whose leak is to be told.
static TELLS_LEAKS: AtomicBool = AtomicBool::new(false);

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

/// Memory that was deallocated and is kept from reuse; nothing if the address is 0.
#[derive(Clone, Copy)]
struct Gone {
    address: usize,
    size: usize,
    location: Text,
}

/// A hash of addresses: multiplication spreads them.
#[derive(Default, Clone, Copy)]
struct Spread(u64);

impl std::hash::Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.write_usize(b.into()));
    }

    fn write_usize(&mut self, n: usize) {
        self.0 = (self.0 ^ (n as u64 >> 4)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
    }
}

#[derive(Default, Clone)]
struct Spreading;

impl std::hash::BuildHasher for Spreading {
    type Hasher = Spread;
    fn build_hasher(&self) -> Spread {
        Spread(0)
    }
}

struct Registry {
    /// Memory that is allocated, by the complement of its address: the table itself must not look like a pointer to it.
    live: HashMap<usize, Block, Spreading>,
    /// A ring, of which the numbers in the filter are the places.
    gone: Vec<Gone>,
    /// The place of the oldest, and the number of places that are taken.
    oldest: usize,
    count: usize,
    /// The bytes of the small ones.
    bytes: usize,
    /// The blocks that have been looked at.
    looks: usize,
    /// The place where the target that was asked for last has gone.
    told: Option<Text>,
}

impl Registry {
    const fn new() -> Registry {
        let live = HashMap::with_hasher(Spreading);
        Registry { live, gone: Vec::new(), oldest: 0, count: 0, bytes: 0, looks: 0, told: None }
    }

    /// Whether the address is in a live block, but not its start.
    fn is_inside(&mut self, address: usize) -> bool {
        self.looks = self.looks.saturating_add(self.live.len());
        let is_around = |(&start, block): (&usize, &Block)| address.wrapping_sub(!start) < block.size.max(1);
        self.looks < MOST_LOOKS && self.live.iter().any(is_around)
    }

    /// The block that is gone with the address in it.
    fn gone_at(&self, address: usize) -> Option<Gone> {
        let cells = [(address >> FINE_SHIFT) % FINE, FINE + (address >> COARSE_SHIFT) % COARSE];
        let places = cells.map(|cell| usize::from(trueline_gone_targets[cell].load(Ordering::Relaxed)));
        let blocks = places.into_iter().filter_map(|place| self.gone.get(place.wrapping_sub(1)).copied());
        blocks.filter(|g| g.address != 0).find(|g| address.wrapping_sub(g.address) < g.size.max(1))
    }

    /// Takes the block at `address` out of the live ones; it will not be used again soon. False if it is none of them.
    fn retire(&mut self, address: usize, location: Text) -> bool {
        let Some(block) = self.live.remove(&!address) else { return false };
        if self.gone.is_empty() {
            self.gone = vec![Gone { address: 0, size: 0, location: Text(b"") }; MOST_BLOCKS];
        }
        if self.count == MOST_BLOCKS {
            self.forget_oldest();
        }
        let place = (self.oldest + self.count) % MOST_BLOCKS;
        self.gone[place] = Gone { address, size: block.size, location };
        self.count += 1;
        let number = place as u16 + 1;
        each_cell(address, block.size, |cell| cell.store(number, Ordering::Relaxed));
        if block.size >= LARGE {
            give_pages_back(address, block.size);
        } else {
            self.bytes += block.size;
        }
        while self.bytes > MOST_BYTES {
            self.forget_oldest();
        }
        true
    }

    /// Gives the block that was kept for longest back to the C library.
    fn forget_oldest(&mut self) {
        let Gone { address, size, .. } =
            std::mem::replace(&mut self.gone[self.oldest], Gone { address: 0, size: 0, location: Text(b"") });
        let number = self.oldest as u16 + 1;
        (self.oldest, self.count) = ((self.oldest + 1) % MOST_BLOCKS, self.count - 1);
        if size < LARGE {
            self.bytes -= size;
        }
        each_cell(address, size, |cell| {
            if cell.load(Ordering::Relaxed) == number {
                cell.store(0, Ordering::Relaxed);
            }
        });
        // SAFETY: the block came from `malloc`, and was kept here in place of being freed.
        unsafe { libc::free(address as *mut libc::c_void) };
    }
}

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Calls `change` for the cells of all units that the block has a part in.
fn each_cell(address: usize, size: usize, change: impl Fn(&AtomicU16)) {
    let last = address + size.max(1) - 1;
    let (shift, first_cell, cells) = match size >= LARGE {
        true => (COARSE_SHIFT, FINE, COARSE),
        false => (FINE_SHIFT, 0, FINE),
    };
    let units = ((last >> shift) - (address >> shift) + 1).min(cells);
    for k in 0..units {
        change(&trueline_gone_targets[first_cell + ((address >> shift) + k) % cells]);
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
    let address = memory as usize;
    let is_kept =
        registry.gone_at(address).is_some_and(|g| g.address == address) || registry.retire(address, Text(b""));
    if is_kept {
        // SAFETY: the block is in the ring, so it is allocated still, and the program uses it no more.
        unsafe { clear(memory) };
    }
    is_kept
}

/// Before memory is freed: takes the addresses out of it, which would look like pointers at the end, if leaks are told then.
///
/// # Safety
/// `memory` is null or came from `malloc`; nobody uses it any more.
pub(crate) unsafe fn clear(memory: *mut u8) {
    if !memory.is_null() && TELLS_LEAKS.load(Ordering::Relaxed) {
        // SAFETY: all bytes that `malloc` says there are belong to the block.
        unsafe { memory.write_bytes(0, libc::malloc_usable_size(memory.cast())) };
    }
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
    if leaks.is_some() {
        TELLS_LEAKS.store(true, Ordering::Relaxed);
    }
    // SAFETY: the caller passes literals.
    let (location, name) = unsafe { (Text(c_text(location)), Text(bytes(name, len))) };
    let block = Block { size: usize::try_from(size).unwrap_or(0), location, name, leaks };
    registry().live.insert(!(memory as usize), block);
}

/// Whether a POINTER may be deallocated, a code of [`Released`]; its target has `size` bytes. If it may, it is gone from now on, and
/// DEALLOCATE will find it so.
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
    let released = match registry.live.get(&!address) {
        // A larger one was allocated by code that does not tell, where such code had freed the other.
        Some(block) if block.size <= size => Released::Fine,
        Some(_) => Released::Part,
        None => match registry.gone_at(address) {
            Some(gone) => {
                registry.told = Some(gone.location);
                Released::Gone
            }
            // Memory that code without checks allocated is neither in a file's data nor on the stack.
            None if registry.is_inside(address) => Released::Part,
            None if is_static(address) || is_on_stack(address) => Released::Variable,
            None => Released::Fine,
        },
    };
    if released == Released::Fine {
        registry.retire(address, location);
    }
    released as i32
}

/// The TARGET at `place`, a local variable, ends with its procedure.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_end_target(_filter: *mut u8, place: *mut u8, size: i64) {
    each_cell(place as usize, usize::try_from(size).unwrap_or(0), |cell| cell.store(ON_STACK, Ordering::Relaxed));
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
    if let Some(gone) = registry.gone_at(address) {
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

/// At the end of the program: tells the memory that no pointer has any more, if `-fcheck=leaks` asks for it; returns the exit code.
pub(crate) fn end(code: i32) -> i32 {
    if code != 0 || !TELLS_LEAKS.load(Ordering::Relaxed) {
        return code;
    }
    let registry = registry();
    let wanted = || registry.live.iter().filter_map(|(&hidden, b)| Some((hidden, b, b.leaks.as_deref()?)));
    let mut blocks = crate::reach::Blocks::new(wanted().map(|(hidden, b, _)| (hidden, b.size.max(1))));
    if blocks.find_reached().is_none() {
        tell_error(b"Leaks are not told: the memory of the program cannot be read in /proc/self\n");
        return code;
    }
    let mut places: Vec<(Text, Text, usize, usize, &Backtrace)> = Vec::new();
    for (_, block, leaks) in wanted().filter(|&(hidden, ..)| !blocks.is_reached(hidden)) {
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
    fn parts_of_blocks_are_known() {
        let mut registry = Registry::new();
        registry.live.insert(!1000, block(10));
        registry.live.insert(!1016, block(0));
        assert_eq!([999, 1009, 1010, 1016, 1017].map(|at| registry.is_inside(at)), [false, true, false, true, false]);
    }

    #[test]
    fn blocks_that_are_gone_are_kept_and_then_given_back() {
        let mut registry = Registry::new();
        for k in 0..MOST_BLOCKS + 3 {
            // SAFETY: any size may be asked for; the registry frees the block.
            let address = unsafe { libc::malloc(24) } as usize;
            registry.live.insert(!address, block(24));
            assert!(registry.retire(address, Text(b"")) && !registry.retire(address, Text(b"")), "{k}");
            let inside = registry.gone_at(address + 23).map(|g| g.address);
            assert!(inside == Some(address) && registry.gone_at(address + 24).is_none_or(|g| g.address != address));
        }
        assert_eq!(registry.count, MOST_BLOCKS);
        while registry.count > 0 {
            registry.forget_oldest();
        }
        assert_eq!(registry.bytes, 0);
        assert!(registry.gone.iter().all(|g| registry.gone_at(g.address).is_none()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "asks the loader")]
    fn data_and_stack_are_known() {
        let local = 0u8;
        let heap = Box::new(0u8);
        let [stack, heap] = [&local, &*heap].map(|p| std::ptr::from_ref(p) as usize);
        let data = std::ptr::from_ref(&IS_ACTIVE) as usize;
        assert_eq!([stack, heap, data].map(is_static), [false, false, true]);
        assert_eq!([stack, heap, data].map(is_on_stack), [true, false, false]);
    }
}
