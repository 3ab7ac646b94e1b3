//! REDISTRIBUTE and REALIGN: arrays get other owners.
//!
//! Compiled code announces the new mapping of each array of a directive, and then asks for the exchange: one message from each rank to each
//! other rank, with the elements of all these arrays that the receiver owns from now on and has not got. Values that a rank has got stay valid, so
//! an array that comes back to an earlier mapping without having been written needs no message.
//!
//! An array that several procedures know by its name keeps its mapping when the procedure of the directive is left. It is noted by
//! its address; procedures look there when they begin to use the array, and behind calls. Then all ranks have all elements, so nothing is sent.

use super::ledger::{self, Category};
use super::mapped::{ALONE, Array, array, placement_of};
use super::placement::Placement;
use super::{exchange, fault, nest, set_place};
use crate::memory::c_text;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A placement and its number.
type Numbered = (i64, Arc<Placement>);

/// The handles of arrays with the placements that they get.
static ANNOUNCED: Mutex<Vec<(i64, Numbered)>> = Mutex::new(Vec::new());

/// The placements that directives gave arrays of several procedures, by the address of the first element.
static SHARED: Mutex<Option<HashMap<usize, Numbered>>> = Mutex::new(None);

/// Whether there ever was one.
static ANY_SHARED: AtomicBool = AtomicBool::new(false);

/// Forgets the mapping of memory that is freed.
pub(crate) fn forget(memory: *const u8) {
    if ANY_SHARED.load(Ordering::Relaxed)
        && let Some(all) = SHARED.lock().unwrap_or_else(PoisonError::into_inner).as_mut()
    {
        all.remove(&(memory as usize));
    }
}

/// The mark of a directive; `resolve` in the compiler replaces it. Where it is left, every rank computes everything.
///
/// # Safety
/// Always safe to call; `unsafe` because every function of the table is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_remap(base: *mut u8, to: i64, from: i64, steps: *const u8, numbers: i64) {
    let _ = (base, to, from, steps, numbers);
}

/// Announces another mapping of an array.
///
/// # Safety
/// `handle` is 0 or that of the array; the others are arguments of [`super::trueline_ranks_map`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_anew(
    handle: i64,
    table: *const u8,
    numbers: i64,
    bounds: *const u8,
    is_shared: i32,
) {
    if handle == 0 || handle == ALONE {
        return;
    }
    let _part = ledger::begin(Category::Library);
    // SAFETY: the caller passes a table and its bounds.
    let (number, placement, _) = unsafe { placement_of(table, numbers, bounds) };
    let new = (number, placement);
    // SAFETY: the caller passes a handle that is in use.
    if let Some(array) = unsafe { array(handle) }.filter(|_| is_shared != 0) {
        ANY_SHARED.store(true, Ordering::Relaxed);
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        shared.get_or_insert_default().insert(array.base, new.clone());
    }
    let mut announced = ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner);
    announced.retain(|(other, _)| *other != handle);
    announced.push((handle, new));
}

/// Sends the elements of the arrays that were announced to their new owners.
///
/// # Safety
/// `location` is null or NUL-terminated; the handles that were announced are in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_remapped(location: *const u8) {
    let announced = std::mem::take(&mut *ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner));
    if announced.is_empty() {
        return;
    }
    // SAFETY: the caller passes a literal location.
    set_place(unsafe { c_text(location) });
    let _part = ledger::begin(Category::Global);
    // SAFETY: the handles are in use, and each stands there once.
    let mut arrays: Vec<&mut Array> = announced.iter().filter_map(|&(h, _)| unsafe { array(h) }).collect();
    let new: Vec<Numbered> = announced.into_iter().map(|(_, placement)| placement).collect();
    let plan = nest::remap(&mut arrays, &new);
    if !fault("ranks_remap_forgotten") {
        exchange::exchange(&plan.messages, &mut arrays);
    }
    for ((array, state), (number, placement)) in arrays.iter_mut().zip(&plan.after).zip(new) {
        array.move_to(number, placement, state);
    }
}

/// Takes over the mapping that another procedure gave the array, all of which all ranks have.
///
/// # Safety
/// `handle` is 0 or that of the array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_follow(handle: i64) {
    if handle == 0 || handle == ALONE || !ANY_SHARED.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: the caller passes a handle that is in use.
    let Some(array) = (unsafe { array(handle) }).filter(|a| a.is_whole()) else { return };
    let shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((number, placement)) = shared.as_ref().and_then(|all| all.get(&array.base))
        && placement.count == array.placement.count
    {
        array.move_whole(*number, placement.clone());
    }
}
