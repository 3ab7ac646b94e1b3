//! One profile of a process whose executable and shared libraries each have a runtime.
//!
//! Each linked file has a runtime of its own, which shows no symbols. The first one that begins a profile is the *host*: its
//! memory, threads, timers, samples and file are those of the process. Others that begin later are *guests*: they count in
//! blocks of the host's memory, and their timers go on the host's stacks, so that times nest across files and each event is
//! counted once, in one profile.
//!
//! Runtimes find each other by a note (`PT_NOTE`) that leads to the table [`Host`]: the linker keeps notes, whatever it hides or
//! collects, and the loader says where they are.
//!
//! **Invariants:** a guest stays loaded (`-z nodelete`) and is listed before anything is counted in its blocks; the places of its
//! counters do not change until the process ends; its own thread-local words lead to memory of the host.

use super::{arena, block, filter, objects, records, run, sample, stack};
use crate::shared::roll;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use trueline_abi::raw::{Kind, RAW_MAGIC, Thread};
use trueline_abi::record::{ObjectHeader, Record};

/// The version of the two tables.
const VERSION: u64 = 1;

/// The most guests; further ones have profiles of their own.
const MOST: usize = 256;

/// The services of a host for its guests.
#[repr(C)]
pub(crate) struct Host {
    /// [`RAW_MAGIC`]: the layout of the memory.
    magic: u64,
    version: u64,
    /// 1 when there is memory, and guests may join.
    is_open: AtomicU64,
    base: extern "C" fn() -> *mut u8,
    /// Maps the given number of bytes; returns 0 if there is no room.
    grow: extern "C" fn(u64) -> u64,
    /// The descriptor of the file, or -1.
    file: extern "C" fn() -> i32,
    /// Adds a guest; returns 0 if there is no room, or if measuring has ended.
    join: unsafe extern "C" fn(*const Guest) -> u64,
    /// The number of a record, as [`records::bind`].
    number: unsafe extern "C" fn(*mut Record, *const u8, u64) -> u32,
    /// The state of the calling thread, or null.
    thread: extern "C" fn() -> *mut Thread,
    /// Begins sampling in the calling thread.
    sample: extern "C" fn(),
    pause: extern "C" fn(u64),
    end_measurement: extern "C" fn(),
    /// The program ends.
    finish: extern "C" fn(),
}

/// The objects of a guest, and its answers to requests of the host.
#[repr(C)]
pub(crate) struct Guest {
    headers: AtomicPtr<ObjectHeader>,
    header_count: AtomicU64,
    /// The section of its counters.
    section: AtomicPtr<u8>,
    section_len: AtomicU64,
    /// The place of its counters among those of all: set by the host.
    first: AtomicU64,
    leave_parent: extern "C" fn(),
    /// There is new memory, that of a forked child.
    adopt: extern "C" fn(),
    save: extern "C" fn(),
    set_ended: extern "C" fn(),
    set_paused: extern "C" fn(u64),
}

/// This runtime as a host.
static OWN: Host = Host {
    magic: RAW_MAGIC,
    version: VERSION,
    is_open: AtomicU64::new(0),
    base: arena::base_for_guests,
    grow: grow_for,
    file: file_for,
    join: join_for,
    number: number_for,
    thread: stack::thread_for_guests,
    sample: sample_for,
    pause: pause_for,
    end_measurement: end_for,
    finish: finish_for,
};

/// This runtime as a guest.
static ME: Guest = Guest {
    headers: AtomicPtr::new(std::ptr::null_mut()),
    header_count: AtomicU64::new(0),
    section: AtomicPtr::new(std::ptr::null_mut()),
    section_len: AtomicU64::new(0),
    first: AtomicU64::new(0),
    leave_parent: block::leave_parent_as_guest,
    adopt,
    save: block::save_as_guest,
    set_ended: run::set_ended,
    set_paused: run::set_paused,
};

/// The host, if this runtime is a guest.
static HOST: AtomicPtr<Host> = AtomicPtr::new(std::ptr::null_mut());
/// The guests of this runtime.
static GUESTS: [AtomicPtr<Guest>; MOST] = [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST];
static COUNT: AtomicUsize = AtomicUsize::new(0);

// The offset from the place of the offset to the table: no relocation is left for the loader.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
std::arch::global_asm!(
    ".pushsection .note.trueline,\"a\",%note",
    ".balign 4",
    ".long 9",
    ".long 8",
    ".long 1",
    ".asciz \"trueline\"",
    ".balign 4",
    "1:",
    ".long {host} - 1b",
    ".long 0",
    ".popsection",
    host = sym OWN,
);

/// The name in the note.
const NAME: &[u8] = b"trueline\0";

/// The host of this runtime, if it is a guest.
pub(crate) fn host() -> Option<&'static Host> {
    // SAFETY: null, or a table that another runtime found in a file that stays loaded.
    unsafe { HOST.load(Ordering::Acquire).as_ref() }
}

