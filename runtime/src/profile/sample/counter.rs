//! Samples by a counter of the kernel's performance events, for those who ask for more than its timers give.
//!
//! A timer goes off on ticks of the kernel, some hundred in a second. A performance event on the thread's processor time
//! overflows whenever the period is over, and its descriptor then sends the thread a signal. Where the system allows no such
//! events (`perf_event_paranoid`, a container's filter), timers take the samples.

use super::timer::{keep_errno, thread};
use libc::{c_int, c_long, c_ulong};

/// Set in the number of a lane's timer if it is the descriptor of a counter.
pub(super) const IS_COUNTER: u64 = 1 << 32;

/// The lowest number of the descriptors: programs take the small ones for files that they close and open again.
const LOWEST: c_int = 600;

const SET_SIGNAL: c_int = 10;
const SET_OWNER: c_int = 15;
const ENABLE: c_ulong = 0x2400;
const DISABLE: c_ulong = 0x2401;
const NUMBER: c_ulong = 0x8008_2407;

/// The first version of the kernel's `struct perf_event_attr`.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    event: u64,
    period: u64,
    record: u64,
    read: u64,
    flags: u64,
    wakeup: u32,
    breakpoint: u32,
    more: u64,
}

const _: () = assert!(size_of::<Attributes>() == 64);

/// The kernel's `struct f_owner_ex`.
#[repr(C)]
struct Owner {
    kind: c_int,
    thread: c_int,
}

/// A counter that sends the calling thread `signal` whenever it has used `period` nanoseconds: its descriptor.
pub(super) fn create(signal: c_int, period: u64) -> Result<c_int, c_int> {
    // Without a privilege only the program itself may be interrupted, not the kernel that works for it.
    let counter = open(period, true).or_else(|_| open(period, false))?;
    let owner = Owner { kind: 0, thread: thread() };
    // SAFETY: the descriptor was just opened; the kernel reads the structure.
    unsafe {
        let is_ready = libc::fcntl(counter, SET_SIGNAL, signal) == 0
            && libc::fcntl(counter, SET_OWNER, &raw const owner) == 0
            && libc::fcntl(counter, libc::F_SETFL, libc::O_ASYNC | libc::O_NONBLOCK) == 0
            && libc::ioctl(counter, ENABLE as _, 0) == 0;
        if is_ready {
            return Ok(counter);
        }
        let error = keep_errno();
        libc::close(counter);
        Err(error)
    }
}

fn open(period: u64, with_kernel: bool) -> Result<c_int, c_int> {
    const SOFTWARE: u32 = 1;
    const TASK_CLOCK: u64 = 1;
    const DISABLED: u64 = 1;
    const WITHOUT_KERNEL: u64 = 3 << 5;
    const CLOSE_ON_EXEC: c_ulong = 8;
    let attributes = Attributes {
        kind: SOFTWARE,
        size: size_of::<Attributes>() as u32,
        event: TASK_CLOCK,
        period,
        flags: if with_kernel { DISABLED } else { DISABLED | WITHOUT_KERNEL },
        wakeup: 1,
        ..Attributes::default()
    };
    // SAFETY: the kernel reads the attributes; of the calling thread, on any processor, in no group.
    let counter = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            0 as c_long,
            -1 as c_long,
            -1 as c_long,
            CLOSE_ON_EXEC,
        )
    };
    let Some(counter) = c_int::try_from(counter).ok().filter(|&c| c >= 0) else { return Err(keep_errno()) };
    // SAFETY: the descriptor is our own; if the program may have no more than it has, it stays where it is.
    unsafe {
        let moved = libc::fcntl(counter, libc::F_DUPFD_CLOEXEC, LOWEST);
        if moved < 0 {
            return Ok(counter);
        }
        libc::close(counter);
        Ok(moved)
    }
}

/// Ends a counter. A program may have closed its descriptor, and opened something else there: that stays.
/// Async-signal-safe.
pub(super) fn delete(counter: c_int) {
    let mut number = 0u64;
    // SAFETY: the kernel writes a number, only if it is a performance event.
    unsafe {
        if libc::ioctl(counter, NUMBER as _, &raw mut number) == 0 {
            libc::ioctl(counter, DISABLE as _, 0);
            libc::close(counter);
        }
    }
}
