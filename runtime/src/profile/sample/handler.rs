//! The handler of the sampling signal: finds where the program is, and adds to a cell.
//!
//! In code of ours the address says all. In other code (the C library, this runtime, a procedure in C) the sample belongs to
//! the call of ours that led there. A word stored before each call would say which, and cost each call; so the stack is
//! searched for an address that a call of ours returns to. Leftovers of older calls look like one, therefore:
//!
//! - Behind a call, `rbp` is often still that of the function that called. Its frame has a known size, so the address it
//!   left for the call has one place. An address in that place is believed first.
//! - Else it is the first address behind a call instruction in our code.

use super::{counter, timer};
use crate::profile::{arena, clock, has_ended, is_paused};
use libc::{c_int, c_void, siginfo_t};
use std::sync::atomic::Ordering;
use trueline_abi::address_map::{FUNCTION_SIZE, Head, UNKNOWN_FRAME};
use trueline_abi::raw::samples::{Cell, IN_CALL, LANE_MARK, Lane, OUTSIDE, cell_of};
use trueline_abi::record::ObjectHeader;

/// Words of the stack that are searched.
const WORDS: u64 = 4096;
/// Cells that are looked at for one that is free.
const TRIES: u64 = 64;
/// The most periods whose time one sample stands for; signals were blocked for the rest.
const MOST_PERIODS: u64 = 8;
/// Timers go off on ticks of the kernel, which are no further apart: 10 ms.
const TICK: u64 = 10_000_000;

/// The functions of an object.
#[derive(Clone)]
pub(super) struct Code {
    start: u64,
    end: u64,
    /// The address that offsets count from.
    base: u64,
    functions: &'static [u8],
}

/// The code of all objects, in the order of addresses.
pub(super) fn code(headers: &[ObjectHeader]) -> Vec<Code> {
    let of = |h: &ObjectHeader| {
        let functions = Head::read(super::map_of(h)?)?.functions;
        let head = functions.chunks_exact(FUNCTION_SIZE);
        let (first, last) = (head.clone().next()?, head.clone().next_back()?);
        let base = h.code as u64;
        Some(Code { start: base + word(first, 0), end: base + word(last, 4), base, functions })
    };
    let mut out: Vec<Code> = headers.iter().filter_map(of).collect();
    out.sort_by_key(|c| c.start);
    out
}

/// The code that is known, and that of further objects; in a forked child it is known already.
pub(super) fn with(known: &[Code], headers: &[ObjectHeader]) -> Vec<Code> {
    let mut out = [known, &code(headers)].concat();
    out.sort_by_key(|c| c.start);
    out.dedup_by_key(|c| c.start);
    out
}

fn word(function: &[u8], at: usize) -> u64 {
    let bytes = [function[at], function[at + 1], function[at + 2], function[at + 3]];
    u64::from(u32::from_le_bytes(bytes))
}

/// The registers of a thread where it was interrupted.
struct Registers {
    counter: u64,
    stack: u64,
    frame: u64,
    /// The address that the present function returns to, where that is in a register.
    link: u64,
}

/// The handler of the threads' timers and counters: the value of a timer's signal is the lane.
pub(super) extern "C" fn by_thread(_: c_int, info: *mut siginfo_t, context: *mut c_void) {
    /// `si_code` of a timer.
    const FROM_TIMER: c_int = -2;
    /// `si_code` of a descriptor, whose number is behind eight bytes.
    const FROM_DESCRIPTOR: c_int = 1;
    const DESCRIPTOR: usize = 24;
    // SAFETY: the kernel passes valid structures.
    unsafe {
        if (*info).si_code == FROM_DESCRIPTOR {
            let (lane, at) = (super::own_lane(), info.cast::<u8>().add(DESCRIPTOR).cast::<u32>());
            if !lane.is_null() && (*lane).timer == counter::IS_COUNTER | (u64::from(*at) + 1) {
                sample(lane, context);
            }
        }
        if (*info).si_code != FROM_TIMER {
            return;
        }
        let lane: *mut Lane = (*info).si_value().sival_ptr.cast();
        // A timer of the program's own may send this signal, too.
        if arena::holds(lane) && (*lane).mark == LANE_MARK && lane == super::own_lane() {
            sample(lane, context);
        }
    }
}