/// The result of [`attach`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// No other runtime has a profile.
    Nobody,
    /// This runtime is a guest now.
    Host,
    /// Another runtime has a profile, which this one cannot take part in.
    Stranger,
}

/// Becomes a guest, if another runtime of the process keeps a profile.
pub(crate) fn attach() -> Found {
    let mut search = Search { host: std::ptr::null(), has_stranger: false };
    // SAFETY: the callback has the type that is asked for, and gets the address of the search.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
    // SAFETY: a table of a loaded file of this version.
    let Some(host) = (unsafe { search.host.as_ref() }) else {
        return if search.has_stranger { Found::Stranger } else { Found::Nobody };
    };
    let headers: &'static [ObjectHeader] = objects::headers().leak();
    ME.headers.store(headers.as_ptr().cast_mut(), Ordering::Relaxed);
    ME.header_count.store(headers.len() as u64, Ordering::Relaxed);
    ME.section.store(objects::counters().as_mut_ptr(), Ordering::Relaxed);
    ME.section_len.store(objects::counters().len() as u64, Ordering::Relaxed);
    filter::apply(headers);
    // SAFETY: the table is complete, and stays.
    if unsafe { (host.join)(&raw const ME) } == 0 {
        return Found::Stranger;
    }
    HOST.store(search.host.cast_mut(), Ordering::Release);
    arena::share((host.base)());
    block::begin_as_guest(ME.first.load(Ordering::Acquire), false);
    Found::Host
}

struct Search {
    host: *const Host,
    has_stranger: bool,
}

/// Looks through the notes of a loaded file; 1 ends the search.
unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: libc::size_t, data: *mut libc::c_void) -> i32 {
    // SAFETY: the loader passes a valid structure, and `data` is that of `attach`. Notes are read where they are loaded.
    unsafe {
        let search = &mut *data.cast::<Search>();
        let (info, count) = (&*info, usize::from((*info).dlpi_phnum));
        let segments = std::slice::from_raw_parts(info.dlpi_phdr, count);
        for segment in segments.iter().filter(|s| s.p_type == libc::PT_NOTE && is_loaded(s, segments)) {
            let start = (info.dlpi_addr as usize).wrapping_add(segment.p_vaddr as usize) as *const u8;
            let notes = std::slice::from_raw_parts(start, segment.p_memsz as usize);
            let Some(found) = table_in(notes, if segment.p_align == 8 { 8 } else { 4 }) else { continue };
            let found = found.cast::<Host>();
            if std::ptr::eq(found, &raw const OWN) || (*found).is_open.load(Ordering::Acquire) != 1 {
                continue;
            }
            if (*found).magic == RAW_MAGIC && (*found).version == VERSION {
                search.host = found;
                return 1;
            }
            search.has_stranger = true;
        }
    }
    0
}

/// Whether a segment is part of one that is in memory and can be read.
fn is_loaded(segment: &libc::Elf64_Phdr, all: &[libc::Elf64_Phdr]) -> bool {
    let end = segment.p_vaddr.checked_add(segment.p_memsz);
    let holds = |s: &&libc::Elf64_Phdr| {
        let last = s.p_vaddr.checked_add(s.p_memsz);
        s.p_vaddr <= segment.p_vaddr && end.is_some_and(|end| last.is_some_and(|last| end <= last))
    };
    all.iter().filter(|s| s.p_type == libc::PT_LOAD && s.p_flags & libc::PF_R != 0).any(|s| holds(&s))
}

/// The address that our note leads to.
fn table_in(notes: &[u8], align: usize) -> Option<*const u8> {
    let word = |at: usize| Some(u32::from_ne_bytes(notes.get(at..at.checked_add(4)?)?.try_into().ok()?) as usize);
    let mut at = 0usize;
    while let (Some(name_len), Some(len), Some(kind)) = (word(at), word(at + 4), word(at + 8)) {
        let name = at + 12;
        let content = name.checked_add(name_len)?.checked_next_multiple_of(align)?;
        if kind == 1 && len == 8 && notes.get(name..name.checked_add(name_len)?) == Some(NAME) {
            let offset = word(content)? as u32 as i32;
            return Some(notes.as_ptr().wrapping_add(content).wrapping_offset(offset as isize));
        }
        at = content.checked_add(len)?.checked_next_multiple_of(align)?;
    }
    None
}

/// Lets guests join.
pub(crate) fn open() {
    OWN.is_open.store(1, Ordering::Release);
}

/// The guests, in the order in which they joined.
fn guests() -> impl Iterator<Item = &'static Guest> {
    // SAFETY: stored before they were counted; guests stay loaded.
    roll::all(&GUESTS, &COUNT).filter_map(|guest| unsafe { guest.as_ref() })
}

unsafe extern "C" fn join_for(guest: *const Guest) -> u64 {
    if run::has_ended() || arena::base().is_null() {
        return 0;
    }
    let mut has_joined = false;
    crate::signals::blocked(|| {
        records::locked(|| {
            // SAFETY: the caller passes its table, which stays.
            has_joined = roll::add(&GUESTS, &COUNT, guest, || unsafe { add(&*guest) });
        });
    });
    if run::is_paused() {
        // SAFETY: as above.
        unsafe { ((*guest).set_paused)(1) };
    }
    u64::from(has_joined)
}

