//! Samples of the program counter in the raw profile.
//!
//! A thread samples into a [`Lane`], which has a table of [`Cell`]s by address. Threads that do not run at the same time may
//! have the same lane.

use super::word;

/// [`Sampling::state`]: not wanted.
pub const OFF: u64 = 0;
/// [`Sampling::state`]: each thread has a timer on its processor time.
pub const BY_THREAD: u64 = 1;
/// [`Sampling::state`]: one timer on the processor time of the process (`ITIMER_PROF`).
pub const BY_PROCESS: u64 = 2;
/// [`Sampling::state`]: the system refuses timers.
pub const REFUSED: u64 = 3;
/// [`Sampling::state`]: the program uses all signals itself.
pub const NO_SIGNAL: u64 = 4;

/// [`Lane::mark`]: by it the handler knows a lane.
pub const LANE_MARK: u64 = u64::from_le_bytes(*b"TLLANE\0\x01");

/// [`Cell::key`]: code that none of our code called, as far as the stack shows.
pub const OUTSIDE: u64 = 1;
/// [`Cell::key`]: set if the rest is the return address of a call of ours, and the sample fell into the callee.
pub const IN_CALL: u64 = 1 << 63;

layouts! {
    /// The part of sampling that all threads share.
    Sampling {
        /// [`OFF`], [`BY_THREAD`], [`BY_PROCESS`], [`REFUSED`] or [`NO_SIGNAL`].
        state,
        /// The system's reason, if it refuses timers.
        error,
        /// Nanoseconds of processor time that were asked for between samples.
        period,
        /// Offset of the [`ObjectMap`]s.
        maps,
        /// The number of maps.
        map_count,
        /// Offset of the newest [`Lane`].
        lanes,
        /// The number of lanes.
        lane_count,
        /// Threads for which there was no timer or no memory.
        threads_without,
    }

    /// The address map of an object.
    ObjectMap {
        /// The number of the object, from 1.
        object,
        /// The address of its code in the program.
        code,
        /// Offset of the map.
        map,
        /// The length of the map in bytes.
        map_len,
    }

    /// The samples of one thread after the other.
    Lane {
        /// [`LANE_MARK`].
        mark,
        /// Offset of the next older one.
        next,
        /// Its number, from 0.
        number,
        /// Offset of the [`Cell`]s.
        cells,
        /// The number of cells: a power of two.
        capacity,
        /// Whether a thread has it now.
        busy,
        /// The number of threads that have had it.
        threads,
        /// Processor time of the threads that had it, in nanoseconds.
        cpu,
        /// Elapsed time of the threads that had it, in nanoseconds.
        wall,
        /// The clock of processor time when the present thread began.
        cpu_start,
        /// The same at its last sample, or at the end.
        cpu_last,
        /// The monotonic clock when the present thread began.
        wall_start,
        /// The same at its last sample, or at the end.
        wall_last,
        /// Samples in the cells.
        samples,
        /// The processor time they stand for, in nanoseconds.
        weight,
        /// Samples that are missing: signals were blocked, or the cells were full.
        lost,
        /// The processor time they would have stood for.
        lost_weight,
        /// Processor time in which timing was switched off.
        paused,
        /// Time in which the threads that had it were ready to run and had no processor, in nanoseconds.
        delay,
        /// The same of the present thread when it began.
        delay_start,
        /// The same at its end.
        delay_last,
        /// Nanoseconds spent in the handler.
        handling,
        /// The runtime's: the number of the timer, plus 1.
        timer,
        /// The runtime's: the number of the thread.
        thread,
        /// The runtime's: the lowest address of the thread's stack.
        stack_low,
        /// The runtime's: the address behind the thread's stack.
        stack_high,
    }

    /// The samples at one address.
    Cell {
        /// The address, [`OUTSIDE`], or that of a call with [`IN_CALL`]; 0 if the cell is free.
        key,
        /// The number of samples.
        count,
        /// The processor time they stand for, in nanoseconds.
        weight,
    }
}

/// The cell, of `capacity`, in which the search for a key begins.
pub fn cell_of(key: u64, capacity: u64) -> u64 {
    let mixed = (key ^ (key >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) & (capacity - 1)
}
