//! The numbers of records: assigned at the first use and cached in the record, so that nothing is looked up again.

use super::arena::{self, Lock};
use crate::shared::number;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use trueline_abi::raw::{
    FILTERED, Kind, ObjectEntry, RECORD_PAGES, RECORDS_IN_PAGE, RecordEntry, SLOT_PAGES, SLOTS_IN_PAGE, THROTTLED,
};
use trueline_abi::record::{MASKED, RECORD_SIZE, Record};

static LOCK: Lock = Lock::new();

/// The record of calls that pass none.
struct Anonymous(std::cell::UnsafeCell<Record>);

// SAFETY: its fields are used as those of every record: the number as an atomic, the name never.
unsafe impl Sync for Anonymous {}

static ANONYMOUS: Anonymous =
    Anonymous(std::cell::UnsafeCell::new(Record { name: std::ptr::null(), construct: 0, id: 0 }));

/// The record that a caller passed; the anonymous one for null.
pub(crate) fn given(record: *mut u8) -> *mut Record {
    if record.is_null() { ANONYMOUS.0.get() } else { record.cast() }
}

/// The number of the record, with [`MASKED`] if it is not timed; 0 if there is no room for it.
///
/// # Safety
/// `record` is valid as long as the program runs; `name` is null or NUL-terminated.
#[inline]
pub(crate) unsafe fn bind(record: *mut Record, name: *const u8, kind: Kind) -> u32 {
    // SAFETY: the record is valid and aligned, and its number is only accessed as an atomic.
    let cell = unsafe { AtomicU32::from_ptr(&raw mut (*record).id) };
    match number::known(cell, MASKED) {
        Some(id) => id,
        // SAFETY: record and name are passed on, and the conditions are the same.
        None => unsafe { give(record, name, kind) },
    }
}

/// Runs `f` while no record gets a number.
pub(crate) fn locked(f: impl FnOnce()) {
    LOCK.with(f);
}

#[cold]
unsafe fn give(record: *mut Record, name: *const u8, kind: Kind) -> u32 {
    if let Some(host) = super::host::host() {
        // SAFETY: the conditions of the host's function are those of this one.
        return unsafe { host.number(record, name, kind) };
    }
    // SAFETY: the record is valid and aligned, and its number is only accessed as an atomic.
    let cell = unsafe { AtomicU32::from_ptr(&raw mut (*record).id) };
    number::give(cell, MASKED, &LOCK, |id| {
        // SAFETY: there is memory, which begins with a valid header.
        unsafe {
            let mut entry = RecordEntry { kind: kind as u64, ..RecordEntry::default() };
            match object_of(record) {
                Some((object, index)) => (entry.object, entry.index) = (object, index),
                None => {
                    let own = (*record).name;
                    let text = crate::memory::c_text(if own.is_null() { name } else { own });
                    let text = if text.is_empty() { b"?" } else { text };
                    (entry.name, entry.name_len) = (arena::copy(text), text.len() as u64);
                    if super::filter::masks_text(text) {
                        entry.flags = FILTERED;
                    }
                }
            }
            let masked = id & MASKED != 0 || entry.flags & FILTERED != 0;
            if masked {
                entry.flags = FILTERED;
            }
            append(entry) | if masked { MASKED } else { 0 }
        }
    })
}

/// Adds an entry; returns its number, from 1, or 0.
///
/// # Safety
/// There is memory, and nobody else adds one.
pub(crate) unsafe fn append(entry: RecordEntry) -> u32 {
    // SAFETY: there is memory, and the root has `RECORD_PAGES` entries, more than the page's number.
    unsafe {
        let header = arena::header();
        let n = (*header).record_count;
        let root = arena::at::<u64>((*header).records);
        if n >= RECORD_PAGES * RECORDS_IN_PAGE || n + 1 >= SLOT_PAGES * SLOTS_IN_PAGE {
            return 0;
        }
        let page = root.add((n / RECORDS_IN_PAGE) as usize);
        if *page == 0 {
            let new: *mut RecordEntry = arena::make(RECORDS_IN_PAGE);
            if new.is_null() {
                return 0;
            }
            *page = arena::offset(new);
        }
        *arena::at::<RecordEntry>(*page).add((n % RECORDS_IN_PAGE) as usize) = entry;
        AtomicU64::from_ptr(&raw mut (*header).record_count).store(n + 1, Ordering::Release);
        (n + 1) as u32
    }
}

