//! Static data of profiled objects: counters, records and construct metadata in linker sections.
//!
//! Each profiled object has one [`ObjectHeader`] in section `trueline_objects`. The linker puts the
//! headers of all objects one after the other and defines the symbols around them, so any number of
//! separately compiled objects is found without a registry, and nothing is registered at run time.
//! The counters have a section of their own. On x86-64 it only says where those of an object stand among all: each
//! thread counts in a block of its own, which is laid out as the section is, and a thread-local word
//! ([`BLOCK_DISTANCE`]) says how far the block is away from it. On other processors the section is the one block of all
//! threads, in whole pages, so that a file can be mapped over it.

/// The section of the object headers. A C identifier, so that the linker defines `__start_` and `__stop_`
/// symbols for it.
pub const OBJECTS_SECTION: &str = "trueline_objects";

/// The section of the counters.
pub const COUNTERS_SECTION: &str = "trueline_counters";

/// The section of the address maps.
pub const MAP_SECTION: &str = "trueline_map";

/// The alignment of the counters of an object; their length is a multiple of it. On a processor where a file is mapped
/// over them it is the largest page of AArch64.
pub fn counters_alignment(is_x86: bool) -> u64 {
    if is_x86 { 8 } else { 65536 }
}

/// The thread-local symbol of the runtime whose value, taken from the address of a counter in the section, gives the
/// address of the thread's own: the address of the section less that of the thread's block, or [`NO_BLOCK`].
pub const BLOCK_DISTANCE: &str = "trueline_block_distance";

/// [`BLOCK_DISTANCE`] of a thread that has no block yet: less than any distance, and taken from an address it leaves a
/// negative number.
pub const NO_BLOCK: i64 = i64::MIN;

/// The routine of the runtime that gives the calling thread a block. It changes no register but the flags and those
/// that pass nothing to a procedure: RAX and R11.
pub const TAKE_BLOCK: &str = "trueline_take_block";

/// Behind the symbol of a probe's routine: one that does the same and changes no register. There are such routines on x86-64.
pub const KEEPING: &str = "_keeping";

/// Behind the symbol of a routine that starts a timer: one that changes no register either, and is called with nothing but the address
/// of code that loads its arguments, before the address that it returns to. There are such routines on x86-64.
pub const AT: &str = "_at";

/// The value of [`ObjectHeader::magic`]: the letters `TLPROF` and the version of this layout.
pub const OBJECT_MAGIC: u64 = u64::from_le_bytes(*b"TLPROF\0\x06");

/// The runtime's symbol that object headers name, so that linking one brings the runtime in.
pub const ANCHOR: &str = "trueline_profile_begin";

/// The header by which the runtime finds the parts of an object.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ObjectHeader {
    /// [`OBJECT_MAGIC`].
    pub magic: u64,
    /// The counters in their section: `counter_count` unsigned 64-bit numbers.
    pub counters: *mut u64,
    /// The number of counters. On x86-64 as many cells as there are records stand behind them: the countdowns of the
    /// timers.
    pub counter_count: u64,
    /// The records of timed constructs: `record_count` of them.
    pub records: *mut Record,
    /// The number of records.
    pub record_count: u64,
    /// The construct metadata: a zlib stream of the JSON of [`crate::profile::ObjectMeta`].
    pub meta: *const u8,
    /// The length of the stream in bytes.
    pub meta_len: u64,
    /// The address of [`ANCHOR`].
    pub anchor: *const u8,
    /// The depth of the call tree that was asked for when the object was compiled; 0 for none.
    pub tree_depth: u64,
    /// The cost that timers may have, in millionths of the time; timers that turn out to cost more are thinned. 0: it does not matter.
    pub budget: u64,
    /// The beginning of the object's code, from which the offsets of the map count.
    pub code: *const u8,
    /// The address map ([`crate::address_map`]), in section [`MAP_SECTION`]; null if there is none.
    pub map: *const u8,
    /// The length of the map in bytes.
    pub map_len: u64,
    /// The most samples of the program counter in a second of processor time; 0 for none.
    pub sample_rate: u64,
    /// The procedures whose entries calls of other objects may pass by; null if there are none.
    pub entered: *const Entered,
    /// The number of these.
    pub entered_count: u64,
    /// The addresses by which calls that are counted where they are made go to procedures of other objects; null if there are none.
    pub targets: *mut usize,
    /// The number of these.
    pub target_count: u64,
}

/// A procedure that counts where it is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Entered {
    /// The address of its symbol, from where on it counts.
    pub entry: usize,
    /// The address of its code behind that.
    pub code: usize,
    /// The cell of the counter.
    pub cell: u64,
}

/// The size of an [`ObjectHeader`] in bytes.
pub const HEADER_SIZE: u64 = 144;

/// The record of one timed construct (HPF profiling paper, section 4: the `record` argument): static data of
/// the caller, in which the runtime caches the number of its data about the construct, so that nothing is
/// looked up when it is entered again.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Record {
    /// The description, NUL-terminated: `file:line: text`; null if it is passed with each call.
    pub name: *const u8,
    /// Index of the construct in the object's metadata.
    pub construct: u32,
    /// The runtime's: 0 before the first use, then the number of the record, with [`MASKED`] if it is not timed.
    pub id: u32,
}

/// [`Record::id`]: the construct is not timed.
pub const MASKED: u32 = 1 << 31;

/// The size of a [`Record`] in bytes.
pub const RECORD_SIZE: u64 = 16;

const _: () = assert!(size_of::<ObjectHeader>() as u64 == HEADER_SIZE && size_of::<Record>() as u64 == RECORD_SIZE);
