//! The profiled objects of the executable.

use std::cell::UnsafeCell;
use trueline_abi::record::{HEADER_SIZE, OBJECT_MAGIC, ObjectHeader, Record};

// The linker defines these symbols if any object has the section; weak, so that a program without
// profiled objects links. Rust has no weak declarations, the assembler has.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
std::arch::global_asm!(
    ".weak __start_trueline_objects",
    ".weak __stop_trueline_objects",
    ".pushsection .data.rel.trueline_bounds,\"aw\"",
    ".balign 8",
    ".globl trueline_object_bounds",
    "trueline_object_bounds:",
    ".quad __start_trueline_objects",
    ".quad __stop_trueline_objects",
    ".popsection",
);

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
unsafe extern "C" {
    #[link_name = "trueline_object_bounds"]
    static BOUNDS: [*const u8; 2];
}

/// The headers of all profiled objects, in link order.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) fn headers() -> Vec<ObjectHeader> {
    // SAFETY: the two addresses are those of the section's ends, or null.
    let [start, stop] = unsafe { BOUNDS };
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

/// The headers of all profiled objects: none where sections cannot be found.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn headers() -> Vec<ObjectHeader> {
    Vec::new()
}

/// Whether there is a profiled object.
pub(crate) fn any() -> bool {
    !headers().is_empty()
}

struct Adopted(UnsafeCell<Vec<*mut Record>>);

// SAFETY: as the stack: one thread profiles.
unsafe impl Sync for Adopted {}

static ADOPTED: Adopted = Adopted(UnsafeCell::new(Vec::new()));

/// Remembers a record that no object of this compiler has: a caller in another language made it.
pub(crate) fn adopt(record: *mut Record) {
    // SAFETY: see `Adopted`.
    unsafe { (*ADOPTED.0.get()).push(record) };
}

/// The records of callers in other languages, in the order of their first use.
pub(crate) fn adopted() -> Vec<*mut Record> {
    // SAFETY: see `Adopted`.
    unsafe { (*ADOPTED.0.get()).clone() }
}
