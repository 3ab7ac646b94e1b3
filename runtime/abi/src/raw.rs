//! The raw profile: the data that a running program keeps in a mapped file, so that nothing is lost when it is killed.
//!
//! Everything the runtime counts lives in one file that is mapped from the start of the run: the counters of
//! all objects in blocks of the threads, and the runtime's own stack, records and tables. References are offsets into the file, so that
//! [`profile`](convert::profile) makes the same [`Profile`](crate::profile::Profile) of it whether it is called
//! by the program at its end, or by a report after the program was killed.
//!
//! **Invariants:** every field is a 64-bit number in the byte order of the machine; a structure is complete
//! before the offset that leads to it is stored; offset 0 leads nowhere.

mod convert;

pub use convert::{RawError, is_raw, profile, profile_of_rank, shares};

/// The value of [`Header::magic`]: the letters `TLRAW` and the version of this layout.
pub const RAW_MAGIC: u64 = u64::from_le_bytes(*b"TLRAW\0\0\x0b");

/// Records in a page of the record table.
pub const RECORDS_IN_PAGE: u64 = 1024;
/// Pages that the record table can have.
pub const RECORD_PAGES: u64 = 512;
/// Frames in a page of a thread's stack.
pub const FRAMES_IN_PAGE: u64 = 512;
/// Pages that a thread's stack can have.
pub const FRAME_PAGES: u64 = 2048;
/// Slots in a page of a thread's slot table.
pub const SLOTS_IN_PAGE: u64 = 256;
/// Pages that a thread's slot table can have.
pub const SLOT_PAGES: u64 = 2048;

/// Events in a page of a thread's trace. A page is the offset of the next one, and then this number of [`Event`]s.
pub const EVENTS_IN_PAGE: u64 = 1024;
/// The length of such a page in bytes.
pub const TRACE_PAGE: u64 = 8 + EVENTS_IN_PAGE * Event::SIZE;

/// [`Header::tree_depth`]: contexts are kept as deep as they are, but activations of a recursive procedure share theirs.
pub const FOLDED: u64 = 0;
/// [`Header::tree_depth`]: no contexts are kept.
pub const NO_TREE: u64 = u64::MAX - 1;
/// The most contexts of a thread; deeper ones count as their parent.
pub const MOST_NODES: u64 = 1 << 15;

/// [`Header::state`]: the program runs, or was killed.
pub const RUNNING: u64 = 0;
/// [`Header::state`]: the program has ended in an orderly way.
pub const ENDED: u64 = 1;
/// [`Header::state`]: a signal has ended the program, and the profile is whole.
pub const SIGNALLED: u64 = 2;

/// [`Header::apart`]: this process has counted what one of several ranks does.
pub const APART: u64 = 1;
/// [`Header::apart`]: some of these counts are those of all ranks by now, and others are not.
pub const ADDING_UP: u64 = 2;
/// [`Header::apart`]: all of them are those of all ranks.
pub const ADDED_UP: u64 = 3;

/// The record that calibrates the probes; it is in no profile.
pub const CALIBRATION_RECORD: u64 = 1;
/// [`RecordEntry::flags`], [`Slot::flags`]: not timed, because a filter says so.
pub const FILTERED: u64 = 1;
/// [`RecordEntry::flags`], [`Slot::flags`]: no longer timed, because it was called too often for too short a time.
pub const THROTTLED: u64 = 2;
/// [`Slot::flags`]: it was entered again while it was active. Such a construct is not thinned: it is not known which
/// activation is the outermost if not all are timed.
pub const RECURSIVE: u64 = 4;
/// The largest value of [`Slot::thinning`].
pub const MOST_THINNING: u64 = 24;

macro_rules! layouts {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
            #[repr(C)]
            pub struct $name {
                $($(#[$field_doc])* pub $field: u64,)*
            }

            impl $name {
                /// The size in bytes.
                pub const SIZE: u64 = size_of::<$name>() as u64;

                /// The structure at `offset` of `bytes`, if it is there.
                pub fn read(bytes: &[u8], offset: u64) -> Option<$name> {
                    let mut at = offset;
                    $(
                        let $field = word(bytes, at)?;
                        at = at.checked_add(8)?;
                    )*
                    let _ = at;
                    Some($name { $($field),* })
                }
            }
        )*
    };
}

