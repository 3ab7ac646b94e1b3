//! The profiled objects of the executable.

use super::arena;
use trueline_abi::raw::ObjectEntry;
use trueline_abi::record::{HEADER_SIZE, OBJECT_MAGIC, ObjectHeader};

// The linker defines these symbols if any object has the section; weak, so that a program without
// profiled objects links. Rust has no weak declarations, the assembler has.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
std::arch::global_asm!(
    ".weak __start_trueline_objects",
    ".weak __stop_trueline_objects",
    ".weak __start_trueline_counters",
    ".weak __stop_trueline_counters",
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

/// The ends of the two sections: nowhere where sections cannot be found.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn bounds() -> [*mut u8; 4] {
    [std::ptr::null_mut(); 4]
}

/// The headers of all profiled objects, in link order.
pub(crate) fn headers() -> Vec<ObjectHeader> {
    let [start, stop, ..] = bounds();
    let mut out = Vec::new();
    let mut at = start;
    while !at.is_null() && (at as usize) + HEADER_SIZE as usize <= stop as usize {
        // SAFETY: the section holds headers, each `HEADER_SIZE` bytes, made by the compiler.
        let header = unsafe { at.cast::<ObjectHeader>().read_unaligned() };
        if header.magic == OBJECT_MAGIC {
            out.push(header);
        }
        at = at.wrapping_add(HEADER_SIZE as usize);
    }
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
    // SAFETY: the section is the compiler's. What counts in it meanwhile counts in whole words.
    unsafe { std::slice::from_raw_parts_mut(start, stop as usize - start as usize) }
}

/// Bytes that [`describe`] and the counters take.
pub(crate) fn size(headers: &[ObjectHeader]) -> usize {
    let meta: usize = headers.iter().map(|h| h.meta_len as usize + 64).sum();
    meta + headers.len() * size_of::<ObjectEntry>() + counters().len() + (64 << 10)
}

/// What timers may cost, as a fraction of the time; 0 if any object was compiled without a limit.
pub(crate) fn budget(headers: &[ObjectHeader]) -> f64 {
    headers.iter().map(|h| h.budget).min().unwrap_or(0) as f64 / 1e6
}

/// Puts what the objects bring into the memory of the profile.
pub(crate) fn describe(headers: &[ObjectHeader]) {
    let entries: *mut ObjectEntry = arena::make(headers.len().max(1) as u64);
    if entries.is_null() {
        return;
    }
    let first = counters().as_ptr() as u64;
    for (i, h) in headers.iter().enumerate() {
        // SAFETY: the header was made by the compiler: `meta_len` bytes stand there; there is an entry for it.
        unsafe {
            let meta = std::slice::from_raw_parts(h.meta, h.meta_len as usize);
            *entries.add(i) = ObjectEntry {
                counters: (h.counters as u64).wrapping_sub(first),
                counter_count: h.counter_count,
                record_address: h.records as u64,
                record_count: h.record_count,
                meta: arena::copy(meta),
                meta_len: h.meta_len,
            };
        }
    }
    // SAFETY: there is memory.
    unsafe {
        let header = &mut *arena::header();
        header.objects = arena::offset(entries);
        header.object_count = headers.len() as u64;
        header.tree_depth = headers.iter().map(|h| h.tree_depth).max().unwrap_or(0);
    }
}
