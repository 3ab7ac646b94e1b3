//! The blocks: the part of the memory of the profile that each thread has for itself.
//!
//! A thread adds to counters in its own [`Block`], without a lock. On x86-64 compiled code finds it by a thread-local
//! word, [`BLOCK_DISTANCE`](trueline_abi::record::BLOCK_DISTANCE): the address of a counter in the section that all
//! objects have in common, less that word, is the address of the thread's counter. A thread without a block, whatever
//! library made the thread, gets one when it first enters a procedure that counts
//! ([`TAKE_BLOCK`](trueline_abi::record::TAKE_BLOCK)). Nothing happens when a thread ends: the next thread that begins
//! takes over its block with all counts, as soon as the kernel does not know its owner any more. So nothing is moved, a
//! kill at any instant loses nothing, and there are as many blocks as there were threads at once.
//!
//! On other processors the section of the counters is the one block of all threads, and code adds to it atomically.
//!
//! **Invariants:** at most one thread counts in a block; a block is in the list before anything is counted in it; it stays at
//! its address until the program ends, also in a forked child, whose own memory is mapped there: compiled code keeps
//! addresses of counters over calls.

use super::arena::{self, Lock};
use super::objects;
use crate::shared::list;
use std::sync::atomic::{AtomicI32, AtomicU64, AtomicUsize, Ordering};
use trueline_abi::raw::Block;

/// The counters of a block begin on a page, and have whole pages, so that a forked child can map its own over them.
const PAGE: usize = if cfg!(target_arch = "x86_64") { 4096 } else { 65536 };

/// The owner of a block that no other thread may take over.
const NOBODY_ELSE: u64 = u64::MAX;

static LOCK: Lock = Lock::new();
/// The place of this runtime's counters among those of all linked files of the process.
static FIRST: AtomicU64 = AtomicU64::new(0);
/// The thread that is making the memory of the profile; 0 if none is.
static BEGINNER: AtomicI32 = AtomicI32::new(0);

/// Counters that stand outside of the memory of the profile, because no file can be mapped there: copied at the end.
struct Apart {
    /// Their address.
    cells: AtomicUsize,
    /// The offset of their place; 0 if there are none.
    place: AtomicU64,
}

impl Apart {
    const fn none() -> Apart {
        Apart { cells: AtomicUsize::new(0), place: AtomicU64::new(0) }
    }

    fn set(&self, cells: usize, place: u64) {
        self.cells.store(cells, Ordering::Relaxed);
        self.place.store(place, Ordering::Release);
    }

    fn save(&self) {
        let place = self.place.load(Ordering::Acquire);
        if place != 0 {
            let cells = self.cells.load(Ordering::Relaxed) as *const u8;
            // SAFETY: set to counters and the counters of a block, which have this length.
            unsafe { std::ptr::copy_nonoverlapping(cells, arena::at(place), objects::counters().len()) };
        }
    }
}

/// The block that stays at its address, that of the thread that forked this process, if no file is mapped over it.
static INHERITED: Apart = Apart::none();
/// The section itself, for threads that could not get a block.
static SECTION: Apart = Apart::none();

/// Runs `f`, which makes the memory of the profile. A procedure that the handler of a signal calls meanwhile counts in
/// the section.
pub(crate) fn while_beginning(f: impl FnOnce()) {
    BEGINNER.store(thread_id(), Ordering::Relaxed);
    f();
    BEGINNER.store(0, Ordering::Relaxed);
}

/// Gives the thread that begins the profile its block. `is_child`: it is the only thread of a forked child.
pub(crate) fn begin(is_child: bool) {
    // SAFETY: there is memory.
    unsafe { (*arena::header()).counters_len = objects::counters().len() as u64 };
    if is_child {
        LOCK.reset();
        INHERITED.set(0, 0);
        SECTION.set(0, 0);
    }
    begin_own(is_child);
}

/// As [`begin`], in a runtime whose counters stand behind those of others.
pub(crate) fn begin_as_guest(first: u64, is_child: bool) {
    FIRST.store(first, Ordering::Relaxed);
    if is_child {
        LOCK.reset();
        INHERITED.set(0, 0);
        SECTION.set(0, 0);
    }
    begin_own(is_child);
}

fn begin_own(is_child: bool) {
    if objects::counters().is_empty() || arena::base().is_null() {
        return;
    }
    match own::cells() {
        Some(cells) => stand_for(cells, is_child),
        None if is_child => {}
        None => own::take(),
    }
}

