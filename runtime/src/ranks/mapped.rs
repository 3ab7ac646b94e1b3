//! Which ranks have the value of which element of a mapped array, and how they get it: the functions that compiled code calls.
//!
//! Every rank has room for the whole array. While all ranks have all elements nothing is kept. Elements that their owners alone have
//! written are noted with the ranks that have their values ([`super::notes`]); all ranks take the same notes, for all of them run through the
//! same statements, so nobody has to ask. A value that was sent stays valid until the element is written again.
//!
//! Loop nests are treated as a whole ([`super::nest`]), other statements element by element.
//!
//! **Invariant:** outside of an activation of a procedure that maps an array, all ranks have all of it. So procedures may map the
//! same array in different ways, or know nothing of it. Arrays of static memory are excepted, which are kept ([`super::kept`]), and arguments that
//! callees ask for, which are handed over ([`super::handed`]).

use super::exchange::note_sent;
use super::ledger::{self, Category};
use super::notes::{Run, Runs, State, States, changed};
use super::placement::{Placement, Ranks, moved};
use super::{fault, rank, receive, rehearsal, send, set_place, size};
use crate::memory::c_text;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The handle of all arrays where there is one rank.
pub(super) const ALONE: i64 = -1;

/// An array during an activation.
pub(super) struct Array {
    /// Address of the first element.
    pub(super) base: usize,
    pub(super) placement: Arc<Placement>,
    /// The number of the placement.
    pub(super) number: i64,
    /// Its name and directive, for the ledger.
    pub(super) name: &'static [u8],
    notes: Notes,
    /// How often all ranks have got a part of it since something was stored to it.
    given: usize,
}

/// The elements that not all ranks have, and the ranks that have them.
enum Notes {
    /// A version that others may have, too.
    Kept(Arc<State>),
    /// Notes of this array alone.
    Own(Runs),
}

/// The bytes that are on their way as long as a message takes without any.
const BYTES_OF_A_MESSAGE: usize = 20_000;

/// A mapping as numbers, and the bounds that it needs.
type Mapping = (Vec<i64>, Vec<(i64, i64)>);

/// Placements by their mappings, with their numbers.
type Placements = HashMap<Mapping, (i64, Arc<Placement>)>;

/// The placements that were made.
static PLACEMENTS: Mutex<Option<Placements>> = Mutex::new(None);

/// The bits of all ranks.
pub(super) fn all() -> Ranks {
    Ranks::MAX >> (Ranks::BITS as usize - size())
}

impl Array {
    /// An array of which no element is ever used, as memory that is not allocated, and an argument that is absent.
    pub(super) fn absent(like: &Array) -> Array {
        let notes = Notes::Own(Runs::default());
        Array { base: 0, placement: like.placement.clone(), number: like.number, name: b"", notes, given: 0 }
    }

    /// The number of the element at that address; none if it is no element.
    fn index(&self, at: *const u8) -> Option<usize> {
        let index = (at as usize).checked_sub(self.base)? / self.placement.element;
        (index < self.placement.count).then_some(index)
    }

    /// The owners of the element at that address; none if it is no element.
    pub(super) fn owners_at(&self, at: *const u8) -> Option<Ranks> {
        Some(self.placement.owners(self.index(at)?).0)
    }

    /// The bytes of `count` elements from `index` on.
    pub(super) fn bytes(&mut self, index: usize, count: usize) -> &mut [u8] {
        let element = self.placement.element;
        debug_assert!(index + count <= self.placement.count, "elements are within the array");
        // SAFETY: compiled code has passed address and bounds of an array, which `index` is within, and does not use it while it waits.
        unsafe { std::slice::from_raw_parts_mut((self.base + index * element) as *mut u8, count * element) }
    }

    /// The notes, to be changed.
    pub(super) fn runs(&mut self) -> &mut Runs {
        if let Notes::Kept(state) = &self.notes {
            self.notes = Notes::Own(Runs::of(state));
        }
        match &mut self.notes {
            Notes::Own(runs) => runs,
            Notes::Kept(_) => unreachable!("the notes are its own now"),
        }
    }

    /// The version of the notes.
    pub(super) fn state(&mut self, states: &mut States) -> Arc<State> {
        if let Notes::Own(runs) = &self.notes {
            self.notes = Notes::Kept(states.keep(self.number, runs.iter().collect()));
        }
        match &self.notes {
            Notes::Kept(state) => state.clone(),
            Notes::Own(_) => unreachable!("the notes are kept now"),
        }
    }

