//! Samples of the program counter: the time of constructs that no probe times.
//!
//! Each thread has a timer on its own processor time, whose signal adds to an array in the memory of the profile
//! ([`trueline_abi::raw::samples`]), so that a killed program keeps its samples. A timer on processor time ends no call that
//! waits, since a thread that waits uses none; a timer on elapsed time would cut `sleep` short. Timers of a process end at
//! `exec` and are not inherited by `fork`: the child makes its own.
//!
//! Timers go off on ticks of the kernel. Who asks for more samples gets them by performance events, where the system allows
//! those ([`counter`]).
//!
//! If the system refuses timers, one timer on the processor time of the process is used, if the program has no
//! other use for it. If that is refused, too, the profile says so.
//!
//! **Invariants:** the handler allocates nothing, locks nothing and leaves `errno` alone; a lane belongs to one thread at a
//! time; a timer is deleted before its thread ends, and all are before the runtime is unloaded.

mod counter;
mod handler;
mod timer;

use super::arena::{self, Lock};
use super::clock::nanoseconds;
use crate::shared::lanes;
use handler::Code;
use std::cell::Cell as StdCell;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
pub(crate) use timer::processor_time;
use trueline_abi::address_map::Head;
use trueline_abi::raw::samples::{
    BY_PROCESS, BY_THREAD, Cell, LANE_MARK, Lane, NO_SIGNAL, OFF, ObjectMap, REFUSED, Sampling,
};
use trueline_abi::record::ObjectHeader;

/// The most samples in a second.
const MOST: u64 = 10_000;
/// The fewest and the most cells of a lane.
const CELLS: [u64; 2] = [1 << 10, 1 << 16];

/// The samples in a second: all ones before the number is known.
static RATE: AtomicU64 = AtomicU64::new(u64::MAX);
/// The signal of the timers, which has our handler; 0 before.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// The key of each thread's lane, plus 1; 0 before.
static KEY: AtomicU32 = AtomicU32::new(0);
/// The code of the profiled objects.
static CODE: AtomicPtr<Vec<Code>> = AtomicPtr::new(std::ptr::null_mut());
static LOCK: Lock = Lock::new();

thread_local! {
    /// The lowest address of the thread's stack, and the one behind it.
    static STACK: StdCell<(u64, u64)> = const { StdCell::new((0, 0)) };
}

/// The data of sampling that all threads share, if there is sampling.
fn sampling() -> Option<*mut Sampling> {
    if arena::base().is_null() {
        return None;
    }
    // SAFETY: the header is valid, and the offset in it leads to a structure that is complete.
    let offset = unsafe { AtomicU64::from_ptr(&raw mut (*arena::header()).sampling) }.load(Ordering::Acquire);
    (offset != 0).then(|| arena::at(offset))
}

/// A number that threads share.
///
/// # Safety
/// The number is in memory that stays.
unsafe fn shared<'a>(number: *mut u64) -> &'a AtomicU64 {
    // SAFETY: the word is valid and aligned, and while threads run it is accessed as an atomic only.
    unsafe { AtomicU64::from_ptr(number) }
}

/// Readies sampling; threads begin with [`begin_thread`]. A forked child does so again, in new memory.
pub(crate) fn begin(headers: &[ObjectHeader], is_wanted: bool) {
    LOCK.reset();
    forget_lane();
    let rate = rate(headers);
    if headers.is_empty() || !is_wanted {
        return;
    }
    let sampling: *mut Sampling = arena::make(1);
    let maps: *mut ObjectMap = arena::make(headers.len() as u64);
    if sampling.is_null() || maps.is_null() {
        return;
    }
    // SAFETY: new memory, and as many maps as headers. The compiler made the headers.
    unsafe {
        for (i, h) in headers.iter().enumerate() {
            let map = map_of(h).map_or(0, arena::copy);
            *maps.add(i) = ObjectMap { object: i as u64 + 1, code: h.code as u64, map, map_len: h.map_len };
        }
        let period = 1_000_000_000 / rate.max(1);
        *sampling = Sampling {
            state: if rate == 0 { OFF } else { BY_THREAD },
            // A little less than a tick of the kernel, at which timers go off: else every other tick would be missed.
            period: period - period / 40,
            maps: arena::offset(maps),
            map_count: headers.len() as u64,
            ..Sampling::default()
        };
        if CODE.load(Ordering::Acquire).is_null() {
            // It lives as long as the program: the handler may run at any time.
            CODE.store(Box::into_raw(Box::new(handler::code(headers))), Ordering::Release);
        }
        make_key();
        if rate > 0 && !handle() {
            (*sampling).state = NO_SIGNAL;
        }
        AtomicU64::from_ptr(&raw mut (*arena::header()).sampling).store(arena::offset(sampling), Ordering::Release);
    }
}