/// Makes room for the counters of a guest behind those of all; returns their place.
pub(crate) fn reserve(len: u64) -> u64 {
    // SAFETY: there is memory; only the holder of the lock of records adds to the length.
    unsafe {
        let header = arena::header();
        let first = (*header).counters_len.next_multiple_of(8);
        (*header).counters_len = first + len.next_multiple_of(8);
        first
    }
}

/// [`leave_parent`], at the request of the host.
pub(crate) extern "C" fn leave_parent_as_guest() {
    leave_parent();
}

/// [`save`], at the request of the host.
pub(crate) extern "C" fn save_as_guest() {
    save();
}

/// In a forked child, first of all: stops counting in the memory of the parent.
pub(crate) fn leave_parent() {
    own::forget_section();
    if let Some(cells) = own::cells() {
        map_anonymous(cells);
    }
}

fn map_anonymous(cells: *mut u8) {
    let len = objects::counters().len().next_multiple_of(PAGE);
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
    // SAFETY: the pages hold counters and nothing else.
    unsafe { libc::mmap(cells.cast(), len, protection, flags, -1, 0) };
}

/// Makes a block for counters that must stay at their address: its pages are mapped there, or the counters are copied
/// at the end.
fn stand_for(cells: *mut u8, is_child: bool) {
    let Some(block) = create(thread_id() as u64) else { return };
    // SAFETY: just made.
    let place = unsafe { (*block).counters };
    let size = objects::counters().len();
    if !is_child {
        // SAFETY: both have this length, the place is new.
        unsafe { std::ptr::copy_nonoverlapping(cells, arena::at(place), size) };
    }
    let mapped = arena::file().is_some_and(|file| {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        // SAFETY: the pages hold counters and nothing else, and have the same content as the file that replaces them.
        let to =
            unsafe { libc::mmap(cells.cast(), size.next_multiple_of(PAGE), protection, flags, file, place as i64) };
        to != libc::MAP_FAILED
    });
    if !mapped {
        INHERITED.set(cells as usize, place);
    }
}

/// Copies the counters that stand outside of the memory of the profile into it. Async-signal-safe.
pub(crate) fn save() {
    if SECTION.place.load(Ordering::Relaxed) == 0
        && own::has_section_apart()
        && objects::counters().iter().any(|&byte| byte != 0)
        && let Some(block) = create(NOBODY_ELSE)
    {
        // SAFETY: just made.
        SECTION.set(objects::counters().as_ptr() as usize, unsafe { (*block).counters });
    }
    SECTION.save();
    INHERITED.save();
}

/// Adds to counters at their places among those of all linked files.
pub(crate) fn add(amounts: impl Iterator<Item = (u64, u64)>) {
    let cells = own::cells().unwrap_or_else(|| objects::counters().as_mut_ptr());
    let len = objects::counters().len() as u64;
    for (place, amount) in amounts {
        let place = place.wrapping_sub(FIRST.load(Ordering::Relaxed));
        if place.checked_add(8).is_some_and(|end| end <= len) {
            // SAFETY: the place is that of a counter, which code of other threads adds to in whole words.
            unsafe {
                let cell = cells.add(place as usize).cast::<u64>();
                cell.write(cell.read().wrapping_add(amount));
            }
        }
    }
}

/// A new block in the list.
fn create(owner: u64) -> Option<*mut Block> {
    let size = objects::counters().len().next_multiple_of(PAGE) as u64;
    let block: *mut Block = arena::make(1);
    let counters = arena::allocate(size, PAGE as u64);
    if block.is_null() || counters.is_null() {
        return None;
    }
    // SAFETY: new memory; the header is valid, its fields are shared as atomics.
    unsafe {
        let header = arena::header();
        *block = Block {
            owner,
            counters: arena::offset(counters),
            first: FIRST.load(Ordering::Relaxed),
            len: objects::counters().len() as u64,
            ..Block::default()
        };
        let list = AtomicU64::from_ptr(&raw mut (*header).blocks);
        list::push(list, arena::offset(block), |newest| (*block).next = newest);
        AtomicU64::from_ptr(&raw mut (*header).block_count).fetch_add(1, Ordering::Relaxed);
    }
    Some(block)
}