    /// The number of the version of the notes, if it is one that is kept.
    pub(super) fn version(&self) -> Option<i64> {
        match &self.notes {
            Notes::Kept(state) => Some(state.number),
            Notes::Own(_) => None,
        }
    }

    /// Gives the array, all of which all ranks have, other owners.
    pub(super) fn move_whole(&mut self, number: i64, placement: Arc<Placement>) {
        (self.number, self.placement) = (number, placement);
        self.notes = Notes::Own(Runs::default());
    }

    /// Gives the array other owners, which have got its elements; `state` are the notes then.
    pub(super) fn move_to(&mut self, number: i64, placement: Arc<Placement>, state: &Arc<State>) {
        (self.number, self.placement) = (number, placement);
        self.take_state(state);
    }

    /// Takes that version of the notes.
    pub(super) fn take_state(&mut self, state: &Arc<State>) {
        self.given = 0;
        self.notes = Notes::Kept(state.clone());
    }

    /// Gives element `index` to those of `wanted` that have not got its value.
    fn give(&mut self, index: usize, wanted: Ranks) {
        let known = match &self.notes {
            Notes::Own(runs) => runs.get(index),
            Notes::Kept(state) => state.get(index),
        };
        let Some(have) = known else { return };
        let missing = wanted & !have;
        if missing == 0 {
            return;
        }
        let (_, from) = self.placement.owners(index);
        if rehearsal::is_on() {
            rehearsal::exchange(&rehearsal::to_all(from, missing, &[(self.name, self.placement.element)]));
        } else if rank() == from {
            for to in (0..size()).filter(|to| missing >> to & 1 != 0) {
                note_sent(std::iter::once((self.name, self.placement.element)));
                send(to, self.bytes(index, 1));
            }
        } else if missing >> rank() & 1 != 0 {
            receive(from, self.bytes(index, 1));
        }
        self.runs().set(index, index + 1, have | wanted, all());
    }

    /// Whether a part of the elements is given to all ranks, in place of all of them: not when more parts were wanted than cost as much as the whole.
    fn may_give(&mut self) -> bool {
        let bytes = self.placement.element.saturating_mul(self.placement.count);
        self.given += 1;
        self.given <= size() + bytes / BYTES_OF_A_MESSAGE
    }

    /// The elements of a section, in order: ranges that are apart. None if it is no section of this array, or most of it.
    fn section(&self, at: *const u8, count: usize, stride: i64) -> Option<Vec<(usize, usize)>> {
        let first = self.index(at)?;
        let step = stride / i64::try_from(self.placement.element).ok()?;
        let last = step.checked_mul(i64::try_from(count - 1).ok()?)?.checked_add(i64::try_from(first).ok()?)?;
        let last = usize::try_from(last).ok().filter(|&last| last < self.placement.count)?;
        let is_exact = count == 1 || step != 0 && step.saturating_mul(self.placement.element as i64) == stride;
        if !is_exact || count > self.placement.count / 2 {
            return None;
        }
        let low = first.min(last);
        if count == 1 || step.abs() == 1 {
            return Some(vec![(low, low + count)]);
        }
        let step = step.unsigned_abs() as usize;
        Some((0..count).map(|k| (low + k * step, low + k * step + 1)).collect())
    }

    /// Gives all elements to all ranks: one message from each rank that has elements to each rank that has not.
    pub(super) fn publish(&mut self) {
        self.given = 0;
        if self.is_whole() {
            return;
        }
        let runs = self.all_runs();
        self.notes = Notes::Own(Runs::default());
        self.send_runs(runs, all());
    }

    /// Gives the elements in `ranges`, which are in order and apart, to some ranks: one message from each rank that has some to each of these that
    /// has not.
    fn give_ranges(&mut self, ranges: &[(usize, usize)], to: Ranks) {
        let mut runs = Vec::new();
        let take = &mut |run: Run| {
            runs.push(run);
            if fault("ranks_shown_everywhere") { all() } else { run.2 | to }
        };
        let after = changed(&self.all_runs(), ranges, all(), take);
        if fault("ranks_section_last") {
            runs.pop();
        }
        self.notes = Notes::Own(Runs::new(&after));
        self.send_runs(runs, to);
    }

    fn all_runs(&self) -> Vec<Run> {
        match &self.notes {
            Notes::Own(runs) => runs.iter().collect(),
            Notes::Kept(state) => state.runs().to_vec(),
        }
    }

