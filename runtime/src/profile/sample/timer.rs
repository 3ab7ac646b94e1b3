//! Timers on processor time, and their signals.
//!
//! The system is called directly: in older C libraries the functions stand in a library of their own.

use libc::{c_int, c_long, c_void, siginfo_t};

/// A handler that gets the place of the program.
pub(super) type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// The kernel's `struct sigevent`.
#[repr(C)]
struct Event {
    value: usize,
    signal: c_int,
    notify: c_int,
    thread: c_int,
    rest: [c_int; 11],
}

const _: () = assert!(size_of::<Event>() == 64);

/// A timer of the calling thread that sends it `signal` with `value` whenever it has used `period` nanoseconds.
///
/// It goes off first at the tick of the kernel that comes first, or at a random instant if the period is longer: any instant of the first
/// period may be sampled. If it were at the end of that, no instant before would ever be, and of a short program's runs all would be sampled
/// at the same places.
pub(super) fn create(signal: c_int, value: usize, period: u64) -> Result<c_int, c_int> {
    let mut event = Event { value, signal, notify: libc::SIGEV_THREAD_ID, thread: thread(), rest: [0; 11] };
    let mut id: c_int = 0;
    let clock = c_long::from(libc::CLOCK_THREAD_CPUTIME_ID);
    // SAFETY: the kernel reads an event and writes a number.
    if unsafe { libc::syscall(libc::SYS_timer_create, clock, &raw mut event, &raw mut id) } != 0 {
        return Err(keep_errno());
    }
    let time = libc::timespec { tv_sec: (period / 1_000_000_000) as _, tv_nsec: (period % 1_000_000_000) as _ };
    let first = 1 + random(period).saturating_sub(tick());
    let first = libc::timespec { tv_sec: (first / 1_000_000_000) as _, tv_nsec: (first % 1_000_000_000) as _ };
    let times = libc::itimerspec { it_interval: time, it_value: first };
    // SAFETY: the timer was just made, and the kernel reads the times.
    let failed =
        unsafe { libc::syscall(libc::SYS_timer_settime, c_long::from(id), 0 as c_long, &raw const times, 0 as c_long) }
            != 0;
    if failed {
        let error = keep_errno();
        delete(id);
        return Err(error);
    }
    Ok(id)
}

/// The nanoseconds between two ticks of the kernel.
pub(super) fn tick() -> u64 {
    let mut resolution = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes a time.
    let known = unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &mut resolution) } == 0;
    if known && resolution.tv_sec == 0 { resolution.tv_nsec as u64 } else { 0 }
}

/// A number below `most` that has to do with nothing in the program.
fn random(most: u64) -> u64 {
    let seed = crate::profile::clock::nanoseconds() ^ (thread() as u64) << 32;
    // The finalizer of MurmurHash3.
    let mixed = (seed ^ seed >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let mixed = (mixed ^ mixed >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (mixed ^ mixed >> 33) % most.max(1)
}

/// Deletes a timer. Async-signal-safe.
pub(super) fn delete(id: c_int) {
    // SAFETY: a number that is of no timer is an error of no consequence.
    unsafe { libc::syscall(libc::SYS_timer_delete, c_long::from(id)) };
}

/// Makes the system send `SIGPROF` to the process for `handler`, if the program uses neither that signal nor its timer.
pub(super) fn of_process(handler: Handler, period: u64) -> bool {
    // SAFETY: zeroed structures are valid and are filled by the call.
    unsafe {
        let mut now: libc::itimerval = std::mem::zeroed();
        let used = libc::getitimer(libc::ITIMER_PROF, &mut now) != 0 || now.it_value.tv_sec + now.it_value.tv_usec != 0;
        if used || !install(libc::SIGPROF, handler) {
            return false;
        }
        let time = libc::timeval { tv_sec: 0, tv_usec: (period / 1000).clamp(1, 999_999) as _ };
        let first = libc::timeval { tv_sec: 0, tv_usec: 1 };
        let times = libc::itimerval { it_interval: time, it_value: first };
        if libc::setitimer(libc::ITIMER_PROF, &times, std::ptr::null_mut()) != 0 {
            reset(libc::SIGPROF, handler, libc::SIG_DFL);
            return false;
        }
        true
    }
}

/// Ends that timer, unless the program has put one of its own in its place.
pub(super) fn end_of_process(handler: Handler) {
    // SAFETY: a zeroed structure asks for no timer.
    unsafe {
        if is_handled_by(libc::SIGPROF, handler) {
            let none: libc::itimerval = std::mem::zeroed();
            libc::setitimer(libc::ITIMER_PROF, &none, std::ptr::null_mut());
        }
    }
    ignore(libc::SIGPROF, handler);
}

/// Installs a handler at a signal without one, or finds it there; whether it stands.
pub(super) fn install(signal: c_int, handler: Handler) -> bool {
    // SAFETY: zeroed structures are valid and are filled by the calls that read them; the handler has the type that is
    // asked for with `SA_SIGINFO`.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut old) != 0 {
            return false;
        }
        if old.sa_sigaction != libc::SIG_DFL {
            return old.sa_sigaction == handler as usize;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
        // Another handler must not begin before this one has looked: the runtime of a shared library samples at the same
        // tick, and would find the program at the beginning of this handler.
        libc::sigfillset(&mut action.sa_mask);
        libc::sigaction(signal, &action, std::ptr::null_mut()) == 0
    }
}

/// Ignores a signal that still has our handler: the handler may be unloaded.
pub(super) fn ignore(signal: c_int, handler: Handler) {
    reset(signal, handler, libc::SIG_IGN);
}

fn reset(signal: c_int, handler: Handler, to: libc::sighandler_t) {
    if signal == 0 || !is_handled_by(signal, handler) {
        return;
    }
    // SAFETY: a zeroed structure is valid.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = to;
        libc::sigaction(signal, &action, std::ptr::null_mut());
    }
}