/// The number of the object that the record stands in, and its index there.
fn object_of(record: *mut Record) -> Option<(u64, u64)> {
    let address = record as u64;
    // SAFETY: the header is valid, and leads to that many objects.
    unsafe {
        let header = &*arena::header();
        (0..header.object_count).find_map(|n| {
            let o = &*arena::at::<ObjectEntry>(header.objects).add(n as usize);
            let inside = address.checked_sub(o.record_address)?;
            (inside < o.record_count * RECORD_SIZE).then_some((n + 1, inside / RECORD_SIZE))
        })
    }
}

/// Whether the record with that number stands in an object that our compiler made.
pub(crate) fn is_compiled(number: u64) -> bool {
    let Some(n) = number.checked_sub(1) else { return false };
    // SAFETY: there is memory, and the record has a number, so its entry is there.
    unsafe {
        let root = arena::at::<u64>((*arena::header()).records);
        let page = *root.add((n / RECORDS_IN_PAGE) as usize);
        page != 0 && (*arena::at::<RecordEntry>(page).add((n % RECORDS_IN_PAGE) as usize)).object != 0
    }
}

/// In a forked child: the records of the parent, in new memory.
///
/// # Safety
/// `parent` is the memory of the parent, which is still mapped; there is new memory.
pub(crate) unsafe fn adopt(parent: *mut u8) {
    LOCK.reset();
    // SAFETY: the parent's memory is mapped and no thread of it runs here, so its pages and names are where it says.
    unsafe {
        let old = &*parent.cast::<trueline_abi::raw::Header>();
        let root = parent.wrapping_add(old.records as usize).cast::<u64>();
        // The first, of the calibration, is there already.
        for n in 1..old.record_count {
            let page = parent.wrapping_add(*root.add((n / RECORDS_IN_PAGE) as usize) as usize).cast::<RecordEntry>();
            let mut entry = *page.add((n % RECORDS_IN_PAGE) as usize);
            if entry.name != 0 {
                let text =
                    std::slice::from_raw_parts(parent.wrapping_add(entry.name as usize), entry.name_len as usize);
                entry.name = arena::copy(text);
            }
            append(entry);
        }
    }
}

/// The entry of a record.
///
/// # Safety
/// There is memory, and `number` is that of an entry.
unsafe fn entry(number: u64) -> *mut RecordEntry {
    let n = number - 1;
    // SAFETY: there is memory, and `number` has an entry, so its page is there.
    unsafe {
        let root = arena::at::<u64>((*arena::header()).records);
        let page = *root.add((n / RECORDS_IN_PAGE) as usize);
        arena::at::<RecordEntry>(page).add((n % RECORDS_IN_PAGE) as usize)
    }
}

/// Notes that a construct is no longer timed; a forked child inherits the note with the masked record.
///
/// # Safety
/// As [`entry`].
pub(crate) unsafe fn note_throttled(number: u32) {
    // SAFETY: `number` has an entry; threads share it, so the field is accessed as an atomic.
    unsafe { AtomicU64::from_ptr(&raw mut (*entry(number.into())).flags).fetch_or(THROTTLED, Ordering::Relaxed) };
}

/// The thinning of a construct in all threads: at least `thinning`.
///
/// # Safety
/// As [`entry`].
pub(crate) unsafe fn share_thinning(number: u64, thinning: u64) -> u64 {
    // SAFETY: `number` has an entry; threads share it, so the field is accessed as an atomic.
    unsafe { AtomicU64::from_ptr(&raw mut (*entry(number)).thinning).fetch_max(thinning, Ordering::Relaxed) }
}

/// Switches the timer of the construct on or off.
///
/// # Safety
/// `record` is valid.
pub(crate) unsafe fn mask(record: *mut Record, masked: bool) {
    // SAFETY: the record is valid and aligned, and its number is only accessed as an atomic.
    number::set(unsafe { AtomicU32::from_ptr(&raw mut (*record).id) }, MASKED, masked);
}