/// Puts the objects of a guest into the memory of the profile.
fn add(guest: &Guest) {
    let count = guest.header_count.load(Ordering::Relaxed) as usize;
    let headers = guest.headers.load(Ordering::Relaxed);
    let section = guest.section.load(Ordering::Relaxed);
    // SAFETY: the guest has put a list of that length there, which stays.
    let headers = if count == 0 { &[][..] } else { unsafe { std::slice::from_raw_parts(headers, count) } };
    let first = block::reserve(guest.section_len.load(Ordering::Relaxed));
    guest.first.store(first, Ordering::Release);
    let before = objects::describe(headers, section, first);
    sample::extend(headers, before);
}

/// In a forked child, first of all.
pub(crate) fn leave_parent() {
    guests().for_each(|g| (g.leave_parent)());
}

/// In a forked child with new memory: all guests join again, in their order.
pub(crate) fn rejoin() {
    for g in guests() {
        add(g);
        (g.adopt)();
    }
}

extern "C" fn adopt() {
    if let Some(host) = host() {
        arena::share((host.base)());
        stack::forget();
        block::begin_as_guest(ME.first.load(Ordering::Acquire), true);
    }
}

/// Copies counters of guests that stand outside of the memory. Async-signal-safe.
pub(crate) fn save() {
    guests().for_each(|g| (g.save)());
}

/// Informs the guests that measuring has ended. Async-signal-safe.
pub(crate) fn tell_ended() {
    guests().for_each(|g| (g.set_ended)());
}

/// Informs the guests whether timing is switched off.
pub(crate) fn tell_paused(paused: bool) {
    guests().for_each(|g| (g.set_paused)(u64::from(paused)));
}

impl Host {
    pub(crate) fn grow(&self, bytes: usize) -> bool {
        (self.grow)(bytes as u64) != 0
    }

    pub(crate) fn file(&self) -> i32 {
        (self.file)()
    }

    /// # Safety
    /// As of [`records::bind`].
    pub(crate) unsafe fn number(&self, record: *mut Record, name: *const u8, kind: Kind) -> u32 {
        // SAFETY: the host's function is `records::number` of another copy of this code, with the same conditions.
        unsafe { (self.number)(record, name, kind as u64) }
    }

    pub(crate) fn thread(&self) -> *mut Thread {
        (self.thread)()
    }

    #[cfg(target_arch = "x86_64")]
    pub(crate) fn sample(&self) {
        (self.sample)();
    }

    pub(crate) fn pause(&self, paused: bool) {
        (self.pause)(u64::from(paused));
    }

    pub(crate) fn end_measurement(&self) {
        (self.end_measurement)();
    }

    pub(crate) fn finish(&self) {
        (self.finish)();
    }
}

extern "C" fn grow_for(bytes: u64) -> u64 {
    u64::from(usize::try_from(bytes).is_ok_and(arena::grow))
}

extern "C" fn file_for() -> i32 {
    arena::file().unwrap_or(-1)
}

unsafe extern "C" fn number_for(record: *mut Record, name: *const u8, kind: u64) -> u32 {
    // SAFETY: as the guest promises.
    Kind::of(kind).map_or(0, |kind| unsafe { records::bind(record, name, kind) })
}

extern "C" fn sample_for() {
    sample::begin_thread();
}

extern "C" fn pause_for(paused: u64) {
    run::pause(paused != 0);
}

extern "C" fn end_for() {
    run::end_measurement();
}

extern "C" fn finish_for() {
    crate::exit::finish(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(name: &[u8], content: &[u8], kind: u32) -> Vec<u8> {
        let mut out: Vec<u8> = Vec::new();
        for n in [name.len() as u32, content.len() as u32, kind] {
            out.extend(n.to_ne_bytes());
        }
        for part in [name, content] {
            out.extend(part);
            out.resize(out.len().next_multiple_of(4), 0);
        }
        out
    }

    #[test]
    fn our_note_is_found_behind_others() {
        let mut notes = note(b"GNU\0", &[1; 20], 3);
        let place = notes.len() + 24;
        notes.extend(note(NAME, &[&16i32.to_ne_bytes()[..], &[0; 4]].concat(), 1));
        assert_eq!(table_in(&notes, 4), Some(notes.as_ptr().wrapping_add(place + 16)));
        for cut in 0..notes.len() - 4 {
            assert_eq!(table_in(&notes[..cut], 4), None, "cut at {cut}");
        }
        assert_eq!(table_in(&note(NAME, &[0; 8], 2), 4), None);
        assert_eq!(table_in(&note(b"trueliner", &[0; 8], 1), 4), None);
        assert_eq!(table_in(&note(NAME, &[255; 8], u32::MAX), 4), None);
    }
}
