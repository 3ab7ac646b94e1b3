//! Static data of profiled objects: counters, records and construct metadata in linker sections.
//!
//! Each profiled object has one [`ObjectHeader`] in section `trueline_objects`. The linker puts the
//! headers of all objects one after the other and defines the symbols around them, so any number of
//! separately compiled objects is found without a registry, and nothing is registered at run time.

/// The section of the object headers. A C identifier, so that the linker defines `__start_` and `__stop_`
/// symbols for it.
pub const OBJECTS_SECTION: &str = "trueline_objects";

/// What [`ObjectHeader::magic`] must be: the letters `TLPROF` and the version of this layout.
pub const OBJECT_MAGIC: u64 = u64::from_le_bytes(*b"TLPROF\0\x01");

/// What the runtime finds of an object.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ObjectHeader {
    /// [`OBJECT_MAGIC`].
    pub magic: u64,
    /// The counters: `counter_count` unsigned 64-bit numbers.
    pub counters: *mut u64,
    /// How many counters there are.
    pub counter_count: u64,
    /// The records of timed constructs: `record_count` of them.
    pub records: *mut Record,
    /// How many records there are.
    pub record_count: u64,
    /// The construct metadata: a zlib stream of the JSON of [`crate::profile::ObjectMeta`].
    pub meta: *const u8,
    /// The length of the stream in bytes.
    pub meta_len: u64,
}

/// The size of an [`ObjectHeader`] in bytes.
pub const HEADER_SIZE: u64 = 56;

/// The record of one timed construct (HPF profiling paper, section 4: the `record` argument). It is
/// zero-initialised static data but for `construct` and `name`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Record {
    /// The description, NUL-terminated: `file:line: text`.
    pub name: *const u8,
    /// Index of the construct in the object's metadata.
    pub construct: u32,
    /// How many activations are on the stack now (recursion must not count time twice).
    pub depth: u32,
    /// Clock ticks with everything called from it, of outermost activations.
    pub inclusive: u64,
    /// Clock ticks without nested timed constructs.
    pub exclusive: u64,
    /// Invocations, counted where the entry flag says so.
    pub invocations: u64,
    /// Iterations (`incr_loop`).
    pub iterations: u64,
    /// Evaluations, and for a conditional the arms taken: logical true, or arithmetic negative, zero, positive.
    pub taken: [u64; 3],
    /// Evaluations of a conditional.
    pub evaluations: u64,
}

/// The size of a [`Record`] in bytes.
pub const RECORD_SIZE: u64 = 80;

const _: () = assert!(size_of::<ObjectHeader>() as u64 == HEADER_SIZE && size_of::<Record>() as u64 == RECORD_SIZE);