/// The handler of the process's timer, which interrupts whichever thread runs.
pub(super) extern "C" fn by_process(_: c_int, _: *mut siginfo_t, context: *mut c_void) {
    let lane = super::own_lane();
    if !lane.is_null() {
        // SAFETY: the lane is the calling thread's; the kernel passes a valid structure.
        unsafe { sample(lane, context) };
    }
}

/// Takes a sample.
///
/// # Safety
/// The lane is the calling thread's, and `context` is the third argument of a signal handler.
unsafe fn sample(lane: *mut Lane, context: *mut c_void) {
    let error = timer::keep_errno();
    let began = clock::nanoseconds();
    // SAFETY: nothing else writes to the lane, and the handler is not interrupted by itself.
    unsafe {
        let lane = &mut *lane;
        let now = timer::processor_time();
        let is_first = lane.cpu_last == lane.cpu_start;
        let mut spent = now.saturating_sub(lane.cpu_last);
        (lane.cpu_last, lane.wall_last) = (now, began);
        if let Some(sampling) = super::sampling().filter(|_| !has_ended()) {
            if is_paused() {
                lane.paused += spent;
            } else {
                // It may come at any instant of the first interval, and stands for all of them.
                if is_first {
                    spent = spent.max((*sampling).period).max(timer::tick());
                }
                let weight = weight(lane, (*sampling).period, spent);
                let key = place(lane, &registers(context));
                add(lane, key, weight);
            }
        }
        lane.handling += clock::nanoseconds().saturating_sub(began);
    }
    timer::restore_errno(error);
}

/// The time that a sample stands for; notes the samples missed before it.
fn weight(lane: &mut Lane, period: u64, spent: u64) -> u64 {
    if spent > period.max(TICK) * MOST_PERIODS {
        let missed = spent - period;
        lane.lost += missed / period.max(TICK);
        lane.lost_weight += missed;
        return period;
    }
    spent
}

/// Adds a sample to the cell of `key`.
///
/// # Safety
/// The lane is the calling thread's.
unsafe fn add(lane: &mut Lane, key: u64, weight: u64) {
    let cells: *mut Cell = arena::at(lane.cells);
    let first = cell_of(key, lane.capacity);
    for i in 0..TRIES {
        // SAFETY: the lane has `capacity` cells, a power of two.
        let cell = unsafe { &mut *cells.add(((first + i) & (lane.capacity - 1)) as usize) };
        if cell.key == 0 {
            cell.key = key;
        }
        if cell.key == key {
            cell.count += 1;
            cell.weight += weight;
            lane.samples += 1;
            lane.weight += weight;
            return;
        }
    }
    lane.lost += 1;
    lane.lost_weight += weight;
}

/// The key of the cell for a sample.
///
/// # Safety
/// The lane is the calling thread's, so that its stack may be read.
unsafe fn place(lane: &Lane, r: &Registers) -> u64 {
    let code = super::CODE.load(Ordering::Acquire);
    if code.is_null() {
        return OUTSIDE;
    }
    // SAFETY: it is never freed nor written to again.
    let code = unsafe { &*code };
    if frame_at(code, r.counter).is_some() {
        return r.counter;
    }
    if r.link != 0 && frame_at(code, r.link - 1).is_some() {
        return r.link | IN_CALL;
    }
    // SAFETY: the registers are those of the interrupted thread, and the stack between them and its end can be read.
    unsafe { caller(code, lane, r) }.map_or(OUTSIDE, |at| at | IN_CALL)
}

/// The frame of the function of ours that has the address in it.
fn frame_at(code: &[Code], address: u64) -> Option<u32> {
    let after = code.partition_point(|c| c.start <= address);
    let c = code[..after].last().filter(|c| address < c.end)?;
    let offset = address - c.base;
    let (mut low, mut high) = (0, c.functions.len() / FUNCTION_SIZE);
    while low < high {
        let middle = low.midpoint(high);
        if word(&c.functions[middle * FUNCTION_SIZE..], 0) <= offset { low = middle + 1 } else { high = middle }
    }
    let function = &c.functions[low.checked_sub(1)? * FUNCTION_SIZE..];
    (offset < word(function, 4)).then(|| word(function, 8) as u32)
}