/// Adds the code of objects of another linked file, behind the `before` objects that are there. The list of maps that a
/// handler or the reader of a killed program's file finds is always a whole one.
pub(crate) fn extend(headers: &[ObjectHeader], before: u64) {
    let Some(sampling) = sampling() else { return };
    // SAFETY: the structure is complete; only the holder of the lock of records adds maps.
    unsafe {
        let old = (*sampling).map_count;
        let maps: *mut ObjectMap = arena::make(old + headers.len() as u64);
        if maps.is_null() {
            return;
        }
        std::ptr::copy_nonoverlapping(arena::at::<ObjectMap>((*sampling).maps), maps, old as usize);
        for (i, h) in headers.iter().enumerate() {
            let map = map_of(h).map_or(0, arena::copy);
            let entry = ObjectMap { object: before + i as u64 + 1, code: h.code as u64, map, map_len: h.map_len };
            *maps.add(old as usize + i) = entry;
        }
        shared(&raw mut (*sampling).maps).store(arena::offset(maps), Ordering::Release);
        shared(&raw mut (*sampling).map_count).store(old + headers.len() as u64, Ordering::Release);
        if let Some(known) = CODE.load(Ordering::Acquire).as_ref() {
            let all = handler::with(known, headers);
            // The handler may be looking at the old list: it stays.
            CODE.store(Box::into_raw(Box::new(all)), Ordering::Release);
        }
    }
}

/// The address map of an object.
fn map_of(header: &ObjectHeader) -> Option<&'static [u8]> {
    if header.map.is_null() {
        return None;
    }
    // SAFETY: the compiler put that many bytes there.
    Some(unsafe { std::slice::from_raw_parts(header.map, header.map_len as usize) })
}

/// The memory that [`begin`] takes, with the first lane.
pub(crate) fn size(headers: &[ObjectHeader]) -> usize {
    let maps: usize = headers.iter().map(|h| h.map_len as usize + 128).sum();
    maps + (capacity(headers) * Cell::SIZE) as usize + 4096
}

/// The number of cells of a lane: enough for the ranges of the maps in programs of usual size.
fn capacity(headers: &[ObjectHeader]) -> u64 {
    let ranges = |h: &ObjectHeader| map_of(h).and_then(Head::read).map_or(0, |m| u64::from(m.ranges));
    let all: u64 = headers.iter().map(ranges).sum();
    all.saturating_mul(2).clamp(CELLS[0], CELLS[1]).next_power_of_two()
}

/// The samples in a second that `TRUELINE_SAMPLES`, or else the objects, ask for.
fn rate(headers: &[ObjectHeader]) -> u64 {
    let known = RATE.load(Ordering::Relaxed);
    if known != u64::MAX {
        return known;
    }
    let built = headers.iter().map(|h| h.sample_rate).max().unwrap_or(0);
    let text = std::env::var("TRUELINE_SAMPLES").unwrap_or_default();
    let rate = match text.trim() {
        "" => built,
        "off" | "no" | "false" => 0,
        n => n.parse().unwrap_or_else(|_| {
            crate::exit::tell(b"trueline: TRUELINE_SAMPLES is neither a number of samples a second nor off\n");
            built
        }),
    };
    let rate = rate.min(MOST);
    RATE.store(rate, Ordering::Relaxed);
    rate
}

/// Makes the key of the lanes, once.
fn make_key() {
    // SAFETY: the key is stored where it lives as long as the program; the destructor takes the value stored under it.
    unsafe {
        let mut key = 0;
        if KEY.load(Ordering::Acquire) == 0 && libc::pthread_key_create(&mut key, Some(end_thread)) == 0 {
            KEY.store(key + 1, Ordering::Release);
        }
    }
}

/// Installs the handler at an unused real-time signal; returns whether there is one.
fn handle() -> bool {
    if SIGNAL.load(Ordering::Acquire) != 0 {
        return true;
    }
    // Debuggers and C libraries use the first, and programs count from there.
    let found = (libc::SIGRTMIN()..=libc::SIGRTMAX() - 3).rev().find(|&s| timer::install(s, handler::by_thread));
    SIGNAL.store(found.unwrap_or(0), Ordering::Release);
    found.is_some()
}

