//! The profiled objects of the executable.

use super::arena;
use super::targets;
use trueline_abi::raw::{ObjectEntry, Target};
use trueline_abi::record::{HEADER_SIZE, OBJECT_MAGIC, ObjectHeader};

// The linker defines these symbols if any object has the section; weak, so that a program without profiled objects
// links. Such a program must not take the objects of a shared library for its own: so there is always one empty header,
// and the symbols are hidden. Rust has no weak declarations, the assembler has.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
std::arch::global_asm!(
    ".weak __start_trueline_objects",
    ".weak __stop_trueline_objects",
    ".weak __start_trueline_counters",
    ".weak __stop_trueline_counters",
    ".hidden __start_trueline_objects",
    ".hidden __stop_trueline_objects",
    ".pushsection trueline_objects,\"aw\",%progbits",
    ".balign 8",
    ".zero 144",
    ".popsection",
    ".pushsection .data.rel.trueline_bounds,\"aw\"",
    ".balign 8",
    ".globl trueline_object_bounds",
    "trueline_object_bounds:",
    ".quad __start_trueline_objects",
    ".quad __stop_trueline_objects",
    ".quad __start_trueline_counters",
    ".quad __stop_trueline_counters",
    ".popsection",
);

// The same for the counters. Where threads count in the section itself it has whole pages, and nothing may be added; nobody
// counts in a section that is not his, for only headers lead to counters.
#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".hidden __start_trueline_counters",
    ".hidden __stop_trueline_counters",
    ".pushsection trueline_counters,\"aw\",%progbits",
    ".balign 8",
    ".zero 8",
    ".popsection",
);

const _: () = assert!(HEADER_SIZE == 144, "the header that is none is as long as a header");

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
unsafe extern "C" {
    #[link_name = "trueline_object_bounds"]
    static BOUNDS: [*mut u8; 4];
}

/// The ends of the two sections, or nulls.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn bounds() -> [*mut u8; 4] {
    // SAFETY: the four addresses are those of the sections' ends, or null.
    unsafe { BOUNDS }
}

/// The ends of the two sections: none if sections cannot be found.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn bounds() -> [*mut u8; 4] {
    [std::ptr::null_mut(); 4]
}

/// Calls `f` with the headers of all profiled objects, in link order.
pub(crate) fn each(mut f: impl FnMut(&ObjectHeader)) {
    let [start, stop, ..] = bounds();
    let mut at = start;
    while !at.is_null() && (at as usize) + HEADER_SIZE as usize <= stop as usize {
        // SAFETY: the section holds headers, each `HEADER_SIZE` bytes, made by the compiler.
        let header = unsafe { at.cast::<ObjectHeader>().read_unaligned() };
        if header.magic == OBJECT_MAGIC {
            f(&header);
        }
        // An object of another version has a header of another length.
        let is_known = header.magic == OBJECT_MAGIC || header.magic == 0;
        at = at.wrapping_add(if is_known { HEADER_SIZE as usize } else { 8 });
    }
}

/// The headers of all profiled objects, in link order.
pub(crate) fn headers() -> Vec<ObjectHeader> {
    let mut out = Vec::new();
    each(|h| out.push(*h));
    out
}

/// Whether there is a profiled object.
pub(crate) fn any() -> bool {
    !headers().is_empty()
}

/// The counters of all objects in their section.
pub(crate) fn counters() -> &'static mut [u8] {
    let [_, _, start, stop] = bounds();
    if start.is_null() {
        return &mut [];
    }
    // SAFETY: the section is the compiler's. Code that counts in it meanwhile counts in whole words.
    unsafe { std::slice::from_raw_parts_mut(start, stop as usize - start as usize) }
}

/// Bytes that [`describe`] and the counters take.
pub(crate) fn size(headers: &[ObjectHeader]) -> usize {
    let of = |h: &ObjectHeader| h.meta_len as usize + h.target_count as usize * size_of::<Target>() + 64;
    let meta: usize = headers.iter().map(of).sum();
    meta + headers.len() * size_of::<ObjectEntry>() + counters().len() + (64 << 10)
}

/// The budget of timers as a fraction of the time; 0 if any object was compiled without a limit.
pub(crate) fn budget(headers: &[ObjectHeader]) -> f64 {
    headers.iter().map(|h| h.budget).min().unwrap_or(0) as f64 / 1e6
}

/// Puts objects into the memory of the profile, behind the earlier ones; returns the number of these. The
/// counters of the objects are in `section`, whose place among those of all is `first`.
pub(crate) fn describe(headers: &[ObjectHeader], section: *const u8, first: u64) -> u64 {
    // SAFETY: there is memory.
    let (before, old) = unsafe { ((*arena::header()).object_count, (*arena::header()).objects) };
    let entries: *mut ObjectEntry = arena::make(before + headers.len().max(1) as u64);
    if entries.is_null() {
        return before;
    }
    // SAFETY: `before` entries are there, and there is room for them in the new list.
    unsafe { std::ptr::copy_nonoverlapping(arena::at::<ObjectEntry>(old), entries, before as usize) };
    let codes = targets::codes(headers);
    for (i, h) in headers.iter().enumerate() {
        let targets = targets::describe(h, &codes, before);
        // SAFETY: the header was made by the compiler: `meta_len` bytes stand there; there is an entry for it.
        unsafe {
            let meta = std::slice::from_raw_parts(h.meta, h.meta_len as usize);
            *entries.add(before as usize + i) = ObjectEntry {
                counters: first.wrapping_add((h.counters as u64).wrapping_sub(section as u64)),
                counter_count: h.counter_count,
                record_address: h.records as u64,
                record_count: h.record_count,
                meta: arena::copy(meta),
                meta_len: h.meta_len,
                targets,
                target_count: if targets == 0 { 0 } else { h.target_count },
            };
        }
    }
    // SAFETY: there is memory.
    unsafe {
        let header = &mut *arena::header();
        header.objects = arena::offset(entries);
        header.object_count = before + headers.len() as u64;
        header.tree_depth = headers.iter().map(|h| h.tree_depth).fold(header.tree_depth, u64::max);
    }
    before
}
