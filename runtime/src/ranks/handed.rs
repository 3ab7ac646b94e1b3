//! Arrays that are passed as arguments and stay with their owners.
//!
//! A procedure that was compiled for ranks says which of its dummy arguments it asks for before it uses them: by bits in the word that its
//! symbol beside it stands for ([`super::kept`]). The caller hands such an array over, and the procedure takes it: it goes on with the notes of
//! the caller, under the caller's handle, after its elements have gone to the owners that they have there. Behind the call the array gets its earlier owners
//! again. All other arguments are whole before the call, and again behind it.
//!
//! An array that was handed over is found by its address and extent among the arrays that running calls have got. So nothing has to be
//! passed along, and a procedure that does not find its argument there (a part of an array, a caller that was not compiled for ranks, the same array twice)
//! maps it for itself.
//!
//! **Invariant:** who gets the address of an array that is not whole asks for it, or all calls of others in between have made it whole.

use super::kept::{All, all_kept};
use super::ledger::{self, Category};
use super::mapped::{ALONE, Array, array, new_array, placement_of, rebased};
use super::placement::Placement;
use super::{exchange, fault, nest, set_place, size};
use crate::memory::c_text;
use std::sync::Arc;

/// Memory that was passed as an argument to a call that is going on.
pub(super) struct Lent {
    pub(super) first: usize,
    pub(super) end: usize,
    /// The calls of procedures that do not ask which were going on.
    outside: usize,
    handed: Option<Handed>,
}

/// An array that the callee may take.
struct Handed {
    handle: i64,
    /// Its owners and name at the caller, once it is taken.
    back: Option<(i64, Arc<Placement>, &'static [u8])>,
}

impl Lent {
    /// Whether the callee asks for the array.
    pub(super) fn is_handed(&self) -> bool {
        self.handed.is_some()
    }
}

impl All {
    /// Gives all ranks the arrays that were handed over.
    pub(super) fn publish_handed(&self, location: *const u8) {
        for handed in self.lent.iter().filter_map(|l| l.handed.as_ref()) {
            // SAFETY: the caller of the procedure that got the array has not ended its use.
            unsafe { publish(handed.handle, location) };
        }
    }

    /// Whether an array was taken from a caller.
    fn is_taken(&self, handle: i64) -> bool {
        self.lent.iter().filter_map(|l| l.handed.as_ref()).any(|h| h.handle == handle && h.back.is_some())
    }
}

/// Gives all ranks all of an array.
///
/// # Safety
/// `handle` is 0 or that of an array in use; `location` is null or NUL-terminated.
unsafe fn publish(handle: i64, location: *const u8) {
    // SAFETY: the caller passes a handle that is in use, and a literal location.
    if let Some(array) = unsafe { array(handle) }.filter(|a| !a.is_whole()) {
        // SAFETY: as above.
        set_place(unsafe { c_text(location) });
        let _part = ledger::begin(Category::Communication);
        array.publish();
    }
}

/// Gives an array other owners, which get its elements.
pub(super) fn move_elements(array: &mut Array, new: (i64, Arc<Placement>), sends: bool) {
    let _part = ledger::begin(Category::Global);
    let new = [new];
    let mut arrays = [array];
    let plan = nest::remap(&mut arrays, &new);
    if sends {
        exchange::exchange(&plan.messages, &mut arrays);
    }
    let [array] = arrays;
    let [(number, placement)] = new;
    array.move_to(number, placement, &plan.after[0]);
}

/// Gives an array other owners, if they are others.
fn place(array: &mut Array, (number, placement): (i64, Arc<Placement>), location: *const u8) {
    if array.number == number {
        return;
    }
    if array.is_whole() {
        return array.move_whole(number, placement);
    }
    // SAFETY: compiled code passes a literal location.
    set_place(unsafe { c_text(location) });
    move_elements(array, (number, placement), !fault("ranks_handed_not_fetched"));
}

/// Before a call: an array is passed. It is handed over if the callee, whose word is at `asks`, has the bit of the argument there.
///
/// # Safety
/// `asks` is 0 or the address of such a word; `handle` is that of the array at `base`; `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_hand(
    asks: i64,
    position: i64,
    handle: i64,
    base: *mut u8,
    location: *const u8,
) {
    let _ = base;
    if size() == 1 {
        return;
    }
    let mut all = all_kept();
    let outside = all.outside;
    // SAFETY: the caller passes a handle that is in use.
    let Some(array) = (unsafe { array(handle) }) else {
        // An argument that is absent.
        return all.lent.push(Lent { first: 0, end: 0, outside, handed: None });
    };
    let (first, end) = array.range();
    // SAFETY: the caller passes the address of a word of the callee's object.
    let wanted = |bit: i64| unsafe { (asks as *const u64).read() } >> bit & 1 != 0;
    let is_wanted = asks != 0 && (0..62).contains(&position) && wanted(position + 1);
    if is_wanted && all.is_kept(handle) != Some(true) {
        return all.lent.push(Lent { first, end, outside, handed: Some(Handed { handle, back: None }) });
    }
    all.gather(first, end, location);
    if !fault("ranks_lent_apart") {
        // SAFETY: as above.
        unsafe { publish(handle, location) };
    }
    all.lent.push(Lent { first, end, outside, handed: None });
}