/// Begins sampling in the calling thread, if it is wanted.
pub(crate) fn begin_thread() {
    let Some(sampling) = sampling() else { return };
    if super::has_ended() || KEY.load(Ordering::Acquire) == 0 || !own_lane().is_null() {
        return;
    }
    // SAFETY: there is memory.
    if u64::from(std::process::id()) != unsafe { (*arena::header()).pid } {
        // The child of a `vfork` has its parent's memory for a moment.
        return;
    }
    let error = timer::keep_errno();
    // A handler of the program that measures something must not meet the lock.
    crate::signals::blocked(|| {
        let lane = take_lane();
        if lane.is_null() || !start(sampling, lane) {
            // SAFETY: the structure is valid.
            unsafe { shared(&raw mut (*sampling).threads_without) }.fetch_add(1, Ordering::Relaxed);
        }
    });
    timer::restore_errno(error);
}

/// Starts the timer of a lane that the calling thread has.
fn start(sampling: *mut Sampling, lane: *mut Lane) -> bool {
    // SAFETY: the lane belongs to the calling thread; the key and the structure are valid.
    unsafe {
        let (low, high) = stack();
        (*lane).thread = timer::thread() as u64;
        (*lane).cpu_start = timer::processor_time();
        (*lane).wall_start = nanoseconds();
        (*lane).delay_start = timer::delay_of((*lane).thread as i32).unwrap_or(0);
        (*lane).delay_last = (*lane).delay_start;
        ((*lane).cpu_last, (*lane).wall_last) = ((*lane).cpu_start, (*lane).wall_start);
        ((*lane).stack_low, (*lane).stack_high) = (low, high);
        libc::pthread_setspecific(KEY.load(Ordering::Acquire) - 1, lane.cast());
        (*lane).mark = LANE_MARK;
        let state = shared(&raw mut (*sampling).state);
        if state.load(Ordering::Acquire) != BY_THREAD {
            return true;
        }
        let (signal, period) = (SIGNAL.load(Ordering::Acquire), (*sampling).period);
        if period < timer::tick() / 2
            && let Ok(counter) = counter::create(signal, period)
        {
            (*lane).timer = counter::IS_COUNTER | (counter as u64 + 1);
            return true;
        }
        match timer::create(signal, lane as usize, period) {
            Ok(id) => {
                (*lane).timer = id as u64 + 1;
                true
            }
            Err(error) => {
                shared(&raw mut (*sampling).error).store(error as u64, Ordering::Relaxed);
                // The first thread decides how all threads are sampled.
                let is_first = (*lane).number == 0 && (*lane).threads == 1;
                if is_first {
                    let by_process = timer::of_process(handler::by_process, period);
                    state.store(if by_process { BY_PROCESS } else { REFUSED }, Ordering::Release);
                }
                is_first
            }
        }
    }
}

/// A lane that no thread has, or a new one; null if there is no memory.
fn take_lane() -> *mut Lane {
    let Some(sampling) = sampling() else { return std::ptr::null_mut() };
    LOCK.with(|| {
        // SAFETY: the list leads to lanes that are complete; new ones are added under the lock.
        unsafe {
            let list = shared(&raw mut (*sampling).lanes);
            let mut at = list.load(Ordering::Acquire);
            while at != 0 {
                let lane: *mut Lane = arena::at(at);
                if lanes::take(shared(&raw mut (*lane).busy)) {
                    (*lane).threads += 1;
                    return lane;
                }
                at = (*lane).next;
            }
            let wanted = if (*sampling).state == OFF { 1 } else { capacity(&super::objects::headers()) };
            let lane: *mut Lane = arena::make(1);
            let cells: *mut Cell = arena::make(wanted);
            if lane.is_null() || cells.is_null() {
                return std::ptr::null_mut();
            }
            let count = shared(&raw mut (*sampling).lane_count);
            *lane = Lane {
                number: count.fetch_add(1, Ordering::Relaxed),
                next: list.load(Ordering::Relaxed),
                cells: arena::offset(cells),
                capacity: wanted,
                busy: 1,
                threads: 1,
                ..Lane::default()
            };
            list.store(arena::offset(lane), Ordering::Release);
            lane
        }
    })
}

/// The lane of the calling thread, or null. Async-signal-safe.
fn own_lane() -> *mut Lane {
    let key = KEY.load(Ordering::Acquire);
    if key == 0 {
        return std::ptr::null_mut();
    }
    // SAFETY: the key is valid.
    unsafe { libc::pthread_getspecific(key - 1).cast() }
}