/// The address that a call of ours returns to, from the stack.
///
/// # Safety
/// The lane is the calling thread's.
unsafe fn caller(code: &[Code], lane: &Lane, r: &Registers) -> Option<u64> {
    let (first, last) = (code.first()?.start, code.iter().map(|c| c.end).max()?);
    let start = r.stack.next_multiple_of(8);
    if start < lane.stack_low || start >= lane.stack_high {
        return None;
    }
    let end = lane.stack_high.min(start + WORDS * 8) & !7;
    // A frame pointer that is one lies above.
    let has_frame = r.frame > start && r.frame < lane.stack_high && r.frame.is_multiple_of(8);
    let mut found = None;
    let mut at = start;
    while at + 8 <= end {
        // SAFETY: between the stack pointer and the end of the stack all is mapped.
        let address = unsafe { *(at as *const u64) };
        if address > first && address <= last
            && let Some(frame) = frame_at(code, address - 1)
            // SAFETY: the address is in code of ours, behind its beginning.
            && unsafe { follows_call(address, first) }
        {
            let expected = has_frame && frame != UNKNOWN_FRAME && at + 8 + u64::from(frame) == r.frame;
            if expected || !has_frame {
                return Some(address);
            }
            found.get_or_insert(address);
        }
        if has_frame && at >= r.frame {
            break;
        }
        at += 8;
    }
    if found.is_some() || !has_frame {
        return found;
    }
    // The frame pointer was that of a function between.
    // SAFETY: the registers are those of the interrupted thread, and the stack between them and its end can be read.
    unsafe { caller(code, lane, &Registers { frame: 0, stack: at, ..*r }) }
}

/// Whether a call instruction ends at `address`.
///
/// # Safety
/// The address is in code; `first` is the lowest address of it.
#[cfg(target_arch = "x86_64")]
unsafe fn follows_call(address: u64, first: u64) -> bool {
    let byte = |back: u64| {
        // SAFETY: code can be read where it is loaded.
        if address < first + back { 0 } else { unsafe { *((address - back) as *const u8) } }
    };
    // call rel32; call *reg; call *reg with a prefix; call *disp8(reg); call *disp32(reg) and call *disp(%rip)
    byte(5) == 0xe8
        || (byte(2) == 0xff && byte(1) & 0xf8 == 0xd0)
        || (byte(3) == 0xff && byte(2) & 0x38 == 0x10)
        || (byte(6) == 0xff && byte(5) & 0x38 == 0x10)
}

/// Whether a call instruction ends at `address`.
///
/// # Safety
/// The address is in code.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn follows_call(address: u64, first: u64) -> bool {
    if address < first + 4 || !address.is_multiple_of(4) {
        return false;
    }
    // SAFETY: code can be read where it is loaded.
    let instruction = unsafe { *((address - 4) as *const u32) };
    // bl; blr
    instruction >> 26 == 0x25 || instruction & 0xffff_fc1f == 0xd63f_0000
}

/// # Safety
/// `context` is the third argument of a signal handler.
#[cfg(target_arch = "x86_64")]
unsafe fn registers(context: *mut c_void) -> Registers {
    // SAFETY: the system hands the handler the context of the interrupted thread.
    let all = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let [counter, stack, frame] = [libc::REG_RIP, libc::REG_RSP, libc::REG_RBP].map(|r| all[r as usize] as u64);
    Registers { counter, stack, frame, link: 0 }
}

/// # Safety
/// `context` is the third argument of a signal handler.
#[cfg(target_arch = "aarch64")]
unsafe fn registers(context: *mut c_void) -> Registers {
    // SAFETY: the system hands the handler the context of the interrupted thread.
    let all = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext };
    Registers { counter: all.pc, stack: all.sp, frame: 0, link: all.regs[30] }
}

/// # Safety
/// Always safe to call.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
unsafe fn registers(_: *mut c_void) -> Registers {
    Registers { counter: 0, stack: 0, frame: 0, link: 0 }
}
