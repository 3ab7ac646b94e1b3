//! Arrays of static memory, whose notes outlive activations: those of COMMON blocks and modules, and SAVE arrays of procedures.
//!
//! Such an array is known by its address. Each procedure that is compiled for ranks asks for it with the mapping that it has there before it
//! uses it, and again behind calls. If the mapping is the same, nothing happens; else the elements go to their new owners. A procedure that
//! uses the memory in another way (no directives, another shape in the same COMMON block, EQUIVALENCE) asks for the whole of it before, and
//! so do statements that pass an array on.
//!
//! Procedures that were not compiled for ranks ask for nothing. A caller knows: one that was has a symbol of its own beside it, whose address
//! it finds to be null otherwise. Before all other calls all ranks get all arrays, and as long as such a call lasts,
//! procedures leave their arrays whole. The same holds for an array that was passed as an argument while that call lasts, if it was not handed
//! over ([`super::handed`]).
//!
//! ALLOCATABLE arrays of modules are kept in the same way, under the address of their memory, until that is freed. Their size is no constant: it is 0
//! where one is asked for.
//!
//! **Invariant:** all ranks take the same steps here, for all have the same notes and run through the same statements.

use super::handed::{Lent, move_elements};
use super::ledger::{self, Category};
use super::mapped::{ALONE, Array, array, new_array, placement_of};
use super::{fault, set_place, size};
use crate::memory::c_text;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An array that is kept.
struct Kept {
    /// Its bytes, from the first to behind the last.
    first: usize,
    end: usize,
    /// Its handle, which is valid for ever.
    handle: i64,
    /// The address of the table by which it was asked for last, and the bounds.
    asked: (usize, Vec<i64>),
    /// Handles of arrays that share memory with it.
    sharing: Vec<i64>,
}

/// Arrays that are kept, and who may see their memory without asking.
pub(super) struct All {
    arrays: Vec<Kept>,
    /// Calls of procedures that do not ask, which are going on. The main program ends the first of them: who calls procedures of a program
    /// whose main program is in another language does not ask either.
    pub(super) outside: usize,
    /// Memory that was passed as an argument to calls which are going on.
    pub(super) lent: Vec<Lent>,
}

/// Whether there ever was a kept array in allocated memory.
static ANY_ALLOCATED: AtomicBool = AtomicBool::new(false);

static ALL: Mutex<All> = Mutex::new(All { arrays: Vec::new(), outside: 1, lent: Vec::new() });

pub(super) fn all_kept() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A kept array.
fn kept<'a>(handle: i64) -> Option<&'a mut Array> {
    // SAFETY: handles of kept arrays are valid for ever, and the lock is held or the program waits for this rank.
    unsafe { array(handle) }
}

impl Kept {
    /// Whether it has memory in this range; an empty range is the memory that begins there.
    fn overlaps(&self, first: usize, end: usize) -> bool {
        self.first < end && first < self.end || first == end && self.first == first
    }
}

impl All {
    /// Gives all ranks the kept arrays that have memory in this range.
    pub(super) fn gather(&self, first: usize, end: usize, location: *const u8) {
        self.publish(location, |k| k.overlaps(first, end) && !fault("ranks_gather_forgotten"));
    }

    fn publish(&self, location: *const u8, wanted: impl Fn(&Kept) -> bool) {
        let mut part = None;
        for k in &self.arrays {
            if let Some(array) = kept(k.handle).filter(|a| !a.is_whole())
                && wanted(k)
            {
                if part.is_none() {
                    // SAFETY: compiled code passes a literal location.
                    set_place(unsafe { c_text(location) });
                    part = Some(ledger::begin(Category::Communication));
                }
                array.publish();
            }
        }
    }

    /// Whether others may look at the memory without asking.
    fn is_exposed(&self, k: &Kept) -> bool {
        self.outside > 0 || self.lent.iter().any(|l| !l.is_handed() && k.overlaps(l.first, l.end))
    }

    /// Whether the handle is that of a kept array, and whether that shares memory with others.
    pub(super) fn is_kept(&self, handle: i64) -> Option<bool> {
        self.arrays.iter().find(|k| k.handle == handle).map(|k| !k.sharing.is_empty())
    }

    /// The number of the kept array that begins there and has this extent, if that is known.
    fn find(&self, first: usize, end: usize) -> Option<usize> {
        self.arrays.iter().position(|k| k.first == first && (k.end == end || first == end))
    }

    /// Adds an array; its number.
    fn add(&mut self, first: usize, end: usize, handle: i64) -> usize {
        let mut sharing = Vec::new();
        for k in self.arrays.iter_mut().filter(|k| k.overlaps(first, end)) {
            k.sharing.push(handle);
            sharing.push(k.handle);
        }
        self.arrays.push(Kept { first, end, handle, asked: (0, Vec::new()), sharing });
        self.arrays.len() - 1
    }
}