/// The number at `offset` of `bytes`, if it is there.
pub fn word(bytes: &[u8], offset: u64) -> Option<u64> {
    let start = usize::try_from(offset).ok()?;
    let word = bytes.get(start..start.checked_add(8)?)?;
    Some(u64::from_ne_bytes(word.try_into().ok()?))
}

pub mod samples;

layouts! {
    /// The beginning of the file.
    Header {
        /// [`RAW_MAGIC`], stored last.
        magic,
        /// [`RUNNING`], [`ENDED`] or [`SIGNALLED`].
        state,
        /// The signal that ended the program.
        signal,
        /// The process.
        pid,
        /// The process that forked this one, or 0.
        parent,
        /// The rank in the run.
        rank,
        /// Bytes in use.
        used,
        /// The clock at the beginning, in ticks.
        start_ticks,
        /// The monotonic clock at the beginning, in nanoseconds.
        start_ns,
        /// The clock a little later, in ticks.
        calibrated_ticks,
        /// The monotonic clock at the same time.
        calibrated_ns,
        /// The clock at the end, in ticks; 0 before.
        end_ticks,
        /// The monotonic clock at the end.
        end_ns,
        /// The clock that ticks: 0 `tsc`, 1 `cntvct`, 2 `monotonic`.
        clock,
        /// Thousandths of a tick that a pair of probes costs.
        probe_milliticks,
        /// Offset of the newest [`Block`].
        blocks,
        /// The number of blocks.
        block_count,
        /// The length of the counters of all objects in bytes: that of the counters of each block.
        counters_len,
        /// Offset of the [`ObjectEntry`]s.
        objects,
        /// The number of objects.
        object_count,
        /// Offset of the offsets of [`RECORD_PAGES`] pages of [`RecordEntry`]s.
        records,
        /// The number of records with a number; the first is 1.
        record_count,
        /// Offset of the newest [`Thread`].
        threads,
        /// The number of threads.
        thread_count,
        /// Offset of the name of the program.
        program,
        /// Its length in bytes.
        program_len,
        /// The number of calls that are always timed (`TRUELINE_THROTTLE`); 0 for all.
        throttle_calls,
        /// A construct with a shorter mean time than this number of ticks is throttled.
        throttle_ticks,
        /// The cost that timers may have, in millionths of the time; 0 if it does not matter.
        budget,
        /// The least [`Slot::thinning`] of a thinned construct (`TRUELINE_THIN`).
        least_thinning,
        /// Thousandths of a tick that an empty construct takes apparently if it is timed while it is thinned.
        span_milliticks,
        /// The number of pairs of probes that cost as much as timing an invocation of a thinned construct.
        aside_pairs,
        /// The depth in procedures to which calling contexts are kept apart; [`FOLDED`] or [`NO_TREE`].
        tree_depth,
        /// The most events of a thread that are kept; 0 for none.
        trace_most,
        /// Whether timing was switched off for a part of the run: 1, or 0.
        paused,
        /// Offset of the [`samples::Sampling`]; 0 if the program was built without samples.
        sampling,
        /// The duration of the beginning, in nanoseconds of processor time.
        begin_ns,
        /// The duration of making the file, in nanoseconds of processor time: it is made once more at the end.
        file_ns,
        /// Thousandths of a nanosecond of an operation of each [`crate::cost::Class`]: `Memory`.
        memory_ps,
        /// `Register`.
        register_ps,
        /// `Call`.
        call_ps,
        /// `Entry`.
        entry_ps,
        /// `Address`.
        address_ps,
        /// `Test`.
        test_ps,
        /// `Hidden`.
        hidden_ps,
        /// `Around`.
        around_ps,
        /// `Lanes`.
        lanes_ps,
        /// `Arm`.
        arm_ps,
        /// Thousandths of a nanosecond of a cycle of the processor.
        cycle_ps,
        /// Whether counts of which each rank has a share have been added up: [`APART`], [`ADDING_UP`] or [`ADDED_UP`]; 0 if the program does
        /// not run on several ranks.
        apart,
    }

    /// The counters of one thread after the other: a thread that begins takes over the block of one that has ended, and
    /// adds to its counts. So a count of the run is the sum over all blocks.
    Block {
        /// Offset of the next older one.
        next,
        /// The kernel's number of the thread that counts in it; all ones if no other thread may ever do so.
        owner,
        /// Offset of its counters: those of all objects of a linked file, one after the other, in whole pages.
        counters,
        /// The place of these among the counters of all linked files, in bytes.
        first,
        /// Their size in bytes.
        len,
    }

    /// An object's tables.
    ObjectEntry {
        /// Offset of its counters in a block, in bytes.
        counters,
        /// The number of its counters.
        counter_count,
        /// The address of its records in the program.
        record_address,
        /// The number of its records.
        record_count,
        /// Offset of its metadata: a zlib stream.
        meta,
        /// The length of the stream in bytes.
        meta_len,
        /// Offset of the [`Target`]s of its calls.
        targets,
        /// The number of the targets.
        target_count,
    }

    /// The targets of calls of an object that are counted where they are made.
    Target {
        /// The number of the object, from 1, whose entry they pass by; 0 if they pass by none.
        object,
        /// The cell there that counts entries.
        cell,
    }

    /// A record that has been used.
    RecordEntry {
        /// The number of its object, from 1; 0 if a caller in another language made it.
        object,
        /// Its index in the object.
        index,
        /// Offset of its name, if it has no object.
        name,
        /// The length of the name in bytes.
        name_len,
        /// Its first use: the number of a [`Kind`].
        kind,
        /// [`FILTERED`], [`THROTTLED`] or 0.
        flags,
        /// The strongest thinning in any thread ([`Slot::thinning`]): others begin with a little less.
        thinning,
    }

    /// A thread that has entered a timed construct.
    Thread {
        /// Offset of the next older one.
        next,
        /// Its number, from 0 in the order of their first probes.
        number,
        /// The clock at its beginning.
        first,
        /// The clock at its last probe.
        last,
        /// Frames on its stack.
        depth,
        /// The entries of them that are timed.
        timed,
        /// Constructs entered beyond the room for frames.
        overflow,
        /// Ticks outside of all timed constructs.
        outside,
        /// The clock since which it is outside.
        outside_since,
        /// Completed pairs of probes.
        pairs,
        /// Ends without a start and starts without an end.
        unbalanced,
        /// Offset of the offsets of [`FRAME_PAGES`] pages of [`Frame`]s.
        frames,
        /// Offset of the offsets of [`SLOT_PAGES`] pages of [`Slot`]s.
        slots,
        /// Offset of the [`Table`] of calling contexts; 0 if none are kept.
        contexts,
        /// Room for nodes that is left: offset.
        nodes,
        /// Room for nodes that is left: bytes.
        nodes_left,
        /// Offset of the first page of the trace; 0 if there is none.
        trace,
        /// Offset of the newest one.
        trace_page,
        /// The number of its events.
        trace_count,
        /// Events that there was no room for.
        trace_lost,
        /// The state of the generator of random gaps.
        random,
        /// The place on the stack of the frame for time in which timing is switched off, from 1; 0 if there is none.
        off,
    }

    /// A timed construct was entered or left.
    Event {
        /// The clock.
        ticks,
        /// The number of the record that was entered; 0 if the one on top of the stack was left.
        record,
    }

    /// An entry of a stack.
    Frame {
        /// The number of the record; 0 if it is not timed.
        record,
        /// The number of a [`Kind`].
        kind,
        /// The clock at the start.
        start,
        /// Ticks spent in timed constructs inside this one.
        inner,
        /// Offset of its [`Slot`].
        slot,
        /// Offset of the [`Node`] that was entered, or 0.
        node,
        /// Offset of the [`Node`] that gets this one's time and the time of contexts entered from here; or 0.
        context,
        /// The stack pointer of the caller.
        stack,
        /// Iterations of the loop so far; all ones if the entry does not count.
        trips,
        /// The number of the record that a pause kept from being timed, or 0.
        paused,
        /// The address that such a procedure returns to, or 0.
        site,
    }

    /// The measurements of one record in one thread.
    Slot {
        /// Activations on the stack.
        depth,
        /// Ticks with everything called from it, of outermost activations.
        inclusive,
        /// Ticks without nested timed constructs.
        exclusive,
        /// Invocations, counted where the entry flag says so.
        invocations,
        /// Iterations (`incr_loop`).
        iterations,
        /// Evaluations of a conditional.
        evaluations,
        /// Logical IF: taken; arithmetic IF: negative.
        taken_0,
        /// Arithmetic IF: zero.
        taken_1,
        /// Arithmetic IF: positive.
        taken_2,
        /// The fewest iterations of one invocation, plus 1; 0 before the first.
        min_trips,
        /// The most iterations of one invocation.
        max_trips,
        /// Invocations without an iteration.
        zero_trips,
        /// Completed activations that were timed.
        timed,
        /// [`THROTTLED`] and [`RECURSIVE`].
        flags,
        /// The elements of the last event of another tool's interface.
        value,
        /// Whether a compiled procedure has the record: the frame pointer of the caller then leads to the address it returns to.
        compiled,
        /// The runtime's: the address of the countdown in the thread's block; 0 if there is none.
        countdown,
        /// One invocation in 2 to the power of this is timed.
        thinning,
        /// The number of invocations that the next timed one stands for, including itself.
        gap,
        /// Whether such an invocation is being timed.
        is_open,
        /// The clock when this thinning, or the last period of it, began.
        since,
        /// Invocations timed since then.
        lately,
        /// The number of the record, once it is known whether it may be thinned.
        record,
        /// Offset of [`MOST_THINNING`] [`Stratum`]s, the first of thinning 1; 0 if it was always timed.
        strata,
    }

    /// The invocations of a construct during which one mean gap held.
    Stratum {
        /// The number of timed ones, without those in `tail`.
        timed,
        /// The number of invocations that these and those in `tail` stand for.
        invocations,
        /// Ticks of the timed ones.
        ticks,
        /// The sum of the squares of their ticks.
        squares,
        /// Further ones that took much longer than the others: mostly the thread had no processor.
        tail,
        /// Ticks of these.
        tail_ticks,
    }

    /// A table of [`Node`]s by parent, record and site, with open addressing.
    Table {
        /// A power of two.
        capacity,
        /// The number of nodes.
        count,
        /// Offset of `capacity` offsets of nodes.
        entries,
    }

    /// A calling context: a procedure, loop or region with those around it.
    Node {
        /// The number of the context around this one; 0 if there is none.
        parent,
        /// The record.
        record,
        /// The address that a compiled procedure returns to; else 0.
        site,
        /// Its number in the table, from 1.
        number,
        /// Offset of the context whose time includes that of this one: that of a recursive procedure's outer
        /// activation; 0 for its own.
        shared,
        /// Its depth in procedures.
        level,
        /// Offset of the node in this context that was entered last, or 0.
        last,
        /// The number of entries; a construct that was split counts one for each part.
        calls,
        /// Ticks without nested timed constructs.
        exclusive,
        /// Offset of the context around this one, or 0.
        outer,
    }
}

/// The record that a frame times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Kind {
    /// A procedure.
    Procedure = 1,
    /// A loop.
    Loop = 2,
    /// A region.
    Region = 3,
    /// A logical IF, which is counted only.
    LogicalIf = 4,
    /// An arithmetic IF, which is counted only.
    ArithmeticIf = 5,
}

impl Kind {
    /// The kind with that number.
    pub fn of(number: u64) -> Option<Kind> {
        [Kind::Procedure, Kind::Loop, Kind::Region, Kind::LogicalIf, Kind::ArithmeticIf]
            .into_iter()
            .find(|k| *k as u64 == number)
    }
}

/// The entry, of `capacity`, at which the search for a node begins.
pub fn hash(parent: u64, record: u64, site: u64, capacity: u64) -> u64 {
    let mixed = (parent.rotate_left(32) ^ record ^ site.rotate_left(16)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 20) & (capacity - 1)
}