/// The kernel's number of the calling thread.
fn thread_id() -> i32 {
    // SAFETY: asks for a number.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

#[cfg(target_arch = "x86_64")]
mod own {
    //! A block for each thread.

    use super::*;
    use crate::shared::owners::{self, Owned};
    use trueline_abi::record::{BLOCK_DISTANCE, NO_BLOCK, TAKE_BLOCK};

    // The word, defined once in an executable or shared library, is addressed from the thread pointer, without a call.
    // The routine may be called where a procedure begins: it keeps all registers that pass arguments.
    std::arch::global_asm!(
        ".pushsection .tdata.trueline_block_distance,\"awT\",@progbits",
        ".balign 8",
        ".globl trueline_block_distance",
        ".hidden trueline_block_distance",
        ".type trueline_block_distance, @tls_object",
        ".size trueline_block_distance, 8",
        "trueline_block_distance:",
        ".quad {no_block}",
        ".popsection",
        ".pushsection .text.trueline_take_block,\"ax\",@progbits",
        ".balign 16",
        ".globl trueline_take_block",
        ".hidden trueline_take_block",
        ".type trueline_take_block, @function",
        "trueline_take_block:",
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "and rsp, -16",
        "sub rsp, 192",
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
        "mov [rsp + 48], r10",
        "movaps [rsp + 64], xmm0",
        "movaps [rsp + 80], xmm1",
        "movaps [rsp + 96], xmm2",
        "movaps [rsp + 112], xmm3",
        "movaps [rsp + 128], xmm4",
        "movaps [rsp + 144], xmm5",
        "movaps [rsp + 160], xmm6",
        "movaps [rsp + 176], xmm7",
        "call {of_thread}@PLT",
        "mov rdi, [rsp]",
        "mov rsi, [rsp + 8]",
        "mov rdx, [rsp + 16]",
        "mov rcx, [rsp + 24]",
        "mov r8, [rsp + 32]",
        "mov r9, [rsp + 40]",
        "mov r10, [rsp + 48]",
        "movaps xmm0, [rsp + 64]",
        "movaps xmm1, [rsp + 80]",
        "movaps xmm2, [rsp + 96]",
        "movaps xmm3, [rsp + 112]",
        "movaps xmm4, [rsp + 128]",
        "movaps xmm5, [rsp + 144]",
        "movaps xmm6, [rsp + 160]",
        "movaps xmm7, [rsp + 176]",
        "leave",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        ".size trueline_take_block, . - trueline_take_block",
        ".popsection",
        no_block = const NO_BLOCK,
        of_thread = sym of_thread,
    );

    /// The most blocks whose threads are checked for their end before a new block is made.
    const ASKED: u64 = 8;

    /// The block at which the search begins, so that it is not always the same.
    static CURSOR: AtomicU64 = AtomicU64::new(0);

    /// The address of the word of the calling thread.
    fn word() -> *mut i64 {
        let word: *mut i64;
        // SAFETY: reads the thread pointer, which stands where it points to, and a constant of the linker.
        unsafe {
            std::arch::asm!(
                "mov {word}, qword ptr fs:[0]",
                "add {word}, qword ptr [rip + trueline_block_distance@GOTTPOFF]",
                word = out(reg) word,
                options(nostack, readonly),
            );
        }
        word
    }

    /// The word of the calling thread.
    fn distance() -> i64 {
        // SAFETY: a thread-local word of ours. A handler of a signal may write it, too.
        unsafe { word().read_volatile() }
    }

    fn set_distance(distance: i64) {
        // SAFETY: as above; compiled code reads it in procedures that are entered later.
        unsafe { word().write_volatile(distance) }
    }

    fn section() -> *mut u8 {
        objects::counters().as_mut_ptr()
    }

    /// The counters of the calling thread, if it has a block.
    pub(super) fn cells() -> Option<*mut u8> {
        let distance = distance();
        (distance != NO_BLOCK && distance != 0).then(|| (section() as usize).wrapping_sub(distance as usize) as *mut u8)
    }

    /// Gives the calling thread a block when it first enters a procedure that counts.
    extern "C" fn of_thread() {
        // SAFETY: the number of the last error is the thread's own. The caller may be about to read it.
        let error = unsafe { *libc::__errno_location() };
        crate::signals::blocked(|| {
            if distance() != NO_BLOCK {
                return;
            }
            if BEGINNER.load(Ordering::Relaxed) == thread_id() {
                // It gets a block in a moment. Until then it counts in the section.
                return set_distance(0);
            }
            super::super::begin();
            if distance() == NO_BLOCK {
                take();
                match super::super::host::host() {
                    Some(host) => host.sample(),
                    None => super::super::sample::begin_thread(),
                }
            }
        });
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = error };
    }

    /// Gives the calling thread a block; without memory it counts in the section.
    pub(super) fn take() {
        let cells = match if arena::base().is_null() { None } else { take_any() } {
            // SAFETY: a block of the list.
            Some(block) => arena::at::<u8>(unsafe { (*block.0).counters }),
            None => section(),
        };
        set_distance((section() as i64).wrapping_sub(cells as i64));
    }

    /// The countdowns of a block are those of the thread that had it: the calling one begins anew.
    fn forget_countdowns(block: *mut Block) {
        objects::each(|h| {
            let first = (h.counters as usize).wrapping_sub(section() as usize) + 8 * h.counter_count as usize;
            // SAFETY: the block is laid out as the section, in which the object has as many countdowns as records, behind its counters.
            unsafe {
                let counters = arena::at::<u8>((*block).counters);
                std::ptr::write_bytes(counters.add(first), 0, 8 * h.record_count as usize);
            }
        });
    }

    /// The owner of a block that the calling thread takes.
    fn owner() -> u64 {
        // SAFETY: there is memory.
        let process = unsafe { (*arena::header()).pid };
        // The child of a `vfork` is a thread for a moment only: the word is its parent's.
        if u64::from(std::process::id()) == process { thread_id() as u64 } else { NOBODY_ELSE }
    }

    /// A block of the list, with the place in it.
    #[derive(Clone, Copy)]
    struct Listed(*mut Block, u64);

    impl Owned for Listed {
        fn owner(self) -> u64 {
            // SAFETY: the block is in the list, and only the holder of the lock changes owners.
            unsafe { (*self.0).owner }
        }

        fn set_owner(self, owner: u64) {
            // SAFETY: as above.
            unsafe { (*self.0).owner = owner };
        }
    }

    /// A block whose thread has ended, now the calling thread's, or a new one. Only some blocks are checked, so that a thread among
    /// thousands does not take long to begin.
    fn take_any() -> Option<Listed> {
        let header = arena::header();
        // SAFETY: there is memory, which begins with a valid header; its fields are shared as atomics.
        let (process, count, list) = unsafe {
            let count = AtomicU64::from_ptr(&raw mut (*header).block_count);
            ((*header).pid, count, AtomicU64::from_ptr(&raw mut (*header).blocks))
        };
        let (me, count) = (owner(), count.load(Ordering::Relaxed).max(1));
        let first = CURSOR.fetch_add(ASKED, Ordering::Relaxed) % count;
        let node = |at: u64, i: u64| (at != 0).then(|| Listed(arena::at(at), i));
        // SAFETY: the list leads from block to block.
        let next = move |block: &Listed| node(unsafe { (*block.0).next }, block.1 + 1);
        let is_free = |block: Listed, old: u64| {
            let is_asked = (block.1 % count + count - first) % count < ASKED;
            // The blocks of other linked files have other counters.
            // SAFETY: the block is in the list.
            let is_ours = unsafe { (*block.0).first } == FIRST.load(Ordering::Relaxed);
            // The number of a thread that has ended may be that of the calling one by now.
            is_ours && old != NOBODY_ELSE && (old == me || (is_asked && has_ended(process, old)))
        };
        let blocks = || std::iter::successors(node(list::first(list), 0), next);
        let create = || create(me).map(|block| Listed(block, 0));
        owners::take(&LOCK, me, blocks, is_free, |block| forget_countdowns(block.0), create)
    }

    /// Whether a thread of the process has ended.
    fn has_ended(process: u64, thread: u64) -> bool {
        // SAFETY: signal 0 is not sent: the kernel only looks whether the thread is there.
        let found = unsafe { libc::syscall(libc::SYS_tgkill, process as i32, thread as i32, 0) };
        found == -1 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH)
    }

    /// Whether counts in the section have to be copied.
    pub(super) fn has_section_apart() -> bool {
        !arena::base().is_null()
    }

    /// In a forked child: clears the section, whose counts are the parent's.
    pub(super) fn forget_section() {
        objects::counters().fill(0);
    }

    const _: () = {
        assert!(matches!(BLOCK_DISTANCE.as_bytes(), b"trueline_block_distance"));
        assert!(matches!(TAKE_BLOCK.as_bytes(), b"trueline_take_block"));
    };
}

#[cfg(not(target_arch = "x86_64"))]
mod own {
    //! The section of the counters is the block of all threads.

    use super::*;

    /// The counters of all threads.
    pub(super) fn cells() -> Option<*mut u8> {
        Some(objects::counters().as_mut_ptr()).filter(|cells| !cells.is_null())
    }

    /// There is nothing to take.
    pub(super) fn take() {}

    /// The section is the block.
    pub(super) fn has_section_apart() -> bool {
        false
    }

    /// The section is the block.
    pub(super) fn forget_section() {}
}