/// Behind a call to which `count` arrays were passed: they get back the owners that they had.
///
/// # Safety
/// `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_returned(count: i64, location: *const u8) {
    if size() == 1 {
        return;
    }
    let mut all = all_kept();
    for _ in 0..count {
        let handed = all.lent.pop().and_then(|l| l.handed);
        if let Some(Handed { handle, back: Some((number, placement, name)) }) = handed
            // SAFETY: the caller of the procedure that got the array has not ended its use.
            && let Some(array) = unsafe { array(handle) }
        {
            array.name = name;
            place(array, (number, placement), location);
        }
    }
}

/// Asks for a dummy argument: the handle under which the caller handed it over, or one of its own.
///
/// # Safety
/// As for [`super::trueline_ranks_map`]; `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_take(
    table: *const u8,
    numbers: i64,
    bounds: *const u8,
    base: *mut u8,
    name: *const u8,
    location: *const u8,
) -> i64 {
    // An argument that is absent has no elements.
    if size() == 1 || base.is_null() {
        return ALONE;
    }
    let _part = ledger::begin(Category::Library);
    // SAFETY: the caller passes this number of integers, and pairs, and a literal name.
    let ((number, placement, _), name) = unsafe { (placement_of(table, numbers, bounds), c_text(name)) };
    let own = (number, placement);
    // SAFETY: as the caller promises.
    unsafe { take(base, own.clone(), name, location, |_| Some(own)) }
}

/// Asks for a dummy argument with INHERIT: it keeps the owners that it has at the caller. If it was not handed over, it has those of the table.
///
/// # Safety
/// As for [`trueline_ranks_take`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_inherit(
    table: *const u8,
    numbers: i64,
    bounds: *const u8,
    base: *mut u8,
    name: *const u8,
    location: *const u8,
) -> i64 {
    if size() == 1 || base.is_null() {
        return ALONE;
    }
    let _part = ledger::begin(Category::Library);
    // SAFETY: the caller passes this number of integers, and pairs, and a literal name.
    let ((number, placement, _), name) = unsafe { (placement_of(table, numbers, bounds), c_text(name)) };
    let inherited = |array: &Array| rebased(array, &placement);
    // SAFETY: as the caller promises.
    unsafe { take(base, (number, placement.clone()), name, location, inherited) }
}

/// The handle of the dummy argument at `base`. One that was handed over gets the mapping that `wanted` finds, one that was not, or for which there
/// is none, gets `own`.
///
/// # Safety
/// `base` is the address of an array of that extent; `location` is null or NUL-terminated.
unsafe fn take(
    base: *mut u8,
    own: (i64, Arc<Placement>),
    name: &'static [u8],
    location: *const u8,
    wanted: impl FnOnce(&Array) -> Option<(i64, Arc<Placement>)>,
) -> i64 {
    let placement = &own.1;
    let first = base as usize;
    let end = first.saturating_add(placement.element.saturating_mul(placement.count));
    let mut all = all_kept();
    let outside = all.outside;
    // The last call that got memory there decides.
    let found = all.lent.iter().rposition(|l| l.first < end && first < l.end);
    if let Some(k) = found
        && let Some(handle) = all.lent[k].handed.as_ref().map(|h| h.handle)
        // SAFETY: the caller of the procedure that got the array has not ended its use.
        && let Some(array) = unsafe { array(handle) }
    {
        let is_kept = all.is_kept(handle).is_some();
        let lent = &mut all.lent[k];
        let is_it = (lent.first, lent.end, lent.outside) == (first, end, outside);
        let is_alike = array.placement.is_alike(placement);
        if let Some(handed) = lent.handed.as_mut().filter(|h| is_it && is_alike && h.back.is_none())
            // Others may ask for a kept array by its name meanwhile.
            && let Some(new) = wanted(array).filter(|new| !is_kept || array.number == new.0)
        {
            handed.back = Some((array.number, array.placement.clone(), array.name));
            array.name = name;
            place(array, new, location);
            return handle;
        }
        // SAFETY: as above.
        unsafe { publish(handle, location) };
    }
    new_array(first, own, name)
}

/// Before a call that may see a dummy argument by other ways.
///
/// # Safety
/// `handle` is 0 or that of the array at `base`; `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_show(handle: i64, base: *mut u8, location: *const u8) {
    let _ = base;
    if size() > 1 && !all_kept().is_taken(handle) {
        // SAFETY: the caller passes a handle that is in use.
        unsafe { publish(handle, location) };
    }
}

/// Before a procedure is left: an array that was handed over stays as it is, and all ranks get all of one that was not.
///
/// # Safety
/// `handle` is 0 or that of the array at `base`, and is not used any more; `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_left(handle: i64, base: *mut u8, location: *const u8) {
    let _ = base;
    if size() > 1 && !all_kept().is_taken(handle) {
        // SAFETY: the caller passes a handle that is in use, which ends here.
        unsafe {
            publish(handle, location);
            super::trueline_ranks_end(handle);
        }
    }
}
