//! Which ranks have the value of which element of a mapped array, and how they get it: the functions that compiled code calls.
//!
//! Every rank has room for the whole array. While all ranks have all elements nothing is kept. An element that its owners alone have
//! written is noted with the ranks that have its value; all ranks take the same notes, for all of them run through the same statements,
//! so nobody has to ask. A value that was sent stays valid until the element is written again.
//!
//! **Invariant:** outside of an activation of a procedure that maps an array, all ranks have all of it. So procedures may map the
//! same array in different ways, or know nothing of it.

use super::placement::{Placement, Ranks};
use super::{rank, receive, send, set_place, size};
use crate::memory::c_text;
use std::collections::BTreeMap;

/// The handle of all arrays where there is one rank.
const ALONE: i64 = -1;

/// An array during an activation.
struct Array {
    /// Address of the first element.
    base: usize,
    placement: Placement,
    /// The elements that not all ranks have, and the ranks that have them.
    written: BTreeMap<usize, Ranks>,
}

/// The bits of all ranks.
fn all() -> Ranks {
    Ranks::MAX >> (Ranks::BITS as usize - size())
}

impl Array {
    /// The number of the element at that address; none if it is no element.
    fn index(&self, at: *const u8) -> Option<usize> {
        let index = (at as usize).checked_sub(self.base)? / self.placement.element;
        (index < self.placement.count).then_some(index)
    }

    fn bytes(&mut self, index: usize) -> &mut [u8] {
        let element = self.placement.element;
        // SAFETY: compiled code has passed address and bounds of an array, which `index` is within, and does not use it while it waits.
        unsafe { std::slice::from_raw_parts_mut((self.base + index * element) as *mut u8, element) }
    }

    /// Gives element `index` to those of `wanted` that have not got its value.
    fn give(&mut self, index: usize, wanted: Ranks) {
        let Some(&have) = self.written.get(&index) else { return };
        let missing = wanted & !have;
        if missing == 0 {
            return;
        }
        let (_, from) = self.placement.owners(index);
        if rank() == from {
            (0..size()).filter(|to| missing >> to & 1 != 0).for_each(|to| send(to, self.bytes(index)));
        } else if missing >> rank() & 1 != 0 {
            receive(from, self.bytes(index));
        }
        self.have(index, have | wanted);
    }

    fn have(&mut self, index: usize, ranks: Ranks) {
        if ranks == all() {
            self.written.remove(&index);
        } else {
            self.written.insert(index, ranks);
        }
    }

    /// Gives all elements to all ranks: one message from each owner to each rank.
    fn publish(&mut self) {
        let mut of: Vec<Vec<(usize, Ranks)>> = vec![Vec::new(); size()];
        for (index, have) in std::mem::take(&mut self.written) {
            of[self.placement.owners(index).1].push((index, all() & !have));
        }
        // All ranks go through the pairs in one order, so nobody waits for a rank that waits for it.
        for (from, elements) in of.iter().enumerate() {
            for to in 0..size() {
                let mut wanted = elements.iter().filter(|(_, missing)| missing >> to & 1 != 0).map(|e| e.0).peekable();
                if wanted.peek().is_none() {
                    continue;
                }
                if rank() == from {
                    let message: Vec<u8> = wanted.flat_map(|i| self.bytes(i).to_vec()).collect();
                    send(to, &message);
                } else if rank() == to {
                    let wanted: Vec<usize> = wanted.collect();
                    let mut message = vec![0; wanted.len() * self.placement.element];
                    receive(from, &mut message);
                    for (index, value) in wanted.into_iter().zip(message.chunks(self.placement.element)) {
                        self.bytes(index).copy_from_slice(value);
                    }
                }
            }
        }
    }
}

/// The array behind a handle.
///
/// # Safety
/// `handle` is 0, [`ALONE`], or was made by [`trueline_ranks_map`] and not closed; nobody else uses the array during `'a`.
unsafe fn array<'a>(handle: i64) -> Option<&'a mut Array> {
    if handle == 0 || handle == ALONE {
        return None;
    }
    // SAFETY: it is the address of a box that was leaked, and is used by one thread at a time.
    unsafe { (handle as *mut Array).as_mut() }
}

/// Begins the use of a mapped array: its handle. `table` has `numbers` integers, as `trueline_abi::placement` says; `bounds` has pairs
/// of bounds.
///
/// # Safety
/// `table` is the address of `numbers` integers, `bounds` of as many pairs as the table names; `base` is the address of the first element.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_map(table: *const u8, numbers: i64, bounds: *const u8, base: *const u8) -> i64 {
    if size() == 1 {
        return ALONE;
    }
    let numbers = usize::try_from(numbers).unwrap_or(0);
    // SAFETY: the caller passes this number of integers, which need not be aligned.
    let table: Vec<i64> = (0..numbers).map(|k| unsafe { table.cast::<i64>().add(k).read_unaligned() }).collect();
    // SAFETY: as above.
    let pair = |k: usize| unsafe { bounds.cast::<(i64, i64)>().add(k).read_unaligned() };
    let placement = Placement::new(&table, pair, size() as u64);
    let array = Array { base: base as usize, placement, written: BTreeMap::new() };
    Box::into_raw(Box::new(array)) as i64
}

/// Notes that the owners of an element write it; whether this rank is one of them. All ranks write to a place outside of the array.
///
/// # Safety
/// `handle` is 0 or that of the array.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_write(handle: i64, element: *const u8) -> i32 {
    // SAFETY: the caller passes a handle that is in use.
    let Some(array) = (unsafe { array(handle) }) else { return 1 };
    let Some(index) = array.index(element) else { return 1 };
    let (owners, _) = array.placement.owners(index);
    array.have(index, owners);
    i32::from(owners >> rank() & 1 != 0)
}

/// Gives the value of an element to the owners of `target`, an element of the array behind `other`; to all ranks if that is none.
///
/// # Safety
/// The handles are 0 or those of the arrays; `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_fetch(
    handle: i64,
    element: *mut u8,
    other: i64,
    target: *const u8,
    location: *const u8,
) {
    if handle == 0 || handle == ALONE {
        return;
    }
    // SAFETY: the caller passes a handle that is in use. The reference ends before the next begins, for both may be of one array.
    let owners = unsafe { array(other) }.and_then(|a| Some(a.placement.owners(a.index(target)?).0)).unwrap_or(all());
    // SAFETY: as above.
    let Some(array) = (unsafe { array(handle) }) else { return };
    if let Some(index) = array.index(element) {
        // SAFETY: the caller passes a literal location.
        set_place(unsafe { c_text(location) });
        array.give(index, owners);
    }
}

/// Gives all elements of an array to all ranks.
///
/// # Safety
/// `handle` is 0 or that of the array at `base`; `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_publish(handle: i64, base: *mut u8, location: *const u8) {
    let _ = base;
    // SAFETY: the caller passes a handle that is in use.
    if let Some(array) = unsafe { array(handle) } {
        // SAFETY: the caller passes a literal location.
        set_place(unsafe { c_text(location) });
        array.publish();
    }
}

/// Ends the use of a mapped array; all elements have been given to all ranks.
///
/// # Safety
/// `handle` is 0 or that of an array, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_end(handle: i64) {
    if handle != 0 && handle != ALONE {
        // SAFETY: it is the address of a box that was leaked, and the last use of it.
        drop(unsafe { Box::from_raw(handle as *mut Array) });
    }
}