    /// Sends the elements in `runs` to those of the ranks in `to` that have not got them.
    fn send_runs(&mut self, runs: Vec<Run>, to: Ranks) {
        // All ranks go through the pairs in one order, so nobody waits for a rank that waits for it.
        let mut of: Vec<Vec<(usize, usize, Ranks)>> = vec![Vec::new(); size()];
        for (first, end, have) in runs {
            if have != 0 {
                of[have.trailing_zeros() as usize].push((first, end - first, to & !have));
            }
        }
        if fault("ranks_publish_last") {
            of.iter_mut().for_each(|runs| _ = runs.pop());
        }
        let mut rehearsed = Vec::new();
        for (from, runs) in of.iter().enumerate() {
            for to in 0..size() {
                let wanted = || runs.iter().filter(move |r| r.2 >> to & 1 != 0);
                let length: usize = wanted().map(|r| r.1 * self.placement.element).sum();
                if length == 0 {
                    continue;
                }
                if rehearsal::is_on() {
                    let pieces = wanted().count();
                    rehearsed.push(rehearsal::Sent { from, to, parts: vec![(self.name, length)], pieces });
                } else if rank() == from {
                    let mut message = Vec::with_capacity(length);
                    wanted().for_each(|&(first, count, _)| message.extend_from_slice(self.bytes(first, count)));
                    note_sent(std::iter::once((self.name, length)));
                    send(to, &message);
                } else if rank() == to {
                    let mut message = vec![0; length];
                    receive(from, &mut message);
                    let mut rest = message.as_slice();
                    for &(first, count, _) in wanted() {
                        let part;
                        (part, rest) = rest.split_at(count * self.placement.element);
                        self.bytes(first, count).copy_from_slice(part);
                    }
                }
            }
        }
        if !rehearsed.is_empty() {
            rehearsal::exchange(&rehearsed);
        }
    }

    /// The bytes of the array, from the first to behind the last.
    pub(super) fn range(&self) -> (usize, usize) {
        (self.base, self.base.saturating_add(self.placement.element.saturating_mul(self.placement.count)))
    }

    /// Whether all ranks have all elements.
    pub(super) fn is_whole(&self) -> bool {
        match &self.notes {
            Notes::Own(runs) => runs.iter().next().is_none(),
            Notes::Kept(state) => state.is_whole(),
        }
    }
}

/// The array behind a handle.
///
/// # Safety
/// `handle` is 0, [`ALONE`], or was made by [`trueline_ranks_map`] and not closed; nobody else uses the array during `'a`.
pub(super) unsafe fn array<'a>(handle: i64) -> Option<&'a mut Array> {
    if handle == 0 || handle == ALONE {
        return None;
    }
    // SAFETY: it is the address of a box that was leaked, and is used by one thread at a time.
    unsafe { (handle as *mut Array).as_mut() }
}

/// Begins the use of a mapped array: its handle. `table` has `numbers` integers, as `trueline_abi::placement` says; `bounds` has pairs
/// of bounds; `name` is the name of the array and its directive.
///
/// # Safety
/// `table` is the address of `numbers` integers, `bounds` of as many pairs as the table names; `base` is the address of the first element; `name` is null or
/// NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_map(
    table: *const u8,
    numbers: i64,
    bounds: *const u8,
    base: *const u8,
    name: *const u8,
) -> i64 {
    if size() == 1 {
        return ALONE;
    }
    let _part = ledger::begin(Category::Library);
    // SAFETY: the caller passes this number of integers, and pairs, and a literal name.
    let ((number, placement, _), name) = unsafe { (placement_of(table, numbers, bounds), c_text(name)) };
    new_array(base as usize, (number, placement), name)
}

/// The handle of an array, all of which all ranks have.
pub(super) fn new_array(base: usize, (number, placement): (i64, Arc<Placement>), name: &'static [u8]) -> i64 {
    let array = Array { base, placement, number, name, notes: Notes::Own(Runs::default()), given: 0 };
    Box::into_raw(Box::new(array)) as i64
}

/// The placement that compiled code means, its number, and the bounds that it depends on.
///
/// # Safety
/// As for [`trueline_ranks_map`].
pub(super) unsafe fn placement_of(
    table: *const u8,
    numbers: i64,
    bounds: *const u8,
) -> (i64, Arc<Placement>, Vec<i64>) {
    let numbers = usize::try_from(numbers).unwrap_or(0);
    // SAFETY: the caller passes this number of integers, which need not be aligned.
    let table: Vec<i64> = (0..numbers).map(|k| unsafe { table.cast::<i64>().add(k).read_unaligned() }).collect();
    // SAFETY: as above.
    let pair = |k: usize| unsafe { bounds.cast::<(i64, i64)>().add(k).read_unaligned() };
    placement(table, pair)
}