/// In a forked child the lane is the parent's.
fn forget_lane() {
    if !own_lane().is_null() {
        // SAFETY: there is a key if there is a lane.
        unsafe { libc::pthread_setspecific(KEY.load(Ordering::Acquire) - 1, std::ptr::null()) };
    }
}

/// Ends sampling in a thread that ends, and gives its lane back.
extern "C" fn end_thread(lane: *mut libc::c_void) {
    let lane: *mut Lane = lane.cast();
    // SAFETY: the C library passes the stored value: the lane of the thread.
    unsafe {
        stop(lane);
        let spent = |from: u64, to: u64| to.saturating_sub(from);
        (*lane).cpu += spent((*lane).cpu_start, (*lane).cpu_last);
        (*lane).wall += spent((*lane).wall_start, (*lane).wall_last);
        (*lane).delay += spent((*lane).delay_start, (*lane).delay_last);
        ((*lane).cpu_last, (*lane).wall_last) = ((*lane).cpu_start, (*lane).wall_start);
        (*lane).delay_last = (*lane).delay_start;
        lanes::give(shared(&raw mut (*lane).busy));
    }
}

/// Deletes the timer of a lane, and reads the clocks of its thread.
///
/// # Safety
/// The lane is valid. If its thread is not the calling one, nothing is sampled any more.
unsafe fn stop(lane: *mut Lane) {
    // SAFETY: the lane is valid; its timer is taken by an atomic exchange, so it is deleted once.
    unsafe {
        let timer = lanes::take_timer(shared(&raw mut (*lane).timer));
        if timer & counter::IS_COUNTER != 0 {
            counter::delete((timer as u32 - 1) as i32);
        } else if timer != 0 {
            timer::delete((timer - 1) as i32);
        }
        (*lane).cpu_last = timer::processor_time_of((*lane).thread as i32).unwrap_or((*lane).cpu_last);
        (*lane).wall_last = nanoseconds();
        (*lane).delay_last = timer::delay_of((*lane).thread as i32).unwrap_or((*lane).delay_start);
    }
}

/// Ends sampling in all threads. Async-signal-safe.
pub(crate) fn end() {
    let Some(sampling) = sampling() else { return };
    let error = timer::keep_errno();
    // SAFETY: the structure is valid. The list leads to lanes that are complete, and the program has ended.
    unsafe {
        if shared(&raw mut (*sampling).state).load(Ordering::Acquire) == BY_PROCESS {
            timer::end_of_process(handler::by_process);
        }
        let mut at = shared(&raw mut (*sampling).lanes).load(Ordering::Acquire);
        while at != 0 {
            let lane: *mut Lane = arena::at(at);
            if lanes::is_taken(shared(&raw mut (*lane).busy)) {
                stop(lane);
            }
            at = (*lane).next;
        }
    }
    timer::ignore(SIGNAL.load(Ordering::Acquire), handler::by_thread);
    let key = KEY.swap(0, Ordering::AcqRel);
    if key != 0 {
        // SAFETY: the key was valid until now. Threads that end later find no destructor, which may have been unloaded.
        unsafe { libc::pthread_key_delete(key - 1) };
    }
    timer::restore_errno(error);
}

/// The bounds of the calling thread's stack; nothing is read beyond them.
fn stack() -> (u64, u64) {
    let known = STACK.get();
    if known.1 != 0 {
        return known;
    }
    let bounds = if timer::is_first_thread() { first_stack() } else { thread_stack() };
    STACK.set(bounds);
    bounds
}

/// The first thread's stack ends at the strings that the kernel put there, and no memory is mapped near below it.
fn first_stack() -> (u64, u64) {
    const LEAST: u64 = 128 << 20;
    const MOST: u64 = 1 << 40;
    // SAFETY: the structure is filled by the call.
    unsafe {
        let high = libc::getauxval(libc::AT_EXECFN);
        let mut limit: libc::rlimit = std::mem::zeroed();
        let known = libc::getrlimit(libc::RLIMIT_STACK, &mut limit) == 0;
        let size = if known { limit.rlim_cur.clamp(LEAST, MOST) } else { LEAST };
        (high.saturating_sub(size), high)
    }
}

fn thread_stack() -> (u64, u64) {
    // SAFETY: the structures are filled by the calls.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return (0, 0);
        }
        let (mut low, mut size) = (std::ptr::null_mut(), 0);
        let known = libc::pthread_attr_getstack(&attributes, &mut low, &mut size) == 0;
        libc::pthread_attr_destroy(&mut attributes);
        if known { (low as u64, low as u64 + size as u64) } else { (0, 0) }
    }
}
