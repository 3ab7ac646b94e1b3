//! The addresses by which calls that are counted where they are made go to procedures of other objects.
//!
//! Each is the entry of the procedure, as the linker and the loader found it by its symbol. If that procedure is one of
//! this executable or shared library, and counts where it is entered, the address is moved on to the code behind its
//! entry: these calls need not be counted twice. Addresses are compared, so the definition that the symbol stands for
//! is the one that is called. No other address is changed.
//!
//! **Invariant:** no such call is made before [`lead`] has ended: a procedure that makes some asks for the block of its
//! thread where it is entered, and a thread gets one by beginning the profile, which calls [`lead`] first of all.

use super::{arena, objects};
use std::sync::atomic::{AtomicUsize, Ordering};
use trueline_abi::raw::Target;
use trueline_abi::record::{Entered, ObjectHeader};

/// Directs the calls of all objects to code behind entries, if the entries are theirs.
pub(crate) fn lead() {
    let mut entries: Vec<(usize, usize)> = Vec::new();
    objects::each(|h| entries.extend(entered(h).iter().map(|e| (e.entry, e.code))));
    if entries.is_empty() {
        return;
    }
    entries.sort_unstable();
    objects::each(|h| {
        for target in targets(h) {
            if let Some(code) = find(&entries, target.load(Ordering::Relaxed)) {
                target.store(code, Ordering::Relaxed);
            }
        }
    });
}

/// The facts about an address, in a list that is sorted by addresses.
fn find<T: Copy>(list: &[(usize, T)], address: usize) -> Option<T> {
    list.binary_search_by_key(&address, |e| e.0).ok().map(|at| list[at].1)
}

/// The code behind the entries of the objects of one linked file, by address: the number of the object among them, and its cell.
pub(crate) fn codes(headers: &[ObjectHeader]) -> Vec<(usize, (u64, u64))> {
    let of = |(h, n)| entered(h).iter().map(move |e| (e.code, (n, e.cell)));
    let mut out: Vec<_> = headers.iter().zip(0u64..).flat_map(of).collect();
    out.sort_unstable();
    out
}

/// Puts the targets of the calls of an object into the memory of the profile; returns the offset, 0 if there are none.
/// `before` objects are there already.
pub(crate) fn describe(h: &ObjectHeader, codes: &[(usize, (u64, u64))], before: u64) -> u64 {
    let targets = targets(h);
    if targets.is_empty() || codes.is_empty() {
        return 0;
    }
    let list: *mut Target = arena::make(targets.len() as u64);
    if list.is_null() {
        return 0;
    }
    for (i, target) in targets.iter().enumerate() {
        let to = find(codes, target.load(Ordering::Relaxed));
        let to = to.map_or(Target::default(), |(object, cell)| Target { object: before + object + 1, cell });
        // SAFETY: there is room for as many as there are targets.
        unsafe { list.add(i).write(to) };
    }
    arena::offset(list)
}

fn entered(h: &ObjectHeader) -> &'static [Entered] {
    if h.entered.is_null() {
        return &[];
    }
    // SAFETY: the header was made by the compiler: this number of entries stands there, and nobody writes to them.
    unsafe { std::slice::from_raw_parts(h.entered, h.entered_count as usize) }
}

fn targets(h: &ObjectHeader) -> &'static [AtomicUsize] {
    if h.targets.is_null() {
        return &[];
    }
    // SAFETY: the header was made by the compiler: this number of words stands there, in memory that can be written to. Only `lead` does, and
    // compiled code reads whole words.
    unsafe { std::slice::from_raw_parts(h.targets.cast(), h.target_count as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_that_is_there_is_found() {
        let list = [(16, 1), (48, 2), (64, 3)];
        assert_eq!([0, 16, 17, 48, 64, 65].map(|a| find(&list, a)), [None, Some(1), None, Some(2), Some(3), None]);
        assert_eq!(find::<u8>(&[], 16), None);
    }
}