/// The placement of a mapping with these bounds, and its number.
fn placement(table: Vec<i64>, pair: impl Fn(usize) -> (i64, i64)) -> (i64, Arc<Placement>, Vec<i64>) {
    // The pairs that the table names are found by making the placement once.
    let named = std::cell::Cell::new(0);
    let noted = |k: usize| {
        named.set(named.get().max(k + 1));
        pair(k)
    };
    let made = Placement::new(&table, noted, size() as u64);
    let bounds: Vec<(i64, i64)> = (0..named.get()).map(pair).collect();
    let flat = bounds.iter().flat_map(|&(lo, hi)| [lo, hi]).collect();
    let mut all = PLACEMENTS.lock().unwrap_or_else(PoisonError::into_inner);
    let all = all.get_or_insert_default();
    let next = all.len() as i64;
    let (number, placement) = all.entry((table, bounds)).or_insert_with(|| (next, Arc::new(made))).clone();
    (number, placement, flat)
}

/// The owners of an array for somebody who sees it with the bounds of `seen`, with their number; none if the extents differ.
pub(super) fn rebased(array: &Array, seen: &Placement) -> Option<(i64, Arc<Placement>)> {
    let old = &array.placement;
    let pairs = |p: &Placement| -> Vec<(i64, i64)> { (0..p.rank()).map(|d| p.subscripts(d)).collect() };
    let (from, to) = (pairs(old), pairs(seen));
    let by: Option<Vec<i64>> = from.iter().zip(&to).map(|(a, b)| a.0.checked_sub(b.0)).collect();
    let by = by.filter(|_| old.rank() == seen.rank() && old.has_extents_of(seen))?;
    if by.iter().all(|&n| n == 0) || fault("ranks_inherited_bounds") {
        return Some((array.number, old.clone()));
    }
    let (table, mut bounds) = {
        let all = PLACEMENTS.lock().unwrap_or_else(PoisonError::into_inner);
        all.as_ref()?.iter().find(|(_, made)| made.0 == array.number).map(|(of, _)| of.clone())?
    };
    let table = moved(&table, &by)?;
    bounds.get_mut(..to.len())?.copy_from_slice(&to);
    let (number, placement, _) = placement(table, |k| bounds.get(k).copied().unwrap_or((1, 0)));
    Some((number, placement))
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
    if !fault("ranks_write_unnoted") {
        array.runs().set(index, index + 1, owners, all());
        array.given = 0;
    }
    i32::from(rehearsal::is_on() || owners >> rank() & 1 != 0)
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
    // SAFETY: the caller passes a handle that is in use.
    if unsafe { array(handle) }.is_none_or(|a| a.is_whole()) {
        return;
    }
    // SAFETY: the caller passes a handle that is in use. The reference ends before the next begins, for both may be of one array.
    let owners = unsafe { array(other) }.and_then(|a| a.owners_at(target)).unwrap_or(all());
    // SAFETY: as above.
    let Some(array) = (unsafe { array(handle) }) else { return };
    if let Some(index) = array.index(element) {
        // SAFETY: the caller passes a literal location.
        set_place(unsafe { c_text(location) });
        let _part = ledger::begin(Category::Communication);
        if owners != all() || array.may_give() {
            array.give(index, owners);
        } else {
            array.publish();
        }
    }
}

/// Gives `count` elements to all ranks that lie `stride` bytes from one another, from `element` on.
///
/// # Safety
/// `handle` is 0 or that of the array; `location` is null or NUL-terminated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn trueline_ranks_give(
    handle: i64,
    element: *mut u8,
    count: i64,
    stride: i64,
    location: *const u8,
) {
    // SAFETY: the caller passes a handle that is in use.
    let Some(array) = (unsafe { array(handle) }).filter(|a| !a.is_whole() && count > 0) else { return };
    // SAFETY: the caller passes a literal location.
    set_place(unsafe { c_text(location) });
    let _part = ledger::begin(Category::Communication);
    // The others do not write it.
    let to = if crate::io::ranks::is_of_first() { 1 } else { all() };
    match array.section(element, count as usize, stride) {
        Some(ranges) if array.may_give() => array.give_ranges(&ranges, to),
        _ if to == all() => array.publish(),
        _ => array.give_ranges(&[(0, array.placement.count)], to),
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
        let _part = ledger::begin(Category::Communication);
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