fn is_handled_by(signal: c_int, handler: Handler) -> bool {
    // SAFETY: a zeroed structure is valid and is filled by the call.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut old) == 0 && old.sa_sigaction == handler as usize
    }
}

/// The kernel's number of the calling thread.
pub(super) fn thread() -> c_int {
    // SAFETY: the call has no arguments.
    unsafe { libc::syscall(libc::SYS_gettid) as c_int }
}

/// Whether the calling thread is the one that the process began with.
pub(super) fn is_first_thread() -> bool {
    i64::from(thread()) == i64::from(std::process::id())
}

/// Processor time of the calling thread in nanoseconds. Async-signal-safe.
pub(crate) fn processor_time() -> u64 {
    read(libc::CLOCK_THREAD_CPUTIME_ID).unwrap_or(0)
}

/// Processor time of a thread of this process; none if it has ended. Async-signal-safe.
pub(super) fn processor_time_of(thread: c_int) -> Option<u64> {
    // The kernel's clock of a thread: the complement of its number, three bits further up, and which clock it is.
    const OF_THREAD: libc::clockid_t = 4 | 2;
    read((!thread << 3) | OF_THREAD)
}

/// The time that a thread was ready to run and had no processor, in nanoseconds; none if the system does not tell.
/// Async-signal-safe.
pub(super) fn delay_of(thread: c_int) -> Option<u64> {
    let mut path = [0u8; 48];
    let mut rest = &mut path[..];
    std::io::Write::write_fmt(&mut rest, format_args!("/proc/self/task/{thread}/schedstat\0")).ok()?;
    let mut text = [0u8; 96];
    // SAFETY: a C string, a buffer with its length, and a descriptor of our own.
    let len = unsafe {
        let file = libc::open(path.as_ptr().cast(), libc::O_RDONLY | libc::O_CLOEXEC);
        if file < 0 {
            return None;
        }
        let len = libc::read(file, text.as_mut_ptr().cast(), text.len());
        libc::close(file);
        usize::try_from(len).ok()?
    };
    // Processor time, then the waiting for it.
    std::str::from_utf8(&text[..len]).ok()?.split_ascii_whitespace().nth(1)?.parse().ok()
}

fn read(clock: libc::clockid_t) -> Option<u64> {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: fills the structure it is given.
    (unsafe { libc::clock_gettime(clock, &mut now) } == 0)
        .then(|| now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64)
}

/// The thread's `errno`.
pub(super) fn keep_errno() -> c_int {
    // SAFETY: the address is of the calling thread's number.
    unsafe { *libc::__errno_location() }
}

/// Puts `errno` back.
pub(super) fn restore_errno(error: c_int) {
    // SAFETY: the address is of the calling thread's number.
    unsafe { *libc::__errno_location() = error };
}