/// Asks for an array of static memory with this mapping: its handle. `follows` says that directives may have given it another mapping, which
/// stays.
///
/// # Safety
/// As for [`super::trueline_ranks_map`]; `bytes` is the size of the array, `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_keep(
    table: *const u8,
    numbers: i64,
    bounds: *const u8,
    base: *const u8,
    bytes: i64,
    name: *const u8,
    follows: i32,
    location: *const u8,
) -> i64 {
    // Memory that is not allocated has no elements.
    if size() == 1 || base.is_null() {
        return ALONE;
    }
    let mut all = all_kept();
    let (first, end) = range(base, bytes);
    if let Some(k) = all.find(first, end) {
        let known = &all.arrays[k];
        if !known.sharing.is_empty() {
            known.sharing.iter().filter_map(|&h| kept(h)).filter(|a| !a.is_whole()).for_each(|a| {
                // SAFETY: compiled code passes a literal location.
                set_place(unsafe { c_text(location) });
                let _part = ledger::begin(Category::Communication);
                a.publish();
            });
        }
        // SAFETY: there were this many bounds when the same table was passed before.
        let same = |n: usize| unsafe { std::slice::from_raw_parts(bounds.cast::<[u8; 8]>(), n) };
        let is_same = known.asked.0 == table as usize
            && same(known.asked.1.len()).iter().zip(&known.asked.1).all(|(a, &b)| i64::from_ne_bytes(*a) == b);
        if is_same || follows != 0 {
            return known.handle;
        }
    }
    ANY_ALLOCATED.fetch_or(bytes == 0, Ordering::Relaxed);
    let _part = ledger::begin(Category::Library);
    // SAFETY: the caller passes this number of integers, and pairs.
    let (number, placement, pairs) = unsafe { placement_of(table, numbers, bounds) };
    let end = if bytes == 0 { first.saturating_add(placement.element.saturating_mul(placement.count)) } else { end };
    let k = match all.find(first, if bytes == 0 { first } else { end }) {
        Some(k) => k,
        None => {
            all.gather(first, end, location);
            // SAFETY: the caller passes a literal name.
            let name = unsafe { c_text(name) };
            let handle = new_array(base as usize, (number, placement.clone()), name);
            all.add(first, end, handle)
        }
    };
    let known = &mut all.arrays[k];
    known.asked = (table as usize, pairs);
    known.end = end;
    let handle = known.handle;
    if let Some(array) = kept(handle).filter(|a| a.number != number) {
        if array.is_whole() || !array.placement.is_alike(&placement) {
            array.publish();
            array.move_whole(number, placement);
        } else {
            // SAFETY: the caller passes a literal location.
            set_place(unsafe { c_text(location) });
            move_elements(array, (number, placement), !fault("ranks_kept_not_fetched"));
        }
    }
    handle
}

fn range(base: *const u8, bytes: i64) -> (usize, usize) {
    (base as usize, (base as usize).saturating_add(usize::try_from(bytes).unwrap_or(0)))
}

/// Forgets the array in memory that is freed.
pub(crate) fn forget_kept(memory: *const u8) {
    if size() > 1 && !memory.is_null() && ANY_ALLOCATED.load(Ordering::Relaxed) {
        let mut all = all_kept();
        let first = memory as usize;
        while let Some(k) = all.arrays.iter().position(|k| k.first == first) {
            let handle = all.arrays.remove(k).handle;
            all.arrays.iter_mut().for_each(|k| k.sharing.retain(|&h| h != handle));
            // SAFETY: who has asked for the array asks again before the next use of it.
            unsafe { super::trueline_ranks_end(handle) };
        }
    }
}

/// Gives all ranks the kept arrays that have memory in this range: it is used in a way of which they know nothing.
///
/// # Safety
/// `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_gather(base: *mut u8, bytes: i64, location: *const u8) {
    if size() > 1 {
        let (first, end) = range(base, bytes);
        all_kept().gather(first, end, location);
    }
}

/// Before a call of a procedure that asks for nothing.
///
/// # Safety
/// `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_leave(location: *const u8) {
    if size() > 1 {
        let mut all = all_kept();
        all.publish(location, |_| true);
        all.publish_handed(location);
        all.outside += 1;
    }
}

/// Behind a call of a procedure that asks for nothing.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_back() {
    if size() > 1 {
        let mut all = all_kept();
        all.outside = all.outside.saturating_sub(1);
    }
}

/// Before a procedure that stores to an array is left.
///
/// # Safety
/// `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_done(base: *mut u8, bytes: i64, location: *const u8) {
    if size() > 1 {
        let (first, end) = range(base, bytes);
        let all = all_kept();
        all.publish(location, |k| k.overlaps(first, end) && all.is_exposed(k));
    }
}

/// The main program begins, which asks for arrays.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_begin() {
    all_kept().outside = 0;
}
